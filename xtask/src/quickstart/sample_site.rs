//! Serves the sample company's static pages on loopback, so that a newcomer without a network sees the real
//! path: HTTP through the real egress gate.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};

use super::setup::{PrivateHost, WEB_FETCH};

/// The domain under which the sample pages are researched. `.example` never resolves (RFC 2606); the
/// backend's setting `start_urls` points to the loopback address instead.
pub const DOMAIN: &str = "tarnbeck.example";
pub const COMPANY: &str = "Tarnbeck";
/// Folder of the pages, below the workspace's root.
const FOLDER: &str = "samples/company-site";
/// Longest request line and headers that this server accepts.
const MAX_HEAD: u64 = 16 * 1024;
const TIMEOUT: Duration = Duration::from_secs(10);

/// The running server; it ends with the process.
pub struct SampleSite {
    /// Port on 127.0.0.1.
    pub port: u16,
}

impl SampleSite {
    /// Starts serving on this port if it is free, otherwise on any free port.
    pub fn start(workspace_root: &Path, wanted_port: Option<u16>) -> Result<Self> {
        let folder = workspace_root.join(FOLDER);
        let folder = folder
            .canonicalize()
            .with_context(|| format!("{} is missing", folder.display()))?;
        let listener = wanted_port
            .and_then(|port| TcpListener::bind(("127.0.0.1", port)).ok())
            .map_or_else(|| TcpListener::bind(("127.0.0.1", 0)), Ok)
            .context("cannot listen on 127.0.0.1")?;
        let port = listener.local_addr()?.port();
        let folder = Arc::new(folder);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let folder = Arc::clone(&folder);
                // A visitor may disconnect early; ignore that error.
                std::thread::spawn(move || answer(&folder, &stream).ok());
            }
        });
        Ok(Self { port })
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// The site's entry in the egress gate's configuration: only for the connector that reads pages.
    pub fn private_host(&self) -> PrivateHost {
        PrivateHost {
            host: "127.0.0.1".to_owned(),
            port: self.port,
            connector: WEB_FETCH,
            open_web: true,
        }
    }
}

fn answer(folder: &Path, stream: &TcpStream) -> std::io::Result<()> {
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    let mut head = BufReader::new(stream.take(MAX_HEAD));
    let mut request = String::new();
    head.read_line(&mut request)?;
    let mut header = String::new();
    while head.read_line(&mut header)? > 2 {
        header.clear();
    }
    let mut words = request.split_ascii_whitespace();
    let (method, target) = (
        words.next().unwrap_or_default(),
        words.next().unwrap_or_default(),
    );
    let (status, media_type, body) = match (method, find(folder, target)) {
        ("GET" | "HEAD", Some(path)) => ("200 OK", media_type(&path), fs::read(&path)?),
        ("GET" | "HEAD", None) => ("404 Not Found", "text/plain", b"not found\n".to_vec()),
        _ => (
            "405 Method Not Allowed",
            "text/plain",
            b"only GET and HEAD\n".to_vec(),
        ),
    };
    let mut out = stream;
    write!(
        out,
        "HTTP/1.1 {status}\r\ncontent-type: {media_type}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    )?;
    if method != "HEAD" {
        out.write_all(&body)?;
    }
    out.flush()
}

/// The file for a request target, if it is inside the folder: `/about` is `about`, `about.html` or
/// `about/index.html`.
fn find(folder: &Path, target: &str) -> Option<PathBuf> {
    let path = target
        .split(['?', '#'])
        .next()?
        .trim_start_matches('/')
        .trim_end_matches('/');
    let plain = folder.join(path);
    [
        plain.clone(),
        plain.with_extension("html"),
        plain.join("index.html"),
    ]
    .into_iter()
    // Symbolic links and `..` must not lead out of the folder.
    .filter_map(|candidate| candidate.canonicalize().ok())
    .find(|candidate| candidate.is_file() && candidate.starts_with(folder))
}

fn media_type(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("txt") => "text/plain; charset=utf-8",
        Some("xml") => "application/xml",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn pages_are_found_and_nothing_outside_is() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("site");
        fs::create_dir_all(folder.join("about")).unwrap();
        for name in [
            "index.html",
            "pricing.html",
            "about/index.html",
            "robots.txt",
        ] {
            fs::write(folder.join(name), name).unwrap();
        }
        fs::write(place.path().join("secret.html"), "no").unwrap();
        let folder = folder.canonicalize().unwrap();
        let name = |target| {
            find(&folder, target).map(|path| {
                path.strip_prefix(&folder)
                    .unwrap()
                    .to_string_lossy()
                    .into_owned()
            })
        };
        assert_eq!(name("/").as_deref(), Some("index.html"));
        assert_eq!(name("/pricing?x=1").as_deref(), Some("pricing.html"));
        assert_eq!(name("/about/").as_deref(), Some("about/index.html"));
        assert_eq!(name("/robots.txt").as_deref(), Some("robots.txt"));
        assert_eq!(name("/missing"), None);
        assert_eq!(name("/../secret.html"), None);
        assert_eq!(name("/../secret"), None);
    }
}
