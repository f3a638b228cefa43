//! Do devices say what hands do?

use proptest::prelude::*;
use winit::dpi::PhysicalPosition;
use winit::event::{DeviceId, TouchPhase};

use super::*;

/// Law: what stays on one screen stays on another one, by points: fingers and buttons tap and click alike at every scale, also after all is
/// let go.
#[test]
fn hands_are_as_steady_on_every_screen() {
    for scale in [1.0, 2.0, 3.0] {
        let mut devices = Devices::default();
        devices.scale_to(scale);
        devices.release();
        for (way_pt, stays) in [(13.0, true), (15.0, false)] {
            let now = Instant::now();
            for (phase, x_pt) in
                [(TouchPhase::Started, 100.0), (TouchPhase::Moved, 100.0 + way_pt), (TouchPhase::Ended, 100.0 + way_pt)]
            {
                devices.touch(&finger(0, phase, x_pt * scale), now);
            }
            assert_eq!(devices.take_clicks().len(), usize::from(stays), "a finger, {way_pt} points at {scale}");
            devices.take_drag();
        }
        for (way_pt, stays) in [(3.0, true), (5.0, false)] {
            devices.event(&moved(100.0 * scale, 50.0));
            devices.event(&button(MouseButton::Left, ElementState::Pressed));
            devices.event(&moved((100.0 + way_pt) * scale, 50.0));
            devices.event(&button(MouseButton::Left, ElementState::Released));
            assert_eq!(devices.take_clicks().len(), usize::from(stays), "a button, {way_pt} points at {scale}");
            devices.take_drag();
        }
    }
}

fn moved(x: f64, y: f64) -> WindowEvent {
    WindowEvent::CursorMoved { device_id: DeviceId::dummy(), position: PhysicalPosition::new(x, y) }
}

fn button(button: MouseButton, state: ElementState) -> WindowEvent {
    WindowEvent::MouseInput { device_id: DeviceId::dummy(), state, button }
}

#[test]
fn a_drag_lasts_from_press_to_release_of_its_button() {
    let mut devices = Devices::default();
    devices.event(&moved(100.0, 50.0));
    assert_eq!(devices.take_drag(), None);
    devices.event(&button(MouseButton::Left, ElementState::Pressed));
    devices.event(&moved(110.0, 45.0));
    devices.event(&moved(112.0, 45.0));
    let first = devices.take_drag().expect("under way");
    assert_eq!((first.action, first.began, first.moved_px), (Action::Pan, true, DVec2::new(12.0, -5.0)));
    devices.event(&button(MouseButton::Right, ElementState::Pressed));
    devices.event(&button(MouseButton::Right, ElementState::Released));
    let second = devices.take_drag().expect("another button does not end it");
    assert_eq!((second.action, second.began, second.moved_px), (Action::Pan, false, DVec2::ZERO));
    devices.event(&button(MouseButton::Left, ElementState::Released));
    assert_eq!(devices.take_drag(), None);
}

/// Law: a drag that came and went between two frames is told once, with where it began and how far it went.
#[test]
fn a_quick_drag_is_not_lost() {
    let mut devices = Devices::default();
    devices.event(&moved(10.0, 10.0));
    devices.event(&button(MouseButton::Left, ElementState::Pressed));
    devices.event(&moved(90.0, 30.0));
    devices.event(&button(MouseButton::Left, ElementState::Released));
    devices.event(&moved(500.0, 500.0));
    assert!(devices.is_busy());
    let drag = devices.take_drag().expect("told once");
    let told = (drag.began, drag.began_px, drag.moved_px);
    assert_eq!(told, (true, DVec2::new(10.0, 10.0), DVec2::new(80.0, 20.0)));
    assert_eq!(drag.now_px(), DVec2::new(90.0, 30.0));
    assert_eq!((devices.take_drag(), devices.take_clicks()), (None, Vec::new()));
}

