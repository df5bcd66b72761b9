//! E-mail addresses that are written so that no program knows them and every reader does: `sam (at) acme.example`,
//! `sam[at]acme[dot]example`, `sam at acme dot example`.
//!
//! What stands in the brackets is told by its form and place, because it is another word in each language: `ät`, `arroba`,
//! `(a)`. DANGER: brackets are in many texts. So a domain that somebody could register must follow, and the longer the word,
//! the more must speak for an address. The words are data (`spelled_addresses.toml`).

use crate::domain_name::has_known_suffix;
use crate::message::page_addresses::is_host;

include!(concat!(env!("OUT_DIR"), "/spelled_addresses.rs"));

/// Top-level domains that nobody can register and that examples use (RFC 2606).
pub(super) const RESERVED: [&str; 3] = ["example", "test", "invalid"];

/// Most characters in brackets.
const BRACKETED: usize = 12;
/// As much of what stands before a bracket as is looked at for the name of a mailbox, in bytes: more than one may have
/// (RFC 5321).
const LOCAL: usize = 128;
/// Most characters of a domain (RFC 1035).
const DOMAIN: usize = 253;

/// The text with `@` and dots in the place of what stands for them; none if there is nothing of the kind.
#[must_use]
pub fn spelled_out(text: &str) -> Option<String> {
    let bracketed_words = in_brackets(text);
    let text = bracketed_words.as_deref().unwrap_or(text);
    if !text.contains(opens) && !text.contains("@ ") {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut changed = false;
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let behind = rest.get(next.len_utf8()..).unwrap_or_default();
        let sign = match next {
            '@' => Some(("@", behind)),
            // `news<br>acme.example` has a tag of HTML.
            '<' => {
                bracketed(rest).filter(|(word, _)| SIGNS.contains(&word.to_lowercase().as_str()))
            }
            _ => bracketed(rest),
        };
        // A domain with dots in brackets may also follow an `@`.
        let read = sign
            .filter(|_| ends_with_local(&out))
            .and_then(|(word, after)| {
                let domain = Domain::at_start(after)?;
                // `sam @acme.example` may say where somebody works.
                let is_plain =
                    next == '@' && !domain.is_spelled && !after.starts_with(char::is_whitespace);
                (!is_plain && stands_for_at(word, &out, after, &domain)).then_some((domain, after))
            });
        match read {
            Some((domain, after)) => {
                out.truncate(out.trim_end().len());
                out.push('@');
                out.push_str(&domain.name);
                rest = after.get(domain.length..).unwrap_or_default();
                changed = true;
            }
            None => {
                out.push(next);
                rest = behind;
            }
        }
    }
    changed.then_some(out)
}

