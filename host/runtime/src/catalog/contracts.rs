//! The input and output of an operation: the operation's own schemas and, for connectors, the contract of
//! the capability that it serves (`wit/capabilities`).

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use serde_json::Value;

use crate::manifest::Manifest;
use crate::schema::programs::Programs;
use crate::schema::{Schema, SchemaError, Violation};

mod embedded {
    include!(concat!(env!("OUT_DIR"), "/capability_contracts.rs"));
}

#[derive(Debug)]
pub struct CapabilityContract {
    pub input: Schema,
    pub output: Schema,
}

static CONTRACTS: LazyLock<Result<BTreeMap<&'static str, Arc<CapabilityContract>>, String>> =
    LazyLock::new(|| {
        let compile = |name: &str, text: &str| -> Result<Schema, String> {
            let value: Value =
                serde_json::from_str(text).map_err(|error| format!("{name}: {error}"))?;
            Schema::compile_trusted(&value).map_err(|error| format!("{name}: {error}"))
        };
        embedded::CONTRACTS
            .iter()
            .map(|(name, input, output)| {
                let contract = CapabilityContract {
                    input: compile(name, input)?,
                    output: compile(name, output)?,
                };
                Ok((*name, Arc::new(contract)))
            })
            .collect()
    });

/// The contract of a capability, if the host knows one. Without a contract, only the operation's own
/// schemas apply.
#[must_use]
pub fn capability_contract(name: &str) -> Option<Arc<CapabilityContract>> {
    CONTRACTS.as_ref().ok()?.get(name).cloned()
}

/// Checks that the contracts that ship with the host compile.
///
/// # Errors
/// Which one does not compile, and why.
pub fn check_embedded_contracts() -> Result<(), String> {
    CONTRACTS.as_ref().map(|_| ()).map_err(Clone::clone)
}

/// Compiled schemas of a plug-in.
#[derive(Debug, Default)]
pub struct OperationContracts {
    settings: Option<Schema>,
    operations: BTreeMap<String, OperationContract>,
}

/// Compiled schemas of one operation.
#[derive(Debug)]
pub struct OperationContract {
    input: Schema,
    output: Schema,
    capability: Option<Arc<CapabilityContract>>,
}

impl OperationContracts {
    /// Compiles the schemas of a manifest.
    ///
    /// # Errors
    /// Where an unusable schema is, and why it is unusable.
    pub fn compile(manifest: &Manifest) -> Result<Self, (String, SchemaError)> {
        let mut programs = Programs::default();
        let mut compile = |schema: &Value, place: String| {
            Schema::compile_among(schema, &mut programs).map_err(|error| (place, error))
        };
        let settings = match &manifest.settings_schema {
            Some(schema) => Some(compile(schema, "settings_schema".to_owned())?),
            None => None,
        };
        let mut operations = BTreeMap::new();
        for operation in &manifest.operations {
            let place = |part: &str| format!("operations.{}.{part}", operation.id);
            let contract = OperationContract {
                input: compile(&operation.input_schema, place("input_schema"))?,
                output: compile(&operation.output_schema, place("output_schema"))?,
                capability: capability_contract(&operation.capability),
            };
            operations.insert(operation.id.clone(), contract);
        }
        Ok(Self {
            settings,
            operations,
        })
    }

    /// The schemas of an operation.
    #[must_use]
    pub fn operation(&self, id: &str) -> Option<&OperationContract> {
        self.operations.get(id)
    }

    /// Checks settings against the manifest's `settings_schema`; `null` counts as `{}`. Without a schema,
    /// only an empty object is valid.
    ///
    /// # Errors
    /// The violations.
    pub fn check_settings(&self, settings: &Value) -> Result<(), Vec<Violation>> {
        let nothing = Value::Object(serde_json::Map::new());
        let settings = if settings.is_null() {
            &nothing
        } else {
            settings
        };
        match &self.settings {
            Some(schema) => schema.check(settings),
            None if settings == &nothing => Ok(()),
            None => Err(vec![Violation {
                pointer: String::new(),
                message: "this plug-in has no settings".to_owned(),
            }]),
        }
    }
}

impl OperationContract {
    /// Checks an input against the operation and the capability.
    ///
    /// # Errors
    /// The violations.
    pub fn check_input(&self, input: &Value) -> Result<(), Vec<Violation>> {
        self.input.check(input)?;
        self.capability
            .as_ref()
            .map_or(Ok(()), |contract| contract.input.check(input))
    }
    /// Checks an output against the operation and the capability.
    ///
    /// # Errors
    /// The violations.
    pub fn check_output(&self, output: &Value) -> Result<(), Vec<Violation>> {
        self.output.check(output)?;
        self.capability
            .as_ref()
            .map_or(Ok(()), |contract| contract.output.check(output))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_embedded_contracts_compile() {
        assert_eq!(super::check_embedded_contracts(), Ok(()));
    }
}
