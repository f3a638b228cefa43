//! Benchmarks of Orogen.
