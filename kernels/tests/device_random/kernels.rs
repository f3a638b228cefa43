//! Random kernels. Generated: `OROGEN_BLESS=1 cargo test -p kernels --test device_random_text`.
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
        out[i as usize] ^= ((!(q ^ q)).wrapping_mul(q | q ^ p & (q))).max(((((p ^ 38)) >= (0x3601ebc1800 | q) || (p ^ 30) != q) as u64).wrapping_sub((p ^ p) & q));
        *sum = sum.wrapping_add(((((0xd5bc6a080000 | q)) >> ((q | (p ^ 53) ^ p & ((p ^ 62))) & 63)) >= ((0x7567a2bc000000 | q)) << ((a / ((a) | 1)) & 63) || ((p).leading_zeros() * 100 + ((p ^ 29)).trailing_zeros()) as u64 != q) as u64);
        *parity ^= q | ((p).leading_zeros() * 100 + (p).trailing_zeros()) as u64 ^ p & ((((0xa38ff6eb000 | q)).leading_zeros() * 100 + ((p ^ 60)).trailing_zeros()) as u64);
        *most = (*most).max(((q).wrapping_add(q)).count_ones() as u64 + ((((0x6d103a28000 | q)).count_ones() as u64 + ((q) & 0xffff_ffff) * 3) & 0xffff_ffff) * 3);
        if (a > b) == (a > b) {
            *least = (*least).min((((p ^ 27)).max((p ^ 6))) >> ((((0x5bb8ea800 | q)).count_ones() as u64 + (((p ^ 69)) & 0xffff_ffff) * 3) & 63));
            chosen.push(((q) as u32 as u64 ^ ((b.wrapping_sub(a)) as u64) << 32).wrapping_mul((p).min(q)));
        }
    }
}

#[kernel(workgroup(64))]
#[rustfmt::skip]
pub fn v1(#[count] n: u32, q: u64, x: &[u64], out: &mut [u64], sum: &mut u64, least: &mut u64, most: &mut u64, parity: &mut u64, chosen: &mut List<u64>) {
    *sum = 0x3ac4e2e4647dbb25;
    chosen.clear();
    for i in 0..n {
        let mut p: u64 = x[i as usize];
        let a: u32 = (p >> 20) as u32;
        let b: u32 = p as u32;
        let c: i32 = q as i32;
        #[tile] for k in 0..x.len() as u32 {
            p = p.wrapping_mul(0xc317aac307908a25) ^ x[k as usize];
        }
        out[i as usize] ^= (q | (if ((p ^ 24)) < p { p ^ (p ^ 24) } else { q ^ (0xbc24e3680000 | q) }) ^ p & (!((p ^ 39) ^ q))).wrapping_mul(((p) << (((b).max((0x8915f584 | b))) & 63)).min(((0x254ecc46c000 | q) ^ p) & q));
        *sum = sum.wrapping_add(!((p).max((0x5fe02798800000 | q)) ^ q));
        *parity ^= !((q ^ p) & q ^ q);
        *most = (*most).max(q | ((q).leading_zeros() * 100 + (p).trailing_zeros()) as u64 ^ p & (((0x2f3ce44ac0000 | q)) << ((((a ^ 20)).wrapping_add((0xc6616793 | b))) & 63)));
        if c >= (c ^ 3) && b != 3 {
            *least = (*least).min(((((0x3d5cb12f40 | q)).wrapping_sub((0x1c7f80ac4 | q))) >= !(q ^ q) || ((p ^ 55)).wrapping_add((p ^ 36)) != q) as u64);
            chosen.push((q | p ^ p & ((p ^ 2))) << ((((a ^ 14)).wrapping_shr((0xd967eab0 | b))) & 63));
        }
    }
}

