//! The line of business in sentences of a language without blanks: `当社は工業炉の製造・販売を行っています。`

use gtm_lexicon::numbers::is_unspaced;
use gtm_lexicon::trade::{DEEDS, DOES, MAKERS, WE};
use gtm_page_text::primary_language;
use gtm_site_research::claim::Excerpt;
use gtm_site_research::evidence::Evidence;

use super::is_plain;
use crate::facts::{legal_names, names};
use crate::letters::letters;
use crate::part::Part;
use crate::site::Site;

/// Most signs of what a sentence is about, and fewest and most of a business.
const LONGEST_TOPIC: usize = 30;
const LABEL: std::ops::RangeInclusive<usize> = 4..=45;
/// Most signs of one more item before the last of a list.
const LONGEST_ITEM: usize = 14;
/// Fewest letters of a name.
const LEAST_OF_NAME: usize = 2;
/// The mark of what a sentence is about, the one between items, and the end of a place.
const TOPIC: char = 'は';
const COMMA: char = '、';
const AT: char = 'で';
/// Signs that end the name of a place.
const PLACES: [char; 8] = ['市', '県', '区', '町', '村', '都', '府', '地'];
/// The end of a clause about a noun.
const CLAUSE: &str = "する";
/// The verb that says what something is.
const ENDS: [&str; 2] = ["です", "であります"];

/// The business that a sentence or the home page's title or description tells.
pub(super) fn told(site: &Site, evidence: &Evidence) -> Option<(String, Excerpt)> {
    if primary_language(&site.research.language) != "ja" {
        return None;
    }
    let own: Vec<String> = site
        .research
        .names
        .iter()
        .map(|name| letters(legal_names::without_form(name)))
        .filter(|name| name.chars().count() >= LEAST_OF_NAME)
        .collect();
    let home = site.research.pages.first().map(|visited| &visited.page)?;
    let described = home.description.as_deref().into_iter();
    let told = |text: &str, page: usize, label: &str| {
        let excerpt = Excerpt {
            page,
            text: text.to_owned(),
        };
        (label.to_owned(), excerpt)
    };
    let presents = |page: usize| {
        matches!(
            site.part(page),
            Part::Home | Part::About | Part::Product | Part::Other
        )
    };
    let sentences = evidence
        .sentences
        .iter()
        .filter(|sentence| presents(sentence.page))
        .find_map(|sentence| {
            let label = in_sentence(&sentence.text, &own)?;
            Some(told(&sentence.text, sentence.page, label))
        });
    let in_description = || {
        described.clone().find_map(|text| {
            let mut sentences = text.split_inclusive('。');
            let label = sentences.find_map(|sentence| in_sentence(sentence, &own));
            Some(told(text, 0, label.or_else(|| maker_in(text, &own))?))
        })
    };
    let in_title = || {
        let text = home.title.as_deref()?;
        Some(told(text, 0, maker_in(text, &own)?))
    };
    sentences.or_else(in_description).or_else(in_title)
}

/// What a sentence about the company says that it does or is.
fn in_sentence<'t>(sentence: &'t str, own: &[String]) -> Option<&'t str> {
    let (topic, rest) = sentence.trim().split_once(TOPIC)?;
    let topic = topic.trim_end_matches(COMMA);
    let key = letters(topic);
    let is_own = topic.chars().count() <= LONGEST_TOPIC
        && (own.iter().any(|name| key.contains(name))
            || WE
                .iter()
                .any(|we| topic.ends_with(we.trim_end_matches(TOPIC))));
    if !is_own {
        return None;
    }
    let done = DOES.iter().filter_map(|does| rest.find(does)).min();
    if let Some(end) = done {
        let label = last_clause(rest.get(..end)?);
        return (fits(label) && names_deed(label)).then_some(label);
    }
    let rest = rest.trim_end_matches(['。', '！']);
    let noun = ENDS.iter().find_map(|end| rest.strip_suffix(end))?;
    let label = last_clause(noun);
    (fits(label) && is_maker(label)).then_some(label)
}

