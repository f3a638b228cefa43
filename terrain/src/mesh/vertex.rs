//! What is known of a vertex? Its place, its error, its bounds: all pure functions of its cube point and the tiles.

use bytemuck::{Pod, Zeroable};
use glam::{DVec3, Vec3};

use super::ground::VertexTexel;
use crate::{
    bisection::{birth_depth, corners},
    cube::CubePoint,
    metric::{CutEdge, GroundBounds, least_error_m, reach_over_edge, reach_scale},
    streaming::HostTiles,
};

/// No vertex.
pub(super) const NONE: u32 = u32::MAX;

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
    /// Whether the tile that it is born in is there; else it lies on the ground of a coarser one, and nothing else is known.
    pub resident: bool,
    /// Saturated vertical error that a mesh without this vertex has.
    pub error_m: f32,
    /// The edge it bisects.
    pub edge: CutEdge,
    /// The ground in the two triangles that it cuts.
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
            surface_normal: [0, 0, 0, -birth_code(point)],
            resident: false,
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

    /// The vertex as the tiles that are there know it.
    pub fn placed(mut self, tiles: &HostTiles) -> Self {
        let n = self.point.normal();
        let texel = VertexTexel::of(tiles, self.point);
        let height_m = texel.height_m();
        self.position_m = tiles.ellipsoid().ecef(n, height_m);
        self.height_m = height_m as f32;
        self.direction = n.as_vec3();
        self.resident = texel.resident;
        if let Some(normal) = texel.own_normal(tiles.ellipsoid(), n) {
            let [x, y, z] = normal.to_array().map(|x| (x * 127.0).round() as i8);
            self.surface_normal = [x, y, z, birth_code(self.point)];
        }
        let edge = corners::bisected_edge(texel.place);
        if !edge.exists {
            return self;
        }
        let [start_m, end_m] = [edge.start, edge.end].map(|end| tiles.ellipsoid().ecef(end.point().normal(), 0.0));
        let length_m = start_m.distance(end_m) as f32;
        let reach_m = reach_over_edge(edge) * reach_scale(tiles.ellipsoid()) as f32 * length_m;
        self.edge = CutEdge { length_m, reach_m };
        self.error_m = texel.error_m().max(least_error_m(edge));
        self.bounds = texel.bounds(edge, self.edge.reach_m, self.error_m);
        self
    }
}

/// Depth of birth plus one, so that it has a sign: at most 60.
fn birth_code(point: CubePoint) -> i8 {
    birth_depth(point) as i8 + 1
}
