//! Is a text of points on a lattice whole? GDAL takes what is missing as sparse, at its end too.
//!
//! Refused is a lattice of which the end of the last row alone is missing: what a copy that was interrupted leaves. GDAL itself refuses
//! lines of fewer than three numbers. A lattice with other points missing is one that was sparse on purpose.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read as _},
    path::Path,
};

use gdal::{Dataset, raster::RasterBand};

/// Longest line that is looked at.
const LONGEST_LINE: usize = 4096;

/// What is missing of a file on a disk, in words.
pub(super) fn cut(file: &Path, dataset: &Dataset, band: &RasterBand) -> Option<String> {
    if !std::fs::metadata(file).is_ok_and(|found| found.is_file()) {
        return None;
    }
    let points = Points::of(BufReader::with_capacity(1 << 20, File::open(file).ok()?))?;
    let ([first, second], last) = (&points.first, &points.last);
    let (columns, rows) = band.size();
    let g = dataset.geo_transform().ok()?;
    // Columns and rows, counted from the first.
    let texel = |point: &[f64]| {
        let point = point.get(..2)?;
        let at = [(point[0] - g[0]) / g[1] - 0.5, (point[1] - g[3]) / g[5] - 0.5];
        let inside = |k: usize, count: usize| at[k] > -0.1 && at[k] < count as f64 - 0.9;
        (inside(0, columns) && inside(1, rows)).then(|| at.map(|k| k.round() as i64))
    };
    let [first, second, last] = [texel(first)?, texel(second)?, texel(last)?];
    // Points follow each other along rows, or along columns.
    let axis = usize::from(first[0] == second[0]);
    let along = [columns, rows][axis] as i64;
    let to_end = if second[axis] > first[axis] { along - 1 - last[axis] } else { last[axis] };
    let missing = (columns as u64).checked_mul(rows as u64)?.checked_sub(points.count)?;
    (to_end > 0 && missing == to_end as u64).then(|| {
        let line = ["row", "column"][axis];
        format!(
            "its lattice of {columns} x {rows} points is incomplete: the last {line} ends after {} of {along}, so the file is cut",
            along - to_end
        )
    })
}

/// Points of a text, a line each.
struct Points {
    count: u64,
    /// Numbers of the first two, and of the last.
    first: [Vec<f64>; 2],
    last: Vec<f64>,
}

impl Points {
    /// `None` of a text of other lines: headers with names say which numbers are places, and quotes or commas in numbers are not
    /// understood here.
    fn of(mut text: impl BufRead) -> Option<Self> {
        let mut first: Vec<Vec<f64>> = Vec::new();
        let (mut count, mut line, mut last) = (0, Vec::new(), Vec::new());
        loop {
            line.clear();
            if (&mut text).take(LONGEST_LINE as u64).read_until(b'\n', &mut line).ok()? == 0 {
                break;
            }
            if line.len() == LONGEST_LINE {
                return None;
            }
            if !line.iter().any(u8::is_ascii_digit) {
                // A header before the points, and empty lines.
                if count > 0 && !line.trim_ascii().is_empty() {
                    return None;
                }
                continue;
            }
            count += 1;
            if first.len() < 2 {
                first.push(numbers(&line)?);
            }
            std::mem::swap(&mut line, &mut last);
        }
        Some(Self { count, first: first.try_into().ok()?, last: numbers(&last)? })
    }
}

/// At least two numbers of a line, or one that is cut.
fn numbers(line: &[u8]) -> Option<Vec<f64>> {
    let text = std::str::from_utf8(line).ok()?;
    let words = text.split([' ', '\t', ',', ';', '\r', '\n']).filter(|word| !word.is_empty());
    words.map(|word| word.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_of_lines() {
        let of = |text: &str| Points::of(text.as_bytes());
        let points = of("x y z\n1 2 3\n2 2 4\n\n3,2;5\n").expect("points");
        assert_eq!(
            (points.count, points.first, points.last),
            (3, [vec![1.0, 2.0, 3.0], vec![2.0, 2.0, 4.0]], vec![3.0, 2.0, 5.0])
        );
        assert!(of("1 2 3\n").is_none() && of("").is_none() && of("1 2 3\n2 2 4\nend\n").is_none());
        assert!(of("1 2 3\n2 2 4\n\"3\" 2 5\n").is_none());
        assert_eq!(of("1 2 3\n2 2 4\n3 2").expect("points").last, [3.0, 2.0]);
    }
}
