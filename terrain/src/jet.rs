//! How does a function of two variables change nearby? Truncated power series of order 3, added and multiplied exactly.
//!
//! A [`Jet`] holds the ten Taylor coefficients of a function of (x, y) up to total degree 3. Composing functions of jets
//! composes their series. So the derivatives of the whole map from face coordinates to Earth-centred metres come out in
//! f64 without a formula for any of them (Griewank & Walther, "Evaluating Derivatives", 2nd ed., chapter 13).

use std::ops::{Add, Mul, Sub};

/// Number of monomials of degree at most 3 in two variables.
pub const TERMS: usize = 10;

/// Exponents (of x, of y) of each term.
pub const EXPONENTS: [(usize, usize); TERMS] =
    [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2), (0, 3)];

/// Coefficients of 1, x, y, x^2, xy, y^2, x^3, x^2 y, x y^2, y^3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet(pub [f64; TERMS]);

impl Jet {
    /// The function that is `value` everywhere.
    pub fn constant(value: f64) -> Self {
        let mut terms = [0.0; TERMS];
        terms[0] = value;
        Self(terms)
    }

    /// The first variable, expanded at `value`.
    pub fn x(value: f64) -> Self {
        let mut jet = Self::constant(value);
        jet.0[1] = 1.0;
        jet
    }

    /// The second variable, expanded at `value`.
    pub fn y(value: f64) -> Self {
        let mut jet = Self::constant(value);
        jet.0[2] = 1.0;
        jet
    }

    /// `f(self)`, given f and its first three derivatives at the constant term.
    fn compose(self, derivatives: [f64; 4]) -> Self {
        let [f0, f1, f2, f3] = derivatives;
        let mut small = self;
        small.0[0] = 0.0;
        let square = small * small;
        Self::constant(f0) + small * f1 + square * (f2 / 2.0) + square * small * (f3 / 6.0)
    }

    /// Tangent.
    pub fn tan(self) -> Self {
        let t = self.0[0].tan();
        let d = 1.0 + t * t;
        self.compose([t, d, 2.0 * t * d, 2.0 * d * (d + 2.0 * t * t)])
    }

    /// One over the square root; the constant term must be positive.
    pub fn inverse_sqrt(self) -> Self {
        let a = self.0[0];
        let r = a.sqrt().recip();
        self.compose([r, -r / (2.0 * a), 3.0 * r / (4.0 * a * a), -15.0 * r / (8.0 * a * a * a)])
    }

    /// Value at an offset (x, y) from the point of expansion.
    #[cfg(test)]
    pub fn at(self, x: f64, y: f64) -> f64 {
        self.0.iter().zip(EXPONENTS).map(|(c, (i, j))| c * x.powi(i as i32) * y.powi(j as i32)).sum()
    }
}

impl Add for Jet {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }
}

impl Sub for Jet {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + other * -1.0
    }
}

impl Mul<f64> for Jet {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self(self.0.map(|c| c * factor))
    }
}

impl Mul for Jet {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let mut product = Self::constant(0.0);
        for (a, &(i, j)) in self.0.iter().zip(&EXPONENTS) {
            for (b, &(k, l)) in other.0.iter().zip(&EXPONENTS) {
                if let Some(term) = EXPONENTS.iter().position(|&e| e == (i + k, j + l)) {
                    product.0[term] += a * b;
                }
            }
        }
        product
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: halving the offset divides the truncation error by 2^4.
    #[test]
    fn truncation_is_of_fourth_order() {
        let exact = |x: f64, y: f64| (0.3 + x).tan() / (1.0 + (0.2 + y).powi(2) + (0.3 + x) * (0.2 + y)).sqrt();
        let (x, y) = (Jet::x(0.3), Jet::y(0.2));
        let jet = x.tan() * (Jet::constant(1.0) + y * y + x * y).inverse_sqrt();
        let error = |h: f64| (jet.at(h, 0.7 * h) - exact(h, 0.7 * h)).abs();
        let ratio = error(0.02) / error(0.01);
        assert!((14.0..18.0).contains(&ratio), "{ratio}");
        assert!(error(1e-3) < 1e-11);
    }
}
