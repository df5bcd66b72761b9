//! One hop of an exchange: attempts on the wire until there is an answer, and where a redirect leads next.

use std::time::Duration;

use bytes::Bytes;
use gtm_domain::{Failure, FailureKind};
use http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_LENGTH, HOST, LOCATION, USER_AGENT};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode};
use http_body_util::{BodyDataStream, Full};
use tokio::time::{Instant, timeout};
use url::{Position, Url};

use super::answer_cleaner::AnswerCleaner;
use super::body::{BodyReader, Bounds, Coding, over_budget, reset, too_large};
use super::dial::Broken;
use super::headers::{self, without_injected_parameters};
use super::inject::Injected;
use super::interruption::timed_out;
use super::permit::Permit;
use super::redact::Texts;
use super::retry::{self, Repeat};
use super::target::{HostName, Target, invalid};
use super::under_way::RequestUnderWay;
use crate::manifest::UrlScheme;

/// Redirects of one exchange at most.
pub(super) const MAX_REDIRECTS: u8 = 5;
/// How much of an answer is read to see whether the provider says that credit has run out.
const PEEK_BYTES: usize = 64 * 1024;

/// A request to one target, without credentials.
#[derive(Debug, Clone)]
pub(super) struct Hop {
    pub target: Target,
    pub method: String,
    pub headers: HeaderMap,
    pub body: Option<Bytes>,
    /// Whether the hop is still on the first origin: credentials and idempotency keys go only there.
    pub home: bool,
}

/// An answer: its headers as received, its body read or about to be.
pub(super) struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub url: Url,
    /// Whether a content coding was removed.
    pub decoded: bool,
    /// Whether there is no body, whatever the headers say.
    pub bodiless: bool,
    /// Whether it came from a public address.
    pub public: bool,
    /// Where the answer redirects to, if it does and redirects are followed.
    pub redirect: Option<String>,
    pub body: BodyReader,
    /// The body, if the caller asked for all of it.
    pub whole: Bytes,
}

