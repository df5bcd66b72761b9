//! Bindings: which backend or connection serves a capability (architecture §5).

use std::collections::BTreeMap;

use gtm_domain::{BindingId, ConnectionId, MicroUsd, OrganizationId, ProjectId, Timestamp};
use serde::Serialize;
use serde_json::Value;

use super::connection::ConnectionRow;

/// Where a binding holds. The nearer one wins: project before organization before platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "level", content = "id", rename_all = "snake_case")]
pub enum BindingScope {
    /// Everywhere.
    Platform,
    /// In one organization.
    Organization(OrganizationId),
    /// In one project.
    Project(ProjectId),
}

impl BindingScope {
    /// `platform`, `organization` or `project`.
    #[must_use]
    pub const fn level(&self) -> &'static str {
        match self {
            Self::Platform => "platform",
            Self::Organization(_) => "organization",
            Self::Project(_) => "project",
        }
    }
    /// The id that the level needs; empty for the platform.
    pub(crate) fn id(&self) -> String {
        match self {
            Self::Platform => String::new(),
            Self::Organization(id) => id.to_string(),
            Self::Project(id) => id.to_string(),
        }
    }
}

/// What serves the capability.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum BindingTarget {
    /// A generation backend, renderer or evaluator of the catalog.
    Backend {
        /// Key of the plug-in.
        key: String,
        /// Exact version. `None` only in bindings of before versions were stored, until a host starts
        /// with the backend in its catalog; nothing runs for them.
        version: Option<String>,
    },
    /// A connection to a provider.
    Connection {
        /// The connection.
        connection: ConnectionId,
    },
}

/// A stored binding.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BindingRow {
    /// Identifier.
    pub id: BindingId,
    /// Where it holds.
    pub scope: BindingScope,
    /// Product capability (`playbooks`) or provider capability (`web.fetch`).
    pub capability: String,
    /// What serves it.
    pub target: BindingTarget,
    /// Settings of this use.
    pub settings: Value,
    /// What a job of it is expected to cost; none if nobody said. Reserved for each job at its creation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_cost: Option<MicroUsd>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// A binding as it holds for one project.
#[derive(Debug, Clone, PartialEq)]
pub struct EffectiveBinding {
    /// The binding.
    pub binding: BindingRow,
    /// The connection behind it, for a connection target.
    pub connection: Option<ConnectionRow>,
}

/// The effective bindings of a project by capability. A binding whose connection is absent, disabled
/// or of a foreign tenant is left out: for the project nothing is bound there.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bindings(pub(crate) BTreeMap<String, EffectiveBinding>);

impl Bindings {
    /// What serves a capability.
    #[must_use]
    pub fn get(&self, capability: &str) -> Option<&EffectiveBinding> {
        self.0.get(capability)
    }
    /// All of them, by capability.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &EffectiveBinding)> {
        self.0
            .iter()
            .map(|(capability, binding)| (capability.as_str(), binding))
    }
}
