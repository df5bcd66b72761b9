//! Who owns a company, as far as its legal form tells.

use gtm_domain::guideline::words::Ownership;
use gtm_lexicon::ownership::{
    GROUP, NONPROFIT, PRIVATE, PUBLIC, STATED_GOVERNMENT, STATED_NONPROFIT, STATED_PRIVATE,
    STATED_PUBLIC, STATED_SUBSIDIARY, SUBSIDIARY,
};
use gtm_lexicon::{LegalForm, Letters, Meaning, Phrases, Words, fold, legal_forms, split};

use crate::verdict::stands_in;

/// Words that state an ownership, besides legal forms: as printed, and the phrases from which backends
/// conclude it.
const STATED: [(Ownership, &Words, Option<&Phrases>); 5] = [
    (Ownership::Nonprofit, &STATED_NONPROFIT, Some(&NONPROFIT)),
    (Ownership::Government, &STATED_GOVERNMENT, None),
    (Ownership::Subsidiary, &STATED_SUBSIDIARY, Some(&SUBSIDIARY)),
    (Ownership::Public, &STATED_PUBLIC, Some(&PUBLIC)),
    (Ownership::Private, &STATED_PRIVATE, Some(&PRIVATE)),
];

/// Whether a text states this ownership. The first entry of the table whose words or legal forms occur in the
/// text decides: a "gGmbH" is not a private company, and "Public Limited Company" contains the word
/// "Limited".
#[must_use]
pub fn is_stated_in(ownership: Ownership, text: &str) -> bool {
    let folded = fold(text);
    let folded = split(&folded);
    let stated = STATED.iter().find(|(stated, words, phrases)| {
        let said = phrases.is_some_and(|phrases| phrases.any_in(&folded));
        // Unless a group is mentioned, "part of the" may refer to towns and teams.
        let is_group = *stated != Ownership::Subsidiary || GROUP.any_in(&folded);
        words.iter().any(|words| stands_in(words, text))
            || said && is_group
            || has_legal_form(*stated, text)
    });
    stated.is_some_and(|(found, ..)| *found == ownership)
}

/// Whether a legal form in the text implies this ownership. A form that may be listed or not (AG, Inc., SA)
/// implies nothing, and one that is also a common word (Limited, KG) does not count by merely occurring in
/// the text.
fn has_legal_form(ownership: Ownership, text: &str) -> bool {
    let meaning = match ownership {
        Ownership::Private => Meaning::Private,
        Ownership::Nonprofit => Meaning::Nonprofit,
        _ => return false,
    };
    let forms = legal_forms().iter();
    forms
        .filter(|form| form.means == Some(meaning) && !form.elsewhere)
        .any(|form| {
            let mut written = form.written.iter();
            written.any(|written| is_written_in(form, written, text))
        })
}

fn is_written_in(form: &LegalForm, written: &str, text: &str) -> bool {
    if form.letters == Letters::Exact && !written.contains('.') {
        text.split(|c: char| !c.is_alphanumeric())
            .any(|word| word == written)
    } else {
        stands_in(written, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_that_say_it_and_forms_that_do_not() {
        for (text, want) in [
            ("Acme GmbH, Kanalstr. 1", Some(Ownership::Private)),
            ("Acme gGmbH", Some(Ownership::Nonprofit)),
            ("Private limited company", Some(Ownership::Private)),
            ("ACME LTD", Some(Ownership::Private)),
            ("Acme Public Limited Company", Some(Ownership::Public)),
            ("Acme Holdings plc", Some(Ownership::Public)),
            (
                "Acme Ltd is a wholly owned subsidiary of Beta plc",
                Some(Ownership::Subsidiary),
            ),
            ("We are a private company", Some(Ownership::Private)),
            ("Acme AG", None),
            ("Unlimited possibilities, limited offer, 5 kg", None),
        ] {
            for ownership in Ownership::ALL {
                assert_eq!(
                    is_stated_in(*ownership, text),
                    Some(*ownership) == want,
                    "{text}"
                );
            }
        }
    }

    /// Whatever a backend may conclude from a legal form, the check can find in the company's name.
    #[test]
    fn every_form_that_says_it_is_found() {
        for form in legal_forms().iter().filter(|form| !form.elsewhere) {
            let means = match form.means {
                Some(Meaning::Private) => Ownership::Private,
                Some(Meaning::Nonprofit) => Ownership::Nonprofit,
                None => continue,
            };
            for written in form.written {
                let text = format!("© 2026 Acme {written}, Acme Street 1");
                assert!(is_stated_in(means, &text), "{text}");
            }
        }
        assert!(!is_stated_in(
            Ownership::Private,
            "3 apps, 5 aps, ein bv, oy vey"
        ));
    }
}
