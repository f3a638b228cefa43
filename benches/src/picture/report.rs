//! What pictures come to, as a table or JSON.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use benches::figures::{quantile, quantiles, rounded};
use benches::report::{Cell, Report, Row, number};
use benches::views::cameras::{Range, cells};
use gpu::{Gpu, GpuOptions};
use image::RgbImage;
use serde::{Serialize, Serializer};
use serde_json::json;
use terrain::geodesy::n_vector;
use terrain::height::{OpenOptions, Relief};
use viewer::camera::Pose;
use viewer::scene::SceneOptions;

use super::meter::{Meter, PictureQuality};
use super::options::{BoxDeg, PictureArgs};
use super::reference::SIDE;

/// Part of the pixels whose normals are within the angle that is told.
const PART: f64 = 0.99;

/// Measures and prints.
pub fn run(args: &PictureArgs) -> Result<()> {
    let report = measure(args)?;
    if let Some(folder) = &args.pictures {
        save(folder, &report.rows)?;
    }
    if args.json {
        print!("{}", report.json()?);
        return Ok(());
    }
    report.print();
    print_range("SSIM", report.rows.iter().map(|row| row.ssim));
    print_range("energy", report.rows.iter().filter_map(|row| row.energy));
    print_range("flicker", report.rows.iter().filter_map(|row| row.flicker));
    Ok(())
}

/// What all pictures have in common.
#[derive(Serialize)]
struct PictureParameters {
    size: (u32, u32),
    fov_deg: f64,
    pixel_error: f64,
    seed: u64,
    rays_per_pixel: u32,
}

fn measure(args: &PictureArgs) -> Result<Report<PictureQuality, PictureParameters>> {
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
    let &PictureArgs { size, fov: fov_deg, pixel_error, seed, .. } = args;
    let mut report =
        Report::new(&gpu.caps, PictureParameters { size, fov_deg, pixel_error, seed, rays_per_pixel: SIDE * SIDE });
    report.rows = Meter::new(gpu, options, relief, size).measure(cameras, done)?;
    Ok(report)
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
fn save(folder: &Path, measured: &[PictureQuality]) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for (number, PictureQuality { range, pictures: [drawn, truth], .. }) in measured.iter().enumerate() {
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

/// Prints the least and the greatest of figures, if there are any.
fn print_range(name: &str, figures: impl Iterator<Item = f64>) {
    let [low, high] = quantiles(figures.collect(), [0.0, 1.0]);
    if low <= high {
        println!("{name} from {low:.3} to {high:.3}");
    }
}

impl PictureQuality {
    /// The angle that a part of the normals stays within, degrees.
    fn normal_deg(&self, part: f64) -> Option<f64> {
        quantile(&self.angles_deg, part)
    }
}

impl Row for PictureQuality {
    fn cells(&self) -> Vec<Cell> {
        let mut all = cells(self.range, &self.pose);
        all.extend([
            ("triangles", 0, self.triangles.to_string()),
            ("SSIM", 7, number(self.ssim, 3)),
            ("energy", 7, number(self.energy, 2)),
            ("normal°", 8, number(self.normal_deg(0.5), 2)),
            ("99 %", 7, number(self.normal_deg(PART), 2)),
            ("flicker", 8, number(self.flicker, 2)),
        ]);
        all
    }
}

impl Serialize for PictureQuality {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let [p50, p99] = [0.5, PART].map(|part| self.normal_deg(part).map(rounded));
        let row = json!({
            "range": self.range.name(),
            "camera": self.pose,
            "triangles": self.triangles,
            "ssim": rounded(self.ssim),
            "energy": self.energy.map(rounded),
            "normal_deg": { "p50": p50, "p99": p99 },
            "flicker": self.flicker.map(rounded),
        });
        row.serialize(serializer)
    }
}
