//! What does Ctrl-C leave of pictures and films? One line, and nothing of what is half done.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Stdio};

use super::*;

/// Begins to draw into a file of a folder.
fn drawing(words: &[&str], out: &Path) -> Child {
    let mut command = program_command(program!());
    command.args(["render", "--software"]).args(words).arg("-o").arg(out);
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

fn interrupt(process: &Child, signal: &str) {
    Command::new("kill").args([signal, &process.id().to_string()]).status().unwrap();
}

/// Law: Ctrl-C ends a film at once with one line, and nothing of it is left; so does the signal of batch systems.
#[test]
fn an_interrupted_film_leaves_nothing() {
    ["-INT", "-TERM"].into_iter().for_each(an_interrupted_film);
}

fn an_interrupted_film(signal: &str) {
    let folder = tempfile::tempdir().unwrap();
    let film = drawing(&["--path", "everest", "--size", "64x36"], &folder.path().join("a.gif"));
    let begun = || std::fs::read_dir(folder.path()).unwrap().next().and_then(|file| file.unwrap().metadata().ok());
    // The first pictures are there once something is written.
    while begun().is_none_or(|file| file.len() == 0) {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    interrupt(&film, signal);
    let ended = film.wait_with_output().unwrap();
    let said = without_progress(&String::from_utf8(ended.stderr).unwrap());
    assert_eq!(ended.status.code(), Some(130), "{said}");
    assert!(said.contains("interrupted after") && said.trim_end().lines().count() == 1, "{said}");
    assert!(begun().is_none(), "nothing is left");
}

/// Law: so does a single picture, before it is done.
#[test]
fn an_interrupted_picture_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["-v", "--no-cache", "--size", "2048x2048", "--pixel-error", "0.1"];
    let mut picture = drawing(&words, &folder.path().join("a.png"));
    let mut stderr = BufReader::new(picture.stderr.take().unwrap());
    let mut said = String::new();
    while !said.contains("scene loaded") {
        assert!(stderr.read_line(&mut said).unwrap() > 0, "{said}");
    }
    interrupt(&picture, "-INT");
    stderr.read_to_string(&mut said).unwrap();
    assert_eq!(picture.wait().unwrap().code(), Some(130), "{said}");
    assert!(said.contains("interrupted after 0 of 1 pictures"), "{said}");
    assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none(), "nothing is left");
}
