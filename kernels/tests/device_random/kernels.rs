//! Random kernels. Generated: `./x generate`.
#![allow(warnings, clippy::all, reason = "random")]

use kernels::{List, kernel};

#[kernel]
#[rustfmt::skip]
pub fn k0(width: u32, height: u32, x: &[u32], y: &[i32], out: &mut [u32], sum: &mut u32, least: &mut u32, parity: &mut u32) {
    for row in 0..height {
        for column in 0..width {
            let at = row * width + column;
            let a: u32 = x[at as usize];
            let c: i32 = y[at as usize];
            let mut b = at;
            for k in 0..a % 9 {
                b = b.rotate_left(3) ^ x[((b ^ k) % x.len() as u32) as usize];
            }
            if (c >= c && b != 3) == (((0xdd5a9bd0 | b)) & 1 == 0 || a == b) {
                continue;
            }
            let b: u32 = ((b).clamp(47, 46283) ^ b) % ((b.min((0xd92fe7cc | b))) | 1);
            out[at as usize] = out[at as usize] ^ (((b | (a ^ 30) ^ a & ((a ^ 11))).reverse_bits()).wrapping_shr((b >> ((a) & 31)).max(((a ^ 9)).is_multiple_of(a | 1) as u32)));
            *sum = sum.wrapping_add(((a > b) as u32 ^ b).rotate_right(((0x659ccf52 | b) ^ b) % ((a) | 1)));
            *parity ^= (a.min(a)).count_ones() + (((0x645d599a | b)).min(a)).leading_zeros() * 40;
            if (a > b) | (a > b) {
                *least = (*least).min((a / ((a) | 1)).rotate_right(((0x76809d9b | b)).wrapping_mul(a)));
            }
        }
    }
}

#[kernel]
#[rustfmt::skip]
pub fn k1(width: u32, height: u32, x: &[u32], y: &[i32], out: &mut [u32], sum: &mut u32, least: &mut u32, parity: &mut u32) {
    for row in 0..height {
        for column in 0..width {
            let at = row * width + column;
            let a: u32 = x[at as usize];
            let c: i32 = y[at as usize];
            let mut b = at;
            #[unroll] for k in 0u32..5u32 {
                b = b.rotate_left(3) ^ x[((b ^ k) % x.len() as u32) as usize];
            }
            if (((a ^ 21)) ^ a < b) != ((a > b) & (a > b)) {
                continue;
            }
            let b: u32 = ((a).wrapping_shl(b) ^ b) % ((b | b ^ a & ((0x68f26f69 | b))) | 1);
            out[at as usize] = out[at as usize] ^ (!((((b).max((a ^ 39))) & 0xffff) * 7 + ((((0xba067dcc | b)).wrapping_shr((0x41788473 | b))) & 0xfff) + 5 - (a & 3) ^ b));
            *sum = sum.wrapping_add(((if a > b { a ^ b } else { b ^ a })).count_ones() + (((b) & 0xffff) * 7 + (((a ^ 38)) & 0xfff) + 5 - (a & 3)).leading_zeros() * 40);
            *parity ^= (b.wrapping_add(b)) << ((((a) & 0xffff) * 7 + (((a ^ 43)) & 0xfff) + 5 - (a & 3)) & 31);
            if !(a > b) {
                *least = (*least).min((((0x3bedae74 | b)).count_ones() + ((a ^ 20)).leading_zeros() * 40).rotate_left((((a ^ 14)) & 0xffff) * 7 + ((a) & 0xfff) + 5 - (a & 3) & 63) ^ (((0x3bedae74 | b)).count_ones() + ((a ^ 20)).leading_zeros() * 40).trailing_zeros());
            }
        }
    }
}

#[kernel]
#[rustfmt::skip]
pub fn k2(width: u32, height: u32, x: &[u32], y: &[i32], out: &mut [u32], sum: &mut u32, least: &mut u32, parity: &mut u32) {
    for row in 0..height {
        for column in 0..width {
            let at = row * width + column;
            let a: u32 = x[at as usize];
            let c: i32 = y[at as usize];
            let mut b = at;
            #[unroll(3)] for k in 0..a % 9 {
                b = b.rotate_left(3) ^ x[((b ^ k) % x.len() as u32) as usize];
            }
            if (!(a ^ b)) & 1 == 0 || a == b {
                continue;
            }
            let b: u32 = (((0xc24838a1 | b)).wrapping_mul(a)).wrapping_shl(b | (a ^ 44) ^ a & (b));
            out[at as usize] = out[at as usize] ^ (((((a ^ 5) ^ b) % ((b) | 1)).wrapping_add(b.wrapping_add((0x87acf063 | b)))).is_multiple_of((if !(a > b) { a ^ (a).wrapping_neg() } else { b ^ !((a ^ 5) ^ b) }) | 1) as u32);
            *sum = sum.wrapping_add((b.count_ones() + ((a ^ 59)).leading_zeros() * 40).wrapping_neg());
            *parity ^= (((c ^ 2)).wrapping_neg()) as u32;
            if (a > b) | (a > b) {
                *least = (*least).min(!((a > b) as u32 ^ b ^ b));
            }
        }
    }
}

