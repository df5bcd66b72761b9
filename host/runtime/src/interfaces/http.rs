//! `http`: requests of a connector, through the egress gate. Every exchange is recorded with its receipt
//! and the bytes that arrived, because evidence and usage are based on them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::{FutureExt as _, StreamExt as _};
use gtm_domain::{Failure, FailureKind};
use wasmtime::component::Resource;

use super::failure::to_guest;
use crate::egress::{
    CallGrant, EgressGate, Exchanged, HttpRequest, KeptBody, KnownAnswer, OpenExchange, Repeated,
    RepeatedGets,
};
use crate::guest::connector::{BodyStream, ConnectorState, RecordedExchange};
use crate::outcome::{Denial, Exchange};
use crate::sandbox::bindings::interfaces::http::{
    Header, Host, HostBody, Request, Response, ResponseHead,
};
use crate::sandbox::bindings::interfaces::types;

/// Maximum number of requests under way at once within one `send-all`.
const CONCURRENT_REQUESTS: usize = 8;
/// Longest piece of a streamed body, in bytes.
const MAX_PIECE: u32 = 1024 * 1024;
/// Maximum number of streams that one call may have open at once.
const MAX_STREAMS: usize = 16;

impl ConnectorState {
    /// Whether the guest may ask for one more request.
    fn admit(&mut self) -> Result<(), types::Failure> {
        match self.requests_left.checked_sub(1) {
            Some(left) => {
                self.requests_left = left;
                Ok(())
            }
            None => Err(to_guest(Failure::new(
                FailureKind::Quota,
                "request_budget_exceeded",
                "the call asked for more requests than allowed",
            ))),
        }
    }

    fn deny(&mut self, failure: &Failure) {
        if failure.kind == FailureKind::Denied {
            self.core.denied.push(Denial {
                interface: "http",
                code: failure.code.clone(),
                message: failure.message.clone(),
            });
        }
    }

    fn record(&mut self, exchanged: Exchanged) -> Result<Response, types::Failure> {
        self.record_at(self.exchanges.len(), exchanged)
    }

    /// Records an exchange at this place among the others.
    fn record_at(
        &mut self,
        place: usize,
        exchanged: Exchanged,
    ) -> Result<Response, types::Failure> {
        let Exchanged {
            receipt,
            result,
            kept,
            request_sent,
            exhausted,
            unrecorded,
            ..
        } = exchanged;
        let receipt_id = receipt.id.to_string();
        let headers = result
            .as_ref()
            .map(|r| r.headers.clone())
            .unwrap_or_default();
        let recorded = RecordedExchange {
            exchange: Exchange {
                receipt,
                body: kept,
            },
            headers,
            sent: request_sent,
            exhausted,
        };
        self.exchanges.insert(place, recorded);
        unrecorded.recorded();
        match result {
            Ok(response) => Ok(Response {
                status: response.status,
                headers: to_headers(response.headers),
                body: response.body.into(),
                final_url: response.final_url.to_string(),
                receipt_id,
                truncated: response.truncated,
            }),
            Err(failure) => {
                self.deny(&failure);
                Err(to_guest(failure))
            }
        }
    }

    fn close(&mut self, stream: OpenExchange) {
        let headers = stream.head().headers.clone();
        let exhausted = stream.exhausted();
        let (receipt, body) = stream.finish();
        self.exchanges.push(RecordedExchange {
            exchange: Exchange { receipt, body },
            headers,
            sent: true,
            exhausted,
        });
    }

    /// Records the streams that the guest left open.
    pub(crate) fn close_streams(&mut self) {
        for stream in std::mem::take(&mut self.streams.open).into_values() {
            self.close(stream);
        }
    }
}

fn to_headers(headers: Vec<(String, String)>) -> Vec<Header> {
    headers
        .into_iter()
        .map(|(name, value)| Header { name, value })
        .collect()
}

fn to_request(request: Request) -> HttpRequest {
    HttpRequest {
        method: request.method,
        url: request.url,
        headers: request
            .headers
            .into_iter()
            .map(|header| (header.name, header.value))
            .collect(),
        body: request.body.map(Bytes::from),
        credential: request.credential,
        timeout: request
            .timeout_ms
            .map(|ms| Duration::from_millis(ms.into())),
        max_body_bytes: request.max_body_bytes,
        truncate: request.truncate,
        max_redirects: request.max_redirects,
    }
}

/// How a request was answered.
enum Answered {
    /// By the network, or refused: an exchange to record.
    Sent(Box<Exchanged>),
    /// From the bytes of an earlier request of the job.
    Known(KnownAnswer),
}

async fn exchange(
    gate: EgressGate,
    grant: Arc<CallGrant>,
    repeated: Option<(Arc<RepeatedGets>, String)>,
    request: Request,
) -> Answered {
    let request = to_request(request);
    let pending = match &repeated {
        Some((gets, connection)) => gets.of(connection, &request).await,
        None => None,
    };
    let pending = match pending {
        Some(Repeated::Known(known)) => return Answered::Known(known),
        Some(Repeated::ToSend(pending)) => Some(pending),
        None => None,
    };
    let exchanged = gate.send(&grant, request).await;
    if let (Some(pending), Ok(response)) = (pending, &exchanged.result) {
        pending.answered(&KnownAnswer {
            status: response.status,
            headers: response.headers.clone(),
            body: response.body.clone(),
            final_url: response.final_url.to_string(),
            receipt_id: exchanged.receipt.id.to_string(),
            truncated: response.truncated,
        });
    }
    Answered::Sent(Box::new(exchanged))
}

