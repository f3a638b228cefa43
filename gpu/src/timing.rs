//! Where does the time of a run go? Execution, upload, download and overhead, by device timestamps where there are any.

use crate::{Gpu, GpuError, Timestamps, transfer};
use std::{fmt, time::Duration};
use web_time::Instant;

/// Whose clock a time comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Timestamps that the device writes before and after the work.
    Device,
    /// The host's clock around submission and completion: includes the cost of both.
    Host,
}

/// Work of several dispatches, which a timer times one by one.
///
/// ```
/// use gpu::{Gpu, timing::{Dispatches, timed_run, timed_run_async}, transfer};
///
/// /// No work: what is left are the transfers.
/// struct Nothing;
/// impl Dispatches for Nothing {
///     fn dispatches(&self) -> usize { 0 }
///     fn encode_each(
///         &self,
///         _pass: &mut wgpu::ComputePass<'_>,
///         _after: &mut dyn FnMut(&mut wgpu::ComputePass<'_>, &'static str),
///     ) {}
/// }
/// let gpu = Gpu::new(&Default::default())?;
/// let words = transfer::storage::<u32>(&gpu.device, "words", 2);
/// let (timings, found) = timed_run(&gpu, &[(&words, bytemuck::bytes_of(&[7u32, 9]))], &Nothing, &[&words])?;
/// assert_eq!(found, [[7, 9]]);
/// assert_eq!((timings.bytes_up, timings.bytes_down), (8, 8));
/// // The form for browsers. Nothing is uploaded again.
/// let (timings, same) = gpu.block_on(timed_run_async(&gpu, &[], &Nothing, &[&words]))?;
/// assert_eq!((same, timings.bytes_up), (found, 0));
/// # Ok::<(), gpu::GpuError>(())
/// ```
pub trait Dispatches {
    /// How many there are.
    fn dispatches(&self) -> usize;

    /// Records them. Behind each, `after` is called with its label.
    fn encode_each(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        after: &mut dyn FnMut(&mut wgpu::ComputePass<'_>, &'static str),
    );
}

/// A named part of the execution.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// The dispatch.
    pub label: &'static str,
    /// How long it took.
    pub time: Duration,
}

/// What a run cost.
///
/// ```
/// use gpu::timing::{Clock, Span, Timings};
/// use std::time::Duration;
///
/// let ms = Duration::from_millis;
/// let timings = Timings {
///     execution: ms(5),
///     clock: Clock::Device,
///     spans: vec![Span { label: "count", time: ms(2) }, Span { label: "scatter", time: ms(3) }],
///     upload: ms(2),
///     download: ms(1),
///     overhead: ms(4),
///     bytes_up: 4096,
///     bytes_down: 64,
/// };
/// assert_eq!(timings.total(), ms(12)); // spans are parts of the execution
/// let text = timings.to_string();
/// assert!(text.starts_with("execution     5.0000 ms (Device clock)") && text.contains("2.0000 ms, 4096 bytes"), "{text}");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Timings {
    /// All dispatches, from the first's begin to the last's end.
    pub execution: Duration,
    /// Whose clock measured [`execution`](Self::execution).
    pub clock: Clock,
    /// Each dispatch; empty where timestamps cannot be written inside passes.
    pub spans: Vec<Span>,
    /// Host memory to device, host clock.
    pub upload: Duration,
    /// Device to host memory, host clock.
    pub download: Duration,
    /// The rest: encoding, submission, waiting.
    pub overhead: Duration,
    /// Bytes uploaded.
    pub bytes_up: u64,
    /// Bytes downloaded.
    pub bytes_down: u64,
}

impl Timings {
    /// The whole run, host clock.
    pub fn total(&self) -> Duration {
        self.execution + self.upload + self.download + self.overhead
    }
}

