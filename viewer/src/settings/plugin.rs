//! Settings: taken from the world as it is, and kept when they have been left alone for a while.

use bevy_ecs::prelude::*;
use foreign::settings::Settings;

use super::file::{SettingsError, SettingsFile, WrittenSettings};
use crate::accessibility::Accessibility;
use crate::app::{App, Clock, FrameStep, Plugin};
use crate::bookmarks::Bookmarks;
use crate::camera::{Lens, Speed};
use crate::hud::Hud;
use crate::overlays::Overlays;
use crate::recent_places::RecentPlaces;
use crate::render::{Light, SunMode};
use crate::terrain::{FrameBudget, NextPool, Planet};

/// Seconds that a choice has to stand before it is written: a slider on its way is not.
const STANDING_S: f64 = 1.0;

/// Keeps settings in their file.
#[derive(Resource, Debug, Default)]
pub struct SettingsStore {
    file: Option<SettingsFile>,
    kept: Settings,
    start: Option<Settings>,
    now: Settings,
    standing_s: f64,
}

impl SettingsStore {
    /// A keeper of what a file has kept.
    pub fn new(file: Option<SettingsFile>, kept: Settings) -> SettingsStore {
        SettingsStore { file, kept, ..SettingsStore::default() }
    }

    /// Takes in the choices of a frame; the first ones are those that the flight started with.
    fn observe(&mut self, now: Settings, dt_s: f64) {
        self.standing_s = if now == self.now { self.standing_s + dt_s } else { 0.0 };
        self.start.get_or_insert_with(|| now.clone());
        self.now = now;
    }

    /// Whether something has changed that is not written yet.
    pub fn is_pending(&self) -> bool {
        self.file.is_some() && self.start.as_ref().is_some_and(|start| *start != self.now)
    }

    /// Writes what has changed since it was written, over what the file holds by now: another window may have written it.
    ///
    /// # Errors
    /// If the file cannot be read or written, and nothing is kept from then on; if it was a bad one, or has no room for a bookmark.
    pub fn save(&mut self) -> Result<(), SettingsError> {
        let (Some(file), Some(start), true) = (&self.file, &self.start, self.is_pending()) else { return Ok(()) };
        let done = file.change(&self.kept, start, &self.now);
        // What is kept now is no change any more, and a place that refuses is asked once.
        self.start = Some(self.now.clone());
        match done {
            Ok(WrittenSettings { kept, warning }) => {
                self.kept = kept;
                warning.map_or(Ok(()), Err)
            }
            Err(error) => {
                self.file = None;
                Err(error)
            }
        }
    }
}

/// Keeps settings. Needs a [`SettingsStore`] in the world, and the resources of camera, render, terrain and HUD.
pub struct SettingsPlugin;

impl Plugin for SettingsPlugin {
    fn build(&self, app: &mut App) {
        app.world.init_resource::<SettingsStore>();
        app.systems(FrameStep::Capture, watch);
    }
}

