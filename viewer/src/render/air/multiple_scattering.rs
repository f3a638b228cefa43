//! How bright is air by light that has been scattered more than once? Hillaire's (2020) sum over all orders.
//!
//! Light of the second order is taken as even in all directions. Then each further order is the one before times a factor
//! `f`, the share that the surroundings of a point send back to it, and all orders together are `second / (1 - f)`.

use glam::Vec3;
use rayon::prelude::*;

use super::grid::LightGrid;
use super::march::AirRay;
use super::model::{ALBEDO, TOP_M};
use super::transmittance::Transmittance;

/// Texels by the sun's zenith angle and by height.
const SIZE: [usize; 2] = [32, 16];
/// Directions round a point, by zenith angle and by azimuth; half a turn stands for the other half.
const DIRECTIONS: [u32; 2] = [8, 4];
/// Steps of a ray.
const STEPS: u32 = 20;
/// Scattering into all directions alike, per unit of solid angle.
const EVEN: f32 = 1.0 / (4.0 * std::f32::consts::PI);

/// Radiance by scattering of all orders above the first, under sunlight of unit irradiance.
///
/// A texel at (x, y) is for the sun's cosine `2 x - 1` and the height `TOP y^2`.
#[derive(Debug)]
pub struct MultipleScattering(LightGrid);

impl MultipleScattering {
    /// Integrates the table, in parallel.
    pub fn new(transmittance: &Transmittance) -> MultipleScattering {
        let texels = (0..SIZE[0] * SIZE[1]).into_par_iter().map(|i| {
            let (x, y) = LightGrid::place(SIZE, i);
            all_orders(transmittance, TOP_M * y * y, 2.0 * x - 1.0)
        });
        MultipleScattering(LightGrid { size: SIZE, texels: texels.collect() })
    }

    /// Radiance at a height, the sun at a cosine of its zenith angle.
    pub fn at(&self, height_m: f32, sun_cos: f32) -> Vec3 {
        self.0.sample(0.5 + 0.5 * sun_cos, (height_m / TOP_M).max(0.0).sqrt())
    }

    /// The table, for upload.
    pub fn grid(&self) -> &LightGrid {
        &self.0
    }
}

fn all_orders(transmittance: &Transmittance, height_m: f32, sun_cos: f32) -> Vec3 {
    let (mut second, mut returned) = (Vec3::ZERO, Vec3::ZERO);
    let sun_sin = (1.0 - sun_cos * sun_cos).max(0.0).sqrt();
    let [zeniths, azimuths] = DIRECTIONS;
    for i in 0..zeniths * azimuths {
        // Even cosines are even solid angles.
        let cos = ((i / azimuths) as f32 + 0.5) / zeniths as f32 * 2.0 - 1.0;
        let azimuth = ((i % azimuths) as f32 + 0.5) / azimuths as f32 * std::f32::consts::PI;
        let view_sun = cos * sun_cos + (1.0 - cos * cos).sqrt() * sun_sin * azimuth.cos();
        let (light, back) =
            first_order(transmittance, &AirRay::new(transmittance.air(), height_m, cos), sun_cos, view_sun);
        second += light;
        returned += back;
    }
    // The mean over directions is the integral times the even phase.
    let count = (zeniths * azimuths) as f32;
    second / count / (1.0 - returned / count)
}

/// Light of the first order that comes along a ray, scattered evenly, and the share of even light that comes back.
fn first_order(transmittance: &Transmittance, ray: &AirRay, sun_cos: f32, view_sun: f32) -> (Vec3, Vec3) {
    let (mut light, mut back, mut left) = (Vec3::ZERO, Vec3::ZERO, Vec3::ONE);
    let sun_cos_at = |height_m: f32, along_m: f32| {
        ((ray.air.radius_m + ray.height_m) * sun_cos + along_m * view_sun) / (ray.air.radius_m + height_m)
    };
    for step in ray.steps(STEPS) {
        let extinction = step.densities.extinction();
        let passed = (-extinction * step.length_m).exp();
        // Even light along the step, weakened on its way: exact for even air.
        let seen = left * step.densities.scattering() * (Vec3::ONE - passed) / extinction.max(Vec3::splat(1e-12));
        let sun = transmittance.of_sun(step.height_m, sun_cos_at(step.height_m, step.along_m));
        light += seen * sun * EVEN;
        back += seen;
        left *= passed;
    }
    if ray.to_sea {
        let sun_cos = sun_cos_at(0.0, ray.length_m);
        light += left * transmittance.of_sun(0.0, sun_cos) * sun_cos.max(0.0) * ALBEDO * std::f32::consts::FRAC_1_PI;
    }
    (light, back)
}

#[cfg(test)]
mod tests {
    use super::super::model::Air;
    use super::*;

    #[test]
    fn light_of_many_orders_is_a_part_of_the_sun_s_and_dies_with_it() {
        let table = MultipleScattering::new(&Transmittance::new(Air::EARTH));
        let (noon, dusk, night) = (table.at(0.0, 0.9), table.at(0.0, 0.0), table.at(0.0, -0.5));
        // Under a high sun the whole sky sends some tenths of the light that the sun does; more of the blue.
        let sky = noon * 4.0 * std::f32::consts::PI;
        assert!(sky.min_element() > 0.05 && sky.max_element() < 1.0 && sky.z > sky.x, "{sky}");
        assert!(dusk.max_element() < 0.5 * noon.max_element() && dusk.min_element() > 0.0, "{dusk}");
        assert!(night.max_element() < 1e-3 * noon.max_element(), "{night}");
    }
}
