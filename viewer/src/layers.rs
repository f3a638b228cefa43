//! Which files make a scene, and which of them lies on which?

use std::path::{Path, PathBuf};

use bevy_ecs::resource::Resource;
use terrain::height::LayerOptions;

use crate::scene::SceneOptions;

/// What a file holds. Each kind lies on those behind it, whatever the order of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LayerKind {
    /// Points, lines and areas.
    Vectors,
    /// Pictures.
    Pictures,
    /// Heights.
    Elevation,
}

impl LayerKind {
    /// All of them, the topmost first.
    pub const ALL: [LayerKind; 3] = [LayerKind::Vectors, LayerKind::Pictures, LayerKind::Elevation];

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            LayerKind::Vectors => "vector data",
            LayerKind::Pictures => "pictures",
            LayerKind::Elevation => "elevation",
        }
    }
}

/// A file of a scene by its kind and its number among those of that kind, from 0 for the topmost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LayerMove {
    /// What it holds.
    pub kind: LayerKind,
    /// Its number.
    pub from: usize,
    /// The number that it gets.
    pub to: usize,
}

/// The files of a scene.
#[derive(Resource, Debug, Clone, Default, PartialEq, Eq)]
pub struct Layers {
    /// Of each kind, the topmost first.
    files: [Vec<PathBuf>; 3],
}

impl Layers {
    /// Those of a scene.
    pub fn of(scene: &SceneOptions) -> Layers {
        let vectors = scene.vectors.iter().rev().map(|layer| layer.file.path.clone());
        let pictures = scene.pictures.iter().rev().map(|picture| picture.path.clone());
        Layers { files: [vectors.collect(), pictures.collect(), scene.files.clone()] }
    }

    /// Those of a kind, the topmost first.
    pub fn of_kind(&self, kind: LayerKind) -> &[PathBuf] {
        &self.files[kind as usize]
    }

    /// All of them, the topmost first.
    fn all(&self) -> impl DoubleEndedIterator<Item = (LayerKind, &Path)> {
        LayerKind::ALL.into_iter().flat_map(|kind| self.of_kind(kind).iter().map(move |file| (kind, file.as_path())))
    }

    /// The file above (-1) or below (1) one, whatever its kind; without one the topmost or the lowest. None of nothing.
    pub fn beside(&self, chosen: Option<(LayerKind, &Path)>, step: isize) -> Option<(LayerKind, &Path)> {
        let all: Vec<_> = self.all().collect();
        let last = all.len().checked_sub(1)?;
        let at = chosen.and_then(|chosen| all.iter().position(|one| *one == chosen));
        let at = match at {
            Some(at) => at.saturating_add_signed(step).min(last),
            None if step < 0 => last,
            None => 0,
        };
        all.get(at).copied()
    }

    /// How a file is moved up (-1) or down (1) among those of its kind; none at the end of them.
    pub fn step(&self, (kind, file): (LayerKind, &Path), step: isize) -> Option<LayerMove> {
        let files = self.of_kind(kind);
        let from = files.iter().position(|one| one == file)?;
        let to = from.checked_add_signed(step).filter(|to| *to < files.len())?;
        Some(LayerMove { kind, from, to })
    }
}

