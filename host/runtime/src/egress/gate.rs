//! The gate itself: one exchange from the guest's request to the receipt.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use gtm_domain::receipt::Receipt;
use gtm_domain::{Clock, Failure, ReceiptId};
use tokio::time::{Instant, timeout_at};

use super::attempt::{Answer, Hop, MAX_REDIRECTS};
use super::body::{BodyReader, canceled, timed_out};
use super::dial::Dialer;
use super::exchange::{Exchanged, HttpRequest, HttpResponse, ResponseHead};
use super::grant::CallGrant;
use super::permit::PrivateHosts;
use super::policy::{EgressConfigError, EgressPolicy, ResolverChoice};
use super::receipt::Trail;
use super::resolve::{Resolver, SystemResolver};
use super::spool::{KeptBody, Spool};
use super::target::{HostName, Target};
use super::token::TokenCache;
use super::turns::Turns;
use super::watched::Watched;
use super::{headers, inject, permit, retry};
use crate::manifest::{CredentialScheme, Match};

/// The egress gate. Cheap to clone; everything that may leave goes through one of its methods.
#[derive(Clone)]
pub struct EgressGate(pub(super) Arc<Inner>);

pub(super) struct Inner {
    pub policy: EgressPolicy,
    pub private: PrivateHosts,
    pub dialer: Dialer,
    pub clock: Arc<dyn Clock>,
    pub tokens: TokenCache,
    pub turns: Turns,
}

impl EgressGate {
    /// Set the gate up. Certificates are loaded once, here.
    ///
    /// # Errors
    /// If a private host names no host or certificates can't be read.
    pub fn new(policy: EgressPolicy, clock: Arc<dyn Clock>) -> Result<Self, EgressConfigError> {
        let resolver: Arc<dyn Resolver> = match &policy.resolver {
            ResolverChoice::System => Arc::new(SystemResolver::default()),
            ResolverChoice::Custom(resolver) => Arc::clone(resolver),
        };
        let private = PrivateHosts::of(&policy)?;
        let dialer = Dialer::new(&policy, resolver)?;
        let turns = Turns::new(policy.shared_windows.clone());
        Ok(Self(Arc::new(Inner {
            policy,
            private,
            dialer,
            clock,
            tokens: TokenCache::default(),
            turns,
        })))
    }

    /// What the operator decided.
    #[must_use]
    pub fn policy(&self) -> &EgressPolicy {
        &self.0.policy
    }

    /// Note what a call turned out to cost, for the rate policies that count credits or tokens.
    pub fn charge(&self, grant: &CallGrant, credits: u64, tokens: u64) {
        if let Some(taker) = &grant.taker {
            self.0.turns.charge(taker, &grant.rate, credits, tokens);
        }
    }

    /// Send a request and wait for the whole answer. Any status is a success; a refusal has a receipt
    /// too, whose `decision` is the failure's code.
    pub async fn send(&self, grant: &CallGrant, request: HttpRequest) -> Exchanged {
        let mut exchange = Exchange::begin(self, grant, &request);
        let result = exchange.guarded(request, true).await;
        exchange.whole(result).await
    }

    /// Send a request and read the body as it comes. Nothing is repeated once the head is there.
    ///
    /// # Errors
    /// Why there is no answer, with the receipt that says so.
    pub async fn open(
        &self,
        grant: &CallGrant,
        request: HttpRequest,
    ) -> Result<OpenExchange, (Failure, Option<Receipt>)> {
        let mut exchange = Exchange::begin(self, grant, &request);
        let answered = exchange.guarded(request, false).await;
        let answered = answered.and_then(|answer| {
            let head = exchange.visible_head(&answer);
            exchange.check_redactions(exchange.trail.redactions)?;
            Ok((answer, head))
        });
        match answered {
            Err(failure) => {
                let receipt = exchange.trail.receipt(&*self.0.clock, None, Some(&failure));
                Err((failure, Some(receipt)))
            }
            Ok((answer, head)) => {
                let Exchange { trail, .. } = exchange;
                let exhausted = grant.retry.exhausted.clone();
                Ok(OpenExchange {
                    gate: self.clone(),
                    grant: grant.clone(),
                    trail,
                    head,
                    body: answer.body,
                    exhausted,
                    kept: Spool::new(self.0.policy.spool_dir.clone()),
                    failure: None,
                })
            }
        }
    }
}

