//! Random expressions. Generated: `OROGEN_BLESS=1 cargo test -p kernels --test device_random`.
#![allow(warnings, clippy::all, reason = "random")]

use kernels::device;

#[device]
#[rustfmt::skip]
pub fn e0(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (((a > b) as u32 ^ a ^ a) & b >> (((a ^ 12)) & 31)) << (((a.wrapping_sub((a ^ 49))) << ((b.min(a)) & 31)) & 31);
    let b: u32 = ((a.min((0x69c4019e | b))).wrapping_sub((a > b) as u32 ^ (0xc7a8429e | b))).wrapping_add((b.wrapping_mul((0x2ae56362 | b))).count_ones() + (a << ((a) & 31)).leading_zeros() * 40);
    (b | (a.count_ones() + b.leading_zeros() * 40) >> ((b | b ^ a & ((0xccec360b | b))) & 31) ^ a & (((a) & 1 == 0 || a == b) as u32 ^ (c) as u32)).min((a / ((((a ^ 43)) >> ((a) & 31)) | 1)).rotate_left(((b ^ b) % ((b) | 1)).wrapping_add((c) as u32) & 63) ^ (a / ((((a ^ 43)) >> ((a) & 31)) | 1)).trailing_zeros())
}

#[device]
#[rustfmt::skip]
pub fn e1(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((a.min((0x30f758da | b))).wrapping_add(((a ^ 12)).wrapping_add((0xbdd8597b | b)))) << (((a.wrapping_mul((0xd278b0ff | b))).wrapping_mul(b.wrapping_add((a ^ 67)))) & 31);
    let b: u32 = ((((c ^ 2)) as u32).rotate_left(a.wrapping_sub((a ^ 45)) & 63) ^ (((c ^ 2)) as u32).trailing_zeros()).rotate_left((!(a > b)) as u32 ^ (a > b) as u32 ^ b & 63) ^ ((((c ^ 2)) as u32).rotate_left(a.wrapping_sub((a ^ 45)) & 63) ^ (((c ^ 2)) as u32).trailing_zeros()).trailing_zeros();
    (((((c ^ 3)) >> (((0xec73867f | b)) & 31)).wrapping_mul(c)).wrapping_neg()) as u32
}

#[device]
#[rustfmt::skip]
pub fn e2(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((((0x2c62e79f | b)).rotate_left((0x7b5adf89 | b) & 63) ^ ((0x2c62e79f | b)).trailing_zeros()).wrapping_sub(b.wrapping_add((a ^ 11)))).wrapping_mul((b >> (((a ^ 43)) & 31) ^ a) & ((a ^ 7) ^ b) % ((a) | 1));
    let b: u32 = (((a > b) as u32 ^ b) >> (((a > b) as u32 ^ a) & 31)).wrapping_mul((((0xddb12a6d | b)).rotate_left((a ^ 43) & 63) ^ ((0xddb12a6d | b)).trailing_zeros()).wrapping_add(((0x29aac605 | b)).wrapping_sub(b)));
    (if !((b.wrapping_mul(b)) ^ a < b) { a ^ a / (((if (a > b) != (a > b) { a ^ !((0x5ff4a2a4 | b) ^ b) } else { b ^ !((a ^ 10) ^ b) })) | 1) } else { b ^ !((if c >= c && b != 3 { a ^ ((c ^ 1)) as u32 } else { b ^ !(b ^ b) }) ^ b) })
}

#[device]
#[rustfmt::skip]
pub fn e3(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((b.wrapping_mul((a ^ 60))) ^ a < b) as u32 ^ (b.rotate_left((a ^ 61) & 63) ^ b.trailing_zeros()) << ((((a ^ 41)).count_ones() + ((0x5994a50a | b)).leading_zeros() * 40) & 31);
    let b: u32 = (((a > b) as u32 ^ (0xaf1c556e | b)).min(b.min(a))).rotate_left(((b) & 1 == 0 || a == b) as u32 ^ a << ((b) & 31) & 63) ^ (((a > b) as u32 ^ (0xaf1c556e | b)).min(b.min(a))).trailing_zeros();
    (((((a ^ 16) ^ a) & b ^ b) % ((b >> (((a ^ 67)) & 31)) | 1)).wrapping_add((((a ^ 41)) ^ a < b) as u32 ^ (a > b) as u32 ^ (a ^ 18))).count_ones() + (((b.wrapping_sub((a ^ 44))).rotate_left(a.min(a) & 63) ^ (b.wrapping_sub((a ^ 44))).trailing_zeros() ^ b) % ((b | b << ((b) & 31) ^ a & (a >> (((0xbd84d2f2 | b)) & 31))) | 1)).leading_zeros() * 40
}

#[device]
#[rustfmt::skip]
pub fn e4(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((a / ((a) | 1)) << ((a.rotate_left((a ^ 3) & 63) ^ a.trailing_zeros()) & 31)).wrapping_mul((!((a ^ 52) ^ b)).wrapping_mul((a ^ b) % (((0x5ff5f428 | b)) | 1)));
    let b: u32 = (((if a > b { a ^ b } else { b ^ a })).wrapping_add((a > b) as u32 ^ (a ^ 0))).wrapping_add((a.wrapping_add((0x3afff9f7 | b))) << ((!(b ^ b)) & 31));
    (((!(a > b)) as u32 ^ ((a ^ 29) ^ b) % (((a ^ 37)) | 1)).min(b | ((0x526ba4a | b) ^ a) & a ^ a & (((a ^ 68) ^ a) & a))).wrapping_add((((if a > b { a ^ b } else { b ^ (0x564f02fa | b) })) >> ((a >> (((a ^ 52)) & 31)) & 31)) << ((((a > b) as u32 ^ (0x96e18eb5 | b)).wrapping_sub(((c ^ 1)) as u32)) & 31))
}

#[device]
#[rustfmt::skip]
pub fn e5(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((b | a ^ a & (b)).count_ones() + (!((a ^ 61) ^ b)).leading_zeros() * 40).rotate_left(a / ((!(a ^ b)) | 1) & 63) ^ ((b | a ^ a & (b)).count_ones() + (!((a ^ 61) ^ b)).leading_zeros() * 40).trailing_zeros();
    let b: u32 = (((((c ^ 6)) >> 2) / ((c & 0xff) + 1)).wrapping_mul(c)) as u32;
    b | ((!(b ^ b)) >> ((a.wrapping_mul(a)) & 31)) << ((((b) ^ a < b) as u32 ^ ((0x3b809728 | b)).min((0x3e18957e | b))) & 31) ^ a & (((((a ^ 56) ^ a) & b).rotate_left(a / ((a) | 1) & 63) ^ (((a ^ 56) ^ a) & b).trailing_zeros()) >> ((!((a > b) as u32 ^ (0x69c4c682 | b) ^ b)) & 31))
}

#[device]
#[rustfmt::skip]
pub fn e6(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = !((a.rotate_left((a ^ 28) & 63) ^ a.trailing_zeros()).wrapping_mul(((0x4096fc83 | b)).wrapping_mul((0x3b951a2b | b))) ^ b);
    let b: u32 = ((!((0x391a9f9d | b) ^ b)) >> ((a / (((a ^ 44)) | 1)) & 31)) >> ((((c) as u32).wrapping_add(a.count_ones() + ((a ^ 26)).leading_zeros() * 40)) & 31);
    b | (((a > b) != (a > b)) as u32 ^ ((a ^ 39)) << ((b) & 31)) >> (((a.min(a)).wrapping_mul((a ^ a) & b)) & 31) ^ a & (((((a ^ 46)).wrapping_add((0x2e20a2a7 | b))) >> ((((0x4f8fc488 | b)).wrapping_mul((0xab3b8be6 | b))) & 31)).wrapping_mul((c >= c && b != 3) as u32 ^ (if a > b { a ^ a } else { b ^ b })))
}

#[device]
#[rustfmt::skip]
pub fn e7(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (b | ((c ^ 4)) as u32 ^ a & (a.rotate_left(a & 63) ^ a.trailing_zeros())).wrapping_sub((((a ^ 25)).count_ones() + ((0xa60b01b3 | b)).leading_zeros() * 40).wrapping_mul(b | a ^ a & ((a ^ 24))));
    let b: u32 = (!((if a > b { a ^ b } else { b ^ (0xb70b9a60 | b) }) ^ b)).wrapping_sub(!(((a ^ 24)).min(a) ^ b));
    a / ((((((0x4c220508 | b)).wrapping_add(a)).wrapping_mul(((a ^ 6)) << ((b) & 31))).count_ones() + (((a ^ a) & (0x1c67f8a3 | b)).wrapping_sub(a.wrapping_sub((a ^ 0)))).leading_zeros() * 40) | 1)
}

#[device]
#[rustfmt::skip]
pub fn e8(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((a << ((b) & 31)) >> ((b.wrapping_add((a ^ 34))) & 31)).wrapping_add((((0x575913dc | b)).rotate_left(b & 63) ^ ((0x575913dc | b)).trailing_zeros() ^ a) & !(b ^ b));
    let b: u32 = b | (((0x46ea1c33 | b)).count_ones() + ((0xa6396281 | b)).leading_zeros() * 40).wrapping_mul(((0x18a913cf | b) ^ b) % ((b) | 1)) ^ a & ((((a ^ 61) ^ a) & (0xa85c278e | b)).wrapping_mul(a / ((a) | 1)));
    ((if (((0xb23538d2 | b) ^ a) & (0x4ae70ce6 | b)) ^ a < b { a ^ !(a.wrapping_sub(a) ^ b) } else { b ^ (if !(a > b) { a ^ b >> ((a) & 31) } else { b ^ a / ((a) | 1) }) })).wrapping_add((((((c ^ 8)) >> 2) / ((c & 0xff) + 1)).wrapping_neg()) as u32)
}

