//! HUD: keys open and close its parts; egui lays them out; the painter draws them over the scene.

use std::time::Duration;

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use terrain::geodesy::Ellipsoid;

use super::chooser::{ChooserResult, FolderReader, chooser};
use super::figures::{FrameTimes, write_figures};
use super::frame_history::FrameHistory;
use super::goto;
use super::measure::{GroundOverlay, undo_hint};
use super::memory::{self, Memory};
use super::panel::{Drawable, PanelControls, PanelReadings, boxes, missing, panel};
use super::pin_visibility::PinVisibility;
use super::place_menu;
use super::placemark_form::{FormResult, placemark_form};
use super::screen::{DisplayInputs, lay_out};
use super::state::{BookmarkField, FoundPlace, Hud, HudInput, HudOutput, HudRequests, MarkerEdit, SearchField};
use super::sun_box::TIME_OF_EARTH;
use super::times::PartTimes;
use super::visible_ground::update_visible_ground;
use crate::accessibility::Accessibility;
use crate::annotations::{self, VisibleGround};
use crate::app::{App, FrameStep, Plugin, StepTimes};
use crate::bookmark_pictures::BookmarkPictures;
use crate::bookmarks::Bookmarks;
use crate::camera::ground::clearance_m;
use crate::camera::{Camera, Extent, Flight, Pose};
use crate::capture::CaptureRequests;
use crate::controller::{CameraPilot, Paused, Recorder, ViewHistory};
use crate::frame::{Context, FrameContext, Viewport};
use crate::input::bindings::Action;
use crate::input::{Controls, Devices};
use crate::labels::Labels;
use crate::layers::Layers;
use crate::measure::{Markers, measure_feature};
use crate::overlays::Overlays;
use crate::painter::Painter;
use crate::placemarks::PlacemarkFile;
use crate::recent_places::RecentPlaces;
use crate::render::{AuxiliaryPass, FrameTimer, GpuTimes, Legend, Light, Ramp, Renderer, SunMode};
use crate::skyline::LiveSkyline;
use crate::sun_clock::{self, SunClock};
use crate::sun_hours::LiveSunHours;
use crate::terrain::Planet;
use crate::viewshed::LiveViewshed;

/// One press scales the tolerated error by this.
const ERROR_STEP: f64 = std::f64::consts::SQRT_2;

/// The display. Needs [`Painter`] in the world, and the resources of camera, input, render and terrain.
pub struct HudPlugin;

impl Plugin for HudPlugin {
    fn build(&self, app: &mut App) {
        app.world.insert_resource(Hud { hint: true, ..Hud::default() });
        app.world.init_resource::<Bookmarks>();
        app.world.init_resource::<BookmarkPictures>();
        app.world.init_resource::<RecentPlaces>();
        app.world.init_resource::<FrameTimes>();
        app.world.init_resource::<PartTimes>();
        app.world.init_resource::<FrameHistory>();
        app.world.init_resource::<Memory>();
        app.world.init_resource::<Accessibility>();
        app.world.init_resource::<VisibleGround>();
        app.world.init_resource::<FolderReader>();
        app.world.init_resource::<HudInput>();
        app.world.init_resource::<HudOutput>();
        app.systems(FrameStep::Input, (handle_keys, place_menu::open).chain().after(crate::measure::handle_clicks));
        app.systems(
            FrameStep::Hud,
            (say_pause, read_times, memory::read, update_visible_ground, write_figures, draw).chain(),
        );
    }
}

