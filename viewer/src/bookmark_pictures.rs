//! How does a bookmark look? Small pictures, files in a folder beside the settings. They are no part of what is kept: one that is missing
//! is not shown, and a view that is kept anew has one again.

use std::collections::HashMap;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use bevy_ecs::resource::Resource;
use egui::{ColorImage, TextureHandle, TextureOptions};
use image::{ImageFormat, ImageReader, Limits, RgbImage};

use crate::capture::{SMALL_PX, write_png};

/// The folder beside the settings.
const FOLDER: &str = "bookmarks";
/// As many are looked for in a frame.
const MOST_A_FRAME: usize = 4;
/// A file of more bytes is none of these.
const MOST_BYTES: u64 = 1 << 18;

/// The pictures of bookmarks.
#[derive(Resource, Default)]
pub struct BookmarkPictures {
    /// Where they are; none where nothing is kept.
    folder: Option<PathBuf>,
    next: NextPicture,
    /// Those that were looked for, by the names of their bookmarks; none where there is none.
    shown: HashMap<String, Option<TextureHandle>>,
}

/// The picture of the view that is being kept: the frame may come before its name, or after it.
#[derive(Debug, Default, PartialEq)]
enum NextPicture {
    /// No view is being kept.
    #[default]
    None,
    /// Neither is there.
    Waits,
    /// The frame has come.
    Seen(RgbImage),
    /// The view has a name.
    Named(String),
}

impl BookmarkPictures {
    /// Those beside a file of settings; none without settings.
    pub fn beside(settings: Option<&Path>) -> BookmarkPictures {
        let folder = settings.and_then(|file| Some(file.parent()?.join(FOLDER)));
        BookmarkPictures { folder, ..BookmarkPictures::default() }
    }

    /// A view is about to be kept, and the frame that shows it comes.
    pub fn begin(&mut self) {
        self.next = NextPicture::Waits;
    }

    /// The frame has come.
    pub fn receive(&mut self, image: RgbImage) {
        match std::mem::take(&mut self.next) {
            NextPicture::Named(name) => self.keep(&name, image),
            NextPicture::Waits | NextPicture::Seen(_) => self.next = NextPicture::Seen(image),
            NextPicture::None => {}
        }
    }

    /// The view has a name. What another one of that name looked like is forgotten.
    pub fn name(&mut self, name: &str) {
        self.forget(name);
        match std::mem::take(&mut self.next) {
            NextPicture::Seen(image) => self.keep(name, image),
            NextPicture::Waits => self.next = NextPicture::Named(name.to_owned()),
            NextPicture::Named(_) | NextPicture::None => {}
        }
    }

    /// A bookmark is forgotten.
    pub fn forget(&mut self, name: &str) {
        self.shown.remove(name);
        if self.next == NextPicture::Named(name.to_owned()) {
            self.next = NextPicture::None;
        }
        if let Some(path) = self.path(name) {
            // One that is not there need not go.
            let _ = std::fs::remove_file(path);
        }
    }

    /// Looks for the pictures of bookmarks that have not been looked for, a few a frame.
    pub fn load<'a>(&mut self, egui: &egui::Context, names: impl Iterator<Item = &'a str>) {
        let unknown: Vec<&str> = names.filter(|name| !self.is_looked_for(name)).take(MOST_A_FRAME).collect();
        for name in unknown {
            let image = self.path(name).and_then(|path| read(&path));
            let texture = image.map(|image| {
                let size = [image.width() as usize, image.height() as usize];
                let image = ColorImage::from_rgb(size, image.as_raw());
                egui.load_texture("bookmark", image, TextureOptions::LINEAR)
            });
            self.shown.insert(name.to_owned(), texture);
        }
    }

    /// The picture of a bookmark, if there is one and it has been looked for.
    pub fn picture(&self, name: &str) -> Option<&TextureHandle> {
        self.shown.get(name)?.as_ref()
    }

    /// Whether the picture of a bookmark has been looked for.
    pub fn is_looked_for(&self, name: &str) -> bool {
        self.shown.contains_key(name)
    }

    /// Forgets what lived on a device that was lost.
    pub fn rebuild_on_device(&mut self) {
        self.shown.clear();
    }

    /// Keeps a picture, if that can be: the bookmark is good without it.
    fn keep(&mut self, name: &str, image: RgbImage) {
        self.shown.remove(name);
        if let Some(path) = self.path(name)
            && path.parent().is_some_and(|folder| std::fs::create_dir_all(folder).is_ok())
        {
            let _ = write_png(&path, image);
        }
    }

    /// The file of a bookmark: its name may hold what no name of a file may.
    fn path(&self, name: &str) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(format!("{:016x}.png", hash(name))))
    }
}

