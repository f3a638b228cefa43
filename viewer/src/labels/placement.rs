//! Which labels stand? Those that stood and can still be read, then new ones where there is room.

#[cfg(test)]
mod tests;

use bevy_ecs::resource::Resource;
use glam::{DVec2, DVec3};

use super::anchor::{LabelAnchor, LabelBudget};
use super::contours::{ContourAnchors, INDEX};
use super::label_view::{LabelView, tolerance};
use super::oriented_rect::OrientedRect;
use super::subject::{Subject, digits, thousandths};
use super::{
    graticule,
    names::{self, Names, PlaceFilter},
};
use crate::overlays::{OverlayParams, Overlays};
use crate::terrain::LOOK_EVERY;

/// Height of the text, points.
pub(super) const TEXT_PT: f64 = 12.0;
/// Width of a digit over the height of the text, about.
const DIGIT: f64 = 0.56;
/// Free room round a label, points: more for a new one, so that labels that come near each other do not take turns.
const ROOM_PT: f64 = 10.0;
const LEAST_ROOM_PT: f64 = 1.0;
/// From the edge of the picture, points: new ones keep away from it, so that they do not leave at once.
const EDGE_PT: f64 = 26.0;
const LEAST_EDGE_PT: f64 = 4.0;
/// Two labels of one contour are this far apart, and those of a meridian or parallel, points.
const CONTOUR_APART_PT: f64 = 280.0;
const GRATICULE_APART_PT: f64 = 560.0;
/// Contours closer than this on screen have no label, points; a label stays until they are closer still.
const CONTOURS_PT: [f64; 2] = [15.0, 9.0];
/// The same of meridians and parallels: closer ones are not drawn.
const GRATICULE_PT: [f64; 2] = [40.0, 25.0];
/// Cosine of the view on ground that is too flat to read lines on; less for a label that is there.
const FLAT: f64 = 0.16;
const LEAST_FLAT: f64 = 0.12;
/// Cosine of the view from which on the sea shows no floor: `clarity` of `shaders/viewer/water.wgsl` is one half.
const CLEAR_WATER: f64 = 0.25;
/// How far a line may bend away from its label, points.
const BEND_PT: f64 = 4.0;
/// Most labels.
const MOST: usize = 80;
/// Seconds in which a label comes or goes.
const FADE_S: f64 = 0.25;

/// A label.
#[derive(Debug, Clone, Copy)]
pub(super) struct Label {
    pub anchor: LabelAnchor,
    /// Where it is on the screen.
    pub at: OrientedRect,
    /// How much of it is to be seen, 0 to 1.
    pub opacity: f64,
    /// Goes, and does not come back.
    leaving: bool,
}

/// The labels on the ground.
#[derive(Resource, Debug, Default)]
pub struct Labels {
    pub(super) standing: Vec<Label>,
    contours: ContourAnchors,
    names: Names,
    frame: u64,
    fading: bool,
    unfinished: bool,
    pinned: Option<PinnedPlace>,
    covered: Vec<OrientedRect>,
}

/// A place whose name stands beside a pin.
#[derive(Debug, Clone, PartialEq)]
struct PinnedPlace {
    title: String,
    up: DVec3,
}

impl PinnedPlace {
    fn is_of(&self, anchor: &LabelAnchor) -> bool {
        /// Cosine of the angle within which places of one name are one: a kilometre and a half.
        const NEAR: f64 = 1.0 - 3e-8;
        anchor.up.dot(self.up) > NEAR && anchor.subject.place().is_some_and(|entry| entry.title() == self.title)
    }
}

impl Labels {
    /// Leaves out the name of a place that a pin has, by its title and normal, until there is another one, or none.
    pub fn leave_out(&mut self, pinned: Option<(&str, DVec3)>) {
        let pinned = pinned.map(|(title, up)| PinnedPlace { title: title.to_owned(), up });
        self.fading |= pinned != self.pinned;
        self.pinned = pinned;
    }

    /// Keeps labels out of boxes of the picture, by their middles and halves of their sides in points.
    pub fn keep_out(&mut self, boxes: impl IntoIterator<Item = (DVec2, DVec2)>) {
        let upright = |(centre, half)| OrientedRect { centre, along: DVec2::X, half };
        self.covered = boxes.into_iter().map(upright).collect();
    }

