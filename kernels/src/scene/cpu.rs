//! The engine of the CPU: a tree in memory of the host.

use super::{Engine, Scene, SceneError};
use crate::lbvh::{Aabb, Hit, Lbvh, Ray, TraceOptions, Triangle, trace};

/// Triangles with their tree.
#[derive(Clone, Debug)]
pub struct CpuScene {
    tree: Lbvh,
    triangles: Vec<Triangle>,
}

impl CpuScene {
    /// Of `triangles`; fails with [`KernelError::TooManyItems`](crate::KernelError::TooManyItems) above 2^29.
    pub fn new(triangles: &[Triangle]) -> Result<Self, SceneError> {
        Ok(Self { tree: Lbvh::build(&bounds(triangles))?, triangles: triangles.to_vec() })
    }
}

impl Scene for CpuScene {
    fn engine(&self) -> Engine {
        Engine::Cpu
    }

    fn triangles(&self) -> usize {
        self.triangles.len()
    }

    fn trace(&self, rays: &[Ray], options: TraceOptions) -> Result<Vec<Hit>, SceneError> {
        Ok(trace(&self.tree, &self.triangles, rays, options)?)
    }

    fn refit(&mut self, triangles: &[Triangle]) -> Result<(), SceneError> {
        let triangles = super::as_many(triangles, self.triangles.len())?;
        self.tree.refit(&bounds(triangles))?;
        self.triangles.copy_from_slice(triangles);
        Ok(())
    }
}

pub(super) fn bounds(triangles: &[Triangle]) -> Vec<Aabb> {
    triangles.iter().map(Triangle::bounds).collect()
}
