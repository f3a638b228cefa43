//! `orogen bake` and `orogen pack merge`: elevation prepared as one file of tiles.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use terrain::geodesy::box_in_common;

use clap::{Args, Subcommand};
use indicatif::{HumanBytes, HumanCount, HumanDuration, ProgressBar};
use serde_json::Value;
use sources::Destination;
use terrain::bake::{Bake, BakeOptions, Deviation, Outcome, Progress, Step, merge_packs, merged};
use terrain::pack::{Pack, Shard};
use terrain::tile::posting_m;

use super::bake_answer::{BakeReport, estimated};
use super::destination::DestinationArgs;
use super::elevation::{self, RasterArgs};
use super::network::pack_options;
use super::overwrite::check_inputs;
use super::progress::{LibraryProgress, TaskProgress, bar_style, note, spinner};
use super::source::{self, Source, paths};
use super::{CliError, shown_path, values};

const EXAMPLES: &str = "\
Examples:
  orogen bake alps.tif -o alps.pack                     all there is, over the embedded relief
  orogen bake alps.tif -o alps.pack --estimate          how long, how large; nothing is written
  orogen bake -o earth.pack --max-level 3               the embedded relief alone
  orogen bake world.vrt -o chile.pack --bbox -76,-56,-66,-17
  orogen bake world.vrt -o 1.pack --shard 1/4           a quarter of the work; `orogen pack merge` joins them
  orogen bake world.vrt -o $SLURM_ARRAY_TASK_ID.pack --shard auto
  orogen bake alps.tif -o s3://bucket/alps.pack         made in --work-dir and put there, by the keys of AWS_ACCESS_KEY_ID

A pack is a layer like any raster: `orogen view alps.pack`. It covers the Earth. A run that was stopped or killed is
continued by the same command; data or options that have changed are noticed, and nothing is overwritten unasked.";

/// `orogen bake`.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct BakeArgs {
    /// Elevation rasters, folders of them or packs, the first one on top; none bakes the embedded globe
    #[arg(value_parser = source::source())]
    pub files: Vec<Source>,
    /// Where the pack goes, a file or s3://BUCKET/KEY.pack; work in progress is beside the file, with .part at its end
    #[arg(short, long, value_name = "PACK", required_unless_present = "estimate")]
    pub out: Option<PathBuf>,
    /// Where tiles finer than the bottom layer are wanted, in degrees [default: wherever layers are]
    #[arg(long, value_name = "W,S,E,N", value_parser = values::bbox, allow_hyphen_values = true)]
    pub bbox: Option<[f64; 4]>,
    /// Finest level: 3 is 4.9 km between heights, each further one half of that; at most as fine as the layers [default: that]
    #[arg(long, value_name = "N", value_parser = values::integer::<u32>(0..=22), allow_negative_numbers = true)]
    pub max_level: Option<u32>,
    /// Only this share of the work; with auto that of this task of an array job of Slurm or AWS Batch, with auto/N also of an Indexed Job of
    /// Kubernetes
    #[arg(long, value_name = "I/N|auto[/N]", value_parser = shard)]
    pub shard: Option<Shard>,
    /// Say how many tiles, bytes and minutes it would take, and write nothing
    #[arg(long)]
    pub estimate: bool,
    /// Print the estimate, or what was made, as JSON for machines
    #[arg(long)]
    pub json: bool,
    /// Object storage, and overwriting of outputs.
    #[command(flatten)]
    pub destination: DestinationArgs,
    /// Rasters.
    #[command(flatten)]
    pub rasters: RasterArgs,
}

/// `orogen pack`.
#[derive(Subcommand, Debug)]
pub enum PackVerb {
    /// Join the shards of a pack
    Merge(MergeArgs),
}

/// `orogen pack merge`.
#[derive(Args, Debug)]
pub struct MergeArgs {
    /// All shards of one pack, in any order: files, or s3://BUCKET/KEY.pack
    #[arg(required = true)]
    pub shards: Vec<PathBuf>,
    /// Where the pack goes, a file or s3://BUCKET/KEY.pack
    #[arg(short, long, value_name = "PACK")]
    pub out: PathBuf,
    /// Object storage, and overwriting of outputs.
    #[command(flatten)]
    pub destination: DestinationArgs,
}

