//! The worlds.

pub mod forest;
