//! A kind of primitive and a shader of one's own over a tree: rays among spheres. `cargo run -p orogen-kernels --example trace_spheres`

use gpu::{Gpu, pipeline::ComputeKernel, transfer};
use kernels::{
    Count, GpuSlice, Kernels, Scratch,
    lbvh::{Aabb, Codes, GpuLbvh, Hit},
};

/// Says what primitives are: `lbvh_hit` returns the nearer of `best` and its own hit.
const SPHERES: &str = "
//!import kernels/lbvh/ray
@group(0) @binding(4) var<storage, read> spheres: array<vec4f>;

fn lbvh_hit(ray: LbvhPreparedRay, primitive: u32, best: LbvhHit) -> LbvhHit {
    let sphere = spheres[primitive];
    // The rays below all go along z, one unit for each unit of t.
    let offset = sphere.xyz - ray.origin;
    let half = sphere.w * sphere.w - dot(offset.xy, offset.xy);
    let t = offset.z - sqrt(max(half, 0.0));
    if half < 0.0 || t < ray.t_min || t >= best.t {
        return best;
    }
    return LbvhHit(t, primitive, 0.0, 0.0);
}";

/// One ray for each of 64 by 64 pixels.
const PICTURE: &str = "
//!import kernels/lbvh/trace
@group(0) @binding(5) var<storage, read_write> hits: array<LbvhHit>;

@compute @workgroup_size(8, 8)
fn picture(@builtin(global_invocation_id) id: vec3u) {
    let origin = vec3f(2.0 * vec2f(id.xy) / 64.0 - 1.0, -2.0);
    let ray = LbvhRay(origin, 0.0, vec3f(0.0, 0.0, 1.0), 10.0);
    hits[id.y * 64u + id.x] = lbvh_trace(ray, false, 30000u);
}";

fn main() {
    if let Err(error) = run() {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let gpu = Gpu::new(&gpu::GpuOptions::from_env())?;
    let (device, kernels) = (&gpu.device, Kernels::new(&gpu.device));

    // Spheres along a knot, and their boxes.
    let n = 500u32;
    let sphere = |k: u32| {
        let angle = k as f32 * std::f32::consts::TAU / n as f32;
        let wide = 0.6 + 0.25 * (3.0 * angle).cos();
        [wide * (2.0 * angle).cos(), wide * (2.0 * angle).sin(), 0.25 * (3.0 * angle).sin(), 0.07]
    };
    let spheres: Vec<[f32; 4]> = (0..n).map(sphere).collect();
    let around = |[x, y, z, r]: [f32; 4]| Aabb { low: [x - r, y - r, z - r], high: [x + r, y + r, z + r] };
    let boxes: Vec<Aabb> = spheres.iter().copied().map(around).collect();
    let (boxes, spheres) = (transfer::upload(device, "boxes", &boxes), transfer::upload(device, "spheres", &spheres));

    // Bound once; may be encoded every frame.
    let plan = kernels.lbvh()?;
    let tree = GpuLbvh::new(device, n)?;
    let scratch = Scratch::new(device, plan.scratch(n));
    let build = plan.bind(GpuSlice::whole(&boxes), Codes::Morton, &tree, Count::Fixed(n), &scratch)?;

    let mut composer = kernels::composer();
    composer.bind_module("kernels/lbvh/tree", "kernels/lbvh/tree_bound");
    composer.bind("kernels/lbvh/primitive", "spheres.wgsl", SPHERES);
    composer.bind("picture", "picture.wgsl", PICTURE);
    let picture = ComputeKernel::new(device, &composer.compose("picture")?, "picture", &Default::default())?;
    let hits = transfer::storage::<Hit>(device, "hits", 64 * 64);
    let resources = [
        ("nodes", tree.nodes().as_entire_binding()),
        ("primitives", tree.primitives().as_entire_binding()),
        ("spheres", spheres.as_entire_binding()),
        ("hits", hits.as_entire_binding()),
    ];
    let group = picture.bind_group(device, 0, &resources)?;

    let mut encoder = device.create_command_encoder(&Default::default());
    let mut pass = encoder.begin_compute_pass(&Default::default());
    build.encode(&mut pass);
    pass.set_pipeline(picture.pipeline());
    pass.set_bind_group(0, &group, &[]);
    pass.dispatch_workgroups(8, 8, 1);
    drop(pass);
    gpu.queue.submit([encoder.finish()]);

    let hits: Vec<Hit> = transfer::download(&gpu, &hits)?;
    // Nearer is darker; two rows of pixels are one of text.
    for row in hits.chunks(128) {
        let shade = |hit: &Hit| {
            if hit.primitive == Hit::MISS {
                ' '
            } else {
                ['#', '+', '-', '.'][((hit.t - 1.6) * 6.0).clamp(0.0, 3.0) as usize]
            }
        };
        println!("{}", row[..64].iter().map(shade).collect::<String>());
    }
    Ok(())
}
