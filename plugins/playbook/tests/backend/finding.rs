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

/// A site whose labels no list knows, with more pages than the budget allows.
fn many_pages() -> Web {
    let links: String = (1..=20)
        .map(|number| format!("<a href=/p{number}>事業{number}</a>"))
        .collect();
    let home = format!(
        "<html lang=ja><body><nav>{links}<a href=/privacy>Privacy</a></nav><main>{HOME}<a href=/post/one/a-long-title>We were at a fair in Ghent with many others</a></main>"
    );
    let mut web = Web::new().page("https://acme.example/", &home);
    for number in 1..=20 {
        web = web.text(
            &format!("https://acme.example/p{number}"),
            &format!("<p>Acme builds part number {number} of its rail signals in Leeds.</p>"),
        );
    }
    web
}

#[test]
fn the_budget_is_filled_with_the_navigation_in_any_language() {
    let urls = fetched(&acme(many_pages()).set("max_pages", json!(15)).run());
    assert_eq!(urls.len(), 15, "{urls:?}");
    assert!(
        !urls
            .iter()
            .any(|url| url.contains("privacy") || url.contains("post"))
    );
}

#[test]
fn a_model_chooses_the_pages_where_one_is_bound() {
    let mut job = acme(many_pages()).set("max_pages", json!(5));
    job = job.model_for_all(|input| {
        let prompt = input["messages"][1]["content"].as_str().unwrap().to_owned();
        if input["response_name"] != "pages" {
            return Ok(crate::run::answered(json!({})));
        }
        let number = |label: &str| -> u64 {
            let line = prompt.lines().find(|line| line.contains(label)).unwrap();
            line.split(' ').next().unwrap().parse().unwrap()
        };
        let wanted = if prompt.contains("事業17 ") {
            vec![number("事業17 "), number("事業9 ")]
        } else {
            vec![]
        };
        Ok(crate::run::answered(json!({"pages": wanted})))
    });
    let urls = fetched(&job.run());
    assert_eq!(
        urls[1..3],
        ["https://acme.example/p17", "https://acme.example/p9"]
    );
    // What the model left of the budget the rules use once they are asked.
    assert_eq!(urls.len(), 5, "{urls:?}");
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
    let run = acme(web).run();
    let draft = run.output.unwrap();
    let told: Vec<&str> = run
        .reports
        .iter()
        .filter_map(|(_, told)| told.as_deref())
        .collect();
    assert!(
        told.contains(
            &"The about page could not be read (robots_disallowed). The careers page could not be read (timeout)."
        ),
        "{told:?}"
    );
    assert!(!draft["result"]["risks"].to_string().contains("could not"));
    assert_eq!(draft["sources"].as_array().unwrap().len(), 1);
    // Nobody may read the page that says how many they are.
    let reasons = draft["unknowns"].as_array().unwrap();
    assert!(
        reasons
            .contains(&json!({"pointer": "/company_profile/employee_range", "reason": "blocked"}))
    );
    assert!(!draft["unknowns"].to_string().contains("buying_signals"));
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
fn each_requested_section_has_its_search_and_they_share_the_pages() {
    let web = Web::new()
        .page(
            "https://acme.example/",
            &format!("<html lang=fr><body><main>{HOME}</main></body></html>"),
        )
        .text("https://one.example/", "<p>Acme is hiring.</p>")
        .text("https://two.example/", "<p>Acme is liked.</p>")
        .text("https://three.example/", "<p>Acme is old.</p>");
    let mut job = acme(web)
        .only(&["competitive_position"])
        .set("max_search_pages", json!(2));
    let result = |url: &str| json!({"url": url, "title": "", "snippet": "", "published_at": null});
    job.search = Some(json!({"receipt_id": "rcp_s", "results": [
        result("https://one.example/"), result("https://two.example/"), result("https://three.example/")]}));
    let run = job.run();
    let searched: Vec<&Value> = run
        .calls
        .iter()
        .filter(|call| call.capability == "web.search")
        .map(|call| &call.input["query"])
        .collect();
    assert_eq!(
        searched,
        ["\"Acme\" technologie logiciel", "\"Acme\" concurrents"]
    );
    let read = fetched(&run);
    assert_eq!(
        read[read.len() - 2..],
        ["https://one.example/", "https://two.example/"]
    );
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
