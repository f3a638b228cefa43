//! Which points, lines and areas of the user's are drawn on the ground, and how?

use std::path::{Path, PathBuf};
use std::sync::Arc;

use foreign::style::VectorOptions;
use terrain::features::{Features, Shape, Style};

/// Colours of files one after the other, which those tell apart who see few colours (M. Okabe and K. Ito, 2008).
const COLOURS: [[u8; 4]; 5] =
    [[213, 94, 0, 255], [0, 114, 178, 255], [240, 228, 66, 255], [204, 121, 167, 255], [86, 180, 233, 255]];

/// A file of vector data as the user names it.
#[derive(Debug, Clone, PartialEq)]
pub struct VectorFile {
    /// Points, lines and areas in any format that GDAL reads.
    pub path: PathBuf,
    /// How they are drawn and labelled, in the place of what the file says.
    pub options: VectorOptions,
}

impl VectorFile {
    /// A file of which the user says nothing.
    pub fn plain(path: &Path) -> VectorFile {
        VectorFile { path: path.to_owned(), options: VectorOptions::default() }
    }
}

/// What a file of vector data holds.
#[derive(Debug, Clone)]
pub struct VectorLayer {
    /// The file.
    pub file: VectorFile,
    /// What is drawn of it.
    pub features: Arc<Features>,
}

impl VectorLayer {
    /// Reads a file, to be drawn as it and the user say; what neither says by its number among others.
    ///
    /// # Errors
    /// A file that holds no vector data, and what to do about it.
    pub fn read(file: &VectorFile, number: usize) -> anyhow::Result<VectorLayer> {
        let features = read(file, Style::of_colour(COLOURS[number % COLOURS.len()]))?;
        Ok(VectorLayer { file: file.clone(), features: Arc::new(features) })
    }

    /// The shape of a feature by its number, read from the file anew.
    ///
    /// # Errors
    /// A file that has gone or has changed.
    pub fn shape(&self, number: u32) -> anyhow::Result<Shape> {
        let shapes = read_shapes(&self.file)?;
        let is_same = shapes.len() == self.features.len();
        let shape = shapes.into_iter().nth(number as usize).filter(|_| is_same);
        shape.ok_or_else(|| anyhow::anyhow!("{} has changed: open it again", self.file.path.display()))
    }

    /// Whether an error of [`read`](Self::read) says that the file is sound and empty.
    #[cfg(feature = "gdal")]
    pub fn is_nothing(error: &anyhow::Error) -> bool {
        use terrain::feature_file::FeaturesError;
        matches!(error.downcast_ref(), Some(FeaturesError::Nothing { .. }))
    }

    /// Nothing can be read.
    #[cfg(not(feature = "gdal"))]
    pub fn is_nothing(_: &anyhow::Error) -> bool {
        false
    }
}

/// West, south, east and north in degrees of vector data and some ground around what is small; none of nothing.
pub fn bbox_of_vectors(layers: &[VectorLayer]) -> Option<[f64; 4]> {
    /// What is smaller is seen with what lies around it, degrees.
    const LEAST_DEG: f64 = 0.02;
    let boxes = layers.iter().filter_map(|layer| layer.features.bbox_deg());
    // Those beyond 180 degrees are as far east of others as they are.
    let [west, south, east, north] =
        boxes.reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])])?;
    let aside = |low: f64, high: f64| 0.5 * (LEAST_DEG - (high - low)).max(0.0);
    let (across, along) = (aside(west, east), aside(south, north));
    Some([west - across, (south - along).max(-90.0), east + across, (north + along).min(90.0)])
}

#[cfg(feature = "gdal")]
fn read(file: &VectorFile, usual: Style) -> anyhow::Result<Features> {
    Ok(Features::new(terrain::feature_file::read_features(&file.path, &file.options, usual)?))
}

#[cfg(feature = "gdal")]
fn read_shapes(file: &VectorFile) -> anyhow::Result<Vec<Shape>> {
    let features = terrain::feature_file::read_features(&file.path, &file.options, Style::default())?;
    Ok(features.into_iter().map(|feature| feature.shape).collect())
}

/// There is nothing to read it with.
#[cfg(not(feature = "gdal"))]
fn read_shapes(file: &VectorFile) -> anyhow::Result<Vec<Shape>> {
    read(file, Style::default()).map(|_| Vec::new())
}

/// There is nothing to read it with.
#[cfg(not(feature = "gdal"))]
fn read(file: &VectorFile, _: Style) -> anyhow::Result<Features> {
    anyhow::bail!("{}: this build reads no vector data: build it with the feature gdal", file.path.display())
}
