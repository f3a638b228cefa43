//! The planet of the program: its mesh, the tiles that it is shaded from, and what is asked of its ground.

use std::path::Path;
use std::sync::Arc;

use bevy_ecs::prelude::*;
use glam::DVec3;
use terrain::geodesy::Ellipsoid;
use terrain::height::{LayerInfo, Relief};
use terrain::streaming::{StreamTimings, TileCounts};
use terrain::surface::{Hit, Surface};
use terrain::water::{Cover, Water};
use terrain::{ShadingTiles, TileBindings, Timings, UpdateReport, View, WaterTiles};

use super::VectorLayer;
use super::imagery::{ImageryFile, ImageryLayers, OpenedPicture};
use super::pace::Pace;
use super::shading_map::ShadingMap;
use crate::camera::ground::{Ground, height_range_in_view_m, relief_in_view_m, sea_level};
use crate::camera::{Camera, GroundData, Lens};
use crate::layers::{LayerKind, LayerPlace};

/// The planet of the program.
#[derive(Resource)]
pub struct Planet {
    pub(super) mesh: terrain::Planet,
    /// Of the whole Earth.
    shading_map: ShadingMap,
    /// Where data are finer than that.
    shading: Option<ShadingTiles>,
    pub(super) water_tiles: WaterTiles,
    pub(super) pictures: ImageryLayers,
    surface: FloorAndSea,
    data: FloorAndSea,
    pub(super) view: Option<View>,
    pub(super) report: UpdateReport,
    /// What the user tolerates, pixels; the mesh may tolerate more.
    target_pixel_error: f64,
    /// Keeps the mesh of the last view.
    pub frozen: bool,
    water_outlines: Arc<Water>,
    /// Whether water has a surface, which the camera stays above.
    pub water: bool,
}

/// A surface with the floor of the sea, and with that of the sea above it.
#[derive(Clone)]
struct FloorAndSea {
    floor: Surface,
    sea: Surface,
}

impl FloorAndSea {
    fn new(relief: Arc<Relief>, water: &Arc<Water>) -> FloorAndSea {
        let sea = Surface::new(Arc::new(relief.with_sea_surface(water)));
        FloorAndSea { floor: Surface::new(relief), sea }
    }

    /// What is seen of it with water or without.
    fn seen(&self, has_water: bool) -> &Surface {
        if has_water { &self.sea } else { &self.floor }
    }
}

/// Tiles that pixels of the ground read.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundTiles {
    /// Gradients and heights, where data are finer than the maps.
    pub shading: Option<TileBindings>,
    /// Land, sea, lakes and borders.
    pub water: TileBindings,
    /// Pictures, where some lie on the ground.
    pub imagery: Option<TileBindings>,
}

impl GroundTiles {
    /// As of the last update of each.
    pub fn of(shading: Option<&ShadingTiles>, water: &WaterTiles, pictures: &ImageryLayers) -> GroundTiles {
        GroundTiles {
            shading: shading.map(ShadingTiles::bindings),
            water: water.bindings(),
            imagery: pictures.bindings(),
        }
    }
}

/// Data of postings farther apart than this are coarse: to an eye near the ground, and beside outlines of the sea. Metres.
pub const COARSE_M: f64 = 1_000.0;

/// Ground of data of some posting, in metres, that is higher above the sea is drawn as land, whatever outlines say: coarse data are kilometres off in
/// places. See `low_share` of `shaders/viewer/ground.wgsl`.
pub fn surely_land_m(posting_m: f64) -> f64 {
    if posting_m > COARSE_M { 200.0 } else { 0.0 }
}

/// Longest ray: beyond it the Earth lies behind, from wherever a camera can be.
pub const REACH_M: f64 = 1e8;

impl Planet {
    /// A planet that nobody has looked at yet.
    pub fn new(
        mesh: terrain::Planet,
        (shading_map, shading): (ShadingMap, Option<ShadingTiles>),
        (water_outlines, water_tiles): (Arc<Water>, WaterTiles),
        pictures: ImageryLayers,
    ) -> Planet {
        let relief = mesh.relief();
        let surface = FloorAndSea::new(relief.clone(), &water_outlines);
        let data = match relief.exaggeration() {
            1.0 => surface.clone(),
            _ => FloorAndSea::new(Arc::new(relief.exaggerated(1.0)), &water_outlines),
        };
        let target_pixel_error = mesh.quality().pixel_error;
        let report = UpdateReport::default();
        Planet {
            mesh,
            shading_map,
            shading,
            water_tiles,
            pictures,
            surface,
            data,
            view: None,
            report,
            target_pixel_error,
            frozen: false,
            water_outlines,
            water: true,
        }
    }

