//! Marks by which a writer means more than he writes. In a plain text a reader sees them as they stand: `**free**`.

/// Marks around words that Markdown shows in another way.
const AROUND: [char; 4] = ['*', '_', '~', '`'];
/// Most signs of a heading's mark.
const HEADING: usize = 6;

/// Whether a line has marks of Markdown: words between asterisks, a heading, code. `5 * 3`, `from €5*` and `snake_case`
/// have none. What stands for a placeholder counts as a word.
#[must_use]
pub fn has_markdown(line: &str) -> bool {
    let opening = line.trim_start();
    let rest = opening.trim_start_matches('#');
    let is_heading = (1..=HEADING).contains(&(opening.len() - rest.len())) && rest.starts_with(' ');
    is_heading || AROUND.iter().any(|mark| stands_around_words(line, *mark))
}

/// Whether runs of the mark stand around words: one that opens behind a blank or a bracket, and a later one of its length
/// that closes before a blank or a mark. Two or more asterisks do within words, too: scripts without blanks have no others.
fn stands_around_words(line: &str, mark: char) -> bool {
    // Of these, one alone means something else: a stroke, about.
    let least = if mark == '~' { 2 } else { 1 };
    let mut open: Option<usize> = None;
    let mut at = 0;
    while let Some(found) = line.get(at..).and_then(|rest| rest.find(mark)) {
        let begin = at + found;
        let rest = line.get(begin..).unwrap_or_default();
        let length = rest.len() - rest.trim_start_matches(mark).len();
        let end = begin + length;
        let before = line.get(..begin).and_then(|text| text.chars().next_back());
        let behind = line.get(end..).and_then(|text| text.chars().next());
        let is_anywhere = length > 1 && mark != '_';
        let is_outside = |c: Option<char>| is_anywhere || c.is_none_or(|c| !c.is_alphanumeric());
        let is_inside = |c: Option<char>| c.is_some_and(|c| !c.is_whitespace());
        if open == Some(length) && is_inside(before) && is_outside(behind) {
            return true;
        }
        if length >= least && is_outside(before) && behind.is_some_and(|c| opens(mark, length, c)) {
            open = Some(length);
        }
        at = end;
    }
    false
}

/// Whether a run of a mark opens before this character. An asterisk before a bracket or a comma leads to a footnote:
/// `(*)`, `€5*, net`.
fn opens(mark: char, length: usize, behind: char) -> bool {
    match (mark, length) {
        ('*', 1) => behind.is_alphanumeric() || behind == '{',
        ('*', _) => !behind.is_whitespace() && !",.;:!?)]".contains(behind),
        _ => !behind.is_whitespace(),
    }
}

/// Whether a text has tags or entities of HTML: `<b>`, `</p>`, `<br/>`, `&amp;`. A message shows them as they stand, since
/// nothing in it is markup. `a < b`, `<3` and `Ada <ada@acme.example>` have none.
#[must_use]
pub fn has_html(text: &str) -> bool {
    text.match_indices('<').any(|(at, sign)| {
        let inside = text.get(at + sign.len()..).unwrap_or_default();
        begins_with_tag(inside)
    }) || text.match_indices('&').any(|(at, sign)| {
        let name = text.get(at + sign.len()..).unwrap_or_default();
        begins_with_entity(name)
    })
}

/// Whether a tag, a comment or a declaration goes on here, behind its `<`.
fn begins_with_tag(inside: &str) -> bool {
    if inside.starts_with("!--") || inside.starts_with("![") {
        return true;
    }
    let name = inside.strip_prefix(['/', '!', '?']).unwrap_or(inside);
    let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != ':');
    let (name, behind) = name.split_at(end.unwrap_or(name.len()));
    let is_closed = match behind.chars().next() {
        Some('>') => true,
        Some('/') => behind.starts_with("/>"),
        // A browser shows nothing of one that is never closed: `<img src=x`.
        Some(c) if c.is_whitespace() => behind
            .split('<')
            .next()
            .is_some_and(|it| it.contains('>') || has_attribute(it)),
        _ => false,
    };
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && is_closed
}

/// Whether something is set in it as a tag sets it: `src=x`.
fn has_attribute(inside: &str) -> bool {
    inside.split_whitespace().any(|word| {
        let name = word.split_once('=').map(|(name, _)| name);
        name.is_some_and(|name| {
            name.starts_with(|c: char| c.is_ascii_alphabetic())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
        })
    })
}

/// Most letters of an entity's name that are read.
const ENTITY_CHARS: usize = 32;

/// Whether an entity goes on here, behind its `&`. `R&D;` and `AT&T;` have none.
fn begins_with_entity(text: &str) -> bool {
    let Some(end) = text.find(';').filter(|end| *end <= ENTITY_CHARS) else {
        return false;
    };
    let name = text.get(..end).unwrap_or_default();
    match name.strip_prefix('#') {
        Some(number) => {
            let hex = number.strip_prefix(['x', 'X']);
            !number.is_empty()
                && hex.unwrap_or(number).chars().all(|c| c.is_ascii_hexdigit())
                && (hex.is_some() || number.bytes().all(|b| b.is_ascii_digit()))
        }
        None => name.len() > 1 && name.bytes().all(|b| b.is_ascii_alphanumeric()),
    }
}

