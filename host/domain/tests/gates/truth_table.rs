//! The whole table: fourteen gates passed, failed and unknown, crossed with purpose and synthetic. Suppression and
//! qualification are gates themselves: failed, they block.

use gtm_domain::message::compliance::{
    CheckKey, CheckOutcome, ContentCheck, Gate, GateKey, GateOutcome,
};
use gtm_domain::message::decision::{Block, Causes, MessageStatus, status};
use gtm_domain::message::prospect_message::MessagePurpose;
use gtm_domain::message::values::{UnfilledVariable, VariableProblem};

const OUTCOMES: [GateOutcome; 3] = [
    GateOutcome::Passed,
    GateOutcome::Failed,
    GateOutcome::Unknown,
];

/// A row of the table, with as many gates not passed as `closed` says.
struct Row {
    suppression: GateOutcome,
    qualification: GateOutcome,
    synthetic: bool,
    preview: bool,
    closed: usize,
}

/// The specification's rules: "BLOCKED: Platform suppression match, rejected qualification, or non-demo synthetic
/// use"; "DEMONSTRATION_ONLY: Any explicitly requested preview"; "DRAFT_READY: every real-recipient gate […]
/// passes"; what else is "NEEDS_INPUT".
fn expected(row: &Row) -> MessageStatus {
    let is_blocked = row.suppression == GateOutcome::Failed
        || row.qualification == GateOutcome::Failed
        || (row.synthetic && !row.preview);
    match (is_blocked, row.preview, row.closed) {
        (true, ..) => MessageStatus::Blocked,
        (false, true, _) => MessageStatus::DemonstrationOnly,
        (false, false, 0) => MessageStatus::DraftReady,
        (false, false, _) => MessageStatus::NeedsInput,
    }
}

fn causes_of(row: &Row) -> Vec<Block> {
    let mut blocks = Vec::new();
    if row.suppression == GateOutcome::Failed {
        blocks.push(Block::SuppressionMatch);
    }
    if row.qualification == GateOutcome::Failed {
        blocks.push(Block::QualificationRejected);
    }
    if row.synthetic && !row.preview {
        blocks.push(Block::SyntheticNotDemonstration);
    }
    blocks
}

/// All rows whose first gate has this outcome; how many there are.
fn compare(first: GateOutcome) -> usize {
    let mut gates: Vec<Gate> = GateKey::ALL.into_iter().map(passed).collect();
    gates[0].outcome = first;
    let (suppression, qualification) = (place(GateKey::Suppression), place(GateKey::Qualification));
    let mut digits = [0_usize; 13];
    let mut rows = 0;
    loop {
        let passed = gates
            .iter()
            .filter(|it| it.outcome == GateOutcome::Passed)
            .count();
        for (synthetic, preview) in [(false, false), (false, true), (true, false), (true, true)] {
            let row = Row {
                suppression: gates[suppression].outcome,
                qualification: gates[qualification].outcome,
                synthetic,
                preview,
                closed: gates.len() - passed,
            };
            let causes = Causes {
                purpose: purpose(preview),
                blocks: &causes_of(&row),
                gates: &gates,
                unfilled: &[],
                checks: &[],
            };
            assert_eq!(
                status(&causes),
                expected(&row),
                "{gates:?} {synthetic} {preview}"
            );
            rows += 1;
        }
        let Some(turned) = digits.iter().position(|digit| *digit < 2) else {
            return rows;
        };
        for digit in 0..turned {
            digits[digit] = 0;
            gates[digit + 1].outcome = OUTCOMES[0];
        }
        digits[turned] += 1;
        gates[turned + 1].outcome = OUTCOMES[digits[turned]];
    }
}

#[test]
fn every_combination_has_the_verdict_of_the_rules() {
    let parts = OUTCOMES.map(|first| std::thread::spawn(move || compare(first)));
    let rows: usize = parts.into_iter().map(|part| part.join().unwrap()).sum();
    assert_eq!(rows, 3_usize.pow(14) * 2 * 2);
    println!("rows of the truth table: {rows}");
}

