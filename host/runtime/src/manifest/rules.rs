//! Rules across several members of a manifest, which JSON Schema cannot express. Each has a stable code:
//!
//! `duplicate_operation`, `duplicate_credential`, `duplicate_scheme`, `capability_not_listed`,
//! `capability_not_served`, `unknown_operation`, `connector_without_network`, `egress_not_allowed`,
//! `grant_not_allowed`, `requires_not_allowed`, `setting_unknown`, `egress_setting_with_parts`,
//! `scheme_host_not_in_egress`, `scheme_without_credential`, `template_invalid`, `template_credential_unknown`,
//! `template_setting_unknown`, `template_token_without_request`, `token_url_not_in_egress`,
//! `verification_url_not_in_egress`, `verification_scheme_unknown`, `injected_header_forbidden`,
//! `idempotency_header_forbidden`, `scheme_host_needs_https`, `token_url_needs_https`,
//! `override_header_unknown`, `imports_not_sorted`, `schema_unusable`, `credential_pattern_invalid`,
//! `required_unless_invalid`, `environment_alias_foreign`.

mod verification;

use std::collections::BTreeSet;

use serde_json::Value;

use super::template::{self, Piece};
use super::{
    CredentialScheme, Grant, Injection, InjectionPlace, Manifest, ManifestError, PluginKind,
    UrlScheme,
};
use crate::catalog::contracts::OperationContracts;
use crate::egress::reserved::{folded, is_credential, is_override, is_reserved};
use crate::schema::Schema;

/// Variables of the host and of programs that usually run beside it: no connector may use them, whatever
/// its name.
const RESERVED_VARIABLES: [&str; 15] = [
    "AWS_",
    "AZURE_",
    "CARGO_",
    "DATABASE_",
    "DOCKER_",
    "GOOGLE_APPLICATION_",
    "GTM_",
    "KUBERNETES_",
    "LD_",
    "MYSQL_",
    "NPM_",
    "POSTGRES_",
    "REDIS_",
    "SSH_",
    "VAULT_",
];

type Checked = Result<(), ManifestError>;

/// Checks every rule on a manifest.
///
/// # Errors
/// The first rule that the manifest breaks.
pub fn check(manifest: &Manifest) -> Checked {
    operations(manifest)?;
    privileges(manifest)?;
    egress(manifest)?;
    credentials(manifest)?;
    schemes(manifest)?;
    verification::check(manifest)?;
    imports(manifest)?;
    OperationContracts::compile(manifest)
        .map(|_| ())
        .map_err(|(place, error)| {
            ManifestError::new("schema_unusable", format!("{place}: {error}"))
        })
}

fn broken(code: &'static str, reason: String) -> Checked {
    Err(ManifestError::new(code, reason))
}

fn unique<'a>(code: &'static str, what: &str, names: impl Iterator<Item = &'a str>) -> Checked {
    let mut seen = BTreeSet::new();
    for name in names {
        if !seen.insert(name) {
            return broken(code, format!("{what} `{name}` is declared twice"));
        }
    }
    Ok(())
}

fn operations(manifest: &Manifest) -> Checked {
    unique(
        "duplicate_operation",
        "operation",
        manifest.operations.iter().map(|o| o.id.as_str()),
    )?;
    for operation in &manifest.operations {
        if !manifest.capabilities.contains(&operation.capability) {
            return broken(
                "capability_not_listed",
                format!(
                    "operation `{}` serves `{}`, which `capabilities` lacks",
                    operation.id, operation.capability
                ),
            );
        }
        if let Some(name) = &operation.idempotency_header
            && !may_carry_idempotency_key(manifest, name)
        {
            return broken(
                "idempotency_header_forbidden",
                format!(
                    "`{name}` of operation `{}` already has another purpose",
                    operation.id
                ),
            );
        }
    }
    // A catalog entry without a component says what a component would serve.
    let served = manifest
        .component
        .as_ref()
        .map_or(&[][..], |_| &manifest.capabilities);
    for capability in served {
        if manifest.operation_for(capability).is_none() {
            return broken(
                "capability_not_served",
                format!("no operation serves `{capability}`"),
            );
        }
    }
    let named = manifest
        .usage
        .iter()
        .filter_map(|usage| usage.operations.as_ref())
        .chain(
            manifest
                .rate
                .policies
                .iter()
                .filter_map(|policy| policy.operations.as_ref()),
        )
        .chain(
            manifest
                .breaking_changes
                .iter()
                .filter_map(|change| change.operations.as_ref()),
        );
    for id in named.flatten() {
        if manifest.operation(id).is_none() {
            return broken(
                "unknown_operation",
                format!("operation `{id}` is named but not declared"),
            );
        }
    }
    Ok(())
}

