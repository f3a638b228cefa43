//! What of a source is kept around a place? Rasters of boxes that are each four times as wide as the one inside, and as coarse, so that few
//! tiles reach far.

use std::{
    cmp::Reverse,
    fs::{self, File, FileTimes},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use crate::{Area, Fetch, Network, Progress, Source, SourceError};

/// Tiles of a box, at most: nine along a side.
const MOST_TILES: u64 = 81;
/// Boxes around a place, and how many times as wide as the one inside each is.
const BOXES: i32 = 4;
const WIDER: f64 = 4.0;
/// Metres of a degree of latitude.
pub const METRES_PER_DEGREE: f64 = 111_195.0;

/// A source around a place: a raster for each box, downloaded once.
///
/// ```
/// use sources::{Catalogue, Surroundings};
/// let source = Catalogue::shipped().find("terrain-tiles")?.clone();
/// let around = Surroundings::new(&source, [45.9766, 7.6585], 12_000.0)?;
/// assert!(around.tiles() <= 4 * 81);
/// // Nothing has been asked for yet: `download_to` does.
/// # Ok::<(), sources::SourceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Surroundings {
    source: Source,
    /// Coarsest first.
    areas: Vec<Area>,
}

/// Rasters of the surroundings of a place.
#[derive(Debug)]
pub struct SurroundingRasters {
    /// The finest first.
    pub files: Vec<PathBuf>,
    /// Why there are not all.
    pub failure: Option<SourceError>,
}

impl Surroundings {
    /// Of a latitude and a longitude in degrees; the finest box reaches so many metres from there.
    ///
    /// # Errors
    /// [`SourceError::Area`] for a place beyond 85.05 degrees, where Web Mercator ends.
    pub fn new(source: &Source, [lat_deg, lon_deg]: [f64; 2], reach_m: f64) -> Result<Self, SourceError> {
        let mut areas: Vec<Area> = Vec::new();
        for k in (0..BOXES).rev() {
            let bbox_deg = box_around([lat_deg, lon_deg], reach_m * WIDER.powi(k));
            let area = Area::finest(bbox_deg, source.levels(), MOST_TILES)?;
            // What is no finer than the box around it is in that.
            if areas.last().is_none_or(|around| area.level() > around.level()) {
                areas.push(area);
            }
        }
        Ok(Self { source: source.clone(), areas })
    }

    /// Tiles of all boxes.
    pub fn tiles(&self) -> u64 {
        self.areas.iter().map(Area::tiles).sum()
    }

    /// Rasters in a folder, with those of other sources and places; those that are missing are downloaded, from the coarsest on, if there is
    /// a network. What was used longest ago is removed where the folder has more than so many bytes then.
    ///
    /// ```
    /// use sources::{Catalogue, SourceError, Surroundings, cached_rasters};
    /// let catalogue = Catalogue::shipped();
    /// let around = Surroundings::new(catalogue.find("terrain-tiles")?, [46.0, 8.0], 10_000.0)?;
    /// # let folder = std::env::temp_dir().join(format!("orogen-surroundings-{}", std::process::id()));
    /// // Without a network only what was downloaded before is there: nothing yet.
    /// let found = around.download_to(&folder, 1 << 30, None, &mut |_| {});
    /// assert!(matches!(found, Err(SourceError::Offline { .. })));
    /// assert!(cached_rasters(catalogue.find("terrain-tiles")?, &folder).is_empty());
    /// # Ok::<(), SourceError>(())
    /// ```
    ///
    /// # Errors
    /// Why there is none at all.
    pub fn download_to(
        &self,
        folder: &Path,
        most_bytes: u64,
        network: Option<&Network>,
        show: &mut dyn FnMut(Progress),
    ) -> Result<SurroundingRasters, SourceError> {
        let own = folder.join(self.source.folder_name());
        let (mut files, mut failure, mut before) = (Vec::new(), None, Progress::default());
        let tiles = self.tiles();
        for area in &self.areas {
            let file = own.join(name_of(&self.source, area));
            let done = if touch(&file) {
                Ok(Progress { done: area.tiles(), found: area.tiles(), ..Progress::default() })
            } else if let Some(network) = network {
                let mut show = |now: Progress| show(Progress { tiles, ..before + now });
                let fetch = Fetch::new(&self.source, area.clone())?.with_network(network.clone());
                self.fetch(&fetch, folder, &file, &mut show)
            } else {
                Err(SourceError::Offline { name: self.source.name.clone() })
            };
            match done {
                Ok(done) => before = before + done,
                Err(error) => {
                    // A server need not have finer tiles.
                    let is_end = matches!(error, SourceError::Empty { .. }) && !files.is_empty();
                    failure = Some(error).filter(|_| !is_end);
                    break;
                }
            }
            files.insert(0, file);
        }
        trim(folder, most_bytes, &files);
        match failure {
            Some(failure) if files.is_empty() => Err(failure),
            failure => Ok(SurroundingRasters { files, failure }),
        }
    }

