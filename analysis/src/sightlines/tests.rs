//! Laws of the longest lines of sight: against brute force, closed forms, and what is refused.

use std::{f64::consts::PI, sync::Arc};

use elevation::height::{GlobalGrid, Registration, Relief};
use geographiclib_rs::InverseGeodesic;
use glam::DVec3;
use rand::{Rng, rngs::StdRng};

use super::{separated_lines::SeparatedLines, *};
use crate::{
    Horizon,
    random::rng,
    terrains::{hilly, rough, waves},
};

fn geodesic_m(from: Geodetic, to: Geodetic) -> f64 {
    let [a, b, c, d] = [from.lat_rad, from.lon_rad, to.lat_rad, to.lon_rad].map(f64::to_degrees);
    Ellipsoid::WGS84.geodesic().inverse(a, b, c, d)
}

/// Law: of 64 x 64 places the longest line to an exact horizon in given directions is no more than a cell and a hundredth longer than
/// the longest that is found.
#[test]
fn the_longest_agrees_with_brute_force() {
    let mut rng = rng();
    let surface = waves(&mut rng);
    let [south, west] = [rng.random_range(-5.0..4.0), rng.random_range(-180.0..180.0)];
    let area = [west, south, wrapped(west + 1.14), south + 1.145];
    let grid = Grid::covering(Ellipsoid::WGS84, area, 2_000.0).unwrap();
    assert!((60..70).contains(&grid.columns) && (60..70).contains(&grid.rows));
    let directions = 3;
    let options = SightlinesOptions::default()
        .with_lines(5)
        .with_directions(directions)
        .with_cell_m(Some(2_000.0))
        .with_eye_height_m(100.0)
        .with_refraction([0.0, 0.13][rng.random_range(0..2)]);
    let found = Sightlines::new(&surface, area, &options, |_, _| {}).unwrap();
    check_lines(&surface, area, &options, &found);
    let of_cell = |cell: usize| {
        let (column, row) = (cell % grid.columns, cell / grid.columns);
        let place = grid.place(column, row);
        let eye = Geodetic { height_m: surface.height_m(place.normal()) + options.eye_height_m, ..place };
        let exact_m = |k: usize| {
            let azimuth_rad = grid.true_azimuth_rad(column, row, TAU * k as f64 / directions as f64);
            let point = Horizon::at_azimuth(&surface, eye, azimuth_rad, options.refraction).unwrap();
            geodesic_m(eye, point.place)
        };
        (0..directions).map(exact_m).fold(0.0, f64::max)
    };
    let exact_m = (0..grid.cells()).into_par_iter().map(of_cell).reduce(|| 0.0, f64::max);
    let found_m = found.lines[0].distance_m;
    assert!(exact_m > 50e3 && found_m > 0.99 * exact_m - 2_000.0, "{found_m} of {exact_m}");
}

/// All that is said of lines.
fn check_lines(surface: &Surface, area: [f64; 4], options: &SightlinesOptions, found: &Sightlines) {
    let [west, south, east, north] = area;
    let flat = |end: Geodetic| Geodetic { height_m: 0.0, ..end }.to_ecef(Ellipsoid::WGS84);
    assert!(!found.lines.is_empty() && found.lines.len() <= options.lines);
    assert!(found.lines.is_sorted_by(|a, b| a.distance_m >= b.distance_m));
    for (k, line) in found.lines.iter().enumerate() {
        let Sightline { eye, target, azimuth_rad, elevation_rad, distance_m } = *line;
        assert!(surface.sees(eye, target, options.refraction).unwrap(), "{line:?}");
        for (end, above_m) in [(eye, options.eye_height_m), (target, options.target_height_m)] {
            assert!((surface.height_m(end.normal()) + above_m - end.height_m).abs() < 1e-6, "{line:?}");
        }
        let (lat, lon) = (eye.lat_rad.to_degrees(), eye.lon_rad.to_degrees());
        let wide = (east - west).rem_euclid(360.0);
        assert!((south..=north).contains(&lat) && (lon - west).rem_euclid(360.0) <= wide, "{line:?}");
        assert!((geodesic_m(eye, target) - distance_m).abs() < 1e-6, "{line:?}");
        assert!(options.reach_m.is_none_or(|reach_m| distance_m <= reach_m + 1.0), "{line:?}");
        // In the plane of the azimuth, under the elevation.
        let (sight_m, (east, north, up)) = (
            target.to_ecef(Ellipsoid::WGS84) - eye.to_ecef(Ellipsoid::WGS84),
            elevation::geodesy::east_north_up(eye.normal()),
        );
        let turn = (sight_m.dot(east).atan2(sight_m.dot(north)) - azimuth_rad + PI).rem_euclid(TAU) - PI;
        let bent_rad = options.refraction * sight_m.length() / (2.0 * Ellipsoid::WGS84.mean_radius_m());
        let off_rad = sight_m.dot(up).atan2(sight_m.dot(east).hypot(sight_m.dot(north))) + bent_rad - elevation_rad;
        assert!(turn.abs() < 1e-4 && off_rad.abs() < 1e-9, "{line:?}: {turn} {off_rad}");
        for other in &found.lines[..k] {
            let separated_lines = |a: Geodetic, b: Geodetic| flat(a).distance(flat(b)) >= options.separation_m;
            assert!(separated_lines(eye, other.eye) || separated_lines(target, other.target), "{line:?} {other:?}");
            assert!(separated_lines(eye, other.target) || separated_lines(target, other.eye), "{line:?} {other:?}");
        }
    }
}

