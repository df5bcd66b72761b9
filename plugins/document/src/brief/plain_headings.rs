//! Lines of plain text that name the part below them, where nothing else parts the text.

use std::collections::BTreeSet;

use gtm_lexicon::documents::{
    ABOUT_US, ASKS, FORMATS, GREETINGS, LETTER_CLOSINGS, NEXT_STEPS, ORDERS, PRICE_HEADINGS,
};
use gtm_lexicon::names::GIVEN_NAMES;
use gtm_lexicon::{fold, split};

use super::line_kinds::{
    Line, begins_with_label, is_direction_label, is_sentence, without_emphasis,
};
use super::{document_names, orders, price_lines, private_notes, wishes};
use crate::capital::capital;

/// Longest line that names a part without any sign, in words and in characters: directly above others, and between blank lines.
const TITLE_WORDS: usize = 5;
const TITLE_CHARS: usize = 32;
const APART_WORDS: usize = 8;
const APART_CHARS: usize = 60;
/// Longest line directly above sentences that names them, in words and characters, and shortest first line of these.
const PROSE_WORDS: usize = 6;
const PROSE_CHARS: usize = 40;
const SENTENCE_CHARS: usize = 28;
/// Fewest letters of a heading in capitals.
const CAPITAL_LETTERS: usize = 4;
/// Digits of a number to call.
const NUMBER_DIGITS: usize = 8;
/// Fewest lines that name parts.
const FEWEST: usize = 2;

/// What names the parts of a text.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Headings {
    pub lines: BTreeSet<usize>,
    /// The first line, if it stands above them like one and names the whole.
    pub title: Option<usize>,
}

/// The lines that are headings.
pub fn of(lines: &[&str], kinds: &[Line]) -> Headings {
    let text = Text { lines, kinds };
    let mut told = text.in_capitals();
    told.extend(text.above_prose());
    let prices = text.above_prices();
    let mut apart = text.apart();
    if !told.is_empty() && told.len() + apart.lines.len() >= FEWEST {
        apart.lines.extend(told);
        apart.lines.extend(text.directly_above());
        apart.lines.extend(prices);
        let title = text.title_of(&mut apart.lines);
        apart.title = title.or(apart.title);
        return apart;
    }
    if apart.lines.len() >= FEWEST {
        apart.lines.extend(prices);
        return apart;
    }
    let mut lines = text.directly_above();
    lines.extend(prices);
    Headings { lines, title: None }
}

struct Text<'t> {
    lines: &'t [&'t str],
    kinds: &'t [Line],
}

