//! What a backend asks for.

use gtm_site_research::claim::Basis;
use gtm_site_research::evidence::{Evidence, Sentence};
use gtm_site_research::host::{Call, MODEL_COMPLETE};
use gtm_site_research::reading::Research;
use serde_json::{Value, json};

use crate::form::Part;
use crate::found::Found;

/// Fewest characters of context for a brief, reasons and a critic. A model with less gets short calls with few parts each.
pub const FULL_CONTEXT: usize = 16_000;

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

impl ModelUse {
    /// Whether there is room for a brief, reasons and a critic. A model with less gets short calls with bounded lists.
    #[must_use]
    pub const fn has_room(&self) -> bool {
        self.context_chars >= FULL_CONTEXT
    }

    /// A call with these messages that wants an answer of this form.
    #[must_use]
    pub fn call(&self, messages: Value, response_schema: Value, response_name: &str) -> Call {
        let mut input = json!({
            "messages": messages,
            "max_output_tokens": self.max_output_tokens,
            "response_schema": response_schema,
            "response_name": response_name,
        });
        if let (Some(temperature), Some(object)) = (self.temperature, input.as_object_mut()) {
            object.insert("temperature".to_owned(), json!(temperature));
        }
        Call {
            capability: MODEL_COMPLETE,
            input,
        }
    }
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
    /// The parts of the brief that the result shows, by name. The others are notes, which nobody checks.
    pub shown_of_brief: &'a [&'a str],
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
    /// Language of the prose, a BCP 47 tag or `und`. Quotations keep their own.
    pub language: &'a str,
    /// The basis of a paraphrased fact that the critic confirmed.
    pub supported: Basis,
    /// Whether the result shows why each claim follows.
    pub reasons: bool,
    /// How the model is called.
    pub model: ModelUse,
    /// The percentages of the job between which writing lies.
    pub progress: (u8, u8),
}
