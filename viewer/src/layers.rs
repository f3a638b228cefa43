//! Which files make a scene, and which of them lies on which?

use std::path::{Path, PathBuf};

use bevy_ecs::resource::Resource;

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

/// What is changed of the files of a scene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LayerEdit {
    /// One lies elsewhere.
    Move(LayerMove),
    /// One is taken away: its kind and its number.
    Remove(LayerKind, usize),
    /// A picture of a number hides so much of what lies below it, 0 to 1.
    Fade(usize, f32),
}

/// The files of a scene.
#[derive(Resource, Debug, Clone, Default, PartialEq)]
pub struct Layers {
    /// Of each kind, the topmost first.
    files: [Vec<PathBuf>; 3],
    /// How much of what lies below the pictures hide, 0 to 1.
    opacities: Vec<f32>,
}

impl Layers {
    /// Vector data, pictures and elevation, of each the topmost first.
    pub fn new(vectors: Vec<PathBuf>, pictures: Vec<PathBuf>, elevation: Vec<PathBuf>) -> Layers {
        let opacities = vec![1.0; pictures.len()];
        Layers { files: [vectors, pictures, elevation], opacities }
    }

    /// The same with how much of what lies below its pictures hide, the topmost first.
    #[must_use]
    pub fn with_opacities(self, opacities: Vec<f32>) -> Layers {
        Layers { opacities, ..self }
    }

    /// How much of what lies below a picture of a number hides; 1 where there is none.
    pub fn opacity(&self, number: usize) -> f32 {
        self.opacities.get(number).copied().unwrap_or(1.0)
    }

    /// The number of a file among those of its kind.
    pub fn number_of(&self, (kind, file): (LayerKind, &Path)) -> Option<usize> {
        self.of_kind(kind).iter().position(|one| one == file)
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
        let from = self.number_of((kind, file))?;
        let to = from.checked_add_signed(step).filter(|to| *to < self.of_kind(kind).len())?;
        Some(LayerMove { kind, from, to })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: steps go through all files from the topmost to the lowest, whatever their kinds, and stop at both ends; a move stays in its kind.
    #[test]
    fn steps_go_through_all_files() {
        let names = |names: [&str; 2]| names.map(PathBuf::from).to_vec();
        let layers = Layers::new(Vec::new(), names(["/x/1.jp2", "/x/0.jp2"]), names(["/x/0.tif", "/x/1.tif"]));
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
