//! Worlds from a closed mesh of triangles: air on one side of it, rock on the other.
//!
//! Neighbouring triangles of one plane become one face, and a point where no three planes meet is no corner. So the
//! world does not depend on the triangulation of flat walls.
use super::build::cut_into_rooms;
use super::description::{GRID, SurfaceDesc};
use super::error::{SurfaceError, WorldError};
use super::world::World;
use super::{one_cell, split};
use crate::bvh::BuildParams;
use crate::carve::loops::{Edge, faces_from_edges};
use crate::carve::polytope::Surface;
use crate::exact::{Facing, PlaneId, Planes, Point, det_sign, meet};
use crate::geom::disjoint_sets::DisjointSets;
use crate::stage::{Marker, Stage};
use glam::{DVec3, I64Vec3};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

impl World {
    /// A world whose air is bounded by a closed mesh; rock everywhere else. It has no player start, so `sealed` is
    /// None. Solids that float in the air stay up until they are cut.
    pub fn from_surface(
        desc: &SurfaceDesc,
        params: &BuildParams,
        marker: &mut dyn Marker,
    ) -> Result<World, WorldError> {
        let (mut geometry, materials) = one_cell::blank(desc.bounds, desc.materials.clone())?;
        marker.begin(Stage::Merge);
        let mesh = HalfEdgeMesh::new(desc, &mut geometry.planes)?;
        let corners = mesh.corners(&geometry.planes);
        let surface = Surface::Stuff(desc.material);
        for region in mesh.regions(&corners)? {
            // A region that touches itself at a corner is split there.
            for face in
                faces_from_edges(&geometry.planes, region.plane, surface, &region.edges, true)
            {
                geometry.build_face(0, face);
            }
        }
        marker.end(Stage::Merge);
        marker.begin(Stage::Conform);
        split::conform_all(&mut geometry);
        marker.end(Stage::Conform);
        Ok(cut_into_rooms(geometry, materials, &[], params, marker))
    }
}

/// A maximal piece of one plane, as its directed edges.
struct Region {
    plane: Facing,
    edges: Vec<Edge>,
}

/// The mesh with its planes and neighbours. Half-edge 3t + k runs from corner k of triangle t to the next.
struct HalfEdgeMesh {
    points: Vec<I64Vec3>,
    triangles: Vec<[u32; 3]>,
    planes: Vec<Facing>,
    opposite: Vec<u32>,
}

impl HalfEdgeMesh {
    fn new(desc: &SurfaceDesc, planes: &mut Planes) -> Result<HalfEdgeMesh, SurfaceError> {
        if desc.material as usize >= desc.materials.len() {
            let material = desc.material;
            return Err(SurfaceError::NoSuchMaterial { material });
        }
        let mut mesh = HalfEdgeMesh {
            points: vec![],
            triangles: vec![],
            planes: vec![],
            opposite: vec![],
        };
        let places = mesh.weld(desc)?;
        let mut volume = 0i128;
        for (i, t) in desc.triangles.iter().enumerate() {
            if t.iter().any(|&p| p as usize >= places.len()) {
                return Err(SurfaceError::NoSuchPoint { triangle: i });
            }
            let t = t.map(|p| places[p as usize]);
            if t[0] == t[1] || t[1] == t[2] || t[2] == t[0] {
                continue;
            }
            let [a, b, c] = t.map(|p| mesh.points[p as usize]);
            let Some(plane) = planes.through(a, b, c) else {
                let (triangle, at) = (i, metres(a));
                return Err(SurfaceError::FlatTriangle { triangle, at });
            };
            let n = b.cross(c).to_array();
            volume -= (0..3).map(|k| a[k] as i128 * n[k] as i128).sum::<i128>();
            mesh.triangles.push(t);
            mesh.planes.push(plane);
        }
        if mesh.triangles.is_empty() {
            return Err(SurfaceError::Empty);
        }
        mesh.find_neighbours()?;
        if volume <= 0 {
            return Err(SurfaceError::NoAir);
        }
        Ok(mesh)
    }

