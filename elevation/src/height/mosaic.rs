//! How do many files make one layer? By an index of where they lie. A file, or the part of a large one, is read when a
//! place in it is asked for. It is dropped when others need the room.
//!
//! Where two files meet there is no edge. Files whose texels lie on one lattice answer as one file would: what decides about a place
//! is read from both, and where they overlap and differ the first answers ([`shares`], [`overlaps`]). Of others the finest that has a height answers, and beside it heights go over to the next ([`seam`]). Beyond
//! all heights, outside of the files and in wide voids, the layer goes over to what lies below.

mod adjacent_members;
mod bounds;
mod height_checks;
mod index;
mod info;
mod means_cache;
mod member_areas;
mod members;
mod overlaps;
mod seam;
mod shares;
mod single_member;
mod vertex_cells;

use std::{
    cmp::Ordering,
    path::PathBuf,
    slice::from_ref,
    sync::{
        Mutex, OnceLock, PoisonError,
        atomic::{self, AtomicBool},
    },
};

use glam::DVec3;
use smallvec::SmallVec;

use self::{
    adjacent_members::AdjacentMember,
    index::Index,
    means_cache::MeansCache,
    seam::{Lattice, LatticeSample, MemberShare},
    shares::of_one_lattice,
    vertex_cells::VertexCells,
};
use super::{
    elevation_source::{Elevation, ElevationSource, LayerSource, Location, PatchHeights, RecordShare, Spacing},
    error::HeightError,
    filled_quads::FilledQuads,
    georeference::Georeference,
    headers::Header,
    kernel::Interpolation,
    layer_info::{Area, LayerInfo, MemberFile, MemoryUse},
    options::OpenOptions,
    parts::{are_far, corner_of, most_small_parts, new_serial, part_of, side_for, small_side},
    patch::{Patch, PatchCoordinates},
    raster::{BORDER, Raster, RasterSample, margin},
    raster_cache::{RasterCache, TEXEL_BYTES},
    region::{HeightBounds, Region},
};
use crate::{
    geodesy::{
        Ellipsoid,
        extents::{box_of_all, cap_of_all},
    },
    pack::SourceRecord,
};
pub(super) use height_checks::CheckSampling;

/// Share of the budget that is spent on overviews, which stay: views of the whole look at all of them.
const OVERVIEW_SHARE: usize = 8;
/// Columns and rows of a file, at most and at least, as it is kept for views of the whole.
const OVERVIEW: [usize; 2] = [512, 4];
/// Texels of an overview over which it goes over to what lies below.
const OVERVIEW_FEATHER: u32 = 1;

/// Many rasters as one layer.
#[derive(Debug)]
pub(crate) struct Mosaic {
    members: Vec<Member>,
    index: Index,
    options: OpenOptions,
    /// Columns and rows of an overview, at most.
    overview: usize,
    /// Columns and rows of parts of large members.
    side: usize,
    /// The finest posting of all, and of all overviews.
    finest_m: f64,
    averages_m: f64,
    /// Members, in full or in parts.
    kept: RasterCache<Part>,
    /// Means of an earlier start, where there are many members.
    means_cache: OnceLock<Option<MeansCache>>,
    failure: OnceLock<HeightError>,
    /// Remarks on members, made while they were read.
    noticed: Mutex<Vec<String>>,
}

/// All of a member, or of parts of so many columns and rows the one at a column and row.
type Part = (u32, Option<(usize, [usize; 2])>);

/// Texels that answer for a member.
enum Detail {
    /// Those around a place: all of the member, or a part of `side` columns and rows.
    Full,
    /// The small part there, or as much as that if it is in memory or has paid for itself.
    SmallParts,
    /// Means of so many columns and rows.
    Overview([f64; 2]),
}

/// What a member has at a place.
#[derive(Clone, Copy)]
struct Found {
    member: u32,
    spot: RasterSample,
    /// Texels to where the member ends, a posting beyond its outermost texels.
    inside: f64,
    lattice: Lattice,
    /// Whether it is the mean of many texels, which lies on no lattice of others.
    is_mean: bool,
}

