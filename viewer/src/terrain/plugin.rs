//! Terrain: the mesh follows the camera, a step a frame or until it has settled.

use std::sync::atomic::Ordering;

use bevy_ecs::prelude::*;
use terrain::View;

use super::budget::FrameBudget;
use super::pace::Pace;
use super::planet::Planet;
use crate::app::{App, FirstError, FrameStep, Interrupted, Plugin};
use crate::camera::{Camera, Lens};
use crate::frame::{Context, FrameContext, Viewport};
use crate::overlays::Overlays;

/// Most triangles from the next start on; none lets the adapter choose.
#[derive(Resource, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NextPool(pub Option<u32>);

/// Updates after which a view that does not settle is an error; far above what any view takes.
const MOST_UPDATES: u32 = 2_000;

/// The mesh. Needs [`Planet`], [`Overlays`], [`Camera`], [`Lens`], [`Viewport`], [`Context`] and [`FrameContext`] in the world.
pub struct TerrainPlugin {
    /// How far the mesh goes in a frame.
    pub pace: Pace,
}

impl Plugin for TerrainPlugin {
    fn build(&self, app: &mut App) {
        app.world.insert_resource(self.pace);
        app.world.init_resource::<FrameBudget>();
        app.world.init_resource::<NextPool>();
        app.systems(FrameStep::Terrain, (apply_budget, update).chain());
    }
}

/// Gives the mesh the error of the frame.
fn apply_budget(budget: Res<FrameBudget>, mut planet: ResMut<Planet>) {
    planet.set_tolerance_factor(budget.factor());
}

fn update(
    context: Res<Context>,
    (camera, lens, viewport, pace): (Res<Camera>, Res<Lens>, Res<Viewport>, Res<Pace>),
    mut overlays: ResMut<Overlays>,
    mut planet: ResMut<Planet>,
    mut drawing: ResMut<FrameContext>,
    (mut failed, interrupted): (ResMut<FirstError>, Res<Interrupted>),
) {
    planet.water = overlays.has(Overlays::WATER);
    planet.water_tiles.draw_borders(overlays.has(Overlays::BORDERS) && overlays.view().is_none());
    if viewport.size_px.0 == 0 || viewport.size_px.1 == 0 {
        return;
    }
    let view = View::perspective(camera.eye_m, camera.forward(), camera.up(), lens.fov_y_rad, viewport.size_px);
    let gpu = &context.0;
    let drawn = planet.mesh.relief().clone();
    if let Err(error) = planet.pictures.show(&gpu.device, *overlays, &drawn) {
        // Asked for by a key.
        eprintln!("{error:#}");
        *overlays = overlays.with(Overlays::IMAGERY, false);
    }
    let mut step = || -> anyhow::Result<()> {
        planet.shade(&view, &gpu.queue, *pace)?;
        if planet.frozen && planet.view.is_some() {
            let report = planet.report;
            planet.record_report(report);
            return Ok(());
        }
        planet.update(&view, &gpu.queue, drawing.encoder(&gpu.device), *pace)?;
        if *pace == Pace::Frame {
            return Ok(());
        }
        for _ in 0..MOST_UPDATES {
            if planet.report.settled {
                return Ok(());
            }
            anyhow::ensure!(!interrupted.0.load(Ordering::Relaxed), "interrupted before the picture was done");
            // Each update may lend staging memory, or count on the device, what only a submission gives back.
            gpu.queue.submit(drawing.finish());
            gpu.wait()?;
            planet.update(&view, &gpu.queue, drawing.encoder(&gpu.device), *pace)?;
        }
        anyhow::bail!("the mesh did not settle in {MOST_UPDATES} updates: raise --pixel-error or lower --triangles")
    };
    if let Err(error) = step() {
        failed.0.get_or_insert(error);
    }
}