#[kernel(workgroup(64))]
#[rustfmt::skip]
pub fn v2(#[count] n: u32, q: u64, x: &[u64], out: &mut [u64], sum: &mut u64, least: &mut u64, most: &mut u64, parity: &mut u64, chosen: &mut List<u64>) {
    *sum = 0x5d179747b301e0c9;
    chosen.clear();
    for i in 0..n {
        let mut p: u64 = x[i as usize];
        let a: u32 = (p >> 20) as u32;
        let b: u32 = p as u32;
        let c: i32 = q as i32;
        for k in 0..x.len() as u32 {
            p = p.wrapping_mul(0xe3d6ce7c8d78be31) ^ x[k as usize];
        }
        out[i as usize] ^= (((p).wrapping_add((p ^ 46))).count_ones() as u64 + ((((p ^ 52)).wrapping_mul((p ^ 33))) & 0xffff_ffff) * 3) as u32 as u64 ^ ((b | (0xab651023 | b) ^ a & (b)) as u64) << 32;
        *sum = sum.wrapping_add(((q).count_ones() as u64 + ((p) & 0xffff_ffff) * 3) << (((a ^ a) & b) & 63));
        *parity ^= ((((0x189a3bcdc000 | q)).wrapping_mul(q)) >= (q) as u32 as u64 ^ (((c) as u32) as u64) << 32 || (q) << ((!(b ^ b)) & 63) != q) as u64;
        *most = (*most).max(((((p ^ 18)).leading_zeros() * 100 + ((0x2bfc0db18 | q)).trailing_zeros()) as u64) as u32 as u64 ^ (((b).clamp(37, 43004)) as u64) << 32);
        if c >= c && b != 3 {
            *least = (*least).min(((q) as u32 as u64 ^ ((((a ^ 68)).wrapping_shr(a)) as u64) << 32).count_ones() as u64 + ((((p) >= (p ^ 68) || (p ^ 2) != q) as u64) & 0xffff_ffff) * 3);
            chosen.push(((q) as u32 as u64 ^ (((b ^ a) & b) as u64) << 32) >> ((!((p ^ 39) ^ q)) & 63));
        }
    }
}

#[kernel(workgroup(64))]
#[rustfmt::skip]
pub fn v3(#[count] n: u32, q: u64, x: &[u64], out: &mut [u64], sum: &mut u64, least: &mut u64, most: &mut u64, parity: &mut u64, chosen: &mut List<u64>) {
    *sum = 0xd2baaf8bbd0771d8;
    chosen.clear();
    for i in 0..n {
        let mut p: u64 = x[i as usize];
        let a: u32 = (p >> 20) as u32;
        let b: u32 = p as u32;
        let c: i32 = q as i32;
        #[tile] for k in 0..x.len() as u32 {
            p = p.wrapping_mul(0xc8d7ba5b2162b15f) ^ x[k as usize];
        }
        out[i as usize] ^= q | (((p ^ 44)).wrapping_sub(q)).min((q) << ((a.count_ones() + b.leading_zeros() * 40) & 63)) ^ p & ((((0xf6fdcdca000000 | q)) as u32 as u64 ^ ((a.min((0x31529141 | b))) as u64) << 32) << (((a).max((a ^ 51))) & 63));
        *sum = sum.wrapping_add(((q).wrapping_sub((0xaf106eec | q))).wrapping_sub((p) >> (((q ^ p) & q) & 63)));
        *parity ^= q | ((p ^ 3)).count_ones() as u64 + ((q) & 0xffff_ffff) * 3 ^ p & (((p ^ 19)) << ((((a ^ 13)).wrapping_sub(a)) & 63));
        *most = (*most).max(((((0x221e1b9b800 | q)) >> (((p ^ p) & (0x43fa5a0b800 | q)) & 63)) >= ((p).leading_zeros() * 100 + ((p ^ 52)).trailing_zeros()) as u64 || (((p ^ 57)).leading_zeros() * 100 + (q).trailing_zeros()) as u64 != q) as u64);
        if c >= c && b != 3 {
            *least = (*least).min((((q) >= q || p != q) as u64 ^ p) & (p) >> ((q | (0x69f3536980 | q) ^ p & ((0xacce065100000000 | q))) & 63));
            chosen.push((((0xdc18b06400000 | q)) << (((if a > b { a ^ a } else { b ^ (a ^ 50) })) & 63)).max(((p ^ 6)).wrapping_mul(q)));
        }
    }
}

