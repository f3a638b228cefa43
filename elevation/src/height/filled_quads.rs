//! Where is ground filled? In which quads between the nodes of a patch, by the texels around them, so that none is missed that lies
//! between two nodes.

use super::{raster::Quad, region::Rect, resample::SamplePositions};

/// Texels along a side of a quad, at most, of which all are looked at: meridians are as close as that at 86 degrees of latitude.
const MOST_TEXELS: f64 = 16.0;

/// Where the ground of a layer is filled in the quads of a patch.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FilledQuads {
    /// It answers nowhere.
    Empty,
    /// Heights of its own everywhere, with weight 1.
    Own,
    /// Row by row.
    Quads(Vec<Quad>),
    /// Smaller patches may have one of the above; where the smallest have not, their nodes have to be asked.
    BySquare,
}

impl FilledQuads {
    /// Whether the layer has heights with weight 1 everywhere.
    #[cfg(feature = "gdal")]
    pub fn is_whole(&self) -> bool {
        match self {
            Self::Own => true,
            Self::Quads(quads) => quads.iter().all(|quad| quad.is_whole),
            Self::Empty | Self::BySquare => false,
        }
    }

    /// From what data have in rectangles of their columns and rows around the positions of a patch; `None`: it cannot
    /// be read.
    pub fn of(positions: &SamplePositions<'_>, columns: usize, mut quad: impl FnMut(Rect) -> Option<Quad>) -> Self {
        let rows = positions.y.of_nodes.len() / columns.max(1);
        let mut quads = Vec::with_capacity(columns.saturating_sub(1) * rows.saturating_sub(1));
        for node in (1..rows).flat_map(|row| (1..columns).map(move |column| row * columns + column)) {
            let corners = [node - columns - 1, node - columns, node - 1, node].map(|node| positions.at(node, columns));
            let range = |axis: usize| {
                let along = corners.map(|corner| corner[axis]);
                [along.into_iter().fold(f64::INFINITY, f64::min), along.into_iter().fold(f64::NEG_INFINITY, f64::max)]
            };
            let rect = Rect { x: range(0), y: range(1) };
            // Written so that NaN fails.
            let is_small = |[first, last]: [f64; 2]| last - first <= MOST_TEXELS && first.abs() < 1e9;
            let has_place = corners.as_flattened().iter().all(|x| x.is_finite());
            if !(has_place && is_small(rect.x) && is_small(rect.y)) {
                return Self::BySquare;
            }
            let Some(found) = quad(rect) else { return Self::BySquare };
            quads.push(found);
        }
        if quads.iter().all(|quad| *quad == Quad::OWN) { Self::Own } else { Self::Quads(quads) }
    }
}
