//! How long does the picture look? Long enough that dusk and twilight are seen; what is shown of the night does not depend on it.

/// Exposure under a high sun: level ground of middle tint is as bright as its tint.
const DAY: f64 = 1.75;
/// Twice as long this often on the ground from a sun 14 degrees high on: at sunset the sky is three quarters as bright as at noon, and half as
/// bright two degrees later, as for eyes that adapt.
const DUSK_STOPS: f64 = 4.2;
/// And this often from sunset to a sun 10 degrees below the horizon.
const TWILIGHT_STOPS: f64 = 4.8;

/// What light is multiplied by; the eye is at a height, the sun at a cosine of its zenith angle there. From space the Earth
/// has a day and a night side at once, and each is shown as it is.
pub fn exposure(height_m: f64, sun_cos: f64) -> f64 {
    let dusk = 1.0 - smoothstep(-0.20, 0.25, sun_cos);
    let twilight = 1.0 - smoothstep(-0.17, 0.02, sun_cos);
    let inside = 1.0 - smoothstep(20_000.0, 400_000.0, height_m);
    DAY * ((DUSK_STOPS * dusk + TWILIGHT_STOPS * twilight) * inside).exp2()
}

fn smoothstep(low: f64, high: f64, x: f64) -> f64 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dusk_is_exposed_longer_than_noon_but_not_from_space() {
        assert_eq!(exposure(0.0, 0.9), DAY);
        assert!((5.0..7.0).contains(&(exposure(0.0, 0.0) / DAY)));
        assert!((120.0..180.0).contains(&(exposure(0.0, -0.105) / DAY)), "six degrees below the horizon");
        assert_eq!(exposure(0.0, -0.5), exposure(0.0, -0.25));
        assert_eq!(exposure(1e6, -0.5), DAY);
    }
}
