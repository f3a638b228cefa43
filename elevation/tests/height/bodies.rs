//! Rasters of the Moon, of Mars and of a small flat body have their heights where their systems say, and so have packs of them; what
//! cannot be read rightly is refused in a line that says why.

use std::path::{Path, PathBuf};

use elevation::{
    bake::{Bake, BakeError, BakeOptions, verify},
    cube::face_of,
    geodesy::Ellipsoid,
    height::{HeightError, ImageryLayer, OpenOptions, Relief},
    imagery_tile::Imagery,
    pack::Pack,
    tile::{TILE_QUADS, TileId, posting_m},
};
use rand::Rng;
use tempfile::TempDir;

use super::raster_files::{Field, Frame, normal};
use crate::random;

const MOON_DEGREES: &str = "+proj=longlat +R=1737400 +no_defs";

fn flat() -> Ellipsoid {
    Ellipsoid::new(300e3, 294_030.0).expect("a body")
}

fn open(files: &[PathBuf]) -> Result<Relief, HeightError> {
    Relief::open(files, &OpenOptions::default())
}

/// Frames on all bodies, with the degrees that a texel is wide.
fn frames() -> Vec<(Frame, f64, Ellipsoid)> {
    let metres = |ellipsoid: Ellipsoid, degrees: f64| ellipsoid.semi_major_m() * degrees.to_radians();
    let sphere = Ellipsoid::new(3_396_190.0, 3_396_190.0).expect("a body");
    let (moon, mars, small) = (metres(Ellipsoid::MOON, 0.01), metres(Ellipsoid::MARS, 0.01), metres(flat(), 0.05));
    let frame = |crs, posting, west, north| Frame::north_up(crs, (300, 260), west, north, posting);
    vec![
        (frame(MOON_DEGREES, 0.01, 20.0, 46.0), 0.01, Ellipsoid::MOON),
        (Frame::north_up(MOON_DEGREES, (720, 360), 0.0, 90.0, 0.5), 0.5, Ellipsoid::MOON),
        (frame("IAU_2015:30100", 0.01, 178.5, -70.0), 0.01, Ellipsoid::MOON),
        (
            frame("+proj=stere +lat_0=-90 +lat_ts=-90 +lon_0=0 +R=1737400 +no_defs", moon, -150.0 * moon, 100.0 * moon),
            0.01,
            Ellipsoid::MOON,
        ),
        (frame("+proj=eqc +R=3396190 +no_defs", mars, 2e6, 1e6), 0.01, sphere),
        (frame("IAU_2015:49900", 0.01, -60.0, 20.0), 0.01, sphere),
        (frame("+proj=longlat +a=3396190 +b=3376200 +no_defs", 0.01, -134.0, 19.0), 0.01, Ellipsoid::MARS),
        (
            frame("+proj=stere +lat_0=90 +lon_0=30 +a=3396190 +b=3376200 +no_defs", mars, -100.0 * mars, 150.0 * mars),
            0.01,
            Ellipsoid::MARS,
        ),
        (
            frame(
                "+proj=laea +lat_0=-40 +lon_0=200 +a=300000 +b=294030 +no_defs",
                small,
                -150.0 * small,
                130.0 * small,
            ),
            0.05,
            flat(),
        ),
        (frame("+proj=longlat +a=300000 +b=294030 +no_defs", 0.05, -7.0, 6.0), 0.05, flat()),
    ]
}

