// What colour is the ground? Tint by height, relief by the sun, air in front of it. The same for whoever finds out what a
// pixel sees: a fragment shader, or a compute shader after the rasteriser.
//!import viewer/enabled_overlays
//!import viewer/water
//!import viewer/ground_overlays
//!import viewer/detail
//!import viewer/shadows
//!import viewer/lit_height
//!import viewer/place_cells
//!import viewer/night_lights
//!import terrain/shading
//!import terrain/water_tiles
//!import terrain/imagery_tiles

// Heights in metres and surface gradients by direction: see `ShadeCube` of elevation/src/height/shade_cube.rs; and where the sea is.
@group(0) @binding(1) var relief: texture_cube<f32>;
@group(0) @binding(2) var ramp: texture_2d<f32>;

// The sky's light is shown brighter than it is: shadows on maps are to be read.
const SKY_GAIN: f32 = 1.5;
// A clear sky is brighter on the sun's side: by this share upright ground that faces it there sees more light of the sky, and less on the
// other side. Without it ground in shadows is flat.
const SUNNY_SIDE: f32 = 0.5;
// Relief at a great distance is shaded this much steeper than it is, as relief maps do: true slopes, averaged over
// kilometres, are too gentle to see.
const FAR_RELIEF: f32 = 11.0;

// The fourth channel of the map is 1 where all of a texel is sea, -1 where it is land, and 0 near shores of the sea; half of it near lakes and
// data that are finer than the map, whose share is all of it from the reciprocal of this on.
const NEAR_SHARE: f32 = 4.0;
// Coarse data are kilometres off in places: ground farther above the sea than between these heights, in metres, is drawn as land, whatever
// outlines say. Below the sea they decide: a town on a coast is no sea for a trough beside it.
const SURE_LOW: f32 = 150.0;
const SURE_HIGH: f32 = 250.0;
// Texels of the map that is read, in pixels: a quarter of an octave finer.
const SHARP_TEXELS: f32 = 0.84;
// Lakes in fine data are level, to these gradients.
const LAKE_LEVEL: f32 = 0.02;
const LAKE_SHORE: f32 = 0.06;
// Where pixels are a larger part of a texel, tiles are so large that they fade beyond what the map marks.
const WIDE: f32 = 1.0 / 64.0;

// What a pixel sees of the mesh.
struct SeenGround {
    // From the eye, metres.
    position_m: vec3f,
    // Unit geodetic normal.
    n: vec3f,
    // Of the mesh, metres above the datum.
    height_m: f32,
    // Surface gradient of the mesh (tangent, metres a metre) times its weight over the maps'.
    gradient: vec3f,
    // That weight.
    own: f32,
}

// What the maps and the mesh say about it together.
struct GroundPoint {
    // Of the data, however high it is drawn.
    height_m: f32,
    // Tangent surface gradient, as it is drawn.
    gradient: vec3f,
    // How much of it is sea, and how much lake, by outlines.
    sea: f32,
    lake: f32,
    // 1 where the sea is so near that ground below 0 m may be its floor, 0 elsewhere.
    near_sea: f32,
    // How much of the gradient is that of what is finer than the maps, and how much of that are data, which know where water is.
    own: f32,
    own_data: f32,
    // What tells borders there.
    borders: PixelTile,
    shadow: GroundShadow,
}

// Tangent surface gradient at n from the two smooth components of the map.
fn map_gradient(n: vec3f, ab: vec2f) -> vec3f {
    let r2 = max(n.x * n.x + n.y * n.y, 1e-8);
    return (ab.x * vec3f(-n.y, n.x, 0.0) + ab.y * vec3f(-n.z * n.x, -n.z * n.y, r2)) / r2;
}

// Where texels of the map are larger than this many pixels, a cubic goes through them.
const CUBIC_TEXELS: f32 = 4.0;
// Texels at the edges of faces over which it ends: taps of a cubic do not go around them.
const CUBIC_EDGE: f32 = 4.0;

