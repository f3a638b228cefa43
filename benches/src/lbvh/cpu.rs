//! Rows of the CPU, on a number of threads.

use super::{
    report::{Row, median, share_of_hits},
    scene::{Kind, Scene},
};
use kernels::{
    KernelError,
    lbvh::{Aabb, Lbvh, Query, TraceOptions, trace},
};
use std::time::Instant;

/// Runs take up to this long in all for each figure; slower ones are repeated less often.
const SECONDS_PER_FIGURE: f64 = 1.0;

/// How a tree is built.
type Build = fn(&[Aabb]) -> Result<Lbvh, KernelError>;

pub fn row(kind: Kind, scene: &Scene, wide: bool, threads: usize, reps: usize) -> anyhow::Result<Row> {
    let (form, build) = if wide { ("cpu wide", Lbvh::build_wide as Build) } else { ("cpu", Lbvh::build as Build) };
    rayon::ThreadPoolBuilder::new().num_threads(threads).build()?.install(|| {
        let (build, tree) = time(reps, || build(&scene.boxes))?;
        let mut moving = tree.clone();
        let (refit, ()) = time(reps, || moving.refit(&scene.moved))?;
        let options = TraceOptions::new(Query::Closest);
        let (coherent, near) = time(reps, || trace(&tree, &scene.triangles, &scene.coherent, options))?;
        let (incoherent, far) = time(reps, || trace(&tree, &scene.triangles, &scene.incoherent, options))?;
        let rays = scene.coherent.len();
        Ok(Row {
            scene: kind,
            triangles: scene.triangles.len() as u32,
            form: format!("{form} {threads}"),
            rays: rays as u32,
            build_ms: build * 1e3,
            refit_ms: Some(refit * 1e3),
            coherent_mrays_per_s: rays as f64 / coherent * 1e-6,
            incoherent_mrays_per_s: rays as f64 / incoherent * 1e-6,
            coherent_hits: share_of_hits(&near),
            incoherent_hits: share_of_hits(&far),
            differing_hits: 0,
        })
    })
}

/// The median time of a run in seconds, and its last result.
pub fn time<T, E: Into<anyhow::Error>>(reps: usize, mut run: impl FnMut() -> Result<T, E>) -> anyhow::Result<(f64, T)> {
    let mut timed = || {
        let start = Instant::now();
        let result = run().map_err(Into::into)?;
        anyhow::Ok((start.elapsed().as_secs_f64(), result))
    };
    let (first, mut last) = timed()?;
    let times = (SECONDS_PER_FIGURE / first.max(1e-9)).clamp(1.0, reps as f64) as usize;
    let mut seconds = Vec::with_capacity(times);
    for _ in 0..times {
        let (elapsed, result) = timed()?;
        seconds.push(elapsed);
        last = result;
    }
    Ok((median(seconds), last))
}
