//! Laws of the shading cube: heights where they belong, true slopes, no seam and no pole.

use super::*;
use crate::{
    geodesy::{Ellipsoid, east_north_up, lat_lon, n_vector},
    height::{GlobalGrid, Registration},
};
use rand::{Rng, SeedableRng, rngs::StdRng};

const SIZE: usize = 256;

fn smooth() -> Arc<Relief> {
    smooth_on(Ellipsoid::WGS84)
}

fn smooth_on(ellipsoid: Ellipsoid) -> Arc<Relief> {
    let field = |lon: f64, lat: f64| {
        let n = n_vector(lat.to_radians(), lon.to_radians());
        40_000.0 * n.x * n.y * n.z + 3000.0 * n.y * n.y + 1000.0 * n.z + 700.0 * n.x
    };
    let grid = GlobalGrid::from_fn(1440, 721, Registration::Node, field);
    Arc::new(Relief::from_grid_on(ellipsoid, grid).expect("a sound grid"))
}

/// Layer, column and row of the texel that a sampler with direction `d` reads: the table of the Vulkan specification.
fn texel(d: DVec3, size: usize) -> (usize, usize, usize) {
    let a = d.abs();
    let (layer, sc, tc, ma) = if a.z >= a.x && a.z >= a.y {
        if d.z > 0.0 { (4, d.x, -d.y, a.z) } else { (5, -d.x, -d.y, a.z) }
    } else if a.y >= a.x {
        if d.y > 0.0 { (2, d.x, d.z, a.y) } else { (3, d.x, -d.z, a.y) }
    } else if d.x > 0.0 {
        (0, -d.z, -d.y, a.x)
    } else {
        (1, d.z, -d.y, a.x)
    };
    let at = |c: f64| (((c / ma + 1.0) * 0.5 * size as f64) as usize).min(size - 1);
    (layer, at(sc), at(tc))
}

/// All levels of all faces, put together of blocks.
fn faces(relief: &Arc<Relief>, size: usize) -> [Vec<Vec<ShadeTexel>>; LAYERS] {
    let cube = ShadeCube::new(relief.clone(), size as u32);
    let mut faces: [Vec<Vec<ShadeTexel>>; LAYERS] = Default::default();
    for face in &mut faces {
        *face = (0..cube.block_mips()).map(|mip| vec![[0; 4]; (cube.size(mip) as usize).pow(2)]).collect();
    }
    for block in ShadeBlock::all() {
        for (mip, texels) in cube.block(block).into_iter().enumerate() {
            let (n, side) = (cube.size(mip as u32) as usize, cube.block_texels(mip as u32) as usize);
            assert_eq!(texels.len(), side * side);
            for (row, texels) in texels.chunks_exact(side).enumerate() {
                let first = (block.row * side + row) * n + block.column * side;
                faces[block.layer][mip][first..first + side].copy_from_slice(texels);
            }
        }
    }
    for face in &mut faces {
        let coarser = cube.coarser(face.last().expect("a level"));
        face.extend(coarser);
    }
    faces
}

fn read(faces: &[Vec<Vec<ShadeTexel>>; LAYERS], size: usize, d: DVec3) -> (f64, [f64; 2]) {
    let (layer, i, j) = texel(d, size);
    let [height, a, b, rest] = faces[layer][0][j * size + i].map(|bits| f16::from_bits(bits).to_f64());
    assert_eq!(rest, 0.0);
    (height, [a, b])
}

/// Unit surface normal from the ellipsoid's normal and the encoded slopes: the meaning of the WGSL above.
fn surface_normal(n: DVec3, [a, b]: [f64; 2], exaggeration: f64) -> DVec3 {
    let r2 = (n.x * n.x + n.y * n.y).max(1e-8);
    let g = (a * DVec3::new(-n.y, n.x, 0.0) + b * DVec3::new(-n.z * n.x, -n.z * n.y, r2)) / r2;
    (n - exaggeration * g).normalize()
}

#[test]
fn each_texel_lies_where_a_sampler_looks_for_it() {
    for layer in 0..LAYERS {
        for (i, j) in [(0, 0), (3, 12), (15, 0), (8, 8), (15, 15)] {
            let at = |c: usize| (2 * c + 1) as f64 / 16.0 - 1.0;
            assert_eq!(texel(ShadeCube::direction(layer, at(i), at(j)), 16), (layer, i, j));
        }
    }
}

#[test]
fn heights_and_normals_are_those_of_the_surface() {
    let mut rng = StdRng::seed_from_u64(3);
    for ellipsoid in Ellipsoid::bodies() {
        heights_and_normals_are_those_of(ellipsoid, &mut rng);
    }
}

