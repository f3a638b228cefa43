//! Is every composition written to the folder that was named, once for each text, and no longer?

use shaders::{Composer, ShaderError, dump_into};
use std::{fs, path::PathBuf};

fn compose(text: &str) -> Result<(), ShaderError> {
    Composer::new().bind("a/wide", "wide.wgsl", text).compose("a/wide").map(|_| ())
}

#[test]
fn compositions_are_files_while_a_folder_is_named() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("dump");
    let _ = fs::remove_dir_all(&folder);
    let files = || -> Vec<PathBuf> {
        let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    };
    const TEXT: &str = "//!requires subgroups\nfn f(a: u32) -> u32 { return subgroupAdd(a); }";

    dump_into(Some(folder.clone()));
    compose(TEXT).unwrap();
    compose(TEXT).unwrap();
    compose("fn f(a: u32) -> u32 { return a }").unwrap_err();
    let found = files();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].file_name().unwrap().to_str().unwrap().starts_with("a-wide-"));
    assert_eq!(fs::read_to_string(&found[0]).unwrap(), format!("enable subgroups; {TEXT}\n"));

    compose("//!requires float64\nfn f(a: f64) -> f64 { return a; }").unwrap();
    assert_eq!(files().iter().filter(|file| file.to_str().unwrap().ends_with(".native.wgsl")).count(), 1);

    dump_into(Some(found[0].join("below a file")));
    let error = compose("fn f() {}").unwrap_err();
    assert!(matches!(&error, ShaderError::Dump { path, .. } if path.starts_with(&found[0])), "{error}");
    dump_into(None);
    compose("fn f() {}").unwrap();
    assert_eq!(files().len(), 2);
}
