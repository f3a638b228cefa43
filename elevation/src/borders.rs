//! Where do countries end? The borders that ship, and for the texels of a square how far the nearest one is.
//!
//! [`Borders::earth`] has those of Natural Earth at 1 : 10 000 000, which are right to about a kilometre; [`Borders::new`] takes other lines.

#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};

use crate::{
    cube::FACES,
    outlines::{Axes, Kind, Square, normals, records},
    tile::TileId,
};

/// Distances are told up to so many texels: `BORDER_REACH` of `shaders/terrain/water_tiles.wgsl`.
pub const REACH_TEXELS: f64 = 4.0;

/// How far beyond its edges a face goes, as the ratio of two components of a normal: farther than what is told in the rims of tiles.
const BEYOND: f64 = 1.1;

/// Between corners that are farther apart there are others.
const FAR_DEG: f64 = 0.25;

/// A straight part of a line in warped coordinates.
type Piece = [[f32; 2]; 2];

/// Borders of countries on land.
///
/// ```
/// use elevation::{borders::Borders, cube::face_of, geodesy::n_vector, tile::TileId};
/// // A side is an eighth of a face's: some 1 200 km.
/// let around = |lat_deg: f64, lon_deg: f64| {
///     let (face, s, t) = face_of(n_vector(lat_deg.to_radians(), lon_deg.to_radians()));
///     let [i, j] = [s, t].map(|x| (4.0 * (x + 1.0)) as u32);
///     TileId { face, level: 3, i, j }
/// };
/// assert!(Borders::earth().has_any(around(48.0, 10.0), 0), "central Europe");
/// assert!(!Borders::earth().has_any(around(0.0, -150.0), 0), "the Pacific");
/// ```
#[derive(Debug)]
pub struct Borders {
    faces: [Vec<Piece>; FACES as usize],
}

impl Borders {
    /// Those that ship: Natural Earth at 1 : 10 000 000.
    pub fn earth() -> &'static Arc<Borders> {
        static EARTH: OnceLock<Arc<Borders>> = OnceLock::new();
        EARTH.get_or_init(|| {
            let records = records(orogen_water::BORDERS).expect("what ships is whole: a test reads it");
            let borders = records.into_iter().filter(|record| record.kind == Kind::Border);
            Arc::new(Borders::new(borders.flat_map(|record| record.lines)))
        })
    }

    /// Of lines of longitudes and latitudes in degrees, whose edges are straight in both: the 49th parallel has few corners.
    ///
    /// ```
    /// use elevation::{borders::Borders, cube::face_of, geodesy::n_vector, tile::TileId};
    /// let borders = Borders::new([vec![[-120.0, 49.0], [-100.0, 49.0]]]); // the 49th parallel
    /// let face = face_of(n_vector(49f64.to_radians(), -110f64.to_radians())).0;
    /// assert!(borders.tile_texels(TileId::root(face), 0).contains(&255));
    /// ```
    pub fn new(lines: impl IntoIterator<Item = Vec<[f64; 2]>>) -> Borders {
        let mut faces: [Vec<Piece>; FACES as usize] = Default::default();
        for line in lines {
            let places = normals(&line, FAR_DEG);
            for (face, pieces) in (0..).zip(&mut faces) {
                let axes = Axes::of(face);
                let of_face = places.windows(2).filter(|ends| ends.iter().all(|end| axes.has(*end, BEYOND)));
                pieces.extend(of_face.map(|ends| [ends[0], ends[1]].map(|end| axes.warped(end).map(|x| x as f32))));
            }
        }
        Borders { faces }
    }

    /// How far the nearest border is from the texels of a tile and of a rim of so many texels around it, row by row: 255 on a border, 0 from
    /// [`REACH_TEXELS`] texels on.
    ///
    /// # Panics
    /// If there is no such face.
    pub fn tile_texels(&self, id: TileId, rim: u32) -> Vec<u8> {
        let square = Square::of(id, rim);
        let side = square.side;
        let pieces: Vec<&Piece> = self.near(id.face, &square).collect();
        if pieces.is_empty() {
            return vec![0; side * side];
        }
        let mut nearest2 = vec![REACH_TEXELS * REACH_TEXELS; side * side];
        for piece in pieces {
            let line = piece.map(|place| place.map(f64::from).into());
            square.texels_near(line, REACH_TEXELS, |at, away2| nearest2[at] = nearest2[at].min(away2));
        }
        nearest2.into_iter().map(|distance2| (255.0 * (1.0 - distance2.sqrt() / REACH_TEXELS)).round() as u8).collect()
    }

    /// Whether a border may be told in a tile or in so many texels around it.
    pub fn has_any(&self, id: TileId, rim: u32) -> bool {
        self.near(id.face, &Square::of(id, rim)).next().is_some()
    }

    /// The pieces that are near enough to a square to be told in it, by their boxes.
    fn near(&self, face: u32, square: &Square) -> impl Iterator<Item = &Piece> {
        self.faces[face as usize].iter().filter(|piece| square.is_near(**piece, REACH_TEXELS))
    }
}
