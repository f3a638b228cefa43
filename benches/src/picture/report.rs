//! What pictures come to, as a table or JSON.

use std::io::{Write, stdout};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use benches::figures::{quantile, rounded};
use benches::views::cameras::Range;
use gpu::{Gpu, GpuOptions};
use image::RgbImage;
use serde_json::{Value, json};
use terrain::geodesy::n_vector;
use terrain::height::{OpenOptions, Relief};
use viewer::camera::Pose;
use viewer::scene::SceneOptions;

use super::meter::{Measured, Meter};
use super::options::{BoxDeg, PictureArgs};
use super::reference::SIDE;

/// Part of the pixels whose normals are within the angle that is told.
const PART: f64 = 0.99;

/// Measures and prints.
pub fn run(args: &PictureArgs) -> Result<()> {
    let measured = measure(args)?;
    if let Some(folder) = &args.pictures {
        save(folder, &measured)?;
    }
    let text = match args.json {
        true => serde_json::to_string_pretty(&to_json(args, &measured))? + "\n",
        false => to_text(args, &measured),
    };
    Ok(stdout().write_all(text.as_bytes())?)
}

/// Measures.
pub fn measure(args: &PictureArgs) -> Result<Vec<Measured>> {
    let relief = Arc::new(Relief::open(&args.files, &OpenOptions::default())?);
    let gpu = Gpu::new(&GpuOptions::from_env().with_software(args.software))?;
    let options = SceneOptions::default().with_pixel_error(Some(args.pixel_error)).with_fov_deg(args.fov);
    // A pack lies on all of the globe, as what is embedded does.
    let is_part = |[west, south, east, north]: &[f64; 4]| east - west < 180.0 || north - south < 90.0;
    let of_files = || relief.topmost_box_deg().filter(is_part);
    let box_deg = args.over.map(|BoxDeg(box_deg)| box_deg).or_else(of_files);
    let cameras: Vec<(Range, Pose)> = Range::ALL
        .into_iter()
        .flat_map(|range| {
            let poses = match box_deg {
                Some(box_deg) => range.cameras_over(box_deg, args.seed, args.cameras, &relief),
                None => over_land(range, args, &relief),
            };
            poses.into_iter().map(move |pose| (range, pose))
        })
        .collect();
    let all = cameras.len();
    let done = |count: usize| eprintln!("picture: {count} of {all}");
    Meter::new(gpu, options, relief, args.size).measure(cameras, done)
}

/// Random cameras, of which two in three are above land; in orbit, as they are drawn.
fn over_land(range: Range, args: &PictureArgs, relief: &Relief) -> Vec<Pose> {
    if range == Range::Orbit {
        return range.cameras(args.seed, args.cameras, relief);
    }
    let is_land =
        |pose: &Pose| relief.sample(n_vector(pose.lat_deg.to_radians(), pose.lon_deg.to_radians())).height_m > 0.0;
    // Three in ten are above land.
    let drawn = range.cameras(args.seed, 20 * args.cameras, relief);
    let (mut land, mut sea): (Vec<Pose>, Vec<Pose>) = drawn.into_iter().partition(is_land);
    land.reverse();
    sea.reverse();
    (0..args.cameras).filter_map(|k| if k % 3 == 2 { sea.pop() } else { land.pop() }).collect()
}

/// Drawn, reference, and four times the difference around grey, side by side.
fn save(folder: &Path, measured: &[Measured]) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for (number, Measured { range, pictures: [drawn, truth], .. }) in measured.iter().enumerate() {
        let width = drawn.width();
        let all = RgbImage::from_fn(3 * width, drawn.height(), |x, y| {
            let (of_drawn, of_truth) = (drawn.get_pixel(x % width, y), truth.get_pixel(x % width, y));
            match x / width {
                0 => *of_drawn,
                1 => *of_truth,
                _ => image::Rgb(std::array::from_fn(|i| {
                    (128 + 4 * (i32::from(of_drawn[i]) - i32::from(of_truth[i]))).clamp(0, 255) as u8
                })),
            }
        });
        let path = folder.join(format!("{:02}-{}.png", number + 1, range.name()));
        all.save(&path).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Least and greatest.
fn extremes(figures: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    figures.fold(None, |all, figure| {
        Some(all.map_or((figure, figure), |(low, high): (f64, f64)| (low.min(figure), high.max(figure))))
    })
}

fn to_text(args: &PictureArgs, measured: &[Measured]) -> String {
    let (width, height) = args.size;
    let mut text = format!(
        "{} pictures of {width}x{height}, {:.0} degrees, tolerated error {} px, against {} rays a pixel\n\
         {:<7}{:>18}{:>11}{:>10}{:>10}{:>8}{:>8}{:>9}{:>8}{:>9}\n",
        measured.len(),
        args.fov,
        args.pixel_error,
        SIDE * SIDE,
        "",
        "place",
        "height m",
        "look",
        "triangles",
        "SSIM",
        "energy",
        "normal°",
        "99 %",
        "flicker",
    );
    let cell = |figure: Option<f64>, digits: usize| figure.map_or_else(|| "-".to_owned(), |x| format!("{x:.digits$}"));
    for row in measured {
        let Pose { lat_deg, lon_deg, height_m, heading_deg, pitch_deg } = row.pose;
        text += &format!(
            "{:<7}{:>18}{height_m:>11.0}{:>10}{:>10}{:>8.3}{:>8}{:>9}{:>8}{:>9}\n",
            row.range.name(),
            format!("{lat_deg:.3},{lon_deg:.3}"),
            format!("{heading_deg:.0},{pitch_deg:.0}"),
            row.triangles,
            row.ssim,
            cell(row.energy, 2),
            cell(quantile(&row.angles_deg, 0.5), 2),
            cell(quantile(&row.angles_deg, PART), 2),
            cell(row.flicker, 2),
        );
    }
    let ends = |name: &str, ends: Option<(f64, f64)>| {
        ends.map_or_else(String::new, |(low, high)| format!("{name} from {low:.3} to {high:.3}\n"))
    };
    text += &ends("SSIM", extremes(measured.iter().map(|row| row.ssim)));
    text += &ends("energy", extremes(measured.iter().filter_map(|row| row.energy)));
    text += &ends("flicker", extremes(measured.iter().filter_map(|row| row.flicker)));
    text
}

/// As `--json` prints it.
pub fn to_json(args: &PictureArgs, measured: &[Measured]) -> Value {
    let row = |row: &Measured| {
        json!({
            "range": row.range.name(),
            "camera": row.pose,
            "triangles": row.triangles,
            "ssim": rounded(row.ssim),
            "energy": row.energy.map(rounded),
            "normal_deg": { "p50": quantile(&row.angles_deg, 0.5).map(rounded), "p99": quantile(&row.angles_deg, PART).map(rounded) },
            "flicker": row.flicker.map(rounded),
        })
    };
    json!({
        "size": args.size,
        "fov_deg": args.fov,
        "pixel_error": args.pixel_error,
        "seed": args.seed,
        "rays_per_pixel": SIDE * SIDE,
        "pictures": measured.iter().map(row).collect::<Vec<Value>>(),
    })
}
