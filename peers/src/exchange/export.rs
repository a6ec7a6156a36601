//! Writes what `collide`, `debris` and `carve` measure: the same bits for a harness outside, in the shortest decimal form that
//! reads back to them.
use super::FIRST_LINE;
use super::sets::{BOXES, plain};
use crate::brushes::Brush;
use crate::collide::{self, room, sets};
use crate::rooms::{self, Room};
use crate::{carve, debris};
use breach::bvh::{BuildParams, Bvh, Mesh};
use breach::debris::DENSITY;
use breach::world::GRID;
use glam::DVec3;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Where to.
#[derive(clap::Args)]
pub struct Args {
    /// The folder; made if it is not there. It takes some 100 MB
    dir: PathBuf,
}

/// Writes all files; false where one could not be written.
pub fn run(args: &Args) -> bool {
    let dir = &args.dir;
    let made = fs::create_dir_all(dir).map_err(|e| named(dir, &e));
    let done = made
        .and_then(|()| queries(dir))
        .and_then(|()| scenes(dir))
        .and_then(|()| carving(dir));
    if let Err(why) = &done {
        eprintln!("{why}");
    }
    done.is_ok()
}

fn named(path: &Path, why: &io::Error) -> io::Error {
    io::Error::new(why.kind(), format!("{}: {why}", path.display()))
}

/// One file of the folder, written as it is made.
fn file(
    dir: &Path,
    name: &str,
    fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let path = dir.join(format!("{name}.txt"));
    let write = || {
        let mut out = BufWriter::new(File::create(&path)?);
        fill(&mut out)?;
        out.flush()
    };
    write().map_err(|e| named(&path, &e))?;
    println!("{}", path.display());
    Ok(())
}

/// Rooms of `collide`, rays and sweeps.
fn queries(dir: &Path) -> io::Result<()> {
    let far = ("far", collide::FAR.to_string());
    for (name, rays) in [
        ("random", sets::random_rays(sets::RANDOM_RAYS)),
        ("coherent", sets::camera_rays()),
    ] {
        file(dir, &format!("rays-{name}"), |out| {
            paths(out, "rays", name, &far, &rays)
        })?;
    }
    let radius = ("radius", sets::RADIUS.to_string());
    for size in collide::ROOMS {
        let Some(mesh) = room::named(size) else {
            continue;
        };
        file(dir, &format!("mesh-{size}"), |out| narrow(out, size, &mesh))?;
        let tree = Bvh::build(&mesh, &BuildParams::default());
        for (name, aim, length) in sets::SWEEPS {
            let word = sets::word(name);
            let list = sets::sweeps(&mesh, &tree, aim, length, sets::SWEEPS_IN_A_SET);
            file(dir, &format!("sweeps-{word}-{size}"), |out| {
                paths(out, "sweeps", &format!("{word}/{size}"), &radius, &list)
            })?;
        }
    }
    Ok(())
}

/// The room of `debris`, boxes and spheres.
fn scenes(dir: &Path) -> io::Result<()> {
    let Some(room) = debris::upright(debris::ROOM) else {
        return Err(io::Error::other(format!("no room {}", debris::ROOM)));
    };
    file(dir, "mesh-debris", |out| wide(out, "debris", &room))?;
    for count in BOXES {
        file(dir, &format!("boxes-{count}"), |out| {
            boxes(out, &debris::boxes(count))
        })?;
    }
    file(dir, &format!("balls-{}", debris::BALLS), |out| {
        balls(out, &debris::starts(debris::BALLS))
    })
}

/// The six rooms of `carve`, and the brushes, which are the same in each.
fn carving(dir: &Path) -> io::Result<()> {
    for room in rooms::names().filter_map(rooms::room) {
        let name = plain(&room.name);
        file(dir, &format!("mesh-{name}"), |out| wide(out, &name, &room))?;
    }
    file(dir, "brushes", |out| brushes(out, &carve::usual_brushes()))
}

/// What stands before the numbers; each line a word and its value.
fn head(
    out: &mut impl Write,
    [kind, name, numbers]: [&str; 3],
    lines: &[(&str, &dyn Display)],
) -> io::Result<()> {
    writeln!(out, "{FIRST_LINE}\n{kind} {name}")?;
    writeln!(out, "numbers {numbers}\nunits m")?;
    for (word, value) in lines {
        writeln!(out, "{word} {value}")?;
    }
    writeln!(out, "data")
}

/// A line of numbers.
fn row<T: Display>(out: &mut impl Write, numbers: impl IntoIterator<Item = T>) -> io::Result<()> {
    for (i, number) in numbers.into_iter().enumerate() {
        let gap = if i == 0 { "" } else { " " };
        write!(out, "{gap}{number}")?;
    }
    writeln!(out)
}

