//! Which colours has one square of a cube face? Pictures, one over the other, and vector data on them, at texels that are filtered as they are
//! drawn.
//!
//! An [`ImageryTile`] covers the square of a [`TileId`] with 256 x 256 texels and a rim of two that its neighbours have as well. It comes
//! with the next coarser level, whose texels are means of four. Colours are multiplied by alpha in linear light and kept in sRGB, as a
//! device filters them.
//!
//! A layer is read as means of 1, 2, 4, ... of its texels, as many as one of the tile's has: from an overview where
//! there is one. Between them it is interpolated. The means of a level lie alike for all tiles, so two tiles have the
//! same colours where both have some.

mod cells;
mod window;

use std::sync::Arc;

use glam::{DVec3, Vec4};

use self::{cells::Cells, window::Window};
use crate::{
    cube::FACES,
    features::Features,
    geodesy::Ellipsoid,
    height::ImageryLayer,
    light::{encoded, halved},
    shading_tile::RIM,
    tile::{MAX_TILE_LEVEL, TILE_QUADS, TileId, posting_m},
    tile_build::{middle, patch_of, reach_rad},
};

/// Texels on a side of the finer level; the coarser one has half of them.
pub const IMAGERY_TEXELS: u32 = TILE_QUADS + 2 * RIM;

/// Texels up to this part of a layer's have something to show.
const AS_FINE: f64 = 0.8;

/// Texels that a layer has along its longer side, at least, in the coarsest tiles.
const COARSEST_TEXELS: f64 = 128.0;

/// Coarsest tiles, at most: they stay in memory.
const MOST_ROOTS: usize = 32;

/// Features are seen from as far as what reaches so many metres, at least.
const FEATURES_M: f64 = 50_000.0;

/// Pictures, the last one on top, and [features](Features) over all of them.
///
/// ```
/// use std::sync::Arc;
/// use elevation::{features::{Feature, Features, Shape, Style}, imagery_tile::{IMAGERY_TEXELS, Imagery}};
/// let line = Shape::Line(vec![[7.6, 45.9], [9.7, 46.9]]);
/// let red = Feature { shape: line, style: Style::of_colour([255, 0, 0, 255]), label: None, attributes: None };
/// let imagery = Imagery::new(Vec::new()).with_features(vec![Arc::new(Features::new([red]))]);
/// let tile = imagery.tile(imagery.roots()[0]);
/// assert_eq!(tile.texels(0).len(), (IMAGERY_TEXELS * IMAGERY_TEXELS) as usize);
/// assert!(tile.texels(0).iter().any(|texel| texel[3] > 0), "some of the line is on it");
/// assert!(imagery.layers().is_empty() && imagery.roots().iter().all(|root| root.level == imagery.first_level()));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Imagery {
    layers: Vec<ImageryLayer>,
    features: Vec<Arc<Features>>,
}

/// Colours of a square of a face.
#[derive(Clone, Debug, PartialEq)]
pub struct ImageryTile {
    levels: [Vec<[u8; 4]>; 2],
}

impl Imagery {
    /// Pictures, the last one on top.
    pub fn new(layers: Vec<ImageryLayer>) -> Self {
        Self { layers, features: Vec::new() }
    }

    /// The same layers with features over them, the last ones on top.
    #[must_use]
    pub fn with_features(self, features: Vec<Arc<Features>>) -> Self {
        Self { features, ..self }
    }

    /// The layers.
    pub fn layers(&self) -> &[ImageryLayer] {
        &self.layers
    }

    /// Level of the coarsest tiles: from farther away the largest layer is a few pixels. Many that lie far apart have coarser ones, of which
    /// there are few.
    pub fn first_level(&self) -> u32 {
        self.coarsest().0
    }

    /// The coarsest tiles: those of the first level that have something to show.
    pub fn roots(&self) -> Vec<TileId> {
        self.coarsest().1
    }

