//! Checks the connector against its cassettes and its contract.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use gtm_sdk::testing::{ConnectorFiles, Host, Run};
use gtm_sdk::{Connector, Failure, FailureKind, Value, json::json};
use gtm_web_fetch::WebFetch;

const SITE: &str = "https://www.northwind-metering.example/";

fn files() -> ConnectorFiles {
    ConnectorFiles::new(env!("CARGO_MANIFEST_DIR"))
}

fn play(cassette: &str, input: Value) -> Run<Result<Value, Failure>> {
    files().check_input("fetch", &input);
    Host::new()
        .settings(json!({"contact_url": "https://gtm.example/bot"}))
        .cassette(files().cassette(cassette))
        .run(|| WebFetch::invoke("fetch", input))
}

/// The connector's output for the site's home page; it must match the contract.
fn page(cassette: &str) -> Value {
    let output = play(cassette, json!({"url": SITE})).output.unwrap();
    check(&output);
    output
}

fn check(output: &Value) {
    files().check_output("fetch", output);
}

fn failure(cassette: &str) -> Failure {
    play(cassette, json!({"url": SITE})).output.unwrap_err()
}

fn texts(output: &Value) -> Vec<&str> {
    output["blocks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|block| block["text"].as_str().unwrap())
        .collect()
}

#[test]
fn a_page_is_read() {
    let run = play(
        "page",
        json!({"url": format!("{SITE}#top"), "accept_language": "en-GB, en;q=0.5"}),
    );
    let output = run.output.unwrap();
    check(&output);
    assert_eq!(output["title"], "Northwind Metering – one bill per flat");
    assert_eq!(
        output["description"],
        "Sub-metering hardware and billing for landlords."
    );
    assert_eq!(output["language"], "en-GB");
    assert_eq!(output["site_name"], "Northwind Metering");
    assert_eq!(output["published_at"], "2026-03-02T09:00:00Z");
    assert_eq!(output["charset"], "UTF-8");
    assert_eq!(output["content_type"], "text/html");
    assert_eq!(output["receipt_id"], "rcpt_test_02");
    assert_eq!(output["robots"], json!({"checked": true, "allowed": true}));
    assert_eq!(output["json_ld"][0]["name"], "Northwind Metering Ltd");
    assert_eq!(output["json_ld"].as_array().unwrap().len(), 1);
    let main: Vec<_> = output["blocks"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|block| block["main"] == true)
        .map(|block| {
            (
                block["kind"].as_str().unwrap(),
                block["text"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        main,
        [
            ("heading", "Meters before handover"),
            (
                "paragraph",
                "We install 18,000 meters a year & send one bill per flat."
            ),
            ("list_item", "Installed in one day"),
            ("quote", "They were done by lunch."),
            ("table_row", "Plan £3.20"),
            ("paragraph", "See our plans."),
        ]
    );
    let links: Vec<_> = output["links"]
        .as_array()
        .unwrap()
        .iter()
        .map(|link| {
            (
                link["url"].as_str().unwrap(),
                link["internal"] == true,
                link["navigation"] == true,
            )
        })
        .collect();
    assert_eq!(
        links,
        [
            (SITE, true, true),
            ("https://www.northwind-metering.example/pricing", true, true),
            ("https://blog.example/", false, true),
            // The same address with a different link text, in the main content.
            (
                "https://www.northwind-metering.example/pricing",
                true,
                false
            ),
        ]
    );
    assert!(
        run.requests
            .iter()
            .all(|request| request.max_redirects == 5 && request.credential.is_none())
    );
}

#[test]
fn the_text_is_what_the_host_computes() {
    let output = page("windows-1252");
    let bytes = [b"<p>Z\xE4hler f\xFCr H\xE4user \x96 \xA35".as_slice()].concat();
    let host = gtm_page_text::extract(Some("text/html"), &bytes).text();
    assert_eq!(texts(&output).join("\n"), host);
    assert_eq!(output["charset"], "windows-1252");
}

#[test]
fn the_sheets_that_paint_are_read_with_what_they_import() {
    let output = play("sheets", json!({"url": SITE, "signals": true}))
        .output
        .unwrap();
    check(&output);
    let read: Vec<&str> = output["signals"]["sheets"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|sheet| sheet["url"].as_str()?.rsplit('/').next())
        .collect();
    // In the order in which they apply; dead ones made room for the framework's, and robots.txt forbids one import.
    let expected = [
        "bootstrap.min.css",
        "one.css",
        "two.css",
        "three.css",
        "four.css",
        "fonts.css",
        "base.css",
        "main.css",
    ];
    assert_eq!(read, expected);
}

#[test]
fn signals_are_read_if_asked_for() {
    let output = play("signals", json!({"url": SITE, "signals": true}))
        .output
        .unwrap();
    check(&output);
    let signals = &output["signals"];
    let markup = &signals["markup"];
    assert_eq!(
        markup["icons"][0]["url"],
        "https://www.northwind-metering.example/icon.svg"
    );
    assert_eq!(
        markup["web_manifest"],
        "https://www.northwind-metering.example/site.webmanifest"
    );
    assert_eq!(markup["theme_colors"], json!(["#0a5c36"]));
    assert_eq!(markup["inline_svgs"][0]["in_home_link"], true);
    assert_eq!(markup["inline_svgs"][0]["label"], "Northwind Metering");
    // First the page's inline styles, then the stylesheet that could be fetched; the other stylesheet's
    // server is down.
    let sheets = signals["sheets"].as_array().unwrap();
    assert_eq!(sheets.len(), 2);
    assert_eq!(sheets[0]["url"], Value::Null);
    assert_eq!(sheets[0]["receipt_id"], Value::Null);
    assert_eq!(sheets[0]["sheet"]["rules"], json!(":root{--brand:#0a5c36}"));
    assert_eq!(
        sheets[1]["url"],
        "https://www.northwind-metering.example/assets/site.css"
    );
    assert_eq!(sheets[1]["receipt_id"], "rcpt_test_04");
    assert_eq!(sheets[1]["sheet"]["fonts"][0]["family"], "Source Sans");
}

#[test]
fn stylesheets_that_robots_txt_forbids_are_told() {
    let output = play("sheets-disallowed", json!({"url": SITE, "signals": true}))
        .output
        .unwrap();
    check(&output);
    let signals = &output["signals"];
    assert_eq!(signals["sheets"].as_array().unwrap().len(), 1);
    // A sheet whose server is down is not forbidden.
    assert_eq!(
        signals["forbidden_sheets"],
        json!(["https://www.northwind-metering.example/assets/site.css"])
    );
}

#[test]
fn what_is_reported_is_what_the_host_computes() {
    use gtm_site_signals::css::Sheet;
    use gtm_site_signals::markup::Markup;
    let output = play("signals", json!({"url": SITE, "signals": true}))
        .output
        .unwrap();
    let exchanges: Vec<Value> = std::fs::read_to_string(files().cassette("signals"))
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let body = |at: usize| exchanges[at]["response"]["body"].as_str().unwrap();
    let url = SITE.parse().unwrap();
    let mut markup = Markup::read(Some("text/html; charset=utf-8"), body(1).as_bytes(), &url);
    let inline = Sheet::read(&std::mem::take(&mut markup.inline_css));
    let linked = Sheet::read(body(3));
    let reported = &output["signals"];
    assert_eq!(reported["markup"], serde_json::to_value(&markup).unwrap());
    assert_eq!(
        reported["sheets"][0]["sheet"],
        serde_json::to_value(&inline).unwrap()
    );
    assert_eq!(
        reported["sheets"][1]["sheet"],
        serde_json::to_value(&linked).unwrap()
    );
    // The page's bytes contain the drawing at the reported position.
    let drawing = &markup.inline_svgs[0];
    let svg = &body(1).as_bytes()[drawing.start..drawing.end];
    let info = gtm_site_signals::image::read(svg).unwrap();
    assert_eq!((info.width, info.height), (Some(120), Some(24)));
    // Together, the stylesheets show what neither shows alone.
    let elements = gtm_site_signals::elements::Elements::of([&markup]);
    let palette = gtm_site_signals::palette::palette(
        &[&inline, &linked],
        &markup.theme_colors,
        Some(&elements),
    );
    assert_eq!(palette[0].hex, "#0a5c36");
    assert_eq!(palette[0].name.as_deref(), Some("brand"));
}

#[test]
fn a_page_without_signals_asked_for_has_none() {
    let output = page("robots-missing");
    assert_eq!(output["signals"], Value::Null);
    assert_eq!(output["image"], Value::Null);
}

#[test]
fn a_web_manifest_brings_its_icons() {
    let input = json!({"url": format!("{SITE}site.webmanifest"), "signals": true});
    let output = play("web-manifest", input).output.unwrap();
    check(&output);
    let markup = &output["signals"]["markup"];
    assert_eq!(markup["theme_colors"], json!(["#0a5c36"]));
    let icons = markup["icons"].as_array().unwrap();
    assert_eq!(icons.len(), 1, "a maskable icon is no logo");
    assert_eq!(
        icons[0]["url"],
        "https://www.northwind-metering.example/icon-512.png"
    );
    assert_eq!(icons[0]["rel"], "manifest");
}

#[test]
fn pictures_are_read_if_asked_for() {
    let png = play(
        "image-png",
        json!({"url": format!("{SITE}logo.png"), "accept": "image"}),
    )
    .output
    .unwrap();
    check(&png);
    assert_eq!(
        png["image"],
        json!({"media_type": "image/png", "width": 32, "height": 16})
    );
    assert_eq!(png["blocks"], json!([]));
    assert_eq!(png["signals"], Value::Null);
    let svg = play(
        "image-svg",
        json!({"url": format!("{SITE}logo.svg"), "accept": "image", "signals": true}),
    )
    .output
    .unwrap();
    check(&svg);
    assert_eq!(
        svg["image"],
        json!({"media_type": "image/svg+xml", "width": 120, "height": 24})
    );
    assert_eq!(svg["blocks"], json!([]));
}

#[test]
fn what_is_no_picture_is_told() {
    let input = || json!({"url": format!("{SITE}logo.png"), "accept": "image"});
    let missing = play("image-missing", input()).output.unwrap_err();
    assert!(
        missing.is(FailureKind::Upstream, "not_an_image"),
        "{missing:?}"
    );
    // Without a request for images, an image is just content that is not text.
    let text = play("image-png", json!({"url": format!("{SITE}logo.png")}));
    assert!(
        text.output
            .unwrap_err()
            .is(FailureKind::Upstream, "unsupported_media_type")
    );
    let private = play(
        "image-disallowed",
        json!({"url": format!("{SITE}private/logo.png"), "accept": "image"}),
    );
    assert!(
        private
            .output
            .unwrap_err()
            .is(FailureKind::Denied, "robots_disallowed")
    );
}

#[test]
fn robots_txt_is_respected() {
    let disallowed = play(
        "robots-disallowed",
        json!({"url": format!("{SITE}private/x?y=1")}),
    );
    assert!(
        disallowed
            .output
            .unwrap_err()
            .is(FailureKind::Denied, "robots_disallowed")
    );
    assert_eq!(page("robots-missing")["robots"]["checked"], false);
    assert_eq!(texts(&page("robots-redirect-loop")), ["Open"]);
    assert!(failure("robots-5xx").is(FailureKind::Denied, "robots_unreachable"));
    assert!(failure("robots-timeout").is(FailureKind::Denied, "robots_unreachable"));
    // A DNS failure is reported as such, and not as a robots.txt problem.
    let unresolved = failure("robots-dns");
    assert!(unresolved.is(FailureKind::Upstream, "dns_failed"));
    assert!(unresolved.message.contains("could not be resolved"));
}

#[test]
fn a_redirect_is_judged_by_the_robots_txt_of_where_it_led() {
    let input = || json!({"url": "https://northwind-metering.example/"});
    let refused = play("redirect-to-disallowed", input()).output.unwrap_err();
    assert!(refused.is(FailureKind::Denied, "robots_disallowed"));
    let output = play("redirect", input()).output.unwrap();
    check(&output);
    assert_eq!(
        output["final_url"],
        "https://www.northwind-metering.example/en/"
    );
    assert_eq!(
        output["links"][0]["url"],
        "https://www.northwind-metering.example/en/about"
    );
}

#[test]
fn statuses_are_failures_with_their_codes() {
    for (cassette, kind, code, retry_after_ms) in [
        ("status-401", FailureKind::Unauthorized, "http_401", None),
        ("status-403", FailureKind::Unauthorized, "http_403", None),
        ("status-402", FailureKind::Upstream, "http_402", None),
        ("status-404", FailureKind::NotFound, "http_404", None),
        ("status-410", FailureKind::NotFound, "http_410", None),
        ("status-429", FailureKind::RateLimited, "http_429", None),
        (
            "status-429-retry-after",
            FailureKind::RateLimited,
            "http_429",
            Some(7000),
        ),
        ("status-500", FailureKind::Upstream, "http_500", None),
        ("status-503", FailureKind::Upstream, "http_503", None),
        ("timeout", FailureKind::Timeout, "timeout", None),
        (
            "binary",
            FailureKind::Upstream,
            "unsupported_media_type",
            None,
        ),
        (
            "unlabelled-binary",
            FailureKind::Upstream,
            "unsupported_media_type",
            None,
        ),
    ] {
        let failure = failure(cassette);
        assert!(failure.is(kind, code), "{cassette}: {failure:?}");
        assert_eq!(failure.retry_after_ms, retry_after_ms, "{cassette}");
    }
}

#[test]
fn what_the_gate_refuses_is_passed_on() {
    let refused = play(
        "gate-denied",
        json!({"url": "http://169.254.169.254/latest"}),
    )
    .output
    .unwrap_err();
    assert!(refused.is(FailureKind::Denied, "address_not_allowed"));
}

#[test]
fn other_documents_are_read() {
    assert_eq!(texts(&page("json")), ["Northwind", "18000", "meters"]);
    assert_eq!(texts(&page("json-malformed")), ["Northwind", "18"]);
    assert_eq!(
        texts(&page("feed")),
        ["News", "Opened in Leeds", "We opened.", "Come by."]
    );
    assert_eq!(texts(&page("text")), ["One line", "Two"]);
    let empty = page("empty");
    assert_eq!((texts(&empty).len(), &empty["bytes"]), (0, &json!(0)));
}

#[test]
fn a_long_page_is_cut() {
    let output = play("truncated", json!({"url": SITE, "max_bytes": 1024}))
        .output
        .unwrap();
    check(&output);
    assert_eq!(
        (&output["bytes"], &output["truncated"]),
        (&json!(1024), &json!(true))
    );
}

#[test]
fn wrong_urls_are_refused_without_a_request() {
    for url in [
        "ftp://a.example/",
        "https://",
        "https://u:p@a.example/",
        "not a url",
        "file:///etc/passwd",
    ] {
        let run = Host::new().run(|| WebFetch::invoke("fetch", json!({"url": url})));
        assert!(
            run.output
                .unwrap_err()
                .is(FailureKind::InvalidInput, "invalid_url"),
            "{url}"
        );
    }
    let run = Host::new().run(|| WebFetch::invoke("other", json!({})));
    assert!(
        run.output
            .unwrap_err()
            .is(FailureKind::InvalidInput, "unknown_operation")
    );
}

#[test]
fn manifest_and_cassettes_are_whole() {
    files().check_manifest(env!("CARGO_PKG_VERSION"));
    files().check_cassettes_are_played("cassettes.rs");
}
