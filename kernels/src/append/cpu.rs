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
///
/// ```
/// use kernels::{AppendCounter, Predicate, append, device};
///
/// struct Odd;
/// #[device]
/// impl Predicate for Odd {
///     type Item = u32;
///     const NAME: &'static str = "odd";
///     fn keep(stored: u32, _item: u32) -> bool { stored % 2 == 1 }
/// }
///
/// let (mut output, mut counter) = ([0; 3], AppendCounter::default());
/// append::<Odd>(&[5, 2, 7], &mut output, &mut counter);
/// append::<Odd>(&[8, 1, 3], &mut output, &mut counter);
/// assert_eq!((output, counter), ([5, 7, 1], AppendCounter { count: 4, overflow: 1 }));
/// ```
pub fn append<P: Predicate>(input: &[P::Item], output: &mut [P::Item], counter: &mut AppendCounter) {
    let used = output.len().min(counter.count as usize);
    let kept = compact::<P>(input, &mut output[used..]);
    counter.count = counter.count.saturating_add(kept);
    if counter.count as usize > output.len() && kept > 0 {
        counter.overflow = 1;
    }
}
