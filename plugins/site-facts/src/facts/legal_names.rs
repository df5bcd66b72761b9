//! Registered names in a text: words that end with a legal form.

mod joined;
mod leading;

use std::cmp::Reverse;
use std::sync::LazyLock;

use gtm_lexicon::company::{BEFORE_NAMES, GENITIVES, OPENINGS_OF_NAMES, SMALL_WORDS_IN_NAMES};
use gtm_lexicon::places::ARTICLES;
use gtm_lexicon::{LegalForm, Letters, Meaning, legal_forms};
use gtm_site_research::words::{self, tokens};

use super::letters;

/// One spelling of a legal form.
struct Spelling {
    /// Its words, folded.
    parts: Vec<String>,
    form: &'static LegalForm,
}

/// The spellings of legal forms in scripts with capitals, longer before shorter.
static SPELLINGS: LazyLock<Vec<Spelling>> = LazyLock::new(|| {
    let mut spellings: Vec<Spelling> = legal_forms()
        .iter()
        .filter(|form| !matches!(form.letters, Letters::Uncased | Letters::Joined))
        .flat_map(|form| form.written.iter().map(move |written| (form, written)))
        .map(|(form, written)| Spelling {
            parts: words::fold(written).split(' ').map(str::to_owned).collect(),
            form,
        })
        .collect();
    spellings.sort_by_key(|spelling| {
        let letters: usize = spelling.parts.iter().map(String::len).sum();
        Reverse((spelling.parts.len(), letters))
    });
    spellings
});

/// The registered names in a text, verbatim, in text order.
pub fn find(text: &str) -> Vec<&str> {
    let tokens = tokens(text);
    let mut found: Vec<(usize, usize)> = Vec::new();
    for first in 0..tokens.len() {
        let Some((end, _)) = form_at(text, &tokens, first) else {
            continue;
        };
        if found.last().is_some_and(|(_, known)| *known >= end) {
            continue;
        }
        let Some(begin) = begin_of(&tokens, first) else {
            continue;
        };
        found.push((begin, end));
    }
    let leading = leading::places(&tokens);
    let meets = |one: &(usize, usize), other: &(usize, usize)| one.0 < other.1 && other.0 < one.1;
    // What stands before a form with a name behind it is none: no word with a capital does. `Dénomination sociale SARL Dupont`.
    found.retain(|known| !leading.iter().any(|other| meets(known, other)));
    found.extend(leading);
    found.extend(caseless(&tokens));
    found.extend(joined::places(text));
    found.sort_unstable();
    found
        .into_iter()
        .filter_map(|(begin, end)| text.get(begin..end))
        .filter(|name| (4..=120).contains(&name.chars().count()))
        .collect()
}

/// The name without its legal form, as people say it.
pub fn without_form(name: &str) -> &str {
    if let Some(bare) = joined::without_form(name) {
        return bare;
    }
    let tokens = tokens(name);
    if let [first, .., (_, _, last)] = tokens.as_slice()
        && is_caseless_form(bare_form(last))
    {
        let begin = usize::from(OPENINGS_OF_NAMES.contains(first.2));
        let begin = tokens.get(begin).map_or(0, |(start, ..)| *start);
        let end = tokens
            .get(tokens.len() - 2)
            .map_or(name.len(), |(_, end, _)| *end);
        return name.get(begin..end).unwrap_or(name);
    }
    let Some((first, _)) = form_at_end(name, &tokens) else {
        return leading::form_of(name).map_or(name, |(_, rest)| rest);
    };
    let end = tokens.get(first - 1).map_or(0, |(_, end, _)| *end);
    name.get(..end).unwrap_or(name).trim_end_matches([',', ' '])
}

/// The ownership that the name's legal form implies, if the law allows no other.
pub fn meaning_of(name: &str) -> Option<Meaning> {
    form_of(name)?.means
}

/// The legal form of a name.
fn form_of(name: &str) -> Option<&'static LegalForm> {
    let at_end = form_at_end(name, &tokens(name)).map(|(_, form)| form);
    let before = || leading::form_of(name).map(|(form, _)| form);
    at_end.or_else(|| joined::form_of(name)).or_else(before)
}

