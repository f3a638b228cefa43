//! The error of the drawn mesh in pixels, holes, and triangles against the area metric, as a table or JSON.

use std::sync::Arc;

use anyhow::{Result, ensure};
use gpu::{Gpu, GpuOptions};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use terrain::{
    Backend, Options, Quality,
    height::{OpenOptions, Relief},
};
use viewer::camera::Pose;

use super::comparison::{EQUAL_PX, PART, ROOM, TriangleCount};
use super::mesh_source::MeshSource;
use super::options::{FidelityArgs, Seeds};
use super::pixel_errors::PixelErrors;
use super::{FidelityMeter, Measured, MeshComparison};
use benches::figures::rounded;
use benches::report::{Cell, Row, number, table};
use benches::views::cameras::{Range, cells};

/// Parts of the pixels whose error is told, with their names in JSON and in the table.
const PARTS: [(&str, &str, f64); 4] =
    [("p50", "50 %", 0.5), ("p99", "99 %", 0.99), ("p99_9", "99.9 %", PART), ("max", "max", 1.0)];

/// All pictures, with what is said of all of them.
type Report = benches::report::Report<MeshError, Value>;

/// Measures and prints; a hole is a failure.
pub fn run(args: &FidelityArgs) -> Result<()> {
    let report = measure(args)?;
    match args.json {
        true => print!("{}", report.json()?),
        false => print!("{}", summary_text(args, &report.rows)),
    }
    verdict(&report.rows)
}

/// Measures, as JSON; a hole is a failure.
#[cfg(test)]
pub fn measured(args: &FidelityArgs) -> Result<Value> {
    let report = measure(args)?;
    verdict(&report.rows)?;
    Ok(serde_json::to_value(report)?)
}

/// Pictures that are named as the worst.
const WORST: usize = 5;

/// A camera and how far the mesh is from the surface in its picture.
struct MeshError {
    seed: u64,
    range: Range,
    pose: Pose,
    measured: Measured,
}

/// Triangles over those of the area metric.
struct Ratios {
    pictures: usize,
    /// Geometric.
    mean: f64,
    worst: f64,
}

impl Ratios {
    fn json(&self) -> Value {
        json!({ "pictures": self.pictures, "geometric_mean": rounded(self.mean), "worst": rounded(self.worst) })
    }
}

/// Of whole triangles.
fn needed_json(needed: TriangleCount) -> Value {
    match needed {
        TriangleCount::Triangles(count) => json!({ "triangles": count.round() }),
        TriangleCount::MoreThan(count) => json!({ "more_than": count }),
        TriangleCount::LessThan(count) => json!({ "less_than": count }),
    }
}

/// With the sign of a bound.
fn needed_text(needed: TriangleCount) -> String {
    let sign = match needed {
        TriangleCount::Triangles(_) => "",
        TriangleCount::MoreThan(_) => ">",
        TriangleCount::LessThan(_) => "<",
    };
    format!("{sign}{:.0}", needed.count())
}

impl MeshError {
    /// Triangles over those of the area metric, or over the bound of theirs that is known.
    fn ratio(&self) -> Option<f64> {
        Some(f64::from(self.measured.triangles) / self.measured.compared?.area.count())
    }

    /// The same at one error, with bounds of both.
    fn equal_ratio(&self) -> Option<f64> {
        let [ours, area] = self.measured.compared?.equal.map(TriangleCount::count);
        Some(ours / area)
    }

    /// The bound of all meshes over the triangles of the area metric, or over the bound of theirs that is known.
    fn bound_ratio(&self) -> Option<f64> {
        let MeshComparison { area, least, .. } = self.measured.compared?;
        (least.bound > 0).then(|| f64::from(least.bound) / area.count())
    }

    /// Whether the area metric takes far more than its coarsest mesh, so that the ratio says something about metrics.
    fn has_room(&self) -> bool {
        self.measured.compared.is_some_and(|compared| match compared.area {
            TriangleCount::LessThan(_) => false,
            area => area.count() >= ROOM * f64::from(compared.area_coarsest),
        })
    }

