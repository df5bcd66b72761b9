//! Texts by their letters, for comparing names.

pub use gtm_site_research::words::letters;
