//! Runs one job of the backend, and checks what holds for every draft.

use std::path::Path;

use gtm_document::DocumentBackend;
use gtm_document::draft::document_of;
use gtm_document_model::Document;
use gtm_sdk::testing::{Host, Run};
use gtm_sdk::{Failure, GenerationBackend, Value, json::json};

use crate::web::{SAMPLE, Web};

type Model = Box<dyn FnMut(&Value) -> Result<Value, Failure>>;

/// A job to run; by default in English with a guideline and an offer, without a target and without a model.
pub struct Job {
    pub web: Web,
    pub input: Value,
    pub formats: Value,
    pub brand: Value,
    pub offer: Option<Value>,
    pub settings: Value,
    pub model: Option<Model>,
}

pub fn job(brief: &str) -> Job {
    Job {
        web: Web::sample(),
        input: json!({"brief": brief, "document_type": null, "format": null, "target_domain": null, "brand": null, "offer": null,
            "template_urls": [], "title": null, "external_ref": null}),
        formats: json!(["docx", "pdf", "pptx"]),
        brand: brand(),
        offer: Some(offer()),
        settings: json!({"max_pages": 8}),
        model: None,
    }
}

/// The guideline of Coldwise, which sells to Tarnbeck.
pub fn brand() -> Value {
    json!({
        "schema_version": "1.0", "language": "en-GB",
        "identity": {"brand_name": {"value": "Coldwise"}, "website_url": "https://coldwise.example/",
            "description_short": {"value": "Coldwise connects the sensors of cold stores with the systems that maintain them."}},
        "positioning": {
            "value_propositions": [{"value": {"key": "vp-1", "statement": "One record from sensor to audit", "benefit": "no reading is copied by hand"}}],
            "differentiators": [{"value": "Works with wired sensor networks that have no internet access."}],
            "proof_points": [{"value": {"key": "pp-1", "kind": "metric", "text": "In use at 41 cold stores in 6 countries."}}],
        },
        "audience": {
            "segments": [{"value": {"key": "s", "name": "Operators of cold stores", "needs": ["proof for auditors"], "pains": ["readings copied by hand"], "triggers": ["a new site"]}}],
            "personas": [{"value": {"role": "Head of Engineering", "seniority": "head", "goals": ["fewer manual readings"], "objections": []}}],
            "exclusions": [{"value": "Household refrigerators"}], "markets": [],
        },
        "messaging": {
            "core_message": {"value": "Every reading arrives where it is needed, without anyone carrying it."},
            "calls_to_action": [{"value": "Book a walk-through"}],
            "objections": [{"value": {"objection": "Our sensor network is closed.", "response": "The bridge only reads, and sits inside your network."}}],
            "claims_restricted": [{"value": {"text": "zero downtime", "reason": "nobody can promise it"}}],
        },
        "voice": {"summary": {"value": "Calm and exact."}},
    })
}

pub fn offer() -> Value {
    json!({
        "name": "Coldwise Bridge", "summary": "A bridge between sensor networks and maintenance systems, installed in one shift per site.",
        "url": "https://coldwise.example/bridge",
        "facts": [{"key": "f1", "text": "The bridge reads sensors every 30 seconds and writes to the maintenance system at once."},
            {"key": "f2", "text": "It needs no internet access and no change to the sensors."}],
        "value_propositions": [{"key": "v1", "text": "Readings reach the maintenance system without a shift's delay."},
            {"key": "v2", "text": "Auditors get one complete record per chamber."}],
        "proof_points": [{"key": "p1", "text": "38 percent fewer alarms at night after three months", "numeric_values": ["38"], "source_url": null},
            {"key": "p2", "text": "12,000 sensors connected since 2021", "numeric_values": ["12,000"], "source_url": null}],
        "pricing": {"model": "per_site_month", "currency": "GBP", "display": "£490 per site and month, installation included", "disclose_in_copy": true},
        "icp": {"segments": ["cold stores with three or more sites"], "roles": ["Head of Operations"], "countries": ["GB"], "employee_ranges": ["201-500"], "exclusions": []},
        "stage_fit": ["evaluation"], "allowed_link_hosts": ["coldwise.example"], "forbidden_claims": ["guaranteed savings"],
    })
}

