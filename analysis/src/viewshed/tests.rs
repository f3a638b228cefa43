//! Laws of viewsheds: cells against lines marched by brute force.

use elevation::{
    geodesy::Ellipsoid,
    height::{GlobalGrid, Registration, Relief},
};
use rand::Rng;

use super::*;
use crate::{
    random::rng,
    terrains::{above, bodies, hilly, hilly_on, rough, rough_on},
};

/// Law: each cell of a viewshed is the line of sight to its target, marched by brute force, at a pole and across 180 degrees
/// too.
#[test]
fn viewsheds_agree_with_brute_force() {
    let mut rng = rng();
    let places = [(46.3, 8.1), (90.0, 0.0), (-17.2, 179.97)];
    let others = bodies().into_iter().skip(1).zip(places);
    for (ellipsoid, (lat_deg, lon_deg)) in places.map(|place| (Ellipsoid::WGS84, place)).into_iter().chain(others) {
        let at = Geodetic::from_degrees(lat_deg, lon_deg, 0.0);
        // One relief in some hundred hides next to nothing there: another one says more.
        let enough = (0..5).any(|_| {
            let (seen, hidden) = cells_marched(&rough_on(ellipsoid, &mut rng), at, above);
            seen > 20 && hidden > 20
        });
        assert!(enough, "five reliefs show or hide nothing at {at:?}");
    }
}

/// The same ground, bilinear between postings.
fn straight(surface: &Surface) -> Surface {
    Surface::new(std::sync::Arc::new(surface.relief().interpolated(elevation::height::Interpolation::Bilinear)))
}

/// Law: over the bilinear surface each cell is the line of sight to its target over straight ground between postings, which is computed
/// here from the postings alone.
#[test]
fn bilinear_viewsheds_agree_with_brute_force() {
    let mut rng = rng();
    let enough = (0..5).any(|_| {
        let mut grid = GlobalGrid::from_fn(1440, 721, Registration::Node, |_, _| 0.0);
        grid.heights_m.iter_mut().for_each(|height| *height = rng.random_range(-900.0..900.0));
        let postings = grid.heights_m.clone();
        let at = |column: usize, row: usize| f64::from(postings[row * 1440 + column % 1440]);
        let ground_m = |place: Geodetic| {
            let (x, y) = (4.0 * (place.lon_rad.to_degrees() + 180.0), 4.0 * (90.0 - place.lat_rad.to_degrees()));
            let (column, row) = (x as usize, y as usize);
            let (fx, fy) = (x.fract(), y.fract());
            let top = at(column, row) * (1.0 - fx) + at(column + 1, row) * fx;
            let bottom = at(column, row + 1) * (1.0 - fx) + at(column + 1, row + 1) * fx;
            top * (1.0 - fy) + bottom * fy
        };
        let surface = straight(&Surface::new(std::sync::Arc::new(Relief::from_grid(grid).unwrap())));
        let (lat_deg, lon_deg) = (rng.random_range(-70.0..70.0), rng.random_range(-178.0..178.0));
        let above = |_: &Surface, p: glam::DVec3| {
            let place = Ellipsoid::WGS84.geodetic(p);
            place.height_m - ground_m(place)
        };
        let (seen, hidden) = cells_marched(&surface, Geodetic::from_degrees(lat_deg, lon_deg, 0.0), above);
        seen > 20 && hidden > 20
    });
    assert!(enough, "five reliefs show or hide nothing");
}