    /// The area metric's triangles and the ratio to them with the sign of a bound, from the bound of all meshes to the one that was
    /// found, and both metrics' triangles at one error and their ratio.
    fn comparison(&self) -> [String; 6] {
        let Some(MeshComparison { area, equal, least, .. }) = self.measured.compared else {
            return std::array::from_fn(|_| String::from("-"));
        };
        let sign = match area {
            TriangleCount::Triangles(_) => "",
            TriangleCount::MoreThan(_) => "<",
            TriangleCount::LessThan(_) => ">",
        };
        [
            needed_text(area),
            format!("{sign}{:.2}", self.ratio().unwrap_or_default()),
            format!("{}-{}", least.bound, least.found.map_or_else(String::new, |found| found.to_string())),
            needed_text(equal[0]),
            needed_text(equal[1]),
            format!("{:.2}", self.equal_ratio().unwrap_or_default()),
        ]
    }

    /// The camera as `orogen render` takes it.
    fn words(&self) -> String {
        let Pose { lat_deg, lon_deg, height_m, heading_deg, pitch_deg } = self.pose;
        format!(
            "seed {}: --at {lat_deg:.4},{lon_deg:.4},{height_m:.1} --look {heading_deg:.1},{pitch_deg:.1}",
            self.seed
        )
    }

    /// Pixels within which 99.9 % are.
    fn error_px(&self) -> Option<f64> {
        self.measured.errors.within(PART)
    }
}

impl Row for MeshError {
    fn cells(&self) -> Vec<Cell> {
        let Measured { errors, triangles, .. } = &self.measured;
        let [by_area, ratio, least, equal, equal_by_area, equal_ratio] = self.comparison();
        let mut all = cells(self.range, &self.pose);
        all.extend(error_cells(errors));
        all.extend([
            ("triangles", 0, triangles.to_string()),
            ("by area", 8, by_area),
            ("ratio", 6, ratio),
            ("least", 13, least),
            // EQUAL_PX.
            ("at 1 px", 8, equal),
            ("by area", 8, equal_by_area),
            ("ratio", 6, equal_ratio),
        ]);
        all
    }
}

impl Serialize for MeshError {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let compared = self.measured.compared.as_ref();
        let row = json!({
            "seed": self.seed,
            "range": self.range.name(),
            "camera": self.pose,
            "error_px": errors_json(&self.measured.errors),
            "pixels": self.measured.errors.px.len(),
            "holes": self.measured.errors.holes,
            "triangles": self.measured.triangles,
            "live": self.measured.live,
            "starved": self.measured.starved,
            "area_metric": compared.map(|compared| needed_json(compared.area)),
            "area_metric_coarsest": compared.map(|compared| compared.area_coarsest),
            "ratio": self.ratio().map(rounded),
            "least": compared.map(|MeshComparison { least, .. }| json!({ "bound": least.bound, "found": least.found })),
            "ratio_bound": self.bound_ratio().map(rounded),
            "at_equal_error": compared.map(|MeshComparison { equal: [ours, area], .. }| json!({
                "error_px": EQUAL_PX,
                "mesh": needed_json(*ours),
                "area_metric": needed_json(*area),
                "ratio": self.equal_ratio().map(rounded),
            })),
        });
        row.serialize(serializer)
    }
}

