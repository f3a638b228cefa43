//! How does an entry point become a compute pipeline?

use super::{LayoutOptions, Layouts, PipelineError, scoped};
use derive_setters::Setters;
use shaders::{Composed, Segment};

/// Choices for a compute pipeline.
///
/// ```
/// use gpu::{Gpu, pipeline::{ComputeKernel, ComputeOptions}};
/// let gpu = Gpu::new(&Default::default())?;
/// let text = "override SIDE: u32 = 1u;
/// @group(0) @binding(0) var<storage, read_write> x: array<u32>;
/// @compute @workgroup_size(8, 8) fn fill() { x[0] = SIDE; }";
/// let composed = shaders::Composer::new().bind("fill", "fill.wgsl", text).compose("fill")?;
/// let options = ComputeOptions::default().with_constants(&[("SIDE", 16.0)]);
/// let kernel = ComputeKernel::new(&gpu.device, &composed, "fill", &options)?;
/// assert!(kernel.workgroup_size() == [8, 8, 1] && kernel.layouts().uses(0, "x"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct ComputeOptions<'a> {
    /// Values of `override` constants.
    pub constants: &'a [(&'a str, f64)],
    /// What WGSL does not say about the layouts.
    pub layout: LayoutOptions<'a>,
    /// The shader never reads workgroup memory before writing it: spares the driver's clearing.
    pub workgroup_memory_uncleared: bool,
}

/// A compute pipeline with its layouts.
#[derive(Clone, Debug)]
pub struct ComputeKernel {
    pipeline: wgpu::ComputePipeline,
    layouts: Layouts,
    workgroup_size: [u32; 3],
}

/// The wgpu module of a composed shader, with all of wgpu's run-time checks.
pub fn shader_module(device: &wgpu::Device, composed: &Composed) -> wgpu::ShaderModule {
    device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(composed.label()),
        source: wgpu::ShaderSource::Wgsl(composed.source().into()),
    })
}

impl ComputeKernel {
    /// The pipeline of entry point `entry`.
    pub fn new(
        device: &wgpu::Device,
        composed: &Composed,
        entry: &str,
        options: &ComputeOptions<'_>,
    ) -> Result<Self, PipelineError> {
        let layouts = Layouts::new(device, composed, &[entry], &options.layout)?;
        let module = scoped(device, composed.label(), || shader_module(device, composed))?;
        Self::with_module(device, composed, &module, layouts, entry, options)
    }

    /// [`new`](Self::new) without the counter that wgpu puts into every loop, which keeps drivers from unrolling, if all loops
    /// are in modules of a [`Library`](shaders::Library) that promises that they end; else the same.
    pub fn with_embedded_loops(
        device: &wgpu::Device,
        composed: &Composed,
        entry: &str,
        options: &ComputeOptions<'_>,
    ) -> Result<Self, PipelineError> {
        // SAFETY: the library has promised it.
        unsafe { Self::with_loops_that_end(device, composed, entry, options, |segment| segment.loops_end) }
    }

    /// [`with_embedded_loops`](Self::with_embedded_loops), where `ends` says of a segment whether all its loops end.
    ///
    /// # Safety
    /// Every loop of a segment of which `ends` says so does end.
    pub unsafe fn with_loops_that_end(
        device: &wgpu::Device,
        composed: &Composed,
        entry: &str,
        options: &ComputeOptions<'_>,
        ends: impl Fn(&Segment) -> bool,
    ) -> Result<Self, PipelineError> {
        if !composed.loops().into_iter().all(ends) {
            return Self::new(device, composed, entry, options);
        }
        let layouts = Layouts::new(device, composed, &[entry], &options.layout)?;
        let checks = wgpu::ShaderRuntimeChecks { force_loop_bounding: false, ..wgpu::ShaderRuntimeChecks::checked() };
        let descriptor = wgpu::ShaderModuleDescriptor {
            label: Some(composed.label()),
            source: wgpu::ShaderSource::Wgsl(composed.source().into()),
        };
        let module = scoped(device, composed.label(), || {
            // SAFETY: of all checks only the bounding of loops is left out, whose condition is that no loop runs forever: the caller
            // says so.
            unsafe { device.create_shader_module_trusted(descriptor, checks) }
        })?;
        Self::with_module(device, composed, &module, layouts, entry, options)
    }

    fn with_module(
        device: &wgpu::Device,
        composed: &Composed,
        module: &wgpu::ShaderModule,
        layouts: Layouts,
        entry: &str,
        options: &ComputeOptions<'_>,
    ) -> Result<Self, PipelineError> {
        let label = format!("{}:{entry}", composed.label());
        let pipeline = scoped(device, &label, || {
            device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(&label),
                layout: Some(layouts.pipeline_layout()),
                module,
                entry_point: Some(entry),
                compilation_options: wgpu::PipelineCompilationOptions {
                    constants: options.constants,
                    zero_initialize_workgroup_memory: !options.workgroup_memory_uncleared,
                },
                cache: None,
            })
        })?;
        let workgroup_size = composed.entry_point(entry).map_or([0; 3], |point| point.workgroup_size);
        Ok(Self { pipeline, layouts, workgroup_size })
    }

    /// wgpu's pipeline.
    pub fn pipeline(&self) -> &wgpu::ComputePipeline {
        &self.pipeline
    }

    /// The layouts, by group.
    pub fn layouts(&self) -> &Layouts {
        &self.layouts
    }

    /// Invocations a workgroup, as written in WGSL (before `override`s).
    pub fn workgroup_size(&self) -> [u32; 3] {
        self.workgroup_size
    }

    /// A bind group of named resources for group `group`.
    pub fn bind_group(
        &self,
        device: &wgpu::Device,
        group: u32,
        resources: &[(&str, wgpu::BindingResource<'_>)],
    ) -> Result<wgpu::BindGroup, PipelineError> {
        self.layouts.bind_group(device, group, resources)
    }
}