/// Makes a pack, or says what it would take.
pub fn run(args: &BakeArgs) -> Result<(), CliError> {
    let options = BakeOptions::default().with_bbox_deg(args.bbox).with_max_level(args.max_level).with_shard(args.shard);
    // What is wrong with an address is told before anything is read.
    let out = args.out.as_deref().filter(|_| !args.estimate);
    let to = out.map(|out| Ok::<_, CliError>((out, args.destination.of(out)?))).transpose()?;
    check_inputs(out, paths(&args.files))?;
    if args.rasters.offline && to.as_ref().is_some_and(|(_, to)| to.is_object()) {
        return Err(CliError::Usage(String::from("--offline asks no server: leave it out, or give -o a file")));
    }
    let waiting = LibraryProgress::begin();
    let bake = Bake::new(&paths(&args.files), &args.rasters.options(&args.files, elevation::cache_folder()), &options)?;
    if args.estimate {
        let estimate = bake.estimate()?;
        drop(waiting);
        args.rasters.warn_remarks(bake.layers());
        return Ok(super::print(&estimated(bake.ellipsoid(), &estimate, bake.layers(), args.json)?)?);
    }
    drop(waiting);
    args.rasters.warn_remarks(bake.layers());
    if let Some(bbox_deg) = args.bbox
        && !args.files.is_empty()
        && !bake.layers().iter().take(args.files.len()).any(|layer| box_in_common(layer.bbox_deg, bbox_deg).is_some())
    {
        super::print_remark(
            "no file lies in --bbox: it is W,S,E,N in degrees; `orogen info FILE` tells where a file lies",
        );
    }
    if let Some(asked) = args.max_level.filter(|level| *level > bake.manifest().max_level) {
        let finest = bake.manifest().max_level;
        super::print_remark(&format!(
            "--max-level {asked}: the data have no heights closer than those of level {finest}, which is the finest that is made"
        ));
    }
    let Some((out, to)) = &to else { return Err(CliError::Usage(String::from("where to? give -o PACK"))) };
    let answer = make(args, &bake, (*out, to))?;
    Ok(answer.map_or(Ok(()), |answer| super::print(&format!("{answer:#}\n")))?)
}

/// Makes a pack, and answers what was made if that is asked for.
fn make(args: &BakeArgs, bake: &Bake, (out, to): (&Path, &Destination)) -> Result<Option<Value>, CliError> {
    let mut answer = None;
    args.destination.make(
        (out, to),
        |pack| bake.matches(pack),
        |file, overwrite| {
            let mut bar = BakeProgress::new("looking at the sources");
            let began = Instant::now();
            let outcome = bake.run(file, overwrite, &mut |progress| bar.show(progress))?;
            let elapsed = began.elapsed();
            bar.end(file, outcome);
            let report = BakeReport { outcome, elapsed, deviation: tell_deviation(bake, file) };
            args.rasters.warn_suspect_heights(&bake.read_remarks());
            if args.json {
                answer = Some(report.json(&Pack::open_any(file)?, out, bake.layers()));
            }
            Ok(())
        },
    )?;
    if args.json && answer.is_none() {
        // The object was there already.
        answer = Some(BakeReport::UP_TO_DATE.json(&pack_options().open_pack(out)?, out, bake.layers()));
    }
    Ok(answer)
}

/// Tells how far the heights of a pack are from those of the data; the pack is done, whatever keeps one from that.
fn tell_deviation(bake: &Bake, pack: &Path) -> Option<Deviation> {
    let found = bake.deviation(pack).unwrap_or_else(|error| {
        super::print_remark(&format!("its heights were not compared with those of the data: {error}"));
        None
    });
    if let Some(Deviation { places, rms_m, most_m }) = found {
        let level = bake.manifest().max_level;
        note(&format!(
            "its heights, {:.1} m apart at level {level}, are those of the data within {rms_m:.2} m (RMS), {most_m:.2} m at most, at {places} \
             places",
            posting_m(bake.ellipsoid(), level)
        ));
    }
    found
}

