//! Which ground do tests stand on?

use std::sync::Arc;

use elevation::geodesy::Ellipsoid;
use elevation::height::{
    ArraySystem, Elevation, ElevationSource, GlobalGrid, HeightBounds, LayerInfo, Location, OpenOptions, RasterArray,
    Region, Registration, Relief, Spacing,
};
use elevation::surface::Surface;
use glam::DVec3;
use rand::{Rng, rngs::StdRng};

/// The Earth, the Moon, Mars, and a body as small and as flat as one with relief may well be.
pub fn bodies() -> [Ellipsoid; 4] {
    [Ellipsoid::WGS84, Ellipsoid::MOON, Ellipsoid::MARS, Ellipsoid::new(300e3, 300e3 * (1.0 - 0.0199)).unwrap()]
}

fn surface(ellipsoid: Ellipsoid, grid: GlobalGrid) -> Surface {
    Surface::new(Arc::new(Relief::from_grid_on(ellipsoid, grid).unwrap()))
}

/// Smooth hills, the whole Earth over.
pub fn hilly() -> Surface {
    hilly_on(Ellipsoid::WGS84, 1.0)
}

/// The same on a body, so many times as high.
pub fn hilly_on(ellipsoid: Ellipsoid, times: f64) -> Surface {
    let height_m =
        |lon: f64, lat: f64| 2000.0 * (0.31 * lon).sin() * (0.27 * lat).cos() + 900.0 * (1.7 * lon + 1.1 * lat).sin();
    surface(ellipsoid, GlobalGrid::from_fn(1440, 721, Registration::Node, |lon, lat| times * height_m(lon, lat)))
}

/// Rough everywhere: every posting on its own, some of them needles.
pub fn rough(rng: &mut StdRng) -> Surface {
    rough_on(Ellipsoid::WGS84, rng)
}

pub fn rough_on(ellipsoid: Ellipsoid, rng: &mut StdRng) -> Surface {
    let mut grid = GlobalGrid::from_fn(1440, 721, Registration::Node, |_, _| 0.0);
    for height in &mut grid.heights_m {
        *height = rng.random_range(-500.0..500.0) + if rng.random_range(0..50) == 0 { 4_000.0 } else { 0.0 };
    }
    surface(ellipsoid, grid)
}

/// Heights at postings so many metres apart from 46 N, 9 E southwards and eastwards, on flat ground.
pub fn fine(posting_m: f64, side: usize, height_m: impl FnMut((usize, usize)) -> f32) -> Surface {
    let sea = Relief::from_grid(GlobalGrid::from_fn(72, 37, Registration::Node, |_, _| 0.0)).unwrap();
    let (per_deg_m, narrow) = (111_320.0, 46f64.to_radians().cos());
    let to_wgs84 = move |x: &mut [f64], y: &mut [f64]| {
        x.iter_mut().for_each(|x| *x /= per_deg_m * narrow);
        y.iter_mut().for_each(|y| *y /= per_deg_m);
    };
    let from_wgs84 = move |x: &mut [f64], y: &mut [f64]| {
        x.iter_mut().for_each(|x| *x *= per_deg_m * narrow);
        y.iter_mut().for_each(|y| *y *= per_deg_m);
    };
    let raster = RasterArray {
        name: "fine",
        size: [side; 2],
        values: (0..side * side).map(|at| (at / side, at % side)).map(height_m).collect(),
        geo_transform: [9.0 * per_deg_m * narrow, posting_m, 0.0, 46.0 * per_deg_m, 0.0, -posting_m],
        system: ArraySystem {
            name: "metres",
            definition: "",
            is_geographic: false,
            to_wgs84: &to_wgs84,
            from_wgs84: &from_wgs84,
        },
        scale: 1.0,
        offset: 0.0,
    };
    Surface::new(Arc::new(sea.under_array(raster, &OpenOptions::default()).unwrap()))
}

/// Smooth hills and valleys 60 to 200 km from each other near the equator, some of them 3 km high: waves in random directions.
pub fn waves(rng: &mut StdRng) -> Surface {
    let waves: Vec<[f64; 4]> = (0..12)
        .map(|k| {
            let (number, heading) = (3.5 * 1.1f64.powi(k), rng.random_range(0.0..std::f64::consts::TAU));
            [number * heading.cos(), number * heading.sin(), rng.random_range(0.0..9.0), 1_000.0 * 0.9f64.powi(k)]
        })
        .collect();
    let height_m = move |lon: f64, lat: f64| {
        waves.iter().map(|[x, y, phase, height_m]| height_m * (x * lon + y * lat + phase).sin()).sum()
    };
    surface(Ellipsoid::WGS84, GlobalGrid::from_fn(2_880, 1_441, Registration::Node, height_m))
}

/// How far a point is above the ground, by the closed forms alone.
pub fn above(surface: &Surface, p: DVec3) -> f64 {
    let place = surface.relief().ellipsoid().geodetic(p);
    place.height_m - surface.height_m(place.normal())
}

/// Ground that is rough at all sizes from 12 km to 50 m, with heights from 0 to 4 000 m: waves in random directions.
#[derive(Debug)]
struct Rugged {
    size: f64,
    waves: Vec<[f64; 4]>,
}

impl ElevationSource for Rugged {
    fn sample(&self, at: &Location, _: Spacing) -> Option<Elevation> {
        let (x, y) = (at.lon_deg * 77_000.0 * self.size, at.lat_deg * 111_000.0 * self.size);
        let waves =
            self.waves.iter().map(|[across, along, phase, height_m]| height_m * (across * x + along * y + phase).sin());
        Some(Elevation::whole((2_000.0 + waves.sum::<f64>()).clamp(0.0, 4_000.0)))
    }

    fn bounds(&self, _: &Region) -> Option<HeightBounds> {
        Some(HeightBounds::of((0.0, 4_000.0)))
    }

    fn posting_m(&self, _: &Location) -> f64 {
        30.0
    }
}

pub fn rugged(rng: &mut StdRng) -> Surface {
    rugged_on(Ellipsoid::WGS84, rng)
}

pub fn rugged_on(ellipsoid: Ellipsoid, rng: &mut StdRng) -> Surface {
    let mut wave = |k: i32| {
        let (number, heading) = (5e-4 * 1.45f64.powi(k), rng.random_range(0.0..std::f64::consts::TAU));
        [number * heading.cos(), number * heading.sin(), rng.random_range(0.0..9.0), 0.5 * number.powf(-0.9)]
    };
    let source = Arc::new(Rugged { size: ellipsoid.size(), waves: (0..15).map(&mut wave).collect() });
    let info = LayerInfo::synthetic("rugged", 30.0, [-180.0, -90.0, 180.0, 90.0], (0.0, 4_000.0)).on(ellipsoid);
    Surface::new(Arc::new(Relief::of_source(info, source)))
}
