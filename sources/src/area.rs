//! Which tiles of Web Mercator lie in a box of longitudes and latitudes?

use std::{f64::consts::PI, ops::RangeInclusive};

use crate::{SourceError, tile_address::TileAddress};

/// Half the side of the square that Web Mercator shows, metres.
const HALF_M: f64 = PI * 6_378_137.0;
/// The finest level that is asked for.
pub(crate) const FINEST: u32 = 24;

/// The tiles of a level that touch a box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Area {
    level: u32,
    /// Those from the number of columns on lie east of 180 degrees.
    columns: RangeInclusive<u32>,
    rows: RangeInclusive<u32>,
}

impl Area {
    /// Of west, south, east and north in degrees. A box crosses 180 degrees where its east is below its west, as in GeoJSON, or beyond 180.
    /// What lies beyond 85.05 degrees is left out, as Web Mercator ends there.
    ///
    /// ```
    /// let area = sources::Area::new([6.0, 45.0, 9.0, 47.0], 8)?;
    /// assert_eq!((area.tiles(), area.texel_m(256).round()), (9, 428.0));
    /// let fiji = sources::Area::new([177.0, -19.5, -178.0, -15.5], 8)?;
    /// assert_eq!(fiji, sources::Area::new([177.0, -19.5, 182.0, -15.5], 8)?);
    /// assert_eq!(fiji.iter().map(|tile| tile.x).take(5).collect::<Vec<_>>(), [253, 254, 255, 0, 1]);
    /// # Ok::<(), sources::SourceError>(())
    /// ```
    ///
    /// # Errors
    /// [`SourceError::Area`] for a box that is none, that goes more than once round the Earth or lies beyond 85 degrees, and a level above 24.
    pub fn new(bbox_deg: [f64; 4], level: u32) -> Result<Self, SourceError> {
        let refused = |reason: &str| Err(SourceError::Area { reason: format!("the box {bbox_deg:?}: {reason}") });
        let [west, south, east, north] = bbox_deg;
        if !(west.abs() <= 360.0 && east.abs() <= 360.0 && south.abs() <= 90.0 && north.abs() <= 90.0) {
            return refused("longitudes from -360 to 360 and latitudes from -90 to 90 are degrees");
        }
        if south >= north {
            return refused("its south is not south of its north");
        }
        let east = if east < west { east + 360.0 } else { east };
        if !(east > west && east - west <= 360.0) {
            return refused("it goes from west to east, at most once round the Earth");
        }
        if level > FINEST {
            return refused(&format!("level {level} is finer than {FINEST}"));
        }
        let limit = PI.sinh().atan().to_degrees();
        if south >= limit || north <= -limit {
            return refused("Web Mercator ends at 85.05 degrees");
        }
        let side = f64::from(1u32 << level);
        // The square goes on to the east. Degrees are turned, and not added to widths: a border stays one to the last digit.
        let turns = 360.0 * ((west + 180.0) / 360.0).floor();
        let column = |lon_deg: f64| (lon_deg - turns + 180.0) / 360.0 * side;
        let first = column(west).clamp(0.0, side.next_down());
        let last = column(east);
        let row = |lat_deg: f64| (1.0 - lat_deg.clamp(-limit, limit).to_radians().tan().asinh() / PI) * 0.5 * side;
        // A box that ends on a border has nothing of the tile beyond.
        let range = |from: f64, to: f64, most: f64| {
            let first = from.floor().clamp(0.0, side - 1.0) as u32;
            first..=(to.ceil() as u32).saturating_sub(1).clamp(first, most as u32 - 1)
        };
        // No column is asked for twice.
        let columns = range(first, last, first.floor() + side);
        Ok(Self { level, columns, rows: range(row(north), row(south), side) })
    }