/// The text with brackets around the words for `@` and dots that have none: `sam at acme dot example`. None if there is
/// nothing of the kind.
fn in_brackets(text: &str) -> Option<String> {
    // `"at"`, `(at)`, `at,`: one of the two may have signs around it.
    let is_one_of = |words: &[&str], word: &str| {
        let core = core_of(word);
        core.chars().count() <= BRACKETED && words.contains(&core.to_lowercase().as_str())
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    if !words.iter().any(|word| is_one_of(DOT_WORDS, word)) {
        return None;
    }
    let mut read: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let mut changed = false;
    for (at, word) in words.iter().enumerate() {
        let spelled = is_one_of(AT_WORDS, word);
        // `sam@acme dot example`, `sam@ acme dot example`
        let signed = word.contains('@');
        if !spelled && !signed {
            continue;
        }
        let has_host = signed && !word.ends_with('@');
        let first_dot = if has_host { at + 1 } else { at + 2 };
        let dots = (first_dot..words.len()).step_by(2).take(DOTS);
        let dots: Vec<usize> = dots
            .take_while(|dot| is_one_of(DOT_WORDS, words[*dot]))
            .collect();
        let host = words.get(first_dot - 1).copied().unwrap_or_default();
        if dots.is_empty() || is_one_of(DETERMINERS, host) {
            continue;
        }
        changed = true;
        for word in spelled.then_some(at).into_iter().chain(dots) {
            read[word] = format!("({})", core_of(words[word]));
        }
    }
    changed.then(|| read.join(" "))
}

/// A word without the signs around it.
fn core_of(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

fn opens(c: char) -> bool {
    matches!(c, '(' | '[' | '{' | '<')
}

/// What a pair of brackets at the beginning of the text holds, and the text behind it.
pub(super) fn bracketed(text: &str) -> Option<(&str, &str)> {
    let close = match text.chars().next()? {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '<' => '>',
        _ => return None,
    };
    let inner = text.get(1..)?;
    let (end, _) = (inner.char_indices().take(BRACKETED + 1)).find(|(_, c)| *c == close)?;
    Some((inner.get(..end)?.trim(), inner.get(end + 1..)?))
}

/// Whether something that could be the name of a mailbox stands at the end.
fn ends_with_local(text: &str) -> bool {
    let last = text.trim_end().chars().next_back();
    last.is_some_and(|c| c.is_alphanumeric() || "_-+.".contains(c))
}

fn is_word(word: &str) -> bool {
    (1..=BRACKETED).contains(&word.chars().count()) && word.chars().all(char::is_alphabetic)
}

/// Whether a word in brackets stands for `@` between these texts.
fn stands_for_at(word: &str, before: &str, after: &str, domain: &Domain) -> bool {
    if word == "@" {
        return true;
    }
    let is_known = SIGNS.contains(&word.to_lowercase().as_str());
    if !is_word(word) || (!is_known && word.contains(char::is_uppercase)) {
        return false;
    }
    let attached =
        !before.ends_with(char::is_whitespace) && !after.starts_with(char::is_whitespace);
    // `sam.okafor (arroba) acme.example`
    // DANGER: what stands before may be one word of megabytes, and it is looked at for each bracket.
    let of_mailbox = || {
        let near = before.floor_char_boundary(before.len().saturating_sub(LOCAL));
        let near = before.get(near..).unwrap_or_default();
        let local = near.split_whitespace().next_back().unwrap_or_default();
        local.trim_end_matches('.').contains(['.', '_', '+'])
    };
    is_known || attached || domain.is_spelled || of_mailbox()
}

/// Most dots of a domain that are looked at, in brackets or not.
const DOTS: usize = 8;

/// A domain at the beginning of a text.
struct Domain {
    /// With its dots as such.
    name: String,
    /// Bytes of the text.
    length: usize,
    /// Whether a dot of it stands in brackets.
    is_spelled: bool,
}

impl Domain {
    /// The longest one that somebody could register; a sentence may go on behind it without a space.
    fn at_start(text: &str) -> Option<Self> {
        let mut found = None;
        let mut name = String::new();
        let mut is_spelled = false;
        let mut rest = text.trim_start();
        for _ in 0..=DOTS {
            let labels = rest
                .find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '.')))
                .unwrap_or(rest.len());
            // DANGER: a run of letters may have any length, and each of its dots is looked at.
            let read = rest
                .char_indices()
                .nth(DOMAIN)
                .map_or(labels, |(end, _)| labels.min(end));
            name.push_str(rest.get(..read)?);
            rest = rest.get(read..)?;
            if begins_with_domain(&name) {
                found = Some(Self {
                    name: name.clone(),
                    length: text.len() - rest.len(),
                    is_spelled,
                });
            }
            let Some((word, after)) = bracketed(rest.trim_start()) else {
                break;
            };
            if read == 0 || !(word == "." || is_word(word)) {
                break;
            }
            name.push('.');
            rest = after.trim_start();
            is_spelled = true;
        }
        found
    }
}

/// Whether a name, or what stands before one of its dots, is a domain.
fn begins_with_domain(name: &str) -> bool {
    let name = name.trim_matches(['.', '-']).to_lowercase();
    let ends = name.match_indices('.').map(|(at, _)| at);
    let ends = ends.take(DOTS).chain([name.len()]);
    let mut begins = ends.filter_map(|end| name.get(..end));
    begins.any(|begin| {
        let last = begin.rsplit('.').next().unwrap_or_default();
        is_host(begin) && (has_known_suffix(begin) || RESERVED.contains(&last))
    })
}

