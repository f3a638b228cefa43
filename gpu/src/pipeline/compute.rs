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
///
/// ```
/// use gpu::{Gpu, pipeline::{LayoutOptions, Layouts, shader_module}, transfer};
///
/// let gpu = Gpu::new(&Default::default())?;
/// let text = "@group(0) @binding(2) var<storage, read_write> x: array<u32>;
/// @compute @workgroup_size(1) fn seven() { x[0] = 7u; }";
/// let composed = shaders::Composer::new().bind("seven", "seven.wgsl", text).compose("seven")?;
/// let layouts = Layouts::new(&gpu.device, &composed, &["seven"], &LayoutOptions::default())?;
/// // Pipeline and bind group by wgpu's own calls, with the layouts of reflection.
/// let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
///     label: None,
///     layout: Some(layouts.pipeline_layout()),
///     module: &shader_module(&gpu.device, &composed),
///     entry_point: Some("seven"),
///     compilation_options: Default::default(),
///     cache: None,
/// });
/// let x = transfer::storage::<u32>(&gpu.device, "x", 1);
/// let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
///     label: None,
///     layout: layouts.group(0).expect("`x` is in it").layout(),
///     entries: &[wgpu::BindGroupEntry { binding: 2, resource: x.as_entire_binding() }],
/// });
/// let mut encoder = gpu.device.create_command_encoder(&Default::default());
/// let mut pass = encoder.begin_compute_pass(&Default::default());
/// pass.set_pipeline(&pipeline);
/// pass.set_bind_group(0, &group, &[]);
/// pass.dispatch_workgroups(1, 1, 1);
/// drop(pass);
/// gpu.queue.submit([encoder.finish()]);
/// assert_eq!(transfer::download::<u32>(&gpu, &x)?, [7]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    ///
    /// ```
    /// use gpu::{Gpu, pipeline::ComputeKernel, transfer};
    /// use shaders::{Composer, EmbeddedModule, Library};
    ///
    /// const TEXT: &str = "@group(0) @binding(0) var<storage, read_write> x: array<u32>;
    /// @compute @workgroup_size(1) fn sum() { for (var i = 1u; i < 5u; i += 1u) { x[0] += i; } }";
    /// const MODULES: &[EmbeddedModule] = &[EmbeddedModule { name: "sum", file: "shaders/sum.wgsl", text: TEXT }];
    /// // SAFETY: the one loop has four turns.
    /// let library = unsafe { Library::new(MODULES).with_loops_that_end() };
    /// let gpu = Gpu::new(&Default::default())?;
    /// let composed = Composer::of(&[library]).compose("sum")?;
    /// let kernel = ComputeKernel::with_embedded_loops(&gpu.device, &composed, "sum", &Default::default())?;
    /// let x = transfer::upload(&gpu.device, "x", &[0u32]);
    /// let group = kernel.bind_group(&gpu.device, 0, &[("x", x.as_entire_binding())])?;
    /// # let mut encoder = gpu.device.create_command_encoder(&Default::default());
    /// # let mut pass = encoder.begin_compute_pass(&Default::default());
    /// # pass.set_pipeline(kernel.pipeline());
    /// # pass.set_bind_group(0, &group, &[]);
    /// // ... in a pass, with the kernel's pipeline and the group set ...
    /// pass.dispatch_workgroups(1, 1, 1);
    /// # drop(pass);
    /// # gpu.queue.submit([encoder.finish()]);
    /// assert_eq!(transfer::download::<u32>(&gpu, &x)?, [10]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
    ///
    /// ```
    /// use gpu::{Gpu, pipeline::ComputeKernel, transfer};
    ///
    /// let text = "@group(0) @binding(0) var<storage, read_write> x: array<u32>;
    /// @compute @workgroup_size(1) fn sum() { for (var i = 1u; i < 5u; i += 1u) { x[0] += i; } }";
    /// let gpu = Gpu::new(&Default::default())?;
    /// let composed = shaders::Composer::new().bind("sum", "sum.wgsl", text).compose("sum")?;
    /// let (options, known) = (Default::default(), |segment: &shaders::Segment| segment.module == "sum");
    /// // SAFETY: the one loop of `sum` has four turns.
    /// let kernel = unsafe { ComputeKernel::with_loops_that_end(&gpu.device, &composed, "sum", &options, known)? };
    /// let x = transfer::upload(&gpu.device, "x", &[0u32]);
    /// let group = kernel.bind_group(&gpu.device, 0, &[("x", x.as_entire_binding())])?;
    /// # let mut encoder = gpu.device.create_command_encoder(&Default::default());
    /// # let mut pass = encoder.begin_compute_pass(&Default::default());
    /// # pass.set_pipeline(kernel.pipeline());
    /// # pass.set_bind_group(0, &group, &[]);
    /// // ... in a pass, with the kernel's pipeline and the group set ...
    /// pass.dispatch_workgroups(1, 1, 1);
    /// # drop(pass);
    /// # gpu.queue.submit([encoder.finish()]);
    /// assert_eq!(transfer::download::<u32>(&gpu, &x)?, [10]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
