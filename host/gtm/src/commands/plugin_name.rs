//! A plug-in of the catalog as commands name it: its key, and its version if it is not to be the newest.

use std::sync::Arc;

use gtm_runtime::{Catalog, Plugin, PluginKind};

use crate::failure::Failure;

/// `KEY` or `KEY@VERSION`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PluginName {
    key: String,
    version: Option<String>,
}

impl PluginName {
    /// Reads a name. `example` is a key for the message of what is no name.
    ///
    /// # Errors
    /// If key or version are empty.
    pub fn read(text: &str, example: &str) -> Result<Self, String> {
        let (key, version) = match text.split_once('@') {
            Some((key, version)) => (key, Some(version.to_owned())),
            None => (text, None),
        };
        if key.is_empty() || version.as_deref() == Some("") {
            return Err(format!(
                "expected KEY or KEY@VERSION, such as {example} or {example}@0.1.0"
            ));
        }
        Ok(Self {
            key: key.to_owned(),
            version,
        })
    }

    /// The plug-in with this name. `kind` says what it must be, once for the catalog and once in a word; `remedy` what
    /// to do if the catalog has none of the kind.
    ///
    /// # Errors
    /// If the catalog has no such plug-in, with those that it has, or why it refused the package.
    pub fn find(
        &self,
        catalog: &Catalog,
        (kind, noun): (PluginKind, &str),
        remedy: &str,
    ) -> Result<Arc<Plugin>, Failure> {
        if let Some(plugin) = catalog.find(kind, &self.key, self.version.as_deref()) {
            return Ok(plugin);
        }
        let refused = catalog
            .refused()
            .iter()
            .find(|package| package.key.as_deref() == Some(&self.key));
        if let Some(package) = refused {
            return Err(Failure::new(format!(
                "the package {} was refused ({}): {}",
                package.path.display(),
                package.code,
                package.reason
            )));
        }
        let mut there: Vec<String> = (catalog.plugins().iter())
            .filter(|plugin| plugin.kind == kind)
            .map(|plugin| format!("{}@{}", plugin.key, plugin.version))
            .collect();
        there.sort();
        let wanted = match &self.version {
            Some(version) => format!("{}@{version}", self.key),
            None => self.key.clone(),
        };
        let failure = Failure::new(format!("the catalog has no {noun} {wanted}"));
        Err(failure.hint(match there.as_slice() {
            [] => format!("it has no {noun} at all{remedy}"),
            there => format!("it has {}", there.join(", ")),
        }))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_name_has_a_key_and_perhaps_a_version() {
        let name = PluginName::read("render-pdf", "a").unwrap();
        assert_eq!((name.key.as_str(), name.version), ("render-pdf", None));
        let name = PluginName::read("render-pdf@0.1.0", "a").unwrap();
        assert_eq!(name.version.as_deref(), Some("0.1.0"));
        for wrong in ["", "@1.0.0", "render-pdf@"] {
            let message = PluginName::read(wrong, "policy-gb").unwrap_err();
            assert!(message.contains("policy-gb@0.1.0"), "{wrong}: {message}");
        }
    }
}
