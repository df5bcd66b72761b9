//! Filling a template: subject, plain text and HTML, exactly and always the same (annex A5). No clock, no language
//! data but the direction of scripts, no network. DANGER: values come from strangers' pages and from callers; what
//! they contain is text, whatever it looks like.

mod fill;
mod html;
mod plain;
mod values;

use std::collections::BTreeMap;

use serde::Serialize;

use self::fill::Body;
use super::characters::clean;
use super::language;
use super::rendered::{MessageCounts, MessageFault, RenderedMessage, RendererIdentity};
use super::structure::{MAX_FAULTS, SUBJECT_CHARS, Structure};
use crate::Digest;
use crate::canonical::{NotCanonical, canonical_digest};

pub const RENDERER_KEY: &str = "message-renderer";
/// Its version: the same values give the same bytes under the same version.
pub const RENDERER_VERSION: &str = "1.1.0";

/// Fills a structure that keeps [the rules](super::structure::check()). `language` is the BCP 47 tag of its text.
/// `values` are those of the placeholders that the structure uses, by name; a blank value is a missing one.
///
/// # Errors
/// What is wrong with the values, with pointers such as `/values/company.name`; at `/subject` if the filled subject
/// is too long. At most [`MAX_FAULTS`].
pub fn render(
    structure: &Structure,
    language: &str,
    values: &BTreeMap<String, String>,
    template_hash: Digest,
) -> Result<RenderedMessage, Vec<MessageFault>> {
    fill(structure, language, values, template_hash, None)
}

/// The same, marked as a demonstration: the marker is the subject's first words and the body's first line. It counts
/// neither as words nor as a part of the subject's length.
///
/// # Errors
/// As [`render`].
pub fn render_demonstration(
    structure: &Structure,
    language: &str,
    values: &BTreeMap<String, String>,
    template_hash: Digest,
    marker: &str,
) -> Result<RenderedMessage, Vec<MessageFault>> {
    let marker = clean(marker);
    let marker = Some(marker.trim()).filter(|marker| !marker.is_empty());
    fill(structure, language, values, template_hash, marker)
}

fn fill(
    structure: &Structure,
    language: &str,
    values: &BTreeMap<String, String>,
    template_hash: Digest,
    marker: Option<&str>,
) -> Result<RenderedMessage, Vec<MessageFault>> {
    let limited = |mut faults: Vec<MessageFault>| {
        faults.truncate(MAX_FAULTS);
        faults
    };
    let read = values::read(structure, values).map_err(limited)?;
    let from_right = language::direction(language) == "rtl";
    let body = Body::filled(structure, &read, from_right).map_err(limited)?;
    let subject_chars = body.subject.text().chars().count();
    if subject_chars > SUBJECT_CHARS {
        return Err(vec![MessageFault::new(
            "/subject",
            "subject_too_long",
            format!(
                "The filled subject has {subject_chars} characters; it may have {SUBJECT_CHARS}."
            ),
        )]);
    }
    let counts = MessageCounts {
        words: body.words(),
        links: body.links(),
        subject_chars,
    };
    let (subject, subject_pieces) = plain::line(&body.subject, marker);
    let (preview, preview_pieces) = plain::line(&body.preview, None);
    let (text, pieces) = plain::text(&body, marker);
    let preview_text = Some(preview).filter(|text| !text.is_empty());
    let html = html::document(&body, language, &subject, marker);
    let renderer = RendererIdentity {
        key: RENDERER_KEY.to_owned(),
        version: RENDERER_VERSION.to_owned(),
    };
    let of_values = hash(values);
    let of_all = of_values.and_then(|values_hash| {
        let hashed = Hashed {
            template_hash,
            values_hash,
            renderer: &renderer,
            subject: &subject,
            preview_text: preview_text.as_deref(),
            text: &text,
            html: &html,
        };
        Ok((values_hash, hash(&hashed)?))
    });
    let (values_hash, render_hash) =
        of_all.map_err(|fault| vec![MessageFault::new("", "not_canonical", fault.to_string())])?;
    Ok(RenderedMessage {
        subject,
        preview_text,
        text,
        html,
        dropped_blocks: body.dropped,
        used_fallbacks: body.fallbacks,
        counts,
        renderer,
        values_hash,
        render_hash,
        pieces,
        subject_pieces,
        preview_pieces,
    })
}

/// What the hash of a filled template is over.
#[derive(Serialize)]
struct Hashed<'h> {
    template_hash: Digest,
    values_hash: Digest,
    renderer: &'h RendererIdentity,
    subject: &'h str,
    preview_text: Option<&'h str>,
    text: &'h str,
    html: &'h str,
}

fn hash<T: Serialize>(value: &T) -> Result<Digest, NotCanonical> {
    canonical_digest(value).map_err(|fault| NotCanonical::new("filled template", &fault))
}

#[cfg(test)]
mod tests;
