//! The schemas of jobs. [`JobEnvelope`] has the members common to all jobs; each job type adds its own
//! input and result.

use gtm_domain::JobType;
use gtm_domain::fixed::Zero;
use serde_json::{Value, json};
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::schema::{Object, ObjectBuilder, OneOfBuilder, Type};
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema as _, ToSchema};

use crate::derived_schema::one_of;
use crate::job_envelope::JobEnvelope;

/// How the API description presents the jobs of one type.
pub trait DescribedJobs {
    const TYPE: JobType;
    /// The name of the schema.
    const SCHEMA: &'static str;
    /// The schema's description.
    const ABOUT: &'static str;
    /// Descriptions of members that differ from those in the common envelope.
    const OF_MEMBERS: &'static [(&'static str, &'static str)];
    /// The type of `input`.
    type Input: ToSchema;
    /// The type of `result`.
    type Result: ToSchema;

    /// An example of an input as answers show it.
    fn input() -> Value;
    /// An example of the result for this input.
    fn result() -> Value;
    /// Code and message of a job with this input that failed.
    const FAILED_CODE: &'static str = "insufficient_evidence";
    const FAILED: &'static str;
    /// Whether its envelopes say that nothing was enqueued or sent.
    const SENDS_NOTHING: bool = false;
}

/// A component of the API description: its name and its schema.
pub type Named = (String, RefOr<Schema>);

/// Collects the schemas of the job types.
#[derive(Default)]
pub struct JobSchemas {
    types: Vec<JobType>,
    names: Vec<&'static str>,
    examples: Vec<Value>,
    components: Vec<Named>,
}

impl JobSchemas {
    /// Adds the jobs of one type.
    #[must_use]
    pub fn with<J: DescribedJobs>(mut self) -> Self {
        let [queued, succeeded, failed] = examples::<J>();
        if self.types.is_empty() {
            self.examples.push(queued.clone());
        }
        self.examples.push(succeeded.clone());
        self.types.push(J::TYPE);
        self.names.push(J::SCHEMA);

        let mut job = every_job();
        job.description = Some(J::ABOUT.to_owned());
        let kind = one_of([J::TYPE.as_str()]);
        job.properties.insert("type".to_owned(), kind.into());
        job.properties
            .insert("input".to_owned(), J::Input::schema());
        let result = Ref::builder()
            .ref_location_from_schema_name(J::Result::name())
            .description(Some("Null until the job succeeded."));
        let result = OneOfBuilder::new()
            .item(result)
            .item(Object::with_type(Type::Null));
        job.properties.insert("result".to_owned(), result.into());
        for (member, about) in J::OF_MEMBERS {
            if let Some(schema) = job.properties.get_mut(*member) {
                describe(schema, about);
            }
        }
        if J::SENDS_NOTHING {
            for member in SENT {
                job.properties.insert(member.to_owned(), Zero::schema());
                job.required.push(member.to_owned());
            }
        }
        job.examples = vec![queued, succeeded, failed];
        self.components.push((J::SCHEMA.to_owned(), job.into()));

        let mut result = J::Result::schema();
        if let RefOr::T(Schema::Object(result)) = &mut result {
            result.examples = vec![J::result()];
        }
        self.components
            .push((J::Result::name().into_owned(), result));
        J::Result::schemas(&mut self.components);
        J::Input::schemas(&mut self.components);
        self
    }

    /// All schemas: one for each type, `JobResponse` for a job of any type, and one for a job of an
    /// undescribed type.
    #[must_use]
    pub fn components(mut self) -> Vec<Named> {
        JobEnvelope::schemas(&mut self.components);
        let any = OneOfBuilder::new().description(Some(
            "A job; `type` tells what its input and result are. Types may be added: read a job of a type that you do not know as OtherJobResponse.",
        ));
        let names = self.names.into_iter().chain([OTHER]);
        let any = names.fold(any, |any, name| any.item(Ref::from_schema_name(name)));
        let any = any.examples(self.examples);
        self.components.push(("JobResponse".to_owned(), any.into()));
        self.components
            .push((OTHER.to_owned(), other(&self.types).into()));
        self.components
    }
}

