//! From facts to gates, verdict and reasons: each thing that can be wrong, alone and with each other thing, crossed
//! with purpose, suppression, qualification and synthetic.

use std::collections::BTreeMap;

use gtm_domain::message::compliance::{GateKey, GateOutcome};
use gtm_domain::message::decision::{Causes, MessageStatus, blocks, reasons, status};
use gtm_domain::message::gates::{evaluate, question};
use gtm_domain::message::prospect_message::MessagePurpose;
use gtm_domain::message::values::values;
use gtm_domain::message::{BlockKind, Inline, Placeholder};
use gtm_domain::outcome_ledger::SubjectType;
use gtm_domain::prospecting::QualificationStatus;

use super::deviations::{ALL, Deviation, PROSPECT_GONE};
use super::world::World;

type Shown = BTreeMap<GateKey, (GateOutcome, &'static str)>;

/// What is made up.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Synthetic {
    Nothing,
    Candidate,
    /// Only a record that the message cites.
    Record,
}

/// The setting of a case.
#[derive(Clone, Copy, Debug)]
struct Setting {
    preview: bool,
    matched: Option<SubjectType>,
    qualification: QualificationStatus,
    synthetic: Synthetic,
}

fn settings() -> Vec<Setting> {
    let mut all = Vec::new();
    for preview in [false, true] {
        for matched in [None, Some(SubjectType::Domain)] {
            for qualification in [
                QualificationStatus::Accepted,
                QualificationStatus::Pending,
                QualificationStatus::Rejected,
            ] {
                for synthetic in [Synthetic::Nothing, Synthetic::Candidate, Synthetic::Record] {
                    all.push(Setting {
                        preview,
                        matched,
                        qualification,
                        synthetic,
                    });
                }
            }
        }
    }
    all
}

/// The qualification with the kind of made-up facts that it comes with in pairs.
const fn paired(setting: Setting) -> (QualificationStatus, Synthetic) {
    let synthetic = match setting.qualification {
        QualificationStatus::Accepted => Synthetic::Nothing,
        QualificationStatus::Pending => Synthetic::Candidate,
        QualificationStatus::Rejected => Synthetic::Record,
    };
    (setting.qualification, synthetic)
}

fn set(world: &mut World, setting: Setting) {
    if setting.preview {
        world.request.purpose = MessagePurpose::Demonstration;
    }
    if let Some(ledger) = &mut world.ledger {
        ledger.matched = setting.matched.is_some();
        ledger.r#match = setting.matched;
    }
    if let Some(candidate) = &mut world.candidate {
        candidate.qualification.status = setting.qualification;
        candidate.synthetic = setting.synthetic == Synthetic::Candidate;
        // Each deviation leaves at least one of these cited.
        for record in &mut candidate.evidence {
            record.synthetic = setting.synthetic == Synthetic::Record;
        }
    }
}

/// What the gates must show; `None` if two deviations close one gate, each for a reason of its own.
fn shown(deviations: &[&Deviation], setting: Setting) -> Option<Shown> {
    let mut shown = Shown::new();
    let is_there = !deviations.iter().any(|it| it.name == PROSPECT_GONE.name);
    if is_there {
        match setting.qualification {
            QualificationStatus::Accepted => {}
            QualificationStatus::Pending => {
                shown.insert(GateKey::Qualification, (GateOutcome::Unknown, "pending"));
            }
            QualificationStatus::Rejected => {
                shown.insert(GateKey::Qualification, (GateOutcome::Failed, "rejected"));
            }
        }
        if setting.matched.is_some() {
            shown.insert(GateKey::Suppression, (GateOutcome::Failed, "suppressed"));
        }
    }
    let closes = |it: &&Deviation, gate| it.shown.iter().any(|(shown, ..)| *shown == gate);
    let is_asked = !(deviations.iter()).any(|it| closes(it, GateKey::PolicyAllowList));
    let showing = deviations.iter().filter(|it| is_asked || !it.by_policy);
    for (gate, outcome, code) in showing.flat_map(|it| it.shown) {
        match shown.get(gate) {
            None => {
                shown.insert(*gate, (*outcome, code));
            }
            // "failed before unknown"
            Some((GateOutcome::Unknown, _)) if *outcome == GateOutcome::Failed => {
                shown.insert(*gate, (*outcome, code));
            }
            Some((GateOutcome::Failed, _)) if *outcome == GateOutcome::Unknown => {}
            Some(same) if *same == (*outcome, *code) => {}
            Some(_) => return None,
        }
    }
    if shown.get(&GateKey::CompanyJurisdiction) == Some(&(GateOutcome::Failed, "not_covered")) {
        // Of a country that is not its own a policy leaves the rest open.
        for gate in [GateKey::Basis, GateKey::AddressProvenance] {
            if let Some(shown) = shown.get_mut(&gate)
                && *shown == (GateOutcome::Unknown, "policy_undecided")
            {
                shown.1 = "country_not_covered";
            }
        }
    }
    Some(shown)
}