#[device]
#[rustfmt::skip]
pub fn e9(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = !((b.wrapping_add(a) ^ b) % ((((0x41bab4a6 | b)).rotate_left(b & 63) ^ ((0x41bab4a6 | b)).trailing_zeros()) | 1) ^ b);
    let b: u32 = ((((a) ^ a) as i32) % (c & 31 | 1)) as u32;
    ((((b ^ a) & b ^ a) & b | (a ^ 37) ^ a & (a)).wrapping_mul((a.rotate_left(b & 63) ^ a.trailing_zeros()).wrapping_mul(!(a ^ b)))).rotate_left((((if a > b { a ^ (0x14b9cfea | b) } else { b ^ (a ^ 60) })) << ((a.min(a)) & 31)).count_ones() + (((b) ^ a < b) as u32 ^ ((a ^ 31)).wrapping_mul((0x68ced438 | b))).leading_zeros() * 40 & 63) ^ ((((b ^ a) & b ^ a) & b | (a ^ 37) ^ a & (a)).wrapping_mul((a.rotate_left(b & 63) ^ a.trailing_zeros()).wrapping_mul(!(a ^ b)))).trailing_zeros()
}

#[device]
#[rustfmt::skip]
pub fn e10(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((b.rotate_left(a & 63) ^ b.trailing_zeros()).wrapping_sub(((a ^ 31)) >> (((0x5103716 | b)) & 31))).min((((c ^ 6)) as u32).count_ones() + (((a ^ 8)).wrapping_add(a)).leading_zeros() * 40);
    let b: u32 = ((((0xbf22e1c9 | b)).count_ones() + a.leading_zeros() * 40).rotate_left(!((0xe1c786a | b) ^ b) & 63) ^ (((0xbf22e1c9 | b)).count_ones() + a.leading_zeros() * 40).trailing_zeros()).wrapping_mul(((b ^ a) & (0x269e72ef | b)).wrapping_sub(b.rotate_left(a & 63) ^ b.trailing_zeros()));
    (((a / ((!((0xf4648704 | b) ^ b)) | 1)) ^ a) as i32) as u32
}

#[device]
#[rustfmt::skip]
pub fn e11(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((((a ^ 29)).wrapping_sub(a)) >> ((!((a ^ 30) ^ b)) & 31) ^ b) % (((a / (((0x4679533a | b)) | 1)).count_ones() + ((b ^ a) & a).leading_zeros() * 40) | 1);
    let b: u32 = !((b | (0xacf8128c | b) ^ a & (a)).wrapping_sub(((0x1695b12b | b)).wrapping_mul((0x429dd693 | b))) ^ b);
    ((((b ^ b) % ((a) | 1)).count_ones() + (((a ^ 54)).wrapping_sub(a)).leading_zeros() * 40 ^ a) & (if c >= c && b != 3 { a ^ ((a ^ 46) ^ a) & (a ^ 19) } else { b ^ ((a ^ 64) ^ a) & a })).count_ones() + (!(((c).wrapping_neg()) as u32 ^ b)).leading_zeros() * 40
}

#[device]
#[rustfmt::skip]
pub fn e12(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (c >= (((0xb1433cd7 | b)) ^ a) as i32 && b != 3) as u32 ^ (!(b ^ b)).wrapping_mul(b | a ^ a & (b));
    let b: u32 = ((((a ^ 24)).count_ones() + a.leading_zeros() * 40).count_ones() + (b >> (((a ^ 37)) & 31)).leading_zeros() * 40 ^ b) % (((((0x1a7570a8 | b)).wrapping_sub(b)).count_ones() + (a.rotate_left((a ^ 42) & 63) ^ a.trailing_zeros()).leading_zeros() * 40) | 1);
    (((a >> (((0xf987d22b | b)) & 31)).rotate_left(!((a ^ 65) ^ b) & 63) ^ (a >> (((0xf987d22b | b)) & 31)).trailing_zeros() ^ b) % ((((a ^ b) % ((b) | 1) ^ a) & ((0x10943bf9 | b) ^ a) & a) | 1)).rotate_left((if (!(a > b)) != (((a ^ 35)) ^ a < b) { a ^ b | (a > b) as u32 ^ (a ^ 9) ^ a & ((if a > b { a ^ (0x9f5ece29 | b) } else { b ^ a })) } else { b ^ ((if a > b { a ^ b } else { b ^ (0x18ca1f76 | b) }) ^ b) % ((a.count_ones() + a.leading_zeros() * 40) | 1) }) & 63) ^ (((a >> (((0xf987d22b | b)) & 31)).rotate_left(!((a ^ 65) ^ b) & 63) ^ (a >> (((0xf987d22b | b)) & 31)).trailing_zeros() ^ b) % ((((a ^ b) % ((b) | 1) ^ a) & ((0x10943bf9 | b) ^ a) & a) | 1)).trailing_zeros()
}

#[device]
#[rustfmt::skip]
pub fn e13(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (!(!(a > b))) as u32 ^ b | b | a ^ a & ((0x527a7a2f | b)) ^ a & (a / (((a ^ 17)) | 1));
    let b: u32 = (!(a / (((a ^ 2)) | 1) ^ b)) >> (((((0x884827b5 | b)) << (((0xe8bfea0a | b)) & 31)).wrapping_add(a / ((b) | 1))) & 31);
    a / ((((((0x9d590c52 | b)).min((0xf2f07e02 | b))).wrapping_sub(!(b ^ b))).min((((0xad7eab4f | b)).wrapping_mul(b)).rotate_left(((a ^ 17)).wrapping_mul((a ^ 47)) & 63) ^ (((0xad7eab4f | b)).wrapping_mul(b)).trailing_zeros())) | 1)
}

#[device]
#[rustfmt::skip]
pub fn e14(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((((0x64b05897 | b)) << ((a) & 31)).min(((a ^ 69)) >> ((a) & 31))).rotate_left(a / ((!(a ^ b)) | 1) & 63) ^ ((((0x64b05897 | b)) << ((a) & 31)).min(((a ^ 69)) >> ((a) & 31))).trailing_zeros();
    let b: u32 = b | !(((a ^ 0)).wrapping_mul((0x750372ef | b)) ^ b) ^ a & ((a / (((a ^ 4)) | 1)).wrapping_add((c) as u32));
    ((b | ((0xcd818d4b | b) ^ a) & (a ^ 28) ^ a & (((a ^ 56)).min((0xeb9b00a6 | b)))) >> ((((c) as u32).rotate_left(a / (((0x314bfa54 | b)) | 1) & 63) ^ ((c) as u32).trailing_zeros()) & 31)).wrapping_add(!(b | ((a ^ 18)).min(b) ^ a & (((a ^ 9) ^ b) % ((a) | 1)) ^ b))
}

#[device]
#[rustfmt::skip]
pub fn e15(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((((c ^ 6)).max(-975)) as u32) << (((b.count_ones() + ((0xa60946db | b)).leading_zeros() * 40).rotate_left(a >> ((b) & 31) & 63) ^ (b.count_ones() + ((0xa60946db | b)).leading_zeros() * 40).trailing_zeros()) & 31);
    let b: u32 = ((b.rotate_left((0xe12bf2a | b) & 63) ^ b.trailing_zeros() ^ a) & b << (((a ^ 58)) & 31)) >> (((((a ^ 67) ^ a) & (0xb2f4efcf | b)) << ((b.min((0x62dd9dd3 | b))) & 31)) & 31);
    (!(((c) as u32).wrapping_sub(((0x5937cad0 | b)).min((a ^ 60))) ^ b)).count_ones() + ((((a > b) != (a > b)) != ((a > b) != (a > b))) as u32 ^ (((a ^ 61)).wrapping_mul(a)).rotate_left(((0xf82253b5 | b)) >> (((0x40782433 | b)) & 31) & 63) ^ (((a ^ 61)).wrapping_mul(a)).trailing_zeros()).leading_zeros() * 40
}

#[device]
#[rustfmt::skip]
pub fn e16(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = b | b | ((a ^ 2)).wrapping_sub((a ^ 40)) ^ a & (a.rotate_left((a ^ 22) & 63) ^ a.trailing_zeros()) ^ a & ((((0xce6b4e6e | b)).wrapping_add((0x549daf16 | b))).wrapping_sub(a / (((0x7f3393ef | b)) | 1)));
    let b: u32 = b | ((a > b) != (a > b)) as u32 ^ b.rotate_left((a ^ 57) & 63) ^ b.trailing_zeros() ^ a & (((a > b) as u32 ^ b ^ b) % (((a > b) as u32 ^ b) | 1));
    ((((a > b) as u32 ^ b) << (((c) as u32) & 31) ^ a) & (b.min(a)).min(b.rotate_left(a & 63) ^ b.trailing_zeros())).wrapping_add((a / ((a << (((a ^ 54)) & 31)) | 1) ^ a) & (a.wrapping_sub(b)) << ((b.rotate_left(a & 63) ^ b.trailing_zeros()) & 31))
}

#[device]
#[rustfmt::skip]
pub fn e17(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (!(c >= (c ^ 1) && b != 3)) as u32 ^ (((a ^ 4)).wrapping_add(a)).wrapping_add(((c ^ 7)) as u32);
    let b: u32 = (!(!(a > b))) as u32 ^ ((a > b) as u32 ^ (0x62d3caf3 | b)).rotate_left(((0x4f08614a | b)).wrapping_mul(b) & 63) ^ ((a > b) as u32 ^ (0x62d3caf3 | b)).trailing_zeros();
    (((c >= (c ^ 5) && b != 3) != (c >= c && b != 3)) != ((((a ^ 53)) & 1 == 0 || a == b) != (!(a > b)))) as u32 ^ !(((b ^ b) % (((0x6cf70783 | b)) | 1)).wrapping_mul(((a ^ 6)).min(b)) ^ b)
}

