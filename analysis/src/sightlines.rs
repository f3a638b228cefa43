//! Which are the longest lines of sight of an area?
//!
//! | question | module |
//! |---|---|
//! | How far do the cells of a raster see? | `horizons::sweep` |
//! | Which of those lines may be among the longest? | `candidates` |
//! | And by a graphics device? Feature `gpu` | `device` |
//! | Which lines count as two? | `separated_lines` |
//! | Which are seen on the surface itself? | `verification` |

mod candidates;
#[cfg(feature = "gpu")]
mod device;
mod separated_lines;
#[cfg(test)]
mod tests;
mod verification;

use std::{
    f64::consts::{FRAC_1_SQRT_2, TAU},
    sync::atomic::{AtomicUsize, Ordering},
};

use derive_setters::Setters;
use elevation::{
    geodesy::{Ellipsoid, Geodetic},
    surface::Surface,
};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::{
    Grid, HorizonError, HorizonGround, HorizonsOptions,
    degrees::{DEGREE_M, check_edges, most_cos, width, wrapped},
    horizon::{ShouldContinue, run_cancellable},
    horizons::{
        grid::{Level, farthest_m, longest_m, reach_m},
        sweep::{FarthestTarget, LineQuery},
    },
    option::check,
};
use candidates::{Candidate, Candidates};

/// Directions at most.
const MOST_DIRECTIONS: usize = 1 << 16;
/// Lines at most.
const MOST_LINES: usize = 10_000;
/// Cells along a side of a part of the area at most.
const SIDE: f64 = 4_096.0;
/// A side of a part on the Earth at most: lines of a grid are straight near its middle.
const SIDE_M: f64 = 400_000.0;
/// Parts of an area at most.
const MOST_PARTS: f64 = 1e6;
/// Cells of each size around a part: farther out they are never more than a 512th of their distance.
const MARGIN: usize = 1_024;
/// Lines that are taken together.
const TOGETHER: usize = 1 << 14;
/// Degrees of longitude of a part at most.
const WIDEST_DEG: f64 = 90.0;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct SightlinesOptions {
    /// Lines that are wanted, at most 10 000.
    pub lines: usize,
    /// Directions in which each eye looks, evenly round the compass, at most 65 536.
    pub directions: usize,
    /// Distance between eyes; `None` takes the posting in the middle of the area.
    pub cell_m: Option<f64>,
    /// Height of the eyes above the ground.
    pub eye_height_m: f64,
    /// Height of the targets above the ground.
    pub target_height_m: f64,
    /// Curvature of light over that of the Earth, see [`Surface::line_of_sight_refracted`].
    pub refraction: f64,
    /// How long lines may be; `None`: as far as the highest ground of the data can be seen over the lowest.
    pub reach_m: Option<f64>,
    /// Of two lines both of whose ends are nearer to each other than this, the longer one counts, whichever way they are looked along.
    pub separation_m: f64,
}

impl Default for SightlinesOptions {
    /// 100 lines, 360 directions, in the posting's cells, eyes 2 m above the ground, targets on it, no refraction, ends 5 km apart.
    fn default() -> Self {
        Self {
            lines: 100,
            directions: 360,
            cell_m: None,
            eye_height_m: 2.0,
            target_height_m: 0.0,
            refraction: 0.0,
            reach_m: None,
            separation_m: 5_000.0,
        }
    }
}

