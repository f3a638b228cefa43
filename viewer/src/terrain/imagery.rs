//! Which pictures and vector data lie on the ground? Those of files, over a picture of the whole Earth that ships with the program; as tiles
//! of what is shown.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use terrain::geodesy::{Ellipsoid, box_of_all};

use anyhow::Context as _;
use foreign::raster::PictureOptions;
use terrain::height::{ColourAdjustment, HeightError, ImageryLayer, Network, OpenOptions, Relief, is_remote};
use terrain::imagery_tile::Imagery;
use terrain::streaming::TileCounts;
use terrain::{ImageryTiles, TileBindings, View};

use super::pace::Pace;
use super::{FeatureLabels, VectorLayer};
use crate::layers::LayerKind;
use crate::overlays::Overlays;

/// A picture as the user names it.
#[derive(Debug, Clone, PartialEq)]
pub struct ImageryFile {
    /// Any georeferenced raster of 8-bit colours, or a folder or list of them.
    pub path: PathBuf,
    /// How it is shown.
    pub options: PictureOptions,
}

impl ImageryFile {
    /// A picture of which the user says nothing.
    pub fn plain(path: PathBuf) -> ImageryFile {
        ImageryFile { path, options: PictureOptions::default() }
    }
}

/// A picture that has been opened.
#[derive(Debug, Clone)]
pub struct OpenedPicture {
    file: ImageryFile,
    /// Those of a folder or list, the last one on top.
    layers: Vec<ImageryLayer>,
}

impl OpenedPicture {
    /// Opens a picture, or those of a folder or list, of the body that the options name, or else of that which each states.
    ///
    /// # Errors
    /// The file that is no picture or lies on a network that may not be reached, and what to do about it.
    pub fn open(file: &ImageryFile, options: &OpenOptions) -> anyhow::Result<OpenedPicture> {
        if is_out_of_reach(&file.path, options.network) {
            return Err(HeightError::Offline { file: file.path.clone() }.into());
        }
        Ok(OpenedPicture { file: file.clone(), layers: open(&file.path, options)? }.with_options(file.options))
    }

    /// The same, if a file holds a picture and not heights. What is out of reach is none that is known.
    ///
    /// # Errors
    /// A picture that cannot be used, and what to do about it.
    pub fn open_if_picture(file: &ImageryFile, options: &OpenOptions) -> anyhow::Result<Option<OpenedPicture>> {
        let is_picture = !is_out_of_reach(&file.path, options.network) && is_picture(&file.path);
        is_picture.then(|| OpenedPicture::open(file, options)).transpose()
    }

    /// The same picture, shown otherwise.
    fn with_options(self, options: PictureOptions) -> OpenedPicture {
        let [brightness, contrast, saturation] = options.colours.map(|factor| factor as f32);
        let adjustment = ColourAdjustment { brightness, contrast, saturation };
        let shown = |layer: ImageryLayer| layer.with_opacity(options.opacity as f32).with_adjustment(adjustment);
        let layers = self.layers.into_iter().map(shown).collect();
        OpenedPicture { file: ImageryFile { options, ..self.file }, layers }
    }

    /// Whether it is that of a file.
    pub fn is_of(&self, file: &ImageryFile) -> bool {
        self.file.path == file.path
    }

    /// West, south, east and north of it, degrees.
    pub fn bbox_deg(&self) -> [f64; 4] {
        box_of_all(self.layers.iter().map(ImageryLayer::bbox_deg))
    }

    /// That it is of a body of some ground.
    ///
    /// # Errors
    /// If it is of another one.
    pub fn check_body(&self, ground: Ellipsoid) -> anyhow::Result<()> {
        match self.layers.iter().map(ImageryLayer::ellipsoid).find(|own| !own.is_of_same_body(ground)) {
            None => Ok(()),
            Some(own) => Err(HeightError::OtherBody { file: self.file.path.clone(), bodies: [own, ground] }.into()),
        }
    }
}

/// The pictures and vector data of a planet.
pub struct ImageryLayers {
    files: Vec<OpenedPicture>,
    vectors: Vec<VectorLayer>,
    /// Those that are not hidden.
    visible_vectors: Vec<VectorLayer>,
    labels: FeatureLabels,
    /// The body of the ground.
    ellipsoid: Ellipsoid,
    /// How often other files, another order or opacity were chosen.
    choices: u64,
    /// Read when it is first asked for.
    embedded: Option<ImageryLayer>,
    most_tiles: u32,
    current: Option<ImageryTileSet>,
    /// Of another choice: what is laid stays until a view has all of these.
    next: Option<ImageryTileSet>,
    /// Whether they are drawn.
    shown: bool,
}