#[device]
#[rustfmt::skip]
pub fn e18(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((((a ^ 12)).wrapping_mul(a)).wrapping_mul(((0x16cf255b | b)).rotate_left(a & 63) ^ ((0x16cf255b | b)).trailing_zeros())).wrapping_add((b.rotate_left(a & 63) ^ b.trailing_zeros() ^ b) % ((a.rotate_left((0x9f3a4e3 | b) & 63) ^ a.trailing_zeros()) | 1));
    let b: u32 = (if (((0x18207c04 | b)).rotate_left((0x6081b097 | b) & 63) ^ ((0x18207c04 | b)).trailing_zeros()) ^ a < b { a ^ !(((a ^ 9)).wrapping_mul((0x1d1761b3 | b)) ^ b) } else { b ^ (a.wrapping_add(b)).wrapping_mul(((0xef84d9a2 | b)).rotate_left((a ^ 17) & 63) ^ ((0xef84d9a2 | b)).trailing_zeros()) });
    ((((c) as u32 ^ b) % ((((a ^ 57)).rotate_left(b & 63) ^ ((a ^ 57)).trailing_zeros()) | 1)).wrapping_add((((0xcc9154db | b) ^ b) % (((0x826fc446 | b)) | 1)).min(((0x93aff91e | b)).wrapping_sub((a ^ 21))))).count_ones() + (((b >> (((a ^ 32)) & 31)).wrapping_add(a / ((b) | 1))).wrapping_add(((a > b) as u32 ^ (0xfe7a3728 | b)).wrapping_sub(((0x39423c9f | b) ^ a) & a))).leading_zeros() * 40
}

#[device]
#[rustfmt::skip]
pub fn e19(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (((b ^ a) & b) ^ a < b) as u32 ^ (((a ^ 12)).count_ones() + ((a ^ 23)).leading_zeros() * 40).wrapping_sub(!(a ^ b));
    let b: u32 = (((c).wrapping_mul(c)) as u32 ^ b) % ((a / ((a.count_ones() + b.leading_zeros() * 40) | 1)) | 1);
    (b | ((if a > b { a ^ a } else { b ^ a })).count_ones() + (b.wrapping_add((a ^ 21))).leading_zeros() * 40 ^ a & (b | (b ^ b) % ((b) | 1) ^ a & (((0x6e525f11 | b) ^ a) & a))).wrapping_mul(((((a ^ 39) ^ b) % ((b) | 1) ^ b) % (((if a > b { a ^ (a ^ 69) } else { b ^ (a ^ 62) })) | 1)).rotate_left((((c ^ 2)) as u32).wrapping_sub(((a ^ 20)) << ((a) & 31)) & 63) ^ ((((a ^ 39) ^ b) % ((b) | 1) ^ b) % (((if a > b { a ^ (a ^ 69) } else { b ^ (a ^ 62) })) | 1)).trailing_zeros())
}

#[device]
#[rustfmt::skip]
pub fn e20(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = b | !(a / (((a ^ 0)) | 1) ^ b) ^ a & (((if a > b { a ^ a } else { b ^ a })).rotate_left(((0xd6852044 | b) ^ b) % ((b) | 1) & 63) ^ ((if a > b { a ^ a } else { b ^ a })).trailing_zeros());
    let b: u32 = (b | (a ^ b) % ((a) | 1) ^ a & (b.wrapping_sub(b))) << (((b.wrapping_mul(a)).rotate_left(a / ((a) | 1) & 63) ^ (b.wrapping_mul(a)).trailing_zeros()) & 31);
    !(((((a ^ 37)).wrapping_sub((a ^ 67))).rotate_left(((0xd9301547 | b)).rotate_left((0xef451a4c | b) & 63) ^ ((0xd9301547 | b)).trailing_zeros() & 63) ^ (((a ^ 37)).wrapping_sub((a ^ 67))).trailing_zeros()).wrapping_sub((((0x2c5a9f74 | b)).count_ones() + ((a ^ 17)).leading_zeros() * 40) << ((b >> ((a) & 31)) & 31)) ^ b)
}

#[device]
#[rustfmt::skip]
pub fn e21(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (!(((a ^ 33)).wrapping_sub((0xcce73584 | b)) ^ b)).count_ones() + (a / ((((a ^ 30)).wrapping_sub(b)) | 1)).leading_zeros() * 40;
    let b: u32 = (if !(((0x9a0bea27 | b)) ^ a < b) { a ^ (c >= c && b != 3) as u32 ^ (a ^ a) & (0x7513130 | b) } else { b ^ (((0x90b34306 | b)).rotate_left(b & 63) ^ ((0x90b34306 | b)).trailing_zeros()).min(a / ((b) | 1)) });
    b | ((a.wrapping_mul(a)).count_ones() + (b.min((0xc0d153f5 | b))).leading_zeros() * 40).wrapping_sub(b | (a > b) as u32 ^ a ^ a & ((b ^ b) % ((b) | 1))) ^ a & ((a / ((a >> (((0xc8290980 | b)) & 31)) | 1)) >> (((a / (((a ^ 14)) | 1) ^ a) & ((a ^ 22)) << ((a) & 31)) & 31))
}

#[device]
#[rustfmt::skip]
pub fn e22(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (!((c) as u32 ^ b)).count_ones() + ((((a ^ 1)).rotate_left((a ^ 39) & 63) ^ ((a ^ 1)).trailing_zeros()) << ((((a ^ 37)).min((a ^ 20))) & 31)).leading_zeros() * 40;
    let b: u32 = (b | b.wrapping_mul(b) ^ a & (((a ^ 67)).rotate_left(b & 63) ^ ((a ^ 67)).trailing_zeros())).count_ones() + ((b << ((b) & 31)).min(a / (((0xe5a63b1d | b)) | 1))).leading_zeros() * 40;
    (a / (((b | b ^ a & (a)).wrapping_mul((a > b) as u32 ^ (0xc498ae97 | b))) | 1) ^ b) % (((!(c >= c && b != 3)) as u32 ^ b | a.rotate_left((0x7967028c | b) & 63) ^ a.trailing_zeros() ^ a & (a >> (((a ^ 7)) & 31))) | 1)
}

#[device]
#[rustfmt::skip]
pub fn e23(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((a.count_ones() + b.leading_zeros() * 40) >> (((a > b) as u32 ^ (0xb0df1f20 | b)) & 31)).wrapping_sub(b | b.min((0xf5015617 | b)) ^ a & (((0xee601f50 | b)).rotate_left((0x61245392 | b) & 63) ^ ((0xee601f50 | b)).trailing_zeros()));
    let b: u32 = ((a / (((0xfd335b55 | b)) | 1)) >> ((((a ^ 2)) >> (((a ^ 6)) & 31)) & 31)).rotate_left((((0x416e3dd4 | b)) >> ((a) & 31)).count_ones() + ((if a > b { a ^ b } else { b ^ (a ^ 0) })).leading_zeros() * 40 & 63) ^ ((a / (((0xfd335b55 | b)) | 1)) >> ((((a ^ 2)) >> (((a ^ 6)) & 31)) & 31)).trailing_zeros();
    (a / (((((0x764378fa | b) ^ b) % (((a ^ 4)) | 1) ^ b) % ((a / (((a ^ 35)) | 1)) | 1)) | 1)) >> ((((c >= c && b != 3) as u32 ^ ((a ^ 65)).wrapping_add(b)) << (((if (a) & 1 == 0 || a == b { a ^ a.count_ones() + b.leading_zeros() * 40 } else { b ^ b | (0xc70980c1 | b) ^ a & ((a ^ 7)) })) & 31)) & 31)
}

#[device]
#[rustfmt::skip]
pub fn e24(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((a >> (((a ^ 68)) & 31)).wrapping_add(b.min((a ^ 11)))).wrapping_sub(((a ^ a) & (a ^ 43)) >> ((((a ^ 33)).wrapping_mul(a)) & 31));
    let b: u32 = !((b >> (((0xe12e229a | b)) & 31)).wrapping_sub((b ^ b) % (((0xb43ab7d9 | b)) | 1)) ^ b);
    ((a / ((b >> ((a) & 31)) | 1)).wrapping_mul((if (a) ^ a < b { a ^ a / (((a ^ 18)) | 1) } else { b ^ ((0x2fc44f01 | b)) << ((b) & 31) }))).count_ones() + (((!(a ^ b)).rotate_left((if a > b { a ^ (a ^ 52) } else { b ^ (a ^ 67) }) & 63) ^ (!(a ^ b)).trailing_zeros() ^ b) % (((((a ^ 24)) & 1 == 0 || a == b) as u32 ^ !(b ^ b)) | 1)).leading_zeros() * 40
}

#[device]
#[rustfmt::skip]
pub fn e25(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = b | ((if a > b { a ^ (0xd22021fa | b) } else { b ^ (a ^ 58) })) << ((b << (((a ^ 8)) & 31)) & 31) ^ a & ((((a ^ 49)) >> (((a ^ 41)) & 31)) >> ((!(b ^ b)) & 31));
    let b: u32 = (b | !(a ^ b) ^ a & (b | a ^ a & ((0xa0d60a6a | b))) ^ b) % ((!(b.wrapping_sub(b) ^ b)) | 1);
    (((((0xf9d25ada | b)) << ((b) & 31)).rotate_left((a ^ a) & (a ^ 61) & 63) ^ (((0xf9d25ada | b)) << ((b) & 31)).trailing_zeros()).count_ones() + (a / ((a.rotate_left(a & 63) ^ a.trailing_zeros()) | 1)).leading_zeros() * 40).wrapping_mul((((a ^ a) & (a ^ 8)).min(((0x4a1ffff7 | b) ^ a) & b)).wrapping_add(((a > b) as u32 ^ (0xa8f9bcfc | b)).wrapping_sub(!(a ^ b))))
}

