//! Which servers are known, what do they have, and on which terms?

use std::{ops::RangeInclusive, path::Path};

use foreign::{read_small_text, sanitized};
use serde::{Deserialize, Serialize};

use crate::{SourceError, area::FINEST, tile_address::TileAddress};

/// What the pixels of a server's tiles are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Kind {
    /// Heights: red times 256 plus green plus blue / 256, less 32768 m.
    Terrarium,
    /// Heights: a tenth of red times 65536 plus green times 256 plus blue, less 10000 m.
    TerrainRgb,
    /// Colours.
    #[serde(rename = "picture")]
    Imagery,
}

/// Kinds, and how they are called.
const KINDS: [(Kind, &str); 3] =
    [(Kind::Terrarium, "terrarium"), (Kind::TerrainRgb, "terrain-rgb"), (Kind::Imagery, "picture")];
/// Digits by which names of folders of rasters end.
const HASH_DIGITS: usize = 12;

/// A server of tiles in Web Mercator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The word that means it.
    pub name: String,
    /// What it has.
    pub title: String,
    /// What its pixels are.
    pub kind: Kind,
    /// Address of a tile, with `{z}`, `{x}` and `{y}` for level, column and row from the north.
    pub url: String,
    /// Coarsest and finest level.
    pub levels: [u32; 2],
    /// On which terms the data may be used.
    pub licence: String,
    /// What has to be said where they are shown.
    pub attribution: String,
    /// Where the terms are.
    pub terms: String,
}

impl Source {
    /// One of the user's own, by its address.
    ///
    /// ```
    /// let source = sources::Source::of_url("http://127.0.0.1:8000/{z}/{x}/{y}.png", sources::Kind::Terrarium)?;
    /// assert_eq!(source.host(), "127.0.0.1:8000");
    /// # Ok::<(), sources::SourceError>(())
    /// ```
    ///
    /// # Errors
    /// [`SourceError::Source`] for an address that is none of tiles.
    pub fn of_url(url: &str, kind: Kind) -> Result<Self, SourceError> {
        let source = Self {
            name: public(url),
            title: public(url),
            kind,
            url: url.into(),
            levels: [0, FINEST],
            licence: "not stated".into(),
            attribution: String::new(),
            terms: String::new(),
        };
        source.check()?;
        Ok(source)
    }

    /// By a word: a name in a catalogue, or `terrarium:`, `terrain-rgb:` or `picture:` and the address of tiles.
    ///
    /// ```
    /// use sources::{Catalogue, Kind, Source};
    /// let word = "terrarium:http://127.0.0.1:8000/{z}/{x}/{y}.png";
    /// assert_eq!(Source::named(word, &Catalogue::shipped())?.kind, Kind::Terrarium);
    /// assert!(Source::named("nowhere", &Catalogue::shipped()).is_err());
    /// # Ok::<(), sources::SourceError>(())
    /// ```
    ///
    /// # Errors
    /// [`SourceError::Unknown`] for a name that is none, [`SourceError::Source`] for an address.
    pub fn named(word: &str, catalogue: &Catalogue) -> Result<Self, SourceError> {
        let of_kind = |&(kind, prefix): &(Kind, &str)| Some((kind, word.strip_prefix(prefix)?.strip_prefix(':')?));
        match KINDS.iter().find_map(of_kind) {
            Some((kind, url)) => Self::of_url(url, kind),
            None => catalogue.find(word).cloned(),
        }
    }

    /// Its levels.
    pub fn levels(&self) -> RangeInclusive<u32> {
        self.levels[0]..=self.levels[1]
    }

    /// The machine that is asked.
    pub fn host(&self) -> &str {
        host_and_path(&self.url).0
    }

    /// The address without what may be a key or a password.
    pub(crate) fn public_url(&self) -> String {
        public(&self.url)
    }

    /// What decides about its tiles, but no key.
    pub(crate) fn identity(&self) -> String {
        format!("{:?}\n{}", self.kind, self.public_url())
    }

    /// What people know it by, for names of files.
    pub(crate) fn file_name(&self) -> String {
        let known = if self.name.contains("://") { self.host() } else { &self.name };
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        known.chars().take(32).map(plain).collect()
    }

    /// The name of the folder in which rasters of it are kept: one that people know, and what tells it from others.
    pub(crate) fn folder_name(&self) -> String {
        let hash = blake3::hash(self.identity().as_bytes()).to_hex();
        format!("{}-{}", self.file_name(), &hash[..HASH_DIGITS])
    }

