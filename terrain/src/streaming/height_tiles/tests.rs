//! Are the tiles that a view wants those that its metric asks for?

use glam::DVec3;
use rand::Rng;

use super::*;
use crate::streaming::{MIN_TILES, residency::Residency};
use crate::{
    View,
    bisection::corners::{BisectedEdge, bisected_edge},
    geodesy::Ellipsoid,
    height::{CoarseErrors, GlobalGrid, Registration},
    metric::{
        BOUND_OVER_REACH, GroundBounds, RISE_OVER_REACH, bounds_between, bounds_by_slope, projected_distance,
        reach_over_edge, reach_scale, seen_ratio, tests::bodies,
    },
    random,
    tile::birth,
    view::{Occluder, nearest_m},
};

fn view_from(eye_m: DVec3, forward: DVec3, relief: &Relief) -> PreparedView {
    let up = forward.any_orthonormal_vector();
    let view = View { eye_m, forward, up, fov_y_rad: 0.9, size_px: (1920, 1080) };
    let frustum = view.frustum(Occluder::around(relief, eye_m)).unwrap();
    let ground_m = relief.sample(relief.ellipsoid().normal_at(eye_m)).height_m;
    PreparedView::new(relief.ellipsoid(), frustum, &Quality::default(), nearest_m(relief, eye_m), ground_m)
}

/// The ground in the two triangles that a vertex cuts, as the device takes it.
fn bounds_of(tile: &Tile, at: [u32; 2], cut: BisectedEdge, reach_m: f32, error_m: f32) -> GroundBounds {
    let height_m = |[x, y]: [i64; 2]| {
        let inside = 0..=i64::from(TILE_QUADS);
        let corner = (inside.contains(&x) && inside.contains(&y)).then(|| tile.texel(x as usize, y as usize));
        corner.map(|texel| texel.height_m() as f32)
    };
    let ([x, y], place, spacing) = (at.map(i64::from), tile.id().place(at[0], at[1]), i64::from(tile.id().spacing()));
    let steps = |end: u32, middle: u32| (i64::from(end) - i64::from(middle)) / spacing;
    let (dx, dy) = (steps(cut.end.u, place.u), steps(cut.end.v, place.v));
    let corners = [[x + dx, y + dy], [x - dx, y - dy], [x - dy, y + dx], [x + dy, y - dx]];
    let own_m = tile.texel(at[0] as usize, at[1] as usize).height_m() as f32;
    match corners.map(height_m).into_iter().collect::<Option<Vec<f32>>>() {
        Some(corners_m) => {
            let lowest_m = corners_m.iter().copied().fold(own_m, f32::min);
            let highest_m = corners_m.iter().copied().fold(own_m, f32::max);
            bounds_between(own_m, lowest_m, highest_m, reach_m, error_m)
        }
        None => bounds_by_slope(own_m, reach_m, error_m),
    }
}

/// The largest ratio of a fifth of the vertices that a tile brings, for the view.
fn asked(ellipsoid: Ellipsoid, tile: &Tile, view: &PreparedView, first: u32) -> f64 {
    let mut most = 0.0f32;
    for y in 0..=TILE_QUADS {
        for x in ((first + 2 * y) % 5..=TILE_QUADS).step_by(5) {
            let place = tile.id().place(x, y);
            if birth(place.point()) != (tile.id(), x, y) {
                continue;
            }
            let texel = tile.texel(x as usize, y as usize);
            let cut = bisected_edge(place);
            if !cut.exists {
                continue;
            }
            let [position_m, start_m, end_m] =
                [(place, texel.height_m()), (cut.start, view.ground_m), (cut.end, view.ground_m)]
                    .map(|(place, height_m)| ellipsoid.ecef(place.point().normal(), height_m));
            let length_m = start_m.distance(end_m) as f32;
            let edge = CutEdge { length_m, reach_m: reach_over_edge(cut) * reach_scale(ellipsoid) as f32 * length_m };
            let error_m = texel.refinement_error_m();
            let position_m = (position_m - view.frustum.eye_m).as_vec3();
            let ratio =
                ratio_of(view.metric, projected_distance(position_m, place.point().normal().as_vec3()), edge, error_m);
            let by_slope = GroundBounds {
                height_m: texel.height_m() as f32,
                reach_m: BOUND_OVER_REACH * edge.reach_m,
                rise_m: RISE_OVER_REACH * edge.reach_m + BOUND_OVER_ERROR * error_m,
                bound_m: BOUND_OVER_REACH * edge.reach_m + BOUND_OVER_ERROR * error_m,
            };
            for bounds in [by_slope, bounds_of(tile, [x, y], cut, edge.reach_m, error_m)] {
                most = most.max(seen_ratio(view.metric, ratio, position_m, bounds));
            }
        }
    }
    f64::from(most)
}

