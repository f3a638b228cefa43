// Which picture lies on the ground? One of the whole Earth, and one of a part of it on top.
//!import viewer/drawn
//!import viewer/drape_place
//!import viewer/atmosphere

// Twins: `Shade::IMAGERY` and `Shade::DRAPE` of viewer/src/render/shade.rs.
const SHADE_IMAGERY: u32 = 32u;
const SHADE_DRAPE: u32 = 64u;

// Colours times alpha.
@group(0) @binding(7) var imagery: texture_cube<f32>;
@group(0) @binding(8) var drape: texture_2d<f32>;
@group(0) @binding(9) var<uniform> drape_place: DrapePlace;

// Pictures from space are darker than maps.
const PICTURE_GAIN: f32 = 1.25;

// The colour of the ground at a unit normal: pictures over a tint.
fn draped(tint: vec3f, n: vec3f) -> vec3f {
    var colour = tint;
    if (SHADE & SHADE_IMAGERY) != 0u {
        let picture = textureSample(imagery, smooth_sampler, n);
        colour = colour * (1.0 - picture.a) + picture.rgb * PICTURE_GAIN;
    }
    if (SHADE & SHADE_DRAPE) != 0u {
        let w = dot(n, drape_place.w.xyz);
        let place = vec2f(dot(n, drape_place.u.xyz), dot(n, drape_place.v.xyz)) / w;
        let picture = textureSample(drape, smooth_sampler, place);
        let inside = w > 0.2 && all(place >= vec2f(0.0)) && all(place <= vec2f(1.0));
        let covered = select(0.0, picture.a, inside);
        colour = colour * (1.0 - covered) + picture.rgb * (PICTURE_GAIN * f32(inside));
    }
    return colour;
}
