//! Do tiled kernels mean the same as the plain loops: what is read, counts on the device, totals?

use super::common::{Words, benches};
use super::copies::{Copy, floats, run, words};
use glam::{Vec2, Vec4};
use kernels::{Count, KernelError, kernel};

/// C = A B
#[kernel(workgroup(8, 8))]
fn product(rows: u32, columns: u32, depth: u32, a: &[f32], b: &[f32], c: &mut [f32]) {
    for row in 0..rows {
        for column in 0..columns {
            let first = row * depth;
            let mut sum = 0.0f32;
            #[tile]
            for k in 0..depth {
                sum += a[(first + k) as usize] * b[(k * columns + column) as usize];
            }
            c[(row * columns + column) as usize] = sum;
        }
    }
}

/// Each body's pull by all, read together.
#[kernel(workgroup(64))]
fn pulls(bodies: &[Vec4], sums: &mut [Vec2]) {
    for i in 0..bodies.len() as u32 {
        let here: Vec4 = bodies[i as usize];
        let mut pull = Vec2::ZERO;
        #[tile(64)]
        for j in 0..bodies.len() as u32 {
            let other: Vec4 = bodies[j as usize];
            let way = Vec2::new(other.x - here.x, other.y - here.y);
            pull += way * (other.w / (way.length_squared() + 0.01));
        }
        sums[i as usize] = pull;
    }
}

#[test]
fn tiles_read_what_the_loops_read() {
    for (rows, columns, depth) in [(1, 1, 1), (8, 8, 16), (9, 17, 33), (40, 24, 15)] {
        let a = Words::take(9, (rows * depth) as usize, |word| (word % 16) as f32);
        let b = Words::take(10, (depth * columns) as usize, |word| (word % 16) as f32);
        let mut expected = vec![0.0; (rows * columns) as usize];
        product(rows, columns, depth, &a, &b, &mut expected);
        let mut parallel = vec![0.0; expected.len()];
        product::par(rows, columns, depth, &a, &b, &mut parallel);
        assert_eq!(parallel, expected);
        for bench in benches() {
            let (on_a, on_b, c) =
                (Copy::of(bench, &a), Copy::of(bench, &b), Copy::of(bench, &vec![9.0; expected.len()]));
            run::<product>(bench, (rows, columns, depth, on_a.slice(), on_b.slice(), c.slice()));
            // Small integers: sums are exact.
            assert_eq!(c.read(bench), expected, "{}: {rows} x {columns} x {depth}", bench.name);
        }
    }
    let bodies: Vec<Vec4> = floats(11, 4 * 130).chunks_exact(4).map(Vec4::from_slice).collect();
    let mut expected = vec![Vec2::ZERO; bodies.len()];
    pulls(&bodies, &mut expected);
    for bench in benches() {
        let (on, out) = (Copy::of(bench, &bodies), Copy::of(bench, &vec![Vec2::ZERO; bodies.len()]));
        run::<pulls>(bench, (on.slice(), out.slice()));
        let near = |(a, b): (&Vec2, &Vec2)| (*a - *b).length() <= 1e-4 * (1.0 + b.length());
        assert!(out.read(bench).iter().zip(&expected).all(near), "{}", bench.name);
    }
}

/// How many of the words are smaller: a count on the device, and tiles.
#[kernel(workgroup(64))]
fn ranks(#[count] n: u32, words: &[u32], out: &mut [u32]) {
    for i in 0..n {
        let mine = words[i as usize];
        let mut smaller = 0u32;
        #[tile]
        for k in 0..n {
            smaller += (words[k as usize] < mine) as u32;
        }
        out[i as usize] = smaller;
    }
}

#[test]
fn tiles_of_a_count_on_the_device() {
    let words = words(16, 300);
    let before = vec![7; 300];
    for n in [0, 1, 63, 64, 65, 300] {
        let (mut expected, mut parallel) = (before.clone(), before.clone());
        ranks(n, &words, &mut expected);
        ranks::par(n, &words, &mut parallel);
        assert_eq!(parallel, expected);
        for bench in benches() {
            let (on, number) = (Copy::of(bench, &words), Copy::<u32>::of(bench, &[n]));
            for count in [Count::Fixed(n), Count::Gpu { buffer: &number.0, index: 0, capacity: 300 }] {
                let out = Copy::of(bench, &before);
                run::<ranks>(bench, (count, on.slice(), out.slice()));
                assert_eq!(out.read(bench), expected, "{} of {n}", bench.name);
            }
        }
    }
}

/// The sum of all elements of a product, and the largest.
#[kernel]
fn product_totals(rows: u32, columns: u32, depth: u32, a: &[u32], b: &[u32], sum: &mut u64, most: &mut u32) {
    *most = 0;
    for row in 0..rows {
        for column in 0..columns {
            let mut element = 0u32;
            #[tile(8)]
            for k in 0..depth {
                element += a[(row * depth + k) as usize] * b[(k * columns + column) as usize];
            }
            *sum += element as u64 * element as u64;
            *most = (*most).max(element);
        }
    }
}

#[test]
fn totals_of_tiles_are_those_of_the_loops_in_every_workgroup() {
    for (rows, columns, depth) in [(1, 1, 1), (0, 5, 3), (19, 70, 13), (130, 9, 16)] {
        let (a, b) = (words(17, (rows * depth + 1) as usize), words(18, (depth * columns + 1) as usize));
        let (a, b): (Vec<u32>, Vec<u32>) =
            (a.iter().map(|word| word & 0xfff).collect(), b.iter().map(|word| word & 0xfff).collect());
        let ((mut sum, mut most), (mut sum_par, mut most_par)) = ((5, 9), (5, 9));
        product_totals(rows, columns, depth, &a, &b, &mut sum, &mut most);
        product_totals::par(rows, columns, depth, &a, &b, &mut sum_par, &mut most_par);
        assert_eq!((sum_par, most_par), (sum, most));
        for bench in benches() {
            for workgroup in [[16, 16, 1], [8, 4, 1], [2, 32, 1], [1, 1, 1], [64, 2, 1]] {
                let (on_a, on_b) = (Copy::of(bench, &a), Copy::of(bench, &b));
                let (out, out_most) = (Copy::<u64>::of(bench, &[5]), Copy::<u32>::of(bench, &[9]));
                let plan = bench.kernels.plan_with::<product_totals>(workgroup).unwrap();
                assert_eq!(plan.workgroup(), workgroup);
                let arguments = (rows, columns, depth, on_a.slice(), on_b.slice(), out.slice(), out_most.slice());
                bench.run(&plan.bind(arguments).unwrap(), 1);
                let found = (out.read(bench)[0], out_most.read(bench)[0]);
                assert_eq!(found, (sum, most), "{}: {rows} x {columns} x {depth} by {workgroup:?}", bench.name);
            }
            let odd = bench.kernels.plan_with::<product_totals>([8, 3, 1]).unwrap_err();
            assert!(odd.to_string().contains("power of two"), "{odd}");
            let large = bench.kernels.plan_with::<product_totals>([u32::MAX; 3]).unwrap_err();
            assert!(matches!(large, KernelError::Workgroup { .. }), "{large}");
        }
    }
}
