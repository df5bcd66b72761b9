//! Judging a text of runs, sentence by sentence.

use std::ops::Range;

use gtm_document_model::{Run, names_another_address, plain_text};

use super::sections::Judge;
use super::sentences::sentences;
use crate::library::Stored;
use crate::verdict::Dropped;

impl<'a> Judge<'a, '_> {
    /// What is left of a text; empty if nothing is. `cites` are what its block cites.
    pub(super) fn runs(&mut self, pointer: &str, runs: Vec<Run>, cites: &[String]) -> Vec<Run> {
        let runs = self.linked(pointer, self.cited(runs), cites);
        let text = plain_text(&runs);
        let cited = self
            .evidence
            .sources(runs.iter().flat_map(|run| &run.cite).chain(cites));
        let mut kept: Vec<Range<usize>> = Vec::new();
        for sentence in sentences(&text) {
            let said = &text[sentence.clone()];
            match self.fault(said, &cited) {
                None => kept.push(sentence),
                Some(reason) => self.take(pointer.to_owned(), reason, said),
            }
        }
        if kept.is_empty() {
            return Vec::new();
        }
        let left = parts(runs, &kept);
        // A claim may go over several sentences.
        let said = plain_text(&left);
        if self.fault(&said, &cited) == Some(Dropped::Forbidden) {
            self.take(pointer.to_owned(), Dropped::Forbidden, &said);
            return Vec::new();
        }
        left
    }

    /// The runs if all of what they say stands: a cell or a quotation is kept or left out as a whole.
    pub(super) fn whole(
        &mut self,
        runs: Vec<Run>,
        cited: &[&'a Stored],
    ) -> Result<Vec<Run>, Dropped> {
        let runs = self.cited(runs);
        for run in &runs {
            if let Some(href) = &run.href
                && (!self.evidence.has_link(href, cited) || names_another_address(&run.text, href))
            {
                return Err(Dropped::Invented);
            }
        }
        match self.fault(&plain_text(&runs), cited) {
            Some(reason) => Err(reason),
            None => Ok(runs),
        }
    }

    /// The runs without citations of what was not fetched.
    pub(super) fn cited(&self, mut runs: Vec<Run>) -> Vec<Run> {
        for run in &mut runs {
            run.cite.retain(|id| self.evidence.has(id));
        }
        runs
    }

    /// The runs without links that lead nowhere known. Their words are judged like others.
    fn linked(&mut self, pointer: &str, mut runs: Vec<Run>, cites: &[String]) -> Vec<Run> {
        let evidence = self.evidence;
        let all: Vec<String> = runs.iter().flat_map(|run| run.cite.clone()).collect();
        let cited = evidence.sources(all.iter().chain(cites));
        for run in &mut runs {
            if run.href.as_deref().is_some_and(|href| {
                !evidence.has_link(href, &cited) || names_another_address(&run.text, href)
            }) {
                let href = run.href.take().unwrap_or_default();
                self.take(pointer.to_owned(), Dropped::Invented, &href);
            }
        }
        runs
    }
}

/// The runs as far as they are in these ranges of their joined text, without white space at the ends.
fn parts(runs: Vec<Run>, kept: &[Range<usize>]) -> Vec<Run> {
    let mut left: Vec<Run> = Vec::new();
    let mut start = 0;
    for run in runs {
        let end = start + run.text.len();
        let text: String = kept
            .iter()
            .filter_map(|range| {
                let (from, to) = (range.start.max(start), range.end.min(end));
                (from < to).then(|| run.text.get(from - start..to - start))?
            })
            .collect();
        start = end;
        if !text.is_empty() {
            left.push(Run { text, ..run });
        }
    }
    if let Some(first) = left.first_mut() {
        first.text = first.text.trim_start().to_owned();
    }
    if let Some(last) = left.last_mut() {
        last.text.truncate(last.text.trim_end().len());
    }
    left.retain(|run| !run.text.is_empty());
    left
}
