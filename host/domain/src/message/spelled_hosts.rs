//! Hosts that are written so that no program knows them and every reader does: `acme dot example`, `acme [.] example`,
//! `acme . example`. The words are data (`spelled_hosts.toml`).
//!
//! DANGER: a link whose label names a host in this way may lead to another one.

use super::spelled_addresses::bracketed;
use crate::domain_name::has_known_suffix;

include!(concat!(env!("OUT_DIR"), "/spelled_hosts.rs"));

/// Marks that part a word for a dot from what stands beside it, besides blanks: `acme-dot-example`.
const JOINTS: [char; 3] = ['-', '_', '/'];

/// Fewest letters on each side of a word for a dot that is written together with them: `acmedotcom`.
const TOGETHER: usize = 3;

/// The text with dots in the place of what may stand for those of a host; none if there is nothing of the kind. Whether a
/// host comes of it is told by what it then ends in.
#[must_use]
pub fn with_dots(text: &str) -> Option<String> {
    let pieces = pieces(text);
    if !pieces.iter().any(|piece| piece.dot.is_some()) {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let (mut changed, mut goes_on) = (false, true);
    for (at, piece) in pieces.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| pieces.get(before));
        let behind = pieces.get(at + 1..).unwrap_or_default();
        if piece.is_dot_between(before, behind) {
            out.push('.');
            (changed, goes_on) = (true, true);
            continue;
        }
        if !goes_on {
            out.push(' ');
        }
        out.push_str(piece.written);
        goes_on = false;
    }
    changed.then_some(out)
}

/// What may stand for a dot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dot {
    /// A dot with blanks around it.
    Sign,
    Bracketed,
    Word,
    /// A word of other texts, too.
    CommonWord,
}

#[derive(Debug, Clone, Copy)]
struct Piece<'t> {
    written: &'t str,
    dot: Option<Dot>,
}

impl Piece<'_> {
    /// Whether it is a dot of a host between these pieces.
    fn is_dot_between(&self, before: Option<&Piece<'_>>, behind: &[Piece<'_>]) -> bool {
        let (Some(dot), Some(before), Some(next)) = (self.dot, before, behind.first()) else {
            return false;
        };
        let label = core_of(before.written);
        let is_label = before.dot.is_none()
            && before.written.ends_with(char::is_alphanumeric)
            && next.dot.is_none()
            && next.written.starts_with(char::is_alphanumeric);
        is_label
            && match dot {
                // A sentence may begin behind it.
                Dot::Sign => !is_capitalized(next.written),
                Dot::Bracketed => true,
                Dot::Word => !is_one_of(HOST_DETERMINERS, label),
                Dot::CommonWord => {
                    let is_last = behind.get(1).is_none_or(|piece| piece.dot.is_some());
                    let ends = is_last || !is_one_of(SUFFIX_WORDS, core_of(next.written));
                    ends && !is_one_of(HOST_DETERMINERS, label)
                }
            }
    }
}

/// The words of a text and what stands in brackets for a dot.
fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let (mut from, mut skipped) = (0, 0);
    for (at, c) in text.char_indices() {
        if at < skipped || !matches!(c, '(' | '[' | '{' | '<') {
            continue;
        }
        let rest = text.get(at..).unwrap_or_default();
        let Some((inner, behind)) = bracketed(rest) else {
            continue;
        };
        let is_dot = inner == "." || is_one_of(HOST_DOTS, inner) || is_one_of(HOST_POINTS, inner);
        if is_dot {
            words(text.get(from..at).unwrap_or_default(), &mut found);
            let end = text.len() - behind.len();
            let written = text.get(at..end).unwrap_or_default();
            let dot = Some(Dot::Bracketed);
            found.push(Piece { written, dot });
            (from, skipped) = (end, end);
        }
    }
    words(text.get(from..).unwrap_or_default(), &mut found);
    found
}

/// Adds the words of a text without such brackets.
fn words<'t>(text: &'t str, found: &mut Vec<Piece<'t>>) {
    for word in text.split_whitespace() {
        let joined = || word.split(JOINTS);
        if joined().count() > 1 && joined().any(|part| dot_of(part).is_some()) {
            found.extend(joined().filter(|part| !part.is_empty()).map(piece));
            continue;
        }
        if let Some((label, dot, suffix)) = written_together(word) {
            found.extend([label, dot, suffix].map(piece));
            continue;
        }
        // `acme .example`; `.NET` is a name.
        match word.strip_prefix('.') {
            Some(rest) if rest.starts_with(char::is_lowercase) => {
                let (written, dot) = (".", Some(Dot::Sign));
                found.extend([Piece { written, dot }, piece(rest)]);
            }
            _ => found.push(piece(word)),
        }
    }
}

