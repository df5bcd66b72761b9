//! What fails a draft whatever its points.

use std::ops::Range;

use gtm_domain::message::{HardFailure, HardFailureKind, Inline, Placeholder, Structure};

use super::DraftToScore;
use super::bare_addresses::{bare_addresses, is_word_of};
use super::facts::ApprovedTexts;
use super::mailbox_line::MailboxLine;
use super::numbers::Approved;
use super::passage::Source;
use super::readings::OtherReading;
use super::template::{Line, Place, Template, is_message};
use super::vocabulary::Vocabulary;
use super::wording::{has_false_prefix, opens_urgently, quoted, urgency};
use crate::forbidden::ForbiddenClaims;

/// All hard failures of a draft, in the order of the structure within each kind. `claims` are the forbidden ones that each
/// line makes.
pub(super) fn hard_failures(
    draft: &DraftToScore<'_>,
    (template, claims, forbidden): (&Template, &[Vec<&str>], &ForbiddenClaims),
    (vocabulary, others): (&Vocabulary, &[OtherReading]),
    approved: &Approved,
    texts: &ApprovedTexts,
) -> Vec<HardFailure> {
    let mut found = Vec::new();
    for (line, claims) in template.lines.iter().zip(claims) {
        found.extend(claims.iter().map(|claim| claimed(&line.pointer, claim)));
    }
    for line in &template.lines {
        found.extend(unapproved(line, vocabulary, approved));
    }
    found.extend(too_many_words(draft, template, vocabulary));
    found.extend(too_many_links(draft));
    for line in &template.lines {
        found.extend(unlinked(draft, line));
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
    if let Some(line) = template.mailbox_line() {
        let claim = line.claim(forbidden);
        found.extend(claim.map(|claim| claimed("/preview_text", claim)));
        found.extend(pressing_together(&line, vocabulary, texts));
    }
    for other in in_other_languages(others, approved, texts) {
        if !(found.iter()).any(|it| (&it.code, &it.pointer) == (&other.code, &other.pointer)) {
            found.push(other);
        }
    }
    found
}

/// What fails a draft in the words of another language than its tag says.
fn in_other_languages(
    others: &[OtherReading],
    approved: &Approved,
    texts: &ApprovedTexts,
) -> Vec<HardFailure> {
    let mut found = Vec::new();
    for other in others {
        if let Some(line) = other.template.mailbox_line() {
            found.extend(pressing_together(&line, &other.vocabulary, texts));
        }
        for line in &other.template.lines {
            found.extend(pressing(line, &other.vocabulary, texts));
            if other.is_of_the_whole {
                found.extend(unapproved(line, &other.vocabulary, approved));
            }
        }
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

fn claimed(pointer: &str, claim: &str) -> HardFailure {
    failure(
        HardFailureKind::ForbiddenClaim,
        pointer.to_owned(),
        format!("It claims “{claim}”, which is forbidden."),
    )
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
fn unlinked(draft: &DraftToScore<'_>, line: &Line) -> Vec<HardFailure> {
    let failures = bare_in_own_words(draft, line).into_iter().map(|range| {
        failure(
            HardFailureKind::TooManyLinks,
            line.pointer_to(range.start),
            format!(
                "“{}” is no link, and mail programs make one of it.",
                quoted(&line.passage, &range)
            ),
        )
    });
    failures.collect()
}

/// Addresses in a line's own words that are no links. Whose a host or a mailbox is, is not known before somebody signs, so
/// in what says who writes they may stand; elsewhere only those that the offer names.
pub(super) fn bare_in_own_words(draft: &DraftToScore<'_>, line: &Line) -> Vec<Range<usize>> {
    let is_message = match line.place {
        Place::Subject | Place::Preview => true,
        Place::Block(kind) | Place::Fallback(kind) => is_message(kind),
    };
    bare_addresses(
        &line.passage,
        |_, source| !source.is_own(),
        // The words of a link may be its host.
        |source| is_message && source == Source::Literal,
        |word| is_word_of(word, draft.approved_texts),
    )
}

/// What presses in subject and preview text together.
fn pressing_together(
    line: &MailboxLine,
    vocabulary: &Vocabulary,
    texts: &ApprovedTexts,
) -> Vec<HardFailure> {
    let found = line.pressing(vocabulary, texts, Source::is_own).into_iter();
    let failures = found.map(|range| {
        let written = quoted(&line.passage, &range);
        failure(
            HardFailureKind::FalseUrgency,
            "/preview_text".to_owned(),
            format!("Behind the subject it reads “{written}”, which presses with a limit that nothing bears out."),
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

#[cfg(test)]
mod tests {
    use gtm_domain::message::BlockKind;

    use super::super::sample_draft::assessed;

    /// The codes of the failures of a template with these words in a block.
    fn failing(language: &str, kind: BlockKind, words: &str, approved: &str) -> Vec<String> {
        let assessment = assessed(language, kind, words, &[approved]);
        let failures = assessment.hard_failures.into_iter();
        failures.map(|failure| failure.code).collect()
    }

    #[test]
    fn hosts_and_mailboxes_in_running_words_are_links() {
        let value = |words, approved| failing("en", BlockKind::Value, words, approved);
        for words in [
            "See evil.com for it.",
            "Write to win@evil.com for it.",
            "See evil.com\u{2044}promo for it.",
        ] {
            assert_eq!(value(words, "Metering"), ["too_many_links"], "{words}");
        }
        assert_eq!(value("It reads Node.js logs.", ""), [""; 0]);
        assert_eq!(
            value("It works with Hollis.com.", "For Hollis.com"),
            [""; 0]
        );
        // Who signs may name a site, which is read again when it is known who does.
        let signature = failing("en", BlockKind::Signature, "Ana Reyes, tarnbeck.com", "");
        assert_eq!(signature, [""; 0]);
    }

    #[test]
    fn a_tag_without_lists_hides_no_pressure() {
        for language in ["pl", "ja", "ga", "mul"] {
            let value = |words| failing(language, BlockKind::Value, words, "Metering");
            assert_eq!(value("Last chance."), ["false_urgency"], "{language}");
            assert_eq!(value("Metering for each flat."), [""; 0], "{language}");
        }
        let halves = "We read the meters of your flats for you, and you cut the costs of your house by half with us.";
        assert_eq!(
            failing("ga", BlockKind::Value, halves, ""),
            ["unapproved_number"]
        );
    }

    #[test]
    fn letters_one_by_one_hide_no_claim() {
        for words in [
            "We give g u a r a n t e e d  s a v i n g s.",
            "g.u.a.r.a.n.t.e.e.d s.a.v.i.n.g.s.",
        ] {
            let failing = failing("en", BlockKind::Value, words, "");
            assert_eq!(failing, ["forbidden_claim"], "{words}");
        }
        let failing = failing("en", BlockKind::Value, "l-a-s-t c-h-a-n-c-e", "");
        assert_eq!(failing, ["false_urgency"]);
    }

    #[test]
    fn other_words_and_a_second_denial_hide_no_claim() {
        for (language, words) in [
            ("en", "We guarantee that you save."),
            ("en", "We assure you that you pay less."),
            ("en", "You do not leave without guaranteed savings."),
            ("de", "Wir garantieren, dass Sie sparen."),
        ] {
            let failing = failing(language, BlockKind::SignOff, words, "");
            assert!(
                failing.contains(&"forbidden_claim".to_owned()),
                "{words}: {failing:?}"
            );
        }
    }

    #[test]
    fn letters_in_another_dress_hide_no_claim() {
        for words in ["We give ɢᴜᴀʀᴀɴᴛᴇᴇᴅ sᴀᴠɪɴɢs.", "🅶🆄🅰🆁🅰🅽🆃🅴🅴🅳 🆂🅰🆅🅸🅽🅶🆂"]
        {
            let failing = failing("en", BlockKind::Value, words, "");
            assert_eq!(failing, ["forbidden_claim"], "{words}");
        }
    }
}
