// How does a key become digits? Unsigned integers, ascending; stands in for other keys where a shader is validated by itself.
alias Key = u32;
const SORT_ITEMS: u32 = 15u;
const DESCENDING: bool = false;
fn key_word(key: Key, word: u32) -> u32 { return key; }
