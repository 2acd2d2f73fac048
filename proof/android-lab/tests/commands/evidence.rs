use contract::{
    Row,
    command::{FilmQuality, PerfArea},
};

use crate::rig::{DEMO, context, demo, refusal, sends, soon, within};

#[tokio::test(flavor = "multi_thread")]
async fn only_the_apps_own_lines_are_shown_the_newest_last() {
    let Some(rig) = demo().await else { return };
    for number in 0..30 {
        rig.device.log(DEMO, 'I', "Demo", &format!("line {number}"));
        rig.device.log("com.android.systemui", 'I', "Other", "not ours");
    }
    let asked = context();
    let lines = rig.system.log_lines(&asked, 5).await.unwrap();
    let ends: Vec<_> = lines
        .iter()
        .map(|line| line.rsplit("Demo").next().unwrap_or_default().trim_start_matches([' ', ':']))
        .collect();
    assert_eq!(ends, ["line 25", "line 26", "line 27", "line 28", "line 29"], "{lines:?}");
    assert_eq!(sends(&asked), (0, 0));
    // The lines of a process that has ended can still be read.
    rig.phone.look(&context(), "am force-stop com.example.demo").await.unwrap();
    let lines = rig.system.log_lines(&context(), 1).await.unwrap();
    assert_eq!(lines.len(), 1, "{lines:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_app_that_does_not_run_has_no_log_to_show() {
    let Some(rig) = demo().await else { return };
    rig.system.set_app(Some("com.example.none".to_owned()));
    let failure = rig.system.log_lines(&context(), 5).await.unwrap_err();
    assert_eq!(refusal(&failure), (Some(Row::AdbLookFailed), Some("app_not_running")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_goes_on_over_a_restart_of_the_app_and_leaves_nothing_behind() {
    let Some(rig) = demo().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("app.log");
    let kept = || std::fs::read_to_string(&file).unwrap_or_default();
    rig.system.log_start(&context(), &file).await.unwrap();
    rig.system.log_start(&context(), &file).await.unwrap();
    assert_eq!(rig.runs(&["logcat"]), 1, "what is kept already is not kept twice");
    rig.device.log(DEMO, 'I', "Demo", "before");
    soon("the line", || kept().contains("before")).await;
    rig.phone.look(&context(), "am force-stop com.example.demo").await.unwrap();
    rig.device.open(DEMO).await.unwrap();
    rig.device.log("com.android.systemui", 'I', "Other", "not ours");
    rig.device.log(DEMO, 'I', "Demo", "after");
    soon("the line of the new process", || kept().contains("after")).await;
    assert!(!kept().contains("not ours"));
    assert!(rig.system.log_stop().await);
    assert!(!rig.system.log_stop().await);
    rig.device.log(DEMO, 'I', "Demo", "too late");
    let left = rig.phone.shell(&context(), contract::Effect::Observes, "pidof logcat").await.unwrap().completed();
    assert_eq!(left.text().trim(), "", "no program stays on the device");
    assert!(!kept().contains("too late"));
}

#[tokio::test(flavor = "multi_thread")]
async fn frames_and_memory_are_measured() {
    let Some(rig) = demo().await else { return };
    let asked = context();
    let frames = rig.system.perf(&asked, PerfArea::Frames, true).await.unwrap();
    assert!(frames["totalFrames"].is_u64() && frames["p50Ms"].is_u64() && frames["fps"].is_f64(), "{frames}");
    assert_eq!((frames["app"].as_str(), frames["reset"].as_bool()), (Some(DEMO), Some(true)));
    assert_eq!(rig.runs(&["gfxinfo", DEMO, "reset"]), 1);
    let memory = rig.system.perf(&context(), PerfArea::Memory, false).await.unwrap();
    assert!(memory["totalPssKb"].as_u64().is_some_and(|pss| pss > 0), "{memory}");
    assert_eq!(sends(&asked), (0, 0));
    rig.phone.look(&context(), "am force-stop com.example.demo").await.unwrap();
    for area in [PerfArea::Frames, PerfArea::Memory] {
        let failure = rig.system.perf(&context(), area, false).await.unwrap_err();
        assert_eq!(refusal(&failure), (Some(Row::AdbLookFailed), Some("app_not_running")));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_film_is_ended_whole_fetched_and_removed() {
    let Some(rig) = demo().await else { return };
    let asked = context();
    rig.system.record_start(&asked, FilmQuality::Medium).await.unwrap();
    assert_eq!(rig.runs(&["screenrecord", "--bit-rate", "8000000"]), 1);
    let failure = rig.system.record_start(&context(), FilmQuality::High).await.unwrap_err();
    assert_eq!(failure.reason_str(), Some("recording_in_progress"));
    let film = within("the film", rig.system.record_stop(&asked)).await.unwrap().expect("one was running");
    assert_eq!((film.chunks.len(), film.format.as_str()), (1, "mp4"));
    assert!(android::system::record::mp4::finished(&film.chunks[0]));
    assert_eq!(sends(&asked), (0, 0), "to film changes nothing");
    assert_eq!(
        rig.phone.look(&context(), "ls /data/local/tmp").await.unwrap().trim(),
        "",
        "nothing stays on the device"
    );
    assert!(rig.system.record_stop(&context()).await.unwrap().is_none());
    assert!(rig.system.notices().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recorder_whose_time_is_up_is_followed_by_the_next() {
    let Some(rig) = demo().await else { return };
    rig.system.record_start(&context(), FilmQuality::High).await.unwrap();
    // What it does by itself after three minutes: it ends well.
    rig.phone.look(&context(), "kill -INT $(pidof screenrecord)").await.unwrap();
    soon("the second part", || rig.runs(&["screenrecord", "--bit-rate", "20000000"]) == 2).await;
    let film = within("the film", rig.system.record_stop(&context())).await.unwrap().expect("one was running");
    assert_eq!(film.chunks.len(), 2, "{film:?}");
    assert!(film.chunks.iter().all(|chunk| android::system::record::mp4::finished(chunk)), "{film:?}");
    assert_eq!(rig.phone.look(&context(), "ls /data/local/tmp").await.unwrap().trim(), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recorder_that_cannot_begin_says_why() {
    let Some(rig) = demo().await else { return };
    rig.device.fail_recorder(Some("Unable to configure video/avc codec at 1170x2412 (err=-38)"));
    let failure = rig.system.record_start(&context(), FilmQuality::High).await.unwrap_err();
    assert_eq!(refusal(&failure), (Some(Row::AndroidRecordingFailed), Some("recording_failed")));
    assert!(failure.message.contains("Unable to configure"), "{}", failure.message);
    assert!(rig.system.record_stop(&context()).await.unwrap().is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recorder_that_is_killed_leaves_no_film_that_can_be_played() {
    let Some(rig) = demo().await else { return };
    rig.system.record_start(&context(), FilmQuality::High).await.unwrap();
    rig.phone.look(&context(), "kill -9 $(pidof screenrecord)").await.unwrap();
    let failure = within("the end", rig.system.record_stop(&context())).await.unwrap_err();
    assert_eq!(refusal(&failure), (Some(Row::AndroidRecordingFailed), Some("recording_failed")));
    assert_eq!(rig.phone.look(&context(), "ls /data/local/tmp").await.unwrap().trim(), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_film_whose_fetching_breaks_off_can_be_fetched_again() {
    let Some(rig) = demo().await else { return };
    rig.system.record_start(&context(), FilmQuality::Medium).await.unwrap();
    rig.device.link().cut_reply(b"RECV", 4096);
    let failure = within("the end", rig.system.record_stop(&context())).await.unwrap_err();
    assert_eq!(refusal(&failure).0, Some(Row::AdbLookLost), "{failure:?}");
    rig.device.restore().await.unwrap();
    let film = within("the film", rig.system.record_stop(&context())).await.unwrap().expect("it is still there");
    assert!(android::system::record::mp4::finished(&film.chunks[0]));
    assert_eq!(rig.phone.look(&context(), "ls /data/local/tmp").await.unwrap().trim(), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_daemon_left_is_removed_and_what_is_being_filmed_is_not() {
    let Some(rig) = demo().await else { return };
    let files = || async { rig.phone.look(&context(), "ls /data/local/tmp").await.unwrap() };
    rig.phone
        .look(&context(), "echo film > /data/local/tmp/agent-device-1-0-1.mp4; echo else > /data/local/tmp/other")
        .await
        .unwrap();
    rig.system.record_start(&context(), FilmQuality::Medium).await.unwrap();
    android::system::record::sweep(&context(), &rig.phone).await.unwrap();
    assert_eq!(files().await.lines().count(), 3, "a recorder runs");
    assert!(rig.system.record_stop(&context()).await.unwrap().is_some());
    android::system::record::sweep(&context(), &rig.phone).await.unwrap();
    assert_eq!(files().await.trim(), "other");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_session_ends_its_film_and_its_log() {
    let Some(rig) = demo().await else { return };
    let folder = tempfile::tempdir().unwrap();
    rig.system.record_start(&context(), FilmQuality::Medium).await.unwrap();
    rig.system.log_start(&context(), &folder.path().join("app.log")).await.unwrap();
    within("the end", rig.system.end()).await;
    let left =
        rig.phone.shell(&context(), contract::Effect::Observes, "pidof screenrecord logcat").await.unwrap().completed();
    assert_eq!(left.text().trim(), "");
    assert_eq!(rig.phone.look(&context(), "ls /data/local/tmp").await.unwrap().trim(), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_film_that_is_given_up_while_it_begins_leaves_no_file() {
    let Some(rig) = demo().await else { return };
    for film in 1..=3 {
        let gone = context();
        let begin = rig.system.record_start(&gone, FilmQuality::Medium);
        let give_up = async {
            soon("the recorder", || rig.runs(&["screenrecord", "--bit-rate"]) == film).await;
            gone.cancel.cancel();
        };
        if tokio::join!(begin, give_up).0.is_ok() {
            rig.system.end().await;
        }
        assert_eq!(rig.phone.look(&context(), "ls /data/local/tmp").await.unwrap().trim(), "", "film {film}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_daemon_left_that_was_killed_a_moment_ago_is_removed_once_its_recorder_has_ended() {
    let Some(rig) = demo().await else { return };
    let film = ["shell", "screenrecord /data/local/tmp/agent-device-1-0-1.mp4"];
    let mut recorder = rig.device.adb().args(film).spawn().expect("adb starts");
    soon("the recorder", || rig.runs(&["screenrecord"]) == 1).await;
    let context = context();
    let ends = async {
        soon("a look", || rig.runs(&["pidof", "screenrecord"]) > 0).await;
        rig.phone.look(&context, "kill -INT $(pidof screenrecord)").await.unwrap();
    };
    let (swept, ()) = tokio::join!(android::system::record::sweep(&context, &rig.phone), ends);
    swept.unwrap();
    recorder.wait().expect("adb ends");
    assert_eq!(rig.phone.look(&context, "ls /data/local/tmp").await.unwrap().trim(), "");
}
