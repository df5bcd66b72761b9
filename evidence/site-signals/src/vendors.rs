//! Style sheets that paint many sites alike: those of frameworks, icon fonts and widgets.

use gtm_lexicon::class_names::VENDORS;
use gtm_lexicon::fold;
use url::Url;

/// Folders of paths in which site builders keep what others made.
const FOLDERS: &[&str] = &[
    "/plugins/",
    "/node_modules/",
    "/vendor/",
    "/vendors/",
    "/wp-includes/",
    "/spryassets/",
];
/// Hosts that serve packages of others.
const HOSTS: &[&str] = &[
    "cdnjs.cloudflare.com",
    "cdn.jsdelivr.net",
    "maxcdn.bootstrapcdn.com",
    "stackpath.bootstrapcdn.com",
    "unpkg.com",
    "use.fontawesome.com",
];

/// Whether a style sheet is somebody else's, told by its address.
pub fn is_of_vendor(address: &Url) -> bool {
    let host = address.host_str().unwrap_or_default();
    let path = address.path().to_ascii_lowercase();
    let file = fold(path.rsplit('/').next().unwrap_or_default());
    let words: Vec<&str> = crate::css::words(&file).collect();
    // A package in a folder of its own: `/bootstrap/css/style.css` is still the site's.
    HOSTS.contains(&host)
        || FOLDERS.iter().any(|folder| path.contains(folder))
        || words.iter().any(|word| VENDORS.contains(word))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn sheets_of_others_are_known_by_their_address() {
        let is = |address: &str| is_of_vendor(&Url::parse(address).unwrap());
        for address in [
            "https://a.example/css/bootstrap.min.css",
            "https://a.example/assets/font-awesome.css?v=4",
            "https://a.example/wp-content/plugins/elementor/assets/css/frontend.min.css",
            "https://cdn.jsdelivr.net/npm/x/dist/x.css",
            "https://a.example/js/swiper-bundle.min.css",
            "https://a.example/SpryAssets/SpryMenuBarVertical.css",
            "https://a.example/wp-includes/css/dist/block-library/style.min.css",
        ] {
            assert!(is(address), "{address}");
        }
        for address in [
            "https://a.example/css/style.css",
            "https://a.example/assets/tailwind.css?v=2",
            "https://a.example/wp-content/uploads/elementor/css/post-5.css",
            "https://a.example/wp-content/themes/acme/main.css",
            "https://fonts.googleapis.com/css2?family=Inter",
        ] {
            assert!(!is(address), "{address}");
        }
    }
}
