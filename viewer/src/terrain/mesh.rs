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
    let mut planet = Planet::new(&gpu.device, relief, options)?;
    if let Some(error) = planet.refused() {
        eprintln!("the mesh is kept on the CPU: {error}");
    }
    if let Some(cache) = cache {
        planet.set_tile_cache(cache);
    }
    Ok(planet)
}
