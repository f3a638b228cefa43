//! How does Python make a pack? As a whole, or in shares that other processes make, and which are joined.

use std::path::PathBuf;

use elevation::{
    bake::{Bake, BakeError, BakeOptions, Outcome, Progress, merge_while},
    height::{LayerOptions, OpenOptions, VerticalDatum},
    pack::{PackError, Shard},
};
use pyo3::{
    exceptions::{PyBlockingIOError, PyFileExistsError, PyOSError, PyValueError},
    prelude::*,
};

use crate::{
    error::of_height,
    work::{Watch, long},
};

/// What is said of a pack and of its sources, as Python says it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Recipe {
    files: Vec<PathBuf>,
    bbox: Option<[f64; 4]>,
    max_level: Option<u32>,
    band: Option<usize>,
    nodata: Option<f64>,
    crs: Option<String>,
    unit_m: Option<f64>,
    feather: Option<u32>,
    valid_range_m: Option<(f64, f64)>,
    vdatum: Option<String>,
    skip_bad: bool,
}

impl Recipe {
    /// The pack about to be made, or a share of it, in the words of which the program's options are made too.
    fn opened(&self, shard: Option<Shard>) -> Result<Bake, BakeError> {
        let default = OpenOptions::default();
        let band = default.band;
        let open = default
            .with_band(self.band.unwrap_or(band))
            .with_src_crs(self.crs.clone())
            .with_nodata(self.nodata)
            .with_unit_m(self.unit_m)
            .with_feather_texels(self.feather)
            .with_valid_range_m(self.valid_range_m)
            .with_vertical(self.vertical())
            .with_skip_bad(self.skip_bad)
            .with_layers(vec![LayerOptions::default(); self.files.len()]);
        let options = BakeOptions::default().with_bbox_deg(self.bbox).with_max_level(self.max_level).with_shard(shard);
        Bake::new(&self.files, &open, &options)
    }

    fn vertical(&self) -> Option<VerticalDatum> {
        self.vdatum.as_deref().and_then(|name| name.parse().ok())
    }

    /// A datum that is unknown is not left out in silence.
    fn check(&self) -> PyResult<()> {
        match self.vdatum.as_deref().map(str::parse::<VerticalDatum>) {
            Some(Err(error)) => Err(PyValueError::new_err(format!("vdatum: {error}"))),
            _ => Ok(()),
        }
    }
}

/// What tells the pack from all others; None where it is there already and is not to be made again; an exception if something else is.
#[pyfunction]
pub fn wanted_key(py: Python<'_>, recipe: Recipe, out: PathBuf, overwrite: bool) -> PyResult<Option<String>> {
    recipe.check()?;
    long(py, 1, None, |_| recipe.opened(None)?.wanted_key(&out, overwrite))?.map_err(of_bake)
}

/// Makes a pack, or the share of it that a number from 1 and their count say.
#[pyfunction]
#[pyo3(signature = (recipe, out, shard, overwrite, progress=None))]
pub fn bake(
    py: Python<'_>,
    recipe: Recipe,
    out: PathBuf,
    shard: Option<(u64, u64)>,
    overwrite: bool,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<()> {
    recipe.check()?;
    let shard = shard.map(|(index, count)| Shard { index, count });
    run(py, progress, |tell| recipe.opened(shard)?.run_while(&out, overwrite, tell))
}

/// Joins all shares of a pack.
#[pyfunction]
#[pyo3(signature = (shards, out, overwrite, progress=None))]
pub fn merge(
    py: Python<'_>,
    shards: Vec<PathBuf>,
    out: PathBuf,
    overwrite: bool,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<()> {
    run(py, progress, |tell| merge_while(&shards, &out, overwrite, tell))
}

/// Thousandths of the work that progress is told in.
const WHOLE: u64 = 1000;

fn run(
    py: Python<'_>,
    progress: Option<Bound<'_, PyAny>>,
    work: impl FnOnce(&mut dyn FnMut(Progress) -> bool) -> Result<Outcome, BakeError> + Send,
) -> PyResult<()> {
    let attended = |watch: &Watch| {
        let mut told = 0;
        work(&mut |Progress { work, all_work, .. }| {
            let done = work * WHOLE / all_work.max(1);
            watch.advance((done - done.min(told)) as usize);
            told = told.max(done);
            watch.goes_on()
        })
    };
    long(py, WHOLE as usize, progress.as_ref(), attended)?.map(drop).map_err(of_bake)
}

/// Of a pack that cannot be made.
fn of_bake(error: BakeError) -> PyErr {
    let text = error.to_string();
    match error {
        BakeError::Source(error) => of_height(*error),
        BakeError::Pack(PackError::Busy { .. }) => PyBlockingIOError::new_err(text),
        BakeError::Pack(PackError::Stale { .. } | PackError::Occupied { .. }) => PyFileExistsError::new_err(text),
        BakeError::Pack(PackError::Unmergeable { .. }) | BakeError::Option { .. } => PyValueError::new_err(text),
        _ => PyOSError::new_err(text),
    }
}
