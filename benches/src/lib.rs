//! Benchmarks of Orogen: programs in `src/bin`, suites of criterion in `benches`, measured results in `results`.

pub mod plot;
