//! Which form of a kernel runs? A pure, printable choice from the device's capabilities, or the caller's word.

use gpu::Caps;
use std::fmt;

/// A form of the kernels. All give the same answer; floating-point sums may round differently.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variant {
    /// The best that the device can do: [`Variant::choose`].
    #[default]
    Auto,
    /// No subgroup operations: runs everywhere.
    Portable,
    /// Subgroup shuffles, for any subgroup size.
    Subgroup,
    /// Subgroup shuffles, and one pass over the items wherever a primitive has that form: [`Form`](crate::Form).
    LookBack,
}

impl Variant {
    /// The word of `OROGEN_VARIANT`.
    ///
    /// ```
    /// assert_eq!(kernels::Variant::parse("portable").unwrap(), kernels::Variant::Portable);
    /// ```
    pub fn parse(word: &str) -> Result<Self, VariantError> {
        match word {
            "" | "auto" => Ok(Self::Auto),
            "portable" => Ok(Self::Portable),
            "subgroup" => Ok(Self::Subgroup),
            "lookback" => Ok(Self::LookBack),
            other => Err(VariantError::Unknown { given: other.to_owned() }),
        }
    }

    /// What the environment variable `OROGEN_VARIANT` says; `Auto` where it is unset.
    pub fn from_env() -> Result<Self, VariantError> {
        Self::parse(&std::env::var("OROGEN_VARIANT").unwrap_or_default())
    }

    /// How workgroups combine: `Subgroup` or `Portable`. `Auto` is resolved to subgroups where the device has them and the
    /// element can be shuffled, as is `LookBack`, which needs a device that has them. An impossible wish is an error.
    ///
    /// ```
    /// use gpu::{Gpu, SubgroupSizes};
    /// use kernels::{Variant, VariantError};
    ///
    /// let caps = Gpu::new(&Default::default())?.caps;
    /// let with = caps.clone().with_subgroups(Some(SubgroupSizes { min: 8, max: 32 }));
    /// let without = caps.with_subgroups(None);
    /// assert_eq!(Variant::Auto.choose(&with, true)?, Variant::Subgroup);
    /// assert_eq!(Variant::Auto.choose(&with, false)?, Variant::Portable); // the element cannot be shuffled
    /// assert_eq!(Variant::Auto.choose(&without, true)?, Variant::Portable);
    /// assert!(matches!(Variant::Subgroup.choose(&without, true), Err(VariantError::Impossible { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn choose(self, caps: &Caps, shuffles: bool) -> Result<Self, VariantError> {
        match (self, caps.subgroups.is_some(), shuffles) {
            (Self::Portable, _, _) => Ok(Self::Portable),
            (Self::Auto | Self::LookBack, true, true) => Ok(Self::Subgroup),
            (Self::Auto, _, _) | (Self::LookBack, true, false) => Ok(Self::Portable),
            (Self::Subgroup, true, true) => Ok(Self::Subgroup),
            (Self::Subgroup | Self::LookBack, false, _) => Err(VariantError::Impossible {
                variant: self,
                why: format!("{} has no subgroups enabled", caps.adapter),
            }),
            (Self::Subgroup, true, false) => {
                let why = "the element is not a scalar, a vector or a struct of these".to_owned();
                Err(VariantError::Impossible { variant: self, why })
            }
        }
    }
}

/// Why a variant is none, or not possible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VariantError {
    /// The variant asked for needs what the device or the element does not have.
    #[error("variant {variant} is not possible: {why}")]
    Impossible {
        /// Variant asked for.
        variant: Variant,
        /// What is missing.
        why: String,
    },
    /// `OROGEN_VARIANT` holds an unknown word.
    #[error("OROGEN_VARIANT={given} is unknown: use auto, portable, subgroup or lookback")]
    Unknown {
        /// Its value.
        given: String,
    },
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Auto => "auto",
            Self::Portable => "portable",
            Self::Subgroup => "subgroup",
            Self::LookBack => "lookback",
        })
    }
}
