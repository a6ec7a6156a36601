//! K u = f of one connected part: the factor of its stiffness matrix, front by front, and the solutions with it.
//!
//! Multifrontal Cholesky (Duff and Reid, "The multifrontal solution of indefinite sparse symmetric linear equations", ACM TOMS
//! 9, 1983). The right side rides along as one more row of every front, so the first solution needs no pass down.
use super::dense::{self, Columns, PANEL, SIX};
use super::fronts::Fronts;
use super::graph::{ANCHOR, Graph, Joint};
use super::key::Key;
use super::memory::{Made, Memory};
use super::section::Spring;
use glam::DVec3;
use std::ops::Range;

/// A pivot counts as zero below this part of the stiffness that its block has by itself: there is a way to move it without
/// resistance, but for rounding. A pillar of n blocks has 1/n³ of that at its end.
const PIVOT_MIN: f64 = 1e-13;

/// Products that one step does at most, or one panel of six columns where that is more.
const STEP_PRODUCTS: usize = 400_000;

/// Keys that one step finds at most.
const KEYS: usize = 500;

/// Doubles that one step makes room for at most.
const ZEROS: usize = 200_000;

/// Sub-trees of up to so many blocks are made as one. Of them the memory keeps what their last front hands over, and the
/// factor's columns, but not what goes from front to front, which would be half as much again.
const UNIT: usize = 64;

/// The factor of a part, in the making or done.
pub(super) struct Factor {
    fronts: Fronts,
    /// By front: the last one of its unit.
    units: Vec<u32>,
    /// By front: what it is made of.
    keys: Vec<Key>,
    memory: Memory,
    /// A unit, by its last front, and whether the memory has it.
    known: (u32, bool),
    /// The front in work. None: the memory has it, and all that is left to do is to count the work.
    made: Option<Made>,
    /// By front within a unit: what it hands over, until that is taken.
    rests: Vec<Vec<f64>>,
    /// Of the pivots of the front in work.
    least: Vec<f64>,
    /// By block: its place in the front in work.
    place: Vec<u32>,
    local: Vec<f64>,
    front: usize,
    stage: Stage,
}

#[derive(Clone, Copy)]
enum Stage {
    /// Finds the keys.
    Keys,
    /// Makes room in the panel, then in the rest, from some place on.
    Begin {
        from: usize,
    },
    /// The blocks' own stiffness and right sides.
    Own,
    /// What a child hands over, from some block on.
    Child {
        child: usize,
        block: usize,
    },
    Eliminate {
        panel: usize,
    },
    Panel {
        panel: usize,
        col: usize,
    },
    Rest {
        panel: usize,
        col: usize,
    },
}

/// What one step came to.
pub(super) enum Step {
    /// It took about so many nanoseconds.
    Took(u64),
    /// This block, by local number, can move without resistance.
    Loose(u32),
    /// There was nothing left to do.
    Done,
}

/// A part: its blocks by local number, and local numbers by rank (`u32::MAX`: out of the structure).
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub graph: &'a Graph,
    pub ranks: &'a [u32],
    pub local: &'a [u32],
}

impl Part<'_> {
    /// The joints of a block, whether it is on their high side, and the block on the other one; none: the anchor.
    fn joints_of(&self, block: u32) -> impl Iterator<Item = (&Joint, bool, Option<u32>)> {
        let joints = self.graph.joints_of(self.ranks[block as usize]);
        joints.filter_map(|(_, joint, is_high)| {
            let other = if is_high { joint.low } else { joint.high };
            if other == ANCHOR {
                return Some((joint, is_high, None));
            }
            let other = self.local[other as usize];
            (other != u32::MAX).then_some((joint, is_high, Some(other)))
        })
    }
}

impl Factor {
    /// Of a part of so many blocks.
    pub fn new(fronts: Fronts, blocks: usize, memory: Memory) -> Self {
        let count = fronts.fronts.len();
        let mut sizes: Vec<usize> = vec![];
        for front in &fronts.fronts {
            let children = &fronts.children[front.children.clone()];
            let below: usize = children.iter().map(|&child| sizes[child as usize]).sum();
            sizes.push(front.pivots + below);
        }
        let mut units: Vec<u32> = (0..count as u32).collect();
        for (i, front) in fronts.fronts.iter().enumerate().rev() {
            if sizes[i] <= UNIT {
                for &child in &fronts.children[front.children.clone()] {
                    units[child as usize] = units[i];
                }
            }
        }
        Factor {
            units,
            keys: Vec::with_capacity(count),
            memory,
            known: (u32::MAX, false),
            made: None,
            rests: vec![vec![]; count],
            least: vec![],
            place: vec![u32::MAX; blocks],
            local: vec![],
            front: 0,
            stage: Stage::Keys,
            fronts,
        }
    }

