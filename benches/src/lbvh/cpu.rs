//! Rows of the CPU, on a number of threads.

use super::{
    report::{Row, share_of_hits},
    scene::{Kind, Scene},
};
use benches::figures::median;
use kernels::{
    KernelError,
    lbvh::{Aabb, Bvh8, Hit, Lbvh, Query, Ray, TraceOptions, trace},
};
use std::time::Instant;

/// Runs take up to this long in all for each figure; slower ones are repeated less often.
const SECONDS_PER_FIGURE: f64 = 1.0;

/// How a tree is built.
type Build = fn(&[Aabb]) -> Result<Lbvh, KernelError>;

/// The binary tree, and the one of eight children a node that it is collapsed to; the times of that one include making the
/// binary one.
pub fn rows(kind: Kind, scene: &Scene, wide: bool, threads: usize, reps: usize) -> anyhow::Result<[Row; 2]> {
    let (form, build) = if wide { ("cpu wide", Lbvh::build_wide as Build) } else { ("cpu", Lbvh::build as Build) };
    rayon::ThreadPoolBuilder::new().num_threads(threads).build()?.install(|| {
        let options = TraceOptions::new(Query::Closest);
        let (build, tree) = time(reps, || build(&scene.boxes))?;
        let mut moving = tree.clone();
        let (refit, ()) = time(reps, || moving.refit(&scene.moved))?;
        let (collapse, eight) = time(reps, || Bvh8::new(&tree, &scene.triangles))?;
        let trace2 = |rays: &[Ray]| time(reps, || trace(&tree, &scene.triangles, rays, options));
        let trace8 = |rays: &[Ray]| time(reps, || Ok::<_, KernelError>(eight.trace(rays, options)));
        let row = |form: String, ms: [f64; 2], [near, far]: [&Traced; 2], differing_hits: u32| Row {
            scene: kind,
            triangles: scene.triangles.len() as u32,
            form,
            rays: scene.coherent.len() as u32,
            build_ms: ms[0] * 1e3,
            refit_ms: Some(ms[1] * 1e3),
            coherent_mrays_per_s: near.1.len() as f64 / near.0 * 1e-6,
            incoherent_mrays_per_s: far.1.len() as f64 / far.0 * 1e-6,
            coherent_hits: share_of_hits(&near.1),
            incoherent_hits: share_of_hits(&far.1),
            differing_hits,
        };
        let (near2, far2) = (trace2(&scene.coherent)?, trace2(&scene.incoherent)?);
        let (near8, far8) = (trace8(&scene.coherent)?, trace8(&scene.incoherent)?);
        let differ = |one: &Traced, other: &Traced| one.1.iter().zip(&other.1).filter(|(a, b)| a != b).count() as u32;
        let differing_hits = differ(&near2, &near8) + differ(&far2, &far8);
        Ok([
            row(format!("{form} {threads}"), [build, refit], [&near2, &far2], 0),
            row(
                format!("{form} eight {threads}"),
                [build + collapse, refit + collapse],
                [&near8, &far8],
                differing_hits,
            ),
        ])
    })
}

/// Seconds, and the hits.
type Traced = (f64, Vec<Hit>);

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
