//! What is drawn besides tint and relief? Slope, contour lines, graticule, borders and the mesh itself on the ground, and how far apart the
//! lines are; stars in the sky.

use bevy_ecs::resource::Resource;
use kernels::device;

// The bits of a set: `shaders/viewer/overlays.wgsl` is generated from them, which a test compares. 8 is the wireframe's and 8192 the names',
// which are drawn by passes of their own.

/// Colour by steepness in place of height.
#[device]
const OVERLAY_SLOPE: u32 = 1;
/// Lines of equal height.
#[device]
const OVERLAY_CONTOURS: u32 = 2;
/// Meridians and parallels.
#[device]
const OVERLAY_GRATICULE: u32 = 4;
/// The surface of the sea.
#[device]
const OVERLAY_WATER: u32 = 16;
/// A picture of the whole Earth in place of the tint.
#[device]
const OVERLAY_IMAGERY: u32 = 32;
/// Pictures of the user's.
#[device]
const OVERLAY_PICTURES: u32 = 64;
/// Points, lines and areas of the user's.
#[device]
const OVERLAY_VECTORS: u32 = 131_072;
/// Colour by the direction that ground faces in place of height.
#[device]
const OVERLAY_ASPECT: u32 = 128;
/// Depth of the triangles in place of the ground.
#[device]
const OVERLAY_LOD: u32 = 256;
/// Their distance.
#[device]
const OVERLAY_DEPTH: u32 = 512;
/// The tiles that they lie in.
#[device]
const OVERLAY_TILE: u32 = 1024;
/// The layers that their heights come from.
#[device]
const OVERLAY_SOURCE: u32 = 2048;
/// Roughness finer than the data, which is made up.
#[device]
const OVERLAY_DETAIL: u32 = 4096;

/// Borders of countries, and shores.
#[device]
const OVERLAY_BORDERS: u32 = 16384;
/// Stars in the sky.
#[device]
const OVERLAY_STARS: u32 = 32768;

/// Shadows that mountains cast.
#[device]
const OVERLAY_SHADOWS: u32 = 65536;

/// A set of drawings on the ground and in the sky.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Overlays(u32);

impl Overlays {
    /// Colour by steepness in place of height.
    pub const SLOPE: Overlays = Overlays(OVERLAY_SLOPE);
    /// Lines of equal height.
    pub const CONTOURS: Overlays = Overlays(OVERLAY_CONTOURS);
    /// Meridians and parallels.
    pub const GRATICULE: Overlays = Overlays(OVERLAY_GRATICULE);
    /// The edges of the triangles, in a pass of their own.
    pub const WIREFRAME: Overlays = Overlays(8);
    /// The surface of the sea.
    pub const WATER: Overlays = Overlays(OVERLAY_WATER);
    /// A picture of the whole Earth in place of the tint.
    pub const IMAGERY: Overlays = Overlays(OVERLAY_IMAGERY);
    /// Pictures of the user's.
    pub const PICTURES: Overlays = Overlays(OVERLAY_PICTURES);
    /// Points, lines and areas of the user's.
    pub const VECTORS: Overlays = Overlays(OVERLAY_VECTORS);
    /// Colour by the direction that ground faces in place of height.
    pub const ASPECT: Overlays = Overlays(OVERLAY_ASPECT);

    /// Depth of the triangles in place of the ground.
    pub const LOD: Overlays = Overlays(OVERLAY_LOD);
    /// Their distance.
    pub const DEPTH: Overlays = Overlays(OVERLAY_DEPTH);
    /// The tiles that they lie in.
    pub const TILE: Overlays = Overlays(OVERLAY_TILE);
    /// The layers that their heights come from.
    pub const SOURCE: Overlays = Overlays(OVERLAY_SOURCE);
    /// Roughness finer than the data, which is made up.
    pub const DETAIL: Overlays = Overlays(OVERLAY_DETAIL);
    /// Names of places.
    pub const NAMES: Overlays = Overlays(8192);
    /// Borders of countries, and shores.
    pub const BORDERS: Overlays = Overlays(OVERLAY_BORDERS);
    /// Stars in the sky.
    pub const STARS: Overlays = Overlays(OVERLAY_STARS);
    /// Shadows that mountains cast, by a sun that [casts them](crate::render::Sun::casts_shadows).
    pub const SHADOWS: Overlays = Overlays(OVERLAY_SHADOWS);
    /// What has labels.
    pub const LABELLED: [Overlays; 4] = [Overlays::NAMES, Overlays::VECTORS, Overlays::CONTOURS, Overlays::GRATICULE];
    /// What shows the mesh in place of the ground: one at a time.
    pub const VIEWS: [Overlays; 4] = [Overlays::LOD, Overlays::TILE, Overlays::DEPTH, Overlays::SOURCE];

