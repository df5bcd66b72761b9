//! URLs that two parsers could read differently, and property tests on arbitrary text.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::*;

#[test]
fn hosts_compare_after_normalisation() {
    for (text, wanted) in [
        ("https://EXAMPLE.com./x", "example.com"),
        ("https://bücher.example/", "xn--bcher-kva.example"),
        ("http://0x7f.1/", "127.0.0.1"),
        ("http://2130706433/", "127.0.0.1"),
        ("http://[::FFFF:127.0.0.1]/", "[::ffff:127.0.0.1]"),
        ("https://ex%61mple.com/", "example.com"),
        ("https://example\u{3002}com/", "example.com"),
    ] {
        assert_eq!(
            Target::parse(text).unwrap().origin.host.to_string(),
            wanted,
            "{text}"
        );
    }
    assert_eq!(HostName::parse("LocalHost."), HostName::parse("localhost"));
    assert_eq!(HostName::parse("::1"), HostName::parse("[::1]"));
    for bad in [
        "",
        ".",
        "a..b",
        "a b",
        "a/b",
        "a:80",
        "a@b",
        &"x".repeat(64),
    ] {
        assert_eq!(HostName::parse(bad), None, "{bad}");
    }
}

/// URLs may contain names that a request cannot; those must never be dialled.
#[test]
fn a_host_is_letters_digits_hyphens_underscores_and_dots() {
    for text in [
        "exam`ple.com",
        "a!b.com",
        "a$b",
        "a'b",
        "a(b)",
        "a*b",
        "a+b,c;d=e",
        "a{b}",
        "a~b",
        "a\"b",
    ] {
        assert_eq!(HostName::parse(text), None, "{text}");
        assert!(
            Target::parse(&format!("https://{text}/")).is_err(),
            "{text}"
        );
    }
    for text in ["_dmarc.example.com", "xn--bcher-kva.example", "a-b.c1"] {
        assert_eq!(HostName::parse(text), Some(HostName::Name(text.to_owned())));
    }
}

/// This parser adds and removes slashes; others see a path there, or a host called `https`.
#[test]
fn a_host_stands_after_two_slashes() {
    let base = Target::parse("https://example.com/a/b").unwrap();
    for text in [
        "https:example.com",
        "HTTPS:/example.com/",
        "https:///example.com",
        "http:////example.com",
    ] {
        assert!(Target::parse(text).is_err(), "{text}");
        assert!(base.join(text).is_err(), "{text}");
    }
    assert!(base.join("///example.org/").is_err());
    assert!(base.join("https:c").is_err());
    for (location, expected) in [
        ("//example.org/x", "https://example.org/x"),
        ("HTTP://example.org", "http://example.org/"),
        ("./c:d", "https://example.com/a/c:d"),
        ("/x//y", "https://example.com/x//y"),
    ] {
        let joined = base.join(location).map(|target| target.url.to_string());
        assert_eq!(joined.ok().as_deref(), Some(expected), "{location}");
    }
}

#[test]
fn the_url_agrees_with_the_origin() {
    let target = Target::parse("https://Example.COM.:443/a/./b/../c?q=%2e#f").unwrap();
    assert_eq!(target.url.as_str(), "https://example.com/a/c?q=%2e");
    assert_eq!(
        (target.origin.port, target.origin.authority().as_str()),
        (443, "example.com")
    );
    assert_eq!(
        Target::parse("http://example.com:8080")
            .unwrap()
            .origin
            .authority(),
        "example.com:8080"
    );
}

#[test]
fn prefixes_are_matched_by_segment() {
    let path = |path: &str, prefix: &str| {
        Target::parse(&format!("https://x.example{path}"))
            .unwrap()
            .has_path_prefix(prefix)
    };
    for (p, prefix, wanted) in [
        ("/v5/x", "/v5/", true),
        ("/v5", "/v5/", true),
        ("/v5/x", "/v5", true),
        ("/v5x", "/v5", false),
        ("/v5x", "/v5/", false),
        ("/", "/", true),
        ("/anything", "/", true),
        ("/a/b/c", "/a/b", true),
        ("/a/c", "/a/b", false),
        ("/a//b", "/a/b", false),
        ("/%76%35/x", "/v5/", false),
        ("", "/v5", false),
    ] {
        assert_eq!(path(p, prefix), wanted, "{p} {prefix}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]
    #[test]
    fn arbitrary_text_never_panics(text in "\\PC{0,80}") {
        let _ = Target::parse(&text);
        let _ = Target::parse(&format!("http://{text}"));
        let _ = HostName::parse(&text);
        let base = Target::parse("https://example.com/a/").unwrap();
        let _ = base.join(&text);
    }
    #[test]
    fn an_accepted_url_means_the_same_to_another_parse(text in "(https?://)?[a-z0-9.%@:\\[\\]\\\\/#?;_-]{0,40}") {
        if let Ok(target) = Target::parse(&text) {
            let again = Target::parse(target.url.as_str()).unwrap();
            prop_assert_eq!(&again.origin, &target.origin);
            prop_assert_eq!(&again.url, &target.url);
            let dots = target.segments().any(|s| s == "." || s == ".." || s.to_lowercase().contains("%2e"));
            prop_assert!(target.url.username().is_empty() && !dots);
        }
    }
    #[test]
    fn every_v4_spelling_of_the_url_parser_is_an_address(bits: u32) {
        let address = std::net::Ipv4Addr::from_bits(bits);
        let [a, b, c, d] = address.octets();
        for text in [bits.to_string(), format!("0x{bits:x}"), format!("0{bits:o}"), format!("{a}.{b}.{}", bits & 0xffff), format!("0{a:o}.{b}.0x{c:x}.{d}.")] {
            prop_assert_eq!(HostName::parse(&text), Some(HostName::Address(address.into())), "{}", text);
        }
    }
}
