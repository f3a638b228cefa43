//! What should a user know of many files as one layer?

use std::path::Path;

use super::Mosaic;
use crate::{
    geodesy::extents::box_of_all,
    height::layer_info::{LayerInfo, one_system},
    pack::SourceRecord,
    tile::level_of,
};

/// Files of which each has a record of its own in a pack, at most: a manifest of them has some megabytes.
const MOST_RECORDS: usize = 1 << 14;

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
        let bbox_deg = box_of_all(infos().map(|info| info.bbox_deg));
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
            vertical_system: one_system(infos().map(|info| (&*info.datum, info.vertical_system.clone()))),
            ellipsoid: self.ellipsoid(),
            size,
            grid: size,
            posting_m: self.finest_m,
            bbox_deg,
            nodata: infos().find_map(|info| info.nodata),
            void_share: 0.0,
            range_m: self.options.valid_range_on(self.ellipsoid()),
            range_is_bound: true,
            attribution: joined(|info| &info.attribution),
            notes: all,
            remarks,
        }
    }

    /// What a pack says of each file, and with the first of them what is remarked on all; `None` where they are too many for that.
    pub(super) fn records_of(&self, all: &LayerInfo) -> Option<Vec<SourceRecord>> {
        let last = |name: &Path| name.file_name().unwrap_or(name.as_os_str()).to_string_lossy().into_owned();
        let folder = last(Path::new(&all.name));
        let record = |(k, member): (usize, &super::Member)| {
            let (header, info) = (&member.header, &member.header.info);
            SourceRecord {
                name: last(&member.file),
                folder: folder.clone(),
                crs: info.crs.clone(),
                datum: info.datum.clone(),
                posting_m: info.posting_m,
                level: level_of(info.ellipsoid, info.posting_m),
                bbox_deg: header.reach_deg,
                cap: header.cap.map(|(middle, cos_radius)| (middle.to_array(), cos_radius)),
                attribution: info.attribution.clone(),
                remarks: if k == 0 { all.remarks_of_record() } else { Vec::new() },
            }
        };
        (self.members.len() <= MOST_RECORDS).then(|| self.members.iter().enumerate().map(record).collect())
    }
}
