//! The exchange: first robots.txt, then the page or image, then the page's stylesheets if its signals are
//! wanted.

use std::cmp::Reverse;

use gtm_page_text::{Media, is_same_site};
use gtm_sdk::http::{self, Request, Response};
use gtm_sdk::{Failure, FailureKind, Value, context, json, log};
use gtm_site_signals::css::{self, Sheet};
use gtm_site_signals::vendors::is_of_vendor;
use gtm_site_signals::{image, markup};
use serde::Deserialize;
use url::{Origin, Url};

use crate::document;
use crate::page::{self, Document, Extra, Fetched};
use crate::robots::{self, Rules};
use crate::signals::{ReadSheet, Signals};

/// Redirects that the gate follows, each checked like a first request.
const MAX_REDIRECTS: u8 = 5;
/// Limit on a page if neither input nor settings name one, in bytes.
const DEFAULT_MAX_BYTES: u64 = 2_000_000;
/// Limit on a document if the input names none, in bytes; pictures make most of them.
const DOCUMENT_MAX_BYTES: u64 = gtm_file_text::limits::MAX_FILE_BYTES as u64;
/// Limit on one stylesheet, in bytes.
const MAX_SHEET_BYTES: u64 = 512 * 1024;
/// Maximum number of stylesheets that are read, imported ones included, and that are asked for.
const MAX_SHEETS: usize = 8;
const MAX_SHEETS_AT_FIRST: usize = 6;
const MAX_SHEETS_ASKED: usize = 16;
/// Maximum number of rounds in which they are asked for: imports are known only once their sheet is read.
const SHEET_ROUNDS: usize = 3;
/// Time limits for one exchange, in milliseconds.
const PAGE_TIMEOUT_MS: u32 = 25_000;
const SIDE_TIMEOUT_MS: u32 = 10_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    url: String,
    max_bytes: Option<u64>,
    #[serde(default)]
    signals: bool,
    #[serde(default)]
    accept: Accept,
    accept_language: Option<String>,
}

/// What the caller can use.
#[derive(Deserialize, Default, Clone, Copy, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Accept {
    /// Anything with text.
    #[default]
    Text,
    /// The same, but a document's file rather than a page, and a larger one.
    Document,
    Image,
}

