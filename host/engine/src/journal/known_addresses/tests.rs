//! Tests of which addresses may be fetched.
#![allow(clippy::unwrap_used)]
use proptest::prelude::*;
use serde_json::json;

use super::*;

fn known() -> KnownAddresses {
    let input = json!({
        "target_company": "Acme",
        "target_company_domain": "acme.example",
        "product_info": "See (https://seller.example/offer?id=7), or call.",
        "brand": {"sources": [{"url": "https://brand.example/a"}]},
    });
    let settings = json!({"start_urls": {"b.example": "http://127.0.0.1:4711/"}});
    KnownAddresses::of_job(&input, &settings)
}

fn allows(known: &KnownAddresses, address: &str) -> bool {
    match known.judge(address) {
        Ok(_) => true,
        Err(failure) => {
            assert_eq!(failure.code, "url_not_allowed");
            false
        }
    }
}

#[test]
fn hosts_come_from_input_settings_and_answers() {
    let mut known = known();
    for told in [
        "https://acme.example/",
        "http://www.acme.example/about?x=1",
        "https://ACME.example./x",
        "https://seller.example/other",
        "https://www.brand.example/",
        "http://127.0.0.1:4711/about",
        "https://b.example/",
    ] {
        assert!(allows(&known, told), "{told}");
    }
    for other in [
        "https://evil.example/",
        "https://data.acme.example/",
        "https://acme.example.evil.example/",
        "https://acme.example@evil.example/",
        "https://evil.example\\@acme.example/",
        "https://evil.example/?u=https://acme.example/",
        "ftp://acme.example/",
        "https://acme.example/ x",
        "acme.example",
        "",
    ] {
        assert!(!allows(&known, other), "{other}");
    }
    let answer = json!({"links": [{"url": "https://news.example/1", "text": "acme.test"}],
        "blocks": [{"text": "Site map: https://shop.example/a, https://x.example/b."}]});
    known.learn(&answer);
    for told in [
        "https://news.example/2",
        "https://acme.test/",
        "https://shop.example/",
        "https://x.example/",
    ] {
        assert!(allows(&known, told), "{told}");
    }
}

#[test]
fn what_is_made_up_is_short() {
    let mut known = known();
    let fits = format!("https://acme.example/?{}", "q".repeat(MAX_MADE_UP - 2));
    assert!(allows(&known, &fits));
    assert!(!allows(&known, &format!("{fits}q")));
    assert!(!allows(
        &known,
        &format!("https://acme.example/{}", "p".repeat(MAX_MADE_UP))
    ));
    assert!(
        allows(&known, &format!("{fits}#{}", "f".repeat(MAX_MADE_UP))),
        "a fragment is not sent"
    );
    // An address from an answer may have any length, and its path may be used with another short query.
    let long = format!("https://cdn.example/{}", "p".repeat(1000));
    known.learn(&json!([format!("{long}?{}", "q".repeat(1000))]));
    assert!(allows(&known, &format!("{long}?{}", "q".repeat(1000))));
    assert!(allows(&known, &format!("{long}?page=2")));
    assert!(!allows(
        &known,
        &format!("{long}?{}", "r".repeat(MAX_MADE_UP))
    ));
    assert!(!allows(&known, &format!("{long}x")));
}

#[test]
fn what_counts_for_nothing_is_not_passed_on() {
    let known = known();
    let offer = "the-offer".repeat(100);
    for (address, passed_on) in [
        (
            format!("https://acme.example/a?b=c#{offer}"),
            "https://acme.example/a?b=c",
        ),
        (
            format!("https://acme.example/{offer}/../"),
            "https://acme.example/",
        ),
        (
            format!("https://acme.example/{offer}/%2e%2E/x"),
            "https://acme.example/x",
        ),
        (
            format!("HTTPS://aCmE.example:{:0>900}443", ""),
            "https://acme.example/",
        ),
    ] {
        assert!(allows(&known, &address), "{address}");
        assert_eq!(
            as_judged(json!({"url": address, "max_bytes": 1})),
            json!({"url": passed_on, "max_bytes": 1})
        );
    }
    for other in [
        json!({}),
        json!({"url": 1}),
        json!({"url": "acme"}),
        json!([]),
    ] {
        assert_eq!(as_judged(other.clone()), other);
    }
}

