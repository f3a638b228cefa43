//! What does a scene file say? Which elevation, pictures and vector data are shown, how, and from where.
//!
//! The format is JSON, versioned; `docs/scene.schema.json` describes it. Unknown members are errors. A file of elevation, pictures or
//! vector data is an object, or a text that is read like a word of the command line.
//!
//! ```json
//! { "orogen": "scene", "version": 1,
//!   "elevation": [{"file": "dem.tif", "nodata": -9999, "vdatum": "EPSG:5703"}, "alps.tif,band=2"],
//!   "vectors": [{"file": "track.gpx", "color": "#d55e00", "width": 3}],
//!   "overlays": ["names", "contours"], "time": "2026-06-21T12:00:00Z",
//!   "view": {"lat_deg": 45.9, "lon_deg": 7.5, "height_m": 9000, "heading_deg": 60, "pitch_deg": -20} }
//! ```

#[cfg(test)]
mod tests;
mod write;

use serde_json::{Map, Value};

use crate::{
    path::Pose,
    raster::{self, PictureOptions, RasterOptions},
    sanitized,
    style::{self, VectorOptions},
    sun::SunSetting,
    text::nearest,
    values,
    vertical::VerticalDatum,
};

/// A file of more bytes is no scene.
pub const MOST_BYTES: u64 = 1 << 20;
/// The version this program writes and reads.
const VERSION: u64 = 1;

/// What stands in a scene.
const MEMBERS: [&str; 17] = [
    "orogen",
    "version",
    "elevation",
    "vdatum",
    "body",
    "imagery",
    "vectors",
    "water",
    "ramp",
    "exaggeration",
    "overlays",
    "shadows",
    "detail",
    "sun",
    "time",
    "fov_deg",
    "view",
];
const FILE: &str = "file";
const VIEW: [&str; 5] = ["lat_deg", "lon_deg", "height_m", "heading_deg", "pitch_deg"];
const SUN: [&str; 2] = ["azimuth_deg", "elevation_deg"];

/// A file as a scene names it, relative to the scene, and what is said of it.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneFile<T> {
    /// Its name.
    pub name: String,
    /// What is said of it.
    pub options: T,
}

/// Whether water is drawn, and which.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WaterSetting {
    /// That which ships.
    On,
    /// None.
    Off,
    /// That which ships, changed by a file's.
    File(String),
}

/// What a scene says; none where it says nothing.
///
/// ```
/// use foreign::scene::{Scene, WaterSetting};
/// let text = r#"{"orogen": "scene", "version": 1, "elevation": ["alps.tif,band=2"], "water": false, "fov_deg": 50}"#;
/// let scene = Scene::from_json(text.as_bytes(), &|_| false)?;
/// assert_eq!((scene.elevation[0].name.as_str(), scene.elevation[0].options.band), ("alps.tif", Some(2)));
/// assert_eq!((&scene.water, scene.fov_deg), (&Some(WaterSetting::Off), Some(50.0)));
/// assert_eq!(Scene::from_json(scene.to_json().as_bytes(), &|_| false)?, scene);
/// let said = Scene::from_json(text.replace("false", "\"off\"").as_bytes(), &|_| false)?;
/// assert_eq!(said, scene);
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Scene {
    /// Elevation, the first on top.
    pub elevation: Vec<SceneFile<RasterOptions>>,
    /// What all heights are brought above.
    pub vdatum: Option<VerticalDatum>,
    /// The planet or moon that the data are of, as `--body` says it.
    pub body: Option<String>,
    /// Pictures, the last on top.
    pub imagery: Vec<SceneFile<PictureOptions>>,
    /// Points, lines and areas, the last on top.
    pub vectors: Vec<SceneFile<VectorOptions>>,
    /// Sea and lakes.
    pub water: Option<WaterSetting>,
    /// Colours of heights, by a name of `--ramp`.
    pub ramp: Option<String>,
    /// How many times as high heights are drawn.
    pub exaggeration: Option<f64>,
    /// What is drawn, by names of `--overlays`.
    pub overlays: Option<Vec<String>>,
    /// Whether mountains cast shadows.
    pub shadows: Option<bool>,
    /// What is made up, by a word of `--detail`.
    pub detail: Option<String>,
    /// Where the light comes from.
    pub sun: Option<SunSetting>,
    /// Vertical field of view, degrees.
    pub fov_deg: Option<f64>,
    /// The eye and where it looks.
    pub view: Option<Pose>,
}

