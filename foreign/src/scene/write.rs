//! How is a scene written? JSON, a member and a file a line.

use serde_json::Value;

use super::{FILE, SUN, Scene, SceneFile, VERSION, VIEW, WaterSetting};
use crate::{
    calendar,
    path::Pose,
    raster::{PictureOptions, RasterOptions},
    style::VectorOptions,
    sun::SunSetting,
    values,
};

impl Scene {
    /// The text of a file of this scene, as [`Scene::from_json`] reads it; a time is written to the second, if it has four digits of a year.
    pub fn to_json(&self) -> String {
        let mut members = vec![("orogen", text("scene")), ("version", VERSION.to_string())];
        let mut add = |key, value: Option<String>| members.extend(value.map(|value| (key, value)));
        add("elevation", list(&self.elevation, raster_members));
        add("vdatum", self.vdatum.map(|datum| text(&datum.to_string())));
        add("body", self.body.as_deref().map(text));
        add("imagery", list(&self.imagery, picture_members));
        add("vectors", list(&self.vectors, vector_members));
        add(
            "water",
            self.water.as_ref().map(|water| match water {
                WaterSetting::On => String::from("true"),
                WaterSetting::Off => String::from("false"),
                WaterSetting::File(file) => text(file),
            }),
        );
        add("ramp", self.ramp.as_deref().map(text));
        add("exaggeration", self.exaggeration.map(digits));
        let names = |names: &Vec<String>| names.iter().map(|name| text(name)).collect::<Vec<_>>().join(", ");
        add("overlays", self.overlays.as_ref().map(|all| format!("[{}]", names(all))));
        add("shadows", self.shadows.map(|casts| casts.to_string()));
        add("detail", self.detail.as_deref().map(text));
        match self.sun {
            Some(SunSetting::Follow { azimuth_deg, elevation_deg }) => {
                add("sun", Some(members_text(&[(SUN[0], digits(azimuth_deg)), (SUN[1], digits(elevation_deg))])));
            }
            Some(SunSetting::At { unix_s }) => {
                let time = calendar::written(unix_s);
                add("time", values::time(&time).is_ok().then(|| text(&time)));
            }
            None => {}
        }
        add("fov_deg", self.fov_deg.map(digits));
        add(
            "view",
            self.view.map(|Pose { lat_deg, lon_deg, height_m, heading_deg, pitch_deg }| {
                let numbers = [lat_deg, lon_deg, height_m, heading_deg, pitch_deg].map(digits);
                members_text(&VIEW.into_iter().zip(numbers).collect::<Vec<_>>())
            }),
        );
        let lines: Vec<String> = members.into_iter().map(|(key, value)| format!("  {}: {value}", text(key))).collect();
        format!("{{\n{}\n}}\n", lines.join(",\n"))
    }
}

fn text(text: &str) -> String {
    Value::from(text).to_string()
}

/// A number; one that JSON has not, as a text.
fn digits(number: f64) -> String {
    if number.is_finite() { Value::from(number).to_string() } else { text(&number.to_string()) }
}

fn members_text(members: &[(&str, String)]) -> String {
    let members: Vec<String> = members.iter().map(|(key, value)| format!("{}: {value}", text(key))).collect();
    format!("{{{}}}", members.join(", "))
}

/// The text of a list of files, a line each; none of no file.
fn list<T>(files: &[SceneFile<T>], options: impl Fn(&T) -> Vec<(&'static str, String)>) -> Option<String> {
    let line = |file: &SceneFile<T>| {
        let members: Vec<_> = std::iter::once((FILE, text(&file.name))).chain(options(&file.options)).collect();
        format!("    {}", members_text(&members))
    };
    let lines: Vec<String> = files.iter().map(line).collect();
    (!lines.is_empty()).then(|| format!("[\n{}\n  ]", lines.join(",\n")))
}

fn raster_members(own: &RasterOptions) -> Vec<(&'static str, String)> {
    let RasterOptions { band, nodata, crs, unit_m, feather, valid_range_m, vdatum } = own;
    let said = [
        band.map(|band| band.to_string()),
        nodata.map(digits),
        crs.as_deref().map(text),
        unit_m.map(digits),
        feather.map(|postings| postings.to_string()),
        valid_range_m.map(|(low, high)| format!("[{}, {}]", digits(low), digits(high))),
        vdatum.map(|datum| text(&datum.to_string())),
    ];
    RasterOptions::KEYS.into_iter().zip(said).filter_map(|(key, said)| Some((key, said?))).collect()
}

fn picture_members(own: &PictureOptions) -> Vec<(&'static str, String)> {
    let PictureOptions { opacity, colours, hidden } = *own;
    let [brightness, contrast, saturation] = colours.map(|factor| (factor != 1.0).then(|| digits(factor)));
    let said = [Some(digits(opacity)), brightness, contrast, saturation, hidden.then(|| hidden.to_string())];
    PictureOptions::KEYS.into_iter().zip(said).filter_map(|(key, said)| Some((key, said?))).collect()
}

fn vector_members(asked: &VectorOptions) -> Vec<(&'static str, String)> {
    let VectorOptions { style, label, hidden } = asked;
    let colour = |[red, green, blue, alpha]: [u8; 4]| text(&format!("#{red:02x}{green:02x}{blue:02x}{alpha:02x}"));
    let said = [
        style.color.map(colour),
        style.width_px.map(digits),
        style.fill.map(colour),
        label.as_deref().map(text),
        hidden.then(|| hidden.to_string()),
    ];
    VectorOptions::KEYS.into_iter().zip(said).filter_map(|(key, said)| Some((key, said?))).collect()
}
