//! What is the matrix product written by hand? The classic form: square tiles of both matrices in workgroup memory.

use gpu::{Gpu, pipeline::ComputeKernel};

const TILED: &str = "
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;

const N: u32 = SIZEu;
const TILE: u32 = 16u;
var<workgroup> a_tile: array<array<f32, TILE>, TILE>;
var<workgroup> b_tile: array<array<f32, TILE>, TILE>;

// A transposed times B, for sizes that are multiples of the tile.
@compute @workgroup_size(TILE, TILE)
fn product(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_id) local: vec3u) {
    let first = workgroup * TILE;
    var sum = 0.0;
    for (var k = 0u; k < N; k += TILE) {
        a_tile[local.y][local.x] = a[(k + local.y) * N + first.y + local.x];
        b_tile[local.y][local.x] = b[(k + local.y) * N + first.x + local.x];
        workgroupBarrier();
        //!unroll
        for (var turn = 0u; turn < TILE; turn += 1u) {
            sum += a_tile[turn][local.y] * b_tile[turn][local.x];
        }
        workgroupBarrier();
    }
    c[(first.y + local.y) * N + first.x + local.x] = sum;
}
";

/// The product of matrices of `n` rows, bound to three buffers.
pub struct Product {
    kernel: ComputeKernel,
    group: wgpu::BindGroup,
    n: u32,
}

impl Product {
    /// Compiles and binds.
    pub fn new(gpu: &Gpu, n: u32, [a, b, c]: [&wgpu::Buffer; 3]) -> anyhow::Result<Self> {
        let mut composer = shaders::Composer::new();
        composer.unroll("TILE", 16);
        composer.bind("hand", "hand.rs", &TILED.replace("SIZE", &n.to_string()));
        let composed = composer.compose("hand")?;
        let kernel = ComputeKernel::new(&gpu.device, &composed, "product", &Default::default())?;
        let resources = [("a", a.as_entire_binding()), ("b", b.as_entire_binding()), ("c", c.as_entire_binding())];
        let group = kernel.bind_group(&gpu.device, 0, &resources)?;
        Ok(Self { kernel, group, n })
    }

    /// Records the dispatch.
    pub fn encode(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_pipeline(self.kernel.pipeline());
        pass.set_bind_group(0, &self.group, &[]);
        pass.dispatch_workgroups(self.n / 16, self.n / 16, 1);
    }
}

/// Lines of it.
pub fn lines() -> usize {
    TILED.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with("//")).count()
}
