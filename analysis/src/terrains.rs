//! Which ground do tests stand on?

use std::sync::Arc;

use elevation::geodesy::from_ecef;
use elevation::height::{GlobalGrid, Registration, Relief};
use elevation::surface::Surface;
use glam::DVec3;
use rand::{Rng, rngs::StdRng};

fn surface(grid: GlobalGrid) -> Surface {
    Surface::new(Arc::new(Relief::from_grid(grid).unwrap()))
}

/// Smooth hills, the whole Earth over.
pub fn hilly() -> Surface {
    surface(GlobalGrid::from_fn(1440, 721, Registration::Node, |lon, lat| {
        2000.0 * (0.31 * lon).sin() * (0.27 * lat).cos() + 900.0 * (1.7 * lon + 1.1 * lat).sin()
    }))
}

/// Rough everywhere: every posting on its own, some of them needles.
pub fn rough(rng: &mut StdRng) -> Surface {
    let mut grid = GlobalGrid::from_fn(1440, 721, Registration::Node, |_, _| 0.0);
    for height in &mut grid.heights_m {
        *height = rng.random_range(-500.0..500.0) + if rng.random_range(0..50) == 0 { 4_000.0 } else { 0.0 };
    }
    surface(grid)
}

/// How far a point is above the ground, by the closed forms alone.
pub fn above(surface: &Surface, p: DVec3) -> f64 {
    let place = from_ecef(p);
    place.height_m - surface.height_m(place.normal())
}
