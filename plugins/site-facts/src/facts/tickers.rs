//! Symbols of the company's own shares, as opposed to those of its parent, customers and competitors.

use gtm_lexicon::company::WE;
use gtm_lexicon::shares::{BELONGS, EXCHANGES, SHARES};
use gtm_lexicon::trade::PLAIN_NOUNS;
use gtm_site_research::words;

use super::others::{Own, offset_in};

/// A ticker symbol in a text, and whether the text gives it to the company.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticker<'a> {
    /// The exchange and the symbol, verbatim: `NASDAQ: ACME`.
    pub text: &'a str,
    /// Whether the company's own name precedes it, or the company is speaking about its shares.
    pub is_own: bool,
}

/// The ticker symbols in a text.
pub fn find<'a>(text: &'a str, own: &Own) -> Vec<Ticker<'a>> {
    marks(text)
        .into_iter()
        .map(|mark| Ticker {
            text: mark,
            is_own: is_own(text, offset_in(text, mark), own),
        })
        .collect()
}

/// Exchange and symbol together, such as `NASDAQ: ACME`.
fn marks(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for exchange in EXCHANGES.iter() {
        for (at, _) in text.match_indices(exchange) {
            found.extend(symbol(text, at, exchange).map(|mark| (at, mark)));
        }
    }
    found.sort_unstable();
    found.into_iter().map(|(_, mark)| mark).collect()
}

fn symbol<'a>(text: &'a str, at: usize, exchange: &str) -> Option<&'a str> {
    let inside = text
        .get(..at)?
        .chars()
        .next_back()
        .is_some_and(char::is_alphanumeric);
    let rest = text.get(at + exchange.len()..)?;
    let symbol = rest.strip_prefix(':')?.trim_start();
    let end = symbol
        .find(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || c == '.'))
        .unwrap_or(symbol.len());
    let symbol = symbol.get(..end)?.trim_end_matches('.');
    let stop = offset_in(text, symbol) + symbol.len();
    (!inside && (1..=6).contains(&symbol.len()))
        .then(|| text.get(at..stop))
        .flatten()
}

/// Whether the words before a symbol give it to the company: its name directly before the bracket, or a
/// sentence about its own shares.
fn is_own(text: &str, at: usize, own: &Own) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let sentence = gtm_site_research::sentences::split(before, "en");
    let before = sentence.last().copied().unwrap_or(before);
    let folded = words::fold(before);
    let before_words = words::split(&folded);
    if BELONGS.any_in(&before_words) {
        return false;
    }
    if let Some(name) = before.trim_end().strip_suffix(['(', '[']) {
        // `a Globex company (NYSE: GLX)` names another company.
        return own.ends(name);
    }
    let speaks = own.is_named_in(before) || WE.any_in(&before_words);
    // A symbol with only a short label belongs to the site's company.
    let of_another = before_words.iter().any(|word| PLAIN_NOUNS.contains(word));
    let label = before_words.len() <= 3 && !of_another;
    SHARES.any_in(&before_words) && (speaks || label)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(text: &str) -> Vec<(&str, bool)> {
        let own = Own::of(&["acme"], Some("Acme Rail plc"));
        find(text, &own)
            .into_iter()
            .map(|ticker| (ticker.text, ticker.is_own))
            .collect()
    }

    #[test]
    fn a_symbol_is_the_companys_if_its_name_stands_before_it() {
        assert_eq!(
            own("Acme (NASDAQ: ACM) makes signals."),
            [("NASDAQ: ACM", true)]
        );
        assert_eq!(own("Acme Rail plc (LSE: ACM)"), [("LSE: ACM", true)]);
        assert_eq!(
            own("Our shares are traded on Euronext: ACME."),
            [("Euronext: ACME", true)]
        );
        assert_eq!(own("Stock symbol: NYSE: ACM"), [("NYSE: ACM", true)]);
        assert_eq!(own("Aktie: XETRA: ACM"), [("XETRA: ACM", true)]);
    }

    #[test]
    fn a_symbol_of_a_parent_or_of_somebody_else_is_not() {
        for text in [
            "Acme Rail is a wholly owned subsidiary of Globex, Inc. (NYSE: GLX).",
            "Acme, a Globex company (NYSE: GLX)",
            "A Globex Company (NYSE: GLX)",
            "Acme is part of Globex (NYSE: GLX).",
            "Acme ist ein Unternehmen der Globex AG (XETRA: GLX).",
            "Acme est une filiale de Globex SA (Euronext: GLX).",
            "Acme es filial de Globex, S.A. (BME: GLX).",
            "Acme is onderdeel van Globex N.V. (Euronext: GLX).",
            "Globex Holdings, Inc. (NYSE: GLX) was founded in 1949.",
            "Acme supplies Globex (NYSE: GLX).",
            "Shares of our parent: NYSE: GLX",
            "NYSE: GLX",
        ] {
            let found = own(text);
            assert!(
                !found.is_empty() && found.iter().all(|(_, own)| !own),
                "{text}: {found:?}"
            );
        }
        assert_eq!(own("VISIT SIX: a museum"), []);
    }
}
