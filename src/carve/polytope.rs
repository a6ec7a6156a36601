//! Convex polytopes: the meet of half-spaces, with exact corners.
//!
//! Built by clipping a box larger than the grid by one plane after another; each new corner is the meet of the two
//! facets along the cut edge with the cutting plane, so every corner is the meet of three original planes.
use super::{BrushDesc, MaterialId};
use crate::exact::{Facing, GRID_MAX, Planes, Point, meet, side};
use rustc_hash::FxHashMap;

/// What a facet belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// Stuff: what a face of the world shows.
    Stuff(MaterialId),
    /// The wall that a cell shares with others: open, unless the other side is rock.
    Wall,
}

/// One facet: corners counter-clockwise seen from outside.
#[derive(Clone, Debug)]
pub struct Facet {
    /// Facing outwards.
    pub plane: Facing,
    /// What a face made by it shows.
    pub surface: Surface,
    /// Indices into [`Polytope::corners`].
    pub corners: Vec<u32>,
    /// The facet across the edge from corner k to the next.
    pub across: Vec<u32>,
}

/// A bounded convex solid with an inside.
#[derive(Clone, Debug, Default)]
pub struct Polytope {
    /// Exact corners.
    pub corners: Vec<Point>,
    /// Facets.
    pub facets: Vec<Facet>,
}

const NOTHING: MaterialId = u32::MAX;

impl Polytope {
    /// The box between two grid corners, every facet showing `surface`.
    pub fn boxed(
        planes: &mut Planes,
        min: [i64; 3],
        max: [i64; 3],
        surface: Surface,
    ) -> Option<Polytope> {
        if (0..3).any(|k| min[k] >= max[k]) {
            return None;
        }
        let lo = [0, 1, 2].map(|k| planes.axis(k, min[k]));
        let hi = [0, 1, 2].map(|k| planes.axis(k, max[k]));
        let mut corners = Vec::with_capacity(8);
        for i in 0..8usize {
            let pick = |k: usize| {
                if i >> k & 1 == 1 {
                    hi[k].plane
                } else {
                    lo[k].plane
                }
            };
            corners.push(meet(planes, [pick(0), pick(1), pick(2)])?);
        }
        let quad = |plane, corners: [u32; 4]| Facet {
            plane,
            surface,
            corners: corners.to_vec(),
            across: vec![],
        };
        let mut p = Polytope {
            corners,
            facets: vec![
                quad(lo[0].opposite(), [0, 4, 6, 2]),
                quad(hi[0], [1, 3, 7, 5]),
                quad(lo[1].opposite(), [0, 1, 5, 4]),
                quad(hi[1], [2, 6, 7, 3]),
                quad(lo[2].opposite(), [0, 2, 3, 1]),
                quad(hi[2], [4, 5, 7, 6]),
            ],
        };
        p.link();
        Some(p)
    }

    /// The inside of all sides; None where it is empty, flat or unbounded.
    pub fn from_brush(planes: &mut Planes, brush: &BrushDesc) -> Option<Polytope> {
        let far = GRID_MAX * 2;
        let mut p = Polytope::boxed(planes, [-far; 3], [far; 3], Surface::Stuff(NOTHING))?;
        for s in &brush.sides {
            let [a, b, c] = s.points;
            if s.points.iter().any(|p| p.abs().max_element() > GRID_MAX) {
                return None;
            }
            let facing = planes.through(a, b, c)?;
            p = p.clip(planes, facing, Surface::Stuff(s.material))?;
        }
        let bounded = p
            .facets
            .iter()
            .all(|f| f.surface != Surface::Stuff(NOTHING));
        bounded.then_some(p)
    }

    /// What lies behind `facing`; None where nothing with an inside is left.
    pub fn clip(mut self, planes: &Planes, facing: Facing, surface: Surface) -> Option<Polytope> {
        let s = facing.sign();
        let sides: Vec<i32> = self
            .corners
            .iter()
            .map(|c| side(planes, c, facing.plane) * s)
            .collect();
        if sides.iter().all(|&x| x <= 0) {
            return Some(self);
        }
        if sides.iter().all(|&x| x >= 0) {
            return None;
        }
        let mut out = Polytope::default();
        let mut kept = vec![u32::MAX; self.corners.len()];
        let mut keep = |v: u32, out: &mut Polytope| {
            if kept[v as usize] == u32::MAX {
                kept[v as usize] = out.corners.len() as u32;
                out.corners.push(self.corners[v as usize]);
            }
            kept[v as usize]
        };
        let mut cut: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut rim: Vec<(u32, u32)> = Vec::new(); // edges of the new facet, from -> to
        for f in &self.facets {
            let n = f.corners.len();
            let mut corners = Vec::with_capacity(n + 1);
            for k in 0..n {
                let (a, b) = (f.corners[k], f.corners[(k + 1) % n]);
                let (sa, sb) = (sides[a as usize], sides[b as usize]);
                if sa <= 0 {
                    corners.push(keep(a, &mut out));
                }
                if sa * sb < 0 {
                    let id = match cut.get(&(b, a)) {
                        Some(&id) => id,
                        None => {
                            let other = self.facets[f.across[k] as usize].plane.plane;
                            out.corners
                                .push(meet(planes, [f.plane.plane, other, facing.plane])?);
                            let id = out.corners.len() as u32 - 1;
                            cut.insert((a, b), id);
                            id
                        }
                    };
                    corners.push(id);
                }
            }
            let inside = f.corners.iter().any(|&v| sides[v as usize] < 0);
            if corners.len() >= 3 && inside {
                out.facets.push(Facet {
                    plane: f.plane,
                    surface: f.surface,
                    corners,
                    across: vec![],
                });
            }
        }
        // The rim of the new facet: edges of kept facets whose two ends lie on the plane and that nobody else has.
        let mut open: FxHashMap<(u32, u32), ()> = FxHashMap::default();
        for f in &out.facets {
            let n = f.corners.len();
            for k in 0..n {
                let (a, b) = (f.corners[k], f.corners[(k + 1) % n]);
                if open.remove(&(b, a)).is_none() {
                    open.insert((a, b), ());
                }
            }
        }
        rim.extend(open.keys().map(|&(a, b)| (b, a)));
        let next: FxHashMap<u32, u32> = rim.iter().copied().collect();
        let start = rim.iter().map(|r| r.0).min()?;
        let mut corners = vec![start];
        let mut at = *next.get(&start)?;
        while at != start {
            corners.push(at);
            at = *next.get(&at)?;
            if corners.len() > rim.len() {
                return None;
            }
        }
        out.facets.push(Facet {
            plane: facing,
            surface,
            corners,
            across: vec![],
        });
        out.link();
        self = out;
        Some(self)
    }

    fn link(&mut self) {
        let mut owner: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        for (i, f) in self.facets.iter().enumerate() {
            for k in 0..f.corners.len() {
                owner.insert(
                    (f.corners[k], f.corners[(k + 1) % f.corners.len()]),
                    i as u32,
                );
            }
        }
        for f in &mut self.facets {
            let n = f.corners.len();
            f.across = (0..n)
                .map(|k| owner[&(f.corners[(k + 1) % n], f.corners[k])])
                .collect();
        }
    }

    /// Its box in steps, grown by the rounding of `at`.
    pub fn bounds(&self) -> (glam::DVec3, glam::DVec3) {
        let mut lo = glam::DVec3::INFINITY;
        let mut hi = glam::DVec3::NEG_INFINITY;
        for c in &self.corners {
            lo = lo.min(c.at);
            hi = hi.max(c.at);
        }
        (lo - 2e-6, hi + 2e-6)
    }
}
