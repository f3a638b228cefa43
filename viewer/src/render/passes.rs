//! The pipelines of a picture: ground, then sky where no ground is, for one number of samples.

use kernels::pipeline::{LayoutOptions, PipelineError, RenderKernel, RenderOptions};
use shaders::{Composed, Composer, ShaderError};

use super::air::ViewTable;
use super::drape::Drape;
use super::maps::Maps;
use super::shade::Shade;
use super::source_map::SourceMap;
use super::target::DEPTH_FORMAT;

/// Pipelines and their bindings.
#[derive(Debug)]
pub(super) struct Passes {
    ground: RenderKernel,
    ground_bindings: wgpu::BindGroup,
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

impl Shaders {
    /// Those that draw a set of things on the ground.
    pub fn drawing(shade: Shade) -> Result<Shaders, ShaderError> {
        let mut composer = Composer::new();
        composer.bind("viewer/drawn", "what is drawn", &format!("const SHADE: u32 = {}u;\n", shade.bits()));
        let view = shade.view().map(|_| composer.compose("viewer/views")).transpose()?;
        Ok(Shaders { ground: composer.compose("viewer/terrain")?, view, sky: composer.compose("viewer/sky")? })
    }
}

impl Passes {
    /// Compiles the pipelines for a colour format and a number of samples.
    pub fn new(
        device: &wgpu::Device,
        shaders: &Shaders,
        (format, samples): (wgpu::TextureFormat, u32),
        maps: &Maps,
        air: &ViewTable,
        (drape, sources): (&Drape, &SourceMap),
        uniforms: &wgpu::Buffer,
    ) -> Result<Passes, PipelineError> {
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
        let frame = ("frame", uniforms.as_entire_binding());
        let shows_mesh = shaders.view.is_some();
        let ground_bindings = bind_ground(device, (&ground, shows_mesh), maps, air, (drape, sources), uniforms)?;
        let sampler = ("smooth_sampler", wgpu::BindingResource::Sampler(&maps.sampler));
        let view_light = ("view_light", wgpu::BindingResource::TextureView(air.light()));
        let ground_light = ("ground_light", wgpu::BindingResource::TextureView(air.ground_light()));
        let sky_bindings = sky.bind_group(device, 0, &[frame.clone(), sampler, view_light, ground_light])?;
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
            let bindings = wire.bind_group(device, 0, &[frame])?;
            Some((wire, bindings))
        } else {
            None
        };
        Ok(Passes { ground, ground_bindings, shows_mesh, sky, sky_bindings, wire })
    }

    /// Draws with other maps or another drape from now on.
    pub fn rebind(
        &mut self,
        device: &wgpu::Device,
        maps: &Maps,
        air: &ViewTable,
        (drape, sources): (&Drape, &SourceMap),
        uniforms: &wgpu::Buffer,
    ) -> Result<(), PipelineError> {
        self.ground_bindings =
            bind_ground(device, (&self.ground, self.shows_mesh), maps, air, (drape, sources), uniforms)?;
        Ok(())
    }

    /// Whether the device draws the edges of triangles.
    pub fn draws_wireframes(&self) -> bool {
        self.wire.is_some()
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
    maps: &Maps,
    air: &ViewTable,
    (drape, sources): (&Drape, &SourceMap),
    uniforms: &wgpu::Buffer,
) -> Result<wgpu::BindGroup, PipelineError> {
    if shows_mesh {
        let resources = [
            ("frame", uniforms.as_entire_binding()),
            ("source_layers", wgpu::BindingResource::TextureView(&sources.view)),
            ("source_squares", sources.places.as_entire_binding()),
        ];
        return ground.bind_group(device, 0, &resources);
    }
    let texture = wgpu::BindingResource::TextureView;
    let resources = [
        ("frame", uniforms.as_entire_binding()),
        ("relief", texture(&maps.relief)),
        ("ramp", texture(&maps.ramp)),
        ("smooth_sampler", wgpu::BindingResource::Sampler(&maps.sampler)),
        ("view_light", texture(air.light())),
        ("ground_light", texture(air.ground_light())),
        ("imagery", texture(&drape.cube)),
        ("drape", texture(&drape.plane)),
        ("drape_place", drape.place.as_entire_binding()),
    ];
    ground.bind_group(device, 0, &resources)
}

struct PassOptions<'a> {
    vertex: &'a str,
    fragment: &'a str,
    buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    cull: Option<wgpu::Face>,
    write_depth: bool,
    compare: wgpu::CompareFunction,
    /// Edges of triangles, blended over what is there, in place of their insides.
    edges: bool,
}

fn pass(
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
        &RenderOptions {
            vertex: options.vertex,
            fragment: Some(options.fragment),
            buffers: options.buffers,
            targets: &[Some(wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL })],
            primitive: wgpu::PrimitiveState {
                cull_mode: options.cull,
                polygon_mode,
                ..wgpu::PrimitiveState::default()
            },
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH_FORMAT,
                depth_write_enabled: Some(options.write_depth),
                depth_compare: Some(options.compare),
                stencil: wgpu::StencilState::default(),
                bias: wgpu::DepthBiasState::default(),
            }),
            multisample: wgpu::MultisampleState { count: samples, ..wgpu::MultisampleState::default() },
            constants: &[],
            layout: LayoutOptions::default(),
        },
    )
}