fn handle_keys(
    (controls, renderer, recorder): (Res<Controls>, Res<Renderer>, Res<Recorder>),
    (mut hud, devices): (ResMut<Hud>, Res<Devices>),
    (camera, bookmarks, recent): (Res<Camera>, Res<Bookmarks>, Res<RecentPlaces>),
    (history, mut captures, mut pictures): (Res<ViewHistory>, ResMut<CaptureRequests>, ResMut<BookmarkPictures>),
    (mut planet, mut markers, layers): (ResMut<Planet>, ResMut<Markers>, Res<Layers>),
    (mut overlays, mut ramp, light): (ResMut<Overlays>, ResMut<Ramp>, Res<Light>),
    (mut viewshed, mut skyline, mut sun_hours): (ResMut<LiveViewshed>, ResMut<LiveSkyline>, ResMut<LiveSunHours>),
) {
    let keymap = devices.keymap();
    if let Some(warning) = viewshed.bypass_change_detection().warning.take() {
        hud.show_message(warning);
    }
    for action in &controls.actions {
        match action {
            Action::ToggleHud => {
                hud.figures = hud.figures.next();
                hud.tell_if_bare(keymap);
            }
            Action::ToggleHelp => hud.help = !hud.help,
            Action::ToggleLayers => hud.layers = !hud.layers,
            Action::ToggleSkyline => skyline.shown = !skyline.shown,
            Action::ToggleSun => hud.sun = !hud.sun,
            Action::Measure => {
                hud.show_message("click two places: distance, profile, line of sight; Shift+click goes on with a path")
            }
            Action::TogglePanel => hud.panel = !hud.panel,
            Action::GoTo => hud.goto = Some(SearchField::new(&bookmarks, &recent)),
            Action::KeepView => {
                let hit = planet.pick(camera.eye_m, camera.forward());
                let (place, distance_m) = hit.map_or_else(
                    || (camera.normal(), clearance_m(&camera, planet.ground())),
                    |hit| (hit.place.normal(), hit.distance_m),
                );
                let text = bookmarks.fresh_name(place, distance_m, sun_clock::now_s());
                hud.naming = Some(BookmarkField { text, view: camera.pose(), is_shown: false });
                captures.request_small();
                pictures.begin();
            }
            Action::OpenFiles => hud.open_files(),
            Action::LayerAbove => hud.choose_layer(&layers, keymap, -1),
            Action::LayerBelow => hud.choose_layer(&layers, keymap, 1),
            Action::RaiseLayer => hud.move_layer(&layers, keymap, -1),
            Action::LowerLayer => hud.move_layer(&layers, keymap, 1),
            Action::ShowLayer => hud.show_layer(&layers, keymap),
            Action::HideLayer => hud.hide_layer(&layers, keymap),
            Action::RemoveLayer => hud.remove_layer(&layers, keymap),
            Action::Home => hud.found = None,
            Action::ViewBack if !history.has_back() => hud.show_message("no view to go back to: a jump leaves one"),
            Action::ViewForward if !history.has_forward() => hud.show_message("no view to go forward to"),
            Action::RemoveMarker if markers.markers().is_empty() => {
                hud.show_message("no marker is left: a click drops one");
            }
            Action::FreezeMesh => planet.frozen = !planet.frozen,
            Action::Replay if recorder.replay().is_none() => {
                hud.show_message(format!("no path to fly yet: {} records one", keymap.key(Action::Record)))
            }
            Action::Overlays(one) => {
                let drawable = Drawable {
                    wireframes: renderer.draws_wireframes(),
                    given: planet.imagery().given(),
                    looks: viewshed.at().or(sun_hours.at()).is_some(),
                    ellipsoid: camera.ellipsoid,
                };
                match missing(*one, &drawable) {
                    Some(why) => hud.show_message(why),
                    None => *overlays = overlays.toggled(*one),
                }
                if *one == Overlays::SHADOWS && overlays.has(*one) && !light.0.casts_shadows() {
                    let sun = keymap.key(Action::ToggleSun);
                    hud.show_message(format!("mountains cast shadows when the sun is lower: {sun} sets it"));
                }
            }
            Action::NextRamp => {
                *ramp = ramp.next();
                let name = Ramp::NAMED.iter().find(|(_, one)| *one == *ramp).map_or("", |(name, _)| *name);
                hud.show_message(format!("colours of heights: {name}"));
            }
            Action::NextView => {
                *overlays = overlays.next_view();
                hud.show_message(
                    overlays
                        .view()
                        .map_or(String::from("the ground"), |view| format!("view of the mesh: {}", view.name())),
                );
            }
            Action::Finer | Action::Coarser => {
                let factor = if *action == Action::Finer { 1.0 / ERROR_STEP } else { ERROR_STEP };
                let wished = planet.target_pixel_error() * factor;
                planet.set_pixel_error(wished);
                hud.show_message(format!("tolerated error {:.2} pixels", planet.target_pixel_error()));
            }
            // What is open closes first.
            Action::Leave => {
                let is_closed =
                    hud.close_topmost() || viewshed.end() || sun_hours.end() || std::mem::take(&mut skyline.shown);
                let is_cleared = !is_closed && markers.clear();
                if is_cleared && markers.restores_path() {
                    hud.show_message(undo_hint(keymap));
                } else if !is_closed && !is_cleared {
                    hud.request_quit(false);
                }
            }
            Action::Confirm => hud.request_quit(true),
            Action::PlayTime | Action::Earlier | Action::Later if camera.ellipsoid != Ellipsoid::WGS84 => {
                hud.show_message(TIME_OF_EARTH);
            }
            _ => {}
        }
    }
    hud.hint &= !controls.moves_camera() && controls.clicks.is_empty() && controls.actions.is_empty();
}