impl Text<'_> {
    fn kind(&self, at: usize) -> Line {
        self.kinds.get(at).copied().unwrap_or(Line::Blank)
    }

    fn line(&self, at: usize) -> &str {
        self.lines.get(at).copied().unwrap_or_default()
    }

    fn opens(&self, at: usize) -> bool {
        let above = at.checked_sub(1);
        above.is_none_or(|above| self.kind(above) == Line::Blank)
    }

    fn is_table(&self, at: usize) -> bool {
        self.kind(at) == Line::Markdown && self.line(at).contains('|')
    }

    /// Short lines between blank ones, each with text below it.
    fn apart(&self) -> Headings {
        let is_short = |at: usize| {
            self.kind(at) == Line::Plain
                && self.opens(at)
                && self.kind(at + 1) == Line::Blank
                && is_short_line(self.line(at), APART_WORDS, APART_CHARS)
        };
        let below = |at: usize| (at + 1..self.lines.len()).find(|at| self.kind(*at) != Line::Blank);
        let is_text = |at: usize| match self.kind(at) {
            Line::Item | Line::Code => true,
            Line::Plain => is_sentence(self.line(at)) || !is_short(at),
            Line::Markdown => self.is_table(at) || self.line(at).trim_start().starts_with('>'),
            Line::Blank => false,
        };
        let found =
            (0..self.lines.len()).filter(|at| is_short(*at) && below(*at).is_some_and(is_text));
        let lines: BTreeSet<usize> = found.collect();
        let first = (0..self.lines.len()).find(|at| self.kind(*at) != Line::Blank);
        let title =
            first.filter(|at| is_short(*at) && below(*at).is_some_and(|at| lines.contains(&at)));
        Headings { lines, title }
    }

    /// Short lines that stand directly above others and name what these say: `Price` above `£89 a month`. Several lines must
    /// look so, and one of them must stand above a list or a table, or be a usual name: a name above an address looks alike.
    fn directly_above(&self) -> BTreeSet<usize> {
        let exhibits = |at: usize| self.kind(at) == Line::Item || self.is_table(at);
        let found: BTreeSet<usize> = (0..self.lines.len())
            .filter(|at| {
                let above = self.kind(at + 1) == Line::Plain || exhibits(at + 1);
                self.opens(*at)
                    && above
                    && self.kind(*at) == Line::Plain
                    && is_plain(self.line(*at))
                    && is_short_line(&capital(self.line(*at)), TITLE_WORDS, TITLE_CHARS)
            })
            .collect();
        let usual = |at: &usize| {
            let folded = fold(self.line(*at));
            let words = split(&folded);
            let names = [&PRICE_HEADINGS, &NEXT_STEPS, &ABOUT_US, &ASKS];
            exhibits(at + 1) || names.into_iter().any(|name| name.are(&words))
        };
        match found.len() >= FEWEST && found.iter().any(usual) {
            true => found,
            false => found
                .into_iter()
                .filter(|at| self.is_above_a_series(*at) || self.is_above_labels(*at))
                .collect(),
        }
    }

    /// The first line, if it and the next one are headings: it names the whole.
    fn title_of(&self, headings: &mut BTreeSet<usize>) -> Option<usize> {
        let filled = |at: &usize| self.kind(*at) != Line::Blank;
        let mut filled = (0..self.lines.len()).filter(filled);
        let (first, next) = (filled.next()?, filled.next()?);
        (headings.contains(&next) && headings.remove(&first)).then_some(first)
    }

    /// Lines in capitals directly above a text, a list or a table: `OUR APPROACH`. Addresses and names stand in capitals, too, and
    /// above lines as short.
    fn in_capitals(&self) -> BTreeSet<usize> {
        let found = (0..self.lines.len()).filter(|at| {
            self.opens(*at)
                && self.kind(*at) == Line::Plain
                && is_in_capitals(self.line(*at))
                && is_short_line(self.line(*at), APART_WORDS, APART_CHARS)
                && (self.is_prose(at + 1)
                    || self.kind(at + 1) == Line::Item
                    || self.is_table(at + 1))
        });
        found.collect()
    }

    /// Short lines directly above sentences, where several stand so. A name above what somebody said is none.
    fn above_prose(&self) -> BTreeSet<usize> {
        let found: BTreeSet<usize> = (0..self.lines.len())
            .filter(|at| {
                let line = self.line(*at);
                let first = line.split_whitespace().next().unwrap_or_default();
                self.opens(*at)
                    && self.kind(*at) == Line::Plain
                    && is_plain(line)
                    && is_short_line(line, PROSE_WORDS, PROSE_CHARS)
                    && !GIVEN_NAMES.contains(&fold(first))
                    && self.is_prose(at + 1)
            })
            .collect();
        match found.len() >= FEWEST {
            true => found,
            false => BTreeSet::new(),
        }
    }

    /// Short lines directly above several lines of prices: `Prices` above `Basic plan: 49 €`, `Pro plan: 99 €`.
    fn above_prices(&self) -> BTreeSet<usize> {
        let found = (0..self.lines.len()).filter(|at| {
            let below = at + 1..self.lines.len();
            let below = below.take_while(|at| self.kind(*at) == Line::Plain);
            let below: Vec<String> = below.map(|at| self.line(at).to_owned()).collect();
            self.opens(*at)
                && self.kind(*at) == Line::Plain
                && is_short_line(self.line(*at), PROSE_WORDS, PROSE_CHARS)
                && !price_lines::has_money(self.line(*at))
                && price_lines::are_priced(&below)
        });
        found.collect()
    }

    /// Whether a line begins a text of sentences.
    fn is_prose(&self, at: usize) -> bool {
        let line = self.line(at).trim();
        self.kind(at) == Line::Plain
            && !line.starts_with(char::is_lowercase)
            && !is_in_capitals(line)
            && line.chars().count() >= SENTENCE_CHARS
            && (is_sentence(line) || line.chars().count() > APART_CHARS)
    }

    /// Whether all lines directly below begin with a label: `Terms` above `Payment: 30 days`, `Warranty: 5 years`. A name stands
    /// above the ways to reach it.
    fn is_above_labels(&self, at: usize) -> bool {
        let below = (at + 1..self.lines.len()).take_while(|at| self.kind(*at) != Line::Blank);
        let lines: Vec<&str> = below.map(|at| self.line(at)).collect();
        let reaches = |line: &&str| {
            let digits = line.bytes().filter(u8::is_ascii_digit).count();
            line.contains('@') || line.contains("://") || digits >= NUMBER_DIGITS
        };
        lines.len() > FEWEST
            && lines.iter().all(|line| begins_with_label(line))
            && !lines.iter().any(reaches)
    }

    /// Whether all lines directly below begin with one word and a number that goes with it: `Week 1 survey`, `Week 2-3 install`.
    fn is_above_a_series(&self, at: usize) -> bool {
        let below = (at + 1..self.lines.len()).take_while(|at| self.kind(*at) != Line::Blank);
        let begin = |at: usize| {
            let mut words = self.line(at).split_whitespace();
            let name = fold(words.next()?);
            let numbered = words.next()?.starts_with(|c: char| c.is_ascii_digit());
            (numbered && name.chars().all(char::is_alphabetic)).then_some(name)
        };
        let begins: Option<Vec<String>> = below.map(begin).collect();
        begins.is_some_and(|begins| {
            let first = begins.first();
            begins.len() >= FEWEST && begins.iter().all(|begin| Some(begin) == first)
        })
    }
}

