//! How are a million places read and answered? In blocks as they arrive, cut at the ends of lines, on all threads, in their
//! order.

use std::io::Read;

use anyhow::Context as _;
use rayon::prelude::*;

use super::answers::{Answers, Format};
use crate::camera::place::{self, Place};

/// Bytes that are taken from the reader at most at a time. A pipe gives less, so whoever asks one by one is answered so.
const BLOCK: usize = 4 << 20;
/// Bytes of a block that one thread takes at a time.
const PIECE: usize = 32 << 10;
/// Lines without a place that are told one by one.
const TOLD: usize = 10;

/// What became of the lines of a piece.
#[derive(Default)]
struct Piece {
    /// Answers, written.
    text: String,
    places: usize,
    lines: usize,
    /// Number within the piece, from 0, and what is wrong.
    bad: Vec<(usize, String)>,
}

/// What became of all lines.
#[derive(Debug, Default, PartialEq)]
struct Tally {
    lines: usize,
    places: usize,
    bad: usize,
}

/// Answers every `LAT,LON` line of a reader by `answer`, which appends one.
///
/// Empty lines, comments (`#`) and a header are passed over. Lines that are no place are told on stderr by their number,
/// the others answered.
///
/// # Errors
/// What reading and writing say; at the end, that there were lines without a place.
pub fn answer_all(
    points: impl Read,
    answers: &mut Answers,
    answer: impl Fn(Place, &mut String) + Sync,
) -> anyhow::Result<()> {
    let format = answers.format();
    let tally = read_all(points, format, answer, |text| answers.add_written(text), super::super::say)?;
    if tally.bad > 0 {
        let Tally { bad, places, .. } = tally;
        anyhow::bail!("{bad} of {} lines of the points are not places", bad + places);
    }
    Ok(())
}

fn read_all(
    mut points: impl Read,
    format: Format,
    answer: impl Fn(Place, &mut String) + Sync,
    mut write: impl FnMut(&str) -> anyhow::Result<()>,
    mut tell: impl FnMut(&str),
) -> anyhow::Result<Tally> {
    let mut tally = Tally::default();
    let mut block = vec![0; BLOCK];
    let mut held = 0;
    loop {
        if held == block.len() {
            // A line that is longer than the block.
            block.resize(2 * held, 0);
        }
        let read = match points.read(&mut block[held..]) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            read => read.with_context(|| format!("line {} of the points cannot be read", tally.lines + 1))?,
        };
        let end = held + read;
        // Up to the end of a line; at the end of all, whatever there is.
        let ready = match block[held..end].iter().rposition(|byte| *byte == b'\n') {
            _ if read == 0 => end,
            Some(newline) => held + newline + 1,
            None => 0,
        };
        let first = tally.lines == 0;
        let pieces: Vec<Piece> = cut(&block[..ready])
            .into_par_iter()
            .enumerate()
            .map(|(k, bytes)| work(bytes, first && k == 0, format, &answer))
            .collect();
        for piece in pieces {
            for (line, wrong) in piece.bad {
                tally.bad += 1;
                match tally.bad {
                    ..=TOLD => tell(&format!("line {} of the points: {wrong}", tally.lines + line + 1)),
                    told if told == TOLD + 1 => tell("more lines of the points are wrong"),
                    _ => {}
                }
            }
            write(&piece.text)?;
            tally.lines += piece.lines;
            tally.places += piece.places;
        }
        if read == 0 {
            return Ok(tally);
        }
        block.copy_within(ready..end, 0);
        held = end - ready;
    }
}

/// Cuts a block at ends of lines.
fn cut(mut block: &[u8]) -> Vec<&[u8]> {
    let mut pieces = Vec::with_capacity(block.len() / PIECE + 1);
    while !block.is_empty() {
        let most = PIECE.min(block.len());
        let newline = block[most - 1..].iter().position(|byte| *byte == b'\n');
        let (piece, rest) = block.split_at(newline.map_or(block.len(), |newline| most + newline));
        pieces.push(piece);
        block = rest;
    }
    pieces
}

fn work(bytes: &[u8], first: bool, format: Format, answer: &impl Fn(Place, &mut String)) -> Piece {
    let mut piece = Piece { text: String::with_capacity(4 * bytes.len()), ..Piece::default() };
    let body = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    for line in body.split(|byte| *byte == b'\n') {
        let number = piece.lines;
        piece.lines += 1;
        let text = line.trim_ascii();
        if text.is_empty() || text.starts_with(b"#") {
            continue;
        }
        match read_place(text) {
            Ok(at) => {
                if piece.places > 0 {
                    piece.text.push_str(format.separator());
                }
                piece.places += 1;
                answer(at, &mut piece.text);
            }
            // A header is what people's files have.
            Err(wrong) => match (first && number == 0).then(|| header(text)).flatten() {
                Some(Ok(())) => {}
                Some(Err(swapped)) => piece.bad.push((number, swapped)),
                None => piece.bad.push((number, wrong)),
            },
        }
    }
    piece
}

