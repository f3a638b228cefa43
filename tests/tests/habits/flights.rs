//! What moves by itself, and how does it end? Glides, flights, records, and the program.

use super::{
    ALPS,
    desk::{Desk, Motion, json},
    view::{View, angle_deg, distance_m},
};

/// Law: a globe that is let go in motion glides on the same way, comes to rest, and north stays up; one that is held
/// still does not.
#[test]
fn the_globe_glides_on() {
    let mut desk = Desk::new(Motion::Full, &ALPS);
    let start = desk.rest();
    desk.drag(1, (400, 300), (300, 300));
    let held = desk.rest();
    let by_hand = held.eye[1] - start.eye[1];
    assert!(by_hand > 0.2, "{start:?} {held:?}");
    desk.point((400, 200));
    desk.button_down(1);
    (1..=10).for_each(|step| desk.point((400 - 10 * step, 200)));
    desk.button_up(1);
    let thrown = desk.view();
    let rested = desk.rest();
    assert!(rested.eye[1] > thrown.eye[1] + 0.05, "{thrown:?} {rested:?}");
    assert!(rested.eye[1] - held.eye[1] > 1.05 * by_hand, "{by_hand}: {held:?} {rested:?}");
    assert!(angle_deg(rested.heading_deg, 0.0) < 0.02, "{rested:?}");
}

/// Law: Space stops a flight, and lets it go on to its end.
#[test]
fn space_stops_a_flight() {
    let mut desk = Desk::new(Motion::Full, &ALPS);
    let start = desk.rest();
    desk.press("/");
    desk.write("sydney\n");
    let is_under_way = |view: &View| distance_m(view.eye, start.eye) > 1e3;
    desk.view_that("a flight", is_under_way);
    desk.press("Space");
    let stopped = desk.rest();
    assert!(distance_m(stopped.eye, [-33.87, 151.2, 0.0]) > 1e6, "{stopped:?}");
    desk.press("Space");
    let arrived = desk.view_that("Sydney", |view| distance_m(view.eye, [-33.87, 151.2, 0.0]) < 2e5);
    assert!(arrived != stopped);
}

/// Law: P records the flight, and once more saves it as a path; R flies it again, from its first view to its last.
#[test]
fn flights_are_recorded_and_flown_again() {
    let mut desk = Desk::new(Motion::Reduced, &ALPS);
    let start = desk.rest();
    desk.press("p");
    desk.view();
    desk.key("Right", true);
    desk.view_that("a way", |view| view.eye[1] > start.eye[1] + 0.5);
    desk.key("Right", false);
    let end = desk.rest();
    desk.view();
    let path = json(&desk.saved("p", "orogen-path", ".json"));
    let keys = path["keys"].as_array().unwrap_or_else(|| panic!("{path}"));
    let lon_deg = |key: usize| keys[key]["lon_deg"].as_f64().unwrap();
    assert!(keys.len() > 1 && (lon_deg(0) - start.eye[1]).abs() < 1e-3, "{path}");
    assert!((lon_deg(keys.len() - 1) - end.eye[1]).abs() < 1e-3, "{path}");
    desk.press("h");
    desk.view_that("home", |view| view.is_near(&start));
    desk.press("r");
    let again = desk.view_that("the end of the path", |view| view.is_near(&end));
    assert!(again.is_near(&end));
}

/// Law: Esc asks before it ends the program; who does not answer flies on, who answers by Enter or Esc ends it with
/// code 0.
#[test]
fn esc_asks_before_it_ends() {
    let mut desk = Desk::new(Motion::Reduced, &ALPS);
    desk.press("n");
    let plain = desk.see_still();
    desk.press("Esc");
    let changed = |desk: &Desk| super::eyes::differing(&plain, &desk.see(), 480..600);
    desk.wait("a question", |desk| (changed(desk) > 500).then_some(()));
    desk.shoot_now("60-question", "Esc asks before it ends the program.");
    desk.wait("the question to go", |desk| (changed(desk) == 0).then_some(()));
    desk.press("Enter");
    desk.rest();
    assert!(desk.runs());
    desk.press("Esc");
    desk.press("Enter");
    assert_eq!((desk.wait_for_end(), desk.said().as_str()), (Some(0), ""));
}

/// Law: the cross of the window ends the program with code 0, and keeps a recording that is under way.
#[test]
fn a_closed_window_keeps_the_recording() {
    let mut desk = Desk::new(Motion::Reduced, &ALPS);
    let start = desk.rest();
    desk.press("p");
    desk.key("Up", true);
    desk.view_that("a way", |view| view.eye[0] > start.eye[0] + 0.1);
    desk.key("Up", false);
    desk.close();
    assert_eq!(desk.wait_for_end(), Some(0));
    let saved = desk.files("orogen-path", ".json");
    assert!(saved.len() == 1 && desk.said().starts_with("saved orogen-path"), "{saved:?} {}", desk.said());
}
