//! How far is the next shore? Finest texels tell the distance, so that a picture can magnify them (C. Green, 2007).

use glam::DVec2;

use super::{Cover, LAND, SHORE_REACH, Water, shores::TexelRows};
use crate::outlines::Square;

/// So many texels beside an edge it is asked what is there: more than two edges that are one are rounded apart.
const BESIDE_TEXELS: f64 = 0.1;
/// An edge is a shore or not for so many texels: bodies that overlap share some of theirs.
const PART_TEXELS: f64 = 8.0;

/// What two sides of a shore are.
#[derive(Clone, Copy)]
enum Shore {
    LandAndSea,
    LandAndLake,
    SeaAndLake,
}

impl Water {
    /// [`tile_texels`](Water::tile_texels) of finest tiles.
    pub(super) fn distance_texels(&self, face: u32, square: &Square) -> Vec<u8> {
        const FAR: f32 = f32::INFINITY;
        let mut texels = self.texels_of(face, square);
        let shores = self.face(face);
        let rows = shores.texel_rows(square);
        // Squares of texels to the next shore of each kind.
        let mut nearest2 = vec![[FAR; 3]; texels.len()];
        let edges =
            shores.near(square, SHORE_REACH).map(|edge| [edge.from, edge.to].map(|end| end.map(f64::from).into()));
        for part in edges.flat_map(|edge| square.pieces_near(edge, SHORE_REACH, PART_TEXELS)) {
            let Some(kind) = self.shore(&rows, part, BESIDE_TEXELS * square.size) else { continue };
            square.texels_near(part, SHORE_REACH, |at, away2| {
                let texel = &mut nearest2[at][kind as usize];
                *texel = texel.min(away2 as f32);
            });
        }
        for (at, nearest2) in nearest2.into_iter().enumerate().filter(|(_, nearest2)| *nearest2 != [FAR; 3]) {
            let middle = |axis: usize, k: usize| square.corner[axis] + square.size * (k as f64 + 0.5);
            let cover = self.cover(&rows.winding(middle(0, at % square.side), middle(1, at / square.side)));
            let part = |kind: Shore| (nearest2[kind as usize].sqrt() / (2.0 * SHORE_REACH as f32)).min(0.5);
            let part = match cover {
                Cover::Sea => -0.5 - part(Shore::LandAndSea).min(part(Shore::SeaAndLake)),
                Cover::Lake(_) => 0.5 + part(Shore::LandAndLake).min(part(Shore::SeaAndLake)),
                Cover::Land => {
                    let [sea, lake] = [Shore::LandAndSea, Shore::LandAndLake].map(|kind| 0.5 - part(kind));
                    if lake >= sea { lake } else { -sea }
                }
            };
            texels[at] = (f32::from(LAND) + 100.0 * part).round() as u8;
        }
        texels
    }

    /// What a part of an edge lies between, so far beside its middle; nothing where one body is cut, as along 180 degrees.
    fn shore(&self, rows: &TexelRows, [from, to]: [DVec2; 2], beside: f64) -> Option<Shore> {
        let aside = beside * (to - from).perp().normalize_or_zero();
        let middle = from.midpoint(to);
        let sides = [middle - aside, middle + aside].map(|place| self.cover(&rows.winding(place.x, place.y)));
        match sides {
            [Cover::Land, Cover::Sea] | [Cover::Sea, Cover::Land] => Some(Shore::LandAndSea),
            [Cover::Land, Cover::Lake(_)] | [Cover::Lake(_), Cover::Land] => Some(Shore::LandAndLake),
            [Cover::Sea, Cover::Lake(_)] | [Cover::Lake(_), Cover::Sea] => Some(Shore::SeaAndLake),
            [Cover::Land, Cover::Land] | [Cover::Sea, Cover::Sea] | [Cover::Lake(_), Cover::Lake(_)] => None,
        }
    }
}