/// Whether a line has no small letter, and enough letters that they are no abbreviation.
fn is_in_capitals(line: &str) -> bool {
    let letters = line.chars().filter(|c| c.is_alphabetic()).count();
    let capitals = line.chars().filter(|c| c.is_uppercase()).count();
    letters >= CAPITAL_LETTERS && letters == capitals
}

fn is_plain(line: &str) -> bool {
    let mut signs = line.trim().chars();
    signs.all(|c| c.is_alphabetic() || matches!(c, ' ' | '-' | '\'' | '’'))
}

/// Whether a line may name a part: it ends no sentence, greets nobody, and orders nothing.
fn is_short_line(line: &str, most_words: usize, most_chars: usize) -> bool {
    let bare = without_emphasis(line);
    let folded = fold(bare);
    let words = split(&folded);
    let begins =
        bare.starts_with(|c: char| c.is_uppercase() || (c.is_alphabetic() && !c.is_lowercase()));
    let names_form = FORMATS.any_in(&words) || wishes::has_count(&words);
    let greets = GREETINGS.open(&words) || LETTER_CLOSINGS.open(&words);
    let orders = orders::is_order(bare)
        || (ORDERS.open(&words) && document_names::of_types().any(|kind| kind.any_in(&words)));
    (1..=most_words).contains(&words.len())
        && bare.chars().count() <= most_chars
        && begins
        && !bare.ends_with([':', '：', ',', ';', '、', '，'])
        && !is_sentence(bare)
        && !bare.contains([':', '：', '@', '|'])
        && !greets
        && !names_form
        && !orders
        && !is_direction_label(bare)
        && !private_notes::opens(bare)
}

#[cfg(test)]
mod tests {
    use super::super::Brief;

    fn headings(brief: &str, language: &str) -> Vec<String> {
        let brief = Brief::read(brief, language);
        let chapters = brief.chapters.iter();
        let headings = chapters.map(|chapter| chapter.heading.clone().unwrap_or_default());
        brief.title.clone().into_iter().chain(headings).collect()
    }

    #[test]
    fn short_lines_between_blank_ones_are_headings() {
        for (language, brief, expected) in [
            (
                "en",
                "What we saw\n\nThe cranes stood still for 19 days.\n\nWhat it costs\n\n| Item | Price |\n|---|---|\n| Setup | £2,000 |",
                vec!["What we saw", "What it costs"],
            ),
            (
                "de",
                "Zähler für Tannach\n\nAusgangslage\n\nTannach liest 900 Zähler von Hand ab.\n\nUnser Vorschlag\n\n- Funkzähler\n- Schulung",
                vec!["Zähler für Tannach", "Ausgangslage", "Unser Vorschlag"],
            ),
            (
                "fr",
                "Faites une proposition, 2 pages.\n\nLe besoin\n\nKerhoz livre 40 magasins.\n\nNotre réponse\n\nUn plan chaque nuit.",
                vec!["Le besoin", "Notre réponse"],
            ),
            (
                "it",
                "Il problema\n\nSi leggono 900 contatori a mano.\n\nI prezzi\nVoce | Prezzo | Nota\nAvvio | 200 € | una volta\n\nI tempi\n\nDa maggio.",
                vec!["Il problema", "I tempi"],
            ),
            (
                "ja",
                "背景\n\n310台のクレーンを監視しています。\n\n費用\n\n月額4万円です。",
                vec!["背景", "費用"],
            ),
        ] {
            assert_eq!(headings(brief, language), expected, "{brief}");
        }
    }

