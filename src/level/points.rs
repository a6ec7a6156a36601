//! Point files: a path through a level that editors show and fly along, a point `x y z` a line.
//!
//! Quake's compilers write them for a level that leaks, as `.pts`. TrenchBroom reads that and `.lin` alike: numbers, three
//! a point, at least two points (Load Point File). The engine draws a speck at each point and no line between them, so
//! long segments get points in between.
use super::keys::UNITS;
use glam::DVec3;

/// Greatest distance between points, units.
const SPACING: f64 = 8.0;

/// The bytes of a point file for a path, metres.
pub fn point_file(path: &[DVec3]) -> Vec<u8> {
    let mut text = String::new();
    let mut write = |p: DVec3| {
        // In the axes of the file; six decimals are finer than a grid step.
        let [x, y, z] = [p.x, 0.0 - p.z, p.y].map(|x| (x * UNITS * 1e6).round() / 1e6 + 0.0);
        text += &format!("{x} {y} {z}\n");
    };
    path.first().into_iter().for_each(|&p| write(p));
    for leg in path.windows(2) {
        let count = (leg[0].distance(leg[1]) * UNITS / SPACING).ceil().max(1.0) as usize;
        (1..=count).for_each(|i| write(leg[0].lerp(leg[1], i as f64 / count as f64)));
    }
    text.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(bytes: &[u8]) -> Vec<DVec3> {
        let text = std::str::from_utf8(bytes).expect("text");
        let point = |line: &str| {
            let numbers: Vec<f64> = line
                .split(' ')
                .map(|x| x.parse().expect("a number"))
                .collect();
            DVec3::from_slice(&numbers)
        };
        text.lines().map(point).collect()
    }

    #[test]
    fn a_point_file_names_every_corner_in_units_and_points_in_between() {
        let path = [
            DVec3::new(1.0, 2.0, 3.0),
            DVec3::new(1.0, 2.0, 3.0001),
            DVec3::new(-31.5, 2.25, 3.0001),
        ];
        let bytes = point_file(&path);
        assert!(bytes.starts_with(b"32 -96 64\n"));
        let points = points(&bytes);
        for p in path {
            let there = DVec3::new(p.x, -p.z, p.y) * 32.0;
            assert!(points.iter().any(|q| q.distance(there) < 1e-5), "{there}");
        }
        for pair in points.windows(2) {
            let apart = pair[0].distance(pair[1]);
            assert!(0.0 < apart && apart < SPACING + 1e-5, "{apart}");
        }
    }

    #[test]
    fn no_path_is_an_empty_file() {
        assert!(point_file(&[]).is_empty());
    }
}
