//! For which places may a file of a mosaic be read, and what is known of it before?
//!
//! For those in its reach. Also for those of a file beside it on the same lattice, of which a part or all is read with what lies
//! around: so for places as far away as a part is wide, or a file that has no parts.

use super::{super::layer_info::MemberFile, Member, Mosaic, is_large};
use crate::height::{
    layer_info::{Area, LayerInfo},
    raster::margin,
};

/// How much farther a column or row may reach somewhere than in the mean of a file: by the curvature of a projection.
const BENT: f64 = 1.25;

impl Mosaic {
    /// Files, in their order.
    pub(super) fn member_files(&self) -> Vec<MemberFile> {
        let texels = self.members.iter().map(|member| texels_around(member, self.side)).max().unwrap_or(0);
        let file = |member: &Member| MemberFile {
            file: member.file.clone(),
            key_text: key_text(member),
            area: Area { cap: None, bbox_deg: grown(member, texels), posting_m: member.header.info.posting_m },
        };
        self.members.iter().map(file).collect()
    }
}

/// Columns or rows that are read with a texel of a file, at most.
fn texels_around(Member { header, .. }: &Member, side: usize) -> usize {
    let [west, _, east, _] = header.reach_deg;
    // Of those that go around the Earth some have no parts.
    let has_parts = is_large(header, side) && east - west < 350.0;
    let longest = header.info.grid.into_iter().max().unwrap_or(0);
    2 * margin(header.feather) + if has_parts { side.min(longest) } else { longest }
}

/// The reach of a file, and so many columns and rows around it.
fn grown(Member { header, .. }: &Member, texels: usize) -> [f64; 4] {
    let [west, south, east, north] = header.reach_deg;
    // Columns and rows may lie across.
    let fewest = header.info.grid.into_iter().min().unwrap_or(1).max(1);
    let room = |low: f64, high: f64| BENT * texels as f64 * (high - low) / fewest as f64;
    let (across, down) = (room(west, east), room(south, north));
    let (south, north) = (south - down, north + down);
    let is_around = south < -90.0 || north > 90.0 || east - west + 2.0 * across >= 360.0;
    let [west, east] = if is_around { [-180.0, 180.0] } else { [west - across, east + across] };
    [west, south.max(-90.0), east, north.min(90.0)]
}

/// What a file's header and length say: what they say of heights and places, not how it is called or what was remarked on it.
fn key_text(Member { header, .. }: &Member) -> String {
    let info = LayerInfo { name: String::new(), notes: Vec::new(), remarks: Vec::new(), ..header.info.clone() };
    let place = (header.feather, header.reach_deg, header.cap);
    format!("{info:?} {} {place:?} {} bytes", header.encoding.key_text(), header.fingerprint.bytes())
}
