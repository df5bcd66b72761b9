//! How layers override each other, and how wrong values are reported.

#![allow(clippy::unwrap_used, clippy::expect_used)]
use super::*;

fn load(file: &str, variables: &[(&str, &str)], flags: Flags) -> Result<Effective, Failure> {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join(FILE_NAME), file).unwrap();
    let environment = variables
        .iter()
        .map(|(n, v)| ((*n).to_owned(), OsString::from(v)))
        .collect();
    Effective::load(
        &Flags {
            data_dir: Some(dir.path().to_owned()),
            ..flags
        },
        &environment,
    )
}

fn message(file: &str, variables: &[(&str, &str)]) -> String {
    load(file, variables, Flags::default()).unwrap_err().message
}

#[test]
fn nothing_needs_to_be_configured() {
    let effective = load("", &[], Flags::default()).unwrap();
    assert_eq!(effective.configuration.listen.to_string(), "127.0.0.1:8080");
    assert!(
        effective
            .configuration
            .database_url
            .clone()
            .unwrap()
            .ends_with("/gtm.db")
    );
    let shown = effective.shown();
    assert_eq!(shown.len(), SETTINGS.len() + 1);
    assert!(
        shown
            .iter()
            .filter(|s| s.name != "data_dir")
            .all(|s| s.origin == Origin::Default)
    );
    let nulls: Vec<_> = shown
        .iter()
        .filter(|s| s.value.is_null())
        .map(|s| s.name)
        .collect();
    assert_eq!(
        nulls,
        [
            "metrics_listen",
            "public_url",
            "docs_url",
            "redis_url",
            "redis_root_certificates",
            "document_fonts_dir"
        ],
        "every setting is found in the shape"
    );
}

#[test]
fn each_layer_overrides_the_one_before() {
    let file = "listen = \"127.0.0.1:1\"\n[engine]\nworkers = 2\nlease_seconds = 5\n";
    let variables = [("GTM_LISTEN", "127.0.0.1:2"), ("GTM_ENGINE_WORKERS", "3")];
    let flags = Flags {
        listen: Some("127.0.0.1:3".to_owned()),
        ..Flags::default()
    };
    let effective = load(file, &variables, flags).unwrap();
    assert_eq!(effective.configuration.listen.port(), 3);
    assert_eq!(effective.configuration.engine.workers.get(), 3);
    assert_eq!(effective.configuration.engine.lease_seconds.get(), 5);
    let origin = |name: &str| {
        effective
            .shown()
            .into_iter()
            .find(|s| s.name == name)
            .unwrap()
            .origin
    };
    assert_eq!(origin("listen"), Origin::Flag("--listen"));
    assert_eq!(
        origin("engine.workers"),
        Origin::Variable("GTM_ENGINE_WORKERS".to_owned())
    );
    assert!(matches!(origin("engine.lease_seconds"), Origin::File(_)));
    assert_eq!(origin("engine.max_calls"), Origin::Default);
}

