//! Is a pack sound? Every checksum, every tile decoded, the same heights on both sides of every shared edge, and sources where the
//! manifest states that they are.

use std::{
    collections::{HashMap, hash_map::Entry},
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
};

use rayon::prelude::*;

mod source_claims;

use self::source_claims::SourceClaims;
use crate::{
    cube::CubePoint,
    pack::{Pack, PackError, codec::Parent, format::checksum},
    tile::{TILE_QUADS, TILE_VERTICES, TileId},
};

/// Complaints that are kept; the rest is counted.
const MOST_COMPLAINTS: usize = 20;

/// What a verification found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verification {
    /// Tiles that were looked at.
    pub tiles: u64,
    /// Edges shared by two tiles whose heights were compared.
    pub edges: u64,
    /// How many tiles and edges are bad.
    pub bad: u64,
    /// The first of them.
    pub complaints: Vec<PackError>,
}

/// A side of a tile by its ends, which both tiles at it have in common.
type Side = (CubePoint, CubePoint);

/// What was found below one root.
#[derive(Default)]
struct FaceFindings {
    sum: Verification,
    /// Sides seen once: the check of their heights.
    open: HashMap<Side, ([u8; 8], TileId)>,
}

impl FaceFindings {
    fn add_complaint(&mut self, error: PackError) {
        self.sum.bad += 1;
        if self.sum.complaints.len() < MOST_COMPLAINTS {
            self.sum.complaints.push(error);
        }
    }

    fn side(&mut self, pack: &Path, side: Side, check: [u8; 8], id: TileId) {
        match self.open.entry(side) {
            Entry::Vacant(entry) => {
                entry.insert((check, id));
            }
            Entry::Occupied(entry) => {
                let (other, neighbour) = entry.remove();
                self.sum.edges += 1;
                if other != check {
                    let reason = format!("{id} and {neighbour} differ on the edge they share");
                    self.add_complaint(PackError::Corrupt { file: pack.into(), offset: 0, reason });
                }
            }
        }
    }
}

/// Reads all of a pack, or the checksums of a shard; `progress` is told the number of tiles done.
///
/// ```
/// # #[cfg(feature = "gdal")] {
/// use elevation::{bake::{Bake, BakeOptions, Outcome, verify, verify_pack}, height::OpenOptions, pack::is_pack, tile::TileId};
/// # let file = std::env::temp_dir().join(format!("orogen-verify-{}.pack", std::process::id()));
/// let options = BakeOptions::default().with_max_level(Some(0)); // the six coarsest tiles of the relief that ships
/// let bake = Bake::new(&[], &OpenOptions::default(), &options)?;
/// assert!(matches!(bake.run(&file, false, &mut |_| {})?, Outcome::Written(_)));
/// assert_eq!(bake.run(&file, false, &mut |_| {})?, Outcome::UpToDate);
/// let (pack, found) = verify(&file, &|_| {})?;
/// assert_eq!((found.tiles, found.edges, found.bad), (6, 12, 0)); // a cube
/// assert_eq!((pack.len(), pack.manifest().max_level, pack.levels()[0].tiles), (6, 0, 6));
/// assert!(is_pack(&file) && pack.contains(TileId::root(0)));
/// assert_eq!(pack.summary(TileId::root(0)).map(|tile| tile.range_m), pack.tile(TileId::root(0))?.map(|tile| tile.range_m()));
/// assert_eq!(verify_pack(pack, &|_| {})?.1, found);
/// # std::fs::remove_file(&file)?;
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// What [`Pack::open_any`] answers. Bad tiles are not errors: they are counted and described.
pub fn verify(path: &Path, progress: &(dyn Fn(u64) + Sync)) -> Result<(Pack, Verification), PackError> {
    verify_pack(Pack::open_any(path)?, progress)
}

