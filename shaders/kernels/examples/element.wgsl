// What does the host generate for the element `u32`? Stands in for it where a shader is validated by itself.
alias Elem = u32;
const ITEMS: u32 = 16u;
const MAX_SUBGROUPS: u32 = 64u;
// Whether items are loaded four at a time.
const VECTOR: bool = true;
