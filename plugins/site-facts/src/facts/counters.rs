//! Rows of figures, each in one block with its label (`1 250 clients`), and quantities written as words.

use std::collections::BTreeSet;

use gtm_lexicon::figures::{
    AT_LEAST, DISCOUNTS, MEASURES, NUMBERS, PERCENT, RESULTS, SOURCES, UNITS,
};
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

use super::figures::{has_number, is_duration};
use super::scripts::{counted_by, plain};

/// Without a heading for figures, this many adjacent blocks of a number and a label count as figures; two, if one has
/// a sign of quantity.
const A_ROW: usize = 3;

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}')
}

/// The number at the start of a text with its sign, and the words after it: `1 250` of `1 250 clients`.
pub fn leading(text: &str) -> Option<(&str, &str)> {
    let is_sign = |c: char| {
        matches!(
            c,
            '+' | '>' | '<' | '~' | '$' | '€' | '£' | '✓' | '✔' | '☑' | '✅'
        )
    };
    let begin = text.find(|c: char| !is_sign(c) && !is_blank(c))?;
    let mut end = 0;
    for (at, c) in text.get(begin..)?.char_indices() {
        let behind = text.get(begin + at + c.len_utf8()..)?;
        let digits = behind.chars().take_while(char::is_ascii_digit).count();
        let number = text.get(begin..end).unwrap_or_default();
        if c.is_ascii_digit()
            || (end > 0 && is_blank(c) && digits == 3)
            || (end > 0 && matches!(c, ',' | '.' | '\'' | '’') && digits > 0)
            || matches!(c, '–' | '-') && is_range(number, behind)
        {
            end = begin + at + c.len_utf8();
        } else {
            break;
        }
    }
    if end == 0 {
        return None;
    }
    let behind = text.get(end..)?;
    let sign = behind.trim_start_matches(is_blank);
    let signed = sign.strip_prefix(['%', '+', '×']).or_else(|| {
        let multiplied = behind.strip_prefix(['k', 'K', 'M', 'x'])?;
        multiplied
            .starts_with(|c: char| is_blank(c) || c == '+')
            .then(|| multiplied.strip_prefix('+').unwrap_or(multiplied))
    });
    // A unit of a script without blanks ends the number, too.
    let unit = counted_by(sign).and_then(|unit| sign.strip_prefix(unit));
    let glued = unit.is_some();
    let label = signed.or(unit).unwrap_or(behind);
    // A sign of quantity ends the number, even where only a stylesheet sets the label apart: `150+Projects`.
    let apart = glued || label.starts_with(is_blank) || behind.starts_with(['+', '%']);
    let number = text.get(..text.len() - label.len())?;
    let label = label.trim_matches(is_blank);
    (apart && !label.is_empty()).then_some((number, label))
}

/// Most digits of the ends of a range: longer ones are numbers to call.
const LONGEST_END: usize = 3;

/// Whether a range goes on behind the stroke after its first number: `3–4 weeks`, not `555-0100`.
fn is_range(number: &str, behind: &str) -> bool {
    let end: String = behind.chars().take_while(char::is_ascii_digit).collect();
    let rest = behind.get(end.len()..).unwrap_or_default();
    let short =
        |digits: &str| (1..=LONGEST_END).contains(&digits.len()) && !digits.starts_with('0');
    let (Ok(low), Ok(high)) = (number.parse::<u32>(), end.parse::<u32>()) else {
        return false;
    };
    low < high && short(number) && short(&end) && !rest.starts_with(['-', '–', '.', '/'])
}

/// The number of a step or a card: `1`, `2.`, `03`.
fn ordinal(text: &str) -> Option<u32> {
    let digits = text.trim().trim_end_matches(['.', ')']);
    let fits = (1..=2).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    fits.then(|| digits.parse().ok()).flatten()
}

/// Whether a text begins with a number that counts nothing, because a zero leads it: `02 Fixed prices`.
pub fn is_numbered(text: &str) -> bool {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    digits.len() >= 2 && digits.starts_with('0') && !text.starts_with("00")
}

