//! What is known of a vertex? Its place, its error, its bounds: all pure functions of its cube point and the relief.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use elevation::{sample_spacing::SampleSpacing, slope::Slope};
use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::table::{NONE, VertexTable};
use crate::{
    bisection::{birth_depth, bisected_edge, corners},
    cube::{CubePoint, ONE, face_normal, face_of},
    geodesy::{SEMI_MAJOR_M, ecef},
    height::{CoarseErrors, Relief},
    metric::{CutEdge, GroundBounds, REACH_OVER_EDGE, reach_over_edge},
    tile::{birth, posting_m},
};

/// One vertex as the GPU reads it (`shaders/terrain/vertex.wgsl`): 32 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct TerrainVertex {
    /// Position in metres relative to the eye, ECEF axes.
    pub position_m: [f32; 3],
    /// Height above the datum in metres.
    pub height_m: f32,
    /// Unit geodetic normal: where the vertex is, as a direction for cube maps.
    pub direction: [f32; 3],
    /// Unit normal of the relief (x, y, z), as signed normalised bytes. The sign of the last one tells whether it is to be used in
    /// place of a coarser shading map; without the sign, less one, it is [`birth_depth`].
    pub surface_normal: [i8; 4],
}

impl TerrainVertex {
    const ATTRIBUTES: [wgpu::VertexAttribute; 4] =
        wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32, 2 => Float32x3, 3 => Snorm8x4];

    /// Layout of the vertex buffer that [`crate::CpuTerrain::draw`] binds to slot 0.
    pub const LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
        array_stride: size_of::<Self>() as u64,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &Self::ATTRIBUTES,
    };
}

/// A vertex of the mesh, or a midpoint that may become one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vertex {
    pub point: CubePoint,
    /// How many triangles refer to it, and how many of them as a corner.
    pub uses: u32,
    pub corner_uses: u32,
    /// Indices of the ends of the edge it bisects; [`NONE`] for the corners of the cube.
    pub ends: [u32; 2],
    /// Surface position, ECEF.
    pub position_m: DVec3,
    pub height_m: f32,
    pub direction: Vec3,
    pub surface_normal: [i8; 4],
    /// Vertical error that a mesh without this vertex has: saturated over all data on the lattice, below it an estimate from
    /// samples of the two triangles that it cuts and of their next cuts.
    pub error_m: f32,
    /// The edge it bisects.
    pub edge: CutEdge,
    /// The ground in the two triangles that it cuts, as far as the lattice or those samples know.
    pub bounds: GroundBounds,
}

impl Vertex {
    /// A vertex whose place is not known yet.
    pub fn unplaced(point: CubePoint) -> Self {
        Self {
            point,
            uses: 0,
            corner_uses: 0,
            ends: [NONE; 2],
            position_m: DVec3::ZERO,
            height_m: 0.0,
            direction: Vec3::ZERO,
            surface_normal: [0, 0, 0, -age(point)],
            error_m: 0.0,
            edge: CutEdge::default(),
            bounds: GroundBounds::default(),
        }
    }

    /// The vertex for the GPU at a position relative to the eye.
    pub fn record(&self, position_m: Vec3) -> TerrainVertex {
        TerrainVertex {
            position_m: position_m.to_array(),
            height_m: self.height_m,
            direction: self.direction.to_array(),
            surface_normal: self.surface_normal,
        }
    }
}

/// Length of a cell of a viewer's shading map, about, metres: data finer than this shades by vertex normals.
pub const SHADING_MAP_TEXEL_M: f64 = 5_000.0;

/// Apex distance over the hypotenuse of the most stretched bisector.
const WORST_REACH: f64 = REACH_OVER_EDGE as f64;

/// Distance of the nearest probes of a triangle, over its hypotenuse, rounded down.
const FINEST_PROBE: f64 = 1.0 / 8.0;

/// Computes what is known of vertices from the relief.
pub(super) struct Evaluator {
    relief: Arc<Relief>,
    coarse_errors: Arc<CoarseErrors>,
    postings: SampleSpacing,
}

/// Error and height range of the ground in the two triangles that a vertex cuts.
struct VertexError {
    error_m: f64,
    range_m: (f64, f64),
}

