//! From parsed entities to a [`LevelDesc`]: solid brushes and operations, in file order.
use super::brush::{Fault, GridBrush};
use super::curves::{self, BoxedBrush};
use super::desc::{CoarseFace, Curves, LevelDesc, SavedOperation, Warning};
use super::entities::{self, Class, MoverRule, WorldKeys, class};
use super::error::{LevelError, Pos};
use super::game::{self, Game};
use super::grid::{STEPS, file_normal};
use super::light::Light;
use super::liquid::{self, LiquidVolume, Liquids};
use super::map_file::{Entity, MapFile, WorldPlace};
use super::material::{self, Materials};
use super::movers::{self, Engine, Movers, Named, Role, Shape, Source};
use super::on_grid::{RoundedBrush, on_grid};
use super::parsed::{
    FacePlane, Painting, Parsed, ParsedBrush, ParsedEntity, ParsedPatch, PatchKind, REACH, Sheet,
};
use super::pictures::{self, Pictures};
use super::skips::{SkipReason, Skipped, Skips};
use super::volumes::{Volume, Volumes};
use super::{foreign, layers, parse, patch_brushes, rules, sun};
use crate::carve::blast::{BlastShape, blast};
use crate::carve::{BrushDesc, Op};
use crate::geom::shared::Shared;
use crate::world::{GRID, Material, Operation, WorldDesc};
use glam::{DVec3, I64Vec3};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Warnings beyond this number are only counted.
const MOST_WARNINGS: usize = 1000;
/// Margin of air around the level's box where `breach_bounds` is missing, units.
const MARGIN: i64 = 512;

/// Reads a `.map`; never panics. Doubtful brushes are dropped with a warning; a file that breaks the contract is refused
/// with line and column.
pub fn read_map(bytes: &[u8]) -> Result<LevelDesc, LevelError> {
    read(bytes, None, true, true)
}

/// [`read_map`] with the chord error of a recording, [`Curves::asked`], whatever the file says; and with liquids and movers or,
/// as in older recordings, with air in their places.
pub fn read_recorded_map(
    bytes: &[u8],
    curves: f64,
    liquids: bool,
    movers: bool,
) -> Result<LevelDesc, LevelError> {
    let [least, most] = curves::ERRORS;
    let curves = if curves >= least {
        curves.min(most)
    } else {
        0.0
    };
    read(bytes, Some(curves), liquids, movers)
}

fn read(
    bytes: &[u8],
    recorded_curves: Option<f64>,
    liquids: bool,
    movers: bool,
) -> Result<LevelDesc, LevelError> {
    let refusal = |why: LevelError| foreign::refusal(bytes).unwrap_or(why);
    let parsed = parse::parse(bytes).map_err(refusal)?;
    let brushes = parsed.entities.iter().map(|e| e.brushes.len()).sum();
    let patches: usize = parsed.entities.iter().map(|e| e.patches.len()).sum();
    if brushes + patches == 0 {
        return Err(refusal(Pos::NONE.error("the file has no brushes")));
    }
    let world = parsed
        .entities
        .iter()
        .find(|e| e.class_name() == "worldspawn");
    let mut keys = world.map_or(Ok(WorldKeys::default()), entities::world_keys)?;
    if keys.movers == MoverRule::Move && !movers {
        keys.movers = MoverRule::LeftOut;
    }
    let mut importer = Importer::new(&parsed, keys, game::detect(bytes, &parsed));
    importer.curves.patches = patches;
    importer.has_liquids = liquids;
    if patches > 0 {
        // Saves from before curves were solid do not name a chord error: their operations were made without them.
        let usual = match keys.saved_by() {
            Some(_) => 0.0,
            None => curves::USUAL_ERROR,
        };
        importer.curves.asked = recorded_curves.or(keys.curves).unwrap_or(usual);
    }
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
    let curves = importer.fill_in_curves();
    let Some(bounds) = keys.bounds.or(importer.bounds()) else {
        return Err(Pos::NONE.error("none of the file's brushes are solid, carve or fill"));
    };
    Ok(importer.finish(bytes, bounds, brushes, curves))
}