impl Job {
    pub fn with(mut self, pointer: &str, value: Value) -> Self {
        *self.input.pointer_mut(pointer).unwrap() = value;
        self
    }

    pub fn set(mut self, name: &str, value: Value) -> Self {
        self.settings[name] = value;
        self
    }

    /// For the sample company.
    pub fn for_tarnbeck(self) -> Self {
        self.with("/target_domain", json!("tarnbeck.example"))
    }

    /// Without a guideline that says anything, and without an offer.
    pub fn alone(mut self) -> Self {
        self.offer = None;
        self.brand = json!({"language": "en"});
        self
    }

    pub fn model(mut self, answer: impl FnMut(&Value) -> Result<Value, Failure> + 'static) -> Self {
        self.model = Some(Box::new(answer));
        self
    }

    pub fn run(self) -> Run<Result<Value, Failure>> {
        let Self {
            web,
            input,
            formats,
            brand,
            offer,
            settings,
            model,
        } = self;
        let references = input["template_urls"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let mut task = json!({"input": input, "formats": formats, "brand": brand, "now": "2026-11-21T00:00:00.000Z",
            "start_urls": {"tarnbeck.example": SAMPLE}});
        if let Some(offer) = offer {
            task["offer"] = offer;
        }
        let mut host = Host::new()
            .settings(settings)
            .capability("web.fetch", move |call| {
                if references.contains(&call["url"]) {
                    // Large files are read only so, and a part of one cannot be read.
                    assert_eq!(call["accept"], "document");
                    assert_eq!(call.get("max_bytes"), None);
                }
                web.fetch(call)
            });
        if let Some(model) = model {
            host = host.capability("model.complete", model);
        }
        let run = host.run(|| DocumentBackend::generate("documents", task));
        assert!(run.reports.len() <= 50, "{} milestones", run.reports.len());
        run
    }

    pub fn draft(self) -> Value {
        let draft = self.run().output.unwrap();
        whole(&draft);
        draft
    }

    pub fn failure(self) -> Failure {
        self.run().output.unwrap_err()
    }
}

/// The draft's document, after everything that holds for every draft was checked.
pub fn whole(draft: &Value) -> Document {
    let schema =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../wit/results/document-draft.schema.json");
    let schema: Value = std::fs::read_to_string(schema).unwrap().parse().unwrap();
    let model =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../wit/results/document.schema.json");
    let model: Value = std::fs::read_to_string(model).unwrap().parse().unwrap();
    // The host takes no schema that refers to itself, so the draft's has a definition for each level of a list
    // and for what stands in columns.
    let unrolled = ["ItemSecondLevel", "ItemThirdLevel", "BlockOfColumn"];
    let of_model = schema["$defs"]
        .to_string()
        .replace("/ItemSecondLevel", "/Item")
        .replace("/BlockOfColumn", "/Block");
    let of_model: Value = of_model.parse().unwrap();
    for (name, definition) in of_model.as_object().unwrap() {
        if unrolled.contains(&name.as_str()) {
            continue;
        }
        assert_eq!(
            definition, &model["$defs"][name],
            "the definition {name} differs from the document's"
        );
    }
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(draft)
        .map(|error| format!("{} at {}", error, error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
    let document = document_of(draft).unwrap_or_else(|faults| panic!("{faults:?}"));
    assert_eq!(
        json!(document.sections),
        draft["sections"],
        "the reader changes nothing"
    );
    for source in draft["sources"].as_array().unwrap() {
        assert!(
            !source["excerpts"].as_array().unwrap().is_empty(),
            "{source}"
        );
    }
    document
}