#[device]
#[rustfmt::skip]
pub fn e26(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((a / (((a ^ 21)) | 1)) ^ a < b) as u32 ^ a / ((b | (0x244bb252 | b) ^ a & ((a ^ 11))) | 1);
    let b: u32 = ((((0xe8cbf49f | b)).wrapping_mul((0x572230ec | b))) >> ((a / (((a ^ 29)) | 1)) & 31)).rotate_left(b | a.count_ones() + ((0xb5cf472a | b)).leading_zeros() * 40 ^ a & (((0xd1341c5a | b)).wrapping_mul(a)) & 63) ^ ((((0xe8cbf49f | b)).wrapping_mul((0x572230ec | b))) >> ((a / (((a ^ 29)) | 1)) & 31)).trailing_zeros();
    ((a / ((!(a ^ b)) | 1)).rotate_left(((c) as u32) << ((b | (a ^ 24) ^ a & (a)) & 31) & 63) ^ (a / ((!(a ^ b)) | 1)).trailing_zeros()).wrapping_mul(((((c ^ 2)).max(-829)).max(-537)) as u32)
}

#[device]
#[rustfmt::skip]
pub fn e27(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (((if a > b { a ^ b } else { b ^ a })).count_ones() + (!((a ^ 38) ^ b)).leading_zeros() * 40).wrapping_mul((((b) ^ a) as i32) as u32);
    let b: u32 = ((((0xd3a37ef4 | b)).wrapping_sub(b)).min(b.wrapping_mul((a ^ 59)))) >> ((((if a > b { a ^ b } else { b ^ b }) ^ a) & a.rotate_left((0xd4ef6a1f | b) & 63) ^ a.trailing_zeros()) & 31);
    (((a.wrapping_add(b)).rotate_left(((0x7ebde865 | b)).wrapping_mul((0xcbf04474 | b)) & 63) ^ (a.wrapping_add(b)).trailing_zeros()).wrapping_add((if (a > b) != (a > b) { a ^ ((a ^ 18)) >> ((a) & 31) } else { b ^ ((0xa58e5bc3 | b)).min(b) })) ^ a) & b | (((a ^ 57)) ^ a < b) as u32 ^ a.min((0xa83e92b0 | b)) ^ a & (b | b.count_ones() + ((a ^ 30)).leading_zeros() * 40 ^ a & (a / (((a ^ 15)) | 1)))
}

#[device]
#[rustfmt::skip]
pub fn e28(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((b | b ^ a & ((a ^ 60)) ^ a) & a >> (((a ^ 56)) & 31)).min(((if a > b { a ^ b } else { b ^ (a ^ 20) })) << ((((c ^ 7)) as u32) & 31));
    let b: u32 = ((a / (((0x42b94b20 | b)) | 1) ^ b) % ((!((a ^ 31) ^ b)) | 1) ^ b) % (((((c ^ 4)) >> ((a) & 31)) as u32) | 1);
    !(((b.wrapping_add((0x5fca5590 | b))).rotate_left(((0xd9a1589a | b)).wrapping_add((0x71ddd86b | b)) & 63) ^ (b.wrapping_add((0x5fca5590 | b))).trailing_zeros()).min(((a > b) != (a > b)) as u32 ^ b.wrapping_add((a ^ 27))) ^ b)
}

#[device]
#[rustfmt::skip]
pub fn e29(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = a / ((((c) % (c & 31 | 1)) as u32) | 1);
    let b: u32 = a / (((if !(a > b) { a ^ a.wrapping_mul(b) } else { b ^ !((a ^ 14) ^ b) })) | 1);
    ((((a) ^ a < b) as u32 ^ ((0x399c78f9 | b)).count_ones() + ((a ^ 39)).leading_zeros() * 40 ^ b) % (((b | a ^ a & (a)) >> ((((a ^ 13)).wrapping_mul((0x18ad79b | b))) & 31)) | 1) ^ a) & (!(((a ^ 33) ^ b) % (((a ^ 68)) | 1) ^ b)) >> (((((a ^ 0)).wrapping_mul((a ^ 49))).wrapping_mul((a > b) as u32 ^ (a ^ 66))) & 31)
}

#[device]
#[rustfmt::skip]
pub fn e30(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (a / ((((a ^ 14) ^ a) & b) | 1) ^ b) % (((((c ^ 5)).wrapping_neg()) as u32) | 1);
    let b: u32 = (if ((a > b) != (a > b)) != (c >= (c ^ 2) && b != 3) { a ^ ((a > b) as u32 ^ (a ^ 35)).rotate_left(((a ^ 64)).count_ones() + b.leading_zeros() * 40 & 63) ^ ((a > b) as u32 ^ (a ^ 35)).trailing_zeros() } else { b ^ ((a > b) as u32 ^ (0x7a0843c5 | b)).count_ones() + (b | b ^ a & ((a ^ 37))).leading_zeros() * 40 });
    ((((a > b) as u32 ^ a ^ a) & a.wrapping_add(b)).wrapping_mul((!(a ^ b)).wrapping_sub(((0xa53b07bb | b)).min(a))) ^ a) & b | ((a) ^ a < b) as u32 ^ (c) as u32 ^ a & ((((0xbc76c1e3 | b) ^ b) % (((a ^ 59)) | 1) ^ b) % (((if a > b { a ^ b } else { b ^ (0x303eabcd | b) })) | 1))
}

#[device]
#[rustfmt::skip]
pub fn e31(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (b | (if a > b { a ^ a } else { b ^ a }) ^ a & (((0x39bb4426 | b) ^ a) & b)).count_ones() + ((b << (((a ^ 50)) & 31)).wrapping_mul(b | b ^ a & (a))).leading_zeros() * 40;
    let b: u32 = (a / ((b << ((b) & 31)) | 1)).count_ones() + ((a / (((a ^ 3)) | 1) ^ b) % ((((a ^ 23)).wrapping_add((a ^ 35))) | 1)).leading_zeros() * 40;
    (((b.wrapping_mul((0x7a5705a0 | b)) ^ b) % ((a.wrapping_mul((a ^ 25))) | 1)).rotate_left((b.wrapping_mul((a ^ 32))) >> ((a.min((a ^ 17))) & 31) & 63) ^ ((b.wrapping_mul((0x7a5705a0 | b)) ^ b) % ((a.wrapping_mul((a ^ 25))) | 1)).trailing_zeros()).rotate_left(((((c ^ 8)).wrapping_mul(c)) >> (((c) as u32) & 31)) as u32 & 63) ^ (((b.wrapping_mul((0x7a5705a0 | b)) ^ b) % ((a.wrapping_mul((a ^ 25))) | 1)).rotate_left((b.wrapping_mul((a ^ 32))) >> ((a.min((a ^ 17))) & 31) & 63) ^ ((b.wrapping_mul((0x7a5705a0 | b)) ^ b) % ((a.wrapping_mul((a ^ 25))) | 1)).trailing_zeros()).trailing_zeros()
}

#[device]
#[rustfmt::skip]
pub fn e32(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((b.min((a ^ 32))).wrapping_sub(((0xf9f555f2 | b) ^ b) % (((0x4c0986cb | b)) | 1))).rotate_left(((a) ^ a < b) as u32 ^ ((0xddc9c4f4 | b)).wrapping_sub(a) & 63) ^ ((b.min((a ^ 32))).wrapping_sub(((0xf9f555f2 | b) ^ b) % (((0x4c0986cb | b)) | 1))).trailing_zeros();
    let b: u32 = ((a.wrapping_mul(b)).wrapping_mul((a > b) as u32 ^ b)).wrapping_add(((if a > b { a ^ b } else { b ^ (a ^ 51) })) << ((((a ^ 62)).count_ones() + ((0x50fc00ba | b)).leading_zeros() * 40) & 31));
    (b | (a.min(a)).wrapping_mul(((a ^ 26) ^ b) % (((0x62bd365f | b)) | 1)) ^ a & ((((c ^ 1)) as u32 ^ b) % ((((0x8fc63646 | b)) >> ((b) & 31)) | 1))) >> (((!((a) ^ a < b)) as u32 ^ a / ((!(b ^ b)) | 1)) & 31)
}

#[device]
#[rustfmt::skip]
pub fn e33(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (a / (((if a > b { a ^ (a ^ 28) } else { b ^ (a ^ 42) })) | 1)) >> ((a / ((a.min((0xcf06cca8 | b))) | 1)) & 31);
    let b: u32 = (((c).wrapping_mul(c)) % (c & 31 | 1)) as u32;
    (((b.count_ones() + a.leading_zeros() * 40).rotate_left(((0xdd6770b5 | b)).wrapping_add((a ^ 27)) & 63) ^ (b.count_ones() + a.leading_zeros() * 40).trailing_zeros()).wrapping_mul(((a ^ a) & (a ^ 50)).rotate_left(((a ^ 37) ^ b) % ((a) | 1) & 63) ^ ((a ^ a) & (a ^ 50)).trailing_zeros()) ^ b) % ((((b | (a ^ 55) ^ a & ((a ^ 23)) ^ b) % (((c) as u32) | 1)) << (((a / ((b) | 1)).wrapping_sub(((0x34dd82bb | b)).rotate_left(a & 63) ^ ((0x34dd82bb | b)).trailing_zeros())) & 31)) | 1)
}

#[device]
#[rustfmt::skip]
pub fn e34(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((if (a) ^ a < b { a ^ b >> (((a ^ 68)) & 31) } else { b ^ b | (0xcd8ce4ad | b) ^ a & (a) })) >> ((!(b.count_ones() + b.leading_zeros() * 40 ^ b)) & 31);
    let b: u32 = ((((c).wrapping_neg()) >> 2) / ((c & 0xff) + 1)) as u32;
    (b | (a / ((a) | 1)).wrapping_add(a / ((b) | 1)) ^ a & ((a / ((a) | 1)).wrapping_add(((0x1f9ffc87 | b)).wrapping_mul(a)))).wrapping_mul((!(((0xbcb69d46 | b)).count_ones() + b.leading_zeros() * 40 ^ b) ^ a) & (a << ((b) & 31)).rotate_left(b.wrapping_sub(b) & 63) ^ (a << ((b) & 31)).trailing_zeros())
}

