//! What did an update do, and when has a view settled?

/// Statistics of an update: what it changed, and what there is to draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UpdateReport {
    /// Live triangles.
    pub triangles: u32,
    /// Vertices they share.
    pub vertices: u32,
    /// Bisections in this update.
    pub splits: u32,
    /// Triangles merged away in this update.
    pub merges: u32,
    /// Slots that the view still wants and the pool does not have.
    pub starved: u32,
    /// Slots of the pool.
    pub capacity: u32,
    /// Bytes recorded for upload.
    pub uploaded_bytes: u64,
    /// True once nothing changes any more for this view.
    pub settled: bool,
}

/// Quiet steps after which a view counts as settled: without and with starved triangles, whose tie-breaks rotate.
pub(crate) const QUIET_STEPS: u32 = 4;
pub(crate) const QUIET_STEPS_STARVED: u32 = 40;
