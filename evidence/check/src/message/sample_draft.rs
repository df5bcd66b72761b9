//! A draft of one block, as tests score it.

use gtm_domain::message::{Block, BlockKind, Inline, Structure, TemplateOptions};

use super::{Assessment, DraftToScore, assess};

/// What is told of a template with these words in a block. `guaranteed savings` is forbidden.
pub(super) fn assessed(
    language: &str,
    kind: BlockKind,
    words: &str,
    approved: &[&str],
) -> Assessment {
    let text = |v: &str| vec![Inline::Text { v: v.to_owned() }];
    let structure = Structure {
        subject: text("Metering"),
        preview_text: Vec::new(),
        blocks: vec![Block {
            id: "b1".to_owned(),
            kind,
            inlines: text(words),
            optional: false,
            fallback: Vec::new(),
        }],
    };
    let options = TemplateOptions {
        tone: TemplateOptions::DEFAULT_TONE.to_owned(),
        locale: language.to_owned(),
        max_words: 100,
        max_links: 1,
        forbidden_claims: vec!["guaranteed savings".to_owned()],
    };
    let approved: Vec<String> = approved.iter().map(|text| (*text).to_owned()).collect();
    assess(&DraftToScore {
        structure: &structure,
        language,
        options: &options,
        audience: "",
        objective: "",
        desired_next_step: "",
        approved_texts: &approved,
        forbidden_claims: &[],
    })
}
