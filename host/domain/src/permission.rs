//! What an API key may do (annex A15).

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

macro_rules! permissions {
    ($($name:ident = $text:literal,)*) => {
        /// A permission, written `resource:action`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum Permission { $(#[serde(rename = $text)] $name,)* }

        impl Permission {
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];
            /// The text of the permission.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

permissions! {
    CatalogRead = "catalog:read",
    ConnectionsRead = "connections:read",
    JobsRead = "jobs:read",
    UsageRead = "usage:read",
    FilesRead = "files:read",
    PlaybooksWrite = "playbooks:write",
    BrandsRead = "brands:read",
    BrandsWrite = "brands:write",
    DocumentsWrite = "documents:write",
    MessageTemplatesRead = "message_templates:read",
    MessageTemplatesWrite = "message_templates:write",
    ProspectMessagesWrite = "prospect_messages:write",
    DossierSpecificationsRead = "dossier_specifications:read",
    DossierSpecificationsWrite = "dossier_specifications:write",
    WebhooksManage = "webhooks:manage",
    OffersRead = "offers:read",
}

/// An unknown permission or preset.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown permission or preset {0:?}")]
pub struct UnknownPermission(pub String);

impl fmt::Display for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
impl FromStr for Permission {
    type Err = UnknownPermission;
    fn from_str(text: &str) -> Result<Self, UnknownPermission> {
        Self::ALL
            .iter()
            .copied()
            .find(|p| p.as_str() == text)
            .ok_or_else(|| UnknownPermission(text.to_owned()))
    }
}

/// The permissions of a key, sorted and without duplicates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<Permission>", into = "Vec<Permission>")]
pub struct Permissions(Vec<Permission>);

impl Permissions {
    /// Exactly the permissions of this list.
    #[must_use]
    pub fn of(mut list: Vec<Permission>) -> Self {
        list.sort_unstable();
        list.dedup();
        Self(list)
    }
    /// Parses a preset of annex A15 (`read_only`, `generate`, `full`) or a comma-separated list.
    ///
    /// # Errors
    /// If a name is neither a preset nor a permission.
    pub fn parse(text: &str) -> Result<Self, UnknownPermission> {
        let reads = |p: &Permission| p.as_str().ends_with(":read");
        match text {
            "full" => Ok(Self::of(Permission::ALL.to_vec())),
            "read_only" => Ok(Self::of(
                Permission::ALL.iter().copied().filter(reads).collect(),
            )),
            "generate" => Ok(Self::of(
                Permission::ALL
                    .iter()
                    .copied()
                    .filter(|p| *p != Permission::WebhooksManage)
                    .collect(),
            )),
            list => list
                .split(',')
                .map(|p| p.trim().parse())
                .collect::<Result<Vec<_>, _>>()
                .map(Self::of),
        }
    }
    /// Whether the permission is granted.
    #[must_use]
    pub fn allow(&self, permission: Permission) -> bool {
        self.0.binary_search(&permission).is_ok()
    }
    /// All permissions, sorted.
    #[must_use]
    pub fn as_slice(&self) -> &[Permission] {
        &self.0
    }
}
impl From<Vec<Permission>> for Permissions {
    fn from(list: Vec<Permission>) -> Self {
        Self::of(list)
    }
}
impl From<Permissions> for Vec<Permission> {
    fn from(p: Permissions) -> Self {
        p.0
    }
}