/// A file of a mosaic.
#[derive(Debug)]
struct Member {
    /// Distinguishes files that were opened, whatever their names.
    serial: u64,
    file: PathBuf,
    header: Header,
    /// Of a file whose header was remembered without its place: found when it is asked for; `None` if it cannot be.
    place: OnceLock<Option<Georeference>>,
    /// `None` if it cannot be read.
    overview: OnceLock<Option<Overview>>,
    /// Members on the same lattice that are close enough to decide about its heights.
    beside: OnceLock<Vec<AdjacentMember>>,
    /// Set when a remark on its heights was made.
    remarked: OnceLock<()>,
    /// Set when its heights are asked for.
    is_read: AtomicBool,
}

/// What views of the whole ask of a file.
#[derive(Debug)]
struct Overview {
    means: Raster,
    /// Heights around the coarse vertices of the bisection.
    cells: VertexCells,
}

impl Mosaic {
    /// What all of its files are on.
    fn ellipsoid(&self) -> Ellipsoid {
        self.members.first().map(|member| member.header.info.ellipsoid).unwrap_or_default()
    }

    /// Files by their headers.
    pub fn of(files: Vec<(PathBuf, Header)>, options: OpenOptions) -> Self {
        let member = |(file, header)| Member {
            serial: new_serial(),
            file,
            header,
            place: OnceLock::new(),
            overview: OnceLock::new(),
            beside: OnceLock::new(),
            remarked: OnceLock::new(),
            is_read: AtomicBool::new(false),
        };
        let members: Vec<Member> = files.into_iter().map(member).collect();
        let finest_m = members.iter().map(|member| member.header.info.posting_m).fold(f64::INFINITY, f64::min);
        let overview_bytes = options.layer_bytes / OVERVIEW_SHARE;
        let texels = overview_bytes / TEXEL_BYTES / members.len().max(1);
        let overview = (texels.isqrt().saturating_sub(2 * BORDER)).clamp(OVERVIEW[1], OVERVIEW[0]);
        let averaged_m = |Member { header, .. }: &Member| {
            let [across, down] = overview_scale(header.info.grid, overview);
            header.info.posting_m * across.min(down)
        };
        let most_kept = options.layer_bytes - overview_bytes;
        let side = side_for(most_kept);
        // The four files or parts around a corner, however small the budget is: each is asked for again and again.
        let largest = members
            .iter()
            .map(|member| part_bytes(&member.header, if is_large(&member.header, side) { side } else { usize::MAX }));
        let kept_bytes = most_kept.max(largest.max().unwrap_or(0).saturating_mul(4));
        let averages_m = members.iter().map(averaged_m).fold(f64::INFINITY, f64::min);
        Self {
            index: Index::of(members.iter().map(|member| member.header.reach_deg)),
            members,
            kept: RasterCache::new(kept_bytes),
            means_cache: OnceLock::new(),
            side,
            overview,
            finest_m,
            averages_m,
            options,
            failure: OnceLock::new(),
            noticed: Mutex::default(),
        }
    }

    /// The height at a place, and which files it is of.
    fn answer(&self, at: &Location, spacing: Spacing) -> Option<(Elevation, MemberShare)> {
        let Location { normal: n, lon_deg, lat_deg, interpolation } = *at;
        let mut found: SmallVec<[Found; 4]> = SmallVec::new();
        for k in self.index.at(lon_deg, lat_deg) {
            let Some((x, y)) = self.texel(k, n, lon_deg, lat_deg) else { continue };
            found.extend(self.member_sample(k, [x, y], spacing, interpolation));
        }
        // As it is, without the rounding of a mean.
        if let [one] = found[..] {
            return Some((one.spot.into(), MemberShare::one(one.member)));
        }
        let mut answers: SmallVec<[LatticeSample; 4]> = SmallVec::new();
        while let Some(first) = found.first().copied() {
            let is_beside = |other: &Found| {
                other.member == first.member
                    || !first.is_mean && !other.is_mean && self.are_adjacent(first.member, other.member)
            };
            let (one_lattice, others): (SmallVec<[Found; 4]>, _) = found.into_iter().partition(is_beside);
            answers.push(of_one_lattice(&one_lattice));
            found = others;
        }
        answers.sort_by(|a, b| self.order(a.by.member, b.by.member));
        seam::blend(&answers)
    }

    /// The finest first; of two that are as fine, the first by name.
    fn order(&self, a: u32, b: u32) -> Ordering {
        let posting_m = |k: u32| self.members[k as usize].header.info.posting_m;
        posting_m(a).total_cmp(&posting_m(b)).then(a.cmp(&b))
    }

