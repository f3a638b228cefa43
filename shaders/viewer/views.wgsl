// What is the mesh made of? Depth of the triangles, their distance, the tiles that they take their heights from, the layers
// that have these: colours over flat shading.
//!import viewer/enabled_overlays
//!import viewer/frame
//!import viewer/overlays
//!import viewer/source_map
//!import viewer/view_colours
//!import terrain/vertex

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
    return select(LAYER_COLOURS[layer % LAYERS], LAST_LAYER_COLOUR, layer == last);
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
    let at = saturate(part) * f32(LAST_OF_RAMP);
    let low = min(u32(at), LAST_OF_RAMP - 1u);
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
    if (OVERLAYS & OVERLAY_LOD) != 0u {
        // Neighbours in depth are told apart by lightness too.
        colour = ramp_colour(f32(in.depth) / DEEPEST) * select(0.82, 1.0, (in.depth & 1u) == 0u);
    }
    if (OVERLAYS & OVERLAY_DEPTH) != 0u {
        let decades = log2(max(length(in.position_m), 1.0)) / 3.321928;
        // Half decades are told apart by lightness too.
        colour = ramp_colour(decades / FARTHEST_LOG10_M) * select(0.88, 1.0, fract(decades) < 0.5);
    }
    if (OVERLAYS & OVERLAY_TILE) != 0u {
        // A vertex is a texel of the tile in which it is born: see elevation/src/tile.rs.
        let level = u32(max(i32(in.depth + 1u) / 2 - 8, 0));
        let tile = tile_of(normalize(in.direction), level) & vec2u(1u);
        colour = ramp_colour(f32(level) / FINEST_TILE) * (0.70 + 0.18 * f32(tile.x) + 0.12 * f32(tile.y));
    }
    if (OVERLAYS & OVERLAY_SOURCE) != 0u {
        colour = source_colour(normalize(in.direction));
    }
    return vec4f(colour * light, 1.0);
}
