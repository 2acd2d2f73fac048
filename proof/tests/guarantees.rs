//! Every cell of the table of guarantees that is kept holds on every platform, one test per platform and group.
//!
//! The names begin as those of the golden table's rows do, so that what needs a browser or the Android lab is left out with
//! them.
#![allow(clippy::unwrap_used, reason = "a test: what it does not expect has to fail it")]

use std::process::ExitCode;

use contract::view::Platform;
use daemon::interaction::guarantees::{Guarantee, Path};
use libtest_mimic::{Arguments, Failed, Trial};
use proof::{
    guarantees::{Scenario, ground::Ground, holds_on, play, scenarios},
    world::World,
};

/// The guarantees that are tried in one go: to start a browser or a device takes longer than a scenario.
const GROUPS: &[(&str, &[Guarantee])] = &[
    (
        "target",
        &[
            Guarantee::Disambiguation,
            Guarantee::Identity,
            Guarantee::TouchPoint,
            Guarantee::Usable,
            Guarantee::Viewport,
        ],
    ),
    (
        "view",
        &[
            Guarantee::Occlusion,
            Guarantee::KeyboardOcclusion,
            Guarantee::OffScreen,
            Guarantee::Screen,
            Guarantee::Disclosure,
        ],
    ),
    (
        "outcome",
        &[Guarantee::Readiness, Guarantee::Once, Guarantee::Resolution, Guarantee::Evidence, Guarantee::Settle],
    ),
];

fn main() -> ExitCode {
    let mut trials = vec![
        Trial::test("guarantees.every-kept-cell-has-a-scenario-and-no-other", complete),
        Trial::test("guarantees.every-guarantee-is-tried-once", grouped),
    ];
    for (platform, name) in [(Platform::Stage, "stage"), (Platform::Web, "webdriver"), (Platform::Android, "android")] {
        for (group, guarantees) in GROUPS {
            trials.push(Trial::test(format!("{name}.guarantees.{group}"), move || run(platform, guarantees)));
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn cells() -> impl Iterator<Item = (Path, Guarantee)> {
    Path::ALL.iter().flat_map(|path| Guarantee::ALL.iter().map(|guarantee| (*path, *guarantee)))
}

/// A cell that promises something is tried, and on every platform that it holds on.
fn complete() -> Result<(), Failed> {
    let mut wrong = Vec::new();
    for (path, guarantee) in cells() {
        let scenarios = scenarios(path, guarantee);
        let kept = path.guarantees().of(guarantee).is_kept();
        if kept == scenarios.is_empty() {
            wrong.push(format!("{path:?}, {guarantee:?}: kept {kept}, {} scenarios", scenarios.len()));
        }
        for platform in [Platform::Stage, Platform::Web, Platform::Android] {
            if holds_on(path, guarantee, platform) && !scenarios.iter().any(|one| !one.not_on.contains(&platform)) {
                wrong.push(format!("{path:?}, {guarantee:?}: nothing is tried on {platform}"));
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

fn grouped() -> Result<(), Failed> {
    let times = |one: &Guarantee| GROUPS.iter().flat_map(|(_, all)| *all).filter(|other| *other == one).count();
    let wrong: Vec<_> = Guarantee::ALL.iter().filter(|one| times(one) != 1).collect();
    if wrong.is_empty() { Ok(()) } else { Err(format!("{wrong:?}").into()) }
}

fn run(platform: Platform, guarantees: &'static [Guarantee]) -> Result<(), Failed> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let world = World::start(None).await;
        let mut ground = Ground::of(&world, platform).await;
        let mut wrong = Vec::new();
        let mut played = 0;
        for (path, guarantee) in cells().filter(|(_, guarantee)| guarantees.contains(guarantee)) {
            if !holds_on(path, guarantee, platform) {
                continue;
            }
            let all: Vec<Scenario> = scenarios(path, guarantee);
            for scenario in all.iter().filter(|scenario| !scenario.not_on.contains(&platform)) {
                played += 1;
                if let Err(why) = play(&mut ground, scenario).await {
                    wrong.push(format!("{} by {}: {why}", guarantee.name(), path.name().0));
                }
            }
        }
        ground.end().await;
        wrong.extend(world.end().await);
        if wrong.is_empty() { Ok(()) } else { Err(format!("{played} played\n{}", wrong.join("\n\n")).into()) }
    })
}
