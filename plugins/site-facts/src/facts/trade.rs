//! The company's line of business.

mod actors;
mod declared;
mod registered;
mod short_names;
mod specialized;
mod titles;
mod unspaced;

use gtm_lexicon::segments::JOINTS;
use gtm_lexicon::trade::{
    ARTICLES, BUSINESSES, COMPANY_NOUNS, COPULAS, ENDS, INDUSTRY_LABELS, NO_CATEGORIES, OF,
    PLAIN_COMPANY, PLAIN_COMPOUNDS, UNCOUNTED, UNCOUNTED_ENDINGS, WE, WE_ARE,
};
use gtm_page_text::is_joined;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Sentence};
use gtm_site_research::words;
use serde_json::json;

use self::actors::is_actor;
use self::declared::{classified, declared_type};
use self::registered::in_registered_name;
use self::short_names::short_names;
use self::specialized::specialty;
use self::titles::{LONGEST_BUSINESS, agreed, compound, dealt_in, described};
use super::labels::{Labelled, labelled};
use super::legal_names;
use crate::draft::{CATEGORY, Draft, INDUSTRIES};
use crate::part::Part;
use crate::site::Site;

/// Whether a noun needs no article. German and Dutch compound such nouns with others: `Abrechnungssoftware`.
fn is_uncounted(noun: &str) -> bool {
    UNCOUNTED.contains(noun)
        || UNCOUNTED_ENDINGS
            .iter()
            .any(|(_, endings)| endings.iter().any(|ending| noun.ends_with(ending)))
}

/// Whether words say of a company only that it is one, how big, or whose: `service company`, `Traditionsbetrieb`.
fn is_plain(what: &str) -> bool {
    let folded = words::fold(what);
    let plain = |word: &str| {
        word.chars().count() <= 2 || PLAIN_COMPANY.contains(word) || PLAIN_COMPOUNDS.has_word(word)
    };
    words::split(&folded).into_iter().all(plain)
}

