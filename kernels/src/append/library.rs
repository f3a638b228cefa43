//! How does a shader of the caller's own append? By a WGSL function that it imports.

use crate::Kernels;
use shaders::Composer;

impl Kernels {
    /// Makes `kernels/append_place` stand for the module that suits the device, so that a shader of the caller's own can append
    /// from wherever it is: `append_place(wanted: bool, room: u32) -> u32` gives each invocation that wants one a place below
    /// `room`, or `APPEND_NONE`. With subgroups it adds once for all of them to the counter.
    ///
    /// The caller binds `kernels/append_counter`, which says where the counter is. As two words it is the counter of
    /// [`Append`](crate::Append), and a [`Count::Gpu`](crate::Count::Gpu) of what has been appended.
    ///
    /// ```
    /// use gpu::{Gpu, pipeline::ComputeKernel};
    /// use kernels::Kernels;
    ///
    /// let gpu = Gpu::new(&Default::default())?;
    /// let mut composer = kernels::composer();
    /// Kernels::new(&gpu.device).bind_append(&mut composer);
    /// composer.bind("kernels/append_counter", "counter.wgsl", "
    /// @group(0) @binding(0) var<storage, read_write> counter: array<atomic<u32>, 2>;
    /// fn append_add(items: u32) -> u32 { return atomicAdd(&counter[0], items); }
    /// fn append_overflow() { atomicStore(&counter[1], 1u); }");
    /// composer.bind("multiples", "multiples.wgsl", "
    /// //!import kernels/append_place
    /// @group(0) @binding(1) var<storage, read_write> list: array<u32>;
    /// @compute @workgroup_size(64) fn multiples(@builtin(global_invocation_id) id: vec3u) {
    ///     let place = append_place(id.x % 3u == 0u, arrayLength(&list));
    ///     if place != APPEND_NONE { list[place] = id.x; }
    /// }");
    /// let kernel = ComputeKernel::new(&gpu.device, &composer.compose("multiples")?, "multiples", &Default::default())?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bind_append(&self, composer: &mut Composer) {
        let subgroups = self.caps().subgroups.is_some() && self.wanted_variant() != crate::Variant::Portable;
        let module = if subgroups { "kernels/append_place/subgroup" } else { "kernels/append_place/portable" };
        composer.bind_module("kernels/append_place", module);
    }
}
