//! URLs from guests and redirects from servers. The first line is a URL; the second, if there is one, is a
//! `Location` header to resolve against it. Each accepted URL is also read by two other parsers: `url`
//! itself, and `http`, which writes the request.

use std::net::IpAddr;

use gtm_runtime::egress::{HostName, Target};
use gtm_runtime::manifest::UrlScheme;

pub const TARGET: crate::Target = crate::Target {
    name: "url",
    run,
    dictionary: &[
        b"http://",
        b"https://",
        b"//",
        b"@",
        b":",
        b":0",
        b":80",
        b":443",
        b"/../",
        b"/%2e%2e/",
        b"%252e%252e",
        b"..;",
        b"\\",
        b"%5c",
        b"%00",
        b"#",
        b"?",
        b"[::1]",
        b"[::ffff:127.0.0.1]",
        b"127.0.0.1",
        b"0x7f.1",
        b"2130706433",
        b"017700000001",
        b"localhost",
        b"example.com",
        b"xn--",
        b"\xe3\x80\x82",
        b"\xc3\xbc",
        b".",
        b"\t",
        b"\n",
        b"file:",
        b"data:",
    ],
};

fn run(input: &[u8]) -> String {
    let Ok(text) = std::str::from_utf8(input) else {
        return "not text".to_owned();
    };
    let (first, second) = text.split_once('\n').unwrap_or((text, ""));
    let target = match Target::parse(first) {
        Ok(target) => target,
        Err(failure) => return format!("refused: {}", failure.message),
    };
    hold(&target);
    same_host_to_others(first, &target);
    let again = Target::parse(target.url.as_str()).expect("what was accepted is accepted again");
    assert_eq!(
        again.url, target.url,
        "normalising twice is normalising once"
    );
    assert_eq!(again.origin, target.origin);
    match target.join(second) {
        Ok(joined) => {
            hold(&joined);
            let moved = joined.origin != target.origin;
            format!("{} joined {moved}", kind(&target))
        }
        Err(failure) => format!("{} not joined: {}", kind(&target), failure.message),
    }
}

/// What every accepted target guarantees, wherever it came from.
fn hold(target: &Target) {
    let url = &target.url;
    let scheme = match target.origin.scheme {
        UrlScheme::Http => "http",
        UrlScheme::Https => "https",
    };
    assert_eq!(url.scheme(), scheme);
    assert!(
        url.username().is_empty() && url.password().is_none(),
        "user information: {url}"
    );
    assert!(url.fragment().is_none(), "a fragment: {url}");
    assert_eq!(url.port_or_known_default(), Some(target.origin.port));
    assert_ne!(target.origin.port, 0);
    assert!(target.has_path_prefix("/"));
    assert!(
        target
            .segments()
            .all(|segment| segment != ".." && segment != "."),
        "a dot segment: {url}"
    );

    // The request goes to exactly the URL that was checked.
    let sent: http::Uri = url
        .as_str()
        .parse()
        .unwrap_or_else(|error| panic!("{url} cannot be sent: {error}"));
    assert_eq!(sent.scheme_str(), Some(scheme));
    assert_eq!(
        sent.port_u16()
            .unwrap_or(target.origin.scheme.default_port()),
        target.origin.port
    );
    let host = sent.host().expect("it has a host");
    let bare = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
        .unwrap_or(host);
    match &target.origin.host {
        HostName::Address(address) => assert_eq!(bare.parse::<IpAddr>().as_ref(), Ok(address)),
        HostName::Name(name) => {
            assert_eq!(host, name);
            assert!(
                bare.parse::<IpAddr>().is_err(),
                "an address passes for a name: {url}"
            );
        }
    }
    assert_eq!(sent.path(), url.path());
}

/// A parser that resolves no relative URLs must see the same host in the guest's original text, if it can
/// read it.
fn same_host_to_others(text: &str, target: &Target) {
    let Ok(plain) = text.parse::<http::Uri>() else {
        return;
    };
    let HostName::Name(name) = &target.origin.host else {
        // Other parsers take `0x7f.1` and the like for names. The address itself is checked.
        return;
    };
    if let Some(host) = plain.host()
        && host.is_ascii()
        && !host.contains('%')
    {
        let host = host.strip_suffix('.').unwrap_or(host);
        assert!(
            host.eq_ignore_ascii_case(name),
            "{text}: {host} to others, {name} here"
        );
    }
}

fn kind(target: &Target) -> &'static str {
    match target.origin.host {
        HostName::Name(_) => "name",
        HostName::Address(IpAddr::V4(_)) => "v4",
        HostName::Address(IpAddr::V6(_)) => "v6",
    }
}
