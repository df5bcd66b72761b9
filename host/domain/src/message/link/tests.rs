#![allow(clippy::unwrap_used)]
use gtm_test_support::growth;
use proptest::prelude::*;

use super::*;

#[test]
fn numbers_for_hosts_and_ports_are_told() {
    for (text, number, port) in [
        ("https://a.example/x", false, false),
        ("https://a.example:443/x", false, false),
        ("https://a.example:8443/x", false, true),
        ("https://10.0.0.1/x", true, false),
        ("https://0xa000001/x", true, false),
        ("https://[::1]:8443/", true, true),
    ] {
        let address = HttpsAddress::read(text).unwrap();
        let told = (address.has_number_for_host(), address.has_port());
        assert_eq!(told, (number, port), "{text}");
    }
}

#[test]
fn addresses_are_read_or_refused_with_the_reason() {
    use AddressFault as F;
    for (text, want) in [
        ("https://a.example", Ok("https://a.example")),
        ("https://a.example/", Ok("https://a.example/")),
        ("HTTPS://A.Example", Ok("https://a.example/")),
        (
            "https://xn--bcher-kva.example:8443/ü?q=\"<x>\"#t",
            Ok("https://xn--bcher-kva.example:8443/%C3%BC?q=%22%3Cx%3E%22#t"),
        ),
        ("http://a.example", Err(F::NotHttps)),
        ("javascript:alert(1)", Err(F::NotHttps)),
        ("javascript://a.example/%0Aalert(1)", Err(F::NotHttps)),
        ("https:a.example", Err(F::NotHttps)),
        ("//a.example", Err(F::NotHttps)),
        ("https:///a.example", Err(F::Invalid)),
        ("https://", Err(F::Invalid)),
        ("https://a.example:port", Err(F::Invalid)),
        ("https://bank.example@a.example/", Err(F::UserInformation)),
        ("https://@a.example/", Err(F::UserInformation)),
        ("https://bücher.example", Err(F::Host)),
        ("https://b%C3%BCcher.example", Err(F::Host)),
        ("https://a.example\\@b.example", Err(F::Characters)),
        ("https://a.example/a b", Err(F::Characters)),
        ("https://a.example/\u{202e}", Err(F::Characters)),
        ("https://a.example/\r\nBcc:", Err(F::Characters)),
    ] {
        let read = HttpsAddress::read(text);
        assert_eq!(
            read.as_ref().map(HttpsAddress::as_str),
            want.as_ref().map(|it| *it),
            "{text:?}"
        );
    }
    let long = format!("https://a.example/{}", "ü".repeat(400));
    assert_eq!(HttpsAddress::read(&long), Err(F::TooLong));
}

#[test]
fn what_a_reader_takes_for_an_address_is_known() {
    for text in [
        "https://bank.example",
        "HTTP://x",
        "www.bank",
        "bank.example",
        "See (Bank.Example/login).",
        "bank\u{200b}.exa\u{ad}mple",
        "ｂａｎｋ．ｅｘａｍｐｌｅ",
        "bank。example",
        "bücher.example",
        "a@bank.example",
        "192.0.2.1",
        "Booking.com",
        "bank.com-login",
        "bank.com.Then",
        "Visit bank.co.uk.",
        "bank.рф",
        "b\u{fc}cher.рф",
        "a.bank/login",
        "Node.js/login",
        "bank.unlisted:8443",
        "a@bank.unlisted",
        "HTTPS://bank",
        "WWW.bank",
        "t.co",
        "X.com",
        "S.Paypal.Com",
    ] {
        assert!(looks_like_address(text), "{text}");
    }
    for text in [
        "one page",
        "e.g. this",
        "z.B.",
        "U.S.",
        "1.5 kW",
        "v1.2.3",
        "More...",
        "well-known",
        "Dipl.-Ing. Ada Okafor",
        "Dipl.-Inf.",
        "M.Sc.",
        "Ada Okafor, B.Sc., M.Sc",
        "Node.js",
        "and/or",
        "Why? How: so",
        "Done.Then more",
    ] {
        assert!(!looks_like_address(text), "{text}");
    }
}