    /// Its memory, for the next one.
    pub fn into_memory(mut self) -> Memory {
        let rests = self
            .rests
            .into_iter()
            .chain(self.made.map(|made| made.rest));
        rests.for_each(|rest| self.memory.give_up(rest));
        self.memory
    }

    /// Does the next step of the factorisation. `f` has the right side by local number; L⁻¹ f takes its place. What a step
    /// costs does not depend on the memory.
    pub fn step(&mut self, part: Part, f: &mut [[f64; SIX]]) -> Step {
        let Some(front) = self.fronts.fronts.get(self.front).cloned() else {
            return Step::Done;
        };
        let (size, columns) = (SIX * front.blocks.len(), SIX * front.pivots);
        let rows = size + 1;
        let stride = dense::stride(rows);
        let rest_rows = rows - columns;
        let rest_columns = Columns::Lower(rest_rows);
        match self.stage {
            Stage::Keys => {
                let from = self.keys.len();
                let to = (from + KEYS).min(self.fronts.fronts.len());
                (from..to).for_each(|front| self.add_key(front, part, f));
                if to == self.fronts.fronts.len() {
                    self.stage = Stage::Begin { from: 0 };
                }
                Step::Took((to - from) as u64 * 900)
            }
            Stage::Begin { from } => {
                let panel = columns * stride;
                let size = panel + rest_columns.block(rest_rows / SIX).0;
                if from == 0 {
                    self.made = match self.is_known() {
                        true => None,
                        false => Some(self.memory.room(panel, size - panel)),
                    };
                }
                let to = (from + ZEROS).min(size);
                if let Some(made) = &mut self.made {
                    made.panel.resize(to.min(panel), 0.0);
                    made.rest.resize(to.saturating_sub(panel), 0.0);
                }
                self.stage = if to < size {
                    Stage::Begin { from: to }
                } else {
                    Stage::Own
                };
                Step::Took(100 + (to - from) as u64 / 2)
            }
            Stage::Own => {
                self.own(part, f);
                self.stage = Stage::Child { child: 0, block: 0 };
                Step::Took(200 + front.pivots as u64 * 300)
            }
            Stage::Child { child, block } => {
                let Some(&from) = self.fronts.children[front.children.clone()].get(child) else {
                    if self.made.is_some() {
                        for &block in &self.fronts.blocks[front.blocks.clone()] {
                            self.place[block as usize] = u32::MAX;
                        }
                    }
                    self.stage = Stage::Eliminate { panel: 0 };
                    return Step::Took(0);
                };
                let (took, to) = self.add_child(from as usize, block);
                self.stage = match to {
                    Some(block) => Stage::Child { child, block },
                    None => Stage::Child {
                        child: child + 1,
                        block: 0,
                    },
                };
                Step::Took(took)
            }
            Stage::Eliminate { panel } => {
                let to = (panel + PANEL).min(columns);
                if let Some(made) = &mut self.made {
                    let eliminated = dense::dispatch(dense::Eliminate {
                        panel: &mut made.panel,
                        stride,
                        rows,
                        from: panel,
                        to,
                        least: &self.least,
                    });
                    if let Err(column) = eliminated {
                        let block = self.fronts.blocks[front.blocks.start + column / SIX];
                        return Step::Loose(block);
                    }
                }
                self.stage = Stage::Panel { panel, col: to };
                let width = to - panel;
                Step::Took(100 + (rows - panel) as u64 * (width * width) as u64 / 8)
            }
            Stage::Panel { panel, col } => {
                let end = (panel + PANEL).min(columns);
                if col == columns {
                    self.stage = Stage::Rest { panel, col: 0 };
                    return Step::Took(0);
                }
                let width = end - panel;
                let count = slice(rows - col, width);
                let to = (col + count).min(columns);
                if let Some(Made { panel: values, .. }) = &mut self.made {
                    let packed = &mut self.memory.packed;
                    if col == end {
                        dense::pack(packed, values, stride, end..rows, panel..end);
                    }
                    dense::dispatch(dense::Update {
                        packed,
                        width,
                        target: &mut values[end * stride + end..],
                        columns: Columns::Whole(stride),
                        from: col - end,
                        to: to - end,
                    });
                }
                self.stage = Stage::Panel { panel, col: to };
                Step::Took(100 + ((rows - col) * width * (to - col)) as u64 / 9)
            }
            Stage::Rest { panel, col } => {
                let end = (panel + PANEL).min(columns);
                if col == rest_rows - 1 {
                    if end < columns {
                        self.stage = Stage::Eliminate { panel: end };
                    } else {
                        self.close(f);
                        self.stage = Stage::Begin { from: 0 };
                    }
                    return Step::Took(20);
                }
                let width = end - panel;
                let count = slice(rest_rows - col, width);
                let to = (col + count).min(rest_rows - 1);
                if let Some(made) = &mut self.made {
                    let packed = &mut self.memory.packed;
                    if col == 0 {
                        dense::pack(packed, &made.panel, stride, columns..rows, panel..end);
                    }
                    dense::dispatch(dense::Update {
                        packed,
                        width,
                        target: &mut made.rest,
                        columns: rest_columns,
                        from: col,
                        to,
                    });
                }
                self.stage = Stage::Rest { panel, col: to };
                Step::Took(100 + ((rest_rows - col) * width * (to - col)) as u64 / 9)
            }
        }
    }

