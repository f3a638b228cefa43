use rand::Rng;

use super::*;
use crate::{
    borders::Borders,
    random,
    water::{Body, Outline, Water},
};

/// Law: bytes that are cut or changed are refused or are other lines, and nothing panics.
#[test]
fn damaged_records_are_refused() {
    let mut rng = random::rng();
    assert!(records(b"no zstd").is_err());
    let ring = vec![[10.5, 20.25], [11.0, 20.0], [10.0, 19.0]];
    let mut bytes = b"ORGW\x01".to_vec();
    // 4 steps a degree, 1 record: a lake at 12.3 m, named A, of one ring of 3 corners.
    let mut put = |value: u64| {
        let mut value = value;
        while value >= 0x80 {
            bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        bytes.push(value as u8);
    };
    [4, 1, 1, 246, 1, 65, 1, 3, 84, 162, 4, 1, 7, 7].into_iter().for_each(&mut put);
    let squeeze = |bytes: &[u8]| crate::pack::compression::compress(bytes, 3).unwrap();
    let whole = records(&squeeze(&bytes)).unwrap();
    assert_eq!(whole, [Record { kind: Kind::Lake, name: "A".to_owned(), level_m: Some(12.3), lines: vec![ring] }]);
    for cut in 0..bytes.len() {
        assert!(records(&squeeze(&bytes[..cut])).is_err(), "{cut}");
    }
    for _ in 0..2_000 {
        let mut other = bytes.clone();
        let at = rng.random_range(5..other.len());
        other[at] = rng.random();
        for record in records(&squeeze(&other)).into_iter().flatten() {
            // Of a step of nothing all is nowhere.
            let _ = Borders::new(record.lines.clone());
            let water = Water::new([Outline { body: Body::Land, rings: record.lines }]);
            let _ = water.at(n_vector(rng.random_range(-1.5..1.5), 0.2));
        }
    }
}