#[device]
#[rustfmt::skip]
pub fn e35(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((b.wrapping_sub(b)).wrapping_mul(a.min((a ^ 60)))) >> (((b.count_ones() + ((0x7169b4ea | b)).leading_zeros() * 40).wrapping_sub((c) as u32)) & 31);
    let b: u32 = ((!(a > b)) as u32 ^ a.wrapping_add(b)).wrapping_sub(b | b | b ^ a & (b) ^ a & (a / (((0x58e5d145 | b)) | 1)));
    (((((a ^ 1)).wrapping_sub((a ^ 28))).rotate_left(b.wrapping_sub((0x54bf1a68 | b)) & 63) ^ (((a ^ 1)).wrapping_sub((a ^ 28))).trailing_zeros()).wrapping_add(b | !((a ^ 8) ^ b) ^ a & ((if a > b { a ^ b } else { b ^ a })))).min(((b.wrapping_mul(a)).min(a << (((0x61ae967c | b)) & 31)) ^ b) % ((a / ((b >> ((b) & 31)) | 1)) | 1))
}

#[device]
#[rustfmt::skip]
pub fn e36(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (if (b | (0x20a20894 | b) ^ a & (b)) & 1 == 0 || a == b { a ^ (c >= c && b != 3) as u32 ^ b >> (((0x13696880 | b)) & 31) } else { b ^ (((0x7337e019 | b) ^ a) & (a ^ 15) ^ b) % ((((0xb74b1de9 | b)) << (((a ^ 60)) & 31)) | 1) });
    let b: u32 = ((((a ^ 14) ^ a) & (a ^ 63) ^ b) % ((b | b ^ a & (a)) | 1)).wrapping_sub(((if a > b { a ^ a } else { b ^ b }) ^ a) & ((c ^ 8)) as u32);
    (((!(b ^ b) ^ a) & (a ^ b) % (((a ^ 41)) | 1)).wrapping_sub((b.wrapping_sub((0x5dd658d1 | b))).min(b | b ^ a & (a)))).wrapping_sub(a / ((((a > b) != (a > b)) as u32 ^ b.wrapping_sub(a)) | 1))
}

#[device]
#[rustfmt::skip]
pub fn e37(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((((a ^ 41)).rotate_left(b & 63) ^ ((a ^ 41)).trailing_zeros() ^ a) & b >> (((0x10368e2f | b)) & 31)).min(b | ((0x1715399a | b)).wrapping_sub((0x929ae9e4 | b)) ^ a & (!((0xd823198b | b) ^ b)));
    let b: u32 = a / ((((b) & 1 == 0 || a == b) as u32 ^ b.wrapping_mul(b)) | 1);
    (((((c ^ 6)).wrapping_mul(c)).max(-44)) as u32).wrapping_mul((c >= (c).max(-174) && b != 3) as u32 ^ a / ((((0x2339edcd | b)).wrapping_mul(b)) | 1))
}

#[device]
#[rustfmt::skip]
pub fn e38(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = a / ((!(((0x37d5e4c4 | b)).wrapping_mul((a ^ 33)) ^ b)) | 1);
    let b: u32 = ((((a ^ 25)).min((a ^ 52))).wrapping_sub(((a ^ 8)) >> (((0x6811b540 | b)) & 31)) ^ b) % ((((a > b) as u32 ^ a ^ b) % ((a.min((0x759e9e35 | b))) | 1)) | 1);
    b | (a / ((b.rotate_left((a ^ 26) & 63) ^ b.trailing_zeros()) | 1)).count_ones() + ((((c ^ 7)) as u32).rotate_left((if a > b { a ^ b } else { b ^ (a ^ 62) }) & 63) ^ (((c ^ 7)) as u32).trailing_zeros()).leading_zeros() * 40 ^ a & (((((c).wrapping_mul(c)) >> 2) / ((c & 0xff) + 1)) as u32)
}

#[device]
#[rustfmt::skip]
pub fn e39(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((b >> (((0x893e0542 | b)) & 31) ^ b) % ((((0xa9cd1396 | b)).count_ones() + a.leading_zeros() * 40) | 1)).wrapping_mul((if (a > b) != (a > b) { a ^ (if a > b { a ^ (a ^ 2) } else { b ^ (a ^ 53) }) } else { b ^ a.wrapping_add((a ^ 6)) }));
    let b: u32 = ((!((a ^ 18) ^ b)).wrapping_mul(((0x58401558 | b)).rotate_left(a & 63) ^ ((0x58401558 | b)).trailing_zeros())).wrapping_mul((b.min(a)).count_ones() + ((b ^ a) & b).leading_zeros() * 40);
    (((((c ^ 1)) as u32).rotate_left(b.min((0x48dffda0 | b)) & 63) ^ (((c ^ 1)) as u32).trailing_zeros()).wrapping_add((b.wrapping_sub(b)).min(((a ^ 0)).wrapping_add((a ^ 20))))).wrapping_sub((!((c) as u32 ^ b)).count_ones() + ((a.wrapping_sub(b)).wrapping_mul((a > b) as u32 ^ (0x4b976fc9 | b))).leading_zeros() * 40)
}

#[device]
#[rustfmt::skip]
pub fn e40(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = b | (a / ((a) | 1)).wrapping_sub(((a ^ 33)).wrapping_mul((0xc9eea153 | b))) ^ a & ((((0x45dcf79e | b)).wrapping_sub((0xe88609b9 | b))).rotate_left((if a > b { a ^ b } else { b ^ (a ^ 49) }) & 63) ^ (((0x45dcf79e | b)).wrapping_sub((0xe88609b9 | b))).trailing_zeros());
    let b: u32 = (!(!(a > b))) as u32 ^ (((0xf46f9dc3 | b) ^ b) % ((b) | 1)).rotate_left(b << ((a) & 31) & 63) ^ (((0xf46f9dc3 | b) ^ b) % ((b) | 1)).trailing_zeros();
    ((b | ((0x24ec9b6e | b)).wrapping_add(a) ^ a & ((a ^ a) & a)) >> ((((a > b) != (a > b)) as u32 ^ !(b ^ b)) & 31)).count_ones() + ((((a > b) as u32 ^ (0x22e9d5f | b) ^ a) & b | (a ^ 32) ^ a & ((a ^ 9))) << (((a.wrapping_sub(b)).wrapping_add(((a ^ 14)).count_ones() + a.leading_zeros() * 40)) & 31)).leading_zeros() * 40
}

#[device]
#[rustfmt::skip]
pub fn e41(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = !(((b) ^ a < b) as u32 ^ ((a ^ 21)).min((a ^ 6)) ^ b);
    let b: u32 = !(((a) ^ a < b) as u32 ^ b.min(a) ^ b);
    ((((c) as u32).rotate_left(((c ^ 5)) as u32 & 63) ^ ((c) as u32).trailing_zeros()).rotate_left((b.min(a) ^ a) & b.count_ones() + a.leading_zeros() * 40 & 63) ^ (((c) as u32).rotate_left(((c ^ 5)) as u32 & 63) ^ ((c) as u32).trailing_zeros()).trailing_zeros()).wrapping_add((b | b.wrapping_sub(a) ^ a & (!((a ^ 39) ^ b))).wrapping_sub(((if a > b { a ^ a } else { b ^ (0x59b09a3d | b) })) << ((((a ^ 8)) << (((a ^ 58)) & 31)) & 31)))
}

#[device]
#[rustfmt::skip]
pub fn e42(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((if (a) & 1 == 0 || a == b { a ^ ((0xcf86e543 | b)).count_ones() + a.leading_zeros() * 40 } else { b ^ ((0x3169e272 | b) ^ a) & b })).rotate_left(((if a > b { a ^ (0xd3d1e185 | b) } else { b ^ (0x79c6dcb7 | b) })).rotate_left(a.min(a) & 63) ^ ((if a > b { a ^ (0xd3d1e185 | b) } else { b ^ (0x79c6dcb7 | b) })).trailing_zeros() & 63) ^ ((if (a) & 1 == 0 || a == b { a ^ ((0xcf86e543 | b)).count_ones() + a.leading_zeros() * 40 } else { b ^ ((0x3169e272 | b) ^ a) & b })).trailing_zeros();
    let b: u32 = ((((0x2b2b7d2a | b) ^ a) & (0xc8976232 | b)).wrapping_add(b.wrapping_sub((a ^ 12)))) >> (((((a ^ 17) ^ b) % ((a) | 1) ^ b) % (((c) as u32) | 1)) & 31);
    ((b | b.wrapping_add((a ^ 9)) ^ a & ((b ^ b) % ((a) | 1))) >> ((a / ((a << ((a) & 31)) | 1)) & 31)).wrapping_add(((if (a > b) != (a > b) { a ^ a << (((0x18d02911 | b)) & 31) } else { b ^ a.wrapping_sub((a ^ 1)) })).wrapping_mul(((c) as u32).count_ones() + (b << (((0x496c8f45 | b)) & 31)).leading_zeros() * 40))
}

#[device]
#[rustfmt::skip]
pub fn e43(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((!(b ^ b)).rotate_left((if a > b { a ^ (a ^ 67) } else { b ^ (a ^ 17) }) & 63) ^ (!(b ^ b)).trailing_zeros()).wrapping_sub((!((a ^ 20) ^ b)) << ((((a ^ 49)).wrapping_add(b)) & 31));
    let b: u32 = (!(((a ^ 33)) ^ a < b)) as u32 ^ ((c).wrapping_neg()) as u32;
    (((((c ^ 3)) >> ((b) & 31)).max(-686)) % (c & 31 | 1)) as u32
}

