//! Which adapter is taken? The best that fits the options: hardware before software, native interfaces before OpenGL.

use crate::{GpuError, GpuOptions};
use std::fmt;
use wgpu::{Backend, DeviceType};

/// One adapter of the machine, for lists and errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterSummary {
    /// Name that the driver gives.
    pub name: String,
    /// Graphics interface.
    pub backend: Backend,
    /// Hardware or software.
    pub device_type: DeviceType,
    /// Driver with its version.
    pub driver: String,
}

impl AdapterSummary {
    fn of(adapter: &wgpu::Adapter) -> Self {
        let info = adapter.get_info();
        let driver = format!("{} {}", info.driver, info.driver_info).trim().to_owned();
        Self { name: info.name, backend: info.backend, device_type: info.device_type, driver }
    }
}

impl fmt::Display for AdapterSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:?}, {:?})", self.name, self.backend, self.device_type)
    }
}

/// Every adapter that the environment allows, best first. Blocks until they are known: in a browser the list is empty.
///
/// ```
/// use gpu::{Gpu, GpuOptions, adapters};
/// let options = GpuOptions::default();
/// // The first one is taken.
/// let best = &adapters(&options)[0];
/// assert_eq!(Gpu::new(&options)?.caps.adapter, best.name);
/// # Ok::<(), gpu::GpuError>(())
/// ```
pub fn adapters(options: &GpuOptions) -> Vec<AdapterSummary> {
    crate::block_on(async { Ok(adapters_async(options).await) }).unwrap_or_default()
}

/// As [`adapters`], without blocking.
///
/// ```
/// use gpu::{GpuOptions, adapters, adapters_async};
/// let options = GpuOptions::default();
/// let found = pollster::block_on(adapters_async(&options)); // a browser awaits it
/// assert_eq!(found, adapters(&options));
/// assert!(found[0].to_string().starts_with(&found[0].name));
/// ```
pub async fn adapters_async(options: &GpuOptions) -> Vec<AdapterSummary> {
    let instance = crate::instance(options, wgpu::InstanceDescriptor::new_without_display_handle());
    enumerate(&instance).await.iter().map(AdapterSummary::of).collect()
}

async fn enumerate(instance: &wgpu::Instance) -> Vec<wgpu::Adapter> {
    let mut adapters = instance.enumerate_adapters(wgpu::Backends::all()).await;
    adapters.sort_by_key(|adapter| {
        let info = adapter.get_info();
        (type_rank(info.device_type), backend_rank(info.backend))
    });
    adapters
}

fn type_rank(device_type: DeviceType) -> u32 {
    match device_type {
        DeviceType::DiscreteGpu => 0,
        DeviceType::IntegratedGpu => 1,
        DeviceType::VirtualGpu => 2,
        // OpenGL often does not say what it runs on.
        DeviceType::Other => 3,
        DeviceType::Cpu => 4,
    }
}

fn backend_rank(backend: Backend) -> u32 {
    match backend {
        Backend::Vulkan | Backend::Metal => 0,
        Backend::Dx12 => 1,
        Backend::BrowserWebGpu => 2,
        Backend::Gl => 3,
        Backend::Noop => 4,
    }
}

pub(super) async fn choose(
    instance: &wgpu::Instance,
    options: &GpuOptions,
    surface: Option<&wgpu::Surface<'static>>,
) -> Result<wgpu::Adapter, GpuError> {
    let name = options.adapter_name.as_ref().filter(|name| !name.is_empty());
    let all = enumerate(instance).await;
    let lines: Vec<AdapterSummary> = all.iter().map(AdapterSummary::of).collect();
    if lines.is_empty() {
        return Err(GpuError::NoAdapter);
    }
    let mut rejected = String::new();
    for (adapter, line) in all.into_iter().zip(&lines) {
        let why_not = if options.software && line.device_type != DeviceType::Cpu {
            Some("not a software adapter")
        } else if name.is_some_and(|name| !line.name.to_lowercase().contains(&name.to_lowercase())) {
            Some("not the name asked for")
        } else if !adapter.get_downlevel_capabilities().flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS) {
            Some("no compute shaders")
        } else if surface.is_some_and(|surface| !adapter.is_surface_supported(surface)) {
            Some("cannot present to the window")
        } else {
            None
        };
        match why_not {
            None => return Ok(adapter),
            Some(why) => rejected.push_str(&format!("\n  {line}: {why}")),
        }
    }
    Err(GpuError::NoAdapterFits { rejected })
}
