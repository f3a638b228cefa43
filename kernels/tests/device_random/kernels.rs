//! Random kernels. Generated: `OROGEN_BLESS=1 cargo test -p kernels --test device_random`.
#![allow(warnings, clippy::all, reason = "random")]

use kernels::kernel;

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
            if ((if a > b { a ^ (a ^ 16) } else { b ^ (0xdd5a9bd0 | b) })) ^ a < b {
                continue;
            }
            let b: u32 = b | b.wrapping_mul((0x66f05eb1 | b)) ^ a & (b >> (((0xd92fe7cc | b)) & 31));
            out[at as usize] = out[at as usize] ^ ((b | ((a ^ 30)).min((a ^ 11)) ^ a & ((a ^ a) & (a ^ 58))).count_ones() + ((a / (((a ^ 9)) | 1) ^ b) % ((b.count_ones() + a.leading_zeros() * 40) | 1)).leading_zeros() * 40);
            *sum = sum.wrapping_add((((0x659ccf52 | b) ^ b) % ((a) | 1)).rotate_left(((a ^ 66)).wrapping_sub((0x645d599a | b)) & 63) ^ (((0x659ccf52 | b) ^ b) % ((a) | 1)).trailing_zeros());
            *parity ^= (((0x76809d9b | b)) ^ a < b) as u32 ^ ((a ^ 60)).count_ones() + a.leading_zeros() * 40;
            if (a) ^ a < b {
                *least = (*least).min((b | (0xb388038e | b) ^ a & ((0xc9f8edb4 | b))).rotate_left(b.wrapping_sub((a ^ 43)) & 63) ^ (b | (0xb388038e | b) ^ a & ((0xc9f8edb4 | b))).trailing_zeros());
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
            if (c >= (c ^ 6) && b != 3) != (((a ^ 39)) ^ a < b) {
                continue;
            }
            let b: u32 = (b.count_ones() + a.leading_zeros() * 40 ^ b) % ((!((0x41788473 | b) ^ b)) | 1);
            out[at as usize] = out[at as usize] ^ ((if !(c >= (c ^ 3) && b != 3) { a ^ ((a > b) as u32 ^ b).wrapping_add(((0x20f3416d | b) ^ a) & (a ^ 38)) } else { b ^ (b | b ^ a & ((0xdc55a08f | b))).count_ones() + (a.wrapping_sub((a ^ 20))).leading_zeros() * 40 }));
            *sum = sum.wrapping_add((((a ^ 42) ^ b) % (((0x36bd6fac | b)) | 1) ^ a) & (a ^ a) & (0xc24838a1 | b));
            *parity ^= (a.wrapping_add((0xce2e600a | b))).wrapping_mul((a ^ a) & (a ^ 5));
            if (b) ^ a < b {
                *least = (*least).min(a / (((if a > b { a ^ a } else { b ^ (a ^ 23) })) | 1));
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
            if (a.wrapping_sub(b)) & 1 == 0 || a == b {
                continue;
            }
            let b: u32 = (if ((a ^ 59)) & 1 == 0 || a == b { a ^ b.min((0x23b5e2cd | b)) } else { b ^ b.count_ones() + b.leading_zeros() * 40 });
            out[at as usize] = out[at as usize] ^ (((((a ^ 69)).min(b)).wrapping_sub(b.count_ones() + b.leading_zeros() * 40) ^ a) & (b >> ((a) & 31)).wrapping_mul(((0xbc3dddfc | b) ^ a) & (0x1bfb61d4 | b)));
            *sum = sum.wrapping_add((if (a) & 1 == 0 || a == b { a ^ b.min(a) } else { b ^ (if a > b { a ^ a } else { b ^ (a ^ 31) }) }));
            *parity ^= (((0x84f96d15 | b)) >> ((a) & 31)) << ((((a ^ 56) ^ b) % ((b) | 1)) & 31);
            if !(a > b) {
                *least = (*least).min((!((0xe64c2f4 | b) ^ b)).wrapping_sub(b.wrapping_add(a)));
            }
        }
    }
}

