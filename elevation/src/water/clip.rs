//! Which part of a ring on the sphere lies on a face of the cube? It is cut by four planes through the Earth's middle, one after the other
//! (I. Sutherland and G. Hodgman, 1974).

use glam::DVec3;

use crate::outlines::{Axes, before, normal};

/// How far beyond its edges a face goes, as the ratio of two components of a normal: farther than the rims of tiles.
const BEYOND: f64 = 1.05;

/// A ring on the sphere.
#[derive(Debug)]
pub(super) struct Ring {
    /// 0 for land, one more than its number for a lake.
    pub body: u32,
    /// Longitude and latitude of its corners, degrees: as numbers of 32 bits they are right to a metre.
    corners: Vec<[f32; 2]>,
    /// A ball that holds it.
    middle: DVec3,
    radius: f64,
}

impl Ring {
    pub fn new(body: u32, corners: &[[f64; 2]]) -> Self {
        let corners: Vec<[f32; 2]> = corners.iter().map(|corner| corner.map(|deg| deg as f32)).collect();
        let [(west, east), (south, north)] = [0, 1].map(|axis| {
            let along = corners.iter().map(|corner| f64::from(corner[axis]));
            along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), deg| (low.min(deg), high.max(deg)))
        });
        // From the middle along its meridian, then along a parallel, of which the longest counts.
        let widest = if south < 0.0 && north > 0.0 { 1.0 } else { south.abs().min(north.abs()).to_radians().cos() };
        let radius = 0.5 * ((north - south).to_radians() + (east - west).to_radians() * widest);
        // Great circles between corners leave the box by less.
        Self {
            body,
            corners,
            middle: normal([0.5 * (west + east), 0.5 * (south + north)]),
            radius: 1.01 * radius + 0.01,
        }
    }

    /// Its corners on a face in warped coordinates; fewer than three where none of it lies there.
    pub fn on_face(&self, face: u32) -> Vec<[f64; 2]> {
        let axes = Axes::of(face);
        let planes =
            [axes.across, -axes.across, axes.down, -axes.down].map(|axis| (BEYOND * axes.own + axis).normalize());
        let beyond = |plane: DVec3| self.middle.dot(plane);
        if planes.into_iter().any(|plane| beyond(plane) < -self.radius) {
            return Vec::new();
        }
        let mut corners = self.normals();
        for plane in planes.into_iter().filter(|plane| beyond(*plane) < self.radius) {
            corners = before(&corners, plane);
        }
        corners.into_iter().map(|corner| axes.warped(corner)).collect()
    }

    /// Its edges.
    pub fn edges(&self) -> impl Iterator<Item = [DVec3; 2]> + use<> {
        let normals = self.normals();
        (0..normals.len()).map(move |k| [normals[(k + normals.len() - 1) % normals.len()], normals[k]])
    }

    /// Its corners as normals, and places between those that are far from each other: pieces are straight where they are stored, great circles
    /// are not.
    fn normals(&self) -> Vec<DVec3> {
        /// Over a quarter of a degree both are 10 m apart.
        const FAR_RAD: f64 = 0.005;
        let normal = |corner: &[f32; 2]| normal(corner.map(f64::from));
        let mut normals = Vec::with_capacity(self.corners.len());
        let mut last = self.corners.last().map_or(DVec3::X, normal);
        for corner in self.corners.iter().map(normal) {
            let parts = (corner.distance(last) / FAR_RAD).ceil().max(1.0);
            normals.extend((1..parts as u32).map(|k| last.lerp(corner, f64::from(k) / parts)));
            normals.push(corner);
            last = corner;
        }
        normals
    }
}
