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
use rayon::prelude::*;
use rstar::{
    RTree,
    primitives::{GeomWithData, Rectangle},
};

use super::{
    error::HeightError,
    gdal_place::RIM_POINTS,
    gdal_read::read_member,
    gdal_source::{Described, describe_file},
    kept::Kept,
    layer::{Area, LayerInfo, OnPatches, wrap},
    options::OpenOptions,
    patch::{Longitudes, Patch, Places},
    raster::{Raster, Side, Spot},
};

/// Texels inside of a file over which heights go over to those of another that is there as well.
const MIXED: f64 = 8.0;
/// Columns and rows of a file, at most, as it is kept for views of the whole.
const OVERVIEW: usize = 64;

/// Many rasters as one layer.
#[derive(Debug)]
pub(crate) struct Mosaic {
    members: Vec<Member>,
    index: RTree<Footprint>,
    options: OpenOptions,
    kept: Kept<Part>,
    failure: OnceLock<HeightError>,
}

/// A rectangle of longitude and latitude, with the number of a member.
type Footprint = GeomWithData<Rectangle<[f64; 2]>, u32>;

/// A file of a mosaic.
#[derive(Debug)]
struct Member {
    file: PathBuf,
    described: Described,
}

/// What of a file is in memory: its number, and whether it is the overview.
type Part = (u32, bool);

impl Mosaic {
    /// Indexes files; only their headers are read.
    ///
    /// # Errors
    /// The first file that cannot be used.
    pub fn open(files: Vec<PathBuf>, options: &OpenOptions) -> Result<Self, HeightError> {
        // A quarter of the budget for each, so that the four files around a corner fit.
        let options = OpenOptions { layer_bytes: options.layer_bytes / 4, ..options.clone() };
        let members = files
            .into_par_iter()
            .map(|file| Ok(Member { described: describe_file(&file, &options)?, file }))
            .collect::<Result<Vec<_>, HeightError>>()?;
        Ok(Self::of(members, options))
    }

    fn of(members: Vec<Member>, options: OpenOptions) -> Self {
        let mut footprints = Vec::new();
        for (k, member) in members.iter().enumerate() {
            let [west, south, east, north] = member.described.place.reach_deg;
            for turn in [-360.0, 0.0, 360.0] {
                let (west, east) = (west + turn, east + turn);
                if east >= -180.0 && west <= 180.0 {
                    let corners = ([west, south], [east, north]);
                    let rectangle = Rectangle::from_corners(corners.0, corners.1);
                    footprints.push(GeomWithData::new(rectangle, k as u32));
                }
            }
        }
        Self {
            members,
            index: RTree::bulk_load(footprints),
            kept: Kept::new(options.layer_bytes.saturating_mul(4)),
            options,
            failure: OnceLock::new(),
        }
    }

