//! What is said behind the name of a file: `dem.tif,band=2,nodata=-9999`.

use crate::sanitized;

/// An option that may have commas in its value, WKT or a PROJ string, and what stands before it.
fn with_commas(name: &str) -> Option<(&str, &str)> {
    let at = name.rfind(",crs=")?;
    Some((&name[..at], &name[at + 1..]))
}

/// The name alone. From the last one on, `take` gets the key and the value of each option, and tells whether there is such a key. Whatever
/// exists is a name, commas and all; so is what has no known option behind it.
///
/// # Errors
/// The option whose value is none, and what is expected.
pub(crate) fn split_options(
    text: &str,
    exists: impl Fn(&str) -> bool,
    mut take: impl FnMut(&str, &str) -> Result<bool, String>,
) -> Result<&str, String> {
    let (mut name, mut said) = (text, Vec::new());
    'options: while !exists(name) {
        for (before, option) in [name.rsplit_once(','), with_commas(name)].into_iter().flatten() {
            if let Some((key, value)) = option.split_once('=')
                && take(key, value).map_err(|reason| format!("{}: {reason}", sanitized(option)))?
            {
                if said.contains(&key) {
                    return Err(format!("{}: {key} is said twice", sanitized(option)));
                }
                said.push(key);
                name = before;
                continue 'options;
            }
        }
        break;
    }
    Ok(name)
}
