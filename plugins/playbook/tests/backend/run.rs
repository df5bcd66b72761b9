//! Runs one job of the backend and looks up parts of its draft.

use std::cell::RefCell;
use std::rc::Rc;

use gtm_playbook::Playbook;
use gtm_sdk::testing::{Host, Run};
use gtm_sdk::{Failure, GenerationBackend, Value, json::json};

use crate::web::{SAMPLE, Web};

pub const ALL: [&str; 15] = [
    "business_summary",
    "company_profile",
    "priorities",
    "pain_points",
    "buying_signals",
    "buying_committee",
    "sales_angles",
    "value_map",
    "proof_points",
    "discovery_questions",
    "objections",
    "competitive_position",
    "talk_track",
    "next_steps",
    "risks",
];

type Model = Box<dyn FnMut(&Value) -> Result<Value, Failure>>;

/// A job to run; by default about the sample company, without a model, with all sections.
pub struct Job {
    pub web: Web,
    pub input: Value,
    pub sections: Vec<&'static str>,
    pub brand: Value,
    pub settings: Value,
    pub start_urls: Value,
    pub search: Option<Value>,
    pub company_data: Option<Value>,
    pub model: Option<Model>,
}

pub fn sample() -> Job {
    Job {
        web: Web::sample(),
        input: json!({
            "target_company": null, "target_company_domain": "tarnbeck.example", "anchor_company": null, "product_info": null,
            "tone": "consultative", "sections": null, "model": "default", "brand_profile_id": null, "brand_profile_key": null
        }),
        sections: ALL.to_vec(),
        brand: Value::Null,
        settings: json!({"max_pages": 8, "allow_evidence_only": true}),
        start_urls: json!({"tarnbeck.example": SAMPLE}),
        search: None,
        company_data: None,
        model: None,
    }
}

/// A job about the test's own site at `https://acme.example/`.
pub fn acme(web: Web) -> Job {
    let mut job = sample();
    job.web = web;
    job.input["target_company_domain"] = json!("acme.example");
    job.input["target_company"] = json!("Acme");
    job
}

impl Job {
    pub fn with(mut self, pointer: &str, value: Value) -> Self {
        *self.input.pointer_mut(pointer).unwrap() = value;
        self
    }

    pub fn only(mut self, sections: &[&'static str]) -> Self {
        self.sections = sections.to_vec();
        self
    }

    pub fn set(mut self, name: &str, value: Value) -> Self {
        self.settings[name] = value;
        self
    }

    /// Binds a model that answers each prompt with the function's result. It chooses no pages: rules do.
    pub fn model(self, mut answer: impl FnMut(&Value) -> Result<Value, Failure> + 'static) -> Self {
        self.model_for_all(move |input| match input["response_name"].as_str() {
            Some("pages") => Ok(answered(json!({"pages": []}))),
            _ => answer(input),
        })
    }

    /// Binds a model that is asked for pages too.
    pub fn model_for_all(
        mut self,
        answer: impl FnMut(&Value) -> Result<Value, Failure> + 'static,
    ) -> Self {
        self.model = Some(Box::new(answer));
        self
    }

    pub fn run(self) -> Run<Result<Value, Failure>> {
        self.run_task("playbooks")
    }

    pub fn run_task(self, task: &str) -> Run<Result<Value, Failure>> {
        let Self {
            web,
            input,
            sections,
            brand,
            settings,
            start_urls,
            search,
            company_data,
            model,
        } = self;
        let input = json!({"input": input, "sections": sections, "brand": brand, "now": "2026-11-21T00:00:00.000Z",
            "start_urls": start_urls});
        let mut host = Host::new()
            .settings(settings)
            .capability("web.fetch", move |input| web.fetch(input));
        if let Some(answer) = search {
            host = host.capability("web.search", move |_| Ok(answer.clone()));
        }
        if let Some(answer) = company_data {
            host = host.capability("company.enrich", move |_| Ok(answer.clone()));
        }
        if let Some(model) = model {
            host = host.capability("model.complete", model);
        }
        host.run(|| Playbook::generate(task, input))
    }

    pub fn draft(self) -> Value {
        self.run().output.unwrap()
    }

    pub fn failure(self) -> Failure {
        self.run().output.unwrap_err()
    }
}

/// The basis entry for a pointer, or null.
pub fn basis<'a>(draft: &'a Value, pointer: &str) -> &'a Value {
    draft["basis"]
        .as_array()
        .unwrap()
        .iter()
        .find(|entry| entry["pointer"] == pointer)
        .unwrap_or(&Value::Null)
}

