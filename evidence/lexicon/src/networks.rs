//! Networks at which companies have pages of their own.

use crate::Words;

/// A network.
#[derive(Debug)]
pub struct Network {
    /// How a guideline calls it.
    pub name: &'static str,
    /// Other names for it.
    pub also: &'static [&'static str],
    /// Where pages of companies are.
    pub hosts: &'static [&'static str],
    /// Hosts of short addresses, where pages of companies are believed but not looked for.
    pub short_hosts: &'static [&'static str],
    /// Whether sites show its sign in the network's own colours.
    pub coloured: bool,
}

impl Network {
    /// Whether the network is called so.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.also.contains(&name)
    }
}

/// All networks, by their names.
#[must_use]
pub fn networks() -> &'static [Network] {
    crate::NETWORKS
}

/// Parts of an address under which pages are shared, not shown.
#[must_use]
pub fn sharing() -> Words {
    crate::SHARING
}

/// First parts of an address that are no company's page.
#[must_use]
pub fn no_pages() -> Words {
    crate::NO_PAGES
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
        for list in [sharing(), no_pages()] {
            assert!(list.iter().is_sorted_by(|one, other| one < other));
        }
    }
}
