//! Bottom-up building: neighbours with the smallest common box are merged until one cluster is left.
//!
//! Locally ordered clustering (Meister and Bittner, Parallel Locally-Ordered Clustering for Bounding Volume Hierarchy
//! Construction, 2018): clusters are kept in the order of a space-filling curve, each searches a few places to both
//! sides for its best partner, and mutual partners merge. Deterministic: equal areas go to the pair that is closer in
//! the order, first to pairs whose places differ in the last bit only, so that equal boxes merge in pairs.
//!
//! The result is an order of the primitives in which every cluster is contiguous, and the tree of all merges.
use super::bounds::Bounds;
use super::index::NONE;
use super::morton::{self, Centroid};
use super::prim_ref::{PrimInfo, PrimRef};

/// Places searched to either side.
const REACH: usize = 8;

/// A round that would merge fewer than one in this many clusters pairs up neighbours instead, which bounds the number
/// of rounds.
const MIN_MERGED: usize = 8;

/// A cluster: a linked list of primitives.
#[derive(Clone, Copy)]
struct Cluster {
    bounds: Bounds,
    first: u32,
    last: u32,
    part: u32,
}

/// A node of the merge tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct MergedBin {
    pub group: PrimInfo,
    /// Number of primitives.
    pub prims: u32,
    /// Its two children; [`NONE`] for a single primitive.
    pub children: [u32; 2],
}

/// The tree of all merges; the primitives lie in its order.
#[derive(Clone, Debug, Default)]
pub(super) struct MergePlan {
    pub parts: Vec<MergedBin>,
}

impl MergePlan {
    fn add(&mut self, children: [u32; 2]) -> u32 {
        let [a, b] = children.map(|kid| self.parts[kid as usize]);
        self.parts.push(MergedBin {
            group: a.group.merged(&b.group),
            prims: a.prims + b.prims,
            children,
        });
        self.parts.len() as u32 - 1
    }
}

/// Sorts the primitives and plans their merges. Returns the root of the plan and the work in boxes visited.
pub(super) fn plan_merges(prims: &mut [PrimRef], plan: &mut MergePlan) -> (u32, u64) {
    plan.parts.clear();
    for prim in prims.iter() {
        plan.parts.push(MergedBin {
            group: PrimInfo::new(&[*prim]),
            prims: 1,
            children: [NONE; 2],
        });
    }
    let merged = merge(prims, plan);
    let old = prims.to_vec();
    let mut at = merged.first;
    for prim in prims.iter_mut() {
        *prim = old[at as usize];
        at = merged.next[at as usize];
    }
    (merged.part, merged.work)
}

/// The result of merging.
struct Merged {
    /// Root of the plan.
    part: u32,
    /// First primitive, and by primitive the next one.
    first: u32,
    next: Vec<u32>,
    /// Boxes visited.
    work: u64,
}

/// Merges primitives, which are the first parts of the plan.
fn merge(prims: &[PrimRef], plan: &mut MergePlan) -> Merged {
    let centres = (0u32..).zip(prims);
    let centres = centres.map(|(i, prim)| Centroid::new(prim.centre2().extend(0.0), i));
    let keys = morton::sort(&centres.collect::<Vec<_>>());
    let mut next = vec![NONE; prims.len()];
    let single = |key: &morton::MortonKey| {
        let prim = *key as u32;
        Cluster {
            bounds: prims[prim as usize].bounds(),
            first: prim,
            last: prim,
            part: prim,
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

/// Finds each cluster's best partner within reach. Pairs are totally ordered, so the least pair is always mutual.
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
            // Areas that overflow are all equal.
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
        let mut prims: Vec<PrimRef> = (0u32..)
            .zip(points)
            .map(|(i, p)| PrimRef::around(i, &[p, p + DVec3::X * 0.01, p + DVec3::Y * 0.01]))
            .collect();
        let mut plan = MergePlan::default();
        let (root, work) = plan_merges(&mut prims, &mut plan);
        let mut found: Vec<u32> = prims.iter().map(PrimRef::id).collect();
        found.sort_unstable();
        assert!(found.into_iter().eq(0..prims.len() as u32), "none lost");
        let count = plan.parts.get(root as usize).map_or(0, |p| p.prims);
        assert_eq!(count as usize, prims.len());
        work
    }

    #[test]
    fn neighbours_are_merged_first() {
        let row = [0.0, 10.0, 0.5, 11.0, 30.0].map(|x| DVec3::X * x);
        let mut prims: Vec<PrimRef> = (0u32..)
            .zip(row)
            .map(|(i, p)| PrimRef::around(i, &[p; 3]))
            .collect();
        let mut plan = MergePlan::default();
        let (root, _) = plan_merges(&mut prims, &mut plan);
        let order: Vec<u32> = prims.iter().map(PrimRef::id).collect();
        assert_eq!(order, [0, 2, 1, 3, 4]);
        let halves = |part: u32| {
            let children = plan.parts[part as usize].children;
            (children, children.map(|kid| plan.parts[kid as usize].prims))
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
        // Each is nearest to the next: without a fallback one merge per round.
        assert!(check((0..n).map(|i| DVec3::X * (1.0 + i as f64).ln())) < most);
        assert!(check((0..n).map(|i| DVec3::X * 1e18 * i as f64)) < most);
        check(std::iter::empty());
        check([DVec3::ONE].into_iter());
    }
}
