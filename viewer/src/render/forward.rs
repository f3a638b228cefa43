//! The pipelines of a picture in one pass: ground, then sky where no ground is, for one number of samples.

use gpu::pipeline::{PipelineError, RenderKernel, RenderOptions, RenderTarget, reverse_z};
use shaders::{Composed, Composer, EditedModules, ShaderError};
use terrain::geodesy::Ellipsoid;

use super::composer::composer_on;
use super::resources::{NamedBinding, Resources};
use super::shading_textures::LINEAR_FORMAT;
use crate::overlays::Overlays;

/// Pipelines and their bindings.
#[derive(Debug)]
pub(super) struct ForwardPipelines {
    ground: RenderKernel,
    ground_bindings: wgpu::BindGroup,
    /// Each with its number.
    tiles: Vec<(u32, wgpu::BindGroup)>,
    /// Whether the ground is a view of the mesh, which reads no maps.
    shows_mesh: bool,
    sky: RenderKernel,
    sky_bindings: wgpu::BindGroup,
    /// Where the device draws edges.
    wire: Option<(RenderKernel, wgpu::BindGroup)>,
}

/// The composed shaders of the passes.
pub(super) struct Shaders {
    /// `viewer/terrain`.
    pub ground: Composed,
    /// `viewer/views`, where the mesh is shown in place of the ground.
    pub view: Option<Composed>,
    /// `viewer/sky`.
    pub sky: Composed,
}

/// What joins the shaders that draw a set of things on the ground, with what was edited since the program was built.
pub(super) fn composer(
    ellipsoid: Ellipsoid,
    overlays: Overlays,
    edited: &EditedModules,
    has_tiles: bool,
    format: wgpu::TextureFormat,
) -> Composer {
    let mut composer = composer_on(ellipsoid);
    if format == LINEAR_FORMAT {
        composer.replace_constant("viewer::atmosphere::IS_LINEAR", "the format", "bool", true);
    }
    // What is not there is not drawn.
    let of_earth = Overlays::WATER.with(Overlays::LIGHTS, true);
    let overlays = if ellipsoid == Ellipsoid::WGS84 { overlays } else { overlays.with(of_earth, false) };
    edited.bind(&mut composer);
    if !has_tiles {
        composer.bind_module("terrain/shading", "viewer/no_shading_tiles");
    }
    if !overlays.has_pictures() {
        composer.bind_module("terrain/imagery_tiles", "viewer/no_imagery_tiles");
    }
    composer.bind(
        "viewer/enabled_overlays",
        "what is drawn",
        &format!("const OVERLAYS: u32 = {}u;\n", overlays.bits()),
    );
    composer
}

impl Shaders {
    /// Those that draw a set of things on the ground.
    pub fn drawing(
        ellipsoid: Ellipsoid,
        overlays: Overlays,
        edited: &EditedModules,
        has_tiles: bool,
        format: wgpu::TextureFormat,
    ) -> Result<Shaders, ShaderError> {
        let composer = composer(ellipsoid, overlays, edited, has_tiles, format);
        let view = overlays.view().map(|_| composer.compose("viewer/views")).transpose()?;
        Ok(Shaders { ground: composer.compose("viewer/terrain")?, view, sky: composer.compose("viewer/sky")? })
    }
}

impl ForwardPipelines {
    /// Compiles the pipelines for a colour format and a number of samples.
    pub fn new(
        device: &wgpu::Device,
        shaders: &Shaders,
        (format, samples): (wgpu::TextureFormat, u32),
        resources: &Resources<'_>,
    ) -> Result<ForwardPipelines, PipelineError> {
        let buffers = [Some(terrain::TerrainVertex::LAYOUT)];
        let (shader, vertex, fragment) = match &shaders.view {
            Some(view) => (view, "view_vertex", "view_fragment"),
            None => (&shaders.ground, "ground_vertex", "ground_fragment"),
        };
        let ground = pass(
            device,
            shader,
            format,
            samples,
            &PassOptions {
                vertex,
                fragment,
                buffers: &buffers,
                cull: Some(wgpu::Face::Back),
                write_depth: true,
                compare: wgpu::CompareFunction::Greater,
                edges: false,
            },
        )?;
        let sky = pass(
            device,
            &shaders.sky,
            format,
            samples,
            &PassOptions {
                vertex: "sky_vertex",
                fragment: "sky_fragment",
                buffers: &[],
                cull: None,
                write_depth: false,
                compare: wgpu::CompareFunction::Equal,
                edges: false,
            },
        )?;
        let shows_mesh = shaders.view.is_some();
        let ground_bindings = bind_ground(device, (&ground, shows_mesh), resources)?;
        let tiles = bind_tiles(device, (&ground, shows_mesh), resources)?;
        let sky_bindings = sky.bind_group(device, 0, &resources.sky())?;
        let wire = if device.features().contains(wgpu::Features::POLYGON_MODE_LINE) {
            let options = PassOptions {
                vertex: "wire_vertex",
                fragment: "wire_fragment",
                buffers: &buffers,
                cull: Some(wgpu::Face::Back),
                write_depth: false,
                compare: wgpu::CompareFunction::GreaterEqual,
                edges: true,
            };
            let wire = pass(device, &shaders.ground, format, samples, &options)?;
            let bindings = wire.bind_group(device, 0, &[resources.frame()])?;
            Some((wire, bindings))
        } else {
            None
        };
        Ok(ForwardPipelines { ground, ground_bindings, tiles, shows_mesh, sky, sky_bindings, wire })
    }

