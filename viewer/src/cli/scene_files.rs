//! Which scene files does a command line name? Each gives way to what it says, where the command line says nothing else.

use terrain::height::{LayerOptions, Network};

use super::CliError;
use super::args::{Cli, PoseArgs, SceneArgs, Verb};
use super::elevation::RasterArgs;
use super::query::QueryVerb;
use super::source::Source;
use super::values::{Detail, GeoPosition, Switch, ViewDirection, Viewpoint, WaterChoice};
use crate::scene_file::{self, OpenedScene};

/// What of a verb a scene may say.
enum VerbArgs<'a> {
    /// What is drawn, and from where unless a path says that.
    Picture(&'a mut SceneArgs, Option<&'a mut PoseArgs>),
    /// How elevation is opened, and which water is asked.
    Elevation(&'a mut RasterArgs, Option<&'a mut Option<WaterChoice>>),
}

impl VerbArgs<'_> {
    /// What may be reached over the network.
    fn network(&self) -> Network {
        match self {
            VerbArgs::Picture(scene, _) => scene.data.rasters.network(),
            VerbArgs::Elevation(rasters, _) => rasters.network(),
        }
    }
}

/// Which options, by their identifiers, scene files on a command line say.
///
/// # Errors
/// A scene that is wrong.
pub fn options_of_scenes(cli: &mut Cli) -> Result<Vec<&'static str>, CliError> {
    let Some((files, _)) = target(cli) else { return Ok(Vec::new()) };
    let mut said = Vec::new();
    for source in files {
        // Whether the network is refused is known when defaults are.
        let Some(scene) = scene_file::open(&source.path, Network::Always)? else { continue };
        // How layers are opened is said of each.
        said.extend(["band", "nodata", "crs", "unit", "feather", "valid_range"]);
        for (is_said, options) in [
            (scene.said.vdatum.is_some(), &["vdatum"][..]),
            (scene.body.is_some(), &["body"]),
            (!scene.pictures.is_empty(), &["imagery"]),
            (!scene.vectors.is_empty(), &["vector"]),
            (scene.ramp.is_some(), &["ramp"]),
            (scene.said.exaggeration.is_some(), &["exaggerate"]),
            (scene.overlays.is_some(), &["overlays"]),
            (scene.said.fov_deg.is_some(), &["fov"]),
            (scene.said.sun.is_some(), &["sun", "time"]),
            (scene.said.shadows.is_some(), &["shadows"]),
            (scene.said.detail.is_some(), &["detail"]),
            (scene.water.is_some() || scene.has_water().is_some(), &["water"]),
            (scene.said.view.is_some(), &["at", "fit", "look"]),
        ] {
            said.extend(options.iter().filter(|_| is_said));
        }
    }
    Ok(said)
}

/// Puts what scene files say in their place.
///
/// # Errors
/// A scene that is wrong, or of which options are said behind its name.
pub fn replace(cli: &mut Cli) -> Result<(), CliError> {
    let Some((files, mut target)) = target(cli) else { return Ok(()) };
    let network = target.network();
    for source in std::mem::take(files) {
        let Some(scene) = scene_file::open(&source.path, network)? else {
            files.push(source);
            continue;
        };
        if source.own != LayerOptions::default() {
            let line = format!("{}: it is a scene, which says itself how its files are opened", source.path.display());
            return Err(CliError::Usage(line));
        }
        let rasters = match &mut target {
            VerbArgs::Picture(args, view) => {
                draw(args, view.as_deref_mut(), &scene)?;
                &mut args.data.rasters
            }
            VerbArgs::Elevation(rasters, water) => {
                if let Some(water) = water.as_deref_mut() {
                    *water = water.take().or(water_of(&scene));
                }
                &mut **rasters
            }
        };
        rasters.vdatum = rasters.vdatum.or(scene.said.vdatum);
        rasters.body = rasters.body.or(scene.body);
        let own = |own: LayerOptions| without_overridden(own, rasters);
        files.extend(scene.elevation.into_iter().map(|(path, of)| Source { path, own: own(of) }));
    }
    Ok(())
}