#[cfg(test)]
mod tests {
    use gtm_test_support::growth;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_stands_for_an_at_sign_is_read() {
        for text in [
            "sam (at) acme.example",
            "sam(at)acme.example",
            "sam [at] acme.example",
            "sam[AT]acme.example",
            "sam {at} acme [dot] example",
            "sam <at> acme <dot> example",
            "sam (at) acme (punkt) example",
            "sam(ät)acme(punkt)example",
            "sam (a) acme (point) example",
            "sam(arobase)acme.example",
            "sam (arobase) acme (point) example",
            "sam (arroba) acme (punto) example",
            "sam ( at ) acme [.] example",
            "sam [@] acme.example",
            "sam@acme (dot) example",
            "sam@acme[.]example",
            "sam (chiocciola) acme [.] example",
            "sam at acme dot example",
            "sam AT acme Dot example",
            "sam arroba acme punto example",
            "sam ät acme punkt example",
            "sam (at) acme dot example",
            "sam at acme (dot) example",
            "sam \"at\" acme dot example",
            "sam (ARROBA) acme.example",
            "sam @ acme.example",
            "sam@ acme.example",
            "sam@acme dot example",
            "sam@ acme dot example",
            "sam @ acme dot example",
        ] {
            let read = spelled_out(text).unwrap_or_default();
            assert_eq!(read, "sam@acme.example", "{text}");
        }
        assert_eq!(
            spelled_out("Ask sam.okafor (arroba) acme.example, please").unwrap_or_default(),
            "Ask sam.okafor@acme.example, please"
        );
        assert_eq!(
            spelled_out("Write to sam at acme dot co dot uk by noon").unwrap_or_default(),
            "Write to sam@acme.co.uk by noon"
        );
        assert_eq!(
            spelled_out("Sam(at)acme.co.uk.Then call").unwrap_or_default(),
            "Sam@acme.co.uk.Then call"
        );
    }

    #[test]
    fn other_brackets_are_left_alone() {
        for text in [
            "",
            "sam@acme.example",
            "Acme (UK) acme.example",
            "Sam Okafor (CFO) acme.example",
            "The report (pdf) acme.example",
            "The meters (at cost)",
            "Meters (at) home",
            "f(x).y",
            "see (a) and (b)",
            "Write to us (at) once.",
            "(at) acme.example",
            "sam (at) acme",
            "a [1] b.example",
            "We met at Leeds on the dot",
            "Sam works at acme.example",
            "Look at the dot in the middle",
            "Look at this dot it is new",
            "at dot at dot",
            "Series (b) acme.example",
            "Sam Okafor (he) acme.example",
            "Team (en) acme.example",
            "news<br>acme.example",
            "Sam works @acme.example",
        ] {
            assert_eq!(spelled_out(text), None, "{text}");
        }
    }

    #[test]
    fn a_long_text_is_read_in_time() {
        growth::takes_at_most(10, || {
            for text in [
                "a.(a)",
                "a@",
                "(((",
                "a (at) b.c-",
                "a   (",
                "at a dot b ",
                "at dot ",
                "a@b dot ",
                "xx(abc) b.com,",
                "@ a.example ",
            ] {
                let _ = spelled_out(&text.repeat(2_000));
            }
            let _ = spelled_out(&format!("a(at){}", "b.".repeat(20_000)));
        });
    }

    proptest! {
        #[test]
        fn an_address_is_read_whatever_its_brackets(
            local in "[a-z][a-z0-9]{0,8}",
            host in "[a-z]{1,8}",
            (open, close) in prop::sample::select(vec![("(", ")"), ("[", "]"), ("{", "}"), ("<", ">")]),
            (left, right) in (" {0,2}", " {0,2}"),
            at in prop::sample::select(vec!["at", "AT", "ät", "@", "a"]),
            dot in prop::sample::select(vec!["dot", "DOT", "punkt", "point", "punto", "."]),
            is_spelled: bool,
        ) {
            let joint = match is_spelled {
                true => format!("{left}{open}{dot}{close}{right}"),
                false => ".".to_owned(),
            };
            let text = format!("Write to {local}{left}{open}{at}{close}{right}{host}{joint}example now");
            let read = spelled_out(&text).unwrap_or_default();
            prop_assert_eq!(read, format!("Write to {local}@{host}.example now"), "{}", text);
        }

        #[test]
        fn no_text_panics(text in "[@()<>\\[\\].a-zé {}]{0,60}|\\PC{0,60}") {
            let _ = spelled_out(&text);
        }
    }
}
