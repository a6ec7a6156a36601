//! The queue of a search by least cost (Dijkstra 1959): what was found and not yet visited, the cheapest first.
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Numbers with their costs. Of equal costs the lower number comes first, so that a search has one outcome.
#[derive(Clone, Debug, Default)]
pub struct CostQueue {
    /// Costs as bits, which order like the numbers.
    queue: BinaryHeap<Reverse<(u64, u32)>>,
}

impl CostQueue {
    /// Adds a number; its cost is not below zero.
    pub fn push(&mut self, cost: f64, number: u32) {
        debug_assert!(0.0 <= cost, "a cost of {cost}");
        self.queue.push(Reverse((cost.to_bits(), number)));
    }

    /// Takes the cheapest, with its cost.
    pub fn pop(&mut self) -> Option<(f64, u32)> {
        let Reverse((cost, number)) = self.queue.pop()?;
        Some((f64::from_bits(cost), number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cheapest_comes_first_and_of_equal_ones_the_lowest() {
        let mut queue = CostQueue::default();
        let costs = [(2.5, 1), (0.0, 9), (1e-300, 2), (2.5, 0), (7.0, 3)];
        costs.into_iter().for_each(|(cost, n)| queue.push(cost, n));
        let order: Vec<u32> = std::iter::from_fn(|| queue.pop())
            .map(|one| one.1)
            .collect();
        assert_eq!(order, [9, 2, 0, 1, 3]);
    }
}
