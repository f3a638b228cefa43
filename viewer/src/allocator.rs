//! How does memory that was freed go back to the system? By itself for large pieces, if glibc is told so.
//!
//! glibc requests memory from the system piece by piece only above a threshold. It raises the threshold, up to 32 MiB, whenever such a
//! piece is freed. It also has a heap for each of many threads. Loading the planet frees a few hundred megabytes of arrays up to 30
//! MiB. Flying over rasters frees windows of 5 MiB and files of any size. They stayed in those heaps, resident and of no use.

/// Pieces of at least so many bytes are the system's: above what is taken and freed all the time (a tile is half a
/// megabyte), below windows of a raster, which take longer to read than pages to come.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const OWN_PIECE_BYTES: i32 = 1 << 20;
/// Free bytes at the end of a heap that stay there for the next pieces. By default 128 KiB do: whoever takes and frees half a
/// megabyte again and again, as GDAL does with the blocks of each file of a folder, then asks the system for each of its pages anew.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const SPARE_BYTES: i32 = 32 << 20;
/// Heaps, at most: threads share them.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MOST_HEAPS: i32 = 4;

/// To be called before other threads are started. Who sets `MALLOC_MMAP_THRESHOLD_`, `MALLOC_TRIM_THRESHOLD_` or
/// `MALLOC_ARENA_MAX` decides.
pub fn set_mmap_threshold() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    for (variable, parameter, value) in [
        ("MALLOC_MMAP_THRESHOLD_", libc::M_MMAP_THRESHOLD, OWN_PIECE_BYTES),
        ("MALLOC_TRIM_THRESHOLD_", libc::M_TRIM_THRESHOLD, SPARE_BYTES),
        ("MALLOC_ARENA_MAX", libc::M_ARENA_MAX, MOST_HEAPS),
    ] {
        if std::env::var_os(variable).is_none() {
            // SAFETY: sets a number of the allocator's; one that it does not take is refused, and nothing is lost.
            unsafe { libc::mallopt(parameter, value) };
        }
    }
}

/// Gives back what is free in the heaps, wherever it lies in them: some milliseconds, after much was freed.
pub fn trim_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: returns free pages to the system, from any thread; nothing that is in use is touched.
    unsafe {
        libc::malloc_trim(0);
    }
}
