//! What do shaders know of the planet? Its ellipsoid, its air and whether it has a sea, as constants.

use shaders::Composer;
use terrain::geodesy::Ellipsoid;

use super::air::Air;

/// A composer of the modules that draw a relief of a planet: on the Earth those of [`composer`](crate::composer).
pub(super) fn composer_on(ellipsoid: Ellipsoid) -> Composer {
    let mut composer = terrain::composer_on(ellipsoid).with(crate::WGSL);
    for (name, text) in Air::of(ellipsoid).replacements() {
        composer.replace(name, "the air", &text);
    }
    if ellipsoid != Ellipsoid::WGS84 {
        let radius = format!("const MEAN_RADIUS_M: f32 = {}f;", ellipsoid.mean_radius_m() as f32);
        composer.replace("viewer::change::MEAN_RADIUS_M", "the ellipsoid", &radius);
        composer.replace("viewer::ground::HAS_SEA", "the sea", "const HAS_SEA: bool = false;");
    }
    composer
}