/// The parts that come along with a section, by their names.
pub const COMPANIONS: [(&str, &str); 5] = [
    ("company_profile", "site_digest"),
    ("sales_angles", "fit"),
    ("buying_signals", "why_now"),
    ("talk_track", "messages_by_persona"),
    ("value_map", "business_case"),
];

/// What was left out of a field, by reason.
pub fn left_out(draft: &Value, pointer: &str) -> Vec<String> {
    let entries = draft["left_out"].as_array().unwrap();
    entries
        .iter()
        .filter(|entry| entry["pointer"] == pointer)
        .map(|entry| entry["reason"].as_str().unwrap().to_owned())
        .collect()
}

/// Every claim unit of the result that has a value, with its pointer.
pub fn units(draft: &Value) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    let result = draft["result"].as_object().unwrap();
    for (name, value) in result {
        match (name.as_str(), value) {
            ("risks" | "target" | "language", _) => {}
            (_, Value::Object(fields)) => {
                for (field, value) in fields {
                    match value {
                        // The reasons carry it.
                        _ if field == "verdict" => {}
                        Value::Array(items) => {
                            items.iter().enumerate().for_each(|(index, item)| {
                                found.push((format!("/{name}/{field}/{index}"), item.clone()))
                            })
                        }
                        Value::Null => {}
                        value => found.push((format!("/{name}/{field}"), value.clone())),
                    }
                }
            }
            (_, Value::Array(items)) => {
                items.iter().enumerate().for_each(|(index, item)| {
                    found.push((format!("/{name}/{index}"), item.clone()))
                });
            }
            (_, Value::Null) => {}
            (_, value) => found.push((format!("/{name}"), value.clone())),
        }
    }
    found
}

/// A model's answer in the form of `model.complete`.
pub fn answered(json: Value) -> Value {
    json!({"receipt_id": "rcp_model", "model": "scripted", "content": json.to_string(), "json": json, "finish_reason": "stop", "repairs": 0,
        "usage": {"input_tokens": 1, "cached_input_tokens": 0, "cache_write_tokens": 0, "output_tokens": 1, "reasoning_tokens": 0, "total_tokens": 2}})
}

/// Number of the excerpt in the prompt that contains the words.
pub fn number_of(input: &Value, words: &str) -> u64 {
    let prompt = input["messages"][1]["content"].as_str().unwrap();
    let line = prompt
        .lines()
        .find(|line| line.starts_with("[E") && line.contains(words));
    let line = line.unwrap_or_else(|| panic!("no excerpt with {words:?} in:\n{prompt}"));
    line[2..line.find(']').unwrap()].parse().unwrap()
}

/// The sections that a prompt asks for; empty for a brief, a critique and a rewriting.
pub fn asked(input: &Value) -> Vec<String> {
    input["response_schema"]["required"]
        .as_array()
        .unwrap()
        .iter()
        .map(|name| name.as_str().unwrap().to_owned())
        .filter(|name| ALL.contains(&name.as_str()))
        .collect()
}

/// The step of the writing that a call is: `brief`, `part`, `critique` or `rewriting`.
pub fn step(input: &Value) -> &str {
    let name = input["response_name"].as_str().unwrap();
    name.strip_prefix("playbook_").unwrap()
}

/// The lines of a critic's task, each with the number of its claim.
pub fn claims(input: &Value) -> Vec<(u64, String)> {
    let prompt = input["messages"][1]["content"].as_str().unwrap();
    let numbered = |line: &str| {
        let (number, text) = line.strip_prefix('C')?.split_once(" (")?;
        Some((number.parse().ok()?, text.to_owned()))
    };
    prompt.lines().filter_map(numbered).collect()
}

/// Shares a value that a scripted capability can write to.
pub fn shared<T>(value: T) -> Rc<RefCell<T>> {
    Rc::new(RefCell::new(value))
}
