//! How do the tasks look? The time of each form over the tasks, the published times as rings.

use super::{published::FROLOV, report::Report};
use benches::plot::{Axis, Chart, Colour, Line, Mark, Series, distinct};

/// Tasks across, in the order of measuring.
const TASKS: [&str; 7] = ["int sum", "float sum", "harmonics", "n-body", "convolution", "matrix product", "MD5 search"];

/// All of them.
pub fn chart(report: &Report) -> Chart {
    let place = |task: &str| TASKS.iter().position(|other| *other == task).map(|at| at as f64);
    let hues = [Colour::BROWN, Colour::ORANGE, Colour::BLUE, Colour::GREEN, Colour::RED];
    let mut series = Vec::new();
    for (i, form) in distinct(report.rows.iter().map(|row| row.form.as_str())).enumerate() {
        let rows = report.rows.iter().filter(|row| row.form == form);
        let points = rows.filter_map(|row| Some((place(&row.task)?, row.median_ms * 1e-3))).collect();
        series.push(Series::new(form.to_owned(), hues[i % hues.len()], Line::None, Mark::Dot, points));
    }
    for (column, label, hue) in
        [(0, "1 core, 2021", hues[0]), (1, "14 cores, 2021", hues[1]), (2, "RTX 2080, 2021", hues[2])]
    {
        let points = FROLOV.iter().filter_map(|row| Some((place(row.task)?, row.times_ms[column]? * 1e-3))).collect();
        series.push(Series::new(label.to_owned(), hue, Line::None, Mark::Ring, points));
    }
    Chart {
        title: "The papers' tasks, written once: median time".to_owned(),
        subtitle: format!("{}; rings: Frolov et al. 2021", report.machine),
        across: Axis {
            title: "task",
            tick: |at| {
                usize::try_from(at).ok().and_then(|at| TASKS.get(at)).map_or(String::new(), |task| (*task).to_owned())
            },
        },
        series,
    }
}
