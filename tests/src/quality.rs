//! How good a guideline is: its claims against what stands in a site's golden file
//! (`tests/sites/README.md` says how that is written and compared).

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::company_sites::CompanySite;

/// Fields that hold one claim (annex A2).
const ONE: [&str; 27] = [
    "/identity/brand_name",
    "/identity/legal_name",
    "/identity/tagline",
    "/identity/description_short",
    "/identity/description_long",
    "/identity/founded_year",
    "/identity/headquarters",
    "/identity/employee_range",
    "/identity/ownership",
    "/foundations/mission",
    "/foundations/vision",
    "/foundations/purpose",
    "/foundations/origin_story",
    "/positioning/category",
    "/positioning/statement",
    "/positioning/price_position",
    "/voice/summary",
    "/voice/formality",
    "/voice/person",
    "/voice/spelling_locale",
    "/messaging/core_message",
    "/messaging/boilerplate",
    "/messaging/pitches/seconds_10",
    "/messaging/pitches/seconds_30",
    "/messaging/pitches/words_100",
    "/visual/imagery",
    "/visual/layout",
];

/// Fields that hold a list of claims.
const MANY: [&str; 31] = [
    "/identity/industries",
    "/identity/locales",
    "/identity/profiles",
    "/identity/identifiers",
    "/foundations/values",
    "/foundations/commitments",
    "/audience/segments",
    "/audience/personas",
    "/audience/markets",
    "/audience/exclusions",
    "/positioning/value_propositions",
    "/positioning/differentiators",
    "/positioning/alternatives",
    "/positioning/proof_points",
    "/voice/traits",
    "/voice/tone_by_context",
    "/voice/vocabulary/preferred",
    "/voice/vocabulary/avoided",
    "/voice/samples",
    "/messaging/pillars",
    "/messaging/calls_to_action",
    "/messaging/objections",
    "/messaging/claims_allowed",
    "/messaging/claims_restricted",
    "/visual/logos",
    "/visual/palette",
    "/visual/typography",
    "/governance/required_legal_lines",
    "/governance/trademark_usage",
    "/governance/restricted_topics",
    // Plain values, not claims.
    "/governance/accessibility/failing_pairs",
];

/// Measured facts of style: plain values, not claims.
const STYLE: [&str; 5] = [
    "/voice/style/contractions",
    "/voice/style/oxford_comma",
    "/voice/style/emoji",
    "/voice/style/exclamation_marks",
    "/voice/style/headline_case",
];

/// Fields whose values are of a closed set, measured or derived: they don't stand on a page as words.
const CLOSED: [&str; 10] = [
    "/identity/employee_range",
    "/identity/ownership",
    "/positioning/price_position",
    "/voice/formality",
    "/voice/person",
    "/voice/spelling_locale",
    "/voice/style/",
    "/audience/markets",
    "/identity/locales",
    "/governance/accessibility/",
];

/// Members of values that are of a closed set or are derived.
const CLOSED_MEMBERS: [&str; 15] = [
    "role",
    "kind",
    "variant",
    "theme",
    "scheme",
    "network",
    "country",
    "media_type",
    "digest",
    "weights",
    "fallbacks",
    "key",
    "license",
    "width",
    "height",
];

/// A claim that a guideline makes.
#[derive(Debug, Clone)]
pub struct Found {
    pub pointer: &'static str,
    pub value: Value,
    /// `stated`, `observed`, `inferred`, `provided`; null for measured facts.
    pub basis: Value,
}

/// The claims of a guideline.
pub fn claims(guideline: &Value) -> Vec<Found> {
    let mut found = Vec::new();
    let mut add = |pointer, claim: &Value| {
        let (value, basis) = if claim.get("confidence").is_some() {
            (claim["value"].clone(), claim["basis"].clone())
        } else {
            (claim.clone(), Value::Null)
        };
        if !value.is_null() {
            found.push(Found {
                pointer,
                value,
                basis,
            });
        }
    };
    for pointer in ONE.into_iter().chain(STYLE) {
        if let Some(claim) = guideline.pointer(pointer) {
            add(pointer, claim);
        }
    }
    for pointer in MANY {
        let list = guideline.pointer(pointer).and_then(Value::as_array);
        for claim in list.into_iter().flatten() {
            add(pointer, claim);
        }
    }
    found
}