    /// Compiles the shaders of the mesh anew; see [`terrain::Planet::recompile`].
    ///
    /// # Errors
    /// If a module is wrong, or the device refuses it.
    pub fn recompile(
        &mut self,
        device: &wgpu::Device,
        edited: &shaders::EditedModules,
    ) -> Result<(), terrain::PlanetError> {
        self.mesh.recompile(device, edited)?;
        self.report.settled &= self.frozen;
        Ok(())
    }

    /// Forgets what earlier views have refined; see [`terrain::Planet::reset_mesh`].
    ///
    /// # Errors
    /// As there.
    pub fn reset_mesh(&mut self, device: &wgpu::Device) -> Result<(), terrain::PlanetError> {
        self.mesh.reset_mesh(device)?;
        (self.view, self.report) = (None, UpdateReport::default());
        Ok(())
    }

    /// The surface that the camera stays above.
    pub fn ground(&self) -> &dyn Ground {
        self
    }

    /// The surface that the mesh converges to: the data's, with heights as they are drawn.
    pub fn surface(&self) -> &Surface {
        &self.surface.floor
    }

    /// The same, with the surface of the sea where there is sea and water is drawn.
    pub fn seen_surface(&self) -> &Surface {
        self.surface.seen(self.water)
    }

    /// Outlines of sea and lakes, where water is drawn.
    pub fn drawn_water(&self) -> Option<&Water> {
        self.water.then_some(&*self.water_outlines)
    }

    /// The surface of the data, which every figure is about, however high it is drawn.
    pub fn data(&self) -> &Surface {
        &self.data.floor
    }

    /// The same, with the surface of the sea where there is sea and water is drawn: on it lines of sight and light end.
    pub fn seen_data(&self) -> &Surface {
        self.data.seen(self.water)
    }

    /// The first ground that a ray from `eye_m` meets, or the surface of the sea where water is drawn; none in the sky, and where the data
    /// are too fine for so long a ray.
    pub fn pick(&self, eye_m: DVec3, ray: DVec3) -> Option<Hit> {
        self.seen_surface().ray(eye_m, ray, REACH_M).ok().flatten()
    }

    /// Between the samples of the data of the whole Earth, and of the finest data besides, metres.
    pub fn postings_m(&self) -> [f64; 2] {
        let layers = self.relief().layers();
        let coarse_m = layers.last().map_or(1.0, |layer| layer.posting_m);
        [coarse_m, layers.iter().map(|layer| layer.posting_m).fold(coarse_m, f64::min)]
    }

    /// Whether some of the picture is sea, by a few points of it.
    pub fn shows_sea(&self, camera: &Camera, lens: &Lens, aspect: f64) -> bool {
        let points = (0..3).flat_map(|j| (0..5).map(move |i| (0.45 * f64::from(i - 2), 0.9 * f64::from(j - 1))));
        points
            .filter_map(|(x, y)| sea_level(camera.ellipsoid, camera.eye_m, camera.ray(x, y, aspect, lens.fov_y_rad)))
            .any(|n| self.water && self.water_outlines.at(n) == Cover::Sea && self.relief().sample(n).height_m < 0.0)
    }

    /// Names of the layers without the folders that they lie in, the first on top.
    pub fn layer_titles(&self) -> Vec<String> {
        self.relief().layers().iter().map(|layer| layer_title(&layer.name)).collect()
    }

