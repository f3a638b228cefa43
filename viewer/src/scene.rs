//! From files and a GPU to an app that can draw: what window and headless modes have in common.

use derive_setters::Setters;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use terrain::geodesy::Ellipsoid;

use bevy_ecs::world::World;
use gpu::{Gpu, GpuError};
use terrain::TileCache;
use terrain::borders::Borders;
use terrain::height::{LayerOptions, OpenOptions, Relief};
use terrain::pack::is_pack;
use terrain::water::{Outline, Water};
use terrain::{
    Backend, DEFAULT_IMAGERY_TILES, DEFAULT_SHADING_TILES, DEFAULT_TILES, IMAGERY_TILE_BYTES, Options, Quality,
    SHADING_TILE_BYTES, ShadingTiles, TILE_BYTES, WaterTiles,
};

use crate::app::App;
use crate::camera::ground::above_ground;
use crate::camera::{Camera, Extent, Lens, Pose};
use crate::frame::{Context, FrameContext, Viewport};
use crate::layers::{LayerEdit, LayerKind, LayerMove, Layers};
use crate::overlays::Overlays;
use crate::render::{Light, Ramp, RenderError, RenderModes, Renderer, ShadingPath, SunMode};
use crate::terrain::{
    GroundTiles, ImageryFile, ImageryLayers, OpenedPicture, Planet, ShadingMap, VectorLayer, make_mesh,
};

/// What is drawn, and how well.
#[derive(Debug, Clone, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct SceneOptions {
    /// Elevation rasters and packs, first on top; the embedded relief is below them where this build has it.
    pub files: Vec<PathBuf>,
    /// The files, where they have been opened already.
    pub relief: Option<Arc<Relief>>,
    /// Whether relief is made up between postings more than a kilometre apart, see [`Relief::with_synthetic_detail`]; none makes it up where
    /// there is a graphics card, and the mesh is on it.
    pub synthetic_relief: Option<bool>,
    /// Where the first picture is seen from: what is seen from there is made while the scene is loaded. Else the first frame makes
    /// it.
    pub first_view: Option<Pose>,
    /// How the files are opened: datum, memory.
    pub open: OpenOptions,
    /// Most bytes of tiles on the GPU, but for 32 of each kind: the same for the heights of the mesh, for shading where data are fine enough
    /// for it, and for pictures where some are given; none means [`terrain::DEFAULT_TILES`], [`terrain::DEFAULT_SHADING_TILES`] and
    /// [`terrain::DEFAULT_IMAGERY_TILES`].
    pub tile_bytes: Option<u64>,
    /// Where tiles made from rasters are kept; none keeps none.
    pub cache: Option<CacheOptions>,
    /// Tolerated geometric error on screen, pixels; none means 0.5.
    pub pixel_error: Option<f64>,
    /// Most triangles; none lets the adapter choose.
    pub triangles: Option<u32>,
    /// Where the mesh lives; none lets the adapter choose.
    pub mesh: Option<Backend>,
    /// Samples a pixel, 1 or 4; none lets the mode and the adapter choose.
    pub samples: Option<u32>,
    /// Where pixels are shaded; none lets the samples and the adapter choose.
    pub shading: Option<ShadingPath>,
    /// Percent of the pixels along each side in frames in motion, 25 to 100; none lets the adapter choose.
    pub motion_resolution: Option<u32>,
    /// Vertical field of view, degrees.
    pub fov_deg: f64,
    /// Where the light comes from.
    pub sun: SunMode,
    /// What is drawn on the ground besides.
    pub overlays: Overlays,
    /// Colours of heights.
    pub ramp: Ramp,
    /// Metres of the picture a metre of height, above 0.
    pub exaggeration: f64,
    /// Pictures to lay on the ground, the last one on top.
    pub pictures: Vec<ImageryFile>,
    /// Those of them that have been opened already.
    pub opened_pictures: Vec<OpenedPicture>,
    /// Points, lines and areas to draw on the ground, over pictures, the last one on top.
    pub vectors: Vec<VectorLayer>,
    /// Lakes or land that change what ships.
    pub water: Option<WaterFile>,
}

/// A folder for tiles, and how much it may hold.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheOptions {
    /// The folder; it is made if need be.
    pub folder: PathBuf,
    /// Most bytes of tiles in it, about.
    pub most_bytes: u64,
}

