//! What is labelled?

use std::borrow::Cow;

use crate::gazetteer::{PlaceEntry, PlaceKind, entries};
use crate::terrain::FeatureLabels;

/// A line on the ground, by the number on it: whole metres, thousandths of a degree; or a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Subject {
    /// Ground of one height above the datum, metres.
    Contour(i32),
    /// A latitude, thousandths of a degree, north positive.
    Parallel(i32),
    /// A longitude, thousandths of a degree in (-180 000, 180 000], east positive.
    Meridian(i32),
    /// A place, by its number in the gazetteer.
    Name(usize),
    /// A feature of the user's, by the number of its label.
    Feature(u32),
}

impl Subject {
    /// The number as people write it, that of a parallel or meridian with some [`digits`]; or the name.
    pub fn text(self, digits: usize, features: &FeatureLabels) -> Cow<'_, str> {
        match self {
            Subject::Name(entry) => return name(&entries()[entry]),
            Subject::Feature(number) => return features.get(number).map_or("", |label| &label.text).into(),
            Subject::Contour(height_m) => format!("{height_m}").replace('-', "\u{2212}"),
            Subject::Parallel(lat) => degrees(lat, 'N', 'S', 90_000, digits),
            Subject::Meridian(lon) => degrees(lon, 'E', 'W', 180_000, digits),
        }
        .into()
    }

    /// The place that it names.
    pub fn place(self) -> Option<&'static PlaceEntry> {
        let Subject::Name(entry) = self else { return None };
        Some(&entries()[entry])
    }

    /// Whether it is a place, not a line.
    pub fn is_place(self) -> bool {
        matches!(self, Subject::Name(_) | Subject::Feature(_))
    }

    /// How rarely its number comes: rounder ones are labelled first. Places have none.
    pub fn roundness(self) -> u32 {
        let number = match self {
            Subject::Contour(number) | Subject::Parallel(number) | Subject::Meridian(number) => number,
            Subject::Name(_) | Subject::Feature(_) => return 0,
        };
        let divides = |n: &i32| number % n == 0;
        [2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].iter().filter(|n| divides(n)).count() as u32
    }
}

/// What is as large as a country is written in capitals.
fn name(entry: &PlaceEntry) -> Cow<'static, str> {
    match entry.kind {
        PlaceKind::Continent | PlaceKind::Country => entry.name.to_uppercase().into(),
        _ => entry.name.into(),
    }
}

/// Degrees in whole thousandths, at least one.
pub(super) fn thousandths(step_deg: f64) -> i32 {
    (step_deg * 1000.0).round().max(1.0) as i32
}

/// Digits after the point that all lines some thousandths of a degree apart are written with, so that those beside each other
/// look alike.
pub(super) fn digits(step: i32) -> usize {
    [1000, 100, 10].iter().position(|unit| step % unit == 0).unwrap_or(3)
}

/// Thousandths of a degree in degrees with some digits after the point. On the equator, the first meridian and the one
/// opposite there are no sides.
fn degrees(thousandths: i32, plus: char, minus: char, end: i32, digits: usize) -> String {
    let side = match thousandths {
        0 => String::new(),
        far if far.abs() == end && end == 180_000 => String::new(),
        more if more > 0 => plus.to_string(),
        _ => minus.to_string(),
    };
    format!("{:.digits$}°{side}", f64::from(thousandths.abs()) * 1e-3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_on_a_map() {
        let said = [
            (Subject::Contour(2500), 1000),
            (Subject::Contour(-200), 1000),
            (Subject::Parallel(46_500), 500),
            (Subject::Parallel(-5), 5),
            (Subject::Parallel(0), 30_000),
            (Subject::Meridian(-75_000), 15_000),
            (Subject::Meridian(180_000), 5_000),
            (Subject::Meridian(8_020), 20),
        ]
        .map(|(line, step)| line.text(digits(step), &FeatureLabels::default()).into_owned());
        assert_eq!(said, ["2500", "\u{2212}200", "46.5°N", "0.005°S", "0°", "75°W", "180°", "8.02°E"]);
    }

    /// Law: lines of one step are written with one number of digits, the fewest that tell them apart.
    #[test]
    fn lines_of_a_step_have_the_same_digits() {
        for (step, digits) in [(1, 3), (5, 3), (10, 2), (20, 2), (50, 2), (100, 1), (250, 2), (500, 1), (2_000, 0)] {
            for number in -300..300 {
                let none = FeatureLabels::default();
                let text = Subject::Parallel(number * step).text(self::digits(step), &none);
                let after =
                    text.split_once('.').map_or(0, |(_, rest)| rest.chars().take_while(char::is_ascii_digit).count());
                assert_eq!(after, digits, "{text} at a step of {step}");
                let value: f64 = text.trim_end_matches(['N', 'S', '°']).parse().expect("a number");
                assert!((value - f64::from((number * step).abs()) * 1e-3).abs() < 1e-9, "{text}");
            }
        }
        assert_eq!(
            [36_200, 36_220].map(|lat| Subject::Parallel(lat).text(digits(20), &FeatureLabels::default()).into_owned()),
            ["36.20°N", "36.22°N"]
        );
    }

    #[test]
    fn a_thousand_is_rounder_than_a_hundred() {
        let roundness = [500, 1000, 1500, 1100, 1050].map(|height_m| Subject::Contour(height_m).roundness());
        assert!(roundness[1] > roundness[0] && roundness[0] >= roundness[2], "{roundness:?}");
        assert!(roundness[2] > roundness[3] && roundness[3] > roundness[4], "{roundness:?}");
    }
}
