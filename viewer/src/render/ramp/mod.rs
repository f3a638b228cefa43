//! Which colour has a height? The hypsometric tints, as textures.

mod atlas;
mod even;
mod oklab;

use bevy_ecs::resource::Resource;
use terrain::geodesy::Ellipsoid;

use super::srgb;

/// Texels along heights.
pub const WIDTH: u32 = 1024;
/// Texels along the sine of latitude, from the south pole to the north pole.
pub const HEIGHT: u32 = 128;

/// Deepest sea of the ramps, metres below the datum; `ramp_tint` of `shaders/viewer/ground.wgsl` agrees.
const DEEPEST_M: f64 = 11_000.0;
/// Highest land of the ramps, metres; the same there.
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
    /// Grey without a coast: for planets and moons without sea.
    Dust,
    /// The same in the browns of Mars.
    Rust,
}

impl Ramp {
    /// Each with its name.
    pub const NAMED: [(&str, Ramp); 7] = [
        ("atlas", Ramp::Atlas),
        ("terra", Ramp::Terra),
        ("viridis", Ramp::Viridis),
        ("cividis", Ramp::Cividis),
        ("grey", Ramp::Grey),
        ("dust", Ramp::Dust),
        ("rust", Ramp::Rust),
    ];

    /// What stands for it on a planet: the atlas's colours are those of the Earth.
    pub fn on(self, ellipsoid: Ellipsoid) -> Ramp {
        let is_mars = Ellipsoid::MARS.has_radius(ellipsoid.semi_major_m());
        match self {
            Ramp::Atlas if ellipsoid == Ellipsoid::WGS84 => self,
            Ramp::Atlas if is_mars => Ramp::Rust,
            Ramp::Atlas => Ramp::Dust,
            _ => self,
        }
    }

    /// Whether it tells land from sea.
    fn has_coast(self) -> bool {
        !matches!(self, Ramp::Dust | Ramp::Rust)
    }

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
        let has_coast = self.has_coast();
        move |side, lat_deg| {
            let side = if has_coast { side } else { without_coast(side) };
            match (&even, side < 0.0) {
                (Some(even), true) => even.sea(1.0 + side),
                (Some(even), false) => even.land(side),
                (None, true) => atlas::sea(DEEPEST_M * side * side).map(srgb::light),
                (None, false) => atlas::land(HIGHEST_M * side * side, lat_deg).map(srgb::light),
            }
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

/// Heights up to about this far from 0 have even steps on a ramp without a coast, metres.
const LOW_M: f64 = 2_000.0;

/// The place on a ramp without a coast of a height whose root is a part of the root of the highest, or of the deepest: without the leap that
/// a root has at 0 m, which is a height like others there.
fn without_coast(side: f64) -> f64 {
    let most_m = if side < 0.0 { DEEPEST_M } else { HIGHEST_M };
    (most_m * side * side / LOW_M).asinh().copysign(side) / (most_m / LOW_M).asinh()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where in the texels a ramp has a place from 0 to 1, of which each half is even.
    fn column(ramp: Ramp, u: f64) -> f64 {
        let place = 2.0 * u - 1.0;
        let most_m = if place < 0.0 { DEEPEST_M } else { HIGHEST_M };
        let height_m = LOW_M * (place.abs() * (most_m / LOW_M).asinh()).sinh();
        let side = if ramp.has_coast() { place } else { (height_m / most_m).sqrt().copysign(place) };
        0.5 + 0.5 * side
    }

    /// Law: where 0 m is a height like others, ground that rises evenly through it has even colours, without a line.
    #[test]
    fn a_ramp_without_a_coast_has_no_line_at_zero() {
        for ramp in [Ramp::Dust, Ramp::Rust] {
            let heights_m = (-20..=20).map(|k| f64::from(k) * 25.0);
            let colours = ramp.colours(heights_m, 20.0);
            let steps = colours.windows(2).map(|two| (0..3).map(|i| two[0][i].abs_diff(two[1][i])).max().unwrap_or(0));
            let most = steps.max().unwrap_or(0);
            assert!(most <= 2, "{ramp:?}: {most}");
            assert!(colours[40][0] > colours[0][0] + 10, "{ramp:?}: {colours:?}");
        }
    }

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
        for (name, ramp) in Ramp::NAMED.into_iter().filter(|(_, ramp)| ramp.has_coast()) {
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
                let lightness: Vec<f64> =
                    (0..13).map(|i| seen(&texels, column(ramp, from + 0.04 * f64::from(i)))[0]).collect();
                let mean = (lightness[12] - lightness[0]) / 12.0;
                assert!(mean > 0.01, "{name}");
                for step in lightness.windows(2) {
                    assert!((step[1] - step[0] - mean).abs() < 0.25 * mean + 0.004, "{name}: {lightness:?}");
                }
            }
        }
    }

    /// Linear light as eyes see it that lack a kind of cones: G. Machado, M. Oliveira and L. Fernandes, A Physiologically-based Model for
    /// Simulation of Color Vision Deficiency, 2009, severity 1.
    fn as_seen_without(cones: &str, [r, g, b]: [f64; 3]) -> [f64; 3] {
        let rows = match cones {
            "long" => {
                [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
            }
            "medium" => {
                [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
            }
            "short" => {
                [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
            }
            // None is lacking.
            _ => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        };
        rows.map(|row| (row[0] * r + row[1] * g + row[2] * b).clamp(0.0, 1.0))
    }

    /// Law: to eyes that lack any kind of cones, a coast is a sharp line in every ramp that has one, a deeper sea is darker, and on the land of all but the
    /// atlas, which has ice, higher ground is lighter.
    #[test]
    fn ramps_are_read_without_seeing_all_colours() {
        for (name, ramp) in Ramp::NAMED {
            let texels = ramp.texels();
            for cones in ["all", "long", "medium", "short"] {
                let seen = |u: f64| {
                    let light = texel(&texels, u, 0.7).map(|c| (f64::from(c) / 255.0).powi(2));
                    oklab::from_linear(as_seen_without(cones, light))
                };
                let least_rise = |from: f64| {
                    let lightness: Vec<f64> =
                        (0..13).map(|i| seen(column(ramp, from + 0.04 * f64::from(i)))[0]).collect();
                    lightness.windows(2).map(|two| two[1] - two[0]).fold(f64::MAX, f64::min)
                };
                let (sea, land) = (seen(0.4995), seen(0.5005));
                let coast = (0..3).map(|i| (sea[i] - land[i]).powi(2)).sum::<f64>().sqrt();
                assert!((coast > 0.1) == ramp.has_coast(), "{name} without {cones}: {coast}");
                assert!(least_rise(0.01) > 0.015, "{name} without {cones}: {}", least_rise(0.01));
                assert!(
                    ramp == Ramp::Atlas || least_rise(0.51) > 0.025,
                    "{name} without {cones}: {}",
                    least_rise(0.51)
                );
            }
        }
    }

    #[test]
    fn names_are_read_and_follow_each_other() {
        assert_eq!(Ramp::parse("viridis"), Ok(Ramp::Viridis));
        assert!(Ramp::parse("rainbow").is_err_and(|e| e.contains("atlas, terra, viridis, cividis, grey, dust, rust")));
        let all = std::iter::successors(Some(Ramp::Atlas), |ramp| Some(ramp.next())).take(8).collect::<Vec<_>>();
        assert_eq!((all[1], all[4], all[6], all[7]), (Ramp::Terra, Ramp::Grey, Ramp::Rust, Ramp::Atlas));
    }
}
