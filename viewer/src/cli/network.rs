//! What keeps libraries below GDAL from fetching by themselves? A proxy that nobody answers at.
//!
//! GDAL's own access to the network is refused in `terrain`. The netCDF library has a client of its own, which a virtual raster
//! reaches by the source `NETCDF:"http://..."`. Like all clients over libcurl it takes its proxy from the environment.

use std::path::Path;
use std::sync::OnceLock;

use terrain::height::{OpenOptions, RemotePacks, is_remote};

use crate::scene::CacheOptions;

/// The way to servers, as it was before it was closed to libraries.
static NETWORK: OnceLock<sources::Network> = OnceLock::new();

/// The way to servers as the environment says when this is called first.
pub fn proxy_settings() -> sources::Network {
    NETWORK.get_or_init(sources::Network::from_env).clone()
}

/// How servers are asked for packs, or given them.
pub fn remote_options() -> sources::RemoteOptions {
    let s3 = sources::S3Options::of_variables(|name| std::env::var(name).ok());
    sources::RemoteOptions::new(proxy_settings()).with_s3(s3)
}

/// What opens packs on servers, parts of which are kept, if anywhere.
pub fn remote_packs(kept: Option<CacheOptions>) -> RemotePacks {
    let options = remote_options();
    sources::remote_packs(match kept {
        Some(CacheOptions { folder, most_bytes }) => options.with_cache(folder, most_bytes),
        None => options,
    })
}

/// How a pack alone is opened.
pub fn pack_options() -> OpenOptions {
    OpenOptions::default().with_remote(Some(remote_packs(None)))
}

/// The port of TCPMUX, which no machine of today serves.
const NOBODY: &str = "http://127.0.0.1:1";

/// Closes the network for this process, unless an argument of the command line lies on it. Call it before any thread is started.
pub fn block_unnamed_requests() {
    if std::env::args_os().skip(1).any(|word| is_remote(Path::new(&word))) {
        return;
    }
    close();
}

/// Closes the network for this process. Call it before any thread is started.
pub fn close() {
    for scheme in ["http", "https", "ftp", "all"] {
        for name in [format!("{scheme}_proxy"), format!("{scheme}_PROXY").to_ascii_uppercase()] {
            // SAFETY: no other thread has been started yet, so nobody reads the environment meanwhile.
            unsafe { std::env::set_var(name, NOBODY) };
        }
    }
    for name in ["no_proxy", "NO_PROXY"] {
        // SAFETY: as above.
        unsafe { std::env::remove_var(name) };
    }
}
