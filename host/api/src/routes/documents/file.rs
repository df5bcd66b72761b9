//! `GET /v1/documents/{job_id}/files/{file_id}`.

use std::ops::Range;

use axum::body::Body;
use axum::extract::{FromRequestParts, Path, State};
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gtm_domain::document::DocumentFormat;
use gtm_domain::job::JobFile;
use gtm_domain::{Digest, ErrorCode, FileId, JobId, JobType, Permission};
use gtm_engine::JobLookup;
use headers::{ETag, HeaderMapExt as _, IfNoneMatch, IfRange};
use http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_RANGE,
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, IF_RANGE, RANGE, X_CONTENT_TYPE_OPTIONS,
};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterIn};

use crate::api::Api;
use crate::authorization::{Authorized, Requirement};
use crate::error::ApiError;
use crate::operation::{DeclaredError, Errors, Operation};
use crate::path_id::PathId;

const CONTENT_DIGEST: HeaderName = HeaderName::from_static("content-digest");
const REPR_DIGEST: HeaderName = HeaderName::from_static("repr-digest");
/// Whoever opens the file in a browser after all runs nothing of it, and nothing it names is loaded.
const SANDBOX: HeaderValue =
    HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'; sandbox");
/// Characters that `filename*` may contain as they are (RFC 8187, `attr-char`), besides letters and digits.
const ATTR_CHAR: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'!')
    .remove(b'#')
    .remove(b'$')
    .remove(b'&')
    .remove(b'+')
    .remove(b'-')
    .remove(b'.')
    .remove(b'^')
    .remove(b'_')
    .remove(b'`')
    .remove(b'|')
    .remove(b'~');

/// What downloading a file requires.
pub struct ReadFiles;

impl Requirement for ReadFiles {
    const PERMISSION: Permission = Permission::FilesRead;
}

/// The ids in the path. A malformed id is answered like an unknown one.
pub struct FilePath {
    job: JobId,
    file: FileId,
}

impl<S: Send + Sync> FromRequestParts<S> for FilePath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let ids = Path::<(String, String)>::from_request_parts(parts, state).await;
        let Path((job, file)) = ids.map_err(|_| ApiError::not_found())?;
        let absent = |_| ApiError::not_found();
        Ok(Self {
            job: job.parse().map_err(absent)?,
            file: file.parse().map_err(|_| ApiError::not_found())?,
        })
    }
}

impl IntoParams for FilePath {
    fn into_params(place: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let mut parameters = PathId::<JobId>::into_params(&place);
        parameters.extend(PathId::<FileId>::into_params(&place));
        parameters
    }
}

pub struct DownloadFile;

impl Operation for DownloadFile {
    const ERRORS: &'static [DeclaredError] = &[
        DeclaredError::when(
            ErrorCode::NotFound,
            "the key's project has no such job, or the job has no such file",
        ),
        DeclaredError::when(ErrorCode::NotReady, "the job has not ended yet"),
        DeclaredError::EXPIRED,
        DeclaredError::when(
            ErrorCode::MalformedRequest,
            "the file has none of the requested bytes; `Content-Range` tells its size",
        )
        .with_status(416),
    ];
}