/// Each gate closed by itself, and none, with each variable and each check that may fail: "Required context is
/// incomplete, or required variables are missing or unsupported", in a preview as well; and "every […] quality check
/// passes".
#[test]
fn variables_and_checks_decide_with_the_gates() {
    let open: Vec<Gate> = GateKey::ALL.into_iter().map(passed).collect();
    let mut rows = 0;
    let closings = GateKey::ALL.iter().enumerate().flat_map(|(at, _)| {
        [
            GateOutcome::Failed,
            GateOutcome::Unknown,
            GateOutcome::NotApplicable,
        ]
        .map(|outcome| Some((at, outcome)))
    });
    for closing in closings.chain([None]) {
        let mut gates = open.clone();
        if let Some((at, outcome)) = closing {
            gates[at].outcome = outcome;
        }
        let failed = |key: GateKey| {
            gates
                .iter()
                .any(|gate| gate.gate == key && gate.outcome == GateOutcome::Failed)
        };
        let is_closed = closing.is_some_and(|(_, outcome)| outcome != GateOutcome::NotApplicable);
        let is_stopped = failed(GateKey::Suppression) || failed(GateKey::Qualification);
        for problem in [
            None,
            Some(VariableProblem::Missing),
            Some(VariableProblem::Unsupported),
        ] {
            let unfilled: Vec<UnfilledVariable> = problem.into_iter().map(lacking).collect();
            for check in CheckKey::ALL.into_iter().map(Some).chain([None]) {
                let checks: Vec<ContentCheck> = check.into_iter().map(failing).collect();
                for (synthetic, preview) in
                    [(false, false), (false, true), (true, false), (true, true)]
                {
                    let wanted = if is_stopped || (synthetic && !preview) {
                        MessageStatus::Blocked
                    } else if problem.is_some() {
                        MessageStatus::NeedsInput
                    } else if preview {
                        MessageStatus::DemonstrationOnly
                    } else if is_closed || check.is_some() {
                        MessageStatus::NeedsInput
                    } else {
                        MessageStatus::DraftReady
                    };
                    let row = Row {
                        suppression: gates[place(GateKey::Suppression)].outcome,
                        qualification: gates[place(GateKey::Qualification)].outcome,
                        synthetic,
                        preview,
                        closed: usize::from(is_closed),
                    };
                    let causes = Causes {
                        purpose: purpose(preview),
                        blocks: &causes_of(&row),
                        gates: &gates,
                        unfilled: &unfilled,
                        checks: &checks,
                    };
                    assert_eq!(
                        status(&causes),
                        wanted,
                        "{closing:?} {problem:?} {check:?} {synthetic} {preview}"
                    );
                    rows += 1;
                }
            }
        }
    }
    assert_eq!(rows, (14 * 3 + 1) * 3 * 11 * 4);
    println!("rows with variables and checks: {rows}");
}

fn place(key: GateKey) -> usize {
    GateKey::ALL.iter().position(|it| *it == key).unwrap()
}

const fn purpose(preview: bool) -> MessagePurpose {
    match preview {
        true => MessagePurpose::Demonstration,
        false => MessagePurpose::RealRecipient,
    }
}

const fn passed(gate: GateKey) -> Gate {
    Gate {
        gate,
        outcome: GateOutcome::Passed,
        reason_code: None,
        pointer: None,
        message: None,
    }
}

fn lacking(problem: VariableProblem) -> UnfilledVariable {
    UnfilledVariable {
        problem,
        pointer: None,
        message: "There is no value.".to_owned(),
    }
}

const fn failing(check: CheckKey) -> ContentCheck {
    ContentCheck {
        check,
        outcome: CheckOutcome::Failed,
        observed: None,
        limit: None,
        spans: Vec::new(),
        found: Vec::new(),
        pointers: Vec::new(),
        message: None,
        mend: None,
    }
}
