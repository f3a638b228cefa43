//! How does a scene stand in a file? What is drawn, and from where, as `foreign` reads and writes it, in the terms of the program.

use std::ffi::OsStr;
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

use anyhow::Context as _;
use foreign::raster::RasterOptions;
use foreign::scene::{MOST_BYTES, Scene, SceneFile, WaterSetting, is_scene};
use foreign::{list, sanitized};
use terrain::geodesy::Ellipsoid;
use terrain::height::{LayerOptions, Network, OpenOptions, is_remote};

use crate::camera::Pose;
use crate::overlays::Overlays;
use crate::render::Ramp;
use crate::scene::{SceneOptions, WaterFile};
use crate::settings::{overlay_names, overlays};
use crate::terrain::{ImageryFile, VectorFile, VectorLayer};

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

/// What is said of a layer, by itself or of all of them.
fn raster_options(own: &LayerOptions, all: &OpenOptions) -> RasterOptions {
    let usual = OpenOptions::default();
    let mut said = RasterOptions::default();
    said.band = own.band.or((all.band != usual.band).then_some(all.band));
    said.nodata = own.nodata.or(all.nodata);
    said.crs = own.src_crs.clone().or_else(|| all.src_crs.clone());
    said.unit_m = own.unit_m.or(all.unit_m);
    said.feather = own.feather_texels.or(all.feather_texels);
    said.valid_range_m = own.valid_range_m.or(all.valid_range_m);
    said.vdatum = own.src_vertical.or(all.src_vertical);
    said
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
        let picture = |file: &SceneFile<f64>| {
            let path = path(&file.name)?;
            // A bare name might be that of a public source.
            let is_bare = path.parent() == Some(Path::new(""));
            let path = if is_bare { Path::new(".").join(path) } else { path };
            Ok(ImageryFile { path, opacity: file.options as f32 })
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
            overlays: said.overlays.as_deref().map(overlays).transpose().map_err(|why| format!("overlays: {why}"))?,
            said,
        })
    }

    /// Whether water is drawn, if that is said.
    pub fn has_water(&self) -> Option<bool> {
        self.said.water.as_ref().map(|water| *water != WaterSetting::Off)
    }

    /// This scene in the place of another one, whose other choices stay where this one says nothing.
    ///
    /// # Errors
    /// A file without vector data.
    pub fn instead_of(&self, scene: &SceneOptions) -> anyhow::Result<SceneOptions> {
        let usual = OpenOptions::default();
        let open = scene
            .open
            .clone()
            .with_band(usual.band)
            .with_src_crs(None)
            .with_nodata(None)
            .with_unit_m(None)
            .with_feather_texels(None)
            .with_valid_range_m(None)
            .with_src_vertical(None)
            .with_vertical(self.said.vdatum)
            .with_ellipsoid(self.body)
            .with_layers(self.elevation.iter().map(|(_, own)| own.clone()).collect());
        let vectors = (0..).zip(&self.vectors).map(|(number, file)| VectorLayer::read(file, number));
        let with = |overlays: Overlays, one, on: Option<bool>| on.map_or(overlays, |on| overlays.with(one, on));
        let unnamed = [Overlays::WATER, Overlays::SHADOWS, Overlays::DETAIL, Overlays::PICTURES, Overlays::VECTORS];
        let named = self.overlays.map_or(scene.overlays, |named| {
            unnamed.into_iter().fold(named, |all, one| all.with(one, scene.overlays.has(one)))
        });
        let detail = self.said.detail.as_deref();
        let overlays = with(named, Overlays::WATER, self.has_water());
        let overlays = with(overlays, Overlays::SHADOWS, self.said.shadows);
        let overlays = with(overlays, Overlays::DETAIL, detail.map(|detail| detail == "all"));
        let mut scene = scene.clone();
        scene.relief = None;
        scene.files = self.elevation.iter().map(|(file, _)| file.clone()).collect();
        scene.open = open;
        scene.pictures = self.pictures.clone();
        scene.vectors = vectors.collect::<anyhow::Result<_>>()?;
        scene.water = self.water.clone().map(WaterFile::new);
        scene.ramp = self.ramp.unwrap_or(scene.ramp);
        scene.exaggeration = self.said.exaggeration.unwrap_or(1.0);
        scene.overlays = overlays;
        scene.synthetic_relief = detail.map_or(scene.synthetic_relief, |detail| Some(detail != "off"));
        scene.sun = self.said.sun.map_or(scene.sun, Into::into);
        scene.fov_deg = self.said.fov_deg.unwrap_or(scene.fov_deg);
        Ok(scene)
    }
}

