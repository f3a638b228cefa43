//! Does a leaf that draws 4 or 16 triangles cost less than as many leaves of one triangle?

#[path = "../leaf_patches/mod.rs"]
mod leaf_patches;

fn main() -> std::process::ExitCode {
    leaf_patches::main()
}
