//! Which pictures are in a folder or a list? Every raster of colours in it, in the order of their names or of the list.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::{
    error::HeightError,
    folder::{damaged, files_of, is_multi_file, should_be_good},
    gdal_imagery::ImageryError,
    imagery_layer::ImageryLayer,
    options::{Network, OpenOptions, is_remote},
};

/// Most pictures of a folder: every tile is tested against each of them.
const MOST_PICTURES: usize = 1000;

/// A picture and what is remarkable about it, or why it is none.
type Opened = Result<(ImageryLayer, Vec<String>), ImageryError>;

impl ImageryLayer {
    /// Opens a picture as [`open_on`](Self::open_on) does, or all pictures of a folder and the folders in it, or of a list (`@FILE`): in
    /// the order of their names or of the list, the last one on top. Of the options body, network and bad files count. Hidden files are
    /// left out, and those that are no pictures unless others of their ending are.
    ///
    /// ```
    /// use elevation::height::{ImageryLayer, OpenOptions};
    /// let folder = tempfile::tempdir()?;
    /// let marble = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/bluemarble.tif");
    /// std::fs::copy(&marble, folder.path().join("a.tif"))?;
    /// std::fs::copy(&marble, folder.path().join("b.tif"))?;
    /// std::fs::write(folder.path().join("readme.txt"), "two pictures")?;
    /// assert_eq!(ImageryLayer::open_all(folder.path(), &OpenOptions::default())?.len(), 2);
    /// assert_eq!(ImageryLayer::open_all(&marble, &OpenOptions::default())?.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ImageryError`]: a folder without pictures, one of more than a thousand, a damaged file among others unless those are skipped.
    pub fn open_all(path: &Path, options: &OpenOptions) -> Result<Vec<ImageryLayer>, ImageryError> {
        if !is_multi_file(path) || is_format(path) {
            return Self::open_on(path, options.ellipsoid).map(|layer| vec![layer]);
        }
        let files = files_of(path)?;
        let mut opened: Vec<Opened> = Vec::new();
        // No more are opened than may be.
        for part in files.chunks(MOST_PICTURES) {
            opened.par_extend(part.par_iter().map(|file| open_member(file, options)));
            if opened.iter().filter(|opened| opened.is_ok()).count() > MOST_PICTURES {
                return Err(ImageryError::TooMany { file: path.into(), count: files.len(), most: MOST_PICTURES });
            }
        }
        let (layers, remarks) = sorted_out(path, &files, opened, options.skip_bad)?;
        if let Some((first, rest)) = remarks.split_first() {
            let more = if rest.is_empty() { String::new() } else { format!(" (and {} more remarks)", rest.len()) };
            tracing::warn!("{first}{more}");
        }
        Ok(layers)
    }

    /// Whether a file holds a picture rather than heights, as [`is_in`](Self::is_in) has it. A folder or list is one of pictures if some of
    /// its rasters in a place are, and none holds heights; of as many files as there may be pictures. What lies on the network is not asked for.
    ///
    /// ```
    /// use elevation::height::ImageryLayer;
    /// let folder = tempfile::tempdir()?;
    /// let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../data");
    /// std::fs::copy(data.join("bluemarble.tif"), folder.path().join("a.tif"))?;
    /// assert!(ImageryLayer::are_in(folder.path()));
    /// std::fs::copy(data.join("jacksboro.tif"), folder.path().join("b.tif"))?;
    /// assert!(!ImageryLayer::are_in(folder.path()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn are_in(path: &Path) -> bool {
        if !is_multi_file(path) || is_format(path) {
            return Self::is_in(path);
        }
        let mut files = files_of(path).unwrap_or_default();
        files.truncate(MOST_PICTURES);
        let holds = |file: &PathBuf, pictures| !is_remote(file) && Self::kind_in_place(file) == Some(pictures);
        !files.par_iter().any(|file| holds(file, false)) && files.par_iter().any(|file| holds(file, true))
    }
}

/// Whether a folder is one raster: some formats are folders.
fn is_format(path: &Path) -> bool {
    path.is_dir() && ImageryLayer::kind(path).is_some()
}

