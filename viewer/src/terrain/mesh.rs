//! How is the mesh of the planet made? Where the user says, else where it is best.

use std::sync::Arc;

use gpu::Gpu;
use terrain::TileCache;
use terrain::height::Relief;
use terrain::{Options, Planet};

/// A mesh of the twelve roots, which looks for elevation tiles in a cache first.
///
/// # Errors
/// An option that cannot be, or a device that is too small; the message says which, and what to do.
pub fn make_mesh(
    gpu: &Gpu,
    relief: Arc<Relief>,
    options: Options,
    cache: Option<Arc<TileCache>>,
) -> anyhow::Result<Planet> {
    let planet = Planet::with_tile_cache(&gpu.device, relief, options, cache)?;
    if let Some(error) = planet.gpu_refusal() {
        eprintln!("the mesh is kept on the CPU: {error}");
    }
    Ok(planet)
}
