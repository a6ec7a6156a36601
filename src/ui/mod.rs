//! The panels: struct + Default + ui(); they push actions and never touch the world.
