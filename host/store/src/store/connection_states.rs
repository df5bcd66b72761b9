//! Connections with their current state: the last check of their credentials, and whether their secrets
//! open. For a project's caller and for the operator.

use std::collections::BTreeMap;

use gtm_domain::ProjectId;
use gtm_domain::audit::AuditAction;
use gtm_domain::connection::{Connection, ConnectionState, NewVerification, VerificationRecord};

use super::operator::Operator;
use super::{Store, on_database};
use crate::access::Access;
use crate::error::StoreError;
use crate::scope::ProjectScope;
use crate::secrets::{SealedField, open_field};

impl Store {
    /// The project's own connections, oldest first.
    ///
    /// # Errors
    /// If the database cannot be read. A secret that does not open is not an error.
    pub async fn connections(
        &self,
        scope: &ProjectScope,
    ) -> Result<Vec<ConnectionState>, StoreError> {
        self.states(Access::Project(scope.project), Some(scope.project))
            .await
    }

    async fn states(
        &self,
        access: Access,
        project: Option<ProjectId>,
    ) -> Result<Vec<ConnectionState>, StoreError> {
        let (rows, checks, sealed) = on_database!(self, snapshot, access, |c, repo| {
            let rows = repo::connections::list(c, project).await?;
            let checks = repo::connection_verifications::list(c, project).await?;
            Ok((
                rows,
                checks,
                repo::connections::secrets_of(c, project).await?,
            ))
        })?;
        let mut checks: BTreeMap<_, VerificationRecord> = checks.into_iter().collect();
        rows.into_iter()
            .map(|row| {
                let check = checks.remove(&row.id);
                self.state(row, check, &sealed)
            })
            .collect()
    }

    fn state(
        &self,
        connection: Connection,
        verification: Option<VerificationRecord>,
        sealed: &[SealedField],
    ) -> Result<ConnectionState, StoreError> {
        let subject = connection.verification_subject()?;
        let own = |field: &&SealedField| field.connection == connection.id;
        Ok(ConnectionState {
            verification_is_current: verification.as_ref().is_some_and(|v| v.subject == subject),
            secrets_open: sealed
                .iter()
                .filter(own)
                .all(|field| open_field(&self.inner.keys, field).is_ok()),
            verification,
            connection,
        })
    }
}

impl Operator {
    /// Connections of one project or all, oldest first, with their current state.
    ///
    /// # Errors
    /// If the database cannot be read. A secret that does not open is not an error.
    pub async fn connection_states(
        &self,
        project: Option<ProjectId>,
    ) -> Result<Vec<ConnectionState>, StoreError> {
        self.0.states(Access::All, project).await
    }

    /// Records the result of a check of a connection's credentials, and returns the verdict in effect: an
    /// inconclusive check does not replace an earlier verdict on the same credentials.
    ///
    /// # Errors
    /// [`StoreError::Absent`] if the connection does not exist, or the database's failure.
    pub async fn record_verification(
        &self,
        new: NewVerification,
    ) -> Result<VerificationRecord, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        on_database!(self.0, write, Access::All, |c, repo| {
            let (record, written) = repo::connection_verifications::record(c, &new, now).await?;
            if written {
                let checked = &new.checked;
                let (organization, project) = (Some(checked.organization), Some(checked.project));
                let event = operator.event(
                    AuditAction::ConnectionChecked,
                    checked.id,
                    organization,
                    project,
                );
                repo::audit::append(c, &event.after(&record)?, now).await?;
            }
            Ok(record)
        })
    }
}
