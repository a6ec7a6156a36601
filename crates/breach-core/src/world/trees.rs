//! Rebuilds box trees that edits have degraded. A tree whose cost has grown by a quarter is rebuilt beside the old one,
//! a slice each tick, and swapped in when it is ready. Slices are counted in work, not in time, and query results do
//! not depend on the tree, so a rebuild affects nothing but speed.
use super::mesh_editor::MeshEditor;
use super::room::Room;
use super::visible::Visible;
use super::world::World;
use crate::bvh::{BuildParams, Bvh, Rebuild};
use crate::geom::parallel;
use crate::stage::{Marker, Stage};
use std::sync::Arc;

/// Advances the rebuilds of worn trees, in order, until the work is used up.
fn mend(visible: &mut Visible, mut work: u64) {
    while work > 0
        && let Some(&id) = visible.worn.first()
    {
        let (room, editor) = (
            visible.rooms.get_mut(id as usize),
            visible.editors.get_mut(id as usize),
        );
        let is_done = match (room, editor) {
            (Some(room), Some(editor)) => mend_room(room, editor, &visible.params, &mut work),
            // The room does not exist any more.
            _ => true,
        };
        if is_done {
            visible.worn.remove(0);
        }
    }
}

/// Advances a room's rebuild; true once its tree needs none.
fn mend_room(
    room: &mut Room,
    editor: &mut MeshEditor,
    params: &BuildParams,
    work: &mut u64,
) -> bool {
    let mut rebuild = match editor.rebuild.take() {
        Some(rebuild) => rebuild,
        None if room.tree.needs_rebuild() => Box::new(Rebuild::begin(&room.tree, params)),
        None => return true,
    };
    let is_ready = rebuild.advance(&room.tree, work);
    if is_ready {
        rebuild.replace(Arc::make_mut(&mut room.tree));
    } else {
        editor.rebuild = Some(rebuild);
    }
    is_ready
}

impl World {
    /// Rebuilds every tree with new parameters.
    pub fn rebuild_trees(&mut self, params: &BuildParams, marker: &mut dyn Marker) {
        marker.begin(Stage::Bins);
        let visible = &mut self.visible;
        visible.params = *params;
        visible.worn.clear();
        visible
            .editors
            .iter_mut()
            .for_each(|editor| editor.rebuild = None);
        let prepared = self.pending.iter_mut().flat_map(|work| work.drawn_rooms());
        let mut rooms: Vec<&mut Room> = visible.rooms.iter_mut().chain(prepared).collect();
        parallel::map_mut(&mut rooms, |room| {
            room.tree = Arc::new(Bvh::build(&room.mesh, params));
        });
        marker.end(Stage::Bins);
    }
    /// Rebuilds trees that edits have degraded, for about `work` triangles; the rest waits for the next call. Meant to
    /// be called once a tick.
    pub fn rebuild_worn_trees(&mut self, work: u64, marker: &mut dyn Marker) {
        if !self.visible.worn.is_empty() {
            marker.begin(Stage::Bins);
            mend(&mut self.visible, work);
            marker.end(Stage::Bins);
        }
    }
}
