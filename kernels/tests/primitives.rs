//! Are primitives, trees of boxes and kernels in Rust right on a device? One program, so that a test which waits leaves no core idle.

#![cfg(feature = "gpu")]

mod common;

#[path = "primitives/bvh8.rs"]
mod bvh8;
#[path = "primitives/copies.rs"]
mod copies;
#[path = "primitives/device.rs"]
mod device;
#[path = "primitives/device_functions.rs"]
mod device_functions;
#[path = "primitives/dual_buffer.rs"]
mod dual_buffer;
#[path = "primitives/kernel.rs"]
mod kernel;
#[path = "primitives/kernel_tiles.rs"]
mod kernel_tiles;
#[path = "primitives/lbvh.rs"]
mod lbvh;
#[path = "primitives/lbvh_forms.rs"]
mod lbvh_forms;
#[path = "primitives/lbvh_near.rs"]
mod lbvh_near;
#[path = "primitives/lbvh_overlap.rs"]
mod lbvh_overlap;
#[path = "primitives/lbvh_trace.rs"]
mod lbvh_trace;
#[path = "primitives/look_back.rs"]
mod look_back;
#[path = "primitives/lost_device.rs"]
mod lost_device;
#[path = "primitives/meshes.rs"]
mod meshes;
#[path = "primitives/pyramid.rs"]
mod pyramid;
#[path = "primitives/reduce_scan.rs"]
mod reduce_scan;
#[path = "primitives/run_lengths.rs"]
mod run_lengths;
#[path = "primitives/scene.rs"]
mod scene;
#[path = "primitives/select_count.rs"]
mod select_count;
#[path = "primitives/sort.rs"]
mod sort;
#[path = "primitives/timing.rs"]
mod timing;
#[path = "primitives/trees.rs"]
mod trees;
#[path = "primitives/variants.rs"]
mod variants;
