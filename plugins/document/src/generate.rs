//! The course of a document job: plan, compose.

use gtm_document_model::document::DocumentType;
use gtm_document_model::plain_text;
use gtm_page_text::primary_language;
use gtm_site_research::failure::{Failure, FailureKind};
use gtm_site_research::host::{Host, MODEL_COMPLETE, stage};
use serde_json::Value;

use crate::brief::{Brief, count_words, one_line, reader_of, words_of};
use crate::chapter::{Chapter, Role, is_forbidden};
use crate::compose::{self, coverage};
use crate::draft::{Draft, Writer};
use crate::form::fit::{self, Fitted};
use crate::form::frame::{self, Titles};
use crate::format::Format;
use crate::kind::{self, Kind};
use crate::labels;
use crate::language;
use crate::material::Material;
use crate::milestones::{self, Teller};
use crate::read;
use crate::request::Request;
use crate::settings::Settings;
use crate::sources::Sources;
use crate::writing;

/// The task that this backend performs.
pub const TASK: &str = "documents";
/// Most totals that are told to be wrong: a result has at most fifty milestones.
const MOST_CONTRADICTIONS: usize = 5;
/// Fewest words of a document.
const LEAST_WORDS: usize = 3;

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
    let with_model = host.bound(MODEL_COMPLETE);
    let wanted = settings.shared.language.as_deref();
    let advises = request.document_type == Some(DocumentType::Playbook);
    let first = language::at_first(&request, wanted);
    let brief = match with_model {
        true => Brief::read_as(&request.brief, &first, advises),
        false => Brief::read_to_print(&request.brief, &first, advises),
    };
    let language = language::of(&request, &brief, wanted, with_model);
    let teller = Teller {
        host,
        language: &language,
    };
    let (kind, mut material, plan) = stage(host, "plan", || {
        let (kind, mut material) = plan(teller, &request, &brief, &settings, with_model)?;
        let plan = match with_model {
            true if writing::has_ground(&material) => {
                Some(writing::plan(teller, &mut material, &kind, &settings)?)
            }
            true => return Err(insufficient_content()),
            false => None,
        };
        Ok((kind, material, plan))
    })?;
    stage(host, "compose", || {
        let draft = match plan {
            Some(plan) => by_model(teller, &mut material, kind, &settings, plan)?,
            None => by_rules(teller, &mut material, kind)?,
        };
        let drafted = draft.to_json(&mut material, host.now_ms());
        tell_lost(teller, &material);
        Ok(drafted)
    })
}

/// Decides what is made, and reads what it is made of.
fn plan<'a>(
    teller: Teller<'_>,
    request: &'a Request,
    brief: &'a Brief,
    settings: &Settings,
    with_model: bool,
) -> Result<(Kind, Material<'a>), Failure> {
    let kind = kind::decide(request, brief, teller.language);
    teller.host.report(2, &kind.reason);
    let target = read::target(teller, request, settings)?;
    let (references, failed) = read::references(teller, request)?;
    let language = teller.language;
    let (mut sender, in_another) = match with_model {
        true => (request.sender.clone(), Vec::new()),
        false => request.sender.speaking(language),
    };
    teller.first(46, &milestones::OTHER_LANGUAGE, &in_another);
    let orders: Vec<String> = (brief.directions.iter())
        .filter(|line| brief.is_letter || reader_of(line).is_none())
        .cloned()
        .collect();
    teller.quote(46, &milestones::ORDERS, &orders);
    let primary = primary_language(language);
    // Where nobody wrote the texts of milestones, nobody wrote down the words of orders.
    if !milestones::ORDERS.languages().any(|known| known == primary) {
        teller.tell(46, &milestones::UNKNOWN_LANGUAGE, &[("language", primary)]);
    }
    teller.begin(46, &milestones::CONFIDENTIAL, &brief.withheld);
    teller.begin(46, &milestones::UNLINKED, &brief.unlinked);
    teller.begin(46, &milestones::CORRECTED, &brief.corrected);
    teller.quote(46, &milestones::DOUBTFUL, &brief.doubtful);
    teller.begin(46, &milestones::MAIL_FRAME, &brief.mail_frame);
    teller.begin(46, &milestones::RUNNING_PROSE, &brief.running_prose);
    for found in brief.contradictions().iter().take(MOST_CONTRADICTIONS) {
        let column = crate::runs::cut(&found.column, 60);
        let places = [
            ("column", column.as_str()),
            ("given", found.given.as_str()),
            ("sum", found.sum.as_str()),
        ];
        teller.tell(46, &milestones::TOTAL_DIFFERS, &places);
    }
    if brief.wishes.no_customers {
        let known = target.as_ref().map(|target| target.name().to_owned());
        let count = sender.without_customers(known.as_deref(), language);
        let places = [("count", count.to_string())];
        let places = places
            .each_ref()
            .map(|(name, count)| (*name, count.as_str()));
        teller.tell(46, &milestones::NO_CUSTOMERS, &places);
    }
    if brief.wishes.no_prices && sender.price.take().is_some() {
        teller.tell(46, &milestones::NO_PRICES, &[]);
    }
    if sender.price.is_some()
        && let Some(own) = compose::prices::of_brief(brief, &sender, language)
    {
        sender.price = None;
        teller.quote(46, &milestones::OWN_PRICES, &[own]);
    }
    let mut material = Material {
        request,
        brief,
        sender,
        language: language.to_owned(),
        target,
        references,
        sources: Sources::default(),
        lost: Vec::new(),
    };
    material.lose("/references", "no_answer", failed);
    material.lose("/brief/pictures", "unsupported", brief.pictures);
    material.lose("/brief", "too_many", brief.surplus);
    material.lose("/brief", "confidential", brief.withheld.len());
    teller.count(46, &milestones::PICTURES, brief.pictures);
    teller.count(46, &milestones::TOO_LARGE, brief.surplus);
    Ok((kind, material))
}

