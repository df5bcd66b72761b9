//! `Accept`: which media types a caller prefers (RFC 9110, section 12.5.1).

use http::HeaderMap;
use http::header::ACCEPT;

/// The media ranges of a request.
#[derive(Debug)]
pub struct Accepted(Vec<(String, f32)>);

impl Accepted {
    /// The media ranges of the `Accept` headers; empty without any.
    #[must_use]
    pub fn of(headers: &HeaderMap) -> Self {
        Self(
            headers
                .get_all(ACCEPT)
                .iter()
                .filter_map(|value| value.to_str().ok())
                .flat_map(|value| value.split(','))
                .map(weighted)
                .collect(),
        )
    }

    /// The weight of the first of these ranges that the request names, so the most specific should come
    /// first; 0 if it names none.
    #[must_use]
    pub fn quality(&self, ranges: &[&str]) -> f32 {
        let found = ranges.iter().find_map(|wanted| {
            let named = self.0.iter().filter(|(range, _)| range == wanted);
            named.map(|(_, quality)| *quality).reduce(f32::max)
        });
        found.unwrap_or(0.0)
    }
}

/// A media range in lower case, and its weight: 0 not at all, 1 most. An invalid weight is ignored.
fn weighted(range: &str) -> (String, f32) {
    let mut parts = range.split(';').map(str::trim);
    let name = parts.next().unwrap_or_default().to_ascii_lowercase();
    let weight = parts.find_map(|parameter| {
        let (key, value) = parameter.split_once('=')?;
        key.trim_end()
            .eq_ignore_ascii_case("q")
            .then(|| value.trim().parse().ok())?
    });
    let weight = weight.filter(|q| (0.0..=1.0).contains(q));
    (name, weight.unwrap_or(1.0))
}
