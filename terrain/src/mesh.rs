//! Which vertices do the live triangles share, and what does each look like from here?
//!
//! Every bisector refers to four vertices: its corners, and the midpoint of its hypotenuse that a bisection would insert.
//! All of them live in one table keyed by the canonical cube point. So a vertex is evaluated once, and has the same bits
//! for every triangle round it. A midpoint becomes a corner without being computed again. The priority of a bisector is a
//! property of its midpoint, the priority of its parent one of its own right-angle corner: both are looked up here.

mod ground;
mod table;
mod vertex;

use std::sync::Arc;

use glam::DVec3;
use rayon::prelude::*;

use crate::{
    TileCache,
    bisection::HeapId,
    height::Relief,
    metric::{MORPH_DEPTH, Metric, Quality, bucket_of_ratio, morph_weight, projected_distance, ratio_of, seen_ratio},
    pool::{BUCKET_KEEP, BUCKET_SPLIT, Pool, Priority},
    streaming::{HeightTiles, HostTiles, PreparedView, SharedTiles, StreamTimings, Streaming, TileCounts},
    view::{Occluder, View, ViewError, ViewFrustum, nearest_m},
};
use table::VertexTable;
pub use vertex::TerrainVertex;
use vertex::{NONE, Vertex};

/// A live bisector and its four vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bisector {
    id: HeapId,
    corners: [u32; 3],
    midpoint: u32,
}

const NO_BISECTOR: Bisector = Bisector { id: HeapId(0), corners: [NONE; 3], midpoint: NONE };

/// Projected error of a vertex in the current view, and the priority bucket that follows.
#[derive(Clone, Copy, Debug, Default)]
struct VertexPriority {
    /// Projected over tolerated error, culling left aside: the morph weight follows from it.
    ratio: f32,
    bucket: u8,
}

/// The vertices of a pool's live triangles.
///
/// Heights and errors are those of elevation tiles. [`Mesh::update_tiles_complete`] makes those that a view wants;
/// [`Mesh::update_tiles`] takes over those that are ready, and asks for the others. One round is then
/// [`Mesh::update_priorities`], [`Pool::update`] with the mesh as the priority, [`Mesh::sync_with_pool`]. A bisector
/// that the mesh has not followed yet has no priority: an update leaves it as it is. One whose tile is not there is not
/// cut.
///
/// ```
/// use std::sync::Arc;
/// use terrain::{Quality, View, geodesy::{Ellipsoid, Geodetic}, height::{GlobalGrid, Registration, Relief}};
/// use terrain::{mesh::Mesh, pool::{VisitOrder, Pool}};
///
/// let hill_m = |lon_deg: f64, lat_deg: f64| 900.0 * (40.0 * lon_deg).to_radians().sin() * lat_deg.to_radians().cos();
/// let hills = GlobalGrid::from_fn(360, 181, Registration::Node, hill_m);
/// let relief = Arc::new(Relief::from_grid(hills)?);
/// let (mut pool, mut mesh) = (Pool::new(1 << 12, 58)?, Mesh::new(relief, 1 << 12, 64));
/// mesh.sync_with_pool(&pool);
/// let eye_m = Geodetic::from_degrees(46.0, 8.0, 200_000.0).to_ecef(Ellipsoid::WGS84);
/// let view = View::perspective(eye_m, -eye_m, glam::DVec3::Z, 0.8, (320, 180));
/// let (frustum, quality) = (mesh.frustum(&view)?, Quality::default());
/// for _ in 0..60 {
///     mesh.update_tiles_complete(&frustum, &quality);
///     mesh.update_priorities(&frustum, &quality);
///     pool.update(&mesh, VisitOrder::Parallel);
///     mesh.sync_with_pool(&pool);
/// }
/// mesh.update_priorities(&frustum, &quality);
/// assert!(mesh.is_complete() && mesh.worst_ratio(&pool) <= 1.0);
/// assert!(!mesh.update_tiles(&frustum, None, &quality, false)); // no tile has come since
/// let (mut vertices, mut indices) = (Vec::new(), Vec::new());
/// mesh.write_vertices(eye_m, &quality, &mut vertices);
/// mesh.write_indices(&pool, &mut indices);
/// assert_eq!((vertices.len(), indices.len()), (mesh.vertex_slots(), pool.live() as usize));
/// // A closed surface: Euler's V - E + F = 2, with three half-edges a triangle.
/// assert_eq!(2 * mesh.vertex_count(), indices.len() + 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Mesh {
    pub(crate) relief: Arc<Relief>,
    tiles: SharedTiles<HeightTiles, HostTiles>,
    table: VertexTable,
    bisectors: Vec<Bisector>,
    priorities: Vec<VertexPriority>,
    /// [`Pool::updates`] when the pool was last followed.
    followed: Option<u32>,
}

