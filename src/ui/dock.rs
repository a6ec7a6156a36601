//! The dock: panels around the picture, dragged by their tabs, their layout kept between starts. [`super::panel_list`]
//! lists the panels.
use super::panel_list::{DockSlot, PANELS, PanelId, PanelRow};
use super::theme::Tipped;
use super::{KeyCommand, theme};
use egui::{Rect, Vec2};
use egui_tiles::{
    Behavior, Container, Linear, LinearDir, SimplificationOptions, TabState, Tabs, Tile, TileId,
    Tiles, Tree, UiResponse,
};
use serde::{Deserialize, Serialize};

/// A share below this belongs to a tile that was just dropped; it is replaced by a default.
const LEAST: f32 = 40.0;
/// Minimum fraction of the window for the picture, along each axis.
const PICTURE: f32 = 0.1;
/// Minimum width between the side columns, points: for the picture, and for a panel that covers it. If there is less
/// room, columns are left out.
const MIDDLE: [f32; 2] = [300.0, 620.0];
/// Gap between tiles, points.
const GAP: f32 = 4.0;
/// Height of the tab bar, points.
const TAB_HEIGHT: f32 = 23.0;

/// The layout of the panels. Shares are points, except for the picture's tile, which gets the rest.
pub struct Dock {
    tree: Tree<PanelId>,
    /// Hides everything but the picture.
    pub hidden: bool,
    /// The area of each panel in the last frame.
    taken: Vec<(PanelId, PanelArea)>,
    /// The panel opened last; its column is the last to be left out.
    last: Option<PanelId>,
    /// Columns without room in the window.
    left_out: Vec<TileId>,
}

/// The area of a panel, and the size of its contents.
#[derive(Clone, Copy, Debug)]
pub struct PanelArea {
    /// Its rectangle without margins, points.
    pub place: Rect,
    /// Width and height of its contents, points.
    pub wanted: Vec2,
}

impl Default for Dock {
    fn default() -> Self {
        let mut tiles = Tiles::default();
        let group = |tiles: &mut Tiles<PanelId>, slot: DockSlot| {
            let rows = PANELS.iter().filter(|row| row.slot == slot);
            let mut tabs = Vec::new();
            for row in rows {
                let pane = tiles.insert_pane(row.id);
                tiles.set_visible(pane, row.open);
                tabs.push(pane);
            }
            tiles.insert_tab_tile(tabs)
        };
        let [above, below, right, bottom, lowest, picture] = [
            DockSlot::Left,
            DockSlot::LeftBelow,
            DockSlot::Right,
            DockSlot::Bottom,
            DockSlot::Strip,
            DockSlot::Middle,
        ]
        .map(|slot| group(&mut tiles, slot));
        let left = column(
            &mut tiles,
            LinearDir::Vertical,
            &[(above, 262.0), (below, 408.0)],
        );
        let [graph, strip] = [PanelId::Timings, PanelId::Timeline].map(|id| id.row().across);
        let stacked = [(picture, 400.0), (bottom, graph), (lowest, strip)];
        let middle = column(&mut tiles, LinearDir::Vertical, &stacked);
        let side = PanelId::Level.row().across;
        let across = [(left, side), (middle, 700.0), (right, side)];
        let root = column(&mut tiles, LinearDir::Horizontal, &across);
        Self {
            tree: Tree::new(egui::Id::unique("dock"), root, tiles),
            hidden: false,
            taken: Vec::new(),
            last: None,
            left_out: Vec::new(),
        }
    }
}

fn column(tiles: &mut Tiles<PanelId>, dir: LinearDir, parts: &[(TileId, f32)]) -> TileId {
    let mut linear = Linear::new(dir, parts.iter().map(|part| part.0).collect());
    for (child, share) in parts {
        linear.shares.set_share(*child, *share);
    }
    tiles.insert_container(linear)
}

