//! What a guideline (annex A2) says of the sender.

use gtm_page_text::bare_host;
use serde_json::Value;
use url::Url;

use super::{BRAND, Persona, Proof, Proposition, Said, Segment, Sender, Testimonial, https, line};

/// Most entries of one kind that are read of a guideline.
const MOST: usize = 12;
/// Longest name of who said something, in characters.
const LONGEST_NAME: usize = 120;

impl Sender {
    pub(super) fn of_brand(brand: &Value) -> Self {
        let nested = brand.get("guideline").filter(|value| value.is_object());
        let guideline = nested.unwrap_or(brand);
        let said = |text: String| Said {
            text,
            source: BRAND,
        };
        let all = |pointer: &str| claims(guideline, pointer);
        let texts = |pointer: &str| -> Vec<Said> {
            let values = all(pointer).into_iter();
            values.filter_map(own_text).map(said).collect()
        };
        let of_member = |pointer: &str, name: &str| -> Vec<String> {
            let values = all(pointer).into_iter();
            values.filter_map(|value| member(value, name)).collect()
        };
        let one = |pointer: &str| own_text(guideline.pointer(pointer)?.get("value")?);
        let plain = |pointer: &str| own_text(guideline.pointer(pointer)?);
        let website = plain("/identity/website_url").and_then(|url| https(&url));
        let host = website
            .as_deref()
            .and_then(|url| Url::parse(url).ok())
            .and_then(|url| Some(bare_host(url.host_str()?).to_owned()));
        Self {
            name: one("/identity/brand_name"),
            description: one("/identity/description_short")
                .or_else(|| one("/identity/description_long"))
                .or_else(|| one("/messaging/boilerplate"))
                .map(said),
            core_message: one("/messaging/core_message")
                .or_else(|| one("/messaging/pitches/seconds_10"))
                .map(said),
            propositions: all("/positioning/value_propositions")
                .into_iter()
                .filter_map(|value| {
                    Some(Proposition {
                        said: said(member(value, "statement")?),
                        benefit: member(value, "benefit"),
                    })
                })
                .collect(),
            differentiators: texts("/positioning/differentiators"),
            proofs: all("/positioning/proof_points")
                .into_iter()
                .filter_map(|value| {
                    let text = member(value, "text")?;
                    let kind = value.get("kind").and_then(Value::as_str);
                    let spoken = kind == Some("testimonial");
                    Some(Proof {
                        testimonial: spoken.then(|| testimonial(&text)).flatten(),
                        said: said(text),
                        numbers: Vec::new(),
                        of_one_customer: spoken || kind == Some("case_study"),
                    })
                })
                .collect(),
            segments: all("/audience/segments")
                .into_iter()
                .filter_map(|value| {
                    Some(Segment {
                        name: member(value, "name")?,
                        source: BRAND,
                        needs: list(value, "needs"),
                        pains: list(value, "pains"),
                        triggers: list(value, "triggers"),
                    })
                })
                .collect(),
            personas: all("/audience/personas")
                .into_iter()
                .filter_map(|value| {
                    Some(Persona {
                        role: member(value, "role")?,
                        source: BRAND,
                        goals: list(value, "goals"),
                    })
                })
                .collect(),
            exclusions: texts("/audience/exclusions"),
            markets: texts("/audience/markets"),
            objections: all("/messaging/objections")
                .into_iter()
                .filter_map(|value| Some((member(value, "objection")?, member(value, "response")?)))
                .collect(),
            calls_to_action: texts("/messaging/calls_to_action")
                .into_iter()
                .map(|said| said.text)
                .collect(),
            hosts: host.into_iter().collect(),
            link: website,
            forbidden: of_member("/messaging/claims_restricted", "text"),
            voice: one("/voice/summary"),
            brand_language: plain("/language"),
            ..Self::default()
        }
    }
}

/// The values of the claims of a list.
fn claims<'v>(guideline: &'v Value, pointer: &str) -> Vec<&'v Value> {
    let list = guideline.pointer(pointer).and_then(Value::as_array);
    let values = list.into_iter().flatten();
    values
        .filter_map(|claim| claim.get("value"))
        .take(MOST)
        .collect()
}

fn own_text(value: &Value) -> Option<String> {
    line(value.as_str()?)
}

fn member(value: &Value, name: &str) -> Option<String> {
    own_text(value.get(name)?)
}

fn list(value: &Value, name: &str) -> Vec<String> {
    let list = value.get(name).and_then(Value::as_array);
    let texts = list.into_iter().flatten().filter_map(own_text);
    texts.take(MOST).collect()
}

/// A testimonial's words and its speaker, whose name follows its last sentence.
fn testimonial(text: &str) -> Option<Testimonial> {
    let closing = ['"', '”', '“', '»', '«', '’', '」', '）', ')'];
    let mut ends = text.rmatch_indices(['.', '!', '?', '…', '。', '！', '？']);
    let (end, _) = ends.find(|(at, mark)| *mark != "." || !ends_with_title(text.get(..*at)))?;
    let behind = text.get(end..)?;
    let mark = behind.chars().next().map_or(0, char::len_utf8);
    let quotes = behind.get(mark..)?;
    let rest = quotes.trim_start_matches(closing);
    let (words, by) = text.split_at(text.len() - rest.len());
    let by = by.trim_start_matches(|c: char| c.is_whitespace() || "—–-―~".contains(c));
    let words = words.trim_matches(|c: char| c.is_whitespace() || "\"”“»«".contains(c));
    let named = !by.is_empty() && by.chars().count() <= LONGEST_NAME && !words.is_empty();
    named.then(|| Testimonial {
        words: words.to_owned(),
        by: by.to_owned(),
    })
}

/// Whether the last word is short and begins with a capital letter, as in `Dr. Roth` and `J. Roth`.
fn ends_with_title(text: Option<&str>) -> bool {
    let word = text.and_then(|text| text.split_whitespace().next_back());
    word.is_some_and(|word| word.chars().count() <= 4 && word.starts_with(char::is_uppercase))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Option<(String, String)> {
        testimonial(text).map(|said| (said.words, said.by))
    }

    #[test]
    fn a_testimonial_is_a_customers_words_and_their_name() {
        let of = |words: &str, by: &str| Some((words.to_owned(), by.to_owned()));
        assert_eq!(
            split("We stopped phoning. It reads itself. Supply lead, Moss Dairies"),
            of(
                "We stopped phoning. It reads itself.",
                "Supply lead, Moss Dairies"
            )
        );
        assert_eq!(
            split("“Endlich Ruhe!” — Jana Roth, Leiterin Technik"),
            of("Endlich Ruhe!", "Jana Roth, Leiterin Technik")
        );
        assert_eq!(
            split("It reads itself. Dr. J. Roth, Moss Dairies"),
            of("It reads itself.", "Dr. J. Roth, Moss Dairies")
        );
        assert_eq!(
            split("電話をやめました。品質部長"),
            of("電話をやめました。", "品質部長")
        );
        assert_eq!(split("A sentence without a speaker."), None);
        assert_eq!(split("No sentence at all"), None);
    }
}
