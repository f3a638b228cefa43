//! What do keys do to the view?

use super::{
    ALPS,
    session::{DesktopSession, MIDDLE, Motion},
    view::{View, angle_deg, distance_m},
};

/// Holds a key until the view is as it should be: the view in which it comes to rest.
#[track_caller]
fn hold_key(session: &mut DesktopSession, key: &str, is_so: impl Fn(&View, &View) -> bool) -> [View; 2] {
    let before = session.view_at_rest();
    session.key(key, true);
    session.view_that(key, |view| is_so(&before, view));
    session.key(key, false);
    [before, session.view_at_rest()]
}

/// Law: arrow keys move the view as a map, the way that they point; what they keep of it, they keep. Held keys are let
/// go when the window loses the keyboard.
#[test]
fn arrow_keys_move_the_view() {
    let mut session = DesktopSession::new(Motion::Reduced, &ALPS);
    for (key, axis, sign) in [("Up", 0, 1.0), ("Right", 1, 1.0), ("Down", 0, -1.0), ("Left", 1, -1.0)] {
        let [from, to] = hold_key(&mut session, key, |a, b| sign * (b.eye[axis] - a.eye[axis]) > 0.3);
        let (along, across) = (to.eye[axis] - from.eye[axis], to.eye[1 - axis] - from.eye[1 - axis]);
        assert!(sign * along > 0.3 && across.abs() < 0.2 * along.abs(), "{key}: {from:?} {to:?}");
        assert!((to.eye[2] - from.eye[2]).abs() < 1.0 && to.pitch_deg == from.pitch_deg, "{key}: {from:?} {to:?}");
        assert!(angle_deg(to.heading_deg, 0.0) < 0.02, "{key}: {to:?}");
    }
    let before = session.view_at_rest();
    session.key("Up", true);
    session.view_that("Up", |view| view.eye[0] > before.eye[0] + 0.1);
    session.focus(false);
    session.key("Up", false);
    session.screenshot_at_rest();
    session.focus(true);
    let view = session.view();
    assert_eq!(session.view_at_rest(), view);
}

/// Law: plus comes closer to the middle of the picture and minus goes away from it; Page Up and Page Down tilt around
/// it.
#[test]
fn plus_minus_and_page_keys_keep_the_middle() {
    let mut session = DesktopSession::new(Motion::Reduced, &ALPS);
    let middle = session.place(MIDDLE);
    let away_m = |view: &View| distance_m(view.eye, middle);
    for (key, is_closer) in [("=", true), ("-", false)] {
        let [from, to] = hold_key(&mut session, key, |a, b| {
            if is_closer { away_m(b) < 0.6 * away_m(a) } else { away_m(b) > 1.5 * away_m(a) }
        });
        let now = session.place(MIDDLE);
        assert!(distance_m(middle, now) < 0.01 * away_m(&from), "{key}: {middle:?} {now:?}");
        assert!((to.pitch_deg - from.pitch_deg).abs() < 0.5, "{key}: {from:?} {to:?}");
    }
    let before = session.view_at_rest();
    session.press("+");
    let closer = session.view_at_rest();
    assert!(away_m(&closer) < away_m(&before), "{before:?} {closer:?}");
    for (key, sign) in [("PageUp", 1.0), ("PageDown", -1.0)] {
        let [from, to] = hold_key(&mut session, key, |a, b| sign * (b.pitch_deg - a.pitch_deg) > 4.0);
        let now = session.place(MIDDLE);
        assert!(distance_m(middle, now) < 0.01 * away_m(&from), "{key}: {middle:?} {now:?}");
        assert!((away_m(&to) / away_m(&from) - 1.0).abs() < 0.01, "{key}: {from:?} {to:?}");
    }
}

/// Law: W and S fly along the line of sight, A and D across it, E and Q up and down; the direction of sight stays.
#[test]
fn letters_fly() {
    let mut session = DesktopSession::new(Motion::Reduced, &["--at", "44.5,8,60000", "--look", "0,-45"]);
    let moved = |from: &View, to: &View, axis: usize| to.eye[axis] - from.eye[axis];
    for (key, axis, least) in
        [("w", 0, 0.02), ("s", 0, -0.02), ("d", 1, 0.02), ("a", 1, -0.02), ("e", 2, 2e3), ("q", 2, -2e3)]
    {
        let goes = |from: &View, to: &View| moved(from, to, axis) / least > 1.0;
        let [from, to] = hold_key(&mut session, key, goes);
        assert!(angle_deg(from.heading_deg, to.heading_deg) < 0.5, "{key}: {from:?} {to:?}");
        if "ws".contains(key) {
            // 45 degrees down: as far down as ahead.
            let ahead_m = 111e3 * moved(&from, &to, 0);
            assert!((moved(&from, &to, 2) / ahead_m + 1.0).abs() < 0.1, "{key}: {from:?} {to:?}");
        }
    }
}

