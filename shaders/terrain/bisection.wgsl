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
