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

#[kernel(workgroup(64))]
#[rustfmt::skip]
pub fn v0(#[count] n: u32, q: u64, x: &[u64], out: &mut [u64], sum: &mut u64, least: &mut u64, most: &mut u64, parity: &mut u64, chosen: &mut List<u64>) {
    *sum = 0x4cca4cfa86bfeb95;
    chosen.clear();
    for i in 0..n {
        let mut p: u64 = x[i as usize];
        let a: u32 = (p >> 20) as u32;
        let b: u32 = p as u32;
        let c: i32 = q as i32;
        for k in 0..x.len() as u32 {
            p = p.wrapping_mul(0xc2e757d8d817dd77) ^ x[k as usize];
        }
        out[i as usize] ^= (!(((p ^ 32)).wrapping_sub(p) ^ q) ^ p) & (((q).leading_zeros() * 100 + (q).trailing_zeros()) as u64).min(((0x5003b384800 | q)).rotate_left((c).count_ones() * 33 + ((a ^ 53)).leading_zeros()));
        *sum = sum.wrapping_add(((p) << ((((0x216c230e | b)).rotate_left(a & 63) ^ ((0x216c230e | b)).trailing_zeros()) & 63)).wrapping_mul((q).min((p ^ 25))));
        *parity ^= (((p).wrapping_add((p ^ 35))).leading_zeros() * 100 + (!(p ^ q)).trailing_zeros()) as u64;
        *most = (*most).max(q | (q).rotate_left(b.rotate_right((a ^ 68))) ^ p & (((p ^ 3)) << ((a.wrapping_add(a)) & 63)));
        if (b) & 1 == 0 || a == b {
            *least = (*least).min((((q) >= (p ^ 32) || (p ^ 5) != q) as u64).min((p) << ((a / ((a) | 1)) & 63)));
            chosen.push(((((q) >= p || (0x24a4941880 | q) != q) as u64).leading_zeros() * 100 + ((p).wrapping_mul(p)).trailing_zeros()) as u64);
        }
    }
}

#[kernel(workgroup(64))]
#[rustfmt::skip]
pub fn v1(#[count] n: u32, q: u64, x: &[u64], out: &mut [u64], sum: &mut u64, least: &mut u64, most: &mut u64, parity: &mut u64, chosen: &mut List<u64>) {
    *sum = 0x48851a9842224581;
    chosen.clear();
    for i in 0..n {
        let mut p: u64 = x[i as usize];
        let a: u32 = (p >> 20) as u32;
        let b: u32 = p as u32;
        let c: i32 = q as i32;
        #[tile] for k in 0..x.len() as u32 {
            p = p.wrapping_mul(0x10fca770dc57d423) ^ x[k as usize];
        }
        out[i as usize] ^= ((((((p ^ 1)).max((p ^ 5))) >= (q).wrapping_sub((p ^ 69)) || (q) as u32 as u64 ^ ((((0xd3977233 | b)) << (((0x13c0ed1 | b)) & 31)) as u64) << 32 != q) as u64).leading_zeros() * 100 + ((q | p ^ p & ((p ^ 46))).wrapping_add((((p ^ 13)).leading_zeros() * 100 + ((p ^ 68)).trailing_zeros()) as u64)).trailing_zeros()) as u64;
        *sum = sum.wrapping_add(((q | q ^ p & ((p ^ 59))).leading_zeros() * 100 + ((p) as u32 as u64 ^ ((a.wrapping_add((a ^ 10))) as u64) << 32).trailing_zeros()) as u64);
        *parity ^= (((q).wrapping_add(p)).leading_zeros() * 100 + (((0x2c4cf90840000 | q)).wrapping_mul(q)).trailing_zeros()) as u64;
        *most = (*most).max(((p).rotate_left(((0x17b14781 | b)).wrapping_sub((0xed333616 | b)))).max((q) << ((((0x19e45eb2 | b)).rotate_left((a ^ 57) & 63) ^ ((0x19e45eb2 | b)).trailing_zeros()) & 63)));
        if c <= c {
            *least = (*least).min((if (((p ^ 19)) << (((b).reverse_bits()) & 63)) < (q) as u32 as u64 ^ ((a.min((a ^ 41))) as u64) << 32 { p ^ ((p ^ 19)) << (((b).reverse_bits()) & 63) } else { q ^ ((0xd2455060000 | q)).wrapping_mul((0x1c80c123400 | q)) }));
            chosen.push(((q).min(q)) >> (((p).wrapping_add((0x105c15dc0 | q))) & 63));
        }
    }
}

#[kernel(workgroup(64))]
#[rustfmt::skip]
pub fn v2(#[count] n: u32, q: u64, x: &[u64], out: &mut [u64], sum: &mut u64, least: &mut u64, most: &mut u64, parity: &mut u64, chosen: &mut List<u64>) {
    *sum = 0x6629553de8483f76;
    chosen.clear();
    for i in 0..n {
        let mut p: u64 = x[i as usize];
        let a: u32 = (p >> 20) as u32;
        let b: u32 = p as u32;
        let c: i32 = q as i32;
        for k in 0..x.len() as u32 {
            p = p.wrapping_mul(0x83483ef843c29a43) ^ x[k as usize];
        }
        out[i as usize] ^= ((!(q | (0x76841d3600 | q) ^ p & (q) ^ q)) >= ((if (q) < (p ^ 0) { p ^ q } else { q ^ q })).count_ones() as u64 + (((((0x929f57360000000 | q)).leading_zeros() * 100 + ((p ^ 22)).trailing_zeros()) as u64) & 0xffff_ffff) * 3 || (((0xb40400bc00 | q)).wrapping_add(p)).max((q).max(p)) != q) as u64;
        *sum = sum.wrapping_add((((0x2bb20f2c0000000 | q)) as u32 as u64 ^ ((((0x57098423 | b) ^ b) % (((0x2eb08bce | b)) | 1)) as u64) << 32) << ((((0x8cd6de91 | b)) >> (((0xdef82b7 | b)) & 31)) & 63));
        *parity ^= !((q ^ p) & (p ^ 17) ^ q);
        *most = (*most).max((if (((p ^ 48) ^ p) & (p ^ 12)) < q | (0x6abbd44800 | q) ^ p & ((0xd1b31044000 | q)) { p ^ ((p ^ 48) ^ p) & (p ^ 12) } else { q ^ (q) >> ((((0x928a04580000000 | q)).wrapping_mul(p)) & 63) }));
        if ((0x2497ece4 | b)) & 1 == 0 || a == b {
            *least = (*least).min((((p ^ 11)).count_ones() as u64 + (((0x62521e9700 | q)) & 0xffff_ffff) * 3) as u32 as u64 ^ ((((a ^ 52)) >> (((a ^ 47)) & 31)) as u64) << 32);
            chosen.push((q | (0x25fab59b8000 | q) ^ p & ((0x8319c27800 | q))).wrapping_mul((p) >> (((q).count_ones() as u64 + (((0x48b7dfc0000000 | q)) & 0xffff_ffff) * 3) & 63)));
        }
    }
}