    fn is_covered(&self, at: &OrientedRect) -> bool {
        self.covered.iter().any(|covered| covered.overlaps(at))
    }

    /// Whether none is there.
    pub fn is_empty(&self) -> bool {
        self.standing.is_empty()
    }

    /// Whether the next frame would look different, with the camera at rest.
    pub fn are_changing(&self) -> bool {
        self.fading || self.unfinished
    }

    /// The labels for a view. `ground_m` is the height of the drawn ground under the eye, `dt_s` the time since the last
    /// frame; where time stands still, labels come and go at once.
    pub(super) fn update(
        &mut self,
        eye: &LabelView<'_>,
        overlay_params: &OverlayParams,
        ground_m: f64,
        effort: LabelBudget,
        dt_s: f64,
    ) {
        self.frame += 1;
        let lines = LabelFilter::of(overlay_params);
        let (mut anchors, unfinished) = self.names.in_view(eye, effort, lines.places);
        anchors.retain(|anchor| !self.is_pinned(anchor));
        self.update_standing(eye, &lines, &anchors, effort, dt_s);
        self.unfinished = unfinished;
        if let Some(step_deg) = lines.graticule_deg {
            anchors.extend(graticule::in_view(eye, step_deg, ground_m));
            // Farther away every tenth line is left.
            anchors.extend(graticule::in_view(eye, 10.0 * step_deg, ground_m));
        }
        if let Some(index_m) = lines.index_m {
            let (found, unfinished) = self.contours.in_view(eye, index_m, ground_m, effort.heights);
            self.unfinished |= unfinished;
            anchors.extend(found);
        }
        self.add(eye, &anchors, effort, dt_s);
        self.fading = self.standing.iter().any(|label| label.leaving || label.opacity < 1.0);
    }

    fn is_pinned(&self, anchor: &LabelAnchor) -> bool {
        self.pinned.as_ref().is_some_and(|pinned| pinned.is_of(anchor))
    }

    /// Moves the labels that stand to where their spots are now, and lets go of those that cannot be read any more.
    /// A name stands on the ground as it is seen from where the eye is, at one of `names`.
    fn update_standing(
        &mut self,
        eye: &LabelView<'_>,
        lines: &LabelFilter,
        names: &[LabelAnchor],
        effort: LabelBudget,
        dt_s: f64,
    ) {
        let size_pt = eye.size_pt();
        let step = if dt_s > 0.0 { dt_s / FADE_S } else { 1.0 };
        let mut kept: Vec<Label> = Vec::with_capacity(self.standing.len());
        for (index, mut label) in std::mem::take(&mut self.standing).into_iter().enumerate() {
            label.anchor =
                names.iter().find(|now| now.subject == label.anchor.subject).copied().unwrap_or(label.anchor);
            label.anchor.digits = lines.digits(label.anchor).unwrap_or(label.anchor.digits);
            let Some(at) = on_screen(eye, &label.anchor) else { continue };
            label.at = at;
            let due = effort.all || (index as u64 + self.frame).is_multiple_of(LOOK_EVERY);
            let stands = !label.leaving
                && lines.have(label.anchor.subject)
                && !self.is_pinned(&label.anchor)
                && at.grown(LEAST_EDGE_PT).inside(size_pt)
                && !self.is_covered(&at)
                && is_readable(eye, &label.anchor, true)
                && !is_off_globe(eye, &label.anchor, &at)
                && kept.iter().all(|other| other.leaving || !other.at.grown(LEAST_ROOM_PT).overlaps(&at))
                && !(due && eye.is_hidden(label.anchor.position_m, tolerance(label.anchor.subject, true)));
            label.leaving = !stands;
            label.opacity = if stands { (label.opacity + step).min(1.0) } else { label.opacity - step };
            if label.opacity > 0.0 {
                kept.push(label);
            }
        }
        self.standing = kept;
    }

