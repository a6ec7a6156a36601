//! A window without a screen: the panels in egui_kittest's harness. Controls are found by the name that a screen reader
//! reads, and pressed with a pointer.
use super::*;
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT, Queryable};
use egui_kittest::{Harness, Node};
use std::ops::{Deref, DerefMut};

/// The panels, what they are shown, and what a screen reader has of them.
pub struct Stand {
    harness: Harness<'static, Scene>,
    /// Every named thing and its place, points.
    pub nodes: Vec<(String, Rect)>,
    /// Controls, and the text of each field, by name.
    pub controls: Vec<(String, Rect)>,
    /// Controls that cannot be used now: name, place, tip.
    pub disabled: Vec<(String, Rect, String)>,
    /// Controls without a tip.
    pub bare: Vec<String>,
    /// What shows when the pointer rests on something.
    pub tips: Vec<String>,
    /// Shapes painted.
    pub shapes: usize,
    canvas: Canvas,
}

impl Deref for Stand {
    type Target = Scene;
    fn deref(&self) -> &Scene {
        self.harness.state()
    }
}

impl DerefMut for Stand {
    fn deref_mut(&mut self) -> &mut Scene {
        self.harness.state_mut()
    }
}

fn is_control(node: &Node) -> bool {
    matches!(
        node.accesskit_node().role(),
        Role::Button
            | Role::CheckBox
            | Role::RadioButton
            | Role::Slider
            | Role::SpinButton
            | Role::ComboBox
            | Role::TextInput
            | Role::Link
            | Role::MenuItem
    )
}

fn name(node: &Node) -> Option<String> {
    node.accesskit_node().label().or_else(|| node.value())
}

/// Where a node is; not every one has a place.
fn place(node: &Node) -> Option<Rect> {
    node.accesskit_node().bounding_box().map(|_| node.rect())
}

/// Controls that say nothing of themselves when the pointer rests on them.
fn bare_controls(nodes: &[Node]) -> Vec<String> {
    let role = |node: &Node| node.accesskit_node().role();
    // The number beside a slider is a part of it.
    let is_of_slider = |node: &Node| {
        let beside = |slider: &Node| match (place(slider), place(node)) {
            (Some(a), Some(b)) => {
                (a.top() - b.top()).abs() < 4.0 && (-1.0..14.0).contains(&(b.left() - a.right()))
            }
            _ => false,
        };
        let mut sliders = nodes.iter().filter(|n| role(n) == Role::Slider);
        role(node) == Role::SpinButton && sliders.any(beside)
    };
    nodes
        .iter()
        .filter(|node| is_control(node) && !is_of_slider(node))
        .filter(|node| {
            let tip = node.accesskit_node().description();
            tip.is_none_or(|tip| tip.is_empty())
        })
        .map(|node| format!("{:?} {:?}", role(node), name(node)))
        .collect()
}

impl Stand {
    /// A window of 1280×720 points with the panels of a first start.
    pub fn new() -> Self {
        Self::scaled(1.0)
    }

    /// The same window of 1280×720 pixels, its panels so many times as large.
    pub fn scaled(scale: f32) -> Self {
        let canvas = Canvas::default();
        let harness = Harness::builder()
            .with_size(SIZE / scale)
            .with_pixels_per_point(scale)
            .with_step_dt(0.05)
            .renderer(canvas.clone())
            .with_context_setup(|ctx| apply_theme(ctx, Palette::Standard))
            .build_ui_state(|ui, scene: &mut Scene| scene.draw(ui), Scene::default());
        let mut stand = Self {
            harness,
            nodes: Vec::new(),
            controls: Vec::new(),
            disabled: Vec::new(),
            bare: Vec::new(),
            tips: Vec::new(),
            shapes: 0,
            canvas,
        };
        stand.settle();
        stand
    }

    /// Chooses the colours.
    pub fn choose(&mut self, palette: Palette) {
        apply_theme(&self.harness.ctx, palette);
        self.settle();
    }

    /// The window, points.
    pub fn size(&self) -> Vec2 {
        self.harness.ctx.content_rect().size()
    }

    /// As it is painted now.
    pub fn painted(&self) -> egui::ColorImage {
        self.canvas.paint(&self.harness.ctx, self.harness.output())
    }

    /// Every text that is painted, a screen reader's or not.
    pub fn painted_texts(&self) -> Vec<String> {
        let shapes = self.harness.output().shapes.iter();
        let text = |shape: &egui::epaint::ClippedShape| match &shape.shape {
            egui::Shape::Text(text) => Some(text.galley.text().to_owned()),
            _ => None,
        };
        shapes.filter_map(text).collect()
    }

    /// One pass; says what was pressed.
    pub fn pass(&mut self, events: Vec<Event>) -> Vec<UiAction> {
        self.harness.input_mut().events.extend(events);
        self.harness.step();
        self.look()
    }

    /// Passes until everything has its place: the first ones only measure.
    pub fn settle(&mut self) {
        for _ in 0..4 {
            self.pass(Vec::new());
        }
    }

