//! Which place does a plus code name: "8FVC9G8F+6X"? Open Location Code: pairs of digits of base 20, then a grid of 4 x 5 a digit.

use crate::notation::PlaceError;

/// The digits, in their order.
const DIGITS: &[u8] = b"23456789CFGHJMPQRVWX";
/// Digits before the plus of a full code.
const BEFORE_PLUS: usize = 8;
/// Digits that are pairs, of latitude and longitude.
const PAIRED: usize = 10;
/// Digits of the longest code.
const MOST: usize = 15;

/// Latitude and longitude of the middle of a code; `None` of a text of another form.
pub(crate) fn read(text: &str) -> Option<Result<[f64; 2], PlaceError>> {
    let (before, after) = text.split_once('+')?;
    let is_form = |part: &str| part.bytes().all(|digit| value(digit).is_some() || digit == b'0');
    if before.len() < 2 || before.len() % 2 == 1 || !is_form(before) || !is_form(after) {
        return None;
    }
    let place = middle(before, after).ok_or_else(|| PlaceError::PlusCode(text.to_string()));
    // The plus between two numbers is the sign of the second.
    let is_number = !text.bytes().any(|digit| digit.is_ascii_alphabetic());
    (place.is_ok() || !is_number).then_some(place)
}

fn middle(before: &str, after: &str) -> Option<[f64; 2]> {
    let digits: Vec<f64> =
        before.trim_end_matches('0').bytes().chain(after.bytes()).map(value).collect::<Option<_>>()?;
    // Zeros fill up a short code of a large area, and nothing follows them.
    let is_filled = before.ends_with('0');
    let fits = before.len() == BEFORE_PLUS && digits.len() <= MOST && after.len() != 1;
    if !fits || digits.is_empty() || is_filled && (!after.is_empty() || digits.len() % 2 == 1) {
        return None;
    }
    let ([mut lat, mut lon], mut size) = ([-90.0, -180.0], [400.0, 400.0]);
    for (k, &digit) in digits.iter().enumerate() {
        match k {
            _ if k >= PAIRED => {
                size = [size[0] / 5.0, size[1] / 4.0];
                lat += (digit / 4.0).floor() * size[0];
                lon += digit % 4.0 * size[1];
            }
            _ if k % 2 == 0 => {
                size[0] /= 20.0;
                lat += digit * size[0];
            }
            _ => {
                size[1] /= 20.0;
                lon += digit * size[1];
            }
        }
    }
    let middle = [lat + 0.5 * size[0], lon + 0.5 * size[1]];
    (middle[0] < 90.0 && middle[1] < 180.0).then_some(middle)
}

fn value(digit: u8) -> Option<f64> {
    DIGITS.iter().position(|&one| one == digit.to_ascii_uppercase()).map(|value| value as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Codes and areas of the specification's own tests.
    #[test]
    fn codes_are_the_middle_of_their_area() {
        for (text, lat, lon) in [
            ("7FG49Q00+", 20.375, 2.775),
            ("7FG49QCJ+2V", 20.370_062_5, 2.782_187_5),
            ("7FG49QCJ+2VX", 20.370_112_5, 2.782_234_375),
            ("7fg49qcj+2vx", 20.370_112_5, 2.782_234_375),
            ("8FVC2222+22", 47.000_062_5, 8.000_062_5),
            ("4VCPPQGP+Q9", -41.273_062_5, 174.785_937_5),
            ("62G20000+", 0.5, -179.5),
        ] {
            let [a, b] = read(text).expect(text).expect(text);
            assert!((a - lat).abs() < 1e-5 && (b - lon).abs() < 1e-5, "{text}: {a} {b}");
        }
    }

    /// Law: a place is in the area of its code of any length, as wide as the length says.
    #[test]
    fn places_are_in_the_area_of_their_code() {
        use rand::{Rng as _, SeedableRng as _};
        let mut random = rand::rngs::StdRng::from_os_rng();
        for _ in 0..2000 {
            let [lat, lon] = [random.random_range(-90.0..89.9), random.random_range(-180.0..180.0)];
            // Whole units of the finest code: 1 / 2.5e7 and 1 / 8.192e6 of a degree.
            let (mut y, mut x) = (((lat + 90.0) * 2.5e7) as u64, ((lon + 180.0) * 8.192e6) as u64);
            let mut code = Vec::new();
            for _ in PAIRED..MOST {
                code.push(DIGITS[(y % 5 * 4 + x % 4) as usize]);
                (y, x) = (y / 5, x / 4);
            }
            for _ in 0..PAIRED / 2 {
                code.extend([DIGITS[(x % 20) as usize], DIGITS[(y % 20) as usize]]);
                (y, x) = (y / 20, x / 20);
            }
            code.reverse();
            code.insert(BEFORE_PLUS, b'+');
            let code = String::from_utf8(code).expect("digits");
            for length in [11, 12, 13, 14, 15, 16] {
                let grid = length as i32 - 11;
                let [a, b] = read(&code[..length]).expect(&code).expect(&code);
                let half = [0.5 / 8000.0 / 5f64.powi(grid), 0.5 / 8000.0 / 4f64.powi(grid)];
                assert!((a - lat).abs() <= half[0] + 5e-8, "{code}, {length}: {a} of {lat}");
                assert!((b - lon).abs() <= half[1] + 2e-7, "{code}, {length}: {b} of {lon}");
            }
        }
    }

    /// Law: what has the form and is no place is refused; what has another form is left to others.
    #[test]
    fn what_is_no_code_is_refused_or_left() {
        for text in ["9G8F+6X", "8F+", "8FVC9G8F+6", "8FVC0000+22", "8FV00000+", "X2222222+22", "8FVC9G8F+2222222222"] {
            assert!(matches!(read(text), Some(Err(PlaceError::PlusCode(_)))), "{text}: {:?}", read(text));
        }
        for text in ["+46.5 +8.25", "46 +8", "+46+008/", "46.5,+8", "46+8", "23+45", "", "+", "8FVC9G8F", "A+B", "é+22"]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