/// Imagery tiles, and the choice of layers that they show.
struct ImageryTileSet {
    of: Overlays,
    choice: u64,
    tiles: ImageryTiles,
}

impl ImageryLayers {
    /// Opens pictures, the last one on top, but for those that have been opened, with vector data over them, for so many tiles on the device.
    /// They are of the body that the options name, or else of that which they state, and have to be of that of the ground.
    ///
    /// # Errors
    /// The file that is no picture, is of another body, or lies on a network that may not be reached, and what to do about it.
    pub fn open(
        (files, opened): (&[ImageryFile], &[OpenedPicture]),
        vectors: Vec<VectorLayer>,
        most_tiles: u32,
        options: &OpenOptions,
        ground: Ellipsoid,
    ) -> anyhow::Result<ImageryLayers> {
        let open = |file: &ImageryFile| {
            let picture = match opened.iter().find(|known| known.is_of(file)) {
                Some(known) => known.clone().with_options(file.options),
                None => OpenedPicture::open(file, options)?,
            };
            picture.check_body(ground).map(|()| picture)
        };
        let files = files.iter().map(open).collect::<anyhow::Result<_>>()?;
        let visible_vectors = visible(&vectors);
        let labels = FeatureLabels::new(ground, &visible_vectors).context("too many labels")?;
        Ok(ImageryLayers {
            files,
            vectors,
            visible_vectors,
            labels,
            ellipsoid: ground,
            choices: 0,
            embedded: None,
            most_tiles,
            current: None,
            next: None,
            shown: false,
        })
    }

    /// Goes on with other pictures and vector data, or with the same ones in another order or shown otherwise, the last one on top. Those that
    /// `opened` has are new. What is drawn stays until a view has the others. False, and all as it was, if there are pictures among them
    /// that were not opened, or more labels than there may be.
    pub fn rearrange(&mut self, files: &[ImageryFile], opened: &[OpenedPicture], vectors: &[VectorLayer]) -> bool {
        let known = |file: &ImageryFile| {
            let known = opened.iter().chain(&self.files).find(|known| known.is_of(file))?;
            Some(known.clone().with_options(file.options))
        };
        let files = files.iter().map(known).collect::<Option<Vec<_>>>();
        let visible_vectors = visible(vectors);
        let labels = FeatureLabels::new(self.ellipsoid, &visible_vectors).ok();
        let Some((files, labels)) = files.zip(labels) else { return false };
        (self.files, self.vectors, self.visible_vectors, self.labels) =
            (files, vectors.to_vec(), visible_vectors, labels);
        self.choices += 1;
        true
    }

    /// The user's pictures, the last one on top.
    pub fn files(&self) -> &[OpenedPicture] {
        &self.files
    }

    /// What the user gave: pictures, vector data, both or nothing.
    pub fn given(&self) -> Overlays {
        Overlays::default()
            .with(Overlays::PICTURES, !self.files.is_empty())
            .with(Overlays::VECTORS, !self.vectors.is_empty())
    }

    /// Shows those of a set of drawings, on ground that is drawn as a relief has it.
    ///
    /// # Errors
    /// If this build cannot read the picture that ships.
    pub(crate) fn show(
        &mut self,
        device: &wgpu::Device,
        overlays: Overlays,
        drawn: &Arc<Relief>,
    ) -> anyhow::Result<()> {
        // The picture that ships is of the Earth.
        let is_earth = drawn.ellipsoid() == Ellipsoid::WGS84;
        let wanted = overlays.within(self.given().with(Overlays::IMAGERY, is_earth));
        self.shown = wanted.has_pictures() && overlays.view().is_none();
        let choice = self.choices;
        if !self.shown {
            // What is not shown for a while stays for when it is shown again.
            self.current = self.current.take().filter(|current| current.choice == choice);
            self.next = None;
            return Ok(());
        }
        let fits = |current: &ImageryTileSet| current.of == wanted && current.choice == choice;
        if self.current.as_ref().is_some_and(fits) {
            self.next = None;
            return Ok(());
        }
        if self.next.as_ref().is_some_and(fits) {
            return Ok(());
        }
        let mut pictures = Vec::new();
        if wanted.has(Overlays::IMAGERY) {
            if self.embedded.is_none() {
                self.embedded = Some(ImageryLayer::embedded().context("no imagery")?);
            }
            pictures.extend(self.embedded.clone());
        }
        if wanted.has(Overlays::PICTURES) {
            pictures.extend(self.visible_pictures().cloned());
        }
        let vectors = self.visible_vectors.iter().filter(|_| wanted.has(Overlays::VECTORS));
        let features = vectors.map(|layer| layer.features.clone()).collect();
        let imagery = Arc::new(Imagery::new(pictures).with_features(features));
        let tiles = ImageryTiles::new(device, &imagery, self.most_tiles, drawn);
        let made = ImageryTileSet { of: wanted, choice, tiles };
        match self.current {
            None => self.current = Some(made),
            Some(_) => self.next = Some(made),
        }
        Ok(())
    }

