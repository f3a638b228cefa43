//! How are many measurements told in one? Values of a sample by their rank, and rounding for reports.

/// The value that a part of a sample, 0 to 1, is not above; the sample ascends. None of nothing.
///
/// ```
/// assert_eq!(benches::figures::quantile(&[1.0, 2.0, 4.0], 0.5), Some(2.0));
/// assert_eq!(benches::figures::quantile(&[1.0, 2.0, 4.0], 1.0), Some(4.0));
/// assert_eq!(benches::figures::quantile(&[], 0.5), None);
/// ```
pub fn quantile(ascending: &[f64], part: f64) -> Option<f64> {
    let last = ascending.len().checked_sub(1)?;
    Some(ascending[(last as f64 * part).round() as usize])
}

/// Values of a sample in any order that these parts of it are not above; not numbers of nothing.
///
/// ```
/// assert_eq!(benches::figures::quantiles(vec![4.0, 1.0, 2.0], [0.0, 1.0]), [1.0, 4.0]);
/// ```
pub fn quantiles<const N: usize>(mut values: Vec<f64>, parts: [f64; N]) -> [f64; N] {
    values.sort_by(f64::total_cmp);
    parts.map(|part| quantile(&values, part).unwrap_or(f64::NAN))
}

/// The middle of a sample, of two the larger one; not a number of nothing.
///
/// ```
/// assert_eq!(benches::figures::median(vec![4.0, 1.0, 2.0]), 2.0);
/// assert_eq!(benches::figures::median(vec![4.0, 1.0]), 4.0);
/// ```
pub fn median(values: Vec<f64>) -> f64 {
    let [median] = quantiles(values, [0.5]);
    median
}

/// To a ten-thousandth.
pub fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
