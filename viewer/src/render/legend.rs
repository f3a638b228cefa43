//! What do the colours of a picture mean? A ramp of them with numbers below it.

use glam::{Vec2, Vec3};

use super::ramp::Ramp;
use super::srgb;
use super::tints::{aspect_tint, slope_tint, sun_tint};
use super::view_colours::{DEEPEST, FARTHEST_LOG10_M, FINEST_TILE, RAMP};
use crate::overlays::Overlays;

/// Colours along a ramp.
const COLOURS: usize = 92;
/// Most numbers at a ramp of heights.
const MOST_TICKS: f64 = 5.0;

/// What a ramp of colours means.
#[derive(Debug, Clone, PartialEq)]
pub struct Legend {
    /// What is shown.
    pub title: &'static str,
    /// Red, green and blue of the picture, from one end of the ramp to the other.
    pub colours: Vec<[u8; 3]>,
    /// Parts of the ramp, 0 to 1, and the values there.
    pub ticks: Vec<(f32, String)>,
}

impl Legend {
    /// Of a picture that shows something in place of the colours of heights; none where it does not.
    pub fn of(overlays: Overlays) -> Option<Legend> {
        let Some(view) = overlays.view() else { return ground(overlays) };
        let tens = [(0.0, "0"), (10.0, "10"), (20.0, "20"), (30.0, "30"), (40.0, "40")];
        let metres = [(0.0, "1 m"), (2.0, "100 m"), (4.0, "10 km"), (6.0, "1000 km")];
        let tiles = [(0.0, "0"), (4.0, "4"), (8.0, "8"), (12.0, "12")];
        Some(match view {
            Overlays::LOD => along("bisections from the cube to the triangle", view_colour, DEEPEST, &tens),
            Overlays::DEPTH => along("distance from the eye", view_colour, FARTHEST_LOG10_M, &metres),
            Overlays::SOURCE => return None,
            _ => along("level of the elevation tile; squares are tiles", view_colour, FINEST_TILE, &tiles),
        })
    }

    /// Of hours of sun up to the most.
    pub fn of_sun_hours(most: f32) -> Legend {
        let step = round_step(f64::from(most) / MOST_TICKS) as f32;
        let hours: Vec<(f32, String)> =
            (0..).map(|k| k as f32 * step).take_while(|at| *at <= most).map(|at| (at, format!("{at:.0} h"))).collect();
        let hours: Vec<(f32, &str)> = hours.iter().map(|(at, text)| (*at, text.as_str())).collect();
        along("hours of sun", |part| shown(sun_tint(part)), most.max(0.1), &hours)
    }

    /// Of the colours of heights between two, in metres, at a latitude; none where pictures or other colours hide them.
    pub fn of_heights(overlays: Overlays, ramp: Ramp, (low_m, high_m): (f64, f64), lat_deg: f64) -> Option<Legend> {
        let others = [Overlays::SLOPE, Overlays::ASPECT, Overlays::IMAGERY, Overlays::PICTURES];
        if overlays.view().is_some() || others.into_iter().any(|other| overlays.has(other)) {
            return None;
        }
        // Level ground has a colour, too, and one height.
        if high_m - low_m < 0.5 {
            let colours = ramp.colours(std::iter::repeat_n(low_m, COLOURS), lat_deg);
            return Some(Legend { title: "height, metres", colours, ticks: vec![(0.5, format!("{low_m:.0}"))] });
        }
        let (low_m, high_m) = (low_m.floor(), high_m.ceil().max(low_m.floor() + 1.0));
        let step_m = round_step((high_m - low_m) / MOST_TICKS);
        let ticks = (0..)
            .map(|k| ((low_m / step_m).ceil() + f64::from(k)) * step_m)
            .take_while(|height_m| *height_m <= high_m)
            .map(|height_m| (((height_m - low_m) / (high_m - low_m)) as f32, format!("{height_m:.0}")));
        let heights_m = (0..COLOURS).map(|k| low_m + (k as f64 + 0.5) / COLOURS as f64 * (high_m - low_m));
        Some(Legend { title: "height, metres", colours: ramp.colours(heights_m, lat_deg), ticks: ticks.collect() })
    }
}