/// Law: drags that came and went between two frames have a frame each, in their order, and the one under way is the last.
#[test]
fn a_slow_frame_loses_no_drag() {
    let mut devices = Devices::default();
    for (from, to) in [(10.0, 50.0), (200.0, 130.0)] {
        devices.event(&moved(from, 30.0));
        devices.event(&button(MouseButton::Left, ElementState::Pressed));
        devices.event(&moved(to, 30.0));
        devices.event(&button(MouseButton::Left, ElementState::Released));
    }
    devices.event(&moved(300.0, 30.0));
    devices.event(&button(MouseButton::Left, ElementState::Pressed));
    devices.event(&moved(305.0, 90.0));
    let mut told = || {
        let drag = devices.take_drag().expect("one a frame");
        (drag.began, drag.began_px, drag.moved_px)
    };
    assert_eq!(told(), (true, DVec2::new(10.0, 30.0), DVec2::new(40.0, 0.0)));
    assert_eq!(told(), (true, DVec2::new(200.0, 30.0), DVec2::new(-70.0, 0.0)));
    assert_eq!(told(), (true, DVec2::new(300.0, 30.0), DVec2::new(5.0, 60.0)));
    assert_eq!(told(), (false, DVec2::new(300.0, 30.0), DVec2::ZERO), "it is still held");
    devices.release();
    assert_eq!(devices.take_drag(), None);
}

/// Law: a button that comes up where it went down clicks there, once; one that was moved away and back does not, nor
/// does one that only drags.
#[test]
fn a_click_is_a_drag_that_goes_nowhere() {
    let mut devices = Devices::default();
    let mut press = |by: f64, with: MouseButton| {
        devices.event(&moved(100.0, 50.0));
        devices.event(&button(with, ElementState::Pressed));
        devices.event(&moved(100.0 + by, 50.0));
        devices.event(&moved(101.0, 50.0));
        devices.event(&button(with, ElementState::Released));
        let told = devices.take_clicks();
        assert_eq!(devices.take_clicks(), []);
        told
    };
    let dropped = Click::Once(Action::DropMarker, DVec2::new(100.0, 50.0));
    assert_eq!(press(2.0, MouseButton::Left), [dropped]);
    assert_eq!(press(9.0, MouseButton::Left), []);
    let menu = Click::Once(Action::PlaceMenu, DVec2::new(100.0, 50.0));
    assert_eq!(press(0.0, MouseButton::Right), [menu]);
    assert_eq!(press(9.0, MouseButton::Right), []);
    assert_eq!(press(0.0, MouseButton::Middle), []);
}

/// Law: of two clicks at one place, soon after each other or with a frame at most between them, the second one makes a double
/// click and takes the first one back if that was told; two clicks elsewhere or later are two, and a third begins anew.
#[test]
fn the_second_half_of_a_double_click_takes_the_first_back() {
    let start = Instant::now();
    let (here, beside, away) = (DVec2::new(100.0, 50.0), DVec2::new(102.0, 51.0), DVec2::new(100.0, 70.0));
    let second = |at_px: DVec2, ms: u64, frames: u32| {
        let mut devices = Devices::default();
        devices.click(Some(MouseButton::Left), here, start);
        let heard = (0..frames).map(|_| devices.take_clicks().len()).sum::<usize>();
        assert_eq!(heard, frames.min(1) as usize);
        devices.click(Some(MouseButton::Left), at_px, start + Duration::from_millis(ms));
        devices.take_clicks()
    };
    let twice = |at, takes_back| vec![Click::Twice { action: Action::FlyCloser, at, takes_back }];
    assert_eq!(second(beside, 200, 0), twice(beside, false), "both halves between two frames");
    assert_eq!(second(beside, 200, 10), twice(beside, true));
    assert_eq!(second(here, 900, 1), twice(here, true), "a slow frame");
    assert_eq!(second(here, 900, 10), [Click::Once(Action::DropMarker, here)]);
    assert_eq!(second(away, 200, 10), [Click::Once(Action::DropMarker, away)]);
    let mut devices = Devices::default();
    let told = [0, 100, 200, 300].map(|ms| {
        devices.click(Some(MouseButton::Left), here, start + Duration::from_millis(ms));
        matches!(devices.take_clicks()[..], [Click::Twice { .. }])
    });
    assert_eq!(told, [false, true, false, true], "four clicks are two double clicks");
}

