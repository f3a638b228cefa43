//! Which places has the user marked? One, or two with what lies between them.

use bevy_ecs::resource::Resource;
use glam::DVec3;
use terrain::geodesy::Geodetic;
use terrain::surface::Surface;

use super::measurement::Measurement;

/// A marked place on the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Marker {
    /// The place, with the height of the ground there.
    pub place: Geodetic,
    /// The same in ECEF metres.
    pub position_m: DVec3,
}

impl Marker {
    /// A marker on the ground at a place.
    pub fn new(place: Geodetic) -> Marker {
        Marker { place, position_m: place.to_ecef() }
    }
}

/// The markers, first to last.
#[derive(Resource, Debug, Clone, Default)]
pub struct Markers {
    first: Option<Marker>,
    second: Option<(Marker, Measurement)>,
}

impl Markers {
    /// Marks a place. A second one is measured from the first; a third begins anew.
    pub fn drop_at(&mut self, place: Geodetic, surface: &Surface) {
        let marker = Marker::new(place);
        match (self.first, &self.second) {
            (Some(first), None) => self.second = Some((marker, Measurement::between(surface, first.place, place))),
            _ => *self = Markers { first: Some(marker), second: None },
        }
    }

    /// Takes the last marker away; false if there was none.
    pub fn remove_last(&mut self) -> bool {
        self.second.take().is_some() || self.first.take().is_some()
    }

    /// The markers with their names.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, &Marker)> {
        let second = self.second.as_ref().map(|(marker, _)| ("B", marker));
        self.first.as_ref().map(|marker| ("A", marker)).into_iter().chain(second)
    }

    /// What lies between the two.
    pub fn measurement(&self) -> Option<&Measurement> {
        self.second.as_ref().map(|(_, measurement)| measurement)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::flat;

    #[test]
    fn two_measure_and_a_third_begins_anew() {
        let surface = flat(100.0);
        let mut markers = Markers::default();
        assert!(!markers.remove_last());
        let at = |lon_deg| Geodetic::from_degrees(10.0, lon_deg, 100.0);
        let names = |markers: &Markers| markers.named().map(|(name, _)| name).collect::<String>();
        for (lon_deg, expected, measured) in [(1.0, "A", false), (2.0, "AB", true), (3.0, "A", false)] {
            markers.drop_at(at(lon_deg), &surface);
            assert_eq!((names(&markers).as_str(), markers.measurement().is_some()), (expected, measured));
        }
        assert_eq!(markers.named().next().expect("A").1.place, at(3.0));
        markers.drop_at(at(4.0), &surface);
        assert!(markers.remove_last() && markers.measurement().is_none());
        assert!(markers.remove_last() && names(&markers).is_empty());
    }
}
