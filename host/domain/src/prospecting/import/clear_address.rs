//! Finds e-mail addresses in texts that are shown, in whatever way they are written.
//!
//! DANGER: an address that is overlooked here is shown to everybody who may read the job. So a text is read as a
//! browser would show it, and a form that nobody thought of is refused rather than passed.

use percent_encoding::percent_decode_str;
use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use crate::domain_name::DomainName;
use crate::message::characters::{is_default_ignorable, is_refused};
use crate::message::spelled_addresses::spelled_out;
use crate::outcome_ledger::MailAddress;

/// How often a text may be encoded: an address in a link within a link, in a page.
const LAYERS: usize = 4;
/// Most characters on either side of an `@` that are read.
const SIDE_CHARS: usize = 253;
/// Longest part before an `@` (RFC 5321, section 4.5.3.1.1).
const LOCAL_BYTES: usize = 64;

/// The addresses that the text shows, as written or encoded.
pub(super) fn addresses(text: &str) -> Vec<MailAddress> {
    layers(text)
        .iter()
        .flat_map(|shown| of_shown(shown))
        .collect()
}

/// Whether the text shows this address, or the same one with a tag, as written or encoded. Finds also what does not stand
/// alone.
#[must_use]
pub fn shows(text: &str, address: &MailAddress) -> bool {
    let folded = |text: &str| visible(text).to_lowercase();
    let clear = address.in_clear();
    let sought = folded(&clear);
    let mut layers = layers(text).into_iter();
    // A quoted local part may have spaces, which are read as they stand.
    text.to_lowercase().contains(&clear)
        || layers.any(|shown| {
            folded(&shown).contains(&sought)
                || of_shown(&shown).into_iter().any(|found| {
                    let bare = found.without_tag();
                    let mut forms = [Some(found), bare].into_iter().flatten();
                    forms.any(|found| found.in_clear().ends_with(&clear))
                })
        })
}

/// The text as it is seen, again without each layer of encoding, and each of these with `@` for what stands for it.
fn layers(text: &str) -> Vec<String> {
    let mut layers = vec![visible(text)];
    for _ in 0..LAYERS {
        let Some(shown) = layers.last() else { break };
        let decoded = decoded(shown);
        if decoded == *shown {
            break;
        }
        layers.push(visible(&decoded));
    }
    let spelled: Vec<String> = layers
        .iter()
        .filter_map(|shown| spelled_out(shown))
        .collect();
    layers.extend(spelled);
    layers
}

/// In compatibility form, so that a full-width `@` is one, and without what shows nothing.
fn visible(text: &str) -> String {
    let is_seen = |c: &char| {
        let shows_nothing = is_default_ignorable(*c)
            || get_general_category(*c) == GeneralCategory::Format
            || (is_refused(*c) && !c.is_whitespace());
        !shows_nothing
    };
    text.nfkc().filter(is_seen).collect()
}

/// Without one layer of JSON's escapes, of percent-encoding and of HTML's character references.
fn decoded(text: &str) -> String {
    let text = unescaped(text);
    let text = percent_decode_str(&text).decode_utf8_lossy();
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text.as_ref();
    while let Some(at) = rest.find('&') {
        let (before, reference) = rest.split_at(at);
        decoded.push_str(before);
        let (character, length) = referred(reference).unwrap_or((Some('&'), 1));
        decoded.extend(character);
        rest = reference.get(length..).unwrap_or_default();
    }
    decoded.push_str(rest);
    decoded
}

/// Without one layer of JSON's escapes: excerpts of a provider's answer are as they are written there.
fn unescaped(text: &str) -> String {
    let mut units: Vec<u16> = Vec::new();
    let mut unescaped = String::with_capacity(text.len());
    let mut rest = text;
    let end = |units: &mut Vec<u16>, unescaped: &mut String| {
        let read = char::decode_utf16(units.drain(..));
        unescaped.extend(read.map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)));
    };
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        if !before.is_empty() {
            end(&mut units, &mut unescaped);
            unescaped.push_str(before);
        }
        let digits = escape.strip_prefix("\\u").and_then(|hex| hex.get(..4));
        let unit = digits.filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
        if let Some(unit) = unit.and_then(|hex| u16::from_str_radix(hex, 16).ok()) {
            units.push(unit);
            rest = escape.get(6..).unwrap_or_default();
            continue;
        }
        end(&mut units, &mut unescaped);
        let mut characters = escape.chars();
        characters.next();
        match characters.next() {
            Some(c @ ('/' | '"' | '\\')) => unescaped.push(c),
            Some(c) => unescaped.extend(['\\', c]),
            None => unescaped.push('\\'),
        }
        rest = characters.as_str();
    }
    end(&mut units, &mut unescaped);
    unescaped.push_str(rest);
    unescaped
}

