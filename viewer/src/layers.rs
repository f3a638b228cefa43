//! Which files make a scene, and which of them lies on which?

use std::path::{Path, PathBuf};

use bevy_ecs::resource::Resource;
use foreign::raster::PictureOptions;

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

/// A file of a scene by its kind and its number among those of that kind, from 0 for the topmost: a file may be given more than once.
pub type LayerPlace = (LayerKind, usize);

/// A file that gets another number among those of its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LayerMove {
    /// What it holds.
    pub kind: LayerKind,
    /// Its number.
    pub from: usize,
    /// The number that it gets.
    pub to: usize,
}

impl LayerMove {
    /// The number that a file of the kind gets which had `number`.
    fn number_of(self, number: usize) -> usize {
        let LayerMove { from, to, .. } = self;
        match number {
            _ if number == from => to,
            _ if (from..=to).contains(&number) => number - 1,
            _ if (to..=from).contains(&number) => number + 1,
            _ => number,
        }
    }
}

/// What is changed of the files of a scene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LayerEdit {
    /// One lies elsewhere.
    Move(LayerMove),
    /// One is taken away: its kind and its number.
    Remove(LayerKind, usize),
    /// One of a kind and a number is not shown, or is shown again. Elevation always is.
    Hide(LayerKind, usize, bool),
    /// A picture of a number is shown otherwise.
    Picture(usize, PictureOptions),
}

impl LayerEdit {
    /// What it changes.
    pub fn kind(self) -> LayerKind {
        match self {
            LayerEdit::Move(LayerMove { kind, .. }) | LayerEdit::Remove(kind, _) | LayerEdit::Hide(kind, ..) => kind,
            LayerEdit::Picture(..) => LayerKind::Pictures,
        }
    }
}

/// The files of a scene.
#[derive(Resource, Debug, Clone, Default, PartialEq)]
pub struct Layers {
    /// Of each kind, the topmost first.
    files: [Vec<PathBuf>; 3],
    /// How the pictures are shown.
    pictures: Vec<PictureOptions>,
    /// Which of the vector data are hidden.
    hidden_vectors: Vec<bool>,
}

impl Layers {
    /// Vector data, pictures and elevation, of each the topmost first.
    pub fn new(vectors: Vec<PathBuf>, pictures: Vec<PathBuf>, elevation: Vec<PathBuf>) -> Layers {
        let (options, hidden_vectors) = (vec![PictureOptions::default(); pictures.len()], vec![false; vectors.len()]);
        Layers { files: [vectors, pictures, elevation], pictures: options, hidden_vectors }
    }

    /// The same with how its pictures are shown, and which of its vector data are hidden, of each the topmost first.
    #[must_use]
    pub fn with_options(self, pictures: Vec<PictureOptions>, hidden_vectors: Vec<bool>) -> Layers {
        Layers { pictures, hidden_vectors, ..self }
    }

    /// How a picture of a number is shown; as it is where there is none.
    pub fn picture(&self, number: usize) -> PictureOptions {
        self.pictures.get(number).copied().unwrap_or_default()
    }

    /// Whether a file is hidden; none of those that cannot be.
    pub fn is_hidden(&self, (kind, number): LayerPlace) -> Option<bool> {
        match kind {
            LayerKind::Vectors => self.hidden_vectors.get(number).copied(),
            LayerKind::Pictures => self.pictures.get(number).map(|picture| picture.hidden),
            LayerKind::Elevation => None,
        }
    }

    /// Those of a kind, the topmost first.
    pub fn of_kind(&self, kind: LayerKind) -> &[PathBuf] {
        &self.files[kind as usize]
    }

    /// A file, if there is one of the number.
    pub fn file(&self, (kind, number): LayerPlace) -> Option<&Path> {
        self.of_kind(kind).get(number).map(PathBuf::as_path)
    }

