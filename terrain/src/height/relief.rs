//! What is the height at a place? Ordered layers, the first valid one wins, a global relief last.

use std::sync::Arc;

use glam::DVec3;

use super::{
    angle::lon_lat_deg,
    error::HeightError,
    grid::GlobalGrid,
    layer::{Layer, LayerInfo},
};

/// Elevation of the whole Earth from ordered layers.
///
/// A relief is immutable and holds arrays only, so any thread may sample it; share it in an [`std::sync::Arc`]. The height is
/// a pure function of the normal: the same bits for the same place, from [`Relief::sample`] and [`Relief::sample_row`] alike.
/// Inside a layer heights are interpolated by [`monotone_cubic`](super::monotone_cubic); towards a layer's voids and edges
/// they go over to the layers below within the feather distance. The last layer covers the Earth, so every place has a
/// height.
///
/// ```
/// use terrain::height::{GlobalGrid, Registration, Relief};
/// let slope = GlobalGrid::from_fn(72, 37, Registration::Node, |_lon, lat| 10.0 * lat);
/// let relief = Relief::from_grid(slope)?;
/// let sample = relief.sample(terrain::geodesy::n_vector(0.5_f64, 1.0));
/// assert!((sample.height_m - 10.0 * 0.5_f64.to_degrees()).abs() < 1e-3);
/// # Ok::<(), terrain::height::HeightError>(())
/// ```
#[derive(Debug)]
pub struct Relief {
    /// At least one; the last covers the Earth.
    layers: Vec<Arc<Layer>>,
    infos: Vec<LayerInfo>,
}

/// A height and where it comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Height in metres above the layers' vertical datum.
    pub height_m: f64,
    /// Index into [`Relief::layers`] of the layer with the largest share in it.
    pub layer: usize,
}

impl Relief {
    /// The relief that ships with the program: ETOPO5, 5 minutes of arc, land and sea floor.
    ///
    /// # Errors
    /// [`HeightError::Read`] or [`HeightError::CannotOpen`] if this build of GDAL cannot read a GeoTIFF.
    #[cfg(feature = "gdal")]
    pub fn embedded() -> Result<Self, HeightError> {
        Ok(Self::stack(vec![super::gdal_source::embedded_layer()?]))
    }

    /// The given rasters, the first on top, and the embedded relief below them.
    ///
    /// # Errors
    /// The first file that cannot be used, with the reason and what to do: see [`HeightError`].
    #[cfg(feature = "gdal")]
    pub fn open(files: &[std::path::PathBuf], options: &super::OpenOptions) -> Result<Self, HeightError> {
        let open = |file: &std::path::PathBuf| super::gdal_source::open_layer(file, options).map(Arc::new);
        let mut layers = files.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        layers.push(super::gdal_source::embedded_layer()?);
        Ok(Self::stack(layers))
    }

    /// A relief of one global grid.
    ///
    /// # Errors
    /// [`HeightError::Grid`] if the grid's shape is wrong or a value is not finite.
    pub fn from_grid(grid: GlobalGrid) -> Result<Self, HeightError> {
        Ok(Self::stack(vec![Arc::new(grid.into_layer()?)]))
    }

    /// Layers in order, the last of which covers the Earth without voids.
    pub(crate) fn stack(layers: Vec<Arc<Layer>>) -> Self {
        debug_assert!(layers.last().is_some_and(|base| base.raster.is_complete()));
        let infos = layers.iter().map(|layer| layer.info.clone()).collect();
        Self { layers, infos }
    }

    /// The height at a unit geodetic normal.
    pub fn sample(&self, n: DVec3) -> Sample {
        let (lon_deg, lat_deg) = lon_lat_deg(n);
        self.blend(n, lon_deg, lat_deg)
    }

    /// Heights in metres at many normals: `sample` for each, at a lower price. Extra elements of the longer slice are ignored.
    pub fn sample_row(&self, normals: &[DVec3], heights_m: &mut [f64]) {
        const CHUNK: usize = 64;
        let mut lon = [0.0; CHUNK];
        let mut lat = [0.0; CHUNK];
        for (normals, heights) in normals.chunks(CHUNK).zip(heights_m.chunks_mut(CHUNK)) {
            // One loop of pure arithmetic, which the compiler vectorises.
            for ((n, lon), lat) in normals.iter().zip(&mut lon).zip(&mut lat) {
                (*lon, *lat) = lon_lat_deg(*n);
            }
            for (i, (n, h)) in normals.iter().zip(heights).enumerate() {
                *h = self.blend(*n, lon[i], lat[i]).height_m;
            }
        }
    }

    #[inline]
    fn blend(&self, n: DVec3, lon_deg: f64, lat_deg: f64) -> Sample {
        let (mut height_m, mut left) = (0.0, 1.0);
        let (mut layer, mut largest) = (self.layers.len() - 1, 0.0);
        for (i, candidate) in self.layers.iter().enumerate() {
            let Some((h, weight)) = candidate.sample(n, lon_deg, lat_deg) else { continue };
            let share = left * weight;
            height_m += share * h;
            if share > largest {
                (layer, largest) = (i, share);
            }
            left -= share;
            if left <= 0.0 {
                break;
            }
        }
        Sample { height_m, layer }
    }

    /// Distance of postings, in metres, of the data that answer at a normal.
    pub fn posting_m(&self, n: DVec3) -> f64 {
        self.infos[self.sample(n).layer].posting_m
    }

    /// Middle and cosine of the radius of a cap that holds each layer (`None`: possibly the whole Earth), and its posting.
    pub(crate) fn areas(&self) -> impl Iterator<Item = (Option<(DVec3, f64)>, f64)> {
        self.layers.iter().map(|layer| (layer.cap, layer.info.posting_m))
    }

    /// What is known about each layer, topmost first; the last one covers the Earth.
    pub fn layers(&self) -> &[LayerInfo] {
        &self.infos
    }

    /// Lowest and highest height of all layers in metres. No sample lies outside.
    pub fn range_m(&self) -> (f64, f64) {
        self.infos
            .iter()
            .filter(|info| info.void_share < 1.0)
            .map(|info| info.range_m)
            .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
            .unwrap_or((0.0, 0.0))
    }
}