/// Download a file of a documents job.
///
/// The ids are those of a succeeded job's result. The file is an attachment with the name that the result lists, and
/// its `Content-Type` is that of its format. A single range of bytes can be requested, so that an interrupted
/// download can go on; several at once are answered with the whole file. Files are kept as long as their job, 30 days,
/// and only its project can read them.
#[utoipa::path(
    get, path = "/v1/documents/{job_id}/files/{file_id}", tag = "Documents",
    operation_id = "download_document_job_file_v1_documents__job_id__files__file_id__get",
    params(
        FilePath,
        ("Range" = Option<String>, Header, description = "One range of bytes.", pattern = "^[\\x20-\\x7e]*$", max_length = 200, example = "bytes=0-1023"),
        ("If-Range" = Option<String>, Header, description = "The entity tag of the file that the range belongs to; otherwise the whole file is sent.", pattern = "^[\\x20-\\x7e]*$", max_length = 200, example = "\"sha256-5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d\""),
        ("If-None-Match" = Option<String>, Header, description = "Entity tags of the files that the caller has, or `*`.", pattern = "^[\\x20-\\x7e]*$", example = "\"sha256-5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d\"")),
    responses(
        (status = 200, description = "The file.",
            content(
                (String = "application/vnd.openxmlformats-officedocument.presentationml.presentation", example = json!("PK…")),
                (String = "application/vnd.openxmlformats-officedocument.wordprocessingml.document", example = json!("PK…")),
                (String = "application/pdf", example = json!("%PDF-1.7…")),
                (String = "application/octet-stream", example = json!("…"))),
            headers(
                ("Content-Disposition" = String, description = "`attachment` with the file's name."),
                ("Content-Digest" = String, description = "SHA-256 of the file (RFC 9530)."),
                ("ETag" = String, description = "The same digest as an entity tag."),
                ("Accept-Ranges" = String, description = "`bytes`."))),
        (status = 206, description = "The requested part of the file.",
            content(
                (String = "application/octet-stream", example = json!("…"))),
            headers(
                ("Content-Range" = String, description = "Which bytes these are, and how many the file has."),
                ("Repr-Digest" = String, description = "SHA-256 of the whole file (RFC 9530)."),
                ("ETag" = String, description = "The digest of the whole file as an entity tag."))),
        (status = 304, description = "The caller has this file already.",
            headers(("ETag" = String, description = "The tag that matched."))),
        Errors::<DownloadFile>,
    )
)]
pub async fn download_file(
    api: State<Api>,
    caller: Authorized<ReadFiles>,
    path: FilePath,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let file = found(&api, &caller, &path).await?;
    let tag = tag_of(file.digest)?;
    let known: Option<IfNoneMatch> = headers.typed_get();
    if known.is_some_and(|known| !known.precondition_passes(&tag)) {
        let mut response = StatusCode::NOT_MODIFIED.into_response();
        response.headers_mut().typed_insert(tag);
        return Ok(response);
    }
    let wanted = match wanted(&headers, &tag, file.size_bytes) {
        Ok(wanted) => wanted,
        Err(Unsatisfiable) => return Ok(unsatisfiable(file.size_bytes)),
    };
    let range = wanted.clone().unwrap_or(0..file.size_bytes);
    let store = api.engine().store();
    let content = store.file_stream(&file, range.clone()).await?;
    let mut response = Body::from_stream(content).into_response();
    let answered = response.headers_mut();
    describe(answered, &file)?;
    answered.typed_insert(tag);
    answered.insert(CONTENT_LENGTH, HeaderValue::from(range.end - range.start));
    let digest = header(format!(
        "sha-256=:{}:",
        STANDARD.encode(file.digest.as_bytes())
    ))?;
    answered.insert(REPR_DIGEST, digest.clone());
    if wanted.is_some() {
        let part = format!(
            "bytes {}-{}/{}",
            range.start,
            range.end.saturating_sub(1),
            file.size_bytes
        );
        answered.insert(CONTENT_RANGE, header(part)?);
        *response.status_mut() = StatusCode::PARTIAL_CONTENT;
    } else {
        answered.insert(CONTENT_DIGEST, digest);
    }
    Ok(response)
}

/// The file, if the caller's project has it.
async fn found(
    api: &Api,
    caller: &Authorized<ReadFiles>,
    path: &FilePath,
) -> Result<JobFile, ApiError> {
    let job = match api.engine().job(caller.scope(), path.job).await? {
        JobLookup::Found(job) if job.job_type == JobType::Documents => job,
        JobLookup::Expired => return Err(ApiError::job_expired()),
        JobLookup::Found(_) | JobLookup::Absent => return Err(ApiError::not_found()),
    };
    if !job.status.is_terminal() {
        return Err(ApiError::new(
            ErrorCode::NotReady,
            "The job has not ended yet; poll it until it has.",
        ));
    }
    let store = api.engine().store();
    let found = store.job_file(caller.scope(), path.job, path.file).await?;
    found.ok_or_else(ApiError::not_found)
}

/// The file begins behind the requested bytes.
struct Unsatisfiable;

/// The range to send; `None` for the whole file. A `Range` that cannot be read is ignored (RFC 9110, section 14.2).
fn wanted(headers: &HeaderMap, tag: &ETag, size: u64) -> Result<Option<Range<u64>>, Unsatisfiable> {
    let asked = headers.get(RANGE).and_then(|value| value.to_str().ok());
    let Some(asked) = asked.and_then(single) else {
        return Ok(None);
    };
    let same: Option<IfRange> = headers.typed_get();
    // `If-Range` that cannot be read names no version that we have.
    let other = same.map_or_else(
        || headers.contains_key(IF_RANGE),
        |same| same.is_modified(Some(tag), None),
    );
    if other {
        return Ok(None);
    }
    let range = match asked {
        Asked::From(first, last) => first..last.saturating_add(1).min(size),
        Asked::Last(count) => size.saturating_sub(count)..size,
    };
    match range.is_empty() {
        true => Err(Unsatisfiable),
        false => Ok(Some(range)),
    }
}

/// A single range as it was asked for.
enum Asked {
    /// From the first byte to the last, both included.
    From(u64, u64),
    /// So many bytes at the end.
    Last(u64),
}

/// Reads a single range of bytes; `None` for several, for other units, and for what is no range. (`headers` takes a
/// suffix longer than the file and a malformed range for unsatisfiable ones.)
fn single(text: &str) -> Option<Asked> {
    let (unit, range) = text.split_once('=')?;
    let (first, last) = range.trim().split_once('-')?;
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if !(unit.trim().eq_ignore_ascii_case("bytes") && digits(first) && digits(last)) {
        return None;
    }
    // A number that is too large lies behind every file.
    let number = |text: &str| text.parse().unwrap_or(u64::MAX);
    match (first, last) {
        ("", "") => None,
        ("", count) => Some(Asked::Last(number(count))),
        (first, "") => Some(Asked::From(number(first), u64::MAX)),
        (first, last) if number(first) > number(last) => None,
        (first, last) => Some(Asked::From(number(first), number(last))),
    }
}

