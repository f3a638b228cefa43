//! What is drawn on the ground besides tint and relief? Slope, contour lines, graticule and the mesh itself, and how far
//! apart the lines are.

use bevy_ecs::resource::Resource;
use kernels::device;

// The bits of a set: `shaders/viewer/shade.wgsl` is generated from them, which a test compares. 8 is the wireframe's, a pass of its own.

/// Colour by steepness in place of height.
#[device]
const SHADE_SLOPE: u32 = 1;
/// Lines of equal height.
#[device]
const SHADE_CONTOURS: u32 = 2;
/// Meridians and parallels.
#[device]
const SHADE_GRATICULE: u32 = 4;
/// The surface of the sea.
#[device]
const SHADE_WATER: u32 = 16;
/// A picture of the whole Earth in place of the tint.
#[device]
const SHADE_IMAGERY: u32 = 32;
/// A picture of a part of it.
#[device]
const SHADE_DRAPE: u32 = 64;
/// Colour by the direction that ground faces in place of height.
#[device]
const SHADE_ASPECT: u32 = 128;
/// Depth of the triangles in place of the ground.
#[device]
const SHADE_LOD: u32 = 256;
/// Their distance.
#[device]
const SHADE_DEPTH: u32 = 512;
/// The tiles that they lie in.
#[device]
const SHADE_TILE: u32 = 1024;
/// The layers that their heights come from.
#[device]
const SHADE_SOURCE: u32 = 2048;
/// Roughness finer than the data, which is made up.
#[device]
const SHADE_DETAIL: u32 = 4096;

/// A set of drawings on the ground.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Shade(u32);

impl Shade {
    /// Colour by steepness in place of height.
    pub const SLOPE: Shade = Shade(SHADE_SLOPE);
    /// Lines of equal height.
    pub const CONTOURS: Shade = Shade(SHADE_CONTOURS);
    /// Meridians and parallels.
    pub const GRATICULE: Shade = Shade(SHADE_GRATICULE);
    /// The edges of the triangles, in a pass of their own.
    pub const WIREFRAME: Shade = Shade(8);
    /// The surface of the sea.
    pub const WATER: Shade = Shade(SHADE_WATER);
    /// A picture of the whole Earth in place of the tint.
    pub const IMAGERY: Shade = Shade(SHADE_IMAGERY);
    /// A picture of a part of it.
    pub const DRAPE: Shade = Shade(SHADE_DRAPE);
    /// Colour by the direction that ground faces in place of height.
    pub const ASPECT: Shade = Shade(SHADE_ASPECT);

    /// Depth of the triangles in place of the ground.
    pub const LOD: Shade = Shade(SHADE_LOD);
    /// Their distance.
    pub const DEPTH: Shade = Shade(SHADE_DEPTH);
    /// The tiles that they lie in.
    pub const TILE: Shade = Shade(SHADE_TILE);
    /// The layers that their heights come from.
    pub const SOURCE: Shade = Shade(SHADE_SOURCE);
    /// Roughness finer than the data, which is made up.
    pub const DETAIL: Shade = Shade(SHADE_DETAIL);
    /// What shows the mesh in place of the ground: one at a time.
    pub const VIEWS: [Shade; 4] = [Shade::LOD, Shade::TILE, Shade::DEPTH, Shade::SOURCE];

    /// Each drawing that has to be asked for, with its name.
    pub const NAMED: [(&str, Shade); 10] = [
        ("slope", Shade::SLOPE),
        ("aspect", Shade::ASPECT),
        ("contours", Shade::CONTOURS),
        ("graticule", Shade::GRATICULE),
        ("wireframe", Shade::WIREFRAME),
        ("imagery", Shade::IMAGERY),
        ("lod", Shade::LOD),
        ("tile", Shade::TILE),
        ("depth", Shade::DEPTH),
        ("source", Shade::SOURCE),
    ];

    /// Reads names separated by commas.
    ///
    /// # Errors
    /// The word that is no name, and the names there are; two views of the mesh.
    pub fn parse(text: &str) -> Result<Shade, String> {
        let all = text.split(',').try_fold(Shade::default(), |shade, word| {
            foreign::values::named(word.trim(), &Shade::NAMED).map(|one| Shade(shade.0 | one.0))
        })?;
        if Shade::VIEWS.into_iter().filter(|view| all.has(*view)).count() > 1 {
            return Err(String::from("lod, tile, depth and source show the mesh: choose one of them"));
        }
        Ok(all)
    }