/// Law: heights lie where PROJ says, on the body of the system; between postings the field is met to half a metre; the posting is the
/// distance of neighbours on the body.
#[test]
fn rasters_of_other_bodies_have_their_heights() {
    let (mut rng, folder) = (random::rng(), TempDir::new().expect("a temporary folder"));
    for (k, (frame, degrees, ellipsoid)) in frames().iter().enumerate() {
        let field = Field::for_posting_deg(*degrees);
        let file = frame.write_field(folder.path(), &format!("{k}.tif"), field);
        let relief = open(&[file]).unwrap_or_else(|e| panic!("{e}"));
        let info = &relief.layers()[0];
        assert_eq!((relief.ellipsoid(), info.ellipsoid), (*ellipsoid, *ellipsoid), "{}", frame.crs);
        assert!(info.remarks.is_empty(), "{}: {:?}", frame.crs, info.remarks);
        let whole = info.bbox_deg[2] - info.bbox_deg[0] > 359.9 && frame.size.0 == 720;
        let (w, h) = (frame.size.0 as f64, frame.size.1 as f64);
        let margin = if whole { 0.5 } else { 10.0 };
        let texels: Vec<_> =
            (0..1_500).map(|_| (rng.random_range(margin..w - margin), rng.random_range(margin..h - margin))).collect();
        for ((lon, lat), texel) in frame.lon_lat(&texels).into_iter().zip(texels) {
            let (got, expected) = (relief.sample(normal(lon, lat)), field.height_m(normal(lon, lat)));
            let off_m = (got.height_m - expected).abs();
            assert!(got.layer == 0 && off_m < 0.5, "{} at {texel:?}, {lon} {lat}: {got:?}, {expected}", frame.crs);
        }
        let middle = ((w / 2.0).floor() + 0.5, (h / 2.0).floor() + 0.5);
        let beside = [middle, (middle.0 + 1.0, middle.1), (middle.0, middle.1 + 1.0)];
        let at: Vec<_> =
            frame.lon_lat(&beside).iter().map(|&(lon, lat)| ellipsoid.ecef(normal(lon, lat), 0.0)).collect();
        let apart_m = at[0].distance(at[1]).max(at[0].distance(at[2]));
        // Postings are compared by their degrees, as on a sphere.
        let within = 0.01 + 2.0 * ellipsoid.flattening();
        assert!((info.posting_m / apart_m - 1.0).abs() < within, "{}: {} {apart_m}", frame.crs, info.posting_m);
    }
}

/// Law: at its postings a raster of degrees has exactly its values, as rough and as high as they are: 21 km are no void on Mars, nor
/// worth a remark; elsewhere the body is bare.
#[test]
fn postings_have_their_values() {
    let (mut rng, folder) = (random::rng(), TempDir::new().expect("a temporary folder"));
    for (crs, ellipsoid) in
        [(MOON_DEGREES, Ellipsoid::MOON), ("+proj=longlat +a=3396190 +b=3376200 +no_defs", Ellipsoid::MARS)]
    {
        let frame = Frame::north_up(crs, (60, 50), -134.0, 20.0, 0.25);
        let values: Vec<f32> = (0..3_000).map(|_| rng.random_range(-8_200.0..21_229.0)).collect();
        let file = folder.path().join("rough.tif");
        frame.write::<f32>(&file, values.clone()).close().expect("closed");
        let relief = open(std::slice::from_ref(&file)).unwrap_or_else(|e| panic!("{e}"));
        let info = &relief.layers()[0];
        assert_eq!((info.void_share, info.ellipsoid), (0.0, ellipsoid));
        assert!(!info.remarks.iter().any(|remark| remark.contains("Earth")), "{:?}", info.remarks);
        for (k, value) in values.iter().enumerate() {
            let (column, row) = ((k % 60) as f64 + 0.5, (k / 60) as f64 + 0.5);
            let got = relief.sample(normal(-134.0 + 0.25 * column, 20.0 - 0.25 * row)).height_m;
            // Its rim is blended with what lies below.
            let inner = (2..58).contains(&(k % 60)) && (2..48).contains(&(k / 60));
            assert!(!inner || (got - f64::from(*value)).abs() < 1e-3, "{got} for {value} at {k}");
        }
        assert_eq!(relief.sample(normal(50.0, -30.0)).height_m, 0.0);
        assert_eq!(relief.layers().len(), 2, "nothing of the Earth lies below");
    }
}