/// Compares each cell of a viewshed with its march; how many are seen, and how many hidden.
fn cells_marched(surface: &Surface, at: Geodetic, above: impl Fn(&Surface, glam::DVec3) -> f64) -> (usize, usize) {
    let ellipsoid = surface.relief().ellipsoid();
    let [radius_m, cell_m] = [70_000.0, 6_000.0].map(|m| m * ellipsoid.size());
    let options = ViewshedOptions::within(radius_m)
        .with_target_height_m(30.0)
        .with_eye_height_m(500.0)
        .with_cell_m(Some(cell_m))
        .with_refraction(0.13);
    let shed = Viewshed::new(surface, at, &options, |_, _| {}).unwrap();
    assert_eq!((shed.side, shed.cells.len()), (23, 529));
    let (mut seen, mut hidden) = (0, 0);
    for (k, cell) in shed.cells.iter().enumerate() {
        let (column, row) = (k % shed.side, k / shed.side);
        let place = shed.place(column, row);
        let away_m = (column as f64 - 11.0).hypot(row as f64 - 11.0) * cell_m;
        if away_m > radius_m {
            assert_eq!(*cell, Viewshed::BEYOND);
            continue;
        }
        let target = Geodetic { height_m: surface.height_m(place.normal()) + 30.0, ..place };
        let (start, end) = (shed.eye.to_ecef(ellipsoid), target.to_ecef(ellipsoid));
        let bulge_m = |s: f64| 0.13 / (2.0 * ellipsoid.mean_radius_m()) * s * (1.0 - s) * start.distance_squared(end);
        let worst_m = (1..5_000)
            .map(|i| f64::from(i) / 5_000.0)
            .map(|s| above(surface, start.lerp(end, s)) + bulge_m(s))
            .fold(f64::INFINITY, f64::min);
        match *cell {
            Viewshed::SEEN => seen += usize::from(worst_m > -1e-2) + 1_000 * usize::from(worst_m <= -1e-2),
            _ => hidden += usize::from(worst_m < 1.0) + 1_000 * usize::from(worst_m >= 1.0),
        }
        // The projection: distance along the ellipsoid is the one in the raster.
        let straight_m = ellipsoid.ecef(at.normal(), 0.0).distance(ellipsoid.ecef(place.normal(), 0.0));
        assert!((straight_m - away_m).abs() < 1.0 + 1e-4 * away_m, "{straight_m} {away_m}");
    }
    assert!(seen + hidden < 530, "{seen} seen, {hidden} hidden at {at:?}");
    (seen, hidden)
}

#[test]
fn what_cannot_be_is_refused() {
    let surface = hilly();
    let here = Geodetic::from_degrees(10.0, 20.0, 0.0);
    let shed = |options: ViewshedOptions| Viewshed::new(&surface, here, &options, |_, _| {});
    for radius_m in [0.0, -5.0, f64::NAN, 1e9] {
        assert!(matches!(shed(ViewshedOptions::within(radius_m)), Err(ViewshedError::Option(_))), "{radius_m}");
    }
    let fine = ViewshedOptions::within(10_000.0).with_cell_m(Some(0.01));
    assert!(shed(fine).unwrap_err().to_string().contains("are 4000004000001, more than"), "{:?}", shed(fine));
    let finer = ViewshedOptions::within(1e7).with_cell_m(Some(0.001));
    assert!(shed(finer).unwrap_err().to_string().contains("are 4.0000000004e20, more than"), "{:?}", shed(finer));
    // A disc that is smaller than its cells has no area that they could tell, whoever chose them.
    for (radius_m, cell_m) in [(5.0, None), (1.0, Some(1e6)), (99.0, Some(100.0))] {
        let small = shed(ViewshedOptions::within(radius_m).with_cell_m(cell_m));
        assert!(matches!(small, Err(ViewshedError::CellBeyondRadius { .. })), "{small:?}");
    }
    let one = shed(ViewshedOptions::within(5.0).with_cell_m(Some(5.0))).unwrap();
    assert_eq!(one.count(), (5, 5));
}

/// Law: a viewshed goes on as long as it is told to, and is then the same.
#[test]
fn a_viewshed_can_be_stopped() {
    let surface = rough(&mut rng());
    let at = Geodetic::from_degrees(46.3, 8.1, 0.0);
    let options = ViewshedOptions::within(70_000.0).with_cell_m(Some(6_000.0));
    assert_eq!(Viewshed::new_while(&surface, at, &options, |_, _| false), Err(ViewshedError::Stopped));
    let whole = Viewshed::new(&surface, at, &options, |_, _| {});
    assert_eq!(Viewshed::new_while(&surface, at, &options, |_, _| true), whole);
}

