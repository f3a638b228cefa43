//! How does Python make a pack? As a whole, or in shares that other processes make, and which are joined; in a file, or through one on object
//! storage.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use elevation::{
    bake::{Bake, BakeError, BakeOptions, Progress, merge_packs, merged},
    height::{LayerOptions, OpenOptions, VerticalDatum, is_remote},
    pack::{PackError, Shard},
};
use pyo3::{
    exceptions::{PyBlockingIOError, PyFileExistsError, PyOSError, PyValueError},
    prelude::*,
};
use sources::{Destination, DestinationError, UploadError, remote_packs};

use crate::{
    error::{in_python, of_height},
    surface::remote_options,
    work::{CallMonitor, run_long},
};

/// Arguments of a bake: the sources and their options, from Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct BakeArguments {
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

impl BakeArguments {
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

/// Where a pack of a name goes; what goes to object storage is made in a folder.
fn destination(out: &Path, work_dir: Option<&Path>) -> PyResult<Destination> {
    match (Destination::is_object_name(out), work_dir) {
        (false, _) if is_remote(out) => {
            Err(PyValueError::new_err(format!("{}: packs go into files, or to s3://BUCKET/KEY.pack", out.display())))
        }
        (false, None) => Ok(Destination::to_file(out)),
        (false, Some(_)) => {
            Err(PyValueError::new_err("work_dir= is for packs on object storage, s3://BUCKET/KEY.pack"))
        }
        (true, None) => Err(PyValueError::new_err(
            "a pack on object storage is made in a folder before it is put there: give work_dir=",
        )),
        (true, Some(folder)) => Destination::object(out, folder, remote_options()).map_err(|e| of_upload(&e)),
    }
}

/// The file in which a pack is made: itself, or what is put on object storage.
#[pyfunction]
#[pyo3(signature = (out, work_dir=None))]
pub fn working_file(out: PathBuf, work_dir: Option<PathBuf>) -> PyResult<OsString> {
    Ok(destination(&out, work_dir.as_deref())?.file().into())
}

/// What tells the pack from all others; None where it is there already and is not to be made again; an exception if something else is.
#[pyfunction]
#[pyo3(signature = (recipe, out, overwrite, work_dir=None))]
pub fn wanted_key(
    py: Python<'_>,
    recipe: BakeArguments,
    out: PathBuf,
    overwrite: bool,
    work_dir: Option<PathBuf>,
) -> PyResult<Option<String>> {
    recipe.check()?;
    let to = destination(&out, work_dir.as_deref())?;
    let look = |watch: &CallMonitor| -> Result<_, DestinationError> {
        let bake = recipe.opened(None)?;
        if !to.is_wanted(overwrite, |there| bake.matches(there))? {
            return Ok(None);
        }
        let loses_file = to.loses_file(overwrite, |file| bake.matches(file))?;
        let key = bake.pending_key(to.file(), loses_file)?;
        if key.is_none() {
            // An earlier call has made it, and did not get it there.
            to.publish(overwrite, &mut |_, _| watch.should_continue())?;
        }
        Ok(key)
    };
    run_long(py, 1, None, look)?.map_err(of_destination)
}

/// Makes a pack, or the share of it that a number from 1 and their count say.
#[pyfunction]
#[pyo3(signature = (recipe, out, shard, overwrite, progress=None, work_dir=None))]
pub fn bake(
    py: Python<'_>,
    recipe: BakeArguments,
    out: PathBuf,
    shard: Option<(u64, u64)>,
    overwrite: bool,
    progress: Option<Bound<'_, PyAny>>,
    work_dir: Option<PathBuf>,
) -> PyResult<()> {
    recipe.check()?;
    let shard = shard.map(|(index, count)| Shard { index, count });
    let to = destination(&out, work_dir.as_deref())?;
    if let Ok(old) = out.canonicalize()
        && recipe.files.iter().any(|file| file.canonicalize().is_ok_and(|file| file == old))
    {
        let line = format!("{} is among the files that are read: give another name", out.display());
        return Err(PyValueError::new_err(line));
    }
    run(py, progress, |watch, tell| {
        let bake = recipe.opened(shard)?;
        if to.is_wanted(overwrite, |there| bake.matches(there))? {
            let loses_file = to.loses_file(overwrite, |file| bake.matches(file))?;
            bake.run_while(to.file(), loses_file, tell)?;
            to.publish(overwrite, &mut |_, _| watch.should_continue())?;
        }
        Ok(())
    })
}

/// Joins all shares of a pack.
#[pyfunction]
#[pyo3(signature = (shards, out, overwrite, progress=None, work_dir=None))]
pub fn merge(
    py: Python<'_>,
    shards: Vec<PathBuf>,
    out: PathBuf,
    overwrite: bool,
    progress: Option<Bound<'_, PyAny>>,
    work_dir: Option<PathBuf>,
) -> PyResult<()> {
    let to = destination(&out, work_dir.as_deref())?;
    run(py, progress, |watch, tell| {
        let open = OpenOptions::default().with_remote(Some(remote_packs(remote_options())));
        let mut packs = shards.iter().map(|shard| open.open_pack(shard)).collect::<Result<Vec<_>, _>>()?;
        let manifest = merged(&mut packs)?;
        if to.is_wanted(overwrite, |there| Ok(*there.manifest() == manifest))? {
            let loses_file = to.loses_file(overwrite, |file| Ok(*file.manifest() == manifest))?;
            merge_packs(packs, to.file(), loses_file, tell)?;
            to.publish(overwrite, &mut |_, _| watch.should_continue())?;
        }
        Ok(())
    })
}

/// Thousandths of the work that progress is told in.
const WHOLE: u64 = 1000;

fn run(
    py: Python<'_>,
    progress: Option<Bound<'_, PyAny>>,
    work: impl FnOnce(&CallMonitor, &mut dyn FnMut(Progress) -> bool) -> Result<(), DestinationError> + Send,
) -> PyResult<()> {
    let run_with_requests = |watch: &CallMonitor| {
        let mut told = 0;
        work(watch, &mut |Progress { work, all_work, .. }| {
            let done = work * WHOLE / all_work.max(1);
            watch.advance((done - done.min(told)) as usize);
            told = told.max(done);
            watch.should_continue()
        })
    };
    run_long(py, WHOLE as usize, progress.as_ref(), run_with_requests)?.map_err(of_destination)
}

/// Of a pack that cannot be made, or not be put on a server.
fn of_destination(error: DestinationError) -> PyErr {
    match error {
        DestinationError::Bake(error) => of_bake(error),
        DestinationError::Pack(error) => of_bake(error.into()),
        DestinationError::Upload(error) => of_upload(&error),
        other => PyOSError::new_err(in_python(&other)),
    }
}

fn of_upload(error: &UploadError) -> PyErr {
    let text = in_python(error);
    match error {
        UploadError::Occupied { .. } => PyFileExistsError::new_err(text),
        UploadError::Busy { .. } => PyBlockingIOError::new_err(text),
        _ => PyOSError::new_err(text),
    }
}

/// Of a pack that cannot be made.
fn of_bake(error: BakeError) -> PyErr {
    let text = in_python(&error);
    match error {
        BakeError::Source(error) => of_height(*error),
        BakeError::Pack(PackError::Busy { .. }) => PyBlockingIOError::new_err(text),
        BakeError::Pack(PackError::Stale { .. } | PackError::Occupied { .. }) => PyFileExistsError::new_err(text),
        BakeError::Pack(PackError::Unmergeable { .. }) | BakeError::Option { .. } => PyValueError::new_err(text),
        _ => PyOSError::new_err(text),
    }
}
