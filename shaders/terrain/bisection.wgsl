// Where are the corners of a bisector? Integer points of faces and of the cube from heap ids.
// Generated from elevation/src/bisection.rs: ./x generate

//!once elevation::bisection::corners::Corners
// Corners (v0, v1, v2) on the face of the bisector's root, right angle at v1, counter-clockwise seen from outside.
struct Corners {
    // The first acute corner.
    v0: vec2u,
    // The right-angle corner.
    v1: vec2u,
    // The second acute corner.
    v2: vec2u,
}
//!end

//!once elevation::cube::face::ONE
// Integer coordinate of the far side of the cube: 2^30 units per edge, about 9.3 mm on the Earth.
const ONE: u32 = 1u << 30u;
//!end

//!once elevation::bisection::corners::root_corners
// Roots 2 f and 2 f + 1 are the halves of face f on its diagonal (1, 0)-(0, 1).
fn root_corners(root: u32) -> Corners {
    if (root & 1u) == 0u {
        return Corners(vec2u(0u, ONE), vec2u(0u), vec2u(ONE, 0u));
    }
    return Corners(vec2u(ONE, 0u), vec2u(ONE, ONE), vec2u(0u, ONE));
}
//!end

//!once kernels::device::u64_less
// `a < b` of low and high word.
fn u64_less(a: vec2u, b: vec2u) -> bool {
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}
//!end

//!once kernels::device::u64_leading_zeros
// Zeros above the highest set bit of low and high word; 64 of zero.
fn u64_leading_zeros(value: vec2u) -> u32 {
    return select(countLeadingZeros(value.y), 32u + countLeadingZeros(value.x), value.y == 0u);
}
//!end

//!once elevation::bisection::heap_id::depth
// Number of bisections from the root; 0 for numbers below 16, which name no bisector.
fn depth(id: vec2u) -> u32 {
    return 59u - select(u64_leading_zeros(id), 59u, u64_less(id, vec2u(0x10u, 0x0u)));
}
//!end

//!once kernels::device::u64_shr
// `value >> by` of low and high word, by less than 64.
fn u64_shr(value: vec2u, by: u32) -> vec2u {
    let part = by & 31u;
    let high = value.y >> part;
    // A shift by 32 in two, where `part` is 0.
    let low = (value.x >> part) | ((value.y << 1u) << (31u - part));
    return select(vec2u(low, high), vec2u(high, 0u), by >= 32u);
}
//!end

//!once elevation::bisection::heap_id::root_of
// The root it descends from.
fn root_of(id: vec2u) -> u32 {
    return u64_shr(id, u32(depth(id))).x - 16u;
}
//!end

//!once elevation::bisection::corners::middle
// Exact middle of two corners, between which there is an integer point.
fn middle(a: vec2u, b: vec2u) -> vec2u {
    return (a + b) >> vec2u(1u);
}
//!end

//!once elevation::bisection::corners::child_corners
// Child 0 = (v1, m, v0) or child 1 = (v2, m, v1), where m is the middle of the hypotenuse.
fn child_corners(t: Corners, b: u32) -> Corners {
    let m = middle(t.v0, t.v2);
    if b == 0u {
        return Corners(t.v1, m, t.v0);
    }
    return Corners(t.v2, m, t.v1);
}
//!end

//!once elevation::bisection::corners::corners
// Corners of the bisector, decoded from the root down.
fn corners(id: vec2u) -> Corners {
    var t: Corners = root_corners(root_of(id));
    for (var level = depth(id); level > 0u;) {
        level--;
        t = child_corners(t, u64_shr(id, level).x & 1u);
    }
    return t;
}
//!end

//!once elevation::cube::face::FacePoint
// A point by face and integer face coordinates, each 0 ..= `ONE`.
struct FacePoint {
    // Face `2 axis + side`: axis 0..3 for x, y, z; side 0 where that coordinate is `ONE`, 1 where it is 0.
    face: u32,
    // First face coordinate.
    u: u32,
    // Second face coordinate.
    v: u32,
}
//!end

