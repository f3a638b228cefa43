//! Which places has the user named on the ground? Those of one file beside the settings, GeoJSON that other programs read and write as well.
//! The window draws it like any other vector data.

use std::fmt;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use bevy_ecs::resource::Resource;
use foreign::style::{Colour, colour};
use serde_json::{Map, Value, json};

use crate::capture::AtomicFile;
use crate::settings::{SettingsFile, lock_folder};

/// A file of more bytes is not read.
const MOST_BYTES: u64 = 16 << 20;
/// Members of a feature as the simplestyle specification and the field's other programs name them.
const NAME: &str = "name";
const NOTE: &str = "description";
const COLOUR: &str = "marker-color";

/// Colours that are offered, with their names: those of M. Okabe and K. Ito, 2008, which people tell apart who see few colours.
pub const COLOURS: [(&str, Colour); 6] = [
    ("orange", [230, 159, 0, 255]),
    ("sky blue", [86, 180, 233, 255]),
    ("green", [0, 158, 115, 255]),
    ("yellow", [240, 228, 66, 255]),
    ("vermilion", [213, 94, 0, 255]),
    ("pink", [204, 121, 167, 255]),
];

/// A place with what the user says of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Placemark {
    /// Latitude and longitude, degrees.
    pub place_deg: [f64; 2],
    /// What stands beside it.
    pub name: String,
    /// What else is said of it.
    pub note: String,
    /// Red, green, blue and alpha, sRGB.
    pub colour: Colour,
}

/// A change of the file.
#[derive(Debug, Clone, PartialEq)]
pub enum PlacemarkEdit {
    /// One more.
    Add(Placemark),
    /// One in the place of the one that was.
    Replace(Placemark, Placemark),
    /// One less.
    Remove(Placemark),
}

impl PlacemarkEdit {
    /// What is to be said of it.
    pub fn told(&self) -> String {
        match self {
            PlacemarkEdit::Add(one) => format!("placemark {} is kept", one.name),
            PlacemarkEdit::Replace(_, one) => format!("placemark {} is changed", one.name),
            PlacemarkEdit::Remove(one) => format!("placemark {} is removed", one.name),
        }
    }
}

/// The file of placemarks.
#[derive(Resource, Debug, Clone, Default, PartialEq, Eq)]
pub struct PlacemarkFile(Option<PathBuf>);

/// Why placemarks are not kept.
#[derive(Debug)]
pub struct PlacemarkError {
    file: PathBuf,
    why: String,
}

impl fmt::Display for PlacemarkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "placemarks {}: {}", self.file.display(), foreign::sanitized(&self.why))
    }
}

impl PlacemarkFile {
    /// The one beside a file of settings; none without settings.
    pub fn beside(settings: Option<&SettingsFile>) -> PlacemarkFile {
        PlacemarkFile(settings.map(|settings| settings.path().with_file_name("placemarks.geojson")))
    }

    /// Where it is, if there is a place for one.
    pub fn path(&self) -> Option<&Path> {
        self.0.as_deref()
    }

    /// Whether a file is this one.
    pub fn is(&self, file: &Path) -> bool {
        self.path() == Some(file)
    }

    /// The placemark of a name nearest to a latitude and longitude in degrees.
    pub fn find(&self, name: &str, place_deg: [f64; 2]) -> Option<Placemark> {
        let features = read(self.path()?).ok()?;
        let of_name = features.iter().filter_map(placemark).filter(|one| one.name == name);
        let apart = |one: &Placemark| {
            let (east, north) = (one.place_deg[1] - place_deg[1], one.place_deg[0] - place_deg[0]);
            let east = (east - 360.0 * (east / 360.0).round()) * place_deg[0].to_radians().cos();
            east.hypot(north)
        };
        of_name.min_by(|a, b| apart(a).total_cmp(&apart(b)))
    }

    /// Changes the file, whole or not at all; what else is in it stays. Gives its path.
    ///
    /// # Errors
    /// A file that is no collection of features, or cannot be written; it is as it was.
    pub fn change(&self, edit: &PlacemarkEdit) -> Result<PathBuf, PlacemarkError> {
        let Some(path) = self.path() else {
            let why = String::from("there is no place for them: set XDG_CONFIG_HOME or HOME");
            return Err(PlacemarkError { file: PathBuf::new(), why });
        };
        let failed = |why: String| PlacemarkError { file: path.to_owned(), why };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| failed(error.to_string()))?;
        }
        let _only = lock_folder(path);
        let mut features = read(path).map_err(failed)?;
        let at = |features: &[Value], one: &Placemark| {
            let found = features.iter().position(|feature| placemark(feature).as_ref() == Some(one));
            found.ok_or_else(|| failed(format!("{} is not in it any more", one.name)))
        };
        match edit {
            PlacemarkEdit::Add(one) => features.push(feature(one, Map::new())),
            PlacemarkEdit::Replace(before, one) => {
                let at = at(&features, before)?;
                let known = features[at].get("properties").and_then(Value::as_object).cloned();
                features[at] = feature(one, known.unwrap_or_default());
            }
            PlacemarkEdit::Remove(one) => drop(features.remove(at(&features, one)?)),
        }
        let lines: Vec<String> = features.iter().map(Value::to_string).collect();
        let text = format!("{{\"type\":\"FeatureCollection\",\"features\":[\n{}\n]}}\n", lines.join(",\n"));
        let write = || -> io::Result<()> {
            let mut out = AtomicFile::create(path)?;
            out.write_all(text.as_bytes())?;
            out.commit()
        };
        write().map_err(|error| failed(error.to_string()))?;
        Ok(path.to_owned())
    }
}