#[test]
fn an_error_names_the_field_and_where_it_stands() {
    for (file, words) in [
        ("lisen = \"127.0.0.1:1\"", ["lisen", "line 1"]),
        ("\nlisten = 7", ["listen", "line 2"]),
        ("listen = \"nowhere\"", ["listen", "line 1"]),
        ("[engine]\nworker = 1", ["engine", "worker"]),
        ("[engine]\nworkers = 0", ["engine.workers", "line 2"]),
        (
            "[egress]\nprivate_hosts = [\"127.0.0.1:8000\"]",
            [
                "egress.private_hosts",
                "write { host = \"127.0.0.1\", port = 8000, connectors = [\"openai-compatible\"] }",
            ],
        ),
        (
            "[egress]\nprivate_hosts = [\"::1\"]",
            ["egress.private_hosts[0]", "host = \"::1\", port = PORT"],
        ),
        (
            "[[egress.private_hosts]]\nhost = \"a b\"\nport = 1\nconnectors = [\"x\"]",
            ["egress.private_hosts[0]", "expected a name or an address"],
        ),
        (
            "[[egress.private_hosts]]\nhost = \"a\"\nconnectors = [\"x\"]",
            ["egress.private_hosts[0]", "`port` is missing"],
        ),
        (
            "[[egress.private_hosts]]\nhost = \"a\"\nport = 1\nconnectors = []",
            ["egress.private_hosts[0]", "at least one"],
        ),
        (
            "[[egress.private_hosts]]\nhost = \"a\"\nport = 1\nconnectors = [\"x\"]\nopen = true",
            ["egress.private_hosts[0]", "there is no setting `open`"],
        ),
        (
            "[egress]\ndeny_networks = [\"10.0.0.1/8\"]",
            ["egress.deny_networks[0]", "10.0.0.0/8"],
        ),
        (
            "[[trusted_publishers]]\nid = \"x\"\npublic_key = \"short\"",
            ["public_key", "base64"],
        ),
        (
            "[[trusted_publishers]]\nid = \"x\"\npublisher = \"com.x\"\npublic_key = \"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\"",
            ["x lacks `keys`", "keys = [\"connector/acme-*\""],
        ),
        (
            "[[trusted_publishers]]\nid = \"x\"\nkeys = [\"connector/*\"]\npublic_key = \"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\"",
            ["x lacks `publisher`", "publisher = \"com.example\""],
        ),
        (
            "[[trusted_publishers]]\nid = \"x\"\nkeys = [\"*\"]",
            ["keys", "such as connector/acme-*"],
        ),
        ("listen = ", ["gtm.toml", "line 1"]),
        ("\nusage_tiers = []", ["usage_tiers", "line 2"]),
        (
            "rate_limit_fallback = \"x\"",
            ["rate_limit_fallback", "refuse"],
        ),
    ] {
        let message = message(file, &[]);
        assert!(
            words.iter().all(|word| message.contains(word)),
            "{file:?}: {message}"
        );
    }
    assert!(message("", &[("GTM_ENGINE_WORKERS", "many")]).contains("GTM_ENGINE_WORKERS"));
    assert!(message("", &[("GTM_LISTEN", "nowhere")]).contains("GTM_LISTEN"));
    let hosts = message("", &[("GTM_EGRESS_PRIVATE_HOSTS", "127.0.0.1:8000")]);
    assert!(hosts.contains("GTM_EGRESS_PRIVATE_HOSTS") && hosts.contains("file only"));
    assert!(message("", &[("GTM_TRUSTED_PUBLISHERS", "x")]).contains("GTM_TRUSTED_PUBLISHERS"));
}

#[test]
fn a_wrong_value_is_told_in_words_of_an_operator() {
    for (file, words) in [
        (
            "[engine]\nworkers = 0",
            "line 2: engine.workers is 0; it must be a whole number \
             from 1 to 1024, for example `workers = 4` in the section [engine]",
        ),
        (
            "[engine]\nworkers = \"four\"",
            "engine.workers is \"four\"; it must be a whole number from 1 to 1024",
        ),
        (
            "[limits]\nrequests_per_minute = 5000000000",
            "is 5000000000; it must be a whole number from 1 to 1000000",
        ),
        (
            "[engine]\nlease_seconds = 9223372036854775807",
            "engine.lease_seconds is 9223372036854775807; it must be a whole number from 1 to 31536000, for example",
        ),
        (
            "[engine]\nworkers = 1025",
            "engine.workers is 1025; it must be a whole number from 1 to 1024, for example",
        ),
        (
            "[engine]\njob_cost_cap_usd = -1",
            "engine.job_cost_cap_usd is -1",
        ),
        (
            "allow_unsigned = \"yes\"",
            "allow_unsigned is \"yes\"; it must be true or false, for example `allow_unsigned = false`",
        ),
        (
            "listen = \"nowhere\"",
            "listen is \"nowhere\"; it must be an IP address and a port, for example `listen = \"127.0.0.1:8080\"`",
        ),
        (
            "catalog_dirs = \"catalog\"",
            "catalog_dirs is \"catalog\"; it must be a list of paths of folders, for example `catalog_dirs = [\"/srv/gtm/catalog\"]`",
        ),
        (
            "lisen = \"127.0.0.1:1\"",
            "there is no setting `lisen`; did you mean `listen`?",
        ),
        (
            "[engine]\nworker = 1",
            "there is no setting `worker` in engine; did you mean `workers`?",
        ),
        (
            "[log]\ncolour = 1",
            "there is no setting `colour` in log; there are format, level",
        ),
        ("engine = 7", "engine is 7: it takes a table with settings"),
        (
            "[[egress.private_hosts]]\nhost = \"a\"\nport = 99999\nconnectors = [\"x\"]",
            "port is 99999: it takes a whole number from 0 to 65535; egress.private_hosts takes tables",
        ),
        (
            "rate_limit_fallback = \"x\"",
            "rate_limit_fallback is \"x\"; it must be memory, allow or refuse",
        ),
    ] {
        let message = message(file, &[]);
        assert!(message.contains(words), "{file:?}: {message}");
        for word in [
            "nonzero",
            "usize",
            "invalid type",
            "expected",
            "struct",
            "u64",
        ] {
            assert!(!message.contains(word), "{word}: {message}");
        }
    }
    for (variable, text, words) in [
        (
            "GTM_ENGINE_WORKERS",
            "many",
            "GTM_ENGINE_WORKERS is \"many\"; it must be a whole number from 1 to 1024, for example `GTM_ENGINE_WORKERS=4`",
        ),
        (
            "GTM_ENGINE_WORKERS",
            "0",
            "(variable GTM_ENGINE_WORKERS): engine.workers is 0; it must be a whole number from 1 to 1024, for example `GTM_ENGINE_WORKERS=4`",
        ),
        (
            "GTM_TRUSTED_PROXIES",
            "10.0.0.1/8",
            "for example `GTM_TRUSTED_PROXIES=10.0.0.0/8`",
        ),
    ] {
        let message = message("", &[(variable, text)]);
        assert!(message.contains(words), "{text}: {message}");
    }
}

