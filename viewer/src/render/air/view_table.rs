//! The table of the air in front of everything: made on the GPU, when eye or sun have moved.

use half::f16;
use kernels::pipeline::{ComputeKernel, ComputeOptions, PipelineError};
use shaders::Composed;

use super::tables::{Grid, Tables};
use crate::render::frame::FrameUniforms;

/// Texels by azimuth to the sun, by zenith angle, and by air; twins in `shaders/viewer/air.wgsl`.
const SIZE: [u32; 3] = [32, 64, 8];

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
        tables: &Tables,
        sampler: &wgpu::Sampler,
        uniforms: &wgpu::Buffer,
    ) -> Result<ViewTable, PipelineError> {
        let kernel = ComputeKernel::with_embedded_loops(device, shader, "fill", &ComputeOptions::default())?;
        let light = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("light of the air"),
            size: wgpu::Extent3d { width: SIZE[0], height: SIZE[1], depth_or_array_layers: SIZE[2] },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D3,
            format: wgpu::TextureFormat::Rgba16Float,
            usage: wgpu::TextureUsages::TEXTURE_BINDING
                | wgpu::TextureUsages::STORAGE_BINDING
                | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let light = light.create_view(&wgpu::TextureViewDescriptor::default());
        let transmittance = upload(device, queue, &[tables.transmittance.grid()]);
        let multiple = upload(device, queue, &[tables.multiple.grid()]);
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
        let ground_light = upload(device, queue, &tables.ground_light.grids());
        Ok(ViewTable { kernel, bindings, light, ground_light, made_for: None })
    }

    /// Light scattered towards the eye.
    pub fn light(&self) -> &wgpu::TextureView {
        &self.light
    }

    /// Light on the ground, of the sun and below it of the sky.
    pub fn ground_light(&self) -> &wgpu::TextureView {
        &self.ground_light
    }

    /// Records that the table is made for the frame, unless it is there.
    pub fn update(&mut self, encoder: &mut wgpu::CommandEncoder, uniforms: &FrameUniforms) {
        let wanted = uniforms.air();
        if self.made_for == Some(wanted) {
            return;
        }
        self.made_for = Some(wanted);
        let mut pass = encoder
            .begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some("light of the air"), timestamp_writes: None });
        pass.set_pipeline(self.kernel.pipeline());
        pass.set_bind_group(0, &self.bindings, &[]);
        let [x, y, _] = self.kernel.workgroup_size();
        pass.dispatch_workgroups(SIZE[0].div_ceil(x), SIZE[1].div_ceil(y), 1);
    }
}

/// A texture of grids of one size, one below the other.
fn upload(device: &wgpu::Device, queue: &wgpu::Queue, grids: &[&Grid]) -> wgpu::TextureView {
    let [width, rows] = grids[0].size.map(|n| n as u32);
    let size = wgpu::Extent3d { width, height: rows * grids.len() as u32, depth_or_array_layers: 1 };
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
    let texels: Vec<[u16; 4]> = grids
        .iter()
        .flat_map(|grid| &grid.texels)
        .map(|c| [c.x, c.y, c.z, 1.0].map(|v| f16::from_f32(v).to_bits()))
        .collect();
    queue.write_texture(
        texture.as_image_copy(),
        bytemuck::cast_slice(&texels),
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(width * 8), rows_per_image: Some(size.height) },
        size,
    );
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}
