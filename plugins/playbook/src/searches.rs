//! What to search for: what others write about the target, for the requested sections.

use gtm_site_research::fixed_texts::{
    FixedText, SEARCH_COMPETITORS, SEARCH_FUNDING, SEARCH_HIRING, SEARCH_LEADERSHIP, SEARCH_NEWS,
    SEARCH_TECHNOLOGY,
};
use gtm_site_research::host::{NEWS_SEARCH, WEB_SEARCH};
use gtm_site_research::reading::Search;

use crate::request::{Request, Section};

/// One search: for people, in the words of the query, and the sections that it can feed.
struct Subject {
    title: &'static str,
    words: &'static FixedText,
    /// Whether news answer it.
    is_news: bool,
    sections: &'static [Section],
}

/// The most useful first: a target with few pages to read has only these.
const SUBJECTS: [Subject; 6] = [
    Subject {
        title: "news",
        words: &SEARCH_NEWS,
        is_news: true,
        sections: &[
            Section::BusinessSummary,
            Section::Priorities,
            Section::PainPoints,
            Section::BuyingSignals,
            Section::SalesAngles,
            Section::ProofPoints,
            Section::TalkTrack,
            Section::Risks,
        ],
    },
    Subject {
        title: "hiring",
        words: &SEARCH_HIRING,
        is_news: false,
        sections: &[Section::BuyingSignals, Section::Priorities],
    },
    Subject {
        title: "funding",
        words: &SEARCH_FUNDING,
        is_news: true,
        sections: &[Section::BuyingSignals],
    },
    Subject {
        title: "technology",
        words: &SEARCH_TECHNOLOGY,
        is_news: false,
        sections: &[
            Section::PainPoints,
            Section::ValueMap,
            Section::BuyingSignals,
            Section::CompetitivePosition,
        ],
    },
    Subject {
        title: "leadership",
        words: &SEARCH_LEADERSHIP,
        is_news: true,
        sections: &[Section::BuyingCommittee, Section::BuyingSignals],
    },
    Subject {
        title: "competitors",
        words: &SEARCH_COMPETITORS,
        is_news: false,
        sections: &[Section::CompetitivePosition, Section::Objections],
    },
];

/// At most `most` searches about a company whose site is in this language. `bound` says which capabilities can be used.
pub fn of(
    request: &Request,
    company: &str,
    language: &str,
    bound: impl Fn(&str) -> bool,
    most: usize,
) -> Vec<Search> {
    let (web, news) = (bound(WEB_SEARCH), bound(NEWS_SEARCH));
    SUBJECTS
        .iter()
        .filter(|subject| subject.sections.iter().any(|s| request.wants(*s)))
        .filter_map(|subject| {
            let capability = match (subject.is_news && news, web) {
                (true, _) => NEWS_SEARCH,
                (false, true) => WEB_SEARCH,
                (false, false) => return None,
            };
            let words = subject.words.in_language(language);
            Some(Search::about(company, words, capability, subject.title))
        })
        .take(most)
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use serde_json::json;

    use super::*;

    fn queries(sections: &[Section], language: &str, bound: &[&str], most: usize) -> Vec<String> {
        let keys: Vec<&str> = sections.iter().map(|section| section.key()).collect();
        let input = json!({"input": {"target_company": "Acme"}, "sections": keys});
        let request = Request::read(input).unwrap();
        let bound = |capability: &str| bound.contains(&capability);
        of(&request, "Acme", language, bound, most)
            .into_iter()
            .map(|search| format!("{}: {}", search.capability, search.query))
            .collect()
    }

    #[test]
    fn only_what_the_sections_need_is_searched() {
        let web = &["web.search"][..];
        assert_eq!(
            queries(&[Section::CompetitivePosition], "de", web, 9),
            [
                "web.search: \"Acme\" Technologie Software",
                "web.search: \"Acme\" Wettbewerber"
            ]
        );
        assert_eq!(
            queries(&[Section::SalesAngles], "fi", web, 9),
            ["web.search: \"Acme\" news"]
        );
        assert!(queries(&[Section::CompanyProfile], "en", web, 9).is_empty());
        assert_eq!(queries(&Section::ALL, "ja", web, 9).len(), 6);
        assert_eq!(queries(&Section::ALL, "ja", web, 2).len(), 2);
    }

    #[test]
    fn news_are_asked_for_news_where_they_are_bound() {
        let sections = [Section::BuyingSignals];
        assert_eq!(
            queries(&sections, "fr", &["web.search", "news.search"], 3),
            [
                "news.search: \"Acme\" actualités",
                "web.search: \"Acme\" recrutement emploi",
                "news.search: \"Acme\" financement investissement"
            ]
        );
        let alone = queries(&sections, "fr", &["news.search"], 9);
        assert!(alone.iter().all(|query| query.starts_with("news.search")) && alone.len() == 3);
        assert!(queries(&sections, "fr", &[], 9).is_empty());
    }
}
