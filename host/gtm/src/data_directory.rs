//! The data directory: created on first use, accessible only to its owner.

use std::fs::{DirBuilder, OpenOptions, Permissions};
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::fs::{
    DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _,
};
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::output::note;

/// File with the key of the compile cache's MAC.
const CACHE_KEY_FILE: &str = "compile-cache.key";

/// Creates the directory with mode 0700 if it is absent. An existing one keeps its mode, which its owner
/// may have chosen; if others can access it, a warning is logged.
///
/// # Errors
/// If it cannot be created or is not a directory.
pub fn prepare(dir: &Path) -> Result<(), Failure> {
    let failed =
        |error: std::io::Error| Failure::new(format!("data directory {}: {error}", dir.display()));
    if dir.is_dir() {
        let mode = std::fs::metadata(dir).map_err(failed)?.permissions().mode();
        if mode & 0o077 != 0 {
            tracing::warn!(
                dir = %dir.display(),
                mode = format!("{:o}", mode & 0o777),
                "others can access the data directory: chmod 700 it"
            );
        }
        return Ok(());
    }
    if let Some(parent) = dir.parent() {
        std::fs::create_dir_all(parent).map_err(failed)?;
    }
    match DirBuilder::new().mode(0o700).create(dir) {
        Ok(()) => {
            std::fs::set_permissions(dir, Permissions::from_mode(0o700)).map_err(failed)?;
            // Whoever mistyped its name would read `none` and believe that everything is gone.
            note(&format!("made a new data directory: {}", dir.display()));
            Ok(())
        }
        // Another command created it first.
        Err(error) if error.kind() == ErrorKind::AlreadyExists && dir.is_dir() => Ok(()),
        Err(error) => Err(failed(error)),
    }
}

/// The folder for answers that are too long to keep in memory, with mode 0700.
///
/// # Errors
/// If it cannot be created.
pub fn spool(dir: &Path) -> Result<PathBuf, Failure> {
    let spool = dir.join("spool");
    let made = match DirBuilder::new().mode(0o700).create(&spool) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        made => made,
    };
    made.and_then(|()| std::fs::set_permissions(&spool, Permissions::from_mode(0o700)))
        .map_err(|error| Failure::new(format!("{}: {error}", spool.display())))?;
    Ok(spool)
}

/// The key that authenticates compiled plug-ins in the cache; created on first use with mode 0600. It is
/// not derived from the master key, which may be kept on another machine.
///
/// # Errors
/// If the file cannot be read or created, is not 32 bytes long, or is accessible to other users. Danger:
/// whoever has the key can forge machine code that the host runs.
pub fn cache_key(dir: &Path) -> Result<[u8; 32], Failure> {
    let path = dir.join(CACHE_KEY_FILE);
    let failed = |error: std::io::Error| Failure::new(format!("{}: {error}", path.display()));
    // Written under another name and linked into place, so that no command ever reads half a key.
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
    let unusable = |why: String| {
        Failure::new(format!("{} {why}", path.display()))
            .hint("remove it; plug-ins will be compiled again")
    };
    let file = std::fs::File::open(&path).map_err(failed)?;
    let about = file.metadata().map_err(failed)?;
    if about.uid() != rustix::process::geteuid().as_raw() {
        return Err(unusable(format!("belongs to user {}", about.uid())));
    }
    if about.mode() & 0o077 != 0 {
        return Err(unusable(format!(
            "may be read or written by others (mode {:o})",
            about.mode() & 0o777
        )));
    }
    let mut bytes = Vec::new();
    file.take(64).read_to_end(&mut bytes).map_err(failed)?;
    bytes
        .try_into()
        .map_err(|_| unusable("does not hold 32 bytes".to_owned()))
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
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&spool(&dir).unwrap()), 0o700);
        std::fs::remove_dir(spool(&dir).unwrap()).unwrap();
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

    #[test]
    fn a_cache_key_that_others_may_have_read_or_made_is_not_used() {
        let dir = tempfile::tempdir().unwrap();
        cache_key(dir.path()).unwrap();
        let path = dir.path().join(CACHE_KEY_FILE);
        for mode in [0o640, 0o604, 0o622] {
            std::fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            let failure = cache_key(dir.path()).unwrap_err();
            assert!(
                failure.message.contains(&format!("{mode:o}")),
                "{failure:?}"
            );
        }
        std::fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        cache_key(dir.path()).unwrap();
        // Only root can give a file to another user.
        if std::os::unix::fs::chown(&path, Some(12_345), None).is_ok() {
            let failure = cache_key(dir.path()).unwrap_err();
            assert!(failure.message.contains("12345"), "{failure:?}");
        }
    }
}