/// Opens a file of a folder or list, which reaches the network only if all may.
fn open_member(file: &Path, options: &OpenOptions) -> Opened {
    if is_remote(file) && options.network != Network::Always {
        return Err(HeightError::Offline { file: file.into() }.into());
    }
    ImageryLayer::open_with_remarks(file, options.ellipsoid)
}

/// The pictures among files that were opened, with remarks; a file that should be one is an error, or the first remark.
fn sorted_out(
    path: &Path,
    files: &[PathBuf],
    opened: Vec<Opened>,
    skip_bad: bool,
) -> Result<(Vec<ImageryLayer>, Vec<String>), ImageryError> {
    let (mut good, mut layers, mut remarks, mut refused) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (file, opened) in files.iter().zip(opened) {
        match opened {
            Ok((layer, own)) => {
                good.push(file.as_path());
                layers.push(layer);
                remarks.extend(own);
            }
            Err(error) => refused.push((file.clone(), error)),
        }
    }
    if layers.is_empty() {
        let first = refused.into_iter().next().map(|(_, error)| Box::new(error));
        return Err(ImageryError::NoPicture { file: path.into(), first });
    }
    let should_be = should_be_good(path, good.into_iter());
    refused.retain(|(file, _)| should_be(file));
    let remark = damaged(&refused).map(|remark| format!("{}: {remark}", path.display()));
    let others = refused.len().saturating_sub(1);
    match refused.into_iter().next() {
        Some((_, first)) if !skip_bad => Err(ImageryError::Bad { first: Box::new(first), others }),
        _ => Ok((layers, remark.into_iter().chain(remarks).collect())),
    }
}

#[cfg(test)]
mod tests {
    use gdal::DriverManager;

    use super::*;
    use crate::geodesy::Ellipsoid;

    fn data(name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../data").join(name)
    }

    fn open(path: &Path) -> Result<Vec<ImageryLayer>, ImageryError> {
        ImageryLayer::open_all(path, &OpenOptions::default())
    }

    /// A picture of a few texels, `width_deg` wide, whose west is 0.
    fn picture(file: &Path, width_deg: f64) {
        let driver = DriverManager::get_driver_by_name("GTiff").expect("a driver");
        let mut dataset = driver.create_with_band_type::<u8, _>(file, 8, 8, 3).expect("created");
        let wgs84 = gdal::spatial_ref::SpatialRef::from_epsg(4326).expect("a system");
        dataset.set_spatial_ref(&wgs84).expect("set");
        dataset.set_geo_transform(&[0.0, width_deg / 8.0, 0.0, 1.0, 0.0, -0.1]).expect("set");
    }

    fn widths_deg(layers: &[ImageryLayer]) -> Vec<i32> {
        layers.iter().map(|layer| (layer.bbox_deg()[2] - layer.bbox_deg()[0]).round() as i32).collect()
    }

