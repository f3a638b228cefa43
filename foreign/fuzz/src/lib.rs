//! What holds whatever others wrote? A law each target; `foreign/tests/replay.rs` asks the same of what is tracked in `seeds/`.

use foreign::{
    list,
    path::{LEAST_STEP_S, PathFile},
    place::{self, Place},
    points::{read_line, read_ray},
    raster::{self, RasterOptions},
    sanitized,
    scene::{Scene, is_scene},
    settings::Settings,
    spline,
    style::{self, StyleOptions, VectorOptions},
    values,
};
use glam::DVec3;

/// Most characters of a refusal: a sentence around what is quoted.
const MOST_SAID: usize = 300;

/// A refusal can be printed: one short line, and nothing that a terminal obeys.
fn is_fit_to_print(said: &str) {
    assert!(!said.is_empty() && said.chars().count() <= MOST_SAID, "{} characters", said.chars().count());
    assert!(!said.contains(char::is_control), "{said:?}");
}

fn is_on_earth(place: Place) {
    assert!((-90.0..=90.0).contains(&place.lat_deg) && (-180.0..180.0).contains(&place.lon_deg), "{place:?}");
    assert!(place.height_m.is_none_or(|height_m| (-12_000.0..=6e7).contains(&height_m)), "{place:?}");
}

/// A text is a place on Earth or refused; a place that is written down is read as the same place.
pub fn notation(bytes: &[u8]) {
    match place::parse(&String::from_utf8_lossy(bytes)) {
        Ok(at) => {
            is_on_earth(at);
            let again = place::parse(&format!("{:?}, {:?}", at.lat_deg, at.lon_deg)).expect("decimal degrees");
            assert_eq!((again.lat_deg, again.lon_deg), (at.lat_deg, at.lon_deg));
        }
        Err(error) => is_fit_to_print(&error.to_string()),
    }
}

/// A line of points is a place, nothing, or refused, wherever it stands, and so is one of rays; a header is one on the first line alone.
pub fn points(bytes: &[u8]) {
    for (number, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        match read_line(line, number == 0) {
            Ok(place) => place.into_iter().for_each(is_on_earth),
            Err(said) => is_fit_to_print(&said),
        }
        match read_ray(line, number == 0) {
            Ok(ray) => ray.into_iter().for_each(|(at, look)| {
                assert!(at.height_m.is_finite() && look.heading_deg.is_finite() && look.pitch_deg.abs() <= 90.0);
                assert!(at.lat_deg.abs() <= 90.0 && at.lon_deg.is_finite());
            }),
            Err(said) => is_fit_to_print(&said),
        }
    }
}

/// Every line of a list names one file at most, in the folder of the list unless it says otherwise.
pub fn list(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let files: Vec<_> = list::files(&text, "folder".as_ref()).collect();
    assert!(files.len() <= text.lines().count());
    for file in files {
        let name = file.to_string_lossy();
        let is_as_it_stands = file.is_absolute() || name.contains("://");
        assert!(is_as_it_stands || file.starts_with("folder"), "{name}");
    }
}

/// What is shown is short and holds nothing that a terminal obeys; plain text is shown as it is.
pub fn text(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let said = sanitized(&text).to_string();
    assert!(said.chars().count() <= 81 && !said.contains(char::is_control), "{said:?}");
    if text.len() <= 80 && text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        assert_eq!(said, text);
    }
    assert_eq!(foreign::escaped(&said).to_string(), said);
}

