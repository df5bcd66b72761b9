//! From the configuration to the parts it describes: store, plug-in runtime and engine.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use gtm_api::rate_limit::redis::{RedisConfig, RedisWindows};
use gtm_api::{ApiConfig, Fallback, RateLimiter};
use gtm_domain::{Clock, MicroUsd, TierTable};
use gtm_engine::{Engine, EngineConfig, catalog};
use gtm_runtime::egress::EgressPolicy;
use gtm_runtime::{CatalogRecords, HostLimits, Runtime, RuntimeConfig, TrustedPublisher};
use gtm_store::{KeyRing, Operator, Store, StoreConfig, StoreError};

use crate::configuration::Effective;
use crate::configuration::layers::FILL_CATALOG;
use crate::configuration::sections::RateLimitFallback;
use crate::configuration::settings::{MASTER_KEY, PEPPER};
use crate::data_directory;
use crate::document_fonts;
use crate::failure::Failure;
use crate::operator_name;
use crate::provider_windows::ProviderWindows;
use crate::system_clock::SystemClock;

/// One installation as its configuration describes it.
pub struct Installation {
    pub effective: Effective,
    pub clock: Arc<dyn Clock>,
    pub store: Store,
    /// The name that the audit log records for actions here.
    pub operator_name: String,
}

impl Installation {
    /// Creates the data directory if it is absent, and opens the store.
    ///
    /// # Errors
    /// If directory, key ring or database cannot be used. A wrong master key has its own message.
    pub async fn open(effective: Effective) -> Result<Self, Failure> {
        let operator_name = operator_name::resolve()?;
        data_directory::prepare(&effective.data_dir)?;
        if let Some(file) = effective.readable_secrets() {
            tracing::warn!(
                file = %file.display(),
                "others can read this file, which holds a password: chmod 600 it"
            );
        }
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let keys = key_ring(&effective)?;
        let config = StoreConfig {
            database_url: effective
                .configuration
                .database_url
                .clone()
                .unwrap_or_default(),
            blob_dir: effective
                .configuration
                .blob_dir
                .clone()
                .unwrap_or_else(|| effective.data_dir.join("blobs")),
            allow_unrestricted_role: effective.configuration.allow_unrestricted_database_role,
            max_readers: 0,
            tiers: tiers(&effective)?,
        };
        let store = Store::connect(&config, keys, Arc::clone(&clock))
            .await
            .map_err(|error| unopened(&error, &effective))?;
        Ok(Self {
            effective,
            clock,
            store,
            operator_name,
        })
    }

    /// The operator side of the store.
    #[must_use]
    pub fn operator(&self) -> Operator {
        self.store.operator_named(&self.operator_name)
    }

    /// Loads the catalog and starts the sandbox for inspection only: new packages are not recorded, and compiled only
    /// if they are called.
    ///
    /// # Errors
    /// If sandbox, compile cache or egress gate cannot be set up. A bad package is not an error.
    pub async fn start_runtime(&self) -> Result<Runtime, Failure> {
        self.log_missing_catalogs();
        let config = self.runtime_config()?;
        Ok(catalog::look(config, &self.operator(), &self.clock).await?)
    }

    /// The same, but every component is compiled, so that one that cannot run is refused.
    ///
    /// # Errors
    /// As [`Installation::start_runtime`].
    pub async fn start_compiled_runtime(&self) -> Result<Runtime, Failure> {
        self.log_missing_catalogs();
        let config = self.runtime_config()?;
        Ok(catalog::check(config, &self.operator(), &self.clock).await?)
    }

    /// The same for commands that let jobs run plug-ins, or pin their versions: new packages are recorded.
    ///
    /// # Errors
    /// As [`Installation::start_runtime`], and if other nodes keep recording a different catalog.
    pub async fn start_recording_runtime(&self) -> Result<Runtime, Failure> {
        self.log_missing_catalogs();
        self.start_runtime_sharing(None).await
    }

    /// The same, counting requests to providers together with other nodes.
    ///
    /// # Errors
    /// As [`Installation::start_recording_runtime`].
    pub async fn start_runtime_sharing(
        &self,
        windows: Option<&RedisWindows>,
    ) -> Result<Runtime, Failure> {
        let mut config = self.runtime_config()?;
        config.egress.shared_windows = windows.map(ProviderWindows::shared);
        Ok(catalog::start(config, &self.operator(), &self.clock).await?)
    }

    /// Explains missing catalogs to administrative commands, whose log shows only errors: with nothing
    /// loaded, their next message would be hard to understand.
    fn log_missing_catalogs(&self) {
        for dir in self.effective.absent_catalog_dirs() {
            tracing::error!(dir = %dir.display(), "this catalog directory does not exist: {FILL_CATALOG}");
        }
    }

    fn runtime_config(&self) -> Result<RuntimeConfig, Failure> {
        runtime_config(&self.effective)
    }

