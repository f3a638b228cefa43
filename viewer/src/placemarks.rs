//! Which places has the user named on the ground? Those of one file beside the settings, GeoJSON that other programs read and write as well.
//! The window draws it like any other vector data.

use std::fmt;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use bevy_ecs::resource::Resource;
use foreign::style::{Colour, colour};
use serde_json::{Map, Value, json};
use terrain::feature_writer::NamedFeature;
use terrain::features::Shape;

use crate::capture::{AtomicFile, lock_folder};

/// A file of more bytes is not read.
const MOST_BYTES: u64 = 16 << 20;
/// Places that differ by less are one, degrees.
const SAME_DEG: f64 = 1e-9;
/// What is said of another file.
const NO_COLLECTION: &str = "it is no GeoJSON collection of features: move it aside";
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
    pub fn beside(settings: Option<&Path>) -> PlacemarkFile {
        PlacemarkFile(settings.map(|settings| settings.with_file_name("placemarks.geojson")))
    }

    /// Where it is, if there is a place for one.
    pub fn path(&self) -> Option<&Path> {
        self.0.as_deref()
    }

    /// Whether a file is this one.
    pub fn is(&self, file: &Path) -> bool {
        self.path() == Some(file)
    }

    /// The placemark at a latitude and longitude in degrees.
    pub fn find(&self, place_deg: [f64; 2]) -> Option<Placemark> {
        let root = read(self.path()?).ok()?;
        let is_there = |one: &Placemark| (0..2).all(|axis| (one.place_deg[axis] - place_deg[axis]).abs() < SAME_DEG);
        root["features"].as_array()?.iter().filter_map(placemark).find(is_there)
    }

    /// All of them for a file of another format, and nothing else that is in this one.
    ///
    /// # Errors
    /// A file that cannot be read, or is no collection of features.
    pub fn features(&self) -> Result<Vec<NamedFeature>, PlacemarkError> {
        let Some(path) = self.path() else { return Ok(Vec::new()) };
        let root = read(path).map_err(|why| PlacemarkError { file: path.to_owned(), why })?;
        let all = root["features"].as_array().into_iter().flatten().filter_map(placemark);
        let feature = |Placemark { place_deg: [lat, lon], name, note, colour }| NamedFeature {
            shape: Shape::Point([lon, lat]),
            name,
            note,
            colour,
            measures: Vec::new(),
        };
        Ok(all.map(feature).collect())
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
        let mut root = read(path).map_err(failed)?;
        let features = root["features"].as_array_mut().ok_or_else(|| failed(NO_COLLECTION.to_owned()))?;
        let at = |features: &[Value], one: &Placemark| {
            let found = features.iter().position(|feature| placemark(feature).as_ref() == Some(one));
            found.ok_or_else(|| failed(format!("{} is not in it any more", one.name)))
        };
        match edit {
            PlacemarkEdit::Add(one) => {
                let [lat, lon] = one.place_deg;
                let geometry = json!({ "type": "Point", "coordinates": [lon, lat] });
                features.push(
                    json!({ "type": "Feature", "properties": properties(one, Map::new()), "geometry": geometry }),
                );
            }
            PlacemarkEdit::Replace(before, one) => {
                let at = at(features, before)?;
                let known = features[at]["properties"].as_object().cloned();
                features[at]["properties"] = properties(one, known.unwrap_or_default());
            }
            PlacemarkEdit::Remove(one) => drop(features.remove(at(features, one)?)),
        }
        let text = serde_json::to_string_pretty(&root).map_err(|error| failed(error.to_string()))?;
        let write = || -> io::Result<()> {
            let mut out = AtomicFile::create(path)?;
            out.write_all(text.as_bytes())?;
            out.commit()
        };
        write().map_err(|error| failed(error.to_string()))?;
        Ok(path.to_owned())
    }
}

/// The collection in a file, of longitudes and latitudes; an empty one where it is not there.
fn read(path: &Path) -> Result<Value, String> {
    let bytes = match foreign::read_small(path, MOST_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(json!({ "type": "FeatureCollection", "features": [] }));
        }
        Err(error) => return Err(error.to_string()),
    };
    let root: Value = serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
    let crs = root.get("crs").map(Value::to_string).unwrap_or_default();
    if !crs.is_empty() && !crs.contains("CRS84") && !crs.contains("4326") {
        return Err(String::from("its places are not in longitudes and latitudes of WGS 84: save it so (EPSG:4326)"));
    }
    root.get("features").is_some_and(Value::is_array).then_some(root).ok_or_else(|| NO_COLLECTION.to_owned())
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

