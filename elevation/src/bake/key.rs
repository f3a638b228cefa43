//! Which data and options is a pack made from? A hash of the contents of every file behind a source, so that moving a file
//! changes nothing and changing a byte changes everything. It is made of the hashes of single files, which shares of a pack have some of.

use std::path::{Path, PathBuf};

use super::BakeError;
use crate::{
    height::{HeightError, OpenOptions, source_files},
    pack::is_pack,
};

/// What the key of a pack begins with, in hexadecimal digits: all that decides about its bytes but the contents of files.
///
/// `recipe` holds the options of the pack itself, `known` what is known of each file before it is read.
pub(super) fn head<'a>(
    sources: &[PathBuf],
    open: &OpenOptions,
    recipe: &str,
    is_shifted: bool,
    known: impl Iterator<Item = &'a str>,
) -> String {
    let mut all = begun(sources, open, recipe, is_shifted);
    for words in known {
        all.update(format!("{} bytes, {words}\n", words.len()).as_bytes());
    }
    all.finalize().to_hex().to_string()
}

/// The key of a pack, by what it begins with and the hashes of all files in their order.
pub(super) fn of_hashes<'a>(head: &str, hashes: impl Iterator<Item = &'a str>) -> String {
    let mut all = blake3::Hasher::new();
    all.update(head.as_bytes());
    hashes.for_each(|hash| {
        all.update(hash.as_bytes());
    });
    all.finalize().to_hex().to_string()
}

/// Hash of a file that has several parts, in hexadecimal digits. Each is read through.
pub(super) fn of_parts(parts: &[PathBuf]) -> Result<String, HeightError> {
    let mut all = blake3::Hasher::new();
    add_parts(&mut all, parts, &mut contents)?;
    Ok(all.finalize().to_hex().to_string())
}

/// Adds the hashes of the parts of a file.
fn add_parts(
    all: &mut blake3::Hasher,
    parts: &[PathBuf],
    contents: &mut dyn FnMut(&Path) -> Result<blake3::Hash, HeightError>,
) -> Result<(), HeightError> {
    all.update(format!("{} files\n", parts.len()).as_bytes());
    for part in parts {
        all.update(contents(part)?.as_bytes());
    }
    Ok(())
}

/// Hash of everything that decides about tiles that are not of a pack, in hexadecimal digits: with the hashes of files from elsewhere.
pub(crate) fn of_contents(
    files: &[PathBuf],
    open: &OpenOptions,
    recipe: &str,
    is_shifted: bool,
    contents: &mut dyn FnMut(&Path) -> Result<blake3::Hash, HeightError>,
) -> Result<String, BakeError> {
    let mut all = begun(files, open, recipe, is_shifted);
    for (k, file) in files.iter().enumerate() {
        add_parts(&mut all, &source_files(file, &open.of_layer(k, file))?, contents)?;
    }
    Ok(all.finalize().to_hex().to_string())
}

/// Options, and what no file of the user holds.
///
/// GDAL's version counts where it reads: it decides what is read from a file. The grids of PROJ count where heights are brought to another
/// datum (`is_shifted`). Of packs alone, as they are, every build makes the same pack.
fn begun(files: &[PathBuf], open: &OpenOptions, recipe: &str, is_shifted: bool) -> blake3::Hasher {
    let mut all = blake3::Hasher::new();
    // Where headers are remembered changes nothing.
    let told = OpenOptions { pack_level: None, ..open.clone().with_index(None).with_remote(None) };
    // Who opens files changes nothing either, data of the Earth are of no other planet, and the recipe tells the level.
    let unsaid = [" remote: None,", " ellipsoid: None,", ", pack_level: None"];
    let told = unsaid.into_iter().fold(format!("{told:?}"), |told, unsaid| told.replace(unsaid, ""));
    let version = crate::pack::format::VERSION;
    let (is_of_packs, reader) = (!files.is_empty() && files.iter().all(|file| is_pack(file)), reader());
    let reader = if is_of_packs { PACKS_ONLY } else { &reader };
    all.update(
        format!("orogen pack {version}, with fine origins and sloping rims, of patches\n{recipe}\n{told}\n{reader}\n")
            .as_bytes(),
    );
    if is_shifted {
        all.update(grids().as_bytes());
    }
    #[cfg(feature = "gdal")]
    if !is_of_packs {
        all.update(blake3::hash(orogen_data::ETOPO5).as_bytes());
    }
    all
}

/// Who reads packs.
const PACKS_ONLY: &str = "packs only, of one level";

/// Who reads the files, and what is made of their voids.
#[cfg(feature = "gdal")]
fn reader() -> String {
    format!(
        "GDAL {}, voids as membranes, level ends of blends, turns continued, offsets in doubles, seams of projections, feathers over coarser data",
        gdal::version::version_info("RELEASE_NAME")
    )
}

/// Who reads the files.
#[cfg(not(feature = "gdal"))]
fn reader() -> String {
    PACKS_ONLY.to_owned()
}