/// A file of lakes or land, see [`open_water`]: read once, when it is first asked for, for it and its clones.
#[derive(Debug, Clone)]
pub struct WaterFile {
    /// The file.
    pub path: PathBuf,
    read: Arc<Mutex<Option<Arc<Water>>>>,
}

impl WaterFile {
    /// A file that is not read yet.
    pub fn new(path: PathBuf) -> WaterFile {
        WaterFile { path, read: Arc::default() }
    }

    /// The water in it.
    ///
    /// # Errors
    /// As [`open_water`].
    pub fn open(&self) -> anyhow::Result<Arc<Water>> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(water) = &*read {
            return Ok(water.clone());
        }
        let water = open_water(Some(&self.path))?;
        Ok(read.insert(water).clone())
    }
}

impl SceneOptions {
    /// Coasts and lakes, also where water is not drawn; none on other planets than the Earth.
    fn water(&self, ellipsoid: Ellipsoid) -> anyhow::Result<Arc<Water>> {
        if ellipsoid != Ellipsoid::WGS84 {
            return Ok(Arc::new(Water::none()));
        }
        self.water.as_ref().map_or_else(|| open_water(None), WaterFile::open)
    }

    /// Tiles of a kind that have `bytes` each, in one of so many parts of what they may all have.
    fn most_tiles(&self, bytes: u64, parts: u64, default: u32) -> u32 {
        self.tile_bytes.map_or(default, |all| u32::try_from(all / parts / bytes).unwrap_or(u32::MAX))
    }

    /// Water, if it is drawn.
    ///
    /// # Errors
    /// As [`open_water`].
    pub fn drawn_water(&self, ellipsoid: Ellipsoid) -> anyhow::Result<Option<Arc<Water>>> {
        self.overlays.has(Overlays::WATER).then(|| self.water(ellipsoid)).transpose()
    }

    /// Asks the ground of a relief as pictures show it: heights as they are drawn, and the sea above its floor if water is drawn.
    ///
    /// # Errors
    /// As [`open_water`].
    pub fn over_ground<T>(&self, relief: &Relief, ask: impl FnOnce(&Relief) -> T) -> anyhow::Result<T> {
        let (drawn, water) = (relief.exaggerated(self.exaggeration), self.drawn_water(relief.ellipsoid())?);
        Ok(match water {
            Some(water) => ask(&drawn.with_sea_surface(&water)),
            None => ask(&drawn),
        })
    }

    /// Where elevation tiles made from rasters are kept, and the errors of the relief that ships. Tiles of packs are made as fast as a disk is
    /// read.
    fn tile_cache(&self, relief: &Relief) -> Option<Arc<TileCache>> {
        let cache = self.cache.as_ref().filter(|_| !self.files.iter().any(|file| is_pack(file)))?;
        let detail = relief.has_synthetic_detail();
        Some(TileCache::of(&self.files, &self.open, detail, cache.folder.clone(), cache.most_bytes))
    }
}

impl SceneOptions {
    /// Its files, and which of them lies on which.
    pub fn layers(&self) -> Layers {
        let vectors = self.vectors.iter().rev().map(|layer| layer.file.path.clone());
        let pictures = self.pictures.iter().rev().map(|picture| picture.path.clone());
        let options = self.pictures.iter().rev().map(|picture| picture.options);
        let hidden = self.vectors.iter().rev().map(|layer| layer.file.options.hidden);
        Layers::new(vectors.collect(), pictures.collect(), self.files.clone())
            .with_options(options.collect(), hidden.collect())
    }

    /// The same scene with another choice of its files; as it is where there is no such file.
    #[must_use]
    pub fn with_edited(mut self, edit: LayerEdit) -> SceneOptions {
        let (kind, from, to) = match edit {
            LayerEdit::Move(LayerMove { kind, from, to }) => (kind, from, Some(to)),
            LayerEdit::Remove(kind, number) => (kind, number, None),
            LayerEdit::Picture(number, options) => {
                if let Some(picture) = self.pictures.iter_mut().rev().nth(number) {
                    picture.options = options;
                }
                return self;
            }
            LayerEdit::Hide(kind, number, hidden) => {
                let picture = self.pictures.iter_mut().rev().nth(number).map(|picture| &mut picture.options.hidden);
                let vectors = self.vectors.iter_mut().rev().nth(number).map(|layer| &mut layer.file.options.hidden);
                let of_kind = match kind {
                    LayerKind::Pictures => picture,
                    LayerKind::Vectors => vectors,
                    LayerKind::Elevation => None,
                };
                if let Some(one) = of_kind {
                    *one = hidden;
                }
                return self;
            }
        };
        match kind {
            LayerKind::Vectors => put_last_on_top(&mut self.vectors, from, to),
            LayerKind::Pictures => put_last_on_top(&mut self.pictures, from, to),
            LayerKind::Elevation => {
                self.open.layers.resize(self.files.len(), LayerOptions::default());
                move_item(&mut self.files, from, to);
                move_item(&mut self.open.layers, from, to);
                self.relief = None;
            }
        }
        self
    }
}

