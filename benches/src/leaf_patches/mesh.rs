//! What does a mesh of patches consist of? A pool of leaves over the ground of a [`GpuTerrain`], and the passes that place and draw what its
//! leaves draw.

use anyhow::{Context as _, Result};
use glam::{Mat4, Vec2, Vec3, Vec4Swizzles as _};
use gpu::{Gpu, pipeline::ComputeKernel, transfer};
use terrain::{
    GpuTerrain, TerrainVertex,
    bisection::MAX_DEPTH,
    pool::gpu::{GpuPool, PoolControl},
};

use super::pattern::Pattern;

/// Slots of a workgroup.
const BLOCK: u32 = 256;

/// A pool whose leaves draw patches.
pub struct PatchMesh {
    pub pattern: Pattern,
    pool: GpuPool,
    tolerance: wgpu::Buffer,
    classify: [wgpu::BindGroup; 2],
    survey: (ComputeKernel, [wgpu::BindGroup; 2]),
    evaluate: (ComputeKernel, [wgpu::BindGroup; 4]),
    errors: (ComputeKernel, [wgpu::BindGroup; 4]),
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    indexed_draw: wgpu::Buffer,
    ratios: wgpu::Buffer,
}

impl PatchMesh {
    /// The roots, with room for `slots` leaves of 2^`levels` triangles.
    pub fn new(gpu: &Gpu, terrain: &GpuTerrain, slots: u32, levels: u32) -> Result<PatchMesh> {
        let device = &gpu.device;
        let pattern = Pattern::new(levels);
        let pool = GpuPool::new(device, u64::from(slots), MAX_DEPTH - levels, |composer| {
            composer.bind("terrain/pool/priority", "leaf_patches/priority.wgsl", include_str!("priority.wgsl"));
        })?;
        use wgpu::BufferUsages as Usage;
        let buffer = |size: u64, usage| {
            device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
        };
        let tolerance = buffer(16, Usage::UNIFORM | Usage::COPY_DST);
        let vertex_bytes = u64::from(slots * pattern.vertices()) * size_of::<TerrainVertex>() as u64;
        let vertices = buffer(vertex_bytes, Usage::STORAGE | Usage::VERTEX | Usage::COPY_SRC);
        let all = pattern.indices(slots);
        let indices = buffer(4 * all.len() as u64, Usage::INDEX | Usage::COPY_DST);
        gpu.queue.write_buffer(&indices, 0, bytemuck::cast_slice(&all));
        let cuts = transfer::upload(device, "cuts", pattern.cuts().as_flattened());
        let indexed_draw = buffer(20, Usage::STORAGE | Usage::INDIRECT);
        let draw = buffer(16, Usage::STORAGE);
        let live_before = buffer(4 * u64::from(slots.div_ceil(BLOCK)), Usage::STORAGE);
        let ratios = buffer(4 * u64::from(slots * pattern.count()), Usage::STORAGE | Usage::COPY_SRC);

        let mut composer = terrain::composer();
        composer.bind("bench/pattern", "pattern.wgsl", &pattern.wgsl());
        composer.bind("bench/place", "leaf_patches/place.wgsl", include_str!("place.wgsl"));
        composer.bind("bench/evaluate", "leaf_patches/evaluate.wgsl", include_str!("evaluate.wgsl"));
        composer.bind("bench/errors", "leaf_patches/errors.wgsl", include_str!("errors.wgsl"));
        let kernel = |module: &str, entry: &str| -> Result<ComputeKernel> {
            Ok(ComputeKernel::new(device, &composer.compose(module)?, entry, &Default::default())?)
        };
        let (survey, evaluate, errors) = (
            kernel("terrain/mesh/survey", "survey")?,
            kernel("bench/evaluate", "evaluate")?,
            kernel("bench/errors", "errors")?,
        );
        let (view, planet) = terrain.view_bindings();
        let buffers = pool.buffers();
        let control = ("control", buffers.control.as_entire_binding());
        let bits = ("bits", buffers.bits.as_entire_binding());
        let live_bound = ("live_before", live_before.as_entire_binding());
        let draw_bound = ("draw", draw.as_entire_binding());
        let vertices_bound = ("vertices", vertices.as_entire_binding());
        let leaves = [
            control.clone(),
            bits.clone(),
            ("heap", buffers.heap.as_entire_binding()),
            ("bisectors", buffers.bisectors.as_entire_binding()),
        ];
        let priority = [&view[..], &[("tolerance", tolerance.as_entire_binding())]].concat();
        let groups = |kernel: &ComputeKernel, last: &[(&str, wgpu::BindingResource<'_>)]| -> Result<_> {
            Ok([
                kernel.bind_group(device, 0, &leaves)?,
                kernel.bind_group(device, 1, &view)?,
                kernel.bind_group(device, 2, std::slice::from_ref(&planet))?,
                kernel.bind_group(device, 3, last)?,
            ])
        };
        let evaluate_groups = groups(
            &evaluate,
            &[
                live_bound.clone(),
                draw_bound.clone(),
                vertices_bound,
                ("indexed_draw", indexed_draw.as_entire_binding()),
            ],
        )?;
        let errors_groups = groups(
            &errors,
            &[live_bound.clone(), ("cuts", cuts.as_entire_binding()), ("ratios", ratios.as_entire_binding())],
        )?;
        let survey_groups =
            [survey.bind_group(device, 0, &[control, bits])?, survey.bind_group(device, 3, &[live_bound, draw_bound])?];
        let classify = [
            pool.priority_bind_group(device, 1, &priority)?,
            pool.priority_bind_group(device, 2, std::slice::from_ref(&planet))?,
        ];
        Ok(PatchMesh {
            pattern,
            pool,
            tolerance,
            classify,
            survey: (survey, survey_groups),
            evaluate: (evaluate, evaluate_groups),
            errors: (errors, errors_groups),
            vertices,
            indices,
            indexed_draw,
            ratios,
        })
    }

    /// Leaves tolerate this many times what the terrain does.
    pub fn set_tolerance(&self, queue: &wgpu::Queue, factor: f64) {
        queue.write_buffer(&self.tolerance, 0, bytemuck::cast_slice(&[factor as f32, 0.0, 0.0, 0.0]));
    }

    /// Records an update of the leaves.
    pub fn encode_topology(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_bind_group(2, &self.classify[1], &[]);
        self.pool.encode_update(pass, Some(&self.classify[0]));
    }

    /// Records the placing of what the leaves draw.
    pub fn encode_vertices(&self, pass: &mut wgpu::ComputePass<'_>) {
        let (survey, groups) = &self.survey;
        pass.set_pipeline(survey.pipeline());
        pass.set_bind_group(0, &groups[0], &[]);
        pass.set_bind_group(3, &groups[1], &[]);
        pass.dispatch_workgroups(1, 1, 1);
        self.encode(pass, &self.evaluate, self.pattern.vertices());
    }

    /// Draws with the pipeline of the pass.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_vertex_buffer(0, self.vertices.slice(..));
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed_indirect(&self.indexed_draw, 0);
    }

