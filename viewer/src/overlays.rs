//! What is drawn besides tint and relief? Slope, contour lines, graticule, borders and the mesh itself on the ground, and how far apart the
//! lines are; stars in the sky.

use bevy_ecs::resource::Resource;
use kernels::device;
use terrain::geodesy::Ellipsoid;

/// Where an overlay stands in the panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverlayGroup {
    /// Lines, names and shapes on the ground.
    Map,
    /// What gives the ground its colours.
    Colours,
    /// Sea, light and sky.
    Scene,
    /// The mesh, drawn over the ground or in place of it.
    Mesh,
}

/// A row of the table: all that panel, keys, command line and settings say of one overlay.
#[derive(Debug, Clone, Copy)]
pub struct OverlayRow {
    /// The overlay, a set of one.
    pub overlay: Overlays,
    /// Its name in `--overlays` and in the settings; none for what an option of its own asks for.
    pub name: Option<&'static str>,
    /// Where it stands in the panel.
    pub group: OverlayGroup,
    /// The key that toggles it: a letter or a digit of a US keyboard.
    pub key: Option<&'static str>,
    /// What it draws, for the list of keys and the panel.
    pub draws: &'static str,
}

/// A set of drawings on the ground and in the sky.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Overlays(u32);

/// Makes of the table the bits for Rust and WGSL, the sets of one, and the rows. A row whose shader is a pass of its own has no WGSL
/// constant.
macro_rules! overlays {
    ($($(#[$doc:meta])* $overlay:ident = $bit:tt $($wgsl:ident)?, $name:expr, $group:ident, $key:expr, $draws:literal;)*) => {
        $(overlays!(@bit [$(#[$doc])*] $bit $($wgsl)?);)*

        impl Overlays {
            $($(#[$doc])* pub const $overlay: Overlays = Overlays($bit);)*

            /// Every overlay, in the order of the panel.
            pub const TABLE: &[OverlayRow] = &[$(OverlayRow {
                overlay: Overlays::$overlay,
                name: $name,
                group: OverlayGroup::$group,
                key: $key,
                draws: $draws,
            }),*];
        }

        #[cfg(test)]
        const WGSL: &str = device::module!($($($wgsl,)?)*);
    };
    (@bit [$($doc:tt)*] $bit:tt) => {};
    (@bit [$($doc:tt)*] $bit:tt $wgsl:ident) => {
        $($doc)*
        #[device]
        const $wgsl: u32 = $bit;
    };
}

// `./x generate` writes `shaders/viewer/overlays.wgsl` from the column of WGSL constants. Bits stay as they are: tests of pictures and
// pipelines name them.
overlays! {
    // Overlay, bit, WGSL constant; name on the command line; group and words in the panel; key.
    /// Names of places, in a pass of their own.
    NAMES = 8192, Some("names"), Map, Some("L"), "names of places";
    /// Borders of countries, and shores.
    BORDERS = 16384 OVERLAY_BORDERS, Some("borders"), Map, Some("B"), "borders of countries, and shores";
    /// What is seen from a place, or the hours of sun around it.
    PLACE_CELLS = 262144 OVERLAY_PLACE_CELLS, None, Map, None, "what is seen from a place, or hours of sun";
    /// Points, lines and areas of the user's.
    VECTORS = 131072 OVERLAY_VECTORS, None, Map, Some("V"), "the points, lines and areas of --vector";
    /// Meridians and parallels.
    GRATICULE = 4 OVERLAY_GRATICULE, Some("graticule"), Map, Some("3"), "meridians and parallels with their degrees";
    /// Lines of equal height.
    CONTOURS = 2 OVERLAY_CONTOURS, Some("contours"), Map, Some("2"), "contour lines with their heights";
    /// A picture of the whole Earth in place of the tint.
    IMAGERY = 32 OVERLAY_IMAGERY, Some("imagery"), Colours, Some("6"), "a picture from space in place of the tint";
    /// Pictures of the user's.
    PICTURES = 64 OVERLAY_PICTURES, None, Colours, Some("7"), "the pictures of --imagery";
    /// Colour by steepness in place of height.
    SLOPE = 1 OVERLAY_SLOPE, Some("slope"), Colours, Some("1"), "colours by steepness";
    /// Colour by the direction that ground faces in place of height.
    ASPECT = 128 OVERLAY_ASPECT, Some("aspect"), Colours, Some("8"), "colours by the direction that ground faces";
    /// The surface of the sea.
    WATER = 16 OVERLAY_WATER, None, Scene, Some("5"), "the surface of the sea, or its floor";
    /// Shadows that mountains cast, by a sun that [casts them](crate::render::SunMode::casts_shadows).
    SHADOWS = 65536 OVERLAY_SHADOWS, None, Scene, Some("O"), "shadows of mountains";
    /// Stars in the sky.
    STARS = 32768 OVERLAY_STARS, Some("stars"), Scene, Some("T"), "stars in the sky";
    /// Lights of towns on the night side of the Earth.
    LIGHTS = 524288 OVERLAY_LIGHTS, Some("lights"), Scene, Some("Y"), "lights of towns at night";
    /// The edges of the triangles, in a pass of their own.
    WIREFRAME = 8, Some("wireframe"), Mesh, Some("4"), "edges of the triangles";
    /// Depth of the triangles in place of the ground.
    LOD = 256 OVERLAY_LOD, Some("lod"), Mesh, None, "lod";
    /// The tiles that they lie in.
    TILE = 1024 OVERLAY_TILE, Some("tile"), Mesh, None, "tile";
    /// Their distance.
    DEPTH = 512 OVERLAY_DEPTH, Some("depth"), Mesh, None, "depth";
    /// The layers that their heights come from.
    SOURCE = 2048 OVERLAY_SOURCE, Some("source"), Mesh, None, "source";
    /// Roughness finer than the data, which is made up.
    DETAIL = 4096 OVERLAY_DETAIL, None, Mesh, None, "synthetic roughness below the data";
}

impl Overlays {
    /// What a window begins with, besides what has no name.
    pub const USUAL: Overlays = Overlays(Overlays::NAMES.0 | Overlays::BORDERS.0 | Overlays::STARS.0);
    /// What ships of the Earth, and of no other body.
    pub const OF_EARTH: Overlays = Overlays(
        Overlays::NAMES.0 | Overlays::BORDERS.0 | Overlays::IMAGERY.0 | Overlays::WATER.0 | Overlays::LIGHTS.0,
    );
    /// What has labels.
    pub const LABELLED: [Overlays; 4] = [Overlays::NAMES, Overlays::VECTORS, Overlays::CONTOURS, Overlays::GRATICULE];
    /// What shows the mesh in place of the ground: one at a time.
    pub const VIEWS: [Overlays; 4] = [Overlays::LOD, Overlays::TILE, Overlays::DEPTH, Overlays::SOURCE];

    /// Each overlay that the command line and the settings name.
    pub fn named() -> impl Iterator<Item = (&'static str, Overlays)> {
        Overlays::TABLE.iter().filter_map(|row| Some((row.name?, row.overlay)))
    }

    /// What `--help` says of `--overlays`.
    pub fn help() -> String {
        let names = |views: bool| {
            let names = Overlays::named().filter(|(_, one)| one.view().is_some() == views).map(|(name, _)| name);
            names.collect::<Vec<_>>().join(", ")
        };
        format!(
            "Drawn on the ground and in the sky: {}; or the mesh: {}; several with commas, or none",
            names(false),
            names(true)
        )
    }

    /// Reads names separated by commas; `none` is none of them.
    ///
    /// # Errors
    /// The word that is no name, and the names there are; two views of the mesh.
    pub fn parse(text: &str) -> Result<Overlays, String> {
        if text.trim() == "none" {
            return Ok(Overlays::default());
        }
        let named: Vec<_> = Overlays::named().collect();
        let all = text.split(',').try_fold(Overlays::default(), |overlays, word| {
            foreign::values::named(word.trim(), &named).map(|one| Overlays(overlays.0 | one.0))
        })?;
        if Overlays::VIEWS.into_iter().filter(|view| all.has(*view)).count() > 1 {
            return Err(String::from("lod, tile, depth and source show the mesh: choose one of them"));
        }
        Ok(all)
    }

    /// What settings and scenes name; no names are no overlay.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn of_names(names: &[String]) -> Result<Overlays, String> {
        if names.is_empty() { Ok(Overlays::default()) } else { Overlays::parse(&names.join(",")) }
    }

    /// The names of all that have one, as settings and scenes keep them.
    pub fn names(self) -> Vec<String> {
        Overlays::named().filter(|(_, one)| self.has(*one)).map(|(name, _)| name.to_string()).collect()
    }

    /// What shows the mesh in place of the ground.
    pub fn view(self) -> Option<Overlays> {
        Overlays::VIEWS.into_iter().find(|view| self.has(*view))
    }

    /// With another view of the mesh, or with none.
    pub fn viewing(self, view: Option<Overlays>) -> Overlays {
        let none = Overlays::VIEWS.into_iter().fold(self, |overlays, one| overlays.with(one, false));
        view.map_or(none, |view| none.with(view, true))
    }

    /// With the next view of the mesh; after the last one with none.
    pub fn next_view(self) -> Overlays {
        let at = Overlays::VIEWS.into_iter().position(|view| Some(view) == self.view());
        self.viewing(Overlays::VIEWS.get(at.map_or(0, |at| at + 1)).copied())
    }

    /// Whether something is drawn from imagery tiles: pictures in place of the tint, or vector data.
    pub(crate) fn has_pictures(self) -> bool {
        self.pictures() != Overlays::default()
    }

    /// Those of the drawings that imagery tiles show.
    pub(crate) fn pictures(self) -> Overlays {
        Overlays(self.0 & (Overlays::IMAGERY.0 | Overlays::PICTURES.0 | Overlays::VECTORS.0))
    }

    /// The name of one drawing; empty for one that has none.
    pub fn name(self) -> &'static str {
        Overlays::named().find(|(_, one)| *one == self).map_or("", |(name, _)| name)
    }

    /// Whether it has all of `other`.
    pub fn has(self, other: Overlays) -> bool {
        self.0 & other.0 == other.0
    }

    /// Those that are in both.
    pub(crate) fn within(self, other: Overlays) -> Overlays {
        Overlays(self.0 & other.0)
    }

    /// With all of `other`, or none of it.
    pub fn with(self, other: Overlays, on: bool) -> Overlays {
        Overlays(if on { self.0 | other.0 } else { self.0 & !other.0 })
    }

    /// With `other` taken out where it is in, put in where it is not. There is one view of the mesh at a time.
    pub fn toggled(self, other: Overlays) -> Overlays {
        match other.view() {
            Some(view) => self.viewing(Some(view).filter(|_| !self.has(view))),
            None => Overlays(self.0 ^ other.0),
        }
    }

    /// What the shaders of ground and sky are made for: not the wireframe and the names, which have passes of their own.
    pub(super) fn shaded(self) -> Overlays {
        self.with(Overlays::WIREFRAME, false).with(Overlays::NAMES, false)
    }

    /// The bits of what is [shaded](Self::shaded).
    pub(super) fn bits(self) -> u32 {
        self.shaded().0
    }

    /// With lines as far apart as fits ground of a planet of which a point of text shows `point_m` metres and the picture `relief_m` of height, drawn
    /// `exaggeration` times as high.
    pub(crate) fn overlay_params(
        self,
        ellipsoid: Ellipsoid,
        point_m: f64,
        relief_m: f64,
        exaggeration: f64,
    ) -> OverlayParams {
        // Ground that rises one in three has a contour line every 15 points. Where the picture has little relief there are lines all the same.
        let by_size_m = first_at_least(&CONTOURS_M, 5.0 * point_m / exaggeration);
        let by_relief_m = last_at_most(&CONTOURS_M, relief_m / CONTOURS_IN_VIEW);
        let contour_m = by_size_m.min(by_relief_m);
        let point_deg = (point_m / ellipsoid.semi_major_m()).to_degrees();
        // Views of the mesh show no lines and no names.
        let without = |overlays: Overlays, one| overlays.with(one, false);
        let overlays = if self.view().is_none() { self } else { Overlays::LABELLED.into_iter().fold(self, without) };
        OverlayParams {
            overlays,
            contour_m,
            graticule_deg: first_at_least(&GRATICULES_DEG, 140.0 * point_deg),
            exaggeration,
            postings_m: [1.0; 2],
            made_up_relief: false,
            time_s: 0.0,
        }
    }
}

/// What a frame draws on the ground.
#[derive(Resource, Debug, Clone, Copy, PartialEq)]
pub struct OverlayParams {
    /// The drawings.
    pub overlays: Overlays,
    /// Metres between contour lines.
    pub contour_m: f64,
    /// Degrees between lines of the graticule.
    pub graticule_deg: f64,
    /// Metres of the mesh a metre of height.
    pub exaggeration: f64,
    /// Between the samples of the data of the whole Earth, and of the finest that lie on them, metres.
    pub postings_m: [f64; 2],
    /// Whether relief is made up between the samples of coarse data.
    pub made_up_relief: bool,
    /// Of the waves, seconds.
    pub time_s: f64,
}

impl Default for OverlayParams {
    fn default() -> Self {
        Overlays::default().overlay_params(Ellipsoid::WGS84, 0.0, f64::INFINITY, 1.0)
    }
}

impl OverlayParams {
    /// What the lines mean, for people; empty where there are none.
    pub fn legend(&self) -> String {
        let contours = format!("contours {} m", self.contour_m);
        let graticule = format!("graticule {}°", self.graticule_deg);
        let parts = [(Overlays::CONTOURS, contours), (Overlays::GRATICULE, graticule)];
        let mut shown: Vec<String> =
            parts.into_iter().filter(|(one, _)| self.overlays.has(*one)).map(|(_, text)| text).collect();
        if self.exaggeration != 1.0 {
            shown.push(format!("heights drawn x{}", self.exaggeration));
        }
        shown.extend(self.synthetic());
        shown.join("  ")
    }

    /// What of the picture is made up, for people and for the files of pictures; none where nothing is.
    pub fn synthetic(&self) -> Option<String> {
        let [coarse_m, fine_m] = self.postings_m;
        let finer =
            if fine_m < coarse_m { format!("{fine_m:.0} to {coarse_m:.0} m") } else { format!("{coarse_m:.0} m") };
        let rough = (self.overlays.has(Overlays::DETAIL) && self.overlays.view().is_none())
            .then(|| format!("roughness finer than the data ({finer}) is made up"));
        let relief = self.made_up_relief.then(|| format!("relief between samples {coarse_m:.0} m apart is made up"));
        let all: Vec<String> = relief.into_iter().chain(rough).collect();
        (!all.is_empty()).then(|| format!("SYNTHETIC DETAIL: {}", all.join(", ")))
    }
}

/// Fewest contour lines between the lowest and the highest ground of a picture: one of them is labelled.
const CONTOURS_IN_VIEW: f64 = 6.0;
const CONTOURS_M: [f64; 10] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0];
const GRATICULES_DEG: [f64; 12] = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0];

/// The first of the rising steps that is not below `least`, or the last.
fn first_at_least(steps: &[f64], least: f64) -> f64 {
    steps.iter().copied().find(|&step| step >= least).unwrap_or(steps[steps.len() - 1])
}

/// The last of the rising steps that is not above `most`, or the first.
fn last_at_most(steps: &[f64], most: f64) -> f64 {
    steps.iter().copied().rfind(|&step| step <= most).unwrap_or(steps[0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrain::geodesy::Ellipsoid;

    #[test]
    fn the_shader_is_what_this_file_generates() {
        let header = "// What may be drawn on the ground and in the sky? The bits of OVERLAYS.\n\
                      // Generated from viewer/src/overlays.rs: ./x generate";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shaders/viewer/overlays.wgsl");
        device::check_generated(path, header, WGSL).unwrap();
    }

    #[test]
    fn drawings_are_kept_by_name() {
        let both = Overlays::parse("slope,contours").expect("names");
        assert_eq!(Overlays::of_names(&both.names()), Ok(both));
        assert_eq!(Overlays::of_names(&[]), Ok(Overlays::default()));
        assert!(Overlays::of_names(&[String::from("x-rays")]).is_err_and(|why| why.contains("x-rays")));
    }

    /// Law: every drawing has a bit of its own, and names and wireframe none of the shaders'.
    #[test]
    fn bits_are_distinct() {
        let all: Vec<Overlays> = Overlays::TABLE.iter().map(|row| row.overlay).collect();
        assert!(all.iter().all(|one| one.0.count_ones() == 1));
        assert_eq!(all.iter().fold(0, |bits, one| bits | one.0).count_ones() as usize, all.len());
        assert_eq!([Overlays::NAMES, Overlays::WIREFRAME].map(Overlays::bits), [0; 2]);
    }

    #[test]
    fn names_are_read_and_wrong_ones_named() {
        assert_eq!(Overlays::parse("contours, graticule"), Ok(Overlays(6)));
        assert_eq!(Overlays::parse("slope,slope"), Ok(Overlays::SLOPE));
        assert_eq!(Overlays::parse("none"), Ok(Overlays::default()));
        let names = Overlays::named().map(|(name, _)| name).collect::<Vec<_>>().join(", ");
        for bad in ["", "hillshade", "slope,,contours"] {
            assert!(Overlays::parse(bad).is_err_and(|e| e.contains(&names)), "{bad}");
        }
        assert!(Overlays(6).has(Overlays::CONTOURS) && !Overlays(6).has(Overlays::SLOPE));
        assert_eq!(Overlays(6).toggled(Overlays::CONTOURS).toggled(Overlays::SLOPE), Overlays(5));
    }

    #[test]
    fn lines_are_round_and_further_apart_from_further_away() {
        let all = Overlays(15);
        assert_eq!(
            all.overlay_params(Ellipsoid::WGS84, 4.0, f64::INFINITY, 1.0).legend(),
            "contours 20 m  graticule 0.01°"
        );
        assert_eq!(
            all.overlay_params(Ellipsoid::WGS84, 20_000.0, f64::INFINITY, 1.0).legend(),
            "contours 1000 m  graticule 15°"
        );
        assert_eq!(
            all.overlay_params(Ellipsoid::WGS84, 0.0, f64::INFINITY, 1.0).legend(),
            "contours 1 m  graticule 0.005°"
        );
        assert_eq!(Overlays::SLOPE.overlay_params(Ellipsoid::WGS84, 4.0, f64::INFINITY, 1.0).legend(), "");
        // From far above the Alps, low above a plain, and over a lake.
        let contours =
            |point_m, relief_m| Overlays::CONTOURS.overlay_params(Ellipsoid::WGS84, point_m, relief_m, 1.0).contour_m;
        assert_eq!([contours(345.0, 3_900.0), contours(10.0, 30.0), contours(10.0, 0.0)], [500.0, 5.0, 1.0]);
        // Ground that is drawn higher shows the same rise in fewer metres.
        assert_eq!(
            Overlays::CONTOURS.overlay_params(Ellipsoid::WGS84, 4.0, f64::INFINITY, 5.0).legend(),
            "contours 5 m  heights drawn x5"
        );
    }

    /// Law: there is one view of the mesh at a time, by name, key and box; it has no lines.
    #[test]
    fn one_view_at_a_time() {
        assert!(Overlays::parse("lod,depth").is_err_and(|e| e.contains("choose one")));
        let mut overlays = Overlays::parse("contours,graticule").expect("names");
        let mut seen = Vec::new();
        for _ in 0..=Overlays::VIEWS.len() {
            overlays = overlays.next_view();
            seen.push(overlays.view());
            assert!(overlays.has(Overlays::CONTOURS), "the lines come back");
            assert_eq!(
                overlays.overlay_params(Ellipsoid::WGS84, 4.0, f64::INFINITY, 1.0).legend().is_empty(),
                overlays.view().is_some()
            );
        }
        assert_eq!(
            seen,
            [Some(Overlays::LOD), Some(Overlays::TILE), Some(Overlays::DEPTH), Some(Overlays::SOURCE), None]
        );
        let depth = Overlays::LOD.toggled(Overlays::DEPTH);
        assert_eq!((depth, depth.toggled(Overlays::DEPTH)), (Overlays::DEPTH, Overlays::default()));
        assert!(Overlays::named().all(|(name, one)| Overlays::parse(name) == Ok(one)));
    }

    /// Law: what is made up is told, with what it is finer than, and only where it is drawn.
    #[test]
    fn synthetic_detail_is_marked() {
        let postings_m = [9_260.0, 92.4];
        let told = |overlays: Overlays| {
            OverlayParams { postings_m, ..overlays.overlay_params(Ellipsoid::WGS84, 4.0, f64::INFINITY, 1.0) }
                .synthetic()
        };
        let said = told(Overlays::DETAIL).expect("a mark");
        assert!(said.contains("SYNTHETIC") && said.contains("92 to 9260 m"), "{said}");
        let relief = OverlayParams { postings_m, made_up_relief: true, ..OverlayParams::default() }.synthetic();
        assert!(relief.is_some_and(|said| said.contains("SYNTHETIC") && said.contains("9260 m apart")));
        assert_eq!((told(Overlays::CONTOURS), told(Overlays::DETAIL.with(Overlays::LOD, true))), (None, None));
        assert!(
            OverlayParams { postings_m, ..Overlays::DETAIL.overlay_params(Ellipsoid::WGS84, 4.0, f64::INFINITY, 1.0) }
                .legend()
                .contains("SYNTHETIC")
        );
    }
}
