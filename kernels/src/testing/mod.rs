//! Is an operator what it claims? Associativity, identity, commutativity, and the same result in Rust and in WGSL.
//! Is a device function the same on a device?

#[cfg(feature = "gpu")]
mod device;
#[cfg(feature = "gpu")]
mod evaluate;

#[cfg(feature = "gpu")]
pub use device::{check_function, check_operator};
#[cfg(feature = "gpu")]
pub use evaluate::{Arguments, EvaluateError, evaluate};

use crate::{KernelError, Operator};
use std::fmt::Debug;

/// How an operator breaks a law.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LawError {
    /// `(a b) c` differs from `a (b c)`.
    #[error("{operator} is not associative: {detail}")]
    Associativity {
        /// Operator.
        operator: &'static str,
        /// Operands and results.
        detail: String,
    },
    /// The identity changes an item.
    #[error("{operator}: the identity changes {detail}")]
    Identity {
        /// Operator.
        operator: &'static str,
        /// Item and result.
        detail: String,
    },
    /// `a b` differs from `b a` although the operator says it commutes.
    #[error("{operator} does not commute: {detail}")]
    Commutativity {
        /// Operator.
        operator: &'static str,
        /// Operands and results.
        detail: String,
    },
    /// Rust and WGSL differ.
    #[error("{operator}: Rust and WGSL differ: {detail}")]
    Meaning {
        /// Operator.
        operator: &'static str,
        /// Operands and results.
        detail: String,
    },
    /// The kernel could not be made.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// The device failed.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Gpu(#[from] gpu::GpuError),
}

/// Checks the laws of `O` on all pairs and triples of `samples`; `same` says which results count as equal
/// (bit for bit, or within a bound for floats).
///
/// ```
/// use kernels::{Sum, testing::check_operator_cpu};
/// check_operator_cpu::<Sum<u32>>(&[0, 1, 7, u32::MAX], |a, b| a == b)?;
/// # Ok::<(), kernels::testing::LawError>(())
/// ```
pub fn check_operator_cpu<O: Operator>(
    samples: &[O::Item],
    same: impl Fn(&O::Item, &O::Item) -> bool,
) -> Result<(), LawError> {
    let operator = O::NAME;
    for &a in samples {
        for result in [O::combine(O::identity(), a), O::combine(a, O::identity())] {
            if !same(&result, &a) {
                return Err(LawError::Identity { operator, detail: format!("{a:?} to {result:?}") });
            }
        }
        for &b in samples {
            let (ab, ba) = (O::combine(a, b), O::combine(b, a));
            if O::COMMUTATIVE && !same(&ab, &ba) {
                return Err(LawError::Commutativity { operator, detail: describe(&[a, b], &[ab, ba]) });
            }
            for &c in samples {
                let (left, right) = (O::combine(ab, c), O::combine(a, O::combine(b, c)));
                if !same(&left, &right) {
                    return Err(LawError::Associativity { operator, detail: describe(&[a, b, c], &[left, right]) });
                }
            }
        }
    }
    Ok(())
}

fn describe<T: Debug>(operands: &[T], results: &[T]) -> String {
    format!("{operands:?} give {results:?}")
}