/// Whether a file says that it is a scene: JSON whose outermost object has a member `orogen`, or that begins with it and is damaged.
///
/// ```
/// assert!(foreign::scene::is_scene(br#"{"version": 1, "orogen": "scene"}"#));
/// assert!(foreign::scene::is_scene(br#"{ "orogen": "scene", "#));
/// assert!(!foreign::scene::is_scene(br#"{"type": "FeatureCollection", "features": [{"orogen": "scene"}]}"#));
/// ```
pub fn is_scene(bytes: &[u8]) -> bool {
    let bytes = without_mark(bytes).trim_ascii_start();
    let Some(inside) = bytes.strip_prefix(b"{") else { return false };
    match serde_json::from_slice::<Value>(bytes) {
        Ok(value) => value.get(MEMBERS[0]).is_some(),
        Err(_) => inside.trim_ascii_start().starts_with(b"\"orogen\""),
    }
}

/// Without the byte order mark that editors of some systems write.
fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes)
}

impl Scene {
    /// Reads a scene; `exists` says whether a file has a name that may have options behind it.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn from_json(bytes: &[u8], exists: &dyn Fn(&str) -> bool) -> Result<Scene, String> {
        let value: Value = serde_json::from_slice(without_mark(bytes)).map_err(|error| error.to_string())?;
        let Value::Object(members) = value else { return Err(String::from("expected an object")) };
        match (members.get("orogen"), members.get("version").and_then(Value::as_u64)) {
            (Some(Value::String(kind)), Some(VERSION)) if kind == "scene" => {}
            (Some(Value::String(kind)), Some(version)) if kind == "scene" => {
                return Err(format!("version {version}, this program reads version {VERSION}"));
            }
            _ => return Err(format!("expected \"orogen\": \"scene\" and \"version\": {VERSION}")),
        }
        let mut scene = Scene::default();
        for (key, value) in &members {
            scene.set(key, value, exists).map_err(|why| match MEMBERS.contains(&&**key) {
                true => format!("{key}: {why}"),
                false => why,
            })?;
        }
        match (members.contains_key("sun"), members.contains_key("time")) {
            (true, true) => Err(String::from("sun and time both say where the sun stands: leave one of them out")),
            _ => Ok(scene),
        }
    }

    fn set(&mut self, key: &str, value: &Value, exists: &dyn Fn(&str) -> bool) -> Result<(), String> {
        match key {
            "orogen" | "version" => {}
            "elevation" => {
                self.elevation =
                    files(value, &RasterOptions::KEYS, RasterOptions::set, |text| raster::source(text, exists))?;
            }
            "imagery" => {
                self.imagery =
                    files(value, &PictureOptions::KEYS, PictureOptions::set, |text| raster::picture(text, exists))?;
            }
            "vectors" => {
                self.vectors =
                    files(value, &VectorOptions::KEYS, VectorOptions::set, |text| style::vector(text, exists))?;
            }
            "vdatum" => self.vdatum = Some(string(value)?.parse()?),
            "body" => {
                let text = string(value)?;
                values::radii_m(text)?;
                self.body = Some(text.to_owned());
            }
            "water" => {
                self.water = Some(match value {
                    Value::Bool(true) => WaterSetting::On,
                    Value::Bool(false) => WaterSetting::Off,
                    // As they are on the command line, where `./off` is a file.
                    Value::String(word) if word == "on" => WaterSetting::On,
                    Value::String(word) if word == "off" => WaterSetting::Off,
                    Value::String(file) if is_name(file) => WaterSetting::File(file.clone()),
                    _ => return Err(String::from("expected true, false or a file")),
                });
            }
            "ramp" => self.ramp = Some(string(value)?.to_owned()),
            "detail" => {
                let word = string(value)?;
                values::named(word, &[("off", ()), ("relief", ()), ("all", ())])?;
                self.detail = Some(word.to_owned());
            }
            "exaggeration" => self.exaggeration = Some(values::exaggeration(&number(value)?)?),
            "fov_deg" => self.fov_deg = Some(values::fov_deg(&number(value)?)?),
            "shadows" => self.shadows = Some(value.as_bool().ok_or("expected true or false")?),
            "overlays" => {
                let names = value.as_array().ok_or("expected a list of names")?;
                self.overlays =
                    Some(names.iter().map(|name| string(name).map(str::to_owned)).collect::<Result<_, _>>()?);
            }
            "sun" => {
                let sun = object(value, &SUN)?;
                let of = |key: &str| number(sun.get(key).ok_or_else(|| format!("{key} is missing"))?);
                self.sun = Some(values::sun(&format!("{},{}", of(SUN[0])?, of(SUN[1])?))?);
            }
            "time" => self.sun = Some(values::time(string(value)?)?),
            "view" => {
                object(value, &VIEW)?;
                let view: Pose = serde_json::from_value(value.clone()).map_err(|error| error.to_string())?;
                self.view = Some(view);
                return view.out_of_range().map_or(Ok(()), Err);
            }
            _ => return Err(unknown(key, &MEMBERS)),
        }
        Ok(())
    }
}

