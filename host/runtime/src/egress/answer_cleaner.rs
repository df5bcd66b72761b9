//! Clears an answer of secrets while it arrives: cheap searches run on the event loop, the rest off it.

use bytes::{Bytes, BytesMut};
use gtm_domain::{Failure, FailureKind};

use super::redact::{Findings, Redactor};
use super::searches::{SEARCHED_AT_ONCE, Searcher};

/// The search of one answer.
pub(super) struct AnswerCleaner {
    /// Absent while it searches on another thread, and for good once that search was given up.
    redactor: Option<Redactor>,
    reach: usize,
    searcher: Searcher,
    /// What searching on the event loop has cost so far.
    spent: usize,
    found: Findings,
}

impl AnswerCleaner {
    pub(super) const fn new(redactor: Redactor, searcher: Searcher) -> Self {
        Self {
            reach: redactor.reach(),
            redactor: Some(redactor),
            searcher,
            spent: 0,
            found: Findings {
                replaced: 0,
                uncarried: 0,
            },
        }
    }

    /// Bytes needed beyond a cut.
    pub(super) const fn reach(&self) -> usize {
        self.reach
    }

    /// Secrets found so far.
    pub(super) const fn found(&self) -> Findings {
        self.found
    }

    /// Bytes that can be passed on once these have arrived.
    pub(super) async fn push(&mut self, bytes: &[u8]) -> Result<BytesMut, Failure> {
        let mut redactor = self.take()?;
        redactor.take_in(bytes);
        redactor.ask();
        self.search(redactor).await
    }

    /// Ends the answer here although more of it follows; returns how many further bytes to push.
    pub(super) fn cut(&mut self) -> usize {
        self.redactor.as_mut().map_or(0, Redactor::cut)
    }

    /// All remaining bytes.
    pub(super) async fn finish(&mut self) -> Result<Bytes, Failure> {
        let mut redactor = self.take()?;
        redactor.ask_rest();
        Ok(self.search(redactor).await?.freeze())
    }

    fn take(&mut self) -> Result<Redactor, Failure> {
        self.redactor.take().ok_or_else(|| {
            Failure::new(
                FailureKind::Internal,
                "answer_not_searched",
                "the search of the answer for credentials was canceled",
            )
        })
    }

    /// Lets the redactor search what is due.
    async fn search(&mut self, mut redactor: Redactor) -> Result<BytesMut, Failure> {
        let mut out = BytesMut::new();
        let spent = self.spent.saturating_add(redactor.cost());
        let (redactor, out) = if !redactor.is_due() || spent <= SEARCHED_AT_ONCE {
            self.spent = spent;
            while redactor.is_due() {
                redactor.turn(&mut out);
            }
            (redactor, out)
        } else {
            let mut search = Some((redactor, out));
            let turn = move || {
                let (redactor, out) = search.as_mut()?;
                redactor.turn(out);
                if redactor.is_due() {
                    None
                } else {
                    search.take()
                }
            };
            self.searcher.run("answer", turn).await?
        };
        self.found = redactor.found;
        self.redactor = Some(redactor);
        Ok(out)
    }
}
