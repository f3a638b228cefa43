//! How does a graphics device look for the lines of the raster? Part by part; the ground of the next one is read meanwhile.

use std::sync::{Arc, atomic::Ordering};

use gpu::Gpu;

use super::{Area, PartGround, Search, candidates::Candidates};
use crate::{
    HorizonError,
    horizon::GoOn,
    horizons::device::{DeviceHorizonGround, DeviceHorizonsError, Plans},
};

/// Adds the lines from the eyes of all parts; how many eyes those are.
pub(super) fn look(
    gpu: &Gpu,
    search: &Search<'_>,
    parts: &[Area],
    candidates: &mut Candidates,
    go_on: GoOn<'_>,
) -> Result<u64, DeviceHorizonsError> {
    let plans = Arc::new(Plans::new(gpu)?);
    let read = |part: Option<&Area>| part.map(|part| search.ground(*part, go_on)).transpose();
    let (mut eyes, mut next) = (0, read(parts.first())?);
    for k in 1..=parts.len() {
        let Some(part) = next else { break };
        next = std::thread::scope(|scope| {
            let reading = scope.spawn(|| read(parts.get(k)));
            look_from(gpu, &plans, search, &part, candidates, go_on)?;
            let read: Result<_, HorizonError> = reading.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            Ok::<_, DeviceHorizonsError>(read?)
        })?;
        eyes += part.count();
    }
    Ok(eyes)
}

/// Adds the lines from the eyes of a part.
fn look_from(
    gpu: &Gpu,
    plans: &Arc<Plans>,
    search: &Search<'_>,
    part: &PartGround,
    candidates: &mut Candidates,
    go_on: GoOn<'_>,
) -> Result<(), DeviceHorizonsError> {
    if search.passes_over(part, candidates) {
        return Ok(());
    }
    let ground = DeviceHorizonGround::with_plans(gpu, plans.clone(), &part.ground)?;
    let sought = search.sought(part, candidates.least_m());
    let before = search.done.load(Ordering::Relaxed);
    ground.farthest(part.ground.grid(), &sought, go_on, |direction, found| {
        search.add(part, found, candidates);
        search.done.store(before + direction + 1, Ordering::Relaxed);
        candidates.least_m()
    })
}
