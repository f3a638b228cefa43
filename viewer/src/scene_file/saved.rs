//! How is the scene of a flight saved, and how does an opened one take its place?

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use foreign::raster::RasterOptions;
use foreign::scene::{Scene, SceneFile, WaterSetting};
use terrain::height::{LayerOptions, OpenOptions, is_remote};

use super::OpenedScene;
use crate::camera::Pose;
use crate::overlays::Overlays;
use crate::render::Ramp;
use crate::scene::{SceneOptions, WaterFile};
use crate::terrain::VectorLayer;

impl OpenedScene {
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
    let pictures =
        scene.pictures.iter().map(|picture| Ok(SceneFile { name: name(&picture.path)?, options: picture.options }));
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
    said.overlays = Some(scene.overlays.names());
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
    use foreign::raster::PictureOptions;
    use foreign::sun::SunSetting;
    use terrain::height::{Network, VerticalDatum};

    use proptest::prelude::*;

    use super::*;
    use crate::layers::{LayerEdit, LayerKind, LayerMove};
    use crate::render::SunMode;
    use crate::scene_file::open;
    use crate::terrain::ImageryFile;

    fn shown(opacity: f64) -> PictureOptions {
        let mut options = PictureOptions::default();
        (options.opacity, options.colours, options.hidden) = (opacity, [1.0 + opacity, 0.5, 0.0], opacity < 0.3);
        options
    }

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
            .with_pictures(vec![ImageryFile { path: folder.join("p.tif"), options: shown(0.3) }])
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
        let picture = |(number, path)| ImageryFile { path, options: shown(1.0 / (number as f64 + 2.0)) };
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

    /// Law: a file that is taken away is gone with its options, and no other one; a picture that is shown otherwise keeps its place.
    #[test]
    fn files_are_taken_away_and_shown_otherwise() {
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
        let (faded, other) = (shown(0.25), LayerEdit::Picture(0, shown(0.25)));
        let layers = scene.clone().with_edited(other).layers();
        assert_eq!((layers.picture(0), layers.picture(1)), (faded, scene.layers().picture(1)));
        assert_eq!(layers.of_kind(LayerKind::Pictures), names(&scene, LayerKind::Pictures));
        for hidden in [true, false] {
            let layers = scene.clone().with_edited(LayerEdit::Hide(LayerKind::Pictures, 1, hidden)).layers();
            assert_eq!(
                (layers.is_hidden((LayerKind::Pictures, 1)), layers.picture(0)),
                (Some(hidden), scene.layers().picture(0))
            );
            assert_eq!(layers.is_hidden((LayerKind::Elevation, 1)), None);
        }
        let nothing = scene.clone().with_edited(LayerEdit::Picture(9, faded));
        assert_eq!(nothing.layers(), scene.layers());
    }
}