/// Composes the document without a model.
fn by_rules(teller: Teller<'_>, material: &mut Material<'_>, kind: Kind) -> Result<Draft, Failure> {
    let brief = material.brief;
    // What the offer and the guideline say is no document of what the brief says.
    if !brief.running_prose.is_empty() && !brief.has_content() && brief.asks.is_empty() {
        return Err(only_running_prose());
    }
    let mut chapters = compose::chapters(material, kind.document_type);
    // A document of pages is handed over as it is, and has no place for what its speaker is told.
    if kind.format != Format::Pptx {
        let notes = chapters
            .iter_mut()
            .map(|chapter| plain_text(&std::mem::take(&mut chapter.notes)));
        let notes: Vec<String> = notes.filter(|notes| !notes.is_empty()).collect();
        teller.begin(47, &milestones::CONFIDENTIAL, &notes);
        material.lose_texts("/brief/notes", "confidential", notes);
    }
    let titles = frame::titles(material, kind.document_type);
    let is_letter = material.brief.is_letter;
    // On pages, what a brief begins with stands below the title, and needs no name that nobody gave it.
    let begins = material.brief.chapters.first();
    let is_unnamed = begins.is_some_and(|first| first.heading.is_none()) && !kind.has_slides();
    let first = chapters.iter_mut().find(|it| it.role != Role::LetterHead);
    if let Some(first) = first.filter(|_| is_unnamed)
        && first.role == Role::Content
        && first.heading == labels::AT_A_GLANCE.in_language(teller.language)
    {
        first.role = Role::Opening;
    }
    // A section that is called like its document has no heading of its own.
    for chapter in &mut chapters {
        if is_letter || matches!(chapter.role, Role::Opening | Role::LetterHead) {
            chapter.heading.clone_from(&titles.title);
        }
    }
    let words: usize = chapters
        .iter()
        .map(|chapter| match chapter.blocks.as_slice() {
            // A slide may have nothing but its title; a page says nothing with a heading alone.
            [] if kind.has_slides() => count_words(&chapter.heading),
            [] => 0,
            blocks => words_of(blocks),
        })
        .sum();
    if words < LEAST_WORDS {
        return Err(insufficient_content());
    }
    let as_written = material.brief.has_slides();
    let draft = laid_out(
        teller,
        material,
        kind,
        titles,
        chapters,
        (Writer::Rules, as_written),
    );
    let mut missing = coverage::missing(
        material.brief,
        &draft.sections,
        &draft.titles.title,
        teller.language,
    );
    // What must not be claimed is told by itself.
    missing.retain(|text| !is_forbidden(text, &material.sender.forbidden));
    missing.extend(frame::facts_left_out(&draft.titles, material));
    teller.quote(94, &milestones::NOT_PRINTED, &missing);
    material.lose("/brief", "too_many", missing.len());
    Ok(draft)
}

