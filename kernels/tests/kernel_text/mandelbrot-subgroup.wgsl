// mandelbrot-subgroup, as `KernelPlan::wgsl` gives it.

const WORKGROUP_X: u32 = 128u;
const WORKGROUP_Y: u32 = 1u;
const WORKGROUP_Z: u32 = 1u;
const WORKGROUP: u32 = 128u;

struct KernelSpace {
    first: vec3u,
    columns: u32,
    end: vec3u,
    rows: u32,
}

struct KernelArguments {
    space: KernelSpace,
    width: u32,
    height: u32,
    scale: f32,
    picture_len: u32,
}

@group(0) @binding(0) var<uniform> arguments: KernelArguments;
@group(0) @binding(1) var<storage, read_write> picture: array<u32>;
@group(0) @binding(2) var<storage, read_write> inside__parts: array<u32>;
@group(0) @binding(3) var<storage, read_write> inside__out: array<u32>;

var<private> inside_: u32;
fn inside__start() -> u32 {
    let middle = vec2f(f32(arguments.width), f32(arguments.height)) * 0.5f;
    return 0u;
}
//!once kernel_text::steps
// Steps until a point leaves.
fn steps(c: vec2f) -> u32 {
    var z = vec2f(0.0f);
    for (var step_ = 0u; step_ < 64u; step_++) {
        if dot(z, z) > 4.0f {
            return step_;
        }
        z = vec2f(z.x * z.x - z.y * z.y, 2.0f * z.x * z.y) + c;
    }
    return 64u;
}
//!end

//!once kernel_text::mandelbrot
// A picture of the Mandelbrot set, and how many points are inside.
fn mandelbrot(y: u32, x: u32) {
    let middle = vec2f(f32(arguments.width), f32(arguments.height)) * 0.5f;
    let at = vec2f(f32(x), f32(y)) - middle;
    let found = steps(at * arguments.scale);
    picture[y * arguments.width + x] = found;
    if found == 64 {
        inside_ += 1u;
    }
}
//!end

//!requires subgroups
//!import device/kernel/variables
//!import device/kernel/function

struct KernelLane {
    @builtin(local_invocation_index) rank: u32,
    @builtin(subgroup_invocation_id) lane: u32,
    @builtin(subgroup_id) subgroup: u32,
}

struct KernelGroup {
    @builtin(workgroup_id) workgroup: vec3u,
    @builtin(num_workgroups) workgroups: vec3u,
    @builtin(subgroup_size) size: u32,
    @builtin(num_subgroups) subgroups: u32,
}

fn inside__combined(a: u32, b: u32) -> u32 {
    return a + b;
}

fn inside__of_subgroup(value: u32, lane: KernelLane, group: KernelGroup) -> u32 {
    return subgroupAdd(value);
}

var<workgroup> inside__shared: array<u32, 16>;

fn inside__of_workgroup(value: u32, lane: KernelLane, group: KernelGroup) -> u32 {
    let sum = inside__of_subgroup(value, lane, group);
    if lane.lane == 0u {
        inside__shared[lane.subgroup] = sum;
    }
    workgroupBarrier();
    var all = u32();
    for (var other = lane.lane; other < group.subgroups; other += group.size) {
        all = inside__combined(all, inside__shared[other]);
    }
    return inside__of_subgroup(all, lane, group);
}

@compute @workgroup_size(WORKGROUP)
fn mandelbrot_items(lane: KernelLane, group: KernelGroup) {
    inside_ = u32();
    let end = arguments.space.end - arguments.space.first;
    let stride = group.workgroups.x * WORKGROUP;
    for (var item = group.workgroup.x * WORKGROUP + lane.rank; item < end.x * end.y; item += stride) {
        let x = arguments.space.first.x + item % end.x;
        let y = arguments.space.first.y + item / end.x;
        mandelbrot(y, x);
    }
    let inside__sum = inside__of_workgroup(inside_, lane, group);
    if lane.rank == 0u {
        inside__parts[group.workgroup.x] = inside__sum;
    }
}

@compute @workgroup_size(WORKGROUP)
fn mandelbrot_totals(lane: KernelLane, group: KernelGroup) {
    inside_ = u32();
    for (var part = lane.rank; part < arguments.space.columns; part += WORKGROUP) {
        inside_ = inside__combined(inside_, inside__parts[part]);
    }
    let inside__sum = inside__of_workgroup(inside_, lane, group);
    if lane.rank == 0u {
        inside__out[0] = inside__combined(inside__start(), inside__sum);
    }
}
