//! Where does the time of an update go? The host's clock around its phases.

use std::time::Duration;

use web_time::Instant;

/// Time of the phases of one [`CpuTerrain::update`](crate::CpuTerrain::update), summed over its steps; all zero where the view
/// was settled and nothing was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpuTimings {
    /// Tiles are chosen and taken over, and vertices that waited for them are placed.
    pub tiles: Duration,
    /// Every vertex is judged for the view.
    pub priorities: Duration,
    /// The pool refines and coarsens.
    pub topology: Duration,
    /// Changed slots take and release vertices; new ones are placed and judged.
    pub vertices: Duration,
    /// Vertices and indices are written to staging memory and their copies recorded.
    pub upload: Duration,
}

impl CpuTimings {
    /// All phases together.
    ///
    /// ```
    /// use std::time::Duration;
    /// use terrain::CpuTimings;
    /// let [tiles, upload] = [2, 1].map(Duration::from_millis);
    /// assert_eq!(CpuTimings { tiles, upload, ..CpuTimings::default() }.total(), Duration::from_millis(3));
    /// ```
    pub fn total(&self) -> Duration {
        self.tiles + self.priorities + self.topology + self.vertices + self.upload
    }
}

/// Does the work and adds the time it took to `phase`.
pub(crate) fn timed<T>(phase: &mut Duration, work: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let done = work();
    *phase += started.elapsed();
    done
}