const OTHER: &str = "OtherJobResponse";
/// The members that are always zero.
const SENT: [&str; 2] = ["messages_enqueued", "messages_sent"];

fn every_job() -> Object {
    match JobEnvelope::schema() {
        RefOr::T(Schema::Object(job)) => job,
        // Cannot happen: the schema derived from a struct is an object.
        _ => Object::new(),
    }
}

/// The schema of a job whose type is not among the described ones.
fn other(described: &[JobType]) -> Object {
    let (known, later): (Vec<JobType>, Vec<JobType>) = JobType::ALL
        .into_iter()
        .partition(|one| described.contains(one));
    let words =
        |types: Vec<JobType>| json!(types.into_iter().map(JobType::as_str).collect::<Vec<_>>());
    // utoipa has no builder for `not`.
    let kind = ObjectBuilder::new()
        .schema_type(Type::String)
        .extensions(Some(Extensions::from_iter([
            ("not", json!({ "enum": words(known) })),
            ("x-extensible-enum", words(later)),
        ])));
    let mut job = every_job();
    job.description = Some(
        "A job of a type that this description does not cover, with the members that every job has. Poll it like any other.".to_owned(),
    );
    job.properties.insert("type".to_owned(), kind.into());
    let example = job_in(
        JobType::Prospecting,
        "queued",
        &json!({ "operation": "import", "format": "csv", "candidates": 12 }),
    );
    job.examples = vec![example];
    job
}

/// Replaces the description of a member.
fn describe(schema: &mut RefOr<Schema>, about: &str) {
    let about = about.to_owned();
    match schema {
        RefOr::Ref(reference) => reference.description = about,
        RefOr::T(Schema::Object(object)) => object.description = Some(about),
        RefOr::T(Schema::Array(array)) => array.description = Some(about),
        RefOr::T(Schema::OneOf(one_of)) => match one_of.items.first_mut() {
            Some(RefOr::Ref(reference)) => reference.description = about,
            _ => one_of.description = Some(about),
        },
        RefOr::T(_) => {}
    }
}

/// Three jobs of this type: one that is queued, one that succeeded and one that failed.
fn examples<J: DescribedJobs>() -> [Value; 3] {
    let in_status = |status: &str| {
        let mut job = job_in(J::TYPE, status, &J::input());
        for member in SENT.into_iter().filter(|_| J::SENDS_NOTHING) {
            job[member] = json!(0);
        }
        job
    };
    let queued = in_status("queued");
    let ended = |status: &str| {
        let mut job = in_status(status);
        job["started_at"] = json!("2026-11-21T14:49:53.741Z");
        job["finished_at"] = json!("2026-11-21T14:49:54.505Z");
        job
    };
    let mut succeeded = ended("succeeded");
    succeeded["progress"] = json!(100);
    succeeded["result"] = J::result();
    let runtime = if J::SENDS_NOTHING { 0 } else { 449 };
    succeeded["usage"]["backend_runtime_ms"] = json!(runtime);
    let mut failed = ended("failed");
    failed["error"] = json!({ "code": J::FAILED_CODE, "message": J::FAILED });
    [queued, succeeded, failed]
}

fn job_in(kind: JobType, status: &str, input: &Value) -> Value {
    json!({
        "id": "job_01m7z9bm98ebdsbmgmvb1g024g",
        "status": status,
        "progress": 0,
        "project_id": "prj_01m7z9avdgee6ae91d6ffcnt4j",
        "campaign_id": null,
        "type": kind,
        "input": input,
        "result": null,
        "error": null,
        "usage": {
            "tokens": 0,
            "token_details": { "input": 0, "cached_input": 0, "cache_write": 0, "output": 0, "reasoning": 0, "total": 0 },
            "cost_usd": 0.0,
            "backend_requests": 0,
            "backend_runtime_ms": 0,
            "candidates": null
        },
        "stages": null,
        "created_at": "2026-11-21T14:49:53.704Z",
        "expires_at": "2026-12-21T14:49:53.704Z",
        "started_at": null,
        "finished_at": null
    })
}
