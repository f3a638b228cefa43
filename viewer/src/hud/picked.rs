//! Which of the user's points, lines and areas are seen at a place of the picture, and what do their files say of them?

use std::path::PathBuf;

use glam::{DMat2, DVec2, DVec3};
use terrain::features::Attributes;
use terrain::geodesy::east_north_up;
use terrain::surface::{Hit, Surface};

use crate::camera::{Camera, Lens};
use crate::frame::Viewport;
use crate::terrain::{VectorLayer, layer_title};

/// So many points beside a line or a point is still on it.
const ASIDE_PT: f64 = 4.0;
/// Fields that name a feature, the best first.
const NAMES: [&str; 4] = ["name", "title", "label", "ref"];

/// A feature at a place of the picture.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PickedFeature {
    /// Its name, or what comes nearest to one.
    pub title: String,
    /// Name of its file.
    pub file: String,
    /// Where its file is.
    pub path: PathBuf,
    /// Its number in the file, if it is a line or an area.
    pub line: Option<u32>,
    /// Latitude and longitude in degrees, if it is a point.
    pub point: Option<[f64; 2]>,
    /// What the file says of it.
    pub attributes: Option<Attributes>,
}

impl PickedFeature {
    /// Of a file by its name, and what it says.
    pub fn new(file: String, attributes: Option<&Attributes>) -> Self {
        let fields = || attributes.into_iter().flat_map(Attributes::iter);
        let named = |name: &&str| fields().find(|(field, _)| field.eq_ignore_ascii_case(name));
        let title = NAMES.iter().find_map(named).or(fields().next()).map_or(file.as_str(), |(_, text)| text);
        Self {
            title: title.to_owned(),
            attributes: attributes.cloned(),
            file,
            path: PathBuf::new(),
            line: None,
            point: None,
        }
    }

    /// On a line of its own.
    pub fn line(&self) -> String {
        if self.title == self.file { self.file.clone() } else { format!("{}   {}", self.title, self.file) }
    }

    /// Names of fields and their texts.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.attributes.iter().flat_map(Attributes::iter)
    }
}

/// Those that are drawn at a hit of a ray, the one on top first.
pub(super) fn picked(
    layers: &[VectorLayer],
    hit: &Hit,
    drawn: &Surface,
    (camera, lens, viewport): (&Camera, &Lens, &Viewport),
) -> Vec<PickedFeature> {
    if layers.is_empty() {
        return Vec::new();
    }
    let (n, scale) = (hit.place.normal(), f64::from(viewport.pixels_per_point));
    let px_a_m = px_a_m(hit, drawn, (camera, lens, viewport)).unwrap_or(DMat2::ZERO);
    let px_a_rad = px_a_m * drawn.relief().ellipsoid().semi_major_m();
    let of_layer = layers.iter().rev().flat_map(|layer| {
        let name = layer_title(&layer.file.path.to_string_lossy());
        let numbers = layer.features.pick(n, px_a_rad, ASIDE_PT * scale);
        let feature = move |number| PickedFeature::new(name.clone(), layer.features.attributes(number));
        numbers.into_iter().map(move |number| PickedFeature {
            path: layer.file.path.clone(),
            line: layer.features.point(number).is_none().then_some(number),
            point: layer.features.point(number).map(|[lon, lat]| [lat, lon]),
            ..feature(number)
        })
    });
    of_layer.collect()
}

