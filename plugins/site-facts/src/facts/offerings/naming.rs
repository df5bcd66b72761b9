//! Which texts may be names of products and services.

use gtm_lexicon::company::{WE, YOU};
use gtm_lexicon::figures::PRICES;
use gtm_lexicon::foundations::AND;
use gtm_lexicon::numbers::is_unspaced;
use gtm_lexicon::offer::{NO_OFFERINGS, QUALITIES, TEMPLATE_LEAKS};
use gtm_lexicon::pages::PRODUCTS;
use gtm_site_research::boilerplate;
use gtm_site_research::roles::{self, Role};
use gtm_site_research::words;

use super::announcements::says_nothing;
use crate::facts::figures::names_a_sum;
use crate::facts::labels::listed;
use crate::facts::{names, numbering};

/// Whether words only say how the company works: `Quality and experience`, but not `Precision milling`.
fn only_praises(words: &[&str]) -> bool {
    let praises = |word: &&str| QUALITIES.are(&[word]);
    QUALITIES.are(words)
        || words.iter().any(praises) && words.iter().all(|word| praises(word) || AND.contains(word))
}

/// Whether a name says nothing but how the company works: `Quality and experience`.
pub fn praises(name: &str) -> bool {
    let folded = words::fold(name.trim_end_matches(['.', '!', ':']));
    only_praises(&words::split(&folded))
}

/// Fewest words of a clause about the reader: `You get all from one hand`.
const LEAST_OF_CLAUSE: usize = 4;
/// Most words that say `from` before a price.
const LONGEST_LEAD: usize = 3;
/// Fewest letters of a name that a word for further ones follows.
const LEAST_BEFORE_OTHERS: usize = 3;

/// Characters that make one word with `等`, which then says no more than that things are equal or of a degree: `平等`.
const BEFORE_EQUAL: [char; 8] = ['平', '高', '中', '初', '均', '優', '同', '対'];

/// A name without the marks of lists before it, the arrows of links behind it, and Japanese words for further ones.
pub fn bare(name: &str) -> &str {
    let name = name
        .trim()
        .trim_start_matches(['・', '●', '■', '◆', '•', '-', '–'])
        .trim_end_matches(['→', '↗', '›', '»', '➔', '➜', '▶', '>', ':'])
        .trim();
    // A point that style sets apart is an ornament: `Planning .`
    let name = name.strip_suffix(" .").unwrap_or(name).trim();
    let name = without_rendering(name);
    let others = || {
        let rest = name.strip_suffix('等')?;
        (!rest.ends_with(BEFORE_EQUAL)).then_some(rest)
    };
    name.strip_suffix("など")
        .or_else(others)
        .filter(|rest| rest.chars().count() >= LEAST_BEFORE_OTHERS)
        .unwrap_or(name)
}

/// What ends the headings of lists of services, and no name of one: `Manufacturing capabilities`.
const HEADS_LISTS: &str = "capabilities";

/// Whether a text may be the name of a product or service.
pub fn is_name(name: &str) -> bool {
    let folded = words::fold(name);
    let words = words::split(&folded);
    (1..=9).contains(&words.len())
        && (2..=80).contains(&name.chars().count())
        && name.chars().any(char::is_alphabetic)
        && !name.ends_with(['?', '!', '.', ':', '…', '。', '？', '！', '：'])
        && !name.contains(['@', '|', ':'])
        && !WE.open(&words)
        && !(words.len() >= LEAST_OF_CLAUSE && YOU.open(&words))
        && !numbering::begins_with_number(name)
        && !NO_OFFERINGS.open(&words)
        && !PRODUCTS.are(&words)
        && !says_nothing(name)
        && words.last() != Some(&HEADS_LISTS)
        && !only_praises(&words)
        // A template that got no value names nothing.
        && !TEMPLATE_LEAKS.are(&words)
        && !name.contains(['{', '}'])
        && roles::named_page(&words).is_none_or(|role| role == Role::Products)
        && !names::is_generic(name)
        && !boilerplate::is_call_to_act(name)
}

/// Most words of a name among others behind a label.
const LONGEST_LISTED: usize = 6;

/// Whether the value of a label tells in a sentence what is sold, so that its commas part no names: `Ropes, nets and sails for
/// the ports of the north.`
pub fn is_prose(value: &str) -> bool {
    let long = |part: &&str| words::count(part) > LONGEST_LISTED;
    value.ends_with(['.', '!']) && words::count(value) > LONGEST_LISTED
        || value.contains(' ') && listed(value).iter().any(long)
}

/// Fewest letters of the same name in capitals, and where no blank parts the two: `樹脂PEEK` is one name.
const LEAST_OF_RENDERING: usize = 4;
const LEAST_OF_GLUED: usize = 6;

/// A name without the same in English capitals behind it: `精密切削加工` of `精密切削加工 MACHINING`.
fn without_rendering(name: &str) -> &str {
    let begin = name.find(|c: char| c.is_ascii()).unwrap_or(name.len());
    let (own, rest) = name.split_at(begin);
    let least = match rest.starts_with(' ') {
        true => LEAST_OF_RENDERING,
        false => LEAST_OF_GLUED,
    };
    let letters = rest.chars().filter(char::is_ascii_uppercase).count();
    let shouts = |c: char| c.is_ascii_uppercase() || matches!(c, ' ' | '&' | '-');
    let is_rendered = letters >= least
        && rest.chars().all(shouts)
        && own.chars().count() > 1
        && own.chars().all(is_unspaced);
    if is_rendered { own } else { name }
}

