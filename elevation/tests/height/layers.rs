//! Ordered layers: the first valid one wins, voids show what lies below, edges are feathered, 0 m is a height.

use std::{path::PathBuf, sync::LazyLock};

use elevation::{
    cube::{CubePoint, ONE, face_of},
    height::{CoarseErrors, OpenOptions, Relief, VerticalDatum},
};
use gdal::spatial_ref::CoordTransform;
use rand::Rng;
use tempfile::TempDir;

use super::packs::PACK;
use super::places::EARTH;
use super::raster_files::{Frame, degrees, normal, srs};
use crate::random;

const PACIFIC: (f64, f64) = (-150.0, 20.0);

fn frame() -> Frame {
    Frame::north_up("EPSG:4326", (100, 100), PACIFIC.0, PACIFIC.1, 0.01)
}

fn write(
    folder: &TempDir,
    name: &str,
    height_m: f32,
    void: Option<f32>,
    hole: impl Fn(usize, usize) -> bool,
) -> PathBuf {
    let path = folder.path().join(name);
    let values = (0..10_000).map(|i| if hole(i % 100, i / 100) { void.unwrap_or(0.0) } else { height_m }).collect();
    let dataset = frame().write::<f32>(&path, values);
    if void.is_some() {
        dataset.rasterband(1).expect("a band").set_no_data_value(void.map(f64::from)).expect("nodata");
    }
    dataset.close().expect("closed");
    path
}

/// Height and layer at a texel of the frame.
fn at(relief: &Relief, column: f64, row: f64) -> (f64, usize) {
    let n = normal(PACIFIC.0 + 0.01 * (column + 0.5), PACIFIC.1 - 0.01 * (row + 0.5));
    let sample = relief.sample(n);
    (sample.height_m, sample.layer)
}