/// A patch that becomes solid.
struct PendingPatch<'a> {
    line: u32,
    kind: PatchKind,
    sheet: &'a Sheet,
    hardness: f64,
    /// Index of the operation that it is part of; None for the static world.
    operation: Option<usize>,
}

/// An entity that becomes a mover, a trigger or a relay once the world is known.
struct PendingMover<'a> {
    entity: &'a ParsedEntity,
    role: Role,
    hardness: f64,
}

struct Importer<'a> {
    parsed: &'a Parsed,
    keys: WorldKeys,
    game: Game,
    volumes: Volumes,
    /// Entities except those of omitted layers.
    kept: Vec<&'a ParsedEntity>,
    /// Brushes on the grid, by number in the file.
    grids: FxHashMap<usize, RoundedBrush>,
    /// Whether a brush lies off the grid.
    rounded: bool,
    coarsest: Option<CoarseFace>,
    solids: Vec<BrushDesc>,
    /// Boxes of the solids.
    boxes: Vec<[I64Vec3; 2]>,
    hardness: Vec<f64>,
    curves: Curves,
    patches: Vec<PendingPatch<'a>>,
    operations: Vec<Operation>,
    areaportals: Vec<[I64Vec3; 2]>,
    materials: Materials,
    starts: Vec<entities::Start>,
    lights: Vec<Light>,
    /// Whether liquids are read, or left out as in older recordings.
    has_liquids: bool,
    liquids: Vec<LiquidVolume>,
    movers: Vec<PendingMover<'a>>,
    blasts: Vec<(DVec3, f64)>,
    warnings: Vec<Warning>,
    more_warnings: usize,
    skipped: usize,
    skips: Skips,
    /// Box of all solid, carve and fill brushes.
    extent: [I64Vec3; 2],
    /// Unknown classes with brushes, each warned about once.
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
            boxes: Vec::new(),
            hardness: Vec::new(),
            curves: Curves::default(),
            patches: Vec::new(),
            operations: Vec::new(),
            areaportals: Vec::new(),
            materials: Materials::default(),
            starts: Vec::new(),
            lights: Vec::new(),
            has_liquids: true,
            liquids: Vec::new(),
            movers: Vec::new(),
            blasts: Vec::new(),
            warnings: Vec::new(),
            more_warnings: 0,
            skipped: 0,
            skips: Skips::default(),
            extent: [I64Vec3::MAX, I64Vec3::MIN],
            unknown: Vec::new(),
        }
    }

    /// Rounds all brushes to the grid at once, since they share planes.
    fn round_all(&mut self, omitted: &[bool]) {
        let mut built: Vec<&ParsedBrush> = Vec::new();
        let entities = self.parsed.entities.iter().zip(omitted);
        for (entity, _) in entities.filter(|(_, omitted)| !**omitted) {
            let by_texture = match class(entity.class_name()) {
                Class::Solid | Class::Wall => true,
                Class::Mover if self.keys.movers == MoverRule::Solid => true,
                Class::Carve | Class::Fill | Class::Areaportal => false,
                Class::Mover | Class::Liquid | Class::NonSolid | Class::Unknown => continue,
            };
            let brushes = entity.brushes.iter();
            let counts = |b: &&ParsedBrush| {
                let volume = self.volumes.of_brush(b).volume;
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
        let coarse = |(brush, imported): (&&ParsedBrush, &RoundedBrush)| {
            let (face, off) = imported.coarsest?;
            let line = brush.faces[face].line;
            Some(CoarseFace {
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
        self.skipped += entity.unknown.len();
        for (name, line) in &entity.unknown {
            let short: String = name.chars().take(40).collect();
            self.warn(
                *line,
                format!("{short:?} is skipped: unknown kind of brush entity"),
            );
        }
        let name = entity.class_name();
        let role = match self.keys.movers {
            MoverRule::Move => movers::role(self.game, name),
            MoverRule::Solid | MoverRule::LeftOut => None,
        };
        let class = match role {
            Some(Role::Mover(_)) => Class::Mover,
            _ => class(name),
        };
        let hardness = entities::hardness(entity)?;
        if let Some(role) = role {
            self.movers.push(PendingMover {
                entity,
                role,
                hardness,
            });
        }
        match class {
            // Their brushes wait until the world has its own; those of relays have no use.
            _ if matches!(role, Some(Role::Mover(_) | Role::Trigger(_))) => {}
            Class::Solid => self.solids(entity, hardness)?,
            Class::Mover if self.keys.movers == MoverRule::Solid => {
                self.solids(entity, hardness)?
            }
            // A carve cannot expose unbreakable material.
            Class::Carve if hardness.is_infinite() => {
                self.operation(entity, Op::Carve, false, 1.0)?
            }
            Class::Carve => self.operation(entity, Op::Carve, false, hardness)?,
            Class::Fill => self.operation(entity, Op::Fill, false, hardness)?,
            Class::Wall => self.operation(entity, Op::Fill, true, hardness)?,
            Class::Liquid => {
                for brush in &entity.brushes {
                    self.not_solid(Volume::Liquid, brush);
                }
            }
            Class::Areaportal => {
                for brush in &entity.brushes {
                    self.areaportal(brush)?;
                }
            }
            Class::Mover => self.skip_all(SkipReason::Mover, entity),
            Class::NonSolid => self.skip_all(SkipReason::NonSolid, entity),
            Class::Unknown => self.other(entity)?,
        }
        self.patches(entity, class, hardness);
        Ok(())
    }

    /// Brushes that are solid from the start.
    fn solids(&mut self, entity: &ParsedEntity, hardness: f64) -> Result<(), LevelError> {
        for brush in &entity.brushes {
            let volume = self.volume(brush);
            if volume == Volume::Areaportal {
                self.areaportal(brush)?;
            } else if volume != Volume::Solid {
                self.not_solid(volume, brush);
            } else if let Some(grid) = self.grid(brush)? {
                let desc = self.painted(brush, &grid, hardness);
                self.solids.push(desc);
                self.boxes.push(grid.bounds);
                self.hardness.push(hardness);
            }
        }
        Ok(())
    }

    /// Makes one operation, all or nothing, of an entity's brushes.
    fn operation(
        &mut self,
        entity: &ParsedEntity,
        op: Op,
        by_texture: bool,
        hardness: f64,
    ) -> Result<(), LevelError> {
        // A carve exposes the inner material; so does a fill that is marked as inner.
        let inner = op == Op::Carve || entities::inner(entity)?;
        let mut brushes = Vec::with_capacity(entity.brushes.len());
        for brush in &entity.brushes {
            let volume = if by_texture {
                self.volume(brush)
            } else {
                Volume::Solid
            };
            if volume != Volume::Solid {
                self.not_solid(volume, brush);
            } else if let Some(grid) = self.grid(brush)? {
                brushes.push(if inner {
                    self.inner(brush, &grid, hardness)
                } else {
                    self.painted(brush, &grid, hardness)
                });
            }
        }
        // Patches join a fill once all brushes are known; one that stays empty is dropped then.
        let may_have_patches = op == Op::Fill && !entity.patches.is_empty();
        if !brushes.is_empty() || may_have_patches {
            self.operations.push(Operation { op, brushes });
        }
        Ok(())
    }

    /// Notes the entity's patches as parts of what its brushes are part of, or skips them.
    fn patches(&mut self, entity: &'a ParsedEntity, class: Class, hardness: f64) {
        if entity.patches.is_empty() {
            return;
        }
        if self.curves.asked == 0.0 {
            self.skipped += entity.patches.len();
            let these = match entity.patches.len() {
                1 => "1 patch is".into(),
                count => format!("{count} patches are"),
            };
            let text = format!("{these} skipped: this level leaves curves out (`breach_curves`)");
            self.warn(entity.patches[0].line, text);
            return;
        }
        for patch in &entity.patches {
            let why = match class {
                Class::Solid | Class::Wall | Class::Fill => None,
                Class::Mover if self.keys.movers == MoverRule::Solid => None,
                Class::Mover => Some(SkipReason::Mover),
                Class::Carve => Some(SkipReason::Carve),
                Class::Liquid => Some(SkipReason::Volume(Volume::Liquid)),
                Class::Areaportal | Class::NonSolid => Some(SkipReason::NonSolid),
                Class::Unknown => Some(SkipReason::Unknown),
            };
            let sheet = match &patch.sheet {
                Ok(sheet) => sheet,
                Err((line, text)) => {
                    self.skipped += 1;
                    self.warn(*line, format!("{} is skipped: {text}", patch.kind.words()));
                    continue;
                }
            };
            if let Some(why) = why.or_else(|| self.volume_of_patch(patch, sheet, class)) {
                self.skip(why, Skipped::Patch, patch.line);
                continue;
            }
            let is_operation = matches!(class, Class::Wall | Class::Fill);
            self.patches.push(PendingPatch {
                line: patch.line,
                kind: patch.kind,
                sheet,
                hardness,
                operation: is_operation.then(|| self.operations.len() - 1),
            });
        }
    }

    /// Why a patch's texture makes it no solid; a fill's textures are materials only.
    fn volume_of_patch(
        &self,
        patch: &ParsedPatch,
        sheet: &Sheet,
        class: Class,
    ) -> Option<SkipReason> {
        let texture = match &sheet.painting {
            Painting::Coordinates { texture, .. } => texture,
            Painting::Projected(cells) => &cells[0].0,
        };
        let volume = self.volumes.of_patch(texture, patch.flags);
        (class != Class::Fill && volume != Volume::Solid).then_some(SkipReason::Volume(volume))
    }

    /// Makes the noted patches solid. Those of the static world are returned as fills: like func_wall they come after the
    /// outside has become rock, so that no patch seals a level (q3map's patches neither block its flood).
    fn fill_in_curves(&mut self) -> Vec<Operation> {
        let patches = std::mem::take(&mut self.patches);
        let sheets: Vec<&Sheet> = patches.iter().map(|p| p.sheet).collect();
        let boxed: Vec<BoxedBrush> = self.solids.iter().zip(self.boxes.iter().copied()).collect();
        let made = curves::solids(&sheets, self.curves.asked, &boxed);
        self.curves.error = made.error;
        if self.curves.asked < made.error {
            let text = format!(
                "curves have a chord error of {} units instead of {}: finer ones would need more than {} solids",
                made.error,
                self.curves.asked,
                curves::MOST_SOLIDS
            );
            self.warn(0, text);
        }
        let mut fills = Vec::new();
        for (patch, solids) in patches.iter().zip(made.sheets) {
            let is_too_many = solids.is_none();
            let mut brushes = Vec::new();
            for solid in solids.unwrap_or_default() {
                let materials = &mut self.materials;
                let brush = patch_brushes::brush(patch.sheet, patch.hardness, &solid, materials);
                let Some(brush) = brush else { continue };
                brushes.push(brush);
                for corner in solid.corners {
                    self.extent = [self.extent[0].min(corner), self.extent[1].max(corner)];
                }
            }
            if brushes.is_empty() {
                self.skipped += 1;
                let why = match is_too_many {
                    true => "the level's curves need too many solids",
                    false => "it has no area",
                };
                self.warn(
                    patch.line,
                    format!("{} is skipped: {why}", patch.kind.words()),
                );
                continue;
            }
            self.curves.solid += 1;
            self.curves.solids += brushes.len();
            match patch.operation {
                Some(number) => self.operations[number].brushes.extend(brushes),
                None => fills.push(Operation {
                    op: Op::Fill,
                    brushes,
                }),
            }
        }
        self.operations
            .retain(|operation| !operation.brushes.is_empty());
        self.curves.operations = fills.len();
        fills
    }

    fn areaportal(&mut self, brush: &ParsedBrush) -> Result<(), LevelError> {
        let extent = self.extent;
        if let Some(grid) = self.grid(brush)? {
            self.areaportals.push(grid.bounds);
        }
        self.extent = extent;
        Ok(())
    }

    /// Skips an entity of a layer that the editor omits from exports; a save keeps it.
    fn omit(&mut self, entity: &ParsedEntity) {
        self.skipped += entity.brushes.len() + entity.patches.len() + entity.unknown.len();
        if let Some(name) = layers::omitted_layer(entity) {
            let short: String = name.chars().take(40).collect();
            let text = format!("the layer {short:?} is skipped, as it is omitted from export");
            self.warn(entity.pos.line, text);
        }
    }

    /// A liquid where the brush is one; otherwise it is skipped.
    fn not_solid(&mut self, volume: Volume, brush: &ParsedBrush) {
        let is_liquid = volume == Volume::Liquid && self.has_liquids;
        match is_liquid
            .then(|| liquid::volume(brush, &self.parsed.textures))
            .flatten()
        {
            Some(Ok(liquid)) => self.liquids.push(liquid),
            Some(Err(fault)) => self.drop_brush(brush, fault),
            None => self.skip(SkipReason::Volume(volume), Skipped::Brush, brush.line),
        }
    }

    fn skip(&mut self, why: SkipReason, what: Skipped, line: u32) {
        self.skipped += 1;
        self.skips.add(why, what, line);
    }

    fn skip_all(&mut self, why: SkipReason, entity: &ParsedEntity) {
        for brush in &entity.brushes {
            self.skip(why, Skipped::Brush, brush.line);
        }
    }

    /// Point entities, and entities whose brushes Breach does not know.
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

    /// The brush's volume in its game, with a warning where its faces disagree.
    fn volume(&mut self, brush: &ParsedBrush) -> Volume {
        let verdict = self.volumes.of_brush(brush);
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

    /// The movers, and what sends them signals. They come after all else, so that the world is the same without them: its
    /// planes, its box, the numbers of its materials.
    fn movers(&mut self) -> Movers {
        let pending = std::mem::take(&mut self.movers);
        let Some(engine) = Engine::of(self.game) else {
            return Movers::default();
        };
        let mut sources = Vec::with_capacity(pending.len());
        for pending in pending {
            let entity = pending.entity;
            let shape = match pending.role {
                Role::Mover(role) => {
                    let has_pivot = role.has_pivot(engine);
                    self.mover_shape(entity, pending.hardness, has_pivot)
                }
                Role::Trigger(_) => self.trigger_shape(entity),
                Role::Relay(_) => Shape::default(),
            };
            sources.push(Source {
                entity,
                role: pending.role,
                shape,
            });
        }
        let named = Named::new(&self.parsed.entities, &self.kept, engine);
        let imported = movers::import(sources, &named, engine);
        for (line, text) in imported.warnings {
            self.warn(line, text);
        }
        for (entity, volumes) in imported.unused {
            for brush in entity.brushes.iter().take(volumes) {
                self.skip(SkipReason::NonSolid, Skipped::Brush, brush.line);
            }
        }
        imported.movers
    }

    /// The solids of a mover. They share planes with each other alone. The first origin brush marks its pivot if it has one.
    fn mover_shape(&mut self, entity: &ParsedEntity, hardness: f64, has_pivot: bool) -> Shape {
        let mut shape = Shape::default();
        let mut solids = Vec::new();
        for brush in &entity.brushes {
            let is_origin = movers::is_origin(brush, &self.parsed.textures);
            if is_origin && has_pivot && shape.add_origin(brush) {
                continue;
            }
            let volume = match is_origin {
                true => Volume::Hint,
                false => self.volume(brush),
            };
            match volume {
                Volume::Solid => solids.push(brush),
                volume => self.skip(SkipReason::Volume(volume), Skipped::Brush, brush.line),
            }
        }
        let planes = |brush: &&ParsedBrush| brush.faces.iter().map(|f| f.plane).collect();
        let planes: Vec<Vec<FacePlane>> = solids.iter().map(planes).collect();
        for (brush, rounded) in solids.into_iter().zip(on_grid(&planes)) {
            match self.checked(brush, rounded) {
                Ok(grid) => {
                    let bounds = grid.bounds;
                    shape.add_solid(self.painted(brush, &grid, hardness), bounds);
                }
                Err(fault) => self.drop_brush(brush, fault),
            }
        }
        shape
    }

    /// The volumes of a trigger, whatever their textures.
    fn trigger_shape(&mut self, entity: &ParsedEntity) -> Shape {
        let mut shape = Shape::default();
        for brush in &entity.brushes {
            if movers::is_origin(brush, &self.parsed.textures) {
                let why = SkipReason::Volume(Volume::Hint);
                self.skip(why, Skipped::Brush, brush.line);
            } else if let Err(fault) = shape.add_volume(brush) {
                self.drop_brush(brush, fault);
            }
        }
        shape
    }

    /// The brush on the grid; None, with a warning, where it is degenerate.
    fn grid(&mut self, brush: &ParsedBrush) -> Result<Option<GridBrush>, LevelError> {
        let rounded = self
            .grids
            .remove(&brush.number)
            .expect("every brush that is built was rounded to the grid");
        match self.checked(brush, rounded) {
            Ok(grid) => {
                let [low, high] = grid.bounds;
                self.extent = [self.extent[0].min(low), self.extent[1].max(high)];
                Ok(Some(grid))
            }
            Err(fault @ Fault::BeyondGrid) => {
                Err(Pos::of_line(brush.line).error(format!("the brush is refused: {fault}")))
            }
            Err(fault) => {
                self.drop_brush(brush, fault);
                Ok(None)
            }
        }
    }

    /// Leaves a degenerate brush out.
    fn drop_brush(&mut self, brush: &ParsedBrush, fault: Fault) {
        self.skipped += 1;
        self.warn(brush.line, format!("the brush is skipped: {fault}"));
    }

    /// A brush that was rounded to the grid, with warnings about what that cost.
    fn checked(&mut self, brush: &ParsedBrush, rounded: RoundedBrush) -> Result<GridBrush, Fault> {
        for face in brush.faces.iter().filter(|f| f.plane.is_degenerate()) {
            self.warn(
                face.line,
                "a face whose points are collinear is skipped".into(),
            );
        }
        let RoundedBrush { grid, alone, .. } = rounded;
        if alone {
            self.warn(
                brush.line,
                "the brush is rounded on its own: sharing planes with its neighbours would cost it a face".into(),
            );
        }
        grid
    }

    /// The brush with the textures of the file.
    fn painted(&mut self, brush: &ParsedBrush, grid: &GridBrush, hardness: f64) -> BrushDesc {
        self.desc(grid, |parsed, i, points| {
            let face = &brush.faces[i];
            let texture = &parsed.textures[face.texture as usize];
            let painted = Material {
                hardness,
                ..material::painted(texture, &face.projection, file_normal(points))
            };
            (painted, face.projection.is_in_whole_pictures())
        })
    }

    /// The brush with the inner materials of its textures.
    fn inner(&mut self, brush: &ParsedBrush, grid: &GridBrush, hardness: f64) -> BrushDesc {
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
            self.more_warnings += 1;
        }
    }

    /// The box of all brushes plus the margin, within the grid.
    fn bounds(&self) -> Option<[I64Vec3; 2]> {
        let [low, high] = self.extent;
        let reach = I64Vec3::splat((REACH * STEPS) as i64);
        let margin = I64Vec3::splat(MARGIN * STEPS as i64);
        (low.x <= high.x).then(|| [(low - margin).max(-reach), (high + margin).min(reach)])
    }

    fn finish(
        mut self,
        bytes: &[u8],
        bounds: [I64Vec3; 2],
        brushes: usize,
        curves: Vec<Operation>,
    ) -> LevelDesc {
        let movers = self.movers();
        let skips = std::mem::take(&mut self.skips);
        for (line, text) in skips.warnings() {
            self.warn(line, text);
        }
        if self.more_warnings > 0 {
            let text = format!("and {} more warnings", self.more_warnings);
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
        let mut base = curves;
        base.append(&mut self.operations);
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
                base,
                later,
                starts: self.starts.iter().map(|s| s.point).collect(),
                areaportals: self.areaportals,
                materials: self.materials.list,
            }),
            hardness: self.hardness,
            starts: self.starts.iter().map(|s| (s.eye, s.yaw)).collect(),
            lights: self.lights,
            blasts: self.blasts,
            liquids: Arc::new(Liquids::new(self.liquids)),
            movers: Arc::new(movers),
            sun: sun::sun(&self.kept),
            pictures: Shared::new(pictures),
            warnings: self.warnings,
            coarsest: self.coarsest,
            game: self.game,
            entities: self.parsed.entities.len(),
            brushes,
            skipped: self.skipped,
            curves: self.curves,
            file: Shared::new(MapFile {
                entities: entities.collect(),
                source: Arc::from(bytes),
                world: WorldPlace::of(self.parsed),
            }),
            since: Vec::new(),
        }
    }
}
