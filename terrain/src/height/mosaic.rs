//! How do many files make one layer? By an index of where they lie; a file is read when a place in it is asked for, and
//! forgotten when others need the room.
//!
//! Where two files meet there is no edge: over the overlap, or the gap of one posting between neighbours, the heights go over
//! from one to the other, and where only one has a height it answers. Beyond all heights, outside of the files and in wide
//! voids, the layer goes over to what lies below.

mod bounds;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use glam::DVec3;
use rstar::{
    RTree,
    primitives::{GeomWithData, Rectangle},
};

use super::{
    decimate::read_coarse,
    error::HeightError,
    gdal_place::{Place, RIM_POINTS},
    gdal_read::read_member,
    gdal_source::describe_file,
    headers::Header,
    kept::{Kept, TEXEL_BYTES},
    layer::{Area, Held, LayerInfo, OnPatches, Spacing, wrap},
    options::OpenOptions,
    patch::{Longitudes, Patch, Places},
    raster::{BORDER, Raster, Side, Spot},
};

/// Texels inside of a file over which heights go over to those of another that is there as well.
const MIXED: f64 = 8.0;
/// Share of the budget that is spent on overviews, which stay: views of the whole look at all of them.
const OVERVIEW_SHARE: usize = 8;
/// Columns and rows of a file, at most and at least, as it is kept for views of the whole.
const OVERVIEW: [usize; 2] = [512, 4];

/// Many rasters as one layer.
#[derive(Debug)]
pub(crate) struct Mosaic {
    members: Vec<Member>,
    index: RTree<Footprint>,
    options: OpenOptions,
    /// Columns and rows of an overview, at most.
    overview: usize,
    /// Members in full.
    kept: Kept<u32>,
    failure: OnceLock<HeightError>,
}

/// A rectangle of longitude and latitude, with the number of a member.
type Footprint = GeomWithData<Rectangle<[f64; 2]>, u32>;

/// A file of a mosaic.
#[derive(Debug)]
struct Member {
    file: PathBuf,
    header: Header,
    /// Of a file whose header was remembered without its place: found when it is asked for; `None` if it cannot be.
    place: OnceLock<Option<Place>>,
    /// `None` if it cannot be read.
    overview: OnceLock<Option<Raster>>,
}

impl Mosaic {
    /// How the headers of members are to be read.
    pub fn member_options(options: &OpenOptions) -> OpenOptions {
        // A quarter of the budget for each, so that the four files around a corner fit.
        OpenOptions { layer_bytes: options.layer_bytes / 4, ..options.clone() }
    }

    /// Files by their headers, which were read with [`member_options`](Self::member_options).
    pub fn of(files: Vec<(PathBuf, Header)>, options: OpenOptions) -> Self {
        let member = |(file, header)| Member { file, header, place: OnceLock::new(), overview: OnceLock::new() };
        let members: Vec<Member> = files.into_iter().map(member).collect();
        let mut footprints = Vec::new();
        for (k, member) in members.iter().enumerate() {
            let [west, south, east, north] = member.header.reach_deg;
            for turn in [-360.0, 0.0, 360.0] {
                let (west, east) = (west + turn, east + turn);
                if east >= -180.0 && west <= 180.0 {
                    let corners = ([west, south], [east, north]);
                    let rectangle = Rectangle::from_corners(corners.0, corners.1);
                    footprints.push(GeomWithData::new(rectangle, k as u32));
                }
            }
        }
        let bytes = options.layer_bytes.saturating_mul(4);
        let texels = bytes / OVERVIEW_SHARE / TEXEL_BYTES / members.len().max(1);
        let overview = (texels.isqrt().saturating_sub(2 * BORDER)).clamp(OVERVIEW[1], OVERVIEW[0]);
        Self {
            members,
            index: RTree::bulk_load(footprints),
            kept: Kept::new(bytes - bytes / OVERVIEW_SHARE),
            overview,
            options,
            failure: OnceLock::new(),
        }
    }

