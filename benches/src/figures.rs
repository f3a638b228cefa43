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

/// The middle of a sample, of two the larger one; not a number of nothing.
///
/// ```
/// assert_eq!(benches::figures::median(vec![4.0, 1.0, 2.0]), 2.0);
/// assert_eq!(benches::figures::median(vec![4.0, 1.0]), 4.0);
/// ```
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    quantile(&values, 0.5).unwrap_or(f64::NAN)
}

/// To a ten-thousandth.
pub fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
