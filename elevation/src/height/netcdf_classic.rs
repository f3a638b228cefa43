//! How long is a file of netCDF's classic formats? By its header, which says where the values of each variable lie.
//!
//! CDF-1, CDF-2 (offsets of 64 bits) and CDF-5 (all of 64 bits):
//! <https://docs.unidata.ucar.edu/netcdf-c/current/file_format_specifications.html>.

use std::io::Read;

/// Most bytes of a header: that of a file with thousands of variables takes a few.
const MOST_HEADER: u64 = 16 << 20;
/// The tags of the three lists.
const DIMENSIONS: u64 = 10;
const VARIABLES: u64 = 11;
const ATTRIBUTES: u64 = 12;

/// Bytes up to the end of the last value, without what pads it; `None` of other files, and of headers that are cut or damaged.
pub(super) fn length(file: impl Read) -> Option<u64> {
    let mut header = Header { rest: file.take(MOST_HEADER), version: 0 };
    let magic = header.bytes::<4>()?;
    header.version = magic[3];
    if &magic[..3] != b"CDF" || !matches!(header.version, 1 | 2 | 5) {
        return None;
    }
    // All ones while records are still appended: then their number follows from the length.
    let records = header.count()?;
    let growing = if header.version == 5 { u64::MAX } else { u64::from(u32::MAX) };
    let records = if records == growing { 0 } else { records };
    let mut dimensions = Vec::new();
    for _ in 0..header.list(DIMENSIONS)? {
        header.name()?;
        dimensions.push(header.count()?);
    }
    header.attributes()?;
    let mut variables = Vec::new();
    for _ in 0..header.list(VARIABLES)? {
        variables.push(header.variable(&dimensions)?);
    }
    // The values of a record lie one behind the other, each padded; those of a single variable are not.
    let of_records = || variables.iter().filter(|variable| variable.is_of_records);
    let stride = match of_records().count() {
        1 => of_records().next()?.bytes,
        _ => {
            of_records().try_fold(0u64, |sum, variable| sum.checked_add(variable.bytes.checked_next_multiple_of(4)?))?
        }
    };
    let end = |variable: &Variable| match (variable.is_of_records, records) {
        (false, _) => variable.begin.checked_add(variable.bytes),
        (true, 0) => Some(0),
        (true, _) => variable.begin.checked_add(stride.checked_mul(records - 1)?)?.checked_add(variable.bytes),
    };
    variables.iter().map(end).try_fold(0, |furthest, end| Some(end?.max(furthest)))
}

/// Where the values of a variable are.
struct Variable {
    begin: u64,
    /// Bytes of all of its values, or of those in one record.
    bytes: u64,
    is_of_records: bool,
}

/// What is still to be read of a header. All numbers are big-endian.
struct Header<R> {
    rest: R,
    version: u8,
}

impl<R: Read> Header<R> {
    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let mut bytes = [0; N];
        self.rest.read_exact(&mut bytes).ok()?;
        Some(bytes)
    }

    fn skip(&mut self, bytes: u64) -> Option<()> {
        let skipped = std::io::copy(&mut self.rest.by_ref().take(bytes), &mut std::io::sink()).ok()?;
        (skipped == bytes).then_some(())
    }

    fn u32(&mut self) -> Option<u64> {
        self.bytes().map(u32::from_be_bytes).map(u64::from)
    }

    fn u64(&mut self) -> Option<u64> {
        self.bytes().map(u64::from_be_bytes)
    }

    /// A number of things.
    fn count(&mut self) -> Option<u64> {
        if self.version == 5 { self.u64() } else { self.u32() }
    }

    /// Where something lies.
    fn offset(&mut self) -> Option<u64> {
        if self.version == 1 { self.u32() } else { self.u64() }
    }

    /// Begins a list, and tells its length: one that is not there has neither tag nor length.
    fn list(&mut self, tag: u64) -> Option<u64> {
        match (self.u32()?, self.count()?) {
            (0, 0) => Some(0),
            (found, length) if found == tag => Some(length),
            _ => None,
        }
    }

    fn name(&mut self) -> Option<()> {
        let bytes = self.count()?;
        self.skip(bytes.checked_next_multiple_of(4)?)
    }

    fn attributes(&mut self) -> Option<()> {
        for _ in 0..self.list(ATTRIBUTES)? {
            self.name()?;
            let each = bytes_of(self.u32()?)?;
            let bytes = self.count()?.checked_mul(each)?;
            self.skip(bytes.checked_next_multiple_of(4)?)?;
        }
        Some(())
    }

    fn variable(&mut self, dimensions: &[u64]) -> Option<Variable> {
        self.name()?;
        let (mut values, mut is_of_records) = (1u64, false);
        for k in 0..self.count()? {
            let length = *dimensions.get(usize::try_from(self.count()?).ok()?)?;
            // The dimension of records has no length, and is the first.
            if k == 0 && length == 0 {
                is_of_records = true;
            } else {
                values = values.checked_mul(length)?;
            }
        }
        self.attributes()?;
        let bytes = values.checked_mul(bytes_of(self.u32()?)?)?;
        // It follows from the dimensions, and has no room for long ones.
        let _stated_bytes = self.count()?;
        Some(Variable { begin: self.offset()?, bytes, is_of_records })
    }
}

