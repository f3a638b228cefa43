//! What would a picture show that is true to the surface? Rays in f64, and the engine's own light on what they meet.
//!
//! The picture is drawn [`SIDE`] times as wide and high as it is measured, by the viewer's deferred path. Its mesh is a triangle a pixel,
//! at the place that the pixel's ray meets. It has the height and the gradient of the surface there. The shading pass uses both as they
//! are, in place of those of maps and tiles. Where water is, and what air and light do, is found as in any picture. Pixels are means of
//! the light of their samples.

use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use benches::views::sampled_view::SampledView;
use bytemuck::cast_slice;
use elevation::slope::Slope;
use glam::{DVec2, DVec3};
use gpu::Gpu;
use image::{Rgb, RgbImage};
use rayon::prelude::*;
use shaders::EditedModules;
use terrain::height::Relief;
use terrain::surface::Surface;
use terrain::{Backend, TerrainVertex, View, shading_map_texel_m};
use viewer::camera::{Camera, Lens};
use viewer::frame::Context;
use viewer::headless::OffscreenRenderer;
use viewer::overlays::Overlays;
use viewer::render::{GroundMesh, Renderer, ShadingPath, srgb};
use viewer::scene::SceneOptions;
use viewer::terrain::{Planet, REACH_M};
use wgpu::util::DeviceExt as _;

/// Samples along the side of a pixel.
pub const SIDE: u32 = 4;
/// Rows of samples whose triangles are in one buffer.
const BAND: usize = 64;
/// Postings, and least metres, to each side over which the surface's slope is taken.
const STEP: f64 = 0.02;
const LEAST_STEP_M: f64 = 0.25;
/// The mesh only makes the tiles come that the view asks for.
const MESH_ERROR_PX: f64 = 32.0;

/// Draws reference pictures.
pub struct Reference {
    renderer: OffscreenRenderer,
    surface: Surface,
    size_px: (u32, u32),
}

/// A reference image with the normals that it shows.
pub struct ReferenceImage {
    /// In sRGB.
    pub picture: RgbImage,
    /// Mean normal of the surface in each pixel all of whose rays meet ground.
    pub normals: Vec<Option<DVec3>>,
    /// Median distance to the ground, metres; none where there is only sky.
    pub distance_m: Option<f64>,
}

/// Where the ray of a sample meets the surface.
#[derive(Clone, Copy)]
struct SampleHit {
    distance_m: f64,
    normal: DVec3,
    corners: [TerrainVertex; 3],
}

impl Reference {
    /// References of pictures of a size that are drawn with some options over a relief.
    ///
    /// # Errors
    /// As [`OffscreenRenderer::new`]; a viewer whose shaders are not those that this file knows.
    pub fn new(gpu: Gpu, options: &SceneOptions, relief: &Arc<Relief>, size_px: (u32, u32)) -> Result<Reference> {
        let options = options
            .clone()
            .with_relief(Some(relief.clone()))
            .with_samples(Some(1))
            .with_shading(Some(ShadingPath::Deferred))
            .with_mesh(Some(Backend::Cpu))
            .with_pixel_error(Some(MESH_ERROR_PX));
        let mut renderer = OffscreenRenderer::new(gpu, &options, (SIDE * size_px.0, SIDE * size_px.1))?;
        edit(&mut renderer, shaders_of_the_surface()?)?;
        Ok(Reference { renderer, surface: Surface::new(relief.clone()), size_px })
    }

