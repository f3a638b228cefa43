//! How do answers leave? As CSV with a header or as one JSON array, on stdout, as they come.

use std::io::{LineWriter, Stdout, Write as _};

use anyhow::Context as _;
use terrain::surface::Surface;

use super::super::{CliError, STDOUT, print_remark};
use super::data::DataArgs;

/// One value of an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FieldValue<'a> {
    /// Nothing to say.
    Nothing,
    /// A number as it is.
    Exact(f64),
    /// A number rounded to so many digits behind the point, at most 9.
    Rounded(f64, u32),
    /// A whole number.
    Whole(u64),
    /// A name.
    Text(&'a str),
    /// Yes or no.
    Truth(bool),
    /// A word, in JSON alone: in CSV it has no column.
    Aside(&'a str),
    /// Any number of texts, in JSON alone too.
    Texts(&'a [String]),
}

/// Values with their names, in the order of the columns.
pub type Fields<'a> = [(&'static str, FieldValue<'a>)];

/// How answers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A line an answer, values separated by commas (RFC 4180).
    Csv,
    /// Objects of one array.
    Json,
}

impl Format {
    /// Appends an answer; those of JSON are separated by commas, by whoever knows which is first.
    pub fn write(self, fields: &Fields<'_>, out: &mut String) {
        match self {
            Self::Csv => {
                let columns =
                    fields.iter().filter(|(_, cell)| !matches!(cell, FieldValue::Aside(_) | FieldValue::Texts(_)));
                for (k, (_, cell)) in columns.enumerate() {
                    if k > 0 {
                        out.push(',');
                    }
                    cell.write_csv(out);
                }
                out.push('\n');
            }
            Self::Json => {
                out.push_str("  {");
                for (k, (name, cell)) in fields.iter().enumerate() {
                    out.push_str(if k > 0 { ",\n    \"" } else { "\n    \"" });
                    out.push_str(name);
                    out.push_str("\": ");
                    cell.write_json(out);
                }
                out.push_str("\n  }");
            }
        }
    }

    /// What stands between two answers.
    pub fn separator(self) -> &'static str {
        match self {
            Self::Csv => "",
            Self::Json => ",\n",
        }
    }
}

impl FieldValue<'_> {
    fn write_csv(self, out: &mut String) {
        match self {
            Self::Text(text) if text.bytes().all(|c| c.is_ascii_alphanumeric() || b" ./-_".contains(&c)) => {
                out.push_str(text)
            }
            Self::Text(text) => {
                // A line end or an escape of a foreign name is neither the table's nor the terminal's.
                let text = foreign::escaped(text).to_string();
                if text.contains([',', '"']) {
                    out.push('"');
                    out.push_str(&text.replace('"', "\"\""));
                    out.push('"');
                } else {
                    out.push_str(&text);
                }
            }
            other => other.write_plain(out, ""),
        }
    }

    fn write_json(self, out: &mut String) {
        match self {
            Self::Text(text) | Self::Aside(text) => out.push_str(&serde_json::Value::from(text).to_string()),
            Self::Texts(texts) => out.push_str(&serde_json::Value::from(texts).to_string()),
            other => other.write_plain(out, "null"),
        }
    }

    /// What is the same in both.
    fn write_plain(self, out: &mut String, nothing: &str) {
        match self {
            Self::Exact(value) if value.is_finite() => push(out, format_args!("{value:?}")),
            Self::Rounded(value, digits) if value.is_finite() => push_rounded(value, digits, out),
            Self::Whole(value) => push(out, format_args!("{value}")),
            Self::Truth(value) => out.push_str(if value { "true" } else { "false" }),
            Self::Nothing | Self::Exact(_) | Self::Rounded(..) | Self::Texts(_) => out.push_str(nothing),
            Self::Text(text) | Self::Aside(text) => out.push_str(text),
        }
    }
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    use std::fmt::Write as _;
    out.write_fmt(text).expect("writing to a string cannot fail");
}

/// Appends a number with at most `digits` behind the point, and at least one.
///
/// By whole numbers, for a million answers a second; those too large for that have no digits to round.
fn push_rounded(value: f64, digits: u32, out: &mut String) {
    let one = 10u64.pow(digits);
    let scaled = (value.abs() * one as f64).round();
    if scaled >= 9e15 {
        return push(out, format_args!("{value:?}"));
    }
    let scaled = scaled as u64;
    if value < 0.0 && scaled > 0 {
        out.push('-');
    }
    push(out, format_args!("{}.", scaled / one));
    let (mut rest, mut unit) = (scaled % one, one / 10);
    loop {
        out.push(char::from(b'0' + rest.checked_div(unit).unwrap_or(0) as u8));
        rest = rest.checked_rem(unit).unwrap_or(0);
        unit /= 10;
        if rest == 0 {
            return;
        }
    }
}

/// What is said before why data cannot be read.
pub const LEFT_OUT: &str = "answers are left out from where data cannot be read: ";