/// FNV-1a (Fowler, Noll and Vo), which is the same in every version of the program.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The picture of a file, if it is one of these.
fn read(path: &Path) -> Option<RgbImage> {
    let bytes = foreign::read_small(path, MOST_BYTES).ok()?;
    let mut limits = Limits::default();
    (limits.max_image_width, limits.max_image_height) = (Some(SMALL_PX.0), Some(SMALL_PX.1));
    let mut reader = ImageReader::with_format(Cursor::new(bytes), ImageFormat::Png);
    reader.limits(limits);
    Some(reader.decode().ok()?.to_rgb8())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(grey: u8) -> RgbImage {
        RgbImage::from_pixel(SMALL_PX.0, SMALL_PX.1, image::Rgb([grey; 3]))
    }

    /// The files of the folder.
    fn files(folder: &Path) -> Vec<PathBuf> {
        let all = std::fs::read_dir(folder.join(FOLDER));
        all.map(|all| all.flatten().map(|file| file.path()).collect()).unwrap_or_default()
    }

    /// What the file of a bookmark holds: the grey of its picture.
    fn grey(pictures: &BookmarkPictures, name: &str) -> Option<u8> {
        read(&pictures.path(name)?).map(|image| image.get_pixel(0, 0).0[0])
    }

    /// Law: a bookmark has the picture of its view, whether the frame comes before its name or after it, and none when no frame came; what
    /// is forgotten leaves no file, and no name is one.
    #[test]
    fn bookmarks_have_pictures() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let mut pictures = BookmarkPictures::beside(Some(&folder.path().join("settings.json")));
        pictures.receive(image(9));
        assert!(files(folder.path()).is_empty(), "no view is kept");
        for (name, frame_first) in [("../\u{e4} b", true), ("K2", false)] {
            pictures.begin();
            if frame_first {
                pictures.receive(image(10));
                pictures.name(name);
            } else {
                pictures.name(name);
                assert_eq!(grey(&pictures, name), None);
                pictures.receive(image(10));
            }
            assert_eq!(grey(&pictures, name), Some(10));
        }
        assert_eq!(files(folder.path()).len(), 2);
        // Another view of the same name, of which no frame has come yet.
        pictures.begin();
        pictures.name("K2");
        assert_eq!(grey(&pictures, "K2"), None);
        pictures.receive(image(30));
        assert_eq!(grey(&pictures, "K2"), Some(30));
        // One that is not kept.
        pictures.begin();
        pictures.receive(image(50));
        pictures.begin();
        pictures.name("later");
        assert_eq!(grey(&pictures, "later"), None);
        for name in ["../\u{e4} b", "K2", "later", "never"] {
            pictures.forget(name);
        }
        pictures.receive(image(60));
        assert!(files(folder.path()).is_empty());
    }

    /// Law: pictures are shown once they are looked for, as they are by then; what is no such picture is not shown, and without settings
    /// there is none.
    #[test]
    fn pictures_are_looked_for_once() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let settings = folder.path().join("settings.json");
        let (egui, mut pictures) = (egui::Context::default(), BookmarkPictures::beside(Some(&settings)));
        let is_shown = |pictures: &BookmarkPictures, name: &str| {
            pictures.is_looked_for(name).then(|| pictures.picture(name).is_some())
        };
        assert_eq!(is_shown(&pictures, "K2"), None);
        pictures.load(&egui, ["K2"].into_iter());
        assert_eq!(is_shown(&pictures, "K2"), Some(false));
        pictures.begin();
        pictures.receive(image(1));
        pictures.name("K2");
        pictures.load(&egui, ["K2"].into_iter());
        assert_eq!(is_shown(&pictures, "K2"), Some(true));
        let path = pictures.path("other").expect("a place");
        let too_large = RgbImage::new(SMALL_PX.0 + 1, SMALL_PX.1);
        std::fs::write(&path, "no picture").expect("written");
        pictures.load(&egui, ["other"].into_iter());
        assert_eq!(is_shown(&pictures, "other"), Some(false));
        write_png(&path, too_large).expect("written");
        pictures.rebuild_on_device();
        pictures.load(&egui, ["other", "K2"].into_iter());
        assert_eq!(["other", "K2"].map(|name| is_shown(&pictures, name)), [Some(false), Some(true)]);
        let mut nowhere = BookmarkPictures::beside(None);
        nowhere.begin();
        nowhere.receive(image(1));
        nowhere.name("K2");
        nowhere.load(&egui, ["K2"].into_iter());
        assert_eq!(is_shown(&nowhere, "K2"), Some(false));
    }

    /// Law: the hash is the published one, so that pictures are found by later versions.
    #[test]
    fn names_have_their_files() {
        assert_eq!(
            [hash(""), hash("a"), hash("foobar")],
            [0xcbf2_9ce4_8422_2325, 0xaf63_dc4c_8601_ec8c, 0x8594_4171_f739_67e8]
        );
    }
}