/// Whether a header may carry an idempotency key: it is neither the gate's own nor used for a credential.
fn may_carry_idempotency_key(manifest: &Manifest, name: &str) -> bool {
    let injected = manifest
        .auth
        .schemes
        .iter()
        .flat_map(CredentialScheme::inject)
        .any(|i| i.place == InjectionPlace::Header && folded(&i.name) == folded(name));
    !(injected || is_reserved(name) || is_override(name) || is_credential(name))
}

/// Whether a header makes servers treat a request as another one, and no egress rule lists it.
fn is_unlisted_override(manifest: &Manifest, name: &str) -> bool {
    is_override(name)
        && !manifest
            .egress
            .iter()
            .flat_map(|rule| &rule.override_headers)
            .any(|listed| folded(listed) == folded(name))
}

fn privileges(manifest: &Manifest) -> Checked {
    if manifest.kind == PluginKind::Connector {
        if manifest.egress.is_empty() && !manifest.asks_for(Grant::OpenWeb) {
            return broken(
                "connector_without_network",
                "a connector needs egress or a grant".to_owned(),
            );
        }
    } else {
        let schemes = manifest
            .auth
            .schemes
            .iter()
            .any(|scheme| scheme.id().is_some());
        if !manifest.egress.is_empty()
            || schemes
            || manifest.verification.is_some()
            || !manifest.credential_fields.is_empty()
        {
            return broken(
                "egress_not_allowed",
                format!(
                    "a {} may have neither network access nor credentials",
                    manifest.kind
                ),
            );
        }
    }
    let grantable = |grant: &Grant| match grant {
        Grant::OpenWeb => manifest.kind == PluginKind::Connector,
        Grant::FreeUrls => manifest.kind == PluginKind::GenerationBackend,
    };
    if !manifest.grants.iter().all(grantable) {
        return broken(
            "grant_not_allowed",
            format!("a {} may not have this grant", manifest.kind),
        );
    }
    if manifest.kind != PluginKind::GenerationBackend && !manifest.requires.is_empty() {
        return broken(
            "requires_not_allowed",
            format!("a {} may not invoke capabilities", manifest.kind),
        );
    }
    unique(
        "requires_not_allowed",
        "capability",
        manifest.requires.iter().map(|r| r.capability.as_str()),
    )
}

/// The property names of `settings_schema`.
fn setting_keys(manifest: &Manifest) -> BTreeSet<&str> {
    manifest
        .settings_schema
        .as_ref()
        .and_then(|schema| schema.get("properties"))
        .and_then(Value::as_object)
        .map(|properties| properties.keys().map(String::as_str).collect())
        .unwrap_or_default()
}

fn egress(manifest: &Manifest) -> Checked {
    let settings = setting_keys(manifest);
    for rule in &manifest.egress {
        if let Some(name) = rule.override_headers.iter().find(|name| !is_override(name)) {
            return broken(
                "override_header_unknown",
                format!(
                    "`{name}` does not override the method, path or host of a request; it needs no entry"
                ),
            );
        }
        let Some(key) = template::whole_setting(&rule.host) else {
            continue;
        };
        if !settings.contains(key.as_str()) {
            return broken(
                "setting_unknown",
                format!("`{}`: settings_schema has no property `{key}`", rule.host),
            );
        }
        // The setting's URL provides all three; a second value for one of them would be ignored silently.
        if rule.port.is_some() || !rule.path_prefixes.is_empty() {
            return broken(
                "egress_setting_with_parts",
                format!("`{}` already gives port and path prefix", rule.host),
            );
        }
    }
    Ok(())
}

fn credentials(manifest: &Manifest) -> Checked {
    unique(
        "duplicate_credential",
        "credential",
        manifest.credential_fields.iter().map(|f| f.key.as_str()),
    )?;
    let settings = setting_keys(manifest);
    let own = format!("{}_", manifest.key.to_ascii_uppercase().replace('-', "_"));
    for field in &manifest.credential_fields {
        // Danger: the CLI reads these variables without being asked for them by name, so they must not hold
        // other programs' secrets.
        let foreign = |alias: &&String| {
            !alias.starts_with(&own) || RESERVED_VARIABLES.iter().any(|p| alias.starts_with(p))
        };
        if let Some(alias) = field.environment_aliases.iter().find(foreign) {
            return broken(
                "environment_alias_foreign",
                format!(
                    "`{}` may not be read from `{alias}`: a connector's variables begin with `{own}`",
                    field.key
                ),
            );
        }
        if let Some(unless) = &field.required_unless
            && (field.required || !settings.contains(unless.setting.as_str()))
        {
            return broken(
                "required_unless_invalid",
                format!(
                    "`{}`: only a field that is not required depends on a setting, and settings_schema must have it",
                    field.key
                ),
            );
        }
        let Some(pattern) = &field.pattern else {
            continue;
        };
        if let Err(error) = Schema::compile(&serde_json::json!({ "pattern": pattern })) {
            return broken(
                "credential_pattern_invalid",
                format!("the pattern of `{}`: {error}", field.key),
            );
        }
    }
    Ok(())
}

