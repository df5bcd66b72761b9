//! Keys in every state that a client can meet (specification, Authentication, Limits, Errors), each with a
//! request and the API's answer to it.

use std::fmt;
use std::time::Duration;

use gtm_domain::binding::{BindingScope, BindingTarget};
use gtm_domain::key_record::{KeyRecord, KeyTerms};
use gtm_domain::money::{LimitMetric, LimitOwner};
use gtm_domain::{
    ApiKeySecret, CidrList, MicroUsd, OrganizationId, Permissions, ProjectId, Timestamp,
};
use gtm_domain::{Capability, JobType};
use gtm_runtime::{Catalog, PluginKind};
use gtm_store::{NewConnection, Operator};
use serde::Serialize;
use serde_json::{Value, json};

use crate::commands::plugin_settings;
use crate::failure::Failure;
use crate::installation::Installation;

/// The connector that gives seeded projects a model that costs money.
const MODEL: &str = "openai-compatible";
/// The backend that writes playbooks for the seeded projects.
const BACKEND: &str = "playbook";
/// Credit of the organizations that have any.
const CREDIT: MicroUsd = MicroUsd::from_micros(1_000_000_000);
/// How long both keys are accepted after a rotation.
const OVERLAP: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// One key and the expected answer.
#[derive(Debug, Serialize)]
pub struct Case {
    /// The state that the key is in.
    pub name: String,
    pub secret: String,
    /// Id of the key's record.
    pub key_id: String,
    pub project_id: String,
    pub organization_id: String,
    /// A request that shows the state.
    pub request: Request,
    /// What the API answers.
    pub expected: Expected,
}

/// A request with the key.
#[derive(Debug, Clone, Serialize)]
pub struct Request {
    method: &'static str,
    path: &'static str,
    body: Option<Value>,
    /// The expected answer is the one to the last of this many identical requests in a row.
    times: u32,
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)?;
        if let Some(body) = &self.body {
            write!(f, " {body}")?;
        }
        if self.times > 1 {
            write!(f, " ×{}", self.times)?;
        }
        Ok(())
    }
}

/// What the API answers.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Expected {
    status: u16,
    code: Option<&'static str>,
    /// `error.details.scope`.
    scope: Option<&'static str>,
    /// `RateLimit-Limit`.
    rate_limit: Option<u32>,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.status)?;
        for part in [self.code, self.scope].into_iter().flatten() {
            write!(f, " {part}")?;
        }
        if let Some(limit) = self.rate_limit {
            write!(f, " RateLimit-Limit: {limit}")?;
        }
        Ok(())
    }
}

fn answered(status: u16) -> Expected {
    Expected {
        status,
        ..Expected::default()
    }
}

fn refused(status: u16, code: &'static str, scope: Option<&'static str>) -> Expected {
    Expected {
        status,
        code: Some(code),
        scope,
        rate_limit: None,
    }
}

fn read_usage() -> Request {
    Request {
        method: "GET",
        path: "/v1/usage",
        body: None,
        times: 1,
    }
}

fn create_playbook() -> Request {
    Request {
        method: "POST",
        path: "/v1/playbooks",
        body: Some(json!({ "target_company": "Acme Estates" })),
        times: 1,
    }
}

/// Name of the organization without any restriction.
const MAIN: &str = "Seed";
/// Name of the organization that may not use playbooks.
const WITHOUT_PLAYBOOKS: &str = "Seed without playbooks";
/// Name of the organization without credit.
const WITHOUT_CREDIT: &str = "Seed without credit";

/// What this run created, and what earlier ones left.
pub struct Set {
    pub cases: Vec<Case>,
    /// Organizations of earlier runs that are not archived.
    pub earlier: Vec<OrganizationId>,
}

/// Creates all cases.
pub async fn create_all(installation: &Installation) -> Result<Set, Failure> {
    let runtime = installation.start_recording_runtime().await?;
    let seeder = Seeder::new(installation, runtime.catalog())?;
    let earlier = seeder.earlier().await?;
    let mut cases = seeder.main().await?;
    cases.extend(seeder.other_organizations().await?);
    cases.extend(seeder.tiers().await?);
    Ok(Set { cases, earlier })
}

/// What the cases are created with.
struct Seeder {
    operator: Operator,
    now: Timestamp,
    tiers: Vec<(String, u32)>,
    backend_version: String,
    model_version: String,
    model_settings: Value,
}

#[derive(Clone, Copy)]
struct SeededProject {
    organization: OrganizationId,
    id: ProjectId,
}

