//! What should a user know of many files as one layer?

use std::path::Path;

use super::Mosaic;
use crate::height::layer::LayerInfo;

impl Mosaic {
    /// What a user should know of all of it.
    pub fn info(&self, name: &Path, notes: Vec<String>) -> LayerInfo {
        let infos = || self.members.iter().map(|member| &member.header.info);
        let joined = |word: fn(&LayerInfo) -> &str| {
            let mut words: Vec<&str> = infos().map(word).collect();
            words.sort_unstable();
            words.dedup();
            words.retain(|word| !word.is_empty());
            words.join("; ")
        };
        let bbox_deg = union(infos().map(|info| info.bbox_deg));
        let size = infos().fold([0, 0], |sum, info| [sum[0] + info.size[0], sum[1].max(info.size[1])]);
        let mut all = vec![format!(
            "{} files, read as they are needed: range and voids of their heights are not known beforehand",
            self.members.len()
        )];
        all.extend(notes);
        let said = |words: fn(&LayerInfo) -> &Vec<String>| {
            let mut said: Vec<String> = infos().flat_map(|info| words(info).iter().cloned()).collect();
            said.sort_unstable();
            said.dedup_by(|a, b| a == b);
            const MOST: usize = 5;
            let more = said.len().saturating_sub(MOST);
            said.truncate(MOST);
            said.extend((more > 0).then(|| format!("{more} more of this kind on single files")));
            said
        };
        all.extend(said(|info| &info.notes));
        let mut remarks = said(|info| &info.remarks);
        let (looked_at, files) =
            (self.members.iter().filter(|member| member.header.is_looked_at).count(), self.members.len());
        if looked_at < files {
            let looked =
                format!("heights of {looked_at} of {files} files were looked at, the others are when they are read");
            // Who reads remarks should know of what they are.
            remarks.extend((!remarks.is_empty()).then(|| looked.clone()));
            all.push(looked);
        }
        LayerInfo {
            name: name.display().to_string(),
            driver: format!("mosaic of {}", joined(|info| &info.driver)),
            crs: joined(|info| &info.crs),
            datum: joined(|info| &info.datum),
            size,
            grid: size,
            posting_m: self.finest_m,
            bbox_deg,
            nodata: infos().find_map(|info| info.nodata),
            void_share: 0.0,
            range_m: self.options.valid_range_m,
            range_is_bound: true,
            attribution: joined(|info| &info.attribution),
            notes: all,
            remarks,
        }
    }
}

/// West, south, east, north of all: the narrowest range of longitudes that begins with one of the boxes.
pub(super) fn union(boxes: impl Iterator<Item = [f64; 4]> + Clone) -> [f64; 4] {
    let south = boxes.clone().map(|b| b[1]).fold(f64::INFINITY, f64::min);
    let north = boxes.clone().map(|b| b[3]).fold(f64::NEG_INFINITY, f64::max);
    // More than a few thousand starts would cost more than they save.
    let starts = boxes.clone().map(|b| b[0]).step_by(boxes.clone().count().div_ceil(1000).max(1));
    let width = |start: f64| {
        boxes.clone().map(|[west, _, east, _]| (west - start).rem_euclid(360.0) + east - west).fold(0.0, f64::max)
    };
    let best = starts.map(|start| (width(start), start)).min_by(|a, b| a.0.total_cmp(&b.0));
    match best {
        Some((width, west)) if width < 360.0 => [west, south, west + width, north],
        _ => [-180.0, south, 180.0, north],
    }
}
