//! Chapters of what the sender says: the offer's facts first, then the guideline's, in the wording that was approved.

use gtm_document_model::block::{Block, Callout, Kpi, Kpis, Quote, Tone};
use gtm_document_model::table::{ColumnKind, Table, TableColumn};
use gtm_document_model::text::Run;

use crate::chapter::{Chapter, Role, bullets, lead, paragraph};
use crate::labels;
use crate::runs::cited;
use crate::sender::{Proof, Proposition, Said, Sender};

/// Most propositions, facts and proofs of a document.
const MOST: usize = 8;
/// Most figures of a row.
const MOST_FIGURES: usize = 4;
/// Most customers who are quoted.
const MOST_QUOTES: usize = 2;
/// Longest label of a figure, in characters.
const LONGEST_LABEL: usize = 90;

fn plain(text: &str) -> Vec<Run> {
    vec![Run::plain(text)]
}

/// A text with what it rests on: readers of the file see no note, but its evidence manifest says where each stands.
fn stated(said: &Said) -> Vec<Run> {
    cited(&said.text, &source(said))
}

fn source(said: &Said) -> Vec<String> {
    vec![said.source.to_owned()]
}

/// What it is about, where the brief has no words of its own.
#[must_use]
pub fn summary(sender: &Sender, language: &str) -> Option<Chapter> {
    let texts = [&sender.summary, &sender.core_message, &sender.description];
    let mut said = texts.into_iter().flatten();
    let first = said.next()?;
    let mut blocks = vec![lead(stated(first))];
    // The brand's own description has its place further down.
    let second = said.find(|said| Some(*said) != sender.description.as_ref());
    blocks.extend(second.map(|said| paragraph(stated(said))));
    let heading = labels::AT_A_GLANCE.in_language(language).to_owned();
    Chapter::of(heading, Role::Content, blocks)
}

/// What is offered and what a customer gains. The summary leads where nothing says it before. `internal` documents are read
/// by the sender's own people.
#[must_use]
pub fn offer(
    sender: &Sender,
    language: &str,
    with_summary: bool,
    internal: bool,
) -> Option<Chapter> {
    let mut blocks = Vec::new();
    if with_summary && let Some(summary) = &sender.summary {
        blocks.push(lead(stated(summary)));
    }
    let gains = sender.propositions.iter().take(MOST).map(proposition);
    blocks.extend(bullets(gains.collect()));
    let facts: Vec<Vec<Run>> = texts(&sender.facts);
    if blocks.len() > 1 || facts.len() <= 2 {
        blocks.extend(facts.into_iter().map(paragraph));
    } else {
        blocks.extend(bullets(facts));
    }
    let label = match sender.offer {
        _ if internal => &labels::POSITIONING,
        Some(_) => &labels::OFFER,
        None => &labels::VALUE,
    };
    let heading = label.in_language(language).to_owned();
    Chapter::of(heading, Role::Offer, blocks)
}

fn proposition(known: &Proposition) -> Vec<Run> {
    let Some(benefit) = &known.benefit else {
        return stated(&known.said);
    };
    let statement = known.said.text.trim_end_matches(['.', '。']);
    vec![
        Run {
            bold: true,
            cite: source(&known.said),
            ..Run::plain(statement)
        },
        Run {
            cite: source(&known.said),
            ..Run::plain(format!(" – {benefit}"))
        },
    ]
}

fn texts(said: &[Said]) -> Vec<Vec<Run>> {
    said.iter().take(MOST).map(stated).collect()
}