/// What must come out: the status and the codes of its reasons.
fn expected(
    shown: &Shown,
    missing: usize,
    setting: Setting,
    is_there: bool,
) -> (MessageStatus, Vec<String>) {
    let mut blocking = Vec::new();
    if is_there && setting.matched.is_some() {
        blocking.push("suppression_match".to_owned());
    }
    if is_there && setting.qualification == QualificationStatus::Rejected {
        blocking.push("qualification_rejected".to_owned());
    }
    if is_there && setting.synthetic != Synthetic::Nothing && !setting.preview {
        blocking.push("synthetic_not_demonstration".to_owned());
    }
    if !blocking.is_empty() {
        return (MessageStatus::Blocked, blocking);
    }
    let variables = vec!["variables_missing".to_owned(); missing];
    if setting.preview {
        return match missing {
            0 => (MessageStatus::DemonstrationOnly, Vec::new()),
            _ => (MessageStatus::NeedsInput, variables),
        };
    }
    let gates = shown
        .iter()
        .filter(|(_, (outcome, _))| *outcome != GateOutcome::NotApplicable);
    let mut codes: Vec<String> = gates
        .map(|(gate, _)| format!("gate:{}", gate.as_str()))
        .collect();
    codes.extend(variables);
    match codes.is_empty() {
        true => (MessageStatus::DraftReady, codes),
        false => (MessageStatus::NeedsInput, codes),
    }
}

/// Whether the case could be told from the deviations, and then that it came out.
fn compare(deviations: &[&Deviation], setting: Setting) -> bool {
    let Some(shown) = shown(deviations, setting) else {
        return false;
    };
    let mut world = World::sound();
    deviations.iter().for_each(|it| (it.apply)(&mut world));
    set(&mut world, setting);
    let facts = world.facts();
    let named = || {
        let names: Vec<&str> = deviations.iter().map(|it| it.name).collect();
        format!("{names:?} under {setting:?}")
    };
    let gates = evaluate(&facts);
    let keys: Vec<GateKey> = gates.iter().map(|gate| gate.gate).collect();
    assert_eq!(keys, GateKey::ALL, "{}", named());
    for gate in &gates {
        let (outcome, code) = shown
            .get(&gate.gate)
            .copied()
            .unwrap_or((GateOutcome::Passed, ""));
        let found = gate.reason_code.as_deref().unwrap_or_default();
        assert_eq!(
            (gate.outcome, found),
            (outcome, code),
            "{:?}: {}",
            gate.gate,
            named()
        );
        assert_eq!(gate.message.is_some(), !code.is_empty(), "{}", named());
    }
    let values = values(&facts);
    // What one deviation empties, another may empty as well; then the numbers say nothing.
    let empties: Vec<usize> = deviations
        .iter()
        .map(|it| it.missing)
        .filter(|missing| *missing > 0)
        .collect();
    let missing = match empties.len() {
        0 | 1 => empties.iter().sum(),
        _ => values.unfilled.len(),
    };
    assert_eq!(
        values.unfilled.len(),
        missing,
        "{:?}: {}",
        values.unfilled,
        named()
    );
    let causes = Causes {
        purpose: world.request.purpose,
        blocks: &blocks(&facts),
        gates: &gates,
        unfilled: &values.unfilled,
        checks: &[],
    };
    let codes: Vec<String> = reasons(&causes).into_iter().map(|it| it.code).collect();
    let wanted = expected(&shown, missing, setting, world.candidate.is_some());
    assert_eq!((status(&causes), codes), wanted, "{}", named());
    true
}

