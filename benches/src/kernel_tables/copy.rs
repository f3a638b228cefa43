//! How fast can the device copy? By the copy command, and by kernels that read and write as other kernels do.
//!
//! The fastest is the speed that rows are compared with.

use super::device::{Pool, Slot, TimedKernel, time};
use super::report::{PrimitiveTime, times};
use anyhow::ensure;
use benches::timing::timed_runs;
use gpu::{Gpu, Timestamps, pipeline::ComputeKernel, transfer};
use std::time::Duration;

const KERNELS: &str = "
@group(0) @binding(0) var<storage, read> source: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> copied: array<vec4u>;
@group(0) @binding(2) var<storage, read> source_words: array<u32>;
@group(0) @binding(3) var<storage, read_write> copied_words: array<u32>;

@compute @workgroup_size(256)
fn vectors(@builtin(workgroup_id) workgroup: vec3u, @builtin(num_workgroups) workgroups: vec3u,
           @builtin(local_invocation_index) rank: u32) {
    let first = (workgroup.y * workgroups.x + workgroup.x) * 1024u + rank;
    for (var k = 0u; k < 4u; k += 1u) {
        let at = first + 256u * k;
        if at < arrayLength(&source) { copied[at] = source[at]; }
    }
}

@compute @workgroup_size(256)
fn words(@builtin(workgroup_id) workgroup: vec3u, @builtin(num_workgroups) workgroups: vec3u,
         @builtin(local_invocation_index) rank: u32) {
    let first = (workgroup.y * workgroups.x + workgroup.x) * 4096u + rank;
    for (var k = 0u; k < 16u; k += 1u) {
        let at = first + 256u * k;
        if at < arrayLength(&source_words) { copied_words[at] = source_words[at]; }
    }
}

// Each workgroup copies an even share of all, as the primitives do.
@compute @workgroup_size(256)
fn shares(@builtin(workgroup_id) workgroup: vec3u, @builtin(num_workgroups) workgroups: vec3u,
          @builtin(local_invocation_index) rank: u32) {
    let share = (arrayLength(&source_words) + workgroups.x - 1u) / workgroups.x;
    let end = min((workgroup.x + 1u) * share, arrayLength(&source_words));
    for (var at = workgroup.x * share + rank; at < end; at += 256u) { copied_words[at] = source_words[at]; }
}";

/// The rows of copying the words of the pool.
pub fn rows(gpu: &Gpu, pool: &Pool, reps: usize) -> anyhow::Result<Vec<PrimitiveTime>> {
    let n = pool.n;
    let mut rows = vec![command(gpu, pool, reps)?];
    let mut composer = shaders::Composer::new();
    composer.bind("copy", "copy kernels", KERNELS);
    let composed = composer.compose("copy")?;
    for (entry, workgroups) in
        [("vectors", n.div_ceil(4096)), ("words", n.div_ceil(4096)), ("shares", n.div_ceil(4096).min(1024))]
    {
        let kernel = ComputeKernel::new(&gpu.device, &composed, entry, &Default::default())?;
        let (from, to) = if entry == "vectors" { ("source", "copied") } else { ("source_words", "copied_words") };
        let [x, y, _] = kernels::indirect_arguments(workgroups, u32::MAX, 1);
        let set = |slot: &Slot| {
            let resources = [(from, slot.words.as_entire_binding()), (to, slot.output.as_entire_binding())];
            let group = kernel.bind_group(&gpu.device, 0, &resources)?;
            let pipeline = kernel.pipeline().clone();
            let encode = move |pass: &mut wgpu::ComputePass<'_>| {
                pass.set_pipeline(&pipeline);
                pass.set_bind_group(0, &group, &[]);
                pass.dispatch_workgroups(x, y, 1);
            };
            anyhow::Ok(TimedKernel { encode: Box::new(encode), result: slot.output.clone() })
        };
        let sets = pool.slots.iter().map(set).collect::<anyhow::Result<Vec<_>>>()?;
        let seconds = time(gpu, &sets, reps)?;
        let found = transfer::download::<u32>(gpu, &sets[0].result)?;
        ensure!(found[..n as usize] == pool.words, "copying {n} words by {entry}: the result is wrong");
        rows.push(times("copy", entry.to_owned(), n, 8.0, seconds));
    }
    Ok(rows)
}

/// The copy command.
fn command(gpu: &Gpu, pool: &Pool, reps: usize) -> anyhow::Result<PrimitiveTime> {
    ensure!(gpu.caps.timestamps >= Timestamps::Encoders, "the device has no timestamps outside passes");
    let bytes = 4 * u64::from(pool.n);
    let descriptor = wgpu::QuerySetDescriptor { label: None, ty: wgpu::QueryType::Timestamp, count: 2 };
    let queries = gpu.device.create_query_set(&descriptor);
    let resolved = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 16,
        usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    });
    let period_s = f64::from(gpu.queue.get_timestamp_period()) * 1e-9;
    let seconds = timed_runs(gpu, reps, |rep| {
        let [mut untimed, mut timed] = [(); 2].map(|()| gpu.device.create_command_encoder(&Default::default()));
        let slot = |index: usize| &pool.slots[index % pool.slots.len()];
        untimed.copy_buffer_to_buffer(&slot(2 * rep).words, 0, &slot(2 * rep).output, 0, bytes);
        timed.write_timestamp(&queries, 0);
        timed.copy_buffer_to_buffer(&slot(2 * rep + 1).words, 0, &slot(2 * rep + 1).output, 0, bytes);
        timed.write_timestamp(&queries, 1);
        timed.resolve_query_set(&queries, 0..2, &resolved, 0);
        gpu.queue.submit([untimed.finish()]);
        gpu.wait()?;
        gpu.queue.submit([timed.finish()]);
        let ticks: Vec<u64> = transfer::download(gpu, &resolved)?;
        Ok(Duration::from_secs_f64(ticks[1].saturating_sub(ticks[0]) as f64 * period_s))
    })?;
    Ok(times("copy", "command".to_owned(), pool.n, 8.0, seconds))
}
