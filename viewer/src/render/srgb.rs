//! How is light encoded in a picture? As sRGB has it.

/// Linear light, 0 to 1, of sRGB in 0 to 255.
///
/// ```
/// use viewer::render::srgb;
/// assert!((0..=255).all(|value| srgb::encoded(srgb::light(value.into())) == value));
/// ```
pub fn light(encoded: f64) -> f64 {
    let c = encoded / 255.0;
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

/// sRGB in 0 to 255 of linear light, 0 to 1.
pub fn encoded(light: f64) -> u8 {
    let c = if light <= 0.0031308 { 12.92 * light } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    (255.0 * c).round() as u8
}
