//! What the model is asked to write, part by part: the fields, their limits and a short instruction for each.

use gtm_writing::form::{
    Field, Form, Layout, Part, Support, Words, needed, object, optional, plain,
};

use crate::draft::{
    CATEGORY, COMMITMENTS, CORE_MESSAGE, DESCRIPTION_LONG, DESCRIPTION_SHORT, DIFFERENTIATORS,
    EXCLUSIONS, FOUNDED_YEAR, HEADQUARTERS, INDUSTRIES, LEGAL_NAME, MISSION, Many, OBJECTIONS,
    ORIGIN_STORY, One, PERSONAS, PILLARS, PREFERRED, PROOF_POINTS, SECONDS_10, SECONDS_30,
    SEGMENTS, STATEMENT, SUMMARY, TAGLINE, TRAITS, VALUE_PROPOSITIONS, VALUES, VISION, WORDS_100,
};

/// Where a part of the answer is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goes {
    /// In a field of one claim.
    One(One),
    /// In a list of claims.
    Many(Many),
}

impl Goes {
    /// The place's pointer in a guideline.
    pub const fn pointer(self) -> &'static str {
        match self {
            Self::One(field) => field.pointer(),
            Self::Many(field) => field.pointer(),
        }
    }
}

const LINE: &[Field] = &[needed("text", Form::Text(240))];
const BRIEFLY: &[Field] = &[needed("text", Form::Text(150))];
const YEAR: &[Field] = &[needed("text", Form::Text(20))];
const SEAT: &[Field] = &[
    needed("locality", Form::Text(80)),
    optional("region", Form::Text(80)),
    needed("country", Form::Text(10)).of(Words::Label),
];
const NAME: &[Field] = &[needed("text", Form::Text(120))];
const SHORT: &[Field] = &[needed("text", Form::Text(180))];
/// What is spoken in half a minute.
const SPOKEN: &[Field] = &[needed("text", Form::Text(530))];
const LONG: &[Field] = &[needed("text", Form::Text(700))];
const LABEL: &[Field] = &[needed("text", Form::Text(90)).of(Words::Label)];
const INDUSTRY: &[Field] = &[needed("label", Form::Text(80)).of(Words::Label)];
const VALUE: &[Field] = &[
    needed("name", Form::Text(80)).of(Words::Label),
    optional("description", Form::Text(200)),
];
const PROOF_KINDS: &[&str] = &[
    "metric",
    "case_study",
    "testimonial",
    "award",
    "certification",
];
const PROOF: &[Field] = &[
    needed("text", Form::Text(240)),
    needed("kind", Form::Choice(PROOF_KINDS, None)),
];
const OBJECTION: &[Field] = &[
    needed("objection", Form::Text(200)).of(Words::Spoken),
    needed("response", Form::Text(360)),
];

const POSITION: &[Field] = &[
    needed("for", Form::Text(120)),
    needed("who", Form::Text(160)),
    needed("product", Form::Text(80)),
    needed("is_a", Form::Text(120)).of(Words::Label),
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
    needed("role", Form::Text(60)).of(Words::Role),
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
    needed("title", Form::Text(60)).of(Words::Label),
    needed("message", Form::Text(240)),
];