/// Says what a key has stopped, and to which time it has set the sun.
fn say_pause(
    (controls, paused, flight): (Res<Controls>, Res<Paused>, Option<Res<Flight>>),
    (sun_clock, light): (Res<SunClock>, Res<Light>),
    (mut hud, devices): (ResMut<Hud>, Res<Devices>),
) {
    let key = |action| devices.keymap().key(action);
    let space = key(Action::Pause);
    if controls.is_triggered(Action::Pause) {
        hud.show_message(match (paused.0, flight.is_some()) {
            (true, _) => format!("stopped: {space} goes on"),
            (false, true) => String::from("on"),
            (false, false) if sun_clock.was_stopped => format!("time stands: {} plays it", key(Action::PlayTime)),
            (false, false) => format!("nothing moves by itself: {space} stops a flight, a path or a glide"),
        });
    }
    let sets_time =
        [Action::PlayTime, Action::Earlier, Action::Later].iter().any(|action| controls.is_triggered(*action));
    if let (SunMode::At { unix_s }, true, false) = (light.0, sets_time, sun_clock.plays) {
        hud.show_message(format!("time: {}", sun_clock::written(unix_s)));
    }
}

/// The command line that opens the view.
fn command_line(pose: &Pose) -> String {
    // -0 is 0, and 360 is north.
    let round = |value: f64, to: f64| (value * to).round() / to + 0.0;
    let [lat, lon] = [pose.lat_deg, pose.lon_deg].map(|deg| round(deg, 1e6));
    let height_m = round(pose.height_m, 10.0);
    let (heading, pitch) = (round(pose.heading_deg, 100.0).rem_euclid(360.0), round(pose.pitch_deg, 100.0));
    format!("orogen --at {lat},{lon},{height_m} --look {heading},{pitch}")
}

fn read_times(
    planet: Res<Planet>,
    mut times: ResMut<PartTimes>,
    (mut frames, mut history): (ResMut<FrameTimes>, ResMut<FrameHistory>),
    (timer, steps): (Option<ResMut<FrameTimer>>, Res<StepTimes>),
) {
    times.add_steps(&steps);
    let mesh = planet.times();
    if let Some(mesh) = &mesh {
        times.add_mesh(mesh);
    }
    let drawn = timer.and_then(|mut timer| timer.newest());
    if let Some(drawn) = &drawn {
        times.add_gpu(drawn);
    }
    if let Some((frame_ms, cpu_ms)) = frames.take_newest_ms() {
        let mesh_ms = mesh.map(|mesh| mesh.parts_ms().iter().map(|(_, ms)| ms).sum());
        let part = |part: fn(&GpuTimes) -> Option<f64>| drawn.as_ref().and_then(part);
        // A device that cannot tell ground from sky tells both as ground.
        let ground_ms = part(|drawn| drawn.ground_ms.or(Some(drawn.scene_ms)));
        let after_ms = part(|drawn| drawn.sky_ms.or(drawn.shading_ms));
        history.push([Some(frame_ms), Some(cpu_ms), mesh_ms, ground_ms, after_ms, part(|d| d.hud_ms)]);
    }
}

