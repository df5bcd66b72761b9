//! Which lines of a run of text stand together.

use gtm_lexicon::segments::JOINTS;

use crate::is_joined;

/// Represents a line break of the page in the collected text. If this character occurs in the source, it
/// breaks the line too, which is its meaning.
pub(super) const LINE_BREAK: char = '\u{2028}';

/// Ends a line of which all is set in bold. If it occurs in the source, it is a blank.
pub(super) const BOLD_END: char = '\u{2029}';

/// Splits a run at every empty line that the page shows or, in preformatted text, at every line.
///
/// `breaks_nouns` tells whether the page's language writes every noun with a capital, so that small letters behind a hyphen are
/// the rest of a word.
pub(super) fn pieces(run: &str, preformatted: bool, breaks_nouns: bool) -> Vec<String> {
    if preformatted {
        return run
            .split(['\n', '\r', LINE_BREAK])
            .map(str::to_owned)
            .collect();
    }
    let lines: Vec<&str> = run.split(LINE_BREAK).collect();
    let mut pieces = Vec::new();
    for part in lines.split(|line| line.trim().is_empty()) {
        // Lines of labels and values are a table that somebody wrote as a paragraph.
        let labeled = part.iter().filter(|line| has_label(line)).count();
        let is_table = labeled >= LABELED_LINES || are_contacts(part);
        let mut piece = String::new();
        for (at, line) in part.iter().enumerate() {
            if is_table && has_label(line) {
                pieces.push(std::mem::take(&mut piece));
            }
            let next = part.get(at + 1).filter(|_| line.ends_with(BOLD_END));
            let is_head = next.is_some_and(|next| stands_over(line, next));
            if is_head {
                pieces.push(std::mem::take(&mut piece));
            }
            add(&mut piece, line, breaks_nouns);
            if is_head {
                pieces.push(std::mem::take(&mut piece));
            }
        }
        pieces.push(piece);
    }
    pieces
}

/// Adds a line to those before it. A hyphen that ends a line within a word goes: `Fachge-` and `bieten`. One of a compound
/// stays, as one of an address does, and one that stands for the rest of a word keeps its blank: `Zimmer- und Dachdecker`.
fn add(piece: &mut String, line: &str, breaks_nouns: bool) {
    let begun = piece.trim_end();
    let is_soft = begun.ends_with(SOFT_HYPHEN);
    let stem = begun.strip_suffix(['-', '\u{2010}', SOFT_HYPHEN]);
    let next = line.trim_start();
    let first = next.split(|c: char| !c.is_alphabetic()).next();
    let first = first.unwrap_or_default().to_lowercase();
    let mut joints = JOINTS.iter();
    let goes_on = next.starts_with(char::is_lowercase)
        && (is_soft || !joints.any(|(_, joints)| joints.contains(&first)));
    match stem {
        Some(stem) if goes_on && stem.ends_with(char::is_alphabetic) => {
            let is_soft = is_soft || breaks_nouns && !is_within_address(stem, next);
            let kept = if is_soft { stem.len() } else { begun.len() };
            piece.truncate(kept);
            piece.push_str(next);
        }
        _ => piece.push_str(line),
    }
    piece.push(' ');
}

/// Whether a line ends, or the next one begins, with a part of an address, whose hyphen belongs to it: `info@holz-`,
/// `bau.example`.
fn is_within_address(stem: &str, next: &str) -> bool {
    let last = stem.rsplit(char::is_whitespace).next().unwrap_or_default();
    let first = next.split(char::is_whitespace).next().unwrap_or_default();
    // What ends a sentence or a clause is no part of the word.
    let first = first.trim_end_matches(|c: char| !c.is_alphanumeric());
    last.contains(['@', '/', '.'])
        || last.to_lowercase().starts_with("www")
        || first.contains(['@', '.'])
}

const SOFT_HYPHEN: char = '\u{ad}';

