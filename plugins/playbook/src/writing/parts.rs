//! What a model is asked for, section by section: the fields, their limits and a short description.

use gtm_writing::form::{
    Field, Form, Layout, Part, Support, Words, needed, object, optional, plain,
};

use crate::request::Section;

const LONG: &[Field] = &[needed("text", Form::Text(900))];
const LINE: &[Field] = &[needed("text", Form::Text(320))];
const SHORT: &[Field] = &[needed("text", Form::Text(90))];
/// The ranges of annex A2.
const RANGES: &[&str] = &[
    "1-10",
    "11-50",
    "51-200",
    "201-500",
    "501-1000",
    "1001-5000",
    "5001+",
    "unknown",
];
const HEADS: &[Field] = &[needed("text", Form::Choice(RANGES, Some("unknown"))).of(Words::Range)];
const LABEL: &[Field] = &[needed("text", Form::Text(90)).of(Words::Label)];
const BRIDGE: &[Field] = &[needed("text", Form::Text(320)).of(Words::Seller)];
const PROPOSAL: &[Field] = &[needed("text", Form::Text(320)).of(Words::Proposal)];

const PROFILE: &[(&str, Layout)] = &[
    ("industry", Layout::One(plain(LABEL, Support::Fact))),
    ("employee_range", Layout::One(plain(HEADS, Support::Fact))),
    ("headquarters", Layout::One(plain(SHORT, Support::Fact))),
    ("business_model", Layout::One(plain(LINE, Support::Fact))),
    (
        "offerings",
        Layout::Many(plain(SHORT, Support::Fact).not_from_job_offers(), 10),
    ),
    (
        "markets",
        Layout::Many(plain(SHORT, Support::Fact).not_from_job_offers(), 8),
    ),
];

const TRACK: &[(&str, Layout)] = &[
    ("opening", Layout::One(plain(LINE, Support::Advice))),
    ("bridge", Layout::One(plain(BRIDGE, Support::Advice))),
    (
        "ask",
        Layout::One(plain(PROPOSAL, Support::Advice).also_from_caller()),
    ),
];

const PAIN: &[Field] = &[
    needed("pain", Form::Text(240)),
    optional("affected_roles", Form::List(4, 60)).of(Words::Role),
    optional(
        "severity",
        Form::Choice(&["high", "medium", "low", "unknown"], Some("unknown")),
    ),
];

const SIGNAL_KINDS: &[&str] = &[
    "hiring",
    "funding",
    "leadership",
    "product",
    "regulatory",
    "technology",
    "expansion",
    "other",
];
const SIGNAL: &[Field] = &[
    needed("signal", Form::Text(240)),
    needed("kind", Form::Choice(SIGNAL_KINDS, None)),
    optional("observed_at", Form::Date),
];

const STANCES: &[&str] = &["champion", "economic_buyer", "user", "blocker", "unknown"];
const MEMBER: &[Field] = &[
    needed("role", Form::Text(60)).of(Words::Role),
    optional("function", Form::Text(100)),
    optional("cares_about", Form::List(4, 120)),
    needed("stance", Form::Choice(STANCES, None)),
];

const VALUE: &[Field] = &[
    needed("pain", Form::Text(220)),
    needed("capability", Form::Text(220)).of(Words::Seller),
    optional("outcome", Form::Text(220)).of(Words::Seller),
];

const QUESTION: &[Field] = &[
    needed("question", Form::Text(260)).of(Words::Proposal),
    needed("purpose", Form::Text(200)).of(Words::Proposal),
];

const OBJECTION: &[Field] = &[
    needed("objection", Form::Text(220)).of(Words::Spoken),
    needed("response", Form::Text(360)).of(Words::Seller),
];

const ALTERNATIVE: &[Field] = &[
    needed("alternative", Form::Text(90)).of(Words::Alternative),
    optional("where_we_win", Form::List(3, 160)).of(Words::Seller),
    optional("where_they_win", Form::List(3, 160)),
];

const RISK: &[Field] = &[
    needed("text", Form::Text(240)),
    needed(
        "kind",
        Form::Choice(&["conflict", "stale", "compliance", "unknown"], None),
    ),
];

const VERDICT: &[Field] = &[needed(
    "verdict",
    Form::Choice(&["good", "possible", "poor", "unknown"], None),
)];
const FIT: &[(&str, Layout)] = &[
    ("verdict", Layout::One(plain(VERDICT, Support::Advice))),
    ("reasons", Layout::Many(plain(LINE, Support::Advice), 4)),
];
const MESSAGE: &[Field] = &[
    needed("role", Form::Text(60)).of(Words::Role),
    needed("message", Form::Text(360)).of(Words::Proposal),
];
const SUM: &[Field] = &[
    needed("text", Form::Text(260)),
    needed("formula", Form::Text(120)).of(Words::Formula),
];
const WHO: &[Field] = &[
    needed("role", Form::Text(60)),
    needed("why", Form::Text(160)),
];

