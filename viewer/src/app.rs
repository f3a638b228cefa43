//! The world, its schedule, and the order of a frame.

use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;

/// A part of the program: a folder that owns its components, resources and systems.
pub trait Plugin {
    /// Adds resources and systems.
    fn build(&self, app: &mut App);
}

/// The steps of a frame, in order; every system belongs to one.
#[derive(SystemSet, Debug, Clone, PartialEq, Eq, Hash)]
pub enum Step {
    /// What the user did since the last frame becomes commands.
    Input,
    /// The camera moves.
    Camera,
    /// The mesh follows the camera.
    Terrain,
    /// The scene is drawn.
    Draw,
    /// What its lines mean is written over it.
    Labels,
    /// The head-up display is drawn over that.
    Hud,
    /// Wanted pictures are copied to where the CPU can read them.
    Copy,
    /// The recorded work goes to the GPU.
    Submit,
    /// Finished pictures are kept.
    Capture,
}

#[derive(ScheduleLabel, Debug, Clone, PartialEq, Eq, Hash)]
struct Frame;

/// The ECS world and the systems of a frame.
pub struct App {
    /// All state of the program.
    pub world: World,
    schedule: Schedule,
}

impl Default for App {
    fn default() -> Self {
        let mut schedule = Schedule::new(Frame);
        schedule.configure_sets(
            (
                Step::Input,
                Step::Camera,
                Step::Terrain,
                Step::Draw,
                Step::Labels,
                Step::Hud,
                Step::Copy,
                Step::Submit,
                Step::Capture,
            )
                .chain(),
        );
        // The steps depend on each other, so worker threads would only add hand-overs.
        schedule.set_executor(bevy_ecs::schedule::SingleThreadedExecutor::new());
        let mut world = World::new();
        world.init_resource::<Clock>();
        world.init_resource::<Failed>();
        Self { world, schedule }
    }
}

/// Time of the frame.
#[derive(Resource, Debug, Clone, Copy, Default)]
pub struct Clock {
    /// Time since the frame before, seconds; 0 where time stands still.
    pub dt_s: f64,
    /// Time of what moves by itself, seconds.
    pub t_s: f64,
    /// Frames begun.
    pub frame: u64,
}

/// The first error of a system: the frame loop stops and reports it.
#[derive(Resource, Debug, Default)]
pub struct Failed(pub Option<anyhow::Error>);

impl App {
    /// Adds a plugin.
    pub fn add(&mut self, plugin: impl Plugin) -> &mut Self {
        plugin.build(self);
        self
    }

    /// Adds systems to a step.
    pub fn systems<M>(
        &mut self,
        step: Step,
        systems: impl IntoScheduleConfigs<bevy_ecs::system::ScheduleSystem, M>,
    ) -> &mut Self {
        self.schedule.add_systems(systems.in_set(step));
        self
    }

    /// Runs one frame, `dt_s` seconds after the one before.
    ///
    /// # Errors
    /// The first error that a system left in [`Failed`].
    pub fn frame(&mut self, dt_s: f64) -> anyhow::Result<()> {
        {
            let mut clock = self.world.resource_mut::<Clock>();
            clock.dt_s = dt_s;
            clock.t_s += dt_s;
            clock.frame += 1;
        }
        self.schedule.run(&mut self.world);
        self.world.clear_trackers();
        match self.world.resource_mut::<Failed>().0.take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}