/// The features of a file; none of one that is not there.
fn read(path: &Path) -> Result<Vec<Value>, String> {
    let bytes = match foreign::read_small(path, MOST_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error.to_string()),
    };
    let value: Value = serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
    let features = value.get("features").and_then(Value::as_array);
    features.cloned().ok_or_else(|| String::from("it is no GeoJSON collection of features: move it aside"))
}

/// A feature as a placemark, if it is a point with a name.
fn placemark(feature: &Value) -> Option<Placemark> {
    let text = |key: &str| feature["properties"][key].as_str().map(str::to_owned);
    if feature["geometry"]["type"] != "Point" {
        return None;
    }
    let of_place = |axis: usize| feature["geometry"]["coordinates"][axis].as_f64();
    let colour = text(COLOUR).and_then(|text| colour(&text).ok());
    Some(Placemark {
        place_deg: [of_place(1)?, of_place(0)?],
        name: text(NAME)?,
        note: text(NOTE).unwrap_or_default(),
        colour: colour.unwrap_or(COLOURS[0].1),
    })
}

/// A placemark as a feature, with what else is known of it.
fn feature(one: &Placemark, mut properties: Map<String, Value>) -> Value {
    let [red, green, blue, _] = one.colour;
    properties.insert(NAME.to_owned(), json!(one.name));
    properties.insert(COLOUR.to_owned(), json!(format!("#{red:02x}{green:02x}{blue:02x}")));
    match one.note.is_empty() {
        true => drop(properties.remove(NOTE)),
        false => drop(properties.insert(NOTE.to_owned(), json!(one.note))),
    }
    let [lat, lon] = one.place_deg;
    json!({ "type": "Feature", "properties": properties, "geometry": { "type": "Point", "coordinates": [lon, lat] } })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(name: &str, place_deg: [f64; 2]) -> Placemark {
        Placemark { place_deg, name: name.to_owned(), note: String::new(), colour: COLOURS[2].1 }
    }

    /// Law: what is added is found by its name, of several the nearest, across 180 degrees too; what is changed or removed is so in the
    /// file, and all else in it stays.
    #[test]
    fn placemarks_are_added_found_changed_and_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = PlacemarkFile::beside(Some(&SettingsFile::at(folder.path().join("new/settings.json"))));
        let path = file.path().expect("a path").to_owned();
        assert!(file.is(&path) && file.find("Camp", [0.0, 0.0]).is_none());
        let (east, west) = (one("Camp", [10.0, 179.5]), one("Camp", [10.0, -179.0]));
        for camp in [&east, &west, &one("\"Hütte\"\n<b>", [46.123_456_789, 7.0])] {
            assert_eq!(file.change(&PlacemarkEdit::Add(camp.clone())).expect("kept"), path);
        }
        assert_eq!(file.find("Camp", [10.0, -179.9]), Some(east.clone()));
        assert_eq!(file.find("Camp", [10.0, -179.3]), Some(west.clone()));
        assert_eq!(file.find("\"Hütte\"\n<b>", [0.0, 0.0]).expect("it").place_deg, [46.123_456_789, 7.0]);
        // What others write beside it.
        let text = std::fs::read_to_string(&path).expect("text");
        let line = r#"{"type":"Feature","properties":{"mine":1},"geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}},"#;
        let text = text
            .replacen("[\n", &format!("[\n{line}\n"), 1)
            .replace("\"name\":\"Camp\"", "\"name\":\"Camp\",\"mine\":2");
        std::fs::write(&path, text).expect("written");
        let noted = Placemark { note: String::from("by the lake"), name: String::from("Lake camp"), ..west.clone() };
        file.change(&PlacemarkEdit::Replace(west.clone(), noted.clone())).expect("changed");
        assert_eq!(
            (file.find("Camp", [10.0, -179.3]), file.find("Lake camp", [0.0, 0.0])),
            (Some(east.clone()), Some(noted))
        );
        file.change(&PlacemarkEdit::Remove(east.clone())).expect("removed");
        assert!(file.find("Camp", [0.0, 0.0]).is_none());
        let left: Value = serde_json::from_slice(&std::fs::read(&path).expect("bytes")).expect("JSON");
        let mine: Vec<_> =
            left["features"].as_array().expect("features").iter().map(|f| &f["properties"]["mine"]).collect();
        assert_eq!(mine, [&json!(1), &json!(2), &Value::Null]);
        // What is gone is told, and nothing else is changed.
        let before = std::fs::read(&path).expect("bytes");
        assert!(
            file.change(&PlacemarkEdit::Remove(east)).expect_err("gone").to_string().contains("not in it any more")
        );
        assert_eq!(std::fs::read(&path).expect("bytes"), before);
    }

    /// Law: a file that is something else is told with its path, and stays as it is; without a place for a file that is told.
    #[test]
    fn other_files_stay_as_they_are() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = PlacemarkFile::beside(Some(&SettingsFile::at(folder.path().join("settings.json"))));
        let path = file.path().expect("a path").to_owned();
        for text in ["", "{}", "[1, 2", "{\"features\": 3}"] {
            std::fs::write(&path, text).expect("written");
            let told = file.change(&PlacemarkEdit::Add(one("A", [0.0, 0.0]))).expect_err(text).to_string();
            assert!(told.contains("placemarks.geojson: ") && !told.contains('\n'), "{told}");
            assert_eq!(std::fs::read_to_string(&path).expect("text"), text);
        }
        let told = PlacemarkFile::beside(None).change(&PlacemarkEdit::Add(one("A", [0.0, 0.0]))).expect_err("no place");
        assert!(told.to_string().contains("HOME"), "{told}");
    }
}