/// Results that prove it: figures where a number may stand alone.
#[must_use]
pub fn proof(sender: &Sender, language: &str) -> Option<Chapter> {
    let mut figures = Vec::new();
    let mut rest = Vec::new();
    let mut quotes = Vec::new();
    for proof in sender.proofs.iter().take(MOST) {
        if let Some(said) = proof
            .testimonial
            .as_ref()
            .filter(|_| quotes.len() < MOST_QUOTES)
        {
            quotes.push(Block::Quote(Quote {
                runs: plain(&said.words),
                attribution: Some(said.by.clone()),
                cite: source(&proof.said),
            }));
            continue;
        }
        match figure(proof).filter(|_| figures.len() < MOST_FIGURES) {
            Some(kpi) => figures.push(kpi),
            None => rest.push(stated(&proof.said)),
        }
    }
    let mut blocks = Vec::new();
    // One figure alone makes no row.
    if figures.len() == 1 {
        let proof = sender.proofs.iter().find(|proof| figure(proof).is_some());
        rest.splice(0..0, proof.map(|proof| stated(&proof.said)));
        figures.clear();
    }
    if !figures.is_empty() {
        blocks.push(Block::Kpis(Kpis { items: figures }));
    }
    blocks.extend(bullets(rest));
    blocks.extend(quotes);
    let heading = labels::PROOF.in_language(language).to_owned();
    Chapter::of(heading, Role::Content, blocks)
}

/// The figure of a proof: the first of its numbers, with the sign or word that counts beside it, and the proof's words.
fn figure(proof: &Proof) -> Option<Kpi> {
    let text = &proof.said.text;
    let number = proof.numbers.first()?;
    let at = text.find(number.as_str())?;
    let (before, behind) = (text.get(..at)?, text.get(at + number.len()..)?);
    let sign_before = before.ends_with(['$', '€', '£', '¥', '+', '−', '<', '>']);
    let from = at
        - before
            .chars()
            .next_back()
            .filter(|_| sign_before)
            .map_or(0, char::len_utf8);
    let blank = behind
        .chars()
        .next()
        .filter(|c| matches!(c, ' ' | '\u{a0}' | '\u{202f}'));
    let sign = behind
        .trim_start_matches([' ', '\u{a0}', '\u{202f}'])
        .chars()
        .next();
    let to = match sign.filter(|sign| matches!(sign, '%' | '٪' | '％' | '€' | '+' | '×')) {
        Some(sign) => at + number.len() + blank.map_or(0, char::len_utf8) + sign.len_utf8(),
        None => at + number.len() + percent_word(behind),
    };
    let value = text.get(from..to)?.trim();
    let rest = text.get(to..)?.trim().trim_end_matches(['.', '。']).trim();
    // A number that the proof begins with need not stand twice.
    let label = match from == 0 && rest.chars().any(char::is_alphabetic) {
        true => rest,
        false => text.trim_end_matches(['.', '。']),
    };
    let fits = label.chars().count() <= LONGEST_LABEL && value.chars().count() <= 24;
    fits.then(|| Kpi {
        value: value.to_owned(),
        label: label.to_owned(),
        detail: None,
        cite: source(&proof.said),
    })
}

/// Bytes of ` percent` behind a number.
fn percent_word(behind: &str) -> usize {
    let Some(word) = behind.strip_prefix([' ', '\u{a0}', '\u{202f}']) else {
        return 0;
    };
    let end = word
        .find(|c: char| !c.is_alphabetic())
        .unwrap_or(word.len());
    let is_percent = word
        .get(..end)
        .is_some_and(|word| gtm_lexicon::figures::PERCENT.has_word(&gtm_lexicon::fold(word)));
    if is_percent {
        behind.len() - word.len() + end
    } else {
        0
    }
}

/// What sets the sender apart, and who it is.
#[must_use]
pub fn why(sender: &Sender, language: &str) -> Option<Chapter> {
    let mut blocks = Vec::new();
    blocks.extend(
        sender
            .description
            .as_ref()
            .map(|said| paragraph(stated(said))),
    );
    blocks.extend(bullets(texts(&sender.differentiators)));
    let apart = !sender.differentiators.is_empty();
    let label = if apart {
        &labels::WHY_US
    } else {
        &labels::ABOUT_COMPANY
    };
    let name = sender.called()?;
    Chapter::of(
        label.filled(language, &[("company", name)]),
        Role::AboutUs,
        blocks,
    )
}

/// What it costs.
#[must_use]
pub fn price(sender: &Sender, language: &str) -> Option<Chapter> {
    let price = sender.price.as_ref()?;
    let block = Block::Callout(Callout {
        tone: Tone::Info,
        title: sender.offer.clone(),
        runs: stated(price),
    });
    let heading = labels::PRICE.in_language(language).to_owned();
    Chapter::of(heading, Role::Price, vec![block])
}

