//! Reads the body of an answer: decoded, bounded, cleared of secrets, and never more of it in memory than
//! was asked for.

use std::io;
use std::ops::Range;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;

use async_compression::tokio::bufread::{BrotliDecoder, DeflateDecoder, GzipDecoder, ZlibDecoder};
use bytes::{Bytes, BytesMut};
use futures::{Stream, StreamExt as _, poll};
use gtm_domain::{Failure, FailureKind};
use http::HeaderMap;
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, BufReader};
use tokio::time::{Instant, timeout_at};
use tokio_util::io::StreamReader;
use tokio_util::sync::CancellationToken;

use super::answer_cleaner::AnswerCleaner;
use super::budget::CallBudget;
use super::interruption::{canceled, no_time, timed_out};
use super::limiter::RateSlot;
use super::redact::Findings;
use super::target::HostName;

/// Decoded bytes read at a time.
const CHUNK: usize = 16 * 1024;
/// Decoded bytes of a long body collected, as far as they have arrived, before they are searched: each
/// search waits for a thread.
const COLLECTED: usize = 64 * 1024;
/// Encoded bytes allowed beyond the decoded limit before the gate gives up. An encoding may add a little,
/// but an endless encoded stream that decodes to nothing is an attack.
const WIRE_SLACK: u64 = 64 * 1024;

/// A content coding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Coding {
    Identity,
    Gzip,
    Brotli,
    Deflate,
}

impl Coding {
    /// The coding of an answer.
    ///
    /// # Errors
    /// `content_encoding_unsupported` for any coding that the gate did not ask for.
    pub(super) fn of(headers: &HeaderMap, host: &HostName) -> Result<Self, Failure> {
        let mut coding = Self::Identity;
        for value in headers.get_all(http::header::CONTENT_ENCODING) {
            for token in value.to_str().unwrap_or("?").split(',') {
                let next = match token.trim().to_ascii_lowercase().as_str() {
                    "" | "identity" => continue,
                    "gzip" | "x-gzip" => Self::Gzip,
                    "br" => Self::Brotli,
                    "deflate" => Self::Deflate,
                    _ => return Err(unsupported(host)),
                };
                // Nested codings only multiply the ratio of a decompression bomb.
                if coding != Self::Identity {
                    return Err(unsupported(host));
                }
                coding = next;
            }
        }
        Ok(coding)
    }
}

fn unsupported(host: &HostName) -> Failure {
    Failure::new(
        FailureKind::Upstream,
        "content_encoding_unsupported",
        format!("`{host}` answered in a content encoding that was not asked for"),
    )
}

/// Limits of one body.
pub(super) struct Bounds {
    /// Maximum of decoded bytes.
    pub limit: u64,
    /// Cut the body at the limit instead of failing.
    pub truncate: bool,
    /// When the exchange times out.
    pub deadline: Instant,
    /// Cancels the exchange.
    pub cancel: CancellationToken,
    /// What the call may still receive.
    pub budget: Arc<CallBudget>,
}

impl Bounds {
    /// Waits for a step, but no longer than the exchange may last; says which limit ended the wait.
    async fn within<T>(
        &self,
        late: impl FnOnce() -> Failure,
        waiting: impl Future<Output = T>,
    ) -> Result<T, Failure> {
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => Err(canceled()),
            done = timeout_at(self.deadline, waiting) => done.map_err(|_| late()),
        }
    }

    /// Waits for one of our own searches.
    async fn searched<T>(
        &self,
        searching: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        self.within(|| no_time("answer"), searching).await?
    }
}

/// A body that is being read.
pub(super) struct BodyReader {
    source: Pin<Box<dyn AsyncRead + Send>>,
    bounds: Bounds,
    cleaner: AnswerCleaner,
    host: HostName,
    /// Decoded and cleared bytes that nobody has read yet.
    ready: BytesMut,
    scratch: Vec<u8>,
    /// Bytes collected but not yet searched. They survive a `fill` that is dropped half-way.
    collected: usize,
    /// How reading ended behind the collected bytes: end of body, or a failure.
    after: Option<io::Result<usize>>,
    taken: u64,
    ended: bool,
    failed: Option<Failure>,
    /// Bytes beyond the limit still to be read once the body is cut: they show whether a secret began
    /// before the cut.
    beyond: Option<usize>,
    pub truncated: bool,
    /// Keeps the connection open while the body is read.
    _connection: Box<dyn Send>,
    /// The request counts as in flight until its answer is read or dropped.
    slot: Option<RateSlot>,
}

/// Marks errors of the connection, as opposed to those of the decoder.
#[derive(Debug, thiserror::Error)]
#[error("the connection failed")]
struct WireError;

