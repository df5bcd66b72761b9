//! Mails that are pasted into a brief: what stands above them, and the lines with which they quote another mail.
//!
//! Danger: addresses and names of colleagues stand there, and `> ` before a line would make a quotation of the customer's own
//! request. So the lines above a mail are never printed, and what it quotes is read like the rest of the brief.

use gtm_lexicon::documents::{
    FORWARDED, LETTER_CLOSINGS, MAIL_LABELS, MAIL_SENDERS, REPLY_MARKS, SUBJECT_LABELS, WROTE,
};
use gtm_lexicon::proofs::TESTIMONIAL_HEADINGS;
use gtm_lexicon::{fold, is_month, split};

use super::letters::is_salutation;
use super::line_kinds::{is_full, is_heading, is_sentence};
use super::{one_line, stamps};

/// Longest line above a quoted mail, in words.
const WROTE_WORDS: usize = 24;
/// Fewest characters of a quoted line that goes on without a mark.
const QUOTED_WIDTH: usize = 60;
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
    /// The text without what it quotes.
    pub own: String,
    /// The lines that it quotes.
    pub quoted: Vec<String>,
}

/// How a text quotes a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quotes {
    /// Each line has a mark, or is the end of one that has and was too long for its mark.
    Marked {
        is_below: bool,
    },
    Rest,
}

impl Quotes {
    /// How the lines quote that begin below a head.
    fn of(below: &[&str]) -> Self {
        let first = below.iter().find(|line| !line.trim().is_empty());
        match first.is_some_and(|line| is_marked(line)) {
            true => Self::Marked { is_below: false },
            false => Self::Rest,
        }
    }

    /// Whether a line is a quoted one; `before` is the line above it.
    fn takes(&mut self, line: &str, before: &str) -> bool {
        match self {
            Self::Rest => true,
            Self::Marked { is_below } => {
                *is_below = is_marked(line) || *is_below && goes_on(before, line);
                *is_below
            }
        }
    }
}

/// Whether a line without a mark goes on with a quoted one. Below a short one stands its answer.
fn goes_on(before: &str, line: &str) -> bool {
    let before = unquoted(before);
    !line.trim().is_empty() && !is_sentence(before) && is_full(before, line, QUOTED_WIDTH)
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
        let mut quoting: Option<Quotes> = None;
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
            if taken == 0 && !mails.quotes && begins_marked(&lines, at) {
                mails.quotes = true;
                quoting = Some(Quotes::Marked { is_below: false });
                if !mails.text.trim().is_empty() {
                    mails.quoted_from.get_or_insert(mails.text.len());
                }
                continue;
            }
            if taken == 0 {
                // A quotation behind a heading is one of the document.
                mails.quotes &= !is_heading(line);
                quoting = quoting.filter(|_| mails.quotes);
                mails.text.push_str(bare);
                mails.text.push('\n');
                let before = at.checked_sub(1).and_then(|before| lines.get(before));
                let before = before.copied().unwrap_or_default();
                let takes = |quoting: &mut Quotes| quoting.takes(line, before);
                match quoting.as_mut().is_some_and(takes) {
                    true => mails.quoted.push(one_line(bare)),
                    false => {
                        mails.own.push_str(line);
                        mails.own.push('\n');
                    }
                }
                at += 1;
                continue;
            }
            mails.quotes |= head == 0;
            if mails.quotes {
                quoting = Some(Quotes::of(rest.get(taken..).unwrap_or_default()));
            }
            if mails.quotes && !mails.text.trim().is_empty() {
                mails.quoted_from.get_or_insert(mails.text.len());
            }
            for line in rest.iter().take(taken) {
                let bare = unquoted(line);
                if let (Some(Label::Subject), Some((_, said))) =
                    (label_of(bare), bare.split_once([':', '：']))
                {
                    let said = without_reply_marks(said);
                    mails.subject.get_or_insert_with(|| one_line(said));
                }
                mails.heads.push(one_line(bare));
            }
            mails.text.push('\n');
            mails.own.push('\n');
            at += taken;
        }
        (!mails.heads.is_empty() || mails.quotes).then_some(mails)
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

fn is_marked(line: &str) -> bool {
    line.trim_start().starts_with('>')
}

/// Whether marked lines begin here that quote a mail of which no line says who wrote it: they address their reader. `> "It
/// works", says Jo` is a quotation of the document.
fn begins_marked(lines: &[&str], at: usize) -> bool {
    let line = lines.get(at).copied().unwrap_or_default();
    let above = lines.get(..at).unwrap_or_default();
    let before = above.last();
    // A customer's thanks below their heading are a quotation of the document. Below `Mail from Halden` stands a mail.
    let headed = || {
        let mut said = above.iter().rev().filter(|line| !line.trim().is_empty());
        let last = said.next().filter(|line| is_heading(line));
        let is_underline = last.is_some_and(|line| line.trim_start().starts_with('='));
        let heading = if is_underline { said.next() } else { last };
        heading.is_some_and(|line| is_of_customers_words(line))
    };
    is_marked(line)
        && !before.is_some_and(|before| is_marked(before))
        && is_salutation(unquoted(line))
        && lines.get(at + 1).is_some_and(|next| is_marked(next))
        && !headed()
}

