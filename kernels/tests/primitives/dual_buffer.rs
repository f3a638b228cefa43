//! Does an array on both sides hold what a plain one does, and does it copy no more than it must?

use super::common::benches;
use kernels::{DualBuffer, DualBufferError, DualBufferList, Engine, List, Traffic, kernel};
use proptest::prelude::*;

/// Turns some words into others.
#[kernel]
fn turn(add: u32, words: &mut [u32]) {
    for i in 0..words.len() as u32 {
        words[i as usize] = words[i as usize].wrapping_mul(5).wrapping_add(add ^ i);
    }
}

/// Numbers of odd words.
#[kernel]
fn odd(words: &[u32], found: &mut List<u32>) {
    for i in 0..words.len() as u32 {
        if words[i as usize] & 1 == 1 {
            found.push(i);
        }
    }
}

#[derive(Clone, Debug)]
enum Step {
    /// Writes on the host: first, number, value.
    Host(usize, usize, u32),
    /// Turns all words by an engine.
    Turn(bool, u32),
    ToDevice,
    ToHost,
}

const LEN: usize = 60;

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (0..LEN, 0..20usize, any::<u32>()).prop_map(|(first, n, value)| Step::Host(first, n, value)),
        (any::<bool>(), any::<u32>()).prop_map(|(on_device, add)| Step::Turn(on_device, add)),
        Just(Step::ToDevice),
        Just(Step::ToHost),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn a_mirror_is_a_plain_array(steps in prop::collection::vec(step(), 1..25)) {
        let bench = &benches()[0];
        let device = Engine::with_kernels(&bench.gpu, bench.kernels.clone());
        let mut plain = vec![1u32; LEN];
        let mut mirror = DualBuffer::new(&bench.gpu, "words", plain.clone());
        // Which elements are newer where, element by element.
        let (mut host_newer, mut device_newer) = ([true; LEN], [false; LEN]);
        let mut traffic = Traffic::default();
        let count = |newer: &[bool; LEN]| newer.iter().filter(|newer| **newer).count() as u64 * 4;
        for step in steps {
            match step {
                Step::Host(first, n, value) => {
                    let end = first + n;
                    match mirror.host_mut(first..end) {
                        Err(DualBufferError::OutOfRange { len: LEN, .. }) => prop_assert!(end > LEN),
                        Err(DualBufferError::HostIsStale { first: at, .. }) => {
                            prop_assert_eq!((first..end).find(|i| device_newer[*i]), Some(at));
                        }
                        Err(error) => panic!("{error}"),
                        Ok(words) => {
                            prop_assert!(!device_newer[first..end].contains(&true));
                            words.fill(value);
                            plain[first..end].fill(value);
                            host_newer[first..end].fill(true);
                        }
                    }
                }
                Step::Turn(on_device, add) => {
                    let engine = if on_device { &device } else { &Engine::AllCores };
                    let newer_elsewhere = if on_device { &host_newer } else { &device_newer };
                    let stale = newer_elsewhere.contains(&true);
                    let result = engine.run::<turn>((add, &mut mirror));
                    prop_assert_eq!(result.is_err(), stale, "{:?}", result);
                    if !stale {
                        turn(add, &mut plain);
                        if on_device { device_newer = [true; LEN] } else { host_newer = [true; LEN] }
                    }
                }
                Step::ToDevice => {
                    let bytes = count(&host_newer);
                    prop_assert_eq!(mirror.to_device().unwrap(), bytes);
                    (host_newer, traffic.up) = ([false; LEN], traffic.up + bytes);
                }
                Step::ToHost => {
                    let bytes = count(&device_newer);
                    prop_assert_eq!(mirror.to_host().unwrap(), bytes);
                    (device_newer, traffic.down) = ([false; LEN], traffic.down + bytes);
                }
            }
            prop_assert_eq!(mirror.traffic(), traffic);
        }
        mirror.to_host().unwrap();
        prop_assert_eq!(mirror.host().unwrap(), &plain);
        mirror.to_device().unwrap();
        let on_device: Vec<u32> = gpu::transfer::download(&bench.gpu, mirror.device().unwrap().buffer).unwrap();
        prop_assert_eq!(on_device, plain);
    }
}

#[test]
fn a_list_crosses_as_far_as_it_is_filled() {
    let bench = &benches()[0];
    let device = Engine::with_kernels(&bench.gpu, bench.kernels.clone());
    let words = DualBuffer::new(&bench.gpu, "words", (0..100).collect());
    words.to_device().unwrap();
    let mut found = DualBufferList::with_capacity(&bench.gpu, "odd", 120);
    Engine::OneCore.run::<odd>((&words, &mut found)).unwrap();
    let stale = device.run::<odd>((&words, &mut found)).unwrap_err().to_string();
    assert_eq!(stale, "elements 0 to 50 of `odd` are newer on the host: call `to_device` first");
    assert_eq!(found.to_device().unwrap(), 50 * 4 + 8);
    device.run::<odd>((&words, &mut found)).unwrap();
    assert!(found.host().unwrap_err().to_string().contains("call `to_host` first"));
    assert_eq!(found.to_host().unwrap(), 100 * 4 + 8);
    let mut all = found.host().unwrap().items().to_vec();
    all.sort_unstable();
    assert!(all.iter().enumerate().all(|(i, item)| *item == 2 * (i as u32 / 2) + 1));
    Engine::AllCores.run::<odd>((&words, &mut found)).unwrap();
    let list: &List<u32> = found.host().unwrap();
    assert_eq!((list.items().len(), list.pushed(), list.overflowed()), (120, 150, true));
    assert_eq!(found.traffic(), Traffic { up: 208, down: 408 });
}
