//! Fake company sites on loopback: pages, robots.txt, redirects, and every kind of bad behavior. Writes
//! HTTP/1.1 by hand over plain TCP, because a server library would not let us produce the interesting cases.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The answer of a path.
#[derive(Clone)]
pub enum Page {
    /// 200 with a media type and a body.
    Ok(&'static str, Vec<u8>),
    /// A status with headers and a body.
    Status(u16, Vec<(&'static str, String)>, Vec<u8>),
    Redirect(String),
    /// Accepts the request and never answers.
    Silent,
    /// One byte of the body per second, forever.
    Drip,
    Endless,
    /// A small gzip body that grows to this many bytes.
    GzipBomb(usize),
    /// Announces more bytes than it sends.
    Truncated(Vec<u8>),
    /// Closes the connection at once.
    Reset,
}

impl Page {
    pub fn html(body: &str) -> Self {
        Self::Ok("text/html; charset=utf-8", body.as_bytes().to_vec())
    }
}

struct Inner {
    pages: Mutex<BTreeMap<String, Page>>,
    requests: Mutex<Vec<String>>,
    latency: Mutex<Duration>,
    endless: Mutex<Vec<Endless>>,
}

/// Pages below a prefix, numbered from 1, each of which links to the next without end.
#[derive(Clone)]
pub struct Endless {
    pub prefix: String,
    pub title: String,
    pub text: String,
    /// Text of the link to the next page.
    pub next: String,
}

impl Endless {
    fn page(&self, path: &str) -> Option<Page> {
        let number: u64 = path
            .strip_prefix(&self.prefix)?
            .trim_end_matches(".html")
            .parse()
            .ok()?;
        let (title, text, next) = (&self.title, &self.text, &self.next);
        let (prefix, further) = (&self.prefix, number.saturating_add(1));
        Some(Page::html(&format!(
            "<!doctype html><html><head><title>{title} {number}</title></head><body><h1>{title} {number}</h1><p>{text}</p><p><a href=\"{prefix}{further}.html\">{next}</a></p></body></html>"
        )))
    }
}

/// A running site.
#[derive(Clone)]
pub struct FakeSite {
    inner: Arc<Inner>,
    pub address: SocketAddr,
}

impl FakeSite {
    /// Serves these paths; all others answer 404.
    pub async fn start(pages: impl IntoIterator<Item = (&'static str, Page)>) -> Self {
        let pages = pages
            .into_iter()
            .map(|(path, page)| (path.to_owned(), page))
            .collect();
        Self::serve(|_| pages).await
    }

    /// Serves the files below a folder; a folder's own path serves its `index.html`.
    pub async fn of_folder(folder: &std::path::Path) -> Self {
        let mut pages = BTreeMap::new();
        collect(folder, "/", &mut pages);
        Self::serve(|_| pages).await
    }

    /// Serves the pages that `pages` builds from the server's address.
    pub(crate) async fn serve(
        pages: impl FnOnce(SocketAddr) -> BTreeMap<String, Page> + Send,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let inner = Arc::new(Inner {
            pages: Mutex::new(pages(address)),
            requests: Mutex::default(),
            latency: Mutex::default(),
            endless: Mutex::default(),
        });
        let shared = inner.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let shared = shared.clone();
                tokio::spawn(async move {
                    let _ = answer(stream, shared).await;
                });
            }
        });
        Self { inner, address }
    }

    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }
    pub fn set(&self, path: &str, page: Page) {
        self.inner
            .pages
            .lock()
            .unwrap()
            .insert(path.to_owned(), page);
    }
    pub fn set_latency(&self, latency: Duration) {
        *self.inner.latency.lock().unwrap() = latency;
    }
    pub fn add_endless(&self, pages: Endless) {
        self.inner.endless.lock().unwrap().push(pages);
    }
    /// Requested paths, in order.
    pub fn requests(&self) -> Vec<String> {
        self.inner.requests.lock().unwrap().clone()
    }
    pub fn forget(&self) {
        self.inner.requests.lock().unwrap().clear();
    }
}

