// What is the mesh made of? Depth of the triangles, their distance, the tiles that they take their heights from, the layers
// that have these: colours over flat shading.
//!import viewer/drawn
//!import viewer/frame
//!import viewer/view_scales
//!import terrain/vertex

// Twins: the constants of viewer/src/render/shade.rs.
const SHADE_LOD: u32 = 256u;
const SHADE_DEPTH: u32 = 512u;
const SHADE_TILE: u32 = 1024u;
const SHADE_SOURCE: u32 = 2048u;

// Twin: `RAMP` of viewer/src/render/views.rs (compared by a test).
const RAMP = array<vec3f, 8>(
    vec3f(0.33, 0.16, 0.55),
    vec3f(0.22, 0.33, 0.78),
    vec3f(0.16, 0.58, 0.78),
    vec3f(0.20, 0.72, 0.50),
    vec3f(0.55, 0.80, 0.25),
    vec3f(0.93, 0.80, 0.22),
    vec3f(0.95, 0.52, 0.15),
    vec3f(0.80, 0.18, 0.14),
);

// Of layers, the first on top; twin: `LAYERS` there.
const LAYER_COLOURS = array<vec3f, 7>(
    vec3f(0.90, 0.62, 0.00),
    vec3f(0.34, 0.71, 0.91),
    vec3f(0.00, 0.62, 0.45),
    vec3f(0.94, 0.89, 0.26),
    vec3f(0.00, 0.45, 0.70),
    vec3f(0.84, 0.37, 0.00),
    vec3f(0.80, 0.47, 0.65),
);
// Of the last one, which is everywhere.
const LAST_LAYER_COLOUR = vec3f(0.62, 0.64, 0.66);

// Twins: viewer/src/render/source_map.rs.
const SOURCE_SQUARES: u32 = 7u;
const SOURCE_TEXELS: u32 = 128u;

// A square on the plane that touches the unit sphere at `up`.
struct SourceSquare {
    east: vec3f,
    half: f32,
    north: vec3f,
    // The layer of what lies beyond all squares.
    last: f32,
    up: vec3f,
    spare: f32,
}

@group(0) @binding(1) var source_layers: texture_2d_array<u32>;
@group(0) @binding(2) var<uniform> source_squares: array<SourceSquare, SOURCE_SQUARES>;

// The colour of the layer that answers at a unit geodetic normal: by the finest square that it lies in.
fn source_colour(n: vec3f) -> vec3f {
    let last = u32(source_squares[0].last);
    var layer = last;
    for (var index = 0u; index < SOURCE_SQUARES; index++) {
        let square = source_squares[index];
        let place = vec2f(dot(n, square.east), dot(n, square.north)) / max(dot(n, square.up), 1e-3) / square.half;
        if all(abs(place) < vec2f(1.0)) {
            let texel = min(vec2u((place * 0.5 + 0.5) * f32(SOURCE_TEXELS)), vec2u(SOURCE_TEXELS - 1u));
            layer = textureLoad(source_layers, texel, index, 0).x;
            break;
        }
    }
    return select(LAYER_COLOURS[layer % 7u], LAST_LAYER_COLOUR, layer == last);
}

struct ViewPixel {
    @builtin(position) clip: vec4f,
    // From the eye, metres.
    @location(0) position_m: vec3f,
    // Unit geodetic normal; a little shorter inside a triangle.
    @location(1) direction: vec3f,
    // Of the triangle: that of its first corner.
    @location(2) @interpolate(flat) depth: u32,
}

@vertex
fn view_vertex(vertex: TerrainVertex) -> ViewPixel {
    let position_m = vertex.position_m + frame.mesh_offset_m;
    return ViewPixel(frame.clip_from_eye * vec4f(position_m, 1.0), position_m, vertex.direction, vertex_depth(vertex));
}

fn ramp_colour(part: f32) -> vec3f {
    let at = saturate(part) * 7.0;
    let low = min(u32(at), 6u);
    return mix(RAMP[low], RAMP[low + 1u], at - f32(low));
}

@fragment
fn view_fragment(in: ViewPixel) -> @location(0) vec4f {
    let across = cross(dpdx(in.position_m), dpdy(in.position_m));
    let normal = across * inverseSqrt(max(dot(across, across), 1e-30));
    // Whichever side the derivatives take for the outer one.
    let facing = dot(normal, frame.sun) * sign(dot(normal, in.direction));
    let light = 0.72 + 0.28 * facing;
    var colour = vec3f(0.0);
    if (SHADE & SHADE_LOD) != 0u {
        // Neighbours in depth are told apart by lightness too.
        colour = ramp_colour(f32(in.depth) / DEEPEST) * select(0.82, 1.0, (in.depth & 1u) == 0u);
    }
    if (SHADE & SHADE_DEPTH) != 0u {
        let decades = log2(max(length(in.position_m), 1.0)) / 3.321928;
        // Half decades are told apart by lightness too.
        colour = ramp_colour(decades / FARTHEST_LOG10_M) * select(0.88, 1.0, fract(decades) < 0.5);
    }
    if (SHADE & SHADE_TILE) != 0u {
        // A vertex is a texel of the tile in which it is born: see terrain/src/tile.rs.
        let level = u32(max(i32(in.depth + 1u) / 2 - 8, 0));
        let tile = tile_of(normalize(in.direction), level) & vec2u(1u);
        colour = ramp_colour(f32(level) / FINEST_TILE) * (0.70 + 0.18 * f32(tile.x) + 0.12 * f32(tile.y));
    }
    if (SHADE & SHADE_SOURCE) != 0u {
        colour = source_colour(normalize(in.direction));
    }
    return vec4f(colour * light, 1.0);
}