    /// West, south, east and north in degrees of a file of the scene.
    ///
    /// # Errors
    /// Why nothing of it is drawn anywhere.
    pub(crate) fn box_of_layer(&self, (kind, number): LayerPlace) -> Result<[f64; 4], &'static str> {
        match kind {
            LayerKind::Elevation => box_of_elevation(self.relief(), number),
            _ => self.imagery().box_deg(kind, number).ok_or("nothing in it lies on the Earth"),
        }
    }

    /// The same with what the makers want to be said.
    pub fn credited_titles(&self) -> Vec<String> {
        let layers = self.relief().layers().iter();
        let credited = |(title, layer): (String, &LayerInfo)| match layer.attribution.as_str() {
            "" => title,
            said => format!("{title}: {}", foreign::sanitized(said)),
        };
        self.layer_titles().into_iter().zip(layers).map(credited).collect()
    }

    /// What stands in the file of a picture: what of it is made up, and what the makers of its data want to be said.
    pub fn file_note(&self, synthetic: Option<String>) -> Option<String> {
        let layers = self.relief().layers().iter().map(|layer| foreign::escaped(&layer.attribution).to_string());
        let parts = synthetic.into_iter().chain(layers).chain(self.imagery_attributions());
        let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    /// Goes on with another order or opacity of pictures and vector data, or fewer of them; see
    /// [`ImageryLayers::rearrange`].
    pub fn rearrange_imagery(
        &mut self,
        files: &[ImageryFile],
        opened: &[OpenedPicture],
        vectors: &[VectorLayer],
    ) -> bool {
        self.pictures.rearrange(files, opened, vectors)
    }

    /// The user's pictures, which are open.
    pub fn opened_pictures(&self) -> &[OpenedPicture] {
        self.pictures.files()
    }

    /// What the makers of the user's pictures that are shown want to be said.
    pub fn imagery_attributions(&self) -> Vec<String> {
        self.pictures.attributions()
    }

    /// Between which heights of the data the ground in the picture is, by a place in each of so many parts across and down; none without
    /// ground.
    pub fn height_range_in_view_m(
        &self,
        camera: &Camera,
        lens: &Lens,
        aspect: f64,
        parts: (u32, u32),
    ) -> Option<(f64, f64)> {
        height_range_in_view_m(camera, lens, aspect, parts, |n| self.data_height_m(n))
    }

    /// How far apart most heights of the data in the picture are, metres; none without ground.
    pub fn relief_in_view_m(&self, camera: &Camera, lens: &Lens, aspect: f64) -> Option<f64> {
        relief_in_view_m(camera, lens, aspect, |n| self.data_height_m(n))
    }

    fn data_height_m(&self, n: DVec3) -> f64 {
        let relief = self.relief();
        relief.sample(n).height_m / relief.exaggeration()
    }

    /// What the last update did.
    pub fn report(&self) -> &UpdateReport {
        &self.report
    }

    /// The eye that the vertices are relative to, ECEF metres.
    pub fn mesh_eye_m(&self) -> DVec3 {
        self.view.map_or(DVec3::ZERO, |view| view.eye_m)
    }

    /// Draws the mesh with the pipeline of the pass.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.mesh.draw(pass);
    }

    /// The error on screen that the user tolerates, pixels.
    pub fn target_pixel_error(&self) -> f64 {
        self.target_pixel_error
    }

    /// The error on screen that the mesh tolerates, pixels.
    pub fn pixel_error(&self) -> f64 {
        self.mesh.quality().pixel_error
    }

    /// The error on screen that the picture may have by the metric, pixels; none where the mesh is on the GPU.
    pub fn error_px(&self) -> Option<f64> {
        self.mesh.error_px()
    }

    /// Sets the tolerated error on screen, pixels; it stays within 0.05 and 20.
    pub fn set_pixel_error(&mut self, pixels: f64) {
        self.target_pixel_error = pixels.clamp(0.05, 20.0);
    }

    /// Lets the mesh tolerate `factor` times what the user does.
    pub(super) fn set_tolerance_factor(&mut self, factor: f64) {
        let quality = *self.mesh.quality();
        let pixel_error = self.target_pixel_error * factor;
        if pixel_error != quality.pixel_error {
            // Within the range of the wish every quality is accepted; a refused one leaves the last in force.
            let _ = self.mesh.set_quality(quality.with_pixel_error(pixel_error));
        }
    }

    /// The elevation layers.
    pub fn relief(&self) -> &Relief {
        self.mesh.relief()
    }

    /// Where the time of the mesh's last update went; none where the GPU does not tell.
    pub fn times(&self) -> Option<Timings> {
        self.mesh.timings()
    }

    /// Takes over what has come back from the device since the last update: after a wait, report and times are those of that
    /// update.
    pub fn poll(&mut self) {
        let report = *self.mesh.poll();
        self.record_report(report);
    }

    /// A picture has settled when mesh and tiles have; a mesh that is kept has.
    pub(super) fn record_report(&mut self, report: UpdateReport) {
        let shaded = self.water_tiles.is_complete()
            && self.shading_map.is_complete()
            && self.shading.as_ref().is_none_or(ShadingTiles::is_complete);
        let settled = (report.settled || self.frozen) && shaded && self.pictures.are_complete();
        self.report = UpdateReport { settled, ..report };
    }

    /// What the last update took to choose and take over elevation tiles.
    pub fn stream_times(&self) -> StreamTimings {
        self.mesh.stream_timings()
    }

    /// Elevation tiles by state.
    pub fn tiles(&self) -> TileCounts {
        self.mesh.tiles()
    }

    /// Tiles of water by state.
    pub fn water_tiles(&self) -> TileCounts {
        self.water_tiles.counts()
    }

    /// How many tiles of all kinds are being made.
    pub fn tiles_coming(&self) -> u32 {
        let kinds = [Some(self.tiles()), self.shading_tiles(), Some(self.water_tiles()), self.pictures.counts()];
        kinds.into_iter().flatten().map(|tiles| tiles.in_flight).sum()
    }

    /// Pictures on the ground.
    pub fn imagery(&self) -> &ImageryLayers {
        &self.pictures
    }

    /// What pixels of the ground read, as of the last update.
    pub(crate) fn ground_tiles(&self) -> GroundTiles {
        GroundTiles::of(self.shading.as_ref(), &self.water_tiles, &self.pictures)
    }

    /// The shading map of the whole Earth.
    pub(crate) fn shading_map(&self) -> &ShadingMap {
        &self.shading_map
    }

    /// Tiles for shading; none where no data are fine enough for them.
    pub(crate) fn shading(&self) -> Option<&ShadingTiles> {
        self.shading.as_ref()
    }

    /// Tiles for shading by state; none where no data are fine enough for them.
    pub fn shading_tiles(&self) -> Option<TileCounts> {
        self.shading.as_ref().map(ShadingTiles::counts)
    }

    pub(super) fn update(
        &mut self,
        view: &View,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        pace: Pace,
    ) -> anyhow::Result<()> {
        let report = match pace {
            Pace::Frame => self.mesh.update(view, queue, encoder)?,
            Pace::Settled => self.mesh.update_complete(view, queue, encoder)?,
        };
        self.view = Some(*view);
        self.record_report(report);
        Ok(())
    }

    /// Takes over what a view needs to be shaded, also where the mesh is that of another one.
    pub(super) fn shade(&mut self, view: &View, queue: &wgpu::Queue, pace: Pace) -> anyhow::Result<()> {
        self.shading_map.update(queue, view.eye_m, pace);
        match pace {
            Pace::Frame => self.water_tiles.update(view, queue)?,
            Pace::Settled => self.water_tiles.update_complete(view, queue)?,
        };
        if let Some(shading) = &mut self.shading {
            match pace {
                Pace::Frame => shading.update(view, queue)?,
                Pace::Settled => shading.update_complete(view, queue)?,
            };
        }
        self.pictures.update(view, queue, pace)
    }
}

