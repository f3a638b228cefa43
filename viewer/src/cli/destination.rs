//! Where does a pack go? To a file, or through one to object storage.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clap::Args;
use indicatif::{HumanBytes, HumanDuration};
use sources::Destination;
use terrain::bake::BakeError;
use terrain::height::is_remote;
use terrain::pack::Pack;

use super::elevation::cache_folder;
use super::network::remote_options;
use super::overwrite::OverwriteArgs;
use super::progress::{TaskProgress, bar, bar_style, interruptions, note};
use super::{CliError, shown_path};

/// How an output is made that may be an object.
#[derive(Args, Debug)]
pub struct DestinationArgs {
    /// Where a pack for s3://BUCKET/KEY.pack is made before it is put there [default: bakes, in the cache folder]
    #[arg(long, value_name = "DIR")]
    pub work_dir: Option<PathBuf>,
    /// Overwriting of outputs.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
}

impl DestinationArgs {
    /// Where a pack of a name goes.
    ///
    /// # Errors
    /// What is wrong with the name, or with the keys of object storage.
    pub fn of(&self, out: &Path) -> Result<Destination, CliError> {
        if !Destination::is_object_name(out) {
            if !is_remote(out) {
                return Ok(Destination::to_file(out));
            }
            let wrong = "packs are put into files, or on object storage: give -o s3://BUCKET/KEY.pack";
            return Err(CliError::Usage(String::from(wrong)));
        }
        let folder = self.work_dir.clone().or_else(|| Some(cache_folder()?.join("bakes")));
        let Some(folder) = folder else {
            return Err(CliError::Usage(String::from("there is no cache folder to make it in: give --work-dir DIR")));
        };
        Ok(Destination::object(out, &folder, remote_options())?)
    }

    /// Makes a pack and puts it where it goes; an object that is there already is said to be. `is_same` tells whether a pack is the one that
    /// `make` makes, which gets the file, and whether one that is there is to be lost.
    ///
    /// # Errors
    /// What is there and must not be replaced, what keeps an object from being put there, and what `is_same` and `make` answer.
    pub fn make(
        &self,
        (out, to): (&Path, &Destination),
        is_same: impl Fn(&Pack) -> Result<bool, BakeError>,
        make: impl FnOnce(&Path, bool) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        let overwrite = self.overwrite.overwrite;
        let looking = to.is_object().then(|| TaskProgress::begin("looking at the server", 0));
        let is_wanted = to.is_wanted(overwrite, &is_same)?;
        drop(looking);
        if !is_wanted {
            note(&is_there_already(out));
            return Ok(());
        }
        make(to.file(), to.loses_file(overwrite, &is_same)?)?;
        if to.is_object() { publish(out, to, overwrite) } else { Ok(()) }
    }
}

/// What is told where nothing is left to do.
pub(super) fn is_there_already(out: &Path) -> String {
    format!("{} is there already, from the same data and options", shown_path(out))
}

fn publish(out: &Path, to: &Destination, overwrite: bool) -> Result<(), CliError> {
    // What is half there is taken away.
    let interrupted = interruptions()?;
    let bar = bar(0).with_message("putting it on the server");
    bar.set_style(bar_style("{bar:30} {binary_bytes}/{binary_total_bytes}, {eta} left, {msg}"));
    let mut elsewhere = None;
    to.publish(overwrite, &mut |sent, all| {
        let working =
            elsewhere.get_or_insert_with(|| TaskProgress::without_terminal("putting bytes on the server", all));
        working.iter().for_each(|working| working.done(sent));
        bar.set_length(all);
        bar.set_position(sent);
        !interrupted.load(Ordering::Relaxed)
    })?;
    let (bytes, elapsed) = (HumanBytes(bar.length().unwrap_or(0)), HumanDuration(bar.elapsed()));
    bar.finish_and_clear();
    note(&format!("put it on {}: {bytes}, {elapsed}", shown_path(out)));
    Ok(())
}
