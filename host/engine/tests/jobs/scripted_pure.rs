//! Renderers and an evaluator whose behaviour a test scripts, and which count their calls.

use std::collections::BTreeMap;
use std::sync::Mutex;

use async_trait::async_trait;
use bytes::Bytes;
use gtm_engine::plugins::{EvaluateRequest, PluginIdentity, PureRunner, RenderRequest};
use gtm_runtime::{Artifact, EvaluateOutcome, PluginError, PluginKind, RenderOutcome, Resources};
use serde_json::{Value, json};
use tokio::sync::{Semaphore, watch};

use crate::scripted::identity;

/// A renderer and an evaluator that give scripted answers and count their calls.
#[derive(Default)]
pub struct ScriptedPure {
    pub renders: watch::Sender<usize>,
    /// Whether the renderer breaks its promise by writing something else each time.
    fickle: bool,
    hangs: bool,
    evaluator_traps: bool,
    pdf_fails: bool,
    /// The documents and assets that the renderer was given.
    pub documents: Mutex<Vec<Given>>,
    /// What the evaluator answers to questions for a policy.
    pub verdict: Option<Value>,
    /// The questions for a policy.
    pub questions: watch::Sender<Vec<Value>>,
    /// Whether the evaluator never answers a policy's question.
    policy_hangs: bool,
    /// How many of a policy's questions may be answered; without a number, all.
    answered: Option<Semaphore>,
    /// What the judge of message templates answers; without an answer, the catalog has no such judge.
    judgement: Option<Value>,
    /// What the judge was asked, and which plug-in was meant.
    pub judged: watch::Sender<Vec<(PluginIdentity, Value)>>,
}

/// What a renderer was given: a document, and assets by name.
pub type Given = (Value, BTreeMap<String, Bytes>);

/// The key of a second renderer.
pub const PDF_RENDERER: &str = "pdf-renderer";

/// The key of the judge that serves where none is bound.
const JUDGE: &str = "judge-message";

/// The newest judge of the catalog, which has older ones, too.
pub fn newest_judge() -> PluginIdentity {
    PluginIdentity {
        version: "1.4.0".to_owned(),
        ..identity(JUDGE)
    }
}

impl ScriptedPure {
    /// A renderer that never finishes.
    pub fn hanging() -> Self {
        Self {
            hangs: true,
            ..Self::default()
        }
    }

    /// A renderer that does its work, and an evaluator that crashes.
    pub fn with_trapping_evaluator() -> Self {
        Self {
            evaluator_traps: true,
            ..Self::default()
        }
    }

    /// Renderers of which the one for PDF crashes.
    pub fn without_pdf() -> Self {
        Self {
            pdf_fails: true,
            ..Self::default()
        }
    }

    /// A policy with this answer.
    pub fn with_policy(verdict: Value) -> Self {
        Self {
            verdict: Some(verdict),
            ..Self::default()
        }
    }

    /// A policy that never answers.
    pub fn with_hanging_policy() -> Self {
        Self {
            policy_hangs: true,
            ..Self::default()
        }
    }

    /// A policy with this answer, which it keeps until it may [`answer`](Self::answer).
    pub fn with_waiting_policy(verdict: Value) -> Self {
        Self {
            answered: Some(Semaphore::new(0)),
            ..Self::with_policy(verdict)
        }
    }

    /// Lets the waiting policy answer one question.
    pub fn answer(&self) {
        self.answered.as_ref().unwrap().add_permits(1);
    }

    /// A judge of message templates with this answer.
    pub fn with_judge(judgement: Value) -> Self {
        Self {
            judgement: Some(judgement),
            ..Self::default()
        }
    }

    /// A renderer that writes something else each time.
    pub fn fickle() -> Self {
        Self {
            fickle: true,
            ..Self::default()
        }
    }
}