    /// Downloads a raster: beside the folders first, as what is in them is whole.
    fn fetch(
        &self,
        fetch: &Fetch,
        folder: &Path,
        file: &Path,
        show: &mut dyn FnMut(Progress),
    ) -> Result<Progress, SourceError> {
        let own = folder.join(self.source.folder_name());
        let unfinished = folder.join("unfinished");
        for folder in [&own, &unfinished] {
            fs::create_dir_all(folder).map_err(SourceError::file(folder))?;
        }
        let name = file.file_name().unwrap_or_default().display();
        let part = unfinished.join(format!("{}-{name}", self.source.folder_name()));
        let outcome = fetch.run(&part, true, show)?;
        fs::rename(&part, file).map_err(SourceError::file(file))?;
        Ok(outcome.progress)
    }
}

/// Rasters that are shown at most, of some places.
const MOST_SHOWN: usize = 16;

/// The rasters of a source in such a folder, of all places that were used last: the finest first.
pub fn cached_rasters(source: &Source, folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = entries(&folder.join(source.folder_name())).filter(|file| is_name(file)).collect();
    files.sort_by_cached_key(|file| (Reverse(fs::metadata(file).ok().map(|known| used(&known))), file.clone()));
    files.truncate(MOST_SHOWN);
    files.sort_by_key(|file| Reverse(numbers(file).map_or(0, |numbers| numbers[0])));
    files
}

/// West, south, east and north, in degrees, of what is so near to a latitude and longitude, at most once round the
/// Earth; beyond 180 degrees longitudes go on.
///
/// ```
/// let [west, south, east, north] = sources::box_around([46.0, 179.9], 30_000.0);
/// assert!(south < 46.0 && 46.0 < north && west < 179.9 && 180.0 < east);
/// ```
pub fn box_around([lat_deg, lon_deg]: [f64; 2], reach_m: f64) -> [f64; 4] {
    let lat_reach = reach_m / METRES_PER_DEGREE;
    let lon_reach = (lat_reach / lat_deg.to_radians().cos().max(1e-3)).min(180.0);
    [lon_deg - lon_reach, (lat_deg - lat_reach).max(-90.0), lon_deg + lon_reach, (lat_deg + lat_reach).min(90.0)]
}

/// The name of a box's raster.
fn name_of(source: &Source, area: &Area) -> String {
    let ([columns, rows], first) = (area.size(), area.first());
    format!("{}-{}-{}-{}-{columns}x{rows}.tif", source.file_name(), first.z, first.x, first.y)
}

/// Uses of a raster closer to each other than this are one.
const TOLD_EVERY: Duration = Duration::from_secs(3600);

/// Whether a raster is there; then it has been used now. When it was changed stays as it is: who reads it would take it for another.
fn touch(file: &Path) -> bool {
    let Some(known) = fs::metadata(file).ok().filter(fs::Metadata::is_file) else { return false };
    let now = SystemTime::now();
    if now.duration_since(used(&known)).is_ok_and(|age| age > TOLD_EVERY) {
        let times = FileTimes::new().set_accessed(now);
        // Where this cannot be told, older ones go first.
        let _told = File::options().append(true).open(file).and_then(|file| file.set_times(times));
    }
    true
}

