//! How are features drawn into the texels of a tile? As tiny-skia fills and strokes paths.

use glam::{DVec2, Vec4};
use rustc_hash::FxHashSet;
use tiny_skia::{Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, Transform};

use super::{Area, Colour, Features, POINT_WIDTHS, Part, RIM_PX, Style, TEXELS_A_PX, planes};
use crate::{
    light::linear,
    outlines::{Axes, Square, before},
    shading_tile::RIM,
    tile::{TILE_QUADS, TileId},
};

/// Texels on a side of an imagery tile.
const SIDE: u32 = TILE_QUADS + 2 * RIM;
/// Rims are black, and hide so much of what lies below.
const RIM_ALPHA: f32 = 0.45;
/// Corners that are closer to the last one are left out, in texels.
const CLOSE: f64 = 0.3;
/// Of points that are drawn alike, one is drawn in a cell so wide, in radii, so that a hundred thousand of them take as long as some thousand.
const NEAR: f64 = 0.25;
/// Areas are cut off so many texels beyond a tile's rim.
const MARGIN: f64 = 8.0;

impl Features {
    /// Lays those in a tile over its texels, linear light times alpha, and alpha.
    pub(crate) fn draw(&self, id: TileId, texels: &mut [Vec4]) {
        let square = Square::of(id, RIM);
        let mut areas = self.areas_in(id).peekable();
        let mut parts = self.parts_in(id.face, &square).peekable();
        if areas.peek().is_none() && parts.peek().is_none() {
            return;
        }
        let Some(mut canvas) = Pixmap::new(SIDE, SIDE) else { return };
        areas.for_each(|area| self.fill(&mut canvas, area, id, &square));
        let mut drawn: Vec<(Style, Path, bool)> = Vec::new();
        let mut points = Points::default();
        while let Some(feature) = parts.peek().map(|part| part.feature) {
            let style = self.styles[feature as usize];
            let own = std::iter::from_fn(|| parts.next_if(|part| part.feature == feature));
            let own = own.filter(|part| points.shows(part, style, &square));
            let (path, is_point) = path(own, &square, 2.0 * self.half_px * TEXELS_A_PX, style);
            drawn.extend(path.filter(|_| style.width_px > 0.0).map(|path| (style, path, is_point)));
        }
        // Rims lie below all lines, so that lines that meet are one.
        for (style, path, is_point) in &drawn {
            let alpha = RIM_ALPHA * f32::from(style.color[3]) / 255.0;
            let width = if *is_point { 2.0 * RIM_PX } else { f64::from(style.width_px) + 2.0 * RIM_PX };
            stroke(&mut canvas, path, width, Color::from_rgba(0.0, 0.0, 0.0, alpha));
        }
        for (style, path, is_point) in &drawn {
            match is_point {
                true => {
                    canvas.fill_path(path, &paint(colour(style.color)), FillRule::Winding, Transform::identity(), None)
                }
                false => stroke(&mut canvas, path, style.width_px.into(), Some(colour(style.color))),
            }
        }
        for (texel, over) in texels.iter_mut().zip(canvas.pixels()) {
            if over.alpha() > 0 {
                let over = over.demultiply();
                let over = linear([over.red(), over.green(), over.blue(), over.alpha()]);
                *texel = over + *texel * (1.0 - over.w);
            }
        }
    }

    /// Fills an area.
    fn fill(&self, canvas: &mut Pixmap, area: &Area, id: TileId, square: &Square) {
        let (axes, planes) = (Axes::of(id.face), planes(id, f64::from(RIM) + MARGIN));
        let mut path = PathBuilder::new();
        for ring in &area.rings {
            // The last corner closes it.
            let mut corners = ring[..ring.len().saturating_sub(1)].to_vec();
            for plane in planes {
                corners = before(&corners, plane);
            }
            let corners: Vec<DVec2> = corners.into_iter().map(|corner| square.texels_to(axes.warped(corner))).collect();
            let mut kept = simplified(&corners);
            if let Some(first) = kept.next() {
                path.move_to(first.x as f32, first.y as f32);
                kept.for_each(|corner| path.line_to(corner.x as f32, corner.y as f32));
                path.close();
            }
        }
        if let Some(path) = path.finish() {
            let paint = paint(colour(self.styles[area.feature as usize].fill));
            canvas.fill_path(&path, &paint, FillRule::EvenOdd, Transform::identity(), None);
        }
    }
}

