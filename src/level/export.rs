//! Exports the air's boundary as one welded mesh: metres, Y up, counter-clockwise seen from the air. Formats: binary glTF
//! 2.0 (one mesh, a primitive for each texture, one set of vertices) and Wavefront OBJ.
use super::material::{Look, look};
use crate::bvh::Mesh;
use crate::world::{FaceView, Material, World};
use glam::DVec3;
use rustc_hash::FxHashMap;
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The whole boundary as a `.glb` file.
pub fn glb(world: &World) -> Vec<u8> {
    glb_of(&weld_world(world))
}

/// The whole boundary as an `.obj` file; it names textures, without a material file.
pub fn obj(world: &World) -> Vec<u8> {
    obj_of(&weld_world(world))
}

/// Triangles of many rooms over one list of corners.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Welded {
    /// Vertices, metres; no two equal.
    pub positions: Vec<DVec3>,
    /// Triangles by texture name, in the names' order.
    pub groups: BTreeMap<String, Vec<[u32; 3]>>,
}

/// Welds the rooms' meshes: vertices with exactly the same position become one.
pub fn weld<'a>(
    rooms: impl IntoIterator<Item = (&'a Mesh, &'a [FaceView])>,
    materials: &[Material],
) -> Welded {
    let mut out = Welded::default();
    let mut known: FxHashMap<[u64; 3], u32> = FxHashMap::default();
    for (mesh, faces) in rooms {
        let mut join = |corner: u32| {
            let p = *mesh.positions.get(corner as usize)?;
            // Adding zero turns −0 into 0: the same place, the same bits.
            let key = p.to_array().map(|x| (x + 0.0).to_bits());
            Some(*known.entry(key).or_insert_with(|| {
                out.positions.push(p + DVec3::ZERO);
                (out.positions.len() - 1) as u32
            }))
        };
        for triangle in mesh.triangles.iter().filter(|t| t.is_live()) {
            let face = faces.get(triangle.face as usize);
            let material = face.and_then(|f| materials.get(f.material as usize));
            let [Some(a), Some(b), Some(c)] = triangle.corners.map(&mut join) else {
                continue;
            };
            let name = match material {
                Some(m) if m.inner => format!("{} (inside)", m.texture),
                Some(m) => m.texture.clone(),
                None => String::new(),
            };
            out.groups.entry(name).or_default().push([a, b, c]);
        }
    }
    out
}

fn weld_world(world: &World) -> Welded {
    let rooms: Vec<_> = (0..world.room_count() as u32)
        .map(|id| world.room(id))
        .collect();
    let meshes = rooms.iter().map(|r| (&*r.mesh, r.faces.as_slice()));
    weld(meshes, &world.materials)
}

/// glTF's constants for buffer targets and component types.
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;

/// The mesh in f32: equal vertices are one, and triangles that lose an edge by that are dropped. A closed mesh stays
/// closed, as the other two edges of such a triangle become opposite.
struct Single<'a> {
    positions: Vec<[f32; 3]>,
    groups: Vec<(&'a str, Vec<[u32; 3]>)>,
}

fn in_single(mesh: &Welded) -> Single<'_> {
    let mut positions = Vec::with_capacity(mesh.positions.len());
    let mut known: FxHashMap<[u32; 3], u32> = FxHashMap::default();
    let place = mesh.positions.iter().map(|p| {
        // Adding zero turns −0 into 0.
        let at = p.as_vec3().to_array().map(|x| x + 0.0);
        *known.entry(at.map(f32::to_bits)).or_insert_with(|| {
            positions.push(at);
            (positions.len() - 1) as u32
        })
    });
    let place: Vec<u32> = place.collect();
    let groups = mesh.groups.iter().map(|(name, triangles)| {
        let triangles = triangles.iter().map(|t| t.map(|i| place[i as usize]));
        let whole = triangles.filter(|[a, b, c]| a != b && b != c && c != a);
        (name.as_str(), whole.collect::<Vec<_>>())
    });
    let groups = groups
        .filter(|(_, triangles)| !triangles.is_empty())
        .collect();
    Single { positions, groups }
}