/// Whether a line is a header, and one that names latitude before longitude.
fn header(text: &[u8]) -> Option<Result<(), String>> {
    if text.iter().any(u8::is_ascii_digit) {
        return None;
    }
    let words = String::from_utf8_lossy(text).to_ascii_lowercase();
    let (lat, lon) = (words.find("lat"), words.find("lon").or_else(|| words.find("lng")));
    let swapped = lat.zip(lon).is_some_and(|(lat, lon)| lon < lat);
    Some(if swapped { Err(String::from("the header names longitude first; expected LAT,LON")) } else { Ok(()) })
}

fn read_place(text: &[u8]) -> Result<Place, String> {
    let text = std::str::from_utf8(text).map_err(|_| String::from("not text"))?;
    // What nearly all lines are; `parse` understands it too, and whatever else people write.
    let plain = || -> Option<Place> {
        let (lat, lon) = text.split_once(',')?;
        let (lat_deg, lon_deg) = (lat.trim_ascii().parse().ok()?, lon.trim_ascii().parse().ok()?);
        let near = (-90.0..=90.0).contains(&lat_deg) && (-180.0..180.0).contains(&lon_deg);
        near.then_some(Place { lat_deg, lon_deg, height_m: None })
    };
    plain().map_or_else(|| place::parse(text).map_err(|error| error.to_string()), Ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that gives a few bytes at a time.
    struct Dripping<'a>(&'a [u8], usize);

    impl Read for Dripping<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let count = self.1.min(self.0.len()).min(buffer.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    fn answered(text: &[u8], at_a_time: usize) -> (Tally, String, Vec<String>) {
        let (mut written, mut told) = (String::new(), Vec::new());
        let answer = |at: Place, out: &mut String| out.push_str(&format!("{} {}\n", at.lat_deg, at.lon_deg));
        let write = |text: &str| {
            written.push_str(text);
            Ok(())
        };
        let tally =
            read_all(Dripping(text, at_a_time), Format::Csv, answer, write, |line| told.push(line.to_owned())).unwrap();
        (tally, written, told)
    }

    /// Law: however the bytes arrive, places are answered in their order and bad lines told with their number.
    #[test]
    fn order_and_numbers_do_not_depend_on_blocks() {
        let (mut text, mut expected, mut bad) = (String::from("lat,lon\r\n"), String::new(), Vec::new());
        for k in 0..20_000 {
            match k % 4_001 {
                17 => {
                    bad.push(format!("line {} of the points", k + 2));
                    text.push_str("here, there\n");
                }
                18 => text.push_str("# nothing\r\n"),
                19 => text.push('\n'),
                _ => {
                    let (lat, lon) = (f64::from(k % 90), f64::from(k % 170) + 0.5);
                    text.push_str(&format!("{lat}, {lon}\n"));
                    expected.push_str(&format!("{lat} {lon}\n"));
                }
            }
        }
        text.push_str("10 S 20.5 W");
        expected.push_str("-10 -20.5\n");
        for at_a_time in [7, 1_000, usize::MAX] {
            let (tally, written, told) = answered(text.as_bytes(), at_a_time);
            assert_eq!(written, expected);
            assert_eq!((tally.lines, tally.bad), (20_002, bad.len()));
            assert!(
                told.len() == bad.len() && told.iter().zip(&bad).all(|(told, bad)| told.starts_with(bad)),
                "{told:?}"
            );
        }
    }

    #[test]
    fn headers_bytes_and_nothing() {
        assert_eq!(answered(b"", 9).0, Tally::default());
        let (tally, _, told) = answered(b"lon,lat\n1,2\n", 9);
        assert!(tally.bad == 1 && told[0].contains("longitude first"), "{told:?}");
        let (tally, written, told) = answered(b"lat,lon\n1,2\n\xff\xfe\n91,0\n", 9);
        assert_eq!((tally.places, tally.bad, written.as_str()), (1, 2, "1 2\n"));
        assert!(told[0].starts_with("line 3") && told[1].contains("latitude 91"), "{told:?}");
        // A file that is something else is not told line by line.
        assert_eq!(answered(&b"x\n".repeat(500), 64).2.len(), TOLD + 1);
    }
}
