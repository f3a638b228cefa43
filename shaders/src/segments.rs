//! Which file and line does a line of the joined text come from?

use std::fmt;

/// A run of lines of the joined text that is one module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Module name as imported.
    pub module: String,
    /// File that errors show.
    pub file: String,
    /// 1-based first line in the joined text.
    pub first_line: u32,
    /// Number of lines.
    pub lines: u32,
    /// Whether all its loops are known to end, by the word of its [`Library`](crate::Library); of a text bound by the caller they are not.
    pub loops_end: bool,
}

/// A place in a module's own file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLocation {
    /// The file, as the module was embedded or bound.
    pub file: String,
    /// 1-based line in that file.
    pub line: u32,
    /// 1-based column, in bytes.
    pub column: u32,
    /// The line itself.
    pub text: String,
}

impl fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

impl SourceLocation {
    /// The line with a caret under the column, for the end of an error message.
    pub(crate) fn excerpt(&self) -> String {
        let column = (self.column.max(1) as usize - 1).min(self.text.len());
        // Tabs are kept so that the caret stays under its column.
        let indent: String = self.text.bytes().take(column).map(|b| if b == b'\t' { '\t' } else { ' ' }).collect();
        format!("  | {}\n  | {indent}^", self.text)
    }
}

/// The place of line `line`, column `column` (both 1-based) of the joined text `source`.
pub(crate) fn locate(segments: &[Segment], source: &str, line: u32, column: u32) -> Option<SourceLocation> {
    let segment = segments.iter().find(|s| (s.first_line..s.first_line + s.lines).contains(&line))?;
    let text = source.lines().nth(line as usize - 1).unwrap_or_default();
    Some(SourceLocation {
        file: segment.file.clone(),
        line: line - segment.first_line + 1,
        column,
        text: text.to_owned(),
    })
}
