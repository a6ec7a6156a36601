//! The upper divisions of a tree, found before the items are looked at one by one.
//!
//! Dividing from the top down reads every item once a level. Where the rule allows, runs of neighbours along a
//! space-filling curve stand for their items in the upper levels, a fifth as many; the lower levels are divided item by
//! item as ever. (Treelets as in Garanzha, Pantaleoni and McAllister, Simpler and Faster HLBVH with Work Queues, 2011.)
//! Merging leaves a plan down to the single items.
use super::build::{Group, Item};
use super::divide::{divide, halve};
use super::node::{DEEPEST, NONE};
use super::{SplitRule, curve, merge};

/// A bin that a plan knows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub group: Group,
    /// Items in it.
    pub count: u32,
    /// Its halves; [`NONE`] where the plan ends.
    pub kids: [u32; 2],
}

/// What is known of the bins; the items lie in the order of the bins.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    pub parts: Vec<Part>,
}

/// Most items that a run stands for.
pub(super) const RUN: usize = 8;
/// Fewer items than this need no plan.
const FEW: usize = 64;

impl Plan {
    /// Plans by the surface area heuristic, and orders the items. The bin of all, if a plan is worth it, and the work
    /// done in items looked at.
    pub fn by_area(&mut self, items: &mut [Item], group: &Group) -> (u32, u64) {
        self.parts.clear();
        if items.len() < FEW {
            return (NONE, 0);
        }
        let places = curve::order(items, &group.centres);
        let ordered: Vec<Item> = places.iter().map(|&p| items[p as u32 as usize]).collect();
        let mut starts = vec![0];
        cut(&places, RUN, 0, &mut starts);
        let mut boxes = Vec::with_capacity(starts.len());
        self.parts.reserve(2 * starts.len());
        for (run, ends) in (0u32..).zip(starts.windows(2)) {
            let group = Group::of(&ordered[ends[0] as usize..ends[1] as usize]);
            self.push(&group, ends[1] - ends[0]);
            boxes.push(Item::new(run, &group.bounds));
        }
        let mut order = Order {
            plan: self,
            split: SplitRule::Sah,
            deepest: DEEPEST,
            scratch: &mut Vec::new(),
            work: items.len() as u64,
        };
        let root = order.divide(&mut boxes, 0);
        let work = order.work;
        let mut to = 0;
        // The runs lie in the order of the bins now.
        for run in boxes.iter().map(Item::triangle) {
            let from = starts[run as usize] as usize..starts[run as usize + 1] as usize;
            let part = &ordered[from];
            items[to..to + part.len()].copy_from_slice(part);
            to += part.len();
        }
        (root, work)
    }

    /// Plans over boxes that stay whole: part i is item i, which is numbered so. The bin of all. Nothing is planned
    /// below so many levels but by halving.
    pub fn over(
        &mut self,
        boxes: &mut [Item],
        split: SplitRule,
        levels: usize,
        scratch: &mut Vec<Item>,
    ) -> u32 {
        if split == SplitRule::BottomUp {
            let group = Group::of(boxes);
            return merge::plan(boxes, &group, self).part;
        }
        let mut order = Order {
            plan: self,
            split,
            deepest: levels,
            scratch,
            work: 0,
        };
        order.divide(boxes, 0)
    }

    /// Adds a part that is not divided.
    #[inline]
    pub fn push(&mut self, group: &Group, count: u32) {
        self.parts.push(Part {
            group: *group,
            count,
            kids: [NONE; 2],
        });
    }

    pub fn add(&mut self, kids: [u32; 2]) -> u32 {
        let [a, b] = kids.map(|kid| self.parts[kid as usize]);
        self.parts.push(Part {
            group: a.group.with(&b.group),
            count: a.count + b.count,
            kids,
        });
        self.parts.len() as u32 - 1
    }
}

/// Cuts places on the curve at the highest bit in which they differ, until no more than `most` are left in each run; adds
/// where the runs end.
pub(super) fn cut(places: &[curve::Place], most: usize, start: usize, ends: &mut Vec<u32>) {
    if places.len() <= most {
        ends.push((start + places.len()) as u32);
        return;
    }
    let (first, last) = (places[0], places[places.len() - 1]);
    let middle = match (curve::code(first) ^ curve::code(last)).checked_ilog2() {
        Some(bit) => places.partition_point(|&p| curve::code(p) >> bit & 1 == 0),
        None => places.len() / 2,
    };
    cut(&places[..middle], most, start, ends);
    cut(&places[middle..], most, start + middle, ends);
}

/// Divides runs as if they were items.
struct Order<'a> {
    plan: &'a mut Plan,
    split: SplitRule,
    /// So many levels there are.
    deepest: usize,
    scratch: &'a mut Vec<Item>,
    work: u64,
}

impl Order<'_> {
    /// The bin of some runs, which are not none.
    fn divide(&mut self, runs: &mut [Item], level: usize) -> u32 {
        if let [run] = runs {
            return run.triangle();
        }
        self.work += runs.len() as u64;
        let group = Group::of(runs);
        let mut middle = divide(self.split, runs, self.scratch, &group);
        // What the levels left could not hold is halved; so the calls do not get deeper either.
        let left = self.deepest.saturating_sub(level + 1);
        if middle.max(runs.len() - middle) as u64 > 1 << left {
            middle = halve(runs, group.centres.longest_axis());
        }
        let (left, right) = runs.split_at_mut(middle);
        let kids = [self.divide(left, level + 1), self.divide(right, level + 1)];
        self.plan.add(kids)
    }
}