fn ground(overlays: Overlays) -> Option<Legend> {
    // The last one drawn is seen.
    if overlays.has(Overlays::ASPECT) {
        let winds = [(0.0, "N"), (90.0, "E"), (180.0, "S"), (270.0, "W"), (360.0, "N")];
        let tint = |part: f32| {
            let to_rad = part * std::f32::consts::TAU;
            shown(aspect_tint(Vec2::new(to_rad.cos(), to_rad.sin())))
        };
        return Some(along("slopes fall towards", tint, 360.0, &winds));
    }
    let degrees = [(0.0, "0°"), (5.0, "5°"), (15.0, "15°"), (30.0, "30°"), (45.0, "45°")];
    let tint = |part: f32| shown(slope_tint((45.0 * part).to_radians().tan()));
    overlays.has(Overlays::SLOPE).then(|| along("slope", tint, 45.0, &degrees))
}

/// A ramp from 0 to `end` with values along it.
fn along(title: &'static str, colour: impl Fn(f32) -> [u8; 3], end: f32, values: &[(f32, &str)]) -> Legend {
    Legend {
        title,
        colours: (0..COLOURS).map(|k| colour((k as f32 + 0.5) / COLOURS as f32)).collect(),
        ticks: values.iter().map(|(at, text)| (at / end, (*text).to_owned())).collect(),
    }
}

/// The colour at a part of the ramp of the views, as the shader mixes it.
fn view_colour(part: f32) -> [u8; 3] {
    let at = part.clamp(0.0, 1.0) * (RAMP.len() - 1) as f32;
    let low = (at as usize).min(RAMP.len() - 2);
    RAMP[low].lerp(RAMP[low + 1], at - low as f32).to_array().map(|value| (value * 255.0).round() as u8)
}

/// A tint as a screen shows it.
fn shown(linear: Vec3) -> [u8; 3] {
    linear.to_array().map(|value| srgb::encoded(f64::from(value)))
}

/// The round number that is not below another above 0.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0].into_iter().map(|digit| digit * power).find(|step| *step >= least).unwrap_or(10.0 * power).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: whatever gives the ground its colours has one legend, with numbers from end to end.
    #[test]
    fn colours_of_the_ground_have_a_legend() {
        for (name, one) in Overlays::named() {
            let (own, heights) = (Legend::of(one), Legend::of_heights(one, Ramp::Atlas, (-20.0, 3_456.0), 46.0));
            let hides = [Overlays::SOURCE, Overlays::IMAGERY, Overlays::PICTURES].contains(&one);
            assert_eq!(usize::from(own.is_some()) + usize::from(heights.is_some()), usize::from(!hides), "{name}");
            for legend in own.into_iter().chain(heights) {
                assert!(legend.ticks.len() > 2 && legend.ticks.is_sorted_by(|a, b| a.0 < b.0), "{name}: {legend:?}");
                assert!(legend.ticks.iter().all(|(part, _)| (0.0..=1.0).contains(part)), "{name}");
                assert_eq!(legend.colours.len(), COLOURS);
            }
        }
    }

    #[test]
    fn heights_have_round_numbers() {
        let texts = |low_m, high_m| {
            let legend = Legend::of_heights(Overlays::default(), Ramp::Grey, (low_m, high_m), 0.0).expect("heights");
            legend.ticks.into_iter().map(|(_, text)| text).collect::<Vec<_>>()
        };
        assert_eq!(texts(212.0, 3_930.0), ["1000", "2000", "3000"]);
        assert_eq!(texts(-3.4, 4.2), ["-4", "-2", "0", "2", "4"]);
        assert_eq!(texts(7.0, 7.0), ["7"]);
    }

    #[test]
    fn the_ramp_of_views_runs_through_its_colours() {
        for (i, rgb) in RAMP.map(|rgb| rgb.to_array()).into_iter().enumerate() {
            for (got, wanted) in view_colour(i as f32 / (RAMP.len() - 1) as f32).into_iter().zip(rgb) {
                assert!((f32::from(got) - wanted * 255.0).abs() <= 1.0, "{i}");
            }
        }
    }
}
