//! Addresses of pages, for telling whether two are the same.

/// The address of a page, without what leads to a part of it.
pub fn bare(address: &str) -> &str {
    let page = address.split(['#', '?']).next().unwrap_or_default();
    page.trim_end_matches('/').trim_end_matches(".html")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_page_and_its_form_do_not_count() {
        for address in [
            "https://a.example/b",
            "https://a.example/b/",
            "https://a.example/b.html#c",
            "https://a.example/b?c=d",
        ] {
            assert_eq!(bare(address), "https://a.example/b");
        }
    }
}
