//! Which WGSL modules does this crate bring along, and which do they import?

use shaders::{Composer, Library};

use crate::{
    geodesy::{Ellipsoid, single},
    metric::{REACH_OVER_EVEN_EDGE, reach_scale},
    tile::posting_m,
};

/// The WGSL modules of this crate: `shaders/terrain/`.
// SAFETY: WGSL has no recursion, and every loop under `shaders/terrain` moves a variable towards a bound that does not change, or counts
// the turns in which it could not.
pub static WGSL: Library =
    unsafe { Library::new(include!(concat!(env!("OUT_DIR"), "/wgsl.rs"))).with_loops_that_end() };

/// A composer of these modules and those that they import.
///
/// ```
/// // A compute shader that reads a vertex as the mesh writes it.
/// let text = "//!import terrain/vertex\n@compute @workgroup_size(1) fn main() {}";
/// let composed = terrain::composer().bind("mine/read", "read.wgsl", text).compose("mine/read")?;
/// assert!(composed.source().contains("struct TerrainVertex") && composed.entry_point("main").is_some());
/// # Ok::<(), shaders::ShaderError>(())
/// ```
pub fn composer() -> Composer {
    composer_on(Ellipsoid::WGS84)
}

/// The same for a relief of another planet than the Earth ([`Relief::ellipsoid`](crate::height::Relief::ellipsoid)).
///
/// ```
/// use terrain::geodesy::Ellipsoid;
/// let composed = terrain::composer_on(Ellipsoid::MOON).compose("terrain/place")?;
/// assert!(composed.source().contains("SEMI_MAJOR_M: f32 = 1737400f"));
/// # Ok::<(), shaders::ShaderError>(())
/// ```
pub fn composer_on(ellipsoid: Ellipsoid) -> Composer {
    let mut composer = Composer::of(&[kernels::WGSL, cbt::gpu::WGSL, WGSL]);
    set_ellipsoid(&mut composer, ellipsoid);
    composer
}

/// Replaces what modules know of the Earth's ellipsoid.
pub(crate) fn set_ellipsoid(composer: &mut Composer, ellipsoid: Ellipsoid) {
    let own = [
        ("terrain::pixel_tiles::pixel_place::LEVEL_0_TEXEL_M", posting_m(ellipsoid, 0).round() as f32),
        ("terrain::metric::REACH_OVER_EVEN_EDGE", (f64::from(REACH_OVER_EVEN_EDGE) * reach_scale(ellipsoid)) as f32),
    ];
    let replaced = single::replacements(ellipsoid);
    let own = (!replaced.is_empty()).then_some(own).into_iter().flatten();
    for (name, value) in own.chain(replaced) {
        composer.replace_constant(name, "the ellipsoid", "f32", format_args!("{value}f"));
    }
}
