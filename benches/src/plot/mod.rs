//! How do measurements look? Charts of time on a logarithmic scale, as SVG and as PNG.

mod canvas;
mod chart;
mod png;
mod svg;

pub use canvas::Colour;
pub use chart::{Axis, Chart, Line, Mark, Series};

use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

impl Chart {
    /// Draws the chart into `STEM.svg` and `STEM.png`; returns the two files. What follows a dot in the stem is replaced.
    ///
    /// # Errors
    ///
    /// A file cannot be written.
    ///
    /// ```
    /// use benches::plot::{Axis, Chart, Colour, Line, Mark, Series};
    ///
    /// let copy = Series {
    ///     label: "copy".to_owned(),
    ///     colour: Colour(0x1f, 0x6f, 0xb4),
    ///     line: Line::Solid,
    ///     mark: Mark::Dot,
    ///     points: vec![(10.0, 6e-6), (20.0, 8e-6), (28.0, 514e-6)],
    /// };
    /// let chart = Chart {
    ///     title: "Copying words".to_owned(),
    ///     subtitle: "NVIDIA H200".to_owned(),
    ///     across: Axis { title: "words", tick: |power| format!("2^{power}") },
    ///     series: vec![copy],
    /// };
    /// let [svg, _png] = chart.save(&std::env::temp_dir().join("orogen-copy"))?;
    /// assert!(std::fs::read_to_string(svg)?.contains("2^20"));
    /// # Ok::<(), anyhow::Error>(())
    /// ```
    pub fn save(&self, stem: &Path) -> Result<[PathBuf; 2]> {
        let files = [stem.with_extension("svg"), stem.with_extension("png")];
        let mut canvas = svg::Svg::new(chart::WIDTH, chart::HEIGHT);
        self.draw(&mut canvas);
        let document = canvas.finish().into_bytes();
        let mut canvas = png::Png::new(chart::WIDTH, chart::HEIGHT)?;
        self.draw(&mut canvas);
        for (file, bytes) in files.iter().zip([document, canvas.finish()?]) {
            std::fs::write(file, bytes).with_context(|| format!("cannot write {}", file.display()))?;
        }
        Ok(files)
    }
}

/// `2¹⁰` for 10: the tick of an axis of sizes.
///
/// ```
/// assert_eq!(benches::plot::power_of_two(24), "2²⁴");
/// ```
pub fn power_of_two(exponent: i32) -> String {
    let raised = |digit: char| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit.to_digit(10)? as usize);
    "2".chars().chain(exponent.to_string().chars().filter_map(raised)).collect()
}

/// Each value once, in the order of first sight.
///
/// ```
/// assert!(benches::plot::distinct([3, 1, 3, 2].into_iter()).eq([3, 1, 2]));
/// ```
pub fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
    let mut seen = Vec::new();
    for value in values {
        if !seen.contains(&value) {
            seen.push(value);
        }
    }
    seen.into_iter()
}