impl Seeder {
    fn new(installation: &Installation, catalog: &Catalog) -> Result<Self, Failure> {
        let absent = |kind: &str, key: &str| {
            Failure::new(format!(
                "the catalog has no {kind} {key}, which the seed binds"
            ))
            .hint("`gtm plugin list` shows what is loaded; `cargo xtask plugins` builds what ships")
        };
        let model = catalog
            .find(PluginKind::Connector, MODEL, None)
            .ok_or_else(|| absent("connector", MODEL))?;
        let backend = catalog
            .find(PluginKind::GenerationBackend, BACKEND, None)
            .ok_or_else(|| absent("backend", BACKEND))?;
        // No resolver knows this name (RFC 6761): accepted jobs cost nothing and fail.
        let model_settings = json!({
            "base_url": "https://model.invalid/v1", "model": "none", "authentication": "none",
            "prices": { "input_per_million_usd": 1.0, "output_per_million_usd": 1.0 },
        });
        plugin_settings::check(&model.manifest, &model_settings)?;
        let tiers = installation.store.tiers().tiers().iter();
        Ok(Self {
            operator: installation.operator(),
            now: installation.clock.now(),
            tiers: tiers
                .map(|t| (t.key.clone(), t.rate_limit_per_minute))
                .collect(),
            backend_version: backend.version.to_string(),
            model_version: model.version.to_string(),
            model_settings,
        })
    }

    /// Unarchived organizations whose names are those of a seed.
    async fn earlier(&self) -> Result<Vec<OrganizationId>, Failure> {
        let tiers = self.tiers.iter().map(|(tier, _)| in_tier(tier));
        let fixed = [MAIN, WITHOUT_PLAYBOOKS, WITHOUT_CREDIT].map(str::to_owned);
        let names: Vec<_> = fixed.into_iter().chain(tiers).collect();
        let all = self.operator.list_organizations().await?.into_iter();
        let ours = all.filter(|row| row.archived_at.is_none() && names.contains(&row.name));
        Ok(ours.map(|row| row.id).collect())
    }

    /// The states of keys in an organization without restrictions.
    async fn main(&self) -> Result<Vec<Case>, Failure> {
        let organization = self.organization(MAIN).await?;
        self.operator
            .grant_credit(organization, CREDIT, Some("seed".to_owned()))
            .await?;
        let project = self.project(organization, "main").await?;
        let mut cases = Vec::new();

        let valid = self.key(project, "valid", "generate").await?;
        cases.push(self.case(project, "valid", &valid, read_usage(), answered(200)));
        let accepted = self.key(project, "accepted", "generate").await?;
        cases.push(self.case(
            project,
            "accepted",
            &accepted,
            create_playbook(),
            answered(202),
        ));
        let reader = self.key(project, "read_only", "read_only").await?;
        let forbidden = refused(403, "forbidden", None);
        cases.push(self.case(project, "read_only", &reader, create_playbook(), forbidden));

        let revoked = self.key(project, "revoked", "generate").await?;
        self.operator.revoke_key(revoked.0.id).await?;
        let invalid = refused(401, "invalid_api_key", None);
        cases.push(self.case(project, "revoked", &revoked, read_usage(), invalid));
        let over = KeyTerms {
            expires_at: Some(self.now),
            ..terms("expired", "generate")?
        };
        let expired = self.operator.issue_key(project.id, over).await?;
        let past = refused(401, "expired_api_key", None);
        cases.push(self.case(project, "expired", &expired, read_usage(), past));

        let rotating = self.key(project, "rotating", "generate").await?;
        let (rotation, secret) = self
            .operator
            .rotate_key(rotating.0.id, OVERLAP, None)
            .await?;
        let both = answered(200);
        cases.push(self.case(
            project,
            "rotated_old",
            &rotating,
            read_usage(),
            both.clone(),
        ));
        cases.push(self.case(
            project,
            "rotated_new",
            &(rotation.new, secret),
            read_usage(),
            both,
        ));

        let one = KeyTerms {
            requests_per_minute: Some(1),
            ..terms("rate_limited", "generate")?
        };
        let limited = self.operator.issue_key(project.id, one).await?;
        let twice = Request {
            times: 2,
            ..read_usage()
        };
        let too_many = Expected {
            rate_limit: Some(1),
            ..refused(429, "rate_limit_exceeded", None)
        };
        cases.push(self.case(project, "rate_limited", &limited, twice, too_many));

        let spent = self.key(project, "key_quota_reached", "generate").await?;
        self.close(LimitOwner::Key(spent.0.id), LimitMetric::MonthlyJobs)
            .await?;
        let quota = refused(429, "quota_exceeded", Some("key"));
        cases.push(self.case(
            project,
            "key_quota_reached",
            &spent,
            create_playbook(),
            quota,
        ));

        let poor = self.project(organization, "budget reached").await?;
        self.close(LimitOwner::Project(poor.id), LimitMetric::MonthlyBudget)
            .await?;
        let key = self.key(poor, "budget_reached", "generate").await?;
        let budget = refused(429, "budget_exceeded", Some("project"));
        cases.push(self.case(poor, "budget_reached", &key, create_playbook(), budget));

        let old = self.project(organization, "archived").await?;
        let key = self.key(old, "archived_project", "generate").await?;
        self.operator.archive_project(old.id).await?;
        let archived = refused(403, "project_archived", None);
        cases.push(self.case(old, "archived_project", &key, read_usage(), archived));
        Ok(cases)
    }