/// Bytes of a value of a type.
fn bytes_of(kind: u64) -> Option<u64> {
    match kind {
        1 | 2 | 7 => Some(1),
        3 | 8 => Some(2),
        4 | 5 | 9 => Some(4),
        6 | 10 | 11 => Some(8),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A header of three dimensions (records, 3, 5), a text of 5 letters for the file, and variables: their dimensions, types and
    /// offsets.
    fn header(version: u8, records: u64, variables: &[(&[u64], u64, u64)]) -> Vec<u8> {
        let wide = |n: u64, wide: bool| if wide { n.to_be_bytes().to_vec() } else { (n as u32).to_be_bytes().to_vec() };
        let (tag, count) = (|n: u64| wide(n, false), |n: u64| wide(n, version == 5));
        let name = || [count(1), b"x\0\0\0".to_vec()].concat();
        let mut bytes = [b"CDF".to_vec(), vec![version], count(records), tag(DIMENSIONS), count(3)].concat();
        [0, 3, 5].into_iter().for_each(|length| bytes.extend([name(), count(length)].concat()));
        bytes.extend([tag(ATTRIBUTES), count(1), name(), tag(2), count(5), b"hello\0\0\0".to_vec()].concat());
        bytes.extend([tag(VARIABLES), count(variables.len() as u64)].concat());
        for (dimensions, kind, begin) in variables {
            bytes.extend([name(), count(dimensions.len() as u64)].concat());
            dimensions.iter().for_each(|dimension| bytes.extend(count(*dimension)));
            bytes.extend(
                [tag(0), count(0), tag(*kind), count(u64::from(u32::MAX)), wide(*begin, version != 1)].concat(),
            );
        }
        bytes
    }

    /// Law: the end of the last value is found in all three formats, of records too, whatever the order of variables; a header
    /// that is cut, or whose numbers are too large, tells nothing.
    #[test]
    fn ends_of_values() {
        // 3 x 5 values of two bytes, one of eight, and the same shapes in each of some records.
        let (fixed, scalar): ((&[u64], u64, u64), _) = ((&[1, 2], 3, 1000), (&[][..], 6, 900));
        let (of_records, bytes): ((&[u64], u64, u64), _) = ((&[0, 1, 2], 3, 2000), (&[0, 2][..], 1, 2032));
        for version in [1, 2, 5] {
            let length = |records: u64, variables: &[_]| length(&*header(version, records, variables));
            assert_eq!(length(0, &[]), Some(0));
            assert_eq!(length(0, &[fixed, scalar]), Some(1030));
            assert_eq!(length(0, &[scalar, fixed, of_records]), Some(1030));
            // One variable of records is not padded; two are, to 32 and 8 bytes.
            assert_eq!(length(7, &[of_records, fixed]), Some(2000 + 7 * 30));
            assert_eq!(length(7, &[of_records, bytes]), Some(2032 + 6 * 40 + 5));
            let growing = if version == 5 { u64::MAX } else { u64::from(u32::MAX) };
            assert_eq!(length(growing, &[fixed, of_records]), Some(1030));
            let whole = header(version, 7, &[of_records, bytes]);
            assert!((0..whole.len()).all(|cut| super::length(&whole[..cut]).is_none()), "{version}");
        }
        assert_eq!(length(&*header(2, 1, &[(&[1, 2], 6, u64::MAX - 100)])), None);
        assert_eq!(length(&*header(2, 1, &[(&[3], 6, 0)])), None);
        assert_eq!(length(&b"CDF\x03"[..]), None);
        assert_eq!(length(&b"\x89HDF\r\n\x1a\n"[..]), None);
    }
}