    /// Adds the key of a front: all that its numbers depend on.
    fn add_key(&mut self, front: usize, part: Part, f: &[[f64; SIX]]) {
        self.find_places(front);
        let front = &self.fronts.fronts[front];
        let blocks = &self.fronts.blocks[front.blocks.clone()];
        let mut key = Key::default();
        key.add(front.pivots as u64, blocks.len() as u64);
        for &block in &blocks[..front.pivots] {
            for (joint, is_high, other) in part.joints_of(block) {
                let place = other.map_or(u32::MAX, |other| self.place[other as usize]);
                key.add_key(joint.key);
                key.add(u64::from(place) << 1 | u64::from(is_high), 0);
            }
            let [a, b, c, d, e, f] = f[block as usize].map(f64::to_bits);
            key.add(a, b);
            key.add(c, d);
            key.add(e, f);
        }
        for &child in &self.fronts.children[front.children.clone()] {
            key.add_key(self.keys[child as usize]);
            let child = &self.fronts.fronts[child as usize];
            for &block in &self.fronts.blocks[child.blocks.clone()][child.pivots..] {
                key.add(self.place[block as usize].into(), 0);
            }
        }
        for &block in blocks {
            self.place[block as usize] = u32::MAX;
        }
        self.keys.push(key);
    }

    /// Under which key the memory has a front: within a unit it has no rest.
    fn key(&self, front: usize) -> Key {
        let mut key = self.keys[front];
        if self.is_within(front) {
            key.add(0, 0);
        }
        key
    }

    /// Whether the memory has the unit of the front in work. It has all of a unit or is asked for none of it: a front that
    /// is made needs what those below it hand over. (A solve that was given up may have used a part of one.)
    fn is_known(&mut self) -> bool {
        let unit = self.units[self.front];
        if self.known.0 != unit {
            // They follow one another, and this is the first one.
            let mut fronts = self.front..=unit as usize;
            self.known = (unit, fronts.all(|front| self.memory.has(self.key(front))));
        }
        self.known.1
    }

    /// Whether a front is within a unit, not its last one.
    fn is_within(&self, front: usize) -> bool {
        self.units[front] as usize != front
    }

    fn find_places(&mut self, front: usize) {
        let blocks = &self.fronts.blocks[self.fronts.fronts[front].blocks.clone()];
        for (i, &block) in blocks.iter().enumerate() {
            self.place[block as usize] = i as u32;
        }
    }

    /// Adds the own stiffness and right sides of the blocks of the front in work.
    fn own(&mut self, part: Part, f: &[[f64; SIX]]) {
        if self.made.is_some() {
            self.find_places(self.front);
        }
        let Some(Made { panel, .. }) = &mut self.made else {
            return;
        };
        let front = &self.fronts.fronts[self.front];
        let blocks = &self.fronts.blocks[front.blocks.clone()];
        let size = SIX * blocks.len();
        let stride = dense::stride(size + 1);
        self.least.clear();
        for (i, &block) in blocks[..front.pivots].iter().enumerate() {
            let mut own = [[0.0; SIX]; SIX];
            for (joint, is_high, other) in part.joints_of(block) {
                let (arm, other_arm) = if is_high {
                    (joint.high_arm, joint.low_arm)
                } else {
                    (joint.low_arm, joint.high_arm)
                };
                add_stiffness(&mut own, &joint.spring, arm, arm);
                let Some(other) = other else {
                    continue;
                };
                let row = self.place[other as usize];
                if row != u32::MAX && i < row as usize {
                    let mut between = [[0.0; SIX]; SIX];
                    add_stiffness(&mut between, &joint.spring, other_arm, arm);
                    for (j, between) in between.iter().enumerate() {
                        let at = (SIX * i + j) * stride + SIX * row as usize;
                        for (held, k) in panel[at..at + SIX].iter_mut().zip(between) {
                            *held -= k;
                        }
                    }
                }
            }
            for (j, own) in own.iter().enumerate() {
                self.least.push(PIVOT_MIN * own[j]);
                let column = &mut panel[(SIX * i + j) * stride..][..stride];
                for (held, k) in column[SIX * i..SIX * i + SIX].iter_mut().zip(own) {
                    *held += k;
                }
                column[size] += f[block as usize][j];
            }
        }
    }