    /// Triangles that are drawn after the updates that were submitted.
    pub fn triangles(&self, gpu: &Gpu) -> Result<u32> {
        let words: Vec<u32> = transfer::download(gpu, &self.pool.buffers().control)?;
        let control: PoolControl = bytemuck::pod_read_unaligned(bytemuck::cast_slice(&words));
        // Those of before the last update; after it is settled they are the same.
        Ok(control.live * self.pattern.count())
    }

    /// The error, in tolerated errors of the terrain, that this part of the covered pixels does not exceed; of what was placed last,
    /// seen through `to_clip`. Triangles count by the pixels that they cover, whether others are before them or not.
    pub fn error(&self, gpu: &Gpu, to_clip: &Mat4, size_px: Vec2, part: f64) -> Result<f64> {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.encode(&mut encoder.begin_compute_pass(&Default::default()), &self.errors, self.pattern.count());
        gpu.queue.submit([encoder.finish()]);
        let triangles = self.triangles(gpu)? as usize;
        let ratios: Vec<f32> = bytemuck::cast_vec(transfer::download::<u32>(gpu, &self.ratios)?);
        let words: Vec<u32> = transfer::download(gpu, &self.vertices)?;
        let vertices: &[TerrainVertex] = bytemuck::cast_slice(&words);
        let screen = |index: u32| {
            let clip = *to_clip * Vec3::from_array(vertices[index as usize].position_m).extend(1.0);
            (0.5 * size_px * clip.xy() / clip.w, clip.w)
        };
        let mut covered: Vec<(f32, f64)> = Vec::new();
        let mut all = 0.0;
        for (at, &ratio) in ratios[..triangles].iter().enumerate() {
            let (leaf, cut) = (at as u32 / self.pattern.count(), at % self.pattern.triangles.len());
            let corners = self.pattern.triangles[cut].map(|index| screen(leaf * self.pattern.vertices() + index));
            let [(a, _), (b, _), (c, _)] = corners;
            let middle = (a + b + c) / 3.0;
            // Those that pass the eye cover no area that could be told.
            if corners.iter().any(|(_, w)| *w < 1.0) || middle.abs().cmpgt(0.5 * size_px).any() {
                continue;
            }
            let area_px = f64::from(0.5 * (b - a).perp_dot(c - a)).max(0.0);
            covered.push((ratio, area_px));
            all += area_px;
        }
        covered.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut above = 0.0;
        let found = covered.iter().find(|(_, area_px)| {
            above += area_px;
            above > (1.0 - part) * all
        });
        Ok(f64::from(found.context("no triangle is in the picture")?.0))
    }

    fn encode(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        (kernel, groups): &(ComputeKernel, [wgpu::BindGroup; 4]),
        y: u32,
    ) {
        pass.set_pipeline(kernel.pipeline());
        for (index, group) in groups.iter().enumerate() {
            pass.set_bind_group(index as u32, group, &[]);
        }
        pass.dispatch_workgroups(self.pool.capacity().div_ceil(BLOCK), y, 1);
    }
}