/// Cells that differ from one exact ray each, of a viewshed over a surface.
fn differing(surface: &Surface, at: Geodetic, options: &ViewshedOptions) -> usize {
    let shed = match Viewshed::new(surface, at, options, |_, _| {}) {
        Ok(shed) => shed,
        // A line may keep too close to the ground for anybody.
        Err(error @ ViewshedError::Ray(RayError::TooLong { .. })) => {
            let grid = grid(surface, at, options).unwrap();
            let side = grid.side();
            let shed = grid.viewshed();
            let undecided = (0..side * side).into_par_iter().any(|k| {
                let (east_m, north_m) = shed.offset_m(k % side, k / side);
                let within = east_m.hypot(north_m) <= options.radius_m;
                within && shed.sees_cell(surface, k % side, k / side, options).is_err()
            });
            assert!(undecided, "{error}, but every ray is decided: {at:?}, {options:?}");
            return 0;
        }
        Err(error) => panic!("{error}"),
    };
    let exact = |k: usize| {
        let (column, row) = (k % shed.side, k / shed.side);
        let (east_m, north_m) = shed.offset_m(column, row);
        if east_m.hypot(north_m) > options.radius_m {
            return Viewshed::BEYOND;
        }
        u8::from(shed.sees_cell(surface, column, row, options).unwrap())
    };
    (0..shed.cells.len()).into_par_iter().filter(|k| shed.cells[*k] != exact(*k)).count()
}

/// Law: no cell differs from `Surface::sees`: on every body, at poles, across 180 degrees, for eyes and targets of all heights, with light bent
/// both ways, over small and large radii.
#[test]
fn no_cell_differs_from_its_ray() {
    let mut rng = rng();
    let surfaces = bodies().map(|ellipsoid| {
        [rough_on(ellipsoid, &mut rng), hilly_on(ellipsoid, 1.0), straight(&rough_on(ellipsoid, &mut rng))]
    });
    for round in 0..48 {
        let body = if round < 24 { 0 } else { 1 + round / 3 % 3 };
        let ellipsoid = bodies()[body];
        let (lat_deg, lon_deg) = [(46.3, 8.1), (90.0, 0.0), (-17.2, 179.97), (-89.9, 12.0), (0.0, -60.0)][round % 5];
        let at = Geodetic::from_degrees(lat_deg + rng.random_range(-0.1..0.1f64).min(90.0 - lat_deg), lon_deg, 0.0);
        let radius_m = ellipsoid.size() * 10f64.powf(rng.random_range(2.0..5.7));
        let options = ViewshedOptions::within(radius_m)
            .with_eye_height_m([0.0, 2.0, 500.0, 30_000.0][rng.random_range(0..4)])
            .with_target_height_m([0.0, 0.0, 30.0, 1_000.0][rng.random_range(0..4)])
            .with_cell_m(Some(radius_m / rng.random_range(1.0..16.0)))
            .with_refraction([0.0, 0.13, -0.5, 1.0][rng.random_range(0..4)]);
        let wrong = differing(&surfaces[body][round % 3], at, &options);
        assert_eq!(wrong, 0, "round {round} on {ellipsoid:?}: {at:?}, {options:?}");
    }
}

/// Law: a target a centimetre above its needed height is seen, one a centimetre below is not, unless that is in the ground.
#[test]
fn needed_heights_are_those_that_rays_need() {
    let mut rng = rng();
    for round in 0..7 {
        // Of other bodies the rough ones.
        let (ellipsoid, kind) = if round < 4 { (Ellipsoid::WGS84, round % 2) } else { (bodies()[round - 3], 0) };
        let surface = [rough_on(ellipsoid, &mut rng), hilly()][kind].clone();
        let at = Geodetic::from_degrees([46.3, 90.0, -17.2, 0.0, 46.3, -17.2, 0.0][round], 179.9, 0.0);
        let options = ViewshedOptions::within(60_000.0 * ellipsoid.size())
            .with_eye_height_m([2.0, 500.0][kind])
            .with_cell_m(Some(19_000.0 * ellipsoid.size()))
            .with_refraction([0.0, 0.13][round / 2 % 2]);
        let needed = NeededHeights::new(&surface, at, &options, HeightReference::Ground, |_, _| {}).unwrap();
        let shed = Viewshed::new(&surface, at, &options, |_, _| {}).unwrap();
        let mut hidden = 0;
        for (k, needed_m) in needed.heights_m.iter().enumerate().filter(|(_, needed_m)| !needed_m.is_nan()) {
            let place = shed.place(k % shed.side, k / shed.side);
            let ground_m = surface.height_m(place.normal());
            let sees = |above_m: f64| {
                let target = Geodetic { height_m: ground_m + above_m, ..place };
                surface.sees(shed.eye, target, options.refraction).unwrap()
            };
            let needed_m = f64::from(*needed_m);
            assert!(sees(needed_m + 0.01), "{needed_m} m do not do at cell {k}, round {round}");
            if needed_m > 0.01 {
                hidden += 1;
                assert!(!sees(needed_m - 0.01), "{needed_m} m are too much at cell {k}, round {round}");
            }
        }
        assert!(hidden > 5, "{hidden}");
    }
}

