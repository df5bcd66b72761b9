//! The operator's side of plug-ins: which were seen, which may be used, and who publishes them.

use gtm_domain::BindingId;
use gtm_domain::audit::{AuditAction, AuditActor, AuditEvent};
use gtm_domain::binding::{Binding, BindingTarget};
use gtm_domain::plugin::{
    KnownPlugin, Noted, PluginKey, PluginPackage, PluginPublisher, PluginRecords,
};

use super::{Operator, on_database};
use crate::access::Access;
use crate::error::StoreError;

/// Every function fails if the database does; other errors are named where they apply.
#[expect(clippy::missing_errors_doc, reason = "said once for all, above")]
impl Operator {
    /// Everything that this installation has recorded about plug-ins.
    pub async fn plugin_records(&self) -> Result<PluginRecords, StoreError> {
        on_database!(self.0, snapshot, Access::All, |c, repo| {
            Ok(PluginRecords {
                packages: repo::plugins::list(c).await?,
                publishers: repo::plugins::publishers(c).await?,
            })
        })
    }

    /// Records the packages that the catalog now offers. The audit log attributes new ones to the system,
    /// because they came with the catalog. Returns the packages that contradict an earlier record, which
    /// stays unchanged.
    pub async fn record_plugins(
        &self,
        packages: &[PluginPackage],
    ) -> Result<Vec<PluginPackage>, StoreError> {
        let (packages, now) = (packages.to_vec(), self.0.now());
        on_database!(self.0, write, Access::All, |c, repo| {
            let system = AuditActor::system("catalog");
            let (mut events, mut contradicting) = (Vec::new(), Vec::new());
            for package in &packages {
                match repo::plugins::put(c, package, now).await? {
                    Noted::Known => {}
                    Noted::Contradicts => contradicting.push(package.clone()),
                    Noted::New => {
                        let version = &package.content;
                        let resource = version_id(&version.plugin, &version.version);
                        let action = AuditAction::PluginAdded;
                        let event = AuditEvent::new(&system, action, resource, None, None);
                        events.push(event.after(package)?);
                    }
                }
            }
            repo::audit::append_all(c, &events, now).await?;
            Ok(contradicting)
        })
    }

    /// Approves a seen version for use. Returns its new record, and whether the approval is new.
    /// [`StoreError::Absent`] if it was never seen.
    pub async fn approve_plugin(
        &self,
        plugin: &PluginKey,
        version: &str,
    ) -> Result<(KnownPlugin, bool), StoreError> {
        let (plugin, version) = (plugin.clone(), version.to_owned());
        let (operator, now) = (self.clone(), self.0.now());
        on_database!(self.0, write, Access::All, |c, repo| {
            let absent = || StoreError::absent("plug-in", version_id(&plugin, &version));
            let before = repo::plugins::get(c, &plugin, &version)
                .await?
                .ok_or_else(absent)?;
            if !repo::plugins::approve(c, &plugin, &version, now).await? {
                return Ok((before, false));
            }
            let after = repo::plugins::get(c, &plugin, &version)
                .await?
                .ok_or_else(absent)?;
            let resource = version_id(&plugin, &version);
            let event = operator.event(AuditAction::PluginApproved, resource, None, None);
            repo::audit::append(c, &event.before(&before)?.after(&after)?, now).await?;
            Ok((after, true))
        })
    }

    /// Assigns a plug-in to a publisher, whether it had one or not. Returns its publisher, and whether that
    /// is new.
    pub async fn transfer_plugin(
        &self,
        plugin: &PluginKey,
        publisher: &str,
    ) -> Result<(PluginPublisher, bool), StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        let new = PluginPublisher {
            plugin: plugin.clone(),
            publisher: publisher.to_owned(),
            since: now,
        };
        on_database!(self.0, write, Access::All, |c, repo| {
            let before = repo::plugins::owner(c, &new.plugin).await?;
            if let Some(same) = before.as_ref().filter(|b| b.publisher == new.publisher) {
                return Ok((same.clone(), false));
            }
            repo::plugins::give(c, &new).await?;
            let mut event = operator.event(AuditAction::PluginTransferred, &new.plugin, None, None);
            if let Some(before) = before {
                event = event.before(&before)?;
            }
            repo::audit::append(c, &event.after(&new)?, now).await?;
            Ok((new, true))
        })
    }

    /// Stores the current versions of bindings without a version, which are older than the rule that a
    /// binding stays at its version. Returns those that had none until now.
    pub async fn pin_bindings(
        &self,
        versions: &[(BindingId, String)],
    ) -> Result<Vec<Binding>, StoreError> {
        let (versions, now) = (versions.to_vec(), self.0.now());
        on_database!(self.0, write, Access::All, |c, repo| {
            let system = AuditActor::system("catalog");
            let (mut events, mut pinned) = (Vec::new(), Vec::new());
            for (id, version) in &versions {
                let Some(found) = repo::bindings::get(c, *id).await? else {
                    continue;
                };
                // Read again, now locked until the transaction ends.
                let held = repo::bindings::held(c, found.scope, &found.capability).await?;
                let Some(before) = held.filter(|held| held.id == *id) else {
                    continue;
                };
                let BindingTarget::Backend { key, version: None } = &before.target else {
                    continue;
                };
                let mut after = before.clone();
                after.target = BindingTarget::Backend {
                    key: key.clone(),
                    version: Some(version.clone()),
                };
                after.updated_at = now;
                let after = repo::bindings::put(c, &after).await?;
                let (organization, project) = repo::bindings::owner(c, after.scope).await?;
                let action = AuditAction::BindingUpdated;
                let event = AuditEvent::new(&system, action, id, organization, project);
                events.push(event.before(&before)?.after(&after)?);
                pinned.push(after);
            }
            repo::audit::append_all(c, &events, now).await?;
            Ok(pinned)
        })
    }
}

fn version_id(plugin: &PluginKey, version: &str) -> String {
    format!("{plugin}/{version}")
}
