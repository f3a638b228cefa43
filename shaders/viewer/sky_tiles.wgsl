// How much of the sky does the ground of a shading tile see over other ground? A horizon in each of some directions, by heights that are
// looked at the more coarsely the farther they are. Ground that is a plane sees all that is above the plane.
//!import viewer/ground_beside_tile

// Of each layer of the tiles, the share of the sky's light.
@group(0) @binding(6) var<storage, read_write> sky: array<f32>;

// Quads of a shading tile a texel.
const TEXEL_QUADS: f32 = 4.0;
// Lines through a place; it looks to both sides.
const LINES: u32 = 3u;
// Places on each side, each so many times as far as the one before it.
const PLACES: u32 = 10u;
const FARTHER: f32 = 1.7;
// Where texels of a tile are so small a part of the distance, that of the next coarser level is as good.
const COARSER_FROM: f32 = 4.0;

// The share of the light of an evenly bright sky in a direction: squared cosine of the angle from the slope of the ground up to its horizon,
// both given as tangents.
fn open_share(highest: f32, slope: f32) -> f32 {
    let tangent = max(highest - slope, 0.0) / max(1.0 + highest * slope, 1e-3);
    return 1.0 / (1.0 + tangent * tangent);
}

// A line over the ground through a place.
struct Line {
    n: vec3f,
    towards: vec3f,
    // Of the place in its tile, and how they change along the line.
    quads: vec2f,
    speed: vec2f,
    bend: vec2f,
    // As high as the place is, and whether there is sea about it.
    ground_m: f32,
    sea_mark: f32,
}

// Rise over run to the ground at an angle along a line, by a level or coarser ones, over the curved Earth.
fn rise_to(tile: ShadowTile, line: Line, angle: f32, finest: u32, last: ptr<function, LastPage>) -> f32 {
    let there = line.n * cos(angle) + line.towards * sin(angle);
    let height_m = height_beside(tile, line.quads + angle * (line.speed + angle * line.bend), there, finest, 1.0, last);
    return (lit_height_m(height_m, line.sea_mark) - line.ground_m) / (SEMI_MAJOR_M * abs(angle)) - 0.5 * abs(angle);
}

@compute @workgroup_size(8, 8)
fn sky_of_tiles(@builtin(global_invocation_id) id: vec3u) {
    if any(id.xy >= vec2u(SKY_TILE_TEXELS)) {
        return;
    }
    let tile = made[id.z];
    // From the corner of the tile.
    let quads = TEXEL_QUADS * (vec2f(id.xy) + 0.5) - RIM_TEXELS;
    let n = tile_normal(tile, quads);
    // Coasts see the level sea, not its floor.
    let sea_mark = textureSampleLevel(relief, smooth_sampler, n, 0.0).a;
    let uv = tile_uv(quads / SQUARE_TEXELS);
    let ground_m = lit_height_m(height_of(textureSampleLevel(shading_tiles, smooth_sampler, uv, tile.layer, 1.0)), sea_mark);
    // Any axes will do; at the poles, too.
    let east = normalize(cross(select(vec3f(0.0, 0.0, 1.0), vec3f(1.0, 0.0, 0.0), abs(n.z) > 0.9), n));
    let north = cross(n, east);
    let texel_rad = TEXEL_QUADS / (TWO_OVER_PI * SQUARE_TEXELS * f32(1u << tile.level));
    let reach_rad = texel_rad * pow(FARTHER, f32(PLACES - 1u));
    var seen = 0.0;
    for (var turned = 0u; turned < LINES; turned++) {
        let turn = (f32(turned) + 0.5) * (3.14159265 / f32(LINES));
        let towards = cos(turn) * east + sin(turn) * north;
        let speed = quads_per_radian(tile, n, towards);
        let line = Line(n, towards, quads, speed, quads_bend(tile, n, towards, speed, reach_rad), ground_m, sea_mark);
        // On both sides.
        var highest = vec2f(-1e9);
        var slope = 0.0;
        var away = 1.0;
        var last = no_page();
        var last_behind = no_page();
        for (var i = 0u; i < PLACES; i++) {
            let coarser = u32(max(log2(away / COARSER_FROM), 0.0));
            let finest = max(tile.level - min(coarser, tile.level), FIRST_SHADING_LEVEL);
            let angle = away * texel_rad;
            let rise = vec2f(rise_to(tile, line, angle, finest, &last), rise_to(tile, line, -angle, finest, &last_behind));
            if i == 0u {
                // Of the plane through the nearest places.
                slope = 0.5 * (rise.x - rise.y);
            }
            highest = max(highest, rise);
            away *= FARTHER;
        }
        seen += open_share(highest.x, slope) + open_share(highest.y, -slope);
    }
    sky[(tile.layer * SKY_TILE_TEXELS + id.y) * SKY_TILE_TEXELS + id.x] = seen / f32(2u * LINES);
}
