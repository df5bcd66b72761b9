//! Mails that are pasted into a brief: what stands above them, and the lines with which they quote another mail.
//!
//! Danger: addresses and names of colleagues stand there, and `> ` before a line would make a quotation of the customer's own
//! request. So the lines above a mail are never printed, and what it quotes is read like the rest of the brief.

use gtm_lexicon::documents::{FORWARDED, MAIL_LABELS, MAIL_SENDERS, SUBJECT_LABELS, WROTE};
use gtm_lexicon::{fold, months, split};

use super::line_kinds::is_heading;
use super::{one_line, stamps};

/// Longest line above a quoted mail, in words.
const WROTE_WORDS: usize = 24;
/// Fewest labels that make a head of a mail.
const FEWEST_LABELS: usize = 2;

/// A brief without the heads of its mails.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Mails {
    pub text: String,
    /// The lines that were taken out.
    pub heads: Vec<String>,
    /// What the mails are about, which titles a letter.
    pub subject: Option<String>,
    /// Whether a mail is quoted in another.
    pub quotes: bool,
    /// Where in the text the first quoted one begins.
    pub quoted_from: Option<usize>,
}

/// What a line of a mail's head says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    Sender,
    Subject,
    Other,
}

impl Mails {
    /// The mails of a text, if it has any.
    pub fn of(text: &str) -> Option<Self> {
        let lines: Vec<&str> = text.lines().collect();
        let mut mails = Self::default();
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            let bare = match mails.quotes {
                true => unquoted(line),
                false => line,
            };
            let rest = lines.get(at..).unwrap_or_default();
            let head = head_at_start(rest);
            let taken = match head {
                0 if is_forwarded(bare) => 1,
                0 => attribution_at_start(rest),
                head => head,
            };
            if taken == 0 {
                // A quotation behind a heading is one of the document.
                mails.quotes &= !is_heading(line);
                mails.text.push_str(bare);
                mails.text.push('\n');
                at += 1;
                continue;
            }
            mails.quotes |= head == 0;
            if mails.quotes && !mails.text.trim().is_empty() {
                mails.quoted_from.get_or_insert(mails.text.len());
            }
            for line in rest.iter().take(taken) {
                let bare = unquoted(line);
                if let (Some(Label::Subject), Some((_, said))) =
                    (label_of(bare), bare.split_once([':', '：']))
                {
                    mails.subject.get_or_insert_with(|| one_line(said));
                }
                mails.heads.push(one_line(bare));
            }
            mails.text.push('\n');
            at += taken;
        }
        (!mails.heads.is_empty()).then_some(mails)
    }
}

/// A line without the marks of what quotes it.
fn unquoted(line: &str) -> &str {
    let mut bare = line;
    while let Some(rest) = bare.trim_start().strip_prefix('>') {
        bare = rest;
    }
    match bare.len() < line.len() {
        true => bare.strip_prefix(' ').unwrap_or(bare),
        false => line,
    }
}

/// How many lines at the start are a mail's head. `From: Leeds` and `To: Hull` are no mail, so one of them names an address or
/// a subject.
fn head_at_start(lines: &[&str]) -> usize {
    let labeled = lines
        .iter()
        .map_while(|line| Some((label_of(unquoted(line))?, *line)));
    let head: Vec<(Label, &str)> = labeled.collect();
    let has = |wanted: Label| head.iter().any(|(label, _)| *label == wanted);
    let is_mail = has(Label::Subject) || head.iter().any(|(_, line)| line.contains('@'));
    match head.len() >= FEWEST_LABELS && has(Label::Sender) && is_mail {
        true => head.len(),
        false => 0,
    }
}

fn label_of(line: &str) -> Option<Label> {
    let line = line.trim().trim_start_matches('*');
    let (label, _) = line.split_once([':', '：'])?;
    let folded = fold(label);
    let words = split(&folded);
    if words.is_empty() {
        return None;
    }
    match words {
        words if MAIL_SENDERS.are(&words) => Some(Label::Sender),
        words if SUBJECT_LABELS.are(&words) => Some(Label::Subject),
        words if MAIL_LABELS.are(&words) => Some(Label::Other),
        _ => None,
    }
}

