//! Which organizations in a site's structured data are the company behind the site.
//!
//! Danger: anybody can write anything into structured data, about themselves and about others. So a node
//! counts only if it is about this site: it names an address of the site, or it names no address and its
//! name appears on the page.

use std::collections::BTreeSet;

use gtm_page_text::{bare_host, is_same_site};
use serde_json::{Map, Value};
use url::Url;

use crate::instructions;
use crate::reading::{Research, Visited};
use crate::words;

/// Schema.org types that are organizations, without the prefix.
const TYPES: &[&str] = &[
    "Organization",
    "Corporation",
    "LocalBusiness",
    "OnlineBusiness",
    "OnlineStore",
    "NGO",
    "Airline",
    "Brand",
    "Consortium",
    "Cooperative",
    "EducationalOrganization",
    "CollegeOrUniversity",
    "School",
    "FundingScheme",
    "GovernmentOrganization",
    "LibrarySystem",
    "MedicalOrganization",
    "NewsMediaOrganization",
    "PerformingGroup",
    "ResearchOrganization",
    "SportsOrganization",
    "WorkersUnion",
    "AnimalShelter",
    "AutomotiveBusiness",
    "ChildCare",
    "Dentist",
    "DryCleaningOrLaundry",
    "EmergencyService",
    "EmploymentAgency",
    "EntertainmentBusiness",
    "FinancialService",
    "BankOrCreditUnion",
    "InsuranceAgency",
    "AccountingService",
    "FoodEstablishment",
    "Bakery",
    "Brewery",
    "Restaurant",
    "CafeOrCoffeeShop",
    "HealthAndBeautyBusiness",
    "HomeAndConstructionBusiness",
    "Electrician",
    "GeneralContractor",
    "Plumber",
    "RoofingContractor",
    "InternetCafe",
    "LegalService",
    "Attorney",
    "Notary",
    "Library",
    "LodgingBusiness",
    "Hotel",
    "MedicalBusiness",
    "ProfessionalService",
    "RadioStation",
    "RealEstateAgent",
    "RecyclingCenter",
    "SelfStorage",
    "ShoppingCenter",
    "SportsActivityLocation",
    "Store",
    "TelevisionStation",
    "TouristInformationCenter",
    "TravelAgency",
];
/// Members that only organizations have, persons and places at most one of them.
const MEMBERS: &[&str] = &[
    "areaServed",
    "duns",
    "foundingDate",
    "isicV4",
    "legalName",
    "naics",
    "numberOfEmployees",
    "openingHours",
    "openingHoursSpecification",
    "priceRange",
    "taxID",
    "vatID",
];
/// Fewest of them that show an organization whose type no list has: there are hundreds, and sites make up more.
const LEAST_MEMBERS: usize = 2;
/// Types of other things that have such members.
const OTHERS: &[&str] = &["Person", "Place", "Product", "Service"];
/// Members with which a page names the organization that it comes from or is about.
const OWN_MEMBERS: &[&str] = &[
    "@graph",
    "publisher",
    "mainEntity",
    "mainEntityOfPage",
    "about",
    "copyrightHolder",
    "sourceOrganization",
    "provider",
    "isPartOf",
    "hasPart",
];
/// Maximum depth to which nodes are searched for.
const MAX_DEPTH: usize = 6;
/// Maximum number of nodes of one page that are examined.
const MAX_NODES: usize = 200;
/// Longest text that is read, in characters.
const MAX_TEXT: usize = 2_000;

/// Texts in a value of structured data; those that address a model are left out.
pub fn texts_of(value: &Value, depth: usize, found: &mut Vec<String>) {
    if depth > 3 || found.len() >= 40 {
        return;
    }
    match value {
        Value::String(text) => {
            let text = gtm_page_text::normalize(text);
            let fits = !text.is_empty() && text.chars().count() <= MAX_TEXT;
            if fits && !instructions::addressed_to_a_model(&text) {
                found.push(text);
            }
        }
        Value::Number(number) => found.push(number.to_string()),
        Value::Array(items) => items
            .iter()
            .for_each(|item| texts_of(item, depth + 1, found)),
        Value::Object(object) => {
            if let Some(inner) = object.get("@value").or_else(|| object.get("name")) {
                texts_of(inner, depth + 1, found);
            }
        }
        _ => {}
    }
}

