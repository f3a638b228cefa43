//! Files that end too soon: they are refused when they are opened, whatever their format, and not read as zeros.

use std::{fs, path::PathBuf};

use elevation::height::{HeightError, OpenOptions};
use rand::Rng as _;
use tempfile::TempDir;

use crate::random;

use super::{
    folders::{height_m, open, row_of},
    raster_files::{Frame, normal, zip},
};

/// Law: cut files of bare values are refused before their heights are read, alone and among others; whole ones are not. GDAL reads what
/// is missing of them as zeros.
#[test]
fn bare_values_that_are_cut() {
    for (format, name) in [("ENVI", "bare.dat"), ("netCDF", "bare.nc")] {
        let folder = TempDir::new().expect("a temporary folder");
        let frame = Frame::north_up("EPSG:4326", (200, 200), -160.0, 20.0, 0.01);
        let source = folder.path().join("source.tif");
        frame.write::<f32>(&source, (0..40_000).map(|k| 500.0 + k as f32 * 0.01).collect()).close().expect("closed");
        let within = folder.path().join("files");
        fs::create_dir(&within).expect("a folder");
        let written = within.join(name);
        let driver = gdal::DriverManager::get_driver_by_name(format).expect("GDAL has it");
        let copied = gdal::Dataset::open(&source).expect("opens");
        copied
            .create_copy(&driver, &written, &gdal::cpl::CslStringList::new())
            .expect("written")
            .close()
            .expect("closed");
        let other = within.join(format!("other.{}", written.extension().unwrap_or_default().display()));
        frame.write::<f32>(&other, vec![7.0; 40_000]).close().expect("closed");
        assert!(open(&written, &OpenOptions::default()).is_ok(), "{format}");
        let length = fs::metadata(&written).expect("there").len();
        let cut_to = |length: u64| {
            fs::File::options().write(true).open(&written).and_then(|file| file.set_len(length)).expect("cut");
        };
        if format == "netCDF" {
            // Fewer bytes than its header and coordinates take.
            cut_to(length - 2000);
            let error = open(&written, &OpenOptions::default()).expect_err("cut").to_string();
            assert!(error.contains("its values take"), "{error}");
        }
        cut_to(length * 6 / 10);
        let alone = open(&written, &OpenOptions::default()).expect_err("cut").to_string();
        assert!(alone.contains(name) && alone.contains(" bytes, and it has "), "{format}: {alone}");
        let around = folder.path().join("around.vrt");
        let text = format!(
            "<VRTDataset rasterXSize=\"200\" rasterYSize=\"200\"><SRS>EPSG:4326</SRS>\
             <GeoTransform>-160, 0.01, 0, 20, 0, -0.01</GeoTransform><VRTRasterBand dataType=\"Float32\" band=\"1\">\
             <SimpleSource><SourceFilename relativeToVRT=\"1\">files/{name}</SourceFilename></SimpleSource>\
             </VRTRasterBand></VRTDataset>"
        );
        fs::write(&around, text).expect("written");
        let error = open(&around, &OpenOptions::default()).expect_err("cut").to_string();
        assert!(error.contains(name) && error.contains(" bytes, and it has "), "{format} in a virtual raster: {error}");
        let error = open(&within, &OpenOptions::default()).expect_err("cut").to_string();
        assert!(error.contains(name) && error.contains("--skip-bad"), "{format}: {error}");
        let relief = open(&within, &OpenOptions::default().with_skip_bad(true)).expect("the other");
        assert!((relief.sample(normal(-159.0, 19.0)).height_m - 7.0).abs() < 1e-3, "{format}");
    }
}

/// Law: a text of points that is cut at its end is refused, wherever it is cut, alone and among others. One of which other points are
/// missing is sparse, and read as GDAL reads it.
#[test]
fn points_that_are_cut() {
    let folder = TempDir::new().expect("a temporary folder");
    let file = folder.path().join("points.xyz");
    let options = OpenOptions::default().with_src_crs(Some("EPSG:4326".to_owned()));
    let lines: Vec<String> = (0..400)
        .map(|k| format!("{:.2} {:.2} {}", -160.0 + 0.01 * f64::from(k % 20), 20.0 - 0.01 * f64::from(k / 20), 700 + k))
        .collect();
    let text = lines.join("\n") + "\n";
    fs::write(&file, &text).expect("written");
    let relief = open(&file, &options).unwrap_or_else(|e| panic!("{e}"));
    assert!((relief.sample(normal(-160.0 + 0.05, 20.0 - 0.1)).height_m - 905.0).abs() < 1e-6);
    for lines_left in [381, 390, 399] {
        let whole: usize = lines[..lines_left].iter().map(|line| line.len() + 1).sum();
        for more in [0, 4, 9] {
            fs::write(&file, &text[..whole + more]).expect("written");
            let error = open(&file, &options).expect_err("cut").to_string();
            let is_told = error.contains("is cut") || more > 0 && error.contains("Expected 3 at least");
            assert!(error.contains("points.xyz") && is_told, "{lines_left}, {more}: {error}");
        }
    }
    fs::write(folder.path().join("other.xyz"), &text).expect("written");
    let error = open(folder.path(), &options).expect_err("cut").to_string();
    assert!(error.contains("points.xyz") && error.contains("--skip-bad"), "{error}");
    for (what, is_missing) in [("rows with gaps", 7), ("a corner and gaps", 3)] {
        let sparse: String = lines
            .iter()
            .enumerate()
            .filter(|(k, _)| k % is_missing != 5 % is_missing)
            .map(|(_, l)| format!("{l}\n"))
            .collect();
        fs::write(&file, sparse).expect("written");
        let opened = open(&file, &options);
        assert_eq!(opened.is_ok(), gdal::Dataset::open(&file).is_ok(), "{what}: {opened:?}");
        assert!(opened.is_ok(), "{what}");
    }
}