/// `-----Original Message-----`
fn is_forwarded(line: &str) -> bool {
    let bare = line.trim();
    let marked = bare.starts_with(['-', '_', '*']) || bare.ends_with(':');
    let folded = fold(bare);
    marked && FORWARDED.are(&split(&folded))
}

/// How many lines at the start say who wrote the mail below, and when: `On 3 May, Sam wrote:`.
fn attribution_at_start(lines: &[&str]) -> usize {
    let quoted_below = |taken: usize| {
        let below = lines.get(taken..).unwrap_or_default();
        let next = below.iter().find(|line| !line.trim().is_empty());
        next.is_some_and(|line| line.trim_start().starts_with('>'))
    };
    (1..=2)
        .find(|taken| {
            let said = lines.get(..*taken).map(|lines| lines.join(" "));
            said.is_some_and(|said| attributes(unquoted(&said), quoted_below(*taken)))
        })
        .unwrap_or(0)
}

fn attributes(said: &str, quoted_below: bool) -> bool {
    let said = said.trim();
    if !said.ends_with([':', '：']) {
        return false;
    }
    let folded = fold(said);
    let words = split(&folded);
    if words.len() > WROTE_WORDS || !WROTE.any_in(&words) {
        return false;
    }
    let month = months().any(|(name, _)| {
        let name = fold(name);
        words.iter().any(|word| *word == name)
    });
    let numbered = said.contains(char::is_numeric);
    let dated = numbered && (month || said.matches(['/', '.', '-']).count() >= 2);
    let timed = said
        .split_whitespace()
        .any(|word| stamps::is_stamp(word.trim_end_matches([',', ':'])));
    // `In 2019 the auditor wrote:` quotes a text.
    said.contains('@') || timed || (dated && quoted_below)
}

#[cfg(test)]
mod tests {
    use super::super::Brief;
    use super::*;

    #[test]
    fn heads_of_mails_and_lines_above_quoted_ones_are_never_printed() {
        for (language, brief, said) in [
            (
                "en",
                "From: Petra Olsen <petra@halden.example>\nSent: 3 May 2027 09:12\nTo: Sam Reed\nSubject: Cranes\n\nHi Sam,\n\nCould you \
                 make a proposal for Halden?\n\nHalden lost 19 crane days last winter.\n\nThanks, Jo",
                vec!["Halden lost 19 crane days last winter."],
            ),
            (
                "en",
                "Can someone make a deck from this? 6 slides\n\nOn 3 May 2027, Petra Olsen wrote:\n> Hi Sam,\n> \n> Our 14 cranes \
                 stood still for 19 days.\n> Can you send us a quote by Friday?\n> \n> Best,\n> Petra",
                vec!["Our 14 cranes stood still for 19 days."],
            ),
            (
                "de",
                "Von: Jana Voss\nGesendet: Montag, 3. Mai 2027\nAn: Piet\nBetreff: Tannach\n\nHallo Piet,\n\nkannst du ein Angebot \
                 für Tannach machen?\n\nTannach liest 900 Zähler ab.\n\nViele Grüße\nJana",
                vec!["Tannach liest 900 Zähler ab."],
            ),
            (
                "fr",
                "Fais une proposition à partir de ce mail, 2 pages.\n\nLe 3 mai 2027 à 09:12, Zoé Morel a écrit :\n> Kerhoz livre 40 \
                 magasins chaque nuit.",
                vec!["Kerhoz livre 40 magasins chaque nuit."],
            ),
        ] {
            let read = Brief::read(brief, language);
            let text = read.text();
            let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
            assert_eq!(lines, said, "{:?} {:?}", read.directions, read.mail_frame);
            assert!(!read.mail_frame.is_empty() && !read.is_letter);
        }
    }

    #[test]
    fn labels_and_quotations_of_texts_are_no_mails() {
        for text in [
            "From: Leeds\nTo: Hull\n\nWe carry 40 pallets.",
            "In 2019 the auditor wrote:\n\n> The gates leak.",
            "Sam wrote the plan.\nFrom: Leeds",
        ] {
            assert_eq!(Mails::of(text), None, "{text}");
        }
    }
}
