//! `gtm serve`: starts everything in order, and stops it in the reverse order.

use std::sync::Arc;
use std::time::Duration;

use gtm_api::{Api, ApiConfig, Refusals, ServerLimits};
use gtm_engine::catalog::pin_bindings;
use gtm_engine::{Workers, fail_points, job_types, measures};
use gtm_runtime::{Catalog, ListedOnly};
use gtm_store::Store;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tokio::net::{TcpListener, TcpSocket};
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::backlog_gauges;
use crate::configuration::Effective;
use crate::configuration::layers::FILL_CATALOG;
use crate::configuration::sections::{Configuration, Egress};
use crate::descriptors;
use crate::exposition;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::logging;

/// How often retention is enforced.
const SWEEP_EVERY: Duration = Duration::from_secs(60 * 60);
/// Upper bounds of the duration histograms, in seconds.
const LATENCY_BUCKETS: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0, 5.0];
/// How many peers may wait to be accepted: new connections wait here while others are ended to make room.
const BACKLOG: u32 = 4096;
/// How much of an answer the system buffers per connection for a peer that does not read, in bytes. The
/// system's default is megabytes.
const SEND_BUFFER: u32 = 128 * 1024;
/// Maximum number of connections to the operator port, which only monitoring uses.
const OPERATOR_CONNECTIONS: usize = 64;
/// How often the metrics recorder drops data that it no longer needs.
const METRICS_UPKEEP: Duration = Duration::from_secs(5);

/// Serves until SIGTERM, SIGINT or Ctrl-C.
///
/// # Errors
/// If something cannot be started.
pub async fn run(effective: Effective) -> Result<(), Failure> {
    let configuration = effective.configuration.clone();
    logging::start(configuration.log.format, configuration.log.level.as_str())?;
    for name in &effective.ignored_variables {
        tracing::warn!(%name, "this variable is set but names no setting");
    }
    check_fail_point()?;
    let stop = stop_on_signal()?;
    let limits = server_limits(&configuration);
    let installation = Installation::open(effective).await?;
    // Before the plug-ins are loaded, so that a port in use is reported at once.
    let listener = bind(configuration.listen)?;
    let address = listener.local_addr()?;
    let docs_base = configuration.docs_base(address);
    let refusals = Refusals::new(&docs_base, Arc::clone(&installation.clock));
    let operator_port = match configuration.metrics_listen {
        Some(address) => Some((bind(address)?, record_metrics(&stop)?)),
        None => None,
    };
    for dir in installation.effective.unfilled_catalog_dirs() {
        tracing::warn!(dir = %dir.display(), "this catalog directory does not exist, so no plug-in is loaded from it and jobs that need one fail: {FILL_CATALOG}");
    }
    let windows = installation.redis_windows().await?;
    let runtime = installation.start_runtime_sharing(windows.as_ref()).await?;
    log_unused_packages(runtime.catalog());
    log_unknown_plugins(&configuration.egress, runtime.catalog());
    let operator = installation.operator();
    for row in pin_bindings(&operator, runtime.catalog()).await? {
        tracing::info!(binding = %row.id, capability = %row.capability, "this binding had no version; it is now pinned to the newest one");
    }

    let engine = installation.engine(runtime)?;
    let contract = gtm_api::contract().map_err(|error| Failure::new(error.to_string()))?;
    let api = Api::new(
        engine.clone(),
        ApiConfig {
            connections: limits.connections,
            ..installation.api_config(installation.rate_limiter(windows), &docs_base)
        },
        Arc::clone(&installation.clock),
        contract,
    );
    let workers = Workers::start(&engine);
    let sweeper = tokio::spawn(sweep(installation.store.clone(), stop.clone()));
    tracing::info!(%address, data_dir = %installation.effective.data_dir.display(), "gtm is ready at http://{address}");

    let grace = Duration::from_secs(configuration.shutdown_grace_seconds);
    let gauges = operator_port.as_ref().map(|_| {
        let clock = Arc::clone(&installation.clock);
        tokio::spawn(backlog_gauges::keep(
            installation.operator(),
            clock,
            stop.clone(),
        ))
    });
    let operator_port = operator_port.map(|(listener, metrics)| {
        let (api, refusals) = (api.clone(), refusals.clone());
        tokio::spawn(serve_operators(
            listener,
            api,
            metrics,
            refusals,
            stop.clone(),
        ))
    });
    let router = gtm_api::router(api);
    let served = gtm_api::serve(listener, router, refusals, limits, stop.clone(), grace);
    let worked = async {
        stop.cancelled().await;
        tracing::info!("stopping: finishing requests, handing jobs back");
        workers.shutdown(grace).await;
    };
    let serve_and_stop = async {
        let result = served.await;
        // A broken listener stops everything else too.
        stop.cancel();
        result
    };
    let (served, ()) = tokio::join!(serve_and_stop, worked);
    for task in [Some(sweeper), gauges, operator_port].into_iter().flatten() {
        let _ = task.await;
    }
    installation.store.close().await;
    tracing::info!("stopped");
    Ok(served?)
}

