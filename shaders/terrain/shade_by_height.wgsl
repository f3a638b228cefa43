// What colour has the ground, to begin with? Blue below the datum, green to white above it, a light from the north-west.

fn shade(ground: Ground) -> vec4f {
    let up = normalize(ground.up);
    let east = normalize(cross(vec3f(0.0, 0.0, 1.0), up) + vec3f(0.0, 1e-6, 0.0));
    let sun = normalize(up + cross(up, east) - east);
    let light = 0.35 + 0.9 * max(dot(normalize(ground.normal), sun), 0.0);
    let sea = mix(vec3f(0.05, 0.15, 0.35), vec3f(0.25, 0.5, 0.65), smoothstep(-6000.0, 0.0, ground.height_m));
    let land = mix(vec3f(0.3, 0.45, 0.2), vec3f(0.9, 0.88, 0.85), smoothstep(0.0, 4000.0, ground.height_m));
    return vec4f(light * select(sea, land, ground.height_m > 0.0), 1.0);
}
