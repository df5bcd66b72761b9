//! What the bytes of a page and its stylesheets show of the company's looks.

use gtm_sdk::Value;
use gtm_sdk::json::json;
use gtm_site_signals::css::Sheet;
use gtm_site_signals::markup::Markup;

/// A stylesheet that was read.
pub(crate) struct ReadSheet {
    /// Its address; `None` for the styles inside the page.
    pub(crate) url: Option<String>,
    /// The host's receipt for it; `None` for the styles inside the page.
    pub(crate) receipt_id: Option<String>,
    pub(crate) sheet: Sheet,
}

/// The signals of one page.
pub(crate) struct Signals {
    pub(crate) markup: Markup,
    /// The page's own styles first.
    pub(crate) sheets: Vec<ReadSheet>,
    /// Addresses of stylesheets that robots.txt forbids.
    pub(crate) forbidden_sheets: Vec<String>,
}

impl Signals {
    /// What the page itself shows; the caller adds linked sheets once it has fetched them.
    pub(crate) fn of(mut markup: Markup) -> Self {
        // The sheet says all that matters of it, in far fewer bytes.
        let css = std::mem::take(&mut markup.inline_css);
        let inline = ReadSheet {
            url: None,
            receipt_id: None,
            sheet: Sheet::read(&css),
        };
        Self {
            markup,
            sheets: vec![inline],
            forbidden_sheets: Vec::new(),
        }
    }

    /// The contract's `signals`.
    pub(crate) fn output(&self) -> Value {
        let sheets: Vec<Value> = self
            .sheets
            .iter()
            .map(
                |read| json!({"url": read.url, "receipt_id": read.receipt_id, "sheet": read.sheet}),
            )
            .collect();
        let mut output = json!({"markup": self.markup, "sheets": sheets});
        if !self.forbidden_sheets.is_empty() {
            output["forbidden_sheets"] = json!(self.forbidden_sheets);
        }
        output
    }
}
