//! How does a raster in memory become a layer? By its values, its geotransform, and what its coordinate system transforms.
//!
//! Everything after that is what a file that GDAL opens goes through: the same voids, feather, table of places and interpolation.
//! So a program that reads rasters by other means, like Python's, needs no GDAL here.

use std::sync::Arc;

use crate::geodesy::Ellipsoid;

use super::{
    diagnostics::{self, Diagnostics},
    error::HeightError,
    georeference::{CoordinateSystem, Georeference},
    layer::{Layer, statistics},
    layer_info::LayerInfo,
    options::OpenOptions,
    relief::Relief,
    values::ValueScale,
    vertical_axis::Datum,
    warp_table::Transform,
};

/// Columns and rows at most: positions are whole numbers of 32 bits.
const MOST_ON_A_SIDE: usize = 1 << 30;

/// A coordinate reference system of a [`RasterArray`], x east and y north.
#[derive(Clone, Copy)]
pub struct ArraySystem<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its definition in [PROJJSON](https://proj.org/specifications/projjson.html), or nothing: of its vertical axis, if it has one,
    /// unit, direction and datum are taken.
    pub definition: &'a str,
    /// Whether its axes are longitude and latitude of its datum.
    pub is_geographic: bool,
    /// Takes x and y to longitude and latitude on WGS84, or on the ellipsoid of another planet that the relief is of, in degrees, in place. What has no answer becomes not finite.
    pub to_wgs84: &'a dyn Fn(&mut [f64], &mut [f64]),
    /// The inverse of it. Not called where `is_geographic` and the datum is WGS84 or as good as.
    pub from_wgs84: &'a dyn Fn(&mut [f64], &mut [f64]),
}

/// A raster in memory.
pub struct RasterArray<'a> {
    /// A name for [`LayerInfo::name`].
    pub name: &'a str,
    /// Columns and rows.
    pub size: [usize; 2],
    /// Row by row; what is not finite is void.
    pub values: Vec<f32>,
    /// As GDAL has it: `x = g0 + g1 column + g2 row`, `y = g3 + g4 column + g5 row` at the corners of texels; values hold at their
    /// centres.
    pub geo_transform: [f64; 6],
    /// Of x and y.
    pub system: ArraySystem<'a>,
    /// What values are multiplied by; 1 if nothing is known. The unit is that of [`OpenOptions::unit_m`], else of the vertical axis.
    pub scale: f64,
    /// What is added then.
    pub offset: f64,
}

impl Relief {
    /// The same layers below a raster in memory.
    ///
    /// Of the options, `nodata`, `unit_m`, `feather_texels` and `valid_range_m` count. The raster's heights are taken as heights above
    /// the datum of the layers below. The answer at every place is that of [`Relief::open`] for a file of the same values, if both
    /// transformations are.
    ///
    /// # Errors
    /// [`HeightError::Grid`]: the wrong number of values, a geotransform that cannot be inverted, no place on the Earth.
    ///
    /// ```
    /// use elevation::height::{ArraySystem, GlobalGrid, Location, OpenOptions, RasterArray, Registration, Relief};
    /// let sea = Relief::from_grid(GlobalGrid::from_fn(8, 5, Registration::Node, |_, _| 0.0))?;
    /// let nothing_to_do = |_: &mut [f64], _: &mut [f64]| ();
    /// let hill = RasterArray {
    ///     name: "hill",
    ///     size: [3, 2],
    ///     values: vec![1.0, 2.0, 3.0, 4.0, 5.0, f32::NAN],
    ///     geo_transform: [10.0, 0.1, 0.0, 47.0, 0.0, -0.1],
    ///     system: ArraySystem {
    ///         name: "WGS 84",
    ///         definition: "",
    ///         is_geographic: true,
    ///         to_wgs84: &nothing_to_do,
    ///         from_wgs84: &nothing_to_do,
    ///     },
    ///     scale: 100.0,
    ///     offset: 0.0,
    /// };
    /// let relief = sea.under_array(hill, &OpenOptions::default())?;
    /// let middle_of_the_second_texel = Location::at(46.95, 10.15);
    /// assert!((relief.sample(middle_of_the_second_texel.normal).height_m - 200.0).abs() < 1e-6);
    /// # Ok::<(), elevation::height::HeightError>(())
    /// ```
    pub fn under_array(&self, array: RasterArray<'_>, options: &OpenOptions) -> Result<Self, HeightError> {
        Ok(self.below(Arc::new(layer(self.ellipsoid(), array, options)?)))
    }
}