impl Mesh {
    /// A mesh of no triangles over a relief, with room for a pool of `slots` and for `tiles` elevation tiles in memory, of
    /// [`TILE_BYTES`](crate::TILE_BYTES) each.
    pub fn new(relief: Arc<Relief>, slots: u32, tiles: u32) -> Self {
        Self::cached(relief, slots, tiles, None)
    }

    /// The same, whose tiles are looked for on disk before they are made from the sources, and kept there.
    pub(crate) fn cached(relief: Arc<Relief>, slots: u32, tiles: u32, cache: Option<Arc<TileCache>>) -> Self {
        let height_tiles = HeightTiles::new(relief.clone(), cache);
        let tiles = SharedTiles::new(Streaming::new(HostTiles::new(relief.ellipsoid(), tiles), height_tiles));
        Self::of(relief, tiles, slots)
    }

    /// A mesh of no triangles over the tiles of this one; `None` if there are [`MOST_VIEWS`](crate::streaming::MOST_VIEWS) already.
    pub(crate) fn another(&self, slots: u32) -> Option<Self> {
        Some(Self::of(self.relief.clone(), self.tiles.another()?, slots))
    }

    fn of(relief: Arc<Relief>, tiles: SharedTiles<HeightTiles, HostTiles>, slots: u32) -> Self {
        Self {
            relief,
            tiles,
            table: VertexTable::default(),
            bisectors: vec![NO_BISECTOR; slots as usize],
            priorities: Vec::new(),
            followed: None,
        }
    }

    /// A view of this mesh, with what its relief hides from the eye.
    ///
    /// # Errors
    /// A view that cannot be drawn, see [`ViewError`].
    pub fn frustum(&self, view: &View) -> Result<ViewFrustum, ViewError> {
        view.frustum(Occluder::around(&self.relief, view.eye_m))
    }

    /// Makes all tiles that a view wants, however long it takes. True if the tiles that are there changed.
    pub fn update_tiles_complete(&mut self, frustum: &ViewFrustum, quality: &Quality) -> bool {
        let changed = self.tiles.update_complete(self.prepare(frustum, quality), ());
        if changed {
            self.read_tiles();
        }
        changed
    }

    /// Takes over tiles that are ready and asks for those that a view wants, and those that it will want where its eye
    /// is going (`predicted`). True if the tiles that are there changed since this was last called. `moved` tells that
    /// the view wants others than it did.
    pub fn update_tiles(
        &mut self,
        frustum: &ViewFrustum,
        predicted: Option<&ViewFrustum>,
        quality: &Quality,
        moved: bool,
    ) -> bool {
        let views = (self.prepare(frustum, quality), predicted.map(|predicted| self.prepare(predicted, quality)));
        let changed = self.tiles.update(views, moved, ());
        if changed {
            self.read_tiles();
        }
        changed
    }

    /// Whether all tiles are there that the view wanted when they were last followed.
    pub fn is_complete(&self) -> bool {
        self.tiles.is_complete()
    }

    /// Tiles by state, and what choosing and taking them over took, when they were last followed.
    pub(crate) fn tile_counts(&self) -> (TileCounts, StreamTimings) {
        let tiles = self.tiles.all();
        (tiles.counts(), tiles.timings())
    }

    fn prepare(&self, frustum: &ViewFrustum, quality: &Quality) -> PreparedView {
        let ground_m = self.relief.sample(self.relief.ellipsoid().normal_at(frustum.eye_m)).height_m;
        PreparedView::new(
            self.relief.ellipsoid(),
            frustum.clone(),
            quality,
            nearest_m(&self.relief, frustum.eye_m),
            ground_m,
        )
    }

