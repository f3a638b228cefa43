//! Do labels stand where they can be read, and stay?

use std::sync::{Arc, LazyLock};
use terrain::geodesy::Ellipsoid;

use terrain::height::{GlobalGrid, Registration, Relief};
use terrain::surface::Surface;
use terrain::water::Water;

use super::*;
use crate::camera::{Camera, Lens, Pose};
use crate::frame::Viewport;
use crate::terrain::{FeatureLabels, OcclusionTolerance};

/// Ridges 2 000 m high from south to north, 0.5 degrees apart, on a plain of 1 000 m.
fn ridges() -> Surface {
    let height = |lon: f64, lat: f64| 2_000.0 + 1_000.0 * (720.0 * lon.to_radians()).sin() + 20.0 * lat;
    let grid = GlobalGrid::from_fn(7200, 361, Registration::Node, height);
    Surface::new(Arc::new(Relief::from_grid(grid).expect("a grid")))
}

const LENS: Lens = Lens { fov_y_rad: 0.8 };
const VIEWPORT: Viewport = Viewport { size_px: (1280, 720), pixels_per_point: 1.0 };

/// Nothing is written beside features.
static NO_FEATURES: LazyLock<FeatureLabels> = LazyLock::new(FeatureLabels::default);

fn eye<'a>(camera: &'a Camera, surface: &'a Surface) -> LabelView<'a> {
    LabelView { camera, lens: &LENS, viewport: &VIEWPORT, surface, seen: surface, water: None, features: &NO_FEATURES }
}

fn overlay_params(height_m: f64) -> OverlayParams {
    let pixel_m = height_m * LENS.fov_y_rad / f64::from(VIEWPORT.size_px.1);
    Overlays::parse("contours,graticule").expect("names").overlay_params(Ellipsoid::WGS84, pixel_m, f64::INFINITY, 1.0)
}

fn low(lon_deg: f64) -> Camera {
    let pose = Pose { lat_deg: 10.0, lon_deg, height_m: 12_000.0, heading_deg: 70.0, pitch_deg: -25.0 };
    Camera::from_pose(&pose)
}

/// Law: where coarse data are above the sea in places of it, their contours have no labels, as they have no lines; without water they have.
#[test]
fn contours_of_land_have_no_labels_in_the_sea() {
    let height = |lon: f64, lat: f64| 100.0 + 60.0 * (720.0 * lon.to_radians()).sin() + 0.1 * lat;
    let grid = GlobalGrid::from_fn(7200, 361, Registration::Node, height);
    let surface = Surface::new(Arc::new(Relief::from_grid(grid).expect("a grid")));
    // In the middle of the Pacific, and of Africa.
    for (lon_deg, is_sea) in [(-150.0, true), (20.0, false)] {
        let camera = low(lon_deg);
        let count = |water| {
            let eye = LabelView { water, ..eye(&camera, &surface) };
            let mut labels = Labels::default();
            labels.update(&eye, &overlay_params(1_000.0), 100.0, LabelBudget::SETTLED, 0.0);
            let is_contour = |label: &&Label| matches!(label.anchor.subject, Subject::Contour(_));
            labels.standing.iter().filter(is_contour).count()
        };
        let (dry, wet) = (count(None), count(Some(Water::earth())));
        assert!(dry > 3, "{dry}");
        assert_eq!(wet, if is_sea { 0 } else { dry });
    }
}

/// Law: labels are apart, in the picture, on lines that are drawn, and none is behind a ridge.
#[test]
fn labels_stand_apart_where_they_are_seen() {
    let surface = ridges();
    let camera = low(20.0);
    let eye = eye(&camera, &surface);
    let mut labels = Labels::default();
    labels.update(&eye, &overlay_params(10_000.0), 2_000.0, LabelBudget::SETTLED, 0.0);
    let standing = &labels.standing;
    let contours = standing.iter().filter(|label| matches!(label.anchor.subject, Subject::Contour(_))).count();
    assert!(contours > 8 && standing.len() - contours > 8, "{contours} of {}", standing.len());
    assert!(!labels.are_changing());
    for (index, one) in standing.iter().enumerate() {
        assert!(
            one.at.inside(eye.size_pt())
                && !eye.is_hidden(one.anchor.position_m, OcclusionTolerance::NEW)
                && one.opacity == 1.0
        );
        assert!(one.at.along.x >= UPWARDS * one.at.along.y, "upright");
        assert!(standing[..index].iter().all(|other| !other.at.overlaps(&one.at)));
    }
}

