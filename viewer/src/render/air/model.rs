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

use super::sizes::SKY_COLOUR;

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

/// The air around a planet: that of the Earth, the dust of Mars, or none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Air {
    /// Radius of the sphere that it lies on, metres: the equator's.
    pub radius_m: f32,
    /// Scattering by molecules, or by dust in their place, at the ellipsoid, a metre.
    pub rayleigh: Vec3,
    /// Height over which their density falls by e, metres.
    pub rayleigh_height_m: f32,
    /// Density of aerosol over that of the Earth.
    pub share: f32,
    /// Absorption by ozone, or by dust in its place, where it is densest, a metre.
    pub ozone: Vec3,
    /// Height where it is densest, and from there to where it ends, metres.
    pub ozone_m: [f32; 2],
    /// Colour of the sky's light, green 1.
    pub sky: Vec3,
}

/// What white ground is in the picture of a night of another body than the Earth: see `shaders/viewer/atmosphere.wgsl`.
const NIGHT: f32 = 0.03;

/// What stands for no air: the shaders divide by it.
const NO_AIR: f32 = 1e-6;

impl Air {
    /// That of the Earth.
    pub const EARTH: Air = Air {
        radius_m: RADIUS_M,
        rayleigh: RAYLEIGH,
        rayleigh_height_m: RAYLEIGH_HEIGHT_M,
        share: 1.0,
        ozone: OZONE,
        ozone_m: [OZONE_MIDDLE_M, OZONE_REACH_M],
        sky: SKY_COLOUR,
    };

    /// That of Mars on a day of little dust: an optical depth of 0.35 straight up, as dense as its air. Of what grains take they absorb 6, 29 and
    /// 58 hundredths: most of the blue.
    pub const MARS: Air = Air {
        radius_m: Ellipsoid::MARS.semi_major_m() as f32,
        rayleigh: Vec3::new(3.0e-5, 2.2e-5, 1.3e-5),
        rayleigh_height_m: 11_100.0,
        share: NO_AIR,
        ozone: Vec3::new(0.2e-5, 0.9e-5, 1.8e-5),
        ozone_m: [0.0, 22_000.0],
        sky: Vec3::new(1.45, 1.0, 0.5),
    };

    /// That of a planet.
    pub fn of(ellipsoid: Ellipsoid) -> Air {
        if ellipsoid == Ellipsoid::WGS84 {
            return Air::EARTH;
        }
        let radius_m = ellipsoid.semi_major_m() as f32;
        if Ellipsoid::MARS.has_radius(ellipsoid.semi_major_m()) {
            return Air { radius_m, ..Air::MARS };
        }
        Air { radius_m, rayleigh: RAYLEIGH * NO_AIR, share: NO_AIR, ozone: OZONE * NO_AIR, ..Air::EARTH }
    }

    /// Types and values in WGSL that shaders have in place of the Earth's air, by the names under which a composer replaces it: nothing for that.
    pub fn replacements(self) -> Vec<(&'static str, &'static str, String)> {
        if self == Air::EARTH {
            return Vec::new();
        }
        // Of a horizontal way out, in vertical depths.
        let horizontal = (0.5 * std::f32::consts::PI * self.radius_m / self.rayleigh_height_m).sqrt();
        let of_three = |light: Vec3| format!("vec3f({}f, {}f, {}f)", light.x, light.y, light.z);
        let has_air = self.rayleigh.min_element() > RAYLEIGH.max_element() * NO_AIR;
        // Without air the sun's light comes from the sun alone.
        let softness = (!has_air).then(|| ("viewer::atmosphere::SOFTNESS", "f32", String::from("0f")));
        let all = [
            // No night is blue but the Earth's.
            ("viewer::atmosphere::NIGHT", "vec3f", of_three(Vec3::splat(NIGHT))),
            ("viewer::render::air::model::RAYLEIGH", "vec3f", of_three(self.rayleigh)),
            ("viewer::render::air::model::RAYLEIGH_HEIGHT_M", "f32", format!("{}f", self.rayleigh_height_m)),
            ("viewer::air::RAYLEIGH_HORIZONTAL", "f32", format!("{horizontal}f")),
            ("viewer::render::air::sizes::SKY_COLOUR", "vec3f", of_three(self.sky)),
            ("viewer::render::air::model::OZONE", "vec3f", of_three(self.ozone)),
            ("viewer::render::air::model::OZONE_MIDDLE_M", "f32", format!("{}f", self.ozone_m[0])),
            ("viewer::render::air::model::OZONE_REACH_M", "f32", format!("{}f", self.ozone_m[1])),
            ("viewer::render::air::model::AEROSOL", "f32", format!("{}f", AEROSOL * self.share)),
            ("viewer::render::air::model::AEROSOL_SCATTERING", "f32", format!("{}f", AEROSOL_SCATTERING * self.share)),
        ];
        all.into_iter().chain(softness).collect()
    }
}

/// What a place has of the three parts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Densities {
    /// Scattering by molecules, a metre.
    pub rayleigh: Vec3,
    /// Density of aerosol over the densest of the Earth.
    pub aerosol: f32,
    /// Absorption by ozone, a metre.
    pub ozone: Vec3,
}

impl Densities {
    /// Light scattered out of its way or absorbed, a metre.
    pub fn extinction(&self) -> Vec3 {
        self.rayleigh + AEROSOL * self.aerosol + self.ozone
    }

    /// Light scattered, a metre.
    pub fn scattering(&self) -> Vec3 {
        self.rayleigh + AEROSOL_SCATTERING * self.aerosol
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
