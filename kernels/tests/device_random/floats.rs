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
both!(r8, near_r8, a b c, ((((((c).abs() + 8.0).recip()).abs() + 0.875).recip()).min((((b).abs() + 7.375).recip()) / ((-(b).abs()).abs() + 1.5))).max(((((b).clamp(-3.0, 3.0).sin()).abs() + 0.25).log2()) + (if a < b { ((a).abs() + 8.125).recip() } else { (c) - (a) })));
both!(r9, near_r9, a b c, (((((c).abs() + 0.25).log2()).min(-(a).abs())).clamp(-4.0, 4.0).exp2()).clamp(-3.0, 3.0).cos());
both!(r10, near_r10, a b c, -(((((a).abs() + 1.875).recip()) / (((a) / ((c).abs() + 1.5)).abs() + 1.5)) / 9.125 + (((b).abs() + 0.25).sqrt()).clamp(-3.0, 3.0).sin()).abs());
both!(r11, near_r11, a b c, (-(((((a).abs() + 0.25).sqrt()).abs() + 0.25).sqrt()).abs()).min((((c) / 1.875 + a).mul_add(-(a).abs(), c)) * 8.25 - b));
both!(r12, near_r12, a b c, ((-((a).clamp(-4.0, 4.0).exp2()).abs()).mul_add((((a).abs() + 0.25).sqrt()).clamp(-3.0, 3.0).sin(), b)).clamp(-3.0, 3.0).sin());
both!(r13, near_r13, a b c, (((-((c).max(b)).abs()).mul_add(-(-(b).abs()).abs(), b)).abs() + 0.25).log2());
both!(r14, near_r14, a b c, (((((if a < b { b } else { c })).mul_add((if a < b { a } else { b }), b)).max(((b).min(c)).mul_add((a).mul_add(c, b), c))).abs() + 0.25).sqrt());
both!(r15, near_r15, a b c, ((((a).clamp(-3.0, 3.0).cos()).clamp(-3.0, 3.0).sin()) / (((((a).clamp(-3.0, 3.0).cos()).abs() + 0.25).log2()).abs() + 1.5)).clamp(-3.0, 3.0).sin());
both!(r16, near_r16, a b c, ((((((b).abs() + 0.25).sqrt()) * 6.875 - b).abs() + 0.25).log2()) + ((if a < b { (a) * (c) } else { (if a < b { b } else { b }) })).min(((c).clamp(-2.25, 2.25)) / 6.875 + (b).clamp(-4.0, 4.0).exp2()));
both!(r17, near_r17, a b c, ((((c) - (c)) / (((a) / 5.875 + c).abs() + 1.5)) / ((((b) / 5.125 + a) * ((c).mul_add(b, b))).abs() + 1.5)) * 9.625 - c);
both!(r18, near_r18, a b c, ((((c) + b).clamp(-5.75, 5.75)).clamp(-3.0, 3.0).sin()).max((((b) - (c)).clamp(-3.0, 3.0).cos()) / ((((a).clamp(-3.0, 3.0).cos()).clamp(-3.0, 3.0).sin()).abs() + 1.5)));
both!(r19, near_r19, a b c, ((((c).mul_add(b, c)) * ((b) - (b))).min(((c).min(b)) + (c).clamp(-3.0, 3.0).sin())) * (-(-((c).mul_add(a, b)).abs()).abs()));
both!(r20, near_r20, a b c, (((((c) / ((a).abs() + 1.5)).max((c).max(c))).abs() + 0.25).sqrt()).clamp(-3.0, 3.0).cos());
both!(r21, near_r21, a b c, ((((b) * 5.5 - a).max(((c).abs() + 0.25).log2())).clamp(-3.0, 3.0).sin()) / (((((b) - (c)) * ((a).clamp(-4.0, 4.0).exp2())) * ((((c) / ((c).abs() + 1.5)).abs() + 0.25).sqrt())).abs() + 1.5));
both!(r22, near_r22, a b c, (((((c).min(c)).abs() + 0.25).sqrt()) + -(((a).abs() + 0.25).log2()).abs()).min((((((b).abs() + 7.625).recip()).abs() + 0.25).log2()) * ((((b).abs() + 0.25).sqrt()).clamp(-4.0, 4.0).exp2())));
both!(r23, near_r23, a b c, ((((c) - (a)).min((c).min(c))).min(((a) * (a)).mul_add((a).max(b), a))).max((((if a < b { ((a).abs() + 9.25).recip() } else { (a).clamp(-3.0, 3.0).cos() })).abs() + 0.25).sqrt()));
