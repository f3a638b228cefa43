//! How much memory does the process hold, as the system counts it?

/// Resident memory of a process, bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ProcessMemory {
    /// All of them.
    pub all: u64,
    /// Of files: the program, its libraries and the driver's, which processes share.
    pub files: u64,
}

impl ProcessMemory {
    /// Of this process, where the system tells: Linux.
    pub fn current() -> Option<Self> {
        Self::of(&std::fs::read_to_string("/proc/self/status").ok()?)
    }

    /// Of a Linux process by its `/proc/self/status`.
    fn of(status: &str) -> Option<Self> {
        let bytes = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
            Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
        };
        Some(Self { all: bytes("VmRSS")?, files: bytes("RssFile").unwrap_or(0) })
    }

    /// What is neither of files nor in another place: with the bytes of a device of software, which live in the process.
    pub fn without_device_bytes(self, device_bytes: u64) -> u64 {
        self.all.saturating_sub(self.files).saturating_sub(device_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_of_a_process_is_read() {
        let status = "Name:\torogen\nVmRSS:\t   8192 kB\nRssAnon:\t 6144 kB\nRssFile:\t   2048 kB\nThreads:\t3\n";
        let process = ProcessMemory::of(status).expect("numbers");
        assert_eq!(process, ProcessMemory { all: 8 << 20, files: 2 << 20 });
        assert_eq!((process.without_device_bytes(5 << 20), process.without_device_bytes(u64::MAX)), (1 << 20, 0));
        assert_eq!((ProcessMemory::of("VmRSS: lots"), ProcessMemory::of("")), (None, None));
    }
}
