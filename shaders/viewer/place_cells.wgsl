// What is known of the cells around a place? Whether they are seen from it, or their hours of sun, in the azimuthal equidistant projection of
// the place.
//!import viewer/tints

struct PlaceCells {
    // Unit normal there.
    up: vec3f,
    // Cells from the middle one to the rim.
    half: f32,
    // Eastwards there, in cells a radian.
    east: vec3f,
    // How far they are known, in cells; a cell whose middle is farther away is none.
    radius: f32,
    // Northwards there, in cells a radian.
    north: vec3f,
    // The hours of sun that the lightest colour is for; 0 where it is known whether cells are seen.
    most_hours: f32,
    // A bit a cell, rows from north to south: 1 where its middle is seen; or a byte a cell: 255 of 24 hours.
    cells: array<vec4u, 4064>,
}

@group(0) @binding(13) var<uniform> place_cells: PlaceCells;

// Light that seen ground has in part, red, green and blue; orange, which those who do not tell red from green tell from all greens by its
// brightness. What is hidden is darker than it is.
const SEEN: vec3f = vec3f(1.0, 0.45, 0.02);
const SEEN_SHARE: f32 = 0.5;
const HIDDEN_SHARE: f32 = 0.45;
// The part of the light that the colour of hours of sun has.
const SUN_SHARE: f32 = 0.65;

// Light from the ground at a unit normal, `bright` that of a white line there.
fn tinted_by_cells(n: vec3f, light: vec3f, bright: vec3f) -> vec3f {
    let away = n - place_cells.up;
    // Behind the Earth nothing is known.
    let east = select(dot(away, place_cells.east), 1e9, dot(n, place_cells.up) < 0.0);
    let north = dot(away, place_cells.north);
    let cell = round(vec2f(east, -north));
    // Before anything is known the radius is 0.
    if place_cells.radius == 0.0 || dot(cell, cell) > place_cells.radius * place_cells.radius {
        return light;
    }
    let side = 2u * u32(place_cells.half) + 1u;
    let at = vec2u(clamp(cell + place_cells.half, vec2f(0.0), vec2f(2.0 * place_cells.half)));
    let number = at.y * side + at.x;
    if place_cells.most_hours > 0.0 {
        let four = place_cells.cells[number / 16u][(number / 4u) % 4u];
        let hours = f32((four >> (8u * (number % 4u))) & 255u) * (24.0 / 255.0);
        return mix(light, sun_tint(saturate(hours / place_cells.most_hours)) * bright, SUN_SHARE);
    }
    let word = place_cells.cells[number / 128u][(number / 32u) % 4u];
    if ((word >> (number % 32u)) & 1u) != 0u {
        return mix(light, SEEN * bright, SEEN_SHARE);
    }
    return light * HIDDEN_SHARE;
}