/// A `.glb`: header, JSON chunk, binary chunk with corners (f32) and then each group's indices (u32).
pub fn glb_of(mesh: &Welded) -> Vec<u8> {
    let mesh = in_single(mesh);
    let mut binary: Vec<u8> = Vec::with_capacity(mesh.positions.len() * 12);
    let mut low = [f32::INFINITY; 3];
    let mut high = [f32::NEG_INFINITY; 3];
    for p in &mesh.positions {
        for (axis, &x) in p.iter().enumerate() {
            binary.extend_from_slice(&x.to_le_bytes());
            low[axis] = low[axis].min(x);
            high[axis] = high[axis].max(x);
        }
    }
    let corner_bytes = binary.len();
    let mut accessors = vec![json!({
        "bufferView": 0, "componentType": FLOAT, "count": mesh.positions.len(), "type": "VEC3", "min": low, "max": high,
    })];
    let mut primitives = Vec::new();
    let mut materials = Vec::new();
    for (name, triangles) in &mesh.groups {
        accessors.push(json!({
            "bufferView": 1, "byteOffset": binary.len() - corner_bytes, "componentType": UNSIGNED_INT,
            "count": triangles.len() * 3, "type": "SCALAR",
        }));
        for index in triangles.iter().flatten() {
            binary.extend_from_slice(&index.to_le_bytes());
        }
        primitives.push(json!({
            "attributes": { "POSITION": 0 }, "indices": accessors.len() - 1, "material": materials.len(),
        }));
        let colour = colour(look(name));
        materials.push(json!({
            "name": name,
            "pbrMetallicRoughness": { "baseColorFactor": colour, "metallicFactor": 0.0, "roughnessFactor": 0.9 },
        }));
    }
    let mut document = json!({
        "asset": { "version": "2.0", "generator": concat!("breach ", env!("CARGO_PKG_VERSION")) },
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "name": "level" }],
    });
    // An empty level is a node without a mesh: glTF has no empty accessors.
    if !primitives.is_empty() {
        document["nodes"] = json!([{ "name": "level", "mesh": 0 }]);
        document["meshes"] = json!([{ "name": "boundary", "primitives": primitives }]);
        document["materials"] = json!(materials);
        document["accessors"] = json!(accessors);
        document["bufferViews"] = json!([
            { "buffer": 0, "byteOffset": 0, "byteLength": corner_bytes, "target": ARRAY_BUFFER },
            {
                "buffer": 0, "byteOffset": corner_bytes, "byteLength": binary.len() - corner_bytes,
                "target": ELEMENT_ARRAY_BUFFER,
            },
        ]);
        document["buffers"] = json!([{ "byteLength": binary.len() }]);
    } else {
        binary.clear();
    }
    let mut text = document.to_string().into_bytes();
    // Chunks end on four bytes: JSON with spaces, binary data (already there) with zeros.
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut out = b"glTF".to_vec();
    let binary_length = if binary.is_empty() {
        0
    } else {
        8 + binary.len()
    };
    let total = 12 + 8 + text.len() + binary_length;
    out.extend_from_slice(&2u32.to_le_bytes());
    out.extend_from_slice(&(total as u32).to_le_bytes());
    out.extend_from_slice(&(text.len() as u32).to_le_bytes());
    out.extend_from_slice(b"JSON");
    out.extend_from_slice(&text);
    if !binary.is_empty() {
        out.extend_from_slice(&(binary.len() as u32).to_le_bytes());
        out.extend_from_slice(b"BIN\0");
        out.extend_from_slice(&binary);
    }
    out
}

/// An `.obj`: corners in full precision, a group for each texture.
pub fn obj_of(mesh: &Welded) -> Vec<u8> {
    let mut out = String::from("# metres, Y up, counter-clockwise seen from the air\n");
    for p in &mesh.positions {
        let _ = writeln!(out, "v {} {} {}", p.x, p.y, p.z);
    }
    for (name, triangles) in &mesh.groups {
        let name: String = name
            .chars()
            .map(|c| if c <= ' ' { '_' } else { c })
            .collect();
        let name = if name.is_empty() { "none" } else { &name };
        let _ = writeln!(out, "g {name}\nusemtl {name}");
        for [a, b, c] in triangles {
            let _ = writeln!(out, "f {} {} {}", a + 1, b + 1, c + 1);
        }
    }
    out.into_bytes()
}

