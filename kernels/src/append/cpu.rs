//! The same on the CPU. The order is that of the items, which the GPU does not promise.

use crate::{Predicate, compact};

/// The two words beside an appended array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AppendCounter {
    /// Items appended so far; beyond the capacity when some found no room.
    pub count: u32,
    /// 1 once an item found no room.
    pub overflow: u32,
}

/// Adds the items that `P` keeps to `output` behind the first `counter.count`.
pub fn append<P: Predicate>(input: &[P::Item], output: &mut [P::Item], counter: &mut AppendCounter) {
    let used = output.len().min(counter.count as usize);
    let kept = compact::<P>(input, &mut output[used..]);
    counter.count = counter.count.saturating_add(kept);
    if counter.count as usize > output.len() && kept > 0 {
        counter.overflow = 1;
    }
}
