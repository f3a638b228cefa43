//!import terrain/pixel_tile
// What takes the place of `terrain/imagery_tiles` where no picture is drawn? Nothing.

fn imagery_at(place: PixelPlace, n: vec3f, change_of_n: vec3f, longer: f32, are_lines: bool) -> vec4f {
    return vec4f(0.0);
}
