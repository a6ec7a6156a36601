//! Parsed entities to a [`LevelDesc`]: which brushes are solid, which operations follow, in file order.
use super::brush::{self, Fault, GridBrush, STEPS};
use super::entities::{self, Class, WorldKeys, class};
use super::lex::Pos;
use super::material::{self, Materials};
use super::parse::{self, FacePlane, Parsed, ParsedBrush, ParsedEntity, REACH};
use super::rules;
use super::{Entity, LevelDesc, LevelError, MapFile, SavedOperation, Warning};
use crate::carve::blast::blast;
use crate::carve::{BrushDesc, Op};
use crate::geom::shared::Shared;
use crate::world::{GRID, Material, Operation, WorldDesc};
use glam::{DVec3, I64Vec3};
use std::sync::Arc;

/// More warnings than this are only counted.
const MOST_WARNINGS: usize = 1000;
/// Air around the level's box where `breach_bounds` says nothing, units.
const MARGIN: i64 = 512;

pub(super) fn import(bytes: &[u8]) -> Result<LevelDesc, LevelError> {
    let parsed = parse::parse(bytes)?;
    let brushes = parsed.entities.iter().map(|e| e.brushes.len()).sum();
    let refuse = |text: &str| {
        Pos {
            line: 0,
            column: 0,
            offset: 0,
        }
        .error(text)
    };
    if brushes == 0 {
        return Err(refuse("there is no brush in the file"));
    }
    let world = parsed
        .entities
        .iter()
        .find(|e| e.class_name() == "worldspawn");
    let keys = world.map_or(Ok(WorldKeys::default()), entities::world_keys)?;
    let mut importer = Importer::new(&parsed, keys);
    if let Some(note) = keys.saved_by().and_then(rules::note) {
        importer.warn(0, note);
    }
    for entity in &parsed.entities {
        importer.entity(entity)?;
    }
    let Some(bounds) = keys.bounds.or(importer.bounds()) else {
        return Err(refuse("no brush in the file is solid, carve or fill"));
    };
    Ok(importer.finish(bytes, bounds, brushes))
}

struct Importer<'a> {
    parsed: &'a Parsed,
    keys: WorldKeys,
    /// By texture number: whether a brush that shows it is solid.
    solid_texture: Vec<bool>,
    solids: Vec<BrushDesc>,
    hardness: Vec<f64>,
    operations: Vec<Operation>,
    areaportals: Vec<[I64Vec3; 2]>,
    materials: Materials,
    starts: Vec<entities::Start>,
    lights: Vec<super::Light>,
    blasts: Vec<(DVec3, f64)>,
    warnings: Vec<Warning>,
    unsaid_warnings: usize,
    skipped: usize,
    /// The box of all solid, carve and fill brushes.
    extent: [I64Vec3; 2],
    /// Classes whose brushes are left out, each said once.
    unknown: Vec<&'a str>,
}

impl<'a> Importer<'a> {
    fn new(parsed: &'a Parsed, keys: WorldKeys) -> Self {
        Self {
            parsed,
            keys,
            solid_texture: parsed
                .textures
                .iter()
                .map(|t| material::is_solid(t))
                .collect(),
            solids: Vec::new(),
            hardness: Vec::new(),
            operations: Vec::new(),
            areaportals: Vec::new(),
            materials: Materials::default(),
            starts: Vec::new(),
            lights: Vec::new(),
            blasts: Vec::new(),
            warnings: Vec::new(),
            unsaid_warnings: 0,
            skipped: 0,
            extent: [I64Vec3::MAX, I64Vec3::MIN],
            unknown: Vec::new(),
        }
    }

    fn entity(&mut self, entity: &'a ParsedEntity) -> Result<(), LevelError> {
        self.skipped += entity.patches;
        if entity.patches > 0 {
            let text = format!(
                "{} patches are left out: surfaces, no solids",
                entity.patches
            );
            self.warn(entity.pos.line, text);
        }
        let name = entity.class_name();
        let class = class(name);
        let hardness = entities::hardness(entity)?;
        match class {
            Class::Solid => self.solids(entity, hardness)?,
            Class::Mover if self.keys.movers => self.solids(entity, hardness)?,
            // No carve lays open what it could not break.
            Class::Carve if hardness.is_infinite() => {
                self.operation(entity, Op::Carve, false, 1.0)?
            }
            Class::Carve => self.operation(entity, Op::Carve, false, hardness)?,
            Class::Fill => self.operation(entity, Op::Fill, false, hardness)?,
            Class::Wall => self.operation(entity, Op::Fill, true, hardness)?,
            Class::Areaportal => self.areaportal(entity)?,
            Class::Mover | Class::Ghost => self.skipped += entity.brushes.len(),
            Class::Unknown => self.other(entity)?,
        }
        Ok(())
    }

