//! What do tiles tell of the ground at a vertex? Twin of `shaders/terrain/tiles.wgsl`: texels of the tiles in memory.

use std::iter::successors;

use glam::{DVec3, IVec2, UVec2};

use crate::{
    bisection::corners::BisectedEdge,
    cube::{CubePoint, FacePoint},
    geodesy::Ellipsoid,
    metric::{GroundBounds, bounds_between, bounds_by_slope},
    streaming::{HostTile, HostTiles},
    tile::{TILE_QUADS, birth},
};

/// The tile that answers for a vertex.
#[derive(Clone, Copy)]
pub(crate) struct VertexTexel<'a> {
    /// The vertex, on its canonical face.
    pub place: FacePoint,
    host: &'a HostTile,
    /// Whether the vertex is born in the tile; else the tile is the nearest ancestor of that one.
    pub resident: bool,
}

impl<'a> VertexTexel<'a> {
    /// Of the tile that the vertex is born in, or of the nearest ancestor that is there: the coarsest tiles always are.
    pub fn of(tiles: &'a HostTiles, vertex: CubePoint) -> Self {
        let (birth, ..) = birth(vertex);
        let mut lineage = successors(Some(birth), |id| id.parent());
        let host = lineage.find_map(|id| tiles.get(id)).expect("the coarsest tiles are always there");
        Self { place: vertex.on_face(), host, resident: host.tile.id() == birth }
    }

    fn height_of(&self, at: UVec2) -> f64 {
        self.host.tile.height_m(at.x as usize, at.y as usize)
    }

    /// Column and row of the texel at or below the vertex.
    fn column_and_row(&self) -> UVec2 {
        let (id, corner) = (self.host.tile.id(), self.host.tile.id().place(0, 0));
        (UVec2::new(self.place.u, self.place.v) - UVec2::new(corner.u, corner.v)) / id.spacing()
    }

    /// Height of the ground in metres; interpolated where the vertex is not born in the tile.
    pub fn height_m(&self) -> f64 {
        let height_m = |x: u32, y: u32| self.height_of(UVec2::new(x, y));
        let below = self.column_and_row();
        if self.resident {
            return height_m(below.x, below.y);
        }
        let id = self.host.tile.id();
        let low = below.min(UVec2::splat(TILE_QUADS - 1));
        let corner = id.place(low.x, low.y);
        let part = |at: u32, corner: u32| f64::from(at - corner) / f64::from(id.spacing());
        let (x, y) = (part(self.place.u, corner.u), part(self.place.v, corner.v));
        let row = |y: u32| (1.0 - x) * height_m(low.x, y) + x * height_m(low.x + 1, y);
        (1.0 - y) * row(low.y) + y * row(low.y + 1)
    }

    /// Saturated error of the vertex in metres; nothing is known of one that is not born in the tile.
    pub fn error_m(&self) -> f32 {
        let at = self.column_and_row();
        if self.resident { self.host.tile.texel(at.x as usize, at.y as usize).refinement_error_m() } else { 0.0 }
    }

    /// The ground in the two triangles at the edge that the vertex cuts.
    pub fn bounds(&self, edge: BisectedEdge, reach_m: f32, error_m: f32) -> GroundBounds {
        let own_m = self.height_m() as f32;
        match self.heights_around_m(edge) {
            Some(around_m) => {
                let lowest_m = around_m.into_iter().fold(own_m, f32::min);
                let highest_m = around_m.into_iter().fold(own_m, f32::max);
                bounds_between(own_m, lowest_m, highest_m, reach_m, error_m)
            }
            None => bounds_by_slope(own_m, reach_m, error_m),
        }
    }

    /// Heights of the corners of the two triangles at the edge that the vertex cuts, all as far from it, at right angles; none if some
    /// are outside the tile that the vertex is born in.
    fn heights_around_m(&self, edge: BisectedEdge) -> Option<[f32; 4]> {
        let (own, spacing) = (self.column_and_row().as_ivec2(), self.host.tile.id().spacing() as i32);
        let steps = |end: u32, own: u32| (end as i32 - own as i32) / spacing;
        let along = IVec2::new(steps(edge.end.u, self.place.u), steps(edge.end.v, self.place.v));
        let across = IVec2::new(-along.y, along.x);
        let corners = [along, -along, across, -across].map(|step| own + step);
        let inside = |at: &IVec2| at.cmpge(IVec2::ZERO).all() && at.cmple(IVec2::splat(TILE_QUADS as i32)).all();
        (self.resident && corners.iter().all(inside)).then(|| corners.map(|at| self.height_of(at.as_uvec2()) as f32))
    }

    /// Unit normal of the ground by central differences of texels; none where a viewer's shading map is as fine as the data.
    pub fn own_normal(&self, ellipsoid: Ellipsoid, vertical: DVec3) -> Option<DVec3> {
        let middle = self.column_and_row();
        let point_m = |x: u32, y: u32| {
            ellipsoid.ecef(self.host.tile.id().place(x, y).point().normal(), self.height_of(UVec2::new(x, y)))
        };
        self.host.own_normals.then(|| {
            let (low, high) = (middle.saturating_sub(UVec2::ONE), (middle + 1).min(UVec2::splat(TILE_QUADS)));
            let along_u = point_m(high.x, middle.y) - point_m(low.x, middle.y);
            let along_v = point_m(middle.x, high.y) - point_m(middle.x, low.y);
            let normal = along_u.cross(along_v).normalize();
            if normal.dot(vertical) > 0.0 { normal } else { -normal }
        })
    }
}
