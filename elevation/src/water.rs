//! Where is water? Outlines of land and lakes, which answer for a place, and for the texels of a square how much of each is what.
//!
//! Heights do not tell: Death Valley and Holland lie below the sea and are dry, Lake Superior lies above it. [`Water::earth`] has the coasts
//! and 1 326 lakes of Natural Earth at 1 : 10 000 000, which is right to about a kilometre; [`Water::new`] takes other outlines.
//!
//! Outlines are cut by the faces of the cube into pieces between rows of equal height, so that a question looks at the pieces of one row.

mod clip;
mod distances;
mod sea_cells;
mod sea_regions;
mod shores;

use std::sync::{Arc, OnceLock};

use glam::DVec3;

use clip::Ring;
use sea_cells::SeaCells;
pub(crate) use sea_regions::FARTHEST_RAD;
use shores::{Shores, Winding};

use crate::{
    cube::{FACES, face_of},
    geodesy::n_vector,
    outlines::{Kind, Record, Square, records},
    tile::TileId,
};

/// Texel values of [`Water::texels`]: all of it is sea.
pub const SEA: u8 = 0;
/// All of it is land.
pub const LAND: u8 = 100;
/// All of it is a lake.
pub const LAKE: u8 = 200;

/// Tiles of this level, and none that are finer, tell shores: their texels are 9.5 m wide, and corners of outlines are right to a metre.
/// `WATER_FINEST_LEVEL` of `shaders/terrain/water_tiles.wgsl`.
pub const FINEST_LEVEL: u32 = 12;
/// Their texels tell distances up to so many texels: `SHORE_REACH` of the same. A shore between the middles of four texels is no farther from any
/// of them than their diagonal, so that it is a straight line where it is one.
pub const SHORE_REACH: f64 = 1.5;

/// What an outline is that of.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// Land in the sea.
    Land,
    /// Water on land.
    Lake(Lake),
}

/// A lake.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lake {
    /// Its name; empty where it is not known.
    pub name: String,
    /// Its mean surface above mean sea level, metres, where it is known.
    pub level_m: Option<f64>,
}

/// A body and its rings of longitudes and latitudes in degrees, which close by themselves: clockwise around it as a map shows it,
/// the other way round holes. Edges are arcs of great circles, and no body reaches around half of the Earth.
///
/// ```
/// use elevation::{geodesy::n_vector, water::{Body, Cover, Lake, Outline, Water}};
/// let square = |a: f64, b: f64| vec![[a, a], [a, b], [b, b], [b, a]]; // clockwise, as a map shows it
/// let lake = Lake { name: "Pond".into(), level_m: Some(12.0) };
/// let water = Water::new([
///     Outline { body: Body::Land, rings: vec![square(0.0, 3.0)] },
///     Outline { body: Body::Lake(lake.clone()), rings: vec![square(1.0, 2.0)] },
/// ]);
/// let at = |degrees: f64| water.at(n_vector(degrees.to_radians(), degrees.to_radians()));
/// assert_eq!((at(0.5), at(1.5), at(4.0)), (Cover::Land, Cover::Lake(&lake), Cover::Sea));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// What is inside.
    pub body: Body,
    /// Its rings.
    pub rings: Vec<Vec<[f64; 2]>>,
}

/// What is at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cover<'a> {
    /// Dry land.
    Land,
    /// The sea, whose surface is at 0 m.
    Sea,
    /// A lake.
    Lake(&'a Lake),
}

/// Land, sea and lakes of the whole Earth.
///
/// ```
/// use elevation::{geodesy::n_vector, water::{Cover, Water}};
/// let at = |lat_deg: f64, lon_deg: f64| Water::earth().at(n_vector(lat_deg.to_radians(), lon_deg.to_radians()));
/// assert_eq!(at(36.25, -116.83), Cover::Land, "Death Valley, 86 m below the sea");
/// assert_eq!(at(43.0, 34.0), Cover::Sea, "the Black Sea");
/// let Cover::Lake(lake) = at(47.7, -87.5) else { panic!("Lake Superior is a lake") };
/// assert_eq!((lake.name.as_str(), lake.level_m), ("Lake Superior", Some(183.4)));
/// ```
#[derive(Debug)]
pub struct Water {
    rings: Vec<Ring>,
    lakes: Vec<Lake>,
    /// Whether there is land where no outline says so.
    is_dry: bool,
    /// What is remarkable about it.
    remark: Option<String>,
    /// Made when a face is asked about first: a question after one place waits for no other.
    faces: [OnceLock<Shores>; FACES as usize],
    sea_cells: [OnceLock<SeaCells>; FACES as usize],
}