/// Law: counts of observers are sums of what each sees; limits take cells out and change no other.
#[test]
fn observers_add_up_and_limits_only_take_out() {
    let surface = rough(&mut rng());
    let at = Geodetic::from_degrees(46.3, 8.1, 0.0);
    let options = ViewshedOptions::within(30_000.0).with_cell_m(Some(3_000.0)).with_target_height_m(50.0);
    let twice = [5.0, 300.0].map(|eye_height_m| Observer { at, eye_height_m });
    let counts = count_observers(&surface, at, &options, &twice, 1e6, |_, _| {}).unwrap();
    let sheds = twice.map(|observer| {
        let options = options.with_eye_height_m(observer.eye_height_m);
        Viewshed::new(&surface, at, &options, |_, _| {}).unwrap()
    });
    for (k, count) in counts.counts.iter().enumerate() {
        let sum = sheds.iter().map(|shed| u32::from(shed.cells[k])).sum();
        assert_eq!(*count, if sheds[0].cells[k] == Viewshed::BEYOND { u32::MAX } else { sum });
    }
    let ahead = options.with_eye_height_m(5.0).with_nearest_m(9_000.0).with_azimuths_deg(Some((350.0, 100.0)));
    let part = Viewshed::new(&surface, at, &ahead, |_, _| {}).unwrap();
    for (k, cell) in part.cells.iter().enumerate() {
        let (east_m, north_m) = part.offset_m(k % part.side, k / part.side);
        let azimuth = east_m.atan2(north_m).to_degrees();
        let inside = east_m.hypot(north_m) >= 9_000.0 && (-10.0..=100.0).contains(&azimuth);
        assert_eq!(*cell, if inside { sheds[0].cells[k] } else { Viewshed::BEYOND });
    }
}

/// Law: nor does a cell over a fine raster in a system of its own, amid coarse data, whose ground is rough at all sizes.
#[cfg(feature = "gdal")]
#[test]
fn no_cell_differs_over_a_fine_raster() {
    let (mut rng, folder) = (rng(), tempfile::tempdir().unwrap());
    let (side, posting_m) = (220, 30.0);
    let waves: Vec<[f64; 4]> = (0..40)
        .map(|k| {
            let number = 1.2f64.powi(k % 20);
            let heading = rng.random_range(0.0..std::f64::consts::TAU);
            [
                0.01 * number * heading.cos(),
                0.01 * number * heading.sin(),
                rng.random_range(0.0..9.0),
                120.0 * number.powf(-1.1),
            ]
        })
        .collect();
    let ground = |k: usize| -> f32 {
        let (x, y) = ((k % side) as f64, (k / side) as f64);
        waves.iter().map(|[a, b, phase, height]| height * (a * x + b * y + phase).sin()).sum::<f64>() as f32
    };
    let heights_m: Vec<f32> = (0..side * side).map(ground).collect();
    let file = folder.path().join("fine.tif");
    let raster = elevation::geotiff::Raster {
        system: "+proj=utm +zone=32 +datum=WGS84 +units=m +no_defs".into(),
        size: (side, side),
        geo_transform: [330_000.0, posting_m, 0.0, 5_090_000.0, 0.0, -posting_m],
        nodata: -9999.0,
        bands: vec![("heights".into(), &heights_m)],
    };
    raster.write(&file).unwrap();
    let relief = Relief::open(&[file], &elevation::height::OpenOptions::default()).unwrap();
    let surface = Surface::new(std::sync::Arc::new(relief));
    let at = Geodetic::from_degrees(45.915, 6.85, 0.0);
    assert_eq!(surface.ground(at.normal()).provenance.layer, 0, "the eye is in the raster");
    let surfaces = [straight(&surface), surface];
    for round in 0..12 {
        let radius_m = rng.random_range(300.0..3_500.0);
        let options = ViewshedOptions::within(radius_m)
            .with_eye_height_m([2.0, 0.0, 20.0, 500.0][round % 4])
            .with_target_height_m([0.0, 2.0, 0.0][round % 3])
            .with_cell_m(Some(radius_m / rng.random_range(10.0..30.0)))
            .with_refraction([0.0, 0.13][round % 2]);
        assert_eq!(differing(&surfaces[round / 3 % 2], at, &options), 0, "round {round}: {options:?}");
    }
}
