// Which cell of stars is around a direction?
// Generated from viewer/src/render/star_cells.rs: ./x generate

//!once viewer::render::star_cells::STAR_CELLS
// Cells along the side of a face of the cube; columns of the texture.
const STAR_CELLS: u32 = 128u;
//!end

//!once viewer::render::star_cells::STAR_REACH_RAD
// How far from a star its light is drawn, radians: half of a cell in the middle of a face.
const STAR_REACH_RAD: f32 = 0.006f;
//!end

//!once viewer::render::star_cells::STAR_SCALE
// Magnitudes and colour indices are stored as shares of this.
const STAR_SCALE: f32 = 8.0f;
//!end

//!once kernels::device::u32_from_f32
// `x as u32` as Rust has it.
fn u32_from_f32(x: f32) -> u32 {
    return select(u32(x), 0xffffffffu, x >= 4294967296.0f);
}
//!end

//!once viewer::render::star_cells::star_cell
// The texel of the cell around a direction: faces are below each other, those of +x, -x, +y, -y, +z, -z.
fn star_cell(n: vec3f) -> vec2u {
    let a = abs(n);
    var face = select(0u, 1u, (n.x < 0.0f));
    var turned = vec3f(a.x, n.y, n.z);
    if a.y > a.x && a.y >= a.z {
        face = select(2u, 3u, (n.y < 0.0f));
        turned = vec3f(a.y, n.z, n.x);
    } else {
        if a.z > a.x && a.z > a.y {
            face = select(4u, 5u, (n.z < 0.0f));
            turned = vec3f(a.z, n.x, n.y);
        }
    }
    let side = f32(STAR_CELLS);
    let across = clamp(side * (0.5f + 0.5f * turned.y / turned.x), 0.0f, side - 1.0f);
    let down = clamp(side * (0.5f + 0.5f * turned.z / turned.x), 0.0f, side - 1.0f);
    return vec2u(u32_from_f32(across), u32_from_f32(down) + STAR_CELLS * face);
}
//!end
