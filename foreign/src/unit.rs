//! How many metres is a unit of height? By the names that files and coordinate systems give them.

/// Metres of one unit of height, by its name in any of the usual spellings or by the metres themselves ("0.1"); `None` for one
/// that is not known.
///
/// ```
/// use foreign::unit::metres_per_unit;
/// assert_eq!(metres_per_unit("ft"), Some(0.3048));
/// assert_eq!(metres_per_unit("US_survey_foot"), Some(1200.0 / 3937.0));
/// assert_eq!(metres_per_unit("0.1"), Some(0.1));
/// assert_eq!(metres_per_unit("degC"), None);
/// ```
pub fn metres_per_unit(name: &str) -> Option<f64> {
    let name = name.trim().trim_matches(['[', ']', '(', ')']).to_ascii_lowercase().replace(['_', '-'], " ");
    if let Ok(metres) = name.parse::<f64>() {
        return (metres.is_finite() && metres > 0.0).then_some(metres);
    }
    // "m above mean sea level", "metres (NAVD88)".
    let end = [" above ", " below ", " (", "(", ","].into_iter().filter_map(|mark| name.find(mark)).min();
    let (unit, more) = name.split_at(end.unwrap_or(name.len()));
    let is_foot = |unit: &str| matches!(unit, "ft" | "foot" | "feet");
    // "foot (US)", "ft, US survey": there are several feet, told apart by what follows.
    let mut words = more.split(|c: char| !c.is_alphanumeric() && c != '.').filter(|_| is_foot(unit.trim()));
    let of_foot = words.find_map(|word| match word.trim_end_matches('.') {
        "us" | "u.s" | "usa" | "american" | "survey" => Some(Some(1200.0 / 3937.0)),
        "clarke" | "clarke's" | "sears" | "indian" | "british" | "gold" | "cape" => Some(None),
        _ => None,
    });
    if let Some(foot) = of_foot {
        return foot;
    }
    match unit.trim() {
        "m" | "metre" | "metres" | "meter" | "meters" | "gpm" => Some(1.0),
        "ft" | "foot" | "feet" | "international foot" | "international feet" | "ft int" | "ift" => Some(0.3048),
        "us ft" | "ftus" | "ft us" | "usft" | "us survey foot" | "us survey feet" | "survey foot" | "survey feet"
        | "foot us" | "us foot" | "us feet" | "feet us" => Some(1200.0 / 3937.0),
        "yd" | "yard" | "yards" => Some(0.9144),
        "km" | "kilometre" | "kilometer" | "kilometres" | "kilometers" => Some(1000.0),
        "dm" | "decimetre" | "decimeter" | "decimetres" | "decimeters" => Some(0.1),
        "cm" | "centimetre" | "centimeter" | "centimetres" | "centimeters" => Some(0.01),
        "mm" | "millimetre" | "millimeter" | "millimetres" | "millimeters" => Some(0.001),
        "fathom" | "fathoms" => Some(1.8288),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::metres_per_unit;

    /// Law: a unit is known by any usual spelling, and no other is taken for one.
    #[test]
    fn spellings() {
        for name in ["m", "Metre", "[m]", "m above mean sea level", "metres (NAVD88)", "meters"] {
            assert_eq!(metres_per_unit(name), Some(1.0), "{name}");
        }
        for name in ["ft", "foot (international)", "feet (NAVD88)", "feet above sea level, USGS"] {
            assert_eq!(metres_per_unit(name), Some(0.3048), "{name}");
        }
        for name in
            ["foot (US)", "ft(US)", "feet, US survey", "Feet (U.S. survey)", "ft (NAVD88, us survey)", "foot (survey)"]
        {
            assert_eq!(metres_per_unit(name), Some(1200.0 / 3937.0), "{name}");
        }
        for name in ["foot (Clarke's)", "ft (Sears 1922)", "foot (Gold Coast)"] {
            assert_eq!(metres_per_unit(name), None, "{name}");
        }
        for name in ["ftUS", "us-ft", "us_survey_foot", "US survey foot", "Foot_US"] {
            assert_eq!(metres_per_unit(name), Some(1200.0 / 3937.0), "{name}");
        }
        for name in ["", "degC", "m/s", "mm/day", "1", "-1", "0", "nan", "inf", "unknown", "mGal"] {
            assert_eq!(metres_per_unit(name), (name == "1").then_some(1.0), "{name}");
        }
    }
}