/// Fewest lines with labels that make a table of a paragraph: two are common in prose that is wrapped.
const LABELED_LINES: usize = 3;
/// Fewest such lines if each gives a mailbox or a number to call.
const CONTACT_LINES: usize = 2;
/// Fewest digits of a number to call.
const NUMBER: usize = 6;
/// Most words of a bold line that stands over what follows, and of the next line of an address.
const LONGEST_HEAD: usize = 6;

/// Whether several lines have labels, and all of these give a mailbox or a number: `Phone: …`, `E-mail: …`.
fn are_contacts(lines: &[&str]) -> bool {
    let labeled = || lines.iter().filter(|line| has_label(line));
    let reaches = |line: &&&str| {
        let value = line.split_once([':', '：']).map_or("", |(_, value)| value);
        let digits = value.chars().filter(char::is_ascii_digit).count();
        let letters = value.chars().filter(|c| c.is_alphabetic()).count();
        value.contains('@') || digits >= NUMBER && letters < digits
    };
    labeled().count() >= CONTACT_LINES && labeled().all(|line| reaches(&line))
}

/// Whether a bold line is a name or a heading over the next one: a person over a role. A company's name over its street is
/// a part of the address.
fn stands_over(line: &str, next: &str) -> bool {
    let line = line.trim_matches(|c: char| c.is_whitespace());
    let digit = |c: char| c.is_ascii_digit();
    let words = next.split_whitespace().count();
    let of_address = words <= LONGEST_HEAD && next.contains(digit);
    (1..=LONGEST_HEAD).contains(&line.split_whitespace().count())
        && words > 0
        && !line.contains(digit)
        && !line.ends_with([',', ':', '：', '-', '–', '.', '、'])
        && !next.trim_start().starts_with(char::is_lowercase)
        && !of_address
}

/// Longest label, in words and in characters.
const LABEL_WORDS: usize = 4;
const LABEL_CHARS: usize = 30;

/// Most signs of a label that only blanks part from its value.
const LABEL_SIGNS: usize = 8;

/// Whether a line of a script without blanks begins with a few signs that a wide blank parts from the rest:
/// `代表者　青葉 太郎`. Its sentences have no such blanks.
fn has_parted_label(line: &str) -> bool {
    let line = line.trim_start_matches(|c: char| c.is_whitespace() || c == '■' || c == '●');
    let parted = line
        .split_once('\u{3000}')
        .or_else(|| line.split_once("  "));
    parted.is_some_and(|(label, value)| {
        let signs = label.chars().count();
        (2..=LABEL_SIGNS).contains(&signs)
            && label.chars().all(is_joined)
            && !value.trim().is_empty()
    })
}

/// Whether a line begins with a label: `Tel.: 0113 …`, `所在地：千葉県…`.
fn has_label(line: &str) -> bool {
    if has_parted_label(line) {
        return true;
    }
    let Some((label, value)) = line.split_once([':', '：']) else {
        return false;
    };
    let label = label.trim();
    label.starts_with(char::is_alphabetic)
        // `at 10:30`
        && !label.ends_with(char::is_numeric)
        && label.chars().count() <= LABEL_CHARS
        && label.split_whitespace().count() <= LABEL_WORDS
        && !value.starts_with("//")
}

#[cfg(test)]
mod tests {
    use crate::html::blocks;

    fn texts(html: &str) -> Vec<String> {
        blocks(html).into_iter().map(|block| block.text).collect()
    }

