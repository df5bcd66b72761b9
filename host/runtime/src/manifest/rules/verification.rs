//! Rules on the request that checks a credential, and whether a URL of the manifest lies within its egress.

use url::Url;

use super::{Checked, broken, template_of};
use crate::egress::path_prefix;
use crate::manifest::{Egress, Manifest};

pub(super) fn check(manifest: &Manifest) -> Checked {
    let Some(verification) = &manifest.verification else {
        return Ok(());
    };
    let request = &verification.request;
    template_of(manifest, &request.url, false)?;
    if !within_egress(manifest, &request.url, &request.method) {
        return broken(
            "verification_url_not_in_egress",
            format!("egress does not allow `{} {}`", request.method, request.url),
        );
    }
    if let Some(id) = &request.credential
        && !manifest
            .auth
            .schemes
            .iter()
            .any(|scheme| scheme.id() == Some(id))
    {
        return broken(
            "verification_scheme_unknown",
            format!("there is no credential scheme `{id}`"),
        );
    }
    Ok(())
}

/// Whether a rule of `egress` covers a URL of the manifest itself. A `${setting.…}` at the start means
/// whatever the setting says; the rule then says the same.
pub(super) fn within_egress(manifest: &Manifest, url: &str, method: &str) -> bool {
    let method_fits = |rule: &Egress| rule.methods.iter().any(|allowed| allowed == method);
    if url.starts_with("${") {
        return manifest
            .egress
            .iter()
            .any(|rule| url.starts_with(&rule.host) && method_fits(rule));
    }
    let Ok(url) = Url::parse(url) else {
        return false;
    };
    manifest.egress.iter().any(|rule| {
        url.scheme() == rule.scheme.as_str()
            && url.host_str() == Some(rule.host.as_str())
            && url.port_or_known_default()
                == Some(rule.port.unwrap_or_else(|| rule.scheme.default_port()))
            && method_fits(rule)
            && (rule.path_prefixes.is_empty()
                || rule
                    .path_prefixes
                    .iter()
                    .any(|prefix| path_prefix::has_prefix(url.path(), prefix)))
    })
}
