// What does the host generate for stored elements `f32`? Stands in for it where a shader is validated by itself.
alias Stored = f32;
