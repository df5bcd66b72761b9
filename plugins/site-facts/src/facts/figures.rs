//! Recognizes figures that prove something, as opposed to prices, addresses and dates.

use gtm_lexicon::company::WE_AND_YOU;
use gtm_lexicon::figures::{
    AT_LEAST, CAPACITIES, MAGNITUDES, MEASURES, OF_MARKETS, PRICES, RESULTS, TIMES,
};
use gtm_site_research::facts;
use gtm_site_research::words;

use super::no_counts::{is_grade, names_coded_place, names_street};
use super::ratings::rates;
use super::scripts::{counted_by, plain};

/// Whether a text has a number that is not a year.
pub fn has_number(text: &str) -> bool {
    let own = without_names(text);
    facts::numbers(&own).iter().any(|number| {
        number != "0"
            && !(number.len() == 4 && (number.starts_with("19") || number.starts_with("20")))
    })
}

/// A text without words that are names with digits in them, such as `7UP` and `ISO9001`.
fn without_names(text: &str) -> String {
    let is_name = |word: &&str| {
        word.chars().filter(|c| c.is_uppercase()).count() >= 2
            && word.chars().any(|c| c.is_ascii_digit())
    };
    let words = text.split_whitespace().filter(|word| !is_name(word));
    words.collect::<Vec<_>>().join(" ")
}

pub fn is_year(word: &str) -> bool {
    word.len() == 4 && (word.starts_with("19") || word.starts_with("20")) && is_digits(word)
}

pub fn is_digits(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text names a sum of money: digits and the sign of a currency.
pub fn names_a_sum(text: &str) -> bool {
    text.contains(['€', '$', '£', '¥', '円', '₹']) && text.contains(|c: char| c.is_ascii_digit())
}

/// Whether a text tells when something was: a line of a history, which begins with its date (`2017.02 Second
/// shop`), or a span of years (`1996 - 2026`).
pub fn tells_when(text: &str) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let dated = words.first().is_some_and(|first| is_year(first));
    dated
        || words
            .windows(2)
            .any(|pair| pair.iter().all(|word| is_year(word)))
}

/// Whether the number of a figure proves nothing, whatever it counts: a few of one's own services, a round `100 %`, a
/// format such as `4K`, the code of a place, the number of a house, a grade.
pub fn proves_nothing(text: &str) -> bool {
    let text: &str = &plain(text);
    let is_grade_alone = is_grade(text) && !rates(text);
    if names_coded_place(text) || names_street(text) || is_grade_alone || is_to_call(text) {
        return true;
    }
    let bare = text.trim_start_matches(['+', '>', '<', '~']);
    let digits: String = bare.chars().take_while(char::is_ascii_digit).collect();
    let rest = bare.get(digits.len()..).unwrap_or_default();
    let few = digits.len() == 1 && bare.len() == text.len();
    let grouped = rest.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let alone = rest.is_empty() || rest.starts_with(|c: char| c.is_whitespace()) && !grouped;
    let format = rest
        .strip_prefix(['k', 'K'])
        .is_some_and(|behind| !behind.starts_with(['+', '-']));
    few && digits != "0" && (alone || format)
        || digits == "100" && rest.trim_start().starts_with('%')
        || promises_all(text)
}

/// Fewest digits of a number to call with the code of its country.
const LEAST_TO_CALL: usize = 8;

/// Whether a text is nothing but a number to call with the code of its country: `(+225) 01 50 12 30 50`. Amounts have
/// groups of three digits.
fn is_to_call(text: &str) -> bool {
    let groups = || {
        let parts = text.split(|c: char| !c.is_ascii_digit());
        parts.filter(|group| !group.is_empty())
    };
    text.trim_start_matches('(').starts_with('+')
        && !text.contains(char::is_alphabetic)
        && !text.contains('%')
        && groups().map(str::len).sum::<usize>() >= LEAST_TO_CALL
        && groups().skip(1).any(|group| group.len() != 3)
}

