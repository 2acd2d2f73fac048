//! Touch contacts as the helper plays them: `android-touch-plan-v1`.

use backend::TouchPlan;
use contract::{Code, Failure, Row, Size};
use serde_json::{Value, json};

/// Name of the format.
const PROTOCOL: &str = "android-touch-plan-v1";
/// A plan lasts this long at most, ms (the format's own limit).
const LONGEST_MS: u64 = 120_000;

/// Refuses a plan that the helper would refuse, or that leaves the display: a contact outside is dropped by some
/// devices and moved to the edge by others. The daemon holds a plan against the display that it knows; here it is the
/// one that was seen last, which may have been turned since.
///
/// # Errors
/// `daemon.refusal.outside-viewport`, or `INVALID_ARGS` for a plan that is too long.
pub fn check(plan: &TouchPlan, display: Size) -> Result<(), Failure> {
    if plan.duration_ms > LONGEST_MS {
        let message = format!("a gesture of {} ms: {LONGEST_MS} ms at most", plan.duration_ms);
        return Err(
            Failure::refused(Row::DaemonProtocolBadArguments, Code::InvalidArgs, message).reason("invalid_arguments")
        );
    }
    let outside = plan.contacts.iter().flatten().map(|sample| sample.point()).find(|at| {
        // A place that is no number lies nowhere.
        !display.bounds().contains(*at)
    });
    let Some(at) = outside else { return Ok(()) };
    let message = format!("the gesture leaves the display of {} x {} at {at}", display.width, display.height);
    Err(Failure::refused(Row::DaemonRefusalOutsideViewport, Code::OutsideViewport, message)
        .reason("gesture_outside_display")
        .detail("x", at.x)
        .detail("y", at.y))
}

/// The plan as the payload of a request.
pub fn payload(plan: &TouchPlan) -> Value {
    // A hundredth of a pixel is finer than any touch screen, and keeps a long plan short.
    let rounded = |px: f64| (px * 100.0).round() / 100.0;
    let pointers: Vec<Value> = plan
        .contacts
        .iter()
        .enumerate()
        .map(|(id, samples)| {
            let samples: Vec<Value> = samples
                .iter()
                .map(|sample| json!({"offsetMs": sample.offset_ms, "x": rounded(sample.x), "y": rounded(sample.y)}))
                .collect();
            json!({"pointerId": id, "samples": samples})
        })
        .collect();
    let kind = if plan.contacts.len() == 1 { "swipe" } else { "transform" };
    json!({"protocol": PROTOCOL, "kind": kind, "durationMs": plan.duration_ms, "pointers": pointers})
}

#[cfg(test)]
mod tests {
    use backend::touch::two::Transform;
    use contract::Point;

    use super::*;

    const SCREEN: Size = Size { width: 1080.0, height: 2400.0 };
    const HERE: Point = Point { x: 540.0, y: 1920.0 };

    #[test]
    fn a_press_is_one_contact_with_two_samples_at_one_place() {
        assert_eq!(
            payload(&TouchPlan::hold(HERE, 900)),
            json!({"protocol": "android-touch-plan-v1", "kind": "swipe", "durationMs": 900, "pointers": [{"pointerId": 0,
                "samples": [{"offsetMs": 0, "x": 540.0, "y": 1920.0}, {"offsetMs": 900, "x": 540.0, "y": 1920.0}]}]})
        );
    }

    #[test]
    fn two_contacts_are_a_transform_in_hundredths_of_a_pixel() {
        let pinch = Transform { middle: Point { x: 540.0, y: 1200.0 }, by: (0.0, 0.0), scale: 1.7, degrees: 33.0 };
        let payload = payload(&TouchPlan::transform(SCREEN, pinch, 300).unwrap());
        assert_eq!((&payload["kind"], &payload["pointers"][1]["pointerId"]), (&json!("transform"), &json!(1)));
        for sample in payload["pointers"][0]["samples"].as_array().unwrap() {
            let hundredths = sample["x"].as_f64().unwrap() * 100.0;
            assert!((hundredths - hundredths.round()).abs() < 1e-6, "{sample}");
        }
    }

    #[test]
    fn a_plan_that_the_helper_could_not_play_is_refused_before_it_is_sent() {
        assert!(check(&TouchPlan::tap(HERE), SCREEN).is_ok());
        for outside in [Point { x: 1080.0, y: 5.0 }, Point { x: -1.0, y: 5.0 }, Point { x: f64::NAN, y: 5.0 }] {
            let refused = check(&TouchPlan::swipe(HERE, outside, 100), SCREEN).unwrap_err();
            assert_eq!(refused.claim().unwrap().row, Row::DaemonRefusalOutsideViewport);
        }
        assert_eq!(check(&TouchPlan::hold(HERE, 120_001), SCREEN).unwrap_err().code, Code::InvalidArgs);
    }
}