fn measure(args: &FidelityArgs) -> Result<Report> {
    let relief = Arc::new(Relief::open(&args.files, &OpenOptions::default())?);
    for layer in relief.layers() {
        layer.remarks.iter().for_each(|remark| eprintln!("fidelity: {}: {remark}", layer.name));
    }
    let quality = Quality::default().with_pixel_error(args.pixel_error);
    let options = Options::default().with_pool_slots(args.triangles.next_power_of_two()).with_quality(quality);
    let (mut report, meshes) = match args.mesh {
        Backend::Cpu => (Report::new(None, Value::Null), MeshSource::cpu(relief.clone(), options)),
        Backend::Gpu => {
            let gpu = Gpu::new(&GpuOptions::from_env().with_software(args.software))?;
            (Report::new(&gpu.caps, Value::Null), MeshSource::gpu(gpu, relief.clone(), options)?)
        }
    };
    report = report.quiet_if(args.json);
    let mut meter = FidelityMeter::new(meshes, relief.clone(), args.size, args.fov.to_radians());
    let seeds = args.seeds.map_or(args.seed..=args.seed, |Seeds { first, last }| first..=last);
    for (seed, range) in seeds.flat_map(|seed| Range::ALL.map(|range| (seed, range))) {
        for pose in range.cameras(seed, args.cameras, &relief) {
            let measured = meter.measure(&pose, !args.no_baseline)?;
            report.add(MeshError { seed, range, pose, measured });
        }
    }
    report.parameters = summary(args, &report.rows);
    Ok(report)
}

fn holes(rows: &[MeshError]) -> u32 {
    rows.iter().map(|row| row.measured.errors.holes).sum()
}

/// Holes are a failure, large errors are a figure.
fn verdict(rows: &[MeshError]) -> Result<()> {
    let holes = holes(rows);
    ensure!(holes == 0, "{holes} pixels are holes: the mesh is open there, or the eye is under it");
    Ok(())
}

/// Errors of all pixels of all pictures.
fn all_errors(rows: &[MeshError]) -> PixelErrors {
    let mut px: Vec<f64> = rows.iter().flat_map(|row| row.measured.errors.px.iter().copied()).collect();
    px.sort_by(f64::total_cmp);
    PixelErrors { px, holes: holes(rows) }
}

/// Ratios of all pictures, or of those in which the area metric has room.
fn area_ratios(rows: &[MeshError], with_room: bool) -> Option<Ratios> {
    ratios(rows.iter().filter(|row| !with_room || row.has_room()).filter_map(MeshError::ratio))
}

/// The pictures that are worst by a figure, the worst first.
fn worst(rows: &[MeshError], figure: impl Fn(&MeshError) -> Option<f64>) -> Vec<(f64, &MeshError)> {
    let mut rows: Vec<(f64, &MeshError)> = rows.iter().filter_map(|row| Some((figure(row)?, row))).collect();
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    rows.truncate(WORST);
    rows
}