impl SceneOptions {
    /// The same scene with a file above or below others of its kind; as it is where there is no such file.
    #[must_use]
    pub fn with_moved(mut self, LayerMove { kind, from, to }: LayerMove) -> SceneOptions {
        // Of pictures and vector data the last one is on top.
        fn moved<T>(all: &mut Vec<T>, from: Option<usize>, to: Option<usize>) {
            if let (Some(from), Some(to)) = (from, to)
                && from.max(to) < all.len()
            {
                let one = all.remove(from);
                all.insert(to, one);
            }
        }
        let above = |all: usize, number: usize| all.checked_sub(number + 1);
        let (vectors, pictures) = (self.vectors.len(), self.pictures.len());
        match kind {
            LayerKind::Vectors => moved(&mut self.vectors, above(vectors, from), above(vectors, to)),
            LayerKind::Pictures => moved(&mut self.pictures, above(pictures, from), above(pictures, to)),
            LayerKind::Elevation => {
                self.open.layers.resize(self.files.len(), LayerOptions::default());
                moved(&mut self.files, Some(from), Some(to));
                moved(&mut self.open.layers, Some(from), Some(to));
                self.relief = None;
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::camera::Pose;
    use crate::scene_file::{open, scene_of};
    use crate::terrain::PictureFile;
    use terrain::height::{Network, OpenOptions};

    fn scene(count: usize) -> SceneOptions {
        let names =
            |end: &str| (0..count).map(|number| PathBuf::from(format!("/x/{number}.{end}"))).collect::<Vec<_>>();
        let layers = (0..count).map(|number| LayerOptions::default().with_band(Some(number + 1))).collect();
        let picture = |(number, path)| PictureFile { path, opacity: 1.0 / (number as f32 + 2.0) };
        SceneOptions::default()
            .with_files(names("tif"))
            .with_open(OpenOptions::default().with_layers(layers))
            .with_pictures(names("jp2").into_iter().enumerate().map(picture).collect())
    }

    proptest! {
        /// Law: a file that is moved is at its new place with its own options, all others keep their order, and a scene that is saved then
        /// and opened has the same order.
        #[test]
        fn what_is_moved_is_where_it_was_put(count in 1usize..6, from in 0usize..7, to in 0usize..7, elevation: bool) {
            let kind = if elevation { LayerKind::Elevation } else { LayerKind::Pictures };
            let before = scene(count);
            let after = before.clone().with_moved(LayerMove { kind, from, to });
            let mut expected = Layers::of(&before).of_kind(kind).to_vec();
            if from.max(to) < count {
                let one = expected.remove(from);
                expected.insert(to, one);
            }
            let layers = Layers::of(&after);
            prop_assert_eq!(layers.of_kind(kind), &expected[..]);
            for (file, own) in after.files.iter().zip(&after.open.layers) {
                let band = own.band.map(|band| format!("/x/{}.tif", band - 1));
                prop_assert_eq!(band, file.to_str().map(str::to_owned));
            }
            for picture in &after.pictures {
                prop_assert!(before.pictures.contains(picture));
            }
            let folder = tempfile::tempdir().expect("a folder");
            let file = folder.path().join("scene.json");
            let said = scene_of(&after, Pose::HOME, folder.path()).expect("names");
            std::fs::write(&file, said.to_json()).expect("written");
            let opened = open(&file, Network::default()).expect("read").expect("a scene");
            let again = opened.instead_of(&SceneOptions::default()).expect("no vector data");
            prop_assert_eq!(Layers::of(&again), layers);
        }
    }

    /// Law: steps go through all files from the topmost to the lowest, whatever their kinds, and stop at both ends; a move stays in its kind.
    #[test]
    fn steps_go_through_all_files() {
        let layers = Layers::of(&scene(2));
        let mut chosen = None;
        let mut seen = Vec::new();
        for _ in 0..6 {
            chosen = layers.beside(chosen, 1);
            seen.push(chosen.expect("a file").1.to_str().expect("text").to_owned());
        }
        assert_eq!(seen, ["/x/1.jp2", "/x/0.jp2", "/x/0.tif", "/x/1.tif", "/x/1.tif", "/x/1.tif"]);
        assert_eq!(layers.beside(None, -1), Some((LayerKind::Elevation, Path::new("/x/1.tif"))));
        assert_eq!(Layers::default().beside(None, 1), None);
        let lowest = (LayerKind::Pictures, Path::new("/x/0.jp2"));
        assert_eq!(layers.step(lowest, 1), None);
        assert_eq!(layers.step(lowest, -1), Some(LayerMove { kind: LayerKind::Pictures, from: 1, to: 0 }));
    }
}