    fn look(&mut self) -> Vec<UiAction> {
        let nodes: Vec<Node> = self.harness.root().children_recursive().collect();
        let named = |node: &Node| Some((name(node)?, place(node)?));
        let controls = nodes.iter().filter(|node| is_control(node));
        let controls = controls
            .filter_map(|node| Some((name(node).unwrap_or_default(), place(node)?)))
            .collect();
        let disabled = nodes.iter().filter(|node| is_control(node));
        let disabled = disabled.filter(|node| node.accesskit_node().is_disabled());
        let told = |node: &Node| {
            let tip = node.accesskit_node().description().unwrap_or_default();
            Some((name(node).unwrap_or_default(), place(node)?, tip))
        };
        self.disabled = disabled.filter_map(told).collect();
        let tips = nodes.iter();
        let tips = tips.filter_map(|node| node.accesskit_node().description());
        (self.tips, self.bare, self.nodes, self.controls) = (
            tips.collect(),
            bare_controls(&nodes),
            nodes.iter().filter_map(named).collect(),
            controls,
        );
        self.shapes = self.harness.output().shapes.len();
        std::mem::take(&mut self.actions)
    }

    /// Tips show at once from now on.
    pub fn hurry_tips(&mut self) {
        self.harness.ctx.all_styles_mut(|style| {
            style.interaction.tooltip_delay = 0.0;
            style.interaction.show_tooltips_only_when_still = false;
        });
    }

    /// How often a text is read in the window while the pointer rests on a place.
    pub fn count_over(&mut self, text: &str, pos: Pos2) -> usize {
        for _ in 0..3 {
            self.pass(vec![Event::PointerMoved(pos)]);
        }
        self.nodes.iter().filter(|(name, _)| name == text).count()
    }

    /// Takes a tool into the hand.
    pub fn hold(&mut self, hand: Hand) {
        self.panels.tools.hand.hand = hand;
        self.settle();
    }

    /// The uppermost of that name: a word that is both a control and a value further down means the control.
    fn node<'a>(&'a self, name: &'a str) -> Option<Node<'a>> {
        let found = self.harness.query_all_by_label(name);
        found.min_by(|a, b| a.rect().top().total_cmp(&b.rect().top()))
    }

    /// Something of that name is there.
    pub fn has(&self, name: &str) -> bool {
        self.node(name).is_some()
    }

    /// Where it is, points.
    pub fn find(&self, name: &str) -> Rect {
        let node = self.node(name);
        node.unwrap_or_else(|| panic!("no {name:?} among {:?}", self.nodes))
            .rect()
    }

    /// The uppermost control under the menu bar whose name begins so: in a menu the key follows.
    pub fn find_start(&self, name: &str) -> Rect {
        let found = self
            .nodes
            .iter()
            .filter(|(n, rect)| n.starts_with(name) && rect.top() > 20.0)
            .min_by(|a, b| a.1.top().total_cmp(&b.1.top()));
        found.unwrap_or_else(|| panic!("no control {name:?}")).1
    }

    /// Presses what is called so; says what was asked for.
    pub fn press(&mut self, name: &str) -> Vec<UiAction> {
        match self.node(name) {
            Some(node) => node.click(),
            None => panic!("no {name:?} among {:?}", self.nodes),
        }
        self.harness.step();
        self.look()
    }

    /// Presses what is called so nearest to the window's middle, where dialogs are.
    pub fn press_in_dialog(&mut self, name: &str) -> Vec<UiAction> {
        let away = |node: &Node| node.rect().center().distance((SIZE / 2.0).to_pos2());
        let found = self.harness.query_all_by_label(name);
        let nearest = found.min_by(|a, b| away(a).total_cmp(&away(b)));
        nearest.expect("a button").click();
        self.harness.step();
        self.look()
    }

    /// What boxes hold, and where they are.
    pub fn values(&self) -> Vec<(String, Rect)> {
        let nodes = self.harness.root().children_recursive();
        let value = |node: Node| Some((node.accesskit_node().value()?, place(&node)?));
        nodes.filter_map(value).collect()
    }

    /// Presses a key.
    pub fn key(&mut self, key: egui::Key) -> Vec<UiAction> {
        self.harness.key_press(key);
        self.harness.step();
        self.look()
    }

    /// Presses a place, points.
    pub fn press_at(&mut self, pos: Pos2) -> Vec<UiAction> {
        self.harness.hover_at(pos);
        self.harness.drag_at(pos);
        self.harness.drop_at(pos);
        self.harness.step();
        self.look()
    }

    /// Drags a control by its name.
    pub fn drag(&mut self, name: &str, by: Vec2) -> Vec<UiAction> {
        let from = self.find(name).center();
        self.harness.hover_at(from);
        self.harness.drag_at(from);
        self.harness.hover_at(from + by);
        self.harness.step();
        let actions = self.look();
        self.harness.drop_at(from + by);
        self.harness.hover_at(Pos2::new(640.0, 5.0));
        self.harness.step();
        self.look();
        actions
    }

    /// Something lies over the picture or the panels there that takes a click.
    pub fn is_covered(&self, pos: Pos2) -> bool {
        let layer = self.harness.ctx.layer_id_at(pos);
        layer.is_some_and(|layer| layer.order != egui::Order::Background)
    }

    /// The pointer is on something of the panels, so the picture behind is not pressed.
    pub fn wants_pointer(&self) -> bool {
        self.harness.ctx.egui_wants_pointer_input()
    }
}

/// One panel open beside those that always are, and nothing else in its way.
pub fn with_panel(id: PanelId) -> Stand {
    with_panel_scaled(id, 1.0)
}

/// The same with panels so many times as large.
pub fn with_panel_scaled(id: PanelId, scale: f32) -> Stand {
    let mut stand = Stand::scaled(scale);
    stand.leaks = false;
    stand.panels.notices = Notices::default();
    stand.notices.clear();
    stand.panels.dock.show(id, true);
    stand.settle();
    stand
}

/// One panel open; it fits.
pub fn with_one_window(id: PanelId) -> Stand {
    let stand = with_panel(id);
    check_nothing_is_cut_off(&stand);
    stand
}