    /// Height and weight at a place.
    pub fn sample(&self, n: DVec3, lon_deg: f64, lat_deg: f64, spacing: Spacing) -> Option<Spot> {
        let mut found: Vec<(Spot, f64)> = Vec::new();
        for k in self.members_at(lon_deg, lat_deg) {
            let Some((x, y)) = self.texel(k, n, lon_deg, lat_deg) else { continue };
            let Some(spot) = self.member_sample(k, x, y, spacing) else { continue };
            found.push((spot, share(self.inside(k, x, y), spot.depth)));
        }
        // As it is, without the rounding of a mean.
        if let [(spot, _)] = found[..] {
            return Some(spot);
        }
        // Beyond all heights: that of the nearest, and over a texel those of two that are as near.
        if found.iter().all(|(_, share)| *share == 0.0) {
            let nearest = found.iter().map(|(spot, _)| spot.depth).fold(f64::NEG_INFINITY, f64::max);
            found.iter_mut().for_each(|(spot, share)| *share = (1.0 - (nearest - spot.depth)).max(0.0));
        }
        let shares: f64 = found.iter().map(|(_, share)| share).sum();
        let here = || found.iter().filter(|(_, share)| *share > 0.0);
        let most = here().max_by(|(_, a), (_, b)| a.total_cmp(b))?.0;
        Some(Spot {
            height_m: here().map(|(spot, share)| spot.height_m * share).sum::<f64>() / shares,
            weight: here().map(|(spot, _)| spot.weight).fold(0.0, f64::max),
            ..most
        })
    }

    /// What it has on patches.
    pub fn on_patches(&self, patches: &[(Patch, Places)]) -> OnPatches {
        let around = |range: (f64, f64), values: &[f64]| values.iter().fold(range, |(l, h), x| (l.min(*x), h.max(*x)));
        let mut ranges = [(f64::INFINITY, f64::NEG_INFINITY); 2];
        for (_, places) in patches {
            let (Longitudes::Columns(lon) | Longitudes::Rows(lon) | Longitudes::Nodes(lon)) = &places.lon_deg;
            ranges = [around(ranges[0], lon), around(ranges[1], &places.lat_deg)];
        }
        let [(west, east), (south, north)] = ranges;
        let touched = rstar::AABB::from_corners([west, south], [east, north]);
        let mut members: Vec<u32> = self.index.locate_in_envelope_intersecting(&touched).map(|f| f.data).collect();
        members.dedup();
        match members[..] {
            [] => OnPatches::Nothing,
            // A member answers alone where it is solid, and no other is there.
            [k] => {
                let Some(place) = self.place(k) else { return OnPatches::Some };
                let spots = place.placement.spots_of(patches);
                let raster = self.part(k);
                let texels = raster.and_then(|raster| raster.window(&spots));
                texels.map_or(OnPatches::Some, |texels| OnPatches::of(&texels, &spots, patches))
            }
            _ => OnPatches::Some,
        }
    }

    /// Distance of postings at a place: of the finest file there.
    pub fn posting_m(&self, n: DVec3, lon_deg: f64, lat_deg: f64) -> Option<f64> {
        Some(self.members[self.finest_at(n, lon_deg, lat_deg)?.0 as usize].header.info.posting_m)
    }

    /// Name of the finest file at a place.
    pub fn file_at(&self, n: DVec3, lon_deg: f64, lat_deg: f64) -> Option<String> {
        Some(self.members[self.finest_at(n, lon_deg, lat_deg)?.0 as usize].file.display().to_string())
    }

    /// Column and row of a place in the finest file there.
    pub fn texel_at(&self, n: DVec3, lon_deg: f64, lat_deg: f64) -> Option<(f64, f64)> {
        Some(self.finest_at(n, lon_deg, lat_deg)?.1)
    }

