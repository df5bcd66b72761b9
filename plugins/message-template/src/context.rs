//! What the model writes from: the caller's words, the offer, and in later rounds the draft that was refused.

use gtm_writing::prompt::one_line;

use crate::draft;
use crate::request::{Fault, Request};

/// Characters of one text of the caller, if there is room.
const TEXT_CHARS: usize = 1_200;
/// Characters of one line of the offer. A caller's summary is one line.
const LINE_CHARS: usize = 4_000;
/// A line of the offer with less room than this is left out instead of cut.
const LEAST_CHARS: usize = 80;
/// Most faults that are told. More would hide the first.
const FAULTS: usize = 40;
/// Characters of what is told of one fault.
const FAULT_CHARS: usize = 300;

/// The user message, in at most about `most` characters: of the offer, what doesn't fit is left out
/// from its end.
#[must_use]
pub fn context(request: &Request, most: usize) -> String {
    let input = &request.input;
    let said = |label: &str, text: &Option<String>| {
        let text = one_line(
            text.as_deref().unwrap_or_default(),
            TEXT_CHARS.min(most / 8),
        );
        format!("{label}: {text}\n")
    };
    let mut text = said("AUDIENCE", &input.audience);
    text.push_str(&said("OBJECTIVE", &input.objective));
    text.push_str(&said("NEXT STEP", &input.desired_next_step));
    let task = task(request, most);
    text.push_str("OFFER (approved words; nothing else may be claimed):\n");
    let mut left = most.saturating_sub(text.chars().count() + task.chars().count());
    let lines = match &request.offer {
        Some(offer) => offer.lines(),
        None => input.offer_summary.iter().cloned().collect(),
    };
    for line in lines {
        if left < LEAST_CHARS {
            break;
        }
        let line = format!("- {}\n", one_line(&line, LINE_CHARS.min(left - 3)));
        left -= line.chars().count();
        text.push_str(&line);
    }
    text.push_str(&task);
    text
}

/// What is to be done, in at most about half of `most` characters: a draft without end and its faults must not push the
/// offer out.
fn task(request: &Request, most: usize) -> String {
    let Some(previous) = &request.previous else {
        return "\nWrite the template.".to_owned();
    };
    let draft: String = draft::as_written(previous)
        .to_string()
        .chars()
        .take(most / 4)
        .collect();
    let mut text = format!(
        "\nYour draft of round {}:\n{draft}\nIt was refused:\n",
        request.attempt.saturating_sub(1).max(1),
    );
    let mut left = most / 4;
    let mut shown = 0;
    for line in request.faults.iter().take(FAULTS).map(told) {
        let length = line.chars().count();
        if length > left {
            break;
        }
        left -= length;
        shown += 1;
        text.push_str(&line);
    }
    if shown < request.faults.len() {
        text.push_str(&format!("- and {} more\n", request.faults.len() - shown));
    }
    text.push_str("Write the whole template again. Mend what is named, and leave what isn't.");
    text
}

/// Where it stands, which rule, and what is wrong.
fn told(fault: &Fault) -> String {
    let place = match fault.pointer.is_empty() {
        true => "the whole draft",
        false => fault.pointer.as_str(),
    };
    format!(
        "- {} [{}]: {}\n",
        one_line(place, FAULT_CHARS),
        one_line(&fault.rule, FAULT_CHARS),
        one_line(&fault.message, FAULT_CHARS)
    )
}
