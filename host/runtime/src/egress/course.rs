//! The course of one exchange: from the guest's request, over its redirects, to the answer and the receipt.

use bytes::{Bytes, BytesMut};
use gtm_domain::Failure;
use tokio::time::{Instant, timeout_at};
use url::Url;

use super::attempt::{Answer, Hop, MAX_REDIRECTS, over_bytes_out};
use super::exchange::{Exchanged, HttpRequest, HttpResponse, ResponseHead};
use super::grant::CallGrant;
use super::guesses::Sent;
use super::headers::Shown;
use super::interruption::{canceled, no_time, timed_out};
use super::permit::Permit;
use super::redact::{Findings, Texts};
use super::spool::KeptBody;
use super::target::{Target, without_path};
use super::under_way::RequestUnderWay;
use super::{guesses, headers, inject, permit, retry, token_request};
use crate::manifest::CredentialScheme;

/// The head of an answer before secrets are removed.
pub(super) struct UnsearchedHead {
    status: u16,
    headers: Vec<(String, String)>,
    url: Url,
}

/// The first request of an exchange, ready to be sent.
struct AdmittedRequest<'a> {
    hop: Hop,
    permit: Permit,
    scheme: Option<&'a CredentialScheme>,
    redirects: u8,
    /// Limit on the body, and whether a longer one is cut.
    bounds: (Option<u64>, bool),
}