    /// Each drawing that has to be asked for, with its name.
    pub const NAMED: [(&str, Overlays); 13] = [
        ("slope", Overlays::SLOPE),
        ("aspect", Overlays::ASPECT),
        ("contours", Overlays::CONTOURS),
        ("graticule", Overlays::GRATICULE),
        ("wireframe", Overlays::WIREFRAME),
        ("imagery", Overlays::IMAGERY),
        ("names", Overlays::NAMES),
        ("borders", Overlays::BORDERS),
        ("stars", Overlays::STARS),
        ("lod", Overlays::LOD),
        ("tile", Overlays::TILE),
        ("depth", Overlays::DEPTH),
        ("source", Overlays::SOURCE),
    ];

    /// Reads names separated by commas; `none` is none of them.
    ///
    /// # Errors
    /// The word that is no name, and the names there are; two views of the mesh.
    pub fn parse(text: &str) -> Result<Overlays, String> {
        if text.trim() == "none" {
            return Ok(Overlays::default());
        }
        let all = text.split(',').try_fold(Overlays::default(), |overlays, word| {
            foreign::values::named(word.trim(), &Overlays::NAMED).map(|one| Overlays(overlays.0 | one.0))
        })?;
        if Overlays::VIEWS.into_iter().filter(|view| all.has(*view)).count() > 1 {
            return Err(String::from("lod, tile, depth and source show the mesh: choose one of them"));
        }
        Ok(all)
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
        Overlays(self.0 & (OVERLAY_IMAGERY | OVERLAY_PICTURES | OVERLAY_VECTORS))
    }

    /// The name of one drawing; empty for one that has none.
    pub fn name(self) -> &'static str {
        Overlays::NAMED.iter().find(|(_, one)| *one == self).map_or("", |(name, _)| name)
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

