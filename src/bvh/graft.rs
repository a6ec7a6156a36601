//! Subtrees over blocks that stay whole: what an edit grows.
//!
//! New faces come in blocks of neighbours along a space-filling curve; old ones stay in the blocks that they are in. A
//! subtree is planned over the boxes of its blocks, a fifth as many as its faces, and only blocks so empty that a leaf
//! holds several of them are poured together.
use super::build::{Bounds, Builder, Group, Item, spread};
use super::curve;
use super::node::{LEAF, NONE, Tree, WIDTH};
use super::plan::{RUN, cut};

/// What a graft needs; empty between two.
#[derive(Debug, Default)]
pub(super) struct Graft {
    /// The blocks that it is made of, as items.
    pub boxes: Vec<Item>,
    /// The block of each part of the plan that has no halves.
    held: Vec<u32>,
    todo: Vec<Task>,
    /// Where runs end.
    ends: Vec<u32>,
}

/// A node whose lanes are still empty.
#[derive(Clone, Copy, Debug)]
struct Task {
    node: u32,
    bin: Bin,
}

/// A bin of the plan.
#[derive(Clone, Copy, Debug)]
struct Bin {
    part: u32,
    level: u32,
    is_leaf: bool,
}

impl Builder<'_> {
    /// Puts new faces into blocks of their own; these as items.
    pub fn fill_blocks(&mut self, items: &[Item], boxes: &mut Vec<Item>, graft: &mut Graft) {
        let most = self.growth.limits.faces_per_bin.min(RUN);
        if items.is_empty() {
            return;
        }
        let places = curve::order(items, &Group::of(items).centres);
        cut(&places, most, 0, &mut graft.ends);
        let mut start = 0;
        for end in graft.ends.drain(..) {
            let run = places[start..end as usize].iter();
            let run = run.map(|&place| &items[place as u32 as usize]);
            let (block, bounds) = self.fill_block(run, NONE, NONE);
            boxes.push(Item::new(block, &bounds));
            start = end as usize;
        }
    }

    /// Makes what belongs below an empty lane: a leaf or a subtree of the blocks in `graft`, which are not none.
    pub fn graft(&mut self, node: u32, lane: usize, level: u32, graft: &mut Graft) {
        let growth = &mut *self.growth;
        growth.plan.parts.clear();
        for (part, item) in (0u32..).zip(&mut graft.boxes) {
            let block = item.triangle();
            let count = self.tree.blocks[block as usize].count;
            growth.plan.push(&Group::of(&[*item]), count);
            graft.held.push(block);
            *item = Item::new(part, &item.bounds());
        }
        let levels = growth.limits.levels_below(level);
        let (split, scratch) = (growth.limits.split, &mut growth.scratch);
        let part = growth.plan.over(&mut graft.boxes, split, levels, scratch);
        let bin = self.part(part, level);
        self.hang_part(node, lane, &bin, graft);
        while let Some(task) = graft.todo.pop() {
            let size = |bin: &Bin| match bin.is_leaf {
                true => None,
                false => Some(
                    self.growth.plan.parts[bin.part as usize]
                        .group
                        .bounds
                        .area(),
                ),
            };
            let spread = spread(task.bin, size, |bin| {
                let kids = self.growth.plan.parts[bin.part as usize].kids;
                kids.map(|part| self.part(part, bin.level + 1))
            });
            spread.note(&mut self.tree.roles[task.node as usize]);
            for (lane, bin) in spread.bins().iter().enumerate() {
                self.hang_part(task.node, lane, bin, graft);
            }
        }
        graft.boxes.clear();
        graft.held.clear();
    }

    fn part(&self, part: u32, level: u32) -> Bin {
        let at = &self.growth.plan.parts[part as usize];
        let limits = &self.growth.limits;
        let is_leaf =
            at.kids[0] == NONE || limits.is_leaf(at.count as usize, &at.group.bounds, level);
        Bin {
            part,
            level,
            is_leaf,
        }
    }

    /// Puts a bin into an empty lane.
    fn hang_part(&mut self, node: u32, lane: usize, bin: &Bin, graft: &mut Graft) {
        let parent = node * WIDTH as u32 + lane as u32;
        let child = if bin.is_leaf {
            self.tree.leaves_at[bin.level as usize] += 1;
            self.pour(bin.part, parent, NONE, &graft.held) | LEAF
        } else {
            let node = self.tree.new_node(parent, bin.level);
            graft.todo.push(Task { node, bin: *bin });
            node
        };
        let part = &self.growth.plan.parts[bin.part as usize];
        self.tree
            .set_lane(node, lane, &part.group.bounds, child, part.count);
    }

    /// Chains the blocks of a part to those of a leaf, each filled up from the one after it; the first.
    fn pour(&mut self, part: u32, parent: u32, first: u32, held: &[u32]) -> u32 {
        let kids = self.growth.plan.parts[part as usize].kids;
        if kids[0] != NONE {
            let first = self.pour(kids[0], parent, first, held);
            return self.pour(kids[1], parent, first, held);
        }
        let block = held[part as usize];
        if first != NONE {
            self.tree.pour(block, first);
            if self.tree.blocks[block as usize].count == 0 {
                self.tree.free_block(block);
                return first;
            }
        }
        let at = &mut self.tree.blocks[block as usize];
        (at.parent, at.next) = (parent, first);
        block
    }
}

impl Tree {
    /// Takes everything below a lane apart but for the blocks, which are added as items; the lane is empty then.
    pub fn take_apart(&mut self, node: u32, lane: usize, boxes: &mut Vec<Item>) {
        let at = &self.nodes[node as usize];
        let (child, bounds) = (at.child[lane], at.boxes.get(lane));
        if child == NONE {
            return;
        }
        let role = &self.roles[node as usize];
        let is_dirty = role.dirty & (1 << lane) != 0;
        let level = role.levels()[lane];
        self.set_lane(node, lane, &Bounds::EMPTY, NONE, 0);
        if child & LEAF == 0 {
            for lane in 0..WIDTH {
                self.take_apart(child, lane, boxes);
            }
            self.free_node(child);
            return;
        }
        self.leaves_at[level as usize] -= 1;
        let mut at = child & !LEAF;
        while at != NONE {
            let block = &self.blocks[at as usize];
            let next = block.next;
            if block.count == 0 {
                self.free_block(at);
            } else if is_dirty || next != NONE || at != child & !LEAF {
                boxes.push(Item::new(at, &block.boxes.union()));
            } else {
                // A leaf of one block has its box.
                boxes.push(Item::new(at, &bounds));
            }
            at = next;
        }
    }

    /// Moves faces from one block to another as long as there is room.
    fn pour(&mut self, from: u32, to: u32) {
        while self.blocks[from as usize].count > 0 && self.blocks[to as usize].count < WIDTH as u32
        {
            let lane = self.blocks[from as usize].count as usize - 1;
            let moved = self.blocks[from as usize].lane(lane);
            self.blocks[from as usize].take_out(lane);
            let corners = self.corners[from as usize].get(lane);
            self.corners[from as usize].take_out(lane, lane);
            let block = &mut self.blocks[to as usize];
            self.corners[to as usize].set(block.count as usize, &corners);
            self.places[moved.face as usize] = to * WIDTH as u32 + block.count;
            block.put(&moved);
        }
    }
}
