//! A connector's call: the gate and the grant for its requests, and what they returned.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::time::Instant;

use crate::egress::{CallGrant, EgressGate, OpenExchange, RepeatedGets};
use crate::outcome::Exchange;
use crate::sandbox::{GuestCore, GuestState};

/// What the store of a connector call holds.
pub struct ConnectorState {
    pub(crate) core: GuestCore,
    pub(crate) gate: EgressGate,
    pub(crate) grant: Arc<CallGrant>,
    pub(crate) deadline: Instant,
    pub(crate) exchanges: Vec<RecordedExchange>,
    pub(crate) streams: Streams,
    /// How many more requests the guest may ask for, refused ones included. Danger: each leaves a receipt
    /// in the host's memory, so a guest must not be able to collect refusals without end.
    pub(crate) requests_left: u32,
    /// What the job's calls were answered before, and the connection that this call is for.
    pub(crate) repeated: Option<(Arc<RepeatedGets>, String)>,
}

impl GuestState for ConnectorState {
    fn core(&mut self) -> &mut GuestCore {
        &mut self.core
    }
}

/// Type of the resource `body`; the stream itself is in the call's [`Streams`].
pub struct BodyStream;

/// An exchange with what the usage meters need.
#[derive(Debug)]
pub struct RecordedExchange {
    /// What the runtime's caller receives.
    pub exchange: Exchange,
    pub headers: Vec<(String, String)>,
    pub sent: bool,
    /// Whether the provider says that the account is out of credit.
    pub exhausted: bool,
}

/// Bodies that are still arriving.
#[derive(Default)]
pub struct Streams {
    pub(crate) open: BTreeMap<u32, OpenExchange>,
    pub(crate) next: u32,
}