/// The same of an elevation file. A relief ends with the first one that has heights everywhere.
fn box_of_elevation(relief: &Relief, number: usize) -> Result<[f64; 4], &'static str> {
    relief.layers().get(number).map(|layer| layer.bbox_deg).ok_or("it is hidden: one above it covers the whole Earth")
}

/// A layer's name without the folders it lies in.
pub(crate) fn layer_title(name: &str) -> String {
    let file = Path::new(name).file_name().map(|file| file.to_string_lossy());
    foreign::sanitized(file.as_deref().unwrap_or(name)).to_string()
}

impl Ground for Planet {
    fn ellipsoid(&self) -> Ellipsoid {
        self.mesh.relief().ellipsoid()
    }

    fn height_m(&self, n: DVec3) -> f64 {
        self.seen_surface().height_m(n)
    }
}

impl GroundData for Planet {
    fn posting_m(&self, n: DVec3) -> f64 {
        self.mesh.relief().finest_m(n)
    }
}

/// A surface of one height everywhere, for tests.
#[cfg(test)]
pub(crate) fn flat(height_m: f64) -> Surface {
    use terrain::height::{GlobalGrid, Registration, Relief};
    let grid = GlobalGrid::from_fn(72, 37, Registration::Node, |_, _| height_m);
    Surface::new(Arc::new(Relief::from_grid(grid).expect("a grid of the Earth")))
}

/// A relief with something to see everywhere, for tests: one for all, so that the errors of its coarse lattice are found once.
#[cfg(test)]
pub(crate) fn hills() -> Arc<Relief> {
    use std::sync::LazyLock;
    use terrain::height::{GlobalGrid, Registration};
    static HILLS: LazyLock<Arc<Relief>> = LazyLock::new(|| {
        let grid = GlobalGrid::from_fn(720, 361, Registration::Node, |lon_deg, lat_deg| {
            1_500.0 * (11.0 * lon_deg.to_radians()).sin() + 900.0 * (63.0 * lat_deg.to_radians()).sin()
        });
        Arc::new(Relief::from_grid(grid).expect("a grid of the Earth"))
    });
    HILLS.clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_named_without_their_folders() {
        let titles = ["/data/srtm/N27E086.hgt", "ETOPO5 (embedded)"].map(layer_title);
        assert_eq!(titles, ["N27E086.hgt", "ETOPO5 (embedded)"]);
    }
    /// Law: an elevation file has a box, and one below heights of the whole Earth is said to be hidden.
    #[test]
    fn what_lies_below_the_whole_earth_is_hidden() {
        let relief = hills();
        assert_eq!(box_of_elevation(&relief, 0), Ok([-180.0, -90.0, 180.0, 90.0]));
        assert!(box_of_elevation(&relief, 1).is_err_and(|why| why.contains("hidden")));
    }
}