    /// Law: pictures of a folder come in the order of their names, those of a list in its order; other files of a folder are left out.
    #[test]
    fn pictures_come_in_the_order_of_names_or_of_the_list() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("b")).expect("a folder");
        for (name, width_deg) in [("c.tif", 3.0), ("a.tif", 1.0), ("b/x.tif", 2.0)] {
            picture(&at(name), width_deg);
        }
        std::fs::write(at("list.txt"), "c.tif\n# none\na.tif\n").expect("written");
        std::fs::write(at(".a.tif"), "hidden").expect("written");
        assert_eq!(widths_deg(&open(folder.path()).expect("a folder of pictures")), [1, 2, 3]);
        let list = PathBuf::from(format!("@{}", at("list.txt").display()));
        assert_eq!(widths_deg(&open(&list).expect("a list of pictures")), [3, 1]);
    }

    /// Law: a bad file among good ones of its ending is an error that names it and tells how to leave it out, and with that said a remark;
    /// in a list any bad file is. Nothing but bad files is an error, in one line.
    #[test]
    fn bad_files_among_good_ones_are_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        picture(&at("c.tif"), 3.0);
        std::fs::write(at("a.tif"), "no picture").expect("written");
        std::fs::copy(data("jacksboro.tif"), at("b.tif")).expect("a copy");
        let error = open(folder.path()).expect_err("a.tif is bad").to_string();
        assert!(error.contains("a.tif") && error.contains("1 more file") && error.contains("--skip-bad"), "{error}");
        let skipping = OpenOptions::default().with_skip_bad(true);
        assert_eq!(ImageryLayer::open_all(folder.path(), &skipping).expect("the good one").len(), 1);
        std::fs::write(at("list.txt"), "c.tif\nlist.txt\n").expect("written");
        let list = PathBuf::from(format!("@{}", at("list.txt").display()));
        assert!(matches!(open(&list), Err(ImageryError::Bad { others: 0, .. })));
        assert_eq!(ImageryLayer::open_all(&list, &skipping).expect("the good one").len(), 1);
        std::fs::remove_file(at("c.tif")).expect("removed");
        let error = open(folder.path()).expect_err("no picture").to_string();
        assert!(error.contains("no picture in it") && error.contains("a.tif") && !error.contains('\n'), "{error}");
        let missing = open(Path::new("@missing.txt")).expect_err("no list").to_string();
        assert!(missing.contains("@missing.txt"), "{missing}");
    }

    /// Law: what a list names on the network is asked for only if all sources may be.
    #[test]
    fn lists_do_not_reach_the_network() {
        let folder = tempfile::tempdir().expect("a folder");
        let list = folder.path().join("list.txt");
        picture(&folder.path().join("a.tif"), 1.0);
        std::fs::write(&list, "a.tif\n/vsicurl/http://127.0.0.1:9/b.tif\n").expect("written");
        let list = PathBuf::from(format!("@{}", list.display()));
        for network in [Network::Named, Network::Never] {
            match ImageryLayer::open_all(&list, &OpenOptions::default().with_network(network)) {
                Err(ImageryError::Bad { first, .. }) => {
                    assert!(matches!(*first, ImageryError::Raster(HeightError::Offline { .. })), "{first}");
                }
                other => panic!("{other:?}"),
            }
        }
        assert!(ImageryLayer::are_in(&list));
    }

    /// Law: a folder that is a raster is one picture, as a file is, and none if it is of heights.
    #[test]
    fn folders_that_are_rasters_are_one_picture() {
        let folder = tempfile::tempdir().expect("a folder");
        // Not every GDAL has this driver.
        let Ok(driver) = DriverManager::get_driver_by_name("Zarr") else { return };
        let write = |name: &str, heights: bool| {
            let file = folder.path().join(name);
            let created = match heights {
                true => driver.create_with_band_type::<f32, _>(&file, 8, 4, 1),
                false => driver.create_with_band_type::<u8, _>(&file, 8, 4, 1),
            };
            let mut dataset = created.expect("created");
            dataset.set_spatial_ref(&gdal::spatial_ref::SpatialRef::from_epsg(4326).expect("a system")).expect("set");
            dataset.set_geo_transform(&[0.0, 1.0, 0.0, 4.0, 0.0, -1.0]).expect("set");
            file
        };
        let picture = open(&write("a.zarr", false)).expect("a picture");
        assert_eq!((picture.len(), picture[0].size(), picture[0].ellipsoid()), (1, (8, 4), Ellipsoid::WGS84));
        let heights = write("b.zarr", true);
        assert!(matches!(open(&heights), Err(ImageryError::Depth { .. })));
        assert!(!ImageryLayer::are_in(&heights));
    }

    /// Law: a folder of heights stays one, whatever pictures without a place lie in it; heights among pictures make it one.
    #[test]
    fn a_folder_of_heights_is_none_of_pictures() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        std::fs::copy(data("bluemarble.tif"), at("b.tif")).expect("a copy");
        // A mask without a place says nothing.
        let driver = DriverManager::get_driver_by_name("GTiff").expect("a driver");
        drop(driver.create_with_band_type::<u8, _>(at("b.tif.msk"), 8, 8, 1).expect("created"));
        assert!(ImageryLayer::are_in(folder.path()));
        std::fs::copy(data("jacksboro.tif"), at("z.tif")).expect("a copy");
        assert!(!ImageryLayer::are_in(folder.path()));
        assert!(!ImageryLayer::are_in(&at("missing")));
    }
}
