//! The engine of the CPU: a tree in memory of the host.

use super::{FutureHits, RayEngine, Scene, SceneError};
use crate::lbvh::{Aabb, Bvh8, Hit, Lbvh, Ray, TraceOptions, Triangle};

/// Triangles with their tree, and what that is collapsed to for rays.
#[derive(Clone, Debug)]
pub struct CpuScene {
    tree: Lbvh,
    rays: Bvh8,
}

impl CpuScene {
    /// Of `triangles`; fails with [`KernelError::TooManyItems`](crate::KernelError::TooManyItems) above 2^29.
    pub fn new(triangles: &[Triangle]) -> Result<Self, SceneError> {
        let tree = Lbvh::build(&bounds(triangles))?;
        let rays = Bvh8::new(&tree, triangles)?;
        Ok(Self { tree, rays })
    }
}

impl Scene for CpuScene {
    fn engine(&self) -> RayEngine {
        RayEngine::Cpu
    }

    fn triangles(&self) -> usize {
        self.tree.primitives().len()
    }

    fn trace(&self, rays: &[Ray], options: TraceOptions) -> Result<Vec<Hit>, SceneError> {
        Ok(self.rays.trace(rays, options))
    }

    fn trace_async<'a>(&'a self, rays: &'a [Ray], options: TraceOptions) -> FutureHits<'a> {
        Box::pin(std::future::ready(self.trace(rays, options)))
    }

    fn refit(&mut self, triangles: &[Triangle]) -> Result<(), SceneError> {
        let triangles = super::as_many(triangles, self.triangles())?;
        self.tree.refit(&bounds(triangles))?;
        self.rays = Bvh8::new(&self.tree, triangles)?;
        Ok(())
    }
}

pub(super) fn bounds(triangles: &[Triangle]) -> Vec<Aabb> {
    triangles.iter().map(Triangle::bounds).collect()
}