    /// Brushes that stand from the start.
    fn solids(&mut self, entity: &ParsedEntity, hardness: f64) -> Result<(), LevelError> {
        for brush in &entity.brushes {
            if self.shows_no_solid(brush) {
                self.skipped += 1;
            } else if let Some(grid) = self.grid(brush)? {
                let desc = self.painted(brush, &grid, hardness);
                self.solids.push(desc);
                self.hardness.push(hardness);
            }
        }
        Ok(())
    }

    /// The brushes of one entity are one operation, all or nothing.
    fn operation(
        &mut self,
        entity: &ParsedEntity,
        op: Op,
        by_texture: bool,
        hardness: f64,
    ) -> Result<(), LevelError> {
        // A carve lays the inside open, and so does a fill that was painted like a crater.
        let inner = op == Op::Carve || entities::inner(entity)?;
        let mut brushes = Vec::with_capacity(entity.brushes.len());
        for brush in &entity.brushes {
            if by_texture && self.shows_no_solid(brush) {
                self.skipped += 1;
            } else if let Some(grid) = self.grid(brush)? {
                brushes.push(if inner {
                    self.laid_open(brush, &grid, hardness)
                } else {
                    self.painted(brush, &grid, hardness)
                });
            }
        }
        if !brushes.is_empty() {
            self.operations.push(Operation { op, brushes });
        }
        Ok(())
    }

    fn areaportal(&mut self, entity: &ParsedEntity) -> Result<(), LevelError> {
        for brush in &entity.brushes {
            let extent = self.extent;
            if let Some(grid) = self.grid(brush)? {
                self.areaportals.push(grid.bounds);
            }
            self.extent = extent;
        }
        Ok(())
    }

    /// Point entities, and brushes that Breach makes nothing of.
    fn other(&mut self, entity: &'a ParsedEntity) -> Result<(), LevelError> {
        let name = entity.class_name();
        self.skipped += entity.brushes.len();
        if !entity.brushes.is_empty() && !self.unknown.contains(&name) && self.unknown.len() < 64 {
            self.unknown.push(name);
            let short: String = name.chars().take(40).collect();
            self.warn(
                entity.pos.line,
                format!("brushes of {short:?} are left out"),
            );
        }
        if name == "breach_blast" {
            let saved = entities::blast(entity, &mut |line, text| self.warn(line, text))?;
            if let SavedOperation::Blast {
                centre,
                radius,
                shape,
                seed,
                material,
                hardness,
            } = saved
            {
                let id = self.materials.id(Material {
                    hardness,
                    ..material::inner(&material)
                });
                self.blasts.push((centre.as_dvec3() / GRID, radius));
                let brushes = blast(centre, radius, &shape, seed, id);
                if brushes.is_empty() {
                    self.warn(
                        entity.pos.line,
                        "the blast is too small to cut anything".into(),
                    );
                } else {
                    self.operations.push(Operation {
                        op: Op::Carve,
                        brushes,
                    });
                }
            }
        }
        match entities::start(entity) {
            Some(Ok(start)) => self.starts.push(start),
            Some(Err((pos, text))) => self.warn(pos.line, text),
            None => {}
        }
        match entities::light(entity) {
            Some(Ok(light)) => self.lights.push(light),
            Some(Err((pos, text))) => self.warn(pos.line, text),
            None => {}
        }
        Ok(())
    }

    /// One face that is not solid makes the whole brush not solid.
    fn shows_no_solid(&self, brush: &ParsedBrush) -> bool {
        brush
            .faces
            .iter()
            .any(|f| !self.solid_texture[f.texture as usize])
    }