    /// Puts labels on spots in their order, where there is room for them.
    fn add(&mut self, eye: &LabelView<'_>, anchors: &[LabelAnchor], effort: LabelBudget, dt_s: f64) {
        let size_pt = eye.size_pt();
        let mut rays = effort.rays;
        for anchor in anchors {
            if self.standing.len() >= MOST {
                return;
            }
            let Some(at) = on_screen(eye, anchor) else { continue };
            if !at.grown(EDGE_PT).inside(size_pt) || !is_readable(eye, anchor, false) {
                continue;
            }
            let apart_pt = match anchor.subject {
                Subject::Contour(_) => CONTOUR_APART_PT,
                Subject::Parallel(_) | Subject::Meridian(_) => GRATICULE_APART_PT,
                // There is one of each.
                Subject::Name(_) | Subject::Feature(_) => f64::INFINITY,
            };
            let free = self.standing.iter().all(|other| {
                let same_line = other.anchor.subject == anchor.subject && !other.leaving;
                let too_near = same_line && other.at.centre.distance(at.centre) < apart_pt;
                !too_near && !other.at.overlaps(&at.grown(ROOM_PT))
            });
            if !free
                || self.is_covered(&at.grown(LEAST_EDGE_PT))
                || bends(eye, anchor, &at)
                || is_off_globe(eye, anchor, &at)
            {
                continue;
            }
            if rays == 0 {
                self.unfinished = true;
                return;
            }
            rays -= 1;
            let is_hidden = eye.is_hidden(anchor.position_m, tolerance(anchor.subject, false));
            if anchor.subject.is_place() {
                self.names.hides(anchor.subject, eye, is_hidden);
            }
            if !is_hidden {
                let opacity = if dt_s > 0.0 { (dt_s / FADE_S).min(1.0) } else { 1.0 };
                self.standing.push(Label { anchor: *anchor, at, opacity, leaving: false });
            }
        }
    }
}

/// Which kinds of labels are drawn.
struct LabelFilter {
    places: PlaceFilter,
    index_m: Option<i32>,
    graticule_deg: Option<f64>,
}

impl LabelFilter {
    fn of(overlay_params: &OverlayParams) -> LabelFilter {
        let index_m = (INDEX * overlay_params.contour_m).round() as i32;
        LabelFilter {
            places: PlaceFilter {
                names: overlay_params.overlays.has(Overlays::NAMES),
                features: overlay_params.overlays.has(Overlays::VECTORS),
            },
            index_m: overlay_params.overlays.has(Overlays::CONTOURS).then_some(index_m),
            graticule_deg: overlay_params.overlays.has(Overlays::GRATICULE).then_some(overlay_params.graticule_deg),
        }
    }

    /// Digits of the labels of a spot's kind after the point; none where no such line is drawn.
    fn digits(&self, anchor: LabelAnchor) -> Option<usize> {
        match anchor.subject {
            Subject::Contour(_) | Subject::Name(_) | Subject::Feature(_) => None,
            Subject::Parallel(_) | Subject::Meridian(_) => Some(digits(thousandths(self.graticule_deg?))),
        }
    }

    /// Whether a line or name is one of them.
    fn have(&self, line: Subject) -> bool {
        match (line, self.index_m, self.graticule_deg) {
            (Subject::Name(_), ..) => self.places.names,
            (Subject::Feature(_), ..) => self.places.features,
            (Subject::Contour(height_m), Some(index_m), _) => height_m % index_m == 0,
            (Subject::Parallel(number) | Subject::Meridian(number), _, Some(step_deg)) => {
                number % thousandths(step_deg) == 0
            }
            _ => false,
        }
    }
}

/// Text runs to the right; what is steep runs upwards, also where it leans so far to the left: meridians of one picture read alike.
pub(super) const UPWARDS: f64 = 0.2;

/// Where a label on a spot is on the screen, upright.
fn on_screen(eye: &LabelView<'_>, anchor: &LabelAnchor) -> Option<OrientedRect> {
    let centre = eye.on_screen(anchor.position_m)?;
    let text = anchor.subject.text(anchor.digits, eye.features);
    if let Some(style) = eye.style(anchor.subject) {
        return Some(style.rect(centre, text.chars().count()));
    }
    // Far enough for the digits of a projection, near enough to be straight.
    let step_m = 2e-3 * anchor.position_m.distance(eye.camera.eye_m);
    let beside = eye.on_screen(anchor.position_m + anchor.along * step_m)?;
    let along = (beside - centre).try_normalize()?;
    let along = if along.x < UPWARDS * along.y { -along } else { along };
    let width = text.chars().count() as f64 * DIGIT * TEXT_PT;
    Some(OrientedRect { centre, along, half: DVec2::new(0.5 * width, 0.5 * TEXT_PT) })
}