/// What brings heights to another datum.
#[cfg(feature = "gdal")]
fn grids() -> String {
    format!("{:?}\n", crate::height::installed_grids())
}

/// What brings heights to another datum: nothing does.
#[cfg(not(feature = "gdal"))]
fn grids() -> String {
    String::new()
}

/// Hash of a file, which is read through.
pub(super) fn contents(file: &Path) -> Result<blake3::Hash, HeightError> {
    let mut hasher = blake3::Hasher::new();
    crate::height::read_through(file, &mut |bytes| {
        hasher.update(bytes);
    })?;
    Ok(hasher.finalize())
}

#[cfg(all(test, feature = "gdal"))]
mod tests {
    use super::*;
    use crate::{
        bake::{Bake, BakeOptions},
        height::{LayerOptions, VerticalDatum},
    };
    use gdal::{Dataset, DriverManager, programs::raster::build_vrt, raster::Buffer, spatial_ref::SpatialRef};

    fn write(file: &Path, height_m: f32) {
        let driver = DriverManager::get_driver_by_name("GTiff").unwrap();
        let mut dataset = driver.create_with_band_type::<f32, _>(file, 8, 8, 1).unwrap();
        dataset.set_spatial_ref(&SpatialRef::from_epsg(4326).unwrap()).unwrap();
        dataset.set_geo_transform(&[6.0, 0.1, 0.0, 46.0, 0.0, -0.1]).unwrap();
        dataset.rasterband(1).unwrap().write((0, 0), (8, 8), &mut Buffer::new((8, 8), vec![height_m; 64])).unwrap();
    }

    /// Law: a file that cannot be read to its end has no hash; one that can has the same, in an archive too.
    #[test]
    fn an_error_is_not_the_end_of_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let bytes: Vec<u8> = (0..3_000_000u32).map(|k| (k.wrapping_mul(k) >> 7) as u8).collect();
        let plain = folder.path().join("plain");
        std::fs::write(&plain, &bytes).unwrap();
        assert_eq!(contents(&plain).unwrap(), blake3::hash(&bytes));
        let zipped = PathBuf::from(format!("/vsigzip/{}/plain.gz", folder.path().display()));
        let archive = std::fs::File::create(folder.path().join("plain.gz")).unwrap();
        let gzip = std::process::Command::new("gzip").arg("-c").arg(&plain).stdout(archive).status().unwrap();
        assert!(gzip.success() && contents(&zipped).unwrap() == blake3::hash(&bytes));
        // Its first page is never mapped: reading fails at once, and GDAL reads nothing, as at an end.
        #[cfg(target_os = "linux")]
        {
            let error = contents(Path::new("/proc/self/mem")).unwrap_err().to_string();
            assert!(error.contains("reading failed after 0"), "{error}");
        }
    }

    /// Law: which grids PROJ has decides about packs whose heights are brought to another datum, and about no others.
    #[test]
    fn grids_count_where_heights_are_shifted() {
        let folder = tempfile::tempdir().unwrap();
        let files = [folder.path().join("earth.pack")];
        let options = BakeOptions::default().with_max_level(Some(0));
        Bake::new(&[], &OpenOptions::default(), &options).unwrap().run(&files[0], false, &mut |_| {}).unwrap();
        let vertical: VerticalDatum = "egm96".parse().unwrap();
        let said = LayerOptions { src_vertical: Some(vertical), ..LayerOptions::default() };
        let open = OpenOptions::default().with_layers(vec![said]).with_vertical(Some(vertical));
        let bake = Bake::new(&files, &open, &options).unwrap();
        let read = bake.files.read(&[0], &open).unwrap();
        let keys = [false, true].map(|is_shifted| {
            let head = head(&files, &open, &bake.recipe, is_shifted, bake.files.key_texts());
            of_hashes(&head, read.iter().map(|file| &*file.hash))
        });
        assert!(bake.manifest_with_key().unwrap().key == keys[0] && keys[0] != keys[1]);
    }

    /// Law: what a virtual raster is made of decides about its key, however many of them lie in between.
    #[test]
    fn sources_of_virtual_rasters_count() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        write(&at("a.tif"), 100.0);
        for (of, name) in [("a.tif", "b.vrt"), ("b.vrt", "c.vrt")] {
            build_vrt(Some(&at(name)), &[Dataset::open(at(of)).unwrap()], None).unwrap().close().unwrap();
        }
        let mut read = Vec::new();
        let mut key = |name: &str| {
            read.clear();
            let hash = |file: &Path| {
                read.push(file.to_owned());
                contents(file)
            };
            let key = of_contents(&[at(name)], &OpenOptions::default(), "", false, &mut { hash }).unwrap();
            (key, read.clone())
        };
        let (before, read_for_it) = key("c.vrt");
        assert_eq!(read_for_it, [at("a.tif"), at("b.vrt"), at("c.vrt")]);
        assert_eq!(key("c.vrt").0, before);
        write(&at("a.tif"), 101.0);
        assert_ne!(key("c.vrt").0, before);
        write(&at("a.tif"), 100.0);
        assert_eq!(key("c.vrt").0, before);
    }
}
