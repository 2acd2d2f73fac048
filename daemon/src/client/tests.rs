use std::{io::Read, os::unix::net::UnixListener};

use super::*;

mod kept;

#[test]
fn a_daemon_that_is_killed_before_it_reads_the_greeting_counts_as_none() {
    let folder = tempfile::tempdir().unwrap();
    let state = StateDir::find(Some(folder.path())).unwrap();
    state.create().unwrap();
    let listener = UnixListener::bind(state.socket()).unwrap();
    let dying = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        // The greeting is there and stays unread: closing resets the connection.
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
    });
    let connected = Client::new(state).connect();
    dying.join().unwrap();
    match connected {
        Err(NoConnection::Nobody(_)) => {}
        Err(NoConnection::Broken(why)) => panic!("broken: {why}"),
        Ok(_) => panic!("connected"),
    }
}
