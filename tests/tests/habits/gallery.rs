//! Where are the pictures that the tests see? With `OROGEN_BLESS`, on a page in `out/habits`; else nobody keeps them.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    sync::{Mutex, PoisonError},
};

use image::RgbImage;

/// Captions by the names of their pictures.
static PAGE: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());

/// Whether there is to be a page.
pub fn is_wanted() -> bool {
    std::env::var_os("OROGEN_BLESS").is_some()
}

/// Keeps a picture under a name, with what it shows, on the page.
pub fn keep(picture: &RgbImage, name: &str, caption: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../out/habits");
    fs::create_dir_all(&folder).unwrap();
    picture.save(folder.join(format!("{name}.png"))).unwrap();
    let mut page = PAGE.lock().unwrap_or_else(PoisonError::into_inner);
    page.insert(name.to_owned(), caption.to_owned());
    let figure = |(name, caption): (&String, &String)| {
        format!("<figure><img src=\"{name}.png\" alt=\"{name}\"><figcaption>{caption}</figcaption></figure>\n")
    };
    let head = "<!DOCTYPE html><meta charset=\"utf-8\"><title>Habits</title>\n<h1>The window, habit by habit</h1>\n";
    fs::write(folder.join("index.html"), head.to_owned() + &page.iter().map(figure).collect::<String>()).unwrap();
}
