//! Which tiles does a pack need? Those that some layer is fine enough for, and all above them.

use std::rc::Rc;

use crate::{
    cube::{FACES, face_coordinate, face_normal},
    geodesy::{Ellipsoid, Overlap, lat_lon},
    height::{Area, Region},
    tile::{TILE_QUADS, TileId, level_of},
};

/// Points along a side of a tile from which its extent is told.
const SIDE: u32 = 8;

/// All tiles of a pack, parents before children, neighbours near each other.
#[derive(Clone, Debug)]
pub(crate) struct PackTiles {
    /// Levels, and the areas that want them.
    needs: Vec<(u32, Area)>,
    /// Where levels below the base are wanted at all, and the base level.
    only: Option<([f64; 4], u32)>,
}

impl PackTiles {
    /// Tiles as fine as each area where it lies, to `max_level` at most; beyond `base_level` only within `bbox_deg`.
    pub fn new(
        ellipsoid: Ellipsoid,
        areas: Vec<Area>,
        max_level: u32,
        base_level: u32,
        bbox_deg: Option<[f64; 4]>,
    ) -> Self {
        let level = |area: &Area| level_of(ellipsoid, area.posting_m).min(max_level);
        let needs = areas.into_iter().map(|area| (level(&area), area)).collect();
        Self { needs, only: bbox_deg.map(|bbox| (bbox, base_level)) }
    }

    /// The tiles in the order in which they are stored.
    #[cfg(test)]
    pub fn iter(&self) -> impl Iterator<Item = TileId> + '_ {
        self.with_ends().map(|(id, _)| id)
    }

    /// The tiles in the order in which they are stored, and whether each is the finest one somewhere: not all of its children are wanted.
    pub fn with_ends(&self) -> impl Iterator<Item = (TileId, bool)> + '_ {
        self.with_ends_from(TileId::root(0))
    }

    /// Those from one of them on.
    pub fn with_ends_from(&self, first: TileId) -> impl Iterator<Item = (TileId, bool)> + '_ {
        let mut stack = self.stack_from(first);
        std::iter::from_fn(move || {
            let (id, needs) = stack.pop()?;
            Some((id, self.push_children(id, &needs, &mut stack)))
        })
    }

    /// How many tiles of each level there are, in one walk over them. `weigh` is told each with whether it is the finest one somewhere. Where
    /// all down to a level are wanted, it may tell that it takes all of these together, with that level.
    pub fn count(&self, mut weigh: impl FnMut(TileId, bool, Option<u32>) -> bool) -> Vec<u64> {
        let finest = self.needs.iter().map(|(level, _)| *level).max().unwrap_or(0);
        let mut counts = vec![0; finest as usize + 1];
        let mut stack = self.stack_from(TileId::root(0));
        while let Some((id, needs)) = stack.pop() {
            let down_to = needs.down_to.filter(|level| needs.finer.is_empty() && id.level <= *level);
            let is_end = match down_to {
                Some(level) => id.level == level,
                None => self.push_children(id, &needs, &mut stack),
            };
            let is_taken = weigh(id, is_end, down_to);
            match down_to.filter(|_| is_taken) {
                Some(level) => (id.level..=level).for_each(|k| counts[k as usize] += tiles_below(k - id.level)),
                None => {
                    counts[id.level as usize] += 1;
                    if down_to.is_some() {
                        self.push_children(id, &needs, &mut stack);
                    }
                }
            }
        }
        counts
    }

    /// Puts the children that are wanted on a stack, the first one on top; whether some are not.
    fn push_children(&self, id: TileId, needs: &Needs, stack: &mut Vec<(TileId, Needs)>) -> bool {
        let (before, children) = (stack.len(), id.children().into_iter().flatten().rev());
        stack.extend(children.filter_map(|child| Some((child, self.needs_of(child, needs)?))));
        stack.len() < before + 4
    }

    /// One of the tiles on those that come after it.
    fn stack_from(&self, first: TileId) -> Vec<(TileId, Needs)> {
        let all = Needs { down_to: None, finer: (0..self.needs.len() as u32).collect() };
        let root = |face: u32| (TileId::root(face), all.clone());
        let mut stack: Vec<(TileId, Needs)> = (first.face..FACES).rev().map(root).collect();
        while let Some((id, needs)) = stack.pop_if(|(id, _)| *id != first) {
            self.push_children(id, &needs, &mut stack);
            // Those before the one that leads to it.
            let way = || std::iter::successors(Some(first), |id| id.parent());
            while stack.pop_if(|(id, _)| !way().any(|above| above == *id)).is_some() {}
        }
        stack
    }

    /// Whether a tile is one of them.
    pub fn contains(&self, id: TileId) -> bool {
        let mut lineage: Vec<TileId> = std::iter::successors(Some(id), |id| id.parent()).collect();
        // Every face is there, whatever is on it.
        lineage.pop();
        let all = Needs { down_to: None, finer: (0..self.needs.len() as u32).collect() };
        lineage.into_iter().rev().try_fold(all, |needs, id| self.needs_of(id, &needs)).is_some()
    }

    /// The first of some tiles, each after its parent and those in that one, that nothing wants.
    pub fn first_outside(&self, ids: impl Iterator<Item = TileId>) -> Option<TileId> {
        let all = Needs { down_to: None, finer: (0..self.needs.len() as u32).collect() };
        let mut above: Vec<(TileId, Needs)> = Vec::new();
        for id in ids {
            while above.last().is_some_and(|(top, _)| Some(*top) != id.parent()) {
                above.pop();
            }
            // Every face is there, whatever is on it.
            let needs = match above.last() {
                Some((_, of_parent)) => self.needs_of(id, of_parent),
                None => Some(all.clone()),
            };
            let Some(needs) = needs else { return Some(id) };
            above.push((id, needs));
        }
        None
    }

    /// What wants a tile, of what wants its parent; `None` if nothing does.
    fn needs_of(&self, id: TileId, parent: &Needs) -> Option<Needs> {
        let covered = parent.down_to.is_some_and(|level| id.level <= level);
        if covered && parent.finer.is_empty() {
            return Some(parent.clone());
        }
        if !covered && parent.finer.iter().all(|k| self.needs[*k as usize].0 < id.level) {
            return None;
        }
        let mut extent = TileExtent::of(id);
        let in_box = self.only.map_or(Overlap::All, |(bbox, _)| extent.overlap_box(&bbox));
        if in_box == Overlap::None && self.only.is_some_and(|(_, base_level)| id.level > base_level) {
            return None;
        }
        let mut down_to = parent.down_to;
        let mut finer = Vec::new();
        for &k in parent.finer.iter() {
            let (level, area) = &self.needs[k as usize];
            match extent.overlap(area) {
                Overlap::All if in_box == Overlap::All => down_to = down_to.max(Some(*level)),
                Overlap::None => {}
                _ => finer.push(k),
            }
        }
        finer.retain(|k| {
            let level = self.needs[*k as usize].0;
            id.level <= level && Some(level) > down_to
        });
        let is_wanted = !finer.is_empty() || down_to.is_some_and(|level| id.level <= level);
        is_wanted.then(|| Needs { down_to, finer: finer.into() })
    }
}

