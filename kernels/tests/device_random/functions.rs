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
pub fn w0(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = (((((0x151f379f80000000 | q)).max(p)) >= ((0x489764a400000 | q)).wrapping_add((0x19bb0f5cc00 | q)) || ((0x34617b7c000 | q)).max((0x7465fa4f8000000 | q)) != q) as u64) as u32 as u64 ^ (((a ^ b) % (((a ^ 29)) | 1)) as u64) << 32;
    (!((((0xc26515180000000 | q) ^ p) & (0xb5cf472a00000 | q)).wrapping_sub(((p ^ 38) ^ p) & p) ^ q)) << ((a.wrapping_add((a ^ 40))) & 63)
}

#[device]
#[rustfmt::skip]
pub fn w1(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = (((((0x13600b9740000 | q)) >= p || (p ^ 20) != q) as u64).min(!(q ^ q))).rotate_left(((a ^ 48) ^ b) % (((a ^ 44)) | 1));
    ((((q | (p ^ 41) ^ p & (q)).wrapping_add((q).count_ones() as u64 + ((q) & 0xffff_ffff) * 3) ^ p) & ((p) >> ((((p ^ 38)).rotate_right(((c ^ 2)) as u32)) & 63)).wrapping_mul(((p ^ 59)) << (((a > b) as u32 ^ a) & 63))).leading_zeros() * 100 + ((if (((((p ^ 57)).min((p ^ 59))) >= (q).rotate_left((b).is_multiple_of(a | 1) as u32) || (p ^ p) & (0x95bae50000000 | q) != q) as u64) < (((p) >= q || (p ^ 7) != q) as u64).rotate_right(a.wrapping_mul((a ^ 66))) { p ^ ((((p ^ 57)).min((p ^ 59))) >= (q).rotate_left((b).is_multiple_of(a | 1) as u32) || (p ^ p) & (0x95bae50000000 | q) != q) as u64 } else { q ^ ((p).min((0x9b2d2f6300 | q))).rotate_right(((b) & 0xffff) * 7 + ((a) & 0xfff) + 5 - (a & 3)) })).trailing_zeros()) as u64
}

#[device]
#[rustfmt::skip]
pub fn w2(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = ((((p ^ 49)).min((0x9def3e4d0 | q)) ^ p) & ((p ^ 69)).rotate_right(((a ^ 30)).rotate_right((a ^ 15)))).max(((q) as u32 as u64 ^ ((((a ^ 60)).wrapping_shl(a)) as u64) << 32) >> (((if ((p ^ 56)) < q { p ^ (p ^ 56) } else { q ^ q })) & 63));
    !(q | (if (((p ^ 20)).min(p)) < ((0xbf162ebd0000000 | q)).wrapping_sub((0x2e355b32000000 | q)) { p ^ ((p ^ 20)).min(p) } else { q ^ ((0xec09143900000000 | q)).wrapping_add((p ^ 33)) }) ^ p & ((if (((p ^ 63)) << (((b).clamp(89, 19279)) & 63)) < (p ^ p) & (0x6cd0ac4d00000 | q) { p ^ ((p ^ 63)) << (((b).clamp(89, 19279)) & 63) } else { q ^ ((0x71ddd86b000000 | q)).wrapping_add(p) })) ^ q)
}

#[device]
#[rustfmt::skip]
pub fn w3(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = ((((0x211033a7c0000 | q)).rotate_left((b).wrapping_neg())).wrapping_add(((0x4cb87e1e000000 | q)).wrapping_mul((0x63c54a8200000000 | q)))).count_ones() as u64 + ((((q).wrapping_mul((p ^ 14))).wrapping_mul(((0x1e0ad283600000 | q)) as u32 as u64 ^ (((((a ^ 39)) & 0xffff) * 7 + (((0x140ae598 | b)) & 0xfff) + 5 - (a & 3)) as u64) << 32)) & 0xffff_ffff) * 3;
    q | (((p).max((p ^ 16))).rotate_left(((a ^ 13)).clamp(72, 76737))).count_ones() as u64 + (((q | (p ^ 33) ^ p & ((p ^ 68))) << (((a).reverse_bits()) & 63)) & 0xffff_ffff) * 3 ^ p & (((((((p ^ 64)).wrapping_mul((p ^ 40))) >= ((0x6229023f000000 | q)).rotate_right(b.count_ones() + a.leading_zeros() * 40) || ((p ^ 8)) >> (((p) >> (((q) as u32 as u64 ^ (((a).reverse_bits()) as u64) << 32) & 63)) & 63) != q) as u64).leading_zeros() * 100 + ((((0x1def9cd780000 | q)) as u32 as u64 ^ ((((0x6ff106a5 | b) ^ a) & (a ^ 4)) as u64) << 32).wrapping_mul((q).wrapping_add((0xf410878a000 | q)))).trailing_zeros()) as u64)
}

#[device]
#[rustfmt::skip]
pub fn w4(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = ((((0x10b5cda08000 | q) ^ p) & q).max(((0x7e00050a0000 | q)).wrapping_add(q))).wrapping_sub(q | ((p).leading_zeros() * 100 + (q).trailing_zeros()) as u64 ^ p & (((0x9b9a49540000 | q)).wrapping_mul(q)));
    (((((p ^ 10)).max((p ^ 0))) as u32 as u64 ^ ((((0xbc76c1e3 | b)).wrapping_shr((a ^ 59))) as u64) << 32).count_ones() as u64 + ((((q).count_ones() as u64 + (((0x181f55e6800 | q)) & 0xffff_ffff) * 3).wrapping_add((p).min((0xe6ed109800000 | q)))) & 0xffff_ffff) * 3) >> ((((0xc56399e800000 | q)).count_ones() as u64 + (((p ^ 38)) & 0xffff_ffff) * 3) & 63)
}

