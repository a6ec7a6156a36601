//! K u = f of one connected part: the factor of its stiffness matrix, front by front, and the solutions with it.
//!
//! Multifrontal Cholesky (Duff and Reid, "The multifrontal solution of indefinite sparse symmetric linear equations", ACM TOMS
//! 9, 1983). The right side rides along as one more row of every front, so the first solution needs no pass down.
use super::dense::{self, PANEL, SIX};
use super::fronts::Fronts;
use super::graph::{ANCHOR, Graph, Joint};
use super::section::Spring;
use glam::DVec3;
use std::ops::Range;

/// A pivot counts as zero below this part of the stiffness that its block has by itself: there is a way to move it without
/// resistance, but for rounding. A pillar of n blocks has 1/n³ of that at its end.
const PIVOT_MIN: f64 = 1e-13;

/// Products that one step does at most, or one panel of six columns where that is more.
const STEP_PRODUCTS: usize = 400_000;

/// Doubles that one step makes room for at most.
const ZEROS: usize = 200_000;

/// The memory of a solve: where the next one has it, it need not ask the system for pages. It changes no result.
#[derive(Default)]
pub struct Memory {
    /// The factor's columns.
    values: Vec<f64>,
    pool: Vec<Vec<f64>>,
    packed: Vec<f64>,
}

impl Memory {
    /// Bytes that it holds.
    pub fn size(&self) -> usize {
        let pool: usize = self.pool.iter().map(Vec::capacity).sum();
        (self.values.capacity() + self.packed.capacity() + pool) * size_of::<f64>()
    }

    /// A list with room for `size`: the smallest that has it, or else the largest. Its contents are of no use.
    fn take(&mut self, size: usize) -> Vec<f64> {
        let fits = |list: &Vec<f64>| {
            let has = list.capacity();
            (has < size, if has < size { usize::MAX - has } else { has })
        };
        let best = (0..self.pool.len()).min_by_key(|&i| fits(&self.pool[i]));
        let mut list = best.map_or_else(Vec::new, |i| self.pool.swap_remove(i));
        if list.capacity() < size {
            list.clear();
            list.reserve_exact(size);
        }
        list
    }
}

