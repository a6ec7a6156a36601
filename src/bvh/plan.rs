//! The upper divisions of a tree, found before the items are looked at one by one.
//!
//! Dividing from the top down reads every item once a level. Where the rule allows, runs of neighbours along a
//! space-filling curve stand for their items in the upper levels, a fifth as many; the lower levels are divided item by
//! item as ever. (Treelets as in Garanzha, Pantaleoni and McAllister, Simpler and Faster HLBVH with Work Queues, 2011.)
//! Merging leaves a plan down to the single items.
use super::build::{Bounds, Group, Item};
use super::curve;
use super::divide::{SORTED, cheapest_border, cheapest_plane, halve, partition};
use super::node::{DEEPEST, NONE};

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
const RUN: usize = 8;
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
        let mut runs = Runs::default();
        runs.cut(&places, 0);
        let mut starts = runs.ends.clone();
        starts.insert(0, 0);
        let mut boxes = Vec::with_capacity(runs.ends.len());
        self.parts.reserve(2 * runs.ends.len());
        for (run, ends) in (0u32..).zip(starts.windows(2)) {
            let group = Group::of(&ordered[ends[0] as usize..ends[1] as usize]);
            self.parts.push(Part {
                group,
                count: ends[1] - ends[0],
                kids: [NONE; 2],
            });
            boxes.push(Item::new(run, &group.bounds));
        }
        let mut order = Order {
            plan: self,
            order: Vec::with_capacity(boxes.len()),
            scratch: Vec::new(),
            work: items.len() as u64,
        };
        let root = order.divide(&mut boxes, 0);
        let (order, work) = (order.order, order.work);
        let mut to = 0;
        for run in order {
            let from = starts[run as usize] as usize..starts[run as usize + 1] as usize;
            let part = &ordered[from];
            items[to..to + part.len()].copy_from_slice(part);
            to += part.len();
        }
        (root, work)
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

/// Where the runs end.
#[derive(Default)]
struct Runs {
    ends: Vec<u32>,
}

impl Runs {
    /// Cuts places on the curve at the highest bit in which they differ, until few are left.
    fn cut(&mut self, places: &[curve::Place], start: usize) {
        if places.len() <= RUN {
            self.ends.push((start + places.len()) as u32);
            return;
        }
        let (first, last) = (places[0], places[places.len() - 1]);
        let middle = match (curve::code(first) ^ curve::code(last)).checked_ilog2() {
            Some(bit) => places.partition_point(|&p| curve::code(p) >> bit & 1 == 0),
            None => places.len() / 2,
        };
        self.cut(&places[..middle], start);
        self.cut(&places[middle..], start + middle);
    }
}

/// Divides runs as if they were items.
struct Order<'a> {
    plan: &'a mut Plan,
    /// Runs in the order of the bins.
    order: Vec<u32>,
    scratch: Vec<Item>,
    work: u64,
}

impl Order<'_> {
    /// The bin of some runs, which are not none.
    fn divide(&mut self, runs: &mut [Item], level: usize) -> u32 {
        if let [run] = runs {
            self.order.push(run.triangle());
            return run.triangle();
        }
        self.work += runs.len() as u64;
        let middle = self.middle(runs, level);
        let (left, right) = runs.split_at_mut(middle);
        let kids = [self.divide(left, level + 1), self.divide(right, level + 1)];
        self.plan.add(kids)
    }

    /// Reorders two runs or more into two groups, neither empty; the size of the first.
    fn middle(&mut self, runs: &mut [Item], level: usize) -> usize {
        if let [_, _] = runs {
            return 1;
        }
        let mut centres = Bounds::EMPTY;
        runs.iter().for_each(|run| centres.add_point(run.middle()));
        // Beyond the deepest level halves: the calls must not get deeper either.
        if level >= DEEPEST {
            return halve(runs, centres.longest_axis());
        }
        if runs.len() <= SORTED {
            return cheapest_border(runs, centres.longest_axis());
        }
        let middle = match cheapest_plane(runs, &centres) {
            Some((slabs, axis, end)) => {
                partition(runs, &mut self.scratch, |run| slabs.along(run, axis) < end)
            }
            None => 0,
        };
        if 0 < middle && middle < runs.len() {
            middle
        } else {
            halve(runs, centres.longest_axis())
        }
    }
}
