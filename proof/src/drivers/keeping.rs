//! Scripts and traces of a session. Whatever is wrong with them is found out before the app is touched.

use contract::Row;

use super::Driver;

/// See the module.
pub const DRIVERS: &[Driver] = &[
    driver!(DaemonScriptTargetExists, |world| {
        let target = world.folder().join("there.ad");
        std::fs::write(&target, "mine").expect("a file");
        let session = world.session("a");
        let line = format!("open {} --save-script={}", world.ground().display(), target.display());
        let told = session.fails(&line).await;
        assert_eq!(told.reason.as_deref(), Some("script_target_exists"));
        assert_eq!(std::fs::read_to_string(&target).expect("the file"), "mine");
        session.fails("snapshot").await.under(Row::DaemonAdmissionSessionNotFound);
        told.without_app()
    }),
    driver!(DaemonScriptUnwritable, |world| {
        let session = world.session("a");
        // The program finds it out by itself: the daemon is asked as a library would.
        let target = world.folder().join("no/such/folder/a.ad");
        let line = format!("open {} --save-script={}", world.ground().display(), target.display());
        let told = session.fails_at(&session.request(&line)).await;
        session.fails("snapshot").await.under(Row::DaemonAdmissionSessionNotFound);
        told.without_app()
    }),
    driver!(DaemonScriptOpenConflict, |world| {
        let (first, second) = (world.folder().join("one.ad"), world.folder().join("two.ad"));
        let session = world.session("ground");
        let open = format!("open {} --save-script=", world.ground().display());
        session.does(&format!("{open}{}", first.display())).await;
        let before = session.landed();
        let told = session.fails(&format!("{open}{} --relaunch", second.display())).await;
        assert!(!second.exists(), "nothing was begun there");
        let landed = session.landed() - before;
        session.does("press id=save").await;
        session.does("close").await;
        assert!(first.exists(), "the recording went on");
        told.and(landed, 1)
    }),
    driver!(DaemonScriptNothing, |world| {
        let session = world.on_ground().await;
        let before = session.landed();
        let told = session.fails("session save-script").await;
        told.and(session.landed() - before, 0)
    }),
    driver!(DaemonScriptRecordUnreadable, |world| {
        let session = world.session("lost");
        let folder = world.state().session("lost");
        std::fs::create_dir_all(&folder).expect("the session's folder");
        std::fs::write(folder.join("script.ndjson"), "not a record\n").expect("a file");
        let told = session.fails("session save-script").await;
        assert_eq!(told.reason.as_deref(), Some("script_record_unreadable"));
        assert!(folder.join("script.ndjson").exists(), "it is left to whoever can read it");
        told.without_app()
    }),
    driver!(DaemonTraceRunning, |world| {
        let session = world.on_ground().await;
        let before = session.landed();
        session.does("trace start").await;
        let told = session.fails("trace start").await;
        told.and(session.landed() - before, 0)
    }),
    driver!(DaemonTraceNone, |world| {
        let session = world.on_ground().await;
        let before = session.landed();
        let told = session.fails("trace stop").await;
        told.and(session.landed() - before, 0)
    }),
    driver!(DaemonTraceUnwritable, |world| {
        let session = world.on_ground().await;
        let before = session.landed();
        let folder = world.state().session("ground");
        std::fs::remove_dir_all(&folder).expect("the session's folder");
        std::fs::write(&folder, "a file where a folder should be").expect("a file");
        let told = session.fails("trace start").await;
        told.and(session.landed() - before, 0)
    }),
];