    /// How finely a member answers in full.
    fn lattice(&self, k: u32) -> Lattice {
        let header = &self.members[k as usize].header;
        let texel_m = header.info.posting_m;
        Lattice { texel_m, reach_m: f64::from(header.feather) * texel_m }
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

    fn member_sample(&self, k: u32, [x, y]: [f64; 2], spacing: Spacing, interpolation: Interpolation) -> Option<Found> {
        let grid = self.members[k as usize].header.info.grid;
        let found = |spot: RasterSample| Found {
            member: k,
            spot,
            inside: self.inside(k, x, y),
            lattice: self.lattice(k),
            is_mean: false,
        };
        let part = |side: usize| (side, part_of([x, y], side, grid));
        let around = || self.is_large(k).then(|| part(self.side));
        let (_, part) = match self.detail(k, spacing) {
            Detail::Full => (k, around()),
            Detail::SmallParts => {
                if let Some(spot) = self.near_vertex(k, interpolation, [x, y]) {
                    return Some(found(spot));
                }
                let around = around();
                let texels = around.map_or(grid.iter().product(), |(side, _)| side * side);
                let small = small_side(spacing);
                self.kept.choose((k, around), (k, Some(part(small))), most_small_parts(texels, small))
            }
            // A texel of the overview is the mean of a block; beyond the outermost it is as far from the data as it is from these.
            Detail::Overview([across, down]) => {
                let [columns, rows] = overview_grid(grid, self.overview).map(|n| n as f64);
                let [x, y] = [(x + 0.5) / across - 0.5, (y + 0.5) / down - 0.5];
                let inside = (x + 1.0).min(columns - x).min(y + 1.0).min(rows - y);
                let inside = if self.overview_around(k).is_some() { f64::INFINITY } else { inside };
                if inside <= 0.0 {
                    return None;
                }
                let mut found = found(self.overview(k)?.sample(interpolation, x, y)?);
                let texel_m = found.lattice.texel_m * across.max(down);
                found.spot.weight = found.spot.weight.min(inside);
                found.spot.depth = found.spot.depth.min(inside);
                found.lattice = Lattice { texel_m, reach_m: f64::from(OVERVIEW_FEATHER) * texel_m };
                return Some(Found { inside, is_mean: true, ..found });
            }
        };
        let Some((side, part)) = part else { return self.full(k)?.sample(interpolation, x, y).map(found) };
        let [left, top] = corner_of(side, part);
        self.part(k, side, part)?.sample(interpolation, x - left, y - top).map(found)
    }

    /// Which texels of a member answer for places that are so far apart.
    fn detail(&self, k: u32, spacing: Spacing) -> Detail {
        let info = &self.members[k as usize].header.info;
        let scale = overview_scale(info.grid, self.overview);
        if spacing.is_global() || info.posting_m * scale[0].max(scale[1]) <= spacing.average_m() {
            Detail::Overview(scale)
        } else if are_far(spacing, info.posting_m) && self.has_parts(k) {
            Detail::SmallParts
        } else {
            Detail::Full
        }
    }
}

impl ElevationSource for Mosaic {
    fn sample(&self, at: &Location, spacing: Spacing) -> Option<Elevation> {
        Some(self.answer(at, spacing)?.0)
    }

    fn bounds(&self, region: &Region) -> Option<HeightBounds> {
        self.bounds_in(region)
    }

    /// Of the file that answers there.
    fn posting_m(&self, at: &Location) -> f64 {
        let posting_m = |k: u32| self.members[k as usize].header.info.posting_m;
        // Most places are near one file only, which need not be read.
        let near = self.index.at(at.lon_deg, at.lat_deg);
        match near[..] {
            [one] => posting_m(one),
            _ => {
                self.answer(at, Spacing::Vertices(f64::INFINITY)).map_or(self.finest_m, |(_, by)| posting_m(by.member))
            }
        }
    }
}

impl LayerSource for Mosaic {
    fn areas(&self) -> Vec<Area> {
        let area = |member: &Member| Area {
            cap: member.header.cap,
            bbox_deg: member.header.reach_deg,
            posting_m: member.header.info.posting_m,
        };
        self.members.iter().map(area).collect()
    }

