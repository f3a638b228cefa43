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
    pub process: Option<u64>,
    /// Allocated on the device, and reserved for it.
    pub device: Option<(u64, u64)>,
}

/// Reads again, now and then.
pub(super) fn read(context: Res<Context>, clock: Res<Clock>, mut memory: ResMut<Memory>) {
    if clock.frame % EVERY == 1 {
        let report = context.0.device.generate_allocator_report();
        *memory = Memory {
            process: std::fs::read_to_string("/proc/self/status").ok().and_then(|status| resident(&status)),
            device: report.map(|report| (report.total_allocated_bytes, report.total_reserved_bytes)),
        };
    }
}

/// The resident bytes of a Linux process by its `/proc/self/status`.
fn resident(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
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
        assert_eq!(resident("Name:\torogen\nVmRSS:\t   2048 kB\nThreads:\t3\n"), Some(2 << 20));
        assert_eq!((resident("VmRSS: lots"), resident("")), (None, None));
        assert_eq!((bytes(3 << 20), bytes(3 << 29)), (String::from("3 MiB"), String::from("1.50 GiB")));
    }
}
