//! What follows from each material of a world by its texture's name, looked up once.
use crate::world::World;

/// A value for each material, by number. Another world, or another course of the same one, has other materials: it is made
/// again when the names differ.
#[derive(Clone, Debug)]
pub struct MaterialTable<T> {
    known: Vec<(String, T)>,
}

impl<T> Default for MaterialTable<T> {
    fn default() -> Self {
        MaterialTable { known: Vec::new() }
    }
}

impl<T: Copy> MaterialTable<T> {
    /// Takes in the materials of a world.
    pub fn update(&mut self, world: &World, value: impl Fn(&str) -> T) {
        let names = || world.materials.iter().map(|m| m.texture.as_str());
        let is_same = self.known.len() <= world.materials.len()
            && self
                .known
                .iter()
                .zip(names())
                .all(|(known, name)| known.0 == name);
        if !is_same {
            self.known.clear();
        }
        let new = names().skip(self.known.len());
        let new: Vec<(String, T)> = new.map(|name| (name.to_owned(), value(name))).collect();
        self.known.extend(new);
    }

    /// The value of a material.
    pub fn get(&self, material: u32) -> Option<T> {
        self.known.get(material as usize).map(|known| known.1)
    }
}
