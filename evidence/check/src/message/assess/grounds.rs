//! What the recipient is written to for, and what the draft's facts rest on.

use gtm_domain::message::{BlockKind, Placeholder, RubricCheck, RubricKey};
use serde_json::{Value, json};

use super::super::facts::{Fact, Form, facts};
use super::super::passage::found;
use super::super::stems::{Stems, carries_subject};
use super::super::template::{self, Line, Place};
use super::{Reader, counted, findings};

impl Reader<'_> {
    pub(super) fn role_or_segment(&self) -> RubricCheck {
        let bound = [Placeholder::RecipientRole, Placeholder::CompanyIndustry];
        let bound = bound.into_iter().find(|value| {
            let mut values = self.template.own().flat_map(|line| line.passage.values());
            values.any(|it| it == *value)
        });
        let audience = Stems::of_text(self.draft.audience);
        let named = || {
            let own = self.template.own().flat_map(|line| &line.words);
            own.map(|word| word.folded.as_str()).find(|word| {
                // `50 to 200 employees`: a number names no segment.
                let is_word = word.chars().all(char::is_alphabetic);
                is_word && carries_subject(word) && audience.has(word)
            })
        };
        let observed = match bound {
            Some(value) => Some(value.name().to_owned()),
            None => named().map(str::to_owned),
        };
        RubricKey::RoleOrSegment.decided(
            observed.is_some(),
            Some(observed.map_or_else(|| json!("none"), Value::String)),
            Some(json!("a placeholder or a word of the audience")),
            || {
                "Name the recipient's role or kind of company in a word of the audience, or use {{recipient.role}} or \
                 {{company.industry}}."
                    .to_owned()
            },
        )
    }

    pub(super) fn evidence_hook(&self) -> RubricCheck {
        let has = self.template.has_value(Placeholder::EvidenceHook);
        let observed = if has { "evidence.hook" } else { "none" };
        RubricKey::EvidenceHook.decided(
            has,
            Some(json!(observed)),
            Some(json!("evidence.hook")),
            || "Say why this recipient is written to: a block evidence_hook with {{evidence.hook}}.".to_owned(),
        )
    }

    pub(super) fn no_generic_opener(&self) -> RubricCheck {
        let Some(phrases) = self.vocabulary.generic_openers else {
            return self.not_looked_for(RubricKey::NoGenericOpener);
        };
        let greeting = |line: &&Line| {
            matches!(
                line.place,
                Place::Subject
                    | Place::Preview
                    | Place::Block(BlockKind::Greeting)
                    | Place::Fallback(BlockKind::Greeting)
            )
        };
        let first = self.template.content().map(|(_, line)| line).next();
        let openings = self.template.own().filter(greeting).chain(first);
        let found = openings.flat_map(|line| findings(line, found(&line.words, Some(phrases))));
        counted(
            RubricKey::NoGenericOpener,
            found.collect(),
            "opens with what anybody could write to anybody",
        )
    }

    /// The facts that each line of the author's states.
    pub(super) fn stated(&self) -> Vec<(&Line, Vec<Fact>)> {
        let own = self.template.own();
        own.map(|line| (line, self.facts_of(line))).collect()
    }

    pub(super) fn anchored_facts(&self, stated: &[(&Line, Vec<Fact>)]) -> RubricCheck {
        let mut loose = Vec::new();
        let mut of_reader = false;
        // A subject or a preview is no sentence, but may state a fact as well.
        for (line, facts) in stated {
            let found = facts.iter().filter(|fact| fact.rests_on.is_none());
            of_reader |= found.clone().any(|fact| fact.form.is_of_reader());
            loose.extend(findings(
                line,
                found.map(|fact| fact.sentence.clone()).collect(),
            ));
        }
        let advice = match of_reader {
            true => {
                "states a fact that rests on no placeholder and no approved text; what it says of the recipient needs {{evidence.hook}}"
            }
            false => "states a fact that rests on no placeholder and no approved text",
        };
        counted(RubricKey::AnchoredFacts, loose, advice)
    }

    /// Whether what value and proof claim of the offer rests on something, and the message pretends no acquaintance: a
    /// paraphrase of what never was is faithful to nothing.
    pub(super) fn value_is_founded(&self, stated: &[(&Line, Vec<Fact>)]) -> bool {
        let mut stated = stated.iter();
        !stated.any(|(line, facts)| {
            let pretends = facts.iter().any(|fact| fact.form == Form::Acquaintance);
            let mut loose =
                (facts.iter()).filter(|fact| fact.rests_on.is_none() && !fact.form.is_of_reader());
            pretends || (is_of_value(line.place) && loose.next().is_some())
        })
    }

    fn facts_of(&self, line: &Line) -> Vec<Fact> {
        facts(
            &line.passage,
            (&line.sentences, &line.asks),
            &self.grounds.texts,
            self.vocabulary,
            is_of_value(line.place),
        )
    }

    pub(super) fn approved_numbers(&self) -> RubricCheck {
        let missing = self.template.lines.iter().flat_map(|line| {
            let ranges = line.unapproved_numbers(&self.grounds.approved, self.vocabulary);
            findings(line, ranges)
        });
        counted(
            RubricKey::ApprovedNumbers,
            missing.collect(),
            "is a number that nobody approved",
        )
    }
}

/// Whether a line says what the offer is worth.
const fn is_of_value(place: Place) -> bool {
    match place {
        Place::Block(kind) | Place::Fallback(kind) => template::is_of_value(kind),
        Place::Subject | Place::Preview => false,
    }
}
