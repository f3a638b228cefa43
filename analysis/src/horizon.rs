//! How high does the ground stand against the sky round a place? The horizon, azimuth by azimuth.
//!
//! [`Horizon`] is that of one eye, exact on the surface. [`Horizons`](crate::Horizons) are those of a whole raster.

mod slice;
#[cfg(test)]
mod tests;

use std::f64::consts::TAU;
use std::sync::atomic::{AtomicBool, Ordering};

use derive_setters::Setters;
use elevation::{
    geodesy::{Ellipsoid, Geodetic},
    surface::Surface,
};
use rayon::prelude::*;

use crate::memory::MemoryError;
use crate::option::{OptionError, check};
use slice::Slice;

/// Azimuths at most.
const MOST_DIRECTIONS: usize = 1 << 20;
/// The highest eye above the ground.
const HIGHEST_M: f64 = 1e6;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct HorizonOptions {
    /// Azimuths, evenly round the compass from north clockwise.
    pub directions: usize,
    /// Height of the eye above the ground, at most 1 000 km.
    pub eye_height_m: f64,
    /// Curvature of light over that of the Earth, see [`Surface::line_of_sight_refracted`].
    pub refraction: f64,
}

impl Default for HorizonOptions {
    /// 360 azimuths, an eye 2 m above the ground, no refraction.
    fn default() -> Self {
        Self { directions: 360, eye_height_m: 2.0, refraction: 0.0 }
    }
}

/// Why there is no horizon.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HorizonError {
    /// A number that cannot be.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The ground along an azimuth is so even that no part of it can be left out.
    #[error(
        "after {limit} pieces of ground the horizon at azimuth {azimuth_deg} is still undecided: raise the eye height"
    )]
    TooLong {
        /// Most pieces.
        limit: usize,
        /// Azimuth in degrees.
        azimuth_deg: f64,
    },
    /// A grid of another planet than the ground's.
    #[error("the grid is on another planet than the ground: make it with the ellipsoid of its relief")]
    OtherBody,
    /// An area beside all data.
    #[error(
        "the area {area_deg:?} (west, south, east, north) is outside of the data, which are in {data_deg:?}: take one inside"
    )]
    OutsideData {
        /// West, south, east, north as given.
        area_deg: [f64; 4],
        /// The same of the topmost data.
        data_deg: [f64; 4],
    },
    /// Too little memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// Whoever asked did not want the rest.
    #[error("stopped before the answer was complete")]
    Stopped,
}

/// A callback that long computations poll: once it returns false, they end with [`HorizonError::Stopped`].
pub type ShouldContinue<'a> = &'a (dyn Fn() -> bool + Sync);

/// Runs `work` with a callback to poll. After the first false it is not polled again, and the result is dropped.
pub(crate) fn run_cancellable<T>(
    should_continue: ShouldContinue<'_>,
    work: impl FnOnce(ShouldContinue<'_>) -> T,
) -> Result<T, HorizonError> {
    let stopped = AtomicBool::new(false);
    let made = work(&|| {
        if !stopped.load(Ordering::Relaxed) && !should_continue() {
            stopped.store(true, Ordering::Relaxed);
        }
        !stopped.load(Ordering::Relaxed)
    });
    if stopped.into_inner() { Err(HorizonError::Stopped) } else { Ok(made) }
}

/// The ground that forms the horizon at one azimuth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HorizonPoint {
    /// Radians clockwise from north, 0 to below 2 pi.
    pub azimuth_rad: f64,
    /// Apparent elevation above the plane that is level at the eye, radians: within [`Horizon::TOLERANCE_RAD`] or
    /// [`Horizon::TOLERANCE_M`], seldom [so many times as much](Horizon::MOST_TOLERANCES), never above the true one.
    pub elevation_rad: f64,
    /// Straight from the eye to the place, in metres.
    pub distance_m: f64,
    /// The place, with the height of the ground there.
    pub place: Geodetic,
}

/// The horizon of an eye.
///
/// ```
/// use std::sync::Arc;
/// use analysis::{Horizon, HorizonOptions};
/// use elevation::geodesy::Geodetic;
/// use elevation::height::{GlobalGrid, Registration, Relief};
/// use elevation::surface::Surface;
///
/// let sea = GlobalGrid::from_fn(360, 181, Registration::Node, |_, _| 0.0);
/// let surface = Surface::new(Arc::new(Relief::from_grid(sea)?));
/// let options = HorizonOptions::default().with_directions(8).with_eye_height_m(100.0);
/// let horizon = Horizon::new(&surface, Geodetic::from_degrees(46.0, 8.0, 0.0), &options)?;
/// // The dip of the sea's horizon: acos(R / (R + 100 m)).
/// assert!(horizon.points.iter().all(|point| (point.elevation_rad.to_degrees() + 0.321).abs() < 0.002));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Horizon {
    /// The planet that it is on.
    pub ellipsoid: Ellipsoid,
    /// The eye, with its height above the datum.
    pub eye: Geodetic,
    /// One for each azimuth, from north clockwise.
    pub points: Vec<HorizonPoint>,
}

impl Horizon {
    /// How far an elevation may be below the true one, but for [`MOST_TOLERANCES`](Self::MOST_TOLERANCES): 0.001 degrees.
    pub const TOLERANCE_RAD: f64 = 1.7e-5;
    /// Or this height of the ground, which is more of an angle within 59 m of the eye: even ground there would be cut to
    /// pieces of micrometres.
    pub const TOLERANCE_M: f64 = 1e-3;
    /// Or so many times as much as both, where the ground is so steep or so even that some ten thousand pieces of it do not tell.
    pub const MOST_TOLERANCES: f64 = 10.0;

