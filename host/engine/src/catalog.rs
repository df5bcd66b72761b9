//! The catalog and its record in the store: recorded packages decide which packages may be used, and a new
//! package is recorded before anything of it runs.

use std::sync::Arc;

use gtm_domain::Clock;
use gtm_domain::binding::{Binding, BindingTarget};
use gtm_domain::plugin::{KnownPlugin, PluginKey, PluginPackage, PluginRecords, PluginVersion};
use gtm_runtime::{
    Catalog, CatalogRecords, PackageRecord, PluginKind, Runtime, RuntimeConfig, RuntimeError,
    Sighting,
};
use gtm_store::{Operator, StoreError};

/// How often to load a catalog that differs from what other nodes have just recorded before giving up.
const ATTEMPTS: u32 = 5;

/// Why the catalog cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// The runtime did not start.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Other nodes recorded something else each time.
    #[error(
        "{0} is recorded otherwise each time the catalog is loaded: nodes have different catalogs"
    )]
    Contradicted(String),
}

/// Loads the catalog against the records in the store without recording anything, and without compiling anything
/// before it is called.
///
/// # Errors
/// See [`CatalogError`]. A bad package is not an error.
pub async fn look(
    config: RuntimeConfig,
    operator: &Operator,
    clock: &Arc<dyn Clock>,
) -> Result<Runtime, CatalogError> {
    let config = with_records(config, operator).await?;
    Ok(Runtime::look(config, Arc::clone(clock)).await?)
}

/// The same, but compiles every component, so that one that cannot run is refused.
///
/// # Errors
/// See [`CatalogError`]. A bad package is not an error.
pub async fn check(
    config: RuntimeConfig,
    operator: &Operator,
    clock: &Arc<dyn Clock>,
) -> Result<Runtime, CatalogError> {
    let config = with_records(config, operator).await?;
    Ok(Runtime::start(config, Arc::clone(clock)).await?)
}

async fn with_records(
    config: RuntimeConfig,
    operator: &Operator,
) -> Result<RuntimeConfig, CatalogError> {
    Ok(RuntimeConfig {
        records: records(&operator.plugin_records().await?),
        ..config
    })
}

/// Loads the catalog against the records in the store, and records what is new.
///
/// # Errors
/// See [`CatalogError`]. A bad package is not an error.
pub async fn start(
    config: RuntimeConfig,
    operator: &Operator,
    clock: &Arc<dyn Clock>,
) -> Result<Runtime, CatalogError> {
    let mut contradicted = String::new();
    for _ in 0..ATTEMPTS {
        let changes_allowed = config.allow_changed_packages;
        let runtime = check(config.clone(), operator, clock).await?;
        let sightings = runtime.catalog().sightings();
        let mut packages: Vec<_> = sightings.into_iter().map(package).collect();
        // Nodes that start at the same time lock rows in the same order, so that they cannot deadlock.
        packages.sort_by(|a, b| {
            let (a, b) = (&a.content, &b.content);
            (&a.plugin, &a.version).cmp(&(&b.plugin, &b.version))
        });
        let contradicting = operator.record_plugins(&packages).await?;
        match contradicting.first() {
            Some(package) if !changes_allowed => {
                contradicted = format!("{} {}", package.content.plugin, package.content.version);
            }
            _ => return Ok(runtime),
        }
    }
    Err(CatalogError::Contradicted(contradicted))
}

/// The store's records as the runtime reads them. A kind unknown to this version has no packages here
/// either, so its records are left out.
#[must_use]
pub fn records(stored: &PluginRecords) -> CatalogRecords {
    let kind = |plugin: &PluginKey| PluginKind::from_key(&plugin.kind);
    CatalogRecords {
        packages: stored
            .packages
            .iter()
            .filter_map(|known| Some(record(kind(&known.content.plugin)?, known)))
            .collect(),
        publishers: stored
            .publishers
            .iter()
            .filter_map(|known| {
                let plugin = (kind(&known.plugin)?, known.plugin.key.clone());
                Some((plugin, known.publisher.clone()))
            })
            .collect(),
    }
}

fn record(kind: PluginKind, known: &KnownPlugin) -> PackageRecord {
    let content = &known.content;
    PackageRecord {
        kind,
        key: content.plugin.key.clone(),
        version: content.version.clone(),
        component: content.component_digest,
        manifest_digest: content.manifest_digest,
        manifest: content.manifest.clone(),
        approved: known.approved_at.is_some(),
    }
}

fn package(sighting: Sighting) -> PluginPackage {
    let Sighting { package, publisher } = sighting;
    PluginPackage {
        content: PluginVersion {
            plugin: PluginKey {
                kind: package.kind.key().to_owned(),
                key: package.key,
            },
            version: package.version,
            component_digest: package.component,
            manifest_digest: package.manifest_digest,
            manifest: package.manifest,
        },
        publisher,
        approved: package.approved,
    }
}

/// Gives bindings of backends without a version the one that they have followed until now, the newest. Only
/// bindings older than stored versions have none.
///
/// # Errors
/// If the store fails.
pub async fn pin_bindings(
    operator: &Operator,
    catalog: &Catalog,
) -> Result<Vec<Binding>, StoreError> {
    let bindings = operator.list_bindings().await?;
    let versions: Vec<_> = bindings
        .iter()
        .filter_map(|row| match &row.target {
            BindingTarget::Backend { key, version: None } => {
                let newest = catalog.find(PluginKind::GenerationBackend, key, None)?;
                Some((row.id, newest.version.to_string()))
            }
            _ => None,
        })
        .collect();
    if versions.is_empty() {
        return Ok(Vec::new());
    }
    operator.pin_bindings(&versions).await
}
