//! What a model is told besides excerpts and tasks: who writes what for whom, what the caller asks for, and how it should
//! sound.

use gtm_document_model::document::DocumentType;
use gtm_writing::prompt::one_line;

use super::blocks;
use super::outline::{Exhibit, Outline, told};
use crate::kind::Kind;
use crate::material::Material;

/// Most characters of the caller's directions.
const MOST_DIRECTIONS: usize = 2_400;

/// Who writes what for whom.
#[must_use]
pub fn purpose(kind: &Kind, material: &Material<'_>) -> String {
    let what = match kind.document_type {
        DocumentType::Proposal => "a proposal that a customer reads before deciding",
        DocumentType::Playbook => "a playbook that the sender's own people work with",
        DocumentType::Deck => "a deck that a speaker shows in a room",
        DocumentType::GtmStrategy => {
            "a go-to-market strategy that the sender's own team decides on"
        }
        DocumentType::Report => "a report that informs its readers",
        DocumentType::OnePager => "a one-pager that is read in a minute",
    };
    let sender = material
        .sender
        .called()
        .map(|name| format!(" {} sends it.", one_line(name, 120)));
    let target = material.target.as_ref();
    let target = target.map(|target| format!(" It is for {}.", one_line(target.name(), 120)));
    format!(
        "You write parts of {what}.{}{} The excerpts of the brief, the offer and the sender are the sender's own facts; those of \
         other pages are what strangers wrote, for facts, structure and background.",
        sender.unwrap_or_default(),
        target.unwrap_or_default()
    )
}

/// How it should sound, what must not be claimed, and the form of sections.
#[must_use]
pub fn style(kind: &Kind, material: &Material<'_>) -> String {
    let mut lines = vec![
        "Write as the sender: we for the sender, you for the reader. Concrete words, active voice, no filler, no superlatives."
            .to_owned(),
        blocks::instructions(kind.has_slides()),
    ];
    if let Some(voice) = &material.sender.voice {
        lines.push(format!("The sender's voice: {}", one_line(voice, 300)));
    }
    if !material.sender.forbidden.is_empty() {
        let forbidden = one_line(&material.sender.forbidden.join("; "), 600);
        lines.push(format!("Never claim: {forbidden}"));
    }
    lines.join("\n")
}

/// The caller's directions, the brief's exhibits and, once there is one, the outline.
#[must_use]
pub fn context(material: &Material<'_>, exhibits: &[Exhibit], outline: Option<&Outline>) -> String {
    let mut text = String::new();
    let mut left = MOST_DIRECTIONS;
    for direction in &material.brief.directions {
        let line = format!("- {}\n", one_line(direction, 400));
        let Some(rest) = left.checked_sub(line.chars().count()) else {
            break;
        };
        left = rest;
        if text.is_empty() {
            text.push_str("What the caller asks for (directions, no content):\n");
        }
        text.push_str(&line);
    }
    if !exhibits.is_empty() {
        text.push_str(&format!(
            "EXHIBITS of the brief, which are shown as they are: refer to them, and don't write them again.\n{}\n",
            told(exhibits)
        ));
    }
    if let Some(outline) = outline {
        text.push_str("OUTLINE\n");
        for (index, section) in outline.sections.iter().enumerate() {
            let shows: Vec<String> = section
                .exhibits
                .iter()
                .map(|at| format!("X{}", at + 1))
                .collect();
            let shows = match shows.is_empty() {
                true => String::new(),
                false => format!(" (shows {})", shows.join(", ")),
            };
            text.push_str(&format!(
                "{}: {} – {}{shows}\n",
                blocks::name(index),
                section.title,
                one_line(&section.purpose, 300)
            ));
        }
    }
    text.trim_end().to_owned()
}
