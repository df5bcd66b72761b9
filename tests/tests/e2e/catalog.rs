//! The operator's view of the catalog: the loaded plug-ins, and the refused ones with the reason.

use gtm_e2e::gtm_process::{Gtm, Options, catalog};

pub fn copy(from: &std::path::Path, to: &std::path::Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target)
        } else {
            std::fs::copy(entry.path(), target).map(drop).unwrap()
        }
    }
}

/// The single version folder of a shipped plug-in.
pub fn package(catalog: &std::path::Path, kind: &str, key: &str) -> std::path::PathBuf {
    std::fs::read_dir(catalog.join(kind).join(key))
        .unwrap()
        .flatten()
        .next()
        .unwrap()
        .path()
}

fn entry<'a>(list: &'a serde_json::Value, member: &str, key: &str) -> &'a serde_json::Value {
    let entries = list[member].as_array().unwrap_or_else(|| panic!("{list}"));
    entries
        .iter()
        .find(|e| e.to_string().contains(key))
        .unwrap_or_else(|| panic!("{key} not in {list}"))
}

#[test]
fn a_bad_package_is_refused_with_its_reason_and_the_rest_loads() {
    let broken = tempfile::tempdir().unwrap();
    copy(&catalog(), broken.path());
    let web = package(broken.path(), "connector", "web-fetch");
    let mut component = std::fs::read(web.join("component.wasm")).unwrap();
    let last = component.len() - 1;
    component[last] ^= 1;
    std::fs::write(web.join("component.wasm"), component).unwrap();
    let model = package(broken.path(), "connector", "openai-compatible");
    let manifest = std::fs::read_to_string(model.join("manifest.json")).unwrap();
    std::fs::write(
        model.join("manifest.json"),
        manifest.replacen("\"limits\"", "\"limitz\"", 1),
    )
    .unwrap();
    let searching = package(broken.path(), "connector", "searxng");
    std::fs::write(searching.join("manifest.json"), "{").unwrap();

    let gtm = Gtm::prepare(Options::default());
    let path = gtm.dir.path().join("gtm.toml");
    let config = std::fs::read_to_string(&path).unwrap();
    std::fs::write(
        &path,
        config.replace(catalog().to_str().unwrap(), broken.path().to_str().unwrap()),
    )
    .unwrap();
    let list = gtm.cli(&["plugin", "list"]);
    assert!(
        entry(&list, "refused", "web-fetch")
            .to_string()
            .contains("digest"),
        "{list}"
    );
    let refused = |key| entry(&list, "refused", key)["code"].clone();
    assert_eq!(
        refused("openai-compatible"),
        "signature_invalid",
        "what nobody signed is not looked at further"
    );
    assert_eq!(refused("searxng"), "manifest_not_json");
    entry(&list, "plugins", "playbook");
}

#[test]
fn an_untrusted_publisher_is_refused() {
    let gtm = Gtm::prepare(Options::default());
    let path = gtm.dir.path().join("gtm.toml");
    let config = std::fs::read_to_string(&path).unwrap();
    let key = gtm_e2e::gtm_process::publisher_key();
    let other = "A".repeat(43) + "=";
    std::fs::write(&path, config.replace(&key, &other)).unwrap();
    let list = gtm.cli(&["plugin", "list"]);
    assert_eq!(list["plugins"].as_array().map(Vec::len), Some(0), "{list}");
    assert!(
        entry(&list, "refused", "playbook")
            .to_string()
            .contains("signature"),
        "{list}"
    );
}

#[test]
fn configuration_errors_name_the_field() {
    let gtm = Gtm::prepare(Options::default());
    let path = gtm.dir.path().join("gtm.toml");
    let good = std::fs::read_to_string(&path).unwrap();
    for (line, word) in [
        ("lisen = \"127.0.0.1:1\"\n", "lisen"),
        ("listen = 7\n", "listen"),
        ("listen = \"nowhere\"\n", "listen"),
    ] {
        std::fs::write(&path, format!("{line}{good}")).unwrap();
        let output = gtm.cli_output(&["config", "check"], &[]);
        let message = String::from_utf8_lossy(&output.stderr).into_owned()
            + &String::from_utf8_lossy(&output.stdout);
        assert!(
            !output.status.success() && message.contains(word),
            "{line}: {message}"
        );
    }
    std::fs::write(&path, good).unwrap();
    let shown = gtm.cli(&["config", "check"]).to_string();
    assert!(
        shown.contains("listen") && shown.contains("default") && shown.contains("file"),
        "{shown}"
    );
}