/// The texts of a member, normalized.
pub fn texts(members: &Map<String, Value>, member: &str) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(value) = members.get(member) {
        texts_of(value, 0, &mut found);
    }
    found
}

/// The organizations in a page's structured data that are the company itself, in order. `further` is
/// structured data of another syntax on the page.
pub fn about_this_site<'a>(
    visited: &'a Visited,
    further: &'a [Value],
    subject: &Subject<'_>,
) -> Vec<&'a Map<String, Value>> {
    if !visited.first_party() {
        return Vec::new();
    }
    let mut nodes = Vec::new();
    for value in visited.page.json_ld.iter().chain(further) {
        collect(value, 0, true, &mut nodes);
    }
    if nodes.is_empty() {
        return Vec::new();
    }
    let shown = words::fold(&visited.page.text());
    nodes
        .into_iter()
        .filter(|(members, own)| subject.is(members, *own, &shown))
        .map(|(members, _)| members)
        .collect()
}

/// The organizations in the structured data of all pages that are the researched company itself.
pub fn of_research(research: &Research) -> Vec<&Map<String, Value>> {
    let home = research
        .pages
        .first()
        .and_then(|visited| Url::parse(&visited.page.final_url).ok());
    let Some(home) = home else {
        return Vec::new();
    };
    let subject = Subject::new(&home, &research.domain, &research.names);
    research
        .pages
        .iter()
        .flat_map(|visited| about_this_site(visited, &[], &subject))
        .collect()
}

fn collect<'a>(
    value: &'a Value,
    depth: usize,
    own: bool,
    found: &mut Vec<(&'a Map<String, Value>, bool)>,
) {
    if depth > MAX_DEPTH || found.len() >= MAX_NODES {
        return;
    }
    match value {
        Value::Array(items) => items
            .iter()
            .for_each(|item| collect(item, depth + 1, own, found)),
        Value::Object(object) => {
            if is_organization(object) {
                found.push((object, own));
            }
            for (member, inner) in object {
                let still_own = own && OWN_MEMBERS.contains(&member.as_str());
                collect(inner, depth + 1, still_own, found);
            }
        }
        _ => {}
    }
}

fn is_organization(object: &Map<String, Value>) -> bool {
    let mut types = Vec::new();
    if let Some(value) = object.get("@type") {
        texts_of(value, 0, &mut types);
    }
    let bare = |name: &String| -> String {
        let bare = name.rsplit(['/', '#', ':']).next();
        bare.unwrap_or_default().to_owned()
    };
    let types: Vec<String> = types.iter().map(bare).collect();
    let is_other = |name: &String| OTHERS.contains(&name.as_str());
    let members = MEMBERS.iter();
    let has_members = members
        .filter(|member| object.contains_key(**member))
        .count()
        >= LEAST_MEMBERS;
    types.iter().any(|name| TYPES.contains(&name.as_str()))
        || has_members
            && object.contains_key("name")
            && !types.is_empty()
            && !types.iter().any(is_other)
}

/// The address of a domain. A site served elsewhere (`start_urls`) may still call it its own.
pub fn own_address(domain: &str) -> Option<Url> {
    Url::parse(&format!("https://{domain}/")).ok()
}

/// The name in a site's host: `acme` of `www.acme.example`.
pub fn site_label(home: &Url) -> Option<String> {
    let host = bare_host(home.domain()?);
    let labels: Vec<&str> = host.split('.').collect();
    let at = labels.len().checked_sub(2)?;
    // Second-level registries: `acme.co.uk`, `acme.com.au`.
    let registry = ["co", "com", "org", "net", "ac", "gov", "or", "ne"];
    let at = if at > 0 && labels.get(at).is_some_and(|label| registry.contains(label)) {
        at - 1
    } else {
        at
    };
    labels.get(at).map(|label| (*label).to_owned())
}

