//! Bytes of the helper on a device.

use std::collections::HashMap;

use android::{
    helper::{
        records::{Records, RunReader},
        reply::{Reader, Reply, ReplyError, retained},
    },
    tree::{self, Options},
};

use crate::shown::is_a_sound_screen;

/// What `am instrument` prints, whole and in pieces: how it comes must not matter.
pub fn helper_records(data: &[u8]) {
    let blocks = |piece: usize| {
        let mut records = Records::default();
        let mut blocks: Vec<_> = data.chunks(piece).flat_map(|piece| records.feed(piece)).collect();
        blocks.extend(records.end());
        (blocks, records.stray())
    };
    if !data.is_empty() {
        assert_eq!(blocks(1), blocks(data.len()));
    }
    let run = |piece: usize| {
        let mut reader = RunReader::default();
        data.chunks(piece.max(1)).for_each(|piece| reader.feed(piece));
        reader.finish()
    };
    let whole = run(data.len());
    assert_eq!(whole, run(13));
    if let Ok(run) = whole {
        assert!(run.body.len() <= data.len(), "more than was sent");
    }
}

/// One answer of the session, whole and in pieces.
pub fn helper_reply(data: &[u8]) {
    let read = |piece: usize| -> Result<Option<Reply>, ReplyError> {
        let mut reader = Reader::default();
        for piece in data.chunks(piece.max(1)) {
            if let Some(reply) = reader.feed(piece)? {
                return Ok(Some(reply));
            }
        }
        Ok(None)
    };
    let whole = read(data.len());
    assert_eq!(whole, read(1), "what was answered depends on how its bytes came");
    if let Ok(Some(reply)) = whole {
        assert!(reply.body.len() <= data.len());
        let _error = reply.fields.error().to_string();
    }
    let _retained = retained(&String::from_utf8_lossy(data));
}

/// A capture: the first byte says what the headers are, the rest is the document.
pub fn android_tree(data: &[u8]) {
    let Some((flags, xml)) = data.split_first() else { return };
    let mut headers = HashMap::new();
    for (bit, key, value) in [
        (1, "truncated", "true"),
        (2, "displayWidth", "1080"),
        (2, "displayHeight", "2400"),
        (4, "missingRootWindowTypes", "1,2"),
        (8, "displayWidth", "-1"),
        (8, "displayHeight", "99999999999999999999"),
    ] {
        if flags & bit != 0 {
            headers.insert(key.to_owned(), value.to_owned());
        }
    }
    let max_nodes = if flags & 16 != 0 { 3 } else { 5000 };
    let options = Options { scope: 7, max_nodes, whole: flags & 32 != 0 };
    let Ok(capture) = tree::read(xml, &headers, &options) else { return };
    is_a_sound_screen(&capture.tree, max_nodes);
    for (place, _) in capture.tree.iter().take(64) {
        let (_touch, _aim) = (capture.touch(place), capture.aim(place));
    }
}