    /// With lines as far apart as fits ground of which a point of text shows `point_m` metres and the picture `relief_m` of height, drawn
    /// `exaggeration` times as high.
    pub(crate) fn markings(self, point_m: f64, relief_m: f64, exaggeration: f64) -> OverlayParams {
        // Ground that rises one in three has a contour line every 15 points. Where the picture has little relief there are lines all the same.
        let by_size_m = first_at_least(&CONTOURS_M, 5.0 * point_m / exaggeration);
        let by_relief_m = last_at_most(&CONTOURS_M, relief_m / CONTOURS_IN_VIEW);
        let contour_m = by_size_m.min(by_relief_m);
        let point_deg = (point_m / terrain::geodesy::SEMI_MAJOR_M).to_degrees();
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
        Overlays::default().markings(0.0, f64::INFINITY, 1.0)
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

    #[test]
    fn the_shader_is_what_this_file_generates() {
        const BITS: &str = device::module!(
            OVERLAY_SLOPE,
            OVERLAY_CONTOURS,
            OVERLAY_GRATICULE,
            OVERLAY_WATER,
            OVERLAY_IMAGERY,
            OVERLAY_PICTURES,
            OVERLAY_VECTORS,
            OVERLAY_ASPECT,
            OVERLAY_LOD,
            OVERLAY_DEPTH,
            OVERLAY_TILE,
            OVERLAY_SOURCE,
            OVERLAY_DETAIL,
            OVERLAY_BORDERS,
            OVERLAY_STARS,
            OVERLAY_SHADOWS
        );
        let header = "// What may be drawn on the ground and in the sky? The bits of OVERLAYS.\n\
                      // Generated from viewer/src/overlays.rs: ./x generate";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shaders/viewer/overlays.wgsl");
        device::check_generated(path, header, BITS).unwrap();
    }

    /// Law: every drawing has a bit of its own, and names and wireframe none of the shaders'.
    #[test]
    fn bits_are_distinct() {
        let unnamed = [Overlays::WATER, Overlays::PICTURES, Overlays::VECTORS, Overlays::DETAIL, Overlays::SHADOWS];
        let all: Vec<Overlays> = Overlays::NAMED.iter().map(|(_, one)| *one).chain(unnamed).collect();
        assert!(all.iter().all(|one| one.0.count_ones() == 1));
        assert_eq!(all.iter().fold(0, |bits, one| bits | one.0).count_ones() as usize, all.len());
        assert_eq!([Overlays::NAMES, Overlays::WIREFRAME].map(Overlays::bits), [0; 2]);
    }

    #[test]
    fn names_are_read_and_wrong_ones_named() {
        assert_eq!(Overlays::parse("contours, graticule"), Ok(Overlays(6)));
        assert_eq!(Overlays::parse("slope,slope"), Ok(Overlays::SLOPE));
        assert_eq!(Overlays::parse("none"), Ok(Overlays::default()));
        for bad in ["", "hillshade", "slope,,contours"] {
            assert!(
                Overlays::parse(bad).is_err_and(|e| e.contains(
                    "slope, aspect, contours, graticule, wireframe, imagery, names, borders, stars, lod, tile, depth, source"
                )),
                "{bad}"
            );
        }
        assert!(Overlays(6).has(Overlays::CONTOURS) && !Overlays(6).has(Overlays::SLOPE));
        assert_eq!(Overlays(6).toggled(Overlays::CONTOURS).toggled(Overlays::SLOPE), Overlays(5));
    }

    #[test]
    fn lines_are_round_and_further_apart_from_further_away() {
        let all = Overlays(15);
        assert_eq!(all.markings(4.0, f64::INFINITY, 1.0).legend(), "contours 20 m  graticule 0.01°");
        assert_eq!(all.markings(20_000.0, f64::INFINITY, 1.0).legend(), "contours 1000 m  graticule 15°");
        assert_eq!(all.markings(0.0, f64::INFINITY, 1.0).legend(), "contours 1 m  graticule 0.005°");
        assert_eq!(Overlays::SLOPE.markings(4.0, f64::INFINITY, 1.0).legend(), "");
        // From far above the Alps, low above a plain, and over a lake.
        let contours = |point_m, relief_m| Overlays::CONTOURS.markings(point_m, relief_m, 1.0).contour_m;
        assert_eq!([contours(345.0, 3_900.0), contours(10.0, 30.0), contours(10.0, 0.0)], [500.0, 5.0, 1.0]);
        // Ground that is drawn higher shows the same rise in fewer metres.
        assert_eq!(Overlays::CONTOURS.markings(4.0, f64::INFINITY, 5.0).legend(), "contours 5 m  heights drawn x5");
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
            assert_eq!(overlays.markings(4.0, f64::INFINITY, 1.0).legend().is_empty(), overlays.view().is_some());
        }
        assert_eq!(
            seen,
            [Some(Overlays::LOD), Some(Overlays::TILE), Some(Overlays::DEPTH), Some(Overlays::SOURCE), None]
        );
        let depth = Overlays::LOD.toggled(Overlays::DEPTH);
        assert_eq!((depth, depth.toggled(Overlays::DEPTH)), (Overlays::DEPTH, Overlays::default()));
        assert!(Overlays::VIEWS.iter().all(|view| Overlays::parse(view.name()) == Ok(*view)));
    }

    /// Law: what is made up is told, with what it is finer than, and only where it is drawn.
    #[test]
    fn synthetic_detail_is_marked() {
        let postings_m = [9_260.0, 92.4];
        let told =
            |overlays: Overlays| OverlayParams { postings_m, ..overlays.markings(4.0, f64::INFINITY, 1.0) }.synthetic();
        let said = told(Overlays::DETAIL).expect("a mark");
        assert!(said.contains("SYNTHETIC") && said.contains("92 to 9260 m"), "{said}");
        let relief = OverlayParams { postings_m, made_up_relief: true, ..OverlayParams::default() }.synthetic();
        assert!(relief.is_some_and(|said| said.contains("SYNTHETIC") && said.contains("9260 m apart")));
        assert_eq!((told(Overlays::CONTOURS), told(Overlays::DETAIL.with(Overlays::LOD, true))), (None, None));
        assert!(
            OverlayParams { postings_m, ..Overlays::DETAIL.markings(4.0, f64::INFINITY, 1.0) }
                .legend()
                .contains("SYNTHETIC")
        );
    }
}
