#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    (gtm_fuzz_targets::target("message").run)(input);
});
