//! The placeholders that a message template may have (annex A4.1). No other exists: there is no expression,
//! no loop and no raw markup.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The version of this list; a template is filled only under the version that it was made for.
pub const PLACEHOLDER_CATALOG_VERSION: &str = "1";

/// The form of a placeholder's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ValueKind {
    /// A person's name or a part of it.
    Name,
    /// A short text that is no sentence of its own.
    Text,
    /// A whole sentence.
    Sentence,
    /// A calendar date.
    Date,
    /// An absolute https address.
    HttpsUrl,
    /// An e-mail address without a display name.
    AddrSpec,
}

/// Where a placeholder's value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ValueSource {
    /// The retained prospect.
    Prospect,
    /// The prospect's retained company.
    Company,
    /// A retained evidence record.
    Evidence,
    /// The offer, or the summary that stands for it.
    Offer,
    /// The request.
    Caller,
    /// The policy.
    Policy,
}

macro_rules! placeholders {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $kind:ident, $max:literal, $source:ident, $required:literal;)*) => {
        /// A placeholder of the allow-list.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Placeholder {
            $($(#[$doc])* $variant,)*
        }

        impl Placeholder {
            /// All placeholders, in the order of annex A4.1.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name, as it stands between the braces of a draft.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The form of its value.
            #[must_use]
            pub const fn kind(self) -> ValueKind {
                match self { $(Self::$variant => ValueKind::$kind,)* }
            }

            /// Most code points of its value.
            #[must_use]
            pub const fn max_chars(self) -> usize {
                match self { $(Self::$variant => $max,)* }
            }

            /// Where its value comes from.
            #[must_use]
            pub const fn source(self) -> ValueSource {
                match self { $(Self::$variant => ValueSource::$source,)* }
            }

            /// Whether a structure that uses it cannot be filled without it. The others may be missing, and
            /// their block is then dropped or has a fallback.
            #[must_use]
            pub const fn is_required(self) -> bool {
                match self { $(Self::$variant => $required,)* }
            }
        }
    };
}

placeholders! {
    /// First name of the recipient; a greeting has a fallback for it.
    RecipientFirstName = "recipient.first_name", Name, 60, Prospect, false;
    RecipientFullName = "recipient.full_name", Text, 120, Prospect, false;
    /// What the recipient does.
    RecipientRole = "recipient.role", Text, 120, Prospect, false;
    /// Name of the recipient's company.
    CompanyName = "company.name", Text, 120, Company, true;
    /// What the company does.
    CompanyIndustry = "company.industry", Text, 80, Company, false;
    /// Where the company is.
    CompanyLocation = "company.location", Text, 80, Company, false;
    /// What one evidence record says, verbatim or in an approved paraphrase.
    EvidenceHook = "evidence.hook", Sentence, 240, Evidence, true;
    /// What the evidence is called.
    EvidenceSourceLabel = "evidence.source_label", Text, 80, Evidence, false;
    /// When it was observed.
    EvidenceObservedOn = "evidence.observed_on", Date, 40, Evidence, false;
    OfferName = "offer.name", Text, 240, Offer, false;
    /// What the customer gains.
    OfferValueProposition = "offer.value_proposition", Text, 240, Offer, true;
    OfferProofPoint = "offer.proof_point", Text, 240, Offer, false;
    /// A page about the offer, on one of its allowed hosts.
    OfferUrl = "offer.url", HttpsUrl, 2048, Offer, false;
    /// The one thing that the message asks for.
    NextStepAsk = "next_step.ask", Sentence, 160, Caller, true;
    /// Where to do it.
    NextStepUrl = "next_step.url", HttpsUrl, 2048, Caller, false;
    SenderFullName = "sender.full_name", Text, 120, Caller, true;
    /// What the sender does.
    SenderRole = "sender.role", Text, 120, Caller, true;
    /// Whom the sender works for.
    SenderOrganization = "sender.organization", Text, 120, Caller, true;
    /// Where an answer arrives.
    SenderReplyEmail = "sender.reply_email", AddrSpec, 254, Caller, true;
    /// Who sends this, with a postal address.
    CompliancePostalIdentity = "compliance.postal_identity", Text, 300, Caller, true;
    /// The policy's sentence on data protection, with the address of the notice.
    CompliancePrivacyNotice = "compliance.privacy_notice", Sentence, 600, Policy, false;
    /// The policy's notice on how to object; always the last words.
    ComplianceOptOut = "compliance.opt_out", Sentence, 600, Policy, true;
}

impl Placeholder {
    /// The placeholder with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|it| it.name() == name)
    }
}

/// Longest part of a wrong name that is repeated, in characters.
const SHOWN_CHARS: usize = 60;

/// What to say of a name that is no placeholder's: it, and those that there are.
pub(in crate::message) fn not_listed(name: &str) -> String {
    let shown: String = name.chars().take(SHOWN_CHARS).collect();
    let names: Vec<&str> = Placeholder::ALL.iter().map(|it| it.name()).collect();
    format!(
        "{shown:?} is no placeholder; there are {}.",
        names.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_name_is_told_with_those_that_there_are() {
        let told = not_listed("recipient.frist_name");
        assert!(told.starts_with("\"recipient.frist_name\" is no placeholder; there are "));
        assert!(told.contains("recipient.first_name"));
        assert!(!not_listed(&"x".repeat(500)).contains(&"x".repeat(61)));
    }

    #[test]
    fn names_are_unique() {
        for placeholder in Placeholder::ALL {
            assert_eq!(
                Placeholder::from_name(placeholder.name()),
                Some(*placeholder)
            );
        }
        assert_eq!(Placeholder::from_name("recipient.email"), None);
    }
}