    /// Adds what a child hands over to the front in work, from a block on. Returns the cost, and with which block to go on.
    fn add_child(&mut self, child: usize, block: usize) -> (u64, Option<usize>) {
        let front = &self.fronts.fronts[self.front];
        let size = SIX * front.blocks.len();
        let child_front = &self.fronts.fronts[child];
        let places = &self.fronts.blocks[child_front.blocks.clone()][child_front.pivots..];
        // About as many sums as a step may have products.
        let count = (STEP_PRODUCTS / (SIX * SIX * places.len().max(1))).max(1);
        let to = (block + count).min(places.len());
        let (is_within, key) = (self.is_within(child), self.key(child));
        if let Some(made) = &mut self.made {
            let places: Vec<usize> = places
                .iter()
                .map(|&block| self.place[block as usize] as usize)
                .collect();
            let target = Target {
                panel: &mut made.panel,
                stride: dense::stride(size + 1),
                rest: &mut made.rest,
                pivots: front.pivots,
                size,
            };
            let rest = match is_within {
                true => &self.rests[child],
                false => &self.memory.front(key).rest,
            };
            dense::dispatch(AddChild {
                target,
                rest,
                places: &places,
                blocks: block..to,
            });
            if to == places.len() {
                self.memory.give_up(std::mem::take(&mut self.rests[child]));
            }
        }
        let took = 50 + ((to - block) * (places.len() - block) * SIX * SIX) as u64 / 2;
        (took, (to < places.len()).then_some(to))
    }

    /// Keeps a front that is done, and takes L⁻¹ f out of it.
    fn close(&mut self, f: &mut [[f64; SIX]]) {
        let front = &self.fronts.fronts[self.front];
        let blocks = &self.fronts.blocks[front.blocks.clone()];
        if let Some(mut made) = self.made.take() {
            let size = SIX * blocks.len();
            let stride = dense::stride(size + 1);
            let column = |i: usize, j: usize| made.panel[(SIX * i + j) * stride + size];
            let forward = (0..front.pivots).map(|i| std::array::from_fn(|j| column(i, j)));
            made.forward = forward.collect();
            if self.is_within(self.front) {
                self.rests[self.front] = std::mem::take(&mut made.rest);
            }
            self.memory.keep(self.key(self.front), made);
        }
        let forward = &self.memory.front(self.key(self.front)).forward;
        for (&block, &forward) in blocks.iter().zip(forward) {
            f[block as usize] = forward;
        }
        self.front += 1;
    }

    /// Number of fronts.
    pub fn len(&self) -> usize {
        self.fronts.fronts.len()
    }

    /// One front of Lᵀ x = y, in place, from the last one to the first; returns its cost.
    pub fn up(&mut self, front: usize, x: &mut [[f64; SIX]]) -> u64 {
        let mut local = std::mem::take(&mut self.local);
        local.clear();
        let (stride, pivots, blocks, panel) = self.panel(front);
        local.extend(blocks.iter().flat_map(|&block| x[block as usize]));
        dense::dispatch(dense::SolveUp {
            panel,
            stride,
            x: &mut local,
            columns: SIX * pivots,
        });
        for (&block, own) in blocks[..pivots].iter().zip(local.chunks_exact(SIX)) {
            x[block as usize].copy_from_slice(own);
        }
        let cost = 200 + (local.len() * pivots * SIX) as u64 * 9 / 4;
        self.local = local;
        cost
    }

    /// One front of L y = b, in place, from the first one to the last; returns its cost.
    pub fn down(&mut self, front: usize, x: &mut [[f64; SIX]]) -> u64 {
        let mut local = std::mem::take(&mut self.local);
        local.clear();
        let (stride, pivots, blocks, panel) = self.panel(front);
        local.extend(blocks[..pivots].iter().flat_map(|&block| x[block as usize]));
        local.resize(SIX * blocks.len(), 0.0);
        dense::dispatch(dense::SolveDown {
            panel,
            stride,
            x: &mut local,
            columns: SIX * pivots,
        });
        for (i, (&block, own)) in blocks.iter().zip(local.chunks_exact(SIX)).enumerate() {
            let x = &mut x[block as usize];
            if i < pivots {
                x.copy_from_slice(own);
            } else {
                x.iter_mut().zip(own).for_each(|(x, own)| *x += own);
            }
        }
        let cost = 200 + (local.len() * pivots * SIX) as u64 * 3 / 2;
        self.local = local;
        cost
    }

