//! Which tile of Web Mercator?

use std::fmt;

/// A tile: level, column from the west, row from the north.
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