/// What a guideline scores.
#[derive(Debug, Clone, Default)]
pub struct Score {
    /// Claims that were expected, and those of them that were found.
    pub expected: usize,
    pub recalled: usize,
    /// Claims that were found, and those of them that are true.
    pub found: usize,
    pub right: usize,
    /// Conflicts between pages that were expected, and those of them that were found.
    pub conflicts_expected: usize,
    pub conflicts_found: usize,
    /// What was expected and not found.
    pub missed: Vec<String>,
    /// What was found and is not known to be true.
    pub unlisted: Vec<String>,
    /// What was found and the site does not show: must be none.
    pub unsupported: Vec<String>,
}

impl Score {
    pub fn precision(&self) -> f64 {
        ratio(self.right, self.found)
    }
    pub fn recall(&self) -> f64 {
        ratio(self.recalled, self.expected)
    }
    pub fn add(&mut self, other: &Self) {
        self.expected += other.expected;
        self.recalled += other.recalled;
        self.found += other.found;
        self.right += other.right;
        self.conflicts_expected += other.conflicts_expected;
        self.conflicts_found += other.conflicts_found;
        self.missed.extend(other.missed.iter().cloned());
        self.unlisted.extend(other.unlisted.iter().cloned());
        self.unsupported.extend(other.unsupported.iter().cloned());
    }
}

/// 1 where there was nothing to get right.
#[allow(clippy::cast_precision_loss)]
fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        1.0
    } else {
        part as f64 / whole as f64
    }
}

/// Compares guidelines with a site's golden file.
pub struct Judge<'s> {
    site: &'s CompanySite,
    /// Addresses that stand for the site's own origin.
    served_at: String,
    /// Everything that the site's files say and declare, as text and as source, folded.
    words: String,
}

impl<'s> Judge<'s> {
    /// `served_at`: where the site was served, such as `http://127.0.0.1:4000`.
    pub fn new(site: &'s CompanySite, served_at: &str) -> Self {
        let mut words = String::new();
        for (path, source) in site.texts() {
            if path.ends_with(".html") {
                let text = gtm_page_text::extract(Some("text/html"), source.as_bytes());
                words.push_str(&fold(&text.evidence_text()));
                words.push(' ');
                // A sentence may stand in two blocks, such as a term and what it means.
                words.push_str(&fold(&text.text().replace('\n', " ")));
                words.push(' ');
            }
            words.push_str(&fold(&source));
            words.push(' ');
        }
        Self {
            site,
            served_at: served_at.trim_end_matches('/').to_owned(),
            words,
        }
    }

    /// Score a guideline: against the claims that rules can find, or with a model against all.
    pub fn score(&self, guideline: &Value, with_model: bool) -> Score {
        let expected = &self.site.expected;
        let guideline = self.at_home(guideline);
        let found = claims(&guideline);
        let mut score = Score {
            found: found.len(),
            ..Score::default()
        };
        let golden = list(expected, "claims");
        for claim in golden {
            if claim["needs_model"] == true && !with_model {
                continue;
            }
            score.expected += 1;
            let pointer = claim["pointer"].as_str().unwrap();
            if found
                .iter()
                .any(|f| f.pointer == pointer && self.agrees(claim, &f.value))
            {
                score.recalled += 1;
            } else {
                score.missed.push(self.told(pointer, wanted(claim)));
            }
        }
        let accepted: Vec<&Value> = golden.iter().chain(list(expected, "also_true")).collect();
        let silent: BTreeSet<&str> = list(expected, "must_be_null")
            .iter()
            .map(|p| p.as_str().unwrap())
            .collect();
        for claim in &found {
            let told = self.told(claim.pointer, &claim.value);
            let listed = accepted.iter().any(|golden| {
                golden["pointer"] == claim.pointer && self.agrees(golden, &claim.value)
            });
            if listed {
                score.right += 1;
            } else {
                score.unlisted.push(told.clone());
            }
            if silent.contains(claim.pointer) {
                score
                    .unsupported
                    .push(format!("{told}: the site says nothing of it"));
            } else if !listed && !self.shown(claim) {
                score
                    .unsupported
                    .push(format!("{told}: does not stand on the site"));
            }
        }
        for word in list(expected, "never") {
            let word = word.as_str().unwrap();
            for place in places_of(&facts(&guideline), "", &fold(word)) {
                score
                    .unsupported
                    .push(format!("{} {place}: \"{word}\"", self.site.name));
            }
        }
        for conflict in list(expected, "conflicts") {
            score.conflicts_expected += 1;
            let pointer = conflict["pointer"].as_str().unwrap();
            if conflict_found(&guideline, pointer, list(conflict, "values")) {
                score.conflicts_found += 1;
            } else {
                score
                    .missed
                    .push(format!("{} conflict {pointer}", self.site.name));
            }
        }
        if expected["language"].is_string() {
            score.expected += 1;
            score.found += 1;
            if fold_tag(&guideline["language"]) == fold_tag(&expected["language"]) {
                score.recalled += 1;
                score.right += 1;
            } else {
                score
                    .missed
                    .push(self.told("/language", &expected["language"]));
                score
                    .unlisted
                    .push(self.told("/language", &guideline["language"]));
            }
        }
        score
    }

