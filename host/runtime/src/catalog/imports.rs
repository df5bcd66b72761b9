//! What a component imports, read from its bytes before anything compiles them.

use wasmparser::{ComponentTypeRef, Encoding, Parser, Payload, TypeBounds};

use crate::manifest::PluginKind;

/// The interfaces that each world provides. The linkers of [`crate::sandbox`] offer exactly these.
///
/// The compatibility tier for ordinary toolchains (WASI p2 with nothing behind it) will become a second
/// list here and a second linker there; until then, a package that imports WASI is refused.
#[must_use]
pub const fn interfaces_of(kind: PluginKind) -> &'static [&'static str] {
    match kind {
        PluginKind::Connector => &[
            "gtm:plugin/context@0.1.0",
            "gtm:plugin/deadline@0.1.0",
            "gtm:plugin/http@0.1.0",
            "gtm:plugin/log@0.1.0",
            "gtm:plugin/types@0.1.0",
        ],
        PluginKind::GenerationBackend => &[
            "gtm:plugin/capabilities@0.1.0",
            "gtm:plugin/context@0.1.0",
            "gtm:plugin/log@0.1.0",
            "gtm:plugin/progress@0.1.0",
            "gtm:plugin/types@0.1.0",
        ],
        PluginKind::DocumentRenderer => &[
            "gtm:plugin/artifacts@0.1.0",
            "gtm:plugin/assets@0.1.0",
            "gtm:plugin/context@0.1.0",
            "gtm:plugin/log@0.1.0",
            "gtm:plugin/types@0.1.0",
        ],
        PluginKind::Evaluator => &["gtm:plugin/types@0.1.0"],
    }
}

/// Sorted names of a component's imports.
///
/// # Errors
/// If the bytes are not a component.
pub fn imports_of(bytes: &[u8]) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    let mut nesting = 0_usize;
    let mut seen_component = false;
    for payload in Parser::new(0).parse_all(bytes) {
        match payload.map_err(|error| error.to_string())? {
            Payload::Version {
                encoding: Encoding::Component,
                ..
            } if nesting == 0 => seen_component = true,
            Payload::Version { .. } if nesting == 0 => {
                return Err("a core module, not a component".to_owned());
            }
            // Imports of nested modules and components are satisfied by the component itself.
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => nesting += 1,
            Payload::End(_) => nesting = nesting.saturating_sub(1),
            Payload::ComponentImportSection(section) if nesting == 0 => {
                for import in section {
                    let import = import.map_err(|error| error.to_string())?;
                    // A type that the world uses from an interface (`json`, `failure`) cannot be called,
                    // and manifests do not list it.
                    if !matches!(import.ty, ComponentTypeRef::Type(TypeBounds::Eq(_))) {
                        // A version may be split in two: `@1` and the suffix `.2.3`.
                        let suffix = import.name.version_suffix.unwrap_or_default();
                        names.push(format!("{}{suffix}", import.name.name));
                    }
                }
            }
            _ => {}
        }
    }
    if !seen_component {
        return Err("not a component".to_owned());
    }
    names.sort();
    names.dedup();
    Ok(names)
}

/// Checks that a component's imports are exactly those that its manifest declares, and that its world
/// provides them all.
///
/// # Errors
/// `import_not_in_world` or `imports_differ`, with the reason.
pub fn check(
    kind: PluginKind,
    declared: &[String],
    real: &[String],
) -> Result<(), (&'static str, String)> {
    let given = interfaces_of(kind);
    if let Some(name) = real.iter().find(|name| !given.contains(&name.as_str())) {
        return Err((
            "import_not_in_world",
            format!("the component imports `{name}`, which the world of a {kind} does not provide"),
        ));
    }
    if let Some(name) = real.iter().find(|name| !declared.contains(name)) {
        return Err((
            "imports_differ",
            format!("the component imports `{name}`, which the manifest does not declare"),
        ));
    }
    if let Some(name) = declared.iter().find(|name| !real.contains(name)) {
        return Err((
            "imports_differ",
            format!("the manifest declares `{name}`, which the component does not import"),
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn bytes_that_are_no_component_are_told_apart() {
        assert_eq!(
            imports_of(b"\0asm\x0d\0\x01\0").unwrap(),
            Vec::<String>::new()
        );
        assert!(
            imports_of(b"\0asm\x01\0\0\0")
                .unwrap_err()
                .contains("core module")
        );
        assert!(imports_of(b"MZ\x90\0 not wasm at all").is_err());
        assert!(imports_of(b"").is_err());
    }

    #[test]
    fn declared_and_real_imports_must_be_the_same_and_within_the_world() {
        let names = |list: &[&str]| list.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
        let log = names(&["gtm:plugin/log@0.1.0"]);
        let http = names(&["gtm:plugin/http@0.1.0", "gtm:plugin/log@0.1.0"]);
        assert!(check(PluginKind::Connector, &http, &http).is_ok());
        assert_eq!(
            check(PluginKind::Connector, &log, &http).unwrap_err().0,
            "imports_differ"
        );
        assert_eq!(
            check(PluginKind::Connector, &http, &log).unwrap_err().0,
            "imports_differ"
        );
        assert_eq!(
            check(PluginKind::GenerationBackend, &http, &http)
                .unwrap_err()
                .0,
            "import_not_in_world"
        );
        assert_eq!(
            check(PluginKind::Evaluator, &log, &log).unwrap_err().0,
            "import_not_in_world"
        );
        let wasi = names(&["wasi:cli/environment@0.2.6"]);
        assert_eq!(
            check(PluginKind::Connector, &wasi, &wasi).unwrap_err().0,
            "import_not_in_world"
        );
    }
}