#[kernel]
#[rustfmt::skip]
pub fn k3(width: u32, height: u32, x: &[u32], y: &[i32], out: &mut [u32], sum: &mut u32, least: &mut u32, parity: &mut u32) {
    for row in 0..height {
        for column in 0..width {
            let at = row * width + column;
            let a: u32 = x[at as usize];
            let c: i32 = y[at as usize];
            let mut b = at;
            #[tile(8)] for k in 0..height {
                b = b.rotate_left(3) ^ x[(k * width + column) as usize];
            }
            let b: u32 = (a.min((a ^ 43))).rotate_left(b.wrapping_sub(a) & 63) ^ (a.min((a ^ 43))).trailing_zeros();
            out[at as usize] = out[at as usize] ^ ((if c <= ((c ^ 8)).max(-712) { a ^ (b.rotate_right(a)).max(b | a ^ a & (a)) } else { b ^ ((a).max((a ^ 56))).reverse_bits() }));
            *sum = sum.wrapping_add((b.min((0xe64c2f4 | b)) ^ a) & (b ^ a) & a);
            *parity ^= !(a.count_ones() + b.leading_zeros() * 40 ^ b);
            if (a > b) & (a > b) {
                *least = (*least).min((if c <= (c ^ 7) { a ^ ((a ^ 5) ^ a) & a } else { b ^ (((0x334caaf9 | b)) & 0xffff) * 7 + ((b) & 0xfff) + 5 - (a & 3) }));
            }
        }
    }
}

#[kernel]
#[rustfmt::skip]
pub fn k4(width: u32, height: u32, x: &[u32], y: &[i32], out: &mut [u32], sum: &mut u32, least: &mut u32, parity: &mut u32) {
    for row in 0..height {
        for column in 0..width {
            let at = row * width + column;
            let a: u32 = x[at as usize];
            let c: i32 = y[at as usize];
            let mut b = at;
            for k in 0..a % 9 {
                b = b.rotate_left(3) ^ x[((b ^ k) % x.len() as u32) as usize];
            }
            if (((0x49da2edf | b)).wrapping_shr(a)) ^ a < b {
                continue;
            }
            let b: u32 = (a.count_ones() + ((0xa72ecd3a | b)).leading_zeros() * 40).wrapping_add(((0xf3319a7f | b)).rotate_right((a ^ 4)));
            out[at as usize] = out[at as usize] ^ (((a / (((0x9709b1b1 | b)) | 1)).wrapping_sub(a.count_ones() + ((a ^ 40)).leading_zeros() * 40)).max((!(a ^ b) ^ a) & ((0x61173ede | b)).wrapping_add((a ^ 53))));
            *sum = sum.wrapping_add(((c).signum() * 77) as u32);
            *parity ^= ((a > b) as u32 ^ a ^ a) & ((0x7dd66612 | b)) >> ((b) & 31);
            if (a > b) & (a > b) {
                *least = (*least).min((((a ^ 37)).reverse_bits()) << (((b ^ a) & a) & 31));
            }
        }
    }
}

#[kernel]
#[rustfmt::skip]
pub fn k5(width: u32, height: u32, x: &[u32], y: &[i32], out: &mut [u32], sum: &mut u32, least: &mut u32, parity: &mut u32) {
    for row in 0..height {
        for column in 0..width {
            let at = row * width + column;
            let a: u32 = x[at as usize];
            let c: i32 = y[at as usize];
            let mut b = at;
            #[unroll] for k in 0u32..5u32 {
                b = b.rotate_left(3) ^ x[((b ^ k) % x.len() as u32) as usize];
            }
            if c <= ((c ^ 2)).signum() * 77 {
                continue;
            }
            let b: u32 = (((a ^ 6)) >> ((a) & 31)).min(((a ^ 32)).rotate_left(a & 63) ^ ((a ^ 32)).trailing_zeros());
            out[at as usize] = out[at as usize] ^ ((((((a ^ 34)) ^ a) as i32) % (c & 31 | 1)).count_ones() * 33 + ((((c ^ 6)) as u32).wrapping_mul(((0x865febee | b) ^ b) % ((b) | 1))).leading_zeros());
            *sum = sum.wrapping_add((a.min(b)).wrapping_neg());
            *parity ^= (((0xd2a92303 | b)).max((a ^ 52))).wrapping_neg();
            if (a > b) | (a > b) {
                *least = (*least).min((((a ^ 7)).is_multiple_of(b | 1) as u32).wrapping_mul((a).wrapping_neg()));
            }
        }
    }
}

#[kernel]
#[rustfmt::skip]
pub fn k6(width: u32, height: u32, x: &[u32], y: &[i32], out: &mut [u32], sum: &mut u32, least: &mut u32, parity: &mut u32) {
    for row in 0..height {
        for column in 0..width {
            let at = row * width + column;
            let a: u32 = x[at as usize];
            let c: i32 = y[at as usize];
            let mut b = at;
            #[unroll(3)] for k in 0..a % 9 {
                b = b.rotate_left(3) ^ x[((b ^ k) % x.len() as u32) as usize];
            }
            if c <= ((c ^ 8)).wrapping_add(c) {
                continue;
            }
            let b: u32 = (b | (a ^ 34) ^ a & ((a ^ 32)) ^ a) & a << ((b) & 31);
            out[at as usize] = out[at as usize] ^ (((if c <= c { a ^ ((c ^ 6)).count_ones() * 33 + ((0xa0076709 | b)).leading_zeros() } else { b ^ (a).is_multiple_of((0x216c230e | b) | 1) as u32 })).rotate_left(((a).wrapping_shl(b)).wrapping_shr(((a ^ 25)).wrapping_mul((0x792695a2 | b))) & 63) ^ ((if c <= c { a ^ ((c ^ 6)).count_ones() * 33 + ((0xa0076709 | b)).leading_zeros() } else { b ^ (a).is_multiple_of((0x216c230e | b) | 1) as u32 })).trailing_zeros());
            *sum = sum.wrapping_add((b << ((a) & 31)).wrapping_shl(b.count_ones() + b.leading_zeros() * 40));
            *parity ^= (!(c)) as u32;
            if ((a > b) ^ (a > b)) {
                *least = (*least).min(a / ((a.wrapping_add(a)) | 1));
            }
        }
    }
}

