// What colour is the ground? Tint by height, relief by the sun, air in front of it. The same for whoever finds out what a
// pixel sees: a fragment shader, or a compute shader after the rasteriser.
//!import viewer/drawn
//!import viewer/water
//!import viewer/drape
//!import viewer/markings
//!import viewer/detail

// Heights in metres and surface gradients by direction: see `ShadeCube` of terrain/src/height/shade_cube.rs; and whether
// ground below 0 m is under the sea.
@group(0) @binding(1) var relief: texture_cube<f32>;
@group(0) @binding(2) var ramp: texture_2d<f32>;

// The sky's light is shown brighter than it is: shadows on maps are to be read.
const SKY_GAIN: f32 = 1.5;
// Relief at a great distance is shaded this much steeper than it is, as relief maps do: true slopes, averaged over
// kilometres, are too gentle to see.
const FAR_RELIEF: f32 = 11.0;

// What a pixel sees of the mesh.
struct SeenGround {
    // From the eye, metres.
    position_m: vec3f,
    // Unit geodetic normal.
    n: vec3f,
    // Of the mesh, metres above the datum.
    height_m: f32,
    // Level of the shading maps.
    level: f32,
    // Surface gradient of the mesh (tangent, metres a metre) times its weight over the maps'.
    gradient: vec3f,
    // That weight.
    own: f32,
}

// What the maps and the mesh say about it together.
struct GroundPoint {
    // Of the data, however high it is drawn.
    height_m: f32,
    // Tangent surface gradient, as it is drawn.
    gradient: vec3f,
    // Whether it is under the sea where it is below 0 m.
    sea: f32,
}

// Tangent surface gradient at n from the two smooth components of the map.
fn map_gradient(n: vec3f, ab: vec2f) -> vec3f {
    let r2 = max(n.x * n.x + n.y * n.y, 1e-8);
    return (ab.x * vec3f(-n.y, n.x, 0.0) + ab.y * vec3f(-n.z * n.x, -n.z * n.y, r2)) / r2;
}

// The ramp has the sea in its left half and land in its right one, finer near the coast. Colours are stored with gamma 2.
fn sea_tint(height_m: f32, sin_lat: f32) -> vec3f {
    let place = 0.499 - 0.499 * sqrt(clamp(height_m * (-1.0 / 11000.0), 0.0, 1.0));
    let root = textureSampleLevel(ramp, smooth_sampler, vec2f(place, 0.5 + 0.5 * sin_lat), 0.0).rgb;
    return root * root;
}

fn land_tint(height_m: f32, sin_lat: f32) -> vec3f {
    let place = 0.501 + 0.499 * sqrt(clamp(height_m * (1.0 / 9000.0), 0.0, 1.0));
    let root = textureSampleLevel(ramp, smooth_sampler, vec2f(place, 0.5 + 0.5 * sin_lat), 0.0).rgb;
    return root * root;
}

// Most pixels are either: only the coast reads both halves of the ramp.
fn height_tint(height_m: f32, land: f32, sin_lat: f32) -> vec3f {
    if land >= 1.0 {
        return land_tint(height_m, sin_lat);
    }
    let sea = sea_tint(height_m, sin_lat);
    if land <= 0.0 {
        return sea;
    }
    return mix(sea, land_tint(height_m, sin_lat), land);
}

// Looks a place up in the maps.
fn ground_point(seen: SeenGround) -> GroundPoint {
    let map = textureSampleLevel(relief, smooth_sampler, seen.n, seen.level);
    let height_m = mix(map.r, seen.height_m / frame.exaggeration, seen.own);
    let gradient = (1.0 - seen.own) * frame.exaggeration * map_gradient(seen.n, map.gb) + seen.gradient;
    return GroundPoint(height_m, gradient, map.a);
}

// What the picture shows of the ground; `change` from this pixel to the next ones.
fn ground_colour(seen: SeenGround, point: GroundPoint, change: Change) -> vec3f {
    let distance_m = length(seen.position_m);
    let n = seen.n;
    let own = seen.own;
    let height_m = point.height_m;
    // How much of the pixel is land: the coast is a smooth line one pixel wide. Flat ground at 0 m is land.
    let land = clamp(height_m / max(change.height_m, 0.5) + 1.0, 0.0, 1.0);

    // Slopes averaged over kilometres are gentler than the ground: shade them steeper, the more so from afar.
    let relief = mix(3.0, 1.25, own) + FAR_RELIEF * distance_m / (distance_m + 600000.0);
    let gradient = point.gradient;
    let view = seen.position_m / distance_m;
    var turned = gradient * relief;
    var rough = 1.0;
    if (SHADE & SHADE_DETAIL) != 0u {
        let posting_m = exp2(mix(log2(frame.posting_m), log2(frame.fine_posting_m), own));
        let detail = detail_at(seen.position_m, n, view, gradient, posting_m);
        turned += 1.25 * land * detail.gradient;
        rough = mix(1.0, detail.shade, land);
    }
    let normal = normalize(n - turned * (0.8 + 0.2 * land));

    var tint = height_tint(height_m, land, n.z);
    tint = draped(tint, n, change) * rough;
    if (SHADE & SHADE_SLOPE) != 0u {
        tint = slope_tint(length(gradient) / frame.exaggeration);
    }
    if (SHADE & SHADE_ASPECT) != 0u {
        tint = aspect_tint(gradient / frame.exaggeration, n);
    }
    if (SHADE & SHADE_CONTOURS) != 0u {
        tint = mix(tint, mix(ISOBATH, CONTOUR, land), 0.7 * contours(height_m, change.height_m));
    }

    let facing = dot(normal, frame.sun);
    let ground = light_at(height_m, dot(n, frame.sun));
    // The sun, then the light of the sky, which steep ground sees less of, and a night that one can still read.
    let soft = max(0.82 * facing + 0.18, 0.0);
    let lit = ground.sun * soft + (SKY_GAIN * ground.sky + NIGHT) * (0.55 + 0.45 * dot(normal, n));
    var light = tint * lit;

    let ray = normalize(seen.position_m * SPHERE_FROM_EARTH);
    let eye_cos = dot(ray, frame.sphere_up);
    let air = airlight(ray, eye_cos);
    var up = n;
    var seen_m = height_m * frame.exaggeration;
    if (SHADE & SHADE_WATER) != 0u && land < 1.0 && point.sea > 0.5 && eye_cos < frame.horizon_cos {
        let sea = sea_along(ray, eye_cos);
        let body = mix(DEEP * (ground.sun * max(dot(n, frame.sun), 0.0) + ground.sky + NIGHT), light, clarity(view, sea.up));
        light = mix(water_light(view, sea, body, ground), light, land);
        up = sea.up;
        seen_m = 0.0;
    }
    if (SHADE & SHADE_GRATICULE) != 0u {
        light = mix(light, 0.9 * (ground.sun + ground.sky + NIGHT), 0.4 * graticule(n, change));
    }
    return develop(behind_air(light, air, ray, eye_cos, up, seen_m));
}
