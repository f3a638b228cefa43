//! Do markers, their path and what is measured stay together, whatever is clicked?

use std::sync::Arc;

use terrain::height::{GlobalGrid, Registration, Relief};

use super::*;
use crate::terrain::flat;

fn at(lat_deg: f64, lon_deg: f64) -> Geodetic {
    Geodetic::from_degrees(lat_deg, lon_deg, 100.0)
}

fn lons(markers: &Markers) -> Vec<f64> {
    markers.markers().iter().map(|marker| marker.place.lon_rad.to_degrees().round()).collect()
}

#[test]
fn two_measure_and_a_third_begins_anew() {
    let surface = flat(100.0);
    let mut markers = Markers::default();
    assert!(!markers.remove_last(&surface));
    for (lon_deg, expected) in [(1.0, vec![1.0]), (2.0, vec![1.0, 2.0]), (3.0, vec![3.0])] {
        markers.drop_at(at(10.0, lon_deg), &surface);
        assert_eq!((lons(&markers), markers.sight().is_some()), (expected.clone(), expected.len() == 2));
        assert_eq!(markers.legs().len(), expected.len() - 1);
    }
    assert_eq!(markers.markers()[0].place, at(10.0, 3.0));
    markers.drop_at(at(10.0, 4.0), &surface);
    assert!(markers.remove_last(&surface) && markers.legs().len() == 0 && markers.sight().is_none());
    assert!(markers.remove_last(&surface) && markers.markers().is_empty());
}

/// Law: the first half of a double click is as if it had not been, whatever markers there were; what was done before it stays.
#[test]
fn a_drop_is_taken_back_once() {
    let surface = flat(100.0);
    let mut markers = Markers::default();
    for (lon_deg, there) in [(1.0, 0), (2.0, 1), (3.0, 2)] {
        let before = markers.markers().to_vec();
        markers.drop_at(at(10.0, lon_deg), &surface);
        assert_ne!(before, markers.markers());
        markers.undo_drop();
        markers.undo_drop();
        assert_eq!((before.len(), before), (there, markers.markers().to_vec()));
        assert_eq!(markers.sight().is_some(), there == 2);
        markers.drop_at(at(10.0, lon_deg), &surface);
        markers.commit_drop();
        markers.undo_drop();
    }
    assert_eq!(lons(&markers), [3.0], "a third one began anew");
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
        let marker = markers.markers().last().expect("a marker");
        assert!(
            (marker.place.height_m - height_m).abs() < 1e-6 && marker.position_m == drawn.to_ecef(Ellipsoid::WGS84)
        );
    }
    let [from, to] = [(10.0, 0.0), (11.0, 1_000.0)].map(|(lon, height)| Geodetic::from_degrees(0.0, lon, height));
    let (found, expected) = (markers.legs().next().expect("two"), Leg::between(&data, from, to));
    assert_eq!((found.surface_m, found.climb_m), (expected.surface_m, expected.climb_m));
    let straight_m = markers.sight().expect("two").straight_m;
    assert!((straight_m - from.to_ecef(Ellipsoid::WGS84).distance(to.to_ecef(Ellipsoid::WGS84))).abs() < 1e-6);
    assert!((found.climb_m.0 - 1_000.0).abs() < 1.0);
}

/// Law: whatever is dropped, closed and taken away, there is a leg from each marker to the next, and back to the first in a closed
/// path, each the geodesic of its two markers; the length of the path is their sum. An area is there in a closed path alone.
#[test]
fn a_path_has_the_legs_of_its_markers() {
    let surface = flat(100.0);
    let mut markers = Markers::default();
    let holds = |markers: &Markers| {
        let places: Vec<Geodetic> = markers.markers().iter().map(|marker| marker.place).collect();
        let ends = places.iter().skip(1).chain(places.first().filter(|_| markers.is_closed()));
        let between = |(from, to): (&Geodetic, &Geodetic)| Leg::between(&surface, *from, *to).ellipsoid_m;
        let known: Vec<f64> = places.iter().zip(ends).map(between).collect();
        let legs: Vec<f64> = markers.legs().map(|leg| leg.ellipsoid_m).collect();
        assert_eq!(legs, known, "{places:?}");
        assert_eq!(markers.sight().is_some(), places.len() == 2);
        assert_eq!(markers.area_m2().is_some(), markers.is_closed());
    };
    for (lat, lon) in [(46.0, 179.0), (46.0, -179.0), (47.0, -179.5), (47.0, 179.5)] {
        assert_eq!(markers.can_close(), markers.close(&surface));
        markers.extend(at(lat, lon), &surface);
        holds(&markers);
    }
    assert!(markers.is_closed() && !markers.close(&surface));
    let (four, lengths) = (markers.area_m2().expect("an area"), markers.legs().len());
    assert!((1.2e10..1.4e10).contains(&four) && lengths == 4, "{four}");
    assert!(markers.remove_last(&surface) && !markers.is_closed() && markers.markers().len() == 4);
    holds(&markers);
    assert!(markers.remove_last(&surface) && markers.close(&surface));
    holds(&markers);
    assert!(markers.area_m2().is_some_and(|three| three < four));
    (0..=MOST_MARKERS).for_each(|k| markers.extend(at(0.0, 0.01 * k as f64), &surface));
    assert!(markers.is_full() && markers.markers().len() == MOST_MARKERS);
    holds(&markers);
    let whole_m = markers.total(|leg| leg.ellipsoid_m);
    let along: Vec<f64> = markers.along_m().collect();
    assert!(along.len() == markers.legs().len() + 1 && along[0] == 0.0 && along.is_sorted());
    assert!(along.last().is_some_and(|last| *last == whole_m));
    assert_eq!(markers.end(), 0);
    let profile = markers.profile();
    assert!(profile.windows(2).all(|two| two[0].distance_m <= two[1].distance_m) && profile[0].distance_m == 0.0);
    assert!(profile.last().is_some_and(|last| (last.distance_m - whole_m).abs() < 1e-3) && profile.len() < 3_000);
}