/// Puts one elsewhere, or takes it away.
fn move_item<T>(all: &mut Vec<T>, from: usize, to: Option<usize>) {
    if from.max(to.unwrap_or(0)) < all.len() {
        let one = all.remove(from);
        if let Some(to) = to {
            all.insert(to, one);
        }
    }
}

/// The same where the last one lies on top, and numbers count from there.
fn put_last_on_top<T>(all: &mut Vec<T>, from: usize, to: Option<usize>) {
    all.reverse();
    move_item(all, from, to);
    all.reverse();
}

impl Default for SceneOptions {
    fn default() -> Self {
        Self {
            files: Vec::new(),
            relief: None,
            synthetic_relief: Some(false),
            first_view: None,
            open: OpenOptions::default(),
            tile_bytes: None,
            cache: None,
            pixel_error: None,
            triangles: None,
            mesh: None,
            samples: None,
            shading: None,
            motion_resolution: None,
            fov_deg: 45.0,
            sun: SunMode::default(),
            overlays: Overlays::WATER.with(Overlays::SHADOWS, true),
            ramp: Ramp::default(),
            exaggeration: 1.0,
            pictures: Vec::new(),
            opened_pictures: Vec::new(),
            vectors: Vec::new(),
            water: None,
        }
    }
}

/// Triangles that a software rasteriser draws at 15 frames a second, and those that any GPU does.
const TRIANGLES: [u32; 2] = [1 << 17, 1 << 18];
/// Tolerated error, pixels: half a pixel of a coast or a limb is not seen.
const PIXEL_ERROR: f64 = 0.5;

/// Metres between the heights that the globe as a whole is shaded by.
const OVERVIEW_M: f64 = 7_100.0;

/// What takes time to make: the planet and the pipelines that draw it.
pub struct Scene {
    planet: Planet,
    renderer: Renderer,
    drawing: FrameContext,
    lens: Lens,
    light: Light,
    overlays: Overlays,
    ramp: Ramp,
    layers: Layers,
}

/// Opens the elevation layers.
///
/// # Errors
/// The file that cannot be used, and what to do about it.
pub fn open_relief(files: &[PathBuf], options: &OpenOptions) -> anyhow::Result<Relief> {
    Ok(Relief::open(files, options)?)
}

/// The extent of the topmost data, drawn some times as high.
pub fn extent_of_top(relief: &Relief, exaggeration: f64) -> Option<Extent> {
    let layer = relief.layers().first()?;
    let bbox_deg = relief.topmost_box_deg().unwrap_or(layer.bbox_deg);
    Some(Extent {
        bbox_deg,
        ellipsoid: relief.ellipsoid(),
        range_m: (layer.range_m.0 * exaggeration, layer.range_m.1 * exaggeration),
    })
}

/// Coasts and lakes that ship, changed by those of a file: see [`Water::earth_with`].
///
/// # Errors
/// A file that cannot be used, and what to do about it.
pub fn open_water(file: Option<&Path>) -> anyhow::Result<Arc<Water>> {
    match file {
        Some(file) => Ok(Arc::new(Water::earth_with(read_outlines(file)?))),
        None => Ok(Water::earth().clone()),
    }
}

#[cfg(feature = "gdal")]
fn read_outlines(file: &Path) -> anyhow::Result<Vec<Outline>> {
    Ok(terrain::outline_file::read_outlines(file)?)
}

/// There is nothing to read it with.
#[cfg(not(feature = "gdal"))]
fn read_outlines(file: &Path) -> anyhow::Result<Vec<Outline>> {
    anyhow::bail!("{}: this build reads no outlines: build it with the feature gdal", file.display())
}