/// Answers of a surface on stdout.
pub struct AnswerWriter<'a> {
    surface: &'a Surface,
    format: Format,
    out: LineWriter<Stdout>,
    header: &'static str,
    some: bool,
    has_withheld: bool,
}

impl<'a> AnswerWriter<'a> {
    /// No answers yet; `header` is the line above those in CSV.
    pub fn new(data: &DataArgs, surface: &'a Surface, header: &'static str) -> Self {
        let format = if data.json { Format::Json } else { Format::Csv };
        Self { surface, format, out: LineWriter::new(std::io::stdout()), header, some: false, has_withheld: false }
    }

    /// How they are written.
    pub fn format(&self) -> Format {
        self.format
    }

    /// One more.
    pub fn add(&mut self, fields: &Fields<'_>) -> anyhow::Result<()> {
        let mut text = String::new();
        self.format.write(fields, &mut text);
        self.add_written(&text)
    }

    /// Answers that have been written and separated by [`Format`]; none if the text is empty. Those given since data could not be read are
    /// left out: something else has answered.
    pub fn add_written(&mut self, text: &str) -> anyhow::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        if self.has_withheld || self.surface.relief().failure().is_some() {
            self.has_withheld = true;
            return Ok(());
        }
        let before = match (self.format, self.some) {
            (Format::Csv, false) => format!("{}\n", self.header),
            (Format::Json, false) => String::from("[\n"),
            (format, true) => format.separator().to_owned(),
        };
        self.some = true;
        self.out.write_all(before.as_bytes()).and_then(|()| self.out.write_all(text.as_bytes())).context(STDOUT)
    }

    /// Ends the answers, and tells what looked wrong about the data that were read for them; fails if a part of the data could not be read while they were given, or is not what it was.
    pub fn finish(mut self) -> Result<(), CliError> {
        super::super::stdout()?;
        let end = match (self.format, self.some) {
            (Format::Json, true) => String::from("\n]\n"),
            (Format::Json, false) => String::from("[]\n"),
            (Format::Csv, true) => String::new(),
            (Format::Csv, false) => format!("{}\n", self.header),
        };
        self.out.write_all(end.as_bytes()).context(STDOUT)?;
        self.out.flush().context(STDOUT)?;
        let relief = self.surface.relief();
        relief.read_remarks().iter().for_each(|remark| print_remark(remark));
        match relief.check() {
            Err(error) if self.has_withheld => Err(CliError::Failed(anyhow::anyhow!("{LEFT_OUT}{error}"))),
            checked => Ok(checked?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn csv(cell: FieldValue<'_>) -> String {
        let mut text = String::new();
        Format::Csv.write(&[("name", cell)], &mut text);
        text.trim_end().to_owned()
    }

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        assert_eq!(csv(FieldValue::Text("a,\"b\"")), "\"a,\"\"b\"\"\"");
        assert_eq!(csv(FieldValue::Text("a\u{1b}[2J\nb, Čerchov")), "\"a\\u{1b}[2J\\nb, Čerchov\"");
        let plain = [
            FieldValue::Nothing,
            FieldValue::Exact(2.5),
            FieldValue::Text("plain"),
            FieldValue::Truth(true),
            FieldValue::Whole(3),
        ];
        assert_eq!(plain.map(csv), ["", "2.5", "plain", "true", "3"]);
    }

    /// Law: a rounded number is the nearest with so many digits, written as briefly as a float is.
    #[test]
    fn numbers_are_rounded_as_floats_are() {
        for value in [0.0, 1.0, -1.5, 8848.8604, 0.0004, 0.05, 359.95, 123_456.789, -10_376.0, 1e-9, 99.9996, 7e14] {
            for digits in [1, 2, 3, 7] {
                let scale = 10f64.powi(digits);
                let expected = (value * scale).round() / scale;
                assert_eq!(
                    csv(FieldValue::Rounded(value, digits as u32)),
                    format!("{:?}", expected + 0.0),
                    "{value} {digits}"
                );
            }
        }
        assert_eq!([-0.0, -0.0004, 1e20, f64::NAN].map(|v| csv(FieldValue::Rounded(v, 3))), ["0.0", "0.0", "1e20", ""]);
    }

    #[test]
    fn json_is_json() {
        let mut text = String::from("[");
        let remarks = [String::from("d\"e")];
        let fields = [
            ("a", FieldValue::Text("x\"y")),
            ("b", FieldValue::Nothing),
            ("c", FieldValue::Rounded(2.0, 1)),
            ("d", FieldValue::Texts(&remarks)),
            ("e", FieldValue::Aside("horn")),
        ];
        Format::Json.write(&fields, &mut text);
        text.push(']');
        let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(value, serde_json::json!([{ "a": "x\"y", "b": null, "c": 2.0, "d": ["d\"e"], "e": "horn" }]));
        text.clear();
        Format::Csv.write(&fields, &mut text);
        assert_eq!(text, "\"x\"\"y\",,2.0\n", "asides have no column");
    }
}
