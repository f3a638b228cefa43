//! Do files of one lattice agree where they overlap? A few of their overlaps are looked at when they are opened, so that whoever asks
//! for heights knows of which file they are.

use super::{
    super::{
        error::HeightError,
        gdal_read::{Window, read_once},
        raster::Rectangle,
    },
    Member, Mosaic,
    adjacent_members::{common, is_empty},
    height_checks::{RECTANGLES, SIDE},
    shares::MIXED,
};

/// Overlaps that are looked at, at most: half of them the largest, the others evenly spread over the rest.
const MOST_OVERLAPS: usize = 16;
/// Heights of two files are the same up to this.
const SAME_M: f32 = 0.01;

/// What was found in overlaps.
#[derive(Default)]
struct Found {
    overlaps: usize,
    compared: usize,
    different: usize,
    /// The greatest difference in metres, and the two files with it.
    worst: Option<(f32, [u32; 2])>,
}

impl Mosaic {
    /// A remark on files of one lattice that overlap and differ.
    pub fn disagreement(&self) -> Option<String> {
        let mut found = Found::default();
        for pair in self.overlaps() {
            // What cannot be read says so when its heights are asked for.
            if let Ok(Some([own, other])) = self.both_in_overlap(pair) {
                found.overlaps += 1;
                for (a, b) in own.iter().zip(&other).filter(|(a, b)| !a.is_nan() && !b.is_nan()) {
                    found.compared += 1;
                    let off_m = (a - b).abs();
                    if off_m > SAME_M {
                        found.different += 1;
                        if found.worst.is_none_or(|(most_m, _)| off_m > most_m) {
                            found.worst = Some((off_m, pair));
                        }
                    }
                }
            }
        }
        let Found { overlaps, compared, different, worst } = found;
        let (off_m, pair) = worst?;
        let [first, second] = pair.map(|k| {
            let file = &self.members[k as usize].file;
            foreign::sanitized(&file.file_name().unwrap_or(file.as_os_str()).to_string_lossy()).to_string()
        });
        let overlaps = if overlaps == 1 { "1 overlap".to_owned() } else { format!("{overlaps} overlaps") };
        Some(format!(
            "files that overlap differ at {different} of {compared} postings that were compared in {overlaps}, by up to {off_m:.2} m \
             ({first}, {second}): the first answers, in the order of names, or of the list that names them (@FILE), and within \
             {MIXED} texels of its edges and voids goes over to the next"
        ))
    }

    /// Pairs of members whose boxes overlap by some postings.
    fn overlaps(&self) -> Vec<[u32; 2]> {
        let mut pairs: Vec<(f64, [u32; 2])> = Vec::new();
        for (k, member) in self.members.iter().enumerate() {
            let ([west, south, east, north], posting_m) = (member.header.info.bbox_deg, member.header.info.posting_m);
            for other in self.index.touching_box([west, south], [east, north]).filter(|other| *other as usize > k) {
                let info = &self.members[other as usize].header.info;
                let [w, s, e, n] = info.bbox_deg;
                // Files of one lattice differ in their posting by what its metres differ from one file to the other.
                let is_as_fine = (0.5..2.0).contains(&(info.posting_m / posting_m));
                let area = (east.min(e) - west.max(w)).max(0.0) * (north.min(n) - south.max(s)).max(0.0);
                if is_as_fine && area > 0.0 {
                    pairs.push((area, [k as u32, other]));
                }
            }
        }
        pairs.sort_by(|(a, p), (b, q)| b.total_cmp(a).then(p.cmp(q)));
        pairs.dedup();
        let rest = pairs.split_off(pairs.len().min(MOST_OVERLAPS / 2));
        let spread = rest.iter().step_by(rest.len().div_ceil(MOST_OVERLAPS / 2).max(1));
        pairs.iter().chain(spread).map(|(_, pair)| *pair).collect()
    }

    /// Heights of two members at the same postings of their overlap; `None` if they are not on one lattice, or have none in common.
    fn both_in_overlap(&self, [k, other]: [u32; 2]) -> Result<Option<[Vec<f32>; 2]>, HeightError> {
        let grids = [k, other].map(|k| self.members[k as usize].header.info.grid);
        let own: Rectangle = [[0, 0], grids[0].map(|n| n as i64)];
        let (Some(place), Some(other_place)) = (self.place(k), self.place(other)) else { return Ok(None) };
        let offsets = place.offsets_of(grids[0], (other_place, grids[1]));
        let end = |first: [i64; 2]| [first[0] + grids[1][0] as i64, first[1] + grids[1][1] as i64];
        let overlap = offsets.into_iter().map(|first| (first, common(own, [first, end(first)])));
        let Some((first, [low, high])) = overlap.into_iter().find(|(_, overlap)| !is_empty(*overlap)) else {
            return Ok(None);
        };
        let windows = Window::spread([0, 1].map(|axis| (high[axis] - low[axis]) as usize), RECTANGLES, SIDE);
        let read = |k: u32, corner: [i64; 2]| {
            let Member { file, header, .. } = &self.members[k as usize];
            let moved = |window: &Window| Window {
                column: window.column + corner[0] as usize,
                row: window.row + corner[1] as usize,
                ..*window
            };
            let windows: Vec<Window> = windows.iter().map(moved).collect();
            read_once(file, header.encoding, &self.options, &windows, &mut Vec::new()).map(|read| read.concat())
        };
        Ok(Some([read(k, low)?, read(other, [low[0] - first[0], low[1] - first[1]])?]))
    }
}
