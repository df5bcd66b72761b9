//! The course of writing: brief, parts, check, critic, rewriting.

mod brief;
mod parts;
mod second_reading;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use gtm_site_research::claim::SecondReading;
use gtm_site_research::failure::{self, Failure, FailureKind};
use gtm_site_research::host::{Call, Host};
use serde_json::Value;

use crate::answer;
use crate::check::{Checked, Ground, Verdict};
use crate::excerpt_numbers::ExcerptNumbers;
use crate::excerpts::Excerpts;
use crate::fault::Fault;
use crate::form::{Part, Unit};
use crate::job_offers;
use crate::numbers::Derivation;
use crate::plan;
use crate::prompt::Beginning;
use crate::task::Task;
use crate::units::{derivations, units};
use crate::written::{Loss, Written};

/// Most lines of the operator's log that say what was left out.
const MOST_NOTES: usize = 40;

/// A claim on its way through the course.
struct Draft {
    path: String,
    unit: Unit,
    checked: Checked,
    /// What the critic says of it; none if it was not read.
    read: Option<SecondReading>,
}

struct Course<'a> {
    host: &'a dyn Host,
    task: &'a Task<'a>,
    excerpts: &'a Excerpts,
    excerpt_numbers: ExcerptNumbers,
    ground: Ground<'a>,
    /// Language of the answers.
    language: &'a str,
    beginning: Beginning,
    full: bool,
    /// Characters of a call that are left for its task.
    reserved: usize,
    /// The sums of all answers.
    derivations: Vec<Derivation>,
    written: Written,
}

/// Has the model write.
///
/// # Errors
/// The model's failure when nothing of it is usable: `backend_invalid_response`, `backend_refused`, `backend_timeout`,
/// `backend_unavailable`. In any case `connector_credentials_rejected`, `quota_exceeded`, `budget_exceeded`, `canceled`.
pub fn write(host: &dyn Host, mut task: Task<'_>) -> Result<Written, Failure> {
    let found = std::mem::take(&mut task.found);
    let full = task.model.has_room();
    let system = plan::system(&task, full);
    let groups = plan::groups(task.parts, task.model, full, task.reasons);
    let reserved = plan::reserved(&task, &groups, full);
    let budget = plan::budget(&task, &system, reserved);
    let excerpts = Excerpts::choose(task.research, task.evidence, budget, task.worth);
    let language = task.language;
    let ground = Ground::new(&excerpts, task.caller, task.company, language);
    let printed = excerpts.all.iter().map(|excerpt| excerpt.text.as_str());
    let excerpt_numbers = ExcerptNumbers::new(
        excerpts.all.len(),
        printed.chain([task.caller, task.company]),
        language,
    );
    let mut course = Course {
        host,
        task: &task,
        excerpts: &excerpts,
        excerpt_numbers,
        ground,
        language,
        beginning: Beginning::new(&system, task.context, &excerpts.text, host.now_ms()),
        full,
        reserved,
        derivations: Vec::new(),
        written: Written::of(task.brief.iter().chain(task.parts), found),
    };
    // Without excerpts, an answer would have nothing to cite.
    if !excerpts.all.is_empty() {
        course.run(&groups)?;
    }
    Ok(course.written)
}