impl SightlinesOptions {
    /// Refuses what cannot be on a planet.
    ///
    /// ```
    /// use analysis::SightlinesOptions;
    /// use elevation::geodesy::Ellipsoid;
    /// let options = SightlinesOptions::default();
    /// assert!(options.check(Ellipsoid::WGS84).is_ok());
    /// let refused = options.with_directions(0).check(Ellipsoid::WGS84).unwrap_err();
    /// assert_eq!(refused.to_string(), "a number of directions of 0 is not possible: from 1 to 65 536");
    /// ```
    ///
    /// # Errors
    /// [`HorizonError::Option`].
    pub fn check(&self, ellipsoid: Ellipsoid) -> Result<(), HorizonError> {
        let Self { lines, directions, cell_m, eye_height_m, target_height_m, refraction, reach_m, separation_m } =
            *self;
        check("a number of lines", lines as f64, (1..=MOST_LINES).contains(&lines), "from 1 to 10 000")?;
        let fits = (1..=MOST_DIRECTIONS).contains(&directions);
        check("a number of directions", directions as f64, fits, "from 1 to 65 536")?;
        cell_m.map_or(Ok(()), |cell_m| check("a cell", cell_m, cell_m > 0.0, "above 0 m"))?;
        for (what, height_m) in [("an eye height", eye_height_m), ("a target height", target_height_m)] {
            check(what, height_m, (0.0..=1e5).contains(&height_m), "from 0 to 100 000 m")?;
        }
        check("a refraction", refraction, (-1.0..=0.9).contains(&refraction), "from -1 to 0.9")?;
        let farthest_m = farthest_m(ellipsoid);
        let rule = "above 0 and at most 2 000 000 m on the Earth, and as large an angle elsewhere";
        reach_m.map_or(Ok(()), |reach_m| check("a reach", reach_m, reach_m > 0.0 && reach_m <= farthest_m, rule))?;
        let fits = (0.0..=farthest_m).contains(&separation_m);
        let rule = "from 0 to 2 000 000 m on the Earth, and as large an angle elsewhere";
        Ok(check("a separation", separation_m, fits, rule)?)
    }
}

/// A line of sight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sightline {
    /// The eye, with its height above the datum.
    pub eye: Geodetic,
    /// What it sees, with its height above the datum.
    pub target: Geodetic,
    /// Of the geodesic from the eye to the target, radians clockwise from north, 0 to below 2 pi.
    pub azimuth_rad: f64,
    /// Of the target above the plane that is level at the eye, as light arrives, in radians.
    pub elevation_rad: f64,
    /// Length of the geodesic, in metres.
    pub distance_m: f64,
}

/// The longest lines of sight whose eyes are in an area; their targets may be anywhere.
///
/// ```
/// use std::sync::Arc;
/// use analysis::{Sightlines, SightlinesOptions};
/// use elevation::height::{GlobalGrid, Registration, Relief};
/// use elevation::surface::Surface;
///
/// let sea = GlobalGrid::from_fn(360, 181, Registration::Node, |_, _| 0.0);
/// let surface = Surface::new(Arc::new(Relief::from_grid(sea)?));
/// let options = SightlinesOptions::default().with_cell_m(Some(500.0)).with_directions(8).with_eye_height_m(100.0).with_lines(3);
/// let found = Sightlines::new(&surface, [8.0, 45.0, 8.1, 45.1], &options, |_part, _parts| {})?;
/// assert_eq!(found.lines.len(), 3);
/// // To the sea's horizon: sqrt(2 R h), and not as far as a cell beyond it.
/// assert!(found.lines.iter().all(|line| (line.distance_m / 35_700.0 - 1.0).abs() < 0.02));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sightlines {
    /// The planet that they are on.
    pub ellipsoid: Ellipsoid,
    /// Distance between eyes in metres.
    pub cell_m: f64,
    /// From how many eyes they were looked for.
    pub eyes: u64,
    /// The longest first, no two beside each other; fewer than were wanted if there are no more.
    pub lines: Vec<Sightline>,
}

impl Sightlines {
    /// The longest lines of sight from eyes in a box of longitudes and latitudes in degrees (west, south, east, north; across 180 degrees
    /// where east is not more than west), on all threads. `progress` hears of each part of the work that is done, and of how many
    /// there are.
    ///
    /// All lines that are returned are seen: [`Surface::sees`] says so of each. That no longer one is left out is true of a raster of
    /// the surface, as [`Horizons`](crate::Horizons) has it: eyes in the middles of cells, straight lines between those, targets
    /// in the given directions. Cells within 1024 of the area's parts are as large as the eyes', those farther out never larger than
    /// 1/512 of their distance. Summits and gaps that are narrower are missed.
    ///
    /// The longest lines of the raster are tried on the surface. They end at the farthest target that is seen within a cell there, to a
    /// 64th of it. Those that are hidden end at the ground that hides them.
    ///
    /// The area is taken in parts of 4096 x 4096 cells and at most 400 km, in the azimuthal equidistant projection round their middles.
    /// One takes up to 1 GB of memory.
    ///
    /// # Errors
    /// [`HorizonError::Option`]: options or an area that cannot be; [`HorizonError::OutsideData`].
    pub fn new(
        surface: &Surface,
        area_deg: [f64; 4],
        options: &SightlinesOptions,
        progress: impl Fn(usize, usize) + Sync,
    ) -> Result<Self, HorizonError> {
        Self::new_while(surface, area_deg, options, |part, parts| {
            progress(part, parts);
            true
        })
    }

