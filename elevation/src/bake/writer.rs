//! How is a pack written so that nothing is lost? Tiles are appended to `NAME.part`; what is whole there is kept by the next
//! run; the name is given last.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{BufReader, ErrorKind, Read, Seek, SeekFrom},
    ops::Range,
    path::{Path, PathBuf},
};

use rayon::prelude::*;

use super::{
    error_inputs::ErrorInputs,
    progress::ProgressReporter,
    saturate::{self, ErrorLog},
};
use crate::pack::{
    Manifest, Pack, PackError, compression,
    format::{ERRORS_BYTES, Entry, ErrorsHeader, Footer, TILE_BYTES, TileHeader, checksum},
    index::MOST_PAYLOAD,
    is_pack,
    positioned_file::PositionedFile,
};
use crate::tile::TileId;

/// Compression of the index.
const INDEX_EFFORT: i32 = 9;

/// An append log of tiles that becomes a pack.
#[derive(Debug)]
pub(super) struct Writer {
    out: PathBuf,
    part: PathBuf,
    file: PositionedFile,
    /// Tiles that are in the file, whole.
    tiles: Vec<TileHeader>,
    /// Where the next tile goes.
    end: u64,
    /// Whether there is more in the file behind it, which may be errors.
    is_longer: bool,
}

/// What there is to do for a pack of some name.
#[derive(Debug)]
pub(super) enum PackState {
    /// The pack is there, made from the same sources by the same options.
    UpToDate,
    /// Tiles have to be appended.
    Incomplete(Writer),
}

/// Whether a pack is to be written: not where it is there, made from the same sources by the same options, unless to `overwrite` it.
///
/// # Errors
/// [`PackError::Stale`] or [`PackError::Occupied`] if something else is there that must not be overwritten.
pub(super) fn may_write(out: &Path, manifest: &Manifest, overwrite: bool) -> Result<bool, PackError> {
    if out.exists() && !out.is_file() {
        return Err(PackError::NotAFile { file: out.into() });
    }
    if overwrite || !out.exists() {
        return Ok(true);
    }
    match Pack::open_any(out) {
        Ok(pack) if pack.manifest() == manifest => Ok(false),
        Ok(_) | Err(PackError::Version { .. }) => Err(PackError::Stale { file: out.into() }),
        Err(PackError::Foreign { .. }) => Err(PackError::Occupied { file: out.into() }),
        Err(error) => Err(error),
    }
}

impl Writer {
    /// Opens the log of a pack and keeps the tiles that are whole in it.
    ///
    /// # Errors
    /// [`PackError::Stale`] or [`PackError::Occupied`] for other things of that name unless `overwrite`;
    /// [`PackError::Busy`]; [`PackError::Io`], [`PackError::Full`].
    pub fn open(out: &Path, manifest: &Manifest, overwrite: bool) -> Result<PackState, PackError> {
        let header = manifest.to_bytes().map_err(|e| PackError::io(out, "describe it")(e.into()))?;
        if !may_write(out, manifest, overwrite)? {
            return Ok(PackState::UpToDate);
        }
        let mut name = out.as_os_str().to_owned();
        name.push(".part");
        let part = PathBuf::from(name);
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).clone();
        let file = options.open(&part).map_err(PackError::io(&part, "create it"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(PackError::Busy { file: part }),
            // Some network file systems know no locks; then it is up to the user.
            Err(TryLockError::Error(_)) => {}
        }
        let file = PositionedFile::new(file);
        let mut writer = Self { out: out.into(), part, file, tiles: Vec::new(), end: 0, is_longer: false };
        writer.resume(&header, overwrite)?;
        Ok(PackState::Incomplete(writer))
    }

    /// Keeps what is whole in the log, or begins it.
    fn resume(&mut self, header: &[u8], overwrite: bool) -> Result<(), PackError> {
        let length = self.file.file().metadata().map_err(PackError::io(&self.part, "read its length"))?.len();
        let mut begun = vec![0; header.len().min(length as usize)];
        self.file.read(0, &mut begun).map_err(PackError::io(&self.part, "read it"))?;
        if begun == header {
            self.end = header.len() as u64;
            self.scan(length)?;
            self.is_longer = self.end < length;
            return Ok(());
        }
        // A run that was killed in the middle of the header has made nothing yet.
        if !header.starts_with(&begun) && !overwrite {
            let file = self.part.clone();
            return Err(if is_pack(&file) { PackError::Stale { file } } else { PackError::Occupied { file } });
        }
        self.truncate()?;
        self.write(header)
    }

