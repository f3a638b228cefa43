//! What can a device do, as far as kernels and renderers choose by it?

use derive_setters::Setters;
use std::fmt;
use wgpu::{Backend, DeviceType, Features};

/// Invocations a subgroup may have; a shader must take any size in the range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubgroupSizes {
    /// Smallest.
    pub min: u32,
    /// Largest.
    pub max: u32,
}

/// Where device timestamps may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Timestamps {
    /// Nowhere: times are the host's.
    None,
    /// At the begin and end of a pass.
    Passes,
    /// Also between commands of an encoder.
    Encoders,
    /// Also inside passes.
    InsidePasses,
}

/// Capabilities of a device. Printable: one line each.
///
/// ```
/// use gpu::{Caps, Gpu, GpuOptions, Timestamps};
/// let gpu = Gpu::new(&GpuOptions::default().with_disable_subgroups(true))?;
/// assert!(gpu.caps.subgroups.is_none() && gpu.caps == Caps::of(&gpu.device));
/// if gpu.caps.timestamps >= Timestamps::Passes && !gpu.caps.is_software() {
///     println!("passes can be timed by the clock of {}", gpu.caps.adapter);
/// }
/// # Ok::<(), gpu::GpuError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct Caps {
    /// Adapter name.
    pub adapter: String,
    /// Driver and version.
    pub driver: String,
    /// Graphics interface.
    pub backend: Backend,
    /// Hardware or software.
    pub device_type: DeviceType,
    /// Subgroup operations, when enabled.
    pub subgroups: Option<SubgroupSizes>,
    /// Where timestamps may be written.
    pub timestamps: Timestamps,
    /// Enabled features.
    pub features: Features,
    /// Bytes of workgroup memory.
    pub workgroup_memory_bytes: u32,
    /// Invocations a workgroup.
    pub workgroup_invocations: u32,
    /// Workgroups in each dimension of a dispatch.
    pub workgroups_per_dimension: u32,
    /// Bytes of one storage buffer binding.
    pub storage_binding_bytes: u64,
    /// Bytes of one buffer.
    pub buffer_bytes: u64,
    /// Storage buffers that a shader stage may bind.
    pub storage_buffers_per_stage: u32,
    /// Offsets of storage bindings are multiples of this many bytes.
    pub storage_offset_alignment: u32,
    /// Bytes of immediates; 0 where there are none.
    pub immediate_bytes: u32,
}

impl Caps {
    /// The capabilities of `device`.
    pub fn of(device: &wgpu::Device) -> Self {
        let (info, features, limits) = (device.adapter_info(), device.features(), device.limits());
        let timestamps = if features.contains(Features::TIMESTAMP_QUERY_INSIDE_PASSES) {
            Timestamps::InsidePasses
        } else if features.contains(Features::TIMESTAMP_QUERY_INSIDE_ENCODERS) {
            Timestamps::Encoders
        } else if features.contains(Features::TIMESTAMP_QUERY) {
            Timestamps::Passes
        } else {
            Timestamps::None
        };
        let subgroups = features
            .contains(Features::SUBGROUP)
            .then_some(SubgroupSizes { min: info.subgroup_min_size, max: info.subgroup_max_size });
        let immediates = features.contains(Features::IMMEDIATES);
        Self {
            driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
            adapter: info.name,
            backend: info.backend,
            device_type: info.device_type,
            subgroups,
            timestamps,
            features,
            workgroup_memory_bytes: limits.max_compute_workgroup_storage_size,
            workgroup_invocations: limits.max_compute_invocations_per_workgroup,
            workgroups_per_dimension: limits.max_compute_workgroups_per_dimension,
            storage_binding_bytes: limits.max_storage_buffer_binding_size,
            buffer_bytes: limits.max_buffer_size,
            storage_buffers_per_stage: limits.max_storage_buffers_per_shader_stage,
            storage_offset_alignment: limits.min_storage_buffer_offset_alignment,
            immediate_bytes: if immediates { limits.max_immediate_size } else { 0 },
        }
    }

    /// Whether the CPU does the work: a correctness target, where [`crate`]'s own CPU form is faster.
    pub fn is_software(&self) -> bool {
        self.device_type == DeviceType::Cpu
    }
}

impl fmt::Display for Caps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mib = |bytes: u64| bytes >> 20;
        writeln!(f, "adapter             {} ({:?}, {:?})", self.adapter, self.backend, self.device_type)?;
        writeln!(f, "driver              {}", self.driver)?;
        match self.subgroups {
            Some(SubgroupSizes { min, max }) => writeln!(f, "subgroups           {min} to {max} invocations")?,
            None => writeln!(f, "subgroups           none")?,
        }
        writeln!(f, "timestamps          {:?}", self.timestamps)?;
        writeln!(
            f,
            "workgroup           {} invocations, {} bytes",
            self.workgroup_invocations, self.workgroup_memory_bytes
        )?;
        writeln!(f, "dispatch            {} workgroups a dimension", self.workgroups_per_dimension)?;
        writeln!(
            f,
            "storage binding     {} MiB, {} a stage",
            mib(self.storage_binding_bytes),
            self.storage_buffers_per_stage
        )?;
        writeln!(f, "buffer              {} MiB", mib(self.buffer_bytes))?;
        write!(f, "immediates          {} bytes", self.immediate_bytes)
    }
}