impl fmt::Display for Timings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        writeln!(f, "execution {:10.4} ms ({:?} clock)", ms(self.execution), self.clock)?;
        for span in &self.spans {
            writeln!(f, "  {:20} {:10.4} ms", span.label, ms(span.time))?;
        }
        writeln!(f, "upload    {:10.4} ms, {} bytes", ms(self.upload), self.bytes_up)?;
        writeln!(f, "download  {:10.4} ms, {} bytes", ms(self.download), self.bytes_down)?;
        write!(f, "overhead  {:10.4} ms", ms(self.overhead))
    }
}

/// Timestamps of the dispatches of a pass. Encode into one encoder, submit, then [`read`](Self::read).
///
/// ```
/// use gpu::{Gpu, timing::PassTimer};
/// let gpu = Gpu::new(&Default::default())?;
/// let Some(mut timer) = PassTimer::new(&gpu, 0) else { return Ok(()) }; // no timestamps
/// let mut encoder = gpu.device.create_command_encoder(&Default::default());
/// timer.encode_with(&mut encoder, |_pass| { /* dispatches */ });
/// gpu.queue.submit([encoder.finish()]);
/// let (whole, parts) = timer.read(&gpu)?;
/// assert!(parts.is_empty(), "{whole:?} in all");
/// assert_eq!(gpu.block_on(timer.read_async())?, (whole, parts)); // the form for browsers
/// # Ok::<(), gpu::GpuError>(())
/// ```
#[derive(Debug)]
pub struct PassTimer {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    staging: wgpu::Buffer,
    period_ns: f64,
    inside: bool,
    capacity: u32,
    labels: Vec<&'static str>,
}

impl PassTimer {
    /// A timer of at most `dispatches` dispatches; `None` where the device has no timestamps.
    pub fn new(gpu: &Gpu, dispatches: u32) -> Option<Self> {
        if gpu.caps.timestamps == Timestamps::None {
            return None;
        }
        // Begin and end of the pass, and the end of each dispatch.
        let count = (dispatches + 2).clamp(2, wgpu::QUERY_SET_MAX_QUERIES);
        let descriptor = wgpu::QuerySetDescriptor { label: Some("timer"), ty: wgpu::QueryType::Timestamp, count };
        let buffer = |usage| {
            let size = u64::from(count) * u64::from(wgpu::QUERY_SIZE);
            let descriptor = wgpu::BufferDescriptor { label: Some("timer"), size, usage, mapped_at_creation: false };
            gpu.device.create_buffer(&descriptor)
        };
        Some(Self {
            queries: gpu.device.create_query_set(&descriptor),
            resolved: buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            staging: buffer(wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST),
            period_ns: f64::from(gpu.queue.get_timestamp_period()),
            inside: gpu.caps.timestamps == Timestamps::InsidePasses,
            capacity: count - 2,
            labels: Vec::new(),
        })
    }

    /// Encodes `works` into a pass of their own, with timestamps. One pass for each [`read`](Self::read).
    pub fn encode<D: Dispatches>(&mut self, encoder: &mut wgpu::CommandEncoder, works: &[&D]) {
        let (queries, inside, capacity) = (self.queries.clone(), self.inside, self.capacity);
        let mut labels = Vec::new();
        self.encode_pass(encoder, |pass| {
            for work in works {
                work.encode_each(pass, &mut |pass, label| {
                    if inside && (labels.len() as u32) < capacity {
                        pass.write_timestamp(&queries, 2 + labels.len() as u32);
                        labels.push(label);
                    }
                });
            }
            labels
        });
    }

    /// A pass with timestamps at its begin and end, in which `encode` records its commands and returns the labels of the
    /// timestamps that it wrote between them.
    fn encode_pass(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        encode: impl FnOnce(&mut wgpu::ComputePass<'_>) -> Vec<&'static str>,
    ) {
        let writes = wgpu::ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: Some(1),
        };
        let descriptor = wgpu::ComputePassDescriptor { label: Some("timed"), timestamp_writes: Some(writes) };
        let mut pass = encoder.begin_compute_pass(&descriptor);
        self.labels = encode(&mut pass);
        drop(pass);
        let used = 2 + self.labels.len() as u32;
        encoder.resolve_query_set(&self.queries, 0..used, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.staging, 0, self.staging.size());
    }