/// The segment of a title or description that is a noun for a business and nothing else.
fn maker_in<'t>(text: &'t str, own: &[String]) -> Option<&'t str> {
    let parts = names::segments(text).into_iter();
    let parts = parts.flat_map(|segment| segment.split([' ', '\u{3000}', '。']));
    // Praise stands before the verb of a clause: `世界をリードする…`
    let mut labels = parts.map(|part| part.rsplit(CLAUSE).next().unwrap_or(part));
    labels.find(|part| {
        let key = letters(part);
        fits(part) && is_maker(part) && !own.iter().any(|name| key.contains(name))
    })
}

/// What is left of a text behind when, where and whom else it tells of; items of a list stay.
fn last_clause(text: &str) -> &str {
    let text = text.trim().trim_start_matches(COMMA);
    let is_item = |part: &str| {
        let plain =
            |c: char| is_unspaced(c) && !('\u{3041}'..='\u{3096}').contains(&c) || c == 'の';
        part.chars().count() <= LONGEST_ITEM && part.chars().all(|c| plain(c) || c == '・')
    };
    let mut begin = text.rfind(COMMA).map_or(0, |at| at + COMMA.len_utf8());
    while let Some(before) = text.get(..begin).and_then(|text| text.strip_suffix(COMMA)) {
        let first = before.rfind(COMMA).map_or(0, |at| at + COMMA.len_utf8());
        match before.get(first..).is_some_and(is_item) {
            true => begin = first,
            false => break,
        }
    }
    let label = text.get(begin..).unwrap_or(text);
    let place = label
        .match_indices(AT)
        .map(|(at, _)| at)
        .rfind(|at| label.get(..*at).is_some_and(|town| town.ends_with(PLACES)));
    place
        .and_then(|at| label.get(at + AT.len_utf8()..))
        .unwrap_or(label)
        .trim()
}

fn fits(label: &str) -> bool {
    LABEL.contains(&label.chars().count())
        && label.starts_with(|c: char| !('\u{3041}'..='\u{3096}').contains(&c))
        && label.contains(is_unspaced)
        && !label.contains(['「', '？', '！', '『', '@'])
        && !is_plain(label)
}

/// Whether a text names what is done with something: `…の製造`.
fn names_deed(label: &str) -> bool {
    DEEDS.iter().any(|deed| {
        label
            .find(deed)
            .and_then(|at| label.get(..at))
            .is_some_and(|before| !before.is_empty())
    })
}

fn is_maker(label: &str) -> bool {
    MAKERS.iter().any(|maker| {
        label
            .strip_suffix(maker)
            .is_some_and(|before| !before.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_tell_the_business() {
        let own = ["丘本製作所".to_owned()];
        for (sentence, label) in [
            (
                "株式会社丘本製作所は、工業炉の製造・販売を行う会社です。",
                Some("工業炉の製造・販売"),
            ),
            (
                "当社は昭和31年の創業以来、長野県岡谷市で工業炉の設計・製造を行っております。",
                Some("工業炉の設計・製造"),
            ),
            (
                "当社は、工業炉、乾燥炉の製造を手がけています。",
                Some("工業炉、乾燥炉の製造"),
            ),
            (
                "丘本製作所は工業炉の専門メーカーです。",
                Some("工業炉の専門メーカー"),
            ),
            ("丘本製作所は地域に愛される会社です。", None),
            ("お客様は工業炉の製造を行っています。", None),
            ("当社は心をこめて仕事を行っています。", None),
            ("当社は工業炉が好きです。", None),
        ] {
            assert_eq!(in_sentence(sentence, &own), label, "{sentence}");
        }
    }

    #[test]
    fn titles_name_a_maker() {
        let own = ["丘本製作所".to_owned()];
        assert_eq!(
            maker_in("株式会社丘本製作所　|　高温用の工業炉専門メーカー", &own),
            Some("高温用の工業炉専門メーカー")
        );
        assert_eq!(
            maker_in("世界をリードする高温用工業炉メーカー　丘本製作所", &own),
            Some("高温用工業炉メーカー")
        );
        assert_eq!(maker_in("丘本製作所メーカー｜工業炉", &own), None);
        assert_eq!(maker_in("メーカー一覧", &own), None);
    }
}
