// Where is the picture of a part of the Earth?
// Generated from viewer/src/render/drape.rs: ./x generate

//!once viewer::render::drape::DrapePlace
// Where the picture of a part is: right and down in it are n.u / n.w and n.v / n.w of a normal n, in [0, 1].
struct DrapePlace {
    u: vec4f,
    v: vec4f,
    w: vec4f,
}
//!end
