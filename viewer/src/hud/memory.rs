//! How much memory is in use? Of the process, as the system counts it, and of the graphics device, as wgpu does.

use bevy_ecs::prelude::*;

use crate::app::Clock;
use crate::render::Context;

/// Frames between two readings.
const EVERY: u64 = 30;

/// Bytes in use; none where nobody tells.
#[derive(Resource, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Memory {
    /// Resident in the process.
    pub process: Option<Resident>,
    /// Allocated on the device, and reserved for it.
    pub device: Option<(u64, u64)>,
    /// Whether the device's memory is the process's.
    pub device_is_software: bool,
}

/// Reads again, now and then.
pub(super) fn read(context: Res<Context>, clock: Res<Clock>, mut memory: ResMut<Memory>) {
    if clock.frame % EVERY == 1 {
        let report = context.0.device.generate_allocator_report();
        *memory = Memory {
            process: std::fs::read_to_string("/proc/self/status").ok().and_then(|status| Resident::of(&status)),
            device: report.map(|report| (report.total_allocated_bytes, report.total_reserved_bytes)),
            device_is_software: context.0.caps.is_software(),
        };
    }
}

/// Resident bytes of a process.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Resident {
    /// All of them.
    pub all: u64,
    /// Of files: the program, its libraries and the driver's, which processes share.
    pub files: u64,
}

impl Resident {
    /// Of a Linux process by its `/proc/self/status`.
    fn of(status: &str) -> Option<Self> {
        let bytes = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
            Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
        };
        Some(Self { all: bytes("VmRSS")?, files: bytes("RssFile").unwrap_or(0) })
    }
}

impl Memory {
    /// What is resident, and what it is, in words.
    pub fn of_process(&self) -> Option<String> {
        let Resident { all, files } = self.process?;
        // A device of software lives in the process.
        let device = self
            .device
            .filter(|_| self.device_is_software)
            .map_or(0, |(_, reserved)| reserved.min(all - files.min(all)));
        let own = all.saturating_sub(files + device);
        let of_device = if device > 0 { format!("{} of the device, ", bytes(device)) } else { String::new() };
        Some(format!("process: {} resident: {of_device}{} of files, {} else", bytes(all), bytes(files), bytes(own)))
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
    fn the_status_of_a_process_is_read() {
        let status = "Name:\torogen\nVmRSS:\t   8192 kB\nRssAnon:\t 6144 kB\nRssFile:\t   2048 kB\nThreads:\t3\n";
        let process = Resident::of(status);
        assert_eq!(process, Some(Resident { all: 8 << 20, files: 2 << 20 }));
        assert_eq!((Resident::of("VmRSS: lots"), Resident::of("")), (None, None));
        let software = Memory { process, device: Some((1 << 20, 5 << 20)), device_is_software: true };
        let said = "process: 8 MiB resident: 5 MiB of the device, 2 MiB of files, 1 MiB else";
        assert_eq!(software.of_process().as_deref(), Some(said));
        let card = Memory { device_is_software: false, ..software };
        assert_eq!(card.of_process().as_deref(), Some("process: 8 MiB resident: 2 MiB of files, 6 MiB else"));
        assert_eq!((bytes(3 << 20), bytes(3 << 29)), (String::from("3 MiB"), String::from("1.50 GiB")));
    }
}
