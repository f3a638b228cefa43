//! Which workgroup is the fastest? Measured once for a kernel, a device and a number of items, and remembered.

use super::{KernelPlan, LoopKernel, compose};
use crate::{BoundKernel, KernelError, Kernels};
use gpu::{Gpu, GpuError, timing::PassTimer};
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use web_time::Instant;

/// Why a kernel could not be tuned, or a file of measurements be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TuneError {
    /// The kernel could not be made or bound.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// The device failed.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// The file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file holds something else.
    #[error("{}:{line}: a kernel, three numbers and nanoseconds are expected, with tabs between: delete the file", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
    },
}

/// A measured workgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuned {
    /// Invocations in x, y and z.
    pub workgroup: [u32; 3],
    /// The median time of the kernel with it.
    pub time: Duration,
}

/// Finds the fastest workgroup of kernels by running them, and remembers it.
///
/// ```
/// use gpu::{Gpu, transfer};
/// use kernels::{GpuSlice, Kernels, Tuner, kernel};
///
/// #[kernel]
/// fn double(x: &mut [u32]) {
///     for i in 0..x.len() as u32 {
///         x[i as usize] *= 2;
///     }
/// }
///
/// let gpu = Gpu::new(&Default::default())?;
/// let kernels = Kernels::new(&gpu.device);
/// let x = transfer::upload(&gpu.device, "x", &[1u32; 1000]);
/// let mut tuner = Tuner::default();
/// let plan = tuner.plan::<double>(&kernels, &gpu, 1000, |plan| plan.bind((GpuSlice::whole(&x),)))?;
/// let (_, tuned) = tuner.known().next().expect("it was measured");
/// assert_eq!(tuned.workgroup, plan.workgroup());
/// println!("{:?} in {:?}", tuned.workgroup, tuned.time);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tuner {
    known: BTreeMap<String, Tuned>,
}

/// Timed runs of each workgroup, after an untimed one.
const RUNS: usize = 5;

impl Tuner {
    /// What a file remembers; nothing if there is none.
    ///
    /// ```
    /// let file = std::env::temp_dir().join(format!("orogen-tuned-{}", std::process::id()));
    /// let tuner = kernels::Tuner::load(&file)?; // there is no such file yet
    /// assert_eq!(tuner.known().count(), 0);
    /// tuner.save(&file)?;
    /// # std::fs::remove_file(&file)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load(path: impl Into<PathBuf>) -> Result<Self, TuneError> {
        let path = path.into();
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(source) => return Err(TuneError::File { path, source }),
        };
        let mut known = BTreeMap::new();
        for (index, line) in text.lines().enumerate() {
            let Some((key, tuned)) = parse(line) else {
                return Err(TuneError::Format { path, line: index + 1 });
            };
            known.insert(key, tuned);
        }
        Ok(Self { known })
    }

    /// Writes what is remembered, a line for each kernel, device and size.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), TuneError> {
        let line = |(key, Tuned { workgroup: [x, y, z], time }): (&String, &Tuned)| {
            format!("{key}\t{x}\t{y}\t{z}\t{}\n", time.as_nanos())
        };
        let path = path.as_ref();
        let text: String = self.known.iter().map(line).collect();
        fs::write(path, text).map_err(|source| TuneError::File { path: path.to_owned(), source })
    }

    /// The kernel `K` in the workgroup that is the fastest for about `items` items. Where it is not known, `bind` binds
    /// each candidate and they run, so that what the kernel writes is written several times.
    pub fn plan<K: LoopKernel>(
        &mut self,
        kernels: &Kernels,
        gpu: &Gpu,
        items: u32,
        bind: impl Fn(&KernelPlan<K>) -> Result<BoundKernel, KernelError>,
    ) -> Result<KernelPlan<K>, TuneError> {
        let key = key::<K>(kernels, items)?;
        if let Some(tuned) = self.known.get(&key) {
            return Ok(kernels.plan_with(tuned.workgroup)?);
        }
        let mut best: Option<(Tuned, KernelPlan<K>)> = None;
        for workgroup in candidates(K::DESCRIPTION.dimensions) {
            let plan = match kernels.plan_with::<K>(*workgroup) {
                // Larger than this device has, or than its memory holds tiles for.
                Err(KernelError::Workgroup { .. } | KernelError::Pipeline(_)) => continue,
                other => other?,
            };
            let time = median(gpu, &bind(&plan)?)?;
            if best.as_ref().is_none_or(|(tuned, _)| time < tuned.time) {
                best = Some((Tuned { workgroup: plan.workgroup(), time }, plan));
            }
        }
        let Some((tuned, plan)) = best else { return Ok(kernels.plan()?) };
        self.known.insert(key, tuned);
        Ok(plan)
    }

    /// What was measured, by kernel, device and size.
    pub fn known(&self) -> impl Iterator<Item = (&str, Tuned)> {
        self.known.iter().map(|(key, tuned)| (key.as_str(), *tuned))
    }
}

/// Workgroups that are tried.
fn candidates(dimensions: u32) -> &'static [[u32; 3]] {
    match dimensions {
        1 => &[[32, 1, 1], [64, 1, 1], [128, 1, 1], [256, 1, 1], [512, 1, 1], [1024, 1, 1]],
        2 => &[[8, 8, 1], [16, 8, 1], [16, 16, 1], [32, 4, 1], [32, 8, 1], [64, 4, 1], [32, 32, 1]],
        _ => &[[4, 4, 4], [8, 4, 4], [8, 8, 4], [16, 4, 4], [32, 4, 2], [8, 8, 8]],
    }
}

/// The kernel with its text, the device with its driver, and the binary logarithm of the number of items.
fn key<K: LoopKernel>(kernels: &Kernels, items: u32) -> Result<String, KernelError> {
    let variant = kernels.wanted_variant();
    let text =
        kernels.composed(&compose::composer::<K>(kernels, [1; 3], crate::Variant::Portable)?, compose::MODULE)?;
    // FNV-1a: a kernel that was changed is measured anew.
    let hash = text
        .source()
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let (path, caps) = (K::ITEM.path, kernels.caps());
    let key = format!("{path} {hash:016x}, {variant}, {} ({}), 2^{}", caps.adapter, caps.driver, items.max(1).ilog2());
    Ok(key.replace(['\t', '\n'], " "))
}

fn parse(line: &str) -> Option<(String, Tuned)> {
    let mut words = line.split('\t');
    let key = words.next()?.to_owned();
    let mut number = || words.next()?.parse::<u64>().ok();
    let (x, y, z, nanoseconds) = (number()?, number()?, number()?, number()?);
    let size = |n: u64| u32::try_from(n).ok().filter(|n| *n > 0);
    Some((key, Tuned { workgroup: [size(x)?, size(y)?, size(z)?], time: Duration::from_nanos(nanoseconds) }))
}

fn median(gpu: &Gpu, bound: &BoundKernel) -> Result<Duration, GpuError> {
    let mut timer = PassTimer::new(gpu, 0);
    let mut times = Vec::with_capacity(RUNS);
    for run in 0..=RUNS {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        match &mut timer {
            Some(timer) => timer.encode_with(&mut encoder, |pass| bound.encode(pass)),
            None => bound.encode(&mut encoder.begin_compute_pass(&Default::default())),
        }
        let start = Instant::now();
        gpu.queue.submit([encoder.finish()]);
        let time = match &timer {
            Some(timer) => timer.read(gpu)?.0,
            None => {
                gpu.wait()?;
                start.elapsed()
            }
        };
        if run > 0 {
            times.push(time);
        }
    }
    times.sort_unstable();
    Ok(times[RUNS / 2])
}
