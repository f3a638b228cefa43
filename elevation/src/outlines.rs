//! What have outlines of water and borders in common? How they are stored, and how lines on the sphere become lines on a face of the cube.

mod decode;
#[cfg(test)]
mod tests;

use glam::{DVec2, DVec3};

pub(crate) use decode::{Kind, Record, records};

use crate::{
    cube::unwarp,
    geodesy::n_vector,
    tile::{TILE_QUADS, TileId},
};

/// The normal at a longitude and latitude, the same for both sides of 180 degrees, along which outlines are cut: sines of angles in radians
/// miss 0 there.
pub(crate) fn normal([lon_deg, lat_deg]: [f64; 2]) -> DVec3 {
    let n = n_vector(lat_deg.to_radians(), lon_deg.to_radians());
    DVec3::select(n.abs().cmplt(DVec3::splat(1e-12)), DVec3::ZERO, n)
}

/// Corners of a line, whose edges are straight in longitude and latitude, as normals, with places between those that are farther than some degrees from
/// each other: pieces are straight where they are stored.
pub(crate) fn normals(line: &[[f64; 2]], far_deg: f64) -> Vec<DVec3> {
    let first = line.first().map(|corner| normal(*corner));
    let edges = line.windows(2).flat_map(|ends| {
        let [from, to] = [ends[0], ends[1]].map(DVec2::from);
        let apart = (to - from).abs();
        let most = (360.0 / far_deg) as u32;
        // One at least, also of what is no number.
        let parts = ((apart.x.max(apart.y) / far_deg).ceil() as u32).clamp(1, most);
        (1..=parts).map(move |k| normal(from.lerp(to, f64::from(k) / f64::from(parts)).into()))
    });
    first.into_iter().chain(edges).collect()
}

/// The part of a ring on the side of a plane that its normal points to.
pub(crate) fn before(corners: &[DVec3], plane: DVec3) -> Vec<DVec3> {
    let mut kept = Vec::with_capacity(corners.len());
    let Some(mut last) = corners.last().copied() else { return kept };
    let mut was = last.dot(plane);
    for &corner in corners {
        let is = corner.dot(plane);
        if (was < 0.0) != (is < 0.0) {
            kept.push(last.lerp(corner, was / (was - is)));
        }
        if is >= 0.0 {
            kept.push(corner);
        }
        (last, was) = (corner, is);
    }
    kept
}

/// The axes of a face: its own, and those of its two coordinates.
pub(crate) struct Axes {
    pub own: DVec3,
    pub across: DVec3,
    pub down: DVec3,
}

impl Axes {
    pub fn of(face: u32) -> Self {
        let axis = |k: u32| DVec3::AXES[(k % 3) as usize];
        let (own, next, last) = (axis(face / 2), axis(face / 2 + 1), axis(face / 2 + 2));
        let (own, across, down) = if face.is_multiple_of(2) { (own, next, last) } else { (-own, last, next) };
        Self { own, across, down }
    }

    /// A place on the face's side of the Earth in warped coordinates.
    pub fn warped(&self, place: DVec3) -> [f64; 2] {
        [self.across, self.down].map(|axis| unwarp(place.dot(axis) / place.dot(self.own)))
    }

    /// Whether a place is on the face, or beyond its edges by no more than a ratio of two components of a normal.
    pub fn has(&self, place: DVec3, beyond: f64) -> bool {
        place.dot(self.across).abs().max(place.dot(self.down).abs()) <= beyond * place.dot(self.own)
    }
}

/// Texels on a face.
pub(crate) struct Square {
    /// Of the first texel, in the coordinates of [`face_normal`](crate::cube::face_normal).
    pub corner: [f64; 2],
    /// Of a texel.
    pub size: f64,
    /// Texels along each side.
    pub side: usize,
}

impl Square {
    /// Those of a tile and of a rim around it.
    pub fn of(id: TileId, rim: u32) -> Self {
        let size = 2.0 / f64::from(TILE_QUADS << id.level);
        let corner = [id.i, id.j].map(|k| f64::from(k * TILE_QUADS) * size - 1.0 - f64::from(rim) * size);
        Self { corner, size, side: (TILE_QUADS + 2 * rim) as usize }
    }

    /// The corner behind the last texel.
    pub fn end(&self) -> [f64; 2] {
        self.corner.map(|begin| begin + self.size * self.side as f64)
    }

    /// A place in texels from the corner.
    pub fn texels_to(&self, place: [f64; 2]) -> DVec2 {
        (DVec2::from(place) - DVec2::from(self.corner)) / self.size
    }

    /// Whether the box around a part of a line meets it, or comes within so many texels.
    pub fn is_near(&self, [from, to]: [[f32; 2]; 2], texels: f64) -> bool {
        (0..2).all(|axis| {
            let (low, high) = (from[axis].min(to[axis]), from[axis].max(to[axis]));
            let aside = texels * self.size;
            f64::from(high) >= self.corner[axis] - aside && f64::from(low) <= self.end()[axis] + aside
        })
    }

    /// Calls with each texel whose middle is within so many texels of a part of a line: its number, and the square of the distance.
    pub fn texels_near(&self, line: [DVec2; 2], texels: f64, mut near: impl FnMut(usize, f64)) {
        // Middles of texels are whole numbers.
        let [from, to] = line.map(|place| self.texels_to(place.into()) - 0.5);
        let (low, high) = (from.min(to) - texels, from.max(to) + texels);
        let range = |axis: usize| {
            let end = (high[axis].floor() + 1.0).clamp(0.0, self.side as f64) as usize;
            (low[axis].ceil().max(0.0) as usize).min(end)..end
        };
        for y in range(1) {
            for x in range(0) {
                let away2 = distance2(DVec2::new(x as f64, y as f64), from, to);
                if away2 < texels * texels {
                    near(y * self.side + x, away2);
                }
            }
        }
    }

    /// The part of a line that is in it or so many texels around it, cut into pieces of at most `longest` texels.
    pub fn pieces_near(&self, [from, to]: [DVec2; 2], texels: f64, longest: f64) -> impl Iterator<Item = [DVec2; 2]> {
        let (low, high) = (DVec2::from(self.corner) - texels * self.size, DVec2::from(self.end()) + texels * self.size);
        let along = to - from;
        let (mut begin, mut end) = (0.0_f64, 1.0_f64);
        for axis in 0..2 {
            let [a, b] = [low, high].map(|side| (side[axis] - from[axis]) / along[axis]);
            // One that goes along the sides is between them, or beyond one: no side is met then.
            if along[axis] != 0.0 {
                (begin, end) = (begin.max(a.min(b)), end.min(a.max(b)));
            } else if from[axis] < low[axis] || from[axis] > high[axis] {
                end = -1.0;
            }
        }
        let count = ((end - begin) * along.length() / (longest * self.size)).ceil().max(0.0);
        let place = move |k: u32| from + along * (begin + (end - begin) * f64::from(k) / count);
        (0..count as u32).map(move |k| [place(k), place(k + 1)])
    }
}

/// The square of the distance from a place to a part of a line.
fn distance2(place: DVec2, from: DVec2, to: DVec2) -> f64 {
    let along = to - from;
    let part = ((place - from).dot(along) / along.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    place.distance_squared(from + part * along)
}
