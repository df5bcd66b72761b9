//! What a message template, and a message made from it, may say of what it sells.

use gtm_domain::offer::OfferContent;

/// The words of an offer, or of the summary that stands for one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OfferedWords {
    /// What may be repeated, numbers only beside the words that they stand beside here (decision 0090).
    pub texts: Vec<String>,
    /// Those of them that say what it is worth to its buyer. A summary doesn't tell them apart.
    pub value_propositions: Vec<String>,
    /// What must not be claimed.
    pub forbidden_claims: Vec<String>,
}

impl OfferedWords {
    /// Those of an offer, or of the summary if there is none.
    #[must_use]
    pub fn of(offer: Option<&OfferContent>, summary: Option<&str>) -> Self {
        match (offer, summary) {
            (Some(offer), _) => Self {
                texts: offer.words().into_iter().map(str::to_owned).collect(),
                value_propositions: offer
                    .value_propositions
                    .iter()
                    .map(|value| value.text.clone())
                    .collect(),
                forbidden_claims: offer.forbidden_claims.clone(),
            },
            (None, Some(summary)) => Self {
                texts: vec![summary.to_owned()],
                value_propositions: Vec::new(),
                forbidden_claims: Vec::new(),
            },
            (None, None) => Self::default(),
        }
    }
}
