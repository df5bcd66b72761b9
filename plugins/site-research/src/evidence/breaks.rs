//! Where a block breaks off what another block begins or ends: sentences that go on, lists, answers to questions.

use gtm_lexicon::questions::REPLIES;

use crate::page::{Block, BlockKind};
use crate::words;

/// Whether a text begins with the answer to the question above it and a comma, and says little without that: `Yes, for every
/// order.`
pub fn replies_to(above: &str, text: &str) -> bool {
    if !above.ends_with(['?', '？', '؟']) {
        return false;
    }
    let reply = text
        .split_once([',', '，', '、', '،'])
        .map(|(reply, _)| words::fold(reply));
    reply.is_some_and(|reply| REPLIES.are(&words::split(&reply)))
}

/// Whether a block ends in the middle of a sentence whose rest is the next block: pages break lines where the
/// text does not.
pub(super) fn continues(text: &str, kind: BlockKind, next: &Block) -> bool {
    let running = |kind| matches!(kind, BlockKind::Paragraph | BlockKind::Other);
    running(kind)
        && running(next.kind)
        && text.ends_with(|c: char| c.is_alphanumeric() || c == ',')
        && next.text.starts_with(char::is_lowercase)
}

/// Whether a paragraph without an end stands right above a list: its sentence ends in the items.
pub(super) fn leads_to_list(text: &str, kind: BlockKind, next: &Block) -> bool {
    kind == BlockKind::Paragraph
        && next.kind == BlockKind::ListItem
        && text.ends_with(|c: char| c.is_alphanumeric())
}