fn schemes(manifest: &Manifest) -> Checked {
    unique(
        "duplicate_scheme",
        "scheme",
        manifest
            .auth
            .schemes
            .iter()
            .filter_map(CredentialScheme::id),
    )?;
    for scheme in &manifest.auth.schemes {
        for host in scheme.hosts() {
            if !manifest.egress.iter().any(|rule| rule.host == *host) {
                return broken(
                    "scheme_host_not_in_egress",
                    format!("the host `{host}` of a credential scheme is not in egress"),
                );
            }
            let in_clear_text = template::whole_setting(host).is_none()
                && manifest
                    .egress
                    .iter()
                    .all(|rule| rule.host != *host || rule.scheme != UrlScheme::Https);
            if in_clear_text {
                return broken(
                    "scheme_host_needs_https",
                    format!("the host `{host}` of a credential scheme has no https rule in egress"),
                );
            }
        }
        let has_token = matches!(scheme, CredentialScheme::Oauth2ClientCredentials(_));
        for injection in scheme.inject() {
            if injection.place == InjectionPlace::Header
                && (is_reserved(&injection.name) || is_unlisted_override(manifest, &injection.name))
            {
                return broken(
                    "injected_header_forbidden",
                    format!("the header `{}` may not be injected", injection.name),
                );
            }
            template_of(manifest, &injection.value, has_token)?;
        }
        if let Some(id) = scheme.id()
            && !scheme.inject().iter().any(holds_credential)
        {
            return broken(
                "scheme_without_credential",
                format!("the scheme `{id}` injects no credential into a request"),
            );
        }
        if let CredentialScheme::Oauth2ClientCredentials(oauth) = scheme {
            template_of(manifest, &oauth.token_request.url, false)?;
            if !verification::within_egress(manifest, &oauth.token_request.url, "POST") {
                return broken(
                    "token_url_not_in_egress",
                    format!("egress does not allow `{}`", oauth.token_request.url),
                );
            }
            if oauth.token_request.url.starts_with("http://") {
                return broken(
                    "token_url_needs_https",
                    format!(
                        "`{}` would receive the secret in clear text",
                        oauth.token_request.url
                    ),
                );
            }
        }
    }
    Ok(())
}

fn holds_credential(injection: &Injection) -> bool {
    let pieces = template::parse(&injection.value).unwrap_or_default();
    let puts_in = |piece: &Piece| !matches!(piece, Piece::Literal(_) | Piece::Setting(_));
    pieces.iter().any(puts_in)
}

fn template_of(manifest: &Manifest, text: &str, has_token: bool) -> Checked {
    let pieces = template::parse(text)
        .map_err(|error| ManifestError::new("template_invalid", format!("`{text}`: {error}")))?;
    let known = |key: &str| {
        manifest
            .credential_fields
            .iter()
            .any(|field| field.key == key)
    };
    let settings = setting_keys(manifest);
    for piece in pieces {
        match piece {
            Piece::Literal(_) => {}
            Piece::Token if has_token => {}
            Piece::Token => {
                return broken(
                    "template_token_without_request",
                    format!("`{text}`: the scheme has no token request"),
                );
            }
            Piece::Setting(key) if settings.contains(key.as_str()) => {}
            Piece::Setting(key) => {
                return broken(
                    "template_setting_unknown",
                    format!("`{text}`: settings_schema has no property `{key}`"),
                );
            }
            Piece::Credential(key) => {
                if !known(&key) {
                    return broken(
                        "template_credential_unknown",
                        format!("`{text}`: there is no credential field `{key}`"),
                    );
                }
            }
            Piece::Basic { user, password } => {
                if let Some(key) = [user, password].into_iter().find(|key| !known(key)) {
                    return broken(
                        "template_credential_unknown",
                        format!("`{text}`: there is no credential field `{key}`"),
                    );
                }
            }
        }
    }
    Ok(())
}

fn imports(manifest: &Manifest) -> Checked {
    match &manifest.component {
        Some(component) if !component.host_imports.is_sorted() => broken(
            "imports_not_sorted",
            "component.host_imports is not sorted".to_owned(),
        ),
        _ => Ok(()),
    }
}