    /// Places anew the vertices whose tiles were not there.
    fn read_tiles(&mut self) {
        let waiting = |vertex: &Vertex| vertex.uses > 0 && !vertex.resident;
        let vertices = self.table.vertices().iter().enumerate();
        let indices: Vec<u32> = vertices.filter(|(_, vertex)| waiting(vertex)).map(|(at, _)| at as u32).collect();
        self.table.place(self.tiles.all().store(), &indices);
    }

    /// Follows the pool: the slots that its last update changed, or all slots where an update since the last call was missed.
    pub fn sync_with_pool(&mut self, pool: &Pool) {
        let missed = match self.followed {
            Some(updates) => pool.updates().wrapping_sub(updates) > 1,
            None => true,
        };
        self.followed = Some(pool.updates());
        if missed {
            let slots = pool.capacity().max(self.bisectors.len() as u32);
            self.bisectors.resize(slots as usize, NO_BISECTOR);
            let known = |slot: u32| self.bisectors[slot as usize].id;
            let changed: Vec<u32> = (0..slots).filter(|&slot| known(slot) != id_of(pool, slot)).collect();
            self.sync_slots(pool, &changed);
        } else {
            self.sync_slots(pool, pool.changed());
        }
    }

    fn sync_slots(&mut self, pool: &Pool, changed: &[u32]) {
        // Take the new vertices before letting go of the old ones, so that shared ones stay.
        let mut released = Vec::with_capacity(changed.len());
        let mut acquired = Vec::new();
        for &slot in changed {
            let entry = &mut self.bisectors[slot as usize];
            released.push(*entry);
            *entry = match pool.get(slot) {
                Some(id) => acquire_vertices(&mut self.table, id, &mut acquired),
                None => NO_BISECTOR,
            };
        }
        self.table.place(self.tiles.all().store(), &acquired);
        for bisector in released.into_iter().filter(|&old| old != NO_BISECTOR) {
            bisector.corners.into_iter().for_each(|corner| self.table.release(corner, true));
            self.table.release(bisector.midpoint, false);
        }
        self.priorities.resize(self.table.len(), VertexPriority::default());
        if let Some(moved) = self.table.compact() {
            let new = |index: u32| moved[index as usize];
            for bisector in self.bisectors.iter_mut().filter(|bisector| **bisector != NO_BISECTOR) {
                bisector.corners = bisector.corners.map(new);
                bisector.midpoint = new(bisector.midpoint);
            }
            let used = self.priorities.iter().zip(&moved).filter(|(_, moved)| **moved != NONE);
            self.priorities = used.map(|(priority, _)| *priority).collect();
        }
    }

    /// Judges every vertex for a view.
    pub fn update_priorities(&mut self, frustum: &ViewFrustum, quality: &Quality) {
        let metric = frustum.metric(quality, nearest_m(&self.relief, frustum.eye_m));
        let vertices = self.table.vertices();
        self.priorities.par_iter_mut().zip(vertices).with_min_len(2048).for_each(|(priority, vertex)| {
            *priority = vertex_priority(vertex, frustum.eye_m, metric);
        });
    }

    /// Number of vertex records, used or free: the length of the vertex buffer.
    pub fn vertex_slots(&self) -> usize {
        self.table.len()
    }

    /// Number of vertices that are corners of live triangles.
    pub fn vertex_count(&self) -> usize {
        self.table.vertices().iter().filter(|v| v.corner_uses > 0).count()
    }

    /// Largest error on screen that the picture of these triangles may have by the metric, over the tolerated one.
    pub fn worst_ratio(&self, pool: &Pool) -> f32 {
        let seen = |bisector: &Bisector| {
            let VertexPriority { ratio, bucket } = self.priorities[bisector.midpoint as usize];
            match bucket.checked_sub(BUCKET_SPLIT) {
                // Outside the picture the bucket is that of less.
                Some(above) => ratio.min(f32::exp2(0.25 * (f32::from(above) + 1.0))),
                None if bucket == BUCKET_KEEP => ratio.min(1.0),
                None => 0.0,
            }
        };
        pool.iter().filter_map(|(slot, id)| self.bisector(slot, id)).map(seen).fold(0.0, f32::max)
    }

