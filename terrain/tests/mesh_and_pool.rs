//! Are both meshes and their pools right, from one view to the next? One program, so that a test which waits leaves no core idle.

mod random;

#[path = "mesh_and_pool/absurd.rs"]
mod absurd;
#[path = "mesh_and_pool/absurd_views.rs"]
mod absurd_views;
#[path = "mesh_and_pool/fields.rs"]
mod fields;
#[path = "mesh_and_pool/gpu_motion.rs"]
mod gpu_motion;
#[path = "mesh_and_pool/gpu_terrain.rs"]
mod gpu_terrain;
#[path = "mesh_and_pool/ground_pipeline.rs"]
mod ground_pipeline;
#[path = "mesh_and_pool/lost_device.rs"]
mod lost_device;
#[path = "mesh_and_pool/mesh.rs"]
mod mesh;
#[path = "mesh_and_pool/mesh_rays.rs"]
mod mesh_rays;
#[path = "mesh_and_pool/motion.rs"]
mod motion;
#[path = "mesh_and_pool/planet_gpu.rs"]
mod planet_gpu;
#[path = "mesh_and_pool/pool.rs"]
mod pool;
#[path = "mesh_and_pool/pool_flight.rs"]
mod pool_flight;
#[path = "mesh_and_pool/pool_gpu.rs"]
mod pool_gpu;
#[path = "mesh_and_pool/reliefs.rs"]
mod reliefs;
#[path = "mesh_and_pool/views.rs"]
mod views;
