//! What moves by itself, and how does it end? Glides, flights, records, and the program.

use super::{
    ALPS,
    session::{DesktopSession, Motion, json},
    view::{View, angle_deg, distance_m},
};

/// Law: a globe that is let go in motion glides on the same way, comes to rest, and north stays up; one that is held
/// still does not.
#[test]
fn the_globe_glides_on() {
    let mut session = DesktopSession::new(Motion::Full, &ALPS);
    let start = session.view_at_rest();
    session.drag(1, (400, 300), (300, 300));
    let held = session.view_at_rest();
    let by_hand = held.eye[1] - start.eye[1];
    assert!(by_hand > 0.2, "{start:?} {held:?}");
    session.point((400, 200));
    session.button_down(1);
    (1..=10).for_each(|step| session.point((400 - 10 * step, 200)));
    session.button_up(1);
    let thrown = session.view();
    let rested = session.view_at_rest();
    assert!(rested.eye[1] > thrown.eye[1] + 0.05, "{thrown:?} {rested:?}");
    assert!(rested.eye[1] - held.eye[1] > 1.05 * by_hand, "{by_hand}: {held:?} {rested:?}");
    assert!(angle_deg(rested.heading_deg, 0.0) < 0.02, "{rested:?}");
}

/// Law: Space stops a flight, and lets it go on to its end.
#[test]
fn space_stops_a_flight() {
    let mut session = DesktopSession::new(Motion::Full, &ALPS);
    let start = session.view_at_rest();
    session.press("/");
    session.write("sydney\n");
    let is_under_way = |view: &View| distance_m(view.eye, start.eye) > 1e3;
    session.view_that("a flight", is_under_way);
    session.press("Space");
    let stopped = session.view_at_rest();
    assert!(distance_m(stopped.eye, [-33.87, 151.2, 0.0]) > 1e6, "{stopped:?}");
    session.press("Space");
    let arrived = session.view_that("Sydney", |view| distance_m(view.eye, [-33.87, 151.2, 0.0]) < 2e5);
    assert!(arrived != stopped);
}

/// Law: P records the flight, and once more saves it as a path; R flies it again, from its first view to its last.
#[test]
fn flights_are_recorded_and_flown_again() {
    let mut session = DesktopSession::new(Motion::Reduced, &ALPS);
    let start = session.view_at_rest();
    session.press("p");
    session.view();
    session.key("Right", true);
    session.view_that("a way", |view| view.eye[1] > start.eye[1] + 0.5);
    session.key("Right", false);
    let end = session.view_at_rest();
    session.view();
    let path = json(&session.saved("p", "orogen-path", ".json"));
    let keys = path["keys"].as_array().unwrap_or_else(|| panic!("{path}"));
    let lon_deg = |key: usize| keys[key]["lon_deg"].as_f64().unwrap();
    assert!(keys.len() > 1 && (lon_deg(0) - start.eye[1]).abs() < 1e-3, "{path}");
    assert!((lon_deg(keys.len() - 1) - end.eye[1]).abs() < 1e-3, "{path}");
    session.press("h");
    session.view_that("home", |view| view.is_near(&start));
    session.press("r");
    let again = session.view_that("the end of the path", |view| view.is_near(&end));
    assert!(again.is_near(&end));
}

/// Law: Esc asks before it ends the program; who does not answer flies on, who answers by Enter or Esc ends it with
/// code 0.
#[test]
fn esc_asks_before_it_ends() {
    let mut session = DesktopSession::new(Motion::Reduced, &ALPS);
    session.press("n");
    let plain = session.screenshot_at_rest();
    session.press("Esc");
    let changed = |session: &DesktopSession| super::screenshots::differing(&plain, &session.screenshot(), 480..600);
    session.wait("a question", |session| (changed(session) > 500).then_some(()));
    session.gallery_shot_now("60-question", "Esc asks before it ends the program.");
    session.wait("the question to go", |session| (changed(session) == 0).then_some(()));
    session.press("Enter");
    session.view_at_rest();
    assert!(session.is_running());
    session.press("Esc");
    session.press("Enter");
    assert_eq!((session.wait_for_end(), session.stderr_so_far().as_str()), (Some(0), ""));
}

/// Law: the cross of the window ends the program with code 0, and keeps a recording that is under way.
#[test]
fn a_closed_window_keeps_the_recording() {
    let mut session = DesktopSession::new(Motion::Reduced, &ALPS);
    let start = session.view_at_rest();
    session.press("p");
    session.key("Up", true);
    session.view_that("a way", |view| view.eye[0] > start.eye[0] + 0.1);
    session.key("Up", false);
    session.close();
    assert_eq!(session.wait_for_end(), Some(0));
    let saved = session.files("orogen-path", ".json");
    assert!(
        saved.len() == 1 && session.stderr_so_far().starts_with("saved orogen-path"),
        "{saved:?} {}",
        session.stderr_so_far()
    );
}