/// The character that a reference at the text's beginning stands for, and the reference's length in bytes. Of the
/// names only those of characters that an address is made of have one.
fn referred(text: &str) -> Option<(Option<char>, usize)> {
    const NAMES: [(&str, char); 7] = [
        ("&commat;", '@'),
        ("&period;", '.'),
        ("&amp;", '&'),
        ("&plus;", '+'),
        ("&lowbar;", '_'),
        ("&UnderBar;", '_'),
        ("&percnt;", '%'),
    ];
    if let Some((name, character)) = NAMES.iter().find(|(name, _)| text.starts_with(name)) {
        return Some((Some(*character), name.len()));
    }
    let Some(number) = text.strip_prefix("&#") else {
        return named(text);
    };
    let (radix, digits) = match number.strip_prefix(['x', 'X']) {
        Some(digits) => (16, digits),
        None => (10, number),
    };
    let count = digits.chars().take_while(|c| c.is_digit(radix)).count();
    // Digits are ASCII, so each is a byte. Zeros may stand before them.
    let value = digits.get(..count)?.trim_start_matches('0');
    let character = char::from_u32(u32::from_str_radix(value, radix).ok()?)?;
    let end = text.len() - digits.len() + count;
    let is_closed = text.get(end..).is_some_and(|rest| rest.starts_with(';'));
    Some((Some(character), end + usize::from(is_closed)))
}

/// A reference by any other name, which is left out: many of them show nothing, such as `&shy;`.
fn named(text: &str) -> Option<(Option<char>, usize)> {
    const NAME_BYTES: usize = 32;
    let rest = text.strip_prefix('&')?;
    let count = (rest.bytes().take(NAME_BYTES))
        .take_while(u8::is_ascii_alphanumeric)
        .count();
    let is_closed = rest.get(count..).is_some_and(|rest| rest.starts_with(';'));
    (count > 0 && is_closed).then_some((None, count + 2))
}

/// The addresses around each `@`.
fn of_shown(text: &str) -> Vec<MailAddress> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices('@') {
        let before = local_side(&text[..at]);
        if before.is_empty() || is_masked(&before) {
            continue;
        }
        let domains = domains(&text[at + 1..]);
        let Some(shortest) = domains.first() else {
            continue;
        };
        let parsed = |local: &str, domain: &DomainName| {
            let address = format!("{local}@{}", domain.as_str());
            address.parse::<MailAddress>().ok()
        };
        let local = tails(&before).find(|tail| parsed(tail, shortest).is_some());
        let Some(local) = local else { continue };
        found.extend(domains.iter().rev().filter_map(|it| parsed(local, it)));
    }
    found
}

/// What may belong to an address, of what stands before an `@`: a quoted text as a whole.
fn local_side(before: &str) -> String {
    if let Some(quoted) = before.strip_suffix('"') {
        let inner: Vec<char> = (quoted.chars().rev().take(SIDE_CHARS))
            .take_while(|c| *c != '"')
            .collect();
        let inner: String = inner.into_iter().rev().collect();
        return format!("\"{inner}\"");
    }
    // No address ends with a dot before its @, but some programs let it pass.
    let local: Vec<char> = (before.trim_end_matches('.').chars().rev())
        .take(SIDE_CHARS)
        .take_while(|c| is_of_local(*c))
        .collect();
    local.into_iter().rev().collect()
}

/// The ends of a text that could be a local part, the longest first. DANGER: what stands before an address without
/// a space makes the whole none: a link's query, `…`, or a sentence of a script that has no spaces.
fn tails(before: &str) -> impl Iterator<Item = &str> {
    let starts = before.char_indices().map(|(at, _)| at);
    starts
        .filter(|at| before.len() - at <= LOCAL_BYTES)
        .map(|at| &before[at..])
}

/// Whether the host has masked it: one character, and nothing of an address before it.
fn is_masked(before: &str) -> bool {
    let Some(shown) = before.strip_suffix("***") else {
        return false;
    };
    let mut shown = shown.chars().rev();
    let _first = shown.next();
    let is_more = |c: char| c.is_alphanumeric() || is_combining_mark(c) || "._+-".contains(c);
    !shown.next().is_some_and(is_more)
}

