//! How much memory is in use? Of the process, as the system counts it, and of the graphics device, as wgpu does.

use bevy_ecs::prelude::*;

use crate::app::Clock;
use crate::frame::Context;
use crate::process_memory::ProcessMemory;
use crate::terrain::Planet;
use terrain::height::MemoryUse;

/// Frames between two readings.
const EVERY: u64 = 30;

/// Bytes in use; none where nobody tells.
#[derive(Resource, Debug, Clone, Default, PartialEq, Eq)]
pub struct Memory {
    /// Resident in the process.
    pub process: Option<ProcessMemory>,
    /// Allocated on the device, and reserved for it.
    pub device: Option<(u64, u64)>,
    /// Whether the device's memory is the process's.
    pub device_is_software: bool,
    /// Heights of each layer; none of packs.
    pub layers: Vec<Option<MemoryUse>>,
}

/// Reads again, now and then.
pub(super) fn read(context: Res<Context>, planet: Res<Planet>, clock: Res<Clock>, mut memory: ResMut<Memory>) {
    if clock.frame % EVERY == 1 {
        let report = context.0.device.generate_allocator_report();
        *memory = Memory {
            process: ProcessMemory::current(),
            device: report.map(|report| (report.total_allocated_bytes, report.total_reserved_bytes)),
            device_is_software: context.0.caps.is_software(),
            layers: planet.relief().memory_use(),
        };
    }
}

impl Memory {
    /// What is resident, and what it is, in words.
    pub fn of_process(&self) -> Option<String> {
        let process = self.process?;
        // A device of software lives in the process. What is reserved and not allocated has not been touched.
        let device = self.device.filter(|_| self.device_is_software).map_or(0, |(allocated, _)| allocated);
        let of_device = if device > 0 { format!("{} of the device, ", bytes(device)) } else { String::new() };
        let (all, files, own) = (bytes(process.all), bytes(process.files), bytes(process.without_device_bytes(device)));
        Some(format!("process: {all} resident: {of_device}{files} of files, {own} else"))
    }
}

/// Bytes as people say them.
pub(super) fn bytes(n: u64) -> String {
    let mib = n as f64 / f64::from(1 << 20);
    if mib < 1024.0 { format!("{mib:.0} MiB") } else { format!("{:.2} GiB", mib / 1024.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_resident_is_told_apart() {
        let process = Some(ProcessMemory { all: 8 << 20, files: 2 << 20 });
        let device = Some((5 << 20, 7 << 20));
        let software = Memory { process, device, device_is_software: true, layers: Vec::new() };
        let said = "process: 8 MiB resident: 5 MiB of the device, 2 MiB of files, 1 MiB else";
        assert_eq!(software.of_process().as_deref(), Some(said));
        let card = Memory { device_is_software: false, ..software };
        assert_eq!(card.of_process().as_deref(), Some("process: 8 MiB resident: 2 MiB of files, 6 MiB else"));
        assert_eq!((bytes(3 << 20), bytes(3 << 29)), (String::from("3 MiB"), String::from("1.50 GiB")));
    }
}
