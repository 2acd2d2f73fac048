use contract::trace::Entry;

use super::*;

fn tracer(limits: Limits) -> (tempfile::TempDir, Tracer) {
    let parent = tempfile::tempdir().unwrap();
    let path = made(parent.path(), 1).unwrap();
    let file = OpenOptions::new().create_new(true).append(true).open(path.join(FILE)).unwrap();
    let tracer = Tracer {
        folder: Folder { path, keep: false },
        file,
        number: 0,
        bytes: 0,
        limits,
        full: false,
        stored: HashSet::new(),
        screens: screens::Screens::default(),
        log: applog::AppLog::default(),
        traffic: network::Traffic::default(),
        name: "s".into(),
        started_at_ms: 1,
        early: None,
    };
    (parent, tracer)
}

fn entries(tracer: &Tracer) -> Vec<Entry> {
    let text = fs::read_to_string(tracer.path().join(FILE)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_last_entry_that_finds_room_says_that_the_trace_is_full() {
    let (_parent, mut tracer) = tracer(Limits { entries: 2, bytes: 10 });
    for _ in 0..3 {
        tracer.append(Entry::default());
    }
    let written = entries(&tracer);
    assert_eq!(written.iter().map(|entry| entry.number).collect::<Vec<_>>(), [1, 2]);
    assert!(written[0].notes.is_empty() && written[1].notes[0].contains("2 entries at most"), "{written:?}");
    assert!(tracer.end().full);
}

#[test]
fn what_was_tried_before_anything_was_open_stands_behind_the_header() {
    let (_parent, mut tracer) = tracer(Limits::default());
    tracer.early = Some(Vec::new());
    for _ in 0..=EARLY {
        tracer.append(Entry { line: "open nowhere".into(), ..Entry::default() });
    }
    assert!(fs::read_to_string(tracer.path().join(FILE)).unwrap().is_empty(), "nobody knows the device yet");
    let (path, traced) = (tracer.path().join(FILE), tracer.end());
    assert_eq!((traced.entries, traced.full), (EARLY, true));
    let text = fs::read_to_string(path).unwrap();
    let (header, rest) = text.split_once('\n').unwrap();
    let header: Header = serde_json::from_str(header).unwrap();
    assert_eq!((header.session.as_str(), header.platform.as_str()), ("s", ""));
    let first: Entry = serde_json::from_str(rest.lines().next().unwrap()).unwrap();
    assert_eq!((first.number, first.line.as_str()), (1, "open nowhere"));
}

#[test]
fn what_is_equal_is_stored_once_and_no_more_than_there_is_room_for() {
    let (_parent, mut tracer) = tracer(Limits { entries: 2, bytes: 10 });
    let first = tracer.store(b"123456", "png").unwrap();
    assert_eq!(tracer.store(b"123456", "png").unwrap(), first);
    assert_eq!(tracer.bytes, 6);
    let why = tracer.store(b"78901", "png").unwrap_err();
    assert!(why.contains("10 bytes at most") && tracer.full, "{why}");
    assert_eq!(tracer.store(b"123456", "png").unwrap(), first, "what is there is still named");
    assert_eq!(fs::read(tracer.path().join(first)).unwrap(), b"123456");
}

#[test]
fn a_folder_goes_with_its_trace_unless_it_is_kept_and_a_later_trace_removes_what_a_killed_daemon_left() {
    let (parent, tracer) = tracer(Limits::default());
    let path = tracer.path().to_path_buf();
    drop(tracer.end());
    assert!(!path.exists());

    let mut kept = Folder { path: made(parent.path(), 1).unwrap(), keep: false };
    kept.keep();
    fs::write(kept.path.join(FILE), "").unwrap();
    let left = made(parent.path(), 1).unwrap();
    fs::write(left.join(FILE), "").unwrap();
    let foreign = parent.path().join("trace-of-somebody");
    fs::create_dir(&foreign).unwrap();
    let kept_path = kept.path.clone();
    drop(kept);
    sweep(parent.path());
    assert!(kept_path.exists() && foreign.exists() && !left.exists());
}