#[test]
fn a_long_run_of_ends_is_read_in_time() {
    growth::takes_at_most(2, || {
        assert!(looks_like_address(&"a.b-".repeat(50_000)));
        assert!(!looks_like_address(&"a-".repeat(50_000)));
        assert!(!looks_like_address(&".-".repeat(50_000)));
    });
}

#[test]
fn a_label_may_show_the_host_that_it_leads_to() {
    let target = HttpsAddress::read("https://www.acme.example/plan?x=1").unwrap();
    let shows = |label| label_shows_address(label, Some(&target));
    for label in [
        "acme.example",
        "www.Acme.Example",
        "See acme.example.",
        "acme dot example",
        "www [.] acme [.] example",
    ] {
        assert!(!shows(label), "{label}");
        assert!(label_shows_address(label, None), "{label}");
    }
    for label in [
        "The plan",
        "Your first point of contact",
        "Look at the dot in the middle",
        "Rolls\u{b7}Hall",
    ] {
        assert!(!label_shows_address(label, None), "{label}");
    }
    for label in [
        "https://www.acme.example",
        "acme.example/plan",
        "acme.example:443",
        "acme.example?x",
        "sam@acme.example",
        "bank.example@acme.example",
        "bank.example, acme.example",
        "acme.example.bank.example",
        "acme.example-bank.example",
        "bank-acme.example",
        "sam (at) acme.example",
        "sam [at] bank (dot) example",
        "bank dot example",
        "bank Dot com",
        "bank (dot) com",
        "bank [.] com",
        "bank . com",
        "bank\u{b7}com",
        "bank\u{30fb}com",
        "bank punkt de",
        "bank point fr",
        "bank punto com",
        "bank dot c o m",
        "\u{299}\u{1d00}\u{274}\u{1d0b} dot com",
        "Pay at bank dot co dot uk",
        "acme。example.bank.example",
        "\u{430}cme.example",
    ] {
        assert!(shows(label), "{label}");
    }
}

proptest! {
    /// However it is hidden or joined to what stands around it.
    #[test]
    fn a_strange_host_is_seen(before in "([ (,:;!@/]|[a-z-]{0,6}[.-])?", after in "([ ),:;!.@/?-]\\PC{0,10})?") {
        let target = HttpsAddress::read("https://acme.example").unwrap();
        let label = format!("{before}paypal.com{after}");
        prop_assert!(label_shows_address(&label, Some(&target)), "{label}");
    }

    /// In whatever word or sign its dot is written.
    #[test]
    fn a_strange_host_is_seen_without_its_dot(
        before in "(Pay at |See )?",
        dot in prop::sample::select(vec![
            " dot ", "(dot)", " [dot] ", " . ", " .", "-dot-", "\u{b7}", " punkt ", " point ", " punto ", " d o t ",
        ]),
        after in "( now)?",
    ) {
        let target = HttpsAddress::read("https://acme.example").unwrap();
        let label = format!("{before}paypal{dot}com{after}");
        prop_assert!(label_shows_address(&label, Some(&target)), "{label}");
    }

    #[test]
    fn no_label_panics(label in "[a-z.@:/?#。-]{0,20}|\\PC{0,40}") {
        let _ = looks_like_address(&label);
    }

    #[test]
    fn what_is_read_is_ascii_https_and_reads_the_same(text in "(https://)?[a-zü0-9.@:/?#%\\\\\\[\\]\" -]{0,60}|\\PC{0,60}") {
        if let Ok(address) = HttpsAddress::read(&text) {
            let url = Url::parse(address.as_str()).unwrap();
            prop_assert_eq!(url.scheme(), "https");
            prop_assert!(url.username().is_empty() && url.password().is_none());
            prop_assert!(address.as_str().bytes().all(|b| b.is_ascii_graphic()));
            prop_assert_eq!(&HttpsAddress::read(address.as_str()).unwrap(), &address);
        }
    }
}