    /// The brush on the grid; None, with a warning, where it is none.
    fn grid(&mut self, brush: &ParsedBrush) -> Result<Option<GridBrush>, LevelError> {
        for face in brush.faces.iter().filter(|f| f.plane.is_flat()) {
            self.warn(
                face.line,
                "a face whose points are in a line is left out".into(),
            );
        }
        let planes: Vec<FacePlane> = brush.faces.iter().map(|f| f.plane).collect();
        match brush::on_grid(&planes) {
            Ok(grid) => {
                let [low, high] = grid.bounds;
                self.extent = [self.extent[0].min(low), self.extent[1].max(high)];
                Ok(Some(grid))
            }
            Err(fault @ Fault::BeyondGrid) => Err(Pos {
                line: brush.line,
                column: 1,
                offset: 0,
            }
            .error(format!("the brush is refused: {fault}"))),
            Err(fault) => {
                self.skipped += 1;
                self.warn(brush.line, format!("the brush is left out: {fault}"));
                Ok(None)
            }
        }
    }

    /// Materials as the file paints them.
    fn painted(&mut self, brush: &ParsedBrush, grid: &GridBrush, hardness: f64) -> BrushDesc {
        self.desc(grid, |parsed, i, points| {
            let face = &brush.faces[i];
            let texture = &parsed.textures[face.texture as usize];
            Material {
                hardness,
                ..material::painted(texture, &face.projection, file_normal(points))
            }
        })
    }

    /// The inside of the stuff that the textures name.
    fn laid_open(&mut self, brush: &ParsedBrush, grid: &GridBrush, hardness: f64) -> BrushDesc {
        self.desc(grid, |parsed, i, _| Material {
            hardness,
            ..material::inner(&parsed.textures[brush.faces[i].texture as usize])
        })
    }

    fn desc(
        &mut self,
        grid: &GridBrush,
        material: impl Fn(&Parsed, usize, &[I64Vec3; 3]) -> Material,
    ) -> BrushDesc {
        let sides = grid
            .sides
            .iter()
            .map(|(face, points)| crate::carve::SideDesc {
                points: *points,
                material: self.materials.id(material(self.parsed, *face, points)),
            });
        BrushDesc {
            sides: sides.collect(),
        }
    }

    fn warn(&mut self, line: u32, text: String) {
        if self.warnings.len() < MOST_WARNINGS {
            self.warnings.push(Warning { line, text });
        } else {
            self.unsaid_warnings += 1;
        }
    }

    /// The box of all brushes grown by the margin, within the grid.
    fn bounds(&self) -> Option<[I64Vec3; 2]> {
        let [low, high] = self.extent;
        let reach = I64Vec3::splat((REACH * STEPS) as i64);
        let margin = I64Vec3::splat(MARGIN * STEPS as i64);
        (low.x <= high.x).then(|| [(low - margin).max(-reach), (high + margin).min(reach)])
    }

    fn finish(mut self, bytes: &[u8], bounds: [I64Vec3; 2], brushes: usize) -> LevelDesc {
        if self.unsaid_warnings > 0 {
            let text = format!("and {} more warnings", self.unsaid_warnings);
            self.warnings.push(Warning { line: 0, text });
        }
        // Stable: within a rank the file's order.
        self.starts.sort_by_key(|s| s.rank);
        let base = self
            .keys
            .base
            .unwrap_or(usize::MAX)
            .min(self.operations.len());
        let later = self.operations.split_off(base);
        let entities = self.parsed.entities.iter().map(|e| Entity {
            keys: e
                .keys
                .iter()
                .map(|k| (k.name.clone(), k.value.clone()))
                .collect(),
        });
        LevelDesc {
            world: Shared::new(WorldDesc {
                bounds,
                start_solid: self.keys.start_solid,
                solids: self.solids,
                base: self.operations,
                later,
                starts: self.starts.iter().map(|s| s.point).collect(),
                areaportals: self.areaportals,
                materials: self.materials.list,
            }),
            hardness: self.hardness,
            starts: self.starts.iter().map(|s| (s.eye, s.yaw)).collect(),
            lights: self.lights,
            blasts: self.blasts,
            sun: super::sun::sun(&self.parsed.entities),
            warnings: self.warnings,
            entities: self.parsed.entities.len(),
            brushes,
            skipped: self.skipped,
            file: Shared::new(MapFile {
                entities: entities.collect(),
                source: Arc::from(bytes),
            }),
            since: Vec::new(),
        }
    }
}

/// The outward unit normal in `.map` axes, from the plane as it lies on the grid.
fn file_normal(points: &[I64Vec3; 3]) -> DVec3 {
    let [a, b, c] = points.map(|p| p.as_dvec3());
    let n = (b - a).cross(c - a).normalize_or_zero();
    DVec3::new(n.x, -n.z, n.y)
}
