//! Signs and numbers by which lists begin their lines.

use gtm_site_research::words;

/// A line without the sign or number by which a list begins it: `- `, `・`, `1. `, `(2) `, `3）`.
pub(super) fn without_list_sign(line: &str) -> &str {
    let line = line.trim();
    let bare = line.trim_start_matches(['-', '–', '—', '*', '•', '‣', '·', '・', '●', '○', '■']);
    // `-18 °C` has a sign of its own.
    let is_minus = line.starts_with(['-', '–', '—']) && bare.starts_with(char::is_numeric);
    if bare != line && !is_minus {
        return bare.trim_start();
    }
    let inside = line.trim_start_matches(['(', '（']);
    let behind = inside.trim_start_matches(|c: char| c.is_numeric());
    let digits = inside.chars().count() - behind.chars().count();
    let rest = behind.trim_start_matches(['.', ')', '）', '．', ':']);
    // `1.5 metres` is no line of a list, nor is `2026: a year`.
    let ends = rest.len() < behind.len() && !rest.starts_with(char::is_numeric);
    let ends = ends && !begins_with_month(rest);
    match ends && (1..=2).contains(&digits) {
        true => rest.trim_start(),
        false => line,
    }
}

/// Whether a text begins with a month, whose day the number before it is: `März 2024`. Short names are words, too:
/// `May be used`.
fn begins_with_month(text: &str) -> bool {
    let folded = words::fold(text);
    let said = words::split(&folded);
    let is_month = |word: &&str| gtm_lexicon::months().any(|(name, _)| words::fold(name) == *word);
    let dated = |next: &&str| next.starts_with(char::is_numeric);
    said.first().is_some_and(|first| {
        is_month(first) && (first.chars().count() > 3 || said.get(1).is_some_and(dated))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_figures_and_days_of_months_are_none_of_lists() {
        for whole in [
            "-18 °C storage",
            "12. März 2024 war der Start",
            "1. Mai 2024: Start",
        ] {
            assert_eq!(without_list_sign(whole), whole);
        }
        for (line, bare) in [
            ("- 40 % less", "40 % less"),
            ("•40 customers", "40 customers"),
            ("• -18 °C storage", "-18 °C storage"),
            ("1. May be moved", "May be moved"),
        ] {
            assert_eq!(without_list_sign(line), bare);
        }
    }
}