/// The files of a list, each with options of some keys.
fn files<'a, T: Default>(
    value: &'a Value,
    keys: &[&str],
    take: impl Fn(&mut T, &str, &str) -> Result<bool, String>,
    read: impl Fn(&'a str) -> Result<(&'a str, T), String>,
) -> Result<Vec<SceneFile<T>>, String> {
    let all = value.as_array().ok_or("expected a list of files")?;
    let file = |value: &'a Value| {
        let (name, options) = match value {
            Value::String(text) => read(text)?,
            _ => {
                let known: Vec<&str> = std::iter::once(FILE).chain(keys.iter().copied()).collect();
                let members = object(value, &known)?;
                let name = members.get(FILE).and_then(Value::as_str).ok_or("expected a file and its options")?;
                let mut options = T::default();
                for (key, value) in members.iter().filter(|(key, _)| *key != FILE) {
                    let said =
                        option_text(value).ok_or_else(|| format!("{key}: expected a text, a number, true or false"))?;
                    take(&mut options, key, &said).map_err(|why| format!("{key}: {why}"))?;
                }
                (name, options)
            }
        };
        if !is_name(name) {
            return Err(String::from("expected the name of a file"));
        }
        Ok(SceneFile { name: name.to_owned(), options })
    };
    (1..).zip(all).map(|(place, value)| file(value).map_err(|why| format!("{place}: {why}"))).collect()
}

/// Whether a text may be the name of a file.
fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.contains('\0')
}

/// What an option says, as it would stand behind a name on the command line.
fn option_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(is_so) => Some(is_so.to_string()),
        Value::Array(two) => match &two[..] {
            [Value::Number(low), Value::Number(high)] => Some(format!("{low}:{high}")),
            _ => None,
        },
        _ => None,
    }
}

fn string(value: &Value) -> Result<&str, String> {
    value.as_str().ok_or_else(|| String::from("expected a text"))
}

fn number(value: &Value) -> Result<String, String> {
    if value.is_number() { Ok(value.to_string()) } else { Err(String::from("expected a number")) }
}

/// The members of an object, all of which are known.
fn object<'a>(value: &'a Value, known: &[&str]) -> Result<&'a Map<String, Value>, String> {
    let members = value.as_object().ok_or_else(|| format!("expected an object of {}", known.join(", ")))?;
    match members.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => Err(unknown(key, known)),
        None => Ok(members),
    }
}

fn unknown(key: &str, known: &[&str]) -> String {
    match nearest(key, known) {
        Some(meant) => format!("\"{}\" is unknown: did you mean {meant}?", sanitized(key)),
        None => format!("\"{}\" is unknown; there are {}", sanitized(key), known.join(", ")),
    }
}