/// Law: around a pole parallels are named, and the meridians that are drawn there, whatever the heading.
#[test]
fn labels_reach_the_poles() {
    let surface = ridges();
    for (lat_deg, heading_deg) in [(89.9, 0.0), (89.9, 100.0), (-89.9, 220.0), (86.0, 0.0)] {
        let pose = Pose { lat_deg, lon_deg: 10.0, height_m: 900_000.0, heading_deg, pitch_deg: -90.0 };
        let camera = Camera::from_pose(&pose);
        let eye = eye(&camera, &surface);
        let mut labels = Labels::default();
        labels.update(&eye, &overlay_params(pose.height_m), 2_000.0, LabelBudget::SETTLED, 0.0);
        let count =
            |is_one: fn(Subject) -> bool| labels.standing.iter().filter(|label| is_one(label.anchor.subject)).count();
        let parallels = count(|subject| matches!(subject, Subject::Parallel(_)));
        let meridians = count(|subject| matches!(subject, Subject::Meridian(_)));
        assert!(parallels >= 1 && meridians >= 3, "{lat_deg}: {parallels} parallels, {meridians} meridians");
    }
}

/// Law: names of what is known far enough are there, the better known first, apart from each other and on this side of the Earth; nearer
/// there are others, and none unless asked for.
#[test]
fn names_suit_the_distance() {
    let surface = Surface::new(Arc::new(
        Relief::from_grid(GlobalGrid::from_fn(36, 19, Registration::Node, |_, _| 100.0)).expect("a grid"),
    ));
    let asked = Overlays::parse("names").expect("a name").overlay_params(Ellipsoid::WGS84, 1_000.0, f64::INFINITY, 1.0);
    let names = |height_m: f64, asked: &OverlayParams| -> Vec<&str> {
        let pose = Pose { lat_deg: 48.0, lon_deg: 9.0, height_m, heading_deg: 0.0, pitch_deg: -90.0 };
        let camera = Camera::from_pose(&pose);
        let eye = eye(&camera, &surface);
        let mut labels = Labels::default();
        labels.update(&eye, asked, 100.0, LabelBudget::SETTLED, 0.0);
        for (index, one) in labels.standing.iter().enumerate() {
            assert!(one.at.inside(eye.size_pt()) && eye.facing(one.anchor.position_m, one.anchor.up) > 0.0);
            assert!(labels.standing[..index].iter().all(|other| !other.at.overlaps(&one.at)));
        }
        labels.standing.iter().filter_map(|label| Some(label.anchor.subject.place()?.name)).collect()
    };
    let (globe, europe, valley) = (names(2.5e7, &asked), names(1.8e6, &asked), names(1.5e5, &asked));
    assert!(globe.contains(&"Africa") && !globe.contains(&"Zürich"), "{globe:?}");
    assert!(europe.contains(&"Germany") && europe.contains(&"Paris") && !europe.contains(&"Africa"), "{europe:?}");
    assert!(!valley.is_empty() && !valley.contains(&"Germany"), "{valley:?}");
    assert!([&globe, &europe].iter().all(|names| (5..=MOST).contains(&names.len())), "{globe:?} {europe:?}");
    let none = Overlays::default().overlay_params(Ellipsoid::WGS84, 1_000.0, f64::INFINITY, 1.0);
    assert_eq!(names(1.8e6, &none), [""; 0]);
}

