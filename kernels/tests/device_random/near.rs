//! How far may a result in `f32` be from the exact one? A value in `f64`, and a bound that grows by what WGSL allows each operation.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// An exact value, and how far from it a result may lie.
#[derive(Clone, Copy, Debug)]
pub struct Near {
    pub value: f64,
    pub error: f64,
}

impl Near {
    pub fn exactly(value: f32) -> Self {
        Self { value: f64::from(value), error: 0.0 }
    }

    /// A result with the error of its operands, and of so many units in the last place of its own; subnormal numbers may be flushed.
    fn of(value: f64, inherited: f64, units: f64) -> Self {
        let unit = (value.abs() + inherited) * f64::from(f32::EPSILON) + f64::from(f32::MIN_POSITIVE);
        Self { value, error: inherited + units * unit }
    }

    /// The least that its magnitude can be.
    fn least(self) -> f64 {
        let least = self.value.abs() - self.error;
        assert!(least > 0.0, "the bound says nothing of {self:?}");
        least
    }

    pub fn abs(self) -> Self {
        Self { value: self.value.abs(), ..self }
    }

    pub fn min(self, other: Self) -> Self {
        Self { value: self.value.min(other.value), error: self.error.max(other.error) }
    }

    pub fn max(self, other: Self) -> Self {
        Self { value: self.value.max(other.value), error: self.error.max(other.error) }
    }

    pub fn clamp(self, low: f64, high: f64) -> Self {
        Self { value: self.value.clamp(low, high), ..self }
    }

    pub fn mul_add(self, by: Self, plus: Self) -> Self {
        self * by + plus
    }

    /// 1 over the inverse root: 2.5 and 2 units.
    pub fn sqrt(self) -> Self {
        let value = self.value.sqrt();
        Self::of(value, self.error / (2.0 * self.least().sqrt()), 5.0)
    }

    pub fn recip(self) -> Self {
        Self::exactly(1.0) / self
    }

    /// 3 + 2 |x| units.
    pub fn exp2(self) -> Self {
        let (value, most) = (self.value.exp2(), (self.value + self.error).exp2());
        Self::of(value, most * self.error, 3.0 + 2.0 * (self.value.abs() + self.error))
    }

    /// 2^-21 absolute from 0.5 to 2, and 3 units elsewhere.
    pub fn log2(self) -> Self {
        let found = Self::of(self.value.log2(), self.error / (self.least() * std::f64::consts::LN_2), 3.0);
        Self { error: found.error + 2f64.powi(-21), ..found }
    }

    /// 2^-11 absolute, up to half a turn.
    pub fn sin(self) -> Self {
        Self { value: self.value.sin(), error: self.error + 2f64.powi(-11) }
    }

    pub fn cos(self) -> Self {
        Self { value: self.value.cos(), error: self.error + 2f64.powi(-11) }
    }
}

impl PartialEq for Near {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

/// For arguments, which are exact.
impl PartialOrd for Near {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        assert!(self.error + other.error == 0.0, "a condition could differ");
        self.value.partial_cmp(&other.value)
    }
}

impl Neg for Near {
    type Output = Self;
    fn neg(self) -> Self {
        Self { value: -self.value, ..self }
    }
}

impl Add for Near {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::of(self.value + other.value, self.error + other.error, 1.0)
    }
}

impl Sub for Near {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Near {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let inherited = self.value.abs() * other.error + other.value.abs() * self.error + self.error * other.error;
        Self::of(self.value * other.value, inherited, 1.0)
    }
}

impl Div for Near {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        Self::of(value, (self.error + value.abs() * other.error) / other.least(), 2.5)
    }
}

/// Literals are multiples of 1/8, which are exact.
macro_rules! with_literals {
    ($($trait:ident $function:ident),*) => { $(
        impl $trait<f64> for Near {
            type Output = Self;
            fn $function(self, literal: f64) -> Self {
                self.$function(Self { value: literal, error: 0.0 })
            }
        }
    )* };
}

with_literals!(Add add, Sub sub, Mul mul, Div div);