    /// A pass of the caller's own commands, timed as a whole.
    pub fn encode_with(&mut self, encoder: &mut wgpu::CommandEncoder, encode: impl FnOnce(&mut wgpu::ComputePass<'_>)) {
        self.encode_pass(encoder, |pass| {
            encode(pass);
            Vec::new()
        });
    }

    /// The time from begin to end of the pass, and of each dispatch where the device can say; waits for the device.
    pub fn read(&self, gpu: &Gpu) -> Result<(Duration, Vec<Span>), GpuError> {
        Ok(self.times(&transfer::read(gpu, &self.staging)?))
    }

    /// As [`read`](Self::read), without blocking: see [`transfer`].
    pub async fn read_async(&self) -> Result<(Duration, Vec<Span>), GpuError> {
        Ok(self.times(&transfer::read_async(&self.staging).await?))
    }

    fn times(&self, ticks: &[u64]) -> (Duration, Vec<Span>) {
        let time =
            |from: u64, to: u64| Duration::from_nanos((to.saturating_sub(from) as f64 * self.period_ns).round() as u64);
        let begins = [ticks[0]].into_iter().chain(ticks[2..].iter().copied());
        let spans = self.labels.iter().zip(begins.zip(&ticks[2..]));
        let spans = spans.map(|(label, (from, to))| Span { label, time: time(from, *to) }).collect();
        (time(ticks[0], ticks[1]), spans)
    }
}

/// Uploads, runs `work` once, downloads, and says what each part cost. Waits between the parts, so that they can be told
/// apart: for measurements, not for frames.
pub fn timed_run(
    gpu: &Gpu,
    uploads: &[(&wgpu::Buffer, &[u8])],
    work: &impl Dispatches,
    downloads: &[&wgpu::Buffer],
) -> Result<(Timings, Vec<Vec<u32>>), GpuError> {
    gpu.block_on(timed_run_async(gpu, uploads, work, downloads))
}

/// As [`timed_run`], without blocking: see [`transfer`].
pub async fn timed_run_async(
    gpu: &Gpu,
    uploads: &[(&wgpu::Buffer, &[u8])],
    work: &impl Dispatches,
    downloads: &[&wgpu::Buffer],
) -> Result<(Timings, Vec<Vec<u32>>), GpuError> {
    let start = Instant::now();
    for (buffer, bytes) in uploads {
        gpu.queue.write_buffer(buffer, 0, bytes);
    }
    gpu.queue.submit([]);
    gpu.wait_async().await?;
    let upload = start.elapsed();

    let mut timer = PassTimer::new(gpu, work.dispatches() as u32);
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    match &mut timer {
        Some(timer) => timer.encode(&mut encoder, &[work]),
        None => work.encode_each(&mut encoder.begin_compute_pass(&Default::default()), &mut |_, _| {}),
    }
    let commands = encoder.finish();
    let submitted = Instant::now();
    gpu.queue.submit([commands]);
    gpu.wait_async().await?;
    let host = submitted.elapsed();
    let (clock, (execution, spans)) = match timer {
        Some(timer) => (Clock::Device, timer.read_async().await?),
        None => (Clock::Host, (host, Vec::new())),
    };

    let downloading = Instant::now();
    let mut results = Vec::with_capacity(downloads.len());
    for buffer in downloads {
        results.push(transfer::download_async(gpu, buffer).await?);
    }
    let download = downloading.elapsed();
    let timings = Timings {
        execution,
        clock,
        spans,
        upload,
        download,
        overhead: start.elapsed().saturating_sub(execution + upload + download),
        bytes_up: uploads.iter().map(|(_, bytes)| bytes.len() as u64).sum(),
        bytes_down: downloads.iter().map(|buffer| buffer.size()).sum(),
    };
    Ok((timings, results))
}
