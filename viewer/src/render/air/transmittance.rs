//! What is left of sunlight at a height? A table by height and zenith angle.

use glam::Vec3;
use rayon::prelude::*;

use super::grid::LightGrid;
use super::march::AirRay;
use super::model::{Air, SUN_SINE, TOP_M, horizon_cos};

/// Texels by zenith angle and by height.
const SIZE: [usize; 2] = [128, 48];
/// Steps of a ray.
const STEPS: u32 = 40;

/// Transmittance from points in the air to space, for directions above the sea's horizon.
///
/// A texel at (x, y) is for the height `TOP y^2` and the cosine `h + (1 - h) x^2`, where h is that of the horizon: both
/// are finest where the air is densest.
#[derive(Debug)]
pub struct Transmittance {
    air: Air,
    grid: LightGrid,
}

impl Transmittance {
    /// Integrates the table, in parallel.
    pub fn new(air: Air) -> Transmittance {
        let texels = (0..SIZE[0] * SIZE[1])
            .into_par_iter()
            .map(|i| {
                let (x, y) = LightGrid::place(SIZE, i);
                let height_m = TOP_M * y * y;
                let horizon = horizon_cos(air.radius_m.into(), height_m.into()) as f32;
                along(&AirRay::to_space(air, height_m, horizon + (1.0 - horizon) * x * x))
            })
            .collect();
        Transmittance { air, grid: LightGrid { size: SIZE, texels } }
    }

    /// What is left of light at a height from a direction above the horizon.
    pub fn of_space(&self, height_m: f32, cos: f32) -> Vec3 {
        let horizon = horizon_cos(self.air.radius_m.into(), height_m.into()) as f32;
        let x = ((cos - horizon) / (1.0 - horizon)).max(0.0).sqrt();
        self.grid.sample(x, (height_m / TOP_M).max(0.0).sqrt())
    }

    /// What is left of sunlight at a height; the sun sets behind the sea's horizon.
    pub fn of_sun(&self, height_m: f32, sun_cos: f32) -> Vec3 {
        let above = sun_cos - horizon_cos(self.air.radius_m.into(), height_m.into()) as f32;
        let t = (0.5 + 0.5 * above / SUN_SINE).clamp(0.0, 1.0);
        self.of_space(height_m, sun_cos) * t * t * (3.0 - 2.0 * t)
    }

    /// The air that it is of.
    pub fn air(&self) -> Air {
        self.air
    }

    /// The table, for upload.
    pub fn grid(&self) -> &LightGrid {
        &self.grid
    }
}

/// What is left after a ray.
pub fn along(ray: &AirRay) -> Vec3 {
    let depth = ray.steps(STEPS).fold(Vec3::ZERO, |depth, step| depth + step.densities.extinction() * step.length_m);
    (-depth).exp()
}

#[cfg(test)]
mod tests {
    use super::super::model::{AEROSOL, AEROSOL_HEIGHT_M, OZONE, OZONE_REACH_M, RAYLEIGH, RAYLEIGH_HEIGHT_M};
    use super::*;

    #[test]
    fn overhead_light_loses_what_the_columns_of_air_take() {
        let column = RAYLEIGH * RAYLEIGH_HEIGHT_M + AEROSOL * AEROSOL_HEIGHT_M + OZONE * OZONE_REACH_M;
        let got = Transmittance::new(Air::EARTH).of_space(0.0, 1.0);
        assert!((got - (-column).exp()).abs().max_element() < 2e-3, "{got}");
    }

    #[test]
    fn a_setting_sun_is_red_and_then_gone() {
        let table = Transmittance::new(Air::EARTH);
        let low = table.of_sun(0.0, 0.02);
        assert!(low.x > 2.0 * low.y && low.y > 4.0 * low.z, "{low}");
        assert_eq!(table.of_sun(0.0, -0.01), Vec3::ZERO);
        // From 10 km the horizon is 3.2 degrees down, and the sun is seen to set later.
        assert!(table.of_sun(10_000.0, -0.03).x > 0.01);
        assert!((table.of_space(TOP_M, 0.3) - 1.0).abs().max_element() < 1e-3);
    }

    #[test]
    fn the_table_is_near_the_integral() {
        let table = Transmittance::new(Air::EARTH);
        for (height_m, cos) in [(50.0, 0.003), (1_234.0, 0.1), (5_000.0, -0.01), (20_000.0, 0.5), (60_000.0, -0.1)] {
            let (got, want) = (table.of_space(height_m, cos), along(&AirRay::to_space(Air::EARTH, height_m, cos)));
            assert!((got - want).abs().max_element() < 0.01, "{height_m} m, {cos}: {got} for {want}");
        }
    }
}
