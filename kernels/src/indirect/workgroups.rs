//! Requests and the arithmetic of workgroups as device functions: what CPU and GPU compute from one source.
//! `shaders/kernels/workgroups.wgsl` is generated from this file, which a test compares.

use crate::device;
use glam::UVec3;

/// Workgroups that a dispatch may have in each dimension.
#[device]
pub const MAX_PER_DIMENSION: u32 = 65_535;

/// What one later dispatch needs.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct IndirectRequest {
    /// Index of the item count in the slice of counts.
    pub count_index: u32,
    /// Larger counts are clamped to this.
    pub capacity: u32,
    /// Items that a workgroup takes.
    pub items_per_workgroup: u32,
    /// Index of the first of three arguments in the slice of arguments.
    pub arguments_index: u32,
}

/// Workgroups in x, y and z for `count` items.
#[device]
#[allow(clippy::manual_is_multiple_of, reason = "WGSL has no such call")]
pub fn workgroups_of(count: u32, capacity: u32, items_per_workgroup: u32) -> UVec3 {
    let items: u32 = count.min(capacity);
    let workgroups = items / items_per_workgroup + (items % items_per_workgroup != 0) as u32;
    if workgroups <= MAX_PER_DIMENSION {
        return UVec3::new(workgroups, 1, 1);
    }
    // The fewest rows that fit, then rows as short as possible: at most one row's worth of idle workgroups.
    let rows = (workgroups - 1) / MAX_PER_DIMENSION + 1;
    UVec3::new((workgroups - 1) / rows + 1, rows, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shader_is_what_this_file_generates() {
        let header = "// How many workgroups does a count of items need? Above 65 535 the second dimension is used.\n\
                      // Generated from kernels/src/indirect/workgroups.rs: ./x generate";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shaders/kernels/workgroups.wgsl");
        device::check_generated(path, header, device::module!(IndirectRequest, workgroups_of)).unwrap();
    }

    #[test]
    fn rows_hold_all_workgroups_and_idle_ones_are_less_than_a_row() {
        for count in (0..32).flat_map(|bit| [1u32 << bit, (1 << bit) - 1]).chain([u32::MAX, 65_536 * 64, 65_535 * 64]) {
            for items in [1, 64, 255, 256] {
                let xyz = workgroups_of(count, u32::MAX, items);
                let (needed, launched) = (count.div_ceil(items), u64::from(xyz.x) * u64::from(xyz.y));
                assert!(xyz.x <= MAX_PER_DIMENSION && xyz.z == 1);
                assert!(
                    u64::from(needed) <= launched && launched < u64::from(needed) + u64::from(xyz.y),
                    "{count} {items}"
                );
            }
        }
    }
}
