//! How is a feature of vector data drawn? By what is said behind the name of its file, or by the file: OGR's style strings, and words of the
//! simplestyle specification.

use crate::{options, sanitized, values};

/// Red, green, blue as sRGB, and alpha, 0 to 255.
pub type Colour = [u8; 4];

/// What is said of how features are drawn; none where nothing is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct StyleOptions {
    /// Colour of lines, outlines and points.
    pub color: Option<Colour>,
    /// Colour of what polygons hold.
    pub fill: Option<Colour>,
    /// Width of lines in pixels.
    pub width_px: Option<f64>,
}

impl StyleOptions {
    /// These, and what others say where they say nothing.
    ///
    /// ```
    /// use foreign::style::ogr;
    /// let both = ogr("PEN(w:4px)").or(ogr("PEN(c:#FF0000,w:2px)"));
    /// assert_eq!((both.color, both.width_px), (Some([255, 0, 0, 255]), Some(4.0)));
    /// ```
    pub fn or(self, others: StyleOptions) -> StyleOptions {
        StyleOptions {
            color: self.color.or(others.color),
            fill: self.fill.or(others.fill),
            width_px: self.width_px.or(others.width_px),
        }
    }
}

/// A colour: `#rgb`, `#rrggbb`, `#rrggbbaa` or one of sixteen names.
///
/// # Errors
/// What is expected.
///
/// ```
/// assert_eq!(foreign::style::colour("#0af")?, [0, 170, 255, 255]);
/// assert_eq!(foreign::style::colour("orange")?, [255, 165, 0, 255]);
/// assert!(foreign::style::colour("#12345").is_err());
/// # Ok::<(), String>(())
/// ```
pub fn colour(text: &str) -> Result<Colour, String> {
    /// As CSS has them.
    const NAMES: [(&str, u32); 16] = [
        ("black", 0x00_0000),
        ("white", 0xFF_FFFF),
        ("grey", 0x80_8080),
        ("gray", 0x80_8080),
        ("red", 0xFF_0000),
        ("green", 0x00_8000),
        ("blue", 0x00_00FF),
        ("yellow", 0xFF_FF00),
        ("cyan", 0x00_FFFF),
        ("magenta", 0xFF_00FF),
        ("orange", 0xFF_A500),
        ("purple", 0x80_0080),
        ("brown", 0xA5_2A2A),
        ("pink", 0xFF_C0CB),
        ("navy", 0x00_0080),
        ("lime", 0x00_FF00),
    ];
    let expected = || format!("\"{}\" is no colour: #rrggbb, #rrggbbaa, or a name like red", sanitized(text));
    if let Some((_, rgb)) = NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)) {
        let [_, red, green, blue] = rgb.to_be_bytes();
        return Ok([red, green, blue, 255]);
    }
    let digits = text.strip_prefix('#').filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
    let digits = digits.ok_or_else(expected)?;
    let part = |from: usize, len: usize| u8::from_str_radix(&digits[from..from + len], 16).map_err(|_| expected());
    match digits.len() {
        3 => Ok([17 * part(0, 1)?, 17 * part(1, 1)?, 17 * part(2, 1)?, 255]),
        6 => Ok([part(0, 2)?, part(2, 2)?, part(4, 2)?, 255]),
        8 => Ok([part(0, 2)?, part(2, 2)?, part(4, 2)?, part(6, 2)?]),
        _ => Err(expected()),
    }
}

/// What is said behind the name of vector data.
///
/// ```
/// let (name, options) = foreign::style::vector("track.gpx,color=#d55e00,width=3", |_| false)?;
/// assert_eq!((name, options.style.color, options.style.width_px), ("track.gpx", Some([213, 94, 0, 255]), Some(3.0)));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct VectorOptions {
    /// How they are drawn.
    pub style: StyleOptions,
    /// The field whose text is written beside each feature; empty for none. Where nothing is said, points have their names.
    pub label: Option<String>,
    /// Whether they are not shown.
    pub hidden: bool,
}

impl VectorOptions {
    /// The keys that there are.
    pub const KEYS: [&str; 5] = ["color", "width", "fill", "label", "hidden"];

