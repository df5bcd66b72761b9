//! What fails a draft whatever its points.

use gtm_domain::message::{HardFailure, HardFailureKind, Inline, Placeholder, Structure};

use super::DraftToScore;
use super::bare_addresses::bare_addresses;
use super::facts::ApprovedTexts;
use super::numbers::Approved;
use super::template::{Line, Place, Template};
use super::vocabulary::Vocabulary;
use super::wording::{has_false_prefix, opens_urgently, quoted, urgency};
use crate::forbidden::{all_forbidden, first_forbidden};

/// All hard failures of a draft, in the order of the structure within each kind.
pub(super) fn hard_failures(
    draft: &DraftToScore<'_>,
    template: &Template,
    vocabulary: &Vocabulary,
    approved: &Approved,
    texts: &ApprovedTexts,
) -> Vec<HardFailure> {
    let mut found = Vec::new();
    for line in &template.lines {
        found.extend(forbidden(draft, line));
    }
    for line in &template.lines {
        found.extend(unapproved(line, vocabulary, approved));
    }
    found.extend(too_many_words(draft, template, vocabulary));
    found.extend(too_many_links(draft));
    for line in &template.lines {
        found.extend(unlinked(line));
    }
    if let Some(subject) = template.subject()
        && begins_in_own_words(subject)
        && has_false_prefix(&subject.passage.text)
    {
        found.push(failure(
            HardFailureKind::FalsePrefix,
            subject.pointer_to(0),
            "The subject pretends to be a reply or a forwarded message.".to_owned(),
        ));
    }
    for line in &template.lines {
        found.extend(pressing(line, vocabulary, texts));
    }
    found
}

fn failure(kind: HardFailureKind, pointer: String, message: String) -> HardFailure {
    HardFailure::new(kind, pointer, message)
}

/// A subject that begins with a value begins with what the value says.
fn begins_in_own_words(subject: &Line) -> bool {
    let first = subject.passage.parts.first();
    first.is_some_and(|part| part.source.is_own())
}

/// Whether a line makes a claim that the request or the offer forbids.
pub(super) fn makes_forbidden_claim(draft: &DraftToScore<'_>, line: &Line) -> bool {
    let lists = [&draft.options.forbidden_claims[..], draft.forbidden_claims];
    let text = &line.passage.text;
    (lists.into_iter()).any(|claims| first_forbidden(claims, text).is_some())
}

/// The claims of a line that the request or the offer forbids, each once.
fn forbidden(draft: &DraftToScore<'_>, line: &Line) -> Vec<HardFailure> {
    let text = &line.passage.text;
    let lists = [&draft.options.forbidden_claims[..], draft.forbidden_claims];
    let mut claims: Vec<&str> = Vec::new();
    for claim in lists.into_iter().flat_map(|list| all_forbidden(list, text)) {
        if !claims.contains(&claim) {
            claims.push(claim);
        }
    }
    let failures = claims.into_iter().map(|claim| {
        failure(
            HardFailureKind::ForbiddenClaim,
            line.pointer.clone(),
            format!("It claims “{claim}”, which is forbidden."),
        )
    });
    failures.collect()
}

fn unapproved(line: &Line, vocabulary: &Vocabulary, approved: &Approved) -> Vec<HardFailure> {
    let missing = line.unapproved_numbers(approved, vocabulary);
    let failures = missing.into_iter().map(|range| {
        let written = quoted(&line.passage, &range);
        failure(
            HardFailureKind::UnapprovedNumber,
            line.pointer_to(range.start),
            format!(
                "The number “{written}” is approved nowhere with this unit and beside these words. Repeat a number of \
                 the offer or the next step with its unit and the word beside it, or leave it out."
            ),
        )
    });
    failures.collect()
}

/// Words from greeting to sign-off with values of usual length, rounded to the nearest whole number.
pub(super) fn mean_words(template: &Template, vocabulary: &Vocabulary) -> u32 {
    let lines = template.message().map(|(_, line)| line);
    let words: f64 = lines
        .map(|line| line.mean_words(&vocabulary.language))
        .sum();
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "not negative, and a cast saturates"
    )]
    let words = words.round() as u32;
    words
}

fn too_many_words(
    draft: &DraftToScore<'_>,
    template: &Template,
    vocabulary: &Vocabulary,
) -> Option<HardFailure> {
    let (words, most) = (mean_words(template, vocabulary), draft.options.max_words);
    (words > most).then(|| {
        failure(
            HardFailureKind::TooManyWords,
            "/blocks".to_owned(),
            format!(
                "It has about {words} words from greeting to sign-off, values of usual length included; {most} are \
                 allowed."
            ),
        )
    })
}

/// Pointers to the links of a structure, those of fallbacks only where there are more of them than in their block.
pub(super) fn links(structure: &Structure) -> Vec<String> {
    let of = |inlines: &[Inline], pointer: &str| -> Vec<String> {
        let links = inlines
            .iter()
            .enumerate()
            .filter(|(_, inline)| is_link(inline));
        links.map(|(at, _)| format!("{pointer}/{at}")).collect()
    };
    let mut found = Vec::new();
    for (at, block) in structure.blocks.iter().enumerate() {
        let own = of(&block.inlines, &format!("/blocks/{at}/inlines"));
        let fallback = of(&block.fallback, &format!("/blocks/{at}/fallback"));
        found.extend(if fallback.len() > own.len() {
            fallback
        } else {
            own
        });
    }
    found
}

/// A link, or the value of a placeholder that becomes one.
fn is_link(inline: &Inline) -> bool {
    match inline {
        Inline::Link { .. } => true,
        Inline::Var { name } => matches!(
            Placeholder::from_name(name),
            Some(Placeholder::OfferUrl | Placeholder::NextStepUrl)
        ),
        Inline::Text { .. } => false,
    }
}

fn too_many_links(draft: &DraftToScore<'_>) -> Option<HardFailure> {
    let links = links(draft.structure);
    let most = draft.options.max_links;
    let first = links.get(usize::try_from(most).unwrap_or(usize::MAX))?;
    Some(failure(
        HardFailureKind::TooManyLinks,
        first.clone(),
        format!("It has {} links; {most} are allowed.", links.len()),
    ))
}

/// Addresses that a mail program would make links of, uncounted.
fn unlinked(line: &Line) -> Vec<HardFailure> {
    let bare = bare_addresses(&line.passage, |_, source| !source.is_own(), |_| false);
    let failures = bare.into_iter().map(|range| {
        failure(
            HardFailureKind::TooManyLinks,
            line.pointer_to(range.start),
            "An address stands in the text that is no link.".to_owned(),
        )
    });
    failures.collect()
}

fn pressing(line: &Line, vocabulary: &Vocabulary, texts: &ApprovedTexts) -> Vec<HardFailure> {
    let text = &line.passage.text;
    let mut found: Vec<HardFailure> = urgency(text, &line.words, vocabulary, texts)
        .into_iter()
        .map(|range| {
            let written = quoted(&line.passage, &range);
            failure(
                HardFailureKind::FalseUrgency,
                line.pointer_to(range.start),
                format!("“{written}” presses with a limit that nothing bears out."),
            )
        })
        .collect();
    if line.place == Place::Subject && opens_urgently(&line.passage.text, &line.words, vocabulary) {
        found.push(failure(
            HardFailureKind::FalseUrgency,
            line.pointer_to(0),
            "The subject begins with a word that presses.".to_owned(),
        ));
    }
    found
}
