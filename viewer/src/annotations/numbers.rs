//! How do places and lengths read at a glance, in the units that the user has chosen?

/// A place in decimal degrees, to about ten metres.
pub fn place(lat_deg: f64, lon_deg: f64) -> String {
    let half = |degrees: f64, plus: char, minus: char| {
        format!("{:.4}° {}", degrees.abs(), if degrees < 0.0 { minus } else { plus })
    };
    format!("{}  {}", half(lat_deg, 'N', 'S'), half(lon_deg, 'E', 'W'))
}

/// The months; three letters of them are enough to read.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A foot, metres: the international one.
const FOOT_M: f64 = 0.3048;
/// A statute mile, metres.
const MILE_M: f64 = 5280.0 * FOOT_M;
/// A nautical mile, metres.
const NAUTICAL_MILE_M: f64 = 1852.0;
/// An acre, square metres.
const ACRE_M2: f64 = 43_560.0 * FOOT_M * FOOT_M;

/// A cubic yard, cubic metres.
const YARD_M3: f64 = 27.0 * FOOT_M * FOOT_M * FOOT_M;

/// Units of lengths, heights, areas and volumes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Units {
    /// Metres and kilometres.
    #[default]
    Metric,
    /// Feet, statute miles and acres.
    Imperial,
    /// Feet and nautical miles, as in the air.
    Nautical,
}

/// A unit of length: metres, and its sign.
type Unit = (f64, &'static str);

impl Units {
    /// All of them.
    pub const ALL: [Units; 3] = [Units::Metric, Units::Imperial, Units::Nautical];

    /// As in the settings.
    pub fn name(self) -> &'static str {
        match self {
            Units::Metric => "metric",
            Units::Imperial => "imperial",
            Units::Nautical => "nautical",
        }
    }

    /// Those of a name; metric ones where it is none.
    pub fn named(name: Option<&str>) -> Units {
        Units::ALL.into_iter().find(|units| Some(units.name()) == name).unwrap_or_default()
    }

    /// The small unit of lengths, and the large one.
    fn of_length(self) -> [Unit; 2] {
        match self {
            Units::Metric => [(1.0, "m"), (1e3, "km")],
            Units::Imperial => [(FOOT_M, "ft"), (MILE_M, "mi")],
            Units::Nautical => [(FOOT_M, "ft"), (NAUTICAL_MILE_M, "NM")],
        }
    }

    /// A height that is read at a glance; up to space it is in the small unit where that is usual.
    pub fn height(self, m: f64) -> String {
        match m.abs() {
            size if self == Units::Metric || size >= 1e5 => self.distance(m),
            _ => {
                let feet = (m / FOOT_M).round() as i64;
                format!("{}{} ft", if feet < 0 { "-" } else { "" }, thousands(feet.unsigned_abs()))
            }
        }
    }

    /// A distance that is read at a glance.
    pub fn distance(self, m: f64) -> String {
        let [(small_m, small), (large_m, large)] = self.of_length();
        let (least_large, value) = if self == Units::Metric { (10.0, m / large_m) } else { (1.0, m / large_m) };
        match value.abs() {
            size if size < least_large => match m / small_m {
                low if low.abs() < 100.0 => format!("{low:.1} {small}"),
                low => format!("{low:.0} {small}"),
            },
            size if size < 1e3 => format!("{value:.1} {large}"),
            _ => format!("{value:.0} {large}"),
        }
    }

    /// A length with the digits that a map gives it.
    pub fn length(self, m: f64) -> String {
        let [(small_m, small), (large_m, large)] = self.of_length();
        let least_large = if self == Units::Metric { 10.0 } else { 1.0 };
        if m < least_large * large_m {
            format!("{:.1} {small}", m / small_m)
        } else {
            format!("{:.3} {large}", m / large_m)
        }
    }

    /// An area with the digits that a map gives it.
    pub fn area(self, m2: f64) -> String {
        let [(small_m, small), (large_m, large)] = self.of_length();
        let value = m2 / (large_m * large_m);
        if m2 < 1e5 && self == Units::Metric || m2 < 0.1 * ACRE_M2 {
            format!("{:.0} {small}²", m2 / (small_m * small_m))
        } else if self == Units::Imperial && value < 1.0 {
            format!("{:.2} acres", m2 / ACRE_M2)
        } else if value < 1e3 {
            format!("{value:.3} {large}²")
        } else {
            format!("{} {large}²", thousands(value.round() as u64))
        }
    }

    /// A volume of ground: cubic yards and miles where lengths are in feet.
    pub fn volume(self, m3: f64) -> String {
        let [_, (large_m, large)] = self.of_length();
        let (small_m3, small) = if self == Units::Metric { (1.0, "m³") } else { (YARD_M3, "yd³") };
        match m3 / small_m3 {
            small_value if small_value.abs() < 1e6 => {
                format!("{} {small}", thousands(small_value.max(0.0).round() as u64))
            }
            small_value if small_value.abs() < 1e9 => format!("{:.3} million {small}", small_value / 1e6),
            _ => format!("{:.3} {large}³", m3 / large_m.powi(3)),
        }
    }

    /// The longest round length that is no longer than so many metres: metres, and how it is written.
    pub fn round_length(self, longest_m: f64) -> Option<(f64, String)> {
        let [small, large] = self.of_length();
        let (unit_m, sign) = if longest_m >= large.0 { large } else { small };
        let longest = longest_m / unit_m;
        if !(1e-3..1e9).contains(&longest_m) {
            return None;
        }
        let power = 10f64.powf(longest.log10().floor());
        let value = [5.0, 2.0, 1.0].into_iter().map(|digit| digit * power).find(|value| *value <= longest)?;
        let decimals = if value < 1.0 { value.log10().floor().abs() as usize } else { 0 };
        Some((value * unit_m, format!("{value:.decimals$} {sign}")))
    }
}

