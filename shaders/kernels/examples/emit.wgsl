// What is written for a kept item? The item; stands in for other choices where a shader is validated by itself.
//!import kernels/stored

alias Out = Stored;
fn emit(stored: Stored, item: u32) -> Out { return stored; }
