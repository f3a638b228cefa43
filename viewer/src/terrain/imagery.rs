//! Which pictures and vector data lie on the ground? Those of files, over a picture of the whole Earth that ships with the program; as tiles
//! of what is shown.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use terrain::geodesy::Ellipsoid;

use anyhow::Context as _;
use terrain::height::{HeightError, ImageryLayer, Network, Relief, is_remote};
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
    /// Any georeferenced raster of 8-bit colours.
    pub path: PathBuf,
    /// How much of what lies below it hides, 0 to 1.
    pub opacity: f32,
}

/// The pictures and vector data of a planet.
pub struct ImageryLayers {
    /// With the names that the user has for them.
    files: Vec<(PathBuf, ImageryLayer)>,
    vectors: Vec<VectorLayer>,
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
    /// Opens pictures, the last one on top, with vector data over them, for so many tiles on the device. They are of the body that the user
    /// names, or else of that which they state, and have to be of that of the ground.
    ///
    /// # Errors
    /// The file that is no picture, is of another body, or lies on a network that may not be reached, and what to do about it.
    pub fn open(
        files: &[ImageryFile],
        vectors: Vec<VectorLayer>,
        most_tiles: u32,
        network: Network,
        (named, ground): (Option<Ellipsoid>, Ellipsoid),
    ) -> anyhow::Result<ImageryLayers> {
        let open = |file: &ImageryFile| {
            if is_out_of_reach(&file.path, network) {
                return Err(HeightError::Offline { file: file.path.clone() }.into());
            }
            let picture = open(&file.path, named)?;
            if !picture.ellipsoid().is_of_same_body(ground) {
                return Err(
                    HeightError::OtherBody { file: file.path.clone(), bodies: [picture.ellipsoid(), ground] }.into()
                );
            }
            Ok((file.path.clone(), picture.with_opacity(file.opacity)))
        };
        let files = files.iter().map(open).collect::<anyhow::Result<_>>()?;
        let labels = FeatureLabels::new(ground, &vectors).context("too many labels")?;
        Ok(ImageryLayers {
            files,
            vectors,
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

    /// Goes on with another order or opacity of the pictures and the vector data, or with fewer of them, the last one on top. What is drawn stays
    /// until a view has the others. False, and all as it was, if there are pictures among them that were not opened.
    pub fn rearrange(&mut self, files: &[ImageryFile], vectors: &[VectorLayer]) -> bool {
        let known = |file: &ImageryFile| {
            let (path, picture) = self.files.iter().find(|(path, _)| *path == file.path)?;
            Some((path.clone(), picture.clone().with_opacity(file.opacity)))
        };
        let files = files.iter().map(known).collect::<Option<Vec<_>>>();
        let Some((files, labels)) = files.zip(FeatureLabels::new(self.ellipsoid, vectors).ok()) else { return false };
        (self.files, self.vectors, self.labels) = (files, vectors.to_vec(), labels);
        self.choices += 1;
        true
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
            pictures.extend(self.files.iter().map(|(_, picture)| picture.clone()));
        }
        let vectors = self.vectors.iter().filter(|_| wanted.has(Overlays::VECTORS));
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
            LayerKind::Pictures => self.files.iter().rev().nth(number).map(|(_, picture)| picture.bbox_deg()),
            LayerKind::Elevation => None,
        }
    }

    /// What is written beside the user's features.
    pub(crate) fn labels(&self) -> &FeatureLabels {
        &self.labels
    }

    /// Vector data that are drawn now, the last one on top.
    pub(crate) fn vectors_shown(&self) -> &[VectorLayer] {
        let are_shown = self.shown && self.current.as_ref().is_some_and(|current| current.of.has(Overlays::VECTORS));
        if are_shown { &self.vectors } else { &[] }
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
        let said =
            self.files.iter().map(|(_, picture)| picture.attribution()).filter(|said| are_shown && !said.is_empty());
        let mut said: Vec<String> = said.map(|said| foreign::escaped(said).to_string()).collect();
        said.dedup();
        said
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

/// Whether a file lies on a network that may not be reached for it.
fn is_out_of_reach(file: &Path, network: Network) -> bool {
    network == Network::Never && is_remote(file)
}

/// West, south, east and north in degrees of what a file holds, if that is a picture and not heights. What is out of reach is none that is
/// known.
///
/// # Errors
/// A picture that cannot be used, and what to do about it.
#[cfg(feature = "gdal")]
pub(crate) fn imagery_box_deg(file: &Path, network: Network) -> anyhow::Result<Option<[f64; 4]>> {
    let is_picture = !is_out_of_reach(file, network) && ImageryLayer::is_in(file);
    Ok(if is_picture { Some(open(file, None)?.bbox_deg()) } else { None })
}

/// There is nothing to read it with.
#[cfg(not(feature = "gdal"))]
pub(crate) fn imagery_box_deg(_: &Path, _: Network) -> anyhow::Result<Option<[f64; 4]>> {
    Ok(None)
}

#[cfg(feature = "gdal")]
fn open(file: &Path, ellipsoid: Option<Ellipsoid>) -> anyhow::Result<ImageryLayer> {
    Ok(ImageryLayer::open_on(file, ellipsoid)?)
}

/// There is nothing to read it with.
#[cfg(not(feature = "gdal"))]
fn open(file: &Path, _: Option<Ellipsoid>) -> anyhow::Result<ImageryLayer> {
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

    /// Law: a picture that hides less or more, or is taken away, is drawn as in a scene that was loaded so; where one was not opened all stays as it
    /// was.
    #[test]
    fn other_choices_are_drawn_as_if_loaded() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/bluemarble.tif");
        let file = |opacity: f32| ImageryFile { path: path.clone(), opacity };
        let renderer = |pictures: &[ImageryFile]| {
            let mut options = SceneOptions { pictures: pictures.to_vec(), ..SceneOptions::default() };
            options.overlays = options.overlays.with(Overlays::PICTURES, true);
            let gpu = gpu::Gpu::new(&gpu::GpuOptions::default().with_software(true)).unwrap();
            OffscreenRenderer::new(gpu, &options, (96, 64)).unwrap()
        };
        let draw = |renderer: &mut OffscreenRenderer| renderer.render(Camera::from_pose(&Pose::HOME)).unwrap().0;
        let mut flown = renderer(&[file(1.0)]);
        let mut before = draw(&mut flown);
        for choice in [vec![file(0.3)], vec![file(0.9)], vec![]] {
            let rearrange = |renderer: &mut OffscreenRenderer, files: &[ImageryFile]| {
                renderer.world_mut().resource_mut::<Planet>().rearrange_imagery(files, &[])
            };
            assert!(!rearrange(&mut flown, &[file(1.0), ImageryFile { path: "other.tif".into(), opacity: 1.0 }]));
            assert!(draw(&mut flown) == before, "as it was before {choice:?}");
            assert!(rearrange(&mut flown, &choice));
            let after = draw(&mut flown);
            assert!(after != before && after == draw(&mut renderer(&choice)), "{choice:?}");
            before = after;
        }
    }

    /// Law: no server is asked for a picture where the network may not be reached, whoever names it; the line says so.
    #[test]
    fn no_server_is_asked_without_the_network() {
        let server = TcpListener::bind("127.0.0.1:0").expect("a port");
        let path = PathBuf::from(format!("http://{}/a.tif", server.local_addr().expect("an address")));
        // Who asks is hung up on.
        let asked = std::thread::spawn(move || server.accept().map(drop));
        assert_eq!(imagery_box_deg(&path, Network::Never).expect("not known to be a picture"), None);
        let files = [ImageryFile { path, opacity: 1.0 }];
        let refused = ImageryLayers::open(&files, Vec::new(), 1, Network::Never, (None, Ellipsoid::WGS84))
            .err()
            .expect("out of reach")
            .to_string();
        assert!(refused.contains("leave out --offline"), "{refused}");
        assert!(!asked.is_finished(), "it was asked");
    }
}