    /// West, south, east and north in degrees of vector data or of a picture, by its number from the topmost.
    pub(crate) fn box_deg(&self, kind: LayerKind, number: usize) -> Option<[f64; 4]> {
        match kind {
            LayerKind::Vectors => self.vectors.iter().rev().nth(number)?.features.bbox_deg(),
            LayerKind::Pictures => self.files.iter().rev().nth(number).map(OpenedPicture::bbox_deg),
            LayerKind::Elevation => None,
        }
    }

    /// Pictures that are not hidden, the last one on top.
    fn visible_pictures(&self) -> impl Iterator<Item = &ImageryLayer> {
        self.files.iter().filter(|picture| !picture.file.options.hidden).flat_map(|picture| &picture.layers)
    }

    /// What is written beside the user's features.
    pub(crate) fn labels(&self) -> &FeatureLabels {
        &self.labels
    }

    /// Vector data that are drawn now, the last one on top.
    pub(crate) fn vectors_shown(&self) -> &[VectorLayer] {
        let are_shown = self.shown && self.current.as_ref().is_some_and(|current| current.of.has(Overlays::VECTORS));
        if are_shown { &self.visible_vectors } else { &[] }
    }

    /// Takes over what a view needs of them.
    pub(super) fn update(&mut self, view: &View, queue: &wgpu::Queue, pace: Pace) -> anyhow::Result<()> {
        if !self.shown {
            return Ok(());
        }
        if pace == Pace::Settled {
            self.current = self.next.take().or(self.current.take());
        }
        for current in [&mut self.current, &mut self.next].into_iter().flatten() {
            match pace {
                Pace::Frame => current.tiles.update(view, queue)?,
                Pace::Settled => current.tiles.update_complete(view, queue)?,
            };
        }
        if self.next.as_ref().is_some_and(|next| next.tiles.is_complete()) {
            self.current = self.next.take();
        }
        Ok(())
    }

    /// What the makers of the user's pictures that are shown want to be said.
    pub fn attributions(&self) -> Vec<String> {
        let are_shown = self.shown && self.current.as_ref().is_some_and(|current| current.of.has(Overlays::PICTURES));
        let said = self.visible_pictures().map(ImageryLayer::attribution).filter(|said| are_shown && !said.is_empty());
        let mut told = BTreeSet::new();
        said.filter(|said| told.insert(*said)).map(|said| foreign::escaped(said).to_string()).collect()
    }

    /// Whether the last view has all that it wants of them.
    pub fn are_complete(&self) -> bool {
        !self.shown || self.next.is_none() && self.current.as_ref().is_none_or(|current| current.tiles.is_complete())
    }

    /// What shaders read; none before any was shown.
    pub fn bindings(&self) -> Option<TileBindings> {
        self.current.as_ref().map(|current| current.tiles.bindings())
    }

    /// Tiles by state; none before any was shown.
    pub fn counts(&self) -> Option<TileCounts> {
        self.next.as_ref().or(self.current.as_ref()).map(|current| current.tiles.counts())
    }
}

/// Vector data that are not hidden.
fn visible(vectors: &[VectorLayer]) -> Vec<VectorLayer> {
    vectors.iter().filter(|layer| !layer.file.options.hidden).cloned().collect()
}

/// Whether a file lies on a network that may not be reached for it.
fn is_out_of_reach(file: &Path, network: Network) -> bool {
    network == Network::Never && is_remote(file)
}

#[cfg(feature = "gdal")]
fn is_picture(file: &Path) -> bool {
    ImageryLayer::are_in(file)
}

/// There is nothing to read it with.
#[cfg(not(feature = "gdal"))]
fn is_picture(_: &Path) -> bool {
    false
}

#[cfg(feature = "gdal")]
fn open(file: &Path, options: &OpenOptions) -> anyhow::Result<Vec<ImageryLayer>> {
    Ok(ImageryLayer::open_all(file, options)?)
}

/// There is nothing to read it with.
#[cfg(not(feature = "gdal"))]
fn open(file: &Path, _: &OpenOptions) -> anyhow::Result<Vec<ImageryLayer>> {
    anyhow::bail!("{}: this build reads no pictures: build it with the feature gdal", file.display())
}