#[kernel]
#[rustfmt::skip]
pub fn k7(width: u32, height: u32, x: &[u32], y: &[i32], out: &mut [u32], sum: &mut u32, least: &mut u32, parity: &mut u32) {
    for row in 0..height {
        for column in 0..width {
            let at = row * width + column;
            let a: u32 = x[at as usize];
            let c: i32 = y[at as usize];
            let mut b = at;
            #[tile(8)] for k in 0..height {
                b = b.rotate_left(3) ^ x[(k * width + column) as usize];
            }
            let b: u32 = (b.count_ones() + b.leading_zeros() * 40).wrapping_mul(a.wrapping_add(b));
            out[at as usize] = out[at as usize] ^ ((a / ((b.rotate_right((a ^ 26))) | 1)).is_multiple_of(a / (((b).wrapping_shr((0x49492831 | b))) | 1) | 1) as u32);
            *sum = sum.wrapping_add((((a ^ 60)).wrapping_shl(a)).rotate_left(b >> (((0xeb5ef0f6 | b)) & 31) & 63) ^ (((a ^ 60)).wrapping_shl(a)).trailing_zeros());
            *parity ^= a / ((b << (((a ^ 5)) & 31)) | 1);
            if !(a > b) {
                *least = (*least).min(((a > b) as u32 ^ (0xeedd298e | b) ^ a) & (a > b) as u32 ^ (a ^ 21));
            }
        }
    }
}

#[kernel]
#[rustfmt::skip]
pub fn k8(width: u32, height: u32, x: &[u32], y: &[i32], out: &mut [u32], sum: &mut u32, least: &mut u32, parity: &mut u32) {
    for row in 0..height {
        for column in 0..width {
            let at = row * width + column;
            let a: u32 = x[at as usize];
            let c: i32 = y[at as usize];
            let mut b = at;
            for k in 0..a % 9 {
                b = b.rotate_left(3) ^ x[((b ^ k) % x.len() as u32) as usize];
            }
            if (((0x13c0ed1 | b)).rotate_right(a)) & 1 == 0 || a == b {
                continue;
            }
            let b: u32 = (((a ^ 30)).reverse_bits()).count_ones() + (!((a ^ 13) ^ b)).leading_zeros() * 40;
            out[at as usize] = out[at as usize] ^ ((!(((a ^ 68)).is_multiple_of((0xfa04bd9a | b) | 1) as u32 ^ b)).wrapping_add((a.rotate_left(a & 63) ^ a.trailing_zeros()).wrapping_add(((a ^ 10)).count_ones() + ((0x2346deb4 | b)).leading_zeros() * 40)));
            *sum = sum.wrapping_add((((a) & 0xffff) * 7 + ((b) & 0xfff) + 5 - (a & 3)).rotate_left(b << ((a) & 31) & 63) ^ (((a) & 0xffff) * 7 + ((b) & 0xfff) + 5 - (a & 3)).trailing_zeros());
            *parity ^= ((b).max(b)).wrapping_sub(((0xed333616 | b)) << ((b) & 31));
            if (a > b) & (a > b) {
                *least = (*least).min((((0x19e45eb2 | b)).rotate_left((a ^ 57) & 63) ^ ((0x19e45eb2 | b)).trailing_zeros()).reverse_bits());
            }
        }
    }
}

#[kernel]
#[rustfmt::skip]
pub fn k9(width: u32, height: u32, x: &[u32], y: &[i32], out: &mut [u32], sum: &mut u32, least: &mut u32, parity: &mut u32) {
    for row in 0..height {
        for column in 0..width {
            let at = row * width + column;
            let a: u32 = x[at as usize];
            let c: i32 = y[at as usize];
            let mut b = at;
            #[unroll] for k in 0u32..5u32 {
                b = b.rotate_left(3) ^ x[((b ^ k) % x.len() as u32) as usize];
            }
            if (((a ^ 19)).wrapping_shr(b)) ^ a < b {
                continue;
            }
            let b: u32 = (a.wrapping_mul(b)).reverse_bits();
            out[at as usize] = out[at as usize] ^ (((a.min((a ^ 41))).count_ones() + (((a ^ 63)).count_ones() + ((0xe406091a | b)).leading_zeros() * 40).leading_zeros() * 40).rotate_left((b << ((b) & 31)).rotate_right(a.wrapping_mul((0x20b82bb8 | b))) & 63) ^ ((a.min((a ^ 41))).count_ones() + (((a ^ 63)).count_ones() + ((0xe406091a | b)).leading_zeros() * 40).leading_zeros() * 40).trailing_zeros());
            *sum = sum.wrapping_add(!(a.count_ones() + ((a ^ 8)).leading_zeros() * 40 ^ b));
            *parity ^= (((0x76841d36 | b)).wrapping_neg()).rotate_left((if a > b { a ^ b } else { b ^ a }) & 63) ^ (((0x76841d36 | b)).wrapping_neg()).trailing_zeros();
            if (a > b) == (a > b) {
                *least = (*least).min(((a > b) & (a > b)) as u32 ^ ((a ^ 2)).clamp(48, 1828));
            }
        }
    }
}