/// The domains with which a text begins, the shortest first: a sentence may go on without a space, so each end of a
/// run of letters or digits of ASCII, or of others, is an end.
fn domains(after: &str) -> Vec<DomainName> {
    let domain: Vec<char> = (after.chars().take(SIDE_CHARS))
        .take_while(|c| is_of_domain(*c))
        .map(|c| if is_dot(c) { '.' } else { c })
        .collect();
    let begin = |end: usize| domain[..end].iter().collect::<String>().parse().ok();
    let is_end = |end: &usize| {
        let (last, next) = (domain[end - 1], domain.get(*end));
        let same = |next: &char| {
            is_combining_mark(*next)
                || (next.is_alphanumeric() && next.is_ascii() == last.is_ascii())
        };
        last != '.' && last != '-' && !next.is_some_and(same)
    };
    let found: Vec<DomainName> = (1..=domain.len())
        .filter(is_end)
        .filter_map(begin)
        .collect();
    if !found.is_empty() {
        return found;
    }
    // The end runs into what is too long to be one.
    let dot = domain.iter().position(|c| *c == '.');
    let ends = dot.into_iter().flat_map(|dot| dot + 2..=dot + 3);
    ends.filter(|end| *end <= domain.len())
        .filter_map(begin)
        .collect()
}

const fn is_dot(c: char) -> bool {
    matches!(c, '.' | '\u{3002}' | '\u{ff0e}' | '\u{ff61}')
}

fn is_of_domain(c: char) -> bool {
    c.is_alphanumeric() || c == '-' || is_dot(c) || is_combining_mark(c)
}

