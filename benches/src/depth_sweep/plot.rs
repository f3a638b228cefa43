//! How do the measurements look? One chart for each operation and fill, as SVG and as PNG.

use std::path::{Path, PathBuf};

use anyhow::Result;
use benches::plot::{Axis, Chart, Colour, Line, Mark, Series};

use super::report::Report;
use super::row::{Code, Device, Operation, Row};

/// Draws `OPERATION-FILL.svg` and `.png` of every operation and fill that was measured; returns the files.
pub fn draw_all(report: &Report, folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let rows: Vec<Row> = report.rows.iter().cloned().chain(super::published::rows()).collect();
    for operation in Operation::ALL {
        let mut fills: Vec<u32> =
            report.rows.iter().filter(|row| row.operation == operation).map(|row| row.fill_percent).collect();
        fills.sort_unstable();
        fills.dedup();
        for fill in fills {
            let chosen: Vec<&Row> =
                rows.iter().filter(|row| (row.operation, row.fill_percent) == (operation, fill)).collect();
            let leaves = if fill == 100 { "perfect tree".into() } else { format!("{fill} % of all leaves") };
            let gpu = report.machine.gpu.as_ref().map_or_else(String::new, |gpu| format!("; {gpu}"));
            let chart = Chart {
                title: format!("{}, {leaves}", operation.title()),
                subtitle: format!("{}, {} threads{gpu}", report.machine.cpu, report.machine.threads),
                across: Axis { title: "maximum depth of the tree", tick: |depth| depth.to_string() },
                series: series(&chosen),
            };
            files.extend(chart.save(&folder.join(format!("{}-{fill}", operation.name())))?);
        }
    }
    Ok(files)
}

/// The rows as lines: one for each code and device.
fn series(rows: &[&Row]) -> Vec<Series> {
    let mut lines: Vec<Series> = Vec::new();
    for row in rows {
        let label = format!("{}, {}", row.code.name(), row.device.name());
        let point = (f64::from(row.depth), row.median_s);
        match lines.iter_mut().find(|line| line.label == label) {
            Some(line) => line.points.push(point),
            None => lines.push(Series {
                label,
                colour: colour(row.code),
                line: line(&row.device),
                mark: if marked(row) { Mark::Dot } else { Mark::None },
                points: vec![point],
            }),
        }
    }
    for line in &mut lines {
        line.points.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    lines
}

/// The hue says whose code it is.
fn colour(code: Code) -> Colour {
    match code {
        Code::Reference => Colour::GREY,
        Code::Classic => Colour::BLUE,
        Code::Compact => Colour::GREEN,
        Code::Paper => Colour::ORANGE,
        Code::Libcbt => Colour::PURPLE,
    }
}

/// The dashes say how many threads.
fn line(device: &Device) -> Line {
    match device {
        Device::Cpu { threads: 1 } | Device::Gpu { .. } => Line::Solid,
        Device::Cpu { threads: 2 } => Line::Dashed(&[9.0, 4.0]),
        Device::Cpu { threads: 3..=4 } => Line::Dashed(&[5.0, 4.0]),
        Device::Cpu { .. } => Line::Dashed(&[2.0, 3.0]),
    }
}

/// Values of a GPU, and published ones, are dots.
fn marked(row: &Row) -> bool {
    matches!(row.device, Device::Gpu { .. }) || matches!(row.code, Code::Paper | Code::Libcbt)
}
