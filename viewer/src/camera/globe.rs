//! The globe in the hand: pan that keeps the grabbed point under the cursor, zoom to the cursor, orbit.

use std::f64::consts::FRAC_PI_2;

use glam::{DQuat, DVec3};
use terrain::geodesy;

use super::north::HeadingMode;
use super::state::{Attitude, Camera};

/// The eye never goes further out than this, metres above the datum.
pub const FARTHEST_M: f64 = 60_000_000.0;

/// One movement of the mouse pans no further than this many distances to the grabbed point.
const MOST_PAN_DISTANCES: f64 = 1.5;

/// Most rounds in which the eye of a view is found: from far out each leaves two thirds of the error.
const FACING_ROUNDS: usize = 60;

/// An orbit stays this far from the horizontal of its pivot, radians: the eye never dives below it.
const LOWEST_ORBIT_RAD: f64 = 0.02;

/// Turns the Earth under the camera until `grabbed` (ECEF metres) lies on the ray through the cursor.
///
/// `ray` gives the unit ray of the cursor for a camera. The turn is the smallest one around the centre
/// that takes the point where the ray meets the grabbed point's sphere to the grabbed point; the height
/// is kept, which on an ellipsoid moves the point a little, so a few rounds are made. A ray that misses
/// the sphere holds on to its limb. A heading that is kept against north is found by latitude and longitude instead.
pub fn pan(camera: &Camera, grabbed: DVec3, heading: HeadingMode, ray: impl Fn(&Camera) -> DVec3) -> Camera {
    let height_m = camera.height_m();
    let radius = grabbed.length();
    let mut moved = *camera;
    for _ in 0..6 {
        let direction = ray(&moved);
        let held = match sphere_span(moved.eye_m, direction, radius) {
            Some((t, _)) if t > 0.0 => moved.eye_m + direction * t,
            _ => limb(moved.eye_m, direction, radius),
        };
        moved = match heading.place(&moved, held, grabbed) {
            Some(n) => heading.transport(&moved, n, height_m),
            None => {
                let turn = DQuat::from_rotation_arc(held.normalize(), grabbed.normalize());
                moved.transported_to(camera.ellipsoid.normal_at(turn * moved.eye_m), height_m)
            }
        };
        if held.distance(grabbed) < 1e-9 * radius {
            break;
        }
    }
    // Near the horizon a pixel spans far more ground than is in front of it.
    let furthest = MOST_PAN_DISTANCES * camera.eye_m.distance(grabbed) / radius;
    let angle = camera.normal().angle_between(moved.normal());
    if angle <= furthest {
        return moved;
    }
    let part = DQuat::from_rotation_arc(camera.normal(), moved.normal());
    let n = DQuat::IDENTITY.slerp(part, furthest / angle) * camera.normal();
    heading.transport(camera, n, height_m)
}

/// The parts t >= 0 of a line inside a sphere around the origin; `ray` need not be a unit vector.
fn sphere_span(eye: DVec3, ray: DVec3, radius: f64) -> Option<(f64, f64)> {
    let a = ray.length_squared();
    let b = eye.dot(ray);
    let c = eye.length_squared() - radius * radius;
    let root = b * b - a * c;
    if root < 0.0 {
        return None;
    }
    let root = root.sqrt();
    let exit = (-b + root) / a;
    (exit > 0.0).then(|| (((-b - root) / a).max(0.0), exit))
}

/// The point of the sphere nearest to a ray that misses it.
fn limb(eye: DVec3, ray: DVec3, radius: f64) -> DVec3 {
    let nearest = eye + ray * (-eye.dot(ray)).max(0.0);
    nearest.normalize_or(eye.normalize()) * radius
}

