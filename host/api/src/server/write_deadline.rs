//! Deadlines for taking an answer: something of it every few seconds, and the whole of it within a minute.
//! The HTTP library has timers for what it reads and none for what it writes.

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

/// The library copies what it is given, whole, before it writes. Given portions of this size, a peer that
/// takes nothing costs no more memory than its buffers.
const PORTION: usize = 16 * 1024;

/// How patient the server is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    /// With a peer that takes nothing.
    pub(super) stall: Duration,
    /// With a peer that has not taken all.
    pub(super) delivery: Duration,
}

/// The answers of a connection that are on their way to the peer. Answers to pipelined requests count as
/// one while the peer lags behind.
#[derive(Debug, Clone)]
pub(super) struct Deliveries {
    outstanding: Arc<Mutex<Outstanding>>,
    turn: Turn,
}

#[derive(Debug, Default)]
struct Outstanding {
    since: Option<Instant>,
    /// Answers of which the library has not been given all.
    unfinished: usize,
}

impl Deliveries {
    /// None yet, on the connection whose turn this is.
    pub(super) fn of(turn: Turn) -> Self {
        Self {
            outstanding: Arc::default(),
            turn,
        }
    }

    /// An answer begins.
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

    /// All that the library was given has been taken.
    fn flushed(&self) {
        let mut outstanding = self.lock();
        if outstanding.unfinished == 0 && outstanding.since.take().is_some() {
            self.turn.delivered();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Outstanding> {
        // Nothing that is done under the lock can leave it half-done.
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
    /// When the connection is closed, reset it at once and keep nothing that the peer did not take.
    fn sever(&self);
}

impl Sever for TcpStream {
    fn sever(&self) {
        // It fails on a connection that is gone, where nothing is kept either.
        let _ = self.set_zero_linger();
    }
}

/// A stream on which writing fails when the peer has had its time.
#[derive(Debug)]
pub(super) struct WriteDeadline<S: Sever> {
    stream: S,
    patience: Patience,
    deliveries: Deliveries,
    /// Since when the peer has taken nothing.
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

    /// Look at the clock after an attempt to write.
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

/// Count a connection that ends because its peer was too slow.
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
