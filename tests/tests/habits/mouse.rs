//! What does the mouse do? Drags, wheel, clicks.

use rand::{Rng as _, rngs::StdRng};
use tests::random::rng;

use super::{
    ALPS,
    input::{FLY_PX, MEASURE_PX},
    measure::points,
    session::{DesktopSession, MIDDLE, Motion, json},
    view::{View, angle_deg, distance_m},
};

/// A place in the picture with room for the menu below and beside it.
pub fn random_point(rng: &mut StdRng) -> (i16, i16) {
    (rng.random_range(220..620), rng.random_range(120..370))
}

/// What a movement of the hand has to keep: a place in the middle of the picture, as far away.
#[track_caller]
fn expect_around([before, after]: [&View; 2], [middle, now]: [[f64; 3]; 2]) {
    let away_m = distance_m(before.eye, middle);
    assert!(distance_m(middle, now) < 0.01 * away_m, "{middle:?} {now:?}");
    assert!((distance_m(after.eye, middle) - away_m).abs() < 0.01 * away_m, "{before:?} {after:?}");
}

/// Law: a drag with the left button keeps the place under the cursor there, north up, and the eye as high; the wheel
/// brings that place closer, each notch by the same part, and keeps it there.
#[test]
fn drag_and_wheel_hold_the_place_under_the_cursor() {
    let mut rng = rng();
    let mut session = DesktopSession::new(Motion::Reduced, &ALPS);
    session.gallery_shot("01-start", "The start: a line tells what the mouse does, until it is used.");
    for _ in 0..2 {
        let (from, to, before) = (random_point(&mut rng), random_point(&mut rng), session.view_at_rest());
        let grabbed = session.place(from);
        session.drag(1, from, to);
        let (after, held) = (session.view_at_rest(), session.place(to));
        assert!(distance_m(grabbed, held) < 1e-3 * before.eye[2], "{from:?} {to:?}: {grabbed:?} {held:?}");
        assert!(angle_deg(after.heading_deg, 0.0) < 0.02, "{after:?}");
        assert!((after.eye[2] - before.eye[2]).abs() < 1.0, "{before:?} {after:?}");
    }
    session.gallery_shot("02-drag", "After two drags north is up.");
    // A server without a wheel tells each notch twice, as a button that goes down and up.
    let mut notch = None;
    for notches in [1, 3, -2] {
        let (at, before) = (random_point(&mut rng), session.view_at_rest());
        let place = session.place(at);
        session.wheel(at, notches);
        let (after, held) = (session.view_at_rest(), session.place(at));
        let [was_m, is_m] = [before, after].map(|view| distance_m(view.eye, place));
        assert!(distance_m(place, held) < 0.01 * is_m, "{at:?}: {place:?} {held:?}");
        let of_one = *notch.get_or_insert(is_m / was_m);
        assert!((0.6..0.85).contains(&of_one), "{was_m} {is_m}");
        assert!((is_m / was_m / of_one.powi(notches) - 1.0).abs() < 0.05, "{notches} notches: {was_m} {is_m}");
    }
    session.gallery_shot("03-wheel", "The wheel comes closer to the cursor.");
}

