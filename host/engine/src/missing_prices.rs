//! Finds the calls of a connection that the host would refuse because no price is set, so that commands can
//! warn before a job fails.

use gtm_runtime::Manifest;
use gtm_runtime::manifest::{Operation, SideEffect};
use serde_json::{Value, json};

use crate::spend::{MODEL_COMPLETE, PEOPLE_SEARCH, Price};

/// Prices that a connection's settings lack.
#[derive(Debug, Clone, PartialEq)]
pub struct MissingPrices {
    /// The capabilities whose calls would be refused, in the manifest's order.
    pub capabilities: Vec<String>,
    /// The settings with an example of the missing price; `None` if the connector has no setting for it.
    pub example: Option<Value>,
}

impl MissingPrices {
    /// The missing prices for a connector's operations, or only for the one that serves `capability`;
    /// `None` if each has a price or is free.
    #[must_use]
    pub fn of(manifest: &Manifest, settings: &Value, capability: Option<&str>) -> Option<Self> {
        let asked = |operation: &&Operation| {
            capability.is_none_or(|asked| asked == operation.capability)
                // If several operations serve one capability, only the first is ever called.
                && manifest.operation_for(&operation.capability).is_some_and(|first| first.id == operation.id)
        };
        let unknown = |operation: &&Operation| {
            let billable = operation.side_effect == SideEffect::BillableRead;
            Price::of(&operation.capability, billable, settings) == Price::Unknown
        };
        let operations = manifest.operations.iter().filter(asked);
        let capabilities: Vec<String> = operations
            .filter(unknown)
            .map(|operation| operation.capability.clone())
            .collect();
        capabilities.first()?;
        let example = capabilities
            .iter()
            .try_fold(settings.clone(), |settings, capability| {
                example(manifest, capability, &settings)
            });
        Some(Self {
            capabilities,
            example,
        })
    }
}

/// The settings with the missing price added; its figures are only an example.
fn example(manifest: &Manifest, capability: &str, settings: &Value) -> Option<Value> {
    let schema = manifest.settings_schema.as_ref()?;
    let has = |pointer: &str| schema.pointer(pointer).is_some();
    let (name, value) =
        if capability == PEOPLE_SEARCH && has("/properties/prices/properties/per_record_usd") {
            ("prices", json!({"per_record_usd": 0.01}))
        } else if has("/properties/prices/properties/per_request_usd") {
            ("prices", json!({"per_request_usd": 0.01}))
        } else if has("/properties/prices") && capability == MODEL_COMPLETE {
            let tokens = json!({"input_per_million_usd": 2, "output_per_million_usd": 8});
            ("prices", tokens)
        } else if has("/properties/free") {
            ("free", json!(true))
        } else {
            return None;
        };
    let mut settings = settings.as_object()?.clone();
    match (settings.get_mut(name), value) {
        // Prices of other operations stay.
        (Some(Value::Object(held)), Value::Object(more)) => held.extend(more),
        (_, value) => {
            settings.insert(name.to_owned(), value);
        }
    }
    Some(Value::Object(settings))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn shipped(text: &str) -> Manifest {
        serde_json::from_str(text).unwrap()
    }

    fn model() -> Manifest {
        shipped(include_str!(
            "../../../connectors/openai-compatible/manifest.json"
        ))
    }

    #[test]
    fn a_model_without_prices_is_told_with_settings_that_would_do() {
        let bare = json!({"base_url": "https://api.example/v1", "model": "m"});
        let missing = MissingPrices::of(&model(), &bare, None).unwrap();
        assert_eq!(missing.capabilities, [MODEL_COMPLETE]);
        let example = missing.example.unwrap();
        assert_eq!(example["base_url"], bare["base_url"]);
        assert_eq!(MissingPrices::of(&model(), &example, None), None);
        for unusable in [json!("dear"), json!({"input_per_million_usd": 2})] {
            let mut settings = bare.clone();
            settings["prices"] = unusable;
            assert!(MissingPrices::of(&model(), &settings, None).is_some());
        }
        let mut free = bare.clone();
        free["free"] = json!(true);
        assert_eq!(MissingPrices::of(&model(), &free, None), None);
        free["free"] = json!(false);
        assert!(MissingPrices::of(&model(), &free, None).is_some());
        let other = Some("web.fetch");
        assert_eq!(MissingPrices::of(&model(), &bare, other), None);
    }

    #[test]
    fn each_connector_is_told_its_own_form_of_prices() {
        let data = shipped(include_str!(
            "../../../connectors/people-data-labs/manifest.json"
        ));
        let missing = MissingPrices::of(&data, &json!({}), Some("company.enrich")).unwrap();
        let example = missing.example.unwrap();
        assert_eq!(example, json!({"prices": {"per_request_usd": 0.01}}));
        assert_eq!(
            MissingPrices::of(&data, &example, Some("company.enrich")),
            None
        );
        let missing = MissingPrices::of(&data, &example, None).unwrap();
        assert_eq!(missing.capabilities, ["people.search"]);
        let people = missing.example.unwrap();
        assert_eq!(
            people,
            json!({"prices": {"per_request_usd": 0.01, "per_record_usd": 0.01}})
        );
        assert_eq!(MissingPrices::of(&data, &people, None), None);
        let search = shipped(include_str!("../../../connectors/searxng/manifest.json"));
        assert_eq!(MissingPrices::of(&search, &json!({}), None), None);
    }

    #[test]
    fn an_operation_that_is_never_called_needs_no_price() {
        let mut manifest = model();
        let mut second = manifest.operations[0].clone();
        second.id = "second".to_owned();
        second.capability = "web.search".to_owned();
        second.side_effect = SideEffect::BillableRead;
        let mut first = second.clone();
        first.id = "first".to_owned();
        first.side_effect = SideEffect::Read;
        manifest.operations = vec![first, second.clone()];
        assert_eq!(MissingPrices::of(&manifest, &json!({}), None), None);
        manifest.operations = vec![second];
        assert!(MissingPrices::of(&manifest, &json!({}), None).is_some());
    }

    #[test]
    fn no_setting_is_named_that_the_connector_does_not_have() {
        let mut manifest = model();
        manifest.settings_schema = None;
        let missing = MissingPrices::of(&manifest, &json!({}), None).unwrap();
        assert_eq!(missing.example, None);
        manifest.settings_schema = Some(json!({"properties": {"free": {"type": "boolean"}}}));
        let missing = MissingPrices::of(&manifest, &json!({}), None).unwrap();
        assert_eq!(missing.example, Some(json!({"free": true})));
    }
}