    /// The finest file that has texels around a place, or within reach of it, and the column and row there.
    fn finest_at(&self, n: DVec3, lon_deg: f64, lat_deg: f64) -> Option<(u32, (f64, f64))> {
        let here = self.members_at(lon_deg, lat_deg).filter_map(|k| Some((k, self.texel(k, n, lon_deg, lat_deg)?)));
        let order = |(k, (x, y)): &(u32, (f64, f64))| {
            (self.inside(*k, *x, *y) <= 0.0, self.members[*k as usize].header.info.posting_m)
        };
        here.min_by(|a, b| {
            let ((a_outside, a_m), (b_outside, b_m)) = (order(a), order(b));
            a_outside.cmp(&b_outside).then(a_m.total_cmp(&b_m))
        })
    }

    /// Members, in their order, whose footprints hold a place.
    fn members_at(&self, lon_deg: f64, lat_deg: f64) -> impl Iterator<Item = u32> {
        let mut found: Vec<u32> = self.index.locate_all_at_point(&[lon_deg, lat_deg]).map(|f| f.data).collect();
        found.sort_unstable();
        found.dedup();
        found.into_iter()
    }

    /// Column and row of a place in a member, if it is within reach of its texels.
    fn texel(&self, k: u32, n: DVec3, lon_deg: f64, lat_deg: f64) -> Option<(f64, f64)> {
        let header = &self.members[k as usize].header;
        if header.cap.is_some_and(|(middle, cos_radius)| n.dot(middle) < cos_radius) {
            return None;
        }
        let (x, y) = self.place(k)?.placement.texel(n, lon_deg, lat_deg);
        // Written so that NaN fails.
        (self.inside(k, x, y) > -f64::from(header.feather)).then_some((x, y))
    }

    /// Texels from a column and row to where the member ends, a posting beyond its outermost texels; negative outside.
    fn inside(&self, k: u32, x: f64, y: f64) -> f64 {
        let [columns, rows] = self.members[k as usize].header.info.grid.map(|n| n as f64);
        let least = |a: f64, b: f64| if a < b { a } else { b };
        // Not a number if one of them is not.
        least(least(x + 1.0, columns - x), least(y + 1.0, rows - y)) + 0.0 * (x + y)
    }

    fn member_sample(&self, k: u32, x: f64, y: f64, spacing: Spacing) -> Option<Spot> {
        let info = &self.members[k as usize].header.info;
        let small = self.overview_grid(info.grid);
        let scale = [0, 1].map(|axis| info.grid[axis] as f64 / small[axis] as f64);
        if !spacing.is_of_the_whole() && info.posting_m * scale[0].max(scale[1]) > spacing.overview_m() {
            return self.part(k)?.sample(x, y);
        }
        // A texel of the overview is the mean of a block; where it may end is not told more closely than that.
        let at = |x: f64, scale: f64, size: usize| ((x + 0.5) / scale - 0.5).clamp(-0.999, size as f64 - 0.001);
        self.overview(k)?.sample(at(x, scale[0], small[0]), at(y, scale[1], small[1]))
    }

    /// Where a member lies; `None` if its file cannot be opened any more.
    fn place(&self, k: u32) -> Option<&Place> {
        let member = &self.members[k as usize];
        if let Some(place) = &member.header.place {
            return Some(place);
        }
        // Not while the lock is held: a thread that waits for rayon may be given another task that comes here.
        if member.place.get().is_none() {
            let checked = member.header.fingerprint.check();
            let found = checked.and_then(|()| describe_file(&member.file, &self.options));
            let _first = member.place.set(self.told(found).map(|described| described.place));
        }
        member.place.get()?.as_ref()
    }

    /// A file's heights, from memory or read; `None` if it cannot be read.
    fn part(&self, k: u32) -> Option<Arc<Raster>> {
        self.kept.get(k, || self.told(self.read(k, false)))
    }

    /// Means of a file's heights; `None` if it cannot be read.
    fn overview(&self, k: u32) -> Option<&Raster> {
        let member = &self.members[k as usize];
        // As above. Two threads may read the same, and one of them forgets its own.
        if member.overview.get().is_none() {
            let _first = member.overview.set(self.told(self.read(k, true)));
        }
        member.overview.get()?.as_ref()
    }

