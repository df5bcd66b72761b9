//! Bindings: which backend or connection serves a capability (architecture §5).

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::connection::Connection;
use crate::offer::{Offer, OfferStatus};
use crate::start_url::MAX_START_URLS;
use crate::{
    BindingId, ConnectionId, JobType, MicroUsd, OfferId, OrganizationId, ProjectId, Timestamp,
};

/// Where a binding applies. The narrower scope wins: project before organization before platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "level", content = "id", rename_all = "snake_case")]
pub enum BindingScope {
    Platform,
    Organization(OrganizationId),
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
    /// The id of the organization or project; empty for the platform.
    #[must_use]
    pub fn id(&self) -> String {
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
    /// A generation backend from the catalog.
    Backend {
        key: String,
        /// Exact version. `None` only in bindings older than stored versions, until a host starts with the
        /// backend in its catalog; until then nothing runs for them.
        version: Option<String>,
    },
    /// A renderer from the catalog.
    Renderer {
        key: String,
        version: Option<String>,
    },
    /// An evaluator from the catalog.
    Evaluator {
        key: String,
        version: Option<String>,
    },
    /// A connection to a provider.
    Connection {
        /// Its id.
        connection: ConnectionId,
    },
}

impl BindingTarget {
    /// `backend`, `renderer`, `evaluator` or `connection`.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Backend { .. } => "backend",
            Self::Renderer { .. } => "renderer",
            Self::Evaluator { .. } => "evaluator",
            Self::Connection { .. } => "connection",
        }
    }
    /// Key and version of the plug-in; `None` for a connection, which names its own connector.
    #[must_use]
    pub fn plugin(&self) -> Option<(&str, Option<&str>)> {
        match self {
            Self::Backend { key, version }
            | Self::Renderer { key, version }
            | Self::Evaluator { key, version } => Some((key, version.as_deref())),
            Self::Connection { .. } => None,
        }
    }
}

/// A stored binding.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Binding {
    pub id: BindingId,
    pub scope: BindingScope,
    /// Product capability (`playbooks`), provider capability (`web.fetch`), or another role of a plug-in in
    /// jobs (`render.pptx`).
    pub capability: String,
    /// What serves it.
    pub target: BindingTarget,
    /// Settings for this use of the target.
    pub settings: Value,
    /// Expected cost of a job that uses this binding; `None` if nobody has set it. Reserved for each job at
    /// its creation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_cost: Option<MicroUsd>,
    /// The offer that jobs of this binding sell; `None` for bindings without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offer: Option<OfferId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// What a binding says besides what it leads to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BindingTerms {
    /// Expected cost of a job.
    pub expected_cost: Option<MicroUsd>,
    /// The offer that jobs sell.
    pub offer: Option<OfferId>,
}

/// Why jobs of a binding cannot sell an offer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoOffer {
    /// The binding serves other organizations, too.
    #[error(
        "offer {offer} belongs to an organization: bind it for that one or for one of its projects"
    )]
    Foreign { offer: OfferId },
    /// Only these jobs speak for a seller.
    #[error(
        "only jobs of the capability {selling} sell an offer, not those of {0}",
        selling = selling()
    )]
    NotSold(String),
    #[error("offer {0} is archived")]
    Archived(OfferId),
    #[error("no revision of offer {0} is approved yet")]
    NotApproved(OfferId),
}

/// The capabilities whose jobs sell a bound offer.
fn selling() -> String {
    let selling = JobType::ALL.into_iter().filter(|one| one.sells_offers());
    selling
        .map(JobType::as_str)
        .collect::<Vec<_>>()
        .join(" or ")
}

/// A binding as it applies to one project.
#[derive(Debug, Clone, PartialEq)]
pub struct EffectiveBinding {
    pub binding: Binding,
    /// The connection behind it, for a connection target.
    pub connection: Option<Connection>,
}

/// The effective bindings of a project by capability. A binding whose connection is absent, disabled or
/// owned by another tenant is left out: for the project, nothing is bound.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bindings(BTreeMap<String, EffectiveBinding>);

