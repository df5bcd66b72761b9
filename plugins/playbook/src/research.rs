//! Research of the target for the requested sections.

use std::collections::BTreeMap;

use gtm_site_facts::company_data::CompanyData;
use gtm_site_facts::identity::identified;
use gtm_site_facts::part::Part;
use gtm_site_facts::site::Site;
use gtm_site_research::choice::{self, Kinds};
use gtm_site_research::failure::{Failure, FailureKind};
use gtm_site_research::host::{Host, WEB_FETCH};
use gtm_site_research::identity;
use gtm_site_research::reading::{self, Candidate, Reading, Research, Visited};
use gtm_site_research::roles::Role;
use gtm_site_research::site;
use gtm_writing::page_choice::chooser;
use url::Url;

use crate::request::{Request, Section};
use crate::searches;
use crate::settings::Settings;
use crate::unread;

/// Reads the target's site and, if a search is bound, a few pages of others about it.
///
/// # Errors
/// `source_fetch_failed` or `source_not_allowed` when the home page cannot be read,
/// `connector_not_configured` when no connection reads pages, `canceled`.
pub fn run(host: &dyn Host, request: &Request, settings: &Settings) -> Result<Site, Failure> {
    if !host.bound(WEB_FETCH) {
        return Err(Failure::new(
            FailureKind::Denied,
            "connector_not_configured",
            "No connection is bound for web.fetch, so the target's site can't be read.",
        ));
    }
    let domain = target_domain(host, request)?;
    host.report(6, &format!("Opening {domain}"));
    let reach = settings.reach(&request.start_urls);
    let addresses = site::start_addresses(&domain, &reach.start_urls)?;
    let home = reading::open_home(host, &domain, &addresses, &reach, false)?;
    let mut reading = Reading::new(host, &reach, home)?;
    host.report(15, "Read the home page");

    let kinds = Parts::of(request);
    let about = request.target_company.as_deref().unwrap_or(&domain);
    let what = format!("a sales playbook about {about}");
    let outcome = choice::read(
        &mut reading,
        &kinds,
        &mut chooser(host, &settings.shared.model(), &what),
    )?;
    let mut names = identity::declared_names(&reading.pages, &domain);
    let company = request
        .target_company
        .clone()
        .or_else(|| names.first().cloned());
    names.extend(request.target_company.clone());
    let about = company.as_deref().unwrap_or(&domain);
    let language = identity::site_language(&reading.pages);
    let bound = |capability: &str| host.bound(capability);
    let searches = searches::of(request, about, &language, bound, settings.max_search_pages);
    if !searches.is_empty() {
        reading.read_about(&searches)?;
        host.report(48, "Searched for what others write");
    }
    let (mut pages, misses) = (reading.pages, reading.misses);
    let mut company_data = None;
    if request.wants(Section::CompanyProfile) {
        company_data = CompanyData::ask(host, &domain, company.as_deref(), &mut pages)?;
    }
    unread::report(host, 50, &misses);
    let research = Research {
        company,
        names,
        domain,
        language,
        pages,
        misses,
    };
    let taken: BTreeMap<String, Part> = outcome
        .asked
        .into_iter()
        .map(|(url, part)| (url.to_string(), part))
        .collect();
    let parts = research
        .pages
        .iter()
        .map(|visited| match taken.get(&visited.page.url) {
            Some(part) => kinds.of_page(visited, *part),
            None => part_of(visited),
        })
        .collect();
    let mut site = identified(
        research,
        parts,
        company_data,
        request.target_company.as_deref(),
    );
    if site.research.company.is_none() {
        site.research.company = site.research.names.first().cloned();
    }
    Ok(site)
}

/// The part of a page by its role and address.
fn part_of(visited: &Visited) -> Part {
    match Url::parse(&visited.page.final_url) {
        _ if visited.role == Role::External => Part::External,
        Ok(url) => Part::of(visited.role, &url, ""),
        Err(_) => Part::Other,
    }
}

/// The parts that pages are read for. The company's particulars and its contact are two, so that the page of the one is
/// not taken for the other's and left out.
struct Parts {
    wanted: Vec<Part>,
    roles: Vec<Role>,
}

impl Parts {
    fn of(request: &Request) -> Self {
        let roles = wanted_roles(request);
        let serves = |part: &Part| roles.contains(&part.role());
        Self {
            wanted: ORDER.into_iter().filter(serves).collect(),
            roles,
        }
    }
}

/// The parts to look for, the most useful first.
const ORDER: [Part; 8] = [
    Part::About,
    Part::Product,
    Part::Customers,
    Part::Press,
    Part::Careers,
    Part::Pricing,
    Part::Legal,
    Part::Contact,
];

impl Kinds for Parts {
    type Kind = Part;

    fn wanted(&self) -> &[Part] {
        &self.wanted
    }

    fn in_turn(&self) -> &[Part] {
        &[Part::Product, Part::About, Part::Customers]
    }

    fn of_link(&self, candidate: &Candidate) -> Option<(Part, i32)> {
        let serves = candidate.role == Role::Other || self.roles.contains(&candidate.role);
        let part = Part::of(candidate.role, &candidate.url, &candidate.text);
        serves.then_some((part, candidate.score))
    }

    fn of_page(&self, visited: &Visited, taken_for: Part) -> Part {
        // What the link did not say the page did.
        if taken_for.role() == visited.role {
            taken_for
        } else {
            part_of(visited)
        }
    }

    fn most(&self, part: Part) -> usize {
        match part {
            Part::Home | Part::External => 0,
            Part::Contact => 1,
            Part::Legal | Part::Careers | Part::Pricing => 2,
            Part::Press | Part::Customers => 4,
            Part::About | Part::Product => 8,
            Part::Trust | Part::Questions | Part::Other => usize::MAX,
        }
    }

    fn role(&self, part: Part) -> Role {
        part.role()
    }
}

/// Roles whose pages can feed a requested section, the best first.
fn wanted_roles(request: &Request) -> Vec<Role> {
    let any = |sections: &[Section]| sections.iter().any(|&section| request.wants(section));
    Role::WANTED
        .into_iter()
        .filter(|role| match role {
            Role::Pricing => any(&[
                Section::CompanyProfile,
                Section::SalesAngles,
                Section::CompetitivePosition,
                Section::Objections,
            ]),
            Role::Imprint => any(&[Section::CompanyProfile]),
            Role::Careers => any(&[
                Section::BuyingSignals,
                Section::BuyingCommittee,
                Section::SalesAngles,
                Section::Priorities,
                Section::PainPoints,
                Section::CompanyProfile,
            ]),
            _ => true,
        })
        .collect()
}

fn target_domain(host: &dyn Host, request: &Request) -> Result<String, Failure> {
    match &request.target_domain {
        Some(domain) => Ok(domain.clone()),
        None => {
            let company = request.target_company.as_deref().unwrap_or_default();
            site::find_domain(host, company, "target_company_domain")
        }
    }
}