/// A name without the price behind it: `Massage` of `Massage from 90 €`.
pub fn without_price(name: &str) -> &str {
    if !names_a_sum(name) {
        return name;
    }
    let tokens = words::tokens(name);
    let amount = |word: &str| {
        word.trim_start_matches('(')
            .starts_with(|c: char| c.is_ascii_digit() || "€$£¥₹".contains(c))
    };
    let Some(mut at) = tokens.iter().position(|(.., word)| amount(word)) else {
        return name;
    };
    // Words that say `from` stand before it, of which some are several: `à partir de`.
    let says_from = |words: &[(usize, usize, &str)]| {
        let words: Vec<&str> = words.iter().map(|(.., word)| *word).collect();
        let folded = words::fold(&words.join(" "));
        PRICES.are(&words::split(&folded))
    };
    let led = (1..=LONGEST_LEAD.min(at)).rev();
    let from = led.map(|length| at - length);
    let mut from = from.filter(|from| tokens.get(*from..at).is_some_and(says_from));
    at = from.next().unwrap_or(at);
    let end = tokens.get(at).map_or(name.len(), |(start, ..)| *start);
    let mark = |c: char| c.is_whitespace() || ",:–—-(|・/".contains(c);
    name.get(..end).unwrap_or(name).trim_end_matches(mark)
}

/// Whether words in a row have just these letters: `Acme's services` has `acme`, `Acmeology` does not.
pub fn has_words(name: &str, letters: &str) -> bool {
    let folded = words::fold(name);
    let words = words::split(&folded);
    (0..words.len()).any(|at| {
        let mut rest = Some(letters);
        let mut behind = words.iter().skip(at);
        while let (Some(left), Some(word)) = (rest.filter(|left| !left.is_empty()), behind.next()) {
            let word: String = word.chars().filter(|c| c.is_alphanumeric()).collect();
            rest = left.strip_prefix(word.as_str());
        }
        rest == Some("")
    })
}

/// First letters of a word that tell it from others.
const STEM: usize = 6;

/// Whether a name says again what one of the folded texts says: both have a word that begins alike.
pub fn is_told(name: &str, told: &[String]) -> bool {
    let folded = words::fold(name);
    let begun: Option<String> = words::split(&folded)
        .first()
        .filter(|word| word.is_ascii() && word.chars().count() >= STEM)
        .map(|word| word.chars().take(STEM).collect());
    let begun = begun.as_deref();
    begun.is_some_and(|begun| {
        let has = |told: &String| {
            words::split(told)
                .iter()
                .any(|word| word.starts_with(begun))
        };
        told.iter().any(has)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_company_is_named_in_whole_words() {
        for name in ["Acme's services", "Why Acme", "ACME Rail"] {
            assert!(has_words(name, "acme"), "{name}");
        }
        assert!(has_words("The Acme Rail shop", "acmerail"));
        for name in ["Acmeology", "Glasacme", "Rail", ""] {
            assert!(!has_words(name, "acme"), "{name}");
        }
    }

    #[test]
    fn prices_are_no_part_of_a_name() {
        for (name, bare) in [
            ("Deep tissue massage from 90 €", "Deep tissue massage"),
            ("Massage ab 90 €", "Massage"),
            ("Massage – à partir de 90 €", "Massage"),
            ("Massage (90 €)", "Massage"),
            ("from 90 €", ""),
            ("Massage", "Massage"),
            ("Class of 90", "Class of 90"),
        ] {
            assert_eq!(without_price(name), bare, "{name}");
        }
    }

    #[test]
    fn turkish_and_polish_names_are_told_from_headings() {
        assert!(is_name("Fener camları") && is_name("Zegary wieżowe"));
        assert!(!is_name("Sıkça sorulan sorular") && !is_name("Korzyści dla miasta"));
        let role = roles::named_in("Hizmet alanlarımız");
        assert_eq!(role, Some(Role::Products));
        assert_eq!(roles::named_in("O spółce"), Some(Role::About));
    }

    #[test]
    fn names_are_told_without_marks() {
        for (text, name) in [
            ("● Treppen", "Treppen"),
            ("Roofs & walls ↗", "Roofs & walls"),
            ("Zonwering →", "Zonwering"),
            ("作業服・白衣等", "作業服・白衣"),
            ("石材加工など", "石材加工"),
            ("Planung .", "Planung"),
            ("Castings :", "Castings"),
            ("平等", "平等"),
            ("ジェンダー平等", "ジェンダー平等"),
        ] {
            assert_eq!(bare(text), name);
        }
    }

    #[test]
    fn praise_is_no_name() {
        for praise in [
            "Quality",
            "Quality and experience",
            "Family run",
            "Meisterbetrieb",
            "Qualität & Erfahrung",
            "Savoir-faire",
            "Empresa familiar",
            "Professionalità",
            "Qualidade",
            "Vakmanschap",
            "安心・信頼",
        ] {
            assert!(!is_name(praise), "{praise}");
        }
        for name in [
            "Precision milling",
            "Quality assurance",
            "Erfahrungsberichte drucken",
            "Trust administration",
            "Meisterkurse",
            "品質検査",
        ] {
            assert!(is_name(name), "{name}");
        }
    }

    #[test]
    fn what_templates_leak_is_no_name() {
        for leak in [
            "Array",
            "undefined",
            "[object Object]",
            "NaN",
            "null",
            "{{ item.name }}",
        ] {
            assert!(!is_name(leak), "{leak}");
        }
        for name in ["Array microphones", "Volets en bois", "Treppen"] {
            assert!(is_name(name), "{name}");
        }
    }
}
