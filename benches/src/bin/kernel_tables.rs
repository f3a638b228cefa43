//! How fast is each kernel, by size and variant, beside the machine's copy speed and beside its own CPU form?

#[path = "../kernel_tables/mod.rs"]
mod kernel_tables;

fn main() -> std::process::ExitCode {
    kernel_tables::main()
}
