//! Which tiles does a pack need? Those that some layer is fine enough for, and all above them.

use std::{f64::consts::PI, rc::Rc};

use glam::DVec3;

use crate::{
    cube::{FACES, face_coordinate, face_normal},
    geodesy::lat_lon,
    height::Area,
    tile::{TILE_QUADS, TileId, level_of},
};

/// Points along a side of a tile from which its extent is told.
const SIDE: u32 = 8;

/// All tiles of a pack, parents before children, neighbours near each other.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    /// Levels, and the areas that want them.
    needs: Vec<(u32, Area)>,
    /// Where levels below the base are wanted at all, and the base level.
    only: Option<([f64; 4], u32)>,
}

impl Wanted {
    /// Tiles as fine as each area where it lies, to `max_level` at most; beyond `base_level` only within `bbox_deg`.
    pub fn new(areas: Vec<Area>, max_level: u32, base_level: u32, bbox_deg: Option<[f64; 4]>) -> Self {
        let level = |area: &Area| level_of(area.posting_m).min(max_level);
        let needs = areas.into_iter().map(|area| (level(&area), area)).collect();
        Self { needs, only: bbox_deg.map(|bbox| (bbox, base_level)) }
    }

    /// The tiles in the order in which they are stored.
    pub fn iter(&self) -> impl Iterator<Item = TileId> + '_ {
        // What does not touch a tile does not touch its children.
        let all: Rc<[u32]> = (0..self.needs.len() as u32).collect();
        let mut stack: Vec<(TileId, Rc<[u32]>)> = (0..FACES).rev().map(|f| (TileId::root(f), all.clone())).collect();
        std::iter::from_fn(move || {
            let (id, needs) = stack.pop()?;
            for child in id.children().into_iter().flatten().rev() {
                let needs = self.touching(child, &needs);
                if !needs.is_empty() {
                    stack.push((child, needs));
                }
            }
            Some(id)
        })
    }

    /// Those of some needs that want a tile.
    fn touching(&self, id: TileId, needs: &[u32]) -> Rc<[u32]> {
        let mut extent = None;
        let mut touches = |bbox: &[f64; 4]| extent.get_or_insert_with(|| LonLatBox::of(id)).touches(bbox);
        if let Some((bbox, base_level)) = &self.only
            && id.level > *base_level
            && !touches(bbox)
        {
            return Rc::new([]);
        }
        let (middle, radius) = disc(id);
        let mut wants = |(level, area): &(u32, Area)| {
            id.level <= *level
                && area.cap.is_none_or(|(centre, cos_radius)| {
                    let reach = radius + cos_radius.clamp(-1.0, 1.0).acos();
                    reach >= PI || middle.dot(centre) >= reach.cos()
                })
                && (area.is_global() || touches(&area.bbox_deg))
        };
        needs.iter().copied().filter(|k| wants(&self.needs[*k as usize])).collect()
    }
}

/// Middle of a tile and the angle within which its corners are.
fn disc(id: TileId) -> (DVec3, f64) {
    let at = |x: u32, y: u32| id.place(x, y).point().normal();
    let middle = at(TILE_QUADS / 2, TILE_QUADS / 2);
    let corners = [at(0, 0), at(TILE_QUADS, 0), at(0, TILE_QUADS), at(TILE_QUADS, TILE_QUADS)];
    // The chord is accurate for small tiles, the dot product is not.
    let chord = corners.iter().map(|c| (*c - middle).length()).fold(0.0, f64::max);
    (middle, 2.0 * (0.5 * chord).min(1.0).asin() * 1.01)
}

/// Longitudes and latitudes of a tile in degrees, with room for what lies between the points that were looked at.
struct LonLatBox {
    /// Middle and half width; half a turn around a pole.
    lon: (f64, f64),
    lat: (f64, f64),
}

