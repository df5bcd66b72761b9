//! Rules for every text and every citation.

use std::collections::BTreeSet;

use super::Check;
use crate::bounds;
use crate::fault::FaultCode;
use crate::link;
use crate::text::Run;
use crate::walk::{TextRole, Visitor};

pub(super) struct Texts<'c> {
    pub(super) check: &'c mut Check,
    /// Ids of the document's sources.
    pub(super) known: &'c BTreeSet<&'c str>,
}

impl<'d> Visitor<'d> for Texts<'_> {
    fn runs(&mut self, pointer: &str, role: TextRole, runs: &'d [Run]) {
        if runs.len() > bounds::RUNS {
            let message = format!("{} runs, at most {} allowed", runs.len(), bounds::RUNS);
            self.check.add(pointer, FaultCode::TooMany, message);
        }
        let says_nothing = runs.iter().all(|run| run.text.trim().is_empty());
        if says_nothing && !may_be_empty(role) {
            self.check.add(pointer, FaultCode::Empty, "says nothing");
        }
        let characters = runs.iter().map(|run| run.text.chars().count()).sum();
        self.check.length(characters, bounds::TEXT, pointer);
        for (index, run) in runs.iter().enumerate() {
            if run
                .href
                .as_deref()
                .is_some_and(|href| !link::is_followable(href))
            {
                let message = "expected an https or mailto link in ASCII";
                self.check
                    .add(&format!("{pointer}/{index}/href"), FaultCode::Link, message);
            }
        }
    }

    fn line(&mut self, pointer: &str, role: TextRole, line: &'d str) {
        if line.trim().is_empty() && !may_be_empty(role) {
            self.check.add(pointer, FaultCode::Empty, "says nothing");
        }
        if role == TextRole::Alt {
            self.check
                .length(line.chars().count(), bounds::ALT, pointer);
        } else {
            self.check.line(line, bounds::LINE, pointer);
        }
    }

    fn cites(&mut self, pointer: &str, ids: &'d [String]) {
        if ids.len() > bounds::CITES {
            let message = format!("{} sources, at most {} allowed", ids.len(), bounds::CITES);
            self.check.add(pointer, FaultCode::TooMany, message);
        }
        for (index, id) in ids.iter().enumerate() {
            if !self.known.contains(id.as_str()) {
                let message = "the document has no source of this id";
                self.check.add(
                    &format!("{pointer}/{index}"),
                    FaultCode::UnknownSource,
                    message,
                );
            }
        }
    }
}

const fn may_be_empty(role: TextRole) -> bool {
    matches!(
        role,
        TextRole::Notes
            | TextRole::Cell
            | TextRole::Caption
            | TextRole::ColumnLabel
            | TextRole::Detail
            | TextRole::ActionText
    )
}