fn open(files: &[PathBuf]) -> Relief {
    LazyLock::force(&EARTH); // Kept alive, the embedded relief is decoded once.
    let options = OpenOptions::default().with_feather_texels(Some(8));
    Relief::open(files, &options).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn the_first_layer_wins_and_zero_is_a_height() {
    let folder = TempDir::new().expect("a temporary folder");
    let zero = write(&folder, "zero.tif", 0.0, None, |_, _| false);
    let high = write(&folder, "high.tif", 777.0, None, |_, _| false);
    let relief = open(&[zero.clone(), high.clone()]);
    assert_eq!(at(&relief, 50.0, 50.0), (0.0, 0));
    assert_eq!(at(&open(&[high, zero]), 50.0, 50.0), (777.0, 0));
    // Far away the embedded relief answers, as if the files were not there.
    let n = normal(10.0, 46.0);
    let far = relief.sample(n);
    assert_eq!((far.layer, far.height_m), (2, Relief::embedded().expect("opens").sample(n).height_m));
    assert_eq!(relief.layers().len(), 3);
}

#[test]
fn voids_of_every_kind_show_the_layer_below() {
    let folder = TempDir::new().expect("a temporary folder");
    let hole = |i: usize, j: usize| (40..70).contains(&i) && (30..60).contains(&j);
    let below = folder.path().join("below.tif");
    let coarse = Frame::north_up("EPSG:4326", (34, 34), PACIFIC.0, PACIFIC.1, 0.03);
    coarse.write::<f32>(&below, vec![100.0; 34 * 34]).close().expect("closed");
    let kinds = [("value.tif", Some(-9999.0)), ("nan.tif", Some(f32::NAN)), ("lowest.tif", Some(f32::MIN))];
    for (name, void) in kinds {
        let top = write(&folder, name, 200.0, void, hole);
        let relief = open(&[top, below.clone()]);
        assert_eq!(at(&relief, 55.0, 45.0), (100.0, 1), "{name}");
        assert_eq!(at(&relief, 20.0, 80.0), (200.0, 0), "{name}");
        // Across the edge of the hole: monotone from one layer to the other, no jump.
        let mut last = 200.0;
        for k in 0..600 {
            let (h, _) = at(&relief, 28.0 + 0.04 * f64::from(k), 45.0);
            assert!((100.0..=200.0).contains(&h) && h <= last + 1e-9 && last - h < 1.0, "{name}: {last} {h}");
            last = h;
        }
        assert_eq!(last, 100.0, "{name}");
        let share = relief.layers()[0].void_share;
        assert!((share - 0.09).abs() < 1e-9, "{name} {share}");
    }
    // Undeclared: an implausible value is a void too, and is reported.
    let path = folder.path().join("undeclared.tif");
    let values = (0..10_000).map(|i| if hole(i % 100, i / 100) { 1e38f32 } else { 200.0 }).collect();
    frame().write::<f32>(&path, values).close().expect("closed");
    let relief = open(&[path, below.clone()]);
    assert_eq!(at(&relief, 55.0, 45.0), (100.0, 1));
    assert!(
        relief.layers()[0].remarks.iter().any(|remark| remark.contains("900 heights outside")),
        "{:?}",
        relief.layers()[0]
    );
    // A mask band of the dataset.
    let path = folder.path().join("mask.tif");
    let dataset = frame().write::<f32>(&path, vec![200.0; 10_000]);
    let mut band = dataset.rasterband(1).expect("a band");
    band.create_mask_band(true).expect("a mask");
    let mask = (0..10_000).map(|i| if hole(i % 100, i / 100) { 0u8 } else { 255 }).collect();
    let mut mask = gdal::raster::Buffer::new((100, 100), mask);
    band.open_mask_band().expect("a mask").write((0, 0), (100, 100), &mut mask).expect("written");
    dataset.close().expect("closed");
    let relief = open(&[path, below]);
    assert_eq!(at(&relief, 55.0, 45.0), (100.0, 1));
    assert_eq!(at(&relief, 20.0, 80.0), (200.0, 0));
}

/// Law: a posting of a file that no file above it has is the answer there, however near data of others are, if those above are no more than
/// twice as fine: files that overlap by any number of postings, in either order, with voids that are not filled, in other systems. Between there is no step.
#[test]
fn postings_below_are_exact_beside_data_as_fine() {
    let mut rng = random::rng();
    let folder = TempDir::new().expect("a temporary folder");
    let heights: Vec<f32> = (0..10_000).map(|_| rng.random_range(0.0..900.0)).collect();
    for round in 0..12 {
        let (west_end, east_start) = (rng.random_range(45..60), rng.random_range(35..45));
        let part = |name: &str, columns: std::ops::Range<usize>, hole: Option<usize>| {
            let path = folder.path().join(format!("{round}{name}"));
            let frame = Frame::north_up(
                "EPSG:4326",
                (columns.len(), 100),
                PACIFIC.0 + 0.01 * columns.start as f64,
                PACIFIC.1,
                0.01,
            );
            let own = |column: usize, row: usize| {
                let is_hole =
                    hole.is_some_and(|side| (20..20 + side).contains(&row) && (10..10 + side).contains(&column));
                if is_hole { f32::NAN } else { heights[100 * row + column] }
            };
            let values = (0..100).flat_map(|row| columns.clone().map(move |column| (column, row)));
            frame.write::<f32>(&path, values.map(|(column, row)| own(column, row)).collect()).close().expect("closed");
            path
        };
        let west = part("west.tif", 0..west_end, Some(if round % 2 == 0 { 0 } else { 18 + round }));
        let east = part("east.tif", east_start..100, None);
        let all = part("all.tif", 0..100, None);
        for files in [[west.clone(), east.clone(), all.clone()], [east, west, all]] {
            let feather = rng.random_range(2..60);
            let options = OpenOptions::default().with_feather_texels(Some(feather));
            let relief = Relief::open(&files, &options).unwrap_or_else(|e| panic!("{e}"));
            for (k, height) in heights.iter().enumerate() {
                let (column, row) = ((k % 100) as f64, (k / 100) as f64);
                let (found, layer) = at(&relief, column, row);
                assert!((found - f64::from(*height)).abs() < 1e-3, "{column} {row}: {found} of {layer}, {height}");
            }
            let row = rng.random_range(0.0..99.0);
            let line: Vec<f64> = (0..99_000).map(|k| at(&relief, f64::from(k) * 1e-3, row).0).collect();
            let steepest = line.windows(2).map(|two| (two[1] - two[0]).abs()).fold(0.0, f64::max);
            assert!(steepest < 6.0, "a step of {steepest} m within a thousandth of a posting, row {row}");
        }
    }
    // In metres and turned, over a raster in degrees; and beside one twice as fine.
    let all = folder.path().join("degrees.tif");
    Frame::north_up("EPSG:4326", (100, 100), PACIFIC.0, PACIFIC.1, 0.01)
        .write::<f32>(&all, heights.clone())
        .close()
        .expect("closed");
    let metres = folder.path().join("metres.tif");
    let east_m = rng.random_range(205_000.0..235_000.0);
    let turned =
        Frame { size: (40, 40), geo_transform: [east_m, 900.0, 150.0, 2_180_000.0, 150.0, -900.0], crs: "EPSG:32606" };
    turned.write::<f32>(&metres, vec![5_000.0; 1600]).close().expect("closed");
    let options = OpenOptions::default().with_feather_texels(Some(20));
    let relief = Relief::open(&[metres.clone(), all], &options).unwrap_or_else(|e| panic!("{e}"));
    let alone = Relief::open(&[metres], &options).unwrap_or_else(|e| panic!("{e}"));
    let mut beside = 0;
    for (k, height) in heights.iter().enumerate() {
        let (column, row) = ((k % 100) as f64, (k / 100) as f64);
        let texels_out = {
            let g = turned.geo_transform;
            let (mut x, mut y) = ([PACIFIC.0 + 0.01 * (column + 0.5)], [PACIFIC.1 - 0.01 * (row + 0.5)]);
            let to_metres = CoordTransform::new(&degrees(turned.crs), &srs(turned.crs)).expect("PROJ knows it");
            to_metres.transform_coords(&mut x, &mut y, &mut []).expect("near");
            let (x, y) = (x[0] - g[0], y[0] - g[3]);
            let scale = g[1] * g[5] - g[2] * g[4];
            let (p, l) = ((x * g[5] - y * g[2]) / scale - 0.5, (y * g[1] - x * g[4]) / scale - 0.5);
            [-p, p - 39.0, -l, l - 39.0].into_iter().fold(f64::NEG_INFINITY, f64::max)
        };
        if texels_out > 1.5 {
            let (found, layer) = at(&relief, column, row);
            assert!(
                (found - f64::from(*height)).abs() < 1e-3 && layer == 1,
                "{column} {row}: {found} of {layer}, {height}"
            );
            // Over the coarse relief of the Earth it has a feather.
            beside += usize::from(at(&alone, column, row).1 == 0);
        }
    }
    assert!(beside > 20, "{beside}");
}

/// Law: a layer ends beside heights of a lower one alone, not where that one is only continued across a gap, nor over a pack, which is as fine
/// somewhere else.
#[test]
fn feathers_stay_over_gaps_and_packs() {
    let mut rng = random::rng();
    let folder = TempDir::new().expect("a temporary folder");
    let part = |name: &str, columns: std::ops::Range<usize>, height_m: f32| {
        let path = folder.path().join(name);
        let west = PACIFIC.0 + 0.01 * columns.start as f64;
        let frame = Frame::north_up("EPSG:4326", (columns.len(), 100), west, PACIFIC.1, 0.01);
        frame.write::<f32>(&path, vec![height_m; 100 * columns.len()]).close().expect("closed");
        path
    };
    let west = [1_000.0, 2_000.0].map(|height_m| part(&format!("west{height_m}.tif"), 0..45, height_m));
    let options = OpenOptions::default().with_feather_texels(Some(20));
    // Over the same data, at two heights: what a place has of their difference is the share of the first layer.
    let over = |below: &[PathBuf]| {
        west.each_ref().map(|west| {
            let files = [std::slice::from_ref(west), below].concat();
            Relief::open(&files, &options).unwrap_or_else(|e| panic!("{e}"))
        })
    };
    let share = |[low, high]: &[Relief; 2], column, row| (at(high, column, row).0 - at(low, column, row).0) / 1_000.0;
    let alone = over(&[]);
    for gap in [2usize, 3, 5, 12, 30] {
        let both = over(&[part(&format!("east{gap}.tif"), 45 + gap..100, 1_500.0)]);
        for _ in 0..200 {
            let (out, row) = (rng.random_range(0.0..gap as f64), rng.random_range(5.0..94.0));
            let [found, expected] = [&both, &alone].map(|relief| share(relief, 44.0 + out, row));
            assert!((found - expected).abs() < 1e-9, "gap {gap}, {out} out: {found} of {expected}");
        }
        assert_eq!(at(&both[0], 45.0 + gap as f64, 50.0), (1_500.0, 1), "gap {gap}");
    }
    let over_pack = over(std::slice::from_ref(&PACK.pack));
    let mut partly = 0;
    for _ in 0..200 {
        let (column, row) = (rng.random_range(44.0..60.0), rng.random_range(5.0..94.0));
        let [found, expected] = [&over_pack, &alone].map(|relief| share(relief, column, row));
        assert!((found - expected).abs() < 1e-9, "{column} {row}: {found} of {expected}");
        partly += usize::from((0.1..0.9).contains(&found));
    }
    assert!(partly > 50, "{partly}");
}

#[test]
fn edges_are_feathered_without_a_step() {
    let folder = TempDir::new().expect("a temporary folder");
    let top = write(&folder, "top.tif", 3000.0, None, |_, _| false);
    let relief = open(&[top]);
    let mut last = at(&relief, -10.0, 50.0);
    assert_eq!(last.1, 1);
    let mut seen = 0.0f64;
    for k in 0..3000 {
        let next = at(&relief, -10.0 + 0.01 * f64::from(k), 50.0);
        seen = seen.max((next.0 - last.0).abs());
        last = next;
    }
    assert_eq!(last, (3000.0, 0));
    // 8000 m over 8 texels, in the middle half again as steep, 0.01 texels a step; and what lies below rises.
    assert!(seen < 17.5, "{seen}");
}

#[test]
fn tiny_and_empty_rasters_do_no_harm() {
    let folder = TempDir::new().expect("a temporary folder");
    let one = Frame::north_up("EPSG:4326", (1, 1), PACIFIC.0, PACIFIC.1, 0.01);
    let path = folder.path().join("one.tif");
    one.write::<f32>(&path, vec![5.0]).close().expect("closed");
    let (h, layer) = at(&open(&[path]), 0.0, 0.0);
    assert!((h - 5.0).abs() < 1e-6 && layer == 0, "{h} {layer}");
    let empty = write(&folder, "empty.tif", 0.0, Some(-1.0), |_, _| true);
    let relief = open(&[empty]);
    assert_eq!(at(&relief, 50.0, 50.0).1, 1);
    assert!(relief.layers()[0].remarks.iter().any(|remark| remark.contains("void")));
    assert_eq!(relief.range_m(), (-10_376.0, 7833.0));
}

#[test]
fn the_lattice_knows_of_a_mountain_between_its_vertices() {
    // 3 km wide, 4000 m high, in a cell of 39 km, where the sea floor is flat otherwise.
    let folder = TempDir::new().expect("a temporary folder");
    let level = 8;
    let cells = f64::from(1 << level);
    let middle = |c: f64| ((c + 1.0) * 0.5 * cells).floor();
    let (face, s, t) = face_of(normal(PACIFIC.0, PACIFIC.1));
    let (i, j) = (middle(s), middle(t));
    let unit = ONE >> level;
    let centre = elevation::cube::FacePoint { face, u: i as u32 * unit + unit / 2, v: j as u32 * unit + unit / 2 };
    let (lat, lon) = elevation::geodesy::lat_lon(centre.point().normal());
    let (lat, lon) = (lat.to_degrees(), lon.to_degrees());
    let frame = Frame::north_up("EPSG:4326", (31, 31), lon - 0.0155, lat + 0.0155, 0.001);
    let path = folder.path().join("peak.tif");
    frame.write::<f32>(&path, vec![4000.0; 31 * 31]).close().expect("closed");
    let relief = open(&[path]);
    let coarse_errors = CoarseErrors::build(&relief, level);
    let plain = CoarseErrors::build(&Relief::embedded().expect("opens"), level);
    let error = |coarse_errors: &CoarseErrors, p: CubePoint| coarse_errors.error_m(p).expect("on the lattice");
    let corners = [(0, 0), (1, 0), (0, 1), (1, 1)]
        .map(|(a, b)| elevation::cube::FacePoint { face, u: (i as u32 + a) * unit, v: (j as u32 + b) * unit }.point());
    let raised = corners.into_iter().filter(|p| error(&coarse_errors, *p) > 4000.0).count();
    assert!(raised >= 2 && corners.into_iter().all(|p| error(&coarse_errors, p) >= error(&plain, p)), "{raised}");
    // The vertices themselves have not moved: the peak lies between them.
    let embedded = Relief::embedded().expect("opens");
    for p in corners {
        assert_eq!(relief.sample(p.normal()).height_m, embedded.sample(p.normal()).height_m);
    }
}

/// Law: on request all layers have one datum, by the undulation that PROJ has; and what is there already stays.
#[test]
fn heights_are_brought_to_one_datum() {
    let folder = TempDir::new().expect("a temporary folder");
    let ellipsoid = Frame::north_up("EPSG:4979", (60, 60), 80.0, 5.0, 0.01);
    let path = folder.path().join("ellipsoid.tif");
    ellipsoid.write::<f32>(&path, vec![-100.0; 3600]).close().expect("closed");
    let open = |vertical| {
        let options = OpenOptions::default().with_vertical(vertical);
        Relief::open(std::slice::from_ref(&path), &options).unwrap_or_else(|e| panic!("{e}"))
    };
    let (plain, to_geoid, to_ellipsoid) =
        (open(None), open(Some(VerticalDatum::EGM96)), open(Some(VerticalDatum::Ellipsoid)));
    let system = |epsg| {
        let mut srs = gdal::spatial_ref::SpatialRef::from_epsg(epsg).unwrap();
        srs.set_axis_mapping_strategy(gdal::spatial_ref::AxisMappingStrategy::TraditionalGisOrder);
        srs
    };
    let proj = CoordTransform::new(&system(4979), &system(9707)).unwrap();
    for (lon, lat) in [(80.3, 4.7), (0.0, 0.0), (-179.99, 10.1), (179.99, -89.9), (10.0, 90.0), (-70.3, -20.7)] {
        let n = normal(lon, lat);
        let (mut x, mut y, mut z) = ([lon], [lat], [0.0]);
        proj.transform_coords(&mut x, &mut y, &mut z).unwrap();
        let undulation_m = -z[0];
        let h = |relief: &Relief| relief.sample(n).height_m;
        let (geoid_m, ellipsoid_m) =
            if plain.sample(n).layer == 0 { (undulation_m, 0.0) } else { (0.0, -undulation_m) };
        assert!((h(&plain) - h(&to_geoid) - geoid_m).abs() < 2e-3, "{lon} {lat}: {undulation_m}");
        assert!((h(&plain) - h(&to_ellipsoid) - ellipsoid_m).abs() < 2e-3, "{lon} {lat}: {undulation_m}");
    }
    // South of India the sea stands a hundred metres below the ellipsoid.
    assert!((to_geoid.sample(normal(80.3, 4.7)).height_m).abs() < 10.0);
    let datums = |relief: &Relief| relief.layers().iter().map(|info| info.datum.clone()).collect::<Vec<_>>();
    assert_eq!(datums(&plain), ["ellipsoid", "mean sea level"]);
    assert_eq!(datums(&to_geoid), ["EGM96 height", "mean sea level"]);
    assert_eq!(datums(&to_ellipsoid), ["ellipsoid", "ellipsoid"]);
    assert!(to_ellipsoid.layers()[1].notes.iter().any(|note| note.contains("mean sea level")));
}