/// Law: a grid of words that is cut by rows is refused, wherever it is cut and however many rows it states; a whole one is not. GDAL takes
/// twice as long for each row that is looked for behind the end.
#[test]
fn grids_of_words_that_are_cut() {
    let mut rng = random::rng();
    for (name, corner) in [("grid.asc", "xllcorner -160\nyllcorner 19"), ("surfer.grd", "")] {
        let folder = TempDir::new().expect("a temporary folder");
        let file = folder.path().join(name);
        let (columns, rows) = (rng.random_range(5..40), rng.random_range(600..3_000));
        let header = if corner.is_empty() {
            format!("DSAA\n{columns} {rows}\n-160 -159.9\n19 20\n0 900\n")
        } else {
            format!("ncols {columns}\nnrows {rows}\n{corner}\ncellsize 0.001\n")
        };
        let row = |k: usize| format!("{}\n", vec![(k % 900).to_string(); columns].join(" "));
        let write = |count: usize| fs::write(&file, header.clone() + &(0..count).map(row).collect::<String>());
        let options = OpenOptions::default().with_src_crs(Some("EPSG:4326".to_owned()));
        write(rows).expect("written");
        open(&file, &options).unwrap_or_else(|error| panic!("{error}"));
        for count in [0, rng.random_range(1..rows - 20), rows - 20] {
            write(count).expect("written");
            for options in [options.clone(), options.clone().with_skip_bad(true)] {
                let error = open(&file, &options).expect_err("cut").to_string();
                assert!(error.contains(name), "{count} of {rows} rows: {error}");
            }
        }
    }
}

/// Law: bare values that a virtual raster describes are refused where their file ends before them, in whatever order they lie. They are
/// not where they end with it.
#[test]
fn raw_bands_that_are_cut() {
    let folder = TempDir::new().expect("a temporary folder");
    let raw = folder.path().join("values.raw");
    let bytes: Vec<u8> = [vec![0; 100], 700i16.to_le_bytes().repeat(40_000)].concat();
    for (first, row) in [(100, 400), (79_700, -400)] {
        let text = format!(
            "<VRTDataset rasterXSize=\"200\" rasterYSize=\"200\"><SRS>EPSG:4326</SRS>\
             <GeoTransform>-160, 0.01, 0, 20, 0, -0.01</GeoTransform>\
             <VRTRasterBand dataType=\"Int16\" band=\"1\" subClass=\"VRTRawRasterBand\">\
             <SourceFilename relativeToVRT=\"1\">values.raw</SourceFilename><ImageOffset>{first}</ImageOffset>\
             <PixelOffset>2</PixelOffset><LineOffset>{row}</LineOffset><ByteOrder>LSB</ByteOrder>\
             </VRTRasterBand></VRTDataset>"
        );
        let described = folder.path().join("described.vrt");
        fs::write(&described, text).expect("written");
        fs::write(&raw, &bytes).expect("written");
        let relief = open(&described, &OpenOptions::default()).unwrap_or_else(|e| panic!("{row}: {e}"));
        assert_eq!(relief.sample(normal(-159.0, 19.0)).height_m, 700.0);
        for missing in [1, 50_000] {
            fs::write(&raw, &bytes[..bytes.len() - missing]).expect("written");
            let error = open(&described, &OpenOptions::default()).expect_err("cut").to_string();
            assert!(error.contains("go on to byte 80100") && error.contains("values.raw"), "{row}: {error}");
        }
    }
}