impl Evaluator {
    pub fn new(relief: Arc<Relief>, coarse_errors: Arc<CoarseErrors>) -> Self {
        Self { postings: SampleSpacing::of(&relief), relief, coarse_errors }
    }

    /// Where heights come from.
    pub fn relief(&self) -> &Relief {
        &self.relief
    }

    /// Places new vertices: first where they are, then what depends on the ends of their edges.
    pub fn place(&self, table: &mut VertexTable, new: &[u32]) {
        let points: Vec<CubePoint> = new.iter().map(|&i| table.vertices()[i as usize].point).collect();
        let placed: Vec<(DVec3, f64)> = points
            .par_iter()
            .with_min_len(64)
            .map(|point| {
                let n = point.normal();
                let (tile, ..) = birth(*point);
                (n, self.relief.sample_spaced(n, posting_m(tile.level)).height_m)
            })
            .collect();
        for (&index, (n, height_m)) in new.iter().zip(&placed) {
            let ends = bisected_edge(table.vertices()[index as usize].point);
            let ends = ends.map_or([NONE; 2], |ends| ends.map(|end| table.index_of(end)));
            let vertex = &mut table.vertices_mut()[index as usize];
            vertex.position_m = ecef(*n, *height_m);
            vertex.height_m = *height_m as f32;
            vertex.direction = n.as_vec3();
            vertex.ends = ends;
        }
        let vertices = table.vertices();
        let judged: Vec<Vertex> = new
            .par_iter()
            .zip(placed)
            .with_min_len(64)
            .map(|(&index, (n, height_m))| self.judge(vertices, vertices[index as usize], n, height_m))
            .collect();
        for (&index, vertex) in new.iter().zip(judged) {
            table.vertices_mut()[index as usize] = vertex;
        }
    }

    /// Everything that depends on the edge the vertex bisects.
    fn judge(&self, vertices: &[Vertex], mut vertex: Vertex, n: DVec3, height_m: f64) -> Vertex {
        if vertex.ends[0] == NONE {
            return vertex;
        }
        let [a, b] = vertex.ends.map(|end| &vertices[end as usize]);
        let edge_m = a.position_m.distance(b.position_m);
        let roughness = self.roughness(&vertex, [a, b], n, edge_m, height_m);
        let (low, high) = roughness.range_m;
        let relief_m = (high - height_m).max(height_m - low);
        vertex.error_m = roughness.error_m as f32;
        let reach_over_edge = reach_over_edge(corners::bisected_edge(vertex.point.on_face()));
        let reach_m = reach_over_edge * edge_m as f32;
        vertex.edge = CutEdge { length_m: edge_m as f32, reach_m };
        vertex.bounds = GroundBounds {
            height_m: height_m as f32,
            reach_m,
            rise_m: (high - height_m) as f32,
            bound_m: reach_m + relief_m as f32,
        };
        let posting_m = self.relief.posting_m(n);
        if posting_m < SHADING_MAP_TEXEL_M {
            vertex.surface_normal = self.surface_normal(n, posting_m.max(0.25 * edge_m), vertex.point);
        }
        vertex
    }