impl Course<'_> {
    fn run(&mut self, groups: &[Vec<Part>]) -> Result<(), Failure> {
        let mut notes = String::new();
        let mut drafts = Vec::new();
        if self.full && !self.task.brief.is_empty() {
            self.report(0, "Asking the model what matters");
            (notes, drafts) = self.brief()?;
        }
        self.report(1, "Asking the model to write from numbered excerpts");
        drafts.extend(self.parts(groups, &notes)?);
        self.report(3, "Checking what the model wrote against its citations");
        if self.full && self.task.model.critique && !drafts.is_empty() {
            self.report(4, "Having the claims read a second time");
            drafts = self.criticize(drafts)?;
        }
        self.say_what_was_left_out(drafts.len());
        for draft in drafts {
            let claim = self
                .ground
                .claim(draft.checked, draft.read, self.task.supported);
            let list = self.written.claims.entry(draft.path).or_default();
            // Small models tend to repeat themselves.
            if !list.iter().any(|known| known.value == claim.value) {
                list.push(claim);
            }
        }
        Ok(())
    }

    /// Reports one of five steps.
    fn report(&self, step: u8, milestone: &str) {
        let (from, to) = self.task.progress;
        self.host
            .report(from + to.saturating_sub(from) / 5 * step, milestone);
    }

    fn call(&self, task: &str, schema: Value, name: &str) -> Call {
        self.call_after(&self.beginning, task, schema, name)
    }

    fn call_after(&self, beginning: &Beginning, task: &str, schema: Value, name: &str) -> Call {
        self.task.model.call(
            beginning.messages(task),
            schema,
            &format!("{}_{name}", self.task.what),
        )
    }

    /// Performs the calls at once. The answers come in the order of the calls, one for each.
    fn answers(&self, calls: &[Call]) -> Result<Vec<Result<Value, Failure>>, Failure> {
        if self.host.canceled() {
            return Err(failure::canceled());
        }
        let mut answers = self.host.invoke(calls).into_iter();
        let answers: Vec<Result<Value, Failure>> = calls
            .iter()
            .map(|_| {
                answers
                    .next()
                    .unwrap_or_else(|| Err(no_result()))
                    .map_err(failure::of_model_call)
                    .and_then(|answer| answer::read(&answer, self.task.what))
            })
            .collect();
        let canceled = answers
            .iter()
            .filter_map(|answer| answer.as_ref().err())
            .find(|failure| failure.kind == FailureKind::Canceled);
        match canceled {
            Some(failure) => Err(failure.clone()),
            None => Ok(answers),
        }
    }

    /// Performs one call.
    fn answer(&self, call: Call) -> Result<Result<Value, Failure>, Failure> {
        let mut answers = self.answers(&[call])?.into_iter();
        Ok(answers.next().unwrap_or_else(|| Err(no_result())))
    }

    /// Checks the units of an answer.
    fn checked(&mut self, parts: &[Part], answer: &Value) -> Vec<Draft> {
        self.derivations.extend(derivations(answer));
        let mut drafts = Vec::new();
        for part in parts {
            let read = units(part, answer.get(part.name).unwrap_or(&Value::Null));
            for (path, surplus) in read.surplus {
                *self.written.surplus.entry(path).or_insert(0) += surplus;
            }
            for (path, unit, value) in read.units {
                match self.check(unit, value) {
                    Verdict::Kept(checked) => {
                        self.lose(&path, &checked.lost, false);
                        drafts.push(Draft {
                            path,
                            unit,
                            checked,
                            read: None,
                        });
                    }
                    Verdict::Empty => {}
                    Verdict::Dropped(fault) => self.lose(&path, &[fault], true),
                }
            }
        }
        drafts
    }

    /// Checks one unit.
    fn check(&self, unit: Unit, value: &Value) -> Verdict {
        let members = match value {
            Value::Object(members) => members,
            Value::Null => return Verdict::Empty,
            _ => return Verdict::Dropped(Fault::Incomplete),
        };
        // A number of an excerpt stands in no excerpt.
        let (value, lost) = self.excerpt_numbers.without(members);
        if !unit.from_job_offers && job_offers::carry(self.excerpts, unit, &value) {
            return Verdict::Dropped(Fault::JobOffer);
        }
        let lost = vec![Fault::Number; lost];
        match self.ground.check(unit, &value, &self.derivations) {
            Verdict::Kept(mut checked) => {
                checked.lost.extend(lost);
                Verdict::Kept(checked)
            }
            Verdict::Empty if !lost.is_empty() => Verdict::Dropped(Fault::Number),
            verdict => verdict,
        }
    }

    fn lose(&mut self, path: &str, faults: &[Fault], whole: bool) {
        let losses = faults.iter().map(|fault| Loss {
            path: path.to_owned(),
            fault: *fault,
            whole,
        });
        self.written.losses.extend(losses);
    }

    fn note(&self, what: &str, failure: &Failure) {
        self.host.note(&format!("{what}: {}", failure.code));
    }

    /// Tells the operator what was left out: places and reasons, no text of a page.
    fn say_what_was_left_out(&self, kept: usize) {
        let mut counts: BTreeMap<(&str, Fault, bool), usize> = BTreeMap::new();
        for loss in &self.written.losses {
            *counts
                .entry((&loss.path, loss.fault, loss.whole))
                .or_insert(0) += 1;
        }
        for ((path, fault, whole), count) in counts.iter().take(MOST_NOTES) {
            let what = if *whole {
                "claim"
            } else {
                "sentence or member"
            };
            self.host.note(&format!(
                "left out of {path}: {what}, {} ({count})",
                fault.key()
            ));
        }
        let dropped = self.written.losses.iter().filter(|loss| loss.whole).count();
        self.host.note(&format!(
            "model claims kept: {kept}, dropped: {dropped}, read by a critic: {}, facts of rules rejected: {}",
            self.written.criticized,
            self.written.found.rejected()
        ));
    }
}

/// Whether a failure ends the job even if other calls succeed: each further call would fail like it.
fn ends_the_job(failure: &Failure) -> bool {
    matches!(
        failure.kind,
        FailureKind::Canceled
            | FailureKind::Quota
            | FailureKind::Unauthorized
            | FailureKind::CredentialMissing
    ) || matches!(
        failure.code.as_str(),
        "quota_exceeded" | "budget_exceeded" | "insufficient_credits" | "connector_not_configured"
    )
}

fn no_result() -> Failure {
    Failure::new(
        FailureKind::Internal,
        "backend_error",
        "The host did not return a result for each call.",
    )
}
