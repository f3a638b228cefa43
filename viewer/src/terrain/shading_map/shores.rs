//! What of the Earth is sea, for the texels of the shading map, and near which of them are shores or lakes, whose tiles know better?

use terrain::cube::{face_of, unwarp};
use terrain::height::ShadeCube;
use terrain::water::{LAND, SEA, Water};

/// What is at a texel of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaterClass {
    /// Land alone, and around it.
    Land,
    /// Land, with a lake so near that a filter may see it.
    NearLake,
    /// A shore of the sea, or so near to one.
    NearSea,
    /// Sea alone, and around it.
    Sea,
}

/// For each texel of a face of a map with `size` texels along its side, in the order of [`ShadeCube`].
pub fn shores(water: &Water, layer: usize, size: usize) -> Vec<WaterClass> {
    /// Texels around a face that are looked at as well.
    const AROUND: usize = 1;
    let side = size + 2 * AROUND;
    let texel = 2.0 / size as f64;
    // Maps are gnomonic, outlines warped: columns stay columns.
    let place = |i: usize| (2 * i + 1) as f64 / size as f64 - 1.0;
    let column_of = |x: f64| (((x + 1.0) / texel) as usize).min(size - 1);
    let [forth, back]: [Vec<usize>; 2] =
        [1.0, -1.0].map(|way| (0..size).map(|i| column_of(way * unwarp(place(i)))).collect());
    let corner = [-1.0 - AROUND as f64 * texel; 2];
    let marks = marks(&water.texels(layer as u32, corner, texel, side), side);
    // Which of both coordinates of the face goes along a row of the map, and which way each goes.
    let of = |s: f64, t: f64| {
        let (_, x, y) = face_of(ShadeCube::direction(layer, s, t));
        [x, y]
    };
    let ([x_by_s, y_by_s], [x_by_t, y_by_t]) = (of(0.5, 0.0), of(0.0, 0.5));
    let along = |by: f64| if by > 0.0 { &forth } else { &back };
    let turned = x_by_s.abs() < y_by_s.abs();
    let [by_s, by_t] = if turned { [along(y_by_s), along(x_by_t)] } else { [along(x_by_s), along(y_by_t)] };
    let rows = by_t.iter().flat_map(|&t| by_s.iter().map(move |&s| if turned { [t, s] } else { [s, t] }));
    rows.map(|[x, y]| marks[y * size + x]).collect()
}

/// What is at each texel of a square, but for those of its rim: by what there is in it and in the eight around it.
fn marks(texels: &[u8], side: usize) -> Vec<WaterClass> {
    /// What a texel is, as bits: of several texels, all that there is in them.
    const ALL_SEA: u8 = 1;
    const SOME_SEA: u8 = 2;
    const ALL_LAND: u8 = 4;
    const SOME_LAKE: u8 = 8;
    let of = |texel: &u8| match *texel {
        SEA => ALL_SEA,
        LAND => ALL_LAND,
        texel if texel > LAND => SOME_LAKE,
        _ => SOME_SEA,
    };
    let texels: Vec<u8> = texels.iter().map(of).collect();
    let mut marks = Vec::with_capacity((side - 2) * (side - 2));
    let mut columns = vec![0; side];
    for y in 0..side - 2 {
        let row = |r: usize| &texels[(y + r) * side..][..side];
        for (column, ((a, b), c)) in columns.iter_mut().zip(row(0).iter().zip(row(1)).zip(row(2))) {
            *column = *a | *b | *c;
        }
        marks.extend(columns.windows(3).map(|three| match three[0] | three[1] | three[2] {
            ALL_LAND => WaterClass::Land,
            ALL_SEA => WaterClass::Sea,
            found if found & (ALL_SEA | SOME_SEA) == 0 => WaterClass::NearLake,
            _ => WaterClass::NearSea,
        }));
    }
    marks
}

/// The same for texels of a square that are twice as large.
pub fn halved(fine: &[WaterClass], side: usize) -> Vec<WaterClass> {
    let half = side / 2;
    let texel = |(y, x): (usize, usize)| {
        let at = 2 * (y * side + x);
        let four = [fine[at], fine[at + 1], fine[at + side], fine[at + side + 1]];
        let all = |is: fn(WaterClass) -> bool| four.into_iter().all(is);
        match four[0] {
            WaterClass::Land if all(|mark| mark == WaterClass::Land) => WaterClass::Land,
            WaterClass::Sea if all(|mark| mark == WaterClass::Sea) => WaterClass::Sea,
            _ if all(|mark| matches!(mark, WaterClass::Land | WaterClass::NearLake)) => WaterClass::NearLake,
            _ => WaterClass::NearSea,
        }
    };
    (0..half).flat_map(|y| (0..half).map(move |x| (y, x))).map(texel).collect()
}

#[cfg(test)]
mod tests {
    use terrain::geodesy::lat_lon;
    use terrain::water::Cover;

    use super::*;

    /// Law: a texel that is not near a shore is what the outlines say of its middle and of its corners, on every face and level. Texels are so
    /// small that no lake is less than a thousandth of one, which would not be told.
    #[test]
    fn texels_away_from_shores_are_what_the_outlines_say() {
        let water = Water::earth();
        let size = 1023;
        let faces: Vec<Vec<WaterClass>> = (0..6).map(|layer| shores(water, layer, size)).collect();
        let coarse = faces.iter().flat_map(|face| halved(face, size)).collect();
        let fine = faces.concat();
        for (texels, size) in [(&fine, size), (&coarse, size / 2)] {
            let mut seen = [0; 4];
            for (at, mark) in texels.iter().enumerate().step_by(53) {
                seen[*mark as usize] += 1;
                let place = |i: usize, part: f64| 2.0 * (i as f64 + part) / size as f64 - 1.0;
                for (x, y) in [(0.5, 0.5), (0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
                    let (s, t) = (place(at % size, x), place(at / size % size, y));
                    let n = ShadeCube::direction(at / (size * size), s, t);
                    let cover = water.at(n);
                    let is_told = match mark {
                        WaterClass::Land => cover == Cover::Land,
                        WaterClass::NearLake => cover != Cover::Sea,
                        WaterClass::NearSea => true,
                        WaterClass::Sea => cover == Cover::Sea,
                    };
                    assert!(is_told, "{cover:?} at {:?}, {mark:?}", lat_lon(n));
                }
            }
            assert!(seen.iter().all(|count| count * 100 > seen.iter().sum::<usize>()), "{seen:?}");
        }
    }
}
