//! Why a run ended without an answer: the host ended it, a limit, a trap, or a broken contract.

use std::fmt;

use gtm_domain::Failure;
use wasmtime::Trap;

use super::memory::MemoryLimiter;
use crate::error::PluginError;

/// Raised through the guest when the engine ends a call ([`crate::HostAbort`]).
#[derive(Debug)]
pub struct Abort(pub Failure);

impl fmt::Display for Abort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the host ended the call: {}", self.0)
    }
}
impl std::error::Error for Abort {}

/// Raised when a guest used up its CPU time.
#[derive(Debug)]
pub struct CpuExceeded;

impl fmt::Display for CpuExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the CPU time is used up")
    }
}
impl std::error::Error for CpuExceeded {}

/// What an error from wasmtime means.
pub fn classify(error: &wasmtime::Error, memory: &MemoryLimiter) -> PluginError {
    if let Some(Abort(failure)) = error.downcast_ref::<Abort>() {
        return PluginError::Aborted(failure.clone());
    }
    if error.downcast_ref::<CpuExceeded>().is_some() {
        return PluginError::LimitExceeded {
            limit: "cpu",
            message: "the CPU time is used up".to_owned(),
        };
    }
    if memory.exceeded() {
        return PluginError::LimitExceeded {
            limit: "memory",
            message: format!("more than {} bytes of memory", memory.limit()),
        };
    }
    let cause = error.root_cause().to_string();
    if let Some(trap) = error.downcast_ref::<Trap>() {
        return PluginError::Trapped(trap.to_string());
    }
    // wasmtime does not export this error's type; its text is the only way to recognize it.
    if cause.contains("fuel allocated for hostcalls") {
        return PluginError::LimitExceeded {
            limit: "output",
            message: "too many bytes in one host call".to_owned(),
        };
    }
    PluginError::ContractViolation(cause)
}
