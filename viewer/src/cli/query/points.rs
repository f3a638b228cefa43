//! How are a million places or rays read and answered? In blocks as they arrive, cut at the ends of lines, on all threads, in their
//! order.

use std::io::{IsTerminal as _, Read};

use anyhow::Context as _;
use foreign::points::{PlaceColumns, is_header, read_line, read_ray};
use rayon::prelude::*;
use terrain::geodesy::Ellipsoid;

use super::{
    super::{
        progress::TaskProgress,
        values::{GeoPosition, ViewDirection},
    },
    answer_writer::{AnswerWriter, Format},
};
use crate::camera::place::{Place, PlaceError};

/// Bytes that are taken from the reader at most at a time, and of a line at most. A pipe gives less, so whoever asks one by one is
/// answered so.
const BLOCK: usize = 4 << 20;
/// Bytes of a block that one thread takes at a time.
const CHUNK: usize = 32 << 10;
/// Wrong lines that are told one by one.
const MOST_REPORTED: usize = 10;

/// Answers and errors of the lines of a chunk.
#[derive(Default)]
struct ChunkResult {
    /// Answers, written.
    text: String,
    answered: usize,
    lines: usize,
    /// Number within the piece, from 0, and what is wrong.
    bad: Vec<(usize, String)>,
    /// What is wrong with the header: all other lines may be, too.
    bad_header: Option<String>,
}

/// Numbers of answered and of wrong lines.
#[derive(Debug, Default, PartialEq)]
struct LineCounts {
    lines: usize,
    answered: usize,
    bad: usize,
}

