//! What does a device function give on the device? One invocation for each set of arguments.

use crate::{Element, KernelError, Kernels, context::check_stride, device::DeviceFunction};
use gpu::{Gpu, GpuError, pipeline::ComputeKernel, transfer};

/// Sets of arguments that one call of [`evaluate`] takes: 65 535 workgroups of 64 invocations.
const LIMIT: usize = 65_535 * 64;

/// Why a function could not be evaluated on a device.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvaluateError {
    /// The kernel could not be made, which a hand-written replacement may cause.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// The device failed.
    #[error(transparent)]
    Gpu(#[from] GpuError),
}

/// Arguments of a device function: a tuple of elements.
pub trait Arguments: Copy + std::fmt::Debug + Send + Sync + 'static {
    /// The WGSL type of each.
    const TYPES: &'static [&'static str];
    /// Whether the strides of the buffers are the sizes of the types: a `Vec3` is 12 bytes, but 16 apart in WGSL.
    #[doc(hidden)]
    fn check(kernel: &ComputeKernel) -> Result<(), KernelError>;
    /// One buffer for each argument.
    fn upload(device: &wgpu::Device, rows: &[Self]) -> Vec<wgpu::Buffer>;
}

macro_rules! arguments {
    ($($ty:ident $index:tt),*) => {
        impl<$($ty: Element),*> Arguments for ($($ty,)*) {
            const TYPES: &'static [&'static str] = &[$($ty::TYPE),*];
            fn check(kernel: &ComputeKernel) -> Result<(), KernelError> {
                $(check_stride::<$ty>(kernel, concat!("argument_", $index))?;)*
                Ok(())
            }
            fn upload(device: &wgpu::Device, rows: &[Self]) -> Vec<wgpu::Buffer> {
                vec![$({
                    let column: Vec<$ty> = rows.iter().map(|row| row.$index).collect();
                    transfer::upload(device, "argument", &column)
                }),*]
            }
        }
    };
}

arguments!(A 0);
arguments!(A 0, B 1);
arguments!(A 0, B 1, C 2);
arguments!(A 0, B 1, C 2, D 3);

/// Evaluates `F` on the device of `kernels` and `gpu` for each of at most 4 194 240 rows of arguments. Blocking, for tests.
///
/// ```
/// use gpu::Gpu;
/// use kernels::{Kernels, device, testing::evaluate};
///
/// /// The next even number.
/// #[device]
/// fn next_even(x: u32) -> u32 {
///     (x + 2) & !1u32
/// }
///
/// let gpu = Gpu::new(&Default::default())?;
/// let found = evaluate::<next_even>(&Kernels::new(&gpu.device), &gpu, &[(3,), (4,)])?;
/// assert_eq!(found, [next_even(3), next_even(4)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn evaluate<F: DeviceFunction>(
    kernels: &Kernels,
    gpu: &Gpu,
    rows: &[F::Arguments],
) -> Result<Vec<F::Output>, EvaluateError>
where
    F::Arguments: Arguments,
    F::Output: Element,
{
    let (asked, limit) = (rows.len() as u64, LIMIT as u64);
    if rows.len() > LIMIT {
        return Err(KernelError::TooManyItems { what: "evaluate", asked, limit }.into());
    }
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let kernel = kernels.kernel(&composer::<F>(), "device/evaluate", "evaluate")?;
    F::Arguments::check(&kernel)?;
    check_stride::<F::Output>(&kernel, "result")?;
    let arguments = F::Arguments::upload(&gpu.device, rows);
    let result = transfer::storage::<F::Output>(&gpu.device, "result", rows.len() as u32);
    let names: Vec<String> = (0..arguments.len()).map(|i| format!("argument_{i}")).collect();
    let mut bindings: Vec<_> =
        names.iter().map(String::as_str).zip(arguments.iter().map(wgpu::Buffer::as_entire_binding)).collect();
    bindings.push(("result", result.as_entire_binding()));
    let group = kernel.bind_group(&gpu.device, 0, &bindings).map_err(KernelError::from)?;
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(kernel.pipeline());
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups((rows.len() as u32).div_ceil(64), 1, 1);
    }
    gpu.queue.submit([encoder.finish()]);
    Ok(transfer::download(gpu, &result)?)
}

fn composer<F: DeviceFunction>() -> shaders::Composer
where
    F::Arguments: Arguments,
    F::Output: Element,
{
    let mut composer = crate::composer();
    composer.bind("device/function", &format!("{} (device function)", F::NAME), F::WGSL);
    // The function brings the declarations of its types along.
    let mut text = "//!import device/function\n".to_owned();
    let types = F::Arguments::TYPES.iter().copied().chain([F::Output::TYPE]);
    let last = F::Arguments::TYPES.len();
    let mut arguments = Vec::new();
    for (i, ty) in types.enumerate() {
        let (name, access) =
            if i == last { ("result".to_owned(), "read_write") } else { (format!("argument_{i}"), "read") };
        text.push_str(&format!("@group(0) @binding({i}) var<storage, {access}> {name}: array<{ty}>;\n"));
        if i < last {
            arguments.push(format!("{name}[id.x]"));
        }
    }
    text.push_str(&format!(
        "@compute @workgroup_size(64) fn evaluate(@builtin(global_invocation_id) id: vec3u) {{\n\
         if id.x < arrayLength(&result) {{ result[id.x] = {}({}); }}\n}}\n",
        F::NAME,
        arguments.join(", ")
    ));
    composer.bind("device/evaluate", "evaluate", &text);
    composer
}
