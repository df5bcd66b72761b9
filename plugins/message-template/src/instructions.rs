//! What the model is told to do: structure, placeholders, limits, and how the copy is scored.

use crate::placeholders::{Placeholder, for_the_writer};
use crate::request::{Dimension, Request, Tone};
use gtm_writing::prompt::one_line;

/// Characters of a name of the rubric.
const NAME_CHARS: usize = 60;
/// Characters of all forbidden claims together.
const FORBIDDEN_CHARS: usize = 1_200;

/// The system message.
#[must_use]
pub fn instructions(request: &Request) -> String {
    let options = &request.input.options;
    let limits = &request.limits;
    let grade = limits.reading_grade.map_or_else(String::new, |grade| {
        format!(" Reading grade at most {grade}: short sentences of short words.")
    });
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
        "The value block says to the reader, concretely and before anything is asked, what he gets or what gets better: {{offer.value_proposition}}, or most words of one text of the OFFER (“You see …”, “You get …”).".to_owned(),
        ask(options.max_links),
        "Placeholders are exactly those listed below, in double braces, without spaces inside. No other braces.".to_owned(),
        "A block with a placeholder that may be missing is optional, or has a fallback without it. The greeting has a fallback; evidence_hook, value and cta are not optional.".to_owned(),
        "State only what the OFFER says, each sentence in most of the words of one of its texts. A number may be repeated only beside the same word as there (“three weeks”, “Sage 50”), and no other number in digits or words may appear. Nothing about the recipient but by placeholders.".to_owned(),
        "The value of a placeholder has no full stop at its end and is in the language of the OFFER: put a mark behind it where the sentence ends, but none behind {{evidence.hook}} and {{next_step.ask}}, which are whole sentences.".to_owned(),
        format!(
            "At most {} words together, each placeholder counted with its usual words. At most {} words a block and {} a sentence on average.{grade} The subject has at most {} characters when filled, says what the message is about, and has no \"Re:\".",
            options.max_words,
            limits.block_words,
            limits.sentence_words,
            limits.subject_chars
        ),
        "Name the recipient's role or the kind of company, in a word of the AUDIENCE or by {{recipient.role}} or {{company.industry}}. Subject and copy speak of what the OBJECTIVE is about, in its words where the OFFER has them. Speak of \"you\" more than of \"we\". One idea a block. Short, plain words.".to_owned(),
        "No opener that fits anybody, no flattery, no jargon, no superlatives, no urgency, no promise that the OFFER doesn't make.".to_owned(),
        format!(
            "Each text is one line of at most {} characters: no line breaks, no markup, no emoji.",
            limits.text_chars
        ),
    ];
    let mut text = format!(
        "You write the template of a first e-mail from a seller to somebody at a company. Later it is filled for each recipient; every sentence must be true for all of them. A template scores 100 points{}. It is refused below {} points, below {} of a judge's points, or below the floor of a dimension; and whatever its points for a number or claim that nobody approved, a false \"Re:\", urgency, or too many words or links.\nRules:",
        scored(&limits.dimensions),
        limits.threshold,
        limits.judged_floor
    );
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

/// How the cta asks, and which links there may be: one to the next step asks for the same as the value beside it.
fn ask(most_links: u32) -> String {
    let alone = "no other sentence, and nothing in subject or other blocks, asks for anything";
    if most_links == 0 {
        return format!("The cta is {{{{next_step.ask}}}} alone; {alone}. No links.");
    }
    format!(
        "The cta is {{{{next_step.ask}}}} alone, or with one link behind it as a sentence of its own: text \"{{{{next_step.ask}}}} [Book a time]({{{{next_step.url}}}})\" with the fallback \"{{{{next_step.ask}}}}\"; {alone}. At most {most_links} link(s) in all, only as [label]({{{{next_step.url}}}}) or [label]({{{{offer.url}}}}), in an optional block or one with a fallback."
    )
}

/// The dimensions with their floors and checks.
fn scored(dimensions: &[Dimension]) -> String {
    if dimensions.is_empty() {
        return ": relevance, evidence and clarity of the copy, value for the recipient, one clear ask, trust, and how it reads on a telephone".to_owned();
    }
    let told = dimensions.iter().map(|dimension| {
        let checks = dimension.checks.iter().map(|check| {
            let name = check.key.rsplit('.').next().unwrap_or_default();
            format!("{} {}", one_line(name, NAME_CHARS), check.points)
        });
        format!(
            "{} {} (floor {}: {})",
            one_line(&dimension.key, NAME_CHARS),
            dimension.points,
            dimension.floor,
            checks.collect::<Vec<_>>().join(", ")
        )
    });
    format!(": {}", told.collect::<Vec<_>>().join("; "))
}

fn forbidden(request: &Request) -> String {
    let offered = request
        .offer
        .iter()
        .flat_map(|offer| &offer.forbidden_claims);
    let mut claims: Vec<&str> = Vec::new();
    let all = request
        .input
        .options
        .forbidden_claims
        .iter()
        .chain(offered)
        .map(|claim| claim.trim())
        .filter(|claim| !claim.is_empty());
    // Request and offer often forbid the same.
    for claim in all {
        let is_told = |told: &&str| told.to_lowercase() == claim.to_lowercase();
        if !claims.iter().any(is_told) {
            claims.push(claim);
        }
    }
    one_line(&claims.join("; "), FORBIDDEN_CHARS)
}

fn line(placeholder: &Placeholder) -> String {
    let presence = match placeholder.required {
        true => "always there",
        false => "may be missing",
    };
    let usual = match (placeholder.usual_words, placeholder.usual_chars) {
        (Some(words), Some(chars)) => {
            format!("usually {words} words, rarely over {chars} characters")
        }
        _ => format!("at most {} characters", placeholder.max_length),
    };
    format!(
        "- {{{{{}}}}}: {}, {usual}, from {}, {presence}",
        placeholder.name, placeholder.kind, placeholder.source
    )
}
