//! The least part of a plan that still fails in the same way.

use std::collections::BTreeSet;

use crate::{model::Finding, plan::Plan};

/// Takes parts out of a plan, in ever smaller pieces, as long as what is left still has a finding like `like`
/// (delta debugging). `fails` runs a plan; at most `runs` times.
pub fn shrink(
    plan: &Plan,
    like: &Finding,
    mut runs: usize,
    mut fails: impl FnMut(&Plan) -> Vec<Finding>,
) -> BTreeSet<u32> {
    let mut kept: Vec<u32> = plan.numbers().into_iter().collect();
    let mut piece = kept.len().div_ceil(2).max(1);
    loop {
        let mut start = 0;
        let mut shrunk = false;
        while start < kept.len() {
            if runs == 0 {
                return kept.into_iter().collect();
            }
            runs -= 1;
            let without: BTreeSet<u32> = kept
                .iter()
                .enumerate()
                .filter(|(at, _)| !(start..start + piece).contains(at))
                .map(|(_, one)| *one)
                .collect();
            if fails(&plan.only(&without)).iter().any(|finding| finding.resembles(like)) {
                kept = without.into_iter().collect();
                shrunk = true;
            } else {
                start += piece;
            }
        }
        match (piece, shrunk) {
            (1, false) => return kept.into_iter().collect(),
            (1, true) => {}
            _ => piece = piece.div_ceil(2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{model::Kind, script};

    #[test]
    fn two_parts_that_only_fail_together_are_found_among_many() {
        let plan = script::plan(3);
        let numbers: Vec<u32> = plan.clients[0].iter().map(|step| step.number).collect();
        let (one, other) = (numbers[0], numbers[numbers.len() - 1]);
        let finding = Finding::new(Kind::TaskLeft, None, String::new());
        let kept = shrink(&plan, &finding, 10_000, |plan| {
            let numbers = plan.numbers();
            if numbers.contains(&one) && numbers.contains(&other) { vec![finding.clone()] } else { Vec::new() }
        });
        assert_eq!(kept, BTreeSet::from([one, other]));
    }
}
