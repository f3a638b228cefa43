// What does an operator look like? The sum of integers; stands in for a user's where a shader is validated by itself.
//!import kernels/element

const COMMUTATIVE: bool = true;
fn op_identity() -> Elem { return Elem(0); }
fn op_combine(left: Elem, right: Elem) -> Elem { return left + right; }
