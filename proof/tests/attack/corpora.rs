//! Everything that the fuzzer kept, once more, without a fuzzer.

use std::fs;

use fuzz_targets::TARGETS;
use proof::workspace;

#[test]
fn every_kept_input_of_every_target_is_taken() {
    let corpora = workspace().join("proof/fuzz/corpus");
    for (name, target) in TARGETS {
        let folder = corpora.join(name);
        let mut files: Vec<_> = fs::read_dir(&folder)
            .unwrap_or_else(|why| panic!("{}: {why}", folder.display()))
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        assert!(!files.is_empty(), "{name} has no corpus");
        for file in files {
            let data = fs::read(&file).unwrap();
            let outcome = std::panic::catch_unwind(|| target(&data));
            assert!(outcome.is_ok(), "{name} falls over {}", file.display());
        }
    }
}

#[test]
fn every_target_is_one_of_the_fuzzers_and_every_corpus_belongs_to_one() {
    let listed = |folder: &str, what: fn(&fs::DirEntry) -> String| {
        let mut names: Vec<String> = fs::read_dir(workspace().join("proof/fuzz").join(folder))
            .unwrap()
            .map(|entry| what(&entry.unwrap()))
            .collect();
        names.sort();
        names
    };
    let mut targets: Vec<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    targets.sort();
    let name = |entry: &fs::DirEntry| entry.path().file_stem().unwrap().to_string_lossy().into_owned();
    assert_eq!(listed("fuzz_targets", name), targets);
    assert_eq!(listed("corpus", name), targets);
}