fn unsatisfiable(size: u64) -> Response {
    let sentence = "The file has none of the requested bytes; Content-Range tells its size.";
    let error = ApiError::refused(StatusCode::RANGE_NOT_SATISFIABLE, sentence);
    let mut response = error.into_response();
    if let Ok(value) = HeaderValue::try_from(format!("bytes */{size}")) {
        response.headers_mut().insert(CONTENT_RANGE, value);
    }
    response
}

/// What the file is, and that nobody is to guess otherwise.
fn describe(answered: &mut HeaderMap, file: &JobFile) -> Result<(), ApiError> {
    let format = DocumentFormat::of_media_type(&file.media_type);
    let media_type = format.map_or("application/octet-stream", DocumentFormat::media_type);
    answered.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    answered.insert(CONTENT_DISPOSITION, header(disposition(&file.name))?);
    answered.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    answered.insert(CONTENT_SECURITY_POLICY, SANDBOX);
    answered.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    // The file belongs to one project, and is for whoever asked: no cache keeps it on a disk that others share.
    answered.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    Ok(())
}

/// `Content-Disposition` with the name in ASCII for old clients and as it is for all others (RFC 6266, RFC 8187).
fn disposition(name: &str) -> String {
    let plain: String = name
        .chars()
        .map(|c| match c {
            // A percent sign would be decoded by some clients.
            '"' | '\\' | '%' => '_',
            c if c == ' ' || c.is_ascii_graphic() => c,
            _ => '_',
        })
        .collect();
    let encoded = utf8_percent_encode(name, ATTR_CHAR);
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}")
}

fn tag_of(digest: Digest) -> Result<ETag, ApiError> {
    let tag = format!("\"sha256-{}\"", digest.to_hex());
    tag.parse()
        .map_err(|_| ApiError::internal(&"an entity tag of hexadecimal digits is valid"))
}

fn header(text: String) -> Result<HeaderValue, ApiError> {
    HeaderValue::try_from(text).map_err(|cause| ApiError::internal(&cause))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    const TAG: &str = "\"sha256-00\"";

    fn asked(range: &str, if_range: Option<&str>, size: u64) -> Option<Option<Range<u64>>> {
        let mut headers = HeaderMap::new();
        headers.insert("range", range.parse().unwrap());
        if let Some(tag) = if_range {
            headers.insert("if-range", tag.parse().unwrap());
        }
        wanted(&headers, &TAG.parse().unwrap(), size).ok()
    }

    #[test]
    fn one_range_is_sent_and_what_cannot_be_read_is_ignored() {
        for (range, want) in [
            ("bytes=0-3", Some(Some(0..4))),
            ("bytes=4-", Some(Some(4..10))),
            ("bytes=-3", Some(Some(7..10))),
            ("bytes=-30", Some(Some(0..10))),
            ("bytes=8-99", Some(Some(8..10))),
            ("bytes=10-", None),
            ("bytes=10-12", None),
            ("bytes=0-1,4-5", Some(None)),
            ("bytes=x", Some(None)),
            ("bytes=5-2", Some(None)),
            ("bytes=-", Some(None)),
            ("bytes=-0", None),
            ("bytes=99999999999999999999-", None),
            ("bytes=2-99999999999999999999", Some(Some(2..10))),
            ("pages=1-2", Some(None)),
        ] {
            assert_eq!(asked(range, None, 10), want, "{range}");
        }
        assert_eq!(asked("bytes=0-3", Some(TAG), 10), Some(Some(0..4)));
        for other in ["\"sha256-01\"", "W/\"sha256-00\"", "nonsense"] {
            assert_eq!(asked("bytes=0-3", Some(other), 10), Some(None), "{other}");
        }
    }

    #[test]
    fn a_name_is_told_to_old_clients_and_new_ones() {
        assert_eq!(
            disposition("Plan 1.pdf"),
            "attachment; filename=\"Plan 1.pdf\"; filename*=UTF-8''Plan%201.pdf"
        );
        assert_eq!(
            disposition("Übersicht \"50%\".pdf"),
            "attachment; filename=\"_bersicht _50__.pdf\"; filename*=UTF-8''%C3%9Cbersicht%20%2250%25%22.pdf"
        );
    }

    proptest! {
        #[test]
        fn every_name_makes_a_header(name in "\\PC{0,120}") {
            prop_assert!(HeaderValue::try_from(disposition(&name)).is_ok());
        }

        #[test]
        fn a_range_is_within_the_file(range in "bytes=[0-9]{0,20}-[0-9]{0,20}", size in 0_u64..100) {
            if let Some(Some(range)) = asked(&range, None, size) {
                prop_assert!(range.start < range.end && range.end <= size);
            }
        }
    }
}
