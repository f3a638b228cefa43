// What does a radix sort add up in a workgroup? Four 16-bit counts in two words.
const COMMUTATIVE: bool = true;
alias Elem = vec2u;
const ITEMS: u32 = 1u;
const VECTOR: bool = false;
const MAX_SUBGROUPS: u32 = 64u;
fn op_identity() -> Elem { return vec2u(0u); }
fn op_combine(left: Elem, right: Elem) -> Elem { return left + right; }