fn watch(
    clock: Res<Clock>,
    (planet, overlays, light, lens): (Res<Planet>, Res<Overlays>, Res<Light>, Res<Lens>),
    (speed, budget, pool, bookmarks): (Res<Speed>, Res<FrameBudget>, Res<NextPool>, Res<Bookmarks>),
    (accessibility, recent): (Res<Accessibility>, Res<RecentPlaces>),
    mut hud: ResMut<Hud>,
    mut keeper: ResMut<SettingsStore>,
) {
    // A time is of this flight: at the next start it may be night there.
    let sun = match light.0 {
        SunMode::Follow { .. } => Some(light.0.into()),
        SunMode::At { .. } => keeper.now.sun,
    };
    let now = Settings::default()
        .with_pixel_error(Some(planet.target_pixel_error()))
        .with_triangles(pool.0)
        .with_fov_deg(Some(lens.fov_y_rad.to_degrees()))
        .with_overlays(Some(overlays.names()))
        .with_sun(sun)
        .with_speed(Some(speed.0))
        .with_frame_ms(Some(budget.target_ms.unwrap_or(0.0)))
        .with_reduced_motion(Some(accessibility.reduced_motion))
        .with_text_scale(Some(accessibility.text_scale))
        .with_theme(Some(accessibility.theme.name().to_string()))
        .with_units(Some(hud.units.name().to_string()))
        .with_figures(Some(hud.figures.name().to_string()))
        .with_vector_format(Some(hud.vector_format.extension().to_string()))
        .with_bookmarks(Some(bookmarks.all().to_vec()))
        .with_recent_places(Some(recent.all().to_vec()));
    keeper.observe(now, clock.dt_s);
    if keeper.standing_s >= STANDING_S {
        keeper.standing_s = 0.0;
        if let Err(error) = keeper.save() {
            hud.show_message(error.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bookmarks::MOST_BOOKMARKS;
    use crate::camera::Pose;

    /// Law: a view that is kept is there in the next flight, as it was, and one that is forgotten is not.
    #[test]
    fn bookmarks_are_found_in_the_next_flight() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let file = SettingsFile::at(folder.path().join("settings.json"));
        let view = Pose { lat_deg: 45.9, lon_deg: 7.6, height_m: 4_000.5, heading_deg: 10.0, pitch_deg: -20.0 };
        let mut bookmarks = Bookmarks::default();
        for change in [true, false] {
            let mut keeper = SettingsStore::new(Some(file.clone()), file.clone().open().settings);
            let of = |bookmarks: &Bookmarks| Settings::default().with_bookmarks(Some(bookmarks.all().to_vec()));
            keeper.observe(of(&bookmarks), 0.1);
            assert!(!keeper.is_pending());
            if change {
                drop(bookmarks.add("Tödi", view).expect("kept"))
            } else {
                assert!(bookmarks.forget("Tödi"))
            }
            keeper.observe(of(&bookmarks), 0.1);
            assert!(keeper.is_pending());
            keeper.save().expect("kept");
            bookmarks = Bookmarks::new(file.clone().open().settings.bookmarks.expect("some"));
            let views: Vec<Pose> = bookmarks.matching("todi", 9).into_iter().map(|known| known.view).collect();
            assert_eq!(views, if change { vec![view] } else { Vec::new() });
        }
    }

    /// Law: of two windows over one file each writes what it has changed, bookmarks by name, and nothing else, whichever writes first
    /// and however often; what one of them has forgotten stays forgotten.
    #[test]
    fn two_windows_share_a_file() {
        let view = |lat_deg| Pose { lat_deg, ..Pose::HOME };
        let folder = tempfile::tempdir().expect("temporary folder");
        let file = SettingsFile::at(folder.path().join("settings.json"));
        let of = |speed, fov_deg, bookmarks: &Bookmarks| {
            let chosen = Settings::default().with_speed(Some(speed)).with_fov_deg(Some(fov_deg));
            chosen.with_bookmarks(Some(bookmarks.all().to_vec()))
        };
        let mut first = Bookmarks::default();
        for (name, lat_deg) in [("both", 1.0), ("forgotten", 2.0)] {
            first.add(name, view(lat_deg)).expect("kept");
        }
        file.save(&of(1.0, 45.0, &first)).expect("kept");
        let mut second = first.clone();
        let mut windows = [(); 2].map(|()| SettingsStore::new(Some(file.clone()), file.clone().open().settings));
        windows.iter_mut().for_each(|window| window.observe(of(1.0, 45.0, &first), 0.1));

        first.add("of the first", view(3.0)).expect("kept");
        assert!(first.forget("forgotten"));
        windows[0].observe(of(2.0, 45.0, &first), 0.1);
        second.add("of the second", view(4.0)).expect("kept");
        second.add("both", view(5.0)).expect("kept");
        windows[1].observe(of(1.0, 60.0, &second), 0.1);
        windows.iter_mut().for_each(|window| window.save().expect("kept"));
        first.add("later", view(6.0)).expect("kept");
        windows[0].observe(of(2.0, 45.0, &first), 0.1);
        windows[0].save().expect("kept");

        let kept = file.open().settings;
        assert_eq!((kept.speed, kept.fov_deg), (Some(2.0), Some(60.0)));
        let bookmarks: Vec<(String, f64)> =
            kept.bookmarks.expect("some").into_iter().map(|kept| (kept.name, kept.view.lat_deg)).collect();
        let expected = [("both", 5.0), ("of the first", 3.0), ("of the second", 4.0), ("later", 6.0)];
        assert_eq!(bookmarks, expected.map(|(name, lat_deg)| (name.to_owned(), lat_deg)));
    }

    /// Law: a bookmark for which another window has left no room is told; those of the other one, and every other choice, are kept.
    #[test]
    fn a_file_that_another_window_has_filled_is_told() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let file = SettingsFile::at(folder.path().join("settings.json"));
        let with = |bookmarks: &Bookmarks, speed| {
            Settings::default().with_bookmarks(Some(bookmarks.all().to_vec())).with_speed(Some(speed))
        };
        let mut window = SettingsStore::new(Some(file.clone()), Settings::default());
        let (mut mine, mut theirs) = (Bookmarks::default(), Bookmarks::default());
        window.observe(with(&mine, 1.0), 0.1);
        (0..MOST_BOOKMARKS).for_each(|k| drop(theirs.add(&k.to_string(), Pose::HOME).expect("kept")));
        file.save(&with(&theirs, 1.0)).expect("kept");
        mine.add("mine", Pose::HOME).expect("kept");
        window.observe(with(&mine, 2.0), 0.1);
        let told = window.save().expect_err("full").to_string();
        assert!(told.contains("500 bookmarks"), "{told}");
        assert_eq!(file.open().settings, with(&theirs, 2.0));
        assert!(!window.is_pending() && window.file.is_some());
    }

    /// Law: a file that has become a bad one meanwhile is set aside and told, and what this window knows is kept; one that somebody else
    /// has put there stays as it is.
    #[test]
    fn a_file_that_has_changed_hands_is_not_overwritten() {
        for (text, aside) in [("{\"format\":\"orogen-settings\"", true), ("{\"my\":\"data\"}", false)] {
            let folder = tempfile::tempdir().expect("temporary folder");
            let path = folder.path().join("settings.json");
            let file = SettingsFile::at(&path);
            let with = |speed| Settings::default().with_speed(Some(speed));
            let kept = Settings::default().with_fov_deg(Some(45.0));
            let mut window = SettingsStore::new(Some(file.clone()), kept.clone());
            window.observe(with(1.0), 0.1);
            window.observe(with(2.0), 0.1);
            std::fs::write(&path, text).expect("written");
            let told = window.save().expect_err("told").to_string();
            assert!(told.contains(if aside { "set aside" } else { "left as it is" }), "{told}");
            let there = std::fs::read_to_string(if aside { path.with_extension("json.bad") } else { path });
            assert_eq!(there.expect("there"), text);
            assert_eq!(window.file.is_some(), aside);
            if aside {
                assert_eq!(file.open().settings, kept.with_speed(Some(2.0)));
            }
        }
    }

    /// Law: only changes are written, a change of before is not written again, and a refusal is told once.
    #[test]
    fn changes_are_kept_once() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("settings.json");
        let file = SettingsFile::at(&path);
        let mut keeper = SettingsStore::new(Some(file.clone()), Settings::default());
        let with = |speed| Settings::default().with_speed(Some(speed)).with_fov_deg(Some(45.0));
        keeper.observe(with(1.0), 0.1);
        keeper.save().expect("nothing to do");
        assert!(!path.exists());
        keeper.observe(with(2.0), 0.1);
        keeper.save().expect("kept");
        assert_eq!(file.clone().open().settings, Settings::default().with_speed(Some(2.0)));
        // Back to what it was at the start is a change too.
        keeper.observe(with(1.0), 0.1);
        keeper.save().expect("kept");
        assert_eq!(file.open().settings.speed, Some(1.0));

        std::fs::write(folder.path().join("file"), "").expect("written");
        let mut refused = SettingsStore::new(Some(SettingsFile::at(folder.path().join("file/x"))), Settings::default());
        refused.observe(with(1.0), 0.1);
        refused.observe(with(2.0), 0.1);
        assert!(refused.save().is_err());
        refused.observe(with(3.0), 0.1);
        assert!(refused.save().is_ok());
    }
}
