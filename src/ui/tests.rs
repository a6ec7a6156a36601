//! Each panel draws; what is pressed arrives.
