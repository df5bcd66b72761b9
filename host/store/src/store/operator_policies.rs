//! The operator's list of the policies that messages to real people may be written under.

use gtm_domain::Digest;
use gtm_domain::audit::AuditAction;
use gtm_domain::message::prospect_message::PolicyReference;
use gtm_domain::policy::AllowedPolicy;

use super::on_database;
use super::operator::Operator;
use crate::access::Access;
use crate::error::StoreError;

/// Every function fails if the database does; other errors are named where they apply.
#[expect(clippy::missing_errors_doc, reason = "said once for all, above")]
impl Operator {
    /// Allows a policy, to be answered by exactly this component. Allowing the same again changes nothing.
    /// [`StoreError::Conflict`] if the policy is allowed with another component: revoke it first.
    pub async fn allow_policy(
        &self,
        policy: PolicyReference,
        evaluator: &str,
        evaluator_version: &str,
        component: Digest,
    ) -> Result<AllowedPolicy, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        let new = AllowedPolicy {
            policy,
            evaluator: evaluator.to_owned(),
            evaluator_version: evaluator_version.to_owned(),
            component,
            allowed_at: now,
            allowed_by: self.1.id.clone(),
            revoked_at: None,
        };
        on_database!(self.0, write, Access::All, |c, repo| {
            if let Some(known) = repo::policies::in_use(c, &new.policy).await? {
                let same = (&known.evaluator, &known.evaluator_version, known.component)
                    == (&new.evaluator, &new.evaluator_version, new.component);
                return if same {
                    Ok(known)
                } else {
                    Err(StoreError::Conflict(format!(
                        "policy {} {} is allowed with {}@{} ({}); revoke it first",
                        known.policy.policy_ref,
                        known.policy.policy_version,
                        known.evaluator,
                        known.evaluator_version,
                        known.component,
                    )))
                };
            }
            repo::policies::insert(c, &new).await?;
            let event = operator.event(AuditAction::PolicyAllowed, named(&new.policy), None, None);
            repo::audit::append(c, &event.after(&new)?, now).await?;
            Ok(new)
        })
    }

    /// Takes a policy off the list: messages to real people are no longer written under it. [`StoreError::Absent`] if
    /// it is not on the list.
    pub async fn revoke_policy(
        &self,
        policy: PolicyReference,
    ) -> Result<AllowedPolicy, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        on_database!(self.0, write, Access::All, |c, repo| {
            let before = repo::policies::in_use(c, &policy).await?;
            let before =
                before.ok_or_else(|| StoreError::absent("allowed policy", named(&policy)))?;
            repo::policies::revoke(c, &policy, now).await?;
            let after = AllowedPolicy {
                revoked_at: Some(now),
                ..before.clone()
            };
            let event = operator.event(AuditAction::PolicyRevoked, named(&policy), None, None);
            repo::audit::append(c, &event.before(&before)?.after(&after)?, now).await?;
            Ok(after)
        })
    }

    /// All policies that were ever allowed, newest first.
    pub async fn list_policies(&self) -> Result<Vec<AllowedPolicy>, StoreError> {
        on_database!(self.0, read, Access::All, |c, repo| {
            repo::policies::list(c).await
        })
    }
}

/// A policy as people name it.
fn named(policy: &PolicyReference) -> String {
    format!("{} {}", policy.policy_ref, policy.policy_version)
}