    /// On the lattice the saturated error is known; below it, samples of the two triangles and of their next cuts tell.
    fn roughness(&self, vertex: &Vertex, ends: [&Vertex; 2], n: DVec3, edge_m: f64, height_m: f64) -> VertexError {
        let place = vertex.point.on_face();
        let on_face = |end: &Vertex| end.point.on(place.face).map(|p| (f64::from(p.u), f64::from(p.v)));
        let centre = (f64::from(place.u), f64::from(place.v));
        let (Some(a), Some(b)) = (on_face(ends[0]), on_face(ends[1])) else {
            unreachable!("the edge of a vertex lies on every face that the vertex lies on");
        };
        // Half the hypotenuse turned by a right angle leads to the apexes, beyond the face's edge if need be.
        let half = ((b.0 - a.0) * 0.5, (b.1 - a.1) * 0.5);
        let at = |along: f64, across: f64| {
            (centre.0 + along * half.0 - across * half.1, centre.1 + along * half.1 + across * half.0)
        };
        if let Some(error_m) = self.coarse_errors.error_m(vertex.point) {
            let range_m = [at(0.0, 0.5), at(0.0, -0.5)]
                .map(|p| self.cell_range(place.face, p, half))
                .into_iter()
                .reduce(|x, y| (x.0.min(y.0), x.1.max(y.1)))
                .unwrap_or((height_m, height_m));
            return VertexError { error_m, range_m };
        }

        // Of all data that the two triangles may touch, not only those under the vertex.
        let posting_m = self.postings.finest_m(n, WORST_REACH * edge_m);
        let sample = |(u, v): (f64, f64)| {
            let n = face_normal(place.face, face_coordinate(u), face_coordinate(v));
            self.relief.sample_spaced(n, FINEST_PROBE * edge_m).height_m
        };
        let (height_a, height_b) = (f64::from(ends[0].height_m), f64::from(ends[1].height_m));
        let sagitta_m = edge_m * edge_m / (8.0 * SEMI_MAJOR_M);
        let mut error_m = (height_m - 0.5 * (height_a + height_b) + sagitta_m).abs();
        let mut range_m = (height_m.min(height_a).min(height_b), height_m.max(height_a).max(height_b));
        let known_m = self.relief.error_m(vertex.point);
        let mut probe = |p: (f64, f64), chord_m: f64| {
            let h = sample(p);
            error_m = error_m.max((h - chord_m).abs());
            range_m = (range_m.0.min(h), range_m.1.max(h));
        };
        for side in [1.0, -1.0] {
            let apex_m = sample(at(0.0, side));
            probe(at(-0.5, 0.5 * side), 0.5 * (height_a + apex_m));
            probe(at(0.5, 0.5 * side), 0.5 * (height_b + apex_m));
            if posting_m < edge_m && known_m.is_none() {
                // Data finer than the triangle: one more level of look-ahead against the plane of its half.
                probe(at(-0.5, 0.25 * side), 0.25 * (2.0 * height_a + apex_m + height_m));
                probe(at(0.5, 0.25 * side), 0.25 * (2.0 * height_b + apex_m + height_m));
                probe(at(0.0, 0.5 * side), 0.5 * (apex_m + height_m));
                probe(at(-0.25, 0.25 * side), 0.25 * (height_a + apex_m + 2.0 * height_m));
                probe(at(0.25, 0.25 * side), 0.25 * (height_b + apex_m + 2.0 * height_m));
            }
        }
        // Against all data: what the samples found is part of it, but for where a level of tiles goes over to another.
        error_m = error_m.max(known_m.unwrap_or(0.0));
        // What the samples missed stays within a few errors of them.
        VertexError { error_m, range_m: (range_m.0 - 3.0 * error_m, range_m.1 + 3.0 * error_m) }
    }

    /// Height range of the quadtree cell, of the size of a triangle, round a point in face units.
    fn cell_range(&self, face: u32, (u, v): (f64, f64), half: (f64, f64)) -> (f64, f64) {
        let (face, s, t) = face_of(face_normal(face, face_coordinate(u), face_coordinate(v)));
        // A triangle whose half hypotenuse has maximum norm m lies in the cell of side 2m (legs along the axes) or m.
        let side = 2.0 * half.0.abs().max(half.1.abs());
        let level = (f64::from(ONE) / side).log2().round().clamp(0.0, 30.0) as u32;
        let cell = |s: f64| (((s + 1.0) * 0.5 * f64::from(1u32 << level)) as u32).min((1 << level) - 1);
        self.coarse_errors.range_m(face, level, cell(s), cell(t))
    }

    /// Normal of the relief from central differences, to be used in place of the shading map.
    fn surface_normal(&self, n: DVec3, step_m: f64, point: CubePoint) -> [i8; 4] {
        let height_m = |n: DVec3| self.relief.overview_m(n, step_m);
        let [x, y, z] = Slope::of(height_m, n, step_m).normal(n).to_array().map(|x| (x * 127.0).round() as i8);
        [x, y, z, age(point)]
    }
}

/// Depth of birth plus one, so that it has a sign: at most 60.
fn age(point: CubePoint) -> i8 {
    birth_depth(point) as i8 + 1
}

/// Face coordinate in [-1, 1] (or a little beyond) of a position in lattice units.
fn face_coordinate(x: f64) -> f64 {
    x * (2.0 / f64::from(ONE)) - 1.0
}
