//! Which choices are kept, and how are they written? Each one only if the user has made it, as JSON.

use std::collections::BTreeMap;

use derive_setters::Setters;
use serde::{Deserialize, Serialize};

use crate::sun::{FARTHEST_S, SunSetting};
use crate::{number, path::Pose, sanitized, values::named};

const FORMAT: &str = "orogen-settings";
/// Smallest and largest text, as times of the usual one.
pub const SMALLEST_TEXT: f64 = 0.5;
/// See [`SMALLEST_TEXT`].
pub const LARGEST_TEXT: f64 = 4.0;
/// Most bookmarks that are kept.
pub const MOST_BOOKMARKS: usize = 500;
/// Most places of former searches that are kept.
pub const MOST_RECENT_PLACES: usize = 8;
/// Most characters of the name of one.
const MOST_CHARACTERS: usize = 100;
/// The version this program writes and reads.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Contents {
    format: String,
    version: u32,
    settings: Settings,
}

/// A view that is kept under a name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bookmark {
    /// Its name, unlike any other's: one line.
    pub name: String,
    /// What is seen.
    pub view: Pose,
}

impl Bookmark {
    /// A text as a name: on one line, and not longer than names are; none of nothing.
    ///
    /// ```
    /// use foreign::settings::Bookmark;
    /// assert_eq!(Bookmark::name_of(" Mont\n Blanc ").as_deref(), Some("Mont Blanc"));
    /// assert_eq!(Bookmark::name_of(" \t"), None);
    /// ```
    pub fn name_of(text: &str) -> Option<String> {
        let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
        let name: String = words.collect::<Vec<_>>().join(" ").chars().take(MOST_CHARACTERS).collect();
        // The last of so many characters may be the space before a word.
        let name = name.trim_end();
        (!name.is_empty()).then(|| name.to_owned())
    }

    /// What of it is out of its range.
    fn out_of_range(&self) -> Option<String> {
        out_of_range(("bookmark", &self.name), || self.view.out_of_range())
    }
}

/// What is out of its range of something with a name.
fn out_of_range((what, name): (&str, &str), rest: impl FnOnce() -> Option<String>) -> Option<String> {
    let is_name = Bookmark::name_of(name).as_deref() == Some(name);
    let no_name = || format!("a name is one line of 1 to {MOST_CHARACTERS} characters");
    let wrong = if is_name { rest() } else { Some(no_name()) };
    wrong.map(|wrong| format!("{what} \"{}\": {wrong}", sanitized(name)))
}

/// A place that a search has led to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecentPlace {
    /// Its name, or what was typed: one line, as that of a [`Bookmark`].
    pub name: String,
    /// Geodetic latitude, degrees.
    pub lat_deg: f64,
    /// Longitude, degrees.
    pub lon_deg: f64,
}

impl RecentPlace {
    /// What of it is out of its range.
    fn out_of_range(&self) -> Option<String> {
        out_of_range(("recent place", &self.name), || {
            let numbers = [("lat_deg", self.lat_deg, 90.0), ("lon_deg", self.lon_deg, 360.0)];
            let (of, value, most) = numbers.into_iter().find(|(_, value, most)| !(-most..=*most).contains(value))?;
            Some(format!("{of} {} is not in [-{most}, {most}]", number(value)))
        })
    }
}