/// One exchange on its way.
pub(super) struct Exchange<'a> {
    pub gate: &'a Inner,
    owner: &'a EgressGate,
    pub grant: &'a CallGrant,
    pub trail: Trail,
    pub watched: Watched,
    pub deadline: Instant,
    /// Longest wait for the head of one attempt's answer.
    pub answer_timeout: Duration,
    /// Host of the latest hop, for messages.
    host: HostName,
    /// Whether the final answer matches an `exhausted` pattern.
    exhausted: bool,
}

impl<'a> Exchange<'a> {
    pub(super) fn begin(
        owner: &'a EgressGate,
        grant: &'a CallGrant,
        request: &HttpRequest,
    ) -> Self {
        let gate = &*owner.0;
        let watched = Watched::of(grant, &gate.tokens);
        if watched.short > 0 {
            tracing::warn!(
                connector = grant.connector,
                short = watched.short,
                "credentials are too short to be looked for in answers"
            );
        }
        let timeout = request.timeout.map_or(gate.policy.exchange_timeout, |t| {
            t.min(gate.policy.exchange_timeout)
        });
        let body_bytes = request.body.as_ref().map_or(0, |b| b.len() as u64);
        Self {
            gate,
            owner,
            grant,
            trail: Trail::new(&*gate.clock, &request.method, body_bytes),
            watched,
            answer_timeout: request
                .timeout
                .unwrap_or_default()
                .max(gate.policy.answer_timeout),
            deadline: (Instant::now() + timeout).min(grant.budget.deadline),
            host: HostName::Name("the host".to_owned()),
            exhausted: false,
        }
    }

