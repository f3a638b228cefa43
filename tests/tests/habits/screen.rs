//! What stands on the screen, and how large is it? Full screen, boxes, buttons, overlays, the sun, pictures of the
//! window.

use super::{
    ALPS,
    screenshots::{ROWS, differing},
    session::{DesktopSession, Motion, SIZE_PX},
};

/// Law: F11 and the button fill the screen, as the window manager says, and give the window its size back; the picture
/// follows.
#[test]
fn the_window_fills_the_screen() {
    let mut session = DesktopSession::new(Motion::Reduced, &ALPS);
    assert_eq!((session.title().as_str(), session.size_px()), ("Orogen", SIZE_PX));
    for by_button in [false, true] {
        for is_full in [true, false] {
            if by_button {
                let button = session.buttons()[7];
                session.click(1, button);
            } else {
                session.press("F11");
            }
            let expected = if is_full { (1024, 768) } else { SIZE_PX };
            session.wait("another size", |session| Some(()).filter(|()| session.size_px() == expected));
            assert_eq!(session.is_full(), is_full);
            // The ground reaches the corners.
            session.wait("a picture of that size", |session| {
                let corner = session.screenshot_part((expected.0 as i16 - 9, expected.1 as i16 - 99), (9, 9));
                corner.pixels().all(|pixel| pixel.0 != [0; 3]).then_some(())
            });
            if is_full && !by_button {
                session.gallery_shot("30-full-screen", "F11 fills the screen.");
            }
        }
    }
}

/// Law: every box opens by its key and by its button, and closes by the same and by Esc: then the picture is as before.
#[test]
fn boxes_open_and_close() {
    let mut session = DesktopSession::new(Motion::Reduced, &ALPS);
    // A hint stands there until a key is pressed.
    session.press("n");
    let away = (500, 400);
    session.point(away);
    let plain = session.screenshot_at_rest();
    let buttons = session.buttons();
    // Also of a picture at rest, below the bar.
    session.point(buttons[0]);
    session
        .wait("what a button does", |session| (differing(&plain, &session.screenshot(), 46..90) > 500).then_some(()));
    session.point(away);
    let boxes = [
        ("F1", 8, "31-help", "F1 lists all keys."),
        ("F2", 6, "32-settings", "F2: settings, times and memory."),
        ("F3", 3, "33-layers", "F3: layers, overlays, colours and how high heights are drawn."),
        ("F4", 4, "34-sun", "F4: where the sun stands."),
    ];
    for (key, button, name, caption) in boxes {
        for ways in [[Some(key), Some(key)], [Some(key), Some("Esc")], [None, Some("Esc")]] {
            for (way, is_open) in ways.into_iter().zip([true, false]) {
                match way {
                    Some(key) => session.press(key),
                    None => session.click(1, buttons[button]),
                }
                // A button is pressed where the pointer is when the next frame hears of it.
                if is_open {
                    session.wait_for_difference(name, &plain, |changed| changed > 5_000);
                    session.point(away);
                } else {
                    session.wait_for_difference(name, &plain, |changed| changed == 0);
                }
                if is_open && ways[1] == Some(key) {
                    session.gallery_shot(name, caption);
                }
            }
        }
    }
}

/// Law: each key of an overlay draws it, and once more takes it away; 9 and 0 go through colours and views of the mesh,
/// and come back.
#[test]
fn keys_draw_overlays() {
    let view = ["--at", "42,8,300000", "--look", "0,-25", "--sun", "100,4"];
    let mut session = DesktopSession::new(Motion::Reduced, &view);
    session.press("n");
    session.point((500, 400));
    let plain = session.screenshot_at_rest();
    for key in ["1", "2", "3", "4", "5", "6", "8", "b", "l", "t", "o"] {
        for is_shown in [true, false] {
            session.press(key);
            let what = format!("{key}, {is_shown}");
            session.wait_for_difference(&what, &plain, |changed| if is_shown { changed > 20 } else { changed == 0 });
            if is_shown {
                session.gallery_shot(&format!("40-key-{key}"), &format!("The key {key}."));
            }
        }
    }
    let before = session.scene();
    for (key, times) in [("9", 7), ("0", 5)] {
        for step in 1..=times {
            let before = session.screenshot();
            session.press(key);
            session.wait_for_difference(&format!("{key}, step {step}"), &before, |changed| changed > 1_000);
            let is_back = step == times;
            session.wait_for_difference("the first again", &plain, |changed| (changed == 0) == is_back);
        }
    }
    let mut after = session.scene();
    after["view"] = before["view"].clone();
    assert_eq!(after, before);
}

/// Law: `>` and `<` set the time an hour forward and back, C lets it go on and stops it; the light follows.
#[test]
fn keys_set_the_time() {
    let mut session = DesktopSession::new(Motion::Reduced, &[&ALPS[..], &["--time", "2026-06-21T12:00:00Z"]].concat());
    let noon = session.screenshot_at_rest();
    let time = |session: &mut DesktopSession| session.scene()["time"].as_str().unwrap().to_owned();
    assert_eq!(time(&mut session), "2026-06-21T12:00:00Z");
    session.press(">");
    session.view();
    assert_eq!(time(&mut session), "2026-06-21T13:00:00Z");
    for _ in 0..6 {
        session.press(">");
        session.view();
    }
    assert_eq!(time(&mut session), "2026-06-21T19:00:00Z");
    session.gallery_shot("50-evening", "Seven hours later the sun is low.");
    assert!(differing(&noon, &session.screenshot(), ROWS) > 100_000, "the light is that of noon");
    for _ in 0..8 {
        session.press("<");
        session.view();
    }
    let stopped = time(&mut session);
    assert_eq!(stopped, "2026-06-21T11:00:00Z");
    session.press("c");
    session.wait("later", |session| Some(time(session)).filter(|now| *now > stopped));
    session.press("c");
    session.view();
    assert_eq!(time(&mut session), time(&mut session));
}

/// Law: F12 saves what is seen, F10 the same without boxes, both in the user's folder of pictures; neither replaces a file.
#[test]
fn pictures_are_saved() {
    let mut session = DesktopSession::new(Motion::Reduced, &ALPS);
    session.press("n");
    let seen = session.screenshot_at_rest();
    let saved = session.saved("F12", "orogen", ".png");
    assert_eq!(differing(&seen, &image::open(&saved).unwrap().to_rgb8(), 0..600), 0);
    let bare = image::open(session.saved("F10", "orogen", ".png")).unwrap().to_rgb8();
    assert_eq!(bare.dimensions(), seen.dimensions());
    assert!(differing(&seen, &bare, 0..45) > 10_000 && differing(&seen, &bare, 545..600) > 10_000);
    assert_eq!(differing(&seen, &bare, ROWS), 0);
    assert!(saved.exists() && session.files("orogen", ".png").iter().all(|file| file.starts_with(session.pictures())));
}
