//! Bottom-up building: neighbours that fill the least box together become one, until all are one.
//!
//! Locally ordered clustering (Meister and Bittner, Parallel Locally-Ordered Clustering for Bounding Volume Hierarchy
//! Construction, 2018): clusters stand in the order of a space-filling curve, each looks a few places to both sides for
//! its best partner, and pairs that chose each other merge. Deterministic: equal areas go to the pair that stands
//! closer, first to those whose places differ in the last bit only, so that equal boxes merge in pairs.
//!
//! The outcome is an order of the items in which every cluster is a run, and the plan of all merges.
use super::bounds::Bounds;
use super::index::NONE;
use super::morton::{self, Centroid};
use super::prim_ref::{PrimInfo, PrimRef};

/// Places to either side where a cluster looks for a partner.
const REACH: usize = 8;

/// A round that merges fewer than one in so many pairs up neighbours instead: rounds stay few whatever comes in.
const MIN_MERGED: usize = 8;

/// A run of items, as a list.
#[derive(Clone, Copy)]
struct Cluster {
    bounds: Bounds,
    first: u32,
    last: u32,
    part: u32,
}

/// A bin that a plan knows.
#[derive(Clone, Copy, Debug)]
pub(super) struct MergedBin {
    pub group: PrimInfo,
    /// Items in it.
    pub items: u32,
    /// Its halves; [`NONE`] where the plan ends.
    pub children: [u32; 2],
}

/// What is known of the bins; the items lie in the order of the bins.
#[derive(Clone, Debug, Default)]
pub(super) struct MergePlan {
    pub parts: Vec<MergedBin>,
}

impl MergePlan {
    fn add(&mut self, children: [u32; 2]) -> u32 {
        let [a, b] = children.map(|kid| self.parts[kid as usize]);
        self.parts.push(MergedBin {
            group: a.group.merged(&b.group),
            items: a.items + b.items,
            children,
        });
        self.parts.len() as u32 - 1
    }
}

/// Orders the items and plans their merging: the bin of all, and the work done in boxes looked at.
pub(super) fn plan_merges(items: &mut [PrimRef], plan: &mut MergePlan) -> (u32, u64) {
    plan.parts.clear();
    for item in items.iter() {
        plan.parts.push(MergedBin {
            group: PrimInfo::new(&[*item]),
            items: 1,
            children: [NONE; 2],
        });
    }
    let merged = merge(items, plan);
    let old = items.to_vec();
    let mut at = merged.first;
    for item in items.iter_mut() {
        *item = old[at as usize];
        at = merged.next[at as usize];
    }
    (merged.part, merged.work)
}

/// What became of some items.
struct Merged {
    /// The bin of all.
    part: u32,
    /// The first in order; and by item, the one after it.
    first: u32,
    next: Vec<u32>,
    /// Boxes looked at.
    work: u64,
}

/// Plans the merging of items, the first so many parts of the plan.
fn merge(items: &[PrimRef], plan: &mut MergePlan) -> Merged {
    let centres = (0u32..).zip(items);
    let centres = centres.map(|(i, item)| Centroid::new(item.centre2().extend(0.0), i));
    let keys = morton::sort(&centres.collect::<Vec<_>>());
    let mut next = vec![NONE; items.len()];
    let single = |key: &morton::MortonKey| {
        let item = *key as u32;
        Cluster {
            bounds: items[item as usize].bounds(),
            first: item,
            last: item,
            part: item,
        }
    };
    let mut clusters: Vec<Cluster> = keys.iter().map(single).collect();
    let mut work = 0;
    let mut partners = Vec::new();
    while clusters.len() > 1 {
        work += clusters.len() as u64;
        choose_partners(&clusters, &mut partners);
        let mutual = |i: usize| partners[partners[i]] == i;
        if (0..clusters.len()).filter(|&i| mutual(i)).count() * MIN_MERGED < clusters.len() {
            let last = clusters.len() - 1;
            (0..=last).for_each(|i| partners[i] = if i ^ 1 > last { i } else { i ^ 1 });
        }
        let mut kept = 0;
        for i in 0..clusters.len() {
            let partner = partners[i];
            let mut cluster = clusters[i];
            if partner != i && partners[partner] == i {
                if partner < i {
                    continue;
                }
                let other = clusters[partner];
                next[cluster.last as usize] = other.first;
                cluster.bounds.extend(&other.bounds);
                cluster.last = other.last;
                cluster.part = plan.add([cluster.part, other.part]);
            }
            clusters[kept] = cluster;
            kept += 1;
        }
        clusters.truncate(kept);
    }
    Merged {
        part: clusters.first().map_or(NONE, |all| all.part),
        first: clusters.first().map_or(NONE, |all| all.first),
        next,
        work,
    }
}

