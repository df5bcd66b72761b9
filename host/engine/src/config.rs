//! How much a node runs and how long it waits.

use std::time::Duration;

use gtm_domain::MicroUsd;

/// Settings of an engine. Every one has a default that suits one machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineConfig {
    /// Jobs that this node runs at once.
    pub workers: usize,
    /// Jobs of one project that run at once, on all nodes together.
    pub per_project_running: usize,
    /// How long a worker owns a job without renewing.
    pub lease: Duration,
    /// How long a job may take, counted from its first start.
    pub job_deadline: Duration,
    /// Provider calls of one job that are under way at once.
    pub call_concurrency: usize,
    /// Provider calls that one job may make in all.
    pub max_calls: u64,
    /// What the provider calls of one job may cost together.
    pub job_cost_cap: MicroUsd,
    /// What a job is expected to cost, and reserves, as long as neither its binding nor jobs like it say.
    pub job_cost_estimate: MicroUsd,
    /// How often a node that heard nothing looks for work.
    pub poll_interval: Duration,
    /// How long a canceled job may go on by itself before it is cut off.
    pub cancel_grace: Duration,
    /// How long after that a call that its provider may charge for may still answer, so that what it
    /// cost is known.
    pub paid_call_grace: Duration,
    /// How often a job is tried in all whose run panics, or whose end cannot be written for a reason that
    /// no waiting heals.
    pub max_panics: u32,
    /// How often a job is claimed in all before it is given up: something in it keeps killing
    /// processes.
    pub max_claims: u32,
}

impl Default for EngineConfig {
    fn default() -> Self {
        Self {
            workers: 4,
            per_project_running: 2,
            lease: Duration::from_secs(30),
            job_deadline: Duration::from_secs(15 * 60),
            call_concurrency: 8,
            max_calls: 200,
            job_cost_cap: MicroUsd::from_micros(5_000_000),
            job_cost_estimate: MicroUsd::from_micros(250_000),
            poll_interval: Duration::from_millis(500),
            cancel_grace: Duration::from_secs(1),
            paid_call_grace: Duration::from_secs(10),
            max_panics: 5,
            max_claims: 100,
        }
    }
}
