//! Reads patches and terrains: the text of one block to the net of its points.
//!
//! Three forms, as the editors and compilers of Quake 3's and Doom 3's families write them:
//!
//! ```text
//! patchDef2  { TEXTURE ( w h contents flags value ) ( w times: ( h times: ( x y z s t ) ) ) }
//! patchDef3  { TEXTURE ( w h segments_w segments_h contents flags value ) ( the same ) }
//! terrainDef { w h scale_x scale_y  x y z  h times w times: height TEXTURE shift shift rotation scale scale 3 numbers }
//! ```
//!
//! Some editors write a terrainDef as a patchDef2; its points then lie on the surface. The first two forms are read by
//! q3map's ParsePatch and Doom 3's idMapPatch, the third by q3map's ParseTerrain.
use super::error::LevelError;
use super::lex::{Kind, Lexer, latin1, unescaped};
use super::parsed::{Flags, Painting, PatchKind, Projection, REACH, Sheet, SheetForm};
use glam::DVec3;

/// Most rows, and points in one: q3map takes 64.
const MOST_SIDE: f64 = 4096.0;

/// Reads a block from its `{` to its `}`.
pub(super) fn read(lexer: &mut Lexer, kind: PatchKind) -> Result<(Flags, Sheet), LevelError> {
    lexer.mark(b'{')?;
    let mut ahead = lexer.clone();
    let begins_with_numbers =
        ahead.next()?.as_number().is_some() && ahead.next()?.as_number().is_some();
    let read = match kind == PatchKind::Terrain && begins_with_numbers {
        true => (Flags::default(), heights(lexer)?),
        false => net(lexer, kind)?,
    };
    // q3map skips keys here, which editors of brush primitives write.
    while lexer.peek()?.kind == Kind::Quoted {
        lexer.next()?;
    }
    lexer.mark(b'}')?;
    Ok(read)
}

/// Texture, header, points.
fn net(lexer: &mut Lexer, kind: PatchKind) -> Result<(Flags, Sheet), LevelError> {
    let texture = name(lexer)?;
    let open = lexer.mark(b'(')?;
    let mut header = Vec::new();
    while lexer.peek()?.kind == Kind::Word {
        header.push(lexer.number()?);
    }
    lexer.mark(b')')?;
    let number = |i: usize| header.get(i).copied().unwrap_or(0.0);
    let (rows, columns) = (number(0), number(1));
    let size = size(kind, [rows, columns]).map_err(|text| open.error(text))?;
    let contents_at = match kind {
        PatchKind::Subdivided => 4,
        _ => 2,
    };
    // Some editors write the highest bit as a sign.
    let bits = |i: usize| number(i) as i64 as u32;
    let flags = Flags {
        contents: bits(contents_at),
        surface: bits(contents_at + 1),
    };
    let form = match kind {
        PatchKind::Terrain => SheetForm::Terrain,
        PatchKind::Curve => SheetForm::Curve(None),
        // Zero and less leave it to the program.
        PatchKind::Subdivided => SheetForm::Curve(
            (number(2) >= 1.0 && number(3) >= 1.0)
                .then(|| [number(2) as usize, number(3) as usize]),
        ),
    };
    // The file's size bounds what is read, whatever the header says.
    let (mut points, mut st) = (Vec::new(), Vec::new());
    lexer.mark(b'(')?;
    for _ in 0..size[0] {
        lexer.mark(b'(')?;
        for _ in 0..size[1] {
            lexer.mark(b'(')?;
            points.push(point(lexer)?);
            st.push([lexer.number()?, lexer.number()?]);
            lexer.mark(b')')?;
        }
        lexer.mark(b')')?;
    }
    lexer.mark(b')')?;
    let sheet = Sheet {
        size,
        points,
        form,
        painting: Painting::Coordinates { texture, st },
    };
    Ok((flags, sheet))
}

/// A field of heights, x running fastest.
fn heights(lexer: &mut Lexer) -> Result<Sheet, LevelError> {
    let open = lexer.peek()?.pos;
    let (width, height) = (lexer.number()?, lexer.number()?);
    let [width, height] =
        size(PatchKind::Terrain, [width, height]).map_err(|text| open.error(text))?;
    let scale = [lexer.number()?, lexer.number()?];
    let origin = DVec3::new(lexer.number()?, lexer.number()?, lexer.number()?);
    let (mut points, mut cells) = (Vec::new(), Vec::new());
    for y in 0..height {
        for x in 0..width {
            let pos = lexer.peek()?.pos;
            let up = lexer.number()?;
            let at = origin + DVec3::new(scale[0] * x as f64, scale[1] * y as f64, up);
            if at.abs().max_element() > REACH {
                return Err(pos.error(BEYOND));
            }
            points.push(at);
            let texture = name(lexer)?;
            let projection = Projection::Standard {
                offset: [lexer.number()?, lexer.number()?],
                rotation: lexer.number()?,
                scale: [lexer.number()?, lexer.number()?],
            };
            cells.push((texture, projection));
            for _unused in 0..3 {
                lexer.number()?;
            }
        }
    }
    let mut size = [height, width];
    // Rows along y and columns along x have their front below, unless one of the scales is negative.
    if scale[0] * scale[1] >= 0.0 {
        let order = || (0..width).flat_map(|x| (0..height).map(move |y| y * width + x));
        points = order().map(|i| points[i]).collect();
        cells = order().map(|i| cells[i].clone()).collect();
        size = [width, height];
    }
    Ok(Sheet {
        size,
        points,
        form: SheetForm::Terrain,
        painting: Painting::Projected(cells),
    })
}

/// The sides of a net as they may be: a Bezier surface takes three points each way, and each one more that shares a row or
/// column with it two more.
fn size(kind: PatchKind, sides: [f64; 2]) -> Result<[usize; 2], String> {
    let (least, step) = match kind {
        PatchKind::Terrain => (2.0, 1.0),
        _ => (3.0, 2.0),
    };
    let fits = |side: f64| (least..=MOST_SIDE).contains(&side) && (side - least) % step == 0.0;
    if sides.into_iter().all(fits) {
        return Ok(sides.map(|side| side as usize));
    }
    let wanted = match kind {
        PatchKind::Terrain => "two or more",
        _ => "an odd number, three or more,",
    };
    let [a, b] = sides;
    Err(format!(
        "{a} by {b} points, and {wanted} up to {MOST_SIDE} are needed each way"
    ))
}

const BEYOND: &str = "a point lies beyond the grid of 1024 m (32768 units)";

fn point(lexer: &mut Lexer) -> Result<DVec3, LevelError> {
    let pos = lexer.peek()?.pos;
    let p = DVec3::new(lexer.number()?, lexer.number()?, lexer.number()?);
    if p.abs().max_element() > REACH {
        return Err(pos.error(BEYOND));
    }
    Ok(p)
}

fn name(lexer: &mut Lexer) -> Result<String, LevelError> {
    let token = lexer.next_name()?;
    match token.kind {
        Kind::Word => Ok(latin1(token.text)),
        Kind::Quoted => Ok(unescaped(&latin1(token.text))),
        _ => Err(token
            .pos
            .error(format!("expected a texture's name, found {}", token.show()))),
    }
}