// The map at n, where a pixel is so many of its texels. A filter between the next texels makes creases along their grid
// wherever one can see it: there heights and gradients are those of a Catmull-Rom spline, by five taps of the filter (its
// corners weigh next to nothing). Marks stay.
fn map_at(n: vec3f, texels: f32) -> vec4f {
    // The axes after that of the face, and n on the plane of its texels, in texels from the middle.
    let size = abs(n);
    let is_x = size.x >= max(size.y, size.z);
    let is_y = !is_x && size.y >= size.z;
    let axes = select(select(n.xyz, n.zxy, is_y), n.yzx, is_x);
    let half = 0.5 * f32(textureDimensions(relief).x);
    let place = axes.xy * (half / abs(axes.z));
    let inside = saturate((half - max(abs(place.x), abs(place.y))) / CUBIC_EDGE);
    let share = inside * saturate(2.0 - texels * CUBIC_TEXELS);
    // Between the middles of two texels, from the lower one.
    let below = floor(place - 0.5) + 0.5;
    let f = place - below;
    let outer_low = f * (f * (1.0 - 0.5 * f) - 0.5);
    let outer_high = f * f * (0.5 * f - 0.5);
    let middle = 1.0 - outer_low - outer_high;
    let high = f * (0.5 + f * (2.0 - 1.5 * f));
    let between = below + high / middle;
    var linear = vec4f(0.0);
    var sum = vec4f(0.0);
    // The linear filter first, then the taps in the middle, left, right, below and above. Where only the first is asked for a software
    // rasteriser takes one turn: it would run both sides of a condition.
    for (var i = 0; i < select(1, 6, share > 0.0); i++) {
        let is_outer = vec4<bool>(i == 2, i == 3, i == 4, i == 5);
        let at = select(select(between, below - 1.0, is_outer.xz), below + 2.0, is_outer.yw);
        let weights = select(select(middle, outer_low, is_outer.xz), outer_high, is_outer.yw);
        let tap = vec3f(at / half, sign(axes.z));
        let direction = select(select(tap.xyz, tap.yzx, is_y), tap.zxy, is_x);
        // A filter between texels as large as the pixel takes contrast: these are a little finer.
        let level = select(0.0, log2(max(texels * SHARP_TEXELS, 1.0)), i == 0);
        let texel = textureSampleLevel(relief, smooth_sampler, select(direction, n, i == 0), level);
        linear = select(linear, texel, i == 0);
        sum += select(weights.x * weights.y, 0.0, i == 0) * vec4f(texel.xyz, 1.0);
    }
    return vec4f(mix(linear.xyz, sum.xyz / max(sum.w, 0.5), share), linear.a);
}

// The ramp has the sea in its left half and land in its right one, finer near the coast. Colours are stored with gamma 2.
fn ramp_tint(height_m: f32, is_land: bool, sin_lat: f32) -> vec3f {
    let part = select(height_m * (-1.0 / 11000.0), height_m * (1.0 / 9000.0), is_land);
    let from_coast = sqrt(saturate(part));
    let place = select(0.499 - 0.499 * from_coast, 0.501 + 0.499 * from_coast, is_land);
    let root = textureSampleLevel(ramp, smooth_sampler, vec2f(place, 0.5 + 0.5 * sin_lat), 0.0).rgb;
    return root * root;
}

//!once viewer::ground::HAS_SEA
// Whether the planet has a sea.
const HAS_SEA: bool = true;
//!end

// Coarse data are above 0 m in places that outlines know as sea. What is at most so deep there is coloured as if it came
// to 0 m smoothly.
const SHALLOW_M: f32 = 80.0;

fn coloured_m(height_m: f32, own_data: f32, land: f32) -> f32 {
    let depth_m = 0.5 * (length(vec2f(height_m, SHALLOW_M)) - height_m);
    return mix(-depth_m, height_m, max(own_data, land));
}

// Most pixels are either: only the coast reads both halves of the ramp.
fn height_tint(height_m: f32, land: f32, sin_lat: f32) -> vec3f {
    let is_land = land > 0.0 && (HAS_SEA || height_m >= 0.0);
    var tint = vec3f(0.0);
    for (var i = 0; i < select(1, 2, HAS_SEA && land > 0.0 && land < 1.0); i++) {
        let one = ramp_tint(height_m, is_land && i == 0, sin_lat);
        tint = select(mix(one, tint, land), one, i == 0);
    }
    return tint;
}

