//! What does the title of the window say? Which files are open.

use std::path::Path;

use crate::layers::{LayerKind, Layers};
use crate::placemarks::PlacemarkFile;

/// Most files that are named.
const MOST_NAMES: usize = 2;

/// Names of files, elevation first, and that of the program. Placemarks are there in every flight, and not named.
pub(super) fn title(layers: &Layers, placemarks: &PlacemarkFile) -> String {
    let files = LayerKind::ALL.into_iter().rev().flat_map(|kind| layers.of_kind(kind));
    let names: Vec<String> = files.filter(|file| !placemarks.is(file)).map(|file| name(file)).collect();
    let shown = names[..names.len().min(MOST_NAMES)].join(", ");
    match names.len() {
        0 => String::from("Orogen"),
        1..=MOST_NAMES => format!("{shown} - Orogen"),
        more => format!("{shown} and {} more - Orogen", more - MOST_NAMES),
    }
}

/// The name of a file, of an address without what is asked of the server: that may be a password.
fn name(file: &Path) -> String {
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
    let is_address = file.starts_with("/vsicurl") || file.to_string_lossy().contains("://");
    let shown = if is_address { name.split('?').next().unwrap_or_default() } else { &name };
    foreign::sanitized(shown).to_string()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// Law: the title names the files that are open, without their folders and without placemarks, and says how many it does not name.
    #[test]
    fn files_that_are_open_are_named() {
        let placemarks = PlacemarkFile::beside(Some(Path::new("/home/settings.json")));
        let files = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        let told = |vectors: &[&str], pictures: &[&str], elevation: &[&str]| {
            title(&Layers::new(files(vectors), files(pictures), files(elevation)), &placemarks)
        };
        let kept = "/home/placemarks.geojson";
        assert_eq!(told(&[kept], &[], &[]), "Orogen");
        assert_eq!(told(&[kept, "/data/track.gpx"], &[], &[]), "track.gpx - Orogen");
        assert_eq!(told(&["track.gpx", kept], &[], &["/data/alps.tif"]), "alps.tif, track.gpx - Orogen");
        for address in ["https://a.example/b/dem.tif?key=secret", "/vsicurl/https://a.example/dem.tif?key=secret"] {
            assert_eq!(told(&[], &[], &[address]), "dem.tif - Orogen");
        }
        assert_eq!(told(&[], &[], &["/data/what?.tif"]), "what?.tif - Orogen");
        assert_eq!(told(&["track.gpx"], &["map.png"], &["a.tif", "b.tif"]), "a.tif, b.tif and 2 more - Orogen");
    }
}