#[test]
fn what_is_made_up_in_a_job_is_bounded() {
    let mut known = known();
    let call = |n: usize| json!({"url": format!("https://acme.example/{n:0>200}")});
    let fits = MAX_MADE_UP_IN_JOB / 201;
    for n in 0..fits {
        known.admit(&call(n)).unwrap();
    }
    assert_eq!(
        known.admit(&call(fits)).unwrap_err().code,
        "url_not_allowed"
    );
    // Addresses that were told, or requested before, cost nothing.
    known.admit(&call(0)).unwrap();
    known
        .admit(&json!({"url": "https://seller.example/offer?id=7"}))
        .unwrap();
    // A language counts as invented too, once each.
    let left = MAX_MADE_UP_IN_JOB - fits * 201;
    let about = json!({"url": "https://acme.example/", "accept_language": "de, en;q=0.5"});
    known.admit(&about).unwrap();
    known.admit(&about).unwrap();
    assert_eq!(known.made_up, MAX_MADE_UP_IN_JOB - left + 1 + 12);
    let ranges = ["de-x-tanks"; 9].join(",");
    let long = json!({"url": "https://acme.example/", "accept_language": ranges});
    assert_eq!(known.admit(&long).unwrap_err().code, "url_not_allowed");
    let free = json!({"url": "https://acme.example/", "accept_language": "our offer"});
    assert_eq!(
        known.admit(&free).unwrap_err().code,
        "invalid_accept_language"
    );
}

#[test]
fn what_was_begun_before_counts_whatever_it_is() {
    let (mut begun, mut recalled) = (known(), known());
    for n in 0..9 {
        let call = json!({"url": format!("https://acme.example/{n}"), "accept_language": "de"});
        begun.admit(&call).unwrap();
        recalled.recall(&call);
    }
    assert_eq!((begun.made_up, recalled.made_up), (9 * 2 + 2, 9 * 2 + 2));
    recalled.recall(&json!({"url": "https://evil.example/", "accept_language": "a b"}));
    assert_eq!(recalled.made_up, 9 * 2 + 2 + 3);
}

#[test]
fn a_page_does_not_tell_of_its_own_address() {
    let mut known = known();
    known.learn_page(&json!({
        "url": "https://acme.example/go?to=https://evil.example/",
        "final_url": "https://evil.example/",
        "links": [{"url": "https://news.example/1"}],
    }));
    assert!(!allows(&known, "https://evil.example/"));
    assert!(allows(&known, "https://news.example/"));
}

#[test]
fn the_work_is_in_proportion_to_the_text() {
    let address = "http://a.example/";
    assert_eq!(addresses_in(&address.repeat(100)).len(), 1);
    assert_eq!(
        addresses_in(&"http://".repeat(100_000)).len(),
        700_000 / MAX_ADDRESS + 1
    );
    let schemes = format!("{}://", "x".repeat(1 << 20)).repeat(4);
    assert_eq!(addresses_in(&schemes).len(), 0);
    assert_eq!(addresses_in(&format!("view:{address} x")), [address]);
    assert_eq!(
        addresses_in(&format!("é{address}.")),
        [format!("{address}.").as_str(), address]
    );
}

proptest! {
    #[test]
    fn no_text_panics_and_every_address_in_it_is_told(before in ".{0,20}", path in "[a-z0-9/]{0,600}", after in "[ \n\"<].{0,20}") {
        let address = format!("https://told.example/{path}");
        let mut known = KnownAddresses::default();
        known.learn(&json!(format!("{before} {address}{after}")));
        prop_assert!(known.judge(&address).is_ok());
        let _ = known.judge(&before);
    }
    #[test]
    fn a_host_that_nothing_told_is_refused(host in "[a-z]{1,20}\\.(example|test)", rest in "[ -~]{0,40}") {
        prop_assume!(!["acme.example", "seller.example", "brand.example", "b.example"].contains(&host.as_str()));
        let address = format!("https://{host}/{rest}");
        prop_assert!(known().judge(&address).is_err());
    }
}