/// Whether the numbers of a text are small measures of goods, each with its unit: `boards of 90mm`.
pub fn tells_measures(text: &str) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let number = |word: &&&str| word.starts_with(|c: char| c.is_ascii_digit());
    let measure = |word: &str| {
        let unit = word.trim_start_matches(|c: char| c.is_ascii_digit());
        // `$12m` is a sum.
        unit.len() >= 2 && word.len() - unit.len() < LEAST_DIGITS && MEASURES.contains(unit)
    };
    let mut numbers = words.iter().filter(number).peekable();
    numbers.peek().is_some() && numbers.all(|word| measure(word))
}

/// Whether the only number of a text is a round `100 %`, as in promises: `our 100% satisfaction guarantee`.
pub fn promises_all(text: &str) -> bool {
    let numbers = facts::numbers(text);
    !numbers.is_empty()
        && numbers
            .iter()
            .all(|number| number.trim_end_matches('%') == "100")
        && text.match_indices("100").all(|(at, found)| {
            text.get(at + found.len()..)
                .is_some_and(|rest| rest.trim_start().starts_with('%'))
        })
}

/// Whether a share is one of all companies or people, as statistics of a market tell: `70 % of companies`, not `70 % of
/// our customers`.
pub fn is_of_market(text: &str) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let own = |at: usize| {
        let near = words.get(at..).unwrap_or_default();
        WE_AND_YOU.any_in(near.get(..OWNER).unwrap_or(near))
    };
    // A share has its sign, or a ratio: `3 in 4 companies`.
    text.contains(|c: char| c.is_numeric()) && OF_MARKETS.places(&words).any(|(at, _)| !own(at))
}

/// How many words behind a group of people a word such as `our` may stand.
const OWNER: usize = 3;

/// Whether a figure is nothing but a length of time, as events and courses have one: `2 days`, `1h30`.
pub fn is_duration(text: &str) -> bool {
    let text: &str = &plain(text);
    let folded = words::fold(text);
    let words = words::split(&folded);
    let is_hours = |word: &str| {
        let parts = word.split_once('h');
        parts.is_some_and(|(hours, minutes)| {
            is_digits(hours) && hours.len() <= 2 && minutes.len() == 2 && is_digits(minutes)
        })
    };
    match words.as_slice() {
        [word] => is_hours(word),
        [number, unit] if is_digits(number) => {
            let units = TIMES.at_start(&[unit], None);
            let count: f64 = number.parse().unwrap_or_default();
            let is_short = |hours: f64| hours < YEAR || count * hours < FEW_YEARS * YEAR;
            units.iter().any(|(_, _, hours)| is_short(*hours))
        }
        // `2,5 Jahre` are parted at the comma.
        [number, part, unit] if is_digits(number) && is_digits(part) && number.len() == 1 => {
            part.len() == 1 && !TIMES.at_start(&[unit], None).is_empty()
        }
        _ => false,
    }
}

/// Whether a figure's number is zero, as in counters that a script counts up: `0+ customers` says nothing of what the
/// script makes of it.
pub fn counts_from_zero(text: &str) -> bool {
    let text: &str = &plain(text);
    let number = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let of_number = |c: &char| c.is_ascii_digit() || matches!(c, '.' | ',');
    let digits: Vec<char> = number
        .chars()
        .take_while(of_number)
        .filter(char::is_ascii_digit)
        .collect();
    !digits.is_empty() && digits.iter().all(|digit| *digit == '0')
}

/// So few years are how long something took, not how long a company has been at work.
const FEW_YEARS: f64 = 3.0;

/// The hours of a year in the lexicon.
pub const YEAR: f64 = 8760.0;