    /// The file above (-1) or below (1) one, whatever its kind; without one the topmost or the lowest. None of nothing.
    pub fn beside(&self, chosen: Option<LayerPlace>, step: isize) -> Option<LayerPlace> {
        let of_kind = |kind| (0..self.of_kind(kind).len()).map(move |number| (kind, number));
        let all: Vec<LayerPlace> = LayerKind::ALL.into_iter().flat_map(of_kind).collect();
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
    pub fn step(&self, (kind, from): LayerPlace, step: isize) -> Option<LayerMove> {
        let to = from.checked_add_signed(step).filter(|to| *to < self.of_kind(kind).len())?;
        Some(LayerMove { kind, from, to })
    }

    /// Where a file is in other layers, which are these edited, or, without an edit, other files too; none where it is gone. Of a file that
    /// was given more than once each stays itself.
    pub fn followed(&self, (kind, number): LayerPlace, edit: Option<LayerEdit>, to: &Layers) -> Option<LayerPlace> {
        let number = match edit {
            Some(LayerEdit::Move(moved)) if moved.kind == kind => moved.number_of(number),
            Some(LayerEdit::Remove(of, gone)) if of == kind => {
                if number == gone {
                    return None;
                }
                number - usize::from(number > gone)
            }
            Some(_) => number,
            None => {
                let file = self.file((kind, number))?;
                let above = self.of_kind(kind)[..number].iter().filter(|one| *one == file).count();
                let all = to.of_kind(kind).iter().enumerate().filter(|(_, one)| *one == file);
                all.map(|(at, _)| at).nth(above)?
            }
        };
        to.file((kind, number)).map(|_| (kind, number))
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
            seen.push(chosen.and_then(|place| layers.file(place)).and_then(Path::to_str).expect("a file").to_owned());
        }
        assert_eq!(seen, ["/x/1.jp2", "/x/0.jp2", "/x/0.tif", "/x/1.tif", "/x/1.tif", "/x/1.tif"]);
        assert_eq!(layers.beside(None, -1), Some((LayerKind::Elevation, 1)));
        assert_eq!(Layers::default().beside(None, 1), None);
        let lowest = (LayerKind::Pictures, 1);
        assert_eq!(layers.step(lowest, 1), None);
        assert_eq!(layers.step(lowest, -1), Some(LayerMove { kind: LayerKind::Pictures, from: 1, to: 0 }));
    }
    /// Law: of a file that was given more than once each is itself: steps pass all of them, and what is chosen stays chosen wherever an edit
    /// puts it; among other files it is found by its name.
    #[test]
    fn a_file_that_was_given_twice_is_two_layers() {
        let elevation = LayerKind::Elevation;
        let of =
            |names: &[&str]| Layers::new(vec![PathBuf::from("a")], vec![], names.iter().map(PathBuf::from).collect());
        let layers = of(&["a", "a", "b", "a"]);
        let mut seen = vec![layers.beside(None, 1)];
        while seen.len() < 6 {
            seen.push(layers.beside(*seen.last().expect("one"), 1));
        }
        assert_eq!(seen[0], Some((LayerKind::Vectors, 0)));
        assert_eq!(seen[1..], [0, 1, 2, 3, 3].map(|number| Some((elevation, number))));
        for from in 0..4 {
            for to in 0..4 {
                let mut order = [0, 1, 2, 3].to_vec();
                let one = order.remove(from);
                order.insert(to, one);
                let moved = LayerEdit::Move(LayerMove { kind: elevation, from, to });
                for number in 0..4 {
                    let now = order.iter().position(|one| *one == number).map(|at| (elevation, at));
                    assert_eq!(layers.followed((elevation, number), Some(moved), &layers), now);
                }
                let vectors = (LayerKind::Vectors, 0);
                assert_eq!(layers.followed(vectors, Some(moved), &layers), Some(vectors));
            }
        }
        let (removed, left) = (LayerEdit::Remove(elevation, 1), of(&["a", "b", "a"]));
        let after = [0, 1, 2, 3].map(|number| layers.followed((elevation, number), Some(removed), &left));
        assert_eq!(after, [Some((elevation, 0)), None, Some((elevation, 1)), Some((elevation, 2))]);
        let more = of(&["c", "a", "b", "a"]);
        let after = [0, 1, 2, 3].map(|number| layers.followed((elevation, number), None, &more));
        assert_eq!(after, [Some((elevation, 1)), Some((elevation, 3)), Some((elevation, 2)), None]);
    }
}