fn mesh<T: Display>(
    out: &mut impl Write,
    about: [&str; 2],
    points: impl ExactSizeIterator<Item = [T; 3]>,
    triangles: impl ExactSizeIterator<Item = [u32; 3]>,
) -> io::Result<()> {
    let [name, numbers] = about;
    let lines: [(&str, &dyn Display); 2] =
        [("points", &points.len()), ("triangles", &triangles.len())];
    head(out, ["mesh", name, numbers], &lines)?;
    for point in points {
        row(out, point)?;
    }
    for corners in triangles {
        row(out, corners)?;
    }
    Ok(())
}

/// A mesh whose coordinates are whole f32.
fn narrow(out: &mut impl Write, name: &str, of: &Mesh) -> io::Result<()> {
    let points = of.positions.iter().map(|p| p.as_vec3().to_array());
    let triangles = of.triangles.iter().map(|t| t.corners);
    mesh(out, [name, "f32"], points, triangles)
}

/// A mesh whose coordinates are whole steps of 1/1024 m.
fn wide(out: &mut impl Write, name: &str, room: &Room) -> io::Result<()> {
    let points = room.points.iter().map(|p| (p.as_dvec3() / GRID).to_array());
    mesh(out, [name, "f64"], points, room.triangles.iter().copied())
}

/// Rays or sweeps: from where, by how much.
fn paths(
    out: &mut impl Write,
    kind: &str,
    name: &str,
    (word, value): &(&str, String),
    list: &[sets::Path],
) -> io::Result<()> {
    let lines: [(&str, &dyn Display); 2] = [(kind, &list.len()), (word, value)];
    head(out, [kind, name, "f32"], &lines)?;
    for (from, way) in list {
        row(out, from.to_array().into_iter().chain(way.to_array()))?;
    }
    Ok(())
}

/// Bodies that fall, and what acts on them.
fn scene<const N: usize>(
    out: &mut impl Write,
    kind: &str,
    bodies: impl ExactSizeIterator<Item = [f64; N]>,
) -> io::Result<()> {
    let forces = debris::forces(true);
    let count = bodies.len();
    let lines: [(&str, &dyn Display); 9] = [
        (kind, &count),
        ("room", &"debris"),
        ("density", &DENSITY),
        ("friction", &forces.law.friction),
        ("restitution", &forces.law.restitution),
        ("gravity", &forces.gravity),
        ("tick_secs", &forces.secs),
        ("first_tick", &debris::COUNTED.start),
        ("end_tick", &debris::COUNTED.end),
    ];
    head(out, [kind, &count.to_string(), "f64"], &lines)?;
    for body in bodies {
        row(out, body)?;
    }
    Ok(())
}

fn boxes(out: &mut impl Write, list: &[[DVec3; 2]]) -> io::Result<()> {
    let one = |[at, half]: &[DVec3; 2]| [at.x, at.y, at.z, half.x, half.y, half.z];
    scene(out, "boxes", list.iter().map(one))
}

fn balls(out: &mut impl Write, list: &[DVec3]) -> io::Result<()> {
    let one = |at: &DVec3| [at.x, at.y, at.z, debris::RADIUS];
    scene(out, "balls", list.iter().map(one))
}

