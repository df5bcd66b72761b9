//! The operator's switches: which capabilities an organization may use.

use gtm_domain::Capability;
use gtm_domain::OrganizationId;
use gtm_domain::audit::AuditAction;
use gtm_domain::tenant::CapabilitySwitch;

use super::on_database;
use super::operator::Operator;
use crate::access::Access;
use crate::error::StoreError;

/// Every function fails if the database does; other errors are named where they apply.
#[expect(clippy::missing_errors_doc, reason = "said once for all, above")]
impl Operator {
    /// All capabilities and whether the organization may use them; one that nobody switched is enabled.
    pub async fn organization_capabilities(
        &self,
        organization: OrganizationId,
    ) -> Result<Vec<CapabilitySwitch>, StoreError> {
        on_database!(self.0, read, Access::All, |c, repo| {
            repo::capabilities::of_organization(c, organization).await
        })
    }

    /// Enables or disables a capability for an organization; returns all of its switches.
    /// [`StoreError::Absent`] if the organization does not exist.
    pub async fn set_capability(
        &self,
        organization: OrganizationId,
        capability: Capability,
        enabled: bool,
    ) -> Result<Vec<CapabilitySwitch>, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        let action = if enabled {
            AuditAction::OrganizationCapabilityEnabled
        } else {
            AuditAction::OrganizationCapabilityDisabled
        };
        on_database!(self.0, write, Access::All, |c, repo| {
            if repo::tenants::organization(c, organization)
                .await?
                .is_none()
            {
                return Err(StoreError::absent("organization", organization));
            }
            let before = repo::capabilities::of_organization(c, organization).await?;
            repo::capabilities::switch(c, organization, capability, enabled).await?;
            let after = repo::capabilities::of_organization(c, organization).await?;
            let event = operator.event(action, organization, Some(organization), None);
            repo::audit::append(c, &event.before(&before)?.after(&after)?, now).await?;
            Ok(after)
        })
    }
}