    /// An engine over a started runtime. It runs no job until told to.
    ///
    /// # Errors
    /// If the fonts for documents cannot be read.
    pub fn engine(&self, runtime: Runtime) -> Result<Engine, Failure> {
        Ok(Engine::new(
            self.store.clone(),
            runtime,
            engine_config(&self.effective)?,
            Arc::clone(&self.clock),
        ))
    }

    /// Rate-limit windows that all nodes share, if the configuration names a Redis. If it does not answer,
    /// connecting continues in the background.
    ///
    /// # Errors
    /// If `redis_url` is not a Redis URL, or its root certificates cannot be used.
    pub async fn redis_windows(&self) -> Result<Option<RedisWindows>, Failure> {
        let configuration = &self.effective.configuration;
        let Some(url) = &configuration.redis_url else {
            return Ok(None);
        };
        let root_certificates = match &configuration.redis_root_certificates {
            None => None,
            Some(path) => Some(pem_certificates(path).map_err(|problem| {
                Failure::new(format!(
                    "redis_root_certificates: {}: {problem}",
                    path.display()
                ))
            })?),
        };
        let config = RedisConfig {
            url: url.clone(),
            root_certificates,
            timeout: Duration::from_millis(configuration.redis_timeout_ms.get()),
        };
        let windows = RedisWindows::start(&config).await.map_err(|error| {
            Failure::new(format!("redis_url: {error}"))
                .hint("use redis://:password@host:6379/0, or rediss:// for TLS")
        })?;
        Ok(Some(windows))
    }

    /// The rate limiter for API keys: in the shared windows if there are any, else in memory.
    #[must_use]
    pub fn rate_limiter(&self, windows: Option<RedisWindows>) -> RateLimiter {
        let Some(windows) = windows else {
            return RateLimiter::in_memory();
        };
        let fallback = match self.effective.configuration.rate_limit_fallback {
            RateLimitFallback::Memory => Fallback::Memory,
            RateLimitFallback::Allow => Fallback::Allow,
            RateLimitFallback::Refuse => Fallback::Refuse,
        };
        RateLimiter::shared(windows, fallback)
    }

    /// Settings of the API, which counts requests with `limiter` and starts links to its error reference
    /// with `docs_base`.
    #[must_use]
    pub fn api_config(&self, limiter: RateLimiter, docs_base: &str) -> ApiConfig {
        let configuration = &self.effective.configuration;
        ApiConfig {
            docs_base: docs_base.to_owned(),
            trusted_proxies: configuration.trusted_proxies.clone().into(),
            limiter: Arc::new(limiter),
            body_limit: configuration.limits.body_bytes.get(),
            body_timeout: Duration::from_secs(configuration.limits.body_seconds.get()),
            answer_timeout: Duration::from_secs(configuration.limits.answer_seconds.get()),
            failed_authentications_per_minute: configuration
                .limits
                .failed_authentications_per_minute
                .get(),
            readiness_checks_per_minute: configuration.limits.readiness_checks_per_minute.get(),
            disabled_capabilities: configuration
                .disabled_capabilities
                .iter()
                .map(|c| c.0.clone())
                .collect(),
            ..ApiConfig::default()
        }
    }
}

/// The bytes of a PEM file. Fails if it holds no certificate, because nothing would be trusted then.
fn pem_certificates(path: &std::path::Path) -> Result<Vec<u8>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    if text.contains("-----BEGIN CERTIFICATE-----") {
        Ok(text.into_bytes())
    } else {
        Err("there is no certificate in it".to_owned())
    }
}

/// The configured usage tiers.
fn tiers(effective: &Effective) -> Result<TierTable, Failure> {
    let configuration = &effective.configuration;
    configuration
        .usage_tiers
        .table(configuration.limits.requests_per_minute)
        .map_err(|error| Failure::new(format!("configuration: usage_tiers: {error}")))
}

/// The failure to open the store. If the database itself failed, it names that database.
fn unopened(error: &StoreError, effective: &Effective) -> Failure {
    let failure = Failure::from(error.clone());
    match (error, effective.database_url_shown()) {
        (StoreError::Database(_), Some(url)) if url.starts_with("sqlite") => {
            failure.hint(format!("the database is {url}"))
        }
        (StoreError::Unreachable { advice, .. }, Some(url)) => {
            failure.hint(format!("{advice} The database is {url}"))
        }
        (StoreError::Database(_), Some(url)) => failure.hint(format!(
            "the database is {url}: is its server running, and does it let this user in?"
        )),
        _ => failure,
    }
}

/// From the environment if it holds master keys, else from the data directory.
fn key_ring(effective: &Effective) -> Result<KeyRing, Failure> {
    let variable = |name: &str| match std::env::var(name) {
        Ok(text) => Ok(Some(text)),
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(std::env::VarError::NotUnicode(_)) => {
            Err(Failure::new(format!("{name} is not valid UTF-8")))
        }
    };
    match variable(MASTER_KEY)? {
        Some(masters) => Ok(KeyRing::from_base64(
            &masters,
            variable(PEPPER)?.as_deref(),
        )?),
        None => Ok(KeyRing::from_dir(&effective.data_dir)?),
    }
}

