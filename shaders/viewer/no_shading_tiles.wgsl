// What takes the place of `terrain/shading` where no data are finer than the maps? Nothing.

struct ShadingPoint {
    gradient: vec3f,
    height_m: f32,
    fine: f32,
    enlarged: f32,
}

fn shading_at(position_m: vec3f, n: vec3f, asked: bool) -> ShadingPoint {
    return ShadingPoint(vec3f(0.0), 0.0, 0.0, 0.0);
}
