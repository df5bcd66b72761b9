//! What a backend asks for.

use gtm_site_research::claim::Basis;
use gtm_site_research::evidence::{Evidence, Sentence};
use gtm_site_research::reading::Research;

use crate::form::Part;
use crate::found::Found;

/// How a model is called.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelUse {
    /// Maximum characters of one call's messages in total.
    pub context_chars: usize,
    /// Maximum tokens that the model may write in one call.
    pub max_output_tokens: u64,
    /// Absent means the provider's default.
    pub temperature: Option<f64>,
    /// Whether a critic reads the claims again.
    pub critique: bool,
}

/// What is to be written, and from what.
pub struct Task<'a> {
    /// What it is, for prompts and people: `playbook`.
    pub what: &'static str,
    /// Who writes what for whom, in one sentence.
    pub purpose: &'a str,
    /// Further rules, one a line: tone, voice, what must not be claimed.
    pub style: &'a str,
    /// What the caller says: trusted, and outside the fence.
    pub context: &'a str,
    /// What the model should settle before it writes.
    pub brief: &'a [Part],
    /// What it writes.
    pub parts: &'a [Part],
    /// Facts that were found without it.
    pub found: Found,
    /// The pages.
    pub research: &'a Research,
    /// What of them may be shown.
    pub evidence: &'a Evidence,
    /// How much an excerpt says, where not all can be shown.
    pub worth: &'a dyn Fn(&Sentence) -> i32,
    /// The caller's words whose numbers and names may be used.
    pub caller: &'a str,
    /// Name and domain of the company.
    pub company: &'a str,
    /// The basis of a paraphrased fact that the critic confirmed.
    pub supported: Basis,
    /// How the model is called.
    pub model: ModelUse,
    /// The percentages of the job between which writing lies.
    pub progress: (u8, u8),
}