    /// The level of the coarsest tiles, and these.
    fn coarsest(&self) -> (u32, Vec<TileId>) {
        let has_some = |id: &TileId| {
            self.layers_in(*id).next().is_some() || self.features.iter().any(|features| features.are_in(*id))
        };
        let mut tiles: Vec<TileId> = (0..FACES).map(TileId::root).filter(has_some).collect();
        let wanted = self.level_of_largest();
        for level in 0..wanted {
            let finer: Vec<TileId> = tiles.iter().filter_map(|id| id.children()).flatten().filter(has_some).collect();
            if finer.len() > MOST_ROOTS {
                return (level, tiles);
            }
            tiles = finer;
        }
        (wanted, tiles)
    }

    /// The level from whose tiles on the largest layer is more than a few pixels.
    fn level_of_largest(&self) -> u32 {
        let reach_m = |layer: &ImageryLayer| {
            layer.cap().map_or(f64::INFINITY, |(_, cos)| Ellipsoid::WGS84.semi_major_m() * cos.acos())
        };
        let layers = self.layers.iter().map(reach_m);
        let features = self.features.iter().map(|features| features.reach_m().max(FEATURES_M));
        let of = |reach_m: f64| {
            let texel_m = 2.0 * reach_m / COARSEST_TEXELS;
            (posting_m(Ellipsoid::WGS84, 0) / texel_m).log2().clamp(0.0, f64::from(MAX_TILE_LEVEL)) as u32
        };
        layers.chain(features).map(of).min().unwrap_or(0)
    }

    /// Whether a tile shows what its parent does not: below it is a layer whose texels are smaller than the parent's,
    /// or a line.
    ///
    /// ```
    /// # #[cfg(feature = "earth")] {
    /// use elevation::{height::ImageryLayer, imagery_tile::Imagery, tile::TileId};
    /// let imagery = Imagery::new(vec![ImageryLayer::embedded()?]); // texels of 7 km
    /// assert_eq!((imagery.layers().len(), imagery.first_level(), imagery.roots().len()), (1, 0, 6));
    /// assert!(imagery.adds(TileId::root(0)));
    /// assert!(!imagery.adds(TileId { level: 12, ..TileId::root(0) }));
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn adds(&self, id: TileId) -> bool {
        self.layers_in(id).any(|(_, own)| 2.0 * own > AS_FINE)
            || self.features.iter().any(|features| features.are_finer_in(id))
    }

    /// Layers of which a tile has something, and how many of their texels lie along one of it. Most of many layers lie elsewhere: their caps
    /// are looked at first.
    fn layers_in(&self, id: TileId) -> impl Iterator<Item = (&ImageryLayer, f64)> {
        let (middle, reach_rad) = (middle(id), reach_rad(id));
        let near = self.layers.iter().filter(move |layer| is_near(layer, middle, reach_rad));
        near.filter_map(move |layer| Some((layer, texels_per_tile_texel(layer, id)?)))
    }

    /// Makes a tile. Where a layer cannot be read it is not seen, which is told once.
    ///
    /// # Panics
    /// If there is no such tile, as [`Tile::build`](crate::tile::Tile::build).
    pub fn tile(&self, id: TileId) -> ImageryTile {
        let side = IMAGERY_TEXELS as usize;
        let mut fine = vec![Vec4::ZERO; side * side];
        self.layers_in(id).for_each(|(layer, _)| composite(layer, id, &mut fine));
        self.features.iter().for_each(|features| features.draw(id, &mut fine));
        let coarse = halved(&fine, side);
        ImageryTile { levels: [fine, coarse].map(|level| level.into_iter().map(encoded).collect()) }
    }
}

impl ImageryTile {
    /// Texels of the finer (0) or the coarser level (1), u fastest, rim included: [`IMAGERY_TEXELS`] a side, or half of them. Red, green
    /// and blue are sRGB, and times alpha in linear light.
    ///
    /// # Panics
    /// If there is no such level.
    pub fn texels(&self, level: usize) -> &[[u8; 4]] {
        &self.levels[level]
    }
}

/// Composites a layer over the texels so far.
fn composite(layer: &ImageryLayer, id: TileId, texels: &mut [Vec4]) {
    let Some(cells) = Cells::of(layer, id) else { return };
    let means = (posting_m(layer.ellipsoid(), id.level) / layer.posting_m()).log2().round().clamp(0.0, 30.0);
    let Some(window) = Window::read(layer, cells.bounds(), 1 << means as u32) else { return };
    let opacity = layer.opacity();
    cells.for_each(&window, |texel, colour| {
        let colour = colour * opacity;
        texels[texel] = colour + texels[texel] * (1.0 - colour.w);
    });
}