// Looks a place up in the maps.
fn ground_point(seen: SeenGround) -> GroundPoint {
    // Texels of a quarter of a circle.
    let texels_per_m = f32(textureDimensions(relief).x) / (1.57079633 * frame.radius_m);
    let texels = length(seen.position_m) * frame.pixel_rad * texels_per_m;
    let map = map_at(seen.n, texels);
    // Texels are means over some kilometres: near finer data they hold what lies beside, and the mesh knows better, until tiles do. Where no
    // data are finer, a mesh of a large tolerated error does not.
    let near_fine = saturate((1.0 - abs(map.a)) * NEAR_SHARE);
    let is_near = abs(map.a) < 0.999;
    let fine = select(0.0, near_fine * (1.0 - smoothstep(1.0 / 32.0, 1.0 / 8.0, texels)), HAS_SHADING_TILES);
    let place = pixel_place(seen.position_m, seen.n, water_view);
    // Tiles know the data at the pixel; from so far that a pixel is as large as a texel of the maps, these do.
    let near = 1.0 - smoothstep(0.25, 1.0, texels);
    let data = shading_at(place, seen.n, near > 0.0 && (is_near || texels > WIDE));
    // The mesh has normals of its own in all of a tile in which some data are fine; where none are its triangles may be far larger than
    // texels of the maps.
    let beside_fine = select(near_fine, data.fine, data.is_there);
    let own_mesh = seen.own * beside_fine;
    let height_m = mix(map.r, seen.height_m / frame.exaggeration, max(own_mesh, fine));
    let gradient = (1.0 - own_mesh) * frame.exaggeration * map_gradient(seen.n, map.gb) + beside_fine * seen.gradient;
    let share = near * data.fine;
    // Filters interpolate in 256 steps, which show where a texel is many pixels: lines would be dashes. There the mesh is as true.
    let coarse = smoothstep(3.0, 5.0, data.enlarged);
    // Steepened by the same, ground that goes on unchanged has one shade on both sides of the edge.
    let own = mix(seen.own, 1.0, share);
    // Fine data know the shore better, and need to be told only near what it is.
    let own_data = mix(own_mesh, 1.0, share) * data.is_data;
    let is_fine = own_data > 0.5;
    let finest = select(water_view.deepest, WATER_PRECISE_LEVEL, is_fine);
    var water: Water;
    var borders: PixelTile;
    if (OVERLAYS & OVERLAY_BORDERS) != 0u {
        let both = water_and_borders_at(place, finest);
        water = both.water;
        borders = both.borders;
    } else {
        water = water_at(place, finest, is_near);
    }
    var shadow = GroundShadow(vec2f(-1.0), 1.0);
    if (OVERLAYS & OVERLAY_SHADOWS) != 0u {
        let lit_m = lit_height_m(frame.exaggeration * map.r, map.a);
        shadow = ground_shadow(seen.n, lit_m, data, share);
    }
    let all_sea = select(0.0, 1.0, map.a > 0.0);
    let near_sea = select(0.0, 1.0, select(map.a > NO_SEA, water.some_sea > 0.02, is_fine && is_near));
    return GroundPoint(
        mix(height_m, mix(data.height_m, seen.height_m / frame.exaggeration, coarse), share),
        mix(gradient, frame.exaggeration * data.gradient, share),
        select(all_sea, water.sea, is_near),
        select(0.0, water.lake, is_near),
        near_sea,
        own,
        own_data,
        borders,
        shadow);
}

// How much of a pixel is sea: by outlines over coarse data, which are imprecise themselves, by heights over fine ones.
fn sea_share(point: GroundPoint, derivatives: PixelDerivatives) -> f32 {
    // Level ground at 0 m is land, but where outlines know it as sea: many data have 0 m there.
    let step_m = max(derivatives.height_m, 0.5);
    let by_height = saturate(point.sea - point.height_m / step_m) * point.near_sea;
    return mix(point.sea * low_share(point.height_m), by_height, point.own_data);
}

// How much outlines decide there over coarse data.
fn low_share(height_m: f32) -> f32 {
    return 1.0 - smoothstep(SURE_LOW, SURE_HIGH, height_m);
}

// How much of it is lake.
fn lake_share(point: GroundPoint) -> f32 {
    let steepness = length(point.gradient) / frame.exaggeration;
    return point.lake * (1.0 - point.own_data * smoothstep(LAKE_LEVEL, LAKE_SHORE, steepness));
}

// Pictures from space are darker than maps.
const PICTURE_GAIN: f32 = 1.25;