    /// Reads the tiles that are whole, up to the first that is not.
    fn scan(&mut self, length: u64) -> Result<(), PackError> {
        let mut log = BufReader::with_capacity(1 << 20, self.file.file());
        let failed = PackError::io(&self.part, "read it");
        let mut scan = || -> std::io::Result<()> {
            log.seek(SeekFrom::Start(self.end))?;
            loop {
                let mut bytes = [0; TILE_BYTES];
                if self.end + TILE_BYTES as u64 > length {
                    return Ok(());
                }
                log.read_exact(&mut bytes)?;
                let Some(header) = TileHeader::from_bytes(&bytes) else { return Ok(()) };
                let next = self.end + TILE_BYTES as u64 + u64::from(header.bytes);
                if next > length || u64::from(header.bytes) > MOST_PAYLOAD {
                    return Ok(());
                }
                let mut payload = vec![0; header.bytes as usize];
                log.read_exact(&mut payload)?;
                if header.checksum_with(&payload) != header.checksum {
                    return Ok(());
                }
                self.tiles.push(header);
                self.end = next;
            }
        };
        scan().map_err(failed)
    }

    /// Tiles that are in the log.
    pub fn tiles(&self) -> &[TileHeader] {
        &self.tiles
    }

    /// Bytes of the log.
    pub fn bytes(&self) -> u64 {
        self.end
    }

    /// Forgets all tiles from the `keep`-th on.
    pub fn rewind(&mut self, keep: usize) -> Result<(), PackError> {
        let forgotten = self.tiles.drain(keep.min(self.tiles.len())..);
        let bytes: u64 = forgotten.map(|tile| TILE_BYTES as u64 + u64::from(tile.bytes)).sum();
        self.end -= bytes;
        // Errors may be right as long as all tiles are.
        if bytes > 0 { self.truncate() } else { Ok(()) }
    }

    /// Appends a tile.
    pub fn append(&mut self, header: TileHeader, payload: &[u8]) -> Result<(), PackError> {
        let mut record = Vec::with_capacity(TILE_BYTES + payload.len());
        record.extend(header.to_bytes());
        record.extend(payload);
        self.write(&record)?;
        self.tiles.push(header);
        Ok(())
    }

    /// Appends runs of tiles of shards, whose places follow from their indices: on all threads, each run checked and written as a whole.
    /// Where one fails, all are forgotten.
    pub fn append_runs(&mut self, runs: &[(&Pack, Range<usize>)]) -> Result<(), PackError> {
        if self.is_longer {
            self.truncate()?;
        }
        let lengths = runs.iter().map(|(pack, numbers)| pack.records()[numbers.clone()].iter().map(Entry::bytes).sum());
        let (places, end) = places(self.end, lengths);
        let copied = runs.par_iter().zip(places).try_for_each(|((pack, numbers), at)| {
            let run = pack.run(numbers.clone())?;
            self.file.write(at, &run).map_err(|error| self.write_error(&error))
        });
        if let Err(error) = copied {
            self.drop_partial_write();
            return Err(error);
        }
        self.end = end;
        let headers = |(pack, numbers): &(&Pack, Range<usize>)| pack.records()[numbers.clone()].to_vec();
        self.tiles.extend(runs.iter().flat_map(headers).map(|entry| entry.header));
        Ok(())
    }

