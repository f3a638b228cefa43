//! What would a plain screen-area metric draw? The usual measure, as the baseline that the geometric error is held against.
//!
//! A triangle is cut while its projected area exceeds a threshold, whatever the ground in it. Culling, conformity and the
//! pool are those of the mesh that is compared, so that only the metric differs. Nothing morphs, which favours the baseline:
//! a vertex is in its place as soon as it is there.

use std::sync::Arc;

use glam::DVec3;
use rayon::prelude::*;
use terrain::bisection::{HeapId, MAX_DEPTH, Triangle};
use terrain::geodesy::Ellipsoid;
use terrain::height::Relief;
use terrain::pool::{BUCKET_KEEP, Pool, Priority, VisitOrder, bucket_of_ratio};
use terrain::view::{Occluder, ViewFrustum};

use super::comparison::Tolerances;
use super::mesh_triangles::MeshTriangles;
use benches::views::sampled_view::SampledView;

/// Triangles above this depth, of 1800 km and more, are cut wherever they are: their chords say nothing of the ground.
const LEAST_DEPTH: u32 = 6;

/// How much of its length the ground in a triangle rises above its corners, at most the range of all heights.
const STEEPNESS: f64 = 0.3;

/// Slots of the pool: the baseline is given up where it wants more.
const SLOTS: u64 = 1 << 19;

/// Updates after which nothing can be left to cut.
const MOST_UPDATES: u32 = 4 * MAX_DEPTH;

/// Areas of triangles, px^2: ground at the feet covers far more than the picture.
pub const TOLERANCES: Tolerances = Tolerances { first: 64.0, range: 0.25..=1e9, coarse: 4.0, fine: 1.3 };

/// The baseline for one relief.
pub struct AreaMetric {
    relief: Arc<Relief>,
}

/// A live bisector as the area metric sees it.
#[derive(Clone, Copy)]
struct LiveTriangle {
    id: HeapId,
    corners_m: [DVec3; 3],
    area_px2: f64,
    parent_area_px2: f64,
}

const EMPTY: LiveTriangle =
    LiveTriangle { id: HeapId(0), corners_m: [DVec3::ZERO; 3], area_px2: 0.0, parent_area_px2: 0.0 };

/// Areas of the live bisectors and the area that is tolerated.
struct Areas {
    slots: Vec<LiveTriangle>,
    threshold_px2: f64,
}

impl Priority for Areas {
    fn bucket(&self, slot: u32, id: HeapId) -> u8 {
        self.of(slot, id, |slot| slot.area_px2)
    }

    fn parent_bucket(&self, slot: u32, id: HeapId) -> u8 {
        self.of(slot, id, |slot| slot.parent_area_px2)
    }
}

impl Areas {
    fn of(&self, slot: u32, id: HeapId, area: impl Fn(&LiveTriangle) -> f64) -> u8 {
        let slot = &self.slots[slot as usize];
        if slot.id == id { bucket_of_ratio(area(slot) / self.threshold_px2) } else { BUCKET_KEEP }
    }
}

/// A settled mesh.
pub struct SettledMesh {
    /// Its triangles, relative to the eye.
    pub facets: MeshTriangles,
    /// Whether it wants more triangles than there is room for.
    pub starved: bool,
}

impl AreaMetric {
    /// The metric over a relief.
    pub fn new(relief: Arc<Relief>) -> AreaMetric {
        AreaMetric { relief }
    }

    /// The mesh of a view in which no visible triangle covers more than `threshold_px2`.
    ///
    /// # Errors
    /// A view that cannot be drawn.
    pub fn settle(&self, sampled: &SampledView, threshold_px2: f64) -> anyhow::Result<SettledMesh> {
        let frustum = sampled.view().frustum(Occluder::around(&self.relief, sampled.view().eye_m))?;
        let mut pool = Pool::new(SLOTS, MAX_DEPTH)?;
        let mut areas = Areas { slots: vec![EMPTY; SLOTS as usize], threshold_px2 };
        let mut starved = false;
        for _ in 0..MOST_UPDATES {
            let seen = pool
                .changed()
                .par_iter()
                .with_min_len(64)
                .map(|&slot| (slot, pool.get(slot).map_or(EMPTY, |id| self.live_triangle(sampled, &frustum, id))));
            for (slot, seen) in seen.collect::<Vec<_>>() {
                areas.slots[slot as usize] = seen;
            }
            let stats = pool.update(&areas, VisitOrder::Parallel);
            starved = stats.starved > 0;
            // A full pool only trades ties.
            if stats.splits + stats.merges == 0 || starved {
                break;
            }
        }
        let facets = pool.iter().map(|(slot, id)| {
            let known = &areas.slots[slot as usize];
            (id, if known.id == id { known.corners_m } else { self.corners_m(sampled, id.triangle()) })
        });
        Ok(SettledMesh { facets: MeshTriangles::new(facets), starved })
    }

