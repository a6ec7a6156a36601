//! Which blocks are eliminated together, and in which front each of their rows lies.
//!
//! Columns of one pattern make a front (supernodes: Ashcraft and Grimes, "The influence of relaxed supernode partitions on the
//! multifrontal method", ACM TOMS 15, 1989); a child joins its parent where the zeros that this adds cost less than the
//! hand-over does.
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
    /// Those of an order of elimination.
    pub fn new(adjacency: &Adjacency, order: &[u32]) -> Self {
        let mut supers = find(adjacency, order);
        merge(&mut supers);
        Self::number(&supers, order)
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

/// Finds the fronts: a column joins the open one if it is its next row and adds none.
fn find(adjacency: &Adjacency, order: &[u32]) -> Vec<Super> {
    let n = order.len();
    let mut place = vec![0u32; n];
    for (i, &block) in order.iter().enumerate() {
        place[block as usize] = i as u32;
    }
    let mut supers: Vec<Super> = vec![];
    // By place: the front that has the row, last.
    let mut mark = vec![NONE; n];
    // By place: the closed fronts whose first row it is.
    let mut waiting: Vec<Vec<u32>> = vec![vec![]; n];
    // How many rows of the open front have become pivots.
    let mut taken = 0;
    for j in 0..n as u32 {
        let open = supers.len().wrapping_sub(1);
        let higher = adjacency.of(order[j as usize]).iter();
        let higher = higher.map(|&b| place[b as usize]).filter(|&p| p > j);
        let children = std::mem::take(&mut waiting[j as usize]);
        let fits = supers.last().is_some_and(|front| {
            let is_marked = |row: u32| mark[row as usize] == open as u32;
            front.rows.get(taken) == Some(&j)
                && higher.clone().all(is_marked)
                && children.iter().all(|&c| supers[c as usize].rows.iter().all(|&r| is_marked(r)))
        });
        if fits {
            supers[open].pivots.push(j);
            for &child in &children {
                supers[child as usize].parent = open as u32;
            }
            supers[open].children.extend(children);
            taken += 1;
            continue;
        }
        let mut children = children;
        if let Some(front) = supers.last_mut() {
            front.rows.drain(..taken);
            if let Some(&first) = front.rows.first() {
                if first == j {
                    children.push(open as u32);
                } else {
                    waiting[first as usize].push(open as u32);
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
        taken = 0;
    }
    if let Some(front) = supers.last_mut() {
        front.rows.drain(..taken);
    }
    supers
}

/// Joins children to their parents where that saves time.
fn merge(supers: &mut [Super]) {
    for p in 0..supers.len() {
        let children = std::mem::take(&mut supers[p].children);
        let mut kept = vec![];
        for child in children {
            let (own, pivots) = (&supers[p], &supers[child as usize]);
            let (k, m) = (own.pivots.len(), own.pivots.len() + own.rows.len());
            let (kc, rest) = (pivots.pivots.len(), pivots.rows.len());
            let hand_over = 9.0 * (rest * rest) as f64;
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
}

/// About how long a front of `m` blocks takes that eliminates `k` of them.
pub(super) fn nanos(k: usize, m: usize) -> f64 {
    let (k, m) = (6.0 * k as f64, 6.0 * m as f64);
    // Half a square of rows for each column, which shrinks by one each time.
    let products = k * (m * (m - k) + k * k / 3.0) * 0.5;
    600.0 + 0.4 * m * m + 0.22 * products
}