/// A slash may be of an address as well, but ends what stands before the `@` of a profile's page.
fn is_of_local(c: char) -> bool {
    c.is_alphanumeric() || is_combining_mark(c) || "!#$%&'*+-.=^_`{|}~".contains(c)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn escapes_of_json_are_read() {
        for (text, read) in [
            (r"\u0040\/\\", "@/\\"),
            (r"\ud83d\ude00 \ud83d", "\u{1f600} \u{fffd}"),
            (r"\n\uzz40 \", r"\n\uzz40 \"),
            ("é\\u00e9", "éé"),
        ] {
            assert_eq!(unescaped(text), read, "{text}");
        }
    }

    #[test]
    fn an_address_is_found_however_it_is_written() {
        for text in [
            r#""full_name":"sam\u0040acme.example""#,
            r#""full_name":"sam@acme\u002eexample""#,
            r#""\u0073am@acme.example":"Sam""#,
            r"sam\\u0040acme.example",
            "sam@acme.example",
            "Write to Sam@Acme.Example.Then call.",
            "<mailto:sam@acme.example?subject=x>",
            "sam\u{ff20}acme.example",
            "sam@acme\u{3002}example",
            "s\u{ad}am\u{200b}@acme.example",
            "sam&#64;acme.example",
            "sam&#x0040;acme&period;example",
            "sam&#64acme.example",
            "sam&commat;acme.example",
            "sam&amp;#64;acme.example",
            "s%61m%40acme%2Eexample",
            "https://acme.example/?u=https%3A%2F%2Fx.example%2F%3Fq%3Dsam%2540acme.example",
            "sam@m\u{fc}ller.example",
            "\u{3c3}\u{3b1}\u{3bc}@acme.example",
            "https://x.example/?utm_campaign=a-long-campaign-name-in-the-spring-of-this-year&step=3&email=sam%40acme.example",
            "https://x.example/?a=..&email=sam%40acme.example",
            "Contact\u{2026}jane@acme.example",
            "Contact...jane@acme.example",
            "Write..sam.okafor@acme.example",
            "\u{8054}\u{7cfb}\u{6211}\u{4eec}\u{7684}\u{540c}\u{4e8b}\u{8bf7}\u{5199}\u{4fe1}\u{5230}\u{4e0b}\u{9762}\u{7684}\u{5730}\u{5740}\u{8c22}\u{8c22}\u{60a8}\u{7684}\u{8010}\u{5fc3}sam@acme.example",
            "sam@acme.example\u{3092}\u{3054}\u{89a7}\u{304f}\u{3060}\u{3055}\u{3044}\u{305d}\u{306e}\u{5f8c}\u{3067}\u{96fb}\u{8a71}\u{3092}\u{304f}\u{3060}\u{3055}\u{3044}\u{3088}\u{308d}\u{3057}\u{304f}\u{304a}\u{9858}\u{3044}\u{3057}\u{307e}\u{3059}",
            "sam@acme.example--see there",
            "sam.@acme.example",
            "\"sam okafor\"@acme.example",
            "sam.okafor***@acme.example",
            "sa***@acme.example",
            "s.a***@acme.example",
            "sam&shy;@acme.example",
            "sam@ac&zwnj;me.example",
            "sam&#0;%01@acme.example",
            "s\u{fff9}am\u{fffb}@acme.example",
            "sam\u{13430}@acme.example",
            "@sam@social.example",
            "_@acme.example",
            "sam (at) acme.example",
            "sam[at]acme[dot]example",
            "Ask sam(ät)acme(punkt)example.",
            "sam (arroba) acme (punto) example",
            "sam.okafor (arobase) acme.example",
            "sam%20(at)%20acme.example",
            "s\u{ad}am \u{ff08}at\u{ff09} acme.example",
        ] {
            assert!(!addresses(text).is_empty(), "{text}");
        }
        let found = addresses("ask sam%40m%C3%BCller.example");
        assert_eq!(found[0].in_clear(), "sam@xn--mller-kva.example");
    }

    #[test]
    fn what_has_an_at_sign_is_not_always_an_address() {
        for text in [
            "",
            "@",
            "90% @ once",
            "https://pages.example/@sam.okafor",
            "s***@acme.example",
            "Write to \u{e9}***@acme.example.",
            "https://x.example/?email=s***%40acme.example",
            "****@acme.example",
            "***@acme.example",
            "@acme.example wrote",
            "sam@localhost",
            "AT&T, 100%, R&D; &#; &#x;",
            "Acme (UK) acme.example",
            "Annual report (pdf) acme.example",
            "s*** (at) acme.example",
        ] {
            assert_eq!(addresses(text), [], "{text}");
        }
    }

    #[test]
    fn the_address_itself_is_found_in_every_layer() {
        let of = |address: &str| address.parse::<MailAddress>().unwrap();
        for (text, address) in [
            ("xSAM@acme.example", "sam@acme.example"),
            ("q=1&e=sam%40acme.example", "sam@acme.example"),
            ("e=sam%2540acme%252Eexample", "sam@acme.example"),
            ("\u{8054}sam@m\u{fc}ller.example", "sam@m\u{fc}ller.example"),
            (
                "e=%22sam%20okafor%22%40acme.example",
                "\"sam okafor\"@acme.example",
            ),
            ("\"Sam Okafor\"@acme.example", "\"sam okafor\"@acme.example"),
            ("sam&#x2060;@acme.example", "sam@acme.example"),
            ("Mail: Sam (at) acme [dot] example", "sam@acme.example"),
        ] {
            assert!(shows(text, &of(address)), "{text}");
        }
        assert!(!shows("s***@acme.example", &of("sam@acme.example")));
        assert!(!shows("ada@acme.example", &of("sam@acme.example")));
        // Whoever erases an address erases what was sent to it under a tag.
        assert!(shows("to Sam+news@acme.example", &of("sam@acme.example")));
        assert!(shows("sam%2Bnews%40acme.example", &of("sam@acme.example")));
        assert!(!shows("sam@acme.example", &of("sam+news@acme.example")));
        assert!(!shows("ada+sam@acme.example", &of("sam@acme.example")));
    }

    /// A text of nothing but beginnings of addresses.
    #[test]
    fn a_long_text_is_read_in_time() {
        for text in [
            "a@b.c-".repeat(400),
            "a.@a.a".repeat(400),
            "\u{e9}.a".repeat(400) + "@" + &"a\u{e9}.".repeat(400),
        ] {
            let _ = addresses(&text);
        }
    }

    proptest! {
        /// Whatever stands directly before and behind it. (A mark would make another letter of its end.)
        #[test]
        fn an_address_is_found_in_any_surroundings(before in "\\PC{0,80}", after in "([^\\p{M}\\p{C}]\\PC{0,80})?", encoded: bool) {
            let address = if encoded { "sam%40acme.example" } else { "sam@acme.example" };
            let text = format!("{before}{address}{after}");
            let sam: MailAddress = "sam@acme.example".parse().unwrap();
            prop_assert!(shows(&text, &sam), "{text}");
        }

        /// Also if it is somebody else's.
        #[test]
        fn anybodys_address_is_found_in_any_surroundings(before in "[^@*\\p{M}\\p{C}]{0,80}", after in "([^\\p{M}\\p{C}\\p{L}\\p{N}-][^\\p{C}]{0,80})?") {
            let text = format!("{before}sam@acme.example{after}");
            prop_assert!(!addresses(&text).is_empty(), "{text}");
        }

        #[test]
        fn no_text_panics(text in "[@&#;%.a0-9xé\u{200b} ]{0,60}|\\PC{0,60}") {
            let _ = addresses(&text);
        }

        #[test]
        fn an_address_within_words_is_found(
            local in "[a-z][a-z0-9+_]{0,10}",
            before in "[a-z ]{0,10} ",
            after in "( [a-z ]{0,10})?",
        ) {
            let address = format!("{local}@acme.example");
            let found = addresses(&format!("{before}{address}{after}"));
            prop_assert_eq!(found.iter().map(MailAddress::in_clear).collect::<Vec<_>>(), [address]);
        }
    }
}