/// The same of a pack that is open.
///
/// # Errors
/// None but those of a server that gives no part of it.
pub fn verify_pack(pack: Pack, progress: &(dyn Fn(u64) + Sync)) -> Result<(Pack, Verification), PackError> {
    let path = pack.path().to_path_buf();
    let done = AtomicU64::new(0);
    let count = || progress(done.fetch_add(1, Ordering::Relaxed) + 1);
    let mut all = FaceFindings::default();
    let claims = SourceClaims::of(pack.manifest());
    claims.contradictions(&pack).for_each(|reason| all.add_complaint(pack.contradiction(reason)));
    if pack.manifest().shard.is_some() {
        for entry in pack.records() {
            let heights = pack.record(&entry.header, entry.offset).map(drop);
            let errors = if entry.errors.is_some() { pack.codes(entry.header.id).map(drop) } else { Ok(()) };
            [heights, errors].into_iter().filter_map(Result::err).for_each(|error| all.add_complaint(error));
            all.sum.tiles += 1;
            count();
        }
        return Ok((pack, all.sum));
    }
    let faces: Vec<u32> = (0..crate::cube::FACES).collect();
    let found: Vec<FaceFindings> = faces.into_par_iter().map(|face| face_of(&pack, &claims, face, &count)).collect();
    // A server that gives no part of it says nothing of the pack.
    let complaints = || found.iter().flat_map(|face| &face.sum.complaints);
    if let Some(error) = complaints().find(|error| is_elsewhere(&pack, error)) {
        return Err(error.clone());
    }
    for face in found {
        all.sum.tiles += face.sum.tiles;
        all.sum.edges += face.sum.edges;
        all.sum.bad += face.sum.bad;
        let room = MOST_COMPLAINTS - all.sum.complaints.len();
        all.sum.complaints.extend(face.sum.complaints.into_iter().take(room));
        for (side, (check, id)) in face.open {
            all.side(&path, side, check, id);
        }
    }
    Ok((pack, all.sum))
}

impl Pack {
    /// What the manifest states, and tiles contradict.
    fn contradiction(&self, reason: String) -> PackError {
        PackError::Corrupt { file: self.path().into(), offset: 0, reason }
    }
}

/// Whether a server does not give a part.
fn is_elsewhere(pack: &Pack, error: &PackError) -> bool {
    pack.is_remote() && matches!(error, PackError::Io { .. })
}

/// Tiles that are asked of a server at once.
const AHEAD: usize = 32;

/// The tiles of a face, parents first.
fn face_of(pack: &Pack, claims: &SourceClaims, face: u32, count: &(dyn Fn() + Sync)) -> FaceFindings {
    let mut found = FaceFindings::default();
    let mut ancestors: Vec<(TileId, Vec<u32>)> = Vec::new();
    let ids: Vec<TileId> = pack.ids().filter(|id| id.face == face).collect();
    for (k, &id) in ids.iter().enumerate() {
        if k % AHEAD == 0 {
            pack.prefetch(ids[k..].iter().take(2 * AHEAD).copied(), true);
        }
        while ancestors.last().is_some_and(|(top, _)| Some(*top) != id.parent()) {
            ancestors.pop();
        }
        found.sum.tiles += 1;
        count();
        let parent = ancestors.last().map(|(_, steps)| |x: usize, y: usize| steps[y * TILE_VERTICES + x]);
        if let Err(error) = pack.codes(id) {
            let is_elsewhere = is_elsewhere(pack, &error);
            found.add_complaint(error);
            if is_elsewhere {
                break;
            }
        }
        match pack.steps_and_origins(id, parent.as_ref().map(|steps| steps as Parent<'_>)) {
            Ok((steps, origins)) => {
                if let Some(reason) = origins.and_then(|origins| claims.misplaced_source(id, &origins)) {
                    found.add_complaint(pack.contradiction(reason));
                }
                for (side, check) in sides(id, &steps) {
                    found.side(pack.path(), side, check, id);
                }
                ancestors.push((id, steps));
            }
            Err(error) => found.add_complaint(error),
        }
    }
    found
}

/// The four sides of a tile, each with the check of its heights from the lower end to the higher.
fn sides(id: TileId, steps: &[u32]) -> [(Side, [u8; 8]); 4] {
    let last = TILE_QUADS;
    let corner = |x: u32, y: u32| id.place(x, y).point();
    let ends = [((0, 0), (last, 0)), ((0, last), (last, last)), ((0, 0), (0, last)), ((last, 0), (last, last))];
    ends.map(|((x0, y0), (x1, y1))| {
        let (a, b) = (corner(x0, y0), corner(x1, y1));
        let (dx, dy) = ((x1 - x0) / last, (y1 - y0) / last);
        let mut heights: Vec<u32> =
            (0..=last).map(|k| steps[(y0 + k * dy) as usize * TILE_VERTICES + (x0 + k * dx) as usize]).collect();
        if a > b {
            heights.reverse();
        }
        ((a.min(b), a.max(b)), checksum(&[bytemuck::cast_slice(&heights)]))
    })
}