/// Resources of other plugins that the display reads.
#[derive(SystemParam)]
struct HudResources<'w> {
    viewport: Res<'w, Viewport>,
    markers: ResMut<'w, Markers>,
    bookmarks: ResMut<'w, Bookmarks>,
    recent: ResMut<'w, RecentPlaces>,
    pictures: ResMut<'w, BookmarkPictures>,
    view: Res<'w, VisibleGround>,
    labels: ResMut<'w, Labels>,
    skyline: Res<'w, LiveSkyline>,
    folders: ResMut<'w, FolderReader>,
    placemarks: Option<Res<'w, PlacemarkFile>>,
}

fn draw(
    (context, mut commands): (Res<Context>, Commands),
    (mut shown, mut knobs, readings): (HudResources, PanelControls, PanelReadings),
    (mut painter, mut input, mut output): (ResMut<Painter>, ResMut<HudInput>, ResMut<HudOutput>),
    (mut hud, mut pilot, controls, mut devices): (ResMut<Hud>, CameraPilot, Res<Controls>, ResMut<Devices>),
    (mut drawing, mut timer, captures): (ResMut<FrameContext>, Option<ResMut<FrameTimer>>, Res<CaptureRequests>),
    mut pins: Local<PinVisibility>,
) {
    if drawing.targets.is_empty() {
        return;
    }
    let egui = painter.egui().clone();
    apply_accessibility(&egui, &readings.accessibility);
    let mut accessibility = None;
    let camera = *pilot.camera;
    let copied = controls.is_triggered(Action::CopyView).then(|| command_line(&camera.pose()));
    let mut wanted = HudRequests::default();
    let reads = hud.chooser.as_mut().is_some_and(|chooser| shown.folders.poll(chooser));
    if std::mem::take(&mut hud.closes_list) {
        egui::Popup::close_all(&egui);
    }
    if let Some(goto) = &hud.goto {
        shown.pictures.load(&egui, goto.bookmarks.iter().map(|known| known.name.as_str()));
    }
    let mut full = egui.run_ui(std::mem::take(&mut input.0), |ui| {
        let egui = ui.ctx().clone();
        let (viewport, markers) = (&*shown.viewport, &*shown.markers);
        let (bookmarks, recent, pictures) = (&*shown.bookmarks, &*shown.recent, &*shown.pictures);
        let (lens, planet, pins) = (&*knobs.lens, &*knobs.planet, &mut *pins);
        let found = hud.found.as_ref().map(|found| (found.position_m, found.title.clone()));
        let eye = knobs
            .viewshed
            .at()
            .or(knobs.sun_hours.at())
            .map(|eye| (planet.ground().position_m(eye.normal()), String::new()));
        let others: Vec<_> = found.into_iter().chain(eye).collect();
        let pins = &GroundOverlay { camera: &camera, lens, viewport, planet, pins, units: hud.units }
            .paint(&egui, markers, &others);
        let hours = knobs.sun_hours.current().filter(|_| knobs.overlays.has(Overlays::PLACE_CELLS));
        let legend_of_sun = hours.map(|hours| Legend::of_sun_hours(hours.most));
        let told = knobs.viewshed.summary().or_else(|| knobs.sun_hours.summary());
        let seen = told.filter(|_| knobs.overlays.has(Overlays::PLACE_CELLS) && knobs.overlays.view().is_none());
        let sources = if knobs.overlays.has(Overlays::SOURCE) { knobs.planet.layer_titles() } else { Vec::new() };
        let of_heights = || {
            let heights_m = planet.height_range_in_view_m(&camera, lens, viewport.aspect(), (24, 14))?;
            Legend::of_heights(*knobs.overlays, *knobs.ramp, heights_m, camera.pose().lat_deg)
        };
        let legend = legend_of_sun
            .or_else(|| Legend::of(*knobs.overlays))
            .or_else(|| (hud.panel || *knobs.ramp != Ramp::default()).then(of_heights)?);
        let fov_x_rad = 2.0 * ((0.5 * lens.fov_y_rad).tan() * viewport.aspect()).atan();
        let skyline = shown.skyline.shown.then(|| (shown.skyline.current(), fov_x_rad));
        let view = &shown.view;
        let keymap = devices.keymap();
        let scene = DisplayInputs {
            camera: &camera,
            viewport,
            markers,
            pins,
            bookmarks,
            pictures,
            recent,
            keymap,
            view,
            legend,
            seen,
            skyline,
            sources,
        };
        wanted = lay_out(&egui, &mut hud, &scene);
        boxes(&egui, &mut hud, &mut knobs, keymap);
        let chosen = hud.chooser.as_mut().and_then(|open| chooser(&egui, open));
        if let Some(chosen) = chosen {
            open_chosen_files(&mut hud, chosen);
        }
        match hud.placemark.as_mut().map(|form| placemark_form(&egui, form)) {
            Some(FormResult::Edit(edit)) => wanted.placemark = Some(edit),
            Some(FormResult::Closed) => hud.placemark = None,
            Some(FormResult::Open) | None => {}
        }
        if hud.panel {
            accessibility = panel(&egui, &mut hud, &mut knobs, &readings);
        }
        if let Some(text) = wanted.copied.take().or_else(|| copied.clone()) {
            hud.show_message(format!("copied: {text}"));
            egui.copy_text(text);
        }
    });
    if let Some(accessibility) = accessibility {
        commands.insert_resource(accessibility);
    }
    wanted.actions.drain(..).for_each(|action| devices.trigger(action));
    match wanted.mark {
        Some(MarkerEdit::First(drawn)) => {
            shown.markers.clear();
            shown.markers.drop_at(drawn, &*knobs.planet);
            hud.show_message("click the other place, or right click it");
        }
        Some(MarkerEdit::Next(drawn)) => shown.markers.extend(drawn, &*knobs.planet),
        Some(MarkerEdit::Close) => drop(shown.markers.close(&*knobs.planet)),
        None => {}
    }
    if let Some(feature) = wanted.measured.take()
        && let Some(told) = measure_feature(&feature, &knobs.planet, &mut shown.markers)
    {
        hud.show_message(told);
    }
    if let (Some(edit), Some(file)) = (&wanted.placemark, &shown.placemarks) {
        match file.change(edit) {
            Ok(path) => (hud.placemark, hud.wanted.refreshed) = (None, Some((path, edit.told()))),
            // What was typed stays.
            Err(why) => hud.show_message(why.to_string()),
        }
    }
    hud.placemark = wanted.form.take().or(hud.placemark.take());
    match hud.shown_layer.take().map(|place| knobs.planet.box_of_layer(place)) {
        Some(Ok(bbox_deg)) => {
            let extent = Extent::of_ground(bbox_deg, knobs.planet.ground());
            pilot.fly_to(&extent.view(*knobs.lens, shown.viewport.aspect(), 0.0, None));
        }
        Some(Err(why)) => hud.show_message(why),
        None => {}
    }
    if let Some(place) = wanted.sun_hours {
        knobs.sun_hours.request_around(place);
    }
    if let Some(place) = wanted.seen_from {
        knobs.viewshed.set_observer(place);
    }
    goto::apply_requests(&mut wanted, (&mut shown.bookmarks, &mut shown.pictures, &mut shown.recent), &mut hud);
    if let Some(view) = wanted.view {
        (hud.goto, hud.found) = (None, None);
        pilot.fly_to(&view);
    }
    hud.wanted.ground = wanted.ground.or(hud.wanted.ground);
    if let Some(to) = wanted.go_to {
        hud.goto = None;
        let typed = wanted.searched.take();
        typed.iter().for_each(|typed| shown.recent.add(&to, typed));
        let coordinates = typed.map(|_| annotations::place(to.place.lat_deg, to.place.lon_deg));
        pilot.fly_to(&to.view(&camera, &*knobs.planet));
        let position_m = to.position_m(&*knobs.planet);
        hud.found = to.title.or(coordinates).map(|title| FoundPlace { title, position_m });
    }
    let pinned = hud.found.as_ref().map(|found| (found.title.as_str(), camera.ellipsoid.normal_at(found.position_m)));
    shown.labels.leave_out(pinned);
    let gpu = &context.0;
    let pictures = std::mem::take(&mut drawing.targets);
    let encoder = drawing.encoder(&gpu.device);
    let timer = timer.as_deref_mut().map(|timer| (timer, AuxiliaryPass::Display));
    let over = &pictures[..captures.under_display(pictures.len())];
    painter.paint(gpu, encoder, over, shown.viewport.size_px, &mut full, timer);
    drawing.targets = pictures;
    hud.has_list = egui::Popup::is_any_open(&egui);
    output.typing = egui.egui_wants_keyboard_input();
    hud.is_typed_into().then(|| devices.release_keys());
    let delay = full.viewport_output.values().map(|viewport| viewport.repaint_delay).min();
    let moves = delay.is_some_and(|delay| delay.is_zero());
    output.repaint_after = delay.filter(|delay| *delay < Duration::MAX);
    output.repaint = moves || reads || shown.labels.are_changing();
    output.platform.append(std::mem::take(&mut full.platform_output));
}