/// Has a model write the document.
fn by_model(
    teller: Teller<'_>,
    material: &mut Material<'_>,
    kind: Kind,
    settings: &Settings,
    plan: writing::Plan,
) -> Result<Draft, Failure> {
    let written = writing::write(teller.host, material, &kind, settings, plan)?;
    let mut titles = frame::titles(material, kind.document_type);
    let named = material.request.title.is_some() || material.brief.title.is_some();
    if let Some(title) = written.title.filter(|_| !named) {
        titles.title = title;
    }
    if let Some(subtitle) = written.subtitle {
        titles.subtitle = frame::with_facts(Some(&subtitle), material);
    }
    let missing = frame::facts_left_out(&titles, material);
    let draft = laid_out(
        teller,
        material,
        kind,
        titles,
        written.chapters,
        (Writer::Model, true),
    );
    teller.quote(94, &milestones::NOT_PRINTED, &missing);
    material.lose("/brief", "too_many", missing.len());
    Ok(draft)
}

/// The chapters as sections or slides, with what stands around them.
fn laid_out(
    teller: Teller<'_>,
    material: &Material<'_>,
    kind: Kind,
    titles: Titles,
    chapters: Vec<Chapter>,
    (writer, as_written): (Writer, bool),
) -> Draft {
    let Fitted {
        sections,
        outline,
        left_out,
        other_size,
    } = fit::fitted(material, &kind, &titles, chapters, as_written);
    teller.quote(90, &milestones::HEAD, &on_the_cover(material, &titles));
    teller.list(91, &milestones::OUTLINE, &outline);
    teller.list(92, &milestones::ROOM, &left_out);
    // Nobody finds slides in a text or counts its sections.
    let shows_slides = kind.format == Format::Pptx
        || kind.format == Format::Pdf && kind.document_type == DocumentType::Deck;
    if let Some((wanted, made)) = other_size {
        let text = match (shows_slides, made > wanted.number) {
            (true, true) => Some(&milestones::SLIDES_MORE),
            (true, false) => Some(&milestones::SLIDES_FEWER),
            (false, _) => Some(&milestones::PAGES_MORE).filter(|_| !kind.has_slides()),
        };
        let (wanted, made) = (wanted.number.to_string(), made.to_string());
        if let Some(text) = text {
            teller.tell(93, text, &[("wanted", &wanted), ("made", &made)]);
        }
    }
    let made = match shows_slides {
        true => &milestones::SLIDES_MADE,
        false => &milestones::SECTIONS_MADE,
    };
    teller.count(95, made, sections.len());
    Draft {
        kind,
        titles,
        sections,
        outline,
        writer,
    }
}

/// What of the brief's head stands on the cover: its readers, and the facts for which there was room.
fn on_the_cover(material: &Material<'_>, titles: &Titles) -> Vec<String> {
    let missing = frame::facts_left_out(titles, material);
    // A letter has no cover: its reader stands at its head.
    let readers = material.brief.directions.iter();
    let is_letter = material.brief.is_letter || !material.brief.letter_reader.is_empty();
    let readers = readers.filter(|line| !is_letter && reader_of(line).is_some());
    let facts = material.brief.cover_facts.iter();
    let facts = facts.filter(|fact| !missing.contains(&one_line(fact)));
    readers.chain(facts).cloned().collect()
}

/// Tells what was left out of what there was, each reason once.
fn tell_lost(teller: Teller<'_>, material: &Material<'_>) {
    let texts = |reason: &str| -> Vec<String> {
        let lost = material.lost.iter();
        let of_reason = lost.filter(|lost| lost.reason == reason && lost.pointer == "/sections");
        of_reason.flat_map(|lost| lost.texts.clone()).collect()
    };
    teller.begin(96, &milestones::FORBIDDEN, &texts("forbidden"));
    teller.begin(96, &milestones::MALFORMED, &texts("malformed"));
}

/// Neither the brief nor what is bound says anything that a document could say.
fn insufficient_content() -> Failure {
    Failure::new(
        FailureKind::InvalidInput,
        "insufficient_content",
        "The brief has no content of its own, and neither offer nor guideline nor the target's site says anything in its language.",
    )
}

fn only_running_prose() -> Failure {
    Failure::new(
        FailureKind::InvalidInput,
        "insufficient_content",
        "Without a model, prose of a brief is printed only below a heading of its own, and this brief has none. Put its text below Markdown headings (`## Price`), or write it as lists or tables; or have the operator bind a model to this backend.",
    )
}
