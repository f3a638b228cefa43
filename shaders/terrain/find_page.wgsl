//!import terrain/page
// Which page has a tile? A table of them: key (two words), layer of the texture of tiles, mark. Empty pages, and one that is not found, have
// the key EMPTY.

fn find_page(table: texture_2d<u32>, face: u32, level: u32, tile: vec2u) -> vec4u {
    let key = page_key(face, level, tile);
    for (var probe = 0u; probe < PAGES; probe++) {
        let page = textureLoad(table, vec2u(page_of(key, probe), 0u), 0);
        if page.x == EMPTY || all(page.xy == key) {
            return page;
        }
    }
    return vec4u(EMPTY, 0u, 0u, 0u);
}