/// Law: a path of others is measured as one that was clicked, and the one before it comes back.
#[test]
fn a_path_of_others_is_measured() {
    let (surface, mut clicked, mut given) = (flat(100.0), Markers::default(), Markers::default());
    let places = [at(46.0, 7.0), at(46.0, 8.0), at(47.0, 8.0)];
    given.replace_with(&[at(1.0, 1.0), at(1.0, 2.0), at(2.0, 2.0)], false, &surface);
    for closes in [false, true] {
        clicked.clear();
        places.iter().for_each(|place| clicked.extend(*place, &surface));
        assert!(!closes || clicked.close(&surface));
        given.replace_with(&places, closes, &surface);
        let legs = |markers: &Markers| markers.legs().cloned().collect::<Vec<_>>();
        assert_eq!((given.markers(), legs(&given)), (clicked.markers(), legs(&clicked)));
        assert_eq!((given.area_m2(), given.is_closed()), (clicked.area_m2(), closes));
    }
    assert!(given.clear() && given.remove_last(&surface) && lons(&given) == [7.0, 8.0, 8.0]);
    let many = vec![at(0.0, 0.0); MOST_MARKERS + 1];
    given.replace_with(&many, true, &surface);
    assert!(given.is_full() && given.markers().len() == MOST_MARKERS);
}

/// Law: a path that a click has replaced comes back when the click is taken away, with its area.
#[test]
fn a_replaced_path_comes_back() {
    let surface = flat(100.0);
    let mut markers = Markers::default();
    for (lat, lon) in [(10.0, 1.0), (10.0, 2.0), (11.0, 2.0)] {
        markers.extend(at(lat, lon), &surface);
    }
    assert!(markers.close(&surface));
    let area = markers.area_m2();
    markers.drop_at(at(20.0, 5.0), &surface);
    markers.drop_at(at(20.0, 6.0), &surface);
    assert_eq!(lons(&markers), [5.0, 6.0]);
    assert!(markers.remove_last(&surface) && markers.remove_last(&surface));
    assert_eq!((lons(&markers), markers.is_closed(), markers.area_m2()), (vec![1.0, 2.0, 2.0], true, area));
    assert!(!markers.restores_path() && markers.clear() && markers.restores_path() && markers.markers().is_empty());
    for lon in [5.0, 6.0, 7.0] {
        markers.drop_at(at(20.0, lon), &surface);
    }
    assert!(markers.restores_path() && markers.clear() && !markers.clear());
    assert!(markers.remove_last(&surface));
    assert_eq!((lons(&markers), markers.area_m2()), (vec![1.0, 2.0, 2.0], area));
    // Two are no path to bring back.
    let mut two = Markers::default();
    (0..2).for_each(|lon| two.drop_at(at(20.0, f64::from(lon)), &surface));
    assert!(two.clear() && !two.restores_path() && !two.remove_last(&surface));
}

/// Law: a path of more than two is unsaved until it is saved as it is, and again once it has changed; fewer are none.
#[test]
fn paths_are_unsaved_until_they_are_saved() {
    let (surface, mut markers) = (flat(100.0), Markers::default());
    for k in 0..4 {
        markers.extend(Geodetic::from_degrees(46.0, 7.0 + 0.1 * f64::from(k), 100.0), &surface);
        assert_eq!(markers.unsaved().is_some(), k >= 2);
    }
    markers.note_saved(markers.features());
    assert_eq!(markers.unsaved(), None);
    markers.remove_last(&surface);
    let three = Some(markers.features());
    assert_eq!(markers.unsaved(), three);
    // What one click has replaced comes back by undoing, and is not lost either.
    markers.drop_at(Geodetic::from_degrees(47.0, 7.0, 100.0), &surface);
    assert_eq!(markers.unsaved(), three);
}

#[test]
fn markers_have_letters() {
    let names = [0, 25, 26, 27, 51, 52, 701, 702].map(name_of);
    assert_eq!(names, ["A", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA"]);
}
