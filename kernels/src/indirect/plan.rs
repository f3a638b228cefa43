//! Which dispatch makes indirect arguments?

use crate::{
    BoundKernel, GpuSlice, IndirectRequest, KernelError, Kernels,
    bound::{Dispatch, check_arguments, uniform},
    slice::BoundSlice,
};
use gpu::pipeline::ComputeKernel;

/// Makes indirect arguments on the device.
///
/// ```
/// use gpu::{Gpu, transfer};
/// use kernels::{GpuSlice, IndirectRequest, Kernels, indirect_arguments};
///
/// let gpu = Gpu::new(&Default::default())?;
/// let kernels = Kernels::new(&gpu.device);
/// let counts = transfer::upload(&gpu.device, "counts", &[1000u32]);
/// let arguments = transfer::storage::<u32>(&gpu.device, "arguments", 3); // for `dispatch_workgroups_indirect`
/// let request = IndirectRequest { count_index: 0, capacity: 5000, items_per_workgroup: 64, arguments_index: 0 };
/// let bound = kernels.prepare_indirect()?.bind(&[request], GpuSlice::whole(&counts), GpuSlice::whole(&arguments))?;
/// let mut encoder = gpu.device.create_command_encoder(&Default::default());
/// bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
/// gpu.queue.submit([encoder.finish()]);
/// assert_eq!(transfer::download::<u32>(&gpu, &arguments)?, indirect_arguments(1000, 5000, 64)); // 16, 1, 1
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PrepareIndirect {
    kernels: Kernels,
    kernel: ComputeKernel,
}

impl Kernels {
    /// The kernel that makes indirect arguments.
    pub fn prepare_indirect(&self) -> Result<PrepareIndirect, KernelError> {
        let composer = crate::composer();
        let kernel = self.kernel(&composer, "kernels/prepare_indirect", "prepare_indirect")?;
        Ok(PrepareIndirect { kernels: self.clone(), kernel })
    }
}

impl PrepareIndirect {
    /// Binds: each request turns a word of `counts` into three words of `arguments`, which needs usage `INDIRECT` to be
    /// dispatched from. Both slices begin at the start of their buffers.
    pub fn bind(
        &self,
        requests: &[IndirectRequest],
        counts: GpuSlice<'_, u32>,
        arguments: GpuSlice<'_, u32>,
    ) -> Result<BoundKernel, KernelError> {
        let (device, caps) = (self.kernels.device(), self.kernels.caps());
        let within = |what, given: u32, high: u32| {
            let error = KernelError::Argument { what, given: given.into(), low: 0, high: high.into() };
            if given > high { Err(error) } else { Ok(()) }
        };
        within("number of requests", requests.len() as u32, 4096)?;
        within("first element of `counts`", counts.first, 0)?;
        within("first element of `arguments`", arguments.first, 0)?;
        for request in requests {
            within("count_index", request.count_index, counts.len.saturating_sub(1))?;
            within("arguments_index", request.arguments_index, arguments.len.saturating_sub(3))?;
            if request.items_per_workgroup == 0 {
                let (what, high) = ("items_per_workgroup", u64::from(u32::MAX));
                return Err(KernelError::Argument { what, given: 0, low: 1, high });
            }
        }
        let counts = BoundSlice::of("counts", counts, false, caps)?;
        let arguments = BoundSlice::of("arguments", arguments, true, caps)?;
        check_arguments(&[&counts, &arguments], &crate::bound::BoundCount::FIXED, None)?;
        if requests.is_empty() {
            return Ok(BoundKernel { dispatches: Vec::new() });
        }
        let table = uniform(device, "indirect requests", bytemuck::cast_slice(requests));
        let resources = [
            ("requests", table.as_entire_binding()),
            ("counts", counts.resource()),
            ("arguments", arguments.resource()),
        ];
        let group = self.kernel.bind_group(device, 0, &resources)?;
        let workgroups = (requests.len() as u32).div_ceil(64);
        Ok(BoundKernel { dispatches: vec![Dispatch::new("prepare indirect", &self.kernel, group, workgroups)] })
    }
}
