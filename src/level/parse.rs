//! Tokens to entities, brushes and faces, by the grammar alone: nothing here knows what an entity means.
//!
//! Memory stays bounded by a small multiple of the file: nesting ends at depth three, counts have limits.
use super::LevelError;
use super::lex::{Kind, Lexer, Pos, Token, latin1, unescaped};
use glam::DVec3;
use rustc_hash::FxHashMap;

/// Most entities, brushes or keys that a file may hold; the largest public levels have some ten thousand.
const MOST: usize = 1 << 20;
/// The grid reaches ±1024 m, 32 units a metre.
pub(super) const REACH: f64 = 32768.0;
/// Plane points may lie far beyond the grid, as long as f64 tells the plane to a thousandth of a grid step.
const FARTHEST_POINT: f64 = 1_073_741_824.0;
/// A plane whose distance from the origin is this or more meets nothing on the grid (its corners are less than 57,000
/// away), so all such planes are alike.
const FARTHEST_PLANE: f64 = 4.0 * REACH;

#[derive(Debug, Default)]
pub(super) struct Parsed {
    pub entities: Vec<ParsedEntity>,
    /// What [`Face::texture`] counts.
    pub textures: Vec<String>,
    /// Whatever in the syntax only some games write.
    pub syntax: Syntax,
}

/// Which forms of the grammar a file uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Syntax {
    /// `Version 2` at the head of the file.
    pub version: Option<i64>,
    /// brushDef, or a patch of any kind.
    pub primitives: bool,
    /// brushDef3.
    pub bare_planes: bool,
    /// The most numbers after a face's projection.
    pub further: usize,
}

#[derive(Debug)]
pub(super) struct ParsedEntity {
    pub keys: Vec<Key>,
    pub brushes: Vec<ParsedBrush>,
    pub patches: usize,
    /// Blocks of other kinds: their name and line.
    pub unknown: Vec<(String, u32)>,
    /// Where the `{` stands.
    pub pos: Pos,
}

#[derive(Debug)]
pub(super) struct Key {
    pub name: String,
    pub value: String,
    /// Where the value's opening quote stands.
    pub pos: Pos,
}

#[derive(Debug)]
pub(super) struct ParsedBrush {
    /// Counted from 0 in file order, surfaces as well.
    pub number: usize,
    pub line: u32,
    pub faces: Vec<Face>,
}

#[derive(Debug)]
pub(super) struct Face {
    pub plane: FacePlane,
    pub texture: u32,
    pub projection: Projection,
    pub flags: Flags,
    pub line: u32,
}

/// The first two numbers after a face's projection, as bits: Quake 2's contents and surface. Zero where there are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flags {
    pub contents: u32,
    pub surface: u32,
}