/// Points one after the other that are drawn alike.
#[derive(Default)]
struct Points {
    style: Option<Style>,
    /// Cells that have one.
    cells: FxHashSet<[i32; 2]>,
}

impl Points {
    /// Whether a part shows something that those before it do not: it is no point, or is some way from all of them.
    fn shows(&mut self, part: &Part, style: Style, square: &Square) -> bool {
        let [place] = part.corners[..] else {
            self.cells.clear();
            return true;
        };
        if self.style.replace(style) != Some(style) {
            self.cells.clear();
        }
        let cell = (radius_texels(style) * NEAR).max(1.0);
        self.cells.insert((square.texels_to(place) / cell).floor().as_ivec2().into())
    }
}

/// Radius of a point without its rim.
fn radius_texels(style: Style) -> f64 {
    f64::from(style.width_px) * POINT_WIDTHS * TEXELS_A_PX
}

/// The parts of a feature that are near a square as one path, and whether that is of points.
fn path<'a>(parts: impl Iterator<Item = &'a Part>, square: &Square, aside: f64, style: Style) -> (Option<Path>, bool) {
    let mut path = PathBuilder::new();
    let mut is_point = false;
    let mut pen = DVec2::NAN;
    for part in parts {
        let corners: Vec<DVec2> = part.corners.iter().map(|corner| square.texels_to(*corner)).collect();
        if let [place] = corners[..] {
            is_point = true;
            path.push_circle(place.x as f32, place.y as f32, radius_texels(style) as f32);
            continue;
        }
        let kept: Vec<DVec2> = simplified(&corners).collect();
        let side = square.side as f64;
        for edge in kept.windows(2) {
            let Some([from, to]) = within([edge[0], edge[1]], -aside, side + aside) else { continue };
            if from != pen {
                path.move_to(from.x as f32, from.y as f32);
            }
            path.line_to(to.x as f32, to.y as f32);
            pen = to;
        }
    }
    (path.finish(), is_point)
}

/// Corners without those that are close to the last one, but for the end.
fn simplified(corners: &[DVec2]) -> impl Iterator<Item = DVec2> {
    let (mut last, end) = (DVec2::MAX, corners.len().saturating_sub(1));
    corners.iter().enumerate().filter_map(move |(k, corner)| {
        let is_kept = k == end || corner.distance(last) >= CLOSE;
        if is_kept {
            last = *corner;
        }
        is_kept.then_some(*corner)
    })
}

/// The part of an edge within a square (Y.-D. Liang and B. Barsky, 1984).
fn within([from, to]: [DVec2; 2], low: f64, high: f64) -> Option<[DVec2; 2]> {
    let along = to - from;
    let (mut begin, mut end) = (0f64, 1f64);
    for axis in 0..2 {
        let (at, step) = (from[axis], along[axis]);
        if step == 0.0 {
            if !(low..=high).contains(&at) {
                return None;
            }
            continue;
        }
        let [a, b] = [(low - at) / step, (high - at) / step];
        (begin, end) = (begin.max(a.min(b)), end.min(a.max(b)));
    }
    let at = |part: f64| if part == 1.0 { to } else { from + part * along };
    (begin <= end).then(|| [at(begin), at(end)])
}

fn stroke(canvas: &mut Pixmap, path: &Path, width_px: f64, colour: Option<Color>) {
    let stroke = Stroke {
        width: (width_px * TEXELS_A_PX) as f32,
        line_cap: LineCap::Round,
        line_join: LineJoin::Round,
        ..Stroke::default()
    };
    if let Some(colour) = colour {
        canvas.stroke_path(path, &paint(colour), &stroke, Transform::identity(), None);
    }
}

fn colour([red, green, blue, alpha]: Colour) -> Color {
    Color::from_rgba8(red, green, blue, alpha)
}

fn paint(colour: Color) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color(colour);
    paint
}
