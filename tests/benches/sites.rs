//! Researches real organisations' sites from a folder outside the repository as brands and as targets of playbooks, and
//! keeps the results, to be judged against facts that somebody wrote down before. `cargo xtask bench sites --folder
//! FOLDER --output FOLDER` builds and starts it. Nothing of such sites is ever committed.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout
)]

use std::path::PathBuf;

use gtm_e2e::brand_lane::Model;
use gtm_e2e::real_sites;

#[tokio::main]
async fn main() {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let (Some(sites), Some(output)) = (folder("GTM_SITES"), folder("GTM_SITES_OUTPUT")) else {
        println!("nothing to read: `cargo xtask bench sites` names a folder of sites");
        return;
    };
    let sites = real_sites::all(&sites);
    let model = Model::from_environment();
    let read = real_sites::research(&sites, model.as_ref(), &output).await;
    println!(
        "{:24} {:>24} {:>24} {:>7} {:>8} {:>6}",
        "site", "brand", "playbook", "claims", "requests", "s"
    );
    for site in &read {
        println!(
            "{:24} {:>24} {:>24} {:>3}+{:<3} {:>8} {:>6.1}",
            site.site,
            site.brand,
            site.playbook,
            site.claims.0,
            site.claims.1,
            site.requests,
            site.seconds
        );
    }
}
