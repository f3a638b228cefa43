//! Can another crate put data of its own among the layers? Sources written here, against what they are made of.

use std::sync::Arc;

use elevation::{
    geodesy::{Ellipsoid, Geodetic, n_vector},
    height::{
        Elevation, ElevationSource, GlobalGrid, HeightBounds, LayerInfo, Location, Region, Registration, Relief,
        Spacing,
    },
    surface::Surface,
};
use glam::DVec3;
use rand::{Rng, rngs::StdRng};

#[path = "../examples/procedural_planet.rs"]
mod procedural_planet;
mod random;
use procedural_planet::Fractal;

fn anywhere(rng: &mut StdRng) -> DVec3 {
    n_vector(rng.random_range(-1.0f64..1.0).asin(), rng.random_range(-180.0f64..180.0).to_radians())
}

/// A place within an angle of another.
fn aside(n: DVec3, angle_rad: f64, rng: &mut StdRng) -> DVec3 {
    let (a, b) = n.any_orthonormal_pair();
    let (sin, cos) = rng.random_range(0.0..std::f64::consts::TAU).sin_cos();
    (n * angle_rad.cos() + (a * cos + b * sin) * angle_rad.sin()).normalize()
}

/// Law: the bounds of the procedural planet hold all of its heights, and close in on the height as the region shrinks.
#[test]
fn bounds_of_the_procedural_planet_hold() {
    let mut rng = random::rng();
    let (low_m, high_m) = Fractal::info().range_m;
    for _ in 0..2_000 {
        let n = anywhere(&mut rng);
        let radius_rad = 10f64.powf(rng.random_range(-9.0..0.0));
        let bounds = Fractal.bounds(&Region::cap(n, radius_rad)).expect("ground everywhere");
        for _ in 0..10 {
            let at = Location::of(aside(n, radius_rad * rng.random::<f64>(), &mut rng));
            let height_m = Fractal.sample(&at, Spacing::Any).expect("ground everywhere").height_m;
            assert!((bounds.low_m..=bounds.high_m).contains(&height_m), "{height_m} is not in {bounds:?}");
            assert!((low_m..=high_m).contains(&height_m));
        }
        let small = Fractal.bounds(&Region::cap(n, 1e-11)).expect("ground everywhere");
        assert!(small.high_m - small.low_m < 0.1, "{small:?} in a region of a tenth of a millimetre");
    }
}

/// Law: a relief of one source answers with its heights, bit for bit, and a ray meets the ground where a march with steps of two
/// metres does.
#[test]
fn rays_meet_the_procedural_planet() {
    let mut rng = random::rng();
    let surface = Surface::new(Arc::new(Relief::of_source(Fractal::info(), Arc::new(Fractal))));
    let mut hits = 0;
    for _ in 0..60 {
        let n = anywhere(&mut rng);
        let own_m = Fractal.sample(&Location::of(n), Spacing::Any).expect("ground everywhere").height_m;
        assert_eq!(surface.height_m(n), own_m);
        let (lat_rad, lon_rad) = elevation::geodesy::lat_lon(n);
        let above_m = rng.random_range(5.0..300.0);
        let eye_m = Geodetic { lat_rad, lon_rad, height_m: own_m + above_m }.to_ecef(Ellipsoid::WGS84);
        let (east, north, up) = elevation::geodesy::east_north_up(n);
        let (sin, cos) = rng.random_range(0.0..std::f64::consts::TAU).sin_cos();
        let direction = ((east * sin + north * cos) - up * rng.random_range(0.05..0.6)).normalize();
        let reach_m = 4_000.0;
        let below = |t: f64| {
            let at = Ellipsoid::WGS84.geodetic(eye_m + direction * t);
            at.height_m < surface.height_m(at.normal())
        };
        let marched = (0..2_000).map(|k| 2.0 * f64::from(k)).find(|t| below(*t));
        let hit = surface.ray(eye_m, direction, reach_m).expect("a sound ray");
        match (hit, marched) {
            (Some(hit), Some(marched_m)) => {
                hits += 1;
                assert!(
                    hit.distance_m <= marched_m && below(hit.distance_m + 0.05),
                    "{} for {marched_m}",
                    hit.distance_m
                );
            }
            (None, Some(marched_m)) => panic!("the ray misses ground at {marched_m} m"),
            // What a march steps over.
            _ => {}
        }
    }
    assert!(hits > 20, "{hits}");
}

