//! Which places have their names in a picture? The better known ones from farther away, each as long as it is neither too far nor, for what
//! is as large as a country, too near; and features of the user's.

use std::{ops::Range, sync::OnceLock};

use glam::DVec3;
use rustc_hash::FxHashMap;
use terrain::geodesy::{Ellipsoid, n_vector};

use super::anchor::{LabelAnchor, LabelBudget};
use super::label_view::LabelView;
use super::subject::Subject;
use crate::gazetteer::{PlaceEntry, PlaceKind, entries};

/// Heights of the ground under names are means over about this part of their distance, where data are read as needed.
const GROUND_PART: f64 = 4e-3;
/// Names stand so much above the ground, as a part of their distance.
const RISE: f64 = 5e-4;

/// Of which kinds places are named.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlaceFilter {
    /// Those of the gazetteer.
    pub names: bool,
    /// Features of the user's.
    pub features: bool,
}

/// A name, and where it is seen from.
struct NamedPlace {
    subject: Subject,
    up: DVec3,
    /// On the ellipsoid.
    position_m: DVec3,
    named_from_m: Range<f64>,
}

/// All names, those seen from farthest away first.
fn named_places() -> &'static [NamedPlace] {
    static PLACES: OnceLock<Vec<NamedPlace>> = OnceLock::new();
    PLACES.get_or_init(|| {
        let place = |(number, entry): (usize, &PlaceEntry)| {
            let up = n_vector(entry.lat_deg.to_radians(), entry.lon_deg.to_radians());
            let subject = Subject::Name(number);
            NamedPlace { subject, up, position_m: Ellipsoid::WGS84.ecef(up, 0.0), named_from_m: entry.named_from_m() }
        };
        let places = entries().iter().enumerate().map(place);
        let mut places: Vec<NamedPlace> = places.filter(|place| !place.named_from_m.is_empty()).collect();
        // A stable sort: among equals those first in the file stay first.
        places.sort_by(|a, b| b.named_from_m.end.total_cmp(&a.named_from_m.end));
        places
    })
}

/// The labels of features that may be written where the eye is, those seen from farthest away first.
fn features_from(eye: &LabelView<'_>) -> Vec<NamedPlace> {
    let place = |number: u32| {
        let label = eye.features.get(number)?;
        let (up, position_m) = (label.up, label.position_m);
        Some(NamedPlace { subject: Subject::Feature(number), up, position_m, named_from_m: 0.0..label.named_from_m })
    };
    eye.features.seen_from(eye.camera.eye_m).into_iter().filter_map(place).collect()
}

/// Cosine of the view on the ground from which on a place is named.
pub(super) fn least_facing(subject: Subject) -> f64 {
    match subject.place().map(|place| place.kind) {
        // A summit stands above the horizon, and a feature may be one.
        None | Some(PlaceKind::Summit) => -0.05,
        Some(PlaceKind::City | PlaceKind::Feature | PlaceKind::Deep | PlaceKind::Station) => 0.02,
        // What is as large as a country.
        Some(_) => 0.15,
    }
}

/// Whether the name of a place that stands may stay, seen from so far away.
pub(super) fn stays(eye: &LabelView<'_>, subject: Subject, distance_m: f64) -> bool {
    let named_from_m = match subject {
        Subject::Feature(number) => eye.features.get(number).map(|label| 0.0..label.named_from_m),
        _ => subject.place().map(PlaceEntry::named_from_m),
    };
    named_from_m.is_some_and(|range| within(range, distance_m))
}

/// Whether a name stays: it comes at a distance, and goes at another, so that it does not do both again and again.
fn within(Range { start, end }: Range<f64>, distance_m: f64) -> bool {
    const PATIENCE: f64 = 1.15;
    (start / PATIENCE..end * PATIENCE).contains(&distance_m)
}

/// What is known of names beyond a frame.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// The power of two of the distance for which the height of the ground was asked, and that height in metres.
    heights: FxHashMap<Subject, (i32, f64)>,
    /// Where the eye was when ground hid them.
    hidden: FxHashMap<Subject, DVec3>,
}

impl Names {
    /// How many names ground hid.
    #[cfg(test)]
    pub fn hidden_count(&self) -> usize {
        self.hidden.len()
    }

