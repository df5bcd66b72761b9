//! The address of a source as a document prints it.

use gtm_document_model::bounds::LINK;
use gtm_domain::receipt::Receipt;
use url::Url;

/// The address that a document may list of an answer. DANGER: whoever gets the document can open what it prints, and the query
/// of a shared link is often all that guards a file of the seller's. So of an address that the caller gave, neither user
/// information nor query nor fragment is printed.
pub(super) fn printed_address(receipt: &Receipt, given: &[String]) -> Option<String> {
    let url = &receipt.final_url;
    let lower = url.get(..8).unwrap_or(url).to_ascii_lowercase();
    let is_web = lower.starts_with("https://") || lower.starts_with("http://");
    let printed = match is_given(&receipt.url, given) || is_given(url, given) {
        true => bare(url)?,
        false => url.clone(),
    };
    (is_web && printed.is_ascii() && printed.len() <= LINK).then_some(printed)
}

/// Whether the caller gave this address, whatever its query is.
fn is_given(url: &str, given: &[String]) -> bool {
    let asked = bare(url);
    asked.is_some() && given.iter().any(|given| bare(given) == asked)
}

/// The address without user information, query and fragment; `None` if it is none.
fn bare(url: &str) -> Option<String> {
    let mut url = Url::parse(url).ok()?;
    url.set_username("").ok()?;
    url.set_password(None).ok()?;
    url.set_query(None);
    url.set_fragment(None);
    Some(url.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::origin::tests::receipt;

    #[test]
    fn an_address_that_the_caller_gave_is_printed_without_its_secrets() {
        let given = ["https://files.example/r.html?sig=secret&token=1#part".to_owned()];
        for (asked, led_to, printed) in [
            (
                "https://files.example/r.html?sig=secret&token=1",
                "https://files.example/r.html?sig=secret&token=1",
                "https://files.example/r.html",
            ),
            (
                "https://files.example/r.html?sig=secret&token=1",
                "https://ada:pw@store.example:8443/r?key=secret",
                "https://store.example:8443/r",
            ),
            (
                "https://acme.example/?page=1",
                "https://acme.example/?page=2",
                "https://acme.example/?page=2",
            ),
        ] {
            let mut answer = receipt(1, led_to, b"text");
            answer.url = asked.to_owned();
            assert_eq!(printed_address(&answer, &given).as_deref(), Some(printed));
        }
    }

    #[test]
    fn what_is_no_address_of_a_page_is_not_printed() {
        for led_to in [
            "ftp://acme.example/a",
            "https://acme.example/\u{fc}",
            "acme",
        ] {
            let mut answer = receipt(1, "https://acme.example/", b"text");
            answer.final_url = led_to.to_owned();
            assert_eq!(printed_address(&answer, &[]), None, "{led_to}");
        }
    }
}
