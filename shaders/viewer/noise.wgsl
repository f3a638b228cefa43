// What is rough at a scale, the same at every look? Gradient noise (K. Perlin, 1985) on cells that are fixed to the Earth.
// Cells are counted in integers from its middle, so that a place a hand's breadth away has noise of its own.
//!import viewer/frame

struct Noise {
    // About -1 to 1.
    value: f32,
    // Change of the value over a cell, on ECEF axes.
    gradient: vec3f,
}

fn noise_gradient(cell: vec3i) -> vec3f {
    let products = bitcast<vec3u>(cell) * vec3u(0x8da6b343u, 0xd8163841u, 0xcb1ab31fu);
    var hash = products.x ^ products.y ^ products.z;
    hash = (hash ^ (hash >> 15u)) * 0x2c1b3c6du;
    hash = hash ^ (hash >> 12u);
    return vec3f((vec3u(hash) >> vec3u(0u, 11u, 22u)) & vec3u(1023u)) * (2.0 / 1023.0) - 1.0;
}

// Noise in cells of 2^octave grains, at a place in metres from the eye, moved by `drift` cells.
fn noise(from_eye_m: vec3f, octave: u32, drift: vec3f) -> Noise {
    let cells = 1.0 / f32(1u << octave);
    let base = frame.eye_grains >> vec3u(octave);
    let inside = vec3f(frame.eye_grains - (base << vec3u(octave))) + frame.eye_grain_part;
    let at = inside * cells + from_eye_m * (cells / GRAIN_M) + drift;
    let corner = floor(at);
    let f = at - corner;
    let cell = base + vec3i(corner);
    // Quintic weights and their slopes.
    let w = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    let dw = 30.0 * f * f * (f * (f - 2.0) + 1.0);
    var value = 0.0;
    var gradient = vec3f(0.0);
    for (var i = 0u; i < 8u; i++) {
        let side = vec3u(i, i >> 1u, i >> 2u) & vec3u(1u);
        let part = vec3f(side);
        let slope = noise_gradient(cell + vec3i(side));
        let height = dot(slope, f - part);
        let weight = mix(1.0 - w, w, part);
        let change = mix(-dw, dw, part);
        let product = weight.x * weight.y * weight.z;
        value += product * height;
        gradient += product * slope
            + height * vec3f(change.x * weight.y * weight.z, weight.x * change.y * weight.z, weight.x * weight.y * change.z);
    }
    return Noise(value, gradient);
}

// How much of an octave a pixel may show that covers `pixel_m` of the ground: nothing that is finer than two pixels.
fn resolved(octave: u32, pixel_m: f32) -> f32 {
    let cell_m = GRAIN_M * f32(1u << octave);
    return smoothstep(1.5, 4.0, cell_m / pixel_m);
}

// The finest octave of which a pixel shows something.
fn finest_octave(pixel_m: f32) -> u32 {
    return u32(max(ceil(log2(max(1.5 * pixel_m, GRAIN_M) / GRAIN_M)), 0.0));
}