/// Seconds in which boxes open and close.
const OPENING_S: f32 = 0.2;

/// Text as large, and boxes as still and as dark, as the user wants them.
fn apply_accessibility(egui: &egui::Context, wanted: &Accessibility) {
    egui.set_zoom_factor(wanted.text_scale as f32);
    wanted.theme.apply(egui);
    let opening_s = if wanted.reduced_motion { 0.0 } else { OPENING_S };
    if egui.global_style().animation_time != opening_s {
        egui.all_styles_mut(|style| {
            style.animation_time = opening_s;
            // One that blinks would have frames drawn for as long as a field is open.
            style.visuals.text_cursor.blink = false;
        });
    }
}

/// Closes the window of files, and asks for those that were chosen.
fn open_chosen_files(hud: &mut Hud, chosen: ChooserResult) {
    // The next one opens there, unless there is no such folder.
    if let Some(folder) = hud.chooser.take().and_then(|chooser| chooser.read_folder()) {
        hud.chosen_in = folder;
    }
    if let ChooserResult::Files(files) = chosen {
        hud.wanted.files.extend(files);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: a key whose picture or lines are not there says why nothing happens, and no other key does.
    #[test]
    fn keys_without_anything_to_show_say_why() {
        let nothing =
            Drawable { wireframes: true, given: Overlays::default(), looks: false, ellipsoid: Ellipsoid::WGS84 };
        for (_, one) in Overlays::named() {
            let drawable = |wireframes, ellipsoid| Drawable { wireframes, ellipsoid, ..nothing };
            let why = missing(one, &drawable(false, Ellipsoid::WGS84));
            assert_eq!(why.is_some(), one == Overlays::WIREFRAME, "{why:?}");
            assert_eq!(missing(one, &drawable(true, Ellipsoid::WGS84)), None);
            let why = missing(one, &drawable(true, Ellipsoid::MOON));
            assert_eq!(why.is_some(), Overlays::OF_EARTH.has(one), "{why:?}");
        }
        for (one, option) in [(Overlays::PICTURES, "--imagery FILE"), (Overlays::VECTORS, "--vector FILE")] {
            assert!(missing(one, &nothing).is_some_and(|why| why.contains(option)));
            assert_eq!(missing(one, &Drawable { given: one, ..nothing }), None);
        }
    }

    /// Law: the copied command line opens the view that was seen: its numbers are read back to it.
    #[test]
    fn a_copied_view_is_read_back() {
        let pose = Pose {
            lat_deg: -33.8612345,
            lon_deg: 151.21,
            height_m: 12_345.67,
            heading_deg: 359.999,
            pitch_deg: -0.001,
        };
        assert_eq!(command_line(&pose), "orogen --at -33.861235,151.21,12345.7 --look 0,0");
        let home = command_line(&Pose::HOME);
        assert_eq!(home, "orogen --at 27,82,13000000 --look 0,-90");
    }
}
