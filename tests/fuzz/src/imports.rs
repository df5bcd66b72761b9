//! The imports of a component, which are read before anything validates it, compared with what a validator
//! finds.

use gtm_runtime::PluginKind;
use gtm_runtime::catalog::imports::{check, imports_of, interfaces_of};
use wasmparser::{Encoding, Parser, Payload, Validator, WasmFeatures};

pub const TARGET: crate::Target = crate::Target {
    name: "imports",
    run,
    dictionary: &[
        b"\0asm",
        b"\x0d\0\x01\0",
        b"\x01\0\0\0",
        b"gtm:plugin/http@0.1.0",
        b"gtm:plugin/types@0.1.0",
        b"wasi:cli/environment@0.2.6",
        b"\x0a",
        b"\x07",
        b"\x04",
        b"\x05",
        b"\xff\xff\xff\xff\x0f",
    ],
};

fn run(input: &[u8]) -> String {
    let names = match imports_of(input) {
        Ok(names) => names,
        Err(reason) => {
            let valid = Validator::new_with_features(WasmFeatures::all())
                .validate_all(input)
                .is_ok();
            assert!(
                !valid || !is_component(input),
                "a valid component is refused: {reason}"
            );
            let word = if valid { "a module" } else { "invalid" };
            return word.to_owned();
        }
    };
    assert!(names.is_sorted(), "{names:?}");
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    for name in &names {
        assert!(
            input
                .windows(name.len().max(1))
                .any(|piece| piece == name.as_bytes())
                || name.is_empty(),
            "{name:?} does not stand in the component"
        );
    }
    for kind in [
        PluginKind::Connector,
        PluginKind::GenerationBackend,
        PluginKind::DocumentRenderer,
        PluginKind::Evaluator,
    ] {
        // Whatever a manifest declares, only imports that the world offers may pass.
        let allowed = names
            .iter()
            .all(|name| interfaces_of(kind).contains(&name.as_str()));
        assert_eq!(check(kind, &names, &names).is_ok(), allowed, "{names:?}");
    }
    format!("{} imports", names.len().min(8))
}

fn is_component(input: &[u8]) -> bool {
    matches!(
        Parser::new(0).parse_all(input).next(),
        Some(Ok(Payload::Version {
            encoding: Encoding::Component,
            ..
        }))
    )
}
