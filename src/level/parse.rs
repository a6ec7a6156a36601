//! Tokens to entities, brushes and faces, by the grammar alone: nothing here knows what an entity means.
//!
//! Memory stays bounded by a small multiple of the file: nesting ends at depth three, counts have limits.
use super::LevelError;
use super::lex::{Kind, Lexer, Pos, Token, latin1};
use glam::DVec3;
use rustc_hash::FxHashMap;

/// Most entities, brushes or keys that a file may hold; the largest public levels have some ten thousand.
const MOST: usize = 1 << 20;
/// The grid reaches ±1024 m, 32 units a metre.
pub(super) const REACH: f64 = 32768.0;

#[derive(Debug, Default)]
pub(super) struct Parsed {
    pub entities: Vec<ParsedEntity>,
    /// What [`Face::texture`] counts.
    pub textures: Vec<String>,
}

#[derive(Debug)]
pub(super) struct ParsedEntity {
    pub keys: Vec<Key>,
    pub brushes: Vec<ParsedBrush>,
    pub patches: usize,
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
    pub line: u32,
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
    names: FxHashMap<&'a [u8], u32>,
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
                self.number()?;
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
            pos,
        };
        loop {
            let token = self.lexer.next()?;
            match token.kind {
                Kind::Mark(b'}') => return Ok(entity),
                Kind::Mark(b'{') => {
                    self.brushes += 1;
                    limit(self.brushes, token.pos, "brushes")?;
                    match self.brush(token.pos)? {
                        Some(brush) => entity.brushes.push(brush),
                        None => entity.patches += 1,
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

    /// After the `{`; None is a patch.
    fn brush(&mut self, pos: Pos) -> Result<Option<ParsedBrush>, LevelError> {
        let first = self.lexer.peek()?;
        if first.kind != Kind::Word {
            return self.faces(pos, Self::plain_face).map(Some);
        }
        self.lexer.next()?;
        let name = first.text.to_ascii_lowercase();
        let open = self.mark(b'{')?;
        let brush = match name.as_slice() {
            b"brushdef" => Some(self.faces(open, Self::primitive_face)?),
            b"brushdef3" => Some(self.faces(open, Self::bare_face)?),
            b"patchdef2" | b"patchdef3" => {
                self.skip_patch(open)?;
                None
            }
            _ => {
                return Err(first.pos.error(format!(
                    "expected a face, brushDef or patchDef2, found {}",
                    first.show()
                )));
            }
        };
        self.mark(b'}')?;
        Ok(brush)
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
        self.further_numbers()?;
        Ok(Face {
            plane,
            texture,
            projection,
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
            return Err(open.error("the plane's numbers are too large"));
        }
        let plane = if length > 1e-100 {
            FacePlane::Bare(normal / length, d / length)
        } else {
            FacePlane::Bare(DVec3::ZERO, 0.0)
        };
        if let FacePlane::Bare(_, d) = plane
            && d.abs() > 2.0 * REACH
        {
            return Err(open.error("the plane lies beyond the grid of 1024 m (32768 units)"));
        }
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
        self.further_numbers()?;
        Ok(Face {
            plane,
            texture,
            projection: Projection::Matrix(matrix),
            line,
        })
    }

    fn points(&mut self) -> Result<FacePlane, LevelError> {
        Ok(FacePlane::Points([
            self.point()?,
            self.point()?,
            self.point()?,
        ]))
    }

    fn point(&mut self) -> Result<DVec3, LevelError> {
        self.mark(b'(')?;
        let mut p = [0.0; 3];
        for x in &mut p {
            let pos = self.lexer.peek()?.pos;
            *x = self.number()?;
            if x.abs() > REACH {
                return Err(
                    pos.error("the coordinate lies beyond the grid of 1024 m (32768 units)")
                );
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
        if !matches!(token.kind, Kind::Word | Kind::Quoted) {
            return Err(token
                .pos
                .error(format!("expected a texture's name, found {}", token.show())));
        }
        if let Some(&id) = self.names.get(token.text) {
            return Ok(id);
        }
        let id = self.out.textures.len() as u32;
        self.out.textures.push(latin1(token.text));
        self.names.insert(token.text, id);
        Ok(id)
    }

    /// Flags after a face: none, one, three or six numbers, by game.
    fn further_numbers(&mut self) -> Result<(), LevelError> {
        while self.lexer.peek()?.kind == Kind::Word {
            self.number()?;
        }
        Ok(())
    }

    fn number(&mut self) -> Result<f64, LevelError> {
        let token = self.lexer.next()?;
        let text = (token.kind == Kind::Word)
            .then(|| std::str::from_utf8(token.text).ok())
            .flatten();
        let number = text.and_then(|t| t.parse::<f64>().ok()).ok_or_else(|| {
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

    /// A patch is a surface, not a solid: nothing in it is needed.
    fn skip_patch(&mut self, open: Pos) -> Result<(), LevelError> {
        self.lexer.next_name()?;
        loop {
            let token = self.lexer.next()?;
            match token.kind {
                Kind::Mark(b'}') => return Ok(()),
                Kind::Mark(b'(' | b')') | Kind::Word => {}
                Kind::End => return Err(unclosed(token, "patch", open)),
                _ => {
                    return Err(token
                        .pos
                        .error(format!("unexpected {} in a patch", token.show())));
                }
            }
        }
    }
}

fn unclosed(token: Token, what: &str, open: Pos) -> LevelError {
    token.pos.error(format!(
        "the {what} opened in line {} is not closed",
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