/// When a raster was used last.
fn used(known: &fs::Metadata) -> SystemTime {
    known.accessed().or_else(|_| known.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
}

/// Removes rasters of this kind that were used longest ago, but for some, until there are no more than so many bytes.
fn trim(folder: &Path, most_bytes: u64, but: &[PathBuf]) {
    let mut found = Vec::new();
    for own in entries(folder).filter(|own| Source::is_folder_name(own)) {
        for file in entries(&own).filter(|file| is_name(file)) {
            if let Ok(known) = file.symlink_metadata()
                && known.is_file()
            {
                found.push((used(&known), known.len(), file));
            }
        }
    }
    let mut bytes: u64 = found.iter().map(|(_, bytes, _)| bytes).sum();
    found.sort();
    for (_, size, file) in found {
        if bytes <= most_bytes {
            break;
        }
        if !but.contains(&file) && fs::remove_file(&file).is_ok() {
            bytes -= size;
        }
    }
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

/// Whether a file is called as the raster of a box.
fn is_name(file: &Path) -> bool {
    numbers(file).is_some()
}

/// Level, column, row, columns and rows of the tiles in the raster of a box, by its name.
fn numbers(file: &Path) -> Option<[u32; 5]> {
    let stem = file.file_name()?.to_str()?.strip_suffix(".tif")?;
    let mut numbers: Vec<u32> = stem.rsplit(['-', 'x']).map_while(|number| number.parse().ok()).take(5).collect();
    numbers.reverse();
    numbers.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Catalogue, Kind};

    /// Law: boxes lie in each other, the finer inside, and no box has more tiles than is said, wherever the place is.
    #[test]
    fn boxes_are_finer_inside() {
        let source = Catalogue::shipped().find("terrain-tiles").expect("it ships").clone();
        for place in [[46.0, 7.7], [0.0, 0.0], [-84.0, 100.0], [10.0, 179.99], [-17.0, -179.9], [84.9, 0.0]] {
            let around = Surroundings::new(&source, place, 12_000.0).expect("tiles");
            let levels: Vec<u32> = around.areas.iter().map(Area::level).collect();
            let finest_m = around.areas[around.areas.len() - 1].texel_m(256);
            assert!(levels.is_sorted() && finest_m < 60.0, "{place:?}: {levels:?}, {finest_m} m");
            assert!(around.areas.iter().all(|area| area.tiles() <= MOST_TILES), "{place:?}");
            let names: Vec<String> = around.areas.iter().map(|area| name_of(&source, area)).collect();
            assert!(names.iter().all(|name| is_name(Path::new(name))), "{names:?}");
        }
        assert!(Surroundings::new(&source, [89.0, 0.0], 12_000.0).is_err());
        // What has no finer levels is in one box.
        let coarse = Source { levels: [0, 3], ..source };
        assert_eq!(Surroundings::new(&coarse, [46.0, 7.7], 12_000.0).expect("tiles").areas.len(), 1);
    }

    /// Law: what was used longest ago goes first, what is used now and what is not ours stays.
    #[test]
    fn the_folder_keeps_to_its_budget() {
        let folder = tempfile::tempdir().expect("a folder");
        let source = Source::of_url("http://a/{z}/{x}/{y}", Kind::Terrarium).expect("a source");
        let own = folder.path().join(source.folder_name());
        fs::create_dir(&own).expect("a folder");
        let files: Vec<PathBuf> = (0..4).map(|k| own.join(format!("a-9-{k}-7-1x1.tif"))).collect();
        let foreign = [own.join("mine.tif"), folder.path().join("a-9-1-7-1x1.tif")];
        for file in files.iter().chain(&foreign) {
            fs::write(file, [0; 100]).expect("written");
        }
        for (age, file) in files.iter().rev().enumerate() {
            let time = SystemTime::now() - Duration::from_secs(10_000 * age as u64);
            let times = FileTimes::new().set_accessed(time);
            File::options().append(true).open(file).and_then(|file| file.set_times(times)).expect("a time");
        }
        // By use, then by level.
        let finest = own.join("a-11-0-7-1x1.tif");
        fs::write(&finest, []).expect("written");
        assert_eq!(cached_rasters(&source, folder.path()).first(), Some(&finest));
        assert_eq!(cached_rasters(&source, folder.path()).len(), 5);
        fs::remove_file(&finest).expect("removed");
        trim(folder.path(), 250, &files[..1]);
        let left: Vec<bool> = files.iter().map(|file| file.exists()).collect();
        assert_eq!(left, [true, false, false, true]);
        assert!(foreign.iter().all(|file| file.exists()));
        assert!(touch(&files[0]) && !touch(&files[1]));
        let age = |file: &Path| {
            SystemTime::now().duration_since(used(&fs::metadata(file).expect("a file"))).unwrap_or_default()
        };
        assert!(age(&files[0]) < TOLD_EVERY);
    }
}