proptest! {
    /// Law: a frame hears of every click since the one before, in order and where each was made, however many there are; two halves of a
    /// double click among them are one, whatever comes before and after.
    #[test]
    fn a_slow_frame_loses_no_click(clicks in prop::collection::vec((20.0..200.0, any::<bool>(), any::<bool>()), 1..8)) {
        let (mut devices, mut expected, mut x) = (Devices::default(), Vec::new(), 0.0);
        for (step, is_right, is_double) in clicks {
            x += step;
            let at = DVec2::new(x, 50.0);
            devices.event(&moved(x, 50.0));
            let with = if is_right { MouseButton::Right } else { MouseButton::Left };
            let is_double = is_double && !is_right;
            for _ in 0..=u8::from(is_double) {
                devices.event(&button(with, ElementState::Pressed));
                devices.event(&button(with, ElementState::Released));
            }
            expected.push(match (is_right, is_double) {
                (true, _) => Click::Once(Action::PlaceMenu, at),
                (false, false) => Click::Once(Action::DropMarker, at),
                (false, true) => Click::Twice { action: Action::FlyCloser, at, takes_back: false },
            });
        }
        devices.event(&moved(0.0, 0.0));
        prop_assert!(devices.is_busy());
        prop_assert_eq!(devices.take_clicks(), expected);
        prop_assert!(devices.take_clicks().is_empty() && !devices.is_busy());
    }
}

/// Law: with Shift each click counts, however soon after another one; where Shift means nothing, it changes nothing.
#[test]
fn clicks_with_shift_are_not_doubled() {
    let (start, here) = (Instant::now(), DVec2::new(100.0, 50.0));
    let mut devices = Devices { modifiers: ModifiersState::SHIFT, ..Devices::default() };
    for ms in [0, 100, 200] {
        devices.click(Some(MouseButton::Left), here, start + Duration::from_millis(ms));
        assert_eq!(devices.take_clicks(), [Click::Once(Action::ExtendPath, here)]);
    }
    devices.click(Some(MouseButton::Right), here, start);
    assert_eq!(devices.take_clicks(), [Click::Once(Action::PlaceMenu, here)]);
    devices.modifiers = ModifiersState::empty();
    devices.click(Some(MouseButton::Left), here, start + Duration::from_millis(300));
    assert_eq!(devices.take_clicks(), [Click::Once(Action::DropMarker, here)]);
}

/// Law: a key that is down and up again between two frames is held for one of them.
#[test]
fn a_tap_between_two_frames_is_not_lost() {
    let mut devices = Devices::default();
    devices.key(KeyCode::ArrowLeft, None, ElementState::Pressed, false);
    devices.key(KeyCode::ArrowLeft, None, ElementState::Released, false);
    assert!(devices.is_held(Action::PanLeft));
    assert_eq!(devices.take_pressed(), [Action::PanLeft]);
    assert!(!devices.is_held(Action::PanLeft));
}

/// Law: a chord asks for its own action once, however long it is held, and no other modifier may be down.
#[test]
fn chords_ask_once() {
    let mut devices = Devices { modifiers: ModifiersState::CONTROL, ..Devices::default() };
    for repeat in [false, true] {
        devices.key(KeyCode::KeyF, Some('f'), ElementState::Pressed, repeat);
    }
    assert_eq!(devices.take_pressed(), [Action::GoTo]);
    devices.modifiers = ModifiersState::ALT;
    devices.key(KeyCode::ArrowLeft, None, ElementState::Pressed, false);
    assert!(!devices.is_held(Action::PanLeft));
    assert_eq!(devices.take_pressed(), [Action::ViewBack]);
    devices.modifiers = ModifiersState::CONTROL | ModifiersState::SHIFT;
    devices.key(KeyCode::KeyS, Some('S'), ElementState::Pressed, false);
    assert_eq!(devices.take_pressed(), [Action::SaveScene]);
    devices.modifiers = ModifiersState::ALT | ModifiersState::CONTROL;
    devices.key(KeyCode::KeyF, Some('f'), ElementState::Pressed, false);
    assert_eq!(devices.take_pressed(), []);
}

