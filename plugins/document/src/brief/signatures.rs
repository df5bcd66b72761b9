//! Sentences that greet, and the names below those that close a letter.

use gtm_lexicon::company::WE;
use gtm_lexicon::documents::{GREETINGS, HELLOS, LETTER_CLOSINGS, SALUTATIONS};
use gtm_lexicon::foundations::AND;
use gtm_lexicon::names::PARTICLES;
use gtm_lexicon::{fold, split};

use super::company_forms::is_legal_form;
use super::{line_kinds, one_line};

/// Longest name of a company below a letter, in words.
const SIGNED_WORDS: usize = 6;
/// Most lines of a signature below two dashes, and words of each.
const BLOCK_LINES: usize = 8;
const BLOCK_WORDS: usize = 14;
/// Longest formula above a name that signs a note, in words and in characters of a script without blanks, and longest such name.
const FORMULA_WORDS: usize = 3;
const FORMULA_CHARS: usize = 16;
const NAME_CHARS: usize = 10;
/// Longest text below a name that signs a note, in words.
const BELOW_WORDS: usize = 40;
/// Longest greeting, in words.
const GREETING_WORDS: usize = 5;

/// Whether a text may be a person's name below a letter.
pub fn is_persons_name(sentence: &str) -> bool {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    (1..=2).contains(&words.len())
        && words.iter().all(|word| {
            let letters = word.chars().all(|c| c.is_alphabetic() || c == '.');
            letters && word.starts_with(char::is_uppercase)
        })
}

/// Whether a text is a company's name with its legal form. `We supply Northwind GmbH.` is none.
pub fn is_companys_name(sentence: &str) -> bool {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let Some((form, name)) = words.split_last() else {
        return false;
    };
    let is_part = |word: &str| {
        let begins = word.starts_with(|c: char| c.is_uppercase() || c.is_numeric() || c == '&');
        (begins || PARTICLES.contains(&fold(word))) && !word.ends_with(['.', '!', '?', ':', ';'])
    };
    (1..SIGNED_WORDS).contains(&name.len())
        && name.iter().all(|word| is_part(word))
        && !name.first().is_some_and(|first| WE.has_word(&fold(first)))
        && is_legal_form(form)
}

/// `Hi Jo,`
pub fn opens_a_letter(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    HELLOS.open(&words) || SALUTATIONS.open(&words)
}

/// `Hi Jo,` and `Thanks!`.
pub fn is_greeting(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    let marked = sentence.contains([',', '،']) || sentence.trim_end().ends_with('!');
    let short = words.len() <= 2 || (marked && words.len() <= GREETING_WORDS);
    // `Cher Luc,`
    let addresses = sentence.trim_end().ends_with([',', '،'])
        && words.len() <= GREETING_WORDS
        && SALUTATIONS.open(&words);
    let closes = are_formulas(&words);
    GREETINGS.are(&words) || closes || (short && GREETINGS.open(&words)) || addresses
}

/// Whether words are nothing but formulas that greet or close, perhaps joined: `Vielen Dank und liebe Grüße`.
fn are_formulas(words: &[&str]) -> bool {
    let mut at = 0;
    while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
        let formulas = LETTER_CLOSINGS
            .at_start(rest)
            .chain(GREETINGS.at_start(rest));
        let joint = rest.first().is_some_and(|word| AND.contains(word));
        match formulas.map(<[_]>::len).max() {
            Some(length) => at += length,
            None if joint && at > 0 => at += 1,
            None => return false,
        }
    }
    !words.is_empty()
}

/// Whether the sentences of a text are no more than how somebody signs off: `Thanks! Priya`.
pub fn signs_off(sentences: &[&str]) -> bool {
    let is_one = |said: &&str| is_greeting(said) || is_persons_name(said) || is_companys_name(said);
    sentences.first().is_some_and(|first| is_greeting(first)) && sentences.iter().all(is_one)
}

