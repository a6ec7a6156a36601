//! Bottom-up building: neighbours that fill the least box together become one, until all are one.
//!
//! Locally ordered clustering (Meister and Bittner, Parallel Locally-Ordered Clustering for Bounding Volume Hierarchy
//! Construction, 2018): clusters stand in the order of a space-filling curve, each looks a few places to both sides for
//! its best partner, and pairs that chose each other merge. Deterministic: equal areas go to the pair that stands
//! closer, first to those whose places differ in the last bit only, so that equal boxes merge in pairs.
//!
//! The outcome is an order of the items in which every cluster is a run, and for each item the number of the merge that
//! joined its run to the one before. A run is divided where its last merge was.
use super::build::{Bounds, Item};
use glam::Vec3A;

/// Places to either side where a cluster looks for a partner.
const REACH: usize = 8;
/// A round that merges fewer than one in so many pairs up neighbours instead: rounds stay few whatever comes in.
const LEAST: usize = 8;

/// A run of items, as a list.
#[derive(Clone, Copy)]
struct Cluster {
    bounds: Bounds,
    first: u32,
    last: u32,
}

/// Orders the items for [`latest`]; the work done, in boxes looked at.
pub(super) fn order(items: &mut [Item]) -> u64 {
    let along_curve = by_curve(items);
    // By item: the one after it, and the merge that put it behind the one before.
    let mut next = vec![u32::MAX; items.len()];
    let mut joined = vec![0u32; items.len()];
    let mut clusters: Vec<Cluster> = along_curve
        .iter()
        .map(|&i| Cluster {
            bounds: items[i as usize].bounds(),
            first: i,
            last: i,
        })
        .collect();
    let (mut merges, mut work) = (0, 0);
    let mut partners = Vec::new();
    while clusters.len() > 1 {
        work += clusters.len() as u64;
        choose(&clusters, &mut partners);
        let mutual = |i: usize| partners[partners[i]] == i;
        if (0..clusters.len()).filter(|&i| mutual(i)).count() * LEAST < clusters.len() {
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
                merges += 1;
                next[cluster.last as usize] = other.first;
                joined[other.first as usize] = merges;
                cluster.bounds.add(&other.bounds);
                cluster.last = other.last;
            }
            clusters[kept] = cluster;
            kept += 1;
        }
        clusters.truncate(kept);
    }
    let old = items.to_vec();
    let mut at = clusters.first().map_or(u32::MAX, |c| c.first);
    for item in items.iter_mut() {
        *item = old[at as usize].joined_by(joined[at as usize]);
        at = next[at as usize];
    }
    work
}

/// Where the last merge of a run of ordered items joined its two halves.
pub(super) fn latest(items: &[Item]) -> usize {
    let mut best = (0, 0);
    for (i, item) in items.iter().enumerate().skip(1) {
        if item.merge() > best.0 {
            best = (item.merge(), i);
        }
    }
    best.1
}

/// Item numbers along a Z-order curve through the centres.
fn by_curve(items: &[Item]) -> Vec<u32> {
    let mut centres = Bounds::EMPTY;
    items.iter().for_each(|i| centres.add_point(i.middle()));
    const CELLS: f32 = (1 << 21) as f32 * 0.999;
    let scale = (centres.max - centres.min)
        .to_array()
        .map(|size| if size > 0.0 { CELLS / size } else { 0.0 });
    let mut codes: Vec<(u64, u32)> = (0u32..)
        .zip(items)
        .map(|(i, item)| {
            let at = (item.middle() - centres.min) * Vec3A::from(scale);
            let [x, y, z] = at.to_array().map(|c| spread(c as u64 & 0x1f_ffff));
            (x | y << 1 | z << 2, i)
        })
        .collect();
    codes.sort_unstable_by_key(|&(code, i)| (code, items[i as usize].triangle()));
    codes.into_iter().map(|(_, i)| i).collect()
}

/// Puts two zeros between the low 21 bits.
fn spread(x: u64) -> u64 {
    let x = (x | x << 32) & 0x001f_0000_0000_ffff;
    let x = (x | x << 16) & 0x001f_0000_ff00_00ff;
    let x = (x | x << 8) & 0x100f_00f0_0f00_f00f;
    let x = (x | x << 4) & 0x10c3_0c30_c30c_30c3;
    (x | x << 2) & 0x1249_2492_4924_9249
}

/// Each cluster's best partner within reach. The least pair of all is always mutual: pairs have one order.
fn choose(clusters: &[Cluster], partners: &mut Vec<usize>) {
    partners.clear();
    for (i, cluster) in clusters.iter().enumerate() {
        let mut best = (f32::INFINITY, true, usize::MAX, usize::MAX);
        let mut partner = i;
        for j in i.saturating_sub(REACH)..clusters.len().min(i + REACH + 1) {
            if j == i {
                continue;
            }
            let mut both = cluster.bounds;
            both.add(&clusters[j].bounds);
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
        let mut items: Vec<Item> = (0u32..)
            .zip(points)
            .map(|(i, p)| Item::around(i, &[p, p + DVec3::X * 0.01, p + DVec3::Y * 0.01]))
            .collect();
        let work = order(&mut items);
        let mut found: Vec<u32> = items.iter().map(Item::triangle).collect();
        found.sort_unstable();
        assert!(found.into_iter().eq(0..items.len() as u32), "none lost");
        let mut merges: Vec<u32> = items.iter().skip(1).map(Item::merge).collect();
        merges.sort_unstable();
        assert!(merges.into_iter().eq(1..items.len() as u32), "each once");
        work
    }

    #[test]
    fn neighbours_are_merged_first() {
        let row = [0.0, 10.0, 0.5, 11.0, 30.0].map(|x| DVec3::X * x);
        let mut items: Vec<Item> = (0u32..)
            .zip(row)
            .map(|(i, p)| Item::around(i, &[p; 3]))
            .collect();
        order(&mut items);
        let order: Vec<u32> = items.iter().map(Item::triangle).collect();
        assert_eq!(order, [0, 2, 1, 3, 4]);
        assert_eq!(latest(&items), 4);
        assert_eq!(latest(&items[..4]), 2);
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
