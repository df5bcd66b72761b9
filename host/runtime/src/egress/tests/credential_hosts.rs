//! Where a credential may be sent: to its scheme's hosts and nowhere else.

use super::*;
use crate::egress::inject::may_go_to;

#[test]
fn a_credential_goes_to_its_hosts_over_https_and_the_port_of_their_rule_alone() {
    let grant = grant(json!({
        "egress": [
            { "host": "api.example", "methods": ["GET"] },
            { "host": "api.example", "scheme": "http", "port": 8080, "methods": ["GET"] },
            { "host": "other.example", "port": 8443, "methods": ["GET"] },
            { "host": "${setting.host}", "methods": ["GET"] },
            { "host": "${setting.base_url}", "methods": ["GET"] },
        ],
        "settings": { "host": "own.example", "base_url": "http://model.example:8000/v1" },
        "schemes": [{ "type": "api_key", "id": "key",
            "hosts": ["api.example", "${setting.none}", "${setting.host}", "${setting.base_url}"],
            "inject": [{ "in": "header", "name": "X-Api-Key", "value": "${credential.key}" }] }],
        "credentials": { "key": "canary-secret" },
    }));
    for (url, may) in [
        ("https://api.example/", true),
        ("https://api.example:8443/", false),
        ("https://api.example:8080/", false),
        ("http://api.example/", false),
        ("http://api.example:8080/", false),
        // It has a rule, but is not one of the scheme's hosts.
        ("https://other.example:8443/", false),
        ("https://sub.api.example/", false),
        ("https://own.example/", true),
        ("https://own.example:444/", false),
        ("http://own.example/", false),
        // A URL from a setting decides scheme, host and port.
        ("http://model.example:8000/v2", true),
        ("https://model.example:8000/", false),
        ("http://model.example/", false),
        ("https://elsewhere.example/", false),
    ] {
        let origin = Target::parse(url).unwrap().origin;
        let scheme = &grant.schemes[0];
        assert_eq!(may_go_to(&grant, scheme, &origin).unwrap(), may, "{url}");
    }
}

#[test]
fn an_invalid_host_name_receives_no_credential() {
    for host in ["api example", "*.example", "https://api.example", ""] {
        let grant = grant(json!({
            "egress": [{ "host": "api.example", "methods": ["GET"] }],
            "schemes": [{ "type": "api_key", "id": "key", "hosts": [host],
                "inject": [{ "in": "header", "name": "X-Api-Key", "value": "${credential.key}" }] }],
            "credentials": { "key": "canary-secret" },
        }));
        let origin = Target::parse("https://api.example/").unwrap().origin;
        let may = may_go_to(&grant, &grant.schemes[0], &origin).unwrap();
        assert!(!may, "{host:?}");
    }
}
