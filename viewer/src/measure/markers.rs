//! Which places has the user marked? One, or a path with what is measured along it.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use bevy_ecs::resource::Resource;
use glam::DVec3;
use terrain::feature_writer::NamedFeature;
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
    saved: Option<Vec<NamedFeature>>,
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

    /// Remembers what was saved of them: their [features](Self::features).
    pub fn note_saved(&mut self, features: Vec<NamedFeature>) {
        self.saved = Some(features);
    }

    /// What would be lost with them: a path of more than two that was not saved as it is, or else the one that they have replaced.
    pub fn unsaved(&self) -> Option<Vec<NamedFeature>> {
        if self.markers.len() <= 2 {
            return self.replaced.as_ref()?.unsaved();
        }
        Some(self.features()).filter(|features| self.saved.as_ref() != Some(features))
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
