//! How does a program get a device, pipelines, transfers and times? Any adapter, features and limits by capability, no error
//! swallowed.
//!
//! - [`Gpu`]: adapter, device and queue; [`WindowSurface`]: the frames of a window.
//! - [`pipeline`]: pipelines and bind groups from reflected shaders, by name; render passes that clear, uniforms.
//! - [`transfer`]: copies between host and device. [`timing`]: where the time of a run goes.
//! - What waits for the device has a form that ends in `_async`, for browsers, where nothing may block: there the other form is
//!   refused with [`GpuError::Blocking`].
//! - `wgpu` is re-exported: it is in most signatures.
//!
//! ```no_run
//! use gpu::{Gpu, GpuOptions};
//!
//! let gpu = Gpu::new(&GpuOptions::default())?;
//! println!("{}", gpu.caps);
//! // ... encode and submit ...
//! gpu.check()?; // validation errors and a lost device end up here
//! # Ok::<(), gpu::GpuError>(())
//! ```
//!
//! With a window (`terrain/examples/embed.rs` is a whole program):
//!
//! ```no_run
//! # use gpu::{Acquired, Gpu, GpuError, GpuOptions, SurfaceOptions};
//! # use std::{fmt::Debug, sync::Arc};
//! # use wgpu::rwh::{HasDisplayHandle, HasWindowHandle};
//! # fn frames<D, W>(display: D, window: Arc<W>, size_px: (u32, u32)) -> Result<(), GpuError>
//! # where D: HasDisplayHandle + Debug + Send + Sync + 'static, W: HasDisplayHandle + HasWindowHandle + Send + Sync + 'static {
//! let (gpu, mut surface) = Gpu::with_window(&GpuOptions::default(), &SurfaceOptions::default(), display, window)?;
//! // every frame
//! match surface.acquire(size_px)? {
//!     Acquired::Frame(frame) => {
//!         // ... encode passes into frame.view(), submit ...
//!         frame.present();
//!     }
//!     Acquired::Retry => { /* ask for another frame */ }
//!     Acquired::Hidden => { /* wait for an event */ }
//! }
//! # Ok(()) }
//! ```
//!
//! Mesa's device-select layer prints a line about `XDG_RUNTIME_DIR` on stderr where there is no session; the environment
//! variable `NODEVICE_SELECT=1`, set before the program starts, silences it.

pub mod pipeline;
pub mod timing;
pub mod transfer;

mod adapter;
mod blocking;
mod caps;
mod error;
mod error_sink;
mod surface;
mod surface_frame;

pub use adapter::{AdapterSummary, adapters, adapters_async};
pub use caps::{Caps, SubgroupSizes, Timestamps};
pub use error::GpuError;
pub use error_sink::ErrorSink;
pub use surface::{Acquired, SurfaceOptions, WindowSurface};
pub use surface_frame::SurfaceFrame;
pub use wgpu;

use blocking::{BROWSER, block_on};
use derive_setters::Setters;
use futures_channel::oneshot;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use wgpu::rwh::HasDisplayHandle;

/// Blocks of memory from which a software device gives out what is smaller, the first one to the largest, bytes.
const SOFTWARE_BLOCK_BYTES: std::ops::Range<u64> = 4 << 20..16 << 20;

/// What to ask of the machine; the default takes its best adapter.
#[derive(Clone, Debug, Default, PartialEq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct GpuOptions {
    /// Take only software adapters, such as Mesa's lavapipe.
    pub software: bool,
    /// Do not enable subgroup operations even where the adapter has them.
    pub disable_subgroups: bool,
    /// Part of an adapter's name, case ignored.
    pub adapter_name: Option<String>,
    /// Graphics interfaces to look at; `None` for all.
    pub backends: Option<wgpu::Backends>,
    /// Flags of the instance; `None` for those of the build: validation in debug builds.
    pub flags: Option<wgpu::InstanceFlags>,
    /// Features to enable, where the adapter has them, besides those of [`Gpu::wanted_features`].
    pub extra_features: wgpu::Features,
    /// Enable ray queries, where the adapter has them. wgpu calls them experimental: a bug in it could then be met by safe code.
    pub ray_queries: bool,
    /// Keep wgpu's own check of every indirect dispatch and draw: one more dispatch each, and counts above the limit
    /// become zero silently. Off by default: [`crate`] writes its indirect arguments clamped.
    pub validate_indirect: bool,
}

