//! Which pins stand behind ground? Each is looked at in every sixth frame, and once more when the eye has come to rest.

use glam::DVec3;
use terrain::surface::Surface;

use crate::terrain::{LOOK_EVERY, OcclusionTolerance, is_hidden};

/// A pin, and what was seen of it.
#[derive(Debug, Clone, Copy)]
struct Pin {
    position_m: DVec3,
    /// Where it was looked at from.
    eye_m: DVec3,
    is_hidden: bool,
}

/// Visibility of the pins, by their numbers.
#[derive(Debug, Default)]
pub(super) struct PinVisibility {
    pins: Vec<Pin>,
    /// The eye of the last frame.
    eye_m: DVec3,
    is_at_rest: bool,
    frame: u64,
    /// Rays since the start.
    rays: u64,
}

impl PinVisibility {
    /// A frame begins, with so many pins.
    pub fn begin(&mut self, eye_m: DVec3, count: usize) {
        self.is_at_rest = self.eye_m == eye_m;
        self.eye_m = eye_m;
        self.frame += 1;
        self.pins.truncate(count);
    }

    /// Whether ground stands before the pin of a number. Ask for every number from 0 on.
    pub fn is_hidden(&mut self, number: usize, position_m: DVec3, surface: &Surface) -> bool {
        let known = self.pins.get(number).copied().filter(|pin| pin.position_m == position_m);
        let is_due = (number as u64 + self.frame).is_multiple_of(LOOK_EVERY) || self.is_at_rest;
        if let Some(pin) = known
            && (!is_due || pin.eye_m == self.eye_m)
        {
            return pin.is_hidden;
        }
        let tolerance =
            if known.is_some_and(|pin| !pin.is_hidden) { OcclusionTolerance::SHOWN } else { OcclusionTolerance::NEW };
        let is_hidden = is_hidden(surface, self.eye_m, position_m, tolerance);
        self.rays += 1;
        let pin = Pin { position_m, eye_m: self.eye_m, is_hidden };
        match self.pins.get_mut(number) {
            Some(known) => *known = pin,
            None => self.pins.push(pin),
        }
        is_hidden
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use terrain::geodesy::Geodetic;
    use terrain::height::{GlobalGrid, Registration, Relief};

    use super::*;
    use terrain::geodesy::Ellipsoid;

    /// Law: however many pins there are, a frame in motion looks at a sixth of them; an eye at rest sees each as a ray says, and then
    /// casts none.
    #[test]
    fn pins_are_looked_at_in_turn() {
        let ridge = |lon: f64, _| 2_000.0 - 2_000.0 * (lon - 10.0).abs().min(1.0);
        let relief = Relief::from_grid(GlobalGrid::from_fn(360, 181, Registration::Node, ridge)).expect("a grid");
        let surface = Surface::new(Arc::new(relief));
        let at =
            |lat_deg, lon_deg, height_m| Geodetic::from_degrees(lat_deg, lon_deg, height_m).to_ecef(Ellipsoid::WGS84);
        let ground = |lat_deg: f64, lon_deg: f64| {
            let place = Geodetic::from_degrees(lat_deg, lon_deg, 0.0);
            Geodetic { height_m: surface.relief().sample(place.normal()).height_m, ..place }.to_ecef(Ellipsoid::WGS84)
        };
        let places: Vec<DVec3> = (0..60).map(|k| ground(0.0, 9.1 + 0.05 * f64::from(k))).collect();
        let mut pins = PinVisibility::default();
        let mut frame = |eye_m: DVec3| {
            let before = pins.rays;
            pins.begin(eye_m, places.len());
            let seen: Vec<bool> =
                places.iter().enumerate().map(|(number, at)| pins.is_hidden(number, *at, &surface)).collect();
            (seen, pins.rays - before)
        };
        let eye = |step: u32| at(1e-4 * f64::from(step), 8.8, 300.0);
        assert_eq!(frame(eye(0)).1, 60, "new ones");
        (1..20).for_each(|step| assert_eq!(frame(eye(step)).1, 10));
        let (seen, _) = frame(eye(19));
        let hidden =
            |tolerance| -> Vec<bool> { places.iter().map(|at| is_hidden(&surface, eye(19), *at, tolerance)).collect() };
        let (strict, loose) = (hidden(OcclusionTolerance::NEW), hidden(OcclusionTolerance::SHOWN));
        assert!(seen.contains(&true) && seen.contains(&false), "{seen:?}");
        assert!(
            seen.iter().zip(strict.iter().zip(&loose)).all(|(seen, (strict, loose))| seen == strict || seen == loose)
        );
        assert_eq!(frame(eye(19)), (seen, 0));
    }
}
