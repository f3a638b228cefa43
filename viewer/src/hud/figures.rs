//! What does the line of figures say?

use bevy_ecs::prelude::*;
use glam::DVec2;
use terrain::streaming::TileCounts;

use super::cursor::{under_cursor, zero_of};
use super::memo::Memo;
use super::state::{Figures, Hud};
use super::times::PartTimes;
use crate::annotations::{Units, place, thousands};
use crate::camera::ground::clearance_m;
use crate::camera::{Camera, Lens, Pose};
use crate::controller::Recorder;
use crate::frame::Viewport;
use crate::input::bindings::Action;
use crate::input::{Controls, Devices};
use crate::layers::Layers;
use crate::overlays::OverlayParams;
use crate::render::{Light, SunMode};
use crate::sun_clock::{self, SunClock};
use crate::terrain::{COARSE_M, Planet};

/// Time between frames while pictures follow each other.
#[derive(Resource, Debug, Clone, Copy, Default)]
pub struct FrameTimes {
    smooth_s: f64,
    newest_s: Option<f64>,
    cpu_s: f64,
}

/// A longer gap is a pause, not a frame.
const PAUSE_S: f64 = 0.5;

impl FrameTimes {
    /// Takes in the time between two frames.
    pub fn add(&mut self, interval_s: f64) {
        if interval_s >= PAUSE_S || interval_s <= 0.0 {
            return;
        }
        self.newest_s = Some(interval_s);
        let weight = if self.smooth_s == 0.0 { 1.0 } else { 0.1 };
        self.smooth_s += (interval_s - self.smooth_s) * weight;
    }

    /// Takes in the time that the CPU took for a frame, waiting for the display left out.
    pub fn add_cpu(&mut self, cpu_s: f64) {
        self.cpu_s = cpu_s;
    }

    /// Milliseconds between the two newest frames, and of the CPU for the last one; none if no frame has followed another
    /// since the last call.
    pub fn take_newest_ms(&mut self) -> Option<(f64, f64)> {
        self.newest_s.take().map(|interval_s| (interval_s * 1e3, self.cpu_s * 1e3))
    }

    /// Milliseconds of a frame, smoothed; 0 before the second frame.
    pub fn ms(&self) -> f64 {
        self.smooth_s * 1e3
    }
}

/// The line of elevation tiles on the GPU.
fn tiles_line(name: &str, tiles: &TileCounts) -> String {
    let TileCounts { resident, wanted, in_flight, budget, .. } = tiles;
    format!("{name}: {resident} on the GPU, {budget} fit   {wanted} wanted   {in_flight} coming")
}

/// The line of times: of a frame, and triangles.
fn times_line(times: &FrameTimes, triangles: u32) -> String {
    let ms = times.ms();
    let rate = if ms > 0.0 { format!("{ms:.1} ms  {:.0} fps", 1e3 / ms) } else { String::from("- ms") };
    format!("{rate}   {} triangles", thousands(triangles.into()))
}

/// From here on up the height above the ground is that above the sea, metres.
const HIGH_M: f64 = 100_000.0;

/// The line of the eye: place, heights above the ground and above what they are measured from, heading.
fn figures(pose: &Pose, clearance_m: f64, (zero, units): (&str, Units)) -> String {
    let above_zero =
        if clearance_m < HIGH_M { format!("  {} above {zero}", units.height(pose.height_m)) } else { String::new() };
    format!(
        "eye {}   {} above ground{above_zero}   heading {:03.0}°  pitch {:.0}°",
        place(pose.lat_deg, pose.lon_deg),
        units.height(clearance_m),
        // 359.7 is north, not 360.
        pose.heading_deg.round().rem_euclid(360.0),
        // -0 is 0.
        pose.pitch_deg.round() + 0.0,
    )
}

/// An eye closer to the ground than this sees that it is coarse, metres.
const NEAR_M: f64 = 60_000.0;

/// What the ground under the cursor depends on: camera, field of view, aspect, cursor, exaggeration, whether there is water, number of vector
/// layers, units.
type CursorRay = (Camera, (f64, f64), DVec2, (f64, bool), usize, Units);