fn runtime_config(effective: &Effective) -> Result<RuntimeConfig, Failure> {
    let configuration = &effective.configuration;
    let limits = &configuration.limits;
    let seconds = |n: std::num::NonZeroU64| Duration::from_secs(n.get());
    Ok(RuntimeConfig {
        catalog_dirs: configuration.catalog_dirs.clone().unwrap_or_default(),
        cache_dir: effective.data_dir.join("compile-cache"),
        cache_key: data_directory::cache_key(&effective.data_dir)?,
        trusted_publishers: configuration
            .trusted_publishers
            .iter()
            .map(|p| TrustedPublisher {
                id: p.id.clone(),
                publisher: p.publisher.clone(),
                public_key: p.public_key.0,
                keys: p.keys.iter().map(|entry| entry.0.clone()).collect(),
                not_before: p.not_before,
                not_after: p.not_after,
            })
            .collect(),
        allow_unsigned: configuration.allow_unsigned,
        egress: EgressPolicy {
            private_hosts: configuration
                .egress
                .private_hosts
                .iter()
                .map(|entry| entry.0.clone())
                .collect(),
            deny_networks: configuration.egress.deny_networks.clone(),
            open_web: configuration.egress.open_web.clone(),
            free_urls: configuration.egress.free_urls.clone(),
            spool_dir: data_directory::spool(&effective.data_dir)?,
            nat64: configuration.egress.nat64,
            extra_root_certificates: configuration.egress.extra_root_certificates.clone(),
            ..EgressPolicy::default()
        },
        limits: HostLimits {
            memory_bytes: limits.plugin_memory_bytes.get(),
            wall: seconds(limits.plugin_wall_seconds),
            cpu: seconds(limits.plugin_cpu_seconds),
            output_bytes: limits.plugin_output_bytes.get(),
            // A generation backend waits for connectors, so it never has the only instance.
            pool_size: limits.plugin_instances.get().max(2),
            egress_requests: limits.plugin_egress_requests.get(),
            egress_bytes_in: limits.plugin_egress_bytes_in.get(),
            egress_bytes_out: limits.plugin_egress_bytes_out.get(),
            compile_time: seconds(limits.plugin_compile_seconds),
            ..HostLimits::default()
        },
        // Read from the store each time the catalog is loaded.
        records: CatalogRecords::default(),
        allow_changed_packages: configuration.allow_changed_packages,
        blocked_digests: configuration.blocked_digests.clone(),
        compile_command: Some(compile_command(std::env::current_exe())?),
    })
}

/// The command that runs this program as the compiling child. Danger: compiled in the host's own process, a
/// component made to exhaust the compiler exhausts the host. So if the program cannot find its own
/// executable, nothing is compiled.
fn compile_command(this_program: io::Result<PathBuf>) -> Result<Vec<OsString>, Failure> {
    let program = this_program.map_err(|error| {
        Failure::new(format!(
            "the program cannot find its own executable, which it starts to compile plug-ins: {error}"
        ))
        .hint("mount /proc, and start the program by a path that exists")
    })?;
    Ok(vec![
        program.into_os_string(),
        OsString::from("compile-component"),
    ])
}

fn engine_config(effective: &Effective) -> Result<EngineConfig, Failure> {
    let fonts = effective.configuration.document_fonts_dir.as_deref();
    let fonts = fonts.map(document_fonts::read).transpose()?;
    let section = &effective.configuration.engine;
    Ok(EngineConfig {
        document_fonts: Arc::new(fonts.unwrap_or_default()),
        workers: section.workers.get(),
        per_project_running: section.per_project_running.get(),
        lease: Duration::from_secs(section.lease_seconds.get()),
        job_deadline: Duration::from_secs(section.job_deadline_seconds.get()),
        call_concurrency: section.call_concurrency.get(),
        max_calls: section.max_calls.get(),
        job_cost_cap: MicroUsd::from_usd(section.job_cost_cap_usd.0)
            .unwrap_or(EngineConfig::default().job_cost_cap),
        job_cost_estimate: MicroUsd::from_usd(section.job_cost_estimate_usd.0)
            .unwrap_or(EngineConfig::default().job_cost_estimate),
        ..EngineConfig::default()
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_program_that_cannot_name_itself_compiles_nothing() {
        let command = compile_command(Ok("/opt/gtm".into())).unwrap();
        assert_eq!(command, ["/opt/gtm", "compile-component"]);
        let unnamed = io::Error::from(io::ErrorKind::NotFound);
        let failure = compile_command(Err(unnamed)).unwrap_err();
        assert!(
            failure.message.contains("cannot find its own executable"),
            "{failure:?}"
        );
        assert!(failure.hint.unwrap().contains("/proc"));
    }
}