/// Each brush: how many points, and these.
fn brushes(out: &mut impl Write, list: &[Brush]) -> io::Result<()> {
    let lines: [(&str, &dyn Display); 1] = [("brushes", &list.len())];
    head(out, ["brushes", "carve", "f64"], &lines)?;
    for brush in list {
        writeln!(out, "{}", brush.points.len())?;
        for p in &brush.points {
            row(out, (p.as_dvec3() / GRID).to_array())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brushes::lump;
    use breach::geom::rng::Rng;
    use glam::{I64Vec3, Vec3};

    /// A file as a harness reads it: the lines before `data`, the words of those after it.
    fn read(bytes: &[u8]) -> (Vec<&str>, Vec<Vec<&str>>) {
        let text = std::str::from_utf8(bytes).expect("text");
        let (head, data) = text.split_once("\ndata\n").expect("a head");
        let rows = data.lines().map(|line| line.split(' ').collect());
        (head.lines().collect(), rows.collect())
    }

    fn narrow_bits(row: &[&str]) -> Vec<u32> {
        let bits = |word: &&str| word.parse::<f32>().expect("a number").to_bits();
        row.iter().map(bits).collect()
    }

    fn wide_bits(row: &[&str]) -> Vec<u64> {
        let bits = |word: &&str| word.parse::<f64>().expect("a number").to_bits();
        row.iter().map(bits).collect()
    }

    #[test]
    fn a_mesh_reads_back_bit_for_bit() {
        let room = room::named("2k").expect("a room");
        let mut out = Vec::new();
        narrow(&mut out, "2k", &room).expect("memory");
        let (head, rows) = read(&out);
        let counts = [room.positions.len(), room.triangles.len()];
        let [points, triangles] = counts.map(|n| n.to_string());
        assert_eq!(head[..4], [FIRST_LINE, "mesh 2k", "numbers f32", "units m"]);
        assert_eq!(head[4], format!("points {points}"));
        assert_eq!(head[5..], [format!("triangles {triangles}")]);
        assert_eq!(rows.len(), counts[0] + counts[1]);
        let (points, triangles) = rows.split_at(counts[0]);
        for (row, p) in points.iter().zip(&room.positions) {
            // The same bits as f32 and, widened, as Breach has them.
            assert_eq!(narrow_bits(row), p.as_vec3().to_array().map(f32::to_bits));
            assert_eq!(p.as_vec3().as_dvec3(), *p);
        }
        for (row, t) in triangles.iter().zip(&room.triangles) {
            assert_eq!(*row, t.corners.map(|c| c.to_string()));
        }
    }

    #[test]
    fn a_room_for_carving_reads_back_bit_for_bit_in_either_width() {
        let room = rooms::room("rough_2k").expect("a room");
        let mut out = Vec::new();
        wide(&mut out, "rough2k", &room).expect("memory");
        let (_, rows) = read(&out);
        for (row, p) in rows.iter().zip(&room.points) {
            let metres = p.as_dvec3() / GRID;
            assert_eq!(wide_bits(row), metres.to_array().map(f64::to_bits));
            assert_eq!(metres.as_vec3().as_dvec3(), metres);
        }
    }

    #[test]
    fn queries_read_back_bit_for_bit_odd_numbers_too() {
        let room = room::named("2k").expect("a room");
        let tree = Bvh::build(&room, &BuildParams::default());
        let (_, aim, length) = sets::SWEEPS[0];
        let mut list = sets::sweeps(&room, &tree, aim, length, 200);
        list.extend(sets::random_rays(200));
        let tiny = Vec3::new(-0.0, f32::from_bits(1), f32::MIN_POSITIVE);
        list.push((tiny, Vec3::new(f32::MAX, 0.1, -1.0 / 3.0)));
        let mut out = Vec::new();
        let radius = ("radius", "0.1".to_string());
        paths(&mut out, "sweeps", "odd/2k", &radius, &list).expect("memory");
        let (head, rows) = read(&out);
        assert_eq!(head[1], "sweeps odd/2k");
        assert_eq!(head[4..], ["sweeps 401", "radius 0.1"]);
        assert_eq!(rows.len(), list.len());
        for (row, (from, way)) in rows.iter().zip(&list) {
            let written = [from.to_array(), way.to_array()].concat();
            let written: Vec<u32> = written.into_iter().map(f32::to_bits).collect();
            assert_eq!(narrow_bits(row), written);
        }
    }

    #[test]
    fn scenes_read_back_bit_for_bit() {
        let list = debris::boxes(1000);
        let mut out = Vec::new();
        boxes(&mut out, &list).expect("memory");
        let (head, rows) = read(&out);
        assert_eq!(head[1], "boxes 1000");
        assert!(head.contains(&"room debris") && head.contains(&"end_tick 300"));
        assert_eq!(rows.len(), list.len());
        for (row, [at, half]) in rows.iter().zip(&list) {
            let written = [at.to_array(), half.to_array()].concat();
            let written: Vec<u64> = written.into_iter().map(f64::to_bits).collect();
            assert_eq!(wide_bits(row), written);
        }
        let list = debris::starts(300);
        let mut out = Vec::new();
        balls(&mut out, &list).expect("memory");
        let (_, rows) = read(&out);
        assert_eq!(rows.len(), list.len());
        for (row, at) in rows.iter().zip(&list) {
            let written = [at.x, at.y, at.z, debris::RADIUS].map(f64::to_bits);
            assert_eq!(wide_bits(row), written);
        }
    }

    #[test]
    fn brushes_read_back_to_the_same_grid_points() {
        let mut rng = Rng::new(4);
        let list = [1.0, 2.0, 30.0].map(|x| lump(&mut rng, DVec3::new(x, -4.0, 9.0)));
        let mut out = Vec::new();
        brushes(&mut out, &list).expect("memory");
        let (head, rows) = read(&out);
        assert_eq!(head[4..], ["brushes 3"]);
        let mut rows = rows.into_iter();
        for brush in &list {
            let count = rows.next().expect("a count");
            assert_eq!(count, [brush.points.len().to_string()]);
            for &p in &brush.points {
                let row = rows.next().expect("a point");
                let steps = wide_bits(&row).into_iter().map(f64::from_bits);
                let steps: Vec<i64> = steps.map(|x| (x * GRID) as i64).collect();
                assert_eq!(I64Vec3::from_slice(&steps), p);
            }
        }
        assert!(rows.next().is_none());
    }

    #[test]
    fn boxes_start_clear_of_each_other_and_all_become_blocks() {
        for count in BOXES {
            assert_eq!(debris::blocks(count).len(), count);
            let list = debris::boxes(count);
            for (i, [at, half]) in list.iter().enumerate() {
                let touches = |other: &[DVec3; 2]| {
                    let gap = (*at - other[0]).abs() - (*half + other[1]);
                    gap.max_element() <= 0.0
                };
                assert!(!list[..i].iter().any(touches), "{count}: box {i}");
                // Under the ceiling of 10 m, which is bent by 4 cm.
                assert!(at.y + half.y < 9.95, "{count}: box {i}");
            }
        }
    }
}