/// A text without the signature that a mail has below two dashes, and its lines. Three dashes are a rule, and above a longer text
/// two are the line below a heading.
pub fn without_mails_own(text: &str) -> Option<(String, Vec<String>)> {
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().rposition(|line| line.trim() == "--")?;
    let below = lines.get(at + 1..).unwrap_or_default();
    let block = below.iter().take_while(|line| !line.trim().is_empty());
    let block: Vec<&str> = block.copied().collect();
    let is_part = |line: &&str| {
        line.split_whitespace().count() <= BLOCK_WORDS
            && !line_kinds::is_heading(line)
            && line_kinds::item_of(line.trim()).is_none()
            && !(line_kinds::is_sentence(line) && line.split_whitespace().count() > GREETING_WORDS)
    };
    let rest = below.get(block.len()..).unwrap_or_default();
    let ends = rest
        .iter()
        .all(|line| line.trim().is_empty() || line.trim_start().starts_with('>'));
    if !(1..=BLOCK_LINES).contains(&block.len()) || !block.iter().all(is_part) || !ends {
        return None;
    }
    let kept: Vec<&str> = lines.iter().take(at).chain(rest).copied().collect();
    Some((kept.join("\n"), block.into_iter().map(one_line).collect()))
}

/// A note without the lines with which somebody signs it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Signed {
    pub note: String,
    pub names: Vec<String>,
    /// What is said below the names.
    pub below: Vec<String>,
}

impl Signed {
    /// A note that nobody signs.
    pub fn without(note: &str) -> Self {
        Self {
            note: note.to_owned(),
            ..Self::default()
        }
    }
}

/// A note to a colleague without the lines with which somebody signs it, known by their form alone: the last ones, very short, with
/// a name at the end. What is said in a few words below them is for the colleague, too. `Phone: …` and what ends a list signs
/// nothing.
pub fn without_names_at_the_end(note: &str) -> Option<Signed> {
    let lines: Vec<&str> = note.lines().collect();
    let filled = |at: usize| lines.get(at).is_some_and(|line| !line.trim().is_empty());
    let end = (0..lines.len()).rfind(|at| filled(*at))? + 1;
    let begin_of = |end: usize| (0..end).rev().take_while(|at| filled(*at)).last();
    let last = begin_of(end)?;
    let above = (0..last).rfind(|at| filled(*at)).map_or(0, |at| at + 1);
    let below: Vec<String> = lines
        .get(last..end)?
        .iter()
        .map(|line| one_line(line))
        .collect();
    let is_said = |line: &String| {
        !line_kinds::is_heading(line)
            && line_kinds::item_of(line).is_none()
            && !line.contains(|c: char| c.is_numeric() || c == '|')
    };
    let words: usize = below
        .iter()
        .map(|line| line.split_whitespace().count())
        .sum();
    let (begin, end, below) = if signs(lines.get(last..end)?) {
        (last, end, Vec::new())
    } else {
        let begin = begin_of(above)?;
        let told = below.iter().all(is_said) && words <= BELOW_WORDS;
        if !told || !signs(lines.get(begin..above)?) {
            return None;
        }
        (begin, end, below)
    };
    if begin == 0 {
        return None;
    }
    let (head, rest) = lines.split_at_checked(begin)?;
    let names = rest.iter().take(end - begin).map(|line| one_line(line));
    let names = names.filter(|line| !line.is_empty() && !below.contains(line));
    Some(Signed {
        note: head.join("\n"),
        names: names.collect(),
        below: below.clone(),
    })
}

