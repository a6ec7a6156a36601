//! Narrow phase: one query a file.
