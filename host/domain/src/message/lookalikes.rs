//! Words that are not what they seem: letters of another script that look like Latin ones, and letters in another
//! [dress](super::letters).
//!
//! DANGER: a reader takes such a word for one of plain Latin letters, and no list of words finds it.

use super::characters::is_default_ignorable;
use super::letters::{is_of_flag, undressed};

/// Whether a word has letters of Latin beside letters of another script that look like them, or letters in another
/// [dress](super::letters). Such a word is read like one of plain Latin letters, and found by no list.
#[must_use]
pub fn has_lookalikes(text: &str) -> bool {
    if has_dressed_words(text) {
        return true;
    }
    let shown = text.chars().filter(|c| !is_default_ignorable(*c));
    let (mut has_latin, mut has_other) = (false, false);
    // Latin capitals, and a small letter of Greek behind them: a name as in chemistry, `TNFα`.
    let (mut capitals, mut ends_in_greek) = (Some(0_usize), false);
    for c in shown.chain([' ']) {
        if c.is_alphabetic() {
            capitals = match c {
                'A'..='Z' => capitals.filter(|_| !ends_in_greek).map(|count| count + 1),
                '\u{3b1}'..='\u{3c9}' => capitals.filter(|_| !ends_in_greek),
                _ => None,
            };
            ends_in_greek = matches!(c, '\u{3b1}'..='\u{3c9}');
            has_latin |= is_latin(c);
            has_other |= looks_latin(c);
            continue;
        }
        let is_name = ends_in_greek && capitals.is_some_and(|count| count > 1);
        if has_latin && has_other && !is_name {
            return true;
        }
        (has_latin, has_other) = (false, false);
        (capitals, ends_in_greek) = (Some(0), false);
    }
    false
}

/// Whether a word has two letters in another dress, or one beside a Latin letter, or there is half of a flag. One letter
/// alone is a sign, such as that of a car park.
fn has_dressed_words(text: &str) -> bool {
    let shown = text.chars().filter(|c| !is_default_ignorable(*c));
    let (mut dressed, mut has_latin, mut is_half) = (0_usize, false, false);
    for c in shown.chain([' ']) {
        if is_of_flag(c) {
            is_half = !is_half;
        } else if is_half {
            return true;
        } else if undressed(c).is_some() {
            dressed += 1;
            continue;
        } else if c.is_alphabetic() {
            has_latin |= is_latin(c);
            continue;
        }
        if dressed > 1 || (dressed == 1 && has_latin) {
            return true;
        }
        (dressed, has_latin) = (0, false);
    }
    false
}

const fn is_latin(c: char) -> bool {
    matches!(c, 'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}')
}

/// Letters of Cyrillic and Armenian, of scripts that are written for their look, and those of Greek and of phonetics that look like
/// Latin ones.
/// The sign of an ohm does not.
const fn looks_latin(c: char) -> bool {
    is_of_mask(c)
        || matches!(
                c,
                '\u{400}'..='\u{556}'
                | '\u{561}'..='\u{587}'
                | '\u{251}'
                | '\u{261}'
                | '\u{391}'..='\u{392}'
                | '\u{395}'..='\u{397}'
                | '\u{399}'..='\u{39a}'
                | '\u{39c}'..='\u{39d}'
                | '\u{39f}'
                | '\u{3a1}'
                | '\u{3a4}'..='\u{3a5}'
                | '\u{3a7}'
                | '\u{3b1}'
                | '\u{3b9}'
                | '\u{3bd}'
                | '\u{3bf}'
                | '\u{3c1}'
                | '\u{3c5}'
        )
}

/// Fewest letters of a whole word that is read as a Latin one. Two are an abbreviation in any script.
const WORD: usize = 3;

