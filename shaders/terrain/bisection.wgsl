//!import terrain/heap_id
// Where are the corners of a bisector? Integer cube points from heap ids; twin of terrain/src/bisection.rs and cube.rs.

const ONE: u32 = 1u << 30u;

struct FacePoint {
    face: u32,
    u: u32,
    v: u32,
}

// Corners (v0, v1, v2), right angle at v1, counter-clockwise seen from outside.
struct Triangle {
    v0: vec3u,
    v1: vec3u,
    v2: vec3u,
}

// Cube point of face coordinates.
fn cube_point(p: FacePoint) -> vec3u {
    let axis = p.face >> 1u;
    var point = vec3u(0u);
    if (p.face & 1u) == 0u {
        point[axis] = ONE;
        point[(axis + 1u) % 3u] = p.u;
        point[(axis + 2u) % 3u] = p.v;
    } else {
        point[(axis + 2u) % 3u] = p.u;
        point[(axis + 1u) % 3u] = p.v;
    }
    return point;
}

// The lowest face that contains the point, with its coordinates there.
fn on_face(point: vec3u) -> FacePoint {
    for (var face = 0u; face < 6u; face++) {
        let axis = face >> 1u;
        let first = point[(axis + 1u) % 3u];
        let second = point[(axis + 2u) % 3u];
        if (face & 1u) == 0u && point[axis] == ONE {
            return FacePoint(face, first, second);
        }
        if (face & 1u) == 1u && point[axis] == 0u {
            return FacePoint(face, second, first);
        }
    }
    return FacePoint(0u, 0u, 0u);
}

fn root_triangle(r: u32) -> Triangle {
    let face = r >> 1u;
    if (r & 1u) == 0u {
        return Triangle(
            cube_point(FacePoint(face, 0u, ONE)),
            cube_point(FacePoint(face, 0u, 0u)),
            cube_point(FacePoint(face, ONE, 0u)),
        );
    }
    return Triangle(
        cube_point(FacePoint(face, ONE, 0u)),
        cube_point(FacePoint(face, ONE, ONE)),
        cube_point(FacePoint(face, 0u, ONE)),
    );
}

// Exact midpoint of the hypotenuse.
fn midpoint(t: Triangle) -> vec3u {
    return (t.v0 + t.v2) >> vec3u(1u);
}

// Corners of the bisector, decoded from the root down.
fn triangle(id: vec2u) -> Triangle {
    let levels = depth(id);
    var t = root_triangle(ancestor_bits(id, levels) - 16u);
    for (var level = levels; level > 0u; level--) {
        let m = midpoint(t);
        if (ancestor_bits(id, level - 1u) & 1u) == 0u {
            t = Triangle(t.v1, m, t.v0);
        } else {
            t = Triangle(t.v2, m, t.v1);
        }
    }
    return t;
}

// The edge whose bisection inserts a vertex: its two ends on the face of `p`, which is the vertex's lowest. False for the
// corners of the cube, which no bisection inserts.
struct BisectedEdge {
    exists: bool,
    start: FacePoint,
    end: FacePoint,
}

fn bisected_edge(p: FacePoint) -> BisectedEdge {
    let power_u = min(countTrailingZeros(p.u), 30u);
    let power_v = min(countTrailingZeros(p.v), 30u);
    let k = min(power_u, power_v);
    if k >= 30u {
        return BisectedEdge(false, p, p);
    }
    let s = 1u << k;
    if power_u < power_v {
        return BisectedEdge(true, FacePoint(p.face, p.u - s, p.v), FacePoint(p.face, p.u + s, p.v));
    }
    if power_v < power_u {
        return BisectedEdge(true, FacePoint(p.face, p.u, p.v - s), FacePoint(p.face, p.u, p.v + s));
    }
    // Diagonals alternate like a chessboard, except the one of the whole face.
    let odd = (((p.u - s) >> (k + 1u)) ^ ((p.v - s) >> (k + 1u))) & 1u;
    if odd == 1u || 2u * s == ONE {
        return BisectedEdge(true, FacePoint(p.face, p.u - s, p.v + s), FacePoint(p.face, p.u + s, p.v - s));
    }
    return BisectedEdge(true, FacePoint(p.face, p.u - s, p.v - s), FacePoint(p.face, p.u + s, p.v + s));
}

// The same point on the lowest face that holds it.
fn canonical(p: FacePoint) -> FacePoint {
    if p.u > 0u && p.u < ONE && p.v > 0u && p.v < ONE {
        return p;
    }
    return on_face(cube_point(p));
}

// Depth of the bisectors that have a vertex as their right-angle corner; twin of `birth_depth` of terrain/src/bisection.rs.
fn birth_depth(p: FacePoint) -> u32 {
    let powers = min(countTrailingZeros(vec2u(p.u, p.v)), vec2u(30u));
    let halvings = 30u - min(powers.x, powers.y);
    return 2u * halvings - select(0u, 1u, halvings > 0u && powers.x == powers.y);
}