// What imagery tiles hold at a place, metres from the eye, where the unit normal is so: pictures with lines on them, or lines alone.
fn imagery(position_m: vec3f, n: vec3f, derivatives: PixelDerivatives, are_lines: bool) -> vec4f {
    let pixel = pixel_sides(length(position_m), derivatives);
    let place = pixel_place(position_m, n, water_view);
    let longer = length(pixel.longer_m) / pixel.shorter_m;
    return imagery_at(place, n, normal_derivative(n, pixel.longer_m), longer, are_lines);
}

// What the picture shows of the ground; `derivatives` from this pixel to the next ones.
fn ground_colour(seen: SeenGround, point: GroundPoint, derivatives: PixelDerivatives) -> vec3f {
    let distance_m = length(seen.position_m);
    let n = seen.n;
    let own = point.own;
    let height_m = point.height_m;
    // How much of the pixel is land: the coast is a smooth line one pixel wide.
    let land = 1.0 - sea_share(point, derivatives);

    // Slopes averaged over kilometres are gentler than the ground: shade them steeper, the more so from afar.
    let relief = mix(3.0, 1.25, own) + FAR_RELIEF * distance_m / (distance_m + 600000.0);
    let gradient = point.gradient;
    let view = seen.position_m / distance_m;
    var turned = gradient * relief;
    var rough = 1.0;
    if (OVERLAYS & OVERLAY_DETAIL) != 0u {
        let posting_m = exp2(mix(log2(frame.posting_m), log2(frame.fine_posting_m), own));
        let detail = detail_at(seen.position_m, n, view, gradient, posting_m);
        turned += 1.25 * land * detail.gradient;
        rough = mix(1.0, detail.shade, land);
    }
    let normal = normalize(n - turned * (0.8 + 0.2 * land));

    var tint = height_tint(coloured_m(height_m, point.own_data, land), land, n.z);
    if (OVERLAYS & (OVERLAY_IMAGERY | OVERLAY_PICTURES)) != 0u {
        // With vector data on them.
        let picture = imagery(seen.position_m, seen.n, derivatives, false);
        tint = tint * (1.0 - picture.a) + picture.rgb * PICTURE_GAIN;
    }
    tint *= rough;
    if (OVERLAYS & OVERLAY_SLOPE) != 0u {
        tint = slope_tint(length(gradient) / frame.exaggeration);
    }
    if (OVERLAYS & OVERLAY_ASPECT) != 0u {
        tint = aspect_colour(gradient / frame.exaggeration, n);
    }
    if (OVERLAYS & OVERLAY_CONTOURS) != 0u {
        // Coarse data are above 0 m in places of the sea: lines of land end at its shore.
        let is_shown = select(1.0, land, height_m > 0.0 && (OVERLAYS & OVERLAY_WATER) != 0u);
        let line = is_shown * contours(height_m, derivatives.height_m);
        tint = mix(tint, mix(ISOBATH, CONTOUR, land), 0.7 * line);
    }

    let sphere_m = seen.position_m * SPHERE_FROM_EARTH;
    let ray = normalize(sphere_m);
    let eye_cos = dot(ray, frame.sphere_up);
    var cover = Cover(0.0, 1.0, false);
    var sea = Sea(vec3f(0.0), n);
    var is_lake = false;
    if (OVERLAYS & OVERLAY_WATER) != 0u {
        sea = sea_along(ray, eye_cos);
        cover = cover_by_sea(land, sea, eye_cos, length(sphere_m));
        let lake = lake_share(point);
        is_lake = lake > cover.share;
        if is_lake {
            // Its surface is the ground that there is.
            sea = Sea(seen.position_m, n);
            cover = Cover(lake, 1.0, false);
        }
    }
    // What a pixel of both shows is one place to light and air: both lie beside each other, or beyond each other at the horizon.
    let wet = cover.share * select(1.0, cover.below, cover.is_behind);
    let is_sea = wet >= 0.5;
    let up = select(n, sea.up, is_sea);
    let surface_m = select(height_m, 0.0, is_sea && !is_lake);

    let facing = dot(normal, frame.sun);
    let sun_cos = dot(up, frame.sun);
    let open = light_at(surface_m, sun_cos);
    var ground = open;
    if (OVERLAYS & OVERLAY_SHADOWS) != 0u {
        ground.sun *= visible_sun_share(point.shadow.below_sun_m, derivatives.below_sun_m);
    }
    // The sun, then the light of the sky, which steep ground sees less of, and a night that one can still read.
    let soft = max((1.0 - SOFTNESS) * facing + SOFTNESS, 0.0);
    let upwards = dot(normal, n);
    let sky_share = point.shadow.sky * (1.0 + SUNNY_SIDE * (facing - upwards * sun_cos));
    let lit = ground.sun * soft + (SKY_GAIN * sky_share * ground.sky + night_light()) * (0.55 + 0.45 * upwards);
    var light = tint * lit;
    if wet > 0.0 {
        let floor = select(clarity(view, sea.up), 0.0, cover.is_behind || is_lake);
        let water = water_light(view, sea, mix(deep_light(ground, sun_cos), light, floor), ground);
        light = mix(light, water, wet);
    }
    if (OVERLAYS & OVERLAY_LIGHTS) != 0u {
        let pixel = pixel_sides(distance_m, derivatives);
        light += (1.0 - wet) * town_light(n, tint, sqrt(length(pixel.longer_m) * pixel.shorter_m));
    }
    if (OVERLAYS & OVERLAY_PLACE_CELLS) != 0u {
        light = tinted_by_cells(up, light, line_light(open));
    }
    if (OVERLAYS & OVERLAY_GRATICULE) != 0u && !(cover.is_behind && is_sea) {
        light = mix(light, line_light(open), 0.4 * graticule(up, derivatives));
    }
    if (OVERLAYS & OVERLAY_BORDERS) != 0u && !(cover.is_behind && is_sea) {
        let bright = line_light(open);
        let coast = mix(edge(point.sea) * low_share(height_m), edge(land), own);
        light = mix(light, SHORE * bright, 0.5 * max(coast, edge(point.lake)));
        let pixel = pixel_sides(distance_m, derivatives);
        let border_m = borders_along(point.borders, n, normal_derivative(n, pixel.longer_m));
        let border = border_lines(border_m, texel_m(point.borders), pixel);
        light = mix(mix(light, vec3f(0.0), 0.5 * border.rim), BORDER * bright, 0.9 * border.middle);
    }

    // The sea's horizon: above it is what stands behind it, or the sky.
    let sky = select(cover.share * (1.0 - cover.below), 0.0, cover.is_behind);
    let end_cos = select(eye_cos, max(eye_cos, frame.horizon_cos), cover.below < 1.0);
    let air = airlight(ray, end_cos);
    let shown = behind_air(light, air, ray, eye_cos, end_cos, up, surface_m * frame.exaggeration);
    let picture = tone_map(mix(shown, air, sky));
    if (OVERLAYS & OVERLAY_VECTORS) == 0u || (OVERLAYS & (OVERLAY_IMAGERY | OVERLAY_PICTURES)) != 0u || cover.is_behind {
        return picture;
    }
    // Where no picture lies vector data are drawn on water, too, in their own colours by day and night.
    var at = Sea(seen.position_m, n);
    if is_sea {
        at = sea;
    }
    let lines = imagery(at.position_m, at.up, derivatives, true);
    return mix(picture, encoded(lines.rgb / max(lines.a, 1e-3)), lines.a);
}

