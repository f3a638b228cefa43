//! How does one go through the air along a ray? In steps whose mean densities are exact for exponential air.
//!
//! Twin: `shaders/viewer/view_table.wgsl`.

use super::model::{AEROSOL_HEIGHT_M, Air, Densities, TOP_M};

/// A ray inside the air.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AirRay {
    /// What it is in.
    pub air: Air,
    /// Height where it starts, metres, from 0 to [`TOP_M`].
    pub height_m: f32,
    /// Cosine of its zenith angle there.
    pub cos: f32,
    /// Where it ends, metres from the start.
    pub length_m: f32,
    /// Whether it ends on the sea.
    pub to_sea: bool,
}

/// A piece of the way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MarchStep {
    /// Its length, metres.
    pub length_m: f32,
    /// Height of its middle, metres.
    pub height_m: f32,
    /// From the start of the ray to its middle, metres.
    pub along_m: f32,
    /// Mean densities.
    pub densities: Densities,
}

impl AirRay {
    /// From a height in a direction, to the sea or out of the air.
    pub fn new(air: Air, height_m: f32, cos: f32) -> AirRay {
        let ray = AirRay { air, height_m: height_m.clamp(0.0, TOP_M), cos, length_m: 0.0, to_sea: false };
        let to_sea = cos < 0.0 && ray.half_chord2(0.0) >= 0.0;
        if to_sea {
            let length_m = -(air.radius_m + ray.height_m) * cos - ray.half_chord2(0.0).sqrt();
            AirRay { length_m: length_m.max(0.0), to_sea, ..ray }
        } else {
            AirRay::to_space(air, height_m, cos)
        }
    }

    /// From a height in a direction out of the air, as if there were no sea.
    pub fn to_space(air: Air, height_m: f32, cos: f32) -> AirRay {
        let ray = AirRay { air, height_m: height_m.clamp(0.0, TOP_M), cos, length_m: 0.0, to_sea: false };
        let length_m = -(air.radius_m + ray.height_m) * cos + ray.half_chord2(TOP_M).max(0.0).sqrt();
        AirRay { length_m: length_m.max(0.0), ..ray }
    }

    /// Square of half the chord that the ray's line cuts from the sphere through a height; negative where it misses it.
    ///
    /// That is q^2 - (r sin)^2 for radii q of the sphere and r of the start, written without a difference of squares.
    fn half_chord2(&self, sphere_height_m: f32) -> f32 {
        let radius_m = self.air.radius_m + self.height_m;
        let above_m = sphere_height_m - self.height_m;
        let middle_m = radius_m * self.cos;
        above_m * (2.0 * radius_m + above_m) + middle_m * middle_m
    }

    /// Height at a distance from the start, metres.
    pub fn height_at_m(&self, along_m: f32) -> f32 {
        let radius_m = self.air.radius_m + self.height_m;
        // r_d - r = (r_d^2 - r^2) / (r_d + r): precise for short ways.
        let rise2 = along_m * (along_m + 2.0 * radius_m * self.cos);
        self.height_m + rise2 / ((radius_m * radius_m + rise2).max(0.0).sqrt() + radius_m)
    }

    /// The way in pieces, short where the air is dense.
    pub fn steps(&self, count: u32) -> impl Iterator<Item = MarchStep> {
        let ray = *self;
        let place = move |i: u32| {
            let s = i as f32 / count as f32;
            ray.length_m
                * match (ray.to_sea, ray.cos > 0.0) {
                    (true, _) => s * (2.0 - s),
                    (false, true) => s * s,
                    (false, false) => s,
                }
        };
        (0..count).map(move |i| {
            let (from_m, to_m) = (place(i), place(i + 1));
            let along_m = 0.5 * (from_m + to_m);
            let height_m = ray.height_at_m(along_m);
            let ends_m = (ray.height_at_m(from_m), ray.height_at_m(to_m));
            let Air { share, rayleigh, rayleigh_height_m, ozone, ozone_m: [middle_m, reach_m], .. } = ray.air;
            let ozone_share = (1.0 - (height_m - middle_m).abs() / reach_m).max(0.0);
            let densities = Densities {
                rayleigh: rayleigh * mean_density(ends_m, rayleigh_height_m),
                aerosol: share * mean_density(ends_m, AEROSOL_HEIGHT_M),
                ozone: ozone * ozone_share,
            };
            MarchStep { length_m: to_m - from_m, height_m, along_m, densities }
        })
    }
}

/// Mean of exp(-h / scale) between two heights, on a way that rises evenly.
fn mean_density((from_m, to_m): (f32, f32), scale_m: f32) -> f32 {
    let change = (to_m - from_m) / scale_m;
    let from = (-from_m.max(0.0) / scale_m).exp();
    if change.abs() < 0.01 { from * (1.0 - 0.5 * change) } else { from * (1.0 - (-change).exp()) / change }
}

#[cfg(test)]
mod tests {
    use super::super::model::{RAYLEIGH, RAYLEIGH_HEIGHT_M};
    use super::*;

    #[test]
    fn rays_end_on_the_sea_or_where_the_air_does() {
        let down = AirRay::new(Air::EARTH, 10_000.0, -1.0);
        assert!(down.to_sea && (down.length_m - 10_000.0).abs() < 2.0, "{down:?}");
        let up = AirRay::new(Air::EARTH, 0.0, 1.0);
        assert!(!up.to_sea && (up.length_m - TOP_M).abs() < 2.0, "{up:?}");
        // Along the horizon: sqrt(2 R H + H^2).
        let flat = AirRay::new(Air::EARTH, 0.0, 0.0);
        assert!(!flat.to_sea && (flat.length_m - 1_133_838.0).abs() < 100.0, "{flat:?}");
        for ray in [down, up, flat] {
            let end_m = ray.height_at_m(ray.length_m);
            assert!((end_m - if ray.to_sea { 0.0 } else { TOP_M }).abs() < 2.0, "{ray:?} ends at {end_m}");
        }
    }

    #[test]
    fn few_steps_find_the_air_overhead_and_along_the_horizon() {
        let column = |ray: AirRay, count| {
            ray.steps(count).map(|s| s.densities.rayleigh.y / RAYLEIGH.y * s.length_m).sum::<f32>()
        };
        // Overhead a scale height.
        assert!((column(AirRay::new(Air::EARTH, 0.0, 1.0), 16) / RAYLEIGH_HEIGHT_M - 1.0).abs() < 1e-3);
        // Level: Chapman's function of R / H is sqrt(pi R / 2 H) = 35.4 and a little.
        let level = column(AirRay::new(Air::EARTH, 0.0, 0.0), 32) / RAYLEIGH_HEIGHT_M;
        assert!((35.0..36.2).contains(&level), "{level}");
        let (coarse, fine) = (
            column(AirRay::new(Air::EARTH, 3_000.0, -0.025), 32),
            column(AirRay::new(Air::EARTH, 3_000.0, -0.025), 4_000),
        );
        assert!((coarse / fine - 1.0).abs() < 0.01, "{coarse} {fine}");
    }
}
