//! Postal codes before towns, and the country that they lie in. A backend reads an address and the host checks it by the
//! same functions, so that the one claims no country that the other refuses.

use gtm_language_tag::primary_language;

use crate::countries::{Country, all, form};
use crate::places::CITY_ENDINGS;

/// The site on which an address stands. At home, companies print neither their country nor its telephone prefix.
#[derive(Debug, Clone, Copy)]
pub struct Site<'s> {
    /// Its domain; empty if none is known.
    pub domain: &'s str,
    /// The language that it is written in, a BCP 47 tag; empty if none is known.
    pub language: &'s str,
}

/// The letters that mail from abroad has before a postal code, and the code: `D` and `89073` of `D-89073`.
fn without_mail(printed: &str) -> (Option<&str>, &str) {
    match printed.split_once('-') {
        Some((letters, code))
            if (1..=3).contains(&letters.len())
                && letters.bytes().all(|b| b.is_ascii_uppercase()) =>
        {
            (Some(letters), code)
        }
        _ => (None, printed),
    }
}

/// A printed code, taken apart.
struct Code<'t> {
    letters: Option<&'t str>,
    form: String,
}

impl<'t> Code<'t> {
    /// `None` for a text that no code looks like.
    fn of(printed: &'t str) -> Option<Self> {
        let (letters, code) = without_mail(printed);
        let may_be = printed.len() <= 12 && code.starts_with(|c: char| c.is_ascii_digit());
        may_be.then(|| Self {
            letters,
            form: form(code),
        })
    }

    fn is_of(&self, country: &Country) -> bool {
        country.code_first
            && country.postal.contains(&self.form.as_str())
            && self
                .letters
                .is_none_or(|letters| country.mail.contains(&letters))
    }
}

/// Whether postal codes of the country stand before the town and look like this one.
#[must_use]
pub fn prints(country: &str, printed: &str) -> bool {
    let country = Country::of_code(country);
    country.is_some_and(|country| Code::of(printed).is_some_and(|code| code.is_of(&country)))
}

/// Whether postal codes of some country stand before the town and look like this one.
#[must_use]
pub fn is_code(printed: &str) -> bool {
    Code::of(printed).is_some_and(|code| all().any(|country| code.is_of(&country)))
}

/// The country of a postal code before a town: by the letters before it, or by a form that no other country has.
#[must_use]
pub fn country_of_code(printed: &str) -> Option<Country> {
    let code = Code::of(printed)?;
    let mut printing = all().filter(|country| code.is_of(country));
    let first = printing.next()?;
    // Digits alone may be any number.
    let tells = code.letters.is_some() || code.form.contains(|c: char| !matches!(c, '9' | ' '));
    (tells && printing.next().is_none()).then_some(first)
}

/// The country of a postal code before a town: what the code itself tells, else that of the site's domain, else the only
/// one in which the site's language is written.
#[must_use]
pub fn country_of_site(printed: &str, site: Site<'_>) -> Option<Country> {
    if let Some(country) = country_of_code(printed) {
        return Some(country);
    }
    // Some endings of small territories are anybody's.
    let at_home = Country::of_domain(site.domain).filter(|country| !country.postal.is_empty());
    if let Some(country) = at_home {
        return prints(country.code, printed).then_some(country);
    }
    let language = primary_language(site.language);
    let code = Code::of(printed)?;
    let mut written =
        all().filter(|country| country.languages.contains(&language) && code.is_of(country));
    let first = written.next()?;
    written.next().is_none().then_some(first)
}

/// Whether a text has the town behind a postal code of the country: one that tells its country, or one of a site at home
/// there.
#[must_use]
pub fn is_posted(country: &str, town: &str, text: &str, site: Site<'_>) -> bool {
    let is_there =
        |printed: &str| country_of_site(printed, site).is_some_and(|found| found.code == country);
    !town.is_empty()
        && text.match_indices(town).any(|(at, _)| {
            let (before, behind) = text.split_at(at);
            let behind = behind.strip_prefix(town).unwrap_or_default();
            let mut words = before.split_whitespace().rev().map(bare);
            let one = words.next().unwrap_or_default();
            if is_year(one) && !is_framed(before) {
                return false;
            }
            // A code may have a blank inside: `1011 AB Amsterdam`, `114 55 Stockholm`.
            let two = words.next().map(|first| format!("{first} {one}"));
            let ends = !behind.starts_with(char::is_alphanumeric);
            ends && (is_there(one) || two.as_deref().is_some_and(is_there))
        })
}