/// Law: no vertex of a child, nor of a child of that, is more urgent than the child was said to be, from any eye: inside the
/// tile's ground, over it, beside it, at its rim.
#[test]
fn no_vertex_is_more_urgent_than_its_tile() {
    let grid = GlobalGrid::from_fn(720, 361, Registration::Node, |lon_deg, lat_deg| {
        3_000.0 * (0.2 * lon_deg).sin() * (0.3 * lat_deg).cos() + 500.0 * (1.7 * lat_deg + lon_deg).sin()
    });
    let mut rng = random::rng();
    for (ellipsoid, cases) in bodies().into_iter().zip([12, 6, 6, 6]) {
        let relief = Relief::from_grid_on(ellipsoid, grid.clone()).unwrap();
        let wanted = wanted_of(&relief, cases, &mut rng);
        assert!(wanted > 3 * cases, "only {wanted} times a tile was asked for on {ellipsoid:?}");
    }
}

/// How many tiles are wanted in so many cases, none more urgently than it was said to be.
fn wanted_of(relief: &Relief, cases: u32, rng: &mut impl Rng) -> u32 {
    let ellipsoid = relief.ellipsoid();
    let coarse_errors = CoarseErrors::build(relief, 9);
    let mut wanted = 0;
    for case in 0..cases {
        let level = case % 6;
        let side = 1 << level;
        let (face, i, j) = (rng.random_range(0..FACES), rng.random_range(0..side), rng.random_range(0..side));
        let id = TileId { face, level, i, j };
        let quadrants = quadrants(ellipsoid, &Tile::build(relief, &coarse_errors, id));
        let which = rng.random_range(0..4);
        let child = id.children().unwrap()[which];
        let below = child.children().unwrap()[rng.random_range(0..4)];
        let tiles = [child, below].map(|id| Tile::build(relief, &coarse_errors, id));
        let size_m = 1.57 * ellipsoid.semi_major_m() / f64::from(side);
        for eye in 0..24 {
            // Over a place of the child, of its rim every third time, and off by nothing up to the size of the tile.
            let mut texel = || match eye % 3 {
                0 => TILE_QUADS * rng.random_range(0..=1),
                _ => rng.random_range(0..=TILE_QUADS),
            };
            let n = child.place(texel(), texel()).point().normal();
            let mut unit = || DVec3::from_array(std::array::from_fn(|_| rng.random_range(-1.0..1.0))).normalize();
            let (aside, forward) = (unit(), unit());
            let off_m = size_m * 10f64.powf(rng.random_range(-5.0..0.0));
            let n = (n + aside * off_m / ellipsoid.semi_major_m()).normalize();
            let height_m = relief.sample(n).height_m + 10f64.powf(rng.random_range(0.0..6.5));
            let view = view_from(ellipsoid.ecef(n, height_m), forward, relief);
            let said = ratio(&quadrants[which], &view);
            for tile in &tiles {
                let asked = asked(ellipsoid, tile, &view, eye);
                // What is rounded: errors to a tenth of an octave, upwards.
                assert!(asked <= 1.001 * said, "{:?} asks {asked}, said was {said}, {height_m} m up", tile.id());
                wanted += u32::from(asked >= 1.0);
            }
        }
    }
    wanted
}

/// Law: an eye too high for any error that is left wants no tile for it, though it is over the tile's ground; one that comes down does.
#[test]
fn ground_without_errors_in_sight_wants_no_tiles() {
    let flat = Relief::from_grid(GlobalGrid::from_fn(36, 19, Registration::Node, |_, _| 100.0)).unwrap();
    let coarse_errors = CoarseErrors::build(&flat, 4);
    let mut residency = Residency::new(MIN_TILES, (0..FACES).map(|face| (TileId::root(face), None)).collect());
    for id in (0..FACES).map(TileId::root) {
        residency.insert(id, quadrants(Ellipsoid::WGS84, &Tile::build(&flat, &coarse_errors, id)), |_| {});
    }
    let n = DVec3::new(0.6, 0.64, 0.48).normalize();
    let mut missing = |height_m: f64| {
        let view = view_from(Ellipsoid::WGS84.ecef(n, height_m), -n, &flat);
        residency.plan(1, |quadrant, _| ratio(quadrant, &view), |_| 0.0).missing
    };
    // Vertices of whole faces cut edges of up to 110 km, over which the Earth is curved by 240 m.
    assert_eq!(missing(500_000.0), []);
    assert!(!missing(30_000.0).is_empty());
}
