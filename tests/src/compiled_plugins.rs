//! Compiled plug-ins, shared by the servers of all tests of a build: the tests start hundreds of servers, and
//! compiling takes seconds. What a server compiles is stored beside the build, and each new server's data
//! directory starts with it. The host still verifies each entry, so all servers share one key.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// The host's names for these files in its data directory.
const KEY: &str = "compile-cache.key";
const ENTRIES: &str = "compile-cache";

fn shared(target: &Path) -> PathBuf {
    target.join("tmp").join("e2e-compiled-plugins")
}

/// Puts the shared key and everything compiled so far into a new data directory.
pub fn lend(data_dir: &Path, target: &Path) {
    let shared = shared(target);
    fs::create_dir_all(shared.join(ENTRIES)).unwrap();
    let key = shared.join(KEY);
    if !key.exists() {
        // Another test may do the same now, so the key gets its name only when it is complete.
        let aside = shared.join(format!("{KEY}.{}", uuid::Uuid::new_v4()));
        let halves = [uuid::Uuid::new_v4(), uuid::Uuid::new_v4()];
        fs::write(&aside, halves.map(uuid::Uuid::into_bytes).concat()).unwrap();
        link(&aside, &key);
        fs::remove_file(&aside).unwrap();
    }
    // A host accepts only a key that nobody else can read.
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    link(&key, &data_dir.join(KEY));
    fs::create_dir_all(data_dir.join(ENTRIES)).unwrap();
    link_all(&shared.join(ENTRIES), &data_dir.join(ENTRIES));
}

/// Stores what a server has compiled.
pub fn keep(data_dir: &Path, target: &Path) {
    link_all(&data_dir.join(ENTRIES), &shared(target).join(ENTRIES));
}

fn link_all(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        // Files with other extensions are still being written.
        if path
            .extension()
            .is_some_and(|e| e == "cwasm" || e == "linked")
        {
            link(&path, &to.join(path.file_name().unwrap()));
        }
    }
}

/// A hard link is as good as a copy, because entries are replaced but never changed in place.
fn link(from: &Path, to: &Path) {
    match fs::hard_link(from, to) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        // The target may be on another file system than the temporary directory.
        Err(_) => {
            fs::copy(from, to).unwrap();
        }
    }
}