/// Whether a text has the address of a mailbox. A subject such as `Bcc: all@acme.example` looks like a head of a mail.
#[must_use]
pub fn has_mailbox(text: &str) -> bool {
    text.match_indices('@').any(|(at, sign)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let behind = text.get(at + sign.len()..).unwrap_or_default();
        before.is_some_and(is_of_name) && begins_with_host(behind)
    })
}

/// Whether a text begins with a host, whatever follows it. `3.50` is a price: no domain at the top begins with a digit.
fn begins_with_host(text: &str) -> bool {
    let end = text.find(|c: char| !is_of_host(c)).unwrap_or(text.len());
    let host = text.get(..end).unwrap_or_default();
    let host = host.trim_end_matches(['.', '-']);
    host.rsplit_once('.')
        .is_some_and(|(below, top)| !below.is_empty() && top.starts_with(char::is_alphabetic))
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || "._+-%'\"".contains(c)
}

fn is_of_host(c: char) -> bool {
    c.is_alphanumeric() || ".-".contains(c)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn tags_and_entities_are_html() {
        for text in [
            "It is <b>free</b>.",
            "</p>",
            "one<br>two",
            "one<br/>two",
            "one<BR />two",
            "<a href=\"x\">here</a>",
            "<o:p></o:p>",
            "<!-- note -->",
            "<!doctype html>",
            "Acme &amp; Sons",
            "caf&eacute;",
            "it&#39;s",
            "it&#x27;s",
            "<Firma>",
            "<img src=x",
            "<svg onload='a()'",
        ] {
            assert!(has_html(text), "{text}");
        }
        for text in [
            "a < b and c > d",
            "x <y, z> w",
            "a <b and c = d",
            "I <3 meters > 5",
            "Ada <ada@acme.example>",
            "Acme & Sons",
            "R&D; AT&T; and more",
            "M & A; more",
            "<5 minutes>",
            "->",
            "<",
            "<b",
            "",
        ] {
            assert!(!has_html(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_element_is_told(
            before in "[a-z ]{0,6}", name in "[a-zA-Z][a-z0-9]{0,8}", attribute in "( [a-z]{1,5}=\"[a-z ]{0,5}\")?", slash in "/?", behind in ".{0,8}",
        ) {
            let text = format!("{before}<{name}{attribute}{slash}>{behind}");
            prop_assert!(has_html(&text), "{}", text);
        }

        #[test]
        fn no_text_panics(text in "[<>&;#/! a-z]{0,40}|\\PC{0,40}") {
            let _ = has_html(&text);
        }
    }

    #[test]
    fn marks_around_words_are_markdown() {
        for line in [
            "It is **free** for you.",
            "It is *free*.",
            "**{{company.name}}** opens",
            "# Metering",
            "### Metering at handover",
            "the __second__ block",
            "an _open_ question",
            "run `gtm`",
            "~~one~~ two bills",
            "これは**無料**です",
            "Ein**fach** abrechnen",
            "**“free”** for you",
            "*{{company.name}}* opens",
            // A note begins with an asterisk and does not end with one.
            "*Terms apply*",
        ] {
            assert!(has_markdown(line), "{line}");
        }
        for line in [
            "5 * 3 * 2 flats",
            "from €5*, net of tax*",
            "(*) from 1 May, save 20 %*.",
            "(**) from 1 May, save 20 %**.",
            "from €5**, net of tax**",
            "a **** hotel with a **** kitchen",
            "Name: ____ Date: ____",
            "the file_name_of it",
            "the file__name__of it",
            "#1 of many",
            "C# and F#",
            "about ~5 and ~6 flats",
            "* a note",
            "*Terms apply",
            "from €5* a flat. *Terms apply.",
            "It’s 3 o’clock.",
            "",
        ] {
            assert!(!has_markdown(line), "{line}");
        }
    }

    #[test]
    fn a_mailbox_has_a_host() {
        for text in [
            "Bcc: all@x.example",
            "write to <ada@acme.example>, or call",
            "a@b.c",
            "Bcc: a@x.example,b@y.example",
            "a@x.example/b",
            "a@x.example?cc=b",
            "(a@x.example)b",
            "to:a@x.example;",
            "5@3.50 and a@x.example.",
        ] {
            assert!(has_mailbox(text), "{text}");
        }
        for text in [
            "Metering @ Acme",
            "five@once",
            "@acme.example",
            "Booking.com",
            "5@3.50",
            "follow @acme.example",
            "all@.",
            "",
        ] {
            assert!(!has_mailbox(text), "{text}");
        }
    }
}