/// One key for all spellings of a name: with the form's first spelling, without marks.
pub fn key(name: &str) -> String {
    match form_of(name).and_then(|form| form.written.first()) {
        Some(written) => format!("{} {}", letters(without_form(name)), letters(written)),
        None => letters(name),
    }
}

/// The legal form at the end of the name, and the index of its first token.
fn form_at_end(name: &str, tokens: &[(usize, usize, &str)]) -> Option<(usize, &'static LegalForm)> {
    (1..tokens.len()).find_map(|first| {
        let (end, form) = form_at(name, tokens, first)?;
        (end >= name.trim_end().len()).then_some((first, form))
    })
}

/// Whether a word is a legal form in a script without capitals.
fn is_caseless_form(word: &str) -> bool {
    legal_forms()
        .iter()
        .any(|form| form.letters == Letters::Uncased && form.written.contains(&word))
}

/// A word without the punctuation that may follow a name.
fn bare_form(word: &str) -> &str {
    word.trim_end_matches([',', ';', ':', '.', ')', '|', '،', '؛', '*', '®', '™'])
}

/// Names that end with a legal form in a script without capitals. A name starts at the word that opens it, or
/// at the start of the line if only a few words precede the form.
fn caseless(tokens: &[(usize, usize, &str)]) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (at, &(start, _, word)) in tokens.iter().enumerate() {
        let form = bare_form(word);
        if !is_caseless_form(form) {
            continue;
        }
        let before = tokens.get(at.saturating_sub(8)..at).unwrap_or_default();
        // The end of a sentence or item also marks where the name begins.
        let clause = before
            .iter()
            .rposition(|(_, _, word)| {
                word.ends_with(['.', ':', '،', '؛', '|', '·', '©'])
                    || word.chars().all(|c| c.is_numeric() || !c.is_alphanumeric())
            })
            .map_or(0, |end| end + 1);
        let words = before.get(clause..).unwrap_or_default();
        let opening = words
            .iter()
            .position(|(_, _, word)| OPENINGS_OF_NAMES.contains(word));
        let is_short = at <= 5 || clause > 0;
        let begin = match opening {
            Some(opening) => words.get(opening),
            None if is_short && (1..=5).contains(&words.len()) => words.first(),
            None => None,
        };
        if let Some(&(begin, ..)) = begin {
            found.push((begin, start + form.len()));
        }
    }
    found
}

/// The legal form that starts with this token, and the byte offset of its end.
fn form_at(
    text: &str,
    tokens: &[(usize, usize, &str)],
    first: usize,
) -> Option<(usize, &'static LegalForm)> {
    let &(start, _, opening) = tokens.get(first)?;
    let opening = words::fold(opening);
    SPELLINGS.iter().find_map(|Spelling { parts, form }| {
        // Few words begin a legal form: reject the others before the full comparison.
        let begins = parts
            .first()
            .is_some_and(|part| opening.starts_with(part.trim_end_matches('.')));
        if !begins {
            return None;
        }
        let mut end = start;
        for (offset, part) in parts.iter().enumerate() {
            let &(begin, stop, token) = tokens.get(first + offset)?;
            let last = offset + 1 == parts.len();
            let folded = words::fold(token);
            if folded == *part {
                end = stop;
                continue;
            }
            // Punctuation after a name is not part of it.
            let bare = token
                .trim_end_matches([',', ';', ':', '.', ')', '|', '–', '-', '!', '*', '®', '™']);
            if last && words::fold(bare) == part.trim_end_matches('.') {
                let dot = part.ends_with('.')
                    && token
                        .get(bare.len()..)
                        .is_some_and(|rest| rest.starts_with('.'));
                end = begin + bare.len() + usize::from(dot);
            } else {
                return None;
            }
        }
        let spelled = text.get(start..end)?.trim_end_matches('.');
        // An abbreviation with points can't be an ordinary word.
        let counts = parts.iter().any(|part| part.contains('.'))
            || match form.letters {
                Letters::Any => true,
                Letters::Capital => spelled.chars().any(char::is_uppercase),
                Letters::Exact | Letters::Uncased | Letters::Joined => {
                    form.written.contains(&spelled)
                }
            };
        counts.then_some((end, *form))
    })
}