/// How many tiles lie in one, so many levels below it.
pub(crate) fn tiles_below(levels: u32) -> u64 {
    1 << (2 * levels)
}

/// What wants a tile and those in it.
#[derive(Clone)]
struct Needs {
    /// All of them down to this level are wanted.
    down_to: Option<u32>,
    /// Areas that touch it and want finer ones.
    finer: Rc<[u32]>,
}

/// Where a tile is; what only boxes ask for is found once one does.
pub(crate) struct TileExtent {
    id: TileId,
    /// What holds its corners.
    cap: Region,
    lon_lat: Option<LonLatBox>,
}

impl TileExtent {
    /// Of a tile.
    pub fn of(id: TileId) -> Self {
        Self { id, cap: cap_of(id), lon_lat: None }
    }

    fn overlap_box(&mut self, bbox: &[f64; 4]) -> Overlap {
        self.lon_lat.get_or_insert_with(|| LonLatBox::of(self.id)).overlap(bbox)
    }

    /// How much of it, and of every tile in it, lies in an area.
    pub fn overlap(&mut self, area: &Area) -> Overlap {
        let in_cap = self.cap.within(area.cap);
        match in_cap {
            Overlap::None => Overlap::None,
            _ if area.is_global() => in_cap,
            _ => match self.overlap_box(&area.bbox_deg) {
                Overlap::All => in_cap,
                met => met,
            },
        }
    }
}

