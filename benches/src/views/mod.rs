//! Which pictures are measured? Random cameras, and the pixels of a view in f64.

pub mod cameras;
pub mod sampled_view;
