//! What do shaders know of the planet? Its ellipsoid, its air and whether it has a sea, as constants.

use shaders::Composer;
use terrain::geodesy::Ellipsoid;

use super::air::Air;

/// A composer of the modules that draw a relief of a planet: on the Earth those of [`composer`](crate::composer).
pub(super) fn composer_on(ellipsoid: Ellipsoid) -> Composer {
    let mut composer = terrain::composer_on(ellipsoid).with(crate::WGSL);
    for (name, kind, value) in Air::of(ellipsoid).replacements() {
        composer.replace_constant(name, "the air", kind, value);
    }
    if ellipsoid != Ellipsoid::WGS84 {
        let radius_m = ellipsoid.mean_radius_m() as f32;
        composer.replace_constant(
            "viewer::derivatives::MEAN_RADIUS_M",
            "the ellipsoid",
            "f32",
            format_args!("{radius_m}f"),
        );
        composer.replace_constant("viewer::ground::HAS_SEA", "the sea", "bool", false);
    }
    composer
}
