//! Between which heights is a mosaic in a region? Of few files, what they hold; of more, what is promised.

use rstar::AABB;

use super::Mosaic;
use crate::height::region::{Bounds, Overlap, Region, hull};

/// Files that are read to bound a region.
const FEW: usize = 4;

impl Mosaic {
    /// Bounds in a region; `None` if there is nothing.
    pub fn bounds(&self, region: &Region) -> Option<Bounds> {
        let members = self.members_near(region);
        if members.len() > FEW {
            return Some(Bounds::promised(self.options.valid_range_m));
        }
        // Heights are means of those of the members, and one that certainly has a height answers.
        let found = members.into_iter().filter_map(|k| self.bounds_of_member(k, region));
        found.reduce(|a, b| Bounds { least: a.least.max(b.least), ..a.hull(b) })
    }

    /// Members whose footprints touch a region.
    fn members_near(&self, region: &Region) -> Vec<u32> {
        let (lon, reach) = (region.lon_deg, region.lon_reach_deg);
        // Footprints are there for every turn, from -180 to 180; what reaches beyond is looked up a turn away.
        let boxes = [Some(0.0), (lon + reach > 180.0).then_some(-360.0), (lon - reach < -180.0).then_some(360.0)];
        let mut found: Vec<u32> = Vec::new();
        for turn in boxes.into_iter().flatten() {
            let corners = [-1.0, 1.0].map(|side| {
                [lon + turn + side * (reach + 1e-9), region.lat_deg + side * (region.lat_reach_deg + 1e-9)]
            });
            let envelope = AABB::from_corners(corners[0], corners[1]);
            found.extend(self.index.locate_in_envelope_intersecting(&envelope).map(|footprint| footprint.data));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Bounds of a member.
    fn bounds_of_member(&self, k: u32, region: &Region) -> Option<Bounds> {
        let cap = self.members[k as usize].header.cap;
        let overlap = cap.map_or(Overlap::All, |(middle, cos_radius)| region.within(middle, cos_radius.acos()));
        if overlap == Overlap::None {
            return None;
        }
        let mut bounds = None;
        for rect in self.place(k)?.placement.rects(region).into_iter().flatten() {
            let Some(found) = self.part(k)?.bounds(rect) else { continue };
            bounds = hull(bounds, Some(found));
        }
        let bounds: Bounds = bounds?;
        Some(if overlap == Overlap::All { bounds } else { Bounds { least: 0.0, ..bounds } })
    }
}