/// Joins shards.
pub fn run_pack(verb: &PackVerb) -> Result<(), CliError> {
    let PackVerb::Merge(args) = verb;
    let to = args.destination.of(&args.out)?;
    check_inputs([&args.out], &args.shards)?;
    let mut bar = BakeProgress::new("looking at the shards");
    let open = pack_options();
    let mut packs = args.shards.iter().map(|shard| open.open_pack(shard)).collect::<Result<Vec<_>, _>>()?;
    let manifest = merged(&mut packs)?;
    args.destination.make(
        (&args.out, &to),
        |pack| Ok(*pack.manifest() == manifest),
        |file, overwrite| {
            let outcome = merge_packs(packs, file, overwrite, &mut |progress| {
                bar.show(progress);
                true
            })?;
            bar.end(file, outcome);
            Ok(())
        },
    )
}

/// Progress on stderr: a bar with rate and time left on a terminal, elsewhere a line now and then.
struct BakeProgress {
    bar: ProgressBar,
    elsewhere: Option<TaskProgress>,
    /// The step, when it began, and how many tiles were done then.
    step: Option<(Step, Instant, u64)>,
}

impl BakeProgress {
    /// Before it is known how much there is to do.
    fn new(what: &'static str) -> Self {
        let bar = spinner().with_message(what);
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar, elsewhere: TaskProgress::without_terminal(what, 0), step: None }
    }

    fn show(&mut self, progress: Progress) {
        let Progress { step, done, tiles, .. } = progress;
        if self.step.is_none() {
            // By work: steps do not take the same time, and the bar is one for all of them.
            self.bar.set_style(bar_style("{bar:30} {percent}%, {eta} left, {msg}"));
            self.bar.disable_steady_tick();
            self.bar.set_length(progress.all_work);
            // What was there before says nothing about the rate.
            self.bar.set_position(progress.work);
            self.bar.reset_eta();
        }
        let (_, since, first) = match self.step {
            Some(now) if now.0 == step => now,
            _ => {
                let what = match step {
                    Step::Heights => "baking heights of tiles",
                    Step::Errors => "baking errors of tiles",
                };
                self.elsewhere = self.elsewhere.take().and_then(|_| TaskProgress::without_terminal(what, tiles));
                *self.step.insert((step, Instant::now(), if self.step.is_none() { done } else { 0 }))
            }
        };
        self.elsewhere.iter().for_each(|working| working.done(done));
        let rate = (done - first) as f64 / since.elapsed().as_secs_f64().max(1e-3);
        let what = match step {
            Step::Heights => "heights",
            Step::Errors => "errors",
        };
        let (done, tiles, bytes) = (HumanCount(done), HumanCount(tiles), HumanBytes(progress.bytes));
        self.bar.set_message(format!("{what} of {done}/{tiles} tiles, {rate:.0} a second, {bytes}"));
        self.bar.set_position(progress.work);
    }

    fn end(mut self, out: &Path, outcome: Outcome) {
        let elapsed = self.bar.elapsed();
        self.bar.finish_and_clear();
        self.elsewhere = None;
        match outcome {
            Outcome::UpToDate => note(&super::destination::is_there_already(out)),
            Outcome::Written(Progress { done, found, bytes, .. }) => {
                let before =
                    if found > 0 { format!(" ({} by earlier runs)", HumanCount(found)) } else { String::new() };
                let (tiles, size, time) = (HumanCount(done), HumanBytes(bytes), HumanDuration(elapsed));
                note(&format!("wrote {}: {tiles} tiles{before}, {size}, {time}", shown_path(out)));
            }
        }
    }
}

fn shard(text: &str) -> Result<Shard, String> {
    let of_job = |count| Shard::of_job(count, |name| std::env::var(name).ok());
    if text == "auto" {
        return of_job(None);
    }
    if let Some(count) = text.strip_prefix("auto/").and_then(|count| count.parse().ok()).filter(|count| *count > 0) {
        return of_job(Some(count));
    }
    text.split_once('/')
        .and_then(|(index, count)| Some(Shard { index: index.trim().parse().ok()?, count: count.trim().parse().ok()? }))
        .filter(|shard| (1..=shard.count).contains(&shard.index))
        .ok_or_else(|| String::from("expected I/N, the I-th of N shares, for example 1/4"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards() {
        assert_eq!(shard("2/4"), Ok(Shard { index: 2, count: 4 }));
        for bad in ["0/4", "5/4", "1", "x/2", "1/0", "auto/0", "auto/x"] {
            assert!(shard(bad).is_err(), "{bad}");
        }
    }
}
