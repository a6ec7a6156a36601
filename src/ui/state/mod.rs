//! The state that panels show: plain data, built for each frame and read only.
mod camera_mode;
mod carving;
mod confirmation;
mod counts;
mod inspection;
mod keys;
mod level;
mod notices;
mod recording;
mod structure;
mod ui_state;

pub use camera_mode::CameraMode;
pub use carving::{CarveChip, PreviewBreaks, PreviewChip, ShapeHandles, volume_words};
pub use confirmation::{Answer, Confirmation};
pub use counts::{Counts, WorstFrame};
pub use inspection::{Inspected, MapState, TreeColumn, TreeTable};
pub use keys::KeyLine;
pub use level::{LevelEntry, LevelReport, LevelWarning};
pub use notices::{Notice, NoticeKind};
pub use recording::{
    CHANGE_PICTURE, ChangeEntry, Comparing, Recorded, TimelineMark, TimelineMarkKind,
};
pub use structure::StructureState;
pub use ui_state::UiState;
