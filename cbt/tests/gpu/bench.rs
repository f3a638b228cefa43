//! On which devices are trees tested, and how is one compared with the CPU's?

use std::sync::OnceLock;

use cbt::gpu::{Dispatches, GpuTree, Layout, TreePasses};
use cbt::{Classic, Compact, Node, Tree};
use gpu::pipeline::ComputeKernel;
use gpu::transfer;
use gpu::{Gpu, GpuOptions};
use kernels::Variant;

use crate::common::{Naive, Random};

/// A device and the passes of one layout and variant on it.
pub struct Bench {
    pub name: String,
    pub gpu: Gpu,
    pub passes: TreePasses,
}

/// The software device (or the one of `WGPU_ADAPTER_NAME`) with and without subgroups, each variant that it can run, both layouts.
pub fn benches() -> &'static [Bench] {
    static BENCHES: OnceLock<Vec<Bench>> = OnceLock::new();
    BENCHES.get_or_init(|| {
        let mut benches = Vec::new();
        for disable_subgroups in [false, true] {
            let software = std::env::var_os("WGPU_ADAPTER_NAME").is_none();
            let options = GpuOptions::from_env().with_software(software).with_disable_subgroups(disable_subgroups);
            let gpu = Gpu::new(&options).expect("a software adapter is needed: apt install mesa-vulkan-drivers");
            let both: &[Variant] = &[Variant::Subgroup, Variant::Portable];
            for &variant in if gpu.caps.subgroups.is_some() { both } else { &[Variant::Auto] } {
                for layout in [Layout::Classic, Layout::Compact] {
                    let passes = TreePasses::new(&gpu.device, layout, variant).unwrap();
                    let name = format!("{}, {variant}, subgroups {:?}", layout.name(), gpu.caps.subgroups);
                    benches.push(Bench { name, gpu: gpu.clone(), passes });
                }
            }
        }
        benches
    })
}

impl Bench {
    pub fn submit<R>(&self, record: impl FnOnce(&mut wgpu::CommandEncoder) -> R) -> R {
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let result = record(&mut encoder);
        self.gpu.queue.submit([encoder.finish()]);
        self.gpu.wait().unwrap_or_else(|error| panic!("{}: {error}", self.name));
        result
    }

    pub fn run(&self, dispatches: &[&Dispatches]) {
        self.submit(|encoder| {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            dispatches.iter().for_each(|dispatches| dispatches.encode(&mut pass));
        });
    }

    pub fn upload<T: Tree>(&self, tree: &T) -> GpuTree {
        self.passes.upload(tree).unwrap()
    }

    pub fn download<T: Tree>(&self, tree: &GpuTree) -> T {
        self.submit(|encoder| tree.download(encoder)).read(&self.gpu).unwrap()
    }

    /// What a shader that has the tree in group 1 writes into `answers`, so many words.
    pub fn ask(&self, kernel: &ComputeKernel, tree: &GpuTree, words: u32, workgroups: u32) -> Vec<u32> {
        let answers = transfer::storage::<u32>(&self.gpu.device, "answers", words);
        let own = kernel.bind_group(&self.gpu.device, 0, &[("answers", answers.as_entire_binding())]).unwrap();
        let group = tree.bind_group(kernel.layouts()).unwrap();
        self.submit(|encoder| {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(kernel.pipeline());
            pass.set_bind_group(0, &own, &[]);
            pass.set_bind_group(1, &group, &[]);
            pass.dispatch_workgroups(workgroups, 1, 1);
        });
        transfer::download(&self.gpu, &answers).unwrap()
    }

    /// Every bit and every sum on the device must be those of a tree with the bits of `expected`.
    pub fn check(&self, tree: &GpuTree, expected: &Compact, what: &str) {
        let words: Vec<u64> = expected.words().collect();
        let depth = expected.depth();
        let context = format!("{}, depth {depth}: {what}", self.name);
        match self.passes.layout() {
            Layout::Classic => {
                let heap: Vec<u32> = transfer::download(&self.gpu, &tree.buffers()[0]).unwrap();
                let heap: &[u8] = bytemuck::cast_slice(&heap);
                let expected = Classic::from_words(depth, &words).unwrap().save();
                let wrong = heap.iter().zip(&expected).position(|(a, b)| a != b);
                assert_eq!(wrong, None, "byte of the heap: {context}");
            }
            Layout::Compact => {
                let sums: Vec<u32> = transfer::download(&self.gpu, &tree.buffers()[0]).unwrap();
                let bits: Vec<u64> = transfer::download(&self.gpu, &tree.buffers()[1]).unwrap();
                assert!(bits[..words.len()] == words, "bits: {context}");
                assert_eq!(sums[0], depth, "{context}");
                for node in 1..2_u64 << depth.saturating_sub(9) {
                    let count = expected.count(Node::new(node).unwrap()).unwrap();
                    assert_eq!(u64::from(sums[node as usize]), count, "sum of {node}: {context}");
                }
            }
        }
    }

    /// Overwrites the sums, so that a reduction must make them all.
    pub fn spoil_sums(&self, tree: &GpuTree) {
        let buffer = &tree.buffers()[0];
        let bytes = match self.passes.layout() {
            Layout::Classic if tree.depth() < 5 => return,
            Layout::Classic => (3_u64 << tree.depth()) / 8,
            Layout::Compact => buffer.size(),
        };
        self.gpu.queue.write_buffer(buffer, 0, &vec![0xa5; bytes as usize]);
    }
}

/// A random tree and its leaves.
pub fn random_tree(depth: u32, seed: u64, fill: f64) -> (Compact, Vec<u32>) {
    let naive = Naive::random(depth, fill, &mut Random(seed));
    let leaves = naive.leaves().iter().map(|leaf| leaf.index() as u32).collect();
    (naive.build(depth), leaves)
}