/// What is said of a placemark, with what else is known of it.
fn properties(one: &Placemark, mut properties: Map<String, Value>) -> Value {
    let [red, green, blue, _] = one.colour;
    properties.insert(NAME.to_owned(), json!(one.name));
    properties.insert(COLOUR.to_owned(), json!(format!("#{red:02x}{green:02x}{blue:02x}")));
    match one.note.is_empty() {
        true => drop(properties.remove(NOTE)),
        false => drop(properties.insert(NOTE.to_owned(), json!(one.note))),
    }
    Value::Object(properties)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(name: &str, place_deg: [f64; 2]) -> Placemark {
        Placemark { place_deg, name: name.to_owned(), note: String::new(), colour: COLOURS[2].1 }
    }

    /// Law: what is added is found at its place; what is changed or removed is so in the file, and all else in it stays, whatever others have
    /// written.
    #[test]
    fn placemarks_are_added_found_changed_and_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = PlacemarkFile::beside(Some(&folder.path().join("new/settings.json")));
        let path = file.path().expect("a path").to_owned();
        assert!(file.is(&path) && file.find([10.0, 179.5]).is_none());
        let (east, west) = (one("Camp", [10.0, 179.5]), one("Camp", [10.0, -179.0]));
        for camp in [&east, &west, &one("\"Hütte\"\n<b>", [46.123_456_789, 7.0])] {
            assert_eq!(file.change(&PlacemarkEdit::Add(camp.clone())).expect("kept"), path);
        }
        assert_eq!((file.find([10.0, 179.5]), file.find([10.0, -179.0])), (Some(east.clone()), Some(west.clone())));
        assert_eq!(file.find([46.123_456_789, 7.0]).expect("it").name, "\"Hütte\"\n<b>");
        // What others write beside it, and in it.
        let mut root: Value = serde_json::from_slice(&std::fs::read(&path).expect("bytes")).expect("JSON");
        let line = json!({ "type": "LineString", "coordinates": [[1, 2], [3, 4]] });
        let features = root["features"].as_array_mut().expect("features");
        features.insert(0, json!({ "type": "Feature", "properties": { "mine": 1 }, "geometry": line }));
        (features[2]["id"], features[2]["properties"]["mine"]) = (json!(7), json!(2));
        features[2]["geometry"]["coordinates"] = json!([-179.0, 10.0, 900.5]);
        root["name"] = json!("camps");
        std::fs::write(&path, root.to_string()).expect("written");
        let noted = Placemark { note: String::from("by the lake"), name: String::from("Lake camp"), ..west.clone() };
        file.change(&PlacemarkEdit::Replace(west.clone(), noted.clone())).expect("changed");
        assert_eq!((file.find([10.0, 179.5]), file.find([10.0, -179.0])), (Some(east.clone()), Some(noted)));
        file.change(&PlacemarkEdit::Remove(east.clone())).expect("removed");
        assert!(file.find([10.0, 179.5]).is_none());
        let left: Value = serde_json::from_slice(&std::fs::read(&path).expect("bytes")).expect("JSON");
        let features = left["features"].as_array().expect("features");
        assert_eq!((features.len(), &left["name"]), (3, &json!("camps")));
        assert_eq!((&features[0]["properties"], &features[1]["id"]), (&json!({ "mine": 1 }), &json!(7)));
        assert_eq!(features[1]["geometry"]["coordinates"], json!([-179.0, 10.0, 900.5]));
        assert_eq!(features[1]["properties"]["mine"], json!(2));
        // Other formats have the placemarks alone.
        let all = file.features().expect("features");
        let expected = NamedFeature {
            shape: Shape::Point([-179.0, 10.0]),
            name: String::from("Lake camp"),
            note: String::from("by the lake"),
            colour: COLOURS[2].1,
            measures: Vec::new(),
        };
        assert_eq!((all.len(), &all[0]), (2, &expected));
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
        let file = PlacemarkFile::beside(Some(&folder.path().join("settings.json")));
        let path = file.path().expect("a path").to_owned();
        for text in ["", "{}", "[1, 2", "{\"features\": 3}", "{\"crs\": {\"name\": \"EPSG:2056\"}, \"features\": []}"] {
            std::fs::write(&path, text).expect("written");
            let told = file.change(&PlacemarkEdit::Add(one("A", [0.0, 0.0]))).expect_err(text).to_string();
            assert!(told.contains("placemarks.geojson: ") && !told.contains('\n'), "{told}");
            assert_eq!(std::fs::read_to_string(&path).expect("text"), text);
        }
        let told = PlacemarkFile::beside(None).change(&PlacemarkEdit::Add(one("A", [0.0, 0.0]))).expect_err("no place");
        assert!(told.to_string().contains("HOME"), "{told}");
    }
}