/// A plain colour for each look, linear RGBA.
fn colour(look: Look) -> [f32; 4] {
    let [r, g, b] = match look {
        Look::Concrete => [0.32, 0.31, 0.29],
        Look::Brick => [0.33, 0.11, 0.07],
        Look::Plaster => [0.62, 0.58, 0.50],
        Look::Tile => [0.30, 0.38, 0.40],
        Look::Metal => [0.22, 0.24, 0.27],
        Look::Wood => [0.27, 0.15, 0.07],
        Look::Rock => [0.19, 0.17, 0.15],
        Look::Soil => [0.13, 0.09, 0.05],
        Look::Liquid => [0.05, 0.18, 0.20],
        Look::Sky => [0.30, 0.45, 0.70],
        Look::Light => [0.95, 0.88, 0.70],
    };
    [r, g, b, 1.0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::Triangle;

    /// Two halves of a tetrahedron as two rooms that share a border.
    fn halves() -> Welded {
        let p = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
        let triangle = |corners, face| Triangle {
            corners,
            face,
            key: 0,
        };
        let (a, b, c, d) = (
            p(0.0, 0.0, -0.0),
            p(0.1, 0.0, 0.0),
            p(0.0, 0.3, 0.0),
            p(0.0, 0.0, 1.0 / 3.0),
        );
        let one = Mesh {
            positions: vec![a, b, c, d],
            triangles: vec![triangle([0, 2, 1], 0), triangle([0, 1, 3], 1)],
        };
        let minus = DVec3::new(-0.0, -0.0, -0.0);
        let two = Mesh {
            positions: vec![d, c, b, minus],
            triangles: vec![triangle([2, 1, 0], 0), triangle([1, 3, 0], 0)],
        };
        let face = |material| FaceView {
            material,
            normal: DVec3::Y,
            key: 0,
        };
        let mut inside = crate::level::inner("brick \u{e9}");
        let materials = [inside.clone(), {
            inside.inner = false;
            inside
        }];
        weld(
            [(&one, &[face(0), face(1)][..]), (&two, &[face(1)][..])],
            &materials,
        )
    }

    #[test]
    fn equal_corners_of_two_rooms_become_one_and_every_edge_has_its_opposite() {
        let mesh = halves();
        assert_eq!(mesh.positions.len(), 4);
        assert_eq!(
            mesh.groups.keys().collect::<Vec<_>>(),
            ["brick \u{e9}", "brick \u{e9} (inside)"]
        );
        let triangles = || mesh.groups.values().flatten();
        assert_eq!(triangles().count(), 4);
        let edges: Vec<[u32; 2]> = triangles()
            .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
            .collect();
        for &[a, b] in &edges {
            assert_eq!(edges.iter().filter(|&&e| e == [a, b]).count(), 1);
            assert_eq!(edges.iter().filter(|&&e| e == [b, a]).count(), 1);
        }
    }

    #[test]
    fn a_glb_is_what_its_header_says() {
        for mesh in [halves(), Welded::default()] {
            let glb = glb_of(&mesh);
            let word = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
            assert_eq!((&glb[..4], word(4), word(8)), (&b"glTF"[..], 2, glb.len()));
            let json = word(12);
            assert_eq!((&glb[16..20], json % 4), (&b"JSON"[..], 0));
            let document: serde_json::Value = serde_json::from_slice(&glb[20..20 + json]).unwrap();
            let Some(accessors) = document["accessors"].as_array() else {
                assert!(mesh.positions.is_empty());
                assert_eq!(glb.len(), 20 + json);
                continue;
            };
            let binary = 20 + json;
            assert_eq!(
                (word(binary), &glb[binary + 4..binary + 8]),
                (glb.len() - binary - 8, &b"BIN\0"[..])
            );
            assert_eq!(document["buffers"][0]["byteLength"], word(binary));
            let data = &glb[binary + 8..];
            let float = |at: usize| f32::from_le_bytes(data[at..at + 4].try_into().unwrap());
            for (i, p) in mesh.positions.iter().enumerate() {
                assert_eq!([0, 4, 8].map(|j| float(i * 12 + j)), p.as_vec3().to_array());
            }
            let views = document["bufferViews"].as_array().unwrap();
            let start = views[1]["byteOffset"].as_u64().unwrap() as usize;
            for (primitive, triangles) in document["meshes"][0]["primitives"]
                .as_array()
                .unwrap()
                .iter()
                .zip(mesh.groups.values())
            {
                let accessor = &accessors[primitive["indices"].as_u64().unwrap() as usize];
                let at = start + accessor["byteOffset"].as_u64().unwrap() as usize;
                for (i, &index) in triangles.iter().flatten().enumerate() {
                    assert_eq!(data[at + i * 4..at + i * 4 + 4], index.to_le_bytes());
                }
                assert_eq!(accessor["count"], triangles.len() * 3);
            }
        }
    }

    #[test]
    fn an_obj_keeps_full_precision() {
        let text = String::from_utf8(obj_of(&halves())).unwrap();
        assert!(text.contains("v 0 0 0.3333333333333333\n"), "{text}");
        assert_eq!(text.lines().filter(|l| l.starts_with("f ")).count(), 4);
        assert!(text.contains("usemtl brick_\u{e9}_(inside)\n"), "{text}");
    }
}
