//! The wasmtime engine: which WebAssembly features guests may use, how instances are allocated, and the
//! thread that advances the epoch.

use std::time::Duration;

use wasmtime::{
    Config, Enabled, Engine, EngineWeak, InstanceAllocationStrategy, PoolingAllocationConfig,
    Strategy,
};

use crate::config::HostLimits;

/// Time between two epochs: how long a guest runs before it yields to others, and how precise CPU limits
/// are.
pub const EPOCH: Duration = Duration::from_millis(10);

/// Core instances that one component may have: `wit-component` makes three, adapters add a few.
const CORE_INSTANCES_PER_COMPONENT: u32 = 8;
const MEMORIES_PER_COMPONENT: u32 = 2;
const TABLES_PER_COMPONENT: u32 = 8;
/// Bytes of a memory or table that stay resident for the next instance in the slot.
const KEEP_RESIDENT: usize = 256 * 1024;

/// An engine with these limits, and the thread that advances its epoch as long as the engine lives.
///
/// # Errors
/// If wasmtime refuses the configuration, or the address space for the pool cannot be reserved.
pub fn start(limits: &HostLimits) -> wasmtime::Result<Engine> {
    let engine = Engine::new(&config(limits))?;
    advance_epoch(engine.weak())?;
    Ok(engine)
}

/// The configuration. A compiling child uses the same one, so that its artifacts are compatible.
pub fn config(limits: &HostLimits) -> Config {
    let mut config = Config::new();
    config
        .strategy(Strategy::Cranelift)
        .wasm_component_model(true)
        // Everything that a synchronous plug-in does not need is off: each has had security advisories.
        .concurrency_support(false)
        .wasm_relaxed_simd(false)
        .wasm_memory64(false)
        .wasm_tail_call(false)
        .wasm_threads(false)
        .wasm_gc(false)
        .wasm_function_references(false)
        .wasm_exceptions(false)
        .gc_support(false)
        .wasm_multi_memory(false)
        .wasm_extended_const(false)
        .wasm_stack_switching(false)
        .wasm_custom_page_sizes(false)
        .wasm_wide_arithmetic(false)
        // The same NaN bits on every machine, so that a replay computes what the first run did.
        .cranelift_nan_canonicalization(true)
        .epoch_interruption(true)
        .max_wasm_stack(limits.wasm_stack_bytes)
        // The host's functions run on the guest's stack, below it.
        .async_stack_size(limits.wasm_stack_bytes + 2 * 1024 * 1024)
        // Danger: without this, a call could find what another tenant's call left on its stack.
        .async_stack_zeroing(true)
        .allocation_strategy(InstanceAllocationStrategy::Pooling(pool(limits)));
    config
}

fn pool(limits: &HostLimits) -> PoolingAllocationConfig {
    let size = limits.pool_size.max(1);
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(size)
        .total_core_instances(size.saturating_mul(CORE_INSTANCES_PER_COMPONENT))
        .total_memories(size.saturating_mul(MEMORIES_PER_COMPONENT))
        .total_tables(size.saturating_mul(TABLES_PER_COMPONENT))
        .total_stacks(size)
        .max_core_instances_per_component(CORE_INSTANCES_PER_COMPONENT)
        .max_memories_per_component(MEMORIES_PER_COMPONENT)
        .max_tables_per_component(TABLES_PER_COMPONENT)
        .max_memory_size(usize::try_from(limits.largest_memory()).unwrap_or(usize::MAX))
        .linear_memory_keep_resident(KEEP_RESIDENT)
        .table_keep_resident(16 * 1024)
        .async_stack_keep_resident(64 * 1024)
        .pagemap_scan(Enabled::Auto);
    pool
}

fn advance_epoch(engine: EngineWeak) -> wasmtime::Result<()> {
    std::thread::Builder::new()
        .name("gtm-epoch".to_owned())
        .spawn(move || {
            while let Some(engine) = engine.upgrade() {
                engine.increment_epoch();
                drop(engine);
                std::thread::sleep(EPOCH);
            }
        })?;
    Ok(())
}

#[cfg(test)]
#[path = "engine_tests.rs"]
mod tests;
