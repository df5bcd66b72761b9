//! Who owns a company, as far as its legal form says it.

use gtm_domain::guideline::words::Ownership;

use crate::verdict::stands_in;

/// Words that state an ownership. A form that may be listed or not (AG, Inc., SA) states nothing, and
/// neither does one that is also a common word (Limited, KG, SAS).
const STATED: [(Ownership, &[&str]); 5] = [
    (
        Ownership::Nonprofit,
        &[
            "gGmbH",
            "gUG",
            "e.V.",
            "eingetragener Verein",
            "registered charity",
            "charity number",
            "501(c)(3)",
            "association loi 1901",
            "Stiftung bürgerlichen Rechts",
        ],
    ),
    (
        Ownership::Government,
        &[
            "Anstalt des öffentlichen Rechts",
            "Körperschaft des öffentlichen Rechts",
            "AöR",
            "government agency",
            "non-departmental public body",
            "établissement public",
            "state-owned",
        ],
    ),
    (
        Ownership::Subsidiary,
        &[
            "subsidiary of",
            "wholly owned by",
            "Tochtergesellschaft der",
            "Tochterunternehmen der",
            "Tochter der",
            "filiale de",
            "filiale du",
        ],
    ),
    (
        Ownership::Public,
        &[
            "public limited company",
            "plc",
            "börsennotiert",
            "börsennotierte",
            "publicly traded",
            "publicly listed",
            "NYSE:",
            "NASDAQ:",
            "LSE:",
            "coté en bourse",
            "cotée en bourse",
        ],
    ),
    (
        Ownership::Private,
        &[
            "private limited company",
            "private company",
            "privately held",
            "privately owned",
            "family-owned",
            "inhabergeführt",
            "Familienunternehmen",
            "GmbH",
            "UG (haftungsbeschränkt)",
            "Ltd",
            "LLP",
            "LLC",
            "SARL",
            "S.à r.l.",
            "S.r.l.",
            "B.V.",
            "Sp. z o.o.",
            "e.K.",
            "e.Kfm.",
            "GbR",
            "OHG",
            "GmbH & Co. KG",
        ],
    ),
];

/// Whether a text states this ownership. The first entry of the table that the text has words of
/// decides: a "gGmbH" is no private company, and "Public Limited Company" has the word "Limited" in it.
#[must_use]
pub fn is_stated_in(ownership: Ownership, text: &str) -> bool {
    let stated = STATED
        .iter()
        .find(|(_, words)| words.iter().any(|words| stands_in(words, text)));
    stated.is_some_and(|(found, _)| *found == ownership)
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
}
