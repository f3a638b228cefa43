//! More ground while one flies: files that are dropped on the window or chosen in it, pictures and vector data among them, and what a
//! public source has around a place. Both are opened beside the flight, which then goes on over them.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrain::geodesy::Ellipsoid;
use terrain::height::LayerOptions;

use crate::camera::{Extent, Pose};
use crate::layers::{LayerEdit, LayerKind};
use crate::overlays::Overlays;
use crate::placemarks::PlacemarkFile;
use crate::scene::{SceneOptions, extent_of_top, open_relief};
use crate::scene_file;
use crate::terrain::{ImageryFile, OpenedPicture, VectorFile, VectorLayer, bbox_of_vectors};

/// A public source of ground, and the way to it.
#[derive(Clone)]
pub struct PublicGround {
    /// Who is asked.
    pub host: String,
    /// Gets the ground around a latitude and longitude in degrees; tells how many of how many tiles are there.
    pub get: Arc<Get>,
}

/// See [`PublicGround::get`].
pub type Get = dyn Fn([f64; 2], &mut dyn FnMut(u64, u64)) -> anyhow::Result<GroundFiles> + Send + Sync;

/// Elevation of a public source, to lie below all of the user's.
#[derive(Debug, Clone)]
pub struct GroundFiles {
    /// Rasters, the finest first: all that are to be shown of the source.
    pub files: Vec<PathBuf>,
    /// How it is opened.
    pub own: LayerOptions,
    /// What it lacks.
    pub warning: Option<String>,
}

impl fmt::Debug for PublicGround {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublicGround").field("host", &self.host).finish_non_exhaustive()
    }
}

/// A request to load ground or files.
#[derive(Debug, Clone)]
pub(super) enum LoadRequest {
    /// Files, to lie on top.
    Files(Vec<PathBuf>),
    /// Another choice of the files of the scene.
    Edited(LayerEdit),
    /// A file of vector data has changed, and what to say of it.
    Refreshed(PathBuf, String),
    /// What the public source has around a latitude and longitude in degrees.
    Around([f64; 2]),
}

/// What the camera shows after loading.
#[derive(Debug, Clone, Copy)]
pub(super) enum ViewTarget {
    /// All of some ground, with what lies on it.
    Extent(Extent, Overlays),
    /// All between west, south, east and north in degrees, with what lies there.
    Box([f64; 4], Overlays),
    /// What was seen, with what lies there.
    Here(Overlays),
    /// What is seen from somewhere.
    View(Pose),
}

/// The loaded scene.
pub(super) struct OpenedGround {
    /// The scene with it, in which new pictures are open.
    pub scene: SceneOptions,
    /// What of it is to be seen.
    pub view_target: Option<ViewTarget>,
    /// What was changed of the files of the scene, if nothing was added.
    pub edit: Option<LayerEdit>,
    /// Whether the elevation is the same as before, so that nothing has to be loaded again.
    pub keeps_elevation: bool,
    /// Whether the choices of the scene are taken for those of the user.
    pub is_chosen: bool,
    /// What there is to say.
    pub told: String,
}

