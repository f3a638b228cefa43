//! The world, its schedules, the order of a frame, and what each step of it takes.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;

/// A part of the program: a folder that owns its components, resources and systems.
pub trait Plugin {
    /// Adds resources and systems.
    fn build(&self, app: &mut App);
}

/// The steps of a frame, in order; every system belongs to one.
#[derive(ScheduleLabel, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FrameStep {
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

impl FrameStep {
    /// All of them, in the order of their declaration, with their names.
    const NAMED: [(FrameStep, &'static str); 9] = [
        (FrameStep::Input, "input"),
        (FrameStep::Camera, "camera"),
        (FrameStep::Terrain, "terrain"),
        (FrameStep::Draw, "draw"),
        (FrameStep::Labels, "labels"),
        (FrameStep::Hud, "display"),
        (FrameStep::Copy, "copy"),
        (FrameStep::Submit, "submit"),
        (FrameStep::Capture, "capture"),
    ];
}

/// What each step of the last frame took on the CPU, milliseconds.
#[derive(Resource, Debug, Clone, Copy, Default, PartialEq)]
pub struct StepTimes([f64; FrameStep::NAMED.len()]);

impl StepTimes {
    /// Names and milliseconds, in the order of the steps.
    pub fn parts_ms(&self) -> [(&'static str, f64); FrameStep::NAMED.len()] {
        std::array::from_fn(|i| (FrameStep::NAMED[i].1, self.0[i]))
    }

    /// Milliseconds of a step.
    pub fn ms(&self, step: FrameStep) -> f64 {
        self.0[step as usize]
    }
}

/// The ECS world and the systems of a frame.
pub struct App {
    /// All state of the program.
    pub world: World,
    /// One for each step, in their order.
    steps: [Schedule; FrameStep::NAMED.len()],
}

impl Default for App {
    fn default() -> Self {
        let steps = FrameStep::NAMED.map(|(step, _)| {
            let mut schedule = Schedule::new(step);
            // The systems of a step depend on each other, so worker threads would only add hand-overs.
            schedule.set_executor(bevy_ecs::schedule::SingleThreadedExecutor::new());
            schedule
        });
        let mut world = World::new();
        world.init_resource::<Clock>();
        world.init_resource::<StepTimes>();
        world.init_resource::<FirstError>();
        world.init_resource::<Interrupted>();
        Self { world, steps }
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
pub struct FirstError(pub Option<anyhow::Error>);

/// Once it is set, from any thread, a picture that is being settled is given up, with an error.
#[derive(Resource, Debug, Clone, Default)]
pub struct Interrupted(pub Arc<AtomicBool>);

impl App {
    /// Adds a plugin.
    pub fn add(&mut self, plugin: impl Plugin) -> &mut Self {
        plugin.build(self);
        self
    }

    /// Adds systems to a step.
    pub fn systems<M>(
        &mut self,
        step: FrameStep,
        systems: impl IntoScheduleConfigs<bevy_ecs::system::ScheduleSystem, M>,
    ) -> &mut Self {
        self.steps[step as usize].add_systems(systems);
        self
    }

    /// Runs one frame, `dt_s` seconds after the one before.
    ///
    /// # Errors
    /// The first error that a system left in [`FirstError`].
    pub fn frame(&mut self, dt_s: f64) -> anyhow::Result<()> {
        {
            let mut clock = self.world.resource_mut::<Clock>();
            clock.dt_s = dt_s;
            clock.t_s += dt_s;
            clock.frame += 1;
        }
        let mut since = Instant::now();
        let mut took_ms = [0.0; FrameStep::NAMED.len()];
        for (schedule, took_ms) in self.steps.iter_mut().zip(&mut took_ms) {
            schedule.run(&mut self.world);
            let now = Instant::now();
            *took_ms = (now - since).as_secs_f64() * 1e3;
            since = now;
        }
        self.world.insert_resource(StepTimes(took_ms));
        self.world.clear_trackers();
        match self.world.resource_mut::<FirstError>().0.take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Resource, Default)]
    struct StepLog(Vec<FrameStep>);

    /// Law: steps run in their order, whatever the order in which systems were added, and each is timed by itself; what a
    /// step asked of the world is there in the next one.
    #[test]
    fn steps_follow_each_other_and_are_timed() {
        let mut app = App::default();
        app.world.init_resource::<StepLog>();
        for (step, _) in FrameStep::NAMED.into_iter().rev() {
            app.systems(step, move |mut ran: ResMut<StepLog>| {
                ran.0.push(step);
                if step == FrameStep::Labels {
                    std::thread::sleep(std::time::Duration::from_millis(3));
                }
            });
        }
        app.systems(FrameStep::Draw, |mut commands: Commands| {
            commands.spawn(Name("new"));
        });
        app.systems(FrameStep::Hud, |all: Query<&Name>| assert_eq!(all.single().expect("one").0, "new"));
        let begun = Instant::now();
        app.frame(0.5).expect("no step fails");
        let whole_ms = begun.elapsed().as_secs_f64() * 1e3;
        assert_eq!(app.world.resource::<StepLog>().0, FrameStep::NAMED.map(|(step, _)| step));
        let times = *app.world.resource::<StepTimes>();
        // The sleep is in its own step and in no other, however long the machine keeps the others waiting.
        let all_ms: f64 = times.parts_ms().iter().map(|(_, ms)| ms).sum();
        assert!(times.ms(FrameStep::Labels) >= 3.0 && all_ms <= whole_ms + 1e-6, "{times:?} of {whole_ms} ms");
        assert_eq!(times.parts_ms()[4], ("labels", times.ms(FrameStep::Labels)));
    }

    #[derive(Component)]
    struct Name(&'static str);
}