#[kernel(workgroup(64))]
#[rustfmt::skip]
pub fn v4(#[count] n: u32, q: u64, x: &[u64], out: &mut [u64], sum: &mut u64, least: &mut u64, most: &mut u64, parity: &mut u64, chosen: &mut List<u64>) {
    *sum = 0x8405cef0940a4756;
    chosen.clear();
    for i in 0..n {
        let mut p: u64 = x[i as usize];
        let a: u32 = (p >> 20) as u32;
        let b: u32 = p as u32;
        let c: i32 = q as i32;
        for k in 0..x.len() as u32 {
            p = p.wrapping_mul(0x232f43133e14a619) ^ x[k as usize];
        }
        out[i as usize] ^= (((((0x52260b0480000000 | q)) as u32 as u64 ^ ((((0x8e3c71cc | b)).wrapping_sub(a)) as u64) << 32).min(((0x118b1f4f00 | q)) >> (((q) << ((((c ^ 1)).count_ones() * 33 + ((0xfc9e4026 | b)).leading_zeros()) & 63)) & 63))).leading_zeros() * 100 + (((p).count_ones() as u64 + (((p ^ 44)) & 0xffff_ffff) * 3).wrapping_sub(q | (0x1d2f3e7440000000 | q) ^ p & ((p ^ 20)))).trailing_zeros()) as u64;
        *sum = sum.wrapping_add(((if ((p ^ 41)) < (p ^ 29) { p ^ (p ^ 41) } else { q ^ q })).wrapping_add((q).wrapping_add((p ^ 34))));
        *parity ^= q | (q).max((p ^ 40)) ^ p & (((0x20390fcb0000 | q)).count_ones() as u64 + (((0x1c695b50e0 | q)) & 0xffff_ffff) * 3);
        *most = (*most).max(((((0x84c50b1e0000000 | q)).wrapping_add((p ^ 60))) >= (q) >> ((q | (0x116d2d7ee | q) ^ p & (p)) & 63) || !(q ^ q) != q) as u64);
        if ((0xa438238f | b)) ^ a < b {
            *least = (*least).min((((q).min(p)) >= (q).count_ones() as u64 + ((q) & 0xffff_ffff) * 3 || ((0x2de65ed600000000 | q)) as u32 as u64 ^ ((a.rotate_left((a ^ 42) & 63) ^ a.trailing_zeros()) as u64) << 32 != q) as u64);
            chosen.push(((q).min((p ^ 31))).wrapping_sub((((0xfde295d4000000 | q)) >= (0x51aee19300000000 | q) || (p ^ 5) != q) as u64));
        }
    }
}

#[kernel(workgroup(64))]
#[rustfmt::skip]
pub fn v5(#[count] n: u32, q: u64, x: &[u64], out: &mut [u64], sum: &mut u64, least: &mut u64, most: &mut u64, parity: &mut u64, chosen: &mut List<u64>) {
    *sum = 0x34b6a23808314086;
    chosen.clear();
    for i in 0..n {
        let mut p: u64 = x[i as usize];
        let a: u32 = (p >> 20) as u32;
        let b: u32 = p as u32;
        let c: i32 = q as i32;
        #[tile] for k in 0..x.len() as u32 {
            p = p.wrapping_mul(0x14690341533f22d3) ^ x[k as usize];
        }
        out[i as usize] ^= (((p) as u32 as u64 ^ ((((a ^ 6)).wrapping_shl((0x598d57b2 | b))) as u64) << 32).max((q).wrapping_mul(p))).wrapping_mul(((((0xe5a70d88000000 | q)) >= (0x5452826800000 | q) || (p ^ 59) != q) as u64).wrapping_add(((0xf0a5c31800 | q)) >> ((!((0x8e6c1b8c000000 | q) ^ q)) & 63)));
        *sum = sum.wrapping_add((((p ^ 42)) << (((a).wrapping_shl(a)) & 63) ^ p) & (q).wrapping_mul((0x5d9aa8120000 | q)));
        *parity ^= ((q).wrapping_add(q)).max((((0x5e0792758 | q)) >= (0x1cb1c685a0000 | q) || p != q) as u64);
        *most = (*most).max((((p ^ 30)) << ((((c ^ 6)).count_ones() * 33 + ((a ^ 66)).leading_zeros()) & 63)) >> ((((q).leading_zeros() * 100 + (q).trailing_zeros()) as u64) & 63));
        if c <= (c ^ 3) {
            *least = (*least).min((((0x19fbbf1b20000 | q)).count_ones() as u64 + ((p) & 0xffff_ffff) * 3).count_ones() as u64 + ((((0x7c0e5d1000 | q)).min((0xea91dc2f | q))) & 0xffff_ffff) * 3);
            chosen.push((((0xf18f9c9900000000 | q)) << ((((0xaa5b398 | b)).wrapping_sub((0x6f0918bc | b))) & 63)) as u32 as u64 ^ ((a.count_ones() + ((a ^ 31)).leading_zeros() * 40) as u64) << 32);
        }
    }
}

