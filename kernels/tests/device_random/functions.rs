//! Random expressions. Generated: `./x generate`.
#![allow(warnings, clippy::all, reason = "random")]

use glam::UVec3;
use kernels::device;

#[device]
#[rustfmt::skip]
pub fn e0(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((a / ((a) | 1)).max(b.min((a ^ 12)))).wrapping_sub((((c ^ 2)).wrapping_neg()).count_ones() * 33 + (a / ((a) | 1)).leading_zeros());
    let b: u32 = ((((a ^ 56)) >> (((a ^ 27)) & 31)).wrapping_mul(b.wrapping_sub((a ^ 37)))).rotate_left(!(b.wrapping_add((0x2ae56362 | b)) ^ b) & 63) ^ ((((a ^ 56)) >> (((a ^ 27)) & 31)).wrapping_mul(b.wrapping_sub((a ^ 37)))).trailing_zeros();
    let mut s = b;
    for k in (0..a % 7).rev() {
        s >>= 1;
        s += 1 + (s >> 9 & 7);
        if ((a > b) ^ (a > b)) {
            continue;
        }
        s = s.rotate_left(5) ^ (a).wrapping_neg();
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => (b.wrapping_mul(b)).rotate_left(((0xccec360b | b)) >> (((0x113911b3 | b)) & 31) & 63) ^ (b.wrapping_mul(b)).trailing_zeros(),
        1 | 3 => (a / (((a ^ 40)) | 1)).wrapping_neg(),
        _ => (a.min((a ^ 43))).wrapping_add((if a > b { a ^ a } else { b ^ a })),
    };
    let v: UVec3 = UVec3::new(s, t, ((((c ^ 4)) >> 2) / ((c & 0xff) + 1)).count_ones() * 33 + (b.min(b)).leading_zeros());
    let v: UVec3 = (v & UVec3::splat(a)).max(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    (((((((a ^ 63)) >> (((a ^ 67)) & 31)) ^ a) as i32) as u32) & 0xffff) * 7 + (((b | (a > b) as u32 ^ (a ^ 3) ^ a & ((a).wrapping_neg())).rotate_right((b.wrapping_mul(b)).count_ones() + ((c).count_ones() * 33 + ((0x40d35e9a | b)).leading_zeros()).leading_zeros() * 40)) & 0xfff) + 5 - (a & 3)
}

#[device]
#[rustfmt::skip]
pub fn e1(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((a.min((0x764c6fc5 | b))).rotate_right(((a ^ 58)).wrapping_mul((a ^ 58)))).wrapping_shl(((!(b ^ b)) & 0xffff) * 7 + ((((a ^ 21)).min(b)) & 0xfff) + 5 - (a & 3));
    let b: u32 = ((((c ^ 3)).count_ones() * 33 + (a).leading_zeros() ^ b) % ((((0xec73867f | b)).rotate_left((a ^ 17) & 63) ^ ((0xec73867f | b)).trailing_zeros()) | 1)).max(((if a > b { a ^ a } else { b ^ b }) ^ a) & (c) as u32);
    let mut s = b;
    for k in 0..a % 7 {
        s >>= 1;
        s /= 3;
        if (a > b) == (a > b) {
            continue;
        }
        s = s.rotate_left(5) ^ a >> (((0x541f9485 | b)) & 31);
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => a / (((c).count_ones() * 33 + ((a ^ 7)).leading_zeros()) | 1),
        1 | 3 => (((0xc90af8c8 | b)).rotate_left((0xd1cb8932 | b) & 63) ^ ((0xc90af8c8 | b)).trailing_zeros()).max(b.wrapping_add((a ^ 43))),
        _ => ((a).max(b) ^ a) & (b).wrapping_shl(a),
    };
    let v: UVec3 = UVec3::new(s, t, b | (b).max(a) ^ a & (!((a ^ 37) ^ b)));
    let v: UVec3 = (v ^ UVec3::splat(a)).wrapping_sub(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    (((((a ^ 15)).wrapping_add(b)).min(((a ^ 13)).rotate_right(b))).max(((((a ^ 45)) & 0xffff) * 7 + ((b) & 0xfff) + 5 - (a & 3)).wrapping_sub((a).wrapping_shr((0x80b67217 | b))))).wrapping_shr((((a > b) as u32 ^ b).wrapping_shl(((a ^ 17)).wrapping_shr(b))).reverse_bits())
}

#[device]
#[rustfmt::skip]
pub fn e2(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((!((a ^ 60) ^ b)).rotate_right(((0x8209414a | b)).count_ones() + ((a ^ 24)).leading_zeros() * 40)).rotate_left(((if a > b { a ^ a } else { b ^ b })) << (((if a > b { a ^ b } else { b ^ (a ^ 16) })) & 31) & 63) ^ ((!((a ^ 60) ^ b)).rotate_right(((0x8209414a | b)).count_ones() + ((a ^ 24)).leading_zeros() * 40)).trailing_zeros();
    let b: u32 = (b | a / ((b) | 1) ^ a & (b.rotate_right((a ^ 67)))).clamp(96, 22195);
    let mut s = b;
    for k in (0..a % 7).rev() {
        s >>= 1;
        s /= 3;
        if ((a ^ 41)) ^ a < b {
            continue;
        }
        s = s.rotate_left(5) ^ ((0xae622e5d | b)).max((a ^ 44));
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => ((a).reverse_bits()).wrapping_shr(a.rotate_left(b & 63) ^ a.trailing_zeros()),
        1 | 3 => (((c ^ 8)) << (((0xb949f7e7 | b)) & 31)) as u32,
        _ => (a.rotate_left((a ^ 3) & 63) ^ a.trailing_zeros()).clamp(50, 27804),
    };
    let v: UVec3 = UVec3::new(s, t, (b.wrapping_mul(a)).rotate_right(((0x5ff5f428 | b)).wrapping_shl(b)));
    let v: UVec3 = (v ^ UVec3::splat(a)).wrapping_sub(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    ((((if a > b { a ^ (a ^ 0) } else { b ^ a })).rotate_left(a.count_ones() + ((0xac177d97 | b)).leading_zeros() * 40 & 63) ^ ((if a > b { a ^ (a ^ 0) } else { b ^ a })).trailing_zeros() ^ a) & (b >> ((b) & 31)).rotate_right((if a > b { a ^ (a ^ 37) } else { b ^ (0x8c2624ba | b) }))).wrapping_sub(((((a ^ 61)).clamp(0, 22157)).clamp(56, 31381) ^ b) % ((((a > b) as u32 ^ b) << ((((a ^ 24)).wrapping_add(a)) & 31)) | 1))
}

#[device]
#[rustfmt::skip]
pub fn e3(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((((a ^ 52) ^ a) & (0x96e18eb5 | b)) << ((!(b ^ b)) & 31)).rotate_left((((c).count_ones() * 33 + ((0x4d20d629 | b)).leading_zeros()) & 0xffff) * 7 + ((((0x3b19b3fa | b)).wrapping_sub(b)) & 0xfff) + 5 - (a & 3) & 63) ^ ((((a ^ 52) ^ a) & (0x96e18eb5 | b)) << ((!(b ^ b)) & 31)).trailing_zeros();
    let b: u32 = (((a ^ b) % ((b) | 1)).wrapping_shl((a > b) as u32 ^ (a ^ 57))).reverse_bits();
    let mut s = b;
    for k in (0..a % 7).rev() {
        s >>= 1;
        s &= !k;
        if ((a > b) ^ (a > b)) {
            continue;
        }
        s = s.rotate_left(5) ^ a.rotate_right((0x6ad519a3 | b));
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => (((a ^ 42)).count_ones() + b.leading_zeros() * 40).wrapping_mul(a >> ((a) & 31)),
        1 | 3 => (((0xebcbec13 | b)).clamp(57, 80848)).wrapping_mul(!((0xf3de750d | b) ^ b)),
        _ => (((a ^ 0)).reverse_bits()).count_ones() + ((b).reverse_bits()).leading_zeros() * 40,
    };
    let v: UVec3 = UVec3::new(s, t, (c <= (c ^ 2)) as u32 ^ (if a > b { a ^ a } else { b ^ a }));
    let v: UVec3 = (v | UVec3::splat(a)).wrapping_add(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    ((c >= (c) >> (((0x9d4dbeb8 | b)) & 31) && b != 3) as u32 ^ (((a ^ 28)) >> (((0x4096fc83 | b)) & 31)) >> ((((0x3b951a2b | b) ^ a) & (0x391a9f9d | b)) & 31)).rotate_left(((((a ^ 8)).clamp(70, 63854)).rotate_right((((a ^ 28)) & 0xffff) * 7 + (((0x9b9bdc5 | b)) & 0xfff) + 5 - (a & 3))).wrapping_shl(((c).count_ones() * 33 + ((0x8f7b5608 | b)).leading_zeros() ^ b) % ((((a ^ 52)) << ((b) & 31)) | 1)) & 63) ^ ((c >= (c) >> (((0x9d4dbeb8 | b)) & 31) && b != 3) as u32 ^ (((a ^ 28)) >> (((0x4096fc83 | b)) & 31)) >> ((((0x3b951a2b | b) ^ a) & (0x391a9f9d | b)) & 31)).trailing_zeros()
}

#[device]
#[rustfmt::skip]
pub fn e4(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (((!(a > b)) ^ (c <= c))) as u32 ^ !(((a ^ 20)).rotate_right(a) ^ b);
    let b: u32 = (!(((0xab3b8be6 | b)).clamp(36, 47585) ^ b)).max(b | ((0xc7d2db02 | b)).wrapping_shl(b) ^ a & ((c) as u32));
    let mut s = b;
    for k in 0..a % 7 {
        s >>= 1;
        s <<= k & 3;
        if (a > b) != (a > b) {
            continue;
        }
        s = s.rotate_left(5) ^ (a > b) as u32 ^ (a ^ 25);
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => ((if a > b { c } else { c })).count_ones() * 33 + (((0xa60b01b3 | b)).rotate_left(a & 63) ^ ((0xa60b01b3 | b)).trailing_zeros()).leading_zeros(),
        1 | 3 => ((a > b) as u32 ^ b).count_ones() + ((a).max(b)).leading_zeros() * 40,
        _ => ((a > b) == (a > b)) as u32 ^ (c) as u32,
    };
    let v: UVec3 = UVec3::new(s, t, ((c).signum() * 77).count_ones() * 33 + ((a ^ b) % ((a) | 1)).leading_zeros());
    let v: UVec3 = (v & UVec3::splat(a)).max(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    (((((c ^ 3)).min(c)).wrapping_mul(c)).wrapping_add(((c) << ((b) & 31)).max(-609))).count_ones() * 33 + (((((0x9fa30f60 | b)).wrapping_sub((0x1c67f8a3 | b))).wrapping_sub((a).max((a ^ 0))) ^ a) & !((a).wrapping_neg() ^ b)).leading_zeros()
}

#[device]
#[rustfmt::skip]
pub fn e5(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (!(a / ((b) | 1) ^ b)) << ((!(((0xa6396281 | b)).reverse_bits() ^ b)) & 31);
    let b: u32 = ((((c ^ 0)).wrapping_neg()).wrapping_sub(((c ^ 5)).signum() * 77)).count_ones() * 33 + ((((0xef560744 | b)).wrapping_shl((a ^ 62))).count_ones() + ((b).wrapping_shl((a ^ 0))).leading_zeros() * 40).leading_zeros();
    let mut s = b;
    for k in 0..a % 7 {
        s >>= 1;
        s &= !k;
        if (a > b) | (a > b) {
            continue;
        }
        s = s.rotate_left(5) ^ ((0x4ae70ce6 | b)).count_ones() + a.leading_zeros() * 40;
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => ((a).max(a)).rotate_left(((0xc61002d0 | b)) >> (((0x162439cd | b)) & 31) & 63) ^ ((a).max(a)).trailing_zeros(),
        1 | 3 => (((0xeb2bd97c | b)).clamp(83, 91162)).wrapping_shr(((a ^ 19)).rotate_left((0xcb83f23e | b) & 63) ^ ((a ^ 19)).trailing_zeros()),
        _ => (!(b ^ b)) << ((b | a ^ a & (a)) & 31),
    };
    let v: UVec3 = UVec3::new(s, t, (((0x41bab4a6 | b)).rotate_left(b & 63) ^ ((0x41bab4a6 | b)).trailing_zeros()).wrapping_shl(((0x4bd33ae0 | b)).rotate_left(a & 63) ^ ((0x4bd33ae0 | b)).trailing_zeros()));
    let v: UVec3 = (v ^ UVec3::splat(a)).wrapping_sub(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    (if c <= (((c) >> 2) / ((c & 0xff) + 1)) << (((a).wrapping_neg()) & 31) { a ^ ((((c ^ 6)).max(-465)).max(-114)).count_ones() * 33 + ((((a ^ 11)).wrapping_add(a)).wrapping_add(((b) & 0xffff) * 7 + ((b) & 0xfff) + 5 - (a & 3))).leading_zeros() } else { b ^ (((if a > b { a ^ (a ^ 62) } else { b ^ a })).max(((a ^ 7)) >> (((a ^ 9)) & 31))).wrapping_shr((((a ^ 44) ^ a) & (a ^ 31)).min(((0x68ced438 | b)).wrapping_sub((a ^ 19)))) })
}

#[device]
#[rustfmt::skip]
pub fn e6(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (!((b).wrapping_shr(a) ^ b)).rotate_left(((b).clamp(40, 49707)).wrapping_mul(((c ^ 6)) as u32) & 63) ^ (!((b).wrapping_shr(a) ^ b)).trailing_zeros();
    let b: u32 = ((((0x8671a78e | b) ^ b) % ((a) | 1)).clamp(29, 66448) ^ a) & (a.wrapping_mul((0xe1c786a | b))).wrapping_shl((if a > b { a ^ (a ^ 55) } else { b ^ (0x269e72ef | b) }));
    let mut s = b;
    for k in (0..a % 7).rev() {
        s >>= 1;
        s ^= k;
        if c >= c && b != 3 {
            continue;
        }
        s = s.rotate_left(5) ^ ((b) & 0xffff) * 7 + (((a ^ 13)) & 0xfff) + 5 - (a & 3);
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => (b.rotate_left(a & 63) ^ b.trailing_zeros()).wrapping_neg(),
        1 | 3 => ((a > b) as u32 ^ (0x46d70f45 | b)) << ((!(b ^ b)) & 31),
        _ => !(((0xbf62065a | b)).wrapping_neg() ^ b),
    };
    let v: UVec3 = UVec3::new(s, t, (b | a ^ a & (a)) >> ((b | (0x4021e4da | b) ^ a & ((a ^ 6))) & 31));
    let v: UVec3 = (v & UVec3::splat(a)).wrapping_sub(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    ((((a > b) | (a > b)) as u32 ^ (a).max(a)).clamp(71, 80489)).reverse_bits()
}

#[device]
#[rustfmt::skip]
pub fn e7(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (((c).count_ones() * 33 + (a).leading_zeros() ^ a) & (a > b) as u32 ^ a).rotate_right((((0x5a575fab | b)).wrapping_neg()) << (((a).is_multiple_of(a | 1) as u32) & 31));
    let b: u32 = ((((a ^ 58) ^ a) & (0x1695b12b | b) ^ b) % ((((0x429dd693 | b) ^ a) & b) | 1)).wrapping_add(((a).wrapping_neg()).wrapping_mul(((a ^ 5)).min(b)));
    let mut s = b;
    for k in 0..a % 7 {
        s >>= 1;
        s |= k << 3;
        if ((a ^ 19)) & 1 == 0 || a == b {
            continue;
        }
        s = s.rotate_left(5) ^ (b ^ b) % ((a) | 1);
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => ((a > b) != (a > b)) as u32 ^ ((a ^ 64)).wrapping_sub(a),
        1 | 3 => ((if a > b { a ^ b } else { b ^ (a ^ 3) })).rotate_left((a ^ a) & b & 63) ^ ((if a > b { a ^ b } else { b ^ (a ^ 3) })).trailing_zeros(),
        _ => (a / ((b) | 1)).clamp(34, 11023),
    };
    let v: UVec3 = UVec3::new(s, t, (!(b ^ b)).clamp(69, 83640));
    let v: UVec3 = (v | UVec3::splat(a)).wrapping_mul(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    ((((a) & 1 == 0 || a == b) as u32 ^ ((0xbe4b8ec6 | b) ^ b) % (((0x7fab557c | b)) | 1)).wrapping_mul((b.rotate_right((0x1a7570a8 | b)) ^ a) & b << ((a) & 31))).min(((((a ^ 42)).rotate_left(a & 63) ^ ((a ^ 42)).trailing_zeros()).wrapping_sub(((0x6c6379fc | b) ^ b) % ((b) | 1))).wrapping_shl((a.min(a) ^ a) & (b).is_multiple_of(b | 1) as u32))
}

#[device]
#[rustfmt::skip]
pub fn e8(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((((c ^ 0)).min((c ^ 8))).count_ones() * 33 + (b.rotate_right(a)).leading_zeros()).max(b | a.count_ones() + b.leading_zeros() * 40 ^ a & ((if a > b { a ^ (0x384156e | b) } else { b ^ b })));
    let b: u32 = ((((c ^ 2)) >> (((a ^ 7)) & 31)).count_ones() * 33 + (b << (((a ^ 24)) & 31)).leading_zeros()) << (((((a ^ 68)).count_ones() + ((0x7c207a9f | b)).leading_zeros() * 40).rotate_left(((0x1140e272 | b)).reverse_bits() & 63) ^ (((a ^ 68)).count_ones() + ((0x7c207a9f | b)).leading_zeros() * 40).trailing_zeros()) & 31);
    let mut s = b;
    for k in (0..a % 7).rev() {
        s >>= 1;
        s &= !k;
        if c <= (c ^ 5) {
            continue;
        }
        s = s.rotate_left(5) ^ ((0xfcc0a7f7 | b)).clamp(44, 16244);
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => (((0xf54fa4cb | b)).rotate_right((a ^ 47))).wrapping_shr((if a > b { a ^ b } else { b ^ b })),
        1 | 3 => (((a ^ 37)).count_ones() + ((a ^ 15)).leading_zeros() * 40).reverse_bits(),
        _ => a / ((((a ^ 17)) >> (((a ^ 47)) & 31)) | 1),
    };
    let v: UVec3 = UVec3::new(s, t, (((0x64b05897 | b)).wrapping_shl(a)) >> ((((a ^ 69)).rotate_left(a & 63) ^ ((a ^ 69)).trailing_zeros()) & 31));
    let v: UVec3 = (v & UVec3::splat(a)).wrapping_mul(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    ((((b).max((a ^ 0))).rotate_right((a > b) as u32 ^ (0x750372ef | b))).clamp(74, 29243)).count_ones() + ((((a ^ a) & (a ^ 40)).wrapping_sub(b | (0xec9e5665 | b) ^ a & ((a ^ 16)))).wrapping_mul((((a ^ 52) ^ a) & (a ^ 68)).wrapping_sub(((a ^ 32)).wrapping_mul((0x314bfa54 | b))))).leading_zeros() * 40
}

#[device]
#[rustfmt::skip]
pub fn e9(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((b | (0x97b4ee20 | b) ^ a & (a)).wrapping_shr(b.rotate_right((a ^ 9)))).reverse_bits();
    let b: u32 = (((a).wrapping_neg()).min(((0xd7dce3fb | b)).count_ones() + ((a ^ 61)).leading_zeros() * 40)).wrapping_shl(((a > b) as u32 ^ b).wrapping_neg());
    let mut s = b;
    for k in (0..a % 7).rev() {
        s >>= 1;
        s ^= k;
        if (a > b) | (a > b) {
            continue;
        }
        s = s.rotate_left(5) ^ b | (0xc1d8982c | b) ^ a & (a);
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => ((a > b) as u32 ^ b).clamp(32, 12071),
        1 | 3 => ((c).signum() * 77).count_ones() * 33 + ((b).is_multiple_of((0xb3f80212 | b) | 1) as u32).leading_zeros(),
        _ => a / ((b.wrapping_sub((0xb2f4efcf | b))) | 1),
    };
    let v: UVec3 = UVec3::new(s, t, b | ((c ^ 0)).count_ones() * 33 + (b).leading_zeros() ^ a & (((a ^ 68)).wrapping_sub((0x5937cad0 | b))));
    let v: UVec3 = (v | UVec3::splat(a)).wrapping_sub(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    (((((c ^ 4)) << (((a ^ 58)) & 31)) << ((((c ^ 0)).count_ones() * 33 + ((a ^ 22)).leading_zeros()) & 31)).wrapping_mul(c)).count_ones() * 33 + ((((b.rotate_left((a ^ 68) & 63) ^ b.trailing_zeros()) ^ a) as i32) as u32).leading_zeros()
}

#[device]
#[rustfmt::skip]
pub fn e10(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (a / ((((0x549daf16 | b)).max((0x7f3393ef | b))) | 1)).wrapping_neg();
    let b: u32 = ((a.rotate_right((0xadcd9e2f | b))).wrapping_shl(((a ^ 55) ^ a) & a)).wrapping_neg();
    let mut s = b;
    for k in (0..a % 7).rev() {
        s >>= 1;
        s /= 3;
        if (a > b) != (a > b) {
            continue;
        }
        s = s.rotate_left(5) ^ a / (((0xcb1f1bee | b)) | 1);
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => (((a ^ 52)).count_ones() + b.leading_zeros() * 40).reverse_bits(),
        1 | 3 => ((a).reverse_bits()).count_ones() + ((a).wrapping_shr(a)).leading_zeros() * 40,
        _ => (a / ((a) | 1) ^ b) % ((((a ^ 65)).max(a)) | 1),
    };
    let v: UVec3 = UVec3::new(s, t, (b << (((0xc73190a1 | b)) & 31)).reverse_bits());
    let v: UVec3 = (v | UVec3::splat(a)).wrapping_mul(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    (c >= !(((a) ^ a) as i32) && b != 3) as u32 ^ (!((a > b) | (a > b))) as u32 ^ (b | a ^ a & (a)).wrapping_shr(((0xb5b4a7a5 | b) ^ b) % (((0x15721ae | b)) | 1))
}

#[device]
#[rustfmt::skip]
pub fn e11(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((((a ^ 24)).max((0x8ce43ac | b))).clamp(26, 62817)).wrapping_sub((((0xf0ae2042 | b) ^ b) % ((a) | 1)).min((b).wrapping_shl((0x9e7f5b44 | b))));
    let b: u32 = (if (((a > b) & (a > b)) ^ (c >= c && b != 3)) { a ^ (((a ^ 27)) << ((b) & 31)) << ((a.wrapping_sub((a ^ 36))) & 31) } else { b ^ (a.rotate_right((0x16cf255b | b))).rotate_right(((c ^ 2)) as u32) });
    let mut s = b;
    for k in 0..a % 7 {
        s >>= 1;
        s <<= k & 3;
        if c <= c {
            continue;
        }
        s = s.rotate_left(5) ^ ((0x9f3a4e3 | b)).reverse_bits();
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => (((0xa43795c2 | b) ^ a) & (0xd53c619 | b)).is_multiple_of(((a ^ 21)).wrapping_shr(a) | 1) as u32,
        1 | 3 => (((0x6081b097 | b)).rotate_left(a & 63) ^ ((0x6081b097 | b)).trailing_zeros()) << ((((a ^ 25)).reverse_bits()) & 31),
        _ => ((a).wrapping_shr(b)).reverse_bits(),
    };
    let v: UVec3 = UVec3::new(s, t, (a >> (((a ^ 2)) & 31)).rotate_right(b | b ^ a & (b)));
    let v: UVec3 = (v & UVec3::splat(a)).wrapping_add(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    (((((0xefd84304 | b)).wrapping_neg()).clamp(19, 89527)).wrapping_shr(a / ((b.min(b)) | 1))).wrapping_shl(((!(a > b)) as u32 ^ (a).clamp(75, 3578)).rotate_left((((0xfe7a3728 | b)).is_multiple_of(b | 1) as u32).max(((0x297f38d5 | b) ^ b) % (((a ^ 12)) | 1)) & 63) ^ ((!(a > b)) as u32 ^ (a).clamp(75, 3578)).trailing_zeros())
}

#[device]
#[rustfmt::skip]
pub fn e12(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (((if a > b { a ^ (0x9dbf64ea | b) } else { b ^ b })).wrapping_shr((b).wrapping_neg())).min(((b).wrapping_neg() ^ a) & ((0xe9dad98b | b) ^ a) & (a ^ 62));
    let b: u32 = ((((0x680427c4 | b)).wrapping_mul((0xef93d661 | b))).max((a).max(a)) ^ a) & ((b).wrapping_shr((a ^ 21))).rotate_right(b | b ^ a & (b));
    let mut s = b;
    for k in (0..a % 7).rev() {
        s >>= 1;
        s -= s >> 1;
        if (a > b) != (a > b) {
            continue;
        }
        s = s.rotate_left(5) ^ (c) as u32;
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => (((a ^ 39)).wrapping_add(b)).rotate_right(((a ^ 69) ^ a) & (a ^ 62)),
        1 | 3 => ((a > b) as u32 ^ a).clamp(19, 18813),
        _ => (b.wrapping_mul(a) ^ a) & (a ^ b) % ((a) | 1),
    };
    let v: UVec3 = UVec3::new(s, t, (((0x4085fb49 | b)).rotate_right(a)).is_multiple_of((a).reverse_bits() | 1) as u32);
    let v: UVec3 = (v ^ UVec3::splat(a)).wrapping_add(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    ((((a > b) as u32 ^ a) >> (((c).count_ones() * 33 + (a).leading_zeros()) & 31) ^ a) & ((b).wrapping_shl((0x2d17015 | b))) >> (((a).reverse_bits()) & 31)).wrapping_mul(((!((0x6cf311ae | b) ^ b)).wrapping_sub(b | (a ^ 67) ^ a & ((0xd9301547 | b)))).rotate_left(((((0xef451a4c | b)) << (((0x2c5a9f74 | b)) & 31)) & 0xffff) * 7 + (((if a > b { a ^ (a ^ 17) } else { b ^ b })) & 0xfff) + 5 - (a & 3) & 63) ^ ((!((0x6cf311ae | b) ^ b)).wrapping_sub(b | (a ^ 67) ^ a & ((0xd9301547 | b)))).trailing_zeros())
}

#[device]
#[rustfmt::skip]
pub fn e13(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((c <= c) == ((b) & 1 == 0 || a == b)) as u32 ^ (a.wrapping_add(b)).rotate_right((b ^ a) & (0xcce73584 | b));
    let b: u32 = ((((0xdda251ac | b)).wrapping_neg()).count_ones() + (a.count_ones() + b.leading_zeros() * 40).leading_zeros() * 40).rotate_right((b.wrapping_add((a ^ 7)) ^ a) & b | (0x90b34306 | b) ^ a & (b));
    let mut s = b;
    for k in (0..a % 7).rev() {
        s >>= 1;
        s |= k << 3;
        if !(a > b) {
            continue;
        }
        s = s.rotate_left(5) ^ a.wrapping_add(a);
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => (((0xfd3e2b8d | b)).wrapping_shr((0xc0d153f5 | b))).wrapping_shl((a).is_multiple_of((a ^ 45) | 1) as u32),
        1 | 3 => ((a).max((a ^ 38))).wrapping_add(a / (((0xc8290980 | b)) | 1)),
        _ => ((c) as u32).count_ones() + ((c) as u32).leading_zeros() * 40,
    };
    let v: UVec3 = UVec3::new(s, t, (((0x28705288 | b) ^ b) % (((a ^ 42)) | 1) ^ a) & ((0xdcb203a | b) ^ a) & a);
    let v: UVec3 = (v | UVec3::splat(a)).wrapping_mul(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    (((((0x1b8736d2 | b)).wrapping_sub((a ^ 28))).clamp(80, 13868)).wrapping_neg() ^ b) % (((((((c ^ 0)) % (c & 31 | 1)) >> 1).abs()).count_ones() * 33 + ((((a ^ 67)).rotate_right(b)).count_ones() + (((b) & 0xffff) * 7 + ((b) & 0xfff) + 5 - (a & 3)).leading_zeros() * 40).leading_zeros()) | 1)
}

#[device]
#[rustfmt::skip]
pub fn e14(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((if (a) & 1 == 0 || a == b { a ^ ((a ^ 62)).wrapping_mul((0xc498ae97 | b)) } else { b ^ (a).clamp(30, 14464) }) ^ b) % (((a.min((a ^ 7)) ^ a) & ((a ^ 7)).wrapping_add(a)) | 1);
    let b: u32 = ((if !(a > b) { a ^ b | (0x3fe6d90d | b) ^ a & ((0xb0df1f20 | b)) } else { b ^ (b).wrapping_shr((0xf5015617 | b)) })).clamp(65, 16973);
    let mut s = b;
    for k in (0..a % 7).rev() {
        s >>= 1;
        s <<= k & 3;
        if c >= (c ^ 6) && b != 3 {
            continue;
        }
        s = s.rotate_left(5) ^ ((0xcab90568 | b)).clamp(51, 39334);
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => (!(c)).count_ones() * 33 + (((c ^ 4)).count_ones() * 33 + ((a ^ 6)).leading_zeros()).leading_zeros(),
        1 | 3 => (!(b ^ b)).wrapping_shr(a.wrapping_sub((a ^ 40))),
        _ => ((c).count_ones() * 33 + ((a ^ 4)).leading_zeros()).wrapping_shl(((0x522b5e53 | b)) >> (((a ^ 65)) & 31)),
    };
    let v: UVec3 = UVec3::new(s, t, (if c >= c && b != 3 { a ^ (a).wrapping_neg() } else { b ^ ((0xb2f68b0c | b)).max(b) }));
    let v: UVec3 = (v ^ UVec3::splat(a)).min(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    (((a / ((a) | 1)).count_ones() + (((a ^ 56) ^ a) & a).leading_zeros() * 40).min((((a ^ 68)).reverse_bits()).wrapping_neg())).wrapping_shr((((c).wrapping_neg()).wrapping_sub(((c ^ 0)).wrapping_neg())).count_ones() * 33 + ((((a ^ 11)).wrapping_shl(a)).wrapping_shl(((a ^ 43)).wrapping_shr((a ^ 33)))).leading_zeros())
}

#[device]
#[rustfmt::skip]
pub fn e15(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((b.rotate_left((0xb43ab7d9 | b) & 63) ^ b.trailing_zeros()).max((b ^ b) % ((a) | 1))).wrapping_neg();
    let b: u32 = (((((a ^ 66)).min((0xf2cc986d | b))).wrapping_add((a).is_multiple_of(b | 1) as u32)) & 0xffff) * 7 + ((a / (((b).wrapping_shl(a)) | 1)) & 0xfff) + 5 - (a & 3);
    let mut s = b;
    for k in 0..a % 7 {
        s >>= 1;
        s <<= k & 3;
        if c >= (c ^ 6) && b != 3 {
            continue;
        }
        s = s.rotate_left(5) ^ ((0x7490f394 | b)).wrapping_neg();
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => ((b).wrapping_neg()).max(((a ^ 24)).wrapping_sub((a ^ 67))),
        1 | 3 => (if ((a ^ 24)) ^ a < b { a ^ (if a > b { a ^ (a ^ 58) } else { b ^ b }) } else { b ^ (c).count_ones() * 33 + ((a ^ 49)).leading_zeros() }),
        _ => (a / (((0x23fd0f68 | b)) | 1)).count_ones() + (!(a ^ b)).leading_zeros() * 40,
    };
    let v: UVec3 = UVec3::new(s, t, (((a ^ 38)).rotate_right((0xa0d60a6a | b))).wrapping_add((b).max(b)));
    let v: UVec3 = (v ^ UVec3::splat(a)).wrapping_add(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    ((((c).signum() * 77).wrapping_add(((c ^ 8)).wrapping_neg())).wrapping_mul(c)).count_ones() * 33 + ((((((a ^ 39) ^ a) & a) >> (((b).reverse_bits()) & 31)) & 0xffff) * 7 + (((((0x4223813c | b)).rotate_right(a)).is_multiple_of(((a ^ 48)).wrapping_neg() | 1) as u32) & 0xfff) + 5 - (a & 3)).leading_zeros()
}

#[device]
#[rustfmt::skip]
pub fn e16(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((((0xa8f9bcfc | b) ^ a) & b).min(!(b ^ b))) >> (((!((a ^ 12) ^ b) ^ a) & ((0x5441ef93 | b)).reverse_bits()) & 31);
    let b: u32 = ((if (a) ^ a < b { a ^ ((0xa20800b3 | b)).wrapping_sub((0x1b65d342 | b)) } else { b ^ ((a ^ 29)).wrapping_sub(a) })).rotate_right(((c) as u32).wrapping_neg());
    let mut s = b;
    for k in 0..a % 7 {
        s >>= 1;
        s |= k << 3;
        if (a) ^ a < b {
            continue;
        }
        s = s.rotate_left(5) ^ (b).max(a);
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => (((a > b) ^ (a > b))) as u32 ^ b | a ^ a & (a),
        1 | 3 => ((c) as u32).clamp(22, 88550),
        _ => (b.rotate_left((0xbe587d32 | b) & 63) ^ b.trailing_zeros()).wrapping_mul(a >> ((a) & 31)),
    };
    let v: UVec3 = UVec3::new(s, t, (b | (a ^ 41) ^ a & (b)).count_ones() + ((b).max(b)).leading_zeros() * 40);
    let v: UVec3 = (v & UVec3::splat(a)).min(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    (b | (((0xdd66fe2 | b)).min(b)).rotate_right(((c ^ 2)) as u32) ^ a & ((((a ^ 57)) & 1 == 0 || a == b) as u32 ^ (((a ^ 59)) & 0xffff) * 7 + ((a) & 0xfff) + 5 - (a & 3))).min(((((a ^ 59)).reverse_bits()) << ((b.count_ones() + b.leading_zeros() * 40) & 31)).min((a.wrapping_sub((0x4add7280 | b))).wrapping_mul(((c ^ 3)) as u32)))
}

#[device]
#[rustfmt::skip]
pub fn e17(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((((a ^ 7)).wrapping_add(a)).wrapping_mul(((a ^ 66)).reverse_bits())).is_multiple_of(((((0x9b2d2f63 | b)).is_multiple_of((a ^ 45) | 1) as u32) & 0xffff) * 7 + ((((c ^ 3)).count_ones() * 33 + (a).leading_zeros()) & 0xfff) + 5 - (a & 3) | 1) as u32;
    let b: u32 = ((((0x9def3e4d | b)).rotate_left(b & 63) ^ ((0x9def3e4d | b)).trailing_zeros()).min(a / ((b) | 1))).min((((c ^ 1)) as u32).wrapping_shl(((c ^ 4)).count_ones() * 33 + ((a ^ 60)).leading_zeros()));
    let mut s = b;
    for k in 0..a % 7 {
        s >>= 1;
        s += 1 + (s >> 9 & 7);
        if (a > b) & (a > b) {
            continue;
        }
        s = s.rotate_left(5) ^ (a > b) as u32 ^ (a ^ 49);
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => ((((a ^ 20)) & 0xffff) * 7 + ((a) & 0xfff) + 5 - (a & 3) ^ b) % ((((0xbf162ebd | b)).is_multiple_of(a | 1) as u32) | 1),
        1 | 3 => ((if a > b { c } else { c })) as u32,
        _ => (b | b ^ a & ((a ^ 63))).wrapping_add((b).clamp(89, 19279)),
    };
    let v: UVec3 = UVec3::new(s, t, (((c ^ 3)).signum() * 77).count_ones() * 33 + (((c ^ 5)) as u32).leading_zeros());
    let v: UVec3 = (v ^ UVec3::splat(a)).wrapping_sub(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    (a / ((!((((a ^ 27)) & 0xffff) * 7 + ((b) & 0xfff) + 5 - (a & 3) ^ b)) | 1)).wrapping_neg()
}

#[device]
#[rustfmt::skip]
pub fn e18(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = !(((c).count_ones() * 33 + ((a ^ 9)).leading_zeros()).wrapping_add(((0xc78a9504 | b)).wrapping_shr(b)) ^ b);
    let b: u32 = (((c).wrapping_mul(c)).min((c).wrapping_sub(c))) as u32;
    let mut s = b;
    for k in 0..a % 7 {
        s >>= 1;
        s &= !k;
        if ((0x33bc8595 | b)) & 1 == 0 || a == b {
            continue;
        }
        s = s.rotate_left(5) ^ (c) as u32;
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => ((a).max(a)).reverse_bits(),
        1 | 3 => (a >> (((a ^ 49)) & 31)).min(((a ^ 66) ^ a) & (a ^ 14)),
        _ => ((b).wrapping_shl((0x1f757e34 | b))).rotate_right((c) as u32),
    };
    let v: UVec3 = UVec3::new(s, t, ((b).wrapping_shr(a)).reverse_bits());
    let v: UVec3 = (v & UVec3::splat(a)).wrapping_sub(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    ((((a).wrapping_shr(a)).count_ones() + ((b ^ a) & (a ^ 4)).leading_zeros() * 40).wrapping_shr((!(a > b)) as u32 ^ (b).wrapping_shr((0x7a0843c5 | b)))) << ((b | (if !(a > b) { a ^ (((a ^ 58)) & 0xffff) * 7 + ((a) & 0xfff) + 5 - (a & 3) } else { b ^ (a).wrapping_shr(b) }) ^ a & ((a.wrapping_sub(b)).wrapping_neg())) & 31)
}

#[device]
#[rustfmt::skip]
pub fn e19(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((c >= c && b != 3) as u32 ^ ((0x4dcd24aa | b)).rotate_left(b & 63) ^ ((0x4dcd24aa | b)).trailing_zeros() ^ a) & (((a ^ 0)).rotate_left((0xbc76c1e3 | b) & 63) ^ ((a ^ 0)).trailing_zeros()).wrapping_shr(((c ^ 5)) as u32);
    let b: u32 = ((((c ^ 6)) as u32) >> ((((0x39bb4426 | b)).is_multiple_of(b | 1) as u32) & 31)).wrapping_sub(b | b.count_ones() + ((a ^ 50)).leading_zeros() * 40 ^ a & (b.wrapping_add(a)));
    let mut s = b;
    for k in (0..a % 7).rev() {
        s >>= 1;
        s ^= k;
        if (a > b) != (a > b) {
            continue;
        }
        s = s.rotate_left(5) ^ ((0x1160a4eb | b)).rotate_right((0xaaf94383 | b));
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => b | a >> (((0x60a262d0 | b)) & 31) ^ a & (b << (((a ^ 41)) & 31)),
        1 | 3 => (a >> ((a) & 31)).wrapping_shr(((a ^ 25)).rotate_right(b)),
        _ => (((a ^ 22)).clamp(98, 1609) ^ b) % ((((a ^ 17)).wrapping_mul(a)) | 1),
    };
    let v: UVec3 = UVec3::new(s, t, (if ((a ^ 53)) & 1 == 0 || a == b { a ^ ((0xdee34520 | b)).max(b) } else { b ^ a / ((a) | 1) }));
    let v: UVec3 = (v ^ UVec3::splat(a)).wrapping_mul(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    ((((a.wrapping_mul(a)) & 1 == 0 || a == b) ^ (((((a ^ 65)) & 1 == 0 || a == b) ^ ((a) & 1 == 0 || a == b))))) as u32 ^ (((b ^ b) % ((a) | 1)).is_multiple_of(((a ^ 18)).min(b) | 1) as u32) << ((((a > b) as u32 ^ (a ^ 20)).wrapping_shl((a).max(a))) & 31)
}

#[device]
#[rustfmt::skip]
pub fn e20(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((((b).is_multiple_of((a ^ 51) | 1) as u32) & 0xffff) * 7 + ((((a ^ 62)) << (((0x50fc00ba | b)) & 31)) & 0xfff) + 5 - (a & 3)) >> (((((a ^ 46)).wrapping_mul((a ^ 26))).wrapping_add(((0x62bd365f | b)).clamp(49, 70477))) & 31);
    let b: u32 = (((b | (a ^ 45) ^ a & (a)) & 0xffff) * 7 + ((((a ^ 38) ^ a) & a) & 0xfff) + 5 - (a & 3)).wrapping_shl((!(b ^ b)).wrapping_shl((c) as u32));
    let mut s = b;
    for k in 0..a % 7 {
        s >>= 1;
        s -= s >> 1;
        if !(a > b) {
            continue;
        }
        s = s.rotate_left(5) ^ ((a ^ 42)).max(a);
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => ((a).clamp(34, 64153)).max(((0x505c9c28 | b)).wrapping_mul(a)),
        1 | 3 => ((c).count_ones() * 33 + (a).leading_zeros()).clamp(48, 65183),
        _ => (a.count_ones() + b.leading_zeros() * 40).is_multiple_of(((c ^ 5)).count_ones() * 33 + (a).leading_zeros() | 1) as u32,
    };
    let v: UVec3 = UVec3::new(s, t, (c >= c && b != 3) as u32 ^ (a).reverse_bits());
    let v: UVec3 = (v | UVec3::splat(a)).wrapping_add(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    ((((c).min((c ^ 0))).count_ones() * 33 + (((0xf2ee483c | b)) >> ((b) & 31)).leading_zeros()) & 1 == 0 || a == b) as u32 ^ ((((c ^ 7)) as u32).wrapping_mul(a.rotate_right((0x5d342466 | b))) ^ b) % ((((c).wrapping_add((c ^ 6))) as u32) | 1)
}

#[device]
#[rustfmt::skip]
pub fn e21(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (((c).wrapping_sub((c ^ 7))) as u32).max(((b).reverse_bits()).is_multiple_of(((a ^ 32)).rotate_right(a) | 1) as u32);
    let b: u32 = !((((c ^ 1)) >> (((0xdcd0e9e0 | b)) & 31)).count_ones() * 33 + ((c) as u32).leading_zeros() ^ b);
    let mut s = b;
    for k in 0..a % 7 {
        s >>= 1;
        s &= !k;
        if (a > b) & (a > b) {
            continue;
        }
        s = s.rotate_left(5) ^ ((0xeab3d900 | b)) << (((0x5c0b3fa2 | b)) & 31);
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => (((c ^ 0)) as u32) << (((b).max(b)) & 31),
        1 | 3 => (((a) & 0xffff) * 7 + ((b) & 0xfff) + 5 - (a & 3)).clamp(13, 67659),
        _ => !(((b) & 0xffff) * 7 + ((b) & 0xfff) + 5 - (a & 3) ^ b),
    };
    let v: UVec3 = UVec3::new(s, t, (((a ^ 14)).min((a ^ 60))).rotate_left(((b) & 0xffff) * 7 + (((0x7169b4ea | b)) & 0xfff) + 5 - (a & 3) & 63) ^ (((a ^ 14)).min((a ^ 60))).trailing_zeros());
    let v: UVec3 = (v | UVec3::splat(a)).wrapping_mul(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    (((((c ^ 5)).wrapping_sub((c ^ 2))) as u32).min((((c ^ 4)).count_ones() * 33 + (b).leading_zeros() ^ a) & ((a ^ 1) ^ a) & (a ^ 28))).reverse_bits()
}

#[device]
#[rustfmt::skip]
pub fn e22(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = b | ((c) << ((b) & 31)) as u32 ^ a & (b | b.count_ones() + a.leading_zeros() * 40 ^ a & ((c) as u32));
    let b: u32 = ((((a ^ 4)).wrapping_shl((0x61ae967c | b))).rotate_left(((c ^ 7)).count_ones() * 33 + (b).leading_zeros() & 63) ^ (((a ^ 4)).wrapping_shl((0x61ae967c | b))).trailing_zeros() ^ a) & (a << ((a) & 31)).is_multiple_of((b).reverse_bits() | 1) as u32;
    let mut s = b;
    for k in (0..a % 7).rev() {
        s >>= 1;
        s >>= k & 7;
        if (a) & 1 == 0 || a == b {
            continue;
        }
        s = s.rotate_left(5) ^ ((a ^ 33)).wrapping_sub(b);
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => (b >> (((0x101b6894 | b)) & 31)) << (((if a > b { a ^ b } else { b ^ (a ^ 60) })) & 31),
        1 | 3 => (((a ^ 14)).count_ones() + ((a ^ 63)).leading_zeros() * 40).clamp(88, 65922),
        _ => ((if a > b { a ^ a } else { b ^ a })).max(b.count_ones() + b.leading_zeros() * 40),
    };
    let v: UVec3 = UVec3::new(s, t, (((a ^ 57)).reverse_bits()).wrapping_shl(!(b ^ b)));
    let v: UVec3 = (v ^ UVec3::splat(a)).wrapping_sub(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    ((((((c ^ 0)) >> 1).abs()).wrapping_sub(((c ^ 1)).signum() * 77)) % (c & 31 | 1)).count_ones() * 33 + ((((((a ^ 41)) & 0xffff) * 7 + ((b) & 0xfff) + 5 - (a & 3) ^ a) & ((0x5dd658d1 | b)).clamp(44, 41732)).rotate_left((((b) & 0xffff) * 7 + ((b) & 0xfff) + 5 - (a & 3)).wrapping_shr((((0x655117fe | b)) & 0xffff) * 7 + (((a ^ 41)) & 0xfff) + 5 - (a & 3)) & 63) ^ (((((a ^ 41)) & 0xffff) * 7 + ((b) & 0xfff) + 5 - (a & 3) ^ a) & ((0x5dd658d1 | b)).clamp(44, 41732)).trailing_zeros()).leading_zeros()
}

#[device]
#[rustfmt::skip]
pub fn e23(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((((a > b) ^ (a > b))) == ((a > b) == (a > b))) as u32 ^ (((a ^ 7)) << ((a) & 31)).clamp(25, 15317);
    let b: u32 = ((!(a > b)) as u32 ^ (((0x3f627436 | b)) & 0xffff) * 7 + (((0xe2d8f64d | b)) & 0xfff) + 5 - (a & 3)) << ((((if a > b { a ^ a } else { b ^ (a ^ 1) })).wrapping_add((a > b) as u32 ^ a)) & 31);
    let mut s = b;
    for k in 0..a % 7 {
        s >>= 1;
        s <<= k & 3;
        if (a > b) == (a > b) {
            continue;
        }
        s = s.rotate_left(5) ^ b.min(b);
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => (((0x4b5318af | b)) >> (((a ^ 61)) & 31)).wrapping_mul(((0x37d5e4c4 | b)).min((a ^ 33))),
        1 | 3 => (a / ((b) | 1)).clamp(77, 61661),
        _ => (((a ^ 52)) << (((a ^ 8)) & 31)).min(((0x6811b540 | b)).wrapping_mul(a)),
    };
    let v: UVec3 = UVec3::new(s, t, ((a > b) != (a > b)) as u32 ^ ((0xde24d164 | b) ^ b) % (((a ^ 43)) | 1));
    let v: UVec3 = (v | UVec3::splat(a)).wrapping_sub(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    (((a.count_ones() + ((0x3c3404e4 | b)).leading_zeros() * 40).wrapping_add((b).clamp(1, 16298))).max((((a ^ 62)).wrapping_shr((a ^ 9))).is_multiple_of((b).wrapping_shr((a ^ 55)) | 1) as u32)).wrapping_add((((a > b) != (a > b)) as u32 ^ ((a ^ 22)).min((a ^ 63)) ^ b) % (((if ((a > b) ^ (a > b)) { a ^ ((0x893e0542 | b)).wrapping_mul((0xa9cd1396 | b)) } else { b ^ ((c ^ 6)).count_ones() * 33 + ((a ^ 2)).leading_zeros() })) | 1))
}

#[device]
#[rustfmt::skip]
pub fn e24(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (((b).wrapping_neg()).count_ones() + (a.wrapping_mul((a ^ 6))).leading_zeros() * 40).wrapping_mul((((a ^ 45)).wrapping_mul((0x58401558 | b))).rotate_right((a).reverse_bits()));
    let b: u32 = ((b.rotate_left(a & 63) ^ b.trailing_zeros()).max(b << ((b) & 31))).rotate_left((((0x564660be | b) ^ a) & (a ^ 64)).wrapping_neg() & 63) ^ ((b.rotate_left(a & 63) ^ b.trailing_zeros()).max(b << ((b) & 31))).trailing_zeros();
    let mut s = b;
    for k in (0..a % 7).rev() {
        s >>= 1;
        s |= k << 3;
        if ((a > b) ^ (a > b)) {
            continue;
        }
        s = s.rotate_left(5) ^ (a > b) as u32 ^ a;
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => ((b).is_multiple_of((a ^ 16) | 1) as u32).wrapping_mul(a.wrapping_add((a ^ 29))),
        1 | 3 => ((c).count_ones() * 33 + (a).leading_zeros()).wrapping_neg(),
        _ => (((a) ^ a) as i32).count_ones() * 33 + ((((0x727e5a60 | b)) & 0xffff) * 7 + ((b) & 0xfff) + 5 - (a & 3)).leading_zeros(),
    };
    let v: UVec3 = UVec3::new(s, t, (if !(a > b) { a ^ b | (0xd9414571 | b) ^ a & ((0x1790d262 | b)) } else { b ^ ((a ^ 1)).rotate_right(b) }));
    let v: UVec3 = (v & UVec3::splat(a)).max(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    a / (((((a ^ a) & b).reverse_bits() ^ a) & (((c ^ 2)).count_ones() * 33 + ((0xf46f9dc3 | b)).leading_zeros()).wrapping_shl(((0x221099e0 | b)) << (((0xad93b570 | b)) & 31))) | 1)
}

#[device]
#[rustfmt::skip]
pub fn e25(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (((c) as u32).wrapping_mul((b ^ b) % ((a) | 1))).wrapping_neg();
    let b: u32 = (((b).wrapping_neg()).wrapping_shr((((0xc1bd3c4f | b)) & 0xffff) * 7 + (((0xa4c9f805 | b)) & 0xfff) + 5 - (a & 3))) >> ((((b) ^ a < b) as u32 ^ a.min((a ^ 9))) & 31);
    let mut s = b;
    for k in 0..a % 7 {
        s >>= 1;
        s ^= k;
        if ((a > b) ^ (a > b)) {
            continue;
        }
        s = s.rotate_left(5) ^ ((a ^ 27) ^ b) % (((a ^ 21)) | 1);
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => (((a ^ 32)).reverse_bits()).wrapping_shl((b ^ a) & b),
        1 | 3 => ((b).wrapping_shr(a)).wrapping_sub(((0xfabfec3c | b)).is_multiple_of((a ^ 51) | 1) as u32),
        _ => (((a ^ 26)).clamp(52, 37868)).wrapping_shr(((c ^ 8)) as u32),
    };
    let v: UVec3 = UVec3::new(s, t, a / (((a).wrapping_neg()) | 1));
    let v: UVec3 = (v ^ UVec3::splat(a)).wrapping_mul(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    ((((if a > b { a ^ a } else { b ^ b })).reverse_bits()).clamp(93, 22567)) << (((((((c ^ 8)) as u32) & 0xffff) * 7 + ((((c ^ 7)).count_ones() * 33 + ((0x67eeefca | b)).leading_zeros()) & 0xfff) + 5 - (a & 3)) >> ((!(((0xcf86e543 | b)).wrapping_shl(a) ^ b)) & 31)) & 31)
}

#[device]
#[rustfmt::skip]
pub fn e26(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((((0x7c99e874 | b)).wrapping_neg()).rotate_right(a / ((b) | 1))).rotate_right((((0xd3d1e185 | b)) << (((0x79c6dcb7 | b)) & 31)).wrapping_shr((a).wrapping_shr(a)));
    let b: u32 = b | ((((0x2b2b7d2a | b)) & 0xffff) * 7 + (((0xc8976232 | b)) & 0xfff) + 5 - (a & 3)).wrapping_mul(a / ((b) | 1)) ^ a & ((((a ^ 10) ^ b) % (((0x1d38adb4 | b)) | 1)).wrapping_add(((a) & 0xffff) * 7 + (((a ^ 36)) & 0xfff) + 5 - (a & 3)));
    let mut s = b;
    for k in 0..a % 7 {
        s >>= 1;
        s >>= k & 7;
        if (a > b) & (a > b) {
            continue;
        }
        s = s.rotate_left(5) ^ ((0x2eb5be76 | b)) << ((a) & 31);
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => (a.min(a)).is_multiple_of((a).is_multiple_of(a | 1) as u32 | 1) as u32,
        1 | 3 => (((a) & 0xffff) * 7 + (((0x18d02911 | b)) & 0xfff) + 5 - (a & 3)).wrapping_shl(a / (((0x1a0761ac | b)) | 1)),
        _ => b | ((a ^ 1)).rotate_right(b) ^ a & (a / ((a) | 1)),
    };
    let v: UVec3 = UVec3::new(s, t, ((b ^ a) & (0x496c8f45 | b) ^ a) & (c) as u32);
    let v: UVec3 = (v ^ UVec3::splat(a)).wrapping_sub(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    ((!(c <= c)) as u32 ^ (((a ^ 17)).wrapping_shl((a ^ 20))).wrapping_shl(((0x562bf1de | b)) << ((a) & 31)) ^ b) % (((((a).wrapping_neg() ^ a) & ((c ^ 8)).count_ones() * 33 + ((0xd4fd31a1 | b)).leading_zeros()).max((a.min(b)) >> ((((b) & 0xffff) * 7 + ((a) & 0xfff) + 5 - (a & 3)) & 31))) | 1)
}

#[device]
#[rustfmt::skip]
pub fn e27(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (c >= (if a > b { c } else { c }) && b != 3) as u32 ^ ((c).count_ones() * 33 + (a).leading_zeros()) << ((a.wrapping_mul(b)) & 31);
    let b: u32 = ((((0xbf20e933 | b)) << ((b) & 31)).clamp(61, 26723)).reverse_bits();
    let mut s = b;
    for k in (0..a % 7).rev() {
        s >>= 1;
        s |= k << 3;
        if (a > b) != (a > b) {
            continue;
        }
        s = s.rotate_left(5) ^ ((0xc77d6840 | b)).reverse_bits();
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => ((c).count_ones() * 33 + ((0x33015a69 | b)).leading_zeros()).rotate_right(((0x1d19c245 | b)).reverse_bits()),
        1 | 3 => (((a).wrapping_shl((a ^ 37))) & 0xffff) * 7 + (((if a > b { a ^ (a ^ 24) } else { b ^ b })) & 0xfff) + 5 - (a & 3),
        _ => (((c ^ 3)).count_ones() * 33 + ((0xe413030e | b)).leading_zeros()).max(((a ^ 51)).rotate_left((0x76342abb | b) & 63) ^ ((a ^ 51)).trailing_zeros()),
    };
    let v: UVec3 = UVec3::new(s, t, ((b).reverse_bits()).is_multiple_of(((a ^ 28)).wrapping_shl(b) | 1) as u32);
    let v: UVec3 = (v ^ UVec3::splat(a)).wrapping_add(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    ((!(c <= (c ^ 1))) as u32 ^ (b << (((0xb52928c9 | b)) & 31)).wrapping_neg()).wrapping_add(b | ((if a > b { a ^ b } else { b ^ b })).clamp(86, 86100) ^ a & ((((a) & 0xffff) * 7 + ((a) & 0xfff) + 5 - (a & 3)).wrapping_shr((a).max((0x64aed6dc | b)))))
}

#[device]
#[rustfmt::skip]
pub fn e28(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((((c ^ 2)).wrapping_neg()).max(-690)).count_ones() * 33 + ((!(a ^ b)).wrapping_shr(((a ^ 55)).wrapping_sub((a ^ 61)))).leading_zeros();
    let b: u32 = (!(((a ^ 1) ^ a) & (0xb5ca57c8 | b) ^ b)) >> ((a / ((((a ^ 66) ^ b) % ((b) | 1)) | 1)) & 31);
    let mut s = b;
    for k in 0..a % 7 {
        s >>= 1;
        s |= k << 3;
        if (a) ^ a < b {
            continue;
        }
        s = s.rotate_left(5) ^ ((a ^ 48)).min((0xbec7927b | b));
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => (((0xaadef73e | b) ^ b) % (((0x2e8eb628 | b)) | 1)).reverse_bits(),
        1 | 3 => b | !((a ^ 25) ^ b) ^ a & (((a ^ 57)).wrapping_add((a ^ 26))),
        _ => ((((a ^ 14)) & 0xffff) * 7 + ((a) & 0xfff) + 5 - (a & 3)).reverse_bits(),
    };
    let v: UVec3 = UVec3::new(s, t, ((a ^ a) & a).rotate_left((b).wrapping_shl((0x18cf66b3 | b)) & 63) ^ ((a ^ a) & a).trailing_zeros());
    let v: UVec3 = (v ^ UVec3::splat(a)).wrapping_mul(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    ((((if a > b { a ^ (a ^ 46) } else { b ^ a })).clamp(47, 34564)) & 1 == 0 || a == b) as u32 ^ (((if a > b { c } else { (c ^ 2) })).min((c) >> ((a) & 31))).count_ones() * 33 + ((((0xc308c7b | b) ^ a) & (a ^ 69)).wrapping_add((((0x7cdd50df | b)) & 0xffff) * 7 + (((a ^ 2)) & 0xfff) + 5 - (a & 3))).leading_zeros()
}

#[device]
#[rustfmt::skip]
pub fn e29(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((((0xcc76dbda | b) ^ b) % (((a ^ 68)) | 1)).wrapping_neg()) >> (((b.rotate_right((0x3ee7e30 | b))).wrapping_shl((if a > b { a ^ a } else { b ^ b }))) & 31);
    let b: u32 = ((((c ^ 8)).wrapping_add((c ^ 5))) as u32).wrapping_shr((((c ^ 5)).count_ones() * 33 + (a).leading_zeros() ^ a) & a.rotate_left(b & 63) ^ a.trailing_zeros());
    let mut s = b;
    for k in (0..a % 7).rev() {
        s >>= 1;
        s += 1 + (s >> 9 & 7);
        if ((0x2111d465 | b)) & 1 == 0 || a == b {
            continue;
        }
        s = s.rotate_left(5) ^ ((0x8a77930e | b)) >> ((a) & 31);
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => (a / ((b) | 1)).wrapping_shr((b).clamp(66, 22375)),
        1 | 3 => (((b) & 0xffff) * 7 + ((a) & 0xfff) + 5 - (a & 3)).rotate_left(b.wrapping_add(a) & 63) ^ (((b) & 0xffff) * 7 + ((a) & 0xfff) + 5 - (a & 3)).trailing_zeros(),
        _ => (((a ^ 19)).wrapping_shr(b)).wrapping_mul(((a ^ 32)).rotate_left((a ^ 11) & 63) ^ ((a ^ 32)).trailing_zeros()),
    };
    let v: UVec3 = UVec3::new(s, t, ((a).wrapping_neg()) >> ((((0xc39df533 | b)).rotate_right(b)) & 31));
    let v: UVec3 = (v & UVec3::splat(a)).max(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    (b | (b | b ^ a & (a) ^ b) % ((b | (0x3f402f31 | b) ^ a & ((a ^ 64))) | 1) ^ a & (a / (((b).wrapping_neg()) | 1))).clamp(75, 77706)
}

#[device]
#[rustfmt::skip]
pub fn e30(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((a / ((b) | 1)).min(!((0x98e78793 | b) ^ b))).max(((a).reverse_bits()).count_ones() + (((c ^ 0)) as u32).leading_zeros() * 40);
    let b: u32 = ((((a ^ 45)).rotate_left((0xff1d627e | b) & 63) ^ ((a ^ 45)).trailing_zeros()).reverse_bits()) << (((!(a ^ b)).min((a).is_multiple_of((a ^ 63) | 1) as u32)) & 31);
    let mut s = b;
    for k in 0..a % 7 {
        s >>= 1;
        s <<= k & 3;
        if c <= (c ^ 8) {
            continue;
        }
        s = s.rotate_left(5) ^ ((a ^ 36)).wrapping_mul((0x815dd266 | b));
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => b | ((a ^ 11) ^ b) % ((a) | 1) ^ a & ((a).wrapping_shl(a)),
        1 | 3 => (a.count_ones() + a.leading_zeros() * 40).rotate_left(((c ^ 6)).count_ones() * 33 + ((a ^ 44)).leading_zeros() & 63) ^ (a.count_ones() + a.leading_zeros() * 40).trailing_zeros(),
        _ => !(((a ^ 29)).wrapping_sub((a ^ 47)) ^ b),
    };
    let v: UVec3 = UVec3::new(s, t, ((c) as u32).clamp(97, 71066));
    let v: UVec3 = (v ^ UVec3::splat(a)).min(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    (((((0xdfa225e6 | b)).is_multiple_of((a ^ 7) | 1) as u32).wrapping_add((if a > b { a ^ a } else { b ^ (a ^ 65) }))).wrapping_shl((((a ^ 50) ^ b) % ((a) | 1)).clamp(47, 507))).wrapping_add(((((0x4a173ef5 | b)).rotate_right(b)).wrapping_shl(b.wrapping_mul((a ^ 53)))).wrapping_shl(((a).is_multiple_of(a | 1) as u32).min((b).is_multiple_of(b | 1) as u32)))
}

#[device]
#[rustfmt::skip]
pub fn e31(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((((c ^ 1)).wrapping_sub(c)) & (((c ^ 0)).signum() * 77) | c) as u32;
    let b: u32 = (((c) >> ((b) & 31)) % (c & 31 | 1)).count_ones() * 33 + ((((c) >> 1).abs()) as u32).leading_zeros();
    let mut s = b;
    for k in 0..a % 7 {
        s >>= 1;
        s ^= k;
        if c >= (c ^ 5) && b != 3 {
            continue;
        }
        s = s.rotate_left(5) ^ !((0xd97bf8fe | b) ^ b);
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => ((c).count_ones() * 33 + (b).leading_zeros()).wrapping_shl((((0x66b5b3fa | b)) & 0xffff) * 7 + ((b) & 0xfff) + 5 - (a & 3)),
        1 | 3 => (a.rotate_left(b & 63) ^ a.trailing_zeros()).max(!((0xaed172a1 | b) ^ b)),
        _ => ((c) >> (((0x7ccccc06 | b)) & 31)) as u32,
    };
    let v: UVec3 = UVec3::new(s, t, (if (a > b) & (a > b) { a ^ !((a ^ 61) ^ b) } else { b ^ ((a) & 0xffff) * 7 + ((b) & 0xfff) + 5 - (a & 3) }));
    let v: UVec3 = (v ^ UVec3::splat(a)).wrapping_mul(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    (((((c ^ 2)).max(-590)) & ((c).wrapping_add((c ^ 0))) | c).count_ones() * 33 + (b | !(b ^ b) ^ a & (a.wrapping_sub(a))).leading_zeros()).min((((((a) & 0xffff) * 7 + (((0x8a1b1593 | b)) & 0xfff) + 5 - (a & 3)) & 0xffff) * 7 + ((((a ^ 45)).is_multiple_of(a | 1) as u32) & 0xfff) + 5 - (a & 3)).rotate_right((((a ^ 27)).wrapping_sub(b)).reverse_bits()))
}

#[device]
#[rustfmt::skip]
pub fn e32(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (if ((a > b) & (a > b)) & ((a > b) & (a > b)) { a ^ (((0x1c6021b | b)).wrapping_neg()).wrapping_neg() } else { b ^ (((a > b) as u32 ^ (a ^ 65)) & 0xffff) * 7 + ((((a ^ 22)).is_multiple_of((0x12846cb2 | b) | 1) as u32) & 0xfff) + 5 - (a & 3) });
    let b: u32 = (((c) << (((0x2ee94cb0 | b)) & 31)) as u32).rotate_left(a / (((c).count_ones() * 33 + (b).leading_zeros()) | 1) & 63) ^ (((c) << (((0x2ee94cb0 | b)) & 31)) as u32).trailing_zeros();
    let mut s = b;
    for k in (0..a % 7).rev() {
        s >>= 1;
        s |= k << 3;
        if (a) ^ a < b {
            continue;
        }
        s = s.rotate_left(5) ^ (((a ^ 25)) & 0xffff) * 7 + ((b) & 0xfff) + 5 - (a & 3);
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => !((a ^ b) % ((a) | 1) ^ b),
        1 | 3 => a / (((((0x811bb5bc | b)) & 0xffff) * 7 + ((b) & 0xfff) + 5 - (a & 3)) | 1),
        _ => ((if a > b { c } else { (c ^ 8) })).count_ones() * 33 + (a.min((a ^ 49))).leading_zeros(),
    };
    let v: UVec3 = UVec3::new(s, t, (((c ^ 5)).min(c)) as u32);
    let v: UVec3 = (v & UVec3::splat(a)).min(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    ((!((a > b) as u32 ^ a ^ b)).wrapping_sub((((a ^ 62)).wrapping_shl((0x7b8446ca | b))).wrapping_shr((b).wrapping_shr((a ^ 28))))).reverse_bits()
}

#[device]
#[rustfmt::skip]
pub fn e33(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((a.wrapping_mul((a ^ 18))).rotate_right((a).wrapping_neg()) ^ a) & a / ((!(a ^ b)) | 1);
    let b: u32 = ((((0x9efb2273 | b)).wrapping_neg()).rotate_left(((0x53660e2b | b)).wrapping_add(b) & 63) ^ (((0x9efb2273 | b)).wrapping_neg()).trailing_zeros()).wrapping_shl(((a).is_multiple_of((0xc69cd13d | b) | 1) as u32).is_multiple_of(((a) & 0xffff) * 7 + (((a ^ 47)) & 0xfff) + 5 - (a & 3) | 1) as u32);
    let mut s = b;
    for k in (0..a % 7).rev() {
        s >>= 1;
        s >>= k & 7;
        if (a > b) & (a > b) {
            continue;
        }
        s = s.rotate_left(5) ^ (c).count_ones() * 33 + (b).leading_zeros();
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => ((((0x8c3150ac | b)).is_multiple_of(a | 1) as u32) & 0xffff) * 7 + ((a.wrapping_add((0xdaedea34 | b))) & 0xfff) + 5 - (a & 3),
        1 | 3 => ((c).count_ones() * 33 + ((a ^ 45)).leading_zeros()).clamp(19, 65517),
        _ => (if (a > b) & (a > b) { a ^ a.wrapping_sub(a) } else { b ^ (if a > b { a ^ b } else { b ^ a }) }),
    };
    let v: UVec3 = UVec3::new(s, t, !(a.wrapping_mul(b) ^ b));
    let v: UVec3 = (v & UVec3::splat(a)).min(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    (((((c).wrapping_neg()) as u32) & 0xffff) * 7 + ((((a).wrapping_shl(a)).wrapping_mul(a.min(a))) & 0xfff) + 5 - (a & 3) ^ b) % ((((((0x72284f38 | b)).rotate_right(a)).clamp(60, 38629) ^ b) % ((((((0x377c78fd | b)) & 0xffff) * 7 + ((b) & 0xfff) + 5 - (a & 3)).reverse_bits()) | 1)) | 1)
}

#[device]
#[rustfmt::skip]
pub fn e34(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (((a > b) == (a > b)) as u32 ^ (c) as u32).wrapping_add((((0xeac8555f | b)).wrapping_shr((a ^ 7))).wrapping_shl(((0xf667e7a9 | b)).rotate_right(a)));
    let b: u32 = (((a > b) & (a > b)) as u32 ^ b | b ^ a & ((a ^ 7))).wrapping_mul((((a ^ 59)) << ((a) & 31)).min(((a ^ 18)).wrapping_shl(a)));
    let mut s = b;
    for k in 0..a % 7 {
        s >>= 1;
        s += 1 + (s >> 9 & 7);
        if (a > b) == (a > b) {
            continue;
        }
        s = s.rotate_left(5) ^ (a > b) as u32 ^ a;
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => (((a ^ 58)) << (((a ^ 27)) & 31) ^ b) % ((a / ((a) | 1)) | 1),
        1 | 3 => (c <= c) as u32 ^ (b).max((a ^ 24)),
        _ => (a / (((0x8cb5a568 | b)) | 1)).wrapping_shr(((c ^ 7)).count_ones() * 33 + (a).leading_zeros()),
    };
    let v: UVec3 = UVec3::new(s, t, ((b).clamp(54, 30371)).wrapping_add(b.rotate_right((0xf4421232 | b))));
    let v: UVec3 = (v ^ UVec3::splat(a)).max(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    !(((if ((a ^ 25)) ^ a < b { a ^ ((c ^ 8)) as u32 } else { b ^ (b ^ a) & a })).wrapping_add((a.rotate_right(b)).is_multiple_of(((0xb2074828 | b)) >> (((0x9f6def8e | b)) & 31) | 1) as u32) ^ b)
}

#[device]
#[rustfmt::skip]
pub fn e35(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (((((c ^ 7)).count_ones() * 33 + (a).leading_zeros()) & 0xffff) * 7 + ((((a ^ 19)).is_multiple_of(b | 1) as u32) & 0xfff) + 5 - (a & 3)) >> ((((b ^ b) % ((a) | 1)).wrapping_sub(((0x7fe7157a | b)).reverse_bits())) & 31);
    let b: u32 = ((a.rotate_left((a ^ 30) & 63) ^ a.trailing_zeros()).wrapping_shr(((0xe32d07f | b)).count_ones() + ((a ^ 12)).leading_zeros() * 40)).wrapping_sub((b.wrapping_mul(a)).rotate_right(((a ^ 39)).reverse_bits()));
    let mut s = b;
    for k in (0..a % 7).rev() {
        s >>= 1;
        s >>= k & 7;
        if (a > b) | (a > b) {
            continue;
        }
        s = s.rotate_left(5) ^ ((a ^ 8)) >> (((a ^ 63)) & 31);
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => (((a ^ 58)).clamp(62, 90445)).wrapping_neg(),
        1 | 3 => (((c ^ 3)) as u32).wrapping_shr((if a > b { a ^ b } else { b ^ a })),
        _ => (b | b ^ a & (a)).count_ones() + ((b).wrapping_shr(b)).leading_zeros() * 40,
    };
    let v: UVec3 = UVec3::new(s, t, ((a.rotate_right(b)) & 0xffff) * 7 + ((!((0xef6f3ec0 | b) ^ b)) & 0xfff) + 5 - (a & 3));
    let v: UVec3 = (v ^ UVec3::splat(a)).wrapping_sub(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    (((((c ^ 5)).wrapping_add(c)).max(-896)).count_ones() * 33 + ((((0x4ce59fb9 | b)).rotate_left((a ^ 14) & 63) ^ ((0x4ce59fb9 | b)).trailing_zeros()).wrapping_mul(((a ^ 9) ^ a) & (a ^ 25))).leading_zeros()).wrapping_mul(((if (a > b) | (a > b) { c } else { ((c) >> 1).abs() })) as u32)
}

#[device]
#[rustfmt::skip]
pub fn e36(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (b | a >> (((0xd5839b53 | b)) & 31) ^ a & (((a ^ 39) ^ b) % (((a ^ 45)) | 1))).wrapping_shl((((a ^ 4)).min(a)).count_ones() + (((a ^ 46)).wrapping_shr(b)).leading_zeros() * 40);
    let b: u32 = ((((c).wrapping_sub(c)) >> 1).abs()).count_ones() * 33 + ((((c ^ 3)).count_ones() * 33 + ((0x910fcc15 | b)).leading_zeros()).wrapping_sub((a ^ b) % (((0x6ba498af | b)) | 1))).leading_zeros();
    let mut s = b;
    for k in 0..a % 7 {
        s >>= 1;
        s >>= k & 7;
        if (a > b) != (a > b) {
            continue;
        }
        s = s.rotate_left(5) ^ (c).count_ones() * 33 + (a).leading_zeros();
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => (((0x85ed5f95 | b)).wrapping_add((0xd68d7fbb | b)) ^ b) % ((((0x467d9486 | b)).wrapping_shr(b)) | 1),
        1 | 3 => a / ((((b) & 0xffff) * 7 + (((a ^ 20)) & 0xfff) + 5 - (a & 3)) | 1),
        _ => (((a ^ 12)).clamp(98, 46785)).count_ones() + ((c).count_ones() * 33 + ((a ^ 19)).leading_zeros()).leading_zeros() * 40,
    };
    let v: UVec3 = UVec3::new(s, t, ((b).is_multiple_of(a | 1) as u32).is_multiple_of(!(b ^ b) | 1) as u32);
    let v: UVec3 = (v ^ UVec3::splat(a)).wrapping_sub(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    (a / (((((c ^ 1)).count_ones() * 33 + (b).leading_zeros()) << ((((a ^ 28)).reverse_bits()) & 31)) | 1) ^ a) & (if c >= !(c) && b != 3 { a ^ ((a).max((0x886e7738 | b))).clamp(6, 49820) } else { b ^ b | b.wrapping_add((a ^ 50)) ^ a & ((a).is_multiple_of(b | 1) as u32) })
}

#[device]
#[rustfmt::skip]
pub fn e37(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (!((a).reverse_bits() ^ b)).wrapping_add((((a ^ 29)).wrapping_shl(b)).min(((a ^ 69)).wrapping_shl((a ^ 46))));
    let b: u32 = (((c) as u32) & 1 == 0 || a == b) as u32 ^ ((b).clamp(53, 19469)).wrapping_sub((b ^ b) % (((0x1698bbd7 | b)) | 1));
    let mut s = b;
    for k in 0..a % 7 {
        s >>= 1;
        s /= 3;
        if !(a > b) {
            continue;
        }
        s = s.rotate_left(5) ^ (if a > b { a ^ (a ^ 49) } else { b ^ (a ^ 5) });
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => b | a.wrapping_add(b) ^ a & ((c) as u32),
        1 | 3 => b | ((c ^ 6)).count_ones() * 33 + ((0x4d8f936a | b)).leading_zeros() ^ a & (a.wrapping_add((0xfb49134f | b))),
        _ => (if c >= c && b != 3 { a ^ (b).max((a ^ 14)) } else { b ^ (b).max(a) }),
    };
    let v: UVec3 = UVec3::new(s, t, a / ((((a ^ 42) ^ b) % ((b) | 1)) | 1));
    let v: UVec3 = (v | UVec3::splat(a)).wrapping_sub(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    ((((((0x88a48094 | b)) ^ a) as i32) as u32).count_ones() + ((((a > b) ^ (a > b))) as u32 ^ ((a ^ 69)) << (((0xbc49f0ef | b)) & 31)).leading_zeros() * 40).wrapping_mul((b | ((0x33e466ca | b)).count_ones() + ((a ^ 46)).leading_zeros() * 40 ^ a & (((0xe42a3112 | b)).min((a ^ 33)))).wrapping_sub((((0xe0f9b1aa | b)).clamp(62, 3951)).wrapping_shr(a.count_ones() + ((0xd432c433 | b)).leading_zeros() * 40)))
}

#[device]
#[rustfmt::skip]
pub fn e38(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (((c).signum() * 77) as u32).max((a / ((b) | 1)).rotate_right(a.rotate_right(a)));
    let b: u32 = (((c).wrapping_mul(c)).wrapping_mul(c)) as u32;
    let mut s = b;
    for k in 0..a % 7 {
        s >>= 1;
        s >>= k & 7;
        if c >= (c ^ 0) && b != 3 {
            continue;
        }
        s = s.rotate_left(5) ^ ((a ^ 12)).wrapping_sub((0x5d142955 | b));
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => (a.min((a ^ 21))).wrapping_add((b).wrapping_shr(a)),
        1 | 3 => a / ((b.count_ones() + ((a ^ 50)).leading_zeros() * 40) | 1),
        _ => (!(b ^ b)).wrapping_shr((a).is_multiple_of((a ^ 33) | 1) as u32),
    };
    let v: UVec3 = UVec3::new(s, t, ((((0x92c42b35 | b)) & 0xffff) * 7 + ((b) & 0xfff) + 5 - (a & 3) ^ a) & ((a ^ 63)).is_multiple_of((0x889d4ca7 | b) | 1) as u32);
    let v: UVec3 = (v ^ UVec3::splat(a)).wrapping_add(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    ((((a).clamp(33, 39096)).min(((0xdd35a738 | b)).rotate_left(b & 63) ^ ((0xdd35a738 | b)).trailing_zeros())).is_multiple_of(((b).is_multiple_of(a | 1) as u32 ^ a) & a / ((a) | 1) | 1) as u32 ^ a) & ((a.rotate_left((0x2d83698e | b) & 63) ^ a.trailing_zeros()).reverse_bits()).min((((a ^ 29)).wrapping_mul((a ^ 0)) ^ a) & b | b ^ a & ((a ^ 15)))
}

#[device]
#[rustfmt::skip]
pub fn e39(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((a / ((a) | 1)).wrapping_shl((b ^ a) & a)) >> ((((((0xd8882ce2 | b)) & 0xffff) * 7 + (((0xe2dd0635 | b)) & 0xfff) + 5 - (a & 3)).is_multiple_of(((c ^ 4)).count_ones() * 33 + (b).leading_zeros() | 1) as u32) & 31);
    let b: u32 = ((((a ^ 48)).min((a ^ 38))).is_multiple_of(((a ^ 14)).clamp(8, 93291) | 1) as u32).min((b >> (((a ^ 51)) & 31)).wrapping_sub(a.wrapping_add(b)));
    let mut s = b;
    for k in (0..a % 7).rev() {
        s >>= 1;
        s -= s >> 1;
        if (a > b) & (a > b) {
            continue;
        }
        s = s.rotate_left(5) ^ ((c ^ 7)) as u32;
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => (((0xbc5707bf | b)).is_multiple_of((0x783ec99d | b) | 1) as u32).is_multiple_of((b).wrapping_neg() | 1) as u32,
        1 | 3 => a / ((((0x32f51f43 | b)).wrapping_shr((0xfc64445b | b))) | 1),
        _ => (b << ((a) & 31) ^ b) % (((if a > b { a ^ b } else { b ^ (a ^ 59) })) | 1),
    };
    let v: UVec3 = UVec3::new(s, t, (a.wrapping_sub((a ^ 21))).clamp(98, 89494));
    let v: UVec3 = (v ^ UVec3::splat(a)).wrapping_add(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    ((((c) as u32).count_ones() + (((a ^ 14)).wrapping_add(b)).leading_zeros() * 40).max((((0x36bb22f | b)).rotate_right((0xc782f30f | b))).wrapping_neg())).reverse_bits()
}

#[device]
#[rustfmt::skip]
pub fn e40(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((b | (a ^ 33) ^ a & (b)).min((b).wrapping_shr(b))).rotate_right(a / (((a).wrapping_shl((0x27dc623 | b))) | 1));
    let b: u32 = (((c).wrapping_neg()) as u32) >> (((((0x6f3bb247 | b) ^ a) & b).clamp(47, 6234)) & 31);
    let mut s = b;
    for k in 0..a % 7 {
        s >>= 1;
        s += 1 + (s >> 9 & 7);
        if (a) ^ a < b {
            continue;
        }
        s = s.rotate_left(5) ^ ((c ^ 3)).count_ones() * 33 + (a).leading_zeros();
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => ((a > b) as u32 ^ (0xaf9c060 | b)).wrapping_sub(b.min(a)),
        1 | 3 => ((b.rotate_left(b & 63) ^ b.trailing_zeros()) & 0xffff) * 7 + ((((0xaa9c35d0 | b)).rotate_right(b)) & 0xfff) + 5 - (a & 3),
        _ => ((b ^ b) % ((a) | 1)).clamp(70, 49716),
    };
    let v: UVec3 = UVec3::new(s, t, ((a).reverse_bits()).clamp(84, 35310));
    let v: UVec3 = (v | UVec3::splat(a)).wrapping_add(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    a / ((((b | (a ^ 41) ^ a & (b)).min(((0x13439cb7 | b)).rotate_right((a ^ 53)))).wrapping_shr(a / (((if a > b { a ^ b } else { b ^ a })) | 1))) | 1)
}

#[device]
#[rustfmt::skip]
pub fn e41(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((b.wrapping_mul((0x1510a8c1 | b))) << ((((a ^ 44) ^ b) % (((0xc2e188a5 | b)) | 1)) & 31)).min((b.wrapping_add(a)).wrapping_shr(a.min((a ^ 34))));
    let b: u32 = (((c) as u32).clamp(92, 79348)).wrapping_sub(((a > b) as u32 ^ b).rotate_right(((b) & 0xffff) * 7 + ((a) & 0xfff) + 5 - (a & 3)));
    let mut s = b;
    for k in (0..a % 7).rev() {
        s >>= 1;
        s <<= k & 3;
        if (a > b) | (a > b) {
            continue;
        }
        s = s.rotate_left(5) ^ !(a ^ b);
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => ((a > b) as u32 ^ b).reverse_bits(),
        1 | 3 => (((a ^ 30)).rotate_right((0xb342d340 | b))) << (((c).count_ones() * 33 + (b).leading_zeros()) & 31),
        _ => (((a ^ 27)).wrapping_shr(b)) << ((b | b ^ a & ((a ^ 1))) & 31),
    };
    let v: UVec3 = UVec3::new(s, t, ((if a > b { a ^ a } else { b ^ (a ^ 19) })).rotate_right((a > b) as u32 ^ b));
    let v: UVec3 = (v ^ UVec3::splat(a)).wrapping_sub(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    (((b.wrapping_sub(a)).max(((0x3dfe13d0 | b)).wrapping_add(a)) ^ b) % (((a.wrapping_add((0x2b2513fe | b))).wrapping_sub(b.wrapping_mul((a ^ 58)))) | 1)).max(((((a ^ 65)).is_multiple_of(b | 1) as u32).reverse_bits()).max((if !(a > b) { a ^ (a ^ b) % (((a ^ 18)) | 1) } else { b ^ a.wrapping_mul((a ^ 1)) })))
}

#[device]
#[rustfmt::skip]
pub fn e42(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((b.rotate_left(a & 63) ^ b.trailing_zeros()).max(b >> (((0x251ab764 | b)) & 31))).wrapping_shr((b | (0x29cf41e2 | b) ^ a & ((a ^ 34))) << ((((0x69cdd0f7 | b)).wrapping_mul(a)) & 31));
    let b: u32 = ((((0x69acdeec | b) ^ b) % ((b) | 1)).min(((a ^ 36) ^ a) & (a ^ 68))).wrapping_shr(a / (((b).wrapping_shl((a ^ 46))) | 1));
    let mut s = b;
    for k in 0..a % 7 {
        s >>= 1;
        s >>= k & 7;
        if (a > b) | (a > b) {
            continue;
        }
        s = s.rotate_left(5) ^ (a ^ b) % (((0xd8521582 | b)) | 1);
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => ((((c ^ 5)) >> 2) / ((c & 0xff) + 1)).count_ones() * 33 + ((c).count_ones() * 33 + ((a ^ 40)).leading_zeros()).leading_zeros(),
        1 | 3 => (a << ((b) & 31)) >> (((a).wrapping_shr((a ^ 5))) & 31),
        _ => (a.wrapping_mul(a)) >> ((b.wrapping_mul((0x3419e215 | b))) & 31),
    };
    let v: UVec3 = UVec3::new(s, t, (if (a > b) != (a > b) { a ^ ((0xdbda9ee8 | b)).wrapping_shr((a ^ 64)) } else { b ^ b | a ^ a & (a) }));
    let v: UVec3 = (v & UVec3::splat(a)).max(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    (((a.wrapping_sub(a)).count_ones() + ((a ^ a) & (0x34db8463 | b)).leading_zeros() * 40).count_ones() + ((a.min((0x8c39f687 | b))) >> ((((0x7fb14ad0 | b)).wrapping_shr(a)) & 31)).leading_zeros() * 40).max(!(((a).is_multiple_of((a ^ 18) | 1) as u32).reverse_bits() ^ b))
}

#[device]
#[rustfmt::skip]
pub fn e43(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((((0xcb0cc333 | b)).count_ones() + ((a ^ 60)).leading_zeros() * 40).min(a.rotate_right((0xff0f56be | b)))).min((((if a > b { a ^ a } else { b ^ (a ^ 5) })) & 0xffff) * 7 + ((((a ^ 26)).rotate_left(b & 63) ^ ((a ^ 26)).trailing_zeros()) & 0xfff) + 5 - (a & 3));
    let b: u32 = ((((a ^ 8)).wrapping_sub((0xc33873b | b))).wrapping_neg()).wrapping_neg();
    let mut s = b;
    for k in (0..a % 7).rev() {
        s >>= 1;
        s /= 3;
        if c >= c && b != 3 {
            continue;
        }
        s = s.rotate_left(5) ^ (a ^ b) % (((0x4abddb96 | b)) | 1);
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => ((b.rotate_right((a ^ 55))) & 0xffff) * 7 + ((a.wrapping_sub(a)) & 0xfff) + 5 - (a & 3),
        1 | 3 => ((b).max((a ^ 25))).wrapping_sub(((0xd6a03129 | b)).wrapping_add((0xcdc07717 | b))),
        _ => (((c ^ 6)).count_ones() * 33 + (a).leading_zeros()).wrapping_shr(((a ^ 57)) << (((a ^ 40)) & 31)),
    };
    let v: UVec3 = UVec3::new(s, t, (if !(a > b) { a ^ ((a ^ 43)).max((a ^ 61)) } else { b ^ (c).count_ones() * 33 + (b).leading_zeros() }));
    let v: UVec3 = (v | UVec3::splat(a)).wrapping_mul(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    (if !(c >= (c) >> ((a) & 31) && b != 3) { a ^ (c >= (c).wrapping_add((c ^ 1)) && b != 3) as u32 ^ (b << (((a ^ 25)) & 31)).count_ones() + (a.min((0x971da866 | b))).leading_zeros() * 40 } else { b ^ ((b.count_ones() + ((0x65e18693 | b)).leading_zeros() * 40) >> (((b).max((a ^ 10))) & 31)).wrapping_shl((((c ^ 3)).wrapping_sub(c)) as u32) })
}

#[device]
#[rustfmt::skip]
pub fn e44(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((((c ^ 1)) as u32).min(b.wrapping_sub(a))) << (((((0x7ef5b9cd | b) ^ a) & b).clamp(22, 97546)) & 31);
    let b: u32 = ((((0x2c16c5 | b)).rotate_left(a & 63) ^ ((0x2c16c5 | b)).trailing_zeros()).wrapping_mul((c) as u32)).rotate_right(((b ^ b) % (((a ^ 4)) | 1)) >> ((((0x6bb0eaf7 | b)).wrapping_sub((a ^ 46))) & 31));
    let mut s = b;
    for k in 0..a % 7 {
        s >>= 1;
        s <<= k & 3;
        if (a > b) | (a > b) {
            continue;
        }
        s = s.rotate_left(5) ^ ((a ^ 58)).max(a);
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => (((a ^ 24)) >> ((b) & 31)).min(b | (0xfb631e9a | b) ^ a & (a)),
        1 | 3 => (if c >= (c ^ 6) && b != 3 { a ^ ((0x9e05b822 | b)) << (((0x6f3d2ab9 | b)) & 31) } else { b ^ (if a > b { a ^ (0xae4a1bd3 | b) } else { b ^ b }) }),
        _ => (a / ((b) | 1)).wrapping_neg(),
    };
    let v: UVec3 = UVec3::new(s, t, (((c ^ 3)).count_ones() * 33 + ((a ^ 55)).leading_zeros()) << ((((0xc7fb11f6 | b)).reverse_bits()) & 31));
    let v: UVec3 = (v | UVec3::splat(a)).wrapping_sub(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    (a / ((((b).is_multiple_of(a | 1) as u32).wrapping_sub(((0x1ca3d028 | b)).reverse_bits())) | 1)).wrapping_add((((a).reverse_bits()).is_multiple_of(b.wrapping_add((0xcf116c51 | b)) | 1) as u32).wrapping_sub(((c).signum() * 77).count_ones() * 33 + (((0xea9b0294 | b)).wrapping_mul(a)).leading_zeros()))
}

#[device]
#[rustfmt::skip]
pub fn e45(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = ((((a ^ 57) ^ a) & (a ^ 17)) << ((b | (a ^ 14) ^ a & (b)) & 31)) << (((a.rotate_right(b)).rotate_left(a.min((0xc071b438 | b)) & 63) ^ (a.rotate_right(b)).trailing_zeros()) & 31);
    let b: u32 = (((b).max((0xc0c52146 | b))).wrapping_sub(((c ^ 1)).count_ones() * 33 + (a).leading_zeros())).wrapping_add((((0x86ba9b8c | b)).clamp(27, 97749)).clamp(52, 69426));
    let mut s = b;
    for k in (0..a % 7).rev() {
        s >>= 1;
        s &= !k;
        if (a > b) == (a > b) {
            continue;
        }
        s = s.rotate_left(5) ^ ((0x5ebc3387 | b) ^ a) & (0xbdfe94e8 | b);
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => ((a).max(a)).reverse_bits(),
        1 | 3 => ((if a > b { a ^ b } else { b ^ (0x1b87dd94 | b) })).wrapping_shl(b << ((a) & 31)),
        _ => (!((c ^ 5))) as u32,
    };
    let v: UVec3 = UVec3::new(s, t, (((a ^ 65)).clamp(9, 12645)).wrapping_mul((b).is_multiple_of((0xf4aafd86 | b) | 1) as u32));
    let v: UVec3 = (v & UVec3::splat(a)).wrapping_mul(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    ((if (c <= c) == (c >= (c ^ 4) && b != 3) { a ^ !((if a > b { a ^ (a ^ 54) } else { b ^ (0xd6481ba | b) }) ^ b) } else { b ^ ((c).count_ones() * 33 + (b).leading_zeros()).rotate_left(!((a ^ 24) ^ b) & 63) ^ ((c).count_ones() * 33 + (b).leading_zeros()).trailing_zeros() })).count_ones() + ((((a ^ a) & (a ^ 7)).reverse_bits()).wrapping_sub((b.wrapping_sub((0xb55b55e6 | b))).is_multiple_of(((0x1c1a75b4 | b)).min(a) | 1) as u32)).leading_zeros() * 40
}

#[device]
#[rustfmt::skip]
pub fn e46(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = !((if c <= c { a ^ ((a ^ 54)).wrapping_shr((a ^ 37)) } else { b ^ ((0x361309c5 | b)) << (((a ^ 10)) & 31) }) ^ b);
    let b: u32 = (((c) % (c & 31 | 1)) as u32).count_ones() + ((((0x84453ad3 | b)).clamp(84, 86052)).wrapping_shr(((a ^ 67)).wrapping_mul((0x885d5707 | b)))).leading_zeros() * 40;
    let mut s = b;
    for k in (0..a % 7).rev() {
        s >>= 1;
        s ^= k;
        if (a > b) & (a > b) {
            continue;
        }
        s = s.rotate_left(5) ^ a.wrapping_sub((a ^ 7));
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => (b.rotate_right((0xd9ace5a4 | b))).wrapping_neg(),
        1 | 3 => !(((a ^ 33)).min((a ^ 55)) ^ b),
        _ => !(((a ^ 44)) << ((a) & 31) ^ b),
    };
    let v: UVec3 = UVec3::new(s, t, b | b | a ^ a & ((0x2a4c3764 | b)) ^ a & (((b) & 0xffff) * 7 + ((a) & 0xfff) + 5 - (a & 3)));
    let v: UVec3 = (v ^ UVec3::splat(a)).wrapping_mul(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    (((b | (a ^ 60) ^ a & (a)).is_multiple_of((b).reverse_bits() | 1) as u32).count_ones() + (((c) as u32 ^ b) % (((if a > b { a ^ (a ^ 67) } else { b ^ (0x2ddd451d | b) })) | 1)).leading_zeros() * 40).is_multiple_of(((c <= c) | (c >= c && b != 3)) as u32 ^ (if c <= (c ^ 2) { a ^ b.wrapping_sub(b) } else { b ^ (a).wrapping_shr(b) }) | 1) as u32
}

#[device]
#[rustfmt::skip]
pub fn e47(a: u32, b: u32, c: i32) -> u32 {
    let a: u32 = (((a > b) & (a > b)) != ((a > b) | (a > b))) as u32 ^ (!(b ^ b)) >> (((a).reverse_bits()) & 31);
    let b: u32 = a / ((((b).reverse_bits()).count_ones() + (((0x60e9c2b1 | b)).is_multiple_of(a | 1) as u32).leading_zeros() * 40) | 1);
    let mut s = b;
    for k in 0..a % 7 {
        s >>= 1;
        s >>= k & 7;
        if !(a > b) {
            continue;
        }
        s = s.rotate_left(5) ^ a >> (((a ^ 47)) & 31);
    }
    while s > 70_000 {
        s /= 5;
        if s & 6 == 6 {
            break;
        }
    }
    let t: u32 = match a % 5 {
        0 => (((a ^ 50)).wrapping_shl(a)) >> (((if a > b { a ^ (0x8147d8b4 | b) } else { b ^ a })) & 31),
        1 | 3 => b | (a > b) as u32 ^ a ^ a & (((a ^ 33) ^ a) & (a ^ 33)),
        _ => !(((a ^ 9)) << (((a ^ 7)) & 31) ^ b),
    };
    let v: UVec3 = UVec3::new(s, t, ((a).clamp(18, 77109)).max(a.rotate_left((a ^ 23) & 63) ^ a.trailing_zeros()));
    let v: UVec3 = (v ^ UVec3::splat(a)).max(UVec3::new(a, b, t));
    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);
    (((b.wrapping_add((0x8c8cd66b | b))).wrapping_mul((a ^ b) % (((0x70ceba6b | b)) | 1))).wrapping_shl(b | (a ^ a) & b ^ a & (((a ^ 29)).count_ones() + ((0xe26a3ed7 | b)).leading_zeros() * 40))).wrapping_shr(a / ((((a).wrapping_neg()).min(a / (((a ^ 51)) | 1))) | 1))
}

#[device]
#[rustfmt::skip]
pub fn w0(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = ((q | p ^ p & ((0x815e1b80 | q))) as u32 as u64 ^ ((a.count_ones() + ((a ^ 46)).leading_zeros() * 40) as u64) << 32) >> ((q | (0x2595a251c00000 | q) ^ p & ((p ^ 38))) & 63);
    ((((((q).leading_zeros() * 100 + ((p ^ 0)).trailing_zeros()) as u64) >= q | (p ^ 10) ^ p & ((p ^ 4)) || (((p ^ 45)).leading_zeros() * 100 + ((0x41af36600 | q)).trailing_zeros()) as u64 != q) as u64).count_ones() as u64 + (((((0x2ee2cc488 | q)).rotate_left(((a ^ 15)) << ((a) & 31))).count_ones() as u64 + ((!((0x2a51c9d64000000 | q) ^ q)) & 0xffff_ffff) * 3) & 0xffff_ffff) * 3) as u32 as u64 ^ ((a / (((a ^ 21)) | 1)) as u64) << 32
}

#[device]
#[rustfmt::skip]
pub fn w1(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = (q | ((0x2700a8b8000 | q)) as u32 as u64 ^ ((b.rotate_right(b)) as u64) << 32 ^ p & (((0x3dcc54954000000 | q)) << (((a ^ b) % ((a) | 1)) & 63))) as u32 as u64 ^ ((a >> ((b) & 31)) as u64) << 32;
    q | (((p) as u32 as u64 ^ ((!((a ^ 3) ^ b)) as u64) << 32).count_ones() as u64 + (((q) >> (((q).rotate_right(((0x9a8e135f | b)).rotate_right((a ^ 38)))) & 63)) & 0xffff_ffff) * 3 ^ p) & !((p).min((0x72ceb9db80 | q)) ^ q) ^ p & (((((0x88de51f60000 | q)).wrapping_sub((p ^ 58))).wrapping_sub((q ^ p) & (0x11f70bc480 | q))).count_ones() as u64 + ((((((p ^ 65)) << (((if a > b { a ^ a } else { b ^ (0x4f5d8bf5 | b) })) & 63)) >= (p).wrapping_sub((0xacd6db04000000 | q)) || ((p) >= q || (p ^ 68) != q) as u64 != q) as u64) & 0xffff_ffff) * 3)
}

#[device]
#[rustfmt::skip]
pub fn w2(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = (((!((0x6701b36d0 | q) ^ q)).max((p) >> ((((0x19afa08780000000 | q)).wrapping_add(p)) & 63))) >= (((0x849d4adc | q)).rotate_right(((0x1bcb48bc | b)).wrapping_add(a))).wrapping_add((p).count_ones() as u64 + (((0xa02faee2000000 | q)) & 0xffff_ffff) * 3) || !((if ((0x13dbbed7800000 | q)) < q { p ^ (0x13dbbed7800000 | q) } else { q ^ p }) ^ q) != q) as u64;
    ((((((p) >= (0x503ac1bc00000 | q) || q != q) as u64).min(((0xbafdc0ff000 | q)) as u32 as u64 ^ ((((c ^ 7)) as u32) as u64) << 32)) >> (((q).count_ones() as u64 + ((q) & 0xffff_ffff) * 3) & 63)) >= (((p).count_ones() as u64 + ((p) & 0xffff_ffff) * 3).wrapping_sub((p) >> (((((0xf31b3774 | q)) >= (p ^ 45) || q != q) as u64) & 63))).max((((p ^ 44)).min((0x51f7b59000000 | q))).wrapping_add(((0x1cd72e7bc0000000 | q)).min((0x5304ded880 | q)))) || (((if ((p).count_ones() as u64 + (((p ^ 36)) & 0xffff_ffff) * 3) < (p ^ p) & p { p ^ (p).count_ones() as u64 + (((p ^ 36)) & 0xffff_ffff) * 3 } else { q ^ ((p ^ 13)).rotate_right((a > b) as u32 ^ (0xd6a01992 | b)) })) >= (q | (0x8f5cca7800 | q) ^ p & ((p ^ 37))).wrapping_mul(((0x4f7d90100 | q)) << ((((0x7224a566 | b)) << (((a ^ 39)) & 31)) & 63)) || ((p).rotate_left(((c ^ 5)).count_ones() * 33 + ((a ^ 52)).leading_zeros())).count_ones() as u64 + (((q) << ((((c ^ 1)).count_ones() * 33 + ((0x4b069f78 | b)).leading_zeros()) & 63)) & 0xffff_ffff) * 3 != q) as u64 != q) as u64
}

#[device]
#[rustfmt::skip]
pub fn w3(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = ((((q).rotate_left(b << (((0x1173ec2c | b)) & 31))).wrapping_sub(((0x3de52c8c | q)) << ((((0x499a2abf | b)).rotate_left(a & 63) ^ ((0x499a2abf | b)).trailing_zeros()) & 63))) >= ((if (p) < (p ^ 14) { p ^ p } else { q ^ p })).rotate_right(b | b ^ a & (b)) || (!(p ^ q)).rotate_left(((a ^ 7)).reverse_bits()) != q) as u64;
    (((!(q ^ q)) << ((((a ^ 18) ^ a) & a) & 63)).min((((p ^ 9)).rotate_right(((a ^ 9)).count_ones() + b.leading_zeros() * 40)).min((p ^ p) & (0x3773ecd3c0000 | q)))).wrapping_sub(((((p ^ 12)).wrapping_mul((0x10ddefb500000000 | q))).rotate_right(((a ^ 43)).max((0xa7e8e778 | b)))) >> ((!((p ^ 23) ^ q)) & 63))
}

#[device]
#[rustfmt::skip]
pub fn w4(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = (((((p ^ 35)) >= (p ^ 57) || (p ^ 41) != q) as u64).rotate_left(a >> ((b) & 31))).max(((((p ^ 7)) >= (p ^ 54) || (0xd5333c520 | q) != q) as u64).min((q).count_ones() as u64 + ((q) & 0xffff_ffff) * 3));
    ((((((p ^ 30)).min((0xf5355cf80000000 | q)) ^ p) & q | (0x15010aba60 | q) ^ p & ((0x12967bff80000 | q))) >= ((if ((0x96d166080000 | q)) < (p ^ 67) { p ^ (0x96d166080000 | q) } else { q ^ q })).count_ones() as u64 + (((q ^ p) & (0xaa610d650000 | q)) & 0xffff_ffff) * 3 || (((p ^ 45)).min((p ^ 39))).max(!(p ^ q)) != q) as u64).wrapping_sub((((((p ^ 26)) << ((((0x62725a85 | b)).wrapping_shl((0xaefcdb96 | b))) & 63)).leading_zeros() * 100 + ((p).wrapping_add((0x50bdb0ed0000000 | q))).trailing_zeros()) as u64).rotate_left((a).is_multiple_of((0xb23c7a77 | b) | 1) as u32))
}

#[device]
#[rustfmt::skip]
pub fn w5(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = ((((q).min(q)) as u32 as u64 ^ (((((0xa6445e66 | b)) & 0xffff) * 7 + (((0x8877d8bb | b)) & 0xfff) + 5 - (a & 3)) as u64) << 32) >= (((0x61b7db740 | q)).rotate_left(a.wrapping_add((0xc0e8442b | b)))).rotate_right(b | (a ^ 20) ^ a & ((a ^ 69))) || (((0x1e6162f1e000000 | q)) << ((((a ^ 37)).wrapping_add((0xa279be5e | b))) & 63)).wrapping_sub((q).count_ones() as u64 + (((p ^ 5)) & 0xffff_ffff) * 3) != q) as u64;
    ((!((q).min((0x27ea3c400000000 | q)) ^ q)).max(((((p ^ 37)).rotate_left(b | (0x30fe3570 | b) ^ a & (a))).leading_zeros() * 100 + (q | (0x9fad087e00000 | q) ^ p & (q)).trailing_zeros()) as u64)).min(!(((((0x3e9f391b8 | q)).wrapping_mul((0x19d6d73e6000000 | q))) >= (q).rotate_right((a ^ b) % ((a) | 1)) || (((0x7cb16ee60 | q)) >= (p ^ 7) || p != q) as u64 != q) as u64 ^ q))
}

#[device]
#[rustfmt::skip]
pub fn w6(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = ((((q).wrapping_add(p)).wrapping_sub((if (p) < (p ^ 28) { p ^ p } else { q ^ p }))).leading_zeros() * 100 + (((q) << (((c).count_ones() * 33 + (a).leading_zeros()) & 63)) >> (((if ((0x3d266f4e00000 | q)) < (0x3966de0c8 | q) { p ^ (0x3d266f4e00000 | q) } else { q ^ (p ^ 52) })) & 63)).trailing_zeros()) as u64;
    (((((p ^ 66)).wrapping_sub((p ^ 12))).wrapping_add((q).min((p ^ 14)))).min(((q).rotate_left(((a ^ 35)).wrapping_shl(a))).wrapping_add(((p ^ 69)) << ((a.rotate_right((0x44317450 | b))) & 63)))).wrapping_mul(((((p).leading_zeros() * 100 + ((0x7a8e19b4000 | q)).trailing_zeros()) as u64).max((q ^ p) & (p ^ 45))).wrapping_add(((p).rotate_right((a).wrapping_neg())).rotate_right((a).wrapping_shr((0xea494eba | b)))))
}

#[device]
#[rustfmt::skip]
pub fn w7(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = (((p) >> (((p) >> ((!(q ^ q)) & 63)) & 63)).max((p).wrapping_mul((0x430389ed00 | q)))) << ((b << ((a) & 31)) & 63);
    (((((q ^ p) & (p ^ 45)).count_ones() as u64 + (((((0x3958cad94000000 | q)).leading_zeros() * 100 + ((p ^ 68)).trailing_zeros()) as u64) & 0xffff_ffff) * 3) >= (((p ^ 58)).wrapping_add((0xb188dee900 | q))).max((if ((p ^ 49)) < p { p ^ (p ^ 49) } else { q ^ p })) || ((p) >> ((((p) >= (p ^ 17) || q != q) as u64) & 63)).rotate_right((c).count_ones() * 33 + ((a ^ 11)).leading_zeros()) != q) as u64).max(!(((p).min(p)).wrapping_add(((0x7ba4300a000 | q)).wrapping_mul((0x731ba06b0 | q))) ^ q))
}

#[device]
#[rustfmt::skip]
pub fn w8(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = (((p).wrapping_sub((p ^ 61))) >> (((q).count_ones() as u64 + (((p ^ 42)) & 0xffff_ffff) * 3) & 63)).max(((q).wrapping_sub((p ^ 3))).count_ones() as u64 + ((!((p ^ 7) ^ q)) & 0xffff_ffff) * 3);
    (if (!(((p) >> (((((0x146101be000000 | q)).leading_zeros() * 100 + ((0x97a9b236000000 | q)).trailing_zeros()) as u64) & 63)).rotate_left(b | (a ^ 60) ^ a & ((0x89df8951 | b))) ^ q)) < (if (!(((0xb36f3057000 | q)).max((0x8e13b2b3000 | q)) ^ q)) < (((if ((0x324b46a24000000 | q)) < (0x1cfd456940000 | q) { p ^ (0x324b46a24000000 | q) } else { q ^ (0x81acdf80000 | q) })) >= ((0x5dc42a9e00 | q)).wrapping_add(q) || ((0x5869af3200 | q)).max((p ^ 58)) != q) as u64 { p ^ !(((0xb36f3057000 | q)).max((0x8e13b2b3000 | q)) ^ q) } else { q ^ ((q).wrapping_add((0x20819821c00000 | q))) as u32 as u64 ^ ((((c ^ 5)) as u32) as u64) << 32 }) { p ^ !(((p) >> (((((0x146101be000000 | q)).leading_zeros() * 100 + ((0x97a9b236000000 | q)).trailing_zeros()) as u64) & 63)).rotate_left(b | (a ^ 60) ^ a & ((0x89df8951 | b))) ^ q) } else { q ^ (((p).max(q)).rotate_right(b.rotate_left(a & 63) ^ b.trailing_zeros())).max((((0xd3dbb14e00 | q)).wrapping_mul(q)).rotate_left(((c ^ 6)).count_ones() * 33 + ((0x1ebafe56 | b)).leading_zeros())) })
}

#[device]
#[rustfmt::skip]
pub fn w9(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = (if (((p) >> (((q).count_ones() as u64 + (((p ^ 17)) & 0xffff_ffff) * 3) & 63)) as u32 as u64 ^ ((((0xab933982 | b)).rotate_left(b & 63) ^ ((0xab933982 | b)).trailing_zeros()) as u64) << 32) < ((q).rotate_right((a).reverse_bits())).count_ones() as u64 + ((((p ^ 66)) as u32 as u64 ^ (((a).max(b)) as u64) << 32) & 0xffff_ffff) * 3 { p ^ ((p) >> (((q).count_ones() as u64 + (((p ^ 17)) & 0xffff_ffff) * 3) & 63)) as u32 as u64 ^ ((((0xab933982 | b)).rotate_left(b & 63) ^ ((0xab933982 | b)).trailing_zeros()) as u64) << 32 } else { q ^ (if (!(p ^ q)) < (p) as u32 as u64 ^ ((((a ^ 21)).wrapping_add(a)) as u64) << 32 { p ^ !(p ^ q) } else { q ^ ((p ^ 35)).wrapping_mul((p ^ 53)) }) });
    ((((q) >> ((q | p ^ p & ((0x4a59780d0 | q))) & 63)).wrapping_add((p).wrapping_mul(p))) as u32 as u64 ^ ((!((0xc0d63b63 | b) ^ b)) as u64) << 32) >> ((((q) >= (0x1e791cc7200000 | q) || q != q) as u64) & 63)
}

#[device]
#[rustfmt::skip]
pub fn w10(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = ((q | p ^ p & ((0x589155d000000 | q))).wrapping_sub(((p ^ 65)) >> ((((0xdd7a74c0 | q)).min((0x116cd1760000000 | q))) & 63))).wrapping_sub(((q) << ((((0x81b301c | b)) >> (((a ^ 0)) & 31)) & 63)).count_ones() as u64 + ((((0x338929d3c0000 | q)).rotate_left(((a ^ 54)).count_ones() + b.leading_zeros() * 40)) & 0xffff_ffff) * 3);
    ((((((p ^ 63)) >= (0x8dd761a8000000 | q) || (0xb7784d500000 | q) != q) as u64).wrapping_add(((0xbc70dddf00000 | q)).count_ones() as u64 + ((q) & 0xffff_ffff) * 3)) >> ((((0x19aab0ac400 | q)).rotate_left(((a ^ 46)).reverse_bits())) & 63)).wrapping_add((((q).wrapping_sub(p)).min(((0x63373ec2000 | q)) >> ((((p ^ 4)).rotate_left(a.wrapping_sub(b))) & 63))).rotate_right((b ^ a) & (0xdfb0284 | b)))
}

#[device]
#[rustfmt::skip]
pub fn w11(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = (q | ((p ^ 0)).rotate_right(b >> (((0xc19b6a4a | b)) & 31)) ^ p & (((p ^ 25)).min((0x14e0bc5a80000000 | q)))).rotate_left(a >> (((a ^ 7)) & 31));
    (q | (((0x3ca2fc91c0 | q) ^ p) & (0x621a3f1080000000 | q)).count_ones() as u64 + (((p).wrapping_mul((0x120669a90000000 | q))) & 0xffff_ffff) * 3 ^ p & (((q | q ^ p & ((p ^ 38))) >= ((0x2982b3890000 | q)) >> (((p) as u32 as u64 ^ ((((a ^ 60)).wrapping_sub(a)) as u64) << 32) & 63) || ((0x346313c7000 | q)).min(p) != q) as u64)) << (((b).wrapping_shr((a ^ 54))) & 63)
}

#[device]
#[rustfmt::skip]
pub fn w12(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = (((((0x6accbed680000000 | q)).wrapping_mul(q)).rotate_left((c) as u32)) >= (((0xa135b8b6000000 | q)) >> ((((0xb777da9c00 | q)).rotate_left(!((0x9a0283c | b) ^ b))) & 63)).wrapping_mul((q).min(p)) || !(((p ^ 33)).rotate_left(((c ^ 7)) as u32) ^ q) != q) as u64;
    (((((0xd0a1465e | q)) as u32 as u64 ^ (((a).is_multiple_of(a | 1) as u32) as u64) << 32).wrapping_sub(q | (0x3ceb6ad20 | q) ^ p & (p))).rotate_left((a).clamp(7, 44523))).rotate_right(b | a ^ a & ((0x936bee78 | b)))
}

#[device]
#[rustfmt::skip]
pub fn w13(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = (((p).rotate_left(((0x4c174f6c | b)).wrapping_shr((0xcd68f954 | b)))).min((q).max(p))).wrapping_mul(!((p).rotate_left(((c ^ 7)) as u32) ^ q));
    ((((((p ^ 65)) as u32 as u64 ^ (((a > b) as u32 ^ b) as u64) << 32).rotate_left(((0xab33541d | b)).is_multiple_of((a ^ 46) | 1) as u32)).leading_zeros() * 100 + (q | (((0x59b2fcef8 | q)) >= (0x7c28e1800000000 | q) || (p ^ 35) != q) as u64 ^ p & (((p ^ 55)) as u32 as u64 ^ ((((a ^ 0)).wrapping_sub((0xa20ee2c7 | b))) as u64) << 32)).trailing_zeros()) as u64).wrapping_sub(q | ((((0x8b405566000 | q)).leading_zeros() * 100 + (p).trailing_zeros()) as u64).wrapping_sub((if (q) < q { p ^ q } else { q ^ q })) ^ p & (((q | q ^ p & (q)).leading_zeros() * 100 + (((0x3debe99b00 | q)).rotate_left(b >> ((a) & 31))).trailing_zeros()) as u64))
}

#[device]
#[rustfmt::skip]
pub fn w14(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = ((((p ^ 52)).wrapping_add(p)).rotate_right((c).count_ones() * 33 + (b).leading_zeros())).rotate_right((c).count_ones() * 33 + (b).leading_zeros());
    (!((((p).min(p)) >= (((p ^ 3)).leading_zeros() * 100 + (q).trailing_zeros()) as u64 || ((p) >= q || p != q) as u64 != q) as u64 ^ q)).wrapping_mul((((q).rotate_right(b.wrapping_add(b))) as u32 as u64 ^ ((!((0xcca85ba5 | b) ^ b)) as u64) << 32).min(!((q).wrapping_sub(q) ^ q)))
}

#[device]
#[rustfmt::skip]
pub fn w15(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = ((((p ^ 56)) << ((((0xc853c324 | b) ^ b) % (((a ^ 18)) | 1)) & 63)).wrapping_mul(((0x14f7219600000000 | q)).count_ones() as u64 + ((p) & 0xffff_ffff) * 3)).max(((((0xb562b02c000 | q)) >= (p ^ 29) || (p ^ 59) != q) as u64) >> ((((p ^ 12)) >> ((((p ^ 39)) << ((a / (((0x1ea1175b | b)) | 1)) & 63)) & 63)) & 63));
    (((((0x3a86248c0 | q)).rotate_right(((a ^ 56) ^ a) & (a ^ 33))) >> (((q) >> (((if ((0x6f8e26aa000 | q)) < (p ^ 54) { p ^ (0x6f8e26aa000 | q) } else { q ^ (p ^ 54) })) & 63)) & 63)).rotate_left((a > b) as u32 ^ (a ^ 17))).wrapping_add((((q ^ p) & p).max((q).wrapping_mul(p))).rotate_left(((0xe5aa9d3a | b)) >> (((0xcf1d249d | b)) & 31)))
}

#[device]
#[rustfmt::skip]
pub fn w16(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = q | (((((0x5d236a300000 | q)).leading_zeros() * 100 + ((0xdf2ff7f80000 | q)).trailing_zeros()) as u64).leading_zeros() * 100 + (((0xe6fb68ef0000000 | q)).wrapping_sub((0x894a9f28 | q))).trailing_zeros()) as u64 ^ p & (((q) << ((a / ((a) | 1)) & 63)).rotate_right((c).count_ones() * 33 + (b).leading_zeros()));
    ((((((p) as u32 as u64 ^ (((a ^ a) & b) as u64) << 32).rotate_right(((0x7c7b47f0 | b)).wrapping_shr((a ^ 59)))).leading_zeros() * 100 + ((q | p ^ p & ((0x3529c88b000 | q))).wrapping_add(((0x15f896f800000000 | q)) >> (((if ((0x609ba3158000 | q)) < q { p ^ (0x609ba3158000 | q) } else { q ^ p })) & 63))).trailing_zeros()) as u64).leading_zeros() * 100 + ((!((q).max((0x1a15570a20000 | q)) ^ q)) as u32 as u64 ^ ((b.wrapping_mul(b)) as u64) << 32).trailing_zeros()) as u64
}

#[device]
#[rustfmt::skip]
pub fn w17(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = ((((p ^ 4)) as u32 as u64 ^ ((((b) & 0xffff) * 7 + ((a) & 0xfff) + 5 - (a & 3)) as u64) << 32).wrapping_mul(!((0xc7846a65000000 | q) ^ q))).min((!((p ^ 22) ^ q)) >> (((q).rotate_left(((c ^ 3)) as u32)) & 63));
    ((((q).max(q)) as u32 as u64 ^ ((a >> (((a ^ 58)) & 31)) as u64) << 32).count_ones() as u64 + (((((q).rotate_left(a.rotate_right(b))).leading_zeros() * 100 + (((0x28bcd9400000000 | q)).rotate_right(((0xdbb20799 | b)).wrapping_add(a))).trailing_zeros()) as u64) & 0xffff_ffff) * 3) << ((((0xc50d4b67 | b)) << ((b) & 31)) & 63)
}

#[device]
#[rustfmt::skip]
pub fn w18(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = (((q).max(q)).rotate_right(((0x6257f8a4 | b)).rotate_right((a ^ 24)))).wrapping_mul((((0x3c43db4b800000 | q)).min((p ^ 60))) as u32 as u64 ^ ((((a ^ 59)).wrapping_shr(b)) as u64) << 32);
    ((((p).rotate_right(a.wrapping_mul((a ^ 44)))) << ((((0xe2efd11e | b)).wrapping_add((a ^ 61))) & 63)).wrapping_add((((p ^ 53)).wrapping_sub(q)).count_ones() as u64 + ((((p ^ 43) ^ p) & (0x3806a1cec00000 | q)) & 0xffff_ffff) * 3)).count_ones() as u64 + (((if (((((p ^ 7)).rotate_right(!((0xd4469a21 | b) ^ b))) >= q | (p ^ 1) ^ p & ((p ^ 9)) || (if (p) < (p ^ 16) { p ^ p } else { q ^ q }) != q) as u64) < ((((p ^ 56)) >= (p ^ 42) || (p ^ 0) != q) as u64) << ((a / (((0x67a6a3a | b)) | 1)) & 63) { p ^ ((((p ^ 7)).rotate_right(!((0xd4469a21 | b) ^ b))) >= q | (p ^ 1) ^ p & ((p ^ 9)) || (if (p) < (p ^ 16) { p ^ p } else { q ^ q }) != q) as u64 } else { q ^ ((q) << ((((a ^ 25)) << (((a ^ 30)) & 31)) & 63)).max(((p ^ 31)).max(q)) })) & 0xffff_ffff) * 3
}

#[device]
#[rustfmt::skip]
pub fn w19(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = ((((p ^ 38)) as u32 as u64 ^ ((b.min(a)) as u64) << 32).wrapping_mul(q | (p ^ 29) ^ p & ((p ^ 40)))).wrapping_add((if (((p ^ 50)) as u32 as u64 ^ ((((0xd7a79d52 | b)).count_ones() + ((0x615729bd | b)).leading_zeros() * 40) as u64) << 32) < !((0x87a7ce96000 | q) ^ q) { p ^ ((p ^ 50)) as u32 as u64 ^ ((((0xd7a79d52 | b)).count_ones() + ((0x615729bd | b)).leading_zeros() * 40) as u64) << 32 } else { q ^ (if (p) < p { p ^ p } else { q ^ (p ^ 35) }) }));
    ((((if (p) < q { p ^ p } else { q ^ q })) as u32 as u64 ^ (((if a > b { a ^ b } else { b ^ (a ^ 32) })) as u64) << 32).count_ones() as u64 + ((((!((p ^ 2) ^ q)).leading_zeros() * 100 + ((q ^ p) & (p ^ 59)).trailing_zeros()) as u64) & 0xffff_ffff) * 3).wrapping_sub(((((q).min((p ^ 25))) << ((((0xe3bfed34 | b)).max((a ^ 60))) & 63)) >= (((p).leading_zeros() * 100 + ((0x5762e812000 | q)).trailing_zeros()) as u64) << ((((0x7fb234ea | b)).wrapping_shr(a)) & 63) || (((q) >= p || (0x1b03449a00 | q) != q) as u64).wrapping_sub(((p ^ 56)).rotate_left(((0xaa3cdf5f | b)).wrapping_mul((0x851ea093 | b)))) != q) as u64)
}

#[device]
#[rustfmt::skip]
pub fn w20(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = (if ((((p ^ 40)) as u32 as u64 ^ (((a).is_multiple_of(a | 1) as u32) as u64) << 32) as u32 as u64 ^ ((((0x809a4946 | b)).wrapping_mul(b)) as u64) << 32) < (if ((p).count_ones() as u64 + ((p) & 0xffff_ffff) * 3) < (q).count_ones() as u64 + (((p ^ 34)) & 0xffff_ffff) * 3 { p ^ (p).count_ones() as u64 + ((p) & 0xffff_ffff) * 3 } else { q ^ !((p ^ 13) ^ q) }) { p ^ (((p ^ 40)) as u32 as u64 ^ (((a).is_multiple_of(a | 1) as u32) as u64) << 32) as u32 as u64 ^ ((((0x809a4946 | b)).wrapping_mul(b)) as u64) << 32 } else { q ^ (if ((q).count_ones() as u64 + ((p) & 0xffff_ffff) * 3) < ((p ^ 35)).wrapping_mul((p ^ 50)) { p ^ (q).count_ones() as u64 + ((p) & 0xffff_ffff) * 3 } else { q ^ (((p ^ 46)) >= q || (p ^ 53) != q) as u64 }) });
    ((!((((p ^ 54)) >= q || (0x237a1d950000 | q) != q) as u64 ^ q)).wrapping_sub((if (((p ^ 20)).rotate_left((if a > b { a ^ a } else { b ^ a }))) < ((0x10d28928000000 | q)) >> ((((p ^ 5)) << ((a / ((a) | 1)) & 63)) & 63) { p ^ ((p ^ 20)).rotate_left((if a > b { a ^ a } else { b ^ a })) } else { q ^ q | (p ^ 65) ^ p & (q) }))).count_ones() as u64 + (((((q).count_ones() as u64 + ((p) & 0xffff_ffff) * 3).wrapping_mul((if (p) < (0x343b926840000000 | q) { p ^ p } else { q ^ (0x164eb6498 | q) })) ^ p) & q | (q) >> ((((p).leading_zeros() * 100 + (q).trailing_zeros()) as u64) & 63) ^ p & (((p) >= (0x1f73a3560000000 | q) || (0x12d2d2ee400000 | q) != q) as u64)) & 0xffff_ffff) * 3
}

#[device]
#[rustfmt::skip]
pub fn w21(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = ((if (((q).leading_zeros() * 100 + ((p ^ 12)).trailing_zeros()) as u64) < (if ((0x3534a74d00 | q)) < (0x3d786f9b80 | q) { p ^ (0x3534a74d00 | q) } else { q ^ p }) { p ^ ((q).leading_zeros() * 100 + ((p ^ 12)).trailing_zeros()) as u64 } else { q ^ (p).wrapping_sub((0x4402030d80 | q)) })).max(((q).rotate_right(((0x1d25b2ae | b)).clamp(46, 24118))).wrapping_sub(((p ^ 48)).wrapping_sub((0x1f716eb2800 | q))));
    (((((0x482752000000 | q)) >> (((p).rotate_left(((a ^ 51)).wrapping_neg())) & 63)).count_ones() as u64 + (((((p ^ 24)).leading_zeros() * 100 + ((p ^ 52)).trailing_zeros()) as u64) & 0xffff_ffff) * 3).min((if ((p) << (((a > b) as u32 ^ a) & 63)) < (p).min(q) { p ^ (p) << (((a > b) as u32 ^ a) & 63) } else { q ^ (p).wrapping_add((0xb9f5cea8000000 | q)) }))).wrapping_add(((((((0x29d238a800 | q)).leading_zeros() * 100 + (p).trailing_zeros()) as u64) as u32 as u64 ^ ((((a ^ 62) ^ a) & (a ^ 55)) as u64) << 32).leading_zeros() * 100 + ((((q).rotate_right((((a ^ 57)) & 0xffff) * 7 + (((0xad81d1a | b)) & 0xfff) + 5 - (a & 3))) >= ((p ^ 29)) << (((b).is_multiple_of((0x6710f84f | b) | 1) as u32) & 63) || ((q) >= p || (p ^ 55) != q) as u64 != q) as u64).trailing_zeros()) as u64)
}

#[device]
#[rustfmt::skip]
pub fn w22(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = ((((0x2349a10f0000 | q)) >> (((if (q) < (0xed51aa48000000 | q) { p ^ q } else { q ^ p })) & 63)).wrapping_add(((p).leading_zeros() * 100 + (q).trailing_zeros()) as u64) ^ p) & ((q ^ p) & q ^ p) & (q).rotate_left(a / (((a ^ 28)) | 1));
    (((if (((0x6660b79e0000000 | q)).wrapping_add((p ^ 10))) < (p).wrapping_mul((0x2180c202 | q)) { p ^ ((0x6660b79e0000000 | q)).wrapping_add((p ^ 10)) } else { q ^ (p).rotate_left(!((0x4b89bd1f | b) ^ b)) }) ^ p) & ((p).wrapping_add(q)).min(((0x6c713b068000000 | q)) >> ((((p ^ 1)) >> (((p).rotate_left(b.wrapping_add(b))) & 63)) & 63))).wrapping_sub(((if ((q) >> ((((p ^ 58)) >> ((q | (0x1c01c87960000000 | q) ^ p & ((p ^ 17))) & 63)) & 63)) < (q).min((0x749dd5d48000 | q)) { p ^ (q) >> ((((p ^ 58)) >> ((q | (0x1c01c87960000000 | q) ^ p & ((p ^ 17))) & 63)) & 63) } else { q ^ (p) << ((((a ^ 6)).wrapping_shr(b)) & 63) })).rotate_left(((0x4666760d | b)).max((0x94e89212 | b))))
}

#[device]
#[rustfmt::skip]
pub fn w23(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = ((((0x569e2490000000 | q)) >> (((p).min(q)) & 63)).wrapping_sub((p) << (((c).count_ones() * 33 + (a).leading_zeros()) & 63))) << ((b >> (((a ^ 31)) & 31)) & 63);
    (if ((!(((0x34ffe90c0000000 | q)) >> (((p).rotate_left(b >> (((0x5a2ce7e2 | b)) & 31))) & 63) ^ q)).wrapping_add((((0x10e830ab0 | q)).rotate_left(((0xc288eb12 | b)).is_multiple_of((0xd22f9ef4 | b) | 1) as u32)) as u32 as u64 ^ ((((0x2997c66a | b)).wrapping_neg()) as u64) << 32)) < !((!((0x895ca8680000000 | q) ^ q) ^ p) & q | (p ^ 30) ^ p & (q) ^ q) { p ^ (!(((0x34ffe90c0000000 | q)) >> (((p).rotate_left(b >> (((0x5a2ce7e2 | b)) & 31))) & 63) ^ q)).wrapping_add((((0x10e830ab0 | q)).rotate_left(((0xc288eb12 | b)).is_multiple_of((0xd22f9ef4 | b) | 1) as u32)) as u32 as u64 ^ ((((0x2997c66a | b)).wrapping_neg()) as u64) << 32) } else { q ^ (((((q).leading_zeros() * 100 + ((0x43d1cca4000000 | q)).trailing_zeros()) as u64).leading_zeros() * 100 + ((p ^ p) & q).trailing_zeros()) as u64).wrapping_mul((((0x2902706380 | q)).rotate_left(((a ^ 66)).wrapping_shr(a)) ^ p) & ((p).leading_zeros() * 100 + (p).trailing_zeros()) as u64) })
}