/// Whether a number belongs to a name that stands before it: `Fortune 500`. In German every noun is capitalized.
pub fn is_in_a_name(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.windows(2).skip(1).any(|pair| {
        pair.first().is_some_and(|name| {
            name.starts_with(char::is_uppercase) && name.ends_with(char::is_lowercase)
        }) && pair
            .last()
            .is_some_and(|number| number.len() <= 4 && is_digits(number) && !is_year(number))
    })
}

/// Whether a text has a number of three digits or more that is not a year.
pub fn has_hundreds(text: &str) -> bool {
    facts::numbers(text).iter().any(|number| {
        let whole = number.split('.').next().unwrap_or_default();
        whole.len() >= 3 && has_number(whole)
    })
}

/// Whether a number is introduced as reached or exceeded: `more than 1,200 roofs`.
pub fn at_least(words: &[&str]) -> bool {
    AT_LEAST.places(words).any(|(at, phrase)| {
        let next = words.get(at + phrase.len());
        next.is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()))
    })
}

/// Whether a text gives a price, and not an amount achieved.
pub fn is_price(words: &[&str], text: &str) -> bool {
    text.contains(['€', '$', '£', '¥']) && PRICES.any_in(words) && !MAGNITUDES.any_in(words)
}

/// Whether a text gives the price of something that is sold: a sum that is no size of a business and no result.
pub fn is_price_of_goods(words: &[&str], text: &str) -> bool {
    let sign = ['€', '$', '£', '¥', '￥', '₩', '₺', '元', '円', '원'];
    // `$12M`, `3億円`
    let digit = |c: char| c.is_ascii_digit();
    let multiplied = |word: &&str| {
        let letters = word.trim_start_matches(digit);
        word.starts_with(digit) && (1..=2).contains(&letters.len()) && letters.is_ascii()
    };
    let many = text.contains(['万', '萬', '億', '亿', '兆', '만', '억', '+'])
        || words.iter().any(multiplied)
        || MAGNITUDES.any_in(words);
    text.contains(sign) && text.contains(digit) && !many && !RESULTS.any_in(words)
}

/// Most digits of a text that begins with a plus sign and tells a change.
const MOST_DIGITS_OF_A_CHANGE: usize = 5;

/// A short block such as `18,000 flats billed monthly`: a quantity, not an address or a date.
pub fn is_figure(words: &[&str], text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    // `150+` is a quantity and `+40 %` a change, but `+44 1524 000000` and `(+44) 1524 000000` are telephone numbers.
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let more = first
        .trim_start_matches('(')
        .find('+')
        .is_some_and(|at| at > 0 || digits <= MOST_DIGITS_OF_A_CHANGE);
    let quantity = more
        || first.contains(['%', '>'])
        || words.iter().take(4).any(|word| MAGNITUDES.has_word(word))
        || (first.contains([',', '.', '\''])
            && facts::numbers(first)
                .iter()
                .any(|number| number.len() >= 4 && !number.contains('.')));
    // `96,000pallets` is two texts that only a stylesheet separates.
    let glued = first
        .trim_start_matches(|c: char| !c.is_alphabetic())
        .chars()
        .count()
        > 3;
    first.contains(|c: char| c.is_ascii_digit())
        && !glued
        && has_number(text)
        && (2..=14).contains(&words.len())
        && (quantity || RESULTS.any_in(words))
        && !text.ends_with('?')
}

/// Whether a number is written in groups of three digits: `1.352.428`.
pub fn is_grouped(text: &str) -> bool {
    let groups: Vec<&str> = text
        .trim_end_matches(|c: char| !c.is_ascii_digit())
        .split(['.', ',', '\'', '’'])
        .collect();
    groups.len() >= 2
        && groups
            .first()
            .is_some_and(|first| (1..=3).contains(&first.len()))
        && groups.iter().skip(1).all(|group| group.len() == 3)
        && groups
            .iter()
            .all(|group| group.chars().all(|c| c.is_ascii_digit()))
}