/// An array in memory: 40 x 40 postings of a hundredth of a degree, linear between them, none outside.
#[derive(Debug)]
struct Array {
    heights_m: Vec<f64>,
}

const SIDE: usize = 40;
const CORNER: [f64; 2] = [10.0, 45.0];
const POSTING_DEG: f64 = 0.01;

impl Array {
    fn info() -> LayerInfo {
        let end = CORNER.map(|corner| corner + POSTING_DEG * (SIDE - 1) as f64);
        LayerInfo::synthetic("array", 1_100.0, [CORNER[0], CORNER[1], end[0], end[1]], (500.0, 600.0))
    }
}

impl ElevationSource for Array {
    fn sample(&self, at: &Location, _: Spacing) -> Option<Elevation> {
        let (x, y) = ((at.lon_deg - CORNER[0]) / POSTING_DEG, (at.lat_deg - CORNER[1]) / POSTING_DEG);
        let last = (SIDE - 1) as f64;
        if !((0.0..=last).contains(&x) && (0.0..=last).contains(&y)) {
            return None;
        }
        let (i, j) = ((x as usize).min(SIDE - 2), (y as usize).min(SIDE - 2));
        let (tx, ty) = (x - i as f64, y - j as f64);
        let row = |j: usize| self.heights_m[j * SIDE + i] * (1.0 - tx) + self.heights_m[j * SIDE + i + 1] * tx;
        Some(Elevation::whole(row(j) * (1.0 - ty) + row(j + 1) * ty))
    }

    fn bounds(&self, _: &Region) -> Option<HeightBounds> {
        Some(HeightBounds::promised((500.0, 600.0)))
    }

    fn posting_m(&self, _: &Location) -> f64 {
        1_100.0
    }
}

/// Law: a source above others answers where it has heights, under its own name; elsewhere, and where its heights are no numbers, what lies
/// below does; the range of both is known.
#[test]
fn an_array_lies_above_other_layers() {
    let mut rng = random::rng();
    let mut heights_m: Vec<f64> = (0..SIDE * SIDE).map(|_| rng.random_range(500.0..600.0)).collect();
    heights_m[5 * SIDE + 5] = f64::NAN;
    let array = Arc::new(Array { heights_m });
    let below = Relief::from_grid(GlobalGrid::from_fn(72, 37, Registration::Node, |_, lat| lat)).expect("a grid");
    let relief = below.under(Array::info(), array.clone());
    assert_eq!(relief.layers()[0].name, "array");
    assert_eq!(relief.range_m(), (-90.0, 600.0));
    let (mut inside, mut outside) = (0, 0);
    for _ in 0..4_000 {
        let at = Location::of(Location::at(rng.random_range(44.8..45.6), rng.random_range(9.8..10.6)).normal);
        let sample = relief.sample(at.normal);
        match array.sample(&at, Spacing::Any).filter(|own| own.height_m.is_finite()) {
            Some(own) => {
                inside += 1;
                assert_eq!((sample.height_m, sample.layer, sample.share), (own.height_m, 0, 1.0));
            }
            None => {
                outside += 1;
                assert_eq!((sample, 1), (relief_sample_below(&below, at), sample.layer));
            }
        }
    }
    assert!(inside > 500 && outside > 500, "{inside} {outside}");
    // Straight down, on the array.
    let eye_m = Geodetic::from_degrees(45.2, 10.2, 5_000.0).to_ecef(Ellipsoid::WGS84);
    let surface = Surface::new(Arc::new(relief));
    let up = Location::at(45.2, 10.2).normal;
    let hit = surface.ray(eye_m, -up, 9_000.0).expect("a sound ray").expect("ground below");
    assert!((5_000.0 - hit.distance_m - surface.height_m(up)).abs() < 1e-3, "{}", hit.distance_m);
}

/// A sample of the relief below, as the relief with a layer more numbers it.
fn relief_sample_below(below: &Relief, at: Location) -> elevation::height::Sample {
    let sample = below.sample(at.normal);
    elevation::height::Sample { layer: sample.layer + 1, ..sample }
}
