//! How long does the picture look? Long enough that dusk is seen, and never so long that night becomes day.

/// Exposure under a high sun: level ground of middle tint is as bright as its tint.
const DAY: f64 = 1.75;
/// Twice as long this often at night, on the ground.
const NIGHT_STOPS: f64 = 3.2;

/// What light is multiplied by; the eye is at a height, the sun at a cosine of its zenith angle there. From space the Earth
/// has a day and a night side at once, and each is shown as it is.
pub fn exposure(height_m: f64, sun_cos: f64) -> f64 {
    let dark = 1.0 - smoothstep(-0.20, 0.25, sun_cos);
    let inside = 1.0 - smoothstep(20_000.0, 400_000.0, height_m);
    DAY * (NIGHT_STOPS * dark * inside).exp2()
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
        assert!(exposure(0.0, 0.0) > 1.9 * DAY && exposure(0.0, -0.5) <= 12.0 * DAY);
        assert_eq!(exposure(1e6, -0.5), DAY);
    }
}