/// Whether a text among Latin ones has a whole word that only looks Latin: of a script that is written for its look alone
/// (`\u{13a2}\u{13aa}\u{13d9}`), or of Cyrillic, Greek or Armenian letters all of which look Latin, where no letter of the text shows that it is written in
/// that script. A name such as `\u{412}\u{43e}\u{43b}\u{433}\u{430}` shows it.
#[must_use]
pub fn has_masked_words(text: &str) -> bool {
    let shown = || text.chars().filter(|c| !is_default_ignorable(*c));
    let shows_itself =
        |script: Script| shown().any(|c| script_of(c) == Some(script) && !is_twin(c));
    let is_masked = |word: &[char]| {
        let masks = word.iter().filter(|c| is_of_mask(**c)).count();
        if masks > 1 {
            return true;
        }
        let Some(script) = word.first().copied().and_then(script_of) else {
            return false;
        };
        word.len() >= WORD
            && word.iter().all(|c| is_twin(*c) && script_of(*c) == Some(script))
            // `\u{41e}\u{41e}\u{41e}` says what kind of company it is.
            && word.iter().any(|c| Some(c) != word.first())
            && !shows_itself(script)
    };
    let mut word = Vec::new();
    for c in shown().chain([' ']) {
        if c.is_alphabetic() {
            word.push(c);
        } else if is_masked(&word) {
            return true;
        } else {
            word.clear();
        }
    }
    false
}

/// Whether a domain, or an address at one, has such letters. Its A-labels are read as they are shown.
///
/// DANGER: a reader who writes to such a domain writes to somebody else. The domain must have been parsed before: IDNA takes
/// time proportional to the square of a label's length.
#[must_use]
pub fn has_lookalikes_of_a_domain(address: &str) -> bool {
    let (mailbox, domain) = match address.rsplit_once('@') {
        Some((mailbox, domain)) => (mailbox, domain),
        None => ("", address),
    };
    let (domain, _) = idna::domain_to_unicode(domain);
    let shown = format!("{mailbox} {domain}");
    has_lookalikes(&shown) || has_masked_words(&shown)
}

/// Whether most letters of a text are Latin.
#[must_use]
pub fn is_mostly_latin(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let (latin, others): (Vec<char>, Vec<char>) = letters.partition(|c| is_latin(*c));
    latin.len() > others.len()
}

/// Scripts in which names are written that stand in messages of Latin letters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Armenian,
    Cyrillic,
    Greek,
}

const fn script_of(c: char) -> Option<Script> {
    match c {
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Some(Script::Greek),
        '\u{400}'..='\u{52f}' | '\u{1c80}'..='\u{1c8f}' => Some(Script::Cyrillic),
        '\u{531}'..='\u{556}' | '\u{561}'..='\u{587}' => Some(Script::Armenian),
        _ => None,
    }
}

/// Whether a letter is of a script in which no message is written beside Latin words, and whose letters look like Latin ones:
/// Cherokee, Canadian syllabics, Lisu, Coptic, Deseret, and those of antiquity.
const fn is_of_mask(c: char) -> bool {
    matches!(
        c,
        '\u{13a0}'..='\u{167f}'
            | '\u{16a0}'..='\u{16ff}'
            | '\u{2c80}'..='\u{2cff}'
            | '\u{a4d0}'..='\u{a4ff}'
            | '\u{ab70}'..='\u{abbf}'
            | '\u{10280}'..='\u{1034f}'
            | '\u{10400}'..='\u{1056f}'
            | '\u{10920}'..='\u{1093f}'
    )
}