fn known(answer: KnownAnswer) -> Response {
    Response {
        status: answer.status,
        headers: to_headers(answer.headers),
        body: answer.body.into(),
        final_url: answer.final_url,
        receipt_id: answer.receipt_id,
        truncated: answer.truncated,
    }
}

impl Host for ConnectorState {
    async fn send(
        &mut self,
        request: Request,
    ) -> wasmtime::Result<Result<Response, types::Failure>> {
        if let Err(failure) = self.admit() {
            return Ok(Err(failure));
        }
        let cpu = Arc::clone(&self.core.cpu);
        let answered = cpu
            .leave_out(exchange(
                self.gate.clone(),
                Arc::clone(&self.grant),
                self.repeated.clone(),
                request,
            ))
            .await;
        Ok(match answered {
            Answered::Sent(exchanged) => self.record(*exchanged),
            Answered::Known(answer) => Ok(known(answer)),
        })
    }

    async fn send_all(
        &mut self,
        requests: Vec<Request>,
    ) -> wasmtime::Result<Vec<Result<Response, types::Failure>>> {
        let cpu = Arc::clone(&self.core.cpu);
        let (gate, grant) = (self.gate.clone(), Arc::clone(&self.grant));
        let repeated = self.repeated.clone();
        let mut refused = Vec::new();
        let mut admitted = Vec::new();
        for request in requests {
            match self.admit() {
                Ok(()) => admitted.push(request),
                Err(failure) => refused.push(Err(failure)),
            }
        }
        let mut under_way = futures::stream::iter(admitted.into_iter().enumerate())
            .map(|(number, request)| {
                let exchange =
                    exchange(gate.clone(), Arc::clone(&grant), repeated.clone(), request);
                exchange.map(move |answered| (number, answered))
            })
            .buffer_unordered(CONCURRENT_REQUESTS);
        let first = self.exchanges.len();
        let mut answers = BTreeMap::new();
        let mut recorded = BTreeSet::new();
        // Each exchange is recorded as it ends, in the order of the requests: the call may be cut off while
        // another one is pending, and an answered request may have to be paid for.
        let recording = async {
            while let Some((number, answered)) = under_way.next().await {
                let answer = match answered {
                    Answered::Known(answer) => Ok(known(answer)),
                    Answered::Sent(exchanged) => {
                        let before = recorded.range(..number).count();
                        recorded.insert(number);
                        self.record_at(first + before, *exchanged)
                    }
                };
                answers.insert(number, answer);
            }
        };
        cpu.leave_out(recording).await;
        // Once a request is refused, all later ones are, so the refused ones come last.
        Ok(answers.into_values().chain(refused).collect())
    }

    async fn open(
        &mut self,
        request: Request,
    ) -> wasmtime::Result<Result<(ResponseHead, Resource<BodyStream>), types::Failure>> {
        if self.streams.open.len() >= MAX_STREAMS {
            let failure = Failure::new(
                FailureKind::Quota,
                "too_many_streams",
                "too many bodies are open at once",
            );
            return Ok(Err(to_guest(failure)));
        }
        if let Err(failure) = self.admit() {
            return Ok(Err(failure));
        }
        let cpu = Arc::clone(&self.core.cpu);
        let (gate, grant) = (self.gate.clone(), Arc::clone(&self.grant));
        match cpu.leave_out(gate.open(&grant, to_request(request))).await {
            Ok(stream) => {
                let head = stream.head();
                let answer = ResponseHead {
                    status: head.status,
                    headers: to_headers(head.headers.clone()),
                    final_url: head.final_url.to_string(),
                    receipt_id: stream.receipt_id().to_string(),
                };
                let key = self.streams.next;
                self.streams.next += 1;
                self.streams.open.insert(key, stream);
                Ok(Ok((answer, Resource::new_own(key))))
            }
            Err((failure, receipt)) => {
                if let Some(receipt) = receipt {
                    let sent = receipt.attempts > 0;
                    self.exchanges.push(RecordedExchange {
                        exchange: Exchange {
                            receipt,
                            body: KeptBody::default(),
                        },
                        headers: Vec::new(),
                        sent,
                        exhausted: false,
                    });
                }
                self.deny(&failure);
                Ok(Err(to_guest(failure)))
            }
        }
    }
}

impl HostBody for ConnectorState {
    async fn read(
        &mut self,
        body: Resource<BodyStream>,
        max_bytes: u32,
    ) -> wasmtime::Result<Result<Option<Vec<u8>>, types::Failure>> {
        let Some(stream) = self.streams.open.get_mut(&body.rep()) else {
            return Ok(Ok(None));
        };
        let max = usize::try_from(max_bytes.clamp(1, MAX_PIECE)).unwrap_or(1);
        let piece = self.core.cpu.leave_out(stream.read(max)).await;
        Ok(match piece {
            Ok(bytes) => Ok(bytes.map(|bytes| bytes.to_vec())),
            Err(failure) => {
                self.deny(&failure);
                Err(to_guest(failure))
            }
        })
    }

    fn drop(&mut self, body: Resource<BodyStream>) -> wasmtime::Result<()> {
        if let Some(stream) = self.streams.open.remove(&body.rep()) {
            self.close(stream);
        }
        Ok(())
    }
}
