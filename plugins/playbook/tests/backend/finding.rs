//! Finding and reading the site: addresses, roles, budgets, failures.

use gtm_sdk::{Failure, Value, json::json};

use crate::run::{acme, sample};
use crate::web::Web;

const HOME: &str = "<p>Acme builds rail signals for regional lines in 9 countries.</p>";

fn fetched(run: &gtm_sdk::testing::Run<Result<Value, Failure>>) -> Vec<String> {
    run.calls
        .iter()
        .filter(|call| call.capability == "web.fetch")
        .map(|call| call.input["url"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn the_best_page_of_each_role_is_read_once() {
    let urls = fetched(&sample().run());
    let names: Vec<&str> = urls
        .iter()
        .map(|url| url.rsplit('/').next().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "",
            "about.html",
            "products.html",
            "customers.html",
            "news.html",
            "careers.html",
            "pricing.html",
            "imprint.html"
        ]
    );
}

#[test]
fn the_budget_holds_and_sections_save_pages() {
    assert_eq!(fetched(&sample().set("max_pages", json!(3)).run()).len(), 3);
    assert_eq!(fetched(&sample().set("max_pages", json!(1)).run()).len(), 1);
    let few = fetched(&sample().only(&["business_summary"]).run());
    assert!(
        !few.iter().any(|url| url.contains("pricing")
            || url.contains("imprint")
            || url.contains("careers")),
        "{few:?}"
    );
}

#[test]
fn plain_http_is_tried_where_https_is_not_served() {
    let refused = || Failure::upstream("connect_failed", "Connection refused.");
    let web = Web::new()
        .failing("https://acme.example/", refused())
        .failing("https://www.acme.example/", refused())
        .text("http://acme.example/", HOME);
    let run = acme(web).set("max_pages", json!(1)).run();
    assert_eq!(
        fetched(&run),
        [
            "https://acme.example/",
            "https://www.acme.example/",
            "http://acme.example/"
        ]
    );
    assert!(run.output.is_ok());
}

#[test]
fn a_home_page_that_cannot_be_read_ends_the_job() {
    let code = |failure: Failure| {
        acme(Web::new().failing("https://acme.example/", failure))
            .failure()
            .code
    };
    assert_eq!(
        code(Failure::upstream("http_503", "Down.")),
        "source_fetch_failed"
    );
    assert_eq!(
        code(Failure::timeout("timeout", "Slow.")),
        "source_fetch_failed"
    );
    assert_eq!(
        code(Failure::not_found("http_404", "Gone.")),
        "source_fetch_failed"
    );
    assert_eq!(
        code(Failure::unauthorized("http_403", "No.")),
        "source_fetch_failed"
    );
    assert_eq!(
        code(Failure::denied("robots_disallowed", "No robots.")),
        "source_not_allowed"
    );
    assert_eq!(
        code(Failure::denied("private_address", "Private.")),
        "source_not_allowed"
    );
    assert_eq!(
        code(Failure::quota("budget_exceeded", "Spent.")),
        "budget_exceeded"
    );
    assert_eq!(code(Failure::canceled("canceled", "Stop.")), "canceled");
}

#[test]
fn other_pages_may_fail() {
    let web = Web::new()
        .text(
            "https://acme.example/",
            &format!("{HOME}<a href=/about>About</a><a href=/jobs>Jobs</a>"),
        )
        .failing(
            "https://acme.example/about",
            Failure::denied("robots_disallowed", "No robots."),
        )
        .failing(
            "https://acme.example/jobs",
            Failure::timeout("timeout", "Slow."),
        );
    let draft = acme(web).draft();
    let risks = draft["result"]["risks"].to_string();
    assert!(
        risks.contains("The about page could not be read (robots_disallowed).")
            && risks.contains("(timeout)"),
        "{risks}"
    );
    assert_eq!(draft["sources"].as_array().unwrap().len(), 1);
}

#[test]
fn links_to_other_sites_and_languages_are_not_followed() {
    let web = Web::new().text(
        "https://acme.example/",
        &format!("{HOME}<a href=https://evil.example/about>About</a><a href=/de/ueber-uns>Über uns</a><a href='mailto:a@b.example'>Contact</a><a href=/about.pdf>About</a>"),
    );
    // Besides the home page, only the site map was requested: no link was worth following.
    assert_eq!(
        fetched(&acme(web).run()),
        ["https://acme.example/", "https://acme.example/sitemap.xml"]
    );
}

#[test]
fn a_company_without_a_domain_is_searched_for() {
    let mut job = acme(Web::new().text("https://acme-rail.example/", HOME))
        .with("/target_company_domain", Value::Null);
    job.input["target_company"] = json!("Acme Rail Ltd");
    job.search = Some(json!({"receipt_id": "rcp_s", "results": [
        {"url": "https://www.linkedin.com/company/acme-rail", "title": "Acme Rail", "snippet": "", "published_at": null},
        {"url": "https://blog.example/acme-rail", "title": "Acme Rail", "snippet": "", "published_at": null},
        {"url": "https://www.acme-rail.example/en", "title": "Acme Rail", "snippet": "", "published_at": null}
    ]}));
    let draft = job.draft();
    assert_eq!(
        draft["result"]["target"],
        json!({"company": "Acme Rail Ltd", "domain": "acme-rail.example"})
    );
}

#[test]
fn without_search_a_domain_is_needed() {
    let failure = acme(Web::new())
        .with("/target_company_domain", Value::Null)
        .failure();
    assert_eq!(failure.code, "insufficient_evidence");
    assert!(failure.message.contains("target_company_domain"));
    let mut job = acme(Web::new()).with("/target_company_domain", Value::Null);
    job.search = Some(
        json!({"receipt_id": "rcp_s", "results": [{"url": "https://other.example/", "title": "", "snippet": "", "published_at": null}]}),
    );
    assert_eq!(job.failure().code, "insufficient_evidence");
}

#[test]
fn other_sites_count_where_they_name_the_company() {
    let web = Web::new()
        .text("https://acme.example/", HOME)
        .text("https://paper.example/acme", "<p>Acme acquired the signal maker Borlane in October 2026.</p><p>Somebody else launched a thing this week.</p>");
    let mut job = acme(web);
    job.search = Some(json!({"receipt_id": "rcp_s", "results": [
        {"url": "https://paper.example/acme", "title": "", "snippet": "", "published_at": null},
        {"url": "https://x.com/acme", "title": "", "snippet": "", "published_at": null}
    ]}));
    let draft = job.draft();
    assert_eq!(draft["result"]["buying_signals"][0]["kind"], "expansion");
    assert_eq!(draft["sources"][1]["kind"], "other");
    assert!(!draft.to_string().contains("Somebody else"));
}

#[test]
fn a_site_that_says_nothing_is_not_enough() {
    let web = Web::new().text(
        "https://acme.example/",
        "<h1>Welcome</h1><p>Coming soon.</p>",
    );
    assert_eq!(acme(web).failure().code, "insufficient_evidence");
    assert_eq!(
        acme(Web::new().page("https://acme.example/", ""))
            .failure()
            .code,
        "insufficient_evidence"
    );
}

#[test]
fn answers_out_of_contract_are_the_connectors_fault() {
    let run = gtm_sdk::testing::Host::new()
        .settings(json!({"allow_evidence_only": true}))
        .capability("web.fetch", |_| Ok(json!({"nothing": true})))
        .run(|| {
            let input = json!({"input": {"target_company": null, "target_company_domain": "acme.example"}, "sections": ["risks"]});
            <gtm_playbook::Playbook as gtm_sdk::GenerationBackend>::generate("playbooks", input)
        });
    assert_eq!(run.output.unwrap_err().code, "source_fetch_failed");
}
