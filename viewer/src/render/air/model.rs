//! What is the air made of? Three parts, each with a density that depends on the height alone.
//!
//! Coefficients are those of a day of clean air (Bruneton 2017), for the primaries of sRGB. Scattering by molecules is that of 640, 549 and
//! 455 nm, which gives sky and low sun the colours that all wavelengths together do. Absorption by ozone is the mean over the band of each primary: it is
//! strongest at 600 nm. With that of 680, 550 and 440 nm more red than green passes, and long ways through the air are lilac.
//! The shaders' are generated from these: `shaders/viewer/air_model.wgsl`.

use glam::Vec3;
use kernels::device;
use terrain::geodesy::Ellipsoid;
use terrain::geodesy::single::{AXIS_RATIO, SEMI_MAJOR_M};

/// Radius of the sea, metres: the equator's, which every direction has in the space of the tables.
#[device]
pub const RADIUS_M: f32 = SEMI_MAJOR_M;
/// What takes places of the Earth to that space: the ellipsoid becomes a sphere, and lines stay lines.
#[device]
pub const SPHERE_FROM_EARTH: Vec3 = Vec3::new(1.0, 1.0, 1.0 / AXIS_RATIO);
/// Above this height there is no air, metres.
#[device]
pub const TOP_M: f32 = 100_000.0;

/// Scattering by molecules at sea level, a metre.
#[device]
pub const RAYLEIGH: Vec3 = Vec3::new(7.39e-6, 13.66e-6, 28.95e-6);
/// Height over which the density of molecules falls by e, metres.
#[device]
pub const RAYLEIGH_HEIGHT_M: f32 = 8_000.0;
/// Scattering by aerosol at sea level, a metre.
#[device]
pub const AEROSOL_SCATTERING: f32 = 3.996e-6;
/// Scattering and absorption by aerosol at sea level, a metre: a tenth is absorbed.
#[device]
pub const AEROSOL: f32 = 4.44e-6;
/// Height over which the density of aerosol falls by e, metres.
#[device]
pub const AEROSOL_HEIGHT_M: f32 = 1_200.0;
/// Absorption by ozone where it is densest, a metre.
#[device]
pub const OZONE: Vec3 = Vec3::new(2.15e-6, 1.86e-6, 0.20e-6);
/// Height where ozone is densest, metres.
#[device]
pub const OZONE_MIDDLE_M: f32 = 25_000.0;
/// From there to where it ends, metres.
#[device]
pub const OZONE_REACH_M: f32 = 15_000.0;
/// Forward scattering of aerosol: the mean cosine of the angle.
#[device]
pub const AEROSOL_FORWARD: f32 = 0.8;
/// What ground and sea reflect, for light that comes back up.
pub const ALBEDO: f32 = 0.3;
/// Sine of the angle between the sun's middle and its edge.
#[device]
pub const SUN_SINE: f32 = 0.004_65;

/// The air around a planet: as that of the Earth, which bends with it, and as dense; none where others have air of their own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Air {
    /// Radius of the sphere that it lies on, metres: the equator's.
    pub radius_m: f32,
    /// Its density over that of the Earth.
    pub share: f32,
}

/// What stands for no air: the shaders divide by it.
const NO_AIR: f32 = 1e-6;

impl Air {
    /// That of the Earth.
    #[cfg(test)]
    pub const EARTH: Air = Air { radius_m: RADIUS_M, share: 1.0 };

    /// That of a planet.
    pub fn of(ellipsoid: Ellipsoid) -> Air {
        let share = if ellipsoid == Ellipsoid::WGS84 { 1.0 } else { NO_AIR };
        Air { radius_m: ellipsoid.semi_major_m() as f32, share }
    }

    /// What shaders have in place of the Earth's air, in WGSL, by the names under which a composer replaces it: nothing for that.
    pub fn replacements(self) -> Vec<(&'static str, String)> {
        if self.share == 1.0 {
            return Vec::new();
        }
        let of_three = |light: Vec3| format!("vec3f({}f, {}f, {}f)", light.x, light.y, light.z);
        let all = [
            ("viewer::render::air::model::RAYLEIGH", "vec3f", of_three(RAYLEIGH * self.share)),
            ("viewer::render::air::model::OZONE", "vec3f", of_three(OZONE * self.share)),
            ("viewer::render::air::model::AEROSOL", "f32", format!("{}f", AEROSOL * self.share)),
            ("viewer::render::air::model::AEROSOL_SCATTERING", "f32", format!("{}f", AEROSOL_SCATTERING * self.share)),
        ];
        let item = |(name, kind, value): (&'static str, &str, String)| {
            let last = name.rsplit("::").next().unwrap_or(name);
            (name, format!("const {last}: {kind} = {value};"))
        };
        all.map(item).into()
    }
}

