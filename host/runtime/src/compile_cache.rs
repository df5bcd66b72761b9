//! Compiled components on disk, so that a start takes milliseconds where compiling takes seconds.
//!
//! Danger: an artifact is machine code that runs with the host's rights, and wasmtime trusts its bytes.
//! That is why loading one is `unsafe`, and why this is the only module of the crate that may say so. The
//! invariant: bytes reach [`wasmtime::component::Component::deserialize`] only after a MAC over them, the
//! component's digest and the engine's compatibility hash was verified with a key that only this host
//! holds. Whoever can write into the directory can delete artifacts but not forge them.
#![allow(unsafe_code)]

use std::fs;
use std::hash::{Hash as _, Hasher};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::digest;
use aws_lc_rs::hmac;
use gtm_domain::Digest;
use wasmtime::Engine;
use wasmtime::component::Component;

use crate::manifest::PluginKind;

const MAC_LEN: usize = 32;

static WRITES: AtomicU64 = AtomicU64::new(0);

pub struct CompileCache {
    directory: PathBuf,
    key: hmac::Key,
    engine_hash: [u8; 32],
}

impl CompileCache {
    /// Opens the cache in `directory`, and creates that with mode 0700 if it is missing.
    ///
    /// # Errors
    /// If the directory cannot be created.
    pub fn open(directory: &Path, key: &[u8; 32], engine: &Engine) -> io::Result<Self> {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(directory)?;
        Ok(Self {
            directory: directory.to_owned(),
            key: hmac::Key::new(hmac::HMAC_SHA256, key),
            engine_hash: compatibility_hash(engine),
        })
    }

    /// Whether this host has compiled the component before and linked it to the world of this kind. Says
    /// nothing of whether the entry is genuine: [`CompileCache::load`] does.
    #[must_use]
    pub fn has(&self, component: &Digest, kind: PluginKind) -> bool {
        let long_enough = |entry: fs::Metadata| entry.len() > MAC_LEN as u64;
        fs::metadata(self.path(component)).is_ok_and(long_enough)
            && self.linked_path(component, kind).exists()
    }

    /// Remembers that the component fits the world of this kind. A cache that cannot be written is only
    /// logged: the component is linked again at the next start.
    pub fn remember_linked(&self, component: &Digest, kind: PluginKind) {
        if let Err(error) = fs::write(self.linked_path(component, kind), "") {
            tracing::warn!(component = %component, %error, "the compile cache cannot be written");
        }
    }

    /// The compiled component with this digest, if the cache holds a genuine one for this engine. Anything
    /// else counts as absent; it will be compiled and written again.
    pub fn load(&self, engine: &Engine, component: &Digest) -> Option<Component> {
        let bytes = fs::read(self.path(component)).ok()?;
        let (mac, artifact) = bytes.split_at_checked(MAC_LEN)?;
        let genuine = self.mac(component, artifact);
        if verify_slices_are_equal(genuine.as_ref(), mac).is_err() {
            tracing::warn!(component = %component, "ignoring an entry of the compile cache that is not genuine");
            return None;
        }
        self.deserialize(engine, artifact)
    }

    /// Stores an artifact that this host's engine compiled, and loads it.
    ///
    /// `artifact` must be the output of [`Engine::precompile_component`] for `component`, made by this
    /// program in this process or in its compiling child.
    ///
    /// # Errors
    /// If the engine rejects the artifact. A cache that cannot be written is only logged.
    pub fn store(
        &self,
        engine: &Engine,
        component: &Digest,
        artifact: &[u8],
    ) -> Result<Component, String> {
        if let Err(error) = self.write(component, artifact) {
            tracing::warn!(component = %component, %error, "the compile cache cannot be written");
        }
        self.deserialize(engine, artifact)
            .ok_or_else(|| "the engine rejects an artifact that was compiled for it".to_owned())
    }

    fn deserialize(&self, engine: &Engine, artifact: &[u8]) -> Option<Component> {
        // SAFETY: both callers hold the invariant of this module: the artifact either carries a MAC
        // that was just verified or was just compiled by this program. It is read from memory, so it
        // cannot change between check and use.
        let loaded = unsafe { Component::deserialize(engine, artifact) };
        loaded
            .inspect_err(|error| tracing::warn!(%error, "a compiled component failed to load"))
            .ok()
    }

