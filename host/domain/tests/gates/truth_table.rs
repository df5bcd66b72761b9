//! The whole table: fourteen gates passed, failed and unknown, crossed with purpose and synthetic. Suppression and
//! qualification are gates themselves: failed, they block.

use gtm_domain::message::compliance::{Gate, GateKey, GateOutcome};
use gtm_domain::message::decision::{Block, Causes, MessageStatus, status};
use gtm_domain::message::prospect_message::MessagePurpose;

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
    let mut gates: Vec<Gate> = GateKey::ALL
        .into_iter()
        .map(|gate| Gate {
            gate,
            outcome: GateOutcome::Passed,
            reason_code: None,
            pointer: None,
            message: None,
        })
        .collect();
    gates[0].outcome = first;
    let index = |key| GateKey::ALL.iter().position(|it| *it == key).unwrap();
    let (suppression, qualification) = (index(GateKey::Suppression), index(GateKey::Qualification));
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
                purpose: match preview {
                    true => MessagePurpose::Demonstration,
                    false => MessagePurpose::RealRecipient,
                },
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
