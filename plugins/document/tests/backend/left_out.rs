//! What of a brief is not in the document is told.

use gtm_sdk::json::json;

use crate::run::job;
use crate::wishes::run;

#[test]
fn what_is_not_printed_is_told() {
    // A one-pager of more than a page can hold.
    let long: String = (1..40).map(|_| "## Store\n\n- The first store is cold by day\n- Ask Petra Olsen for the key by 12 May\n- It has a gate\n- It has a yard\n- It has a roof\n- The seventh store opens in Hull\n\n").collect();
    let (draft, _, text, told) = run(job(&format!("Write a one-pager.\n\n{long}")).alone());
    assert!(!text.contains("opens in Hull"), "{text}");
    assert!(
        told.contains(
            "Content of the brief that is not in the document: “The seventh store opens in Hull”"
        ),
        "{told}"
    );
    assert!(draft["left_out"].to_string().contains("too_many"));
    let (draft, _, text, told) = run(job("# Gates\n\n## Facts\n\nThe gates open at six. The trial failed, do not mention it. They close at nine.\n\nA key opens all of them.").alone());
    let confidential = |text: &str| json!({"reason": "confidential", "text": text});
    let mut whole = [
        "The trial failed, do not mention it.",
        "They close at nine.",
    ]
    .map(confidential)
    .to_vec();
    // A paragraph with a secret is left out as a whole: how far that goes, nobody can tell.
    whole.push(json!({"reason": "running_prose", "text": "The gates open at six."}));
    assert_eq!(draft["not_printed"], json!(whole));
    assert!(
        text.contains("A key opens") && !text.contains("six"),
        "{text}"
    );
    assert!(
        told.contains("as a private note to the writer: “The trial failed")
            && told.contains("They close at nine."),
        "{told}"
    );
}

#[test]
fn whatever_is_left_out_is_quoted_with_its_reason() {
    let notes: String = (1..=20).map(|n| format!("- (internal: note number {n} says that the yard is short of {n} keys and that somebody has to look for them before noon)\n- Gate {n} opens.\n")).collect();
    let brief = format!(
        "# Gates\n\n## Facts\n\nWe promise guaranteed savings. The gates open at six.\n\n{notes}"
    );
    let mut job = job(&brief).with("/document_type", json!("report"));
    job.offer = Some(crate::run::offer());
    let (_, _, text, told) = run(job);
    assert!(!text.contains("short of"), "{text}");
    let quoting = told
        .lines()
        .filter(|line| line.starts_with("Left out as a private note to the writer: “"))
        .collect::<Vec<_>>();
    assert_eq!(quoting.len(), 5, "{told}");
    assert!(quoting.iter().all(|line| line.chars().count() <= 290));
    assert!(
        quoting.last().is_some_and(|line| line.contains(" +")),
        "{told}"
    );
    assert!(
        told.contains("guideline, offer or brief forbid it: “We promise guaranteed savings.”"),
        "{told}"
    );
}