impl FromIterator<(String, EffectiveBinding)> for Bindings {
    fn from_iter<I: IntoIterator<Item = (String, EffectiveBinding)>>(bindings: I) -> Self {
        Self(bindings.into_iter().collect())
    }
}

impl Bindings {
    /// The effective binding of a capability.
    #[must_use]
    pub fn get(&self, capability: &str) -> Option<&EffectiveBinding> {
        self.0.get(capability)
    }
    /// All effective bindings, by capability.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &EffectiveBinding)> {
        self.0
            .iter()
            .map(|(capability, binding)| (capability.as_str(), binding))
    }
}

impl BindingScope {
    /// Distance from a project: the nearest binding wins.
    const fn distance(&self) -> u8 {
        match self {
            Self::Project(_) => 0,
            Self::Organization(_) => 1,
            Self::Platform => 2,
        }
    }
}

/// A connection that a binding at this level must not use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("connection {connection} belongs to another {level}")]
pub struct ForeignConnection {
    connection: ConnectionId,
    level: &'static str,
}

impl BindingScope {
    /// Whether a binding at this scope may use the connection: a project binds its own, an organization
    /// those of its projects, the platform any.
    ///
    /// # Errors
    /// If the connection belongs to another tenant.
    pub fn may_lead_to(&self, connection: &Connection) -> Result<(), ForeignConnection> {
        let fits = match self {
            Self::Platform => true,
            Self::Organization(id) => connection.organization == *id,
            Self::Project(id) => connection.project == *id,
        };
        if fits {
            Ok(())
        } else {
            Err(ForeignConnection {
                connection: connection.id,
                level: self.level(),
            })
        }
    }
}

/// Why a binding cannot hold start URLs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoStartUrls {
    /// Only backends do research.
    #[error("binding {0} ({1}) cannot have start URLs: they are for backends that research")]
    NotOfBackend(BindingId, &'static str),
    /// Too many: all of them are pinned to a job.
    #[error(
        "binding {binding} would have {held} start URLs, and {} are the most",
        MAX_START_URLS
    )]
    TooMany {
        binding: BindingId,
        /// How many the binding would hold.
        held: usize,
    },
}

impl Binding {
    /// Whether jobs of the binding may sell the offer. `owner` is the organization that the binding's scope belongs
    /// to, if any.
    ///
    /// # Errors
    /// If the offer is another organization's, is not approved or is archived, or the jobs sell nothing.
    pub fn may_sell(&self, offer: &Offer, owner: Option<OrganizationId>) -> Result<(), NoOffer> {
        if owner != Some(offer.organization) {
            return Err(NoOffer::Foreign { offer: offer.id });
        }
        let sells = JobType::parse(&self.capability).is_some_and(JobType::sells_offers);
        if !sells {
            return Err(NoOffer::NotSold(self.capability.clone()));
        }
        match offer.status() {
            OfferStatus::Active => Ok(()),
            OfferStatus::Archived => Err(NoOffer::Archived(offer.id)),
            OfferStatus::Draft => Err(NoOffer::NotApproved(offer.id)),
        }
    }

    /// Whether the binding may hold `held` start URLs.
    ///
    /// # Errors
    /// If the binding does not lead to a backend, or `held` is too many.
    pub const fn may_hold_start_urls(&self, held: usize) -> Result<(), NoStartUrls> {
        let binding = self.id;
        if !matches!(self.target, BindingTarget::Backend { .. }) {
            return Err(NoStartUrls::NotOfBackend(binding, self.target.kind()));
        }
        if held > MAX_START_URLS {
            return Err(NoStartUrls::TooMany { binding, held });
        }
        Ok(())
    }
}

/// The nearest binding for each capability; all given bindings apply to the same project.
#[must_use]
pub fn nearest(bindings: impl IntoIterator<Item = Binding>) -> BTreeMap<String, Binding> {
    let mut nearest: BTreeMap<String, Binding> = BTreeMap::new();
    for binding in bindings {
        let nearer = nearest
            .get(&binding.capability)
            .is_none_or(|held| held.scope.distance() > binding.scope.distance());
        if nearer {
            nearest.insert(binding.capability.clone(), binding);
        }
    }
    nearest
}

