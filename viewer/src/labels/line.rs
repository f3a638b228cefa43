//! Which line is labelled, and with what words?

/// A line on the ground, by the number on it: whole metres, thousandths of a degree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Line {
    /// Ground of one height above the datum, metres.
    Contour(i32),
    /// A latitude, thousandths of a degree, north positive.
    Parallel(i32),
    /// A longitude, thousandths of a degree in (-180 000, 180 000], east positive.
    Meridian(i32),
}

impl Line {
    /// The number as people write it.
    pub fn text(self) -> String {
        match self {
            Line::Contour(height_m) => format!("{height_m}").replace('-', "\u{2212}"),
            Line::Parallel(lat) => degrees(lat, 'N', 'S', 90_000),
            Line::Meridian(lon) => degrees(lon, 'E', 'W', 180_000),
        }
    }

    /// How rarely its number comes: rounder ones are labelled first.
    pub fn roundness(self) -> u32 {
        let number = match self {
            Line::Contour(number) | Line::Parallel(number) | Line::Meridian(number) => number,
        };
        let divides = |n: &i32| number % n == 0;
        [2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].iter().filter(|n| divides(n)).count() as u32
    }
}

/// Thousandths of a degree in degrees with the digits that they need. On the equator, the first meridian and the one
/// opposite there are no sides.
fn degrees(thousandths: i32, plus: char, minus: char, end: i32) -> String {
    let (whole, rest) = (thousandths.abs() / 1000, thousandths.abs() % 1000);
    let rest = format!("{rest:03}");
    let rest = rest.trim_end_matches('0');
    let point = if rest.is_empty() { "" } else { "." };
    let side = match thousandths {
        0 => String::new(),
        far if far.abs() == end && end == 180_000 => String::new(),
        more if more > 0 => plus.to_string(),
        _ => minus.to_string(),
    };
    format!("{whole}{point}{rest}°{side}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_on_a_map() {
        let said = [
            Line::Contour(2500),
            Line::Contour(-200),
            Line::Parallel(46_500),
            Line::Parallel(-5),
            Line::Parallel(0),
            Line::Meridian(-75_000),
            Line::Meridian(180_000),
            Line::Meridian(8_020),
        ]
        .map(Line::text);
        assert_eq!(said, ["2500", "\u{2212}200", "46.5°N", "0.005°S", "0°", "75°W", "180°", "8.02°E"]);
    }

    #[test]
    fn a_thousand_is_rounder_than_a_hundred() {
        let roundness = [500, 1000, 1500, 1100, 1050].map(|height_m| Line::Contour(height_m).roundness());
        assert!(roundness[1] > roundness[0] && roundness[0] >= roundness[2], "{roundness:?}");
        assert!(roundness[2] > roundness[3] && roundness[3] > roundness[4], "{roundness:?}");
    }
}