    /// The same, as long as `should_continue` says so, which is asked often, with the parts that are done and of all.
    ///
    /// # Errors
    /// As [`Sightlines::new`], and [`HorizonError::Stopped`].
    pub fn new_while(
        surface: &Surface,
        area_deg: [f64; 4],
        options: &SightlinesOptions,
        should_continue: impl Fn(usize, usize) -> bool + Sync,
    ) -> Result<Self, HorizonError> {
        Self::find(surface, area_deg, options, should_continue, |search, parts, candidates, should_continue| {
            let eyes = |part: &Area| {
                Ok(search.find_lines(&search.ground(*part, should_continue)?, candidates, should_continue))
            };
            parts.iter().map(eyes).sum()
        })
    }

    /// The same by a graphics device, which looks for the lines of the raster; the surface proves them on all threads. Targets are on the
    /// ground. Of ground that rises equally high before an eye but for rounding, either may count.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use analysis::{Sightlines, SightlinesOptions};
    /// use elevation::height::{GlobalGrid, Registration, Relief};
    /// use elevation::surface::Surface;
    ///
    /// let hills = GlobalGrid::from_fn(720, 361, Registration::Node, |lon, lat| 900.0 * (5.0 * lon + 7.0 * lat).sin());
    /// let surface = Surface::new(Arc::new(Relief::from_grid(hills)?));
    /// let options = SightlinesOptions::default().with_cell_m(Some(2_000.0)).with_directions(8).with_lines(1);
    /// let gpu = gpu::Gpu::new(&Default::default())?;
    /// let found = Sightlines::on_device_while(&gpu, &surface, [8.0, 45.0, 9.0, 46.0], &options, |_part, _parts| true)?;
    /// let same = Sightlines::new(&surface, [8.0, 45.0, 9.0, 46.0], &options, |_part, _parts| {})?;
    /// assert!((found.lines[0].distance_m / same.lines[0].distance_m - 1.0).abs() < 0.05);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Sightlines::new_while`], and [`DeviceHorizonsError`](crate::DeviceHorizonsError).
    #[cfg(feature = "gpu")]
    pub fn on_device_while(
        gpu: &gpu::Gpu,
        surface: &Surface,
        area_deg: [f64; 4],
        options: &SightlinesOptions,
        should_continue: impl Fn(usize, usize) -> bool + Sync,
    ) -> Result<Self, crate::DeviceHorizonsError> {
        Self::find(surface, area_deg, options, should_continue, |search, parts, candidates, should_continue| {
            device::find_lines(gpu, search, parts, candidates, should_continue)
        })
    }

    /// Lines of the raster are looked for by `find_lines`, which tells how many eyes there are.
    fn find<E: From<HorizonError>>(
        surface: &Surface,
        area_deg: [f64; 4],
        options: &SightlinesOptions,
        should_continue: impl Fn(usize, usize) -> bool + Sync,
        find_lines: impl FnOnce(&Search<'_>, &[Area], &mut Candidates, ShouldContinue<'_>) -> Result<u64, E>,
    ) -> Result<Self, E> {
        let ellipsoid = surface.relief().ellipsoid();
        options.check(ellipsoid)?;
        let area = Area::of(area_deg)?;
        area.check_data(surface)?;
        let cell_m = options.cell_m.unwrap_or_else(|| surface.relief().posting_m(area.middle().normal()));
        let heights_m = [options.eye_height_m, options.target_height_m];
        let reach_m = options.reach_m.unwrap_or_else(|| reach_m(surface, heights_m, options.refraction));
        let rule = "lines so long are not straight in a grid: take lower eyes and targets, or give a reach";
        check("a reach", reach_m, reach_m <= farthest_m(ellipsoid), rule).map_err(HorizonError::from)?;
        let parts = area.parts(ellipsoid, cell_m)?;
        // The proofs are the last.
        let (done, all) = (AtomicUsize::new(0), parts.len() * options.directions + 1);
        let asked = || should_continue(done.load(Ordering::Relaxed), all);
        let options = SightlinesOptions { reach_m: Some(reach_m), ..*options };
        let search = Search { surface, options, cell_m, done: &done };
        let (lines, eyes) = run_cancellable(&asked, |should_continue| {
            let mut candidates = Candidates::new(options.lines, options.separation_m);
            let eyes = find_lines(&search, &parts, &mut candidates, should_continue)?;
            Ok::<_, E>((verification::longest_seen(surface, candidates.into_sorted(), &options, should_continue), eyes))
        })??;
        Ok(Self { ellipsoid, cell_m, eyes, lines })
    }
}

