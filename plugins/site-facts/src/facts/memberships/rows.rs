//! Certificates and associations in the rows of a company's particulars: `認証 ISO9001、ISO14001`.

use gtm_lexicon::numbers::is_unspaced;
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

use super::super::certificates::is_certificate;
use super::super::labels::listed;
use super::{Told, announces};
use crate::part::Part;
use crate::site::Site;

/// Most words of a label.
const LONGEST_LABEL: usize = 2;
/// Fewest and most characters of what is named.
const NAME: std::ops::RangeInclusive<usize> = 4..=60;

/// What such rows name. In scripts with capitals, only known standards count: anything may stand below a label.
pub fn in_rows(site: &Site, evidence: &Evidence) -> Vec<Told> {
    let mut found = Vec::new();
    for (at, passage) in evidence.passages.iter().enumerate() {
        let own = matches!(
            site.part(passage.page),
            Part::Home | Part::About | Part::Other | Part::Trust | Part::Contact
        );
        let Some((value, carrier)) =
            value_of(passage, evidence.passages.get(at + 1)).filter(|_| own)
        else {
            continue;
        };
        let is_name = |name: &&str| {
            NAME.contains(&name.chars().count())
                && !name.contains(['。', '？', '！'])
                && (is_certificate(name, false, site) || name.contains(is_unspaced))
        };
        found.extend(listed(value).into_iter().filter(is_name).map(|name| Told {
            text: name.to_owned(),
            page: passage.page,
            carrier: carrier.to_owned(),
        }));
    }
    found
}

/// The value of a row or term with such a label, and the text that has it.
fn value_of<'a>(passage: &'a Passage, next: Option<&'a Passage>) -> Option<(&'a str, &'a str)> {
    let text = passage.text.as_str();
    match passage.kind {
        BlockKind::TableRow => {
            let ends = words::tokens(text).into_iter().take(LONGEST_LABEL);
            let mut rows =
                ends.filter_map(|(_, end, _)| Some((text.get(..end)?, text.get(end..)?)));
            let (_, value) = rows.find(|(label, _)| announces(label))?;
            Some((value.trim(), text))
        }
        BlockKind::ListItem => {
            let below = next.filter(|next| {
                next.page == passage.page
                    && next.block == passage.block + 1
                    && next.kind == passage.kind
                    && announces(text)
            })?;
            Some((&below.text, &below.text))
        }
        _ => None,
    }
}