/// Law: what is said of lines holds over ground of needles, too, with whatever options, and is the same on one thread.
#[test]
fn lines_are_seen_sorted_and_apart() {
    let mut rng = rng();
    let surface = rough(&mut rng);
    for round in 0..4 {
        let (south, west) = (rng.random_range(-70.0..69.0), rng.random_range(-180.0..180.0));
        let area = [west, south, wrapped(west + rng.random_range(0.3..3.0)), south + rng.random_range(0.3..2.0)];
        let options = SightlinesOptions::default()
            .with_lines(rng.random_range(1..200))
            .with_directions(rng.random_range(3..40))
            .with_cell_m(Some(rng.random_range(2_000.0..6_000.0)))
            .with_eye_height_m([0.0, 2.0, 300.0][rng.random_range(0..3)])
            .with_target_height_m([0.0, 50.0][round % 2])
            .with_reach_m([None, Some(60_000.0)][round / 2])
            .with_separation_m([0.0, 3_000.0, 20_000.0][rng.random_range(0..3)])
            .with_refraction([0.0, 0.13][rng.random_range(0..2)]);
        let found = Sightlines::new(&surface, area, &options, |_, _| {}).unwrap();
        check_lines(&surface, area, &options, &found);
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(one.install(|| Sightlines::new(&surface, area, &options, |_, _| {})), Ok(found));
    }
}

/// Law: over a sea with a peak of a height h the longest line from the sea to the peak is sqrt(2 R h) and what the eye adds; R is the least
/// and the greatest radius of curvature, larger by refraction, and eyes are a cell apart.
#[test]
fn a_peak_over_the_sea() {
    let mut rng = rng();
    let [eye_m, target_m] = [rng.random_range(1.0..20.0), rng.random_range(0.0..50.0)];
    let peak = |lon: f64, lat: f64| 2_000.0 - 8_000.0 * lon.hypot(lat);
    let sea = GlobalGrid::from_fn(1440, 721, Registration::Node, |lon, lat| f64::max(peak(lon, lat), 0.0));
    let surface = Surface::new(Arc::new(Relief::from_grid(sea).unwrap()));
    for refraction in [0.0, 0.13] {
        let options = SightlinesOptions::default()
            .with_lines(4)
            .with_cell_m(Some(1_000.0))
            .with_eye_height_m(eye_m)
            .with_target_height_m(target_m)
            .with_refraction(refraction)
            .with_separation_m(10_000.0);
        let area = [1.0, -0.3, 1.9, 0.3];
        let found = Sightlines::new(&surface, area, &options, |_, _| {}).unwrap();
        check_lines(&surface, area, &options, &found);
        let [a_m, b_m] = [Ellipsoid::WGS84.semi_major_m(), Ellipsoid::WGS84.semi_minor_m()];
        let over = |radius_m: f64, above_m: f64| (2.0 * radius_m / (1.0 - refraction) * above_m).sqrt();
        let line = |radius_m: f64| over(radius_m, 2_000.0 + target_m) + over(radius_m, eye_m);
        let (least_m, most_m) = (line(b_m * b_m / a_m) - 2_500.0, line(a_m * a_m / b_m) + 100.0);
        let longest = found.lines[0];
        assert!((least_m..most_m).contains(&longest.distance_m), "{longest:?}: {least_m} to {most_m}");
        assert!(longest.target.height_m > 1_900.0, "{longest:?}");
    }
}

