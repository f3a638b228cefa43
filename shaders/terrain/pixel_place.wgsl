// Where on the cube is a pixel, and what is known of the eye for that?
// Generated from terrain/src/pixel_tiles/pixel_place.rs: ./x generate

//!once terrain::pixel_tiles::pixel_place::LEVEL_0_TEXEL_M
// Metres between texels of a tile of level 0, on average.
const LEVEL_0_TEXEL_M: f32 = 39136.0f;
//!end

//!once terrain::pixel_tiles::pixel_place::SQUARE_TEXELS
// Texels along the square of a tile.
const SQUARE_TEXELS: f32 = 256.0f;
//!end

//!once terrain::pixel_tiles::pixel_place::RIM_TEXELS
// Those of its rim on each side.
const RIM_TEXELS: f32 = 2.0f;
//!end

//!once terrain::pixel_tiles::pixel_place::PixelView
// What the GPU needs to find the tiles of a view.
struct PixelView {
    // Unit geodetic normal at the eye; metres from the eye within which places are told from it.
    up: vec4f,
    // Change of a normal by metres across the axis of the Earth (x) and along it (y), the latter's by metres of height and of z (z); z of
    // the eye in metres (w). See `normal_change`.
    change: vec4f,
    // The eye's integer coordinates on the face of each axis that is nearer to it, as x and y.
    anchors: array<vec4i, 3>,
    // Radians that a texel covers which is as large as a pixel.
    texel_rad: f32,
    // Level of the finest tile that is there.
    deepest: u32,
    // Level of the coarsest tiles.
    first: u32,
    // Fills the struct to a multiple of 16 bytes.
    padding: u32,
}
//!end

//!once terrain::pixel_tiles::pixel_place::face_at
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

//!once terrain::pixel_tiles::pixel_place::normal_change
// How far a vector along the normal of a place is from that of the eye, which has length 1: without the rounding of a normal.
fn normal_change(position_m: vec3f, view: PixelView) -> vec3f {
    let up = view.up.xyz;
    let along_m = dot(up, position_m);
    let rise_m = along_m + 0.5f * view.change.x * (dot(position_m, position_m) - along_m * along_m);
    let stretch = view.change.z * rise_m * (1.0f - view.change.y * rise_m) * (view.change.w + position_m.z);
    return vec3f(position_m.x * view.change.x, position_m.y * view.change.x, position_m.z * view.change.y + stretch);
}
//!end

//!once terrain::pixel_tiles::pixel_place::arc_tangent
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

//!once kernels::device::i32_from_f32
// `x as i32` as Rust has it.
fn i32_from_f32(x: f32) -> i32 {
    return select(i32(x), 2147483647i, x >= 2147483648.0f);
}
//!end

//!once terrain::pixel_tiles::pixel_place::face_place
// Integer coordinates on a face of a place in metres from the eye, whose unit normal leans to it: by angles from the eye's normal where it
// is near, from the middle of the face elsewhere.
fn face_place(position_m: vec3f, n: vec3f, face: u32, view: PixelView) -> vec2u {
    let axis = face >> 1u;
    let is_far_side = (face & 1u) == 1u;
    let side = select(1.0f, -1.0f, is_far_side);
    var turned = n;
    var up = view.up.xyz;
    var change = normal_change(position_m, view);
    var anchor = vec2i(view.anchors[0u].x, view.anchors[0u].y);
    if axis == 1u {
        turned = turned.yzx;
        up = up.yzx;
        change = change.yzx;
        anchor = vec2i(view.anchors[1u].x, view.anchors[1u].y);
    }
    if axis == 2u {
        turned = turned.zxy;
        up = up.zxy;
        change = change.zxy;
        anchor = vec2i(view.anchors[2u].x, view.anchors[2u].y);
    }
    if dot(position_m, position_m) >= view.up.w * view.up.w {
        up = vec3f(side, 0.0f, 0.0f);
        change = turned - up;
        anchor = vec2i(536870912i, 536870912i);
    }
    let across = up.yz * change.x;
    let both = up.x * (up.x + change.x) + up.yz * (up.yz + change.yz);
    let tangents = (change.yz * up.x - across) / both;
    let quarter = 683565250.0f;
    let u = arc_tangent(tangents.x) * quarter;
    let v = arc_tangent(tangents.y) * quarter;
    let by_u = select(i32_from_f32(u), -i32_from_f32(v), is_far_side);
    let by_v = select(i32_from_f32(v), -i32_from_f32(u), is_far_side);
    let last = 1073741824i;
    let at_u = clamp(anchor.x + by_u, 0i, last);
    let at_v = clamp(anchor.y + by_v, 0i, last);
    return vec2u(u32(at_u), u32(at_v));
}
//!end