    /// The states that concern a whole organization.
    async fn other_organizations(&self) -> Result<Vec<Case>, Failure> {
        let mut cases = Vec::new();
        let project = self.home(WITHOUT_PLAYBOOKS).await?;
        self.operator
            .set_capability(project.organization, Capability::PLAYBOOKS, false)
            .await?;
        let key = self.key(project, "capability_disabled", "generate").await?;
        let disabled = refused(403, "capability_disabled", None);
        cases.push(self.case(
            project,
            "capability_disabled",
            &key,
            create_playbook(),
            disabled,
        ));

        let project = self.home(WITHOUT_CREDIT).await?;
        let key = self.key(project, "no_credit", "generate").await?;
        let unpaid = refused(402, "insufficient_credits", None);
        cases.push(self.case(project, "no_credit", &key, create_playbook(), unpaid));
        Ok(cases)
    }

    /// One organization in each usage tier.
    async fn tiers(&self) -> Result<Vec<Case>, Failure> {
        let mut cases = Vec::new();
        for (tier, per_minute) in &self.tiers {
            let project = self.home(&in_tier(tier)).await?;
            let given = Some(Some(tier.clone()));
            self.operator
                .set_billing(project.organization, None, given)
                .await?;
            let name = format!("tier_{tier}");
            let key = self.key(project, &name, "generate").await?;
            let expected = Expected {
                rate_limit: Some(*per_minute),
                ..answered(200)
            };
            cases.push(self.case(project, &name, &key, read_usage(), expected));
        }
        Ok(cases)
    }

    async fn organization(&self, name: &str) -> Result<OrganizationId, Failure> {
        Ok(self.operator.create_organization(name).await?.id)
    }

    /// A new organization with one project.
    async fn home(&self, name: &str) -> Result<SeededProject, Failure> {
        let organization = self.organization(name).await?;
        self.project(organization, "main").await
    }

    /// A project with playbooks and a model that costs money.
    async fn project(
        &self,
        organization: OrganizationId,
        name: &str,
    ) -> Result<SeededProject, Failure> {
        let project = self.operator.create_project(organization, name).await?.id;
        let connection = NewConnection {
            provider_key: MODEL.to_owned(),
            manifest_version: self.model_version.clone(),
            name: "no model".to_owned(),
            settings: self.model_settings.clone(),
            credentials: std::collections::BTreeMap::new(),
        };
        let connection = self
            .operator
            .create_connection(project, connection)
            .await?
            .id;
        let backend = BindingTarget::Backend {
            key: BACKEND.to_owned(),
            version: Some(self.backend_version.clone()),
        };
        let playbooks = JobType::Playbooks.as_str();
        for (capability, target) in [
            (playbooks, backend),
            ("model.complete", BindingTarget::Connection { connection }),
        ] {
            self.operator
                .set_binding(
                    BindingScope::Project(project),
                    capability,
                    target,
                    json!({}),
                )
                .await?;
        }
        Ok(SeededProject {
            organization,
            id: project,
        })
    }

    async fn key(
        &self,
        project: SeededProject,
        name: &str,
        scopes: &str,
    ) -> Result<(KeyRecord, ApiKeySecret), Failure> {
        let terms = terms(name, scopes)?;
        Ok(self.operator.issue_key(project.id, terms).await?)
    }

    /// Sets a monthly limit so that nothing of it is left.
    async fn close(&self, owner: LimitOwner, metric: LimitMetric) -> Result<(), Failure> {
        self.operator.set_limit(owner, metric, 0).await?;
        Ok(())
    }

    fn case(
        &self,
        project: SeededProject,
        name: &str,
        (record, secret): &(KeyRecord, ApiKeySecret),
        request: Request,
        expected: Expected,
    ) -> Case {
        Case {
            name: name.to_owned(),
            secret: secret.reveal(),
            key_id: record.id.to_string(),
            project_id: project.id.to_string(),
            organization_id: project.organization.to_string(),
            request,
            expected,
        }
    }
}

/// Name of the organization in a usage tier.
fn in_tier(tier: &str) -> String {
    format!("Seed in {tier}")
}

fn terms(name: &str, scopes: &str) -> Result<KeyTerms, Failure> {
    Ok(KeyTerms {
        name: name.to_owned(),
        permissions: Permissions::parse(scopes).map_err(|e| Failure::new(e.to_string()))?,
        expires_at: None,
        requests_per_minute: None,
        allowed_cidrs: CidrList::default(),
    })
}
