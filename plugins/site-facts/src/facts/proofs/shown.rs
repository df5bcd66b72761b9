//! Figures shown above what they count.

use gtm_lexicon::legal::CAPITAL;
use gtm_lexicon::proofs::PLAIN_FACTS;
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

use super::super::counters;
use super::super::figures::{has_number, is_bare, is_price, is_price_of_goods};
use crate::site::Site;

/// Marks with which a sentence or a label ends, not the words for what a figure counts.
const TEXT_ENDS: [char; 8] = ['.', '?', '!', ':', '。', '？', '！', '：'];

/// Most words of the label of a row of company data.
const LONGEST_LABEL: usize = 4;

/// Whether a line right above a figure is its label in a table of company data, so that what stands below is the next one:
/// `資本金`, `9,990万円`, `役員`.
fn labels_of_company(above: &Passage, figure: &Passage) -> bool {
    let folded = words::fold(&above.text);
    let words = words::split(&folded);
    above.kind != BlockKind::Heading
        && above.page == figure.page
        && above.block + 1 == figure.block
        && words.len() <= LONGEST_LABEL
        && (CAPITAL.any_in(&words) || PLAIN_FACTS.any_in(&words))
}

/// Figures shown above their label, each in a block of its own: `4,200+` above `pumps in service`.
pub(super) fn shown_large<'e>(site: &Site, evidence: &'e Evidence) -> Vec<(&'e Passage, String)> {
    let ordinals = counters::ordinals(evidence);
    let mut found = Vec::new();
    for (at, pair) in evidence.passages.windows(2).enumerate() {
        let [figure, label] = pair else { continue };
        // Between two headings, the figure belongs to the one above.
        let under_heading = label.kind == BlockKind::Heading
            && at
                .checked_sub(1)
                .and_then(|before| evidence.passages.get(before))
                .is_some_and(|before| {
                    before.page == figure.page && before.kind == BlockKind::Heading
                });
        if under_heading {
            continue;
        }
        let beside = figure.page == label.page
            && figure.block + 1 == label.block
            && !matches!(figure.kind, BlockKind::TableRow | BlockKind::Quote);
        // `1 Choose`, `2 Order`, `3 Enjoy` and `01`, `02` are numbered steps and cards, not figures.
        let orders =
            ordinals.contains(&(figure.page, figure.block)) || counters::is_numbered(&figure.text);
        if !beside || orders || !is_bare(&figure.text) || label.text.ends_with(TEXT_ENDS) {
            continue;
        }
        let above = at
            .checked_sub(1)
            .and_then(|above| evidence.passages.get(above));
        if above.is_some_and(|above| labels_of_company(above, figure)) {
            continue;
        }
        let folded = words::fold(&label.text);
        let words = words::split(&folded);
        let amount = words::fold(&figure.text);
        let all = [words::split(&amount), words.clone()].concat();
        let is_link = site.research.pages.get(label.page).is_some_and(|visited| {
            visited
                .page
                .links
                .iter()
                .any(|link| link.text == label.text)
        });
        let fits = (1..=7).contains(&words.len())
            // `98 %` may be done `in 24 h`.
            && (!has_number(&label.text) || figure.text.contains('%'))
            && !is_link
            && !PLAIN_FACTS.any_in(&words)
            && !is_price(&words, &figure.text)
            && !is_price_of_goods(&all, &figure.text);
        if fits {
            found.push((figure, format!("{} {}", figure.text, label.text)));
        }
    }
    found
}
