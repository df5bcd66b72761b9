//! The real host: the wrappers' calls on `wasm32`, converted to and from the generated types.

use crate::bindings::host::gtm::plugin as wit;
use crate::{Failure, FailureKind, Value};

impl From<wit::types::Failure> for Failure {
    fn from(failure: wit::types::Failure) -> Self {
        use wit::types::FailureKind as Wit;
        let kind = match failure.kind {
            Wit::InvalidInput => FailureKind::InvalidInput,
            Wit::CredentialMissing => FailureKind::CredentialMissing,
            Wit::Unauthorized => FailureKind::Unauthorized,
            Wit::NotFound => FailureKind::NotFound,
            Wit::RateLimited => FailureKind::RateLimited,
            Wit::Denied => FailureKind::Denied,
            Wit::Quota => FailureKind::Quota,
            Wit::Timeout => FailureKind::Timeout,
            Wit::Canceled => FailureKind::Canceled,
            Wit::Upstream => FailureKind::Upstream,
            Wit::Internal => FailureKind::Internal,
        };
        Self {
            kind,
            code: failure.code,
            message: failure.message,
            retry_after_ms: failure.retry_after_ms,
            detail: failure
                .detail
                .and_then(|json| serde_json::from_str(&json).ok())
                .map(Box::new),
        }
    }
}

impl From<Failure> for wit::types::Failure {
    fn from(failure: Failure) -> Self {
        use wit::types::FailureKind as Wit;
        let kind = match failure.kind {
            FailureKind::InvalidInput => Wit::InvalidInput,
            FailureKind::CredentialMissing => Wit::CredentialMissing,
            FailureKind::Unauthorized => Wit::Unauthorized,
            FailureKind::NotFound => Wit::NotFound,
            FailureKind::RateLimited => Wit::RateLimited,
            FailureKind::Denied => Wit::Denied,
            FailureKind::Quota => Wit::Quota,
            FailureKind::Timeout => Wit::Timeout,
            FailureKind::Canceled => Wit::Canceled,
            FailureKind::Upstream => Wit::Upstream,
            FailureKind::Internal => Wit::Internal,
        };
        Self {
            kind,
            code: failure.code,
            message: failure.message,
            retry_after_ms: failure.retry_after_ms,
            detail: failure.detail.map(|detail| detail.to_string()),
        }
    }
}

mod shared {
    use super::wit;
    use crate::log::Level;

    pub(crate) fn log_write(level: Level, message: &str) {
        let level = match level {
            Level::Debug => wit::log::Level::Debug,
            Level::Info => wit::log::Level::Info,
            Level::Warn => wit::log::Level::Warn,
            Level::Error => wit::log::Level::Error,
        };
        wit::log::write(level, message);
    }

    pub(crate) fn context_settings() -> String {
        wit::context::settings()
    }

    pub(crate) fn context_now_ms() -> u64 {
        wit::context::now_ms()
    }
}
pub(crate) use shared::*;

mod connector {
    use super::{Failure, wit};
    use crate::http::{Head, Request, Response};

    pub(crate) fn deadline_time_left_ms() -> u64 {
        wit::deadline::time_left_ms()
    }

    fn request(request: &Request) -> wit::http::Request {
        wit::http::Request {
            method: request.method.clone(),
            url: request.url.clone(),
            headers: request
                .headers
                .iter()
                .map(|(name, value)| wit::http::Header {
                    name: name.clone(),
                    value: value.clone(),
                })
                .collect(),
            body: request.body.clone(),
            credential: request.credential.clone(),
            timeout_ms: request.timeout_ms,
            max_body_bytes: request.max_body_bytes,
            truncate: request.truncate,
            max_redirects: request.max_redirects,
        }
    }

    fn headers(headers: Vec<wit::http::Header>) -> Vec<(String, String)> {
        headers
            .into_iter()
            .map(|header| (header.name, header.value))
            .collect()
    }