    /// The finest level at which a box has at most so many tiles.
    ///
    /// ```
    /// use sources::Area;
    /// let area = Area::finest([6.0, 45.0, 9.0, 47.0], 0..=15, 100)?;
    /// let [columns, rows] = area.size();
    /// assert!(u64::from(columns) * u64::from(rows) == area.tiles() && area.tiles() <= 100);
    /// assert!(Area::new([6.0, 45.0, 9.0, 47.0], area.level() + 1)?.tiles() > 100);
    /// assert_eq!(area.iter().count() as u64, area.tiles());
    /// # Ok::<(), sources::SourceError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Area::new`].
    pub fn finest(bbox_deg: [f64; 4], levels: RangeInclusive<u32>, most_tiles: u64) -> Result<Self, SourceError> {
        let mut found = Self::new(bbox_deg, *levels.start())?;
        for level in levels {
            let finer = Self::new(bbox_deg, level)?;
            if finer.tiles() > most_tiles {
                break;
            }
            found = finer;
        }
        Ok(found)
    }

    /// The level.
    pub fn level(&self) -> u32 {
        self.level
    }

    /// How many tiles there are.
    pub fn tiles(&self) -> u64 {
        let [columns, rows] = self.size();
        u64::from(columns) * u64::from(rows)
    }

    /// Columns and rows.
    pub fn size(&self) -> [u32; 2] {
        [&self.columns, &self.rows].map(|range| range.end() - range.start() + 1)
    }

    /// Distance of texels on the ground in the middle of the area, where tiles have `side` texels along a side, in metres.
    pub fn texel_m(&self, side: u32) -> f64 {
        let row = 0.5 * f64::from(*self.rows.start() + *self.rows.end() + 1) / f64::from(1u32 << self.level);
        // The scale of the projection is the cosine of the latitude.
        self.tile_m() / f64::from(side) / (PI * (1.0 - 2.0 * row)).cosh()
    }

    /// The tile in the north-west.
    pub(crate) fn first(&self) -> TileAddress {
        TileAddress { z: self.level, x: *self.columns.start(), y: *self.rows.start() }
    }

    /// The tiles, row by row from the north.
    pub fn iter(&self) -> impl Iterator<Item = TileAddress> + '_ {
        let (z, side) = (self.level, 1 << self.level);
        self.rows.clone().flat_map(move |y| self.columns.clone().map(move |x| TileAddress { z, x: x % side, y }))
    }

    /// Column and row of a tile within the area.
    pub(crate) fn place(&self, tile: TileAddress) -> [u32; 2] {
        let side = 1 << self.level;
        [(tile.x + side - self.columns.start()) % side, tile.y - self.rows.start()]
    }

    /// GDAL's six numbers for a raster of all tiles, of `side` texels along a side, in metres of Web Mercator: across 180 degrees they go on.
    pub(crate) fn geo_transform(&self, side: u32) -> [f64; 6] {
        let (tile_m, texel_m) = (self.tile_m(), self.tile_m() / f64::from(side));
        let (x, y) =
            (f64::from(*self.columns.start()) * tile_m - HALF_M, HALF_M - f64::from(*self.rows.start()) * tile_m);
        [x, texel_m, 0.0, y, 0.0, -texel_m]
    }

    /// Side of a tile in metres of Web Mercator.
    fn tile_m(&self) -> f64 {
        2.0 * HALF_M / f64::from(1u32 << self.level)
    }
}

#[cfg(test)]
mod tests {
    use rand::Rng as _;

    use super::*;

    /// Law: a tile's own box asks for that tile alone, and the texels' lattice begins at its corner.
    #[test]
    fn a_tile_is_the_tile_of_its_box() {
        for (z, x, y) in [(0, 0, 0), (1, 1, 0), (7, 66, 45), (12, 2132, 1459), (20, 5, 1_000_000)] {
            let side = f64::from(1u32 << z);
            let lon = |x: u32| f64::from(x) / side * 360.0 - 180.0;
            let lat = |y: u32| (PI * (1.0 - 2.0 * f64::from(y) / side)).sinh().atan().to_degrees();
            let near = 1e-9;
            let bbox = [lon(x) + near, lat(y + 1) + near, lon(x + 1) - near, lat(y) - near];
            let area = Area::new(bbox, z).expect("a box");
            assert_eq!(area.iter().collect::<Vec<_>>(), [TileAddress { z, x, y }]);
            let [west, texel_m, _, north, _, _] = area.geo_transform(256);
            assert!((west - lon(x).to_radians() * 6_378_137.0).abs() < 1e-6 && texel_m > 0.0);
            assert!((north - lat(y).to_radians().tan().asinh() * 6_378_137.0).abs() < 1e-5);
        }
    }