#[device]
#[rustfmt::skip]
pub fn w5(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = (if (((q).rotate_left((a).wrapping_shl((0xc664d28d | b))) ^ p) & ((0x7cfdc04b00 | q) ^ p) & p) < ((((0x182898b400 | q)) >= q || (p ^ 41) != q) as u64).wrapping_add((p).wrapping_add((p ^ 8))) { p ^ ((q).rotate_left((a).wrapping_shl((0xc664d28d | b))) ^ p) & ((0x7cfdc04b00 | q) ^ p) & p } else { q ^ (((q) as u32 as u64 ^ ((b.wrapping_add((a ^ 32))) as u64) << 32).leading_zeros() * 100 + ((p).max((p ^ 17))).trailing_zeros()) as u64 });
    (if ((((p).min((0x37b8d148000000 | q))).max(((0x1cbcef94e0000 | q)).wrapping_add(p))).count_ones() as u64 + (((if (!(q ^ q)) < ((p ^ 46)).rotate_left(((a ^ 18)).min(b)) { p ^ !(q ^ q) } else { q ^ ((0xf9f555f20 | q)).count_ones() as u64 + (((0x380ab3cc00 | q)) & 0xffff_ffff) * 3 })) & 0xffff_ffff) * 3) < (((q) >> (((if ((0x1a616a74000000 | q)) < (p ^ 61) { p ^ (0x1a616a74000000 | q) } else { q ^ (p ^ 65) })) & 63)).rotate_left((a ^ a) & b)) << ((((b) & 0xffff) * 7 + (((a ^ 62)) & 0xfff) + 5 - (a & 3)) & 63) { p ^ (((p).min((0x37b8d148000000 | q))).max(((0x1cbcef94e0000 | q)).wrapping_add(p))).count_ones() as u64 + (((if (!(q ^ q)) < ((p ^ 46)).rotate_left(((a ^ 18)).min(b)) { p ^ !(q ^ q) } else { q ^ ((0xf9f555f20 | q)).count_ones() as u64 + (((0x380ab3cc00 | q)) & 0xffff_ffff) * 3 })) & 0xffff_ffff) * 3 } else { q ^ (((((0x8391c68e0 | q)).wrapping_sub((p ^ 46))).min(((p ^ 26) ^ p) & (0xc57a6cbe | q))) >= (if (((p ^ 12)).min(p)) < ((0x8fc6364600000000 | q)).rotate_left((a).wrapping_shl(b)) { p ^ ((p ^ 12)).min(p) } else { q ^ q | (0x46f4ee3f | q) ^ p & (p) }) || (q | (p ^ 28) ^ p & ((p ^ 42))).max(((p).leading_zeros() * 100 + ((p ^ 19)).trailing_zeros()) as u64) != q) as u64 })
}

#[device]
#[rustfmt::skip]
pub fn w6(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = !((q | p ^ p & ((0x505c9c2800000 | q))).wrapping_mul((p).min((p ^ 26))) ^ q);
    ((((((p ^ 14)).rotate_left((b).is_multiple_of(a | 1) as u32)).wrapping_add(((0x1bacee16a000000 | q)).rotate_right((b).clamp(74, 83625)))).wrapping_mul(((((p ^ 48)).leading_zeros() * 100 + (q).trailing_zeros()) as u64 ^ p) & (p).rotate_left(((a ^ 55)).rotate_left((a ^ 23) & 63) ^ ((a ^ 55)).trailing_zeros()))).leading_zeros() * 100 + (((q | (p).wrapping_sub((p ^ 21)) ^ p & ((if ((0x79dbed4100 | q)) < p { p ^ (0x79dbed4100 | q) } else { q ^ p }))).leading_zeros() * 100 + ((!(p ^ q)).rotate_left((b).wrapping_shl(a))).trailing_zeros()) as u64).trailing_zeros()) as u64
}

#[device]
#[rustfmt::skip]
pub fn w7(p: u64, q: u64, a: u32) -> u64 {
    let b: u32 = (q >> 7) as u32;
    let c: i32 = p as i32;
    let p: u64 = q | (((0xcd8ce4ad000000 | q)) as u32 as u64 ^ (((a).wrapping_neg()) as u64) << 32) as u32 as u64 ^ ((((b) & 0xffff) * 7 + (((a ^ 55)) & 0xfff) + 5 - (a & 3)) as u64) << 32 ^ p & (((p) >> ((q | p ^ p & ((0x56c99c1c0000 | q))) & 63)).count_ones() as u64 + ((((0x39295ca000 | q)).count_ones() as u64 + ((p) & 0xffff_ffff) * 3) & 0xffff_ffff) * 3);
    ((((((q) >> ((((p ^ 46)).wrapping_sub(p)) & 63)) >= ((0x1702cfe88000 | q)).wrapping_sub((0x1796d3a8c00 | q)) || (q).wrapping_sub(q) != q) as u64).leading_zeros() * 100 + ((((0x2773f1dc4000 | q)) << (((b).wrapping_shl(b)) & 63)).wrapping_add((if (q) < p { p ^ q } else { q ^ (p ^ 66) }))).trailing_zeros()) as u64).rotate_left(((a) & 0xffff) * 7 + (((0x5edb131b | b)) & 0xfff) + 5 - (a & 3))
}