/// A layout in the settings file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kept {
    /// A panel, open or not.
    Panel(PanelId, bool),
    /// Tabs, and the index of the active one.
    Tabs(Vec<Kept>, usize),
    /// Side by side, each with its width in points.
    Across(Vec<(f32, Kept)>),
    /// One below the other, each with its height in points.
    Down(Vec<(f32, Kept)>),
}

impl Kept {
    /// The layout of a tile; None for an empty one.
    fn of(tiles: &Tiles<PanelId>, tile: TileId) -> Option<Self> {
        let container = match tiles.get(tile)? {
            Tile::Pane(id) => return Some(Kept::Panel(*id, tiles.is_visible(tile))),
            Tile::Container(container) => container,
        };
        if let Container::Linear(linear) = container {
            let part = |child: &TileId| {
                let points = (linear.shares[*child] * 8.0).round() / 8.0;
                Some((points, Self::of(tiles, *child)?))
            };
            let parts: Vec<_> = linear.children.iter().filter_map(part).collect();
            return match linear.dir {
                _ if parts.is_empty() => None,
                LinearDir::Horizontal => Some(Kept::Across(parts)),
                LinearDir::Vertical => Some(Kept::Down(parts)),
            };
        }
        let children: Vec<TileId> = container.children().copied().collect();
        let front = match container {
            Container::Tabs(tabs) => children.iter().position(|child| tabs.is_active(*child)),
            _ => None,
        };
        let kept: Vec<Kept> = children
            .iter()
            .filter_map(|child| Self::of(tiles, *child))
            .collect();
        (!kept.is_empty()).then(|| Kept::Tabs(kept, front.unwrap_or(0)))
    }

    /// Adds it to the tiles; None for an invalid layout: no parts, a panel twice, a share that is not a length.
    fn place(self, tiles: &mut Tiles<PanelId>) -> Option<TileId> {
        let (dir, parts) = match self {
            Kept::Panel(id, is_open) => {
                if tiles.find_pane(&id).is_some() {
                    return None;
                }
                let pane = tiles.insert_pane(id);
                tiles.set_visible(pane, is_open || id == PanelId::Picture);
                return Some(pane);
            }
            Kept::Tabs(kept, front) => {
                let children: Option<Vec<TileId>> =
                    kept.into_iter().map(|kept| kept.place(tiles)).collect();
                let children = children.filter(|children| !children.is_empty())?;
                let mut tabs = Tabs::new(children);
                if let Some(&front) = tabs.children.get(front) {
                    tabs.set_active(front);
                }
                return Some(tiles.insert_container(tabs));
            }
            Kept::Across(parts) => (LinearDir::Horizontal, parts),
            Kept::Down(parts) => (LinearDir::Vertical, parts),
        };
        let place = |(share, kept): (f32, Kept)| {
            let share = Some(share).filter(|share| share.is_finite() && *share >= 0.0)?;
            Some((kept.place(tiles)?, share))
        };
        let parts: Option<Vec<(TileId, f32)>> = parts.into_iter().map(place).collect();
        let parts = parts.filter(|parts| !parts.is_empty())?;
        Some(column(tiles, dir, &parts))
    }
}

impl Dock {
    /// Parses the output of [`Dock::text`]. Panels added since then go to their default slots. None if it is invalid.
    pub fn from_text(text: &str) -> Option<Self> {
        let kept: Kept = serde_json::from_str(text).ok()?;
        let mut tiles = Tiles::default();
        let root = kept.place(&mut tiles)?;
        tiles.find_pane(&PanelId::Picture)?;
        for row in PANELS {
            if tiles.find_pane(&row.id).is_some() {
                continue;
            }
            let beside = PANELS
                .iter()
                .filter(|other| other.slot == row.slot)
                .find_map(|other| tiles.find_pane(&other.id))?;
            let group = tiles.parent_of(beside)?;
            let pane = tiles.insert_pane(row.id);
            tiles.set_visible(pane, row.open);
            let Some(Tile::Container(container)) = tiles.get_mut(group) else {
                return None;
            };
            container.add_child(pane);
        }
        Some(Self {
            tree: Tree::new(egui::Id::unique("dock"), root, tiles),
            hidden: false,
            taken: Vec::new(),
            last: None,
            left_out: Vec::new(),
        })
    }

