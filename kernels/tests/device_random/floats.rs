//! Random expressions of floats. Generated: `./x generate`.
#![allow(warnings, clippy::all, reason = "random")]

use crate::near::Near;
use kernels::device;

macro_rules! both {
    ($name:ident, $near:ident, $a:ident $b:ident $c:ident, $expression:expr) => {
        #[device]
        pub fn $name($a: f32, $b: f32, $c: f32) -> f32 {
            $expression
        }
        pub fn $near($a: Near, $b: Near, $c: Near) -> Near {
            $expression
        }
    };
}

both!(r0, near_r0, a b c, ((((if a < b { a } else { b })).clamp(-3.0, 3.0).cos()) * ((((c) * 6.875 - b).abs() + 0.25).log2())).mul_add(((((a) - (b)).mul_add((b).clamp(-3.0, 3.0).cos(), c)).abs() + 0.25).log2(), a));
both!(r1, near_r1, a b c, (if a < b { (if a < b { (-(b).abs()) * 1.75 - b } else { -((a) * (a)).abs() }) } else { -((((c).abs() + 0.25).sqrt()) + (c).max(c)).abs() }));
both!(r2, near_r2, a b c, ((((c).clamp(-2.875, 2.875)) + (b).clamp(-3.0, 3.0).cos()).clamp(-7.875, 7.875)).min(((((c).abs() + 0.25).sqrt()).clamp(-3.0, 3.0).sin()) / ((((if a < b { c } else { c })) + (c) * 4.75 - c).abs() + 1.5)));
both!(r3, near_r3, a b c, ((((b).clamp(-7.75, 7.75)) * ((a).max(a))).clamp(-3.0, 3.0).sin()) - (-(((a).clamp(-4.0, 4.0).exp2()).clamp(-2.75, 2.75)).abs()));
both!(r4, near_r4, a b c, (((((a).mul_add(b, c)) - (((b).abs() + 0.25).log2())) * ((((c).abs() + 0.25).log2()) - ((if a < b { a } else { b })))).abs() + 9.875).recip());
both!(r5, near_r5, a b c, ((-((b) - (a)).abs()).clamp(-3.0, 3.0).sin()) + ((((c).clamp(-9.875, 9.875)).abs() + 0.25).log2()) * 8.625 - a);
both!(r6, near_r6, a b c, ((((a) / 2.125 + a) / 2.625 + ((b).abs() + 0.25).sqrt()).clamp(-3.0, 3.0).cos()).min((((a) * 9.375 - a) * ((b) * 6.25 - b)).clamp(-4.0, 4.0).exp2()));
both!(r7, near_r7, a b c, (-((-(c).abs()).clamp(-4.0, 4.0).exp2()).abs()).clamp(-1.75, 1.75));
