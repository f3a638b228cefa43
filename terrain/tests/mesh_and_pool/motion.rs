//! How far does the drawn surface move from picture to picture? Meshes followed along flights, over a relief with detail everywhere.

use std::collections::{BTreeSet, HashMap};

use glam::DVec3;
use terrain::{
    View,
    bisection::bisected_edge,
    cube::CubePoint,
    geodesy::{Ellipsoid, Geodetic, n_vector},
    view::Occluder,
};

use super::reliefs::ROUGH;

/// Where the drawn surface has a vertex: its own place, or the middle of the edge that it would cut.
fn place_of(point: CubePoint, places: &HashMap<CubePoint, DVec3>) -> DVec3 {
    places.get(&point).copied().unwrap_or_else(|| {
        let ends = bisected_edge(point).expect("the corners of the cube are always drawn");
        0.5 * (place_of(ends[0], places) + place_of(ends[1], places))
    })
}

/// A mesh whose surface is followed.
pub trait SteppedMesh {
    /// Updates it until nothing changes any more.
    fn settle(&mut self, view: &View);
    /// Updates it once.
    fn step(&mut self, view: &View);
    /// Where each corner of the drawn triangles is, ECEF metres.
    fn places(&self, view: &View) -> HashMap<CubePoint, DVec3>;
}

/// Settles a mesh at the first of some views and updates it once for each of the others.
///
/// # Panics
/// If the surface moves anywhere by `most_px` or more from one view to the next.
pub fn measure_motion(mesh: &mut impl SteppedMesh, views: impl IntoIterator<Item = View>, most_px: f64) -> Motion {
    let mut views = views.into_iter();
    let first = views.next().expect("there is a view");
    mesh.settle(&first);
    let mut old = mesh.places(&first);
    let mut all = Motion { worst_px: 0.0, fresh: 0, gone: 0 };
    for view in views {
        mesh.step(&view);
        let new = mesh.places(&view);
        let Motion { worst_px, fresh, gone } = motion([&old, &new], &view);
        assert!(worst_px < most_px, "the surface moves by {worst_px} px at {view:?}");
        all = Motion { worst_px: all.worst_px.max(worst_px), fresh: all.fresh + fresh, gone: all.gone + gone };
        old = new;
    }
    all
}

/// From 300 km above the ground down, by a part of the height a step, and up again in as many steps.
pub fn down_and_up(steps: u32, part: f64) -> impl Iterator<Item = View> {
    let n = n_vector(0.6, 1.1);
    let ground_m = ROUGH.sample(n).height_m;
    let turns = std::iter::repeat_n(1.0 - part, steps as usize).chain(std::iter::repeat_n(1.0 + part, steps as usize));
    let first = std::iter::once(1.0);
    first.chain(turns).scan(300_000.0, move |height_m, times| {
        *height_m *= times;
        Some(View::perspective(
            Ellipsoid::WGS84.ecef(n, ground_m + *height_m),
            -n + 0.7 * n.any_orthonormal_vector(),
            n,
            1.0,
            (1280, 720),
        ))
    })
}

/// A metre above the ground at a place, in degrees, a centimetre aside with each step.
pub fn standing(lat: f64, lon: f64, steps: u32) -> impl Iterator<Item = View> {
    let n = Geodetic::from_degrees(lat, lon, 0.0).normal();
    let aside = n.any_orthonormal_vector();
    let ground_m = ROUGH.sample(n).height_m;
    (0..=steps).map(move |step| {
        View::perspective(
            Ellipsoid::WGS84.ecef(n, ground_m + 1.0) + aside * (0.01 * f64::from(step)),
            aside - 0.2 * n,
            n,
            1.0,
            (1280, 720),
        )
    })
}

/// How far the drawn surface moves at the vertices of either of two pictures, where the later one shows them.
pub struct Motion {
    /// Farthest move in pixels.
    pub worst_px: f64,
    /// Vertices in the picture that were not there before.
    pub fresh: usize,
    /// Vertices that are not there any more.
    pub gone: usize,
}

/// The camera's own motion is no part of it: places are those on Earth.
fn motion(places: [&HashMap<CubePoint, DVec3>; 2], view: &View) -> Motion {
    // Frames are widened so that a turning camera finds the ground refined: narrowed first, they are the picture.
    let narrow = view.with_fov_y_rad(2.0 * ((0.5 * view.fov_y_rad).tan() / 1.15).atan());
    let occluder = Occluder::around(&ROUGH, view.eye_m);
    let picture = narrow.frustum(occluder).unwrap();
    let pixels_per_radian = view.frustum(occluder).unwrap().pixels_per_radian;
    let points: BTreeSet<CubePoint> = places.iter().flat_map(|p| p.keys().copied()).collect();
    let mut motion = Motion { worst_px: 0.0, fresh: 0, gone: 0 };
    for point in points {
        let [before, after] = places.map(|places| place_of(point, places));
        let relative_m = after - view.eye_m;
        let height_m = Ellipsoid::WGS84.geodetic(after).height_m;
        if !picture.may_show(relative_m, 0.0) || picture.beyond_horizon(relative_m, height_m, 0.0, 0.0) {
            continue;
        }
        // In the picture: what comes straight towards the eye does not move there.
        let across_m = (after - before).cross(relative_m.normalize()).length();
        let moved_px = across_m / relative_m.length().max(0.5) * pixels_per_radian;
        motion.worst_px = motion.worst_px.max(moved_px);
        motion.fresh += usize::from(!places[0].contains_key(&point));
        motion.gone += usize::from(!places[1].contains_key(&point));
    }
    motion
}
