//! Which lines are seen on the surface itself? Each is tried by the exact line of sight, and moved to where it ends.

use elevation::{
    geodesy::Geodetic,
    surface::{RayError, Surface},
};
use geographiclib_rs::{DirectGeodesic, InverseGeodesic};
use rayon::prelude::*;

use super::{
    Sightline, SightlinesOptions,
    candidates::Candidate,
    separated_lines::{Ends, SeparatedLines},
};
use crate::horizon::ShouldContinue;

/// Parts of a step at which the end is looked for, before and behind the raster's.
const PARTS: i32 = 8;
/// How often such a part is halved to find the end.
const HALVINGS: u32 = 3;
/// Lines that are tried together, at least and at most.
const TOGETHER: (usize, usize) = (8, 64);

/// The longest of the candidates, which come longest first, that are seen, the longest first; no two beside each other.
pub fn longest_seen(
    surface: &Surface,
    mut open: Vec<Candidate>,
    options: &SightlinesOptions,
    should_continue: ShouldContinue<'_>,
) -> Vec<Sightline> {
    let mut seen: Vec<Sightline> = Vec::new();
    while should_continue() {
        let (best, separated_lines) = separated(surface, &mut seen, options);
        let floor_m = if best.len() == options.lines { best.last().map_or(0.0, |line| line.distance_m) } else { 0.0 };
        // What is beside a longer one that is seen will not be of use.
        open.retain(|line| {
            line.distance_m > floor_m
                && !separated_lines.neighbours(line.ends).any(|number| best[number].distance_m >= line.distance_m)
        });
        let mut together = SeparatedLines::new(options.separation_m);
        let (mut tried, mut rest) = (Vec::new(), Vec::new());
        for line in open {
            // Of those beside each other the longest first: it may do for all.
            let is_tried = tried.len() < (2 * options.lines).clamp(TOGETHER.0, TOGETHER.1) && together.add(line.ends);
            if is_tried { tried.push(line) } else { rest.push(line) }
        }
        if tried.is_empty() {
            return best;
        }
        let found = tried
            .par_iter()
            .take_any_while(|_| should_continue())
            .map(|line| SightlineVerifier::of(surface, line, options));
        seen.extend(found.collect::<Vec<_>>().into_iter().flatten());
        open = rest;
    }
    Vec::new()
}

/// Those that are wanted of lines, the longest first, and their ends.
fn separated(
    surface: &Surface,
    lines: &mut [Sightline],
    options: &SightlinesOptions,
) -> (Vec<Sightline>, SeparatedLines) {
    lines.sort_by(|a, b| b.distance_m.total_cmp(&a.distance_m));
    let mut separated_lines = SeparatedLines::new(options.separation_m);
    let best = lines
        .iter()
        .filter(|line| separated_lines.len() < options.lines && separated_lines.add(ends(surface, line)))
        .copied();
    (best.collect(), separated_lines)
}

/// The ends on the ellipsoid.
fn ends(surface: &Surface, line: &Sightline) -> Ends {
    [line.eye, line.target].map(|end| Geodetic { height_m: 0.0, ..end }.to_ecef(surface.relief().ellipsoid()))
}

/// Exact lines of sight from an eye along an azimuth.
struct SightlineVerifier<'a> {
    surface: &'a Surface,
    options: &'a SightlinesOptions,
    eye: Geodetic,
    azimuth_deg: f64,
}

impl<'a> SightlineVerifier<'a> {
    /// The line to where a candidate ends on the surface; none where no line can be decided.
    fn of(surface: &'a Surface, line: &Candidate, options: &'a SightlinesOptions) -> Option<Sightline> {
        let [at, to] = line.ends.map(|end_m| surface.relief().ellipsoid().geodetic(end_m));
        let eye = Geodetic { height_m: surface.height_m(at.normal()) + options.eye_height_m, ..at };
        let (distance_m, azimuth_deg) = inverse(surface, eye, to);
        let verifier = Self { surface, options, eye, azimuth_deg };
        Some(verifier.line(verifier.farthest_near(distance_m, line.step_m).ok()??))
    }

    /// The target at a distance along the azimuth.
    fn target(&self, distance_m: f64) -> Geodetic {
        let [lat_deg, lon_deg] = [self.eye.lat_rad, self.eye.lon_rad].map(f64::to_degrees);
        let geodesic = self.surface.relief().ellipsoid().geodesic();
        let (lat_deg, lon_deg): (f64, f64) = geodesic.direct(lat_deg, lon_deg, self.azimuth_deg, distance_m);
        self.target_over(Geodetic::from_degrees(lat_deg, lon_deg, 0.0))
    }

