//! How long does it take until the picture of another place is final? Leaps between places with the embedded relief.

use benches::clock::Clock;
use benches::figures::median;
use benches::report::{Cell, number};
use glam::DVec3;
use gpu::{Gpu, GpuOptions};
use std::{sync::Arc, time::Instant};
use terrain::geodesy::Ellipsoid;
use terrain::{Backend, Options, Planet, Quality, UpdateReport, View, geodesy::Geodetic, height::Relief};

/// Latitude, longitude and metres above sea level.
const PLACES: [(f64, f64, f64); 6] = [
    (27.5, 86.9, 12_000.0),
    (-33.2, -70.3, 9_000.0),
    (46.5, 8.0, 6_000.0),
    (0.0, -30.0, 2_000_000.0),
    (-77.5, 162.0, 8_000.0),
    (63.0, -151.0, 7_000.0),
];
/// Updates after which a view is not going to settle any more.
const MOST_UPDATES: u32 = 3000;

/// Leaps from place to place with the mesh on the CPU and, on the same device, on the GPU, and prints what it took.
pub fn run(software: bool) -> anyhow::Result<()> {
    let gpu = Gpu::new(&GpuOptions::default().with_software(software))?;
    let relief = Arc::new(Relief::embedded()?);
    let quality = Quality::default().with_pixel_error(0.5);
    let options = Options::default().with_quality(quality);
    let mut report = benches::report::Report::new(&gpu.caps, ());
    for backend in Backend::ALL {
        let options = options.with_backend(Some(backend));
        report.add(leaps(&gpu, Planet::new(&gpu.device, relief.clone(), options)?)?);
    }
    Ok(())
}

fn leaps(gpu: &Gpu, mut planet: Planet) -> anyhow::Result<Vec<Cell>> {
    let mesh = planet.backend();
    let mut settle = |view: &View| -> anyhow::Result<UpdateReport> {
        for _ in 0..MOST_UPDATES {
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            let report = planet.update(view, &gpu.queue, &mut encoder)?;
            gpu.queue.submit([encoder.finish()]);
            gpu.wait()?;
            if report.settled {
                return Ok(report);
            }
        }
        anyhow::bail!("a view did not settle in {MOST_UPDATES} updates")
    };
    settle(&view(PLACES[PLACES.len() - 1]))?;
    let (mut times, mut work, mut triangles) = (Vec::new(), Vec::new(), 0);
    for place in PLACES {
        let (started, clock) = (Instant::now(), Clock::of_all_threads());
        triangles = triangles.max(settle(&view(place))?.triangles);
        times.push(started.elapsed().as_secs_f64());
        work.push(clock.seconds());
    }
    let longest = |values: &[f64]| number(values.iter().copied().fold(0.0, f64::max), 2);
    Ok(vec![
        ("mesh", 4, mesh.to_string()),
        ("settled after s", 0, number(median(times.clone()), 2)),
        ("at most", 0, longest(&times)),
        ("processor s", 0, number(median(work.clone()), 2)),
        ("at most", 0, longest(&work)),
        ("triangles, at most", 0, triangles.to_string()),
    ])
}

/// Looks east and down.
fn view((lat_deg, lon_deg, height_m): (f64, f64, f64)) -> View {
    let at = Geodetic::from_degrees(lat_deg, lon_deg, height_m);
    let up = at.normal();
    let east = DVec3::Z.cross(up).normalize_or(DVec3::X);
    let down = if height_m > 100_000.0 { 5.0 } else { 0.3 };
    View::perspective(at.to_ecef(Ellipsoid::WGS84), east - down * up, up, 0.785, (1280, 720))
}