#[device]
#[rustfmt::skip]
pub fn e44(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((a.min((0x9cd2c9cf | b))) << (((a ^ b) % (((0x33015a69 | b)) | 1)) & 31)).wrapping_mul((b | a ^ a & ((0x1d19c245 | b))) >> ((a << (((a ^ 37)) & 31)) & 31));
    let b: u32 = ((c >= (c ^ 3) && b != 3) != (((a ^ 51)) & 1 == 0 || a == b)) as u32 ^ !(((0x12db3ba | b) ^ b) % ((b) | 1) ^ b);
    (((((c).wrapping_neg()) >> 2) / ((c & 0xff) + 1)) as u32) << ((((((0xcd675fce | b)).count_ones() + ((0x701dddb2 | b)).leading_zeros() * 40) & 1 == 0 || a == b) as u32 ^ !(a.wrapping_sub((0x6076bf63 | b)) ^ b)) & 31)
}

#[device]
#[rustfmt::skip]
pub fn e45(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((a / ((b) | 1) ^ a) & ((a ^ 48)).wrapping_mul(a)).wrapping_add(((c) as u32).count_ones() + (((0x64aed6dc | b)).wrapping_add(b)).leading_zeros() * 40);
    let b: u32 = ((c >= (c ^ 2) && b != 3) as u32 ^ ((a ^ 64)).wrapping_sub((0x8e3f7d5a | b))).wrapping_sub((b.wrapping_mul((a ^ 1)) ^ a) & a / (((0xb5ca57c8 | b)) | 1));
    ((((c) as u32 ^ a) & b.min((a ^ 40))) >> (((((a ^ 48)).min((0xbec7927b | b))).count_ones() + ((a > b) as u32 ^ (a ^ 26)).leading_zeros() * 40) & 31)) >> ((((if ((a ^ 57)) ^ a < b { a ^ (a > b) as u32 ^ (a ^ 54) } else { b ^ ((a ^ 26) ^ b) % (((a ^ 14)) | 1) })) << ((!((a ^ b) % ((a) | 1) ^ b)) & 31)) & 31)
}

#[device]
#[rustfmt::skip]
pub fn e46(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (c >= ((c ^ 1)) >> (((0x5e11f515 | b)) & 31) && b != 3) as u32 ^ a / ((a.wrapping_mul(b)) | 1);
    let b: u32 = (((a) & 1 == 0 || a == b) as u32 ^ ((a ^ 69)).wrapping_add((0x7cdd50df | b))).wrapping_add((b.wrapping_add((a ^ 64))).wrapping_mul(a.rotate_left(b & 63) ^ a.trailing_zeros()));
    (((b | b ^ a & ((a ^ 53)) ^ b) % ((((a ^ 37) ^ b) % (((0xcc76dbda | b)) | 1)) | 1)).wrapping_add((((a ^ 68)).wrapping_sub((a ^ 3))).wrapping_add(((0x3ee7e30 | b)).wrapping_sub(a)))).count_ones() + (((b.rotate_left((0xa351349 | b) & 63) ^ b.trailing_zeros()).min(((0x5b0b7898 | b)) << (((0x37ef0e27 | b)) & 31))).wrapping_mul(a / ((a >> (((0x9e803307 | b)) & 31)) | 1))).leading_zeros() * 40
}

#[device]
#[rustfmt::skip]
pub fn e47(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((a.min(b)).wrapping_add(a / (((0x95d07bb5 | b)) | 1)) ^ a) & (((0x8a77930e | b)).wrapping_add(a)).wrapping_sub(!((0x9c643aec | b) ^ b));
    let b: u32 = !(!(b | a ^ a & (b) ^ b) ^ b);
    (!((b.rotate_left((a ^ 35) & 63) ^ b.trailing_zeros()) & 1 == 0 || a == b)) as u32 ^ ((a.wrapping_mul(b)) >> ((((c ^ 4)) as u32) & 31) ^ a) & (((a ^ 58)) >> ((a) & 31)).wrapping_mul(((0x1711b3fc | b)).count_ones() + a.leading_zeros() * 40)
}

#[device]
#[rustfmt::skip]
pub fn w0(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = (((((p) >= (p ^ 15) || q != q) as u64).leading_zeros() * 100 + ((if ((p ^ 64)) < q { p ^ (p ^ 64) } else { q ^ (0x4eb1c8f48000000 | q) })).trailing_zeros()) as u64) << (((if a > b { a ^ b } else { b ^ (0xd9e9d54c | b) })) & 63);
    (((((0x98e7879300000 | q) ^ p) & p).max((q).max(p))) >> (((q).max((p ^ 45))) & 63)).min(q | (q | (0x3fc7589f80000 | q) ^ p & (p)).wrapping_sub((p).wrapping_mul((0x108fe016c0000000 | q))) ^ p & ((((p) as u32 as u64 ^ ((((0x24f0700d | b)).wrapping_mul((a ^ 38))) as u64) << 32) >= q | (p ^ 38) ^ p & ((p ^ 14)) || (p).wrapping_add(q) != q) as u64))
}

#[device]
#[rustfmt::skip]
pub fn w1(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = (q | q | p ^ p & (q) ^ p & (((p ^ 50)) >> (((p).count_ones() as u64 + (((p ^ 0)) & 0xffff_ffff) * 3) & 63))) >> ((q | (0x3bb09754800000 | q) ^ p & (q)) & 63);
    !(q | (((p).wrapping_sub((p ^ 9))).leading_zeros() * 100 + (((p ^ 51)).wrapping_add((p ^ 69))).trailing_zeros()) as u64 ^ p & ((((q) as u32 as u64 ^ ((a / ((a) | 1)) as u64) << 32).leading_zeros() * 100 + ((q).wrapping_mul((p ^ 50))).trailing_zeros()) as u64) ^ q)
}

#[device]
#[rustfmt::skip]
pub fn w2(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = (((p ^ p) & p) as u32 as u64 ^ ((a << ((b) & 31)) as u64) << 32).max(!((q).wrapping_add(q) ^ q));
    (((((p ^ 53)).wrapping_add(p)).wrapping_mul(((p).leading_zeros() * 100 + (q).trailing_zeros()) as u64)).wrapping_add(((q).wrapping_mul((p ^ 32))).min(q | q ^ p & ((0x655887fb0000 | q)))) ^ p) & (((q) as u32 as u64 ^ ((b.min((0xd5e9dcfc | b))) as u64) << 32).max((p) << ((((a ^ 7)).wrapping_mul(a)) & 63))).wrapping_mul((q | q ^ p & (q)).wrapping_mul(((p).leading_zeros() * 100 + ((0x30850847800 | q)).trailing_zeros()) as u64))
}

#[device]
#[rustfmt::skip]
pub fn w3(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = ((!(((q).leading_zeros() * 100 + ((p ^ 28)).trailing_zeros()) as u64 ^ q)) >= (if (q | (p ^ 65) ^ p & (p)) < ((q) >= (0x5768b9508 | q) || (0x261b41e680 | q) != q) as u64 { p ^ q | (p ^ 65) ^ p & (p) } else { q ^ (p).max((p ^ 34)) }) || (((0xf999980c00000 | q)).count_ones() as u64 + (((0x23f0e47fc000000 | q)) & 0xffff_ffff) * 3 ^ p) & ((0x1e7f40cfa00000 | q)) as u32 as u64 ^ (((if a > b { a ^ b } else { b ^ (a ^ 2) })) as u64) << 32 != q) as u64;
    (!(((((0xbc16754c | q)).min((p ^ 53))).leading_zeros() * 100 + ((q).max((0xa548694e00000 | q))).trailing_zeros()) as u64 ^ q)).count_ones() as u64 + ((((((q) >= (0x643c1e5e000000 | q) || q != q) as u64 ^ p) & (p) as u32 as u64 ^ ((((a ^ 27) ^ a) & b) as u64) << 32).max((((0x718086c000 | q)).wrapping_add(q)).count_ones() as u64 + ((((p ^ 66)) >> (((q) as u32 as u64 ^ ((((c ^ 1)) as u32) as u64) << 32) & 63)) & 0xffff_ffff) * 3)) & 0xffff_ffff) * 3
}

#[device]
#[rustfmt::skip]
pub fn w4(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = (if (((((p ^ 56)).leading_zeros() * 100 + (p).trailing_zeros()) as u64) as u32 as u64 ^ ((a.rotate_left((0x2ee94cb0 | b) & 63) ^ a.trailing_zeros()) as u64) << 32) < (((q).min((p ^ 7))).leading_zeros() * 100 + ((((0x388f727000000 | q)) >= q || q != q) as u64).trailing_zeros()) as u64 { p ^ ((((p ^ 56)).leading_zeros() * 100 + (p).trailing_zeros()) as u64) as u32 as u64 ^ ((a.rotate_left((0x2ee94cb0 | b) & 63) ^ a.trailing_zeros()) as u64) << 32 } else { q ^ ((q ^ p) & (p ^ 10)) as u32 as u64 ^ ((a / (((0x811bb5bc | b)) | 1)) as u64) << 32 });
    (((((q).min(p)).leading_zeros() * 100 + (((p ^ 49)) >> (((q).wrapping_mul((p ^ 69))) & 63)).trailing_zeros()) as u64).wrapping_add((((p ^ 36)) >> ((((0x13575db700000 | q)).min(q)) & 63)).count_ones() as u64 + (((p) >> (((if ((0x4aabf88480000000 | q)) < q { p ^ (0x4aabf88480000000 | q) } else { q ^ (0x1ee111b2800000 | q) })) & 63)) & 0xffff_ffff) * 3)).min(((((p ^ 54)).min((p ^ 30))).count_ones() as u64 + ((((p ^ 18) ^ p) & p) & 0xffff_ffff) * 3).wrapping_sub(((((0x1ffcc481000 | q)) >= (0x27bec89cc | q) || p != q) as u64).wrapping_sub(((0x4e576c770000000 | q)).min(p))))
}