/// The choices; none where the program decides.
///
/// ```
/// use foreign::settings::Settings;
/// let settings = Settings::default().with_speed(Some(2.0)).with_fov_deg(Some(45.0));
/// assert_eq!(Settings::from_json(settings.to_json()?.as_bytes(), |_| Ok(())), Ok(settings.clone()));
/// assert!(Settings::is_named_in(settings.to_json()?.as_bytes()) && !Settings::is_named_in(b"{}"));
/// assert!(settings.with_speed(Some(0.0)).out_of_range().is_some());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Setters)]
#[serde(deny_unknown_fields, default)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct Settings {
    /// Tolerated geometric error on screen, pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pixel_error: Option<f64>,
    /// Most triangles, from the next start on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub triangles: Option<u32>,
    /// Vertical field of view, degrees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fov_deg: Option<f64>,
    /// What is drawn on the ground, by the names of `--overlays`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(alias = "shade")]
    pub overlays: Option<Vec<String>>,
    /// Where the light comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sun: Option<SunSetting>,
    /// Factor of the speed of flight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// Milliseconds of a frame that the quality gives way for; 0 never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame_ms: Option<f64>,
    /// Figures at the lower edge: off, place or times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub figures: Option<String>,
    /// Units of lengths, heights and areas: metric, imperial or nautical.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub units: Option<String>,
    /// The format in which markers are saved: geojson, kml, gpx or gpkg.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vector_format: Option<String>,
    /// Whether nothing moves by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reduced_motion: Option<bool>,
    /// How many times as large text and buttons of the window are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_scale: Option<f64>,
    /// Whether the boxes of the window are dark or light.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theme: Option<String>,
    /// The folder of pictures of the window; `~` is the user's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pictures: Option<String>,
    /// Keys of actions, by the names of both; the program says what is wrong with one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keys: Option<BTreeMap<String, Vec<String>>>,
    /// Views under names, the oldest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bookmarks: Option<Vec<Bookmark>>,
    /// Places that searches have led to, the last one first; those beyond the first [`MOST_RECENT_PLACES`] are forgotten.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recent_places: Option<Vec<RecentPlace>>,
}