/// Pixels that a metre along the drawn ground goes on screen, to the east and to the north.
fn px_a_m(hit: &Hit, drawn: &Surface, (camera, lens, viewport): (&Camera, &Lens, &Viewport)) -> Option<DMat2> {
    let up = hit.place.normal();
    let (east, north, _) = east_north_up(up);
    let ground = drawn.ground(up);
    // Aspect is the way down.
    let rise = -ground.slope_rad.tan() * DVec2::from(ground.aspect_rad.sin_cos());
    let (at_m, step_m) = (hit.place.to_ecef(camera.ellipsoid), (1e-4 * hit.distance_m).max(1e-3));
    let scale = f64::from(viewport.pixels_per_point);
    let on_screen = |position_m| Some(viewport.on_screen_pt(position_m, camera, lens)? * scale);
    let from = on_screen(at_m)?;
    let along = |aside: DVec3, rise: f64| Some((on_screen(at_m + (aside + up * rise) * step_m)? - from) / step_m);
    let (to_east, to_north) = (along(east, rise.x)?, along(north, rise.y)?);
    Some(DMat2::from_cols(to_east, to_north)).filter(|all| all.is_finite())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use terrain::features::{Feature, Features, Shape, Style};

    use super::*;
    use crate::camera::Pose;
    use crate::terrain::{REACH_M, VectorFile, hills};

    /// Law: a path is picked where its places are on screen, from above and from the side, on hills; and nothing a finger's width beside it.
    #[test]
    fn paths_are_picked_where_they_are_drawn() {
        let surface = Surface::new(hills());
        let path: Vec<[f64; 2]> = (0..200).map(|k| [7.0 + 1e-3 * f64::from(k), 46.0]).collect();
        let attributes = Some(Attributes::new([("length", "15 km"), ("Name", "Ridge way")]));
        let feature = Feature { shape: Shape::Line(path), style: Style::default(), label: None, attributes };
        let layer = VectorLayer {
            file: VectorFile::plain("/maps/paths.gpkg".as_ref()),
            features: Arc::new(Features::new([feature])),
        };
        let layers = [layer];
        let (lens, viewport) = (Lens { fov_y_rad: 0.8 }, Viewport { size_px: (800, 600), pixels_per_point: 1.0 });
        let (mut on, mut beside) = (0, 0);
        for (pitch_deg, height_m, lat_deg) in [(-90.0, 9_000.0, 46.0), (-30.0, 6_000.0, 45.93), (-14.0, 4_000.0, 45.9)]
        {
            let camera = Camera::from_pose(&Pose { lat_deg, lon_deg: 7.1, height_m, heading_deg: 0.0, pitch_deg });
            for k in 60..140 {
                let n = terrain::geodesy::n_vector(46f64.to_radians(), (7.0 + 1e-3 * f64::from(k)).to_radians());
                let at_m = terrain::geodesy::Ellipsoid::WGS84.ecef(n, surface.height_m(n));
                let Some(at) = camera.project(at_m, viewport.aspect(), lens.fov_y_rad) else { continue };
                let pick = |x: f64, y: f64| {
                    let ray = camera.ray(x, y, viewport.aspect(), lens.fov_y_rad);
                    let hit = surface.ray(camera.eye_m, ray, REACH_M).expect("a ray")?;
                    let is_near = hit.place.to_ecef(camera.ellipsoid).distance(at_m) < 3_000.0;
                    is_near.then(|| picked(&layers, &hit, &surface, (&camera, &lens, &viewport)))
                };
                if at.abs().max_element() > 1.0 {
                    continue;
                }
                let Some(found) = pick(at.x, at.y) else { continue };
                // The place may be hidden by a hill before it.
                if found.is_empty() {
                    beside += 1;
                    continue;
                }
                assert_eq!(
                    (found.len(), found[0].title.as_str(), found[0].file.as_str()),
                    (1, "Ridge way", "paths.gpkg")
                );
                assert_eq!(found[0].fields().count(), 2);
                on += 1;
                if pitch_deg == -90.0 {
                    // 30 pixels up and down.
                    assert!(
                        [0.1, -0.1].iter().all(|aside| pick(at.x, at.y + aside).is_none_or(|found| found.is_empty()))
                    );
                }
            }
        }
        assert!(on > 60 && beside < on / 4, "{on} {beside}");
    }

    #[test]
    fn features_without_fields_have_the_name_of_their_file() {
        assert_eq!(PickedFeature::new("a.shp".into(), None).line(), "a.shp");
        let told = Attributes::new([("id", "7")]);
        assert_eq!(PickedFeature::new("a.shp".into(), Some(&told)).line(), "7   a.shp");
    }
}
