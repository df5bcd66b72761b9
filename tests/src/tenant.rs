//! A tenant, created through the CLI as an operator would do it.

use serde_json::{Value, json};

use crate::client::Client;
use crate::fake_model::{API_KEY, FakeModel};
use crate::gtm_process::Gtm;

/// An organization with one project and one key.
pub struct Tenant {
    pub organization: String,
    pub project: String,
    pub key_id: String,
    pub key: String,
}

/// Credit in dollars that a tenant is granted; with the highest tier, enough for any test.
const CREDIT: &str = "10000";

fn id(value: &Value) -> String {
    value["id"]
        .as_str()
        .unwrap_or_else(|| panic!("no id: {value}"))
        .to_owned()
}

impl Tenant {
    pub fn create(gtm: &Gtm, name: &str) -> Self {
        let tenant = Self::without_credit(gtm, name);
        gtm.cli(&["credit", "grant", &tenant.organization, CREDIT]);
        // A test that configures its own usage tiers wants the tenant to start in them.
        if !gtm.options.extra_toml.contains("usage_tiers") {
            gtm.cli(&["org", "update", &tenant.organization, "--tier", "tier_5"]);
        }
        tenant
    }

    /// A prepaid organization in the lowest tier, as `gtm org create` creates it.
    pub fn without_credit(gtm: &Gtm, name: &str) -> Self {
        let organization = id(&gtm.cli(&["org", "create", name]));
        let project = id(&gtm.cli(&["project", "create", "--org", &organization, "main"]));
        let key = gtm.cli(&["key", "create", "--project", &project, "tests"]);
        Self {
            organization,
            project,
            key_id: id(&key),
            key: key["secret"].as_str().unwrap().to_owned(),
        }
    }

    pub fn client(&self, gtm: &Gtm) -> Client {
        Client::new(&gtm.base(), &self.key)
    }

    /// Binds the web-fetch connector.
    pub fn bind_web(&self, gtm: &Gtm) -> String {
        let connection = id(&gtm.cli(&[
            "connection",
            "create",
            "--project",
            &self.project,
            "--provider",
            "web-fetch",
        ]));
        self.bind_connection(gtm, "web.fetch", &connection);
        connection
    }

    /// Binds the openai-compatible connector to a fake model at two dollars per million tokens.
    pub fn bind_model(&self, gtm: &Gtm, model: &FakeModel) -> String {
        self.bind_model_with(
            gtm,
            json!({
                "base_url": model.base_url(), "model": "fake-1",
                "prices": {"input_per_million_usd": 2.0, "output_per_million_usd": 2.0},
            }),
        )
    }

    /// Binds the openai-compatible connector with these settings and the fake model's key.
    pub fn bind_model_with(&self, gtm: &Gtm, settings: Value) -> String {
        let settings = settings.to_string();
        let arguments = [
            "connection",
            "create",
            "--project",
            &self.project,
            "--provider",
            "openai-compatible",
            "--settings-json",
            &settings,
            "--credential-env",
            "api_key=GTM_TEST_FAKE_KEY",
        ];
        let output = gtm.cli_output(&arguments, &[("GTM_TEST_FAKE_KEY", API_KEY)]);
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let connection = id(&serde_json::from_slice(&output.stdout).unwrap());
        self.bind_connection(gtm, "model.complete", &connection);
        connection
    }

    pub fn bind_connection(&self, gtm: &Gtm, capability: &str, connection: &str) {
        gtm.cli(&[
            "binding",
            "create",
            "--project",
            &self.project,
            "--capability",
            capability,
            "--connection",
            connection,
        ]);
    }

    /// Binds a generation backend for playbooks.
    pub fn bind_backend(&self, gtm: &Gtm, backend: &str, settings: &Value) {
        self.bind_backend_to(gtm, "playbooks", backend, settings);
    }

    /// Binds a generation backend for a capability. The setting `start_urls` belongs to the binding, not to
    /// the backend.
    pub fn bind_backend_to(&self, gtm: &Gtm, capability: &str, backend: &str, settings: &Value) {
        let mut settings = settings.clone();
        let start_urls = settings
            .as_object_mut()
            .and_then(|members| members.remove("start_urls"));
        let settings = settings.to_string();
        let mut arguments = vec![
            "binding",
            "create",
            "--project",
            &self.project,
            "--capability",
            capability,
            "--backend",
            backend,
            "--settings-json",
            &settings,
        ];
        let pairs: Vec<String> = (start_urls.as_ref().and_then(Value::as_object).into_iter())
            .flatten()
            .map(|(domain, url)| format!("{domain}={}", url.as_str().unwrap()))
            .collect();
        for pair in &pairs {
            arguments.extend(["--start-url", pair]);
        }
        gtm.cli(&arguments);
    }
}
