//! The forms of companies as they are written: `GmbH`, `S.p.A.`.

use gtm_lexicon::legal_forms;

/// Whether a text is the legal form of a company: `s.r.o.`, `Inc`.
pub fn is_legal_form(text: &str) -> bool {
    let text = text.trim();
    let bare = text.trim_end_matches('.');
    let mut written = legal_forms().iter().flat_map(|form| form.written);
    // With full stops it counts in letters of any case.
    let alike = |form: &str| match text.len() > bare.len() && bare.contains('.') {
        true => form.trim_end_matches('.').eq_ignore_ascii_case(bare),
        false => form.trim_end_matches('.') == bare,
    };
    !text.is_empty() && written.any(|form| alike(form))
}
