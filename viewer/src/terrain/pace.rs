//! How far does the mesh go in a frame?

use bevy_ecs::resource::Resource;

/// How far the mesh goes in a frame.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pace {
    /// One update: pictures come fast and sharpen.
    #[default]
    Frame,
    /// As many updates as it takes: every picture is final, another update would not change it.
    Settled,
}
