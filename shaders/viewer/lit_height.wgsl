// At which height does light fall on ground? The sea is level.

// Up to this value of the shading map's fourth channel there is no sea: see `ground.wgsl`.
const NO_SEA: f32 = -0.4;

fn lit_height_m(height_m: f32, sea_mark: f32) -> f32 {
    return select(height_m, max(height_m, 0.0), sea_mark > NO_SEA);
}