/// Marks a body whose encoded form is too long.
#[derive(Debug, thiserror::Error)]
#[error("the encoded body is too long")]
struct WireTooLong;

impl BodyReader {
    /// Reads what arrives in `pieces`; `connection` is dropped with the reader.
    pub(super) async fn new<E: 'static>(
        pieces: impl Stream<Item = Result<Bytes, E>> + Send + Unpin + 'static,
        coding: Coding,
        bounds: Bounds,
        cleaner: AnswerCleaner,
        host: HostName,
        connection: impl Send + 'static,
    ) -> Self {
        let limit = bounds.limit.saturating_add(cleaner.reach() as u64);
        let wire_limit = limit.saturating_add(limit / 64).saturating_add(WIRE_SLACK);
        let wire = BufReader::with_capacity(CHUNK, StreamReader::new(bounded(pieces, wire_limit)));
        let source: Pin<Box<dyn AsyncRead + Send>> = match coding {
            Coding::Identity => Box::pin(wire),
            Coding::Gzip => {
                let mut decoder = GzipDecoder::new(wire);
                decoder.multiple_members(true);
                Box::pin(decoder)
            }
            Coding::Brotli => Box::pin(BrotliDecoder::new(wire)),
            Coding::Deflate => deflate(wire, bounds.deadline).await,
        };
        Self {
            source,
            bounds,
            cleaner,
            host,
            ready: BytesMut::new(),
            scratch: vec![0; CHUNK],
            collected: 0,
            after: None,
            taken: 0,
            ended: false,
            failed: None,
            beyond: None,
            truncated: false,
            _connection: Box::new(connection),
            slot: None,
        }
    }

    /// Keeps the slot until the body is read or dropped.
    pub(super) fn hold(&mut self, slot: Option<RateSlot>) {
        self.slot = slot;
    }

    /// The next bytes, at most `max` of them; `None` at the end.
    pub(super) async fn next(&mut self, max: usize) -> Result<Option<Bytes>, Failure> {
        while self.ready.is_empty() {
            if self.ended {
                return Ok(None);
            }
            self.fill(false).await?;
        }
        let take = max.max(1).min(self.ready.len());
        Ok(Some(self.ready.split_to(take).freeze()))
    }

    /// All remaining bytes.
    pub(super) async fn rest(&mut self) -> Result<Bytes, Failure> {
        while !self.ended {
            self.fill(true).await?;
        }
        Ok(std::mem::take(&mut self.ready).freeze())
    }

    /// The first bytes, about `wanted` of them; they remain to be read.
    pub(super) async fn peek(&mut self, wanted: usize) -> Result<&[u8], Failure> {
        while !self.ended && self.ready.len() < wanted {
            self.fill(false).await?;
        }
        Ok(&self.ready)
    }

    /// Secrets found so far.
    pub(super) const fn found(&self) -> Findings {
        self.cleaner.found()
    }

    /// Reads on, for a caller that wants the whole body or its next bytes. A failure is permanent, so that
    /// half a body never passes for a whole one.
    async fn fill(&mut self, whole: bool) -> Result<(), Failure> {
        if let Some(failure) = &self.failed {
            return Err(failure.clone());
        }
        let outcome = self.fill_unguarded(whole).await;
        self.failed = outcome.as_ref().err().cloned();
        outcome
    }

    async fn fill_unguarded(&mut self, whole: bool) -> Result<(), Failure> {
        let left = self.bounds.limit - self.taken;
        // One byte beyond the limit shows that there is more.
        let want = self
            .beyond
            .unwrap_or_else(|| usize::try_from(left.saturating_add(1)).unwrap_or(CHUNK));
        let count = self.collect(want, whole).await?;
        if count == 0 {
            return self.end().await;
        }
        if let Some(beyond) = self.beyond {
            return self.look_beyond(beyond, 0..count).await;
        }
        let fits = usize::try_from(left).unwrap_or(usize::MAX).min(count);
        let budgeted = self.bounds.budget.take_bytes_in(fits as u64);
        let own = if budgeted { fits } else { 0 };
        self.taken += own as u64;
        let cleaned = self.cleaner.push(&self.scratch[..own]);
        let clean = self.bounds.searched(cleaned).await?;
        self.ready.extend_from_slice(&clean);
        if own == count {
            return Ok(());
        }
        if !self.bounds.truncate {
            return Err(if !budgeted || self.bounds.budget.bytes_in_left() == 0 {
                over_budget()
            } else {
                self.too_large()
            });
        }
        self.truncated = true;
        let beyond = self.cleaner.cut();
        self.look_beyond(beyond, own..count).await
    }

    /// Reads up to `want` bytes into the scratch buffer. A caller that wants the whole body gets more than
    /// one read's worth; one that wants the next bytes gets the pieces that have already arrived. How much
    /// depends on the body alone. Returns the number of bytes; zero at the end.
    async fn collect(&mut self, want: usize, whole: bool) -> Result<usize, Failure> {
        let long = self.taken >= COLLECTED as u64;
        let want = want.min(if long { COLLECTED } else { CHUNK });
        if self.scratch.len() < want {
            self.scratch.resize(want, 0);
        }
        while self.collected < want {
            let read = if let Some(after) = self.after.take() {
                after
            } else {
                let reading = self.source.read(&mut self.scratch[self.collected..want]);
                if self.collected > 0 && !whole {
                    match poll!(std::pin::pin!(reading)) {
                        Poll::Ready(read) => read,
                        Poll::Pending => break,
                    }
                } else {
                    self.bounds
                        .within(|| timed_out(&self.host), reading)
                        .await?
                }
            };
            match read {
                Ok(more) if more > 0 => self.collected += more,
                over if self.collected > 0 => {
                    self.after = Some(over);
                    break;
                }
                Ok(_) => break,
                Err(error) => return Err(self.read_failure(&error)),
            }
            if !long {
                break;
            }
        }
        Ok(std::mem::take(&mut self.collected))
    }

    /// Shows the redactor the bytes just read, as part of the `left` bytes that it needs to see beyond the
    /// limit. The body ends once it has seen them all.
    async fn look_beyond(&mut self, left: usize, seen: Range<usize>) -> Result<(), Failure> {
        let left = left.saturating_sub(seen.len());
        let cleaned = self.cleaner.push(&self.scratch[seen]);
        self.bounds.searched(cleaned).await?;
        self.beyond = Some(left);
        if left == 0 {
            return self.end().await;
        }
        Ok(())
    }

    async fn end(&mut self) -> Result<(), Failure> {
        self.slot = None;
        let cleaned = self.cleaner.finish();
        let tail = self.bounds.searched(cleaned).await?;
        self.ended = true;
        self.ready.extend_from_slice(&tail);
        Ok(())
    }

    fn read_failure(&self, error: &io::Error) -> Failure {
        let host = &self.host;
        match error.get_ref() {
            Some(inner) if inner.is::<WireTooLong>() => self.too_large(),
            Some(inner) if inner.is::<WireError>() => reset(host),
            // The input of a decoder ended too early.
            _ if error.kind() == io::ErrorKind::UnexpectedEof => reset(host),
            _ => Failure::new(
                FailureKind::Upstream,
                "content_encoding_invalid",
                format!("the body from `{host}` cannot be decoded"),
            ),
        }
    }

    fn too_large(&self) -> Failure {
        too_large(&self.host, self.bounds.limit)
    }
}