/// A label, a word for a dot and a suffix in one word. A suffix of two letters ends too many other words: `anecdotes`.
fn written_together(word: &str) -> Option<(&str, &str, &str)> {
    let core = core_of(word);
    // A host is longer than any word and shorter than this, and in ASCII.
    const LONGEST: usize = 80;
    if core.len() > LONGEST || !core.is_ascii() {
        return None;
    }
    let lower = core.to_ascii_lowercase();
    HOST_DOTS.iter().find_map(|dot| {
        let at = lower.rfind(dot)?;
        let (label, behind) = core.split_at(at);
        let (dot, suffix) = behind.split_at(dot.len());
        let end = suffix.find(|c: char| !c.is_ascii_alphanumeric());
        let suffix = suffix.get(..end.unwrap_or(suffix.len()))?;
        let host = format!("{label}.{suffix}").to_ascii_lowercase();
        (at >= TOGETHER && suffix.len() >= TOGETHER && has_known_suffix(&host))
            .then_some((label, dot, suffix))
    })
}

fn piece(written: &str) -> Piece<'_> {
    let dot = dot_of(written);
    Piece { written, dot }
}

fn dot_of(word: &str) -> Option<Dot> {
    if word == "." {
        return Some(Dot::Sign);
    }
    let core = core_of(word);
    if is_one_of(HOST_DOTS, core) {
        return Some(Dot::Word);
    }
    is_one_of(HOST_POINTS, core).then_some(Dot::CommonWord)
}

/// A word without the signs around it.
fn core_of(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

fn is_one_of(words: &[&str], word: &str) -> bool {
    // Longer than any of them, it need not be copied.
    const LONGEST: usize = 32;
    word.len() <= LONGEST && words.contains(&word.to_lowercase().as_str())
}

fn is_capitalized(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(char::is_uppercase) && letters.any(char::is_lowercase)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_stands_for_a_dot_is_read() {
        for text in [
            "acme dot example",
            "acme DOT example",
            "acme \"dot\" example",
            "acme (dot) example",
            "acme(dot)example",
            "acme [.] example",
            "acme[.]example",
            "acme {dot} example",
            "acme ( . ) example",
            "acme (punkt) example",
            "acme (point) example",
            "acme . example",
            "acme .example",
            "acme-dot-example",
            "acme_dot_example",
            "acme punkt example",
            "acme punto example",
            "acme point example",
            "acme ponto example",
            "acme punt example",
            "acme точка example",
        ] {
            assert_eq!(with_dots(text).as_deref(), Some("acme.example"), "{text}");
        }
        for (text, want) in [
            ("acme dot co dot uk", "acme.co.uk"),
            ("See acme point fr", "See acme.fr"),
            ("acme punkt de", "acme.de"),
            ("Log in at acme dot me now", "Log in at acme.me now"),
            ("www dot acme dot com", "www.acme.com"),
            ("Acmedotcom", "Acme.com"),
            ("acmedotcom/login", "acme.com"),
            ("Pay at acmeDotOrg, now", "Pay at acme.Org now"),
        ] {
            assert_eq!(with_dots(text).as_deref(), Some(want), "{text}");
        }
    }

    #[test]
    fn other_points_are_left_alone() {
        for text in [
            "",
            "The plan",
            "Look at the dot in the middle",
            "On the dot at nine",
            "Notre premier point de contact",
            "Le point de vue",
            "Punto de encuentro",
            "Our starting point is here",
            "Der Punkt de facto",
            "Ready for .NET",
            "Anecdotes of the dotcom years",
            "An antidote to anecdotal pricing",
            "Done . Then more",
            "dot com",
            "(dot) com",
            "Meet us (at the point)",
        ] {
            assert_eq!(with_dots(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_host_is_read_however_its_dots_are_written(
            host in "[a-z]{3,10}",
            suffix in prop::sample::select(vec!["com", "example", "fr", "de", "io"]),
            dot in prop::sample::select(vec![
                " dot ", " Dot ", " punkt ", " punto ", " point ", "(dot)", " (dot) ", "[.]", " [.] ", "{punkt}", " . ", " .",
                "-dot-",
            ]),
        ) {
            prop_assume!(!is_one_of(HOST_DETERMINERS, &host) && dot_of(&host).is_none());
            let text = format!("Pay at {host}{dot}{suffix}");
            prop_assert_eq!(with_dots(&text), Some(format!("Pay at {host}.{suffix}")), "{}", text);
        }

        #[test]
        fn no_text_panics(text in "[@()<>\\[\\].a-zé dot-]{0,60}|\\PC{0,60}") {
            let _ = with_dots(&text);
        }
    }
}