#[kernel]
#[rustfmt::skip]
pub fn k3(width: u32, height: u32, x: &[u32], y: &[i32], out: &mut [u32]) {
    for row in 0..height {
        for column in 0..width {
            let at = row * width + column;
            let a: u32 = x[at as usize];
            let c: i32 = y[at as usize];
            let mut b = at;
            #[tile(8)] for k in 0..height {
                b = b.rotate_left(3) ^ x[(k * width + column) as usize];
            }
            let b: u32 = a / ((!(b ^ b)) | 1);
            out[at as usize] = out[at as usize] ^ (((((c ^ 3)) as u32).wrapping_add(b.wrapping_mul((0x995f3a25 | b)))) << (((!(b ^ b) ^ a) & a / ((a) | 1)) & 31));
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
            if (((a ^ 6)).rotate_left(b & 63) ^ ((a ^ 6)).trailing_zeros()) ^ a < b {
                continue;
            }
            let b: u32 = (((0xa72ecd3a | b)).wrapping_add((0xf3319a7f | b))).min((a > b) as u32 ^ (a ^ 4));
            out[at as usize] = out[at as usize] ^ (((b.count_ones() + ((0xe7f5c4d4 | b)).leading_zeros() * 40 ^ a) & (if a > b { a ^ (a ^ 40) } else { b ^ a })).wrapping_sub(((c) as u32).min(((0x1512b7be | b)).count_ones() + ((0x7190ed4c | b)).leading_zeros() * 40)));
            *sum = sum.wrapping_add((a.rotate_left((a ^ 58) & 63) ^ a.trailing_zeros() ^ a) & ((0xfeca940b | b)).wrapping_mul(a));
            *parity ^= (b.wrapping_mul((a ^ 37))).min(a / (((0x99d801cd | b)) | 1));
            if ((a ^ 21)) & 1 == 0 || a == b {
                *least = (*least).min((((a ^ 68)).min((a ^ 32))) >> ((a.min((a ^ 68))) & 31));
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
            if (((0x13ead1eb | b)) >> (((0xcad909b8 | b)) & 31)) ^ a < b {
                continue;
            }
            let b: u32 = (if (a > b) != (a > b) { a ^ (c) as u32 } else { b ^ b.wrapping_sub((0xa039367e | b)) });
            out[at as usize] = out[at as usize] ^ (((if ((0x13307d69 | b)) ^ a < b { a ^ ((a ^ 17) ^ b) % (((a ^ 31)) | 1) } else { b ^ ((a ^ 52)).count_ones() + b.leading_zeros() * 40 })).wrapping_mul((!(b ^ b)).wrapping_sub(a.wrapping_add(b))));
            *sum = sum.wrapping_add((((a ^ 9)) >> (((0xb2580b5e | b)) & 31)).wrapping_mul((a ^ b) % (((a ^ 32)) | 1)));
            *parity ^= !(b >> ((b) & 31) ^ b);
            if (b) & 1 == 0 || a == b {
                *least = (*least).min(((a ^ a) & (a ^ 53) ^ b) % ((a.wrapping_add((0x8e713fb7 | b))) | 1));
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
            if (a.wrapping_add(b)) ^ a < b {
                continue;
            }
            let b: u32 = (b.rotate_left((a ^ 25) & 63) ^ b.trailing_zeros() ^ b) % ((((0x792695a2 | b) ^ a) & (0xa2f2124c | b)) | 1);
            out[at as usize] = out[at as usize] ^ (b | (((0xc09cea89 | b)) << ((b) & 31) ^ b) % ((((a ^ 68)).wrapping_mul((a ^ 3))) | 1) ^ a & (!((a ^ b) % ((a) | 1) ^ b)));
            *sum = sum.wrapping_add((b.wrapping_sub(b)).min(((c ^ 1)) as u32));
            *parity ^= !(a.min(a) ^ b);
            if c >= (c ^ 4) && b != 3 {
                *least = (*least).min(((if a > b { a ^ (0x49492831 | b) } else { b ^ (a ^ 60) }) ^ a) & a >> ((b) & 31));
            }
        }
    }
}

#[kernel]
#[rustfmt::skip]
pub fn k7(width: u32, height: u32, x: &[u32], y: &[i32], out: &mut [u32]) {
    for row in 0..height {
        for column in 0..width {
            let at = row * width + column;
            let a: u32 = x[at as usize];
            let c: i32 = y[at as usize];
            let mut b = at;
            #[tile(8)] for k in 0..height {
                b = b.rotate_left(3) ^ x[(k * width + column) as usize];
            }
            let b: u32 = b | a / ((a) | 1) ^ a & ((a > b) as u32 ^ b);
            out[at as usize] = out[at as usize] ^ (b | ((a > b) as u32 ^ (a ^ 5)).wrapping_sub(((0xeedd298e | b)).count_ones() + b.leading_zeros() * 40) ^ a & (((if a > b { a ^ (0xd3977233 | b) } else { b ^ (0x13c0ed1 | b) })).rotate_left(b | a ^ a & ((a ^ 46)) & 63) ^ ((if a > b { a ^ (0xd3977233 | b) } else { b ^ (0x13c0ed1 | b) })).trailing_zeros()));
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
            if ((a > b) as u32 ^ (a ^ 13)) ^ a < b {
                continue;
            }
            let b: u32 = a / ((!((a ^ 68) ^ b)) | 1);
            out[at as usize] = out[at as usize] ^ (!((((a ^ 59)).wrapping_add(a) ^ b) % ((a.rotate_left((a ^ 10) & 63) ^ a.trailing_zeros()) | 1) ^ b));
            *sum = sum.wrapping_add((((0x2346deb4 | b)).rotate_left((0xb133e421 | b) & 63) ^ ((0x2346deb4 | b)).trailing_zeros()) >> (((b ^ a) & a) & 31));
            *parity ^= (((a ^ 51)) ^ a < b) as u32 ^ b << ((b) & 31);
            if c >= c && b != 3 {
                *least = (*least).min((((0x19e45eb2 | b)).rotate_left((a ^ 57) & 63) ^ ((0x19e45eb2 | b)).trailing_zeros()).rotate_left(a.min((0xb7958156 | b)) & 63) ^ (((0x19e45eb2 | b)).rotate_left((a ^ 57) & 63) ^ ((0x19e45eb2 | b)).trailing_zeros()).trailing_zeros());
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
            if (a.rotate_left(b & 63) ^ a.trailing_zeros()) ^ a < b {
                continue;
            }
            let b: u32 = (((a ^ 42)).rotate_left((a ^ 41) & 63) ^ ((a ^ 42)).trailing_zeros()).count_ones() + ((if a > b { a ^ (a ^ 63) } else { b ^ (0xe406091a | b) })).leading_zeros() * 40;
            out[at as usize] = out[at as usize] ^ (((a / (((a ^ 65)) | 1)).wrapping_sub(((c ^ 2)) as u32)).rotate_left(a / ((b | b ^ a & (a)) | 1) & 63) ^ ((a / (((a ^ 65)) | 1)).wrapping_sub(((c ^ 2)) as u32)).trailing_zeros());
            *sum = sum.wrapping_add((!((0x76841d36 | b) ^ b)).wrapping_mul(b << ((a) & 31)));
            *parity ^= (if c >= (c ^ 5) && b != 3 { a ^ b.wrapping_mul((a ^ 0)) } else { b ^ ((0x5cd3044d | b)).min((a ^ 11)) });
            if !(a > b) {
                *least = (*least).min((b | b ^ a & (a)).wrapping_add((c) as u32));
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
            if ((a ^ a) & a) & 1 == 0 || a == b {
                continue;
            }
            let b: u32 = a / ((((0x57098423 | b)).wrapping_mul((0x2eb08bce | b))) | 1);
            out[at as usize] = out[at as usize] ^ (((((0x8cd6de91 | b)).wrapping_add((0xdef82b7 | b)) ^ a) & ((0xaeb5d6b2 | b)) << ((a) & 31)).wrapping_mul(((c).wrapping_mul(c)) as u32));
            *sum = sum.wrapping_add((!((0x6abbd448 | b) ^ b)).wrapping_add(!((0x346cc411 | b) ^ b)));
            *parity ^= (c >= (c ^ 3) && b != 3) as u32 ^ (a > b) as u32 ^ b;
            if c >= (c ^ 6) && b != 3 {
                *least = (*least).min((((c ^ 0)) as u32).count_ones() + (((0x4500fb78 | b) ^ a) & (a ^ 52)).leading_zeros() * 40);
            }
        }
    }
}

#[kernel]
#[rustfmt::skip]
pub fn k11(width: u32, height: u32, x: &[u32], y: &[i32], out: &mut [u32]) {
    for row in 0..height {
        for column in 0..width {
            let at = row * width + column;
            let a: u32 = x[at as usize];
            let c: i32 = y[at as usize];
            let mut b = at;
            #[tile(8)] for k in 0..height {
                b = b.rotate_left(3) ^ x[(k * width + column) as usize];
            }
            let b: u32 = (((c ^ 8)) % (c & 31 | 1)) as u32;
            out[at as usize] = out[at as usize] ^ (((a / (((a ^ 13)) | 1) ^ b) % ((((a ^ 41)).wrapping_sub((0x245befe0 | b))) | 1) ^ a) & (b.wrapping_mul((0xa1a2a347 | b))).min(((0xc3c23b00 | b) ^ a) & a));
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
            if c >= ((c ^ 2)) % (c & 31 | 1) && b != 3 {
                continue;
            }
            let b: u32 = a / (((c) as u32) | 1);
            out[at as usize] = out[at as usize] ^ ((b | ((0x2d2f6830 | b)).wrapping_sub(a) ^ a & ((a > b) as u32 ^ b)).wrapping_sub((b | a ^ a & (b)).min(((c ^ 4)) as u32)));
            *sum = sum.wrapping_add((((a ^ 19) ^ a) & (0x97dff82e | b) ^ b) % ((a >> ((b) & 31)) | 1));
            *parity ^= b | !(b ^ b) ^ a & (a.count_ones() + ((0x3379927b | b)).leading_zeros() * 40);
            if c >= (c ^ 5) && b != 3 {
                *least = (*least).min((b | (0x2359eb31 | b) ^ a & (a)).wrapping_mul(((c ^ 0)) as u32));
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
            if (c >= (c ^ 8) && b != 3) != (c >= (c ^ 5) && b != 3) {
                continue;
            }
            let b: u32 = ((if a > b { a ^ a } else { b ^ (0x55a08720 | b) })).wrapping_add(b >> (((0x9727d74 | b)) & 31));
            out[at as usize] = out[at as usize] ^ (!((((a ^ 0)).wrapping_add(a)) >> ((a.rotate_left((0xa88e038e | b) & 63) ^ a.trailing_zeros()) & 31) ^ b));
            *sum = sum.wrapping_add((b | a ^ a & (a)).wrapping_mul(((c ^ 2)) as u32));
            *parity ^= (((c ^ 6)).max(-156)) as u32;
            if ((0x9580d1d9 | b)) ^ a < b {
                *least = (*least).min((b | a ^ a & (b)).wrapping_sub(a << ((a) & 31)));
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
            if (c >= (c ^ 6) && b != 3) != (((0xa16b14d3 | b)) ^ a < b) {
                continue;
            }
            let b: u32 = (((c ^ 4)) >> ((a) & 31)) as u32;
            out[at as usize] = out[at as usize] ^ (((((c ^ 6)) as u32).count_ones() + (b | (0xe3ebc40d | b) ^ a & ((0xa1412c91 | b))).leading_zeros() * 40).count_ones() + ((if c >= c && b != 3 { a ^ a << (((0x792c34dd | b)) & 31) } else { b ^ b.wrapping_sub(b) })).leading_zeros() * 40);
            *sum = sum.wrapping_add((if (a > b) != (a > b) { a ^ ((a ^ 53)).count_ones() + a.leading_zeros() * 40 } else { b ^ ((a ^ 0)) >> (((a ^ 52)) & 31) }));
            *parity ^= ((c) % (c & 31 | 1)) as u32;
            if ((a ^ 23)) ^ a < b {
                *least = (*least).min(((a ^ a) & a ^ b) % ((((0xefd8ed54 | b) ^ b) % (((0x35ea902e | b)) | 1)) | 1));
            }
        }
    }
}

#[kernel]
#[rustfmt::skip]
pub fn k15(width: u32, height: u32, x: &[u32], y: &[i32], out: &mut [u32]) {
    for row in 0..height {
        for column in 0..width {
            let at = row * width + column;
            let a: u32 = x[at as usize];
            let c: i32 = y[at as usize];
            let mut b = at;
            #[tile(8)] for k in 0..height {
                b = b.rotate_left(3) ^ x[(k * width + column) as usize];
            }
            let b: u32 = ((a > b) as u32 ^ (0x83848185 | b)).wrapping_mul(((0x7b6db269 | b)) << (((0xbc37b891 | b)) & 31));
            out[at as usize] = out[at as usize] ^ ((if !((a > b) != (a > b)) { a ^ (((a ^ 31)).rotate_left(b & 63) ^ ((a ^ 31)).trailing_zeros()) >> ((((0x30af45ce | b)).wrapping_sub((0x19a617b0 | b))) & 31) } else { b ^ ((a) & 1 == 0 || a == b) as u32 ^ ((0xd3649620 | b) ^ a) & a }));
        }
    }
}