/// Whether lines close a note: one of a few words, and a name. `x Bev` is one line.
fn signs(lines: &[&str]) -> bool {
    let Some((last, above)) = lines.split_last() else {
        return false;
    };
    let is_unspaced = |line: &str| line.chars().any(gtm_writing::excerpts::is_unspaced);
    let last = last.trim();
    let is_name = match last.is_ascii() || last.contains(char::is_uppercase) {
        true => is_persons_name(last),
        false => last.chars().count() <= NAME_CHARS && !line_kinds::is_sentence(last),
    };
    let closes = |line: &&str| {
        let line = line.trim();
        let short = match is_unspaced(line) {
            true => line.chars().count() <= FORMULA_CHARS,
            // `Ring me if stuck,`
            false => {
                let longer = if line.ends_with(',') { 2 } else { 0 };
                line.split_whitespace().count() <= FORMULA_WORDS + longer
            }
        };
        short
            && !line.contains(|c: char| c.is_numeric() || matches!(c, ':' | '：' | '|'))
            && !line_kinds::is_heading(line)
            && line_kinds::item_of(line).is_none()
    };
    // A name alone may be part of what is offered.
    let kissed = last
        .strip_prefix(['x', 'X'])
        .map(|rest| rest.trim_start_matches(['x', 'X']));
    let kissed = kissed.is_some_and(|rest| rest.starts_with(' ') && is_persons_name(rest));
    above.len() == 1 && above.iter().all(closes) && is_name || above.is_empty() && kissed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_lines_with_a_name_at_the_end_sign() {
        for end in [
            "cheers\nRaj",
            "À plus\nSandrine",
            "Abraço\nTó",
            "よろしくお願いします。\n高橋",
            "شكرا\nليلى",
        ] {
            let signed =
                without_names_at_the_end(&format!("Gates.\n\n{end}\n")).unwrap_or_default();
            assert_eq!(
                (signed.note.trim(), signed.names.len()),
                ("Gates.", 2),
                "{end}"
            );
            let note = format!("Gates.\n\n{end}\n\nNB they owe us.");
            let signed = without_names_at_the_end(&note).unwrap_or_default();
            assert_eq!(signed.note.trim(), "Gates.", "{end}");
            assert_eq!(signed.below, ["NB they owe us."]);
        }
        for other in [
            "Gates.\n\nPrices\nBasic plan: 49 €",
            "Gates.\n\n- Probes\n- Lamps",
            "Gates.\n\nWhat it costs\n£38 per hour",
            "Jo\nMarsh",
        ] {
            assert_eq!(without_names_at_the_end(other), None, "{other}");
        }
    }

    #[test]
    fn a_company_s_name_is_no_sentence() {
        for name in ["Northwind GmbH", "Vela & Sons Ltd", "Van der Roe Ltd."] {
            assert!(is_companys_name(name), "{name}");
        }
        for other in [
            "We supply Northwind GmbH.",
            "Our Northwind GmbH",
            "Hull. Vela Ltd",
            "GmbH",
            "Northwind Rollout",
        ] {
            assert!(!is_companys_name(other), "{other}");
        }
    }

    #[test]
    fn a_mail_ends_below_two_dashes() {
        let text = "We read 9 meters.\n\n-- \nPiet Bos | Sales\n0113 555 0190\n";
        let (kept, signature) = without_mails_own(text).unwrap_or_default();
        assert_eq!(kept.trim(), "We read 9 meters.");
        assert_eq!(signature, ["Piet Bos | Sales", "0113 555 0190"]);
        for other in [
            "Meters\n--\nWe read nine meters a day, by hand and in the rain.\n",
            "Meters\n--\n\nWe read 9 meters.\n",
            "A\n\n---\n\nB\n",
        ] {
            assert_eq!(without_mails_own(other), None, "{other}");
        }
    }

    #[test]
    fn who_signs_off_says_nothing_else() {
        for said in [
            vec!["Thanks!", "Priya"],
            vec!["Danke dir", "Piet"],
            vec!["Vielen Dank und liebe Grüße", "Tom"],
            vec!["Merci d'avance et bonne journée !"],
            vec!["Grazie mille,", "Paolo"],
        ] {
            assert!(signs_off(&said), "{said:?}");
        }
        for said in [
            vec!["Thanks to our customers we grew."],
            vec!["Priya"],
            vec!["Thanks!", "We read 9 meters."],
        ] {
            assert!(!signs_off(&said), "{said:?}");
        }
    }

    #[test]
    fn greetings_open_or_close() {
        for (greeting, opens) in [
            ("Hi Jo,", true),
            ("Cher Luc,", true),
            ("Thanks!", false),
            ("Viele Grüße", false),
        ] {
            assert!(is_greeting(greeting), "{greeting}");
            assert_eq!(opens_a_letter(greeting), opens, "{greeting}");
        }
    }
}