/// What is the same for all parts.
struct Search<'a> {
    surface: &'a Surface,
    /// With a reach.
    options: SightlinesOptions,
    cell_m: f64,
    done: &'a AtomicUsize,
}

/// The ground of a part, and which cells of its grid have eyes.
struct PartGround {
    ground: HorizonGround,
    eyes: Vec<bool>,
}

impl PartGround {
    /// No line from here can be longer.
    fn longest_m(&self, options: &SightlinesOptions) -> f64 {
        let [low_m, high_m, highest_m] = self.ground.range_m();
        let above_m = [high_m - low_m + options.eye_height_m, highest_m - low_m + options.target_height_m];
        // Straight in space, not along the ground; and the raster rounds.
        1.01 * longest_m(self.ground.grid().ellipsoid, above_m, options.refraction)
    }

    fn count(&self) -> u64 {
        self.eyes.iter().filter(|is_eye| **is_eye).count() as u64
    }
}

impl Search<'_> {
    /// Reads the ground of a part.
    fn ground(&self, part: Area, should_continue: ShouldContinue<'_>) -> Result<PartGround, HorizonError> {
        let SightlinesOptions { directions, eye_height_m, refraction, reach_m, .. } = self.options;
        let grid = Grid::covering(self.surface.relief().ellipsoid(), part.edges(), self.cell_m)?;
        let levels = Level::all(self.surface, &grid, reach_m.unwrap_or_default(), MARGIN, should_continue);
        let eyes = part.eyes(&grid);
        let options = HorizonsOptions { directions, eye_height_m, refraction, reach_m };
        Ok(PartGround { ground: HorizonGround::of_levels(grid, options, levels), eyes })
    }

    /// What is sought from a part.
    fn line_query<'a>(&self, part: &'a PartGround, least_m: f64) -> LineQuery<'a> {
        let SightlinesOptions { eye_height_m, target_height_m, separation_m, reach_m, .. } = self.options;
        let (most_m, separation_m) = (reach_m.unwrap_or_default(), 0.5 * separation_m);
        LineQuery { eye_height_m, target_height_m, least_m, most_m, separation_m, eyes: &part.eyes }
    }

    /// Adds the lines from the eyes of a part; how many those are.
    fn find_lines(&self, part: &PartGround, candidates: &mut Candidates, should_continue: ShouldContinue<'_>) -> u64 {
        if self.has_no_candidates(part, candidates) {
            return part.count();
        }
        for k in 0..self.options.directions {
            if !should_continue() {
                return 0;
            }
            let found = part.ground.farthest(k, &self.line_query(part, candidates.least_m()), should_continue);
            self.add(part, found, candidates);
            self.done.fetch_add(1, Ordering::Relaxed);
        }
        part.count()
    }

    /// Whether no line from a part is as long as those that are known. Then the part is done.
    fn has_no_candidates(&self, part: &PartGround, candidates: &Candidates) -> bool {
        let is_low = part.longest_m(&self.options) < candidates.least_m();
        if is_low {
            self.done.fetch_add(self.options.directions, Ordering::Relaxed);
        }
        is_low
    }

    /// Adds lines that are found from eyes of a part.
    fn add(&self, part: &PartGround, mut found: Vec<FarthestTarget>, candidates: &mut Candidates) {
        let grid = part.ground.grid();
        // Lines whose eyes and whose targets are in the same squares are beside each other.
        let square_m = 0.5 * FRAC_1_SQRT_2 * self.options.separation_m;
        let squares = |found: &FarthestTarget| {
            let [column, row] = found.cell.map(|k| k as f64 * grid.cell_m);
            [column, row, found.target_m[0], found.target_m[1]].map(|m| (m / square_m).floor() as i32)
        };
        let mut known = FxHashSet::default();
        // The longest first: those that follow are mostly too short then.
        found.par_sort_unstable_by(|a, b| b.distance_m.total_cmp(&a.distance_m).then(a.cell.cmp(&b.cell)));
        for found in found.chunks(TOGETHER) {
            let enough = found.partition_point(|found| found.distance_m >= candidates.least_m());
            let longest: Vec<&FarthestTarget> =
                found[..enough].iter().filter(|found| known.insert(squares(found))).collect();
            let lines = longest.into_par_iter().with_min_len(64).map(|found| candidate(grid, found));
            candidates.add(lines.collect::<Vec<Candidate>>());
        }
    }
}