/// Densities relative to the densest of the Earth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Densities {
    /// Of molecules.
    pub rayleigh: f32,
    /// Of aerosol.
    pub aerosol: f32,
    /// Of ozone.
    pub ozone: f32,
}

impl Densities {
    /// Light scattered out of its way or absorbed, a metre.
    pub fn extinction(&self) -> Vec3 {
        RAYLEIGH * self.rayleigh + AEROSOL * self.aerosol + OZONE * self.ozone
    }

    /// Light scattered, a metre.
    pub fn scattering(&self) -> Vec3 {
        RAYLEIGH * self.rayleigh + AEROSOL_SCATTERING * self.aerosol
    }
}

/// Cosine of the zenith angle under which the sea's horizon is seen from a height, metres, over a sphere of a radius.
pub fn horizon_cos(radius_m: f64, height_m: f64) -> f64 {
    let height_m = height_m.max(0.0);
    // 1 - (R / (R + h))^2, without the difference of nearly equal numbers.
    -(height_m * (2.0 * radius_m + height_m)).sqrt() / (radius_m + height_m)
}

/// Cosine of the zenith angle above which there is no air to be seen from a height: 1 from inside.
pub fn top_cos(radius_m: f64, height_m: f64) -> f64 {
    let above_m = height_m - f64::from(TOP_M);
    if above_m <= 0.0 {
        return 1.0;
    }
    let top_m = radius_m + f64::from(TOP_M);
    -(above_m * (2.0 * top_m + above_m)).sqrt() / (top_m + above_m)
}

/// Share of light scattered into a unit of solid angle by molecules.
pub fn rayleigh_phase(cos: f32) -> f32 {
    3.0 / (16.0 * std::f32::consts::PI) * (1.0 + cos * cos)
}

/// The same by aerosol: W. M. Cornette and J. G. Shanks (1992).
pub fn aerosol_phase(cos: f32) -> f32 {
    let g = AEROSOL_FORWARD;
    let scale = 3.0 * (1.0 - g * g) / (8.0 * std::f32::consts::PI * (2.0 + g * g));
    scale * (1.0 + cos * cos) / (1.0 + g * g - 2.0 * g * cos).powf(1.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Integral over the sphere of a function of the cosine.
    fn over_the_sphere(phase: impl Fn(f32) -> f32) -> f64 {
        let n = 20_000;
        let cos = |i| (i as f32 + 0.5) / n as f32 * 2.0 - 1.0;
        (0..n).map(|i| f64::from(phase(cos(i)))).sum::<f64>() * 4.0 * std::f64::consts::PI / f64::from(n)
    }

    #[test]
    fn scattering_loses_no_light() {
        assert!((over_the_sphere(rayleigh_phase) - 1.0).abs() < 1e-4);
        assert!((over_the_sphere(aerosol_phase) - 1.0).abs() < 1e-3);
    }

    #[test]
    fn the_horizon_sinks_as_one_rises() {
        assert_eq!(horizon_cos(f64::from(RADIUS_M), 0.0), 0.0);
        // 100 m: 0.32 degrees down. From a radius up, 30 degrees from the nadir.
        assert!((horizon_cos(f64::from(RADIUS_M), 100.0).asin().to_degrees() + 0.3209).abs() < 1e-3);
        assert!((horizon_cos(f64::from(RADIUS_M), f64::from(RADIUS_M)) + 0.75f64.sqrt()).abs() < 1e-9);
        assert_eq!(top_cos(f64::from(RADIUS_M), 50_000.0), 1.0);
        assert!(top_cos(f64::from(RADIUS_M), 1e6) > horizon_cos(f64::from(RADIUS_M), 1e6));
    }

    #[test]
    fn the_shader_is_what_this_file_generates() {
        const MODEL: &str = device::module!(
            RADIUS_M,
            SPHERE_FROM_EARTH,
            TOP_M,
            RAYLEIGH,
            RAYLEIGH_HEIGHT_M,
            AEROSOL_SCATTERING,
            AEROSOL,
            AEROSOL_HEIGHT_M,
            OZONE,
            OZONE_MIDDLE_M,
            OZONE_REACH_M,
            AEROSOL_FORWARD,
            SUN_SINE
        );
        let header = "// What is the air made of? Metres; light of the primaries of sRGB.\n\
                      // Generated from viewer/src/render/air/model.rs: ./x generate";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shaders/viewer/air_model.wgsl");
        device::check_generated(path, header, MODEL).unwrap();
        assert!((RAYLEIGH.z * RAYLEIGH_HEIGHT_M - 0.2316).abs() < 1e-4);
    }
}
