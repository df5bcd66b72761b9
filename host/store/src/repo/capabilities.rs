//! Which capabilities an organization may use. A capability without a row is enabled.

use gtm_domain::tenant::CapabilitySwitch;
use gtm_domain::{Capability, OrganizationId};

use super::Conn;
use crate::columns::Text;
use crate::error::StoreError;

pub(crate) async fn of_organization(
    c: &mut Conn,
    organization: OrganizationId,
) -> Result<Vec<CapabilitySwitch>, StoreError> {
    let sql = "SELECT capability FROM organization_capabilities WHERE organization_id = $1 AND NOT enabled";
    let disabled: Vec<String> = sqlx::query_scalar(sql)
        .bind(Text(organization))
        .fetch_all(c)
        .await?;
    let switch = |capability: Capability| CapabilitySwitch {
        capability,
        enabled: !disabled.iter().any(|key| key == capability.key()),
    };
    Ok(Capability::all().map(switch).collect())
}

pub(crate) async fn switch(
    c: &mut Conn,
    organization: OrganizationId,
    capability: Capability,
    enabled: bool,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO organization_capabilities (organization_id, capability, enabled) VALUES ($1, $2, $3) \
        ON CONFLICT (organization_id, capability) DO UPDATE SET enabled = excluded.enabled";
    sqlx::query(sql)
        .bind(Text(organization))
        .bind(capability.key())
        .bind(enabled)
        .execute(c)
        .await?;
    Ok(())
}