impl Scene {
    /// Loads the relief, builds the planet and the pipelines for pictures of a format, on all cores.
    ///
    /// # Errors
    /// A file, a quality or a pipeline that cannot be; the message says which.
    pub fn load(
        gpu: &Gpu,
        options: &SceneOptions,
        format: wgpu::TextureFormat,
        samplings: RenderModes,
    ) -> anyhow::Result<Scene> {
        let relief = match &options.relief {
            Some(relief) => relief.clone(),
            None => Arc::new(open_relief(&options.files, &options.open)?),
        };
        let is_earth = relief.ellipsoid() == Ellipsoid::WGS84;
        let water = options.water(relief.ellipsoid())?;
        // With the mesh on the CPU every frame would pay for it.
        let is_usual = !gpu.caps.is_software() && options.mesh != Some(Backend::Cpu);
        let relief = match is_earth && options.synthetic_relief.unwrap_or(is_usual) {
            true => Arc::new(relief.with_synthetic_detail(&water)),
            false => relief,
        };
        let kind = usize::from(!gpu.caps.is_software());
        let quality = Quality::default().with_pixel_error(options.pixel_error.unwrap_or(PIXEL_ERROR));
        let triangles = options.triangles.unwrap_or(TRIANGLES[kind]);
        // Mesh, picks and clearance know the relief as it is drawn; colours and lines the heights of the data.
        let drawn_relief = match options.exaggeration {
            1.0 => relief.clone(),
            exaggeration => Arc::new(relief.exaggerated(exaggeration)),
        };
        for shading in [samplings.moving.shading, samplings.still.shading] {
            anyhow::ensure!(
                shading.is_supported_by(gpu),
                "{} cannot shade after the rasteriser: leave out --shading {}, or try --software",
                gpu.caps.adapter,
                shading.name()
            );
        }
        let with_pictures = u64::from(!options.pictures.is_empty() || !options.vectors.is_empty());
        let shading_tiles = options.most_tiles(SHADING_TILE_BYTES, 2 + with_pictures, DEFAULT_SHADING_TILES);
        let shading = ShadingTiles::new(&gpu.device, &drawn_relief, shading_tiles);
        let kinds = 1 + u64::from(shading.is_some()) + with_pictures;
        let mesh_options = Options::default()
            .with_backend(options.mesh)
            .with_pool_slots(triangles.next_power_of_two().clamp(1 << 6, 1 << 20))
            .with_quality(quality)
            .with_tiles(options.most_tiles(TILE_BYTES, kinds, DEFAULT_TILES));
        let borders = if is_earth { Borders::earth().clone() } else { Arc::new(Borders::new([])) };
        let water_tiles = WaterTiles::new(&gpu.device, &water, &borders, &drawn_relief);
        let imagery_tiles = options.most_tiles(IMAGERY_TILE_BYTES, kinds.max(2), DEFAULT_IMAGERY_TILES);
        let mut pictures = ImageryLayers::open(
            (&options.pictures, &options.opened_pictures),
            options.vectors.clone(),
            imagery_tiles,
            &options.open,
            relief.ellipsoid(),
        )?;
        let overlays = options.overlays.with(pictures.given(), true);
        pictures.show(&gpu.device, overlays, &drawn_relief)?;
        let tiles = GroundTiles::of(shading.as_ref(), &water_tiles, &pictures);
        let mut shading_map = ShadingMap::new(&gpu.device, relief.clone(), water.clone(), options.exaggeration);
        // The finest of what the mesh and the renderer ask for at once, so that it comes in few requests.
        relief.prefetch_overview(OVERVIEW_M);
        let (mesh, renderer) = rayon::join(
            || make_mesh(gpu, drawn_relief.clone(), mesh_options, options.tile_cache(&relief)),
            || {
                if let Some(view) = &options.first_view {
                    shading_map.build_all(&gpu.queue, Camera::on(relief.ellipsoid(), view).eye_m);
                }
                let (map, look) = (shading_map.view(), (options.ramp, Light(options.sun).shown(overlays)));
                Renderer::new((&gpu.device, &gpu.queue), relief.ellipsoid(), format, samplings, map, tiles, look)
            },
        );
        let renderer = renderer.map_err(|error| match error {
            RenderError::Pipeline(_) => anyhow::Error::new(error).context("the renderer does not fit this GPU"),
            RenderError::Shader(_) => error.into(),
        })?;
        anyhow::ensure!(
            renderer.draws_wireframes() || !options.overlays.has(Overlays::WIREFRAME),
            "{} draws no wireframe: leave it out of --overlays, or try --software",
            gpu.caps.adapter
        );
        let mesh = mesh?;
        // Maps and tiles go to the device now, and the first frame does not wait for them.
        gpu.queue.submit([]);
        match gpu.wait() {
            // The first frame finds it too, and knows what to do.
            Err(GpuError::Lost { .. }) => {}
            waited => waited?,
        }
        crate::allocator::trim_heap();
        let mut planet = Planet::new(mesh, (shading_map, shading), (water, water_tiles), pictures);
        planet.water = options.overlays.has(Overlays::WATER);
        Ok(Scene {
            planet,
            renderer,
            drawing: FrameContext::new(format),
            lens: Lens { fov_y_rad: options.fov_deg.to_radians() },
            light: Light(options.sun),
            overlays,
            ramp: options.ramp,
            layers: options.layers(),
        })
    }

