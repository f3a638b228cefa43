//! Laws of the shading map: all is there that an eye may see, and it is the same whichever eye came first.

use gpu::{Gpu, GpuOptions, transfer};
use rand::{Rng, SeedableRng, rngs::StdRng};
use terrain::geodesy::Ellipsoid;

use super::*;
use crate::terrain::hills;

fn map(gpu: &Gpu) -> ShadingMap {
    ShadingMap::new(&gpu.device, hills(), Water::earth().clone(), 1.0)
}

/// Texels of the finest level, face by face.
fn texels(gpu: &Gpu, map: &ShadingMap) -> Vec<ShadeTexel> {
    transfer::download_texture(gpu, &map.texture).expect("a device")
}

/// A direction anywhere.
fn direction(rng: &mut StdRng) -> DVec3 {
    loop {
        let n = DVec3::from_array(std::array::from_fn(|_| rng.random_range(-1.0..1.0)));
        if (0.01..1.0).contains(&n.length()) {
            return n.normalize();
        }
    }
}

/// Whether a direction lies in a block.
fn holds(block: ShadeBlock, n: DVec3) -> bool {
    let [middle, right, below] =
        [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)].map(|(s, t)| ShadeCube::direction(block.layer, s, t));
    let along = n.dot(middle);
    // From the middle of a face to that of its side it is one radius.
    let place = |side: DVec3| (side / side.dot(middle) - middle).dot(n) / along;
    let between = |at: f64, block: usize| {
        let blocks = ShadeCube::BLOCKS as f64;
        (block as f64..=block as f64 + 1.0).contains(&(0.5 * (at + 1.0) * blocks))
    };
    along > 0.0 && between(place(right), block.column) && between(place(below), block.row)
}

/// Law: ground that an eye may see over the highest ground between lies in a block that is made for it; few others are from nearby.
#[test]
fn blocks_of_all_that_is_seen_are_made() {
    let gpu = Gpu::new(&GpuOptions::default()).expect("a device");
    let map = map(&gpu);
    let mut rng = StdRng::from_rng(&mut rand::rng());
    for _ in 0..2_000 {
        let (up, height_m) = (direction(&mut rng), 10f64.powf(rng.random_range(0.3..7.6)));
        let seen = map.seen_from(Ellipsoid::WGS84.ecef(up, height_m));
        let to_horizon =
            |height_m: f64| (Ellipsoid::WGS84.semi_major_m() / (Ellipsoid::WGS84.semi_major_m() + height_m)).acos();
        let farthest = to_horizon(height_m) + to_horizon(HIGHEST_M);
        let across = up.cross(direction(&mut rng)).normalize();
        let angle = farthest * rng.random_range(0.0..1.0);
        let ground = up * angle.cos() + across * angle.sin();
        let block = ShadeBlock::all().find(|block| holds(*block, ground)).expect("blocks cover the Earth");
        assert!(seen.overlaps(block), "{block:?} from {height_m} m above {up}");
        let made = ShadeBlock::all().filter(|block| seen.overlaps(*block)).count();
        assert!(height_m > 10_000.0 || made < 40, "{made} blocks from {height_m} m");
    }
}

/// Law: what was made for one eye after the other, or behind frames, is what is made for all at once.
#[test]
fn order_decides_nothing() {
    let gpu = Gpu::new(&GpuOptions::default()).expect("a device");
    let mut rng = StdRng::from_rng(&mut rand::rng());
    let far_m = 1e9 * direction(&mut rng);
    let mut whole = map(&gpu);
    whole.build_all(&gpu.queue, far_m);
    whole.build_all(&gpu.queue, -far_m);
    assert!(whole.missing.is_empty() && whole.is_complete());
    let expected = texels(&gpu, &whole);
    assert!(expected.iter().all(|texel| texel[0] != 0 || texel[3] != 0 || texel[1] != 0), "no texel was left out");
    // Frame by frame, from an eye that is low.
    let mut frames = map(&gpu);
    let low_m = Ellipsoid::WGS84.ecef(direction(&mut rng), 500.0);
    frames.update(&gpu.queue, low_m, Pace::Frame);
    assert!(frames.is_complete() && frames.missing.len() > 300, "only what is near is waited for");
    while !frames.missing.is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(1));
        frames.update(&gpu.queue, far_m, Pace::Frame);
    }
    assert!(frames.is_complete() && frames.worker.is_none());
    assert!(texels(&gpu, &frames) == expected);
    assert_eq!(frames.last.len(), whole.last.len());
    assert!(frames.last == whole.last, "coarse levels follow from the same texels");
}

/// Law: blocks with fine data are made when an eye comes near, and not before; all others are made behind the frames.
#[cfg(feature = "gdal")]
#[test]
fn fine_data_wait_for_an_eye() {
    let gpu = Gpu::new(&GpuOptions::default()).expect("a device");
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/jacksboro.tif");
    let relief = Arc::new(Relief::open(&[file], &terrain::height::OpenOptions::default()).expect("the raster"));
    let new = || ShadingMap::new(&gpu.device, relief.clone(), Water::earth().clone(), 1.0);
    let over = |lat_deg: f64, lon_deg: f64| {
        Ellipsoid::WGS84.ecef(terrain::geodesy::n_vector(lat_deg.to_radians(), lon_deg.to_radians()), 2_000.0)
    };
    let mut map = new();
    let fly_until = |map: &mut ShadingMap, eye_m: DVec3, is_over: fn(&ShadingMap) -> bool| {
        for _ in 0..60_000 {
            map.update(&gpu.queue, eye_m, Pace::Frame);
            if is_over(map) {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        panic!("{} blocks are missing", map.missing.len());
    };
    fly_until(&mut map, over(-30.0, 100.0), |map| map.worker.is_none());
    assert!((1..=4).contains(&map.missing.len()) && map.is_complete(), "{:?}", map.missing);
    map.update(&gpu.queue, over(-30.0, 101.0), Pace::Frame);
    assert!(map.worker.is_none() && map.builder.is_some(), "there is nothing to do");
    fly_until(&mut map, over(36.0, -84.0), |map| map.missing.is_empty());
    assert!(map.is_complete() && map.builder.is_none());
    let mut whole = new();
    whole.build_all(&gpu.queue, over(36.0, -84.0) * 100.0);
    whole.build_all(&gpu.queue, over(36.0, -84.0) * -100.0);
    assert!(texels(&gpu, &map) == texels(&gpu, &whole));
}
