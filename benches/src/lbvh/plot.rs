//! How do the rows look? Time over the number of triangles, a chart of building and one of rays for each scene.

use super::{
    report::{Report, Row},
    scene::Kind,
};
use benches::plot::{Axis, Chart, Colour, Line, Mark, Series, power_of_two};
use std::path::{Path, PathBuf};

const BLUE: Colour = Colour(0x1f, 0x6f, 0xb4);
const GREEN: Colour = Colour(0x16, 0x93, 0x4a);
const ORANGE: Colour = Colour(0xd9, 0x73, 0x0d);
const PURPLE: Colour = Colour(0x8e, 0x44, 0xad);
const RED: Colour = Colour(0xc0, 0x39, 0x2b);
const BROWN: Colour = Colour(0x7a, 0x55, 0x30);
const PINK: Colour = Colour(0xd4, 0x4a, 0x8c);
const HUES: [Colour; 7] = [BLUE, GREEN, ORANGE, RED, BROWN, PURPLE, PINK];

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

/// Draws `NAME-SCENE-build` and `NAME-SCENE-rays` as SVG and PNG; returns the files.
pub fn draw(report: &Report, name: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for kind in [Kind::Terrain, Kind::Soup] {
        let rows: Vec<&Row> = report.rows.iter().filter(|row| row.scene == kind).collect();
        if rows.is_empty() {
            continue;
        }
        let scene = format!("{kind:?}").to_lowercase();
        for (suffix, title, series) in [
            ("build", format!("Trees over a {scene} of triangles: median time of building"), build(&rows)),
            ("rays", format!("Rays through a {scene} of triangles: median time of 2²² closest hits"), rays(&rows)),
        ] {
            let chart = Chart {
                title,
                subtitle: format!("{} ({}); obvhs: a crate on the same CPU threads", report.device, report.driver),
                across: Axis { title: "triangles", tick: power_of_two },
                series,
            };
            let mut stem = name.with_extension("").into_os_string();
            stem.push(format!("-{scene}-{suffix}"));
            files.extend(chart.save(Path::new(&stem))?);
        }
    }
    Ok(files)
}

fn build(rows: &[&Row]) -> Vec<Series> {
    let mut series = each_form(rows, "", Line::Solid, |row| Some(row.build_ms * 1e-3));
    series.extend(each_form(rows, ", refit", Line::Dashed(&[5.0, 4.0]), |row| row.refit_ms.map(|ms| ms * 1e-3)));
    let on_device = || rows.iter().filter(|row| row.form == "device").map(|row| row.triangles);
    if let (Some(least), Some(most)) = (on_device().min(), on_device().max()) {
        let within = CUBQL_MS.iter().filter(|(n, _)| (least..=most).contains(n));
        let points = within.map(|(n, ms)| (f64::from(*n).log2(), ms * 1e-3)).collect();
        series.push(Series {
            label: "cuBQL on H200".to_owned(),
            colour: BLUE,
            line: Line::None,
            mark: Mark::Ring,
            points,
        });
    }
    series.retain(|series| !series.points.is_empty());
    series
}

fn rays(rows: &[&Row]) -> Vec<Series> {
    let mut series = each_form(rows, ", coherent", Line::Solid, |row| Some(RAYS / (row.coherent_mrays_per_s * 1e6)));
    series.extend(each_form(rows, ", incoherent", Line::Dashed(&[5.0, 4.0]), |row| {
        Some(RAYS / (row.incoherent_mrays_per_s * 1e6))
    }));
    series
}

fn each_form(rows: &[&Row], suffix: &str, line: Line, seconds: impl Fn(&Row) -> Option<f64>) -> Vec<Series> {
    let mut forms: Vec<&str> = Vec::new();
    for row in rows {
        if !forms.contains(&&*row.form) {
            forms.push(&row.form);
        }
    }
    let series = |(i, form): (usize, &str)| {
        let own = rows.iter().filter(|row| row.form == form);
        let mut points: Vec<(f64, f64)> =
            own.filter_map(|row| Some((f64::from(row.triangles).log2(), seconds(row)?))).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Series { label: name(form) + suffix, colour: HUES[i % HUES.len()], line, mark: Mark::Dot, points }
    };
    forms.into_iter().enumerate().map(series).collect()
}

/// `obvhs, 8 children, 16 threads` for `obvhs 8 16`.
fn name(form: &str) -> String {
    match form.split(' ').collect::<Vec<_>>()[..] {
        ["cpu", threads] => format!("CPU, {threads} threads"),
        [peer, children, threads] => format!("{peer}, {children} children, {threads} threads"),
        _ => form.to_owned(),
    }
    .replace(" 1 threads", " 1 thread")
}