impl RequestUnderWay<'_> {
    /// Sends the request until an answer counts or no attempt is left.
    pub(super) async fn attempts(
        &mut self,
        hop: &Hop,
        permit: Permit,
        injected: &Injected,
        bounds: (Option<u64>, bool),
        whole: bool,
        follow: bool,
    ) -> Result<Answer, Failure> {
        let last = retry::max_attempts(self.grant);
        let mut attempt = 1;
        loop {
            let broken = match self.attempt(hop, permit, injected, bounds, follow).await {
                Err(broken) => {
                    if self.requests.has_answer() {
                        self.requests.answered(false);
                    }
                    broken
                }
                Ok(mut answer) => {
                    let wait = self.wait_after(&mut answer, attempt, last).await;
                    if let Some(wait) = wait {
                        self.requests.answered(false);
                        // Even an answer that is retried can reveal whether a guess was right, so it is
                        // checked too.
                        self.check_answer(answer.body.found())?;
                        drop(answer);
                        self.requests.retry_requested();
                        self.again();
                        tokio::time::sleep(wait).await;
                        attempt += 1;
                        continue;
                    }
                    let success = (200..300).contains(&answer.status);
                    if !whole || answer.redirect.is_some() {
                        self.requests.answered(success);
                        return Ok(answer);
                    }
                    let rest = answer.body.rest().await;
                    self.requests.answered(success && rest.is_ok());
                    match rest {
                        Ok(body) => {
                            answer.whole = body;
                            return Ok(answer);
                        }
                        Err(failure) if failure.code == "connection_reset" => Broken {
                            failure,
                            repeat: Repeat::IfReplaySafe,
                        },
                        Err(failure) => failure.into(),
                    }
                }
            };
            let wait = retry::backoff(self.gate.policy.retry_base, attempt + 1, random());
            if attempt >= last
                || !broken.repeat.allowed(self.grant)
                || Instant::now() + wait >= self.deadline
            {
                return Err(broken.failure);
            }
            let keyed = hop.home && self.grant.idempotency.is_some();
            self.requests.retried(keyed);
            self.again();
            tokio::time::sleep(wait).await;
            attempt += 1;
        }
    }

    /// Prepares to send the request once more.
    fn again(&mut self) {
        self.trail.again();
        let connector = self.grant.connector.clone();
        metrics::counter!("gtm_provider_retries_total", "connector" => connector).increment(1);
    }

    /// How long to wait before a retry, if the answer's status calls for one and time allows it.
    async fn wait_after(&self, answer: &mut Answer, attempt: u32, last: u32) -> Option<Duration> {
        if attempt >= last || !retry::by_status(self.grant, answer.status) {
            return None;
        }
        if retry::may_be_exhausted(self.grant, answer.status) {
            let status = answer.status;
            // A body that can't be read says nothing about credit.
            let start = answer.body.peek(PEEK_BYTES).await.unwrap_or_default();
            if retry::fits_any(&self.grant.retry.exhausted, status, start) {
                return None;
            }
        }
        let wanted = retry::wanted_wait(
            &answer.headers,
            &self.grant.rate_headers,
            self.gate.clock.now(),
        );
        let wait = wanted
            .unwrap_or_else(|| retry::backoff(self.gate.policy.retry_base, attempt + 1, random()));
        (Instant::now() + wait < self.deadline).then_some(wait)
    }

    async fn attempt(
        &mut self,
        hop: &Hop,
        permit: Permit,
        injected: &Injected,
        (max_body, truncate): (Option<u64>, bool),
        follow: bool,
    ) -> Result<Answer, Broken> {
        self.requests.begins();
        let origin = &hop.target.origin;
        let host = &origin.host;
        let size = hop.body.as_ref().map_or(0, |b| b.len() as u64);
        if !self.paid && self.grant.budget.bytes_out_left() < size {
            return Err(over_bytes_out().into());
        }
        let slot = match &self.grant.limit_key {
            None => None,
            Some(key) => {
                let (limiter, rate) = (&self.gate.limiter, &self.grant.rate);
                limiter.take(key, rate, self.deadline).await?
            }
        };
        let dialer = &self.gate.dialer;
        let addresses = dialer.addresses(origin, permit, self.grant.asker()).await?;
        self.trail.attempts += 1;
        let (mut sender, connection) = self.gate.dialer.connect(origin, addresses).await?;
        let public = connection.public;
        let request = self.request(hop, injected)?;
        if !std::mem::take(&mut self.paid) && !self.grant.budget.take_bytes_out(size) {
            return Err(over_bytes_out().into());
        }
        self.trail.sent = true;
        self.requests.sent();
        if let Some(slot) = &slot {
            slot.sent();
        }
        let answered = timeout(self.answer_timeout, sender.try_send_request(request)).await;
        let response = match answered {
            Err(_) => {
                return Err(Broken {
                    failure: timed_out(host),
                    repeat: Repeat::IfReplaySafe,
                });
            }
            Ok(Err(mut error)) => {
                let unsent = error.take_message().is_some();
                if unsent {
                    self.requests.not_sent();
                }
                return Err(unanswered(host, error.error(), unsent));
            }
            Ok(Ok(response)) => response,
        };
        self.requests.answer_begins();
        let (parts, incoming) = response.into_parts();
        let status = parts.status.as_u16();
        self.trail.answered(status, &parts.headers);
        let bodiless = hop.method == "HEAD" || matches!(status, 204 | 304);
        let coding = if bodiless {
            Coding::Identity
        } else {
            Coding::of(&parts.headers, host)?
        };
        let limit = max_body
            .unwrap_or(u64::MAX)
            .min(self.gate.policy.max_body_bytes)
            .min(self.grant.budget.bytes_in_left());
        let redirect = follow
            .then(|| redirect_of(parts.status, &parts.headers))
            .flatten();
        if !bodiless
            && !truncate
            && redirect.is_none()
            && coding == Coding::Identity
            && declared(&parts.headers) > limit
        {
            // As with an unannounced length: when no byte is left, the budget is what ran out.
            let failure = if self.grant.budget.bytes_in_left() == 0 {
                over_budget()
            } else {
                too_large(host, limit)
            };
            return Err(failure.into());
        }
        let bounds = Bounds {
            limit,
            truncate,
            deadline: self.deadline,
            cancel: self.grant.cancel.clone(),
            budget: self.grant.budget.clone(),
        };
        let mut body = BodyReader::new(
            BodyDataStream::new(incoming),
            coding,
            bounds,
            AnswerCleaner::new(
                self.secrets.here.redactor(),
                self.gate.searches.of_call(self.grant),
            ),
            host.clone(),
            connection,
        )
        .await;
        body.hold(slot);
        Ok(Answer {
            status,
            headers: parts.headers,
            url: hop.target.url.clone(),
            decoded: coding != Coding::Identity,
            bodiless,
            public,
            redirect,
            body,
            whole: Bytes::new(),
        })
    }

    /// The request as sent: the guest's headers, the gate's own, and the credentials last.
    fn request(&self, hop: &Hop, injected: &Injected) -> Result<Request<Full<Bytes>>, Failure> {
        let unsendable = || {
            Failure::denied(
                "header_not_allowed",
                "the request cannot be written as HTTP",
            )
        };
        let mut url = hop.target.url.clone();
        if !injected.query.is_empty() {
            url.query_pairs_mut().extend_pairs(
                injected
                    .query
                    .iter()
                    .map(|(name, value)| (name, value.as_str())),
            );
        }
        let mut request = Request::builder()
            .method(Method::from_bytes(hop.method.as_bytes()).map_err(|_| unsendable())?)
            .uri(&url[Position::BeforePath..Position::AfterQuery])
            .body(Full::new(hop.body.clone().unwrap_or_default()))
            .map_err(|_| invalid("the URL cannot be written as HTTP"))?;
        let out = request.headers_mut();
        *out = hop.headers.clone();
        out.insert(
            HOST,
            HeaderValue::from_str(&hop.target.origin.authority()).map_err(|_| unsendable())?,
        );
        if !out.contains_key(USER_AGENT) {
            out.insert(
                USER_AGENT,
                HeaderValue::from_str(&self.gate.policy.user_agent).map_err(|_| unsendable())?,
            );
        }
        if !out.contains_key(ACCEPT) {
            out.insert(ACCEPT, HeaderValue::from_static("*/*"));
        }
        out.insert(
            ACCEPT_ENCODING,
            HeaderValue::from_static("gzip, deflate, br"),
        );
        if let Some(body) = &hop.body {
            out.insert(CONTENT_LENGTH, HeaderValue::from(body.len()));
        }
        if let Some((name, key)) = self.grant.idempotency.as_ref().filter(|_| hop.home) {
            let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| unsendable())?;
            out.insert(name, HeaderValue::from_str(key).map_err(|_| unsendable())?);
        }
        for (name, value) in &injected.headers {
            out.insert(name, value.clone());
        }
        Ok(request)
    }

    /// The next hop of a redirect. The caller checks it against the rules like a first request. It is
    /// searched for secrets before that, because a refusal names the host.
    pub(super) async fn redirected(
        &self,
        hop: &Hop,
        status: u16,
        location: &str,
    ) -> Result<Hop, Failure> {
        let refused = |why: &str| {
            Failure::denied(
                "redirect_not_allowed",
                format!("a redirect from `{}` {why}", hop.target.origin.host),
            )
        };
        let mut target = hop
            .target
            .join(location)
            .map_err(|_| refused("leads to a URL that is not allowed"))?;
        let same = target.origin == hop.target.origin;
        if same {
            without_injected_parameters(&mut target.url, self.grant);
        }
        let url = Bytes::from(target.url.as_str().to_owned());
        let url = Texts::new(&self.secrets.all, [url]);
        let searcher = self.gate.searches.of_call(self.grant);
        let found = searcher.texts("answer", url, |_| false).await?.found();
        if found.replaced > 0 {
            let failure = refused("holds a credential");
            if found.uncarried > 0 {
                self.grant.end(&failure);
            }
            return Err(failure);
        }
        let downgrade =
            hop.target.origin.scheme == UrlScheme::Https && target.origin.scheme == UrlScheme::Http;
        if downgrade && !self.trail.credentials.is_empty() {
            return Err(refused("leaves https while a credential is in use"));
        }
        let mut next = Hop {
            target,
            home: hop.home && same,
            ..hop.clone()
        };
        if status == 303 && next.method != "HEAD"
            || matches!(status, 301 | 302) && next.method == "POST"
        {
            "GET".clone_into(&mut next.method);
            next.body = None;
            for name in [
                http::header::CONTENT_TYPE,
                http::header::CONTENT_ENCODING,
                http::header::CONTENT_LANGUAGE,
                http::header::CONTENT_LOCATION,
            ] {
                next.headers.remove(name);
            }
        }
        if !same {
            for name in &headers::CREDENTIAL {
                next.headers.remove(name);
            }
        }
        Ok(next)
    }
}