#[test]
fn no_wrong_url_is_repeated_with_its_password() {
    for file in [
        "public_url = \"https://gtm:hunter2@api.acme.test\"",
        "docs_url = \"hunter2\"",
        "database_url = [\"postgres://gtm:hunter2@db/gtm\"]",
        "redis_url = { url = \"redis://:hunter2@cache\" }",
    ] {
        let message = message(file, &[]);
        assert!(!message.contains("hunter2"), "{message}");
        assert!(
            message.contains("_url is not usable; it must be "),
            "{message}"
        );
    }
    let unknown = message("password = \"hunter2\"", &[]);
    assert!(!unknown.contains("hunter2"), "{unknown}");
}

#[test]
fn a_password_is_neither_shown_nor_quoted_in_an_error() {
    let url = "postgres://gtm:hunter2@127.0.0.1/gtm";
    let effective = load(&format!("database_url = \"{url}\""), &[], Flags::default()).unwrap();
    assert_eq!(effective.configuration.database_url.as_deref(), Some(url));
    let shown: String = effective
        .shown()
        .iter()
        .map(|s| s.value.to_string())
        .collect();
    assert!(
        !shown.contains("hunter2") && shown.contains("****"),
        "{shown}"
    );
    let redis = "rediss://:hunter2@127.0.0.1:6380/1";
    let effective = load("", &[("GTM_REDIS_URL", redis)], Flags::default()).unwrap();
    assert_eq!(effective.configuration.redis_url.as_deref(), Some(redis));
    let shown = format!("{:?}", effective.shown());
    assert!(!shown.contains("hunter2") && shown.contains("****"));
    let failure = message(&format!("database_url = \"{url}\" x"), &[]);
    assert!(!failure.contains("hunter2"), "{failure}");
}

#[test]
fn a_password_in_the_query_of_a_url_is_not_shown_either() {
    for (url, wanted) in [
        (
            "postgres:///gtm?host=/run/postgresql&user=gtm&password=hunter2&sslmode",
            "postgres:///gtm?host=****&user=****&password=****&****",
        ),
        (
            "postgres://gtm:hunter2@db/gtm?sslpassword=hunter2#hunter2",
            "postgres://gtm:****@db/gtm?sslpassword=****",
        ),
        ("sqlite:///srv/gtm.db", "sqlite:///srv/gtm.db"),
    ] {
        let effective = load(&format!("database_url = \"{url}\""), &[], Flags::default()).unwrap();
        assert_eq!(effective.database_url_shown().as_deref(), Some(wanted));
        assert!(!format!("{:?}", effective.shown()).contains("hunter2"));
    }
}

