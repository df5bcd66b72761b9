//! How texts are compared: folded, and split into words.

use unicode_normalization::char::decompose_canonical;

/// Folds a text: lower case; no diacritics on Latin letters, so that `Über` and `uber` are one word; no vowel
/// marks of Arabic and Hebrew, which most texts omit; one form of digits.
#[must_use]
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase) {
        match c {
            ascii if ascii.is_ascii() => folded.push(ascii),
            // Letters of their own, which are not another letter plus a mark.
            'ø' => folded.push('o'),
            'ł' => folded.push('l'),
            'ß' => folded.push_str("ss"),
            'œ' => folded.push_str("oe"),
            'æ' => folded.push_str("ae"),
            '\u{2019}' => folded.push('\''),
            '\u{0591}'..='\u{05bd}' | '\u{05bf}' | '\u{05c1}' | '\u{05c2}' => {}
            '\u{0640}' | '\u{064b}'..='\u{0652}' | '\u{0670}' => {}
            // A combining mark after its letter.
            '\u{0300}'..='\u{036f}' if folded.ends_with(|c: char| c.is_ascii_alphabetic()) => {}
            other => folded.push(digit(other).or_else(|| latin(other)).unwrap_or(other)),
        }
    }
    folded
}

/// The plain Latin letter without its diacritics.
fn latin(c: char) -> Option<char> {
    let mut base = None;
    decompose_canonical(c, |part| base = base.or(Some(part)));
    base.filter(char::is_ascii_alphabetic)
}

/// The ASCII digit that an Arabic-Indic, Persian or full-width digit stands for.
fn digit(c: char) -> Option<char> {
    let value = match c {
        '\u{0660}'..='\u{0669}' => u32::from(c) - 0x0660,
        '\u{06f0}'..='\u{06f9}' => u32::from(c) - 0x06f0,
        '\u{ff10}'..='\u{ff19}' => u32::from(c) - 0xff10,
        _ => return None,
    };
    char::from_digit(value, 10)
}

/// The text with Arabic-Indic, Persian and full-width digits replaced by ASCII digits; everything else stays.
#[must_use]
pub fn with_ascii_digits(text: &str) -> String {
    text.chars().map(|c| digit(c).unwrap_or(c)).collect()
}

/// Splits an already folded text into its alphanumeric runs, also where letters of China, Japan or Korea meet
/// others: these scripts put no blank between a number and its unit, so that `1977年` is a year and its word.
#[must_use]
pub fn split(folded: &str) -> Vec<&str> {
    folded
        .split(|c: char| !c.is_alphanumeric())
        .flat_map(by_script)
        .collect()
}

fn by_script(run: &str) -> impl Iterator<Item = &str> {
    let mut rest = run;
    std::iter::from_fn(move || {
        let first = is_east_asian(rest.chars().next()?);
        let end = rest.find(|c| is_east_asian(c) != first);
        let (word, behind) = rest.split_at(end.unwrap_or(rest.len()));
        rest = behind;
        Some(word)
    })
}

/// Whether a letter is a Chinese character, Kana or Hangul.
fn is_east_asian(c: char) -> bool {
    matches!(c,
        '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}'
        | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_lose_case_and_marks() {
        assert_eq!(
            split(&fold("Über uns – Größe zählt")),
            ["uber", "uns", "grosse", "zahlt"]
        );
        assert_eq!(
            fold("ÀÁÂÃÄÅĄĂ Çčć éèêëęě ìíîï ñńň òóôõöø ùúûüů ýÿ šś žźż ł ß œ æ ’"),
            "aaaaaaaa ccc eeeeee iiii nnn oooooo uuuuu yy ss zzz l ss oe ae '"
        );
        // The same letters, each as two characters.
        assert_eq!(fold("U\u{308}ber Ju\u{308}rgen"), "uber jurgen");
        // Letters of other scripts keep the marks that make them different letters.
        assert_eq!(fold("Й й Ё أحمد"), "й й ё أحمد");
    }

    #[test]
    fn scripts_without_blanks_are_split_from_others() {
        assert_eq!(
            split(&fold("設立：1977年（昭和52年）ISO9001認証・サーバー")),
            [
                "設立",
                "1977",
                "年",
                "昭和",
                "52",
                "年",
                "iso9001",
                "認証",
                "サーバー"
            ]
        );
        assert_eq!(split("삼성 2009년 5g"), ["삼성", "2009", "년", "5g"]);
        assert_eq!(split(" "), Vec::<&str>::new());
    }

    #[test]
    fn vowel_marks_and_digits_of_other_scripts_fold() {
        assert_eq!(fold("٨٥ موظفاً"), "85 موظفا");
        assert_eq!(fold("شَرِكَة"), "شركة");
        assert_eq!(fold("حـــلال"), "حلال");
        assert_eq!(fold("שָׁלוֹם"), "שלום");
        assert_eq!(with_ascii_digits("عام ٢٠٠٩"), "عام 2009");
        assert_eq!(with_ascii_digits("２０２６年 ۱۴"), "2026年 14");
    }
}
