//! Parsed entities to a [`LevelDesc`]: which brushes are solid, which operations follow, in file order.
use super::brush::{Fault, GridBrush};
use super::entities::{self, Class, WorldKeys, class};
use super::grid::STEPS;
use super::lex::Pos;
use super::material::{self, Materials};
use super::on_grid::{Imported, on_grid};
use super::parse::{self, FacePlane, Parsed, ParsedBrush, ParsedEntity, REACH};
use super::pictures::{self, Pictures};
use super::volumes::{Volume, Volumes};
use super::{
    Coarse, Entity, Game, LevelDesc, LevelError, MapFile, SavedOperation, Warning, game, layers,
    rules,
};
use crate::carve::blast::{BlastShape, blast};
use crate::carve::{BrushDesc, Op};
use crate::geom::shared::Shared;
use crate::world::{GRID, Material, Operation, WorldDesc};
use glam::{DVec3, I64Vec3};
use rustc_hash::FxHashMap;
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
        return Err(refuse("the file has no brushes"));
    }
    let world = parsed
        .entities
        .iter()
        .find(|e| e.class_name() == "worldspawn");
    let keys = world.map_or(Ok(WorldKeys::default()), entities::world_keys)?;
    let mut importer = Importer::new(&parsed, keys, game::game_of(bytes, &parsed));
    if let Some(note) = keys.saved_by().and_then(rules::note) {
        importer.warn(0, note);
    }
    let omitted = layers::omitted(&parsed.entities);
    importer.round_all(&omitted);
    for (entity, is_omitted) in parsed.entities.iter().zip(omitted) {
        if is_omitted {
            importer.omit(entity);
        } else {
            importer.entity(entity)?;
        }
    }
    let Some(bounds) = keys.bounds.or(importer.bounds()) else {
        return Err(refuse(
            "none of the file's brushes are solid, carve or fill",
        ));
    };
    Ok(importer.finish(bytes, bounds, brushes))
}

struct Importer<'a> {
    parsed: &'a Parsed,
    keys: WorldKeys,
    game: Game,
    volumes: Volumes,
    /// The entities that no layer leaves out.
    kept: Vec<&'a ParsedEntity>,
    /// By number of the brush, of those that are built.
    grids: FxHashMap<usize, Imported>,
    /// Some brush lies off the grid.
    rounded: bool,
    coarsest: Option<Coarse>,
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
    /// How many brushes are left out for each reason, and the line of the first.
    left_out: Vec<(LeftOut, usize, u32)>,
    /// The box of all solid, carve and fill brushes.
    extent: [I64Vec3; 2],
    /// Classes whose brushes are left out, each said once.
    unknown: Vec<&'a str>,
}

impl<'a> Importer<'a> {
    fn new(parsed: &'a Parsed, keys: WorldKeys, game: Game) -> Self {
        Self {
            parsed,
            keys,
            game,
            volumes: Volumes::new(game, parsed),
            kept: Vec::new(),
            grids: FxHashMap::default(),
            rounded: false,
            coarsest: None,
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
            left_out: Vec::new(),
            extent: [I64Vec3::MAX, I64Vec3::MIN],
            unknown: Vec::new(),
        }
    }

    /// All brushes that are built, at once: they share planes.
    fn round_all(&mut self, omitted: &[bool]) {
        let mut built: Vec<&ParsedBrush> = Vec::new();
        let entities = self.parsed.entities.iter().zip(omitted);
        for (entity, _) in entities.filter(|(_, omitted)| !**omitted) {
            let by_texture = match class(entity.class_name()) {
                Class::Solid | Class::Wall => true,
                Class::Mover if self.keys.movers => true,
                Class::Carve | Class::Fill | Class::Areaportal => false,
                Class::Mover | Class::Ghost | Class::Unknown => continue,
            };
            let brushes = entity.brushes.iter();
            let counts = |b: &&ParsedBrush| {
                let volume = self.volumes.of(b).volume;
                !by_texture || matches!(volume, Volume::Solid | Volume::Areaportal)
            };
            built.extend(brushes.filter(counts));
        }
        let planes: Vec<Vec<FacePlane>> = built
            .iter()
            .map(|brush| brush.faces.iter().map(|f| f.plane).collect())
            .collect();
        let numbers = built.iter().map(|b| b.number);
        let imported = on_grid(&planes);
        self.rounded = imported.iter().any(|i| i.rounded);
        let coarse = |(brush, imported): (&&ParsedBrush, &Imported)| {
            let (face, off) = imported.coarsest?;
            let line = brush.faces[face].line;
            Some(Coarse {
                line,
                units: off / STEPS,
            })
        };
        let coarse = built.iter().zip(&imported).filter_map(coarse);
        self.coarsest = coarse.max_by(|a, b| a.units.total_cmp(&b.units).then(b.line.cmp(&a.line)));
        self.grids = numbers.zip(imported).collect();
    }

