//! What are the means of a file's heights, if they were read in an earlier start? Compressed files without overviews are decoded as a whole for
//! them: 2 000 files of one degree take 20 s of a processor.
//!
//! Means of all folders lie in [logs](crate::record_log) beside the headers. A record is named by the hash of all that decides about it:
//! which files it is of and when they changed, options, and the grid. So means of other data are never found.

use std::{
    path::Path,
    sync::{Mutex, PoisonError},
    time::SystemTime,
};

use super::super::{fingerprint::Fingerprint, headers::Header, options::OpenOptions};
use crate::record_log::{Logs, Records};

/// Names of the logs, the younger and the older one.
const NAMES: [&str; 2] = ["means.young", "means.old"];
/// Begins a record; ends in its version.
const MAGIC: &[u8; 8] = b"omeans 1";
/// Bytes of a record before its values: the beginning, its name, the number of values, and the checksum of all three and the values.
const HEAD_BYTES: usize = 8 + KEY_BYTES + 4 + CHECKSUM_BYTES;
const KEY_BYTES: usize = 32;
const CHECKSUM_BYTES: usize = 32;
/// Most values of a record: the means of one large file, and as many around cells.
const MOST_VALUES: usize = 1 << 20;
/// Most bytes in all logs: the means of two sets of files with the default memory.
const MOST_BYTES: u64 = 256 << 20;

/// What names a record.
pub(super) type Key = [u8; KEY_BYTES];

/// Means as they lie in a log.
#[derive(Debug)]
struct MeansRecords;

impl Records for MeansRecords {
    type Key = Key;
    const HEAD_BYTES: usize = HEAD_BYTES;

    fn of_head(head: &[u8]) -> Option<(Key, u64)> {
        let (key, values) = of_head(head.try_into().ok()?)?;
        Some((key, (HEAD_BYTES + 4 * values) as u64))
    }
}

/// Name and number of values of a record; nothing of what is none.
fn of_head(head: &[u8; HEAD_BYTES]) -> Option<(Key, usize)> {
    let (key, rest) = head.strip_prefix(MAGIC)?.split_first_chunk::<KEY_BYTES>()?;
    let values = u32::from_le_bytes(*rest.first_chunk::<4>()?) as usize;
    (values <= MOST_VALUES).then_some((*key, values))
}

fn checksum(key: &Key, values: &[u8]) -> [u8; CHECKSUM_BYTES] {
    *blake3::Hasher::new().update(MAGIC).update(key).update(values).finalize().as_bytes()
}

fn to_record(key: &Key, values: &[f32]) -> Option<Vec<u8>> {
    let count = u32::try_from(values.len()).ok().filter(|count| *count as usize <= MOST_VALUES)?;
    let values: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    Some([&MAGIC[..], key, &count.to_le_bytes(), &checksum(key, &values), &values].concat())
}

fn from_record(key: &Key, record: &[u8]) -> Option<Vec<f32>> {
    let (head, values) = record.split_first_chunk::<HEAD_BYTES>()?;
    let (of, count) = of_head(head)?;
    let sound = of == *key && 4 * count == values.len() && head.ends_with(&checksum(key, values));
    sound.then(|| values.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
}

/// Means on disk, for any number of threads.
#[derive(Debug)]
pub(super) struct MeansCache(Mutex<Logs<MeansRecords>>);

impl MeansCache {
    /// Those in a folder; `None`, and a warning, if they can be neither read nor written.
    pub fn open(folder: &Path) -> Option<Self> {
        Logs::open(folder, NAMES.map(String::from), MOST_BYTES, "means of files").map(|logs| Self(Mutex::new(logs)))
    }

    /// What means of a file, as it is now, on a grid and around cells are named; `None` where it may still change without a trace.
    pub fn key(header: &Header, options: &OpenOptions, grid: [usize; 2], cells: &[[usize; 2]]) -> Option<Key> {
        let stamps = header.fingerprint.stamps();
        let now = SystemTime::now();
        if stamps.is_empty() || !stamps.iter().all(|(_, stamp)| stamp.is_old(now)) {
            return None;
        }
        let told = options.clone().with_index(None).with_skip_bad(false);
        let (gdal, encoding) = (gdal::version::version_info("RELEASE_NAME"), header.encoding.key_text());
        let all = format!("{gdal}\n{told:?}\n{encoding}\n{grid:?}\n{cells:?}\n{stamps:?}");
        Some(*blake3::hash(all.as_bytes()).as_bytes())
    }

    /// The values of a record, if it is there and sound, and its files have not changed.
    pub fn get(&self, key: &Key, fingerprint: &Fingerprint) -> Option<Vec<f32>> {
        let record = self.logs().read(*key)?;
        let values = from_record(key, &record);
        if values.is_none() {
            self.logs().forget(*key);
        }
        values.filter(|_| fingerprint.check().is_ok())
    }

    /// Keeps values, if there is room.
    pub fn put(&self, key: &Key, values: &[f32]) {
        let Some(record) = to_record(key, values) else { return };
        let mut logs = self.logs();
        if logs.is_wanted(*key) {
            logs.append(*key, &record);
        }
    }

    fn logs(&self) -> std::sync::MutexGuard<'_, Logs<MeansRecords>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng, rngs::StdRng};

    use super::*;

    /// Law: a record is read as it was written or not at all, whatever becomes of the log; what is damaged is written again.
    #[test]
    fn records_are_read_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(NAMES[0]);
        let mut rng = StdRng::from_rng(&mut rand::rng());
        let means: Vec<(Key, Vec<f32>)> = (0..20)
            .map(|k| {
                let values = rng.random_range(0..400);
                ([k; KEY_BYTES], (0..values).map(|_| rng.random_range(-400.0..9000.0)).collect())
            })
            .collect();
        let keep = || {
            let kept = MeansCache::open(folder.path()).unwrap();
            means.iter().for_each(|(key, values)| kept.put(key, values));
        };
        let none = Fingerprint::of_stamps(Vec::new());
        keep();
        let whole = std::fs::read(&file).unwrap();
        for _ in 0..60 {
            let mut bytes = whole.clone();
            match rng.random_range(0..3) {
                0 => bytes.truncate(rng.random_range(0..whole.len())),
                1 => bytes.extend([7; 30]),
                _ => bytes[rng.random_range(0..whole.len())] ^= 1 << rng.random_range(0..8),
            }
            std::fs::write(&file, &bytes).unwrap();
            for kept in [MeansCache::open(folder.path()).unwrap()] {
                let read: Vec<Option<Vec<f32>>> = means.iter().map(|(key, _)| kept.get(key, &none)).collect();
                for (read, (_, values)) in read.iter().zip(&means) {
                    assert!(read.is_none() || read.as_ref() == Some(values));
                }
            }
            // Forgotten records are written again in the same start, cut ones in the next.
            keep();
            let kept = MeansCache::open(folder.path()).unwrap();
            let found = means.iter().filter(|(key, values)| kept.get(key, &none).as_ref() == Some(values)).count();
            assert!(found + 1 >= means.len(), "{found} of {}", means.len());
        }
    }
}