// Linear light as sRGB, unless pixels are linear.
fn encoded(light: vec3f) -> vec3f {
    if IS_LINEAR {
        return light;
    }
    let high = 1.055 * pow(max(light, vec3f(0.0031308)), vec3f(1.0 / 2.4)) - 0.055;
    return saturate(select(high, 12.92 * light, light < vec3f(0.0031308)));
}

// Light from lines that are no part of the ground.
fn line_light(ground: GroundLight) -> vec3f {
    return 0.9 * (ground.sun + ground.sky + night_light());
}

// What of a pixel of the ground the sea hides.
struct Cover {
    // The part of it behind the sea's surface.
    share: f32,
    // The part that is below the sea's horizon.
    below: f32,
    // Whether the ground stands behind the horizon, and is not the floor.
    is_behind: bool,
}

// What is no land is the floor of the sea. Where a ray comes to land beyond its own lowest point, it comes out of the sea there, if it went
// into it.
fn cover_by_sea(land: f32, entry: Sea, eye_cos: f32, distance_m: f32) -> Cover {
    let below = below_horizon(eye_cos);
    let to_lowest_m = -(RADIUS_M + frame.eye_height_m) * eye_cos;
    if land > 0.0 && below > 0.0 && distance_m > to_lowest_m {
        if textureSampleLevel(relief, smooth_sampler, entry.up, 0.0).a > NO_SEA {
            return Cover(1.0, below, true);
        }
    }
    return Cover(1.0 - land, below, false);
}
