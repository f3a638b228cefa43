//! What lies under the cursor? Place, height and the data it comes from.

use glam::DVec2;
use terrain::geodesy;
use terrain::height::Relief;

use super::figures::{metres, place};
use crate::camera::ground::pick;
use crate::camera::{Camera, Lens};
use crate::render::Viewport;

/// A line on the ground under the cursor; none where there is sky.
pub(super) fn under_cursor(
    camera: &Camera,
    lens: &Lens,
    viewport: &Viewport,
    cursor: DVec2,
    relief: &Relief,
) -> Option<String> {
    let ray = camera.ray(cursor.x, cursor.y, viewport.aspect(), lens.fov_y_rad);
    let height = |n| relief.sample(n).height_m;
    let n = geodesy::normal_at(pick(&height, camera.eye_m, ray)?);
    let (lat_rad, lon_rad) = geodesy::lat_lon(n);
    let sample = relief.sample(n);
    let source = relief.layers().get(sample.layer).map(|layer| layer.name.as_str()).unwrap_or_default();
    let place = place(lat_rad.to_degrees(), lon_rad.to_degrees());
    Some(format!("{place}   {} above sea   {source}", metres(sample.height_m)))
}