#[kernel(workgroup(64))]
#[rustfmt::skip]
pub fn v6(#[count] n: u32, q: u64, x: &[u64], out: &mut [u64], sum: &mut u64, least: &mut u64, most: &mut u64, parity: &mut u64, chosen: &mut List<u64>) {
    *sum = 0x6c728788e4383ca;
    chosen.clear();
    for i in 0..n {
        let mut p: u64 = x[i as usize];
        let a: u32 = (p >> 20) as u32;
        let b: u32 = p as u32;
        let c: i32 = q as i32;
        for k in 0..x.len() as u32 {
            p = p.wrapping_mul(0x8bbca164961b0967) ^ x[k as usize];
        }
        out[i as usize] ^= ((((q).leading_zeros() * 100 + ((0xa574ddb400000 | q)).trailing_zeros()) as u64).max(((q).leading_zeros() * 100 + (q).trailing_zeros()) as u64) ^ p) & (!(p ^ q)).min(((p ^ 69)).wrapping_sub((p ^ 31)));
        *sum = sum.wrapping_add(((q ^ p) & (0x3225302400000 | q)).wrapping_add(((p ^ 13)) >> (((p).wrapping_mul(q)) & 63)));
        *parity ^= (((p ^ 48)).max(p)) as u32 as u64 ^ (((b).is_multiple_of((a ^ 45) | 1) as u32) as u64) << 32;
        *most = (*most).max(q | (q).count_ones() as u64 + ((q) & 0xffff_ffff) * 3 ^ p & ((q) << ((((0xf1544fe1 | b)).wrapping_neg()) & 63)));
        if (a > b) | (a > b) {
            *least = (*least).min(((p).max((0x12ae3c5000 | q)) ^ p) & (q ^ p) & p);
            chosen.push(q | q | p ^ p & ((p ^ 44)) ^ p & (((q) >= (0x2f881bc00000000 | q) || p != q) as u64));
        }
    }
}

#[kernel(workgroup(64))]
#[rustfmt::skip]
pub fn v7(#[count] n: u32, q: u64, x: &[u64], out: &mut [u64], sum: &mut u64, least: &mut u64, most: &mut u64, parity: &mut u64, chosen: &mut List<u64>) {
    *sum = 0xd0dca29a0a9d6f50;
    chosen.clear();
    for i in 0..n {
        let mut p: u64 = x[i as usize];
        let a: u32 = (p >> 20) as u32;
        let b: u32 = p as u32;
        let c: i32 = q as i32;
        #[tile] for k in 0..x.len() as u32 {
            p = p.wrapping_mul(0x3c6170ecf89f3679) ^ x[k as usize];
        }
        out[i as usize] ^= (!(((p) >= (0x1cd53641e | q) || p != q) as u64 ^ q)).count_ones() as u64 + (((((0xc379161800 | q)).wrapping_sub((p ^ 65))).max((p).count_ones() as u64 + ((p) & 0xffff_ffff) * 3)) & 0xffff_ffff) * 3;
        *sum = sum.wrapping_add(((if ((p ^ 6)) < (p ^ 6) { p ^ (p ^ 6) } else { q ^ p })) << ((b << (((0xc2cd9af2 | b)) & 31)) & 63));
        *parity ^= (((p ^ 23)).wrapping_mul(q)).wrapping_add((p ^ p) & (p ^ 12));
        *most = (*most).max((((0x1220fd99400 | q)).count_ones() as u64 + ((p) & 0xffff_ffff) * 3).wrapping_sub((q ^ p) & q));
        if c >= c && b != 3 {
            *least = (*least).min(!(((p ^ 18)) << (((b).reverse_bits()) & 63) ^ q));
            chosen.push(((if ((0xf46981ec0000000 | q)) < q { p ^ (0xf46981ec0000000 | q) } else { q ^ (p ^ 3) })).min(((q) >= q || (0x6f9a6f7300000000 | q) != q) as u64));
        }
    }
}
