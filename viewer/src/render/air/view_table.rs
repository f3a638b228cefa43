//! The table of the air in front of everything: made on the GPU, when eye or sun have moved.

use gpu::pipeline::{ComputeKernel, ComputeOptions, PipelineError};
use half::f16;
use shaders::Composed;

use super::grid::LightGrid;
use super::sizes::{VIEW_AZIMUTHS, VIEW_ZENITHS};
use super::tables::AirTables;
use crate::render::timer::{AuxiliaryPass, FrameTimer};

const SIZE: [u32; 2] = [VIEW_AZIMUTHS, VIEW_ZENITHS];

/// Makes and keeps the table.
#[derive(Debug)]
pub struct ViewTable {
    kernel: ComputeKernel,
    bindings: wgpu::BindGroup,
    light: wgpu::TextureView,
    ground_light: wgpu::TextureView,
    /// Height of the eye and cosine of the sun's zenith angle that the table was made for.
    made_for: Option<(f32, f32)>,
}

impl ViewTable {
    /// Uploads the tables and compiles `shader`, which is `viewer/view_table`; `uniforms` are those of the frame.
    ///
    /// # Errors
    /// [`PipelineError`] if the device refuses the pipeline.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        shader: &Composed,
        tables: &AirTables,
        sampler: &wgpu::Sampler,
        uniforms: &wgpu::Buffer,
    ) -> Result<ViewTable, PipelineError> {
        let kernel = ComputeKernel::with_embedded_loops(device, shader, "fill", &ComputeOptions::default())?;
        let light = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("light of the air"),
            size: wgpu::Extent3d { width: SIZE[0], height: SIZE[1], depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba16Float,
            // Copied from by the test alone.
            usage: wgpu::TextureUsages::TEXTURE_BINDING
                | wgpu::TextureUsages::STORAGE_BINDING
                | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let light = light.create_view(&wgpu::TextureViewDescriptor::default());
        let transmittance = upload(device, queue, tables.transmittance.grid(), std::iter::repeat(1.0));
        let multiple = upload(device, queue, tables.multiple.grid(), std::iter::repeat(1.0));
        let bindings = kernel.bind_group(
            device,
            0,
            &[
                ("frame", uniforms.as_entire_binding()),
                ("transmittance", wgpu::BindingResource::TextureView(&transmittance)),
                ("multiple", wgpu::BindingResource::TextureView(&multiple)),
                ("smooth_sampler", wgpu::BindingResource::Sampler(sampler)),
                ("view_light", wgpu::BindingResource::TextureView(&light)),
            ],
        )?;
        let ground_light = upload(device, queue, tables.ground_light.sun(), tables.ground_light.sky_green());
        Ok(ViewTable { kernel, bindings, light, ground_light, made_for: None })
    }

    /// Light scattered towards the eye.
    pub fn light(&self) -> &wgpu::TextureView {
        &self.light
    }

    /// Light on the ground, of the sun and of the sky.
    pub fn ground_light(&self) -> &wgpu::TextureView {
        &self.ground_light
    }

    /// Records that the table is made for a frame, unless it is there; `timer` times it. `wanted` is what the table depends on: the height of
    /// the eye, and the cosine of the sun's zenith angle there.
    pub fn update(&mut self, encoder: &mut wgpu::CommandEncoder, wanted: (f32, f32), timer: Option<&mut FrameTimer>) {
        if self.made_for == Some(wanted) {
            return;
        }
        self.made_for = Some(wanted);
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("light of the air"),
            timestamp_writes: timer.and_then(|timer| timer.auxiliary_compute_pass(AuxiliaryPass::Air)),
        });
        pass.set_pipeline(self.kernel.pipeline());
        pass.set_bind_group(0, &self.bindings, &[]);
        let [x, y, _] = self.kernel.workgroup_size();
        pass.dispatch_workgroups(SIZE[0].div_ceil(x), SIZE[1].div_ceil(y), 1);
    }
}

/// A texture of a grid, with one more number a texel.
fn upload(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    grid: &LightGrid,
    fourth: impl Iterator<Item = f32>,
) -> wgpu::TextureView {
    let [width, height] = grid.size.map(|n| n as u32);
    let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("table of light"),
        size,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba16Float,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let texels: Vec<[u16; 4]> =
        grid.texels.iter().zip(fourth).map(|(c, a)| [c.x, c.y, c.z, a].map(|v| f16::from_f32(v).to_bits())).collect();
    queue.write_texture(
        texture.as_image_copy(),
        bytemuck::cast_slice(&texels),
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(width * 8), rows_per_image: Some(height) },
        size,
    );
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

#[cfg(test)]
mod tests {
    use glam::{DMat3, DVec3, Vec3};
    use gpu::{Gpu, GpuOptions, transfer};

    use super::super::ground_light::scattered;
    use super::super::march::AirRay;
    use super::super::model::{Air, RADIUS_M, TOP_M, aerosol_phase, horizon_cos, top_cos};
    use super::*;
    use crate::camera::{Camera, Lens, Pose};
    use crate::frame::Viewport;
    use crate::overlays::OverlayParams;
    use crate::render::FrameUniforms;
    use crate::render::sun::Sky;