    fn told(&self, pointer: &str, value: &Value) -> String {
        let mut value = value.to_string();
        if let Some((end, _)) = value.char_indices().nth(160) {
            value.truncate(end);
            value.push('…');
        }
        format!("{} {pointer} {value}", self.site.name)
    }

    /// The value with the site's own origin in place of the address at which it was served.
    fn at_home(&self, value: &Value) -> Value {
        let text = value
            .to_string()
            .replace(&self.served_at, &self.site.origin());
        serde_json::from_str(&text).unwrap()
    }

    fn agrees(&self, golden: &Value, value: &Value) -> bool {
        let how = golden["match"].as_str().unwrap_or("equal");
        match how {
            "any" => true,
            "verbatim" => texts_of(value).iter().all(|text| self.stands(text)),
            _ => match golden["any_of"].as_array() {
                Some(options) => options.iter().any(|option| same(option, value, how)),
                None => same(&golden["value"], value, how),
            },
        }
    }

    fn stands(&self, text: &str) -> bool {
        self.words.contains(&fold(text))
    }

    /// Whether the site shows the words of a claim. What a model wrote or someone provided is held
    /// only to its numbers.
    fn shown(&self, claim: &Found) -> bool {
        if CLOSED.iter().any(|field| claim.pointer.starts_with(field)) {
            return true;
        }
        let texts = texts_of(&claim.value);
        if claim.basis == "inferred" {
            return texts
                .iter()
                .flat_map(|text| text.split(|c: char| !c.is_ascii_digit()))
                .all(|number| self.words.contains(number));
        }
        texts.iter().all(|text| {
            let bare = text.split('#').next().unwrap();
            self.stands(text)
                || (text.starts_with('#') && self.stands(&short_hex(text)))
                || self.relative(bare).is_some_and(|path| self.stands(path))
        })
    }

    fn relative<'t>(&self, url: &'t str) -> Option<&'t str> {
        url.strip_prefix(&self.site.origin())
    }
}

/// `#aabbcc` as `#abc`, where that is the same.
fn short_hex(hex: &str) -> String {
    let digits: Vec<char> = hex.chars().skip(1).collect();
    match digits.as_slice() {
        [a, b, c, d, e, f] if a == b && c == d && e == f => format!("#{a}{c}{e}"),
        _ => hex.to_owned(),
    }
}

/// Texts and numbers of a value that must stand on the site, without what is derived.
fn texts_of(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Number(number) => vec![number.to_string()],
        Value::Array(items) => items.iter().flat_map(texts_of).collect(),
        Value::Object(members) => members
            .iter()
            .filter(|(name, value)| !is_derived(members, name, value))
            .flat_map(|(_, value)| texts_of(value))
            .collect(),
        Value::Null | Value::Bool(_) => Vec::new(),
    }
}

