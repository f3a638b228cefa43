//! How does a scene stand in a file? What is drawn, and from where, as `foreign` reads and writes it, in the terms of the program.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use foreign::raster::{PictureOptions, RasterOptions};
use foreign::scene::{MOST_BYTES, Scene, SceneFile, WaterSetting, is_scene};
use foreign::{list, sanitized};
use terrain::geodesy::Ellipsoid;
use terrain::height::{LayerOptions, Network, is_remote};

use crate::overlays::Overlays;
use crate::render::Ramp;
use crate::terrain::{ImageryFile, VectorFile};

#[cfg(feature = "window")]
mod saved;

#[cfg(feature = "window")]
pub use saved::scene_of;

/// A scene in a file, with the paths of what it names.
#[derive(Debug, Clone)]
pub struct OpenedScene {
    /// What it says; names of files are as they stand there.
    pub said: Scene,
    /// Elevation, the first on top.
    pub elevation: Vec<(PathBuf, LayerOptions)>,
    /// Pictures, the last on top.
    pub pictures: Vec<ImageryFile>,
    /// Vector data, the last on top.
    pub vectors: Vec<VectorFile>,
    /// File of lakes or land.
    pub water: Option<PathBuf>,
    /// The planet or moon that the data are of.
    pub body: Option<Ellipsoid>,
    /// Colours of heights.
    pub ramp: Option<Ramp>,
    /// What is drawn, of what has a name.
    pub overlays: Option<Overlays>,
}

/// Opens a scene; none where the file is none, whatever else it is. What it names on the network is refused unless that is `online`.
///
/// # Errors
/// What is wrong with the scene, or what the system says.
pub fn open(file: &Path, network: Network) -> anyhow::Result<Option<OpenedScene>> {
    let Some(bytes) = bytes(file).with_context(|| format!("cannot read {}", file.display()))? else { return Ok(None) };
    let folder = file.parent().unwrap_or(Path::new(""));
    let exists = |name: &str| path_of(name, folder).symlink_metadata().is_ok();
    let opened = Scene::from_json(&bytes, &exists).and_then(|said| OpenedScene::new(said, folder, network));
    opened.map(Some).map_err(|why| {
        anyhow::anyhow!("{}: {why}; docs/scene.schema.json tells what may stand in a scene", file.display())
    })
}

/// The bytes of a file that says that it is a scene.
fn bytes(file: &Path) -> io::Result<Option<Vec<u8>>> {
    // What cannot be opened is told by who opens it as what it else may be.
    let Ok(opened) = foreign::open_regular(file) else { return Ok(None) };
    let mut head = Vec::new();
    opened.take(64).read_to_end(&mut head)?;
    let head = head.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&head).trim_ascii_start();
    if !head.starts_with(b"{") {
        return Ok(None);
    }
    match foreign::read_small(file, MOST_BYTES) {
        Ok(bytes) => Ok(Some(bytes).filter(|bytes| is_scene(bytes))),
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => Ok(None),
        Err(error) => Err(error),
    }
}

/// What a name in a scene stands for; a list stands behind a sign.
fn path_of(name: &str, folder: &Path) -> PathBuf {
    match name.strip_prefix('@') {
        Some(list) => {
            let mut path = std::ffi::OsString::from("@");
            path.push(list::relative_to(list, folder));
            path.into()
        }
        None => list::relative_to(name, folder),
    }
}

/// What is said of a layer, as it is opened.
pub fn layer_options(own: RasterOptions) -> LayerOptions {
    LayerOptions::default()
        .with_band(own.band)
        .with_nodata(own.nodata)
        .with_src_crs(own.crs)
        .with_unit_m(own.unit_m)
        .with_feather_texels(own.feather)
        .with_valid_range_m(own.valid_range_m)
        .with_src_vertical(own.vdatum)
}