/// The files of a verb, and what else of it a scene may say.
fn target(cli: &mut Cli) -> Option<(&mut Vec<Source>, VerbArgs<'_>)> {
    Some(match cli.verb.as_mut()? {
        Verb::View(args) => {
            let view = if args.fly.path.is_none() { Some(&mut args.fly.view) } else { None };
            (&mut args.files, VerbArgs::Picture(&mut args.fly.scene, view))
        }
        Verb::Render(args) => {
            let view = if args.path.is_none() { Some(&mut args.view) } else { None };
            (&mut args.files, VerbArgs::Picture(&mut args.scene, view))
        }
        Verb::Bench(args) => (&mut args.files, VerbArgs::Picture(&mut args.scene, None)),
        Verb::Info(args) => (&mut args.files, VerbArgs::Elevation(&mut args.rasters, None)),
        Verb::Bake(args) => (&mut args.files, VerbArgs::Elevation(&mut args.rasters, None)),
        Verb::Query(query) => {
            let (data, water) = match query {
                QueryVerb::Height(args) => (&mut args.data, Some(&mut args.water.water)),
                QueryVerb::Profile(args) => (&mut args.data, None),
                QueryVerb::Sight(args) => (&mut args.data, Some(&mut args.water.water)),
                QueryVerb::Ray(args) => (&mut args.data, Some(&mut args.water.water)),
                QueryVerb::Viewshed(args) => (&mut args.data, Some(&mut args.water.water)),
                QueryVerb::Horizon(args) => (&mut args.eye.data, Some(&mut args.eye.water.water)),
                QueryVerb::Horizons(args) => (&mut args.cells.data, Some(&mut args.cells.water.water)),
                QueryVerb::Skyview(args) => (&mut args.cells.data, Some(&mut args.cells.water.water)),
                QueryVerb::Insolation(args) => (&mut args.cells.data, Some(&mut args.cells.water.water)),
                QueryVerb::Sightlines(args) => (&mut args.data, Some(&mut args.water.water)),
                QueryVerb::Sunlight(args) => (&mut args.eye.data, Some(&mut args.eye.water.water)),
            };
            (&mut data.files, VerbArgs::Elevation(&mut data.rasters, water))
        }
        _ => return None,
    })
}

/// What is drawn, where the command line does not say it. Its pictures and vector data lie on those of the scene.
fn draw(args: &mut SceneArgs, view: Option<&mut PoseArgs>, scene: &OpenedScene) -> Result<(), CliError> {
    let said = &scene.said;
    args.imagery = scene.pictures.iter().cloned().chain(args.imagery.drain(..)).collect();
    args.vector = scene.vectors.iter().cloned().chain(args.vector.drain(..)).collect();
    args.ramp = args.ramp.or(scene.ramp);
    args.exaggerate = args.exaggerate.or(said.exaggeration);
    args.overlays = args.overlays.or(scene.overlays);
    args.fov = args.fov.or(said.fov_deg);
    if args.sun.is_none() && args.time.is_none() {
        args.time = said.sun.map(Into::into);
    }
    let switch = |on| if on { Switch::On } else { Switch::Off };
    args.shadows = args.shadows.or(said.shadows.map(switch));
    args.detail = args.detail.or(said.detail.as_deref().and_then(Detail::named));
    args.water = args.water.take().or(water_of(scene));
    if let (Some(asked), Some(view)) = (view, said.view)
        && asked.at.is_none()
        && asked.fit.is_none()
    {
        let (lat_deg, lon_deg, height_m) = (view.lat_deg, view.lon_deg, view.height_m);
        asked.at = Some(Viewpoint::Eye(GeoPosition { lat_deg, lon_deg, height_m }));
        asked.look = asked.look.or(Some(ViewDirection { heading_deg: view.heading_deg, pitch_deg: view.pitch_deg }));
    }
    Ok(())
}

/// What a scene says of water.
fn water_of(scene: &OpenedScene) -> Option<WaterChoice> {
    match (&scene.water, scene.has_water()) {
        (Some(file), _) => Some(WaterChoice::File(file.clone())),
        (None, Some(true)) => Some(WaterChoice::On),
        (None, Some(false)) => Some(WaterChoice::Off),
        (None, None) => None,
    }
}