/// 1234567 as "1 234 567".
pub fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_read_well_in_all_units() {
        let all = |write: fn(Units, f64) -> String, m: f64| Units::ALL.map(|units| write(units, m));
        assert_eq!(all(Units::height, 42.04), ["42.0 m", "138 ft", "138 ft"]);
        assert_eq!(all(Units::height, -3.2), ["-3.2 m", "-10 ft", "-10 ft"]);
        assert_eq!(all(Units::height, 10_668.0), ["10.7 km", "35 000 ft", "35 000 ft"]);
        assert_eq!(all(Units::height, 4e5), ["400.0 km", "248.5 mi", "216.0 NM"]);
        assert_eq!(all(Units::distance, 1_852.0), ["1852 m", "1.2 mi", "1.0 NM"]);
        assert_eq!(all(Units::distance, 13e6), ["13000 km", "8078 mi", "7019 NM"]);
        assert_eq!(all(Units::distance, 0.0), ["0.0 m", "0.0 ft", "0.0 ft"]);
        assert_eq!(all(Units::length, 1_609.344), ["1609.3 m", "1.000 mi", "5280.0 ft"]);
        assert_eq!(all(Units::length, 185_200.0), ["185.200 km", "115.078 mi", "100.000 NM"]);
        assert_eq!(all(Units::area, 10_000.0), ["10000 m²", "2.47 acres", "0.003 NM²"]);
        assert_eq!(all(Units::area, 100.0), ["100 m²", "1076 ft²", "1076 ft²"]);
        assert_eq!(all(Units::area, 123_456.0), ["0.123 km²", "30.51 acres", "0.036 NM²"]);
        assert_eq!(all(Units::area, 5e9), ["5 000 km²", "1 931 mi²", "1 458 NM²"]);
        assert_eq!(all(Units::volume, 1_234.0), ["1 234 m³", "1 614 yd³", "1 614 yd³"]);
        assert_eq!(all(Units::volume, 2.5e7), ["25.000 million m³", "32.699 million yd³", "32.699 million yd³"]);
        assert_eq!(all(Units::volume, 5e10), ["50.000 km³", "11.996 mi³", "7.871 NM³"]);
        assert_eq!(Units::ALL.map(|units| Units::named(Some(units.name()))), Units::ALL);
        assert_eq!(Units::named(Some("furlongs")), Units::Metric);
    }

    /// Law: a round length is no longer than it may be, never shorter than two fifths of that but where the unit changes, and written as it is.
    #[test]
    fn round_lengths_are_round_and_fit() {
        for exponent in -30..60 {
            for units in Units::ALL {
                let longest_m = 130.0 * 1.37f64.powi(exponent);
                let Some((length_m, text)) = units.round_length(longest_m) else { continue };
                assert!((0.39 * longest_m..=longest_m).contains(&length_m), "{text} of {longest_m}");
                let (value, sign) = text.split_once(' ').expect("a unit");
                let (unit_m, _) = *units.of_length().iter().find(|unit| unit.1 == sign).expect("one of both");
                let value: f64 = value.parse().expect("a number");
                assert!((value * unit_m - length_m).abs() < 1e-9 * length_m, "{text} of {longest_m}");
                let digit = value / 10f64.powf(value.log10().floor() + 1e-9);
                assert!([1.0, 2.0, 5.0, 10.0].iter().any(|round| (digit - round).abs() < 1e-6), "{text}");
            }
        }
        assert_eq!([f64::NAN, 0.0, f64::INFINITY].map(|m| Units::Metric.round_length(m)), [None, None, None]);
        let texts = [2001.0, 50.0, 0.7].map(|m| Units::Metric.round_length(m).expect("a length").1);
        assert_eq!(texts, ["2 km", "50 m", "0.5 m"]);
        assert_eq!(Units::Nautical.round_length(1_900.0).expect("a length").1, "1 NM");
    }

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(
            ["7", "999", "1 000", "1 234 567"],
            [7, 999, 1000, 1_234_567].map(thousands).each_ref().map(String::as_str)
        );
    }
}