impl Water {
    /// The coasts and lakes that ship: Natural Earth at 1 : 10 000 000.
    pub fn earth() -> &'static Arc<Water> {
        static EARTH: OnceLock<Arc<Water>> = OnceLock::new();
        EARTH.get_or_init(|| Arc::new(Water::new(shipped())))
    }

    /// The coasts and lakes that ship, changed by other outlines: a lake of which half lies in theirs gives way, and land among them takes
    /// the place of all land.
    pub fn earth_with(outlines: Vec<Outline>) -> Water {
        let has_land = outlines.iter().any(|outline| outline.body == Body::Land);
        let lakes = || outlines.iter().filter(|outline| outline.body != Body::Land);
        let own = Water::new(lakes().cloned());
        let around_own = Bounds::of(lakes().flat_map(|lake| &lake.rings).flatten());
        let stays = |outline: &Outline| match outline.body {
            Body::Land => !has_land,
            Body::Lake(_) => {
                let bounds = Bounds::of(outline.rings.iter().flatten());
                if !bounds.meets(&around_own) {
                    return true;
                }
                let lake = Water::new([outline.clone()]);
                let inside: Vec<DVec3> = bounds.places().filter(|n| lake.winding(*n).lake.is_some()).collect();
                let covered = inside.iter().filter(|n| own.winding(**n).lake.is_some()).count();
                inside.is_empty() || 2 * covered < inside.len()
            }
        };
        let kept: Vec<Outline> = shipped().into_iter().filter(stays).collect();
        let lands = outlines.iter().filter(|outline| outline.body == Body::Land);
        let remark = has_land.then(|| Bounds::of(lands.flat_map(|land| &land.rings).flatten())).and_then(local_land);
        Water { remark, ..Water::new(outlines.into_iter().chain(kept)) }
    }

    /// What is remarkable about it: outlines of land that are none of the whole Earth make sea of the rest.
    pub fn remark(&self) -> Option<&str> {
        self.remark.as_deref()
    }

    /// Of other outlines; where there is no land there is sea, and lakes lie over land and sea; of lakes that overlap the first answers.
    /// Lands should not overlap, nor should lakes: in texels what overlaps counts twice.
    pub fn new(outlines: impl IntoIterator<Item = Outline>) -> Water {
        let (mut lakes, mut rings) = (Vec::new(), Vec::new());
        for Outline { body, rings: of_body } in outlines {
            let number = match body {
                Body::Land => 0,
                Body::Lake(lake) => {
                    lakes.push(lake);
                    lakes.len() as u32
                }
            };
            rings.extend(of_body.iter().map(|ring| Ring::new(number, ring)));
        }
        Water { rings, lakes, is_dry: false, remark: None, faces: Default::default(), sea_cells: Default::default() }
    }

    /// A planet without sea and lakes.
    ///
    /// ```
    /// use elevation::water::{Cover, Water};
    /// assert_eq!(Water::none().at(glam::DVec3::X), Cover::Land);
    /// ```
    pub fn none() -> Water {
        Water { is_dry: true, ..Water::new([]) }
    }

    fn face(&self, face: u32) -> &Shores {
        self.faces[face as usize].get_or_init(|| Shores::of(face, &self.rings))
    }

    /// What a unit geodetic normal is inside of.
    fn winding(&self, n: DVec3) -> Winding {
        let (face, s, t) = face_of(n);
        self.face(face).winding(s, t)
    }

    /// What is at a unit geodetic normal.
    pub fn at(&self, n: DVec3) -> Cover<'_> {
        self.cover(&self.winding(n))
    }

    fn cover(&self, winding: &Winding) -> Cover<'_> {
        match *winding {
            Winding { lake: Some(number), .. } => Cover::Lake(&self.lakes[number as usize - 1]),
            Winding { is_land, .. } if is_land || self.is_dry => Cover::Land,
            Winding { .. } => Cover::Sea,
        }
    }

    /// How many lakes a unit geodetic normal is in.
    pub(crate) fn lakes_around(&self, n: DVec3) -> i32 {
        self.winding(n).lakes
    }

    /// Both ends of the edges around lakes, as normals, none of them long.
    pub(crate) fn lake_shores(&self) -> impl Iterator<Item = [DVec3; 2]> {
        self.rings.iter().filter(|ring| ring.body != 0).flat_map(Ring::edges)
    }

    /// How much of the texels of a square is what, row by row: from [`SEA`] by [`LAND`] to [`LAKE`], a step a hundredth. Of a texel with sea
    /// and lake the larger part counts. The square has `side` texels of `size` along each side, from `corner` on, in the coordinates of [`face_normal`].
    ///
    /// [`face_normal`]: crate::cube::face_normal
    ///
    /// # Panics
    /// If there is no such face.
    pub fn texels(&self, face: u32, corner: [f64; 2], size: f64, side: usize) -> Vec<u8> {
        self.texels_of(face, &Square { corner, size, side })
    }

    fn texels_of(&self, face: u32, square: &Square) -> Vec<u8> {
        self.face(face).texels(square, |[land, lake]| {
            let land = if self.is_dry { 1.0 } else { land };
            let (sea, lake) = ((1.0 - land).clamp(0.0, 1.0), lake.clamp(0.0, 1.0));
            let percent = 100.0 * if lake >= sea { lake } else { -sea };
            let whole = percent.round();
            // What is mixed, if only by a thousandth, is not told as all of one.
            let shown = match (percent - whole).abs() > 0.1 {
                true if whole == 0.0 => percent.signum(),
                true if whole.abs() == 100.0 => 99.0 * whole.signum(),
                _ => whole,
            };
            (f32::from(LAND) + shown) as u8
        })
    }

    /// As [`texels`](Self::texels), of a tile with a rim of so many texels around it. Texels of tiles of [`FINEST_LEVEL`], which pictures
    /// magnify, tell how far the next shore is: areas would show it as stairs. They go by a hundredth as well, from all of what is
    /// [`SHORE_REACH`] texels away to half of it on the shore.
    pub fn tile_texels(&self, id: TileId, rim: u32) -> Vec<u8> {
        let square = Square::of(id, rim);
        match id.level {
            ..FINEST_LEVEL => self.texels_of(id.face, &square),
            FINEST_LEVEL.. => self.distance_texels(id.face, &square),
        }
    }

    /// Whether a shore may be told in a tile or in so many texels around it.
    ///
    /// ```
    /// use elevation::{tile::TileId, water::Water};
    /// // Shores of the whole Earth are everywhere on its faces, but not on every square of them.
    /// assert!(Water::earth().has_shore(TileId::root(0), 0));
    /// let squares = (0..1 << 12).map(|k| TileId { level: 6, i: k & 63, j: k >> 6, ..TileId::root(0) });
    /// assert!(!squares.into_iter().all(|id| Water::earth().has_shore(id, 0)));
    /// ```
    pub fn has_shore(&self, id: TileId, rim: u32) -> bool {
        let reach = if id.level < FINEST_LEVEL { 0.0 } else { SHORE_REACH };
        self.face(id.face).near(&Square::of(id, rim), reach).next().is_some()
    }
}