/// Law: a file that is cut behind its header is refused before its heights are read, alone and among others. It is left out and told where
/// damaged files are. Whole files are not, nor sparse ones.
#[test]
fn files_cut_behind_their_headers() {
    for options in [
        &["TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16"][..],
        &["COMPRESS=DEFLATE"],
        &["BLOCKYSIZE=1"],
        &["SPARSE_OK=TRUE"],
    ] {
        let folder = TempDir::new().expect("a temporary folder");
        let files = row_of(folder.path(), 3);
        let written = folder.path().join("written.tif");
        let frame = Frame::north_up("EPSG:4326", (200, 200), -160.0, 20.0, 0.01);
        let sparse = options[0].starts_with("SPARSE");
        // Nothing in the lower half of a sparse one.
        let value = |k: usize| if sparse && k >= 20_000 { 0.0 } else { (k * 7919 % 8110) as f32 };
        let memory = folder.path().join("memory");
        frame.write::<f32>(&memory, (0..40_000).map(value).collect()).close().expect("closed");
        let source = gdal::Dataset::open(&memory).expect("opens");
        let driver = gdal::DriverManager::get_driver_by_name("GTiff").expect("GeoTIFF");
        let options: Vec<String> = options.iter().map(|option| (*option).to_owned()).collect();
        let options = options.iter().map(String::as_str).collect::<gdal::cpl::CslStringList>();
        source.create_copy(&driver, &written, &options).expect("written").close().expect("closed");
        fs::remove_file(&memory).expect("removed");
        assert!(open(&written, &OpenOptions::default()).is_ok());
        assert!(open(folder.path(), &OpenOptions::default()).is_ok());
        let length = fs::metadata(&written).expect("there").len();
        fs::File::options().write(true).open(&written).and_then(|file| file.set_len(length - length / 4)).expect("cut");
        let alone = open(&written, &OpenOptions::default().with_layer_bytes(4096)).unwrap_err();
        assert!(matches!(alone, HeightError::Read { .. }) && alone.to_string().contains("it ends at byte"), "{alone}");
        let error = open(folder.path(), &OpenOptions::default()).unwrap_err().to_string();
        assert!(
            error.contains("written.tif") && error.contains("it ends at byte") && error.contains("--skip-bad"),
            "{error}"
        );
        let relief = open(folder.path(), &OpenOptions::default().with_skip_bad(true)).unwrap();
        let said = relief.layers()[0].remarks.join("\n");
        assert!(said.contains("1 damaged file in it is left out") && said.contains("written.tif"), "{said}");
        assert_eq!(height_m(&relief, files.len() - 1), 102.0);
    }
}

/// Law: heights in an archive whose bytes are damaged are an error, and not other heights: alone, among other files and in a virtual raster, read
/// at once or as needed; those of a whole archive are answered.
#[test]
fn archives_that_are_damaged() {
    let mut rng = random::rng();
    let heights: Vec<u8> = (0..1_201 * 1_201).flat_map(|_| rng.random_range(200i16..900).to_be_bytes()).collect();
    for is_whole in [true, false] {
        let folder = TempDir::new().expect("a temporary folder");
        let archive = folder.path().join("N45E007.hgt.zip");
        zip(&PathBuf::from(format!("/vsizip/{}/N45E007.hgt", archive.display())), &heights);
        if !is_whole {
            let mut bytes = fs::read(&archive).expect("there");
            let at = rng.random_range(bytes.len() / 4..bytes.len() * 3 / 4);
            bytes[at..at + 64].iter_mut().for_each(|byte| *byte ^= 0x5a);
            fs::write(&archive, bytes).expect("written");
        }
        let inside = PathBuf::from(format!("/vsizip/{}/N45E007.hgt", archive.display()));
        let virtual_raster = folder.path().join("around.vrt");
        let text = format!(
            "<VRTDataset rasterXSize=\"1201\" rasterYSize=\"1201\"><SRS>EPSG:4326</SRS><GeoTransform>6.99958333333, \
             0.000833333333, 0, 46.0004166667, 0, -0.000833333333</GeoTransform><VRTRasterBand dataType=\"Int16\" band=\"1\">\
             <SimpleSource><SourceFilename>{}</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>",
            inside.display()
        );
        fs::write(&virtual_raster, text).expect("written");
        let alone = folder.path().join("folder");
        fs::create_dir(&alone).expect("a folder");
        fs::copy(&archive, alone.join("N45E007.hgt.zip")).expect("copied");
        for file in [&archive, &inside, &virtual_raster, &alone] {
            for bytes in [1 << 30, 1 << 20] {
                let options = OpenOptions::default().with_layer_bytes(bytes);
                let found = open(file, &options).map(|relief| {
                    for k in 0..50 {
                        let _whatever = relief.sample(normal(7.3, 45.0 + 0.02 * f64::from(k)));
                    }
                    relief.failure()
                });
                let refused = match found {
                    Ok(failure) => failure.map(|error| error.to_string()),
                    Err(error) => Some(error.to_string()),
                };
                assert_eq!(refused.is_none(), is_whole, "{} in {bytes} bytes: {refused:?}", file.display());
                assert!(refused.is_none_or(|text| text.contains("N45E007.hgt")));
            }
        }
        let relief = open(&alone, &OpenOptions::default().with_skip_bad(true)).expect("its header is sound");
        let _whatever = relief.sample(normal(7.3, 45.5));
        assert!(relief.failure().is_none());
        let told = [relief.layers()[0].remarks.clone(), relief.read_remarks()].concat();
        assert_eq!(told.iter().any(|remark| remark.contains("is damaged, and heights that")), !is_whole, "{told:?}");
    }
}
