//! Does anything pop or jitter on the mesh of the device? Points of the drawn surface are followed in f64 from picture to picture, as in
//! `mesh.rs` for the mesh on the CPU; what is downloaded are the vertices as they are drawn, f32 and relative to the eye.

use std::collections::HashMap;

use super::{
    motion::{SteppedMesh, down_and_up, measure_motion, standing},
    reliefs::ROUGH,
};
use glam::DVec3;
use gpu::{Gpu, GpuOptions, transfer};
use terrain::{GpuTerrain, Options, TerrainVertex, View, bisection::HeapId, cube::CubePoint};

struct Flight {
    gpu: Gpu,
    terrain: GpuTerrain,
}

impl Flight {
    fn new(slots: u32) -> Self {
        let gpu = Gpu::new(&GpuOptions::default().with_software(true)).expect("apt install mesa-vulkan-drivers");
        let options = Options::default().with_pool_slots(slots);
        let terrain = GpuTerrain::new(&gpu.device, ROUGH.clone(), options.with_tiles(128)).unwrap();
        Self { gpu, terrain }
    }

    /// One frame; true once nothing changes any more.
    fn update(&mut self, view: &View) -> bool {
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let report = self.terrain.update_complete(view, &self.gpu.queue, &mut encoder).unwrap();
        self.gpu.queue.submit([encoder.finish()]);
        self.gpu.wait().unwrap();
        report.settled
    }
}

impl SteppedMesh for Flight {
    fn step(&mut self, view: &View) {
        self.update(view);
    }

    fn settle(&mut self, view: &View) {
        assert!((0..400).any(|_| self.update(view)), "the view did not settle: {:?}", self.terrain.report());
        assert_eq!(self.terrain.report().starved, 0, "the pool is large enough");
    }

    fn places(&self, view: &View) -> HashMap<CubePoint, DVec3> {
        let heap: Vec<u32> = transfer::download(&self.gpu, &self.terrain.pool().buffers().heap).unwrap();
        let words: Vec<u32> = transfer::download(&self.gpu, self.terrain.vertices()).unwrap();
        let vertices: &[TerrainVertex] = bytemuck::cast_slice(&words);
        let live =
            heap.chunks(2).filter(|id| id != &[0, 0]).map(|id| HeapId(u64::from(id[1]) << 32 | u64::from(id[0])));
        // The right-angle corner comes first.
        let corners = live
            .zip(vertices.chunks(3))
            .flat_map(|(id, three)| id.triangle().0.into_iter().zip([2, 0, 1].map(|i| three[i])));
        corners
            .map(|(point, vertex)| (point, view.eye_m + DVec3::from_array(vertex.position_m.map(f64::from))))
            .collect()
    }
}

/// Law: nothing pops. Descending and climbing again by 1 % of the height a step, at a tolerated error of 1 px, with the mesh refining
/// and coarsening, the drawn surface moves nowhere by more than a tenth of a pixel.
#[test]
fn small_steps_move_vertices_little() {
    let motion = measure_motion(&mut Flight::new(1 << 14), down_and_up(80, 0.01), 0.1);
    println!("worst motion {:.3} px, {} vertices came, {} went", motion.worst_px, motion.fresh, motion.gone);
    assert!(motion.fresh >= 100 && motion.gone >= 100, "only {} fresh vertices, {} gone", motion.fresh, motion.gone);
}

/// Law: standing on the ground does not jitter. With the eye a metre up and steps of a centimetre, over a pole, 180 degrees, an edge and a
/// corner of the cube, and a mountain, the drawn surface moves nowhere by more than a tenth of a pixel.
#[test]
fn standing_on_the_ground_is_steady() {
    let mut flight = Flight::new(1 << 13);
    let mut worst_px = 0f64;
    for (lat, lon) in [(90.0, 0.0), (12.0, 180.0), (0.0, 45.0), (35.264_389_7, 45.0), (27.988, 86.925)] {
        worst_px = worst_px.max(measure_motion(&mut flight, standing(lat, lon, 6), 0.1).worst_px);
    }
    println!("worst motion {worst_px:.4} px");
}