/// Byte offset where the name before the legal form at token `form` begins.
fn begin_of(tokens: &[(usize, usize, &str)], form: usize) -> Option<usize> {
    let mut begin = None;
    // Where the name begins if what stands before it only says whose something is.
    let mut owner = None;
    for back in 1..=7 {
        let Some(&(start, _, word)) = form.checked_sub(back).and_then(|at| tokens.get(at)) else {
            break;
        };
        // Scripts without blanks have none behind these marks either.
        if let Some((at, mark)) = word
            .rmatch_indices(['、', '。', '：', '」', '』', '）'])
            .next()
        {
            let rest = word.get(at + mark.len()..).unwrap_or_default();
            let begins = rest.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
            return begins.then_some(start + at + mark.len()).or(begin);
        }
        let ends_a_clause = word.ends_with([':', ';', '.', '|', '©', '!', '?'])
            || (word.ends_with(',') && back > 1);
        let year = word.trim_start_matches('©');
        // A span of years stands before a name, too: `© 1987–2026 Acme Ltd`.
        let is_year = year
            .split(['-', '–', '—'])
            .all(|year| year.len() == 4 && year.chars().all(|c| c.is_ascii_digit()));
        if ends_a_clause
            && !(word.ends_with('.') && word.len() <= 4 && word.starts_with(char::is_uppercase))
            || is_year
            || is_address_of_a_firm(word)
            || matches!(word, "©" | "(c)" | "–" | "—" | "-" | "|" | "•" | "·")
        {
            break;
        }
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let named = bare.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
            // Some names, such as `tarnbeck GmbH`, are lower case; accept them only directly before the form.
            || (back == 1 && bare.starts_with(char::is_alphabetic) && bare.chars().count() >= 3);
        if named {
            if BEFORE_NAMES.contains(&words::fold(bare)) {
                break;
            }
            begin = Some(start + word.find(|c: char| c.is_alphanumeric()).unwrap_or(0));
        } else if GENITIVES.contains(word) && owner.is_none() {
            owner = begin;
        } else if !SMALL_WORDS_IN_NAMES.contains(word) {
            // `… schriftlichen Zustimmung von Acme AG`: an adjective makes a noun of the word before, not a name.
            let of_noun = owner.is_some() && !ARTICLES.contains(&words::fold(word));
            return if of_noun { owner } else { begin };
        }
    }
    begin
}

/// Most signs of an abbreviation with a stroke.
const LONGEST_STROKED: usize = 4;