    /// The exchange within its deadline and until the call is canceled.
    async fn guarded(&mut self, request: HttpRequest, whole: bool) -> Result<Answer, Failure> {
        let (deadline, cancel) = (self.deadline, self.grant.cancel.clone());
        check_going_on(self.grant)?;
        let outcome = tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(canceled()),
            outcome = timeout_at(deadline, self.perform(request, whole)) => outcome,
        };
        // Another exchange of the call may have ended it.
        check_going_on(self.grant)?;
        outcome.unwrap_or_else(|_| Err(timed_out(&self.host)))
    }

    async fn perform(&mut self, request: HttpRequest, whole: bool) -> Result<Answer, Failure> {
        let first = Target::parse(&request.url)?;
        self.trail.goes_to(&first, &self.watched.all, true);
        self.check_body(request.body.as_ref())?;
        self.check_for_secrets(&first, &request)?;
        let scheme = request
            .credential
            .as_deref()
            .map(|id| inject::scheme(self.grant, id))
            .transpose()?;
        let mut hop = Hop {
            headers: headers::checked(&request.headers, self.grant)?,
            method: request.method,
            target: first,
            body: request.body,
            home: true,
        };
        headers::check_query(&hop.target.url, self.grant)?;
        if scheme.is_some() {
            headers::check_with_credential(&hop.headers)?;
        }
        let redirects = request.max_redirects.min(MAX_REDIRECTS);
        let bounds = (request.max_body_bytes, request.truncate);
        let mut followed = 0;
        // Whether somebody on the internet has sent us on: from there nothing leads to a private host,
        // not even to one that the operator names for this connector.
        let mut led_by_public = false;
        loop {
            // Credentials stay with the first origin; once a redirect has left it they don't come back.
            let carried = scheme.filter(|_| hop.home);
            self.host = hop.target.origin.host.clone();
            let mut permit = permit::permit(
                &self.gate.policy,
                &self.gate.private,
                self.grant,
                &hop.target,
                &hop.method,
                &hop.headers,
            )?;
            permit.private &= !led_by_public;
            if permit.open_web {
                Self::check_open_web(&hop, carried.is_some())?;
            }
            if !self.grant.budget.take_request() {
                return Err(over_requests());
            }
            let injected = match carried {
                None => inject::Injected::default(),
                Some(scheme) => self.injected(scheme, &hop.target).await?,
            };
            self.watched
                .goes_to(self.grant, &hop.target.origin.host, scheme.is_some());
            if let Some(id) = carried.and_then(|s| s.id())
                && !self.trail.credentials.iter().any(|c| c == id)
            {
                self.trail.credentials.push(id.to_owned());
            }
            let answer = self
                .attempts(&hop, permit, &injected, bounds, whole, redirects > 0)
                .await?;
            if let (401, Some(CredentialScheme::Oauth2ClientCredentials(oauth))) =
                (answer.status, carried)
            {
                self.gate.tokens.forget(self.grant, oauth);
            }
            let Some(location) = answer.redirect.as_deref().filter(|_| redirects > 0) else {
                return Ok(answer);
            };
            if followed == redirects {
                return Err(Failure::denied(
                    "too_many_redirects",
                    format!("`{}` redirects too often", self.host),
                ));
            }
            followed += 1;
            led_by_public |= answer.public;
            hop = self.redirected(&hop, answer.status, location)?;
            self.trail.goes_to(&hop.target, &self.watched.all, false);
        }
    }

    /// What a scheme adds, with a token asked for first if it needs one.
    async fn injected(
        &mut self,
        scheme: &CredentialScheme,
        target: &Target,
    ) -> Result<inject::Injected, Failure> {
        let token = match scheme {
            CredentialScheme::Oauth2ClientCredentials(oauth) => {
                if !inject::may_go_to(self.grant, scheme, &target.origin)? {
                    return inject::fill(self.grant, scheme, &target.origin, None);
                }
                let tokens = &self.gate.tokens;
                let token = tokens.token(self.owner, self.grant, oauth).await?;
                self.watched.add(self.grant, &token);
                Some(token)
            }
            _ => None,
        };
        inject::fill(
            self.grant,
            scheme,
            &target.origin,
            token.as_deref().map(String::as_str),
        )
    }

    fn check_body(&self, body: Option<&Bytes>) -> Result<(), Failure> {
        let size = body.map_or(0, |b| b.len() as u64);
        if size > self.gate.policy.max_request_bytes {
            return Err(Failure::denied(
                "request_body_too_large",
                format!(
                    "the request body is longer than {} bytes",
                    self.gate.policy.max_request_bytes
                ),
            ));
        }
        Ok(())
    }

    /// A guest has no secret that it could send: one that it sends all the same was guessed, or came to
    /// it in a spelling that is not looked for. The call is over then.
    fn check_for_secrets(&self, target: &Target, request: &HttpRequest) -> Result<(), Failure> {
        let holds = |bytes: &[u8]| self.watched.all.found_in(bytes);
        let place = if holds(target.url.as_str().as_bytes()) {
            "URL"
        } else if request
            .headers
            .iter()
            .any(|(name, value)| holds(name.as_bytes()) || holds(value.as_bytes()))
        {
            "headers"
        } else if request.body.as_deref().is_some_and(holds) {
            "body"
        } else {
            return Ok(());
        };
        let host = &target.origin.host;
        let failure = Failure::denied(
            "credential_in_request",
            format!("the {place} of a request to `{host}` held a credential of the connection"),
        );
        self.grant.end(&failure);
        Err(failure)
    }

    /// An answer to a request without a credential held one: its server was told to guess.
    fn check_redactions(&self, redactions: u64) -> Result<(), Failure> {
        check_redactions(self.grant, &self.trail, redactions)
    }

    /// The open web gets no credentials of any make, and no body.
    fn check_open_web(hop: &Hop, credential: bool) -> Result<(), Failure> {
        if credential {
            return Err(Failure::denied(
                "credential_host_not_allowed",
                "a credential goes only to hosts that the manifest names",
            ));
        }
        if let Some(name) = headers::CREDENTIAL
            .iter()
            .find(|name| hop.headers.contains_key(*name))
        {
            return Err(Failure::denied(
                "header_not_allowed",
                format!("the header `{name}` goes only to hosts that the manifest names"),
            ));
        }
        if hop.body.is_some() {
            return Err(Failure::denied(
                "method_not_allowed",
                "a request to the open web has no body",
            ));
        }
        Ok(())
    }

    fn visible_head(&mut self, answer: &Answer) -> ResponseHead {
        let mut redactions = 0;
        let headers = headers::visible(&answer.headers, answer.decoded)
            .into_iter()
            .map(|(name, value)| {
                let (value, count) = self.watched.here.clean(&value);
                redactions += count;
                (name, value)
            })
            .collect();
        self.trail.redactions += redactions;
        // Injection happened on a copy, so that there is nothing to cut out unless a guest guessed.
        let final_url = self
            .watched
            .all
            .clean(answer.url.as_str())
            .0
            .parse()
            .unwrap_or_else(|_| {
                let mut bare = answer.url.clone();
                bare.set_path("");
                bare.set_query(None);
                bare
            });
        ResponseHead {
            status: answer.status,
            headers,
            final_url,
        }
    }

    async fn whole(mut self, result: Result<Answer, Failure>) -> Exchanged {
        let mut result = result.and_then(|mut answer| {
            let head = self.visible_head(&answer);
            let body = std::mem::take(&mut answer.whole);
            self.trail.redactions += answer.body.redactions();
            self.check_redactions(self.trail.redactions)?;
            self.exhausted = retry::exhausted(self.grant, answer.status, &body);
            Ok(HttpResponse {
                status: head.status,
                headers: head.headers,
                body,
                final_url: head.final_url,
                truncated: answer.body.truncated,
            })
        });
        if self.trail.redactions > 0 {
            tracing::warn!(connector = self.grant.connector, host = %self.host, "an answer held a credential; it was cut out");
        }
        let kept = match &result {
            Ok(response) => KeptBody::of(&self.gate.policy.spool_dir, &response.body)
                .await
                .map_err(|failure| result = Err(failure))
                .ok(),
            Err(_) => None,
        };
        let receipt = self
            .trail
            .receipt(&*self.gate.clock, kept.as_ref(), result.as_ref().err());
        Exchanged {
            receipt,
            result,
            kept: kept.unwrap_or_default(),
            request_sent: self.trail.sent,
            exhausted: self.exhausted,
            redactions: self.trail.redactions,
        }
    }
}

