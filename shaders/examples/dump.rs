//! Writes every composition of the embedded modules to a folder: `cargo run --package orogen-shaders --example dump FOLDER`.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os().nth(1).ok_or("the folder to write to is missing")?;
    shaders::dump_into(Some(folder.into()));
    for (name, composed) in shaders::Composer::new().every_composition() {
        println!("{name}, {} lines", composed?.source().lines().count());
    }
    Ok(())
}
