//! How do the rows look? Time over the number of triangles, a chart of building and one of rays for each scene.

use super::{
    report::{Report, TreeTimes},
    scene::Kind,
};
use benches::plot::{Axis, Chart, Colour, Line, Mark, Series, distinct, power_of_two};

const HUES: [Colour; 7] =
    [Colour::BLUE, Colour::GREEN, Colour::ORANGE, Colour::RED, Colour::BROWN, Colour::PURPLE, Colour::PINK];

/// The radix builder of cuBQL (CUDA 13) on an NVIDIA H200, boxes to finished tree: triangles and milliseconds.
const CUBQL_MS: [(u32, f64); 7] = [
    (25_000, 0.673),
    (144_000, 0.757),
    (243_000, 0.801),
    (871_000, 1.040),
    (1_600_000, 1.300),
    (4_194_304, 2.299),
    (16_777_216, 6.710),
];

/// Rays whose time is drawn.
const RAYS: f64 = (1 << 22) as f64;

/// `SCENE-build` and `SCENE-rays`.
pub fn charts(report: &Report) -> Vec<(String, Chart)> {
    let mut charts = Vec::new();
    for kind in distinct(report.rows.iter().map(|row| row.scene)) {
        let rows: Vec<&TreeTimes> = report.rows.iter().filter(|row| row.scene == kind).collect();
        let scene = kind.name();
        let what = if kind == Kind::Towns { scene.clone() } else { format!("a {scene}") };
        for (suffix, title, series) in [
            ("build", format!("Trees over {what} of triangles: median time of building"), build(&rows)),
            ("rays", format!("Rays through {what} of triangles: median time of 2²² closest hits"), rays(&rows)),
        ] {
            let subtitle = format!("{}; obvhs: a crate on the same CPU threads", report.machine);
            let across = Axis { title: "triangles", tick: power_of_two };
            charts.push((format!("{scene}-{suffix}"), Chart { title, subtitle, across, series }));
        }
    }
    charts
}

fn build(rows: &[&TreeTimes]) -> Vec<Series> {
    let mut series = each_form(rows, "", Line::Solid, |row| Some(row.build_ms * 1e-3));
    series.extend(each_form(rows, ", refit", Line::Dashed(&[5.0, 4.0]), |row| row.refit_ms.map(|ms| ms * 1e-3)));
    let on_device = || rows.iter().filter(|row| row.form == "device").map(|row| row.triangles);
    if let (Some(least), Some(most)) = (on_device().min(), on_device().max()) {
        let within = CUBQL_MS.iter().filter(|(n, _)| (least..=most).contains(n));
        let points = within.map(|(n, ms)| (f64::from(*n).log2(), ms * 1e-3)).collect();
        series.push(Series::new("cuBQL on H200".to_owned(), Colour::BLUE, Line::None, Mark::Ring, points));
    }
    series.retain(|series| !series.points.is_empty());
    series
}

fn rays(rows: &[&TreeTimes]) -> Vec<Series> {
    let mut series = each_form(rows, ", coherent", Line::Solid, |row| Some(RAYS / (row.coherent_mrays_per_s * 1e6)));
    series.extend(each_form(rows, ", incoherent", Line::Dashed(&[5.0, 4.0]), |row| {
        Some(RAYS / (row.incoherent_mrays_per_s * 1e6))
    }));
    series
}

fn each_form(
    rows: &[&TreeTimes],
    suffix: &str,
    line: Line,
    seconds: impl Fn(&TreeTimes) -> Option<f64>,
) -> Vec<Series> {
    let series = |(i, form): (usize, &str)| {
        let own = rows.iter().filter(|row| row.form == form);
        let points = own.filter_map(|row| Some((f64::from(row.triangles).log2(), seconds(row)?))).collect();
        // Hues that come a second time have another mark.
        let mark = if i < HUES.len() { Mark::Dot } else { Mark::Ring };
        Series::new(name(form) + suffix, HUES[i % HUES.len()], line, mark, points)
    };
    distinct(rows.iter().map(|row| &*row.form)).enumerate().map(series).collect()
}

/// `obvhs, 8 children, 16 threads` for `obvhs 8 16`.
fn name(form: &str) -> String {
    match form.split(' ').collect::<Vec<_>>()[..] {
        ["cpu", threads] => format!("CPU, {threads} threads"),
        ["cpu", "eight", threads] => format!("CPU, 8 children, {threads} threads"),
        ["cpu", "wide", threads] => format!("CPU, 63 bits, {threads} threads"),
        ["cpu", "wide", "eight", threads] => format!("CPU, 63 bits, 8 children, {threads} threads"),
        ["device", "four"] => "device, 4 children".to_owned(),
        ["device", "wide"] => "device, 63 bits".to_owned(),
        ["device", "wide", "four"] => "device, 63 bits, 4 children".to_owned(),
        [peer, children, threads] => format!("{peer}, {children} children, {threads} threads"),
        _ => form.to_owned(),
    }
    .replace(" 1 threads", " 1 thread")
}
