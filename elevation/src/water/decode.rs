//! How are the outlines that ship read? `data/water/README.md` tells the format.

use super::{Body, Lake, Outline};
use crate::pack::compression::decompress;

/// First bytes, and the version that is read.
const MAGIC: &[u8] = b"ORGW\x01";
/// Most bytes of all outlines: some times those that ship.
const MOST_BYTES: usize = 1 << 26;
/// Level of a lake that is not known, decimetres.
const UNKNOWN: i64 = -2_147_483_648;

/// Bytes that are no outlines.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("these are no outlines of water: {0}")]
pub(super) struct Malformed(&'static str);

/// The outlines of a file.
pub(super) fn outlines(file: &[u8]) -> Result<Vec<Outline>, Malformed> {
    let bytes = decompress(file, MOST_BYTES).map_err(|_| Malformed("zstd cannot read them"))?;
    let mut rest = Reader(bytes.strip_prefix(MAGIC).ok_or(Malformed("they begin with another word or version"))?);
    let steps = rest.unsigned()? as f64;
    let bodies = rest.unsigned()?;
    let outlines = (0..bodies).map(|_| rest.outline(steps)).collect::<Result<_, _>>()?;
    if rest.0.is_empty() { Ok(outlines) } else { Err(Malformed("they go on after their end")) }
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

    fn outline(&mut self, steps: f64) -> Result<Outline, Malformed> {
        let kind = self.unsigned()?;
        let level = self.signed()?;
        let name = self.text()?;
        let body = match kind {
            0 => Body::Land,
            1 => Body::Lake(Lake { name, level_m: (level != UNKNOWN).then_some(level as f64 / 10.0) }),
            _ => return Err(Malformed("a body is neither land nor lake")),
        };
        let rings = self.unsigned()?;
        Ok(Outline { body, rings: (0..rings).map(|_| self.ring(steps)).collect::<Result<_, _>>()? })
    }

    fn ring(&mut self, steps: f64) -> Result<Vec<[f64; 2]>, Malformed> {
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
