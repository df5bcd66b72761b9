//! The data directory: made on first use, for its owner alone.

use std::fs::{DirBuilder, OpenOptions, Permissions};
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

use crate::failure::Failure;

/// File with the key of the compile cache's MAC.
const CACHE_KEY_FILE: &str = "compile-cache.key";

/// Make the directory with mode 0700 if it is absent. An existing one keeps its mode: who made it
/// may have had reasons.
///
/// # Errors
/// If it cannot be made or is no directory.
pub fn prepare(dir: &Path) -> Result<(), Failure> {
    let failed =
        |error: std::io::Error| Failure::new(format!("data directory {}: {error}", dir.display()));
    if dir.is_dir() {
        return Ok(());
    }
    if let Some(parent) = dir.parent() {
        std::fs::create_dir_all(parent).map_err(failed)?;
    }
    match DirBuilder::new().mode(0o700).create(dir) {
        Ok(()) => std::fs::set_permissions(dir, Permissions::from_mode(0o700)).map_err(failed),
        // Another command was faster.
        Err(error) if error.kind() == ErrorKind::AlreadyExists && dir.is_dir() => Ok(()),
        Err(error) => Err(failed(error)),
    }
}

/// The key that authenticates compiled plug-ins in the cache; made on first use with mode 0600.
/// It is not derived from the master key, which may lie elsewhere than on this machine.
///
/// # Errors
/// If the file cannot be read or made, or is not 32 bytes long.
pub fn cache_key(dir: &Path) -> Result<[u8; 32], Failure> {
    let path = dir.join(CACHE_KEY_FILE);
    let failed = |error: std::io::Error| Failure::new(format!("{}: {error}", path.display()));
    // Written whole under another name and linked into place, so that no command ever reads half a key.
    if !path.exists() {
        let mut key = [0u8; 32];
        aws_lc_rs::rand::fill(&mut key)
            .map_err(|_| Failure::new("the system has no random numbers"))?;
        let temporary = dir.join(format!("{CACHE_KEY_FILE}.{}", std::process::id()));
        let mut file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&temporary)
            .map_err(failed)?;
        file.write_all(&key)
            .and_then(|()| file.sync_all())
            .map_err(failed)?;
        let linked = std::fs::hard_link(&temporary, &path);
        std::fs::remove_file(&temporary).map_err(failed)?;
        match linked {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(failed(error)),
            _ => {}
        }
    }
    let mut bytes = Vec::new();
    std::fs::File::open(&path)
        .and_then(|file| file.take(64).read_to_end(&mut bytes))
        .map_err(failed)?;
    bytes.try_into().map_err(|_| {
        Failure::new(format!("{} does not hold 32 bytes", path.display()))
            .hint("remove it; compiled plug-ins are then compiled again")
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn it_is_for_its_owner_alone() {
        let base = tempfile::tempdir().unwrap();
        let dir = base.path().join("a/b");
        prepare(&dir).unwrap();
        prepare(&dir).unwrap();
        assert_eq!(
            std::fs::metadata(&dir).unwrap().permissions().mode() & 0o777,
            0o700
        );
        let key = cache_key(&dir).unwrap();
        assert_eq!(cache_key(&dir).unwrap(), key);
        assert_eq!(
            std::fs::metadata(dir.join(CACHE_KEY_FILE))
                .unwrap()
                .permissions()
                .mode()
                & 0o777,
            0o600
        );
        assert_eq!(
            std::fs::read_dir(&dir).unwrap().count(),
            1,
            "no temporary file stays"
        );
    }
}