/// Danger: a test that names a fail point which does not exist would pass without its crash.
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

/// Raises the limit on open files, then limits connections to what it allows.
fn server_limits(configuration: &Configuration) -> ServerLimits {
    let limits = &configuration.limits;
    let engine = &configuration.engine;
    let files = descriptors::raise();
    let calls = engine
        .workers
        .get()
        .saturating_mul(engine.call_concurrency.get());
    let configured = limits.connections.get();
    let connections = descriptors::connections(configured, files, calls);
    if connections < configured {
        tracing::warn!(
            files,
            connections,
            configured,
            "the limit on open files allows fewer connections than limits.connections; raise its hard limit (ulimit -Hn, LimitNOFILE)"
        );
    }
    ServerLimits {
        write_stall: Duration::from_secs(limits.write_stall_seconds.get()),
        delivery: Duration::from_secs(limits.delivery_seconds.get()),
        connections,
        connections_per_address: limits.connections_per_address.get(),
        body: limits.body_bytes.get(),
        trusted_proxies: configuration.trusted_proxies.clone().into(),
        ..ServerLimits::default()
    }
}

fn bind(address: std::net::SocketAddr) -> Result<TcpListener, Failure> {
    let listen = || {
        let socket = if address.is_ipv4() {
            TcpSocket::new_v4()
        } else {
            TcpSocket::new_v6()
        }?;
        // A restart must not wait until the connections of the last run time out.
        socket.set_reuseaddr(true)?;
        // Accepted connections inherit it.
        socket.set_send_buffer_size(SEND_BUFFER)?;
        socket.bind(address)?;
        socket.listen(BACKLOG)
    };
    listen().map_err(|error| {
        Failure::new(format!("cannot listen on {address}: {error}"))
            .hint("choose another address with --listen, GTM_LISTEN or `listen` in gtm.toml")
    })
}

/// A token that the first signal cancels. The second signal ends the process at once, like a crash, which
/// jobs survive.
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
                tracing::warn!("second signal: ending at once");
                std::process::exit(130);
            }
            token.cancel();
        }
    });
    Ok(stop)
}

fn log_unused_packages(catalog: &Catalog) {
    for package in catalog.refused() {
        tracing::warn!(path = %package.path.display(), code = package.code, reason = %package.reason, "a package was refused");
    }
    for entry in catalog.listed() {
        if entry.reason == ListedOnly::Pending {
            tracing::warn!(kind = %entry.kind, key = %entry.key, version = %entry.version, "a version waits for `gtm plugin approve`");
        }
    }
}

/// A permission under a mistyped name permits nothing, which shows only when a job fails for want of it.
fn log_unknown_plugins(egress: &Egress, catalog: &Catalog) {
    for (setting, kind, key) in egress.plugins() {
        if !catalog.knows(kind, key) {
            tracing::warn!(setting, %kind, key, "this setting names a plug-in that the catalog does not have, and permits nothing");
        }
    }
}

async fn sweep(store: Store, stop: CancellationToken) {
    let mut tick = tokio::time::interval(SWEEP_EVERY);
    loop {
        tokio::select! {
            _ = tick.tick() => {}
            () = stop.cancelled() => return,
        }
        match store.sweep().await {
            Ok(report) => tracing::debug!(?report, "enforced retention"),
            Err(error) => {
                tracing::warn!(%error, "retention could not be enforced; trying again in an hour")
            }
        }
    }
}

/// Starts counting for `/metrics`.
fn record_metrics(stop: &CancellationToken) -> Result<PrometheusHandle, Failure> {
    let handle = PrometheusBuilder::new()
        .set_buckets(&LATENCY_BUCKETS)
        .and_then(PrometheusBuilder::install_recorder)
        .map_err(|error| Failure::new(format!("the metrics recorder did not start: {error}")))?;
    exposition::describe();
    measures::begin(job_types::ALL.iter().map(|entry| entry.job_type));
    let upkeep = handle.clone();
    let stop = stop.clone();
    tokio::spawn(async move {
        let mut tick = tokio::time::interval(METRICS_UPKEEP);
        while !stop.is_cancelled() {
            tick.tick().await;
            upkeep.run_upkeep();
        }
    });
    Ok(handle)
}

/// Serves the operator port. Its peers belong to the deployment and often share one address, so there is no
/// limit per address.
async fn serve_operators(
    listener: TcpListener,
    api: Api,
    metrics: PrometheusHandle,
    refusals: Refusals,
    stop: CancellationToken,
) {
    let router = gtm_api::operator_router(api, move || exposition::complete(&metrics.render()));
    let limits = ServerLimits {
        connections: OPERATOR_CONNECTIONS,
        connections_per_address: OPERATOR_CONNECTIONS,
        ..ServerLimits::default()
    };
    let grace = Duration::from_secs(1);
    if let Err(error) = gtm_api::serve(listener, router, refusals, limits, stop, grace).await {
        tracing::warn!(%error, "the operator port failed");
    }
}
