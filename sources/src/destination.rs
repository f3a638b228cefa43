//! Where does a pack go? To a file, or through one to object storage, where it is put once it is whole.

use std::path::{Path, PathBuf};

use elevation::{
    bake::BakeError,
    height::OpenOptions,
    pack::{Pack, PackError, is_pack_address},
};

use crate::{
    remote_pack::{RemoteOptions, remote_packs},
    s3,
    upload::{Upload, UploadError},
};

/// Why a pack did not get where it goes.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DestinationError {
    /// It was not sent, or not kept by the server.
    #[error(transparent)]
    Upload(#[from] UploadError),
    /// What is there, or the file, cannot be read.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// The sources cannot be read.
    #[error(transparent)]
    Bake(#[from] BakeError),
}

/// Where a pack goes: a file, or an object that is a file until it is whole, in a folder where the next run finds it.
///
/// ```no_run
/// use elevation::{bake::{Bake, BakeOptions}, height::OpenOptions};
/// use sources::{Destination, Network, RemoteOptions};
/// let bake = Bake::new(&["alps.tif".into()], &OpenOptions::default(), &BakeOptions::default())?;
/// let options = RemoteOptions::new(Network::from_env());
/// let pack = Destination::object("s3://bucket/alps.pack".as_ref(), "work".as_ref(), options)?;
/// if pack.is_wanted(false, |there| bake.matches(there))? {
///     bake.run(pack.file(), false, &mut |_| {})?;
///     pack.publish(false, &mut |_, _| true)?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Destination {
    file: PathBuf,
    object: Option<Box<Object>>,
}

/// An object that is to be made, and how it is read.
#[derive(Debug)]
struct Object {
    upload: Upload,
    address: PathBuf,
    open: OpenOptions,
}

impl Destination {
    /// Whether a name is that of an object and not of a file.
    ///
    /// ```
    /// use sources::Destination;
    /// assert!(Destination::is_object_name("s3://bucket/alps.pack".as_ref()));
    /// assert!(!Destination::is_object_name("alps.pack".as_ref()));
    /// ```
    pub fn is_object_name(name: &Path) -> bool {
        name.to_str().is_some_and(s3::is_address)
    }

    /// A file.
    ///
    /// ```
    /// let pack = sources::Destination::to_file("alps.pack");
    /// assert_eq!((pack.file().to_str(), pack.is_object()), (Some("alps.pack"), false));
    /// ```
    pub fn to_file(file: impl Into<PathBuf>) -> Self {
        Self { file: file.into(), object: None }
    }

    /// An object, by its address `s3://BUCKET/KEY.pack`, made in a folder. Nothing is asked or written yet.
    ///
    /// ```
    /// use sources::{Destination, Network, RemoteOptions};
    /// let of = |name: &str| Destination::object(name.as_ref(), "work".as_ref(), RemoteOptions::new(Network::from_env()));
    /// // Packs of one name in several buckets do not meet.
    /// assert_ne!(of("s3://a/alps.pack")?.file(), of("s3://b/alps.pack")?.file());
    /// assert!(of("s3://a/alps.tif").unwrap_err().to_string().contains("give s3://BUCKET/KEY.pack"));
    /// # Ok::<(), sources::UploadError>(())
    /// ```
    ///
    /// # Errors
    /// [`UploadError::Refused`] if it is none, or keys or options are wrong.
    pub fn object(address: &Path, folder: &Path, options: RemoteOptions) -> Result<Self, UploadError> {
        let name = address.to_string_lossy();
        if !is_pack_address(address) {
            let reason = "packs end in .pack: give s3://BUCKET/KEY.pack".to_owned();
            return Err(UploadError::Refused { name: name.into_owned(), reason });
        }
        let upload = Upload::to(&name, &options)?;
        let last = name.rsplit('/').next().unwrap_or_default();
        let stem: String =
            last.trim_end_matches(".pack").chars().filter(|c| c.is_ascii_alphanumeric()).take(40).collect();
        let file = folder.join(format!("{stem}-{}.pack", upload.key()));
        let open = OpenOptions::default().with_remote(Some(remote_packs(options)));
        Ok(Self { file, object: Some(Box::new(Object { upload, address: address.into(), open })) })
    }

    /// The file, or that which an object is until it is whole.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Whether it is an object.
    pub fn is_object(&self) -> bool {
        self.object.is_some()
    }

    /// Whether it is to be made. An object is not where it is there already, which `is_same` tells of the pack that is there. What would
    /// keep it from being put there is told now, and the folder of its file is made. Of a file that is told by who writes it.
    ///
    /// # Errors
    /// [`PackError::Stale`] or [`PackError::Occupied`] if something else is there that must not be replaced; what `is_same` answers;
    /// [`UploadError::Refused`]; [`UploadError::File`] if the folder cannot be made.
    pub fn is_wanted(
        &self,
        overwrite: bool,
        is_same: impl FnOnce(&Pack) -> Result<bool, BakeError>,
    ) -> Result<bool, DestinationError> {
        let Some(object) = &self.object else { return Ok(true) };
        if !overwrite && object.upload.is_taken()? {
            let file = object.address.clone();
            return match object.open.open_pack(&object.address) {
                Ok(pack) if is_same(&pack)? => Ok(false),
                Ok(_) | Err(PackError::Version { .. }) => Err(PackError::Stale { file }.into()),
                Err(PackError::Foreign { .. }) => Err(PackError::Occupied { file }.into()),
                Err(error) => Err(error.into()),
            };
        }
        object.upload.check()?;
        let folder = self.file.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder).map_err(|error| UploadError::File { file: folder.into(), error })?;
        Ok(true)
    }

    /// Whether a file that is there is to be lost: only to `overwrite` it, and not where it is an object's pack, finished by a run that did
    /// not get it there, which `is_same` tells.
    ///
    /// # Errors
    /// What `is_same` answers.
    pub fn loses_file(
        &self,
        overwrite: bool,
        is_same: impl FnOnce(&Pack) -> Result<bool, BakeError>,
    ) -> Result<bool, DestinationError> {
        let found = Some(&self.file).filter(|file| overwrite && self.is_object() && file.exists());
        let is_same = found.and_then(|file| Pack::open_any(file).ok()).map(|pack| is_same(&pack)).transpose()?;
        Ok(overwrite && is_same != Some(true))
    }

    /// Puts the file of an object there, reads the beginning and the index back, and removes the file. `progress` hears how many of its
    /// bytes are sent, and says whether it goes on.
    ///
    /// # Errors
    /// As [`Upload::run`]; the file is kept then.
    pub fn publish(&self, overwrite: bool, progress: &mut dyn FnMut(u64, u64) -> bool) -> Result<(), DestinationError> {
        let Some(object) = &self.object else { return Ok(()) };
        let manifest = Pack::open_any(&self.file)?.manifest().clone();
        object.upload.run(&self.file, overwrite, progress)?;
        if *object.open.open_pack(&object.address)?.manifest() != manifest {
            let reason = "another run has replaced it".to_owned();
            return Err(UploadError::Refused { name: object.address.to_string_lossy().into_owned(), reason }.into());
        }
        std::fs::remove_file(&self.file).map_err(|error| UploadError::File { file: self.file.clone(), error })?;
        Ok(())
    }
}
