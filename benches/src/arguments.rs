//! How do the programs that time whole frames read pools and sizes from the command line?

/// Slots of a pool, and the tolerated error in pixels: `131072:0.5`.
///
/// # Errors
/// What does not read so.
pub fn pool(text: &str) -> Result<(u32, f64), String> {
    let parsed = text.split_once(':').and_then(|(slots, px)| Some((slots.parse().ok()?, px.parse().ok()?)));
    parsed.ok_or_else(|| format!("{text} is not SLOTS:PIXELS, as in 131072:0.5"))
}

/// Width and height in pixels: `1920x1080`.
///
/// # Errors
/// What does not read so, or has no pixels.
pub fn size(text: &str) -> Result<(u32, u32), String> {
    let parsed = text.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    parsed.filter(|&(w, h): &(u32, u32)| w > 0 && h > 0).ok_or_else(|| format!("{text} is not WIDTHxHEIGHT"))
}
