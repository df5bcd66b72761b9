//! What a job will need, declared by its job type when the job is created. It follows from the normalized
//! input alone, so two operations of one type may differ: one that generates pins a backend and reserves
//! its expected cost; one that only fills in a template pins and reserves nothing.

use std::borrow::Cow;

use gtm_domain::binding::BindingTarget;
use gtm_domain::domain_name::DomainName;
use gtm_domain::message::prospect_message::PolicyReference;
use gtm_domain::{JobType, MicroUsd};
use gtm_runtime::PluginKind;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The role of a plug-in in a job; pins list plug-ins by role.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Role(Cow<'static, str>);

impl Role {
    /// The generation backend that writes the result.
    pub const WRITER: Self = Self::named("writer");

    /// A role with this name, such as `render.pptx` or `policy`.
    #[must_use]
    pub const fn named(name: &'static str) -> Self {
        Self(Cow::Borrowed(name))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A plug-in that a job needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedRole {
    pub role: Role,
    /// Name under which operators bind it: the capability for a writer, the role's own name for others.
    pub bound_as: &'static str,
    /// The kind of plug-in that can fill it. A binding to another kind counts as none.
    pub kind: PluginKind,
    /// Key of the plug-in that fills it where nothing is bound, in its newest version; `None` for a role that
    /// stays empty then.
    pub otherwise: Option<&'static str>,
}

impl PlannedRole {
    /// The generation backend that is bound to the job type's capability.
    #[must_use]
    pub const fn writer(job_type: JobType) -> Self {
        Self {
            role: Role::WRITER,
            bound_as: job_type.as_str(),
            kind: PluginKind::GenerationBackend,
            otherwise: None,
        }
    }

    /// The renderer bound under this name.
    #[must_use]
    pub const fn renderer(name: &'static str) -> Self {
        Self {
            role: Role::named(name),
            bound_as: name,
            kind: PluginKind::DocumentRenderer,
            otherwise: None,
        }
    }

    /// The evaluator bound under this name.
    #[must_use]
    pub const fn evaluator(name: &'static str) -> Self {
        Self {
            role: Role::named(name),
            bound_as: name,
            kind: PluginKind::Evaluator,
            otherwise: None,
        }
    }

    /// The role, filled by this plug-in where nothing is bound.
    #[must_use]
    pub fn or(self, key: &'static str) -> Self {
        Self {
            otherwise: Some(key),
            ..self
        }
    }

    /// Key and version of the plug-in that a binding leads to, if it is of the required kind.
    pub(crate) fn served_by<'a>(
        &self,
        target: &'a BindingTarget,
    ) -> Option<(&'a str, Option<&'a str>)> {
        match (self.kind, target) {
            (PluginKind::GenerationBackend, BindingTarget::Backend { key, version })
            | (PluginKind::DocumentRenderer, BindingTarget::Renderer { key, version })
            | (PluginKind::Evaluator, BindingTarget::Evaluator { key, version }) => {
                Some((key, version.as_deref()))
            }
            _ => None,
        }
    }
}

/// Where a job's offer comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum PlannedOffer {
    /// From the writer's binding, if it has one.
    #[default]
    OfBinding,
    /// The request names it, by id or key.
    Named(String),
    /// The job has none, whatever its binding says.
    None,
}

impl PlannedOffer {
    /// The one that the request names, else that of the writer's binding.
    #[must_use]
    pub fn named_or_bound(name: Option<&str>) -> Self {
        name.map_or(Self::OfBinding, |name| Self::Named(name.to_owned()))
    }
}

/// A capability that the host itself asks for, without a backend.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedCall {
    pub capability: &'static str,
    /// What it is asked for, which says what it may cost.
    pub input: Value,
}

/// What a job will need.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    /// Plug-ins to pin. An unbound role is not pinned; the job fails when it needs the plug-in.
    pub roles: Vec<PlannedRole>,
    /// The calls that the host makes itself. Their connections are pinned; an unbound one is not, as with roles.
    pub calls: Vec<PlannedCall>,
    /// Whether its calls may cost money. If not, nothing is reserved and only free calls are made.
    pub may_cost: bool,
    /// Expected cost where neither the binding nor experience gives one; `None` uses the configured
    /// estimate.
    pub estimate: Option<MicroUsd>,
    /// The domain that the job is about, whose start URLs are pinned. `None` pins those of all domains,
    /// because the writer has to find the domain.
    pub domain: Option<DomainName>,
    /// The stages that the job will go through and that its row shows; empty for most types.
    pub stages: &'static [&'static str],
    /// The offer that the job sells.
    pub offer: PlannedOffer,
    /// The policy that the request names. Its evaluator is pinned if the operator's list allows it.
    pub policy: Option<PolicyReference>,
    /// The caller's own reference, under which the job can be found.
    pub external_ref: Option<String>,
}

impl Plan {
    /// The plan of a job whose result the type's writer makes, with calls that may cost money.
    #[must_use]
    pub fn written_by(job_type: JobType, domain: Option<DomainName>) -> Self {
        Self {
            roles: vec![PlannedRole::writer(job_type)],
            may_cost: true,
            domain,
            ..Self::default()
        }
    }

    /// The writer, if there is one.
    #[must_use]
    pub fn writer(&self) -> Option<&PlannedRole> {
        self.roles
            .iter()
            .find(|planned| planned.role == Role::WRITER)
    }
}
