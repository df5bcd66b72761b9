//! Compiled plug-ins, shared by the servers of all tests of a build: compiling them takes seconds, and
//! hundreds of servers are started. What a server compiles is kept beside the build, and a new
//! server's data directory begins with it. The host verifies each entry as always, so all share a key.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// As the host names them in its data directory.
const KEY: &str = "compile-cache.key";
const ENTRIES: &str = "compile-cache";

fn shared(target: &Path) -> PathBuf {
    target.join("tmp").join("e2e-compiled-plugins")
}

/// Put the shared key and all that is compiled into a new data directory.
pub fn lend(data_dir: &Path, target: &Path) {
    let shared = shared(target);
    fs::create_dir_all(shared.join(ENTRIES)).unwrap();
    let key = shared.join(KEY);
    if !key.exists() {
        // Whole before it has its name: another test may be here at the same time.
        let aside = shared.join(format!("{KEY}.{}", uuid::Uuid::new_v4()));
        let halves = [uuid::Uuid::new_v4(), uuid::Uuid::new_v4()];
        fs::write(&aside, halves.map(uuid::Uuid::into_bytes).concat()).unwrap();
        link(&aside, &key);
        fs::remove_file(&aside).unwrap();
    }
    // A host takes only a key that is its user's alone.
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    link(&key, &data_dir.join(KEY));
    fs::create_dir_all(data_dir.join(ENTRIES)).unwrap();
    link_all(&shared.join(ENTRIES), &data_dir.join(ENTRIES));
}

/// Keep what a server has compiled.
pub fn keep(data_dir: &Path, target: &Path) {
    link_all(&data_dir.join(ENTRIES), &shared(target).join(ENTRIES));
}

fn link_all(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        // Others are being written.
        if path.extension().is_some_and(|e| e == "cwasm") {
            link(&path, &to.join(path.file_name().unwrap()));
        }
    }
}

/// Entries are only ever replaced, never changed in place, so that a link is as good as a copy.
fn link(from: &Path, to: &Path) {
    match fs::hard_link(from, to) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        // The target may be on another disk than the temporary directory.
        Err(_) => {
            fs::copy(from, to).unwrap();
        }
    }
}