/// Law: a name that stands beside a pin is not written again, all others stay as they are.
#[test]
fn what_is_pinned_is_written_once() {
    let surface = Surface::new(Arc::new(
        Relief::from_grid(GlobalGrid::from_fn(36, 19, Registration::Node, |_, _| 100.0)).expect("a grid"),
    ));
    let asked = Overlays::parse("names").expect("a name").overlay_params(Ellipsoid::WGS84, 1_000.0, f64::INFINITY, 1.0);
    let pose = Pose { lat_deg: 48.0, lon_deg: 9.0, height_m: 1.8e6, heading_deg: 0.0, pitch_deg: -90.0 };
    let camera = Camera::from_pose(&pose);
    let eye = eye(&camera, &surface);
    let names = |labels: &mut Labels, pinned: Option<(&str, DVec3)>| {
        labels.leave_out(pinned);
        labels.update(&eye, &asked, 100.0, LabelBudget::SETTLED, 0.0);
        labels.standing.iter().map(|label| label.anchor).collect::<Vec<_>>()
    };
    let all = names(&mut Labels::default(), None);
    let has = |anchors: &[LabelAnchor], one: &LabelAnchor| anchors.iter().any(|anchor| anchor.subject == one.subject);
    for anchor in all.iter().step_by(5) {
        let title = anchor.subject.place().expect("a place").title();
        let mut labels = Labels::default();
        names(&mut labels, None);
        let rest = names(&mut labels, Some((&title, anchor.up)));
        assert!(!has(&rest, anchor), "{title}");
        assert!(all.iter().all(|one| one.subject == anchor.subject || has(&rest, one)));
        // The place of the same name elsewhere is another one.
        assert!(has(&names(&mut Labels::default(), Some((&title, -anchor.up))), anchor), "{title}");
    }
}

/// Law: no label stands where boxes are drawn over the picture; those that stood there go, and the others stay.
#[test]
fn boxes_have_no_labels_under_them() {
    let surface = ridges();
    let asked =
        Overlays::parse("names,graticule").expect("names").overlay_params(Ellipsoid::WGS84, 20.0, f64::INFINITY, 1.0);
    let pose = Pose { lat_deg: 46.0, lon_deg: 9.0, height_m: 900_000.0, heading_deg: 0.0, pitch_deg: -90.0 };
    let camera = Camera::from_pose(&pose);
    let eye = eye(&camera, &surface);
    let size_pt = eye.size_pt();
    let mut labels = Labels::default();
    let subjects = |labels: &mut Labels| {
        labels.update(&eye, &asked, 100.0, LabelBudget::SETTLED, 0.0);
        labels.standing.iter().map(|label| (label.anchor.subject, label.at)).collect::<Vec<_>>()
    };
    let all = subjects(&mut labels);
    let corner = OrientedRect { centre: 0.25 * size_pt, along: DVec2::X, half: 0.25 * size_pt };
    let under = all.iter().filter(|(_, at)| corner.overlaps(at)).count();
    assert!(under > 2 && under + 2 < all.len(), "{under} of {}", all.len());
    for fresh in [false, true] {
        let mut labels = if fresh { Labels::default() } else { std::mem::take(&mut labels) };
        labels.keep_out([(corner.centre, corner.half)]);
        let left = subjects(&mut labels);
        assert!(left.iter().all(|(_, at)| !corner.overlaps(at)));
        let kept = |subject: &Subject| left.iter().any(|(other, _)| other == subject);
        assert!(fresh || all.iter().all(|(subject, at)| corner.overlaps(at) || kept(subject)));
    }
}

