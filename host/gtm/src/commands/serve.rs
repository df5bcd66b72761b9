//! `gtm serve`: everything started in order, and stopped in the reverse order.

use std::sync::Arc;
use std::time::Duration;

use gtm_api::{Api, Refusals, ServerLimits};
use gtm_engine::fail_points;
use gtm_runtime::Catalog;
use gtm_store::{PluginPackage, Store};
use metrics_exporter_prometheus::PrometheusBuilder;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::configuration::Effective;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::logging;

/// How often retention is enforced.
const SWEEP_EVERY: Duration = Duration::from_secs(60 * 60);
/// Upper bounds of the duration histograms, in seconds.
const LATENCY_BUCKETS: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0, 5.0];
/// How often the metrics recorder drops what it need not keep.
const METRICS_UPKEEP: Duration = Duration::from_secs(5);

/// Serve until SIGTERM, SIGINT or Ctrl-C.
///
/// # Errors
/// If something cannot be started.
pub async fn run(effective: Effective) -> Result<(), Failure> {
    let configuration = effective.configuration.clone();
    logging::start(&configuration.log)?;
    for name in &effective.ignored_variables {
        tracing::warn!(%name, "this variable is set but names no setting");
    }
    check_fail_point()?;
    let stop = stop_on_signal()?;
    let installation = Installation::open(effective).await?;
    // Before the plug-ins are loaded, so that a taken port is told at once.
    let listener = bind(configuration.listen).await?;
    let address = listener.local_addr()?;
    let docs_base = configuration.docs_base(address);
    let refusals = Refusals::new(&docs_base, Arc::clone(&installation.clock));
    let metrics = match configuration.metrics_listen {
        Some(address) => Some(serve_metrics(
            bind(address).await?,
            refusals.clone(),
            stop.clone(),
        )?),
        None => None,
    };
    let windows = installation.redis_windows().await?;
    let runtime = installation.start_runtime_sharing(windows.as_ref()).await?;
    tell_refused(runtime.catalog());
    installation
        .operator()
        .record_plugins(&packages(runtime.catalog()))
        .await?;

    let engine = installation.engine(runtime);
    let api = Api::new(
        engine.clone(),
        installation.api_config(installation.rate_limiter(windows), &docs_base),
        Arc::clone(&installation.clock),
    )
    .map_err(|error| Failure::new(error.to_string()))?;
    let workers = engine.start_workers();
    let sweeper = tokio::spawn(sweep(installation.store.clone(), stop.clone()));
    tracing::info!(%address, data_dir = %installation.effective.data_dir.display(), "gtm is ready at http://{address}");

    let grace = Duration::from_secs(configuration.shutdown_grace_seconds);
    let limits = ServerLimits {
        connections: configuration.limits.connections.get(),
        ..ServerLimits::default()
    };
    let router = gtm_api::router(api);
    let served = gtm_api::serve(listener, router, refusals, limits, stop.clone(), grace);
    let worked = async {
        stop.cancelled().await;
        tracing::info!("stopping: finishing requests, handing jobs back");
        workers.shutdown(grace).await;
    };
    let serve_and_stop = async {
        let result = served.await;
        // A listener that broke stops the rest too.
        stop.cancel();
        result
    };
    let (served, ()) = tokio::join!(serve_and_stop, worked);
    for task in [Some(sweeper), metrics].into_iter().flatten() {
        let _ = task.await;
    }
    installation.store.close().await;
    tracing::info!("stopped");
    Ok(served?)
}

/// A test that names a point which does not exist would pass without its crash.
fn check_fail_point() -> Result<(), Failure> {
    let Some(value) = std::env::var_os(fail_points::VARIABLE) else {
        return Ok(());
    };
    if !fail_points::ENABLED {
        tracing::warn!(name = %fail_points::VARIABLE, "this variable is set, but this build has no fail points");
        return Ok(());
    }
    match value.to_str().and_then(fail_points::parse) {
        Some(_) => Ok(()),
        None => Err(
            Failure::new(format!("{} names no fail point", fail_points::VARIABLE)).hint(format!(
                "<name>, <name>:<n> or panic@<name>:<n>, where <name> is one of {}",
                fail_points::ALL.join(", ")
            )),
        ),
    }
}

async fn bind(address: std::net::SocketAddr) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).await.map_err(|error| {
        Failure::new(format!("cannot listen on {address}: {error}"))
            .hint("choose another address with --listen, GTM_LISTEN or `listen` in gtm.toml")
    })
}

/// A token that is canceled by the first signal. The second one ends the process the hard way, as a
/// crash would: jobs survive that.
fn stop_on_signal() -> Result<CancellationToken, Failure> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let stop = CancellationToken::new();
    let token = stop.clone();
    tokio::spawn(async move {
        for round in 0..2 {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            if round == 1 {
                tracing::warn!("told twice to stop: ending at once");
                std::process::exit(130);
            }
            token.cancel();
        }
    });
    Ok(stop)
}

fn tell_refused(catalog: &Catalog) {
    for package in catalog.refused() {
        tracing::warn!(path = %package.path.display(), code = package.code, reason = %package.reason, "a package was refused");
    }
}

fn packages(catalog: &Catalog) -> Vec<PluginPackage> {
    let package = |plugin: &Arc<gtm_runtime::Plugin>| PluginPackage {
        digest: plugin.digest,
        kind: plugin.kind.key().to_owned(),
        key: plugin.key.clone(),
        version: plugin.version.to_string(),
        manifest: plugin.manifest_json.clone(),
    };
    catalog.plugins().iter().map(package).collect()
}

async fn sweep(store: Store, stop: CancellationToken) {
    let mut tick = tokio::time::interval(SWEEP_EVERY);
    loop {
        tokio::select! {
            _ = tick.tick() => {}
            () = stop.cancelled() => return,
        }
        match store.sweep().await {
            Ok(report) => tracing::debug!(?report, "retention was enforced"),
            Err(error) => {
                tracing::warn!(%error, "retention could not be enforced; it is tried again in an hour")
            }
        }
    }
}

/// The operator port: `/metrics` for Prometheus.
fn serve_metrics(
    listener: TcpListener,
    refusals: Refusals,
    stop: CancellationToken,
) -> Result<JoinHandle<()>, Failure> {
    let handle = PrometheusBuilder::new()
        .set_buckets(&LATENCY_BUCKETS)
        .and_then(PrometheusBuilder::install_recorder)
        .map_err(|error| Failure::new(format!("the metrics recorder does not start: {error}")))?;
    let upkeep = handle.clone();
    let upkeep_stop = stop.clone();
    tokio::spawn(async move {
        let mut tick = tokio::time::interval(METRICS_UPKEEP);
        while !upkeep_stop.is_cancelled() {
            tick.tick().await;
            upkeep.run_upkeep();
        }
    });
    let router = gtm_api::operator_router(move || handle.render());
    Ok(tokio::spawn(async move {
        let served = gtm_api::serve(
            listener,
            router,
            refusals,
            ServerLimits::default(),
            stop,
            Duration::from_secs(1),
        )
        .await;
        if let Err(error) = served {
            tracing::warn!(%error, "the operator port broke");
        }
    }))
}
