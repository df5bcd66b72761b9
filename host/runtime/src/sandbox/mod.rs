//! The sandbox: one engine, one linker per world, a pool of instances, and the run of one call in a fresh
//! store and instance within its limits. No state survives a call.
//!
//! What a call keeps in its store is in [`crate::guest`], what guests may ask of the host in
//! [`crate::interfaces`], and what a call means in [`crate::calls`].

pub mod bindings;
mod cpu;
mod engine;
mod log_buffer;
mod memory;
mod no_answer;
mod state;
mod worlds;

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::sync::{AcquireError, Semaphore, SemaphorePermit};
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;
use wasmtime::component::Component;
use wasmtime::{Engine, Store, UpdateDeadline};

use crate::config::HostLimits;
use crate::error::PluginError;
use crate::manifest::PluginKind;
use crate::outcome::Resources;

pub use engine::config as engine_config;
pub use log_buffer::LogBuffer;
pub use no_answer::{Abort, CpuExceeded};
pub use state::{GuestCore, GuestState};
pub use worlds::{Linkers, Prepared};

/// One of so many instances may be a document renderer's.
const RENDERERS: usize = 16;

/// A pool instance in use, counted for monitoring.
pub struct Room<'s> {
    _instance: SemaphorePermit<'s>,
    _of_kind: Option<SemaphorePermit<'s>>,
}

impl Drop for Room<'_> {
    fn drop(&mut self) {
        metrics::gauge!("gtm_plugin_instances_busy").decrement(1.0);
    }
}

/// Everything needed to run components.
pub struct Sandbox {
    engine: Engine,
    linkers: Linkers,
    pool: Semaphore,
    /// How many instances generation backends may have. DANGER: a backend keeps its instance while it waits
    /// for connectors, so backends with all instances would wait for ever.
    backends: Semaphore,
    /// How many instances document renderers may have, because each may have more memory than others.
    renderers: Semaphore,
    limits: HostLimits,
}

/// Limits of one run: those of manifest and host combined.
#[derive(Debug, Clone)]
pub struct RunLimits {
    pub deadline: Instant,
    pub cpu: Duration,
    /// Cancels the run.
    pub cancel: CancellationToken,
}

impl Sandbox {
    /// Starts the engine and links the worlds.
    ///
    /// # Errors
    /// If wasmtime refuses.
    pub fn start(limits: HostLimits) -> wasmtime::Result<Self> {
        let engine = engine::start(&limits)?;
        let linkers = Linkers::new(&engine)?;
        let pool_size = limits.pool_size.max(1);
        metrics::gauge!("gtm_plugin_instances_limit").set(f64::from(pool_size));
        let pool_size = usize::try_from(pool_size).unwrap_or(1);
        let pool = Semaphore::new(pool_size);
        let for_others = (pool_size / 4).max(1);
        let backends = Semaphore::new(pool_size.saturating_sub(for_others).max(1));
        let renderers = Semaphore::new((pool_size / RENDERERS).max(1));
        Ok(Self {
            engine,
            linkers,
            pool,
            backends,
            renderers,
            limits,
        })
    }

    pub const fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Links a component to the world of its kind, as far as that can be done once for all calls.
    ///
    /// # Errors
    /// If the component imports what the world does not provide, or lacks an export that the world
    /// requires.
    pub fn prepare(&self, kind: PluginKind, component: &Component) -> wasmtime::Result<Prepared> {
        self.linkers.prepare(kind, component)
    }

    /// Waits for a free instance, as long as the caller has time. A call that gave up earlier would end a
    /// job whose earlier calls are paid for.
    ///
    /// # Errors
    /// If the time is up, or the call is canceled.
    pub async fn room(
        &self,
        kind: PluginKind,
        until: Instant,
        cancel: &CancellationToken,
    ) -> Result<Room<'_>, PluginError> {
        let acquire = async {
            let of_kind = match kind {
                PluginKind::GenerationBackend => Some(self.backends.acquire().await?),
                PluginKind::DocumentRenderer => Some(self.renderers.acquire().await?),
                _ => None,
            };
            let instance = self.pool.acquire().await?;
            Ok::<_, AcquireError>((of_kind, instance))
        };
        let (of_kind, instance) = tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(PluginError::Canceled),
            acquired = timeout_at(until, acquire) => match acquired {
                Ok(Ok(permits)) => permits,
                Ok(Err(_)) => {
                    return Err(PluginError::Unavailable("the sandbox has shut down".to_owned()));
                }
                Err(_) => {
                    return Err(PluginError::Unavailable("no instance became free in time".to_owned()));
                }
            },
        };
        metrics::gauge!("gtm_plugin_instances_busy").increment(1.0);
        Ok(Room {
            _instance: instance,
            _of_kind: of_kind,
        })
    }

    /// Runs `call` in a fresh store that holds `state`. Returns the state even if the run failed: it holds
    /// what was recorded.
    pub async fn run<T, R>(
        &self,
        room: Room<'_>,
        state: T,
        run: RunLimits,
        call: impl for<'a> FnOnce(&'a mut Store<T>) -> BoxFuture<'a, wasmtime::Result<R>>,
    ) -> (Result<R, PluginError>, T, Resources)
    where
        T: GuestState,
    {
        let begun = Instant::now();
        let mut store = Store::new(&self.engine, state);
        let cpu = Arc::clone(&store.data_mut().core().cpu);
        store.limiter(|state| &mut state.core().memory);
        store.set_hostcall_fuel(self.limits.hostcall_bytes);
        store.set_max_component_handles(1024);
        store.set_epoch_deadline(1);
        let cpu_limit = run.cpu;
        store.epoch_deadline_callback(move |mut context| {
            if context.data_mut().core().cpu.used() > cpu_limit {
                return Err(CpuExceeded.into());
            }
            Ok(UpdateDeadline::Yield(1))
        });

        // Dropping the call's future ends the guest wherever it is; the store remains ours.
        let result = tokio::select! {
            biased;
            () = run.cancel.cancelled() => Err(PluginError::Canceled),
            result = timeout_at(run.deadline, cpu.count(call(&mut store))) => match result {
                Ok(Ok(value)) => Ok(value),
                Ok(Err(error)) => Err(no_answer::classify(&error, &store.data_mut().core().memory)),
                Err(_) => Err(PluginError::LimitExceeded {
                    limit: "time",
                    message: "the call took longer than allowed".to_owned(),
                }),
            },
        };
        let mut state = store.into_data();
        drop(room);
        let resources = Resources {
            peak_memory_bytes: u64::try_from(state.core().memory.peak()).unwrap_or(u64::MAX),
            wall_ms: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
            cpu_ms: u64::try_from(cpu.used().as_millis()).unwrap_or(u64::MAX),
        };
        (result, state, resources)
    }
}
