//! The position in the level of a line of its file.
use super::keys::{metres, numbers};
use super::map_file::MapFile;
use super::parse;
use super::parsed::{FacePlane, ParsedPatch};
use glam::DVec3;

/// The position of the brush or the entity on a line of the file, metres; None for a line of neither.
pub fn position_of_line(file: &MapFile, line: u32) -> Option<DVec3> {
    let parsed = parse::parse(&file.source).ok()?;
    let entity = parsed.entities.iter().rfind(|e| e.pos.line <= line)?;
    let of_line = entity.brushes.iter().rfind(|b| b.line <= line);
    let patch = entity.patches.iter().rfind(|p| p.line <= line);
    if let Some(ParsedPatch {
        line: begins,
        sheet: Ok(sheet),
        ..
    }) = patch
        && of_line.is_none_or(|brush| brush.line < *begins)
    {
        let middle = sheet.points.iter().sum::<DVec3>() / sheet.points.len() as f64;
        return Some(metres(middle));
    }
    let brush = of_line.or(entity.brushes.first());
    let faces = brush.into_iter().flat_map(|b| &b.faces);
    let points = faces.filter_map(|face| match &face.plane {
        FacePlane::Points(points) => Some(*points),
        FacePlane::Bare(..) => None,
    });
    let points: Vec<DVec3> = points.flatten().collect();
    let middle = match points.is_empty() {
        false => points.iter().sum::<DVec3>() / points.len() as f64,
        true => DVec3::from(numbers::<3>(entity.get("origin")?)?),
    };
    Some(metres(middle)).filter(|p| p.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::read_map;

    #[test]
    fn a_line_of_the_file_has_the_position_of_its_brush_or_entity() {
        let text = include_bytes!("../../trenchbroom/initial.map");
        let level = read_map(text).expect("our own level");
        let lines: Vec<&str> = std::str::from_utf8(text).expect("text").lines().collect();
        let find = |what: &str| {
            lines
                .iter()
                .position(|line| line.contains(what))
                .expect(what) as u32
                + 1
        };
        // The floor is from -176 to 176 units and 16 deep: half a metre below the room's middle.
        let floor = position_of_line(&level.file, find("( -176 -176 -16 )")).expect("a brush");
        assert!(floor.y < 0.0 && floor.y > -0.5, "{floor}");
        let light = position_of_line(&level.file, find("\"light\" \"300\"")).expect("a light");
        assert_eq!(light, DVec3::new(0.0, 3.25, 0.0));
        assert_eq!(position_of_line(&level.file, 0), None);
    }
}
