//! Which pages are read, and what happens when a page is unavailable.

use gtm_sdk::{Failure, json::json};

use crate::run::{acme, at, reason, site};
use crate::sites;
use crate::web::Web;

fn fetched(run: &gtm_sdk::testing::Run<Result<gtm_sdk::Value, Failure>>) -> Vec<String> {
    run.calls
        .iter()
        .filter(|call| call.capability == "web.fetch" && call.input["accept"] != "image")
        .map(|call| call.input["url"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn pages_are_planned_by_their_part_and_read_once() {
    let run = site(sites::harrow(), "https://harrowgate.example/").run();
    let mut urls = fetched(&run);
    for path in [
        "",
        "about",
        "products",
        "customers",
        "press",
        "careers",
        "contact",
        "legal",
    ] {
        assert!(
            urls.contains(&format!("https://harrowgate.example/{path}")),
            "{path} {urls:?}"
        );
    }
    let styled = run
        .calls
        .iter()
        .filter(|call| call.input["signals"] == true)
        .count();
    assert!((2..=4).contains(&styled), "{styled}");
    let count = urls.len();
    urls.sort_unstable();
    urls.dedup();
    assert_eq!(urls.len(), count);
    // Pages in another language are not read.
    assert!(!urls.iter().any(|url| url.contains("/fr/")));
}

#[test]
fn a_small_budget_reads_little_and_says_so() {
    let run = site(sites::tarnbeck(), "https://tarnbeck.example/")
        .set("max_pages", json!(2))
        .run();
    let pages = fetched(&run)
        .into_iter()
        .filter(|url| !url.ends_with("sitemap.xml"))
        .count();
    assert_eq!(pages, 2);
    let draft = run.output.unwrap();
    assert_eq!(reason(&draft, "/identity/identifiers"), "budget");
}

#[test]
fn a_page_that_robots_forbid_is_blocked() {
    let web = sites::tarnbeck().failing(
        "https://tarnbeck.example/impressum",
        Failure::denied("robots_disallowed", "Not for robots."),
    );
    let draft = site(web, "https://tarnbeck.example/").draft();
    assert_eq!(reason(&draft, "/identity/identifiers"), "blocked");
}

/// What the job's progress tells of pages that could not be read.
fn told_unread(run: &gtm_sdk::testing::Run<Result<gtm_sdk::Value, Failure>>) -> Vec<String> {
    let milestones = run.reports.iter().filter_map(|(_, told)| told.clone());
    milestones.filter(|told| told.contains("be read")).collect()
}

#[test]
fn linked_pages_that_cannot_be_read_are_told() {
    let home = |folder: &str| {
        format!(
            "<html lang=en><head><title>Acme</title></head><body><nav><a href='{folder}about'>About us</a><a href='{folder}services'>Services</a></nav>\
            <main><h1>Acme</h1><p>Acme repairs pumps for farms and dairies in the hills.</p></main></body></html>"
        )
    };
    let about = "<h1>About us</h1><p>Acme was founded in 1987 by two fitters from the valley.</p>";
    let web = |folder: &str| {
        Web::new()
            .page("https://acme.example/", &home(folder))
            .text("https://acme.example/about", about)
    };
    let some = acme(web("/")).run();
    assert_eq!(
        told_unread(&some),
        ["Some linked pages could not be read: /services (http_404)."]
    );
    // A wrong base address, for example, leads all links astray.
    let none = acme(web("/site/")).run();
    let told = told_unread(&none);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].starts_with("None of the linked pages could be read: ")
            && told[0].contains("/site/about")
            && told[0].contains("/site/services"),
        "{told:?}"
    );
    let all = acme(web("/").text(
        "https://acme.example/services",
        "<h1>Services</h1><p>We repair pumps and test them on our own stand.</p>",
    ));
    assert!(told_unread(&all.run()).is_empty());
}

#[test]
fn a_home_page_that_fails_ends_the_job() {
    let web = Web::new().failing(
        "https://acme.example/",
        Failure::denied("robots_disallowed", "Not for robots."),
    );
    assert_eq!(acme(web).failure().code, "source_not_allowed");
    assert_eq!(acme(Web::new()).failure().code, "source_fetch_failed");
}

#[test]
fn a_redirect_to_another_site_is_not_the_brand() {
    let web = Web::new()
        .text(
            "https://parking.example/",
            "<p>This domain is for sale. We sell domains to everyone.</p>",
        )
        .redirect("https://acme.example/", "https://parking.example/");
    let failure = acme(web).failure();
    assert_eq!(failure.code, "source_not_allowed");
    assert!(failure.message.contains("parking.example"));
    // A page behind a link that redirects to another site doesn't count either.
    let web = Web::new()
        .text("https://evil.example/", "<p>Acme Rail was founded in 1850 and employs 9000 people.</p>")
        .redirect("https://acme.example/about", "https://evil.example/")
        .text("https://acme.example/", "<h1>Acme Rail</h1><p>Acme Rail builds signals for regional lines.</p><a href=/about>About</a>");
    let draft = acme(web).draft();
    assert!(at(&draft, "/identity/founded_year").is_null());
    assert!(!draft.to_string().contains("9000"));
}

#[test]
fn a_name_alone_needs_a_search() {
    let mut job = acme(Web::new().text(
        "https://acme.example/",
        "<h1>Acme Rail</h1><p>Acme Rail builds signals for regional lines.</p>",
    ))
    .named("Acme");
    job.brand["website_url"] = gtm_sdk::Value::Null;
    job.search = Some(json!({"receipt_id": "rcp_s", "results": [
        {"url": "https://www.linkedin.com/company/acme", "title": "Acme", "snippet": "", "published_at": null},
        {"url": "https://acme.example/about", "title": "Acme Rail", "snippet": "", "published_at": null}]}));
    assert_eq!(at(&job.draft(), "/identity/brand_name"), "Acme Rail");
    let mut job = acme(Web::new()).named("Acme");
    job.brand["website_url"] = gtm_sdk::Value::Null;
    let failure = job.failure();
    assert_eq!(failure.code, "insufficient_evidence");
    assert!(failure.message.contains("website_url"));
}

#[test]
fn other_sites_confirm_but_do_not_speak_for_the_brand() {
    let mut job = acme(
        Web::new()
            .text("https://acme.example/", "<h1>Acme Rail</h1><p>Acme Rail was founded in 2011 in a signal box.</p>")
            .text("https://news.example/acme", "<p>Acme Rail, founded in 2011, opened a plant. We at the News like it.</p><blockquote>Acme Rail is the best company in the world, says a stranger.</blockquote>"),
    );
    job.search = Some(
        json!({"receipt_id": "rcp_s", "results": [{"url": "https://news.example/acme", "title": "Acme", "snippet": "", "published_at": null}]}),
    );
    let draft = job.draft();
    let entry = crate::run::basis(&draft, "/identity/founded_year");
    assert_eq!(entry["excerpts"].as_array().unwrap().len(), 2, "{entry}");
    assert!(
        !draft["guideline"].to_string().contains("stranger")
            && !draft["guideline"].to_string().contains("News like it")
    );
}

#[test]
fn a_site_without_links_is_read_by_its_site_map() {
    let web = Web::new()
        .text("https://acme.example/", "<h1>Acme Rail</h1><p>Acme Rail builds signals for regional lines.</p>")
        .file(
            "https://acme.example/sitemap.xml",
            "application/xml",
            b"<urlset><url><loc>https://acme.example/about</loc></url><url><loc>https://other.example/about</loc></url></urlset>",
        )
        .text("https://acme.example/about", "<p>Acme Rail was founded in 2011 by three engineers.</p>");
    assert_eq!(at(&acme(web).draft(), "/identity/founded_year"), 2011);
}

#[test]
fn site_maps_may_be_listed_in_another() {
    let web = Web::new()
        .text("https://acme.example/", "<h1>Acme Rail</h1><p>Acme Rail builds signals for regional lines.</p>")
        .file(
            "https://acme.example/sitemap.xml",
            "application/xml",
            b"<sitemapindex><sitemap><loc>https://acme.example/pages.xml</loc></sitemap><sitemap><loc>https://other.example/x.xml</loc></sitemap></sitemapindex>",
        )
        .file(
            "https://acme.example/pages.xml",
            "application/xml",
            b"<urlset><url><loc>https://acme.example/about</loc></url></urlset>",
        )
        .text("https://acme.example/about", "<p>Acme Rail was founded in 2011 by three engineers.</p>");
    assert_eq!(at(&acme(web).draft(), "/identity/founded_year"), 2011);
}

#[test]
fn what_the_navigation_leaves_of_the_budget_goes_to_the_site_map() {
    let news: String = (0..30)
        .map(|at| format!("<a href=/news/{at}>News {at}</a>"))
        .collect();
    let mut web = Web::new()
        .page(
            "https://acme.example/",
            &format!("<html lang=en><body><nav>{news}</nav><main><h1>Acme Rail</h1><p>Acme Rail builds signals for regional lines.</p></main></body></html>"),
        )
        .file(
            "https://acme.example/sitemap.xml",
            "application/xml",
            b"<urlset><url><loc>https://acme.example/signal-boxes</loc></url></urlset>",
        )
        .text("https://acme.example/signal-boxes", "<p>Acme Rail has kept signal boxes since it began.</p>");
    for at in 0..30 {
        let text = format!("<h1>News {at}</h1><p>Here stands item {at}.</p>");
        web = web.text(&format!("https://acme.example/news/{at}"), &text);
    }
    let run = acme(web).set("max_pages", json!(15)).run();
    assert!(fetched(&run).contains(&"https://acme.example/signal-boxes".to_owned()));
}

#[test]
fn a_canceled_job_and_a_spent_quota_end_it() {
    let web = Web::new().failing(
        "https://acme.example/",
        Failure::canceled("canceled", "Canceled."),
    );
    assert_eq!(acme(web).failure().code, "canceled");
    let web = Web::new()
        .text(
            "https://acme.example/",
            "<p>Acme Rail builds signals for regional lines.</p><a href=/about>About</a>",
        )
        .failing(
            "https://acme.example/about",
            Failure::quota("budget_exceeded", "Spent."),
        );
    assert_eq!(acme(web).failure().code, "budget_exceeded");
}

/// The addresses read of a site whose home page has these links in its navigation and its footer.
fn read(navigation: &[String], footer: &[String]) -> Vec<String> {
    let links = |paths: &[String]| -> String {
        let link = |path: &String| format!("<a href=/{path}>{}</a>", path.replace(['/', '-'], " "));
        paths.iter().map(link).collect()
    };
    let mut web = Web::new();
    for path in navigation.iter().chain(footer) {
        let text =
            format!("<h1>{path}</h1><p>Here stands what we have to say about {path} today.</p>");
        web = web.text(&format!("https://acme.example/{path}"), &text);
    }
    let html = format!(
        "<html lang=en><body><nav>{}</nav><main><h1>Acme Rail</h1><p>Acme Rail builds signals for regional lines.</p></main>\
         <footer>{}</footer></body></html>",
        links(navigation),
        links(footer)
    );
    let web = web.page("https://acme.example/", &html);
    let job = site(web, "https://acme.example/").set("max_pages", json!(15));
    fetched(&job.run())
        .into_iter()
        .filter_map(|url| url.strip_prefix("https://acme.example/").map(str::to_owned))
        .collect()
}

#[test]
fn pages_on_products_come_before_what_says_little() {
    let navigation = ["products", "products/stairs", "products/doors", "about"].map(str::to_owned);
    let mut footer: Vec<String> = ["video", "plan-du-site", "glossaire", "catalogue-form"]
        .map(str::to_owned)
        .to_vec();
    footer.extend(('a'..='n').map(|letter| format!("corner{letter}")));
    let read = read(&navigation, &footer);
    for path in &navigation {
        assert!(read.contains(path), "{path} {read:?}");
    }
    for path in ["plan-du-site", "glossaire"] {
        assert!(!read.iter().any(|known| known == path), "{read:?}");
    }
}

#[test]
fn single_products_do_not_use_up_the_budget() {
    let navigation: Vec<String> = (0..20).map(|at| format!("prodotto-{at}")).collect();
    let footer: Vec<String> = ('a'..='h')
        .map(|letter| format!("corner{letter}"))
        .collect();
    let read = read(&navigation, &footer);
    for path in &footer {
        assert!(read.contains(path), "{path} {read:?}");
    }
    // What room is left they may have.
    assert!(
        read.iter()
            .filter(|path| path.starts_with("prodotto"))
            .count()
            >= 3,
        "{read:?}"
    );
}

#[test]
fn a_stylesheet_that_robots_forbid_is_blocked() {
    let page = "<html lang=en><head><title>Acme</title><link rel=stylesheet href=/style.css></head><body><main><h1>Acme</h1><p>Acme builds rail signals.</p></main></body></html>";
    let web = || Web::new().page("https://acme.example/", page);
    let sheet = "https://acme.example/style.css";
    let denied = Failure::denied("robots_disallowed", "Not for robots.");
    let draft = acme(web().failing(sheet, denied)).draft();
    for pointer in ["/visual/palette", "/visual/typography"] {
        assert_eq!(reason(&draft, pointer), "blocked", "{pointer}");
    }
    let draft = acme(web()).draft();
    assert_eq!(reason(&draft, "/visual/palette"), "not_found");
}