/// Whether lines are far enough apart around a spot, on ground that is not seen too flat, nor through too much water; with more patience for a
/// label that `stands`.
fn is_readable(eye: &LabelView<'_>, anchor: &LabelAnchor, stands: bool) -> bool {
    let facing = eye.facing(anchor.position_m, anchor.up);
    let distance_m = anchor.position_m.distance(eye.camera.eye_m);
    if anchor.subject.is_place() {
        let stays = !stands || names::stays(eye, anchor.subject, distance_m);
        return stays && facing > names::least_facing(anchor.subject) - 0.02;
    }
    let flat = if stands { LEAST_FLAT } else { FLAT };
    let [new_pt, least_pt] = if matches!(anchor.subject, Subject::Contour(_)) { CONTOURS_PT } else { GRATICULE_PT };
    let lines_pt = if stands { least_pt } else { new_pt };
    let is_below_sea = matches!(anchor.subject, Subject::Contour(height_m) if height_m < 0);
    let is_under_water = is_below_sea && eye.seen.height_m(anchor.up) >= 0.0;
    // A mountain's side may face the eye where level ground does not.
    let least = match anchor.subject {
        Subject::Contour(_) if is_under_water => CLEAR_WATER,
        Subject::Contour(_) => -1.0,
        _ => flat,
    };
    if let Subject::Contour(height_m) = anchor.subject
        && eye.is_drawn_as_sea(anchor.up, f64::from(height_m))
    {
        return false;
    }
    let Some(here) = eye.on_screen(anchor.position_m) else { return false };
    // A small part of the way, as the next line may be behind the eye.
    let part = (2e-3 * distance_m / anchor.to_next_m.length()).min(1.0);
    let next = eye.on_screen(anchor.position_m + anchor.to_next_m * part);
    facing > least && next.is_some_and(|next| next.distance(here) >= lines_pt * part)
}

/// Whether a label stands off the globe, beyond the limb: more than an eighth of it at an end. Those of the user's features may.
fn is_off_globe(eye: &LabelView<'_>, anchor: &LabelAnchor, at: &OrientedRect) -> bool {
    let (Subject::Name(_) | Subject::Parallel(_) | Subject::Meridian(_)) = anchor.subject else { return false };
    [-0.75, 0.75].into_iter().any(|part| !eye.is_globe(at.centre + part * at.half.x * at.along))
}

/// Whether a contour leaves its label, which is straight.
fn bends(eye: &LabelView<'_>, anchor: &LabelAnchor, at: &OrientedRect) -> bool {
    let Subject::Contour(_) = anchor.subject else { return false };
    let distance_m = anchor.position_m.distance(eye.camera.eye_m);
    let step_m = 2e-3 * distance_m;
    let Some(beside) = eye.on_screen(anchor.position_m + anchor.along * step_m) else { return true };
    // Metres along the line to the end of the text.
    let reach_m = at.half.x * step_m / beside.distance(at.centre).max(1e-9);
    [reach_m, -reach_m].into_iter().any(|reach_m| {
        let end_m = anchor.position_m + anchor.along * reach_m;
        let n = eye.camera.ellipsoid.normal_at(end_m);
        // As many lines away as the ground is higher.
        let off = (eye.surface.height_m(n) - eye.camera.ellipsoid.height_m(anchor.position_m))
            / anchor.to_next_m.dot(anchor.up).max(1e-6);
        let away_m = anchor.to_next_m * off;
        // Straight on, as a way on the ground that is small against the distance.
        let part = (2e-3 * distance_m / away_m.length().max(1e-9)).min(1.0);
        let away = eye.on_screen(anchor.position_m + away_m * part);
        away.is_none_or(|away| away.distance(at.centre) > BEND_PT * part)
    })
}