/// Whether a number may be a year. DANGER: a fair of 2024 in Basel is no address there.
fn is_year(number: &str) -> bool {
    number.len() == 4 && (number.starts_with("19") || number.starts_with("20"))
}

/// Whether the last word of a text stands where a postal code does: behind the number of a house or a separator.
fn is_framed(text: &str) -> bool {
    let text = text.trim_end();
    let start = text.rfind(char::is_whitespace).unwrap_or(0);
    let before = text.get(..start).unwrap_or_default().trim_end();
    let last = before.split_whitespace().next_back().unwrap_or_default();
    before.ends_with([',', ';', '|', '·', '•', ':'])
        || (last.starts_with(|c: char| c.is_ascii_digit()) && !is_year(bare(last)))
}

/// A word without what may stand around a postal code.
#[must_use]
pub fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| matches!(c, ',' | ';' | '(' | ')'))
}

/// Endings of what follows a town in a Korean address: districts, streets.
const WITHIN: [char; 7] = ['구', '군', '동', '읍', '면', '로', '길'];

/// Province and town of a Korean address, which goes from the large to the small: `서울특별시 강남구 가람로 12`, `경기도
/// 수원시 영통구 가람로 12`.
#[must_use]
pub fn korean(text: &str) -> Option<(Option<&str>, &str)> {
    let words: Vec<&str> = text.split_whitespace().map(hangul).collect();
    (0..words.len()).find_map(|at| {
        let word = words.get(at)?;
        let next = words.get(at + 1)?;
        let is_province = word.chars().count() >= 3 && word.ends_with('도');
        let (region, town, behind) = if CITY_ENDINGS.iter().any(|ending| word.ends_with(ending)) {
            (None, *word, at + 1)
        } else if is_province && next.ends_with(['시', '군']) {
            (Some(*word), *next, at + 2)
        } else if word.ends_with('시') && next.ends_with('구') {
            (None, *word, at + 1)
        } else {
            return None;
        };
        let within = words.get(behind).is_some_and(|word| word.ends_with(WITHIN));
        let numbered = text
            .split_whitespace()
            .skip(behind)
            .any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        (within && numbered && town.chars().count() >= 2).then_some((region, town))
    })
}

