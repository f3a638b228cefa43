//! How do a server's tiles of a place become one file? They are kept beside it until all are there.

use std::{
    fs,
    io::{ErrorKind, Write as _},
    ops::Add,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use elevation::geotiff::{Layout, Writer};
use tempfile::NamedTempFile;

use crate::{
    Area, Kind, Source, SourceError, TileAddress,
    client::{Client, Network, TileResponse},
    tile::Tile,
};

/// Requests in flight.
const WORKERS: usize = 4;
/// After the first failure of a request.
const PAUSE: Duration = Duration::from_secs(1);

/// Tiles of an area that are to become a file.
///
/// ```
/// use std::time::Duration;
/// use sources::{Area, Catalogue, Fetch, Network, Source, SourceError};
/// let source = Source::named("terrarium:http://127.0.0.1:1/{z}/{x}/{y}.png", &Catalogue::shipped())?;
/// let area = Area::new([6.0, 45.0, 7.0, 46.0], 6)?;
/// let fetch = Fetch::new(&source, area)?.with_network(Network::from_env()).with_pause(Duration::from_millis(1));
/// # let file = std::env::temp_dir().join(format!("orogen-fetch-{}.tif", std::process::id()));
/// # std::fs::write(&file, "")?;
/// // What is there already is not replaced unless that is asked for.
/// let refused = fetch.run(&file, false, &mut |now| eprintln!("{} of {} tiles", now.done, now.tiles));
/// assert!(matches!(refused, Err(SourceError::Exists { .. })));
/// # std::fs::remove_file(&file)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Fetch {
    source: Source,
    area: Area,
    pause: Duration,
    network: Network,
}

/// How far a download is.
///
/// ```
/// use sources::Progress;
/// // Of several downloads.
/// let of = |tiles: u64, done: u64| Progress { tiles, done, ..Progress::default() };
/// assert_eq!(of(9, 4) + of(16, 0), of(25, 4));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Tiles that there will be.
    pub tiles: u64,
    /// Tiles that are there, or that the server does not have.
    pub done: u64,
    /// Of them, those of earlier runs.
    pub found: u64,
    /// Of them, those that the server does not have.
    pub missing: u64,
    /// Bytes of this run.
    pub bytes: u64,
}

impl Add for Progress {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            tiles: self.tiles + other.tiles,
            done: self.done + other.done,
            found: self.found + other.found,
            missing: self.missing + other.missing,
            bytes: self.bytes + other.bytes,
        }
    }
}

/// What was made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// How it went.
    pub progress: Progress,
    /// Columns and rows of the raster.
    pub size: [usize; 2],
}

impl Fetch {
    /// Asks nothing yet.
    ///
    /// # Errors
    /// [`SourceError::Area`] for a level that the source does not have.
    pub fn new(source: &Source, area: Area) -> Result<Self, SourceError> {
        let [first, last] = source.levels;
        if !source.levels().contains(&area.level()) {
            let reason = format!("level {} of {}: it has {first} to {last}", area.level(), source.name);
            return Err(SourceError::Area { reason });
        }
        Ok(Self { source: source.clone(), area, pause: PAUSE, network: Network::from_env() })
    }

    /// With another pause after the first failure of a request; a second otherwise.
    #[must_use]
    pub fn with_pause(self, pause: Duration) -> Self {
        Self { pause, ..self }
    }

    /// By a way to servers other than that of the environment as it was when this was made.
    #[must_use]
    pub fn with_network(self, network: Network) -> Self {
        Self { network, ..self }
    }

    /// Downloads what is missing, and writes a GeoTIFF in Web Mercator: heights in metres as f32, NaN where there are none; or red, green,
    /// blue and alpha. Until it is whole, tiles are kept in a folder beside it whose name ends in `.tiles`: the same call goes on.
    ///
    /// # Errors
    /// [`SourceError`]: a file that is there already, a server that refuses or sends no tiles, a disk that is full.
    pub fn run(&self, out: &Path, overwrite: bool, show: &mut dyn FnMut(Progress)) -> Result<Outcome, SourceError> {
        if !overwrite && out.symlink_metadata().is_ok() {
            return Err(SourceError::Exists { file: out.into() });
        }
        let folder = self.folder(out, overwrite)?;
        let progress = self.download(&folder, show)?;
        if progress.missing == progress.tiles {
            remove(&folder)?;
            return Err(SourceError::Empty { host: self.source.host().into(), tiles: progress.tiles });
        }
        let raster = folder.join("raster.tif");
        let size = self.write(&folder, &raster)?;
        fs::rename(&raster, out).map_err(SourceError::file(out))?;
        remove(&folder)?;
        Ok(Outcome { progress, size })
    }