/// The page and block of numbers that stand alone and only put steps or cards in order: those of a run that begins
/// with one.
pub fn ordinals(evidence: &Evidence) -> BTreeSet<(usize, usize)> {
    let alone: Vec<(&Passage, u32)> = evidence
        .passages
        .iter()
        .filter_map(|passage| Some((passage, ordinal(&passage.text)?)))
        .collect();
    let next = |(one, number): &(&Passage, u32), (other, following): &(&Passage, u32)| {
        one.page == other.page && number + 1 == *following
    };
    alone
        .chunk_by(next)
        .filter(|run| run.len() > 1 && run.first().is_some_and(|(_, number)| *number == 1))
        .flatten()
        .map(|(passage, _)| (passage.page, passage.block))
        .collect()
}

/// What a block that begins with a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counter {
    /// Things: `64 systems`.
    Things,
    /// A unit of measure before the things: `250 km of pipes`. Of goods alone, it is a property: `30 cm wide`.
    Measured,
}

/// Whether a block is a number and a few words that say what it counts.
fn counter(text: &str) -> Option<Counter> {
    let text = plain(text);
    let text = without_at_least(&text);
    let (number, label) = leading(text)
        .or_else(|| trailing(text))
        .filter(|_| !is_numbered(text))?;
    let folded = words::fold(label);
    let words = words::split(&folded);
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    let unit = number.trim_start_matches(|c: char| !c.is_alphabetic());
    let is_year = digits.len() == 4 && number.starts_with(['1', '2']) && unit == YEAR;
    let fits = (1..=10).contains(&words.len())
        && label.starts_with(char::is_alphabetic)
        && !label.ends_with(['.', '?', '!', ':', ';'])
        && !label.contains(['@', '/', '€', '$', '£'])
        && !has_number(label)
        && !is_year
        && !MEASURES.contains(unit);
    let measured = words.first().is_some_and(|first| MEASURES.contains(first));
    // A unit alone says nothing of what is measured, and a small number is of one thing.
    let told = words.len() >= 2 && digits.len() >= 2;
    match measured {
        false => fits.then_some(Counter::Things),
        true => (fits && told).then_some(Counter::Measured),
    }
}

/// The unit behind the number of a year in China and Japan.
const YEAR: &str = "年";
/// Most letters of a label before its number in a script without blanks.
const LONGEST_BEFORE: usize = 12;

/// A text without words such as `more than` before its number.
fn without_at_least(text: &str) -> &str {
    let tokens = words::tokens(text);
    let folded = words::fold(text);
    let words = words::split(&folded);
    let longest = AT_LEAST.at_start(&words).map(<[&str]>::len).max();
    let rest = longest.and_then(|length| text.get(tokens.get(length)?.0..));
    rest.filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        .unwrap_or(text)
}

/// In a script without blanks, the number with its unit at the end of a text, and the label before it: `導入実績 640社`.
fn trailing(text: &str) -> Option<(&str, &str)> {
    let begin = text.find(|c: char| c.is_ascii_digit())?;
    let (label, number) = text.split_at(begin);
    let behind = number.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ',' | '.'));
    let label = label.trim_end_matches(|c: char| !c.is_alphabetic());
    let letters = label.chars().filter(|c| c.is_alphabetic()).count();
    let unspaced = label.chars().all(|c| !c.is_ascii() && !is_blank(c));
    let ends = behind.trim_end_matches(['+', '％', '%']);
    let whole = counted_by(ends) == Some(ends) || ends.is_empty() && !behind.is_empty();
    ((2..=LONGEST_BEFORE).contains(&letters) && unspaced && whole).then_some((number, label))
}

