//! What is said behind the name of a file: `dem.tif,band=2,nodata=-9999`.

use crate::shown;

/// The name alone. From the last one on, `take` gets the key and the value of each option, and tells whether there is such a key. Whatever
/// exists is a name, commas and all; so is what has no known option behind it.
///
/// # Errors
/// The option whose value is none, and what is expected.
pub(crate) fn behind<'a>(
    text: &'a str,
    exists: impl Fn(&str) -> bool,
    mut take: impl FnMut(&str, &'a str) -> Result<bool, String>,
) -> Result<&'a str, String> {
    let mut name = text;
    while !exists(name)
        && let Some((before, option)) = name.rsplit_once(',')
        && let Some((key, value)) = option.split_once('=')
    {
        if !take(key, value).map_err(|reason| format!("{}: {reason}", shown(option)))? {
            break;
        }
        name = before;
    }
    Ok(name)
}