    /// Merges points at the same position; returns the merged index of every point.
    fn weld(&mut self, desc: &SurfaceDesc) -> Result<Vec<u32>, SurfaceError> {
        let [lo, hi] = desc.bounds;
        let mut known: FxHashMap<I64Vec3, u32> = FxHashMap::default();
        let mut places = Vec::with_capacity(desc.points.len());
        for &p in &desc.points {
            if p.cmplt(lo).any() || p.cmpgt(hi).any() {
                return Err(SurfaceError::PointOutside { at: metres(p) });
            }
            places.push(*known.entry(p).or_insert_with(|| {
                self.points.push(p);
                self.points.len() as u32 - 1
            }));
        }
        Ok(places)
    }

    fn find_neighbours(&mut self) -> Result<(), SurfaceError> {
        let count = self.triangles.len() as u32 * 3;
        let mut by_ends: FxHashMap<[u32; 2], u32> = FxHashMap::default();
        by_ends.reserve(count as usize);
        for h in 0..count {
            if by_ends.insert(self.ends(h), h).is_some() {
                let [from, to] = self.places(h);
                return Err(SurfaceError::CrowdedEdge { from, to });
            }
        }
        self.opposite = Vec::with_capacity(count as usize);
        for h in 0..count {
            let [a, b] = self.ends(h);
            let Some(&other) = by_ends.get(&[b, a]) else {
                let [from, to] = self.places(h);
                return Err(SurfaceError::OpenEdge { from, to });
            };
            self.opposite.push(other);
        }
        Ok(())
    }

    fn ends(&self, h: u32) -> [u32; 2] {
        let (t, k) = (self.triangles[h as usize / 3], h as usize % 3);
        [t[k], t[(k + 1) % 3]]
    }

    fn places(&self, h: u32) -> [DVec3; 2] {
        self.ends(h).map(|p| metres(self.points[p as usize]))
    }

    /// The plane of a half-edge's triangle.
    fn plane(&self, h: u32) -> Facing {
        self.planes[h as usize / 3]
    }

    /// Whether two triangles of one plane meet here, so that the face continues.
    fn is_inner(&self, h: u32) -> bool {
        self.plane(h) == self.plane(self.opposite[h as usize])
    }

    /// The exact point of each position where three independent planes meet; None elsewhere.
    fn corners(&self, planes: &Planes) -> Vec<Option<Point>> {
        let mut around: Vec<SmallVec<[PlaneId; 8]>> = vec![SmallVec::new(); self.points.len()];
        for (t, plane) in self.triangles.iter().zip(&self.planes) {
            for &p in t {
                let list = &mut around[p as usize];
                if !list.contains(&plane.plane) {
                    list.push(plane.plane);
                }
            }
        }
        let corner = |list: &mut SmallVec<[PlaneId; 8]>| {
            // Small numbers are faster to test. Two planes through one point are never parallel.
            list.sort_unstable_by_key(|&p| (planes[p].n_bits, p));
            let (&a, &b) = (list.first()?, list.get(1)?);
            let third = list[2..].iter().find(|&&c| det_sign(planes, a, b, c) != 0);
            meet(planes, [a, b, *third?])
        };
        around.iter_mut().map(corner).collect()
    }

