use elevation::{height::*, tile::*, cube::*, shading_tile::*, sample_spacing::*, geodesy::n_vector};
use std::time::Instant;
fn main() {
    let base = Relief::embedded().unwrap();
    let t = Instant::now();
    let syn = base.with_synthetic_detail();
    println!("open {:?}", t.elapsed());
    for (name, r) in [("base", &base), ("syn", &syn)] {
        let t = Instant::now();
        let c = CoarseErrors::build(r, 10);
        println!("{name} coarse {:?}", t.elapsed());
        let n = n_vector(46.5f64.to_radians(), 8f64.to_radians());
        let (face, s, tt) = face_of(n);
        let sp = SampleSpacing::of(r);
        for level in [3u8, 5, 7, 9, 10] {
            let side = (1u32 << level) as f64;
            let id = TileId { face, level: level.into(), i: ((s + 1.0) * 0.5 * side) as u32, j: ((tt + 1.0) * 0.5 * side) as u32 };
            let t = Instant::now();
            let tile = Tile::build(r, &c, id);
            let a = t.elapsed();
            let t = Instant::now();
            let sh = ShadingTile::build(r, &sp, id);
            println!("{name} {level} {:.0} m  tile {a:?} shading {:?} {:?} {:?}", posting_m(id.level), t.elapsed(), tile.range_m(), sh.range_m(0));
        }
    }
}