pub(crate) fn collect(folder: &std::path::Path, prefix: &str, pages: &mut BTreeMap<String, Page>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let path = format!("{prefix}{name}");
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{path}/"), pages);
            continue;
        }
        let media_type = match name.rsplit('.').next() {
            Some("html") => "text/html; charset=utf-8",
            Some("css") => "text/css",
            Some("txt") => "text/plain",
            Some("xml") => "application/xml",
            Some("svg") => "image/svg+xml",
            Some("png") => "image/png",
            Some("js") => "text/javascript",
            Some("json") => "application/json",
            Some("webmanifest") => "application/manifest+json",
            _ => "application/octet-stream",
        };
        let page = Page::Ok(media_type, std::fs::read(entry.path()).unwrap());
        if name == "index.html" {
            pages.insert(prefix.to_owned(), page.clone());
            if prefix != "/" {
                pages.insert(prefix.trim_end_matches('/').to_owned(), page.clone());
            }
        }
        if let Some(stem) = path.strip_suffix(".html") {
            pages.insert(stem.to_owned(), page.clone());
        }
        pages.insert(path, page);
    }
}

async fn answer(mut stream: TcpStream, inner: Arc<Inner>) -> std::io::Result<()> {
    loop {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0; 1];
            if stream.read(&mut byte).await? == 0 {
                return Ok(());
            }
            head.push(byte[0]);
        }
        let head = String::from_utf8_lossy(&head).into_owned();
        let path = head
            .split(' ')
            .nth(1)
            .unwrap_or("/")
            .split('?')
            .next()
            .unwrap_or("/")
            .to_owned();
        inner.requests.lock().unwrap().push(path.clone());
        let latency = *inner.latency.lock().unwrap();
        tokio::time::sleep(latency).await;
        let page = inner.pages.lock().unwrap().get(&path).cloned();
        let page = page.or_else(|| {
            let endless = inner.endless.lock().unwrap();
            endless.iter().find_map(|pages| pages.page(&path))
        });
        match page {
            None if path == "/robots.txt" => whole(&mut stream, 404, &[], b"").await?,
            None => {
                let headers = [("content-type", "text/html".to_owned())];
                whole(&mut stream, 404, &headers, b"<h1>Not found</h1>").await?;
            }
            Some(Page::Ok(media_type, body)) => {
                whole(
                    &mut stream,
                    200,
                    &[("content-type", media_type.to_owned())],
                    &body,
                )
                .await?;
            }
            Some(Page::Status(status, headers, body)) => {
                whole(&mut stream, status, &headers, &body).await?
            }
            Some(Page::Redirect(to)) => whole(&mut stream, 302, &[("location", to)], b"").await?,
            Some(Page::Silent) => tokio::time::sleep(Duration::from_secs(3600)).await,
            Some(Page::Drip) => {
                stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 100000\r\n\r\n").await?;
                loop {
                    stream.write_all(b"x").await?;
                    tokio::time::sleep(Duration::from_secs(1)).await;
                }
            }
            Some(Page::Endless) => {
                stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n<p>").await?;
                let chunk = vec![b'a'; 65536];
                loop {
                    stream.write_all(&chunk).await?;
                }
            }
            Some(Page::GzipBomb(size)) => {
                let body = gzip_of_zeros(size);
                let headers = [
                    ("content-type", "text/html".to_owned()),
                    ("content-encoding", "gzip".to_owned()),
                ];
                whole(&mut stream, 200, &headers, &body).await?;
            }
            Some(Page::Truncated(body)) => {
                let head = format!(
                    "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {}\r\n\r\n",
                    body.len() + 1000
                );
                stream.write_all(head.as_bytes()).await?;
                stream.write_all(&body).await?;
                return stream.shutdown().await;
            }
            Some(Page::Reset) => return Ok(()),
        }
    }
}

async fn whole(
    stream: &mut TcpStream,
    status: u16,
    headers: &[(&str, String)],
    body: &[u8],
) -> std::io::Result<()> {
    let mut head = format!(
        "HTTP/1.1 {status} Status\r\ncontent-length: {}\r\n",
        body.len()
    );
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body).await
}

/// A gzip member of `size` zero bytes; zeros compress about a thousandfold.
fn gzip_of_zeros(size: usize) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let chunk = vec![0u8; 1 << 20];
    let mut left = size;
    while left > 0 {
        let now = left.min(chunk.len());
        encoder.write_all(&chunk[..now]).unwrap();
        left -= now;
    }
    encoder.finish().unwrap()
}