    /// The layout for the settings file.
    pub fn text(&self) -> String {
        let root = self.tree.root();
        let kept = root.and_then(|root| Kept::of(&self.tree.tiles, root));
        kept.and_then(|kept| serde_json::to_string(&kept).ok())
            .unwrap_or_default()
    }

    fn tile(&self, id: PanelId) -> Option<TileId> {
        self.tree.tiles.find_pane(&id)
    }

    /// The panel has a tab.
    pub fn is_open(&self, id: PanelId) -> bool {
        self.tile(id).is_some_and(|tile| self.tree.is_visible(tile))
    }

    /// The panel is visible: open, its tab active, not hidden with the others.
    pub fn is_seen(&self, id: PanelId) -> bool {
        let seen = |tile| self.tree.active_tiles().contains(&tile);
        let is_hidden = self.hidden || self.is_left_out(id);
        (!is_hidden || id == PanelId::Picture) && self.tile(id).is_some_and(seen)
    }

    /// The panel's column is left out for lack of room.
    pub fn is_left_out(&self, id: PanelId) -> bool {
        let path = self.path(id);
        self.left_out.iter().any(|column| path.contains(column))
    }

    /// The panel's tile and its ancestors up to the root.
    fn path(&self, id: PanelId) -> Vec<TileId> {
        let mut path: Vec<TileId> = self.tile(id).into_iter().collect();
        while let Some(parent) = path
            .last()
            .and_then(|&tile| self.tree.tiles.parent_of(tile))
        {
            path.push(parent);
        }
        path
    }

    /// Side columns that do not fit a window of this width; the column of the panel opened last is the last to go.
    fn columns_too_many(&self, width: f32) -> Vec<TileId> {
        let tiles = &self.tree.tiles;
        let (middle, last) = (
            self.path(PanelId::Picture),
            self.last.map(|id| self.path(id)).unwrap_or_default(),
        );
        let mut columns = Vec::new();
        for pair in middle.windows(2) {
            if let Some(Tile::Container(Container::Linear(linear))) = tiles.get(pair[1])
                && linear.dir == LinearDir::Horizontal
            {
                let others = linear.children.iter().filter(|&&tile| tile != pair[0]);
                let seen = others.filter(|&&tile| tiles.is_visible_in_layout(tile));
                columns.extend(seen.map(|&tile| (tile, linear.shares[tile] + GAP)));
            }
        }
        columns.sort_by_key(|(tile, _)| !last.contains(tile));
        let is_covered = !self.tree.active_tiles().contains(&middle[0]);
        let mut left = width - MIDDLE[usize::from(is_covered)];
        columns.retain(|(tile, points)| {
            let has_room = *points <= left || last.contains(tile);
            left -= if has_room { *points } else { 0.0 };
            !has_room
        });
        columns.into_iter().map(|column| column.0).collect()
    }

    /// Opens a panel and activates its tab, or closes it. The picture cannot be closed.
    pub fn show(&mut self, id: PanelId, on: bool) {
        let Some(tile) = self.tile(id) else { return };
        self.tree.set_visible(tile, on || id == PanelId::Picture);
        if on {
            self.hidden = false;
            self.last = Some(id);
            self.tree.make_active(|other, _| other == tile);
        }
        self.fit(tile);
    }

    /// Opens a panel or activates its tab; closes it if it is visible.
    pub fn toggle(&mut self, id: PanelId) {
        self.show(id, !self.is_seen(id));
    }

    /// Restores the default layout.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// The area of a panel, if it was drawn in the last frame.
    pub fn taken(&self, id: PanelId) -> Option<PanelArea> {
        let found = self.taken.iter().find(|taken| taken.0 == id);
        found.map(|taken| taken.1)
    }

    fn alone(&self) -> Option<TileId> {
        let tiles = &self.tree.tiles;
        let group = tiles.parent_of(self.tile(PanelId::Picture)?)?;
        let open = tiles.get_container(group)?.children();
        (open.filter(|&&tile| tiles.is_visible(tile)).count() == 1).then_some(group)
    }