/// `deflate` means zlib, but some servers send the bare stream; the first two bytes tell which.
async fn deflate<R: AsyncBufRead + Send + Unpin + 'static>(
    mut wire: R,
    deadline: Instant,
) -> Pin<Box<dyn AsyncRead + Send>> {
    let head = match timeout_at(deadline, wire.fill_buf()).await {
        Ok(Ok(&[first, second, ..])) => [first, second],
        Ok(Ok(&[first])) if first & 0x0f == 8 => [0x78, 0x01],
        // Nothing yet, or a failure that the next read meets and reports.
        _ => [0, 0],
    };
    if head[0] & 0x0f == 8 && u16::from_be_bytes(head) % 31 == 0 {
        Box::pin(ZlibDecoder::new(wire))
    } else {
        Box::pin(DeflateDecoder::new(wire))
    }
}

fn bounded<E>(
    pieces: impl Stream<Item = Result<Bytes, E>> + Send + Unpin,
    limit: u64,
) -> impl Stream<Item = io::Result<Bytes>> + Send + Unpin {
    let mut left = limit;
    pieces.map(move |piece| {
        let piece = piece.map_err(|_| io::Error::other(WireError))?;
        left = left
            .checked_sub(piece.len() as u64)
            .ok_or_else(|| io::Error::other(WireTooLong))?;
        Ok(piece)
    })
}

pub(super) fn too_large(host: &HostName, limit: u64) -> Failure {
    Failure::new(
        FailureKind::Upstream,
        "body_too_large",
        format!("the body from `{host}` is longer than {limit} bytes"),
    )
}

pub(super) fn over_budget() -> Failure {
    Failure::new(
        FailureKind::Quota,
        "byte_budget_exceeded",
        "the call has received as many bytes as it may",
    )
}

pub(super) fn reset(host: &HostName) -> Failure {
    Failure::new(
        FailureKind::Upstream,
        "connection_reset",
        format!("the connection to `{host}` ended before the answer did"),
    )
}
