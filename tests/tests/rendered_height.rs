//! Is the ground that a picture shows at the height that the source says? Known places, looked at from straight above
//! through the library alone: another program's device, pass and shader, and `Planet` drawn into them.

use std::sync::Arc;

use glam::{DVec3, Vec3, Vec4};
use gpu::{Gpu, GpuOptions, transfer};
use terrain::{
    Backend, Options, Planet, Quality, TerrainVertex, View,
    geodesy::{Ellipsoid, Geodetic, east_north_up},
    height::Relief,
};
use tests::reference_data::{Nodes, places};

/// Writes where the visible ground is, in metres relative to the eye, and the height that the vertices carry.
const SHADER: &str = "
struct Camera { right: vec4f, up: vec4f, forward: vec4f }
@group(0) @binding(0) var<uniform> camera: Camera;
struct Seen { @builtin(position) clip: vec4f, @location(0) position_m: vec3f, @location(1) height_m: f32 }

@vertex fn vertex(@location(0) position_m: vec3f, @location(1) height_m: f32) -> Seen {
    let depth = dot(camera.forward.xyz, position_m);
    let clip = vec4f(dot(camera.right.xyz, position_m), dot(camera.up.xyz, position_m), 0.5 * depth, depth);
    return Seen(clip, position_m, height_m);
}

@fragment fn fragment(seen: Seen) -> @location(0) vec4f {
    return vec4f(seen.position_m, seen.height_m);
}
";

/// Pixels each way; odd, so that the middle of the middle pixel is the line of sight.
const SIDE: u32 = 129;
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Float;

/// A view and what it shows in its middle pixel.
struct Probe {
    gpu: Gpu,
    planet: Planet,
    pipeline: wgpu::RenderPipeline,
    camera: wgpu::Buffer,
    group: wgpu::BindGroup,
    target: wgpu::Texture,
}

impl Probe {
    fn new(backend: Backend) -> Self {
        let gpu = Gpu::new(&GpuOptions::default().with_software(true)).expect("Mesa's lavapipe (./x setup)");
        let device = &gpu.device;
        let quality = Quality::default().with_pixel_error(0.5);
        let options = Options::default().with_backend(Some(backend)).with_quality(quality).with_pool_slots(1 << 14);
        let planet = Planet::new(device, Arc::new(Relief::embedded().unwrap()), options).unwrap();
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(SHADER.into()),
        });
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: None,
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vertex"),
                compilation_options: Default::default(),
                buffers: &[Some(TerrainVertex::LAYOUT)],
            },
            primitive: wgpu::PrimitiveState { cull_mode: Some(wgpu::Face::Back), ..Default::default() },
            depth_stencil: None,
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fragment"),
                compilation_options: Default::default(),
                targets: &[Some(FORMAT.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        let buffer = |size, usage| {
            device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
        };
        let camera = buffer(48, wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST);
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: camera.as_entire_binding() }],
        });
        let target = transfer::render_texture(device, "probe", (SIDE, SIDE), FORMAT);
        Self { gpu, planet, pipeline, camera, group, target }
    }

    /// ECEF position in metres of the ground in the middle of the settled picture, and the height its vertices carry.
    fn ground(&mut self, view: &View) -> (DVec3, f64) {
        for update in 0.. {
            let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
            let report = self.planet.update_complete(view, &self.gpu.queue, &mut encoder).unwrap();
            self.gpu.queue.submit([encoder.finish()]);
            self.gpu.wait().unwrap();
            if report.settled {
                assert_eq!(report.starved, 0);
                break;
            }
            assert!(update < 500, "never settles: {report:?}");
        }

        let forward = view.forward.normalize();
        let right = forward.cross(view.up).normalize();
        let scale = 1.0 / (0.5 * view.fov_y_rad).tan();
        let rows = [right * scale, right.cross(forward) * scale, forward].map(|row| Vec4::from((row.as_vec3(), 0.0)));
        self.gpu.queue.write_buffer(&self.camera, 0, bytemuck::cast_slice(&rows));

        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let target = self.target.create_view(&Default::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        self.planet.draw(&mut pass);
        drop(pass);
        self.gpu.queue.submit([encoder.finish()]);
        let pixels: Vec<[f32; 4]> = transfer::download_texture(&self.gpu, &self.target).unwrap();
        let pixel = pixels[pixels.len() / 2];
        let seen = Vec4::from(pixel);
        assert_ne!(seen, Vec4::ZERO, "a hole in the ground");
        (view.eye_m + Vec3::from_slice(&pixel).as_dvec3(), f64::from(seen.w))
    }
}

#[test]
fn known_places_are_within_one_posting_of_the_source() {
    let nodes = Nodes::read();
    Backend::ALL.into_iter().for_each(|backend| check_places(&nodes, &mut Probe::new(backend)));
}

/// What is drawn of each place is the source's.
fn check_places(nodes: &Nodes, probe: &mut Probe) {
    for place in places() {
        let above = Geodetic::from_degrees(place.lat_deg, place.lon_deg, 30_000.0);
        let (_, north, up) = east_north_up(above.normal());
        let view = View::perspective(above.to_ecef(Ellipsoid::WGS84), -up, north, 2_f64.to_radians(), (SIDE, SIDE));
        let (ground_m, carried_m) = probe.ground(&view);
        let seen = Ellipsoid::WGS84.geodetic(ground_m);
        let below = Geodetic { height_m: seen.height_m, ..above };
        assert!(
            (ground_m - below.to_ecef(Ellipsoid::WGS84)).length() < 1.0,
            "{}: not below the eye, at {seen:?}",
            place.name
        );

        let (low, high) = nodes.within_one_posting(place.lat_deg, place.lon_deg);
        assert!(low <= f64::from(place.nearest_node_m) && f64::from(place.nearest_node_m) <= high);
        let height_m = seen.height_m;
        assert!((low - 1.0..=high + 1.0).contains(&height_m), "{}: {height_m} m, not {low} to {high} m", place.name);
        // What is drawn, what the vertices say and what a query answers are one surface, to the tolerated error.
        let pixel_m = (30_000.0 - height_m) * 2.0 * 1_f64.to_radians().tan() / f64::from(SIDE);
        assert!((carried_m - height_m).abs() < pixel_m, "{}: {carried_m} m carried, {height_m} m drawn", place.name);
        let asked_m = probe.planet.height_m(above.normal());
        assert!((asked_m - height_m).abs() < pixel_m, "{}: {asked_m} m asked, {height_m} m drawn", place.name);
    }
}