/// Collects industry and category.
pub fn collect(site: &Site, evidence: &Evidence, pairs: &[Labelled<'_>], draft: &mut Draft) {
    if let Some(industry) = gtm_site_research::trade::industry(&site.research, evidence)
        && let Some(label) = industry.value.as_str().map(str::to_owned)
        && !is_plain(&label)
    {
        draft.push(INDUSTRIES, free_text(&label, industry.excerpts));
    }
    for organization in &site.organizations {
        for member in ["industry", "knowsAbout"] {
            for text in organization.texts(member).into_iter().take(3) {
                if (3..=60).contains(&text.chars().count()) && member == "industry" {
                    let excerpt = Excerpt {
                        page: organization.page,
                        text: text.clone(),
                    };
                    draft.push(INDUSTRIES, free_text(&text, vec![excerpt]));
                }
            }
        }
    }
    // What a vacancy is about is a job.
    let pairs: Vec<Labelled<'_>> = pairs
        .iter()
        .filter(|pair| pair.part != Part::Careers)
        .cloned()
        .collect();
    let pairs = pairs.as_slice();
    let itself = category(site, evidence);
    let of_goods = |value: &str| itself.is_some() && lists_goods(value);
    let rows = labelled(pairs, &INDUSTRY_LABELS).filter(|pair| !is_link(pair, site));
    if draft.many(INDUSTRIES).is_empty()
        && let Some((pair, lines)) = rows
            .map(|pair| (pair, lines_of(pair.value)))
            .find(|(_, lines)| lines.len() > 1)
    {
        for label in lines.into_iter().take(MOST_LISTED) {
            draft.push(INDUSTRIES, free_text(label, pair.excerpts.clone()));
        }
    }
    if draft.many(INDUSTRIES).is_empty()
        && let Some(pair) = labelled(pairs, &INDUSTRY_LABELS).find(|pair| {
            let words = words::count(pair.value);
            let says_more = pair.value.ends_with(['.', '!', '?', '。']);
            !says_more
                && !is_link(pair, site)
                && !of_goods(pair.value)
                && (1..=20).contains(&words)
                && (2..=60).contains(&pair.value.chars().count())
        })
    {
        draft.push(INDUSTRIES, free_text(pair.value, pair.excerpts.clone()));
    }
    if draft.many(INDUSTRIES).is_empty()
        && let Some(pair) = labelled(pairs, &INDUSTRY_LABELS)
            .find(|pair| is_list(pair.value) && !of_goods(pair.value))
    {
        for label in pair.value.split('、').take(MOST_LISTED) {
            let label = label.trim().trim_end_matches(['。', '等']);
            draft.push(INDUSTRIES, free_text(label, pair.excerpts.clone()));
        }
    }
    if draft.many(INDUSTRIES).is_empty()
        && let Some(data) = &site.company_data
        && let Some(text) = &data.facts.industry
    {
        draft.push(
            INDUSTRIES,
            free_text(text, vec![data.excerpt(text.as_str())]),
        );
    }
    if draft.many(INDUSTRIES).is_empty()
        && let Some((label, pair)) = classified(pairs)
    {
        draft.push(INDUSTRIES, free_text(label, pair.excerpts.clone()));
    }
    let business = agreed(site, evidence, draft).or_else(|| itself.clone());
    if draft.many(INDUSTRIES).is_empty()
        && let Some(told) = &business
        && let Some(label) = told.value.as_str()
        && words::count(label) <= LONGEST_BUSINESS
        && let Some(excerpt) = told.excerpts.first()
    {
        let value = json!({"scheme": "free_text", "code": null, "label": label});
        draft.push(INDUSTRIES, Claim::told(value, excerpt.clone()));
    }
    if draft.many(INDUSTRIES).is_empty()
        && let Some((label, excerpt)) = described(site)
            .or_else(|| dealt_in(site))
            .or_else(|| compound(site))
            .or_else(|| unspaced::told(site, evidence))
            .or_else(|| in_registered_name(site, evidence, draft))
            .or_else(|| specialty(site, evidence))
    {
        let value = json!({"scheme": "free_text", "code": null, "label": label});
        draft.push(INDUSTRIES, Claim::told(value, excerpt));
    }
    // The names of types are English, and say little: anything in the site's own words is better.
    if draft.many(INDUSTRIES).is_empty()
        && let Some((label, excerpt)) = declared_type(site)
    {
        let reasoning = "The site's structured data says that the company is one of this type.";
        let value = json!({"scheme": "free_text", "code": null, "label": label});
        draft.push(INDUSTRIES, Claim::inferred(value, reasoning, vec![excerpt]));
    }
    let told = itself.or(business);
    draft.set(CATEGORY, told.or_else(|| only_industry(draft)));
}

/// The only industry of the company, where its name is short enough to be what one calls the company.
fn only_industry(draft: &Draft) -> Option<Claim> {
    let [only] = draft.many(INDUSTRIES) else {
        return None;
    };
    let label = titles::business_alone(only.value["label"].as_str()?);
    (words::count(label) <= LONGEST_BUSINESS && !is_plain(label)).then(|| Claim {
        value: label.into(),
        ..only.clone()
    })
}

/// Most businesses of a list.
const MOST_LISTED: usize = 5;

/// Whether a value lists several businesses, as tables of Japanese companies do.
fn is_list(value: &str) -> bool {
    let fits = |part: &str| (2..=25).contains(&part.trim().chars().count());
    let parts = value.split('、');
    parts.clone().count() >= 2 && parts.into_iter().all(fits) && !value.ends_with('。')
}

/// Whether a list names no business, such as `印刷業`: it may name what the company sells, and a company that says what it
/// is needs no such list.
fn lists_goods(value: &str) -> bool {
    let is_business = |part: &str| part.trim_end_matches(['。', '等', ' ']).ends_with('業');
    value.contains('、') && !value.split('、').any(is_business)
}

/// The lines of a value in a script without blanks, where a blank stands for the end of a line, without their numbers and
/// marks; none unless all are names.
fn lines_of(value: &str) -> Vec<&str> {
    let is_mark =
        |c: char| c.is_numeric() || c.is_whitespace() || ".．)）(（・●■◆○◇･、-".contains(c);
    let mut ends = Vec::new();
    let mut last = None;
    for (at, c) in value.char_indices() {
        let next = value
            .get(at + c.len_utf8()..)
            .and_then(|rest| rest.chars().next());
        // `IT システム` is one name.
        let parts = |c: Option<char>| c.is_some_and(|c| is_joined(c) || is_mark(c));
        if c.is_whitespace() && parts(last) && parts(next) {
            ends.push(at);
        }
        last = Some(c);
    }
    ends.push(value.len());
    let mut begin = 0;
    let mut found = Vec::new();
    for end in ends {
        let line = value.get(begin..end).unwrap_or_default();
        begin = end;
        let line = line
            .trim_start_matches(is_mark)
            .trim_end_matches([' ', '、', '　']);
        if !line.is_empty() {
            found.push(line);
        }
    }
    let is_name = |line: &&str| {
        (2..=LONGEST_LINE).contains(&line.chars().count())
            && line.contains(is_joined)
            && !line.contains(['、', '。'])
    };
    if found.iter().all(is_name) {
        found
    } else {
        Vec::new()
    }
}

/// Most signs of a line that names a business.
const LONGEST_LINE: usize = 25;

/// Whether a value is the text of a link: links of a navigation stand under each other like labels and values.
fn is_link(pair: &Labelled<'_>, site: &Site) -> bool {
    let page = site.research.pages.get(pair.page);
    page.is_some_and(|visited| {
        let mut links = visited.page.links.iter();
        links.any(|link| link.text == pair.value)
    })
}

fn free_text(label: &str, excerpts: Vec<Excerpt>) -> Claim {
    Claim::stated(
        json!({"scheme": "free_text", "code": null, "label": label}),
        excerpts,
    )
}

/// The company's folded names, as sentences use them.
fn spoken_names(site: &Site) -> Vec<String> {
    site.research
        .names
        .iter()
        .map(|name| legal_names::without_form(name))
        .filter(|name| name.chars().count() >= 3)
        .map(words::fold)
        .collect()
}

/// Whether a sentence says what kind of company it is.
pub fn says_category(sentence: &str, site: &Site) -> bool {
    what_it_is(sentence, &spoken_names(site)).is_some()
}

/// What a sentence says the company is: `Acme is a cold-chain logistics company for …`.
fn category(site: &Site, evidence: &Evidence) -> Option<Claim> {
    let names = spoken_names(site);
    let told = |names: &[String], by_name: bool| {
        evidence
            .sentences
            .iter()
            .filter(|sentence| match site.part(sentence.page) {
                Part::Home | Part::About | Part::Product | Part::Press => true,
                // Other pages tell of other things, too; a noun for a business behind `we are` means the company.
                Part::Other | Part::Questions => !by_name && we_are_a_business(&sentence.words()),
                _ => false,
            })
            .filter(|sentence| {
                !by_name
                    || names
                        .iter()
                        .any(|name| sentence.folded.contains(name.as_str()))
            })
            .find_map(|sentence| {
                what_it_is(&sentence.text, names).map(|what| {
                    Claim::stated(
                        what,
                        vec![Excerpt {
                            page: sentence.page,
                            text: sentence.text.clone(),
                        }],
                    )
                })
            })
    };
    // `We are a …` introduces many things; a sentence with the company's name is more reliable.
    let by_short_name = || {
        let short: Vec<String> = short_names(site);
        let begins = |sentence: &&Sentence| {
            let mut short = short.iter();
            short.any(|name| {
                let rest = sentence.folded.strip_prefix(name.as_str());
                rest.is_some_and(|rest| rest.starts_with(' '))
            })
        };
        let presents = |part| matches!(part, Part::Home | Part::About | Part::Product);
        let sentences = evidence.sentences.iter().filter(begins);
        let mut sentences = sentences.filter(|sentence| presents(site.part(sentence.page)));
        sentences.find_map(|sentence| {
            let what = what_it_is(&sentence.text, &short)?;
            let excerpt = Excerpt {
                page: sentence.page,
                text: sentence.text.clone(),
            };
            Some(Claim::stated(what, vec![excerpt]))
        })
    };
    told(&names, true)
        .or_else(by_short_name)
        .or_else(|| told(&names, false))
}

/// Whether words begin with `we are` and go on with a noun for a business.
fn we_are_a_business(words: &[&str]) -> bool {
    let verb = match words {
        [verb, ..] if WE_ARE.contains(verb) => 0,
        [pronoun, verb, ..] if WE.contains(pronoun) && COPULAS.any_has(verb) => 1,
        _ => return false,
    };
    (1..=LAST_NOUN).any(|at| {
        let rest = words.get(verb + at..).unwrap_or_default();
        BUSINESSES.open(rest)
    })
}

/// How many words behind the verb the noun for a business may stand: behind an article and an adjective.
const LAST_NOUN: usize = 3;

/// What a sentence without blanks says the company is: the noun before the verb that ends it.
fn at_end<'a>(sentence: &'a str, names: &[String]) -> Option<&'a str> {
    let body = sentence
        .trim_end_matches(['。', '！'])
        .strip_suffix("です")?;
    let folded = words::fold(sentence);
    let named = names.iter().any(|name| folded.contains(name.as_str()));
    let is_noun = |c: char| matches!(c, '\u{30a0}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}');
    let begin = body
        .char_indices()
        .rev()
        .take_while(|(_, c)| is_noun(*c))
        .last()
        .map(|(at, _)| at)?;
    let what = body.get(begin..)?;
    let ends_like_a_company = what.ends_with(['社', '店', '業', '所', '院', '園', '館', '校']);
    let fits = (3..=14).contains(&what.chars().count());
    (named && fits && ends_like_a_company).then_some(what)
}

