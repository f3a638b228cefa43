//! How does a graphics device look for the lines of the raster? Part by part; the ground of the next one is read meanwhile.

use std::sync::{Arc, atomic::Ordering};

use gpu::Gpu;

use super::{Area, PartGround, Search, candidates::Candidates};
use crate::{
    HorizonError,
    horizon::ShouldContinue,
    horizons::device::{CompiledKernels, DeviceHorizonGround, DeviceHorizonsError},
};

/// Adds the lines from the eyes of all parts; how many eyes those are.
pub(super) fn find_lines(
    gpu: &Gpu,
    search: &Search<'_>,
    parts: &[Area],
    candidates: &mut Candidates,
    should_continue: ShouldContinue<'_>,
) -> Result<u64, DeviceHorizonsError> {
    let kernels = Arc::new(CompiledKernels::new(gpu)?);
    let read = |part: Option<&Area>| part.map(|part| search.ground(*part, should_continue)).transpose();
    let (mut eyes, mut next) = (0, read(parts.first())?);
    for k in 1..=parts.len() {
        let Some(part) = next else { break };
        next = std::thread::scope(|scope| {
            let reading = scope.spawn(|| read(parts.get(k)));
            find_lines_of_part(gpu, &kernels, search, &part, candidates, should_continue)?;
            let read: Result<_, HorizonError> = reading.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            Ok::<_, DeviceHorizonsError>(read?)
        })?;
        eyes += part.count();
    }
    Ok(eyes)
}

/// Adds the lines from the eyes of a part.
fn find_lines_of_part(
    gpu: &Gpu,
    kernels: &Arc<CompiledKernels>,
    search: &Search<'_>,
    part: &PartGround,
    candidates: &mut Candidates,
    should_continue: ShouldContinue<'_>,
) -> Result<(), DeviceHorizonsError> {
    if search.has_no_candidates(part, candidates) {
        return Ok(());
    }
    let ground = DeviceHorizonGround::with_kernels(gpu, kernels.clone(), &part.ground)?;
    let query = search.line_query(part, candidates.least_m());
    let before = search.done.load(Ordering::Relaxed);
    ground.farthest(part.ground.grid(), &query, should_continue, |direction, found| {
        search.add(part, found, candidates);
        search.done.store(before + direction + 1, Ordering::Relaxed);
        candidates.least_m()
    })
}
