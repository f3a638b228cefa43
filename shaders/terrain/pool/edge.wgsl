// What does a bisection cut? The edge from `start` to `end` at its middle, in coordinates of one face.

struct Edge {
    face: u32,
    start: vec2u,
    middle: vec2u,
    end: vec2u,
}