/// Whether a noun for a business begins at a token.
fn business_at(tokens: &[(usize, usize, &str)], at: usize) -> bool {
    let folded: Vec<String> = tokens
        .iter()
        .skip(at)
        .take(3)
        .map(|(_, _, word)| words::split(&words::fold(word)).join(" "))
        .collect();
    let words: Vec<&str> = folded.iter().map(String::as_str).collect();
    BUSINESSES.open(&words)
}

/// Whether a word that joins two others goes on with what a company is: `planning and building company`, `Planungs- und
/// Baufirma`. A noun for a business before it says all: `bakery and café`.
fn joins(tokens: &[(usize, usize, &str)], first: usize, at: usize) -> bool {
    let word = |at: usize| tokens.get(at).map(|(.., word)| *word).unwrap_or_default();
    if !JOINTS.any_has(&words::fold(word(at))) {
        return false;
    }
    let ends_here = |at: usize| word(at).ends_with([',', '.', ';', ':', '!', '?']);
    let is_business =
        |at: usize| business_at(tokens, at) || COMPANY_NOUNS.contains(&words::fold(bare(word(at))));
    let before = (first..at).any(is_business);
    let mut behind = (at + 1..=at + LAST_NOUN).take_while(|next| !ends_here(next - 1));
    word(at - 1).ends_with('-') || !before && behind.any(is_business)
}