    /// Draws with other maps or other tiles of pictures from now on.
    pub fn rebind(&mut self, device: &wgpu::Device, resources: &Resources<'_>) -> Result<(), PipelineError> {
        self.tiles = bind_tiles(device, (&self.ground, self.shows_mesh), resources)?;
        self.ground_bindings = bind_ground(device, (&self.ground, self.shows_mesh), resources)?;
        Ok(())
    }

    /// Records the passes; `mesh` sets the vertex and index buffers and draws the ground, once more for a `wireframe`;
    /// `ground_end` is where a timestamp between ground and sky goes.
    pub fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        mesh: impl Fn(&mut wgpu::RenderPass<'_>),
        wireframe: bool,
        ground_end: Option<(wgpu::QuerySet, u32)>,
    ) {
        pass.set_pipeline(self.ground.pipeline());
        pass.set_bind_group(0, &self.ground_bindings, &[]);
        for (group, tiles) in &self.tiles {
            pass.set_bind_group(*group, tiles, &[]);
        }
        mesh(pass);
        if let (true, Some((wire, bindings))) = (wireframe, &self.wire) {
            pass.set_pipeline(wire.pipeline());
            pass.set_bind_group(0, bindings, &[]);
            mesh(pass);
        }
        if let Some((queries, index)) = ground_end {
            pass.write_timestamp(&queries, index);
        }
        pass.set_pipeline(self.sky.pipeline());
        pass.set_bind_group(0, &self.sky_bindings, &[]);
        pass.draw(0..3, 0..1);
    }
}

fn bind_ground(
    device: &wgpu::Device,
    (ground, shows_mesh): (&RenderKernel, bool),
    resources: &Resources<'_>,
) -> Result<wgpu::BindGroup, PipelineError> {
    if shows_mesh {
        return ground.bind_group(device, 0, &resources.view());
    }
    ground.bind_group(device, 0, &resources.ground())
}

fn bind_tiles(
    device: &wgpu::Device,
    (ground, shows_mesh): (&RenderKernel, bool),
    resources: &Resources<'_>,
) -> Result<Vec<(u32, wgpu::BindGroup)>, PipelineError> {
    let bind = |group, named: &[NamedBinding<'_>]| ground.layouts().bind_used(device, group, named);
    if shows_mesh { Ok(Vec::new()) } else { resources.bind_tiles(bind) }
}

/// What a pass over the mesh, or over all pixels, does.
pub(super) struct PassOptions<'a> {
    pub vertex: &'a str,
    pub fragment: &'a str,
    pub buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    pub cull: Option<wgpu::Face>,
    pub write_depth: bool,
    pub compare: wgpu::CompareFunction,
    /// Edges of triangles, blended over what is there, in place of their insides.
    pub edges: bool,
}

/// Compiles it for a colour format and a number of samples.
pub(super) fn pass(
    device: &wgpu::Device,
    shader: &Composed,
    format: wgpu::TextureFormat,
    samples: u32,
    options: &PassOptions<'_>,
) -> Result<RenderKernel, PipelineError> {
    let (polygon_mode, blend) = if options.edges {
        (wgpu::PolygonMode::Line, Some(wgpu::BlendState::ALPHA_BLENDING))
    } else {
        (wgpu::PolygonMode::Fill, None)
    };
    RenderKernel::new(
        device,
        shader,
        &RenderOptions::default()
            .with_vertex(options.vertex)
            .with_fragment(Some(options.fragment))
            .with_buffers(options.buffers)
            .with_targets(&[Some(wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL })])
            .with_primitive(wgpu::PrimitiveState {
                cull_mode: options.cull,
                polygon_mode,
                ..wgpu::PrimitiveState::default()
            })
            .with_depth_stencil(Some(wgpu::DepthStencilState {
                depth_write_enabled: Some(options.write_depth),
                depth_compare: Some(options.compare),
                ..reverse_z(RenderTarget::DEPTH_FORMAT)
            }))
            .with_multisample(wgpu::MultisampleState { count: samples, ..wgpu::MultisampleState::default() }),
    )
}
