//! How to rebuild an exact shape. A shape takes about a thousand bytes a triangle, and each carve copies a good part of them;
//! undo keeps recipes instead.
use super::small_world::SmallWorld;
use crate::world::{BrushDesc, Island, MaterialId};
use std::sync::Arc;

/// Carves after which the shape itself is kept: rebuilding a shape repeats fewer.
const KEPT_EVERY: u32 = 8;

/// A shape that was kept, and the carves since then. Clones share it.
#[derive(Clone, Debug)]
pub struct Recipe(Arc<Step>);

#[derive(Debug)]
enum Step {
    Shape(Box<SmallWorld>),
    Carve {
        of: Recipe,
        brushes: Vec<BrushDesc>,
        inner: MaterialId,
        /// Carves since the shape that was kept, with this one.
        number: u32,
    },
}

/// An exact shape, and its recipe.
#[derive(Clone, Debug)]
pub struct Exact {
    pub(super) world: SmallWorld,
    pub(super) recipe: Recipe,
}

impl Exact {
    pub(super) fn new(world: SmallWorld) -> Exact {
        let recipe = Recipe(Arc::new(Step::Shape(Box::new(world.clone()))));
        Exact { world, recipe }
    }

    /// As [`SmallWorld::carve`].
    pub(super) fn carve(
        &mut self,
        brushes: Vec<BrushDesc>,
        inner: MaterialId,
    ) -> Option<Vec<Island>> {
        let islands = self.world.carve(brushes.clone(), inner)?;
        let number = self.recipe.number() + 1;
        let step = match number < KEPT_EVERY {
            true => Step::Carve {
                of: self.recipe.clone(),
                brushes,
                inner,
                number,
            },
            false => Step::Shape(Box::new(self.world.clone())),
        };
        self.recipe = Recipe(Arc::new(step));
        Some(islands)
    }
}

impl Recipe {
    /// Rebuilds the shape, to the bit.
    pub(super) fn exact(&self) -> Exact {
        let mut carves = Vec::new();
        let mut at = self;
        let mut world = loop {
            match &*at.0 {
                Step::Shape(world) => break SmallWorld::clone(world),
                Step::Carve {
                    of, brushes, inner, ..
                } => {
                    carves.push((brushes, *inner));
                    at = of;
                }
            }
        };
        for (brushes, inner) in carves.into_iter().rev() {
            // It carved something the first time, and the pieces that it cut free are elsewhere.
            world.carve(brushes.clone(), inner);
        }
        let recipe = self.clone();
        Exact { world, recipe }
    }

    /// Memory of its last step, bytes: a shape that was kept, or a carve.
    pub fn bytes(&self) -> usize {
        let sides = |brushes: &[BrushDesc]| brushes.iter().map(|b| size_of_val(&*b.sides)).sum();
        let step = match &*self.0 {
            Step::Shape(world) => world.bytes(),
            Step::Carve { brushes, .. } => sides(brushes),
        };
        size_of::<Step>() + step
    }

    fn number(&self) -> u32 {
        match &*self.0 {
            Step::Shape(_) => 0,
            Step::Carve { number, .. } => *number,
        }
    }
}
