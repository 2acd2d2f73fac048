#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz_targets::helper_reply(data));
