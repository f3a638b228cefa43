//! Is a part of a line of sight free? For those who know the rest of it, and decide many lines together.

use glam::DVec3;

use super::{RayError, Surface, descent::Line, sight::between};

/// Pieces of a line that [`SightLine::clear_from_m`] looks at, at most: grazing lines are for the search that decides.
const MOST_PIECES: u32 = 128;

/// The straight line from an eye to a target, as [`Surface::sees`] judges it: raised by what the air bends, and by a millimetre at
/// the eye; its last metre left out. Distances are in metres from the eye.
///
/// ```
/// use std::sync::Arc;
/// use elevation::{geodesy::{Ellipsoid, Geodetic}, height::{GlobalGrid, Registration, Relief}, surface::Surface};
/// let plain = GlobalGrid::from_fn(360, 181, Registration::Node, |_, _| 100.0);
/// let surface = Surface::new(Arc::new(Relief::from_grid(plain)?));
/// let [eye, target] = [0.0, 0.05].map(|lon| Geodetic::from_degrees(10.0, lon, 105.0).to_ecef(Ellipsoid::WGS84));
/// let line = surface.sight_line(eye, target, 0.0)?.expect("near the ground");
/// assert!(line.clear_from_m(0.0, 5_000.0, 1e-3) == Some(0.0) && !line.is_blocked_within(0.0, 5_000.0)?);
/// assert!((line.clearance_m(0.0) - 5.001).abs() < 1e-4);
/// // Its middle is a cut that is looked at; nothing has to be lifted where nothing is in the way.
/// assert!((line.cut_near_m(2_700.0) - 2_700.0).abs() < 0.01);
/// assert!(line.lift_m([0.0, 5_000.0], line.end_m() + 1.0, 2_500.0, |lift_m| lift_m)? <= 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SightLine<'a> {
    line: Line<'a>,
    /// Where the line begins to be near the ground.
    start_m: f64,
}

impl Surface {
    /// The line between two points in ECEF metres; `None` where no ground can hide the target: both are less than a metre apart,
    /// or the line is above all ground.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use elevation::{geodesy::{Ellipsoid, Geodetic}, height::{GlobalGrid, Registration, Relief}, surface::Surface};
    /// let hill = GlobalGrid::from_fn(360, 181, Registration::Node, |lon, lat| 3000.0 - 100.0 * lon.hypot(lat));
    /// let surface = Surface::new(Arc::new(Relief::from_grid(hill)?));
    /// let at = |(lat, height_m)| Geodetic::from_degrees(lat, 0.0, height_m).to_ecef(Ellipsoid::WGS84);
    /// // 20 m above the slope at both ends, less between them: the Earth bulges by 10 m.
    /// let [eye_m, target_m] = [(5.0, 2_520.0), (5.2, 2_500.0)].map(at);
    /// let line = surface.sight_line(eye_m, target_m, 0.0)?.ok_or("above all ground")?;
    /// assert!((line.clearance_m(0.5 * line.end_m()) - 10.0).abs() < 1.0);
    /// assert!(!line.is_blocked_within(0.0, line.end_m())?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`RayError::NotFinite`].
    pub fn sight_line(
        &self,
        eye_m: DVec3,
        target_m: DVec3,
        refraction: f64,
    ) -> Result<Option<SightLine<'_>>, RayError> {
        let Some((ray, raise)) = between(self.relief.ellipsoid(), eye_m, target_m, refraction) else { return Ok(None) };
        Ok(self.line(ray, raise)?.map(|(start_m, line)| SightLine { line, start_m }))
    }
}

impl SightLine<'_> {
    /// Where it ends: a metre before the target, or where all ground is above it.
    pub fn end_m(&self) -> f64 {
        self.start_m + self.line.length_m
    }

    /// How far the line is above the ground at a distance; at most 0 in it.
    pub fn clearance_m(&self, distance_m: f64) -> f64 {
        self.line.clearance_at_m(self.along(distance_m))
    }

    /// The nearest distance, to some millimetres, of those at which [`Surface::sees`] looks if it has to: with no clearance there
    /// the target is hidden.
    ///
    /// The search halves the line until each piece is free by its bounds or ends at a cut that was looked at. Ground at a cut is
    /// within the bounds of every piece that ends there, so none of those is passed over.
    pub fn cut_near_m(&self, distance_m: f64) -> f64 {
        self.start_m + self.line.cut_near(self.along(distance_m))
    }

    /// From which distance on, up to another, bounds prove that the line keeps `margin_m` above the ground: `from_m` if they do all
    /// along, in few pieces, so that more says nothing. `None` if one of the cuts between them is below the ground by the margin.
    pub fn clear_from_m(&self, from_m: f64, to_m: f64, margin_m: f64) -> Option<f64> {
        let (from, to) = (self.along(from_m), self.along(to_m));
        let clear = self.line.clear_from(from, to, margin_m, MOST_PIECES)?;
        Some(if clear <= from { from_m } else { self.start_m + clear })
    }

    /// Whether there is ground in the way between two distances: [`Surface::sees`] where there is known to be none elsewhere.
    ///
    /// # Errors
    /// [`RayError::TooLong`].
    pub fn is_blocked_within(&self, from_m: f64, to_m: f64) -> Result<bool, RayError> {
        self.line.is_blocked_within(from_m - self.start_m, to_m - self.start_m)
    }

    /// By how much the target has to be lifted, to first order of the angle by which the line turns then, for all ground between two
    /// distances to be below the line: at most `enough` of it more. 0 or less where there is nothing in the way. `hint_m` is
    /// a distance where much of it may be needed; `whole_m` is the length up to the target.
    ///
    /// # Errors
    /// [`RayError::TooLong`].
    pub fn lift_m(
        &self,
        part_m: [f64; 2],
        whole_m: f64,
        hint_m: f64,
        enough: impl Fn(f64) -> f64,
    ) -> Result<f64, RayError> {
        let part = part_m.map(|distance_m| self.along(distance_m));
        self.line.lift_m(part, [self.start_m, whole_m], self.along(hint_m), enough)
    }

    /// Distance along the part that is near the ground.
    fn along(&self, distance_m: f64) -> f64 {
        (distance_m - self.start_m).clamp(0.0, self.line.length_m)
    }
}