    /// Resizes the group of a tile to what its open panels want across.
    fn fit(&mut self, tile: TileId) {
        let tiles = &mut self.tree.tiles;
        let Some(group) = tiles.parent_of(tile) else {
            return;
        };
        let open = tiles.get_container(group).map(Container::children_vec);
        let open = open.unwrap_or_default().into_iter();
        let wants = |tile: TileId| match tiles.get(tile) {
            Some(Tile::Pane(id)) if tiles.is_visible(tile) => Some(id.row()),
            _ => None,
        };
        let rows: Vec<&PanelRow> = open.filter_map(wants).collect();
        let across = rows.iter().map(|row| row.across).fold(0.0, f32::max);
        let is_strip = rows
            .iter()
            .all(|row| matches!(row.slot, DockSlot::Bottom | DockSlot::Strip));
        if rows.is_empty() || across == 0.0 || rows.iter().any(|row| row.id == PanelId::Picture) {
            return;
        }
        let dir = if is_strip {
            LinearDir::Vertical
        } else {
            LinearDir::Horizontal
        };
        // The group itself, or the column that contains it.
        let mut child = group;
        while let Some(parent) = tiles.parent_of(child) {
            if let Some(Tile::Container(Container::Linear(linear))) = tiles.get_mut(parent)
                && linear.dir == dir
            {
                linear.shares.set_share(child, across);
                return;
            }
            child = parent;
        }
    }

    /// Updates the shares to the window's size: the picture gets what the others leave.
    fn fit_picture(&mut self, size: Vec2) {
        let path = self.path(PanelId::Picture);
        let tiles = &mut self.tree.tiles;
        let mut size = size;
        for pair in path.windows(2).rev() {
            let (child, parent) = (pair[0], pair[1]);
            let Some(Tile::Container(Container::Linear(linear))) = tiles.get(parent) else {
                size.y -= TAB_HEIGHT;
                continue;
            };
            let mut linear = linear.clone();
            let is_across = linear.dir == LinearDir::Horizontal;
            let whole = if is_across { size.x } else { size.y };
            let mut others = 0.0;
            for &other in linear.children.iter().filter(|&&other| other != child) {
                if linear.shares[other] < LEAST {
                    linear.shares.set_share(other, 240.0);
                }
                if tiles.is_visible_in_layout(other) {
                    others += linear.shares[other] + GAP;
                }
            }
            let left = (whole - others).max(PICTURE * whole);
            linear.shares.set_share(child, left);
            let part = left / (left + others).max(1.0) * whole;
            if is_across {
                size.x = part;
            } else {
                size.y = part;
            }
            if let Some(Tile::Container(Container::Linear(kept))) = tiles.get_mut(parent) {
                *kept = linear;
            }
        }
    }

    /// Draws all panels with `draw` and returns the picture's rectangle; None if another panel covers it.
    pub fn ui(
        &mut self,
        ui: &mut egui::Ui,
        key: &dyn Fn(KeyCommand) -> String,
        draw: &mut dyn FnMut(&mut egui::Ui, PanelId),
    ) -> Option<Rect> {
        if self.hidden {
            return Some(ui.available_rect_before_wrap());
        }
        self.left_out = self.columns_too_many(ui.available_width());
        for &column in &self.left_out {
            self.tree.tiles.set_visible(column, false);
        }
        self.fit_picture(ui.available_size());
        let mut docked = Docked {
            draw,
            key,
            alone: self.alone(),
            picture: None,
            closed: None,
            taken: Vec::new(),
        };
        self.tree.ui(&mut docked, ui);
        for &column in &self.left_out {
            self.tree.tiles.set_visible(column, true);
        }
        let (picture, closed) = (docked.picture, docked.closed);
        self.taken = docked.taken;
        if let Some(id) = closed {
            self.show(id, false);
        }
        picture
    }
}

