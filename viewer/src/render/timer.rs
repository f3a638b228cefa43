//! How long does the GPU take for the parts of a frame? Timestamps that the device writes, read some frames later so that
//! no frame waits for them.

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};

use bevy_ecs::resource::Resource;
use gpu::{Gpu, Timestamps};

/// Most marks of a frame: begin and end of the scene, the end of its ground, begin and end of each [`AuxiliaryPass`].
const MARKS: u32 = 3 + 2 * AuxiliaryPass::COUNT as u32;
/// Frames whose times may be under way at once; further frames go untimed until one is back.
const BUFFERS: usize = 4;

/// Times of a frame on the device's clock, milliseconds; none where a part was not drawn or cannot be told apart.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GpuTimes {
    /// Ground and sky together.
    pub scene_ms: f64,
    /// The ground, or the G-buffer where it is shaded later; in one pass with the sky it needs a device that writes
    /// timestamps inside a pass.
    pub ground_ms: Option<f64>,
    /// The sky, and what ends the pass: samples resolved, pictures stored.
    pub sky_ms: Option<f64>,
    /// The shading of ground and sky after the ground's pass, and the copy into the picture where there is one.
    pub shading_ms: Option<f64>,
    /// The table of the air's light, which follows the eye.
    pub air_ms: Option<f64>,
    /// Labels on the ground.
    pub labels_ms: Option<f64>,
    /// The head-up display.
    pub hud_ms: Option<f64>,
}

impl GpuTimes {
    /// Names and milliseconds of what was drawn, in its order; `scene` holds ground and sky, or ground and shading.
    pub fn passes_ms(&self) -> Vec<(&'static str, f64)> {
        let passes = [
            ("air", self.air_ms),
            ("scene", Some(self.scene_ms)),
            ("ground", self.ground_ms),
            ("sky", self.sky_ms),
            ("shading", self.shading_ms),
            ("labels", self.labels_ms),
            ("display", self.hud_ms),
        ];
        passes.into_iter().filter_map(|(name, ms)| Some((name, ms?))).collect()
    }

    /// The same where no part is in another: the scene as a whole only where it cannot be told apart.
    pub fn parts_ms(&self) -> Vec<(&'static str, f64)> {
        let mut parts = self.passes_ms();
        parts.retain(|(name, _)| *name != "scene" || self.ground_ms.is_none());
        parts
    }
}

/// Timed passes other than that of the scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuxiliaryPass {
    /// The table of the air's light.
    Air,
    /// Labels on the ground.
    Labels,
    /// The head-up display.
    Display,
}

impl AuxiliaryPass {
    const COUNT: usize = 3;
}

/// Indices of the timestamps of a frame in the query set.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct TimestampSlots {
    used: u32,
    scene: Option<u32>,
    ground_end: Option<u32>,
    /// Whether what follows the ground shades it.
    in_two: bool,
    beside: [Option<u32>; AuxiliaryPass::COUNT],
}

/// Timestamps of deferred shading: the ground's pass into the G-buffer, and the shading pass.
pub(super) struct DeferredTimestamps {
    queries: wgpu::QuerySet,
    first: u32,
}

impl DeferredTimestamps {
    /// Of the pass of the ground.
    pub fn ground(&self) -> wgpu::RenderPassTimestampWrites<'_> {
        let (begin, end) = (Some(self.first), Some(self.first + 2));
        let query_set = &self.queries;
        wgpu::RenderPassTimestampWrites {
            query_set,
            beginning_of_pass_write_index: begin,
            end_of_pass_write_index: end,
        }
    }

    /// Of the pass that shades, where it is the last one.
    pub fn shading(&self) -> wgpu::ComputePassTimestampWrites<'_> {
        let end = Some(self.first + 1);
        let query_set = &self.queries;
        wgpu::ComputePassTimestampWrites {
            query_set,
            beginning_of_pass_write_index: None,
            end_of_pass_write_index: end,
        }
    }

    /// Of the copy after it.
    pub fn copy(&self) -> wgpu::RenderPassTimestampWrites<'_> {
        let end = Some(self.first + 1);
        let query_set = &self.queries;
        wgpu::RenderPassTimestampWrites { query_set, beginning_of_pass_write_index: None, end_of_pass_write_index: end }
    }
}