/// Law: data of two bodies are refused, beside each other and in one folder, in a line that names both.
#[test]
fn bodies_are_not_mixed() {
    let folder = TempDir::new().expect("a temporary folder");
    let file = |crs: &'static str, name: &str| {
        Frame::north_up(crs, (40, 40), 5.0, 48.0, 0.01).write_field(folder.path(), name, Field::for_posting_deg(0.01))
    };
    let files = [file(MOON_DEGREES, "moon.tif"), file("EPSG:4326", "earth.tif")];
    for order in [[0, 1], [1, 0]] {
        let error = open(&order.map(|k| files[k].clone())).unwrap_err();
        assert!(matches!(error, HeightError::OtherBody { .. }), "{error}");
        assert!(
            error.to_string().contains("1737400,1737400 m") && error.to_string().contains("6378137,6356752.3"),
            "{error}"
        );
    }
    let error = open(&[folder.path().to_path_buf()]).unwrap_err();
    assert!(matches!(error, HeightError::OtherBody { .. }), "{error}");
    // What is said of the Earth may be meant of another body; what is said of that is not of a third.
    let moon = OpenOptions::default().with_ellipsoid(Some(Ellipsoid::MOON));
    let relief = Relief::open(&files[1..], &moon).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(relief.ellipsoid(), Ellipsoid::MOON);
    let info = &relief.layers()[0];
    assert!(info.notes.iter().any(|note| note.contains("taken as of a body of 1737.4 km")), "{:?}", info.notes);
    assert!((info.posting_m / (Ellipsoid::MOON.semi_major_m() * 0.01f64.to_radians()) - 1.0).abs() < 2e-3);
    let n = normal(5.155, 47.845);
    assert!((relief.sample(n).height_m - Field::for_posting_deg(0.01).height_m(n)).abs() < 0.5);
    let all = Relief::open(&files, &moon).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(all.ellipsoid(), Ellipsoid::MOON);
    let mars = OpenOptions::default().with_ellipsoid(Some(Ellipsoid::MARS));
    assert!(matches!(Relief::open(&files[..1], &mars), Err(HeightError::OtherBody { .. })));
}

/// Law: latitudes and longitudes of another kind are refused, not read wrongly.
#[test]
fn other_latitudes_and_longitudes_are_refused() {
    let folder = TempDir::new().expect("a temporary folder");
    let frame = Frame::north_up("IAU_2015:49900", (40, 40), 5.0, 48.0, 0.01);
    let file = frame.write_field(folder.path(), "mars.tif", Field::for_posting_deg(0.01));
    let refused = |options: &OpenOptions, why: &str| {
        let error = Relief::open(std::slice::from_ref(&file), options).expect_err("it is refused");
        assert!(matches!(error, HeightError::NoTransform { .. } | HeightError::OtherBody { .. }), "{error}");
        assert!(error.to_string().contains(why), "{error}");
    };
    let said = |system: &str| OpenOptions::default().with_src_crs(Some(system.to_owned()));
    refused(&said("IAU_2015:49901"), "counted westwards");
    refused(&said("IAU_2015:49902"), "planetocentric");
    refused(&OpenOptions::default().with_ellipsoid(Some(Ellipsoid::MARS)), "on a body with radii");
}

/// Law: a picture of the Moon makes the tiles that it makes as one of the Earth: neither coarser nor finer.
#[test]
fn pictures_of_other_bodies_are_as_fine() {
    let (mut rng, folder) = (random::rng(), TempDir::new().expect("a temporary folder"));
    let grey: Vec<u8> = (0..250_000).map(|_| rng.random()).collect();
    let [moon, earth] = [("moon.tif", MOON_DEGREES), ("earth.tif", "EPSG:4326")].map(|(name, crs)| {
        let (file, frame) = (folder.path().join(name), Frame::north_up(crs, (500, 500), 7.0, 48.0, 0.004));
        frame.write::<u8>(&file, grey.clone()).close().expect("closed");
        Imagery::new(vec![ImageryLayer::open(&file).unwrap_or_else(|e| panic!("{e}"))])
    });
    let (mut adding, (face, s, t)) = (0, face_of(normal(8.0, 47.0)));
    for level in 0..9u32 {
        let [i, j] = [s, t].map(|c| (0.5 * (c + 1.0) * f64::from(1u32 << level)) as u32);
        let id = TileId { face, level, i, j };
        assert_eq!(moon.adds(id), earth.adds(id), "{id:?}");
        adding += u32::from(earth.adds(id));
        for texels in [0, 1] {
            assert!(moon.tile(id).texels(texels) == earth.tile(id).texels(texels), "{id:?}");
        }
    }
    assert!(adding > 3, "{adding}");
}

fn bake(source: &Path, out: &Path) -> Result<(), BakeError> {
    let options = BakeOptions::default();
    Bake::new(&[source.to_path_buf()], &OpenOptions::default(), &options)?.run(out, false, &mut |_| {})?;
    Ok(())
}