fn unanswered(host: &HostName, error: &hyper::Error, unsent: bool) -> Broken {
    let upstream = |code, message| Broken::new(Repeat::Never, FailureKind::Upstream, code, message);
    if error.is_parse_too_large() {
        upstream(
            "response_headers_too_large",
            format!("`{host}` answered with too many or too long headers"),
        )
    } else if error.is_parse() {
        upstream(
            "invalid_response",
            format!("`{host}` answered with something that is not HTTP"),
        )
    } else {
        Broken {
            failure: reset(host),
            repeat: if unsent {
                Repeat::Always
            } else {
                Repeat::IfReplaySafe
            },
        }
    }
}

fn redirect_of(status: StatusCode, headers: &HeaderMap) -> Option<String> {
    if !matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    headers
        .get(LOCATION)
        .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
}

pub(super) fn over_bytes_out() -> Failure {
    Failure::new(
        FailureKind::Quota,
        "byte_budget_exceeded",
        "the call has sent as many bytes as it may",
    )
}

fn declared(headers: &HeaderMap) -> u64 {
    headers
        .get(CONTENT_LENGTH)
        .and_then(|v| v.to_str().ok())
        .and_then(|t| t.parse().ok())
        .unwrap_or(0)
}

fn random() -> u16 {
    let mut bytes = [0; 2];
    // Without randomness, all callers wait the shortest time, which harms none of them.
    let _ = aws_lc_rs::rand::fill(&mut bytes);
    u16::from_be_bytes(bytes)
}