#[device]
#[rustfmt::skip]
pub fn w5(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = (((((q).wrapping_add(q)).leading_zeros() * 100 + ((p).wrapping_add((p ^ 47))).trailing_zeros()) as u64).leading_zeros() * 100 + (((q).count_ones() as u64 + ((q) & 0xffff_ffff) * 3) as u32 as u64 ^ ((a.count_ones() + a.leading_zeros() * 40) as u64) << 32).trailing_zeros()) as u64;
    ((((q).min(q)).wrapping_mul(q | (p ^ 65) ^ p & ((p ^ 45)))) as u32 as u64 ^ ((((a ^ 58) ^ b) % ((a) | 1)) as u64) << 32) << (((if a > b { a ^ (0x226b8a60 | b) } else { b ^ a })) & 63)
}

#[device]
#[rustfmt::skip]
pub fn w6(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = (((q).wrapping_sub(p)).min((((p ^ 47)).leading_zeros() * 100 + ((0x9de5c4be000000 | q)).trailing_zeros()) as u64)).min((((p ^ 60)).wrapping_mul(p)).wrapping_add(((0x59c6fe92000000 | q)).count_ones() as u64 + ((p) & 0xffff_ffff) * 3));
    (((((!(p ^ q)) >= ((p ^ 27)) >> ((((p ^ 18)).wrapping_sub(p)) & 63) || (q) as u32 as u64 ^ ((((0x377c78fd | b)) << ((b) & 31)) as u64) << 32 != q) as u64).leading_zeros() * 100 + (!(((0x19de9f35000 | q)) >> ((((0x10d202480 | q)).count_ones() as u64 + (((0x28dc99a80 | q)) & 0xffff_ffff) * 3) & 63) ^ q)).trailing_zeros()) as u64).count_ones() as u64 + ((((q | (0xf667e7a900000000 | q) ^ p & (q)) >> ((q | (p ^ 7) ^ p & ((p ^ 62))) & 63)).min((((0x909a5ced0000 | q)).min((p ^ 18))).wrapping_sub(((p).leading_zeros() * 100 + (p).trailing_zeros()) as u64))) & 0xffff_ffff) * 3
}

#[device]
#[rustfmt::skip]
pub fn w7(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = ((((0x338936240000 | q)) as u32 as u64 ^ ((((a ^ 51)).wrapping_mul((0x218f0c20 | b))) as u64) << 32).wrapping_add((if (q) < q { p ^ q } else { q ^ (p ^ 24) }))) << (((a ^ b) % (((0x8cb5a568 | b)) | 1)) & 63);
    ((!((q) as u32 as u64 ^ ((b | a ^ a & ((0x1648297f | b))) as u64) << 32 ^ q) ^ p) & !(((p) >= p || q != q) as u64 ^ q)) << ((((a ^ 28)).wrapping_add(b)) & 63)
}

#[device]
#[rustfmt::skip]
pub fn w8(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = ((((p).wrapping_add((0x99a00fa80000000 | q))).leading_zeros() * 100 + ((q).wrapping_sub((0x1603875100000000 | q))).trailing_zeros()) as u64) as u32 as u64 ^ ((!(a ^ b)) as u64) << 32;
    (q | (((0x1b217181e00000 | q)) as u32 as u64 ^ ((!((0x9f6def8e | b) ^ b)) as u64) << 32).wrapping_mul((((p ^ 51)).leading_zeros() * 100 + ((0x6039562c000000 | q)).trailing_zeros()) as u64) ^ p & ((((q).leading_zeros() * 100 + (q).trailing_zeros()) as u64).min((p).max((0x1ff9c55e80000 | q))))).count_ones() as u64 + (((!((p).wrapping_mul(p) ^ q)).min(((!((0x24097931800 | q) ^ q)) >= (q).max(p) || (p).min((0x34d437b000000000 | q)) != q) as u64)) & 0xffff_ffff) * 3
}

#[device]
#[rustfmt::skip]
pub fn w9(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = (q | ((0x13217f054 | q)).min(p) ^ p & (((0x29293bfd0000 | q)).max(q))).wrapping_add((((0x311868eb000 | q)) >> ((((p ^ 30)) as u32 as u64 ^ (((b ^ b) % ((b) | 1)) as u64) << 32) & 63)).max((p) << ((((c ^ 6)) as u32) & 63)));
    !(((if (((p ^ 45) ^ p) & (0x1dede7d80000000 | q)) < (p).wrapping_mul(q) { p ^ ((p ^ 45) ^ p) & (0x1dede7d80000000 | q) } else { q ^ (p) >> (((p).max((p ^ 9))) & 63) })).wrapping_sub((((p ^ 25)) >> (((if ((0x13efaf6c6000000 | q)) < q { p ^ (0x13efaf6c6000000 | q) } else { q ^ p })) & 63) ^ p) & ((p ^ 44)).wrapping_sub((p ^ 10))) ^ q)
}

#[device]
#[rustfmt::skip]
pub fn w10(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = ((((p ^ 40)).max((p ^ 37))).wrapping_mul((p).wrapping_add((0x1aa3c4c64000 | q)))) >> ((q | p ^ p & ((0x26e02c7c80000 | q))) & 63);
    !((((p).min(p)) << ((((a ^ 46)).rotate_left(b & 63) ^ ((a ^ 46)).trailing_zeros()) & 63)).min(((q).max((0xe3c785650000000 | q))).count_ones() as u64 + (((p).wrapping_mul((0x558d87a000000000 | q))) & 0xffff_ffff) * 3) ^ q)
}

#[device]
#[rustfmt::skip]
pub fn w11(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = (if ((q | (p ^ 23) ^ p & ((p ^ 39))).min((p).wrapping_add((0x10bdabf2a0000 | q)))) < ((if ((0x225dcb338000 | q)) < p { p ^ (0x225dcb338000 | q) } else { q ^ q }) ^ p) & (q).wrapping_add(p) { p ^ (q | (p ^ 23) ^ p & ((p ^ 39))).min((p).wrapping_add((0x10bdabf2a0000 | q))) } else { q ^ (!((0x27680a2100 | q) ^ q)) as u32 as u64 ^ ((a / ((a) | 1)) as u64) << 32 });
    ((((((if ((p ^ 19)) < p { p ^ (p ^ 19) } else { q ^ q })) >= (if (p) < q { p ^ p } else { q ^ (0xc19cc2fc0 | q) }) || (q) as u32 as u64 ^ (((b ^ b) % ((b) | 1)) as u64) << 32 != q) as u64).leading_zeros() * 100 + (((p).max((0x25a500ec40000000 | q))).wrapping_add(((0x110dcee700000000 | q)) << ((!(a ^ b)) & 63))).trailing_zeros()) as u64).wrapping_mul(((((p).leading_zeros() * 100 + (q).trailing_zeros()) as u64).wrapping_sub(((p ^ 50)).min(p))).wrapping_add(((q).max(p)).max(((p ^ 18)) as u32 as u64 ^ ((b.wrapping_sub((a ^ 14))) as u64) << 32)))
}

#[device]
#[rustfmt::skip]
pub fn w12(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = ((((0x327689ef40000 | q)).count_ones() as u64 + ((q) & 0xffff_ffff) * 3) >> ((((p ^ 7)) as u32 as u64 ^ ((b >> (((0x1698bbd7 | b)) & 31)) as u64) << 32) & 63) ^ p) & (if ((q).max((p ^ 40))) < ((0x5cf46654000000 | q)).wrapping_sub(q) { p ^ (q).max((p ^ 40)) } else { q ^ ((0x5623cee6 | q)) >> (((p).wrapping_sub(p)) & 63) });
    (!((((p ^ 3)).min((p ^ 39))).min((if ((p ^ 5)) < p { p ^ (p ^ 5) } else { q ^ p })) ^ q)) as u32 as u64 ^ ((((0x7a5da821 | b) ^ a) & (a ^ 14)) as u64) << 32
}

#[device]
#[rustfmt::skip]
pub fn w13(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = ((if ((q).wrapping_mul((p ^ 55))) < ((p) >= (p ^ 30) || q != q) as u64 { p ^ (q).wrapping_mul((p ^ 55)) } else { q ^ ((0x5fe82f510000 | q)).count_ones() as u64 + (((p ^ 14)) & 0xffff_ffff) * 3 })).count_ones() as u64 + ((((((p ^ 68)).leading_zeros() * 100 + ((0x111490128000000 | q)).trailing_zeros()) as u64).count_ones() as u64 + ((((0x858abaa500000000 | q) ^ p) & (0x1b53818cc00 | q)) & 0xffff_ffff) * 3) & 0xffff_ffff) * 3;
    (((((0x67c8cd940000 | q)).max(p)).wrapping_add((((0x390a8c44800000 | q)) >= q || q != q) as u64)) >> ((((p ^ 6)).min(q)) & 63)).wrapping_mul((q | (p).max((0xd432c4330000 | q)) ^ p & (!((0x92e22a09 | q) ^ q))).wrapping_sub((((q) >= (0xed410238 | q) || (p ^ 28) != q) as u64 ^ p) & (q).min((p ^ 12))))
}

#[device]
#[rustfmt::skip]
pub fn w14(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = ((((p ^ 59)).count_ones() as u64 + (((0x31fd011000000 | q)) & 0xffff_ffff) * 3) as u32 as u64 ^ (((a ^ a) & a) as u64) << 32).wrapping_mul((!((0x1f23a16100000 | q) ^ q)) << ((((0x5d142955 | b)) >> (((a ^ 68)) & 31)) & 63));
    (!(((q).wrapping_add(q)) as u32 as u64 ^ (((a ^ a) & b) as u64) << 32 ^ q) ^ p) & ((((q) as u32 as u64 ^ ((b.min(a)) as u64) << 32).leading_zeros() * 100 + (((p ^ 33)).max(q)).trailing_zeros()) as u64) >> ((!(q ^ q)) & 63)
}

