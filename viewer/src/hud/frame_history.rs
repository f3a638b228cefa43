//! Where did the time of the last frames go? Kept for the graphs.

use std::collections::VecDeque;

use bevy_ecs::resource::Resource;

/// Frames kept.
const FRAMES: usize = 240;

/// What is told of a frame, milliseconds.
pub const SERIES: [&str; 6] = ["frame", "CPU", "mesh", "ground", "sky or shading", "display"];

/// The milliseconds of a frame by [`SERIES`]; none where a part was not drawn or is not told.
pub type Row = [Option<f64>; SERIES.len()];

/// A history of frame times: the last frames that followed each other, the oldest first.
#[derive(Resource, Debug, Clone, Default)]
pub struct FrameHistory {
    rows: VecDeque<Row>,
}

impl FrameHistory {
    /// Takes in a frame.
    pub fn push(&mut self, row: Row) {
        if self.rows.len() == FRAMES {
            self.rows.pop_front();
        }
        self.rows.push_back(row);
    }

    /// One of the [`SERIES`], the oldest frame first; the number counts frames from the newest backwards.
    pub fn series(&self, index: usize) -> impl Iterator<Item = (usize, f64)> {
        let last = self.rows.len();
        self.rows.iter().enumerate().filter_map(move |(i, row)| Some((last - 1 - i, row[index]?)))
    }

    /// Median and worst of a series; none where nothing is told.
    pub fn spread(&self, index: usize) -> Option<(f64, f64)> {
        let mut values: Vec<f64> = self.series(index).map(|(_, ms)| ms).collect();
        values.sort_by(f64::total_cmp);
        Some((*values.get(values.len() / 2)?, *values.last()?))
    }

    /// Frames that fit.
    pub fn capacity(&self) -> usize {
        FRAMES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_frames_are_kept_and_gaps_stay_gaps() {
        let mut history = FrameHistory::default();
        assert_eq!(history.spread(0), None);
        for i in 0..FRAMES + 5 {
            let ground = (i % 2 == 0).then_some(1.0);
            history.push([Some(i as f64), None, None, ground, None, None]);
        }
        let frames: Vec<_> = history.series(0).collect();
        assert_eq!(
            (frames.len(), frames[0], frames[FRAMES - 1]),
            (FRAMES, (FRAMES - 1, 5.0), (0, (FRAMES + 4) as f64))
        );
        assert_eq!(history.series(3).count(), FRAMES / 2);
        assert_eq!(history.spread(0), Some((5.0 + (FRAMES / 2) as f64, (FRAMES + 4) as f64)));
        assert_eq!((history.spread(1), history.spread(3)), (None, Some((1.0, 1.0))));
    }
}