/// Times the first picture of each frame.
#[derive(Resource, Debug)]
pub struct FrameTimer {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    inside: bool,
    period_ns: f64,
    slots: TimestampSlots,
    free: Vec<wgpu::Buffer>,
    /// Copied by a submission, not yet asked for.
    copied: Option<(wgpu::Buffer, TimestampSlots)>,
    /// In the order of their frames; whether they could be mapped, once that is known.
    under_way: VecDeque<(wgpu::Buffer, TimestampSlots, Arc<OnceLock<bool>>)>,
}

impl FrameTimer {
    /// A timer; none where the device has no timestamps.
    pub fn new(gpu: &Gpu) -> Option<FrameTimer> {
        if gpu.caps.timestamps == Timestamps::None {
            return None;
        }
        let size = u64::from(MARKS * wgpu::QUERY_SIZE);
        let buffer = |usage| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("frame times"),
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        let staging = || buffer(wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST);
        Some(FrameTimer {
            queries: gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("frame times"),
                ty: wgpu::QueryType::Timestamp,
                count: MARKS,
            }),
            resolved: buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            inside: gpu.caps.timestamps == Timestamps::InsidePasses,
            period_ns: f64::from(gpu.queue.get_timestamp_period()),
            slots: TimestampSlots::default(),
            free: std::iter::repeat_with(staging).take(BUFFERS).collect(),
            copied: None,
            under_way: VecDeque::new(),
        })
    }

    /// Marks for the pass of the scene, and what marks the end of the ground inside it; none if this frame has them already.
    pub(super) fn scene(&mut self) -> (Option<wgpu::RenderPassTimestampWrites<'_>>, Option<(wgpu::QuerySet, u32)>) {
        if self.slots.scene.is_some() {
            return (None, None);
        }
        let first = self.allocate(2);
        self.slots.scene = Some(first);
        self.slots.ground_end = self.inside.then(|| self.allocate(1));
        let ground_end = self.slots.ground_end.map(|index| (self.queries.clone(), index));
        (Some(self.writes(first)), ground_end)
    }

    /// Marks for a scene of two passes; none if this frame has them already.
    pub(super) fn scene_in_two(&mut self) -> Option<DeferredTimestamps> {
        if self.slots.scene.is_some() {
            return None;
        }
        let first = self.allocate(3);
        (self.slots.scene, self.slots.ground_end, self.slots.in_two) = (Some(first), Some(first + 2), true);
        Some(DeferredTimestamps { queries: self.queries.clone(), first })
    }

    /// Marks for a pass beside the scene's; none if this frame has them already.
    pub fn auxiliary_pass(&mut self, pass: AuxiliaryPass) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
        let first = self.first_of(pass)?;
        Some(self.writes(first))
    }

    /// As [`auxiliary_pass`](Self::auxiliary_pass), for a compute pass.
    pub(super) fn auxiliary_compute_pass(
        &mut self,
        pass: AuxiliaryPass,
    ) -> Option<wgpu::ComputePassTimestampWrites<'_>> {
        let first = self.first_of(pass)?;
        Some(wgpu::ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(first),
            end_of_pass_write_index: Some(first + 1),
        })
    }

    fn first_of(&mut self, pass: AuxiliaryPass) -> Option<u32> {
        if self.slots.beside[pass as usize].is_some() {
            return None;
        }
        let first = self.allocate(2);
        self.slots.beside[pass as usize] = Some(first);
        Some(first)
    }

    fn allocate(&mut self, count: u32) -> u32 {
        self.slots.used += count;
        self.slots.used - count
    }

    fn writes(&self, first: u32) -> wgpu::RenderPassTimestampWrites<'_> {
        wgpu::RenderPassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(first),
            end_of_pass_write_index: Some(first + 1),
        }
    }

    /// Records that the marks of the frame become readable; after its last pass.
    pub(super) fn record(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let slots = std::mem::take(&mut self.slots);
        if slots.used == 0 {
            return;
        }
        let Some(staging) = self.free.pop() else { return };
        let bytes = u64::from(slots.used * wgpu::QUERY_SIZE);
        encoder.resolve_query_set(&self.queries, 0..slots.used, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &staging, 0, bytes);
        self.copied = Some((staging, slots));
    }

    /// Asks for the marks of the frame; after its submission.
    pub(super) fn submitted(&mut self) {
        if let Some((staging, slots)) = self.copied.take() {
            let mapped = Arc::new(OnceLock::new());
            let told = mapped.clone();
            staging.map_async(wgpu::MapMode::Read, .., move |result| {
                // It is told once, so it cannot have been told before.
                let _ = told.set(result.is_ok());
            });
            self.under_way.push_back((staging, slots, mapped));
        }
    }

    /// The times of the newest frame whose marks have come back since the last call. Never waits.
    pub fn newest(&mut self) -> Option<GpuTimes> {
        let mut newest = None;
        while let Some(&mapped) = self.under_way.front().and_then(|(_, _, mapped)| mapped.get()) {
            let Some((staging, slots, _)) = self.under_way.pop_front() else { break };
            // Not mapped: the device is lost, which is reported where the frame is submitted.
            if mapped {
                newest = self.times(&staging, &slots).or(newest);
                staging.unmap();
                self.free.push(staging);
            }
        }
        newest
    }

    fn times(&self, staging: &wgpu::Buffer, slots: &TimestampSlots) -> Option<GpuTimes> {
        let view = staging.get_mapped_range(..).ok()?;
        let ticks: Vec<u64> = bytemuck::pod_collect_to_vec(&view);
        drop(view);
        times(&ticks, slots, self.period_ns)
    }
}