/// A word without the marks behind it.
fn bare(word: &str) -> &str {
    word.trim_end_matches([',', '.', ';', ':', '!', '?', ')'])
}

/// A label without the bracket that it opens and does not close: `wall insulation (EWI`.
fn without_open_bracket(label: &str) -> &str {
    let open = label
        .rfind(['(', '（'])
        .and_then(|at| label.split_at_checked(at));
    match open {
        Some((before, rest)) if !rest.contains([')', '）']) => before.trim_end(),
        _ => label,
    }
}

/// The words after `NAME is a`, up to the words that say for whom or how.
fn what_it_is<'a>(sentence: &'a str, names: &[String]) -> Option<&'a str> {
    if let Some(what) = at_end(sentence, names) {
        return Some(what);
    }
    let tokens = words::tokens(sentence);
    for at in 0..tokens.len().saturating_sub(2) {
        let verb = words::fold(tokens.get(at)?.2);
        let article = words::fold(tokens.get(at + 1)?.2);
        // Without their accents, the Italian and Portuguese verbs are the word for `and`.
        let is_verb = verb != "e" || matches!(tokens.get(at)?.2, "è" | "é" | "È" | "É");
        let known = || COPULAS.iter().filter(|(_, verbs)| verbs.contains(&verb));
        let counted = known().any(|(language, _)| ARTICLES.of(language).contains(&article));
        let may_be_uncounted =
            || known().any(|(language, _)| UNCOUNTED_ENDINGS.of(language).iter().next().is_some());
        // In the plural, too, such a noun has no article: `Siamo distributori di …`.
        let plural = || (1..LAST_NOUN).any(|behind| business_at(&tokens, at + behind));
        let plural = is_verb && !counted && known().next().is_some() && plural();
        if !is_verb || !(counted || plural || may_be_uncounted()) {
            continue;
        }
        let first = at + 1 + usize::from(counted);
        let before = sentence.get(..tokens.get(at)?.0)?;
        let folded = words::fold(before.trim());
        let subject = words::split(&folded);
        let is_company = names.iter().any(|name| {
            folded.ends_with(name.as_str()) || folded.contains(name.as_str()) && subject.len() <= 6
        });
        // `Siamo un gruppo di amici`: without a pronoun the verb alone says little.
        let omitted = || {
            subject.is_empty()
                && WE_ARE.contains(&verb)
                && (1..=LAST_NOUN).any(|behind| business_at(&tokens, at + behind))
        };
        let is_we = matches!(subject.as_slice(), [pronoun] if WE.contains(pronoun)) || omitted();
        // A name may be told with the noun right behind the verb: `Acme ist Hersteller von …`.
        if !is_we && (!is_company || plural && !business_at(&tokens, at + 1)) {
            continue;
        }
        let begin = tokens.get(first)?.0;
        let mut end = begin;
        let mut count = 0;
        for &(start, _, word) in tokens.iter().skip(first) {
            let bare = bare(word);
            let folded = words::fold(bare);
            // A word such as `and` ends the phrase, unless the phrase is still empty.
            // In `specializzati in cordami`, such a word leads to what the business deals in.
            let next = tokens.get(first + count + 1);
            let deals = plural
                && known().any(|(language, _)| OF.of(language).contains(&folded))
                && next.is_some_and(|(_, _, next)| !next.starts_with(char::is_uppercase));
            let goes_on = deals || count > 0 && joins(&tokens, first, first + count);
            if count > 0 && ENDS.contains(&folded) && !goes_on || matches!(word, "–" | "—" | "-")
            {
                break;
            }
            // Capitals behind a comma go on with a list, whose first item alone says too little.
            if word.ends_with(',')
                && bare.starts_with(char::is_uppercase)
                && next.is_some_and(|(_, _, next)| next.starts_with(char::is_uppercase))
            {
                return None;
            }
            end = start + bare.len();
            count += 1;
            if bare.len() != word.len() || count > 7 {
                break;
            }
        }
        let what = without_open_bracket(sentence.get(begin..end)?.trim());
        let folded = words::fold(what);
        let words = words::split(&folded);
        let fits = (1..=7).contains(&count)
            && what.chars().count() >= 5
            && !is_actor(&words, sentence.get(begin..)?)
            && !NO_CATEGORIES.any_in(&words)
            && !is_plain(what)
            && (counted
                || plural && count >= 2
                || words.last().is_some_and(|last| is_uncounted(last)));
        // `une entreprise spécialisée dans …` says what only behind that.
        if counted && specialized::leads_on(&tokens, first + count) {
            return None;
        }
        if counted || fits {
            return fits.then_some(what);
        }
    }
    None
}

#[cfg(test)]
mod tests;