/// What a scene says of a layer, but for what the command line says of all of them.
fn without_overridden(own: LayerOptions, all: &RasterArgs) -> LayerOptions {
    let LayerOptions { band, nodata, src_crs, unit_m, feather_texels, valid_range_m, .. } = own.clone();
    own.with_band(band.filter(|_| all.band.is_none()))
        .with_nodata(nodata.filter(|_| all.nodata.is_none()))
        .with_src_crs(src_crs.filter(|_| all.crs.is_none()))
        .with_unit_m(unit_m.filter(|_| all.unit.is_none()))
        .with_feather_texels(feather_texels.filter(|_| all.feather.is_none()))
        .with_valid_range_m(valid_range_m.filter(|_| all.valid_range.is_none()))
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::overlays::Overlays;
    use crate::render::{Ramp, SunMode};

    const SCENE: &str = r#"{"orogen": "scene", "version": 1,
        "elevation": [{"file": "a.tif", "band": 2, "nodata": -1}, "b.tif"], "vdatum": "egm2008",
        "imagery": ["p.tif,opacity=0.5"], "vectors": [{"file": "t.gpx", "width": 3}], "water": "lakes.gpkg",
        "ramp": "viridis", "exaggeration": 2, "overlays": ["contours"], "shadows": false, "detail": "relief",
        "time": "2026-06-21T12:00:00Z", "fov_deg": 60, "view": {"lat_deg": 45, "lon_deg": 7, "height_m": 9000, "heading_deg": 60}}"#;

    /// The scene in a folder, and a command line with its name in the place of `SCENE` after it has been replaced.
    fn parse(folder: &tempfile::TempDir, words: &[&str]) -> Cli {
        let file = folder.path().join("scene.json");
        std::fs::write(&file, SCENE).expect("written");
        let file = file.to_str().expect("a text");
        let words = std::iter::once("orogen").chain(words.iter().copied()).map(|word| word.replace("SCENE", file));
        Cli::try_parse_from(words).expect("a command line")
    }

    fn read(folder: &tempfile::TempDir, words: &[&str]) -> Result<Cli, CliError> {
        let mut cli = parse(folder, words);
        replace(&mut cli)?;
        Ok(cli)
    }

    fn names(files: &[Source]) -> Vec<String> {
        files.iter().map(|file| file.path.file_name().expect("a name").to_string_lossy().into_owned()).collect()
    }

    /// Law: every verb that takes rasters takes a scene, in the place where it stands among them.
    #[test]
    fn every_verb_takes_scenes() {
        let folder = tempfile::tempdir().expect("a folder");
        let at: [&str; 2] = ["--at", "1,2"];
        let mut verbs: Vec<Vec<&str>> = vec![
            vec!["view"],
            vec!["render", "-o", "x.png"],
            vec!["bench"],
            vec!["info"],
            vec!["bake", "-o", "x.pack"],
            vec!["query", "profile", "1,2", "3,4"],
            vec!["query", "sight", "1,2", "3,4"],
            vec!["query", "ray", "--at", "1,2,3", "--look", "0,0"],
        ];
        for query in ["height", "horizon"] {
            verbs.push([&["query", query], &at[..]].concat());
        }
        for mut words in verbs {
            words.extend(["first.tif", "SCENE", "last.tif"]);
            let mut cli = read(&folder, &words).expect("a scene");
            let (files, _) = target(&mut cli).expect("files");
            assert_eq!(names(files), ["first.tif", "a.tif", "b.tif", "last.tif"], "{words:?}");
            assert_eq!((files[1].own.band, files[1].own.nodata), (Some(2), Some(-1.0)));
        }
    }

    fn drawn(cli: &Cli) -> (&SceneArgs, &PoseArgs) {
        match &cli.verb {
            Some(Verb::Render(args)) => (&args.scene, &args.view),
            other => panic!("{other:?}"),
        }
    }

    /// Law: what a scene says is drawn, and what the command line says as well wins; its pictures lie on top.
    #[test]
    fn the_command_line_wins() {
        let folder = tempfile::tempdir().expect("a folder");
        let cli = read(&folder, &["render", "-o", "x.png", "SCENE"]).expect("a scene");
        let (scene, view) = drawn(&cli);
        let contours = Overlays::CONTOURS;
        assert_eq!((scene.ramp, scene.exaggerate, scene.overlays), (Some(Ramp::Viridis), Some(2.0), Some(contours)));
        assert_eq!((scene.fov, scene.time), (Some(60.0), Some(SunMode::At { unix_s: 1_782_043_200.0 })));
        assert_eq!((scene.shadows, scene.detail), (Some(Switch::Off), Some(Detail::Relief)));
        let lakes = folder.path().join("lakes.gpkg");
        assert_eq!(scene.water, Some(WaterChoice::File(lakes)));
        assert_eq!((scene.imagery.len(), scene.vector.len()), (1, 1));
        assert!(scene.data.rasters.vdatum.is_some_and(|datum| datum.to_string() == "EPSG:3855"));
        let eye = Viewpoint::Eye(GeoPosition { lat_deg: 45.0, lon_deg: 7.0, height_m: 9_000.0 });
        assert_eq!((&view.at, view.look), (&Some(eye), Some(ViewDirection { heading_deg: 60.0, pitch_deg: 0.0 })));

        let words = "render -o x.png SCENE --ramp grey --exaggerate 1 --overlays none --fov 45 --sun 0,90 --shadows on --detail=off \
            --water off --imagery q.tif --vector u.gpx --vdatum ellipsoid --at 1,2,3 --band 3";
        let cli = read(&folder, &words.split_whitespace().collect::<Vec<_>>()).expect("a scene");
        let (scene, view) = drawn(&cli);
        assert_eq!((scene.ramp, scene.exaggerate), (Some(Ramp::Grey), Some(1.0)));
        assert_eq!((scene.overlays, scene.fov, scene.time), (Some(Overlays::default()), Some(45.0), None));
        assert_eq!((scene.shadows, scene.detail), (Some(Switch::On), Some(Detail::Off)));
        assert_eq!(scene.water, Some(WaterChoice::Off));
        let last = |path: &std::path::Path| path.file_name().expect("a name").to_owned();
        assert_eq!(scene.imagery.iter().map(|file| last(&file.path)).collect::<Vec<_>>(), ["p.tif", "q.tif"]);
        assert_eq!(scene.vector.iter().map(|file| last(&file.path)).collect::<Vec<_>>(), ["t.gpx", "u.gpx"]);
        assert!(view.look.is_none() && scene.data.rasters.vdatum.is_some_and(|datum| datum.to_string() == "ellipsoid"));
        let Some(Verb::Render(args)) = &cli.verb else { panic!("another verb") };
        assert_eq!((args.files[0].own.band, args.files[0].own.nodata), (None, Some(-1.0)));
        // Only the direction is another one.
        let cli = read(&folder, &["render", "-o", "x.png", "SCENE", "--look", "1,2"]).expect("a scene");
        assert!(drawn(&cli).1.at.is_some() && drawn(&cli).1.look.is_some_and(|look| look.heading_deg == 1.0));
        let mut cli = parse(&folder, &["render", "-o", "x.png", "SCENE"]);
        let mut said = options_of_scenes(&mut cli).expect("a scene");
        said.sort_unstable();
        let all = "at band crs detail exaggerate feather fit fov imagery look nodata overlays ramp shadows sun time unit \
            valid_range vdatum vector water";
        assert_eq!(said.join(" "), all, "what defaults are not for");
        // A path is a view.
        let cli = read(&folder, &["render", "-o", "x.gif", "SCENE", "--path", "everest"]).expect("a scene");
        assert!(drawn(&cli).1.at.is_none());
    }

    /// Law: a scene that names a pack on a server is read before it is known whether the network may be reached.
    #[test]
    fn what_a_scene_says_is_known_without_the_network() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("remote.json");
        let text = r#"{"orogen": "scene", "version": 1, "elevation": ["https://example.org/x.pack"], "fov_deg": 60}"#;
        std::fs::write(&file, text).expect("written");
        let cli = |more: &[&str]| {
            let words = ["orogen", "render", "-o", "x.png", file.to_str().expect("a text")];
            Cli::try_parse_from(words.iter().chain(more)).expect("a command line")
        };
        assert!(options_of_scenes(&mut cli(&[])).expect("a scene").contains(&"fov"));
        assert!(replace(&mut cli(&[])).is_err() && replace(&mut cli(&["--online"])).is_ok());
    }

    /// Law: water of a scene answers a query; options behind the name of a scene are refused.
    #[test]
    fn queries_take_what_they_can_answer_with() {
        let folder = tempfile::tempdir().expect("a folder");
        let cli = read(&folder, &["query", "height", "--at", "1,2", "SCENE"]).expect("a scene");
        let Some(Verb::Query(QueryVerb::Height(args))) = &cli.verb else { panic!("another verb") };
        assert_eq!(args.water.water, Some(WaterChoice::File(folder.path().join("lakes.gpkg"))));
        let refused = read(&folder, &["query", "height", "--at", "1,2", "SCENE,band=2"]);
        assert!(matches!(refused, Err(CliError::Usage(line)) if line.contains("it is a scene")));
    }
}
