//! How bright are the sun and a clear sky? The model of Ineichen and Perez, as pvlib has it.

/// Radiation outside of the atmosphere at the mean distance of the sun, W/m2, as `pvlib.irradiance.get_extra_radiation` has it.
const SOLAR_CONSTANT_W_M2: f64 = 1366.1;

/// Irradiance under a clear sky, W/m2.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Irradiance {
    /// Of the sun on a plane that faces it.
    pub direct_normal: f64,
    /// Of the sky on a level plane that sees all of it.
    pub diffuse: f64,
}

/// The air above a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClearSky {
    /// Pressure at the place, Pa.
    pub pressure_pa: f64,
    linke: f64,
    fh1: f64,
    global: (f64, f64),
}

impl ClearSky {
    /// Air of a Linke turbidity (2 very clear and cold, 3 clear, 5 hazy) above a place at a height in metres.
    ///
    /// P. Ineichen and R. Perez, "A new airmass independent formulation for the Linke turbidity coefficient", Solar Energy 73 (2002),
    /// without the enhancement of Perez; relative air mass by Kasten and Young (1989), pressure by the standard atmosphere.
    ///
    /// ```
    /// let noon = analysis::clear_sky::ClearSky::new(500.0, 3.0).irradiance(66.6, 1321.6);
    /// assert!((noon.direct_normal - 920.0).abs() < 1.0 && (noon.diffuse - 101.0).abs() < 1.0);
    /// ```
    pub fn new(height_m: f64, linke: f64) -> Self {
        let height_m = height_m.clamp(-500.0, 9_000.0);
        let (fh1, fh2) = ((-height_m / 8_000.0).exp(), (-height_m / 1_250.0).exp());
        let (cg1, cg2) = (5.09e-5 * height_m + 0.868, 3.92e-5 * height_m + 0.0387);
        let pressure_pa = 100.0 * ((44_331.514 - height_m) / 11_880.516).powf(1.0 / 0.190_263_2);
        Self { pressure_pa, linke, fh1, global: (cg1, cg2 * (fh1 + fh2 * (linke - 1.0))) }
    }

    /// Under the sun at an apparent elevation in degrees, by the radiation outside of the atmosphere ([`outside_w_m2`]).
    pub fn irradiance(&self, elevation_deg: f64, outside_w_m2: f64) -> Irradiance {
        if elevation_deg <= 0.0 {
            return Irradiance::default();
        }
        let cos_zenith = elevation_deg.to_radians().sin();
        let relative = 1.0 / (cos_zenith + 0.505_72 * (6.079_95 + elevation_deg).powf(-1.6364));
        let mass = relative * self.pressure_pa / 101_325.0;
        let (linke, fh1) = (self.linke, self.fh1);
        let global = self.global.0 * outside_w_m2 * cos_zenith * (-self.global.1 * mass).exp();
        let beam = (0.664 + 0.163 / fh1) * (-0.09 * mass * (linke - 1.0)).exp() * outside_w_m2;
        let most = global * ((1.0 - (0.1 - 0.2 * (-linke).exp()) / (0.1 + 0.882 / fh1)) / cos_zenith).max(0.0);
        let direct_normal = beam.min(most);
        Irradiance { direct_normal, diffuse: global - direct_normal * cos_zenith }
    }
}

/// Radiation outside of the atmosphere on a plane that faces the sun, W/m2, on a day of the year from 1 (J. W. Spencer, 1971).
///
/// ```
/// use analysis::clear_sky::outside_w_m2;
/// // The Earth is nearest to the sun in January: 7 percent more than in July.
/// assert!((outside_w_m2(3.0) / outside_w_m2(185.0) - 1.07).abs() < 0.005);
/// ```
pub fn outside_w_m2(day_of_year: f64) -> f64 {
    let (sin, cos) = (std::f64::consts::TAU * (day_of_year - 1.0) / 365.0).sin_cos();
    let (sin2, cos2) = (2.0 * sin * cos, cos * cos - sin * sin);
    SOLAR_CONSTANT_W_M2 * (1.00011 + 0.034221 * cos + 0.00128 * sin + 0.000719 * cos2 + 7.7e-5 * sin2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: the model is pvlib's: `clearsky.ineichen(apparent_zenith, airmass_absolute, 3.0, altitude=500, dni_extra=extra)` of
    /// pvlib 0.16.1 at 2026-06-21T12:00Z and 2026-12-21T09:00Z, 46 N 8 E.
    #[test]
    fn a_clear_sky_is_that_of_pvlib() {
        for (zenith_deg, day, outside, direct_normal, diffuse) in [
            (23.366196015862073, 172.0, 1321.6235925714136, 920.259618657272, 101.00761512532392),
            (76.85745603996176, 355.0, 1412.7085643562702, 568.5213441046732, 37.76765523778246),
        ] {
            assert!((outside_w_m2(day) - outside).abs() < 1e-6, "{}", outside_w_m2(day));
            let found = ClearSky::new(500.0, 3.0).irradiance(90.0 - zenith_deg, outside);
            let off = [found.direct_normal / direct_normal, found.diffuse / diffuse];
            assert!(off.iter().all(|off| (off - 1.0).abs() < 1e-3), "{found:?}");
        }
        assert_eq!(ClearSky::new(0.0, 3.0).irradiance(-0.1, 1366.0), Irradiance::default());
    }
}