/// Whom the sender serves.
#[must_use]
pub fn segments(sender: &Sender, language: &str) -> Option<Chapter> {
    let known = &sender.segments;
    let label =
        |label: &gtm_site_research::fixed_texts::FixedText| label.in_language(language).to_owned();
    let rows: Vec<Vec<String>> = known
        .iter()
        .map(|segment| {
            vec![
                segment.name.clone(),
                segment.needs.join("; "),
                segment.pains.join("; "),
                segment.triggers.join("; "),
            ]
        })
        .collect();
    let columns = [
        label(&labels::SEGMENT),
        label(&labels::NEEDS),
        label(&labels::PAINS),
        label(&labels::TRIGGERS),
    ];
    let mut blocks = listed(columns.to_vec(), rows);
    blocks.extend(
        bullets(texts(&sender.markets))
            .map(|list| {
                vec![
                    Block::Heading(gtm_document_model::block::Heading {
                        level: 2,
                        runs: plain(&label(&labels::MARKETS)),
                    }),
                    list,
                ]
            })
            .into_iter()
            .flatten(),
    );
    Chapter::of(label(&labels::SEGMENTS), Role::Content, blocks)
}

/// Who decides.
#[must_use]
pub fn roles(sender: &Sender, language: &str) -> Option<Chapter> {
    let rows = sender.personas.iter();
    let rows = rows.map(|persona| vec![persona.role.clone(), persona.goals.join("; ")]);
    let columns =
        [&labels::ROLE, &labels::WANTS].map(|label| label.in_language(language).to_owned());
    let blocks = listed(columns.to_vec(), rows.collect());
    Chapter::of(
        labels::ROLES.in_language(language).to_owned(),
        Role::Content,
        blocks,
    )
}

/// What buyers say against it, with the answers.
#[must_use]
pub fn objections(sender: &Sender, language: &str) -> Option<Chapter> {
    let rows = sender.objections.iter();
    let rows = rows.map(|(objection, answer)| vec![objection.clone(), answer.clone()]);
    let columns =
        [&labels::OBJECTION, &labels::ANSWER].map(|label| label.in_language(language).to_owned());
    let blocks = listed(columns.to_vec(), rows.collect());
    Chapter::of(
        labels::OBJECTIONS.in_language(language).to_owned(),
        Role::Content,
        blocks,
    )
}

/// Whom the sender does not serve: for its own people only.
#[must_use]
pub fn exclusions(sender: &Sender, language: &str) -> Option<Chapter> {
    let blocks = bullets(texts(&sender.exclusions)).into_iter().collect();
    Chapter::of(
        labels::EXCLUSIONS.in_language(language).to_owned(),
        Role::Content,
        blocks,
    )
}

/// A table without its empty columns; a list where only the first column says something.
fn listed(columns: Vec<String>, rows: Vec<Vec<String>>) -> Vec<Block> {
    let filled: Vec<usize> = (0..columns.len())
        .filter(|column| {
            rows.iter()
                .any(|row| row.get(*column).is_some_and(|cell| !cell.is_empty()))
        })
        .collect();
    if filled.len() < 2 {
        let names = rows.iter().filter_map(|row| row.first());
        return bullets(names.map(|name| plain(name)).collect())
            .into_iter()
            .collect();
    }
    let cell = |text: &String| {
        if text.is_empty() {
            Vec::new()
        } else {
            plain(text)
        }
    };
    vec![Block::Table(Table {
        columns: filled
            .iter()
            .filter_map(|column| columns.get(*column))
            .map(|label| TableColumn {
                label: label.clone(),
                align: None,
                kind: ColumnKind::Text,
            })
            .collect(),
        rows: rows
            .iter()
            .map(|row| {
                filled
                    .iter()
                    .filter_map(|column| row.get(*column))
                    .map(cell)
                    .collect()
            })
            .collect(),
        caption: Vec::new(),
        header_column: true,
    })]
}
