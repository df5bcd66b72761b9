//! The words of the offer that copy may use: approved, or the caller's own summary.

use serde::Deserialize;

/// What is read of an approved offer (annex A13). What must not be disclosed was left out by the host.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Offer {
    /// Name of the offer.
    pub name: String,
    summary: Option<String>,
    facts: Vec<Text>,
    value_propositions: Vec<Text>,
    proof_points: Vec<Text>,
    pricing: Option<Pricing>,
    icp: IdealCustomer,
    /// What no text about the offer may claim.
    pub forbidden_claims: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
struct Text {
    text: String,
}

#[derive(Debug, Clone, Deserialize)]
struct Pricing {
    display: String,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct IdealCustomer {
    segments: Vec<String>,
    roles: Vec<String>,
}

impl Offer {
    /// What it says, one line each, what matters most first.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let texts = |texts: &[Text]| texts.iter().map(|text| text.text.clone()).collect();
        let parts: [(&str, Vec<String>); 8] = [
            ("Name", vec![self.name.clone()]),
            ("Value", texts(&self.value_propositions)),
            ("Proof", texts(&self.proof_points)),
            ("Summary", self.summary.iter().cloned().collect()),
            ("Fact", texts(&self.facts)),
            (
                "Price",
                self.pricing.iter().map(|it| it.display.clone()).collect(),
            ),
            ("For companies such as", self.icp.segments.clone()),
            ("For roles such as", self.icp.roles.clone()),
        ];
        parts
            .iter()
            .flat_map(|(label, texts)| texts.iter().map(move |text| format!("{label}: {text}")))
            .collect()
    }
}
