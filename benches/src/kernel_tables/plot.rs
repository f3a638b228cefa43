//! How do the rows look? Time over the number of items: a chart of every form on the device, and one of every family of primitives.

use super::{
    published::cub,
    report::{PrimitiveTime, Report},
};
use benches::plot::{Axis, Chart, Colour, Line, Mark, Series, distinct, power_of_two};

/// Tells the primitives of a family apart.
const STYLES: [(Line, Mark); 3] =
    [(Line::Solid, Mark::Dot), (Line::Dashed(&[8.0, 4.0]), Mark::Ring), (Line::Dashed(&[2.0, 3.0]), Mark::None)];

/// `FORM` of each form on the device and `FAMILY` of each family.
pub fn charts(report: &Report) -> Vec<(String, Chart)> {
    let on_device = report.rows.iter().filter(|row| !row.is_on_cpu() && row.primitive != "copy");
    let forms = distinct(on_device.map(|row| &*row.form)).map(|form| (form.to_owned(), of_form(report, form)));
    let families = distinct(report.rows.iter().map(family));
    forms.chain(families.map(|family| (family.to_owned(), of_family(report, family)))).collect()
}

/// All primitives in one form: the hue says which, the published times are rings.
fn of_form(report: &Report, form: &str) -> Chart {
    let rows = || report.rows.iter().filter(|row| row.form == form);
    let mut series = vec![fastest_copy(report)];
    series.extend(published(report, "copy", Colour::GREY, Mark::Ring));
    for (i, primitive) in distinct(rows().map(|row| &*row.primitive)).enumerate() {
        let points = rows().filter(|row| row.primitive == primitive).map(PrimitiveTime::point).collect();
        let hue = [
            Colour::BLUE,
            Colour::TEAL,
            Colour::GREEN,
            Colour::ORANGE,
            Colour::PINK,
            Colour::BROWN,
            Colour::RED,
            Colour::PURPLE,
        ][i % 8];
        series.push(line(primitive.to_owned(), hue, STYLES[0], points));
        series.extend(published(report, primitive, hue, Mark::Ring));
    }
    chart(report, format!("Primitives on the device, {form} kernels: median time"), series)
}

/// All forms of the primitives of a family: the hue says which form, dashes and marks say which primitive.
fn of_family(report: &Report, wanted: &str) -> Chart {
    let rows = || report.rows.iter().filter(|row| family(row) == wanted);
    let forms: Vec<&str> = distinct(rows().map(|row| &*row.form)).collect();
    let primitives: Vec<&str> = distinct(rows().map(|row| &*row.primitive)).collect();
    let mut series = if wanted == "copy" { Vec::new() } else { vec![fastest_copy(report)] };
    for (i, primitive) in primitives.iter().enumerate() {
        let style = STYLES[i % STYLES.len()];
        for (k, form) in forms.iter().enumerate() {
            let points = rows()
                .filter(|row| row.primitive == *primitive && row.form == *form)
                .map(PrimitiveTime::point)
                .collect();
            let hue = [Colour::BLUE, Colour::GREEN, Colour::ORANGE, Colour::RED, Colour::BROWN][k % 5];
            series.push(line(format!("{primitive}, {}", form_name(form)), hue, style, points));
        }
        series.extend(published(
            report,
            primitive,
            Colour::PURPLE,
            if style.1 == Mark::None { Mark::Dot } else { style.1 },
        ));
    }
    series.retain(|series| !series.points.is_empty());
    chart(report, format!("{}: median time", primitives.join(", ")), series)
}

fn chart(report: &Report, title: String, series: Vec<Series>) -> Chart {
    let cub = if series.iter().any(|series| series.label.starts_with("CUB")) {
        "; CUB: CUDA 13 on an NVIDIA H200"
    } else {
        ""
    };
    Chart {
        title,
        subtitle: format!("{}{cub}", report.machine),
        across: Axis { title: "number of items", tick: power_of_two },
        series,
    }
}

/// The fastest copy of each size.
fn fastest_copy(report: &Report) -> Series {
    let copies = || report.rows.iter().filter(|row| row.primitive == "copy");
    let fastest = |n: u32| {
        let times = copies().filter(|row| row.n == n).map(PrimitiveTime::point);
        times.min_by(|a, b| a.1.total_cmp(&b.1))
    };
    let points = distinct(copies().map(|row| row.n)).filter_map(fastest).collect();
    line("copy, fastest".to_owned(), Colour::GREY, (Line::Dashed(&[5.0, 4.0]), Mark::None), points)
}

/// The published times of a primitive, within the sizes that were measured on the device.
fn published(report: &Report, primitive: &str, colour: Colour, mark: Mark) -> Option<Series> {
    let (algorithm, times) = cub(primitive)?;
    let sizes = || report.rows.iter().filter(|row| row.primitive == primitive && !row.is_on_cpu()).map(|row| row.n);
    let (least, most) = (sizes().min()?, sizes().max()?);
    let within = times.filter(|(n, _)| (least..=most).contains(n));
    let points: Vec<(f64, f64)> = within.map(|(n, us)| (f64::from(n).log2(), us * 1e-6)).collect();
    (!points.is_empty()).then(|| line(format!("CUB {algorithm} on H200"), colour, (Line::None, mark), points))
}

fn line(label: String, colour: Colour, (line, mark): (Line, Mark), points: Vec<(f64, f64)>) -> Series {
    Series::new(label, colour, line, mark, points)
}

/// The first word of a primitive's name.
fn family(row: &PrimitiveTime) -> &str {
    row.primitive.split(' ').next().unwrap_or(&row.primitive)
}

/// `16 CPU threads` for `cpu 16`; the variants of the kernels are names as they are.
fn form_name(form: &str) -> String {
    match form.strip_prefix("cpu ") {
        Some("1") => "1 CPU thread".to_owned(),
        Some(threads) => format!("{threads} CPU threads"),
        None => form.to_owned(),
    }
}
