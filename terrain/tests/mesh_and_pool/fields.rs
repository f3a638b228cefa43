//! Priorities for tests: functions of the heap id, from tame to adversarial.

use terrain::{bisection::HeapId, pool::Priority};

/// A priority that is a function of the heap id alone.
pub struct Field<F: Fn(HeapId) -> u8 + Sync>(pub F);

impl<F: Fn(HeapId) -> u8 + Sync> Priority for Field<F> {
    fn bucket(&self, _: u32, id: HeapId) -> u8 {
        self.0(id)
    }
    fn parent_bucket(&self, _: u32, id: HeapId) -> u8 {
        id.parent().map_or(0, &self.0)
    }
}

/// A hash of 64 bits.
pub fn mix(mut x: u64) -> u64 {
    x = (x ^ x >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    x = (x ^ x >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ x >> 33
}

/// Adversarial fields, one per `kind`: random every update, random but static, falling with depth, a moving point,
/// a checkerboard, all split, all split and all merged in turn, the same in long waves, alternating fields.
pub fn field(kind: u32, seed: u64, step: u64) -> impl Fn(HeapId) -> u8 + Sync {
    move |id| {
        let noise = |salt: u64| (mix(id.0 ^ mix(seed ^ salt)) % 40) as u8;
        let when = |on: bool, bucket: u8| if on { bucket } else { 0 };
        let depth = id.depth() as u8;
        match kind {
            0 => noise(step),
            1 => noise(0),
            2 => noise(0).saturating_sub(depth),
            3 => near_moving_point(id, step as f64 * 0.05 + (seed % 7) as f64),
            4 => when(mix(id.0).is_multiple_of(2), 30),
            5 => 200,
            6 => when(step.is_multiple_of(2), 90),
            7 => when((step / 12).is_multiple_of(2), 90),
            _ => noise(1 + mix(seed ^ (step / 5)) % 2),
        }
    }
}

/// Bucket of a bisector by its size and its distance to a point that moves over face +z.
fn near_moving_point(id: HeapId, t: f64) -> u8 {
    let middle = id.triangle().midpoint().0.map(|x| f64::from(x) / f64::from(1 << 30));
    let target = [0.5 + 0.5 * t.sin(), 0.5 + 0.5 * (1.3 * t).cos(), 1.0];
    let distance_squared: f64 = middle.iter().zip(target).map(|(a, b)| (a - b).powi(2)).sum();
    let size = 0.5f64.powf(f64::from(id.depth()) * 0.5);
    terrain::pool::bucket_of_ratio(1.6 * size / (0.02 + distance_squared).sqrt())
}