impl Settings {
    /// Reads a file; `overlays` says what is wrong with names of drawings.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn from_json(bytes: &[u8], overlays: impl Fn(&[String]) -> Result<(), String>) -> Result<Settings, String> {
        let contents: Contents = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if contents.format != FORMAT {
            return Err(format!("\"format\" is \"{}\", expected \"{FORMAT}\"", sanitized(&contents.format)));
        }
        if contents.version != VERSION {
            return Err(format!("version {}, this program reads version {VERSION}", contents.version));
        }
        let settings = contents.settings;
        if let Some(wrong) = settings.out_of_range() {
            return Err(wrong);
        }
        overlays(settings.overlays.as_deref().unwrap_or_default()).map_err(|why| format!("overlays: {why}"))?;
        Ok(settings)
    }

    /// What a file of these holds.
    ///
    /// # Errors
    /// For a number that JSON has not.
    pub fn to_json(&self) -> serde_json::Result<String> {
        let contents = Contents { format: FORMAT.to_owned(), version: VERSION, settings: self.clone() };
        serde_json::to_string_pretty(&contents).map(|text| text + "\n")
    }

    /// Whether a file says that it is settings, damaged or of another version as it may be.
    pub fn is_named_in(bytes: &[u8]) -> bool {
        let word = format!("\"{FORMAT}\"");
        bytes.windows(word.len()).any(|bytes| bytes == word.as_bytes())
    }

    /// The choice that is out of its range, and the range.
    pub fn out_of_range(&self) -> Option<String> {
        let sun = match self.sun {
            Some(SunSetting::Follow { azimuth_deg, elevation_deg }) => [Some(azimuth_deg), Some(elevation_deg), None],
            Some(SunSetting::At { unix_s }) => [None, None, Some(unix_s)],
            None => [None; 3],
        };
        let numbers = [
            ("pixel_error", self.pixel_error, 0.05, 100.0),
            ("triangles", self.triangles.map(f64::from), 64.0, 1_048_576.0),
            ("fov_deg", self.fov_deg, 1.0, 150.0),
            ("speed", self.speed, 0.01, 100.0),
            ("frame_ms", self.frame_ms, 0.0, 10_000.0),
            ("text_scale", self.text_scale, SMALLEST_TEXT, LARGEST_TEXT),
            ("azimuth_deg", sun[0], -360.0, 360.0),
            ("elevation_deg", sun[1], -90.0, 90.0),
            ("unix_s", sun[2], -FARTHEST_S, FARTHEST_S),
        ];
        let wrong =
            numbers.into_iter().find(|(_, value, low, high)| value.is_some_and(|v| !(*low..=*high).contains(&v)));
        let number = wrong.map(|(name, value, low, high)| {
            format!("{name} {} is not in [{low}, {high}]", number(value.unwrap_or_default()))
        });
        let bookmarks = self.bookmarks.as_deref().unwrap_or_default();
        let too_many = (bookmarks.len() > MOST_BOOKMARKS)
            .then(|| format!("{} bookmarks, at most {MOST_BOOKMARKS} are kept", bookmarks.len()));
        let recent = self.recent_places.as_deref().unwrap_or_default();
        number
            .or(too_many)
            .or_else(|| bookmarks.iter().find_map(Bookmark::out_of_range))
            .or_else(|| recent.iter().find_map(RecentPlace::out_of_range))
            .or_else(|| {
                let is_none = self.pictures.as_ref().is_some_and(|folder| folder.trim().is_empty());
                is_none.then(|| String::from("pictures: the name of a folder is empty"))
            })
            .or_else(|| {
                let word = self.figures.as_ref()?;
                named(word, &[("off", ()), ("place", ()), ("times", ())]).err().map(|why| format!("figures: {why}"))
            })
            .or_else(|| {
                let units = [("metric", ()), ("imperial", ()), ("nautical", ())];
                named(self.units.as_ref()?, &units).err().map(|why| format!("units: {why}"))
            })
            .or_else(|| {
                let themes = [("dark", ()), ("light", ())];
                named(self.theme.as_ref()?, &themes).err().map(|why| format!("theme: {why}"))
            })
            .or_else(|| {
                let formats = [("geojson", ()), ("kml", ()), ("gpx", ()), ("gpkg", ())];
                named(self.vector_format.as_ref()?, &formats).err().map(|why| format!("vector_format: {why}"))
            })
    }

    /// What to keep after a flight: `self` as it was kept, with what has changed from `start` to `now`, of bookmarks each by its name;
    /// there may be more of those than are kept. So an option of the command line holds for one flight.
    ///
    /// ```
    /// use foreign::settings::Settings;
    /// let kept = Settings::default().with_speed(Some(3.0));
    /// let start = kept.clone().with_fov_deg(Some(45.0)); // asked for on the command line
    /// let now = start.clone().with_frame_ms(Some(16.0)); // chosen in the window
    /// assert_eq!(kept.with_changes(&start, &now), kept.clone().with_frame_ms(Some(16.0)));
    /// ```
    pub fn with_changes(&self, start: &Settings, now: &Settings) -> Settings {
        fn merged<T: Clone + PartialEq>(kept: &Option<T>, start: &Option<T>, now: &Option<T>) -> Option<T> {
            if start == now { kept.clone() } else { now.clone() }
        }
        /// The same of a list that windows add to.
        fn merged_list<T: Clone + PartialEq>(
            all: [&Option<Vec<T>>; 3],
            with_changes: impl FnOnce(&[T], &[T], &[T]) -> Vec<T>,
        ) -> Option<Vec<T>> {
            let [kept, start, now] = all.map(|list| list.as_deref().unwrap_or_default());
            if all[1] == all[2] { all[0].clone() } else { Some(with_changes(kept, start, now)) }
        }
        Settings {
            pixel_error: merged(&self.pixel_error, &start.pixel_error, &now.pixel_error),
            triangles: merged(&self.triangles, &start.triangles, &now.triangles),
            fov_deg: merged(&self.fov_deg, &start.fov_deg, &now.fov_deg),
            overlays: merged(&self.overlays, &start.overlays, &now.overlays),
            sun: merged(&self.sun, &start.sun, &now.sun),
            speed: merged(&self.speed, &start.speed, &now.speed),
            frame_ms: merged(&self.frame_ms, &start.frame_ms, &now.frame_ms),
            figures: merged(&self.figures, &start.figures, &now.figures),
            reduced_motion: merged(&self.reduced_motion, &start.reduced_motion, &now.reduced_motion),
            units: merged(&self.units, &start.units, &now.units),
            vector_format: merged(&self.vector_format, &start.vector_format, &now.vector_format),
            text_scale: merged(&self.text_scale, &start.text_scale, &now.text_scale),
            theme: merged(&self.theme, &start.theme, &now.theme),
            pictures: merged(&self.pictures, &start.pictures, &now.pictures),
            keys: merged(&self.keys, &start.keys, &now.keys),
            bookmarks: merged_list([&self.bookmarks, &start.bookmarks, &now.bookmarks], bookmarks_with_changes),
            recent_places: merged_list(
                [&self.recent_places, &start.recent_places, &now.recent_places],
                recent_with_changes,
            ),
        }
    }
}

