//! What the operator decides: where packages are, whom to trust, and the limits above every manifest.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use gtm_domain::Digest;
use tokio::time::Instant;

use crate::catalog::records::CatalogRecords;
use crate::egress::{CallBudget, EgressPolicy};
use crate::manifest::{Limits, PluginKind};
use crate::publisher::TrustedPublisher;

/// How the runtime is set up.
#[derive(Clone)]
pub struct RuntimeConfig {
    /// Directories with packages, `<kind>/<key>/<version>/`.
    pub catalog_dirs: Vec<PathBuf>,
    /// Directory of the compile cache; created with mode 0700, written only by the host.
    pub cache_dir: PathBuf,
    /// Key of the MAC over cached artifacts.
    pub cache_key: [u8; 32],
    /// Publishers whose signatures are accepted.
    pub trusted_publishers: Vec<TrustedPublisher>,
    /// Whether packages without a trusted signature load; for development only.
    pub allow_unsigned: bool,
    pub egress: EgressPolicy,
    /// Limits above those of every manifest.
    pub limits: HostLimits,
    /// What is remembered of packages: the same version with other bytes is refused for ever.
    pub records: CatalogRecords,
    /// Whether a version may come back with other bytes, and may do more than before without consent; for
    /// development only.
    pub allow_changed_packages: bool,
    /// Components that the operator withdrew: they are listed as blocked and never run.
    pub blocked_digests: Vec<Digest>,
    /// Program and arguments that compile one component in a child process
    /// ([`crate::compile::compile_child_main`]). If absent, components are compiled in this process.
    pub compile_command: Option<Vec<OsString>>,
}

/// Limits of the host. A manifest may ask for less, never for more.
#[derive(Debug, Clone)]
pub struct HostLimits {
    /// Sum over the memories of one instance, in bytes; a renderer of documents has
    /// [`RENDERER_MEMORY`] times as much.
    pub memory_bytes: u64,
    /// Wall-clock time of one connector, renderer or evaluator call.
    pub wall: Duration,
    /// Wall-clock time of one generation backend, provider calls included.
    pub backend_wall: Duration,
    /// CPU time of the guest in one call.
    pub cpu: Duration,
    /// Bytes of one answer, and of all artifacts of one call together; a renderer of documents has
    /// [`RENDERER_OUTPUT`] times as many.
    pub output_bytes: u64,
    pub input_bytes: u64,
    /// Bytes that one host call may copy out of the guest.
    pub hostcall_bytes: usize,
    /// Log lines of one call.
    pub log_lines: u32,
    pub log_line_bytes: usize,
    /// Stack of the guest, in bytes.
    pub wasm_stack_bytes: usize,
    /// Instances alive at once, of all plug-ins together. Generation backends get at most three quarters of
    /// them, since each waits for connectors; with a pool of one instance, they would wait in vain.
    pub pool_size: u32,
    /// HTTP requests of one connector call, redirects included.
    pub egress_requests: u32,
    /// Bytes of the decoded answers of one connector call, retries included.
    pub egress_bytes_in: u64,
    /// Bytes of the request bodies of one connector call, retries included.
    pub egress_bytes_out: u64,
    /// Bytes of one component file.
    pub component_bytes: u64,
    /// How long the compilation of one component may take, by the clock: on a busy machine it takes several times its
    /// CPU time.
    pub compile_time: Duration,
    /// Memory of a compiling child process, in bytes.
    pub compile_memory_bytes: u64,
}

/// Typesetting holds all pages, their fonts and their pictures at once.
const RENDERER_MEMORY: u64 = 3;
/// A document may be full of pictures; other answers are JSON.
const RENDERER_OUTPUT: u64 = 4;

impl HostLimits {
    /// Memory of an instance of this kind, in bytes.
    #[must_use]
    pub fn memory_of(&self, kind: PluginKind) -> u64 {
        match kind {
            PluginKind::DocumentRenderer => self.largest_memory(),
            _ => self.memory_bytes,
        }
    }

    /// Memory of the instances that have most, in bytes.
    #[must_use]
    pub const fn largest_memory(&self) -> u64 {
        self.memory_bytes.saturating_mul(RENDERER_MEMORY)
    }

    /// Bytes of what an instance of this kind makes.
    #[must_use]
    pub fn output_of(&self, kind: PluginKind) -> u64 {
        match kind {
            PluginKind::DocumentRenderer => self.output_bytes.saturating_mul(RENDERER_OUTPUT),
            _ => self.output_bytes,
        }
    }

    /// What one call may spend on egress, whether a plug-in or the host makes it: `requests`, and bytes as
    /// the manifest asks for them, up to the host's limits.
    #[must_use]
    pub fn egress_budget(&self, requests: u32, manifest: &Limits, deadline: Instant) -> CallBudget {
        CallBudget::new(
            requests.min(self.egress_requests).into(),
            manifest.egress_bytes_out.min(self.egress_bytes_out),
            manifest.egress_bytes_in.min(self.egress_bytes_in),
            deadline,
        )
    }
}

impl Default for HostLimits {
    fn default() -> Self {
        Self {
            memory_bytes: 256 * 1024 * 1024,
            wall: Duration::from_secs(600),
            backend_wall: Duration::from_secs(30 * 60),
            cpu: Duration::from_secs(30),
            output_bytes: 8 * 1024 * 1024,
            input_bytes: 8 * 1024 * 1024,
            hostcall_bytes: 16 * 1024 * 1024,
            log_lines: 1000,
            log_line_bytes: 4096,
            wasm_stack_bytes: 512 * 1024,
            pool_size: 64,
            egress_requests: 64,
            egress_bytes_in: 64 * 1024 * 1024,
            egress_bytes_out: 16 * 1024 * 1024,
            component_bytes: 64 * 1024 * 1024,
            compile_time: Duration::from_secs(1200),
            compile_memory_bytes: 4 * 1024 * 1024 * 1024,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_renderer_of_documents_has_more_than_the_others() {
        let limits = HostLimits::default();
        for kind in PluginKind::ALL {
            let is_renderer = kind == PluginKind::DocumentRenderer;
            assert_eq!(limits.memory_of(kind) > limits.memory_bytes, is_renderer);
            assert_eq!(limits.output_of(kind) > limits.output_bytes, is_renderer);
            assert!(limits.memory_of(kind) <= limits.largest_memory());
        }
    }
}