/// Whether a number goes on with a unit of what a business has or moves, and with nothing else: `640社`, `3.400 m²`.
fn has_unit(number: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit() || matches!(c, ',' | '.' | '\'' | '’');
    let behind = number.trim_start_matches(is_digit);
    let digits = number.chars().filter(char::is_ascii_digit).count();
    let unit = words::fold(behind.trim_matches(['+', ' ', '\u{a0}', '\u{202f}']));
    let counted = counted_by(&unit) == Some(&unit) || !unit.is_ascii() && RESULTS.has_word(&unit);
    !MEASURES.contains(&unit) && counted || digits >= LEAST_DIGITS && CAPACITIES.contains(&unit)
}

/// Fewest digits of a measure that is of a business rather than of goods.
const LEAST_DIGITS: usize = 3;

/// Whether a short block is only a number, as pages show it above its label: `4,200+`.
pub fn is_bare(text: &str) -> bool {
    let text: &str = &plain(text);
    let first = text.trim_start_matches(['$', '€', '£', '<', '>', '~', '+']);
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let folded = words::fold(text);
    let words = words::split(&folded);
    let multiplied = words.iter().any(|word| MAGNITUDES.has_word(word));
    // Groups of digits without a sign of quantity are a telephone number or a date.
    let one = text.split_whitespace().count() == 1 && (words.len() <= 2 || is_grouped(first));
    first.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().count() <= 16
        && (letters <= 1 || multiplied || has_unit(first))
        && (one
            || multiplied
            || has_unit(first)
            || first.contains(['%', '+']) && !text.starts_with('+'))
        && !text.contains(['/', ':', '@', '(', ')'])
        && has_number(text)
        && !is_duration(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_told_from_prices() {
        let figure = |text: &str| {
            let folded = words::fold(text);
            let words = words::split(&folded);
            is_figure(&words, text) && !is_price(&words, text)
        };
        assert!(figure("$4.1 billion paid to builders in 2025") && figure("98% on time"));
        assert!(figure("150+ machines in the field") && figure("+40 % output"));
        assert!(!figure("+44 1524 000 000 call us") && !figure("+39 0142 000000 Negozio"));
        assert!(!figure("(+225) 01 50 12 30 50") && !figure("(+44) 1524 000 000 call us"));
        assert!(!figure("$1,150 per classroom") && !figure("1,290 € pro Monat"));
        let of_goods = |text: &str| is_price_of_goods(&words::split(&words::fold(text)), text);
        assert!(of_goods("1.290,00 € Gartenbank") && of_goods("ベンチ 12,000円"));
        assert!(!of_goods("$12M raised") && !of_goods("3億円の売上"));
        assert!(!of_goods("$4.1 billion paid to builders") && !of_goods("€ 2,400 saved a year"));
        let at_least = |text: &str| super::at_least(&words::split(&words::fold(text)));
        assert!(at_least("Mehr als 1.200 Anlagen haben wir gebaut."));
        assert!(at_least("We have fitted over 300 roofs."));
        assert!(!at_least("It is over in 3 days.") && !at_least("We have 12 vans."));
    }

    #[test]
    fn figures_that_prove_nothing_are_known() {
        for text in [
            "6",
            "3 sedes",
            "100%",
            "100 % natural",
            "Every roof is backed by our 100% satisfaction guarantee.",
            "4K",
            "8K video",
            "Cergy (95)",
            "Cassola (95), Marano (30)",
            "4,9/5 avis clients",
            "4.8 / 5 on reviews",
            "9/10",
            "10-12 Bridge Street",
            "(+225) 01 50 12 30 50",
            "+44 1524 000 000",
        ] {
            assert!(proves_nothing(text), "{text}");
        }
        for text in [
            "0 faults",
            "1 250 clients",
            "4h",
            "9%",
            "+3",
            "4K+ users",
            "12 sites",
            "1,000",
            "5× faster",
            "1000 %",
            "We saved 100 tons and 100 % of the waste",
            "Customers (95) and sites (30) in 2 countries",
            "1,200 shops (95 abroad)",
            "24/7 on call in 40 towns",
            "9/10 customers recommend us",
            "+12 500 000",
            "+90.000",
            "4.8 / 5 on 320 reviews",
        ] {
            assert!(!proves_nothing(text), "{text}");
        }
        for text in ["0 customers", "0+ projects", "+0 %", "00 clients", "0"] {
            assert!(counts_from_zero(text), "{text}");
        }
        for text in ["0.5 % scrap", "1,000 pumps", "50 sites", "no faults"] {
            assert!(!counts_from_zero(text), "{text}");
        }
        for text in [
            "2017.02 Second shop",
            "2019 年 4 月",
            "30 years 1996 - 2026",
        ] {
            assert!(tells_when(text), "{text}");
        }
        assert!(!tells_when("200 shops since 2017") && !tells_when("2,017 shops"));
        assert!(
            is_in_a_name("We serve Fortune 500 companies.") && !is_in_a_name("About 500 firms.")
        );
    }

    #[test]
    fn small_measures_are_told_from_results() {
        for text in [
            "Our most common board is 90mm EPS, which reduces loss of heat.",
            "We saw boards of 12cm and 18mm.",
        ] {
            assert!(tells_measures(text), "{text}");
        }
        for text in [
            "We saved 30 homes with boards of 90mm.",
            "We laid 120km of pipes.",
            "We paid out $12m.",
            "We reduce loss of heat.",
        ] {
            assert!(!tells_measures(text), "{text}");
        }
    }

    #[test]
    fn statistics_of_markets_are_told_from_the_company_s_figures() {
        for text in [
            "70 % of companies lose data",
            "7 out of 10 of all companies wait",
            "62 % der Unternehmen haben keinen Plan",
            "45 % des entreprises",
            "8 % delle imprese italiane",
            "企業の70%",
        ] {
            assert!(is_of_market(text), "{text}");
        }
        for text in [
            "90 % of our customers come back",
            "98 % of orders on time",
            "85 % der Kunden empfehlen uns",
            "1,200 companies",
        ] {
            assert!(!is_of_market(text), "{text}");
        }
    }

    #[test]
    fn lengths_of_time_are_told_from_other_figures() {
        for text in [
            "1h30",
            "2 jours",
            "45 minutes",
            "3 Tage",
            "6 weeks",
            "2,5 Jahre",
            "2 years",
        ] {
            assert!(is_duration(text), "{text}");
        }
        for text in [
            "20 years",
            "24 h support",
            "4h",
            "2 jours gagnés",
            "300 roofs",
        ] {
            assert!(!is_duration(text), "{text}");
        }
        assert!(!is_bare("1h30") && is_bare("4h"));
    }

    #[test]
    fn bare_figures_are_numbers_alone() {
        assert!(is_bare("+90.000") && is_bare("+45") && !is_bare("+49 731 12"));
        assert!(is_bare("98％") && is_bare("640社") && is_bare("120名") && is_bare("3.400 m²"));
        assert!(is_bare("５００社以上") && is_bare("8,500 MW"));
        assert!(!is_bare("2019年") && !is_bare("40 m²") && !is_bare("180 cm"));
        assert!(is_bare("1.352.428") && is_bare("1,352,428+") && !is_bare("12.03.2026"));
        assert!(!has_number("0+ years") && !has_number("We bottle 7UP") && has_number("7 sites"));
        assert!(is_bare("4,200+") && is_bare("98%") && is_bare("$4.1 billion") && is_bare("12k"));
        assert!(
            !is_bare("0731 12345")
                && !is_bare("12.03.2026")
                && !is_bare("2014")
                && !is_bare("12 Mill Lane")
                && !is_bare("01/02")
                && !is_bare("+49 731 12")
        );
    }
}