impl LonLatBox {
    fn of(id: TileId) -> Self {
        let side = 2.0 / f64::from(1u32 << id.level);
        let corner = id.place(0, 0);
        let (s0, t0) = (face_coordinate(corner.u), face_coordinate(corner.v));
        // A step beyond on all sides: as much as can lie between two points.
        let step = side / f64::from(SIDE);
        let at = |k: u32, origin: f64| origin + (f64::from(k) - 1.0) * step;
        let polar = id.face / 2 == 2
            && (s0 - step..=s0 + side + step).contains(&0.0)
            && (t0 - step..=t0 + side + step).contains(&0.0);
        let places: Vec<(f64, f64)> = (0..SIDE + 3)
            .flat_map(|y| (0..SIDE + 3).map(move |x| (x, y)))
            .map(|(x, y)| lat_lon(face_normal(id.face, at(x, s0), at(y, t0))))
            .map(|(lat, lon)| (lat.to_degrees(), lon.to_degrees()))
            .collect();
        let middle = places[places.len() / 2].1;
        let turn = |lon: f64| lon - 360.0 * (lon / 360.0).round();
        let fold = |values: &mut dyn Iterator<Item = f64>| {
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)))
        };
        let (west, east) = fold(&mut places.iter().map(|(_, lon)| turn(lon - middle)));
        let (mut south, mut north) = fold(&mut places.iter().map(|(lat, _)| *lat));
        let mut lon = (middle + 0.5 * (west + east), 0.5 * (east - west));
        if polar {
            lon = (0.0, 180.0);
            if id.face.is_multiple_of(2) { north = 90.0 } else { south = -90.0 }
        }
        Self { lon, lat: (south, north) }
    }

    fn touches(&self, [west, south, east, north]: &[f64; 4]) -> bool {
        let (middle, half) = (0.5 * (west + east), 0.5 * (east - west));
        let apart = self.lon.0 - middle;
        let apart = (apart - 360.0 * (apart / 360.0).round()).abs();
        apart <= self.lon.1 + half && self.lat.0 <= *north && self.lat.1 >= *south
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        cube::{CubePoint, ONE},
        geodesy::n_vector,
        tile::posting_m,
    };
    use rand::{Rng, SeedableRng, rngs::StdRng};
    use std::collections::HashSet;

    fn tile_at(n: DVec3, level: u32) -> TileId {
        let place = CubePoint::nearest(n).on_face();
        let index = |x: u32| (x / (ONE >> level)).min((1 << level) - 1);
        TileId { face: place.face, level, i: index(place.u), j: index(place.v) }
    }

    fn area(bbox_deg: [f64; 4], level: u32) -> Area {
        Area { bbox_deg, posting_m: posting_m(level), cap: None }
    }

    /// Law: every place of a source has tiles to the source's level, none is far from it, and parents come first.
    #[test]
    fn sources_are_covered_closely() {
        let mut rng = StdRng::seed_from_u64(3);
        let boxes = [
            [6.0, 45.0, 9.0, 46.0],
            [179.0, -18.0, 182.0, -16.0],
            [-180.0, 84.0, 180.0, 90.0],
            [-46.0, 34.0, -44.0, 36.0],
            [10.0, 20.0, 10.001, 60.0],
        ];
        for bbox in boxes {
            let wanted = Wanted::new(vec![area(bbox, 7)], 22, 0, None);
            let tiles: Vec<TileId> = wanted.iter().collect();
            let set: HashSet<TileId> = tiles.iter().copied().collect();
            assert_eq!(set.len(), tiles.len());
            for _ in 0..2000 {
                let (lon, lat) = (rng.random_range(bbox[0]..=bbox[2]), rng.random_range(bbox[1]..=bbox[3]));
                let n = n_vector(f64::to_radians(lat), f64::to_radians(lon));
                assert!((0..=7).all(|level| set.contains(&tile_at(n, level))), "{lon} {lat} of {bbox:?}");
            }
            for (k, id) in tiles.iter().enumerate() {
                assert!(id.parent().is_none_or(|parent| tiles[..k].contains(&parent)));
            }
            // A tile of level 7 is 80 km wide: what is there, with a tile and a half around it, but not the world.
            let far = tiles.iter().filter(|id| id.level == 7).filter(|id| {
                let (lat, lon) = lat_lon(id.place(128, 128).point().normal());
                let (lat, lon) = (lat.to_degrees(), lon.to_degrees());
                let beyond = |x: f64, low: f64, high: f64| (low - x).max(x - high).max(0.0);
                let mid = 0.5 * (bbox[0] + bbox[2]);
                let lon = mid + (lon - mid - 360.0 * ((lon - mid) / 360.0).round());
                beyond(lat, bbox[1], bbox[3]) > 1.3 || beyond(lon, bbox[0], bbox[2]) * lat.to_radians().cos() > 1.5
            });
            assert_eq!(far.count(), 0, "{bbox:?}");
        }
    }

    #[test]
    fn a_box_limits_what_lies_below_the_base() {
        let earth = area([-180.0, -90.0, 180.0, 90.0], 5);
        let all = Wanted::new(vec![earth.clone()], 22, 0, None);
        assert_eq!(all.iter().count(), 6 * (1 + 4 + 16 + 64 + 256 + 1024));
        let some = Wanted::new(vec![earth], 22, 3, Some([6.0, 45.0, 9.0, 46.0]));
        let count = some.iter().count();
        assert!((512..540).contains(&count), "{count}");
    }
}