/// Law: H goes to the first view, N turns north up, U looks straight down on the same middle and tilts again; Alt with
/// the arrows goes back to the views before, and forward again.
#[test]
fn letters_go_elsewhere_and_back() {
    let mut session = DesktopSession::new(Motion::Reduced, &["--at", "44.5,8,600000", "--look", "40,-60"]);
    let first = session.view_at_rest();
    session.press("n");
    let north = session.view_that("north", |view| angle_deg(view.heading_deg, 0.0) < 0.02);
    assert_eq!((north.eye, north.pitch_deg), (first.eye, first.pitch_deg));
    let middle = session.place(MIDDLE);
    session.press("u");
    let down = session.view_that("straight down", |view| view.pitch_deg < -89.9);
    assert!(distance_m(session.place(MIDDLE), middle) < 0.01 * first.eye[2]);
    session.press("u");
    let tilted = session.view_that("a tilted view", |view| view.pitch_deg > -80.0);
    assert!(distance_m(session.place(MIDDLE), middle) < 0.02 * first.eye[2]);
    for expected in [&down, &north, &first] {
        session.press("Alt+Left");
        let back = session.view_at_rest();
        assert!(back.is_near(expected), "{expected:?} {back:?}");
    }
    for expected in [&north, &down, &tilted] {
        session.press("Alt+Right");
        let on = session.view_at_rest();
        assert!(on.is_near(expected), "{expected:?} {on:?}");
    }
    for key in ["h", "Home"] {
        hold_key(&mut session, "Up", |a, b| b.eye[0] > a.eye[0] + 0.3);
        session.press(key);
        let home = session.view_at_rest();
        assert!(home.is_near(&first), "{key}: {first:?} {home:?}");
    }
}

/// Law: Ctrl+U makes a map of the view: straight down, with north up, the same place in the middle; once more, it is the
/// view that it was, and where the map has been moved, the same tilt over another place.
#[test]
fn a_view_is_a_map_and_back() {
    let mut session = DesktopSession::new(Motion::Reduced, &["--at", "44.5,8,600000", "--look", "40,-60"]);
    let first = session.view_at_rest();
    let middle = session.place(MIDDLE);
    session.press("Ctrl+u");
    let map = session.view_that("a map", |view| view.pitch_deg < -89.9);
    assert!(angle_deg(map.heading_deg, 0.0) < 0.02, "{map:?}");
    assert!(distance_m(session.place(MIDDLE), middle) < 0.01 * first.eye[2]);
    let [was_m, is_m] = [first, map].map(|view| distance_m(view.eye, middle));
    assert!((is_m / was_m - 1.0).abs() < 0.01, "{was_m} {is_m}");
    session.press("Ctrl+u");
    let back = session.view_that("a tilted view", |view| view.pitch_deg > -80.0);
    assert!(back.is_near(&first), "{first:?} {back:?}");
    session.press("Ctrl+u");
    session.view_that("a map", |view| view.pitch_deg < -89.9);
    hold_key(&mut session, "Up", |a, b| b.eye[0] > a.eye[0] + 1.0);
    session.press("Ctrl+u");
    let elsewhere = session.view_that("a tilted view", |view| view.pitch_deg > -80.0);
    assert!((elsewhere.pitch_deg - first.pitch_deg).abs() < 0.5, "{first:?} {elsewhere:?}");
    assert!(elsewhere.eye[0] > first.eye[0] + 0.5, "{first:?} {elsewhere:?}");
}

/// Law: a letter with Ctrl is not the letter: nothing moves, nothing is switched and nothing is saved by a chord that
/// does not exist.
#[test]
fn chords_are_no_letters() {
    let mut session = DesktopSession::new(Motion::Reduced, &["--at", "44.5,8,600000", "--look", "40,-60"]);
    let before = session.scene();
    let bound = ['c', 'd', 'f', 'h', 'm', 'o', 's', 'u', 'z'];
    for letter in ('a'..='z').chain('0'..='9').filter(|letter| !bound.contains(letter)) {
        session.press(&format!("Ctrl+{letter}"));
    }
    session.view_at_rest();
    assert_eq!(session.scene(), before);
    assert!(
        session.files("orogen", "").iter().all(|file| file.to_string_lossy().contains("scene")),
        "something is saved"
    );
}

/// Law: a command line that is copied draws the same view; keys of the user's own take the place of the usual ones.
#[test]
fn the_copied_command_line_shows_the_view() {
    let keys = r#"{"format": "orogen-settings", "version": 1, "settings": {"reduced_motion": true, "keys": {"home": ["J"]}, "overlays": []}}"#;
    let mut session = DesktopSession::with_settings(keys, &ALPS);
    let first = session.view_at_rest();
    hold_key(&mut session, "Right", |a, b| b.eye[1] > a.eye[1] + 0.5);
    session.press("h");
    let moved = session.view_at_rest();
    assert!(!moved.is_near(&first), "{moved:?}");
    let words = session.copied(|session| session.press("Ctrl+c"), true);
    let words: Vec<&str> = words.split(' ').skip(1).collect();
    let drawn = session.folder().join("drawn.png");
    let size = format!("{}x{}", super::session::SIZE_PX.0, super::session::SIZE_PX.1);
    let same = [&super::session::QUICK[..], &["--size", &size, "--overlays", "none"]].concat();
    let words = [&["render"], &words[..], &same, &["-o", drawn.to_str().unwrap()]].concat();
    tests::program::run(tests::program!(), &words).expect_code(0);
    let seen = session.saved("F10", "orogen", ".png");
    let [drawn, seen] = [drawn, seen].map(|file| image::open(file).unwrap().to_rgb8());
    let difference = tests::image_comparison::compare(&drawn, &seen).unwrap();
    assert!(difference.is_tolerable(), "{difference:?}");
    session.press("j");
    let home = session.view_at_rest();
    assert!(home.is_near(&first), "{first:?} {home:?}");
}
