//! Disjoint sets (Galler and Fischer 1964), with path halving.

/// Disjoint sets of the numbers 0..n; the lowest number of a set represents it.
#[derive(Clone, Debug, Default)]
pub struct DisjointSets(Vec<u32>);

impl DisjointSets {
    /// Each number by itself.
    pub fn new(n: usize) -> DisjointSets {
        DisjointSets((0..n as u32).collect())
    }
    /// The number that represents the set of `i`.
    pub fn find(&mut self, mut i: u32) -> u32 {
        while self.0[i as usize] != i {
            self.0[i as usize] = self.0[self.0[i as usize] as usize];
            i = self.0[i as usize];
        }
        i
    }
    /// Makes one set of two.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}