/// The worst by error, and by triangles where the area metric has room.
fn both_worst(rows: &[MeshError]) -> [(&'static str, Vec<(f64, &MeshError)>); 2] {
    let ratio = |row: &MeshError| row.ratio().filter(|_| row.has_room());
    [("error px, 99.9 %", worst(rows, MeshError::error_px)), ("ratio to the area metric", worst(rows, ratio))]
}

fn summary_text(args: &FidelityArgs, rows: &[MeshError]) -> String {
    let (width, height) = args.size;
    let mut text = format!(
        "{} pictures of {width}x{height}, {:.0} degrees, tolerated error {} px, mesh on the {}\n",
        rows.len(),
        args.fov,
        args.pixel_error,
        args.mesh.name(),
    );
    let mut of_all: Vec<Cell> = vec![("", 0, "all pixels, error in pixels".to_owned())];
    of_all.extend(error_cells(&all_errors(rows)));
    text += &table(&[of_all]);
    let percent = PART * 100.0;
    let found =
        |row: &MeshError| Some(f64::from(row.measured.triangles) / f64::from(row.measured.compared?.least.found?));
    for (what, ratios) in [
        (
            format!(
                "triangles over those of the area metric at the same error in {percent} % of the pixels, bounds as they are"
            ),
            area_ratios(rows, false),
        ),
        (format!("where it takes at least {ROOM} times its coarsest mesh"), area_ratios(rows, true)),
        (
            format!("each metric made to have an error of {EQUAL_PX} px in {percent} % of the pixels"),
            ratios(rows.iter().filter_map(MeshError::equal_ratio)),
        ),
        ("triangles over those of the least mesh that was found".to_owned(), ratios(rows.iter().filter_map(found))),
        (
            "the bound of all meshes over those of the area metric".to_owned(),
            ratios(rows.iter().filter_map(MeshError::bound_ratio)),
        ),
    ] {
        if let Some(Ratios { pictures, mean, worst }) = ratios {
            text += &format!("{what}: geometric mean {mean:.2}, worst {worst:.2}, in {pictures} pictures\n");
        }
    }
    if args.seeds.is_some() {
        for (name, rows) in both_worst(rows).into_iter().filter(|(_, rows)| !rows.is_empty()) {
            text += &format!("worst by {name}\n");
            rows.iter().for_each(|(figure, row)| text += &format!("{figure:>8.2}  {}\n", row.words()));
        }
    }
    let starved = rows.iter().filter(|row| row.measured.starved > 0).count();
    if starved > 0 {
        text += &format!("{starved} pictures want more than {} triangles: raise --triangles\n", args.triangles);
    }
    text
}

fn summary(args: &FidelityArgs, rows: &[MeshError]) -> Value {
    let all = all_errors(rows);
    json!({
        "size": args.size,
        "fov_deg": args.fov,
        "pixel_error": args.pixel_error,
        "seed": args.seed,
        "seeds": args.seeds.map(|Seeds { first, last }| [first, last]),
        "worst": both_worst(rows).map(|(by, rows)| {
            let row = |(figure, row): &(f64, &MeshError)| json!({ "figure": rounded(*figure), "seed": row.seed, "camera": row.pose });
            json!({ "by": by, "pictures": rows.iter().map(row).collect::<Vec<Value>>() })
        }),
        "mesh": args.mesh.name(),
        "error_px": errors_json(&all),
        "pixels": all.px.len(),
        "holes": all.holes,
        "ratio": area_ratios(rows, false).map(|ratios| ratios.json()),
        "ratio_with_room": area_ratios(rows, true).map(|ratios| ratios.json()),
        "ratio_at_equal_error": ratios(rows.iter().filter_map(MeshError::equal_ratio)).map(|ratios| ratios.json()),
    })
}

/// Of all pictures that have one.
fn ratios(all: impl Iterator<Item = f64>) -> Option<Ratios> {
    let all: Vec<f64> = all.collect();
    let mean = (all.iter().map(|ratio| ratio.ln()).sum::<f64>() / all.len() as f64).exp();
    all.iter().copied().reduce(f64::max).map(|worst| Ratios { pictures: all.len(), mean, worst })
}

fn error_cells(errors: &PixelErrors) -> impl Iterator<Item = Cell> {
    let parts = PARTS.map(|(_, name, part)| (name, 6, number(errors.within(part), 2)));
    parts.into_iter().chain([("holes", 5, errors.holes.to_string())])
}

fn errors_json(errors: &PixelErrors) -> Value {
    PARTS.iter().map(|(name, _, part)| (name.to_string(), json!(errors.within(*part).map(rounded)))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::least_meshes::LeastMeshes;
    use super::*;

    fn defaults() -> FidelityArgs {
        clap::Parser::parse_from(["fidelity"])
    }

    fn row(triangles: u32, area: Option<TriangleCount>, px: Vec<f64>) -> MeshError {
        let errors = PixelErrors { px, holes: 1 };
        let compared = area.map(|area| MeshComparison {
            area,
            area_coarsest: 400,
            equal: [TriangleCount::Triangles(0.5 * f64::from(triangles)), area],
            least: LeastMeshes { bound: 90, found: Some(95) },
        });
        let measured = Measured { errors, triangles, live: 2 * triangles, starved: 0, compared };
        MeshError { seed: u64::from(triangles), range: Range::Air, pose: Pose::HOME, measured }
    }

    /// Law: of many seeds the worst pictures are named with their seeds and cameras, the worst first.
    #[test]
    fn the_worst_pictures_are_named() {
        let args = FidelityArgs { seeds: Some(Seeds { first: 100, last: 400 }), ..defaults() };
        let rows = vec![
            row(100, Some(TriangleCount::Triangles(1000.0)), vec![0.1, 0.9]),
            row(400, Some(TriangleCount::Triangles(1000.0)), vec![0.2]),
            row(300, Some(TriangleCount::LessThan(400.0)), vec![0.4]),
        ];
        let (json, text) = (summary(&args, &rows), summary_text(&args, &rows));
        assert_eq!((&json["seeds"], &json!(rows)[1]["seed"]), (&json!([100, 400]), &json!(400)));
        let seeds = |by: usize| -> Vec<u64> {
            let pictures = json["worst"][by]["pictures"].as_array().expect("pictures");
            pictures.iter().map(|picture| picture["seed"].as_u64().expect("a seed")).collect()
        };
        assert_eq!((seeds(0), seeds(1)), (vec![100, 300, 400], vec![400, 100]));
        let after = text.split("worst by ratio").nth(1).expect("the worst");
        assert!(after.contains("    0.40  seed 400: --at ") && text.contains("    0.90  seed 100: --at "), "{text}");
    }

    #[test]
    fn ratios_and_bounds_are_told() {
        let args = defaults();
        let rows = vec![
            row(100, Some(TriangleCount::Triangles(1000.0)), vec![0.1, 0.3]),
            row(400, Some(TriangleCount::Triangles(1000.0)), vec![0.2]),
            row(100, Some(TriangleCount::MoreThan(500.0)), Vec::new()),
            row(100, None, vec![0.4]),
            row(400, Some(TriangleCount::LessThan(400.0)), vec![0.1]),
        ];
        assert!(verdict(&rows).unwrap_err().to_string().starts_with("5 pixels are holes"));
        assert!(verdict(&[]).is_ok());
        let Ratios { pictures, mean, worst } = area_ratios(&rows, false).unwrap();
        assert!((mean - 0.008f64.powf(0.25)).abs() < 1e-12 && worst == 1.0 && pictures == 4, "{mean} {worst}");
        // The coarsest mesh has 400.
        let Ratios { pictures, mean, worst } = area_ratios(&rows, true).unwrap();
        assert!((mean - 0.2).abs() < 1e-12 && worst == 0.4 && pictures == 2, "{mean} {worst}");
        let (json, cameras) = (summary(&args, &rows), json!(rows));
        assert_eq!((&json["holes"], &json["error_px"]["max"]), (&json!(5), &json!(0.4)));
        assert_eq!(cameras[2]["area_metric"]["more_than"], json!(500.0));
        // Each metric made to have the same error.
        assert_eq!(cameras[1]["at_equal_error"]["ratio"], json!(0.2));
        assert_eq!(cameras[2]["at_equal_error"]["area_metric"]["more_than"], json!(500.0));
        assert_eq!(json["ratio_at_equal_error"]["worst"], json!(0.5));
        assert_eq!(cameras[3]["at_equal_error"], Value::Null);
        assert_eq!(cameras[2]["error_px"]["p50"], Value::Null);
        let text = table(&rows) + &summary_text(&args, &rows);
        assert!(
            text.contains(">500")
                && text.contains("<0.20")
                && text.contains("worst 1.00")
                && text.contains("in 2 pictures"),
            "{text}"
        );
        // The least mesh has 95, and none has below 90.
        assert_eq!(cameras[0]["least"], json!({ "bound": 90, "found": 95 }));
        assert_eq!(cameras[2]["ratio_bound"], json!(0.18));
        assert_eq!(cameras[3]["least"], Value::Null);
        assert!(text.contains("90-95") && text.contains("geometric mean 2.11, worst 4.21, in 4 pictures"), "{text}");
        assert!(text.contains("of the area metric: geometric mean 0.13, worst 0.23"), "{text}");
    }
}
