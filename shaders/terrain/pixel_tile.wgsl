//!import terrain/find_page
//!import terrain/pixel_place
// What does the tile of a pixel have there? The tile whose texels are as large as the pixel, or the finest that is there.

const TWO_OVER_PI: f32 = 0.63661977;

struct PixelTile {
    // Filtered; 0 where there is no tile.
    texel: vec4f,
    // The tile's mark, and whether there is one.
    mark: u32,
    is_there: bool,
    // Place in the tile's square, 0 to 1.
    in_tile: vec2f,
    // Its layer of the texture, and its level.
    layer: u32,
    level: u32,
    // By how many octaves a texel is larger than the pixel; at most 0 where it is not.
    enlarged: f32,
}

// Where on the cube a pixel is.
struct PixelPlace {
    face: u32,
    // Integer coordinates on the face.
    at: vec2u,
    // Of tiles whose texels are as large as the pixel.
    level: f32,
}

// Of a place in metres from the eye with its unit geodetic normal.
fn pixel_place(position_m: vec3f, n: vec3f, view: PixelView) -> PixelPlace {
    let face = face_at(n);
    let texel_m = max(length(position_m) * view.texel_rad, 1e-3);
    return PixelPlace(face, face_place(position_m, n, face, view), log2(LEVEL_0_TEXEL_M / texel_m));
}

// The finest tile of a level from `first` to `last`, or a coarser one where it is not there; none where nothing is asked. The sampler filters
// between the levels of a texel of the texture.
fn pixel_tile(
    pages: texture_2d<u32>, tiles: texture_2d_array<f32>, smooth_: sampler, place: PixelPlace, first: u32, last: u32, asked: bool,
) -> PixelTile {
    var level = min(u32(max(ceil(place.level), f32(first))), last);
    var tile = vec2u(0u);
    var page = vec4u(0u);
    var is_there = false;
    if asked {
        // Ancestors of a tile are there, most often that of the next level. Software rasterisers run a loop that ends before its body once more
        // than one that ends behind it.
        level += 1u;
        loop {
            level -= 1u;
            tile = tile_of(place, level);
            page = find_page(pages, place.face, level, tile);
            is_there = page.x != EMPTY;
            continuing {
                break if is_there || level <= first;
            }
        }
    }
    let in_tile = place_in(tile, level, place);
    let enlarged = place.level - f32(level);
    // Texels of the level are at most as large as the pixel, or as fine as there are. The next level begins where they are 0.7 of it: a filter
    // between levels of twice a pixel and one takes contrast.
    let texel = textureSampleLevel(tiles, smooth_, tile_uv(in_tile), page.z, clamp(-2.0 * enlarged - 1.0, 0.0, 1.0));
    return PixelTile(select(vec4f(0.0), texel, is_there), page.w, is_there, in_tile, page.z, level, enlarged);
}

// The tile of a level that a place lies in.
fn tile_of(place: PixelPlace, level: u32) -> vec2u {
    return min(place.at >> vec2u(30u - level), vec2u((1u << level) - 1u));
}

// Where a place is in the square of a tile of a level, 0 to 1.
fn place_in(tile: vec2u, level: u32, place: PixelPlace) -> vec2f {
    return vec2f(place.at - (tile << vec2u(30u - level))) / f32(1u << (30u - level));
}

// Where in the texture a place in a tile's square is.
fn tile_uv(in_tile: vec2f) -> vec2f {
    return (in_tile * SQUARE_TEXELS + RIM_TEXELS) / (SQUARE_TEXELS + 2.0 * RIM_TEXELS);
}

// Coordinates along the axis of a face, then along the two after it; on far sides both are swapped.
fn turned_to(v: vec3f, face: u32) -> vec3f {
    var turned = v;
    if (face >> 1u) == 1u {
        turned = turned.yzx;
    }
    if (face >> 1u) == 2u {
        turned = turned.zxy;
    }
    return select(turned, vec3f(-turned.x, turned.zy), (face & 1u) == 1u);
}

// How a place on its face changes, in sides of the face, where its unit normal changes by a little.
fn face_change(n: vec3f, change_of_n: vec3f) -> vec2f {
    return face_change_on(face_at(n), n, change_of_n);
}

// The same on a face that it need not lean to most.
fn face_change_on(face: u32, n: vec3f, change_of_n: vec3f) -> vec2f {
    let place = turned_to(n, face);
    let change = turned_to(change_of_n, face);
    let tangents = place.yz / place.x;
    return TWO_OVER_PI * (change.yz - tangents * change.x) / (place.x * (1.0 + tangents * tangents));
}