impl GpuOptions {
    /// The default, but for what the environment says: `WGPU_ADAPTER_NAME`, `WGPU_BACKEND`, and wgpu's flags such as `WGPU_VALIDATION`.
    /// The library reads the environment nowhere else, so a program decides whether its user may choose.
    ///
    /// ```
    /// let options = gpu::GpuOptions::from_env().with_software(true);
    /// assert!(options.flags.is_some());
    /// ```
    pub fn from_env() -> Self {
        Self {
            adapter_name: std::env::var("WGPU_ADAPTER_NAME").ok().filter(|name| !name.is_empty()),
            backends: wgpu::Backends::from_env(),
            flags: Some(wgpu::InstanceFlags::from_build_config().with_env()),
            ..Self::default()
        }
    }
}

/// A device with its queue, what it can do, and the errors it has met.
#[derive(Clone, Debug)]
pub struct Gpu {
    /// The instance, for surfaces.
    pub instance: wgpu::Instance,
    /// The adapter the device is of.
    pub adapter: wgpu::Adapter,
    /// The device.
    pub device: wgpu::Device,
    /// Its queue.
    pub queue: wgpu::Queue,
    /// What the device can do.
    pub caps: Caps,
    /// Errors outside any error scope, and loss of the device.
    pub errors: ErrorSink,
}

impl Gpu {
    /// A device without a window. Blocks until it is there.
    pub fn new(options: &GpuOptions) -> Result<Self, GpuError> {
        block_on(Self::new_async(options))
    }

    /// As [`new`](Self::new), without blocking.
    ///
    /// ```
    /// use gpu::{Gpu, GpuOptions};
    /// let options = GpuOptions::default();
    /// let gpu = pollster::block_on(Gpu::new_async(&options))?; // a browser awaits it
    /// assert_eq!(gpu.caps, Gpu::new(&options)?.caps);
    /// # Ok::<(), gpu::GpuError>(())
    /// ```
    pub async fn new_async(options: &GpuOptions) -> Result<Self, GpuError> {
        let instance = instance(options, wgpu::InstanceDescriptor::new_without_display_handle());
        Self::request(instance, options, None).await
    }

    /// As [`with_window_async`](Self::with_window_async). Blocks until both are there.
    pub fn with_window<D, W>(
        options: &GpuOptions,
        surface: &SurfaceOptions,
        display: D,
        window: W,
    ) -> Result<(Self, WindowSurface), GpuError>
    where
        D: HasDisplayHandle + Debug + Send + Sync + 'static,
        W: Into<wgpu::SurfaceTarget<'static>> + Clone + Send + Sync + 'static,
    {
        block_on(Self::with_window_async(options, surface, display, window))
    }

    /// A device that can draw into a window, and the window's frames.
    ///
    /// `window` is what a surface is made of, again whenever it is lost: winit's `Arc<Window>`, for example. `display` is the
    /// connection that the window belongs to (winit's `OwnedDisplayHandle`), which presenting through OpenGL needs.
    ///
    /// # Errors
    /// As [`new`](Self::new), and [`GpuError::Surface`] if the window gives no surface, or none as `surface` asks.
    ///
    /// ```no_run
    /// # use gpu::{Gpu, GpuError, GpuOptions, SurfaceOptions};
    /// # use std::{fmt::Debug, sync::Arc};
    /// # use wgpu::rwh::{HasDisplayHandle, HasWindowHandle};
    /// # async fn start<D, W>(display: D, window: Arc<W>) -> Result<(), GpuError>
    /// # where D: HasDisplayHandle + Debug + Send + Sync + 'static, W: HasDisplayHandle + HasWindowHandle + Send + Sync + 'static {
    /// let options = SurfaceOptions::default().with_linear(true);
    /// let (gpu, surface) = Gpu::with_window_async(&GpuOptions::default(), &options, display, window).await?;
    /// assert!(surface.format().is_srgb()); // the format of `RenderTarget::new`, and of other pipelines that draw into it
    /// # Ok(()) }
    /// ```
    pub async fn with_window_async<D, W>(
        options: &GpuOptions,
        surface: &SurfaceOptions,
        display: D,
        window: W,
    ) -> Result<(Self, WindowSurface), GpuError>
    where
        D: HasDisplayHandle + Debug + Send + Sync + 'static,
        W: Into<wgpu::SurfaceTarget<'static>> + Clone + Send + Sync + 'static,
    {
        let make = Box::new(move |instance: &wgpu::Instance| instance.create_surface(window.clone()));
        let (gpu, made) = Self::with_surface_async(options, display, &make).await?;
        let surface = WindowSurface::new(gpu.clone(), made, make, surface)?;
        Ok((gpu, surface))
    }

