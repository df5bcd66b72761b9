//! How texts are compared: folded, and split into words.

use unicode_general_category::{GeneralCategory, get_general_category};
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

/// The ASCII digit that a decimal digit of another script or style stands for.
fn digit(c: char) -> Option<char> {
    if c.is_ascii() || !is_decimal(c) {
        return None;
    }
    // Unicode keeps the ten digits of a script together, zero first, and five styles of them in a row.
    let before = (1..50)
        .map_while(|back| char::from_u32(u32::from(c).checked_sub(back)?))
        .take_while(|before| is_decimal(*before));
    char::from_digit(u32::try_from(before.count() % 10).ok()?, 10)
}

fn is_decimal(c: char) -> bool {
    c.is_numeric() && get_general_category(c) == GeneralCategory::DecimalNumber
}

/// The text with the decimal digits of all scripts replaced by ASCII digits, and without the signs that show nothing, or only
/// decorate, inside of a number: a joiner between two digits would make two numbers of one. Everything else stays.
#[must_use]
pub fn with_ascii_digits(text: &str) -> String {
    let mut read = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii() || !(ends_in_number(&read) && decorates(c)) {
            read.push(digit(c).unwrap_or(c));
        }
    }
    read
}

/// Joiners, marks of direction, variation selectors, strokes through a digit and frames around it.
fn decorates(c: char) -> bool {
    matches!(
        get_general_category(c),
        GeneralCategory::Format | GeneralCategory::NonspacingMark | GeneralCategory::EnclosingMark
    )
}

fn ends_in_number(text: &str) -> bool {
    let mut last = text.chars().rev();
    match last.next() {
        Some(c) if c.is_ascii_digit() => true,
        Some('.' | ',' | '\'' | '’' | ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}') => {
            last.next().is_some_and(|c| c.is_ascii_digit())
        }
        _ => false,
    }
}

/// Splits an already folded text into its alphanumeric runs, also where letters of China, Japan or Korea meet
/// others: these scripts put no blank between a number and its unit, so that `1977年` is a year and its word. No word is empty.
#[must_use]
pub fn split(folded: &str) -> Vec<&str> {
    folded
        .split(|c: char| !c.is_alphanumeric())
        .flat_map(by_script)
        .collect()
}

/// Where a negation is contracted to the verb before it, as in `didn't`, which [`split`] takes for two words.
#[must_use]
pub fn contracted_negation(words: &[&str]) -> Option<usize> {
    words
        .windows(2)
        .position(|pair| matches!(pair, [verb, "t"] if verb.ends_with('n')))
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

    #[test]
    fn digits_of_every_script_are_read() {
        for digits in [
            "०१२३४५६७८९",
            "๐๑๒๓๔๕๖๗๘๙",
            "০১২৩৪৫৬৭৮৯",
            "၀၁၂၃၄၅၆၇၈၉",
            "០១២៣៤៥៦៧៨៩",
            "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗",
            "𝟘𝟙𝟚𝟛𝟜𝟝𝟞𝟟𝟠𝟡",
            "𝟬𝟭𝟮𝟯𝟰𝟱𝟲𝟳𝟴𝟵",
            "𝟶𝟷𝟸𝟹𝟺𝟻𝟼𝟽𝟾𝟿",
            "🯰🯱🯲🯳🯴🯵🯶🯷🯸🯹",
        ] {
            assert_eq!(with_ascii_digits(digits), "0123456789");
            assert_eq!(fold(digits), "0123456789");
        }
        // Those that do not count in tens stay.
        assert_eq!(with_ascii_digits("⑫ ² Ⅻ ½"), "⑫ ² Ⅻ ½");
    }

    #[test]
    fn what_shows_nothing_parts_no_number() {
        for number in [
            "9\u{200d}4\u{200b}1",
            "9\u{fe0f}4\u{20e3}1",
            "9\u{336}4\u{336}1\u{336}",
            "9\u{2060}\u{feff}4\u{ad}1",
        ] {
            assert_eq!(with_ascii_digits(number), "941");
        }
        assert_eq!(with_ascii_digits("1,\u{200d}200 \u{200e}000"), "1,200 000");
        assert_eq!(with_ascii_digits("Zone\u{200b}3 กี่"), "Zone\u{200b}3 กี่");
    }
}
