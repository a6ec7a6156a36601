//! From a file's entities to [`Movers`]: first everything but the signals, which may name what comes later, then those.
use super::classes::{Engine, MoverRole, RelayRole, Role};
use super::links::{self, Leaf};
use super::reader::{Reader, Warnings};
use super::shape::Shape;
use super::targets::{Named, Receivers, Sends};
use super::{
    Motion, MoverDesc, MoverKind, Movers, Receiver, Signals, TriggerEffect, doors, plats, trains,
    triggers,
};
use crate::level::parsed::ParsedEntity;

/// Stops of all trains of a level together: many trains could follow as many corners.
const MOST_STOPS: usize = 1 << 17;

/// An entity that has a role, with its brushes.
pub(in crate::level) struct Source<'a> {
    pub entity: &'a ParsedEntity,
    pub role: Role,
    pub shape: Shape,
}

/// What was made of a file's entities.
pub(in crate::level) struct Imported<'a> {
    pub movers: Movers,
    /// Line and words.
    pub warnings: Vec<(u32, String)>,
    /// Triggers that do nothing, and the number of their volumes.
    pub unused: Vec<(&'a ParsedEntity, usize)>,
}

/// Makes the movers, triggers and relays.
pub(in crate::level) fn import<'a>(
    sources: Vec<Source<'a>>,
    named: &Named<'a>,
    engine: Engine,
) -> Imported<'a> {
    let mut importer = Importer {
        engine,
        named,
        movers: Movers::default(),
        leaves: Vec::new(),
        triggers: Vec::new(),
        relays: Vec::new(),
        stops: Vec::new(),
        warnings: Warnings::default(),
        unused: Vec::new(),
    };
    for source in sources {
        importer.source(source);
    }
    let Importer {
        movers,
        leaves,
        warnings,
        ..
    } = &mut importer;
    links::link(&mut movers.movers, leaves, engine, warnings);
    importer.signals();
    Imported {
        movers: importer.movers,
        warnings: importer.warnings.list,
        unused: importer.unused,
    }
}

