//! A component's machine code. It is loaded at the component's first call: a catalog has many plug-ins, most
//! processes call few of them or none, and a large one takes longer to load than the rest of the catalog.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use gtm_domain::Digest;
use tokio::sync::OnceCell;
use wasmtime::component::Component;

use super::package_files::{self, Refusal};
use crate::blocking_work::blocking_work;
use crate::compile;
use crate::compile_cache::CompileCache;
use crate::config::{HostLimits, RuntimeConfig};
use crate::error::PluginError;
use crate::manifest::{ComponentRef, PluginKind};
use crate::sandbox::{Prepared, Sandbox};

/// When a component is compiled that the cache does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compilation {
    /// Before anything is called, so that a component that cannot run is refused with its package.
    AtStart,
    /// At its first call: whoever only reads the catalog waits for no compiler.
    AtFirstCall,
}

/// Where machine code comes from.
#[derive(Clone)]
pub struct CodeSource {
    cache: Arc<CompileCache>,
    compile_command: Option<Vec<OsString>>,
    limits: HostLimits,
}

impl CodeSource {
    pub fn new(cache: CompileCache, config: &RuntimeConfig) -> Self {
        Self {
            cache: Arc::new(cache),
            compile_command: config.compile_command.clone(),
            limits: config.limits.clone(),
        }
    }

    /// Whether this host has compiled the component before, for the world of this kind.
    pub fn has(&self, digest: &Digest, kind: PluginKind) -> bool {
        self.cache.has(digest, kind)
    }

    /// The machine code in the cache, if it is genuine.
    async fn kept(&self, sandbox: &Sandbox, digest: Digest) -> Option<Component> {
        let (cache, engine) = (Arc::clone(&self.cache), sandbox.engine().clone());
        let loading = blocking_work(move || cache.load(&engine, &digest)).await;
        let kept = loading.ok().flatten();
        let result = if kept.is_some() { "hit" } else { "miss" };
        metrics::counter!("gtm_compile_cache_lookups_total", "result" => result).increment(1);
        kept
    }

    async fn compiled(
        &self,
        sandbox: &Sandbox,
        digest: Digest,
        bytes: Vec<u8>,
    ) -> Result<Component, Refusal> {
        let command = self.compile_command.as_deref();
        let began = Instant::now();
        let artifact = compile::compile(sandbox.engine(), bytes, command, &self.limits).await?;
        tracing::info!(component = %digest, seconds = began.elapsed().as_secs(), "compiled");
        self.cache
            .store(sandbox.engine(), &digest, &artifact)
            .map_err(|reason| ("compile_failed", reason))
    }
}

/// Logged here, because the log of administrative commands shows what this module says.
pub fn tell_of_compilations(plugins: usize) {
    tracing::info!(
        plugins,
        "compiling plug-ins once; later starts find them in the cache. A large one takes minutes"
    );
}

/// The machine code of one plug-in.
pub struct Code {
    source: CodeSource,
    kind: PluginKind,
    package: PathBuf,
    declared: ComponentRef,
    prepared: OnceCell<Prepared>,
}

impl Code {
    /// Code that is compiled now, if it has to be. `bytes` are the component's, whose digest was checked.
    ///
    /// # Errors
    /// `compile_failed`, `compile_timeout` or `world_not_implemented`, with the reason.
    pub async fn of(
        source: &CodeSource,
        sandbox: &Sandbox,
        kind: PluginKind,
        package: PathBuf,
        declared: ComponentRef,
        bytes: Vec<u8>,
    ) -> Result<Self, Refusal> {
        let code = Self::uncompiled(source, kind, package, declared);
        let digest = code.declared.digest;
        if !source.has(&digest, kind) {
            let component = match source.kept(sandbox, digest).await {
                Some(component) => component,
                None => {
                    tracing::info!(package = %code.package.display(), "compiling a plug-in");
                    source.compiled(sandbox, digest, bytes).await?
                }
            };
            let prepared = code.prepare(sandbox, &component)?;
            source.cache.remember_linked(&digest, kind);
            // Nothing else has seen it yet, so it is still empty.
            let _ = code.prepared.set(prepared);
        }
        Ok(code)
    }

    /// Code that is compiled at its first call, if it has to be.
    pub fn uncompiled(
        source: &CodeSource,
        kind: PluginKind,
        package: PathBuf,
        declared: ComponentRef,
    ) -> Self {
        Self {
            source: source.clone(),
            kind,
            package,
            declared,
            prepared: OnceCell::new(),
        }
    }

    /// Whether the next call needs no compiler.
    pub fn is_compiled(&self) -> bool {
        self.prepared.initialized() || self.source.has(&self.declared.digest, self.kind)
    }

    /// The component, linked to its world. Loads it at the first call; if the cache no longer has it, reads
    /// the package again and compiles it.
    ///
    /// # Errors
    /// If neither gives the component that the manifest states.
    pub async fn prepared(&self, sandbox: &Sandbox) -> Result<&Prepared, PluginError> {
        let loading = self.prepared.get_or_try_init(|| async {
            let digest = self.declared.digest;
            let component = match self.source.kept(sandbox, digest).await {
                Some(component) => component,
                None => {
                    let bytes = self.read_again().await?;
                    tracing::info!(package = %self.package.display(), "compiling a plug-in");
                    self.source.compiled(sandbox, digest, bytes).await?
                }
            };
            let prepared = self.prepare(sandbox, &component)?;
            self.source.cache.remember_linked(&digest, self.kind);
            Ok(prepared)
        });
        loading.await.map_err(|(code, reason)| {
            PluginError::Unavailable(format!("its component cannot be loaded: {code}: {reason}"))
        })
    }

    fn prepare(&self, sandbox: &Sandbox, component: &Component) -> Result<Prepared, Refusal> {
        sandbox
            .prepare(self.kind, component)
            .map_err(|error| ("world_not_implemented", format!("{error:#}")))
    }

    async fn read_again(&self) -> Result<Vec<u8>, Refusal> {
        let (package, declared) = (self.package.clone(), self.declared.clone());
        let most = self.source.limits.component_bytes;
        let reading =
            blocking_work(move || package_files::read_component_of(&package, &declared, most));
        let read = reading.await;
        read.unwrap_or_else(|error| Err(("package_unreadable", error.to_string())))
    }
}
