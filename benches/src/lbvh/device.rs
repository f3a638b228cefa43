//! Rows of a device, timed by its own timestamps on buffers that stay where they are (hot).

use super::{
    report::{TreeTimes, share_of_hits},
    scene::{Kind, Scene},
};
use anyhow::{Context, ensure};
use benches::{figures::median, timing::timed_passes};
use gpu::{Gpu, timing::PassTimer, transfer};
use kernels::{
    BoundKernel, Count, GpuSlice, Kernels, Scratch,
    lbvh::{
        Bvh4TraceIo, Code, Codes, GpuBvh4, GpuLbvh, Hit, Lbvh, LbvhBuild, LbvhNode, Outcome, Query, Ray, TraceIo,
        TraceOptions, trace,
    },
};

/// By codes of 32 bits.
pub fn rows(gpu: &Gpu, kind: Kind, scene: &Scene, reps: usize, spans: bool) -> anyhow::Result<Vec<TreeTimes>> {
    let kernels = Kernels::new(&gpu.device);
    let (plan, cpu) = (kernels.lbvh()?, Lbvh::build(&scene.boxes)?);
    rows_by(gpu, (kind, scene), "device", &kernels, &plan, &cpu, (reps, spans))
}

/// By codes of 63 bits.
pub fn rows_wide(gpu: &Gpu, kind: Kind, scene: &Scene, reps: usize, spans: bool) -> anyhow::Result<Vec<TreeTimes>> {
    let kernels = Kernels::new(&gpu.device);
    let (plan, cpu) = (kernels.lbvh_wide()?, Lbvh::build_wide(&scene.boxes)?);
    rows_by(gpu, (kind, scene), "device wide", &kernels, &plan, &cpu, (reps, spans))
}

fn rows_by<C: Code>(
    gpu: &Gpu,
    (kind, scene): (Kind, &Scene),
    form: &str,
    kernels: &Kernels,
    plan: &LbvhBuild<C>,
    cpu: &Lbvh,
    (reps, spans): (usize, bool),
) -> anyhow::Result<Vec<TreeTimes>> {
    let (device, n) = (&gpu.device, scene.triangles.len() as u32);
    let tracer = kernels.trace_rays()?;
    let tree = GpuLbvh::with_codes::<C>(device, n)?;
    let boxes = transfer::upload(device, "boxes", &scene.boxes);
    let moved = transfer::upload(device, "moved boxes", &scene.moved);
    let triangles = transfer::upload(device, "triangles", &scene.triangles);
    let (scratch, count) = (Scratch::new(device, plan.scratch(n)), Count::Fixed(n));

    let build = plan.bind(GpuSlice::whole(&boxes), Codes::Morton, &tree, count, &scratch)?;
    let build_ms = 1e3 * time(gpu, &build, reps, spans)?;
    let refit = plan.bind_refit(GpuSlice::whole(&moved), &tree, count)?;
    let refit_ms = 1e3 * time(gpu, &refit, reps, false)?;
    // The tree that rays see is the one over the triangles again, and it must be the CPU's.
    time(gpu, &build, 1, false)?;
    let mut nodes: Vec<LbvhNode> = transfer::download(gpu, tree.nodes())?;
    nodes.truncate(cpu.nodes().len());
    let primitives: Vec<u32> = transfer::download(gpu, tree.primitives())?;
    let bytes: &[u8] = bytemuck::cast_slice(&nodes);
    let same = bytes == bytemuck::cast_slice::<_, u8>(cpu.nodes()) && primitives[..n as usize] == *cpu.primitives();
    ensure!(same, "the device's tree over {n} triangles is not the CPU's");

    let wide_tree = GpuBvh4::new(device, n)?;
    let collapse = kernels.bvh4()?.bind(&tree, GpuSlice::whole(&triangles), &wide_tree, count)?;
    let collapse_ms = 1e3 * time(gpu, &collapse, reps, spans)?;
    let wide_tracer = kernels.trace_bvh4()?;

    let options = TraceOptions::new(Query::Closest);
    let traced = |rays: &[Ray], is_wide: bool| -> anyhow::Result<(f64, f64, u32)> {
        let count = rays.len() as u32;
        let expected = trace(cpu, &scene.triangles, rays, options)?;
        let rays = transfer::upload(device, "rays", rays);
        let hits = transfer::storage::<Hit>(device, "hits", count);
        let (triangles, rays, io_hits) = (GpuSlice::whole(&triangles), GpuSlice::whole(&rays), GpuSlice::whole(&hits));
        let bound = if is_wide {
            let io = Bvh4TraceIo { tree: &wide_tree, rays, hits: io_hits };
            wide_tracer.bind(io, options, Count::Fixed(count))?
        } else {
            let io = TraceIo { tree: &tree, triangles, rays, hits: io_hits };
            tracer.bind(io, options, Count::Fixed(count))?
        };
        let seconds = time(gpu, &bound, reps, false)?;
        let found: Vec<Hit> = transfer::download(gpu, &hits)?;
        let differ = found.iter().zip(&expected).filter(|(found, expected)| !agree(found, expected)).count() as u32;
        ensure!(differ <= count / 1000, "{differ} of {count} rays hit elsewhere than on the CPU");
        Ok((f64::from(count) / seconds * 1e-6, share_of_hits(&found), differ))
    };
    let forms = [
        (form.to_owned(), build_ms, Some(refit_ms), false),
        (format!("{form} four"), build_ms + collapse_ms, None, true),
    ];
    let rows = forms.map(|(form, build_ms, refit_ms, is_wide)| -> anyhow::Result<TreeTimes> {
        let (coherent_mrays_per_s, coherent_hits, a) = traced(&scene.coherent, is_wide)?;
        let (incoherent_mrays_per_s, incoherent_hits, b) = traced(&scene.incoherent, is_wide)?;
        Ok(TreeTimes {
            scene: kind,
            triangles: n,
            form,
            rays: scene.coherent.len() as u32,
            build_ms,
            refit_ms,
            coherent_mrays_per_s,
            incoherent_mrays_per_s,
            coherent_hits,
            incoherent_hits,
            differing_hits: a + b,
        })
    });
    rows.into_iter().collect()
}

/// Whether two hits are at the same place, but for rounding; at an edge the primitive may be either neighbour.
fn agree(a: &Hit, b: &Hit) -> bool {
    match (a.outcome(), b.outcome()) {
        (Outcome::Hit(a), Outcome::Hit(b)) => (a.t - b.t).abs() <= 1e-4 * b.t.max(1e-2),
        (a, b) => std::mem::discriminant(&a) == std::mem::discriminant(&b),
    }
}

/// The median time in seconds; each timed run follows an untimed one in the same submission.
fn time(gpu: &Gpu, bound: &BoundKernel, reps: usize, print_spans: bool) -> anyhow::Result<f64> {
    let seconds = timed_passes(gpu, reps, true, |_, pass| bound.encode(pass))?;
    if print_spans {
        let mut timer = PassTimer::new(gpu, bound.dispatches() as u32).context("the device has no timestamps")?;
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        timer.encode(&mut encoder, &[bound]);
        gpu.queue.submit([encoder.finish()]);
        for span in timer.read(gpu)?.1 {
            println!("    {:20} {:10.4} ms", span.label, span.time.as_secs_f64() * 1e3);
        }
    }
    Ok(median(seconds))
}
