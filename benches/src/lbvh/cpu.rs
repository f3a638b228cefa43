//! Rows of the CPU, on a number of threads.

use super::{
    report::{TreeTimes, share_of_hits},
    scene::{Kind, Scene},
};
use anyhow::Context;
use benches::{
    figures::median,
    timing::{repeated, timed},
};
use kernels::{
    KernelError,
    lbvh::{Aabb, Bvh8, Hit, Lbvh, Query, Ray, TraceOptions, trace},
};

/// How a tree is built.
type Build = fn(&[Aabb]) -> Result<Lbvh, KernelError>;

/// The binary tree, and the one of eight children a node that it is collapsed to; the times of that one include making the
/// binary one.
pub fn rows(kind: Kind, scene: &Scene, wide: bool, threads: usize, reps: usize) -> anyhow::Result<[TreeTimes; 2]> {
    let (form, build) = if wide { ("cpu wide", Lbvh::build_wide as Build) } else { ("cpu", Lbvh::build as Build) };
    rayon::ThreadPoolBuilder::new().num_threads(threads).build()?.install(|| {
        let options = TraceOptions::new(Query::Closest);
        let (build, tree) = time(reps, || build(&scene.boxes))?;
        let mut moving = tree.clone();
        let (refit, ()) = time(reps, || moving.refit(&scene.moved))?;
        let (collapse, eight) = time(reps, || Bvh8::new(&tree, &scene.triangles))?;
        let trace2 = |rays: &[Ray]| time(reps, || trace(&tree, &scene.triangles, rays, options));
        let trace8 = |rays: &[Ray]| time(reps, || Ok::<_, KernelError>(eight.trace(rays, options)));
        let row = |form: String, ms: [f64; 2], [near, far]: [&Traced; 2], differing_hits: u32| TreeTimes {
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
    let mut last = None;
    let seconds = repeated(reps, || {
        let (seconds, result) = timed(&mut run);
        last = Some(result);
        seconds
    });
    Ok((median(seconds), last.context("nothing was run")?.map_err(Into::into)?))
}