/// The name of a colour is that of a custom property; the name of a value or a competitor is text.
fn is_derived(members: &Map<String, Value>, name: &str, value: &Value) -> bool {
    match name {
        "name" => members.contains_key("hex"),
        _ => value.is_null() || CLOSED_MEMBERS.contains(&name),
    }
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn wanted(claim: &Value) -> &Value {
    claim.get("any_of").unwrap_or(&claim["value"])
}

/// The guideline without what is derived from its facts or tells of its making.
fn facts(guideline: &Value) -> Value {
    let sections = [
        "identity",
        "foundations",
        "audience",
        "positioning",
        "voice",
        "messaging",
        "visual",
    ];
    let mut facts: Map<String, Value> = sections
        .iter()
        .map(|s| ((*s).to_owned(), guideline[s].clone()))
        .collect();
    for list in [
        "required_legal_lines",
        "trademark_usage",
        "restricted_topics",
    ] {
        facts.insert(list.to_owned(), guideline["governance"][list].clone());
    }
    facts.insert("excerpts".to_owned(), json!(excerpts(guideline)));
    Value::Object(facts)
}

/// Pointers of the texts that hold this word.
fn places_of(value: &Value, pointer: &str, word: &str) -> Vec<String> {
    match value {
        Value::String(text) if fold(text).contains(word) => vec![format!("{pointer} {text:?}")],
        Value::Array(items) => items
            .iter()
            .enumerate()
            .flat_map(|(n, item)| places_of(item, &format!("{pointer}/{n}"), word))
            .collect(),
        Value::Object(members) => members
            .iter()
            .flat_map(|(name, member)| places_of(member, &format!("{pointer}/{name}"), word))
            .collect(),
        _ => Vec::new(),
    }
}

/// Texts of the excerpts that carry claims.
fn excerpts(guideline: &Value) -> Vec<String> {
    list(&guideline["research"], "sources")
        .iter()
        .flat_map(|source| list(source, "excerpts"))
        .filter_map(|excerpt| excerpt["text"].as_str().map(str::to_owned))
        .collect()
}

fn conflict_found(guideline: &Value, pointer: &str, values: &[Value]) -> bool {
    list(&guideline["research"], "conflicts")
        .iter()
        .any(|conflict| {
            conflict["pointer"] == pointer
                && values.iter().all(|wanted| {
                    list(conflict, "candidates")
                        .iter()
                        .any(|candidate| same(wanted, &candidate["value"], "contains"))
                })
        })
}

/// Whether a found value is the wanted one: letter case, white space and a last full stop aside;
/// objects by the members that are wanted.
fn same(wanted: &Value, found: &Value, how: &str) -> bool {
    match (wanted, found) {
        (Value::Object(wanted), Value::Object(found)) => wanted
            .iter()
            .all(|(name, wanted)| found.get(name).is_some_and(|f| same(wanted, f, how))),
        (Value::String(wanted), Value::String(found)) if how == "contains" => {
            fold(found).contains(&fold(wanted))
        }
        (Value::String(wanted), Value::String(found)) => fold(wanted) == fold(found),
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        _ => wanted == found,
    }
}

fn fold_tag(tag: &Value) -> String {
    let tag = tag.as_str().unwrap_or_default();
    // The region may be left out or be there.
    tag.split('-').next().unwrap().to_lowercase()
}

/// A text as it is compared.
fn fold(text: &str) -> String {
    let text = gtm_page_text::normalize(text);
    let text: String = text
        .chars()
        .map(|c| match c {
            '‘' | '’' | '‚' => '\'',
            '“' | '”' | '„' | '«' | '»' => '"',
            '\u{a0}' | '\u{202f}' | '\n' => ' ',
            other => other,
        })
        .flat_map(char::to_lowercase)
        .collect();
    text.trim()
        .trim_end_matches(['.', ' '])
        .trim_matches('"')
        .trim_end_matches('.')
        .to_owned()
}

/// What a plain reader of a page's metadata knows: title, description, Open Graph and the fields of
/// an Organization in JSON-LD, as written, in a guideline's shape.
pub fn metadata_reader(site: &CompanySite) -> Value {
    let page = String::from_utf8(site.bytes("index.html")).unwrap();
    let title = between(&page, "<title>", "</title>").unwrap_or_default();
    let name = meta(&page, "og:site_name");
    let description = meta(&page, "description");
    let mut organization = Value::Null;
    if let Some(block) = between(&page, "<script type=\"application/ld+json\">", "</script>") {
        let parsed: Value = serde_json::from_str(block.trim()).unwrap_or_default();
        organization = match parsed["@graph"].as_array() {
            Some(graph) => graph[0].clone(),
            None => parsed,
        };
    }
    let of = |key: &str| organization.get(key).cloned().unwrap_or_default();
    let year = of("foundingDate");
    let year: Option<u64> = year
        .as_str()
        .and_then(|date| date.get(..4))
        .and_then(|y| y.parse().ok());
    let brand = [
        of("name"),
        json!(name),
        json!(title.split(['|', '–', '-', ',', ':']).next().map(str::trim)),
    ]
    .into_iter()
    .find(|candidate| candidate.as_str().is_some_and(|s| !s.is_empty()))
    .unwrap_or_default();
    let profiles: Vec<Value> = list(&organization, "sameAs")
        .iter()
        .filter_map(Value::as_str)
        .map(|url| json!({"url": url, "network": network(url)}))
        .collect();
    let logo = of("logo");
    let logo = logo.get("url").cloned().unwrap_or(logo);
    let mut identifiers = Vec::new();
    for (scheme, key) in [
        ("vat", "vatID"),
        ("lei", "leiCode"),
        ("ticker", "tickerSymbol"),
    ] {
        if let Some(value) = of(key).as_str() {
            identifiers.push(json!({"scheme": scheme, "value": value}));
        }
    }
    let address = of("address");
    let headquarters = address.is_object().then(
        || json!({"locality": address["addressLocality"], "country": address["addressCountry"]}),
    );
    let colour = meta(&page, "theme-color");
    json!({
        "language": between(&page, "lang=\"", "\"").or_else(|| between(&page, "LANG=\"", "\"")),
        "identity": {
            "brand_name": brand, "legal_name": of("legalName"), "tagline": of("slogan"),
            "description_short": description, "founded_year": year, "headquarters": headquarters,
            "profiles": profiles, "identifiers": identifiers,
        },
        "audience": {"markets": of("areaServed")},
        "positioning": {"proof_points": of("award").as_str().map_or_else(
            || of("award"), |award| json!([{"kind": "award", "text": award}]))},
        "visual": {
            "logos": logo.as_str().map(|url| vec![json!({"url": url})]).unwrap_or_default(),
            "palette": colour.map(|hex| vec![json!({"hex": hex, "role": "primary"})]).unwrap_or_default(),
        },
    })
}

fn between<'t>(text: &'t str, start: &str, end: &str) -> Option<&'t str> {
    let from = text.find(start)? + start.len();
    let rest = text.get(from..)?;
    rest.get(..rest.find(end)?)
}