/// Scales the distance to `target` (ECEF metres) by `factor`, keeping the target under the cursor and
/// heading and pitch against the ground. Far out, the pitch is lowered so that the Earth stays in view.
pub fn zoom(
    camera: &Camera,
    target: DVec3,
    factor: f64,
    fov_y_rad: f64,
    heading: HeadingMode,
    ray: impl Fn(&Camera) -> DVec3,
) -> Camera {
    let place = camera.ellipsoid.geodetic(target + (camera.eye_m - target) * factor);
    let n = geodesy::n_vector(place.lat_rad, place.lon_rad);
    let closer = heading.transport(camera, n, place.height_m.min(FARTHEST_M));
    let seen = earth_in_view(&closer, fov_y_rad);
    if seen == closer { pan(&closer, target, heading, ray) } else { seen }
}

/// Lowers the pitch until the horizon is at least a quarter of the picture below its upper edge; only
/// above 100 km, fading in to 1000 km.
fn earth_in_view(camera: &Camera, fov_y_rad: f64) -> Camera {
    let radius = camera.ellipsoid.ecef(camera.normal(), 0.0).length();
    let height_m = camera.height_m().max(0.0);
    let weight = ((height_m.max(1.0).ln() - 1e5f64.ln()) / (1e6f64.ln() - 1e5f64.ln())).clamp(0.0, 1.0);
    let dip = (radius / (radius + height_m)).acos();
    let highest = (0.25 * fov_y_rad - dip).max(-FRAC_PI_2);
    let pitch = camera.attitude().pitch_rad;
    if weight == 0.0 || pitch <= highest {
        return *camera;
    }
    camera.turned(0.0, (highest - pitch) * weight)
}

/// Swings the camera around `pivot` (ECEF metres): `yaw_rad` clockwise as seen from above, `pitch_rad`
/// up towards straight above the pivot, without roll and never below the pivot's horizontal.
pub fn orbit(camera: &Camera, pivot: DVec3, yaw_rad: f64, pitch_rad: f64) -> Camera {
    let n = camera.ellipsoid.normal_at(pivot);
    let arm = camera.eye_m - pivot;
    let Some(out) = arm.try_normalize() else { return *camera };
    // The horizontal direction to the pivot; the camera's own heading says it when right above.
    let heading = transported_heading(camera, n);
    let elevation = out.dot(n).clamp(-1.0, 1.0).asin();
    let wanted = (elevation + pitch_rad).clamp(LOWEST_ORBIT_RAD.min(elevation), FRAC_PI_2);
    let side = heading.cross(n);
    let swing = DQuat::from_axis_angle(n, -yaw_rad) * DQuat::from_axis_angle(side, elevation - wanted);
    let forward = swing * camera.forward();
    let up = swing * camera.up();
    let eye_m = pivot + swing * arm;
    let axes = glam::DMat3::from_cols(forward.cross(up), up, -forward);
    Camera { eye_m, orientation: DQuat::from_mat3(&axes).normalize(), ..*camera }.levelled()
}

/// Moves the eye over the ground by so many radians to the right and ahead in the picture, at its height.
pub fn slide(camera: &Camera, right_rad: f64, ahead_rad: f64, heading: HeadingMode) -> Camera {
    let n = camera.normal();
    let way = camera.right() * right_rad + camera.attitude().heading * ahead_rad;
    let there = match n.cross(way).try_normalize() {
        Some(axis) => (DQuat::from_axis_angle(axis, way.length()) * n).normalize(),
        None => n,
    };
    heading.transport(camera, there, camera.height_m())
}

/// The camera with `target` (ECEF metres) in the middle of the picture, `distance_m` away, at the same pitch. Where the ground curves
/// below the eye the pitch of the line of sight differs from place to place, so a few rounds are made.
pub fn facing(camera: &Camera, target: DVec3, distance_m: f64) -> Camera {
    let heading = HeadingMode::of(camera);
    let mut n = camera.ellipsoid.normal_at(target);
    let mut eye_m = camera.eye_m;
    for _ in 0..FACING_ROUNDS {
        let there = heading.transport(camera, n, camera.height_m());
        let next = target - there.forward() * distance_m;
        let step_m = next.distance(eye_m);
        eye_m = next;
        n = camera.ellipsoid.normal_at(eye_m);
        if step_m < 1e-9 * distance_m {
            break;
        }
    }
    heading.transport(camera, n, camera.ellipsoid.height_m(eye_m))
}