/// The company whose site is researched.
#[derive(Debug)]
pub struct Subject<'a> {
    home: &'a Url,
    /// The address of the domain, if the site is served elsewhere.
    named: Option<Url>,
    names: &'a [String],
}

impl<'a> Subject<'a> {
    /// The company whose site begins at `home` and belongs to `domain`, with its known `names`.
    pub fn new(home: &'a Url, domain: &str, names: &'a [String]) -> Self {
        Self {
            home,
            named: own_address(domain),
            names,
        }
    }

    fn has(&self, url: &Url) -> bool {
        is_same_site(self.home, url)
            || self
                .named
                .as_ref()
                .is_some_and(|named| is_same_site(named, url))
    }

    fn is(&self, organization: &Map<String, Value>, own: bool, shown: &str) -> bool {
        let mut addresses: Vec<Url> = Vec::new();
        for member in ["url", "@id"] {
            for text in texts(organization, member) {
                // A relative address, such as `#organization`, is one of this site.
                addresses.extend(self.home.join(&text).ok());
            }
        }
        addresses.retain(|url| matches!(url.scheme(), "http" | "https"));
        if !addresses.is_empty() {
            // An organization that gives itself an address elsewhere is another one.
            let here = addresses.iter().all(|url| self.has(url));
            return here && (own || addresses.iter().any(|url| url.path() == "/"));
        }
        let same = texts(organization, "sameAs");
        if same
            .iter()
            .filter_map(|text| Url::parse(text).ok())
            .any(|url| self.has(&url))
        {
            return true;
        }
        let Some(name) = texts(organization, "name").into_iter().next() else {
            return false;
        };
        let folded = words::fold(&name);
        own && !folded.trim().is_empty() && shown.contains(folded.trim()) && self.is_called(&folded)
    }

    /// Whether a name without an address belongs to this site: it resembles the domain, or is one of the
    /// site's names.
    fn is_called(&self, folded: &str) -> bool {
        let letters = |text: &str| -> String {
            words::fold(text)
                .chars()
                .filter(char::is_ascii_alphanumeric)
                .collect()
        };
        let name = letters(folded);
        let label = self
            .named
            .as_ref()
            .and_then(site_label)
            .map(|label| letters(&label));
        let stems: BTreeSet<&str> = words::split(folded).into_iter().collect();
        // A site without a name in its address, such as an IP address, can only be told by its own words.
        label.is_none_or(|label| {
            !label.is_empty() && (name.contains(&label) || label.contains(&name))
        }) || self.names.iter().any(|known| {
            let known = words::fold(known);
            words::split(&known)
                .first()
                .is_some_and(|first| first.chars().count() >= 3 && stems.contains(first))
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use serde_json::json;

    use super::*;

    #[test]
    fn an_organization_is_known_by_its_members() {
        let is = |node: Value| is_organization(node.as_object().unwrap());
        for kind in [
            "ConstructionCompany",
            "AutoRepair",
            "HousePainter",
            "https://schema.org/MovingCompany",
        ] {
            assert!(is(
                json!({"@type": kind, "name": "Acme", "foundingDate": "1998", "areaServed": "Leeds"})
            ));
            assert!(!is(
                json!({"@type": kind, "name": "Acme", "areaServed": "Leeds"})
            ));
        }
        for kind in ["Person", "Service"] {
            assert!(!is(
                json!({"@type": kind, "name": "Acme", "taxID": "1", "areaServed": "Leeds"})
            ));
        }
    }

    #[test]
    fn the_label_of_a_site_is_its_name_in_the_domain() {
        let label = |text: &str| site_label(&Url::parse(text).unwrap());
        assert_eq!(label("https://www.acme.example/").as_deref(), Some("acme"));
        assert_eq!(label("https://shop.acme.co.uk/").as_deref(), Some("acme"));
        assert_eq!(label("http://127.0.0.1:8000/"), None);
    }
}
