//! Numbers in the Italian register of businesses, at the chamber of a province. Rolls of trades that need a licence
//! number licences, not companies.

use gtm_lexicon::registers::NUMBER_WORDS;
use gtm_site_research::words;

/// How the register of businesses is printed.
const BUSINESSES: [&str; 2] = ["R.E.A.", "REA"];
/// Most characters between the register's name and the number.
const NEAR: usize = 16;

/// The text behind the first of the labels that is a word of its own.
fn behind<'t>(text: &'t str, labels: &[&str]) -> Option<&'t str> {
    labels.iter().find_map(|label| {
        let at = text.find(label)?;
        let (before, rest) = text.split_at_checked(at)?;
        let rest = rest.strip_prefix(label)?;
        let whole =
            !before.ends_with(char::is_alphanumeric) && !rest.starts_with(char::is_alphanumeric);
        whole.then_some(rest)
    })
}

/// The number of a business, with its province: `VI-123456` of `REA: VI-123456`, `VI 123456`.
pub fn business(text: &str) -> Option<&str> {
    let rest = behind(text, &BUSINESSES)?;
    let first = rest.find(|c: char| c.is_ascii_digit())?;
    let before = rest.get(..first)?;
    if before.chars().count() > NEAR {
        return None;
    }
    let number = rest.get(first..)?;
    let end = number
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(number.len());
    let number = number.get(..end)?.trim_end_matches('.');
    let digits = number.chars().filter(char::is_ascii_digit).count();
    if !leads_to_number(before, rest.get(first + number.len()..).unwrap_or_default()) {
        return None;
    }
    // The province stands right before the number.
    let parted = before.trim_end_matches([' ', '-', '–', '/', '.', ':', '\u{a0}']);
    let province = parted.len().checked_sub(2).filter(|at| {
        let code = parted.get(*at..).unwrap_or_default();
        let alone = parted
            .get(..*at)
            .is_some_and(|before| !before.ends_with(char::is_alphanumeric));
        code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_uppercase()) && alone
    });
    let begin = province.unwrap_or(first);
    (5..=7)
        .contains(&digits)
        .then(|| rest.get(begin..first + number.len()))?
}

/// Whether nothing stands between the register's name and the number but a word for `number`, the code of a province, or
/// where the register is kept: `n.`, `di Vicenza VI -`. A company may be called like the register: `REA Group: 12.500
/// agents`.
fn leads_to_number(before: &str, behind: &str) -> bool {
    let mark = |c: char| c.is_whitespace() || "-–/.:°º,".contains(c);
    let words: Vec<&str> = before.split(mark).filter(|word| !word.is_empty()).collect();
    let tells = |word: &&str| {
        let code = word.len() == 2 && word.bytes().all(|byte| byte.is_ascii_uppercase());
        code || NUMBER_WORDS.contains(&words::fold(word))
    };
    let told = words.iter().rev().take_while(|word| tells(word)).count();
    let kept = words.get(..words.len() - told).unwrap_or_default();
    let is_name = |word: &str| word.starts_with(char::is_uppercase);
    let at_place = match kept {
        [] => true,
        [name] => is_name(name),
        [of, name] => of.chars().all(char::is_lowercase) && is_name(name),
        _ => false,
    };
    // What a number counts stands behind it.
    let counts = behind
        .trim_start_matches([' ', '+', '\u{a0}'])
        .starts_with(char::is_lowercase);
    let parted = kept.is_empty() || !before.contains(':');
    at_place && (told > 0 || parted && !counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_businesses_have_their_province() {
        for (text, number) in [
            ("R.E.A. VI - 123456", Some("VI - 123456")),
            (
                "N. REA: VI-123456, cap. soc. 10.000 euro",
                Some("VI-123456"),
            ),
            ("REA n. 345678", Some("345678")),
            ("Iscritta al REA di Vicenza VI 123456", Some("VI 123456")),
            ("REA Vicenza 123456", Some("123456")),
            ("REA: MI 1234567", Some("MI 1234567")),
            ("REA Group: 12.500 agents", None),
            ("REA Group 125000 agents", None),
            ("REA 125000 homes sold", None),
            ("REA counts 125000", None),
            ("AREA 51 123456", None),
            ("REA 2026", None),
        ] {
            assert_eq!(business(text), number, "{text}");
        }
    }

    #[test]
    fn rolls_of_trades_register_no_companies() {
        for text in [
            "Albo Autotrasportatori n. VI/1234567/A",
            "Iscrizione all'Albo Nazionale Gestori Ambientali: VE/001234",
        ] {
            assert_eq!(business(text), None, "{text}");
            assert!(super::super::register_numbers(text).is_empty(), "{text}");
        }
    }
}
