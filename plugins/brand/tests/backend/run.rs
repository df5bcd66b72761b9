//! Runs one job of the backend and looks up parts of its draft.

use std::cell::RefCell;
use std::rc::Rc;

use gtm_brand::Brand;
use gtm_sdk::testing::{Host, Run};
use gtm_sdk::{Failure, GenerationBackend, Value, json::json};

use crate::web::Web;

type Model = Box<dyn FnMut(&Value) -> Result<Value, Failure>>;

/// A job to run; by default about `https://acme.example/`, without a model.
pub struct Job {
    pub web: Web,
    pub brand: Value,
    pub settings: Value,
    pub start_urls: Value,
    pub search: Option<Value>,
    pub company_data: Option<Value>,
    pub model: Option<Model>,
}

pub fn acme(web: Web) -> Job {
    site(web, "https://acme.example/")
}

pub fn site(web: Web, url: &str) -> Job {
    Job {
        web,
        brand: json!({"brand_profile_id": "brd_1", "company_name": null, "website_url": url}),
        settings: json!({}),
        start_urls: json!({}),
        search: None,
        company_data: None,
        model: None,
    }
}

impl Job {
    pub fn named(mut self, name: &str) -> Self {
        self.brand["company_name"] = json!(name);
        self
    }

    pub fn set(mut self, name: &str, value: Value) -> Self {
        self.settings[name] = value;
        self
    }

    /// Binds a model that answers each prompt with the function's result.
    pub fn model(mut self, answer: impl FnMut(&Value) -> Result<Value, Failure> + 'static) -> Self {
        self.model = Some(Box::new(answer));
        self
    }

    pub fn run(self) -> Run<Result<Value, Failure>> {
        self.run_task("brands")
    }

    pub fn run_task(self, task: &str) -> Run<Result<Value, Failure>> {
        let input = json!({"brand": self.brand, "now": "2026-11-21T00:00:00.000Z", "start_urls": self.start_urls});
        let web = self.web;
        let mut host = Host::new()
            .settings(self.settings)
            .capability("web.fetch", move |input| web.fetch(input));
        if let Some(answer) = self.search {
            host = host.capability("web.search", move |_| Ok(answer.clone()));
        }
        if let Some(answer) = self.company_data {
            host = host.capability("company.enrich", move |_| Ok(answer.clone()));
        }
        if let Some(model) = self.model {
            host = host.capability("model.complete", model);
        }
        host.run(|| Brand::generate(task, input))
    }

    pub fn draft(self) -> Value {
        self.run().output.unwrap()
    }

    pub fn failure(self) -> Failure {
        self.run().output.unwrap_err()
    }
}

/// The value at a pointer into the guideline.
pub fn at<'a>(draft: &'a Value, pointer: &str) -> &'a Value {
    draft["guideline"]
        .pointer(pointer)
        .unwrap_or_else(|| panic!("nothing at {pointer}"))
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

/// The reason given for an unknown field, or null.
pub fn reason<'a>(draft: &'a Value, pointer: &str) -> &'a Value {
    draft["unknowns"]
        .as_array()
        .unwrap()
        .iter()
        .find(|entry| entry["pointer"] == pointer)
        .map_or(&Value::Null, |entry| &entry["reason"])
}

/// The candidate values of a conflict.
pub fn conflict(draft: &Value, pointer: &str) -> Vec<Value> {
    draft["conflicts"]
        .as_array()
        .unwrap()
        .iter()
        .find(|entry| entry["pointer"] == pointer)
        .map(|entry| {
            entry["candidates"]
                .as_array()
                .unwrap()
                .iter()
                .map(|candidate| candidate["value"].clone())
                .collect()
        })
        .unwrap_or_default()
}

/// The values of one member in a list of objects.
pub fn members<'a>(list: &'a Value, name: &str) -> Vec<&'a str> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|item| item[name].as_str().unwrap_or_default())
        .collect()
}

/// The texts of a draft's proof points of one kind.
pub fn proofs_of(draft: &Value, kind: &str) -> Vec<String> {
    at(draft, "/positioning/proof_points")
        .as_array()
        .unwrap()
        .iter()
        .filter(|proof| proof["kind"] == kind)
        .map(|proof| proof["text"].as_str().unwrap().to_owned())
        .collect()
}

/// A model's answer in the form of `model.complete`.
pub fn answered(json: Value) -> Value {
    json!({"receipt_id": "rcp_model", "model": "scripted", "content": json.to_string(), "json": json, "finish_reason": "stop", "repairs": 0,
        "usage": {"input_tokens": 1, "cached_input_tokens": 0, "cache_write_tokens": 0, "output_tokens": 1, "reasoning_tokens": 0, "total_tokens": 2}})
}

/// Number of the excerpt in the prompt that contains the words, if there is one.
pub fn number_of(input: &Value, words: &str) -> Option<u64> {
    let prompt = input["messages"][1]["content"].as_str().unwrap();
    let line = prompt
        .lines()
        .find(|line| line.starts_with("[E") && line.contains(words))?;
    line[2..line.find(']').unwrap()].parse().ok()
}

/// The parts that a prompt asks for.
pub fn asked(input: &Value) -> Vec<String> {
    input["response_schema"]["required"]
        .as_array()
        .unwrap()
        .iter()
        .map(|name| name.as_str().unwrap().to_owned())
        .collect()
}

/// Shares a value that a scripted capability can write to.
pub fn shared<T>(value: T) -> Rc<RefCell<T>> {
    Rc::new(RefCell::new(value))
}
