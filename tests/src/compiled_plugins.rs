//! Compiled plug-ins, shared by the servers of all tests of a build: the tests start hundreds of servers, and
//! compiling takes seconds. What a server compiles is stored beside the build, and each new server's data
//! directory starts with it. The host still verifies each entry, so all servers share one key.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The host's names for these files in its data directory.
const KEY: &str = "compile-cache.key";
const ENTRIES: &str = "compile-cache";

fn shared(target: &Path) -> PathBuf {
    target.join("tmp").join("e2e-compiled-plugins")
}

/// A file beside them that is newer than the catalogs once a server has compiled all that is in these.
fn complete(target: &Path) -> PathBuf {
    shared(target).with_extension("complete")
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

/// The turn of the one server that compiles what is new in the catalogs: the others of a build's first tests would all
/// compile the same. `None` where nothing is new; whoever asks meanwhile waits.
pub fn turn_to_compile(target: &Path, catalogs: &[PathBuf]) -> Option<File> {
    let lock = File::create(shared(target).with_extension("lock")).unwrap();
    lock.lock().unwrap();
    let complete = fs::metadata(complete(target)).and_then(|file| file.modified());
    let newest = catalogs.iter().map(|catalog| newest(catalog)).max();
    (complete.ok() <= newest).then_some(lock)
}

/// When a file below this folder was last written.
fn newest(folder: &Path) -> SystemTime {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let times = entries.map(|entry| match entry.file_type().unwrap().is_dir() {
        true => newest(&entry.path()),
        false => entry.metadata().unwrap().modified().unwrap(),
    });
    times.max().unwrap_or(SystemTime::UNIX_EPOCH)
}

/// Stores what a server has compiled. `turn` ends with it.
pub fn keep(data_dir: &Path, target: &Path, turn: Option<File>) {
    link_all(&data_dir.join(ENTRIES), &shared(target).join(ENTRIES));
    if turn.is_some() {
        fs::write(complete(target), "").unwrap();
    }
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
