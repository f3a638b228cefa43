//! Does the device layer keep its promises: choice, capabilities, errors recorded, names checked?

use gpu::{
    Gpu, GpuError, GpuOptions, adapters,
    pipeline::{ComputeKernel, PipelineError, RenderKernel, RenderOptions},
};

fn software() -> GpuOptions {
    GpuOptions::default().with_software(true)
}

#[test]
fn software_is_software_and_subgroups_can_be_switched_off() {
    let gpu = Gpu::new(&software()).unwrap();
    assert!(gpu.caps.is_software());
    let without = Gpu::new(&software().with_disable_subgroups(true)).unwrap();
    assert_eq!(without.caps.subgroups, None);
    assert!(!without.device.features().contains(wgpu::Features::SUBGROUP));
    assert!(gpu.caps.to_string().contains(&gpu.caps.adapter));
    gpu.wait().unwrap();
}

#[test]
fn an_unknown_adapter_name_lists_what_there_is() {
    let options = GpuOptions::default().with_adapter_name(Some("no such adapter".to_owned()));
    let message = Gpu::new(&options).unwrap_err().to_string();
    assert!(message.contains("not the name asked for") && message.contains("mesa-vulkan-drivers"), "{message}");
    for line in adapters(&GpuOptions::default()) {
        assert!(message.contains(&line.name), "{message}");
    }
}

#[test]
fn no_backend_is_no_adapter() {
    let options = GpuOptions::default().with_backends(Some(wgpu::Backends::empty()));
    assert_eq!(Gpu::new(&options).unwrap_err(), GpuError::NoAdapter);
}

#[test]
fn validation_errors_are_recorded_once() {
    let gpu = Gpu::new(&software()).unwrap();
    let _rejected = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("impossible"),
        size: u64::MAX / 2,
        usage: wgpu::BufferUsages::STORAGE,
        mapped_at_creation: false,
    });
    match gpu.errors.check() {
        Err(GpuError::Uncaptured { first, count: 1 }) => assert!(first.contains("impossible"), "{first}"),
        other => panic!("one error was expected, not {other:?}"),
    }
    gpu.errors.check().unwrap();
}

fn copier(gpu: &Gpu) -> ComputeKernel {
    let mut composer = kernels::composer();
    composer.bind(
        "copy",
        "copy.wgsl",
        "@group(1) @binding(4) var<storage, read> source: array<u32>;
         @group(1) @binding(2) var<storage, read_write> target_: array<u32>;
         @group(0) @binding(0) var<uniform> unused: u32;
         @compute @workgroup_size(64) fn copy(@builtin(global_invocation_id) id: vec3u) { target_[id.x] = source[id.x]; }",
    );
    ComputeKernel::new(&gpu.device, &composer.compose("copy").unwrap(), "copy", &Default::default()).unwrap()
}

#[test]
fn bind_groups_are_checked_by_name() {
    let gpu = Gpu::new(&software()).unwrap();
    let buffer = |usage| {
        gpu.device.create_buffer(&wgpu::BufferDescriptor { label: None, size: 256, usage, mapped_at_creation: false })
    };
    let (a, b) = (buffer(wgpu::BufferUsages::STORAGE), buffer(wgpu::BufferUsages::STORAGE));
    let kernel = copier(&gpu);
    assert!(kernel.layouts().group(0).is_none(), "an unused binding is not in the layout");
    let bind = |resources: &[(&str, wgpu::BindingResource<'_>)]| kernel.bind_group(&gpu.device, 1, resources);

    bind(&[("source", a.as_entire_binding()), ("target_", b.as_entire_binding())]).unwrap();
    assert!(
        matches!(bind(&[("source", a.as_entire_binding())]), Err(PipelineError::Missing { name, .. }) if name == "target_")
    );
    let superfluous =
        [("source", a.as_entire_binding()), ("target_", b.as_entire_binding()), ("unused", a.as_entire_binding())];
    assert!(matches!(bind(&superfluous), Err(PipelineError::Superfluous { name, .. }) if name == "unused"));
    let twice = [("source", a.as_entire_binding()), ("source", b.as_entire_binding())];
    assert!(matches!(bind(&twice), Err(PipelineError::Twice { .. })));
    let uniform = buffer(wgpu::BufferUsages::UNIFORM);
    let wrong_usage = [("source", uniform.as_entire_binding()), ("target_", b.as_entire_binding())];
    assert!(matches!(bind(&wrong_usage), Err(PipelineError::Rejected { .. })));
    assert!(matches!(kernel.bind_group(&gpu.device, 0, &[]), Err(PipelineError::NoGroup { group: 0, .. })));
    gpu.errors.check().unwrap();
}

#[test]
fn what_the_device_lacks_is_an_error_before_the_pipeline() {
    let gpu = Gpu::new(&software().with_disable_subgroups(true)).unwrap();
    let mut composer = kernels::composer();
    composer.bind(
        "wide",
        "wide.wgsl",
        "//!requires subgroups\n@compute @workgroup_size(64) fn wide() { _ = subgroupAdd(1u); }",
    );
    let wide = composer.compose("wide").unwrap();
    let error = ComputeKernel::new(&gpu.device, &wide, "wide", &Default::default()).unwrap_err();
    assert_eq!(error.to_string(), "`wide` requires subgroups, which this device does not have");
    let error = ComputeKernel::new(&gpu.device, &wide, "narrow", &Default::default()).unwrap_err();
    assert!(matches!(error, PipelineError::MissingExtension { .. }));
    gpu.errors.check().unwrap();
}

#[test]
fn render_pipelines_take_the_bindings_of_both_stages() {
    let gpu = Gpu::new(&software()).unwrap();
    let mut composer = kernels::composer();
    composer.bind(
        "triangle",
        "triangle.wgsl",
        "@group(0) @binding(0) var<uniform> scale: vec4f;
         @group(0) @binding(1) var<uniform> tint: vec4f;
         @vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f { return scale * vec4f(f32(i & 1u), f32(i >> 1u), 0.5, 1.0); }
         @fragment fn fs() -> @location(0) vec4f { return tint; }",
    );
    let composed = composer.compose("triangle").unwrap();
    let targets = [Some(wgpu::TextureFormat::Rgba8Unorm.into())];
    let options = RenderOptions::default().with_vertex("vs").with_fragment(Some("fs")).with_targets(&targets);
    let kernel = RenderKernel::new(&gpu.device, &composed, &options).unwrap();
    let names: Vec<_> = kernel.layouts().group(0).unwrap().bindings().iter().map(|b| b.name.clone()).collect();
    assert_eq!(names, ["scale", "tint"]);
    let error = RenderKernel::new(&gpu.device, &composed, &options.with_vertex("main")).unwrap_err();
    assert_eq!(error.to_string(), "shader `triangle` has no entry point `main`, it has [vs, fs]");
}