#[device]
#[rustfmt::skip]
pub fn w15(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = (!(((p ^ 63)).wrapping_add((0x889d4ca7000 | q)) ^ q)) as u32 as u64 ^ ((((a ^ 43)).wrapping_sub((a ^ 1))) as u64) << 32;
    ((((p).max(q) ^ p) & (q) as u32 as u64 ^ (((if a > b { a ^ a } else { b ^ a })) as u64) << 32).min(((((0x1ce4591300000 | q)).wrapping_mul((p ^ 16))) >= ((p ^ 29)) >> (((((p ^ 0)).leading_zeros() * 100 + (q).trailing_zeros()) as u64) & 63) || (p).max((0x59b17b380000000 | q)) != q) as u64)).wrapping_sub(((((q).count_ones() as u64 + ((p) & 0xffff_ffff) * 3).wrapping_add(((0x1b11059c40 | q)).min(q))).leading_zeros() * 100 + (((q) << (((a > b) as u32 ^ b) & 63)) << ((a >> (((a ^ 38)) & 31)) & 63)).trailing_zeros()) as u64)
}

#[device]
#[rustfmt::skip]
pub fn w16(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = ((((q).count_ones() as u64 + ((p) & 0xffff_ffff) * 3) >= ((0x3fb760e6000 | q)) >> ((q | (p ^ 44) ^ p & (q)) & 63) || (p) >> ((((q) >= q || p != q) as u64) & 63) != q) as u64).max((((p).leading_zeros() * 100 + (q).trailing_zeros()) as u64) as u32 as u64 ^ ((((0x4fa39dd | b)) << ((b) & 31)) as u64) << 32);
    (((((((0x365e0b8940000000 | q)) >= (0x71617187000 | q) || (0x48831f738000 | q) != q) as u64) << ((a >> ((b) & 31)) & 63)).wrapping_sub(q | ((p ^ 59)) as u32 as u64 ^ ((b.wrapping_mul(b)) as u64) << 32 ^ p & ((if ((0x17c4eeea800000 | q)) < (p ^ 18) { p ^ (0x17c4eeea800000 | q) } else { q ^ p })))).leading_zeros() * 100 + (((((0xb75a56a60000 | q) ^ p) & q) << ((((0x36bb22f | b) ^ b) % (((0xc782f30f | b)) | 1)) & 63)) << (((if a > b { a ^ (a ^ 50) } else { b ^ (a ^ 1) })) & 63)).trailing_zeros()) as u64
}

#[device]
#[rustfmt::skip]
pub fn w17(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = (!((p).max((p ^ 41)) ^ q)).count_ones() as u64 + (((if ((q).max((0xf4a109b70000000 | q))) < (q ^ p) & (p ^ 31) { p ^ (q).max((0xf4a109b70000000 | q)) } else { q ^ ((p ^ 33)) as u32 as u64 ^ ((!(b ^ b)) as u64) << 32 })) & 0xffff_ffff) * 3;
    ((!((p ^ p) & p ^ q)) << ((((a ^ 36)).rotate_left(a & 63) ^ ((a ^ 36)).trailing_zeros()) & 63)) << ((b.count_ones() + a.leading_zeros() * 40) & 63)
}

#[device]
#[rustfmt::skip]
pub fn w18(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = q | ((q).min(q)) >> (((p).count_ones() as u64 + (((p ^ 9)) & 0xffff_ffff) * 3) & 63) ^ p & ((((0x155386ba0000 | q) ^ p) & q).count_ones() as u64 + (((p).max(p)) & 0xffff_ffff) * 3);
    (((((0x353b57a40000000 | q)).wrapping_add((p ^ 5))).min(((0x16c2e10ec0000000 | q)) as u32 as u64 ^ ((b.min((0x13439cb7 | b))) as u64) << 32)).wrapping_sub((((p ^ 53)) >> (((q).count_ones() as u64 + ((p) & 0xffff_ffff) * 3) & 63)).wrapping_add(q | q ^ p & ((p ^ 51))))).min((((q) as u32 as u64 ^ ((a.min((0xc2e188a5 | b))) as u64) << 32) << ((b.min(a)) & 63)) as u32 as u64 ^ ((a.wrapping_add((a ^ 34))) as u64) << 32)
}

#[device]
#[rustfmt::skip]
pub fn w19(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = ((((q).leading_zeros() * 100 + ((p ^ 56)).trailing_zeros()) as u64 ^ p) & ((0x77c8220300 | q) ^ p) & p) << ((b.wrapping_add(a)) & 63);
    (((((q).wrapping_mul(p)).wrapping_mul((q) << ((((a ^ 12) ^ b) % (((a ^ 37)) | 1)) & 63))).leading_zeros() * 100 + ((((0x27932a9640000000 | q)) << ((((a ^ 27)).wrapping_mul(b)) & 63)).min((q).wrapping_sub((p ^ 1)))).trailing_zeros()) as u64) as u32 as u64 ^ ((b.wrapping_mul(b)) as u64) << 32
}

#[device]
#[rustfmt::skip]
pub fn w20(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = (((p).min(q)).max(!(q ^ q)) ^ p) & ((p) as u32 as u64 ^ ((((0x3dfe13d0 | b)) >> ((a) & 31)) as u64) << 32).wrapping_add((if (p) < (0x564a27fc | q) { p ^ p } else { q ^ q }));
    (((q | p ^ p & ((p ^ 53))).max(((0x1eda49afe0000000 | q)) << ((b.rotate_left(a & 63) ^ b.trailing_zeros()) & 63))) >> ((((p ^ 63)).min(p)) & 63)).wrapping_add(((((p ^ 1) ^ p) & (p ^ 6) ^ p) & !(q ^ q)) >> (((p).max((0xa73d078800 | q))) & 63))
}

#[device]
#[rustfmt::skip]
pub fn w21(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = (((if ((p ^ 34)) < (0x1a73743dc00 | q) { p ^ (p ^ 34) } else { q ^ p })).wrapping_sub(((p).leading_zeros() * 100 + (q).trailing_zeros()) as u64)).wrapping_add((((p ^ 36)).min((p ^ 68)) ^ p) & (q).max((p ^ 46)));
    ((if (((((0x318a96254 | q)).wrapping_mul(p)).leading_zeros() * 100 + (((0x1b0a42b040 | q) ^ p) & (p ^ 54)).trailing_zeros()) as u64) < ((q).count_ones() as u64 + (((p ^ 58)) & 0xffff_ffff) * 3).wrapping_sub((q ^ p) & p) { p ^ ((((0x318a96254 | q)).wrapping_mul(p)).leading_zeros() * 100 + (((0x1b0a42b040 | q) ^ p) & (p ^ 54)).trailing_zeros()) as u64 } else { q ^ (if (((p ^ 68) ^ p) & p) < (p) << (((b ^ b) % (((0x3419e215 | b)) | 1)) & 63) { p ^ ((p ^ 68) ^ p) & p } else { q ^ ((0xdbda9ee8000 | q)).count_ones() as u64 + (((p ^ 67)) & 0xffff_ffff) * 3 }) })) >> ((q | p ^ p & (p)) & 63)
}

#[device]
#[rustfmt::skip]
pub fn w22(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = (if ((((p ^ p) & p).leading_zeros() * 100 + ((p).max(p)).trailing_zeros()) as u64) < ((((0x1a6dc2318 | q)).leading_zeros() * 100 + (p).trailing_zeros()) as u64).min(((0x6b697830000 | q)).wrapping_sub(p)) { p ^ (((p ^ p) & p).leading_zeros() * 100 + ((p).max(p)).trailing_zeros()) as u64 } else { q ^ ((p ^ p) & p).wrapping_sub(((p ^ 18)) as u32 as u64 ^ (((a > b) as u32 ^ b) as u64) << 32) });
    !(((!((((0x7a40863a80000 | q)).leading_zeros() * 100 + (p).trailing_zeros()) as u64 ^ q)) >= !(((0xff0f56be00 | q)).min(q) ^ q) || (((q).leading_zeros() * 100 + ((p ^ 26)).trailing_zeros()) as u64) >> (((q).min(p)) & 63) != q) as u64 ^ q)
}

#[device]
#[rustfmt::skip]
pub fn w23(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = ((((0xc33873b00000 | q) ^ p) & (0x2a8b5a71c000000 | q)) << ((a.wrapping_mul((0x4abddb96 | b))) & 63)).wrapping_add((((((p ^ 22)).leading_zeros() * 100 + (q).trailing_zeros()) as u64).leading_zeros() * 100 + ((q) << ((b.count_ones() + ((a ^ 25)).leading_zeros() * 40) & 63)).trailing_zeros()) as u64);
    (((!((q) << ((b.rotate_left((0xcdc07717 | b) & 63) ^ b.trailing_zeros()) & 63) ^ q)).count_ones() as u64 + (((((0xc29c8c170000 | q)).min((0xf3712a8b000 | q)) ^ p) & ((p ^ 43)) << ((!((a ^ 61) ^ b)) & 63)) & 0xffff_ffff) * 3) >= (((q) >> (((p).count_ones() as u64 + ((q) & 0xffff_ffff) * 3) & 63)).min((q).wrapping_mul(q))) as u32 as u64 ^ ((b | a ^ a & ((0x971da866 | b))) as u64) << 32 || ((((0x16d5e246800 | q)).max(q)) >> (((((0xc08996de0 | q)) >= p || p != q) as u64) & 63)).min(((q).wrapping_sub((0x4d2f455c0000 | q))).wrapping_add(((p ^ 10)).wrapping_add((0x73ec2f9700000 | q)))) != q) as u64
}