#[kernel]
#[rustfmt::skip]
pub fn k10(width: u32, height: u32, x: &[u32], y: &[i32], out: &mut [u32], sum: &mut u32, least: &mut u32, parity: &mut u32) {
    for row in 0..height {
        for column in 0..width {
            let at = row * width + column;
            let a: u32 = x[at as usize];
            let c: i32 = y[at as usize];
            let mut b = at;
            #[unroll(3)] for k in 0..a % 9 {
                b = b.rotate_left(3) ^ x[((b ^ k) % x.len() as u32) as usize];
            }
            if (b.rotate_left((a ^ 11) & 63) ^ b.trailing_zeros()) & 1 == 0 || a == b {
                continue;
            }
            let b: u32 = (((0x2ffb2241 | b)).min(a)).min((b ^ b) % ((a) | 1));
            out[at as usize] = out[at as usize] ^ ((((a).wrapping_shl((0x4ec8cd65 | b))) & 1 == 0 || a == b) as u32 ^ ((if a > b { a ^ (0x57641e58 | b) } else { b ^ a })).wrapping_sub(((0x7808ea92 | b)).is_multiple_of((a ^ 53) | 1) as u32));
            *sum = sum.wrapping_add((((0xaeb5d6b2 | b)).count_ones() + a.leading_zeros() * 40).wrapping_mul((a).wrapping_neg()));
            *parity ^= ((((a ^ 12)).is_multiple_of((0x6abbd448 | b) | 1) as u32) & 0xffff) * 7 + ((((a) & 0xffff) * 7 + ((b) & 0xfff) + 5 - (a & 3)) & 0xfff) + 5 - (a & 3);
            if !(a > b) {
                *least = (*least).min((if (a > b) | (a > b) { a ^ !(b ^ b) } else { b ^ (b).clamp(38, 96221) }));
            }
        }
    }
}

#[kernel]
#[rustfmt::skip]
pub fn k11(width: u32, height: u32, x: &[u32], y: &[i32], out: &mut [u32], sum: &mut u32, least: &mut u32, parity: &mut u32) {
    for row in 0..height {
        for column in 0..width {
            let at = row * width + column;
            let a: u32 = x[at as usize];
            let c: i32 = y[at as usize];
            let mut b = at;
            #[tile(8)] for k in 0..height {
                b = b.rotate_left(3) ^ x[(k * width + column) as usize];
            }
            let b: u32 = (if ((0x4500fb78 | b)) & 1 == 0 || a == b { a ^ ((0x2497ece4 | b)).wrapping_add(b) } else { b ^ (b ^ b) % (((a ^ 62)) | 1) });
            out[at as usize] = out[at as usize] ^ (((!((a ^ 47) ^ b)).rotate_right(((0x8c900f84 | b)) << (((a ^ 13)) & 31))).wrapping_shl(((a > b) | (a > b)) as u32 ^ (a).reverse_bits()));
            *sum = sum.wrapping_add((!((0x245befe0 | b) ^ b)).max(((a ^ 25)).wrapping_sub((a ^ 49))));
            *parity ^= ((a).wrapping_shl(a) ^ b) % ((b | b ^ a & ((a ^ 14))) | 1);
            if ((a > b) ^ (a > b)) {
                *least = (*least).min((((a ^ 56)).max((0x2d2f6830 | b))).wrapping_shl(((c ^ 2)) as u32));
            }
        }
    }
}

#[kernel]
#[rustfmt::skip]
pub fn k12(width: u32, height: u32, x: &[u32], y: &[i32], out: &mut [u32], sum: &mut u32, least: &mut u32, parity: &mut u32) {
    for row in 0..height {
        for column in 0..width {
            let at = row * width + column;
            let a: u32 = x[at as usize];
            let c: i32 = y[at as usize];
            let mut b = at;
            for k in 0..a % 9 {
                b = b.rotate_left(3) ^ x[((b ^ k) % x.len() as u32) as usize];
            }
            if ((a > b) & (a > b)) != (c <= (c ^ 4)) {
                continue;
            }
            let b: u32 = (((a > b) ^ (a > b))) as u32 ^ ((0xb242eb25 | b)).rotate_right(b);
            out[at as usize] = out[at as usize] ^ ((a / (((a > b) as u32 ^ b) | 1) ^ b) % ((((a > b) | (a > b)) as u32 ^ a.wrapping_mul(a)) | 1));
            *sum = sum.wrapping_add((b >> ((a) & 31)).wrapping_sub(((c ^ 5)) as u32));
            *parity ^= (b | (0x2359eb31 | b) ^ a & (a)) >> ((((a ^ 51)).clamp(89, 7759)) & 31);
            if (a > b) != (a > b) {
                *least = (*least).min(((c) & ((c ^ 4)) | c).count_ones() * 33 + (((a ^ 39)) >> (((0x3db5449f | b)) & 31)).leading_zeros());
            }
        }
    }
}