    /// Writes errors, index and footer, makes sure that all is on the disk, and gives the file its name.
    /// Errors that need tiles of other shards are left out.
    pub fn commit(
        mut self,
        manifest: &Manifest,
        inputs: &ErrorInputs<'_>,
        reporter: &mut ProgressReporter<'_>,
    ) -> Result<u64, PackError> {
        let first = self.end - self.tiles.iter().map(|tile| TILE_BYTES as u64 + u64::from(tile.bytes)).sum::<u64>();
        let mut offset = first;
        let mut entries = Vec::with_capacity(self.tiles.len());
        for &header in &self.tiles {
            entries.push(Entry { header, offset, errors: None });
            offset += TILE_BYTES as u64 + u64::from(header.bytes);
        }
        let file = File::open(&self.part).map_err(PackError::io(&self.part, "read it"))?;
        let mut pack = Pack::unfinished(&self.part, file, manifest, entries)?;
        saturate::append_errors(&mut pack, inputs, &mut self, reporter)?;
        let plain: Vec<u8> = pack.into_entries().into_iter().flat_map(Entry::to_bytes).collect();
        let index = compression::compress(&plain, INDEX_EFFORT).map_err(|error| self.write_error(&error))?;
        let footer = Footer {
            offset: self.end,
            bytes: index.len() as u64,
            tiles: self.tiles.len() as u64,
            checksum: checksum(&[&index]),
        };
        self.write(&[&index[..], &footer.to_bytes()].concat())?;
        self.file.file().sync_all().map_err(|error| self.write_error(&error))?;
        fs::rename(&self.part, &self.out).map_err(PackError::io(&self.out, "give the finished pack this name"))?;
        // The name itself is safe once its folder is; systems that cannot do this do it by themselves.
        let folder = self.out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if let Ok(folder) = File::open(folder) {
            let _unsupported = folder.sync_all();
        }
        Ok(self.end)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), PackError> {
        if self.is_longer {
            self.truncate()?;
        }
        match self.file.write(self.end, bytes) {
            Ok(()) => {
                self.end += bytes.len() as u64;
                Ok(())
            }
            Err(error) => {
                self.drop_partial_write();
                Err(self.write_error(&error))
            }
        }
    }

    /// Takes away what was not written to its end: the next run would find it and drop it all the same.
    fn drop_partial_write(&self) {
        let _still_full = self.file.file().set_len(self.end);
    }

    fn truncate(&mut self) -> Result<(), PackError> {
        self.is_longer = false;
        self.file.file().set_len(self.end).map_err(PackError::io(&self.part, "shorten it"))
    }

    fn write_error(&self, error: &std::io::Error) -> PackError {
        let reason = match error.kind() {
            ErrorKind::StorageFull => "the disk is full".to_owned(),
            ErrorKind::QuotaExceeded => "the disk quota is exceeded".to_owned(),
            ErrorKind::FileTooLarge => "the file may not grow further".to_owned(),
            _ => error.to_string(),
        };
        PackError::Full { file: self.part.clone(), reason, kept: self.tiles.len() as u64 }
    }
}

/// Where pieces of some lengths lie, one after the other from an offset on, and where the last one ends.
fn places(first: u64, lengths: impl Iterator<Item = u64>) -> (Vec<u64>, u64) {
    let mut end = first;
    let place = |bytes| {
        end += bytes;
        end - bytes
    };
    let places = lengths.map(place).collect();
    (places, end)
}

impl ErrorLog for Writer {
    fn next_errors(&mut self, id: TileId) -> Result<Option<(ErrorsHeader, u64)>, PackError> {
        if !self.is_longer {
            return Ok(None);
        }
        let (at, file) = (self.end, &self.file);
        let read = || -> std::io::Result<Option<ErrorsHeader>> {
            let mut bytes = [0; ERRORS_BYTES];
            file.read(at, &mut bytes)?;
            let header = ErrorsHeader::from_bytes(&bytes).filter(|header| u64::from(header.bytes) <= MOST_PAYLOAD);
            let Some(header) = header else { return Ok(None) };
            let mut payload = vec![0; header.bytes as usize];
            file.read(at + ERRORS_BYTES as u64, &mut payload)?;
            Ok((header.checksum_with(id, &payload) == header.checksum).then_some(header))
        };
        let found = match read() {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => None,
            found => found.map_err(PackError::io(&self.part, "read it"))?,
        };
        let Some(header) = found else {
            self.truncate()?;
            return Ok(None);
        };
        self.end += ERRORS_BYTES as u64 + u64::from(header.bytes);
        Ok(Some((header, at)))
    }

    fn append_errors(&mut self, errors: &[(ErrorsHeader, Vec<u8>)]) -> Result<Vec<u64>, PackError> {
        if self.is_longer && !errors.is_empty() {
            self.truncate()?;
        }
        let lengths = errors.iter().map(|(header, _)| ERRORS_BYTES as u64 + u64::from(header.bytes));
        let (places, end) = places(self.end, lengths);
        let written = errors
            .par_iter()
            .zip(&places)
            .try_for_each(|((header, payload), at)| self.file.write(*at, &[&header.to_bytes()[..], payload].concat()));
        if let Err(error) = written {
            self.drop_partial_write();
            return Err(self.write_error(&error));
        }
        self.end = end;
        Ok(places)
    }

    fn length(&self) -> u64 {
        self.end
    }
}
