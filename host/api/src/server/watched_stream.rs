//! A connection's bytes between the socket and the HTTP library. The library answers what it cannot
//! read by itself: a status and nothing else. Such an answer is held back here until it is known
//! whose it is, so that [`super::conversation`] can send an envelope in its place.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _, ReadBuf};

use super::request_heads::RequestHeads;

/// The library's own answer is shorter than this: a status line and three fields.
const LONGEST_BARE_ANSWER: usize = 256;

/// What the stream and the service of one connection know of each other.
#[derive(Debug, Default)]
pub(super) struct Exchange {
    begun: AtomicU64,
    answered: AtomicU64,
    both_lengths: AtomicU64,
    last_watched: AtomicU64,
}

/// What the stream saw of a request that came out of the library.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    /// Its head has both `Content-Length` and `Transfer-Encoding`.
    pub(super) both_lengths: bool,
    /// Where it ends is the library's word alone, and so is what comes after it.
    pub(super) unwatched: bool,
}

impl Exchange {
    /// A request has come out of the library.
    pub(super) fn begin(&self) -> Seen {
        let number = self.begun.fetch_add(1, Ordering::Relaxed) + 1;
        let last = self.last_watched.load(Ordering::Relaxed);
        Seen {
            both_lengths: self.both_lengths.load(Ordering::Relaxed) == number,
            unwatched: last != 0 && last <= number,
        }
    }
    /// Its answer has gone into the library.
    pub(super) fn end(&self) {
        self.answered.fetch_add(1, Ordering::Relaxed);
    }
    fn is_idle(&self) -> bool {
        self.begun.load(Ordering::Relaxed) == self.answered.load(Ordering::Relaxed)
    }
}

/// The stream under the HTTP library.
#[derive(Debug)]
pub(super) struct WatchedStream<S> {
    stream: S,
    heads: RequestHeads,
    exchange: Arc<Exchange>,
    /// What looks like the library's own answer.
    held: Vec<u8>,
    /// The socket took no more when it was last written to.
    blocked: bool,
}

impl<S: AsyncWrite + Unpin> WatchedStream<S> {
    pub(super) const fn new(stream: S, exchange: Arc<Exchange>) -> Self {
        Self {
            stream,
            heads: RequestHeads::new(),
            exchange,
            held: Vec::new(),
            blocked: false,
        }
    }

    /// What came in.
    pub(super) const fn heads(&self) -> &RequestHeads {
        &self.heads
    }

    /// Whether the peer waits for an answer of which it has nothing yet, and no other stands before it.
    pub(super) fn can_answer(&self) -> bool {
        self.exchange.is_idle() && !self.blocked
    }

    /// The socket, with all written to it that was held back and was no answer of the library.
    pub(super) async fn released(mut self) -> io::Result<S> {
        self.stream.write_all(&self.held).await?;
        Ok(self.stream)
    }

    /// The socket without what was held back.
    pub(super) fn into_inner(self) -> S {
        self.stream
    }

    fn poll_release(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.held.is_empty() {
            let written = ready!(Pin::new(&mut self.stream).poll_write(cx, &self.held))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.held.drain(..written);
        }
        Poll::Ready(Ok(()))
    }
}

/// Where in these bytes a bare refusal begins that ends with them.
fn bare_answer(bytes: &[u8]) -> Option<usize> {
    if !bytes.ends_with(b"\r\n\r\n") {
        return None;
    }
    let from = bytes.len().saturating_sub(LONGEST_BARE_ANSWER);
    let tail = bytes.get(from..)?;
    let at = tail
        .windows(10)
        .rposition(|w| w == b"HTTP/1.1 4" || w == b"HTTP/1.0 4")?;
    let text = std::str::from_utf8(tail.get(at..)?).ok()?;
    let only_a_head = text.find("\r\n\r\n") == Some(text.len() - 4);
    // Every answer of ours has its request's id.
    (only_a_head && !text.contains("x-request-id:")).then_some(from + at)
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for WatchedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        // The library reads on, so what is held back was no last word.
        if let Poll::Ready(Err(error)) = this.poll_release(cx) {
            return Poll::Ready(Err(error));
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut this.stream).poll_read(cx, buffer))?;
        this.heads
            .see(buffer.filled().get(before..).unwrap_or_default());
        if let Some(number) = this.heads.both_lengths() {
            this.exchange.both_lengths.store(number, Ordering::Relaxed);
        }
        if let Some(number) = this.heads.last_watched() {
            this.exchange.last_watched.store(number, Ordering::Relaxed);
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WatchedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        this.blocked = true;
        ready!(this.poll_release(cx))?;
        let written = match bare_answer(bytes) {
            Some(0) => {
                this.held = bytes.to_vec();
                bytes.len()
            }
            at => {
                let ours = at.and_then(|at| bytes.get(..at)).unwrap_or(bytes);
                ready!(Pin::new(&mut this.stream).poll_write(cx, ours))?
            }
        };
        this.blocked = false;
        Poll::Ready(Ok(written))
    }

    /// Gathered writes would let the library's own answer overtake, or be torn in two.
    fn is_write_vectored(&self) -> bool {
        false
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    /// Does nothing: the conversation may still have something to say.
    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::bare_answer;

    #[test]
    fn only_the_library_s_own_refusals_are_bare() {
        let bare = b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
        assert_eq!(bare_answer(bare), Some(0));
        let behind = [b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}", &bare[..]].concat();
        assert_eq!(bare_answer(&behind), Some(behind.len() - bare.len()));
        for ours in [
            &b"HTTP/1.1 401 Unauthorized\r\nx-request-id: a\r\ncontent-length: 9\r\n\r\n"[..],
            b"HTTP/1.1 204 No Content\r\n\r\n",
            b"HTTP/1.1 100 Continue\r\n\r\n",
            b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n{}",
            b"\r\n\r\n",
            b"",
        ] {
            assert_eq!(bare_answer(ours), None);
        }
    }
}