    #[test]
    fn one_line_above_a_series_is_a_heading() {
        let brief =
            "We fit 9 probes.\n\nTimeline\nWeek 1 survey\nWeek 2-3 fitting\nWeek 5 all sites live";
        assert_eq!(headings(brief, "en"), ["", "Timeline"]);
        let brief = "We fit 9 probes.\n\nJo Marsh\nWeek 1 survey\nLeeds 2 sites";
        assert_eq!(headings(brief, "en"), [""]);
    }

    #[test]
    fn one_line_above_labels_is_a_heading() {
        let brief = "We fit 9 lamps.\n\nTerms\nPayment: 30 days\nWarranty: 5 years\nStart: in May";
        assert_eq!(headings(brief, "en"), ["", "Terms"]);
        let brief = "We fit 9 lamps.\n\nJo Marsh\nPhone: 0113 496 0000\nMail: jo@lamps.example\nOffice: Leeds";
        assert_eq!(headings(brief, "en"), [""]);
    }

    #[test]
    fn a_table_of_bars_turns_no_heading_off() {
        let brief = "The problem\nLetters take 6 days.\n\nPrice\nItem | Seats | Price\nSetup | 2 | £600\n\nNext step\nDemo on 3 June";
        assert_eq!(headings(brief, "en"), ["The problem", "Price", "Next step"]);
    }

    #[test]
    fn lines_in_capitals_and_short_lines_above_sentences_are_headings() {
        for (language, brief, expected) in [
            (
                "en",
                "OUR APPROACH\nWe fit two probes in each hall and read them by radio.\n\nTHE TEAM\n- Jo Marsh\n- Dev Nand",
                vec!["OUR APPROACH", "THE TEAM"],
            ),
            (
                "de",
                "Unser Vorgehen\nWir lesen alle 900 Zähler per Funk ab.\n\nDas Team\nDrei Leute fahren von Kiel aus zu Ihnen.",
                vec!["Unser Vorgehen", "Das Team"],
            ),
            (
                "fr",
                "NOTRE MÉTHODE\nNous livrons 40 magasins avant l'aube.\n\nNOS ÉQUIPES\nDouze chauffeurs roulent chaque nuit.",
                vec!["NOTRE MÉTHODE", "NOS ÉQUIPES"],
            ),
        ] {
            assert_eq!(headings(brief, language), expected, "{brief}");
        }
        for brief in [
            "VELA LTD\n12 HIGH STREET\nLEEDS\n\nWe monitor 310 cranes from two places.",
            "Jo Marsh\nThe gates close at night, and nobody need get up.\n\nPetra Olsen\nWe have not lost a crate since May of last year.",
        ] {
            let found = headings(brief, "en");
            assert!(
                found.iter().all(|it| it.is_empty() || it.starts_with("We")),
                "{found:?}"
            );
        }
    }

    #[test]
    fn a_line_above_prices_is_a_heading() {
        for (language, brief) in [
            (
                "en",
                "We fit 9 lamps.\n\nOur plans\nBasic plan … 49 €\nPro plan … 99 €",
            ),
            (
                "de",
                "Wir setzen 9 Lampen.\n\nProfitarif\nLesen .... 3,90 €\nAlarm .... 0,90 €",
            ),
        ] {
            assert_eq!(headings(brief, language).len(), 2, "{brief}");
        }
    }

    #[test]
    fn one_line_names_and_orders_are_none() {
        // One alone names the whole.
        let brief = "What we saw\n\nThe cranes stood still for 19 days.\n\nThey move again.";
        assert_eq!(headings(brief, "en"), ["What we saw", ""]);
        for brief in [
            "8 slides\n\nThe cranes stood still.\n\nPDF please\n\nThey move again.",
            "Kind regards\n\nWe read 9 meters.\n\nJo Marsh",
        ] {
            assert_eq!(headings(brief, "en"), [""], "{brief}");
        }
    }
}