#[test]
fn a_file_with_a_password_that_others_may_read_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("gtm.toml");
    let noticed = |text: &str, mode: u32| {
        std::fs::write(&file, text).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        let flags = Flags {
            config: Some(file.clone()),
            ..Flags::default()
        };
        let effective = Effective::load(&flags, &Environment::new()).unwrap();
        effective.readable_secrets().is_some()
    };
    let password = "redis_url = \"redis://:hunter2@localhost/0\"";
    assert!(noticed(password, 0o644) && noticed(password, 0o620));
    assert!(!noticed(password, 0o600));
    assert!(!noticed("listen = \"127.0.0.1:8080\"", 0o644));
}

#[test]
fn relative_paths_of_a_file_are_relative_to_it() {
    let effective = load(
        "catalog_dirs = [\"packages\", \"/abs\"]\nblob_dir = \"b\"",
        &[],
        Flags::default(),
    )
    .unwrap();
    let dirs = effective.configuration.catalog_dirs.unwrap();
    assert!(dirs[0].is_absolute() && dirs[0].ends_with("packages"));
    assert_eq!(dirs[1], Path::new("/abs"));
    assert_eq!(
        effective.configuration.blob_dir.unwrap(),
        effective.data_dir.join("b")
    );
}

#[test]
fn unknown_variables_are_told() {
    let effective = load(
        "",
        &[("GTM_LISTN", "x"), ("GTM_MASTER_KEY", "k"), ("OTHER", "x")],
        Flags::default(),
    )
    .unwrap();
    assert_eq!(effective.ignored_variables, ["GTM_LISTN"]);
}

#[test]
fn a_named_file_must_be_there() {
    let flags = Flags {
        config: Some(PathBuf::from("/nonexistent/gtm.toml")),
        ..Flags::default()
    };
    assert!(
        load("", &[], flags)
            .unwrap_err()
            .message
            .contains("/nonexistent/gtm.toml")
    );
}

#[test]
fn errors_lead_to_the_node_s_own_reference() {
    let base = |file: &str, listener: &str| {
        let effective = load(file, &[], Flags::default()).unwrap();
        effective.configuration.docs_base(listener.parse().unwrap())
    };
    for (file, listener, want) in [
        ("", "127.0.0.1:4711", "http://127.0.0.1:4711/docs/errors"),
        ("", "0.0.0.0:80", "http://127.0.0.1:80/docs/errors"),
        ("", "[::]:8080", "http://[::1]:8080/docs/errors"),
        ("", "192.0.2.7:8080", "http://192.0.2.7:8080/docs/errors"),
        (
            "public_url = \"https://api.acme.test/gtm/\"",
            "127.0.0.1:1",
            "https://api.acme.test/gtm/docs/errors",
        ),
        (
            "public_url = \"https://api.acme.test\"\ndocs_url = \"https://help.acme.test/errors\"",
            "127.0.0.1:1",
            "https://help.acme.test/errors",
        ),
    ] {
        assert_eq!(base(file, listener), want, "{file}");
    }
    for bad in [
        "ftp://a.test",
        "https://u:p@a.test",
        "https://a.test/?a=b",
        "https://a.test/#a",
        "a.test",
    ] {
        let message = message(&format!("public_url = {bad:?}"), &[]);
        assert!(message.contains("public_url"), "{message}");
        let message = self::message("", &[("GTM_DOCS_URL", bad)]);
        assert!(message.contains("docs_url"), "{message}");
    }
}

#[test]
fn trusted_proxies_are_ranges() {
    let effective = load(
        "",
        &[("GTM_TRUSTED_PROXIES", "10.0.0.0/8, 2001:db8::/32,192.0.2.1")],
        Flags::default(),
    )
    .unwrap();
    let ranges: Vec<String> = effective
        .configuration
        .trusted_proxies
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(ranges, ["10.0.0.0/8", "2001:db8::/32", "192.0.2.1/32"]);
    let message = message("trusted_proxies = [\"10.0.0.1/8\"]", &[]);
    assert!(
        message.contains("trusted_proxies") && message.contains("10.0.0.0/8"),
        "{message}"
    );
}