    /// Merges neighbouring triangles of one plane, in the order of their first triangles.
    fn regions(&self, corners: &[Option<Point>]) -> Result<Vec<Region>, SurfaceError> {
        let mut sets = DisjointSets::new(self.triangles.len());
        for h in (0..self.opposite.len() as u32).filter(|&h| self.is_inner(h)) {
            sets.join(h / 3, self.opposite[h as usize] / 3);
        }
        let mut regions: Vec<Region> = Vec::new();
        let mut number = vec![u32::MAX; self.triangles.len()];
        for h in (0..self.opposite.len() as u32).filter(|&h| !self.is_inner(h)) {
            let line = self.plane(self.opposite[h as usize]).plane;
            if line == self.plane(h).plane {
                let [from, to] = self.places(h);
                return Err(SurfaceError::FoldedEdge { from, to });
            }
            let Some(from) = corners[self.ends(h)[0] as usize] else {
                continue;
            };
            let mut last = h;
            let to = loop {
                match corners[self.ends(last)[1] as usize] {
                    Some(to) => break to,
                    None => last = self.next_on_rim(last),
                }
            };
            let root = sets.find(h / 3) as usize;
            if number[root] == u32::MAX {
                number[root] = regions.len() as u32;
                let (plane, edges) = (self.plane(h), vec![]);
                regions.push(Region { plane, edges });
            }
            regions[number[root] as usize]
                .edges
                .push(Edge { from, to, line });
        }
        Ok(regions)
    }

    /// The next half-edge along a region's rim, the region on its left.
    fn next_on_rim(&self, h: u32) -> u32 {
        let next = |h: u32| h / 3 * 3 + (h + 1) % 3;
        let mut out = next(h);
        while self.is_inner(out) {
            out = next(self.opposite[out as usize]);
        }
        out
    }
}

