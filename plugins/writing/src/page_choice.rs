//! Where a model is bound, it chooses the pages that research reads.

use gtm_site_research::failure::Failure;
use gtm_site_research::host::Host;
use gtm_site_research::reading::Candidate;

use crate::pages::{self, Link};
use crate::task::ModelUse;

/// Chooses pages for `what` (`a sales playbook about Acme`) as [`pages::choose`] does.
pub fn chooser<'c>(
    host: &'c dyn Host,
    model: &'c ModelUse,
    what: &'c str,
) -> impl FnMut(&[&Candidate], usize) -> Result<Option<Vec<usize>>, Failure> + 'c {
    move |candidates, most| {
        let paths: Vec<String> = candidates.iter().map(|one| one.path()).collect();
        let links: Vec<Link<'_>> = candidates
            .iter()
            .zip(&paths)
            .map(|(candidate, path)| Link {
                label: &candidate.text,
                path,
                navigation: candidate.navigation,
            })
            .collect();
        pages::choose(host, model, what, &links, most)
    }
}
