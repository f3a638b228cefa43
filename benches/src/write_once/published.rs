//! What did the papers measure? Frolov, Sanzharov & Galaktionov, GraphiCon 2021, tables 1 and 2 (i9-10940X, RTX 2080); NUDA
//! 2011, tables 1 and 3 (OpenCL, Tesla C2050).

/// A task of Frolov et al.
pub struct Translated {
    pub task: &'static str,
    /// One core, 14 cores; their portable variant, with the warp size known, with subgroups; milliseconds.
    pub times_ms: [Option<f64>; 5],
    /// Lines of C++, and of what is generated in shaders.
    pub lines: [u32; 2],
}

pub const FROLOV: [Translated; 4] = [
    Translated {
        task: "int sum",
        times_ms: [Some(1.263), Some(0.271), Some(0.095), Some(0.089), Some(0.084)],
        lines: [80, 195],
    },
    Translated {
        task: "float sum",
        times_ms: [Some(1.42), Some(0.342), Some(0.104), Some(0.096), Some(0.096)],
        lines: [80, 285],
    },
    Translated {
        task: "harmonics",
        times_ms: [Some(39.73), Some(2.931), Some(0.399), Some(0.364), Some(0.320)],
        lines: [120, 445],
    },
    Translated {
        task: "n-body",
        times_ms: [Some(250_400.0), Some(11_920.0), Some(118.0), None, None],
        lines: [115, 140],
    },
];

/// A task of NUDA.
pub struct Annotated {
    pub task: &'static str,
    /// Without and with annotations, Gflop/s on a Tesla C2050 (1030 Gflop/s).
    pub gflops: [f64; 2],
    /// Lines of source.
    pub lines: u32,
}

pub const NUDA: [Annotated; 3] = [
    Annotated { task: "n-body", gflops: [328.0, 419.0], lines: 27 },
    Annotated { task: "convolution", gflops: [97.0, 187.0], lines: 9 },
    Annotated { task: "matrix product", gflops: [77.0, 445.0], lines: 10 },
];