impl<'a> RequestUnderWay<'a> {
    /// Runs the exchange until its deadline or until the call is canceled.
    pub(super) async fn guarded(
        &mut self,
        request: HttpRequest,
        whole: bool,
    ) -> Result<Answer, Failure> {
        let cancel = self.grant.cancel.clone();
        let end_of_call = self.grant.budget.deadline;
        guesses::check_going_on(self.grant)?;
        // The search for secrets finishes however little time the guest gives its request: a request that
        // holds a secret ends the call.
        let outcome = tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(canceled()),
            outcome = timeout_at(end_of_call, self.admitted(request)) => outcome,
        };
        // Another exchange of the call may have ended it meanwhile.
        guesses::check_going_on(self.grant)?;
        let first = outcome.unwrap_or_else(|_| Err(no_time("request")))?;
        // The timeout that the guest sets is for the provider alone; our own search takes none of it.
        self.deadline = end_of_call.min(Instant::now() + self.timeout);
        let deadline = self.deadline;
        let outcome = tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(canceled()),
            outcome = timeout_at(deadline, self.perform(first, whole)) => outcome,
        };
        guesses::check_going_on(self.grant)?;
        outcome.unwrap_or_else(|_| {
            Err(if self.searching {
                no_time("request")
            } else {
                timed_out(&self.host)
            })
        })
    }

    /// Checks the guest's request, charges it to the budget and searches it for secrets.
    async fn admitted(&mut self, request: HttpRequest) -> Result<AdmittedRequest<'a>, Failure> {
        let target = Target::parse(&request.url)?;
        self.trail.begins_at(&target);
        self.check_body(request.body.as_ref())?;
        let scheme = request
            .credential
            .as_deref()
            .map(|id| inject::scheme(self.grant, id))
            .transpose()?;
        let sent = Sent {
            url: target.url.as_str().to_owned(),
            headers: request.headers,
            body: request.body.clone(),
        };
        let hop = Hop {
            headers: headers::checked(&sent.headers, self.grant)?,
            method: request.method,
            target,
            body: request.body,
            home: true,
        };
        headers::check_query(&hop.target.url, self.grant)?;
        if scheme.is_some() {
            headers::check_with_credential(&hop.headers)?;
        }
        let permit = self.permitted(&hop, scheme, false)?;
        let bytes = hop.body.as_ref().map_or(0, |body| body.len() as u64);
        if !self.grant.budget.take_bytes_out(bytes) {
            return Err(over_bytes_out());
        }
        self.paid = true;
        let host = &hop.target.origin.host;
        let searcher = self.gate.searches.of_call(self.grant);
        guesses::check_request(self.grant, &searcher, &self.secrets.all, sent, host).await?;
        self.trail.goes_to(&hop.target, true);
        Ok(AdmittedRequest {
            hop,
            permit,
            scheme,
            redirects: request.max_redirects.min(MAX_REDIRECTS),
            bounds: (request.max_body_bytes, request.truncate),
        })
    }

    /// Checks a hop against the rules and charges its request to the call's budget.
    fn permitted(
        &mut self,
        hop: &Hop,
        scheme: Option<&CredentialScheme>,
        led_by_public: bool,
    ) -> Result<Permit, Failure> {
        // Credentials stay with the first origin; once a redirect has left it, they do not come back.
        self.carried = scheme.is_some() && hop.home;
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
            check_open_web(hop, self.carried)?;
        }
        if !self.grant.budget.take_request() {
            return Err(over_requests());
        }
        Ok(permit)
    }

    async fn perform(
        &mut self,
        first: AdmittedRequest<'a>,
        whole: bool,
    ) -> Result<Answer, Failure> {
        let AdmittedRequest {
            mut hop,
            mut permit,
            scheme,
            redirects,
            bounds,
        } = first;
        let mut followed = 0;
        // A public host must not lead us to a private one, not even to one that the operator opened for
        // this connector.
        let mut led_by_public = false;
        loop {
            let carried = scheme.filter(|_| self.carried);
            let mut injected = match carried {
                None => inject::Injected::default(),
                Some(scheme) => self.injected(scheme, &hop.target).await?,
            };
            let credentials = std::mem::take(&mut injected.credentials);
            let host = &hop.target.origin.host;
            let searcher = self.gate.searches.of_call(self.grant);
            let on_some_hop = scheme.is_some();
            self.searching = true;
            self.secrets
                .goes_to(self.grant, &searcher, host, credentials, on_some_hop)
                .await?;
            self.searching = false;
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
                self.gate.tokens.refused(self.grant, oauth);
            }
            let Some(location) = answer.redirect.as_deref().filter(|_| redirects > 0) else {
                return Ok(answer);
            };
            if followed == redirects {
                return Err(Failure::denied(
                    "too_many_redirects",
                    format!("`{}` redirected too many times", self.host),
                ));
            }
            followed += 1;
            led_by_public |= answer.public;
            self.searching = true;
            hop = self.redirected(&hop, answer.status, location).await?;
            self.searching = false;
            self.requests
                .redirected(hop.home && self.grant.idempotency.is_some());
            self.trail.goes_to(&hop.target, false);
            permit = self.permitted(&hop, scheme, led_by_public)?;
        }
    }

    /// The credentials that a scheme adds; obtains a token first if the scheme needs one.
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
                let token = token_request::token(self.owner, self.grant, oauth).await?;
                self.secrets.add(self.grant, &self.gate.tokens, &token);
                Some(token)
            }
            _ => None,
        };
        inject::fill(
            self.grant,
            scheme,
            &target.origin,
            token.as_ref().map(|token| token.as_str()),
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

    /// What a guest may see of an answer's head, before it is searched.
    pub(super) fn head_of(&self, answer: &Answer) -> UnsearchedHead {
        let shown = Shown {
            decoded: answer.decoded,
            bodiless: answer.bodiless,
            carried: self.carried,
        };
        UnsearchedHead {
            status: answer.status,
            headers: headers::visible(&answer.headers, shown)
                .into_iter()
                .collect(),
            url: answer.url.clone(),
        }
    }

    /// The head without secrets.
    ///
    /// # Errors
    /// As [`super::searches::Searcher::run`], and `timeout` with the end of the call.
    pub(super) async fn visible_head(
        &mut self,
        head: UnsearchedHead,
    ) -> Result<ResponseHead, Failure> {
        let searcher = self.gate.searches.of_call(self.grant);
        let (names, values): (Vec<_>, Vec<_>) = head.headers.into_iter().unzip();
        let values = Texts::new(&self.secrets.here, values.into_iter().map(Bytes::from));
        let url = Bytes::from(head.url.as_str().to_owned());
        let url = Texts::new(&self.secrets.all, [url]);
        let searching = async {
            let all = |_: Findings| false;
            let values = searcher.texts("answer", values, all).await?;
            Ok((values, searcher.texts("answer", url, all).await?))
        };
        let (values, url) = searched_in_time(self.grant, searching).await?;
        self.trail.found += values.found();
        let text = |bytes: BytesMut| String::from_utf8_lossy(&bytes).into_owned();
        // Credentials are injected into a copy, so there is nothing to remove unless a guest guessed one.
        let url = url.into_cleaned().into_iter().next();
        let final_url = url.and_then(|url| text(url).parse().ok());
        let final_url = final_url.unwrap_or_else(|| without_path(&head.url));
        let values = values.into_cleaned().into_iter().map(text);
        Ok(ResponseHead {
            status: head.status,
            headers: names.into_iter().zip(values).collect(),
            final_url,
        })
    }

    /// Records the content type of the latest answer without secrets; records nothing if time is up.
    pub(super) async fn note_type(&mut self) {
        let Some(text) = self.trail.take_unsearched_type() else {
            return;
        };
        let searcher = self.gate.searches.of_call(self.grant);
        let texts = Texts::new(&self.secrets.here, [text]);
        let searching = searcher.texts("answer", texts, |_| false);
        if let Ok(texts) = searched_in_time(self.grant, searching).await
            && let Some(text) = texts.into_cleaned().first()
        {
            self.trail.is_of_type(text);
        }
    }

    /// The whole answer, cleared of secrets. Secrets that its request did not carry end the call.
    async fn searched(&mut self, mut answer: Answer) -> Result<HttpResponse, Failure> {
        let unsearched = self.head_of(&answer);
        let body = std::mem::take(&mut answer.whole);
        let (found, truncated) = (answer.body.found(), answer.body.truncated);
        drop(answer);
        let head = self.visible_head(unsearched).await;
        self.trail.found += found;
        self.check_answer(self.trail.found)?;
        let head = head?;
        self.exhausted = retry::fits_any(&self.grant.retry.exhausted, head.status, &body);
        Ok(HttpResponse {
            status: head.status,
            headers: head.headers,
            body,
            final_url: head.final_url,
            truncated,
        })
    }

    pub(super) async fn whole(mut self, result: Result<Answer, Failure>) -> Exchanged {
        let mut result = match result {
            Ok(answer) => self.searched(answer).await,
            Err(failure) => Err(failure),
        };
        self.note_type().await;
        if self.trail.found.replaced > 0 {
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
            redactions: self.trail.found.replaced,
            unrecorded: self.requests.into_unrecorded(),
        }
    }
}

/// Waits for the search of an answer, but no longer than the call lasts.
async fn searched_in_time<T>(
    grant: &CallGrant,
    searching: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    tokio::select! {
        biased;
        () = grant.cancel.cancelled() => Err(canceled()),
        searched = timeout_at(grant.budget.deadline, searching) => {
            searched.unwrap_or_else(|_| Err(no_time("answer")))
        }
    }
}

/// Requests to the open web carry neither a credential of any kind nor a body.
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

fn over_requests() -> Failure {
    Failure::new(
        gtm_domain::FailureKind::Quota,
        "request_budget_exceeded",
        "the call has sent as many requests as it may",
    )
}
