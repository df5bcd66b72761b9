//! The second reading: what the critic says of the claims, and what becomes of those it objects to.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use gtm_site_research::claim::{Basis, SecondReading};
use gtm_site_research::failure::Failure;
use gtm_site_research::host::Call;
use serde_json::{Value, json};

use super::{Course, Draft};
use crate::check::{CALLER, Checked, Verdict};
use crate::critique;
use crate::fault::Fault;
use crate::form::Unit;
use crate::judgement::{Finding, Judgement, Subject, Verdicts};
use crate::prompt::Beginning;
use crate::schema;

/// A prompt shows only the excerpts that its claims cite where they are at most one part of all in so many.
const LEAST_SAVED: usize = 2;

impl Course<'_> {
    /// Has a critic read the claims. What it objects to is rewritten once and read again; else the contradicted sentences are left
    /// out, or all of it. Without a usable answer of the critic all claims stay as they are.
    pub(super) fn criticize(&mut self, drafts: Vec<Draft>) -> Result<Vec<Draft>, Failure> {
        let numbered: Vec<(u64, Draft)> = (1u64..).zip(drafts).collect();
        let mut first = self.verdicts(&self.beginning, &numbered)?;
        self.written.criticized = !first.is_empty();
        if self.written.criticized {
            let more = self.verdicts_on_the_rest(&numbered, &first)?;
            critique::add(&mut first, more);
        }
        let mut rewritten = self.rewritten(&numbered, &first)?;
        let mut new: Vec<(u64, Draft)> = Vec::new();
        for (number, draft) in &numbered {
            if let Some(checked) = rewritten.remove(number) {
                let again = Draft {
                    path: draft.path.clone(),
                    checked,
                    ..*draft
                };
                new.push((*number, again));
            }
        }
        let second = self.verdicts(&self.beginning_for(&new), &new)?;
        let mut new: BTreeMap<u64, Draft> = new.into_iter().collect();
        let mut kept = Vec::new();
        for (number, draft) in numbered {
            let Some(mut again) = new.remove(&number) else {
                kept.extend(self.settled(number, draft, &first));
                continue;
            };
            // Its first wording was wrong: unless a reader confirms this one, it is a guess.
            // What rests on the caller alone has no excerpt to infer it from.
            if !again.checked.whole_quotation && again.checked.basis != Basis::Provided {
                again.checked.basis = Basis::Inferred;
            }
            let judged = self.subject(number, &again).judged(&second);
            let before = self.subject(number, &draft).judged(&first);
            let settled = match (judged.finding, before.rest) {
                // What nobody objected to in the first wording still stands.
                (Some(Finding::Contradicted), Some(_)) => self.settled(number, draft, &first),
                _ => self.settled(number, again, &second),
            };
            kept.extend(settled);
        }
        Ok(kept)
    }

    /// The claim as the verdicts leave it.
    fn settled(&mut self, number: u64, mut draft: Draft, verdicts: &Verdicts) -> Option<Draft> {
        let judgement = self.subject(number, &draft).judged(verdicts);
        if let Some(rest) = judgement.rest {
            let lost = vec![Fault::Contradicted; judgement.faulty.len()];
            self.lose(&draft.path, &lost, false);
            draft.checked = self.shortened(draft.unit, draft.checked, &rest);
        }
        match judgement.finding {
            Some(Finding::Contradicted) => {
                self.lose(&draft.path, &[Fault::Contradicted], true);
                return None;
            }
            Some(Finding::Supported) => draft.read = Some(SecondReading::Supported),
            Some(Finding::Inferred) => {
                draft.read = Some(SecondReading::Inferred);
                // What rests on the caller alone has no excerpt to infer it from.
                if draft.checked.basis != Basis::Provided {
                    draft.checked.basis = Basis::Inferred;
                }
            }
            None => {}
        }
        Some(draft)
    }

    /// The claim with nothing but these sentences: reason and sums that belonged to the others go, too.
    fn shortened(&self, unit: Unit, checked: Checked, rest: &str) -> Checked {
        let name = unit.fields.first().map_or("", |field| field.name);
        let caller = checked.on_caller.then_some(CALLER);
        let cited: Vec<u64> = checked.citations.iter().copied().chain(caller).collect();
        let answer = json!({name: rest, "citations": cited});
        match self.check(unit, &answer) {
            Verdict::Kept(shortened) => shortened,
            _ => Checked {
                value: Value::from(rest),
                reason: None,
                ..checked
            },
        }
    }

    fn subject<'d>(&self, number: u64, draft: &'d Draft) -> Subject<'d> {
        Subject::new(
            number,
            &draft.path,
            draft.unit,
            &draft.checked,
            self.language,
        )
    }

    /// What all calls begin with, but of the excerpts only those that the claims cite, so that a few claims cost no reading of the
    /// whole site; all of them where that saves less than a provider does who has read them before.
    fn beginning_for<'d>(
        &self,
        drafts: impl IntoIterator<Item = &'d (u64, Draft)>,
    ) -> Cow<'_, Beginning> {
        let drafts = drafts.into_iter();
        let cited = drafts.flat_map(|(_, draft)| draft.checked.citations.iter().copied());
        let few = self
            .excerpts
            .around(&cited.collect(), self.task.research, self.task.evidence);
        if few.len() * LEAST_SAVED > self.excerpts.text.len() {
            return Cow::Borrowed(&self.beginning);
        }
        Cow::Owned(self.beginning.showing(&few))
    }

    /// What the critic says, asked once more, of the claims that its answer left out.
    fn verdicts_on_the_rest(
        &self,
        drafts: &[(u64, Draft)],
        known: &Verdicts,
    ) -> Result<Verdicts, Failure> {
        let is_unread = |(number, draft): &&(u64, Draft)| {
            let judgement = self.subject(*number, draft).judged(known);
            !draft.checked.whole_quotation && judgement.finding.is_none() && !judgement.objects()
        };
        let unread: Vec<&(u64, Draft)> = drafts.iter().filter(is_unread).collect();
        self.verdicts(&self.beginning_for(unread.iter().copied()), unread)
    }

    /// What the critic says of the claims; nothing of those that it did not read.
    fn verdicts<'d>(
        &self,
        beginning: &Beginning,
        drafts: impl IntoIterator<Item = &'d (u64, Draft)>,
    ) -> Result<Verdicts, Failure> {
        let subjects: Vec<Subject<'_>> = drafts
            .into_iter()
            // The site's own whole sentences need no second reading.
            .filter(|(_, draft)| !draft.checked.whole_quotation)
            .map(|(number, draft)| self.subject(*number, draft))
            .collect();
        let mut verdicts = Verdicts::new();
        if subjects.is_empty() {
            return Ok(verdicts);
        }
        let mut evidence: Vec<&str> = self
            .excerpts
            .all
            .iter()
            .map(|excerpt| excerpt.text.as_str())
            .collect();
        evidence.extend([self.task.caller, self.task.company]);
        let tasks = critique::tasks(&subjects, beginning, &evidence, self.room(beginning));
        let calls: Vec<Call> = tasks
            .iter()
            .map(|task| self.call_after(beginning, task, critique::schema(), "critique"))
            .collect();
        for answer in self.answers(&calls)? {
            match answer {
                Ok(answer) => critique::add(&mut verdicts, critique::read(&answer)),
                // What is written is paid for, and stands without a critic, with low confidence.
                Err(failure) => self.note("no critique of the model", &failure),
            }
        }
        Ok(verdicts)
    }

    /// How many characters a task may have.
    fn room(&self, beginning: &Beginning) -> usize {
        let context = self.task.model.context_chars;
        context.saturating_sub(beginning.length())
    }

    /// Has the claims rewritten to which the critic objects; those that pass the check and no longer have the faulty words, by number.
    fn rewritten(
        &self,
        drafts: &[(u64, Draft)],
        verdicts: &Verdicts,
    ) -> Result<BTreeMap<u64, Checked>, Failure> {
        let contradicted: Vec<(Subject<'_>, Judgement)> = drafts
            .iter()
            .map(|(number, draft)| self.subject(*number, draft))
            .map(|subject| (subject.judged(verdicts), subject))
            .filter(|(judgement, _)| judgement.objects())
            .map(|(judgement, subject)| (subject, judgement))
            .collect();
        let numbers: BTreeSet<u64> = contradicted.iter().map(|(it, _)| it.number).collect();
        let of_them = drafts.iter().filter(|(it, _)| numbers.contains(it));
        let beginning = self.beginning_for(of_them);
        let room = self.room(&beginning);
        let (task, told) = critique::rewriting(&contradicted, &beginning, room);
        if told.is_empty() {
            return Ok(BTreeMap::new());
        }
        let reasons = self.task.reasons;
        let named: Vec<(String, Unit)> = contradicted
            .iter()
            .filter(|(subject, _)| told.contains(&subject.number))
            .map(|(subject, _)| (critique::member(subject.number), subject.unit))
            .collect();
        let call = self.call_after(
            &beginning,
            &task,
            schema::units(&named, reasons),
            "rewriting",
        );
        let answer = match self.answer(call)? {
            Ok(answer) => answer,
            Err(failure) => {
                self.note("nothing rewritten", &failure);
                return Ok(BTreeMap::new());
            }
        };
        let mut rewritten = BTreeMap::new();
        for (subject, judgement) in &contradicted {
            let Some(value) = answer.get(critique::member(subject.number)) else {
                continue;
            };
            if let Verdict::Kept(checked) = self.check(subject.unit, value)
                && critique::is_mended(&checked.value, &subject.checked.value, &judgement.faulty)
            {
                rewritten.insert(subject.number, checked);
            }
        }
        Ok(rewritten)
    }
}
