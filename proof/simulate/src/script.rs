//! From a seed to a plan.

use stage::{Fault, FaultKind, Operation};

use crate::{
    acts,
    draw::Draw,
    plan::{Act, Manner, Numbered, Pieces, Plan, Step},
};

const OPERATIONS: &[Operation] = &[
    Operation::Open,
    Operation::Capture,
    Operation::Look,
    Operation::Press,
    Operation::Hover,
    Operation::Swipe,
    Operation::Fill,
    Operation::Type,
    Operation::Scroll,
    Operation::Back,
    Operation::Home,
    Operation::Viewport,
    Operation::AnswerDialog,
    Operation::Navigate,
    Operation::Close,
    Operation::Status,
];

const KINDS: &[FaultKind] = &[
    FaultKind::Refuse,
    FaultKind::Delay,
    FaultKind::LateReply,
    FaultKind::DropReplyBeforeEffect,
    FaultKind::DropReplyAfterEffect,
    FaultKind::RestartBeforeEffect,
    FaultKind::RestartAfterEffect,
    FaultKind::EmptyCapture,
    FaultKind::Panic,
];

/// How long something is late, ms: around the intervals and limits of the product.
const LATE_MS: &[u64] = &[1, 20, 150, 199, 201, 900, 2_000, 9_000, 29_999, 30_001, 65_000];
/// Limits of requests, ms.
const LIMITS_MS: &[u64] = &[1, 5, 100, 250, 500, 1_000, 3_000, 15_000];

/// Draws a plan.
pub fn plan(seed: u64) -> Plan {
    let mut draw = Draw::new(seed, 1);
    let mut numbers = 0..;
    let mut next = || numbers.next().expect("numbers do not end");
    let clients = 1 + draw.below(4);
    let sessions = 1 + draw.below(3);
    // Faults in some runs only, and more of them in some: what goes wrong in a healthy daemon is seen too.
    let faults = draw.one(&[0, 8, 25, 60]);
    let trouble = draw.one(&[0, 5, 20]);
    let of_client = |client: u64| {
        let steps = 4 + draw.below(20);
        let mut before = Act::Kill;
        (0..steps)
            .map(|index| {
                let session = if draw.chance(80) { client % sessions } else { draw.below(sessions) };
                let act = match index {
                    0 => acts::opening(&mut draw),
                    _ if draw.chance(1) && draw.chance(50) => Act::Kill,
                    _ => acts::after_that(&mut draw, &before),
                };
                before.clone_from(&act);
                Step {
                    number: next(),
                    session: session as u8,
                    device: draw.weighted(&[(6, None), (3, Some("stage")), (2, Some("stage-1")), (1, Some("stage-2"))]),
                    pause_ms: draw.weighted(&[(5, 0), (3, 10), (2, 400), (1, 3_000)]),
                    manner: manner(&mut draw, trouble),
                    timeout_ms: draw.chance(15).then(|| draw.one(LIMITS_MS)),
                    readiness_ms: draw.chance(20).then(|| draw.one(&[1, 300, 1_000, 2_000, 5_000])),
                    faults: (0..3)
                        .filter_map(|_| if draw.chance(faults) { Some(fault(&mut draw, &act, next())) } else { None })
                        .collect(),
                    pieces: draw.chance(trouble).then(|| Pieces {
                        number: next(),
                        count: 2 + draw.below(6),
                        pause_ms: draw.one(&[0, 0, 3, 50, 700]),
                    }),
                    salt: draw.number(),
                    act,
                }
            })
            .collect()
    };
    Plan { seed, clients: (0..clients).map(of_client).collect() }
}

fn manner(draw: &mut Draw, trouble: u64) -> Manner {
    if !draw.chance(trouble + 4) {
        return Manner::Wait;
    }
    let after = draw.one(&[0, 0, 1, 50, 200, 900, 5_000]);
    match draw.below(10) {
        0 | 1 => Manner::Pipeline,
        2 => Manner::Leave(after),
        3 | 4 => Manner::AskRetained(after),
        5 => Manner::RunAgain(after),
        6 => Manner::Twice(after),
        7 => Manner::Reuse,
        8 => Manner::HalfLine(1 + draw.below(99)),
        _ => Manner::Stall(after),
    }
}

fn fault(draw: &mut Draw, act: &Act, number: u32) -> Numbered {
    let on = if draw.chance(85) { draw.one(acts::operations(act)) } else { draw.one(OPERATIONS) };
    let fault = Fault::new(on, draw.one(KINDS)).ms(draw.one(LATE_MS));
    // Every occurrence, now and then: a device that is gone for good.
    let fault = if draw.chance(8) { fault } else { fault.nth(1 + draw.below(3) as u32) };
    Numbered { number, fault }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_a_plan_and_parts_can_be_taken_out() {
        let whole = plan(11);
        assert_eq!(format!("{whole:?}"), format!("{:?}", plan(11)));
        let numbers = whole.numbers();
        assert_eq!(format!("{:?}", whole.only(&numbers)), format!("{whole:?}"));
        let some = numbers.iter().copied().filter(|number| number % 2 == 0).collect();
        assert_eq!(whole.only(&some).numbers().intersection(&some).count(), whole.only(&some).numbers().len());
        assert!(whole.only(&some).steps() < whole.steps());
    }
}