/// The camera's heading in the horizontal plane of another place.
fn transported_heading(camera: &Camera, n: DVec3) -> DVec3 {
    let Attitude { heading, .. } = camera.attitude();
    let turned = DQuat::from_rotation_arc(camera.normal(), n) * heading;
    (turned - n * turned.dot(n)).normalize_or(geodesy::east_north_up(n).1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Pose;
    use crate::terrain::flat;

    const FOV: f64 = 0.8;
    const ASPECT: f64 = 1.6;

    fn camera(lat_deg: f64, lon_deg: f64, height_m: f64, heading_deg: f64, pitch_deg: f64) -> Camera {
        Camera::from_pose(&Pose { lat_deg, lon_deg, height_m, heading_deg, pitch_deg })
    }

    /// Where a point is in the picture, in [-1, 1].
    fn project(camera: &Camera, point: DVec3) -> (f64, f64) {
        let p = camera.orientation.inverse() * (point - camera.eye_m);
        let half = (FOV * 0.5).tan();
        (p.x / -p.z / (half * ASPECT), p.y / -p.z / half)
    }

    /// Where a ray from the eye meets the sea.
    fn on_the_sea(camera: &Camera, ray: DVec3) -> DVec3 {
        let hit = flat(0.0).ray(camera.eye_m, ray, 1e8).expect("a short march").expect("sea");
        camera.eye_m + ray * hit.distance_m
    }

    #[test]
    fn the_grabbed_point_follows_the_cursor() {
        for (lat, lon) in [(0.0, 0.0), (89.95, 30.0), (-90.0, 0.0), (10.0, 179.99)] {
            for (height, pitch) in [(2_000.0, -40.0), (2_000.0, -90.0), (15_000_000.0, -90.0)] {
                let start = camera(lat, lon, height, 33.0, pitch);
                let grabbed = on_the_sea(&start, start.ray(0.1, -0.2, ASPECT, FOV));
                let (x, y) = (-0.25, 0.05);
                let moved = pan(&start, grabbed, HeadingMode::Free, |c| c.ray(x, y, ASPECT, FOV));
                let (px, py) = project(&moved, grabbed);
                // Half a pixel of a picture 2000 pixels wide.
                assert!((px - x).abs() < 5e-4 && (py - y).abs() < 5e-4, "{lat} {lon} {height} {pitch}: {px} {py}");
                assert!((moved.height_m() - height).abs() < 1e-3);
                assert!((moved.attitude().pitch_rad.to_degrees() - pitch).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn dragging_past_the_limb_stays_finite() {
        let start = camera(20.0, 20.0, 15_000_000.0, 0.0, -90.0);
        let grabbed = on_the_sea(&start, start.forward());
        let moved = pan(&start, grabbed, HeadingMode::of(&start), |c| c.ray(1.0, 1.0, ASPECT, FOV));
        assert!(moved.eye_m.is_finite() && moved.orientation.is_finite());
        assert!((moved.height_m() - 15_000_000.0).abs() < 1.0);
    }

    #[test]
    fn a_drag_over_the_horizon_does_not_leap() {
        let start = camera(20.0, 20.0, 100.0, 0.0, 0.0);
        let grabbed = on_the_sea(&start, start.ray(0.0, -0.5, ASPECT, FOV));
        let moved = pan(&start, grabbed, HeadingMode::of(&start), |c| c.ray(0.0, 0.3, ASPECT, FOV));
        let gone = moved.eye_m.distance(start.eye_m);
        assert!(gone > 1.0 && gone <= 1.51 * start.eye_m.distance(grabbed), "{gone}");
    }

    #[test]
    fn zoom_keeps_the_target_under_the_cursor() {
        for (height, pitch) in [(3_000.0, -35.0), (12_000_000.0, -90.0)] {
            let start = camera(46.0, 7.0, height, 10.0, pitch);
            let ray = |c: &Camera| c.ray(0.3, 0.2, ASPECT, FOV);
            let target = on_the_sea(&start, ray(&start));
            let closer = zoom(&start, target, 0.8, FOV, HeadingMode::of(&start), ray);
            let (x, y) = project(&closer, target);
            assert!((x - 0.3).abs() < 1e-3 && (y - 0.2).abs() < 1e-3, "{height}: {x} {y}");
            let ratio = closer.eye_m.distance(target) / start.eye_m.distance(target);
            assert!((ratio - 0.8).abs() < 0.05, "{height}: {ratio}");
        }
    }

    #[test]
    fn zooming_out_never_loses_the_earth() {
        let mut camera = camera(46.0, 7.0, 5_000.0, 10.0, 0.0);
        for _ in 0..80 {
            let target = camera.eye_m.normalize() * 6_371_000.0;
            camera = zoom(&camera, target, 1.25, FOV, HeadingMode::of(&camera), |c| c.forward());
        }
        assert!(camera.height_m() <= FARTHEST_M * 1.001);
        let to_centre = -camera.eye_m.normalize();
        let limb = (6_371_000.0 / camera.eye_m.length()).asin();
        assert!(camera.forward().dot(to_centre).acos() - limb < 0.5 * FOV, "the limb is in view");
    }

    /// Law: a sideways drag of a view with north up leaves north up, at any latitude where north is a direction and from any height,
    /// and the grabbed point is under the cursor all the same.
    #[test]
    fn north_stays_up_in_a_drag() {
        for lat in [-72.0, -20.0, 0.0, 46.0, 65.0, 75.0] {
            for (height, pitch) in [(2_000.0, -40.0), (300_000.0, -60.0), (13_000_000.0, -90.0)] {
                for heading_deg in [0.0, 3.0, 357.5] {
                    let mut now = camera(lat, 179.0, height, heading_deg, pitch);
                    assert_eq!(HeadingMode::of(&now), HeadingMode::North);
                    let grabbed = on_the_sea(&now, now.ray(0.2, -0.1, ASPECT, FOV));
                    let mut at = (0.2, -0.1);
                    for _ in 0..20 {
                        at = (at.0 - 0.02, at.1 + 0.002);
                        now = pan(&now, grabbed, HeadingMode::North, |c| c.ray(at.0, at.1, ASPECT, FOV));
                    }
                    let (pose, (x, y)) = (now.pose(), project(&now, grabbed));
                    let turned = (pose.heading_deg - heading_deg + 180.0).rem_euclid(360.0) - 180.0;
                    let case = format!("{lat} {height} {heading_deg}: {pose:?} {x} {y}");
                    assert!(turned.abs() < 1e-6 && (pose.pitch_deg - pitch).abs() < 1e-4, "{case}");
                    assert!((pose.height_m - height).abs() < 1e-2, "{case}");
                    assert!((x - at.0).abs() < 5e-4 && (y - at.1).abs() < 5e-4, "{case}");
                }
            }
        }
    }

    /// Law: a view turned away from north, or near a pole, is carried freely, so that nothing jumps where north is no direction.
    #[test]
    fn a_turned_view_and_a_pole_are_dragged_freely() {
        assert_eq!(HeadingMode::of(&camera(46.0, 7.0, 1e6, 20.0, -60.0)), HeadingMode::Free);
        assert_eq!(HeadingMode::of(&camera(89.0, 7.0, 1e6, 0.0, -60.0)), HeadingMode::Free);
        let mut now = camera(70.0, 20.0, 3e6, 0.0, -90.0);
        let (mut before, mut highest) = (now, 0f64);
        for _ in 0..80 {
            let grabbed = on_the_sea(&now, now.forward());
            now = pan(&now, grabbed, HeadingMode::of(&now), |c| c.ray(0.0, -0.05, ASPECT, FOV));
            let (turn, way) = (before.up().angle_between(now.up()), before.normal().angle_between(now.normal()));
            assert!(turn <= 1.01 * way + 1e-9 && way < 0.1, "{turn} {way}");
            highest = highest.max(now.pose().lat_deg);
            before = now;
        }
        assert!(highest > 89.0 && now.pose().lat_deg < 80.0, "over the pole: {highest} {:?}", now.pose());
    }

    /// Law: the place is in the middle, at the distance asked for, with the pitch and the heading against the ground that there were.
    #[test]
    fn facing_a_place_keeps_pitch_and_heading() {
        for (lat, heading_deg, pitch, height) in [
            (46.0, 0.0, -35.0, 20_000.0),
            (-60.0, 130.0, -70.0, 2e6),
            (27.0, 0.0, -90.0, 1.3e7),
            (10.0, 2.0, -12.0, 500.0),
        ] {
            let start = camera(lat, 178.0, height, heading_deg, pitch);
            let target = on_the_sea(&start, start.ray(0.3, -0.4, ASPECT, FOV));
            let distance_m = 0.25 * start.eye_m.distance(target);
            let there = facing(&start, target, distance_m);
            let to = target - there.eye_m;
            assert!((to.length() / distance_m - 1.0).abs() < 1e-4, "{}", to.length());
            assert!(to.normalize().dot(there.forward()) > 1.0 - 1e-8);
            assert!((there.pose().pitch_deg - pitch).abs() < 1e-4, "{:?}", there.pose());
            if HeadingMode::of(&start) == HeadingMode::North {
                let turned = (there.pose().heading_deg - heading_deg + 180.0).rem_euclid(360.0) - 180.0;
                assert!(turned.abs() < 1e-6, "{:?}", there.pose());
            }
        }
    }

    /// Law: a slide to the right with north up follows the parallel's direction and keeps height, heading and pitch.
    #[test]
    fn a_slide_moves_the_eye_over_the_ground() {
        let start = camera(46.0, 7.0, 5e5, 0.0, -40.0);
        let right = slide(&start, 0.01, 0.0, HeadingMode::North).pose();
        assert!(right.lon_deg > 7.5 && right.heading_deg.min(360.0 - right.heading_deg) < 1e-6, "{right:?}");
        let up = slide(&start, 0.0, 0.01, HeadingMode::North).pose();
        assert!((up.lat_deg - 46.0 - 0.01f64.to_degrees()).abs() < 1e-3 && (up.height_m - 5e5).abs() < 1e-3, "{up:?}");
        assert_eq!(slide(&start, 0.0, 0.0, HeadingMode::Free).normal(), start.normal());
    }

    #[test]
    fn an_orbit_keeps_distance_and_looks_at_the_pivot() {
        let start = camera(-20.0, -68.0, 9_000.0, 300.0, -45.0);
        let pivot = on_the_sea(&start, start.forward());
        let moved = orbit(&start, pivot, 0.7, 0.2);
        assert!((moved.eye_m.distance(pivot) - start.eye_m.distance(pivot)).abs() < 1e-3);
        assert!((pivot - moved.eye_m).normalize().dot(moved.forward()) > 1.0 - 1e-6);
        assert!(moved.right().dot(moved.normal()).abs() < 1e-9, "no roll");
        let far = orbit(&start, pivot, 0.0, -10.0);
        assert!(far.height_m() > 0.0, "not under the pivot");
        let top = orbit(&start, pivot, 0.0, 10.0);
        assert!((top.attitude().pitch_rad + FRAC_PI_2).abs() < 1e-2, "straight above");
    }
}