    fn corners_m(&self, sampled: &SampledView, triangle: Triangle) -> [DVec3; 3] {
        triangle.0.map(|point| {
            let n = point.normal();
            Ellipsoid::WGS84.ecef(n, self.relief.sample(n).height_m) - sampled.view().eye_m
        })
    }

    fn live_triangle(&self, sampled: &SampledView, frustum: &ViewFrustum, id: HeapId) -> LiveTriangle {
        let corners_m = self.corners_m(sampled, id.triangle());
        let parent_area_px2 = id.parent().filter(|_| !id.is_odd_child()).map_or(0.0, |parent| {
            self.area_px2(sampled, frustum, parent.depth(), self.corners_m(sampled, parent.triangle()))
        });
        LiveTriangle {
            id,
            corners_m,
            area_px2: self.area_px2(sampled, frustum, id.depth(), corners_m),
            parent_area_px2,
        }
    }

    /// Projected area: 0 where culled, infinite where a corner is beside or behind the eye.
    fn area_px2(&self, sampled: &SampledView, frustum: &ViewFrustum, depth: u32, corners_m: [DVec3; 3]) -> f64 {
        let [a, b, c] = corners_m;
        let centre_m = (a + b + c) / 3.0;
        let reach_m = corners_m.map(|corner| corner.distance(centre_m)).into_iter().fold(0.0, f64::max);
        let edge_m = a.distance(c);
        let (lowest_m, highest_m) = self.relief.range_m();
        let relief_m = (STEEPNESS * edge_m).min(highest_m - lowest_m);
        let rise_m = edge_m * edge_m / (8.0 * Ellipsoid::WGS84.semi_major_m()) + relief_m;
        if depth < LEAST_DEPTH {
            return f64::INFINITY;
        }
        let height_m = Ellipsoid::WGS84.geodetic(sampled.view().eye_m + centre_m).height_m;
        if frustum.beyond_horizon(centre_m, height_m, reach_m, rise_m) || !frustum.may_show(centre_m, reach_m + rise_m)
        {
            return 0.0;
        }
        match corners_m.map(|corner| sampled.project(corner)) {
            [Some(a), Some(b), Some(c)] => 0.5 * (b - a).perp_dot(c - a).abs(),
            _ => f64::INFINITY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrain::View;
    use terrain::height::{GlobalGrid, Registration};

    /// Law: settled, no triangle in the picture is larger than the threshold, and where the view is flat a quarter of the
    /// threshold takes four times the triangles.
    #[test]
    fn no_visible_triangle_is_larger_than_the_threshold() {
        let grid = GlobalGrid::from_fn(72, 37, Registration::Node, |lon, lat| 3000.0 * (lon * 0.1).sin() * lat.cos());
        let metric = AreaMetric::new(Arc::new(Relief::from_grid(grid).unwrap()));
        let eye_m = Ellipsoid::WGS84.ecef(DVec3::new(0.4, 0.5, -0.6).normalize(), 4e5);
        let view = View::perspective(eye_m, -eye_m, DVec3::Z, 0.8, (320, 180));
        let sampled = SampledView::new(view).unwrap();
        let mut counts = Vec::new();
        for threshold_px2 in [400.0, 100.0] {
            let settled = metric.settle(&sampled, threshold_px2).unwrap();
            assert!(!settled.starved);
            let shown = settled.facets.shown(&sampled);
            assert!(shown.distances_m.iter().all(Option::is_some));
            // A triangle has between half and all of the tolerated area, fewer pixels at the edges and by conformity.
            let all_px2 = 320.0 * 180.0;
            let least = all_px2 / threshold_px2;
            let count = f64::from(shown.triangles);
            assert!(count > least && count < 4.0 * least, "{count} triangles of at most {threshold_px2} px^2");
            counts.push(count);
        }
        assert!((3.0..5.0).contains(&(counts[1] / counts[0])), "{counts:?}");
    }
}