/// What is drawn, and from where, to be written into a file of a folder.
///
/// # Errors
/// A file whose name is no text.
pub fn scene_of(scene: &SceneOptions, view: Pose, folder: &Path) -> Result<Scene, String> {
    let folder = std::path::absolute(folder).map_err(|error| error.to_string())?;
    let name = |path: &Path| name_beside(path, &folder);
    let layers = scene.open.layers.iter().cloned().chain(std::iter::repeat(LayerOptions::default()));
    let elevation = scene
        .files
        .iter()
        .zip(layers)
        .map(|(file, own)| Ok(SceneFile { name: name(file)?, options: raster_options(&own, &scene.open) }));
    let pictures = scene.pictures.iter().map(|picture| {
        // In as few digits as the user said it in.
        let opacity = picture.opacity.to_string().parse().unwrap_or(1.0);
        Ok(SceneFile { name: name(&picture.path)?, options: opacity })
    });
    let vectors = scene
        .vectors
        .iter()
        .map(|layer| Ok(SceneFile { name: name(&layer.file.path)?, options: layer.file.options.clone() }));
    let ramp = Ramp::NAMED.iter().find(|(_, ramp)| *ramp == scene.ramp).map(|(name, _)| (*name).to_owned());
    let detail = match (scene.overlays.has(Overlays::DETAIL), scene.synthetic_relief) {
        (true, _) => Some("all"),
        (false, Some(true)) => Some("relief"),
        (false, Some(false)) => Some("off"),
        (false, None) => None,
    };
    let mut said = Scene::default();
    said.elevation = elevation.collect::<Result<_, String>>()?;
    said.vdatum = scene.open.vertical;
    said.body = scene.open.ellipsoid.map(|body| body.to_string());
    said.imagery = pictures.collect::<Result<_, String>>()?;
    said.vectors = vectors.collect::<Result<_, String>>()?;
    said.water = Some(match (&scene.water, scene.overlays.has(Overlays::WATER)) {
        (_, false) => WaterSetting::Off,
        (Some(file), true) => WaterSetting::File(name(&file.path)?),
        (None, true) => WaterSetting::On,
    });
    said.ramp = ramp;
    said.exaggeration = Some(scene.exaggeration);
    said.overlays = Some(overlay_names(scene.overlays));
    said.shadows = Some(scene.overlays.has(Overlays::SHADOWS));
    said.detail = detail.map(str::to_owned);
    said.sun = Some(scene.sun.into());
    said.fov_deg = Some(scene.fov_deg);
    said.view = Some(rounded(view));
    Ok(said)
}

/// A view in digits that are read by people: to a tenth of a millimetre of place, a millimetre of height and a millionth of a degree.
fn rounded(view: Pose) -> Pose {
    let to = |value: f64, parts: f64| (value * parts).round() / parts;
    Pose {
        lat_deg: to(view.lat_deg, 1e9),
        lon_deg: to(view.lon_deg, 1e9),
        height_m: to(view.height_m, 1e3),
        heading_deg: to(view.heading_deg, 1e6).rem_euclid(360.0),
        pitch_deg: to(view.pitch_deg, 1e6),
    }
}

/// The name of a path in a file of a folder: relative to it where the path lies in it.
fn name_beside(path: &Path, folder: &Path) -> Result<String, String> {
    let text = |path: &OsStr| {
        let no_text = || format!("{} is no text, which a scene needs: give the file another name", path.display());
        path.to_str().map(str::to_owned).ok_or_else(no_text)
    };
    if is_remote(path) || path.starts_with("@") || path.as_os_str().as_encoded_bytes().starts_with(b"@") {
        return text(path.as_os_str());
    }
    let path = path.strip_prefix(folder).unwrap_or(path);
    text(path.components().filter(|part| *part != Component::CurDir).collect::<PathBuf>().as_os_str())
}

