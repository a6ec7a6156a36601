//! The boolean: a convex brush against the faces of one cell. Knows no rooms.
