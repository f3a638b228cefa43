//! Where does the sun stand? What the button of the sun opens: over the shoulder, or at a time that is set and played.

use analysis::calendar::{self, DAY_S};
use bevy_ecs::prelude::*;
use egui::{RadioButton, RichText, Slider};

use super::layout::number;
use crate::input::Keymap;
use crate::input::bindings::Action;
use crate::render::{Light, SunMode};
use crate::sun_clock::{self, SPEEDS, SunClock};

/// What is said of the time of day, on another body.
pub(super) const TIME_OF_EARTH: &str = "where the sun stands at a time is known over the Earth alone";

/// Lays it out; where the sun stands at a time is known, or not.
pub(super) fn sun(
    ui: &mut egui::Ui,
    (light, clock): (&mut ResMut<'_, Light>, &mut ResMut<'_, SunClock>),
    is_known: bool,
    keymap: &Keymap,
) {
    let mut follows = matches!(light.0, SunMode::Follow { .. });
    ui.horizontal(|ui| {
        ui.radio_value(&mut follows, true, "over the shoulder");
        let at_a_time = ui.add_enabled(is_known, RadioButton::new(!follows, "at a time"));
        follows &= !at_a_time.on_disabled_hover_text(TIME_OF_EARTH).clicked();
    });
    // The resource is touched by a change alone: what reads it looks for that.
    let mut sun = light.0;
    match (&mut sun, follows) {
        (SunMode::Follow { azimuth_deg, elevation_deg }, true) => {
            number(ui, ("azimuth", "degrees clockwise from north, below the eye"), azimuth_deg, 0.0..=360.0, "°");
            number(ui, ("height", "degrees above the horizon, below the eye"), elevation_deg, -10.0..=90.0, "°");
        }
        (SunMode::At { unix_s }, false) => {
            time(ui, unix_s);
            play(ui, unix_s, clock, keymap);
        }
        (_, true) => sun = SunMode::default(),
        (_, false) => sun = SunMode::At { unix_s: sun_clock::now_s() },
    }
    if sun != light.0 {
        light.0 = sun;
    }
}

/// Date and time, and sliders for both.
fn time(ui: &mut egui::Ui, unix_s: &mut f64) {
    ui.label(RichText::new(sun_clock::written(*unix_s)).strong());
    let (first_s, days) = (calendar::first_of_year_s(*unix_s), calendar::days_of_year(*unix_s));
    let (mut day, mut hour) = (calendar::day_of_year(*unix_s), unix_s.rem_euclid(DAY_S) / 3_600.0);
    let (year, ..) = calendar::date_of((first_s / DAY_S) as i64);
    let written = |day: f64, _| sun_clock::day_written(year, day);
    let read = |text: &str| sun_clock::day_read(year, text);
    let slider = Slider::new(&mut day, 1.0..=days as f64).step_by(1.0).custom_formatter(written).custom_parser(read);
    let is_other_day = ui.add(slider.text("day")).on_hover_text("a click on the date types another: 21 Jun").changed();
    if number(
        ui,
        ("hour, UTC", "where the sun is highest at 12 h less an hour for each 15° E"),
        &mut hour,
        0.0..=24.0,
        " h",
    ) || is_other_day
    {
        *unix_s = first_s + (day.round() - 1.0) * DAY_S + hour.min(23.999) * 3_600.0;
    }
}

/// What lets the time go on, and how fast.
fn play(ui: &mut egui::Ui, unix_s: &mut f64, clock: &mut SunClock, keymap: &Keymap) {
    let keys = [Action::PlayTime, Action::Earlier, Action::Later].map(|action| keymap.key(action));
    ui.horizontal(|ui| {
        let words = if clock.plays { "Stop" } else { "Play" };
        if ui
            .button(words)
            .on_hover_text(format!("{}; {} and {} move it by an hour", keys[0], keys[1], keys[2]))
            .clicked()
        {
            clock.plays = !clock.plays;
        }
        for (speed, (_, name)) in SPEEDS.into_iter().enumerate() {
            ui.selectable_value(&mut clock.speed, speed, name);
        }
        if ui.button("now").clicked() {
            *unix_s = sun_clock::now_s();
        }
    });
}
