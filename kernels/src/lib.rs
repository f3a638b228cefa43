//! Parallel primitives with one meaning on the CPU (rayon) and the GPU (WGSL).
