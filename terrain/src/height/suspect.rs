//! What about a raster's heights looks wrong? In words, with the way out; nothing is changed.

use rayon::prelude::*;

use super::layer::LayerInfo;

/// No ground is higher (Everest), none is lower (Challenger Deep), by a margin for other datums and errors.
const EARTH_M: (f64, f64) = (-11_500.0, 9_000.0);

/// Values that producers put where they have no height, and forget to declare.
const SENTINELS: [f32; 4] = [-9999.0, 9999.0, -10_000.0, -19_999.0];

/// Share of voids from which on a layer is mostly empty.
const MOSTLY: f64 = 0.5;

/// No survey of ground is finer than this.
const FINEST_M: f64 = 0.005;

/// What should make a user look twice at heights as they were read, voids as NaN.
pub(crate) fn heights(values: &[f32], info: &LayerInfo) -> Vec<String> {
    let mut notes = Vec::new();
    if info.void_share >= 1.0 {
        notes.push("all values are void: the layer shows nothing".to_owned());
        return notes;
    }
    if info.void_share > MOSTLY {
        notes.push(format!("{:.0} % of the values are void", 100.0 * info.void_share));
    }
    if info.posting_m < FINEST_M {
        notes.push(format!(
            "{:.4} mm from one height to the next: coordinates that are degrees, in a system of metres? \
             `gdal_edit.py -a_srs EPSG:4326 FILE` states that they are",
            1e3 * info.posting_m
        ));
    }
    let mut sentinels = false;
    for sentinel in SENTINELS {
        let count = values.par_iter().filter(|v| **v == sentinel).count();
        if count > 1 {
            sentinels = true;
            notes.push(format!(
                "{count} heights are exactly {sentinel} m, which looks like an undeclared \"no data\": \
                 `gdal_edit.py -a_nodata {sentinel} FILE` declares it"
            ));
        }
    }
    let (low, high) = info.range_m;
    if (low < EARTH_M.0 || high > EARTH_M.1) && !sentinels {
        notes.push(format!(
            "heights from {low:.0} to {high:.0} m are not of this Earth: another unit (feet, decimetres), or an undeclared \
             \"no data\" value"
        ));
    }
    if low == high && values.len() > 1 {
        notes.push(format!("all heights are {low} m"));
    }
    if info.datum == NOT_STATED {
        notes.push("no vertical datum is stated: heights are taken as metres above mean sea level".to_owned());
    }
    notes
}

/// What a layer says whose file does not state a vertical datum.
pub(crate) const NOT_STATED: &str = "not stated";

#[cfg(test)]
mod tests {
    use super::*;

    fn about(values: &[f32], datum: &str) -> String {
        about_posted(values, datum, 1.0)
    }

    fn about_posted(values: &[f32], datum: &str, posting_m: f64) -> String {
        let (range_m, void_share) = super::super::layer::statistics(values);
        let info = LayerInfo {
            name: String::new(),
            driver: String::new(),
            crs: String::new(),
            datum: datum.to_owned(),
            size: [values.len(), 1],
            grid: [values.len(), 1],
            posting_m,
            bbox_deg: [0.0; 4],
            nodata: None,
            void_share,
            range_m,
            notes: Vec::new(),
        };
        heights(values, &info).join("; ")
    }

    #[test]
    fn sound_heights_are_not_remarked_upon() {
        assert_eq!(about(&[1.0, 2.0, f32::NAN, -10_900.0, 8848.0], "EGM96 height"), "");
    }

    #[test]
    fn strange_heights_are() {
        let cases: [(&[f32], &str); 6] = [
            (&[1.0, -9999.0, -9999.0], "exactly -9999"),
            (&[1.0, 29_029.0], "feet"),
            (&[-15_000.0, 1.0], "not of this Earth"),
            (&[7.0, 7.0], "all heights are 7"),
            (&[f32::NAN, f32::NAN, 1.0], "67 % of the values are void"),
            (&[f32::NAN], "all values are void"),
        ];
        for (values, says) in cases {
            assert!(about(values, "EGM96 height").contains(says), "{values:?}: {}", about(values, "EGM96 height"));
        }
        assert!(about_posted(&[1.0, 2.0], "EGM96 height", 8e-4).contains("degrees, in a system of metres"));
        assert!(about(&[1.0, 2.0], NOT_STATED).contains("mean sea level"));
    }
}
