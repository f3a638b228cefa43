//! What can go wrong, in words that say what to do?

use std::path::PathBuf;

use foreign::sanitized;

use crate::tile_address::TileAddress;

/// Why there are no tiles, or no file of them.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// No source of the catalogue has the name.
    #[error("there is no source {name:?}: {known}; or give terrarium:, terrain-rgb: or picture: and an address with {{z}}, {{x}} and {{y}}", name = sanitized(name).to_string())]
    Unknown {
        /// The name.
        name: String,
        /// Those that there are.
        known: String,
    },
    /// A catalogue that cannot be read.
    #[error("catalogue {file}: {reason}", file = sanitized(&file.display().to_string()))]
    Catalogue {
        /// Which.
        file: PathBuf,
        /// Why.
        reason: String,
    },
    /// A source whose description cannot be.
    #[error("source {name:?}: {reason}", name = sanitized(name).to_string())]
    Source {
        /// Its name, or its address.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// An area without tiles, or with too many.
    #[error("{reason}")]
    Area {
        /// What is wrong.
        reason: String,
    },
    /// The server refused, failed, or sent what is no tile.
    #[error("tile {tile} from {host}: {reason}", host = sanitized(host))]
    Tile {
        /// Which tile.
        tile: TileAddress,
        /// Who was asked.
        host: String,
        /// What came.
        reason: String,
    },
    /// The server has no tile of the area.
    #[error("{host} has none of the {tiles} tiles: try another level or place", host = sanitized(host))]
    Empty {
        /// Who was asked.
        host: String,
        /// How many tiles there would be.
        tiles: u64,
    },
    /// Nothing may be asked for, and nothing is kept.
    #[error("nothing of {name} is kept for this place: run once without --offline", name = sanitized(name))]
    Offline {
        /// Which source.
        name: String,
    },
    /// The file, or tiles beside it, are there from something else.
    #[error("{file} is there: --overwrite replaces it", file = sanitized(&file.display().to_string()))]
    Exists {
        /// Which file or folder.
        file: PathBuf,
    },
    /// A file that cannot be written or read.
    #[error("{file}: {error}", file = sanitized(&file.display().to_string()))]
    File {
        /// Which.
        file: PathBuf,
        /// The system's reason.
        error: std::io::Error,
    },
    /// The raster cannot be written.
    #[error(transparent)]
    Write(#[from] elevation::geotiff::WriteError),
}

impl SourceError {
    pub(crate) fn file(file: &std::path::Path) -> impl FnOnce(std::io::Error) -> Self {
        let file = file.to_owned();
        move |error| Self::File { file, error }
    }
}
