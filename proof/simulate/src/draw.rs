//! Numbers that a seed determines, the same on every machine.

/// A stream of numbers.
#[derive(Debug, Clone)]
pub struct Draw(u64);

impl Draw {
    /// The stream of a seed; `salt` tells streams of one seed apart.
    pub const fn new(seed: u64, salt: u64) -> Self {
        Self(seed ^ salt.wrapping_mul(0xd134_2543_de82_ef95))
    }

    /// The next number.
    pub const fn number(&mut self) -> u64 {
        cut::draw::next(&mut self.0)
    }

    /// The next number below `bound`, 0 where that is 0.
    pub const fn below(&mut self, bound: u64) -> u64 {
        let number = self.number();
        if bound == 0 { 0 } else { number % bound }
    }

    /// True in `percent` of 100 cases.
    pub const fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of several.
    pub fn one<T: Copy>(&mut self, of: &[T]) -> T {
        let index = self.below(of.len() as u64) as usize;
        *of.get(index).expect("something to choose from")
    }

    /// One of several, each with its weight.
    pub fn weighted<T: Copy>(&mut self, of: &[(u64, T)]) -> T {
        let mut left = self.below(of.iter().map(|(weight, _)| weight).sum());
        for (weight, one) in of {
            if left < *weight {
                return *one;
            }
            left -= weight;
        }
        of.last().expect("something to choose from").1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_a_stream_and_salts_are_others() {
        let taken = |seed, salt| {
            let mut draw = Draw::new(seed, salt);
            (0..8).map(|_| draw.number()).collect::<Vec<_>>()
        };
        assert_eq!(taken(7, 1), taken(7, 1));
        assert_ne!(taken(7, 1), taken(7, 2));
        assert_ne!(taken(7, 1), taken(8, 1));
    }

    #[test]
    fn weights_are_kept_to() {
        let mut draw = Draw::new(1, 1);
        let heavy = (0..10_000).filter(|_| draw.weighted(&[(9, true), (1, false)])).count();
        assert!((8_700..9_300).contains(&heavy), "{heavy}");
    }
}