    /// Writes the vertices as seen from the eye, morphed, one record per vertex slot.
    pub fn write_vertices(&self, eye_m: DVec3, quality: &Quality, out: &mut Vec<TerrainVertex>) {
        out.resize(self.table.len(), TerrainVertex::default());
        let morph_scale = (quality.morph_end - 1.0).recip() as f32;
        out.par_iter_mut().enumerate().with_min_len(2048).for_each(|(index, record)| {
            let vertex = &self.table.vertices()[index];
            if vertex.corner_uses > 0 {
                let position = self.morphed(index as u32, MORPH_DEPTH, morph_scale);
                *record = vertex.record((position - eye_m).as_vec3());
            }
        });
    }

    /// Writes the corners of the live triangles in slot order, counter-clockwise seen from outside, the right-angle corner first:
    /// what a shader takes flat from the first vertex is a property of the triangle. Triangles that the mesh
    /// has not followed yet are left out.
    pub fn write_indices(&self, pool: &Pool, out: &mut Vec<[u32; 3]>) {
        out.clear();
        out.extend(
            pool.iter()
                .filter_map(|(slot, id)| Some(self.bisector(slot, id)?.corners).map(|[v0, v1, v2]| [v1, v2, v0])),
        );
    }

    /// The vertices of a bisector, if the mesh has followed it.
    fn bisector(&self, slot: u32, id: HeapId) -> Option<&Bisector> {
        self.bisectors.get(slot as usize).filter(|bisector| bisector.id == id)
    }

    /// Morphed position: a vertex starts on the midpoint of the edge it cuts and moves to its place as its error grows.
    /// A function of the vertex and the view alone, so all triangles round it agree.
    fn morphed(&self, index: u32, depth: u32, morph_scale: f32) -> DVec3 {
        let vertex = &self.table.vertices()[index as usize];
        let [a, b] = vertex.ends;
        if depth == 0 || a == NONE {
            return vertex.position_m;
        }
        let weight = morph_weight(self.priorities[index as usize].ratio, morph_scale);
        if weight >= 1.0 {
            return vertex.position_m;
        }
        let midpoint = 0.5 * (self.morphed(a, depth - 1, morph_scale) + self.morphed(b, depth - 1, morph_scale));
        midpoint.lerp(vertex.position_m, f64::from(weight))
    }
}

impl Priority for Mesh {
    fn bucket(&self, slot: u32, id: HeapId) -> u8 {
        self.bisector(slot, id).map_or(BUCKET_KEEP, |bisector| self.priorities[bisector.midpoint as usize].bucket)
    }

    fn parent_bucket(&self, slot: u32, id: HeapId) -> u8 {
        self.bisector(slot, id).map_or(BUCKET_KEEP, |bisector| self.priorities[bisector.corners[1] as usize].bucket)
    }
}

fn id_of(pool: &Pool, slot: u32) -> HeapId {
    pool.get(slot).unwrap_or(NO_BISECTOR.id)
}

fn acquire_vertices(table: &mut VertexTable, id: HeapId, acquired: &mut Vec<u32>) -> Bisector {
    let triangle = id.triangle();
    let corners = triangle.0.map(|point| table.acquire_corner(point, acquired));
    let midpoint = table.acquire_midpoint(triangle.midpoint(), acquired);
    Bisector { id, corners, midpoint }
}

/// The ratio of a vertex, and the bucket that culling makes of it; one whose tile is not there is not wanted.
fn vertex_priority(vertex: &Vertex, eye_m: DVec3, metric: Metric) -> VertexPriority {
    let relative_m = (vertex.position_m - eye_m).as_vec3();
    let ratio = ratio_of(metric, projected_distance(relative_m, vertex.direction), vertex.edge, vertex.error_m);
    let seen = if vertex.resident { seen_ratio(metric, ratio, relative_m, vertex.bounds) } else { 0.0 };
    VertexPriority { ratio, bucket: bucket_of_ratio(seen) as u8 }
}