#[kernel]
#[rustfmt::skip]
pub fn k13(width: u32, height: u32, x: &[u32], y: &[i32], out: &mut [u32], sum: &mut u32, least: &mut u32, parity: &mut u32) {
    for row in 0..height {
        for column in 0..width {
            let at = row * width + column;
            let a: u32 = x[at as usize];
            let c: i32 = y[at as usize];
            let mut b = at;
            #[unroll] for k in 0u32..5u32 {
                b = b.rotate_left(3) ^ x[((b ^ k) % x.len() as u32) as usize];
            }
            if c <= ((c ^ 3)).wrapping_add(c) {
                continue;
            }
            let b: u32 = (((a ^ 0)).wrapping_add(a)) >> ((b | a ^ a & ((0xa88e038e | b))) & 31);
            out[at as usize] = out[at as usize] ^ (((((c) >> 2) / ((c & 0xff) + 1)).wrapping_mul(c)).count_ones() * 33 + (((b).clamp(60, 57737)).wrapping_mul(((c ^ 2)) as u32)).leading_zeros());
            *sum = sum.wrapping_add((((c ^ 6)).count_ones() * 33 + ((a ^ 1)).leading_zeros()).wrapping_shr(((0x9580d1d9 | b)).reverse_bits()));
            *parity ^= (((a ^ 13)) << ((a) & 31)).wrapping_shl((a ^ b) % ((a) | 1));
            if (a > b) != (a > b) {
                *least = (*least).min(((((a ^ 15)) & 0xffff) * 7 + (((0x565d66f4 | b)) & 0xfff) + 5 - (a & 3)).max(((a ^ 67)).wrapping_mul((a ^ 46))));
            }
        }
    }
}

#[kernel]
#[rustfmt::skip]
pub fn k14(width: u32, height: u32, x: &[u32], y: &[i32], out: &mut [u32], sum: &mut u32, least: &mut u32, parity: &mut u32) {
    for row in 0..height {
        for column in 0..width {
            let at = row * width + column;
            let a: u32 = x[at as usize];
            let c: i32 = y[at as usize];
            let mut b = at;
            #[unroll(3)] for k in 0..a % 9 {
                b = b.rotate_left(3) ^ x[((b ^ k) % x.len() as u32) as usize];
            }
            if (c <= (c ^ 6)) == ((a > b) | (a > b)) {
                continue;
            }
            let b: u32 = (((0xe3ebc40d | b)).wrapping_shr((0xa1412c91 | b)) ^ a) & a / ((a) | 1);
            out[at as usize] = out[at as usize] ^ (((((0x792c34dd | b)).wrapping_sub((0x2e7955c | b))) << (((b).wrapping_neg()) & 31)).wrapping_add(((b ^ a) & a).count_ones() + (a >> ((a) & 31)).leading_zeros() * 40));
            *sum = sum.wrapping_add(((a ^ b) % (((a ^ 46)) | 1)).rotate_right(a.rotate_right((a ^ 44))));
            *parity ^= (((0x74c171df | b)).wrapping_add((0x79bc5b8 | b))).max(a >> (((0xefd8ed54 | b)) & 31));
            if (a > b) & (a > b) {
                *least = (*least).min(((if a > b { a ^ (0x35ea902e | b) } else { b ^ b })).wrapping_sub((a > b) as u32 ^ (a ^ 17)));
            }
        }
    }
}

#[kernel]
#[rustfmt::skip]
pub fn k15(width: u32, height: u32, x: &[u32], y: &[i32], out: &mut [u32], sum: &mut u32, least: &mut u32, parity: &mut u32) {
    for row in 0..height {
        for column in 0..width {
            let at = row * width + column;
            let a: u32 = x[at as usize];
            let c: i32 = y[at as usize];
            let mut b = at;
            #[tile(8)] for k in 0..height {
                b = b.rotate_left(3) ^ x[(k * width + column) as usize];
            }
            let b: u32 = (!((0xaf946bc7 | b) ^ b)).rotate_right(b | b ^ a & (b));
            out[at as usize] = out[at as usize] ^ (a / (((if (b) ^ a < b { a ^ a.count_ones() + ((a ^ 29)).leading_zeros() * 40 } else { b ^ (a).is_multiple_of((0xd3649620 | b) | 1) as u32 })) | 1));
            *sum = sum.wrapping_add((if (a > b) & (a > b) { a ^ a / ((a) | 1) } else { b ^ ((0x49fb3caa | b)).wrapping_shl((a ^ 47)) }));
            *parity ^= (a >> (((a ^ 67)) & 31)) >> ((a / (((a ^ 13)) | 1)) & 31);
            if (a > b) | (a > b) {
                *least = (*least).min((!((a ^ 67) ^ b)) << ((((a ^ 49)).wrapping_mul(b)) & 31));
            }
        }
    }
}

#[kernel(workgroup(64))]
#[rustfmt::skip]
pub fn v0(#[count] n: u32, q: u64, x: &[u64], out: &mut [u64], sum: &mut u64, least: &mut u64, most: &mut u64, parity: &mut u64, chosen: &mut List<u64>) {
    *sum = 0x9c782900abc970b8;
    chosen.clear();
    for i in 0..n {
        let mut p: u64 = x[i as usize];
        let a: u32 = (p >> 20) as u32;
        let b: u32 = p as u32;
        let c: i32 = q as i32;
        for k in 0..x.len() as u32 {
            p = p.wrapping_mul(0x1d762bfab8646e3f) ^ x[k as usize];
        }
        out[i as usize] ^= (((q) << ((((0xd1b10c81 | b)).wrapping_mul(b)) & 63)) as u32 as u64 ^ ((((a ^ 38)).reverse_bits()) as u64) << 32).rotate_right(((0x289c9385 | b)).rotate_left((a ^ 41) & 63) ^ ((0x289c9385 | b)).trailing_zeros());
        *sum = sum.wrapping_add(((p).wrapping_sub(q)) >> ((((p ^ 36)).wrapping_sub((p ^ 53))) & 63));
        *parity ^= (((p ^ 64) ^ p) & p ^ p) & ((0x180fc2a8000000 | q)) >> (((q).min(q)) & 63);
        *most = (*most).max((((((p ^ 29)).leading_zeros() * 100 + (q).trailing_zeros()) as u64) >= (p).rotate_left((c) as u32) || ((p ^ 53)).max(q) != q) as u64);
        if (a > b) & (a > b) {
            *least = (*least).min((((((0x6d103a28000 | q)).leading_zeros() * 100 + (q).trailing_zeros()) as u64) >= (((p ^ 27)).leading_zeros() * 100 + ((p ^ 6)).trailing_zeros()) as u64 || ((0x9ead69ec | q)) << (((a > b) as u32 ^ (a ^ 22)) & 63) != q) as u64);
            chosen.push((!(q ^ q)) as u32 as u64 ^ ((b >> (((a ^ 10)) & 31)) as u64) << 32);
        }
    }
}