/// The factor of a part, in the making or done.
pub(super) struct Factor {
    fronts: Fronts,
    /// By front: where its panel begins.
    panels: Vec<usize>,
    memory: Memory,
    /// By front: what it hands to its parent.
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
    /// Makes room in the panel.
    Begin,
    /// Makes room in the rest, from some column on.
    BeginRest {
        col: usize,
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
    pub fn new(fronts: Fronts, blocks: usize, mut memory: Memory) -> Self {
        let mut panels = vec![];
        let mut total = 0;
        for front in &fronts.fronts {
            panels.push(total);
            total += SIX * front.pivots * dense::stride(SIX * front.blocks.len() + 1);
        }
        memory.values.clear();
        memory.values.reserve_exact(total);
        Factor {
            rests: vec![vec![]; fronts.fronts.len()],
            panels,
            memory,
            least: vec![],
            place: vec![u32::MAX; blocks],
            local: vec![],
            front: 0,
            stage: Stage::Begin,
            fronts,
        }
    }

    /// Its memory, for the next one.
    pub fn into_memory(self) -> Memory {
        let mut memory = self.memory;
        // Those of a factor that was given up.
        let left = self.rests.into_iter().filter(|rest| rest.capacity() > 0);
        memory.pool.extend(left);
        memory
    }

    /// Does the next step of the factorisation. `f` has the right side by local number; L⁻¹ f takes its place.
    pub fn step(&mut self, part: Part, f: &mut [[f64; SIX]]) -> Step {
        let Some(front) = self.fronts.fronts.get(self.front).cloned() else {
            return Step::Done;
        };
        let (size, columns) = (SIX * front.blocks.len(), SIX * front.pivots);
        let rows = size + 1;
        let stride = dense::stride(rows);
        let rest_rows = rows - columns;
        let rest_stride = dense::stride(rest_rows);
        match self.stage {
            Stage::Begin => {
                let values = &mut self.memory.values;
                let size = self.panels[self.front] + columns * stride;
                let more = (size - values.len()).min(ZEROS);
                values.resize(values.len() + more, 0.0);
                if values.len() == size {
                    self.rests[self.front] = self.memory.take((rest_rows - 1) * rest_stride);
                    self.stage = Stage::BeginRest { col: 0 };
                }
                Step::Took(100 + more as u64 / 2)
            }
            Stage::BeginRest { col } => {
                // Above the diagonal may be anything: nobody reads it.
                let rest = &mut self.rests[self.front];
                let to = (col + (ZEROS / rest_stride).max(1)).min(rest_rows - 1);
                for col in col..to {
                    let start = col * rest_stride;
                    let diagonal = start + col / SIX * SIX;
                    if rest.len() < start + rest_stride {
                        rest.resize(start + rest_stride, 0.0);
                    }
                    rest[diagonal..start + rest_stride].fill(0.0);
                }
                self.stage = if to < rest_rows - 1 {
                    Stage::BeginRest { col: to }
                } else {
                    Stage::Own
                };
                Step::Took(((to - col) * rest_stride) as u64 / 4)
            }
            Stage::Own => {
                self.own(part, f);
                self.stage = Stage::Child { child: 0, block: 0 };
                Step::Took(200 + front.pivots as u64 * 300)
            }
            Stage::Child { child, block } => {
                let Some(&from) = self.fronts.children[front.children.clone()].get(child) else {
                    for &block in &self.fronts.blocks[front.blocks.clone()] {
                        self.place[block as usize] = u32::MAX;
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
                let eliminated = dense::dispatch(dense::Eliminate {
                    panel: &mut self.memory.values[self.panels[self.front]..],
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
                let memory = &mut self.memory;
                let values = &mut memory.values[self.panels[self.front]..];
                if col == end {
                    dense::pack(&mut memory.packed, values, stride, end..rows, panel..end);
                }
                let width = end - panel;
                let count = slice(rows - col, width);
                let to = (col + count).min(columns);
                dense::dispatch(dense::Update {
                    packed: &memory.packed,
                    width,
                    target: &mut values[end * stride + end..],
                    stride,
                    from: col - end,
                    to: to - end,
                });
                self.stage = Stage::Panel { panel, col: to };
                Step::Took(100 + ((rows - col) * width * (to - col)) as u64 / 9)
            }
            Stage::Rest { panel, col } => {
                let end = (panel + PANEL).min(columns);
                let rest_columns = rest_rows - 1;
                if col == rest_columns {
                    if end < columns {
                        self.stage = Stage::Eliminate { panel: end };
                    } else {
                        self.close(f);
                        self.front += 1;
                        self.stage = Stage::Begin;
                    }
                    return Step::Took(20);
                }
                let width = end - panel;
                let values = &self.memory.values[self.panels[self.front]..];
                if col == 0 {
                    dense::pack(
                        &mut self.memory.packed,
                        values,
                        stride,
                        columns..rows,
                        panel..end,
                    );
                }
                let count = slice(rest_rows - col, width);
                let to = (col + count).min(rest_columns);
                dense::dispatch(dense::Update {
                    packed: &self.memory.packed,
                    width,
                    target: &mut self.rests[self.front],
                    stride: rest_stride,
                    from: col,
                    to,
                });
                self.stage = Stage::Rest { panel, col: to };
                Step::Took(100 + ((rest_rows - col) * width * (to - col)) as u64 / 9)
            }
        }
    }

    /// Adds the own stiffness and right sides of the blocks of the front in work.
    fn own(&mut self, part: Part, f: &[[f64; SIX]]) {
        let front = &self.fronts.fronts[self.front];
        let blocks = &self.fronts.blocks[front.blocks.clone()];
        let size = SIX * blocks.len();
        let stride = dense::stride(size + 1);
        let panel = &mut self.memory.values[self.panels[self.front]..];
        for (i, &block) in blocks.iter().enumerate() {
            self.place[block as usize] = i as u32;
        }
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
        let from = std::mem::take(&mut self.rests[child]);
        let child_front = &self.fronts.fronts[child];
        let places = &self.fronts.blocks[child_front.blocks.clone()][child_front.pivots..];
        let places: Vec<usize> = places
            .iter()
            .map(|&block| self.place[block as usize] as usize)
            .collect();
        // About as many sums as a step may have products.
        let count = (STEP_PRODUCTS / (SIX * SIX * places.len().max(1))).max(1);
        let to = (block + count).min(places.len());
        let target = Target {
            panel: &mut self.memory.values[self.panels[self.front]..],
            stride: dense::stride(size + 1),
            rest: &mut self.rests[self.front],
            rest_stride: dense::stride(size + 1 - SIX * front.pivots),
            pivots: front.pivots,
            size,
        };
        dense::dispatch(AddChild {
            target,
            rest: &from,
            places: &places,
            blocks: block..to,
        });
        let took = 50 + ((to - block) * (places.len() - block) * SIX * SIX) as u64 / 2;
        if to == places.len() {
            self.memory.pool.push(from);
            return (took, None);
        }
        self.rests[child] = from;
        (took, Some(to))
    }

    /// Takes L⁻¹ f out of a front that is done.
    fn close(&mut self, f: &mut [[f64; SIX]]) {
        let front = &self.fronts.fronts[self.front];
        let size = SIX * front.blocks.len();
        let stride = dense::stride(size + 1);
        let panel = &self.memory.values[self.panels[self.front]..];
        let blocks = &self.fronts.blocks[front.blocks.clone()];
        for (i, &block) in blocks[..front.pivots].iter().enumerate() {
            f[block as usize] = std::array::from_fn(|j| panel[(SIX * i + j) * stride + size]);
        }
    }

    /// Number of fronts.
    pub fn len(&self) -> usize {
        self.fronts.fronts.len()
    }

    /// One front of Lᵀ x = y, in place, from the last one to the first; returns its cost.
    pub fn up(&mut self, front: usize, x: &mut [[f64; SIX]]) -> u64 {
        let (stride, pivots, blocks, panel) = self.panel(front);
        let mut local = std::mem::take(&mut self.local);
        local.clear();
        let (blocks, panel) = (&self.fronts.blocks[blocks], &self.memory.values[panel..]);
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
        let cost = 50 + (local.len() * pivots * SIX) as u64 / 2;
        self.local = local;
        cost
    }

    /// One front of L y = b, in place, from the first one to the last; returns its cost.
    pub fn down(&mut self, front: usize, x: &mut [[f64; SIX]]) -> u64 {
        let (stride, pivots, blocks, panel) = self.panel(front);
        let mut local = std::mem::take(&mut self.local);
        local.clear();
        let (blocks, panel) = (&self.fronts.blocks[blocks], &self.memory.values[panel..]);
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
        let cost = 50 + (local.len() * pivots * SIX) as u64 / 2;
        self.local = local;
        cost
    }

    fn panel(&self, front: usize) -> (usize, usize, Range<usize>, usize) {
        let Some(own) = self.fronts.fronts.get(front) else {
            unreachable!("a front of this factor")
        };
        let stride = dense::stride(SIX * own.blocks.len() + 1);
        (stride, own.pivots, own.blocks.clone(), self.panels[front])
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
    rest_stride: usize,
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
        let stride = dense::stride(SIX * places.len() + 1);
        // Blocks that follow one another here too go as one.
        let mut runs: Vec<(usize, usize)> = vec![];
        for (i, &place) in places.iter().enumerate() {
            match runs.last_mut() {
                Some((from, to)) if places[*from] + (*to - *from) == place => *to = i + 1,
                _ => runs.push((i, i + 1)),
            }
        }
        let mut first_run = 0;
        for (j, &place) in places
            .iter()
            .enumerate()
            .take(blocks.end)
            .skip(blocks.start)
        {
            while runs[first_run].1 <= j {
                first_run += 1;
            }
            let (columns, to_stride, first_row) = if place < target.pivots {
                (
                    &mut target.panel[SIX * place * target.stride..],
                    target.stride,
                    0,
                )
            } else {
                let column = SIX * (place - target.pivots);
                (
                    &mut target.rest[column * target.rest_stride..],
                    target.rest_stride,
                    SIX * target.pivots,
                )
            };
            let from = rest[SIX * j * stride..].chunks_exact(stride);
            for (from, to) in from.zip(columns.chunks_exact_mut(to_stride)).take(SIX) {
                for &(first, last) in &runs[first_run..] {
                    let first = first.max(j);
                    let at = SIX * places[first] - first_row;
                    let from = &from[SIX * first..SIX * last];
                    for (to, from) in to[at..at + from.len()].iter_mut().zip(from) {
                        *to += from;
                    }
                }
                to[target.size - first_row] += from[SIX * places.len()];
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

impl std::fmt::Debug for Memory {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        out.debug_struct("Memory")
            .field("bytes", &self.size())
            .finish()
    }
}