    fn rough_areas(&self) -> Vec<Area> {
        let headers = || self.members.iter().map(|member| &member.header);
        let cap = cap_of_all(headers().map(|header| header.cap));
        vec![Area { cap, bbox_deg: box_of_all(headers().map(|header| header.reach_deg)), posting_m: self.finest_m }]
    }

    fn patch_heights(&self, patches: &[(Patch, PatchCoordinates)], spacing: Spacing) -> PatchHeights {
        let members = self.members_on(patches);
        match members[..] {
            [] => PatchHeights::Empty,
            _ => self.single_member_patches(&members, patches, spacing).unwrap_or(PatchHeights::BySquare),
        }
    }

    fn filled_quads(&self, patch: &(Patch, PatchCoordinates)) -> FilledQuads {
        self.filled_quads_of(patch)
    }

    fn averages_m(&self) -> Option<f64> {
        Some(self.averages_m)
    }

    fn texel(&self, at: &Location) -> Option<(f64, f64)> {
        let (_, by) = self.answer(at, Spacing::Any)?;
        self.texel(by.member, at.normal, at.lon_deg, at.lat_deg)
    }

    fn record_share(&self, at: &Location, spacing: Spacing) -> Option<RecordShare> {
        let MemberShare { member, share, other } = match self.index.at(at.lon_deg, at.lat_deg)[..] {
            [] => return None,
            // It need not be read.
            [one] => MemberShare::one(one),
            _ => self.answer(at, spacing)?.1,
        };
        Some(RecordShare { most: member, share, other, filled: false })
    }

    fn data(&self, number: u32) -> Option<(String, &str)> {
        let Member { file, header, .. } = self.members.get(number as usize)?;
        Some((file.display().to_string(), &header.info.datum))
    }

    fn is_mixed(&self, patch: &(Patch, PatchCoordinates)) -> bool {
        self.members_on(from_ref(patch)).len() > 1 && !self.filled_quads(patch).is_whole()
    }

    fn records(&self, info: &LayerInfo) -> Option<Vec<SourceRecord>> {
        self.records_of(info)
    }

    fn members(&self) -> Option<Vec<MemberFile>> {
        Some(self.member_files())
    }

    fn is_read(&self, number: u32) -> bool {
        self.members.get(number as usize).is_some_and(|member| member.is_read.load(atomic::Ordering::Relaxed))
    }

    fn clear_read_flags(&self) {
        self.members.iter().for_each(|member| member.is_read.store(false, atomic::Ordering::Relaxed));
    }

    fn check(&self) -> Result<(), HeightError> {
        self.members.iter().try_for_each(|member| member.header.fingerprint.check_now())
    }

    /// Files, and the overviews of those that views of the whole have looked at.
    fn memory_use(&self) -> Option<MemoryUse> {
        let (bytes, most) = self.kept.memory_use();
        let overviews = self.members.iter().filter_map(|member| member.overview.get()?.as_ref());
        let overviews = overviews.map(|overview| overview.means.bytes() + overview.cells.bytes());
        Some(MemoryUse {
            bytes: bytes + overviews.sum::<usize>(),
            // Cells take no more than the means.
            most: Some(most.saturating_add(2 * (self.options.layer_bytes / OVERVIEW_SHARE))),
        })
    }

    fn read_remarks(&self) -> Vec<String> {
        self.noticed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn failure(&self) -> Option<HeightError> {
        self.failure.get().cloned()
    }
}

/// Whether a file takes more memory than two parts of so many columns and rows.
fn is_large(header: &Header, side: usize) -> bool {
    part_bytes(header, usize::MAX) > 2 * part_bytes(header, side)
}

/// Most bytes in memory of a part of a member of so many columns and rows.
fn part_bytes(header: &Header, side: usize) -> usize {
    let around = 2 * margin(header.feather);
    header.info.grid.iter().fold(TEXEL_BYTES, |bytes, n| bytes.saturating_mul(side.min(*n) + around))
}

/// Columns and rows of an overview with at most so many.
fn overview_grid(grid: [usize; 2], most: usize) -> [usize; 2] {
    grid.map(|n| n.clamp(1, most))
}

/// Columns and rows that a texel of it is the mean of.
fn overview_scale(grid: [usize; 2], most: usize) -> [f64; 2] {
    let small = overview_grid(grid, most);
    [0, 1].map(|axis| grid[axis] as f64 / small[axis] as f64)
}
