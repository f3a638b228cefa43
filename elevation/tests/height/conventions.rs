//! One analytic field, written in every convention that elevation files come in, must read as the same field.
//!
//! Bound: 0.5 m at 10 texels and more from the edge (interpolation 0.3 m, table and rounding the rest). Half a texel of
//! misplacement costs up to 6.5 m, a swapped axis or a wrong datum hundreds.

use std::{fs, path::Path, sync::LazyLock};

use elevation::height::{OpenOptions, Relief};
use gdal::Metadata;
use rand::{Rng, SeedableRng, rngs::StdRng};
use tempfile::TempDir;

use super::places::EARTH;
use super::raster_files::{Field, Frame, normal};

const BOUND_M: f64 = 0.5;

fn open(path: &Path) -> Relief {
    LazyLock::force(&EARTH); // Kept alive, the embedded relief is decoded once.
    Relief::open(&[path.to_path_buf()], &OpenOptions::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// Compares a file with the field at random places at least `margin` texels inside of its frame.
fn check(path: &Path, frame: &Frame, field: Field, margin: f64) {
    let relief = open(path);
    let (w, h) = (frame.size.0 as f64, frame.size.1 as f64);
    let mut rng = StdRng::seed_from_u64(9);
    let texels: Vec<_> =
        (0..4000).map(|_| (rng.random_range(margin..=w - margin), rng.random_range(margin..=h - margin))).collect();
    let mut tested = 0;
    for ((lon, lat), texel) in frame.lon_lat(&texels).into_iter().zip(texels) {
        if lon.is_nan() {
            continue;
        }
        let n = normal(lon, lat);
        let got = relief.sample(n);
        let expected = field.height_m(n);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        assert_eq!(got.layer, 0, "{name} at {texel:?}: {lon} {lat}");
        assert!(
            (got.height_m - expected).abs() < BOUND_M,
            "{name} at {texel:?}, {lon} {lat}: {} {expected}",
            got.height_m
        );
        tested += 1;
    }
    assert!(tested > 2000);
}

/// Writes the field in a frame, reads it back, and checks it.
fn round_trip(frame: &Frame, posting_deg: f64, margin: f64) {
    let folder = TempDir::new().expect("a temporary folder");
    let field = Field::for_posting_deg(posting_deg);
    let name = format!("{}.tif", frame.crs.replace([':', '+', ' ', '/'], "_").chars().take(60).collect::<String>());
    let path = frame.write_field(folder.path(), &name, field);
    check(&path, frame, field, margin);
}

#[test]
fn longitude_latitude_local_area_registered() {
    round_trip(&Frame::north_up("EPSG:4326", (400, 300), 5.0, 48.0, 0.01), 0.01, 10.0);
}

#[test]
fn global_from_minus_180_wraps_and_reaches_the_poles() {
    // Margin 0: the antimeridian, both poles and the half rows next to them are inside.
    round_trip(&Frame::north_up("EPSG:4326", (720, 360), -180.0, 90.0, 0.5), 0.5, 0.0);
}

#[test]
fn global_from_0_to_360() {
    round_trip(&Frame::north_up("EPSG:4326", (720, 360), 0.0, 90.0, 0.5), 0.5, 0.0);
}

#[test]
fn global_node_registered_with_a_repeated_column() {
    // 721 x 361 nodes from -180 to 180 and pole to pole: corners lie half a texel outside.
    round_trip(&Frame::north_up("EPSG:4326", (721, 361), -180.25, 90.25, 0.5), 0.5, 0.5);
}

#[test]
fn global_with_a_fractional_number_of_columns() {
    // 0.7 degrees: 514.29 columns in 360 degrees, 515 in the file.
    round_trip(&Frame::north_up("EPSG:4326", (515, 257), -180.0, 89.95, 0.7), 0.7, 0.0);
}

#[test]
fn south_up_and_mirrored() {
    let south_up = Frame { size: (720, 360), geo_transform: [-180.0, 0.5, 0.0, -90.0, 0.0, 0.5], crs: "EPSG:4326" };
    round_trip(&south_up, 0.5, 0.0);
    let mirrored = Frame { size: (400, 300), geo_transform: [9.0, -0.01, 0.0, 45.0, 0.0, 0.01], crs: "EPSG:4326" };
    round_trip(&mirrored, 0.01, 10.0);
}

#[test]
fn rotated_geotransforms() {
    let (c, s) = (0.01 * 0.3f64.cos(), 0.01 * 0.3f64.sin());
    let degrees = Frame { size: (300, 300), geo_transform: [7.0, c, s, 46.0, s, -c], crs: "EPSG:4326" };
    round_trip(&degrees, 0.01, 10.0);
    let metres =
        Frame { size: (300, 300), geo_transform: [4e5, 866.0, 500.0, 5.2e6, 500.0, -866.0], crs: "EPSG:32633" };
    round_trip(&metres, 0.009, 10.0);
}

#[test]
fn across_the_antimeridian() {
    round_trip(&Frame::north_up("EPSG:4326", (400, 300), 178.0, -15.0, 0.01), 0.01, 10.0);
    round_trip(&Frame::north_up("EPSG:32660", (400, 300), 500_000.0, 6_000_000.0, 1000.0), 0.009, 10.0);
    // Where coordinates of a system begin anew: Mercator of the world and of the Pacific, on both sides and beyond.
    let half = 20_037_508.342_789_244;
    for west in [19_900_000.0, 20_100_000.0, -20_300_000.0, half - 400_000.0, half - 405_000.0, -half] {
        round_trip(&Frame::north_up("EPSG:3857", (400, 300), west, 1_000_000.0, 1000.0), 0.009, 10.0);
    }
    round_trip(&Frame::north_up("EPSG:3832", (400, 300), 19_900_000.0, 1_000_000.0, 1000.0), 0.009, 10.0);
    // Pulkovo 1942 and NZGD49 lie about 100 m from WGS84.
    round_trip(&Frame::north_up("EPSG:4284", (400, 300), 179.8, 66.0, 0.001), 0.001, 10.0);
    round_trip(&Frame::north_up("EPSG:4272", (400, 300), 183.2, -43.5, 0.001), 0.001, 10.0);
}

#[test]
fn projected_systems() {
    // UTM, Lambert conformal conic, Lambert azimuthal equal area, British grid (another datum).
    round_trip(&Frame::north_up("EPSG:32633", (400, 300), 400_000.0, 5_300_000.0, 100.0), 0.0009, 10.0);
    round_trip(&Frame::north_up("EPSG:2154", (400, 300), 600_000.0, 6_800_000.0, 250.0), 0.002, 10.0);
    round_trip(&Frame::north_up("EPSG:3035", (400, 400), 3_000_000.0, 4_500_000.0, 5000.0), 0.04, 10.0);
    round_trip(&Frame::north_up("EPSG:27700", (300, 300), 300_000.0, 400_000.0, 90.0), 0.0008, 10.0);
}

#[test]
fn polar_stereographic_over_both_poles() {
    round_trip(&Frame::north_up("EPSG:3413", (400, 400), -2_000_000.0, 2_000_000.0, 10_000.0), 0.09, 10.0);
    round_trip(&Frame::north_up("EPSG:3031", (400, 400), -2_000_000.0, 2_000_000.0, 10_000.0), 0.09, 10.0);
}

/// Law: around a pole that lies in a raster, wherever in it, are all longitudes, and its box goes to the pole.
#[test]
fn boxes_go_around_poles_that_are_inside() {
    for (crs, is_north) in [("EPSG:3413", true), ("EPSG:3031", false), ("EPSG:3995", true)] {
        for (west_m, south_m, is_inside) in
            [(-2e6, 2e6, true), (-2e5, 3.7e6, true), (-30_000.0, 31_000.0, true), (1e5, 2e6, false)]
        {
            let posting_m = if f64::abs(west_m) < 1e5 { 100.0 } else { 10_000.0 };
            let frame = Frame::north_up(crs, (400, 400), west_m, south_m, posting_m);
            let folder = TempDir::new().expect("a temporary folder");
            let path = frame.write_field(folder.path(), "polar.tif", Field::for_posting_deg(0.1));
            let [west, south, east, north] = open(&path).layers()[0].bbox_deg;
            let at_pole = if is_north { north == 90.0 } else { south == -90.0 };
            assert_eq!(at_pole, is_inside, "{crs} {west_m}: {south} to {north}");
            assert_eq!(east - west == 360.0, is_inside, "{crs} {west_m}: {west} to {east}");
        }
    }
}

#[test]
fn world_projections() {
    let half = 20_037_508.342_789_244;
    round_trip(&Frame::north_up("EPSG:3857", (800, 800), -half, half, half / 400.0), 0.45, 10.0);
    // Mollweide is an ellipse: its outline is an edge of the data, hence the margin in longitude by choice of the frame.
    round_trip(&Frame::north_up("ESRI:54009", (300, 300), -7.5e6, 7.5e6, 50_000.0), 0.45, 10.0);
}

/// Law: rasters of the whole Earth in systems whose sides are no meridian of the frame answer up to their seam.
#[test]
fn world_projections_are_right_up_to_their_seam() {
    let (mut rng, field) = (StdRng::seed_from_u64(5), Field::for_posting_deg(0.6));
    for (crs, half_m) in [
        ("EPSG:8857", [17_243_959.0, 8_392_928.0]),
        ("ESRI:54009", [18_040_096.0, 9_020_048.0]),
        ("ESRI:54008", [20_037_509.0, 10_001_966.0]),
        ("ESRI:54012", [16_921_203.0, 8_460_602.0]),
    ] {
        let step_m = 2.0 * half_m[0] / 600.0;
        let rows = (2.0 * half_m[1] / step_m) as usize;
        let folder = TempDir::new().expect("a temporary folder");
        let frame = Frame::north_up(crs, (600, rows), -half_m[0], half_m[1], step_m);
        let relief = open(&frame.write_field(folder.path(), "world.tif", field));
        let mut own = 0;
        for k in 0..4000 {
            let lon = if k % 2 == 0 { rng.random_range(-178.5..178.5) } else { 180.0 - rng.random_range(1.5..12.0) };
            let n = normal([1.0, -1.0][k % 4 / 2] * lon, rng.random_range(-70.0..70.0));
            let got = relief.sample(n);
            if got.layer == 0 && got.share == 1.0 {
                own += 1;
                let expected = field.height_m(n);
                assert!((got.height_m - expected).abs() < BOUND_M, "{crs}, {n}: {} {expected}", got.height_m);
            }
        }
        assert!(own > 3800, "{crs}: {own} of 4000");
    }
}

/// Law: each posting of a raster in metres around the whole Earth is found again: in the outermost columns, where coordinates begin anew, and in
/// the outermost rows, whether it goes all the way around or almost.
#[test]
fn outermost_postings_of_worlds_in_metres() {
    let (half, mercator) = (20_037_508.342_789_244, 20_037_508.342_789_244 / 256.0);
    let degree = half / 180.0;
    let ease = |size, cell_m| Frame::north_up("EPSG:6933", size, -17_367_530.44, 0.5 * size.1 as f64 * cell_m, cell_m);
    let worlds = [
        (Frame::north_up("EPSG:4087", (720, 240), -half, 60.0 * degree, 0.5 * degree), 0.5),
        (Frame::north_up("EPSG:4087", (718, 240), -half, 60.0 * degree, 0.5 * degree), 0.5),
        (Frame::north_up("EPSG:4087", (720, 360), -half, 90.0 * degree, 0.5 * degree), 0.5),
        (Frame::north_up("EPSG:3857", (512, 512), -half, half, mercator), 0.7),
        (ease((1388, 584), 25_025.26), 0.26),
        (ease((800, 584), 25_025.26), 0.26),
    ];
    for (frame, posting_deg) in worlds {
        let folder = TempDir::new().expect("a temporary folder");
        let field = Field::for_posting_deg(posting_deg);
        let path = frame.write_field(folder.path(), "world.tif", field);
        let relief = open(&path);
        let (w, h) = frame.size;
        let rim = |k: usize, size: usize| k < 4 || k + 4 >= size;
        let is_tested = |x: usize, y: usize| rim(x, w) || rim(y, h) || (x * 7919 + y).is_multiple_of(101);
        let all = (0..h).flat_map(|y| (0..w).map(move |x| (x, y))).filter(|(x, y)| is_tested(*x, *y));
        let texels: Vec<_> = all.map(|(x, y)| (x as f64 + 0.5, y as f64 + 0.5)).collect();
        for ((lon, lat), texel) in frame.lon_lat(&texels).into_iter().zip(texels) {
            let (got, expected) = (relief.sample(normal(lon, lat)), field.height_m(normal(lon, lat)));
            let is_there = got.layer == 0 && (got.height_m - expected).abs() < BOUND_M;
            assert!(is_there, "{} {w} x {h} at {texel:?}, {lon} {lat}: {got:?}, {expected}", frame.crs);
        }
    }
}

#[test]
fn other_geographic_datums_shift() {
    // ED50 lies about 100 m from WGS84: 10 texels here.
    round_trip(&Frame::north_up("EPSG:4230", (400, 300), 10.0, 46.0, 0.0001), 0.0001, 25.0);
}

#[test]
fn compound_system_states_its_vertical_datum() {
    let folder = TempDir::new().expect("a temporary folder");
    let frame = Frame::north_up("EPSG:32633+5773", (300, 200), 500_000.0, 5_000_000.0, 100.0);
    let field = Field::for_posting_deg(0.0009);
    let path = frame.write_field(folder.path(), "compound.tif", field);
    check(&path, &frame, field, 10.0);
    let relief = open(&path);
    assert!(relief.layers()[0].datum.contains("EGM96"), "{:?}", relief.layers()[0].datum);
}

#[test]
fn three_dimensional_systems_have_heights_above_the_ellipsoid() {
    let folder = TempDir::new().expect("a temporary folder");
    let frame = Frame::north_up("EPSG:4979", (60, 50), 5.0, 48.0, 0.01);
    let path = folder.path().join("ellipsoid.tif");
    frame.write::<f32>(&path, vec![100.0; 3000]).close().expect("closed");
    assert_eq!(open(&path).layers()[0].datum, "ellipsoid");
}

#[test]
fn point_registration_is_half_a_texel_of_georeference() {
    // The same file declared as point: GDAL stores its tie point at texel centres, and must give it back shifted.
    let folder = TempDir::new().expect("a temporary folder");
    let frame = Frame::north_up("EPSG:4326", (400, 300), 5.0, 48.0, 0.01);
    let field = Field::for_posting_deg(0.01);
    let path = folder.path().join("point.tif");
    let mut dataset = frame.write::<f32>(&path, frame.values(field).into_iter().map(|v| v as f32).collect());
    dataset.set_metadata_item("AREA_OR_POINT", "Point", "").expect("metadata");
    dataset.close().expect("closed");
    check(&path, &frame, field, 10.0);
}

#[test]
fn ascii_grid_by_corner_and_by_centre() {
    let folder = TempDir::new().expect("a temporary folder");
    let frame = Frame::north_up("EPSG:4326", (60, 50), 5.0, 48.0, 0.25);
    let field = Field::for_posting_deg(0.25);
    let values = frame.values(field);
    for (name, west, south, origin) in [("corner.asc", 5.0, 35.5, "corner"), ("centre.asc", 5.125, 35.625, "center")] {
        let mut text =
            format!("ncols 60\nnrows 50\nxll{origin} {west}\nyll{origin} {south}\ncellsize 0.25\nNODATA_value -9999\n");
        for row in values.chunks(60) {
            text += &row.iter().map(|v| format!("{v:.4}")).collect::<Vec<_>>().join(" ");
            text.push('\n');
        }
        let path = folder.path().join(name);
        fs::write(&path, text).expect("written");
        check(&path, &frame, field, 10.0);
        let relief = open(&path);
        assert!(relief.layers()[0].notes.iter().any(|note| note.contains("no coordinate reference system")));
        assert_eq!(relief.layers()[0].nodata, Some(-9999.0));
    }
}

#[test]
fn srtm_tile_is_node_registered() {
    // N47E011.hgt: 1201 x 1201 big-endian integers, the corner nodes on whole degrees.
    let folder = TempDir::new().expect("a temporary folder");
    let p = 1.0 / 1200.0;
    let frame = Frame::north_up("EPSG:4326", (1201, 1201), 11.0 - 0.5 * p, 48.0 + 0.5 * p, p);
    let field = Field::for_posting_deg(p * 4.0);
    let bytes: Vec<u8> = frame.values(field).into_iter().flat_map(|v| (v.round() as i16).to_be_bytes()).collect();
    let path = folder.path().join("N47E011.hgt");
    fs::write(&path, bytes).expect("written");
    let relief = open(&path);
    let mut worst = 0f64;
    for i in 0..2000 {
        let n = normal(11.05 + 0.9 * f64::from(i) / 2000.0, 47.1 + 0.8 * f64::from(i * 7 % 2000) / 2000.0);
        worst = worst.max((relief.sample(n).height_m - field.height_m(n)).abs());
    }
    // Whole metres: half a metre more.
    assert!(worst < BOUND_M + 0.5, "{worst}");
    assert_eq!(relief.layers()[0].driver, "SRTMHGT");
}

#[test]
fn scale_offset_units_and_nodata_of_a_virtual_raster() {
    let folder = TempDir::new().expect("a temporary folder");
    let frame = Frame::north_up("EPSG:4326", (400, 300), 5.0, 48.0, 0.01);
    let field = Field::for_posting_deg(0.01);
    // Stored: half feet above -3000 ft.
    let stored: Vec<i16> =
        frame.values(field).into_iter().map(|v| ((v / 0.3048 + 3000.0) / 0.5).round() as i16).collect();
    frame.write::<i16>(&folder.path().join("raw.tif"), stored).close().expect("closed");
    let vrt = r#"<VRTDataset rasterXSize="400" rasterYSize="300">
  <SRS>EPSG:4326</SRS><GeoTransform>5, 0.01, 0, 48, 0, -0.01</GeoTransform>
  <VRTRasterBand dataType="Int16" band="1">
    <UnitType>ft</UnitType><Offset>-3000</Offset><Scale>0.5</Scale>
    <SimpleSource><SourceFilename relativeToVRT="1">raw.tif</SourceFilename><SourceBand>1</SourceBand></SimpleSource>
  </VRTRasterBand>
</VRTDataset>"#;
    let path = folder.path().join("feet.vrt");
    fs::write(&path, vrt).expect("written");
    check(&path, &frame, field, 10.0);
    assert!(open(&path).layers()[0].notes.iter().any(|note| note.contains("ft")));
}

/// Law: in windows, a raster has the heights that it has in memory, at the antimeridian and the poles too.
#[test]
fn a_raster_larger_than_its_budget_is_read_in_windows() {
    let folder = TempDir::new().expect("a temporary folder");
    let field = Field::for_posting_deg(0.45);
    let global = Frame::north_up("EPSG:4326", (2400, 1200), -180.0, 90.0, 0.15);
    let nodes = Frame::north_up("EPSG:4326", (2401, 1201), -180.075, 90.075, 0.15);
    let local = Frame::north_up("EPSG:32633", (1700, 1600), 400_000.0, 5_300_000.0, 100.0);
    for (frame, largest_m) in [(global, 1e-3), (nodes, 1e-3), (local, 1e-9)] {
        let path = frame.write_field(folder.path(), "big.tif", field);
        let options = OpenOptions::default().with_layer_bytes(12 << 20);
        let [windows, parts] = [0, 1].map(|_| Relief::open(std::slice::from_ref(&path), &options).expect("opens"));
        let memory = open(&path);
        let info = &windows.layers()[0];
        assert!(
            info.grid == [frame.size.0, frame.size.1] && info.notes.iter().any(|n| n.contains("windows")),
            "{info:?}"
        );
        let (w, h) = (frame.size.0 as f64, frame.size.1 as f64);
        let mut rng = StdRng::seed_from_u64(4);
        let mut texels: Vec<(f64, f64)> =
            (0..4000).map(|_| (rng.random_range(-2.0..w + 2.0), rng.random_range(-2.0..h + 2.0))).collect();
        // Where windows meet.
        texels.extend((0..500).map(|_| (1024.0 + rng.random_range(-2.0..2.0), rng.random_range(0.0..h))));
        texels.extend((0..500).map(|_| (rng.random_range(0.0..w), 1024.0 + rng.random_range(-2.0..2.0))));
        // One window after the other, as its budget wants it.
        texels.sort_by_key(|(x, y)| ((x / 1024.0) as u32, (y / 1024.0) as u32));
        for ((lon, lat), texel) in frame.lon_lat(&texels).into_iter().zip(texels) {
            let n = normal(lon, lat.clamp(-90.0, 90.0));
            let (a, b) = (windows.sample(n), memory.sample(n));
            // The first of a window by small parts of it.
            let small = parts.sample_spaced(n, 1e6);
            assert!(small.layer == a.layer && (small.height_m - a.height_m).abs() < 1e-6, "{small:?} {a:?}");
            // Over the poles the raster in memory goes to one value, by as much as meridians disagree.
            let polar_m = if lat.abs() > 89.9 { 1.0 } else { largest_m };
            assert!(
                a.layer == b.layer && (a.height_m - b.height_m).abs() <= polar_m,
                "{texel:?} {lon} {lat}: {a:?} {b:?}"
            );
        }
        assert_eq!(windows.failure(), None);
    }
}

#[test]
fn a_raster_outside_of_its_system_is_remarked_upon() {
    let folder = TempDir::new().expect("a temporary folder");
    // UTM 33 N with eastings and northings swapped: in the Indian Ocean in place of Austria.
    let right = Frame::north_up("EPSG:32633", (30, 30), 500_000.0, 5_000_000.0, 100.0);
    let swapped = Frame::north_up("EPSG:32633", (30, 30), 2_500_000.0, 500_000.0, 100.0);
    for (frame, remarked) in [(right, false), (swapped, true)] {
        let path = frame.write_field(folder.path(), "a.tif", Field::for_posting_deg(0.0009));
        let info = open(&path).layers()[0].clone();
        let (notes, remarks) = (info.notes.join("; "), info.remarks.join("; "));
        assert_eq!(remarks.contains("wrong order"), remarked, "{remarks}");
        assert!(notes.contains("no vertical datum"), "{notes}");
    }
}
