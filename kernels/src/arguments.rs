//! What is a primitive told of its arguments? `shaders/kernels/arguments.wgsl` is generated from this file, which a test compares.

use crate::device;

/// What a primitive is told of its arguments.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct Params {
    /// Items at most; the count is clamped to it.
    pub capacity: u32,
    /// Where the count lies in `count`.
    pub count_index: u32,
    /// Workgroups launched.
    pub chunks: u32,
    /// First element of each bound slice.
    pub input_first: u32,
    pub output_first: u32,
    pub aux_first: u32,
    /// Items, where the count counts something else.
    pub items: u32,
    /// Meaning by primitive.
    pub mode: u32,
    /// Likewise.
    pub extra: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shader_is_what_this_file_generates() {
        let header = "// What is a primitive told of its arguments?\n\
                      // Generated from kernels/src/arguments.rs: ./x generate";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shaders/kernels/arguments.wgsl");
        device::check_generated(path, header, device::module!(Params)).unwrap();
    }
}
