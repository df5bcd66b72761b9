//! A host and a site for tests: the model answers as a test says.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::cell::RefCell;

use gtm_site_research::failure::Failure;
use gtm_site_research::host::{Call, Host, StageStatus};
use gtm_site_research::page::Page;
use gtm_site_research::reading::{Research, Visited};
use gtm_site_research::roles::Role;
use serde_json::{Value, json};

type Model = Box<dyn FnMut(&Value) -> Result<Value, Failure>>;

pub struct Scripted {
    model: RefCell<Model>,
    calls: RefCell<Vec<Value>>,
    notes: RefCell<Vec<String>>,
}

impl Scripted {
    pub fn new(model: impl FnMut(&Value) -> Result<Value, Failure> + 'static) -> Self {
        Self {
            model: RefCell::new(Box::new(model)),
            calls: RefCell::default(),
            notes: RefCell::default(),
        }
    }

    /// The input of a call.
    pub fn call(&self, index: usize) -> Value {
        self.calls.borrow()[index].clone()
    }

    /// How many calls there were.
    pub fn calls(&self) -> usize {
        self.calls.borrow().len()
    }

    /// The lines of the operator's log.
    pub fn notes(&self) -> String {
        self.notes.borrow().join("\n")
    }

    /// The user's message of a call.
    pub fn prompt(&self, index: usize) -> String {
        self.call(index)["messages"][1]["content"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// How many characters the messages of a call have.
    pub fn length(&self, index: usize) -> usize {
        let call = self.call(index);
        let messages = call["messages"].as_array().into_iter().flatten();
        messages
            .filter_map(|message| message["content"].as_str())
            .map(|text| text.chars().count())
            .sum()
    }
}

impl Host for Scripted {
    fn invoke(&self, calls: &[Call]) -> Vec<Result<Value, Failure>> {
        let answer = |call: &Call| {
            self.calls.borrow_mut().push(call.input.clone());
            (self.model.borrow_mut())(&call.input)
        };
        calls.iter().map(answer).collect()
    }

    fn bound(&self, _capability: &str) -> bool {
        true
    }

    fn stage(&self, _key: &str, _status: StageStatus) {}

    fn report(&self, _percent: u8, _milestone: &str) {}

    fn canceled(&self) -> bool {
        false
    }

    fn note(&self, message: &str) {
        self.notes.borrow_mut().push(message.to_owned());
    }

    fn settings(&self) -> Result<Value, Failure> {
        Ok(json!({}))
    }

    fn now_ms(&self) -> u64 {
        1_795_219_200_000
    }
}

/// A model's answer in the form of `model.complete`.
pub fn answered(json: Value) -> Value {
    json!({"content": json.to_string(), "json": json, "finish_reason": "stop"})
}

/// A site of one page for each role, whose blocks are `kind: text`, a heading being `#` with its level: `#2: Sites`.
pub fn site(pages: &[(Role, &[(&str, &str)])]) -> Research {
    let pages = pages.iter().enumerate().map(|(at, (role, blocks))| {
        let blocks: Vec<Value> = blocks
            .iter()
            .map(|(kind, text)| match kind.strip_prefix('#') {
                Some(level) => json!({"kind": "heading", "level": level.parse::<u8>().unwrap(), "text": text, "main": true}),
                None => json!({"kind": kind, "text": text, "main": true}),
            })
            .collect();
        let url = format!("https://acme.example/{at}");
        let page = json!({"receipt_id": format!("rcp_{at}"), "url": url, "final_url": url, "language": "en", "blocks": blocks});
        Visited {
            page: Page::read(page).unwrap(),
            role: *role,
        }
    });
    Research {
        company: Some("Acme".to_owned()),
        names: vec!["Acme".to_owned()],
        domain: "acme.example".to_owned(),
        language: "en".to_owned(),
        pages: pages.collect(),
        misses: Vec::new(),
    }
}

/// The number of the excerpt in a prompt that contains the words.
pub fn number_of(input: &Value, words: &str) -> u64 {
    let prompt = input["messages"][1]["content"].as_str().unwrap();
    let line = prompt
        .lines()
        .find(|line| line.starts_with("[E") && line.contains(words));
    let line = line.unwrap_or_else(|| panic!("no excerpt with {words:?} in:\n{prompt}"));
    line[2..line.find(']').unwrap()].parse().unwrap()
}