/// Opens what is asked for together with the files of a scene, over ground of a body.
///
/// # Errors
/// A file that cannot be used, a source that has nothing there.
pub(super) fn open(
    (scene, mut body, placemarks): (&SceneOptions, Ellipsoid, &PlacemarkFile),
    request: LoadRequest,
    public: Option<&PublicGround>,
    tell: &dyn Fn(String),
) -> anyhow::Result<OpenedGround> {
    let mut scene = scene.clone();
    scene.open.layers.resize(scene.files.len(), LayerOptions::default());
    let (mut vectors, mut pictures) = (Vec::new(), Vec::new());
    let (mut is_chosen, mut view, mut here) = (false, None, false);
    // Placemarks, where a scene takes the place of this one.
    let mut own: Vec<VectorLayer> = Vec::new();
    // Where memory is bounded, it is divided among kinds of tiles when they are first made.
    let has_room = scene.tile_bytes.is_none() || !scene.pictures.is_empty() || !scene.vectors.is_empty();
    let mut is_same_elevation = true;
    // That of a scene whose elevation is another one is gone.
    let edit = if let LoadRequest::Edited(edit) = request { Some(edit) } else { None };
    let (told, is_seen_whole) = match request {
        LoadRequest::Files(mut files) => {
            let told = files.iter().map(|file| name(file)).collect::<Vec<_>>().join(", ");
            // A scene takes the place of this one, and other files lie on it.
            for file in std::mem::take(&mut files) {
                match scene_file::open(&file, scene.open.network)? {
                    Some(opened) => {
                        own.extend(scene.vectors.iter().filter(|layer| placemarks.is(&layer.file.path)).cloned());
                        scene = opened.instead_of(&scene)?;
                        (is_chosen, view) = (true, opened.said.view);
                    }
                    None => files.push(file),
                }
            }
            let mut rasters = Vec::new();
            for file in files {
                // One that is drawn already keeps its colour.
                let known = scene.vectors.iter().position(|known| known.file.path == file);
                let number = known.unwrap_or(scene.vectors.len() + vectors.len());
                if let Some(layer) = vector_layer(&file, number) {
                    vectors.push(layer);
                    continue;
                }
                let known = scene.pictures.iter().position(|known| known.path == file);
                let mut picture =
                    known.map_or_else(|| ImageryFile::plain(file.clone()), |at| scene.pictures[at].clone());
                picture.options.hidden = false;
                if let Some(opened) = OpenedPicture::open_if_picture(&picture, &scene.open)? {
                    known.map(|at| scene.pictures.remove(at));
                    scene.pictures.push(picture);
                    pictures.push(opened);
                } else {
                    rasters.push(file);
                }
            }
            // Whatever is opened again comes to the top.
            scene.vectors.retain(|known| vectors.iter().all(|layer| layer.file.path != known.file.path));
            scene.vectors.extend(vectors.iter().cloned());
            let has_files = !rasters.is_empty();
            is_same_elevation = !has_files && !is_chosen;
            for file in rasters.into_iter().rev() {
                if let Some(index) = scene.files.iter().position(|known| *known == file) {
                    scene.files.remove(index);
                    scene.open.layers.remove(index);
                }
                scene.files.insert(0, file);
                scene.open.layers.insert(0, LayerOptions::default());
            }
            (format!("opened {told}"), has_files)
        }
        LoadRequest::Edited(edit) => {
            scene = scene.with_edited(edit);
            is_same_elevation = edit.kind() != LayerKind::Elevation;
            let told = match edit {
                LayerEdit::Move(_) => "the layers are in another order",
                LayerEdit::Remove(..) => "the layer is taken away: its file stays",
                LayerEdit::Hide(.., true) => "the layer is hidden",
                LayerEdit::Hide(.., false) => "the layer is shown",
                LayerEdit::Picture(..) => "the picture is shown otherwise",
            };
            (String::from(told), false)
        }
        LoadRequest::Refreshed(file, told) => {
            let known = scene.vectors.iter().position(|known| known.file.path == file);
            let at = known.unwrap_or(scene.vectors.len());
            // As it was said to be drawn.
            let mut shown = known.map_or_else(|| VectorFile::plain(&file), |at| scene.vectors[at].file.clone());
            shown.options.hidden = false;
            let read = VectorLayer::read(&shown, at);
            scene.vectors.retain(|known| known.file.path != file);
            match read {
                Ok(layer) => scene.vectors.insert(at, layer),
                // The last feature is gone.
                Err(error) if VectorLayer::is_nothing(&error) => {}
                Err(error) => return Err(error),
            }
            here = true;
            (told, false)
        }
        LoadRequest::Around(place) => {
            is_same_elevation = false;
            let public = public.ok_or_else(|| anyhow::anyhow!("there is no source of public ground"))?;
            let host = foreign::sanitized(&public.host).to_string();
            let mut shown = 0;
            let GroundFiles { files, own, warning } = (public.get)(place, &mut |done, tiles| {
                let percent = 100 * done / tiles.max(1);
                if percent != shown {
                    shown = percent;
                    tell(format!("{percent} % of {tiles} tiles from {host}"));
                }
            })?;
            // In the place of those of other places.
            let folder = files.first().and_then(|file| file.parent());
            let layers = scene.files.iter().zip(&scene.open.layers);
            let others =
                layers.filter(|(file, _)| file.parent() != folder).map(|(file, own)| (file.clone(), own.clone()));
            let all = others.chain(files.iter().map(|file| (file.clone(), own.clone())));
            (scene.files, scene.open.layers) = all.unzip();
            (warning.unwrap_or_else(|| format!("ground from {host}")), false)
        }
    };
    let keeps_elevation = is_same_elevation && has_room;
    if is_chosen {
        // Before anything is loaded that would have to be given up.
        let of_scene =
            scene.pictures.iter().filter(|one| pictures.iter().all(|opened: &OpenedPicture| !opened.is_of(one)));
        let of_scene: Vec<_> = of_scene.map(|one| OpenedPicture::open(one, &scene.open)).collect::<Result<_, _>>()?;
        pictures.splice(0..0, of_scene);
        if vectors.is_empty() {
            vectors.extend(scene.vectors.iter().filter(|layer| !layer.file.options.hidden).cloned());
        }
    }
    // What was there already may be hidden, and stays so.
    let shown = Overlays::default()
        .with(Overlays::VECTORS, !vectors.is_empty())
        .with(Overlays::PICTURES, !pictures.is_empty() || is_chosen);
    let bbox_deg = bbox_of_vectors(&vectors).or_else(|| pictures.last().map(OpenedPicture::bbox_deg));
    let mut view_target = bbox_deg.map(|bbox_deg| ViewTarget::Box(bbox_deg, shown));
    if !keeps_elevation {
        let relief = match &scene.relief {
            // The same elevation as before.
            Some(relief) if is_same_elevation => relief.clone(),
            _ => {
                tell(String::from("opening elevation"));
                Arc::new(open_relief(&scene.files, &scene.open)?)
            }
        };
        body = relief.ellipsoid();
        if is_seen_whole || (is_chosen && !scene.files.is_empty()) {
            view_target = extent_of_top(&relief, scene.exaggeration).map(|extent| ViewTarget::Extent(extent, shown));
        }
        scene.relief = Some(relief);
        // They are of the Earth.
        scene.vectors.extend(own.into_iter().filter(|_| body == Ellipsoid::WGS84));
    }
    pictures.iter().try_for_each(|picture| picture.check_body(body))?;
    if here {
        view_target = Some(ViewTarget::Here(Overlays::VECTORS));
    }
    let view_target = view.filter(|_| !is_seen_whole).map(ViewTarget::View).or(view_target);
    scene.opened_pictures = pictures;
    Ok(OpenedGround { scene, view_target, edit, keeps_elevation, is_chosen, told })
}