#[kernel(workgroup(64))]
#[rustfmt::skip]
pub fn v1(#[count] n: u32, q: u64, x: &[u64], out: &mut [u64], sum: &mut u64, least: &mut u64, most: &mut u64, parity: &mut u64, chosen: &mut List<u64>) {
    *sum = 0x9aa34e8ae2de7d49;
    chosen.clear();
    for i in 0..n {
        let mut p: u64 = x[i as usize];
        let a: u32 = (p >> 20) as u32;
        let b: u32 = p as u32;
        let c: i32 = q as i32;
        #[tile] for k in 0..x.len() as u32 {
            p = p.wrapping_mul(0x3ac4e2e4647dbb25) ^ x[k as usize];
        }
        out[i as usize] ^= (((((0xf211448 | q)).leading_zeros() * 100 + (q).trailing_zeros()) as u64).rotate_right(((0x2f0938da | b)).is_multiple_of((0xbb18902 | b) | 1) as u32)) >> (((p).rotate_right(((c ^ 6)) as u32)) & 63);
        *sum = sum.wrapping_add((((0x22457d610000000 | q)) as u32 as u64 ^ ((((0xe2f746e0 | b)).wrapping_add(b)) as u64) << 32).min((q).rotate_right(b >> (((a ^ 53)) & 31))));
        *parity ^= ((p).wrapping_mul(p)).wrapping_sub(((0x38e1cb6300 | q)).wrapping_add((0x79c9497c000000 | q)));
        *most = (*most).max((((p ^ 20)).wrapping_mul((0x6330b3c98000000 | q))) as u32 as u64 ^ (((a).max(b)) as u64) << 32);
        if (b) & 1 == 0 || a == b {
            *least = (*least).min((((0x1c7f80ac4 | q)) as u32 as u64 ^ (((b).is_multiple_of((a ^ 55) | 1) as u32) as u64) << 32).wrapping_sub(((p ^ 36)).count_ones() as u64 + (((p ^ 68)) & 0xffff_ffff) * 3));
            chosen.push(((q | (p ^ 58) ^ p & (p)) >= (((0xd967eab000 | q)).leading_zeros() * 100 + (p).trailing_zeros()) as u64 || (q).count_ones() as u64 + ((q) & 0xffff_ffff) * 3 != q) as u64);
        }
    }
}

#[kernel(workgroup(64))]
#[rustfmt::skip]
pub fn v2(#[count] n: u32, q: u64, x: &[u64], out: &mut [u64], sum: &mut u64, least: &mut u64, most: &mut u64, parity: &mut u64, chosen: &mut List<u64>) {
    *sum = 0x1c5ab2f25a885a96;
    chosen.clear();
    for i in 0..n {
        let mut p: u64 = x[i as usize];
        let a: u32 = (p >> 20) as u32;
        let b: u32 = p as u32;
        let c: i32 = q as i32;
        for k in 0..x.len() as u32 {
            p = p.wrapping_mul(0x169f680bc3b33543) ^ x[k as usize];
        }
        out[i as usize] ^= ((q | p ^ p & ((p ^ 33)) ^ p) & ((0xab6510230000 | q) ^ p) & q).min((((p) >= p || q != q) as u64) >> ((((0x189a3bcdc000 | q)).rotate_right(!(b ^ b))) & 63));
        *sum = sum.wrapping_add(((q).count_ones() as u64 + ((p) & 0xffff_ffff) * 3).wrapping_add(((p ^ 11)).rotate_left(!(b ^ b))));
        *parity ^= (((p ^ 18) ^ p) & (0x2bfc0db18 | q)).wrapping_mul((q) as u32 as u64 ^ ((a.wrapping_add((a ^ 42))) as u64) << 32);
        *most = (*most).max((((q).wrapping_add((p ^ 68))) >= (p).wrapping_add(p) || (p).wrapping_mul((p ^ 60)) != q) as u64);
        if c >= (c ^ 8) && b != 3 {
            *least = (*least).min((q | q ^ p & (q)).rotate_left(((a ^ 39)).wrapping_shr((0xbd0771d8 | b))));
            chosen.push((((0x2162b15e00000000 | q)).wrapping_mul(p)).rotate_left((c) as u32));
        }
    }
}