/// Law: a drag with the middle button, or with Ctrl and the left one, swings the eye around the place in the middle of
/// the picture, as far away; one with the right button turns the head, and the eye stays. A click on the compass turns
/// north up again.
#[test]
fn drags_swing_and_look_around() {
    let mut session = DesktopSession::new(Motion::Reduced, &ALPS);
    let start = session.view_at_rest();
    let middle = session.place(MIDDLE);
    session.drag(2, (300, 300), (420, 240));
    let swung = session.view_at_rest();
    expect_around([&start, &swung], [middle, session.place(MIDDLE)]);
    assert!(angle_deg(swung.heading_deg, start.heading_deg) > 10.0, "{swung:?}");
    assert!((swung.pitch_deg - start.pitch_deg).abs() > 5.0, "{swung:?}");
    session.gallery_shot("04-swing", "A drag with the middle button swings around the middle.");

    session.key("Ctrl", true);
    session.point((500, 200));
    session.button_down(1);
    session.point((520, 190));
    session.point((440, 150));
    session.key("Ctrl", false);
    session.view_at_rest();
    session.button_up(1);
    let again = session.view_at_rest();
    expect_around([&swung, &again], [middle, session.place(MIDDLE)]);
    assert!(angle_deg(again.heading_deg, swung.heading_deg) > 5.0, "{again:?}");

    session.drag(3, (400, 300), (460, 320));
    let looked = session.view_at_rest();
    assert_eq!(looked.eye, again.eye);
    assert!(angle_deg(looked.heading_deg, again.heading_deg) > 3.0, "{looked:?}");
    assert!((looked.pitch_deg - again.pitch_deg).abs() > 1.0, "{looked:?}");

    session.click(1, session.compass());
    let north = session.view_at_rest();
    assert!(angle_deg(north.heading_deg, 0.0) < 0.02 && north.eye == looked.eye, "{looked:?} {north:?}");
    assert_eq!(north.pitch_deg, looked.pitch_deg);
}

/// Law: a double click brings the place under the cursor to the middle of the picture and leaves less than half of the
/// distance; the tilt stays, and no marker is left. One step back leads to the view before.
#[test]
fn a_double_click_flies_closer() {
    let mut rng = rng();
    let mut session = DesktopSession::new(Motion::Reduced, &ALPS);
    let (at, before) = (random_point(&mut rng), session.view_at_rest());
    let place = session.place(at);
    session.double_click(at);
    let after = session.view_at_rest();
    let [was_m, is_m] = [before, after].map(|view| distance_m(view.eye, place));
    assert!(is_m < 0.5 * was_m, "{at:?}: {was_m} {is_m}");
    assert!(distance_m(session.place(MIDDLE), place) < 0.02 * is_m, "{at:?}");
    assert!((after.pitch_deg - before.pitch_deg).abs() < 0.1, "{before:?} {after:?}");
    session.gallery_shot("05-double-click", "A double click flies closer.");
    session.press("Ctrl+s");
    session.view_at_rest();
    assert!(session.files("orogen-markers", "").is_empty(), "a marker");
    session.press("Alt+Left");
    let back = session.view_at_rest();
    assert!(back.is_near(&before), "{before:?} {back:?}");
}

/// Law: a right click opens a menu of the place: "Fly here" brings it to the middle, "Measure from here" drops a marker
/// there, and Esc closes it; neither it nor other keys move the globe.
#[test]
fn a_right_click_opens_a_menu() {
    let mut rng = rng();
    let mut session = DesktopSession::new(Motion::Reduced, &ALPS);
    let (at, before) = (random_point(&mut rng), session.view_at_rest());
    let place = session.place(at);
    session.open_menu(at);
    session.gallery_shot("06-menu", "A right click opens the menu of a place.");
    // Keys are for the menu, not for the globe behind it.
    for key in ["Down", "Left", "Tab", "Esc"] {
        session.press(key);
    }
    assert_eq!(session.view_at_rest(), before);
    // The key opens it where the cursor is.
    session.point(at);
    session.open_menu_by(at, |session| session.press("Ctrl+m"));
    session.press("Esc");
    session.choose(at, MEASURE_PX);
    session.view_at_rest();
    let file = session.saved("Ctrl+s", "orogen-markers", ".geojson");
    let markers = points(&json(&file));
    assert!(markers.len() == 1 && distance_m(markers[0], place) < 0.01 * before.eye[2], "{place:?} {markers:?}");
    session.choose(at, FLY_PX);
    let after = session.view_that("another view", |view| *view != before);
    assert!(distance_m(session.place(MIDDLE), place) < 0.02 * distance_m(after.eye, place), "{place:?} {after:?}");
}