/// What the model settles before it writes.
pub const BRIEF: &[Part] = &[
    Part {
        name: "fit",
        layout: Layout::Group(FIT),
        instruction: "whether the seller's offer suits this target: good, possible or poor, unknown without a seller context; and what speaks for and against it, the seller's own segments and exclusions first",
    },
    Part {
        name: "why_now",
        layout: Layout::Many(plain(LINE, Support::Advice), 3),
        instruction: "what makes this the moment to talk: events of the excerpts with a date or a figure that are not over today, and why each matters to the seller; none without such an event",
    },
    Part {
        name: "theses",
        layout: Layout::Many(object(LINE, Support::Advice), 3),
        instruction: "the three strongest reasons for the target to buy, each on another fact, strongest first",
    },
    Part {
        name: "who",
        layout: Layout::Many(object(WHO, Support::Advice), 4),
        instruction: "roles, never names of people, to win, and why",
    },
    Part {
        name: "gaps",
        layout: Layout::Many(object(LINE, Support::Advice), 4),
        instruction: "what the excerpts don't say and the seller has to find out",
    },
];

/// The sections as parts of an answer, with what comes along with them.
pub fn of(sections: &[Section]) -> Vec<Part> {
    let part = |section: &Section| Part {
        name: section.key(),
        layout: layout(*section),
        instruction: instruction(*section),
    };
    let companion = |(section, part): &(Section, Part)| sections.contains(section).then_some(*part);
    sections
        .iter()
        .map(part)
        .chain(COMPANIONS.iter().filter_map(companion))
        .collect()
}

/// Parts of their own that come with a section (docs/decisions/0070).
const COMPANIONS: &[(Section, Part)] = &[
    (
        Section::TalkTrack,
        Part {
            name: "messages_by_persona",
            layout: Layout::Many(object(MESSAGE, Support::Advice), 4),
            instruction: "for each role that decides (never names of people), two or three spoken sentences that speak to what that role cares about, each tied to a fact of an excerpt",
        },
    ),
    (
        Section::ValueMap,
        Part {
            name: "business_case",
            layout: Layout::Many(object(SUM, Support::Advice).also_from_caller(), 3),
            instruction: "sums from numbers of the excerpts and the seller context only, each with its formula and result such as 46*29=1334, which also stands under derivations; none without such numbers",
        },
    ),
];

fn layout(section: Section) -> Layout {
    match section {
        Section::BusinessSummary => Layout::One(plain(LONG, Support::Fact)),
        Section::CompanyProfile => Layout::Group(PROFILE),
        Section::Priorities => Layout::Many(plain(LINE, Support::Fact), 5),
        Section::PainPoints => Layout::Many(object(PAIN, Support::Advice), 5),
        Section::BuyingSignals => Layout::Many(object(SIGNAL, Support::Fact), 6),
        Section::BuyingCommittee => Layout::Many(object(MEMBER, Support::Advice), 6),
        Section::SalesAngles => Layout::Many(plain(LINE, Support::Advice), 5),
        Section::ValueMap => Layout::Many(object(VALUE, Support::Advice), 5),
        // The model must not say where a proof comes from: what it cites is public.
        Section::ProofPoints => Layout::Many(plain(LINE, Support::Fact).also_from_caller(), 5),
        Section::DiscoveryQuestions => Layout::Many(object(QUESTION, Support::Advice), 6),
        Section::Objections => Layout::Many(object(OBJECTION, Support::Advice), 5),
        Section::CompetitivePosition => Layout::Many(object(ALTERNATIVE, Support::Advice), 4),
        Section::TalkTrack => Layout::Group(TRACK),
        Section::NextSteps => Layout::Many(plain(PROPOSAL, Support::Advice).also_from_caller(), 5),
        Section::Risks => Layout::Many(object(RISK, Support::Advice), 4),
    }
}

/// What the section should contain, for the prompt.
fn instruction(section: Section) -> &'static str {
    match section {
        Section::BusinessSummary => {
            "what the target does, for whom and at what scale, in two to four sentences"
        }
        Section::CompanyProfile => {
            "the target's industry, the range of its number of employees (unknown if no excerpt counts them), head office, way of earning money, what it sells (never whom it hires) and its markets, each only if an excerpt says it"
        }
        Section::Priorities => "aims that the target itself names",
        Section::PainPoints => {
            "problems that the excerpts suggest the target has, and the roles that feel them"
        }
        Section::BuyingSignals => {
            "recent changes at the target that make a purchase likelier, not what was over before today; observed_at is the ISO date in the excerpt or empty"
        }
        Section::BuyingCommittee => {
            "roles, never names of people, that would decide, and what they care about; the seller's personas where the target has them"
        }
        Section::SalesAngles => {
            "reasons for the target to talk to the seller, strongest first, each tied to a fact of an excerpt"
        }
        Section::ValueMap => {
            "a problem of the target, the seller's capability that answers it, and the outcome"
        }
        Section::ProofPoints => "facts in the excerpts that back the seller's case",
        Section::DiscoveryQuestions => "questions to ask the target, and what each finds out",
        Section::Objections => {
            "objections to expect from the target, and an honest response; where one is among those that the seller knows, its own answer, fitted to the target"
        }
        Section::CompetitivePosition => {
            "alternatives that the excerpts or the seller context name, the status quo among them, and who wins where"
        }
        Section::TalkTrack => {
            "an opening tied to a fact, a bridge to the seller's offer, and an ask"
        }
        Section::NextSteps => "what the seller should do next about this target",
        Section::Risks => {
            "what the excerpts show to be in conflict, stale (an announced date that has passed) or a matter of compliance; what they merely don't say is told elsewhere"
        }
    }
}