    /// As [`with_surface_async`](Self::with_surface_async). Blocks until both are there.
    ///
    /// ```no_run
    /// # use gpu::{Gpu, GpuError, GpuOptions};
    /// # use std::{fmt::Debug, sync::Arc};
    /// # use wgpu::rwh::{HasDisplayHandle, HasWindowHandle};
    /// # fn start<D, W>(display: D, window: Arc<W>) -> Result<(), GpuError>
    /// # where D: HasDisplayHandle + Debug + Send + Sync + 'static, W: HasDisplayHandle + HasWindowHandle + Send + Sync + 'static {
    /// let make = |instance: &wgpu::Instance| instance.create_surface(window);
    /// let (gpu, surface) = Gpu::with_surface(&GpuOptions::default(), display, make)?;
    /// let config = surface.get_default_config(&gpu.adapter, 640, 360).expect("the adapter can present to it");
    /// surface.configure(&gpu.device, &config);
    /// # Ok(()) }
    /// ```
    pub fn with_surface<D>(
        options: &GpuOptions,
        display: D,
        make_surface: impl FnOnce(&wgpu::Instance) -> Result<wgpu::Surface<'static>, wgpu::CreateSurfaceError>,
    ) -> Result<(Self, wgpu::Surface<'static>), GpuError>
    where
        D: HasDisplayHandle + Debug + Send + Sync + 'static,
    {
        block_on(Self::with_surface_async(options, display, make_surface))
    }

    /// A device that can present to the surface that `make_surface` makes, which the caller configures and asks for
    /// frames. `display` is that of [`with_window_async`](Self::with_window_async).
    ///
    /// ```no_run
    /// # use gpu::{Gpu, GpuError, GpuOptions};
    /// # use std::{fmt::Debug, sync::Arc};
    /// # use wgpu::rwh::{HasDisplayHandle, HasWindowHandle};
    /// # async fn start<D, W>(display: D, window: Arc<W>) -> Result<(), GpuError>
    /// # where D: HasDisplayHandle + Debug + Send + Sync + 'static, W: HasDisplayHandle + HasWindowHandle + Send + Sync + 'static {
    /// let make = |instance: &wgpu::Instance| instance.create_surface(window);
    /// let (gpu, surface) = Gpu::with_surface_async(&GpuOptions::default(), display, make).await?;
    /// let config = surface.get_default_config(&gpu.adapter, 640, 360).expect("the adapter can present to it");
    /// surface.configure(&gpu.device, &config);
    /// # Ok(()) }
    /// ```
    pub async fn with_surface_async<D>(
        options: &GpuOptions,
        display: D,
        make_surface: impl FnOnce(&wgpu::Instance) -> Result<wgpu::Surface<'static>, wgpu::CreateSurfaceError>,
    ) -> Result<(Self, wgpu::Surface<'static>), GpuError>
    where
        D: HasDisplayHandle + Debug + Send + Sync + 'static,
    {
        let descriptor = wgpu::InstanceDescriptor::new_with_display_handle(Box::new(display));
        let instance = instance(options, descriptor);
        let surface = make_surface(&instance).map_err(|error| GpuError::Surface { reason: error.to_string() })?;
        let gpu = Self::request(instance, options, Some(&surface)).await?;
        Ok((gpu, surface))
    }

    /// Features that are enabled wherever the adapter has them; none is needed.
    ///
    /// ```
    /// use gpu::{Gpu, GpuOptions};
    /// let gpu = Gpu::new(&GpuOptions::default())?;
    /// assert!(gpu.caps.features.contains(gpu.adapter.features() & Gpu::wanted_features()));
    /// # Ok::<(), gpu::GpuError>(())
    /// ```
    pub fn wanted_features() -> wgpu::Features {
        wgpu::Features::SUBGROUP
            | wgpu::Features::SUBGROUP_BARRIER
            | wgpu::Features::TIMESTAMP_QUERY
            | wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS
            | wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES
            | wgpu::Features::INDIRECT_FIRST_INSTANCE
            | wgpu::Features::FLOAT32_FILTERABLE
            | wgpu::Features::POLYGON_MODE_LINE
            | wgpu::Features::IMMEDIATES
            | wgpu::Features::SHADER_BARYCENTRICS
            | wgpu::Features::PRIMITIVE_INDEX
    }

    async fn request(
        instance: wgpu::Instance,
        options: &GpuOptions,
        surface: Option<&wgpu::Surface<'static>>,
    ) -> Result<Self, GpuError> {
        let adapter = adapter::choose(&instance, options, surface).await?;
        let mut features = adapter.features() & (Self::wanted_features() | options.extra_features);
        if options.disable_subgroups {
            features
                .remove(wgpu::Features::SUBGROUP | wgpu::Features::SUBGROUP_BARRIER | wgpu::Features::SUBGROUP_VERTEX);
        }
        let mut limits = wanted_limits(&adapter.limits());
        let mut experimental_features = wgpu::ExperimentalFeatures::disabled();
        if options.ray_queries && adapter.features().contains(wgpu::Features::EXPERIMENTAL_RAY_QUERY) {
            features |= wgpu::Features::EXPERIMENTAL_RAY_QUERY;
            limits = limits.using_acceleration_structure_values(adapter.limits());
            // SAFETY: the caller has opted in, and the option says to what.
            experimental_features = unsafe { wgpu::ExperimentalFeatures::enabled() };
        }
        // A software device takes the memory of this process: small blocks, and what is larger for itself, are freed with what is in
        // them. By default one large upload leaves a block of 128 MiB behind. The memory of a graphics card is not this process's.
        let memory_hints = match adapter.get_info().device_type {
            wgpu::DeviceType::Cpu => {
                wgpu::MemoryHints::Manual { suballocated_device_memory_block_size: SOFTWARE_BLOCK_BYTES }
            }
            _ => wgpu::MemoryHints::Performance,
        };
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("orogen"),
            required_features: features,
            required_limits: limits,
            experimental_features,
            memory_hints,
            ..Default::default()
        };
        let (device, queue) = (adapter.request_device(&descriptor).await)
            .map_err(|error| GpuError::Device { adapter: adapter.get_info().name, reason: error.to_string() })?;
        let errors = ErrorSink::install(&device);
        let caps = Caps::of(&device);
        tracing::debug!("{caps}");
        Ok(Self { instance, adapter, device, queue, caps, errors })
    }

    /// Waits until all submitted work is done, then reports the errors met so far.
    ///
    /// # Errors
    /// [`GpuError::Lost`] at once if the device is lost, or as soon as it is; [`GpuError::Uncaptured`] for other errors;
    /// [`GpuError::Blocking`] in a browser.
    pub fn wait(&self) -> Result<(), GpuError> {
        if BROWSER {
            return Err(GpuError::Blocking);
        }
        self.poll(wgpu::PollType::wait_indefinitely())?;
        self.errors.check()
    }

    /// As [`wait`](Self::wait), without blocking. Somebody has to poll the device meanwhile, as [`check`](Self::check) does; a browser
    /// does so itself.
    ///
    /// # Errors
    /// As [`wait`](Self::wait).
    ///
    /// ```
    /// use gpu::{Gpu, GpuOptions};
    /// use std::sync::{Arc, atomic::{AtomicBool, Ordering}};
    /// let gpu = Gpu::new(&GpuOptions::default())?;
    /// let done = Arc::new(AtomicBool::new(false));
    /// let told = done.clone();
    /// gpu.queue.submit([]);
    /// gpu.queue.on_submitted_work_done(move || told.store(true, Ordering::Release));
    /// gpu.block_on(gpu.wait_async())?; // polls the device meanwhile
    /// assert!(done.load(Ordering::Acquire));
    /// # Ok::<(), gpu::GpuError>(())
    /// ```
    pub async fn wait_async(&self) -> Result<(), GpuError> {
        // A device that is lost answers nothing.
        if let Some(lost) = self.lost() {
            return Err(lost);
        }
        let (sender, receiver) = oneshot::channel();
        self.queue.on_submitted_work_done(move || {
            // The receiver waits below; it is only gone if the future was dropped.
            let _ = sender.send(());
        });
        let answered = receiver.await.map_err(|error| GpuError::Wait { reason: error.to_string() });
        answered.map_err(|error| self.lost().unwrap_or(error))?;
        self.errors.check()
    }

    /// Reports the errors met so far without waiting for the device: once a frame.
    ///
    /// # Errors
    /// As [`wait`](Self::wait).
    pub fn check(&self) -> Result<(), GpuError> {
        // That a device was destroyed is told while it is polled, and by nothing else.
        self.poll(wgpu::PollType::Poll)?;
        self.errors.check()
    }

    /// The loss of the device, if it is lost. Other errors stay where [`check`](Self::check) finds them.
    ///
    /// ```
    /// use gpu::{Gpu, GpuError, GpuOptions};
    /// let gpu = Gpu::new(&GpuOptions::default())?;
    /// gpu.wait()?;
    /// assert!(gpu.lost().is_none());
    /// gpu.device.destroy();
    /// assert!(matches!(gpu.check(), Err(GpuError::Lost { .. })) && gpu.lost().is_some());
    /// # Ok::<(), GpuError>(())
    /// ```
    pub fn lost(&self) -> Option<GpuError> {
        // Other failures of a poll that waits for nothing say nothing about the device.
        let _ = self.poll(wgpu::PollType::Poll);
        self.errors.lost()
    }

    fn poll(&self, how: wgpu::PollType) -> Result<(), GpuError> {
        if let Some(lost) = self.errors.lost() {
            return Err(lost);
        }
        // wgpu 30 panics when the driver loses the device during a poll, after it has told the loss.
        let polled = catch_unwind(AssertUnwindSafe(|| self.device.poll(how)));
        match (self.errors.lost(), polled) {
            (Some(lost), _) => Err(lost),
            (None, Ok(Ok(_))) => Ok(()),
            (None, Ok(Err(error))) => Err(GpuError::Wait { reason: error.to_string() }),
            (None, Err(panic)) => resume_unwind(panic),
        }
    }
}

fn instance(options: &GpuOptions, mut descriptor: wgpu::InstanceDescriptor) -> wgpu::Instance {
    if let Some(backends) = options.backends {
        descriptor.backends = backends;
    }
    if let Some(flags) = options.flags {
        descriptor.flags = flags;
    }
    descriptor.flags.set(wgpu::InstanceFlags::VALIDATION_INDIRECT_CALL, options.validate_indirect);
    wgpu::Instance::new(descriptor)
}

/// The WebGPU defaults, lower where the adapter is lower, and the adapter's own where more is useful.
fn wanted_limits(adapter: &wgpu::Limits) -> wgpu::Limits {
    let defaults = wgpu::Limits::default().or_worse_values_from(adapter);
    wgpu::Limits {
        max_storage_buffer_binding_size: adapter.max_storage_buffer_binding_size,
        max_buffer_size: adapter.max_buffer_size,
        max_storage_buffers_per_shader_stage: adapter.max_storage_buffers_per_shader_stage,
        max_compute_workgroup_storage_size: adapter.max_compute_workgroup_storage_size,
        max_compute_invocations_per_workgroup: adapter.max_compute_invocations_per_workgroup,
        max_compute_workgroup_size_x: adapter.max_compute_workgroup_size_x,
        max_texture_dimension_2d: adapter.max_texture_dimension_2d,
        max_texture_array_layers: adapter.max_texture_array_layers,
        max_immediate_size: adapter.max_immediate_size.min(128),
        ..defaults
    }
}

// The example of the README runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