#[cfg(test)]
mod tests {
    use foreign::sun::SunSetting;
    use terrain::height::VerticalDatum;

    use proptest::prelude::*;

    use super::*;
    use crate::layers::{LayerEdit, LayerKind, LayerMove};
    use crate::render::SunMode;

    fn options(folder: &Path) -> SceneOptions {
        let layers = vec![
            LayerOptions::default(),
            LayerOptions::default()
                .with_band(Some(2))
                .with_nodata(Some(-9999.0))
                .with_src_crs(Some(String::from("EPSG:32633")))
                .with_unit_m(Some(0.3048))
                .with_feather_texels(Some(5))
                .with_valid_range_m(Some((-10.0, 100.5)))
                .with_src_vertical(Some(VerticalDatum::EGM2008)),
        ];
        SceneOptions::default()
            .with_files(vec![folder.join("a,band=2.tif"), PathBuf::from("/elsewhere/b.tif")])
            .with_open(OpenOptions::default().with_layers(layers).with_vertical(Some(VerticalDatum::Ellipsoid)))
            .with_pictures(vec![ImageryFile { path: folder.join("p.tif"), opacity: 0.3 }])
            .with_water(Some(WaterFile::new(folder.join("sub/lakes.gpkg"))))
            .with_ramp(Ramp::Cividis)
            .with_exaggeration(2.0)
            .with_overlays(Overlays::NAMES.with(Overlays::WATER, true).with(Overlays::CONTOURS, true))
            .with_synthetic_relief(Some(true))
            .with_sun(SunMode::At { unix_s: 1_782_043_200.0 })
            .with_fov_deg(33.25)
    }

    /// What a scene is drawn from, and how, in words.
    fn told(scene: &SceneOptions) -> String {
        let SceneOptions {
            files,
            open,
            pictures,
            water,
            ramp,
            exaggeration,
            overlays,
            synthetic_relief,
            sun,
            fov_deg,
            ..
        } = scene;
        format!(
            "{files:?} {open:?} {pictures:?} {water:?} {ramp:?} {exaggeration} {overlays:?} {synthetic_relief:?} {sun:?} {fov_deg}"
        )
    }

    /// Law: a scene that is saved and opened is drawn from the same files with the same options, from the same place, wherever the folder
    /// has been moved to.
    #[test]
    fn what_is_saved_is_opened() {
        let folder = tempfile::tempdir().expect("a folder");
        let scene = options(folder.path());
        let said = scene_of(&scene, Pose::HOME, folder.path()).expect("names");
        assert_eq!(said.elevation[0].name, "a,band=2.tif");
        let view = Pose { lat_deg: 36.150000000000006, lon_deg: -84.3, height_m: 5_999.999_999_999_649, ..Pose::HOME };
        let short = Pose { lat_deg: 36.15, height_m: 6_000.0, ..view };
        assert_eq!(scene_of(&scene, view, folder.path()).expect("names").view, Some(short));
        let other = tempfile::tempdir().expect("a folder");
        for place in [folder.path(), other.path()] {
            let file = place.join("scene.json");
            std::fs::write(&file, said.to_json()).expect("written");
            let opened = open(&file, Network::Named).expect("a scene").expect("one");
            assert_eq!((&opened.said, opened.said.view), (&said, Some(Pose::HOME)));
            let base = SceneOptions::default().with_open(OpenOptions::default().with_band(7)).with_ramp(Ramp::Grey);
            assert_eq!(told(&opened.instead_of(&base).expect("files")), told(&options(place)));
            assert_eq!(scene_of(&options(place), Pose::HOME, place).as_ref(), Ok(&said));
        }
    }

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

