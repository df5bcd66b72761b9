//! The capital that a company states in its notices.

use gtm_lexicon::legal::CAPITAL;
use gtm_site_facts::part::Part;
use gtm_site_facts::site::Site;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::Evidence;
use gtm_site_research::fixed_texts::CAPITAL_IS;
use gtm_site_research::words;

use super::has_currency;

/// Most characters of a line that states it, and most words of its label.
const LONGEST: usize = 300;
const LONGEST_LABEL: usize = 4;
/// Signs behind numbers and amounts in Japanese.
const SUM_IN_JAPANESE: [char; 6] = ['千', '万', '億', '百', '円', '兆'];

/// The capital as the site prints it, where the company states its particulars.
pub fn capital(site: &Site, evidence: &Evidence, language: &str) -> Option<Claim> {
    let mut stated = evidence.passages.iter().filter(|passage| {
        matches!(
            site.part(passage.page),
            Part::Legal | Part::Contact | Part::About | Part::Home
        ) && passage.text.chars().count() <= LONGEST
    });
    let (passage, sum) = stated.find_map(|passage| Some((passage, sum_in(&passage.text)?)))?;
    let value = CAPITAL_IS.filled(language, &[("text", sum)]);
    let excerpt = Excerpt {
        page: passage.page,
        text: passage.text.clone(),
    };
    Some(Claim::stated(value, vec![excerpt]))
}

/// The amount behind the label of a capital.
fn sum_in(text: &str) -> Option<&str> {
    let tokens = words::tokens(text);
    let label = tokens.iter().enumerate().find(|(at, _)| {
        (1..=LONGEST_LABEL).any(|length| {
            let named: Vec<&str> = tokens
                .iter()
                .skip(*at)
                .take(length)
                .map(|(.., word)| *word)
                .collect();
            let folded = words::fold(&named.join(" "));
            let said = words::split(&folded);
            named.len() == length && CAPITAL.any_in(&said) && CAPITAL.open(&said)
        })
    });
    let (_, (start, ..)) = label?;
    let rest = text.get(*start..)?;
    let begin = rest.find(|c: char| c.is_ascii_digit() || matches!(c, '€' | '£' | '$'))?;
    // The sum stands right behind its label.
    (words::count(rest.get(..begin)?) <= LONGEST_LABEL + 1).then_some(())?;
    let sum = rest.get(begin..)?;
    let part = |word: &str| {
        word.chars()
            .all(|c| c.is_ascii_digit() || ".,'’€£$".contains(c))
            || has_currency(word)
            || words::fold(word).starts_with("euro")
    };
    let mut end = 0;
    for (at, stop, word) in words::tokens(sum) {
        let japanese = word.contains(SUM_IN_JAPANESE);
        if at > 0 && !part(word) {
            break;
        }
        end = match japanese {
            true => {
                let behind =
                    |c: char| !c.is_ascii_digit() && c != ',' && !SUM_IN_JAPANESE.contains(&c);
                word.find(behind).map_or(stop, |length| at + length)
            }
            false => stop,
        };
        if japanese || at > 0 && has_currency(word) {
            break;
        }
    }
    let sum = sum.get(..end)?.trim_end_matches(['.', ',', ';', ')']);
    let counted =
        sum.contains(SUM_IN_JAPANESE) || has_currency(sum) || words::fold(sum).contains("euro");
    counted.then_some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_amount_stands_behind_its_label() {
        for (text, sum) in [
            (
                "SAS au capital social de 7.622,00 € RCS Metz B 123",
                Some("7.622,00 €"),
            ),
            ("Capitale sociale: € 100.000,00 i.v.", Some("€ 100.000,00")),
            ("資本金 5,000千円", Some("5,000千円")),
            ("Stammkapital: 25.000 EUR", Some("25.000 EUR")),
            (
                "SARL au capital de 10 000 euros - Lyon",
                Some("10 000 euros"),
            ),
            ("Capital social", None),
            ("We raised capital for 12 firms.", None),
        ] {
            assert_eq!(sum_in(text), sum, "{text}");
        }
    }
}