    /// What was read; the first error is remembered and said.
    fn told<T>(&self, result: Result<T, HeightError>) -> Option<T> {
        result
            .map_err(|error| {
                if self.failure.set(error.clone()).is_ok() {
                    tracing::error!("{error}; what lies below answers in its place");
                }
            })
            .ok()
    }

    fn read(&self, k: u32, small: bool) -> Result<Raster, HeightError> {
        let Member { file, header, .. } = &self.members[k as usize];
        let info = &header.info;
        let grid = if small { self.overview_grid(info.grid) } else { info.grid };
        header.fingerprint.check()?;
        let read = if small { read_coarse } else { read_member };
        let values = read(file, header.meaning, &self.options, (grid[0], grid[1]))?;
        // It may have been changed while it was read.
        header.fingerprint.check()?;
        let around = self.place(k).and_then(Place::geographic).and_then(|g| wrap(g, info.grid[0], info.grid[1]));
        // An overview of a raster that goes around the Earth goes around only if its columns still do.
        let around = around.filter(|_| grid == info.grid);
        let feather = if small { 1 } else { header.feather };
        let goes_on = |side: Side, at: usize| self.goes_on(k, side, at as f64 / grid[side.axis()] as f64);
        Ok(Raster::joined(grid[0], grid[1], values, around, feather, &goes_on))
    }

    /// Columns and rows of an overview.
    fn overview_grid(&self, grid: [usize; 2]) -> [usize; 2] {
        grid.map(|n| n.clamp(1, self.overview))
    }

    /// Whether another file goes on beyond a side of a member, at a share of the side's length.
    fn goes_on(&self, k: u32, side: Side, along: f64) -> bool {
        let Some(place) = self.place(k) else { return false };
        let rim = &place.rim[side as usize];
        let first = ((along * (RIM_POINTS - 1) as f64) as usize).min(RIM_POINTS - 2);
        rim[first..first + 2].iter().all(|&(lon_deg, lat_deg)| {
            let n = crate::geodesy::n_vector(lat_deg.to_radians(), lon_deg.to_radians());
            let lon_deg = lon_deg - 360.0 * (lon_deg / 360.0).round();
            n.is_finite()
                && self.members_at(lon_deg, lat_deg).any(|other| other != k && self.holds(other, n, lon_deg, lat_deg))
        })
    }

    /// West, south, east, north of all files and their feathers.
    pub fn reach_deg(&self) -> [f64; 4] {
        union(self.members.iter().map(|member| member.header.reach_deg))
    }

    /// Whether a place lies on a texel of a member.
    fn holds(&self, k: u32, n: DVec3, lon_deg: f64, lat_deg: f64) -> bool {
        let [columns, rows] = self.members[k as usize].header.info.grid.map(|n| n as f64);
        let on = |x: f64, size: f64| x > -0.51 && x < size - 0.49;
        self.texel(k, n, lon_deg, lat_deg).is_some_and(|(x, y)| on(x, columns) && on(y, rows))
    }

    /// Where the files lie.
    pub fn areas(&self) -> Vec<Area> {
        let area = |member: &Member| Area {
            cap: member.header.cap,
            bbox_deg: member.header.reach_deg,
            posting_m: member.header.info.posting_m,
        };
        self.members.iter().map(area).collect()
    }

    /// A cap that holds all files; `None` if one has none, or they span half the Earth.
    pub fn cap(&self) -> Option<(DVec3, f64)> {
        let caps = self.members.iter().map(|member| member.header.cap).collect::<Option<Vec<_>>>()?;
        let middle = caps.iter().map(|(middle, _)| *middle).sum::<DVec3>().try_normalize()?;
        // The chord is accurate for small distances, the dot product is not.
        let apart = |n: DVec3| 2.0 * (0.5 * (n - middle).length()).min(1.0).asin();
        let reach = caps.iter().map(|(n, cos_radius)| apart(*n) + cos_radius.acos()).fold(0.0, f64::max);
        (reach < 1.5).then(|| (middle, reach.cos()))
    }