/// Whether a figure is a measure of goods, as far as its words tell: `1.200 kg payload`, `2.500 mm`. With words of a
/// result it may be the company's.
pub fn measures_goods(text: &str) -> bool {
    let text = plain(text);
    let folded = words::fold(&text);
    let words = words::split(&folded);
    let number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let unit = words
        .iter()
        .position(|word| !number(word))
        .and_then(|at| words.get(at));
    let unit = unit.map(|unit| unit.trim_start_matches(|c: char| c.is_ascii_digit()));
    words
        .first()
        .is_some_and(|first| first.starts_with(|c: char| c.is_ascii_digit()))
        && unit.is_some_and(|unit| MEASURES.contains(unit))
        && !RESULTS.any_in(&words)
}

/// Passages that count as figures because several are adjacent, or because of their heading.
pub fn rows(
    evidence: &Evidence,
    is_headed: impl Fn(&Passage) -> bool,
    may_stand_alone: impl Fn(&Passage) -> bool,
) -> Vec<&Passage> {
    let fits = |passage: &Passage| {
        // Tiles are too short to count as main text where the markup does not tell.
        (passage.main || passage.kind == BlockKind::Other)
            && matches!(
                passage.kind,
                BlockKind::ListItem | BlockKind::Paragraph | BlockKind::Other | BlockKind::Heading
            )
            && counter(&passage.text).is_some()
    };
    let mut found = Vec::new();
    let follows = |one: &Passage, next: &Passage| {
        fits(one)
            && fits(next)
            && one.page == next.page
            && one.kind == next.kind
            && one.block + 1 == next.block
    };
    for row in evidence.passages.chunk_by(follows) {
        let Some(first) = row.first().filter(|first| fits(first)) else {
            continue;
        };
        // `1 Choose`, `2 Order`, `3 Enjoy` are numbered steps, not figures.
        let number_of = |passage: &Passage| {
            let (number, _) = leading(&passage.text)?;
            number.parse::<u32>().ok()
        };
        let steps = row.len() > 1
            && row
                .iter()
                .zip(1..)
                .all(|(passage, step)| number_of(passage) == Some(step));
        let signed = |passage: &&Passage| {
            leading(&plain(&passage.text)).is_some_and(|(number, _)| number.contains(['+', '%']))
        };
        // Measures of goods stand with their like; among things counted, they are the company's.
        let measured = row
            .iter()
            .filter(|passage| counter(&passage.text) == Some(Counter::Measured))
            .count();
        // How long an event takes, and how many may come.
        let is_format = row.iter().any(|passage| is_duration(&passage.text));
        if !is_headed(first) && is_format && !row.iter().any(|one| signed(&one)) {
            continue;
        }
        if !is_headed(first) && measured * 2 > row.len().saturating_sub(1) {
            continue;
        }
        let is_row = row.len() >= A_ROW || row.len() > 1 && row.iter().any(|one| signed(&one));
        if !steps && (is_headed(first) || is_row && may_stand_alone(first)) {
            found.extend(row);
        }
    }
    found
}

/// Most blocks above the line that says where figures are from.
const ABOVE_SOURCE: usize = 12;
/// Most words of that line.
const LONGEST_SOURCE: usize = 25;

/// The page and block of what stands above a line that names the source of its figures, up to the heading: statistics
/// by others.
pub fn sourced(evidence: &Evidence) -> BTreeSet<(usize, usize)> {
    let mut found = BTreeSet::new();
    for (at, source) in evidence.passages.iter().enumerate() {
        let folded = words::fold(&source.text);
        let words = words::split(&folded);
        let marked = source.text.contains([':', '：']);
        if !marked || words.len() > LONGEST_SOURCE || !SOURCES.open(&words) {
            continue;
        }
        let above = evidence.passages.get(..at).unwrap_or_default();
        let above = above.iter().rev().take(ABOVE_SOURCE);
        let block = above.take_while(|passage| {
            passage.page == source.page
                && !(passage.kind == BlockKind::Heading && passage.level <= 2)
        });
        found.extend(block.map(|passage| (passage.page, passage.block)));
    }
    found
}

