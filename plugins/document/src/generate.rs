//! The course of a document job: plan, compose.

use gtm_site_research::failure::{Failure, FailureKind};
use gtm_site_research::host::{Host, MODEL_COMPLETE, stage};
use serde_json::Value;

use crate::brief::{Brief, words_of};
use crate::chapter::Chapter;
use crate::compose;
use crate::draft::{Draft, Writer};
use crate::form::frame::Titles;
use crate::form::{frame, pages, slides};
use crate::kind::{self, Kind};
use crate::language;
use crate::material::Material;
use crate::read;
use crate::request::Request;
use crate::settings::Settings;
use crate::sources::Sources;
use crate::writing;

/// The task that this backend performs.
pub const TASK: &str = "documents";
/// Fewest words of a document.
const LEAST_WORDS: usize = 8;

/// Generates the draft of a document.
///
/// # Errors
/// `insufficient_content` where there is nothing to say, and otherwise a failure with a code of annex A11.
pub fn generate(host: &dyn Host, task: &str, input: Value) -> Result<Value, Failure> {
    if task != TASK {
        return Err(Failure::new(
            FailureKind::InvalidInput,
            "invalid_request",
            format!("This backend generates {TASK}, not {task}."),
        ));
    }
    let request = Request::read(input)?;
    let settings = Settings::read(host.settings()?)?;
    let brief = Brief::read(&request.brief);
    let with_model = host.bound(MODEL_COMPLETE);
    let (kind, mut material, plan) = stage(host, "plan", || {
        let (kind, mut material) = plan(host, &request, &brief, &settings, with_model)?;
        let plan = match with_model {
            true if writing::has_ground(&material) => {
                Some(writing::plan(host, &mut material, &kind, &settings)?)
            }
            true => return Err(insufficient_content()),
            false => None,
        };
        Ok((kind, material, plan))
    })?;
    stage(host, "compose", || {
        let draft = match plan {
            Some(plan) => by_model(host, &mut material, kind, &settings, plan)?,
            None => by_rules(host, &mut material, kind)?,
        };
        Ok(draft.to_json(&mut material, host.now_ms()))
    })
}

/// Decides what is made, and reads what it is made of.
fn plan<'a>(
    host: &dyn Host,
    request: &'a Request,
    brief: &'a Brief,
    settings: &Settings,
    with_model: bool,
) -> Result<(Kind, Material<'a>), Failure> {
    let kind = kind::decide(request, brief);
    host.report(2, &kind.reason);
    let language = language::of(request, brief, settings.language.as_deref(), with_model);
    let target = read::target(host, request, settings)?;
    let (references, failed) = read::references(host, request)?;
    let (sender, whole) = match with_model {
        true => (request.sender.clone(), true),
        false => request.sender.speaking(&language),
    };
    if !whole {
        host.report(
            46,
            &format!("Left out what guideline or offer say in another language than the document ({language})"),
        );
    }
    let mut material = Material {
        request,
        brief,
        sender,
        language,
        target,
        references,
        sources: Sources::default(),
        lost: Vec::new(),
    };
    material.lose("/references", "no_answer", failed);
    material.lose("/brief/pictures", "unsupported", brief.pictures);
    material.lose("/brief", "too_many", brief.surplus);
    if brief.withheld > 0 {
        let milestone = format!(
            "Left out {} notes of the brief that are not meant for the document's readers",
            brief.withheld
        );
        host.report(46, &milestone);
    }
    if brief.pictures > 0 {
        let milestone = format!(
            "Left out {} pictures of the brief: their files are not given",
            brief.pictures
        );
        host.report(46, &milestone);
    }
    Ok((kind, material))
}

/// Composes the document without a model.
fn by_rules(host: &dyn Host, material: &mut Material<'_>, kind: Kind) -> Result<Draft, Failure> {
    let chapters = compose::chapters(material, kind.document_type);
    let words: usize = chapters
        .iter()
        .map(|chapter| words_of(&chapter.blocks))
        .sum();
    if words < LEAST_WORDS {
        return Err(insufficient_content());
    }
    let titles = frame::titles(material, kind.document_type);
    let as_written = material.brief.has_slides();
    Ok(laid_out(
        host,
        material,
        kind,
        titles,
        chapters,
        (Writer::Rules, as_written),
    ))
}

/// Has a model write the document.
fn by_model(
    host: &dyn Host,
    material: &mut Material<'_>,
    kind: Kind,
    settings: &Settings,
    plan: writing::Plan,
) -> Result<Draft, Failure> {
    let written = writing::write(host, material, &kind, settings, plan)?;
    let mut titles = frame::titles(material, kind.document_type);
    let named = material.request.title.is_some() || material.brief.title.is_some();
    if let Some(title) = written.title.filter(|_| !named) {
        titles.title = title;
    }
    titles.subtitle = written.subtitle.or(titles.subtitle);
    Ok(laid_out(
        host,
        material,
        kind,
        titles,
        written.chapters,
        (Writer::Model, true),
    ))
}

/// The chapters as sections or slides, with what stands around them.
fn laid_out(
    host: &dyn Host,
    material: &Material<'_>,
    kind: Kind,
    titles: Titles,
    chapters: Vec<Chapter>,
    (writer, as_written): (Writer, bool),
) -> Draft {
    let outline = frame::headings(&chapters);
    host.report(91, &format!("Outline: {}", told(&outline)));
    let language = material.language.as_str();
    let body = match kind.has_slides() {
        true => slides::slides(chapters, language, as_written),
        false => pages::sections(chapters, language),
    };
    let mut sections = Vec::with_capacity(body.len() + 3);
    sections.extend(frame::cover(&titles, kind.document_type));
    sections.extend(frame::agenda(&outline, &kind, language));
    sections.extend(body);
    frame::close(&mut sections, material, kind.document_type);
    host.report(95, &composed(&kind, sections.len()));
    Draft {
        kind,
        titles,
        sections,
        outline,
        writer,
    }
}

fn composed(kind: &Kind, sections: usize) -> String {
    let parts = if kind.has_slides() {
        "slides"
    } else {
        "sections"
    };
    format!("Made {sections} {parts}")
}

/// The outline in one line.
fn told(outline: &[String]) -> String {
    crate::runs::cut(&outline.join(" · "), 400)
}

/// Neither the brief nor what is bound says anything that a document could say.
fn insufficient_content() -> Failure {
    Failure::new(
        FailureKind::InvalidInput,
        "insufficient_content",
        "The brief has no content of its own, and neither offer nor guideline nor the target's site says anything in its language.",
    )
}