/// How lines of a reader are parsed, and what they are called in messages.
pub struct LineParser<T> {
    /// What they are, and the work on them.
    pub names: [&'static str; 2],
    /// How one is written.
    pub form: &'static str,
    /// Reads a line, which may be the first; none where it is empty, a comment or a header.
    pub read: fn(&[u8], bool) -> Result<Option<T>, String>,
    /// Reads the lines below a first one that is a header of a table; none where it is no such header.
    pub table: fn(&[u8]) -> FoundTable<T>,
}

/// How the lines of a table are read, if it is one of places, or what is wrong with its header.
pub type FoundTable<T> = Result<Option<TableReader<T>>, String>;

/// How a line of a table is read.
pub type TableReader<T> = Box<dyn Fn(&[u8]) -> Result<Option<T>, String> + Sync>;

impl LineParser<Place> {
    /// Places on the ground of a body.
    pub fn places(ellipsoid: Ellipsoid) -> Self {
        let (names, form) = (["places", "answering places"], "LAT,LON");
        if ellipsoid != Ellipsoid::WGS84 {
            let read = |line: &[u8], is_first| read_line(line, is_first).and_then(of_any_body);
            let table = |header: &[u8]| {
                let columns = PlaceColumns::of_header(header)?;
                Ok(columns.map(|of| Box::new(move |line: &[u8]| of.read(line).and_then(of_any_body)) as TableReader<_>))
            };
            return LineParser { names, form, read, table };
        }
        let table = |header: &[u8]| {
            let columns = PlaceColumns::of_header(header)?;
            Ok(columns.map(|of| Box::new(move |line: &[u8]| of.read(line)) as TableReader<_>))
        };
        LineParser { names, form, read: read_line, table }
    }
}

impl LineParser<(GeoPosition, ViewDirection)> {
    /// Rays.
    pub const RAYS: Self = LineParser {
        names: ["rays", "following rays"],
        form: "LAT,LON,ALT,HEADING,PITCH",
        read: read_ray,
        table: |_| Ok(None),
    };
}

/// A place of any body, if it is one.
fn of_any_body(place: Option<Place>) -> Result<Option<Place>, String> {
    match place {
        Some(place) if place.of_earth => Err(PlaceError::OfEarth.to_string()),
        place => Ok(place),
    }
}

/// Answers every line of standard input by `answer`, which appends one.
///
/// Empty lines, comments (`#`) and a header are passed over; a header tells in which columns places stand. Lines that are not what is asked
/// for are told on stderr by their number, the others answered.
///
/// # Errors
/// What reading and writing say; at the end, that there were such lines.
pub fn answer_stdin<T>(
    lines: &LineParser<T>,
    answers: &mut AnswerWriter,
    answer: impl Fn(T, &mut String) + Sync,
) -> anyhow::Result<()> {
    if std::io::stdin().is_terminal() {
        super::super::print_error_line(&format!("reading {} lines; end with Ctrl-D", lines.form));
    }
    let format = answers.format();
    let [all, work] = lines.names;
    let mut working = None;
    let done = |count: usize| {
        // A terminal where answers are written has no room for more.
        if !std::io::stdout().is_terminal() {
            working.get_or_insert_with(|| TaskProgress::begin(work, 0)).done(count as u64);
        }
    };
    let write = |text: &str| answers.add_written(text);
    let tally =
        read_all(std::io::stdin().lock(), lines, format, answer, (write, super::super::print_error_line, done))?;
    if tally.bad > 0 {
        let LineCounts { bad, answered, .. } = tally;
        anyhow::bail!("{bad} of {} lines of standard input are no {all}", bad + answered);
    }
    Ok(())
}

fn read_all<T>(
    mut input: impl Read,
    lines: &LineParser<T>,
    format: Format,
    answer: impl Fn(T, &mut String) + Sync,
    (mut write, mut tell, mut done): (impl FnMut(&str) -> anyhow::Result<()>, impl FnMut(&str), impl FnMut(usize)),
) -> anyhow::Result<LineCounts> {
    let mut tally = LineCounts::default();
    let mut block = vec![0; BLOCK];
    let mut held = 0;
    let mut table = None;
    loop {
        if held == block.len() {
            anyhow::bail!(
                "line {} of standard input has more than {BLOCK} bytes: expected {}",
                tally.lines + 1,
                lines.form
            );
        }
        let read = match input.read(&mut block[held..]) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            read => read.with_context(|| format!("line {} of standard input cannot be read", tally.lines + 1))?,
        };
        let end = held + read;
        // Up to the end of a line; at the end of all, whatever there is.
        let ready = match block[held..end].iter().rposition(|byte| *byte == b'\n') {
            _ if read == 0 => end,
            Some(newline) => held + newline + 1,
            None => 0,
        };
        let first = tally.lines == 0;
        if first && let Some(line) = block[..ready].split(|byte| *byte == b'\n').next() {
            table = (lines.table)(line).map_err(|wrong| anyhow::anyhow!("line 1 of standard input: {wrong}"))?;
        }
        let pieces: Vec<ChunkResult> = cut(&block[..ready])
            .into_par_iter()
            .enumerate()
            .map(|(k, bytes)| answer_chunk(bytes, first && k == 0, (lines, table.as_ref(), format), &answer))
            .collect();
        for chunk in pieces {
            if let Some(wrong) = chunk.bad_header {
                anyhow::bail!("line {} of standard input: {wrong}", tally.lines + 1);
            }
            for (line, wrong) in chunk.bad {
                tally.bad += 1;
                match tally.bad {
                    ..=MOST_REPORTED => tell(&format!("line {} of standard input: {wrong}", tally.lines + line + 1)),
                    told if told == MOST_REPORTED + 1 => tell("more lines of standard input are wrong"),
                    _ => {}
                }
            }
            write(&chunk.text)?;
            tally.lines += chunk.lines;
            tally.answered += chunk.answered;
        }
        done(tally.answered);
        if read == 0 {
            return Ok(tally);
        }
        block.copy_within(ready..end, 0);
        held = end - ready;
    }
}

/// Cuts a block at ends of lines.
fn cut(mut block: &[u8]) -> Vec<&[u8]> {
    let mut pieces = Vec::with_capacity(block.len() / CHUNK + 1);
    while !block.is_empty() {
        let most = CHUNK.min(block.len());
        let newline = block[most - 1..].iter().position(|byte| *byte == b'\n');
        let (chunk, rest) = block.split_at(newline.map_or(block.len(), |newline| most + newline));
        pieces.push(chunk);
        block = rest;
    }
    pieces
}