/// A face's plane in `.map` units, Z up.
#[derive(Clone, Copy, Debug)]
pub(super) enum FacePlane {
    /// (p0 − p1) × (p2 − p1) points out of the solid.
    Points([DVec3; 3]),
    /// n·p + d = 0, the unit normal n points out (brushDef3).
    Bare(DVec3, f64),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Projection {
    /// Axes chosen by the normal.
    Standard {
        offset: [f64; 2],
        rotation: f64,
        scale: [f64; 2],
    },
    /// Axes in the file, each with its offset.
    Valve {
        axes: [[f64; 4]; 2],
        rotation: f64,
        scale: [f64; 2],
    },
    /// Quake 3's and Doom 3's matrix over axes of their own.
    Matrix([[f64; 3]; 2]),
}

impl Projection {
    /// It gives places in pictures, whatever their size, and not in texels.
    pub fn is_of_whole_pictures(&self) -> bool {
        matches!(self, Projection::Matrix(_))
    }
}

pub(super) fn parse(bytes: &[u8]) -> Result<Parsed, LevelError> {
    let mut parser = Parser {
        lexer: Lexer::new(bytes),
        out: Parsed::default(),
        names: FxHashMap::default(),
        keys: 0,
        brushes: 0,
    };
    parser.file()?;
    Ok(parser.out)
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    out: Parsed,
    /// By whether it stood in quotes.
    names: FxHashMap<(bool, &'a [u8]), u32>,
    keys: usize,
    brushes: usize,
}

impl<'a> Parser<'a> {
    fn file(&mut self) -> Result<(), LevelError> {
        loop {
            let token = self.lexer.next()?;
            if token.kind == Kind::End {
                return Ok(());
            } else if token.is(b'{') {
                let entity = self.entity(token.pos)?;
                self.out.entities.push(entity);
                limit(self.out.entities.len(), token.pos, "entities")?;
            } else if token.text.eq_ignore_ascii_case(b"version") {
                // Doom 3 opens its files with `Version 2`.
                self.out.syntax.version = Some(self.number()? as i64);
            } else {
                return Err(token
                    .pos
                    .error(format!("expected an entity's `{{`, found {}", token.show())));
            }
        }
    }

    fn entity(&mut self, pos: Pos) -> Result<ParsedEntity, LevelError> {
        let mut entity = ParsedEntity {
            keys: Vec::new(),
            brushes: Vec::new(),
            patches: 0,
            unknown: Vec::new(),
            pos,
        };
        loop {
            let token = self.lexer.next()?;
            match token.kind {
                Kind::Mark(b'}') => return Ok(entity),
                Kind::Mark(b'{') => {
                    self.brushes += 1;
                    limit(self.brushes, token.pos, "brushes")?;
                    match self.block(token.pos)? {
                        Block::Brush(brush) => entity.brushes.push(brush),
                        Block::Patch => entity.patches += 1,
                        Block::Unknown(name, line) => entity.unknown.push((name, line)),
                    }
                }
                Kind::Quoted => {
                    let value = self.lexer.next()?;
                    if value.kind != Kind::Quoted {
                        return Err(value
                            .pos
                            .error(format!("expected a quoted value, found {}", value.show())));
                    }
                    self.keys += 1;
                    limit(self.keys, token.pos, "keys")?;
                    entity.keys.push(Key {
                        name: latin1(token.text),
                        value: latin1(value.text),
                        pos: value.pos,
                    });
                }
                Kind::End => return Err(unclosed(token, "entity", pos)),
                _ => {
                    return Err(token.pos.error(format!(
                        "expected a key, a brush or `}}`, found {}",
                        token.show()
                    )));
                }
            }
        }
    }

    /// After the `{`.
    fn block(&mut self, pos: Pos) -> Result<Block, LevelError> {
        let first = self.lexer.peek()?;
        if first.kind != Kind::Word {
            return self.faces(pos, Self::plain_face).map(Block::Brush);
        }
        self.lexer.next()?;
        let open = self.lexer.peek()?;
        let name = first.text.to_ascii_lowercase();
        let syntax = &mut self.out.syntax;
        let block = match name.as_slice() {
            _ if !open.is(b'{') => return Err(no_block(first)),
            b"brushdef" => {
                syntax.primitives = true;
                self.lexer.next()?;
                Block::Brush(self.faces(open.pos, Self::primitive_face)?)
            }
            b"brushdef3" => {
                syntax.bare_planes = true;
                self.lexer.next()?;
                Block::Brush(self.faces(open.pos, Self::bare_face)?)
            }
            b"patchdef2" | b"patchdef3" => {
                syntax.primitives = true;
                self.skip_block(|end| unclosed(end, "patch", open.pos))?;
                Block::Patch
            }
            _ => {
                syntax.primitives |= name.starts_with(b"patch") || name.starts_with(b"terrain");
                self.skip_block(|_| no_block(first))?;
                Block::Unknown(latin1(first.text), first.pos.line)
            }
        };
        self.mark(b'}')?;
        Ok(block)
    }

    fn faces(
        &mut self,
        pos: Pos,
        face: fn(&mut Self) -> Result<Face, LevelError>,
    ) -> Result<ParsedBrush, LevelError> {
        let mut faces = Vec::new();
        loop {
            let token = self.lexer.peek()?;
            match token.kind {
                Kind::Mark(b'}') => {
                    self.lexer.next()?;
                    return Ok(ParsedBrush {
                        number: self.brushes - 1,
                        line: pos.line,
                        faces,
                    });
                }
                Kind::Mark(b'(') => faces.push(face(self)?),
                // Doom 3's editor keeps keys of its own inside a brush.
                Kind::Quoted => {
                    self.lexer.next()?;
                    self.lexer.next()?;
                }
                Kind::End => return Err(unclosed(token, "brush", pos)),
                _ => {
                    return Err(token
                        .pos
                        .error(format!("expected a face or `}}`, found {}", token.show())));
                }
            }
        }
    }

    /// `( p ) ( p ) ( p ) TEXTURE projection [numbers]`
    fn plain_face(&mut self) -> Result<Face, LevelError> {
        let line = self.lexer.peek()?.pos.line;
        let plane = self.points()?;
        let texture = self.texture()?;
        let projection = if self.lexer.peek()?.is(b'[') {
            let axes = [self.axis()?, self.axis()?];
            Projection::Valve {
                axes,
                rotation: self.number()?,
                scale: [self.number()?, self.number()?],
            }
        } else {
            Projection::Standard {
                offset: [self.number()?, self.number()?],
                rotation: self.number()?,
                scale: [self.number()?, self.number()?],
            }
        };
        Ok(Face {
            plane,
            texture,
            projection,
            flags: self.flags()?,
            line,
        })
    }

    /// brushDef: `( p ) ( p ) ( p ) ( ( a b c ) ( d e f ) ) TEXTURE [numbers]`
    fn primitive_face(&mut self) -> Result<Face, LevelError> {
        let line = self.lexer.peek()?.pos.line;
        let plane = self.points()?;
        self.matrix_face(plane, line)
    }

    /// brushDef3: `( a b c d ) ( ( a b c ) ( d e f ) ) TEXTURE [numbers]`
    fn bare_face(&mut self) -> Result<Face, LevelError> {
        let open = self.mark(b'(')?;
        let normal = DVec3::new(self.number()?, self.number()?, self.number()?);
        let d = self.number()?;
        self.mark(b')')?;
        // A normal of no length is a flat face, found later; lengths beyond f64 are no numbers of this world.
        let length = normal.length();
        if !length.is_finite() {
            return Err(open.error("the numbers of the plane are too large"));
        }
        let plane = if length > 1e-100 {
            FacePlane::bare(normal / length, d / length)
        } else {
            FacePlane::Bare(DVec3::ZERO, 0.0)
        };
        self.matrix_face(plane, open.line)
    }

    fn matrix_face(&mut self, plane: FacePlane, line: u32) -> Result<Face, LevelError> {
        self.mark(b'(')?;
        let mut matrix = [[0.0; 3]; 2];
        for row in &mut matrix {
            self.mark(b'(')?;
            for cell in row {
                *cell = self.number()?;
            }
            self.mark(b')')?;
        }
        self.mark(b')')?;
        let texture = self.texture()?;
        Ok(Face {
            plane,
            texture,
            projection: Projection::Matrix(matrix),
            flags: self.flags()?,
            line,
        })
    }

    fn points(&mut self) -> Result<FacePlane, LevelError> {
        let points = [self.point()?, self.point()?, self.point()?];
        let is_near = |p: &DVec3| p.abs().max_element() <= REACH;
        Ok(if points.iter().all(is_near) {
            FacePlane::Points(points)
        } else {
            FacePlane::through_far(points)
        })
    }

    fn point(&mut self) -> Result<DVec3, LevelError> {
        self.mark(b'(')?;
        let mut p = [0.0; 3];
        for x in &mut p {
            let pos = self.lexer.peek()?.pos;
            *x = self.number()?;
            if x.abs() > FARTHEST_POINT {
                return Err(pos.error(
                    "the coordinate lies beyond the grid of 1024 m, too far out to define a plane",
                ));
            }
        }
        self.mark(b')')?;
        Ok(DVec3::from_array(p))
    }

    fn axis(&mut self) -> Result<[f64; 4], LevelError> {
        self.mark(b'[')?;
        let axis = [
            self.number()?,
            self.number()?,
            self.number()?,
            self.number()?,
        ];
        self.mark(b']')?;
        Ok(axis)
    }

    fn texture(&mut self) -> Result<u32, LevelError> {
        let token = self.lexer.next_name()?;
        // A brace that stands alone is a name where a projection or a number follows.
        let is_name = match token.kind {
            Kind::Word | Kind::Quoted => true,
            Kind::Mark(b'{' | b'}') => {
                let next = self.lexer.peek()?;
                next.is(b'[') || as_number(next).is_some()
            }
            _ => false,
        };
        if !is_name {
            return Err(token
                .pos
                .error(format!("expected a texture's name, found {}", token.show())));
        }
        let key = (token.kind == Kind::Quoted, token.text);
        if let Some(&id) = self.names.get(&key) {
            return Ok(id);
        }
        let text = latin1(token.text);
        let id = self.out.textures.len() as u32;
        self.out.textures.push(match token.kind {
            Kind::Quoted => unescaped(&text),
            _ => text,
        });
        self.names.insert(key, id);
        Ok(id)
    }

    /// The numbers after a face's projection: none, one, three or six, by game.
    fn flags(&mut self) -> Result<Flags, LevelError> {
        let mut flags = Flags::default();
        let mut count = 0;
        while self.lexer.peek()?.kind == Kind::Word {
            // Some editors write the highest bit as a sign.
            let bits = self.number()? as i64 as u32;
            match count {
                0 => flags.contents = bits,
                1 => flags.surface = bits,
                _ => {}
            }
            count += 1;
        }
        self.out.syntax.further = self.out.syntax.further.max(count);
        Ok(flags)
    }

    fn number(&mut self) -> Result<f64, LevelError> {
        let token = self.lexer.next()?;
        let number = as_number(token).ok_or_else(|| {
            token
                .pos
                .error(format!("expected a number, found {}", token.show()))
        })?;
        if number.is_finite() {
            Ok(number)
        } else {
            Err(token
                .pos
                .error(format!("{} is not a finite number", token.show())))
        }
    }

    fn mark(&mut self, mark: u8) -> Result<Pos, LevelError> {
        let token = self.lexer.next()?;
        if token.is(mark) {
            Ok(token.pos)
        } else {
            Err(token.pos.error(format!(
                "expected `{}`, found {}",
                char::from(mark),
                token.show()
            )))
        }
    }

    /// Past a block of which nothing is needed (a patch is a surface, no solid): its braces match. The first word in
    /// braces is a name, and may start with one.
    fn skip_block(&mut self, unclosed: impl Fn(Token) -> LevelError) -> Result<(), LevelError> {
        let mut depth = 0usize;
        let mut name_is_due = false;
        loop {
            let token = match name_is_due {
                true => self.lexer.next_name()?,
                false => self.lexer.next()?,
            };
            name_is_due = token.is(b'{');
            match token.kind {
                Kind::Mark(b'{') => depth += 1,
                Kind::Mark(b'}') => depth -= 1,
                Kind::End => return Err(unclosed(token)),
                _ => {}
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }
}

/// What stands between braces in an entity.
enum Block {
    Brush(ParsedBrush),
    Patch,
    /// Its name and line.
    Unknown(String, u32),
}

impl FacePlane {
    /// n·p + d = 0 for a unit normal.
    fn bare(normal: DVec3, d: f64) -> Self {
        FacePlane::Bare(normal, d.clamp(-FARTHEST_PLANE, FARTHEST_PLANE))
    }

    /// The plane through points that lie far out, told from the nearest of them: the error of its distance grows with
    /// how far that one is.
    fn through_far([p0, p1, p2]: [DVec3; 3]) -> Self {
        let (u, v) = (p0 - p1, p2 - p1);
        let cross = u.cross(v);
        let length = cross.length();
        if length <= 1e-10 * u.length() * v.length() {
            return FacePlane::Bare(DVec3::ZERO, 0.0);
        }
        let normal = cross / length;
        let distance = |p: &DVec3| p.length_squared();
        let nearest = [p0, p1, p2]
            .into_iter()
            .min_by(|a, b| distance(a).total_cmp(&distance(b)));
        FacePlane::bare(normal, -normal.dot(nearest.unwrap_or(p1)))
    }
}

fn as_number(token: Token) -> Option<f64> {
    let text = (token.kind == Kind::Word).then_some(token.text)?;
    std::str::from_utf8(text).ok()?.parse().ok()
}

fn no_block(name: Token) -> LevelError {
    name.pos.error(format!(
        "expected a face, brushDef, patchDef2 or another block in braces, found {}",
        name.show()
    ))
}

fn unclosed(token: Token, what: &str, open: Pos) -> LevelError {
    token.pos.error(format!(
        "the {what} opened on line {} is not closed",
        open.line
    ))
}

fn limit(count: usize, pos: Pos, what: &str) -> Result<(), LevelError> {
    if count <= MOST {
        Ok(())
    } else {
        Err(pos.error(format!("more than {MOST} {what}")))
    }
}
