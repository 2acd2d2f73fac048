use contract::{Point, Size};

use super::{TouchPlan, two::Transform};

const SCREEN: Size = Size { width: 1080.0, height: 2400.0 };
const MIDDLE: Point = Point { x: 540.0, y: 1200.0 };

fn well_formed(plan: &TouchPlan) {
    for samples in &plan.contacts {
        assert!(samples.len() >= 2);
        assert_eq!(samples.first().unwrap().offset_ms, 0);
        assert_eq!(samples.last().unwrap().offset_ms, plan.duration_ms);
        assert!(samples.windows(2).all(|pair| pair[0].offset_ms < pair[1].offset_ms), "{samples:?}");
        let times = |samples: &[super::Sample]| samples.iter().map(|sample| sample.offset_ms).collect::<Vec<_>>();
        assert_eq!(times(samples), times(&plan.contacts[0]), "all contacts have samples at the same times");
    }
}

#[test]
fn every_movement_starts_at_once_ends_in_time_and_never_goes_back_in_time() {
    let (from, to) = (Point { x: 100.0, y: 2000.0 }, Point { x: 900.0, y: 300.0 });
    for ms in [1, 15, 16, 17, 100, 300, 1000, 9999] {
        for plan in [
            TouchPlan::hold(from, ms),
            TouchPlan::swipe(from, to, ms),
            TouchPlan::pan(from, to, ms),
            TouchPlan::pan_by_two(MIDDLE, to, 100.0, ms),
            TouchPlan::scroll(from, to, ms),
            TouchPlan::drag(from, to, 800, ms, 0),
            TouchPlan::drag(from, to, 0, ms, 33),
            TouchPlan::drag(from, to, 7, ms, 1),
        ] {
            well_formed(&plan);
        }
        let plan = TouchPlan::swipe(from, to, ms);
        assert_eq!((plan.start(), plan.end()), (from, to));
    }
    well_formed(&TouchPlan::tap(from));
}

#[test]
fn a_drag_rests_before_and_after_and_a_pan_before_it_lifts() {
    let (from, to) = (Point { x: 100.0, y: 100.0 }, Point { x: 500.0, y: 100.0 });
    let drag = TouchPlan::drag(from, to, 800, 500, 200);
    assert_eq!(drag.duration_ms, 1500);
    let at = |ms: u64| drag.contacts[0].iter().rfind(|sample| sample.offset_ms <= ms).unwrap().point();
    assert_eq!((at(799), at(1300), at(1500)), (from, to, to));
    let pan = TouchPlan::pan(from, to, 500);
    let still = pan.contacts[0].iter().filter(|sample| sample.point() == to).count();
    assert!(pan.duration_ms >= 600 && still > 5, "{pan:?}");
}

#[test]
fn two_contacts_keep_their_ratio_stay_on_the_screen_and_apart() {
    for (scale, degrees, by) in
        [(3.0, 0.0, (0.0, 0.0)), (0.2, 0.0, (0.0, 0.0)), (1.0, 180.0, (0.0, 0.0)), (2.0, -45.0, (100.0, -300.0))]
    {
        let what = Transform { middle: MIDDLE, by, scale, degrees };
        let plan = TouchPlan::transform(SCREEN, what, 300).unwrap().inside(SCREEN).unwrap();
        well_formed(&plan);
        let span = |step: fn(&[super::Sample]) -> super::Sample| {
            let [one, other] = [step(&plan.contacts[0]), step(&plan.contacts[1])];
            ((one.x - other.x).powi(2) + (one.y - other.y).powi(2)).sqrt()
        };
        let (first, last) = (span(|all| all[0]), span(|all| all[all.len() - 1]));
        assert!((last / first - scale).abs() < 1e-6 && first.min(last) >= 48.0 - 1e-6, "{scale}: {first} -> {last}");
    }
    let cramped = Transform { middle: Point { x: 30.0, y: 30.0 }, by: (0.0, 0.0), scale: 3.0, degrees: 0.0 };
    assert!(TouchPlan::transform(SCREEN, cramped, 300).is_err());
}

#[test]
fn a_movement_that_leaves_the_screen_is_refused_with_the_place() {
    let refused = TouchPlan::swipe(MIDDLE, Point { x: 2000.0, y: 1200.0 }, 100).inside(SCREEN).unwrap_err();
    assert!(refused.message.contains("1080 x 2400"), "{}", refused.message);
    assert!(TouchPlan::tap(Point { x: f64::NAN, y: 1.0 }).inside(SCREEN).is_err());
}
