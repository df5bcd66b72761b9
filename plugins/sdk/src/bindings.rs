//! What `wit-bindgen` generates from `wit/plugin.wit`: the only place with `unsafe` code.
//!
//! All imports are generated once, for a world of our own that exports nothing, so that every world's
//! plug-ins share one set of types. The component encoder drops imports that the code does not call.
//! Exports are generated for each world, and a component includes only those of the world whose macro it
//! uses.

/// Everything that any world may import.
pub mod host {
    wit_bindgen::generate!({
        inline: "
            package gtm:sdk;
            world host {
                import gtm:plugin/types@0.1.0;
                import gtm:plugin/log@0.1.0;
                import gtm:plugin/context@0.1.0;
                import gtm:plugin/deadline@0.1.0;
                import gtm:plugin/http@0.1.0;
                import gtm:plugin/capabilities@0.1.0;
                import gtm:plugin/progress@0.1.0;
                import gtm:plugin/assets@0.1.0;
                import gtm:plugin/artifacts@0.1.0;
            }
        ",
        path: "../../wit",
        generate_all,
    });
}

/// The exports of the world `connector`.
#[cfg(feature = "connector")]
pub mod connector {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "connector",
        pub_export_macro: true,
        with: {
            "gtm:plugin/types@0.1.0": crate::bindings::host::gtm::plugin::types,
            "gtm:plugin/log@0.1.0": crate::bindings::host::gtm::plugin::log,
            "gtm:plugin/context@0.1.0": crate::bindings::host::gtm::plugin::context,
            "gtm:plugin/deadline@0.1.0": crate::bindings::host::gtm::plugin::deadline,
            "gtm:plugin/http@0.1.0": crate::bindings::host::gtm::plugin::http,
        },
    });
}

/// The exports of the world `generation-backend`.
#[cfg(feature = "generation-backend")]
pub mod generation_backend {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "generation-backend",
        pub_export_macro: true,
        with: {
            "gtm:plugin/types@0.1.0": crate::bindings::host::gtm::plugin::types,
            "gtm:plugin/log@0.1.0": crate::bindings::host::gtm::plugin::log,
            "gtm:plugin/context@0.1.0": crate::bindings::host::gtm::plugin::context,
            "gtm:plugin/capabilities@0.1.0": crate::bindings::host::gtm::plugin::capabilities,
            "gtm:plugin/progress@0.1.0": crate::bindings::host::gtm::plugin::progress,
        },
    });
}

/// The exports of the world `document-renderer`.
#[cfg(feature = "document-renderer")]
pub mod document_renderer {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "document-renderer",
        pub_export_macro: true,
        with: {
            "gtm:plugin/types@0.1.0": crate::bindings::host::gtm::plugin::types,
            "gtm:plugin/log@0.1.0": crate::bindings::host::gtm::plugin::log,
            "gtm:plugin/context@0.1.0": crate::bindings::host::gtm::plugin::context,
            "gtm:plugin/assets@0.1.0": crate::bindings::host::gtm::plugin::assets,
            "gtm:plugin/artifacts@0.1.0": crate::bindings::host::gtm::plugin::artifacts,
        },
    });
}

/// The exports of the world `evaluator`.
#[cfg(feature = "evaluator")]
pub mod evaluator {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "evaluator",
        pub_export_macro: true,
        with: {
            "gtm:plugin/types@0.1.0": crate::bindings::host::gtm::plugin::types,
        },
    });
}
