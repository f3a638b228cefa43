//! How is the mesh of the planet made? Where the user says, else where it is best; with advice where it does not fit.

use std::sync::Arc;

use gpu::Gpu;
use terrain::TileCache;
use terrain::height::Relief;
use terrain::{Backend, Options, Planet, PlanetError};

/// A mesh of the twelve roots; `cache` is asked for kept elevation tiles only if the mesh has tiles.
///
/// # Errors
/// An option that cannot be, or a device that is too small; the message says which, and what to do.
pub fn make_mesh(
    gpu: &Gpu,
    relief: Arc<Relief>,
    options: Options,
    cache: impl FnOnce() -> Option<Arc<TileCache>>,
) -> anyhow::Result<Planet> {
    let exaggeration = relief.exaggeration();
    let planet = Planet::new(&gpu.device, relief, options);
    let mut planet = planet.map_err(|error| anyhow::anyhow!("{}", advised(&error, exaggeration)))?;
    if let Some(error) = planet.refused() {
        eprintln!("the mesh is kept on the CPU: {}", advised(error, exaggeration));
    }
    if planet.backend() == Backend::Gpu
        && let Some(cache) = cache()
    {
        planet.set_tile_cache(cache);
    }
    Ok(planet)
}

/// An error with what to do about it on the command line.
fn advised(error: &PlanetError, exaggeration: f64) -> String {
    let PlanetError::Heights { ground_m: (low_m, high_m), tiles_m: (lowest_m, highest_m) } = error else {
        return error.to_string();
    };
    let most = exaggeration * (lowest_m / low_m.min(-1.0)).min(highest_m / high_m.max(1.0));
    // What is left of the second digit may be too much.
    let less =
        if most < 1.0 { String::new() } else { format!(", or --exaggerate {:.1}", (most * 10.0).floor() / 10.0) };
    format!("{error}: take --mesh cpu{less}")
}

#[cfg(test)]
mod tests {
    use terrain::tile::TEXEL_RANGE_M;

    use super::*;

    /// Law: ground that tiles do not hold is refused with what they hold and with the most exaggeration that they take.
    #[test]
    fn what_tiles_do_not_hold_is_refused_with_what_they_do() {
        let told = |ground_m, factor| advised(&PlanetError::Heights { ground_m, tiles_m: TEXEL_RANGE_M }, factor);
        for factor in [2.0, 10.0] {
            let told = told((-10_376.0 * factor, 7_833.0 * factor), factor);
            assert!(told.contains("hold -16384 to 16384 m") && told.contains("--exaggerate 1.5"), "{told}");
        }
        let told = told((0.0, 20_000.0), 1.0);
        assert!(told.ends_with("take --mesh cpu"), "{told}");
    }
}