    /// The target above the ground of a place.
    fn target_over(&self, place: Geodetic) -> Geodetic {
        let height_m = self.surface.height_m(place.normal()) + self.options.target_height_m;
        Geodetic { height_m, ..place }
    }

    /// Elevation as light arrives, in radians.
    fn elevation_rad(&self, target: Geodetic) -> f64 {
        let ellipsoid = self.surface.relief().ellipsoid();
        let line_m = target.to_ecef(ellipsoid) - self.eye.to_ecef(ellipsoid);
        let straight_rad = (line_m.dot(self.eye.normal()) / line_m.length()).asin();
        straight_rad + self.options.refraction * line_m.length() / (2.0 * ellipsoid.mean_radius_m())
    }

    /// The farthest target that is seen within a step of a distance; if none is, that over the farthest ground that hides one.
    fn farthest_near(&self, distance_m: f64, step_m: f64) -> Result<Option<Geodetic>, RayError> {
        let SightlinesOptions { target_height_m, refraction, reach_m, .. } = *self.options;
        let (most_m, part_m) = (reach_m.unwrap_or(f64::INFINITY), step_m / f64::from(PARTS));
        let at_m = |part: i32| distance_m + part_m * f64::from(part);
        let within = (-PARTS..=PARTS).map(at_m).filter(|at_m| *at_m > part_m && *at_m <= most_m);
        // What ground before it in the step hides need not be tried.
        let mut hides_rad = f64::NEG_INFINITY;
        let mut open = Vec::new();
        for at_m in within {
            let target = self.target(at_m);
            if self.elevation_rad(target) >= hides_rad {
                open.push((at_m, target));
            }
            let ground = Geodetic { height_m: target.height_m - target_height_m, ..target };
            hides_rad = hides_rad.max(self.elevation_rad(ground));
        }
        // Nor what is lower than what ground far before it hides.
        let (mut hidden_rad, mut farthest_m, mut hiding) = (f64::NEG_INFINITY, 0.0, None);
        for (at_m, target) in open.into_iter().rev() {
            if self.elevation_rad(target) <= hidden_rad {
                continue;
            }
            let Some(hit) = self.surface.line_of_sight_refracted(self.eye, target, refraction)? else {
                return Ok(Some(self.refined(at_m, target, part_m.min(most_m - at_m))));
            };
            if hit.distance_m < distance_m - 2.0 * step_m {
                hidden_rad = self.elevation_rad(target);
            }
            if hit.distance_m > farthest_m {
                (farthest_m, hiding) = (hit.distance_m, Some(self.target_over(hit.place)));
            }
        }
        let sees = |target: &Geodetic| self.surface.sees(self.eye, *target, refraction);
        Ok(match hiding {
            Some(target) if sees(&target)? => hiding,
            _ => None,
        })
    }

    /// The farthest target that is found to be seen from one that is on, as far as where the next one is not.
    fn refined(&self, mut seen_m: f64, mut seen: Geodetic, mut part_m: f64) -> Geodetic {
        for _ in 0..HALVINGS {
            part_m *= 0.5;
            let target = self.target(seen_m + part_m);
            if self.surface.sees(self.eye, target, self.options.refraction) == Ok(true) {
                (seen_m, seen) = (seen_m + part_m, target);
            }
        }
        seen
    }

    fn line(&self, target: Geodetic) -> Sightline {
        let (distance_m, azimuth_deg) = inverse(self.surface, self.eye, target);
        Sightline {
            eye: self.eye,
            target,
            azimuth_rad: azimuth_deg.to_radians().rem_euclid(std::f64::consts::TAU),
            elevation_rad: self.elevation_rad(target),
            distance_m,
        }
    }
}

/// Length and azimuth in degrees of the geodesic from one place to another.
fn inverse(surface: &Surface, from: Geodetic, to: Geodetic) -> (f64, f64) {
    let [a, b, c, d] = [from.lat_rad, from.lon_rad, to.lat_rad, to.lon_rad].map(f64::to_degrees);
    let (distance_m, azimuth_deg, _, _): (f64, f64, f64, f64) =
        surface.relief().ellipsoid().geodesic().inverse(a, b, c, d);
    (distance_m, azimuth_deg)
}
