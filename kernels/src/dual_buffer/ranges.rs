//! Which elements? A set of ranges that neither overlap nor touch, in order.

/// A set of elements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ranges(Vec<(usize, usize)>);

impl Ranges {
    /// Adds the elements from `first` up to `end`.
    pub fn add(&mut self, first: usize, end: usize) {
        if first >= end {
            return;
        }
        // Those that overlap or touch become one with it.
        let begin = self.0.partition_point(|(_, other_end)| *other_end < first);
        let after = self.0.partition_point(|(other_first, _)| *other_first <= end);
        let joined =
            self.0[begin..after].iter().fold((first, end), |all, range| (all.0.min(range.0), all.1.max(range.1)));
        self.0.splice(begin..after, [joined]);
    }

    /// The first part of a range that is in the set.
    pub fn overlap(&self, first: usize, end: usize) -> Option<(usize, usize)> {
        let found = self.0.get(self.0.partition_point(|(_, other_end)| *other_end <= first))?;
        let part = (found.0.max(first), found.1.min(end));
        (part.0 < part.1).then_some(part)
    }

    /// The ranges.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.0.iter().copied()
    }

    /// The ranges, after which there are none.
    pub fn take(&mut self) -> Vec<(usize, usize)> {
        std::mem::take(&mut self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Ranges;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_set_of_ranges_is_a_set_of_elements(added in prop::collection::vec((0usize..40, 0usize..9), 0..12), at in 0usize..40, n in 0usize..9) {
            let (mut ranges, mut elements) = (Ranges::default(), [false; 50]);
            for (first, len) in added {
                ranges.add(first, first + len);
                elements[first..first + len].fill(true);
                let all: Vec<_> = ranges.iter().collect();
                prop_assert!(all.iter().all(|(first, end)| first < end) && all.windows(2).all(|two| two[0].1 < two[1].0));
                for (index, element) in elements.iter().enumerate() {
                    prop_assert_eq!(all.iter().any(|(first, end)| (*first..*end).contains(&index)), *element);
                }
            }
            let first = (at..at + n).find(|index| elements[*index]);
            prop_assert_eq!(ranges.overlap(at, at + n).map(|part| part.0), first);
        }
    }
}