/// Law: names that ridges hide take no ray for ever: with the eye at rest the frames come to an end, with all labels that a final picture
/// has; and on the way to a place its name comes down to the ground with the eye.
#[test]
fn names_settle_and_follow_the_eye() {
    let surface = ridges();
    let asked =
        Overlays::parse("names,graticule").expect("names").overlay_params(Ellipsoid::WGS84, 20.0, f64::INFINITY, 1.0);
    // South of Milan, among the ridges.
    let pose = Pose { lat_deg: 45.0, lon_deg: 9.0, height_m: 3_500.0, heading_deg: 0.0, pitch_deg: -3.0 };
    let camera = Camera::from_pose(&pose);
    let eye_low = eye(&camera, &surface);
    let of = |labels: &Labels| {
        let mut names: Vec<_> =
            labels.standing.iter().filter_map(|label| label.anchor.subject.place()).map(|p| p.name).collect();
        names.sort_unstable();
        names
    };
    let (mut frames, mut final_picture) = (Labels::default(), Labels::default());
    let calm = (0..400).find(|_| {
        frames.update(&eye_low, &asked, 1_900.0, LabelBudget::FRAME, 0.1);
        !frames.are_changing()
    });
    final_picture.update(&eye_low, &asked, 1_900.0, LabelBudget::SETTLED, 0.0);
    assert!(calm.is_some() && frames.names.hidden_count() > 2, "{calm:?}, {} hidden", frames.names.hidden_count());
    assert_eq!(of(&frames), of(&final_picture));

    let mut labels = Labels::default();
    for height_m in [3e6, 1e6, 3e5, 1e5, 3e4] {
        let camera =
            Camera::from_pose(&Pose { lat_deg: 45.47, lon_deg: 9.18, height_m, heading_deg: 0.0, pitch_deg: -90.0 });
        let eye = eye(&camera, &surface);
        labels.update(&eye, &asked, 1_900.0, LabelBudget::SETTLED, 0.0);
        let is_milan = |label: &&Label| label.anchor.subject.place().is_some_and(|place| place.name == "Milan");
        let milan = labels.standing.iter().find(is_milan).expect("Milan");
        let above_m = Ellipsoid::WGS84.geodetic(milan.anchor.position_m).height_m - surface.height_m(milan.anchor.up);
        assert!(above_m.abs() < 1e-3 * height_m + 1.0, "{above_m} m above the ground from {height_m} m");
    }
}

/// Law: in a flight a label that has come stays until it leaves the picture, a ridge covers it or others come too near,
/// and does not come back.
#[test]
fn labels_do_not_flicker_in_flight() {
    let surface = ridges();
    let mut labels = Labels::default();
    let mut standing: Vec<LabelAnchor> = Vec::new();
    let mut went: Vec<LabelAnchor> = Vec::new();
    let (mut left, mut hidden, mut else_gone, mut back) = (0, 0, 0, 0);
    for frame in 0..240 {
        // 50 m a frame.
        let camera = low(20.0 + f64::from(frame) * 4.5e-4);
        let eye = eye(&camera, &surface);
        labels.update(&eye, &overlay_params(10_000.0), 2_000.0, LabelBudget::FRAME, 1.0 / 60.0);
        let now: Vec<LabelAnchor> = labels.standing.iter().map(|label| label.anchor).collect();
        for gone in standing.iter().filter(|anchor| !now.contains(anchor)) {
            // They have faded for a quarter of a second.
            let outside = |at: OrientedRect| !at.grown(LEAST_EDGE_PT + 40.0).inside(eye.size_pt());
            if on_screen(&eye, gone).is_none_or(outside) {
                left += 1;
            } else if eye.is_hidden(gone.position_m, OcclusionTolerance::NEW) {
                hidden += 1;
            } else {
                else_gone += 1;
            }
            went.push(*gone);
        }
        back += now.iter().filter(|anchor| !standing.contains(anchor) && went.contains(anchor)).count();
        standing = now;
    }
    let told = format!("{} stand, {left} left, {hidden} hidden, {else_gone} otherwise, {back} back", standing.len());
    assert!(standing.len() > 12 && left > 5, "{told}");
    assert!(else_gone * 5 <= went.len() && back * 20 <= went.len(), "{told}");
}

/// Law: lines that are no longer drawn lose their labels, at once where time stands still.
#[test]
fn labels_go_with_their_lines() {
    let surface = ridges();
    let camera = low(20.0);
    let mut labels = Labels::default();
    let eye = eye(&camera, &surface);
    labels.update(&eye, &overlay_params(10_000.0), 2_000.0, LabelBudget::SETTLED, 0.0);
    let bare = Overlays::default().overlay_params(Ellipsoid::WGS84, 10.0, f64::INFINITY, 1.0);
    labels.update(&eye, &bare, 2_000.0, LabelBudget::FRAME, 0.1);
    assert!(labels.are_changing() && labels.standing.iter().all(|label| (label.opacity - 0.6).abs() < 1e-9));
    labels.update(&eye, &bare, 2_000.0, LabelBudget::SETTLED, 0.0);
    assert!(labels.standing.is_empty() && !labels.are_changing());
}
