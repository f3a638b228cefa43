//! Does memory stay within its budgets, however long one flies?

#[path = "../soak/mod.rs"]
mod soak;

fn main() -> std::process::ExitCode {
    soak::main()
}