    fn entity(&mut self, entity: &'a ParsedEntity) -> Result<(), LevelError> {
        self.kept.push(entity);
        self.skipped += entity.patches + entity.unknown.len();
        for (name, line) in &entity.unknown {
            let short: String = name.chars().take(40).collect();
            self.warn(
                *line,
                format!("{short:?} is skipped: unknown kind of brush entity"),
            );
        }
        if entity.patches > 0 {
            let text = format!(
                "{} patches are skipped: they are surfaces, not solids",
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
            Class::Areaportal => {
                for brush in &entity.brushes {
                    self.areaportal(brush)?;
                }
            }
            Class::Mover => self.leave_out_all(LeftOut::Mover, entity),
            Class::Ghost => self.leave_out_all(LeftOut::Ghost, entity),
            Class::Unknown => self.other(entity)?,
        }
        Ok(())
    }

    /// Brushes that stand from the start.
    fn solids(&mut self, entity: &ParsedEntity, hardness: f64) -> Result<(), LevelError> {
        for brush in &entity.brushes {
            let volume = self.volume(brush);
            if volume == Volume::Areaportal {
                self.areaportal(brush)?;
            } else if volume != Volume::Solid {
                self.leave_out(LeftOut::Volume(volume), brush);
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
            let volume = if by_texture {
                self.volume(brush)
            } else {
                Volume::Solid
            };
            if volume != Volume::Solid {
                self.leave_out(LeftOut::Volume(volume), brush);
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

    fn areaportal(&mut self, brush: &ParsedBrush) -> Result<(), LevelError> {
        let extent = self.extent;
        if let Some(grid) = self.grid(brush)? {
            self.areaportals.push(grid.bounds);
        }
        self.extent = extent;
        Ok(())
    }

    /// An entity of a layer that the editor leaves out of exports; a save keeps it.
    fn omit(&mut self, entity: &ParsedEntity) {
        self.skipped += entity.brushes.len() + entity.patches + entity.unknown.len();
        if let Some(name) = layers::omitted_layer(entity) {
            let short: String = name.chars().take(40).collect();
            let text = format!("the layer {short:?} is skipped, as it is omitted from export");
            self.warn(entity.pos.line, text);
        }
    }

    fn leave_out(&mut self, why: LeftOut, brush: &ParsedBrush) {
        self.skipped += 1;
        match self.left_out.iter_mut().find(|row| row.0 == why) {
            Some(row) => row.1 += 1,
            None => self.left_out.push((why, 1, brush.line)),
        }
    }

    fn leave_out_all(&mut self, why: LeftOut, entity: &ParsedEntity) {
        for brush in &entity.brushes {
            self.leave_out(why, brush);
        }
    }

    /// Point entities, and brushes that Breach makes nothing of.
    fn other(&mut self, entity: &'a ParsedEntity) -> Result<(), LevelError> {
        let name = entity.class_name();
        self.skipped += entity.brushes.len();
        if !entity.brushes.is_empty() && !self.unknown.contains(&name) && self.unknown.len() < 64 {
            self.unknown.push(name);
            let short: String = name.chars().take(40).collect();
            self.warn(entity.pos.line, format!("brushes of {short:?} are skipped"));
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
                let inside = Material {
                    hardness,
                    ..material::inner(&material)
                };
                let id = self.materials.id(inside, false);
                self.blasts.push((centre.as_dvec3() / GRID, radius));
                let shape = BlastShape::from_name(&shape).unwrap_or_default();
                let brushes = blast(centre, radius, shape, seed, id);
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

    /// What the brush is in its game, with a warning where its faces disagree.
    fn volume(&mut self, brush: &ParsedBrush) -> Volume {
        let verdict = self.volumes.of(brush);
        if let Some(face) = verdict.odd.map(|i| &brush.faces[i]) {
            let texture = &self.parsed.textures[face.texture as usize];
            let short: String = texture.chars().take(40).collect();
            let text = format!(
                "the brush is solid, although the texture {short:?} on one of its faces is not"
            );
            self.warn(face.line, text);
        }
        verdict.volume
    }

    /// The brush on the grid; None, with a warning, where it is none.
    fn grid(&mut self, brush: &ParsedBrush) -> Result<Option<GridBrush>, LevelError> {
        for face in brush.faces.iter().filter(|f| f.plane.is_flat()) {
            self.warn(
                face.line,
                "a face whose points are collinear is skipped".into(),
            );
        }
        let Imported { grid, alone, .. } = self
            .grids
            .remove(&brush.number)
            .expect("every brush that is built was brought to the grid");
        if alone {
            self.warn(
                brush.line,
                "the brush is rounded on its own: sharing planes with its neighbours would cost it a face".into(),
            );
        }
        match grid {
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
                self.warn(brush.line, format!("the brush is skipped: {fault}"));
                Ok(None)
            }
        }
    }

    /// Materials as the file paints them.
    fn painted(&mut self, brush: &ParsedBrush, grid: &GridBrush, hardness: f64) -> BrushDesc {
        self.desc(grid, |parsed, i, points| {
            let face = &brush.faces[i];
            let texture = &parsed.textures[face.texture as usize];
            let painted = Material {
                hardness,
                ..material::painted(texture, &face.projection, file_normal(points))
            };
            (painted, face.projection.is_of_whole_pictures())
        })
    }

    /// The inside of the stuff that the textures name.
    fn laid_open(&mut self, brush: &ParsedBrush, grid: &GridBrush, hardness: f64) -> BrushDesc {
        self.desc(grid, |parsed, i, _| {
            let inside = Material {
                hardness,
                ..material::inner(&parsed.textures[brush.faces[i].texture as usize])
            };
            (inside, false)
        })
    }

    fn desc(
        &mut self,
        grid: &GridBrush,
        material: impl Fn(&Parsed, usize, &[I64Vec3; 3]) -> (Material, bool),
    ) -> BrushDesc {
        let sides = grid.sides.iter().map(|(face, points)| {
            let (material, is_fitted) = material(self.parsed, *face, points);
            crate::carve::SideDesc {
                points: *points,
                material: self.materials.id(material, is_fitted),
            }
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
        for (why, count, line) in std::mem::take(&mut self.left_out) {
            let these = if count == 1 {
                "brush is"
            } else {
                "brushes are"
            };
            self.warn(line, format!("{count} {these} skipped: {}", why.words()));
        }
        if self.unsaid_warnings > 0 {
            let text = format!("and {} more warnings", self.unsaid_warnings);
            self.warnings.push(Warning { line: 0, text });
        }
        if self.starts.is_empty() {
            let entities = self.kept.iter();
            self.starts = entities
                .filter_map(|e| entities::start_by_pattern(e))
                .collect();
        }
        // Stable: within a rank the file's order.
        self.starts.sort_by_key(|s| s.rank);
        let base = self
            .keys
            .base
            .unwrap_or(usize::MAX)
            .min(self.operations.len());
        let later = self.operations.split_off(base);
        let world = self.parsed.entities.iter();
        let mut world = world.filter(|e| e.class_name() == "worldspawn");
        let pictures = Pictures {
            wads: pictures::wads(world.next().and_then(|e| e.get("wad")).unwrap_or_default()),
            fitted: self.materials.fitted,
        };
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
                rounded: self.rounded,
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
            sun: super::sun::sun(&self.kept),
            pictures: Shared::new(pictures),
            warnings: self.warnings,
            coarsest: self.coarsest,
            game: self.game,
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

/// Why brushes are left out that nothing is wrong with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LeftOut {
    /// By texture or contents.
    Volume(Volume),
    /// By class.
    Mover,
    Ghost,
}

impl LeftOut {
    fn words(self) -> &'static str {
        match self {
            LeftOut::Volume(volume) => volume.name(),
            LeftOut::Mover => "doors, plats, buttons and trains",
            LeftOut::Ghost => "triggers and illusionary walls",
        }
    }
}

/// The outward unit normal in `.map` axes, from the plane as it lies on the grid.
fn file_normal(points: &[I64Vec3; 3]) -> DVec3 {
    let [a, b, c] = points.map(|p| p.as_dvec3());
    let n = (b - a).cross(c - a).normalize_or_zero();
    DVec3::new(n.x, -n.z, n.y)
}