    fn write(&self, component: &Digest, artifact: &[u8]) -> io::Result<()> {
        let mac = self.mac(component, artifact);
        let path = self.path(component);
        // Written to a temporary file and renamed, so that a reader never sees half of it. No other writer
        // uses that name, in this process or in another host that is starting.
        let number = WRITES.fetch_add(1, Ordering::Relaxed);
        let aside = path.with_extension(format!("{}-{number}.tmp", std::process::id()));
        let mut options = fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&aside)?;
        file.write_all(mac.as_ref())?;
        file.write_all(artifact)?;
        drop(file);
        fs::rename(&aside, &path)
    }

    /// Over parts, not over a copy: artifacts have megabytes, and every start reads all of them.
    fn mac(&self, component: &Digest, artifact: &[u8]) -> hmac::Tag {
        let mut message = hmac::Context::with_key(&self.key);
        message.update(component.as_bytes());
        message.update(&self.engine_hash);
        message.update(artifact);
        message.sign()
    }

    fn path(&self, component: &Digest) -> PathBuf {
        self.entry(component, "cwasm")
    }

    fn linked_path(&self, component: &Digest, kind: PluginKind) -> PathBuf {
        self.entry(component, &format!("{kind}.linked"))
    }

    fn entry(&self, component: &Digest, extension: &str) -> PathBuf {
        let engine = hex::encode(&self.engine_hash[..8]);
        let name = format!("{}-{engine}.{extension}", component.to_hex());
        self.directory.join(name)
    }
}

/// SHA-256 over everything that decides whether an artifact suits an engine, and the host's version, which
/// decides what the worlds provide.
fn compatibility_hash(engine: &Engine) -> [u8; 32] {
    struct Sha256(digest::Context);
    impl Hasher for Sha256 {
        fn write(&mut self, bytes: &[u8]) {
            self.0.update(bytes);
        }
        fn finish(&self) -> u64 {
            0
        }
    }
    let mut hasher = Sha256(digest::Context::new(&digest::SHA256));
    engine.precompile_compatibility_hash().hash(&mut hasher);
    env!("CARGO_PKG_VERSION").hash(&mut hasher);
    let mut hash = [0; 32];
    hash.copy_from_slice(hasher.0.finish().as_ref());
    hash
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    // The smallest component: a header and nothing else.
    const EMPTY: &[u8] = b"\0asm\x0d\0\x01\0";

    fn setup() -> (tempfile::TempDir, Engine, Digest, Vec<u8>) {
        let engine = Engine::default();
        let artifact = engine.precompile_component(EMPTY).unwrap();
        (
            tempfile::tempdir().unwrap(),
            engine,
            Digest::of(EMPTY),
            artifact,
        )
    }

    #[test]
    fn what_was_stored_is_loaded() {
        let (directory, engine, digest, artifact) = setup();
        let cache = CompileCache::open(directory.path(), &[7; 32], &engine).unwrap();
        assert!(cache.load(&engine, &digest).is_none());
        assert!(cache.store(&engine, &digest, &artifact).is_ok());
        assert!(cache.load(&engine, &digest).is_some());
    }

    #[test]
    fn a_component_is_linked_to_each_world_once() {
        let (directory, engine, digest, artifact) = setup();
        let cache = CompileCache::open(directory.path(), &[7; 32], &engine).unwrap();
        let (one, other) = (PluginKind::Evaluator, PluginKind::Connector);
        cache.remember_linked(&digest, one);
        assert!(!cache.has(&digest, one), "nothing is compiled");
        cache.store(&engine, &digest, &artifact).unwrap();
        assert!(cache.has(&digest, one) && !cache.has(&digest, other));
    }

    #[test]
    fn a_changed_foreign_or_moved_entry_counts_as_absent() {
        let (directory, engine, digest, artifact) = setup();
        let cache = CompileCache::open(directory.path(), &[7; 32], &engine).unwrap();
        cache.store(&engine, &digest, &artifact).unwrap();
        let path = cache.path(&digest);
        let genuine = fs::read(&path).unwrap();

        let mut changed = genuine.clone();
        *changed.last_mut().unwrap() ^= 1;
        fs::write(&path, &changed).unwrap();
        assert!(cache.load(&engine, &digest).is_none());
        fs::write(&path, &genuine[..10]).unwrap();
        assert!(cache.load(&engine, &digest).is_none());

        fs::write(&path, &genuine).unwrap();
        let other_key = CompileCache::open(directory.path(), &[8; 32], &engine).unwrap();
        assert!(other_key.load(&engine, &digest).is_none());
        // A genuine entry under another component's name counts as absent.
        let other = Digest::of(b"other");
        fs::copy(&path, cache.path(&other)).unwrap();
        assert!(cache.load(&engine, &other).is_none());
        assert!(cache.load(&engine, &digest).is_some());
    }
}