/// Law: a pack of a body states it, is sound, is as fine as its source on that body, and has the source's heights at its vertices.
#[test]
fn packs_are_of_their_body() {
    let (mut rng, folder) = (random::rng(), TempDir::new().expect("a temporary folder"));
    for (crs, ellipsoid, posting_deg) in
        [(MOON_DEGREES, Ellipsoid::MOON, 0.05), ("+proj=longlat +a=300000 +b=294030 +no_defs", flat(), 0.1)]
    {
        let (frame, field) =
            (Frame::north_up(crs, (60, 60), -150.0, 20.0, posting_deg), Field::for_posting_deg(posting_deg));
        let file = frame.write_field(folder.path(), "source.tif", field);
        let out = folder.path().join(format!("{}.pack", ellipsoid.semi_major_m()));
        bake(&file, &out).unwrap_or_else(|e| panic!("{e}"));
        let (_, found) = verify(&out, &|_| {}).expect("a pack");
        assert_eq!(found.bad, 0, "{found:?}");
        let pack = Pack::open(&out).unwrap();
        let manifest = pack.manifest();
        assert_eq!(manifest.ellipsoid, ellipsoid);
        let source_m = ellipsoid.semi_major_m() * posting_deg.to_radians();
        let finest_m = posting_m(ellipsoid, manifest.max_level);
        assert!(finest_m < 1.02 * source_m && 2.0 * finest_m > 0.98 * source_m, "{finest_m} for {source_m}");
        let stated = serde_json::to_value(manifest).unwrap();
        assert_eq!(stated["ellipsoid"], serde_json::json!([ellipsoid.semi_major_m(), ellipsoid.semi_minor_m()]));
        let (packed, source) = (open(std::slice::from_ref(&out)).unwrap(), open(&[file]).unwrap());
        assert_eq!((packed.ellipsoid(), packed.layers().len()), (ellipsoid, 1));
        let finest: Vec<TileId> = pack.ids().filter(|id| id.level == manifest.max_level).collect();
        for _ in 0..500 {
            let id = finest[rng.random_range(0..finest.len())];
            let [x, y] = [0, 1].map(|_| rng.random_range(16..=TILE_QUADS - 16));
            let n = id.place(x, y).point().normal();
            let (got, expected) = (packed.sample(n).height_m, source.sample(n).height_m);
            let within_m = 0.5 * manifest.height_step_m + 1.0 / 1024.0 + 1e-6;
            assert!((got - expected).abs() <= within_m, "{id:?} {x} {y}: {got} {expected}");
        }
        // Not on top of another body's.
        let other = Frame::north_up("+proj=longlat +R=500000 +no_defs", (40, 40), 0.0, 9.0, 0.1);
        let other = other.write_field(folder.path(), "other.tif", Field::for_posting_deg(0.1));
        assert!(matches!(open(&[other, out]), Err(HeightError::OtherBody { .. })));
    }
}

/// Law: heights that packs cannot hold are refused with what to do, and none of them is cut off.
#[test]
fn packs_refuse_what_they_cannot_hold() {
    let folder = TempDir::new().expect("a temporary folder");
    let frame = Frame::north_up("+proj=longlat +a=3396190 +b=3376200 +no_defs", (40, 40), -134.0, 19.0, 0.5);
    let file = folder.path().join("olympus.tif");
    let mut values = vec![1_000.0f32; 1_600];
    values[20 * 40 + 20] = 21_229.0;
    frame.write::<f32>(&file, values).close().expect("closed");
    let out = folder.path().join("olympus.pack");
    let error = bake(&file, &out).unwrap_err().to_string();
    assert!(error.contains("packs hold heights from -16 384 to 16 384 m: give --valid-range"), "{error}");
    // As it says.
    let open = OpenOptions::default().with_valid_range_m(Some((-16_000.0, 16_384.0)));
    let baked = Bake::new(&[file], &open, &BakeOptions::default()).unwrap().run(&out, true, &mut |_| {});
    assert!(baked.is_ok(), "{baked:?}");
    assert_eq!(Pack::open(&out).unwrap().manifest().ellipsoid, Ellipsoid::MARS);
}
