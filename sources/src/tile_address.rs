//! Which tile of Web Mercator?

use std::fmt;

/// A tile: level, column from the west, row from the north.
///
/// ```
/// use sources::{Area, TileAddress};
/// let area = Area::new([-180.0, -85.0, 180.0, 85.0], 0)?; // all of it is one tile
/// assert_eq!(area.iter().next(), Some(TileAddress { z: 0, x: 0, y: 0 }));
/// assert_eq!(TileAddress { z: 3, x: 4, y: 2 }.to_string(), "3/4/2");
/// # Ok::<(), sources::SourceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TileAddress {
    /// Level; 0 is the whole square.
    pub z: u32,
    /// Column.
    pub x: u32,
    /// Row.
    pub y: u32,
}

impl fmt::Display for TileAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.z, self.x, self.y)
    }
}
