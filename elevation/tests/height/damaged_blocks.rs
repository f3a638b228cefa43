//! Blocks that cannot be read in a file whose header can: an error, or voids and a remark where that is asked for.

use std::{
    fs,
    io::{Seek as _, SeekFrom, Write as _},
    path::Path,
};

use elevation::height::{OpenOptions, Relief};
use gdal::{DriverManager, Metadata as _, raster::RasterCreationOptions};
use rand::Rng as _;
use tempfile::TempDir;

use crate::random;

use super::{
    folders::open,
    raster_files::{Frame, normal},
};

const SIDE: usize = 200;
const BLOCK: usize = 64;
const POSTING_DEG: f64 = 0.01;

/// A compressed TIFF of blocks of which one is no stream any more.
fn write_damaged(path: &Path, frame: &Frame, heights: &[f32], [across, down]: [usize; 2]) {
    let plain = path.with_extension("plain");
    frame.write::<f32>(&plain, heights.to_vec()).close().expect("closed");
    let driver = DriverManager::get_driver_by_name("GTiff").expect("GeoTIFF");
    let side = format!("{BLOCK}");
    let options = RasterCreationOptions::from_iter([
        "TILED=YES".to_owned(),
        format!("BLOCKXSIZE={side}"),
        format!("BLOCKYSIZE={side}"),
        "COMPRESS=DEFLATE".to_owned(),
    ]);
    let copied = gdal::Dataset::open(&plain).expect("opens").create_copy(&driver, path, &options).expect("written");
    copied.close().expect("closed");
    fs::remove_file(plain).expect("removed");
    let dataset = gdal::Dataset::open(path).expect("opens");
    let number = |what: &str| -> u64 {
        let band = dataset.rasterband(1).expect("a band");
        band.metadata_item(&format!("BLOCK_{what}_{across}_{down}"), "TIFF")
            .expect("a block")
            .parse()
            .expect("a number")
    };
    let (offset, bytes) = (number("OFFSET"), number("SIZE"));
    drop(dataset);
    let mut file = fs::File::options().write(true).open(path).expect("opens");
    file.seek(SeekFrom::Start(offset)).expect("sought");
    file.write_all(&vec![0xa5; bytes as usize]).expect("written");
}

/// Laws: a block that cannot be read is an error. Where damage is to be passed over, all other heights are those of the file, those of the
/// block are not, and a remark names the file and why; read at once, in windows, and among other files alike.
#[test]
fn blocks_that_cannot_be_read() {
    let folder = TempDir::new().expect("a folder");
    let mut rng = random::rng();
    let frame = Frame::north_up("EPSG:4326", (SIDE, SIDE), -160.0, 20.0, POSTING_DEG);
    let heights: Vec<f32> = (0..SIDE * SIDE).map(|_| rng.random_range(500.0..1500.0f32)).collect();
    let block @ [across, down] = [rng.random_range(0..SIDE / BLOCK), rng.random_range(0..SIDE / BLOCK)];
    let damaged = folder.path().join("damaged.tif");
    write_damaged(&damaged, &frame, &heights, block);
    let beside = Frame::north_up("EPSG:4326", (SIDE, SIDE), -158.0, 20.0, POSTING_DEG);
    beside.write::<f32>(&folder.path().join("sound.tif"), vec![7.0; SIDE * SIDE]).close().expect("closed");

    let check = |relief: &Relief, what: &str| {
        let mut lost = 0;
        for (k, height_m) in heights.iter().enumerate() {
            let (column, row) = (k % SIDE, k / SIDE);
            let at = |first: f64, k: usize, step: f64| first + (k as f64 + 0.5) * step;
            let n = normal(at(-160.0, column, POSTING_DEG), at(20.0, row, -POSTING_DEG));
            let error_m = (relief.sample(n).height_m - f64::from(*height_m)).abs();
            if [column / BLOCK, row / BLOCK] == [across, down] {
                lost += u32::from(error_m > 1.0);
            } else {
                assert!(error_m < 1e-3, "{what}: {error_m} m at {column}, {row} beside block {block:?}");
            }
        }
        assert!(f64::from(lost) > 0.9 * (BLOCK * BLOCK) as f64, "{what}: {lost} heights of the block differ");
        let told: Vec<String> = relief.layers().iter().flat_map(|layer| layer.remarks.clone()).collect();
        let told = [told, relief.read_remarks()].concat();
        let told: Vec<_> =
            told.iter().filter(|remark| remark.contains("is damaged, and heights that cannot")).collect();
        assert_eq!(told.len(), 1, "{what}: {told:?}");
        assert!(relief.failure().is_none(), "{what}");
    };
    // All in memory; an average, and windows.
    for bytes in [64 << 20, 100_000] {
        let options = OpenOptions::default().with_layer_bytes(bytes);
        open(&damaged, &options).expect_err("damaged");
        check(&open(&damaged, &options.with_skip_bad(true)).expect("the rest"), &format!("alone in {bytes} bytes"));
    }
    for bytes in [64 << 20, 400_000] {
        let options = OpenOptions::default().with_layer_bytes(bytes);
        let relief = open(folder.path(), &options).expect("headers are sound");
        let n =
            normal(-160.0 + (across * BLOCK + 9) as f64 * POSTING_DEG, 20.0 - (down * BLOCK + 9) as f64 * POSTING_DEG);
        relief.sample(n);
        assert!(relief.failure().is_some_and(|error| error.to_string().contains("damaged.tif")), "in {bytes} bytes");
        check(
            &open(folder.path(), &options.with_skip_bad(true)).expect("the rest"),
            &format!("among others in {bytes}"),
        );
    }
}
