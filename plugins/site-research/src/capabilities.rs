//! Names of the capabilities that research asks for.

/// Name of the capability that reads web pages.
pub const WEB_FETCH: &str = "web.fetch";
/// Name of the capability that searches the web.
pub const WEB_SEARCH: &str = "web.search";
/// Name of the capability that searches news.
pub const NEWS_SEARCH: &str = "news.search";
/// Name of the capability that tells facts of a company.
pub const COMPANY_ENRICH: &str = "company.enrich";
/// Name of the capability that lets a language model write.
pub const MODEL_COMPLETE: &str = "model.complete";