fn answer_chunk<T>(
    bytes: &[u8],
    first: bool,
    (lines, table, format): (&LineParser<T>, Option<&TableReader<T>>, Format),
    answer: &impl Fn(T, &mut String),
) -> ChunkResult {
    let mut chunk = ChunkResult { text: String::with_capacity(4 * bytes.len()), ..ChunkResult::default() };
    let body = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    for line in body.split(|byte| *byte == b'\n') {
        let number = chunk.lines;
        chunk.lines += 1;
        let is_first = first && number == 0;
        let read = match table {
            Some(_) if is_first => Ok(None),
            Some(table) => table(line),
            None => (lines.read)(line, is_first),
        };
        match read {
            Ok(Some(asked)) => {
                if chunk.answered > 0 {
                    chunk.text.push_str(format.separator());
                }
                chunk.answered += 1;
                answer(asked, &mut chunk.text);
            }
            Ok(None) => {}
            Err(wrong) if is_first && is_header(line) => chunk.bad_header = Some(wrong),
            Err(wrong) => chunk.bad.push((number, wrong)),
        }
    }
    chunk
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that gives a few bytes at a time.
    struct SlowReader<'a>(&'a [u8], usize);

    impl Read for SlowReader<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let count = self.1.min(self.0.len()).min(buffer.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    fn answered(text: &[u8], at_a_time: usize) -> (LineCounts, String, Vec<String>) {
        let (tally, written, told) = answered_or_not(SlowReader(text, at_a_time));
        (tally.unwrap(), written, told)
    }

    fn answered_or_not(points: impl Read) -> (anyhow::Result<LineCounts>, String, Vec<String>) {
        let (mut written, mut told) = (String::new(), Vec::new());
        let answer = |at: Place, out: &mut String| out.push_str(&format!("{} {}\n", at.lat_deg, at.lon_deg));
        let write = |text: &str| {
            written.push_str(text);
            Ok(())
        };
        let tally = read_all(
            points,
            &LineParser::places(Ellipsoid::WGS84),
            Format::Csv,
            answer,
            (write, |line: &str| told.push(line.to_owned()), |_| {}),
        );
        (tally, written, told)
    }

    /// Law: however the bytes arrive, places are answered in their order and bad lines told with their number.
    #[test]
    fn order_and_numbers_do_not_depend_on_blocks() {
        let (mut text, mut expected, mut bad) = (String::from("lat,lon\r\n"), String::new(), Vec::new());
        for k in 0..20_000 {
            match k % 4_001 {
                17 => {
                    bad.push(format!("line {} of standard input", k + 2));
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

    /// Law: a line has an end, or is refused with its number after what came before it; a bad line is told in few words.
    #[test]
    fn lines_without_end() {
        let (tally, written, _) = answered_or_not(b"1,2\n3,4\n".as_slice().chain(std::io::repeat(b'7')));
        let error = tally.unwrap_err().to_string();
        assert!(
            written == "1 2\n3 4\n" && error.starts_with("line 3 of standard input has more than 4194304"),
            "{error}"
        );
        let long = [b"\x1b]0;x\x07".repeat(100_000), b"\n1,2\n".to_vec()].concat();
        let (tally, _, told) = answered(&long, usize::MAX);
        assert_eq!((tally.answered, tally.bad, told.len()), (1, 1, 1));
        assert!(told[0].len() < 300 && !told[0].contains(char::is_control), "{told:?}");
    }

    #[test]
    fn headers_bytes_and_nothing() {
        assert_eq!(answered(b"", 9).0, LineCounts::default());
        for header in [
            "lon,lat\n2,1\n",
            "id,lat,lon\na,1,2\n",
            "lat,name,lon\n1,\"a,b\",2\n",
            "lat_deg,lon_deg,height_m\n1,2,9.5\n",
        ] {
            for at_a_time in [1, 9, 1000] {
                let (tally, written, told) = answered(header.as_bytes(), at_a_time);
                assert!((tally.answered, tally.bad) == (1, 0) && written == "1 2\n", "{header}: {told:?}");
            }
        }
        let headers = ["x,y", "nan,nan", "Matterhorn", "L\u{e4}nge,Breite"];
        for header in headers {
            let (tally, written, _) = answered_or_not(format!("{header}\n1,2\n").as_bytes());
            let error = tally.unwrap_err().to_string();
            assert!(written.is_empty() && error.contains("lat,lon"), "{header}: {error}, {written}");
        }
        for header in [
            "lat,lon",
            "\u{feff}Latitude; Longitude; name",
            "Latitude (deg),Longitude (deg)",
            "gps_lat gps_lon",
            "\"lat\",\"lng\"",
            "\u{feff}1,2",
            "# x,y",
        ] {
            let (tally, written, told) = answered(format!("{header}\n1,2\n").as_bytes(), 9);
            assert!(tally.bad == 0 && told.is_empty() && written.ends_with("1 2\n"), "{header}: {told:?}");
        }
        let (tally, written, told) = answered(b"lat,lon\n1,2\n\xff\xfe\n91,0\n", 9);
        assert_eq!((tally.answered, tally.bad, written.as_str()), (1, 2, "1 2\n"));
        assert!(told[0].starts_with("line 3") && told[1].contains("latitude 91"), "{told:?}");
        // A file that is something else is not told line by line.
        assert_eq!(answered(&b"x1\n".repeat(500), 64).2.len(), MOST_REPORTED + 1);
    }
}
