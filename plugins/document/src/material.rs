//! All that a document is made of, and what of it was left out.

use gtm_site_facts::site::Site;
use gtm_site_research::evidence::Evidence;
use gtm_site_research::reading::Research;

use crate::brief::Brief;
use crate::request::Request;
use crate::sender::Sender;
use crate::sources::Sources;

/// The site of the company that the document is for.
#[derive(Debug, Clone)]
pub struct Target {
    pub site: Site,
    pub evidence: Evidence,
}

impl Target {
    /// What the company is called.
    #[must_use]
    pub fn name(&self) -> &str {
        let research = &self.site.research;
        research.company.as_deref().unwrap_or(&research.domain)
    }
}

/// What was left out: a pointer, a reason and how often, and what it said where that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    pub pointer: String,
    pub reason: &'static str,
    pub count: usize,
    pub texts: Vec<String>,
}

/// All that a document is made of.
#[derive(Debug, Clone)]
pub struct Material<'a> {
    pub request: &'a Request,
    pub brief: &'a Brief,
    /// What the sender says in the document's language.
    pub sender: Sender,
    pub language: String,
    pub target: Option<Target>,
    /// Reference documents that could be read. Their pages come behind the target's in `Sources`.
    pub references: Option<Research>,
    pub sources: Sources,
    pub lost: Vec<Lost>,
}

impl Material<'_> {
    /// Notes what was left out.
    pub fn lose(&mut self, pointer: &str, reason: &'static str, count: usize) {
        if count > 0 {
            self.lost.push(Lost {
                pointer: pointer.to_owned(),
                reason,
                count,
                texts: Vec::new(),
            });
        }
    }

    /// Notes texts that were left out.
    pub fn lose_texts(&mut self, pointer: &str, reason: &'static str, texts: Vec<String>) {
        if !texts.is_empty() {
            self.lost.push(Lost {
                pointer: pointer.to_owned(),
                reason,
                count: texts.len(),
                texts,
            });
        }
    }

    /// How many pages stand before those of the reference documents.
    #[must_use]
    pub fn target_pages(&self) -> usize {
        let target = self.target.as_ref();
        target.map_or(0, |target| target.site.research.pages.len())
    }

    /// All pages that can be cited: the target's, then the reference documents.
    #[must_use]
    pub fn pages(&self) -> Vec<gtm_site_research::reading::Visited> {
        let target = self
            .target
            .iter()
            .flat_map(|target| &target.site.research.pages);
        let references = self.references.iter().flat_map(|read| &read.pages);
        target.chain(references).cloned().collect()
    }
}
