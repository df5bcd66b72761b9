//! A component's machine code. It is loaded at the component's first call: a catalog has many plug-ins, most
//! processes call few of them or none, and a large one takes longer to load than the rest of the catalog.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

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
        let artifact = compile::compile(sandbox.engine(), bytes, command, &self.limits).await?;
        self.cache
            .store(sandbox.engine(), &digest, &artifact)
            .map_err(|reason| ("compile_failed", reason))
    }
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
    /// Compiles a component that the cache does not hold, so that one that cannot run is refused with its
    /// package. `bytes` are the component's, whose digest was checked.
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
        let code = Self {
            source: source.clone(),
            kind,
            package,
            declared,
            prepared: OnceCell::new(),
        };
        let digest = code.declared.digest;
        if !source.cache.has(&digest, kind) {
            let component = match source.kept(sandbox, digest).await {
                Some(component) => component,
                None => {
                    tracing::info!(
                        package = %code.package.display(),
                        "compiling a plug-in once; later starts find it in the cache"
                    );
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
                    self.source.compiled(sandbox, digest, bytes).await?
                }
            };
            self.prepare(sandbox, &component)
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