/// Whether a heading stands over what customers say, or over their thanks.
fn is_of_customers_words(heading: &str) -> bool {
    let folded = fold(heading);
    let words = split(&folded);
    TESTIMONIAL_HEADINGS.are(&words) || LETTER_CLOSINGS.are(&words)
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

/// A subject without what programs put before it: `Cranes` of `Re: Re: Fwd: Cranes`.
pub fn without_reply_marks(subject: &str) -> &str {
    let mut bare = subject.trim();
    while let Some((mark, rest)) = bare.split_once([':', '：']) {
        let folded = fold(mark);
        let words = split(&folded);
        // `Re[2]`
        let is_mark = match words.as_slice() {
            [mark] => REPLY_MARKS.has_word(mark),
            [mark, number] => REPLY_MARKS.has_word(mark) && number.chars().all(char::is_numeric),
            _ => false,
        };
        if !is_mark || rest.trim().is_empty() {
            break;
        }
        bare = rest.trim();
    }
    bare
}

/// Whether a line may stand above a mail: `Sent: 3 May`.
pub fn is_of_a_head(line: &str) -> bool {
    matches!(label_of(line), Some(Label::Sender | Label::Other))
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
    let month = words.iter().any(|word| is_month(word));
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
    fn a_mail_that_is_quoted_below_what_makes_a_document_is_not_printed() {
        let own = "Halden lost 19 crane days last winter.\n\nWe fit sensors that survive salt water for ten years, and we watch \
                   them day and night from two places, so that your people need not climb up any more.";
        let mail = "Hi Mia,\n\nOur 14 cranes stood still. Can you do it for less?\n\nBest,\nPetra";
        let marked: String = mail.lines().map(|line| format!("> {line}\n")).collect();
        for quoted in [
            format!("On 3 May 2027, Petra Olsen wrote:\n{marked}"),
            format!("Am 3. Mai 2027 schrieb Petra Olsen:\n\n{marked}"),
            format!(
                "-----Original Message-----\nFrom: Petra <p@halden.example>\nSubject: Cranes\n\n{mail}"
            ),
            marked.clone(),
            format!("## Mail from Halden\n\n{marked}"),
        ] {
            let brief = Brief::read(
                &format!("Make a proposal for Halden from this.\n\n{own}\n\n{quoted}"),
                "en",
            );
            let said = brief.text();
            assert!(
                said.contains("19 crane days") && !said.contains("14 cranes"),
                "{said}"
            );
            let frame = brief.mail_frame.join("\n");
            assert!(frame.contains("Our 14 cranes"), "{frame}");
            assert_eq!(brief.addressee.recipient.as_deref(), Some("Halden"));
        }
        // What stands below the quoted lines is the writer's own again.
        let brief = Brief::read(
            &format!("Make a proposal for Halden.\n\n{marked}\n{own}"),
            "en",
        );
        assert!(brief.text().starts_with("Halden lost"), "{}", brief.text());
        // An answer directly below a quoted question is his own, and the end of a long quoted line is not.
        let brief = Brief::read(
            &format!(
                "Make a proposal for Halden.\n\n{own}\n\n> Hi Mia,\n> What does it cost?\nIt costs 40 euros a month.\n> And what of \
                 the cranes that stand at the harbour all the long\nwinter?\n"
            ),
            "en",
        );
        let said = brief.text();
        assert!(
            said.contains("40 euros") && !said.contains("What does") && !said.contains("winter?"),
            "{said}"
        );
        let thanks =
            "> Hello Coldwise team,\n> since the sensors went in, we lost no crate.\n> Petra Olsen";
        let brief = Brief::read(&format!("# Cold\n\n{own}\n\n## Thanks\n\n{thanks}"), "en");
        assert!(brief.text().contains("no crate"), "{}", brief.text());
        // A quotation of the document stays.
        let brief = Brief::read(
            &format!("{own}\n\n> \"It works.\"\n> Jo Marsh, Leeds"),
            "en",
        );
        assert!(brief.text().contains("It works"), "{}", brief.text());
    }

    #[test]
    fn a_subject_has_no_marks_of_answers() {
        for (subject, bare) in [
            ("Re: Re: FW: Your cranes", "Your cranes"),
            ("AW: WG: Ihre Krane", "Ihre Krane"),
            ("Re[2]: Vos grues", "Vos grues"),
            ("TR : Vos grues : deux devis", "Vos grues : deux devis"),
            ("Cranes: what they cost", "Cranes: what they cost"),
            ("Re:", "Re:"),
        ] {
            assert_eq!(without_reply_marks(subject), bare, "{subject}");
        }
        let letter = "From: Jo <jo@vela.example>\nTo: Mia\nSubject: Re: FW: Cranes in May\n\nDear Ms Olsen,\n\nwe monitor 310 \
                      cranes.\n\nKind regards,\nJo Marsh";
        assert_eq!(
            Brief::read(letter, "en").title.as_deref(),
            Some("Cranes in May")
        );
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