/// The Korean letters at the end of a word: those of `(06236)서울특별시`.
fn hangul(word: &str) -> &str {
    let word = word.trim_end_matches(|c: char| !c.is_alphanumeric());
    let is_hangul = |c: char| ('\u{ac00}'..='\u{d7a3}').contains(&c);
    let start = word.rfind(|c: char| !is_hangul(c));
    let start = start.and_then(|at| word.get(at..)?.chars().next().map(|c| at + c.len_utf8()));
    word.get(start.unwrap_or(0)..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site<'s>(domain: &'s str, language: &'s str) -> Site<'s> {
        Site { domain, language }
    }

    #[test]
    fn a_code_before_a_town_tells_the_country_with_its_site() {
        let of = |printed: &str, domain: &str, language: &str| {
            country_of_site(printed, site(domain, language)).map(|country| country.code)
        };
        for (printed, domain, language, code) in [
            ("89073", "tarnbeck.de", "", Some("DE")),
            ("89073", "tarnbeck.com", "de-DE", Some("DE")),
            ("89073", "tarnbeck.com", "", None),
            ("89073", "tarnbeck.com", "es", None),
            ("8001", "tarnbeck.com", "de", None),
            ("8001", "tarnbeck.ch", "fr", Some("CH")),
            ("89073", "tarnbeck.at", "de", None),
            ("89073", "tarnbeck.io", "de", Some("DE")),
            ("89073", "tarnbeck.co.uk", "de", None),
            ("D-89073", "tarnbeck.com", "en", Some("DE")),
            ("D-8907", "tarnbeck.de", "de", None),
            ("X-89073", "tarnbeck.de", "de", None),
            ("00-950", "tarnbeck.com", "en", Some("PL")),
            ("4150-180", "tarnbeck.com", "", Some("PT")),
            ("1011 AB", "tarnbeck.com", "en", Some("NL")),
            ("114 55", "tarnbeck.se", "", Some("SE")),
            ("114 55", "tarnbeck.com", "sv", Some("SE")),
            ("110 00", "tarnbeck.cz", "cs", Some("CZ")),
            ("110 00", "tarnbeck.com", "", None),
            ("2100", "tarnbeck.dk", "da", Some("DK")),
            ("0150", "tarnbeck.no", "nb", Some("NO")),
            ("00100", "tarnbeck.fi", "sv", Some("FI")),
            ("16059", "tarnbeck.com.tr", "tr", Some("TR")),
        ] {
            assert_eq!(
                of(printed, domain, language),
                code,
                "{printed} {domain} {language}"
            );
        }
        assert!(is_code("FIN-00100") && !is_code("00-95") && !is_code("K1A 0B1"));
    }

    #[test]
    fn a_town_stands_behind_its_code() {
        for (code, domain, town, text) in [
            ("DE", "tarnbeck.de", "Ulm", "Mühlweg 12, 89073 Ulm"),
            (
                "FR",
                "tarnbeck.fr",
                "Saint-Malo",
                "4 quai Nord 35400 Saint-Malo, Tél. 02 99 00 00 00",
            ),
            (
                "ES",
                "tarnbeck.com.es",
                "Gijón",
                "Calle Norte 3, 33201 Gijón",
            ),
            ("NL", "tarnbeck.nl", "Assen", "Kade 2, 9401 AB Assen"),
            ("NL", "tarnbeck.com", "Assen", "Kade 2, 9401 AB Assen"),
            ("SE", "tarnbeck.se", "Lund", "Stigen 2, 223 50 Lund"),
            ("PL", "tarnbeck.eu", "Ulmowo", "ul. Polna 2, 00-950 Ulmowo"),
            ("DE", "tarnbeck.com", "Ulm", "Mühlweg 12, D-89073 Ulm"),
            ("CH", "tarnbeck.ch", "Auental", "Mühlweg 12, 2000 Auental"),
            ("CH", "tarnbeck.ch", "Auental", "Mühlweg 12a 2000 Auental"),
            ("DK", "tarnbeck.dk", "Lillested", "Sti 2 · 2000 Lillested"),
        ] {
            assert!(is_posted(code, town, text, site(domain, "")), "{text}");
        }
        for (code, domain, town, text) in [
            ("DE", "tarnbeck.com", "Ulm", "Mühlweg 12, 89073 Ulm"),
            ("FR", "tarnbeck.de", "Ulm", "Mühlweg 12, 89073 Ulm"),
            ("DE", "tarnbeck.de", "Ulm", "Mühlweg 12, 89073 Ulmen"),
            ("DE", "tarnbeck.de", "Ulm", "Since 1999 in Ulm"),
            ("AT", "tarnbeck.at", "Ulm", "Mühlweg 12, 89073 Ulm"),
            ("CH", "tarnbeck.ch", "Auental", "The fair of 2024 Auental"),
            ("CH", "tarnbeck.ch", "Auental", "2024 Auental"),
            ("CH", "tarnbeck.ch", "Auental", "2023 2024 Auental"),
            ("DE", "tarnbeck.de", "", "Mühlweg 12, 89073 Ulm"),
        ] {
            assert!(
                !is_posted(code, town, text, site(domain, "")),
                "{code} {text}"
            );
        }
    }

    #[test]
    fn korean_addresses_go_from_the_large_to_the_small() {
        for (text, expected) in [
            (
                "(06236) 서울특별시 강남구 가람로 12",
                Some((None, "서울특별시")),
            ),
            (
                "본사: 06236 서울시 강남구 가람로 12길 3",
                Some((None, "서울시")),
            ),
            (
                "경기도 수원시 영통구 가람로 12, 3층",
                Some((Some("경기도"), "수원시")),
            ),
            ("부산광역시 해운대구", None),
            ("우리는 서울특별시 강남구 고객과 일합니다", None),
            ("속도 시험 12", None),
        ] {
            assert_eq!(korean(text), expected, "{text}");
        }
    }
}