impl OpenedScene {
    fn new(said: Scene, folder: &Path, network: Network) -> Result<OpenedScene, String> {
        let path = |name: &str| {
            let path = path_of(name, folder);
            match network {
                Network::Always => Ok(path),
                _ if !is_remote(&path) => Ok(path),
                _ => Err(format!(
                    "{} lies on the network, where a scene reaches for nothing without --online",
                    sanitized(name)
                )),
            }
        };
        let elevation = said.elevation.iter().map(|file| Ok((path(&file.name)?, layer_options(file.options.clone()))));
        let picture = |file: &SceneFile<PictureOptions>| {
            let path = path(&file.name)?;
            // A bare name might be that of a public source.
            let is_bare = path.parent() == Some(Path::new("")) && list::named(&path).is_none();
            let path = if is_bare { Path::new(".").join(path) } else { path };
            Ok(ImageryFile { path, options: file.options })
        };
        let vectors =
            said.vectors.iter().map(|file| Ok(VectorFile { path: path(&file.name)?, options: file.options.clone() }));
        let water = match &said.water {
            Some(WaterSetting::File(file)) => Some(path(file)?),
            _ => None,
        };
        Ok(OpenedScene {
            elevation: elevation.collect::<Result<_, String>>()?,
            pictures: said.imagery.iter().map(picture).collect::<Result<_, String>>()?,
            vectors: vectors.collect::<Result<_, String>>()?,
            water,
            body: said.body.as_deref().map(str::parse).transpose().map_err(|why| format!("body: {why}"))?,
            ramp: said.ramp.as_deref().map(Ramp::parse).transpose().map_err(|why| format!("ramp: {why}"))?,
            overlays: said
                .overlays
                .as_deref()
                .map(Overlays::of_names)
                .transpose()
                .map_err(|why| format!("overlays: {why}"))?,
            said,
        })
    }

    /// Whether water is drawn, if that is said.
    pub fn has_water(&self) -> Option<bool> {
        self.said.water.as_ref().map(|water| *water != WaterSetting::Off)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: a file is a scene by what it holds, not by its name; what cannot be opened is none; a bad one is told with its path.
    #[test]
    fn scenes_are_told_by_what_they_hold() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("written");
            path
        };
        let scene = "{\"orogen\": \"scene\", \"version\": 1, \"elevation\": [\"@list.txt\", \"sub/b.tif,band=2\"]}";
        let opened = open(&write("a.tif", scene), Network::Named).expect("a scene").expect("one");
        let at = |name: &str| folder.path().join(name);
        let list = format!("@{}", at("list.txt").display());
        assert_eq!(opened.elevation[0].0, PathBuf::from(list));
        assert_eq!(opened.elevation[1], (at("sub/b.tif"), LayerOptions::default().with_band(Some(2))));
        for (name, text) in [("scene.json", "{\"type\": \"FeatureCollection\"}"), ("b.tif", "II*\0"), ("empty", "")] {
            assert!(open(&write(name, text), Network::Named).expect("readable").is_none(), "{name}");
        }
        for path in [at("missing.json"), folder.path().to_path_buf(), PathBuf::from("/vsicurl/https://a.org/b.json")] {
            assert!(open(&path, Network::Named).expect("for others to tell").is_none());
        }
        for (member, told) in [
            ("\"elevatoin\": []", "did you mean elevation?"),
            ("\"ramp\": \"rainbow\"", "ramp: \"rainbow\" is none of atlas"),
            ("\"overlays\": [\"x-rays\"]", "overlays: \"x-rays\" is none of"),
            ("\"elevation\": [\"https://example.org/a.tif\"]", "--online"),
            ("\"imagery\": [{\"file\": \"/vsicurl/https://example.org/a.tif\"}]", "--online"),
        ] {
            let path = write("bad.json", &format!("{{\"orogen\": \"scene\", \"version\": 1, {member}}}"));
            let said = open(&path, Network::Named).expect_err(member).to_string();
            assert!(said.contains("bad.json") && said.contains(told) && !said.contains('\n'), "{said}");
            assert_eq!(open(&path, Network::Always).is_ok(), told == "--online");
        }
    }
}
