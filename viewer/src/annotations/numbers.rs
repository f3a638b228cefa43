//! How do places and lengths read at a glance?

/// A place in decimal degrees, to about ten metres.
pub fn place(lat_deg: f64, lon_deg: f64) -> String {
    let half = |degrees: f64, plus: char, minus: char| {
        format!("{:.4}° {}", degrees.abs(), if degrees < 0.0 { minus } else { plus })
    };
    format!("{}  {}", half(lat_deg, 'N', 'S'), half(lon_deg, 'E', 'W'))
}

/// A length that is read at a glance.
pub fn metres(m: f64) -> String {
    match m.abs() {
        size if size < 100.0 => format!("{m:.1} m"),
        size if size < 10_000.0 => format!("{m:.0} m"),
        size if size < 1e6 => format!("{:.1} km", m / 1e3),
        _ => format!("{:.0} km", m / 1e3),
    }
}
