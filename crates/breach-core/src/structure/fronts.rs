//! Which blocks are eliminated together, and in which front each of their rows lies.
//!
//! Columns of one pattern make a front (supernodes: Ashcraft and Grimes, "The influence of relaxed supernode partitions on the
//! multifrontal method", ACM TOMS 15, 1989); a child joins its parent where the zeros that this adds cost less than the
//! hand-over does.
use super::dense::SIX;
use super::graph::Adjacency;
use std::ops::Range;

/// Blocks that are eliminated together.
#[derive(Clone)]
pub(super) struct Front {
    /// How many blocks it eliminates.
    pub pivots: usize,
    /// Its blocks within [`Fronts::blocks`]: those it eliminates, then those that it changes, in the order of elimination.
    pub blocks: Range<usize>,
    /// The fronts whose rest it takes in.
    pub children: Range<usize>,
}

/// All fronts; children before their parents, the last child right before.
pub(super) struct Fronts {
    pub fronts: Vec<Front>,
    pub blocks: Vec<u32>,
    pub children: Vec<u32>,
}

/// A front in the making: its pivots and rows are places in the order.
struct Super {
    pivots: Vec<u32>,
    rows: Vec<u32>,
    parent: u32,
    children: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Fronts {
    /// Multiply-adds that Cholesky's factorisation takes, but for lower orders.
    pub fn multiply_adds(&self) -> u64 {
        let of = |front: &Front| {
            let (columns, rows) = (SIX * front.pivots, SIX * front.blocks.len());
            let all = |n: usize| (n as u64).pow(3) / 6;
            all(rows) - all(rows - columns)
        };
        self.fronts.iter().map(of).sum()
    }

    /// Lists the fronts in postorder and renumbers the blocks after it.
    fn number(supers: &[Super], order: &[u32]) -> Self {
        let mut postorder = vec![];
        let mut stack: Vec<(u32, bool)> = vec![];
        for (i, front) in supers.iter().enumerate() {
            if front.parent == NONE && !front.pivots.is_empty() {
                stack.push((i as u32, false));
                while let Some((i, is_done)) = stack.pop() {
                    if is_done {
                        postorder.push(i);
                        continue;
                    }
                    stack.push((i, true));
                    let children = &supers[i as usize].children;
                    stack.extend(children.iter().rev().map(|&child| (child, false)));
                }
            }
        }
        let mut number = vec![0u32; order.len()];
        let mut next = 0;
        for &i in &postorder {
            for &pivot in &supers[i as usize].pivots {
                number[pivot as usize] = next;
                next += 1;
            }
        }
        let mut place = vec![0u32; supers.len()];
        let mut fronts = vec![];
        let (mut blocks, mut children) = (vec![], vec![]);
        let mut rows = vec![];
        for &i in &postorder {
            let front = &supers[i as usize];
            place[i as usize] = fronts.len() as u32;
            let (blocks_from, children_from) = (blocks.len(), children.len());
            blocks.extend(front.pivots.iter().map(|&p| order[p as usize]));
            rows.clear();
            rows.extend_from_slice(&front.rows);
            rows.sort_unstable_by_key(|&row| number[row as usize]);
            blocks.extend(rows.iter().map(|&row| order[row as usize]));
            children.extend(front.children.iter().map(|&child| place[child as usize]));
            fronts.push(Front {
                pivots: front.pivots.len(),
                blocks: blocks_from..blocks.len(),
                children: children_from..children.len(),
            });
        }
        Fronts {
            fronts,
            blocks,
            children,
        }
    }
}

/// Finds the fronts of an order of elimination, in steps.
pub(super) struct Finder {
    order: Vec<u32>,
    /// By block: its place in the order.
    place: Vec<u32>,
    supers: Vec<Super>,
    /// By place: the front that has the row, last.
    mark: Vec<u32>,
    /// By place: the closed fronts whose first row it is.
    waiting: Vec<Vec<u32>>,
    /// How many rows of the open front have become pivots.
    taken: usize,
    next: usize,
    merged: usize,
}

impl Finder {
    pub fn new(order: Vec<u32>) -> Self {
        let n = order.len();
        let mut place = vec![0u32; n];
        for (i, &block) in order.iter().enumerate() {
            place[block as usize] = i as u32;
        }
        Finder {
            order,
            place,
            supers: vec![],
            mark: vec![NONE; n],
            waiting: vec![vec![]; n],
            taken: 0,
            next: 0,
            merged: 0,
        }
    }