    /// Law: what a scene does not say stays as it is, but for the data themselves.
    #[test]
    fn what_is_not_said_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("scene.json");
        std::fs::write(&file, "{\"orogen\": \"scene\", \"version\": 1, \"shadows\": true}").expect("written");
        let opened = open(&file, Network::Named).expect("a scene").expect("one");
        let before = options(folder.path());
        let after = opened.instead_of(&before).expect("files");
        assert!(after.files.is_empty() && after.pictures.is_empty() && after.water.is_none());
        assert_eq!((after.ramp, after.fov_deg, after.exaggeration), (before.ramp, before.fov_deg, 1.0));
        assert_eq!(after.overlays, before.overlays.with(Overlays::SHADOWS, true));
        assert_eq!(SunSetting::from(after.sun), SunSetting::from(before.sun));
    }

    fn scene_of_files(count: usize) -> SceneOptions {
        let names =
            |end: &str| (0..count).map(|number| PathBuf::from(format!("/x/{number}.{end}"))).collect::<Vec<_>>();
        let layers = (0..count).map(|number| LayerOptions::default().with_band(Some(number + 1))).collect();
        let picture = |(number, path)| ImageryFile { path, opacity: 1.0 / (number as f32 + 2.0) };
        SceneOptions::default()
            .with_files(names("tif"))
            .with_open(OpenOptions::default().with_layers(layers))
            .with_pictures(names("jp2").into_iter().enumerate().map(picture).collect())
    }

    proptest! {
        /// Law: a file that is moved is at its new place with its own options, all others keep their order, and a scene that is saved then
        /// and opened has the same order.
        #[test]
        fn what_is_moved_is_where_it_was_put(count in 1usize..6, from in 0usize..7, to in 0usize..7, elevation: bool) {
            let kind = if elevation { LayerKind::Elevation } else { LayerKind::Pictures };
            let before = scene_of_files(count);
            let after = before.clone().with_edited(LayerEdit::Move(LayerMove { kind, from, to }));
            let mut expected = before.layers().of_kind(kind).to_vec();
            if from.max(to) < count {
                let one = expected.remove(from);
                expected.insert(to, one);
            }
            let layers = after.layers();
            prop_assert_eq!(layers.of_kind(kind), &expected[..]);
            for (file, own) in after.files.iter().zip(&after.open.layers) {
                let band = own.band.map(|band| format!("/x/{}.tif", band - 1));
                prop_assert_eq!(band, file.to_str().map(str::to_owned));
            }
            for picture in &after.pictures {
                prop_assert!(before.pictures.contains(picture));
            }
            let folder = tempfile::tempdir().expect("a folder");
            let file = folder.path().join("scene.json");
            let said = scene_of(&after, Pose::HOME, folder.path()).expect("names");
            std::fs::write(&file, said.to_json()).expect("written");
            let opened = open(&file, Network::default()).expect("read").expect("a scene");
            let again = opened.instead_of(&SceneOptions::default()).expect("no vector data");
            prop_assert_eq!(again.layers(), layers);
        }
    }

    /// Law: a file that is taken away is gone with its options, and no other one; a picture that fades keeps its place.
    #[test]
    fn files_are_taken_away_and_fade() {
        let scene = scene_of_files(3);
        let names = |scene: &SceneOptions, kind| scene.layers().of_kind(kind).to_vec();
        for kind in [LayerKind::Pictures, LayerKind::Elevation] {
            for number in 0..4 {
                let left = scene.clone().with_edited(LayerEdit::Remove(kind, number));
                let mut expected = names(&scene, kind);
                if number < 3 {
                    expected.remove(number);
                }
                assert_eq!(names(&left, kind), expected);
                let bands = left.files.iter().zip(&left.open.layers).map(|(file, own)| (file.clone(), own.band));
                assert!(bands.into_iter().all(|(file, band)| file == format!("/x/{}.tif", band.expect("its own") - 1)));
            }
        }
        let faded = scene.clone().with_edited(LayerEdit::Fade(0, 0.25));
        assert_eq!(
            (faded.layers().opacity(0), names(&faded, LayerKind::Pictures)),
            (0.25, names(&scene, LayerKind::Pictures))
        );
        assert_eq!(faded.layers().opacity(1), scene.layers().opacity(1));
        let nothing = scene.clone().with_edited(LayerEdit::Fade(9, 0.25));
        assert_eq!(nothing.layers(), scene.layers());
    }
}
