//! How do the measurements look? One chart for each operation and fill, as SVG and as PNG.

use std::path::{Path, PathBuf};

use anyhow::Result;
use benches::plot::{Axis, Chart, Colour, Line, Mark, Series, distinct};

use super::row::{Code, Device, Operation, OperationTime, Report};

/// Draws `OPERATION-FILL.svg` and `.png` of every operation and fill that was measured; returns the files.
pub fn draw_all(report: &Report, folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let rows: Vec<OperationTime> = report.rows.iter().cloned().chain(super::published::rows()).collect();
    for operation in Operation::ALL {
        let measured = report.rows.iter().filter(|row| row.operation == operation);
        for fill in distinct(measured.map(|row| row.fill_percent)) {
            let chosen: Vec<&OperationTime> =
                rows.iter().filter(|row| (row.operation, row.fill_percent) == (operation, fill)).collect();
            let leaves = if fill == 100 { "perfect tree".into() } else { format!("{fill} % of all leaves") };
            let passes = report.parameters.as_ref();
            let gpu = passes.map_or_else(String::new, |gpu| format!("; {}, {}", gpu.backend, gpu.variant));
            let chart = Chart {
                title: format!("{}, {leaves}", operation.title()),
                subtitle: format!("{}{gpu}", report.machine),
                across: Axis { title: "maximum depth of the tree", tick: |depth| depth.to_string() },
                series: series(&chosen),
            };
            files.extend(chart.save(&folder.join(format!("{}-{fill}", operation.name())))?);
        }
    }
    Ok(files)
}

/// The rows as lines: one for each code and device.
fn series(rows: &[&OperationTime]) -> Vec<Series> {
    let label = |row: &OperationTime| format!("{}, {}", row.code.name(), row.device.name());
    let line = |name: String| {
        let own = || rows.iter().filter(|row| label(row) == name);
        let first = own().next()?;
        let mark = if marked(first) { Mark::Dot } else { Mark::None };
        let points = own().map(|row| (f64::from(row.depth), row.median_s)).collect();
        Some(Series::new(name.clone(), colour(first.code), line(&first.device), mark, points))
    };
    distinct(rows.iter().map(|row| label(row))).filter_map(line).collect()
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
fn marked(row: &OperationTime) -> bool {
    row.is_on_gpu() || matches!(row.code, Code::Paper | Code::Libcbt)
}
