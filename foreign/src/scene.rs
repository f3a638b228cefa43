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

use serde_json::{Map, Value};

use crate::{
    calendar,
    path::Pose,
    raster::{self, RasterOptions},
    shown,
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
const MEMBERS: [&str; 16] = [
    "orogen",
    "version",
    "elevation",
    "vdatum",
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
const OPACITY: &str = "opacity";
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
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Scene {
    /// Elevation, the first on top.
    pub elevation: Vec<SceneFile<RasterOptions>>,
    /// What all heights are brought above.
    pub vdatum: Option<VerticalDatum>,
    /// Pictures with their opacities, the last on top.
    pub imagery: Vec<SceneFile<f64>>,
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
            scene.take(key, value, exists).map_err(|why| match MEMBERS.contains(&&**key) {
                true => format!("{key}: {why}"),
                false => why,
            })?;
        }
        match (members.contains_key("sun"), members.contains_key("time")) {
            (true, true) => Err(String::from("sun and time both say where the sun stands: leave one of them out")),
            _ => Ok(scene),
        }
    }

    fn take(&mut self, key: &str, value: &Value, exists: &dyn Fn(&str) -> bool) -> Result<(), String> {
        match key {
            "orogen" | "version" => {}
            "elevation" => {
                self.elevation =
                    files(value, &RasterOptions::KEYS, RasterOptions::take, |text| raster::source(text, exists))?;
            }
            "imagery" => {
                let take = |opacity: &mut Option<f64>, _: &str, value: &str| {
                    *opacity = Some(values::opacity(value)?);
                    Ok(true)
                };
                let read = |text| raster::picture(text, exists).map(|(name, opacity)| (name, Some(opacity)));
                let files = files(value, &[OPACITY], take, read)?.into_iter();
                self.imagery =
                    files.map(|file| SceneFile { name: file.name, options: file.options.unwrap_or(1.0) }).collect();
            }
            "vectors" => {
                self.vectors =
                    files(value, &VectorOptions::KEYS, VectorOptions::take, |text| style::vector(text, exists))?;
            }
            "vdatum" => self.vdatum = Some(word(value)?.parse()?),
            "water" => {
                self.water = Some(match value {
                    Value::Bool(true) => WaterSetting::On,
                    Value::Bool(false) => WaterSetting::Off,
                    Value::String(file) if is_name(file) => WaterSetting::File(file.clone()),
                    _ => return Err(String::from("expected true, false or a file")),
                });
            }
            "ramp" => self.ramp = Some(word(value)?.to_owned()),
            "detail" => {
                let word = word(value)?;
                values::named(word, &[("off", ()), ("relief", ()), ("all", ())])?;
                self.detail = Some(word.to_owned());
            }
            "exaggeration" => self.exaggeration = Some(values::exaggeration(&number(value)?)?),
            "fov_deg" => self.fov_deg = Some(values::fov_deg(&number(value)?)?),
            "shadows" => self.shadows = Some(value.as_bool().ok_or("expected true or false")?),
            "overlays" => {
                let names = value.as_array().ok_or("expected a list of names")?;
                self.overlays = Some(names.iter().map(|name| word(name).map(str::to_owned)).collect::<Result<_, _>>()?);
            }
            "sun" => {
                let sun = object(value, &SUN)?;
                let of = |key: &str| number(sun.get(key).ok_or_else(|| format!("{key} is missing"))?);
                self.sun = Some(values::sun(&format!("{},{}", of(SUN[0])?, of(SUN[1])?))?);
            }
            "time" => self.sun = Some(values::time(word(value)?)?),
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

    /// The text of a file of this scene, as [`Scene::from_json`] reads it; a time is written to the second, if it has four digits of a year.
    pub fn to_json(&self) -> String {
        let mut members = vec![("orogen", text("scene")), ("version", VERSION.to_string())];
        let mut add = |key, value: Option<String>| members.extend(value.map(|value| (key, value)));
        add("elevation", list(&self.elevation, raster_members));
        add("vdatum", self.vdatum.map(|datum| text(&datum.to_string())));
        add("imagery", list(&self.imagery, |opacity| vec![(OPACITY, digits(*opacity))]));
        add("vectors", list(&self.vectors, vector_members));
        add(
            "water",
            self.water.as_ref().map(|water| match water {
                WaterSetting::On => String::from("true"),
                WaterSetting::Off => String::from("false"),
                WaterSetting::File(file) => text(file),
            }),
        );
        add("ramp", self.ramp.as_deref().map(text));
        add("exaggeration", self.exaggeration.map(digits));
        let names = |names: &Vec<String>| names.iter().map(|name| text(name)).collect::<Vec<_>>().join(", ");
        add("overlays", self.overlays.as_ref().map(|all| format!("[{}]", names(all))));
        add("shadows", self.shadows.map(|casts| casts.to_string()));
        add("detail", self.detail.as_deref().map(text));
        match self.sun {
            Some(SunSetting::Follow { azimuth_deg, elevation_deg }) => {
                add("sun", Some(members_text(&[(SUN[0], digits(azimuth_deg)), (SUN[1], digits(elevation_deg))])));
            }
            Some(SunSetting::At { unix_s }) => {
                let time = calendar::written(unix_s);
                add("time", values::time(&time).is_ok().then(|| text(&time)));
            }
            None => {}
        }
        add("fov_deg", self.fov_deg.map(digits));
        add(
            "view",
            self.view.map(|Pose { lat_deg, lon_deg, height_m, heading_deg, pitch_deg }| {
                let numbers = [lat_deg, lon_deg, height_m, heading_deg, pitch_deg].map(digits);
                members_text(&VIEW.into_iter().zip(numbers).collect::<Vec<_>>())
            }),
        );
        let lines: Vec<String> = members.into_iter().map(|(key, value)| format!("  {}: {value}", text(key))).collect();
        format!("{{\n{}\n}}\n", lines.join(",\n"))
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
                    let said = said(value).ok_or_else(|| format!("{key}: expected a text or a number"))?;
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
fn said(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Array(two) => match &two[..] {
            [Value::Number(low), Value::Number(high)] => Some(format!("{low}:{high}")),
            _ => None,
        },
        _ => None,
    }
}

fn word(value: &Value) -> Result<&str, String> {
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
        Some(meant) => format!("\"{}\" is unknown: did you mean {meant}?", shown(key)),
        None => format!("\"{}\" is unknown; there are {}", shown(key), known.join(", ")),
    }
}

fn text(text: &str) -> String {
    Value::from(text).to_string()
}

/// A number; one that JSON has not, as a text.
fn digits(number: f64) -> String {
    if number.is_finite() { Value::from(number).to_string() } else { text(&number.to_string()) }
}

fn members_text(members: &[(&str, String)]) -> String {
    let members: Vec<String> = members.iter().map(|(key, value)| format!("{}: {value}", text(key))).collect();
    format!("{{{}}}", members.join(", "))
}

/// The text of a list of files, a line each; none of no file.
fn list<T>(files: &[SceneFile<T>], options: impl Fn(&T) -> Vec<(&'static str, String)>) -> Option<String> {
    let line = |file: &SceneFile<T>| {
        let members: Vec<_> = std::iter::once((FILE, text(&file.name))).chain(options(&file.options)).collect();
        format!("    {}", members_text(&members))
    };
    let lines: Vec<String> = files.iter().map(line).collect();
    (!lines.is_empty()).then(|| format!("[\n{}\n  ]", lines.join(",\n")))
}

fn raster_members(own: &RasterOptions) -> Vec<(&'static str, String)> {
    let RasterOptions { band, nodata, crs, unit_m, feather, valid_range_m, vdatum } = own;
    let said = [
        band.map(|band| band.to_string()),
        nodata.map(digits),
        crs.as_deref().map(text),
        unit_m.map(digits),
        feather.map(|postings| postings.to_string()),
        valid_range_m.map(|(low, high)| format!("[{}, {}]", digits(low), digits(high))),
        vdatum.map(|datum| text(&datum.to_string())),
    ];
    RasterOptions::KEYS.into_iter().zip(said).filter_map(|(key, said)| Some((key, said?))).collect()
}

fn vector_members(asked: &VectorOptions) -> Vec<(&'static str, String)> {
    let VectorOptions { style, label } = asked;
    let colour = |[red, green, blue, alpha]: [u8; 4]| text(&format!("#{red:02x}{green:02x}{blue:02x}{alpha:02x}"));
    let said =
        [style.color.map(colour), style.width_px.map(digits), style.fill.map(colour), label.as_deref().map(text)];
    VectorOptions::KEYS.into_iter().zip(said).filter_map(|(key, said)| Some((key, said?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Scene, String> {
        Scene::from_json(text.as_bytes(), &|_| false)
    }

    fn with(members: &str) -> Result<Scene, String> {
        read(&format!("{{\"orogen\": \"scene\", \"version\": 1, {members}}}"))
    }

    /// A scene that says all there is to say.
    fn full() -> Scene {
        let raster = RasterOptions {
            band: Some(2),
            nodata: Some(-9999.0),
            crs: Some(String::from("EPSG:4326+5773")),
            unit_m: Some(0.3048),
            feather: Some(4),
            valid_range_m: Some((-500.0, 9000.5)),
            vdatum: Some(VerticalDatum::NAVD88),
        };
        let mut lines = VectorOptions { label: Some(String::from("ele")), ..VectorOptions::default() };
        lines.style.color = Some([213, 94, 0, 255]);
        lines.style.fill = Some([1, 2, 3, 4]);
        lines.style.width_px = Some(2.5);
        Scene {
            elevation: vec![
                SceneFile { name: String::from("a,band=3.tif"), options: raster },
                SceneFile { name: String::from("ü \"b\"\n.tif"), options: RasterOptions::default() },
            ],
            vdatum: Some(VerticalDatum::Ellipsoid),
            imagery: vec![SceneFile { name: String::from("p.tif"), options: 0.25 }],
            vectors: vec![
                SceneFile { name: String::from("t.gpx"), options: lines },
                SceneFile { name: String::from("u.gpx"), options: VectorOptions::default() },
            ],
            water: Some(WaterSetting::File(String::from("lakes.gpkg"))),
            ramp: Some(String::from("viridis")),
            exaggeration: Some(1.5),
            overlays: Some(vec![String::from("names"), String::from("contours")]),
            shadows: Some(false),
            detail: Some(String::from("off")),
            sun: Some(SunSetting::At { unix_s: 1_782_043_200.0 }),
            fov_deg: Some(60.0),
            view: Some(Pose { lat_deg: -45.9, lon_deg: 7.123_456_789_012, ..Pose::HOME }),
        }
    }

    /// Law: what is written is read, whatever is said and whatever not.
    #[test]
    fn what_is_written_is_read() {
        let follow = SunSetting::Follow { azimuth_deg: -10.5, elevation_deg: 42.0 };
        let none_said = SceneFile { name: String::from("n.tif"), options: RasterOptions::default() };
        let odd = RasterOptions { nodata: Some(f64::NEG_INFINITY), ..RasterOptions::default() };
        for scene in [
            Scene::default(),
            full(),
            Scene { sun: Some(follow), water: Some(WaterSetting::Off), ..full() },
            Scene { elevation: vec![none_said.clone()], overlays: Some(Vec::new()), ..Scene::default() },
            Scene { elevation: vec![SceneFile { options: odd, ..none_said }], ..Scene::default() },
        ] {
            let json = scene.to_json();
            assert!(is_scene(json.as_bytes()));
            assert_eq!(read(&json).as_ref(), Ok(&scene), "{json}");
        }
        let far = Scene { sun: Some(SunSetting::At { unix_s: 1e10 }), ..Scene::default() };
        assert_eq!(read(&far.to_json()), Ok(Scene::default()));
    }

    /// Law: a file that is a text is read like a word of the command line, with all options that stand behind it there.
    #[test]
    fn texts_are_words_of_the_command_line() {
        let scene = with(
            r#""elevation": ["dem.tif,band=2,unit=ft"], "imagery": ["p.tif,opacity=0.5"], "vectors": ["t.gpx,width=3"]"#,
        )
        .expect("a scene");
        assert_eq!((scene.elevation[0].name.as_str(), scene.elevation[0].options.band), ("dem.tif", Some(2)));
        assert_eq!((scene.imagery[0].name.as_str(), scene.imagery[0].options), ("p.tif", 0.5));
        assert_eq!((scene.vectors[0].name.as_str(), scene.vectors[0].options.style.width_px), ("t.gpx", Some(3.0)));
        let there = Scene::from_json(br#"{"orogen":"scene","version":1,"elevation":["a,band=2"]}"#, &|_| true);
        assert_eq!(there.expect("a scene").elevation[0].name, "a,band=2");
    }

    /// Law: what is no scene of this version is refused with where it is wrong, what is expected, and the name that may be meant.
    #[test]
    fn refusals_tell_what_is_wrong() {
        for (members, told) in [
            (r#""elevatoin": []"#, "\"elevatoin\" is unknown: did you mean elevation?"),
            (
                r#""elevation": [{"file": "a"}, {"file": "a.tif", "bnad": 1}]"#,
                "elevation: 2: \"bnad\" is unknown: did you mean band?",
            ),
            (r#""elevation": [{"file": "a.tif", "valid_range": [0, 1]}]"#, "did you mean valid-range?"),
            (r#""elevation": [{"band": 1}]"#, "elevation: 1: expected a file"),
            (r#""elevation": [{"file": "a.tif", "band": 0}]"#, "elevation: 1: band: expected a whole number"),
            (r#""elevation": [{"file": "a.tif", "band": true}]"#, "band: expected a text or a number"),
            (r#""elevation": "a.tif""#, "elevation: expected a list"),
            (r#""elevation": [""]"#, "expected the name of a file"),
            (r#""imagery": [{"file": "a.tif", "opacity": 2}]"#, "opacity 2 is not in [0, 1]"),
            (r#""vectors": [{"file": "a", "colour": "red"}]"#, "did you mean color?"),
            (r#""water": 3"#, "water: expected true, false or a file"),
            (r#""exaggeration": 100"#, "exaggeration 100 is not in"),
            (r#""shadows": "on""#, "shadows: expected true or false"),
            (r#""time": "noon""#, "time: \"noon\" is not a time"),
            (r#""sun": {"azimuth_deg": 3}"#, "sun: elevation_deg is missing"),
            (
                r#""sun": {"azimuth_deg": 3, "elevation_deg": 4}, "time": "2026-06-21T12:00:00Z""#,
                "leave one of them out",
            ),
            (r#""view": {"lat_deg": 95, "lon_deg": 0, "height_m": 1}"#, "view: lat_deg 95 is not in"),
            (r#""view": {"lat": 95}"#, "view: \"lat\" is unknown"),
            (r#""view": {"lat_deg": 9}"#, "view: missing field `lon_deg`"),
            (r#""\u001b[2J": 1"#, "\"\\u{1b}[2J\" is unknown; there are orogen"),
        ] {
            let said = with(members).expect_err(members);
            assert!(said.contains(told) && !said.contains(char::is_control), "{members}: {said}");
        }
        for (text, told) in [
            ("[]", "expected an object"),
            ("{\"orogen\": \"scene\"}", "\"version\": 1"),
            ("{\"orogen\": \"path\", \"version\": 1}", "\"orogen\": \"scene\""),
            ("{\"orogen\": \"scene\", \"version\": 2}", "version 2, this program reads version 1"),
            ("{\"orogen\": \"scene\",", "line 1"),
        ] {
            assert!(read(text).is_err_and(|said| said.contains(told)), "{text}");
        }
    }

    /// Law: GeoJSON, other JSON and binary files are no scenes, whatever they hold inside.
    #[test]
    fn other_files_are_no_scenes() {
        for bytes in [
            &b"II*\0"[..],
            b"",
            b"{",
            br#"{"type": "FeatureCollection", "features": []}"#,
            br#"{"type": "Feature", "properties": {"orogen": "scene"}"#,
            br#"["orogen"]"#,
        ] {
            assert!(!is_scene(bytes), "{bytes:?}");
        }
        assert!(is_scene("\u{feff}{\"orogen\": 1}".as_bytes()));
    }

    /// Law: every key of the schema is one that is read, and the other way round; its examples are scenes.
    #[test]
    fn the_schema_says_what_is_read() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/scene.schema.json");
        let schema: Value = serde_json::from_slice(&std::fs::read(&path).expect("the schema")).expect("JSON");
        let keys = |of: &Value| {
            assert_eq!(of["additionalProperties"], false);
            let mut keys: Vec<String> = of["properties"].as_object().expect("members").keys().cloned().collect();
            keys.sort();
            keys
        };
        let sorted = |known: &[&str]| {
            let mut known: Vec<String> = known.iter().map(|key| (*key).to_owned()).collect();
            known.sort();
            known
        };
        let file = |options: &[&str]| sorted(&[&[FILE], options].concat());
        assert_eq!(keys(&schema), sorted(&MEMBERS));
        assert_eq!(keys(&schema["$defs"]["elevation"]), file(&RasterOptions::KEYS));
        assert_eq!(keys(&schema["$defs"]["picture"]), file(&[OPACITY]));
        assert_eq!(keys(&schema["$defs"]["vector"]), file(&VectorOptions::KEYS));
        assert_eq!(keys(&schema["properties"]["view"]), sorted(&VIEW));
        assert_eq!(keys(&schema["properties"]["sun"]), sorted(&SUN));
        let examples = schema["examples"].as_array().expect("examples");
        assert!(examples.len() >= 2);
        for example in examples {
            read(&example.to_string()).expect("a scene");
        }
        // So is what the guide shows.
        let guide = path.with_file_name("../viewer/guide/scenes.md");
        let guide = std::fs::read_to_string(guide).expect("the page");
        let shown = guide.split("```json").nth(1).and_then(|rest| rest.split("```").next()).expect("a scene");
        assert!(read(shown).expect("a scene").view.is_some());
        // All that is written has a key of its own.
        let written: Value = serde_json::from_str(&full().to_json()).expect("JSON");
        let members: Vec<&String> = written.as_object().expect("members").keys().collect();
        assert_eq!(members.len(), MEMBERS.len() - 1, "all but sun, which time stands for: {members:?}");
        assert_eq!(written["elevation"][0].as_object().expect("members").len(), 1 + RasterOptions::KEYS.len());
        assert_eq!(written["vectors"][0].as_object().expect("members").len(), 1 + VectorOptions::KEYS.len());
    }
}