/// What the site says of the company, which rules find too: for models that see enough of it.
pub const OF_THE_SITE: &[(Part, Goes)] = &[
    (
        Part {
            name: "category",
            layout: Layout::One(plain(LABEL, Support::Fact).not_from_job_offers()),
            instruction: "what kind of company or product it is, in a few words as a customer would search for it",
        },
        Goes::One(CATEGORY),
    ),
    (
        Part {
            name: "tagline",
            layout: Layout::One(plain(LINE, Support::Fact)),
            instruction: "its slogan, word for word as a page prints it; empty if there is none",
        },
        Goes::One(TAGLINE),
    ),
    (
        Part {
            name: "industries",
            layout: Layout::Many(object(INDUSTRY, Support::Fact).not_from_job_offers(), 3),
            instruction: "the industries or trades that it belongs to itself, not its customers'",
        },
        Goes::Many(INDUSTRIES),
    ),
    (
        Part {
            name: "description_short",
            layout: Layout::One(plain(BRIEFLY, Support::Fact).not_from_job_offers()),
            instruction: "one sentence or line of at most 150 characters that says what it is, word for word as a page prints it; empty if there is none",
        },
        Goes::One(DESCRIPTION_SHORT),
    ),
    (
        Part {
            name: "names_of_products",
            layout: Layout::Many(plain(NAME, Support::Fact).not_from_job_offers(), 24),
            instruction: "names of what it sells, as the pages write them: never titles of pages, properties or uses",
        },
        Goes::Many(PREFERRED),
    ),
    (
        Part {
            name: "description_long",
            layout: Layout::One(plain(LONG, Support::Fact)),
            instruction: "what it is, what it offers, to whom, where and since when, in the site's own words",
        },
        Goes::One(DESCRIPTION_LONG),
    ),
    (
        Part {
            name: "origin_story",
            layout: Layout::One(plain(LONG, Support::Fact)),
            instruction: "how and when it began and what it has become; empty if no page tells",
        },
        Goes::One(ORIGIN_STORY),
    ),
    (
        Part {
            name: "values",
            layout: Layout::Many(object(VALUE, Support::Fact), 6),
            instruction: "the values that it names as its own, each with what it says about it",
        },
        Goes::Many(VALUES),
    ),
    (
        Part {
            name: "commitments",
            layout: Layout::Many(plain(LINE, Support::Fact), 6),
            instruction: "what it promises to customers, the public or the environment: answers within a time, guarantees, standards that it keeps",
        },
        Goes::Many(COMMITMENTS),
    ),
    (
        Part {
            name: "proof_points",
            layout: Layout::Many(object(PROOF, Support::Fact).not_from_job_offers(), 8),
            instruction: "what proves its claims: figures of the company as a whole (not of one person), named references, customers' words, awards, certificates",
        },
        Goes::Many(PROOF_POINTS),
    ),
    (
        Part {
            name: "objections",
            layout: Layout::Many(object(OBJECTION, Support::Fact), 5),
            instruction: "doubts of buyers that a page itself answers, and that answer",
        },
        Goes::Many(OBJECTIONS),
    ),
];

/// What is asked for only where rules found nothing: what they find there is exact.
pub const IF_NOT_FOUND: &[(Part, Goes)] = &[
    (
        Part {
            name: "legal_name",
            layout: Layout::One(plain(NAME, Support::Fact)),
            instruction: "its registered name with its legal form, word for word as a page prints it; empty if none does",
        },
        Goes::One(LEGAL_NAME),
    ),
    (
        Part {
            name: "founded_year",
            layout: Layout::One(plain(YEAR, Support::Fact)),
            instruction: "the year in which it was founded, four digits, only if a page says so; never the year of a copyright line",
        },
        Goes::One(FOUNDED_YEAR),
    ),
    (
        Part {
            name: "headquarters",
            layout: Layout::One(object(SEAT, Support::Fact)),
            instruction: "its head office, or the only address that it has: the town (locality), the region if a page names it, and the country by its two letters (DE)",
        },
        Goes::One(HEADQUARTERS),
    ),
    (
        Part {
            name: "mission",
            layout: Layout::One(plain(LINE, Support::Fact)),
            instruction: "what it calls its mission or task, word for word as a page prints it; empty if it names none",
        },
        Goes::One(MISSION),
    ),
    (
        Part {
            name: "vision",
            layout: Layout::One(plain(LINE, Support::Fact)),
            instruction: "what it says that it wants to become or to bring about, word for word as a page prints it; empty if no page does",
        },
        Goes::One(VISION),
    ),
    (
        Part {
            name: "not_for",
            layout: Layout::Many(plain(LINE, Support::Fact), 4),
            instruction: "whom it says that it does not serve, or what it says that it does not do",
        },
        Goes::Many(EXCLUSIONS),
    ),
];

