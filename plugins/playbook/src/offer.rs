//! The offer that is sold (annex A13): words that a person of the seller's has approved.

use serde::Deserialize;

use crate::seller::{Persona, Segment, Seller, ValueProposition};

/// What is read of an offer. What must not be disclosed was left out by the host.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Offer {
    name: String,
    summary: Option<String>,
    facts: Vec<Text>,
    value_propositions: Vec<Text>,
    proof_points: Vec<Text>,
    pricing: Option<Pricing>,
    icp: IdealCustomer,
    stage_fit: Vec<String>,
    forbidden_claims: Vec<String>,
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
    countries: Vec<String>,
    employee_ranges: Vec<String>,
    exclusions: Vec<String>,
}

impl Offer {
    /// Adds the offer to what is known about the seller. It goes first: it is what this playbook sells, and the brand
    /// sells other things, too.
    pub fn sold_by(self, seller: &mut Seller) {
        let named = match self.summary {
            Some(summary) => format!("{}: {summary}", self.name),
            None => self.name,
        };
        if seller.product_info.is_none() {
            seller.product_info = Some(named);
        } else {
            seller.statements.insert(0, named);
        }
        prepend(&mut seller.statements, texts(self.facts));
        let propositions = texts(self.value_propositions).into_iter();
        let propositions = propositions.map(|statement| ValueProposition {
            statement,
            benefit: None,
        });
        prepend(&mut seller.value_propositions, propositions.collect());
        seller.offered_proof = texts(self.proof_points);
        seller.prices = self.pricing.into_iter().map(|p| p.display).collect();
        let icp = self.icp;
        let segments = icp.segments.into_iter().map(|name| Segment {
            name,
            description: None,
            needs: Vec::new(),
            pains: Vec::new(),
            triggers: Vec::new(),
        });
        prepend(&mut seller.segments, segments.collect());
        prepend(&mut seller.exclusions, icp.exclusions);
        let personas = icp.roles.into_iter().map(|role| Persona {
            role,
            goals: Vec::new(),
            objections: Vec::new(),
        });
        prepend(&mut seller.personas, personas.collect());
        let reach = [
            ("countries", icp.countries),
            ("employees", icp.employee_ranges),
            ("stages of a sale", self.stage_fit),
        ];
        seller.reach = reach
            .into_iter()
            .filter(|(_, values)| !values.is_empty())
            .map(|(what, values)| format!("{what}: {}", values.join(", ")))
            .collect();
        prepend(&mut seller.restrictions, self.forbidden_claims);
    }
}

fn texts(of: Vec<Text>) -> Vec<String> {
    of.into_iter().map(|text| text.text).collect()
}

fn prepend<T>(to: &mut Vec<T>, first: Vec<T>) {
    to.splice(0..0, first);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::{Value, json};

    use super::*;

    fn sold(mut seller: Seller, offer: Value) -> Seller {
        let offer: Offer = serde_json::from_value(offer).unwrap();
        offer.sold_by(&mut seller);
        seller
    }

    #[test]
    fn an_offer_goes_before_the_brand() {
        let brand = json!({"guideline": {
            "positioning": {"proof_points": [{"value": {"text": "Founded in 1999"}}],
                "value_propositions": [{"value": {"statement": "Meters for all"}}]},
            "messaging": {"claims_restricted": [{"value": {"text": "market leader"}}]},
        }});
        let seller = sold(
            Seller::of_brand(&brand),
            json!({
                "name": "Handover meters", "summary": "Installed before handover.",
                "facts": [{"key": "a", "text": "The battery lasts ten years."}],
                "value_propositions": [{"key": "a", "text": "One bill per flat."}],
                "proof_points": [{"key": "a", "text": "18,000 flats billed", "numeric_values": ["18,000"]}],
                "pricing": {"model": "per_unit_month", "display": "from £3.20 per flat"},
                "icp": {"segments": ["build-to-rent"], "roles": ["head of operations"], "countries": ["GB", "IE"],
                    "employee_ranges": [], "exclusions": ["owners of a single house"]},
                "stage_fit": ["evaluation"], "forbidden_claims": ["guaranteed savings"],
            }),
        );
        assert_eq!(
            seller.context(4_000),
            "Seller context (trusted):\n\
             - Offer: Handover meters: Installed before handover.\n\
             Value propositions, with their benefits:\n- One bill per flat.\n- Meters for all\n\
             Segments that the seller serves:\n- build-to-rent\n\
             Exclusions: whom the seller does not serve:\n- owners of a single house\n\
             Proof points:\n- 18,000 flats billed\n- Founded in 1999\n\
             Prices:\n- from £3.20 per flat\n\
             Whom the offer fits:\n- countries: GB, IE\n- stages of a sale: evaluation\n\
             Personas that buy from the seller:\n- head of operations\n\
             Other statements of the seller:\n- The battery lasts ten years."
        );
        assert_eq!(seller.restrictions, ["guaranteed savings", "market leader"]);
        assert!(seller.text().contains("£3.20"));
    }

    #[test]
    fn the_caller_s_own_words_stay_the_offer() {
        let seller = Seller {
            product_info: Some("Meters that read themselves.".to_owned()),
            ..Seller::default()
        };
        let seller = sold(seller, json!({"name": "Handover meters"}));
        assert_eq!(
            seller.product_info.as_deref(),
            Some("Meters that read themselves.")
        );
        assert_eq!(seller.statements, ["Handover meters"]);
    }
}
