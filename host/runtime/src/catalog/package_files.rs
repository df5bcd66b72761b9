//! Reads the files of one package.
//!
//! Danger: a package may be hostile. So its folder is opened as a capability (cap-std): neither a path in a
//! manifest nor a symbolic link leads out of it.

use std::io::{self, Read as _};
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use gtm_domain::Digest;

use crate::manifest::ComponentRef;

/// Why a package is refused: code and reason.
pub type Refusal = (&'static str, String);

/// Reads a file of the package; `None` if there is none.
///
/// Danger: a pipe in a package would block the start of the host for ever. So only regular files are read.
pub fn read_file(dir: &Dir, path: &str, max_bytes: u64) -> io::Result<Option<Vec<u8>>> {
    match dir.metadata(path) {
        Ok(metadata) if metadata.is_file() => {}
        Ok(_) => {
            return Err(io::Error::other(format!("{path} is not a regular file")));
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    }
    let file = match dir.open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut bytes = Vec::new();
    file.take(max_bytes.saturating_add(1))
        .read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > max_bytes {
        return Err(io::Error::other(format!(
            "{path} is longer than {max_bytes} bytes"
        )));
    }
    Ok(Some(bytes))
}

/// Reads the component of the package in this folder.
///
/// # Errors
/// As [`read_component`], or `package_unreadable`.
pub fn read_component_of(
    package: &Path,
    declared: &ComponentRef,
    max_bytes: u64,
) -> Result<Vec<u8>, Refusal> {
    let dir = Dir::open_ambient_dir(package, ambient_authority())
        .map_err(|error| ("package_unreadable", error.to_string()))?;
    read_component(&dir, declared, max_bytes)
}

/// Reads the component, whose length and digest must be those of the manifest.
///
/// # Errors
/// `component_missing`, `component_too_large`, `component_size` or `component_digest`, with the reason.
pub fn read_component(
    dir: &Dir,
    declared: &ComponentRef,
    max_bytes: u64,
) -> Result<Vec<u8>, Refusal> {
    if declared.size_bytes > max_bytes {
        return Err((
            "component_too_large",
            format!(
                "{} bytes, but at most {max_bytes} are allowed",
                declared.size_bytes
            ),
        ));
    }
    let component = read_file(dir, &declared.path, max_bytes)
        .map_err(|error| ("component_missing", error.to_string()))?
        .ok_or_else(|| {
            (
                "component_missing",
                format!("there is no {}", declared.path),
            )
        })?;
    if u64::try_from(component.len()).unwrap_or(u64::MAX) != declared.size_bytes {
        return Err((
            "component_size",
            format!(
                "the size of {} differs from the one in the manifest",
                declared.path
            ),
        ));
    }
    if Digest::of(&component) != declared.digest {
        return Err((
            "component_digest",
            format!(
                "the digest of {} differs from the one in the manifest",
                declared.path
            ),
        ));
    }
    Ok(component)
}
