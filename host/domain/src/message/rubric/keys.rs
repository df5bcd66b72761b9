//! The checks of the rubric: what each belongs to, who decides it, and what it is worth (annex A6). What each
//! looks at is written down in `docs/message-rubric.md`.

use super::{CheckMethod, DimensionKey, RubricCheck};
use crate::message::characters::is_refused;

/// Most characters of what a judge says of a check.
const NOTE_CHARS: usize = 300;

macro_rules! checks {
    ($($(#[$doc:meta])* $variant:ident = $key:literal, $dimension:ident, $method:ident, $max:literal;)*) => {
        /// A check of the rubric.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum RubricKey {
            $($(#[$doc])* $variant,)*
        }

        impl RubricKey {
            /// All checks in the order in which they are reported.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The value of `key`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $key,)* }
            }

            /// What it is a part of.
            #[must_use]
            pub const fn dimension(self) -> DimensionKey {
                match self { $(Self::$variant => DimensionKey::$dimension,)* }
            }

            /// Who decides it.
            #[must_use]
            pub const fn method(self) -> CheckMethod {
                match self { $(Self::$variant => CheckMethod::$method,)* }
            }

            /// Points possible.
            #[must_use]
            pub const fn points(self) -> u32 {
                match self { $(Self::$variant => $max,)* }
            }
        }
    };
}

checks! {
    /// The recipient's role or kind of company is named, or a placeholder for it is there.
    RoleOrSegment = "relevance.role_or_segment", Relevance, Deterministic, 5;
    /// The message says why it goes to this recipient.
    EvidenceHook = "relevance.evidence_hook", Relevance, Deterministic, 5;
    /// The text serves the stated objective.
    ServesObjective = "relevance.serves_objective", Relevance, Judged, 5;
    /// It does not open with what anybody could write to anybody.
    NoGenericOpener = "relevance.no_generic_opener", Relevance, Deterministic, 5;
    /// Whatever states a fact rests on a placeholder or on the offer.
    AnchoredFacts = "evidence.anchored_facts", Evidence, Deterministic, 8;
    /// Every number is approved.
    ApprovedNumbers = "evidence.approved_numbers", Evidence, Deterministic, 8;
    /// What is said in other words still means the same.
    FaithfulParaphrase = "evidence.faithful_paraphrase", Evidence, Judged, 4;
    /// Sentences are short.
    SentenceLength = "clarity.sentence_length", Clarity, Deterministic, 5;
    /// No paragraph has more than one idea.
    OneIdea = "clarity.one_idea", Clarity, Judged, 4;
    /// No phrase of the trade that says nothing.
    NoJargon = "clarity.no_jargon", Clarity, Deterministic, 3;
    /// English is easy to read.
    ReadingGrade = "clarity.reading_grade", Clarity, Deterministic, 3;
    /// What the recipient gains stands before what is asked of him.
    ValueBeforeAsk = "recipient_value.value_before_ask", RecipientValue, Deterministic, 5;
    /// It speaks of the recipient at least as often as of the sender.
    YouToWe = "recipient_value.you_to_we", RecipientValue, Deterministic, 4;
    /// The gain is something that one can picture.
    ConcreteOutcome = "recipient_value.concrete_outcome", RecipientValue, Judged, 6;
    /// It asks for one thing.
    SingleAsk = "cta.single_ask", Cta, Deterministic, 6;
    /// It asks for what the request wants.
    DesiredNextStep = "cta.desired_next_step", Cta, Deterministic, 4;
    /// Who writes, from where, and how to object is filled in by placeholders.
    IdentityVariables = "trust.identity_variables", Trust, Deterministic, 4;
    /// No false urgency, no pretended reply, no superlative, nothing forbidden.
    HonestWording = "trust.honest_wording", Trust, Deterministic, 6;
    /// The subject can be read on a telephone.
    SubjectLength = "mobile_readability.subject_length", MobileReadability, Deterministic, 3;
    /// No paragraph fills the screen of a telephone.
    BlockLength = "mobile_readability.block_length", MobileReadability, Deterministic, 3;
    /// Not more words than wanted.
    WordLimit = "mobile_readability.word_limit", MobileReadability, Deterministic, 2;
    /// Not more links than wanted.
    LinkLimit = "mobile_readability.link_limit", MobileReadability, Deterministic, 2;
}

impl RubricKey {
    /// The check with this key.
    #[must_use]
    pub fn parse(key: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|it| it.as_str() == key)
    }

    /// Whether a judge decides it.
    #[must_use]
    pub const fn is_judged(self) -> bool {
        matches!(self.method(), CheckMethod::Judged)
    }

    /// The result of a check that the host decides: all points or none.
    #[must_use]
    pub fn decided(
        self,
        passed: bool,
        observed: Option<serde_json::Value>,
        limit: Option<serde_json::Value>,
        message: impl FnOnce() -> String,
    ) -> RubricCheck {
        RubricCheck {
            key: self.as_str().to_owned(),
            dimension: self.dimension(),
            method: self.method(),
            points: if passed { self.points() } else { 0 },
            max: self.points(),
            observed,
            limit,
            message: (!passed).then(message),
        }
    }

    /// The result of a check that a judge decides. A judge that gives more than there is gives what there is.
    #[must_use]
    pub fn judged(self, points: u32, note: Option<String>) -> RubricCheck {
        let points = points.min(self.points());
        RubricCheck {
            key: self.as_str().to_owned(),
            dimension: self.dimension(),
            method: self.method(),
            points,
            max: self.points(),
            observed: Some(points.into()),
            limit: None,
            message: note.filter(|_| points < self.points()).map(printable),
        }
    }
}

/// A judge's note without characters that do something else than show, cut. A judge is a plug-in that anybody may have
/// written.
fn printable(note: String) -> String {
    note.chars()
        .filter(|c| !is_refused(*c))
        .take(NOTE_CHARS)
        .collect()
}
