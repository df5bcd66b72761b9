//! The contract that this process keeps: the published OpenAPI document, and the schemas that requests are
//! checked against. Built once at the start from the described operations and handed to [`crate::Api`], so
//! that request handling never depends on the table of routes.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use http::HeaderValue;
use utoipa::openapi::OpenApi;

use crate::openapi;
use crate::query_parameters::QueryParameters;
use crate::schemas;
use crate::unchanging;
use crate::validation::{RequestSchema, SchemaError};

/// The published contract.
#[derive(Debug)]
pub struct Contract {
    schemas: BTreeMap<String, RequestSchema>,
    query_parameters: Arc<QueryParameters>,
    document: Bytes,
    document_tag: HeaderValue,
}

impl Contract {
    /// The contract of these operations.
    ///
    /// # Errors
    /// If a published request schema does not compile.
    pub fn of(operations: &OpenApi) -> Result<Self, SchemaError> {
        let described = openapi::document(operations);
        let document = Bytes::from(openapi::pretty(&described));
        Ok(Self {
            schemas: schemas::of_requests()?,
            query_parameters: Arc::new(QueryParameters::of(&described)),
            document_tag: unchanging::tag_of(&document),
            document,
        })
    }

    /// The compiled schema of a request, by name.
    #[must_use]
    pub fn schema(&self, name: &str) -> Option<&RequestSchema> {
        self.schemas.get(name)
    }

    /// The query parameters of all operations.
    #[must_use]
    pub const fn query_parameters(&self) -> &Arc<QueryParameters> {
        &self.query_parameters
    }

    /// The OpenAPI document as published.
    #[must_use]
    pub fn document(&self) -> Bytes {
        self.document.clone()
    }

    /// The document's entity tag.
    #[must_use]
    pub fn document_tag(&self) -> HeaderValue {
        self.document_tag.clone()
    }
}
