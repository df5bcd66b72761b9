//! What is known about the seller. It comes from the caller, the brand and the offer, so it is trusted.

mod list_signs;

use gtm_page_text::detect_language;
use gtm_site_research::sentences;
use gtm_writing::prompt::one_line;
use serde_json::Value;

use self::list_signs::without_list_sign;

/// Most entries of one kind that are read of a guideline.
const MOST: usize = 8;
/// Longest line of the prompt about one entry of a guideline, in characters.
const LONGEST_LINE: usize = 320;

/// What the seller says of itself and of those it sells to.
#[derive(Debug, Clone, Default)]
pub struct Seller {
    pub company: Option<String>,
    /// The seller's own words about the product.
    pub product_info: Option<String>,
    /// Statements of the brand guideline that a seller may use.
    pub statements: Vec<String>,
    pub value_propositions: Vec<ValueProposition>,
    pub proof_points: Vec<String>,
    /// Those of the offer.
    pub offered_proof: Vec<String>,
    /// What the offer costs, if that may be said.
    pub prices: Vec<String>,
    /// Countries, sizes and stages that the offer fits.
    pub reach: Vec<String>,
    /// Whom the brand sells to.
    pub segments: Vec<Segment>,
    /// Whom it does not sell to.
    pub exclusions: Vec<String>,
    /// Roles that buy.
    pub personas: Vec<Persona>,
    /// What they say against it, and what the brand answers.
    pub objections: Vec<(String, String)>,
    /// One sentence about the brand's voice.
    pub voice: Option<String>,
    /// What the brand must not claim, and what must not be claimed of the offer.
    pub restrictions: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueProposition {
    pub statement: String,
    pub benefit: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    pub name: String,
    pub description: Option<String>,
    pub needs: Vec<String>,
    pub pains: Vec<String>,
    pub triggers: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Persona {
    pub role: String,
    pub goals: Vec<String>,
    pub objections: Vec<String>,
}

impl Seller {
    /// What a seller may use of a brand guideline (annex A2). `brand` is either the guideline or an object with
    /// a member `guideline`.
    pub fn of_brand(brand: &Value) -> Self {
        let guideline = brand
            .get("guideline")
            .filter(|value| value.is_object())
            .unwrap_or(brand);
        let values = |pointer: &str| claims(guideline, pointer);
        let of_member = |pointer: &str, member: &str| -> Vec<String> {
            let values = values(pointer);
            values.iter().filter_map(|v| text(v, member)).collect()
        };
        let texts = |pointer: &str| -> Vec<String> {
            let values = values(pointer);
            values.iter().filter_map(|v| own_text(v)).collect()
        };
        let one = |pointer: &str| own_text(guideline.pointer(pointer)?.get("value")?);
        let mut statements: Vec<String> = Vec::new();
        statements.extend(one("/messaging/core_message"));
        statements.extend(one("/identity/description_short"));
        statements.extend(texts("/positioning/differentiators"));
        statements.extend(texts("/messaging/claims_allowed"));
        let proposition = |value: &&Value| {
            Some(ValueProposition {
                statement: text(value, "statement")?,
                benefit: text(value, "benefit"),
            })
        };
        let segment = |value: &&Value| {
            Some(Segment {
                name: text(value, "name")?,
                description: text(value, "description"),
                needs: list(value, "needs"),
                pains: list(value, "pains"),
                triggers: list(value, "triggers"),
            })
        };
        let persona = |value: &&Value| {
            Some(Persona {
                role: text(value, "role")?,
                goals: list(value, "goals"),
                objections: list(value, "objections"),
            })
        };
        let objection =
            |value: &&Value| Some((text(value, "objection")?, text(value, "response")?));
        Self {
            company: one("/identity/brand_name"),
            product_info: None,
            statements,
            value_propositions: values("/positioning/value_propositions")
                .iter()
                .filter_map(proposition)
                .collect(),
            proof_points: of_member("/positioning/proof_points", "text"),
            offered_proof: Vec::new(),
            prices: Vec::new(),
            reach: Vec::new(),
            segments: values("/audience/segments")
                .iter()
                .filter_map(segment)
                .collect(),
            exclusions: texts("/audience/exclusions"),
            personas: values("/audience/personas")
                .iter()
                .filter_map(persona)
                .collect(),
            objections: values("/messaging/objections")
                .iter()
                .filter_map(objection)
                .collect(),
            voice: one("/voice/summary"),
            restrictions: of_member("/messaging/claims_restricted", "text"),
        }
    }

    /// What the seller offers: sentences about the same are of interest.
    pub fn subject(&self) -> String {
        let mut parts: Vec<&str> = Vec::new();
        parts.extend(self.company.as_deref());
        parts.extend(self.product_info.as_deref());
        parts.extend(self.statements.iter().map(String::as_str));
        for proposition in &self.value_propositions {
            parts.push(&proposition.statement);
            parts.extend(proposition.benefit.as_deref());
        }
        parts.extend(self.offered_proof.iter().map(String::as_str));
        parts.extend(self.proof_points.iter().map(String::as_str));
        parts.join("\n")
    }

    /// Everything that the seller said, as one text: numbers, names and addresses in it may be used.
    pub fn text(&self) -> String {
        let mut text = self.subject();
        for (_, lines) in self.headed() {
            text.push('\n');
            text.push_str(&lines.join("\n"));
        }
        text
    }

    /// The sentences about the product, without the signs and numbers of lists.
    pub fn product_sentences(&self) -> Vec<String> {
        let text = self.product_info.as_deref().unwrap_or_default();
        let language = detect_language([text]).unwrap_or("en");
        text.lines()
            .flat_map(|line| sentences::split(without_list_sign(line), language))
            .filter(|sentence| sentence.chars().any(char::is_alphabetic))
            .map(str::to_owned)
            .collect()
    }

    /// What the brand says, under the headings that the prompt gives it, the most useful first.
    fn headed(&self) -> Vec<(&'static str, Vec<String>)> {
        let propositions = self.value_propositions.iter().map(|known| {
            with(
                &known.statement,
                &[("benefit", known.benefit.iter().collect())],
            )
        });
        let segments = self.segments.iter().map(|known| {
            let members = [
                ("who", known.description.iter().collect()),
                ("needs", known.needs.iter().collect()),
                ("pains", known.pains.iter().collect()),
                ("triggers", known.triggers.iter().collect()),
            ];
            with(&known.name, &members)
        });
        let personas = self.personas.iter().map(|known| {
            let members = [
                ("wants", known.goals.iter().collect()),
                ("objects", known.objections.iter().collect()),
            ];
            with(&known.role, &members)
        });
        let objections = self
            .objections
            .iter()
            .map(|(objection, response)| format!("{objection} -> {response}"));
        let headed = vec![
            (
                "Value propositions, with their benefits",
                propositions.collect(),
            ),
            ("Segments that the seller serves", segments.collect()),
            (
                "Exclusions: whom the seller does not serve",
                self.exclusions.clone(),
            ),
            (
                "Proof points",
                [self.offered_proof.as_slice(), &self.proof_points].concat(),
            ),
            ("Prices", self.prices.clone()),
            ("Whom the offer fits", self.reach.clone()),
            (
                "Objections that the seller knows, with its answers",
                objections.collect(),
            ),
            ("Personas that buy from the seller", personas.collect()),
            ("Other statements of the seller", self.statements.clone()),
        ];
        headed
            .into_iter()
            .filter(|(_, lines): &(_, Vec<String>)| !lines.is_empty())
            .collect()
    }

    /// The seller's context for a prompt, in at most about `most` characters. Where not all fits, each heading keeps its
    /// first lines.
    pub fn context(&self, most: usize) -> String {
        let most = most.max(240);
        let mut text = "Seller context (trusted):\n".to_owned();
        if let Some(company) = &self.company {
            text.push_str(&format!("- Seller: {}\n", one_line(company, 120)));
        }
        if let Some(info) = &self.product_info {
            // The guideline needs room, too.
            text.push_str(&format!("- Offer: {}\n", one_line(info, most / 2)));
        }
        let headed = self.headed();
        if headed.is_empty() {
            if self.company.is_none() && self.product_info.is_none() {
                text.push_str("- nothing given: write from the target's side only\n");
            }
            return text.trim_end().to_owned();
        }
        let mut left = most.saturating_sub(text.chars().count());
        let mut shown: Vec<Vec<String>> = vec![Vec::new(); headed.len()];
        for round in 0..MOST * 4 {
            for ((heading, lines), shown) in headed.iter().zip(&mut shown) {
                let Some(line) = lines.get(round) else {
                    continue;
                };
                let line = format!("- {}", one_line(line, LONGEST_LINE));
                let heading = if round == 0 {
                    heading.chars().count() + 2
                } else {
                    0
                };
                let Some(rest) = left.checked_sub(line.chars().count() + 1 + heading) else {
                    continue;
                };
                // A later line must not stand where an earlier one had no room.
                if shown.len() == round {
                    left = rest;
                    shown.push(line);
                }
            }
        }
        for ((heading, _), lines) in headed.iter().zip(shown) {
            if !lines.is_empty() {
                text.push_str(&format!("{heading}:\n{}\n", lines.join("\n")));
            }
        }
        text.trim_end().to_owned()
    }
}

/// A name with what is known about it: `Landlords (needs: billing; pains: reading by hand)`.
fn with(name: &str, members: &[(&str, Vec<&String>)]) -> String {
    let told: Vec<String> = members
        .iter()
        .filter(|(_, texts)| !texts.is_empty())
        .map(|(member, texts)| {
            let texts: Vec<&str> = texts.iter().map(|text| text.as_str()).collect();
            format!("{member}: {}", texts.join(", "))
        })
        .collect();
    match told.is_empty() {
        true => name.to_owned(),
        false => format!("{name} ({})", told.join("; ")),
    }
}

/// The values of the claims of a list.
fn claims<'v>(guideline: &'v Value, pointer: &str) -> Vec<&'v Value> {
    guideline
        .pointer(pointer)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|claim| claim.get("value"))
        .take(MOST)
        .collect()
}