    /// The table for an eye over the equator, as read back.
    fn read(gpu: &Gpu, table: &mut ViewTable, uniforms: &wgpu::Buffer, height_m: f64, sun_deg: f64) -> Vec<[f32; 4]> {
        let camera =
            Camera::from_pose(&Pose { lat_deg: 0.0, lon_deg: 0.0, height_m, heading_deg: 0.0, pitch_deg: 0.0 });
        let sun = DVec3::new(sun_deg.to_radians().sin(), sun_deg.to_radians().cos(), 0.0);
        let viewport = Viewport { size_px: (64, 64), pixels_per_point: 1.0 };
        let frame = FrameUniforms::new(
            &camera,
            &Lens { fov_y_rad: 1.0 },
            &viewport,
            &Sky { sun, stars: DMat3::IDENTITY, moon_m: None },
            camera.eye_m,
            &OverlayParams::default(),
        );
        gpu.queue.write_buffer(uniforms, 0, bytemuck::bytes_of(&frame));
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        table.update(&mut encoder, frame.air(), None);
        gpu.queue.submit([encoder.finish()]);
        let halves: Vec<[u16; 4]> = transfer::download_texture(gpu, table.light.texture()).expect("a device");
        halves.into_iter().map(|texel| texel.map(|v| f16::from_bits(v).to_f32())).collect()
    }

    /// Law: a texel is the light of its ray, as integrated in ten times as many steps on the CPU: at noon, with the sun on
    /// the horizon, at night; from the beach, from a mountain, from the edge of the air, from orbit.
    #[test]
    fn texels_are_integrals_along_their_rays() {
        let gpu = Gpu::new(&GpuOptions::default().with_software(true)).expect("Mesa's lavapipe (./x setup)");
        let shader = crate::composer().compose("viewer/view_table").expect("it composes");
        let uniforms = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: size_of::<FrameUniforms>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..wgpu::SamplerDescriptor::default()
        });
        let tables = AirTables::new(Air::EARTH);
        let mut table =
            ViewTable::new(&gpu.device, &gpu.queue, &shader, &tables, &sampler, &uniforms).expect("a pipeline");
        for height_m in [2.0, 4_000.0, 90_000.0, 400_000.0, 12_000_000.0] {
            for sun_deg in [60.0, 1.0, -30.0] {
                let texels = read(&gpu, &mut table, &uniforms, height_m, sun_deg);
                // What a picture under that sun still shows.
                let dark = 2e-3 * texels.iter().map(|t| t[1]).fold(0.0, f32::max) + 1e-5;
                for row in (1..SIZE[1] - 1).step_by(3).filter(|row| row % (SIZE[1] / 2) != SIZE[1] / 2 - 1) {
                    for column in [0, 5, 17, SIZE[0] - 1] {
                        let [r, g, b, aerosol] = texels[(row * SIZE[0] + column) as usize];
                        let (want, view_sun) = expected(&tables, height_m as f32, sun_deg as f32, column, row);
                        let phase = aerosol_phase(view_sun);
                        let ratio = super::super::model::RAYLEIGH.y / super::super::model::RAYLEIGH;
                        let got = Vec3::new(r, g, b) * (Vec3::ONE + phase * aerosol / g.max(1e-7) * ratio);
                        let off = (got - want).abs();
                        let name = format!("{height_m} m, sun {sun_deg}, row {row}, column {column}: {got} for {want}");
                        assert!(off.y <= 0.06 * want.y + dark, "{name}");
                        // The colour of what aerosol scatters is an estimate, a rough one where a low sun makes it count.
                        let rough = if sun_deg < 10.0 { 0.5 } else { 0.15 };
                        assert!(off.max_element() <= rough * want.max_element() + dark, "{name}");
                    }
                }
            }
        }
    }

    /// The light of a texel's ray, and the cosine between the ray and the sun.
    fn expected(tables: &AirTables, height_m: f32, sun_deg: f32, column: u32, row: u32) -> (Vec3, f32) {
        let half = SIZE[1] / 2;
        let v = (row % half) as f32 / (half - 1) as f32;
        let u = column as f32 / (SIZE[0] - 1) as f32;
        let horizon = horizon_cos(RADIUS_M.into(), height_m.into()) as f32;
        let end = if row >= half { top_cos(RADIUS_M.into(), height_m.into()) as f32 } else { -1.0 };
        let cos = horizon + v * v * (end - horizon);
        let sun_cos = sun_deg.to_radians().sin();
        let sines = ((1.0 - cos * cos) * (1.0 - sun_cos * sun_cos)).sqrt();
        let view_sun = cos * sun_cos + sines * (1.0 - 2.0 * u * u);
        let (ray, sun_cos) = if height_m > TOP_M {
            let (eye_m, top_m) = (RADIUS_M + height_m, RADIUS_M + TOP_M);
            let sine = (eye_m / top_m * (1.0 - cos * cos).sqrt()).min(1.0);
            let entry_cos = -(1.0 - sine * sine).sqrt();
            let way_m = top_m * entry_cos - eye_m * cos;
            (AirRay::new(Air::EARTH, TOP_M, entry_cos), (eye_m * sun_cos + way_m * view_sun) / top_m)
        } else {
            (AirRay::new(Air::EARTH, height_m, cos), sun_cos)
        };
        (scattered(&tables.transmittance, &tables.multiple, &ray, sun_cos, view_sun, 320), view_sun)
    }
}
