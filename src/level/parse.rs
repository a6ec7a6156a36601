//! From tokens to entities, brushes and faces, by the grammar alone, without the meaning of entities.
//!
//! Memory is bounded by a small multiple of the file's size: nesting ends at depth three, counts have limits.
use super::error::{LevelError, Pos};
use super::lex::{Kind, Lexer, Token, latin1, unescaped};
use super::parsed::{
    Face, FacePlane, Flags, Key, Parsed, ParsedBrush, ParsedEntity, ParsedPatch, PatchKind,
    Projection, REACH,
};
use super::patch;
use glam::DVec3;
use rustc_hash::FxHashMap;

/// Greatest number of entities, brushes or keys; the largest public levels have some ten thousand.
const MOST: usize = 1 << 20;
/// Plane points may lie far beyond the grid, as long as f64 gives the plane to a thousandth of a grid step.
const FARTHEST_POINT: f64 = 1_073_741_824.0;

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
    /// Ids of textures by name, and whether it was quoted.
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
            patches: Vec::new(),
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
                        Block::Patch(patch) => entity.patches.push(patch),
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
                let kind = match name.ends_with(b"3") {
                    true => PatchKind::Subdivided,
                    false => PatchKind::Curve,
                };
                let line = first.pos.line;
                Block::Patch(self.patch(kind, line, |end| unclosed(end, "patch", open.pos))?)
            }
            b"terraindef" => {
                syntax.primitives = true;
                let line = first.pos.line;
                Block::Patch(self.patch(PatchKind::Terrain, line, |_| no_block(first))?)
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
        // A zero normal makes a degenerate face, which is found later; a length beyond f64 is refused.
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
        // A lone brace is a name where a projection or a number follows.
        let is_name = match token.kind {
            Kind::Word | Kind::Quoted => true,
            Kind::Mark(b'{' | b'}') => {
                let next = self.lexer.peek()?;
                next.is(b'[') || next.as_number().is_some()
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
        self.lexer.number()
    }

    fn mark(&mut self, mark: u8) -> Result<Pos, LevelError> {
        self.lexer.mark(mark)
    }

    /// A patch or terrain. One that cannot be read is left out, as far as its braces match, with the reason.
    fn patch(
        &mut self,
        kind: PatchKind,
        line: u32,
        unclosed: impl Fn(Token) -> LevelError,
    ) -> Result<ParsedPatch, LevelError> {
        let before = self.lexer.clone();
        let patch = patch::read(&mut self.lexer, kind);
        let (flags, sheet) = match patch {
            Ok((flags, sheet)) => (flags, Ok(sheet)),
            Err(error) => {
                self.lexer = before;
                self.skip_block(unclosed)?;
                (Flags::default(), Err((error.line, error.text)))
            }
        };
        Ok(ParsedPatch {
            line,
            kind,
            flags,
            sheet,
        })
    }

    /// Skips a block with matching braces. The first word in braces is a name, and may begin with a brace.
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

/// A block in braces in an entity.
enum Block {
    Brush(ParsedBrush),
    Patch(ParsedPatch),
    /// Name and line.
    Unknown(String, u32),
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