/// A path file is refused in words, or its keys are apart and its track is somewhere at every time; it is written as it was read.
pub fn path(bytes: &[u8]) {
    let file = match PathFile::from_json(&String::from_utf8_lossy(bytes)) {
        Ok(file) => file,
        Err(error) => return is_fit_to_print(&error.to_string()),
    };
    assert_eq!(PathFile::from_json(&file.to_json()).expect("what was written"), file);
    let times: Vec<f64> = file.keys.iter().map(|key| key.t_s).collect();
    assert!(times.windows(2).all(|pair| pair[1] >= pair[0] + LEAST_STEP_S));
    let normal = |lat_deg: f64, lon_deg: f64| {
        let ((sin, cos), (east, along)) = (lat_deg.to_radians().sin_cos(), lon_deg.to_radians().sin_cos());
        DVec3::new(cos * along, cos * east, sin)
    };
    let normals: Vec<DVec3> = file.keys.iter().map(|key| normal(key.lat_deg, key.lon_deg)).collect();
    let heights: Vec<f64> = file.keys.iter().map(|key| key.height_m).collect();
    let (slopes, velocities) = (spline::monotone_slopes(&times, &heights), spline::track_velocities(&times, &normals));
    assert!(slopes.iter().all(|slope| slope.is_finite()) && velocities.iter().all(|velocity| velocity.is_finite()));
    for (key, t_s) in times.iter().enumerate().take(50) {
        for t_s in [*t_s, t_s + 0.3e-6, 0.5 * (t_s + times[(key + 1).min(times.len() - 1)])] {
            let at = spline::leg(&times, t_s);
            assert!(spline::scalar(&times, &heights, &slopes, at).is_finite());
            // No great circle is the shortest between opposite points; who flies refuses those.
            let next = (at.0 + 1).min(normals.len() - 1);
            if normals[at.0].dot(normals[next]) > -0.999_999 {
                assert!(spline::track(&times, &normals, &velocities, at).is_finite(), "{t_s}");
            }
        }
    }
}

/// Settings are refused in words, or every choice is in its range, and is found again as it is written.
pub fn settings(bytes: &[u8]) {
    let known = |names: &[String]| match names.iter().find(|name| name.len() > 9) {
        Some(name) => Err(sanitized(name).to_string()),
        None => Ok(()),
    };
    match Settings::from_json(bytes, known) {
        Ok(settings) => {
            assert_eq!(settings.out_of_range(), None);
            assert!(settings.overlays.iter().flatten().all(|name| name.len() <= 9));
            let json = settings.to_json().expect("numbers in their ranges");
            assert!(Settings::is_named_in(json.as_bytes()));
            assert_eq!(Settings::from_json(json.as_bytes(), known).as_ref(), Ok(&settings));
            assert_eq!(settings.with_changes(&settings, &Settings::default()), Settings::default());
        }
        Err(why) => is_fit_to_print(&sanitized(&why).to_string()),
    }
}

/// A value is within what its parser says, or refused in words that can be printed.
fn is_within<T>(read: Result<T, String>, is_right: impl Fn(&T) -> bool) {
    match read {
        Ok(value) => assert!(is_right(&value)),
        Err(said) => is_fit_to_print(&said),
    }
}

/// The values of the command line: whatever a text is, each parser answers within its range or refuses.
pub fn values(bytes: &[u8]) {
    let text = &*String::from_utf8_lossy(bytes);
    let between = |low: f64, high: f64| move |value: &f64| (low..=high).contains(value);
    is_within(values::geo_position(text), |at| at.lat_deg.abs() <= 90.0 && at.height_m.is_finite());
    is_within(values::place(text), |place| place.height_m.is_none());
    is_within(values::any_number(text), |_| true);
    is_within(values::above_ground_m(text), between(0.0, 1e6));
    is_within(values::radius_m(text), between(1.0, 1e7));
    is_within(values::cell_m(text), between(1e-3, 1e6));
    is_within(values::refraction(text), between(-1.0, 1.0));
    is_within(values::view_direction(text), |look| look.heading_deg.abs() <= 360.0 && look.pitch_deg.abs() <= 90.0);
    is_within(values::size(text), |size| (1..=32_768).contains(&size.0) && (1..=32_768).contains(&size.1));
    is_within(values::sun(text).and_then(kept), |sun| sun.is_none());
    is_within(values::time(text).and_then(kept), |sun| sun.is_none());
    is_within(values::pixel_error(text), between(0.05, 100.0));
    is_within(values::fov_deg(text), between(1.0, 150.0));
    is_within(values::exaggeration(text), between(0.5, 10.0));
    is_within(values::fps(text), between(0.1, 240.0));
    is_within(values::frame_ms(text), between(0.0, 10_000.0));
    is_within(values::samples(text), |samples| [1, 4].contains(samples));
    is_within(values::integer::<u32>(8..=1 << 40)(text), |number| *number >= 8);
    is_within(values::named(text, &[("atlas", 1), ("terra", 2)]), |number| (1..=2).contains(number));
}