#[async_trait]
impl PureRunner for ScriptedPure {
    fn find_pure(&self, kind: PluginKind, key: &str, version: &str) -> Option<PluginIdentity> {
        let known = match kind {
            PluginKind::DocumentRenderer => ["echo-renderer", PDF_RENDERER],
            PluginKind::Evaluator => ["echo-evaluator", "echo-evaluator"],
            PluginKind::Connector | PluginKind::GenerationBackend => return None,
        };
        (known.contains(&key) && version == "1.0.0").then(|| identity(key))
    }
    fn newest_pure(&self, kind: PluginKind, key: &str) -> Option<PluginIdentity> {
        if kind == PluginKind::Evaluator && key == JUDGE {
            return self.judgement.is_some().then(newest_judge);
        }
        self.find_pure(kind, key, "1.0.0")
    }
    async fn render(&self, request: RenderRequest) -> RenderOutcome {
        let before = *self.renders.borrow();
        self.renders.send_modify(|renders| *renders += 1);
        if self.hangs {
            std::future::pending::<()>().await;
        }
        if request.document["schema"] == "gtm.doc/1" {
            return self.document(&request, before);
        }
        let mut title = request.document["title"].as_str().unwrap().to_owned();
        if self.fickle {
            title.push_str(&format!(", edition {before}"));
        }
        RenderOutcome {
            result: Ok(json!({"pages": 1})),
            artifacts: vec![Artifact {
                filename: request.document["filename"].as_str().unwrap().to_owned(),
                media_type: "text/plain".to_owned(),
                bytes: title.into(),
            }],
            resources: used(20),
            logs: vec![],
        }
    }
    async fn evaluate(&self, request: EvaluateRequest) -> EvaluateOutcome {
        let members = request.input.as_object().unwrap().len();
        let mut answer = json!({"input": request.input, "members": members});
        if request.input.get("policy_ref").is_some() {
            self.questions
                .send_modify(|questions| questions.push(request.input.clone()));
            if self.policy_hangs {
                std::future::pending::<()>().await;
            }
            if let Some(answered) = &self.answered {
                answered.acquire().await.unwrap().forget();
            }
            answer = self.verdict.clone().unwrap_or(answer);
        }
        if request.input.get("rubric_version").is_some() {
            let asked = (request.evaluator, request.input);
            self.judged.send_modify(|judged| judged.push(asked));
            answer = self.judgement.clone().unwrap_or(answer);
        }
        let trap = || PluginError::Trapped("unreachable".to_owned());
        EvaluateOutcome {
            result: if self.evaluator_traps {
                Err(trap())
            } else {
                Ok(answer)
            },
            resources: used(300),
        }
    }
}

impl ScriptedPure {
    /// Renders a real document: as its own JSON, so that a test sees what the renderer was given.
    fn document(&self, request: &RenderRequest, before: usize) -> RenderOutcome {
        let assets = request.assets.iter();
        let assets = assets.map(|(name, asset)| (name.clone(), asset.bytes.clone()));
        let given = (request.document.clone(), assets.collect());
        self.documents.lock().unwrap().push(given);
        if request.renderer.key == PDF_RENDERER && self.pdf_fails {
            return RenderOutcome {
                result: Err(PluginError::Trapped("unreachable".to_owned())),
                artifacts: vec![],
                resources: used(20),
                logs: vec![],
            };
        }
        let mut bytes = request.document.to_string();
        if self.fickle {
            bytes.push_str(&before.to_string());
        }
        let overflow =
            json!({"code": "overflow", "pointer": "/sections/0", "message": "A text did not fit."});
        RenderOutcome {
            result: Ok(json!({"pages": 2, "diagnostics": [overflow]})),
            artifacts: vec![Artifact {
                filename: "document.bin".to_owned(),
                media_type: "text/html".to_owned(),
                bytes: bytes.into(),
            }],
            resources: used(20),
            logs: vec![],
        }
    }
}

/// Resources of a call that took this much processor time.
fn used(cpu_ms: u64) -> Resources {
    Resources {
        cpu_ms,
        ..Resources::default()
    }
}