#[cfg(all(test, feature = "gdal"))]
mod tests {
    use std::net::TcpListener;

    use super::*;
    use crate::camera::{Camera, Pose};
    use crate::headless::OffscreenRenderer;
    use crate::scene::SceneOptions;
    use crate::terrain::Planet;

    /// Law: a picture that is shown otherwise, hidden, taken away or opened is drawn as in a scene that was loaded so; where one was not
    /// opened all stays as it was.
    #[test]
    fn other_choices_are_drawn_as_if_loaded() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/bluemarble.tif");
        let file = |opacity: f64| {
            let mut file = ImageryFile::plain(path.clone());
            file.options.opacity = opacity;
            file
        };
        let renderer = |pictures: &[ImageryFile]| {
            let mut options = SceneOptions { pictures: pictures.to_vec(), ..SceneOptions::default() };
            options.overlays = options.overlays.with(Overlays::PICTURES, true);
            let gpu = gpu::Gpu::new(&gpu::GpuOptions::default().with_software(true)).unwrap();
            OffscreenRenderer::new(gpu, &options, (96, 64)).unwrap()
        };
        let draw = |renderer: &mut OffscreenRenderer| renderer.render(Camera::from_pose(&Pose::HOME)).unwrap().0;
        let offline = OpenOptions::default().with_network(Network::Never);
        // One that begins without any.
        let mut flown = renderer(&[]);
        let mut before = draw(&mut flown);
        let (mut grey, mut hidden) = (file(1.0), file(1.0));
        (grey.options.colours, hidden.options.hidden) = ([1.2, 1.5, 0.0], true);
        for choice in [vec![file(1.0)], vec![file(0.3)], vec![grey], vec![hidden], vec![file(0.9)], vec![]] {
            let opened: Vec<_> = choice.iter().map(|file| OpenedPicture::open(file, &offline).unwrap()).collect();
            let rearrange = |renderer: &mut OffscreenRenderer, files: &[ImageryFile], opened: &[OpenedPicture]| {
                renderer.world_mut().resource_mut::<Planet>().rearrange_imagery(files, opened, &[])
            };
            let other = ImageryFile::plain("other.tif".into());
            assert!(!rearrange(&mut flown, &[file(1.0), other], &opened));
            assert!(draw(&mut flown) == before, "as it was before {choice:?}");
            assert!(rearrange(&mut flown, &choice, &opened));
            let after = draw(&mut flown);
            assert!(after != before && after == draw(&mut renderer(&choice)), "{choice:?}");
            before = after;
        }
    }

    /// Law: a picture that is open is loaded again though its file has gone, shown as it then is; one that is not is an error that names it.
    #[test]
    fn opened_pictures_need_no_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("gone.tif");
        std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/bluemarble.tif"), &path).expect("a copy");
        let options = OpenOptions::default();
        let mut file = ImageryFile::plain(path.clone());
        let opened = [OpenedPicture::open(&file, &options).expect("a picture")];
        std::fs::remove_file(&path).expect("removed");
        file.options.opacity = 0.5;
        let load = |opened: &[OpenedPicture]| {
            let files = (std::slice::from_ref(&file), opened);
            ImageryLayers::open(files, Vec::new(), 1, &options, Ellipsoid::WGS84)
        };
        assert_eq!(load(&opened).expect("open").files()[0].file.options, file.options);
        let refused = load(&[]).err().expect("a file that has gone").to_string();
        assert!(refused.contains("gone.tif"), "{refused}");
    }

    /// Law: no server is asked for a picture where the network may not be reached, whoever names it; the line says so.
    #[test]
    fn no_server_is_asked_without_the_network() {
        let server = TcpListener::bind("127.0.0.1:0").expect("a port");
        let path = PathBuf::from(format!("http://{}/a.tif", server.local_addr().expect("an address")));
        // Who asks is hung up on.
        let asked = std::thread::spawn(move || server.accept().map(drop));
        let files = [ImageryFile::plain(path)];
        let offline = OpenOptions::default().with_network(Network::Never);
        let found = OpenedPicture::open_if_picture(&files[0], &offline).expect("not known to be a picture");
        assert!(found.is_none());
        let refused = ImageryLayers::open((&files, &[]), Vec::new(), 1, &offline, Ellipsoid::WGS84)
            .err()
            .expect("out of reach")
            .to_string();
        assert!(refused.contains("leave out --offline"), "{refused}");
        assert!(!asked.is_finished(), "it was asked");
    }
}