    /// Whether a folder is called so.
    pub(crate) fn is_folder_name(folder: &Path) -> bool {
        let name = folder.file_name().and_then(|name| name.to_str());
        let hash = name.and_then(|name| name.rsplit_once('-')).map(|(_, hash)| hash);
        hash.is_some_and(|hash| hash.len() == HASH_DIGITS && hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
    }

    /// The address of a tile.
    pub(crate) fn url_of(&self, tile: TileAddress) -> String {
        [("{z}", tile.z), ("{x}", tile.x), ("{y}", tile.y)]
            .iter()
            .fold(self.url.clone(), |url, (mark, number)| url.replace(mark, &number.to_string()))
    }

    fn check(&self) -> Result<(), SourceError> {
        let refused = |reason: &str| Err(SourceError::Source { name: self.name.clone(), reason: reason.into() });
        if !self.url.starts_with("https://") && !self.url.starts_with("http://") {
            return refused("its address does not begin with https:// or http://");
        }
        if !["{z}", "{x}", "{y}"].iter().all(|mark| self.url.contains(mark)) || self.host().is_empty() {
            return refused("its address needs a host, {z}, {x} and {y}");
        }
        if self.url.len() > 4096 || self.url.chars().any(|c| c.is_control() || c == ' ') {
            return refused("its address is no address");
        }
        if self.levels[0] > self.levels[1] || self.levels[1] > FINEST {
            return refused("its levels do not go up, to 24 at most");
        }
        if self.name.is_empty() {
            return refused("it has no name");
        }
        Ok(())
    }
}

/// Host and path of an address, without a password before and a query behind them.
fn host_and_path(url: &str) -> (&str, &str) {
    let behind = url.split_once("://").map_or(url, |(_, rest)| rest);
    let behind = behind.split(['?', '#']).next().unwrap_or_default();
    let (host, path) = behind.split_at(behind.find('/').unwrap_or(behind.len()));
    (host.rsplit_once('@').map_or(host, |(_, host)| host), path)
}

/// An address as others may see it.
fn public(url: &str) -> String {
    let (host, path) = host_and_path(url);
    let scheme = url.split_once("://").map_or("", |(scheme, _)| scheme);
    format!("{scheme}://{host}{path}")
}

/// Servers by name.
#[derive(Clone, Debug)]
pub struct Catalogue(Vec<Source>);

/// Most bytes of a catalogue of the user's.
const MOST_BYTES: u64 = 1 << 20;

impl Catalogue {
    /// Those that ship.
    ///
    /// ```
    /// let names: Vec<_> = sources::Catalogue::shipped().iter().map(|source| source.name.clone()).collect();
    /// assert!(names.contains(&"terrain-tiles".into()));
    /// ```
    pub fn shipped() -> Self {
        Self(serde_json::from_str(include_str!("../catalogue.json")).unwrap_or_default())
    }

    /// With those of a file before them: JSON, a list of objects with the fields of [`Source`].
    ///
    /// ```
    /// use sources::Catalogue;
    /// # let file = std::env::temp_dir().join(format!("orogen-catalogue-{}.json", std::process::id()));
    /// std::fs::write(&file, r#"[{"name": "own", "title": "Own tiles", "kind": "terrarium",
    ///     "url": "http://127.0.0.1:8000/{z}/{x}/{y}.png", "levels": [0, 12],
    ///     "licence": "own", "attribution": "me", "terms": ""}]"#)?;
    /// let catalogue = Catalogue::shipped().with_file(&file)?;
    /// assert_eq!(catalogue.find("own")?.levels(), 0..=12);
    /// assert!(catalogue.find("terrain-tiles").is_ok(), "those that ship are there, too");
    /// # std::fs::remove_file(&file)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SourceError::Catalogue`] for a file that cannot be read, [`SourceError::Source`] for an entry that cannot be.
    pub fn with_file(self, file: &Path) -> Result<Self, SourceError> {
        let refused = |reason: String| SourceError::Catalogue { file: file.into(), reason };
        let text = read_small_text(file, MOST_BYTES).map_err(|error| refused(error.to_string()))?;
        let mut all: Vec<Source> =
            serde_json::from_str(&text).map_err(|error| refused(sanitized(&error.to_string()).to_string()))?;
        all.iter().try_for_each(Source::check)?;
        all.extend(self.0);
        Ok(Self(all))
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Source> {
        self.0.iter()
    }

    /// The one with a name.
    ///
    /// # Errors
    /// [`SourceError::Unknown`], with those that there are.
    pub fn find(&self, name: &str) -> Result<&Source, SourceError> {
        let known = || self.0.iter().map(|source| source.name.as_str()).collect::<Vec<_>>().join(", ");
        self.0
            .iter()
            .find(|source| source.name == name)
            .ok_or_else(|| SourceError::Unknown { name: name.into(), known: known() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: what ships can be read and used, and says its terms.
    #[test]
    fn what_ships_is_whole() {
        let all: Vec<Source> = serde_json::from_str(include_str!("../catalogue.json")).expect("JSON");
        assert!(all.len() >= 3);
        for source in &all {
            source.check().expect("a source");
            assert!(source.url.starts_with("https://") && !source.attribution.is_empty() && !source.licence.is_empty());
        }
    }

    #[test]
    fn addresses_are_checked_and_keys_not_shown() {
        let source = Source::of_url("https://me:pw@a.org/t/{z}/{y}/{x}.png?key=secret", Kind::TerrainRgb).expect("one");
        assert_eq!(source.url_of(TileAddress { z: 3, x: 1, y: 2 }), "https://me:pw@a.org/t/3/2/1.png?key=secret");
        assert_eq!(source.host(), "a.org");
        assert_eq!(source.title, "https://a.org/t/{z}/{y}/{x}.png");
        for bad in ["", "ftp://a/{z}/{x}/{y}", "https://a/{z}/{x}", "https:///{z}/{x}/{y}", "http://a/{z}/{x}/{y} b"] {
            assert!(Source::of_url(bad, Kind::Imagery).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_file_goes_before_what_ships() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("mine.json");
        let mut mine = Catalogue::shipped().0[0].clone();
        mine.levels = [2, 3];
        std::fs::write(&file, serde_json::to_string(&[mine]).expect("JSON")).expect("a file");
        let both = Catalogue::shipped().with_file(&file).expect("a catalogue");
        assert_eq!(both.find("terrain-tiles").expect("a source").levels, [2, 3]);
        assert!(both.find("nothing").expect_err("none").to_string().contains("blue-marble"));
        std::fs::write(&file, "[{\"name\": 3}]").expect("a file");
        assert!(Catalogue::shipped().with_file(&file).is_err());
    }
}
