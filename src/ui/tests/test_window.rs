//! A window without a screen: the panels in egui_kittest's harness. Controls are found by their accessibility labels
//! and pressed with a pointer.
use super::*;
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT, Queryable};
use egui_kittest::{Harness, Node};
use std::ops::{Deref, DerefMut};

/// The panels, their state, and the accessibility tree of the last pass.
pub struct TestWindow {
    harness: Harness<'static, Fixture>,
    /// Every named node and its rectangle, points.
    pub nodes: Vec<(String, Rect)>,
    /// Controls, and the text of each field, by name.
    pub controls: Vec<(String, Rect)>,
    /// Disabled controls: name, rectangle, tip.
    pub disabled: Vec<(String, Rect, String)>,
    /// Controls without a tip.
    pub bare: Vec<String>,
    /// Tips.
    pub tips: Vec<String>,
    /// Number of painted shapes.
    pub shapes: usize,
    canvas: Canvas,
}

impl Deref for TestWindow {
    type Target = Fixture;
    fn deref(&self) -> &Fixture {
        self.harness.state()
    }
}

impl DerefMut for TestWindow {
    fn deref_mut(&mut self) -> &mut Fixture {
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

/// The rectangle of a node, if it has one.
fn place(node: &Node) -> Option<Rect> {
    node.accesskit_node().bounding_box().map(|_| node.rect())
}

/// Controls without a tip.
fn bare_controls(nodes: &[Node]) -> Vec<String> {
    let role = |node: &Node| node.accesskit_node().role();
    // The number beside a slider is part of it.
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

impl TestWindow {
    /// A window of 1280×720 points with the default layout.
    pub fn new() -> Self {
        Self::scaled(1.0)
    }

    /// A window of 1280×720 pixels with scaled panels.
    pub fn scaled(scale: f32) -> Self {
        let canvas = Canvas::default();
        let harness = Harness::builder()
            .with_size(SIZE / scale)
            .with_pixels_per_point(scale)
            .with_step_dt(0.05)
            .renderer(canvas.clone())
            .with_context_setup(|ctx| apply_theme(ctx, Palette::Standard))
            .build_ui_state(
                |ui, fixture: &mut Fixture| fixture.draw(ui),
                Fixture::default(),
            );
        let mut window = Self {
            harness,
            nodes: Vec::new(),
            controls: Vec::new(),
            disabled: Vec::new(),
            bare: Vec::new(),
            tips: Vec::new(),
            shapes: 0,
            canvas,
        };
        window.lay_out();
        window
    }

    /// Sets the palette.
    pub fn choose(&mut self, palette: Palette) {
        apply_theme(&self.harness.ctx, palette);
        self.lay_out();
    }

    /// Size of the window, points.
    pub fn size(&self) -> Vec2 {
        self.harness.ctx.content_rect().size()
    }

    /// The painted window.
    pub fn painted(&self) -> egui::ColorImage {
        self.canvas.paint(&self.harness.ctx, self.harness.output())
    }

    /// Every painted text, accessible or not.
    pub fn painted_texts(&self) -> Vec<String> {
        let shapes = self.harness.output().shapes.iter();
        let text = |shape: &egui::epaint::ClippedShape| match &shape.shape {
            egui::Shape::Text(text) => Some(text.galley.text().to_owned()),
            _ => None,
        };
        shapes.filter_map(text).collect()
    }

    /// Runs a pass; returns the commands.
    pub fn pass(&mut self, events: Vec<Event>) -> Vec<UiCommand> {
        self.harness.input_mut().events.extend(events);
        self.harness.step();
        self.look()
    }

    /// Runs passes until the layout is final; the first ones only measure.
    pub fn lay_out(&mut self) {
        for _ in 0..4 {
            self.pass(Vec::new());
        }
    }

    fn look(&mut self) -> Vec<UiCommand> {
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
        std::mem::take(&mut self.commands)
    }

    /// Makes tips show at once.
    pub fn hurry_tips(&mut self) {
        self.harness.ctx.all_styles_mut(|style| {
            style.interaction.tooltip_delay = 0.0;
            style.interaction.show_tooltips_only_when_still = false;
        });
    }

    /// How often a text occurs while the pointer rests on a point.
    pub fn count_over(&mut self, text: &str, pos: Pos2) -> usize {
        for _ in 0..3 {
            self.pass(vec![Event::PointerMoved(pos)]);
        }
        self.nodes.iter().filter(|(name, _)| name == text).count()
    }

    /// Selects a tool.
    pub fn hold(&mut self, tool: ToolKind) {
        self.panels.tools.held.kind = tool;
        self.lay_out();
    }

    /// The topmost node of a name: a control, rather than an equal value further down.
    fn node<'a>(&'a self, name: &'a str) -> Option<Node<'a>> {
        let found = self.harness.query_all_by_label(name);
        found.min_by(|a, b| a.rect().top().total_cmp(&b.rect().top()))
    }

    /// Whether a node of this name exists.
    pub fn has(&self, name: &str) -> bool {
        self.node(name).is_some()
    }

    /// The rectangle of a named node, points.
    pub fn find(&self, name: &str) -> Rect {
        let node = self.node(name);
        node.unwrap_or_else(|| panic!("no {name:?} among {:?}", self.nodes))
            .rect()
    }

    /// The topmost control below the menu bar whose name starts so; in menus the key follows the name.
    pub fn find_start(&self, name: &str) -> Rect {
        let found = self
            .nodes
            .iter()
            .filter(|(n, rect)| n.starts_with(name) && rect.top() > 20.0)
            .min_by(|a, b| a.1.top().total_cmp(&b.1.top()));
        found.unwrap_or_else(|| panic!("no control {name:?}")).1
    }

    /// Presses the control of this name; returns the commands.
    pub fn press(&mut self, name: &str) -> Vec<UiCommand> {
        match self.node(name) {
            Some(node) => node.click(),
            None => panic!("no {name:?} among {:?}", self.nodes),
        }
        self.harness.step();
        self.look()
    }

    /// Presses the control of this name nearest to the window's centre, where dialogs are.
    pub fn press_in_dialog(&mut self, name: &str) -> Vec<UiCommand> {
        let away = |node: &Node| node.rect().center().distance((SIZE / 2.0).to_pos2());
        let found = self.harness.query_all_by_label(name);
        let nearest = found.min_by(|a, b| away(a).total_cmp(&away(b)));
        nearest.expect("a button").click();
        self.harness.step();
        self.look()
    }

    /// Values of text boxes, with their rectangles.
    pub fn values(&self) -> Vec<(String, Rect)> {
        let nodes = self.harness.root().children_recursive();
        let value = |node: Node| Some((node.accesskit_node().value()?, place(&node)?));
        nodes.filter_map(value).collect()
    }

    /// Presses a key.
    pub fn key(&mut self, key: egui::Key) -> Vec<UiCommand> {
        self.harness.key_press(key);
        self.harness.step();
        self.look()
    }

    /// Clicks a point.
    pub fn press_at(&mut self, pos: Pos2) -> Vec<UiCommand> {
        self.harness.hover_at(pos);
        self.harness.drag_at(pos);
        self.harness.drop_at(pos);
        self.harness.step();
        self.look()
    }

    /// Drags a control by its name.
    pub fn drag(&mut self, name: &str, by: Vec2) -> Vec<UiCommand> {
        let from = self.find(name).center();
        self.harness.hover_at(from);
        self.harness.drag_at(from);
        self.harness.hover_at(from + by);
        self.harness.step();
        let commands = self.look();
        self.harness.drop_at(from + by);
        self.harness.hover_at(Pos2::new(640.0, 5.0));
        self.harness.step();
        self.look();
        commands
    }

    /// Whether something over the picture or the panels takes clicks there.
    pub fn is_covered(&self, pos: Pos2) -> bool {
        let layer = self.harness.ctx.layer_id_at(pos);
        layer.is_some_and(|layer| layer.order != egui::Order::Background)
    }

    /// Whether the panels take the pointer's clicks.
    pub fn wants_pointer(&self) -> bool {
        self.harness.ctx.egui_wants_pointer_input()
    }
}

/// A window with one more panel open, and no messages.
pub fn with_panel(id: PanelId) -> TestWindow {
    with_panel_scaled(id, 1.0)
}

/// The same, scaled.
pub fn with_panel_scaled(id: PanelId, scale: f32) -> TestWindow {
    let mut window = TestWindow::scaled(scale);
    window.leaks = false;
    window.panels.notices = Notices::default();
    window.notices.clear();
    window.panels.dock.show(id, true);
    window.lay_out();
    window
}

/// A window with one more panel open, checked for clipping.
pub fn with_one_window(id: PanelId) -> TestWindow {
    let window = with_panel(id);
    check_nothing_is_cut_off(&window);
    window
}
