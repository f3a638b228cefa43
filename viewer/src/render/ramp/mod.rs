//! Which colour has a height? The hypsometric tints, as textures.

mod atlas;
mod even;
mod oklab;

use bevy_ecs::resource::Resource;

use super::srgb;

/// Texels along heights.
pub const WIDTH: u32 = 1024;
/// Texels along the sine of latitude, from the south pole to the north pole.
pub const HEIGHT: u32 = 128;

/// Deepest sea of the ramps, metres below the datum; `sea_tint` of `shaders/viewer/ground.wgsl` agrees.
const DEEPEST_M: f64 = 11_000.0;
/// Highest land of the ramps, metres, as in `land_tint`.
const HIGHEST_M: f64 = 9_000.0;

/// A choice of colours for heights.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Ramp {
    /// Those of atlases: blue seas, green lowland, brown mountains, ice where it lies.
    #[default]
    Atlas,
    /// Those of atlases without climate, as much lighter as higher.
    Terra,
    /// Violet, green, yellow (S. van der Walt and N. Smith).
    Viridis,
    /// Blue to yellow, the same to those who do not tell red from green (J. Nuñez, C. Anderton, R. Renslow, 2018).
    Cividis,
    /// No colour: for drawings on top.
    Grey,
}

impl Ramp {
    /// Each with its name.
    pub const NAMED: [(&str, Ramp); 5] = [
        ("atlas", Ramp::Atlas),
        ("terra", Ramp::Terra),
        ("viridis", Ramp::Viridis),
        ("cividis", Ramp::Cividis),
        ("grey", Ramp::Grey),
    ];

    /// Reads a name.
    ///
    /// # Errors
    /// The names there are.
    pub fn parse(text: &str) -> Result<Ramp, String> {
        foreign::values::named(text, &Ramp::NAMED)
    }

    /// The one after it, and after the last the first.
    pub fn next(self) -> Ramp {
        let at = Ramp::NAMED.iter().position(|(_, ramp)| *ramp == self).unwrap_or(0);
        Ramp::NAMED[(at + 1) % Ramp::NAMED.len()].1
    }

    /// Red, green and blue of a screen (sRGB) of ground at heights in metres, at a latitude.
    pub(super) fn colours(self, heights_m: impl Iterator<Item = f64>, lat_deg: f64) -> Vec<[u8; 3]> {
        let tint = self.tint();
        let side = |height_m: f64| match height_m < 0.0 {
            true => -(height_m / -DEEPEST_M).sqrt().min(1.0),
            false => (height_m / HIGHEST_M).sqrt().min(1.0),
        };
        heights_m.map(|height_m| tint(side(height_m), lat_deg).map(srgb::encoded)).collect()
    }

    /// Linear light by latitude in degrees, and by the root of the depth over the deepest, negative, or of the height over the highest.
    fn tint(self) -> impl Fn(f64, f64) -> [f64; 3] {
        let even = even::EvenRamp::of(self);
        move |side, lat_deg| match (&even, side < 0.0) {
            (Some(even), true) => even.sea(1.0 + side),
            (Some(even), false) => even.land(side),
            (None, true) => atlas::sea(DEEPEST_M * side * side).map(srgb::light),
            (None, false) => atlas::land(HIGHEST_M * side * side, lat_deg).map(srgb::light),
        }
    }

    /// RGBA8, row by row from the south pole; the colours are stored with gamma 2.
    ///
    /// A texel at column x is the sea of depth `DEEPEST (1 - 2u)^2` for u = x / WIDTH < 1/2, land of height
    /// `HIGHEST (2u - 1)^2` above.
    pub(super) fn texels(self) -> Vec<u8> {
        let tint = self.tint();
        let mut texels = Vec::with_capacity((WIDTH * HEIGHT * 4) as usize);
        for row in 0..HEIGHT {
            let sin_lat = (f64::from(row) + 0.5) / f64::from(HEIGHT) * 2.0 - 1.0;
            let lat_deg = sin_lat.asin().to_degrees();
            for column in 0..WIDTH {
                let u = (f64::from(column) + 0.5) / f64::from(WIDTH);
                let side = 2.0 * u - 1.0;
                let colour = tint(side, lat_deg);
                texels.extend(colour.map(|c| (c.sqrt() * 255.0).round() as u8));
                texels.push(255);
            }
        }
        texels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texel(texels: &[u8], u: f64, sin_lat: f64) -> [u8; 3] {
        let (x, y) = ((u * f64::from(WIDTH)) as usize, ((sin_lat * 0.5 + 0.5) * f64::from(HEIGHT)) as usize);
        let at = (y * WIDTH as usize + x) * 4;
        [texels[at], texels[at + 1], texels[at + 2]]
    }

    #[test]
    fn sea_is_blue_lowland_green_summits_and_poles_white() {
        let texels = Ramp::Atlas.texels();
        assert_eq!(texels.len(), (WIDTH * HEIGHT * 4) as usize);
        let [r, _, b] = texel(&texels, 0.1, 0.0);
        assert!(b > 2 * r, "deep sea");
        let [r, g, b] = texel(&texels, 0.53, 0.0);
        assert!(g > r && g > b, "tropical lowland");
        assert!(texel(&texels, 0.97, 0.4).iter().all(|&c| c > 230), "summit");
        assert!(texel(&texels, 0.7, -0.98).iter().all(|&c| c > 225), "Antarctica");
        let [r, _, b] = texel(&texels, 0.7, 0.7);
        assert!(r > b, "a mountain of 1400 m at 45 N is brown");
    }

    /// OKLab of a texel.
    fn seen(texels: &[u8], u: f64) -> [f64; 3] {
        oklab::from_linear(texel(texels, u, 0.7).map(|c| (f64::from(c) / 255.0).powi(2)))
    }

    #[test]
    fn the_coast_is_a_sharp_line() {
        for (name, ramp) in Ramp::NAMED {
            let texels = ramp.texels();
            let (sea, land) = (seen(&texels, 0.4995), seen(&texels, 0.5005));
            let difference = (0..3).map(|i| (sea[i] - land[i]).powi(2)).sum::<f64>().sqrt();
            assert!(difference > 0.08, "{name}: {difference}");
        }
    }

    /// Law: of two heights on land, or two depths, the higher is lighter, by the same for the same way along the ramp.
    #[test]
    fn even_ramps_are_even() {
        for (name, ramp) in Ramp::NAMED.into_iter().filter(|(_, ramp)| *ramp != Ramp::Atlas) {
            let texels = ramp.texels();
            for from in [0.01, 0.51] {
                let lightness: Vec<f64> = (0..13).map(|i| seen(&texels, from + 0.04 * f64::from(i))[0]).collect();
                let mean = (lightness[12] - lightness[0]) / 12.0;
                assert!(mean > 0.01, "{name}");
                for step in lightness.windows(2) {
                    assert!((step[1] - step[0] - mean).abs() < 0.25 * mean + 0.004, "{name}: {lightness:?}");
                }
            }
        }
    }

    #[test]
    fn names_are_read_and_follow_each_other() {
        assert_eq!(Ramp::parse("viridis"), Ok(Ramp::Viridis));
        assert!(Ramp::parse("rainbow").is_err_and(|e| e.contains("atlas, terra, viridis, cividis, grey")));
        let all = std::iter::successors(Some(Ramp::Atlas), |ramp| Some(ramp.next())).take(6).collect::<Vec<_>>();
        assert_eq!((all[1], all[4], all[5]), (Ramp::Terra, Ramp::Grey, Ramp::Atlas));
    }
}