/// Writes the lines of figures.
pub(super) fn write_figures(
    (planet, layers, times, parts): (Res<Planet>, Res<Layers>, Res<FrameTimes>, Res<PartTimes>),
    (camera, lens, viewport): (Res<Camera>, Res<Lens>, Res<Viewport>),
    (controls, overlay_params, recorder): (Res<Controls>, Res<OverlayParams>, Res<Recorder>),
    (sun_clock, light): (Res<SunClock>, Res<Light>),
    (mut hud, devices): (ResMut<Hud>, Res<Devices>),
    mut kept: Local<Memo<CursorRay, Vec<String>>>,
) {
    hud.recording_s = recorder.recording_s();
    hud.lines.clear();
    if hud.figures == Figures::Off {
        // What is made up is said whatever else is not.
        hud.lines.extend(overlay_params.synthetic());
        return;
    }
    let above_m = clearance_m(&camera, planet.ground());
    let written = (zero_of(camera.ellipsoid), hud.units);
    let line = figures(&camera.pose(), above_m, written);
    let line = if planet.frozen { line + "   mesh frozen" } else { line };
    hud.lines.push(match planet.tiles_coming() {
        coming if coming > 0 && !planet.report().settled => format!("{line}   loading {coming} tiles"),
        _ => line,
    });
    if layers.is_changed() {
        // Another ground may lie there.
        *kept = Memo::default();
    }
    let (drawn, vectors) = ((planet.relief().exaggeration(), planet.water), planet.imagery().vectors_shown());
    let units = hud.units;
    let ray = (*camera, (lens.fov_y_rad, viewport.aspect()), controls.cursor, drawn, vectors.len(), units);
    let surfaces = (planet.seen_surface(), planet.data());
    let of_cursor = || under_cursor((&camera, &lens, &viewport), controls.cursor, surfaces, vectors, units);
    hud.lines.extend_from_slice(kept.answer(ray, of_cursor));
    hud.lines.extend(Some(overlay_params.legend()).filter(|legend| !legend.is_empty()));
    if let (SunMode::At { unix_s }, true) = (light.0, sun_clock.plays) {
        let (time, speed, key) =
            (sun_clock::written(unix_s), sun_clock.speed().1, devices.keymap().key(Action::PlayTime));
        hud.lines.push(format!("time {time}   {speed}   {key} stops it"));
    }
    let [_, finest_m] = planet.postings_m();
    if hud.public_ground.is_some() && above_m < NEAR_M && finest_m > COARSE_M {
        let apart_km = finest_m / 1e3;
        hud.lines.push(format!("heights are {apart_km:.0} km apart: a right click downloads finer ground"));
    }
    if hud.figures == Figures::Times {
        hud.lines.push(times_line(&times, planet.report().triangles));
        hud.lines.extend(parts.lines());
        hud.lines.push(tiles_line("tiles", &planet.tiles()));
        hud.lines.extend(planet.shading_tiles().map(|tiles| tiles_line("shading tiles", &tiles)));
        hud.lines.push(tiles_line("water tiles", &planet.water_tiles()));
        hud.lines.extend(planet.imagery().counts().map(|tiles| tiles_line("imagery tiles", &tiles)));
    }
}

#[cfg(test)]
mod tests {
    use terrain::geodesy::Ellipsoid;

    use super::*;

    #[test]
    fn the_line_reads_well() {
        let pose = Pose { lat_deg: -33.86, lon_deg: 151.21, height_m: 12_345.6, heading_deg: 359.7, pitch_deg: -0.2 };
        let mut times = FrameTimes::default();
        times.add(0.02);
        times.add(9.0);
        assert_eq!(
            figures(&pose, 42.04, ("sea", Units::Metric)),
            "eye 33.8600° S  151.2100° E   42.0 m above ground  12.3 km above sea   heading 000°  pitch 0°"
        );
        let on_moon = figures(&pose, 42.04, (zero_of(Ellipsoid::MOON), Units::Imperial));
        assert!(on_moon.contains("   138 ft above ground  40 504 ft above zero   "), "{on_moon}");
        assert!(!figures(&Pose::HOME, 13e6, ("sea", Units::Metric)).contains("sea"));
        assert_eq!(times_line(&times, 84_213), "20.0 ms  50 fps   84 213 triangles");
    }
}
