//! Networks on which companies have their own pages.

use crate::Words;

#[derive(Debug)]
pub struct Network {
    /// Its name in a guideline.
    pub name: &'static str,
    /// Other names for it.
    pub also: &'static [&'static str],
    /// Hosts of company pages.
    pub hosts: &'static [&'static str],
    /// Hosts of short addresses: company pages there are accepted, but not looked for.
    pub short_hosts: &'static [&'static str],
    /// First parts of the addresses of companies' pages; empty if all its pages are alike.
    pub companies: &'static [&'static str],
    /// Whether sites show its logo in the network's own colours.
    pub coloured: bool,
}

impl Network {
    /// Whether this is one of the network's names.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.also.contains(&name)
    }
}

/// All networks, ordered by name.
#[must_use]
pub fn networks() -> &'static [Network] {
    crate::NETWORKS
}

/// Parts of an address that show that it is for sharing a page, not for viewing one.
#[must_use]
pub fn sharing() -> Words {
    crate::SHARING
}

/// First parts of an address that rule out a company's page.
#[must_use]
pub fn no_pages() -> Words {
    crate::NO_PAGES
}

/// Parts of an address that show that it is that of a single post.
#[must_use]
pub fn posts() -> Words {
    crate::POSTS
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn networks_are_sorted_and_have_names_and_hosts_of_their_own() {
        assert!(networks().is_sorted_by(|one, other| one.name < other.name));
        let mut known = BTreeSet::new();
        for network in networks() {
            let names = std::iter::once(&network.name).chain(network.also);
            for text in names.chain(network.hosts).chain(network.short_hosts) {
                assert!(known.insert(text), "{text}");
                assert_eq!(text.trim().to_lowercase(), **text);
            }
        }
        for list in [sharing(), no_pages(), posts()] {
            assert!(list.iter().is_sorted_by(|one, other| one < other));
        }
    }
}