    /// What the surface shows a camera.
    ///
    /// # Errors
    /// Data too fine for the length of a ray; what the GPU reports.
    pub fn render(&mut self, camera: Camera) -> Result<ReferenceImage> {
        // Tiles of water come with the first picture.
        self.renderer.world_mut().remove_resource::<GroundMesh>();
        self.renderer.render(camera)?;
        let world = self.renderer.world_mut();
        let fov_y_rad = world.resource::<Lens>().fov_y_rad;
        let mesh_eye_m = world.resource::<Planet>().mesh_eye_m();
        let device = world.resource::<Context>().0.device.clone();
        let size_px = (SIDE * self.size_px.0, SIDE * self.size_px.1);
        let view = View::perspective(camera.eye_m, camera.forward(), camera.up(), fov_y_rad, size_px);
        let sampled = SampledView::new(view)?;
        let samples: Vec<Option<SampleHit>> = (0..size_px.0 * size_px.1)
            .into_par_iter()
            .with_min_len(64)
            .map(|at| self.trace_sample(&sampled, mesh_eye_m, (at % size_px.0, at / size_px.0)))
            .collect::<Result<_>>()?;
        let buffers: Vec<(wgpu::Buffer, u32)> = samples
            .chunks(BAND * size_px.0 as usize)
            .map(|band| band.iter().flatten().flat_map(|met| met.corners).collect::<Vec<TerrainVertex>>())
            .filter(|corners| !corners.is_empty())
            .map(|corners| {
                let contents = wgpu::util::BufferInitDescriptor {
                    label: Some("reference mesh"),
                    contents: cast_slice(&corners),
                    usage: wgpu::BufferUsages::VERTEX,
                };
                (device.create_buffer_init(&contents), corners.len() as u32)
            })
            .collect();
        self.renderer.world_mut().insert_resource(GroundMesh(Box::new(move |pass| {
            for (buffer, corners) in &buffers {
                pass.set_vertex_buffer(0, buffer.slice(..));
                pass.draw(0..*corners, 0..1);
            }
        })));
        let (large, _) = self.renderer.render(camera)?;
        let mut distances_m: Vec<f64> = samples.iter().flatten().map(|met| met.distance_m).collect();
        distances_m.sort_by(f64::total_cmp);
        Ok(ReferenceImage {
            picture: mean_light(&large),
            normals: mean_normals(&samples, size_px),
            distance_m: distances_m.get(distances_m.len() / 2).copied(),
        })
    }

    /// What the ray through the middle of a sample meets, and a triangle around that middle.
    fn trace_sample(
        &self,
        sampled: &SampledView,
        mesh_eye_m: DVec3,
        (column, row): (u32, u32),
    ) -> Result<Option<SampleHit>> {
        let corner = DVec2::new(f64::from(column), f64::from(row));
        let (eye_m, ray) = (sampled.view().eye_m, sampled.ray(corner + 0.5));
        let Some(hit) = self.surface.ray(eye_m, ray, REACH_M)? else { return Ok(None) };
        let n = hit.place.normal();
        let posting_m = hit.provenance.posting_m;
        let normal = Slope::of(
            self.surface.relief().ellipsoid(),
            |n| self.surface.height_m(n),
            n,
            (STEP * posting_m).max(LEAST_STEP_M),
        )
        .normal(n);
        let gradient = n - normal / normal.dot(n);
        let is_fine = posting_m < shading_map_texel_m(self.surface.relief().ellipsoid());
        let depth_m = sampled.depth_m(ray * hit.distance_m);
        // It holds the middle of its pixel, and none of another.
        let corners = [(0.1, 0.1), (0.1, 1.3), (1.3, 0.1)].map(|(x, y)| {
            let ray = sampled.ray(corner + DVec2::new(x, y));
            let position_m = eye_m + ray * (depth_m / sampled.depth_m(ray)) - mesh_eye_m;
            TerrainVertex {
                position_m: position_m.as_vec3().to_array(),
                height_m: hit.place.height_m as f32,
                direction: gradient.as_vec3().to_array(),
                surface_normal: [0, 0, 0, if is_fine { 1 } else { -1 }],
            }
        });
        Ok(Some(SampleHit { distance_m: hit.distance_m, normal, corners }))
    }
}

/// Draws with edited shaders from now on.
pub fn edit(renderer: &mut OffscreenRenderer, edited: EditedModules) -> Result<()> {
    let world = renderer.world_mut();
    let (device, overlays) = (world.resource::<Context>().0.device.clone(), *world.resource::<Overlays>());
    world.resource_mut::<Renderer>().reload(&device, overlays, edited).context("the shaders of the reference")
}

/// The viewer's text of a module with a part in place of another.
fn replaced(module: &'static str, part: &str, by: &str) -> Result<String> {
    let text = viewer::WGSL.module(module).with_context(|| format!("the viewer has no module {module}"))?.text;
    ensure!(text.matches(part).count() == 1, "{module} has not once: {part}");
    Ok(text.replacen(part, by, 1))
}

