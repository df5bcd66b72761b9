//! Writes a message to one prospect, or says why there is none: reads the facts, asks the policy, evaluates the gates,
//! fills the template and checks the text (specification, rule 8; `docs/message-gates.md`). It asks no provider and
//! costs nothing, and nothing is sent.

use std::sync::atomic::Ordering;

use gtm_domain::canonical::NotCanonical;
use gtm_domain::job::Product;
use gtm_domain::message::characters::has_letter;
use gtm_domain::message::decision::{Causes, blocks, status};
use gtm_domain::message::gates::{Facts, LoadedPolicy, PolicyStanding, evaluate, question};
use gtm_domain::message::prospect_message::ProspectMessageInput;
use gtm_domain::message::prospect_message_result::{
    CheckedText, MessageText, ProspectMessageResult, result,
};
use gtm_domain::message::render::{render, render_demonstration};
use gtm_domain::message::rubric::Judge;
use gtm_domain::message::values::{UnfilledVariable, Values, values};
use gtm_domain::message::{MessageFault, RenderedMessage, TemplateRevision};
use gtm_domain::offer::OfferContent;
use gtm_domain::policy::{PolicyQuestion, PolicyVerdict};
use gtm_domain::prospecting::Candidate;
use gtm_domain::{JobErrorCode, Usage};
use gtm_evidence_check::stop_flag::StopFlag;
use gtm_lexicon::countries::Country;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::JobRun;
use super::super::checking::off_the_event_loop;
use super::super::cited::{fault, unreadable};
use super::checks::checked;
use super::observed::{Observed, digest_of, observed};
use crate::ending::Ending;
use crate::job_error;
use crate::plan::{Plan, Role};

/// The evaluator of the policy that the request names. It is pinned by the operator's allow-list, not by a binding.
pub(crate) const POLICY: Role = Role::named("policy");

/// How often a policy is asked within one run.
const MOST_ROUNDS: u32 = 8;

/// What such a job needs: the policy's evaluator, if the operator allows the policy, and nothing else.
pub fn plan(input: &Value) -> Plan {
    let policy = input.get("policy");
    Plan {
        policy: policy.and_then(|policy| Deserialize::deserialize(policy).ok()),
        external_ref: input
            .get("external_ref")
            .and_then(Value::as_str)
            .map(str::to_owned),
        ..Plan::default()
    }
}

/// Runs such a job.
pub async fn run(mut run: JobRun) -> (Ending, Usage) {
    let ending = written(&mut run).await.unwrap_or_else(|ending| ending);
    // A policy is no backend and no provider: the usage of such a job is zero throughout (annex A7).
    run.pure_cpu_ms.store(0, Ordering::Relaxed);
    (ending, Usage::default())
}

/// What was read for the job.
struct Read {
    input: ProspectMessageInput,
    revision: TemplateRevision,
    observed: Observed,
    candidate: Option<Candidate>,
    offer: Option<OfferContent>,
}

async fn written(run: &mut JobRun) -> Result<Ending, Ending> {
    let mut read = read(run).await?;
    // DANGER: a policy may wait long for its turn, and somebody may object meanwhile. What has closed is asked again
    // until nothing more has.
    let mut rounds = 0;
    let asked = loop {
        let asked = asked(run, &read).await?;
        if !read.has_closed_since(run).await? {
            break asked;
        }
        rounds += 1;
        // Gates only close, but an offer can be approved again and again.
        if rounds == MOST_ROUNDS {
            return Err(Ending::HandBack(
                "what the message rests on changed each time that its policy had answered"
                    .to_owned(),
            ));
        }
    };
    let drafted = move |_: &StopFlag| drafted(&facts(&read, asked.as_ref()), &read);
    let result = off_the_event_loop(run, drafted).await?;
    let result = result.map_err(|error| fault(run, &error))?;
    let result = serde_json::to_value(&result).map_err(|error| fault(run, &error))?;
    Ok(Ending::Succeeded {
        result,
        product: Product::None,
    })
}

impl Read {
    /// Reads again what can close while a policy is asked, and whether it has.
    async fn has_closed_since(&mut self, run: &mut JobRun) -> Result<bool, Ending> {
        let policy = run.pins.plugins.get(&POLICY).cloned();
        let now = observed(run, &self.input, policy.as_ref()).await?;
        // As they are recorded: the record has milliseconds.
        if json!(now) == json!(self.observed) {
            return Ok(false);
        }
        self.observed = now;
        self.keep_decision();
        Ok(true)
    }

    /// Another decision may have followed the one that the record has.
    fn keep_decision(&mut self) {
        if let (Some(candidate), Some(decided)) =
            (&mut self.candidate, &self.observed.qualification)
        {
            candidate.qualification = decided.clone();
        }
    }
}

