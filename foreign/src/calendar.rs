//! Which day is it? Days since 1970 and dates of the Gregorian calendar.

/// Seconds of a day.
pub const DAY_S: f64 = 86_400.0;

/// Days from 1970-01-01 to a date, proleptic (H. Hinnant, "chrono-compatible low-level date algorithms").
pub fn days_of(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Year, month and day, days after 1970-01-01: the inverse of [`days_of`].
///
/// ```
/// use foreign::calendar::{DAY_S, date_of, days_of, written};
/// assert_eq!(date_of(days_of(2024, 2, 29) + 1), (2024, 3, 1));
/// assert_eq!(written(days_of(2026, 6, 21) as f64 * DAY_S + 43_200.0), "2026-06-21T12:00:00Z");
/// ```
pub fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

/// A time in seconds since 1970 as `2026-06-21T12:00:00Z`, to the second.
pub fn written(unix_s: f64) -> String {
    let seconds = unix_s.round() as i64;
    let (year, month, day) = date_of(seconds.div_euclid(86_400));
    let of_day = seconds.rem_euclid(86_400);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", of_day / 3_600, of_day / 60 % 60, of_day % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: dates and days are inverse, days follow each other, and known ones are known.
    #[test]
    fn dates() {
        assert_eq!((days_of(1970, 1, 1), days_of(2000, 2, 29), days_of(2026, 6, 21)), (0, 11_016, 20_625));
        let mut before = date_of(-800_001);
        for days in -800_000..800_000 {
            let date = date_of(days);
            assert!(date > before && days_of(date.0, date.1, date.2) == days, "{date:?}");
            before = date;
        }
        assert_eq!(written(1_782_043_199.6), "2026-06-21T12:00:00Z");
    }
}
