//! How fast are trees of boxes built, refitted and traced, by number of primitives?

#[path = "../lbvh/mod.rs"]
mod lbvh;

fn main() -> std::process::ExitCode {
    lbvh::main()
}
