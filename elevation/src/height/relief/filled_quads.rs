//! In which quads of a tile is ground filled? Layer by layer, as far as those above leave something to it.

use super::{
    super::{
        elevation_source::{Location, Spacing},
        filled_quads::FilledQuads,
        layer::Layer,
        patch::{Patch, PatchCoordinates},
        raster::Quad,
    },
    Relief,
};

/// Quads along the side of the smallest squares; where a layer does not say what it has in one, its nodes are asked.
const LEAST: usize = 8;

impl Relief {
    /// Whether ground is filled somewhere in each quad between the nodes of a patch, row by row; `None` where no void of the data is
    /// near: what lies beyond their sides is none.
    pub(super) fn filled_quads(&self, patch: &Patch, spacing: Spacing) -> Option<Vec<bool>> {
        let count = (patch.columns() - 1) * (patch.rows() - 1);
        let (mut is_filled, mut is_open, mut has_void) = (vec![false; count], vec![true; count], false);
        let places = patch.places();
        let patch = (patch.clone(), places);
        // Layers that are continued over a quad, unless one as fine below has heights of its own there.
        let (mut continued, mut seen) = (vec![Vec::<usize>::new(); count], Vec::new());
        for (k, layer) in self.layers.iter().enumerate() {
            let quads = match layer.source.filled_quads(&patch) {
                FilledQuads::Empty => continue,
                FilledQuads::Own => vec![Quad::OWN; count],
                FilledQuads::Quads(quads) => quads,
                FilledQuads::BySquare => by_squares(layer, &patch, spacing),
            };
            let is_below = |above: &usize| self.as_fine_below(*above).any(|below| std::ptr::eq(below, &**layer));
            let give_way: Vec<usize> = seen.iter().copied().filter(is_below).collect();
            seen.push(k);
            for (at, quad) in quads.iter().enumerate() {
                if !is_open[at] {
                    continue;
                }
                has_void |= quad.is_void;
                is_open[at] = !quad.is_whole;
                if quad.is_whole && !quad.is_filled {
                    continued[at].retain(|above| !give_way.contains(above));
                }
                match quad.is_filled {
                    true if quad.is_whole => is_filled[at] = true,
                    true => continued[at].push(k),
                    false => {}
                }
            }
            if !is_open.contains(&true) {
                break;
            }
        }
        is_filled.iter_mut().zip(&continued).for_each(|(is_filled, layers)| *is_filled |= !layers.is_empty());
        has_void.then_some(is_filled)
    }
}

/// What a layer has in the quads of a patch, square by square.
fn by_squares(layer: &Layer, (whole, places): &(Patch, PatchCoordinates), spacing: Spacing) -> Vec<Quad> {
    let (columns, rows) = (whole.columns() - 1, whole.rows() - 1);
    let side = columns.max(rows).div_ceil(2);
    if side < LEAST {
        return by_node(layer, (whole, places), spacing);
    }
    let mut quads = vec![Quad::default(); columns * rows];
    for (left, top) in [(0, 0), (side, 0), (0, side), (side, side)] {
        let (right, bottom) = ((left + side).min(columns), (top + side).min(rows));
        if left >= right || top >= bottom {
            continue;
        }
        let part = whole.part(&[left..right + 1, top..bottom + 1]);
        let places = part.places();
        let part = (part, places);
        let count = (right - left) * (bottom - top);
        let found = match layer.source.filled_quads(&part) {
            FilledQuads::Empty => vec![Quad::default(); count],
            FilledQuads::Own => vec![Quad::OWN; count],
            FilledQuads::Quads(quads) => quads,
            FilledQuads::BySquare => by_squares(layer, &part, spacing),
        };
        for (line, found) in quads.chunks_exact_mut(columns).skip(top).zip(found.chunks_exact(right - left)) {
            line[left..right].copy_from_slice(found);
        }
    }
    quads
}

/// Whether a place is between the sides of a layer's data, as far as it tells columns and rows of one grid.
fn is_on(layer: &Layer, at: &Location) -> bool {
    let [columns, rows] = layer.info.grid.map(|n| n as f64 - 1.0);
    layer.source.texel(at).is_none_or(|(x, y)| (0.0..=columns).contains(&x) && (0.0..=rows).contains(&y))
}

/// What a layer has in the quads of a patch by their four corners.
fn by_node(layer: &Layer, (patch, places): (&Patch, &PatchCoordinates), spacing: Spacing) -> Vec<Quad> {
    let (columns, rows) = (patch.columns(), patch.rows());
    let all = patch.all_places(places, [0..columns, 0..rows]);
    let node = |(normal, lon_deg, lat_deg)| {
        let at = Location { lon_deg, lat_deg, ..Location::of(normal) };
        let found = layer.source.sample(&at, spacing);
        let (is_filled, is_whole) = found.map_or((false, false), |found| (found.filled, found.weight >= 1.0));
        Quad { is_filled, is_whole, is_void: is_filled && is_on(layer, &at) }
    };
    let nodes: Vec<Quad> = all.map(node).collect();
    let corners =
        |node: usize| nodes[node].and(nodes[node + 1]).and(nodes[node + columns]).and(nodes[node + columns + 1]);
    (0..rows - 1).flat_map(|row| (0..columns - 1).map(move |column| row * columns + column)).map(corners).collect()
}
