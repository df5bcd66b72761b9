//! Sites of real organisations, kept outside the repository: serves a folder of them on loopback, and lets the real
//! server research each as a brand and as the target of a playbook.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use gtm_page_text::bare_host;
use serde_json::{Map, Value, json};

use crate::brand_lane::{Model, bind_model};
use crate::client::Client;
use crate::fake_site::{FakeSite, Page, collect};
use crate::gtm_process::{Gtm, Options};
use crate::tenant::Tenant;

/// One site: `site.json` with its `domain` and, if wanted, `product_info` of a seller, and the files in `site/`.
pub struct RealSite {
    pub name: String,
    pub domain: String,
    settings: Value,
    folder: PathBuf,
}

/// What became of one site.
pub struct Read {
    pub site: String,
    /// `succeeded`, or the error's code.
    pub brand: String,
    pub playbook: String,
    /// Claims of the guideline and of the playbook.
    pub claims: (usize, usize),
    /// Requests for pages, sheets, pictures and robots.txt.
    pub requests: usize,
    pub seconds: f64,
}

/// All sites of a folder, by name.
pub fn all(folder: &Path) -> Vec<RealSite> {
    let mut sites: Vec<RealSite> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("site.json").is_file())
        .map(|folder| {
            let settings = std::fs::read(folder.join("site.json")).unwrap();
            let settings: Value = serde_json::from_slice(&settings).unwrap();
            RealSite {
                name: folder.file_name().unwrap().to_str().unwrap().to_owned(),
                // As the backends name it, and as start URLs are keyed.
                domain: bare_host(settings["domain"].as_str().unwrap()).to_owned(),
                settings,
                folder,
            }
        })
        .collect();
    sites.sort_by(|a, b| a.name.cmp(&b.name));
    sites
}

impl RealSite {
    /// Serves the files as they are, but for absolute links to the site itself, which lead to the server.
    async fn serve(&self) -> FakeSite {
        FakeSite::serve(|address| {
            let mut pages = BTreeMap::new();
            collect(&self.folder.join("site"), "/", &mut pages);
            for (path, page) in &mut pages {
                let Page::Ok(media_type, body) = page else {
                    continue;
                };
                *media_type = media_type_of(path, media_type);
                if media_type.starts_with("text/") || media_type.ends_with("xml") {
                    for origin in ["https://www.", "https://", "http://www.", "http://"] {
                        let own = format!("{origin}{}", self.domain);
                        *body =
                            replaced(body, own.as_bytes(), format!("http://{address}").as_bytes());
                    }
                }
            }
            pages
        })
        .await
    }
}

/// Real servers often state no charset, and the page has to say it.
fn media_type_of(path: &str, known: &'static str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("webp") => "image/webp",
        Some("gif") => "image/gif",
        Some("htm" | "html") => "text/html",
        _ if known.starts_with("text/html") => "text/html",
        _ => known,
    }
}

fn replaced(body: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len());
    let mut rest = body;
    while let Some(at) = rest.windows(from.len()).position(|window| window == from) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(to);
        rest = &rest[at + from.len()..];
    }
    out.extend_from_slice(rest);
    out
}

/// Researches each site and writes `brand.json`, `playbook.json` (with the job's events) and `requests.txt` into
/// `output/<name>/`.
pub async fn research(sites: &[RealSite], model: Option<&Model>, output: &Path) -> Vec<Read> {
    let mut served = Vec::new();
    for site in sites {
        served.push(site.serve().await);
    }
    let mut private_hosts: Vec<String> = served.iter().map(|s| s.address.to_string()).collect();
    private_hosts.extend(model.map(|m| m.url.split('/').nth(2).unwrap().to_owned()));
    let mut gtm = Gtm::prepare(Options {
        private_hosts,
        // A capable model that somebody plays takes its time.
        extra_toml: "[engine]\njob_deadline_seconds = 5400\n[limits]\nplugin_wall_seconds = 5400\n"
            .to_owned(),
        ..Options::default()
    });
    gtm.start();
    let tenant = Tenant::create(&gtm, "Acme");
    tenant.bind_web(&gtm);
    if let Some(model) = model {
        bind_model(&gtm, &tenant, model);
    }
    let start_urls: Map<String, Value> = sites
        .iter()
        .zip(&served)
        .map(|(site, server)| (site.domain.clone(), json!(server.url())))
        .collect();
    let settings = json!({"start_urls": start_urls});
    tenant.bind_backend_to(&gtm, "brands", "brand", &settings);
    let settings = json!({"start_urls": start_urls, "allow_evidence_only": true});
    tenant.bind_backend_to(&gtm, "playbooks", "playbook", &settings);
    let client = tenant.client(&gtm);
    let mut read = Vec::new();
    for (site, server) in sites.iter().zip(&served) {
        let folder = output.join(&site.name);
        std::fs::create_dir_all(&folder).unwrap();
        let started = Instant::now();
        let (brand, guideline) = brand(&client, &site.domain).await;
        let (playbook, result) = playbook(&client, site).await;
        write(&folder.join("brand.json"), &guideline);
        write(&folder.join("playbook.json"), &result);
        let requests = server.requests();
        std::fs::write(folder.join("requests.txt"), requests.join("\n")).unwrap();
        read.push(Read {
            site: site.name.clone(),
            brand,
            playbook,
            claims: (
                claims_of(&guideline),
                result["result"]["basis"].as_array().map_or(0, Vec::len),
            ),
            requests: requests.len(),
            seconds: started.elapsed().as_secs_f64(),
        });
    }
    read
}

fn write(path: &Path, value: &Value) {
    std::fs::write(path, serde_json::to_vec_pretty(value).unwrap()).unwrap();
}

fn outcome(job: &Value) -> String {
    match job["status"].as_str().unwrap() {
        "failed" => job["error"]["code"].as_str().unwrap().to_owned(),
        other => other.to_owned(),
    }
}

async fn brand(client: &Client, domain: &str) -> (String, Value) {
    let input = json!({"website_url": format!("https://{domain}/")});
    let accepted = client.post("/v1/brands", &input, None).await.json();
    let job = client.wait(accepted["id"].as_str().unwrap(), LONGEST).await;
    let outcome = outcome(&job);
    if outcome != "succeeded" {
        return (outcome, job);
    }
    let brand = accepted["input"]["brand_profile_id"].as_str().unwrap();
    let answer = client.get(&format!("/v1/brands/{brand}/guideline")).await;
    (outcome, answer.json())
}

/// Longest that one job may take.
const LONGEST: Duration = Duration::from_secs(5_400);

async fn playbook(client: &Client, site: &RealSite) -> (String, Value) {
    let mut input = json!({"target_company_domain": site.domain});
    for member in ["product_info", "anchor_company", "tone", "sections"] {
        if let Some(value) = site.settings.get(member) {
            input[member] = value.clone();
        }
    }
    let job = client.create_playbook(&input).await;
    let id = job["id"].as_str().unwrap().to_owned();
    let mut job = client.wait(&id, LONGEST).await;
    let events = client.get(&format!("/v1/jobs/{id}/events?limit=100")).await;
    job["events"] = events.json();
    (outcome(&job), job)
}

/// Claims of a guideline: objects with a value and a basis.
fn claims_of(value: &Value) -> usize {
    match value {
        Value::Object(members)
            if members.contains_key("basis") && members.contains_key("value") =>
        {
            usize::from(!members["value"].is_null())
        }
        Value::Object(members) => members.values().map(claims_of).sum(),
        Value::Array(items) => items.iter().map(claims_of).sum(),
        _ => 0,
    }
}