/// One frame of the dock.
struct Docked<'a> {
    draw: &'a mut dyn FnMut(&mut egui::Ui, PanelId),
    key: &'a dyn Fn(KeyCommand) -> String,
    /// The tab group that holds only the picture.
    alone: Option<TileId>,
    picture: Option<Rect>,
    closed: Option<PanelId>,
    taken: Vec<(PanelId, PanelArea)>,
}

impl Behavior<PanelId> for Docked<'_> {
    fn pane_ui(&mut self, ui: &mut egui::Ui, _: TileId, id: &mut PanelId) -> UiResponse {
        let rect = ui.max_rect();
        if *id == PanelId::Picture {
            self.picture = Some(rect);
            return UiResponse::None;
        }
        ui.painter().rect_filled(rect, 0, theme::SLATE);
        egui::Frame::new()
            .inner_margin(egui::Margin::symmetric(10, 4))
            .show(ui, |ui| {
                // A click on a bar that is shorter than its handle makes egui panic.
                let least = ui.available_size().min_elem().max(0.0);
                let scroll = &mut ui.spacing_mut().scroll;
                scroll.handle_min_length = scroll.handle_min_length.min(least / 4.0);
                let area = egui::ScrollArea::both()
                    .id_salt(id.row().title)
                    .auto_shrink(false)
                    // A strip may be lower than egui's minimum.
                    .min_scrolled_width(0.0)
                    .min_scrolled_height(0.0)
                    .show(ui, |ui| (self.draw)(ui, *id));
                self.taken.push((
                    *id,
                    PanelArea {
                        place: area.inner_rect,
                        wanted: area.content_size,
                    },
                ));
            });
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, id: &PanelId) -> egui::WidgetText {
        id.row().title.into()
    }

    fn on_tab_button(
        &mut self,
        tiles: &mut Tiles<PanelId>,
        tile: TileId,
        button: egui::Response,
    ) -> egui::Response {
        let Some(Tile::Pane(id)) = tiles.get(tile) else {
            return button;
        };
        let row = id.row();
        let key = row
            .key
            .map(|command| (self.key)(command))
            .unwrap_or_default();
        let key = if key.is_empty() {
            key
        } else {
            format!(" ({key})")
        };
        button.with_tip(format!(
            "{}{key} Drag the tab to dock it elsewhere.",
            row.tip
        ))
    }

    fn top_bar_right_ui(
        &mut self,
        tiles: &Tiles<PanelId>,
        ui: &mut egui::Ui,
        _: TileId,
        tabs: &Tabs,
        _: &mut f32,
    ) {
        let Some(Tile::Pane(id)) = tabs.active.and_then(|tile| tiles.get(tile)) else {
            return;
        };
        // Otherwise the window's edge clips the button.
        ui.add_space(GAP);
        let close = egui::Button::new("×").frame(false);
        if *id != PanelId::Picture {
            let tip = format!("Close {}. Reopen it from the View menu.", id.row().title);
            if ui.add(close).with_tip(tip).clicked() {
                self.closed = Some(*id);
            }
        }
    }

    fn is_tab_bar_visible(&self, tile: TileId, _: &Tabs) -> bool {
        // The picture alone needs no title.
        self.alone != Some(tile)
    }

    fn tab_bar_height(&self, _: &egui::Style) -> f32 {
        TAB_HEIGHT
    }

    fn gap_width(&self, _: &egui::Style) -> f32 {
        GAP
    }

    fn min_size(&self) -> f32 {
        LEAST
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions {
            prune_single_child_tabs: false,
            all_panes_must_have_tabs: true,
            ..SimplificationOptions::default()
        }
    }

    fn tab_bar_color(&self, _: &egui::Visuals) -> egui::Color32 {
        egui::Color32::from_rgb(12, 13, 17)
    }

    fn tab_bg_color(
        &self,
        _: &egui::Visuals,
        _: &Tiles<PanelId>,
        _: TileId,
        state: &TabState,
    ) -> egui::Color32 {
        match state.active {
            true => theme::SLATE,
            false => egui::Color32::TRANSPARENT,
        }
    }
}

#[cfg(test)]
mod tests;