fn heights_and_normals_are_those_of(ellipsoid: Ellipsoid, rng: &mut StdRng) {
    let relief = smooth_on(ellipsoid);
    let cube = faces(&relief, SIZE);
    for _ in 0..5_000 {
        let n = DVec3::from_array(std::array::from_fn(|_| rng.random_range(-1.0..1.0))).normalize();
        let (layer, i, j) = texel(n, SIZE);
        let at = |c: usize| (2 * c + 1) as f64 / SIZE as f64 - 1.0;
        let centre = ShadeCube::direction(layer, at(i), at(j));
        let (h, ab) = read(&cube, SIZE, n);
        let expected = relief.sample(centre).height_m;
        assert!((h - expected).abs() <= expected.abs() / 1024.0 + 0.1, "{h} {expected}");
        // Slopes by differences of the relief along east and north, over curvature radii of the ellipsoid.
        let (east, north, up) = east_north_up(centre);
        let (lat, _) = lat_lon(centre);
        let flat = ellipsoid.eccentricity_squared();
        let w = (1.0 - flat * lat.sin().powi(2)).sqrt();
        let (prime_m, meridian_m) = (ellipsoid.semi_major_m() / w, ellipsoid.semi_major_m() * (1.0 - flat) / w.powi(3));
        let slope = |along: DVec3, radius_m: f64| {
            let step = 0.01;
            let h = |sign: f64| relief.sample((centre + sign * step * along).normalize()).height_m;
            (h(1.0) - h(-1.0)) / (2.0 * step * radius_m)
        };
        let exact = (up - slope(east, prime_m) * east - slope(north, meridian_m) * north).normalize();
        let got = surface_normal(centre, ab, 1.0);
        let steepness = (exact - up).length();
        assert!((got - exact).length() < 0.03 * steepness + 1e-4, "{lat} {got} {exact} of {steepness}");
    }
}

#[test]
fn slopes_are_smooth_through_the_poles() {
    // Constant slope towards +x at the pole: G = (g, 0, 0) there.
    let g = 1e-3;
    let field = |lon: f64, lat: f64| {
        let n = n_vector(lat.to_radians(), lon.to_radians());
        g * Ellipsoid::WGS84.semi_major_m() * n.x
    };
    let grid = GlobalGrid::from_fn(1440, 721, Registration::Node, field);
    let cube = faces(&Arc::new(Relief::from_grid(grid).expect("sound")), SIZE);
    let polar_radius_m = Ellipsoid::WGS84.semi_major_m() / (1.0 - Ellipsoid::WGS84.eccentricity_squared()).sqrt();
    for z in [1.0, -1.0] {
        for k in 0..64 {
            let angle = f64::from(k) * 0.1;
            // A few texels from the pole in every direction.
            let n = DVec3::new(0.03 * angle.cos(), 0.03 * angle.sin(), z).normalize();
            let (layer, i, j) = texel(n, SIZE);
            let at = |c: usize| (2 * c + 1) as f64 / SIZE as f64 - 1.0;
            let centre = ShadeCube::direction(layer, at(i), at(j));
            let (_, ab) = read(&cube, SIZE, n);
            let tilt = surface_normal(centre, ab, 1.0) - centre;
            let expected = -g * Ellipsoid::WGS84.semi_major_m() / polar_radius_m;
            assert!((tilt.x - expected).abs() < 0.02 * g && tilt.y.abs() < 0.02 * g, "{centre} {tilt}");
        }
    }
}

#[test]
fn mips_keep_the_mean() {
    let relief = smooth();
    let cube = ShadeCube::new(relief.clone(), 48);
    assert_eq!((cube.mip_count(), cube.size(0), cube.size(4), cube.size(5)), (6, 48, 3, 1));
    assert_eq!((cube.block_mips(), cube.block_texels(0), cube.block_texels(1)), (2, 6, 3));
    let mut means = [0.0; 6];
    for face in faces(&relief, 48) {
        assert_eq!(face.len(), 6);
        for (mip, texels) in face.iter().enumerate() {
            assert_eq!(texels.len(), (cube.size(mip as u32) as usize).pow(2));
            let sum = texels.iter().map(|[h, ..]| f16::from_bits(*h).to_f64()).sum::<f64>();
            means[mip] += sum / (LAYERS * texels.len()) as f64;
        }
    }
    for mip in 1..6 {
        assert!((means[mip] - means[0]).abs() < 0.5, "{} {}", means[mip], means[0]);
    }
}

#[test]
fn relief_finer_than_a_texel_is_averaged() {
    // A chequerboard of one grid step, 0 and 1000 m, seen through texels of many steps: its mean, not one of its fields.
    let grid = GlobalGrid {
        heights_m: (0..1440 * 720).map(|i| 1000.0 * ((i % 1440 + i / 1440) % 2) as f32).collect(),
        ..GlobalGrid::from_fn(1440, 720, Registration::Cell, |_, _| 0.0)
    };
    let cube = faces(&Arc::new(Relief::from_grid(grid).expect("sound")), 48);
    let mut rng = StdRng::seed_from_u64(8);
    for _ in 0..200 {
        let n = DVec3::from_array(std::array::from_fn(|_| rng.random_range(-1.0..1.0))).normalize();
        if n.z.abs() < 0.7 {
            let (h, _) = read(&cube, 48, n);
            assert!((h - 500.0).abs() < 200.0, "{n}: {h}");
        }
    }
}

/// Law: the nodes of a layer's patch lie in the directions of its texels, column for column, row for row.
#[test]
fn patches_lie_in_the_directions_of_their_texels() {
    let (s, t) = ([-1.01, -0.3, 0.4, 0.9], [-0.7, 0.2, 1.003]);
    for layer in 0..LAYERS {
        let (patch, transposed) = patch_of(layer, &s, &t);
        for node in 0..patch.len() {
            let (a, b) = (node % patch.columns(), node / patch.columns());
            let (column, row) = if transposed { (b, a) } else { (a, b) };
            assert_eq!(patch.normal(node), ShadeCube::direction(layer, s[column], t[row]), "layer {layer}");
        }
    }
}
