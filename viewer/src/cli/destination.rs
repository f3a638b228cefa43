//! Where does a pack go? To a file, or through one to object storage.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clap::Args;
use indicatif::{HumanBytes, HumanDuration, ProgressBar};
use sources::Publication;
use terrain::bake::BakeError;
use terrain::height::is_remote;
use terrain::pack::Pack;

use super::elevation::cache_folder;
use super::network::remote_options;
use super::overwrite::OverwriteArgs;
use super::waiting::{Working, bar_style, interruptions};
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

/// Where a pack goes.
pub enum Destination<'a> {
    File(&'a Path),
    Object(&'a Path, Box<Publication>),
}

impl<'a> Destination<'a> {
    /// By the name of an output.
    ///
    /// # Errors
    /// What is wrong with the name, or with the keys of object storage.
    pub fn of(out: &'a Path, args: &DestinationArgs) -> Result<Self, CliError> {
        if !Publication::is_for(out) {
            if !is_remote(out) {
                return Ok(Self::File(out));
            }
            let wrong = "packs are put into files, or on object storage: give -o s3://BUCKET/KEY.pack";
            return Err(CliError::Usage(String::from(wrong)));
        }
        let folder = args.work_dir.clone().or_else(|| Some(cache_folder()?.join("bakes")));
        let Some(folder) = folder else {
            return Err(CliError::Usage(String::from("there is no cache folder to make it in: give --work-dir DIR")));
        };
        Ok(Self::Object(out, Box::new(Publication::of(out, &folder, remote_options())?)))
    }

    /// The file that is made.
    pub fn file(&self) -> &Path {
        match self {
            Self::File(file) => file,
            Self::Object(_, publication) => publication.file(),
        }
    }

    /// Whether there is anything to do. Of a file that is told by who writes it; an object that is there is said to be.
    ///
    /// # Errors
    /// What is there and must not be replaced, and what would keep an object from being put there.
    pub fn is_wanted(
        &self,
        args: &DestinationArgs,
        is_same: impl FnOnce(&Pack) -> Result<bool, BakeError>,
    ) -> Result<bool, CliError> {
        let Self::Object(out, publication) = self else { return Ok(true) };
        let looking = Working::begin("looking at the server", 0);
        let is_wanted = publication.is_wanted(args.overwrite.overwrite, is_same)?;
        drop(looking);
        if !is_wanted {
            eprintln!("{} is there already, from the same data and options", shown_path(out));
        }
        Ok(is_wanted)
    }

    /// Whether a file that is there is to be lost.
    ///
    /// # Errors
    /// What `is_same` answers.
    pub fn loses_file(
        &self,
        args: &DestinationArgs,
        is_same: impl FnOnce(&Pack) -> Result<bool, BakeError>,
    ) -> Result<bool, CliError> {
        let overwrite = args.overwrite.overwrite;
        match self {
            Self::File(_) => Ok(overwrite),
            Self::Object(_, publication) => Ok(publication.loses_file(overwrite, is_same)?),
        }
    }

    /// Puts a finished file where it goes.
    ///
    /// # Errors
    /// Why it is not there, and what to do.
    pub fn finish(&self, args: &DestinationArgs) -> Result<(), CliError> {
        let Self::Object(out, publication) = self else { return Ok(()) };
        // What is half there is taken away.
        let interrupted = interruptions()?;
        let bar = ProgressBar::new(0).with_message("putting it on the server");
        bar.set_style(bar_style("{bar:30} {binary_bytes}/{binary_total_bytes}, {eta} left, {msg}"));
        let mut elsewhere = None;
        publication.publish(args.overwrite.overwrite, &mut |sent, all| {
            let working = elsewhere.get_or_insert_with(|| Working::beside_a_bar("putting bytes on the server", all));
            working.iter().for_each(|working| working.done(sent));
            bar.set_length(all);
            bar.set_position(sent);
            !interrupted.load(Ordering::Relaxed)
        })?;
        let (bytes, elapsed) = (HumanBytes(bar.length().unwrap_or(0)), HumanDuration(bar.elapsed()));
        bar.finish_and_clear();
        eprintln!("put it on {}: {bytes}, {elapsed}", shown_path(out));
        Ok(())
    }
}
