//! How do the costs of a tree grow with its depth? The figures of Grachev & Ushakov 2023 measured again on this machine: decoding
//! the bitfield alone (Fig. 6), the sum reduction, decoding all leaves (Fig. 11), one cycle of use (Fig. 12), by layout, number
//! of threads and fill, beside a straightforward port of the published algorithm and the published values.

pub mod cpu;
pub mod gpu;
pub mod options;
pub mod plot;
pub mod published;
pub mod reference;
pub mod row;
pub mod trees;
