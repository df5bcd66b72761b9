//! Bindings that wasmtime generates from `wit/plugin.wit`: the interfaces once, and one module per world
//! that reuses them.
#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::expect_used
)]

/// The interfaces that worlds import.
pub mod interfaces {
    wasmtime::component::bindgen!({
        path: "../../wit",
        inline: "
            package gtm:host;
            world interfaces {
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
        world: "gtm:host/interfaces",
        imports: {
            "gtm:plugin/http.send": async | trappable,
            "gtm:plugin/http.send-all": async | trappable,
            "gtm:plugin/http.open": async | trappable,
            "gtm:plugin/http.[method]body.read": async | trappable,
            "gtm:plugin/capabilities.invoke": async | trappable,
            "gtm:plugin/progress.stage": async | trappable,
            "gtm:plugin/progress.report": async | trappable,
            "gtm:plugin/artifacts": trappable,
            "gtm:plugin/http": trappable,
            default: trappable,
        },
        with: {
            "gtm:plugin/http.body": crate::guest::connector::BodyStream,
            "gtm:plugin/artifacts.writer": crate::guest::drafts::ArtifactWriter,
        },
        require_store_data_send: true,
    });
    pub use self::gtm::plugin::*;
}

/// World `connector`.
pub mod connector {
    wasmtime::component::bindgen!({
        path: "../../wit",
        world: "gtm:plugin/connector",
        exports: { default: async },
        with: { "gtm:plugin": super::interfaces },
        require_store_data_send: true,
    });
}

/// World `generation-backend`.
pub mod generation_backend {
    wasmtime::component::bindgen!({
        path: "../../wit",
        world: "gtm:plugin/generation-backend",
        exports: { default: async },
        with: { "gtm:plugin": super::interfaces },
        require_store_data_send: true,
    });
}

/// World `document-renderer`.
pub mod document_renderer {
    wasmtime::component::bindgen!({
        path: "../../wit",
        world: "gtm:plugin/document-renderer",
        exports: { default: async },
        with: { "gtm:plugin": super::interfaces },
        require_store_data_send: true,
    });
}

/// World `evaluator`.
pub mod evaluator {
    wasmtime::component::bindgen!({
        path: "../../wit",
        world: "gtm:plugin/evaluator",
        exports: { default: async },
        with: { "gtm:plugin": super::interfaces },
        require_store_data_send: true,
    });
}
