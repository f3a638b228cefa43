//! Which places has the user marked? One, or two with what lies between them.

use bevy_ecs::resource::Resource;
use glam::DVec3;
use terrain::geodesy::Geodetic;
use terrain::surface::Surface;

use super::measurement::Measurement;

/// A marked place on the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Marker {
    /// The place, with the height that the data have there.
    pub place: Geodetic,
    /// Where the ground is drawn there, ECEF metres.
    pub position_m: DVec3,
}

impl Marker {
    /// A marker on the ground as it is drawn, with the height that the data have there.
    pub fn new(drawn: Geodetic, data: &Surface) -> Marker {
        let height_m = data.relief().sample(drawn.normal()).height_m;
        Marker { place: Geodetic { height_m, ..drawn }, position_m: drawn.to_ecef() }
    }
}

/// The markers, first to last.
#[derive(Resource, Debug, Clone, Default)]
pub struct Markers {
    first: Option<Marker>,
    second: Option<(Marker, Measurement)>,
    /// What there was before the last drop, until something else is done.
    before: Option<Box<Markers>>,
}

impl Markers {
    /// Marks a place on the ground as it is drawn. A second one is measured from the first, in the data; a third begins anew.
    pub fn drop_at(&mut self, drawn: Geodetic, data: &Surface) {
        let marker = Marker::new(drawn, data);
        self.keep();
        let before = Some(Box::new(self.clone()));
        let (first, second) = match (self.first, &self.second) {
            (Some(first), None) => (first, Some((marker, Measurement::between(data, first.place, marker.place)))),
            _ => (marker, None),
        };
        *self = Markers { first: Some(first), second, before };
    }

    /// Puts back what there was before the last drop, if nothing has been done since.
    pub fn take_back(&mut self) {
        if let Some(before) = self.before.take() {
            *self = *before;
        }
    }

    /// Lets the last drop stand.
    pub fn keep(&mut self) {
        self.before = None;
    }

    /// Takes the last marker away; false if there was none.
    pub fn remove_last(&mut self) -> bool {
        self.keep();
        self.second.take().is_some() || self.first.take().is_some()
    }

    /// Takes all markers away; false if there was none.
    pub fn clear(&mut self) -> bool {
        let any = self.first.is_some();
        *self = Markers::default();
        any
    }

    /// The markers with their names.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, &Marker)> {
        let second = self.second.as_ref().map(|(marker, _)| ("B", marker));
        self.first.as_ref().map(|marker| ("A", marker)).into_iter().chain(second)
    }

    /// Whether there is one, and the next one is measured from it.
    pub fn is_half(&self) -> bool {
        self.first.is_some() && self.second.is_none()
    }

    /// What lies between the two.
    pub fn measurement(&self) -> Option<&Measurement> {
        self.second.as_ref().map(|(_, measurement)| measurement)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use terrain::height::{GlobalGrid, Registration, Relief};

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

    /// Law: the first half of a double click is as if it had not been, whatever markers there were; what was done before it stays.
    #[test]
    fn a_drop_is_taken_back_once() {
        let surface = flat(100.0);
        let mut markers = Markers::default();
        let names = |markers: &Markers| markers.named().map(|(name, _)| name).collect::<String>();
        for (lon_deg, there) in [(1.0, ""), (2.0, "A"), (3.0, "AB")] {
            let before: Vec<Marker> = markers.named().map(|(_, marker)| *marker).collect();
            markers.drop_at(Geodetic::from_degrees(10.0, lon_deg, 100.0), &surface);
            assert_ne!(before, markers.named().map(|(_, marker)| *marker).collect::<Vec<_>>());
            markers.take_back();
            markers.take_back();
            assert_eq!(names(&markers), there);
            assert_eq!(before, markers.named().map(|(_, marker)| *marker).collect::<Vec<_>>());
            assert_eq!(markers.measurement().is_some(), there == "AB");
            markers.drop_at(Geodetic::from_degrees(10.0, lon_deg, 100.0), &surface);
            markers.keep();
            markers.take_back();
        }
        assert_eq!(names(&markers), "A", "a third one began anew");
    }

    /// Law: ground that is drawn four times as high is marked where it is drawn, and measured as it is.
    #[test]
    fn what_is_measured_is_the_data() {
        let slope = |lon: f64, _| 1_000.0 * (lon - 10.0).clamp(0.0, 2.0);
        let relief = Relief::from_grid(GlobalGrid::from_fn(360, 181, Registration::Node, slope)).expect("a grid");
        let data = Surface::new(Arc::new(relief));
        let mut markers = Markers::default();
        for (lon_deg, height_m) in [(10.0, 0.0), (11.0, 1_000.0)] {
            let drawn = Geodetic::from_degrees(0.0, lon_deg, 4.0 * height_m);
            markers.drop_at(drawn, &data);
            let (_, marker) = markers.named().last().expect("a marker");
            assert!((marker.place.height_m - height_m).abs() < 1e-6 && marker.position_m == drawn.to_ecef());
        }
        let [from, to] = [(10.0, 0.0), (11.0, 1_000.0)].map(|(lon, height)| Geodetic::from_degrees(0.0, lon, height));
        let (found, expected) = (markers.measurement().expect("two"), Measurement::between(&data, from, to));
        assert_eq!((found.surface_m, found.climb_m), (expected.surface_m, expected.climb_m));
        assert!((found.straight_m - expected.straight_m).abs() < 1e-6 && (found.climb_m.0 - 1_000.0).abs() < 1.0);
    }
}
