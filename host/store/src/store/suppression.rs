//! What speaks against writing to somebody, and which policies may be used: read for a message to a prospect.

use aws_lc_rs::hmac;
use gtm_domain::message::compliance::Environment;
use gtm_domain::message::prospect_message::PolicyReference;
use gtm_domain::outcome_ledger::{
    LedgerOf, LedgerSubject, Subject, SubjectHmac, SubjectType, Suppression,
};
use gtm_domain::policy::AllowedPolicy;

use super::{Store, on_database};
use crate::access::Access;
use crate::error::StoreError;
use crate::scope::ProjectScope;

impl Store {
    /// The subject as ledgers keep it: its HMAC under the database's own secret, which no rotation of master keys
    /// changes. It is the same in all projects, so that one list holds for all of them.
    #[must_use]
    pub fn ledger_subject(&self, subject: &Subject) -> LedgerSubject {
        let mut context = hmac::Context::with_key(&self.inner.secret);
        context.update(b"outcome subject ");
        context.update(&subject.canonical());
        let mut bytes = [0; 32];
        bytes.copy_from_slice(context.sign().as_ref());
        LedgerSubject {
            subject_type: subject.subject_type(),
            hmac: SubjectHmac::from_bytes(bytes),
        }
    }

    /// What messages of the project are for.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn project_environment(
        &self,
        scope: &ProjectScope,
    ) -> Result<Environment, StoreError> {
        let project = scope.project;
        let found = on_database!(self, read, Access::Project(project), |c, repo| {
            repo::outcome_ledger::environment(c, project).await
        })?;
        found.ok_or_else(|| StoreError::absent("project", project))
    }

    /// Whether the outcome ledger of the project and its environment, or the platform's list, speaks against writing
    /// to any of these subjects, which a prospect has ([`crate::Prospect`]).
    ///
    /// # Errors
    /// If the database cannot be read or holds something unexpected. DANGER: nobody may be written to then.
    pub async fn suppression(
        &self,
        scope: &ProjectScope,
        subjects: &[LedgerSubject],
    ) -> Result<Suppression, StoreError> {
        let project = scope.project;
        let mut subjects = subjects.to_vec();
        // The narrowest first: the first match is the one that is reported.
        let rank = |subject_type| SubjectType::ALL.iter().position(|it| *it == subject_type);
        subjects.sort_by_key(|subject| rank(subject.subject_type));
        on_database!(self, snapshot, Access::Project(project), |c, repo| {
            let environment = repo::outcome_ledger::environment(c, project).await?;
            let ledger = LedgerOf {
                project,
                environment: environment.ok_or_else(|| StoreError::absent("project", project))?,
            };
            let head = repo::outcome_ledger::head(c, ledger).await?;
            let closed = repo::outcome_ledger::suppressed(c, ledger, &subjects).await?;
            let found = (subjects.iter().find(|subject| closed.contains(subject)))
                .map(|subject| subject.subject_type);
            Ok(Suppression {
                sequence: head.map(|(sequence, _)| sequence).filter(|last| *last > 0),
                matched: found.is_some(),
                r#match: found,
            })
        })
    }

    /// The policy of exactly this reference and version with the component that answers for it, if the operator
    /// allows it now.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn allowed_policy(
        &self,
        policy: &PolicyReference,
    ) -> Result<Option<AllowedPolicy>, StoreError> {
        let policy = policy.clone();
        on_database!(self, read, Access::All, |c, repo| {
            repo::policies::in_use(c, &policy).await
        })
    }

    /// The operator's entry for exactly this reference and version, even if it was revoked; `None` if there was
    /// never one.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn policy_entry(
        &self,
        policy: &PolicyReference,
    ) -> Result<Option<AllowedPolicy>, StoreError> {
        let policy = policy.clone();
        on_database!(self, read, Access::All, |c, repo| {
            repo::policies::entry(c, &policy).await
        })
    }
}