    /// The horizon of an eye above the ground at a place (whose height does not matter), on all threads.
    ///
    /// An azimuth is the vertical half-plane through the eye. All of the ground in it counts, from a metre away to where none can
    /// rise above what is there already: pieces are taken in the order of the elevation that their highest ground could
    /// have ([`Relief::bounds_m`](elevation::height::Relief::bounds_m)), and halved, until no other can be higher. Nothing
    /// is stepped over. The planet is its ellipsoid. Light that the air bends arrives higher by `refraction * distance / 2 R`
    /// than the straight line, R the mean radius, as lines of sight have it.
    ///
    /// # Errors
    /// [`HorizonError`]: options that cannot be, ground that is even to the last centimetre and tilted.
    pub fn new(surface: &Surface, at: Geodetic, options: &HorizonOptions) -> Result<Self, HorizonError> {
        Self::new_while(surface, at, options, &|| true)
    }

    /// The same, as long as `should_continue` says so, which is asked before each azimuth.
    ///
    /// # Errors
    /// As [`Horizon::new`], and [`HorizonError::Stopped`].
    pub fn new_while(
        surface: &Surface,
        at: Geodetic,
        options: &HorizonOptions,
        should_continue: ShouldContinue<'_>,
    ) -> Result<Self, HorizonError> {
        let eye_height_m = options.eye_height_m;
        check("an eye height", eye_height_m, (0.0..=HIGHEST_M).contains(&eye_height_m), "from 0 to 1 000 000 m")?;
        let eye = Geodetic { height_m: surface.height_m(at.normal()) + eye_height_m, ..at };
        Self::of_eye(surface, eye, options, should_continue)
    }

    /// The same of an eye whose height is its own, above the datum; it is not below the ground. The eye height of the options does not
    /// matter.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use analysis::{Horizon, HorizonOptions};
    /// use elevation::{geodesy::Geodetic, height::{GlobalGrid, Registration, Relief}, surface::Surface};
    /// let sea = Surface::new(Arc::new(Relief::from_grid(GlobalGrid::from_fn(72, 37, Registration::Node, |_, _| 0.0))?));
    /// let eye = Geodetic::from_degrees(10.0, 20.0, 100.0);
    /// let horizon = Horizon::of_eye(&sea, eye, &HorizonOptions::default(), &|| true)?;
    /// // 100 m above the sea it is 36 km away, and 0.32 degrees below level.
    /// assert!(horizon.points.iter().all(|point| (point.elevation_rad.to_degrees() + 0.32).abs() < 0.03));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Horizon::new_while`].
    pub fn of_eye(
        surface: &Surface,
        eye: Geodetic,
        options: &HorizonOptions,
        should_continue: ShouldContinue<'_>,
    ) -> Result<Self, HorizonError> {
        let HorizonOptions { directions, refraction, .. } = *options;
        let fits = (1..=MOST_DIRECTIONS).contains(&directions);
        check("a number of directions", directions as f64, fits, "from 1 to 1 048 576")?;
        check("a refraction", refraction, (-1.0..=1.0).contains(&refraction), "from -1 to 1")?;
        let point = |k: usize| {
            let azimuth_rad = TAU * k as f64 / directions as f64;
            if should_continue() {
                Self::at_azimuth(surface, eye, azimuth_rad, refraction)
            } else {
                Err(HorizonError::Stopped)
            }
        };
        let points = (0..directions).into_par_iter().map(point).collect::<Result<_, _>>()?;
        Ok(Self { ellipsoid: surface.relief().ellipsoid(), eye, points })
    }

    /// The ground that forms the horizon of an eye at one azimuth, as in [`Horizon::new`]. The eye is not below the ground.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use analysis::Horizon;
    /// use elevation::{geodesy::Geodetic, height::{GlobalGrid, Registration, Relief}, surface::Surface};
    ///
    /// let sea = GlobalGrid::from_fn(360, 181, Registration::Node, |_, _| 0.0);
    /// let surface = Surface::new(Arc::new(Relief::from_grid(sea)?));
    /// let place = Geodetic::from_degrees(46.0, 8.0, 0.0);
    /// let point = Horizon::at_azimuth(&surface, Geodetic { height_m: 100.0, ..place }, 0.0, 0.0)?;
    /// assert!((point.distance_m / 35_700.0 - 1.0).abs() < 0.05); // sqrt(2 R h)
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`HorizonError::TooLong`].
    pub fn at_azimuth(
        surface: &Surface,
        eye: Geodetic,
        azimuth_rad: f64,
        refraction: f64,
    ) -> Result<HorizonPoint, HorizonError> {
        Slice::new(surface, eye, azimuth_rad, refraction).highest()
    }

    /// Elevation of the horizon at any azimuth, in radians: between two points of it along a straight line; NaN of no points.
    pub fn elevation_rad(&self, azimuth_rad: f64) -> f64 {
        let count = self.points.len();
        if count == 0 {
            return f64::NAN;
        }
        let at = azimuth_rad.rem_euclid(TAU) / TAU * count as f64;
        let (before, part) = (at.floor(), at.fract());
        let elevation = |k: usize| self.points[k % count].elevation_rad;
        let (a, b) = (elevation(before as usize), elevation(before as usize + 1));
        a + (b - a) * part
    }
}