/// Checks an array and makes it a layer.
fn layer(ellipsoid: Ellipsoid, array: RasterArray<'_>, options: &OpenOptions) -> Result<Layer, HeightError> {
    let RasterArray { name, size: [width, height], mut values, geo_transform, system, scale, offset } = array;
    let refused = |reason: String| HeightError::Grid { width, height, reason };
    if width == 0 || height == 0 {
        return Err(refused("it has no values".to_owned()));
    }
    if width.max(height) > MOST_ON_A_SIDE {
        return Err(refused(format!("more than {MOST_ON_A_SIDE} columns or rows: take a part of it")));
    }
    if Some(values.len()) != width.checked_mul(height) {
        return Err(refused(format!("{} values given", values.len())));
    }
    let definition = serde_json::from_str(system.definition).unwrap_or_default();
    let mut diagnostics = Diagnostics::default();
    let placed_by = CoordinateSystem {
        name: system.name,
        ellipsoid,
        datum: Datum::of(&definition, options.src_vertical)?,
        is_geographic: system.is_geographic,
        to_wgs84: &|x, y| finite_or_nan(system.to_wgs84, x, y),
        from_wgs84: &|| Ok(Box::new(move |x: &mut [f64], y: &mut [f64]| finite_or_nan(system.from_wgs84, x, y))),
    };
    let feather = |posting_m| options.feather(posting_m);
    let place =
        Georeference::of(geo_transform, (width, height), placed_by, feather, &mut diagnostics).map_err(refused)?;
    let axis = place.datum.axis.as_ref();
    let unit_m = options.unit_m.or(axis.map(|axis| axis.unit.1)).unwrap_or(1.0);
    let rule = ValueScale {
        voids: [options.nodata, None],
        scale,
        offset,
        metres: if axis.is_some_and(|axis| axis.down) { -unit_m } else { unit_m },
        valid_range_m: options.valid_range_on(ellipsoid),
    };
    diagnostics.remarks.extend(rule.apply(&mut values, None));
    let (range_m, void_share) = statistics(&values);
    let mut info = LayerInfo {
        name: name.to_owned(),
        driver: "array".to_owned(),
        crs: place.crs.clone(),
        datum: place.datum.name.clone(),
        vertical_system: place.datum.system.clone(),
        ellipsoid,
        size: [width, height],
        grid: [width, height],
        posting_m: place.posting_m,
        bbox_deg: place.bbox_deg,
        nodata: options.nodata,
        void_share,
        range_m,
        range_is_bound: false,
        attribution: String::new(),
        notes: diagnostics.notes,
        remarks: diagnostics.remarks,
    };
    let diagnostics = diagnostics::heights(&values, &info);
    info.notes.extend(diagnostics.notes);
    info.remarks.extend(diagnostics.remarks);
    let (grid, feather) = (info.grid, place.feather);
    Ok(Layer { feather, ..Layer::of(place.with_heights(values, grid, rule.valid_range_m), info) })
}

/// Transforms in place; both coordinates become NaN where one is not finite.
fn finite_or_nan(by: &Transform<'_>, x: &mut [f64], y: &mut [f64]) {
    by(x, y);
    for (x, y) in x.iter_mut().zip(y) {
        if !x.is_finite() || !y.is_finite() {
            (*x, *y) = (f64::NAN, f64::NAN);
        }
    }
}

#[cfg(test)]
mod tests;