/// Cells along a side of a tile in which a layer's texels are counted.
const COUNTED: usize = 4;
/// Columns of degrees are closer together towards a pole, as close as one likes: so many times as close as rows counts.
const CLOSEST: f64 = 4.0;

/// Whether the cap of a layer reaches into one around a middle; a layer without a cap may.
fn is_near(layer: &ImageryLayer, middle: DVec3, reach_rad: f64) -> bool {
    layer.cap().is_none_or(|(of_picture, cos_radius)| {
        let apart_rad = 2.0 * (0.5 * of_picture.distance(middle)).min(1.0).asin();
        // An angle by its cosine is not exact.
        apart_rad <= cos_radius.acos() + 1e-7 + reach_rad
    })
}

/// How many texels of a layer that is near lie along one of a tile, where they are closest; none if it has nothing of the layer.
fn texels_per_tile_texel(layer: &ImageryLayer, id: TileId) -> Option<f64> {
    let step = f64::from(IMAGERY_TEXELS) / COUNTED as f64;
    let along = || (0..=COUNTED).map(|k| k as f64 * step - f64::from(RIM));
    let places = cells::places(layer, &patch_of(id, along(), along()), None);
    let (columns, rows) = layer.size();
    if places.iter().all(|p| p.is_finite()) {
        let misses = |axis: usize, size: usize| {
            let (low, high) =
                places.iter().fold((f64::MAX, f64::MIN), |(low, high), p| (low.min(p[axis]), high.max(p[axis])));
            let beyond = 1.0 + 0.1 * (high - low);
            high + beyond < -0.5 || low - beyond > size as f64 - 0.5
        };
        if misses(1, rows) || (layer.turn().is_none() && misses(0, columns)) {
            return None;
        }
    }
    let side = COUNTED + 1;
    let counted = (0..COUNTED * COUNTED).filter_map(|k| {
        let at = (k / COUNTED) * side + k % COUNTED;
        let change = |axis: usize| {
            let along = |next: usize| (places[next][axis] - places[at][axis]) / step;
            along(at + 1).hypot(along(at + side))
        };
        let (x, y) = (change(0), change(1));
        let own = x.max(y).min(CLOSEST * x.min(y));
        own.is_finite().then_some(own)
    });
    Some(counted.reduce(f64::max).unwrap_or(posting_m(layer.ellipsoid(), id.level) / layer.posting_m()))
}

#[cfg(all(test, feature = "gdal"))]
mod tests {
    use gdal::{DriverManager, spatial_ref::SpatialRef};

    use super::*;

    /// Law: of many small pictures that lie far apart there are few coarsest tiles, all of one level, and each picture is below one of them.
    #[test]
    fn pictures_far_apart_have_few_coarsest_tiles() {
        let folder = tempfile::tempdir().expect("a folder");
        let driver = DriverManager::get_driver_by_name("GTiff").expect("a driver");
        let wgs84 = SpatialRef::from_epsg(4326).expect("a system");
        let picture = |k: usize| {
            let file = folder.path().join(format!("{k}.tif"));
            let mut dataset = driver.create_with_band_type::<u8, _>(&file, 16, 16, 3).expect("created");
            dataset.set_spatial_ref(&wgs84).expect("set");
            let (west, north) = (-170.0 + 8.0 * k as f64, -60.0 + 3.0 * k as f64);
            dataset.set_geo_transform(&[west, 0.001, 0.0, north, 0.0, -0.001]).expect("set");
            drop(dataset);
            ImageryLayer::open(&file).expect("a picture")
        };
        let layers: Vec<ImageryLayer> = (0..40).map(picture).collect();
        let imagery = Imagery::new(layers.clone());
        let (level, roots) = (imagery.first_level(), imagery.roots());
        assert!(!roots.is_empty() && roots.len() <= MOST_ROOTS && roots.iter().all(|root| root.level == level));
        for layer in layers {
            let alone = Imagery::new(vec![layer]);
            assert!(alone.first_level() > level && roots.iter().any(|root| alone.adds(*root)));
        }
    }
}