    /// Takes in what is said of a key; false if there is no such key.
    ///
    /// # Errors
    /// What is expected.
    pub fn set(&mut self, key: &str, value: &str) -> Result<bool, String> {
        match key {
            "color" => self.style.color = Some(colour(value)?),
            "fill" => self.style.fill = Some(colour(value)?),
            "width" => self.style.width_px = Some(values::line_width_px(value)?),
            "label" => self.label = Some(value.to_owned()),
            "hidden" => self.hidden = values::yes_or_no(value)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// A name of vector data and what is said behind it of how they are drawn. Whatever exists is a name, commas and all; so is what has no
/// known option behind it.
///
/// # Errors
/// The option whose value is none, and what is expected.
///
/// ```
/// let (name, asked) = foreign::style::vector("a,b.gpx,color=red,width=3,label=ele", |_| false)?;
/// assert_eq!((name, asked.style.color, asked.style.width_px), ("a,b.gpx", Some([255, 0, 0, 255]), Some(3.0)));
/// assert_eq!(asked.label.as_deref(), Some("ele"));
/// assert_eq!(foreign::style::vector("a.gpx,width=3", |_| true)?.0, "a.gpx,width=3");
/// assert!(foreign::style::vector("a.gpx,width=-1", |_| false).is_err());
/// # Ok::<(), String>(())
/// ```
pub fn vector(text: &str, exists: impl Fn(&str) -> bool) -> Result<(&str, VectorOptions), String> {
    let mut asked = VectorOptions::default();
    let name = options::split_options(text, exists, |key, value| asked.set(key, value))?;
    Ok((name, asked))
}

/// What a style string of OGR says, `PEN(c:#FF0000,w:2px);BRUSH(fc:#00FF0080)`, as far as it is drawn here. What is not understood says
/// nothing.
///
/// ```
/// let style = foreign::style::ogr("PEN(c:#FF0000,w:2px);BRUSH(fc:#00FF0080)");
/// assert_eq!((style.color, style.width_px), (Some([255, 0, 0, 255]), Some(2.0)));
/// assert_eq!(style.fill, Some([0, 255, 0, 128]));
/// ```
pub fn ogr(text: &str) -> StyleOptions {
    let mut style = StyleOptions::default();
    for tool in text.split(')') {
        let Some((name, parameters)) = tool.split_once('(') else { continue };
        let name = name.trim_start_matches([';', ' ']);
        let value = |key: &str| {
            let parameter = parameters.split(',').find_map(|parameter| parameter.trim().strip_prefix(key))?;
            Some(parameter.strip_prefix(':')?.trim().trim_matches('"'))
        };
        let named = |key| value(key).and_then(|value| colour(value).ok());
        match name {
            "PEN" => {
                style.color = style.color.or(named("c"));
                let width = value("w").and_then(|width| width.strip_suffix("px"));
                style.width_px = style.width_px.or(width.and_then(|width| values::line_width_px(width).ok()));
            }
            "SYMBOL" => style.color = style.color.or(named("c")),
            "BRUSH" => style.fill = style.fill.or(named("fc")),
            _ => {}
        }
    }
    style
}

/// What fields of the simplestyle specification say, `stroke`, `stroke-opacity`, `stroke-width`, `fill`, `fill-opacity` and
/// `marker-color`, which a function finds by their names. What is not understood says nothing.
///
/// ```
/// let fields = [("stroke", "#ff0000"), ("stroke-opacity", "0.5"), ("stroke-width", "4")];
/// let field = |name: &str| fields.iter().find(|(of, _)| *of == name).map(|(_, value)| value.to_string());
/// let style = foreign::style::simple(field);
/// assert_eq!((style.color, style.width_px, style.fill), (Some([255, 0, 0, 128]), Some(4.0), None));
/// ```
pub fn simple(field: impl Fn(&str) -> Option<String>) -> StyleOptions {
    // Colours may stand without their sign.
    let named = |key: &str| field(key).and_then(|value| colour(&value).or_else(|_| colour(&format!("#{value}"))).ok());
    let with_opacity = |colour: Option<Colour>, key: &str, otherwise: f64| {
        let opacity = field(key).and_then(|value| values::opacity(&value).ok()).unwrap_or(otherwise);
        colour.map(|[red, green, blue, alpha]| [red, green, blue, (f64::from(alpha) * opacity).round() as u8])
    };
    StyleOptions {
        color: with_opacity(named("stroke"), "stroke-opacity", 1.0).or_else(|| named("marker-color")),
        fill: with_opacity(named("fill"), "fill-opacity", 0.6),
        width_px: field("stroke-width").and_then(|width| values::line_width_px(&width).ok()),
    }
}
