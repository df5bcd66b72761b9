//! The promise with which a home page begins: its first heading, and the text right below it.

use gtm_lexicon::company::{WE_AND_YOU, YOU};
use gtm_site_research::boilerplate;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::fixed_texts::FORM_SAYS_SO;
use gtm_site_research::sentences;
use gtm_site_research::words;
use serde_json::json;

use super::MOST;
use crate::draft::{CATEGORY, DESCRIPTION_LONG, DESCRIPTION_SHORT, Draft, VALUE_PROPOSITIONS};
use crate::facts::introduction::is_doubled;
use crate::facts::messaging::{asks_at_its_end, is_motto, says_something};
use crate::facts::outline::sections;
use crate::facts::speaker::addresses;
use crate::facts::trade::says_category;
use crate::facts::{keys, letters, unique_slug};
use crate::part::Part;
use crate::site::Site;

/// Fewest words of a motto that nothing else tells from the name of a trade.
const LEAST_OF_MOTTO: usize = 5;
/// Most characters of a promise.
const LONGEST_STATEMENT: usize = 300;

/// The home page's first heading is the company's main promise where it is a motto and nothing else is known as one.
fn headline(title: &Passage, lead: Option<&Passage>, site: &Site, draft: &mut Draft) {
    if !draft.many(VALUE_PROPOSITIONS).is_empty() || !is_motto(title, site) {
        return;
    }
    let language = site.research.language.as_str();
    let lead = lead.filter(|lead| lead.block == title.block + 1);
    let lead = lead.filter(|lead| says_something(lead, site));
    let excerpts = [Some(title), lead].into_iter().flatten();
    let excerpts = excerpts.map(|passage| Excerpt {
        page: passage.page,
        text: passage.text.clone(),
    });
    let text = title.text.trim_end_matches(" .");
    // A few words without any of these name a trade.
    let says_more = words::count(text) >= LEAST_OF_MOTTO
        || words::count(text) + 1 >= LEAST_OF_MOTTO && text.ends_with(['.', '!', '。', '！'])
        || text.contains([',', '、', '–', '—'])
        || addresses(&WE_AND_YOU, text, language);
    let category = draft.one(CATEGORY).and_then(|claim| claim.value.as_str());
    let is_category = category.is_some_and(|category| letters(category) == letters(text));
    let fits = says_more
        && !is_category
        && text.chars().count() <= LONGEST_STATEMENT
        && !text.ends_with(['?', '？', ':'])
        && !boilerplate::is_call_to_act(text)
        && !asks_at_its_end(text, language);
    if fits {
        let value = json!({
            "key": unique_slug(text, "value", &[]),
            "statement": text,
            "benefit": lead.map(|lead| lead.text.as_str()),
        });
        let reasoning = FORM_SAYS_SO.in_language(language);
        let claim = Claim::inferred(value, reasoning, excerpts.collect());
        draft.push(VALUE_PROPOSITIONS, claim);
    }
}

/// The text under the home page's first heading is the company's main promise, if it speaks to its buyers.
pub(super) fn hero(site: &Site, evidence: &Evidence, draft: &mut Draft) {
    let first = sections(site, evidence)
        .into_iter()
        .find(|section| section.part == Part::Home && section.heading.level == 1);
    let Some(first) = first else { return };
    let lead = first.lead();
    under_headline(lead, site, draft);
    headline(first.heading, lead, site, draft);
}

fn under_headline(lead: Option<&Passage>, site: &Site, draft: &mut Draft) {
    let Some(lead) = lead else { return };
    let text = &lead.text;
    let taken = keys(draft, VALUE_PROPOSITIONS);
    let describes = sentences::split(text, &site.research.language)
        .iter()
        .any(|sentence| says_category(sentence, site));
    // What the descriptions say is no promise.
    let described = [DESCRIPTION_SHORT, DESCRIPTION_LONG]
        .into_iter()
        .filter_map(|field| draft.one(field)?.value.as_str())
        .any(|known| letters(known).contains(&letters(text)));
    let short = draft
        .one(DESCRIPTION_SHORT)
        .and_then(|claim| claim.value.as_str());
    let described = described || short.is_some_and(|short| is_doubled(text, short));
    let known = draft
        .many(VALUE_PROPOSITIONS)
        .iter()
        .any(|claim| claim.value["statement"] == text.as_str());
    if !(5..=40).contains(&words::count(text))
        || !addresses(&YOU, text, &site.research.language)
        || text.ends_with(['?', '？'])
        || boilerplate::is_call_to_act(text)
        || asks_at_its_end(text, &site.research.language)
        || describes
        || described
        || known
        || taken.len() >= MOST
    {
        return;
    }
    let excerpt = Excerpt {
        page: lead.page,
        text: text.clone(),
    };
    let value =
        json!({"key": unique_slug(text, "value", &taken), "statement": text, "benefit": null});
    draft.push(VALUE_PROPOSITIONS, Claim::stated(value, vec![excerpt]));
}