fn metres(p: I64Vec3) -> DVec3 {
    p.as_dvec3() / GRID
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::carve::{BrushDesc, Op, SideDesc};
    use crate::stage::Silent;
    use crate::world::Material;
    use crate::world::{Operation, WorldDesc};

    const M: i64 = 16384;

    /// The inside of a box as quads cut into `n` by `n` squares of two triangles, seen from the inside.
    fn room(lo: I64Vec3, size: I64Vec3, n: i64) -> SurfaceDesc {
        let mut desc = SurfaceDesc {
            bounds: [I64Vec3::splat(-32 * M), I64Vec3::splat(32 * M)],
            points: vec![],
            triangles: vec![],
            materials: vec![stone()],
            material: 0,
        };
        add_box(&mut desc, lo, size, n, true);
        desc
    }

    fn stone() -> Material {
        Material {
            texture: "stone".into(),
            u: DVec3::X,
            v: DVec3::Y,
            offset: [0.0; 2],
            inner: false,
            hardness: 1.0,
        }
    }

    fn add_box(desc: &mut SurfaceDesc, lo: I64Vec3, size: I64Vec3, n: i64, is_air: bool) {
        for side in 0..6 {
            let (axis, high) = (side / 2, (side % 2) as i64);
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            for i in 0..n * n {
                let corner = |a: i64, b: i64| {
                    let mut p = [0; 3];
                    (p[axis], p[u], p[v]) = (high * n, i % n + a, i / n + b);
                    lo + size * I64Vec3::from_array(p) / n
                };
                let mut quad = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                // u, v and the axis are right-handed: as listed, a quad is seen from above.
                if (high == 1) == is_air {
                    quad.reverse();
                }
                let first = desc.points.len() as u32;
                desc.points.extend(quad);
                desc.triangles
                    .extend([[0, 1, 2], [0, 2, 3]].map(|t| t.map(|c| first + c)));
            }
        }
    }

    fn built(desc: &SurfaceDesc) -> World {
        let world =
            World::from_surface(desc, &BuildParams::default(), &mut Silent).expect("a mesh");
        assert_eq!(world.validate(), Ok(()));
        let census = world.census();
        assert_eq!((census.unmatched_edges, census.t_junctions), (0, 0));
        world
    }

    fn refused(desc: &SurfaceDesc) -> SurfaceError {
        match World::from_surface(desc, &BuildParams::default(), &mut Silent) {
            Err(WorldError::Surface(e)) => e,
            other => panic!("{:?}", other.map(|w| w.census())),
        }
    }

    #[test]
    fn a_room_of_many_triangles_is_the_room_that_a_brush_carves() {
        let (lo, size) = (I64Vec3::splat(-4 * M), I64Vec3::new(8, 6, 12) * M);
        let world = built(&room(lo, size, 6));
        assert_eq!(world.census().faces, 6);
        assert_eq!(world.census().triangles, 12);
        assert_eq!(world.sealed, None);
        let corners: Vec<I64Vec3> = (0..8)
            .map(|i| lo + size * I64Vec3::new(i & 1, i >> 1 & 1, i >> 2 & 1))
            .collect();
        let sides = crate::carve::hull::hull(&corners).expect("a box");
        let sides = sides.iter().map(|f| SideDesc {
            points: f.points,
            material: 0,
        });
        let carve = Operation {
            op: Op::Carve,
            brushes: vec![BrushDesc {
                sides: sides.collect(),
            }],
        };
        let desc = WorldDesc {
            bounds: [I64Vec3::splat(-32 * M), I64Vec3::splat(32 * M)],
            start_solid: true,
            rounded: false,
            solids: vec![],
            base: vec![],
            later: vec![carve],
            starts: vec![],
            areaportals: vec![],
            materials: vec![stone()],
        };
        let carved = World::build(&desc, &BuildParams::default(), &mut Silent).expect("a level");
        assert_eq!(carved.hash(), world.hash());
        assert_eq!(carved.census().air_volume_m3, world.census().air_volume_m3);
    }

    #[test]
    fn a_bent_room_keeps_its_volume_and_its_faces() {
        // Every point is moved at random: no two triangles share a plane any more.
        let mut desc = room(I64Vec3::splat(-8 * M), I64Vec3::splat(16 * M), 12);
        let moved = |p: I64Vec3| {
            let mut h = crate::geom::hash::Hash64::new();
            p.to_array().iter().for_each(|&x| h.u64(x as u64));
            let mut rng = crate::geom::rng::Rng::new(h.finish());
            p + I64Vec3::from_array([0; 3].map(|_: i32| rng.below(2001) as i64 - 1000))
        };
        desc.points.iter_mut().for_each(|p| *p = moved(*p));
        let six: i128 = desc
            .triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|p| desc.points[p as usize]);
                crate::carve::hull::dot(c.cross(b), a)
            })
            .sum();
        let volume = six as f64 / 6.0 / GRID.powi(3);
        let world = built(&desc);
        // Splitting into cells adds some.
        assert!(world.census().triangles >= desc.triangles.len());
        assert!((world.census().air_volume_m3 - volume).abs() < 1e-9 * volume);
        assert!(world.locate(DVec3::ZERO).is_some());
        assert!(world.locate(DVec3::splat(8.2)).is_none());
    }

    #[test]
    fn what_floats_in_the_air_stays_and_a_wall_may_lie_on_the_bounds() {
        let mut desc = room(I64Vec3::splat(-32 * M), I64Vec3::splat(64 * M), 2);
        add_box(
            &mut desc,
            I64Vec3::splat(M),
            I64Vec3::splat(3 * M),
            3,
            false,
        );
        let mut world = built(&desc);
        let volume = 64f64.powi(3) - 27.0;
        assert!((world.census().air_volume_m3 - volume).abs() < 1e-6);
        // Cut in two: the larger part stays.
        let slab = |x: i64| I64Vec3::new(x, 0, 0);
        let corners: Vec<I64Vec3> = (0..8)
            .map(|i| {
                I64Vec3::new(2 + (i & 1), (i >> 1 & 1) * 9, (i >> 2 & 1) * 9) * M - slab(M / 2)
            })
            .collect();
        let sides = crate::carve::hull::hull(&corners).expect("a box");
        let sides = sides.iter().map(|f| SideDesc {
            points: f.points,
            material: 0,
        });
        let report = world
            .apply(
                &Operation {
                    op: Op::Carve,
                    brushes: vec![BrushDesc {
                        sides: sides.collect(),
                    }],
                },
                &mut Silent,
            )
            .expect("a cut");
        assert_eq!(report.islands.len(), 1);
        assert_eq!(world.validate(), Ok(()));
        assert!((world.census().air_volume_m3 - volume - 9.0 - 4.5).abs() < 1e-6);
    }

    #[test]
    fn a_floor_with_pits_that_touch_at_a_point_comes_apart_there() {
        let mut desc = room(I64Vec3::ZERO, I64Vec3::splat(4 * M), 4);
        for k in [1, 2] {
            let square = |i: i64| I64Vec3::new(k + (i & 1), k + (i >> 1), 0) * M;
            let is_in_square = |t: &[u32; 3]| {
                t.iter()
                    .all(|&c| (0..4).any(|i| square(i) == desc.points[c as usize]))
            };
            let kept = desc.triangles.iter().filter(|t| !is_in_square(t));
            desc.triangles = kept.copied().collect();
            let first = desc.points.len() as u32;
            desc.points.extend([0, 1, 3, 2].map(square));
            desc.points
                .push((square(0) + square(3) - I64Vec3::Z * M) / 2);
            desc.triangles
                .extend((0..4).map(|i| [first + i, first + (i + 1) % 4, first + 4]));
        }
        let world = built(&desc);
        assert_eq!(world.census().faces, 6 + 8);
        assert!((world.census().air_volume_m3 - (64.0 + 1.0 / 3.0)).abs() < 1e-9);
    }

    #[test]
    fn what_is_no_closed_mesh_is_refused_with_the_place() {
        let good = room(I64Vec3::ZERO, I64Vec3::splat(2 * M), 1);
        let mut bad = good.clone();
        bad.triangles.pop();
        assert!(matches!(refused(&bad), SurfaceError::OpenEdge { .. }));
        let mut bad = good.clone();
        bad.triangles.push(bad.triangles[0]);
        assert!(matches!(refused(&bad), SurfaceError::CrowdedEdge { .. }));
        let mut bad = good.clone();
        bad.triangles.iter_mut().for_each(|t| t.reverse());
        assert_eq!(refused(&bad), SurfaceError::NoAir);
        let mut bad = good.clone();
        bad.triangles[3][1] = 99;
        assert_eq!(refused(&bad), SurfaceError::NoSuchPoint { triangle: 3 });
        let mut bad = good.clone();
        bad.points[5].x = 40 * M;
        let at = metres(bad.points[5]);
        assert_eq!(refused(&bad), SurfaceError::PointOutside { at });
        let mut bad = good.clone();
        bad.material = 1;
        assert_eq!(refused(&bad), SurfaceError::NoSuchMaterial { material: 1 });
        let mut bad = good.clone();
        bad.triangles.clear();
        assert_eq!(refused(&bad), SurfaceError::Empty);
        let mut bad = good.clone();
        bad.points.extend([2, 3, 4].map(|x| I64Vec3::splat(x * M)));
        bad.triangles.push([24, 25, 26]);
        assert!(matches!(
            refused(&bad),
            SurfaceError::FlatTriangle { triangle: 12, .. }
        ));
        let mut bad = good.clone();
        bad.points
            .extend([I64Vec3::ZERO, I64Vec3::X * M, I64Vec3::Y * M].map(|p| p + 3 * M));
        bad.triangles.extend([[24, 25, 26], [24, 26, 25]]);
        assert!(matches!(refused(&bad), SurfaceError::FoldedEdge { .. }));
        let mut bad = good.clone();
        bad.bounds[1].x = 1 << 25;
        let params = BuildParams::default();
        assert_eq!(
            World::from_surface(&bad, &params, &mut Silent).map(|_| ()),
            Err(WorldError::BeyondGrid)
        );
        // A triangle with the same corner twice is not an error.
        let mut fair = good.clone();
        fair.triangles.push([0, 0, 1]);
        built(&fair);
    }
}