/// The longitudes and latitudes of some corners, degrees.
struct Bounds([(f64, f64); 2]);

impl Bounds {
    fn of<'a>(corners: impl Iterator<Item = &'a [f64; 2]>) -> Self {
        let none = [(f64::INFINITY, f64::NEG_INFINITY); 2];
        Self(corners.fold(none, |ranges, corner| {
            [0, 1].map(|axis| (ranges[axis].0.min(corner[axis]), ranges[axis].1.max(corner[axis])))
        }))
    }

    /// Whether some place may be in both, however often longitudes go around.
    fn meets(&self, other: &Self) -> bool {
        let ([(west, east), (south, north)], [other_lon, other_lat]) = (self.0, other.0);
        let is_beside = |turn: f64| west + turn <= other_lon.1 && other_lon.0 <= east + turn;
        [-360.0, 0.0, 360.0].into_iter().any(is_beside) && south <= other_lat.1 && other_lat.0 <= north
    }

    /// Places all over them.
    fn places(&self) -> impl Iterator<Item = DVec3> {
        const SIDE: u32 = 24;
        let [lon, lat] = self.0;
        let at = |(low, high): (f64, f64), k: u32| {
            (low + (high - low) * (f64::from(k) + 0.5) / f64::from(SIDE)).to_radians()
        };
        (0..SIDE * SIDE).map(move |k| n_vector(at(lat, k / SIDE), at(lon, k % SIDE)))
    }
}

/// A remark on land within such bounds, unless it may be that of the whole Earth.
fn local_land(Bounds([(west, east), (south, north)]): Bounds) -> Option<String> {
    (east - west < 180.0 || north - south < 60.0).then(|| {
        format!(
            "its land takes the place of all coasts: outside longitudes {west:.2} to {east:.2} and latitudes {south:.2} to {north:.2} all \
             ground below 0 m is sea"
        )
    })
}

/// What ships.
fn shipped() -> Vec<Outline> {
    let records = records(orogen_water::WATER).expect("what ships is whole: a test reads it");
    let outline = |Record { kind, name, level_m, lines: rings }| {
        let body = match kind {
            Kind::Land => Body::Land,
            Kind::Lake => Body::Lake(Lake { name, level_m }),
            Kind::Border => return None,
        };
        Some(Outline { body, rings })
    };
    records.into_iter().filter_map(outline).collect()
}

#[cfg(test)]
mod tests;
