//! What do the records of the files of one folder say together?

use super::{Manifest, SourceRecord};
use crate::geodesy::extents::{box_of_all, cap_of_all};

impl Manifest {
    /// The layers that the sources were, topmost first, each as one source, with the number of its records: of a folder, the files of
    /// which have one each, with the name of the folder, the finest posting, and all that is said of any.
    pub fn layers(&self) -> impl Iterator<Item = (SourceRecord, usize)> + '_ {
        let layers = self.sources.chunk_by(|a, b| !a.folder.is_empty() && a.folder == b.folder);
        layers.filter_map(|records| Some((together(records.first()?, records), records.len())))
    }
}

fn together(first: &SourceRecord, records: &[SourceRecord]) -> SourceRecord {
    if first.folder.is_empty() {
        return first.clone();
    }
    let joined = |word: fn(&SourceRecord) -> &str| {
        let mut words: Vec<&str> = records.iter().map(word).filter(|word| !word.is_empty()).collect();
        words.sort_unstable();
        words.dedup();
        words.join("; ")
    };
    let cap = cap_of_all(records.iter().map(SourceRecord::cap));
    SourceRecord {
        name: first.folder.clone(),
        folder: first.folder.clone(),
        crs: joined(|record| &record.crs),
        datum: joined(|record| &record.datum),
        posting_m: records.iter().map(|record| record.posting_m).fold(f64::INFINITY, f64::min),
        level: records.iter().map(|record| record.level).max().unwrap_or(first.level),
        bbox_deg: box_of_all(records.iter().map(|record| record.bbox_deg)),
        cap: cap.map(|(middle, cos_radius)| (middle.to_array(), cos_radius)),
        attribution: joined(|record| &record.attribution),
        remarks: records.iter().flat_map(|record| record.remarks.iter().cloned()).collect(),
    }
}
