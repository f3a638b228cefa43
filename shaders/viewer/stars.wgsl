// How bright are the stars around a ray?
//!import viewer/atmosphere
//!import viewer/star_cells

// Texels of cells, then of stars.
@group(0) @binding(10) var stars: texture_2d<u32>;

// A star's light over the pixels around it, as of a lens: the square of its spread, in pixels.
const STAR_SPREAD_PX2: f32 = 0.4;
// What the brightest pixel of a star of magnitude 6 is in the picture before gamma, at night.
const FAINTEST_STAR: f32 = 0.02;
// The sky at which no star is seen any more, in the picture before gamma.
const STARLESS_SKY: f32 = 0.03;

// Light of a star by its colour index: blue, white, orange.
fn star_colour(colour_index: f32) -> vec3f {
    let warm = saturate((colour_index + 0.3) / 0.7);
    let hot = mix(vec3f(0.75, 0.87, 1.0), vec3f(1.0), warm);
    return mix(hot, vec3f(1.0, 0.72, 0.45), saturate((colour_index - 0.4) / 1.3));
}

// Light along a unit ray, so that the picture shows it as if exposed for the night, behind the light of the air in `front`.
fn starlight(ray: vec3f, cos_zenith: f32, front: vec3f) -> vec3f {
    let seen = 1.0 - saturate(frame.exposure * max(front.r, max(front.g, front.b)) / STARLESS_SKY);
    if seen <= 0.0 {
        return vec3f(0.0);
    }
    // What a pixel sees, away from the middle of the picture.
    let half_height = length(frame.ray_up);
    let off_axis = dot(ray, frame.ray_forward);
    let pixel_rad = frame.pixel_rad * half_height / atan(half_height) * off_axis * sqrt(off_axis);
    let toward = vec3f(dot(frame.stars_x, ray), dot(frame.stars_y, ray), dot(frame.stars_z, ray));
    let cell = textureLoad(stars, star_cell(toward), 0);
    var light = vec3f(0.0);
    for (var number = cell.x; number < cell.x + cell.y; number++) {
        let star = textureLoad(stars, vec2u(number % STAR_CELLS, number / STAR_CELLS), 0);
        let apart = toward - bitcast<vec3f>(star.xyz);
        let apart2 = dot(apart, apart);
        let about = STAR_SCALE * unpack2x16snorm(star.w);
        let pixels2 = apart2 / (pixel_rad * pixel_rad);
        // In pictures of few pixels the reach is what limits it.
        let within = saturate(1.0 - apart2 / (STAR_REACH_RAD * STAR_REACH_RAD));
        let part = exp2(-1.442695 / (2.0 * STAR_SPREAD_PX2) * pixels2) * within;
        // Five magnitudes are a hundred times the light.
        light += exp2(1.3287712 * (6.0 - about.x)) * part * star_colour(about.y);
    }
    return light * after_air(cos_zenith) * (seen * FAINTEST_STAR / frame.exposure);
}
