//! What of the Earth is sea, for the texels of the shading map, and near which of them are shores or lakes, whose tiles know better?

use rayon::prelude::*;
use terrain::cube::{FACES, face_of, unwarp};
use terrain::height::ShadeCube;
use terrain::water::{LAND, SEA, Water};

/// What is at a texel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shores {
    /// Whether most of it is sea.
    pub sea: bool,
    /// Whether some shore or lake is so near that a filter may see it.
    pub near: bool,
}

/// For each texel of a map with `size` texels along the side of a face, face by face in the order of [`ShadeCube`].
pub(super) fn shores(water: &Water, size: usize) -> Vec<Shores> {
    /// Texels around a face that are looked at as well.
    const AROUND: usize = 1;
    let side = size + 2 * AROUND;
    let texel = 2.0 / size as f64;
    // Maps are gnomonic, outlines warped: columns stay columns.
    let place = |i: usize| (2 * i + 1) as f64 / size as f64 - 1.0;
    let column_of = |x: f64| (((x + 1.0) / texel) as usize).min(size - 1) + AROUND;
    let [forth, back]: [Vec<usize>; 2] =
        [1.0, -1.0].map(|way| (0..size).map(|i| column_of(way * unwarp(place(i)))).collect());
    let faces = (0..FACES).into_par_iter().map(|face| {
        let corner = [-1.0 - AROUND as f64 * texel; 2];
        let texels = water.texels(face, corner, texel, side);
        let near = |x: usize, y: usize| {
            let one = texels[(y - AROUND) * side + x - AROUND];
            let rows = y - AROUND..=y + AROUND;
            let is_one = |line: &[u8]| line.iter().all(|other| *other == one);
            (one != SEA && one != LAND)
                || !rows.into_iter().all(|row| is_one(&texels[row * side + x - AROUND..=row * side + x + AROUND]))
        };
        // Which of both coordinates of the face goes along a row of the map, and which way each goes.
        let of = |s: f64, t: f64| {
            let (_, x, y) = face_of(ShadeCube::direction(face as usize, s, t));
            [x, y]
        };
        let ([x_by_s, y_by_s], [x_by_t, y_by_t]) = (of(0.5, 0.0), of(0.0, 0.5));
        let along = |by: f64| if by > 0.0 { &forth } else { &back };
        let turned = x_by_s.abs() < y_by_s.abs();
        let [by_s, by_t] = if turned { [along(y_by_s), along(x_by_t)] } else { [along(x_by_s), along(y_by_t)] };
        let rows = by_t.iter().flat_map(|&t| by_s.iter().map(move |&s| if turned { [t, s] } else { [s, t] }));
        rows.map(|[x, y]| Shores { sea: texels[y * side + x] < (SEA + LAND) / 2, near: near(x, y) }).collect::<Vec<_>>()
    });
    faces.flatten().collect()
}

/// The same for texels twice as large.
pub(super) fn halved(fine: &[Shores], size: usize) -> Vec<Shores> {
    let half = size / 2;
    let four = |at: usize| [fine[at], fine[at + 1], fine[at + size], fine[at + size + 1]];
    let texel = |(face, y, x): (usize, usize, usize)| {
        let four = four((face * size + 2 * y) * size + 2 * x);
        Shores { sea: four[0].sea, near: four.iter().any(|one| one.near) }
    };
    let rows = (0..FACES as usize).flat_map(|face| (0..half).map(move |y| (face, y)));
    rows.flat_map(|(face, y)| (0..half).map(move |x| (face, y, x))).map(texel).collect()
}

#[cfg(test)]
mod tests {
    use terrain::geodesy::lat_lon;
    use terrain::water::Cover;

    use super::*;

    /// Law: a texel that is not near a shore is what the outlines say of its middle and of its corners, on every face and level.
    #[test]
    fn texels_away_from_shores_are_what_the_outlines_say() {
        let water = Water::earth();
        let (fine, size) = (shores(water, 256), 256);
        let coarse = halved(&fine, size);
        for (texels, size) in [(&fine, size), (&coarse, size / 2)] {
            let mut seen = [0; 3];
            for (at, texel) in texels.iter().enumerate().step_by(7) {
                seen[if texel.near { 2 } else { usize::from(texel.sea) }] += 1;
                let place = |i: usize, part: f64| 2.0 * (i as f64 + part) / size as f64 - 1.0;
                for (x, y) in [(0.5, 0.5), (0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
                    let (s, t) = (place(at % size, x), place(at / size % size, y));
                    let n = ShadeCube::direction(at / (size * size), s, t);
                    let cover = water.at(n);
                    let is = if texel.sea { cover == Cover::Sea } else { cover == Cover::Land };
                    assert!(texel.near || is, "{cover:?} at {:?}", lat_lon(n));
                }
            }
            assert!(seen.iter().all(|count| count * 20 > seen.iter().sum::<usize>()), "{seen:?}");
        }
    }
}
