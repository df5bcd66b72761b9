//! How a command fails: one sentence, and a hint about what to do. Never a secret.

use gtm_domain::money::Refused;
use gtm_engine::EngineError;
use gtm_engine::catalog::CatalogError;
use gtm_runtime::RuntimeError;
use gtm_store::StoreError;

/// Why a command failed; the exit code is then 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// One sentence.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Failure {
    /// A failure without a hint.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: None,
        }
    }
    /// The same with a hint.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self {
            hint: Some(hint.into()),
            ..self
        }
    }
    /// A thing named on the command line does not exist; `kind` is the noun of its commands.
    pub fn absent(kind: &str, id: impl std::fmt::Display) -> Self {
        let thing = if kind == "org" { "organization" } else { kind };
        Self::new(format!("{thing} {id} does not exist"))
            .hint(format!("`gtm {kind} list` shows those that exist"))
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        // Commands are refused new jobs, never calls.
        if let StoreError::Refused(refusal) = &error {
            return Self::new(refusal.sentence(Refused::Job));
        }
        let failure = Self::new(error.to_string());
        match &error {
            StoreError::WrongMasterKey | StoreError::WrongPepper => {
                failure.hint("the key ring is master.key in the data directory, or GTM_MASTER_KEY and GTM_PEPPER")
            }
            StoreError::KeyRingLost(_) => failure.hint(
                "put the file back from its copy; without it the stored credentials and API keys are lost, and only a new database can start",
            ),
            StoreError::Unreachable { advice, .. } => failure.hint(*advice),
            StoreError::File { .. } => failure.hint(
                "gtm must be able to read and write the file and its directory: check their owner, their mode and whether the disk is mounted read-only",
            ),
            StoreError::Absent { kind, .. } => {
                let noun = match *kind {
                    "organization" => "org",
                    "provider call" => "ledger reconcile",
                    kind => kind,
                };
                failure.hint(format!("`gtm {noun} list` shows those that exist"))
            }
            StoreError::Url(_) => failure.hint("use sqlite:///path/gtm.db or postgres://user@host/database"),
            _ => failure,
        }
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Store(store) => store.into(),
            other => Self::new(other.to_string()),
        }
    }
}

impl From<CatalogError> for Failure {
    fn from(error: CatalogError) -> Self {
        match error {
            CatalogError::Store(store) => store.into(),
            CatalogError::Runtime(runtime) => runtime.into(),
            CatalogError::Contradicted(_) => Self::new(error.to_string())
                .hint("give all nodes of an installation the same catalog directories"),
        }
    }
}

impl From<RuntimeError> for Failure {
    fn from(error: RuntimeError) -> Self {
        Self::new(error.to_string())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::new(error.to_string())
    }
}
