//! What a company looks for is not what it sells: job offers carry signs of hiring, and no statement about an offer.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use gtm_site_research::evidence::Sentence;
use gtm_site_research::roles::Role;
use serde_json::Value;

use crate::answer::{number, text_of};
use crate::excerpts::Excerpts;
use crate::form::Unit;
use crate::found::subject;

/// Whether an answer rests mainly on pages that look for staff: they hold more of its words than the other cited excerpts do, or as
/// many, and are more.
pub fn carry(excerpts: &Excerpts, unit: Unit, answer: &Value) -> bool {
    let cited = answer.get("citations").and_then(Value::as_array);
    let (offers, others): (Vec<&Sentence>, Vec<&Sentence>) = cited
        .into_iter()
        .flatten()
        .filter_map(|cited| excerpts.get(number(cited)?))
        .partition(|excerpt| excerpt.role == Role::Careers);
    if offers.is_empty() || others.is_empty() {
        return !offers.is_empty();
    }
    let said: BTreeSet<String> = unit
        .fields
        .iter()
        .flat_map(|field| subject(&text_of(answer, field.name)))
        .collect();
    let held = |excerpts: &[&Sentence]| {
        let words = excerpts.iter().flat_map(|excerpt| subject(&excerpt.text));
        words.collect::<BTreeSet<_>>().intersection(&said).count()
    };
    match held(&offers).cmp(&held(&others)) {
        Ordering::Greater => true,
        Ordering::Less => false,
        Ordering::Equal => offers.len() > others.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::{Field, Form, Support, needed, plain};
    use gtm_site_research::page::BlockKind;
    use serde_json::json;

    const LINE: &[Field] = &[needed("text", Form::Text(90))];

    #[test]
    fn offers_rest_on_pages_that_sell() {
        let excerpt = |(position, (role, text)): (usize, (Role, &str))| Sentence {
            page: position,
            block: 0,
            position,
            role,
            kind: BlockKind::Paragraph,
            text: text.to_owned(),
            folded: text.to_lowercase(),
        };
        let all = [
            (Role::Home, "We build signals for railways."),
            (Role::Careers, "We offer internships in marketing."),
            (Role::Careers, "You will test signals."),
        ];
        let excerpts = Excerpts {
            all: all.into_iter().enumerate().map(excerpt).collect(),
            ..Excerpts::default()
        };
        let rests = |text: &str, cited: &[u64]| {
            let answer = json!({"text": text, "citations": cited});
            carry(&excerpts, plain(LINE, Support::Fact), &answer)
        };
        assert!(rests("Signals", &[3]));
        assert!(rests("Internship in marketing", &[1, 2]));
        assert!(!rests("Signals for railways", &[1, 2, 3]));
        assert!(!rests("Signals", &[1, 3]));
        assert!(rests("Signals", &[1, 2, 3]));
        assert!(!rests("Signals", &[]));
    }
}
