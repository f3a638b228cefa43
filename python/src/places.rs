//! What is the ground at many places? Heights, slopes, normals and where they come from, each written where the caller says.

use elevation::{
    geodesy::{east_north_up, n_vector},
    surface::{SlopeRule, Surface},
};
use glam::DVec3;
use pyo3::{exceptions::PyValueError, prelude::*};
use rayon::prelude::*;

use crate::work::{CallMonitor, run_long, run_short};

/// Places that a thread takes at a time.
const PLACES_PER_TASK: usize = 256;
/// Places up to which a call is over before anyone could press Ctrl-C.
const FEW: usize = 20_000;

/// A quantity of the ground at a place, 1 or 3 numbers.
#[derive(Clone, Copy)]
pub enum GroundQuantity {
    Slope,
    Aspect,
    /// East, north and up.
    Normal,
    /// Of the Earth-centred system.
    EcefNormal,
}

impl GroundQuantity {
    pub fn of(name: &str) -> PyResult<Self> {
        match name {
            "slope" => Ok(Self::Slope),
            "aspect" => Ok(Self::Aspect),
            "enu" => Ok(Self::Normal),
            "ecef" => Ok(Self::EcefNormal),
            _ => Err(PyValueError::new_err(format!("{name:?} is none of slope, aspect, enu, ecef"))),
        }
    }

    pub fn width(self) -> usize {
        match self {
            Self::Slope | Self::Aspect => 1,
            Self::Normal | Self::EcefNormal => 3,
        }
    }

    fn answer(self, surface: &Surface, rule: SlopeRule, n: DVec3, out: &mut [f64]) {
        let ground = surface.ground_by(rule, n);
        let known = ground.height_m.is_finite() && ground.normal.is_finite();
        match self {
            _ if !known => out.fill(f64::NAN),
            Self::Slope => out[0] = ground.slope_rad.to_degrees(),
            // Level ground faces nowhere.
            Self::Aspect => out[0] = if ground.slope_rad > 0.0 { ground.aspect_rad.to_degrees() } else { f64::NAN },
            Self::Normal => {
                let (east, north, up) = east_north_up(n);
                out.copy_from_slice(&[east, north, up].map(|axis| axis.dot(ground.normal)));
            }
            Self::EcefNormal => out.copy_from_slice(&ground.normal.to_array()),
        }
    }
}

/// Normal at a place in degrees; `None` if it is none.
fn normal(lat_deg: f64, lon_deg: f64) -> Option<DVec3> {
    let is_place = lat_deg.abs() <= 90.0 && lon_deg.is_finite();
    is_place.then(|| n_vector(lat_deg.to_radians(), lon_deg.to_radians()))
}

/// Answers `width` numbers a place; not a number where there is no place.
pub fn each_place(
    py: Python<'_>,
    (lat_deg, lon_deg): (&[f64], &[f64]),
    (out, width): (&mut [f64], usize),
    progress: Option<&Bound<'_, PyAny>>,
    answer: impl Fn(DVec3, &mut [f64]) + Sync + Send,
) -> PyResult<()> {
    let places = lat_deg.len();
    if lon_deg.len() != places || out.len() != places * width {
        let text = format!("{places} latitudes, {} longitudes, {} numbers for answers", lon_deg.len(), out.len());
        return Err(PyValueError::new_err(text));
    }
    let work = |watch: &CallMonitor| {
        let pieces = lat_deg.par_chunks(PLACES_PER_TASK).zip(lon_deg.par_chunks(PLACES_PER_TASK));
        pieces.zip(out.par_chunks_mut(PLACES_PER_TASK * width)).for_each(|((lat, lon), out)| {
            if !watch.should_continue() {
                return;
            }
            for ((lat, lon), out) in lat.iter().zip(lon).zip(out.chunks_mut(width)) {
                match normal(*lat, *lon) {
                    Some(n) => answer(n, out),
                    None => out.fill(f64::NAN),
                }
            }
            watch.advance(lat.len());
        });
    };
    if places <= FEW && progress.is_none() { run_short(py, work) } else { run_long(py, places, progress, work) }
}

/// Heights above the datum in metres.
pub fn heights(
    py: Python<'_>,
    surface: &Surface,
    places: (&[f64], &[f64]),
    out: &mut [f64],
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    each_place(py, places, (out, 1), progress, |n, out| out[0] = surface.height_m(n))
}

/// Slopes, aspects or normals.
pub fn grounds(
    py: Python<'_>,
    surface: &Surface,
    (asked, rule): (GroundQuantity, SlopeRule),
    places: (&[f64], &[f64]),
    out: &mut [f64],
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    each_place(py, places, (out, asked.width()), progress, |n, out| asked.answer(surface, rule, n, out))
}

/// Index of the layer (not a number where there are no data), its share, its posting in metres, and 1 where the height is filled.
pub fn provenance(py: Python<'_>, surface: &Surface, places: (&[f64], &[f64]), out: &mut [f64]) -> PyResult<()> {
    each_place(py, places, (out, 4), None, |n, out| {
        let sample = surface.relief().sample(n);
        if sample.height_m.is_nan() {
            out.fill(f64::NAN);
            return;
        }
        let from = surface.ground(n).provenance;
        out.copy_from_slice(&[from.layer as f64, from.share, from.posting_m, f64::from(u8::from(from.filled))]);
    })
}
