//! How are the records of tiles read, as they lie in a file? Each is checked; those that are elsewhere come by few requests.

use std::ops::Range;

use super::Pack;
use crate::{
    pack::{
        PackError,
        bytes::{PartKind, WaitPolicy, read_new},
        format::{ERRORS_BYTES, Entry, ErrorsHeader, TILE_BYTES, TileHeader},
    },
    tile::TileId,
};

impl Pack {
    /// Tells that tiles will be read, with their errors or without, the most urgent first.
    pub(crate) fn prefetch(&self, ids: impl Iterator<Item = TileId>, with_errors: bool) {
        if !self.is_remote() {
            return;
        }
        let part = |offset: u64, header: usize, bytes: u32| offset..offset + header as u64 + u64::from(bytes);
        let parts = ids.filter_map(|id| self.by_id.get(&id)).flat_map(|k| {
            let Entry { header, offset, errors } = self.tiles[*k as usize];
            let is_new = |kind: PartKind| !self.is_kept(header.id, kind);
            let errors = errors.filter(|_| with_errors && is_new(PartKind::Errors));
            let heights = is_new(PartKind::Heights).then(|| part(offset, TILE_BYTES, header.bytes));
            [heights, errors.map(|(errors, at)| part(at, ERRORS_BYTES, errors.bytes))]
        });
        self.bytes.prefetch(&parts.flatten().collect::<Vec<_>>());
    }

    /// Tells that parts of tiles will be read, by their numbers in the file.
    pub(crate) fn prefetch_records(&self, numbers: impl Iterator<Item = usize>, kind: PartKind) {
        if !self.is_remote() {
            return;
        }
        let new = numbers.filter_map(|k| self.tiles.get(k)).filter(|entry| !self.is_kept(entry.header.id, kind));
        let parts = new.filter_map(|entry| match kind {
            PartKind::Heights => Some(entry.offset..entry.end()?),
            PartKind::Errors => {
                let (header, at) = entry.errors?;
                Some(at..at + ERRORS_BYTES as u64 + u64::from(header.bytes))
            }
        });
        self.bytes.prefetch(&parts.collect::<Vec<_>>());
    }

    /// Header and payload of a tile's errors, as they lie in the file, checked; none where a shard has none.
    pub(crate) fn errors_of(&self, entry: &Entry) -> Result<Option<(ErrorsHeader, Vec<u8>)>, PackError> {
        let Some((header, offset)) = entry.errors else { return Ok(None) };
        let id = entry.header.id;
        let is_sound = |record: &[u8]| {
            let (head, payload) = record.split_at(ERRORS_BYTES);
            head == header.to_bytes() && header.checksum_with(id, payload) == header.checksum
        };
        let record = self.sound_record((id, PartKind::Errors), offset, header.bytes, &is_sound)?;
        let mut record =
            record.ok_or_else(|| self.corrupt(offset, format!("the checksum of the errors of {id} is wrong")))?;
        record.drain(..ERRORS_BYTES);
        Ok(Some((header, record)))
    }

    /// A header and its payload that pass a check; none that does not, which is asked for once more where bytes get lost on the way.
    fn sound_record(
        &self,
        (id, kind): (TileId, PartKind),
        offset: u64,
        payload: u32,
        is_sound: &dyn Fn(&[u8]) -> bool,
    ) -> Result<Option<Vec<u8>>, PackError> {
        let header = match kind {
            PartKind::Heights => TILE_BYTES,
            PartKind::Errors => ERRORS_BYTES,
        };
        let length = header + payload as usize;
        if let Some(kept) = &self.kept
            && let Some(record) = kept.get(id, kind)
        {
            if record.len() == length && is_sound(&record) {
                return Ok(Some(record));
            }
            kept.forget(id, kind);
        }
        let wait = self.wait_policy();
        let tries = if self.is_remote() { 2 } else { 1 };
        for _ in 0..tries {
            let end = offset.saturating_add(length as u64);
            let record = read_new(&*self.bytes, offset..end, wait).map_err(|error| {
                if self.is_remote() && wait != WaitPolicy::Retry {
                    return PackError::Unavailable { file: self.path.clone(), reason: error.to_string() };
                }
                PackError::io(&self.path, "read a tile")(error)
            })?;
            if is_sound(&record) {
                self.kept.iter().for_each(|kept| kept.put(id, kind, &record));
                return Ok(Some(record));
            }
            self.bytes.forget(offset);
        }
        Ok(None)
    }

    /// Header and payload of a tile as they lie in the file, checked.
    pub(crate) fn record(&self, header: &TileHeader, offset: u64) -> Result<Vec<u8>, PackError> {
        let is_sound = |record: &[u8]| header.is_sound(record);
        let record = self.sound_record((header.id, PartKind::Heights), offset, header.bytes, &is_sound)?;
        record.ok_or_else(|| self.wrong_checksum(header.id, offset))
    }

    /// The records of consecutive tiles, by their numbers in the file, one after the other as they lie in it, each checked. Of a pack that is
    /// elsewhere they are not kept in memory.
    pub(crate) fn run(&self, numbers: Range<usize>) -> Result<Vec<u8>, PackError> {
        let entries = &self.tiles[numbers.clone()];
        let (Some(first), Some(end)) = (entries.first(), entries.last().and_then(Entry::end)) else {
            return Ok(Vec::new());
        };
        if self.is_remote() {
            self.prefetch_records(numbers, PartKind::Heights);
            let mut run = Vec::new();
            for entry in entries {
                run.extend(self.record(&entry.header, entry.offset)?);
                self.bytes.forget(entry.offset);
            }
            return Ok(run);
        }
        let run = read_new(&*self.bytes, first.offset..end, WaitPolicy::Retry);
        let run = run.map_err(PackError::io(&self.path, "read tiles"))?;
        let mut rest = &run[..];
        for Entry { header, offset, .. } in entries {
            let (record, after) = rest.split_at(TILE_BYTES + header.bytes as usize);
            if !header.is_sound(record) {
                return Err(self.wrong_checksum(header.id, *offset));
            }
            rest = after;
        }
        Ok(run)
    }

    fn wrong_checksum(&self, id: TileId, offset: u64) -> PackError {
        self.corrupt(offset, format!("the checksum of {id} is wrong"))
    }
}
