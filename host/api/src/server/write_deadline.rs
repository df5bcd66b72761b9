//! Deadlines for peers that read answers: they must accept something every few seconds, and the whole
//! answer within a minute. The HTTP library has timers for reading but none for writing.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep};

use super::turn::Turn;

/// The library copies each frame whole before it writes. With portions of this size, a peer that accepts
/// nothing costs no more memory than its buffers.
const PORTION: usize = 16 * 1024;

/// How patient the server is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    /// Longest time without accepting anything.
    pub(super) stall: Duration,
    /// Longest time for accepting a whole answer.
    pub(super) delivery: Duration,
}

/// The answers of a connection that are being sent. Answers to pipelined requests count as one while the
/// peer lags behind.
#[derive(Debug, Clone)]
pub(super) struct Deliveries {
    outstanding: Arc<Mutex<Outstanding>>,
    turn: Turn,
}

#[derive(Debug, Default)]
struct Outstanding {
    since: Option<Instant>,
    /// Number of answers that the library has not received completely.
    unfinished: usize,
}

impl Deliveries {
    /// No answers yet, on the connection that this turn belongs to.
    pub(super) fn of(turn: Turn) -> Self {
        Self {
            outstanding: Arc::default(),
            turn,
        }
    }

    /// An answer starts.
    pub(super) fn begin(&self, body: Body) -> Portions {
        self.turn.deliver();
        let mut outstanding = self.lock();
        outstanding.since.get_or_insert_with(Instant::now);
        outstanding.unfinished += 1;
        drop(outstanding);
        Portions {
            body,
            rest: Bytes::new(),
            deliveries: self.clone(),
        }
    }

    fn since(&self) -> Option<Instant> {
        self.lock().since
    }

    /// Everything that the library received has been accepted by the peer.
    fn flushed(&self) {
        let mut outstanding = self.lock();
        if outstanding.unfinished == 0 && outstanding.since.take().is_some() {
            self.turn.delivered();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Outstanding> {
        // No operation under this lock can leave it half-done.
        self.outstanding
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// An answer's body in small frames.
#[derive(Debug)]
pub(super) struct Portions {
    body: Body,
    rest: Bytes,
    deliveries: Deliveries,
}

impl HttpBody for Portions {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = &mut *self;
        if this.rest.is_empty() {
            match ready!(Pin::new(&mut this.body).poll_frame(cx)?).map(Frame::into_data) {
                Some(Ok(data)) => this.rest = data,
                Some(Err(other)) => return Poll::Ready(Some(Ok(other))),
                None => return Poll::Ready(None),
            }
        }
        let portion = this.rest.len().min(PORTION);
        Poll::Ready(Some(Ok(Frame::data(this.rest.split_to(portion)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let mut hint = self.body.size_hint();
        let rest = self.rest.len() as u64;
        if let Some(upper) = hint.upper() {
            hint.set_upper(upper + rest);
        }
        hint.set_lower(hint.lower() + rest);
        hint
    }
}

impl Drop for Portions {
    fn drop(&mut self) {
        self.deliveries.lock().unfinished -= 1;
    }
}

/// A connection that can be cut off.
pub(super) trait Sever {
    /// Makes closing reset the connection at once, and discard what the peer has not accepted.
    fn sever(&self);
}

impl Sever for TcpStream {
    fn sever(&self) {
        // This fails if the connection is already gone, and then there is nothing to discard.
        let _ = self.set_zero_linger();
    }
}

/// A stream whose writes fail once the peer has used up its time.
#[derive(Debug)]
pub(super) struct WriteDeadline<S: Sever> {
    stream: S,
    patience: Patience,
    deliveries: Deliveries,
    /// Since when the peer has accepted nothing.
    stalled: Option<Instant>,
    timer: Pin<Box<Sleep>>,
}

impl<S: Sever> WriteDeadline<S> {
    pub(super) fn new(stream: S, patience: Patience, deliveries: Deliveries) -> Self {
        Self {
            stream,
            patience,
            deliveries,
            stalled: None,
            timer: Box::pin(tokio::time::sleep(Duration::ZERO)),
        }
    }

    /// Checks the deadlines after an attempt to write.
    fn judge<T>(
        &mut self,
        cx: &mut Context<'_>,
        attempt: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        let now = Instant::now();
        let delivered_by = self
            .deliveries
            .since()
            .map(|since| since + self.patience.delivery);
        if attempt.is_ready() {
            self.stalled = None;
            if delivered_by.is_some_and(|end| end <= now) {
                return Poll::Ready(Err(late("answer_not_taken")));
            }
            return attempt;
        }
        let taken_by = *self.stalled.get_or_insert(now) + self.patience.stall;
        let (end, why) = match delivered_by {
            Some(end) if end < taken_by => (end, "answer_not_taken"),
            _ => (taken_by, "write_stalled"),
        };
        if self.timer.deadline() != end {
            self.timer.as_mut().reset(end);
        }
        ready!(self.timer.as_mut().poll(cx));
        Poll::Ready(Err(late(why)))
    }

    /// The same, after an attempt that may have written something.
    fn judge_written(
        &mut self,
        cx: &mut Context<'_>,
        attempt: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if matches!(attempt, Poll::Ready(Ok(1..))) {
            self.deliveries.turn.taken();
        }
        self.judge(cx, attempt)
    }
}

fn late(why: &'static str) -> io::Error {
    count_cut(why);
    io::Error::new(io::ErrorKind::TimedOut, why)
}

/// Counts a connection that ends because its peer was too slow.
pub(super) fn count_cut(cause: &'static str) {
    metrics::counter!("gtm_http_connections_cut_total", "cause" => cause).increment(1);
}

impl<S: Sever> Drop for WriteDeadline<S> {
    fn drop(&mut self) {
        if self.stalled.is_some() {
            self.stream.sever();
        }
    }
}

impl<S: AsyncRead + Sever + Unpin> AsyncRead for WriteDeadline<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Sever + Unpin> AsyncWrite for WriteDeadline<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let attempt = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.judge_written(cx, attempt)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let attempt = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.judge_written(cx, attempt)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        // The library flushes when it has nothing left to write.
        let attempt = Pin::new(&mut self.stream).poll_flush(cx);
        let judged = self.judge(cx, attempt);
        if matches!(judged, Poll::Ready(Ok(()))) {
            self.deliveries.flushed();
        }
        judged
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let attempt = Pin::new(&mut self.stream).poll_shutdown(cx);
        self.judge(cx, attempt)
    }
}

#[cfg(test)]
mod tests;
