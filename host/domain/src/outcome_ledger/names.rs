//! Names of people as they are compared: lists write one name in many ways, and whoever objected under one must be found
//! under the others.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization as _;

use super::told_names;

/// The forms besides its own under which an entry of this name is kept. A name in a script that needs no blanks has none:
/// its words cannot be told.
pub(super) fn kept_forms(name: &str) -> BTreeSet<String> {
    let name: String = name.nfkc().collect();
    match name.chars().any(is_written_together) {
        true => BTreeSet::new(),
        false => told_names::kept(&name),
    }
}

/// The forms under which an entry may name the same person: as this name is written, with its accents spelled out
/// (`Mueller` for `Müller`) or left out (the other way round), with what a mark parts as one word (`ONeil`), and each of
/// them with fewer words.
pub(super) fn spellings(name: &str) -> BTreeSet<String> {
    const SPELLED: [(char, &str); 4] = [('ä', "ae"), ('ö', "oe"), ('ü', "ue"), ('ø', "oe")];
    let lower = name.nfkc().collect::<String>().to_lowercase();
    let (mut spelled, mut left_out) = (lower.clone(), lower.clone());
    for (letter, letters) in SPELLED {
        spelled = spelled.replace(letter, letters);
        let plain = any_ascii::any_ascii_char(letter);
        left_out = left_out.replace(letters, plain);
    }
    let joined = name.replace(['-', '‐', '‑', '\'', '’', '.'], "");
    let forms = [name, &spelled, &left_out, &joined].map(comparable);
    // Entries were once made with the blanks of any script.
    let mut all: BTreeSet<String> = forms.into_iter().flatten().chain(in_order(name)).collect();
    if !name.chars().any(is_written_together) {
        let written = name.nfkc().collect::<String>();
        all.extend(
            [&written, &spelled, &left_out]
                .into_iter()
                .flat_map(|it| told_names::sought(it)),
        );
    }
    all
}

/// A name in the form in which names are compared; `None` if it has no letter or digit, or is more than a name. One in a
/// script that needs no blanks is the same with one and without: 山田 太郎, 山田太郎.
pub(super) fn comparable(name: &str) -> Option<String> {
    if name.chars().any(char::is_control) {
        return None;
    }
    match name.chars().any(is_written_together) {
        true => in_order(&name.replace([' ', '\u{3000}', '・'], "")),
        false => in_order(name),
    }
}

/// Whether names with this letter have no blank that tells their parts: kana, Han, Hangul.
const fn is_written_together(c: char) -> bool {
    matches!(c, '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}')
}

/// The words of a name in ASCII, in alphabetical order.
fn in_order(name: &str) -> Option<String> {
    let ascii = any_ascii::any_ascii(&name.nfkc().collect::<String>()).to_lowercase();
    let mut words: Vec<&str> = ascii
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    words.sort_unstable();
    (!words.is_empty()).then(|| words.join(" "))
}