/// Bookmarks as they were kept, without those that were forgotten from `start` to `now`, and with those that are new or have another
/// view, each in its place or at the end.
fn bookmarks_with_changes(kept: &[Bookmark], start: &[Bookmark], now: &[Bookmark]) -> Vec<Bookmark> {
    let has = |all: &[Bookmark], name: &str| all.iter().any(|one| one.name == name);
    let is_forgotten = |one: &Bookmark| has(start, &one.name) && !has(now, &one.name);
    let mut all: Vec<Bookmark> = kept.iter().filter(|one| !is_forgotten(one)).cloned().collect();
    for changed in now.iter().filter(|one| !start.contains(one)) {
        match all.iter_mut().find(|one| one.name == changed.name) {
            Some(one) => one.view = changed.view,
            None => all.push(changed.clone()),
        }
    }
    all
}

/// Places as they were kept, below those that have come to the top from `start` to `now`: all else of `now` is in the order of `start`.
fn recent_with_changes(kept: &[RecentPlace], start: &[RecentPlace], now: &[RecentPlace]) -> Vec<RecentPlace> {
    let is_as_before = |below: &[RecentPlace]| {
        let mut before = start.iter();
        below.iter().all(|place| before.any(|one| one == place))
    };
    let new = (0..=now.len()).find(|new| is_as_before(&now[*new..])).unwrap_or(now.len());
    let (new, rest) = (&now[..new], kept.iter().filter(|place| !now[..new].contains(place)));
    new.iter().chain(rest).take(MOST_RECENT_PLACES).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: of two windows each adds what it has searched, above what is kept; each place is there once, and no more than are kept.
    #[test]
    fn windows_add_to_recent_places() {
        let of = |names: &str| {
            let place = |name: char| RecentPlace { name: name.to_string(), lat_deg: 1.0, lon_deg: 2.0 };
            Settings { recent_places: Some(names.chars().map(place).collect()), ..Settings::default() }
        };
        for (kept, start, now, expected) in [
            ("xab", "ab", "cab", "cxab"),
            ("xab", "ab", "ba", "bxa"),
            ("xab", "ab", "ab", "xab"),
            ("ab", "ab", "xyab", "xyab"),
            ("xabcdefg", "abcdefgh", "zabcdefg", "zxabcdef"),
            ("", "", "a", "a"),
            ("x", "ab", "ba", "bx"),
        ] {
            assert_eq!(of(kept).with_changes(&of(start), &of(now)), of(expected), "{kept} {start} {now}");
        }
        let none = Settings::default();
        assert_eq!(none.with_changes(&none, &of("a")), of("a"));
        for (name, lat_deg, lon_deg, told) in
            [("a\nb", 0.0, 0.0, "one line"), ("a", 91.0, 0.0, "lat_deg 91"), ("a", 0.0, f64::NAN, "lon_deg NaN")]
        {
            let place = RecentPlace { name: name.to_owned(), lat_deg, lon_deg };
            let said = Settings { recent_places: Some(vec![place]), ..Settings::default() }.out_of_range();
            assert!(said.as_ref().is_some_and(|said| said.contains(told) && !said.contains('\n')), "{said:?}");
        }
    }

    /// Law: what the user changed is kept, what the command line asked for is not, and what was kept before stays.
    #[test]
    fn an_option_holds_for_one_flight() {
        let kept = Settings { speed: Some(3.0), ..Settings::default() };
        // Started with --pixel-error 2, then the field of view was changed.
        let start = Settings { pixel_error: Some(2.0), fov_deg: Some(45.0), speed: Some(3.0), ..Settings::default() };
        let now = Settings { fov_deg: Some(60.0), ..start.clone() };
        let expected = Settings { speed: Some(3.0), fov_deg: Some(60.0), ..Settings::default() };
        assert_eq!(kept.with_changes(&start, &now), expected);
        assert_eq!(kept.with_changes(&start, &start), kept);
    }

    /// Law: keys are read by the names of their actions, and stay in the file whatever else is changed.
    #[test]
    fn keys_stay_in_the_file() {
        let json = r#"{"format":"orogen-settings","version":1,"settings":{"keys":{"home":["J","Ctrl+H"],"x":[]}}}"#;
        let kept = Settings::from_json(json.as_bytes(), |_| Ok(())).expect("settings");
        let keys = kept.keys.clone().expect("keys");
        assert_eq!((&keys["home"][..], keys["x"].len()), (&["J".to_owned(), "Ctrl+H".to_owned()][..], 0));
        let start = Settings::default();
        let changed = kept.with_changes(&start, &start.clone().with_speed(Some(2.0)));
        assert_eq!((changed.keys.as_ref(), changed.speed), (Some(&keys), Some(2.0)));
        let again = Settings::from_json(changed.to_json().expect("JSON").as_bytes(), |_| Ok(()));
        assert_eq!(again, Ok(changed));
    }

    #[test]
    fn every_choice_has_a_range() {
        assert_eq!(Settings::default().out_of_range(), None);
        let sun = |elevation_deg| Some(SunSetting::Follow { azimuth_deg: 0.0, elevation_deg });
        for (settings, named) in [
            (Settings { pixel_error: Some(0.0), ..Settings::default() }, "pixel_error 0"),
            (Settings { triangles: Some(1), ..Settings::default() }, "triangles 1"),
            (Settings { text_scale: Some(9.0), ..Settings::default() }, "text_scale 9"),
            (Settings { fov_deg: Some(f64::NAN), ..Settings::default() }, "fov_deg NaN"),
            (Settings { sun: sun(91.0), ..Settings::default() }, "elevation_deg 91"),
            (Settings { pictures: Some(String::from(" ")), ..Settings::default() }, "pictures: the name"),
            (Settings { figures: Some(String::from("all")), ..Settings::default() }, "figures: \"all\""),
            (Settings { units: Some(String::from("furlongs")), ..Settings::default() }, "units: \"furlongs\""),
            (Settings { theme: Some(String::from("sepia")), ..Settings::default() }, "theme: \"sepia\""),
            (Settings { vector_format: Some(String::from("shp")), ..Settings::default() }, "vector_format: \"shp\""),
        ] {
            let said = settings.out_of_range().unwrap_or_default();
            assert!(said.contains(named), "{said}");
        }
    }

    /// Law: bookmarks that are written are read; a view that is none, a name of more than a line and too many of them are told.
    #[test]
    fn bookmarks_are_written_and_read() {
        let bookmark = |name: &str, pitch_deg| Bookmark {
            name: name.to_owned(),
            view: Pose { lat_deg: 46.0, lon_deg: -7.25, height_m: 4_500.0, heading_deg: 359.9, pitch_deg },
        };
        let with = |bookmarks| Settings { bookmarks: Some(bookmarks), ..Settings::default() };
        let settings = with(vec![bookmark("Zürich", -20.0), bookmark("a \"b\" c", 0.0)]);
        let json = settings.to_json().expect("JSON");
        assert_eq!(Settings::from_json(json.as_bytes(), |_| Ok(())), Ok(settings));
        for (bookmarks, told) in [
            (vec![bookmark("a", -91.0)], "bookmark \"a\": pitch_deg -91 is not in [-90, 90]"),
            (vec![bookmark("a", f64::NAN)], "pitch_deg NaN"),
            (vec![bookmark("a\nb", 0.0)], "one line"),
            (vec![bookmark("", 0.0)], "one line"),
            (vec![bookmark("a", 0.0); MOST_BOOKMARKS + 1], "at most 500"),
        ] {
            let said = with(bookmarks).out_of_range().unwrap_or_default();
            assert!(said.contains(told) && !said.contains('\n'), "{said}");
        }
    }

    /// Law: a name that is made of any text is one that is read back, wherever the text is cut.
    #[test]
    fn names_of_bookmarks_are_names() {
        for length in MOST_CHARACTERS - 3..MOST_CHARACTERS + 3 {
            let name = Bookmark::name_of(&format!("{} b  c", "ä".repeat(length))).expect("a name");
            assert_eq!(Bookmark::name_of(&name).as_ref(), Some(&name));
        }
    }

    /// Law: what is written is read, unless there is a drawing of no known name in it.
    #[test]
    fn drawings_are_of_known_names() {
        let settings = Settings { overlays: Some(vec![String::from("x-rays")]), ..Settings::default() };
        let json = settings.to_json().expect("JSON");
        assert_eq!(Settings::from_json(json.as_bytes(), |_| Ok(())), Ok(settings));
        let unknown = |names: &[String]| Err(format!("{} is unknown", names.concat()));
        assert_eq!(Settings::from_json(json.as_bytes(), unknown), Err(String::from("overlays: x-rays is unknown")));
    }
}
