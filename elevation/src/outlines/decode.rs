//! How are the outlines and lines that ship read? `data/water/README.md` tells the format.

use crate::pack::compression::decompress;

/// First bytes, and the version that is read.
const MAGIC: &[u8] = b"ORGW\x01";
/// Most bytes of all outlines: some times those that ship.
const MOST_BYTES: usize = 1 << 26;
/// Level of a lake that is not known, decimetres.
const UNKNOWN: i64 = -2_147_483_648;

/// Bytes that are no outlines.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("these are no outlines: {0}")]
pub(crate) struct Malformed(&'static str);

/// What a record is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Rings around land.
    Land,
    /// Rings around a lake.
    Lake,
    /// Borders of countries.
    Border,
}

/// Lines of a kind.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Record {
    pub kind: Kind,
    /// Empty where it has none.
    pub name: String,
    /// Of a lake, metres above mean sea level, where it is known.
    pub level_m: Option<f64>,
    /// Longitudes and latitudes, degrees.
    pub lines: Vec<Vec<[f64; 2]>>,
}

/// The records of a file.
pub(crate) fn records(file: &[u8]) -> Result<Vec<Record>, Malformed> {
    let bytes = decompress(file, MOST_BYTES).map_err(|_| Malformed("zstd cannot read them"))?;
    let mut rest = Reader(bytes.strip_prefix(MAGIC).ok_or(Malformed("they begin with another word or version"))?);
    let steps = rest.unsigned()? as f64;
    let count = rest.unsigned()?;
    let records = (0..count).map(|_| rest.record(steps)).collect::<Result<_, _>>()?;
    if rest.0.is_empty() { Ok(records) } else { Err(Malformed("they go on after their end")) }
}

/// What is left to be read.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn unsigned(&mut self) -> Result<u64, Malformed> {
        let mut value = 0;
        for shift in (0..63).step_by(7) {
            let (&byte, rest) = self.0.split_first().ok_or(Malformed("they end early"))?;
            self.0 = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(Malformed("a number is too long"))
    }

    fn signed(&mut self) -> Result<i64, Malformed> {
        let value = self.unsigned()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    fn text(&mut self) -> Result<String, Malformed> {
        let length = self.unsigned()?;
        let length = usize::try_from(length).ok().filter(|length| *length <= self.0.len());
        let (text, rest) = self.0.split_at(length.ok_or(Malformed("they end early"))?);
        self.0 = rest;
        String::from_utf8(text.to_vec()).map_err(|_| Malformed("a name is not UTF-8"))
    }

    fn record(&mut self, steps: f64) -> Result<Record, Malformed> {
        let kind = match self.unsigned()? {
            0 => Kind::Land,
            1 => Kind::Lake,
            2 => Kind::Border,
            _ => return Err(Malformed("a record is neither land nor lake nor border")),
        };
        let level = self.signed()?;
        let level_m = (level != UNKNOWN).then_some(level as f64 / 10.0);
        let name = self.text()?;
        let count = self.unsigned()?;
        let lines = (0..count).map(|_| self.line(steps)).collect::<Result<_, _>>()?;
        Ok(Record { kind, name, level_m, lines })
    }

    fn line(&mut self, steps: f64) -> Result<Vec<[f64; 2]>, Malformed> {
        let count = self.unsigned()?;
        let mut at = [0i64; 2];
        let corner = |_| {
            for axis in &mut at {
                *axis = axis.checked_add(self.signed()?).ok_or(Malformed("a place is nowhere"))?;
            }
            Ok(at.map(|steps_from_0| steps_from_0 as f64 / steps))
        };
        (0..count).map(corner).collect()
    }
}
