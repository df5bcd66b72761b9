//! Whose site it is: structured data about the company, and the names under which its texts mention it.

use std::collections::BTreeSet;

use gtm_site_research::reading::Research;
use url::Url;

use crate::company_data::CompanyData;
use crate::facts;
use crate::organization;
use crate::part::Part;
use crate::site::Site;
use crate::styled;

/// The researched pages as a site, each with its part, with every name that it gives the company. `given` is the
/// caller's name for it.
pub fn identified(
    research: Research,
    parts: Vec<Part>,
    company_data: Option<CompanyData>,
    given: Option<&str>,
) -> Site {
    let mut research = research;
    let styled = styled::read(&research.pages);
    let home = research
        .pages
        .first()
        .and_then(|visited| Url::parse(&visited.page.final_url).ok());
    let organizations = home.map_or_else(Vec::new, |home| {
        let (domain, names) = (&research.domain, &research.names);
        organization::about_this_site(&research.pages, &styled, &home, domain, names)
    });
    research.names.extend(organization::names(&organizations));
    research.names.dedup();
    let mut site = Site {
        research,
        parts,
        organizations,
        styled,
        company_data,
        logos: Vec::new(),
        blocked: BTreeSet::new(),
        unread: BTreeSet::new(),
        assets: Vec::new(),
    };
    // The name that the site uses for itself is also a name under which its texts mention the company.
    if let Some(name) =
        facts::name(given, &site).and_then(|claim| claim.value.as_str().map(str::to_owned))
    {
        let registered = facts::registered_names(&site, &name);
        for name in std::iter::once(name).chain(registered) {
            if !site.research.names.contains(&name) {
                site.research.names.push(name);
            }
        }
    }
    site
}
