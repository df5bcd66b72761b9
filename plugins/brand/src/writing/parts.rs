//! What the model is asked to write, part by part: the fields, their limits and a short instruction for each.

use gtm_site_research::writing::form::{
    Field, Form, Layout, Support, needed, object, optional, plain,
};
use gtm_site_research::writing::schema;

use crate::draft::{
    CORE_MESSAGE, DIFFERENTIATORS, Many, One, PERSONAS, PILLARS, SECONDS_10, SECONDS_30, SEGMENTS,
    STATEMENT, SUMMARY, TRAITS, VALUE_PROPOSITIONS, WORDS_100,
};

/// Where a part of the answer is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goes {
    /// In a field of one claim.
    One(One),
    /// In a list of claims.
    Many(Many),
}

/// One part of the answer that the model is asked to write.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    /// Member name in the answer.
    pub name: &'static str,
    /// Its layout in the answer's schema.
    pub layout: Layout,
    /// Where the draft stores it.
    pub goes: Goes,
    /// What the part should contain.
    pub instruction: &'static str,
}

const LINE: &[Field] = &[needed("text", Form::Text(240))];
const LONG: &[Field] = &[needed("text", Form::Text(700))];

const POSITION: &[Field] = &[
    needed("for", Form::Text(120)),
    needed("who", Form::Text(160)),
    needed("product", Form::Text(80)),
    needed("is_a", Form::Text(120)),
    needed("that", Form::Text(200)),
    optional("unlike", Form::Text(120)),
    optional("because", Form::Text(200)),
];
const PROPOSITION: &[Field] = &[
    needed("statement", Form::Text(200)),
    optional("benefit", Form::Text(200)),
];
const SEGMENT: &[Field] = &[
    needed("name", Form::Text(80)),
    optional("description", Form::Text(200)),
    optional("needs", Form::List(3, 100)),
    optional("pains", Form::List(3, 100)),
    optional("triggers", Form::List(2, 100)),
];
const SENIORITIES: &[&str] = &["ic", "manager", "director", "vp", "c_level", "unknown"];
const PERSONA: &[Field] = &[
    needed("role", Form::Text(60)),
    needed("seniority", Form::Choice(SENIORITIES, Some("unknown"))),
    optional("goals", Form::List(3, 100)),
    optional("objections", Form::List(2, 100)),
];
const TRAIT: &[Field] = &[
    needed("trait", Form::Text(40)),
    optional("do", Form::List(2, 120)),
    optional("dont", Form::List(2, 120)),
];
const PILLAR: &[Field] = &[
    needed("title", Form::Text(60)),
    needed("message", Form::Text(240)),
];

/// All parts; parts that share a call are adjacent.
pub const PARTS: &[Part] = &[
    Part {
        name: "statement",
        layout: Layout::One(object(POSITION, Support::Fact)),
        goes: Goes::One(STATEMENT),
        instruction: "the company's position: for whom (for), with which need (who), the product's name (product), its category (is_a), what it does for them (that), unlike what, because of what",
    },
    Part {
        name: "value_propositions",
        layout: Layout::Many(object(PROPOSITION, Support::Fact), 4),
        goes: Goes::Many(VALUE_PROPOSITIONS),
        instruction: "what customers get, and the benefit it brings them",
    },
    Part {
        name: "differentiators",
        layout: Layout::Many(plain(LINE, Support::Fact), 3),
        goes: Goes::Many(DIFFERENTIATORS),
        instruction: "what the excerpts say only this company has or does",
    },
    Part {
        name: "segments",
        layout: Layout::Many(object(SEGMENT, Support::Advice), 3),
        goes: Goes::Many(SEGMENTS),
        instruction: "groups of customers that the excerpts name, with their needs, pains and what makes them buy",
    },
    Part {
        name: "personas",
        layout: Layout::Many(object(PERSONA, Support::Advice), 3),
        goes: Goes::Many(PERSONAS),
        instruction: "roles, never names of people, that the excerpts speak to",
    },
    Part {
        name: "voice",
        layout: Layout::One(plain(LINE, Support::Advice)),
        goes: Goes::One(SUMMARY),
        instruction: "how these texts sound, in one sentence that names their subject",
    },
    Part {
        name: "traits",
        layout: Layout::Many(object(TRAIT, Support::Advice), 3),
        goes: Goes::Many(TRAITS),
        instruction: "traits of how these texts are written, what to do and what not to do in that voice",
    },
    Part {
        name: "core_message",
        layout: Layout::One(plain(LINE, Support::Fact)),
        goes: Goes::One(CORE_MESSAGE),
        instruction: "the one thing that the company wants to be known for",
    },
    Part {
        name: "pillars",
        layout: Layout::Many(object(PILLAR, Support::Fact), 3),
        goes: Goes::Many(PILLARS),
        instruction: "the themes that the company keeps coming back to, each with its message",
    },
    Part {
        name: "seconds_10",
        layout: Layout::One(plain(LINE, Support::Fact)),
        goes: Goes::One(SECONDS_10),
        instruction: "what the company does, in one sentence of at most 25 words",
    },
    Part {
        name: "seconds_30",
        layout: Layout::One(plain(LONG, Support::Fact)),
        goes: Goes::One(SECONDS_30),
        instruction: "the same for half a minute, at most 75 words",
    },
    Part {
        name: "words_100",
        layout: Layout::One(plain(LONG, Support::Fact)),
        goes: Goes::One(WORDS_100),
        instruction: "the same in about 100 words",
    },
];

/// Groups the parts into calls by the model's context size in characters: a small model gets few parts at
/// once.
pub fn calls(parts: &[Part], context_chars: usize) -> Vec<Vec<Part>> {
    let most = match context_chars {
        ..5_000 => 1,
        5_000..12_000 => 2,
        _ => 4,
    };
    parts.chunks(most).map(<[Part]>::to_vec).collect()
}

/// The parts in the form that the answer's schema needs.
pub fn for_schema(parts: &[Part]) -> Vec<schema::Part> {
    parts.iter().map(|part| (part.name, part.layout)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_answer_fits_into_the_tokens() {
        for call in calls(PARTS, 3_000) {
            assert!(schema::fits(&for_schema(&call), 9, 400), "{call:?}");
        }
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), PARTS.len());
    }
}
