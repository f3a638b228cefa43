// Where on the cube is a pixel, and what is known of the eye for that?
// Generated from terrain/src/shading/place.rs: ./x generate

//!once terrain::shading::place::FIRST_LEVEL
// Level of the coarsest tiles: their texels are as fine as the map of the whole Earth.
const FIRST_LEVEL: u32 = 3u;
//!end

//!once terrain::shading::place::LEVEL_0_TEXEL_M
// Metres between texels of a tile of level 0, on average.
const LEVEL_0_TEXEL_M: f32 = 39136.0f;
//!end

//!once terrain::shading::place::SQUARE_TEXELS
// Texels along the square of a tile.
const SQUARE_TEXELS: f32 = 256.0f;
//!end

//!once terrain::shading::place::RIM_TEXELS
// Those of its rim on each side.
const RIM_TEXELS: f32 = 2.0f;
//!end

//!once terrain::shading::place::FaceUnderEye
// Integer face coordinates around an eye: their first and second derivatives by metres on ECEF axes.
struct FaceUnderEye {
    // Of both coordinates, by x, y, z.
    linear: array<vec4f, 2>,
    // By x^2, y^2, z^2.
    squares: array<vec4f, 2>,
    // By xy, yz, zx.
    products: array<vec4f, 2>,
    // Those of the eye itself.
    anchor: vec2i,
    // Which face.
    face: u32,
    // Metres from the eye within which they are used.
    near_m: f32,
}
//!end

//!once terrain::shading::place::ShadingView
// What the GPU needs to find the tiles of a view.
struct ShadingView {
    // The three faces that are nearest to the eye, first the one below it.
    near: array<FaceUnderEye, 3>,
    // Radians that a texel covers which is as large as a pixel.
    texel_rad: f32,
    // Level of the finest tile that is there.
    deepest: u32,
    // Fills the struct to a multiple of 16 bytes.
    padding: vec2u,
}
//!end

//!once terrain::shading::place::face_at
// The face that a unit normal leans to most.
fn face_at(n: vec3f) -> u32 {
    let a = abs(n);
    var axis = 2u;
    var along = n.z;
    if a.x >= a.y && a.x >= a.z {
        axis = 0u;
        along = n.x;
    } else {
        if a.y >= a.z {
            axis = 1u;
            along = n.y;
        }
    }
    if along < 0.0f {
        return 2u * axis + 1u;
    }
    return 2u * axis;
}
//!end

//!once terrain::shading::place::arc_tangent
// Arc tangent of a number from -1 to 1: the builtin's precision is not specified. Its power series, of less than tan(pi/8).
fn arc_tangent(x: f32) -> f32 {
    let a = abs(x);
    let is_large = a > 0.41421357f;
    let y = select(a, (a - 1.0f) / (a + 1.0f), is_large);
    let z = y * y;
    let first = 1.0f + z * (-1.0f / 3.0f + z * (1.0f / 5.0f + z * (-1.0f / 7.0f + z * (1.0f / 9.0f))));
    let rest = z * z * z * z * z * (-1.0f / 11.0f + z * (1.0f / 13.0f + z * (-1.0f / 15.0f)));
    let start = select(0.0f, 0.7853982f, is_large);
    let angle = start + y * (first + rest);
    if x < 0.0f {
        return -angle;
    }
    return angle;
}
//!end

//!once kernels::device::u32_from_f32
// `x as u32` as Rust has it.
fn u32_from_f32(x: f32) -> u32 {
    return select(u32(x), 0xffffffffu, x >= 4294967296.0f);
}
//!end

//!once terrain::shading::place::far_place
// Integer face coordinates of a unit normal that leans to a face.
fn far_place(n: vec3f, face: u32) -> vec2u {
    var next = n.yz;
    var along = n.x;
    if face >> 1u == 1u {
        next = n.zx;
        along = n.y;
    } else {
        if face >> 1u == 2u {
            next = n.xy;
            along = n.z;
        }
    }
    var gnomonic: vec2f;
    if (face & 1u) == 0u {
        gnomonic = next / along;
    } else {
        gnomonic = vec2f(next.y, next.x) / -along;
    }
    let quarters = vec2f(arc_tangent(gnomonic.x), arc_tangent(gnomonic.y)) * 0.31830987f;
    let units = clamp(2.0f * quarters + 0.5f, vec2f(0.0f), vec2f(1.0f)) * 1073741800.0f;
    let u = units.x;
    let v = units.y;
    return vec2u(u32_from_f32(u), u32_from_f32(v));
}
//!end

//!once terrain::shading::place::change_at
// Change of a face coordinate at metres from the eye.
fn change_at(position_m: vec3f, linear: vec4f, squares: vec4f, products: vec4f) -> f32 {
    let second = dot(squares.xyz, position_m * position_m) + dot(products.xyz, position_m * position_m.yzx);
    return dot(linear.xyz, position_m) + second;
}
//!end

//!once kernels::device::i32_from_f32
// `x as i32` as Rust has it.
fn i32_from_f32(x: f32) -> i32 {
    return select(i32(x), 2147483647i, x >= 2147483648.0f);
}
//!end

//!once terrain::shading::place::near_place
// Integer face coordinates of a place near the eye, metres from it.
fn near_place(position_m: vec3f, under: FaceUnderEye) -> vec2u {
    let u: f32 = change_at(position_m, under.linear[0u], under.squares[0u], under.products[0u]);
    let v: f32 = change_at(position_m, under.linear[1u], under.squares[1u], under.products[1u]);
    let across = 1073741824i;
    let at_u = clamp(under.anchor.x + i32_from_f32(u), 0i, across);
    let at_v = clamp(under.anchor.y + i32_from_f32(v), 0i, across);
    return vec2u(u32(at_u), u32(at_v));
}
//!end