/// What rules can't find, and where each part is stored.
pub const PARTS: &[(Part, Goes)] = &[
    (
        Part {
            name: "statement",
            layout: Layout::One(object(POSITION, Support::Fact).not_from_job_offers()),
            instruction: "the company's position: for whom (for), with which need (who), the product's name (product), its category (is_a), what it does for them (that), unlike what, because of what",
        },
        Goes::One(STATEMENT),
    ),
    (
        Part {
            name: "value_propositions",
            layout: Layout::Many(object(PROPOSITION, Support::Fact).not_from_job_offers(), 5),
            instruction: "what customers get; the benefit only if a page says what it brings them",
        },
        Goes::Many(VALUE_PROPOSITIONS),
    ),
    (
        Part {
            name: "differentiators",
            layout: Layout::Many(plain(LINE, Support::Fact), 4),
            instruction: "what sets it apart by its own words: specialisation, experience, range, people",
        },
        Goes::Many(DIFFERENTIATORS),
    ),
    (
        Part {
            name: "segments",
            layout: Layout::Many(object(SEGMENT, Support::Advice), 4),
            instruction: "groups of customers that the excerpts name, with their needs, pains and what makes them buy",
        },
        Goes::Many(SEGMENTS),
    ),
    (
        Part {
            name: "personas",
            layout: Layout::Many(object(PERSONA, Support::Advice), 4),
            instruction: "roles, never names of people, that the excerpts speak to",
        },
        Goes::Many(PERSONAS),
    ),
    (
        Part {
            name: "voice",
            layout: Layout::One(plain(LINE, Support::Advice)),
            instruction: "how these texts sound, in one sentence that names their subject",
        },
        Goes::One(SUMMARY),
    ),
    (
        Part {
            name: "traits",
            layout: Layout::Many(object(TRAIT, Support::Advice), 4),
            instruction: "traits of how these texts are written, what to do and what not to do in that voice",
        },
        Goes::Many(TRAITS),
    ),
    (
        Part {
            name: "core_message",
            layout: Layout::One(plain(LINE, Support::Fact)),
            instruction: "the one thing that the company wants to be known for",
        },
        Goes::One(CORE_MESSAGE),
    ),
    (
        Part {
            name: "pillars",
            layout: Layout::Many(object(PILLAR, Support::Fact), 4),
            instruction: "the themes that the company keeps coming back to, each with its message",
        },
        Goes::Many(PILLARS),
    ),
    (
        Part {
            name: "seconds_10",
            layout: Layout::One(plain(SHORT, Support::Fact)),
            instruction: "what the company does, in one sentence of at most 25 words",
        },
        Goes::One(SECONDS_10),
    ),
    (
        Part {
            name: "seconds_30",
            layout: Layout::One(plain(SPOKEN, Support::Fact)),
            instruction: "the same for half a minute, at most 75 words",
        },
        Goes::One(SECONDS_30),
    ),
    (
        Part {
            name: "words_100",
            layout: Layout::One(plain(LONG, Support::Fact)),
            instruction: "the same in about 100 words",
        },
        Goes::One(WORDS_100),
    ),
];

/// What the model settles before it writes.
pub const BRIEF: &[Part] = &[
    Part {
        name: "position",
        layout: Layout::One(object(LINE, Support::Advice)),
        instruction: "what the company is to whom, in one line",
    },
    Part {
        name: "audience",
        layout: Layout::Many(object(LINE, Support::Advice), 3),
        instruction: "whom it speaks to, each with what they need",
    },
    Part {
        name: "themes",
        layout: Layout::Many(object(LINE, Support::Advice), 4),
        instruction: "the themes it keeps coming back to, each on other facts",
    },
    Part {
        name: "sound",
        layout: Layout::One(object(LINE, Support::Advice)),
        instruction: "how its texts sound, in one line",
    },
    Part {
        name: "gaps",
        layout: Layout::Many(object(LINE, Support::Advice), 3),
        instruction: "what the excerpts don't say of the brand",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let all = || OF_THE_SITE.iter().chain(IF_NOT_FOUND).chain(PARTS);
        let mut names: Vec<&str> = all().map(|(part, _)| part.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all().count());
    }
}