/// The cap around a tile, a little wider than to its corners.
fn cap_of(id: TileId) -> Region {
    let at = |x: u32, y: u32| id.place(x, y).point().normal();
    let middle = at(TILE_QUADS / 2, TILE_QUADS / 2);
    let corners = [at(0, 0), at(TILE_QUADS, 0), at(0, TILE_QUADS), at(TILE_QUADS, TILE_QUADS)];
    // The chord is accurate for small tiles, the dot product is not.
    let chord = corners.iter().map(|c| (*c - middle).length()).fold(0.0, f64::max);
    Region::cap(middle, 2.0 * (0.5 * chord).min(1.0).asin() * 1.01)
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
        let lat_lon_deg = |s: f64, t: f64| {
            let (lat, lon) = lat_lon(face_normal(id.face, s, t));
            (lat.to_degrees(), lon.to_degrees())
        };
        // But at a pole neither is greatest or least within.
        let last = SIDE + 2;
        let around = (0..last).flat_map(|k| [(k, 0), (last, k), (last - k, last), (0, last - k)]);
        let places: Vec<(f64, f64)> = around.map(|(x, y)| lat_lon_deg(at(x, s0), at(y, t0))).collect();
        let (_, middle) = lat_lon_deg(s0 + 0.5 * side, t0 + 0.5 * side);
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

    fn overlap(&self, [west, south, east, north]: &[f64; 4]) -> Overlap {
        let (middle, half) = (0.5 * (west + east), 0.5 * (east - west));
        let apart = self.lon.0 - middle;
        let apart = (apart - 360.0 * (apart / 360.0).round()).abs();
        if apart > self.lon.1 + half || self.lat.0 > *north || self.lat.1 < *south {
            Overlap::None
        } else if apart + self.lon.1 <= half && self.lat.0 >= *south && self.lat.1 <= *north {
            Overlap::All
        } else {
            Overlap::Some
        }
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
    use glam::DVec3;
    use rand::{Rng, SeedableRng, rngs::StdRng};
    use std::collections::HashSet;

    fn tile_at(n: DVec3, level: u32) -> TileId {
        let place = CubePoint::nearest(n).on_face();
        let index = |x: u32| (x / (ONE >> level)).min((1 << level) - 1);
        TileId { face: place.face, level, i: index(place.u), j: index(place.v) }
    }

    fn area(bbox_deg: [f64; 4], level: u32) -> Area {
        Area { bbox_deg, posting_m: posting_m(Ellipsoid::WGS84, level), cap: None }
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
            let wanted = PackTiles::new(Ellipsoid::WGS84, vec![area(bbox, 7)], 22, 0, None);
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

    /// Law: the tiles are those that some area touches as it touches all tiles above them, each looked at by itself.
    #[test]
    fn tiles_are_those_that_areas_touch() {
        let mut rng = crate::random::rng();
        for _ in 0..40 {
            let some_area = |rng: &mut StdRng| {
                let size = 10f64.powf(rng.random_range(-1.0..2.0));
                let (west, south) = (rng.random_range(-180.0..180.0), rng.random_range(-90.0..90.0 - 0.5 * size));
                let (east, north) = (west + size, south + 0.5 * size);
                let middle = n_vector(f64::to_radians(0.5 * (south + north)), f64::to_radians(0.5 * (west + east)));
                let cap = rng.random::<bool>().then(|| (middle, f64::cos(0.6 * size.to_radians())));
                Area { cap, ..area([west, south, east, north], rng.random_range(0..7)) }
            };
            let mut areas: Vec<Area> = (0..rng.random_range(1..6)).map(|_| some_area(&mut rng)).collect();
            areas.push(area([-180.0, -90.0, 180.0, 90.0], rng.random_range(0..4)));
            let only = rng.random::<bool>().then(|| [-20.0, -60.0, rng.random_range(0.0..200.0), 70.0]);
            let wanted = PackTiles::new(Ellipsoid::WGS84, areas, 22, 2, only);
            let mut expected: Vec<TileId> = (0..FACES).rev().map(TileId::root).collect();
            for id in wanted.iter() {
                assert_eq!(expected.pop(), Some(id));
                let touched = |child: &TileId| {
                    // Whole faces are there anyway.
                    let above = |id: &TileId| id.parent().filter(|parent| parent.level > 0);
                    let lineage = || std::iter::successors(Some(*child), above).map(TileExtent::of);
                    let within = |bbox: [f64; 4]| TileExtent::of(*child).overlap_box(&bbox) != Overlap::None;
                    let mut fine = wanted.needs.iter().filter(|(level, _)| child.level <= *level);
                    (child.level <= 2 || only.is_none_or(within))
                        && fine.any(|(_, area)| lineage().all(|mut tile| tile.overlap(area) != Overlap::None))
                };
                expected.extend(id.children().into_iter().flatten().rev().filter(touched));
            }
            assert!(expected.is_empty());
        }
    }

    #[test]
    fn a_box_limits_what_lies_below_the_base() {
        let earth = area([-180.0, -90.0, 180.0, 90.0], 5);
        let all = PackTiles::new(Ellipsoid::WGS84, vec![earth.clone()], 22, 0, None);
        assert_eq!(all.iter().count(), 6 * (1 + 4 + 16 + 64 + 256 + 1024));
        let some = PackTiles::new(Ellipsoid::WGS84, vec![earth], 22, 3, Some([6.0, 45.0, 9.0, 46.0]));
        let count = some.iter().count();
        assert!((512..540).contains(&count), "{count}");
    }
}