//!once elevation::bisection::corners::BisectedEdge
// The edge whose bisection inserts a vertex: its two ends on the face of the vertex. It does not exist for the corners of the
// cube, which no bisection inserts.
struct BisectedEdge {
    // False for the corners of the cube.
    exists: bool,
    // One end.
    start: FacePoint,
    // The other end.
    end: FacePoint,
}
//!end

//!once elevation::bisection::corners::bisected_edge
// The edge that a vertex bisects, of a vertex on its lowest face.
fn bisected_edge(p: FacePoint) -> BisectedEdge {
    let power_u = min(u32(countTrailingZeros(p.u)), 30u);
    let power_v = min(u32(countTrailingZeros(p.v)), 30u);
    let k = min(power_u, power_v);
    if k >= 30u {
        return BisectedEdge(false, p, p);
    }
    let s = 1u << k;
    var start = vec2u(p.u, p.v);
    var end = start;
    if power_u <= power_v {
        start.x -= s;
        end.x += s;
    }
    if power_v < power_u {
        start.y -= s;
        end.y += s;
    }
    if power_u == power_v {
        let odd = (((p.u - s) >> (k + 1u)) ^ ((p.v - s) >> (k + 1u))) & 1u;
        if odd == 1u || 2u * s == ONE {
            start.y += s;
            end.y -= s;
        } else {
            start.y -= s;
            end.y += s;
        }
    }
    return BisectedEdge(true, FacePoint(p.face, start.x, start.y), FacePoint(p.face, end.x, end.y));
}
//!end

//!once elevation::bisection::corners::birth_depth
// Depth of the bisectors that have a vertex on its lowest face as their right-angle corner.
fn birth_depth(p: FacePoint) -> u32 {
    let power_u = min(u32(countTrailingZeros(p.u)), 30u);
    let power_v = min(u32(countTrailingZeros(p.v)), 30u);
    let halvings = 30u - min(power_u, power_v);
    if halvings > 0u && power_u == power_v {
        return 2u * halvings - 1u;
    }
    return 2u * halvings;
}
//!end

//!once elevation::cube::face::is_on
// Whether the point lies on the face.
fn is_on(point: vec3u, face: u32) -> bool {
    let side = select(0u, ONE, ((face & 1u) == 0u));
    return point[face >> 1u] == side;
}
//!end

//!once elevation::cube::face::on
// The coordinates of a point on a face that it lies on.
fn on(point: vec3u, face: u32) -> FacePoint {
    let axis = face >> 1u;
    let next = point[(axis + 1u) % 3u];
    let last = point[(axis + 2u) % 3u];
    if (face & 1u) == 0u {
        return FacePoint(face, next, last);
    }
    return FacePoint(face, last, next);
}
//!end

//!once elevation::cube::face::on_face
// The lowest face that contains the point, with its coordinates there.
fn on_face(point: vec3u) -> FacePoint {
    for (var face = 0u; face < 6u; face++) {
        if is_on(point, face) {
            return on(point, face);
        }
    }
    return FacePoint(0, 0, 0);
}
//!end

//!once elevation::cube::face::cube_point
// Cube point of face coordinates.
fn cube_point(p: FacePoint) -> vec3u {
    let axis: u32 = p.face >> 1u;
    let next = (axis + 1u) % 3u;
    let last = (axis + 2u) % 3u;
    var point = vec3u(0u);
    if (p.face & 1) == 0 {
        point[axis] = ONE;
        point[next] = p.u;
        point[last] = p.v;
    } else {
        point[last] = p.u;
        point[next] = p.v;
    }
    return point;
}
//!end

//!once elevation::cube::face::canonical
// The same point on the lowest face that holds it.
fn canonical(p: FacePoint) -> FacePoint {
    if p.u > 0 && p.u < ONE && p.v > 0 && p.v < ONE {
        return p;
    }
    return on_face(cube_point(p));
}
//!end
