//! Does run-length encoding give what a plain loop gives?

use super::common::{Bench, Counted, Words, benches, sizes};
use kernels::{RadixKey, RunLengthsOut, run_lengths};

fn oracle<K: RadixKey>(keys: &[K]) -> (Vec<K>, Vec<u32>) {
    let (mut values, mut lengths): (Vec<K>, Vec<u32>) = Default::default();
    for key in keys {
        match (values.last(), lengths.last_mut()) {
            (Some(last), Some(length)) if bytemuck::bytes_of(last) == bytemuck::bytes_of(key) => *length += 1,
            _ => {
                values.push(*key);
                lengths.push(1);
            }
        }
    }
    (values, lengths)
}

fn check<K: RadixKey>(bench: &Bench, keys: &[K]) {
    let plan = bench.kernels.run_lengths::<K>().unwrap();
    let n = keys.len() as u32;
    for (index, counted) in Counted::all(bench, n).into_iter().enumerate() {
        let taken = &keys[..counted.items()];
        let (values, lengths) = oracle(taken);
        assert!(run_lengths(taken).1 == lengths && bytes(&run_lengths(taken).0) == bytes(&values));
        // Once with too little room.
        let room = if index == 0 { values.len() / 2 } else { values.len() + 3 };
        let input = bench.guarded(keys);
        let (values_out, lengths_out, runs) = (bench.room::<K>(room), bench.room::<u32>(room), bench.room::<u32>(1));
        let scratch = bench.dirty_scratch(plan.scratch(n));
        let out = RunLengthsOut { values: values_out.slice(), lengths: lengths_out.slice(), runs: runs.slice() };
        bench.run(&plan.bind(input.slice(), out, counted.count(), &scratch).unwrap(), 2);
        let case = format!("{}: {} of {n} {}", bench.name, taken.len(), K::TYPE);
        assert_eq!(bench.read(&runs), [values.len() as u32], "{case}");
        let written = room.min(values.len());
        let (found_values, found_lengths) = (bench.read(&values_out), bench.read(&lengths_out));
        assert!(bytes(&found_values[..written]) == bytes(&values[..written]), "{case}");
        assert!(found_lengths[..written] == lengths[..written], "{case}");
        assert!(bytes(&found_lengths[written..]).iter().all(|byte| *byte == 0xA5), "{case}");
    }
}

fn bytes<T: bytemuck::Pod>(items: &[T]) -> &[u8] {
    bytemuck::cast_slice(items)
}

#[test]
fn runs_of_every_length_and_kind() {
    for (turn, bench) in benches().iter().enumerate() {
        for n in sizes(4096).into_iter().filter(|n| *n < 20_000 && *n as usize % 2 == turn % 2 || *n < 3) {
            check(bench, &Words::take(u64::from(n), n as usize, |word| word % 3));
        }
        check(bench, &vec![5u32; 9000]);
        check(bench, &(0..9000u32).collect::<Vec<_>>());
        check(bench, &Words::take(2, 9000, |word| [0.0f32, -0.0, f32::NAN, 1.5][(word % 4) as usize]));
        check(bench, &Words::take(3, 9000, |word| u64::from(word % 2) << 40));
    }
}
