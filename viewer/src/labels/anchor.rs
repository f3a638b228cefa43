//! Where can a line or a place be labelled, and what may looking for such places cost?

use glam::DVec3;

use super::subject::Subject;

/// What labels may cost in a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LabelBudget {
    /// Most heights of the ground to look for spots with.
    pub heights: usize,
    /// Most heights of the ground under names, which may be read from files.
    pub name_heights: usize,
    /// Most rays to new labels.
    pub rays: usize,
    /// Every label is looked at, in every frame.
    pub all: bool,
}

impl LabelBudget {
    /// Of a frame among many: some tenths of a millisecond.
    pub const FRAME: LabelBudget = LabelBudget { heights: 150, name_heights: 7, rays: 2, all: false };
    /// Of a picture that is final.
    pub const SETTLED: LabelBudget =
        LabelBudget { heights: usize::MAX, name_heights: usize::MAX, rays: usize::MAX, all: true };
}

/// Where a line or a place can be labelled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LabelAnchor {
    /// What it says.
    pub subject: Subject,
    /// As it is drawn, ECEF metres.
    pub position_m: DVec3,
    /// Unit geodetic normal there.
    pub up: DVec3,
    /// Unit vector along the line; 0 of a place, as what follows.
    pub along: DVec3,
    /// To the next line of the kind, metres.
    pub to_next_m: DVec3,
    /// Digits of its number after the point.
    pub digits: usize,
}