/// What marks mean: `ticks` by index, `period_ns` nanoseconds each.
fn times(ticks: &[u64], slots: &TimestampSlots, period_ns: f64) -> Option<GpuTimes> {
    let ms = |from: u32, to: u32| {
        let (from, to) = (*ticks.get(from as usize)?, *ticks.get(to as usize)?);
        // Devices may write the two ends of an empty part in either order.
        Some(to.saturating_sub(from) as f64 * period_ns * 1e-6)
    };
    let scene = slots.scene?;
    let span = |pass: AuxiliaryPass| slots.beside[pass as usize].and_then(|first| ms(first, first + 1));
    Some(GpuTimes {
        scene_ms: ms(scene, scene + 1)?,
        ground_ms: slots.ground_end.and_then(|end| ms(scene, end)),
        sky_ms: slots.ground_end.filter(|_| !slots.in_two).and_then(|end| ms(end, scene + 1)),
        shading_ms: slots.ground_end.filter(|_| slots.in_two).and_then(|end| ms(end, scene + 1)),
        air_ms: span(AuxiliaryPass::Air),
        labels_ms: span(AuxiliaryPass::Labels),
        hud_ms: span(AuxiliaryPass::Display),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up_to_the_scene() {
        let beside = [None, None, Some(3)];
        let slots = TimestampSlots { used: 5, scene: Some(0), ground_end: Some(2), in_two: false, beside };
        let got = times(&[1_000, 9_000, 6_000, 20_000, 21_500], &slots, 2.0).expect("a scene");
        let close = |a: Option<f64>, b: f64| (a.expect("told apart") - b).abs() < 1e-12;
        assert!(close(got.ground_ms, 0.010) && close(got.sky_ms, 0.006) && close(got.hud_ms, 0.003), "{got:?}");
        assert!(close(Some(got.scene_ms), 0.016));
        assert_eq!(got.parts_ms().iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["ground", "sky", "display"]);
        let two = times(&[1_000, 9_000, 6_000, 0, 0], &TimestampSlots { in_two: true, ..slots }, 2.0).expect("a scene");
        assert!(close(two.ground_ms, 0.010) && close(two.shading_ms, 0.006) && two.sky_ms.is_none(), "{two:?}");
        assert_eq!(two.parts_ms().iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["ground", "shading", "display"]);
        let coarse = times(&[5, 7], &TimestampSlots { used: 2, scene: Some(0), ..TimestampSlots::default() }, 1e6)
            .expect("a scene");
        assert_eq!(coarse, GpuTimes { scene_ms: 2.0, ..GpuTimes::default() });
        assert_eq!(coarse.parts_ms(), [("scene", 2.0)]);
    }
}