    /// Takes up to `count` columns or fronts further. Returns the fronts when all is done.
    pub fn step(&mut self, adjacency: &Adjacency, count: usize) -> Option<Fronts> {
        let n = self.order.len();
        if self.next < n {
            let to = (self.next + count).min(n);
            for j in self.next..to {
                self.add_column(adjacency, j as u32);
            }
            self.next = to;
            if self.next == n
                && let Some(front) = self.supers.last_mut()
            {
                front.rows.drain(..self.taken);
            }
            return None;
        }
        if self.merged < self.supers.len() {
            let to = (self.merged + count).min(self.supers.len());
            for front in self.merged..to {
                merge(&mut self.supers, front);
            }
            self.merged = to;
            return None;
        }
        Some(Fronts::number(&self.supers, &self.order))
    }

    /// A column joins the open front if it is the next row of that and adds none; else it opens one.
    fn add_column(&mut self, adjacency: &Adjacency, j: u32) {
        let supers = &mut self.supers;
        let (mark, place) = (&mut self.mark, &self.place);
        let open = supers.len().wrapping_sub(1);
        let higher = adjacency.of(self.order[j as usize]).iter();
        let higher = higher.map(|&b| place[b as usize]).filter(|&p| p > j);
        let mut children = std::mem::take(&mut self.waiting[j as usize]);
        let fits = supers.last().is_some_and(|front| {
            let is_marked = |row: u32| mark[row as usize] == open as u32;
            let has_rows = |&child: &u32| supers[child as usize].rows.iter().all(|&r| is_marked(r));
            front.rows.get(self.taken) == Some(&j)
                && higher.clone().all(is_marked)
                && children.iter().all(has_rows)
        });
        if fits {
            for &child in &children {
                supers[child as usize].parent = open as u32;
            }
            supers[open].pivots.push(j);
            supers[open].children.extend(children);
            self.taken += 1;
            return;
        }
        if let Some(front) = supers.last_mut() {
            front.rows.drain(..self.taken);
            if let Some(&first) = front.rows.first() {
                if first == j {
                    children.push(open as u32);
                } else {
                    self.waiting[first as usize].push(open as u32);
                }
            }
        }
        let id = supers.len() as u32;
        mark[j as usize] = id;
        let mut rows = vec![];
        let mut add = |row: u32| {
            if mark[row as usize] != id {
                mark[row as usize] = id;
                rows.push(row);
            }
        };
        for &child in &children {
            supers[child as usize].rows.iter().for_each(|&row| add(row));
        }
        higher.for_each(add);
        rows.sort_unstable();
        for &child in &children {
            supers[child as usize].parent = id;
        }
        supers.push(Super {
            pivots: vec![j],
            rows,
            parent: NONE,
            children,
        });
        self.taken = 0;
    }
}

/// Joins the children of front `p` to it where that saves time.
fn merge(supers: &mut [Super], p: usize) {
    let children = std::mem::take(&mut supers[p].children);
    let mut kept = vec![];
    for child in children {
        let (own, other) = (&supers[p], &supers[child as usize]);
        let (k, m) = (own.pivots.len(), own.pivots.len() + own.rows.len());
        let (kc, rest) = (other.pivots.len(), other.rows.len());
        let hand_over = 18.0 * (rest * rest) as f64;
        let apart = nanos(k, m) + nanos(kc, kc + rest) + hand_over;
        if apart < nanos(k + kc, m + kc) {
            kept.push(child);
            continue;
        }
        let child = &mut supers[child as usize];
        let mut pivots = std::mem::take(&mut child.pivots);
        let grandchildren = std::mem::take(&mut child.children);
        pivots.append(&mut supers[p].pivots);
        supers[p].pivots = pivots;
        for &grandchild in &grandchildren {
            supers[grandchild as usize].parent = p as u32;
        }
        kept.extend(grandchildren);
    }
    supers[p].children = kept;
}

/// About how long a front of `m` blocks takes that eliminates `k` of them.
fn nanos(k: usize, m: usize) -> f64 {
    let (k, m) = (6.0 * k as f64, 6.0 * m as f64);
    // Half a square of rows for each column, which shrinks by one each time.
    let products = k * (m * (m - k) + k * k / 3.0) * 0.5;
    1000.0 + 0.4 * m * m + 0.25 * products
}