    /// The folder of tiles, made if need be.
    fn folder(&self, out: &Path, overwrite: bool) -> Result<PathBuf, SourceError> {
        let mut name = out.as_os_str().to_owned();
        name.push(".tiles");
        let folder = PathBuf::from(name);
        let label = folder.join("source");
        let text = format!("orogen tiles\n{}\n", self.source.identity());
        match foreign::read_small_text(&label, 1 << 16) {
            Ok(found) if found == text => return Ok(folder),
            // A folder of another source, as it says itself.
            Ok(found) if overwrite && found.starts_with("orogen tiles\n") => remove(&folder)?,
            Err(error) if error.kind() == ErrorKind::NotFound && !folder.exists() => {}
            _ => return Err(SourceError::Exists { file: folder }),
        }
        fs::create_dir_all(&folder).and_then(|()| fs::write(&label, text)).map_err(SourceError::file(&folder))?;
        Ok(folder)
    }

    fn download(&self, folder: &Path, show: &mut dyn FnMut(Progress)) -> Result<Progress, SourceError> {
        let client = Client::new(self.pause, &self.source.url, &self.network);
        let mut progress = Progress { tiles: self.area.tiles(), ..Progress::default() };
        let mut wanted = Vec::new();
        for tile in self.area.iter() {
            match fs::metadata(path_of(folder, tile)) {
                Ok(found) => {
                    progress.done += 1;
                    progress.found += 1;
                    progress.missing += u64::from(found.len() == 0);
                }
                Err(_) => wanted.push(tile),
            }
        }
        show(progress);
        let (queue, is_over) = (Mutex::new(wanted.into_iter()), AtomicBool::new(false));
        let next = || {
            let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
            queue.next().filter(|_| !is_over.load(Ordering::Relaxed))
        };
        let (send, received) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..WORKERS {
                let (send, next, client, is_over) = (send.clone(), &next, &client, &is_over);
                scope.spawn(move || {
                    while let Some(tile) = next() {
                        // Requests in flight come to their end, and no further one begins.
                        let done =
                            self.tile(client, folder, tile).inspect_err(|_| is_over.store(true, Ordering::Relaxed));
                        if send.send(done).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(send);
            for bytes in received {
                let bytes = bytes?;
                progress.done += 1;
                progress.missing += u64::from(bytes == 0);
                progress.bytes += bytes;
                show(progress);
            }
            Ok(progress)
        })
    }

    /// Downloads a tile; tells its bytes, none for one that the server does not have.
    fn tile(&self, client: &Client, folder: &Path, tile: TileAddress) -> Result<u64, SourceError> {
        let answer = client.get(&self.source.url_of(tile), |bytes| Tile::decode(bytes, self.source.kind));
        let bytes = match answer {
            Ok(TileResponse::Bytes(bytes)) => bytes,
            Ok(TileResponse::NotFound) => Vec::new(),
            Err(reason) => return Err(SourceError::Tile { tile, host: self.source.host().into(), reason }),
        };
        // It appears whole or not at all.
        let file = path_of(folder, tile);
        let mut part = NamedTempFile::new_in(folder).map_err(SourceError::file(folder))?;
        part.write_all(&bytes).map_err(SourceError::file(&file))?;
        part.persist(&file).map_err(|error| SourceError::file(&file)(error.error))?;
        Ok(bytes.len() as u64)
    }

    /// Writes the raster of the tiles in a folder; tells its size.
    fn write(&self, folder: &Path, raster: &Path) -> Result<[usize; 2], SourceError> {
        let mut side = None;
        let mut writer = None;
        for tile in self.area.iter() {
            let Some(pixels) = self.stored(folder, tile)? else { continue };
            if *side.get_or_insert(pixels.side()) != pixels.side() {
                let reason = String::from("its size differs from that of the others");
                return Err(SourceError::Tile { tile, host: self.source.host().into(), reason });
            }
            let writer = match &mut writer {
                Some(writer) => writer,
                None => writer.insert(Raster::create(raster, &self.layout(pixels.side()), self.source.kind)?),
            };
            writer.write(self.area.place(tile), &pixels)?;
        }
        if let Some(writer) = writer {
            writer.finish()?;
        }
        let side = side.unwrap_or(256) as usize;
        Ok(self.area.size().map(|tiles| tiles as usize * side))
    }

    /// A tile of the folder, if the server has it.
    fn stored(&self, folder: &Path, tile: TileAddress) -> Result<Option<Tile>, SourceError> {
        let file = path_of(folder, tile);
        let bytes = fs::read(&file).map_err(SourceError::file(&file))?;
        if bytes.is_empty() {
            return Ok(None);
        }
        Tile::decode(&bytes, self.source.kind).map(Some).map_err(|reason| {
            // The next run asks for it again.
            let _gone = fs::remove_file(&file);
            let reason = format!("what was kept of it is damaged ({reason}): run again");
            SourceError::Tile { tile, host: self.source.host().into(), reason }
        })
    }

    fn layout(&self, side: u32) -> Layout {
        let [columns, rows] = self.area.size().map(|tiles| (tiles * side) as usize);
        let block = [format!("BLOCKXSIZE={side}"), format!("BLOCKYSIZE={side}")];
        let (bands, nodata, options) = match self.source.kind {
            Kind::Imagery => {
                (&["red", "green", "blue", "alpha"][..], None, &["PREDICTOR=2", "PHOTOMETRIC=RGB", "ALPHA=YES"][..])
            }
            Kind::Terrarium | Kind::TerrainRgb => (&["height"][..], Some(f64::NAN), &["PREDICTOR=3"][..]),
        };
        let options = ["TILED=YES", "COMPRESS=DEFLATE"].iter().chain(options).map(|&option| option.to_owned());
        let source = format!("{}, level {}, {}", self.source.title, self.area.level(), self.source.public_url());
        let mut metadata = vec![(String::from("TIFFTAG_IMAGEDESCRIPTION"), source)];
        if !self.source.attribution.is_empty() {
            metadata.push((String::from("TIFFTAG_COPYRIGHT"), self.source.attribution.clone()));
        }
        Layout {
            system: "EPSG:3857".into(),
            size: (columns, rows),
            geo_transform: self.area.geo_transform(side),
            nodata,
            bands: bands.iter().map(|&band| band.to_owned()).collect(),
            options: options.chain(block).collect(),
            metadata,
        }
    }
}

/// A raster of heights or of colours.
enum Raster {
    Heights(Writer<f32>, Kind),
    Colours(Writer<u8>),
}

impl Raster {
    fn create(file: &Path, layout: &Layout, kind: Kind) -> Result<Self, SourceError> {
        Ok(match kind {
            Kind::Imagery => Self::Colours(Writer::create(file, layout)?),
            Kind::Terrarium | Kind::TerrainRgb => Self::Heights(Writer::create(file, layout)?, kind),
        })
    }

    fn write(&mut self, place: [u32; 2], tile: &Tile) -> Result<(), SourceError> {
        let side = tile.side() as usize;
        let (at, size) = ((place[0] as usize * side, place[1] as usize * side), (side, side));
        match self {
            Self::Heights(writer, kind) => writer.write(0, at, size, tile.heights_m(*kind))?,
            Self::Colours(writer) => {
                (0..4).try_for_each(|band| writer.write(band, at, size, tile.channel(band)))?;
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<(), SourceError> {
        match self {
            Self::Heights(writer, _) => writer.finish()?,
            Self::Colours(writer) => writer.finish()?,
        }
        Ok(())
    }
}

fn path_of(folder: &Path, tile: TileAddress) -> PathBuf {
    folder.join(format!("{}-{}-{}", tile.z, tile.x, tile.y))
}

fn remove(folder: &Path) -> Result<(), SourceError> {
    fs::remove_dir_all(folder).map_err(SourceError::file(folder))
}