#[kernel(workgroup(64))]
#[rustfmt::skip]
pub fn v3(#[count] n: u32, q: u64, x: &[u64], out: &mut [u64], sum: &mut u64, least: &mut u64, most: &mut u64, parity: &mut u64, chosen: &mut List<u64>) {
    *sum = 0x4078d54b79490b65;
    chosen.clear();
    for i in 0..n {
        let mut p: u64 = x[i as usize];
        let a: u32 = (p >> 20) as u32;
        let b: u32 = p as u32;
        let c: i32 = q as i32;
        #[tile] for k in 0..x.len() as u32 {
            p = p.wrapping_mul(0xd38b0b415c1e5283) ^ x[k as usize];
        }
        out[i as usize] ^= (!(((p ^ 21)).count_ones() as u64 + ((p) & 0xffff_ffff) * 3 ^ q)).rotate_right((b).is_multiple_of(a | 1) as u32);
        *sum = sum.wrapping_add((if ((q ^ p) & q) < (q).min(p) { p ^ (q ^ p) & q } else { q ^ q | q ^ p & (p) }));
        *parity ^= (q | q ^ p & ((p ^ 55))) << ((((0xf3e9fb4 | b) ^ a) & (0x4e6f30e | b)) & 63);
        *most = (*most).max(((q).rotate_right(((a ^ 13)).wrapping_sub(a))).min(((p ^ 17)) >> ((!(p ^ q)) & 63)));
        if ((0x57fe4065 | b)) & 1 == 0 || a == b {
            *least = (*least).min(((p) as u32 as u64 ^ ((((0xfdc529c6 | b)).reverse_bits()) as u64) << 32) as u32 as u64 ^ (((b).wrapping_neg()) as u64) << 32);
            chosen.push(!((if (q) < p { p ^ q } else { q ^ q }) ^ q));
        }
    }
}

#[kernel(workgroup(64))]
#[rustfmt::skip]
pub fn v4(#[count] n: u32, q: u64, x: &[u64], out: &mut [u64], sum: &mut u64, least: &mut u64, most: &mut u64, parity: &mut u64, chosen: &mut List<u64>) {
    *sum = 0xd3eba9c1e323940c;
    chosen.clear();
    for i in 0..n {
        let mut p: u64 = x[i as usize];
        let a: u32 = (p >> 20) as u32;
        let b: u32 = p as u32;
        let c: i32 = q as i32;
        for k in 0..x.len() as u32 {
            p = p.wrapping_mul(0x3edb41e5fb7af389) ^ x[k as usize];
        }
        out[i as usize] ^= ((((q).count_ones() as u64 + (((0x32bc28f60 | q)) & 0xffff_ffff) * 3).leading_zeros() * 100 + (!(q ^ q)).trailing_zeros()) as u64).rotate_left(b | (a ^ 57) ^ a & (a));
        *sum = sum.wrapping_add((((0x115a6c6040000 | q)).wrapping_mul((p ^ 6))).count_ones() as u64 + (((q ^ p) & (p ^ 3)) & 0xffff_ffff) * 3);
        *parity ^= (if (((p).leading_zeros() * 100 + (q).trailing_zeros()) as u64) < q | (0x1621d023 | q) ^ p & (p) { p ^ ((p).leading_zeros() * 100 + (q).trailing_zeros()) as u64 } else { q ^ (((0x57037ea780000 | q)).leading_zeros() * 100 + ((p ^ 11)).trailing_zeros()) as u64 });
        *most = (*most).max(!(((p ^ 9)).wrapping_mul(p) ^ q));
        if ((0x4bdd9378 | b)) ^ a < b {
            *least = (*least).min((((p ^ 16)).max((p ^ 39))).count_ones() as u64 + ((((p) >= (p ^ 20) || (p ^ 41) != q) as u64) & 0xffff_ffff) * 3);
            chosen.push((if (q | (0x11a87708c0000 | q) ^ p & (p)) < (p).count_ones() as u64 + ((p) & 0xffff_ffff) * 3 { p ^ q | (0x11a87708c0000 | q) ^ p & (p) } else { q ^ (q).min((p ^ 40)) }));
        }
    }
}

#[kernel(workgroup(64))]
#[rustfmt::skip]
pub fn v5(#[count] n: u32, q: u64, x: &[u64], out: &mut [u64], sum: &mut u64, least: &mut u64, most: &mut u64, parity: &mut u64, chosen: &mut List<u64>) {
    *sum = 0x12500805f5374277;
    chosen.clear();
    for i in 0..n {
        let mut p: u64 = x[i as usize];
        let a: u32 = (p >> 20) as u32;
        let b: u32 = p as u32;
        let c: i32 = q as i32;
        #[tile] for k in 0..x.len() as u32 {
            p = p.wrapping_mul(0x20390fcb8c417791) ^ x[k as usize];
        }
        out[i as usize] ^= ((!(p ^ q)).min((if (q) < (p ^ 17) { p ^ q } else { q ^ (p ^ 42) }))).count_ones() as u64 + (((((0x97c20652 | q)).wrapping_mul((0xaec26791000 | q))).min((q ^ p) & p)) & 0xffff_ffff) * 3;
        *sum = sum.wrapping_add((((0xa438238f0000000 | q)) as u32 as u64 ^ ((a / ((a) | 1)) as u64) << 32).min(q | p ^ p & ((0x2de65ed600000000 | q))));
        *parity ^= (((p ^ 68)) as u32 as u64 ^ ((((a ^ 42)).count_ones() + b.leading_zeros() * 40) as u64) << 32).count_ones() as u64 + ((!(q ^ q)) & 0xffff_ffff) * 3;
        *most = (*most).max((((((0xfde295d4000000 | q)) >= (0x51aee19300000000 | q) || (p ^ 5) != q) as u64).leading_zeros() * 100 + (((p ^ 13)) as u32 as u64 ^ (((a ^ b) % (((a ^ 6)) | 1)) as u64) << 32).trailing_zeros()) as u64);
        if !(a > b) {
            *least = (*least).min(!(!((0x2cc6abd90000 | q) ^ q) ^ q));
            chosen.push((((p).leading_zeros() * 100 + ((0xe5a70d88000000 | q)).trailing_zeros()) as u64) as u32 as u64 ^ ((((0x2a294134 | b)).rotate_right((a ^ 59))) as u64) << 32);
        }
    }
}

