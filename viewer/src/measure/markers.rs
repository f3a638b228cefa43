//! Which places has the user marked? One, or a path with what is measured along it.

use std::sync::Arc;

use bevy_ecs::resource::Resource;
use glam::DVec3;
use terrain::geodesy::{Ellipsoid, Geodetic};
use terrain::surface::Surface;

use super::enclosed_area::area_m2;
use super::enclosed_ground::EnclosedGround;
use super::leg::{GroundPoint, Leg, thinned};
use super::line_of_sight::LineOfSight;
use crate::camera::ground::Ground;
use crate::terrain::Planet;

/// The ground that is measured.
#[derive(Clone, Copy)]
pub struct MeasuredGround<'a> {
    /// The data: heights and ways are theirs.
    pub data: &'a Surface,
    /// What lines of sight end at: the sea above its floor, where water is drawn.
    pub seen: &'a Surface,
}

impl<'a> From<&'a Planet> for MeasuredGround<'a> {
    fn from(planet: &'a Planet) -> MeasuredGround<'a> {
        MeasuredGround { data: planet.data(), seen: planet.seen_data() }
    }
}

/// Ground without water.
impl<'a> From<&'a Surface> for MeasuredGround<'a> {
    fn from(data: &'a Surface) -> MeasuredGround<'a> {
        MeasuredGround { data, seen: data }
    }
}

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
        Marker { place: Geodetic { height_m, ..drawn }, position_m: drawn.to_ecef(data.relief().ellipsoid()) }
    }
}

/// Most markers of a path.
pub const MOST_MARKERS: usize = 100;
/// Height of a marker's pin above its place, points.
pub const PIN_PT: f32 = 22.0;
/// Lowest and highest points that are kept of the ground along the path.
const PROFILE_POINTS: usize = 1_024;

/// The markers, first to last, and what is measured along them.
#[derive(Resource, Debug, Clone, Default)]
pub struct Markers {
    /// The planet that they are on.
    ellipsoid: Ellipsoid,
    markers: Vec<Marker>,
    /// From each to the next, and in a closed path from the last to the first.
    legs: Vec<Arc<Leg>>,
    is_closed: bool,
    /// Of two alone.
    sight: Option<Arc<LineOfSight>>,
    /// What a closed path surrounds, square metres; none where it crosses itself.
    area_m2: Option<f64>,
    /// The ground there.
    enclosed: Option<EnclosedGround>,
    /// The ground along the path.
    profile: Arc<Vec<GroundPoint>>,
    /// The path of more than two that a new beginning, or none, has replaced.
    replaced: Option<Box<Markers>>,
    /// What there was before the last drop, until something else is done.
    before: Option<Box<Markers>>,
    /// What was saved of them.
    saved: Option<String>,
}

/// The letters of a marker by its number from 0: A to Z, then AA, AB and so on.
pub fn name_of(number: usize) -> String {
    let letter = char::from(b'A' + (number % 26) as u8);
    match number / 26 {
        0 => letter.to_string(),
        rest => name_of(rest - 1) + &letter.to_string(),
    }
}