/// What is wrong with settings that hold a sun; none if they are in their ranges.
fn kept(sun: foreign::sun::SunSetting) -> Result<Option<String>, String> {
    Ok(Settings::default().with_sun(Some(sun)).out_of_range())
}

/// A source is a name with options within their ranges behind it, or refused; the name is what the text begins with, and no option
/// is taken from a name that exists.
pub fn raster(bytes: &[u8]) {
    let text = &*String::from_utf8_lossy(bytes);
    assert_eq!(raster::source(text, |_| true), Ok((text, RasterOptions::default())));
    let every_third = |name: &str| name.len().is_multiple_of(3);
    for read in [raster::source(text, |_| false), raster::source(text, every_third)] {
        match read {
            Ok((name, own)) => {
                assert!(text.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(',')));
                assert_eq!(own == RasterOptions::default(), name == text);
                assert!(own.band.is_none_or(|band| (1..=65_535).contains(&band)));
                assert!(own.feather.is_none_or(|feather| (1..=63).contains(&feather)));
                assert!(own.unit_m.is_none_or(|metres| (1e-6..=1e6).contains(&metres)));
                assert!(own.valid_range_m.is_none_or(|(low, high)| -1e6 <= low && low < high && high <= 1e6));
            }
            Err(said) => is_fit_to_print(&said),
        }
    }
}

/// A scene is refused in words, or what it says is in its range, and is found again as it is written; what is read is told to be one.
pub fn scene(bytes: &[u8]) {
    for exists in [&(|_: &str| false) as &dyn Fn(&str) -> bool, &|name: &str| name.len().is_multiple_of(3)] {
        let said = match Scene::from_json(bytes, exists) {
            Ok(said) => said,
            Err(why) => {
                is_fit_to_print(&sanitized(&why).to_string());
                continue;
            }
        };
        assert!(is_scene(bytes));
        assert!(said.fov_deg.is_none_or(|deg| (1.0..=150.0).contains(&deg)));
        assert!(said.exaggeration.is_none_or(|times| (0.5..=10.0).contains(&times)));
        assert!(said.view.is_none_or(|view| view.out_of_range().is_none()));
        for picture in &said.imagery {
            assert!((0.0..=1.0).contains(&picture.options.opacity));
            let factors = 0.0..=values::MOST_COLOUR_FACTOR;
            assert!(picture.options.colours.iter().all(|factor| factors.contains(factor)));
        }
        let json = said.to_json();
        let again = Scene::from_json(json.as_bytes(), exists).expect("what was written");
        // Times are written to the second, and a NaN is unlike itself.
        assert_eq!(again.to_json(), json);
        assert_eq!((again.elevation.len(), &again.vectors), (said.elevation.len(), &said.vectors));
    }
}

/// What stands behind a name are styles or it is a name; style strings say something drawable or nothing.
pub fn style(bytes: &[u8]) {
    let text = &*String::from_utf8_lossy(bytes);
    assert_eq!(style::vector(text, |_| true), Ok((text, VectorOptions::default())));
    let is_drawable = |own: StyleOptions| own.width_px.is_none_or(|px| (0.0..=values::WIDEST_LINE_PX).contains(&px));
    match style::vector(text, |_| false) {
        Ok((name, own)) => {
            assert!(text.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(',')));
            assert_eq!(own == VectorOptions::default(), name == text);
            assert!(is_drawable(own.style));
        }
        Err(said) => is_fit_to_print(&said),
    }
    assert!(is_drawable(style::ogr(text)) && is_drawable(style::simple(|_| Some(text.to_owned()))));
    match style::colour(text) {
        Ok([red, green, blue, alpha]) => {
            let written = format!("#{red:02x}{green:02x}{blue:02x}{alpha:02x}");
            assert_eq!(style::colour(&written), Ok([red, green, blue, alpha]));
        }
        Err(said) => is_fit_to_print(&said),
    }
}
