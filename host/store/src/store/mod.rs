//! [`Store`]: one handle over both engines. What a caller may do with it is split by who asks:
//! `tenant`, `worker` and `operator`.

pub(crate) mod operator;
mod tenant;
mod worker;

use std::sync::Arc;

use gtm_domain::{ApiKeySecret, Clock};

use crate::config::StoreConfig;
use crate::error::{AuthError, StoreError};
use crate::model::ledger::LedgerReport;
use crate::model::retention::SweepReport;
use crate::scope::ProjectScope;
use crate::secrets::KeyRing;
use operator::Operator;

/// A handle on the database and the blobs. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    inner: Arc<()>,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Store")
    }
}

impl Store {
    /// Open the database (made if absent on SQLite), bring its schema up to date and check the key
    /// ring against it.
    ///
    /// # Errors
    /// [`StoreError::DatabaseTooNew`], [`StoreError::WrongMasterKey`], [`StoreError::WrongPepper`],
    /// or a failure of engine or disk.
    pub async fn connect(config: &StoreConfig, keys: KeyRing, clock: Arc<dyn Clock>) -> Result<Self, StoreError> { todo!() }
    /// Whether the database answers.
    pub async fn ping(&self) -> Result<(), StoreError> { todo!() }
    /// Write what is pending and close all connections.
    pub async fn close(&self) { todo!() }
    /// The operator's side.
    #[must_use]
    pub fn operator(&self) -> Operator {
        Operator(self.clone())
    }
    /// Check a presented key. A right key, a wrong secret and an unknown id cost the same.
    pub async fn authenticate(&self, presented: &ApiKeySecret) -> Result<ProjectScope, AuthError> { todo!() }
    /// Remove what retention no longer allows to keep, by the store's clock.
    pub async fn sweep(&self) -> Result<SweepReport, StoreError> { todo!() }
    /// Check the whole ledger.
    pub async fn verify_ledger(&self) -> Result<LedgerReport, StoreError> { todo!() }
}
