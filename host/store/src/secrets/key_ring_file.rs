//! The file `master.key`: one key per line, `master <base64>` or `pepper <base64>`, the current one of each
//! kind first. Lines that begin with `#` are comments.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use zeroize::Zeroizing;

use super::encoded_key;
use crate::error::StoreError;
use crate::identity::random_bytes;

const NAME: &str = "master.key";

const REMARKS: &str = "\
# Key ring of this gtm. Whoever has it can read the credentials in the database; without it nobody can.
# Keep a copy in a safe place, apart from the database's backups.
# To rotate: put a new line above the old one of its kind and keep the old one.
";

fn failed(path: &Path, error: &std::io::Error) -> StoreError {
    StoreError::KeyRing(format!("{}: {error}", path.display()))
}

/// The path of the file in a directory.
pub(super) fn path(dir: &Path) -> PathBuf {
    dir.join(NAME)
}

/// The file's text; `None` if there is no such file.
pub(super) fn read(dir: &Path) -> Result<Option<Zeroizing<String>>, StoreError> {
    let path = path(dir);
    match fs::read_to_string(&path) {
        Ok(text) => {
            let text = Zeroizing::new(text);
            check_private(&path)?;
            Ok(Some(text))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(&path, &error)),
    }
}

/// The text of a file with new keys.
pub(super) fn new_text() -> Zeroizing<String> {
    let line = |kind: &str| {
        let key = Zeroizing::new(random_bytes::<32>());
        Zeroizing::new(format!("{kind} {}\n", STANDARD.encode(*key)))
    };
    Zeroizing::new(format!("{REMARKS}{}{}", *line("master"), *line("pepper")))
}

/// Creates the file, but never overwrites that of a faster process: writes a complete file under another
/// name, and gives it the final name only if that is still free.
pub(super) fn make(dir: &Path, text: &str) -> Result<(), StoreError> {
    let path = path(dir);
    fs::create_dir_all(dir).map_err(|e| failed(dir, &e))?;
    let temporary = dir.join(format!("{NAME}.{}", hex::encode(random_bytes::<8>())));
    let written =
        write_private(&temporary, text).and_then(|()| match fs::hard_link(&temporary, &path) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
            _ => fs::File::open(dir)?.sync_all(),
        });
    let _ = fs::remove_file(&temporary);
    written.map_err(|e| failed(&path, &e))
}

fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.create_new(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

#[cfg(unix)]
fn check_private(path: &Path) -> Result<(), StoreError> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::metadata(path)
        .map_err(|e| failed(path, &e))?
        .permissions()
        .mode();
    if mode & 0o077 == 0 {
        return Ok(());
    }
    Err(StoreError::KeyRing(format!(
        "{} may be read by others (mode {:o}): chmod 600 it",
        path.display(),
        mode & 0o777
    )))
}
#[cfg(not(unix))]
fn check_private(_: &Path) -> Result<(), StoreError> {
    Ok(())
}

/// Keys of one kind.
pub(super) type Keys = Zeroizing<Vec<[u8; 32]>>;

/// Parses the master keys and peppers of a file's text.
pub(super) fn parse(text: &str) -> Result<(Keys, Keys), StoreError> {
    let (mut masters, mut peppers) = (Keys::default(), Keys::default());
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match line.split_once(' ') {
            Some(("master", key)) => masters.push(encoded_key::decode(key.trim())?),
            Some(("pepper", key)) => peppers.push(encoded_key::decode(key.trim())?),
            _ => {
                return Err(StoreError::KeyRing(format!(
                    "{NAME} line {}: expected `master <key>` or `pepper <key>`",
                    number + 1
                )));
            }
        }
    }
    if masters.is_empty() || peppers.is_empty() {
        return Err(StoreError::KeyRing(format!(
            "{NAME} needs a master key and a pepper"
        )));
    }
    Ok((masters, peppers))
}