/// The mesh tells gradients as directions of its vertices, and they and heights count in place of those of maps and tiles.
fn shaders_of_the_surface() -> Result<EditedModules> {
    let of_normals = "    let n = vertex.direction;
    let steep = max(dot(vertex.surface_normal.xyz, n), 0.05);
    let own = own_normal(vertex);
    let slope = slope_of_gradient(n - vertex.surface_normal.xyz / steep, n, frame.up) * own;
";
    let of_gradients = "    let eye_m = frame.sphere_up * (RADIUS_M + frame.eye_height_m);
    let n = normal_at(eye_m + (vertex.position_m + frame.mesh_offset_m) * SPHERE_FROM_EARTH);
    let own = own_normal(vertex);
    let slope = slope_of_gradient(vertex.direction, n, frame.up);
";
    let ground_point = "fn ground_point(seen: SeenGround) -> GroundPoint {";
    let mapped = "fn mapped_point(seen: SeenGround) -> GroundPoint {";
    let ground = replaced("viewer/ground", ground_point, mapped)?
        + &format!(
            "\n{ground_point}
    var point = mapped_point(seen);
    point.height_m = seen.height_m / frame.exaggeration;
    point.gradient = seen.gradient;
    return point;
}}
"
        );
    let pass = replaced("viewer/gbuffer_pass", of_normals, of_gradients)?
        .replace("//!import viewer/gbuffer\n", "//!import viewer/gbuffer\n//!import viewer/air_model\n");
    Ok(EditedModules::of("viewer/ground", ground).with("viewer/gbuffer_pass", pass))
}

/// Pixels show the normal that they are lit by, half of each coordinate from the middle of its range; black on water.
pub fn shaders_of_normals() -> Result<EditedModules> {
    let signature = "(seen: SeenGround, point: GroundPoint, derivatives: PixelDerivatives) -> vec3f {";
    let ground =
        replaced("viewer/ground", &format!("fn ground_colour{signature}"), &format!("fn lit_colour{signature}"))?
            + &format!(
                "\nfn ground_colour{signature}
    if sea_share(point, derivatives) + lake_share(point) > 0.5 {{
        return vec3f(0.0);
    }}
    // Bindings stay in use, though no weight is negative.
    if point.own < 0.0 {{
        return lit_colour(seen, point, derivatives);
    }}
    return 0.5 + 0.5 * normalize(seen.n - point.gradient / frame.exaggeration);
}}
"
            );
    Ok(EditedModules::of("viewer/ground", ground))
}

/// The unit normals that such a picture shows.
pub fn shown_normals(picture: &RgbImage) -> Vec<Option<DVec3>> {
    let normal = |pixel: &Rgb<u8>| {
        let n = DVec3::from(pixel.0.map(|part| f64::from(part) / 127.5 - 1.0));
        (0.9..1.1).contains(&n.length()).then(|| n.normalize())
    };
    picture.pixels().map(normal).collect()
}

/// Means of the light of [`SIDE`] times as many samples along each side.
fn mean_light(large: &RgbImage) -> RgbImage {
    let light: [f64; 256] = std::array::from_fn(|value| srgb::light(value as f64));
    RgbImage::from_fn(large.width() / SIDE, large.height() / SIDE, |x, y| {
        let mut sum = [0.0; 3];
        for (i, j) in samples_of_pixel() {
            let pixel = large.get_pixel(SIDE * x + i, SIDE * y + j);
            for (sum, value) in sum.iter_mut().zip(pixel.0) {
                *sum += light[usize::from(value)];
            }
        }
        Rgb(sum.map(|sum| srgb::encoded(sum / f64::from(SIDE * SIDE))))
    })
}

/// Mean unit normals of pixels all of whose samples met ground.
fn mean_normals(samples: &[Option<SampleHit>], (width, height): (u32, u32)) -> Vec<Option<DVec3>> {
    let pixels = (0..height / SIDE).flat_map(|y| (0..width / SIDE).map(move |x| (x, y)));
    let mean = |(x, y): (u32, u32)| {
        let mut normals = samples_of_pixel().map(|(i, j)| samples[((SIDE * y + j) * width + SIDE * x + i) as usize]);
        normals.try_fold(DVec3::ZERO, |sum, met| Some(sum + met?.normal)).map(DVec3::normalize)
    };
    pixels.map(mean).collect()
}

fn samples_of_pixel() -> impl Iterator<Item = (u32, u32)> {
    (0..SIDE * SIDE).map(|k| (k % SIDE, k / SIDE))
}