/// What a file holds, if that is vector data.
fn vector_layer(file: &Path, number: usize) -> Option<VectorLayer> {
    if file.is_file() { VectorLayer::read(&VectorFile::plain(file), number).ok() } else { None }
}

fn name(file: &Path) -> String {
    foreign::sanitized(&file.file_name().unwrap_or(file.as_os_str()).to_string_lossy()).to_string()
}

#[cfg(all(test, feature = "gdal"))]
mod tests {
    use super::*;
    use crate::layers::LayerMove;

    /// Without placemarks.
    fn open_on_earth(
        scene: &SceneOptions,
        request: LoadRequest,
        public: Option<&PublicGround>,
        tell: &dyn Fn(String),
    ) -> anyhow::Result<OpenedGround> {
        open((scene, Ellipsoid::WGS84, &PlacemarkFile::default()), request, public, tell)
    }

    fn data(name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../data").join(name)
    }

    /// Law: what is dropped lies on top and is seen whole, once however often it is dropped; what a public source has lies below; what cannot
    /// be opened leaves the scene as it was.
    #[test]
    fn files_go_on_top_and_public_ground_below() {
        let scene = SceneOptions::default();
        let file = data("jacksboro.tif");
        let downloads = tempfile::tempdir().expect("a folder");
        let raster = |name: &str| {
            let copy = downloads.path().join(name);
            std::fs::copy(&file, &copy).expect("a copy");
            copy
        };
        let (first, second) = (raster("a.tif"), raster("b.tif"));
        let public = |files: Vec<PathBuf>| PublicGround {
            host: String::from("example.org"),
            get: Arc::new(move |_, show| {
                (0..=4).for_each(|done| show(done, 4));
                let own = LayerOptions::default().with_band(Some(1));
                Ok(GroundFiles { files: files.clone(), own, warning: None })
            }),
        };
        let (place, one) = ([36.3, -84.2], public(vec![first.clone()]));
        let told = std::sync::Mutex::new(Vec::new());
        let tell = |line: String| told.lock().expect("a line").push(line);
        let around = open_on_earth(&scene, LoadRequest::Around(place), Some(&one), &tell).expect("ground");
        assert_eq!(
            (around.scene.files.len(), around.scene.open.layers.len(), around.view_target.is_none()),
            (1, 1, true)
        );
        assert!(told.lock().expect("lines").iter().any(|line| line == "50 % of 4 tiles from example.org"));
        let folder = tempfile::tempdir().expect("a folder");
        let copy = folder.path().join("c.tif");
        std::fs::copy(&file, &copy).expect("a copy");
        let both =
            open_on_earth(&around.scene, LoadRequest::Files(vec![copy.clone()]), Some(&one), &tell).expect("a file");
        let own = LayerOptions::default().with_band(Some(1));
        assert_eq!(both.scene.files, [copy.clone(), first.clone()]);
        assert_eq!(both.scene.open.layers, [LayerOptions::default(), own.clone()]);
        let extent = |view_target: Option<ViewTarget>| match view_target {
            Some(ViewTarget::Extent(extent, _)) => extent.bbox_deg,
            Some(ViewTarget::Box(bbox_deg, _)) => bbox_deg,
            other => panic!("{other:?}"),
        };
        let [west, south, east, north] = extent(both.view_target);
        assert!((-84.5..-84.0).contains(&west) && west < east && (36.0..36.7).contains(&south) && south < north);
        let again =
            open_on_earth(&both.scene, LoadRequest::Files(vec![copy.clone()]), Some(&one), &tell).expect("a file");
        assert_eq!(again.scene.files, both.scene.files);
        let two = public(vec![second.clone(), first.clone()]);
        let more = open_on_earth(&again.scene, LoadRequest::Around(place), Some(&two), &tell).expect("ground");
        assert_eq!(more.scene.files, [copy, second, first]);
        assert_eq!(more.scene.open.layers, [LayerOptions::default(), own.clone(), own]);
        assert_eq!(more.scene.relief.as_ref().expect("a relief").layers().len(), 4);
        // Vector data are drawn, the last ones on top, and seen whole.
        let track = folder.path().join("track.geojson");
        let line = r#"{"type": "LineString", "coordinates": [[7.6, 45.9], [7.7, 46.0]]}"#;
        std::fs::write(&track, line).expect("a track");
        let drawn = open_on_earth(&both.scene, LoadRequest::Files(vec![track.clone()]), None, &tell).expect("a track");
        let paths =
            |scene: &SceneOptions| scene.vectors.iter().map(|layer| layer.file.path.clone()).collect::<Vec<_>>();
        assert_eq!((&drawn.scene.files, paths(&drawn.scene)), (&both.scene.files, vec![track.clone()]));
        assert_eq!(extent(drawn.view_target), [7.6, 45.9, 7.7, 46.0]);
        assert!(matches!(drawn.view_target, Some(ViewTarget::Box(_, shown)) if shown == Overlays::VECTORS));
        let again = open_on_earth(&drawn.scene, LoadRequest::Files(vec![track.clone()]), None, &tell).expect("a track");
        assert_eq!(paths(&again.scene), [track]);
        // A picture lies on the ground, on top of others, however often it is opened.
        let (marble, photo) = (data("bluemarble.tif"), folder.path().join("photo.tif"));
        std::fs::copy(&marble, &photo).expect("a copy");
        let painted = open_on_earth(&drawn.scene, LoadRequest::Files(vec![marble.clone(), photo.clone()]), None, &tell)
            .expect("pictures");
        let painted =
            open_on_earth(&painted.scene, LoadRequest::Files(vec![marble.clone()]), None, &tell).expect("a picture");
        let pictures = painted.scene.pictures.iter().map(|picture| picture.path.clone()).collect::<Vec<_>>();
        assert_eq!((pictures, &painted.scene.files), (vec![photo, marble], &drawn.scene.files));
        assert!(
            matches!(painted.view_target, Some(ViewTarget::Box(_, shown)) if shown == Overlays::PICTURES),
            "tracks may be hidden"
        );
        // A folder of pictures is one of them, and one of heights elevation, though a picture without a place lies in it.
        for (from, pictures, files) in [("bluemarble.tif", 1, 0), ("jacksboro.tif", 0, 1)] {
            let folder = tempfile::tempdir().expect("a folder");
            std::fs::copy(data(from), folder.path().join("b.tif")).expect("a copy");
            image::RgbImage::new(8, 8).save(folder.path().join("a.png")).expect("a picture");
            let request = LoadRequest::Files(vec![folder.path().to_path_buf()]);
            let opened = open_on_earth(&scene, request, None, &tell).expect("a folder").scene;
            assert_eq!((opened.pictures.len(), opened.files.len()), (pictures, files), "{from}");
        }
        // What is moved is opened in its new order, and the camera stays.
        let moved = LayerMove { kind: LayerKind::Elevation, from: 0, to: 1 };
        let other = open_on_earth(&more.scene, LoadRequest::Edited(LayerEdit::Move(moved)), None, &tell)
            .expect("another order");
        let names = |scene: &SceneOptions| {
            let relief = scene.relief.as_ref().expect("a relief");
            relief.layers().iter().map(|layer| layer.name.clone()).collect::<Vec<_>>()
        };
        let (before, after) = (names(&more.scene), names(&other.scene));
        assert_eq!((&after[0], &after[1], &after[2..]), (&before[1], &before[0], &before[2..]));
        assert!(other.view_target.is_none() && !other.is_chosen);
        // A scene takes the place of all of them.
        let said = scene_file::scene_of(&drawn.scene, Pose::HOME, folder.path()).expect("names");
        let saved = folder.path().join("saved.json");
        std::fs::write(&saved, said.to_json()).expect("written");
        let opened = open_on_earth(&scene, LoadRequest::Files(vec![saved]), None, &tell).expect("a scene");
        assert_eq!((&opened.scene.files, &opened.scene.open.layers), (&drawn.scene.files, &drawn.scene.open.layers));
        assert_eq!((paths(&opened.scene), opened.is_chosen), (paths(&drawn.scene), true));
        assert!(matches!(opened.view_target, Some(ViewTarget::View(Pose::HOME))));
        let missing = open_on_earth(&both.scene, LoadRequest::Files(vec![folder.path().join("d.tif")]), None, &tell);
        assert!(missing.err().is_some_and(|error| error.to_string().contains("d.tif")));
        assert!(open_on_earth(&scene, LoadRequest::Around([0.0, 0.0]), None, &tell).is_err());
    }
}
