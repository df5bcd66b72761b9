//! Mission, vision, purpose, values and commitments, as the company words them.

use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Sentence};
use gtm_site_research::words;
use serde_json::json;

use super::outline::{Section, sections};
use crate::draft::{COMMITMENTS, Draft, MISSION, One, PURPOSE, VALUES, VISION};
use crate::plan::Part;
use crate::research::Site;

/// A field, the headings under which it stands, and the phrases with which a sentence says it.
const STATEMENTS: &[(One, &[&str], &[&str])] = &[
    (
        MISSION,
        &[
            "mission",
            "our mission",
            "mission statement",
            "unsere mission",
            "unser auftrag",
            "unser leitbild",
            "leitbild",
            "leitsatz",
            "notre mission",
            "nuestra mision",
            "mision",
            "la nostra missione",
            "onze missie",
            "missie",
            "missione",
            "missione aziendale",
            "nossa missao",
            "a nossa missao",
            "missao",
            "رسالتنا",
            "مهمتنا",
            "الرسالة",
            "המשימה שלנו",
        ],
        &[
            "our mission is",
            "our mission",
            "unsere mission ist",
            "unsere mission",
            "unser auftrag ist",
            "notre mission est",
            "notre mission",
            "nuestra mision es",
            "onze missie is",
            "la nostra missione e",
            "a nossa missao e",
            "nossa missao e",
            "mission is to",
        ],
    ),
    (
        VISION,
        &[
            "vision",
            "our vision",
            "unsere vision",
            "notre vision",
            "nuestra vision",
            "la nostra visione",
            "visione",
            "onze visie",
            "visie",
            "nossa visao",
            "a nossa visao",
            "visao",
            "vision",
            "رؤيتنا",
            "الرؤية",
            "החזון שלנו",
        ],
        &[
            "our vision is",
            "our vision",
            "unsere vision ist",
            "unsere vision",
            "notre vision est",
            "notre vision",
            "nuestra vision es",
            "onze visie is",
            "la nostra visione e",
            "a nossa visao e",
            "nossa visao e",
            "we envision",
            "we imagine a world",
        ],
    ),
    (
        PURPOSE,
        &[
            "purpose",
            "our purpose",
            "why we exist",
            "why we do it",
            "warum es uns gibt",
            "unser antrieb",
            "raison d'etre",
            "notre raison d'etre",
            "nuestro proposito",
            "onze bestaansreden",
            "waarom we bestaan",
            "waarom wij bestaan",
            "il nostro scopo",
            "perche esistiamo",
            "o nosso proposito",
            "nosso proposito",
        ],
        &[
            "our purpose is",
            "our purpose",
            "we exist to",
            "we exist because",
            "es gibt uns weil",
            "notre raison d'etre",
            "nuestro proposito es",
        ],
    ),
];
const VALUE_HEADINGS: &[&str] = &[
    "values",
    "our values",
    "core values",
    "what we value",
    "what we stand for",
    "what we believe",
    "what we hold to",
    "what we live by",
    "what drives us",
    "what guides us",
    "what matters to us",
    "our beliefs",
    "our principles",
    "principles",
    "guiding principles",
    "werte",
    "unsere werte",
    "wofur wir stehen",
    "was uns wichtig ist",
    "was uns antreibt",
    "was uns leitet",
    "unsere grundsatze",
    "unsere uberzeugungen",
    "leitbild",
    "valeurs",
    "nos valeurs",
    "ce en quoi nous croyons",
    "ce qui nous guide",
    "ce qui nous anime",
    "nos principes",
    "nos convictions",
    "valores",
    "nuestros valores",
    "lo que nos mueve",
    "en que creemos",
    "nuestros principios",
    "valori",
    "i nostri valori",
    "onze waarden",
    "قيمنا",
    "القيم",
    "مبادئنا",
    "ערכים",
    "הערכים שלנו",
    "kernwaarden",
    "onze kernwaarden",
    "waar we voor staan",
    "waar we in geloven",
    "i nostri principi",
    "in cosa crediamo",
    "cio in cui crediamo",
    "os nossos valores",
    "nossos valores",
    "o que nos move",
    "no que acreditamos",
];
const COMMITMENT_HEADINGS: &[&str] = &[
    "commitment*",
    "our commitment*",
    "our promise*",
    "promise",
    "our pledge",
    "sustainability",
    "responsibility",
    "unser versprechen",
    "versprechen",
    "nachhaltigkeit",
    "verantwortung",
    "selbstverpflichtung",
    "engagements",
    "nos engagements",
    "notre engagement",
    "compromiso*",
    "nuestro compromiso",
    "sostenibilidad",
    "beloften",
    "onze beloften",
    "onze belofte",
    "beloofd",
    "dat beloven we",
    "duurzaamheid",
    "verantwoordelijkheid",
    "impegni",
    "i nostri impegni",
    "il nostro impegno",
    "la nostra promessa",
    "sostenibilita",
    "responsabilita",
    "compromisso*",
    "os nossos compromissos",
    "nossos compromissos",
    "sustentabilidade",
    "promesas",
    "nuestras promesas",
    "promesses",
    "nos promesses",
    "unsere versprechen",
];
const COMMITS: &[&str] = &[
    "we commit to",
    "we are committed to",
    "we have committed",
    "we pledge",
    "we promise",
    "we guarantee",
    "we will never",
    "wir verpflichten uns",
    "wir versprechen",
    "wir garantieren",
    "nous nous engageons",
    "nos comprometemos",
    "ci impegniamo",
    "we beloven",
    "wij beloven",
    "we garanderen",
    "wij garanderen",
    "ci impegniamo a",
    "promettiamo",
    "garantiamo",
    "comprometemo nos",
    "garantimos",
    "prometemos",
    "garantizamos",
];
/// Longest statement, in characters.
const LONGEST: usize = 700;

