//! Which views has the user jumped from? As the pages of a browser: back, and forward again.

use bevy_ecs::resource::Resource;

use crate::camera::Pose;

/// Most views that are remembered.
const MOST: usize = 100;

/// Views that were left by a jump: the history behind back and forward.
#[derive(Resource, Debug, Clone, Default, PartialEq)]
pub struct ViewHistory {
    back: Vec<Pose>,
    forward: Vec<Pose>,
}

impl ViewHistory {
    /// A jump leaves a view. What was forward of it is forgotten.
    pub fn leave(&mut self, here: Pose) {
        self.forward.clear();
        if self.back.last() != Some(&here) {
            self.back.push(here);
        }
        if self.back.len() > MOST {
            self.back.remove(0);
        }
    }

    /// Whether there is a view to go back to.
    pub fn has_back(&self) -> bool {
        !self.back.is_empty()
    }

    /// Whether there is one to go forward to again.
    pub fn has_forward(&self) -> bool {
        !self.forward.is_empty()
    }

    /// The view before the last jump, which then is one step forward of it.
    pub fn back_from(&mut self, here: Pose) -> Option<Pose> {
        let to = self.back.pop()?;
        self.forward.push(here);
        Some(to)
    }

    /// The view that the last step back has left.
    pub fn forward_from(&mut self, here: Pose) -> Option<Pose> {
        let to = self.forward.pop()?;
        self.back.push(here);
        Some(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(lon_deg: f64) -> Pose {
        Pose { lon_deg, ..Pose::HOME }
    }

    /// Law: steps back visit the views in reverse order, steps forward undo them, and a new jump forgets what was forward.
    #[test]
    fn back_and_forward_are_those_of_a_browser() {
        let mut view_history = ViewHistory::default();
        assert_eq!((view_history.back_from(at(0.0)), view_history.forward_from(at(0.0))), (None, None));
        for lon_deg in [1.0, 2.0, 3.0] {
            view_history.leave(at(lon_deg));
        }
        assert_eq!(view_history.back_from(at(4.0)), Some(at(3.0)));
        assert_eq!(view_history.back_from(at(3.0)), Some(at(2.0)));
        assert_eq!(view_history.forward_from(at(2.0)), Some(at(3.0)));
        assert_eq!(view_history.forward_from(at(3.0)), Some(at(4.0)));
        assert_eq!(view_history.forward_from(at(4.0)), None);
        assert_eq!(view_history.back_from(at(4.0)), Some(at(3.0)));
        view_history.leave(at(9.0));
        assert_eq!(view_history.forward_from(at(9.0)), None);
    }

    #[test]
    fn a_view_left_twice_is_one_and_the_oldest_are_forgotten() {
        let mut view_history = ViewHistory::default();
        (0..3).for_each(|_| view_history.leave(at(1.0)));
        assert_eq!((view_history.back_from(at(2.0)), view_history.back_from(at(1.0))), (Some(at(1.0)), None));
        (0..1_000).for_each(|i| view_history.leave(at(f64::from(i))));
        assert_eq!(view_history.back.len(), MOST);
    }
}