/// An expected cost cannot be negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a job cannot be expected to cost less than nothing")]
pub struct ExpectedBelowNothing;

/// Validates the expected cost that an operator sets on a binding.
///
/// # Errors
/// If the cost is negative.
pub fn not_below_nothing(cost: MicroUsd) -> Result<MicroUsd, ExpectedBelowNothing> {
    if cost < MicroUsd::ZERO {
        Err(ExpectedBelowNothing)
    } else {
        Ok(cost)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn binding(scope: BindingScope, number: u128) -> Binding {
        Binding {
            id: BindingId::from_uuid(Uuid::from_u128(number)),
            scope,
            capability: "web.fetch".to_owned(),
            target: BindingTarget::Backend {
                key: "key".to_owned(),
                version: None,
            },
            settings: Value::Null,
            expected_cost: None,
            offer: None,
            created_at: Timestamp::from_micros(0),
            updated_at: Timestamp::from_micros(0),
        }
    }

    #[test]
    fn only_playbooks_of_the_offer_s_organization_sell_it() {
        let now = Timestamp::from_micros(0);
        let organization = OrganizationId::from_uuid(Uuid::from_u128(1));
        let id = OfferId::from_uuid(Uuid::from_u128(2));
        let Ok(key) = "a".parse() else {
            unreachable!("a is a key")
        };
        let draft = Offer::new(id, organization, key, now);
        let active = Offer {
            approved_revision: Some(1),
            ..draft.clone()
        };
        let archived = Offer {
            archived_at: Some(now),
            ..active.clone()
        };
        let playbooks = Binding {
            capability: "playbooks".to_owned(),
            ..binding(BindingScope::Organization(organization), 1)
        };
        let owner = Some(organization);
        assert_eq!(playbooks.may_sell(&active, owner), Ok(()));
        let foreign = Err(NoOffer::Foreign { offer: id });
        assert_eq!(playbooks.may_sell(&active, None), foreign);
        let other = OrganizationId::from_uuid(Uuid::from_u128(3));
        assert_eq!(playbooks.may_sell(&active, Some(other)), foreign);
        assert_eq!(
            playbooks.may_sell(&draft, owner),
            Err(NoOffer::NotApproved(id))
        );
        assert_eq!(
            playbooks.may_sell(&archived, owner),
            Err(NoOffer::Archived(id))
        );
        let fetch = binding(BindingScope::Organization(organization), 1);
        assert_eq!(
            fetch.may_sell(&active, owner),
            Err(NoOffer::NotSold("web.fetch".to_owned()))
        );
        assert_eq!(
            NoOffer::NotSold("web.fetch".to_owned()).to_string(),
            "only jobs of the capability playbooks sell an offer, not those of web.fetch"
        );
    }

    #[test]
    fn start_urls_are_for_backends_and_bounded() {
        let backend = binding(BindingScope::Platform, 1);
        assert_eq!(backend.may_hold_start_urls(MAX_START_URLS), Ok(()));
        assert!(backend.may_hold_start_urls(MAX_START_URLS + 1).is_err());
        let connection = Binding {
            target: BindingTarget::Connection {
                connection: ConnectionId::from_uuid(Uuid::from_u128(3)),
            },
            ..backend
        };
        assert!(connection.may_hold_start_urls(0).is_err());
    }

    #[test]
    fn the_nearest_binding_wins_in_whatever_order_they_come() {
        let near_to_far = [
            BindingScope::Project(ProjectId::from_uuid(Uuid::from_u128(1))),
            BindingScope::Organization(OrganizationId::from_uuid(Uuid::from_u128(2))),
            BindingScope::Platform,
        ];
        for skipped in 0..near_to_far.len() {
            let held: Vec<_> = near_to_far[skipped..]
                .iter()
                .map(|scope| binding(*scope, 1))
                .collect();
            let backwards = held.iter().rev().cloned();
            for found in [nearest(held.clone()), nearest(backwards)] {
                assert_eq!(found["web.fetch"].scope, near_to_far[skipped]);
            }
        }
    }
}
