//! Research of the target for the requested sections.

use gtm_site_research::failure::{Failure, FailureKind};
use gtm_site_research::host::{Host, WEB_FETCH, WEB_SEARCH};
use gtm_site_research::identity;
use gtm_site_research::reading::{self, Reading, Research};
use gtm_site_research::roles::Role;
use gtm_site_research::site;

use crate::request::{Request, Section};
use crate::settings::Settings;

/// Reads the target's site and, if a search is bound, a few pages of others about it.
///
/// # Errors
/// `source_fetch_failed` or `source_not_allowed` when the home page cannot be read,
/// `connector_not_configured` when no connection reads pages, `canceled`.
pub fn run(host: &dyn Host, request: &Request, settings: &Settings) -> Result<Research, Failure> {
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

    let roles = wanted_roles(request);
    let budget = settings.max_pages.saturating_sub(1);
    let mut links = reading.links_of(0);
    if links.is_empty() && budget > 0 {
        links = reading.links_of_site_map();
    }
    let reserve = if budget > roles.len() {
        (budget - roles.len()).min(3)
    } else {
        0
    };
    let first = reading.pick(&links, &roles, budget - reserve, true);
    reading.fetch(first)?;
    host.report(
        35,
        &format!("Read {} pages of {domain}", reading.pages.len()),
    );

    let left = reading.pages_left();
    if left > 0 {
        let mut deeper = links;
        for index in 1..reading.pages.len() {
            deeper.extend(reading.links_of(index));
        }
        let second = reading.pick(&deeper, &roles, left, false);
        if !second.is_empty() {
            reading.fetch(second)?;
            host.report(
                42,
                &format!("Read {} pages of {domain}", reading.pages.len()),
            );
        }
    }
    let mut names = identity::declared_names(&reading.pages, &domain);
    let company = request
        .target_company
        .clone()
        .or_else(|| names.first().cloned());
    names.extend(request.target_company.clone());
    if host.bound(WEB_SEARCH) && settings.max_search_pages > 0 {
        let about = company.as_deref().unwrap_or(&domain);
        reading.read_about(format!("\"{about}\" news"), "news")?;
        host.report(48, "Searched for what others write");
    }
    let language = identity::site_language(&reading.pages);
    Ok(Research {
        company,
        names,
        domain,
        language,
        pages: reading.pages,
        misses: reading.misses,
    })
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
