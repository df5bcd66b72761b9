//! What the model is told to do: structure, placeholders, limits, and how the copy is scored.

use crate::placeholders::{Placeholder, for_the_writer};
use crate::request::{Request, Tone};
use gtm_writing::prompt::one_line;

/// Characters of all forbidden claims together.
const FORBIDDEN_CHARS: usize = 1_200;

/// The system message.
#[must_use]
pub fn instructions(request: &Request) -> String {
    let options = &request.input.options;
    let limits = &request.limits;
    let rules = [
        format!(
            "Write in the language {}, with the spelling of {}. {}",
            one_line(&request.input.language, 40),
            one_line(&options.locale, 40),
            tone(options.tone)
        ),
        format!(
            "Blocks, in this order: greeting, opening (may be missing), evidence_hook, value, proof (may be missing), cta, sign_off. One of each kind. At most {} blocks. Don't write signature, postal address or notices on privacy and opting out: they are added.",
            limits.max_blocks.saturating_sub(4).max(3)
        ),
        "The evidence_hook is {{evidence.hook}} alone: a whole sentence about the recipient's company, different for each. Don't guess what it says.".to_owned(),
        "The value block says what gets better for the reader, concretely and before anything is asked: {{offer.value_proposition}}, or words of the OFFER.".to_owned(),
        "The cta is {{next_step.ask}} alone, and no other sentence asks for anything.".to_owned(),
        "Placeholders are exactly those listed below, in double braces, without spaces inside. No other braces.".to_owned(),
        "A block with a placeholder that may be missing is optional, or has a fallback without it. The greeting has a fallback; evidence_hook, value and cta are not optional.".to_owned(),
        "State only what the OFFER says. Numbers only as they stand there. Nothing about the recipient but by placeholders.".to_owned(),
        format!(
            "At most {} words together, where each placeholder that is a sentence counts as 20 words. At most {} words a block and {} a sentence. The subject has at most {} characters when filled, says what the message is about, and has no \"Re:\".",
            options.max_words,
            limits.block_words,
            limits.sentence_words,
            limits.subject_chars
        ),
        links(options.max_links),
        "Name the audience's role or kind of company where it helps. Speak of \"you\" more than of \"we\". One idea a block. Short, plain words.".to_owned(),
        "No opener that fits anybody, no flattery, no jargon, no superlatives, no urgency, no promise that the OFFER doesn't make.".to_owned(),
        format!(
            "Each text is one line of at most {} characters: no line breaks, no markup, no emoji.",
            limits.text_chars
        ),
    ];
    let mut text = "You write the template of a first e-mail from a seller to somebody at a company. Later it is filled for each recipient; every sentence must be true for all of them. A template scores 100 points: relevance, evidence and clarity of the copy, value for the recipient, one clear ask, trust, and how it reads on a telephone. Below 80 it is refused.\nRules:".to_owned();
    for (index, rule) in rules.iter().enumerate() {
        text.push_str(&format!("\n{}. {rule}", index + 1));
    }
    let forbidden = forbidden(request);
    if !forbidden.is_empty() {
        text.push_str(&format!("\nNever claim: {forbidden}"));
    }
    text.push_str("\nPlaceholders:");
    for placeholder in for_the_writer(&request.placeholders) {
        text.push_str(&format!("\n{}", line(placeholder)));
    }
    text.push_str("\nAnswer with JSON only, in the given schema.");
    text
}

fn tone(tone: Tone) -> &'static str {
    match tone {
        Tone::Consultative => "Sound like a thoughtful adviser.",
        Tone::Direct => "Be brief and direct.",
        Tone::Technical => {
            "Write for technical readers: name mechanics, standards and interfaces that the OFFER names."
        }
    }
}

fn links(most: u32) -> String {
    if most == 0 {
        return "No links.".to_owned();
    }
    format!(
        "At most {most} link(s), only as [label]({{{{offer.url}}}}) or [label]({{{{next_step.url}}}}), in an optional block or one with a fallback."
    )
}

fn forbidden(request: &Request) -> String {
    let offered = request
        .offer
        .iter()
        .flat_map(|offer| &offer.forbidden_claims);
    let claims: Vec<&str> = request
        .input
        .options
        .forbidden_claims
        .iter()
        .chain(offered)
        .map(String::as_str)
        .filter(|claim| !claim.trim().is_empty())
        .collect();
    one_line(&claims.join("; "), FORBIDDEN_CHARS)
}

fn line(placeholder: &Placeholder) -> String {
    let presence = match placeholder.required {
        true => "always there",
        false => "may be missing",
    };
    format!(
        "- {{{{{}}}}}: {}, at most {} characters, from {}, {presence}",
        placeholder.name, placeholder.kind, placeholder.max_length, placeholder.source
    )
}