fn check_going_on(grant: &CallGrant) -> Result<(), Failure> {
    grant.ended().map_or(Ok(()), |failure| Err(failure.clone()))
}

fn check_redactions(grant: &CallGrant, trail: &Trail, redactions: u64) -> Result<(), Failure> {
    if redactions == 0 || !trail.credentials.is_empty() {
        return Ok(());
    }
    let failure = Failure::denied(
        "credential_in_answer",
        format!(
            "an answer of `{}` held a credential that was not sent with the request",
            trail.host()
        ),
    );
    grant.end(&failure);
    Err(failure)
}

fn over_requests() -> Failure {
    Failure::new(
        gtm_domain::FailureKind::Quota,
        "request_budget_exceeded",
        "the call has sent as many requests as it may",
    )
}

/// An exchange whose body is still arriving.
pub struct OpenExchange {
    gate: EgressGate,
    grant: CallGrant,
    trail: Trail,
    head: ResponseHead,
    body: BodyReader,
    exhausted: Vec<Match>,
    kept: Spool,
    failure: Option<Failure>,
}

impl OpenExchange {
    /// Status, headers and final URL.
    #[must_use]
    pub const fn head(&self) -> &ResponseHead {
        &self.head
    }
    /// Id of the receipt that [`OpenExchange::finish`] will give.
    #[must_use]
    pub const fn receipt_id(&self) -> ReceiptId {
        self.trail.id
    }
    /// The next bytes, at most `max_bytes` of them; none at the end.
    ///
    /// # Errors
    /// As a whole answer: `body_too_large`, `timeout`, `connection_reset`, `byte_budget_exceeded`,
    /// `credential_in_answer`, `canceled`; `spool_failed` if the host has no room for the bytes.
    pub async fn read(&mut self, max_bytes: usize) -> Result<Option<Bytes>, Failure> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let read = self.body.next(max_bytes).await.and_then(|piece| {
            check_redactions(&self.grant, &self.trail, self.body.redactions())?;
            check_going_on(&self.grant)?;
            Ok(piece)
        });
        let read = match read {
            Ok(Some(piece)) => self.kept.push(piece.clone()).await.map(|()| Some(piece)),
            other => other,
        };
        match read {
            Ok(piece) => Ok(piece),
            Err(failure) => {
                self.failure = Some(failure.clone());
                Err(failure)
            }
        }
    }
    /// Whether the body was cut at the request's bound.
    #[must_use]
    pub const fn truncated(&self) -> bool {
        self.body.truncated
    }
    /// Whether the answer, as far as it was read, says that credit or quota is gone.
    #[must_use]
    pub fn exhausted(&self) -> bool {
        self.exhausted
            .iter()
            .any(|pattern| retry::matches(pattern, self.head.status, self.kept.in_memory()))
    }
    /// The final receipt and the body as kept: exactly the bytes that were read, whether or not
    /// more would have come.
    #[must_use]
    pub fn finish(self) -> (Receipt, KeptBody) {
        if self.trail.redactions + self.body.redactions() > 0 {
            tracing::warn!(
                host = self.trail.host(),
                "an answer held a credential; it was cut out"
            );
        }
        let body = self.kept.finish();
        let receipt = self
            .trail
            .receipt(&*self.gate.0.clock, Some(&body), self.failure.as_ref());
        (receipt, body)
    }
}
