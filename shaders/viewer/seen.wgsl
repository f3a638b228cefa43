// Which ground is seen from a place? Cells around it, in the azimuthal equidistant projection of the place.

struct SeenFrom {
    // Unit normal there.
    up: vec3f,
    // Cells from the middle one to the rim.
    half: f32,
    // Eastwards there, in cells a radian.
    east: vec3f,
    // How far was looked, in cells; a cell whose middle is farther away is none.
    radius: f32,
    // Northwards there, in cells a radian.
    north: vec3f,
    spare: f32,
    // A bit a cell, rows from north to south: 1 where its middle is seen.
    cells: array<vec4u, 4064>,
}

@group(0) @binding(13) var<uniform> seen_from: SeenFrom;

// Light that seen ground has in part, red, green and blue; orange, which those who do not tell red from green tell from all greens by its
// brightness. What is hidden is darker than it is.
const SEEN: vec3f = vec3f(1.0, 0.45, 0.02);
const SEEN_SHARE: f32 = 0.5;
const HIDDEN_SHARE: f32 = 0.45;

// Light from the ground at a unit normal, `bright` that of a white line there.
fn tinted_by_sight(n: vec3f, light: vec3f, bright: vec3f) -> vec3f {
    let away = n - seen_from.up;
    // Behind the Earth nothing is seen.
    let east = select(dot(away, seen_from.east), 1e9, dot(n, seen_from.up) < 0.0);
    let north = dot(away, seen_from.north);
    let cell = round(vec2f(east, -north));
    if dot(cell, cell) > seen_from.radius * seen_from.radius {
        return light;
    }
    let side = 2u * u32(seen_from.half) + 1u;
    let at = vec2u(clamp(cell + seen_from.half, vec2f(0.0), vec2f(2.0 * seen_from.half)));
    let bit = at.y * side + at.x;
    let word = seen_from.cells[bit / 128u][(bit / 32u) % 4u];
    if ((word >> (bit % 32u)) & 1u) != 0u {
        return mix(light, SEEN * bright, SEEN_SHARE);
    }
    return light * HIDDEN_SHARE;
}