/// Collect what the company says it is for.
pub fn collect(site: &Site, evidence: &Evidence, draft: &mut Draft) {
    let sections = sections(site, evidence);
    let own = |part: Part| {
        matches!(
            part,
            Part::Home | Part::About | Part::Careers | Part::Press | Part::Trust | Part::Other
        )
    };
    for (field, headings, phrases) in STATEMENTS {
        let headed = sections
            .iter()
            .filter(|section| own(section.part) && section.is_headed(headings))
            .find_map(lead_claim);
        let said = || {
            evidence
                .sentences
                .iter()
                .filter(|sentence| own(site.part(sentence.page)))
                .find(|sentence| says(sentence, phrases))
                .map(sentence_claim)
        };
        draft.set(*field, headed.or_else(said));
    }
    for section in sections
        .iter()
        .filter(|section| own(section.part) && section.is_headed(VALUE_HEADINGS))
    {
        values(section, draft);
    }
    for section in sections
        .iter()
        .filter(|section| own(section.part) && section.is_headed(COMMITMENT_HEADINGS))
    {
        commitments(section, draft);
    }
    for sentence in evidence
        .sentences
        .iter()
        .filter(|sentence| own(site.part(sentence.page)))
    {
        if draft.many(COMMITMENTS).len() < 6 && says(sentence, COMMITS) {
            draft.push(COMMITMENTS, sentence_claim(sentence));
        }
    }
}

fn says(sentence: &Sentence, phrases: &[&str]) -> bool {
    let words = sentence.words();
    words.len() >= 6
        && sentence.is_whole()
        && words::has_any(&words, phrases)
        && !sentence.text.ends_with('?')
}

fn sentence_claim(sentence: &Sentence) -> Claim {
    Claim::quoted(&sentence.text, sentence.page)
}

/// The paragraph right under the heading.
fn lead_claim(section: &Section<'_>) -> Option<Claim> {
    let lead = section.lead()?;
    let length = lead.text.chars().count();
    ((20..=LONGEST).contains(&length)).then(|| Claim::quoted(&lead.text, lead.page))
}

fn values(section: &Section<'_>, draft: &mut Draft) {
    for item in section.items() {
        let words = item.name.split_whitespace().count();
        if !(1..=12).contains(&words)
            || item.name.chars().count() > 90
            || draft.many(VALUES).len() >= 10
        {
            continue;
        }
        let name = item.name.trim_end_matches(['.', ':']);
        let description = item
            .text
            .filter(|text| (8..=500).contains(&text.chars().count()));
        let excerpts = item.excerpts(description.is_some());
        draft.push(
            VALUES,
            Claim::stated(json!({"name": name, "description": description}), excerpts),
        );
    }
}

fn commitments(section: &Section<'_>, draft: &mut Draft) {
    let items: Vec<&gtm_site_research::evidence::Passage> = section
        .body
        .iter()
        .filter(|passage| matches!(passage.kind, gtm_site_research::page::BlockKind::ListItem))
        .copied()
        .collect();
    let headed: Vec<&gtm_site_research::evidence::Passage> = section
        .items()
        .iter()
        .filter(|item| item.name_passage.kind == gtm_site_research::page::BlockKind::Heading)
        .filter_map(|item| item.text_passage)
        .collect();
    let chosen = match section.lead() {
        _ if !items.is_empty() => items,
        Some(lead) => vec![lead],
        // Each under a heading of its own.
        None => headed,
    };
    for passage in chosen {
        if (20..=500).contains(&passage.text.chars().count()) && draft.many(COMMITMENTS).len() < 6 {
            let excerpt = Excerpt {
                page: passage.page,
                text: passage.text.clone(),
            };
            draft.push(
                COMMITMENTS,
                Claim::stated(passage.text.as_str(), vec![excerpt]),
            );
        }
    }
}