/// Whether a word is an abbreviation with a stroke, as stand before a firm's name in an address: `M/s.`, `c/o`.
fn is_address_of_a_firm(word: &str) -> bool {
    word.chars().count() <= LONGEST_STROKED
        && word.split_once('/').is_some_and(|(before, after)| {
            before.len() == 1 && after.starts_with(char::is_lowercase)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_with_every_legal_form() {
        for form in legal_forms() {
            for written in form.written {
                let (name, bare) = match form.letters {
                    Letters::Uncased => (format!("واحة النور {written}"), "واحة النور"),
                    Letters::Joined => (format!("青波社{written}"), "青波社"),
                    _ => (format!("Nordvik Rail {written}"), "Nordvik Rail"),
                };
                assert_eq!(find(&name), [name.as_str()]);
                assert!(
                    without_form(&name).starts_with(bare.split(' ').next_back().unwrap_or(bare))
                        || without_form(&name) == bare,
                    "{name}"
                );
            }
        }
    }

    #[test]
    fn names_are_cut_out_verbatim() {
        for (text, expected) in [
            (
                "© 2026 Northwind Metering Ltd. All rights reserved.",
                vec!["Northwind Metering Ltd."],
            ),
            (
                "Angaben gemäß § 5 DDG: Tarnbeck Messtechnik GmbH & Co. KG, Ulm",
                vec!["Tarnbeck Messtechnik GmbH & Co. KG"],
            ),
            ("Die Acme GmbH entwickelt Messtechnik.", vec!["Acme GmbH"]),
            (
                "Müller UG (haftungsbeschränkt)",
                vec!["Müller UG (haftungsbeschränkt)"],
            ),
            (
                "Fil & Laine SARL au capital de 10 000 €",
                vec!["Fil & Laine SARL"],
            ),
            (
                "Acme Holdings, Inc. is a company",
                vec!["Acme Holdings, Inc."],
            ),
            ("© 1987–2026 Brightwater plc", vec!["Brightwater plc"]),
            ("Company: Brightwater plc", vec!["Brightwater plc"]),
            (
                "Mr. A. Rao M/s. Brightwater Seals Pvt. Ltd., Pune",
                vec!["Brightwater Seals Pvt. Ltd."],
            ),
            (
                "Globexとの関係： 青葉組合は、Globex.com, Inc. とは無関係です。",
                vec!["Globex.com, Inc."],
            ),
            ("as fast as you like", vec![]),
            ("We work as a team in the lab", vec![]),
            ("Unser Team se la AG", vec![]),
            (
                "Nur mit schriftlicher Zustimmung von Globex AG erlaubt.",
                vec!["Globex AG"],
            ),
            (
                "Ein Bild bedarf der Zustimmung der Globex AG.",
                vec!["Globex AG"],
            ),
            (
                "für die Freunde von Acme GmbH",
                vec!["Freunde von Acme GmbH"],
            ),
            ("Freunde von Acme GmbH, Ulm", vec!["Freunde von Acme GmbH"]),
            ("Oude Molen B.V. Amsterdam", vec!["Oude Molen B.V."]),
            (
                "© 2026 شركة واحة النور للتجارة ذ.م.م. جميع الحقوق محفوظة.",
                vec!["شركة واحة النور للتجارة ذ.م.م"],
            ),
            (
                "© 2026 אלון תעשיות בע\"מ, תל אביב",
                vec!["אלון תעשיות בע\"מ"],
            ),
            ("نبيع التمور في كل مكان", vec![]),
            ("Nordvik Rail A/S, København", vec!["Nordvik Rail A/S"]),
            ("© 2026 Nordvik Oyj", vec!["Nordvik Oyj"]),
            (
                "Atelier Vannier S.à r.l., Luxembourg",
                vec!["Atelier Vannier S.à r.l."],
            ),
        ] {
            let found = find(text);
            if text.starts_with("Unser") {
                assert!(found.len() <= 1, "{found:?}");
            } else {
                assert_eq!(found, expected, "{text}");
            }
        }
        assert_eq!(
            without_form("Tarnbeck Messtechnik GmbH & Co. KG"),
            "Tarnbeck Messtechnik"
        );
        assert_eq!(without_form("Acme Holdings, Inc."), "Acme Holdings");
        assert_eq!(without_form("Limited Edition"), "Limited Edition");
        assert_eq!(
            without_form("شركة واحة النور للتجارة ذ.م.م"),
            "واحة النور للتجارة"
        );
        assert_eq!(key("Acme GmbH & Co. KG"), key("ACME GmbH und Co. KG"));
        assert_eq!(key("株式会社青波社"), key("㈱青波社"));
        assert_ne!(key("Acme GmbH"), key("Acme AG"));
        assert_eq!(key("SARL Dupont"), key("Dupont S.A.R.L."));
        assert_eq!(without_form("SAS Dupont Frères"), "Dupont Frères");
        assert_eq!(meaning_of("Acme GmbH"), Some(Meaning::Private));
        assert_eq!(meaning_of("Acme GmbH & Co. KG"), Some(Meaning::Private));
        assert_eq!(meaning_of("Acme e.V."), Some(Meaning::Nonprofit));
        assert_eq!(meaning_of("Acme GmbH & Co. KGaA"), None);
        assert_eq!(meaning_of("Acme AG"), None);
        assert_eq!(meaning_of("Acme"), None);
    }
}