    fn response(
        answer: Result<wit::http::Response, wit::types::Failure>,
    ) -> Result<Response, Failure> {
        let answer = answer?;
        Ok(Response {
            status: answer.status,
            headers: headers(answer.headers),
            body: answer.body,
            final_url: answer.final_url,
            receipt_id: answer.receipt_id,
            truncated: answer.truncated,
        })
    }

    pub(crate) fn http_send(sent: &Request) -> Result<Response, Failure> {
        response(wit::http::send(&request(sent)))
    }

    pub(crate) fn http_send_all(sent: &[Request]) -> Vec<Result<Response, Failure>> {
        let requests: Vec<_> = sent.iter().map(request).collect();
        wit::http::send_all(&requests)
            .into_iter()
            .map(response)
            .collect()
    }

    pub(crate) fn http_open(sent: &Request) -> Result<(Head, BodyReader), Failure> {
        let (head, body) = wit::http::open(&request(sent))?;
        let head = Head {
            status: head.status,
            headers: headers(head.headers),
            final_url: head.final_url,
            receipt_id: head.receipt_id,
        };
        Ok((head, BodyReader(body)))
    }

    #[derive(Debug)]
    pub(crate) struct BodyReader(wit::http::Body);

    impl BodyReader {
        pub(crate) fn read(&mut self, max_bytes: u32) -> Result<Option<Vec<u8>>, Failure> {
            Ok(self.0.read(max_bytes)?)
        }
    }
}
pub(crate) use connector::*;

mod generation_backend {
    use super::{Failure, Value, wit};
    use crate::capabilities::Call;
    use crate::progress::StageStatus;

    pub(crate) fn capabilities_invoke(calls: &[Call]) -> Vec<Result<Value, Failure>> {
        let calls: Vec<_> = calls
            .iter()
            .map(|call| wit::capabilities::Call {
                capability: call.capability.clone(),
                input: call.input.to_string(),
            })
            .collect();
        wit::capabilities::invoke(&calls)
            .into_iter()
            .map(|answer| {
                serde_json::from_str(&answer?).map_err(|_| {
                    Failure::internal("invalid_answer", "The host's answer is not JSON.")
                })
            })
            .collect()
    }

    pub(crate) fn capabilities_bound(capability: &str) -> bool {
        wit::capabilities::bound(capability)
    }

    pub(crate) fn progress_stage(key: &str, status: StageStatus) {
        let status = match status {
            StageStatus::Started => wit::progress::StageStatus::Started,
            StageStatus::Succeeded => wit::progress::StageStatus::Succeeded,
            StageStatus::Failed => wit::progress::StageStatus::Failed,
            StageStatus::Skipped => wit::progress::StageStatus::Skipped,
        };
        wit::progress::stage(key, status);
    }

    pub(crate) fn progress_report(percent: u8, milestone: Option<&str>) {
        wit::progress::report(percent, milestone);
    }

    pub(crate) fn progress_canceled() -> bool {
        wit::progress::canceled()
    }
}
pub(crate) use generation_backend::*;

mod document_renderer {
    use super::{Failure, wit};
    use crate::assets::Asset;

    pub(crate) fn assets_names() -> Vec<String> {
        wit::assets::names()
    }

    pub(crate) fn assets_read(name: &str) -> Option<Asset> {
        let (media_type, bytes) = wit::assets::read(name)?;
        Some(Asset { media_type, bytes })
    }

    pub(crate) fn artifacts_create(
        filename: &str,
        media_type: &str,
    ) -> Result<ArtifactWriter, Failure> {
        Ok(ArtifactWriter(wit::artifacts::create(
            filename, media_type,
        )?))
    }

    #[derive(Debug)]
    pub(crate) struct ArtifactWriter(wit::artifacts::Writer);

    impl ArtifactWriter {
        pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
            Ok(self.0.write(bytes)?)
        }

        pub(crate) fn finish(self) -> Result<(), Failure> {
            Ok(self.0.finish()?)
        }
    }
}
pub(crate) use document_renderer::*;
