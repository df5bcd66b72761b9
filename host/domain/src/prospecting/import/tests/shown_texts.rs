//! Texts that a message may show.

use serde_json::json;

use super::{fault_at, file, sam, terms};
use crate::prospecting::import::read_json;

#[test]
fn what_a_message_may_show_has_no_address_of_a_page() {
    for pointer in [
        "/person/first_name",
        "/person/full_name",
        "/person/role",
        "/company/name",
        "/company/industry",
        "/company/location",
        "/evidence/2/source_label",
        "/evidence/2/hook",
    ] {
        let fault = fault_at(pointer, json!("See acme-estates.example/news"));
        assert_eq!(
            fault,
            format!(
                "/candidates/0{pointer} must not contain the address of a page, of which mail programs make a link; \
                 write what the page is called"
            )
        );
    }
    for pointer in ["/person/first_name", "/company/name", "/evidence/2/hook"] {
        let fault = fault_at(pointer, json!("Welcome {{first_name}}."));
        assert_eq!(
            fault,
            format!(
                "/candidates/0{pointer} must not contain a placeholder in braces, which nobody filled; write out what \
                 it stands for"
            )
        );
    }
    let mut named = sam();
    named["company"]["name"] = json!("Booking.com");
    named["evidence"][1]["source_label"] = json!("acme-estates.example/legal");
    assert!(read_json(&file(&named), &terms()).is_ok());
}

#[test]
fn an_address_that_looks_like_another_is_refused() {
    for (pointer, text) in [
        ("/address", "sam@acme-est\u{430}tes.example"),
        ("/address", "sam@xn--cme-5cd.example"),
        ("/address", "sam@\u{430}\u{441}\u{435}.example"),
        ("/company/domain", "acme-est\u{430}tes.example"),
        ("/company/domain", "xn--cme-5cd.example"),
    ] {
        let fault = fault_at(pointer, json!(text));
        let wanted = format!(
            "/candidates/0{pointer} has letters of another script that look like Latin ones; \
             write it in the letters of one script"
        );
        assert_eq!(fault, wanted, "{text}");
    }
    for (pointer, text) in [
        ("address", "sam@m\u{fc}ller.example"),
        ("address", "sam@xn--mller-kva.example"),
    ] {
        let mut other = sam();
        other[pointer] = json!(text);
        assert!(read_json(&file(&other), &terms()).is_ok(), "{text}");
    }
}