    /// The planet.
    pub fn planet(&self) -> &Planet {
        &self.planet
    }

    /// Refines the ground of the first view before a frame shows it; see [`Planet::refine`].
    ///
    /// # Errors
    /// As there.
    pub fn refine(&mut self, gpu: &Gpu, first_view: &Pose, size_px: (u32, u32), most: Duration) -> anyhow::Result<()> {
        let ground = self.planet.ground();
        let camera = above_ground(Camera::on(ground.ellipsoid(), first_view), ground);
        self.planet.refine(gpu, (&camera, &self.lens, size_px), most)
    }

    /// An app with the scene in its world, and no plugins yet.
    pub fn into_app(self, gpu: Gpu, camera: Camera, viewport: Viewport) -> App {
        let mut app = App::default();
        let world = &mut app.world;
        world.insert_resource(self.lens);
        world.insert_resource(self.light);
        world.insert_resource(self.overlays);
        world.insert_resource(self.ramp);
        world.insert_resource(camera);
        world.insert_resource(viewport);
        self.rebuild_on_device(gpu, world);
        app
    }

    /// Puts what lives on the device into a world. What the user chose, where the camera is and what was marked are the
    /// world's own, and stay.
    pub fn rebuild_on_device(self, gpu: Gpu, world: &mut World) {
        world.insert_resource(Context(gpu));
        world.insert_resource(self.layers);
        world.insert_resource(self.planet);
        world.insert_resource(self.renderer);
        world.insert_resource(self.drawing);
    }

    /// Takes the choices of a scene for those of the user.
    pub fn choose(options: &SceneOptions, world: &mut World) {
        world.insert_resource(Lens { fov_y_rad: options.fov_deg.to_radians() });
        world.insert_resource(Light(options.sun));
        world.insert_resource(options.overlays);
        world.insert_resource(options.ramp);
    }

    /// Takes out of a world what lived on a lost device; what is to be loaded for another one is `options` as the user
    /// changed them since. Pictures stay open: their files may be gone. A mesh that was frozen follows the camera again.
    pub fn remove_from_device(options: &SceneOptions, world: &mut World) -> SceneOptions {
        let mut chosen = Scene::with_user_choices(options, world);
        chosen.opened_pictures.extend(world.get_resource().map_or(&[][..], Planet::opened_pictures).iter().cloned());
        world.remove_resource::<Context>();
        world.remove_resource::<Layers>();
        world.remove_resource::<Planet>();
        world.remove_resource::<Renderer>();
        world.remove_resource::<FrameContext>();
        chosen
    }

    /// What is loaded is `options` as the user has changed them since.
    pub fn with_user_choices(options: &SceneOptions, world: &World) -> SceneOptions {
        let wished = world.get_resource::<Planet>().map(Planet::target_pixel_error);
        options
            .clone()
            .with_first_view(world.get_resource::<Camera>().map(Camera::pose))
            .with_pixel_error(wished.or(options.pixel_error))
            .with_fov_deg(world.get_resource::<Lens>().map_or(options.fov_deg, |lens| lens.fov_y_rad.to_degrees()))
            .with_sun(world.get_resource::<Light>().map_or(options.sun, |light| light.0))
            .with_overlays(world.get_resource().copied().unwrap_or(options.overlays))
            .with_ramp(world.get_resource().copied().unwrap_or(options.ramp))
    }
}

#[cfg(all(test, feature = "gdal"))]
mod tests;