/// Whether a letter of Armenian, Cyrillic or Greek is drawn like a Latin one in most typefaces.
fn is_twin(c: char) -> bool {
    const TWINS: &str = "\
        АВЕЅІЈКМНОРСТУХҮԌԚԜӀҺаеѕіјкорсухүѵԁԛԝһӏґ\
        ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϳαικνορτυχγϲ\
        ՏՍՕԼՀսոօհցզյքւ";
    TWINS.contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_look_like_others_are_told_within_a_word() {
        for text in [
            "gu\u{430}ranteed s\u{430}vings",
            "R\u{435}: hello",
            "gu\u{251}ranteed",
            "p\u{200b}\u{3b1}y",
            "P\u{3b1}",
            "S\u{3b1}VE",
            "SAV\u{395}",
            "TNF\u{3b1}\u{3b1}",
            // Of Cherokee, Armenian, Lisu and Coptic.
            "S\u{13aa}VE",
            "\u{57d}ave",
            "\u{a4e2}AVE",
            "s\u{2c81}ve",
            // In another dress.
            "\u{262}\u{1d1c}\u{1d00}\u{280}\u{1d00}\u{274}\u{1d1b}\u{1d07}\u{1d07}\u{1d05}",
            "s\u{1d00}ve",
            "\u{1f175}\u{1f181}\u{1f174}\u{1f174}",
            "\u{24a1}\u{24ad}\u{24a0}\u{24a0}",
            "a \u{1f1f1}\u{1f1e6}\u{1f1f8}",
        ] {
            assert!(has_lookalikes(text), "{text}");
        }
        for text in [
            "guaranteed",
            "\u{41e}\u{41e}\u{41e} Volga-\u{421}\u{435}\u{432}\u{435}\u{440}",
            "10 k\u{3a9}",
            "\u{b5}m",
            "\u{3b1}-blocker",
            "TNF\u{3b1} inhibitors",
            "Ko\u{161}ice na\u{ef}ve",
            "\u{396}\u{3b5}\u{3c5}\u{3c2}",
            "\u{540}\u{561}\u{575}\u{561}\u{57d}\u{57f}\u{561}\u{576}",
            // Signs and flags.
            "\u{1f17f} on site",
            "\u{24d8} \u{8a73}\u{7d30}\u{24d8}",
            "\u{1f1e9}\u{1f1ea}\u{1f1eb}\u{1f1f7} and \u{1f1ec}\u{1f1e7}",
            "\u{1f193} 1\u{2b3}\u{1d49}",
        ] {
            assert!(!has_lookalikes(text), "{text}");
        }
    }

    #[test]
    fn a_whole_word_in_a_mask_is_told() {
        for text in [
            // Cherokee, Canadian syllabics, Lisu, Coptic.
            "\u{13d7}\u{13aa}\u{13da}\u{13a2} chance",
            "\u{13d4}\u{13a2}\u{13e6}",
            "\u{15ea}\u{1587}\u{15e9}\u{15f7} it",
            "\u{a4dd}\u{a4ef}\u{a4e2}\u{a4d4}",
            "\u{2c9f}\u{2c9f}\u{2ca3}",
            // Cyrillic, Greek and Armenian that look Latin as a whole.
            "\u{440}\u{430}\u{443} less",
            "\u{455}\u{430}\u{443}\u{435} costs",
            "\u{39d}\u{39f} \u{3a4}\u{391}\u{3a7}",
            "\u{57d}\u{578}\u{585}",
        ] {
            assert!(has_masked_words(text), "{text}");
        }
        for text in [
            "Save costs",
            "\u{412}\u{43e}\u{43b}\u{433}\u{430}",
            "\u{41e}\u{41e}\u{41e} Volga",
            // The text shows its script.
            "\u{41e}\u{421}\u{41e} \u{41b}\u{430}\u{434}\u{430}",
            "\u{3a4}\u{3c1}\u{3ac}\u{3c0}\u{3b5}\u{3b6}\u{3b1} \u{39f}\u{3a4}\u{395}",
            "10 k\u{3a9} \u{b5}m \u{3b1}-blocker",
            "\u{65e5}\u{672c} \u{5d0}\u{5d1}",
            "\u{41d}\u{41e}",
        ] {
            assert!(!has_masked_words(text), "{text}");
        }
    }

    #[test]
    fn a_domain_that_looks_like_another_is_told() {
        for text in [
            // A Cyrillic letter among Latin ones, a label of such letters alone, and both as A-labels.
            "ada@\u{430}cme.example",
            "ada@k\u{43e}ntor.example",
            "\u{430}\u{441}\u{435}.example",
            "ada@xn--cme-5cd.example",
            "\u{430}da@acme.example",
            "ada@\u{3b1}cme.example",
        ] {
            assert!(has_lookalikes_of_a_domain(text), "{text}");
        }
        for text in [
            "ada@acme.example",
            "ada@m\u{fc}ller.example",
            "ada@xn--mller-kva.example",
            "\u{432}\u{43e}\u{43b}\u{433}\u{430}.\u{440}\u{444}",
            "ada@\u{65e5}\u{672c}.example",
            "",
        ] {
            assert!(!has_lookalikes_of_a_domain(text), "{text}");
        }
    }

    #[test]
    fn most_letters_tell_how_a_text_is_written() {
        assert!(is_mostly_latin("Hello \u{41e}\u{41e}\u{41e} Volga"));
        assert!(!is_mostly_latin("\u{421}\u{435}\u{432}\u{435}\u{440} CRM"));
        assert!(!is_mostly_latin("12"));
    }
}
