//! A trait and a macro for each world.

#[cfg(any(
    feature = "connector",
    feature = "generation-backend",
    feature = "document-renderer",
    feature = "evaluator"
))]
use crate::{Failure, Value};

/// Serves capabilities by talking to one provider (world `connector`).
#[cfg(feature = "connector")]
pub trait Connector {
    /// Performs one of the manifest's operations. The host has checked `input` against the
    /// operation's schema and will check the output.
    fn invoke(operation: &str, input: Value) -> Result<Value, Failure>;
}

/// Generates the result of a product capability (world `generation-backend`).
#[cfg(feature = "generation-backend")]
pub trait GenerationBackend {
    /// Performs the task (`playbooks`, …). The result must depend only on the input and the host's answers:
    /// no random numbers, no iteration over a `HashMap`.
    fn generate(task: &str, input: Value) -> Result<Value, Failure>;
}

/// Turns a document model into files (world `document-renderer`).
#[cfg(feature = "document-renderer")]
pub trait DocumentRenderer {
    /// Renders the document; the answer lists pages and diagnostics.
    fn render(document: Value) -> Result<Value, Failure>;
}

/// Maps JSON to JSON (world `evaluator`).
#[cfg(feature = "evaluator")]
pub trait Evaluator {
    /// Computes the result. This world has no imports, so do not log here.
    fn evaluate(input: Value) -> Result<Value, Failure>;
}

/// Makes a type the connector of this component.
#[cfg(feature = "connector")]
#[macro_export]
macro_rules! connector {
    ($plugin:ty) => {
        $crate::__export!(connector, $plugin, Connector, invoke(operation: String, input: String),
            |operation, input| <$plugin as $crate::Connector>::invoke(&operation, input));
    };
}

/// Makes a type the generation backend of this component.
#[cfg(feature = "generation-backend")]
#[macro_export]
macro_rules! generation_backend {
    ($plugin:ty) => {
        $crate::__export!(generation_backend, $plugin, GenerationBackend, generate(task: String, input: String),
            |task, input| <$plugin as $crate::GenerationBackend>::generate(&task, input));
    };
}

/// Makes a type the document renderer of this component.
#[cfg(feature = "document-renderer")]
#[macro_export]
macro_rules! document_renderer {
    ($plugin:ty) => {
        $crate::__export!(document_renderer, $plugin, DocumentRenderer, render(document: String),
            |document| <$plugin as $crate::DocumentRenderer>::render(document));
    };
}

/// Makes a type the evaluator of this component.
#[cfg(feature = "evaluator")]
#[macro_export]
macro_rules! evaluator {
    ($plugin:ty) => {
        $crate::__export!(evaluator, $plugin, Evaluator, evaluate(input: String),
            |input| <$plugin as $crate::Evaluator>::evaluate(input));
    };
}

/// What the four macros share. The last argument of the exported function is the JSON.
#[cfg(target_arch = "wasm32")]
#[doc(hidden)]
#[macro_export]
macro_rules! __export {
    ($world:ident, $plugin:ty, $trait:ident, $export:ident($first:ident: String), |$json:ident| $call:expr) => {
        const _: () = {
            struct Component;
            impl $crate::bindings::$world::Guest for Component {
                fn $export($first: String) -> Result<String, $crate::glue::WitFailure> {
                    $crate::glue::$world(|| {
                        let $json = $crate::glue::input(&$first)?;
                        $call
                    })
                }
            }
    $crate::bindings::$world::export!(Component with_types_in $crate::bindings::$world);
        };
    };
    ($world:ident, $plugin:ty, $trait:ident, $export:ident($first:ident: String, $second:ident: String), |$name:ident, $json:ident| $call:expr) => {
        const _: () = {
            struct Component;
            impl $crate::bindings::$world::Guest for Component {
                fn $export(
                    $first: String,
                    $second: String,
                ) -> Result<String, $crate::glue::WitFailure> {
                    $crate::glue::$world(|| {
                        let $name = $first;
                        let $json = $crate::glue::input(&$second)?;
                        $call
                    })
                }
            }
    $crate::bindings::$world::export!(Component with_types_in $crate::bindings::$world);
        };
    };
}

/// A native build exports nothing; it only checks that the trait is implemented.
#[cfg(not(target_arch = "wasm32"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __export {
    ($world:ident, $plugin:ty, $trait:ident, $export:ident($($arguments:tt)*), $call:expr) => {
        const _: fn() = || {
            fn implements<T: $crate::$trait>() {}
            implements::<$plugin>();
        };
    };
}

/// What the macros expand to calls to.
#[doc(hidden)]
pub mod glue {
    #[cfg(target_arch = "wasm32")]
    pub use wasm::*;

    #[cfg(target_arch = "wasm32")]
    mod wasm {
        use crate::{Failure, Value};

        pub use crate::bindings::host::gtm::plugin::types::Failure as WitFailure;

        pub fn input(json: &str) -> Result<Value, Failure> {
            serde_json::from_str(json).map_err(|error| {
                Failure::invalid_input(
                    "invalid_input",
                    format!(
                        "The input is not JSON (line {}, column {}).",
                        error.line(),
                        error.column()
                    ),
                )
            })
        }

        fn run(plugin: impl FnOnce() -> Result<Value, Failure>) -> Result<String, WitFailure> {
            match plugin() {
                Ok(output) => Ok(output.to_string()),
                Err(failure) => Err(failure.into()),
            }
        }

        /// A panic traps, and a trap carries no message, so the message goes to the operator's log.
        #[cfg(any(
            feature = "connector",
            feature = "generation-backend",
            feature = "document-renderer"
        ))]
        fn run_logged(
            plugin: impl FnOnce() -> Result<Value, Failure>,
        ) -> Result<String, WitFailure> {
            std::panic::set_hook(Box::new(|panic| crate::log::error(panic.to_string())));
            run(plugin)
        }

        #[cfg(feature = "connector")]
        pub fn connector(
            plugin: impl FnOnce() -> Result<Value, Failure>,
        ) -> Result<String, WitFailure> {
            run_logged(plugin)
        }

        #[cfg(feature = "generation-backend")]
        pub fn generation_backend(
            plugin: impl FnOnce() -> Result<Value, Failure>,
        ) -> Result<String, WitFailure> {
            run_logged(plugin)
        }

        #[cfg(feature = "document-renderer")]
        pub fn document_renderer(
            plugin: impl FnOnce() -> Result<Value, Failure>,
        ) -> Result<String, WitFailure> {
            run_logged(plugin)
        }

        #[cfg(feature = "evaluator")]
        pub fn evaluator(
            plugin: impl FnOnce() -> Result<Value, Failure>,
        ) -> Result<String, WitFailure> {
            run(plugin)
        }
    }
}
