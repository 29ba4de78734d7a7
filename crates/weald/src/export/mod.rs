//! Files in the formats other programs read.

pub mod npy;