struct Importer<'a, 'n> {
    engine: Engine,
    named: &'n Named<'a>,
    movers: Movers,
    /// The entities of the movers, of the triggers and of the relays, in their orders.
    leaves: Vec<Leaf<'a>>,
    triggers: Vec<&'a ParsedEntity>,
    relays: Vec<(&'a ParsedEntity, RelayRole)>,
    /// Index of a train and of its stop, with the corner.
    stops: Vec<(usize, usize, &'a ParsedEntity)>,
    warnings: Warnings,
    unused: Vec<(&'a ParsedEntity, usize)>,
}

impl<'a> Importer<'a, '_> {
    fn source(&mut self, source: Source<'a>) {
        let Source {
            entity,
            role,
            shape,
        } = source;
        let mut reader = Reader {
            entity,
            engine: self.engine,
            warnings: &mut self.warnings,
        };
        match role {
            Role::Mover(role) => self.mover(entity, role, shape),
            Role::Trigger(role) => {
                let volumes = shape.volumes.len();
                match triggers::trigger(&mut reader, role, shape, self.named) {
                    Some(trigger) => {
                        self.movers.triggers.push(trigger);
                        self.triggers.push(entity);
                    }
                    None => self.unused.push((entity, volumes)),
                }
            }
            Role::Relay(role) => {
                self.movers.relays.push(triggers::relay(&mut reader, role));
                self.relays.push((entity, role));
            }
        }
    }

    fn mover(&mut self, entity: &'a ParsedEntity, role: MoverRole, shape: Shape) {
        let mut reader = Reader {
            entity,
            engine: self.engine,
            warnings: &mut self.warnings,
        };
        if shape.brushes.is_empty() {
            let class = entity.class_name();
            reader.warn(match entity.brushes.is_empty() {
                true => format!("a {class} without a brush is skipped"),
                false => format!("a {class} without a solid brush is skipped"),
            });
            return;
        }
        let (reader, index) = (&mut reader, self.movers.movers.len());
        let made = match role {
            MoverRole::Door => doors::door(reader, &shape),
            MoverRole::SecretDoor => doors::secret_door(reader, &shape),
            MoverRole::TurningDoor => doors::turning_door(reader, &shape),
            MoverRole::Plat => plats::plat(reader, &shape),
            MoverRole::Button => doors::button(reader, &shape),
            MoverRole::TurningButton => doors::turning_button(reader, &shape),
            MoverRole::Rotating => doors::rotating(reader, &shape),
            MoverRole::Train => {
                let room = MOST_STOPS - self.stops.len();
                let train = trains::train(reader, &shape, self.named, room);
                let corners = train.corners.into_iter().enumerate();
                self.stops
                    .extend(corners.map(|(stop, corner)| (index, stop, corner)));
                train.made
            }
        };
        self.leaves.push(Leaf {
            entity,
            role,
            opens: made.opens,
        });
        self.movers.movers.push(MoverDesc {
            kind: made.kind,
            line: entity.pos.line,
            brushes: shape.brushes,
            bounds: shape.bounds,
            motion: made.motion,
            started_by: made.started_by,
            group: index,
            signals: Signals::default(),
        });
    }

    /// Finds who receives what each of them sends.
    fn signals(&mut self) {
        let mut receivers = Receivers::new(self.named);
        for (index, leaf) in self.leaves.iter().enumerate() {
            receivers.add(leaf.entity, Receiver::Mover(index));
        }
        for (index, entity) in self.triggers.iter().enumerate() {
            receivers.add(entity, Receiver::Trigger(index));
        }
        for (index, (entity, _)) in self.relays.iter().enumerate() {
            receivers.add(entity, Receiver::Relay(index));
        }
        let (engine, warnings) = (self.engine, &mut self.warnings);
        let mut signals = |entity: &'a ParsedEntity, target: &str, sends| {
            let mut reader = Reader {
                entity,
                engine,
                warnings: &mut *warnings,
            };
            receivers.signals(&mut reader, target, sends)
        };
        for (mover, leaf) in self.movers.movers.iter_mut().zip(&self.leaves) {
            mover.signals = match mover.kind {
                // The target of a train is a corner.
                MoverKind::Train | MoverKind::Rotating => Signals::default(),
                MoverKind::Button => signals(leaf.entity, "target", Sends::Message),
                MoverKind::Door | MoverKind::Plat => {
                    signals(leaf.entity, "target", Sends::Silently)
                }
            };
        }
        let fired = match engine {
            Engine::Quake | Engine::Quake2 => "pathtarget",
            Engine::HalfLife => "message",
            // A corner's target is the next one, and all others of that name.
            Engine::Quake3 => "target",
        };
        for &(train, stop, corner) in &self.stops {
            if let Motion::Path { stops, .. } = &mut self.movers.movers[train].motion {
                stops[stop].signals = signals(corner, fired, Sends::Silently);
            }
        }
        for (trigger, entity) in self.movers.triggers.iter_mut().zip(&self.triggers) {
            if let TriggerEffect::Send(sent) = &mut trigger.effect {
                *sent = signals(entity, "target", Sends::Message);
            }
        }
        for (relay, (entity, _)) in self.movers.relays.iter_mut().zip(&self.relays) {
            relay.signals = signals(entity, "target", Sends::Message);
        }
        for (relay, &(entity, role)) in self.movers.relays.iter_mut().zip(&self.relays) {
            let mut reader = Reader {
                entity,
                engine,
                warnings: &mut self.warnings,
            };
            if role == RelayRole::Delay && reader.seconds("delay").is_none_or(|secs| secs == 0.0) {
                relay.signals.delay = reader.seconds("wait").unwrap_or(1.0);
            }
        }
    }
}
