// Which picture lies on the ground? One of the whole Earth, and one of a part of it on top.
//!import viewer/drawn
//!import viewer/drape_place
//!import viewer/atmosphere
//!import viewer/change
//!import viewer/overlays

// Colours times alpha.
@group(0) @binding(7) var imagery: texture_cube<f32>;
@group(0) @binding(8) var drape: texture_2d<f32>;
@group(0) @binding(9) var<uniform> drape_place: DrapePlace;

// Pictures from space are darker than maps.
const PICTURE_GAIN: f32 = 1.25;

// Where a unit normal is in the picture of a part.
fn place_in_drape(n: vec3f) -> vec2f {
    return vec2f(dot(n, drape_place.u.xyz), dot(n, drape_place.v.xyz)) / dot(n, drape_place.w.xyz);
}

// The colour of the ground at a unit normal: pictures over a tint.
fn draped(tint: vec3f, n: vec3f, change: Change) -> vec3f {
    var colour = tint;
    let right = turn(n, change.right_m);
    let down = turn(n, change.down_m);
    if (OVERLAYS & OVERLAY_IMAGERY) != 0u {
        let picture = textureSampleGrad(imagery, smooth_sampler, n, right, down);
        colour = colour * (1.0 - picture.a) + picture.rgb * PICTURE_GAIN;
    }
    if (OVERLAYS & OVERLAY_DRAPE) != 0u {
        let place = place_in_drape(n);
        let across = place_in_drape(n + right) - place;
        let along = place_in_drape(n + down) - place;
        let picture = textureSampleGrad(drape, smooth_sampler, place, across, along);
        let inside = dot(n, drape_place.w.xyz) > 0.2 && all(place >= vec2f(0.0)) && all(place <= vec2f(1.0));
        let covered = select(0.0, picture.a, inside);
        colour = colour * (1.0 - covered) + picture.rgb * (PICTURE_GAIN * f32(inside));
    }
    return colour;
}