    /// Whether ground hid a name from where the eye still is, about.
    fn is_hidden(&self, eye: &LabelView<'_>, place: &NamedPlace) -> bool {
        /// Part of its distance that the eye has to move before a ray looks again.
        const MOVED: f64 = 0.02;
        let hidden = self.hidden.get(&place.subject);
        hidden.is_some_and(|from_m| from_m.distance(eye.camera.eye_m) < MOVED * from_m.distance(place.position_m))
    }

    /// Remembers whether ground hides a name.
    pub fn hides(&mut self, place: Subject, eye: &LabelView<'_>, is_hidden: bool) {
        if is_hidden {
            self.hidden.insert(place, eye.camera.eye_m);
        } else {
            self.hidden.remove(&place);
        }
    }

    /// Height of what is seen at a place from a distance, ground or sea; asked for at most `left` times more, else as it was known before.
    fn ground_m(&mut self, eye: &LabelView<'_>, place: &NamedPlace, distance_m: f64, left: &mut usize) -> Option<f64> {
        let scale = distance_m.max(1.0).log2() as i32;
        let known = self.heights.get(&place.subject).copied();
        if let Some((_, height_m)) = known.filter(|(of, _)| *of == scale || *left == 0) {
            return Some(height_m);
        }
        *left = left.checked_sub(1)?;
        let height_m = eye.seen.relief().overview_m(place.up, GROUND_PART * f64::from(scale).exp2());
        self.heights.insert(place.subject, (scale, height_m));
        Some(height_m)
    }

    /// Names in the picture, the best known first, but, unless all are looked at, those that ground hid; and whether some are missing as no
    /// more heights of the ground may be asked for.
    pub fn in_view(
        &mut self,
        eye: &LabelView<'_>,
        effort: LabelBudget,
        places: PlaceFilter,
    ) -> (Vec<LabelAnchor>, bool) {
        let (eye_m, size_pt) = (eye.camera.eye_m, eye.size_pt());
        let above_m = eye_m.length() - eye.camera.ellipsoid.semi_major_m();
        let (mut found, mut left, mut unfinished) = (Vec::new(), effort.name_heights, false);
        // They are of the Earth.
        let names = places.names && eye.camera.ellipsoid == Ellipsoid::WGS84;
        // No place is nearer than the ground below the eye.
        let names = named_places().iter().take_while(|place| names && place.named_from_m.end > above_m);
        // What the user brings comes first.
        let features = if places.features { features_from(eye) } else { Vec::new() };
        for place in features.iter().chain(names) {
            let distance_m = place.position_m.distance(eye_m);
            if !place.named_from_m.contains(&distance_m)
                || eye.facing(place.position_m, place.up) < least_facing(place.subject)
            {
                continue;
            }
            // Before heights are asked for: most names are not in the picture.
            let Some(about) = eye.on_screen(place.position_m) else { continue };
            if about.cmplt(-0.1 * size_pt).any() || about.cmpgt(1.1 * size_pt).any() {
                continue;
            }
            if !effort.all && self.is_hidden(eye, place) {
                continue;
            }
            let Some(ground_m) = self.ground_m(eye, place, distance_m, &mut left) else {
                unfinished = true;
                continue;
            };
            found.push(LabelAnchor {
                subject: place.subject,
                position_m: Ellipsoid::WGS84.ecef(place.up, ground_m + RISE * distance_m),
                up: place.up,
                along: DVec3::ZERO,
                to_next_m: DVec3::ZERO,
                digits: 0,
            });
        }
        (found, unfinished)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: names come in the order in which they are seen from afar, and what is named far away stays where it would be named anew.
    #[test]
    fn the_best_known_come_first() {
        assert!(named_places().is_sorted_by(|a, b| a.named_from_m.end >= b.named_from_m.end));
        for place in named_places() {
            let range = || place.named_from_m.clone();
            let Range { start, end } = range();
            assert!(within(range(), 0.999 * end) && within(range(), start) && !within(range(), 1.2 * end));
        }
        let kinds = [PlaceKind::Continent, PlaceKind::Country, PlaceKind::City, PlaceKind::Summit];
        let first = kinds.map(|kind| {
            named_places().iter().position(|place| place.subject.place().is_some_and(|entry| entry.kind == kind))
        });
        assert!(first.is_sorted() && first.iter().all(Option::is_some), "{first:?}");
    }
}