/// Each cluster's best partner within reach. The least pair of all is always mutual: pairs have one order.
fn choose_partners(clusters: &[Cluster], partners: &mut Vec<usize>) {
    partners.clear();
    for (i, cluster) in clusters.iter().enumerate() {
        let mut best = (f32::INFINITY, true, usize::MAX, usize::MAX);
        let mut partner = i;
        let end = clusters.len().min(i + REACH + 1);
        let near = clusters.iter().enumerate().take(end);
        for (j, other) in near.skip(i.saturating_sub(REACH)).filter(|n| n.0 != i) {
            let mut both = cluster.bounds;
            both.extend(&other.bounds);
            let pair = (both.area(), i ^ 1 != j, i.abs_diff(j), i.min(j));
            // What overflows is the same to all.
            if partner == i || pair < best {
                (best, partner) = (pair, j);
            }
        }
        partners.push(partner);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;
    use glam::DVec3;

    fn check(points: impl Iterator<Item = DVec3>) -> u64 {
        let mut items: Vec<PrimRef> = (0u32..)
            .zip(points)
            .map(|(i, p)| PrimRef::around(i, &[p, p + DVec3::X * 0.01, p + DVec3::Y * 0.01]))
            .collect();
        let mut plan = MergePlan::default();
        let (root, work) = plan_merges(&mut items, &mut plan);
        let mut found: Vec<u32> = items.iter().map(PrimRef::id).collect();
        found.sort_unstable();
        assert!(found.into_iter().eq(0..items.len() as u32), "none lost");
        let count = plan.parts.get(root as usize).map_or(0, |p| p.items);
        assert_eq!(count as usize, items.len());
        work
    }

    #[test]
    fn neighbours_are_merged_first() {
        let row = [0.0, 10.0, 0.5, 11.0, 30.0].map(|x| DVec3::X * x);
        let mut items: Vec<PrimRef> = (0u32..)
            .zip(row)
            .map(|(i, p)| PrimRef::around(i, &[p; 3]))
            .collect();
        let mut plan = MergePlan::default();
        let (root, _) = plan_merges(&mut items, &mut plan);
        let order: Vec<u32> = items.iter().map(PrimRef::id).collect();
        assert_eq!(order, [0, 2, 1, 3, 4]);
        let halves = |part: u32| {
            let children = plan.parts[part as usize].children;
            (children, children.map(|kid| plan.parts[kid as usize].items))
        };
        let (children, counts) = halves(root);
        assert_eq!(counts, [4, 1]);
        assert_eq!(halves(children[0]).1, [2, 2]);
    }

    #[test]
    fn whatever_comes_in_rounds_stay_few() {
        let mut rng = Rng::new(4);
        let n = 3000;
        let most = 40 * n;
        assert!(check((0..n).map(|_| rng.unit_vector())) < most);
        assert!(check((0..n).map(|_| DVec3::ONE)) < most);
        // Each is nearest to the next: one merge a round, if nothing were done about it.
        assert!(check((0..n).map(|i| DVec3::X * (1.0 + i as f64).ln())) < most);
        assert!(check((0..n).map(|i| DVec3::X * 1e18 * i as f64)) < most);
        check(std::iter::empty());
        check([DVec3::ONE].into_iter());
    }
}