    /// Height and weight at a place; an overview for postings of about `overview_m` or more suffices.
    pub fn sample(&self, n: DVec3, lon_deg: f64, lat_deg: f64, overview_m: f64) -> Option<Spot> {
        let mut found: Vec<(Spot, f64)> = Vec::new();
        for k in self.members_at(lon_deg, lat_deg) {
            let Some((x, y)) = self.texel(k, n, lon_deg, lat_deg) else { continue };
            let Some(spot) = self.member_sample(k, x, y, overview_m) else { continue };
            // It falls steeply, and to nothing, towards the member's sides and voids.
            let inside = self.inside(k, x, y).clamp(0.0, MIXED);
            found.push((spot, inside.powi(4) * (spot.depth - 1.0).clamp(0.0, MIXED)));
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
                let spots = self.members[k as usize].described.place.placement.spots_of(patches);
                let raster = self.part((k, false));
                let texels = raster.and_then(|raster| raster.window(&spots));
                texels.map_or(OnPatches::Some, |texels| OnPatches::of(&texels, &spots, patches))
            }
            _ => OnPatches::Some,
        }
    }

    /// Distance of postings at a place: of the finest file there.
    pub fn posting_m(&self, n: DVec3, lon_deg: f64, lat_deg: f64) -> Option<f64> {
        Some(self.members[self.finest_at(n, lon_deg, lat_deg)?.0 as usize].described.info.posting_m)
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
            (self.inside(*k, *x, *y) <= 0.0, self.members[*k as usize].described.info.posting_m)
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
        let described = &self.members[k as usize].described;
        if described.place.cap.is_some_and(|(middle, cos_radius)| n.dot(middle) < cos_radius) {
            return None;
        }
        let (x, y) = described.place.placement.texel(n, lon_deg, lat_deg);
        // Written so that NaN fails.
        (self.inside(k, x, y) > -f64::from(described.place.feather)).then_some((x, y))
    }

    /// Texels from a column and row to where the member ends, a posting beyond its outermost texels; negative outside.
    fn inside(&self, k: u32, x: f64, y: f64) -> f64 {
        let [columns, rows] = self.members[k as usize].described.info.grid.map(|n| n as f64);
        let least = |a: f64, b: f64| if a < b { a } else { b };
        // Not a number if one of them is not.
        least(least(x + 1.0, columns - x), least(y + 1.0, rows - y)) + 0.0 * (x + y)
    }

    fn member_sample(&self, k: u32, x: f64, y: f64, overview_m: f64) -> Option<Spot> {
        let info = &self.members[k as usize].described.info;
        let small = overview_grid(info.grid);
        let scale = [0, 1].map(|axis| info.grid[axis] as f64 / small[axis] as f64);
        if info.posting_m * scale[0].max(scale[1]) > overview_m {
            return self.part((k, false))?.sample(x, y);
        }
        // A texel of the overview is the mean of a block; where it may end is not told more closely than that.
        let at = |x: f64, scale: f64, size: usize| ((x + 0.5) / scale - 0.5).clamp(-0.999, size as f64 - 0.001);
        self.part((k, true))?.sample(at(x, scale[0], small[0]), at(y, scale[1], small[1]))
    }

    /// A file's heights, from memory or read; `None` if it cannot be read.
    fn part(&self, part: Part) -> Option<Arc<Raster>> {
        self.kept.get(part, || match self.read(part) {
            Ok(raster) => Some(raster),
            Err(error) => {
                if self.failure.set(error.clone()).is_ok() {
                    tracing::error!("{error}; what lies below answers in its place");
                }
                None
            }
        })
    }

    fn read(&self, (k, small): Part) -> Result<Raster, HeightError> {
        let member = &self.members[k as usize];
        let info = &member.described.info;
        let grid = if small { overview_grid(info.grid) } else { info.grid };
        member.described.fingerprint.check()?;
        let values = read_member(&member.file, member.described.meaning, &self.options, (grid[0], grid[1]))?;
        let around = member.described.place.geographic().and_then(|g| wrap(g, info.grid[0], info.grid[1]));
        // An overview of a raster that goes around the Earth goes around only if its columns still do.
        let around = around.filter(|_| grid == info.grid);
        let feather = if small { 1 } else { member.described.place.feather };
        let goes_on = |side: Side, at: usize| self.goes_on(k, side, at as f64 / grid[side.axis()] as f64);
        Ok(Raster::joined(grid[0], grid[1], values, around, feather, &goes_on))
    }

    /// Whether another file goes on beyond a side of a member, at a share of the side's length.
    fn goes_on(&self, k: u32, side: Side, along: f64) -> bool {
        let rim = &self.members[k as usize].described.place.rim[side as usize];
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
        union(self.members.iter().map(|member| member.described.place.reach_deg))
    }

    /// Whether a place lies on a texel of a member.
    fn holds(&self, k: u32, n: DVec3, lon_deg: f64, lat_deg: f64) -> bool {
        let [columns, rows] = self.members[k as usize].described.info.grid.map(|n| n as f64);
        let on = |x: f64, size: f64| x > -0.51 && x < size - 0.49;
        self.texel(k, n, lon_deg, lat_deg).is_some_and(|(x, y)| on(x, columns) && on(y, rows))
    }

    /// Where the files lie.
    pub fn areas(&self) -> Vec<Area> {
        let area = |member: &Member| Area {
            cap: member.described.place.cap,
            bbox_deg: member.described.place.reach_deg,
            posting_m: member.described.info.posting_m,
        };
        self.members.iter().map(area).collect()
    }

    /// A cap that holds all files; `None` if one has none, or they span half the Earth.
    pub fn cap(&self) -> Option<(DVec3, f64)> {
        let caps = self.members.iter().map(|member| member.described.place.cap).collect::<Option<Vec<_>>>()?;
        let middle = caps.iter().map(|(middle, _)| *middle).sum::<DVec3>().try_normalize()?;
        // The chord is accurate for small distances, the dot product is not.
        let apart = |n: DVec3| 2.0 * (0.5 * (n - middle).length()).min(1.0).asin();
        let reach = caps.iter().map(|(n, cos_radius)| apart(*n) + cos_radius.acos()).fold(0.0, f64::max);
        (reach < 1.5).then(|| (middle, reach.cos()))
    }

    /// The first file that could not be read.
    pub fn failure(&self) -> Option<HeightError> {
        self.failure.get().cloned()
    }

    /// What a user should know of all of it.
    pub fn info(&self, name: &Path, notes: Vec<String>) -> LayerInfo {
        let infos = || self.members.iter().map(|member| &member.described.info);
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

/// Columns and rows of an overview.
fn overview_grid(grid: [usize; 2]) -> [usize; 2] {
    grid.map(|n| n.clamp(1, OVERVIEW))
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