    #[test]
    fn a_word_that_a_line_break_cuts_is_whole_again() {
        for (language, html, text) in [
            (
                "de",
                "zu unseren Fachge-<br>bieten",
                "zu unseren Fachgebieten",
            ),
            (
                "de-AT",
                "in allen Belan-<br />gen rund ums Haus",
                "in allen Belangen rund ums Haus",
            ),
            ("de", "Zimmer-<br>und Dachdecker", "Zimmer- und Dachdecker"),
            ("de", "Online-<br>Termine", "Online- Termine"),
            ("en", "state-of-the-<br>art tools", "state-of-the-art tools"),
            (
                "en",
                "pre-<br>and post-war houses",
                "pre- and post-war houses",
            ),
            ("en", "from dusk -<br>or dawn", "from dusk - or dawn"),
            ("fr", "menui&shy;<br>serie", "menuiserie"),
            ("de", "Fach&shy;gebiete", "Fachgebiete"),
            (
                "de",
                "Mail: info@holz-<br>bau.example",
                "Mail: info@holz-bau.example",
            ),
            (
                "de",
                "Auf www.holz-<br>bau-ulm.example",
                "Auf www.holz-bau-ulm.example",
            ),
            (
                "de",
                "Mehr auf holz-<br>bau.example",
                "Mehr auf holz-bau.example",
            ),
            (
                "de",
                "z. B. in allen Belan-<br>gen. Gern!",
                "z. B. in allen Belangen. Gern!",
            ),
        ] {
            let page = format!("<html lang={language}><p>{html}</p>");
            assert_eq!(texts(&page), [text], "{language}");
        }
    }

    #[test]
    fn a_bold_line_stands_over_the_next() {
        for (html, expected) in [
            (
                "<p><strong>Jane Roe</strong><br>Head of Sales</p>",
                &["Jane Roe", "Head of Sales"][..],
            ),
            (
                "<div><b>Oak stairs</b> <br/>We build them to last for a hundred years.</div>",
                &["Oak stairs", "We build them to last for a hundred years."],
            ),
            (
                "<p><strong>Acme Ltd</strong><br>4 Mill Lane<br>Leeds</p>",
                &["Acme Ltd 4 Mill Lane Leeds"],
            ),
            (
                "<p><strong>Phone:</strong><br>0113 555 0100</p>",
                &["Phone: 0113 555 0100"],
            ),
            (
                "<p><strong>Jane</strong> Roe<br>Head of Sales</p>",
                &["Jane Roe Head of Sales"],
            ),
            (
                "<p><strong>Every stair</strong><br>is built to last.</p>",
                &["Every stair is built to last."],
            ),
            ("<h3><strong>Oak</strong><br>Ash</h3>", &["Oak Ash"]),
            ("<p>Oak<br>Ash</p>", &["Oak Ash"]),
        ] {
            assert_eq!(texts(html), expected, "{html}");
        }
    }

    #[test]
    fn lines_of_labels_and_values_stand_apart() {
        assert_eq!(
            texts(
                "<p>屋号：あおば<br>代表者：青葉 太郎<br>所在地：千葉県<br>佐倉市1-2<br>設立：2017年</p>"
            ),
            [
                "屋号：あおば",
                "代表者：青葉 太郎",
                "所在地：千葉県 佐倉市1-2",
                "設立：2017年"
            ]
        );
        assert_eq!(
            texts("<p>Acme Ltd<br>Phone: 0113 1<br>Fax: 0113 2<br>Email:<br>a@acme.example</p>"),
            [
                "Acme Ltd",
                "Phone: 0113 1",
                "Fax: 0113 2",
                "Email: a@acme.example"
            ]
        );
        assert_eq!(
            texts(
                "<p>会社名　株式会社青葉<br>代表者　青葉 太郎<br>所在地　千葉県<br>佐倉市1-2<br>設立　2017年</p>"
            ),
            [
                "会社名 株式会社青葉",
                "代表者 青葉 太郎",
                "所在地 千葉県 佐倉市1-2",
                "設立 2017年"
            ]
        );
        assert_eq!(
            texts("<p>Acme Ltd<br>Phone: 0113 555 0100<br>E-mail: a@acme.example</p>"),
            ["Acme Ltd", "Phone: 0113 555 0100", "E-mail: a@acme.example"]
        );
        for whole in [
            "<p>春の空　青く<br>夏の海　広く<br>また来ます</p>",
            "<p>We say:<br>it is: so.</p>",
            "<p>Open at 10:30<br>or 12:30<br>or 14:30</p>",
            "<p>Note: call us<br>Phone: 0113 555 0100</p>",
            "<p>See https://a.example<br>or https://b.example<br>or https://c.example</p>",
        ] {
            assert_eq!(texts(whole).len(), 1, "{whole}");
        }
    }
}