impl Markers {
    /// Marks a place on the ground as it is drawn. A second one is measured from the first, in the data; a third begins anew.
    pub fn drop_at<'a>(&mut self, drawn: Geodetic, ground: impl Into<MeasuredGround<'a>>) {
        let ground = ground.into();
        match self.markers.len() {
            1 => self.extend(drawn, ground),
            _ => {
                let (before, replaced) = (self.without_undo(), self.replaced_path());
                *self =
                    Markers { markers: vec![Marker::new(drawn, ground.data)], replaced, before, ..Markers::default() };
            }
        }
    }

    /// Marks a place as the next one of the path, between the last and the first if it is closed; a path that is [full](Self::is_full)
    /// stays as it is.
    pub fn extend<'a>(&mut self, drawn: Geodetic, ground: impl Into<MeasuredGround<'a>>) {
        if self.is_full() {
            return self.commit_drop();
        }
        let ground = ground.into();
        self.before = self.without_undo();
        self.legs.truncate(self.markers.len().saturating_sub(1));
        self.markers.push(Marker::new(drawn, ground.data));
        self.measure(ground);
    }

    /// Measures a path of others, an area if it closes, in the place of what there was, which comes back as after a new beginning. At most
    /// [`MOST_MARKERS`] places on the ground as it is drawn.
    pub fn replace_with<'a>(&mut self, drawn: &[Geodetic], closes: bool, ground: impl Into<MeasuredGround<'a>>) {
        let ground = ground.into();
        self.clear();
        let places = drawn.iter().take(MOST_MARKERS);
        self.markers = places.map(|place| Marker::new(*place, ground.data)).collect();
        self.is_closed = closes && self.markers.len() > 2;
        self.measure(ground);
    }

    /// Whether the path has as many markers as it may have.
    pub fn is_full(&self) -> bool {
        self.markers.len() >= MOST_MARKERS
    }

    /// Goes back to the first marker; false if there is no area between fewer than three, or the path is closed.
    pub fn close<'a>(&mut self, ground: impl Into<MeasuredGround<'a>>) -> bool {
        self.commit_drop();
        let closes = self.can_close();
        if closes {
            self.is_closed = true;
            self.measure(ground.into());
        }
        closes
    }

    /// Measures what is missing.
    fn measure(&mut self, MeasuredGround { data, seen }: MeasuredGround<'_>) {
        self.ellipsoid = data.relief().ellipsoid();
        let corners = self.markers.len();
        let legs = if self.is_closed { corners } else { corners.saturating_sub(1) };
        let place = |at: usize| self.markers[at % corners].place;
        for at in self.legs.len()..legs {
            self.legs.push(Arc::new(Leg::between(data, place(at), place(at + 1))));
        }
        self.sight = (corners == 2).then(|| {
            let along_m = self.legs.iter().map(|leg| leg.ellipsoid_m).sum();
            Arc::new(LineOfSight::between(seen, place(0), place(1), along_m))
        });
        let places: Vec<Geodetic> = self.markers.iter().map(|marker| marker.place).collect();
        self.area_m2 = self.is_closed.then(|| area_m2(self.ellipsoid, &places)).flatten();
        self.enclosed = self.area_m2.and_then(|area_m2| EnclosedGround::inside(data, &places, &self.legs, area_m2));
        let moved = |point: &GroundPoint, by_m: f64| GroundPoint { distance_m: by_m + point.distance_m, ..*point };
        let all: Vec<GroundPoint> = self
            .legs
            .iter()
            .zip(self.along_m())
            .flat_map(|(leg, by_m)| leg.profile.iter().map(move |at| moved(at, by_m)))
            .collect();
        self.profile = Arc::new(thinned(&all, PROFILE_POINTS));
    }

    /// These, with nothing to put back but what a new beginning replaced.
    fn without_undo(&self) -> Option<Box<Markers>> {
        Some(Box::new(Markers { before: None, ..self.clone() }))
    }

    /// What comes back when a new beginning is taken away: a path of more than two, else what would have come back before.
    fn replaced_path(&self) -> Option<Box<Markers>> {
        match self.markers.len() {
            0..=2 => self.replaced.clone(),
            _ => Some(Box::new(Markers { before: None, replaced: None, ..self.clone() })),
        }
    }

    /// Whether a path comes back when the last marker is taken away.
    pub fn restores_path(&self) -> bool {
        self.markers.len() < 2 && self.replaced.is_some()
    }

    /// Puts back what there was before the last drop, if nothing has been done since.
    pub fn undo_drop(&mut self) {
        if let Some(before) = self.before.take() {
            *self = *before;
        }
    }

    /// Lets the last drop stand.
    pub fn commit_drop(&mut self) {
        self.before = None;
    }

    /// Takes the last thing away: the way back of a closed path, else the last marker; with the first one a path comes back that it, or
    /// nothing, has replaced. False if there was nothing.
    pub fn remove_last<'a>(&mut self, ground: impl Into<MeasuredGround<'a>>) -> bool {
        self.commit_drop();
        let any = std::mem::take(&mut self.is_closed) || self.markers.pop().is_some();
        if self.markers.is_empty()
            && let Some(replaced) = self.replaced.take()
        {
            *self = *replaced;
            return true;
        }
        self.legs.truncate(self.markers.len().saturating_sub(1));
        self.measure(ground.into());
        any
    }

    /// Takes all markers away; false if there was none. A path of more than two comes back as after a new beginning.
    pub fn clear(&mut self) -> bool {
        let any = !self.markers.is_empty();
        *self = Markers { replaced: self.replaced_path(), ..Markers::default() };
        any
    }

    /// Puts the markers on ground that is drawn otherwise. What is measured stays, but of another body there is nothing.
    pub fn drape_on(&mut self, ground: &dyn Ground) {
        if ground.ellipsoid() != self.ellipsoid {
            *self = Markers { ellipsoid: ground.ellipsoid(), ..Markers::default() };
        }
        // What may come back stands there, too.
        for kept in [&mut self.before, &mut self.replaced].into_iter().flatten() {
            kept.drape_on(ground);
        }
        for marker in &mut self.markers {
            let up = marker.place.normal();
            marker.position_m = ground.position_m(up);
        }
    }

    /// Remembers what was [saved](Self::to_geojson) of them.
    pub fn note_saved(&mut self, geojson: String) {
        self.saved = Some(geojson);
    }

    /// What would be lost with them: a path of more than two that was not saved as it is, or else the one that they have replaced.
    pub fn unsaved(&self) -> Option<String> {
        if self.markers.len() <= 2 {
            return self.replaced.as_ref()?.unsaved();
        }
        self.to_geojson().filter(|geojson| self.saved.as_ref() != Some(geojson))
    }

    /// The planet that they are on.
    pub fn ellipsoid(&self) -> Ellipsoid {
        self.ellipsoid
    }

    /// The markers, first to last.
    pub fn markers(&self) -> &[Marker] {
        &self.markers
    }

    /// The ways from each to the next, and from the last to the first where the path is closed.
    pub fn legs(&self) -> impl ExactSizeIterator<Item = &Leg> {
        self.legs.iter().map(|leg| &**leg)
    }

    /// Of all legs together.
    pub fn total(&self, of: fn(&Leg) -> f64) -> f64 {
        self.legs().map(of).sum()
    }

    /// How far along the path each marker is on the ellipsoid, metres, and the end of a closed one.
    pub fn along_m(&self) -> impl Iterator<Item = f64> {
        let ends = self.legs().scan(0.0, |along_m, leg| {
            *along_m += leg.ellipsoid_m;
            Some(*along_m)
        });
        std::iter::once(0.0).chain(ends)
    }

    /// The number of the marker that the path ends at.
    pub fn end(&self) -> usize {
        if self.is_closed { 0 } else { self.markers.len().saturating_sub(1) }
    }

    /// Whether the path goes back to the first marker.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Whether the path is open and has three markers or more.
    pub fn can_close(&self) -> bool {
        !self.is_closed && self.markers.len() > 2
    }

    /// What a closed path surrounds, square metres; none of an open one, and of one that crosses itself.
    pub fn area_m2(&self) -> Option<f64> {
        self.area_m2
    }

    /// The ground that a closed path surrounds; none where it has no area, or is far from plane.
    pub fn enclosed(&self) -> Option<&EnclosedGround> {
        self.enclosed.as_ref()
    }

    /// The ground along the path, as thin as a plot of it may be.
    pub fn profile(&self) -> &[GroundPoint] {
        &self.profile
    }

    /// The straight line between two markers, if there are no more.
    pub fn sight(&self) -> Option<&LineOfSight> {
        self.sight.as_deref()
    }
}

#[cfg(test)]
mod tests {
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
        markers.note_saved(markers.to_geojson().expect("markers"));
        assert_eq!(markers.unsaved(), None);
        markers.remove_last(&surface);
        let three = markers.to_geojson();
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
}