    /// What shows the mesh in place of the ground.
    pub fn view(self) -> Option<Shade> {
        Shade::VIEWS.into_iter().find(|view| self.has(*view))
    }

    /// With another view of the mesh, or with none.
    pub fn viewing(self, view: Option<Shade>) -> Shade {
        let none = Shade::VIEWS.into_iter().fold(self, |shade, one| shade.with(one, false));
        view.map_or(none, |view| none.with(view, true))
    }

    /// With the next view of the mesh; after the last one with none.
    pub fn next_view(self) -> Shade {
        let at = Shade::VIEWS.into_iter().position(|view| Some(view) == self.view());
        self.viewing(Shade::VIEWS.get(at.map_or(0, |at| at + 1)).copied())
    }

    /// The name of one drawing; empty for one that has none.
    pub fn name(self) -> &'static str {
        Shade::NAMED.iter().find(|(_, one)| *one == self).map_or("", |(name, _)| name)
    }

    /// Whether it has all of `other`.
    pub fn has(self, other: Shade) -> bool {
        self.0 & other.0 == other.0
    }

    /// With all of `other`, or none of it.
    pub fn with(self, other: Shade, on: bool) -> Shade {
        Shade(if on { self.0 | other.0 } else { self.0 & !other.0 })
    }

    /// With `other` taken out where it is in, put in where it is not. There is one view of the mesh at a time.
    pub fn toggled(self, other: Shade) -> Shade {
        match other.view() {
            Some(view) => self.viewing(Some(view).filter(|_| !self.has(view))),
            None => Shade(self.0 ^ other.0),
        }
    }

    /// Its bits, as the shaders of ground and sky are made for; the wireframe is a pass of its own.
    pub(super) fn bits(self) -> u32 {
        self.0 & !Shade::WIREFRAME.0
    }

    /// With lines as far apart as fits ground of which a point of text shows `point_m` metres, drawn `exaggeration` times as high.
    pub(crate) fn markings(self, point_m: f64, exaggeration: f64) -> OverlayParams {
        // Ground that rises one in three has a contour line every 15 points.
        let contour_m = first_at_least(&CONTOURS_M, 5.0 * point_m / exaggeration);
        let point_deg = (point_m / terrain::geodesy::SEMI_MAJOR_M).to_degrees();
        // Views of the mesh show no lines.
        let lines = self.view().is_none();
        let shade = self.with(Shade::CONTOURS, lines && self.has(Shade::CONTOURS));
        OverlayParams {
            shade: shade.with(Shade::GRATICULE, lines && self.has(Shade::GRATICULE)),
            contour_m,
            graticule_deg: first_at_least(&GRATICULES_DEG, 140.0 * point_deg),
            exaggeration,
            postings_m: [1.0; 2],
            time_s: 0.0,
        }
    }
}

/// What a frame draws on the ground.
#[derive(Resource, Debug, Clone, Copy, PartialEq)]
pub struct OverlayParams {
    /// The drawings.
    pub shade: Shade,
    /// Metres between contour lines.
    pub contour_m: f64,
    /// Degrees between lines of the graticule.
    pub graticule_deg: f64,
    /// Metres of the mesh a metre of height.
    pub exaggeration: f64,
    /// Between the samples of the data of the whole Earth, and of the finest that lie on them, metres.
    pub postings_m: [f64; 2],
    /// Of the waves, seconds.
    pub time_s: f64,
}

impl Default for OverlayParams {
    fn default() -> Self {
        Shade::default().markings(0.0, 1.0)
    }
}

impl OverlayParams {
    /// What the lines mean, for people; empty where there are none.
    pub fn legend(&self) -> String {
        let contours = format!("contours {} m", self.contour_m);
        let graticule = format!("graticule {}°", self.graticule_deg);
        let parts = [(Shade::CONTOURS, contours), (Shade::GRATICULE, graticule)];
        let mut shown: Vec<String> =
            parts.into_iter().filter(|(one, _)| self.shade.has(*one)).map(|(_, text)| text).collect();
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
        (self.shade.has(Shade::DETAIL) && self.shade.view().is_none())
            .then(|| format!("SYNTHETIC DETAIL: roughness finer than the data ({finer}) is made up"))
    }
}

const CONTOURS_M: [f64; 10] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0];
const GRATICULES_DEG: [f64; 12] = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0];