#[kernel(workgroup(64))]
#[rustfmt::skip]
pub fn v6(#[count] n: u32, q: u64, x: &[u64], out: &mut [u64], sum: &mut u64, least: &mut u64, most: &mut u64, parity: &mut u64, chosen: &mut List<u64>) {
    *sum = 0x63b515685f046dfb;
    chosen.clear();
    for i in 0..n {
        let mut p: u64 = x[i as usize];
        let a: u32 = (p >> 20) as u32;
        let b: u32 = p as u32;
        let c: i32 = q as i32;
        for k in 0..x.len() as u32 {
            p = p.wrapping_mul(0x3c2970c60b8885b5) ^ x[k as usize];
        }
        out[i as usize] ^= (if (q | q | (0x59995493 | q) ^ p & ((p ^ 2)) ^ p & ((q).rotate_left(a / (((0x9498e93c | b)) | 1)))) < (((0x18a19068c000000 | q)) >> (((q).rotate_right((b).reverse_bits())) & 63)).max(q | (0xbb07e9b00000 | q) ^ p & (q)) { p ^ q | q | (0x59995493 | q) ^ p & ((p ^ 2)) ^ p & ((q).rotate_left(a / (((0x9498e93c | b)) | 1))) } else { q ^ ((p ^ p) & (p ^ 30)).wrapping_add(((p ^ 66)) >> ((!((0xf2a6320a000 | q) ^ q)) & 63)) });
        *sum = sum.wrapping_add((q | (p ^ 1) ^ p & ((0x21f1472100000000 | q))).max(((p ^ 6)).wrapping_add((p ^ 25))));
        *parity ^= ((p).wrapping_sub(q)).wrapping_add((((0xb7ada8100 | q)) >= (0x249901fe0000000 | q) || p != q) as u64);
        *most = (*most).max(((if ((0xf2f6866e0 | q)) < p { p ^ (0xf2f6866e0 | q) } else { q ^ q })).count_ones() as u64 + (((((0xd8e50f00 | q)).leading_zeros() * 100 + ((0x19c59edb400000 | q)).trailing_zeros()) as u64) & 0xffff_ffff) * 3);
        if (a > b) != (a > b) {
            *least = (*least).min(((if ((p ^ 31)) < q { p ^ (p ^ 31) } else { q ^ (p ^ 27) })).rotate_right(b | a ^ a & ((a ^ 22))));
            chosen.push(((q) << ((((a ^ 31)).max((0xdfe73527 | b))) & 63)).wrapping_mul(((p).leading_zeros() * 100 + ((p ^ 13)).trailing_zeros()) as u64));
        }
    }
}

#[kernel(workgroup(64))]
#[rustfmt::skip]
pub fn v7(#[count] n: u32, q: u64, x: &[u64], out: &mut [u64], sum: &mut u64, least: &mut u64, most: &mut u64, parity: &mut u64, chosen: &mut List<u64>) {
    *sum = 0x1d13e6bf7ca602bc;
    chosen.clear();
    for i in 0..n {
        let mut p: u64 = x[i as usize];
        let a: u32 = (p >> 20) as u32;
        let b: u32 = p as u32;
        let c: i32 = q as i32;
        #[tile] for k in 0..x.len() as u32 {
            p = p.wrapping_mul(0x29c8b8cffe6ed615) ^ x[k as usize];
        }
        out[i as usize] ^= ((((p ^ 48)).wrapping_mul(p)).wrapping_mul((q).min((p ^ 45)))).wrapping_sub(q | ((p) >= p || q != q) as u64 ^ p & (((0xf1544fe1000000 | q) ^ p) & p));
        *sum = sum.wrapping_add(((!(q ^ q)) >= ((0x303954d300000000 | q)) << ((a.rotate_right(a)) & 63) || ((p ^ 44)) >> (((q) << ((((0xbe206f0 | b) ^ b) % ((a) | 1)) & 63)) & 63) != q) as u64);
        *parity ^= ((if ((p ^ 8)) < q { p ^ (p ^ 8) } else { q ^ p })).count_ones() as u64 + (((((0x1cd53641e | q)) >= q || q != q) as u64) & 0xffff_ffff) * 3;
        *most = (*most).max((((0xc379161800 | q)).rotate_left(((a ^ 65) ^ b) % ((a) | 1))).wrapping_add((p).rotate_right(((a ^ 12)) >> (((a ^ 18)) & 31))));
        if !(a > b) {
            *least = (*least).min(((q).count_ones() as u64 + (((0x30b366bc80 | q)) & 0xffff_ffff) * 3).wrapping_add((q).count_ones() as u64 + ((p) & 0xffff_ffff) * 3));
            chosen.push((if (q | p ^ p & ((p ^ 12))) < (if ((p ^ 52)) < p { p ^ (p ^ 52) } else { q ^ q }) { p ^ q | p ^ p & ((p ^ 12)) } else { q ^ q | q ^ p & (q) }));
        }
    }
}