fn own_text(value: &Value) -> Option<String> {
    filled(value.as_str().map(str::to_owned))
}

fn text(value: &Value, member: &str) -> Option<String> {
    own_text(value.get(member)?)
}

fn list(value: &Value, member: &str) -> Vec<String> {
    value
        .get(member)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(own_text)
        .take(MOST)
        .collect()
}

/// The trimmed text, unless it is empty.
pub fn filled(value: Option<String>) -> Option<String> {
    value
        .map(|text| text.trim().to_owned())
        .filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use serde_json::json;

    use super::*;

    fn brand() -> Value {
        let claim = |value: Value| json!({"value": value, "source_ids": ["src_01"]});
        json!({"guideline": {
            "identity": {"brand_name": claim(json!("Meterly"))},
            "audience": {
                "segments": [claim(json!({"key": "a", "name": "Landlords", "description": "with 50 flats or more", "needs": ["billing"],
                    "pains": ["reading by hand"], "triggers": []}))],
                "personas": [claim(json!({"role": "Head of Property", "seniority": "director", "goals": ["fewer complaints"],
                    "objections": ["too many vendors"]}))],
                "exclusions": [claim(json!("Owners of a single house"))],
            },
            "positioning": {
                "value_propositions": [claim(json!({"key": "v", "statement": "Meters that bill", "benefit": "No visits"}))],
                "proof_points": [claim(json!({"key": "p", "kind": "metric", "text": "18,000 flats billed"}))],
            },
            "messaging": {"objections": [claim(json!({"objection": "Too dear", "response": "Paid back in 9 months"}))]},
        }})
    }

    #[test]
    fn each_kind_of_the_brand_s_words_has_its_heading() {
        let seller = Seller::of_brand(&brand());
        assert_eq!(
            seller.context(4_000),
            "Seller context (trusted):\n- Seller: Meterly\n\
             Value propositions, with their benefits:\n- Meters that bill (benefit: No visits)\n\
             Segments that the seller serves:\n- Landlords (who: with 50 flats or more; needs: billing; pains: reading by hand)\n\
             Exclusions: whom the seller does not serve:\n- Owners of a single house\n\
             Proof points:\n- 18,000 flats billed\n\
             Objections that the seller knows, with its answers:\n- Too dear -> Paid back in 9 months\n\
             Personas that buy from the seller:\n- Head of Property (wants: fewer complaints; objects: too many vendors)"
        );
        let text = seller.text();
        for said in [
            "No visits",
            "50 flats",
            "single house",
            "9 months",
            "fewer complaints",
        ] {
            assert!(text.contains(said), "{said} in {text}");
        }
        assert!(!seller.subject().contains("single house"));
    }

    #[test]
    fn numbers_and_signs_of_a_list_are_no_sentences() {
        let of = |info: &str| {
            let seller = Seller {
                product_info: Some(info.to_owned()),
                ..Seller::default()
            };
            seller.product_sentences()
        };
        assert_eq!(
            of(
                "Meterly offers:\n1. Readings: each hour.\n2. Bills: 40 % fewer calls.\n(3) 1.5 hours saved.\n- Made in Ulm.\n4.\n• \n1.5 m long."
            ),
            [
                "Meterly offers:",
                "Readings: each hour.",
                "Bills: 40 % fewer calls.",
                "1.5 hours saved.",
                "Made in Ulm.",
                "1.5 m long.",
            ]
        );
        assert_eq!(of("・検針：毎時。\n・請求：問い合わせが四割減。").len(), 2);
        // A day before a month ends no sentence.
        assert_eq!(
            of("Wir liefern seit dem 12. März 2024 an alle Kunden der Stadt.").len(),
            1
        );
    }

    #[test]
    fn no_heading_pushes_the_others_out() {
        let many: Vec<Value> = (0..8)
            .map(|n| json!({"value": format!("Statement number {n}, {}", "long ".repeat(40))}))
            .collect();
        let mut brand = brand();
        brand["guideline"]["positioning"]["differentiators"] = json!(many);
        let mut seller = Seller::of_brand(&brand);
        seller.product_info = Some("Meters. ".repeat(400));
        let context = seller.context(2_400);
        assert!(
            context.chars().count() <= 2_400,
            "{}",
            context.chars().count()
        );
        for said in [
            "Offer: Meters.",
            "Landlords",
            "single house",
            "Too dear",
            "Head of Property",
            "Statement number 0",
        ] {
            assert!(context.contains(said), "{said} in {context}");
        }
        assert!(!context.contains("Statement number 7"));
        assert!(seller.context(0).chars().count() <= 240);
    }

    #[test]
    fn without_words_there_is_nothing_to_write_from() {
        assert!(
            Seller::default()
                .context(4_000)
                .ends_with("target's side only")
        );
    }
}