/// Law: a key does what it stands for alone and with Shift, and nothing of that with Ctrl, Alt or Super; it comes up with any.
#[test]
fn a_chord_is_no_letter() {
    let mut devices = Devices::default();
    for chord in [ModifiersState::CONTROL, ModifiersState::ALT, ModifiersState::SUPER] {
        devices.modifiers = chord | ModifiersState::SHIFT;
        for code in [KeyCode::KeyF, KeyCode::KeyE, KeyCode::KeyP, KeyCode::Digit2] {
            devices.key(code, None, ElementState::Pressed, false);
        }
        assert!(!devices.is_busy() && devices.take_pressed().is_empty(), "{chord:?}");
    }
    devices.modifiers = ModifiersState::SHIFT;
    devices.key(KeyCode::KeyS, Some('S'), ElementState::Pressed, false);
    devices.key(KeyCode::KeyF, Some('F'), ElementState::Pressed, false);
    assert!(devices.is_held(Action::Back) && devices.is_asked(Action::FreezeMesh));
    devices.take_pressed();
    devices.modifiers = ModifiersState::CONTROL;
    devices.key(KeyCode::KeyS, Some('s'), ElementState::Released, false);
    assert!(!devices.is_held(Action::Back));
}

fn finger(id: u64, phase: TouchPhase, x: f64) -> Touch {
    let location = PhysicalPosition::new(x, 80.0);
    Touch { device_id: DeviceId::dummy(), phase, location, force: None, id }
}

/// Law: a finger that moves drags as the left button does, one that is put down and lifted clicks, and the second of two taps, a finger's
/// width aside, takes the first back; one that stays opens the menu and does nothing more.
#[test]
fn fingers_drag_tap_and_stay() {
    let start = Instant::now();
    let at = |ms| start + Duration::from_millis(ms);
    let mut devices = Devices::default();
    devices.touch(&finger(3, TouchPhase::Started, 100.0), start);
    devices.touch(&finger(3, TouchPhase::Moved, 160.0), start);
    let drag = devices.take_drag().expect("under way");
    assert_eq!((drag.action, drag.began, drag.moved_px), (Action::Pan, true, DVec2::new(60.0, 0.0)));
    devices.touch(&finger(3, TouchPhase::Ended, 160.0), start);
    assert_eq!((devices.take_drag(), devices.take_clicks_at(start)), (None, Vec::new()));
    let mut tap = |x: f64, ms| {
        devices.touch(&finger(4, TouchPhase::Started, x), at(ms));
        devices.touch(&finger(4, TouchPhase::Ended, x + 3.0), at(ms + 50));
        devices.take_clicks_at(at(ms + 60))
    };
    assert_eq!(tap(200.0, 1_000), [Click::Once(Action::DropMarker, DVec2::new(200.0, 80.0))]);
    let (action, place) = (Action::FlyCloser, DVec2::new(210.0, 80.0));
    assert_eq!(tap(210.0, 1_200), [Click::Twice { action, at: place, takes_back: true }]);
    devices.touch(&finger(5, TouchPhase::Started, 300.0), at(3_000));
    assert!(devices.is_busy() && devices.take_clicks_at(at(3_100)).is_empty());
    let menu = Click::Once(Action::PlaceMenu, DVec2::new(300.0, 80.0));
    assert_eq!(devices.take_clicks_at(at(3_900)), [menu]);
    devices.touch(&finger(5, TouchPhase::Moved, 400.0), at(4_000));
    assert_eq!(devices.take_drag(), None);
    devices.touch(&finger(5, TouchPhase::Ended, 400.0), at(4_100));
    assert!(devices.take_clicks_at(at(4_200)).is_empty() && !devices.is_busy());
}

#[test]
fn wheel_and_touchpad_add_up_to_notches() {
    let mut devices = Devices::default();
    let wheel = |delta| WindowEvent::MouseWheel { device_id: DeviceId::dummy(), delta, phase: TouchPhase::Moved };
    devices.event(&wheel(MouseScrollDelta::LineDelta(0.0, 2.0)));
    devices.event(&wheel(MouseScrollDelta::PixelDelta(PhysicalPosition::new(0.0, -PIXELS_PER_NOTCH))));
    assert!(devices.is_busy());
    assert_eq!(devices.take_notches(), 1.0);
    assert!(!devices.is_busy());
}

#[test]
fn a_window_that_loses_focus_lets_go() {
    let mut devices = Devices::default();
    devices.event(&button(MouseButton::Middle, ElementState::Pressed));
    devices.event(&WindowEvent::Focused(false));
    assert!(!devices.is_busy());
}