/// Law: each line that was added and is longer than the shortest that is kept of so many is within twice the distance of one
/// that is as long, and the longest of all is kept; whatever their number.
#[test]
fn candidates_hold_the_longest() {
    let mut rng = rng();
    let separation_m = 1_000.0;
    let place = |rng: &mut StdRng| DVec3::new(rng.random_range(0.0..9_000.0), rng.random_range(0.0..9_000.0), 6.37e6);
    for count in [10, 3_000, 60_000] {
        let mut candidates = Candidates::new(3, separation_m);
        let mut all = Vec::new();
        for _ in 0..count / 10 {
            let some: Vec<Candidate> = (0..10)
                .map(|_| {
                    let ends = [place(&mut rng), place(&mut rng)];
                    Candidate { ends, distance_m: ends[0].distance(ends[1]), step_m: 1.0 }
                })
                .filter(|line| line.distance_m >= candidates.least_m())
                .collect();
            all.extend_from_slice(&some);
            candidates.add(some);
        }
        let sorted = candidates.into_sorted();
        let mut separated_lines = SeparatedLines::new(separation_m);
        let best: Vec<Candidate> =
            sorted.iter().filter(|line| separated_lines.len() < 3 && separated_lines.add(line.ends)).copied().collect();
        let longest_m = all.iter().map(|line| line.distance_m).fold(0.0, f64::max);
        assert!(best.len() == 3 && best[0].distance_m == longest_m, "{best:?}");
        for line in all.iter().filter(|line| line.distance_m > best[2].distance_m) {
            let [a, b] = line.ends;
            let near = |[c, d]: [DVec3; 2]| a.distance(c).max(b.distance(d)).min(a.distance(d).max(b.distance(c)));
            let beside = best.iter().filter(|kept| kept.distance_m >= line.distance_m).map(|kept| near(kept.ends));
            assert!(beside.fold(f64::INFINITY, f64::min) < 2.0 * separation_m, "{line:?} of {best:?}");
        }
    }
}

/// Law: parts cover their area without a gap, across 180 degrees and at the poles, and each fits into a grid.
#[test]
fn parts_cover_their_area() {
    let mut rng = rng();
    let areas =
        [[-180.0, -90.0, 180.0, 90.0], [170.0, -20.0, -160.0, 10.0], [0.0, 80.0, 360.0, 90.0], [5.0, 45.0, 9.0, 46.0]];
    for (area, cell_m) in areas.into_iter().zip([5_000.0, 90.0, 700.0, 2.0]) {
        let whole = Area::of(area).unwrap();
        let parts = whole.parts(Ellipsoid::WGS84, cell_m).unwrap();
        assert!(parts.len() > 1);
        let holds = |part: &Area, [lon, lat]: [f64; 2]| {
            (part.south..=part.south + part.high + 1e-9).contains(&lat)
                && (lon - part.west).rem_euclid(360.0) <= part.wide + 1e-9
        };
        for _ in 0..200 {
            let place =
                [rng.random_range(0.0..whole.wide) + whole.west, rng.random_range(0.0..whole.high) + whole.south];
            let part = parts.iter().find(|part| holds(part, place)).unwrap_or_else(|| panic!("{place:?} of {area:?}"));
            let grid = Grid::covering(Ellipsoid::WGS84, part.edges(), cell_m).unwrap();
            assert!(grid.columns.max(grid.rows) as f64 <= 1.1 * SIDE, "{part:?}: {grid:?}");
        }
    }
}

/// Law: eyes of an area in parts are as many as of one whole, to those on the edges, and whoever says no has no answer.
#[test]
fn eyes_are_those_of_the_area() {
    let surface = hilly();
    let options = SightlinesOptions::default().with_cell_m(Some(10_000.0)).with_directions(3).with_lines(2);
    let area = [178.0, 30.0, -172.0, 39.0];
    let found = Sightlines::new(&surface, area, &options, |_, _| {}).unwrap();
    // Of a sphere of 6371 km.
    let [south, north] = [30.0f64, 39.0].map(|lat| lat.to_radians().sin());
    let expected = (north - south) * 10f64.to_radians() * 6_371f64.powi(2) / 100.0;
    assert!((found.eyes as f64 / expected - 1.0).abs() < 0.02, "{} {expected}", found.eyes);
    check_lines(&surface, area, &options, &found);
    let mut rng = rng();
    for question in [0, 5, rng.random_range(0..500)] {
        let asked = AtomicUsize::new(0);
        let once = |part: usize, parts: usize| {
            assert!(part < parts);
            asked.fetch_add(1, Ordering::Relaxed) != question
        };
        let stopped = Sightlines::new_while(&surface, area, &options, once);
        let expected = if asked.into_inner() > question { Err(HorizonError::Stopped) } else { Ok(found.clone()) };
        assert_eq!(stopped, expected);
    }
}