    fn panel(&self, front: usize) -> (usize, usize, &[u32], &[f64]) {
        let own = &self.fronts.fronts[front];
        let stride = dense::stride(SIX * own.blocks.len() + 1);
        let panel = &self.memory.front(self.key(front)).panel;
        (
            stride,
            own.pivots,
            &self.fronts.blocks[own.blocks.clone()],
            panel,
        )
    }
}

/// How many columns a step takes of an update: whole blocks.
fn slice(rows: usize, width: usize) -> usize {
    (STEP_PRODUCTS / (rows * width * SIX)).max(1) * SIX
}

/// A front that children are added to.
struct Target<'a> {
    panel: &'a mut [f64],
    stride: usize,
    rest: &'a mut [f64],
    pivots: usize,
    /// The row of the right side.
    size: usize,
}

/// Adds some blocks' columns of what a child hands over, whose blocks have these places in the target.
struct AddChild<'a> {
    target: Target<'a>,
    rest: &'a [f64],
    places: &'a [usize],
    blocks: Range<usize>,
}

impl pulp::WithSimd for AddChild<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let AddChild {
            target,
            rest,
            places,
            blocks,
        } = self;
        let rows = SIX * places.len() + 1;
        let rest_rows = target.size + 1 - SIX * target.pivots;
        // Blocks that follow one another here too go as one.
        let mut runs: Vec<(usize, usize)> = vec![];
        for (i, &place) in places.iter().enumerate() {
            match runs.last_mut() {
                Some((from, to)) if places[*from] + (*to - *from) == place => *to = i + 1,
                _ => runs.push((i, i + 1)),
            }
        }
        let mut first_run = 0;
        for j in blocks {
            while runs[first_run].1 <= j {
                first_run += 1;
            }
            let (start, first_row, stride) = Columns::Lower(rows).block(j);
            let from = rest[start..].chunks_exact(stride);
            let (columns, above, to_stride) = match places[j].checked_sub(target.pivots) {
                None => (
                    &mut target.panel[SIX * places[j] * target.stride..],
                    0,
                    target.stride,
                ),
                Some(column) => {
                    let (start, row, stride) = Columns::Lower(rest_rows).block(column);
                    let above = SIX * target.pivots + row;
                    (&mut target.rest[start..], above, stride)
                }
            };
            for (from, to) in from.zip(columns.chunks_exact_mut(to_stride)).take(SIX) {
                for &(first, last) in &runs[first_run..] {
                    let first = first.max(j);
                    let at = SIX * places[first] - above;
                    let from = &from[SIX * first - first_row..SIX * last - first_row];
                    for (to, from) in to[at..at + from.len()].iter_mut().zip(from) {
                        *to += from;
                    }
                }
                to[target.size - above] += from[rows - 1 - first_row];
            }
        }
    }
}

/// Adds Bᵀ K B of a spring, by column: how the force on the block with `row_arm` changes with the displacement of the one with
/// `col_arm`. A block's displacement at the section is t + θ × arm.
fn add_stiffness(to: &mut [[f64; SIX]; SIX], spring: &Spring, row_arm: DVec3, col_arm: DVec3) {
    // θ × r = S θ
    let matrix = |r: DVec3| [[0.0, r.z, -r.y], [-r.z, 0.0, r.x], [r.y, -r.x, 0.0]];
    let (row, col) = (matrix(row_arm), matrix(col_arm));
    let (u, v) = ((spring.axis + 1) % 3, (spring.axis + 2) % 3);
    for j in 0..3 {
        to[j][j] += spring.shift[j];
        for i in 0..3 {
            to[j][3 + i] += row[j][i] * spring.shift[j];
            to[3 + j][i] += spring.shift[i] * col[i][j];
            let mut sum = 0.0;
            for k in 0..3 {
                sum += row[k][i] * spring.shift[k] * col[k][j];
            }
            to[3 + j][3 + i] += sum;
        }
        to[3 + j][3 + j] += spring.turn[j];
    }
    to[3 + u][3 + v] += spring.turn_uv;
    to[3 + v][3 + u] += spring.turn_uv;
}
