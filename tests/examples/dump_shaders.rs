//! Writes every composition of the modules of all crates to a folder: `cargo run --package tests --example dump_shaders FOLDER`.

fn main() {
    run().unwrap_or_else(|error| {
        eprintln!("dump_shaders: {error}");
        std::process::exit(1)
    })
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os().nth(1).ok_or("the folder to write to is missing")?;
    shaders::dump_into(Some(folder.into()));
    for (name, composed) in viewer::composer().every_composition() {
        println!("{name}, {} lines", composed?.source().lines().count());
    }
    Ok(())
}