/// What is found in a grid, on the ellipsoid.
fn candidate(grid: &Grid, found: &FarthestTarget) -> Candidate {
    let [column, row] = found.cell;
    let [east_m, north_m] = found.target_m;
    let ends = [grid.place(column, row), grid.at((east_m, north_m))].map(|place| place.to_ecef(grid.ellipsoid));
    Candidate { ends, distance_m: found.distance_m, step_m: found.step_m }
}

/// A box of longitudes and latitudes in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Area {
    west: f64,
    south: f64,
    wide: f64,
    high: f64,
}

impl Area {
    fn of([west, south, east, north]: [f64; 4]) -> Result<Self, HorizonError> {
        check_edges([west, south, east, north])?;
        let wide = width(west, east);
        check("a box with a width", wide, wide > 0.0 && wide <= 360.0, "above 0 and at most 360 degrees")?;
        Ok(Self { west, south, wide, high: north - south })
    }

    fn middle(&self) -> Geodetic {
        Geodetic::from_degrees(self.south + 0.5 * self.high, wrapped(self.west + 0.5 * self.wide), 0.0)
    }

    /// West, south, east, north.
    fn edges(&self) -> [f64; 4] {
        let [west, east] = [self.west, self.west + self.wide].map(wrapped);
        [west, self.south, east, self.south + self.high]
    }

    /// Refuses an area in which only the lowest of several layers answers.
    fn check_data(&self, surface: &Surface) -> Result<(), HorizonError> {
        let layers = surface.relief().layers();
        let above = &layers[..layers.len().saturating_sub(1)];
        let meets = |[west, south, east, north]: [f64; 4]| {
            let along = (west - self.west).rem_euclid(360.0) <= self.wide
                || (self.west - west).rem_euclid(360.0) <= east - west;
            along && south <= self.south + self.high && north >= self.south
        };
        match above.first() {
            Some(topmost) if !above.iter().any(|layer| meets(layer.bbox_deg)) => {
                Err(HorizonError::OutsideData { area_deg: self.edges(), data_deg: topmost.bbox_deg })
            }
            _ => Ok(()),
        }
    }

    /// Parts with as many cells as are taken at once.
    fn parts(&self, ellipsoid: Ellipsoid, cell_m: f64) -> Result<Vec<Self>, HorizonError> {
        let degree_m = DEGREE_M * ellipsoid.size();
        let side_m = (SIDE * cell_m).min(SIDE_M * ellipsoid.size());
        let bands = (self.high * degree_m / side_m).ceil();
        let high = self.high / bands;
        let columns = |south: f64| {
            (self.wide * most_cos(south, south + high) * degree_m / side_m).max(self.wide / WIDEST_DEG).ceil()
        };
        let rule = "at most 1 000 000: take larger cells or a smaller area";
        check("a number of parts of 4096 x 4096 cells", bands, bands <= MOST_PARTS, rule)?;
        let souths = (0..bands as usize).map(|k| self.south + high * k as f64);
        let count: f64 = souths.clone().map(columns).sum();
        check("a number of parts of 4096 x 4096 cells", count, count <= MOST_PARTS, rule)?;
        let of_band = |south: f64| {
            let wide = self.wide / columns(south);
            (0..columns(south) as usize).map(move |k| Self { west: self.west + wide * k as f64, south, wide, high })
        };
        Ok(souths.flat_map(of_band).collect())
    }

    /// Which cells of a grid are in it.
    fn eyes(&self, grid: &Grid) -> Vec<bool> {
        let [south, north] = [self.south, self.south + self.high].map(f64::to_radians);
        let (west, wide) = (self.west.to_radians(), self.wide.to_radians());
        let row = |row: usize| {
            grid.normals(row).into_iter().map(move |n| {
                let lat_rad = n.z.asin();
                (south..=north).contains(&lat_rad) && (n.y.atan2(n.x) - west).rem_euclid(TAU) <= wide
            })
        };
        (0..grid.rows).into_par_iter().flat_map_iter(row).collect()
    }
}
