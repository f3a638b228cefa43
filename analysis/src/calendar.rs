//! Which day of the year is it?

pub use foreign::calendar::{DAY_S, date_of, days_of, written};

/// Day of the year, from 1, at a time in seconds since 1970.
///
/// ```
/// use analysis::calendar::{DAY_S, day_of_year, days_of_year, first_of_year_s};
/// let noon_s = 1_782_043_200.0; // 2026-06-21T12:00:00Z
/// assert_eq!((day_of_year(noon_s), days_of_year(noon_s)), (172.0, 365));
/// assert_eq!(first_of_year_s(noon_s) + 171.5 * DAY_S, noon_s);
/// ```
pub fn day_of_year(unix_s: f64) -> f64 {
    ((unix_s / DAY_S).floor() - first_of_year_s(unix_s) / DAY_S) + 1.0
}

/// When the year of a time began, seconds since 1970.
pub fn first_of_year_s(unix_s: f64) -> f64 {
    days_of(year_of(unix_s), 1, 1) as f64 * DAY_S
}

/// Days of the year of a time.
pub fn days_of_year(unix_s: f64) -> i64 {
    let year = year_of(unix_s);
    days_of(year + 1, 1, 1) - days_of(year, 1, 1)
}

/// Seconds by which the mean time of a longitude is ahead of UTC.
///
/// ```
/// assert_eq!(analysis::calendar::ahead_of_utc_s(-90f64.to_radians()), -21_600.0);
/// ```
pub fn ahead_of_utc_s(lon_rad: f64) -> f64 {
    lon_rad.to_degrees() / 360.0 * DAY_S
}

fn year_of(unix_s: f64) -> i64 {
    date_of((unix_s / DAY_S).floor() as i64).0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: days of a year are counted from its first, and there are as many as the calendar has.
    #[test]
    fn days_of_years() {
        assert_eq!((day_of_year(1_782_043_200.0), day_of_year(0.0)), (172.0, 1.0));
        for (unix_s, days) in [(1_782_043_200.0, 365), (951_782_400.0, 366), (-1.0, 365)] {
            let first_s = first_of_year_s(unix_s);
            assert_eq!((day_of_year(first_s), days_of_year(unix_s)), (1.0, days));
            assert_eq!(first_s + (day_of_year(unix_s) - 1.0) * DAY_S, (unix_s / DAY_S).floor() * DAY_S);
        }
    }
}