/// The first of the rising steps that is not below `least`, or the last.
fn first_at_least(steps: &[f64], least: f64) -> f64 {
    steps.iter().copied().find(|&step| step >= least).unwrap_or(steps[steps.len() - 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shader_is_what_this_file_generates() {
        const BITS: &str = device::module!(
            SHADE_SLOPE,
            SHADE_CONTOURS,
            SHADE_GRATICULE,
            SHADE_WATER,
            SHADE_IMAGERY,
            SHADE_DRAPE,
            SHADE_ASPECT,
            SHADE_LOD,
            SHADE_DEPTH,
            SHADE_TILE,
            SHADE_SOURCE,
            SHADE_DETAIL
        );
        let header = "// What may be drawn on the ground? The bits of SHADE.\n\
                      // Generated from viewer/src/render/shade.rs: ./x generate";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shaders/viewer/shade.wgsl");
        device::check_generated(path, header, BITS).unwrap();
    }

    #[test]
    fn names_are_read_and_wrong_ones_named() {
        assert_eq!(Shade::parse("contours, graticule"), Ok(Shade(6)));
        assert_eq!(Shade::parse("slope,slope"), Ok(Shade::SLOPE));
        for bad in ["", "hillshade", "slope,,contours"] {
            assert!(
                Shade::parse(bad)
                    .is_err_and(|e| e
                        .contains("slope, aspect, contours, graticule, wireframe, imagery, lod, tile, depth, source")),
                "{bad}"
            );
        }
        assert!(Shade(6).has(Shade::CONTOURS) && !Shade(6).has(Shade::SLOPE));
        assert_eq!(Shade(6).toggled(Shade::CONTOURS).toggled(Shade::SLOPE), Shade(5));
    }

    #[test]
    fn lines_are_round_and_further_apart_from_further_away() {
        let all = Shade(15);
        assert_eq!(all.markings(4.0, 1.0).legend(), "contours 20 m  graticule 0.01°");
        assert_eq!(all.markings(20_000.0, 1.0).legend(), "contours 1000 m  graticule 15°");
        assert_eq!(all.markings(0.0, 1.0).legend(), "contours 1 m  graticule 0.005°");
        assert_eq!(Shade::SLOPE.markings(4.0, 1.0).legend(), "");
        // Ground that is drawn higher shows the same rise in fewer metres.
        assert_eq!(Shade::CONTOURS.markings(4.0, 5.0).legend(), "contours 5 m  heights drawn x5");
    }

    /// Law: there is one view of the mesh at a time, by name, key and box; it has no lines.
    #[test]
    fn one_view_at_a_time() {
        assert!(Shade::parse("lod,depth").is_err_and(|e| e.contains("choose one")));
        let mut shade = Shade::parse("contours,graticule").expect("names");
        let mut seen = Vec::new();
        for _ in 0..=Shade::VIEWS.len() {
            shade = shade.next_view();
            seen.push(shade.view());
            assert!(shade.has(Shade::CONTOURS), "the lines come back");
            assert_eq!(shade.markings(4.0, 1.0).legend().is_empty(), shade.view().is_some());
        }
        assert_eq!(seen, [Some(Shade::LOD), Some(Shade::TILE), Some(Shade::DEPTH), Some(Shade::SOURCE), None]);
        let depth = Shade::LOD.toggled(Shade::DEPTH);
        assert_eq!((depth, depth.toggled(Shade::DEPTH)), (Shade::DEPTH, Shade::default()));
        assert!(Shade::VIEWS.iter().all(|view| Shade::parse(view.name()) == Ok(*view)));
    }

    /// Law: what is made up is told, with what it is finer than, and only where it is drawn.
    #[test]
    fn synthetic_detail_is_marked() {
        let postings_m = [9_260.0, 92.4];
        let told = |shade: Shade| OverlayParams { postings_m, ..shade.markings(4.0, 1.0) }.synthetic();
        let said = told(Shade::DETAIL).expect("a mark");
        assert!(said.contains("SYNTHETIC") && said.contains("92 to 9260 m"), "{said}");
        assert_eq!((told(Shade::CONTOURS), told(Shade::DETAIL.with(Shade::LOD, true))), (None, None));
        assert!(OverlayParams { postings_m, ..Shade::DETAIL.markings(4.0, 1.0) }.legend().contains("SYNTHETIC"));
    }
}