async fn read(run: &mut JobRun) -> Result<Read, Ending> {
    let input = ProspectMessageInput::deserialize(&run.job.input);
    let input = input.map_err(|error| fault(run, &error))?;
    let revision = run.reader.template_revision(input.revision_id).await;
    let revision = revision.map_err(unreadable)?;
    // No revision is ever removed.
    let revision = revision.ok_or_else(|| fault(run, &"the revision is gone"))?;
    let policy = run.pins.plugins.get(&POLICY).cloned();
    let observed = observed(run, &input, policy.as_ref()).await?;
    let candidate = run
        .reader
        .candidate(input.prospecting_job_id, input.prospect_id)
        .await
        .map_err(unreadable)?
        .filter(|candidate| observed.candidate == digest_of(candidate));
    if run.leased.is_none() && candidate.is_some() != observed.candidate.is_some() {
        return Err(Ending::HandBack(
            "the prospect that the job read is no longer retained".to_owned(),
        ));
    }
    let bound = observed.offer_revision.as_ref();
    let bound = bound.filter(|bound| bound.offer_hash == revision.offer.offer_hash);
    let offer = match bound {
        Some(bound) => run.reader.offer(bound).await.map_err(unreadable)?,
        None => None,
    };
    let mut read = Read {
        input,
        revision,
        observed,
        candidate,
        offer,
    };
    read.keep_decision();
    Ok(read)
}

fn facts<'f>(read: &'f Read, loaded: Option<&'f LoadedPolicy>) -> Facts<'f> {
    let country = Country::of_code(&read.input.postal_identity.country);
    Facts {
        revision: &read.revision,
        request: &read.input,
        job_expires_at: read.observed.job_expires_at,
        candidate: read.candidate.as_ref(),
        offer: read.observed.offer,
        offer_content: read.offer.as_ref(),
        policy: read.observed.policy,
        loaded,
        ledger: read.observed.ledger,
        sender_country: country.and_then(|country| country.name_in("en")),
        environment: read.observed.environment,
        now: read.observed.at,
    }
}

/// The policy's answer, if the operator allows the policy and there is somebody to ask about. No other component runs.
async fn asked(run: &JobRun, read: &Read) -> Result<Option<LoadedPolicy>, Ending> {
    let PolicyStanding::Allowed { .. } = read.observed.policy else {
        return Ok(None);
    };
    let Some(question) = question(&facts(read, None)) else {
        return Ok(None);
    };
    let answer = run.evaluate(&POLICY, json!(question)).await?;
    let verdict = verdict(answer, &question)?;
    // An allowed policy is pinned with version and digest.
    let pinned = run.pins.plugins.get(&POLICY);
    let pinned = pinned.and_then(|pinned| Some((pinned, pinned.version.clone()?, pinned.digest?)));
    let (pinned, version, digest) = pinned.ok_or_else(|| fault(run, &"no policy is pinned"))?;
    let evaluator = Judge {
        key: pinned.key.clone(),
        version,
        digest,
    };
    Ok(Some(LoadedPolicy { verdict, evaluator }))
}

/// Reads an answer. DANGER: what a policy fails to say must not count as its consent.
fn verdict(answer: Value, question: &PolicyQuestion) -> Result<PolicyVerdict, Ending> {
    let broken = |what: &dyn std::fmt::Display| {
        tracing::error!(policy = question.policy_ref, %what, "a policy's answer is none");
        Ending::Failed(job_error::error(
            JobErrorCode::PluginContractViolation,
            "The evaluator broke its contract.",
            None,
        ))
    };
    let verdict = PolicyVerdict::deserialize(answer).map_err(|error| broken(&error))?;
    let said = [
        &verdict.opt_out.text,
        &verdict.opt_out.notice_id,
        &verdict.demonstration_marker,
    ];
    if said.into_iter().any(|text| text.trim().is_empty()) || !has_letter(&verdict.opt_out.text) {
        return Err(broken(&"it has no notice, or no marker"));
    }
    Ok(verdict)
}

/// Decides, and makes the text if there is to be one.
fn drafted(facts: &Facts<'_>, read: &Read) -> Result<ProspectMessageResult, NotCanonical> {
    let gates = evaluate(facts);
    let blocks = blocks(facts);
    let mut values = values(facts);
    let mut filled = None;
    if blocks.is_empty() && values.unfilled.is_empty() && values.notice.is_some() {
        match rendered(&read.revision, &values) {
            Ok(made) => filled = Some(made),
            Err(faults) => {
                let unfilled = faults.iter().map(UnfilledVariable::of_fault);
                values.unfilled = unfilled.collect();
            }
        }
    }
    let causes = Causes {
        purpose: read.input.purpose,
        blocks: &blocks,
        gates: &gates,
        unfilled: &values.unfilled,
        checks: &[],
    };
    let checked = filled
        .filter(|_| status(&causes).is_drafted())
        .map(|(plain, shown)| {
            let marker_chars = shown.text.chars().count() - plain.text.chars().count();
            let (checks, anchors) = checked(facts, &values, &plain, marker_chars);
            CheckedText {
                text: MessageText {
                    subject: shown.subject,
                    body: shown.text,
                    html: shown.html,
                },
                checks,
                anchors,
            }
        });
    result(facts, &causes, &values, checked)
}

/// The filled template as it is checked, and as it is shown: a preview with its mark.
fn rendered(
    revision: &TemplateRevision,
    values: &Values,
) -> Result<(RenderedMessage, RenderedMessage), Vec<MessageFault>> {
    let (structure, language) = (&revision.structure, revision.language.as_str());
    let plain = render(structure, language, &values.filled, revision.template_hash)?;
    let shown = match &values.marker {
        Some(marker) => render_demonstration(
            structure,
            language,
            &values.filled,
            revision.template_hash,
            marker,
        )?,
        None => plain.clone(),
    };
    Ok((plain, shown))
}
