//! Rows of obvhs, a crate of the same purpose: its fastest builder (PLOC), and its two kinds of trees.

use super::{
    cpu::time,
    report::TreeTimes,
    scene::{Kind, Scene},
};
use glam::Vec3A;
use kernels::lbvh::Ray;
use obvhs::{
    BvhBuildParams, aabb::Aabb, bvh2::builder::build_bvh2, cwbvh::builder::build_cwbvh, ray::RayHit, triangle::Triangle,
};
use rayon::prelude::*;
use std::{convert::Infallible, time::Duration};

/// Its binary tree, and the one of eight compressed children a node that it makes of that.
pub fn rows(kind: Kind, scene: &Scene, threads: usize, reps: usize) -> anyhow::Result<[TreeTimes; 2]> {
    let triangles: Vec<Triangle> = scene
        .triangles
        .iter()
        .map(|t| Triangle { v0: Vec3A::from(t.a), v1: Vec3A::from(t.b), v2: Vec3A::from(t.c) })
        .collect();
    let boxes: Vec<Aabb> =
        scene.boxes.iter().map(|b| Aabb { min: Vec3A::from(b.low), max: Vec3A::from(b.high) }).collect();
    rayon::ThreadPoolBuilder::new().num_threads(threads).build()?.install(|| {
        let params = BvhBuildParams::fastest_build;
        let mut ignored = Duration::ZERO;
        let (build2, tree2) = time(reps, || Ok::<_, Infallible>(build_bvh2(&boxes, params(), &mut ignored)))?;
        let (build8, tree8) = time(reps, || Ok::<_, Infallible>(build_cwbvh(&boxes, params(), &mut ignored)))?;
        // Its documentation says to put the primitives into the tree's order.
        let in_order = |order: &[u32]| order.iter().map(|k| triangles[*k as usize]).collect::<Vec<_>>();
        let (ordered2, ordered8) = (in_order(&tree2.primitive_indices), in_order(&tree8.primitive_indices));
        let trace2 = |ray: &Ray| {
            let mut hit = RayHit::none();
            tree2.ray_traverse(of(ray), &mut hit, |ray, k| ordered2[k].intersect(ray));
            hit.t
        };
        let trace8 = |ray: &Ray| {
            let mut hit = RayHit::none();
            tree8.ray_traverse(of(ray), &mut hit, |ray, k| ordered8[k].intersect(ray));
            hit.t
        };
        let row = |form: &str, build: f64, trace: &(dyn Fn(&Ray) -> f32 + Sync)| {
            let run = |rays: &[Ray]| -> anyhow::Result<(f64, f64)> {
                let (seconds, found) = time(reps, || Ok::<Vec<f32>, Infallible>(rays.par_iter().map(trace).collect()))?;
                let hits = found.iter().filter(|t| t.is_finite()).count();
                Ok((rays.len() as f64 / seconds * 1e-6, hits as f64 / rays.len() as f64))
            };
            let (coherent, incoherent) = (run(&scene.coherent)?, run(&scene.incoherent)?);
            anyhow::Ok(TreeTimes {
                scene: kind,
                triangles: scene.triangles.len() as u32,
                form: format!("{form} {threads}"),
                rays: scene.coherent.len() as u32,
                build_ms: build * 1e3,
                // Its refit does not take new boxes of primitives.
                refit_ms: None,
                coherent_mrays_per_s: coherent.0,
                incoherent_mrays_per_s: incoherent.0,
                coherent_hits: coherent.1,
                incoherent_hits: incoherent.1,
                differing_hits: 0,
            })
        };
        Ok([row("obvhs 2", build2, &trace2)?, row("obvhs 8", build8, &trace8)?])
    })
}

fn of(ray: &Ray) -> obvhs::ray::Ray {
    obvhs::ray::Ray::new(Vec3A::from(ray.origin), Vec3A::from(ray.direction), ray.t_min, ray.t_max)
}