    /// Whether all files are what they were when they were opened.
    pub fn check(&self) -> Result<(), HeightError> {
        self.members.iter().try_for_each(|member| member.header.fingerprint.look())
    }

    /// Heights in memory: files, and the overviews of those that views of the whole have looked at.
    pub fn held(&self) -> Held {
        let (bytes, most) = self.kept.held();
        let overviews = self.members.iter().filter_map(|member| member.overview.get()?.as_ref()).map(Raster::bytes);
        Held { bytes: bytes + overviews.sum::<usize>(), most: Some(most + most / (OVERVIEW_SHARE - 1)) }
    }

    /// The first file that could not be read.
    pub fn failure(&self) -> Option<HeightError> {
        self.failure.get().cloned()
    }

    /// What a user should know of all of it.
    pub fn info(&self, name: &Path, notes: Vec<String>) -> LayerInfo {
        let infos = || self.members.iter().map(|member| &member.header.info);
        let joined = |word: fn(&LayerInfo) -> &str| {
            let mut words: Vec<&str> = infos().map(word).collect();
            words.sort_unstable();
            words.dedup();
            words.join("; ")
        };
        let posting_m = infos().map(|info| info.posting_m).fold(f64::INFINITY, f64::min);
        let bbox_deg = union(infos().map(|info| info.bbox_deg));
        let size = infos().fold([0, 0], |sum, info| [sum[0] + info.size[0], sum[1].max(info.size[1])]);
        let mut all = vec![format!(
            "{} files, read as they are needed: range and voids of their heights are not known beforehand",
            self.members.len()
        )];
        all.extend(notes);
        let said = |words: fn(&LayerInfo) -> &Vec<String>| {
            let mut said: Vec<String> = infos().flat_map(|info| words(info).iter().cloned()).collect();
            said.sort_unstable();
            said.dedup_by(|a, b| a == b);
            const MOST: usize = 5;
            let more = said.len().saturating_sub(MOST);
            said.truncate(MOST);
            said.extend((more > 0).then(|| format!("{more} more of this kind on single files")));
            said
        };
        all.extend(said(|info| &info.notes));
        LayerInfo {
            name: name.display().to_string(),
            driver: format!("mosaic of {}", joined(|info| &info.driver)),
            crs: joined(|info| &info.crs),
            datum: joined(|info| &info.datum),
            size,
            grid: size,
            posting_m,
            bbox_deg,
            nodata: infos().find_map(|info| info.nodata),
            void_share: 0.0,
            range_m: self.options.valid_range_m,
            range_is_bound: true,
            notes: all,
            remarks: said(|info| &info.remarks),
        }
    }
}

/// Share of a member among several, so many texels inside of its sides and of its voids: it falls steeply, and to nothing, towards
/// them.
fn share(inside: f64, depth: f64) -> f64 {
    inside.clamp(0.0, MIXED).powi(4) * (depth - 1.0).clamp(0.0, MIXED)
}

/// West, south, east, north of all: the narrowest range of longitudes that begins with one of the boxes.
fn union(boxes: impl Iterator<Item = [f64; 4]> + Clone) -> [f64; 4] {
    let south = boxes.clone().map(|b| b[1]).fold(f64::INFINITY, f64::min);
    let north = boxes.clone().map(|b| b[3]).fold(f64::NEG_INFINITY, f64::max);
    // More than a few thousand starts would cost more than they save.
    let starts = boxes.clone().map(|b| b[0]).step_by(boxes.clone().count().div_ceil(1000).max(1));
    let width = |start: f64| {
        boxes.clone().map(|[west, _, east, _]| (west - start).rem_euclid(360.0) + east - west).fold(0.0, f64::max)
    };
    let best = starts.map(|start| (width(start), start)).min_by(|a, b| a.0.total_cmp(&b.0));
    match best {
        Some((width, west)) if width < 360.0 => [west, south, west + width, north],
        _ => [-180.0, south, 180.0, north],
    }
}