/// Whether a quantity is written as words: `elf uur`, `nueve horas`.
pub fn in_words(words: &[&str]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let behind = words.get(at + 1..).unwrap_or_default();
        NUMBERS.contains(word) && UNITS.open(behind)
    })
}

/// Whether a sentence about a customer gives a result: a percentage that is not a discount.
pub fn is_share(words: &[&str], text: &str) -> bool {
    (text.contains('%') && has_number(text) || PERCENT.any_in(words)) && !DISCOUNTS.any_in(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lead_their_labels() {
        for (text, expected) in [
            (
                "1\u{202f}250 clients suivis",
                Some(("1\u{202f}250", "clients suivis")),
            ),
            ("38 000 interventions", Some(("38 000", "interventions"))),
            ("97\u{a0}% des pannes", Some(("97\u{a0}%", "des pannes"))),
            ("1.900 usuarios", Some(("1.900", "usuarios"))),
            ("12k Nutzer", Some(("12k", "Nutzer"))),
            ("500+ clienti", Some(("500+", "clienti"))),
            ("5k+ users", Some(("5k+", "users"))),
            ("+ 500 clients", Some(("+ 500", "clients"))),
            ("120名の職人", Some(("120名", "の職人"))),
            ("96,000pallets", None),
            ("150+Projects done", Some(("150+", "Projects done"))),
            ("3–4 settimane", Some(("3–4", "settimane"))),
            ("✓ 40 years", Some(("✓ 40", "years"))),
            ("555-0100 call us", None),
            ("2019–2026 projects", None),
            ("02 41 00 07 14", Some(("02", "41 00 07 14"))),
            ("clients", None),
            ("42", None),
        ] {
            assert_eq!(leading(text), expected, "{text}");
        }
    }

    #[test]
    fn counters_are_told_from_measures_addresses_and_prices() {
        for text in [
            "1 250 clients suivis à l'année",
            "0 paradas no planificadas",
            "64 sistemas",
            "98,5 % pontualità",
            "９８％ お客様満足度",
            "More than 300 roofs",
            "3.400 m² Lagerfläche",
            "60年の歴史",
            "導入実績 640社",
        ] {
            assert_eq!(counter(text), Some(Counter::Things), "{text}");
        }
        for text in [
            "12 V Akku",
            "30 cm breit",
            "14 rue des Filatures, 49300 Cholet",
            "02 41 00 07 14",
            "79 € par mois",
            "24 Stunden haben wir geöffnet.",
            "8 Uhr",
            "2019年 本社を移転",
            "価格 1,000円",
            "5 kg leicht",
            "電話 03-5550-1234",
        ] {
            assert_ne!(counter(text), Some(Counter::Things), "{text}");
        }
    }

    #[test]
    fn measures_count_among_counters_where_they_say_of_what() {
        for text in ["250 km of cable laid", "12 V Akku", "24 h Notdienst"] {
            assert_eq!(counter(text), Some(Counter::Measured), "{text}");
        }
        assert_eq!(counter("250 km"), None);
        assert_eq!(counter("5 kg leicht"), None);
    }

    #[test]
    fn measures_of_goods_are_told_from_results() {
        for text in ["1.200 kg payload", "2.500 mm Länge", "2500mm", "1,5 l Tank"] {
            assert!(measures_goods(text), "{text}");
        }
        for text in [
            "1,200 roofs",
            "3.400 m² Lagerfläche",
            "12,000 km saved a year",
            "98 %",
        ] {
            assert!(!measures_goods(text), "{text}");
        }
    }

    #[test]
    fn quantities_stand_in_words() {
        let says = |text: &str| in_words(&words::split(&words::fold(text)));
        assert!(
            says("bespaart elf uur administratie") && says("de nueve horas a cuarenta minutos")
        );
        assert!(says("spart zwei Stunden am Tag") && says("saves three hours"));
        assert!(!says("elf Freunde") && !says("dos hermanos") && !says("hours of work"));
    }
}