/// Law: what cannot be is refused, and it is said what would be possible.
#[test]
fn impossible_questions() {
    let surface = hilly();
    let (options, area) = (SightlinesOptions::default(), [8.0, 45.0, 8.5, 45.5]);
    for bad in [
        options.with_lines(0),
        options.with_lines(1 << 20),
        options.with_directions(0),
        options.with_directions(1 << 20),
        options.with_cell_m(Some(0.0)),
        options.with_cell_m(Some(f64::NAN)),
        options.with_cell_m(Some(1e-6)),
        options.with_eye_height_m(-1.0),
        options.with_target_height_m(f64::INFINITY),
        options.with_refraction(1.0),
        options.with_reach_m(Some(0.0)),
        options.with_reach_m(Some(1e9)),
        options.with_separation_m(-1.0),
    ] {
        let error = Sightlines::new(&surface, area, &bad, |_, _| {}).unwrap_err().to_string();
        assert!(error.contains("not possible") && error.lines().count() == 1, "{error}");
    }
    for bad in [
        [8.0, 45.0, 8.0, 45.5],
        [8.0, 45.0, 8.5, 45.0],
        [8.0, 46.0, 8.5, 45.0],
        [8.0, -91.0, 8.5, 45.0],
        [8.0, 45.0, f64::NAN, 45.5],
        [-900.0, 45.0, 8.5, 45.5],
    ] {
        let error = Sightlines::new(&surface, bad, &options, |_, _| {}).unwrap_err();
        assert!(matches!(error, HorizonError::Option(_)), "{bad:?}: {error}");
    }
    let patch = elevation::height::LayerInfo::synthetic("patch", 100.0, [170.0, 10.0, 190.0, 12.0], (0.0, 1.0));
    let patched = Surface::new(Arc::new(surface.relief().under(patch, Arc::new(NoData))));
    let refused = |area| Area::of(area).unwrap().check_data(&patched);
    assert!(refused([-175.0, 11.0, -174.0, 20.0]).is_ok() && refused([169.0, 11.0, -160.0, 11.5]).is_ok());
    assert!(refused([-180.0, -90.0, 180.0, 90.0]).is_ok());
    for outside in [[-169.0, 11.0, 169.0, 11.5], [175.0, 13.0, 176.0, 14.0]] {
        let error = Sightlines::new(&patched, outside, &options, |_, _| {}).unwrap_err();
        assert!(matches!(error, HorizonError::OutsideData { .. }), "{error}");
    }
}

/// Data of no height.
#[derive(Debug)]
struct NoData;

impl elevation::height::ElevationSource for NoData {
    fn sample(
        &self,
        _: &elevation::height::Location,
        _: elevation::height::Spacing,
    ) -> Option<elevation::height::Elevation> {
        None
    }

    fn bounds(&self, _: &elevation::height::Region) -> Option<elevation::height::HeightBounds> {
        None
    }

    fn posting_m(&self, _: &elevation::height::Location) -> f64 {
        100.0
    }
}

/// Law: lines that a device looks for are seen and apart, and the longest is as long as that which the CPU finds but for a cell.
#[cfg(feature = "gpu")]
#[test]
fn devices_find_lines_as_long() {
    let mut rng = rng();
    let gpu = gpu::Gpu::new(&gpu::GpuOptions::from_env()).unwrap();
    for _ in 0..2 {
        let surface = if rng.random_bool(0.5) { waves(&mut rng) } else { rough(&mut rng) };
        let [south, west] = [rng.random_range(-60.0..60.0), rng.random_range(-180.0..180.0)];
        let area = [west, south, wrapped(west + rng.random_range(0.5..1.5)), south + rng.random_range(0.5..1.5)];
        let options = SightlinesOptions::default()
            .with_lines(rng.random_range(1..20))
            .with_directions(rng.random_range(1..40))
            .with_cell_m(Some(rng.random_range(1_000.0..3_000.0)))
            .with_eye_height_m(rng.random_range(2.0..200.0))
            .with_reach_m([None, Some(rng.random_range(20e3..100e3))][rng.random_range(0..2)]);
        let found = Sightlines::on_device_while(&gpu, &surface, area, &options, |_, _| true).unwrap();
        check_lines(&surface, area, &options, &found);
        let same = Sightlines::new(&surface, area, &options, |_, _| {}).unwrap();
        assert_eq!((found.eyes, found.lines.len()), (same.eyes, same.lines.len()));
        let [found_m, same_m] = [&found, &same].map(|lines| lines.lines[0].distance_m);
        assert!((found_m - same_m).abs() < 2.0 * found.cell_m + 0.01 * same_m, "{found_m} of {same_m}: {options:?}");
    }
    let raised = SightlinesOptions::default().with_target_height_m(1.0).with_cell_m(Some(2_000.0));
    let refused = Sightlines::on_device_while(&gpu, &hilly(), [8.0, 45.0, 8.5, 45.5], &raised, |_, _| true);
    assert!(refused.unwrap_err().to_string().contains("target height of 0"));
}