    /// Law: a box that ends on a border has nothing of the tile beyond.
    #[test]
    fn a_box_ends_on_its_border() {
        let mut rng = crate::random::rng();
        for _ in 0..20_000 {
            let level = rng.random_range(1..15);
            let side = 1 << level;
            let end = rng.random_range(1..=side);
            let east = f64::from(end) / f64::from(side) * 360.0 - 180.0;
            let west = rng.random_range(-180.0..east);
            let area = Area::new([west, 0.0, east, 1.0], level).expect("a box");
            assert_eq!(*area.columns.end(), end - 1, "{west} to {east} at {level}");
        }
    }

    #[test]
    fn the_earth_has_all_tiles_and_poles_none() {
        let earth = [-180.0, -90.0, 180.0, 90.0];
        assert_eq!(Area::new(earth, 3).expect("the Earth").tiles(), 64);
        let finest = Area::finest(earth, 0..=15, 300).expect("the Earth");
        assert_eq!((finest.level(), finest.tiles(), finest.size()), (4, 256, [16, 16]));
        assert!((Area::new([0.0, -0.1, 0.1, 0.1], 0).expect("a box").texel_m(256) - 156_543.0).abs() < 1.0);
        let none = [[0.0, 86.0, 1.0, 87.0], [0.0, 1.0, 1.0, 1.0], [0.0, f64::NAN, 1.0, 1.0], [0.0, 0.0, 0.0, 1.0]];
        for bad in none.into_iter().chain([[-200.0, 0.0, 200.0, 1.0], [f64::INFINITY, 0.0, 1.0, 1.0]]) {
            assert!(Area::new(bad, 3).is_err(), "{bad:?}");
        }
        assert!(Area::new(earth, 25).is_err());
    }

    /// Law: the texels of each tile of an area lie where that tile lies, wherever its box begins, and no tile comes twice.
    #[test]
    fn areas_go_on_across_180_degrees() {
        for (bbox, level, columns) in [
            ([170.0, -20.0, -170.0, -10.0], 5, 2),
            ([-190.0, -20.0, -170.0, -10.0], 5, 2),
            ([180.0, 0.0, 190.0, 1.0], 6, 2),
            ([0.5, 0.0, 0.25, 1.0], 4, 16),
            ([-10.0, 0.0, 350.0, 1.0], 4, 16),
            ([-190.0, 0.0, -180.0, 1.0], 6, 2),
            ([(-180f64).next_down(), 0.0, 179.9, 1.0], 3, 8),
            ([(-180f64).next_up(), 0.0, 179.9, 1.0], 3, 8),
        ] {
            let area = Area::new(bbox, level).expect("a box");
            assert_eq!(area.size()[0], columns, "{bbox:?}");
            let side = f64::from(1u32 << level);
            let [west_m, texel_m, ..] = area.geo_transform(256);
            let mut seen = Vec::new();
            for tile in area.iter() {
                let [column, row] = area.place(tile);
                let lon_deg = (west_m + texel_m * 256.0 * f64::from(column)) / HALF_M * 180.0;
                let turns = (lon_deg - (f64::from(tile.x) / side * 360.0 - 180.0)) / 360.0;
                assert!((turns - turns.round()).abs() < 1e-9 && f64::from(tile.x) < side, "{bbox:?}: {tile}");
                assert_eq!((column, row), (seen.len() as u32 % columns, seen.len() as u32 / columns));
                assert!(!seen.contains(&tile), "{bbox:?}: {tile} twice");
                seen.push(tile);
            }
            assert_eq!(seen.len() as u64, area.tiles());
        }
    }
}
