//! Laws of the lattice: one error a place, saturation over the bisection.

use std::collections::HashMap;

use super::*;
use crate::{
    geodesy::Ellipsoid,
    height::{GlobalGrid, Registration},
};

const LEVEL: u32 = 6;

/// A rough field as dense as the lattice, so that nothing lies between its vertices.
fn rough() -> Relief {
    let field = |lon: f64, lat: f64| {
        let (x, y) = (lon.to_radians(), lat.to_radians());
        let taper = y.cos().powi(2);
        taper * (2000.0 * (3.0 * x).sin() * (5.0 * y).cos() + 900.0 * (31.0 * x).sin() * (27.0 * y).sin())
            + 300.0 * (11.0 * y).sin()
    };
    Relief::from_grid(GlobalGrid::from_fn(256, 129, Registration::Node, field)).expect("a sound grid")
}

fn points(face: u32) -> impl Iterator<Item = (u32, u32, CubePoint)> {
    let unit = ONE >> LEVEL;
    (0..=1 << LEVEL)
        .flat_map(move |v| (0..=1 << LEVEL).map(move |u| (u, v, FacePoint { face, u: u * unit, v: v * unit }.point())))
}

#[test]
fn every_copy_of_a_vertex_has_the_error_of_its_canonical_point() {
    let coarse_errors = CoarseErrors::build(&rough(), LEVEL);
    let mut shared = 0;
    for face in 0..FACES {
        for (u, v, p) in points(face) {
            if p.on_face().face != face {
                shared += 1;
                let (f, cu, cv) = coarse_errors.node(p).expect("on the lattice");
                let own = coarse_errors.errors[face as usize][coarse_errors.index(u, v)];
                assert_eq!(own, coarse_errors.errors[f][coarse_errors.index(cu, cv)], "face {face} ({u}, {v})");
            }
        }
    }
    // 12 edges with a second copy each, 8 corners with two more.
    assert_eq!(shared, 12 * ((1 << LEVEL) - 1) + 16);
}

/// Flat but for a spike of up to 16 km on one grid node in 16: errors are those of descendants, not of curvature.
fn spikes(ellipsoid: Ellipsoid) -> Relief {
    let mut grid = GlobalGrid::from_fn(512, 257, Registration::Node, |_, _| 0.0);
    let mut state = 1u32;
    for h in &mut grid.heights_m {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        if state >> 28 == 0 {
            *h = (state >> 8 & 0xffff) as f32 * 0.5 - 16_384.0;
        }
    }
    Relief::from_grid_on(ellipsoid, grid).expect("a sound grid")
}

/// Own errors and children by recursive bisection, without the lattice's formulas.
#[derive(Default)]
struct Oracle {
    own: HashMap<CubePoint, (u32, f64)>,
    children: HashMap<CubePoint, Vec<CubePoint>>,
}

impl Oracle {
    fn bisect(&mut self, relief: &Relief, level: u32, t: [CubePoint; 3], depth: u32, parent: Option<CubePoint>) {
        if depth == 2 * level {
            return;
        }
        let m = t[0].midpoint(t[2]).expect("far above the resolution");
        let at = |p: CubePoint| relief.ellipsoid().ecef(p.normal(), relief.sample(p.normal()).height_m);
        let own = p_error(m.normal(), at(m), at(t[0]), at(t[2]));
        self.own.insert(m, (depth, own));
        if let Some(parent) = parent {
            self.children.entry(parent).or_default().push(m);
        }
        self.bisect(relief, level, [t[1], m, t[0]], depth + 1, Some(m));
        self.bisect(relief, level, [t[2], m, t[1]], depth + 1, Some(m));
    }
}

fn p_error(n: DVec3, p: DVec3, a: DVec3, b: DVec3) -> f64 {
    n.dot(p - (a + b) * 0.5).abs()
}

#[test]
fn errors_bound_their_own_deviation_and_all_children() {
    for (ellipsoid, level) in Ellipsoid::bodies().into_iter().zip([7, 6, 6, 6]) {
        errors_bound_those_on(ellipsoid, level);
    }
}

fn errors_bound_those_on(ellipsoid: Ellipsoid, level: u32) {
    let relief = spikes(ellipsoid);
    let coarse_errors = CoarseErrors::build(&relief, level);
    let mut oracle = Oracle::default();
    for face in 0..FACES {
        let at = |(u, v): (u32, u32)| FacePoint { face, u: u * ONE, v: v * ONE }.point();
        oracle.bisect(&relief, level, [(0, 1), (0, 0), (1, 0)].map(at), 0, None);
        oracle.bisect(&relief, level, [(1, 0), (1, 1), (0, 1)].map(at), 0, None);
    }
    let error = |p: &CubePoint| coarse_errors.error_m(*p).expect("on the lattice");
    for (p, (depth, own)) in &oracle.own {
        assert!(error(p) >= own.min(38_900.0) * (1.0 - 1e-6), "{p:?} depth {depth}: {} < {own}", error(p));
        if let Some(least) = SAGITTA_M.get(*depth as usize) {
            let least = f64::from(*least);
            assert!(error(p) >= least);
            assert!(own <= &(1.02 * least + 33_000.0), "depth {depth}: {own} m");
        }
    }
    for (p, children) in &oracle.children {
        for c in children {
            assert!(error(p) >= error(c), "{p:?} {} < child {c:?} {}", error(p), error(c));
        }
    }
    // Tight: apart from rounding up and the look-ahead of the finest vertices, an error is one of its descendants'.
    let mut inherited = 0;
    let mut order: Vec<_> = oracle.own.iter().map(|(p, (d, own))| (*d, *p, *own)).collect();
    order.sort_by_key(|x| std::cmp::Reverse(x.0));
    for (depth, p, own) in order {
        if (8..2 * level - 2).contains(&depth) {
            let below = oracle.children[&p].iter().map(error).fold(own, f64::max);
            assert!(error(&p) <= 1.072 * below + 1e-9, "{p:?} {} {below}", error(&p));
            inherited += u32::from(below > own);
        }
    }
    // The finest vertices look ahead over their neighbours of the same birth.
    let unit = ONE >> level;
    let finest = |p: &CubePoint| p.on(0).filter(|f| ((f.u / unit) | (f.v / unit)) & 1 == 1);
    for (p, f) in oracle.own.keys().filter_map(|p| Some((p, finest(p)?))) {
        for (q, (_, own)) in [(0, 1), (1, 0), (1, 1)].into_iter().filter_map(|(du, dv)| {
            let q = FacePoint { face: 0, u: f.u + du * unit, v: f.v + dv * unit };
            let q = (q.u <= ONE && q.v <= ONE).then(|| q.point())?;
            finest(&q)?;
            Some((q, oracle.own.get(&q)?))
        }) {
            assert!(error(p) >= 0.699 * own && error(&q) >= 0.699 * oracle.own[p].1, "{p:?} {q:?}");
        }
    }
    assert!(level < 7 || inherited > 5000, "the test is about saturation: {inherited}");
}

#[test]
fn finer_vertices_are_not_on_the_lattice() {
    let coarse_errors = CoarseErrors::build(&rough(), 3);
    let fine = CubePoint([ONE, ONE >> 4, 0]);
    assert_eq!(coarse_errors.error_m(fine), None);
    assert_eq!(coarse_errors.error_m(CubePoint([0, ONE, 0])), Some(0.0));
    // Not a point of the cube's surface at all.
    assert_eq!(coarse_errors.error_m(CubePoint([5, 5, 5])), None);
}