#[test]
fn sound_facts_give_a_draft() {
    let setting = settings()[0];
    assert!(compare(&[], setting));
}

#[test]
fn each_thing_that_is_wrong_shows_alone_and_with_each_other() {
    let mut compared = 0;
    for setting in settings() {
        let gone = std::iter::once(&PROSPECT_GONE);
        for deviation in ALL.iter().chain(gone) {
            compared += usize::from(compare(&[deviation], setting));
        }
        // In pairs, each qualification comes with one kind of made-up facts.
        if (setting.qualification, setting.synthetic) != paired(setting) {
            continue;
        }
        for (index, first) in ALL.iter().enumerate() {
            for second in &ALL[index + 1..] {
                compared += usize::from(compare(&[first, second], setting));
            }
        }
    }
    println!("cases from facts: {compared}");
    assert!(compared > 9_000, "{compared}");
}

#[test]
fn consent_and_ground_together_satisfy_a_policy_that_wants_consent() {
    use gtm_domain::prospecting::EvidenceKind;
    let mut world = World::sound();
    world.verdict().opt_in_required = Some(true);
    let mut consent = world.record(1).clone();
    consent.id = super::world::evidence_id(5);
    consent.kind = EvidenceKind::ConsentRecord;
    world.candidate().evidence.push(consent);
    let gates = evaluate(&world.facts());
    assert!(gates.iter().all(|gate| gate.outcome == GateOutcome::Passed));
    // A made-up consent of a real person is none, and no policy is told of it.
    world.record(5).synthetic = true;
    let failed: Vec<_> = evaluate(&world.facts())
        .into_iter()
        .filter(|gate| gate.outcome != GateOutcome::Passed)
        .map(|gate| (gate.gate, gate.reason_code))
        .collect();
    assert_eq!(
        failed,
        [(GateKey::Basis, Some("consent_missing".to_owned()))]
    );
    assert!(!question(&world.facts()).unwrap().consent_recorded);
}

#[test]
fn a_notice_that_a_message_may_drop_is_none() {
    let var = |placeholder: Placeholder| Inline::Var {
        name: placeholder.name().to_owned(),
    };
    let notice = || var(Placeholder::CompliancePrivacyNotice);
    let text = || Inline::Text { v: "Hello,".into() };
    let found = |line: Vec<Inline>, fallback: Vec<Inline>| {
        let mut world = World::sound();
        let blocks = &mut world.revision.structure.blocks;
        let block = blocks
            .iter_mut()
            .find(|it| it.kind == BlockKind::PrivacyNotice);
        let block = block.unwrap();
        (block.inlines, block.fallback) = (line, fallback);
        let gates = evaluate(&world.facts());
        let gate = gates
            .into_iter()
            .find(|it| it.gate == GateKey::PrivacyNotice);
        gate.unwrap().reason_code
    };
    let dropped = Some("not_in_template".to_owned());
    // A first name may be missing, and the block goes with it.
    let beside_a_name = || vec![var(Placeholder::RecipientFirstName), notice()];
    assert_eq!(found(beside_a_name(), Vec::new()), dropped);
    assert_eq!(found(beside_a_name(), vec![text()]), dropped);
    assert_eq!(found(beside_a_name(), vec![notice()]), None);
    // Only in what stands in for something else.
    assert_eq!(found(vec![text()], vec![notice()]), dropped);
    assert_eq!(found(vec![notice()], vec![text()]), None);
    // The message cannot be filled without the ask.
    assert_eq!(
        found(vec![var(Placeholder::NextStepAsk), notice()], Vec::new()),
        None
    );
}