impl Accept {
    /// The `Accept` header that requests it.
    fn header(self) -> &'static str {
        match self {
            Self::Text => {
                "text/html,application/xhtml+xml,application/xml;q=0.9,application/json;q=0.9,text/plain;q=0.8,*/*;q=0.5"
            }
            Self::Document => {
                "application/pdf,application/vnd.openxmlformats-officedocument.wordprocessingml.document,application/vnd.openxmlformats-officedocument.presentationml.presentation,text/html;q=0.9,application/xhtml+xml;q=0.9,text/plain;q=0.8,*/*;q=0.5"
            }
            Self::Image => "image/svg+xml,image/webp,image/png,image/*;q=0.8,*/*;q=0.1",
        }
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Settings {
    contact_url: Option<String>,
    max_bytes: Option<u64>,
}

/// Performs the operation `fetch`.
pub(crate) fn fetch(input: Value) -> Result<Value, Failure> {
    let input: Input = json::read(input)?;
    let settings: Settings = context::settings()?;
    let url = parse_url(&input.url)?;
    let mut client = Client {
        user_agent: user_agent(settings.contact_url.as_deref()),
        robots: Vec::new(),
        forbidden_sheets: Vec::new(),
    };
    client.require_permission(&url)?;
    let mut request = client
        .get(&url, PAGE_TIMEOUT_MS)
        .header("accept", input.accept.header())
        .max_body_bytes(input.max_bytes.unwrap_or(match input.accept {
            Accept::Document => DOCUMENT_MAX_BYTES,
            Accept::Text | Accept::Image => settings.max_bytes.unwrap_or(DEFAULT_MAX_BYTES),
        }))
        .truncate();
    if let Some(languages) = &input.accept_language {
        request = request.header("accept-language", languages);
    }
    let answer = request.send()?;
    let final_url = Url::parse(&answer.final_url).unwrap_or_else(|_| url.clone());
    // Danger: a redirect may have led to an address that robots.txt forbids; such a page is not used.
    if final_url != url {
        client.require_permission(&final_url)?;
    }
    if !answer.is_success() {
        return Err(status_failure(&answer));
    }
    let mut extra = Extra::default();
    let file = match input.accept {
        Accept::Image => None,
        Accept::Text | Accept::Document => document::read(&answer)?,
    };
    let is_file = file.is_some();
    let mut text = match file {
        Some(file) => {
            extra.document = Some(Document::of(&file));
            extra.hidden_texts = Some(file.hidden);
            file.into_page_text()
        }
        None if matches!(input.accept, Accept::Document) => {
            let content_type = answer.header("content-type");
            let (text, hidden) = gtm_page_text::extract_document(content_type, &answer.body);
            extra.hidden_texts = Some(hidden);
            text
        }
        None => gtm_page_text::extract(answer.header("content-type"), &answer.body),
    };
    match input.accept {
        Accept::Text | Accept::Document if is_file => {}
        Accept::Text | Accept::Document if text.media == Media::Binary => {
            return Err(wrong_type(
                &answer,
                "unsupported_media_type",
                "The address does not lead to text.",
            ));
        }
        Accept::Text | Accept::Document => {}
        Accept::Image => {
            extra.image = image::read(&answer.body);
            if extra.image.is_none() {
                return Err(wrong_type(
                    &answer,
                    "not_an_image",
                    "The address does not lead to an image of a known type.",
                ));
            }
            // An image has no text, even an SVG, which is written in letters.
            text.blocks.clear();
            text.declared.clear();
        }
    }
    let fetched = Fetched {
        asked: input.url,
        final_url,
        answer,
        text,
        robots_read: client.read_any(),
    };
    if input.signals && !is_file && input.accept != Accept::Image {
        let markup = markup::Markup::read(
            fetched.answer.header("content-type"),
            &fetched.answer.body,
            &fetched.final_url,
        );
        let inline = markup.inline_css.clone();
        let mut signals = Signals::of(markup);
        let mut linked = css::imports(&inline)
            .iter()
            .filter_map(|import| fetched.final_url.join(import).ok())
            .map(String::from)
            .collect::<Vec<_>>();
        linked.extend(signals.markup.stylesheets.iter().cloned());
        let sheets = client.linked_sheets(&fetched.final_url, &linked)?;
        signals.sheets.extend(sheets);
        signals.forbidden_sheets = std::mem::take(&mut client.forbidden_sheets);
        extra.signals = Some(signals);
    }
    Ok(page::output(&fetched, &fetched.markup(), &extra))
}

/// An answer of another type than requested.
fn wrong_type(answer: &Response, code: &str, message: &str) -> Failure {
    Failure::upstream(code, message).with_detail(json::json!({
        "receipt_id": answer.receipt_id,
        "content_type": page::essence(answer.header("content-type")),
    }))
}

fn parse_url(text: &str) -> Result<Url, Failure> {
    let invalid = |why: &str| Failure::invalid_input("invalid_url", format!("The URL {why}."));
    let mut url = Url::parse(text.trim()).map_err(|_| invalid("cannot be read"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(invalid("is neither http nor https"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(invalid("contains user information"));
    }
    url.set_fragment(None);
    Ok(url)
}

fn user_agent(contact_url: Option<&str>) -> String {
    let product = concat!("gtm-web-fetch/", env!("CARGO_PKG_VERSION"));
    match contact_url {
        Some(contact) if !contact.trim().is_empty() => format!("{product} (+{})", contact.trim()),
        _ => product.to_owned(),
    }
}

fn status_failure(answer: &Response) -> Failure {
    let failure = match answer.status {
        // A site that asks for payment is no use, but our own quota is not the problem.
        402 => Failure::upstream("http_402", "The site asks for payment."),
        _ => answer.status_failure(),
    };
    failure.with_detail(json::json!({"receipt_id": answer.receipt_id, "status": answer.status}))
}

/// What an origin's robots.txt said.
struct Permission {
    origin: Origin,
    rules: Rules,
    /// Whether there was a readable file.
    read: bool,
}

/// A sheet with the addresses of those that it imports.
type Importer = (ReadSheet, Vec<Url>);

struct Client {
    user_agent: String,
    robots: Vec<Permission>,
    /// Addresses of stylesheets that robots.txt forbids.
    forbidden_sheets: Vec<String>,
}

impl Client {
    fn get(&self, url: &Url, timeout_ms: u32) -> Request {
        Request::get(url.as_str())
            .header("user-agent", &self.user_agent)
            .timeout_ms(timeout_ms)
            .max_redirects(MAX_REDIRECTS)
    }

    fn robots_request(&self, url: &Url) -> Request {
        let mut address = url.clone();
        address.set_path("/robots.txt");
        address.set_query(None);
        self.get(&address, SIDE_TIMEOUT_MS)
            .header("accept", "text/plain,*/*;q=0.5")
            .max_body_bytes(robots::MAX_BYTES)
            .truncate()
    }

    fn known(&self, url: &Url) -> Option<&Permission> {
        let origin = url.origin();
        self.robots.iter().find(|known| known.origin == origin)
    }

    fn read_any(&self) -> bool {
        self.robots.iter().any(|known| known.read)
    }

    /// Fails unless robots.txt of the URL's origin allows it.
    fn require_permission(&mut self, url: &Url) -> Result<(), Failure> {
        if self.known(url).is_none() {
            let answer = self.robots_request(url).send();
            let permission = permission(url, answer)?;
            self.robots.push(permission);
        }
        if self.allows(url) {
            Ok(())
        } else {
            Err(Failure::denied(
                "robots_disallowed",
                "The site's robots.txt does not allow this page to be fetched.",
            ))
        }
    }

    fn allows(&self, url: &Url) -> bool {
        let path = match url.query() {
            Some(query) => format!("{}?{query}", url.path()),
            None => url.path().to_owned(),
        };
        url.path() == "/robots.txt"
            || self
                .known(url)
                .is_some_and(|known| known.rules.allows(&path))
    }

    /// Reads the sheets that paint the page, in the order in which they apply: each after those that it imports.
    /// The page's own last ones are asked for first, those of vendors last; an unavailable one makes room for the
    /// next, because nothing depends on it.
    fn linked_sheets(&mut self, page: &Url, linked: &[String]) -> Result<Vec<ReadSheet>, Failure> {
        let mut wanted: Vec<(usize, Url)> = linked
            .iter()
            .filter_map(|url| Url::parse(url).ok())
            .enumerate()
            .collect();
        wanted.sort_by_key(|(place, url)| (rank(page, url), Reverse(*place)));
        let mut left = wanted.into_iter();
        let mut asked: Vec<Url> = Vec::new();
        // The place of a sheet among those that are linked; what it imports has the same, and comes before it.
        let mut found: Vec<(usize, Reverse<usize>, ReadSheet)> = Vec::new();
        let mut imported: Vec<(usize, Url)> = Vec::new();
        for round in 0..SHEET_ROUNDS {
            let most = if round == 0 {
                MAX_SHEETS_AT_FIRST
            } else {
                MAX_SHEETS
            };
            let room = most.saturating_sub(found.len());
            // What is imported is part of a sheet that was chosen, so it comes before further ones.
            let batch: Vec<(usize, usize, Url)> = std::mem::take(&mut imported)
                .into_iter()
                .map(|(place, url)| (place, round, url))
                .chain(left.by_ref().map(|(place, url)| (place, 0, url)))
                .filter(|(.., url)| {
                    let new = !asked.contains(url);
                    if new && asked.len() < MAX_SHEETS_ASKED {
                        asked.push(url.clone());
                        return true;
                    }
                    false
                })
                .take(room)
                .collect();
            if batch.is_empty() {
                break;
            }
            let urls: Vec<Url> = batch.iter().map(|(.., url)| url.clone()).collect();
            for ((place, depth, _), read) in batch.into_iter().zip(self.read_sheets(&urls)?) {
                if let Some((sheet, imports)) = read {
                    imported.extend(imports.into_iter().map(|url| (place, url)));
                    found.push((place, Reverse(depth), sheet));
                }
            }
        }
        // The sort is stable: what one sheet imports keeps its order.
        found.sort_by_key(|(place, depth, _)| (*place, *depth));
        Ok(found.into_iter().map(|(.., sheet)| sheet).collect())
    }

    /// Reads sheets, all at once; each with the addresses of those that it imports, `None` for one that can't be
    /// had.
    fn read_sheets(&mut self, urls: &[Url]) -> Result<Vec<Option<Importer>>, Failure> {
        let mut unknown: Vec<&Url> = Vec::new();
        for url in urls {
            let asked = unknown.iter().any(|known| known.origin() == url.origin());
            if self.known(url).is_none() && !asked {
                unknown.push(url);
            }
        }
        let requests: Vec<_> = unknown.iter().map(|url| self.robots_request(url)).collect();
        for (url, answer) in unknown.into_iter().zip(http::send_all(&requests)) {
            match permission(url, answer) {
                Ok(permission) => self.robots.push(permission),
                Err(failure) if failure.kind == FailureKind::Canceled => return Err(failure),
                Err(failure) => log::debug(format!("stylesheet left out: {}", failure.code)),
            }
        }
        // One whose robots.txt could not be read is left out, but nobody forbade it.
        let forbidden = urls
            .iter()
            .filter(|url| self.known(url).is_some_and(|known| known.read) && !self.allows(url))
            .map(Url::to_string);
        let forbidden: Vec<String> = forbidden.collect();
        self.forbidden_sheets.extend(forbidden);
        let mut read: Vec<Option<Importer>> = urls.iter().map(|_| None).collect();
        let allowed: Vec<(usize, &Url)> = urls
            .iter()
            .enumerate()
            .filter(|(_, url)| self.allows(url))
            .collect();
        let requests: Vec<_> = allowed
            .iter()
            .map(|(_, url)| {
                self.get(url, SIDE_TIMEOUT_MS)
                    .header("accept", "text/css,*/*;q=0.1")
                    .max_body_bytes(MAX_SHEET_BYTES)
                    .truncate()
            })
            .collect();
        for ((at, url), answer) in allowed.into_iter().zip(http::send_all(&requests)) {
            match answer.and_then(Response::error_for_status) {
                Ok(answer) => {
                    let css = gtm_page_text::decode(
                        answer.header("content-type"),
                        Media::Text,
                        &answer.body,
                    );
                    let base = Url::parse(&answer.final_url).unwrap_or_else(|_| url.clone());
                    let imports = css::imports(&css.text);
                    let imports = imports.iter().filter_map(|import| base.join(import).ok());
                    let imports = imports.filter(|url| matches!(url.scheme(), "http" | "https"));
                    let sheet = ReadSheet {
                        url: Some(url.to_string()),
                        receipt_id: Some(answer.receipt_id),
                        sheet: Sheet::read(&css.text),
                    };
                    if let Some(slot) = read.get_mut(at) {
                        *slot = Some((sheet, imports.collect()));
                    }
                }
                Err(failure) if failure.kind == FailureKind::Canceled => return Err(failure),
                Err(failure) => log::debug(format!("stylesheet left out: {}", failure.code)),
            }
        }
        Ok(read)
    }
}

/// In which order sheets are worth asking for: the site's own, others, those of vendors.
fn rank(page: &Url, sheet: &Url) -> u8 {
    match (is_of_vendor(sheet), is_same_site(page, sheet)) {
        (true, _) => 2,
        (false, false) => 1,
        (false, true) => 0,
    }
}

/// Reads the answer to a request for robots.txt (RFC 9309, 2.3.1): if there is none, everything is allowed;
/// if the server fails or cannot be reached, nothing is.
fn permission(url: &Url, answer: Result<Response, Failure>) -> Result<Permission, Failure> {
    let everything = |read| Permission {
        origin: url.origin(),
        rules: Rules::default(),
        read,
    };
    let unreachable = |why: Value| {
        Failure::denied(
            "robots_unreachable",
            "The site's robots.txt could not be read, so the page was not fetched.",
        )
        .with_detail(why)
    };
    match answer {
        Ok(answer) if answer.is_success() => {
            let text = gtm_page_text::decode(None, Media::Text, &answer.body).text;
            Ok(Permission {
                rules: Rules::parse(&text),
                ..everything(true)
            })
        }
        Ok(answer) if answer.status >= 500 => {
            Err(unreachable(json::json!({"status": answer.status})))
        }
        Ok(_) => Ok(everything(false)),
        // More redirects than are followed count as a missing file.
        Err(failure) if failure.code == "too_many_redirects" => Ok(everything(false)),
        Err(failure) => match failure.kind {
            // The gate refuses the site itself, or the job has ended: report that, not robots.txt.
            FailureKind::Denied | FailureKind::Canceled | FailureKind::Internal => Err(failure),
            // The page itself would fail the same way: the site cannot be reached, whatever its robots.txt
            // says.
            _ if matches!(failure.code.as_str(), "dns_failed" | "connect_failed") => Err(failure),
            _ => Err(unreachable(json::json!({"cause": failure.code}))),
        },
    }
}
