//! Why something that a model wrote is left out.

/// A reason for leaving out a claim, or a sentence of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// It cites no excerpt that exists.
    NoCitation,
    /// A member that it needs is missing or is none of the allowed words.
    Incomplete,
    /// A number in it stands nowhere, and no formula leads to it.
    Number,
    /// A web or e-mail address in it stands nowhere.
    Address,
    /// Words that it puts into quotation marks stand nowhere.
    Quotation,
    /// A name in it stands nowhere.
    Name,
    /// It names a person where a role belongs.
    Person,
    /// It names a rival that nobody mentioned.
    Rival,
    /// It reads like an instruction for a language model.
    Instruction,
    /// It makes a product of a job offer.
    JobOffer,
    /// The critic found it contradicted, and it could not be rewritten.
    Contradicted,
}

impl Fault {
    /// The reason as the end of a sentence for the reader of the result.
    ///
    /// Danger: the host removes lines with numbers that no page has, so a reason must not contain one.
    #[must_use]
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::NoCitation => "it cites no excerpt of a page",
            Self::Incomplete => "the answer was incomplete",
            Self::Number => "a number in it stands neither in the excerpts nor in the request",
            Self::Address => "an address in it stands neither in the excerpts nor in the request",
            Self::Quotation => {
                "words that it quotes stand neither in the excerpts nor in the request"
            }
            Self::Name => "a name in it stands neither in the excerpts nor in the request",
            Self::Person => "it names a person where a role belongs",
            Self::Rival => "it names a rival that neither the excerpts nor the request mention",
            Self::Instruction => "it reads like an instruction for a language model",
            Self::JobOffer => "it rests on a job offer alone",
            Self::Contradicted => "a second reading found it contradicted by its excerpts",
        }
    }

    /// The reason as a word for logs.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::NoCitation => "no_citation",
            Self::Incomplete => "incomplete",
            Self::Number => "number",
            Self::Address => "address",
            Self::Quotation => "quotation",
            Self::Name => "name",
            Self::Person => "person",
            Self::Rival => "rival",
            Self::Instruction => "instruction",
            Self::JobOffer => "job_offer",
            Self::Contradicted => "contradicted",
        }
    }
}
