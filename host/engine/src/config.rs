//! How much a node runs and how long it waits.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use gtm_domain::MicroUsd;
use gtm_runtime::Asset;

/// Fonts by the names of their assets, such as `fonts/own.ttf`.
pub type DocumentFonts = BTreeMap<String, Asset>;

/// Settings of an engine. Every one has a default that suits one machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineConfig {
    /// Maximum number of jobs that this node runs at the same time.
    pub workers: usize,
    /// Maximum number of one project's jobs that run at the same time, across all nodes.
    pub per_project_running: usize,
    /// How long a worker owns a job without renewing its lease.
    pub lease: Duration,
    /// How long a job may take, counted from its first start.
    pub job_deadline: Duration,
    /// Maximum number of provider calls of one job under way at the same time.
    pub call_concurrency: usize,
    /// Maximum number of provider calls of one job in total.
    pub max_calls: u64,
    /// Maximum total cost of one job's provider calls.
    pub job_cost_cap: MicroUsd,
    /// Expected cost of a job, and so its reservation, when neither its binding nor similar jobs say more.
    pub job_cost_estimate: MicroUsd,
    /// How often a node looks for work when no notification arrives.
    pub poll_interval: Duration,
    /// How long a canceled job may take to stop by itself before it is cut off.
    pub cancel_grace: Duration,
    /// How much longer a call that its provider may charge for may take to answer, so that its cost becomes
    /// known.
    pub paid_call_grace: Duration,
    /// Maximum number of attempts for a job whose run panics, or whose end cannot be written for a reason
    /// that waiting does not fix.
    pub max_panics: u32,
    /// Maximum number of claims of a job before it is given up: something in it keeps killing processes.
    pub max_claims: u32,
    /// Fonts that the operator gives renderers, by the names of their assets.
    pub document_fonts: Arc<DocumentFonts>,
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
            document_fonts: Arc::default(),
        }
    }
}
