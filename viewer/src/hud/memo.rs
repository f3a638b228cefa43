//! What was the answer the last time? Memo while the question is the same.

/// The last question and its answer.
///
/// A question has to hold all that the answer depends on. Of a pick that is the eye, the ray and how high the ground is drawn:
/// the surface answers from all data, whatever is loaded or drawn.
#[derive(Debug)]
pub(super) struct Memo<Q, A>(Option<(Q, A)>);

impl<Q, A> Default for Memo<Q, A> {
    fn default() -> Self {
        Self(None)
    }
}

impl<Q: PartialEq, A> Memo<Q, A> {
    /// The answer to a question; it is worked out where the last question was another.
    pub fn answer(&mut self, question: Q, work_out: impl FnOnce() -> A) -> &A {
        let kept = self.0.take().filter(|(last, _)| *last == question);
        &self.0.insert(kept.unwrap_or_else(|| (question, work_out()))).1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: an answer is worked out once for a question that is asked again and again, and anew after any other; a question
    /// that does not equal itself is never answered from memory.
    #[test]
    fn only_new_questions_are_worked_out() {
        let (mut kept, mut asked) = (Memo::default(), Vec::new());
        for question in [1.0, 1.0, 2.0, 2.0, 1.0, f64::NAN, f64::NAN] {
            let answer = *kept.answer(question, || {
                asked.push(question);
                question * 10.0
            });
            assert!(answer == question * 10.0 || question.is_nan());
        }
        assert_eq!(asked[..3], [1.0, 2.0, 1.0]);
        assert_eq!(asked.len(), 5);
    }
}
