//! Clears an answer of secrets while it arrives: the first bytes on the event loop, the rest of a long one
//! off it.

use bytes::{Bytes, BytesMut};
use gtm_domain::{Failure, FailureKind};

use super::redact::{Findings, Redactor};
use super::searches::{SEARCHED_AT_ONCE, Searcher};

/// The search of one answer.
pub(super) struct Clearing {
    /// Away while it searches elsewhere, and for good if that was given up.
    redactor: Option<Redactor>,
    reach: usize,
    searcher: Searcher,
    /// Bytes that were searched on the event loop, those that were searched again counted again.
    searched: usize,
    found: Findings,
}

impl Clearing {
    pub(super) const fn new(redactor: Redactor, searcher: Searcher) -> Self {
        Self {
            reach: redactor.reach(),
            redactor: Some(redactor),
            searcher,
            searched: 0,
            found: Findings {
                replaced: 0,
                uncarried: 0,
            },
        }
    }

    /// Bytes that are wanted beyond a cut.
    pub(super) const fn reach(&self) -> usize {
        self.reach
    }

    /// What was found so far.
    pub(super) const fn found(&self) -> Findings {
        self.found
    }

    /// What can be passed on after these bytes.
    pub(super) async fn push(&mut self, bytes: &[u8]) -> Result<BytesMut, Failure> {
        let mut redactor = self.take()?;
        redactor.take_in(bytes);
        let work = redactor.due();
        self.search(redactor, work, Redactor::pass_on).await
    }

    /// The answer ends here, although more of it follows: tells how many bytes to push still.
    pub(super) fn cut(&mut self) -> usize {
        self.redactor.as_mut().map_or(0, Redactor::cut)
    }

    /// The rest.
    pub(super) async fn finish(&mut self) -> Result<Bytes, Failure> {
        let redactor = self.take()?;
        let work = redactor.held();
        self.search(redactor, work, Redactor::finish).await
    }

    fn take(&mut self) -> Result<Redactor, Failure> {
        self.redactor.take().ok_or_else(|| {
            Failure::new(
                FailureKind::Internal,
                "answer_not_searched",
                "the search of the answer for credentials was given up",
            )
        })
    }

    /// Let the redactor go over so many bytes.
    async fn search<T: Send + 'static>(
        &mut self,
        mut redactor: Redactor,
        work: usize,
        step: fn(&mut Redactor) -> T,
    ) -> Result<T, Failure> {
        let at_once = self.searched.saturating_add(work);
        let (redactor, out) = if work == 0 || at_once <= SEARCHED_AT_ONCE {
            self.searched = at_once;
            let out = step(&mut redactor);
            (redactor, out)
        } else {
            let searching = self.searcher.run("answer", move |stop| {
                (!stop.is_set()).then(|| {
                    let out = step(&mut redactor);
                    (redactor, out)
                })
            });
            searching.await?
        };
        self.found = redactor.found;
        self.redactor = Some(redactor);
        Ok(out)
    }
}