fn meta(page: &str, name: &str) -> Option<String> {
    ["name", "property", "NAME"].iter().find_map(|attribute| {
        let rest = page.split_once(&format!("{attribute}=\"{name}\""))?.1;
        between(rest, "ontent=\"", "\"")
            .or_else(|| between(rest, "CONTENT=\"", "\""))
            .map(str::to_owned)
    })
}

fn network(url: &str) -> &'static str {
    [
        "linkedin",
        "instagram",
        "youtube",
        "github",
        "facebook",
        "x",
    ]
    .into_iter()
    .find(|network| url.contains(&format!("{network}.com")))
    .unwrap_or("other")
}

/// What is wrong with a golden file: quotations that don't stand on their page, and pointers that
/// are no field of a guideline.
pub fn golden_faults(site: &CompanySite) -> Vec<String> {
    let mut faults = Vec::new();
    for claim in list(&site.expected, "claims") {
        let page = claim["page"].as_str().unwrap();
        let quote = claim["quote"].as_str().unwrap();
        let bytes = site.bytes(page);
        let stands = if claim["quote_in"] == "bytes" {
            String::from_utf8(bytes).unwrap().contains(quote)
        } else {
            let text = gtm_page_text::extract(Some("text/html"), &bytes);
            // An address may stand on several lines.
            fold(&text.evidence_text()).contains(&fold(quote))
        };
        if !stands {
            faults.push(format!("{} {page}: {quote}", site.name));
        }
    }
    let pointers = list(&site.expected, "claims")
        .iter()
        .chain(list(&site.expected, "also_true"))
        .chain(list(&site.expected, "conflicts"))
        .map(|claim| &claim["pointer"])
        .chain(list(&site.expected, "must_be_null"));
    for pointer in pointers {
        let pointer = pointer.as_str().unwrap();
        if !ONE.iter().chain(&MANY).chain(&STYLE).any(|p| *p == pointer) {
            faults.push(format!("{}: no field {pointer}", site.name));
        }
    }
    faults
}
