//! A model is trusted after it was seen to object: each way to lie is found, and as what it is.

use cut::Breach;
use simulate::{
    Lie, Options,
    campaign::{Place, quiet_panics},
    model::Kind,
    script,
};

/// As which kinds of finding a lie shows.
fn shows_as(lie: Lie) -> &'static [Kind] {
    match lie {
        Lie::Twice => &[Kind::Broken(Breach::Twice)],
        Lie::Nothing => &[Kind::Broken(Breach::FalseSuccess)],
        Lie::DeniedAfterEffect => &[Kind::Broken(Breach::FalseNo)],
        Lie::OtherElement => &[Kind::HitAnother],
        Lie::Silence => &[Kind::Broken(Breach::Hang)],
        Lie::Uncounted => &[Kind::Steps],
        Lie::SharedDevice => &[Kind::LeasesOverlap],
        Lie::TaskLeft => &[Kind::TaskLeft],
    }
}

#[test]
fn every_lie_is_found_as_what_it_is() {
    quiet_panics();
    let place = Place::new();
    for lie in Lie::ALL {
        let wanted = shows_as(*lie);
        let found = (1..=500).find(|seed| {
            let findings = place.run(&script::plan(*seed), Options { trace: false, lie: Some(*lie) }).findings;
            findings.iter().any(|finding| wanted.contains(&finding.kind))
        });
        assert!(found.is_some(), "{lie:?} is not seen in 500 seeds");
    }
}

#[test]
fn a_lie_is_shrunk_to_a_few_steps() {
    quiet_panics();
    let place = Place::new();
    let options = Options { trace: false, lie: Some(Lie::Twice) };
    let (plan, finding) = (1..=60)
        .find_map(|seed| {
            let plan = script::plan(seed);
            let findings = place.run(&plan, options).findings;
            findings.into_iter().find(|finding| finding.kind == Kind::Broken(Breach::Twice)).map(|found| (plan, found))
        })
        .unwrap();
    let kept = place.shrink(&plan, &finding, options);
    // To open, one input before, and the one that is doubled.
    assert!(kept.len() <= 4, "{} of {} parts are left", kept.len(), plan.numbers().len());
    let again = place.run(&plan.only(&kept), options).findings;
    assert!(again.iter().any(|one| one.resembles(&finding)), "{again:#?}");
}
