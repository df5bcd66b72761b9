//! The order of the layers, and what each may and must not use.

/// What a layer may and must not depend on.
pub struct Layer {
    pub name: &'static str,
    /// Workspace members that it may use.
    pub below: &'static [&'static str],
    /// Packages that it must not depend on directly.
    pub never_direct: &'static [&'static str],
    /// Packages that it must not reach even through its dependencies.
    pub never: &'static [&'static str],
}

/// Packages that wait, or that reach a file, a database or the network.
const EFFECTS: &[&str] = &[
    "tokio", "sqlx", "reqwest", "hyper", "axum", "wasmtime", "rusqlite",
];

/// The host, the document model and the libraries with which the host reads evidence, from bottom to top.
pub const LAYERS: &[Layer] = &[
    // Guests link these four, so they must not depend on the host, not even on its types.
    Layer {
        name: "gtm-language-tag",
        below: &[],
        never_direct: &[],
        never: EFFECTS,
    },
    // Build scripts link it.
    Layer {
        name: "gtm-fixed-texts-build",
        below: &["gtm-language-tag"],
        never_direct: &[],
        never: EFFECTS,
    },
    Layer {
        name: "gtm-fixed-texts",
        below: &["gtm-fixed-texts-build", "gtm-language-tag"],
        never_direct: &[],
        never: EFFECTS,
    },
    Layer {
        name: "gtm-document-model",
        below: &["gtm-language-tag"],
        never_direct: &[],
        never: EFFECTS,
    },
    // Renderers link it, so it must not depend on the host.
    Layer {
        name: "gtm-ooxml",
        below: &[
            "gtm-document-model",
            "gtm-fixed-texts",
            "gtm-fixed-texts-build",
            "gtm-language-tag",
        ],
        never_direct: &[],
        never: EFFECTS,
    },
    // Documents to look at and to check; only xtask depends on it.
    Layer {
        name: "gtm-document-gallery",
        below: &["gtm-document-model"],
        never_direct: &[],
        never: EFFECTS,
    },
    // The renderer of PDF links it.
    Layer {
        name: "gtm-typeset-input",
        below: &["gtm-document-model", "gtm-language-tag", "gtm-ooxml"],
        never_direct: &[],
        never: EFFECTS,
    },
    Layer {
        name: "gtm-domain",
        below: &[
            "gtm-document-model",
            "gtm-fixed-texts",
            "gtm-fixed-texts-build",
            "gtm-language-tag",
        ],
        never_direct: &[],
        never: EFFECTS,
    },
    Layer {
        name: "gtm-store",
        below: &["gtm-domain"],
        never_direct: &[],
        never: &["wasmtime", "reqwest", "axum"],
    },
    Layer {
        name: "gtm-runtime",
        below: &["gtm-domain"],
        never_direct: &[],
        never: &["sqlx", "axum"],
    },
    // Guests link these four, so they must not depend on the host, not even on its types.
    Layer {
        name: "gtm-lexicon",
        below: &["gtm-language-tag"],
        never_direct: &[],
        never: EFFECTS,
    },
    Layer {
        name: "gtm-page-text",
        below: &["gtm-language-tag", "gtm-lexicon"],
        never_direct: &[],
        never: EFFECTS,
    },
    Layer {
        name: "gtm-file-text",
        below: &["gtm-page-text"],
        never_direct: &[],
        never: EFFECTS,
    },
    Layer {
        name: "gtm-site-signals",
        below: &["gtm-lexicon", "gtm-page-text"],
        never_direct: &[],
        never: EFFECTS,
    },
    Layer {
        name: "gtm-evidence-check",
        below: &[
            "gtm-document-model",
            "gtm-domain",
            "gtm-file-text",
            "gtm-lexicon",
            "gtm-page-text",
            "gtm-site-signals",
        ],
        never_direct: &[],
        never: EFFECTS,
    },
    Layer {
        name: "gtm-engine",
        below: &[
            "gtm-document-model",
            "gtm-domain",
            "gtm-store",
            "gtm-runtime",
            "gtm-lexicon",
            "gtm-page-text",
            "gtm-evidence-check",
        ],
        never_direct: &["wasmtime", "sqlx", "reqwest", "axum"],
        never: &["axum"],
    },
    Layer {
        name: "gtm-api",
        below: &[
            "gtm-document-model",
            "gtm-domain",
            "gtm-store",
            "gtm-engine",
        ],
        never_direct: &["wasmtime", "sqlx", "reqwest"],
        never: &[],
    },
    Layer {
        name: "gtm",
        below: &[
            "gtm-domain",
            // To check templates with the code that renders with them.
            "gtm-ooxml",
            "gtm-store",
            "gtm-runtime",
            "gtm-engine",
            "gtm-api",
        ],
        never_direct: &["wasmtime", "sqlx"],
        never: &[],
    },
];
