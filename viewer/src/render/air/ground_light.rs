//! How much light does level ground get? From the sun, and from all of the sky.

use glam::Vec3;
use rayon::prelude::*;

use super::grid::LightGrid;
use super::march::AirRay;
use super::model::{AEROSOL_SCATTERING, aerosol_phase, rayleigh_phase};
use super::multiple_scattering::MultipleScattering;
use super::sizes::{HIGHEST_LIGHT_M, LIGHT_HEIGHTS, LIGHT_SUNS, LOWEST_SUN_COS};
use super::transmittance::Transmittance;

const SIZE: [usize; 2] = [LIGHT_SUNS as usize, LIGHT_HEIGHTS as usize];
/// Directions of the sky, by zenith angle and by azimuth over half a turn.
const DIRECTIONS: [u32; 2] = [8, 6];
/// Steps of a ray.
const STEPS: u32 = 12;

/// Irradiance under sunlight of unit irradiance outside the air.
///
/// A texel at (x, y) is for the sun's cosine `LOWEST + (1 - LOWEST) x^2` and the height `HIGHEST y`.
#[derive(Debug)]
pub struct GroundLight {
    /// Sunlight on a surface that faces the sun.
    sun: LightGrid,
    /// Skylight on level ground.
    sky: LightGrid,
}

impl GroundLight {
    /// Integrates the tables, in parallel.
    pub fn new(transmittance: &Transmittance, multiple: &MultipleScattering) -> GroundLight {
        let grid = |light: &(dyn Fn(f32, f32) -> Vec3 + Sync)| {
            let texel = |i| {
                let (x, y) = LightGrid::place(SIZE, i);
                light(HIGHEST_LIGHT_M * y, LOWEST_SUN_COS + (1.0 - LOWEST_SUN_COS) * x * x)
            };
            LightGrid { size: SIZE, texels: (0..SIZE[0] * SIZE[1]).into_par_iter().map(texel).collect() }
        };
        GroundLight {
            sun: grid(&|height_m, sun_cos| transmittance.of_sun(height_m, sun_cos)),
            sky: grid(&|height_m, sun_cos| sky_light(transmittance, multiple, height_m, sun_cos)),
        }
    }

    /// Light on a surface that faces the sun, from the sun; and on level ground, from the sky.
    #[cfg(test)]
    pub fn at(&self, height_m: f32, sun_cos: f32) -> (Vec3, Vec3) {
        let x = ((sun_cos - LOWEST_SUN_COS) / (1.0 - LOWEST_SUN_COS)).max(0.0).sqrt();
        let y = height_m / HIGHEST_LIGHT_M;
        (self.sun.sample(x, y), self.sky.sample(x, y))
    }

    /// Light from the sun, for upload.
    pub fn sun(&self) -> &LightGrid {
        &self.sun
    }

    /// Green light from the sky, for upload; its colour hardly changes.
    pub fn sky_green(&self) -> impl Iterator<Item = f32> {
        self.sky.texels.iter().map(|light| light.y)
    }
}

fn sky_light(transmittance: &Transmittance, multiple: &MultipleScattering, height_m: f32, sun_cos: f32) -> Vec3 {
    let [zeniths, azimuths] = DIRECTIONS;
    let sun_sin = (1.0 - sun_cos * sun_cos).max(0.0).sqrt();
    let direction = |i: u32| {
        // Even squares of the cosine are even shares of what level ground sees.
        let cos = (((i / azimuths) as f32 + 0.5) / zeniths as f32).sqrt();
        let azimuth = ((i % azimuths) as f32 + 0.5) / azimuths as f32 * std::f32::consts::PI;
        let view_sun = cos * sun_cos + (1.0 - cos * cos).sqrt() * sun_sin * azimuth.cos();
        scattered(transmittance, multiple, &AirRay::new(transmittance.air(), height_m, cos), sun_cos, view_sun, STEPS)
    };
    let count = zeniths * azimuths;
    (0..count).map(direction).sum::<Vec3>() * std::f32::consts::PI / count as f32
}

/// Light that the air along a ray scatters back to its start; `view_sun` is the cosine between ray and sun.
pub fn scattered(
    transmittance: &Transmittance,
    multiple: &MultipleScattering,
    ray: &AirRay,
    sun_cos: f32,
    view_sun: f32,
    steps: u32,
) -> Vec3 {
    let (mut light, mut left) = (Vec3::ZERO, Vec3::ONE);
    for step in ray.steps(steps) {
        let along = ((ray.air.radius_m + ray.height_m) * sun_cos + step.along_m * view_sun)
            / (ray.air.radius_m + step.height_m);
        let once = step.densities.rayleigh * rayleigh_phase(view_sun)
            + AEROSOL_SCATTERING * step.densities.aerosol * aerosol_phase(view_sun);
        let more = step.densities.scattering() * multiple.at(step.height_m, along);
        let source = once * transmittance.of_sun(step.height_m, along) + more;
        let extinction = step.densities.extinction();
        let passed = (-extinction * step.length_m).exp();
        light += left * source * (Vec3::ONE - passed) / extinction.max(Vec3::splat(1e-12));
        left *= passed;
    }
    light
}

#[cfg(test)]
mod tests {
    use super::super::model::Air;
    use super::*;

    #[test]
    fn the_sky_is_blue_at_noon_and_red_beside_a_low_sun() {
        let transmittance = Transmittance::new(Air::EARTH);
        let multiple = MultipleScattering::new(&transmittance);
        let seen = |cos: f32, sun_cos: f32| {
            // Towards the sun's side.
            let view_sun = cos * sun_cos + ((1.0 - cos * cos) * (1.0 - sun_cos * sun_cos)).sqrt();
            scattered(&transmittance, &multiple, &AirRay::new(Air::EARTH, 2.0, cos), sun_cos, view_sun, 200)
        };
        let noon = seen(0.9, 0.7);
        assert!(noon.z > 2.0 * noon.x, "{noon}");
        let dusk = seen(0.02, 0.01);
        assert!(dusk.x > 1.5 * dusk.z, "{dusk}");
    }

    #[test]
    fn ground_gets_what_is_known() {
        let transmittance = Transmittance::new(Air::EARTH);
        let light = GroundLight::new(&transmittance, &MultipleScattering::new(&transmittance));
        // Under a high sun on a clear day a tenth of the light comes from the sky, more of the blue than of the red.
        let (sun, sky) = light.at(0.0, 0.87);
        let share = sky / (sky + 0.87 * sun);
        assert!((0.03..0.12).contains(&share.x) && (0.12..0.35).contains(&share.z), "{share}");
        assert_eq!(light.at(0.0, -0.3).0, Vec3::ZERO);
        assert!(light.at(8_000.0, 0.5).0.z > light.at(0.0, 0.5).0.z);
    }

    /// The shader takes one colour for all light of the sky.
    #[test]
    fn the_sky_s_light_keeps_its_colour_by_day() {
        for air in [Air::EARTH, Air::MARS] {
            let transmittance = Transmittance::new(air);
            let light = GroundLight::new(&transmittance, &MultipleScattering::new(&transmittance));
            for (height_m, sun_cos) in [(0.0, 1.0), (0.0, 0.4), (0.0, 0.15), (5_000.0, 0.7), (8_000.0, 0.3)] {
                let sky = light.at(height_m, sun_cos).1;
                assert!((sky / sky.y - air.sky).abs().max_element() < 0.3, "{height_m} m, {sun_cos}: {}", sky / sky.y);
            }
        }
    }
}
