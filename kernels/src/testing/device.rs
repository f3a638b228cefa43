//! Is an operator, or a device function, the same on a device?

use super::{Arguments, EvaluateError, LawError, check_operator_cpu, describe, evaluate};
use crate::{Count, Element, GpuSlice, Kernels, Operator, Reduce, Scratch, device::DeviceFunction};
use gpu::{Gpu, transfer};

/// [`check_operator_cpu`], and that WGSL combines every pair of samples to the same result, and has the same identity.
///
/// ```
/// use kernels::{Sum, testing::check_operator};
/// let gpu = gpu::Gpu::new(&Default::default())?;
/// check_operator::<Sum<u32>>(&gpu, &[0, 7, u32::MAX, 12], |a, b| a == b)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_operator<O: Operator>(
    gpu: &Gpu,
    samples: &[O::Item],
    same: impl Fn(&O::Item, &O::Item) -> bool,
) -> Result<(), LawError> {
    check_operator_cpu::<O>(samples, &same)?;
    let kernels = Kernels::new(&gpu.device);
    let reduce = kernels.reduce::<O>()?;
    for pair in samples.iter().flat_map(|a| samples.iter().map(move |b| [*a, *b])) {
        for items in [&pair[..], &pair[..1], &[]] {
            let expected = items.iter().fold(O::identity(), |sum, item| O::combine(sum, *item));
            let found = reduce_on_gpu::<O>(gpu, &reduce, items)?;
            if !same(&expected, &found) {
                let detail = describe(items, &[expected, found]);
                return Err(LawError::Meaning { operator: O::NAME, detail });
            }
        }
    }
    Ok(())
}

fn reduce_on_gpu<O: Operator>(gpu: &Gpu, reduce: &Reduce<O>, items: &[O::Item]) -> Result<O::Item, LawError> {
    let n = items.len() as u32;
    let input = transfer::upload(&gpu.device, "items", items);
    let output = transfer::storage::<O::Item>(&gpu.device, "result", 1);
    let scratch = Scratch::new(&gpu.device, reduce.scratch(n));
    let bound = reduce.bind(GpuSlice::new(&input, 0, n), GpuSlice::whole(&output), Count::Fixed(n), &scratch)?;
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
    gpu.queue.submit([encoder.finish()]);
    let result = transfer::download::<O::Item>(gpu, &output)?;
    Ok(result.first().copied().unwrap_or_else(<O::Item as bytemuck::Zeroable>::zeroed))
}

/// Checks that the device of `kernels` and `gpu` gives for each row of arguments what Rust does; `same` says which results
/// count as equal. A [replacement](Kernels::with_replacement) is checked in the function's place.
///
/// ```
/// use gpu::Gpu;
/// use kernels::{Kernels, device, testing::check_function};
///
/// #[device]
/// fn twice(x: u32) -> u32 {
///     x.wrapping_mul(2)
/// }
///
/// let gpu = Gpu::new(&Default::default())?;
/// let by_hand = Kernels::new(&gpu.device).with_replacement::<twice>("fn twice(x: u32) -> u32 { return x << 1u; }");
/// check_function::<twice>(&by_hand, &gpu, &[(0,), (7,), (u32::MAX,)], |a, b| a == b)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_function<F: DeviceFunction>(
    kernels: &Kernels,
    gpu: &Gpu,
    rows: &[F::Arguments],
    same: impl Fn(&F::Output, &F::Output) -> bool,
) -> Result<(), LawError>
where
    F::Arguments: Arguments,
    F::Output: Element,
{
    let found = evaluate::<F>(kernels, gpu, rows).map_err(|error| match error {
        EvaluateError::Kernel(error) => LawError::Kernel(error),
        EvaluateError::Gpu(error) => LawError::Gpu(error),
    })?;
    for (row, found) in rows.iter().zip(found) {
        let expected = F::call(*row);
        if !same(&expected, &found) {
            let detail = format!("{row:?} give {expected:?} and {found:?}");
            return Err(LawError::Meaning { operator: F::NAME, detail });
        }
    }
    Ok(())
}
