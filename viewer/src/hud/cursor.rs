//! What lies under the cursor? Place, height, slope and the data they come from.

use glam::{DVec2, DVec3};
use terrain::geodesy::Ellipsoid;
use terrain::surface::Surface;

use super::picked::picked;
use crate::annotations::{Units, place};
use crate::camera::{Camera, Lens};
use crate::frame::Viewport;
use crate::terrain::{REACH_M, VectorLayer, layer_title};

/// A line on what the data say of the ground under the cursor, and one on the user's feature there; none where there is sky.
pub(super) fn under_cursor(
    (camera, lens, viewport): (&Camera, &Lens, &Viewport),
    cursor: DVec2,
    (drawn, data): (&Surface, &Surface),
    layers: &[VectorLayer],
    units: Units,
) -> Vec<String> {
    let ray = camera.ray(cursor.x, cursor.y, viewport.aspect(), lens.fov_y_rad);
    // Data too fine for so long a ray have no answer in the time of a frame.
    let Some(hit) = drawn.ray(camera.eye_m, ray, REACH_M).ok().flatten() else { return Vec::new() };
    let place = place(hit.place.lat_rad.to_degrees(), hit.place.lon_rad.to_degrees());
    let (_, told) = describe_ground(data, hit.place.normal(), units);
    let features = picked(layers, &hit, drawn, (camera, lens, viewport));
    let ground = format!("cursor {place}   {told}");
    [ground].into_iter().chain(features.first().map(|feature| format!("on {}", feature.line()))).collect()
}

/// What heights of a body are above.
pub(super) fn zero_of(ellipsoid: Ellipsoid) -> &'static str {
    if ellipsoid == Ellipsoid::WGS84 { "sea" } else { "zero" }
}

/// What the data say of the ground at a geodetic normal: its height in metres, and a line of height, slope and source.
pub(super) fn describe_ground(data: &Surface, n: DVec3, units: Units) -> (f64, String) {
    let ground = data.ground(n);
    let layer = data.relief().layers().get(ground.provenance.layer);
    let slope_deg = ground.slope_rad.to_degrees();
    let source = layer.map(|layer| layer_title(&layer.name)).unwrap_or_default();
    let height = units.height(ground.height_m.abs());
    let side = if ground.height_m < 0.0 { "below" } else { "above" };
    let zero = zero_of(data.relief().ellipsoid());
    (ground.height_m, format!("{height} {side} {zero}   slope {slope_deg:.0}°   {source}"))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use terrain::height::{GlobalGrid, Registration, Relief};

    use super::*;
    use crate::camera::Pose;

    /// Law: the line is about the first ground on the ray, higher than any on Earth too.
    #[test]
    fn the_first_ground_counts_and_the_sky_has_none() {
        // A table mountain 12 km high, from 1 to 2 degrees east.
        let height = |lon: f64, _| if (1.0..=2.0).contains(&lon) { 12_000.0 } else { 0.0 };
        let relief = Relief::from_grid(GlobalGrid::from_fn(1440, 721, Registration::Node, height)).expect("a grid");
        let surface = Surface::new(Arc::new(relief));
        let line = |pitch_deg: f64| {
            let pose = Pose { lat_deg: 0.0, lon_deg: 0.0, height_m: 20_000.0, heading_deg: 90.0, pitch_deg };
            let viewport = Viewport { size_px: (800, 600), pixels_per_point: 1.0 };
            let lens = Lens { fov_y_rad: 0.8 };
            let camera = Camera::from_pose(&pose);
            under_cursor((&camera, &lens, &viewport), DVec2::ZERO, (&surface, &surface), &[], Units::Metric)
                .first()
                .cloned()
        };
        // The way to the mountain's top is 8 km down in about 125 km.
        let on_top = line(-3.6).expect("the mountain");
        assert!(on_top.contains("12.0 km above sea") && on_top.contains("1."), "{on_top}");
        assert!(line(-60.0).expect("the plain").contains("0.0 m above sea   slope 0°"));
        assert_eq!(line(5.0), None);
    }
}
